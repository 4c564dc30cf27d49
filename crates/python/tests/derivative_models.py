"""Models whose steps are differentiated: a cart, a muscle arm, a quadruped, a chain of everything."""

from pathlib import Path

import mujoco
import numpy as np

import ferrodyn

CARTPOLE = """
<mujoco>
  <worldbody>
    <body>
      <joint name="slider" type="slide" axis="1 0 0" damping="0.1"/>
      <geom size="0.1" mass="1"/>
      <body>
        <joint name="hinge" axis="0 1 0"/>
        <geom type="capsule" fromto="0 0 0 0 0 0.6" size="0.03"/>
      </body>
    </body>
  </worldbody>
  <actuator><motor name="push" joint="slider" ctrlrange="-1 1" gear="10"/></actuator>
  <sensor>
    <jointpos joint="hinge"/><jointvel joint="hinge"/><actuatorfrc actuator="push"/>
    <jointactuatorfrc joint="slider"/>
  </sensor>
</mujoco>
"""

MUSCLE_ARM = """
<mujoco>
  <option timestep="0.005"/>
  <default><muscle ctrllimited="true" ctrlrange="0 1"/></default>
  <worldbody>
    <site name="base" pos="-0.1 0.05 0"/>
    <site name="behind" pos="-0.1 -0.05 0"/>
    <geom name="shoulder" type="cylinder" size="0.03 0.05"/>
    <body>
      <joint name="shoulder" axis="0 0 1" range="-1.7 1.7" damping="0.05"/>
      <geom type="capsule" fromto="0 0 0 0.4 0 0" size="0.025"/>
      <site name="upper" pos="0.2 0.03 0"/>
      <site name="lower" pos="0.2 -0.03 0"/>
      <body pos="0.4 0 0">
        <joint name="elbow" axis="0 0 1" range="0 2" damping="0.05"/>
        <geom type="capsule" fromto="0 0 0 0.35 0 0" size="0.02"/>
        <site name="hand" pos="0.1 0.03 0"/>
      </body>
    </body>
  </worldbody>
  <tendon>
    <spatial name="flexor"><site site="base"/><site site="upper"/></spatial>
    <spatial name="extensor"><site site="behind"/><site site="lower"/></spatial>
    <spatial name="across"><site site="base"/><site site="upper"/><site site="hand"/></spatial>
  </tendon>
  <actuator>
    <muscle name="flexor" tendon="flexor" force="200" lengthrange="0.1 0.45"/>
    <muscle name="extensor" tendon="extensor" force="200" lengthrange="0.1 0.45"/>
    <muscle name="across" tendon="across" force="150" lengthrange="0.15 0.7"/>
  </actuator>
  <sensor><actuatorfrc actuator="across"/><tendonvel tendon="flexor"/></sensor>
</mujoco>
"""


def quadruped(cone="pyramidal", solver="Newton"):
    """A body on four legs with position servos, on the floor."""
    legs, servos = "", ""
    for name, x, y in (("fl", 1, 1), ("fr", 1, -1), ("bl", -1, 1), ("br", -1, -1)):
        legs += f"""
      <body pos="{0.2 * x} {0.12 * y} 0">
        <joint name="{name}_roll" axis="1 0 0" range="-40 40" damping="1" armature="0.01"/>
        <joint name="{name}_hip" axis="0 1 0" range="-60 60" damping="1" armature="0.01"/>
        <geom type="capsule" fromto="0 0 0 0.02 0 -0.2" size="0.025" mass="0.4"/>
        <body pos="0.02 0 -0.2">
          <joint name="{name}_knee" axis="0 1 0" range="-100 10" damping="1" armature="0.01"/>
          <geom type="capsule" fromto="0 0 0 -0.02 0 -0.2" size="0.02" mass="0.2"/>
          <geom name="{name}" size="0.025" pos="-0.02 0 -0.2" mass="0.05" friction="0.8"/>
        </body>
      </body>"""
        for joint in ("roll", "hip", "knee"):
            servos += f'<position joint="{name}_{joint}" kp="60" forcerange="-30 30"/>'
    return f"""
<mujoco>
  <option cone="{cone}" solver="{solver}"/>
  <worldbody>
    <geom type="plane" size="3 3 0.1"/>
    <body name="trunk" pos="0 0 0.425">
      <freejoint/>
      <geom type="box" size="0.25 0.1 0.05" mass="5"/>
      <site name="imu"/>{legs}
    </body>
  </worldbody>
  <actuator>{servos}</actuator>
  <sensor>
    <accelerometer site="imu"/><gyro site="imu"/><framequat objtype="site" objname="imu"/>
  </sensor>
</mujoco>
"""


# filters and integrators, affine gains, tendons across branches, a ball joint, limits of force and activation
MIXED = """
<mujoco>
  <worldbody>
    <body pos="0 0 1">
      <joint name="ball" type="ball" damping="0.1"/>
      <geom type="box" size="0.1 0.2 0.05" pos="0.1 0 0"/>
      <body pos="0.3 0.1 0">
        <joint name="a" axis="0 1 0" damping="0.2" stiffness="5"/>
        <geom type="capsule" fromto="0 0 0 0.3 0 0" size="0.03"/>
      </body>
      <body pos="0.3 -0.1 0">
        <joint name="b" axis="0 1 0.3"/>
        <joint name="c" type="slide" axis="1 0 0" stiffness="200" damping="2"/>
        <geom type="capsule" fromto="0 0 0 0.3 0 0" size="0.03"/>
      </body>
    </body>
  </worldbody>
  <tendon>
    <fixed name="both" damping="0.3"><joint joint="a" coef="1"/><joint joint="b" coef="-0.7"/></fixed>
  </tendon>
  <actuator>
    <motor joint="ball" gear="1 0.5 0.2 0 0 0"/>
    <general joint="a" dyntype="filter" dynprm="0.05" gainprm="2"/>
    <general joint="b" dyntype="filterexact" dynprm="0.02" gainprm="3" actearly="true"/>
    <intvelocity joint="c" kp="40" actrange="-0.5 0.5"/>
    <general tendon="both" gaintype="affine" gainprm="1 0.5 -0.8" biastype="affine" biasprm="0.1 -3 -0.4"/>
    <motor joint="a" gear="5" forcerange="-0.1 0.1"/>
    <velocity joint="b" kv="2"/>
  </actuator>
  <sensor><framelinacc objtype="xbody" objname="world"/><ballangvel joint="ball"/></sensor>
</mujoco>
"""

HUMANOID = (Path(__file__).parents[3] / "benches" / "models" / "humanoid.xml").read_text()
# what both worlds need in order to make the same step
STATE = ("qpos", "qvel", "act", "ctrl", "qacc_warmstart")


class Worlds:
    """The same model and state in both engines, after some steps with noise."""

    def __init__(self, xml, steps, seed=0, noise=0.3, **options):
        self.m, self.e = mujoco.MjModel.from_xml_string(xml), ferrodyn.MjModel.from_xml_string(xml)
        for model in (self.m, self.e):
            for name, value in options.items():
                setattr(model.opt, name, value)
        self.d, self.f = mujoco.MjData(self.m), ferrodyn.MjData(self.e)
        rng = np.random.default_rng(seed)
        for _ in range(steps):
            self.d.ctrl[:] = noise * rng.normal(size=self.m.nu)
            mujoco.mj_step(self.m, self.d)
        self.f.time = self.d.time
        for name in STATE:
            getattr(self.f, name)[:] = getattr(self.d, name)

    def restore(self):
        """Give the oracle the state back that its differences lost in the last digits."""
        for name in STATE:
            getattr(self.d, name)[:] = getattr(self.f, name)

    def outputs(self):
        """Zero matrices A, B, C and D."""
        nx, nu, ns = 2 * self.m.nv + self.m.na, self.m.nu, self.m.nsensordata
        return [np.zeros(shape) for shape in ((nx, nx), (nx, nu), (ns, nx), (ns, nu))]


def error(ours, theirs):
    """The largest difference, relative to the largest entry."""
    if ours.size == 0:
        return 0.0
    return np.abs(ours - theirs).max() / max(np.abs(theirs).max(), 1e-30)
