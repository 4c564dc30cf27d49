"""Rollouts of many worlds, beside MuJoCo's, in one run.

Run with ``cargo xtask bench-rollout``. Each engine has a process of its own; they roll out the same batch in turns. The ratio is MuJoCo's time
divided by Ferrodyn's: above 1, Ferrodyn is faster. Times of the processor are those of all threads together, and hardly depend on other work
of the machine.
"""

import argparse
import statistics
import subprocess
import sys

import engines

WORKER = """
import importlib, sys, time, warnings
import numpy as np
warnings.simplefilter("ignore")
name, path, worlds, steps, threads, is_free = sys.argv[1], sys.argv[2], *map(int, sys.argv[3:])
engine = importlib.import_module(name)
rollout = importlib.import_module(name + ".rollout")
model = engine.MjModel.from_xml_path(path)
if is_free:
    model.opt.disableflags |= engine.mjtDisableBit.mjDSBL_CONTACT.value
kind = engine.mjtState.mjSTATE_FULLPHYSICS.value
data = [engine.MjData(model) for _ in range(threads)]
rng = np.random.default_rng(0)
low, high = model.actuator_ctrlrange.T
half = np.where(model.actuator_ctrllimited, 0.5 * (high - low), 1.0)
control = 0.1 * half * rng.uniform(-1, 1, (worlds, steps, model.nu))
data[0].ctrl[:] = control[0, 0]
engine.mj_step(model, data[0], 300)
settled = np.empty(engine.mj_stateSize(model, kind))
engine.mj_getState(model, data[0], settled, kind)
initial = np.tile(settled, (worlds, 1))
initial[:, 1 + model.nq : 1 + model.nq + model.nv] += 0.1 * rng.standard_normal((worlds, model.nv))
contacts, rows = data[0].ncon, data[0].nefc
with rollout.Rollout(nthread=threads if threads > 1 else 0) as pool:
    print(model.nv, contacts, rows, flush=True)
    for line in sys.stdin:
        wall, processor = time.perf_counter(), time.process_time()
        state, _ = pool.rollout(model, data, initial, control)
        wall, processor = time.perf_counter() - wall, time.process_time() - processor
        print(wall, processor, int(np.isfinite(state).all()), flush=True)
"""


class Worker:
    """An engine with one batch."""

    def __init__(self, engine, path, *numbers):
        command = [sys.executable, "-c", WORKER, engine, str(path), *map(str, numbers)]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.sizes = self.process.stdout.readline().split()

    def time(self):
        """Seconds of one rollout of the batch: by the clock, and of the processor."""
        self.process.stdin.write("\n")
        self.process.stdin.flush()
        wall, processor, is_finite = self.process.stdout.readline().split()
        if is_finite != "1":
            raise SystemExit("a world diverged")
        return float(wall), float(processor)

    def close(self):
        """End the process."""
        self.process.stdin.close()
        self.process.wait()


def models(names):
    """Name, path and whether contacts are switched off."""
    for name in names:
        plain = name.removesuffix("-free")
        path = engines.find(*engines.models()[plain]) if plain in engines.models() else plain
        if path is None:
            print(f"{name:<16} is not here")
        else:
            yield name, path, int(plain != name)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "models",
        nargs="*",
        default=[str(engines.ROOT / "benches/models/humanoid.xml"), "humanoid", "arm-free", "panda-free", "cartpole", "pendulum"],
        help="names of benches/models.json or MJCF files; with -free at the end, without contacts",
    )
    parser.add_argument("--worlds", type=int, default=1024)
    parser.add_argument("--steps", type=int, default=50)
    parser.add_argument("--threads", type=int, nargs="*", default=[1, 2])
    parser.add_argument("--rounds", type=int, default=5, help="turns of each engine; medians count")
    args = parser.parse_args()
    print(f"{args.worlds} worlds, {args.steps} steps each\n")
    print("| model | dofs | contacts | rows | threads | Ferrodyn, us | MuJoCo 3.5.0, us | ratio (spread) | of processor time |")
    print("|---|---:|---:|---:|---:|---:|---:|---:|---:|")
    for name, path, is_free in models(args.models):
        for threads in args.threads:
            numbers = args.worlds, args.steps, threads, is_free
            workers = [Worker(engine, path, *numbers) for engine in ("ferrodyn", "mujoco")]
            for worker in workers:
                worker.time()
            times = [[worker.time() for worker in workers] for _ in range(args.rounds)]
            wall = sorted(theirs[0] / ours[0] for ours, theirs in times)
            processor = statistics.median(theirs[1] / ours[1] for ours, theirs in times)
            ours, theirs = (statistics.median(turn[i][0] for turn in times) for i in (0, 1))
            each = 1e6 / (args.worlds * args.steps)
            name = name.rpartition("/")[2]
            print(
                f"| {name} | {' | '.join(workers[0].sizes)} | {threads} | {ours * each:.2f} | {theirs * each:.2f} | "
                f"{statistics.median(wall):.2f} ({wall[0]:.2f} to {wall[-1]:.2f}) | {processor:.2f} |",
                flush=True,
            )
            for worker in workers:
                worker.close()


if __name__ == "__main__":
    main()
