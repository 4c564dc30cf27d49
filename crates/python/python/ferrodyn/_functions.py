"""MuJoCo's functions: those of the native half as they are, and a few written in Python."""

import os

import numpy as np

from . import _native
from ._enums import mjtObj
from ._model import MjModel

for _name in dir(_native):
    if _name.startswith(("mj_", "mju_")):
        globals()[_name] = getattr(_native, _name)

# names of the kinds of objects, as in MJCF
_TYPE_NAMES = {
    kind.value: name.removeprefix("mjOBJ_").lower()
    for name, kind in mjtObj.__members__.items()
    if name.startswith("mjOBJ_") and name not in ("mjOBJ_UNKNOWN", "mjOBJ_MODEL")
}


def mj_setConst(m, d):
    """Derive all dependent constants of the model again; leaves ``d`` at ``qpos_spring``."""
    _native.set_const(m, d)
    m.__dict__.update(m._native.sizes())


def mj_sizeModel(m):
    """Number of bytes that ``mj_saveModel`` writes."""
    return len(_model_bytes(m))


def mj_saveModel(m, filename=None, buffer=None):
    """Write a model in Ferrodyn's binary format to a file, or into an array of bytes."""
    data = _model_bytes(m)
    if buffer is not None:
        if not isinstance(buffer, np.ndarray) or buffer.dtype != np.uint8 or buffer.ndim != 1:
            raise TypeError("buffer should be a vector of uint8")
        if buffer.size < len(data):
            raise TypeError(f"buffer should have {len(data)} elements, not {buffer.size}")
        buffer[: len(data)] = np.frombuffer(data, np.uint8)
    elif filename is not None:
        with open(os.fsdecode(filename), "wb") as file:
            file.write(data)
    else:
        raise TypeError("a filename or a buffer is needed")


def _model_bytes(m):
    if not isinstance(m, MjModel):
        raise TypeError(f"expected an MjModel, not {type(m).__name__}")
    return m._native.to_bytes()


def mju_type2Str(type):
    """Name of a kind of object, None for an unknown one."""
    return _TYPE_NAMES.get(int(type))


def mju_str2Type(str):
    """The kind of object with a name, 0 for an unknown one."""
    return next((kind for kind, name in _TYPE_NAMES.items() if name == str), 0)


__all__ = sorted(name for name in globals() if name.startswith(("mj_", "mju_")))
