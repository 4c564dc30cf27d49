"""A vector environment of Gymnasium on a batch of worlds."""

import copy
import math
import operator
from collections.abc import Sequence
from typing import Any

import gymnasium
import numpy as np
from gymnasium.error import ResetNeeded
from gymnasium.spaces import Box
from gymnasium.utils import seeding
from gymnasium.vector import AutoresetMode
from gymnasium.vector.utils import batch_space
from numpy.typing import ArrayLike, NDArray

from .._enums import mjtState
from ..batch import BatchSim
from .infos import add
from .task import State, Task

__all__ = ["VectorEnv"]


class VectorEnv(gymnasium.vector.VectorEnv):
    """Worlds of one task that are stepped together, with the results of Gymnasium's vectorizers.

    World ``i`` of a reset with ``seed`` has a generator of its own for ``seed + i``, so that
    episodes begin as those of Gymnasium's. The modes of resets are Gymnasium's: the step after the
    last one of an episode resets the world (``NEXT_STEP``); the last step does it itself, and
    ``final_obs`` and ``final_info`` say how the episode ended (``SAME_STEP``); or a call of
    ``reset`` with ``options={"reset_mask": mask}`` does it (``DISABLED``).

    A world that diverges has terminated: its reward is zero, its state that before the step, and
    ``infos["error"]`` says why. With ``divergence="mujoco"`` it goes on from the reference pose
    instead, as Gymnasium's do.

    Worlds can be changed through ``batch`` (``envs.batch.set_parameter("geom_friction", rows)``).
    There is no rendering.
    """

    def __init__(
        self,
        task: Task,
        num_envs: int,
        *,
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        max_episode_steps: int | None = None,
        threads: int = 0,
        divergence: str = "error",
    ):
        """``max_episode_steps``: None for the task's, -1 for no limit. ``threads``: 0 for all."""
        if num_envs < 1:
            raise ValueError(f"a vector environment has at least one world, not {num_envs}")
        if max_episode_steps is None:
            max_episode_steps = task.max_episode_steps
        elif max_episode_steps == -1:
            max_episode_steps = None
        elif max_episode_steps < 1:
            raise ValueError(f"an episode has at least one step, not {max_episode_steps}")
        self.task = task
        self.num_envs = num_envs
        self.autoreset_mode = AutoresetMode(autoreset_mode)
        self.metadata = {"render_modes": [], "autoreset_mode": self.autoreset_mode}
        self.max_episode_steps = max_episode_steps
        model = task.mj_model
        #: The worlds.
        self.batch = BatchSim(
            model,
            num_envs,
            threads=threads,
            frame_skip=task.frame_skip,
            observe=tuple(task.fields),
            auto_reset=False,
            divergence=divergence,
        )
        self._state, self._backup = _state(self.batch, task.frame_skip * model.opt.timestep)
        self._starts = self.batch.states.copy()
        self._elapsed = np.zeros(num_envs, np.int64)
        self._ended = np.zeros(num_envs, bool)
        self._begun = False
        self._generators: list[np.random.Generator | None] = [None] * num_envs
        self._seeds: list[int | None] = [None] * num_envs
        self._make_spaces()

    def checkpoint(self) -> dict[str, Any]:
        """All that the next steps depend on, to be pickled or given to ``restore``.

        Parameters of worlds that were set through ``batch`` are not part of it; sleeping trees are
        awake after ``restore``.
        """
        return {
            "worlds": self.batch.states_of(mjtState.mjSTATE_INTEGRATION),
            "now": [array.copy() for _, array in self._backup],
            "sensors": self.batch.sensors.copy(),
            "starts": self._starts.copy(),
            "elapsed": self._elapsed.copy(),
            "ended": self._ended.copy(),
            "begun": self._begun,
            "generators": copy.deepcopy(self._generators),
            "seeds": list(self._seeds),
        }

    def restore(self, checkpoint: dict[str, Any]) -> None:
        """Go on from a checkpoint of an environment with the same task and as many worlds."""
        worlds = checkpoint["worlds"]
        self.batch.reset(states=worlds, spec=mjtState.mjSTATE_INTEGRATION)
        for (_, array), then in zip(self._backup, checkpoint["now"], strict=True):
            np.copyto(array, then)
        np.copyto(self.batch.sensors, checkpoint["sensors"])
        np.copyto(self._starts, checkpoint["starts"])
        np.copyto(self._elapsed, checkpoint["elapsed"])
        np.copyto(self._ended, checkpoint["ended"])
        self._begun = checkpoint["begun"]
        self._generators = copy.deepcopy(checkpoint["generators"])
        self._seeds = list(checkpoint["seeds"])

    def _make_spaces(self) -> None:
        space = self.task.observation_space
        if space is None:
            observation = np.asarray(self.task.observation(self._state))
            space = Box(-np.inf, np.inf, observation.shape[1:], np.float64)
        self.single_observation_space = space
        self.observation_space = batch_space(space, self.num_envs)
        action_space = self.task.action_space
        if action_space is None:
            action_space = self.task.default_action_space()
        self.single_action_space = action_space
        self.action_space = batch_space(action_space, self.num_envs)

    @property
    def np_random(self) -> tuple[np.random.Generator, ...]:
        """The generators of the worlds."""
        return tuple(self._generator(i) for i in range(self.num_envs))

    @property
    def np_random_seed(self) -> tuple[int, ...]:
        """The seeds of the worlds' generators."""
        return tuple(self._generator(i) and self._seeds[i] for i in range(self.num_envs))

    def _generator(self, world: int) -> np.random.Generator:
        generator = self._generators[world]
        if generator is None:
            generator, self._seeds[world] = seeding.np_random()
            self._generators[world] = generator
        return generator

    def reset(
        self,
        *,
        seed: int | Sequence[int | None] | None = None,
        options: dict[str, Any] | None = None,
    ) -> tuple[NDArray, dict[str, Any]]:
        """Begin new episodes in all worlds, or in those that ``options["reset_mask"]`` marks.

        ``seed``: a number for ``seed + i`` in world ``i``, or one number (or None) for each world.
        """
        which = reset_mask(options, self.num_envs, self._begun)
        for world, number in enumerate(seeds_of(seed, self.num_envs)):
            if which[world] and number is not None:
                rng, used = seeding.np_random(number)
                self._generators[world], self._seeds[world] = rng, used
        self._begin(which)
        self._begun = True
        infos = add({}, self.task.reset_info(self._state), which)
        return self._observe(self._state), infos

    def _begin(self, which: NDArray) -> None:
        """Bring the worlds that are marked to new initial states."""
        worlds = np.flatnonzero(which)
        rows = self.task.initial_states([self._generator(world) for world in worlds])
        for world in worlds[~np.isfinite(rows).all(axis=1)]:
            raise ValueError(f"world {world} cannot begin: its initial state is not finite")
        self._starts[which] = rows
        self.batch.controls[which] = 0
        self.batch.reset(which, self._starts)
        for world, text in self.batch.errors.items():
            if which[world]:
                raise ValueError(f"world {world} cannot begin: {text}")
        for before, array in self._backup:
            before[which] = array[which]
        self._elapsed[which] = 0
        self._ended[which] = False

    def step(self, actions: ArrayLike) -> tuple[NDArray, NDArray, NDArray, NDArray, dict[str, Any]]:
        """Step all worlds: observations, rewards, terminations, truncations and infos."""
        actions = np.asarray(actions)
        if actions.shape != self.action_space.shape:
            raise ValueError(
                f"actions have the shape {actions.shape}, not {self.action_space.shape}"
            )
        if not self._begun:
            raise ResetNeeded("call reset before the first step")
        begin = self._ended.copy() if self._ended.any() else None
        if self.autoreset_mode == AutoresetMode.DISABLED:
            check_going_on(self._ended)
        for before, array in self._backup:
            np.copyto(before, array)
        self.batch.step(self.task.control(actions))
        self._elapsed += 1
        if self.batch.errors:
            # a world that failed shows nothing of the step that was not to be
            for before, array in self._backup:
                array[self.batch.failed] = before[self.batch.failed]
        if begin is not None:
            # a world that begins was stepped as well, with no effect
            self._begin(begin)
        return self._results(actions, begin)

    def _results(self, actions: NDArray, begin: NDArray | None) -> tuple:
        """What a step returns. Worlds marked by ``begin`` have begun instead of being stepped."""
        task, state = self.task, self._state
        rewards, info = task.reward(state, actions)
        rewards = np.array(rewards, np.float64)
        terminations = np.array(task.terminated(state), bool)
        truncations = np.zeros(self.num_envs, bool)
        if self.max_episode_steps is not None:
            np.greater_equal(self._elapsed, self.max_episode_steps, out=truncations)
        failed = self.batch.failed.copy() if self.batch.errors else None
        if failed is not None:
            terminations |= failed
            rewards[failed] = 0
        stepped = np.ones(self.num_envs, bool)
        infos: dict[str, Any] = {}
        if begin is not None:
            rewards[begin], terminations[begin], truncations[begin] = 0, False, False
            stepped = ~begin
            add(infos, task.reset_info(state), begin)
        self._ended = terminations | truncations
        observations = self._observe(state)
        if self.autoreset_mode == AutoresetMode.SAME_STEP and self._ended.any():
            stepped = ~self._ended
            self._end(self._ended.copy(), observations, info, failed, infos)
        elif failed is not None:
            add(infos, self._errors(), failed)
        add(infos, info, stepped)
        return observations, rewards, terminations, truncations, infos

    def _end(self, ended, observations, info, failed, infos) -> None:
        """Say how episodes ended, and begin new ones."""
        last = np.full(self.num_envs, None)
        for world in np.flatnonzero(ended):
            last[world] = observations[world].copy()
        final = add({}, info, ended)
        if failed is not None:
            add(final, self._errors(), failed)
        infos.update(final_obs=last, _final_obs=ended, final_info=final, _final_info=ended.copy())
        self._begin(ended)
        observations[ended] = self.task.observation(self._state.take(ended))
        add(infos, self.task.reset_info(self._state), ended)

    def _observe(self, state: State) -> NDArray:
        return np.array(self.task.observation(state), self.single_observation_space.dtype)

    def _errors(self) -> dict[str, Any]:
        texts = np.full(self.num_envs, None)
        for world, text in self.batch.errors.items():
            texts[world] = text
        return {"error": texts}


def reset_mask(options: dict[str, Any] | None, num_envs: int, begun: bool) -> NDArray:
    """The worlds that a reset with these options is for."""
    mask = None if options is None else options.get("reset_mask")
    if mask is None:
        return np.ones(num_envs, bool)
    if not isinstance(mask, np.ndarray) or mask.dtype != bool:
        raise TypeError("options['reset_mask'] has to be an array of NumPy with dtype bool")
    if mask.shape != (num_envs,):
        raise ValueError(f"options['reset_mask'] has the shape {mask.shape}, not ({num_envs},)")
    if not mask.any():
        raise ValueError("options['reset_mask'] marks no world")
    if not begun and not mask.all():
        raise ResetNeeded("the first reset has to be one of all worlds")
    return mask


def seeds_of(seed: int | Sequence[int | None] | None, num_envs: int) -> Sequence[int | None]:
    """A seed for each world."""
    if seed is None:
        return [None] * num_envs
    if isinstance(seed, Sequence):
        if len(seed) != num_envs:
            raise ValueError(f"there are {len(seed)} seeds for {num_envs} worlds")
        return seed
    return range(operator.index(seed), operator.index(seed) + num_envs)


def check_going_on(ended: NDArray) -> None:
    """Without automatic resets, worlds that have come to an end are not stepped."""
    if ended.any():
        raise ResetNeeded(
            f"worlds {np.flatnonzero(ended).tolist()} have come to an end: "
            "call reset with options={'reset_mask': mask}"
        )


def _state(batch: BatchSim, dt: float) -> tuple[State, list[tuple[NDArray, NDArray]]]:
    """Views of the worlds, now and before the step, and the copies that the latter are made of."""
    observed = batch.observed_rows
    copies = [(array.copy(), array) for array in (batch.states, batch.controls, observed)]
    states, controls, rows = (before for before, _ in copies)

    def arrays(states, controls, rows):
        fields, first = {}, 0
        for name, array in batch.observed.items():
            last = first + math.prod(array.shape[1:])
            fields[name], first = rows[:, first:last].reshape(array.shape), last
        named = {"qpos": states[:, : batch.nq], "qvel": states[:, batch.nq :], "ctrl": controls}
        return named | fields

    before = State(arrays(states, controls, rows), dt)
    return State(arrays(batch.states, batch.controls, observed), dt, before), copies
