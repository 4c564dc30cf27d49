"""Specifications that do not compile: the errors name the problem and the element."""

import mujoco
import pytest

import ferrodyn
from test_spec import both

CONTACT = {"type": mujoco.mjtSensor.mjSENS_CONTACT, "objtype": mujoco.mjtObj.mjOBJ_GEOM}




@both
def test_the_element_and_its_remark_are_told(mj):
    spec = mj.MjSpec()
    spec.worldbody.add_geom(size=[1])
    spec.worldbody.add_geom(name="bad", info="made by the test")
    with pytest.raises(ValueError) as error:
        spec.compile()
    assert "Error: size 0 must be positive" in str(error.value)
    assert "Element name 'bad', id 1, made by the test" in str(error.value)


@both
def test_the_line_is_told_for_what_was_read(mj):
    spec = mj.MjSpec.from_string(
        "<mujoco>\n<worldbody>\n<geom name='bad' size='0'/>\n</worldbody>\n</mujoco>"
    )
    with pytest.raises(ValueError, match="Element name 'bad', id 0, line 3"):
        spec.compile()


@both
def test_a_height_field_whose_data_do_not_fit(mj):
    spec = mj.MjSpec()
    spec.add_hfield(name="hills", size=[1, 1, 1, 1], nrow=2, ncol=2, userdata=[0, 1, 2])
    with pytest.raises(ValueError, match=r"nrow\*ncol\nElement name 'hills', id 0"):
        spec.compile()


@both
def test_a_configuration_that_the_plugin_does_not_have(mj):
    spec = mj.MjSpec()
    spec.activate_plugin("mujoco.pid")
    plugin = spec.add_plugin(name="p", plugin_name="mujoco.pid", active=True)
    plugin.config = {"kp": "1", "strange": "2"}
    body = spec.worldbody.add_body()
    body.add_joint(name="j")
    body.add_geom(size=[1])
    actuator = spec.add_actuator(target="j", trntype=mj.mjtTrn.mjTRN_JOINT)
    actuator.plugin.active = True
    actuator.plugin.name = "p"
    actuator.plugin.plugin_name = "mujoco.pid"
    with pytest.raises(ValueError, match="Error: unrecognized attribute 'plugin:strange'"):
        spec.compile()


@both
@pytest.mark.parametrize(
    ("message", "arguments"),
    [
        (r"num \(intprm\[2\]\) must be positive", {**CONTACT, "intprm": [1, 0, 0]}),
        (r"\(intprm\[0\]\) must be positive, got -1", {**CONTACT, "intprm": [-1, 0, 1]}),
        (r"=256 must have at least one bit set", {**CONTACT, "intprm": [256, 0, 1]}),
        (r"=257 has bits set beyond", {**CONTACT, "intprm": [257, 0, 1]}),
        (r"unknown reduction criterion. got 5", {**CONTACT, "intprm": [1, 5, 1]}),
        (r"first matching criterion", {**CONTACT, "objtype": mujoco.mjtObj.mjOBJ_CAMERA}),
        (
            r"second matching criterion",
            {"type": CONTACT["type"], "reftype": mujoco.mjtObj.mjOBJ_CAMERA, "refname": "thing"},
        ),
        (
            r"\(intprm\[0\]\) must be positive, got 0",
            {"type": mujoco.mjtSensor.mjSENS_RANGEFINDER, "objtype": mujoco.mjtObj.mjOBJ_SITE},
        ),
    ],
)
def test_parameters_of_sensors(mj, message, arguments):
    spec = mj.MjSpec()
    spec.worldbody.add_geom(name="thing", size=[1])
    spec.worldbody.add_site(name="thing")
    spec.worldbody.add_camera(name="thing")
    if "reftype" not in arguments:
        arguments = {**arguments, "objname": "thing"}
    spec.add_sensor(name="s", **{n: convert(mj, v) for n, v in arguments.items()})
    with pytest.raises(ValueError, match=message) as error:
        spec.compile()
    assert "Element name 's', id 0" in str(error.value)


def convert(mj, value):
    """A member of an enumeration of MuJoCo as one of a module."""
    kind = type(value)
    return getattr(mj, kind.__name__)(int(value)) if kind.__name__.startswith("mjt") else value


@both
@pytest.mark.parametrize("size", [[], [1, 2, 3, 4]])
def test_the_number_of_sizes(mj, size):
    with pytest.raises(ValueError, match="size should be a list/array of size 1, 2, or 3"):
        mj.MjSpec().worldbody.add_geom(size=size)


def test_all_problems_are_told():
    spec = ferrodyn.MjSpec()
    spec.worldbody.add_geom(name="a")
    spec.worldbody.add_geom(name="b", info="second")
    spec.worldbody.add_geom()
    with pytest.raises(ValueError) as error:
        spec.compile()
    assert str(error.value).count("size 0 must be positive") == 3
    assert "Element name 'a', id 0\n" in str(error.value)
    assert "Element name 'b', id 1, second\n" in str(error.value)


@both
@pytest.mark.parametrize("value", ["", "text", [None]])
def test_lists_of_numbers_are_numbers(mj, value):
    with pytest.raises(TypeError):
        mj.MjSpec().worldbody.add_geom(userdata=value)


@both
def test_one_orientation_at_most(mj):
    spec = mj.MjSpec()
    spec.add_key(name="does not fit", qpos=[1.0, 2.0])
    with pytest.raises(ValueError, match="Only one of: iaxisangle, ixyaxes, izaxis, or ieuler"):
        spec.worldbody.add_body(iaxisangle=[1, 0, 0, 1], ieuler=[1, 2, 3])
    with pytest.raises(ValueError, match="euler should be a list/array of size 3"):
        spec.worldbody.add_body(euler=[1, 2])
