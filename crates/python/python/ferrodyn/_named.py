"""Access to the rows of one object by its name or id: ``model.geom("torso").size``."""

from typing import NamedTuple

from ._enums import mjtObj, mjtJoint


class Accessor(NamedTuple):
    """What a kind of object is called, and which arrays describe it."""

    kind: int
    prefixes: tuple = ()
    fields: tuple = ()
    qpos_fields: tuple = ()
    dof_fields: tuple = ()
    key_fields: tuple = ()


_JOINT_NQ = {mjtJoint.mjJNT_FREE: 7, mjtJoint.mjJNT_BALL: 4}
_JOINT_NV = {mjtJoint.mjJNT_FREE: 6, mjtJoint.mjJNT_BALL: 3}

_DOF = "bodyid jntid parentid treeid Madr simplenum solref solimp frictionloss armature damping invweight0 M0".split()

_MODEL = {
    ("body",): Accessor(mjtObj.mjOBJ_BODY, ("body_",)),
    ("joint", "jnt"): Accessor(
        mjtObj.mjOBJ_JOINT, ("jnt_",), qpos_fields=("qpos0", "qpos_spring"), dof_fields=tuple(_DOF)
    ),
    ("geom",): Accessor(mjtObj.mjOBJ_GEOM, ("geom_",)),
    ("site",): Accessor(mjtObj.mjOBJ_SITE, ("site_",)),
    ("camera", "cam"): Accessor(mjtObj.mjOBJ_CAMERA, ("cam_",)),
    ("light",): Accessor(mjtObj.mjOBJ_LIGHT, ("light_",)),
    ("mesh",): Accessor(mjtObj.mjOBJ_MESH, ("mesh_",)),
    ("hfield",): Accessor(mjtObj.mjOBJ_HFIELD, ("hfield_",)),
    ("texture", "tex"): Accessor(mjtObj.mjOBJ_TEXTURE, ("tex_",)),
    ("material", "mat"): Accessor(mjtObj.mjOBJ_MATERIAL, ("mat_",)),
    ("pair",): Accessor(mjtObj.mjOBJ_PAIR, ("pair_",)),
    ("exclude",): Accessor(mjtObj.mjOBJ_EXCLUDE, ("exclude_",)),
    ("equality", "eq"): Accessor(mjtObj.mjOBJ_EQUALITY, ("eq_",)),
    ("tendon", "ten"): Accessor(mjtObj.mjOBJ_TENDON, ("tendon_",)),
    ("actuator",): Accessor(mjtObj.mjOBJ_ACTUATOR, ("actuator_",)),
    ("sensor",): Accessor(mjtObj.mjOBJ_SENSOR, ("sensor_",)),
    ("numeric",): Accessor(mjtObj.mjOBJ_NUMERIC, ("numeric_",)),
    ("text",): Accessor(mjtObj.mjOBJ_TEXT, ("text_",)),
    ("tuple",): Accessor(mjtObj.mjOBJ_TUPLE, ("tuple_",)),
    ("keyframe", "key"): Accessor(mjtObj.mjOBJ_KEY, ("key_",)),
}

_DATA = {
    ("body",): Accessor(
        mjtObj.mjOBJ_BODY,
        fields=tuple(
            "xfrc_applied xpos xquat xmat xipos ximat subtree_com cinert crb cvel subtree_linvel "
            "subtree_angmom cacc cfrc_int cfrc_ext".split()
        ),
    ),
    ("joint", "jnt"): Accessor(
        mjtObj.mjOBJ_JOINT,
        fields=("xanchor", "xaxis"),
        qpos_fields=("qpos",),
        dof_fields=tuple(
            "qvel qacc qacc_warmstart qfrc_applied cdof cdof_dot qfrc_bias qfrc_spring qfrc_damper "
            "qfrc_gravcomp qfrc_fluid qfrc_passive qfrc_actuator qfrc_smooth qacc_smooth "
            "qfrc_constraint qfrc_inverse qLDiagInv".split()
        ),
    ),
    ("geom",): Accessor(mjtObj.mjOBJ_GEOM, ("geom_",)),
    ("site",): Accessor(mjtObj.mjOBJ_SITE, ("site_",)),
    ("camera", "cam"): Accessor(mjtObj.mjOBJ_CAMERA, ("cam_",)),
    ("light",): Accessor(mjtObj.mjOBJ_LIGHT, ("light_",)),
    ("tendon", "ten"): Accessor(mjtObj.mjOBJ_TENDON, ("ten_",)),
    ("actuator",): Accessor(mjtObj.mjOBJ_ACTUATOR, ("actuator_",), fields=("ctrl",)),
    ("sensor",): Accessor(mjtObj.mjOBJ_SENSOR),
}

MODEL_ACCESSORS = {name: accessor for names, accessor in _MODEL.items() for name in names}
DATA_ACCESSORS = {name: accessor for names, accessor in _DATA.items() for name in names}


class View:
    """The rows that belong to one object; attributes are numpy views."""

    __slots__ = ("_owner", "_model", "_accessor", "id", "name")

    def __init__(self, owner, model, accessor, id_):
        set_ = object.__setattr__
        set_(self, "_owner", owner)
        set_(self, "_model", model)
        set_(self, "_accessor", accessor)
        set_(self, "id", id_)
        set_(self, "name", model._native.id2name(accessor.kind, id_) or "")

    def __getattr__(self, name):
        owner, model, accessor, i = self._owner, self._model, self._accessor, self.id
        if accessor.kind == mjtObj.mjOBJ_JOINT:
            kind = model.jnt_type[i]
            if name in accessor.qpos_fields:
                adr = model.jnt_qposadr[i]
                return getattr(owner, name)[adr : adr + _JOINT_NQ.get(kind, 1)]
            if name in accessor.dof_fields:
                adr = model.jnt_dofadr[i]
                array = getattr(owner, name if owner is not model else f"dof_{name}")
                return array[adr : adr + _JOINT_NV.get(kind, 1)]
        if accessor.kind == mjtObj.mjOBJ_SENSOR and owner is not model and name == "data":
            adr = model.sensor_adr[i]
            return owner.sensordata[adr : adr + model.sensor_dim[i]]
        if accessor.kind == mjtObj.mjOBJ_NUMERIC and name == "data":
            adr = model.numeric_adr[i]
            return owner.numeric_data[adr : adr + model.numeric_size[i]]
        candidates = [f"{prefix}{name}" for prefix in accessor.prefixes]
        if name in accessor.fields:
            candidates.append(name)
        for candidate in candidates:
            array = getattr(owner, candidate, None)
            if array is not None and not isinstance(array, bytes):
                return array[i] if array.ndim > 1 else array[i : i + 1]
        raise AttributeError(f"'{self.name or self.id}' has no attribute '{name}'")

    def __setattr__(self, name, value):
        getattr(self, name)[:] = value

    def __repr__(self):
        return f"<{mjtObj(self._accessor.kind).name} {self.id} '{self.name}'>"


def named_accessor(method, accessor, owner_kind):
    """The method that finds an object by name or id."""

    def access(self, name):
        model = self if owner_kind == "model" else self.model
        count = model._native.count(accessor.kind)
        if isinstance(name, str):
            id_ = model._native.name2id(accessor.kind, name)
            if id_ < 0:
                known = [model._native.id2name(accessor.kind, i) for i in range(count)]
                raise KeyError(
                    f"Invalid name '{name}'. Valid names: {sorted(n for n in known if n)}"
                )
        else:
            id_ = int(name)
            if not 0 <= id_ < count:
                raise IndexError(f"Invalid index {id_}. Valid indices from 0 to {count - 1}")
        return View(self, model, accessor, id_)

    access.__name__ = method
    access.__doc__ = f"The {method} with this name or id."
    return access
