"""Contacts, constraint rows and islands are seen in place, and what was seen stays readable."""

import copy
import gc
import pickle
import sys
import threading
import weakref
from operator import attrgetter

import mujoco
import numpy as np
import pytest

import ferrodyn
from ferrodyn import _native
from helpers import Pair

WORK_ARRAYS = [name for name, *_ in _native.work_fields()]
CONTACT_FIELDS = (
    "dist pos frame includemargin friction solref solreffriction solimp mu H "
    "dim geom1 geom2 geom flex elem vert exclude efc_address"
).split()


def heap(n, jacobian="auto", height=0.09):
    """Balls in a row, each one just in the ground: contacts and rows in proportion to `n`."""
    balls = "".join(
        f'<body pos="{0.3 * i} 0 {height}"><freejoint/><geom size=".1"/></body>' for i in range(n)
    )
    return (
        f'<mujoco><option jacobian="{jacobian}"/><worldbody>'
        f'<geom type="plane" size="9 9 1"/>{balls}</worldbody></mujoco>'
    )


def world(n=4, **options):
    model = ferrodyn.MjModel.from_xml_string(heap(n, **options))
    data = ferrodyn.MjData(model)
    ferrodyn.mj_step(model, data)
    return model, data


def growing(n=40):
    """A world in which balls can be put on the ground: `touch(k)` leaves `k` contacts."""
    model = ferrodyn.MjModel.from_xml_string(heap(n, height=5))
    data = ferrodyn.MjData(model)

    def touch(k):
        data.qpos[2::7] = 5
        data.qpos[2 : 7 * k : 7] = 0.09
        ferrodyn.mj_forward(model, data)
        assert data.ncon == k

    return model, data, touch


def address(array):
    return array.__array_interface__["data"][0]


def churn():
    """Reuse memory that was freed, so that nobody reads what he expects there."""
    return [np.full(size, np.nan) for size in (10, 100, 1000, 10_000) for _ in range(50)]


@pytest.fixture(params=["dense", "sparse"])
def pair(request):
    pair = Pair(heap(4, request.param))
    pair.call("mj_step", 3)
    return pair


@pytest.mark.parametrize("name", WORK_ARRAYS)
def test_types_and_shapes_are_those_of_mujoco(pair, name):
    theirs, ours = (getattr(data, name) for data in pair.datas)
    assert ours.dtype == theirs.dtype
    # arrays that MuJoCo fills only now and then have any length before that
    assert ours.shape == theirs.shape or name.startswith("efc_AR")
    if ours.size:
        assert ours.strides == theirs.strides


@pytest.mark.parametrize("name", CONTACT_FIELDS)
def test_fields_of_contacts_are_those_of_mujoco(pair, name):
    theirs, ours = (getattr(data.contact, name) for data in pair.datas)
    assert (ours.dtype, ours.shape, ours.strides) == (theirs.dtype, theirs.shape, theirs.strides)
    assert ours.flags.writeable and not ours.flags.owndata
    one = [getattr(data.contact[2], name) for data in pair.datas]
    assert type(one[0]) is type(one[1]) and np.shape(one[0]) == np.shape(one[1])


@pytest.mark.parametrize("name", WORK_ARRAYS)
def test_arrays_are_written_in_place(name):
    _, data = world()
    array = getattr(data, name)
    assert array.flags.writeable and array.flags.aligned and array.flags.c_contiguous
    assert not array.flags.owndata
    if array.size:
        array.flat[-1] = 3
        again = getattr(data, name)
        assert again is not array and address(again) == address(array)
        assert again.flat[-1] == 3


def test_arrays_do_not_overlap():
    _, data = world()
    arrays = [getattr(data, name) for name in WORK_ARRAYS] + [data.contact._get()]
    ranges = sorted((address(a), a.nbytes) for a in arrays if a.size)
    assert len(ranges) > 40
    for (start, size), (after, _) in zip(ranges, ranges[1:]):
        assert start + size <= after


def test_contacts_are_written_in_place(pair):
    for data in pair.datas:
        contacts = data.contact
        contacts.dist[1] = 7
        contacts[2].dist = 8
        contacts[0].frame[:] = np.arange(9)
        contacts[3].pos = [1, 2, 3]
        for i, contact in enumerate(contacts):
            contact.friction[0] = i
    theirs, ours = (data.contact for data in pair.datas)
    for name in ("dist", "frame", "pos", "friction"):
        np.testing.assert_allclose(getattr(ours, name), getattr(theirs, name), atol=1e-12)
    assert ours.dist[1:3].tolist() == [7, 8] and ours[0].frame[8] == 8


def test_what_is_written_reaches_the_engine(pair):
    for data in pair.datas:
        data.efc_J[...] *= 2
        data.efc_force[:] = np.arange(data.nefc)
    results = []
    for module, model, data in zip((mujoco, ferrodyn), pair.models, pair.datas):
        product, force = np.zeros(data.nefc), np.zeros(6)
        module.mj_mulJacVec(model, data, product, np.ones(model.nv))
        module.mj_contactForce(model, data, 1, force)
        results.append((product, force))
    for theirs, ours in zip(*results):
        np.testing.assert_allclose(ours, theirs, atol=1e-12)
        assert theirs.any()


def test_the_list_of_contacts_follows_the_world():
    for module in (mujoco, ferrodyn):
        model = module.MjModel.from_xml_string(heap(3))
        data = module.MjData(model)
        contacts = data.contact
        assert len(contacts) == 0 and contacts.dist.shape == (0,) and contacts.frame.shape == (0, 9)
        module.mj_step(model, data)
        assert data.contact is contacts and len(contacts) == 3 and len(list(contacts)) == 3
        data.ncon = 2
        assert len(contacts) == 2 and contacts.dist.shape == (2,)
        module.mj_resetData(model, data)
        assert len(contacts) == 0


def test_parts_of_the_list_of_contacts():
    _, data = world(4)
    part = data.contact[1:3]
    part[0].dist = 5
    part.mu[1] = 6
    assert data.contact.dist[1] == 5 and data.contact[-2].mu == 6
    for i in (4, -5):
        with pytest.raises(IndexError):
            data.contact[i]


def test_solver_statistics_are_in_place():
    _, data = world(2)
    assert data.solver is data.solver and len(data.solver) == len(data.solver.improvement) == 4000
    data.solver[0].improvement = 3
    assert data.solver[0].improvement == data.solver.improvement[0] == 3
    assert data.solver[:5].improvement[0] == data.solver[:5][0].improvement == 3
    assert not data.solver.improvement.flags.writeable
    assert data.solver[-1].nactive == 0


@pytest.mark.parametrize("name", ["efc_force", "efc_type", "efc_KBIP", "contact.pos"])
def test_arrays_without_elements(name):
    theirs, ours = (attrgetter(name)(data) for data in Pair(heap(1, height=5)).datas)
    assert (ours.dtype, ours.shape) == (theirs.dtype, theirs.shape)
    assert ours.flags.writeable and ours.flags.aligned


def test_kept_arrays_follow_a_step_that_needs_no_more_room():
    model, data = world()
    force, dist = data.efc_force, data.contact.dist
    before = dist.copy()
    ferrodyn.mj_step(model, data, 5)
    assert address(data.efc_force) == address(force)
    assert (dist != before).any() and (dist == data.contact.dist).all()


def test_kept_arrays_stay_readable_when_the_workspace_grows():
    model, data, touch = growing()
    touch(2)
    kept = {name: getattr(data, name) for name in WORK_ARRAYS}
    contacts, one = data.contact._get(), data.contact[1]
    contacts["dist"] = 17
    kept["efc_force"][:] = 18
    place = address(kept["efc_force"])
    touch(40)
    noise = churn()
    # the new block is another one, and fresh arrays see it
    assert data.efc_force.shape == (160,) and address(data.efc_force) != place
    assert len(data.contact) == 40 and (data.contact.dist < 0).all()
    # the old one holds what it held when it was left
    assert kept["efc_force"].shape == (8,) and not np.isnan(kept["efc_force"]).any()
    assert contacts["dist"].max() < 18 and one.geom1 == 0 and np.isfinite(one.frame).all()
    # and is nobody else's
    for array in (*kept.values(), contacts["frame"]):
        array[...] = 1
    one.dist = 4
    assert (data.contact.dist < 0).all() and len(noise) == 200
    ferrodyn.mj_step(model, data)


def test_kept_arrays_outlive_the_world():
    model, data = world(6)
    kept = force, dist, pos = data.efc_force, data.contact.dist, data.contact[2].pos
    expected = [array.copy() for array in kept]
    ref = weakref.ref(data)
    del model, data
    gc.collect()
    assert ref() is None
    noise = churn()
    for array, value in zip(kept, expected):
        np.testing.assert_array_equal(array, value)
    force[:], dist[:], pos[:] = 1, 2, 3
    assert force.sum() == 24 and len(noise) == 200


def test_a_kept_list_of_contacts_outlives_the_world():
    _, data = world(6)
    contacts, expected = data.contact, data.contact.dist.copy()
    del data
    gc.collect()
    noise = churn()
    np.testing.assert_array_equal(contacts.dist, expected)
    contacts[2].pos[:] = 3
    assert contacts.pos[2].tolist() == [3, 3, 3] and len(noise) == 200


def test_kept_arrays_of_old_blocks_outlive_the_world():
    model, data, touch = growing()
    touch(3)
    old = data.contact.dist
    expected = old.copy()
    touch(40)
    new = data.efc_force
    del model, data, touch
    gc.collect()
    noise = churn()
    np.testing.assert_array_equal(old, expected)
    assert not np.isnan(new).any() and len(noise) == 200


LINUX = pytest.mark.skipif(sys.platform != "linux", reason="reads the size of the process")


def resident():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * 4096


@LINUX
def test_an_old_block_does_not_keep_the_world():
    model, data, touch = growing(200)
    touch(200)
    whole = data._native.memory_size()
    kept, old_blocks = [], 0
    before = resident()
    for _ in range(50):
        fresh = ferrodyn.MjData(model)
        fixed = fresh._native.memory_size()
        fresh.qpos[2] = 0.09
        ferrodyn.mj_forward(model, fresh)
        kept.append(fresh.efc_force)
        old_blocks += fresh._native.memory_size() - fixed
        ferrodyn.mj_copyData(fresh, model, data)
    # the worlds are gone, their first blocks are not
    assert resident() - before < old_blocks + 50 * whole / 4
    assert old_blocks < 50 * whole / 4 and len(kept) == 50


@LINUX
def test_blocks_are_freed_with_their_last_array():
    model, data, touch = growing(200)
    touch(200)

    def cycle(times):
        for _ in range(times):
            fresh = ferrodyn.MjData(model)
            fresh.qpos[2] = 0.09
            ferrodyn.mj_forward(model, fresh)
            kept = fresh.efc_force, fresh.contact
            ferrodyn.mj_copyData(fresh, model, data)
            assert kept[0].size == 4 and fresh.efc_force.size == 800

    cycle(20)
    before = resident()
    # each time at least two blocks of more than fifty kilobytes
    cycle(300)
    assert resident() - before < 5e6


def test_copies_into_a_world_with_kept_arrays():
    model, data, touch = growing()
    touch(40)
    large = copy.copy(data)
    touch(2)
    small = ferrodyn.MjData(model)
    ferrodyn.mj_copyData(small, model, data)
    kept = small.contact.dist, small.efc_J, small.contact[0].frame
    expected = [array.copy() for array in kept]
    # larger: another block
    target = ferrodyn.MjData(model)
    target.qpos[2] = 0.09
    ferrodyn.mj_forward(model, target)
    old = target.contact.dist
    before = old.copy()
    ferrodyn.mj_copyData(target, model, large)
    noise = churn()
    np.testing.assert_array_equal(old, before)
    assert target.contact == large.contact and len(target.contact) == 40
    # smaller, then empty, then large again
    seen = [target.contact.dist, target.efc_J]
    for source in (small, ferrodyn.MjData(model), large, small):
        ferrodyn.mj_copyData(target, model, source)
        assert target.contact == source.contact
        np.testing.assert_array_equal(target.efc_force, source.efc_force)
        seen += [target.contact.dist, target.efc_J, target.contact.frame]
    for array in seen:
        array.sum()
        array[...] = 1
    for array, value in zip(kept, expected):
        np.testing.assert_array_equal(array, value)
    assert len(noise) == 200


@pytest.mark.parametrize(
    "duplicate", [copy.copy, copy.deepcopy, lambda d: pickle.loads(pickle.dumps(d))]
)
def test_copies_have_their_own_workspace(duplicate):
    _, data = world()
    kept = data.efc_force
    twin = duplicate(data)
    assert address(twin.efc_force) != address(kept)
    kept[:] = 9
    assert (twin.efc_force != 9).all() and (data.efc_force == 9).all()


def test_a_reset_leaves_kept_arrays_readable():
    model, data = world()
    force, dist = data.efc_force, data.contact.dist
    ferrodyn.mj_resetData(model, data)
    assert data.efc_force.size == 0 and data.contact.dist.size == 0
    assert force.size == 16 and dist.size == 4
    assert np.isfinite(force).all() and np.isfinite(dist).all()
    ferrodyn.mj_step(model, data)
    assert address(data.efc_force) == address(force)


def test_many_kept_arrays_of_many_blocks():
    model, data, touch = growing(60)
    random = np.random.default_rng(1)
    kept = []
    for _ in range(60):
        fresh = ferrodyn.MjData(model)
        for k in sorted(random.integers(1, 60, 5)):
            fresh.qpos[2 : 7 * k : 7] = 0.09
            ferrodyn.mj_forward(model, fresh)
            any_other = getattr(fresh, random.choice(WORK_ARRAYS))
            for array in (fresh.contact.dist, fresh.contact.frame, fresh.efc_J, any_other):
                array[...] = len(kept)
                kept.append((array, len(kept)))
        for i in random.integers(0, len(kept), len(kept) // 3):
            kept[i] = kept[-1]
        gc.collect()
    churn()
    for array, _ in kept:
        assert not np.isnan(array).any()
        array[...] = 0


def test_arrays_of_callbacks():
    """Blocks that are seen in a callback may be replaced before the step is over."""
    model, data, _ = growing(40)
    seen, lengths = [], []

    def look(m, d):
        seen.append((d.efc_force, d.contact.dist, d.contact[0].frame if d.ncon else None))
        lengths.append((d.nefc, d.ncon))
        d.contact.mu[:] = 5
        assert (d.contact.mu == 5).all()

    def grow(m, d):
        look(m, d)
        # contacts and rows of another configuration, in the middle of the step
        before = d.qpos.copy()
        d.qpos[2::7] = 0.09
        ferrodyn.mj_kinematics(m, d)
        ferrodyn.mj_comPos(m, d)
        ferrodyn.mj_collision(m, d)
        ferrodyn.mj_makeConstraint(m, d)
        look(m, d)
        assert d.ncon == 40 and d.efc_force.shape == (160,)
        d.qpos[:] = before

    data.qpos[2] = data.qpos[9] = 0.09
    ferrodyn.mj_forward(model, data)
    place = address(data.efc_force)
    for callback in (grow, look):
        ferrodyn.set_mjcb_passive(callback)
        try:
            ferrodyn.mj_forward(model, data)
        finally:
            ferrodyn.set_mjcb_passive(None)
    noise = churn()
    assert lengths == [(8, 2), (160, 40), (8, 2)]
    assert [len({address(a) for a in arrays}) for arrays in zip(*seen)][:2] == [2, 2]
    assert address(seen[0][0]) == place != address(data.efc_force)
    for (force, dist, frame), (nefc, ncon) in zip(seen, lengths):
        assert (force.size, dist.size) == (nefc, ncon)
        assert np.isfinite(force).all() and np.isfinite(dist).all() and np.isfinite(frame).all()
        force[:] = 0
        frame[:] = 0
    assert (data.efc_force == 0).all() and len(noise) == 200


def test_reading_kept_arrays_while_another_thread_steps():
    """The workspace grows in the thread; the old block is left where it is."""
    model, data, touch = growing(60)
    touch(1)
    kept = [data.contact.dist, data.efc_force, data.efc_J]
    for k in (20, 40, 60):
        data.qpos[2 : 7 * k : 7] = 0.09
        thread = threading.Thread(target=ferrodyn.mj_step, args=(model, data, 20))
        thread.start()
        while thread.is_alive():
            for array in kept:
                array.sum()
        thread.join()
        kept += [data.contact.dist, data.efc_force, data.contact.frame]
    noise = churn()
    for array in kept:
        assert np.isfinite(array).all()
    assert len(noise) == 200


def test_marks_of_nodes_that_a_program_set_are_cleared_by_a_step():
    model = ferrodyn.MjModel.from_xml_string(
        """<mujoco>
             <asset><mesh name="ball" builtin="sphere" params="3"/></asset>
             <worldbody><geom type="mesh" mesh="ball"/><body pos="0 0 9"><freejoint/><geom size=".1"/></body></worldbody>
           </mujoco>"""
    )
    data = ferrodyn.MjData(model)
    ferrodyn.mj_step(model, data)
    marks = data.bvh_active
    other = ferrodyn.MjData(model)
    for _ in range(2):
        marks[-3:] = 1
        ferrodyn.mj_step(model, data)
        assert not marks.any()
        # what is known of the marks of another world says nothing of an array that is still held
        ferrodyn.mj_copyData(data, model, other)


def test_arrays_of_an_island_of_everything_follow_once_they_were_asked_for():
    model = ferrodyn.MjModel.from_xml_string(heap(1))
    data, other = ferrodyn.MjData(model), ferrodyn.MjData(model)
    ferrodyn.mj_step(model, data, 3)
    assert (data.nisland, data.nidof) == (1, 6)
    for _ in range(3):
        # what another world knows of its readers says nothing of this one's
        ferrodyn.mj_step(model, other)
        ferrodyn.mj_copyData(data, model, other)
        ferrodyn.mj_step(model, data)
        for own, whole in (("iefc_J", "efc_J"), ("iefc_force", "efc_force"), ("iM", "M"), ("iLD", "qLD"), ("iacc", "qacc")):
            assert getattr(data, whole).any()
            np.testing.assert_array_equal(getattr(data, own), getattr(data, whole), err_msg=own)
