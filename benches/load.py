"""Time and memory of loading models beside MuJoCo, on one core.

Run with ``cargo xtask bench-load FOLDER [--every N] [--memory]``; FOLDER is a checkout of the Menagerie or any folder with
models. Both engines keep compiled assets of earlier loads. Cold is the first load of a process, with MuJoCo's cache off;
warm is a load after another one of the same model, with both caches on. The operating system has the files in memory
either way. Times are those of the processor, all threads together: what else the machine does is not in them. Data is the time that a new ``MjData`` takes, the fastest of twenty. Ratios are Ferrodyn's time divided by
MuJoCo's: below 1, Ferrodyn is faster. ``--document`` writes the table into ``docs/performance.md``.
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

import document

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
    start = time.process_time()
    engine.MjModel.from_xml_path(path)
    return time.process_time() - start


def data_time(engine, path):
    """Seconds that a new world takes."""
    model = engine.MjModel.from_xml_path(path)

    def once():
        start = time.process_time()
        data = engine.MjData(model)
        elapsed = time.process_time() - start
        del data
        return elapsed

    return min(once() for _ in range(20))


def times(engine, path):
    """Seconds of a cold load, of the fastest of three warm ones and of a new world, in this process."""
    cache = engine.mj_getCache() if engine.__name__ == "mujoco" else None
    if cache is not None:
        capacity = engine.mj_getCacheCapacity(cache)
        engine.mj_setCacheCapacity(cache, 0)
    cold = load_time(engine, path)
    if cache is not None:
        engine.mj_setCacheCapacity(cache, capacity)
        load_time(engine, path)
    return cold, min(load_time(engine, path) for _ in range(3)), data_time(engine, path)


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


def columns(ours, oracle):
    """Ratios and times of one model, as cells of the table."""
    ratios = [f"{a / b:.2f}" for a, b in zip(ours, oracle)]
    pairs = [f"{1e3 * a:.1f} / {1e3 * b:.1f}" for a, b in zip(ours[:2], oracle[:2])]
    return [*ratios, *pairs, f"{1e6 * ours[2]:.0f} / {1e6 * oracle[2]:.0f}"]


def summary(rows):
    """Means of the ratios, how many are above 1, and sums of the times."""
    lines = []
    for i, which in enumerate(["cold", "warm", "data"]):
        ratios = [ours[i] / oracle[i] for ours, oracle, _ in rows]
        totals = sum(row[0][i] for row in rows), sum(row[1][i] for row in rows)
        above = sum(ratio > 1 for ratio in ratios)
        lines.append([which, f"{geometric_mean(ratios):.2f}", f"{max(ratios):.2f}", above, f"{1e3 * totals[0]:,.1f} ms against {1e3 * totals[1]:,.1f} ms"])
    return document.table([f"{len(rows)} models", "geometric mean of the ratios", "largest", "above 1", "total"], lines)


def arguments():
    """The command line."""
    parser = argparse.ArgumentParser(prog="cargo xtask bench-load", description=__doc__)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--every", type=int, default=1, help="take every Nth model")
    parser.add_argument("--rounds", type=int, default=2, help="processes per engine; the fastest counts")
    parser.add_argument("--memory", action="store_true", help="also the peak memory of the ten slowest models")
    parser.add_argument("--document", action="store_true", help="write the table into docs/performance.md")
    return parser.parse_args()


def measure(engines, path, rounds):
    """The fastest times of Ferrodyn and of the oracle; none where one of them does not load the model."""
    turns = [[] for _ in engines]
    for _ in range(rounds):
        for engine, own in zip(engines, turns):
            own.append(in_child(times, engine, str(path)))
    if any(None in own for own in turns):
        return None
    return [tuple(map(min, zip(*own))) for own in turns]


def main():
    """Prints one line per model and the means."""
    args = arguments()
    warnings.simplefilter("ignore")
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    import ferrodyn
    import mujoco

    rows, cells = [], []
    head = ["model", "cold", "warm", "data", "cold, ms", "warm, ms", "data, us"]
    print(document.table(head, []), flush=True)
    for path in sorted(args.folder.glob("*/*.xml"))[:: args.every]:
        measured = measure((ferrodyn, mujoco), path, args.rounds)
        if measured is None:
            continue
        rows.append((*measured, str(path)))
        cells.append([f"{path.parent.name}/{path.name}", *columns(*measured)])
        print(document.line(cells[-1]), flush=True)
    if not rows:
        raise SystemExit("no model that both engines load")
    print("\n" + summary(rows))
    if args.memory:
        for _, _, name in sorted(rows, key=lambda row: -row[1][0])[:10]:
            ours, oracle = peak("ferrodyn", name), peak("mujoco", name)
            label = pathlib.Path(name).relative_to(args.folder)
            print(f"{ours / max(oracle, 1):6.2f}  {ours / 1024:8.1f} MB {oracle / 1024:8.1f} MB  {label}", flush=True)
    if args.document:
        command = f"cargo xtask bench-load <Menagerie> --every {args.every} --rounds {args.rounds} --document"
        text = [document.circumstances(command), summary(rows), document.table(head, cells)]
        document.write("load", "\n\n".join(text))


if __name__ == "__main__":
    main()
