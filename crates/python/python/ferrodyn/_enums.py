"""MuJoCo's enumerations, one class each."""

from enum import IntEnum

from . import _native

# the members that MuJoCo adds to count the others
_COUNTS = {
    "mjtCamOutBit": ("mjNCAMOUT", 5),
    "mjtDisableBit": ("mjNDISABLE", 19),
    "mjtEnableBit": ("mjNENABLE", 6),
    "mjtGeom": ("mjNGEOMTYPES", 9),
    "mjtObj": ("mjNOBJECT", 26),
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


__all__ = []
for _name, _members in _native.enums().items():
    if _name in _COUNTS:
        _count, _value = _COUNTS[_name]
        _members[_count] = _value
    globals()[_name] = _MjEnum(_name, _members, module="ferrodyn")
    __all__.append(_name)
