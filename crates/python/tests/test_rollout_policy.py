"""Rollouts in which a policy chooses the controls of all worlds."""

import numpy as np
import pytest

import ferrodyn
from ferrodyn import rollout
from rollout_models import DIVERGING, FULL, MODEL, random_batch, state_of, worlds


@pytest.fixture
def model():
    return ferrodyn.MjModel.from_xml_string(MODEL)


GAIN = 0.01 * np.random.default_rng(5).standard_normal((19 + 6, 2))


def policy(state, sensordata):
    return np.concatenate([state, sensordata], axis=1) @ GAIN


def step_by_step(model, initial, nstep):
    """The same with one world after the other."""
    state, sensordata = np.empty((len(initial), nstep, 19)), np.empty((len(initial), nstep, 6))
    for r, row in enumerate(initial):
        data = ferrodyn.MjData(model)
        ferrodyn.mj_setState(model, data, row, FULL)
        ferrodyn.mj_forward(model, data)
        seen = row, data.sensordata.copy()
        for t in range(nstep):
            # in the shape of the batch, so that the product has the same bits
            batch = [np.repeat(a[None], len(initial), 0) for a in seen]
            data.ctrl[:] = policy(*batch)[r]
            ferrodyn.mj_step(model, data)
            state[r, t], sensordata[r, t] = seen = state_of(model, data), data.sensordata.copy()
    return state, sensordata


@pytest.mark.parametrize("nthread", [1, 2, 24])
def test_the_bits_are_those_of_single_steps(model, nthread):
    initial = random_batch(model, 6, 1)[0]
    result = rollout.rollout(model, worlds(model, nthread), initial, nstep=25, policy=policy)
    for ours, expected in zip(result, step_by_step(model, initial, 25)):
        np.testing.assert_array_equal(ours, expected)


@pytest.mark.parametrize(
    "text", [MODEL, MODEL.replace("<size", "<option><flag sleep='enable'/></option><size")]
)
def test_controls_of_a_policy_are_like_controls_that_are_given(text):
    model = ferrodyn.MjModel.from_xml_string(text)
    initial, control = random_batch(model, 5, 300)
    control[:] *= 0.001
    steps = iter(control.transpose(1, 0, 2))
    closed = rollout.rollout(
        model, worlds(model, 2), initial, nstep=300, policy=lambda *_: next(steps)
    )
    for ours, expected in zip(closed, rollout.rollout(model, worlds(model, 2), initial, control)):
        np.testing.assert_array_equal(ours, expected)


def test_a_policy_sees_all_worlds_before_each_step(model):
    initial = random_batch(model, 4, 1)[0]
    seen = []

    def watch(state, sensordata):
        seen.append((state, sensordata))
        return np.zeros((4, 2))

    finished = []
    state, sensordata = rollout.rollout(
        model, worlds(model, 2), initial, nstep=3, policy=watch, progress=finished.append
    )
    assert len(seen) == 3 and finished == [4]
    data = ferrodyn.MjData(model)
    for row, own in zip(initial, seen[0][1]):
        ferrodyn.mj_setState(model, data, row, FULL)
        ferrodyn.mj_forward(model, data)
        np.testing.assert_array_equal(own, data.sensordata)
    # what it kept is still what it saw
    np.testing.assert_array_equal(seen[0][0], initial)
    for t in (1, 2):
        np.testing.assert_array_equal(seen[t][0], state[:, t - 1])
        np.testing.assert_array_equal(seen[t][1], sensordata[:, t - 1])


def test_warnings_before_the_first_step_do_not_end_a_rollout(model):
    initial, control = random_batch(model, 3, 4)
    data = worlds(model, 2)
    data[0].ctrl[:] = 1e20  # mj_forward warns of it; the policy is yet to be asked
    steps = iter(control.transpose(1, 0, 2))
    closed = rollout.rollout(model, data, initial, nstep=4, policy=lambda *_: next(steps))
    for ours, expected in zip(closed, rollout.rollout(model, data, initial, control)):
        np.testing.assert_array_equal(ours, expected)


def test_models_and_kinds_of_controls_can_differ(model):
    models = [ferrodyn.MjModel.from_xml_string(MODEL) for _ in range(4)]
    for i, own in enumerate(models):
        own.dof_damping[:] = i
    spec = ferrodyn.mjtState.mjSTATE_QFRC_APPLIED.value
    initial, control = random_batch(model, 4, 6, spec=spec)
    steps = iter(control.transpose(1, 0, 2))
    closed = rollout.rollout(
        models, worlds(model, 2), initial, nstep=6, control_spec=spec, policy=lambda *_: next(steps)
    )
    given = rollout.rollout(models, worlds(model, 2), initial, control, control_spec=spec)
    for ours, expected in zip(closed, given):
        np.testing.assert_array_equal(ours, expected)


def test_a_world_that_diverges_stays():
    model = ferrodyn.MjModel.from_xml_string(DIVERGING)
    initial = np.zeros((4, 3))
    control = np.ones((4, 10, 1))
    control[2, 4] = 1e9
    steps = iter(control.transpose(1, 0, 2))
    with pytest.warns(RuntimeWarning, match="1 of 4 rollouts diverged .* in rollout 2"):
        closed = rollout.rollout(
            model, worlds(model, 2), initial, nstep=10, policy=lambda *_: next(steps)
        )
    with pytest.warns(RuntimeWarning, match="1 of 4"):
        given = rollout.rollout(model, worlds(model, 2), initial, control)
    for ours, expected in zip(closed, given):
        np.testing.assert_array_equal(ours, expected)


def test_what_a_policy_does_wrong_is_an_error(model):
    initial, control = random_batch(model, 4, 5)

    def run(policy, **more):
        rollout.rollout(model, worlds(model, 2), initial, nstep=5, policy=policy, **more)

    for wrong in (None, np.zeros((4, 1)), np.zeros(2), np.zeros((1, 2))):
        with pytest.raises(ValueError, match=r"an array of shape \(4, 2\), not"):
            run(lambda *_: wrong)
    with pytest.raises(ZeroDivisionError):
        run(lambda *_: 1 / 0)
    with pytest.raises(TypeError, match="policy is not callable"):
        run(3)
    with pytest.raises(ValueError, match="controls or a policy, not both"):
        run(policy, control=control)
    with pytest.raises(ValueError, match="needs the checks"):
        run(policy, skip_checks=True)


def test_the_world_that_is_copied_stays_as_it_is(model):
    data = worlds(model, 2)
    before = [state_of(model, world, ferrodyn.mjtState.mjSTATE_INTEGRATION.value) for world in data]
    rollout.rollout(model, data, random_batch(model, 4, 1)[0], nstep=3, policy=policy)
    for world, expected in zip(data, before):
        after = state_of(model, world, ferrodyn.mjtState.mjSTATE_INTEGRATION.value)
        np.testing.assert_array_equal(after, expected)
