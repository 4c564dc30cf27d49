"""Time and memory of loading models beside MuJoCo, on one core.

Run with ``cargo xtask bench-load FOLDER [--every N] [--memory]``; FOLDER is a checkout of the Menagerie or any folder with
models. Both engines keep compiled assets of earlier loads. Cold is the first load of a process, with MuJoCo's cache off;
warm is a load after another one of the same model, with both caches on. The operating system has the files in memory
either way. Ratios are Ferrodyn's time divided by MuJoCo's: below 1, Ferrodyn is faster.
"""

import argparse
import json
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


def cold_and_warm(engine, path):
    """Seconds of a cold load and of the faster of two warm ones, in this process."""
    cache = engine.mj_getCache() if engine.__name__ == "mujoco" else None
    if cache is not None:
        capacity = engine.mj_getCacheCapacity(cache)
        engine.mj_setCacheCapacity(cache, 0)
    cold = load_time(engine, path)
    if cache is not None:
        engine.mj_setCacheCapacity(cache, capacity)
        load_time(engine, path)
    return cold, min(load_time(engine, path) for _ in range(2))


def in_child(measure, *args):
    """What a function returns in a child process, where nothing was loaded before; none if it fails."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            os.write(writing, json.dumps(measure(*args)).encode())
        except Exception:  # whatever the reason, there is nothing to time
            pass
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading) as pipe:
        text = pipe.read()
    os.waitpid(child, 0)
    return json.loads(text) if text else None


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
    parser.add_argument("--rounds", type=int, default=2, help="processes per engine; the fastest counts")
    parser.add_argument("--memory", action="store_true", help="also the peak memory of the ten slowest models")
    args = parser.parse_args()
    warnings.simplefilter("ignore")
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    import ferrodyn
    import mujoco

    rows = []
    print("  cold   warm   (ferrodyn, mujoco cold; ferrodyn, mujoco warm)")
    for path in sorted(args.folder.glob("*/*.xml"))[:: args.every]:
        name = str(path)
        turns = {engine: [] for engine in (mujoco, ferrodyn)}
        for _ in range(args.rounds):
            for engine, times in turns.items():
                times.append(in_child(cold_and_warm, engine, name))
        if any(None in times for times in turns.values()):
            continue
        ours, oracle = (tuple(map(min, zip(*turns[engine]))) for engine in (ferrodyn, mujoco))
        rows.append((ours, oracle, name))
        print(
            f"{ours[0] / oracle[0]:6.2f} {ours[1] / oracle[1]:6.2f}  {ours[0]:7.3f} s {oracle[0]:7.3f} s"
            f" {ours[1]:7.3f} s {oracle[1]:7.3f} s  {path.parent.name}/{path.name}",
            flush=True,
        )
    if not rows:
        raise SystemExit("no model that both engines load")
    for i, which in enumerate(["cold", "warm"]):
        mean = geometric_mean([ours[i] / oracle[i] for ours, oracle, _ in rows])
        slower = sum(ours[i] > oracle[i] for ours, oracle, _ in rows)
        totals = sum(row[0][i] for row in rows), sum(row[1][i] for row in rows)
        print(
            f"{which}: {len(rows)} models, geometric mean of the ratios {mean:.3f}, {slower} of them above 1;"
            f" total {totals[0]:.1f} s against {totals[1]:.1f} s"
        )
    if args.memory:
        for _, _, name in sorted(rows, key=lambda row: -row[1][0])[:10]:
            ours, oracle = peak("ferrodyn", name), peak("mujoco", name)
            label = pathlib.Path(name).relative_to(args.folder)
            print(f"{ours / max(oracle, 1):6.2f}  {ours / 1024:8.1f} MB {oracle / 1024:8.1f} MB  {label}", flush=True)


if __name__ == "__main__":
    main()
