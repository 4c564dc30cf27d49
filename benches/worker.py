"""One engine in a process of its own, which obeys commands from its input; answers are lines of words.

Started by ``engines.py`` as ``worker.py MODULE``; the only packages that it needs are numpy and the engine itself.
"""

import importlib
import json
import os
import sys
import time
import warnings

import numpy

# what a step is made of, under the names of the tables
STAGES = {
    "kinematics": ("mj_kinematics", "mj_comPos", "mj_camlight", "mj_flex"),
    "tendons": ("mj_tendon",),
    "inertia": ("mj_makeM", "mj_factorM"),
    "collision": ("mj_collision",),
    "rows": ("mj_makeConstraint", "mj_island", "mj_projectConstraint"),
    "velocity": ("mj_fwdVelocity",),
    "actuation": ("mj_transmission", "mj_fwdActuation"),
    "acceleration": ("mj_fwdAcceleration",),
    "solver": ("mj_fwdConstraint",),
    "sensors": ("mj_sensorPos", "mj_sensorVel", "mj_sensorAcc"),
    "integration": ("integrator",),
}
# in the order in which a step calls them; the integrator comes last
ORDER = (
    "mj_kinematics mj_comPos mj_camlight mj_flex mj_tendon mj_makeM mj_factorM mj_collision mj_makeConstraint mj_island"
    " mj_transmission mj_projectConstraint mj_sensorPos mj_fwdVelocity mj_sensorVel mj_fwdActuation mj_fwdAcceleration"
    " mj_fwdConstraint mj_sensorAcc"
).split()


class Worker:
    """The engine with one model and its settled state."""

    def __init__(self, engine):
        self.engine = engine
        self.kind = int(engine.mjtState.mjSTATE_INTEGRATION)

    def load(self, steps, path):
        """Load a model and let it settle; its sizes, or that it is refused."""
        engine = self.engine
        try:
            self.model = model = engine.MjModel.from_xml_path(path)
        except Exception:  # whatever the reason, there is nothing to measure
            return ["refused"]
        self.data = data = engine.MjData(model)
        if model.nkey:
            engine.mj_resetDataKeyframe(model, data, 0)
        low, high = model.actuator_ctrlrange.T
        half = numpy.where(model.actuator_ctrllimited, 0.5 * (high - low), 1.0)
        data.ctrl[:] += 0.1 * half * numpy.random.default_rng(0).uniform(-1, 1, model.nu)
        engine.mj_step(model, data, int(steps))
        self.settled = numpy.empty(engine.mj_stateSize(model, self.kind))
        engine.mj_getState(model, data, self.settled, self.kind)
        return [model.nv, data.ncon, data.nefc]

    def back(self):
        """Return to the settled state; one step fills what the state does not hold."""
        self.engine.mj_setState(self.model, self.data, self.settled, self.kind)
        self.engine.mj_step(self.model, self.data, 1)

    def time(self, steps):
        """Seconds of so many steps, of the processor, and whether the state is still a state."""
        self.back()
        start = time.process_time()
        self.engine.mj_step(self.model, self.data, int(steps))
        elapsed = time.process_time() - start
        return [elapsed, int((abs(self.data.qpos) < 1e10).all())]

    def stages(self, steps):
        """Seconds of each stage of a step: medians of so many steps whose functions are called one by one."""
        self.back()
        world = self.engine.MjModel.from_xml_string("<mujoco/>")
        calls = function_times(self.engine, world, self.engine.MjData(world), int(steps))
        times = function_times(self.engine, self.model, self.data, int(steps))
        times = {name: max(0.0, times[name] - calls[name]) for name in times}
        stages = {stage: sum(times[name] for name in names) for stage, names in STAGES.items()}
        return [json.dumps(stages, separators=(",", ":"))]

    def save(self, path):
        """Write the model and its settled state, for ``restore``."""
        self.engine.mj_saveModel(self.model, path + ".mjb", None)
        numpy.save(path + ".npy", self.settled)
        return ["saved"]

    def restore(self, path):
        """Read what ``save`` has written: in a process that runs slowly, this takes less than loading and settling."""
        self.model = self.engine.MjModel.from_binary_path(path + ".mjb")
        self.data = self.engine.MjData(self.model)
        self.settled = numpy.load(path + ".npy")
        return ["restored"]

    def count(self, steps):
        """Take one step, and then, from the same state, so many more; calls of ``getsid`` mark where each begins and ends."""
        for number in (1, 1 + int(steps)):
            self.back()
            os.getsid(0)
            self.engine.mj_step(self.model, self.data, number)
            os.getsid(0)
        return ["counted"]


def function_times(engine, model, data, steps):
    """Median seconds of each function of a step, over so many steps; with what calling it takes."""
    integrators = {0: engine.mj_Euler, 1: lambda m, d: engine.mj_RungeKutta(m, d, 4)}
    functions = [getattr(engine, name) for name in ORDER] + [integrators.get(model.opt.integrator, engine.mj_implicit)]
    times = numpy.empty((steps, len(functions)))
    for step in range(steps):
        data.flg_rnepost = 0  # as at the beginning of a step: body accelerations are to be computed for sensors
        marks = [time.perf_counter()]
        for function in functions:
            function(model, data)
            marks.append(time.perf_counter())
        times[step] = numpy.diff(marks)
    return dict(zip([*ORDER, "integrator"], numpy.median(times, axis=0).tolist()))


def main():
    """Answer commands until the input ends."""
    warnings.simplefilter("ignore")
    engine = importlib.import_module(sys.argv[1])
    worker = Worker(engine)
    print(getattr(engine, "__version__", ""), flush=True)
    for line in sys.stdin:
        command, *words = line.rstrip("\n").split(" ", 2 if line.startswith("load ") else 1)
        print(*getattr(worker, command)(*words), flush=True)


if __name__ == "__main__":
    main()
