"""Arrays, sizes and settings: names, types, shapes and values are MuJoCo's."""

import mujoco
import numpy as np
import pytest

import ferrodyn
from ferrodyn import _native
from helpers import FORCES, KINEMATICS, MODELS, TREE, Pair, assert_close



def is_mujocos(field):
    """Whether the documentation of a field, its last entry, does not call it an extension."""
    return "an extension" not in field[-1]


MODEL_ARRAYS = [field[0] for field in _native.model_fields() if is_mujocos(field)]
DATA_ARRAYS = [name for name, *_ in _native.data_fields()]
WORK_ARRAYS = [name for name, *_ in _native.work_fields()]
# MuJoCo's own binding shows these two as empty arrays
UNREADABLE = {"bv", "bvactive"}
SETTINGS = [
    (group, name)
    for group, fields in _native.settings().items()
    for name, *rest in fields
    if name not in UNREADABLE and is_mujocos(rest)
]
# computed for collision detection, which does not exist yet
NOT_COMPUTED = {"bvh_aabb_dyn", "bvh_active"}


@pytest.fixture(scope="module", params=MODELS)
def stepped(request):
    """Each model in both engines after a few steps and everything that is computed on demand."""
    pair = Pair(MODELS[request.param], seed=3)
    pair.call("mj_step", 3)
    pair.call("mj_forward")
    for name in ("mj_subtreeVel", "mj_rnePostConstraint"):
        pair.call(name)
    return pair


@pytest.mark.parametrize("name", MODEL_ARRAYS)
def test_model_array(stepped, name):
    theirs, ours = (getattr(model, name) for model in stepped.models)
    assert type(ours) is type(theirs)
    if isinstance(ours, bytes):
        assert ours == theirs
        return
    assert ours.dtype == theirs.dtype
    assert ours.shape == theirs.shape
    if ours.dtype.kind == "f":
        assert_close(ours, theirs, 1e-6 if ours.dtype == np.float32 else FORCES)
    else:
        np.testing.assert_array_equal(ours, theirs)


@pytest.mark.parametrize("name", DATA_ARRAYS)
def test_data_array(stepped, name):
    theirs, ours = (getattr(data, name) for data in stepped.datas)
    assert ours.dtype == theirs.dtype
    assert ours.shape == theirs.shape
    if name not in NOT_COMPUTED:
        assert_close(ours, theirs, FORCES)


@pytest.mark.parametrize("name", ["xpos", "xquat", "xmat", "geom_xpos", "site_xmat", "cdof"])
def test_kinematics_are_exact(stepped, name):
    # the states differ by the rounding of the steps before: take the oracle's
    pair = stepped
    pair.datas[1].qpos[:] = pair.datas[0].qpos
    pair.call("mj_fwdKinematics")
    pair.assert_same(name, tolerance=KINEMATICS)


@pytest.mark.parametrize("name", WORK_ARRAYS)
def test_workspace_array(stepped, name):
    theirs, ours = (getattr(data, name) for data in stepped.datas)
    assert ours.dtype == theirs.dtype
    assert ours.shape[1:] == theirs.shape[1:]
    assert ours.flags.writeable and not ours.flags.owndata


def test_sizes(stepped):
    theirs, ours = stepped.models
    for name, doc in _native.sizes():
        if not is_mujocos([doc]):
            assert getattr(ours, name) == 0, name
            continue
        assert getattr(ours, name) == getattr(theirs, name), name
        assert type(getattr(ours, name)) is int


def missing_arrays(theirs, ours):
    return {
        name
        for name in dir(theirs)
        if not name.startswith("_")
        and isinstance(getattr(theirs, name), np.ndarray)
        and not hasattr(ours, name)
    }


def test_only_flexes_skins_and_bookkeeping_are_missing():
    pair = Pair(TREE)
    known = {"name_flexadr", "name_skinadr", "plugin_data", "maxuse_threadstack"}
    absent = missing_arrays(*pair.models) | missing_arrays(*pair.datas)
    assert {n for n in absent - known if not n.startswith(("flex", "skin_"))} == set()


@pytest.mark.parametrize("group, name", SETTINGS)
def test_setting(stepped, group, name):
    def value(model):
        owner = getattr(model, group) if group in ("opt", "stat") else getattr(model.vis, group)
        return getattr(owner, name)

    theirs, ours = map(value, stepped.models)
    assert type(ours) is type(theirs)
    if isinstance(ours, np.ndarray):
        assert ours.dtype == theirs.dtype
    assert_close(ours, theirs, 1e-6 if group not in ("opt", "stat") else FORCES)


def test_settings_are_assigned(model):
    model.opt.timestep = 0.01
    model.opt.gravity[2] = 0
    model.opt.wind = [1, 2, 3]
    model.opt.integrator = ferrodyn.mjtIntegrator.mjINT_RK4
    model.opt.disableflags |= ferrodyn.mjtDisableBit.mjDSBL_SPRING
    model.vis.global_.fovy = 60
    model.vis.rgba.haze = 0.5
    model.stat.extent = 3
    assert model.opt.timestep == 0.01
    assert model.opt.gravity.tolist() == [0, 0, 0]
    assert model.opt.wind.tolist() == [1, 2, 3]
    assert model.opt.integrator == 1
    assert model.opt.disableflags & ferrodyn.mjtDisableBit.mjDSBL_SPRING
    assert model.vis.global_.fovy == 60
    assert model.vis.rgba.haze.tolist() == [0.5] * 4
    assert model.stat.extent == 3


def test_settings_reach_the_engine():
    pair = Pair(TREE, seed=4)
    for module, model in zip((mujoco, ferrodyn), pair.models):
        model.opt.gravity = [1, 2, 3]
        model.opt.timestep = 0.001
        model.opt.integrator = module.mjtIntegrator.mjINT_IMPLICITFAST
        model.opt.disableflags |= module.mjtDisableBit.mjDSBL_DAMPER
    pair.call("mj_step", 5)
    pair.assert_same("qpos", "qvel", "time", "energy")


def test_parameters_reach_the_engine():
    pair = Pair(TREE, seed=5)
    for model in pair.models:
        model.body_mass[2] *= 2
        model.dof_damping[:] = 0.3
        model.geom_size *= 2
    pair.call("mj_setConst")
    pair.call("mj_step", 5)
    pair.assert_same("qpos", "qvel")


def test_assignment_writes_the_elements(model, data):
    view = data.qpos
    data.qpos = np.arange(model.nq)
    assert view.tolist() == list(range(model.nq))
    data.qpos += 1
    assert view[0] == 1
    data.qpos[:] = 2
    data.qvel = 3
    model.body_mass *= 2
    assert set(view) == {2} and set(data.qvel) == {3}
    with pytest.raises(ValueError):
        data.qpos = [1, 2]


def test_scalars(data):
    assert (data.time, data.ncon, data.nefc, data.nv_awake) == (0.0, 0, 0, data.model.nv)
    data.time = 3
    assert data.time == 3.0 and type(data.time) is float
    assert type(data.ncon) is int


def test_lists_of_structs():
    theirs, ours = Pair(TREE).datas
    assert len(ours.contact) == len(theirs.contact) == 0
    assert len(ours.warning) == len(theirs.warning)
    assert list(ours.contact) == []
    for list_ in ("contact", "warning", "solver"):
        mine, other = getattr(ours, list_), getattr(theirs, list_)
        fields = [name for name in dir(other) if isinstance(getattr(other, name), np.ndarray)]
        assert fields
        for name in fields:
            assert getattr(mine, name).dtype == getattr(other, name).dtype
            assert getattr(mine, name).shape == getattr(other, name).shape


def test_warnings_are_counted(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)  # MuJoCo writes a log file
    xml = TREE.replace("<flag ", '<flag autoreset="disable" ')
    pair = Pair(xml)
    for data in pair.datas:
        data.qvel[1] = np.nan
    mujoco.mj_step(pair.models[0], pair.datas[0])
    with pytest.warns(RuntimeWarning, match=r"qvel\[1\] of body 1 diverged"):
        ferrodyn.mj_step(pair.models[1], pair.datas[1])
    theirs, ours = (data.warning for data in pair.datas)
    assert ours.number.tolist() == theirs.number.tolist()
    bad = ours[ferrodyn.mjtWarning.mjWARN_BADQVEL]
    assert (bad.number, bad.lastinfo) == (theirs[5].number, theirs[5].lastinfo)
    bad.number = 0
    assert ours.number[5] == 0


def test_dir_lists_everything(model, data):
    assert {"body_mass", "nq", "opt", "joint"} <= set(dir(model))
    assert {"qpos", "efc_J", "time", "contact", "joint", "model"} <= set(dir(data))
    assert {"timestep", "gravity"} <= set(dir(model.opt))
