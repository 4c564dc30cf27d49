"""Specifications as text, in the words of MuJoCo."""

import mujoco
import pytest

import ferrodyn
from test_spec import both


def sites(mj):
    spec = mj.MjSpec()
    body = spec.worldbody.add_body(name="b", pos=[1, 2, 3], quat=[0, 0, 0, 1])
    body.add_site(name="s", type=mj.mjtGeom.mjGEOM_BOX, userdata=[1, 2])
    body.add_site(pos=[0, 0, 1])
    return spec


def classes(mj):
    spec = mj.MjSpec()
    spec.modelname = "classes"
    spec.default.geom.size[0] = 2
    small = spec.add_default("small", spec.default)
    small.geom.size[0] = 0.5
    spec.worldbody.add_geom(small)
    spec.worldbody.add_geom(spec.default)
    # what the class says is not said again
    spec.worldbody.add_geom(small, size=[0.5, 0, 0])
    return spec


def read(mj):
    return mj.MjSpec.from_string(
        "<mujoco model='read'><worldbody><camera name='c'/><light name='l' pos='0 0 1'/>"
        "<body name='b'><joint name='j' range='-90 90'/><geom size='1'/>"
        "</body></worldbody></mujoco>"
    )


@pytest.mark.parametrize("program", [sites, classes], ids=lambda p: p.__name__)
def test_the_text_is_mujoco_s(program):
    texts = []
    for mj in (mujoco, ferrodyn):
        spec = program(mj)
        spec.compile()
        texts.append(spec.to_xml())
    assert texts[0] == texts[1]


@both
def test_angles_are_radians_and_places_are_stated(mj):
    spec = read(mj)
    spec.compile()
    text = spec.to_xml()
    assert '<compiler angle="radian"/>' in text
    assert 'pos="0 0 0" axis="0 0 1"' in text and "1.570" in text
    assert '<camera name="c" pos="0 0 0"/>' in text
    assert '<light name="l" pos="0 0 1" dir="0 0 -1"/>' in text
    again = mj.MjSpec.from_string(text).compile()
    assert again.jnt_range[0, 1] == pytest.approx(spec.compile().jnt_range[0, 1], rel=1e-5)


def test_attached_parts_with_other_units():
    part = ferrodyn.MjSpec.from_string(
        "<mujoco><worldbody><body name='b' euler='0 0 90'><joint name='j' range='-90 90'/>"
        "<geom size='1'/></body></worldbody></mujoco>"
    )
    spec = ferrodyn.MjSpec()
    spec.compiler.degree = False
    frame = spec.worldbody.add_frame(euler=[0, 0, 1])
    spec.attach(part, prefix="p_", frame=frame)
    model = spec.compile()
    again = ferrodyn.MjSpec.from_string(spec.to_xml()).compile()
    assert again.jnt_range[0].tolist() == pytest.approx(model.jnt_range[0].tolist())
    assert again.body_quat.ravel().tolist() == pytest.approx(model.body_quat.ravel().tolist())
