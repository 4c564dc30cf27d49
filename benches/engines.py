"""The engines that are compared, each in a process of its own, and where their models lie."""

import json
import os
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
WORKER = ROOT / "benches/worker.py"
NEWEST = ROOT / ".venv-newest/bin/python"
SETTLE = 300
TURN = 0.15

sys.path.insert(0, str(ROOT / "conformance"))

from ferrodyn_conform import corpus  # noqa: E402  (it lies beside this folder)


class EngineEnded(SystemExit):
    """A worker process ended by itself."""


class Engine:
    """A worker process with one engine; ``prefix`` is a command that runs it."""

    def __init__(self, python, module, prefix=()):
        command = [*prefix, python, str(WORKER), module]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.python, self.module = python, module
        self.version = self.process.stdout.readline().strip()
        self.label = "Ferrodyn" if module == "ferrodyn" else f"MuJoCo {self.version}"

    def ask(self, command):
        """The words that the worker answers."""
        self.process.stdin.write(command + "\n")
        self.process.stdin.flush()
        answer = self.process.stdout.readline().split()
        if not answer:
            raise EngineEnded(f"{self.label} ended at: {command}")
        return answer

    def load(self, path, steps=SETTLE):
        """Load a model and let it settle: its degrees of freedom, contacts and rows; None where it is refused."""
        words = self.ask(f"load {steps} {path}")
        return None if words == ["refused"] else [int(word) for word in words]

    def time(self, steps):
        """Seconds for a number of steps from the settled state."""
        elapsed, finite = self.ask(f"time {steps}")
        if finite != "1":
            raise SystemExit(f"{self.label} diverged")
        return float(elapsed)

    def stages(self, steps):
        """Seconds of every stage of a step, by name."""
        return json.loads(self.ask(f"stages {steps}")[0])

    def close(self):
        """End the process."""
        self.process.stdin.close()
        self.process.wait()


def start():
    """Ferrodyn, the oracle, and the newest release where it could be installed; all on one core."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    engines = [Engine(sys.executable, "ferrodyn"), Engine(sys.executable, "mujoco")]
    if NEWEST.exists():
        engines.append(Engine(str(NEWEST), "mujoco"))
    else:
        print("the newest MuJoCo could not be installed: compared with the oracle alone\n")
    return engines


def turns(engines, loaded, rounds, turn=TURN):
    """Microseconds of a step, turn by turn, of every engine that loaded a model; None for the others."""
    few = 10 if engines[0].time(1) < 0.01 else 1
    steps = max(few, int(turn / (engines[0].time(few) / few)))
    times = [None if sizes is None else [] for sizes in loaded]
    for _ in range(rounds):
        for engine, own in zip(engines, times):
            if own is not None:
                own.append(engine.time(steps) / steps * 1e6)
    return times


def models():
    """The table of models: name, source and path."""
    return json.loads((ROOT / "benches/models.json").read_text())


def find(source, path):
    """Where a model of ``models.json`` lies, whose package is downloaded when needed; None where it is missing."""
    try:
        folder = ROOT / "benches/models" if source == "benches" else corpus.folder(source)
    except corpus.CorpusError:
        return None
    return folder / path if (folder / path).exists() else None
