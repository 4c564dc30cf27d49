"""A vector environment whose worlds are shared among workers."""

from collections.abc import Callable, Sequence
from typing import Any

import gymnasium
import numpy as np
import ray as _ray
from gymnasium.error import ResetNeeded
from gymnasium.vector import AutoresetMode
from gymnasium.vector.utils import batch_space
from numpy.typing import ArrayLike, NDArray

from .. import gym
from ..gym.infos import join
from ..gym.task import Task
from ..gym.vector_env import check_going_on, reset_mask, seeds_of
from .cluster import TRIES, free_workers

__all__ = ["VectorEnv", "make_vec"]

_LOST = (_ray.exceptions.RayActorError, _ray.exceptions.ObjectLostError)


class _Worker:
    """Some of the worlds, on some machine."""

    def __init__(self, task, count, arguments, checkpoint, calls):
        self.envs = gym.VectorEnv(task, count, **arguments)
        if checkpoint is not None:
            self.envs.restore(checkpoint)
        for name, arguments in calls:
            getattr(self.envs, name)(**arguments)

    def call(self, name, arguments, save):
        result = getattr(self.envs, name)(**arguments)
        return result, self.envs.checkpoint() if save else None


class _Part:
    """The worlds of one worker: where they were at the last checkpoint, and what was asked of them since."""

    def __init__(self, start: Callable[..., Any], interval: int):
        self._start, self._interval = start, interval
        self._checkpoint: Any = None
        self._calls: list[tuple[str, dict]] = []
        self.worker = start(None, [], {})

    def begin(self, call: tuple[str, dict]) -> Any:
        """Ask for something; what to wait for."""
        save = len(self._calls) + 1 >= self._interval
        return self.worker.call.remote(*call, save)

    def end(self, call: tuple[str, dict], task: Any) -> Any:
        """What came of it. Where the worker was lost another one takes its place."""
        for _ in range(TRIES):
            try:
                result, checkpoint = _ray.get(task)
                break
            except _LOST as error:
                lost = error
                _ray.kill(self.worker)
                # without a claim on cores, since there may be none left
                self.worker = self._start(self._checkpoint, self._calls, {"num_cpus": 0})
                task = self.begin(call)
        else:
            raise RuntimeError(f"{TRIES} workers were lost with the same worlds") from lost
        if checkpoint is None:
            self._calls.append(call)
        else:
            self._checkpoint, self._calls = checkpoint, []
        return result


class VectorEnv(gymnasium.vector.VectorEnv):
    """:class:`ferrodyn.gym.VectorEnv` with its worlds on the machines of a Ray cluster, and the same results.

    Every worker has a part of the worlds. It returns all that they depend on from time to time; where it is lost, another one goes on
    from there and repeats the steps since.
    """

    def __init__(
        self,
        task: Task,
        num_envs: int,
        *,
        workers: int | None = None,
        threads: int = 1,
        checkpoint_interval: int = 100,
        **arguments: Any,
    ):
        """``workers`` of ``threads`` cores each; without a number as many as the cluster has room for now.

        ``checkpoint_interval``: how many steps at most are repeated for a worker that is lost. Other arguments are those of
        :class:`ferrodyn.gym.VectorEnv`.
        """
        if checkpoint_interval < 1:
            raise ValueError(f"a checkpoint comes after at least one step, not {checkpoint_interval}")
        # spaces, limits and modes, and the errors of wrong arguments
        one = gym.VectorEnv(task, min(num_envs, 1), threads=1, **arguments)
        workers = min(free_workers(workers, threads), num_envs)
        self.task, self.num_envs = task, num_envs
        self.autoreset_mode, self.metadata = one.autoreset_mode, one.metadata
        self.max_episode_steps = one.max_episode_steps
        self.single_observation_space = one.single_observation_space
        self.observation_space = batch_space(one.single_observation_space, num_envs)
        self.single_action_space = one.single_action_space
        self.action_space = batch_space(one.single_action_space, num_envs)
        # parts that differ by one world at most
        ends = [num_envs * i // workers for i in range(workers + 1)]
        self._slices = [slice(a, b) for a, b in zip(ends, ends[1:])]
        shared = _ray.put(task)
        kind = _ray.remote(_Worker)
        usual = {"num_cpus": threads, "scheduling_strategy": "SPREAD"}
        arguments["threads"] = threads

        def part(count):
            def start(checkpoint, calls, options):
                worker = kind.options(**(usual | options))
                return worker.remote(shared, count, arguments, checkpoint, calls)

            return _Part(start, checkpoint_interval)

        self._parts = [part(s.stop - s.start) for s in self._slices]
        self._observations: NDArray | None = None
        self._ended = np.zeros(num_envs, bool)

    def reset(
        self,
        *,
        seed: int | Sequence[int | None] | None = None,
        options: dict[str, Any] | None = None,
    ) -> tuple[NDArray, dict[str, Any]]:
        """As :meth:`ferrodyn.gym.VectorEnv.reset`."""
        mask = reset_mask(options, self.num_envs, self._observations is not None)
        seeds = seeds_of(seed, self.num_envs)
        calls = [
            ("reset", {"seed": list(seeds[s]), "options": {"reset_mask": mask[s]}})
            if mask[s].any()
            else None
            for s in self._slices
        ]
        results = self._each(calls)
        if self._observations is None:
            self._observations = np.concatenate([observations for observations, _ in results])
        for part, result in zip(self._slices, results, strict=True):
            if result is not None:
                self._observations[part] = result[0]
        self._ended &= ~mask
        return self._observations.copy(), self._join([r[1] if r else {} for r in results])

    def step(self, actions: ArrayLike) -> tuple[NDArray, NDArray, NDArray, NDArray, dict[str, Any]]:
        """As :meth:`ferrodyn.gym.VectorEnv.step`."""
        actions = np.asarray(actions)
        if actions.shape != self.action_space.shape:
            raise ValueError(
                f"actions have the shape {actions.shape}, not {self.action_space.shape}"
            )
        if self._observations is None:
            raise ResetNeeded("call reset before the first step")
        if self.autoreset_mode == AutoresetMode.DISABLED:
            check_going_on(self._ended)
        results = self._each([("step", {"actions": actions[part]}) for part in self._slices])
        *arrays, infos = zip(*results, strict=True)
        observations, rewards, terminations, truncations = map(np.concatenate, arrays)
        self._observations = observations.copy()
        self._ended = terminations | truncations
        return observations, rewards, terminations, truncations, self._join(infos)

    def _each(self, calls: list[tuple[str, dict] | None]) -> list[Any]:
        """Ask every part for something, or not; the results of all at once."""
        if not self._parts:
            raise RuntimeError("the workers were let go")
        asked = [
            call and (part, call, part.begin(call))
            for part, call in zip(self._parts, calls, strict=True)
        ]
        return [entry and entry[0].end(*entry[1:]) for entry in asked]

    def _join(self, infos: Sequence[dict[str, Any]]) -> dict[str, Any]:
        return join(infos, [part.stop - part.start for part in self._slices])

    def close_extras(self, **kwargs: Any) -> None:
        """Let the workers go."""
        for part in self._parts:
            _ray.kill(part.worker)
        self._parts = []


def make_vec(id: str, num_envs: int = 1, **arguments: Any) -> VectorEnv:
    """A vector environment of a ready-made task (``"Ant-v5"``). Arguments are those of :class:`VectorEnv` and of the task."""
    own = {name: arguments.pop(name) for name in list(arguments) if name in _ARGUMENTS}
    return VectorEnv(gym.make_task(id, **arguments), num_envs, **own)


_ARGUMENTS = (
    *("workers", "threads", "checkpoint_interval"),
    *("autoreset_mode", "max_episode_steps", "divergence"),
)
