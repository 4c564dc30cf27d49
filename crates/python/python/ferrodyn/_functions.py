"""MuJoCo's functions: those of the native half as they are, and a few written in Python."""

import os

import numpy as np

from . import _native
from ._data import MjData
from ._enums import mjtObj
from ._lists import MjContact
from ._model import MjModel
from ._print import print_data, print_model
from ._settings import MjLROpt, MjOption, MjVisual
from ._spec import MjSpec
from ._utilities import (  # noqa: F401
    mj_loadAllPluginLibraries,
    mj_loadPluginLibrary,
    mju_printMat,
    mju_printMatSparse,
    mju_standardNormal,
    mju_writeLog,
)

# the last two are an extension
PREFIXES = ("mj_", "mju_", "mjd_", "set_mj", "get_mj", "set_gain_model", "get_gain_model")

for _name in dir(_native):
    if _name.startswith(PREFIXES):
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


def mj_saveLastXML(filename, m):
    """Write the model that was loaded last as MJCF, with the parameters of ``m``."""
    text = _native.last_xml(m)
    try:
        with open(filename, "w", encoding="utf-8", newline="\n") as file:
            file.write(text)
    except OSError as error:
        raise _native.FatalError(f"{filename}: {error.strerror}") from error


def mj_addContact(m, d, con):
    """Add a contact to those that were detected; returns 0."""
    if not isinstance(con, MjContact):
        raise TypeError(f"expected an MjContact, not {type(con).__name__}")
    _native.add_contact(m, d, con._element.tobytes())
    return 0


def mj_setLengthRange(m, d, index, opt):
    """Find the length range of an actuator by simulation."""
    if not isinstance(opt, MjLROpt):
        raise TypeError(f"expected an MjLROpt, not {type(opt).__name__}")
    flags, values = opt._values()
    _native.set_length_range(m, d, index, flags, values)


def mj_defaultLROpt(opt):
    """Set options for length ranges to their defaults."""
    _check(opt, MjLROpt)
    for name, value in MjLROpt.DEFAULTS.items():
        setattr(opt, name, value)


def mj_defaultOption(opt):
    """Set options of the physics to their defaults."""
    _check(opt, MjOption)
    _assign(opt, MjModel.from_xml_string("<mujoco/>").opt)


def mj_defaultVisual(vis):
    """Set visual settings to their defaults."""
    _check(vis, MjVisual)
    defaults = MjModel.from_xml_string("<mujoco/>").vis
    for group in MjVisual.GROUPS:
        _assign(getattr(vis, group), getattr(defaults, group))


def mj_defaultSolRefImp(solref, solimp):
    """Nothing: the numbers are passed by value, in MuJoCo's package too."""
    float(solref), float(solimp)


def _assign(settings, others):
    for name, view in settings._views.items():
        view[:] = others._views[name]


def mj_printFormattedModel(m, filename, float_format):
    """Write all sizes, settings and arrays of a model to a text file."""
    _check(m, MjModel)
    print_model(m, filename, float_format)


def mj_printModel(m, filename):
    """Write all sizes, settings and arrays of a model to a text file."""
    mj_printFormattedModel(m, filename, "%.2g")


def mj_printFormattedData(m, d, filename, float_format):
    """Write the state and all results of a world to a text file."""
    _check(m, MjModel)
    _check(d, MjData)
    print_data(m, d, filename, float_format)


def mj_printData(m, d, filename):
    """Write the state and all results of a world to a text file."""
    mj_printFormattedData(m, d, filename, "%.2g")


def _check(value, kind):
    if not isinstance(value, kind):
        raise TypeError(f"expected an {kind.__name__}, not {type(value).__name__}")


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


def from_zip(file):
    """Read a specification and its files from a zip archive: a path or an open file."""
    return MjSpec.from_zip(file)


def to_zip(spec, file):
    """Write a specification and its files in memory to a zip archive, or an open file."""
    _check(spec, MjSpec)
    spec.to_zip(file)


__all__ = sorted(name for name in globals() if name.startswith(PREFIXES)) + ["from_zip", "to_zip"]
