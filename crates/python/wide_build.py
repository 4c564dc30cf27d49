"""Builds the wheel: maturin's backend, with the engine once more for newer processors.

Python build tools call the functions of this module (PEP 517); ``python wide_build.py`` makes the second engine alone, which a
build by maturin itself then takes along. It is there on x86-64 with Linux: ``ferrodyn/_engine.py`` chooses between both.
"""

import os
import platform
import shutil
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
FOLDER = HERE / "python/ferrodyn/_v3"
# AVX2, BMI and their like; every processor of the last ten years has them. More (v4) made no step faster
TARGET = "x86-64-v3"


def has_second_engine():
    """Whether there are processors here for which a second engine is worth it."""
    return sys.platform == "linux" and platform.machine() == "x86_64"


def remove_second_engine():
    """Leave one engine in the package."""
    shutil.rmtree(FOLDER, ignore_errors=True)


def build_second_engine():
    """Compile the native module for newer processors, and put it where the package has it."""
    remove_second_engine()
    if not has_second_engine():
        return
    target = HERE.parent.parent / "target/v3"
    flags = f"{os.environ.get('RUSTFLAGS', '')} -C target-cpu={TARGET}".strip()
    command = ["cargo", "build", "--release", "--quiet", "--lib", "--manifest-path", str(HERE / "Cargo.toml")]
    subprocess.run([*command, "--target-dir", str(target)], check=True, env={**os.environ, "RUSTFLAGS": flags})
    FOLDER.mkdir()
    library = shutil.copy(target / "release/lib_native.so", FOLDER / "_native.abi3.so")
    subprocess.run(["strip", library], check=False)


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    """A wheel with both engines."""
    import maturin

    build_second_engine()
    return maturin.build_wheel(wheel_directory, config_settings, metadata_directory)


def __getattr__(name):
    """Everything else is maturin's."""
    import maturin

    return getattr(maturin, name)


if __name__ == "__main__":
    build_second_engine()
