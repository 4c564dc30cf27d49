"""States along an oracle rollout with control noise, and copying a state into a Data."""

from __future__ import annotations

import copy
import time
from collections.abc import Container
from dataclasses import dataclass, field

import mujoco
import numpy as np

from .fields import STATE_FIELDS, STEP_FIELDS

STATES = 20
VERSIONS = 10  # tries to find a version of a state that is no edge
ROLLOUT_STEPS = 500
NUDGE = 1e-6  # moves a state off the edges on which models like to start
SHADOW_NUDGE = 1e-13
SHADOW_RUNS = 4
ORACLE_SECONDS = 40.0  # processor time after which a rollout or run of the oracle ends early
CONTROL_HOLD = 10  # steps for which a random control is held

DIVERGED = (mujoco.mjtWarning.mjWARN_BADQPOS, mujoco.mjtWarning.mjWARN_BADQVEL, mujoco.mjtWarning.mjWARN_BADQACC)


@dataclass
class State:
    """Everything that a step reads from Data."""

    time: float
    arrays: dict[str, np.ndarray] = field(default_factory=dict)

    def copy(self) -> State:
        """A deep copy."""
        return State(self.time, {name: array.copy() for name, array in self.arrays.items()})


def seed_of(path: str) -> int:
    """A seed that depends on the model's name only."""
    value = 2166136261
    for byte in path.encode():
        value = (value ^ byte) * 16777619 % (1 << 32)
    return value


def snapshot(data) -> State:
    """Reads the state out of a Data."""
    return State(float(data.time), {name: np.array(getattr(data, name)) for name in STATE_FIELDS})


def install(engine, model, data, state: State) -> None:
    """Resets a Data and writes a state into it."""
    engine.mj_resetData(model, data)
    data.time = state.time
    for name, value in state.arrays.items():
        if value.size:
            getattr(data, name)[:] = value


def has_diverged(data) -> bool:
    """Whether the oracle has warned about a bad position, velocity or acceleration."""
    return any(data.warning[w].number for w in DIVERGED)


def controls(model: mujoco.MjModel, rng: np.random.Generator, steps: int) -> np.ndarray:
    """Random controls held for a few steps: over half of the range of limited ones, of unit size for the others."""
    center = np.zeros(model.nu)
    width = np.ones(model.nu)
    limited = model.actuator_ctrllimited.astype(bool)
    center[limited] = model.actuator_ctrlrange[limited].mean(axis=1)
    width[limited] = np.ptp(model.actuator_ctrlrange[limited], axis=1) / 4
    noise = rng.uniform(-1, 1, (steps // CONTROL_HOLD + 1, model.nu))
    return np.repeat(center + width * noise, CONTROL_HOLD, axis=0)[:steps]


def start(model: mujoco.MjModel, data: mujoco.MjData) -> State:
    """The initial state of all runs: the first keyframe, else the reset state."""
    if model.nkey:
        mujoco.mj_resetDataKeyframe(model, data, 0)
    else:
        mujoco.mj_resetData(model, data)
    return snapshot(data)


def _visited(model: mujoco.MjModel, rng: np.random.Generator) -> list[State]:
    """The states of a rollout of the oracle; those well before a divergence only."""
    data = mujoco.MjData(model)
    start(model, data)
    ctrl = controls(model, rng, ROLLOUT_STEPS)
    visited = []
    deadline = time.process_time() + ORACLE_SECONDS
    for step in range(ROLLOUT_STEPS):
        data.ctrl[:] = ctrl[step]
        visited.append(snapshot(data))
        try:
            mujoco.mj_step(model, data)
        except mujoco.FatalError:
            break  # out of memory: the states so far are good
        if has_diverged(data):
            # what leads up to a divergence is no state of the model either
            return visited[: max(1, len(visited) // 2)]
        if time.process_time() > deadline:
            break
    return visited


class States:
    """Twenty states along a rollout, half of them with applied forces, in versions that differ by their nudge.

    A version that turns out to be an edge is left for the next one.
    """

    def __init__(self, model: mujoco.MjModel, seed: int):
        self.model, self.seed = model, seed
        visited = _visited(model, np.random.default_rng(seed))
        self._picked = [visited[i * len(visited) // STATES] for i in range(STATES)]
        self.versions = [0] * STATES  # the version in use; `VERSIONS` when all were edges

    def get(self, number: int, version: int) -> State:
        """A state in one of its versions."""
        rng = np.random.default_rng([self.seed, number, version])
        return disturbed(self.model, self._picked[number], rng, forces=number % 2 == 1)

    def in_use(self) -> list[tuple[int, int]]:
        """Number and version of the states that are not given up."""
        return [(number, version) for number, version in enumerate(self.versions) if version < VERSIONS]

    @property
    def replaced(self) -> int:
        """How often a state was an edge."""
        return sum(self.versions)

    def fork(self, picked: Container[int] = range(STATES)) -> States:
        """The same states, or some of them, none replaced yet."""
        other = copy.copy(self)
        other.versions = [0 if number in picked else VERSIONS for number in range(STATES)]
        return other


def disturbed(model: mujoco.MjModel, state: State, rng: np.random.Generator, forces: bool) -> State:
    """A copy of a state with 1e-6 noise, and optionally with applied forces of the size of the model's inertia."""
    state = state.copy()
    for name in ("qpos", "qvel", "act"):
        state.arrays[name] += NUDGE * rng.standard_normal(state.arrays[name].shape)
    _normalize(model, state)
    if forces:
        mass = np.concatenate([np.repeat(model.body_mass[:, None], 3, axis=1), model.body_inertia], axis=1)
        state.arrays["xfrc_applied"] += mass * rng.standard_normal((model.nbody, 6))
        state.arrays["qfrc_applied"] += model.dof_M0 * rng.standard_normal(model.nv)
    return state


def _normalize(model: mujoco.MjModel, state: State) -> None:
    """Makes the quaternions of free and ball joints unit length."""
    qpos = state.arrays["qpos"]
    for joint in range(model.njnt):
        kind = model.jnt_type[joint]
        if kind in (mujoco.mjtJoint.mjJNT_FREE, mujoco.mjtJoint.mjJNT_BALL):
            adr = model.jnt_qposadr[joint] + (3 if kind == mujoco.mjtJoint.mjJNT_FREE else 0)
            norm = np.linalg.norm(qpos[adr:adr + 4])
            if norm > 0:
                qpos[adr:adr + 4] /= norm


def nudged(state: State, size: float, rng: np.random.Generator) -> State:
    """A copy with the continuous state changed by a relative amount (relative to one plus its size)."""
    state = state.copy()
    for name in ("qpos", "qvel", "act", "qacc_warmstart"):
        value = state.arrays[name]
        value += size * (1 + np.abs(value)) * rng.uniform(-1, 1, value.shape)
    return state


def shadow_states(state: State, seed: int) -> list[State]:
    """The nudged copies from which the oracle's own sensitivity is measured."""
    rng = np.random.default_rng(seed)
    return [nudged(state, SHADOW_NUDGE, rng) for _ in range(SHADOW_RUNS)]


def step_result(data) -> dict[str, np.ndarray]:
    """A copy of what a step produces."""
    result = {name: np.array(getattr(data, name)) for name in STEP_FIELDS}
    result["time"] = np.array(float(data.time))
    return result
