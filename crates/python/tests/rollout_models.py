"""Models for rollouts, and rollouts step by step as the reference."""

import numpy as np

import ferrodyn

FULL = ferrodyn.mjtState.mjSTATE_FULLPHYSICS.value

# a body that falls on the floor, an arm with a muscle's filter, a mocap body, an equality that can be switched off
MODEL = """
<mujoco>
  <size nuserdata="2"/>
  <worldbody>
    <geom name="floor" type="plane" size="5 5 .1"/>
    <body name="box" pos="0 0 .2"><freejoint/><geom type="box" size=".1 .08 .06" mass="1"/></body>
    <body name="arm" pos="1 0 .5">
      <joint name="a" axis="0 1 0" damping=".1"/>
      <geom name="upper" type="capsule" size=".03" fromto="0 0 0 .4 0 0" mass=".5"/>
      <body pos=".4 0 0">
        <joint name="b" axis="0 1 0" damping=".1"/>
        <geom type="capsule" size=".03" fromto="0 0 0 .4 0 0" mass=".4"/>
        <site name="tip" pos=".4 0 0"/>
      </body>
    </body>
    <body name="target" mocap="true" pos="1 0 1"><geom size=".02" contype="0" conaffinity="0"/></body>
  </worldbody>
  <equality><joint name="tied" joint1="a" joint2="b" active="false"/></equality>
  <actuator>
    <motor joint="a"/>
    <general joint="b" dyntype="filter" dynprm=".05"/>
  </actuator>
  <sensor>
    <accelerometer site="tip"/>
    <framepos objtype="site" objname="tip" reftype="body" refname="target"/>
  </sensor>
</mujoco>
"""

# diverges where the motor pushes with a force that is too large
DIVERGING = """
<mujoco>
  <option gravity="0 0 0" timestep=".01"/>
  <worldbody>
    <body><joint name="slide" type="slide" axis="1 0 0"/><geom size=".1" mass="1"/></body>
  </worldbody>
  <actuator><motor joint="slide" gear="100"/></actuator>
  <sensor><jointpos joint="slide"/></sensor>
</mujoco>
"""


def random_batch(model, nbatch, nstep, seed=0, spec=ferrodyn.mjtState.mjSTATE_CTRL.value):
    """Initial states near the reference pose, and controls."""
    rng = np.random.default_rng(seed)
    data = ferrodyn.MjData(model)
    first = np.empty(ferrodyn.mj_stateSize(model, FULL))
    ferrodyn.mj_getState(model, data, first, FULL)
    states = first + 0.1 * rng.standard_normal((nbatch, first.size))
    controls = rng.standard_normal((nbatch, nstep, ferrodyn.mj_stateSize(model, spec)))
    return states, controls


def state_of(model, data, spec=FULL):
    state = np.empty(ferrodyn.mj_stateSize(model, spec))
    ferrodyn.mj_getState(model, data, state, spec)
    return state


def step_by_step(
    model, initial_state, control, spec=ferrodyn.mjtState.mjSTATE_CTRL.value, warmstart=None
):
    """The same rollouts by ``mj_step``, each in a fresh world."""
    nbatch, nstep, _ = control.shape
    models = [model] * nbatch if isinstance(model, ferrodyn.MjModel) else model
    state = np.empty((nbatch, nstep, initial_state.shape[1]))
    sensordata = np.empty((nbatch, nstep, models[0].nsensordata))
    for r, m in enumerate(models):
        data = ferrodyn.MjData(m)
        ferrodyn.mj_setState(m, data, initial_state[r], FULL)
        if warmstart is not None:
            data.qacc_warmstart = warmstart[r]
        for t in range(nstep):
            ferrodyn.mj_setState(m, data, control[r, t], spec)
            ferrodyn.mj_step(m, data)
            state[r, t], sensordata[r, t] = state_of(m, data), data.sensordata
    return state, sensordata


def worlds(model, count):
    return [ferrodyn.MjData(model) for _ in range(count)]


def assert_same(ours, theirs):
    """Equal to the last bit."""
    for a, b in zip(ours, theirs, strict=True):
        np.testing.assert_array_equal(a, b)
