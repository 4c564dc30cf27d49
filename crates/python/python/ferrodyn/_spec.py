"""The specification of a model, which programs build, change and compile."""

import os
import weakref

from . import _native
from ._data import MjData
from ._enums import mjtObj
from ._model import MjModel
from ._spec_arrays import Arrays
from ._spec_base import MjsDefault
from ._spec_bind import bind
from ._spec_elements import ELEMENTS, TREE
from ._spec_settings import SIZES, settings
from ._spec_sources import ElementSource, SettingSource

_LISTS = {
    "body": "bodies",
    "mesh": "meshes",
    "equality": "equalities",
    "hfield": "hfields",
    **{
        name: f"{name}s"
        for name in "frame joint geom site camera light texture material pair exclude tendon"
        " actuator sensor numeric text tuple key plugin".split()
    },
}


class MjSpec:
    """A model that can be changed: MuJoCo's ``MjSpec``.

    What is attached is copied. Objects that a program has for elements of the attached part go over
    to the copy, so that changing them changes this specification, unless ``copy_during_attach``
    is set; the other specification keeps its own.
    """

    def __init__(self, _native_spec=None, _assets=None):
        self._native = _native.Spec() if _native_spec is None else _native_spec
        self._elements = weakref.WeakValueDictionary()
        self._sources = weakref.WeakValueDictionary()
        self._arrays = Arrays()
        self._default_arrays = Arrays()
        # attributes that Rust does not keep, or not yet, by the number of the element
        self._raw, self._groups, self._inconsistent = {}, {}, {}
        self._info, self._active = {}, {}
        # the places of elements in the model that was compiled last
        self._compiled, self._signature = {}, 0
        self._assets = dict(_assets or {})
        self._copy_during_attach = False
        self._settings = settings(self)
        self.override_assets = True
        self.nemax = 0
        self.comment = ""
        self.parent = None

    # reading

    @staticmethod
    def from_string(xml, include=None, assets=None):
        """Read a specification from text; ``include`` maps names of included files to contents."""
        return MjSpec(_native.Spec.from_xml_string(xml, _bytes(include)), assets)

    @staticmethod
    def from_file(filename, include=None, assets=None):
        """Read a specification from a file."""
        name = os.fsdecode(filename)
        return MjSpec(_native.Spec.from_xml_path(name, _bytes(include)), assets)

    def copy(self):
        """A specification of its own with the same contents."""
        self._flush()
        new = MjSpec(self._native.copy(), self._assets)
        new._groups = {uid: dict(values) for uid, values in self._groups.items()}
        new._inconsistent = dict(self._inconsistent)
        new._raw, new._info, new._active = dict(self._raw), dict(self._info), dict(self._active)
        new.override_assets, new.comment, new.parent = (
            self.override_assets,
            self.comment,
            self.parent,
        )
        return new

    __copy__ = copy

    def __deepcopy__(self, memo):
        return self.copy()

    # compiling and writing

    def _flush(self):
        self._default_arrays.flush()
        self._arrays.flush()

    def _checked(self):
        self._flush()
        alive = {uid for name in ELEMENTS for uid in self._native.numbers(ELEMENTS[name]._kind)}
        for uid, message in self._inconsistent.items():
            if uid in alive:
                raise ValueError(f"Error: {message}")
        return self._native

    def compile(self):
        """Compile the specification."""
        model = MjModel._loaded(self._checked().compile(_bytes(self._assets)))
        self._remember(model)
        return model

    def _remember(self, model):
        places = {}
        for name in TREE:
            kind = ELEMENTS[name]._kind
            if kind != mjtObj.mjOBJ_FRAME:
                places |= {uid: i for i, uid in enumerate(self._native.numbers(kind))}
        self._compiled, self._signature = places, model.signature
        self._actuators = self._native.numbers(mjtObj.mjOBJ_ACTUATOR)

    def _places(self, kind):
        return {uid: i for i, uid in enumerate(self._native.numbers(kind))}

    def recompile(self, model, data):
        """Compile again, and carry the state of ``data`` over to the new model."""
        if not isinstance(model, MjModel) or not isinstance(data, MjData):
            raise TypeError("recompile needs an MjModel and an MjData")
        if self._signature != model.signature:
            raise ValueError("the model was not compiled from this specification")
        before, actuators = self._compiled, {u: i for i, u in enumerate(self._actuators)}
        new_model = self.compile()
        new_data = MjData(new_model)

        def pairs(old, kind):
            return [(old[uid], i) for uid, i in self._places(kind).items() if uid in old]

        self._native.carry(
            (model, data),
            (new_model, new_data),
            pairs(before, mjtObj.mjOBJ_JOINT),
            pairs(actuators, mjtObj.mjOBJ_ACTUATOR),
            pairs(before, mjtObj.mjOBJ_BODY),
        )
        return new_model, new_data

    def to_xml(self):
        """The specification as text; it must compile."""
        self._checked().compile(_bytes(self._assets))
        return self._native.to_xml()

    def to_file(self, file):
        """Write the specification to a file."""
        self._checked()
        with open(os.fsdecode(file), "w", encoding="utf-8") as out:
            out.write(self._native.to_xml())

    # elements

    def _element(self, name, uid):
        element = self._elements.get(uid)
        if element is None:
            cls = ELEMENTS[name]
            source = self._sources.get(uid)
            if source is None:
                source = self._sources[uid] = ElementSource(self, cls._kind, uid)
            element = self._elements[uid] = cls(source)
        return element

    def _id(self, kind, uid):
        if ELEMENTS["body"]._kind == kind and uid == 1:
            return 0
        if kind in _TREE_KINDS:
            return self._compiled.get(uid, -1)
        return self._places(kind).get(uid, -1)

    def _add(self, name, place, default, arguments):
        cls = ELEMENTS[name]
        cls._check(arguments)
        self._default_arrays.flush()
        if place is None:
            uid = self._native.add_object(cls._kind)
        else:
            uid = self._native.add_element(cls._kind, place._kind, place._uid)
        element = self._element(name, uid)
        if name == "equality":
            # the type of the objects is unknown until it is given
            element._source._group("equality")["objtype"] = 0
        if default is not None:
            self._native.set_class(cls._kind, uid, default.name)
        elif place is not None and place._kind == mjtObj.mjOBJ_FRAME and name != "frame":
            # it belongs to the class of the body, whatever the frame says
            body = self._native.parent(place._kind, place._uid)
            class_ = self._native.class_of(mjtObj.mjOBJ_BODY, body)
            self._native.set_class(cls._kind, uid, class_)
        try:
            element._start(arguments)
        except Exception:
            self._native.remove(cls._kind, uid)
            raise
        return element

    def delete(self, element):
        """Remove an element; a body goes with everything in it and everything that refers to it."""
        if isinstance(element, MjsDefault):
            raise ValueError("Error: defaults cannot be deleted, use detach instead")
        if element._spec is not self:
            raise ValueError("Error: element is not in this model")
        self._flush()
        if element._kind == mjtObj.mjOBJ_FRAME:
            # MuJoCo keeps frames that things lie in
            return
        self._native.remove(element._kind, element._uid)

    @property
    def worldbody(self):
        """The world."""
        return self._element("body", 1)

    # default classes

    @property
    def default(self):
        """The default class that all others descend from."""
        return MjsDefault(self, "main")

    def find_default(self, classname):
        """The default class with a name, if there is one."""
        return MjsDefault(self, classname) if classname in self._native.classes() else None

    def add_default(self, classname, parent=None):
        """Add a default class, which starts as a copy of its parent; None if the name is taken."""
        self._default_arrays.flush()
        try:
            self._native.add_default(classname, "main" if parent is None else parent.name)
        except ValueError:
            return None
        return MjsDefault(self, classname)

    # attachment

    def _attach_part(self, kind, uid, part, prefix, suffix):
        self._flush()
        child = part._spec
        child._flush()
        name = part._spec_name
        place = (part._kind, part._uid)
        number, pairs = self._native.attach(
            kind, uid, child._native, place, prefix or "", suffix or ""
        )
        self._take_over(child, pairs)
        return self._element(name, number)

    def _take_over(self, child, pairs):
        """Let the objects for elements that were attached stand for their copies."""
        if child._copy_during_attach or self._copy_during_attach or child is self:
            return
        for old, new in pairs:
            source = child._sources.pop(old, None)
            if source is not None:
                child._arrays.move(old, self._arrays, new)
                source.spec, source.key = self, new
                self._sources[new] = source
            element = child._elements.pop(old, None)
            if element is not None:
                self._elements[new] = element

    def attach(self, child, prefix=None, suffix=None, site=None, frame=None):
        """Attach all of another specification to a site or a frame, given by name or itself."""
        if frame is None and site is None:
            raise ValueError("One of frame or site must be specified.")
        if frame is not None and site is not None:
            raise ValueError("Only one of frame or site can be specified.")
        prefix, suffix = "/" if prefix is None else prefix, suffix or ""
        place = self._own(frame, "frame") if site is None else self._own(site, "site")
        self._flush()
        child._flush()
        uid = place._uid
        if site is not None:
            uid = self._native.frame_at_site(uid)
        self._adopt_assets(child, prefix, suffix)
        before = {element._uid for element in self.meshes + self.textures}
        number, pairs = self._native.attach(
            mjtObj.mjOBJ_FRAME, uid, child._native, None, prefix, suffix
        )
        self._take_over(child, pairs)
        if child._assets:
            for element in self.meshes + self.textures:
                if element._uid not in before and element.file:
                    element.file = _renamed(element.file, prefix, suffix)
        child.parent = self
        return self._element("frame", number)

    def _own(self, place, name):
        if isinstance(place, str):
            place = getattr(self, name)(place)
        if place is None:
            raise ValueError(f"{name.title()} not found.")
        if place._spec is not self:
            raise ValueError(f"{name.title()} spec does not match parent spec.")
        return place

    def _adopt_assets(self, child, prefix, suffix):
        """Take over the files in memory under new names."""
        for name, contents in child._assets.items():
            new = _renamed(name, prefix, suffix)
            if new in self._assets and not self.override_assets:
                raise ValueError(f"Asset {name} already exists in parent spec.")
            self._assets[new] = contents

    # the rest

    @property
    def assets(self):
        """Files in memory, by name."""
        return self._assets

    @assets.setter
    def assets(self, value):
        self._assets.update(value)

    @property
    def copy_during_attach(self):
        """Whether objects for elements stay what they are when those are attached."""
        raise ValueError("copy_during_attach can only be set.")

    @copy_during_attach.setter
    def copy_during_attach(self, value):
        self._copy_during_attach = bool(value)

    @staticmethod
    def resolve_orientation(degree, sequence=None, orientation=None):
        """The quaternion of an orientation in another form."""
        spec = MjSpec()
        spec.compiler.degree = bool(degree)
        if sequence is not None:
            spec.compiler.eulerseq = list(sequence)
        spec.worldbody.add_body().alt = orientation
        return spec.compile().body_quat[1].tolist()

    def activate_plugin(self, name):
        """Declare a plugin that elements use."""
        self._native.activate_plugin(name)

    @property
    def _address(self):
        return id(self._native)

    def __setattr__(self, name, value):
        if not name.startswith("_") and not hasattr(type(self), name) and name not in _OWN:
            raise AttributeError(f"'MjSpec' object has no attribute '{name}'")
        object.__setattr__(self, name, value)


_OWN = {"override_assets", "comment", "parent", "nemax"}
_TREE_KINDS = {ELEMENTS[name]._kind for name in TREE}


def _bytes(files):
    if not files:
        return None
    return {name: c.encode() if isinstance(c, str) else bytes(c) for name, c in files.items()}


def _renamed(path, prefix, suffix):
    """A file name with a prefix, and a suffix before its extension."""
    cut = max(path.rfind("/"), path.rfind("\\")) + 1
    path = path[:cut] + prefix + path[cut:]
    stem, dot, extension = path.rpartition(".")
    return f"{stem}{suffix}{dot}{extension}" if dot else path + suffix


def _stem(path):
    return os.path.splitext(os.path.basename(path.replace("\\", "/")))[0]


def _finder(name, cls):
    def find(self, key):
        uid = self._native.find(cls._kind, key)
        if uid is None and name in ("mesh", "texture") and key:
            # without a name it has that of its file
            elements = (self._element(name, uid) for uid in self._native.numbers(cls._kind))
            return next((e for e in elements if not e.name and _stem(e.file) == key), None)
        return None if uid is None else self._element(name, uid)

    find.__doc__ = f"The {name} with a name, if there is one."
    return find


def _lister(name, cls):
    def list_(self):
        return [self._element(name, uid) for uid in self._native.numbers(cls._kind)]

    return property(list_, doc=f"All elements of the type ``{name}``.")


def _adder(name, cls):
    def add(self, default=None, **kwargs):
        place = None if isinstance(self, MjSpec) else self
        spec = self if place is None else self._spec
        if default is not None and not isinstance(default, MjsDefault) and name != "frame":
            raise TypeError(f"add_{name}(): expected an MjsDefault, not {default!r}")
        if name == "frame" and default is not None:
            # the first argument of a frame is the frame around it
            place, default = default, None
        return spec._add(name, place, default, kwargs)

    add.__doc__ = f"Add an element of the type ``{name}``; attributes are keyword arguments."
    return add


def _first(name):
    def first(self):
        return next(iter(self._inside(name, False)), None)

    first.__doc__ = f"The first {name} of the body."
    return first


def _next(name):
    def next_(self, child):
        siblings = self._inside(name, False)
        place = siblings.index(child) + 1
        return siblings[place] if place < len(siblings) else None

    next_.__doc__ = f"The {name} of the body after another."
    return next_


def _inside(name):
    return property(
        lambda self: self._inside(name, False), doc=f"The elements of the type ``{name}``."
    )


def _give(cls, name, function):
    function.__name__ = name
    function.__qualname__ = f"{cls.__name__}.{name}"
    setattr(cls, name, function)


def _size(name, default):
    def get(self):
        value = _native.spec_setting(self._native, "size", name)
        return default if value is None else value

    def set_(self, value):
        _native.spec_set_setting(self._native, "size", name, None if value == -1 else int(value))

    return property(get, set_, doc=f"The size ``{name}``.")


def _delegate(owner, name, doc):
    def get(self):
        return getattr(owner(self), name)

    def set_(self, value):
        setattr(owner(self), name, value)

    return property(get, set_, doc=doc)


for _name, _cls in ELEMENTS.items():
    _give(MjSpec, _name, _finder(_name, _cls))
    setattr(MjSpec, _LISTS[_name], _lister(_name, _cls))
    if _name in TREE:
        for _owner in (ELEMENTS["body"], ELEMENTS["frame"]):
            _give(_owner, f"add_{_name}", _adder(_name, _cls))
        _give(ELEMENTS["body"], f"first_{_name}", _first(_name))
        _give(ELEMENTS["body"], f"next_{_name}", _next(_name))
        setattr(ELEMENTS["body"], _LISTS[_name], _inside(_name))
    else:
        _give(MjSpec, f"add_{_name}", _adder(_name, _cls))
for _name, _default in SIZES.items():
    setattr(MjSpec, _name, _size(_name, _default))
for _name in ("modelname", "modelfiledir"):
    setattr(MjSpec, _name, _delegate(lambda self: self._native, _name, f"The ``{_name}``."))
for _name in ("meshdir", "texturedir"):
    setattr(MjSpec, _name, _delegate(lambda self: self.compiler, _name, f"The ``{_name}``."))
for _name in ("compiler", "option", "stat", "visual"):
    setattr(
        MjSpec, _name, property(lambda self, n=_name: self._settings[n], doc=f"The ``{_name}``.")
    )


def _strippath():
    def get(self):
        return SettingSource(self, "compiler").get("strippath")

    def set_(self, value):
        SettingSource(self, "compiler").set("strippath", int(value))

    return property(get, set_, doc="Whether directories of file names are dropped.")


MjSpec.strippath = _strippath()
MjModel.bind = bind
MjData.bind = bind
