"""Batches of many worlds, beside MuJoCo's rollouts and the batches of its newest release, in one run.

Run with ``cargo xtask bench-batch``. Each engine has a process of its own with the same number of threads; they step the same worlds from the same
settled state, in turns. Ferrodyn and the newest MuJoCo step their batches call by call, MuJoCo 3.5.0 rolls out the same number of steps. The
ratio is MuJoCo's time divided by Ferrodyn's: above 1, Ferrodyn is faster. Times of the processor are those of all threads together, and hardly
depend on other work of the machine.
"""

import argparse
import statistics
import subprocess
import sys

import engines

COMMON = """
import sys, time, warnings
import numpy as np
warnings.simplefilter("ignore")
path, worlds, steps, threads, skip, is_free = sys.argv[1], *map(int, sys.argv[2:])
import {module} as engine
model = engine.MjModel.from_xml_path(path)
if is_free:
    model.opt.disableflags |= engine.mjtDisableBit.mjDSBL_CONTACT.value
data = engine.MjData(model)
rng = np.random.default_rng(0)
low, high = model.actuator_ctrlrange.T
half = np.where(model.actuator_ctrllimited, 0.5 * (high - low), 1.0)
control = 0.1 * half * rng.uniform(-1, 1, (worlds, model.nu))
data.ctrl[:] = control[0]
engine.mj_step(model, data, 300)
kind = engine.mjtState.mjSTATE_FULLPHYSICS.value
settled = np.empty(engine.mj_stateSize(model, kind))
engine.mj_getState(model, data, settled, kind)
initial = np.tile(settled, (worlds, 1))
initial[:, 1 + model.nq : 1 + model.nq + model.nv] += 0.1 * rng.standard_normal((worlds, model.nv))
calls = steps // skip
"""

FERRODYN = COMMON.format(module="ferrodyn") + """
from ferrodyn.batch import BatchSim
batch = BatchSim(model, worlds, threads=threads, frame_skip=skip)
batch.controls[:] = control
def start():
    batch.reset(states=initial, spec=kind)
def run():
    for _ in range(calls):
        batch.step()
    return batch.states
"""

ORACLE = COMMON.format(module="mujoco") + """
from mujoco import rollout
pool = rollout.Rollout(nthread=threads if threads > 1 else 0)
data = [engine.MjData(model) for _ in range(threads)]
controls = np.repeat(control[:, None], steps, axis=1)
def start():
    pass
def run():
    return pool.rollout(model, data, initial, controls, nstep=steps)[0]
"""

NEWEST = COMMON.format(module="mujoco") + """
from mujoco.batch import Batch
batch = Batch(model, worlds, threads)
ctrl, qpos, qvel = batch.bind("ctrl"), batch.bind("qpos"), batch.bind("qvel")
def start():
    batch.reset()
    qpos[:] = initial[:, 1 : 1 + model.nq]
    qvel[:] = initial[:, 1 + model.nq : 1 + model.nq + model.nv]
    ctrl[:] = control
def run():
    for _ in range(calls):
        batch.step(nstep=skip)
    return qpos
"""

LOOP = """
print(model.nv, flush=True)
for line in sys.stdin:
    start()
    wall, processor = time.perf_counter(), time.process_time()
    result = run()
    wall, processor = time.perf_counter() - wall, time.process_time() - processor
    print(wall, processor, int(np.isfinite(result).all()), flush=True)
"""


class Worker:
    """An engine with one batch."""

    def __init__(self, label, python, program, path, *numbers):
        self.label = label
        command = [str(python), "-c", program + LOOP, str(path), *map(str, numbers)]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.size = self.process.stdout.readline().strip()

    def time(self):
        """Seconds of all steps: by the clock, and of the processor."""
        self.process.stdin.write("\n")
        self.process.stdin.flush()
        wall, processor, is_finite = self.process.stdout.readline().split()
        if is_finite != "1":
            raise SystemExit(f"{self.label}: a world diverged")
        return float(wall), float(processor)

    def close(self):
        """End the process."""
        self.process.stdin.close()
        self.process.wait()


def models(names):
    """Names and paths of models, and whether they are to have no contacts."""
    for name in names:
        plain = name.removesuffix("-free")
        path = engines.find(*engines.models()[plain]) if plain in engines.models() else plain
        if path is None:
            print(f"{name:<16} is not here")
        else:
            yield name, path, int(plain != name)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("models", nargs="*", default=["humanoid", "arm-free", "cartpole"], help="names of benches/models.json or MJCF files; with -free at the end, without contacts")
    parser.add_argument("--worlds", type=int, default=1024)
    parser.add_argument("--steps", type=int, default=40, help="of each world in a turn")
    parser.add_argument("--skip", type=int, nargs="*", default=[1, 5], help="steps of a call")
    parser.add_argument("--threads", type=int, nargs="*", default=[1, 2])
    parser.add_argument("--rounds", type=int, default=5, help="turns of each engine; medians count")
    args = parser.parse_args()
    print(f"{args.worlds} worlds, {args.steps} steps each\n")
    print("| model | dofs | threads | steps a call | Ferrodyn, us a step | to MuJoCo 3.5.0 (processor time) | to MuJoCo 4.0.0 (processor time) |")
    print("|---|---:|---:|---:|---:|---:|---:|")
    for name, path, is_free in models(args.models):
        for threads in args.threads:
            for skip in args.skip:
                numbers = args.worlds, args.steps, threads, skip, is_free
                workers = [
                    Worker("Ferrodyn", sys.executable, FERRODYN, path, *numbers),
                    Worker("MuJoCo 3.5.0", sys.executable, ORACLE, path, *numbers),
                ]
                if engines.NEWEST.exists():
                    workers.append(Worker("MuJoCo 4.0.0", engines.NEWEST, NEWEST, path, *numbers))
                for worker in workers:
                    worker.time()
                times = [[worker.time() for worker in workers] for _ in range(args.rounds)]
                ours = statistics.median(turn[0][0] for turn in times)
                row = [f"{1e6 * ours / (args.worlds * args.steps):.2f}"]
                for i in range(1, len(workers)):
                    wall = statistics.median(turn[i][0] / turn[0][0] for turn in times)
                    processor = statistics.median(turn[i][1] / turn[0][1] for turn in times)
                    row.append(f"{wall:.2f} ({processor:.2f})")
                print(f"| {name} | {workers[0].size} | {threads} | {skip} | {' | '.join(row)} |", flush=True)
                for worker in workers:
                    worker.close()


if __name__ == "__main__":
    main()
