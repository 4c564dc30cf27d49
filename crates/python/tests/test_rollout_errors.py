"""What rollouts refuse, and in which words."""

import mujoco
import mujoco.rollout
import numpy as np
import pytest

import ferrodyn
from ferrodyn import rollout
from rollout_models import MODEL, random_batch, step_by_step, worlds


@pytest.fixture
def model():
    return ferrodyn.MjModel.from_xml_string(MODEL)


def raised(engine, *args, **kwargs):
    """What a rollout of an engine raises."""
    run = {ferrodyn: rollout, mujoco: mujoco.rollout}[engine].rollout
    model = engine.MjModel.from_xml_string(MODEL)
    if kwargs.pop("other", False):
        model = [model, engine.MjModel.from_xml_string("<mujoco/>"), model]
    count = kwargs.pop("worlds", 1)
    data = [engine.MjData(model[0] if isinstance(model, list) else model) for _ in range(count)]
    with pytest.raises(Exception) as caught:
        run(model, data, *args, **kwargs)
    return caught.value


@pytest.mark.parametrize(
    "call",
    [
        dict(args=(np.zeros(5),)),
        dict(args=(np.zeros((3, 19)), np.zeros((4, 2)), ), nstep=3),
        dict(args=(np.zeros((3, 19)), np.zeros((4, 5, 2)))),
        dict(args=(np.zeros((3, 19)), np.zeros((3, 5, 1)))),
        dict(args=(np.zeros((3, 19)), np.zeros((3, 5, 4, 2)))),
        dict(args=(np.zeros((3, 2, 19)),)),
        dict(args=("text",)),
        dict(args=([0.0] * 19,)),
        dict(args=(np.zeros(19),), control_spec=ferrodyn.mjtState.mjSTATE_QPOS.value),
        dict(args=(np.zeros(19),), nstep=2.0),
        dict(args=(np.zeros(19),), chunk_size=1.0),
        dict(args=(np.zeros(19),), initial_warmstart=np.zeros(3)),
        dict(args=(np.zeros((3, 19)),), initial_warmstart=np.zeros((2, 10))),
        dict(args=(np.zeros((3, 19)),), state=np.zeros((3, 2, 19)), sensordata=np.zeros((3, 4, 6))),
        dict(args=(np.zeros((3, 19)),), sensordata=np.zeros((3, 4, 5))),
        dict(args=(np.zeros((3, 19)),), other=True),
        dict(args=(np.zeros((4, 19)),), other=True),
        dict(args=(np.zeros(19),), worlds=0),
    ],
    ids=str,
)  # fmt: skip
def test_errors_are_mujocos(call):
    args = call["args"]
    kwargs = {name: value for name, value in call.items() if name != "args"}
    ours, theirs = raised(ferrodyn, *args, **dict(kwargs)), raised(mujoco, *args, **dict(kwargs))
    assert type(ours) is type(theirs) and str(ours) == str(theirs)


def test_an_unknown_solver_is_an_error_of_the_step(model):
    model.opt.solver = 10
    initial, control = random_batch(model, 30, 3)
    initial[:, 3] = 0.05  # in the floor
    with pytest.raises(ferrodyn.FatalError, match="^mj_fwdConstraint: unknown solver type 10$"):
        rollout.rollout(model, worlds(model, 4), initial, control)


def test_worlds_and_threads_go_together(model):
    state = np.zeros((4, 19))
    for nthread, count, text in (
        (2, 3, "Length of data: 3 not equal to nthread: 2"),
        (
            0,
            2,
            "More than one data instance passed but rollout is configured to run on main thread",
        ),
        (2, 0, "The list of data instances is empty"),
    ):
        with rollout.Rollout(nthread=nthread) as threads:
            for more in ({}, {"policy": lambda state, sensordata: None}):
                with pytest.raises(ValueError, match=f"^{text}$"):
                    threads.rollout(model, worlds(model, count), state, **more)
    data = ferrodyn.MjData(model)
    with pytest.raises(RuntimeError, match="data is in use"):
        rollout.rollout(model, [data, data], state)
    with pytest.raises(ValueError, match="data was made for another model"):
        rollout.rollout(
            model, [data, ferrodyn.MjData(ferrodyn.MjModel.from_xml_string("<mujoco/>"))], state
        )
    with pytest.raises(ValueError, match="chunk_size must be positive"):
        rollout.rollout(model, worlds(model, 2), state, chunk_size=-1)


def test_memory_that_cannot_be_written_in_place_is_refused(model):
    def run(state, initial=np.zeros((4, 19)), data=None):
        data = data or ferrodyn.MjData(model)
        rollout.rollout(model, data, initial, nstep=2, skip_checks=True, state=state)

    with pytest.raises(ValueError, match="state.size should be 152, got 76"):
        run(np.zeros((4, 1, 19)))
    with pytest.raises(ValueError, match="row-major"):
        run(np.zeros((4, 2, 38))[:, :, ::2])
    with pytest.raises(TypeError, match="numpy array"):
        run(np.zeros((4, 2, 19), np.float32))
    read_only = np.zeros((4, 2, 19))
    read_only.flags.writeable = False
    with pytest.raises(BaseException, match="not writeable|read-only"):
        run(read_only)
    # what steps write to is no place for results; as an input it is copied
    data = ferrodyn.MjData(model)
    with pytest.raises(ValueError, match="memory of a world"):
        rollout.rollout(
            model,
            data,
            np.zeros((1, 19)),
            nstep=1,
            skip_checks=True,
            sensordata=data.sensordata.reshape(1, 1, 6),
        )
    data.qacc_warmstart[:] = 1.0
    initial, control = random_batch(model, 1, 3)
    warmstart = data.qacc_warmstart.copy()[None]
    state = np.empty((1, 3, 19))
    given = np.asarray(memoryview(data.qacc_warmstart[None]))
    rollout.rollout(
        model,
        [data],
        initial,
        control,
        nstep=3,
        skip_checks=True,
        initial_warmstart=given,
        state=state,
    )
    np.testing.assert_array_equal(
        state, step_by_step(model, initial, control, warmstart=warmstart)[0]
    )
