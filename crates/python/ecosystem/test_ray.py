"""Rollouts and vector environments on a cluster of two machines, one of which is lost on the way. Run with ``cargo xtask ecosystem``."""

import os
import signal
from pathlib import Path

import numpy as np
import pytest
import ray as ray_itself
from gymnasium.error import ResetNeeded
from ray.cluster_utils import Cluster

import ferrodyn
from ferrodyn import gym, ray, rollout

ROOT = Path(__file__).parents[3]
STEPS, COUNT = 200, 48


@pytest.fixture(scope="module")
def model():
    return ferrodyn.MjModel.from_xml_path(str(ROOT / "conformance/models/hand.xml"))


@pytest.fixture
def cluster():
    """Two nodes of two cores each, on this machine."""
    cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 2})
    second = cluster.add_node(num_cpus=2)
    ray_itself.init(address=cluster.address)
    cluster.wait_for_nodes()
    yield cluster, second
    ray_itself.shutdown()
    cluster.shutdown()


@pytest.fixture(scope="module")
def inputs(model):
    rng = np.random.default_rng(1)
    initial = np.zeros((COUNT, ferrodyn.mj_stateSize(model, ferrodyn.mjtState.mjSTATE_FULLPHYSICS)))
    initial[:, 1 : 1 + model.nq] = model.qpos0
    initial[:, 1 + model.nq : 1 + model.nq + model.nv] = 0.1 * rng.standard_normal((COUNT, model.nv))
    return initial, rng.uniform(-1, 1, (COUNT, STEPS, model.nu))


@pytest.fixture(scope="module")
def expected(model, inputs):
    return rollout.rollout(model, ferrodyn.MjData(model), *inputs)


def places(workers):
    """The machine and the process of each worker."""
    return where_are(workers._workers)


def where_are(actors):
    def where(_):
        return ray_itself.get_runtime_context().get_node_id(), os.getpid()

    return ray_itself.get([actor.__ray_call__.remote(where) for actor in actors])


def nodes(workers):
    """The machines that workers run on."""
    return {node for node, _ in places(workers)}


def test_a_plain_call_has_the_bits_of_one_machine(cluster, model, inputs, expected):
    state, sensordata = ray.rollout(model, *inputs, workers=4)
    assert np.array_equal(state, expected[0])
    assert np.array_equal(sensordata, expected[1])


def test_workers_stay_and_are_spread(cluster, model, inputs, expected):
    done = []
    with ray.Rollouts(model, workers=4) as workers:
        for chunk_size in (1, 7):
            done.clear()
            state, _ = workers.rollout(*inputs, chunk_size=chunk_size, progress=done.append)
            assert np.array_equal(state, expected[0])
            assert done[-1] == COUNT and done == sorted(done)
        assert len(nodes(workers)) == 2
        # one state and its controls for all
        state, _ = workers.rollout(inputs[0][0], inputs[1][0])
        assert np.array_equal(state, expected[0][:1])
        state, _ = workers.rollout(inputs[0], nstep=3)
        free, _ = rollout.rollout(model, ferrodyn.MjData(model), inputs[0], nstep=3)
        assert np.array_equal(state, free)


def test_a_machine_that_dies_loses_only_its_chunks(cluster, model, inputs, expected):
    cluster, second = cluster
    lost = []

    with ray.Rollouts(model, workers=2) as workers:
        before = places(workers)
        assert len({node for node, _ in before}) == 2
        process = dict(before)[second.node_id]

        def lose_one(finished):
            if not lost and finished >= 4:
                lost.append(finished)
                # all that runs on the machine ends at once
                cluster.remove_node(second, allow_graceful=False)
                os.kill(process, signal.SIGKILL)

        state, sensordata = workers.rollout(*inputs, chunk_size=1, progress=lose_one)
        assert lost and nodes(workers) == {node for node, _ in before} - {second.node_id}
    assert np.array_equal(state, expected[0])
    assert np.array_equal(sensordata, expected[1])


def test_what_is_wrong_is_said(cluster, model, inputs):
    with ray.Rollouts(model, workers=1) as workers:
        with pytest.raises(ValueError, match="the last dimension of control has 2 elements"):
            workers.rollout(inputs[0], inputs[1][:, :, :2])
        with pytest.raises(ValueError, match="control is for 3 rollouts, others for 48"):
            workers.rollout(inputs[0], inputs[1][:3])
        with pytest.raises(ValueError, match="nstep is missing"):
            workers.rollout(inputs[0])
    with pytest.raises(RuntimeError, match="let go"):
        workers.rollout(*inputs)
    with pytest.raises(ValueError, match="has to be a worker"):
        ray.Rollouts(model, workers=0)


WORLDS = 9


def same(found, expected):
    """Results of a step or a reset, bit for bit."""
    *arrays, infos = found
    *others, other_infos = expected
    assert all(np.array_equal(a, b) for a, b in zip(arrays, others, strict=True))
    assert set(infos) == set(other_infos)
    for name, value in infos.items():
        if isinstance(value, dict):
            same((value,), (other_infos[name],))
        elif value.dtype.hasobject:
            assert all(np.array_equal(a, b) for a, b in zip(value, other_infos[name], strict=True))
        else:
            assert np.array_equal(value, other_infos[name]), name


@pytest.mark.parametrize("mode", ["NextStep", "SameStep"])
def test_environments_have_the_bits_of_one_machine(cluster, mode):
    arguments = {"autoreset_mode": mode, "max_episode_steps": 13}
    alone = gym.make_vec("Hopper-v5", WORLDS, threads=1, **arguments)
    spread = ray.make_vec("Hopper-v5", WORLDS, workers=4, checkpoint_interval=7, **arguments)
    assert spread.observation_space == alone.observation_space
    assert spread.action_space == alone.action_space
    assert len({node for node, _ in where_are(part.worker for part in spread._parts)}) == 2
    same(spread.reset(seed=5), alone.reset(seed=5))
    rng = np.random.default_rng(2)
    for _ in range(60):
        actions = rng.uniform(-1, 1, alone.action_space.shape)
        same(spread.step(actions), alone.step(actions))
    spread.close()


def test_a_machine_that_dies_loses_no_step(cluster):
    cluster, second = cluster
    arguments = {"max_episode_steps": 20}
    alone = gym.make_vec("Hopper-v5", WORLDS, threads=1, **arguments)
    spread = ray.make_vec("Hopper-v5", WORLDS, workers=4, checkpoint_interval=16, **arguments)
    before = where_are(part.worker for part in spread._parts)
    same(spread.reset(seed=5), alone.reset(seed=5))
    rng = np.random.default_rng(2)
    for step in range(60):
        if step == 25:
            # some steps after a checkpoint
            cluster.remove_node(second, allow_graceful=False)
            for node, process in before:
                if node == second.node_id:
                    os.kill(process, signal.SIGKILL)
        actions = rng.uniform(-1, 1, alone.action_space.shape)
        same(spread.step(actions), alone.step(actions))
    after = where_are(part.worker for part in spread._parts)
    assert second.node_id in {node for node, _ in before}
    assert second.node_id not in {node for node, _ in after}
    spread.close()


def test_environments_are_reset_by_hand(cluster):
    arguments = {"autoreset_mode": "Disabled", "max_episode_steps": 3}
    alone = gym.make_vec("Hopper-v5", WORLDS, threads=1, **arguments)
    spread = ray.make_vec("Hopper-v5", WORLDS, workers=3, **arguments)
    actions = np.zeros(alone.action_space.shape)
    with pytest.raises(ResetNeeded, match="before the first step"):
        spread.step(actions)
    same(spread.reset(seed=5), alone.reset(seed=5))
    for _ in range(3):
        same(spread.step(actions), alone.step(actions))
    with pytest.raises(ResetNeeded, match="have come to an end"):
        spread.step(actions)
    # the worlds of some workers only, and then the others
    first = np.arange(WORLDS) < 4
    for mask in (first, ~first):
        options = {"reset_mask": mask}
        same(spread.reset(options=options), alone.reset(options=options))
    same(spread.step(actions), alone.step(actions))
    with pytest.raises(ValueError, match="actions have the shape"):
        spread.step(actions[1:])
    spread.close()
    with pytest.raises(RuntimeError, match="let go"):
        spread._each([])
