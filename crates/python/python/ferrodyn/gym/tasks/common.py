"""What the tasks of Gymnasium have in common."""

import os
from dataclasses import dataclass

import gymnasium
import numpy as np
from numpy.typing import NDArray

from ..task import Task

__all__ = ["Standard", "between", "distance", "squares"]


@dataclass(kw_only=True, eq=False)
class Standard(Task):
    """A task on a model of Gymnasium's, or on one by a path with ``/``, ``.`` or ``~`` at first."""

    xml_file: str
    frame_skip: int

    max_episode_steps = 1000

    def __post_init__(self):
        self.model = _path(self.xml_file)

    def body(self, name: str) -> int:
        """The number of a body."""
        return self.mj_model.body(name).id

    def around_reference(
        self, rng: np.random.Generator, scale: float, *, normal: bool = False
    ) -> tuple[NDArray, NDArray]:
        """The reference pose at rest with noise: uniform, for velocities also normal."""
        m = self.mj_model
        qpos = m.qpos0 + rng.uniform(-scale, scale, m.nq)
        if normal:
            return qpos, scale * rng.standard_normal(m.nv)
        return qpos, rng.uniform(-scale, scale, m.nv)


def _path(xml_file: str) -> str:
    if xml_file.startswith((".", "/")):
        return xml_file
    if xml_file.startswith("~"):
        return os.path.expanduser(xml_file)
    assets = os.path.join(os.path.dirname(gymnasium.__file__), "envs", "mujoco", "assets")
    return os.path.join(assets, xml_file)


def squares(array: NDArray) -> NDArray:
    """Sum of squares for each world, in the precision of the array."""
    return np.square(array.reshape(len(array), -1)).sum(axis=1)


def distance(vectors: NDArray) -> NDArray:
    """Length of each row."""
    return np.sqrt(np.square(vectors).sum(axis=1))


def between(values: NDArray, bounds: tuple[float, float]) -> NDArray:
    """Which values lie strictly between bounds."""
    return (bounds[0] < values) & (values < bounds[1])
