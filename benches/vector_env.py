"""Steps per second of vector environments: ferrodyn.gym, Gymnasium's on MuJoCo, EnvPool; in one run.

Run with ``cargo xtask bench-vector-env``. Each has processes of its own, which take random actions in turns; episodes end and
begin as they do. A step is one of one environment (for the humanoid: five time steps of Runge-Kutta). The ratio is its rate divided by
that of AsyncVectorEnv in the same turn. Times of the processor are those of all processes together, and hardly depend on other work of the machine.
"""

import argparse
import os
import pathlib
import statistics
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent

WORKER = """
import sys, time, warnings
import numpy as np
warnings.simplefilter("ignore")
kind, name, count, threads = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
if kind == "ferrodyn.gym":
    import ferrodyn.gym
    envs = ferrodyn.gym.make_vec(name, count, threads=threads)
elif kind == "EnvPool":
    import envpool
    envs = envpool.make(name, env_type="gymnasium", num_envs=count, num_threads=threads, seed=0)
else:
    import gymnasium
    envs = gymnasium.make_vec(name, count, "async" if kind == "AsyncVectorEnv" else "sync")
if kind == "EnvPool":
    envs.reset()
    space = envs.action_space
else:
    envs.reset(seed=0)
    space = envs.single_action_space
rng = np.random.default_rng(0)
actions = rng.uniform(space.low, space.high, (50, count, *space.shape)).astype(space.dtype)

def run(seconds):
    steps, start = 0, time.perf_counter()
    while (now := time.perf_counter() - start) < seconds:
        observations = envs.step(actions[steps % 50])[0]
        steps += 1
    assert observations.shape[0] == count and np.isfinite(observations).all()
    return steps * count, now

# beyond the first episodes, which all begin at the same time
run(2.0)
print(np.prod(envs.step(actions[0])[0].shape[1:]), flush=True)
for line in sys.stdin:
    print(*run(float(line)), flush=True)
"""


class Worker:
    """Vector environments of one kind."""

    def __init__(self, kind, python, *arguments):
        command = [str(python), "-c", WORKER, kind, *map(str, arguments)]
        pipe = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
        self.kind = kind
        self.process = subprocess.Popen(command, start_new_session=True, **pipe)
        self.size = self.process.stdout.readline().strip()
        if not self.size:
            raise SystemExit(f"{kind} did not start")

    def rates(self, seconds):
        """Steps per second: by the clock, and of the processor."""
        before = processor_time(self.process.pid)
        self.process.stdin.write(f"{seconds}\n")
        self.process.stdin.flush()
        steps, wall = map(float, self.process.stdout.readline().split())
        return steps / wall, steps / (processor_time(self.process.pid) - before)

    def close(self):
        """End the process."""
        self.process.stdin.close()
        self.process.wait()


def processor_time(session):
    """Seconds of the processor that all processes of a session have had."""
    ticks = 0
    for path in pathlib.Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = path.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        # after the name: state, parent, group, session, ...; time in user and system mode
        if int(fields[3]) == session:
            ticks += int(fields[11]) + int(fields[12])
    return ticks / os.sysconf("SC_CLK_TCK")


def main():
    """Prints a table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("tasks", nargs="*", default=["Humanoid-v5"], help="names of tasks")
    parser.add_argument("--envs", type=int, default=64)
    parser.add_argument("--threads", type=int, default=os.cpu_count(), help="of Ferrodyn and EnvPool")
    parser.add_argument("--rounds", type=int, default=7, help="turns of each; medians count")
    parser.add_argument("--seconds", type=float, default=2.0, help="of a turn")
    parser.add_argument("--envpool", type=pathlib.Path, default=ROOT / ".venv-envpool/bin/python")
    args = parser.parse_args()
    kinds = {kind: sys.executable for kind in ("ferrodyn.gym", "AsyncVectorEnv", "SyncVectorEnv")}
    if args.envpool.exists():
        kinds["EnvPool"] = args.envpool
    else:
        print("EnvPool is not here: it could not be installed\n")
    print(f"{args.envs} environments, {args.threads} threads, {os.cpu_count()} cores\n")
    print("| task | observed | environments | steps per second | ratio (spread) | of processor time |")
    print("|---|---:|---|---:|---:|---:|")
    for task in args.tasks:
        workers = [Worker(kind, kinds[kind], task, args.envs, args.threads) for kind in kinds]
        turns = [[worker.rates(args.seconds) for worker in workers] for _ in range(args.rounds)]
        base = list(kinds).index("AsyncVectorEnv")
        for i, worker in enumerate(workers):
            wall = sorted(turn[i][0] / turn[base][0] for turn in turns)
            processor = statistics.median(turn[i][1] / turn[base][1] for turn in turns)
            rate = statistics.median(turn[i][0] for turn in turns)
            print(
                f"| {task} | {worker.size} | {worker.kind} | {rate:,.0f} | {statistics.median(wall):.2f} "
                f"({wall[0]:.2f} to {wall[-1]:.2f}) | {processor:.2f} |",
                flush=True,
            )
            worker.close()


if __name__ == "__main__":
    main()
