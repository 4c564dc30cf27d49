"""MuJoCo's enumerations, one class each."""

from enum import IntEnum

from . import _native

__all__ = []
for _name, _members in _native.enums().items():
    globals()[_name] = IntEnum(_name, _members, module=__name__)
    __all__.append(_name)
