"""Copies and pickles are equal and independent."""

import copy
import pickle

import numpy as np
import pytest

import ferrodyn
from ferrodyn import _native
from helpers import TREE, Pair


def same_model(a, b):
    for name, *_ in _native.model_fields():
        np.testing.assert_array_equal(getattr(a, name), getattr(b, name), err_msg=name)
    assert (a.opt, a.stat, a.signature) == (b.opt, b.stat, b.signature)
    assert a.vis.map == b.vis.map


def same_data(a, b):
    for name, *_ in _native.data_fields() + _native.work_fields():
        np.testing.assert_array_equal(getattr(a, name), getattr(b, name), err_msg=name)
    assert a.time == b.time
    assert a.warning == b.warning
    np.testing.assert_array_equal(a.energy, b.energy)


def pickled(x):
    return pickle.loads(pickle.dumps(x))


COPIES = pytest.mark.parametrize("duplicate", [copy.copy, copy.deepcopy, pickled])


@COPIES
def test_model(model, duplicate):
    model.body_mass[1] = 7
    model.opt.timestep = 0.5
    twin = duplicate(model)
    same_model(model, twin)
    twin.body_mass[1] = 8
    twin.opt.timestep = 0.25
    twin.vis.global_.fovy = 1
    assert model.body_mass[1] == 7
    assert model.opt.timestep == 0.5
    assert model.vis.global_.fovy == 30
    assert twin.joint("elbow").id == model.joint("elbow").id


@COPIES
def test_data(model, data, duplicate):
    data.qvel[:] = 0.2
    ferrodyn.mj_step(model, data, 5)
    twin = duplicate(data)
    same_data(data, twin)
    before = data.qpos.copy()
    ferrodyn.mj_step(twin.model, twin, 5)
    np.testing.assert_array_equal(data.qpos, before)
    ferrodyn.mj_step(model, data, 5)
    same_data(data, twin)


@COPIES
def test_contacts_and_rows_are_copied(duplicate):
    model = ferrodyn.MjModel.from_xml_string(
        "<mujoco><worldbody><geom type='plane' size='1 1 1'/>"
        "<body pos='0 0 .09'><freejoint/><geom size='.1'/></body></worldbody></mujoco>"
    )
    data = ferrodyn.MjData(model)
    ferrodyn.mj_step(model, data)
    twin = duplicate(data)
    assert twin.ncon == len(twin.contact) == 1
    assert twin.nefc == len(twin.efc_force) == 4
    assert twin.contact[0].dist == data.contact[0].dist
    same_data(data, twin)
    np.testing.assert_array_equal(twin.solver.improvement, data.solver.improvement)
    force = np.zeros(6)
    ferrodyn.mj_contactForce(model, twin, 0, force)
    assert force[0] > 0


def test_which_model_a_copy_has(data):
    assert copy.copy(data).model is data.model
    assert copy.deepcopy(data).model is not data.model
    worlds = copy.deepcopy([data.model, data, data])
    assert worlds[1].model is worlds[0]
    assert worlds[1] is worlds[2]


def test_which_model_copies_have_in_mujoco():
    theirs, ours = Pair(TREE).datas
    for duplicate in (copy.copy, copy.deepcopy):
        same = [duplicate(data).model is data.model for data in (theirs, ours)]
        assert same[0] == same[1]


@COPIES
def test_options(model, duplicate):
    twin = duplicate(model.opt)
    assert twin == model.opt
    twin.timestep = 9
    twin.gravity[:] = 0
    assert twin != model.opt
    assert model.opt.timestep == 0.004
    assert model.opt.gravity[2] == -9.81


def test_visual_settings(model):
    twin = copy.copy(model.vis)
    twin.map.znear = 3
    assert model.vis.map.znear != 3


@pytest.mark.parametrize("cut", [0, 1, 100, -1])
def test_broken_pickles_are_refused(model, data, cut):
    with pytest.raises(ValueError):
        _native.Model.from_bytes(model._native.to_bytes()[:cut])
    with pytest.raises(ValueError):
        _native.Data.from_bytes(model, data._native.to_bytes()[:cut])


def test_subclasses_survive():
    class Named(ferrodyn.MjModel):
        pass

    assert type(copy.copy(Named.from_xml_string(TREE))) is Named
