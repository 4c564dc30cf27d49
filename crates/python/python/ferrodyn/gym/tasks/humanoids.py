"""Humanoid and HumanoidStandup: walk forward, or stand up."""

from dataclasses import dataclass

import numpy as np

from .common import Standard, between, distance, squares

__all__ = ["Humanoid", "HumanoidStandup"]


@dataclass(kw_only=True, eq=False)
class _Body(Standard):
    """What both observe."""

    frame_skip: int = 5
    ctrl_cost_weight: float = 0.1
    reset_noise_scale: float = 1e-2
    exclude_current_positions_from_observation: bool = True
    include_cinert_in_observation: bool = True
    include_cvel_in_observation: bool = True
    include_qfrc_actuator_in_observation: bool = True
    include_cfrc_ext_in_observation: bool = True

    fields = ("cinert", "cvel", "qfrc_actuator", "cfrc_ext", "ten_length", "ten_velocity")

    def observation(self, s):
        n = len(s.qpos)
        parts = [s.qpos[:, 2 if self.exclude_current_positions_from_observation else 0 :], s.qvel]
        # without the world, and without what acts on the free joint
        if self.include_cinert_in_observation:
            parts.append(s.cinert[:, 1:].reshape(n, -1))
        if self.include_cvel_in_observation:
            parts.append(s.cvel[:, 1:].reshape(n, -1))
        if self.include_qfrc_actuator_in_observation:
            parts.append(s.qfrc_actuator[:, 6:])
        if self.include_cfrc_ext_in_observation:
            parts.append(s.cfrc_ext[:, 1:].reshape(n, -1))
        return np.concatenate(parts, axis=1)

    def initial(self, rng):
        return self.around_reference(rng, self.reset_noise_scale)

    def reset_info(self, s):
        return {
            "x_position": s.qpos[:, 0],
            "y_position": s.qpos[:, 1],
            "tendon_length": s.ten_length,
            "tendon_velocity": s.ten_velocity,
        }


@dataclass(kw_only=True, eq=False)
class Humanoid(_Body):
    """Humanoid-v5."""

    xml_file: str = "humanoid.xml"
    forward_reward_weight: float = 1.25
    contact_cost_weight: float = 5e-7
    contact_cost_range: tuple[float, float] = (-np.inf, 10.0)
    healthy_reward: float = 5.0
    terminate_when_unhealthy: bool = True
    healthy_z_range: tuple[float, float] = (1.0, 2.0)

    fields = (*_Body.fields, "xipos")

    def __post_init__(self):
        super().__post_init__()
        mass = self.mj_model.body_mass
        self._shares = mass / mass.sum()

    def centre(self, s):
        """Centre of mass, in the plane."""
        return np.einsum("b,nbj->nj", self._shares, s.xipos[:, :, :2])

    def healthy(self, s):
        """Is it at a height at which it can walk?"""
        return between(s.qpos[:, 2], self.healthy_z_range)

    def reward(self, s, action):
        velocity = (self.centre(s) - self.centre(s.before)) / s.dt
        forward = self.forward_reward_weight * velocity[:, 0]
        survive = self.healthy(s) * self.healthy_reward
        control = self.ctrl_cost_weight * squares(s.ctrl)
        contact = np.clip(self.contact_cost_weight * squares(s.cfrc_ext), *self.contact_cost_range)
        return forward + survive - (control + contact), self.reset_info(s) | {
            "x_velocity": velocity[:, 0],
            "y_velocity": velocity[:, 1],
            "reward_survive": survive,
            "reward_forward": forward,
            "reward_ctrl": -control,
            "reward_contact": -contact,
        }

    def terminated(self, s):
        if not self.terminate_when_unhealthy:
            return super().terminated(s)
        return ~self.healthy(s)

    def reset_info(self, s):
        return super().reset_info(s) | {"distance_from_origin": distance(s.qpos[:, :2])}


@dataclass(kw_only=True, eq=False)
class HumanoidStandup(_Body):
    """HumanoidStandup-v5."""

    xml_file: str = "humanoidstandup.xml"
    uph_cost_weight: float = 1
    impact_cost_weight: float = 0.5e-6
    impact_cost_range: tuple[float, float] = (-np.inf, 10.0)

    def reward(self, s, action):
        # Gymnasium has no effect of uph_cost_weight either
        up = s.qpos[:, 2] / self.mj_model.opt.timestep
        control = self.ctrl_cost_weight * squares(s.ctrl)
        impact = np.clip(self.impact_cost_weight * squares(s.cfrc_ext), *self.impact_cost_range)
        return up - control - impact + 1, self.reset_info(s) | {
            "reward_linup": up,
            "reward_quadctrl": -control,
            "reward_impact": -impact,
        }

    def reset_info(self, s):
        height = s.qpos[:, 2] - self.mj_model.qpos0[2]
        return super().reset_info(s) | {"z_distance_from_origin": height}
