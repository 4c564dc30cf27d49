"""Vector environments: modes of resets, seeding, spaces, infos, tasks of one's own."""

import pathlib
import pickle
import re
import subprocess
import sys
import textwrap

import gymnasium
import numpy as np
import pytest
from gymnasium.error import ResetNeeded

import ferrodyn
import ferrodyn.gym
from ferrodyn.gym import AutoresetMode, Task, VectorEnv
from ferrodyn.gym.infos import add, join
from gym_helpers import compare, pair, same

MODES = ["NextStep", "SameStep", "Disabled"]
CART = """
<mujoco>
  <worldbody><body><joint name="x" type="slide" axis="1 0 0"/><geom size=".1"/></body></worldbody>
  <actuator><motor joint="x" ctrlrange="-1 1" gear="10"/></actuator>
</mujoco>"""


class Cart(Task):
    """Pushed along a line, to an end at 0.05."""

    model = CART
    frame_skip = 2
    fields = ("xpos", "qacc")

    def reward(self, s, action):
        assert s.xpos.shape == (len(action), 2, 3)
        return s.qpos[:, 0] - s.before.qpos[:, 0], {"moved": s.qpos - s.before.qpos}

    def terminated(self, s):
        return s.qpos[:, 0] > 0.05


class Wild(Cart):
    """A motor so strong that its full control diverges at once."""

    model = CART.replace('gear="10"', 'gear="1e12"')

    def observation(self, s):
        return np.hstack([s.qpos, s.qvel, s.qacc])


# The end of an episode by itself, by the limit, and by both in the same step.
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("name, limit", [("Hopper-v5", 15), ("Humanoid-v5", 20), ("Pusher-v5", 7)])
def test_modes_of_resets_equal_gymnasiums(mode, name, limit):
    theirs, ours = pair(name, autoreset_mode=mode, max_episode_steps=limit)
    assert ours.metadata["autoreset_mode"] == AutoresetMode(mode)
    terminated, truncated = compare(theirs, ours, steps=80)
    assert truncated > 3
    assert (terminated > 3) == (name != "Pusher-v5")


def test_episodes_have_the_limit_of_the_task_another_or_none():
    def lengths(**kwargs):
        envs = ferrodyn.gym.make_vec("Reacher-v5", 2, **kwargs)
        envs.reset(seed=0)
        actions = np.zeros(envs.action_space.shape)
        truncations = [envs.step(actions)[3] for _ in range(60)]
        return np.flatnonzero(np.all(truncations, axis=1)).tolist()

    # the step after the last one resets
    assert lengths() == [49]
    assert lengths(max_episode_steps=20) == [19, 40]
    assert lengths(max_episode_steps=20, autoreset_mode="SameStep") == [19, 39, 59]
    assert lengths(max_episode_steps=-1) == []
    with pytest.raises(ValueError, match="at least one step, not 0"):
        lengths(max_episode_steps=0)


@pytest.mark.parametrize("seed", [0, 123, [5, None, 9]])
def test_seeds_are_gymnasiums(seed):
    theirs, ours = pair("Reacher-v5")
    same(ours.reset(seed=1), theirs.reset(seed=1), "first")
    same(ours.reset(seed=seed), theirs.reset(seed=seed), "seeded")
    # generators go on
    same(ours.reset(), theirs.reset(), "further")
    assert ours.np_random_seed == theirs.np_random_seed
    for a, b in zip(ours.np_random, theirs.np_random):
        assert a.bit_generator.state == b.bit_generator.state


def test_worlds_without_a_seed_differ():
    envs = ferrodyn.gym.make_vec("Reacher-v5", 3)
    first, _ = envs.reset()
    assert len(np.unique(first[:, 4])) == 3
    assert len(set(envs.np_random_seed)) == 3
    again, _ = ferrodyn.gym.make_vec("Reacher-v5", 3).reset()
    assert (first[:, 4] != again[:, 4]).all()


@pytest.mark.parametrize("mode", MODES)
def test_a_mask_resets_some_worlds(mode):
    theirs, ours = pair("Hopper-v5", autoreset_mode=mode)
    mask = np.array([True, False, True])
    same(ours.reset(seed=3), theirs.reset(seed=3), "reset")
    actions = np.full(ours.action_space.shape, 0.3, np.float32)
    for step in range(4):
        same(ours.step(actions), theirs.step(actions), step)
    results = [
        envs.reset(seed=[1, 2, 3], options={"reset_mask": mask.copy()}) for envs in (ours, theirs)
    ]
    same(*results, "mask")
    assert results[0][1]["_x_position"].tolist() == mask.tolist()
    assert ours.np_random_seed == (1, 4, 3)
    same(ours.step(actions), theirs.step(actions), "after")


def test_masks_and_seeds_that_are_refused():
    envs = VectorEnv(Cart(), 3)
    with pytest.raises(ResetNeeded, match="before the first step"):
        envs.step(np.zeros((3, 1)))
    with pytest.raises(ResetNeeded, match="all worlds"):
        envs.reset(options={"reset_mask": np.array([True, False, False])})
    envs.reset()
    with pytest.raises(TypeError, match="dtype bool"):
        envs.reset(options={"reset_mask": np.ones(3)})
    with pytest.raises(TypeError, match="array of NumPy"):
        envs.reset(options={"reset_mask": [True, True, True]})
    with pytest.raises(ValueError, match=r"shape \(2,\), not \(3,\)"):
        envs.reset(options={"reset_mask": np.ones(2, bool)})
    with pytest.raises(ValueError, match="marks no world"):
        envs.reset(options={"reset_mask": np.zeros(3, bool)})
    with pytest.raises(ValueError, match="2 seeds for 3 worlds"):
        envs.reset(seed=[1, 2])
    with pytest.raises(ValueError, match=r"shape \(3,\), not \(3, 1\)"):
        envs.step(np.zeros(3))
    with pytest.raises(ValueError, match="at least one world"):
        VectorEnv(Cart(), 0)
    with pytest.raises(ValueError, match="Never"):
        VectorEnv(Cart(), 1, autoreset_mode="Never")


def test_without_automatic_resets_the_end_has_to_be_seen_to():
    envs = VectorEnv(Cart(), 2, autoreset_mode="Disabled", max_episode_steps=1)
    envs.reset()
    envs.step(np.zeros((2, 1)))
    with pytest.raises(ResetNeeded, match=r"worlds \[0, 1\]"):
        envs.step(np.zeros((2, 1)))
    envs.reset(options={"reset_mask": np.array([True, False])})
    with pytest.raises(ResetNeeded, match=r"worlds \[1\]"):
        envs.step(np.zeros((2, 1)))


@pytest.mark.parametrize("mode", MODES)
def test_a_diverging_world_has_terminated_and_leaves_the_others_alone(mode):
    envs, calm = VectorEnv(Wild(), 3, autoreset_mode=mode), VectorEnv(Wild(), 3)
    actions = np.full((3, 1), 1e-12)
    for e in (envs, calm):
        e.reset(seed=0)
        previous, *_ = e.step(actions)
    _, rewards, *_ = calm.step(actions)
    actions[1] = 1
    observations, ours, terminations, truncations, infos = envs.step(actions)
    assert terminations.tolist() == [False, True, False] and not truncations.any()
    assert ours[1] == 0 and (ours[[0, 2]] == rewards[[0, 2]]).all()
    said = infos["final_info"] if mode == "SameStep" else infos
    last = infos["final_obs"] if mode == "SameStep" else observations
    assert (last[1] == previous[1]).all()
    assert said["_error"].tolist() == [False, True, False]
    assert "qacc" in said["error"][1].lower() or "diverge" in said["error"][1]
    assert said["error"][0] is None
    if mode == "Disabled":
        envs.reset(options={"reset_mask": terminations})
    observations, _, terminations, _, infos = envs.step(np.zeros((3, 1)))
    assert "error" not in infos and not terminations.any()
    assert observations[1].tolist() == [0, 0, 0]


def test_a_diverging_world_can_go_on_as_in_mujoco():
    envs = VectorEnv(Wild(), 2, divergence="mujoco")
    envs.reset()
    observations, _, terminations, _, infos = envs.step([[1e-12], [1]])
    assert not terminations.any() and "error" not in infos
    assert observations[0, 0] > 0 and np.isfinite(observations).all()


def test_a_world_that_cannot_begin():
    class Lost(Cart):
        def initial(self, rng):
            return np.full(1, np.nan), np.zeros(1)

    with pytest.raises(ValueError, match="world 0 cannot begin"):
        VectorEnv(Lost(), 2).reset()


def test_the_example_of_tasks_runs():
    text = Task.__doc__
    code = textwrap.dedent(text[text.index("        class Cart") :])
    assert len(code.splitlines()) < 30
    scope = {"Task": Task, "np": np}
    exec(code, scope)
    envs = VectorEnv(scope["Cart"](), 16)
    observations, _ = envs.reset(seed=0)
    assert observations.shape == (16, 2) and len(np.unique(observations[:, 0])) == 16
    for step in range(200):
        # towards the middle, and against the motion
        actions = np.clip(-3 * observations[:, :1] - observations[:, 1:], -1, 1)
        observations, rewards, terminations, truncations, infos = envs.step(actions)
        assert not terminations.any() and truncations.all() == (step == 199)
    assert (infos["distance"] == -rewards).all() and (rewards > -0.05).all()


def test_the_examples_of_the_readme_run():
    text = (pathlib.Path(__file__).parents[1] / "README.md").read_text()
    section = text.split("## Vector environments")[1]
    first, second = re.findall(r"```python\n(.*?)```", section, re.S)
    scope = {}
    exec(first.replace("range(1000)", "range(2)"), scope)
    assert scope["observations"].shape == (64, 348)
    exec(second, scope)
    envs = scope["envs"]
    assert envs.num_envs == 1024 and envs.single_observation_space.shape == (5,)
    observations, _ = envs.reset(seed=0)
    lengths = np.zeros(1024)
    while (lengths == 0).any():
        # left alone, every pole falls before the limit
        observations, rewards, terminations, truncations, infos = envs.step(np.zeros((1024, 1)))
        assert not truncations.any() and (infos["height"] > 0.5)[infos["_height"]].all()
        lengths += terminations
    assert (infos["final_info"]["height"][terminations] > 0.4).all()


def test_what_a_task_sees():
    envs = VectorEnv(Cart(), 2, threads=1)
    envs.reset()
    seen = []
    envs.task.reward = lambda s, action: (np.zeros(2), seen.append(s.take(np.ones(2, bool))) or {})
    model = ferrodyn.MjModel.from_xml_string(CART)
    data = ferrodyn.MjData(model)
    ferrodyn.mj_forward(model, data)
    for _ in range(3):
        before = data.qpos.copy(), data.qvel.copy(), data.qacc.copy(), data.xpos.copy()
        data.ctrl[:] = 0.5
        envs.step([[0.5], [-0.5]])
        ferrodyn.mj_step(model, data, 2)
        s = seen.pop()
        assert s.dt == 0.004 and s.ctrl.tolist() == [[0.5], [-0.5]]
        for name, old in zip(("qpos", "qvel", "qacc", "xpos"), before):
            assert (getattr(s, name)[0] == getattr(data, name)).all(), name
            assert (getattr(s.before, name)[0] == old).all(), name
    with pytest.raises(AttributeError, match="does not observe 'cvel'"):
        s.cvel


def test_results_stay_as_they_are():
    envs = ferrodyn.gym.make_vec("Ant-v5", 2)
    results = [envs.reset(seed=0), envs.step(np.zeros((2, 8)))]
    copies = [np.copy(results[0][0]), np.copy(results[1][0]), np.copy(results[1][4]["x_position"])]
    envs.step(np.ones((2, 8)))
    kept = [results[0][0], results[1][0], results[1][4]["x_position"]]
    for a, b in zip(kept, copies):
        assert (a == b).all()


def test_threads_give_the_same_bits():
    def run(threads):
        envs = ferrodyn.gym.make_vec("Ant-v5", 5, threads=threads)
        envs.reset(seed=1)
        rng = np.random.default_rng(1)
        return [envs.step(rng.uniform(-1, 1, (5, 8)))[0] for _ in range(30)][-1]

    assert (run(1) == run(3)).all()


def test_parameters_that_differ_from_world_to_world():
    envs = VectorEnv(Cart(), 2)
    envs.reset()
    mass = np.stack([envs.task.mj_model.body_mass] * 2)
    mass[1] *= 2
    envs.batch.set_parameter("body_mass", mass)
    _, rewards, *_ = envs.step(np.ones((2, 1)))
    assert rewards[0] == pytest.approx(2 * rewards[1])


def test_controls_spaces_and_models_of_a_task():
    class Half(Cart):
        observation_space = gymnasium.spaces.Box(-1, 1, (1,), np.float32)
        action_space = gymnasium.spaces.Box(-2, 2, (1,), np.float64)

        def observation(self, s):
            return s.ctrl

        def control(self, action):
            return action / 2

    envs = VectorEnv(Half(), 2)
    assert envs.observation_space.shape == (2, 1) and envs.action_space.dtype == np.float64
    envs.reset()
    observations = envs.step(np.ones((2, 1)))[0]
    assert observations.dtype == np.float32 and observations.tolist() == [[0.5], [0.5]]
    # the first step of a new episode has none
    envs.reset()
    assert envs.reset()[0].tolist() == [[0], [0]]
    # a model that is loaded, and actuators without limits
    free = Cart()
    free.model = ferrodyn.MjModel.from_xml_string(CART.replace('ctrlrange="-1 1"', ""))
    envs = VectorEnv(free, 1)
    assert envs.single_action_space.high.tolist() == [np.inf]
    with pytest.raises(TypeError, match="Task has no model"):
        VectorEnv(Task(), 1)
    with pytest.raises(KeyError, match="nonsense"):
        free.fields = ("nonsense",)
        VectorEnv(free, 1)


def test_infos_need_a_row_for_each_world():
    envs = VectorEnv(Cart(), 2)
    envs.reset()
    envs.task.reward = lambda s, action: (np.zeros(2), {"wrong": np.zeros(3)})
    with pytest.raises(ValueError, match=r"info 'wrong' has the shape \(3,\).* has to be 2"):
        envs.step(np.zeros((2, 1)))


def test_infos_can_be_nested():
    envs = VectorEnv(Cart(), 2, max_episode_steps=2)
    envs.task.reward = lambda s, action: (np.zeros(2), {"costs": {"control": s.ctrl[:, 0]}})
    envs.reset()
    envs.step(np.ones((2, 1)))
    envs.reset(options={"reset_mask": np.array([True, False])})
    envs.step(np.ones((2, 1)))
    infos = envs.step(np.ones((2, 1)))[4]
    assert infos["costs"]["control"].tolist() == [1, 0]
    assert infos["costs"]["_control"].tolist() == infos["_costs"].tolist() == [True, False]


def test_gymnasiums_wrappers_and_registry():
    envs = gymnasium.make_vec("ferrodyn/Reacher-v5", num_envs=3, reward_control_weight=0.0)
    assert isinstance(envs, VectorEnv) and envs.task.reward_control_weight == 0
    assert repr(envs) == "VectorEnv(ferrodyn/Reacher-v5, num_envs=3)"
    envs = gymnasium.wrappers.vector.RecordEpisodeStatistics(envs)
    envs = gymnasium.wrappers.vector.NormalizeObservation(envs)
    envs = gymnasium.wrappers.vector.ClipReward(envs, -0.1, 0)
    envs = gymnasium.wrappers.vector.DictInfoToList(envs)
    envs.reset(seed=0)
    for _ in range(50):
        *_, infos = envs.step(envs.action_space.sample())
    assert [info["episode"]["l"] for info in infos] == [50] * 3
    assert envs.unwrapped.spec.max_episode_steps == 50
    envs.close()


def test_gymnasium_is_needed_only_by_who_uses_it():
    code = """
        import sys
        import ferrodyn
        assert "gymnasium" not in sys.modules
        sys.modules["gymnasium"] = None
        try:
            import ferrodyn.gym
        except ImportError as error:
            assert "pip install 'ferrodyn[gym]'" in str(error), error
        else:
            raise AssertionError
    """
    subprocess.run([sys.executable, "-c", textwrap.dedent(code)], check=True)


@pytest.mark.parametrize("mode", ["NextStep", "SameStep"])
def test_a_checkpoint_goes_on_with_the_same_bits(mode):
    def make():
        return ferrodyn.gym.make_vec(
            "Hopper-v5", 5, autoreset_mode=mode, max_episode_steps=17, threads=1
        )

    envs, other = make(), make()
    envs.reset(seed=3)
    other.reset(seed=99)
    rng = np.random.default_rng(0)
    actions = rng.uniform(-1, 1, (60, *envs.action_space.shape))
    for action in actions[:20]:
        envs.step(action)
    # through bytes, as to another machine
    other.restore(pickle.loads(pickle.dumps(envs.checkpoint())))
    ended = 0
    for action in actions[20:]:
        expected, found = envs.step(action), other.step(action)
        for a, b in zip(expected[:4], found[:4]):
            assert np.array_equal(a, b)
        assert set(expected[4]) == set(found[4])
        ended += np.count_nonzero(expected[2] | expected[3])
    # generators were used, and were those of the other
    assert ended >= 5


def test_infos_of_parts_are_joined():
    """As those of one environment with all the worlds: what some have not said is blank."""
    first = add({}, {"x": np.array([1.0, 2.0]), "end": {"y": np.array(["a", "b"], object)}}, np.array([True, False]))
    second = add({}, {"z": np.ones((3, 2), int)}, np.array([False, True, True]))
    joined = join([first, second, {}], [2, 3, 1])
    assert joined["x"].tolist() == [1, 0, 0, 0, 0, 0]
    assert joined["_x"].tolist() == [True] + 5 * [False]
    assert joined["z"].tolist() == [[0, 0], [0, 0], [0, 0], [1, 1], [1, 1], [0, 0]]
    assert joined["_z"].tolist() == [False, False, False, True, True, False]
    assert joined["end"]["y"].tolist() == ["a", None, None, None, None, None]
    assert joined["_end"].tolist() == [True] + 5 * [False]
