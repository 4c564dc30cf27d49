"""Speed beside MuJoCo: every engine in a process of its own, taking turns, native loops.

Run with ``cargo xtask bench``. Protocol for each model: the first keyframe or the reference pose, fixed
random controls of a tenth of their range, 300 steps; then turns of about 0.15 s, in alternation, each from
that same state of its engine. The figure of an engine is its fastest turn, the ratio MuJoCo's time divided
by Ferrodyn's (above 1: Ferrodyn is faster), and the spread the smallest and largest ratio of single rounds.
"""

import argparse
import json
import math
import os
import pathlib
import statistics
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
SETTLE = 300
TURN = 0.15

WORKER = """
import importlib, sys, time, warnings
import numpy
warnings.simplefilter("ignore")
engine = importlib.import_module(sys.argv[1])
print(getattr(engine, "__version__", ""), flush=True)
state = int(engine.mjtState.mjSTATE_INTEGRATION)
for line in sys.stdin:
    command, argument = line.rstrip("\\n").split(" ", 1)
    if command == "load":
        try:
            model = engine.MjModel.from_xml_path(argument)
        except Exception as error:
            print("refused", flush=True)
            continue
        data = engine.MjData(model)
        if model.nkey:
            engine.mj_resetDataKeyframe(model, data, 0)
        low, high = model.actuator_ctrlrange.T
        half = numpy.where(model.actuator_ctrllimited, 0.5 * (high - low), 1.0)
        data.ctrl[:] += 0.1 * half * numpy.random.default_rng(0).uniform(-1, 1, model.nu)
        engine.mj_step(model, data, SETTLE)
        settled = numpy.empty(engine.mj_stateSize(model, state))
        engine.mj_getState(model, data, settled, state)
        print(model.nv, data.ncon, data.nefc, flush=True)
    else:
        engine.mj_setState(model, data, settled, state)
        # one step fills what the state does not hold
        engine.mj_step(model, data, 1)
        start = time.perf_counter()
        engine.mj_step(model, data, int(argument))
        elapsed = time.perf_counter() - start
        print(elapsed, int((abs(data.qpos) < 1e10).all()), flush=True)
""".replace("SETTLE", str(SETTLE))


class Engine:
    """A worker process with one engine."""

    def __init__(self, python, module):
        command = [python, "-c", WORKER, module]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.label = f"{module} {self.process.stdout.readline().strip()}"

    def ask(self, command):
        """The words that the worker answers."""
        self.process.stdin.write(command + "\n")
        self.process.stdin.flush()
        return self.process.stdout.readline().split()

    def time(self, steps):
        """Seconds for a number of steps from the settled state."""
        elapsed, finite = self.ask(f"time {steps}")
        if finite != "1":
            raise SystemExit(f"{self.label} diverged")
        return float(elapsed)


def find(source, path):
    """Where a model of ``models.json`` lies; None where its package or checkout is missing."""
    if source == "benches":
        return ROOT / "benches/models" / path
    checkouts = {"mujoco": "FERRODYN_MUJOCO", "menagerie": "FERRODYN_MENAGERIE"}
    if source in checkouts:
        folder = os.environ.get(checkouts[source])
        return pathlib.Path(folder, path) if folder else None
    found = [folder for folder in (ROOT / ".corpus").glob(f"{source}-[0-9]*") if (folder / path).exists()]
    return found[0] / path if found else None


def compare(engines, path, rounds):
    """Microseconds a step, turn by turn, of every engine that loads a model; None for one that refuses it."""
    sizes = [engine.ask(f"load {path}") for engine in engines]
    loaded = [words[0] != "refused" for words in sizes]
    if not loaded[0]:
        raise SystemExit(f"{engines[0].label} does not load {path}")
    steps = max(10, int(TURN / (engines[0].time(10) / 10)))
    turns = [[] if there else None for there in loaded]
    for _ in range(rounds):
        for engine, times in zip(engines, turns):
            if times is not None:
                times.append(engine.time(steps) / steps * 1e6)
    return sizes[0], turns


def ratio_of(turns, other):
    """Ratio of the fastest turns, and the smallest and largest ratio of turns of one round."""
    single = [b / a for a, b in zip(turns, other)]
    return min(other) / min(turns), min(single), max(single)


def main():
    """Print a table, and write it where it is asked for."""
    parser = argparse.ArgumentParser(prog="cargo xtask bench", description=__doc__)
    parser.add_argument("names", nargs="*", help="models by name or path (default: all of benches/models.json)")
    parser.add_argument("--rounds", type=int, default=7, help="turns of each engine")
    parser.add_argument("--json", type=pathlib.Path, help="also write the figures to this file")
    args = parser.parse_args()
    table = json.loads((ROOT / "benches/models.json").read_text())
    paths = {name: find(*table[name]) if name in table else pathlib.Path(name) for name in args.names or table}

    engines = [Engine(sys.executable, "ferrodyn"), Engine(sys.executable, "mujoco")]
    newest = ROOT / ".venv-newest/bin/python"
    if newest.exists():
        engines.append(Engine(str(newest), "mujoco"))
    else:
        print("the newest MuJoCo could not be installed: compared with the oracle alone\n")

    versions = [engine.label.split()[1] for engine in engines[1:]]
    columns = ["model", "dofs", "contacts", "rows"] + [f"{e.label}, us" for e in engines]
    columns += [f"ratio to {version} (spread)" for version in versions]
    print("| " + " | ".join(columns) + " |")
    print("|---|" + "---:|" * (len(columns) - 1))
    figures, logs = {}, [[] for _ in versions] + [[]]
    for name, path in paths.items():
        if path is None or not path.exists():
            print(f"| {name} | its files are not there |")
            continue
        sizes, turns = compare(engines, path, args.rounds)
        cells = [name, *sizes] + ["-" if t is None else f"{min(t):.2f}" for t in turns]
        ratios = [None if t is None else ratio_of(turns[0], t) for t in turns[1:]]
        cells += ["-" if r is None else f"{r[0]:.2f} ({r[1]:.2f} to {r[2]:.2f})" for r in ratios]
        print("| " + " | ".join(cells) + " |", flush=True)
        known = [r[0] for r in ratios if r is not None]
        for log, r in zip(logs, ratios):
            log.extend([math.log(r[0])] if r is not None else [])
        logs[-1].append(math.log(min(known)))
        figures[name] = {
            "ratios": dict(zip(versions, ratios)),
            "median_us": [None if t is None else statistics.median(t) for t in turns],
            "best_us": [None if t is None else min(t) for t in turns],
        }
    means = [f"{math.exp(statistics.mean(log)):.2f}" if log else "-" for log in logs]
    print(f"\ngeometric means: {', '.join(f'{m} to {v}' for m, v in zip(means, versions))}, {means[-1]} to the faster one")
    if args.json:
        args.json.write_text(json.dumps(figures, indent=2) + "\n")


if __name__ == "__main__":
    main()
