"""The oracle with a past: before every reset its Data runs through other states.

Comparing the oracle with this engine shows that nothing compared is left-over memory, since that would differ.
"""

from __future__ import annotations

import mujoco
import numpy as np
from mujoco import MjData, MjModel, mj_forward, mj_step

__all__ = ["MjData", "MjModel", "mj_forward", "mj_step", "mj_resetData"]

_SIZES = (0.0, 0.5, 0.05)
_random = np.random.default_rng(1)


def mj_resetData(model: MjModel, data: MjData) -> None:
    """Scribbles over the buffers with the results of other states, then resets."""
    for size in _SIZES:
        mujoco.mj_resetData(model, data)
        data.qpos[:] += size * _random.standard_normal(model.nq)
        data.qvel[:] = _random.standard_normal(model.nv)
        try:
            mujoco.mj_step(model, data)
        except mujoco.FatalError:
            pass  # too many contacts for the oracle's arena: dirty enough
    mujoco.mj_resetData(model, data)
