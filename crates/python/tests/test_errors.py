"""Bad arguments give exceptions of the kind that MuJoCo raises, never a crash."""

import random
from operator import attrgetter

import mujoco
import numpy as np
import pytest

import ferrodyn
from ferrodyn import _native
from helpers import CHAIN, EMPTY, TREE, Pair

FUNCTIONS = sorted(n for n in ferrodyn.__all__ if n.startswith(("mj_", "mju_")))


def z(*shape):
    return np.zeros(shape)


def read_only(n):
    array = np.zeros(n)
    array.flags.writeable = False
    return array


# functions with arguments after model and data that both modules refuse with a TypeError
REFUSED = [
    ("mj_step", ("1",)),
    ("mj_step", (None,)),
    ("mj_step", (1.5,)),
    ("mj_jacBody", (z(13, 3), None, 1)),
    ("mj_jacBody", (z(39), None, 1)),
    ("mj_jacBody", (z(3, 12), None, 1)),
    ("mj_jacBody", (z(3, 13).astype(np.float32), None, 1)),
    ("mj_jacBody", ([[0.0] * 13] * 3, None, 1)),
    ("mj_jacBody", (z(3, 13), None, "arm")),
    ("mj_jacBody", (z(3, 13), None, None)),
    ("mj_jacBody", (z(3, 13), None)),
    ("mj_jac", (z(3, 13), None, [0, 0], 1)),
    ("mj_jac", (z(3, 13), None, "abc", 1)),
    ("mj_jac", (z(3, 13), None, None, 1)),
    ("mj_mulM", (z(12), z(13))),
    ("mj_mulM", (z(13), z(12))),
    ("mj_mulM", (z(1, 13), z(13))),
    ("mj_mulM", (read_only(13), z(13))),
    ("mj_solveM", (z(13), z(13))),
    ("mj_solveM", (z(2, 13), z(3, 13))),
    ("mj_solveM", (z(13, 2), z(13, 2))),
    ("mj_rne", (0, z(12))),
    ("mj_rne", (None, z(13))),
    ("mj_getState", (z(3), 1)),
    ("mj_setState", (z(3), 1)),
    ("mj_setState", (None, 1)),
    ("mj_applyFT", (z(3), z(3), z(3), 1, z(12))),
    ("mj_applyFT", (z(3), None, z(3), 1, z(13))),
    ("mj_objectVelocity", (1, 1, z(5), 0)),
    ("mj_resetDataKeyframe", ("home",)),
]
REFUSED_WITHOUT_DATA = [
    ("mj_fullM", (z(169), z(47))),
    ("mj_fullM", (z(13, 13), z(3))),
    ("mj_integratePos", (z(14), z(12), 0.1)),
    ("mj_integratePos", (z(3), z(13), 0.1)),
    ("mj_integratePos", ([0.0] * 15, z(13), 0.1)),
    ("mj_differentiatePos", (z(13), 0.1, z(14), z(15))),
    ("mj_differentiatePos", (z(13), "dt", z(15), z(15))),
    ("mj_normalizeQuat", (z(14),)),
    ("mj_name2id", (1, 7)),
    ("mj_id2name", ("body", 1)),
]


@pytest.mark.parametrize("name, args", REFUSED)
def test_wrong_arguments(tree, name, args):
    for module, model, data in zip((mujoco, ferrodyn), tree.models, tree.datas):
        with pytest.raises(TypeError):
            getattr(module, name)(model, data, *args)


@pytest.mark.parametrize("name, args", REFUSED_WITHOUT_DATA)
def test_wrong_arguments_without_data(tree, name, args):
    for module, model in zip((mujoco, ferrodyn), tree.models):
        with pytest.raises(TypeError):
            getattr(module, name)(model, *args)


QUATERNIONS = [
    ("mju_mulQuat", (z(3), z(4), z(4))),
    ("mju_mulQuat", (z(4), z(3), z(4))),
    ("mju_mulQuat", ([0.0] * 4, z(4), z(4))),
    ("mju_mulQuat", (z(4).astype(np.float32), z(4), z(4))),
    ("mju_mulQuat", (z(1, 4), z(4), z(4))),
    ("mju_mulQuat", (z(2, 2), z(4), z(4))),
    ("mju_mulQuat", (read_only(4), z(4), z(4))),
    ("mju_mulQuat", (z(4), z(4))),
    ("mju_quat2Mat", (z(3, 3), z(4))),
    ("mju_axisAngle2Quat", (z(4), z(3), "pi")),
    ("mju_add", (z(3), z(2), z(3))),
    ("mju_dot", (z(3), z(2))),
    ("mju_eye", (z(2, 3),)),
    ("mju_transpose", (z(2, 3), z(2, 3))),
    ("mju_mulMatVec", (z(3), z(3, 2), z(3))),
    ("mju_mulMatMat", (z(2, 2), z(2, 3), z(2, 2))),
    ("mju_mulMatMatT", (z(2, 2), z(2, 3), z(2, 2))),
    ("mju_mulMatTMat", (z(2, 2), z(3, 2), z(2, 2))),
    ("mju_cholFactor", (z(2, 3), 0.0)),
    ("mju_cholSolve", (z(3), z(2, 2), z(2))),
]


@pytest.mark.parametrize("name, args", QUATERNIONS)
def test_wrong_vectors(name, args):
    for module in (mujoco, ferrodyn):
        with pytest.raises(TypeError):
            getattr(module, name)(*args)


FATAL = [
    ("mj_objectVelocity", (3, 0, z(6), 0)),
    ("mj_objectVelocity", (-4, 0, z(6), 0)),
    ("mj_setKeyframe", (99,)),
    ("mj_setKeyframe", (-1,)),
]


@pytest.mark.parametrize("name, args", FATAL)
def test_fatal_errors(tree, name, args):
    for module, model, data in zip((mujoco, ferrodyn), tree.models, tree.datas):
        with pytest.raises(module.FatalError):
            getattr(module, name)(model, data, *args)


@pytest.mark.parametrize("sig", [-1, 1 << 14, 2**31 - 1])
def test_wrong_state_signature(tree, sig):
    for module, model in zip((mujoco, ferrodyn), tree.models):
        with pytest.raises(module.FatalError):
            module.mj_stateSize(model, sig)
    model, data = tree.models[1], tree.datas[1]
    for call in (ferrodyn.mj_getState, ferrodyn.mj_setState):
        with pytest.raises(ferrodyn.FatalError):
            call(model, data, z(1), sig)


@pytest.mark.parametrize("seq", ["xy", "xyzx", "abc", ""])
def test_wrong_euler_sequence(seq):
    for module in (mujoco, ferrodyn):
        with pytest.raises(module.FatalError):
            module.mju_euler2Quat(z(4), z(3), seq)
    with pytest.raises(ferrodyn.FatalError):
        ferrodyn.mju_euler2Quat(z(4), z(3), "xé")


@pytest.mark.parametrize("id_", [-1, 7, 2**31, -(2**40)])
@pytest.mark.parametrize("name", ["mj_jacBody", "mj_jacBodyCom", "mj_jacGeom", "mj_jacSite"])
def test_ids_out_of_range(model, data, name, id_):
    """MuJoCo reads memory that is not its own; here it is an error."""
    id_ += 100 * (id_ == 7)
    with pytest.raises(IndexError):
        getattr(ferrodyn, name)(model, data, z(3, model.nv), None, id_)
    with pytest.raises(IndexError):
        ferrodyn.mj_objectVelocity(model, data, ferrodyn.mjtObj.mjOBJ_BODY, id_, z(6), 0)


def test_wrong_owners(model, data):
    for call in (
        lambda: ferrodyn.mj_step(model, None),
        lambda: ferrodyn.mj_step(None, data),
        lambda: ferrodyn.mj_step(data, model),
        lambda: ferrodyn.mj_step(model, "data"),
        lambda: ferrodyn.mj_getTotalmass(data),
        lambda: ferrodyn.mj_saveModel(data, "x"),
        lambda: ferrodyn.mj_saveModel(model),
        lambda: ferrodyn.mj_saveModel(model, None, z(3)),
        lambda: ferrodyn.mj_saveModel(model, None, np.zeros(3, np.uint8)),
        lambda: ferrodyn.MjData(None),
        lambda: ferrodyn.MjData(),
        lambda: ferrodyn.MjModel(),
        lambda: ferrodyn.MjModel("model.xml"),
        lambda: ferrodyn.MjOption(),
    ):
        with pytest.raises(TypeError):
            call()
    with pytest.raises(TypeError, match="expected an MjData, not NoneType"):
        ferrodyn.mj_step(model, None)


def test_data_of_another_model(model, data):
    other = ferrodyn.MjModel.from_xml_string(CHAIN)
    theirs = ferrodyn.MjData(other)
    for name in ("mj_step", "mj_forward", "mj_resetData", "mj_kinematics", "mj_setConst"):
        with pytest.raises(ValueError, match="data was made for another model"):
            getattr(ferrodyn, name)(model, theirs)
    with pytest.raises(ValueError, match="data was made for another model"):
        ferrodyn.mj_copyData(data, model, theirs)
    with pytest.raises(ValueError, match="data was made for another model"):
        ferrodyn.mj_getState(other, data, z(1), 1)


@pytest.mark.parametrize("xml", ["", "x", "<mujoco>", "<mujoco><foo/></mujoco>", "\0"])
def test_models_that_cannot_be_loaded(xml, tmp_path):
    path = tmp_path / "model.xml"
    path.write_text(xml)
    for load in (
        lambda: ferrodyn.MjModel.from_xml_string(xml),
        lambda: ferrodyn.MjModel.from_xml_path(path),
        lambda: ferrodyn.MjModel.from_binary_path(path),
    ):
        with pytest.raises(ValueError):
            load()


def test_files_that_do_not_exist(tmp_path):
    for load in (ferrodyn.MjModel.from_xml_path, ferrodyn.MjModel.from_binary_path):
        with pytest.raises(ValueError, match="nothing"):
            load(tmp_path / "nothing.xml")


@pytest.mark.parametrize("xml", [None, 3, b"\xff"])
def test_what_is_no_text(xml):
    with pytest.raises((TypeError, UnicodeDecodeError)):
        ferrodyn.MjModel.from_xml_string(xml)


@pytest.mark.parametrize("assets", [{"a": "text"}, {1: b""}, "text", 3])
def test_what_is_no_asset(assets):
    with pytest.raises((TypeError, ValueError)):
        ferrodyn.MjModel.from_xml_string(EMPTY, assets)


def test_a_model_error_names_the_place():
    with pytest.raises(ValueError, match=r"3:3.*unknown element"):
        ferrodyn.MjModel.from_xml_string("<mujoco>\n <worldbody>\n  <bodi/></worldbody></mujoco>")


ASSIGNMENTS = [
    ("d.qpos = [1, 2]", ValueError),
    ("d.qpos = 'a'", ValueError),
    ("d.time = 'now'", TypeError),
    ("d.time = None", TypeError),
    ("d.nothing = 3", AttributeError),
    ("d.contact = []", AttributeError),
    ("d.efc_force = 0", AttributeError),
    ("d.contact.dist = 0", AttributeError),
    ("d.solver = 0", AttributeError),
    ("d.warning = 0", AttributeError),
    ("d.model = m", AttributeError),
    ("del d.qpos", AttributeError),
    ("m.nothing = 3", AttributeError),
    ("m.nq = 3", AttributeError),
    ("m.names = b''", AttributeError),
    ("m.opt = 3", AttributeError),
    ("m.signature = 1", AttributeError),
    ("del m.body_mass", AttributeError),
    ("m.opt.timestep = 'fast'", TypeError),
    ("m.opt.timestep = None", TypeError),
    ("m.opt.timestep = [1, 2]", TypeError),
    ("m.opt.integrator = 1.5", TypeError),
    ("m.opt.gravity = [1, 2]", ValueError),
    ("m.opt.nothing = 1", AttributeError),
    ("m.vis.map = m.vis.map", AttributeError),
    ("m.vis.nothing = 3", AttributeError),
    ("m.vis.map.nothing = 3", AttributeError),
    ("m.nothing", AttributeError),
    ("d.nothing", AttributeError),
    ("m.opt.nothing", AttributeError),
    ("d.contact[0]", IndexError),
    ("d.warning[99]", IndexError),
]


@pytest.mark.parametrize("code, error", ASSIGNMENTS, ids=[code for code, _ in ASSIGNMENTS])
def test_assignments_and_lookups(tree, code, error):
    for model, data in zip(tree.models, tree.datas):
        with pytest.raises(error):
            exec(code, {"m": model, "d": data})


@pytest.mark.parametrize("name, value", [("timestep", np.inf), ("integrator", 77)])
def test_options_that_cannot_be_simulated(model, data, name, value):
    before = data.qpos.copy()
    setattr(model.opt, name, value)
    with pytest.raises(ValueError):
        ferrodyn.mj_step(model, data)
    np.testing.assert_array_equal(data.qpos, before)


INTEGERS = [name for name, dtype, *_ in _native.model_fields() if dtype == "int32"]


@pytest.mark.parametrize("name", INTEGERS)
@pytest.mark.parametrize("value", [-1, -(2**31), 2**31 - 1, 1_000_000])
def test_ids_that_point_nowhere(name, value):
    """A program may write nonsense into ids and addresses: an error or no effect, never a crash."""
    model = ferrodyn.MjModel.from_xml_string(TREE)
    data = ferrodyn.MjData(model)
    ferrodyn.mj_forward(model, data)
    getattr(model, name)[:] = value
    for call in (
        lambda: ferrodyn.mj_step(model, data),
        lambda: ferrodyn.mj_rnePostConstraint(model, data),
        lambda: ferrodyn.mj_subtreeVel(model, data),
        lambda: ferrodyn.mj_jacSite(model, data, z(3, model.nv), None, 0),
        lambda: ferrodyn.mj_jacSubtreeCom(model, data, z(3, model.nv), 1),
        lambda: ferrodyn.mj_fullM(model, z(model.nv, model.nv), data.qM),
        lambda: ferrodyn.mj_integratePos(model, data.qpos, data.qvel, 0.1),
        lambda: ferrodyn.mj_setConst(model, data),
        lambda: ferrodyn.mj_resetData(model, data),
        lambda: ferrodyn.MjData(model),
        lambda: ferrodyn.mj_name2id(model, 1, "arm"),
        lambda: [ferrodyn.mj_id2name(model, kind, 1) for kind in range(26)],
        lambda: model.__copy__(),
    ):
        try:
            call()
        except ValueError as error:
            assert "is out of range" in str(error) or "another model" in str(error)


def test_a_repaired_id_is_accepted_again(model, data):
    right = model.body_parentid[2]
    model.body_parentid[2] = 99
    with pytest.raises(ValueError, match=r"body_parentid\[2\] = 99 is out of range"):
        ferrodyn.mj_step(model, data)
    model.body_parentid[2] = right
    ferrodyn.mj_step(model, data)


DATA_INTEGERS = [name for name, dtype, *_ in _native.data_fields() if dtype == "int32"]


@pytest.mark.parametrize("name", DATA_INTEGERS)
@pytest.mark.parametrize("value", [-1, 2**31 - 1])
def test_indices_of_a_world_that_point_nowhere(model, data, name, value):
    getattr(data, name)[:] = value
    ferrodyn.mj_step(model, data, 2)
    ferrodyn.mj_resetData(model, data)


WORK_INTEGERS = [name for name, dtype, *_ in _native.work_fields() if dtype == "int32"]
STAGES = (
    "mj_makeConstraint mj_island mj_projectConstraint mj_referenceConstraint mj_fwdConstraint "
    "mj_sensorAcc mj_rnePostConstraint mj_transmission mj_step2"
).split()
HEAP = """
<mujoco><option jacobian="sparse" solver="{solver}"/><worldbody><geom type="plane" size="5 5 1"/>
  <body pos="0 0 .09"><freejoint/><geom size=".1"/><site name="s" size=".2"/></body>
  <body pos="1 0 .09"><freejoint/><geom type="box" size=".1 .1 .1"/></body>
  <body pos="2 0 1">
    <joint range="-10 10" limited="true" frictionloss="1"/><geom size=".1" pos=".1 0 0"/>
  </body>
</worldbody><sensor><touch site="s"/></sensor></mujoco>"""


@pytest.mark.parametrize("solver", ["PGS", "CG"])
@pytest.mark.parametrize("name", [*WORK_INTEGERS, "contact.geom", "contact.dim"])
@pytest.mark.parametrize("value", [-1, 2**31 - 1])
def test_indices_of_the_workspace_that_point_nowhere(solver, name, value):
    model = ferrodyn.MjModel.from_xml_string(HEAP.format(solver=solver))
    data = ferrodyn.MjData(model)
    vector = np.zeros(model.nv)

    def products(model, data):
        ferrodyn.mj_mulJacVec(model, data, np.zeros(data.nefc), vector)
        ferrodyn.mj_mulJacTVec(model, data, vector, np.zeros(data.nefc))
        ferrodyn.mj_contactForce(model, data, 0, np.zeros(6))

    for stage in [products, *(getattr(ferrodyn, stage) for stage in STAGES)]:
        ferrodyn.mj_step(model, data, 2)
        attrgetter(name)(data)[...] = value
        try:
            stage(model, data)
        except ValueError as error:
            assert "do not fit together" in str(error)
        # whatever was overwritten is computed again
        ferrodyn.mj_forward(model, data)
        assert data.ncon == 5


NONSENSE = [
    None, -1, 0, 1, 3, 10**30, -(10**30), 1.5, np.nan, np.inf, True, "", "xyz", "\ud800", b"x",
    [], [1, 2, 3], ["a"], {}, object(), np.zeros(0), z(3), z(4), z(9), z(6), z(3, 3), z(1, 3),
    z(3, 1), z(2, 2, 2), np.zeros(()), np.zeros(3, np.int32), np.zeros(3, complex),
    np.array(["a"]), np.array([None]), read_only(3), np.full(4, np.nan), z(20)[::2], z(3, 13),
]  # fmt: skip


@pytest.mark.parametrize("name", FUNCTIONS)
def test_nonsense(model, data, name, tmp_path, monkeypatch):
    """Random arguments of any type: a result or an Exception, which a panic would not be."""
    monkeypatch.chdir(tmp_path)
    function = getattr(ferrodyn, name)
    choice = random.Random(name)
    for _ in range(150):
        args = [choice.choice(NONSENSE) for _ in range(choice.randint(0, 6))]
        if choice.random() < 0.8:
            args = [model, data, *args] if choice.random() < 0.7 else [model, *args]
        try:
            function(*args)
        except Exception:
            pass


def test_huge_numbers_of_steps(model, data):
    for nstep in (2**64, -(2**70)):
        with pytest.raises(OverflowError):
            ferrodyn.mj_step(model, data, nstep)


def test_divergence_resets_and_warns(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)  # MuJoCo writes a log file
    pair = Pair(TREE)
    for data in pair.datas:
        data.qpos[0] = 1e12
    mujoco.mj_step(pair.models[0], pair.datas[0])
    with pytest.warns(RuntimeWarning, match="the world was reset"):
        ferrodyn.mj_step(pair.models[1], pair.datas[1])
    pair.assert_same("qpos", "qvel", "time", tolerance=1e-9)
