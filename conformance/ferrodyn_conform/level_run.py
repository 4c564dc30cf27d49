"""L3: the state after one step. L4: a free run beside the oracle and its shadow."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field

import mujoco
import numpy as np

from . import fields
from .compare import SHADOW_FACTOR, Miss, absolute_difference, compare_array, within_shadow
from .level_forward import iterative_contacts
from .states import ORACLE_SECONDS, SHADOW_RUNS, State, controls, has_diverged, install, nudged, shadow_states, start, step_result

RUN_NUDGE = 1e-12


@dataclass
class Outcome:
    """What a level found."""

    misses: list[Miss] = field(default_factory=list)
    errors: dict[str, float] = field(default_factory=dict)
    shadowed: int = 0
    excused: set[str] = field(default_factory=set)
    solved: int = 0  # steps in which the oracle solved constraints
    same_iterations: int = 0  # of these, steps with the same number of iterations in every island


def compare_steps(engine, oracle_model: mujoco.MjModel, engine_model: object, states: list[State], seed: int) -> Outcome:
    """L3 over all states."""
    outcome = Outcome()
    oracle, other = mujoco.MjData(oracle_model), engine.MjData(engine_model)
    shadow_data = mujoco.MjData(oracle_model)
    for number, state in enumerate(states):
        install(mujoco, oracle_model, oracle, state)
        install(engine, engine_model, other, state)
        mujoco.mj_step(oracle_model, oracle)
        engine.mj_step(engine_model, other)
        if oracle.nefc:
            outcome.solved += 1
            outcome.same_iterations += np.array_equal(oracle.solver_niter, other.solver_niter)
        iterative = iterative_contacts(oracle_model, oracle).any()
        tolerance = fields.STEP_ITERATIVE if iterative else fields.STEP_CLOSED_FORM
        expected, found = step_result(oracle), step_result(other)
        reruns: list[dict[str, np.ndarray]] | None = None
        excused = set()
        for name, value in expected.items():
            scale = 1.0 + np.abs(np.nan_to_num(value))
            error, miss = compare_array(name, value, found[name], tolerance, scale)
            if miss:
                reruns = reruns or _nudged_steps(oracle_model, shadow_data, state, seed + number)
                if within_shadow(found[name], value, [run[name] for run in reruns]):
                    excused.add(name)
                    continue
                miss.where = f"state {number}"
                outcome.misses.append(miss)
            outcome.errors[name] = max(outcome.errors.get(name, 0.0), error)
        outcome.shadowed += bool(excused)
        outcome.excused |= excused
    return outcome


def _nudged_steps(model: mujoco.MjModel, data: mujoco.MjData, state: State, seed: int) -> list[dict[str, np.ndarray]]:
    results = []
    for shadow in shadow_states(state, seed):
        install(mujoco, model, data, shadow)
        mujoco.mj_step(model, data)
        results.append(step_result(data))
    return results


def _run(engine, model, state: State, ctrl: np.ndarray, end: Callable[[object], bool]) -> np.ndarray:
    """qpos, qvel and act after every step, up to the step whose result says that the run ends."""
    data = engine.MjData(model)
    install(engine, model, data, state)
    rows = []
    for row in ctrl:
        data.ctrl[:] = row
        engine.mj_step(model, data)
        if end(data):
            break
        rows.append(np.concatenate([data.qpos, data.qvel, data.act]))
    return np.array(rows) if rows else np.zeros((0, 0))


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


def _error(reference: np.ndarray, run: np.ndarray) -> np.ndarray:
    """Largest error of each step, relative to one plus the element; infinite after the end of a run that stopped early."""
    steps = min(len(reference), len(run))
    errors = np.full(len(reference), np.inf)
    if reference.shape[1]:
        scale = 1.0 + np.abs(reference[:steps])
        errors[:steps] = (absolute_difference(reference[:steps], run[:steps]) / scale).max(axis=1)
    else:
        errors[:steps] = 0.0
    return errors


def compare_runs(engine, oracle_model: mujoco.MjModel, engine_model: object, seed: int) -> Outcome:
    """L4: the engine may leave the oracle at most ten times as far as the oracle's shadow does, at any step."""
    rng = np.random.default_rng(seed)
    state = start(oracle_model, mujoco.MjData(oracle_model))
    ctrl = controls(oracle_model, rng, fields.RUN_STEPS)
    deadline = time.process_time() + ORACLE_SECONDS
    reference = _run(_OracleSteps, oracle_model, state, ctrl, lambda data: has_diverged(data) or time.process_time() > deadline)
    if not len(reference):
        return Outcome()  # diverges in the first step: L3 has compared it
    error = _error(reference, _run(engine, engine_model, state, ctrl[:len(reference)], lambda _: False))
    outcome = Outcome(errors={"run": float(error.max())})
    if (error <= fields.RUN_FLOOR).all():
        return outcome
    outcome.shadowed, outcome.excused = 1, {"run"}
    shadow = np.zeros(len(reference))
    limit = shadow
    for _ in range(SHADOW_RUNS):
        rerun = _run(_OracleSteps, oracle_model, nudged(state, RUN_NUDGE, rng), ctrl[:len(reference)], has_diverged)
        shadow = np.maximum(shadow, np.maximum.accumulate(_error(reference, rerun)))
        limit = np.maximum(SHADOW_FACTOR * shadow, fields.RUN_FLOOR)
        if (error <= limit).all():
            return outcome
    step = int(np.argmax(~(error <= limit)))
    miss = Miss("run", (step,), "shadow " + format(float(shadow[step]), ".3g"), "engine " + format(float(error[step]), ".3g"),
                float(error[step]), float(limit[step]), f"step {step} of {len(reference)}")
    outcome.misses.append(miss)
    return outcome
