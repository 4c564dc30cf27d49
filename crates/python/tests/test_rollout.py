"""Rollouts: shapes, the same bits as single steps for any number of threads, divergence, callbacks."""

import copy
import inspect
import threading
import time

import mujoco
import mujoco.rollout
import numpy as np
import pytest

import ferrodyn
from ferrodyn import rollout
from rollout_models import (
    DIVERGING,
    FULL,
    MODEL,
    assert_same,
    random_batch,
    state_of,
    step_by_step,
    worlds,
)

STATE = ferrodyn.mjtState
FORCES = STATE.mjSTATE_CTRL | STATE.mjSTATE_QFRC_APPLIED | STATE.mjSTATE_XFRC_APPLIED
ALL_INPUTS = FORCES | STATE.mjSTATE_EQ_ACTIVE | STATE.mjSTATE_MOCAP_POS | STATE.mjSTATE_MOCAP_QUAT


@pytest.fixture
def model():
    return ferrodyn.MjModel.from_xml_string(MODEL)


@pytest.mark.parametrize(
    "of", ["rollout", "Rollout.rollout", "Rollout.__init__", "shutdown_persistent_pool"]
)
def test_the_signature_is_mujocos(of):
    ours, theirs = rollout, mujoco.rollout
    for name in of.split("."):
        ours, theirs = getattr(ours, name), getattr(theirs, name)
    ours, theirs = inspect.signature(ours).parameters, inspect.signature(theirs).parameters
    added = {"policy", "progress"} if of.endswith("rollout") else set()
    assert [name for name in ours if name not in added] == list(theirs)
    for name in theirs:
        assert (ours[name].kind, ours[name].default) == (theirs[name].kind, theirs[name].default)
    for name in added:
        assert (ours[name].kind, ours[name].default) == (inspect.Parameter.KEYWORD_ONLY, None)


@pytest.mark.parametrize("nthread", [1, 2, 24])
@pytest.mark.parametrize("chunk_size", [None, 1, 7, 1000])
def test_the_bits_are_those_of_single_steps(model, nthread, chunk_size):
    state, control = random_batch(model, 50, 30)
    result = rollout.rollout(model, worlds(model, nthread), state, control, chunk_size=chunk_size)
    assert_same(result, step_by_step(model, state, control))
    assert np.abs(result[0][:, -1, 1:] - state[:, 1:]).max() > 0.1


@pytest.mark.parametrize("spec", [FORCES, ALL_INPUTS, STATE.mjSTATE_QFRC_APPLIED])
def test_all_inputs_can_be_controls(model, spec):
    state, control = random_batch(model, 6, 20, spec=int(spec))
    result = rollout.rollout(model, worlds(model, 2), state, control, control_spec=spec)
    assert_same(result, step_by_step(model, state, control, int(spec)))


def test_numbers_are_mujocos(model):
    theirs = mujoco.MjModel.from_xml_string(MODEL)
    state, control = random_batch(model, 8, 20)
    result = rollout.rollout(model, worlds(model, 2), state, control)
    expected = mujoco.rollout.rollout(theirs, mujoco.MjData(theirs), state, control)
    for a, b in zip(result, expected):
        np.testing.assert_allclose(a, b, rtol=1e-7, atol=1e-8)


def test_models_can_differ(model):
    models = [copy.copy(model) for _ in range(9)]
    for i, own in enumerate(models):
        own.body_mass[1:] *= 1 + 0.1 * i
        own.body_pos[own.body("target").id, 2] = 0.1 * i
    state, control = random_batch(model, 9, 20)
    expected = step_by_step(models, state, control)
    for data in (worlds(models[0], 1), worlds(models[0], 3)):
        assert_same(rollout.rollout(models, data, state, control), expected)
    # the number of rollouts follows from the models, and one in a list is one for all
    one = rollout.rollout(models, worlds(model, 2), state[0], control[0])
    assert one[0].shape[0] == 9 and not np.array_equal(one[0][0], one[0][8])
    assert_same(
        rollout.rollout([model], worlds(model, 1), state, control),
        step_by_step(model, state, control),
    )


@pytest.mark.parametrize(
    "shapes",
    [  # initial state, control, nstep; and what comes out
        ((), (2,), None, (1, 1)),
        ((), (5, 2), None, (1, 5)),
        ((), (3, 5, 2), None, (3, 5)),
        ((3,), (5, 2), None, (3, 5)),
        ((3,), (2,), 4, (3, 4)),
        ((3,), (1, 1, 2), 4, (3, 4)),
        ((1,), (3, 1, 2), 4, (3, 4)),
        ((3,), None, 4, (3, 4)),
        ((), None, None, (1, 1)),
    ],
)
def test_dimensions_of_length_one_are_repeated(model, shapes):
    front, control_shape, nstep, (nbatch, steps) = shapes
    state = random_batch(model, 3, 1)[0]
    state = state[0] if front == () else state[: front[0]]
    control = (
        None if control_shape is None else np.random.default_rng(1).standard_normal(control_shape)
    )
    result = rollout.rollout(model, worlds(model, 1), state, control, nstep=nstep)
    assert result[0].shape == (nbatch, steps, state.shape[-1])
    assert result[1].shape == (nbatch, steps, model.nsensordata)
    full = np.zeros(2) if control is None else control
    full = np.broadcast_to(full if full.ndim != 2 else full[None], (nbatch, steps, 2))
    initial = np.broadcast_to(state, (nbatch, state.shape[-1]))
    assert_same(result, step_by_step(model, initial, np.ascontiguousarray(full)))


def test_results_go_where_they_are_asked_for(model):
    initial, control = random_batch(model, 4, 6)
    expected = step_by_step(model, initial, control)
    state, sensordata = (np.full(a.shape, np.nan) for a in expected)
    result = rollout.rollout(
        model, worlds(model, 2), initial, control, state=state, sensordata=sensordata
    )
    assert result[0] is state and result[1] is sensordata
    assert_same(result, expected)
    # without checks only what is given is written
    for given in ({"state": state}, {"sensordata": sensordata}, {}):
        state.fill(np.nan), sensordata.fill(np.nan)
        result = rollout.rollout(
            model, worlds(model, 1), initial, control, nstep=6, skip_checks=True, **given
        )
        assert result == (given.get("state"), given.get("sensordata"))
        for array, own in zip((state, sensordata), expected):
            written = any(array is other for other in given.values())
            np.testing.assert_array_equal(array, own if written else np.nan)


def test_the_warm_start_counts(model):
    initial, control = random_batch(model, 3, 5)
    initial[:, 3] = 0.05  # in the floor
    warmstart = np.random.default_rng(3).standard_normal((3, model.nv))
    warm = rollout.rollout(model, worlds(model, 2), initial, control, initial_warmstart=warmstart)
    assert_same(warm, step_by_step(model, initial, control, warmstart=warmstart))
    assert not np.array_equal(
        warm[0], rollout.rollout(model, worlds(model, 2), initial, control)[0]
    )


def spoil(model, data, seed=0):
    """Write something into all that is no input, and leave other inputs behind."""
    rng = np.random.default_rng(seed)
    data.qvel = rng.standard_normal(model.nv)
    data.ctrl = rng.standard_normal(model.nu)
    ferrodyn.mj_step(model, data, 20)
    for name in "qacc_warmstart qacc xpos qfrc_applied xfrc_applied mocap_pos mocap_quat act sensordata".split():
        getattr(data, name)[:] = rng.standard_normal(getattr(data, name).shape)
    data.eq_active[:] = 1
    data.time = 7.0


def test_what_a_world_held_before_does_not_count(model):
    initial, control = random_batch(model, 12, 15)
    expected = step_by_step(model, initial, control)
    data = worlds(model, 3)
    for seed, world in enumerate(data):
        spoil(model, world, seed)
    assert_same(rollout.rollout(model, data, initial, control), expected)
    # and afterwards it holds the last step of its last rollout
    rollout.rollout(model, data[:1], initial, control)
    np.testing.assert_array_equal(state_of(model, data[0]), expected[0][-1, -1])


def test_controls_that_are_not_given_are_those_of_the_first_world(model):
    initial = random_batch(model, 10, 1)[0]
    data = worlds(model, 2)
    data[0].ctrl[:] = (0.5, -2.0)
    data[1].ctrl[:] = 9.0
    expected = step_by_step(model, initial, np.broadcast_to(data[0].ctrl, (10, 8, 2)))
    assert_same(rollout.rollout(model, data, initial, nstep=8), expected)
    # inputs that no control covers are none
    data[0].qfrc_applied[:] = 5.0
    assert_same(rollout.rollout(model, data[:1], initial, nstep=8), expected)


# slow enough to fall asleep after ten steps, which stops it
SLEEPING = """
<mujoco>
  <option gravity="0 0 0"><flag sleep="enable"/></option>
  <worldbody><body><joint type="slide" axis="0 0 1"/><geom size=".1"/></body></worldbody>
</mujoco>
"""
# a ball that falls onto a cloth
CLOTH = """
<mujoco xmlns:ferrodyn="urn:ferrodyn">
  <worldbody>
    <geom type="plane" size="2 2 .1"/>
    <flexcomp type="grid" name="c" count="6 6 1" spacing=".05 .05 .1" pos="0 0 .05" radius=".01"
      dim="2" ferrodyn:solver="xpbd"/>
    <body pos="0 0 .2"><joint type="slide" axis="0 0 1"/><geom size=".1"/></body>
  </worldbody>
</mujoco>
"""


@pytest.mark.parametrize("text, nstep", [(SLEEPING, 7), (CLOTH, 100)])
def test_sleep_and_deformable_bodies_begin_anew(text, nstep):
    model = ferrodyn.MjModel.from_xml_string(text)
    initial, control = random_batch(model, 6, nstep)
    initial[:] = 0.0, 0.0, 1e-6
    expected = step_by_step(model, initial, control)
    data = worlds(model, 2)
    for _ in range(2):
        assert_same(rollout.rollout(model, data[:1], initial, control), expected)
    assert_same(rollout.rollout(model, data, initial, control, chunk_size=1), expected)


def diverging_batch():
    """Forces that push the body of every third rollout to infinity, in the fourth step."""
    model = ferrodyn.MjModel.from_xml_string(DIVERGING)
    initial = np.zeros((10, ferrodyn.mj_stateSize(model, FULL)))
    initial[:, 2] = np.arange(10)
    control = np.ones((10, 12, 1))
    control[::3, 3] = 1e9
    return model, initial, control


def test_a_rollout_that_diverges_ends_and_the_others_go_on():
    model, initial, control = diverging_batch()
    text = (
        r"4 of 10 rollouts diverged and ended early; in rollout 0, qacc\[0\] of body 1 .* was reset"
    )
    with pytest.warns(RuntimeWarning, match=text):
        alone = rollout.rollout(model, worlds(model, 1), initial, control)
    state, sensordata = alone
    well = [r for r in range(10) if r % 3]
    assert_same((state[well], sensordata[well]), step_by_step(model, initial[well], control[well]))
    for r in range(0, 10, 3):
        assert np.isfinite(state[r]).all()
        # what the step after the reset left is repeated
        assert (state[r, 3:] == state[r, 3]).all() and (sensordata[r, 3:] == sensordata[r, 3]).all()
        assert state[r, 3, 0] == pytest.approx(0.01) and state[r, 2, 0] == pytest.approx(0.03)
    for nthread in (2, 24):
        for chunk_size in (1, 4):
            with pytest.warns(RuntimeWarning, match=text):
                assert_same(
                    rollout.rollout(
                        model, worlds(model, nthread), initial, control, chunk_size=chunk_size
                    ),
                    alone,
                )


def test_divergence_ends_as_in_mujoco():
    model, initial, control = diverging_batch()
    theirs = mujoco.MjModel.from_xml_string(DIVERGING)
    with pytest.warns(RuntimeWarning):
        ours = rollout.rollout(model, worlds(model, 1), initial, control)
    expected = mujoco.rollout.rollout(theirs, mujoco.MjData(theirs), initial, control)
    for a, b in zip(ours, expected):
        np.testing.assert_allclose(a, b, rtol=1e-12, atol=1e-12)


def test_a_divergence_leaves_the_inputs_of_other_rollouts_alone():
    model, initial, _ = diverging_batch()
    initial[2, 2] = 1e20
    results = []
    for nthread in (1, 2, 5):
        data = worlds(model, nthread)
        data[0].ctrl[0] = 3.0
        with pytest.warns(RuntimeWarning, match="1 of 10"):
            results.append(rollout.rollout(model, data, initial, nstep=5, chunk_size=1))
    assert_same(results[0], results[1])
    assert_same(results[0], results[2])
    assert (results[0][0][3:, -1, 2] > initial[3:, 2]).all()


def test_the_function_for_warnings_hears_of_each_rollout():
    model, initial, control = diverging_batch()
    heard = []
    ferrodyn.set_mju_user_warning(heard.append)
    try:
        rollout.rollout(model, worlds(model, 3), initial, control, chunk_size=1)
    finally:
        ferrodyn.set_mju_user_warning(None)
    assert len(heard) == 4 and all("QACC at DOF 0" in text for text in heard)


def test_callbacks_are_called_with_their_model_and_data(model):
    models = [copy.copy(model) for _ in range(12)]
    number = {id(own): i for i, own in enumerate(models)}
    data = worlds(model, 3)
    initial = random_batch(model, 12, 1)[0]

    def control(m, d):
        assert any(d is world for world in data)
        d.ctrl[:] = (number[id(m)] * d.qpos[-2], -d.qvel[-1])

    expected = []
    for own, state in zip(models, initial):
        world = ferrodyn.MjData(own)
        ferrodyn.mj_setState(own, world, state, FULL)
        for _ in range(10):
            # in a step the callback is called when the state is still that of the last one
            world.ctrl[:] = (number[id(own)] * world.qpos[-2], -world.qvel[-1])
            ferrodyn.mj_step(own, world)
        expected.append(state_of(own, world))
    ferrodyn.set_mjcb_control(control)
    try:
        state, _ = rollout.rollout(models, data, initial, nstep=10, chunk_size=1)
        np.testing.assert_array_equal(state[:, -1], expected)

        def fail(m, d):
            called.add(number[id(m)])
            if number[id(m)] > 5:
                later.set()
                raise KeyError(number[id(m)])
            if number[id(m)] == 5:
                # where there are other threads, a later rollout fails before this one does
                later.wait(10 if count > 1 else 0)
                time.sleep(0.05)
                raise KeyError(5)

        ferrodyn.set_mjcb_control(fail)
        for count in (3, 2, 1):
            called, later = set(), threading.Event()
            with pytest.raises(KeyError, match="^5$"):
                rollout.rollout(models, data[:count], initial, nstep=10, chunk_size=1)
            assert {0, 1, 2, 3, 4, 5} <= called < set(range(12))
        with pytest.raises(ValueError, match="callbacks"):
            rollout.rollout(models, data, initial, nstep=1, policy=lambda state, sensordata: None)
        with rollout.Rollout(nthread=2) as threads:
            ferrodyn.set_mjcb_control(lambda m, d: threads.rollout(m, worlds(m, 2), initial))
            with pytest.raises(RuntimeError, match="same threads"):
                threads.rollout(model, worlds(model, 2), initial, nstep=1)
    finally:
        ferrodyn.mj_resetCallbacks()
