"""What the elements of a specification have in common: names, default classes, places, plugins."""

from . import _native
from ._enums import mjtObj


class Struct:
    """Something with attributes."""

    __slots__ = ("_source", "__weakref__")
    _fields = {}

    def __init__(self, source):
        object.__setattr__(self, "_source", source)

    def __setattr__(self, name, value):
        if not hasattr(type(self), name):
            raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'")
        object.__setattr__(self, name, value)

    def __reduce__(self):
        raise TypeError(f"cannot pickle '{type(self).__name__}' object")


class Element(Struct):
    """An element of a specification."""

    __slots__ = ()
    _kind = mjtObj.mjOBJ_UNKNOWN
    # other keyword arguments of the function that adds one
    _extra = ("name", "info")

    @property
    def _spec(self):
        return self._source.spec

    @property
    def _uid(self):
        return self._source.key

    @property
    def _native(self):
        return self._spec._native

    @property
    def name(self):
        """The name; empty if there is none."""
        return self._native.name(self._kind, self._uid)

    @name.setter
    def name(self, value):
        if not isinstance(value, str):
            raise TypeError(f"name cannot be {value!r}")
        try:
            self._native.set_name(self._kind, self._uid, value)
        except ValueError:
            what = self._spec_name
            raise ValueError(f"Error: repeated name '{value}' in {what}") from None

    @property
    def id(self):
        """The number in the compiled model; -1 if it was not compiled."""
        return self._spec._id(self._kind, self._uid)

    @property
    def signature(self):
        """The signature of the specification when it was last compiled."""
        return self._spec._signature

    @property
    def info(self):
        """What is told in errors."""
        return self._spec._info.get(self._uid, "")

    @info.setter
    def info(self, value):
        self._spec._info[self._uid] = value

    def _start(self, arguments):
        """Write keyword arguments that were checked."""
        for name, value in arguments.items():
            if value is None:
                continue
            if name in self._fields:
                self._fields[name].start(self, value)
            elif name in _FORMS:
                self._turn("alt", name, value)
            elif name[1:] in _FORMS:
                self._turn("ialt", name[1:], value)
            else:
                setattr(self, name, value)

    @classmethod
    def _check(cls, arguments):
        for name in arguments:
            turned = (name in _FORMS and "alt" in cls._fields) or (
                name[:1] == "i" and name[1:] in _FORMS and "ialt" in cls._fields
            )
            if name not in cls._fields and name not in cls._extra and not turned:
                raise TypeError(f"add_{cls._spec_name}(): unknown keyword argument '{name}'")
        for prefix in ("", "i"):
            forms = [prefix + form for form in _FORMS]
            if sum(arguments.get(form) is not None for form in forms) > 1:
                *some, last = forms
                raise ValueError(f"Only one of: {', '.join(some)}, or {last} can be set.")

    def _turn(self, field, form, value):
        orientation = getattr(self, field)
        try:
            setattr(orientation, form, value)
        except TypeError:
            size = len(getattr(orientation, form))
            raise ValueError(f"{form} should be a list/array of size {size}.") from None
        orientation.type = _FORMS[form]


_FORMS = {"axisangle": 1, "xyaxes": 2, "zaxis": 3, "euler": 4}


class MjsDefault:
    """A default class. Its attributes are what elements of the class start from."""

    __slots__ = ("_spec", "_class")

    def __init__(self, spec, class_):
        self._spec, self._class = spec, class_

    @property
    def name(self):
        """The name of the class."""
        return self._class

    def __eq__(self, other):
        if not isinstance(other, MjsDefault):
            return NotImplemented
        return self._spec is other._spec and self._class == other._class

    def __hash__(self):
        return hash((id(self._spec), self._class))


class Classed(Element):
    """An element with a default class."""

    __slots__ = ()

    @property
    def classname(self):
        """The default class; assigning one does not change the attributes."""
        return MjsDefault(self._spec, self._native.class_of(self._kind, self._uid))

    @classname.setter
    def classname(self, value):
        if not isinstance(value, MjsDefault):
            raise TypeError("classname must be an MjsDefault")
        self._native.set_class_only(self._kind, self._uid, value.name)


class Placed(Element):
    """An element of the tree."""

    __slots__ = ()

    @property
    def parent(self):
        """The body that it belongs to."""
        return self._spec._element("body", self._native.parent(self._kind, self._uid))

    @property
    def frame(self):
        """The frame around it, if there is one."""
        uid = self._native.frame(self._kind, self._uid)
        return None if uid is None else self._spec._element("frame", uid)

    def set_frame(self, frame):
        """Put it into a frame of its body."""
        if getattr(frame, "_kind", None) != mjtObj.mjOBJ_FRAME:
            raise TypeError("expected an MjsFrame")
        self._native.set_frame(self._kind, self._uid, frame._uid)


class WithPlugin:
    """An element that a plugin can take part in."""

    __slots__ = ()

    @property
    def plugin(self):
        """The plugin of the element."""
        return MjsPluginPart(self)

    @plugin.setter
    def plugin(self, value):
        active, config = value.active, value.config
        parts = (value.plugin_name, value.name, list(config.items()))
        _native.spec_set_plugin(self._native, self._kind, self._uid, parts if active else None)
        MjsPluginPart(self).info = value.info


class MjsPluginPart:
    """The plugin of an element (``geom.plugin``)."""

    __slots__ = ("_owner",)

    def __init__(self, owner):
        self._owner = owner

    def _parts(self):
        owner = self._owner
        return _native.spec_plugin(owner._native, owner._kind, owner._uid) or ("", "", [])

    def _change(self, **changes):
        plugin, instance, config = self._parts()
        new = {"plugin_name": plugin, "name": instance, "config": dict(config)} | changes
        owner = self._owner
        parts = (new["plugin_name"], new["name"], list(new["config"].items()))
        _native.spec_set_plugin(owner._native, owner._kind, owner._uid, parts)

    @property
    def plugin_name(self):
        """The name of the plugin."""
        return self._parts()[0]

    @plugin_name.setter
    def plugin_name(self, value):
        self._change(plugin_name=value)

    @property
    def name(self):
        """The name of an instance that is shared; empty if there is none."""
        return self._parts()[1]

    @name.setter
    def name(self, value):
        self._change(name=value)

    @property
    def config(self):
        """The configuration: a copy, which is assigned to change it."""
        return dict(self._parts()[2])

    @config.setter
    def config(self, value):
        self._change(config={str(k): str(v) for k, v in value.items()})

    @property
    def active(self):
        """Whether the element has a plugin."""
        owner = self._owner
        return int(_native.spec_plugin(owner._native, owner._kind, owner._uid) is not None)

    @active.setter
    def active(self, value):
        owner = self._owner
        if value:
            self._change()
        else:
            _native.spec_set_plugin(owner._native, owner._kind, owner._uid, None)

    @property
    def info(self):
        """What is told in errors."""
        return self._owner._spec._info.get((self._owner._uid, "plugin"), "")

    @info.setter
    def info(self, value):
        self._owner._spec._info[self._owner._uid, "plugin"] = value

    @property
    def signature(self):
        """The signature of the specification when it was last compiled."""
        return self._owner.signature

    @property
    def id(self):
        """The instance; assign a plugin of the specification to share it."""
        return -1

    @id.setter
    def id(self, value):
        self._change(name=value.name, plugin_name=value.plugin_name)
