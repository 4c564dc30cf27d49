"""Every disable and enable flag alone, for ten steps beside MuJoCo."""

import mujoco
import numpy as np
import pytest

import ferrodyn

# contacts within and between bodies, limits, friction, equality, springs, tendons, actuators with state, sensors
RICH = """
<mujoco>
  <option timestep="0.004" o_margin="0.02" o_friction="0.7 0.7 0.01 0.001 0.001"/>
  <compiler autolimits="true"/>
  <worldbody>
    <geom type="plane" size="3 3 .1"/>
    <body name="trunk" pos="0 0 .2" euler="5 10 3">
      <freejoint/>
      <geom type="box" size=".1 .15 .08"/>
      <geom type="sphere" size=".09" pos=".1 .1 -.1"/>
      <geom type="capsule" size=".05 .1" pos="-.1 0 -.12" euler="0 80 0"/>
      <body name="arm" pos=".13 0 0" gravcomp=".5">
        <joint name="shoulder" axis="0 1 0" range="-30 20" damping=".3" stiffness="5" springref="40" frictionloss=".1"/>
        <geom type="capsule" fromto="0 0 0 .25 0 0" size=".04"/>
        <site name="hand" pos=".25 0 0"/>
        <body name="fore" pos=".25 0 0">
          <joint name="elbow" axis="0 0 1" range="-50 50" damping=".2" armature=".01" solreflimit=".001 1"/>
          <geom type="capsule" fromto="0 0 0 .2 .02 0" size=".04"/>
          <site name="tip" pos=".2 0 0"/>
        </body>
      </body>
    </body>
    <body name="load" pos=".6 .1 .12">
      <freejoint/>
      <geom type="sphere" size=".1" pos=".02 0 0"/>
      <geom type="box" size=".05 .2 .05" pos="0 0 -.08"/>
      <site name="hook"/>
    </body>
    <body name="slider" pos="-1 0 .5">
      <joint name="slide" type="slide" axis="1 0 0" damping="2" stiffness="30" frictionloss=".2"/>
      <joint name="lift" type="slide" axis="0 0 1" damping="2" stiffness="40"/>
      <geom size=".1" contype="0"/>
    </body>
  </worldbody>
  <tendon>
    <spatial name="rope" range="0 .3" stiffness="4" damping=".2">
      <site site="tip"/>
      <site site="hook"/>
    </spatial>
    <fixed name="belt" frictionloss=".05">
      <joint joint="shoulder" coef="1"/>
      <joint joint="elbow" coef="-.4"/>
    </fixed>
  </tendon>
  <equality>
    <joint joint1="slide" joint2="lift" polycoef=".05 .8 0 0 0"/>
    <connect body1="fore" body2="load" anchor=".3 0 0" solref=".05 1"/>
  </equality>
  <actuator>
    <position joint="elbow" kp="3" ctrlrange="-.4 .4"/>
    <general tendon="belt" dyntype="filter" dynprm=".02" gainprm=".5" ctrlrange="-1 1"/>
    <motor joint="slide" gear="2" ctrlrange="-1 1"/>
  </actuator>
  <sensor>
    <accelerometer site="hand"/>
    <jointpos joint="elbow"/>
    <tendonvel tendon="rope"/>
    <framelinvel objtype="site" objname="tip"/>
    <e_potential/>
  </sensor>
</mujoco>
"""

DISABLE = [flag for flag in mujoco.mjtDisableBit.__members__ if flag != "mjNDISABLE"]
ENABLE = [flag for flag in mujoco.mjtEnableBit.__members__ if flag != "mjNENABLE"]


def worlds():
    for engine in (mujoco, ferrodyn):
        model = engine.MjModel.from_xml_string(RICH)
        data = engine.MjData(model)
        data.ctrl[:] = [0.8, 0.5, -3]
        # both hinges are beyond their limits
        data.qpos[7:9] = [0.45, 0.9]
        data.qvel[6:8] = [0.5, -0.3]
        yield engine, model, data


def close(a, b):
    return np.abs(np.asarray(a) - b).max() <= 1e-10 * (1 + np.abs(b).max())


@pytest.mark.parametrize("flag", DISABLE + ENABLE)
def test_each_flag_alone(flag):
    (_, _, theirs), (_, _, ours) = pair = list(worlds())
    plain = next(worlds())
    for engine, model, _ in pair:
        bits = engine.mjtDisableBit if flag in DISABLE else engine.mjtEnableBit
        field = "disableflags" if flag in DISABLE else "enableflags"
        setattr(model.opt, field, int(getattr(bits, flag)))
    for step in range(10):
        for engine, model, data in (*pair, plain):
            engine.mj_step(model, data)
        for name in ("qacc", "qpos", "qvel", "act", "sensordata", "energy", "qfrc_constraint", "actuator_force"):
            assert close(getattr(ours, name), getattr(theirs, name)), (step, name)
        assert (ours.ncon, ours.nefc, ours.nisland) == (theirs.ncon, theirs.nefc, theirs.nisland)
    same = np.array_equal(theirs.qpos, plain[2].qpos) and np.array_equal(theirs.sensordata, plain[2].sensordata)
    # these do not change a run that goes well and has no convex pair, or only what is not part of the state
    assert same == (flag in SILENT), flag


def test_forward_and_inverse_dynamics_are_compared_where_the_flag_says_so():
    (_, _, theirs), (_, _, ours) = pair = list(worlds())
    largest = 0
    for step in range(10):
        on = step % 2 == 1
        for engine, model, data in pair:
            # a solver that stops early leaves a difference that is no rounding
            model.opt.iterations = 2
            model.opt.enableflags = int(mujoco.mjtEnableBit.mjENBL_FWDINV) if on else 0
            data.solver_fwdinv[:] = 7
            engine.mj_step(model, data)
        # without the flag nothing is written
        assert on or (theirs.solver_fwdinv == 7).all(), step
        largest = max(largest, theirs.solver_fwdinv.max() if on else 0)
        assert close(ours.solver_fwdinv, theirs.solver_fwdinv), (step, ours.solver_fwdinv, theirs.solver_fwdinv)
    assert largest > 100


SILENT = {"mjENBL_FWDINV", "mjDSBL_MIDPHASE", "mjDSBL_AUTORESET", "mjDSBL_NATIVECCD", "mjENBL_ENERGY", "mjENBL_INVDISCRETE", "mjENBL_MULTICCD", "mjENBL_SLEEP"}


def test_flags_take_effect_at_the_next_step():
    (_, _, theirs), (_, _, ours) = pair = list(worlds())
    rng = np.random.default_rng(0)
    for step in range(60):
        disable, enable = int(rng.integers(1 << 19)), int(rng.integers(1 << 6)) & ~2 & ~4
        # a diverged world is reset, as it should be
        disable &= ~int(mujoco.mjtDisableBit.mjDSBL_AUTORESET)
        for engine, model, data in pair:
            model.opt.disableflags = disable if step % 3 == 0 else 0
            model.opt.enableflags = enable if step % 3 == 1 else 0
            engine.mj_step(model, data)
        assert np.abs(ours.qacc - theirs.qacc).max() <= 1e-7 * (1 + np.abs(theirs.qacc).max()), step
        assert (ours.ncon, ours.nefc) == (theirs.ncon, theirs.nefc), step
