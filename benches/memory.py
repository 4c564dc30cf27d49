"""Memory of a thousand worlds, beside MuJoCo.

Run with ``cargo xtask bench-memory``. Each engine has a process of its own that makes the worlds, takes 200 steps in each, all in one
thread, and reports by how much its resident memory grew.
"""

import argparse
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent

WORKER = """
import importlib, os, sys, warnings
warnings.simplefilter("ignore")
engine = importlib.import_module(sys.argv[1])
count, steps = int(sys.argv[3]), int(sys.argv[4])
model = engine.MjModel.from_xml_path(sys.argv[2])

def resident():
    with open("/proc/self/statm") as f:
        return int(f.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")

def world():
    data = engine.MjData(model)
    engine.mj_step(model, data, steps)
    return data

# what belongs to the thread is there before the worlds are counted
first = world()
before = resident()
worlds = [world() for _ in range(count)]
grown = resident() - before
print(grown / count / 1024, first.ncon, first.nefc)
"""


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("models", nargs="*", type=pathlib.Path, help="MJCF files")
    parser.add_argument("--worlds", type=int, default=1000)
    parser.add_argument("--steps", type=int, default=200)
    args = parser.parse_args()
    print(f"{'model':<14}{'contacts':>10}{'rows':>8}{'ferrodyn':>16}{'mujoco 3.5.0':>16}")
    for path in args.models or [ROOT / "benches/models/humanoid.xml"]:
        figures = []
        for engine in ("ferrodyn", "mujoco"):
            command = [sys.executable, "-c", WORKER, engine, str(path), str(args.worlds), str(args.steps)]
            out = subprocess.run(command, check=True, capture_output=True, text=True).stdout
            figures.append(out.split())
        (ours, contacts, rows), (theirs, *_) = figures
        print(f"{path.stem:<14}{contacts:>10}{rows:>8}{float(ours):>12.1f} KiB{float(theirs):>12.1f} KiB")


if __name__ == "__main__":
    main()
