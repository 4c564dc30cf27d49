"""Models that both engines load, and how their numbers are compared."""

import mujoco
import numpy as np

import ferrodyn

# every kind of joint, frames of every kind, keyframes, custom data; nothing that collides
TREE = """
<mujoco model="tree">
  <compiler angle="radian" autolimits="false"/>
  <option timestep="0.004" wind="0.1 0 0" integrator="Euler">
    <flag contact="disable" energy="enable"/>
  </option>
  <size nuserdata="3" nuser_body="2" nuser_geom="1" nkey="3"/>
  <visual><global fovy="30"/><map znear="0.02"/><rgba haze="0.1 0.2 0.3 1"/></visual>
  <statistic extent="2.5"/>
  <worldbody>
    <light name="sun" pos="0 0 3" dir="0.1 0.2 -1"/>
    <light name="spot" pos="1 0 3" mode="targetbody" target="arm"/>
    <camera name="fixed" pos="0 -3 1" fovy="50"/>
    <camera name="tracking" pos="0 -2 2" mode="trackcom"/>
    <geom name="floor" type="plane" size="3 3 0.1"/>
    <site name="home" pos="0.3 0 0"/>
    <body name="base" pos="0 0 1" user="4 5">
      <freejoint name="root"/>
      <geom name="torso" type="capsule" size="0.1 0.2" mass="2" rgba="0.8 0.3 0.1 1" user="7"/>
      <site name="imu" pos="0 0.1 0.05" euler="0.3 0.2 0.1"/>
      <camera name="eye" pos="0.1 0 0.2"/>
      <body name="arm" pos="0.2 0 0.1" euler="0.1 0.5 -0.2">
        <joint name="shoulder" type="ball" damping="0.2" armature="0.01"/>
        <geom name="upper" type="box" size="0.05 0.06 0.2" mass="0.7" pos="0 0 0.2"/>
        <body name="forearm" pos="0 0 0.4">
          <joint name="elbow" axis="0 1 0.2" damping="0.1" stiffness="3" springref="0.4"/>
          <joint name="wrist" type="slide" axis="0 0 1" stiffness="20" armature="0.02"/>
          <geom name="lower" type="ellipsoid" size="0.04 0.05 0.15" mass="0.5" pos="0 0 0.1"/>
          <site name="hand" pos="0 0 0.25"/>
        </body>
      </body>
      <body name="leg" pos="0 -0.1 -0.3" gravcomp="0.5">
        <joint name="hip" axis="1 0 0" pos="0 0 0.1" ref="0.1" frictionloss="0"/>
        <geom name="thigh" type="cylinder" size="0.05 0.2" mass="0.9"/>
      </body>
    </body>
    <body name="target" mocap="true" pos="1 1 1"><geom size="0.05" contype="0"/></body>
    <body name="pendulum" pos="2 0 1">
      <joint name="pivot" axis="0 1 0" damping="0.05"/>
      <geom type="sphere" size="0.1" pos="0 0 -0.5" mass="1"/>
    </body>
  </worldbody>
  <custom>
    <numeric name="gains" data="1 2 3"/>
    <numeric name="limit" data="0.5"/>
    <text name="note" data="hello"/>
    <tuple name="parts">
      <element objtype="body" objname="arm" prm="2"/>
      <element objtype="geom" objname="thigh"/>
    </tuple>
  </custom>
  <keyframe>
    <key name="home" time="1.5" qpos="0 0 2 1 0 0 0  0.5 0.5 0.5 0.5  0.1 0.2  0.3  0.4"/>
    <key name="moving" qvel="0.1 0.2 0.3 0 0 1  1 2 3  4 5  6  7"/>
  </keyframe>
</mujoco>
"""

CHAIN = (
    '<mujoco><option><flag contact="disable"/></option><worldbody>'
    + "".join(
        f'<body name="link{i}" pos="0 0 -0.2">'
        f'<joint name="joint{i}" axis="{i % 2} {(i + 1) % 2} 0"/>'
        '<geom type="capsule" size="0.03" fromto="0 0 0 0 0 -0.2"/>'
        for i in range(12)
    )
    + "</body>" * 12
    + "</worldbody></mujoco>"
)

POINT = (
    '<mujoco><option><flag contact="disable"/></option><worldbody><body name="ball" pos="0 0 1">'
    '<freejoint/><geom name="ball" size="0.1"/></body></worldbody></mujoco>'
)

EMPTY = "<mujoco/>"

MODELS = {"tree": TREE, "chain": CHAIN, "point": POINT, "empty": EMPTY}

# relative to 1 + the largest element: exact apart from rounding
KINEMATICS = 1e-12
FORCES = 1e-10


def assert_close(ours, theirs, tolerance=FORCES, what=""):
    """Equal shape, and equal numbers relative to 1 + the largest element."""
    ours, theirs = np.asarray(ours, dtype=np.float64), np.asarray(theirs, dtype=np.float64)
    assert ours.shape == theirs.shape, what
    if ours.size:
        error = np.abs(ours - theirs).max() / (1 + np.abs(theirs).max())
        assert error <= tolerance, f"{what}: {error}"


def random_state(model, seed):
    """A configuration with valid quaternions, and a velocity."""
    rng = np.random.default_rng(seed)
    qpos = model.qpos0.copy()
    mujoco_like = ferrodyn if isinstance(model, ferrodyn.MjModel) else mujoco
    mujoco_like.mj_integratePos(model, qpos, rng.normal(size=model.nv), 0.5)
    return qpos, rng.normal(size=model.nv)


class Pair:
    """The same model and state in both engines."""

    def __init__(self, xml, seed=None):
        self.models = mujoco.MjModel.from_xml_string(xml), ferrodyn.MjModel.from_xml_string(xml)
        self.datas = tuple(
            module.MjData(model) for module, model in zip((mujoco, ferrodyn), self.models)
        )
        if seed is not None:
            qpos, qvel = random_state(self.models[0], seed)
            for data in self.datas:
                data.qpos[:] = qpos
                data.qvel[:] = qvel
                data.qfrc_applied[:] = qvel[::-1]

    def call(self, name, *args):
        """Call the function of both modules with model and data; returns both results."""
        return [
            getattr(module, name)(model, data, *args)
            for module, model, data in zip((mujoco, ferrodyn), self.models, self.datas)
        ]

    def assert_same(self, *names, tolerance=FORCES):
        """The arrays of both worlds agree."""
        theirs, ours = self.datas
        for name in names:
            assert_close(getattr(ours, name), getattr(theirs, name), tolerance, name)
