"""Time and memory of loading models beside MuJoCo, in one process and one thread.

Run with ``cargo xtask bench-load FOLDER [--every N] [--memory]``; FOLDER is a checkout of the Menagerie or any folder with
models. Both engines load the same file in turns, on one core; the file cache is warm. MuJoCo keeps processed
meshes of earlier loads in a cache of its own: times are given with that cache off (every load does all the work) and on.
The ratio is Ferrodyn's time divided by MuJoCo's: below 1, Ferrodyn is faster.
"""

import argparse
import math
import os
import pathlib
import subprocess
import sys
import time
import warnings

PEAK = """
import importlib, re, sys, warnings
warnings.simplefilter("ignore")
def peak():
    return int(re.search(r"VmHWM:\\s+(\\d+)", open("/proc/self/status").read())[1])
engine = importlib.import_module(sys.argv[1])
before = peak()
model = engine.MjModel.from_xml_path(sys.argv[2])
print(peak() - before)
"""


def load_time(engine, path):
    """Seconds that one load takes."""
    start = time.perf_counter()
    engine.MjModel.from_xml_path(path)
    return time.perf_counter() - start


def loads(engine, path):
    """Does an engine accept a model?"""
    try:
        engine.MjModel.from_xml_path(path)
    except Exception:  # whatever the reason, there is nothing to time
        return False
    return True


def geometric_mean(values):
    """The geometric mean of positive numbers."""
    return math.exp(sum(map(math.log, values)) / len(values))


def peak(module, path):
    """Kilobytes by which loading a model raises the peak of a fresh process."""
    command = [sys.executable, "-c", PEAK, module, path]
    return int(subprocess.run(command, capture_output=True, text=True, check=True).stdout)


def main():
    """Prints one line per model and the means."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--every", type=int, default=1, help="take every Nth model")
    parser.add_argument("--rounds", type=int, default=2, help="loads per engine; the fastest counts")
    parser.add_argument("--memory", action="store_true", help="also the peak memory of the ten slowest models")
    args = parser.parse_args()
    warnings.simplefilter("ignore")
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    import ferrodyn
    import mujoco

    cache = mujoco.mj_getCache()
    capacity = mujoco.mj_getCacheCapacity(cache)
    rows = []
    for path in sorted(args.folder.glob("*/*.xml"))[:: args.every]:
        name = str(path)
        mujoco.mj_setCacheCapacity(cache, 0)
        if not loads(mujoco, name) or not loads(ferrodyn, name):
            continue
        ours = oracle = cached = math.inf
        for _ in range(args.rounds):
            oracle = min(oracle, load_time(mujoco, name))
            ours = min(ours, load_time(ferrodyn, name))
        mujoco.mj_setCacheCapacity(cache, capacity)
        load_time(mujoco, name)
        for _ in range(args.rounds):
            cached = min(cached, load_time(mujoco, name))
        rows.append((ours, oracle, cached, name))
        label = f"{path.parent.name}/{path.name}"
        print(f"{ours / oracle:6.2f} {ours / cached:6.2f}  {ours:7.3f} s {oracle:7.3f} s {cached:7.3f} s  {label}", flush=True)
    print(f"{len(rows)} models; geometric mean of the ratios: {geometric_mean([r[0] / r[1] for r in rows]):.3f}, "
          f"with MuJoCo's cache {geometric_mean([r[0] / r[2] for r in rows]):.3f}; "
          f"total {sum(r[0] for r in rows):.1f} s against {sum(r[1] for r in rows):.1f} s")
    if args.memory:
        for _, _, _, name in sorted(rows, key=lambda r: -r[1])[:10]:
            ours, oracle = peak("ferrodyn", name), peak("mujoco", name)
            print(f"{ours / max(oracle, 1):6.2f}  {ours / 1024:8.1f} MB {oracle / 1024:8.1f} MB  {name}", flush=True)


if __name__ == "__main__":
    main()
