"""What a task is: a model, and functions of arrays that have a row for each world."""

import functools
import os
from collections.abc import Sequence
from typing import Any

import numpy as np
from gymnasium import Space
from gymnasium.spaces import Box
from numpy.typing import NDArray

from .._model import MjModel

__all__ = ["State", "Task"]


class State:
    """What a task sees of the worlds. Every array has a row for each of them, and is read only.

    ``qpos``, ``qvel`` and ``ctrl`` are always there, and so are the arrays that the task names in
    its ``fields``, with the shapes that they have in ``MjData``. ``before`` is the same for the
    moment before the step (after a reset: for the initial state). ``dt`` is the time between the
    two, in seconds.

    As after ``mj_step``, arrays that follow from the configuration (``xpos``, ...) belong to the
    last evaluation within the step, not to the new ``qpos``.
    """

    qpos: NDArray
    qvel: NDArray
    ctrl: NDArray
    dt: float
    before: "State"

    def __init__(self, arrays: dict[str, NDArray], dt: float, before: "State | None" = None):
        self.__dict__.update(arrays, dt=dt, before=before)

    def __getattr__(self, name: str) -> NDArray:
        # only for what is not there
        if name.startswith("_"):
            raise AttributeError(name)
        raise AttributeError(f"the task does not observe {name!r}: name it in its `fields`")

    def take(self, which: NDArray) -> "State":
        """The state of those worlds that ``which`` marks: copies, made when they are asked for."""
        return _Rows(self, which)


class _Rows(State):
    """Some rows of a state."""

    def __init__(self, whole: State, which: NDArray):
        self._whole, self._which = whole, which
        self.dt = whole.dt

    def __getattr__(self, name: str) -> Any:
        value = getattr(self._whole, name)
        rows = value.take(self._which) if isinstance(value, State) else value[self._which]
        setattr(self, name, rows)
        return rows


class Task:
    """A task for :class:`VectorEnv`, which calls its methods once a step for all worlds together.

    A cart that shall stand still at the middle::

        class Cart(Task):
            model = '''<mujoco>
              <worldbody><body><joint name="x" type="slide" axis="1 0 0"/><geom size=".1"/></body>
              </worldbody>
              <actuator><motor joint="x" ctrlrange="-1 1" gear="20"/></actuator></mujoco>'''
            frame_skip = 5
            max_episode_steps = 200

            def observation(self, s):
                return np.hstack([s.qpos, s.qvel])

            def reward(self, s, action):
                distance = np.abs(s.qpos[:, 0])
                return -distance, {"distance": distance}

            def terminated(self, s):
                return np.abs(s.qpos[:, 0]) > 2

            def initial(self, rng):
                return rng.uniform(-1, 1, 1), np.zeros(1)
    """

    #: Path of a model, its text (XML), or an ``MjModel``.
    model: Any = None
    #: Time steps of the engine in a step of the environment.
    frame_skip: int = 1
    #: Names of arrays of ``MjData`` that the methods need beside ``qpos``, ``qvel`` and ``ctrl``.
    fields: Sequence[str] = ()
    #: Steps after which an episode is truncated; None for no limit.
    max_episode_steps: int | None = None
    #: Space of a world's observation; unlimited, with the shape of what ``observation`` returns,
    #: unless given.
    observation_space: Space | None = None
    #: Space of a world's action; the control ranges of the actuators unless given.
    action_space: Space | None = None

    @functools.cached_property
    def mj_model(self) -> MjModel:
        """The model, loaded."""
        model = self.model
        if isinstance(model, os.PathLike):
            return MjModel.from_xml_path(os.fspath(model))
        if isinstance(model, str):
            is_text = model.lstrip().startswith("<")
            return (MjModel.from_xml_string if is_text else MjModel.from_xml_path)(model)
        if model is None:
            raise TypeError(f"{type(self).__name__} has no model: set `model`")
        return model

    def observation(self, s: State) -> NDArray:
        """What each world observes, ``[n, ...]``."""
        return np.hstack([s.qpos, s.qvel])

    def reward(self, s: State, action: NDArray) -> tuple[NDArray, dict[str, Any]]:
        """Rewards, ``[n]``, and what else to tell about the step: arrays ``[n, ...]`` by name."""
        raise NotImplementedError(f"{type(self).__name__} has no reward")

    def terminated(self, s: State) -> NDArray:
        """Which worlds have come to an end, ``[n]``; none unless a task says so."""
        return np.zeros(len(s.qpos), bool)

    def initial(self, rng: np.random.Generator) -> tuple[NDArray, NDArray]:
        """Positions and velocities with which one world begins, drawn from its own generator."""
        return self.mj_model.qpos0, np.zeros(self.mj_model.nv)

    def initial_states(self, rngs: Sequence[np.random.Generator]) -> NDArray:
        """Rows of positions and velocities for worlds that begin; calls ``initial`` for each."""
        return np.array([np.concatenate(self.initial(rng)) for rng in rngs])

    def reset_info(self, s: State) -> dict[str, Any]:
        """What to tell about worlds that begin: arrays ``[n, ...]`` by name, others unused."""
        return {}

    def control(self, action: NDArray) -> NDArray:
        """Controls, ``[n, nu]``, that an action means; the same unless a task says otherwise."""
        return action

    def default_action_space(self) -> Box:
        """The ranges of the controls, in single precision as in Gymnasium; infinite without."""
        m = self.mj_model
        limited = np.asarray(m.actuator_ctrllimited, bool)[:, None]
        bounds = np.where(limited, m.actuator_ctrlrange, (-np.inf, np.inf)).astype(np.float32)
        return Box(bounds[:, 0], bounds[:, 1], dtype=np.float32)
