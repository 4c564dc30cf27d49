"""Deformable bodies of a model: where their vertices are."""

import copy

import ferrodyn
import numpy as np
import pytest

CLOTH = """
<mujoco xmlns:ferrodyn="urn:ferrodyn">
  <worldbody>
    <geom type="plane" size="1 1 1"/>
    <body name="shelf" pos="0 0 .5">
      <geom size=".01" pos="9 9 9"/>
      <flexcomp name="cloth" ferrodyn:solver="xpbd" type="grid" dim="2" count="4 3 1" spacing=".1 .1 .1" radius=".01">
        <pin id="0"/>
      </flexcomp>
    </body>
    <body pos="2 0 1"><joint name="j" type="slide" axis="1 0 0"/><geom size=".1"/></body>
  </worldbody>
  <actuator><motor joint="j"/></actuator>
</mujoco>"""


def world():
    model = ferrodyn.MjModel.from_xml_string(CLOTH)
    return model, ferrodyn.MjData(model)


def test_vertices_are_where_the_model_begins_and_then_fall():
    model, data = world()
    start = data.soft_xpos
    assert start.shape == (model.nsoftvert, 3) == (12, 3)
    np.testing.assert_allclose(start, model.soft_vert + [0, 0, 0.5], atol=1e-12)
    assert not data.soft_xvel.any()
    ferrodyn.mj_step(model, data, 20)
    # half a second squared times g, but for the corner that is pinned
    fallen = start[:, 2] - data.soft_xpos[:, 2]
    assert fallen[0] == 0 and fallen[-1] == pytest.approx(0.5 * 9.81 * 0.04**2, rel=0.1)
    assert data.soft_xvel[-1, 2] == pytest.approx(-9.81 * 0.04, rel=0.1)
    # what was asked for before is what it was
    np.testing.assert_allclose(start, model.soft_vert + [0, 0, 0.5], atol=1e-12)


def test_the_arrays_are_copies_that_cannot_be_written_to():
    _, data = world()
    for array in (data.soft_xpos, data.soft_xvel):
        with pytest.raises(ValueError):
            array[0, 0] = 1.0
    with pytest.raises(AttributeError):
        data.soft_xpos = np.zeros((12, 3))


def test_copies_and_resets_go_along():
    model, data = world()
    start = data.soft_xpos
    ferrodyn.mj_step(model, data, 5)
    other = copy.copy(data)
    np.testing.assert_array_equal(other.soft_xpos, data.soft_xpos)
    ferrodyn.mj_step(model, other)
    assert not np.array_equal(other.soft_xpos, data.soft_xpos)
    ferrodyn.mj_resetData(model, data)
    np.testing.assert_array_equal(data.soft_xpos, start)


def test_callbacks_can_read_them():
    model, data = world()
    seen = []
    ferrodyn.set_mjcb_control(lambda _, d: seen.append(d.soft_xpos[-1, 2]))
    try:
        ferrodyn.mj_step(model, data, 3)
    finally:
        ferrodyn.set_mjcb_control(None)
    assert len(seen) == 3 and seen[0] > seen[1] > seen[2] > data.soft_xpos[-1, 2]


def test_a_model_without_such_bodies_has_no_vertices():
    model = ferrodyn.MjModel.from_xml_string("<mujoco/>")
    data = ferrodyn.MjData(model)
    assert data.soft_xpos.shape == data.soft_xvel.shape == (0, 3)
