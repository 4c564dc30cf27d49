"""L4: a free run beside the oracle and its shadow."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator

import mujoco
import numpy as np

from . import fields
from .compare import SHADOW_FACTOR, Miss, absolute_difference, in_tolerances
from .outcome import Outcome
from .states import ORACLE_SECONDS, SHADOW_RUNS, State, controls, disturbed, has_diverged, install, nudged, start

RUN_NUDGE = 1e-12
DIVERGED, OUT_OF_TIME = "diverged", "out of time"


def _steps(engine, model, state: State, ctrl: np.ndarray, ended: Callable[[object], bool] = lambda _: False) -> Iterator[np.ndarray]:
    """qpos, qvel and act after every step, up to the step whose result says that the run has ended."""
    data = engine.MjData(model)
    install(engine, model, data, state)
    for row in ctrl:
        data.ctrl[:] = row
        engine.mj_step(model, data)
        if ended(data):
            return
        yield np.concatenate([data.qpos, data.qvel, data.act])


class _OracleSteps:
    """The oracle, with running out of memory counted as divergence."""

    MjData, mj_resetData = mujoco.MjData, mujoco.mj_resetData

    @staticmethod
    def mj_step(model: mujoco.MjModel, data: mujoco.MjData) -> None:
        """One step."""
        try:
            mujoco.mj_step(model, data)
        except mujoco.FatalError:
            data.warning[mujoco.mjtWarning.mjWARN_BADQACC].number += 1


class Reference:
    """The oracle's run, how far its shadow leaves it, and up to which step that allows a judgement."""

    def __init__(self, model: mujoco.MjModel, seed: int):
        rng = np.random.default_rng(seed)
        begin = start(model, mujoco.MjData(model))
        self.state = disturbed(model, begin, rng, forces=False)
        self.ctrl = controls(model, rng, fields.RUN_STEPS)
        self.names = [(name, i) for name in ("qpos", "qvel", "act") for i in range(len(begin.arrays[name]))]
        self.rows = self._run(model)
        self.scale = 1.0 + np.abs(self.rows)
        # of every element the largest error, relative to one plus the element, that a rerun has shown up to this step
        self.shadow = np.zeros_like(self.rows)
        self.judged = len(self.rows)
        for _ in range(SHADOW_RUNS):
            self._rerun(model, nudged(self.state, RUN_NUDGE, rng))

    def _run(self, model: mujoco.MjModel) -> np.ndarray:
        """The states of the run; `ended` says why there are less than there should be."""
        deadline = time.process_time() + ORACLE_SECONDS
        self.ended = ""

        def ended(data: mujoco.MjData) -> bool:
            self.ended = DIVERGED if has_diverged(data) else OUT_OF_TIME if time.process_time() > deadline else ""
            return bool(self.ended)

        rows = list(_steps(_OracleSteps, model, self.state, self.ctrl, ended))
        return np.array(rows) if rows else np.zeros((0, len(self.names)))

    def _rerun(self, model: mujoco.MjModel, state: State) -> None:
        """Takes in what one rerun shows, up to its end: after that it excuses nothing."""
        largest = np.zeros(len(self.names))
        for step, row in enumerate(_steps(_OracleSteps, model, state, self.ctrl[:self.judged], has_diverged)):
            largest = np.maximum(largest, absolute_difference(self.rows[step], row) / self.scale[step])
            self.shadow[step] = np.maximum(self.shadow[step], largest)
            if (SHADOW_FACTOR * largest > fields.RUN_CHAOS).any():
                self.judged = step
                return

    @property
    def undecided(self) -> str:
        """Why the run judges nothing, if it does not."""
        if self.judged >= fields.RUN_JUDGED:
            return ""
        why = f"the oracle {self.ended} after {len(self.rows)} steps" if self.judged == len(self.rows) else "chaos"
        return f"{self.judged} steps can be judged: {why}"


def compare_runs(engine, engine_model: object, oracle: Reference, until_settled: bool = False) -> Outcome:
    """L4: at no judged step may an element leave the oracle ten times as far as the oracle's shadow has."""
    outcome = Outcome(run=(oracle.judged, len(oracle.rows)), ended=oracle.ended, undecided=oracle.undecided)
    largest = 0.0
    for step, row in enumerate(_steps(engine, engine_model, oracle.state, oracle.ctrl[:oracle.judged])):
        error = absolute_difference(oracle.rows[step], row) / oracle.scale[step]
        largest = max(largest, float(error.max(initial=0.0)))
        limit = np.maximum(SHADOW_FACTOR * oracle.shadow[step], fields.RUN_FLOOR)
        if not outcome.misses and (error > limit).any():
            worst = int(np.argmax(in_tolerances(error, limit)))
            name, index = oracle.names[worst]
            outcome.misses.append(Miss(name, (index,), f"shadow {oracle.shadow[step][worst]:.3g}", f"{error[worst]:.3g}",
                                       float(error[worst]), float(limit[worst]), f"step {step} of {oracle.judged}"))
        outcome.excess = largest / fields.RUN_FLOOR
        if outcome.misses and (outcome.settled or not until_settled):
            break
    outcome.errors = {"run": largest}
    if largest > fields.RUN_FLOOR:
        outcome.shadowed, outcome.excused = 1, {"run"}
    return outcome
