"""Specifications built by the same program in both engines compile to the same model."""

import mujoco
import numpy as np
import pytest

import ferrodyn
from ferrodyn import _native

# the order of these comes from the convex hull, and is compared elsewhere
HULL = "mesh_graph mesh_poly"
# memory that MuJoCo keeps for itself
MEMORY = {"narena", "nbuffer", "nnames_map", "npluginstate"}


def assert_same_model(ours, theirs):
    """Every size and every array of both models agrees."""
    for name, doc in _native.sizes():
        if "an extension" in doc:
            continue
        if name not in MEMORY and hasattr(theirs, name) and not name.startswith("nmeshpoly"):
            assert getattr(ours, name) == getattr(theirs, name), name
    for name, dtype, *_, doc in _native.model_fields():
        if "an extension" in doc:
            continue
        if name.startswith(tuple(HULL.split())) or not hasattr(theirs, name):
            continue
        a, b = getattr(ours, name), getattr(theirs, name)
        if isinstance(b, bytes):
            assert a == b, name
            continue
        a, b = np.asarray(a), np.asarray(b).reshape(np.shape(a))
        if dtype.startswith("float"):
            tolerance = {"rtol": 1e-10, "atol": 1e-12} if dtype == "float64" else {"rtol": 1e-6}
            np.testing.assert_allclose(a, b, **tolerance, err_msg=name)
        else:
            np.testing.assert_array_equal(a, b, err_msg=name)


PROGRAMS = {}


def program(function):
    """A program that gets one of the modules and returns a specification or a model."""
    PROGRAMS[function.__name__] = function
    return function


@program
def empty(mj):
    return mj.MjSpec()


@program
def geoms_of_all_kinds(mj):
    spec = mj.MjSpec()
    spec.modelname = "kinds"
    world, kind = spec.worldbody, mj.mjtGeom
    world.add_geom(name="floor", type=kind.mjGEOM_PLANE, size=[2, 2, 0.1], rgba=[1, 0, 0, 1])
    body = world.add_body(name="body", pos=[0, 0, 1], euler=[10, 20, 30])
    body.add_freejoint(name="free")
    body.add_geom(type=kind.mjGEOM_SPHERE, size=[0.1, 0, 0], mass=2)
    body.add_geom(type=kind.mjGEOM_CAPSULE, fromto=[0, 0, 0, 1, 0, 0], size=[0.05, 0, 0])
    body.add_geom(type=kind.mjGEOM_CYLINDER, size=[0.1, 0.2, 0], zaxis=[1, 1, 0], density=300)
    box = body.add_geom(type=kind.mjGEOM_BOX, size=[0.1, 0.2, 0.3], quat=[1, 1, 0, 0])
    box.friction = [2, 0.1, 0.2]
    body.add_geom(type=kind.mjGEOM_ELLIPSOID, size=[0.1, 0.2, 0.3], axisangle=[0, 0, 1, 90])
    shell = body.add_geom(type=kind.mjGEOM_BOX, size=[0.1, 0.1, 0.1])
    shell.typeinertia = mj.mjtGeomInertia.mjINERTIA_SHELL
    shell.solimp[1] = 0.8
    shell.solref = [0.05, 2]
    shell.userdata = [1, 2]
    shell.contype, shell.conaffinity, shell.condim, shell.group = 2, 3, 4, 1
    shell.margin, shell.gap, shell.priority, shell.solmix = 0.1, 0.05, 3, 2
    shell.fluid_ellipsoid = 1
    shell.fluid_coefs[2] = 3
    shell.alt.xyaxes = [0, 1, 0, 1, 0, 0]
    shell.alt.type = mj.mjtOrientation.mjORIENTATION_XYAXES
    # without its type the other form has no effect
    body.add_geom(size=[0.1, 0, 0]).alt.euler = [1, 2, 3]
    return spec


@program
def joints(mj):
    spec = mj.MjSpec()
    spec.compiler.degree = False
    kind, parent = mj.mjtJoint, spec.worldbody
    for i, type in enumerate((kind.mjJNT_HINGE, kind.mjJNT_SLIDE, kind.mjJNT_BALL)):
        parent = parent.add_body(name=f"b{i}", pos=[i, 0, 0])
        parent.add_geom(size=[0.1, 0, 0])
        joint = parent.add_joint(name=f"j{i}", type=type, axis=[1, i, 0], damping=0.1 * i)
        joint.armature, joint.stiffness, joint.frictionloss = 0.1, 2, 0.3
        joint.range = [0, 0.5 + i]
        joint.solref_limit = [0.03, 1]
        joint.solimp_friction[0] = 0.5
        joint.actfrcrange = [-1, 1]
        joint.group = i
        joint.userdata = [i]
        if type != kind.mjJNT_BALL:
            joint.ref, joint.springref = 0.2, 0.1
    loose = spec.worldbody.add_body(name="loose")
    loose.add_geom(size=[0.2, 0, 0], pos=[0.1, 0, 0])
    loose.add_freejoint(align=mj.mjtAlignFree.mjALIGNFREE_TRUE, group=2)
    matched = spec.worldbody.add_body()
    matched.add_geom(size=[0.2, 0, 0])
    matched.add_joint(springdamper=[0.5, 1])
    return spec


@program
def inertias_and_body_attributes(mj):
    spec = mj.MjSpec()
    stated = spec.worldbody.add_body(name="stated", mass=2, ipos=[0.1, 0, 0], inertia=[1, 2, 2.5])
    stated.add_joint()
    full = stated.add_body(name="full", mocap=False, gravcomp=0.5, userdata=[1, 2, 3])
    full.add_joint(type=mj.mjtJoint.mjJNT_BALL)
    full.mass, full.ipos, full.fullinertia = 1, [0, 0, 0.1], [1, 1.1, 1.2, 0.1, 0, 0]
    ignored = full.add_body(mass=100)
    ignored.add_geom(size=[0.1, 0, 0])
    ignored.add_joint()
    mocap = spec.worldbody.add_body(name="mocap", pos=[1, 2, 3], quat=[0, 1, 0, 0])
    mocap.mocap = True
    spec.worldbody.add_body(name="sleepy", sleep=mj.mjtSleepPolicy.mjSLEEP_AUTO)
    return spec


@program
def bodies_in_any_order(mj):
    spec = mj.MjSpec()
    a = spec.worldbody.add_body(name="a")
    b = spec.worldbody.add_body(name="b")
    c = a.add_body(name="c")
    d = b.add_body(name="d")
    for i, body in enumerate((d, c, b, a, c, a)):
        body.add_geom(name=f"g{i}", size=[0.1 + 0.01 * i, 0, 0])
    c.add_joint(name="jc")
    a.add_joint(name="ja")
    d.add_site(name="sd")
    a.add_site(name="sa")
    return spec


@program
def frames(mj):
    spec = mj.MjSpec()
    body = spec.worldbody.add_body(name="body", pos=[1, 0, 0])
    outer = body.add_frame(name="outer", pos=[0, 1, 0], euler=[0, 0, 90])
    inner = body.add_frame(outer, name="inner", pos=[0, 0, 1])
    inner.add_geom(size=[0.1, 0, 0])
    child = inner.add_body(name="child", pos=[1, 1, 1])
    child.add_geom(size=[0.2, 0, 0])
    outer.add_joint(axis=[1, 0, 0])
    outer.add_site(name="site")
    outer.add_camera(name="camera")
    outer.add_light(name="light")
    geom = body.add_geom(size=[0.3, 0, 0])
    geom.set_frame(inner)
    assert geom.frame.name == "inner" and geom.parent.name == "body"
    assert inner.frame.name == "outer"
    return spec


@program
def cameras_lights_and_sites(mj):
    spec = mj.MjSpec()
    body = spec.worldbody.add_body(name="target")
    body.add_geom(size=[0.1, 0, 0])
    camera = spec.worldbody.add_camera(name="c", pos=[0, -3, 1], xyaxes=[1, 0, 0, 0, 0, 1], fovy=30)
    camera.mode, camera.targetbody = mj.mjtCamLight.mjCAMLIGHT_TARGETBODY, "target"
    lens = body.add_camera(name="lens", resolution=[640, 480], sensor_size=[0.01, 0.008])
    lens.focal_length = [0.02, 0.02]
    lens.userdata = [4]
    body.add_camera(proj=mj.mjtProjection.mjPROJ_ORTHOGRAPHIC, ipd=0.1, fovy=2)
    light = body.add_light(name="l", dir=[0, 1, -1], type=mj.mjtLightType.mjLIGHT_DIRECTIONAL)
    light.castshadow, light.active = 0, 0
    light.diffuse, light.cutoff, light.exponent = [1, 0.5, 0.25], 30, 5
    body.add_site(name="s", type=mj.mjtGeom.mjGEOM_BOX, size=[1, 2, 3], rgba=[0, 1, 0, 0.5])
    body.add_site(fromto=[0, 0, 0, 0, 0, 1], type=mj.mjtGeom.mjGEOM_CAPSULE, group=3)
    return spec


@program
def default_classes(mj):
    spec = mj.MjSpec()
    main = spec.default
    main.geom.density = 500
    main.joint.damping = 0.25
    red = spec.add_default("red", main)
    red.geom.rgba = [1, 0, 0, 1]
    red.geom.size[0] = 0.3
    dark = spec.add_default("dark", red)
    dark.geom.rgba[0] = 0.5
    # later changes do not reach what exists
    red.geom.condim = 4
    body = spec.worldbody.add_body(name="b")
    body.add_geom(size=[0.1, 0, 0])
    body.add_geom(red)
    late = body.add_geom(dark)
    inherits = spec.worldbody.add_body(dark)
    inherits.add_geom()
    inherits.add_joint()
    inherits.add_body().add_geom()
    body.add_joint()
    dark.geom.rgba = [0, 0, 1, 1]
    main.geom.density = 7
    body.add_geom(dark, size=[0.2, 0, 0])
    assert late.classname.name == "dark"
    assert spec.find_default("red").name == "red" and spec.find_default("none") is None
    late.classname = red
    assert list(late.rgba) == [0.5, 0, 0, 1]
    body.childclass = "red"
    body.add_geom()
    spec.default.actuator.gear[0] = 5
    spec.default.actuator.ctrlrange = [-1, 1]
    body.first_joint().name = "j"
    spec.add_actuator(name="a", trntype=mj.mjtTrn.mjTRN_JOINT, target="j")
    spec.default.tendon.width = 0.5
    spec.default.equality.solref = [0.1, 1]
    spec.default.material.specular = 0.75
    spec.add_material(name="m")
    return spec


@program
def changed_text(mj):
    spec = mj.MjSpec.from_string(
        """<mujoco model="text">
          <default><geom rgba="1 0 0 1"/><default class="c"><joint damping="3"/></default></default>
          <worldbody><body name="b" childclass="c"><joint name="j"/><geom name="g" size=".1"/>
            <frame name="f" pos="1 0 0"><geom name="h" size=".1"/></frame></body></worldbody>
          <actuator><position name="p" joint="j" kp="5"/></actuator>
          <sensor><jointpos joint="j"/></sensor>
          <equality><joint joint1="j" polycoef="1 2"/></equality>
          <tendon><fixed name="t"><joint joint="j" coef="2"/></fixed></tendon></mujoco>"""
    )
    assert spec.joint("j").damping == 3
    assert list(spec.geom("g").rgba) == [1, 0, 0, 1]
    actuator = spec.actuator("p")
    assert actuator.gainprm[0] == 5 and actuator.target == "j"
    assert actuator.trntype == mj.mjtTrn.mjTRN_JOINT
    actuator.gear[0] = 3
    assert spec.sensors[0].objname == "j" and spec.sensors[0].objtype == mj.mjtObj.mjOBJ_JOINT
    assert spec.equalities[0].data[1] == 2
    spec.equalities[0].data[2] = 0.5
    spec.body("b").pos = [1, 2, 3]
    spec.geom("g").name = "other"
    spec.frame("f").pos[1] = 4
    spec.default.geom.rgba = [0, 0, 0, 1]
    spec.body("b").add_geom(name="new", size=[0.2, 0, 0])
    tendon = spec.tendon("t")
    assert len(tendon.path) == 1 and tendon.path[0].coef == 2
    assert tendon.path[0].target.name == "j"
    tendon.stiffness = 4
    return spec


@program
def tendons(mj):
    spec = mj.MjSpec()
    body = spec.worldbody.add_body(name="body", pos=[0, 0, 1])
    body.add_joint(name="hinge")
    body.add_geom(size=[0.1, 0, 0])
    spec.worldbody.add_site(name="s0")
    spec.worldbody.add_geom(name="wrap", size=[0.05, 0, 0], pos=[0, 0.1, 0.5])
    spec.worldbody.add_site(name="side", pos=[0, 0.3, 0.5])
    body.add_site(name="s1", pos=[0.1, 0, 0])
    body.add_site(name="s2", pos=[0.2, 0, 0])
    spatial = spec.add_tendon(name="spatial", width=0.01, range=[0, 2], limited=True)
    spatial.wrap_site("s0")
    spatial.wrap_geom("wrap", "side")
    spatial.wrap_site("s1")
    spatial.wrap_pulley(2)
    spatial.wrap_site("s1")
    spatial.wrap_site("s2")
    spatial.springlength = [0.1, 0.2]
    spatial.damping, spatial.frictionloss = 0.5, 0.1
    spatial.rgba[0] = 1
    fixed = spec.add_tendon(name="fixed", stiffness=3, armature=0.2)
    fixed.wrap_joint("hinge", 2.5)
    fixed.actfrclimited, fixed.actfrcrange = True, [-1, 1]
    return spec


@program
def actuators(mj):
    spec = mj.MjSpec()
    body = spec.worldbody.add_body(name="body")
    body.add_joint(name="hinge", range=[-90, 90])
    body.add_geom(size=[0.1, 0, 0], pos=[0.2, 0, 0])
    body.add_site(name="site")
    spec.worldbody.add_site(name="ref", pos=[0, 0, 1])
    tendon = spec.add_tendon(name="tendon")
    tendon.wrap_joint("hinge", 1)
    joint = mj.mjtTrn.mjTRN_JOINT

    def add(**kwargs):
        return spec.add_actuator(**({"trntype": joint, "target": "hinge"} | kwargs))

    add(name="motor").set_to_motor()
    add(name="position").set_to_position(kp=10, kv=1)
    add(name="damped").set_to_position(kp=10, dampratio=1, timeconst=0.1)
    add(name="inherit").set_to_position(kp=3, inheritrange=True)
    add(name="intvelocity", actrange=[-1, 1]).set_to_intvelocity(kp=2)
    add(name="velocity").set_to_velocity(kv=2)
    add(name="damper", ctrlrange=[0, 1]).set_to_damper(kv=2)
    add(name="cylinder").set_to_cylinder(timeconst=0.5, bias=1, area=2)
    add(name="general", dyntype=mj.mjtDyn.mjDYN_FILTER, gear=[2, 0, 0, 0, 0, 0], group=2)
    general = spec.add_actuator(name="site")
    general.target, general.refsite = "site", "ref"
    general.trntype = mj.mjtTrn.mjTRN_SITE
    general.gear = [0, 0, 1, 0, 0, 1]
    spec.add_actuator(name="tendon", trntype=mj.mjtTrn.mjTRN_TENDON, target="tendon")
    adhesion = spec.add_actuator(name="adhesion", trntype=mj.mjtTrn.mjTRN_BODY, target="body")
    adhesion.ctrlrange = [0, 1]
    adhesion.set_to_adhesion(gain=3)
    muscle = add(name="muscle", lengthrange=[0.1, 1])
    muscle.gainprm[:9] = muscle.biasprm[:9] = [0.75, 1.05, -1, 200, 0.5, 1.6, 1.5, 1.3, 1.2]
    muscle.dynprm[:2] = [0.01, 0.04]
    muscle.dyntype = mj.mjtDyn.mjDYN_MUSCLE
    muscle.gaintype, muscle.biastype = mj.mjtGain.mjGAIN_MUSCLE, mj.mjtBias.mjBIAS_MUSCLE
    return spec


@program
def sensors(mj):
    spec = mj.MjSpec()
    sens, obj = mj.mjtSensor, mj.mjtObj
    body = spec.worldbody.add_body(name="body")
    body.add_joint(name="hinge", range=[-1, 1])
    body.add_geom(name="geom", size=[0.1, 0, 0])
    body.add_site(name="site", size=[0.1, 0.1, 0.1])
    spec.worldbody.add_geom(name="other", size=[0.1, 0, 0], pos=[1, 0, 0])
    spec.worldbody.add_camera(name="camera", resolution=[10, 10])
    spec.add_actuator(name="motor", trntype=mj.mjtTrn.mjTRN_JOINT, target="hinge")
    spec.add_tendon(name="tendon", range=[-1, 1]).wrap_joint("hinge", 1)
    for type in (sens.mjSENS_TOUCH, sens.mjSENS_GYRO, sens.mjSENS_FORCE, sens.mjSENS_VELOCIMETER):
        spec.add_sensor(type=type, objtype=obj.mjOBJ_SITE, objname="site")
    for type in (sens.mjSENS_JOINTPOS, sens.mjSENS_JOINTLIMITFRC, sens.mjSENS_JOINTACTFRC):
        spec.add_sensor(type=type, objtype=obj.mjOBJ_JOINT, objname="hinge", cutoff=2, noise=0.1)
    spec.add_sensor(type=sens.mjSENS_TENDONVEL, objtype=obj.mjOBJ_TENDON, objname="tendon")
    spec.add_sensor(type=sens.mjSENS_ACTUATORFRC, objtype=obj.mjOBJ_ACTUATOR, objname="motor")
    spec.add_sensor(type=sens.mjSENS_SUBTREECOM, objtype=obj.mjOBJ_BODY, objname="body")
    frame = spec.add_sensor(name="frame", type=sens.mjSENS_FRAMEPOS)
    frame.objtype, frame.objname = obj.mjOBJ_XBODY, "body"
    frame.reftype, frame.refname = obj.mjOBJ_SITE, "site"
    # in an order in which nothing fits until the end
    late = spec.add_sensor(name="late")
    late.objname = "hinge"
    late.objtype = obj.mjOBJ_JOINT
    late.type = sens.mjSENS_JOINTVEL
    late.userdata = [1, 2]
    projection = spec.add_sensor(type=sens.mjSENS_CAMPROJECTION)
    projection.objtype, projection.objname = obj.mjOBJ_SITE, "site"
    projection.reftype, projection.refname = obj.mjOBJ_CAMERA, "camera"
    spec.add_sensor(
        type=sens.mjSENS_GEOMDIST,
        objtype=obj.mjOBJ_GEOM,
        objname="geom",
        reftype=obj.mjOBJ_GEOM,
        refname="other",
        cutoff=5,
    )
    spec.add_sensor(
        name="contact",
        type=sens.mjSENS_CONTACT,
        objtype=obj.mjOBJ_GEOM,
        objname="geom",
        intprm=[3, 1, 2],
    )
    spec.add_sensor(type=sens.mjSENS_CLOCK)
    user = spec.add_sensor(type=sens.mjSENS_USER, dim=4)
    user.datatype, user.needstage = mj.mjtDataType.mjDATATYPE_REAL, mj.mjtStage.mjSTAGE_POS
    assert frame.get_data_size() == 3 and spec.sensor("contact").get_data_size() == 8
    return spec


@program
def contacts_and_equalities(mj):
    spec = mj.MjSpec()
    eq, obj = mj.mjtEq, mj.mjtObj
    for name in "ab":
        body = spec.worldbody.add_body(name=name, pos=[ord(name) - 97, 0, 0])
        body.add_joint(name=f"j{name}", axis=[0, 1, 0])
        body.add_geom(name=f"g{name}", size=[0.1, 0, 0], pos=[0.1, 0, 0])
        body.add_site(name=f"s{name}")
        spec.add_tendon(name=f"t{name}").wrap_joint(f"j{name}", 1)
    spec.add_pair(name="pair", geomname1="ga", geomname2="gb", condim=4, friction=[1, 2, 3, 4, 5])
    spec.pair("pair").margin = 0.1
    spec.pair("pair").solimp[2] = 0.01
    spec.add_exclude(name="exclude", bodyname1="a", bodyname2="b")
    data = [0.1, 0.2, 0.3, 0, 0, 0, 0, 0, 0, 0, 1]
    spec.add_equality(
        name="c", type=eq.mjEQ_CONNECT, objtype=obj.mjOBJ_BODY, name1="a", name2="b", data=data
    )
    weld = spec.add_equality(name="w", type=eq.mjEQ_WELD, objtype=obj.mjOBJ_BODY, name1="b")
    weld.data[10] = 2
    weld.data[:3] = [0, 1, 0]
    weld.active = False
    sites = spec.add_equality(type=eq.mjEQ_WELD, objtype=obj.mjOBJ_SITE, name1="sa", name2="sb")
    sites.solref = [0.1, 2]
    polynomial = spec.add_equality(type=eq.mjEQ_JOINT, name1="ja", name2="jb")
    polynomial.data[:5] = [0.1, 2, 0.3, 0, 0]
    spec.add_equality(type=eq.mjEQ_TENDON, name1="ta", name2="tb")
    return spec


@program
def custom_data_and_keyframes(mj):
    spec = mj.MjSpec()
    body = spec.worldbody.add_body(name="body")
    body.add_joint(name="a")
    body.add_joint(name="b", axis=[1, 0, 0])
    body.add_geom(name="geom", size=[0.1, 0, 0])
    spec.add_actuator(name="m", trntype=mj.mjtTrn.mjTRN_JOINT, target="a")
    spec.add_numeric(name="n", data=[1, 2, 3])
    spec.add_numeric(name="padded", data=[1], size=4)
    spec.add_text(name="t", data="hello")
    tuple = spec.add_tuple(name="tuple")
    tuple.objtype = [mj.mjtObj.mjOBJ_GEOM, mj.mjtObj.mjOBJ_BODY]
    tuple.objname = ["geom", "body"]
    tuple.objprm = [1.5, 2.5]
    spec.add_key(name="k", qpos=[0.1, 0.2], ctrl=[3], time=2)
    key = spec.add_key(name="l")
    key.qvel = [1, 2]
    key.qvel[1] = 5
    spec.nuserdata = 3
    spec.nuser_geom = 2
    spec.nkey = 3
    return spec


@program
def assets(mj):
    spec = mj.MjSpec()
    cube = [-1, -1, -1, 1, -1, -1, 1, 1, -1, 1, 1, 1, 1, -1, 1, -1, 1, -1, -1, 1, 1, -1, -1, 1]
    mesh = spec.add_mesh(name="cube", uservert=cube, scale=[0.1, 0.2, 0.3])
    mesh.inertia = mj.mjtMeshInertia.mjMESH_INERTIA_CONVEX
    tetra = spec.add_mesh(name="tetra")
    tetra.uservert = [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1]
    tetra.userface = [0, 2, 1, 0, 3, 2, 0, 1, 3, 1, 2, 3]
    spec.add_mesh(name="sphere").make_sphere(subdivision=1)
    spec.add_mesh(name="cone").make_cone(nedge=5, radius=0.5)
    texture = spec.add_texture(name="checker", type=mj.mjtTexture.mjTEXTURE_2D, width=16, height=8)
    texture.builtin = mj.mjtBuiltin.mjBUILTIN_CHECKER
    texture.rgb1, texture.rgb2[0] = [1, 0, 0], 0.25
    texture.mark, texture.markrgb = mj.mjtMark.mjMARK_EDGE, [0, 1, 0]
    material = spec.add_material(name="material", rgba=[0.5, 1, 1, 1], texrepeat=[2, 3])
    names = [""] * 10
    names[mj.mjtTextureRole.mjTEXROLE_RGB] = "checker"
    material.textures = names
    material.textures[int(mj.mjtTextureRole.mjTEXROLE_NORMAL)] = "checker"
    material.shininess, material.reflectance = 0.1, 0.2
    hfield = spec.add_hfield(name="hfield", size=[1, 2, 0.5, 0.1], nrow=2, ncol=3)
    hfield.userdata = [0, 1, 2, 3, 4, 5]
    kind = mj.mjtGeom
    spec.worldbody.add_geom(type=kind.mjGEOM_HFIELD, hfieldname="hfield", material="material")
    for name in ("cube", "tetra", "sphere", "cone"):
        body = spec.worldbody.add_body(name=name)
        body.add_freejoint()
        body.add_geom(type=kind.mjGEOM_MESH, meshname=name)
    body.add_geom(type=kind.mjGEOM_BOX, meshname="cube", fitscale=2)
    return spec


@program
def settings(mj):
    spec = mj.MjSpec()
    spec.option.timestep = 0.001
    spec.option.gravity[2] = -1
    spec.option.wind = [1, 2, 3]
    spec.option.integrator = mj.mjtIntegrator.mjINT_RK4
    spec.option.disableflags = mj.mjtDisableBit.mjDSBL_CONTACT | mj.mjtDisableBit.mjDSBL_SPRING
    spec.option.enableflags |= mj.mjtEnableBit.mjENBL_ENERGY
    spec.option.o_solref = [0.5, 1]
    spec.visual.global_.fovy = 60
    spec.visual.headlight.ambient = [1, 0.5, 0.25]
    spec.visual.rgba.haze[0] = 0.125
    spec.visual.quality.shadowsize = 1024
    spec.visual.map.znear = 0.5
    spec.visual.scale.com = 3
    spec.stat.extent = 7
    spec.stat.center = [1, 2, 3]
    spec.compiler.eulerseq = ["z", "y", "x"]
    spec.compiler.settotalmass = 5
    spec.compiler.inertiagrouprange[1] = 2
    spec.compiler.boundmass = 0.1
    body = spec.worldbody.add_body(euler=[10, 20, 30])
    body.add_geom(size=[0.1, 0, 0])
    body.add_geom(size=[0.2, 0, 0], group=3)
    assert spec.option.disableflags == 16 + 32
    return spec


ARM = """<mujoco><compiler angle="radian"/>
  <default><geom rgba="0 1 0 1"/><default class="link"><joint damping="2"/></default></default>
  <asset>
    <material name="metal" rgba="1 0 0 1"/><mesh name="m" vertex="0 0 0 1 0 0 0 1 0 0 0 1"/>
  </asset>
  <worldbody>
    <geom name="base" size=".1"/>
    <body name="upper" childclass="link" euler="0 0 .5"><joint name="shoulder"/>
      <geom name="link" size=".1" material="metal"/><site name="tip" pos="1 0 0"/>
      <frame name="mount" pos="0 0 1" euler=".1 0 0">
        <geom name="mounted" type="mesh" mesh="m"/>
      </frame>
      <body name="lower" pos="1 0 0"><joint name="elbow"/><geom size=".1"/></body>
    </body>
  </worldbody>
  <tendon><fixed name="t"><joint joint="shoulder" coef="1"/></fixed></tendon>
  <actuator><motor name="motor" joint="elbow"/></actuator>
  <sensor><jointpos name="angle" joint="shoulder"/></sensor>
  <contact><exclude body1="upper" body2="lower"/></contact>
  <keyframe><key name="k" qpos="1 2" ctrl="3"/></keyframe>
</mujoco>"""


@program
def attach_to_a_frame(mj):
    spec, arm = mj.MjSpec(), mj.MjSpec.from_string(ARM)
    spec.worldbody.add_geom(name="floor", size=[0.1, 0, 0])
    frame = spec.worldbody.add_frame(name="here", pos=[1, 2, 3], euler=[90, 0, 0])
    attached = spec.attach(arm, prefix="left_", frame=frame)
    assert spec.body("left_upper") is not None and attached.frame.name == "here"
    return spec


@program
def attach_twice(mj):
    spec = mj.MjSpec()
    spec.worldbody.add_site(name="site", pos=[0, 0, 1], quat=[0, 1, 0, 0])
    spec.worldbody.add_frame(name="frame", pos=[0, 5, 0])
    spec.attach(mj.MjSpec.from_string(ARM), prefix="a/", site="site")
    spec.attach(mj.MjSpec.from_string(ARM), suffix="-b", frame="frame", prefix="")
    return spec


@program
def attach_a_body(mj):
    spec, arm = mj.MjSpec(), mj.MjSpec.from_string(ARM)
    body = spec.worldbody.add_body(name="robot", pos=[0, 0, 2])
    body.add_geom(size=[0.2, 0, 0])
    frame = body.add_frame(pos=[1, 0, 0])
    upper = frame.attach_body(arm.body("upper"), "x-", "")
    assert upper.name == "x-upper" and upper.parent.name == "robot"
    upper.pos = [0, 0, 9]
    return spec


@program
def attach_a_body_to_a_site(mj):
    spec, arm = mj.MjSpec(), mj.MjSpec.from_string(ARM)
    site = spec.worldbody.add_site(name="site", pos=[0, 0, 1], euler=[0, 30, 0])
    site.attach_body(arm.body("lower"), "one_")
    return spec


@program
def attach_a_frame(mj):
    spec, arm = mj.MjSpec(), mj.MjSpec.from_string(ARM)
    body = spec.worldbody.add_body(name="robot")
    body.attach_frame(arm.frame("mount"), "x-", "-y")
    return spec


@program
def delete_a_body(mj):
    spec = mj.MjSpec.from_string(ARM)
    spec.delete(spec.body("lower"))
    return spec


@program
def delete_elements(mj):
    spec = mj.MjSpec.from_string(ARM)
    spec.delete(spec.geom("base"))
    spec.delete(spec.actuator("motor"))
    spec.delete(spec.sensor("angle"))
    spec.delete(spec.key("k"))
    spec.delete(spec.excludes[0])
    spec.delete(spec.site("tip"))
    spec.worldbody.add_geom(name="after", size=[0.1, 0, 0])
    return spec


@program
def body_to_frame(mj):
    spec = mj.MjSpec.from_string(
        """<mujoco><worldbody><body name="a" pos="1 0 0"><geom name="first" size=".1"/>
        <body name="b" pos="0 1 0" quat="1 1 0 0"><geom name="inner" size=".1"/>
          <body name="c" pos="0 0 1"><joint/><geom size=".1"/></body></body>
        <geom name="second" size=".2"/></body></worldbody></mujoco>"""
    )
    frame = spec.body("b").to_frame()
    assert list(frame.pos) == [0, 1, 0]
    return spec


@program
def copies(mj):
    spec = mj.MjSpec.from_string(ARM)
    copy = spec.copy()
    spec.body("upper").pos = [9, 9, 9]
    copy.body("lower").add_geom(name="copied", size=[0.5, 0, 0])
    return copy


@pytest.mark.parametrize("name", PROGRAMS)
def test_program(name):
    theirs = PROGRAMS[name](mujoco).compile()
    ours = PROGRAMS[name](ferrodyn).compile()
    assert_same_model(ours, theirs)


@pytest.mark.parametrize("name", PROGRAMS)
def test_text_of_a_program(name):
    """What is written as text is read back as the same model."""
    spec = PROGRAMS[name](ferrodyn)
    if spec.assets:
        pytest.skip("needs files")
    again = ferrodyn.MjSpec.from_string(spec.to_xml()).compile()
    model = spec.compile()
    for field, dtype, *_ in _native.model_fields():
        a, b = getattr(again, field), getattr(model, field)
        if dtype.startswith("float") and not isinstance(a, bytes):
            np.testing.assert_allclose(a, b, rtol=1e-6, atol=1e-12, err_msg=field)
        else:
            np.testing.assert_array_equal(a, b, err_msg=field)
