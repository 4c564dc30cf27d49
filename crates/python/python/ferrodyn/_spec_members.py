"""The members of a specification that are the same for every type of element, and its sizes."""

import os

from . import _native
from ._spec_base import Element, MjsDefault
from ._spec_elements import ELEMENTS, TREE
from ._spec_settings import SIZES
from ._spec_sources import SettingSource

_LISTS = {
    "body": "bodies",
    "mesh": "meshes",
    "flex": "flexes",
    "equality": "equalities",
    "hfield": "hfields",
    **{
        name: f"{name}s"
        for name in "frame joint geom site camera light skin texture material pair exclude tendon"
        " actuator sensor numeric text tuple key plugin".split()
    },
}

# attributes that nothing but the program reads, with what they start as
_OWN = {
    "override_assets": (True, "Whether attached files replace those of the same name."),
    "comment": ("", "A comment."),
    "parent": (None, "The specification that this one was attached to."),
    "nemax": (0, "The size ``nemax``, which MuJoCo no longer uses."),
    "hasImplicitPluginElem": (0, "Whether elements have plugins without an instance."),
}


def _stem(path):
    return os.path.splitext(os.path.basename(path.replace("\\", "/")))[0]


def _finder(name, cls):
    def find(self, key):
        uid = self._native.find(cls._kind, key)
        if uid is None and name in ("mesh", "skin", "texture") and key:
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
        place = self if isinstance(self, Element) else None
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


def _kept(name, start, doc):
    def get(self):
        return self._own.get(name, start)

    def set_(self, value):
        self._own[name] = value

    return property(get, set_, doc=doc)


def _delegate(owner, name, doc):
    def get(self):
        return getattr(owner(self), name)

    def set_(self, value):
        setattr(owner(self), name, value)

    return property(get, set_, doc=doc)


def _strippath():
    def get(self):
        return SettingSource(self, "compiler").get("strippath")

    def set_(self, value):
        SettingSource(self, "compiler").set("strippath", int(value))

    return property(get, set_, doc="Whether directories of file names are dropped.")


def add_members(spec_class):
    """Give the class of specifications its members."""
    for name, cls in ELEMENTS.items():
        _give(spec_class, name, _finder(name, cls))
        setattr(spec_class, _LISTS[name], _lister(name, cls))
        if name in TREE:
            for owner in (ELEMENTS["body"], ELEMENTS["frame"]):
                _give(owner, f"add_{name}", _adder(name, cls))
            _give(ELEMENTS["body"], f"first_{name}", _first(name))
            _give(ELEMENTS["body"], f"next_{name}", _next(name))
            setattr(ELEMENTS["body"], _LISTS[name], _inside(name))
        else:
            _give(spec_class, f"add_{name}", _adder(name, cls))
    for name, default in SIZES.items():
        setattr(spec_class, name, _size(name, default))
    for name, (start, doc) in _OWN.items():
        setattr(spec_class, name, _kept(name, start, doc))
    for name in ("modelname", "modelfiledir"):
        setattr(spec_class, name, _delegate(lambda self: self._native, name, f"The ``{name}``."))
    for name in ("meshdir", "texturedir"):
        setattr(spec_class, name, _delegate(lambda self: self.compiler, name, f"The ``{name}``."))
    for name in ("compiler", "option", "stat", "visual"):
        member = property(lambda self, n=name: self._settings[n], doc=f"The ``{name}``.")
        setattr(spec_class, name, member)
    spec_class.strippath = _strippath()
