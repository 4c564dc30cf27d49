"""Where the attributes of a specification are kept: elements, default classes, settings."""

import math
from copy import copy
from functools import cache, partial

from . import _native
from ._enums import mjtObj


class ElementSource:
    """The attributes of an element."""

    __slots__ = ("spec", "kind", "key", "__weakref__")

    def __init__(self, spec, kind, uid):
        self.spec, self.kind, self.key = spec, kind, uid

    @property
    def arrays(self):
        return self.spec._arrays

    @property
    def raw(self):
        return self.spec._raw

    def get(self, field):
        self.spec._default_arrays.flush()
        if field.startswith("@"):
            group, name = field[1:].split(".")
            return self._group(group)[name]
        return self.spec._native.get(self.kind, self.key, field)

    def set(self, field, value):
        if field.startswith("@"):
            group, name = field[1:].split(".")
            self._write_group(GROUPS[group], {**self._group(group), name: value})
        else:
            self.spec._native.set(self.kind, self.key, field, value)

    def orientation(self, field):
        return self.spec._native.orientation(self.kind, self.key, field)

    def _group(self, group):
        """The attributes that are written together; kept here while they are not consistent."""
        kept = self.spec._groups.get(self.key)
        if kept is None:
            kept = self.spec._groups[self.key] = GROUPS[group].read(self.spec._native, self.key)
        return kept

    def _write_group(self, group, values):
        try:
            group.write(self.spec._native, self.key, values)
            self.spec._inconsistent.pop(self.key, None)
        except ValueError as error:
            if group.strict:
                raise
            # the other parts may still follow: an error when the model is compiled
            self.spec._inconsistent[self.key] = str(error)
        self.spec._groups[self.key] = values


class DefaultSource:
    """The attributes of one type of element in a default class."""

    __slots__ = ("spec", "class_", "kind")

    def __init__(self, spec, class_, kind):
        self.spec, self.class_, self.kind = spec, class_, kind

    @property
    def key(self):
        return (self.class_, self.kind)

    @property
    def arrays(self):
        return self.spec._default_arrays

    @property
    def raw(self):
        return self.spec._raw

    def get(self, field):
        if field.startswith("@"):
            raise AttributeError(f"'{field.rpartition('.')[2]}' has no default")
        return self.spec._native.get_default(self.class_, self.kind, field)

    def set(self, field, value):
        if field.startswith("@"):
            raise AttributeError(f"'{field.rpartition('.')[2]}' has no default")
        self.spec._native.set_default(self.class_, self.kind, field, value)

    def orientation(self, field):
        try:
            return self.get(field)
        except AttributeError:
            return None


class FlexDefaultSource(DefaultSource):
    """The attributes of flexes in a default class: kept, but as in MuJoCo no flex starts from them."""

    __slots__ = ()

    def get(self, field):
        kept = self.raw.get((self.key, field))
        return _fresh_flex()(field) if kept is None else kept

    def set(self, field, value):
        self.raw[self.key, field] = value

    def start_from(self, parent):
        """Begin with what another class has."""
        own, theirs = self.key, (parent, self.kind)
        for entry in [entry for entry in self.raw if entry[0] == own]:
            del self.raw[entry]
        for entry in [entry for entry in self.raw if entry[0] == theirs]:
            self.raw[own, entry[1]] = copy(self.raw[entry])


@cache
def _fresh_flex():
    """The attributes of a flex that says nothing."""
    spec = _native.Spec()
    uid = spec.add_object(mjtObj.mjOBJ_FLEX)
    return partial(spec.get, mjtObj.mjOBJ_FLEX, uid)


class SettingSource:
    """A group of settings; ``defaults`` gives what is not set."""

    __slots__ = ("spec", "group", "defaults")

    def __init__(self, spec, group, defaults=None):
        self.spec, self.group, self.defaults = spec, group, defaults

    @property
    def key(self):
        return self.group

    @property
    def arrays(self):
        return self.spec._arrays

    def get(self, field):
        value = _native.spec_setting(self.spec._native, self.group, field)
        if self.defaults is None:
            return value
        if value is None:
            return self.defaults(field)
        if isinstance(value, list):
            # what is missing at the end is not set
            rest = self.defaults(field)
            return value + list(rest[len(value) :])
        return value

    def set(self, field, value):
        _native.spec_set_setting(self.spec._native, self.group, field, value)


def unset_statistic(field):
    """Statistics that are not given are not numbers."""
    return [math.nan, 0.0, 0.0] if field == "center" else math.nan


class _Group:
    """Attributes that are written together."""

    strict = False


class _Tied(_Group):
    """A group whose parts are the results and the arguments of two native methods."""

    def __init__(self, names, read, write):
        self.names, self._read, self._write = names.split(), read, write

    def read(self, native, uid):
        return dict(zip(self.names, self._read(native, uid)))

    def write(self, native, uid, values):
        self._write(native, uid, *(values[name] for name in self.names))


class _Hfield(_Group):
    """Rows, columns and elevations: the model language lists the last row first."""

    _KIND = mjtObj.mjOBJ_HFIELD

    @staticmethod
    def _flip(values, ncol):
        rows = [values[i : i + ncol] for i in range(0, len(values), ncol)]
        return [x for row in reversed(rows) for x in row]

    def read(self, native, uid):
        nrow, ncol = (native.get(self._KIND, uid, name) for name in ("nrow", "ncol"))
        elevation = native.get(self._KIND, uid, "elevation")
        userdata = self._flip(elevation, ncol) if nrow * ncol == len(elevation) and ncol else []
        return {"nrow": nrow, "ncol": ncol, "userdata": userdata}

    def write(self, native, uid, values):
        nrow, ncol, userdata = values["nrow"], values["ncol"], values["userdata"]
        native.set(self._KIND, uid, "nrow", nrow)
        native.set(self._KIND, uid, "ncol", ncol)
        if not userdata:
            native.set(self._KIND, uid, "elevation", None)
            return
        if nrow < 1 or ncol < 1 or len(userdata) != nrow * ncol:
            raise ValueError("elevation data length must match nrow*ncol")
        native.set(self._KIND, uid, "elevation", self._flip(userdata, ncol))


class _Cube(_Group):
    """The files of the sides of a cube."""

    _FIELDS = [f"file{side}" for side in "right left up down front back".split()]

    def read(self, native, uid):
        return {"files": [native.get(mjtObj.mjOBJ_TEXTURE, uid, f) for f in self._FIELDS]}

    def write(self, native, uid, values):
        for field, file in zip(self._FIELDS, values["files"]):
            native.set(mjtObj.mjOBJ_TEXTURE, uid, field, file or None)


class _Textures(_Group):
    """The textures of a material, one for each role."""

    strict = True

    def read(self, native, uid):
        return {"names": _native.spec_textures(native, uid)}

    def write(self, native, uid, values):
        if len(values["names"]) != 10:
            raise ValueError(
                "material.textures must have exactly 10 elements, one for each role"
                f" ('' for none), got {len(values['names'])}"
            )
        _native.spec_set_textures(native, uid, values["names"])


class _Tuple(_Group):
    """The objects of a tuple."""

    def read(self, native, uid):
        objects = _native.spec_tuple(native, uid)
        return {
            name: [parts[i] for parts in objects]
            for i, name in enumerate(("objtype", "objname", "objprm"))
        }

    def write(self, native, uid, values):
        parts = (values["objtype"], values["objname"], values["objprm"])
        if len({len(part) for part in parts}) > 1:
            raise ValueError("objtype, objname and objprm of a tuple must have the same length")
        _native.spec_set_tuple(native, uid, list(zip(*parts)))


class _Instance(_Group):
    """The plugin of an instance, and its configuration."""

    def read(self, native, uid):
        plugin, config = _native.spec_instance(native, uid)
        return {"plugin_name": plugin, "config": dict(config)}

    def write(self, native, uid, values):
        config = list(values["config"].items())
        _native.spec_set_instance(native, uid, values["plugin_name"], config)


GROUPS = {
    "trn": _Tied(
        "type target refsite slidersite", _native.spec_transmission, _native.spec_set_transmission
    ),
    "sensor": _Tied(
        "type objtype objname reftype refname intprm",
        _native.spec_sensor_reference,
        _native.spec_set_sensor_reference,
    ),
    "equality": _Tied(
        "type objtype name1 name2 data",
        _native.spec_equality_reference,
        _native.spec_set_equality_reference,
    ),
    "hfield": _Hfield(),
    "cube": _Cube(),
    "textures": _Textures(),
    "tuple": _Tuple(),
    "instance": _Instance(),
}
