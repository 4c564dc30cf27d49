"""Access to the rows of one object by its name or id: ``model.geom("torso").size``."""

from operator import index

from . import _native
from ._arrays import describe
from ._enums import mjtJoint, mjtObj

_JOINT_NQ = {mjtJoint.mjJNT_FREE: 7, mjtJoint.mjJNT_BALL: 4}
_JOINT_NV = {mjtJoint.mjJNT_FREE: 6, mjtJoint.mjJNT_BALL: 3}


# how the part of an array that belongs to object i of a model is found


def _row(array, model, i):
    return array[i] if array.ndim > 1 else array[i : i + 1]


def _positions(array, model, i):
    adr = model.jnt_qposadr[i]
    return array[adr : adr + _JOINT_NQ.get(model.jnt_type[i], 1)]


def _dofs(array, model, i):
    adr = model.jnt_dofadr[i]
    return array[adr : adr + _JOINT_NV.get(model.jnt_type[i], 1)]


def _block(adr, *dims):
    """A block of an array, of which other arrays hold the address and the dimensions."""

    def select(array, model, i):
        shape = [getattr(model, dim)[i] for dim in dims]
        start, size = getattr(model, adr)[i], 1
        for n in shape:
            size *= n
        return array[start : start + size].reshape(shape)

    return select


def _fields(table, size, prefix="", select=_row):
    """The arrays of a table that have a row per object, by attribute name."""
    return {
        name.removeprefix(prefix): (name, select)
        for name, _, rows, _, _ in table
        if rows == size and name.startswith(prefix) and "awake" not in name
    }


_M = _native.model_fields()
_D = _native.data_fields()
_TUPLE = _block("tuple_adr", "tuple_size")

# name of the class, names of the method, kind of object, attributes
_MODEL = [
    ("Body", ("body",), mjtObj.mjOBJ_BODY, _fields(_M, "nbody", "body_")),
    (
        "Joint",
        ("joint", "jnt"),
        mjtObj.mjOBJ_JOINT,
        # `bodyid` is that of the dofs, as in MuJoCo
        _fields(_M, "nv", "dof_", _dofs)
        | {k: v for k, v in _fields(_M, "njnt", "jnt_").items() if k != "bodyid"}
        | {"qpos0": ("qpos0", _positions), "qpos_spring": ("qpos_spring", _positions)},
    ),
    ("Geom", ("geom",), mjtObj.mjOBJ_GEOM, _fields(_M, "ngeom", "geom_")),
    ("Site", ("site",), mjtObj.mjOBJ_SITE, _fields(_M, "nsite", "site_")),
    ("Camera", ("camera", "cam"), mjtObj.mjOBJ_CAMERA, _fields(_M, "ncam", "cam_")),
    ("Light", ("light",), mjtObj.mjOBJ_LIGHT, _fields(_M, "nlight", "light_")),
    ("Mesh", ("mesh",), mjtObj.mjOBJ_MESH, _fields(_M, "nmesh", "mesh_")),
    ("Skin", ("skin",), mjtObj.mjOBJ_SKIN, _fields(_M, "nskin", "skin_")),
    (
        "Hfield",
        ("hfield",),
        mjtObj.mjOBJ_HFIELD,
        _fields(_M, "nhfield", "hfield_")
        | {"data": ("hfield_data", _block("hfield_adr", "hfield_nrow", "hfield_ncol"))},
    ),
    (
        "Texture",
        ("texture", "tex"),
        mjtObj.mjOBJ_TEXTURE,
        _fields(_M, "ntex", "tex_")
        | {"data": ("tex_data", _block("tex_adr", "tex_height", "tex_width", "tex_nchannel"))},
    ),
    ("Material", ("material", "mat"), mjtObj.mjOBJ_MATERIAL, _fields(_M, "nmat", "mat_")),
    ("Pair", ("pair",), mjtObj.mjOBJ_PAIR, _fields(_M, "npair", "pair_")),
    ("Exclude", ("exclude",), mjtObj.mjOBJ_EXCLUDE, _fields(_M, "nexclude", "exclude_")),
    ("Equality", ("equality", "eq"), mjtObj.mjOBJ_EQUALITY, _fields(_M, "neq", "eq_")),
    ("Tendon", ("tendon",), mjtObj.mjOBJ_TENDON, _fields(_M, "ntendon", "tendon_")),
    ("Actuator", ("actuator",), mjtObj.mjOBJ_ACTUATOR, _fields(_M, "nu", "actuator_")),
    ("Sensor", ("sensor",), mjtObj.mjOBJ_SENSOR, _fields(_M, "nsensor", "sensor_")),
    (
        "Numeric",
        ("numeric",),
        mjtObj.mjOBJ_NUMERIC,
        _fields(_M, "nnumeric", "numeric_")
        | {"data": ("numeric_data", _block("numeric_adr", "numeric_size"))},
    ),
    (
        "Tuple",
        ("tuple",),
        mjtObj.mjOBJ_TUPLE,
        _fields(_M, "ntuple", "tuple_") | _fields(_M, "ntupledata", "tuple_", _TUPLE),
    ),
    ("Keyframe", ("keyframe", "key"), mjtObj.mjOBJ_KEY, _fields(_M, "nkey", "key_")),
]

_DATA = [
    ("Body", ("body",), mjtObj.mjOBJ_BODY, _fields(_D, "nbody")),
    (
        "Joint",
        ("joint", "jnt"),
        mjtObj.mjOBJ_JOINT,
        _fields(_D, "njnt")
        | _fields(_D, "nq", select=_positions)
        | _fields(_D, "nv", select=_dofs),
    ),
    ("Geom", ("geom",), mjtObj.mjOBJ_GEOM, _fields(_D, "ngeom", "geom_")),
    ("Site", ("site",), mjtObj.mjOBJ_SITE, _fields(_D, "nsite", "site_")),
    ("Camera", ("camera", "cam"), mjtObj.mjOBJ_CAMERA, _fields(_D, "ncam", "cam_")),
    ("Light", ("light",), mjtObj.mjOBJ_LIGHT, _fields(_D, "nlight", "light_")),
    ("Tendon", ("tendon", "ten"), mjtObj.mjOBJ_TENDON, _fields(_D, "ntendon", "ten_")),
    (
        "Actuator",
        ("actuator",),
        mjtObj.mjOBJ_ACTUATOR,
        _fields(_D, "nu", "actuator_") | {"ctrl": ("ctrl", _row)},
    ),
    (
        "Sensor",
        ("sensor",),
        mjtObj.mjOBJ_SENSOR,
        {"data": ("sensordata", _block("sensor_adr", "sensor_dim"))},
    ),
]


class View:
    """The rows that belong to one object; attributes are numpy views."""

    __slots__ = ("_owner", "_model", "id", "name")
    _fields = {}

    def __init__(self, owner, model, id_, name):
        set_ = object.__setattr__
        set_(self, "_owner", owner)
        set_(self, "_model", model)
        set_(self, "id", id_)
        set_(self, "name", name)

    def __getattr__(self, name):
        try:
            array, select = self._fields[name]
        except KeyError:
            raise AttributeError(
                f"'{type(self).__name__}' object has no attribute '{name}'"
            ) from None
        return select(getattr(self._owner, array), self._model, self.id)

    def __setattr__(self, name, value):
        if name in ("id", "name"):
            raise AttributeError(f"'{name}' of {type(self).__name__} cannot be assigned")
        getattr(self, name)[:] = value

    def __delattr__(self, name):
        raise AttributeError(f"'{name}' of {type(self).__name__} cannot be deleted")

    def __dir__(self):
        return sorted({*object.__dir__(self), *self._fields})

    def __repr__(self):
        return describe(self, ["id", "name", *self._fields])


def _accessor(method, kind, view, what):
    """The method that finds an object by name or id."""

    def access(self, name=""):
        model = getattr(self, "model", self)
        native = model._native
        if isinstance(name, str):
            id_ = native.name2id(kind, name)
            if id_ < 0:
                known = (native.id2name(kind, i) for i in range(native.count(kind)))
                names = sorted(n for n in known if n)
                raise KeyError(f"Invalid name '{name}'. Valid names: {names}")
        else:
            id_, count = index(name), native.count(kind)
            if not 0 <= id_ < count:
                raise IndexError(f"Invalid index {id_}. Valid indices from 0 to {count - 1}")
        return view(self, model, id_, native.id2name(kind, id_) or "")

    access.__name__ = method
    access.__qualname__ = f"{what}.{method}"
    access.__doc__ = f"The {method} with this name or id."
    return access


def add_accessors(owner):
    """Give a class its named access; returns the classes of views by method name."""
    views = {}
    for title, methods, kind, fields in _MODEL if owner.__name__ == "MjModel" else _DATA:
        view = type(
            f"_{owner.__name__}{title}Views",
            (View,),
            {"__slots__": (), "_fields": fields, "__module__": owner.__module__},
        )
        for method in methods:
            setattr(owner, method, _accessor(method, kind, view, owner.__name__))
            views[method] = view
    return views
