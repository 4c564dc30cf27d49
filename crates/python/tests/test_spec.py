"""The programming interface of specifications: what is found, what is kept, what is refused."""

import copy
import gc

import mujoco
import numpy as np
import pytest

import ferrodyn
from test_spec_models import ARM, assert_same_model

MODULES = [mujoco, ferrodyn]
both = pytest.mark.parametrize("mj", MODULES, ids=["mujoco", "ferrodyn"])


@both
def test_elements_are_found_by_name(mj):
    spec = mj.MjSpec.from_string(ARM)
    assert spec.body("upper").name == "upper"
    assert spec.body("nothing") is None
    assert spec.geom("link") is spec.geom("link")
    assert [b.name for b in spec.bodies] == ["world", "upper", "lower"]
    assert [j.name for j in spec.joints] == ["shoulder", "elbow"]
    assert spec.worldbody.name == "world" and spec.worldbody.id == 0
    assert spec.material("metal").rgba[0] == 1
    assert spec.mesh("m").uservert[3] == 1
    assert spec.key("k").ctrl[0] == 3
    assert [len(x) for x in (spec.actuators, spec.sensors, spec.tendons, spec.keys)] == [1] * 4
    assert spec.frame("mount").parent.name == "upper"


@both
def test_the_tree_can_be_walked(mj):
    spec = mj.MjSpec.from_string(ARM)
    world, upper = spec.worldbody, spec.body("upper")
    assert world.first_body() is upper and world.next_body(upper) is None
    assert upper.find_child("lower").parent is upper
    assert [g.name for g in upper.find_all("geom")] == ["link", "mounted", ""]
    assert [g.name for g in upper.geoms] == ["link", "mounted"]
    assert [b.name for b in world.find_all(mj.mjtObj.mjOBJ_BODY)] == ["upper", "lower"]
    assert upper.first_joint().name == "shoulder" and upper.joints[0].parent is upper
    assert upper.first_geom().name == "link"
    assert upper.next_geom(upper.first_geom()).name == "mounted"
    assert upper.first_camera() is None and upper.lights == []
    with pytest.raises(ValueError, match="supports the types"):
        upper.find_all("actuator")


@both
def test_numbers_of_elements(mj):
    spec = mj.MjSpec()
    body = spec.worldbody.add_body(name="a")
    geom = body.add_geom(size=[0.1, 0, 0])
    first = spec.worldbody.add_geom(size=[0.1, 0, 0])
    key = spec.add_key(name="k")
    assert (body.id, geom.id, first.id, key.id) == (-1, -1, -1, 0)
    spec.compile()
    assert (body.id, geom.id, first.id, key.id) == (1, 1, 0, 0)


@both
def test_attributes_have_types(mj):
    spec = mj.MjSpec()
    geom = spec.worldbody.add_geom()
    assert isinstance(geom.type, mj.mjtGeom) and geom.type == 2
    assert geom.pos.dtype == np.float64 and geom.rgba.dtype == np.float32
    assert np.isnan(geom.mass) and np.isnan(geom.fromto[0]) and geom.density == 1000
    assert isinstance(geom.contype, int) and isinstance(geom.margin, float)
    assert geom.material == "" and len(geom.userdata) == 0
    geom.userdata = [1, 2]
    assert list(geom.userdata) == [1.0, 2.0]
    geom.userdata[1] = 5
    assert geom.userdata[1] == 5
    with pytest.raises(IndexError):
        geom.userdata[2]
    camera = spec.worldbody.add_camera()
    assert camera.resolution.dtype == np.int32 and camera.resolution.tolist() == [1, 1]
    assert list(spec.compiler.eulerseq) == ["x", "y", "z"]
    assert spec.option.timestep == 0.002 and np.isnan(spec.stat.extent)
    assert len(spec.add_material().textures) == 10 and len(spec.add_texture().cubefiles) == 6
    assert spec.memory == -1 and spec.nuserdata == 0 and spec.modelname == "MuJoCo Model"


# the signature is that of the implementation
NOT_KEPT = {"signature"}


def plain(value):
    """A value of either module as a Python object."""
    if type(value).__name__.endswith("Vec"):
        return list(value)
    return int(value) if hasattr(value, "__index__") and not np.ndim(value) else value


def attributes(module, make):
    element = make(module)
    values = {}
    for name in dir(element):
        if name.startswith("_") or name in NOT_KEPT:
            continue
        value = getattr(element, name)
        if isinstance(value, (int, float, str)):
            values[name] = value
        elif isinstance(value, np.ndarray):
            values[name] = value.tolist()
        elif type(value).__name__.endswith("Vec"):
            values[name] = list(value)
    return values


MAKERS = {
    name: (lambda m, n=name: getattr(m.MjSpec().worldbody.add_body(), f"add_{n}")())
    for name in "body frame joint geom site camera light".split()
} | {
    name: (lambda m, n=name: getattr(m.MjSpec(), f"add_{n}")())
    for name in "flex mesh skin hfield texture material pair exclude equality tendon actuator sensor"
    " numeric text tuple key plugin".split()
}


@pytest.mark.parametrize("name", MAKERS)
def test_every_attribute_starts_as_in_mujoco(name):
    theirs, ours = attributes(mujoco, MAKERS[name]), attributes(ferrodyn, MAKERS[name])
    assert set(theirs) <= set(ours)
    for attribute, value in theirs.items():
        np.testing.assert_equal(ours[attribute], value, err_msg=attribute)


@pytest.mark.parametrize(
    "name", "joint geom site camera light flex mesh material pair tendon".split()
)
def test_defaults_start_as_in_mujoco(name):
    table = ferrodyn._spec_elements.ELEMENTS[name]._fields
    values = [getattr(module.MjSpec().default, name) for module in MODULES]
    for attribute, field in table.items():
        extension = attribute.startswith("bend") or attribute == "elasticity_model"
        if field.field.startswith("@") or attribute in ("alt", "align") or extension:
            continue
        theirs, ours = (getattr(value, attribute) for value in values)
        np.testing.assert_equal(plain(ours), plain(theirs), err_msg=attribute)


@both
def test_a_class_keeps_what_it_says_of_flexes_and_no_flex_starts_from_it(mj):
    spec = mj.MjSpec()
    main = spec.default
    main.flex.radius = 0.25
    main.flex.solref[1] = 3
    main.flex.size = [1, 2, 3]
    main.flex.vert = [1, 2, 3]
    inner = spec.add_default("inner", main)
    inner.flex.radius, inner.flex.margin = 0.5, 0.125
    main.flex.size[0] = 7
    assert (main.flex.radius, inner.flex.radius) == (0.25, 0.5)
    assert inner.flex.solref.tolist() == [0.02, 3] and list(inner.flex.vert) == [1, 2, 3]
    assert inner.flex.size.tolist() == [1, 2, 3]
    assert spec.copy().find_default("inner").flex.radius == 0.5
    flex = spec.add_flex()
    assert flex.radius == 0.005 and flex.solref.tolist() == [0.02, 1] and len(flex.vert) == 0
    spec.delete(inner)
    again = spec.add_default("inner", main)
    assert (again.flex.radius, again.flex.margin) == (0.25, 0)


@both
def test_arrays_that_are_kept_write_through(mj):
    spec = mj.MjSpec()
    geom = spec.worldbody.add_geom(size=[0.1, 0, 0])
    pos, part = geom.pos, geom.rgba[:2]
    pos[0] = 1
    part[:] = 0.25
    model = spec.compile()
    assert model.geom_pos[0, 0] == 1 and model.geom_rgba[0].tolist() == [0.25, 0.25, 0.5, 1]
    gc.collect()
    pos += 2
    part[1] = 0.75
    model = spec.compile()
    assert model.geom_pos[0].tolist() == [3, 2, 2]
    assert model.geom_rgba[0].tolist() == [0.25, 0.75, 0.5, 1]
    geom.pos = [5, 6, 7]
    assert pos.tolist() == [5, 6, 7] and geom.pos is not None
    spec.option.gravity[0] = 3
    assert spec.compile().opt.gravity[0] == 3


@both
def test_what_is_refused(mj):
    spec = mj.MjSpec()
    world = spec.worldbody
    geom = world.add_geom(name="g", size=[0.1, 0, 0])
    for wrong in ({"colour": 1}, {"size": "large"}, {"name": 3}, {"type": "box"}):
        with pytest.raises(TypeError):
            world.add_geom(**wrong)
    for wrong in ({"pos": [1, 2]}, {"euler": [1]}, {"euler": [1, 2, 3], "zaxis": [0, 0, 1]}):
        with pytest.raises(ValueError):
            world.add_geom(**wrong)
    with pytest.raises(ValueError, match="length 12"):
        spec.add_texture(gridlayout="....")
    with pytest.raises(TypeError):
        geom.pos = [1, 2]
    with pytest.raises(AttributeError):
        geom.colour = 3
    with pytest.raises(ValueError, match="repeated name"):
        world.add_geom(name="other").name = "g"
    with pytest.raises(TypeError, match="align, group, name"):
        world.add_body().add_freejoint(axis=[1, 0, 0])
    with pytest.raises(ValueError, match="One of frame or site"):
        spec.attach(mj.MjSpec())
    with pytest.raises(ValueError, match="Frame not found"):
        spec.attach(mj.MjSpec(), frame="nowhere")
    with pytest.raises(ValueError, match="exactly 10"):
        spec.add_material().textures = ["a"]
    with pytest.raises(ValueError):
        spec.delete(spec.default)
    outside = world.add_body().add_frame()
    with pytest.raises(ValueError, match="mismatched parents"):
        geom.set_frame(outside)


@both
def test_a_specification_that_does_not_compile(mj):
    spec = mj.MjSpec()
    spec.worldbody.add_geom(size=[-1, 0, 0])
    with pytest.raises(ValueError):
        spec.compile()
    spec = mj.MjSpec()
    spec.add_sensor(type=mj.mjtSensor.mjSENS_JOINTPOS, objtype=mj.mjtObj.mjOBJ_JOINT, objname="x")
    with pytest.raises(ValueError):
        spec.compile()
    spec = mj.MjSpec()
    spec.add_actuator(target="x")
    with pytest.raises(ValueError):
        spec.compile()
    for intprm in ([0, 0, 1], [1, 4, 1], [1, 0, 0], [128, 0, 1]):
        spec = mj.MjSpec()
        spec.add_sensor(type=mj.mjtSensor.mjSENS_CONTACT, intprm=intprm)
        with pytest.raises(ValueError):
            spec.compile()
    with pytest.raises(ValueError):
        mj.MjSpec.from_string("<mujoco><nothing/></mujoco>")


@both
def test_copies_are_independent(mj):
    spec = mj.MjSpec()
    spec.worldbody.add_geom(name="g", size=[0.1, 0, 0])
    other = spec.copy()
    other.geom("g").size = [0.5, 0, 0]
    other.geom("g").name = "h"
    assert spec.geom("g").size[0] == 0.1 and spec.geom("h") is None


def test_specifications_can_be_copied_with_copy():
    spec = ferrodyn.MjSpec.from_string(ARM)
    assert [g.name for g in copy.deepcopy(spec).geoms] == [g.name for g in spec.geoms]


@both
def test_removed_elements_are_gone(mj):
    spec = mj.MjSpec.from_string(ARM)
    spec.delete(spec.body("upper"))
    assert [b.name for b in spec.bodies] == ["world"]
    assert (spec.actuators, spec.sensors, spec.tendons, spec.excludes) == ([], [], [], [])
    assert spec.compile().nbody == 1


def test_an_element_that_was_removed_raises():
    spec = ferrodyn.MjSpec.from_string(ARM)
    geom = spec.geom("base")
    spec.delete(geom)
    with pytest.raises(ValueError, match="does not exist any more"):
        geom.pos
    with pytest.raises(ValueError, match="does not exist any more"):
        spec.delete(geom)
    with pytest.raises(ValueError):
        ferrodyn.MjSpec().delete(spec.geom("link"))


def moved(mj):
    """An arm in motion, with its specification."""
    spec = mj.MjSpec.from_string(ARM)
    target = spec.worldbody.add_body(name="target", mocap=True, pos=[1, 2, 3])
    target.add_geom(size=[0.1, 0, 0])
    filtered = spec.add_actuator(name="filtered", trntype=mj.mjtTrn.mjTRN_JOINT, target="shoulder")
    filtered.dyntype = mj.mjtDyn.mjDYN_FILTER
    spec.delete(spec.key("k"))
    model = spec.compile()
    data = mj.MjData(model)
    data.time = 3.5
    data.qpos[:] = [0.1, 0.2]
    data.qvel[:] = [0.3, 0.4]
    data.act[:] = 0.5
    data.ctrl[:] = [0.6, 0.7]
    data.mocap_pos[:] = 4
    data.mocap_quat[:] = [0, 0, 1, 0]
    return spec, model, data


def grown(mj):
    spec, model, data = moved(mj)
    spec.joint("elbow").name = "renamed"
    spec.actuator("motor").target = "renamed"
    # without a name: what was there is known by itself
    spec.body("upper").add_joint(axis=[1, 0, 0], ref=0.25)
    loose = spec.worldbody.add_body()
    loose.add_geom(size=[0.1, 0, 0])
    loose.add_freejoint()
    spec.worldbody.add_body(mocap=True, pos=[7, 8, 9])
    return spec.recompile(model, data)


def shrunk(mj):
    spec, model, data = moved(mj)
    spec.delete(spec.body("lower"))
    return spec.recompile(model, data)


@pytest.mark.parametrize("change", [grown, shrunk])
def test_the_state_survives_recompilation(change):
    (their_model, theirs), (our_model, ours) = change(mujoco), change(ferrodyn)
    assert_same_model(our_model, their_model)
    for name in "time qpos qvel act mocap_pos mocap_quat".split():
        np.testing.assert_array_equal(getattr(ours, name), getattr(theirs, name), err_msg=name)
    if change is grown:
        np.testing.assert_array_equal(ours.ctrl, theirs.ctrl)
    else:
        # MuJoCo gives the controls of removed actuators to those that follow
        assert our_model.actuator(0).name == "filtered" and ours.ctrl.tolist() == [0.7]


@both
def test_objects_follow_what_is_attached(mj):
    child, spec = mj.MjSpec(), mj.MjSpec()
    body = child.worldbody.add_body(name="body")
    geom = body.add_geom(name="geom", size=[0.1, 0, 0])
    pos = geom.pos
    frame = spec.worldbody.add_frame(pos=[1, 0, 0])
    assert frame.attach_body(body, prefix="p_") is body
    body.pos = [0, 1, 0]
    pos[2] = 3
    geom.size[0] = 0.5
    model = spec.compile()
    assert model.body_pos[1].tolist() == [1, 1, 0]
    assert model.geom_pos[0].tolist() == [0, 0, 3] and model.geom_size[0, 0] == 0.5
    assert spec.geom("p_geom") is geom


@both
def test_elements_bind_to_rows_of_models_and_worlds(mj):
    spec = mj.MjSpec.from_string(ARM)
    model = spec.compile()
    data = mj.MjData(model)
    joints = [spec.joint("elbow"), spec.joint("shoulder")]
    assert model.bind(spec.body("lower")).pos.tolist() == [1, 0, 0]
    assert list(model.bind(joints).qposadr) == [1, 0]
    data.bind(joints).qpos = [1, 2]
    assert data.qpos.tolist() == [2, 1]
    data.bind(joints[0]).qvel = 3
    assert data.qvel.tolist() == [0, 3]
    assert list(model.bind([]).qposadr) == []
    with pytest.raises(AttributeError):
        model.bind(joints).colour
    with pytest.raises(ValueError, match="recompile"):
        model.bind(mj.MjSpec().worldbody)


TETRAHEDRON = b"v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 4 3\nf 1 2 4\nf 2 3 4\n"


def with_assets(mj):
    child = mj.MjSpec.from_string(
        """<mujoco><asset><mesh file="mesh.obj"/></asset>
        <worldbody><body><geom type="mesh" mesh="mesh"/></body></worldbody></mujoco>""",
        assets={"mesh.obj": TETRAHEDRON},
    )
    spec = mj.MjSpec()
    frame = spec.worldbody.add_frame()
    spec.attach(child, prefix="p-", frame=frame)
    return spec


def test_files_in_memory():
    theirs, ours = with_assets(mujoco), with_assets(ferrodyn)
    assert set(ours.assets) == set(theirs.assets)
    assert ours.compile().nmeshvert == theirs.compile().nmeshvert == 4


@both
def test_included_files(mj):
    include = {"part.xml": b'<mujoco><worldbody><geom name="g" size=".1"/></worldbody></mujoco>'}
    spec = mj.MjSpec.from_string('<mujoco><include file="part.xml"/></mujoco>', include=include)
    assert spec.geom("g") is not None


def test_specifications_are_read_from_and_written_to_files(tmp_path):
    path = tmp_path / "arm.xml"
    spec = ferrodyn.MjSpec.from_string(ARM)
    spec.to_file(str(path))
    again = ferrodyn.MjSpec.from_file(str(path))
    assert [g.name for g in again.geoms] == [g.name for g in spec.geoms]
    theirs = mujoco.MjModel.from_xml_path(str(path))
    assert_same_model(again.compile(), theirs)


@both
def test_orientations_are_resolved(mj):
    spec = mj.MjSpec()
    body = spec.worldbody.add_body(euler=[90, 0, 0])
    quat = mj.MjSpec.resolve_orientation(True, spec.compiler.eulerseq, body.alt)
    np.testing.assert_allclose(quat, [0.5**0.5, 0.5**0.5, 0, 0])
    assert body.alt.type == mj.mjtOrientation.mjORIENTATION_EULER


@both
def test_plugins(mj):
    spec = mj.MjSpec()
    spec.activate_plugin("mujoco.elasticity.cable")
    plugin = spec.add_plugin(name="cable", plugin_name="mujoco.elasticity.cable", active=True)
    plugin.config = {"twist": "10", "bend": "40"}
    assert plugin.config == {"twist": "10", "bend": "40"} and plugin.active
    body = spec.worldbody.add_body(name="b")
    body.add_geom(size=[0.1, 0, 0])
    body.plugin.name = "cable"
    body.plugin.plugin_name = "mujoco.elasticity.cable"
    body.plugin.active = True
    assert body.plugin.name == "cable"
    assert spec.plugin("cable") is plugin


@both
def test_default_classes_can_be_removed(mj):
    spec = mj.MjSpec()
    outer = spec.add_default("outer", spec.default)
    outer.geom.size[0] = 3
    inner = spec.add_default("inner", outer)
    inner.geom.rgba = [1, 0, 0, 1]
    other = spec.add_default("other", spec.default)
    geoms = [spec.worldbody.add_geom(default) for default in (outer, inner, other)]
    geoms[2].size = [1, 0, 0]
    with pytest.raises(ValueError, match="cannot remove the global default"):
        spec.delete(spec.default)
    spec.delete(outer)
    assert spec.find_default("outer") is None and spec.find_default("inner") is None
    assert spec.find_default("other").name == "other"
    # elements keep what they had
    model = spec.compile()
    assert model.geom_size[:, 0].tolist() == [3, 3, 1]
    assert model.geom_rgba[1].tolist() == [1, 0, 0, 1]
