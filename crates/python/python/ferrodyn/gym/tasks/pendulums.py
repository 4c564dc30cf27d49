"""InvertedPendulum and InvertedDoublePendulum: balance poles on a cart."""

from dataclasses import dataclass

import numpy as np

from .common import Standard

__all__ = ["InvertedDoublePendulum", "InvertedPendulum"]


@dataclass(kw_only=True, eq=False)
class InvertedPendulum(Standard):
    """InvertedPendulum-v5."""

    xml_file: str = "inverted_pendulum.xml"
    frame_skip: int = 2
    reset_noise_scale: float = 0.01

    def observation(self, s):
        return np.concatenate([s.qpos, s.qvel], axis=1)

    def reward(self, s, action):
        survive = (~self.terminated(s)).astype(int)
        return survive, {"reward_survive": survive}

    def terminated(self, s):
        finite = np.isfinite(s.qpos).all(axis=1) & np.isfinite(s.qvel).all(axis=1)
        return ~finite | (np.abs(s.qpos[:, 1]) > 0.2)

    def initial(self, rng):
        return self.around_reference(rng, self.reset_noise_scale)


@dataclass(kw_only=True, eq=False)
class InvertedDoublePendulum(Standard):
    """InvertedDoublePendulum-v5."""

    xml_file: str = "inverted_double_pendulum.xml"
    frame_skip: int = 5
    healthy_reward: float = 10.0
    reset_noise_scale: float = 0.1

    fields = ("site_xpos", "qfrc_constraint")

    def observation(self, s):
        return np.concatenate(
            [
                s.qpos[:, :1],
                np.sin(s.qpos[:, 1:]),
                np.cos(s.qpos[:, 1:]),
                np.clip(s.qvel, -10, 10),
                np.clip(s.qfrc_constraint[:, :1], -10, 10),
            ],
            axis=1,
        )

    def reward(self, s, action):
        x, y = s.site_xpos[:, 0, 0], s.site_xpos[:, 0, 2]
        v1, v2 = s.qvel[:, 1], s.qvel[:, 2]
        position = 0.01 * x**2 + (y - 2) ** 2
        velocity = 1e-3 * v1**2 + 5e-3 * v2**2
        survive = self.healthy_reward * (~self.terminated(s)).astype(int)
        return survive - position - velocity, {
            "reward_survive": survive,
            "distance_penalty": -position,
            "velocity_penalty": -velocity,
        }

    def terminated(self, s):
        return s.site_xpos[:, 0, 2] <= 1

    def initial(self, rng):
        return self.around_reference(rng, self.reset_noise_scale, normal=True)
