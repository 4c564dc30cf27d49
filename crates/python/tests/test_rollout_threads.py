"""Rollouts and threads: cancellation, progress, pools that stay, many at once."""

import os
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest

import ferrodyn
from ferrodyn import rollout
from rollout_models import MODEL, assert_same, random_batch, step_by_step, worlds


@pytest.fixture
def model():
    return ferrodyn.MjModel.from_xml_string(MODEL)


@pytest.fixture
def interrupts():
    """Ctrl-C raises, also in a process that was started with it ignored, as those in the background are."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.parametrize("nthread", [1, 2])
def test_an_interrupt_ends_it(interrupts, model, nthread):
    initial = random_batch(model, 8, 1)[0]
    timer = threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT))
    start = time.monotonic()
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        # for hours; without results, so that it takes no memory
        data = worlds(model, nthread)
        rollout.rollout(model, data, initial, nstep=10**9, skip_checks=True)
    # without it, hours
    assert 0.2 < time.monotonic() - start < 60
    timer.join()
    # the worlds are free again
    assert all(world.__copy__().time > 0 for world in data)


@pytest.mark.parametrize("nthread", [1, 2])
def test_progress_is_told_by_the_calling_thread(model, nthread):
    initial, control = random_batch(model, 40, 1)
    told = []

    def progress(finished):
        told.append((finished, threading.get_ident()))

    rollout.rollout(model, worlds(model, nthread), initial, control, nstep=3000, progress=progress)
    counts = [count for count, _ in told]
    assert counts == sorted(set(counts)) and counts[-1] == 40 and len(counts) > 1
    assert {thread for _, thread in told} == {threading.get_ident()}

    def stop(finished):
        raise StopIteration(finished)

    start = time.monotonic()
    with pytest.raises(StopIteration):
        rollout.rollout(model, worlds(model, nthread), initial, control, nstep=1, progress=stop)
    assert time.monotonic() - start < 5


def test_python_runs_meanwhile_and_the_worlds_are_taken(model):
    model.opt.timestep = 1e-4
    data = worlds(model, 2)
    seen = []
    ended = threading.Event()

    def watch():
        while not ended.is_set():
            try:
                data[1].__copy__()
                seen.append(data[0].time)
            except RuntimeError as error:
                seen.append(str(error))
            time.sleep(0.01)

    thread = threading.Thread(target=watch)
    thread.start()
    initial, control = random_batch(model, 20, 1)
    try:
        rollout.rollout(model, data, initial, control, nstep=4000)
    finally:
        ended.set()
        thread.join()
    assert "the data is in use by another thread, or by the step that called this" in seen


def test_threads_stay_until_they_are_let_go(model):
    initial, control = random_batch(model, 9, 4)
    expected = step_by_step(model, initial, control)
    pools = []
    for count in (3, 3, 2, 1):
        data = worlds(model, count)
        result = rollout.rollout(model, data, initial, control, persistent_pool=True)
        assert_same(result, expected)
        pools.append(rollout._persistent)
    assert [pool.nthread for pool in pools] == [3, 3, 2, 0] and pools[0] is pools[1]
    rollout.shutdown_persistent_pool()
    assert rollout._persistent is None
    with rollout.Rollout(nthread=2) as threads:
        data = worlds(model, 2)
        for _ in range(3):
            assert_same(threads.rollout(model, data, initial, control), expected)
    with pytest.raises(RuntimeError, match="^rollout requested after thread pool shutdown$"):
        threads.rollout(model, data, initial, control)


def test_a_fork_starts_its_own_threads():
    program = f"""
import os, numpy, ferrodyn
from ferrodyn import rollout
model = ferrodyn.MjModel.from_xml_string({MODEL!r})
def run():
    data = [ferrodyn.MjData(model) for _ in range(2)]
    return rollout.rollout(model, data, numpy.zeros((4, 19)), nstep=3, persistent_pool=True)[0]
first = run()
child = os.fork()
if child == 0:
    os._exit(0 if (run() == first).all() else 1)
raise SystemExit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
"""
    subprocess.run([sys.executable, "-c", program], check=True, timeout=60)


def test_many_rollouts_at_once(model):
    initial, control = random_batch(model, 40, 10)
    expected = step_by_step(model, initial, control)
    results = [tuple(np.empty_like(a) for a in expected) for _ in range(2)]

    def run(part, threads, result):
        threads.rollout(
            model,
            worlds(model, 2),
            initial[part],
            control[part],
            nstep=10,
            skip_checks=True,
            state=result[0][part],
            sensordata=result[1][part],
        )

    with rollout.Rollout(nthread=2) as threads:
        parts = [slice(i, i + 10) for i in range(0, 40, 10)]
        callers = [
            threading.Thread(target=run, args=(part, threads, result))
            for part in parts
            for result in results
        ]
        for caller in callers:
            caller.start()
        for caller in callers:
            caller.join()
    for result in results:
        assert_same(result, expected)
