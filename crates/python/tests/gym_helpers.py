"""Vector environments of Gymnasium beside those of this project."""

import gymnasium
import numpy as np

import ferrodyn.gym

# Both engines round differently in the last digit; contacts are chaotic and let that grow, at worst
# about ten times in five steps (HalfCheetah). Within the episodes of these tests it stays well
# below this.
TOLERANCE = 1e-6

# Steps of an episode in tests, where those of the task itself are too many for the tolerance.
LIMITS = {"Ant-v5": 60, "HalfCheetah-v5": 45}


def pair(name, num_envs=3, *, autoreset_mode="NextStep", max_episode_steps=None, **kwargs):
    """The same environments on MuJoCo and on Ferrodyn."""
    limit = max_episode_steps or LIMITS.get(name)
    theirs = gymnasium.make_vec(
        name,
        num_envs,
        "sync",
        {"autoreset_mode": autoreset_mode},
        max_episode_steps=limit,
        **kwargs,
    )
    ours = ferrodyn.gym.make_vec(
        name, num_envs, autoreset_mode=autoreset_mode, max_episode_steps=limit, threads=1, **kwargs
    )
    return theirs, ours


def same(ours, theirs, where):
    """Are results equal, within the tolerance relative to their size, with the same types?"""
    if isinstance(theirs, tuple):
        assert len(ours) == len(theirs), where
        for i, (a, b) in enumerate(zip(ours, theirs)):
            same(a, b, f"{where}[{i}]")
    elif isinstance(theirs, dict):
        assert set(ours) == set(theirs), where
        for name in theirs:
            same(ours[name], theirs[name], f"{where}[{name!r}]")
    elif theirs is None:
        assert ours is None, where
    else:
        assert (ours.dtype, ours.shape) == (theirs.dtype, theirs.shape), where
        if theirs.dtype == object:
            for i, (a, b) in enumerate(zip(ours, theirs)):
                same(a, b, f"{where}[{i}]")
        elif theirs.dtype == bool:
            assert (ours == theirs).all(), where
        else:
            size = max(1, np.abs(theirs).max(initial=0))
            assert np.abs(ours - theirs).max(initial=0) <= TOLERANCE * size, where


def compare(theirs, ours, steps, seed=7):
    """Step both with the same random actions; how many episodes ended, and how many at the limit."""
    assert ours.single_observation_space == theirs.single_observation_space
    assert ours.observation_space == theirs.observation_space
    assert ours.single_action_space == theirs.single_action_space
    assert ours.action_space == theirs.action_space
    same(ours.reset(seed=seed), theirs.reset(seed=seed), "reset")
    rng = np.random.default_rng(seed)
    space = theirs.action_space
    terminated = truncated = 0
    for step in range(steps):
        actions = rng.uniform(space.low, space.high).astype(np.float32)
        expected = theirs.step(actions)
        same(ours.step(actions), expected, f"step {step}")
        terminated += np.count_nonzero(expected[2])
        truncated += np.count_nonzero(expected[3])
        ended = expected[2] | expected[3]
        if ours.autoreset_mode == ferrodyn.gym.AutoresetMode.DISABLED and ended.any():
            results = [envs.reset(options={"reset_mask": ended}) for envs in (ours, theirs)]
            same(*results, f"reset after step {step}")
    theirs.close()
    ours.close()
    return terminated, truncated
