"""Many worlds of a model: the same as alone, views of arrays, errors by world."""

import os
import signal
import threading
import time
from pathlib import Path

import numpy as np
import pytest

import ferrodyn as mujoco
from ferrodyn.batch import BatchSim

ROOT = Path(__file__).parents[3]


def bench_model(name):
    return mujoco.MjModel.from_xml_path(str(ROOT / f"benches/models/{name}.xml"))


def conformance_model(name):
    return mujoco.MjModel.from_xml_path(str(ROOT / f"conformance/models/{name}.xml"))


PENDULUM = """<mujoco><worldbody><body><joint name="hinge" axis="0 1 0"/><geom size=".1" pos="0 0 -1"/></body></worldbody>
  <actuator><motor joint="hinge" gear="100"/></actuator><sensor><jointpos joint="hinge"/></sensor></mujoco>"""


@pytest.fixture
def hand():
    return conformance_model("hand")


def initial_states(model, n):
    rng = np.random.default_rng(3)
    velocities = 0.3 * rng.standard_normal((n, model.nv))
    return np.hstack([np.tile(model.qpos0, (n, 1)), velocities])


@pytest.mark.parametrize("threads", [1, 2, 24])
def test_worlds_are_those_of_mj_step(hand, threads):
    n, rng = 5, np.random.default_rng(0)
    states = initial_states(hand, n)
    batch = BatchSim(hand, n, threads=threads, frame_skip=3, observe=("xpos", "qfrc_actuator", "cvel"), contacts=True)
    assert batch.threads == threads
    batch.reset(states=states)
    worlds = [mujoco.MjData(hand) for _ in range(n)]
    for world, state in zip(worlds, states, strict=True):
        world.qpos[:], world.qvel[:] = np.split(state, [hand.nq])
    for _ in range(30):
        controls = rng.uniform(-1, 1, (n, hand.nu))
        batch.step(controls)
        for world, control in zip(worlds, controls, strict=True):
            world.ctrl[:] = control
            mujoco.mj_step(hand, world, 3)
    for i, world in enumerate(worlds):
        assert np.array_equal(batch.qpos[i], world.qpos)
        assert np.array_equal(batch.qvel[i], world.qvel)
        for name, rows in batch.observed.items():
            assert np.array_equal(rows[i], getattr(world, name)), name
        assert batch.contacts[i, 0] == world.ncon > 0
        assert batch.contacts[i, 1] == world.contact.dist.min()


def test_results_are_views_that_stay(hand):
    batch = BatchSim(hand, 2, observe=("xpos",))
    states, qpos, xpos = batch.states, batch.qpos, batch.observed["xpos"]
    assert np.shares_memory(qpos, states) and xpos.shape == (2, hand.nbody, 3)
    before = states.copy()
    assert batch.step() is states
    assert not np.array_equal(states, before)
    assert np.shares_memory(batch.observed["xpos"], xpos)


def test_forces_after_constraints_are_computed_for_who_asks():
    model = bench_model("humanoid")
    batch = BatchSim(model, 2, frame_skip=300, observe=("cfrc_ext",))
    batch.step()
    data = mujoco.MjData(model)
    mujoco.mj_step(model, data, 300)
    mujoco.mj_rnePostConstraint(model, data)
    assert np.abs(data.cfrc_ext).max() > 1
    assert np.array_equal(batch.observed["cfrc_ext"][1], data.cfrc_ext)


def test_a_world_that_fails_is_told_and_reset():
    model = mujoco.MjModel.from_xml_string(PENDULUM)
    batch, healthy = BatchSim(model, 3), BatchSim(model, 3)
    controls = np.array([[0.1], [9e9], [0.2]])
    batch.step(controls)
    healthy.step(np.array([[0.1], [0.0], [0.2]]))
    assert batch.failed.tolist() == [False, True, False]
    assert list(batch.errors) == [1] and "qacc[0] of body 1 diverged" in batch.errors[1]
    assert batch.states[1].tolist() == [0, 0], "the state before the step"
    batch.step(np.full((3, 1), 0.1))
    assert not batch.failed.any() and not batch.errors
    assert batch.states[1].tolist() == [0, 0], "reset instead of stepped"
    healthy.step(np.full((3, 1), 0.1))
    assert np.array_equal(batch.states[::2], healthy.states[::2])


def test_masks_reset_what_they_mark():
    model = mujoco.MjModel.from_xml_string(PENDULUM)
    batch = BatchSim(model, 3)
    batch.step(np.ones((3, 1)))
    moved = batch.states.copy()
    batch.reset(np.array([False, True, False]), states=[[0, 0], [0.5, 1], [0, 0]])
    assert batch.states[1].tolist() == [0.5, 1]
    assert batch.sensors[1] == 0.5
    assert np.array_equal(batch.states[::2], moved[::2])
    batch.reset()
    assert batch.states.tolist() == [[0, 0], [0.5, 1], [0, 0]]


def test_states_of_mj_getState_are_initial_states(hand):
    data = mujoco.MjData(hand)
    mujoco.mj_step(hand, data, 50)
    kind = mujoco.mjtState.mjSTATE_INTEGRATION
    state = np.empty(mujoco.mj_stateSize(hand, kind))
    mujoco.mj_getState(hand, data, state, kind)
    batch = BatchSim(hand, 2)
    batch.reset(states=np.tile(state, (2, 1)), spec=kind)
    batch.step(np.tile(data.ctrl, (2, 1)))
    mujoco.mj_step(hand, data)
    assert np.array_equal(batch.qpos[1], data.qpos)
    mujoco.mj_getState(hand, data, state, kind)
    assert np.array_equal(batch.states_of(kind), np.tile(state, (2, 1)))


def test_keyframes_are_initial_states():
    model = conformance_model("keyframes")
    batch = BatchSim(model, 2, keyframe=0)
    assert not np.array_equal(model.key_qpos[0], model.qpos0)
    assert np.array_equal(batch.qpos[0], model.key_qpos[0])
    with pytest.raises(IndexError, match="there is no keyframe 99"):
        BatchSim(model, 2, keyframe=99)


def test_parameters_vary_from_world_to_world():
    model = bench_model("humanoid")
    batch = BatchSim(model, 3, frame_skip=10)
    masses = model.body_mass * np.array([[1.0], [1.5], [0.7]])
    batch.set_parameter("body_mass", masses)
    gravity = np.tile(model.opt.gravity, (3, 1))
    gravity[2] = 0
    batch.set_parameter("opt.gravity", gravity)
    batch.step()
    for i in range(3):
        own = bench_model("humanoid")
        own.body_mass[:] = masses[i]
        own.opt.gravity[:] = gravity[i]
        data = mujoco.MjData(own)
        mujoco.mj_setConst(own, data)
        data = mujoco.MjData(own)
        mujoco.mj_step(own, data, 10)
        assert np.array_equal(batch.qpos[i], data.qpos), i
    assert not np.array_equal(batch.qpos[0], batch.qpos[1])


def test_what_is_wrong_is_said():
    model = mujoco.MjModel.from_xml_string(PENDULUM)
    batch = BatchSim(model, 3)
    with pytest.raises(ValueError, match="the mask: 2 elements were given, and 3 are needed"):
        batch.reset(np.ones(2, bool))
    with pytest.raises(ValueError, match="elements of type bool"):
        batch.reset(np.ones(3))
    with pytest.raises(ValueError):
        batch.step(np.ones((2, 1)))
    with pytest.raises(KeyError, match="no array `nothing`"):
        BatchSim(model, 3, observe=("nothing",))
    with pytest.raises(ValueError, match="`body_parentid` cannot vary"):
        batch.set_parameter("body_parentid", np.ones((3, 2)))
    with pytest.raises(ValueError, match="one row for each world"):
        batch.set_parameter("body_mass", np.ones((2, 2)))
    with pytest.raises(ValueError, match="3 numbers were given for each world, and 2 are needed"):
        batch.set_parameter("body_mass", np.ones((3, 3)))
    with pytest.raises(KeyError, match="no option `cone`"):
        batch.set_parameter("opt.cone", np.ones((3, 1)))
    with pytest.raises(ValueError, match="not finite"):
        batch.set_parameter("body_mass", np.full((3, 2), np.nan))
    with pytest.raises(ValueError, match="cannot have -1 worlds"):
        BatchSim(model, -1)
    with pytest.raises(ValueError, match="divergence is one of"):
        BatchSim(model, 1, divergence="stop")


def test_no_worlds_are_a_batch():
    batch = BatchSim(mujoco.MjModel.from_xml_string(PENDULUM), 0)
    assert batch.step().shape == (0, 2)


def test_other_policies_of_divergence():
    model = mujoco.MjModel.from_xml_string(PENDULUM)
    batch = BatchSim(model, 1, divergence="mujoco")
    batch.step([[9e9]])
    assert not batch.failed[0] and abs(batch.states[0, 0]) < 1e-3


@pytest.mark.parametrize("threads", [1, 2])
def test_an_interrupt_ends_a_call(threads):
    model = bench_model("humanoid")
    # for a minute or two
    batch = BatchSim(model, 4000, threads=threads, frame_skip=2000)
    before = batch.states.copy()
    # also in a process that was started with it ignored, as those in the background are
    handler = signal.signal(signal.SIGINT, signal.default_int_handler)
    timer = threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    start = time.monotonic()
    try:
        with pytest.raises(KeyboardInterrupt):
            batch.step()
    finally:
        signal.signal(signal.SIGINT, handler)
    assert 0.2 < time.monotonic() - start < 20
    timer.join()
    # some worlds have taken their steps, the others none
    stepped = (batch.states != before).any(axis=1)
    assert 0 < stepped.sum() < 4000
    assert (batch.states[stepped] == batch.states[stepped][0]).all()
