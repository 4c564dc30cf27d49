"""Reacher and Pusher: an arm brings its tip, or a cylinder, to a goal."""

from dataclasses import dataclass

import numpy as np

from .common import Standard, distance, squares

__all__ = ["Pusher", "Reacher"]


@dataclass(kw_only=True, eq=False)
class Reacher(Standard):
    """Reacher-v5."""

    xml_file: str = "reacher.xml"
    frame_skip: int = 2
    reward_dist_weight: float = 1
    reward_control_weight: float = 1

    max_episode_steps = 50
    fields = ("xpos",)

    def __post_init__(self):
        super().__post_init__()
        self._bodies = self.body("fingertip"), self.body("target")

    def to_target(self, s):
        """From the target to the tip of the arm."""
        tip, target = self._bodies
        return s.xpos[:, tip] - s.xpos[:, target]

    def observation(self, s):
        angles = s.qpos[:, :2]
        parts = [np.cos(angles), np.sin(angles), s.qpos[:, 2:], s.qvel[:, :2]]
        return np.concatenate([*parts, self.to_target(s)[:, :2]], axis=1)

    def reward(self, s, action):
        near = -distance(self.to_target(s)) * self.reward_dist_weight
        control = -squares(action) * self.reward_control_weight
        return near + control, {"reward_dist": near, "reward_ctrl": control}

    def initial(self, rng):
        qpos = self.mj_model.qpos0 + rng.uniform(-0.1, 0.1, self.mj_model.nq)
        # a goal within a disc
        goal = rng.uniform(-0.2, 0.2, 2)
        while np.linalg.norm(goal) >= 0.2:
            goal = rng.uniform(-0.2, 0.2, 2)
        qpos[-2:] = goal
        qvel = rng.uniform(-0.005, 0.005, self.mj_model.nv)
        qvel[-2:] = 0
        return qpos, qvel


@dataclass(kw_only=True, eq=False)
class Pusher(Standard):
    """Pusher-v5."""

    xml_file: str = "pusher_v5.xml"
    frame_skip: int = 5
    reward_near_weight: float = 0.5
    reward_dist_weight: float = 1
    reward_control_weight: float = 0.1

    max_episode_steps = 100
    fields = ("xpos",)

    def __post_init__(self):
        super().__post_init__()
        self._bodies = [self.body(name) for name in ("tips_arm", "object", "goal")]

    def observation(self, s):
        places = s.xpos[:, self._bodies].reshape(len(s.qpos), -1)
        return np.concatenate([s.qpos[:, :7], s.qvel[:, :7], places], axis=1)

    def reward(self, s, action):
        tip, thing, goal = self._bodies
        where = s.xpos[:, thing]
        near = -distance(where - s.xpos[:, tip]) * self.reward_near_weight
        far = -distance(where - s.xpos[:, goal]) * self.reward_dist_weight
        control = -squares(action) * self.reward_control_weight
        info = {"reward_dist": far, "reward_ctrl": control, "reward_near": near}
        return far + control + near, info

    def initial(self, rng):
        qpos = self.mj_model.qpos0.copy()
        # the cylinder begins away from the goal, which is at the origin
        place = _place(rng)
        while np.linalg.norm(place) <= 0.17:
            place = _place(rng)
        qpos[-4:] = *place, 0, 0
        qvel = rng.uniform(-0.005, 0.005, self.mj_model.nv)
        qvel[-4:] = 0
        return qpos, qvel


def _place(rng):
    return rng.uniform(-0.3, 0), rng.uniform(-0.2, 0.2)
