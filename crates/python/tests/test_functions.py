"""Functions on models and worlds: the same results as MuJoCo's, under the same names."""

import inspect
import re

import mujoco
import numpy as np
import pytest

import ferrodyn
from helpers import KINEMATICS, TREE, Pair, assert_close

FUNCTIONS = sorted(n for n in ferrodyn.__all__ if n.startswith(("mj_", "mju_", "mjd_")))


def their_parameters(name):
    """Parameter names and defaults of a function of MuJoCo, from its signature text."""
    text = getattr(mujoco, name).__doc__.splitlines()[0]
    text = re.sub(r"\[[^\[\]]*\]", "", re.sub(r"\[[^\[\]]*\]", "", text))
    inside = text[text.index("(") + 1 : text.rindex(")")]
    return [
        (part.split(":")[0].strip(), part.rpartition("= ")[2] if "= " in part else None)
        for part in inside.split(",")
        if part.strip()
    ]


@pytest.mark.parametrize("name", FUNCTIONS)
def test_signature(name):
    ours = [
        (p.name, None if p.default is p.empty else repr(p.default))
        for p in inspect.signature(getattr(ferrodyn, name)).parameters.values()
    ]
    assert ours == their_parameters(name)
    assert getattr(ferrodyn, name).__doc__


STAGES = {
    "mj_kinematics": ["xpos", "xquat", "xmat", "xipos", "ximat", "xanchor", "xaxis", "geom_xpos"],
    "mj_comPos": ["subtree_com", "cdof", "cinert"],
    "mj_camlight": ["cam_xpos", "cam_xmat", "light_xpos", "light_xdir"],
    "mj_makeM": ["crb", "qM", "M"],
    "mj_crb": ["crb", "M"],
    "mj_factorM": ["qLD", "qLDiagInv"],
    "mj_comVel": ["cvel", "cdof_dot"],
    "mj_passive": ["qfrc_spring", "qfrc_damper", "qfrc_gravcomp", "qfrc_passive"],
    "mj_subtreeVel": ["subtree_linvel", "subtree_angmom"],
    "mj_energyPos": ["energy"],
    "mj_energyVel": ["energy"],
    "mj_fwdVelocity": ["cvel", "qfrc_passive", "qfrc_bias"],
    "mj_fwdAcceleration": ["qfrc_smooth", "qacc_smooth"],
    "mj_fwdConstraint": ["qacc", "qfrc_constraint"],
    "mj_rnePostConstraint": ["cacc", "cfrc_int", "cfrc_ext"],
}


@pytest.mark.parametrize("until", range(len(STAGES)), ids=list(STAGES))
def test_stages_one_by_one(pair, until):
    for name in list(STAGES)[: until + 1]:
        pair.call(name)
    pair.assert_same(*STAGES[list(STAGES)[until]])


@pytest.mark.parametrize("name", ["mj_fwdPosition", "mj_fwdKinematics", "mj_forward"])
def test_whole_stages(pair, name):
    pair.call(name)
    pair.assert_same("xpos", "site_xpos", "subtree_com", "cam_xmat", "light_xdir")
    if name != "mj_fwdKinematics":
        pair.assert_same("qM", "qLD")


@pytest.mark.parametrize("integrator", range(4))
def test_step(pair, integrator):
    for model in pair.models:
        model.opt.integrator = integrator
    pair.call("mj_step")
    pair.call("mj_step", 4)
    pair.assert_same("time", "qpos", "qvel", "qacc", tolerance=1e-9)


def test_step_in_halves(pair):
    for _ in range(3):
        pair.call("mj_step1")
        for data in pair.datas:
            data.qfrc_applied[:] = data.qvel * -0.1
        pair.call("mj_step2")
    pair.assert_same("time", "qpos", "qvel", tolerance=1e-9)


@pytest.mark.parametrize("nstep", [0, -1, 1, 7])
def test_number_of_steps(pair, nstep):
    for module, model, data in zip((mujoco, ferrodyn), pair.models, pair.datas):
        module.mj_step(m=model, d=data, nstep=nstep)
    pair.assert_same("time", "qpos", tolerance=1e-9)


@pytest.mark.parametrize("key", [0, 1, 2, -1, 99])
def test_reset_to_keyframe(tree, key):
    tree.call("mj_step", 2)
    tree.call("mj_resetDataKeyframe", key)
    tree.assert_same("time", "qpos", "qvel", "mocap_pos", "mocap_quat", "xpos", tolerance=0)


def test_reset(tree):
    tree.call("mj_step", 2)
    for data in tree.datas:
        data.userdata[:] = 3
    tree.call("mj_resetData")
    tree.assert_same("time", "qpos", "qvel", "qacc", "userdata", "xpos", "energy", tolerance=0)


def test_set_keyframe(tree):
    tree.call("mj_step", 2)
    tree.call("mj_setKeyframe", 1)
    theirs, ours = tree.models
    assert_close(ours.key_qpos, theirs.key_qpos, 1e-9)
    tree.call("mj_resetDataKeyframe", 1)
    tree.assert_same("time", "qpos", "qvel", tolerance=1e-9)


def test_names():
    theirs, ours = Pair(TREE).models
    for kind in ferrodyn.mjtObj:
        for id_ in range(-1, 12):
            name = mujoco.mj_id2name(theirs, kind, id_)
            assert ferrodyn.mj_id2name(ours, kind, id_) == name
            for text in filter(None, {name, "nothing", ""}):
                assert ferrodyn.mj_name2id(ours, kind, text) == mujoco.mj_name2id(
                    theirs, kind, text
                )
    # their enumerations are accepted as well
    assert ferrodyn.mj_name2id(ours, mujoco.mjtObj.mjOBJ_SITE, "imu") == 1
    assert ferrodyn.mj_id2name(ours, 1000, 0) is None


@pytest.mark.parametrize("kind", range(-1, 30))
def test_type_names(kind):
    name = mujoco.mju_type2Str(kind)
    assert ferrodyn.mju_type2Str(kind) == name
    assert ferrodyn.mju_str2Type(name or "nothing") == mujoco.mju_str2Type(name or "nothing")


def outputs(pair, name, shapes, *args):
    """Call a function of both modules that writes arrays of the given shapes."""
    results = []
    for module, model, data in zip((mujoco, ferrodyn), pair.models, pair.datas):
        arrays = [np.full(shape, 9.0) for shape in shapes]
        getattr(module, name)(model, data, *arrays, *args)
        results.append(arrays)
    return results


JACOBIANS = [
    ("mj_jacBody", "nbody", ()),
    ("mj_jacBodyCom", "nbody", ()),
    ("mj_jacGeom", "ngeom", ()),
    ("mj_jacSite", "nsite", ()),
    ("mj_jac", "nbody", ([0.1, 0.2, 0.3],)),
    ("mj_jacDot", "nbody", (np.array([0.3, 0.1, -0.2]),)),
    ("mj_jacPointAxis", "nbody", ([0.1, 0.2, 0.3], [0.0, 0.6, 0.8])),
]


@pytest.mark.parametrize("name, count, args", JACOBIANS)
def test_jacobians(pair, name, count, args):
    pair.call("mj_forward")
    nv = pair.models[0].nv
    for id_ in range(getattr(pair.models[0], count)):
        theirs, ours = outputs(pair, name, [(3, nv), (3, nv)], *args, id_)
        assert_close(ours, theirs, KINEMATICS)


def test_jacobian_of_a_subtree(pair):
    pair.call("mj_forward")
    for body in range(pair.models[0].nbody):
        theirs, ours = outputs(pair, "mj_jacSubtreeCom", [(3, pair.models[0].nv)], body)
        assert_close(ours, theirs, KINEMATICS)


def test_one_jacobian_is_enough(model, data):
    both = np.zeros((2, 3, model.nv))
    ferrodyn.mj_jacSite(model, data, *both, 2)
    one = np.zeros((3, model.nv))
    ferrodyn.mj_jacSite(model, data, None, one, 2)
    np.testing.assert_array_equal(one, both[1])
    ferrodyn.mj_jacSite(model, data, jacp=one, jacr=None, site=2)
    np.testing.assert_array_equal(one, both[0])
    ferrodyn.mj_jacSite(model, data, None, None, 2)


def test_inertia_matrix(pair):
    pair.call("mj_forward")
    nv = pair.models[0].nv
    dense = [np.zeros((nv, nv)) for _ in range(2)]
    for module, model, data, dst in zip((mujoco, ferrodyn), pair.models, pair.datas, dense):
        module.mj_fullM(model, dst, data.qM)
    assert_close(dense[1], dense[0])
    vec = np.linspace(-1, 2, nv)
    theirs, ours = outputs(pair, "mj_mulM", [nv], vec)
    assert_close(ours, theirs)
    assert_close(ours[0], dense[1] @ vec)
    rows = np.vstack([vec, vec**2])
    theirs, ours = outputs(pair, "mj_solveM", [(2, nv)], rows)
    assert_close(ours, theirs)
    assert_close(ours[0] @ dense[1], rows)


@pytest.mark.parametrize("flg_acc", [0, 1, True])
def test_inverse_dynamics(pair, flg_acc):
    pair.call("mj_forward")
    results = []
    for module, model, data in zip((mujoco, ferrodyn), pair.models, pair.datas):
        results.append(np.full(model.nv, 9.0))
        module.mj_rne(model, data, flg_acc, results[-1])
    assert_close(results[1], results[0])


def test_configurations(pair):
    theirs, ours = pair.models
    rng = np.random.default_rng(0)
    q1, q2 = pair.datas[0].qpos.copy(), pair.datas[0].qpos.copy()
    velocity = rng.normal(size=theirs.nv)
    mujoco.mj_integratePos(theirs, q1, velocity, 0.3)
    ferrodyn.mj_integratePos(ours, q2, velocity, 0.3)
    assert_close(q2, q1, KINEMATICS)
    v1, v2 = np.zeros(theirs.nv), np.zeros(theirs.nv)
    start = pair.datas[0].qpos
    mujoco.mj_differentiatePos(theirs, v1, 0.3, start, q1)
    ferrodyn.mj_differentiatePos(ours, v2, 0.3, start, q2)
    assert_close(v2, v1)
    q1 *= 3
    q2 *= 3
    mujoco.mj_normalizeQuat(theirs, q1)
    ferrodyn.mj_normalizeQuat(ours, q2)
    assert_close(q2, q1, KINEMATICS)


def test_applied_force(pair):
    pair.call("mj_forward")
    force, torque, point = [1.0, 2.0, 3.0], [0.1, 0.2, 0.3], [0.5, 0.0, 1.0]
    for body in range(pair.models[0].nbody):
        results = []
        for module, model, data in zip((mujoco, ferrodyn), pair.models, pair.datas):
            results.append(np.ones(model.nv))
            module.mj_applyFT(
                model, data, *map(np.array, (force, torque, point)), body, results[-1]
            )
        assert_close(results[1], results[0])


@pytest.mark.parametrize("local", [0, 1])
@pytest.mark.parametrize(
    "kind, count", [(1, "nbody"), (2, "nbody"), (5, "ngeom"), (6, "nsite"), (7, "ncam")]
)
def test_object_velocity(pair, kind, count, local):
    pair.call("mj_forward")
    for id_ in range(getattr(pair.models[0], count)):
        results = []
        for module, model, data in zip((mujoco, ferrodyn), pair.models, pair.datas):
            results.append(np.full(6, 9.0))
            module.mj_objectVelocity(model, data, kind, id_, results[-1], local)
        assert_close(results[1], results[0])


STATES = [0, *(1 << i for i in range(14)), 14, 0x1FFF, (1 << 14) - 1]


@pytest.mark.parametrize("sig", STATES)
def test_state_vectors(pair, sig):
    pair.call("mj_step", 2)
    pair.datas[1].qpos[:], pair.datas[1].qvel[:] = pair.datas[0].qpos, pair.datas[0].qvel
    vectors = []
    for module, model, data in zip((mujoco, ferrodyn), pair.models, pair.datas):
        vectors.append(np.zeros(module.mj_stateSize(model, sig)))
        module.mj_getState(model, data, vectors[-1], sig)
    assert_close(vectors[1], vectors[0], 1e-9)
    # back into another world, and onwards
    model = pair.models[1]
    other = ferrodyn.MjData(model)
    ferrodyn.mj_setState(model, other, vectors[1], sig)
    again = np.zeros_like(vectors[1])
    ferrodyn.mj_getState(model, other, again, sig)
    np.testing.assert_array_equal(again, vectors[1])
    third = ferrodyn.MjData(model)
    ferrodyn.mj_copyState(model, other, third, sig)
    ferrodyn.mj_getState(model, third, again, sig)
    np.testing.assert_array_equal(again, vectors[1])


def test_a_part_of_a_state_vector(pair):
    full, part = mujoco.mjtState.mjSTATE_FULLPHYSICS, mujoco.mjtState.mjSTATE_QVEL
    results = []
    for module, model, data in zip((mujoco, ferrodyn), pair.models, pair.datas):
        state = np.zeros(module.mj_stateSize(model, full))
        module.mj_getState(model, data, state, full)
        results.append(np.zeros(model.nv))
        module.mj_extractState(model, state, full, results[-1], part)
    np.testing.assert_array_equal(results[0], results[1])


def test_integration_state_continues_the_same_run(model):
    a, b = ferrodyn.MjData(model), ferrodyn.MjData(model)
    a.qvel[:] = 0.3
    ferrodyn.mj_step(model, a, 5)
    sig = ferrodyn.mjtState.mjSTATE_INTEGRATION
    state = np.zeros(ferrodyn.mj_stateSize(model, sig))
    ferrodyn.mj_getState(model, a, state, sig)
    ferrodyn.mj_setState(model, b, state, sig)
    for data in (a, b):
        ferrodyn.mj_step(model, data, 10)
    np.testing.assert_array_equal(a.qpos, b.qpos)


def test_copy_data(tree):
    ours = tree.models[1]
    source, target = tree.datas[1], ferrodyn.MjData(ours)
    view = target.xpos
    ferrodyn.mj_copyData(target, ours, source)
    np.testing.assert_array_equal(view, source.xpos)
    assert target.time == source.time
    ferrodyn.mj_copyData(source, ours, source)


def test_total_mass():
    pair = Pair(TREE)
    theirs, ours = pair.models
    assert_close(ferrodyn.mj_getTotalmass(ours), mujoco.mj_getTotalmass(theirs))
    mujoco.mj_setTotalmass(theirs, 3)
    ferrodyn.mj_setTotalmass(ours, 3)
    assert_close(ferrodyn.mj_getTotalmass(ours), 3)
    assert_close(ours.body_inertia, theirs.body_inertia)


def test_set_const():
    pair = Pair(TREE, seed=6)
    for model in pair.models:
        model.body_mass[3] = 5
        model.body_pos[2] += 0.1
        model.qpos0[-1] = 0.2
    pair.call("mj_setConst")
    theirs, ours = pair.models
    for name in ("body_subtreemass", "body_invweight0", "dof_M0", "dof_invweight0", "cam_pos0"):
        assert_close(getattr(ours, name), getattr(theirs, name), what=name)
    for name in ("meaninertia", "meanmass", "meansize", "extent", "center"):
        assert_close(getattr(ours.stat, name), getattr(theirs.stat, name), what=name)
    pair.assert_same("qpos", "qvel", "time", "xpos")


@pytest.mark.parametrize("cone", [0, 1])
@pytest.mark.parametrize("jacobian", [0, 1, 2])
@pytest.mark.parametrize("solver", [0, 1, 2])
def test_kind_of_solver(cone, jacobian, solver):
    pair = Pair(TREE)
    for model in pair.models:
        model.opt.cone, model.opt.jacobian, model.opt.solver = cone, jacobian, solver
    for name in ("mj_isPyramidal", "mj_isSparse", "mj_isDual"):
        theirs, ours = pair.models
        assert getattr(ferrodyn, name)(ours) == getattr(mujoco, name)(theirs)


def test_version():
    assert ferrodyn.mj_version() == mujoco.mj_version()
    assert ferrodyn.mj_versionString() == mujoco.mj_versionString()
    assert re.fullmatch(r"\d+\.\d+\.\d+", ferrodyn.__version__)


def test_save_and_load(model, tmp_path):
    path = tmp_path / "model.bin"
    ferrodyn.mj_saveModel(model, path)
    buffer = np.zeros(ferrodyn.mj_sizeModel(model), np.uint8)
    ferrodyn.mj_saveModel(model, None, buffer)
    assert buffer.tobytes() == path.read_bytes()
    for loaded in (
        ferrodyn.MjModel.from_binary_path(str(path)),
        ferrodyn.MjModel.from_binary_path("x.bin", {"x.bin": buffer.tobytes()}),
    ):
        np.testing.assert_array_equal(loaded.body_mass, model.body_mass)
        assert loaded.names == model.names
        ferrodyn.mj_step(loaded, ferrodyn.MjData(loaded))


def test_load_from_a_path(tmp_path):
    (tmp_path / "part.xml").write_text('<mujoco><option timestep="0.5"/></mujoco>')
    path = tmp_path / "model.xml"
    path.write_text('<mujoco><include file="part.xml"/></mujoco>')
    for filename in (path, str(path), str(path).encode()):
        assert ferrodyn.MjModel.from_xml_path(filename).opt.timestep == 0.5
    assets = {"part.xml": b'<mujoco><option timestep="0.25"/></mujoco>'}
    text = path.read_text()
    assert ferrodyn.MjModel.from_xml_string(text, assets).opt.timestep == 0.25
    assert ferrodyn.MjModel.from_xml_string(text.encode(), assets=assets).opt.timestep == 0.25
    assert (
        ferrodyn.MjModel.from_xml_path("m.xml", {"m.xml": text.encode(), **assets}).opt.timestep
        == 0.25
    )
