"""Arrays are views of the engine's own memory, and outlive the objects they came from."""

import gc
import weakref

import numpy as np
import pytest

import ferrodyn
from ferrodyn import _native
from helpers import TREE

MODEL_ARRAYS = [n for n, *_ in _native.model_fields() if n not in ("names", "paths", "text_data")]


@pytest.mark.parametrize("name", [n for n, *_ in _native.data_fields()])
def test_data_array_is_a_view(data, name):
    array = getattr(data, name)
    assert getattr(data, name) is array
    assert not array.flags.owndata
    assert array.flags.writeable and array.flags.c_contiguous and array.flags.aligned
    if array.size:
        array.flat[0] = 1
        assert data._native.array(name).flat[0] == 1


@pytest.mark.parametrize("name", MODEL_ARRAYS)
def test_model_array_is_a_view(model, name):
    array = getattr(model, name)
    assert getattr(model, name) is array
    assert not array.flags.owndata
    assert array.flags.writeable and array.flags.c_contiguous and array.flags.aligned
    if array.size:
        array.flat[-1] = 3
        assert model._native.array(name).view(array.dtype).flat[-1] == 3


def test_arrays_do_not_overlap(model, data):
    for owner, table in ((model, MODEL_ARRAYS), (data, [n for n, *_ in _native.data_fields()])):
        ranges = sorted(
            (a.__array_interface__["data"][0], a.nbytes)
            for a in (getattr(owner, name) for name in table)
            if a.size
        )
        for (start, size), (after, _) in zip(ranges, ranges[1:]):
            assert start + size <= after


def test_arrays_follow_the_step(model, data):
    qpos, xpos, energy, warning = data.qpos, data.xpos, data.energy, data.warning
    before = [array.copy() for array in (qpos, xpos, energy)]
    ferrodyn.mj_step(model, data, 10)
    for array, old in zip((qpos, xpos, energy), before):
        assert not np.array_equal(array, old)
    assert data.qpos is qpos and data.warning is warning


def test_arrays_stay_where_they_are(model, data):
    subtree, treeid, extent = model.body_subtreemass, model.body_treeid, model.stat.extent
    model.body_mass[:] = 2
    ferrodyn.mj_setConst(model, data)
    ferrodyn.mj_setTotalmass(model, 3)
    ferrodyn.mj_setKeyframe(model, data, 0)
    assert subtree[0] == 2 * model.nbody
    assert model.stat.extent != extent
    for name, array in (("body_subtreemass", subtree), ("body_treeid", treeid)):
        again = model._native.array(name)
        assert again.__array_interface__["data"] == array.__array_interface__["data"]
    xpos = data.xpos.__array_interface__["data"]
    ferrodyn.mj_resetDataKeyframe(model, data, 0)
    ferrodyn.mj_copyData(data, model, ferrodyn.MjData(model))
    assert data._native.array("xpos").__array_interface__["data"] == xpos


def test_arrays_outlive_their_owners():
    model = ferrodyn.MjModel.from_xml_string(TREE)
    data = ferrodyn.MjData(model)
    mass, gravity, qpos, number = model.body_mass, model.opt.gravity, data.qpos, data.warning.number
    row = data.body("arm").xfrc_applied
    expected = mass.copy(), gravity.copy(), qpos.copy()
    del model, data
    gc.collect()
    noise = [np.full(1000, 7.0) for _ in range(1000)]
    for array, old in zip((mass, gravity, qpos), expected):
        np.testing.assert_array_equal(array, old)
        array[:] = 5
    row[:] = 6
    number[:] = 4
    assert set(mass) == {5} and set(row) == {6} and len(noise) == 1000


def test_nothing_is_leaked():
    model = ferrodyn.MjModel.from_xml_string(TREE)
    data = ferrodyn.MjData(model)
    views = [model.body_mass, data.qpos, model.opt, data.warning, data.contact, data.joint(0)]
    refs = [weakref.ref(model), weakref.ref(data)]
    del model, data, views
    # no cycles: freed by counting references alone
    assert [ref() for ref in refs] == [None, None]


def test_the_data_keeps_its_model():
    data = ferrodyn.MjData(ferrodyn.MjModel.from_xml_string(TREE))
    gc.collect()
    ferrodyn.mj_step(data.model, data)
    assert data.model.nq == data.qpos.size


def test_slices_of_views_are_accepted_as_results(model, data):
    jacobians = np.zeros((model.nsite, 2, 3, model.nv))
    for site in range(model.nsite):
        ferrodyn.mj_jacSite(model, data, jacobians[site, 0], jacobians[site, 1], site)
    assert np.abs(jacobians[1:]).max(axis=(1, 2, 3)).all()
    ferrodyn.mju_negQuat(data.qpos[3:7], data.qpos[3:7])
    ferrodyn.mj_normalizeQuat(model, data.qpos)
    ferrodyn.mj_mulM(model, data, data.qfrc_applied, data.qvel)
