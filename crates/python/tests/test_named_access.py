"""Rows of one object by its name or id: ``model.geom("torso").size``."""

import copy

import mujoco
import numpy as np
import pytest

import ferrodyn
from ferrodyn._data import DATA_VIEWS
from ferrodyn._model import MODEL_VIEWS
from helpers import assert_close

# there are no flexes yet
MISSING = {"bind", "bind_scalar", "flex"}
# for joints after the first, MuJoCo's own view starts at the wrong row of these
MISPLACED = {("joint", "cdof"), ("joint", "cdof_dot"), ("jnt", "cdof"), ("jnt", "cdof_dot")}
# stored as sparse rows, which the view of one actuator does not gather
SPARSE = {("actuator", "moment")}


def accessors(owner):
    """The methods of a class of MuJoCo that find an object."""
    return [
        name
        for name in dir(owner)
        if not name.startswith(("_", "from_")) and callable(getattr(owner, name))
    ]


@pytest.mark.parametrize(
    "theirs, ours", [(mujoco.MjModel, MODEL_VIEWS), (mujoco.MjData, DATA_VIEWS)]
)
def test_methods(theirs, ours):
    assert set(accessors(theirs)) - MISSING == set(ours)


@pytest.mark.parametrize("owner", ["models", "datas"])
def test_every_attribute_of_every_object(tree, owner):
    tree.call("mj_rnePostConstraint")
    theirs, ours = getattr(tree, owner)
    checked = 0
    for method in accessors(type(theirs)):
        if method in MISSING:
            continue
        for id_ in range(100):
            try:
                view = getattr(theirs, method)(id_)
            except IndexError:
                with pytest.raises(IndexError, match=r"Invalid index \d+. Valid indices from 0 to"):
                    getattr(ours, method)(id_)
                break
            mine = getattr(ours, method)(id_)
            assert type(mine).__name__ == type(view).__name__
            for name in dir(view):
                if name.startswith("_") or (method, name) in MISPLACED | SPARSE:
                    continue
                value, other = getattr(mine, name), getattr(view, name)
                assert type(value) is type(other)
                if isinstance(value, np.ndarray):
                    assert value.dtype == other.dtype
                    assert_close(value, other, 1e-6, f"{method}.{name}")
                else:
                    assert value == other
                checked += 1
            if view.name:
                assert getattr(ours, method)(view.name).id == id_
    assert checked > 300


def test_motion_of_a_joint(tree):
    theirs, ours = tree.datas
    elbow = ours.joint("elbow")
    dof = tree.models[1].joint("elbow").dofadr[0]
    np.testing.assert_array_equal(elbow.cdof, ours.cdof[dof : dof + 1])
    assert_close(elbow.cdof, theirs.cdof[dof : dof + 1])


def test_views_share_memory(model, data):
    data.joint("elbow").qpos = 0.7
    data.joint("root").qvel[2] = 3
    data.body("arm").xfrc_applied[:] = [1, 2, 3, 4, 5, 6]
    model.geom("torso").size = [0.2, 0.3, 0]
    model.geom("torso").rgba[3] = 0.5
    model.body("arm").pos += 1
    assert data.qpos[11] == 0.7
    assert data.qvel[2] == 3
    assert data.xfrc_applied[2].tolist() == [1, 2, 3, 4, 5, 6]
    assert model.geom_size[1].tolist() == [0.2, 0.3, 0]
    assert model.geom_rgba[1, 3] == 0.5
    assert model.key("home").qpos[2] == 2
    assert model.key("home").time == 1.5
    assert model.numeric("gains").data.tolist() == [1, 2, 3]
    assert model.tuple("parts").objprm.tolist() == [2, 0]
    assert np.shares_memory(data.site("hand").xpos, data.site_xpos)


def test_ids_of_any_integer_type(model, data):
    arm = model.body("arm").id
    assert model.body(np.int64(arm)).name == "arm"
    assert model.body(model.body("forearm").parentid[0]).name == "arm"
    assert data.body(name="arm").id == arm
    assert data.body(True).name == "base"


@pytest.mark.parametrize("method", ["joint", "body", "site", "key"])
@pytest.mark.parametrize("name", ["nothing", "", "arm "])
def test_unknown_name(tree, method, name):
    messages = []
    for model in tree.models:
        with pytest.raises(KeyError) as error:
            getattr(model, method)(name)
        messages.append(str(error.value))
    assert messages[0] == messages[1]


@pytest.mark.parametrize("name", [None, 1.5, [0], np.array([1, 2])])
def test_what_is_no_name(tree, name):
    with pytest.raises(TypeError):
        tree.models[1].body(name)


@pytest.mark.parametrize("id_", [-1, 100, 2**40])
def test_unknown_id(model, data, id_):
    for owner in (model, data):
        with pytest.raises(IndexError, match=f"Invalid index {id_}"):
            owner.body(id_)


def test_attributes_that_do_not_exist(model):
    view = model.geom("torso")
    with pytest.raises(AttributeError, match="no attribute 'colour'"):
        view.colour
    with pytest.raises(AttributeError):
        view.colour = 3
    for name in ("id", "name"):
        with pytest.raises(AttributeError):
            setattr(view, name, 0)
    with pytest.raises(AttributeError):
        del view.size
    with pytest.raises(ValueError):
        view.size = [1, 2]


def test_text(tree):
    theirs, ours = (repr(model.site("imu")) for model in tree.models)
    assert ours == theirs
    assert "gravity: array([" in repr(tree.models[1].opt)
    assert repr(tree.models[0].stat) == repr(tree.models[1].stat)


def test_a_view_keeps_its_world_alive(model):
    view = ferrodyn.MjData(model).body("arm")
    view.xpos[:] = 4
    assert view.xpos.tolist() == [4, 4, 4]
    assert copy.copy(model).body("arm").id == view.id
