"""Speed beside MuJoCo: every engine in a process of its own, taking turns, native loops.

Run with ``cargo xtask bench``. For each model the engines advance the same number of steps in
alternation; the figure of an engine is its fastest turn, and the ratio is MuJoCo's time divided
by Ferrodyn's (above 1: Ferrodyn is faster).
"""

import argparse
import json
import pathlib
import statistics
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent

WORKER = """
import importlib, sys, time, warnings
warnings.simplefilter("ignore")
engine = importlib.import_module(sys.argv[1])
print(getattr(engine, "__version__", ""), flush=True)
for line in sys.stdin:
    path, steps = line.rstrip("\\n").rsplit(" ", 1)
    model = engine.MjModel.from_xml_path(path)
    data = engine.MjData(model)
    engine.mj_step(model, data, 100)
    engine.mj_resetData(model, data)
    start = time.perf_counter()
    engine.mj_step(model, data, int(steps))
    elapsed = time.perf_counter() - start
    finite = bool((abs(data.qpos) < 1e10).all())
    print(elapsed, int(finite), flush=True)
"""


class Engine:
    """A worker process with one engine."""

    def __init__(self, label, python, module):
        self.process = subprocess.Popen(
            [python, "-c", WORKER, module], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        version = self.process.stdout.readline().strip()
        self.label = f"{label} {version}"

    def time(self, path, steps):
        """Seconds for a number of steps."""
        self.process.stdin.write(f"{path} {steps}\n")
        self.process.stdin.flush()
        elapsed, finite = self.process.stdout.readline().split()
        if finite != "1":
            raise SystemExit(f"{self.label} diverged on {path}")
        return float(elapsed)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("models", nargs="*", type=pathlib.Path, help="MJCF files")
    parser.add_argument("--rounds", type=int, default=9, help="turns of each engine")
    parser.add_argument("--json", type=pathlib.Path, help="also write the figures to this file")
    args = parser.parse_args()
    models = args.models or sorted((ROOT / "benches/models").glob("*.xml"))

    engines = [Engine("ferrodyn", sys.executable, "ferrodyn"), Engine("mujoco", sys.executable, "mujoco")]
    newest = ROOT / ".venv-newest/bin/python"
    if newest.exists():
        engines.append(Engine("mujoco", str(newest), "mujoco"))
    else:
        print("the newest MuJoCo could not be installed: compared with the oracle alone")

    figures = {}
    header = f"{'model':<14}" + "".join(f"{e.label:>20}" for e in engines)
    print(header + "".join(f"{'ratio to ' + e.label.split()[1]:>18}" for e in engines[1:]))
    for path in models:
        # about a tenth of a second a turn
        steps = max(100, int(1000 * 0.1 / engines[1].time(path, 1000)))
        turns = [[] for _ in engines]
        for _ in range(args.rounds):
            for engine, times in zip(engines, turns):
                times.append(engine.time(path, steps) / steps * 1e6)
        best = [min(times) for times in turns]
        ratios = [b / best[0] for b in best[1:]]
        print(
            f"{path.stem:<14}"
            + "".join(f"{b:>17.3f} us" for b in best)
            + "".join(f"{r:>18.2f}" for r in ratios)
        )
        figures[path.stem] = {
            engine.label: {"best_us": min(times), "median_us": statistics.median(times)}
            for engine, times in zip(engines, turns)
        }
    if args.json:
        args.json.write_text(json.dumps(figures, indent=2) + "\n")


if __name__ == "__main__":
    main()
