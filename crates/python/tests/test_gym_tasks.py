"""Ready-made tasks beside Gymnasium's environments on MuJoCo, step by step."""

import inspect

import gymnasium
import pytest

import ferrodyn.gym
from ferrodyn.gym import TASKS
from gym_helpers import compare, pair

# how episodes end under random actions: by themselves and at the limit; not at all within the test
ENDS = {
    "Ant-v5": {"terminated", "truncated"},
    "HalfCheetah-v5": {"truncated"},
    "Hopper-v5": {"terminated"},
    "Humanoid-v5": {"terminated"},
    "HumanoidStandup-v5": set(),
    "InvertedDoublePendulum-v5": {"terminated"},
    "InvertedPendulum-v5": {"terminated"},
    "Pusher-v5": {"truncated"},
    "Reacher-v5": {"truncated"},
    "Swimmer-v5": set(),
    "Walker2d-v5": {"terminated"},
}

# other values than the defaults, in combinations that show
PARAMETERS = [
    ("Ant-v5", {"main_body": "torso", "contact_cost_weight": 0.1, "contact_force_range": (-3, 5)}),
    ("Ant-v5", {"include_cfrc_ext_in_observation": False, "healthy_z_range": (0.5, 0.8)}),
    ("Ant-v5", {"exclude_current_positions_from_observation": False, "reset_noise_scale": 0.3}),
    ("Ant-v5", {"terminate_when_unhealthy": False, "healthy_z_range": (0.5, 0.8)}),
    ("HalfCheetah-v5", {"exclude_current_positions_from_observation": False, "frame_skip": 2}),
    ("HalfCheetah-v5", {"forward_reward_weight": 2.0, "ctrl_cost_weight": 1.0}),
    ("Hopper-v5", {"healthy_state_range": (-3.0, 3.0), "healthy_angle_range": (-1.0, 1.0)}),
    ("Hopper-v5", {"healthy_reward": 2, "exclude_current_positions_from_observation": False}),
    ("Humanoid-v5", {"contact_cost_weight": 1.0, "contact_cost_range": (0.5, 700.0)}),
    ("Humanoid-v5", {"include_cinert_in_observation": False, "forward_reward_weight": 3.0}),
    ("Humanoid-v5", {"include_cvel_in_observation": False, "terminate_when_unhealthy": False}),
    ("Humanoid-v5", {"include_qfrc_actuator_in_observation": False, "healthy_z_range": (1.2, 2.0)}),
    ("HumanoidStandup-v5", {"include_cfrc_ext_in_observation": False, "uph_cost_weight": 3}),
    ("HumanoidStandup-v5", {"impact_cost_weight": 1.0, "impact_cost_range": (1.0, 9e9)}),
    ("InvertedDoublePendulum-v5", {"healthy_reward": 3.0, "reset_noise_scale": 0.02}),
    ("InvertedPendulum-v5", {"reset_noise_scale": 0.1, "frame_skip": 1}),
    ("Pusher-v5", {"reward_near_weight": 2.0, "reward_control_weight": 3.0}),
    ("Reacher-v5", {"reward_dist_weight": 2.0, "reward_control_weight": 3.0}),
    ("Swimmer-v5", {"forward_reward_weight": 2.0, "ctrl_cost_weight": 1.0}),
    ("Swimmer-v5", {"exclude_current_positions_from_observation": False}),
    ("Walker2d-v5", {"xml_file": "walker2d.xml", "healthy_z_range": (1.1, 2.0)}),
    ("Walker2d-v5", {"terminate_when_unhealthy": False, "ctrl_cost_weight": 1.0}),
]

RENDERING = {"default_camera_config", "kwargs", "self"}


def test_there_are_all_tasks():
    assert set(TASKS) == set(ENDS)


@pytest.mark.parametrize("name", TASKS)
def test_task_equals_gymnasiums(name):
    terminated, truncated = compare(*pair(name), steps=200)
    assert (terminated > 0) == ("terminated" in ENDS[name])
    assert (truncated > 0) == ("truncated" in ENDS[name])


@pytest.mark.parametrize("name, kwargs", PARAMETERS, ids=lambda value: str(value)[:40])
def test_parameters_mean_the_same(name, kwargs):
    compare(*pair(name, num_envs=2, **kwargs), steps=40)


@pytest.mark.parametrize("name", TASKS)
def test_parameters_have_the_same_defaults(name):
    entry_point = gymnasium.envs.registration.load_env_creator(gymnasium.spec(name).entry_point)
    theirs = inspect.signature(entry_point.__init__).parameters
    ours = inspect.signature(TASKS[name]).parameters
    assert set(ours) == set(theirs) - RENDERING
    assert {key: ours[key].default for key in ours} == {key: theirs[key].default for key in ours}
    assert TASKS[name].max_episode_steps == gymnasium.spec(name).max_episode_steps


def test_a_model_of_ones_own_by_its_path(tmp_path):
    joints = "<joint type='slide'/><joint type='slide'/><joint/><geom size='.1'/>"
    xml = f"<mujoco><worldbody><body>{joints}</body></worldbody></mujoco>"
    path = tmp_path / "model.xml"
    path.write_text(xml)
    envs = ferrodyn.gym.make_vec("HalfCheetah-v5", 1, xml_file=str(path))
    assert envs.single_observation_space.shape == (5,)
    assert envs.single_action_space.shape == (0,)


def test_an_unknown_task_or_parameter():
    with pytest.raises(ValueError, match="there is no task 'Ant-v4'; there are Ant-v5"):
        ferrodyn.gym.make_vec("Ant-v4")
    with pytest.raises(TypeError, match="render_mode"):
        ferrodyn.gym.make_vec("Ant-v5", render_mode="human")
