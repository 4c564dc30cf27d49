"""Chooses the native module.

The engine may be there twice: ``_native`` runs everywhere, ``_v3/_native`` on processors with AVX2 and what came with it. Both are compiled
from the same source and give the same bits; the second one is faster. The choice is made once, when the package is imported; the
environment variable ``FERRODYN_ENGINE`` (``baseline`` or ``v3``) makes it instead.
"""

import importlib
import os
import sys
from pathlib import Path

# what x86-64-v3 is: names of the kernel
_V3 = {"avx", "avx2", "bmi1", "bmi2", "f16c", "fma", "abm", "movbe", "xsave"}


def _processor_has_v3():
    """Whether the processor has all instructions of the second engine; the kernel knows."""
    try:
        text = Path("/proc/cpuinfo").read_text()
    except OSError:
        return False
    flags = next((line for line in text.splitlines() if line.startswith("flags")), "")
    return _V3.issubset(flags.split())


def _choose():
    """The name of the engine."""
    wanted = os.environ.get("FERRODYN_ENGINE")
    if wanted not in (None, "", "baseline", "v3"):
        raise ImportError(f"FERRODYN_ENGINE is '{wanted}'; there are 'baseline' and 'v3'")
    if wanted:
        return wanted
    there = (Path(__file__).parent / "_v3").is_dir()
    return "v3" if there and _processor_has_v3() else "baseline"


ENGINE = _choose()
if ENGINE == "v3":
    _module = importlib.import_module("ferrodyn._v3._native")
    # as an import of `_native` leaves it
    sys.modules["ferrodyn._native"] = _module
    sys.modules[__package__]._native = _module
