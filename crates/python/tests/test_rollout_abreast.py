"""Rollouts that take their steps abreast: the bits of each rolled out alone, and the world that a thread leaves."""

import warnings

import numpy as np
import pytest

import ferrodyn
from ferrodyn import rollout
from rollout_models import DIVERGING, MODEL, assert_same, random_batch, worlds

COUNT, STEPS = 13, 25
STATE = ferrodyn.mjtState

# a limit is the only row that there can be
PENDULUMS = """
<mujoco>
  <option timestep=".01" integrator="RK4"><flag energy="enable"/></option>
  <worldbody>
    <body>
      <joint name="a" axis="0 1 0" limited="true" range="-20 20"/><geom size=".1" pos="0 0 -1" contype="0" conaffinity="0"/>
      <body pos="0 0 -1"><joint axis="0 1 0"/><geom size=".1" pos="0 0 -1" contype="0" conaffinity="0"/></body>
    </body>
  </worldbody>
  <actuator><motor joint="a"/><general joint="a" dyntype="filter" dynprm=".1"/></actuator>
</mujoco>
"""
SENSORS = '<sensor><jointpos joint="a"/><user dim="2"/></sensor></mujoco>'
MODELS = {
    "contacts": MODEL,
    "contacts, implicitfast": MODEL.replace("<size", '<option integrator="implicitfast"/><size'),
    "sensors that are off": MODEL.replace(
        "<size", '<option><flag sensor="disable"/></option><size'
    ),
    "limits": PENDULUMS,
    "limits and sensors": PENDULUMS.replace("</mujoco>", SENSORS),
}


def spoiled(model, count=1):
    """Worlds with something in all arrays."""
    data = worlds(model, count)
    for world in data:
        rng = np.random.default_rng(5)
        for name in "ctrl qacc_warmstart qfrc_applied sensordata userdata qfrc_inverse".split():
            getattr(world, name)[:] = 0.1 * rng.standard_normal(getattr(world, name).shape)
        ferrodyn.mj_step(model, world, 3)
    return data


def arrays(data):
    """All numbers of a world."""
    found = {name: getattr(data, name) for name in dir(data) if not name.startswith("_")}
    numbers = {k: np.array(v) for k, v in found.items() if isinstance(v, (np.ndarray, int, float))}
    # those of islands that are no more stay
    for name in ("solver_niter", "solver_nnz"):
        numbers[name] = numbers[name][: max(data.nisland, 1)]
    numbers["contacts"] = np.array([contact.dist for contact in data.contact])
    numbers["warnings"] = np.array([warning.number for warning in data.warning])
    return numbers


def roll(model, data, *arguments, **options):
    """A rollout that may diverge, and what is told of that."""
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        return rollout.rollout(model, data, *arguments, **options), len(told)


def check(model, initial, control, **options):
    """All rollouts at once are those that are rolled out alone, and so are the worlds that they leave; which of them diverged."""
    single = []
    for r in range(COUNT):
        data = spoiled(model)
        result, told = roll(model, data, initial[r], control[r], **options)
        single.append((result, told, arrays(data[0])))
    for count, chunk_size in ((1, None), (1, COUNT), (1, 7), (2, None), (2, 6)):
        data = spoiled(model, count)
        for _ in range(2):
            (state, sensordata), told = roll(
                model, data, initial, control, chunk_size=chunk_size, **options
            )
            for r, (result, _, _) in enumerate(single):
                assert_same((state[r : r + 1], sensordata[r : r + 1]), result)
            assert told == any(told for _, told, _ in single)
        if count == 1:
            left = arrays(data[0])
            assert left.keys() == single[-1][2].keys()
            for name, expected in single[-1][2].items():
                np.testing.assert_array_equal(left[name], expected, err_msg=name)
    return [r for r, (_, told, _) in enumerate(single) if told]


@pytest.mark.parametrize("name", MODELS)
@pytest.mark.parametrize("spec", [STATE.mjSTATE_CTRL, STATE.mjSTATE_USER])
def test_the_bits_are_those_of_rollouts_alone(name, spec):
    model = ferrodyn.MjModel.from_xml_string(MODELS[name])
    initial, control = random_batch(model, COUNT, STEPS, spec=int(spec))
    assert check(model, initial, control, control_spec=int(spec)) == []


def test_one_that_diverges_leaves_the_others_as_they_are():
    model = ferrodyn.MjModel.from_xml_string(DIVERGING)
    initial, control = random_batch(model, COUNT, STEPS)
    assert check(model, initial, control) == []
    control[2::5, 7] = 1e9
    assert check(model, initial, control) == [2, 7, 12]
    control[4, 0], control[9, STEPS - 1] = np.nan, 1e9
    # a control that is bad is no divergence, but ends a rollout too
    assert check(model, initial, control) == [2, 7, 9, 12]


def test_results_may_be_left_out():
    model = ferrodyn.MjModel.from_xml_string(MODEL)
    initial, control = random_batch(model, COUNT, STEPS)
    expected = rollout.rollout(model, worlds(model, 1), initial, control)
    for name, array in zip(("state", "sensordata"), expected):
        given = {name: np.empty_like(array)}
        data = worlds(model, 2)
        rollout.rollout(model, data, initial, control, nstep=STEPS, skip_checks=True, **given)
        np.testing.assert_array_equal(given[name], array)
