"""Rollouts and vector environments on the machines of a Ray cluster: ``pip install ferrodyn[ray]``.

::

    from ferrodyn import ray

    state, sensordata = ray.rollout(model, initial_state, control)       # workers for this call
    with ray.Rollouts(model, workers=64) as workers:                     # workers that stay
        state, sensordata = workers.rollout(initial_state, control)

    envs = ray.make_vec("Ant-v5", num_envs=4096, workers=64)             # with ferrodyn[gym]
    observations, infos = envs.reset(seed=0)

The model goes to each machine once, through Ray's store of objects. A worker that is lost, with its machine or alone, loses the rollouts or the
worlds that it had, and another one does them again. Results have the same bits as those of one machine.
"""

from typing import Any

try:
    import ray as _ray  # noqa: F401
except ImportError as error:
    raise ImportError("many machines need Ray: pip install ferrodyn[ray]") from error

from .rollouts import Rollouts, rollout

__all__ = ["Rollouts", "VectorEnv", "make_vec", "rollout"]


def __getattr__(name: str) -> Any:
    # these need Gymnasium, which rollouts can do without
    if name in ("VectorEnv", "make_vec"):
        from . import vector_env

        return getattr(vector_env, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
