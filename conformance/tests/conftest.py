"""Makes the tool importable and gives the tests a model with contacts, sensors and actuators."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

SCENE = """
<mujoco>
  <worldbody>
    <geom type="plane" size="2 2 0.1"/>
    <body name="arm" pos="0 0 1">
      <joint name="j" axis="0 1 0" damping="0.1"/>
      <geom name="rod" type="capsule" fromto="0 0 0 0.4 0 0" size="0.03"/>
      <body pos="0.4 0 0">
        <joint name="k" axis="0 0 1" range="-30 30"/>
        <geom type="box" size="0.1 0.05 0.05" pos="0.1 0 0"/>
        <site name="s"/>
      </body>
    </body>
    <body pos="1 0 0.11">
      <freejoint/>
      <geom type="sphere" size="0.1"/>
    </body>
  </worldbody>
  <actuator>
    <motor joint="j" ctrlrange="-1 1" ctrllimited="true"/>
  </actuator>
  <sensor>
    <accelerometer site="s"/>
    <framepos objtype="site" objname="s"/>
  </sensor>
</mujoco>
"""


@pytest.fixture
def scene(tmp_path):
    """Path of the test scene."""
    path = tmp_path / "scene.xml"
    path.write_text(SCENE)
    return path
