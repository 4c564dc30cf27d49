"""Stepping releases the interpreter lock; what must not happen at once raises an error."""

import threading
import time

import numpy as np
import pytest

import ferrodyn
from helpers import CHAIN, TREE

MANY = 300_000


def in_thread(function, *args):
    """Run a function in a thread; returns the thread and the list of what it raised."""
    raised = []

    def run():
        try:
            function(*args)
        except BaseException as error:  # handed to the test
            raised.append(error)

    thread = threading.Thread(target=run)
    thread.start()
    return thread, raised


@pytest.fixture
def long_step():
    """A world that another thread steps for a while."""
    model = ferrodyn.MjModel.from_xml_string(CHAIN)
    model.dof_damping[:] = 0.1
    data = ferrodyn.MjData(model)
    data.qvel[:] = 0.1
    thread, raised = in_thread(ferrodyn.mj_step, model, data, MANY)
    while data.time == 0 and thread.is_alive():
        time.sleep(1e-4)
    assert thread.is_alive(), "the step is over too soon to test anything"
    yield model, data
    thread.join()
    assert not raised
    assert data.time == pytest.approx(MANY * model.opt.timestep)


def test_python_runs_while_a_step_runs(long_step):
    model, data = long_step
    # the interpreter works, and watches the simulation advance meanwhile
    times = [data.time]
    while len(times) < 5 and times[-1] < (MANY - 1) * model.opt.timestep:
        if data.time > times[-1]:
            times.append(data.time)
    assert len(times) == 5


def test_one_world_in_two_threads_is_refused(long_step):
    model, data = long_step
    busy = pytest.raises(RuntimeError, match="data is in use by another thread")
    for call in (
        lambda: ferrodyn.mj_step(model, data),
        lambda: ferrodyn.mj_forward(model, data),
        lambda: ferrodyn.mj_resetData(model, data),
        lambda: ferrodyn.mj_kinematics(model, data),
        lambda: ferrodyn.mj_jacBody(model, data, None, None, 1),
        lambda: ferrodyn.mj_copyData(ferrodyn.MjData(model), model, data),
        lambda: data.contact.dist,
        lambda: len(data.contact),
        lambda: data.efc_force,
        lambda: data.__copy__(),
        lambda: data.__reduce__(),
    ):
        with busy:
            call()
    # views are there, whether or not they were asked for before
    assert data.xpos.shape == (model.nbody, 3)


def test_a_model_in_use_is_not_rebuilt(long_step):
    model, _ = long_step
    other = ferrodyn.MjData(model)
    with pytest.raises(RuntimeError, match="model is in use by another thread"):
        ferrodyn.mj_setConst(model, other)
    with pytest.raises(RuntimeError, match="model is in use by another thread"):
        ferrodyn.mj_setTotalmass(model, 1)
    # other worlds of it may be stepped
    ferrodyn.mj_step(model, other)
    assert other.time == model.opt.timestep


def test_worlds_in_parallel_give_the_same_bits():
    model = ferrodyn.MjModel.from_xml_string(TREE)

    def world(i):
        data = ferrodyn.MjData(model)
        data.qvel[:] = 0.1 * i
        return data

    serial = [world(i) for i in range(4)]
    for data in serial:
        ferrodyn.mj_step(model, data, 500)
    parallel = [world(i) for i in range(4)]
    threads = [in_thread(ferrodyn.mj_step, model, data, 500) for data in parallel]
    for thread, raised in threads:
        thread.join()
        assert not raised
    for a, b in zip(serial, parallel):
        np.testing.assert_array_equal(a.qpos, b.qpos)
        np.testing.assert_array_equal(a.qvel, b.qvel)


def test_a_lock_is_given_back_after_an_error(model, data):
    model.opt.timestep = float("nan")
    with pytest.raises(ValueError):
        ferrodyn.mj_step(model, data)
    model.opt.timestep = 0.01
    ferrodyn.mj_step(model, data)
