"""The specification of a model, which programs build, change and compile."""

import os
import weakref
from contextlib import suppress
from copy import copy as copied

from . import _native, _spec_errors, _spec_zip
from ._data import MjData
from ._enums import mjtObj
from ._model import MjModel
from ._spec_arrays import Arrays
from ._spec_base import MjsDefault
from ._spec_bind import bind
from ._spec_elements import ELEMENTS, TREE
from ._spec_members import add_members
from ._spec_settings import settings
from ._spec_sources import ElementSource, FlexDefaultSource


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
        # the pixels of textures that were compiled
        self._textures = {}
        self._assets = dict(_assets or {})
        self._copy_during_attach = False
        self._settings = settings(self)
        self._own = {}

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

    @staticmethod
    def from_zip(file):
        """Read a specification and its files from a zip archive: a path or an open file."""
        text, assets = _spec_zip.read(file)
        return MjSpec.from_string(text, assets=assets)

    def copy(self):
        """A specification of its own with the same contents."""
        self._flush()
        new = MjSpec(self._native.copy(), self._assets)
        new._groups = {uid: dict(values) for uid, values in self._groups.items()}
        new._inconsistent = dict(self._inconsistent)
        new._raw = {key: copied(values) for key, values in self._raw.items()}
        new._info, new._active = dict(self._info), dict(self._active)
        new._own = dict(self._own)
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
        names = {u: name for name in ELEMENTS for u in self._native.numbers(ELEMENTS[name]._kind)}
        for uid, message in self._inconsistent.items():
            if uid in names:
                element = self._element(names[uid], uid)
                raise ValueError(_spec_errors.about(message, element))
        return self._native

    def _compiled_model(self):
        native = self._checked()
        try:
            return native.compile(_bytes(self._assets))
        except ValueError as error:
            raise ValueError(_spec_errors.described(self, str(error), ELEMENTS)) from None

    def compile(self):
        """Compile the specification."""
        model = MjModel._loaded(self._compiled_model())
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
        self._textures = {}
        sizes = model.tex_height * model.tex_width * model.tex_nchannel
        for uid, i in self._places(mjtObj.mjOBJ_TEXTURE).items():
            start = model.tex_adr[i]
            self._textures[uid] = model.tex_data[start : start + sizes[i]].tobytes()

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
        self._compiled_model()
        return self._native.to_xml()

    def to_file(self, file):
        """Write the specification to a file."""
        self._checked()
        with open(os.fsdecode(file), "w", encoding="utf-8") as out:
            out.write(self._native.to_xml())

    def to_zip(self, file):
        """Write the specification and its files in memory to a zip archive, or an open file."""
        _spec_zip.write(self, file)

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
            # keyframes that do not fit the model keep a body from being removed
            with suppress(ValueError):
                self._native.remove(cls._kind, uid)
            raise
        return element

    def delete(self, element):
        """Remove an element; a body goes with everything in it and everything that refers to it.

        A default class goes with those that descend from it; elements keep their values.
        """
        if isinstance(element, MjsDefault):
            self._delete_default(element.name)
            return
        if element._spec is not self:
            raise ValueError("Error: element is not in this model")
        self._flush()
        if element._kind == mjtObj.mjOBJ_FRAME:
            # MuJoCo keeps frames that things lie in
            return
        self._native.remove(element._kind, element._uid)

    def _delete_default(self, class_):
        self._flush()
        before = set(self._native.classes())
        try:
            self._native.remove_default(class_)
        except ValueError as error:
            raise ValueError(f"Error: {error}") from None
        self._default_arrays.forget(before - set(self._native.classes()))

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
        start = "main" if parent is None else parent.name
        try:
            self._native.add_default(classname, start)
        except ValueError:
            return None
        FlexDefaultSource(self, classname, mjtObj.mjOBJ_FLEX).start_from(start)
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
        place = self._mine(frame, "frame") if site is None else self._mine(site, "site")
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

    def _mine(self, place, name):
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
        if not name.startswith("_") and not hasattr(type(self), name):
            raise AttributeError(f"'MjSpec' object has no attribute '{name}'")
        object.__setattr__(self, name, value)


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


add_members(MjSpec)
MjModel.bind = bind
MjData.bind = bind
