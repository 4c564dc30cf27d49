"""Hopper and Walker2d: move forward in a plane without falling."""

from dataclasses import dataclass

import numpy as np

from .common import Standard, between, squares

__all__ = ["Hopper", "Walker2d"]


@dataclass(kw_only=True, eq=False)
class Walker2d(Standard):
    """Walker2d-v5."""

    xml_file: str = "walker2d_v5.xml"
    frame_skip: int = 4
    forward_reward_weight: float = 1.0
    ctrl_cost_weight: float = 1e-3
    healthy_reward: float = 1.0
    terminate_when_unhealthy: bool = True
    healthy_z_range: tuple[float, float] = (0.8, 2.0)
    healthy_angle_range: tuple[float, float] = (-1.0, 1.0)
    reset_noise_scale: float = 5e-3
    exclude_current_positions_from_observation: bool = True

    def healthy(self, s):
        """Is it upright, at a height at which it can walk?"""
        upright = between(s.qpos[:, 2], self.healthy_angle_range)
        return upright & between(s.qpos[:, 1], self.healthy_z_range)

    def observation(self, s):
        skip = 1 if self.exclude_current_positions_from_observation else 0
        return np.concatenate([s.qpos[:, skip:], np.clip(s.qvel, -10, 10)], axis=1)

    def reward(self, s, action):
        velocity = (s.qpos[:, 0] - s.before.qpos[:, 0]) / s.dt
        forward = self.forward_reward_weight * velocity
        survive = self.healthy(s) * self.healthy_reward
        cost = self.ctrl_cost_weight * squares(action)
        return forward + survive - cost, self.reset_info(s) | {
            "x_velocity": velocity,
            "reward_forward": forward,
            "reward_ctrl": -cost,
            "reward_survive": survive,
        }

    def terminated(self, s):
        if not self.terminate_when_unhealthy:
            return super().terminated(s)
        return ~self.healthy(s)

    def initial(self, rng):
        return self.around_reference(rng, self.reset_noise_scale)

    def reset_info(self, s):
        return {
            "x_position": s.qpos[:, 0],
            "z_distance_from_origin": s.qpos[:, 1] - self.mj_model.qpos0[1],
        }


@dataclass(kw_only=True, eq=False)
class Hopper(Walker2d):
    """Hopper-v5: as the walker, with bounds for its whole state."""

    xml_file: str = "hopper.xml"
    healthy_state_range: tuple[float, float] = (-100.0, 100.0)
    healthy_z_range: tuple[float, float] = (0.7, float("inf"))
    healthy_angle_range: tuple[float, float] = (-0.2, 0.2)

    def healthy(self, s):
        """As of the walker, with everything but the position in the plane within bounds."""
        positions = between(s.qpos[:, 2:], self.healthy_state_range).all(axis=1)
        velocities = between(s.qvel, self.healthy_state_range).all(axis=1)
        return super().healthy(s) & positions & velocities
