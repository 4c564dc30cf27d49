"""MuJoCo's enumerations, one class each."""

from enum import IntEnum

from . import _native

# the members that MuJoCo adds to count the others
_COUNTS = {
    "mjtCamOutBit": ("mjNCAMOUT", 5),
    "mjtConDataField": ("mjNCONDATA", 7),
    "mjtDisableBit": ("mjNDISABLE", 19),
    "mjtEnableBit": ("mjNENABLE", 6),
    "mjtGeom": ("mjNGEOMTYPES", 9),
    "mjtObj": ("mjNOBJECT", 26),
    "mjtRayDataField": ("mjNRAYDATA", 6),
    "mjtState": ("mjNSTATE", 14),
    "mjtTextureRole": ("mjNTEXROLE", 10),
    "mjtWarning": ("mjNWARNING", 8),
}


class _MjEnum(IntEnum):
    """An integer that prints as ``mjtObj.mjOBJ_BODY``."""

    def __str__(self):
        return f"{type(self).__name__}.{self.name}"

    def __format__(self, spec):
        return format(int(self), spec) if spec else str(self)


# enumerations of the model language that models do not hold
_LANGUAGE = {
    "mjtGeomInertia": "INERTIA VOLUME SHELL",
    "mjtMeshInertia": "MESH_INERTIA CONVEX EXACT LEGACY SHELL",
    "mjtMeshBuiltin": "MESH_BUILTIN NONE SPHERE HEMISPHERE CONE SUPERSPHERE SUPERTORUS WEDGE PLATE",
    "mjtBuiltin": "BUILTIN NONE GRADIENT CHECKER FLAT",
    "mjtMark": "MARK NONE EDGE CROSS RANDOM",
    "mjtLimited": "LIMITED FALSE TRUE AUTO",
    "mjtAlignFree": "ALIGNFREE FALSE TRUE AUTO",
    "mjtInertiaFromGeom": "INERTIAFROMGEOM FALSE TRUE AUTO",
    "mjtOrientation": "ORIENTATION QUAT AXISANGLE XYAXES ZAXIS EULER",
    "mjtLRMode": "LRMODE NONE MUSCLE MUSCLEUSER ALL",
    "mjtConDataField": "CONDATA FOUND FORCE TORQUE DIST POS NORMAL TANGENT",
    "mjtRayDataField": "RAYDATA DIST DIR ORIGIN POINT NORMAL DEPTH",
}


def _language_members(text):
    prefix, *names = text.split()
    return {f"mj{prefix}_{name}": i for i, name in enumerate(names)}


__all__ = []
_ALL = _native.enums() | {name: _language_members(text) for name, text in _LANGUAGE.items()}
for _name, _members in _ALL.items():
    if _name in _COUNTS:
        _count, _value = _COUNTS[_name]
        _members[_count] = _value
    globals()[_name] = _MjEnum(_name, _members, module="ferrodyn")
    __all__.append(_name)
