"""Ant: a quadruped moves forward."""

from dataclasses import dataclass

import numpy as np

from .common import Standard, distance, squares

__all__ = ["Ant"]


@dataclass(kw_only=True, eq=False)
class Ant(Standard):
    """Ant-v5."""

    xml_file: str = "ant.xml"
    frame_skip: int = 5
    forward_reward_weight: float = 1
    ctrl_cost_weight: float = 0.5
    contact_cost_weight: float = 5e-4
    healthy_reward: float = 1.0
    main_body: int | str = 1
    terminate_when_unhealthy: bool = True
    healthy_z_range: tuple[float, float] = (0.2, 1.0)
    contact_force_range: tuple[float, float] = (-1.0, 1.0)
    reset_noise_scale: float = 0.1
    exclude_current_positions_from_observation: bool = True
    include_cfrc_ext_in_observation: bool = True

    fields = ("xpos", "cfrc_ext")

    def __post_init__(self):
        super().__post_init__()
        named = isinstance(self.main_body, str)
        self._main_body = self.body(self.main_body) if named else self.main_body

    def forces(self, s):
        """External forces on the bodies, clipped."""
        return np.clip(s.cfrc_ext, *self.contact_force_range)

    def healthy(self, s):
        """Is the state finite, at a height at which it can walk?"""
        low, high = self.healthy_z_range
        z = s.qpos[:, 2]
        finite = np.isfinite(s.qpos).all(axis=1) & np.isfinite(s.qvel).all(axis=1)
        return finite & (low <= z) & (z <= high)

    def observation(self, s):
        skip = 2 if self.exclude_current_positions_from_observation else 0
        parts = [s.qpos[:, skip:], s.qvel]
        if self.include_cfrc_ext_in_observation:
            parts.append(self.forces(s)[:, 1:].reshape(len(s.qpos), -1))
        return np.concatenate(parts, axis=1)

    def reward(self, s, action):
        moved = s.xpos[:, self._main_body, :2] - s.before.xpos[:, self._main_body, :2]
        velocity = moved / s.dt
        forward = velocity[:, 0] * self.forward_reward_weight
        survive = self.healthy(s) * self.healthy_reward
        control = self.ctrl_cost_weight * squares(action)
        contact = self.contact_cost_weight * squares(self.forces(s))
        return forward + survive - (control + contact), self.reset_info(s) | {
            "x_velocity": velocity[:, 0],
            "y_velocity": velocity[:, 1],
            "reward_forward": forward,
            "reward_ctrl": -control,
            "reward_contact": -contact,
            "reward_survive": survive,
        }

    def terminated(self, s):
        if not self.terminate_when_unhealthy:
            return super().terminated(s)
        return ~self.healthy(s)

    def initial(self, rng):
        return self.around_reference(rng, self.reset_noise_scale, normal=True)

    def reset_info(self, s):
        return {
            "x_position": s.qpos[:, 0],
            "y_position": s.qpos[:, 1],
            "distance_from_origin": distance(s.qpos[:, :2]),
        }
