"""Support functions on inertia, Jacobians, frames, contacts, options and text."""

import copy

import mujoco
import numpy as np
import pytest

import ferrodyn
from derivative_models import CARTPOLE, HUMANOID, MIXED, MUSCLE_ARM, Worlds, error, quadruped

SCENES = {
    "cartpole": (CARTPOLE, 50),
    "humanoid": (HUMANOID, 300),
    "quadruped": (quadruped(), 200),
    "mixed": (MIXED, 40),
}


def engines(w):
    return (mujoco, w.m, w.d), (ferrodyn, w.e, w.f)


@pytest.fixture(params=SCENES)
def w(request):
    w = Worlds(*SCENES[request.param])
    mujoco.mj_forward(w.m, w.d)
    ferrodyn.mj_forward(w.e, w.f)
    return w


def results(w, name, *shapes, before=(), after=()):
    """Call a function of both engines with outputs of these shapes."""
    out = []
    for module, m, d in engines(w):
        arrays = [np.zeros(shape) for shape in shapes]
        getattr(module, name)(m, d, *before, *arrays, *after)
        out.append(arrays)
    return zip(*out[::-1])


def test_half_of_the_inertia(w):
    nv = w.m.nv
    rng = np.random.default_rng(0)
    vec = rng.normal(size=nv)
    for ours, theirs in results(w, "mj_mulM2", nv, after=(vec,)):
        assert error(ours, theirs) < 1e-10
        product = np.zeros(nv)
        ferrodyn.mj_mulM(w.e, w.f, product, vec)
        assert ours @ ours == pytest.approx(vec @ product)
    y, roots = rng.normal(size=(3, nv)), np.sqrt(w.f.qLDiagInv)
    for ours, theirs in results(w, "mj_solveM2", (3, nv), after=(y, roots)):
        assert error(ours, theirs) < 1e-10
    for module, m, d in engines(w):
        with pytest.raises(TypeError):
            module.mj_mulM2(m, d, np.zeros(nv + 1), vec)
        with pytest.raises(TypeError):
            module.mj_solveM2(m, d, np.zeros((3, nv)), y, np.zeros(nv + 1))
        with pytest.raises(TypeError):
            module.mj_solveM2(m, d, np.zeros((2, nv)), y, roots)


def test_constraint_jacobian(w):
    nv, rows = w.m.nv, w.d.nefc
    rng = np.random.default_rng(0)
    for ours, theirs in results(w, "mj_mulJacVec", rows, after=(rng.normal(size=nv),)):
        assert error(ours, theirs) < 1e-9
    for ours, theirs in results(w, "mj_mulJacTVec", nv, after=(rng.normal(size=rows),)):
        assert error(ours, theirs) < 1e-9
    for module, m, d in engines(w):
        with pytest.raises(TypeError):
            module.mj_mulJacVec(m, d, np.zeros(rows + 1), np.zeros(nv))
        with pytest.raises(TypeError):
            module.mj_mulJacTVec(m, d, np.zeros(nv), np.zeros(rows + 1))


def test_angular_momentum(w):
    for body in range(w.m.nbody):
        for ours, theirs in results(w, "mj_angmomMat", (3, w.m.nv), after=(body,)):
            assert error(ours, theirs) < 1e-10
    for module, m, d in engines(w):
        with pytest.raises(TypeError):
            module.mj_angmomMat(m, d, np.zeros((2, m.nv)), 0)
    with pytest.raises(IndexError):
        ferrodyn.mj_angmomMat(w.e, w.f, np.zeros((3, w.m.nv)), w.m.nbody)


def test_local_frames(w):
    rng = np.random.default_rng(0)
    quat = rng.normal(size=4)
    quat /= np.linalg.norm(quat)
    pos = rng.normal(size=3)
    for body in range(w.m.nbody):
        for sameframe in range(5):
            out = [(np.zeros(3), np.zeros(9)) for _ in range(2)]
            mujoco.mj_local2Global(w.d, *out[0], pos, quat, body, sameframe)
            ferrodyn.mj_local2Global(w.f, *out[1], pos, quat, body, sameframe)
            assert error(out[1][0], out[0][0]) < 1e-12
            assert error(out[1][1], out[0][1]) < 1e-12


def test_sum_with_the_inertia_matrix():
    # where every pair of degrees of freedom is on one path, M has room for itself
    for xml in (CARTPOLE, HUMANOID):
        w = Worlds(xml, 3)
        out = []
        for module, m, d in engines(w):
            module.mj_forward(m, d)
            arrays = [
                np.arange(m.nM, dtype=float),
                m.M_rownnz.copy(),
                m.M_rowadr.copy(),
                np.append(m.M_colind, np.zeros(m.nM - m.M_colind.size, np.int32)).astype(np.int32),
            ]
            module.mj_addM(m, d, *arrays)
            out.append(arrays)
        for theirs, ours in zip(*out):
            assert error(ours, theirs) < 1e-12
        for module, m, d in engines(w):
            with pytest.raises(TypeError):
                module.mj_addM(m, d, np.zeros(m.nM + 1), *arrays[1:])
            with pytest.raises(TypeError):
                module.mj_addM(m, d, np.zeros(m.nM), np.zeros(m.nv + 1, np.int32), *arrays[2:])


def test_rows_outside_of_the_sum_are_refused():
    w = Worlds(CARTPOLE, 1)
    ferrodyn.mj_forward(w.e, w.f)
    for start in (-1, 3, 2**31 - 1):
        addresses = np.array([0, start], np.int32)
        counts = np.array([1, 2], np.int32)
        with pytest.raises(ValueError):
            ferrodyn.mj_addM(w.e, w.f, np.zeros(3), counts, addresses, np.zeros(3, np.int32))


def test_a_contact_can_be_added():
    w = Worlds(quadruped(), 200)
    for module, m, d in engines(w):
        module.mj_forward(m, d)
        known = d.contact[0]
        contact = module.MjContact()
        for name in ("dist", "includemargin", "dim", "exclude", "mu"):
            setattr(contact, name, getattr(known, name))
        for name in ("pos", "frame", "friction", "solref", "solreffriction", "solimp", "geom"):
            getattr(contact, name)[:] = getattr(known, name)
        contact.pos[0] += 0.1
        before = d.ncon
        assert module.mj_addContact(m, d, contact) == 0
        assert d.ncon == before + 1 and len(d.contact) == before + 1
        assert d.nefc == 0
        module.mj_makeConstraint(m, d)
        module.mj_fwdConstraint(m, d)
    assert w.f.nefc == w.d.nefc
    assert error(w.f.efc_J, w.d.efc_J.reshape(w.f.efc_J.shape)) < 1e-10


def test_contacts_of_nothing_are_refused():
    w = Worlds(quadruped(), 1)
    with pytest.raises(TypeError):
        ferrodyn.mj_addContact(w.e, w.f, None)
    contact = ferrodyn.MjContact()
    with pytest.raises(ferrodyn.FatalError):
        ferrodyn.mj_addContact(w.e, w.f, contact)
    contact.dim = 3
    contact.geom[:] = [0, 10_000]
    with pytest.raises(ferrodyn.FatalError):
        ferrodyn.mj_addContact(w.e, w.f, contact)


def test_reset_with_a_byte():
    w = Worlds(quadruped(), 20)
    for module, m, d in engines(w):
        module.mj_forward(m, d)
        module.mj_resetDataDebug(m, d, 7)
    for name in ("qpos", "qvel", "ctrl", "xfrc_applied", "qacc", "xpos", "qfrc_bias", "sensordata"):
        assert (getattr(w.f, name) == getattr(w.d, name)).all(), name
    assert w.f.time == 0 and w.f.ncon == 0
    ferrodyn.mj_forward(w.e, w.f)


def test_default_options():
    for module in (mujoco, ferrodyn):
        model = module.MjModel.from_xml_string(
            '<mujoco><option timestep="0.1" gravity="1 2 3"/><visual><map znear="0.5"/></visual></mujoco>'
        )
        module.mj_defaultOption(model.opt)
        module.mj_defaultVisual(model.vis)
        assert model.opt.timestep == 0.002 and list(model.opt.gravity) == [0, 0, -9.81]
        assert model.vis.map.znear == pytest.approx(0.01)
        opt = module.MjLROpt()
        opt.accel = 3
        opt.mode = 2
        changed = copy.copy(opt)
        assert (changed.accel, changed.mode) == (3, 2)
        module.mj_defaultLROpt(opt)
        assert (opt.accel, opt.mode, opt.tolrange) == (20, 1, 0.05)
        for function in (module.mj_defaultOption, module.mj_defaultVisual, module.mj_defaultLROpt):
            with pytest.raises(TypeError):
                function(3)
    # passed by value: MuJoCo's own writes beyond the numbers
    ferrodyn.mj_defaultSolRefImp(1.0, 2.0)
    theirs, ours = mujoco.MjLROpt(), ferrodyn.MjLROpt()
    for _ in range(2):
        for name in ferrodyn.MjLROpt.DEFAULTS:
            assert getattr(ours, name) == getattr(theirs, name)
        mujoco.mj_defaultLROpt(theirs)
        ferrodyn.mj_defaultLROpt(ours)
    with pytest.raises(AttributeError):
        opt.nothing = 1


def test_length_ranges():
    ranges = []
    w = Worlds(MUSCLE_ARM, 0)
    for module, m, d in engines(w):
        opt = module.MjLROpt()
        module.mj_setLengthRange(m, d, 0, opt)
        assert (m.actuator_lengthrange[0] == [0.1, 0.45]).all()
        module.mj_defaultLROpt(opt)
        opt.useexisting = 0
        module.mj_setLengthRange(m, d, 0, opt)
        ranges.append(m.actuator_lengthrange.copy())
    assert error(ranges[1], ranges[0]) < 1e-6
    assert (ranges[1][1] == [0.1, 0.45]).all()
    with pytest.raises(IndexError):
        ferrodyn.mj_setLengthRange(w.e, w.f, 3, opt)
    opt.inttotal = 0.1
    opt.interval = 0.1
    opt.tolrange = 1e-9
    with pytest.raises(ferrodyn.FatalError):
        ferrodyn.mj_setLengthRange(w.e, w.f, 1, opt)


def test_saving_the_last_model(tmp_path):
    w = Worlds(CARTPOLE, 0)
    sizes = []
    for module, m, _ in engines(w):
        m.geom_size[0, 0] = 0.25
        path = tmp_path / f"{module.__name__}.xml"
        module.mj_saveLastXML(str(path), m)
        saved = module.MjModel.from_xml_path(str(path))
        sizes.append(saved.geom_size[0, 0])
    assert sizes == [0.25, 0.25]
    with pytest.raises(ferrodyn.FatalError):
        ferrodyn.mj_saveLastXML(str(tmp_path / "none" / "x.xml"), w.e)
    other = ferrodyn.MjModel.from_xml_string(MIXED)
    ferrodyn.MjModel.from_xml_string(CARTPOLE)
    with pytest.raises(ferrodyn.FatalError):
        ferrodyn.mj_saveLastXML(str(tmp_path / "x.xml"), other)


def test_printing(tmp_path):
    w = Worlds(quadruped(), 100)
    ferrodyn.mj_forward(w.e, w.f)
    model, data = tmp_path / "model.txt", tmp_path / "data.txt"
    ferrodyn.mj_printModel(w.e, str(model))
    ferrodyn.mj_printFormattedData(w.e, w.f, str(data), "%.15g")
    text = model.read_text().splitlines()
    assert "BODY_MASS" in text and any(line.split() == ["nv", str(w.e.nv)] for line in text)
    lines = data.read_text().splitlines()
    row = lines[lines.index("QPOS") + 1]
    assert np.allclose([float(x) for x in row.split()], w.f.qpos, rtol=1e-14)
    assert lines.count("CONTACT 0") == 1
    ferrodyn.mj_printFormattedModel(w.e, str(model), "%.3f")
    ferrodyn.mj_printData(w.e, w.f, str(data))
    with pytest.raises((TypeError, ValueError)):
        ferrodyn.mj_printFormattedData(w.e, w.f, str(data), "%q")
    with pytest.raises(TypeError):
        ferrodyn.mj_printModel(w.f, str(model))


def test_cache():
    cache = ferrodyn.mj_getCache()
    before = ferrodyn.mj_getCacheCapacity(cache)
    try:
        assert ferrodyn.mj_setCacheCapacity(cache, 1000) == 1000
        assert ferrodyn.mj_getCacheCapacity(ferrodyn.mj_getCache()) == 1000
        ferrodyn.mj_clearCache(cache)
        assert ferrodyn.mj_getCacheSize(cache) == 0
    finally:
        ferrodyn.mj_setCacheCapacity(cache, before)
    with pytest.raises(TypeError):
        ferrodyn.mj_getCacheSize(None)
