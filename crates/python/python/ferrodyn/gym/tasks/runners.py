"""HalfCheetah and Swimmer: move forward, and spend little on it."""

from dataclasses import dataclass

import numpy as np

from .common import Standard, distance, squares

__all__ = ["HalfCheetah", "Swimmer"]


@dataclass(kw_only=True, eq=False)
class HalfCheetah(Standard):
    """HalfCheetah-v5."""

    xml_file: str = "half_cheetah.xml"
    frame_skip: int = 5
    forward_reward_weight: float = 1.0
    ctrl_cost_weight: float = 0.1
    reset_noise_scale: float = 0.1
    exclude_current_positions_from_observation: bool = True

    def observation(self, s):
        skip = 1 if self.exclude_current_positions_from_observation else 0
        return np.concatenate([s.qpos[:, skip:], s.qvel], axis=1)

    def reward(self, s, action):
        x = s.qpos[:, 0]
        velocity = (x - s.before.qpos[:, 0]) / s.dt
        forward = self.forward_reward_weight * velocity
        cost = self.ctrl_cost_weight * squares(action)
        return forward - cost, {
            "x_position": x,
            "x_velocity": velocity,
            "reward_forward": forward,
            "reward_ctrl": -cost,
        }

    def initial(self, rng):
        return self.around_reference(rng, self.reset_noise_scale, normal=True)

    def reset_info(self, s):
        return {"x_position": s.qpos[:, 0]}


@dataclass(kw_only=True, eq=False)
class Swimmer(Standard):
    """Swimmer-v5."""

    xml_file: str = "swimmer.xml"
    frame_skip: int = 4
    forward_reward_weight: float = 1.0
    ctrl_cost_weight: float = 1e-4
    reset_noise_scale: float = 0.1
    exclude_current_positions_from_observation: bool = True

    def observation(self, s):
        skip = 2 if self.exclude_current_positions_from_observation else 0
        return np.concatenate([s.qpos[:, skip:], s.qvel], axis=1)

    def reward(self, s, action):
        velocity = (s.qpos[:, :2] - s.before.qpos[:, :2]) / s.dt
        forward = self.forward_reward_weight * velocity[:, 0]
        cost = self.ctrl_cost_weight * squares(action)
        return forward - cost, self.reset_info(s) | {
            "x_velocity": velocity[:, 0],
            "y_velocity": velocity[:, 1],
            "reward_forward": forward,
            "reward_ctrl": -cost,
        }

    def initial(self, rng):
        return self.around_reference(rng, self.reset_noise_scale)

    def reset_info(self, s):
        return {
            "x_position": s.qpos[:, 0],
            "y_position": s.qpos[:, 1],
            "distance_from_origin": distance(s.qpos[:, :2]),
        }
