"""Vector environments of Gymnasium: many worlds of one task, stepped together on all cores.

The tasks of Gymnasium's MuJoCo v5 are there by name::

    import ferrodyn.gym

    envs = ferrodyn.gym.make_vec("Ant-v5", num_envs=64)
    observations, infos = envs.reset(seed=0)
    observations, rewards, terminations, truncations, infos = envs.step(envs.action_space.sample())

A task of your own is a model and functions of arrays that have a row for each world (see
:class:`Task`)::

    envs = ferrodyn.gym.VectorEnv(MyTask(), num_envs=1024, max_episode_steps=500)

It needs Gymnasium: ``pip install "ferrodyn[gym]"``.
"""

try:
    import gymnasium  # noqa: F401
except ImportError as error:
    raise ImportError(
        "ferrodyn.gym needs Gymnasium, which is not installed: pip install 'ferrodyn[gym]'"
    ) from error

from gymnasium.vector import AutoresetMode

from .registry import TASKS, make_task, make_vec, register
from .task import State, Task
from .vector_env import VectorEnv

__all__ = ["TASKS", "AutoresetMode", "State", "Task", "VectorEnv", "make_task", "make_vec"]

register()
