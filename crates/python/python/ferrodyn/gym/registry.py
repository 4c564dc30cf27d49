"""Tasks by the names that Gymnasium gives them."""

import copy
from typing import Any

import gymnasium
from gymnasium.vector import AutoresetMode

from . import tasks
from .task import Task
from .vector_env import VectorEnv

__all__ = ["TASKS", "make_task", "make_vec", "register"]

#: Ready-made tasks by name: those of Gymnasium's MuJoCo environments, version 5.
TASKS: dict[str, type[Task]] = {f"{name}-v5": getattr(tasks, name) for name in tasks.__all__}


def make_task(id: str, **kwargs: Any) -> Task:
    """A ready-made task (``"Ant-v5"``); other arguments are its own."""
    name = id.removeprefix("ferrodyn/")
    if name not in TASKS:
        raise ValueError(f"there is no task {id!r}; there are {', '.join(TASKS)}")
    return TASKS[name](**kwargs)


def make_vec(
    id: str,
    num_envs: int = 1,
    *,
    autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
    max_episode_steps: int | None = None,
    threads: int = 0,
    divergence: str = "error",
    **kwargs: Any,
) -> VectorEnv:
    """A vector environment of a ready-made task (``"Ant-v5"``).

    Other arguments are those of the task (``reset_noise_scale=0.2``). The same worlds are there for
    ``gymnasium.make_vec`` with ``"ferrodyn/"`` before the name, once this package is imported.
    """
    name = id.removeprefix("ferrodyn/")
    envs = VectorEnv(
        make_task(id, **kwargs),
        num_envs,
        autoreset_mode=autoreset_mode,
        max_episode_steps=max_episode_steps,
        threads=threads,
        divergence=divergence,
    )
    envs.spec = copy.deepcopy(gymnasium.spec(f"ferrodyn/{name}"))
    envs.spec.kwargs.update(kwargs)
    return envs


def register() -> None:
    """Tell Gymnasium about the tasks."""
    for name, task in TASKS.items():
        if f"ferrodyn/{name}" not in gymnasium.registry:
            gymnasium.register(
                f"ferrodyn/{name}",
                vector_entry_point="ferrodyn.gym.registry:make_vec",
                max_episode_steps=task.max_episode_steps,
                kwargs={"id": name},
            )
