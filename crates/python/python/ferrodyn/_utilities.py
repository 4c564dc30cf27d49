"""Functions that print, write logs, draw random numbers, and deal with libraries of plugins."""

import os
import random
import time

import numpy as np

from ._native import FatalError

_LOG = "MUJOCO_LOG.TXT"
# begins alike in every process, as MuJoCo's does
_RANDOM = random.Random(0)
# endings of the names of libraries, and those of MuJoCo, whose plugins are part of the engine
_LIBRARIES = (".so", ".dylib", ".dll")
_BUILT_IN = {"actuator", "elasticity", "sdf_plugin", "sensor"}


def _array(value, name, dtype, dimensions):
    try:
        array = np.asarray(value).astype(dtype)
    except (TypeError, ValueError) as error:
        raise TypeError(f"{name} should be an array of numbers") from error
    if array.ndim == 1:
        array = array[:, None]
    if array.ndim != 2 or (dimensions == 1 and array.shape[1] != 1):
        raise TypeError(f"{name} should be a {('vector', 'matrix')[dimensions - 1]}")
    return array


def mju_printMat(mat):
    """Print a matrix."""
    for row in _array(mat, "mat", np.float64, 2):
        print("".join(f"{value:.8f} " for value in row))
    print()


def mju_printMatSparse(mat, rownnz, rowadr, colind):
    """Print the elements of a sparse matrix, each with its row and column."""
    values = _array(mat, "mat", np.float64, 1)[:, 0]
    counts = _array(rownnz, "rownnz", np.int32, 1)[:, 0]
    starts = _array(rowadr, "rowadr", np.int32, 1)[:, 0]
    columns = _array(colind, "colind", np.int32, 1)[:, 0]
    if counts.size != starts.size:
        raise TypeError("size of rownnz should equal size of rowadr")
    size = int(starts[-1]) + int(counts[-1]) if starts.size else 0
    if values.size != size or columns.size != size:
        raise TypeError("size of mat and colind should equal rownnz[-1] + rowadr[-1]")
    if starts.min(initial=0) < 0 or (starts + counts).max(initial=0) > size:
        raise TypeError("a row lies outside of mat")
    for row, (start, count) in enumerate(zip(starts, counts)):
        cells = range(start, start + count)
        print("".join(f"({row} {columns[i]}): {values[i]:9.6f}  " for i in cells))
    print()


def mju_standardNormal(num2):
    """A random number with the standard normal distribution.

    MuJoCo draws from the ``rand`` of C, Ferrodyn from a generator of its own: the distribution is
    the same, the numbers are others. ``num2`` has no effect, in MuJoCo's package neither.
    """
    if isinstance(num2, str) or not (num2 is None or hasattr(num2, "__float__")):
        raise TypeError(f"expected a number, not {type(num2).__name__}")
    return _RANDOM.gauss(0.0, 1.0)


def mju_writeLog(type, msg):
    """Append a message with the time to ``MUJOCO_LOG.TXT``, if that can be written."""
    for text in (type, msg):
        if not isinstance(text, str):
            raise TypeError(f"expected a str, not {text.__class__.__name__}")
    try:
        with open(_LOG, "a", encoding="utf-8") as file:
            file.write(f"{time.asctime()}\n{type}: {msg}\n\n")
    except OSError:
        # a program goes on without its log, as with MuJoCo
        pass


def mj_loadPluginLibrary(path):
    """Nothing for a library of MuJoCo, whose plugins are built in; an error for any other.

    Plugins of third parties are programs for MuJoCo's memory layout, which Ferrodyn does not have.
    """
    if not isinstance(path, str):
        raise TypeError(f"expected a str, not {type(path).__name__}")
    if not os.path.isfile(path):
        raise FatalError(f"there is no library of plugins '{path}'")
    name = os.path.basename(path).removeprefix("lib").partition(".")[0]
    if name not in _BUILT_IN:
        raise FatalError(
            f"cannot load '{path}': MuJoCo's own plugins are built in, others are not supported"
        )


def mj_loadAllPluginLibraries(directory):
    """Call ``mj_loadPluginLibrary`` for all libraries in a folder, if it exists."""
    if not isinstance(directory, str):
        raise TypeError(f"expected a str, not {type(directory).__name__}")
    if os.path.isdir(directory):
        for name in sorted(os.listdir(directory)):
            path = os.path.join(directory, name)
            if name.endswith(_LIBRARIES) and os.path.isfile(path):
                mj_loadPluginLibrary(path)
