"""Derivatives of a step and of inverse dynamics, beside MuJoCo's."""

import mujoco
import numpy as np
import pytest

import ferrodyn
from derivative_models import CARTPOLE, HUMANOID, MIXED, MUSCLE_ARM, Worlds, error, quadruped
from ferrodyn import derivatives

EPS = 1e-6
EULER, RK4, IMPLICIT, IMPLICIT_FAST = range(4)
SCENES = {
    "cartpole": (CARTPOLE, 50),
    "humanoid in contact": (HUMANOID, 300),
    "humanoid in the air": (HUMANOID, 3),
    "muscle arm": (MUSCLE_ARM, 60),
    "quadruped": (quadruped(), 200),
    "quadruped, elliptic": (quadruped("elliptic"), 200),
    "mixed": (MIXED, 40),
}


@pytest.fixture(params=SCENES)
def scene(request):
    return SCENES[request.param]


@pytest.mark.parametrize("centered", [1, 0], ids=["centred", "forward"])
@pytest.mark.parametrize("sensors", [True, False], ids=["sensors", "states"])
def test_transition_equals_the_oracles(scene, centered, sensors):
    w = Worlds(*scene)
    theirs, ours = w.outputs(), w.outputs()
    if not sensors:
        theirs[2:] = ours[2:] = [None, None]
    mujoco.mjd_transitionFD(w.m, w.d, EPS, centered, *theirs)
    ferrodyn.mjd_transitionFD(w.e, w.f, EPS, centered, *ours)
    for name, a, b in zip("ABCD", ours, theirs):
        if b is not None:
            assert error(a, b) < 1e-6, name


@pytest.mark.parametrize("integrator", [IMPLICIT, IMPLICIT_FAST])
def test_transition_with_implicit_integrators(scene, integrator):
    w = Worlds(*scene, integrator=integrator)
    theirs, ours = w.outputs(), w.outputs()
    mujoco.mjd_transitionFD(w.m, w.d, EPS, 1, *theirs)
    ferrodyn.mjd_transitionFD(w.e, w.f, EPS, 1, *ours)
    for name, a, b in zip("ABCD", ours, theirs):
        assert error(a, b) < 1e-6, name


@pytest.mark.parametrize("integrator", [EULER, IMPLICIT, IMPLICIT_FAST])
def test_closed_forms_equal_centred_differences(scene, integrator):
    w = Worlds(*scene, integrator=integrator)
    theirs = w.outputs()
    mujoco.mjd_transitionFD(w.m, w.d, EPS, 1, *theirs)
    hybrid = derivatives.transition(w.e, w.f, eps=EPS)
    differences = derivatives.transition(w.e, w.f, eps=EPS, use_analytical=False)
    for name in "AB":
        ours, other = getattr(hybrid, name), getattr(differences, name)
        assert error(ours, other) < 1e-5, name
        assert error(ours, theirs["AB".index(name)]) < 1e-5, name
    assert hybrid.C is None and hybrid.D is None


@pytest.mark.parametrize("solver", ["CG", "PGS"])
def test_closed_forms_with_other_solvers(solver):
    # their differences carry the error of the solver, divided by the perturbation
    w = Worlds(quadruped(solver=solver), 200, tolerance=1e-15, iterations=500)
    hybrid = derivatives.transition(w.e, w.f, eps=1e-4)
    differences = derivatives.transition(w.e, w.f, eps=1e-4, use_analytical=False)
    assert error(hybrid.A, differences.A) < 1e-4
    assert error(hybrid.B, differences.B) < 1e-4


def test_a_control_at_its_limit_is_perturbed_to_one_side():
    w = Worlds(CARTPOLE, 10)
    for ctrl in (1.0, -1.0, 1.5):
        w.d.ctrl[:] = w.f.ctrl[:] = ctrl
        theirs, ours = w.outputs(), w.outputs()
        w.restore()
        mujoco.mjd_transitionFD(w.m, w.d, EPS, 1, *theirs)
        ferrodyn.mjd_transitionFD(w.e, w.f, EPS, 1, *ours)
        for a, b in zip(ours, theirs):
            assert error(a, b) < 1e-6
        hybrid = derivatives.transition(w.e, w.f, eps=EPS)
        assert error(hybrid.B, theirs[1]) < 1e-6
        assert (theirs[1] == 0).all() == (ctrl == 1.5)


def test_centred_sensor_differences_of_controls_have_the_oracles_sign():
    w = Worlds(CARTPOLE, 10)
    outputs = w.outputs()
    ferrodyn.mjd_transitionFD(w.e, w.f, EPS, 1, *outputs)
    right = derivatives.transition(w.e, w.f, eps=EPS, sensors=True)
    assert error(outputs[2], right.C) < 1e-9
    assert error(outputs[3], -right.D) < 1e-9
    assert right.D[2, 0] == pytest.approx(1.0, rel=1e-6)


def test_only_what_is_asked_for():
    w = Worlds(quadruped(), 100)
    whole = w.outputs()
    ferrodyn.mjd_transitionFD(w.e, w.f, EPS, 0, *whole)
    for i in range(4):
        outputs = [out if k == i else None for k, out in enumerate(w.outputs())]
        ferrodyn.mjd_transitionFD(w.e, w.f, EPS, 0, *outputs)
        assert (outputs[i] == whole[i]).all()
    ferrodyn.mjd_transitionFD(w.e, w.f, EPS, 0, None, None, None, None)


@pytest.mark.parametrize("use_analytical", [True, False])
def test_threads_give_the_same_bits_and_data_stays(scene, use_analytical):
    w = Worlds(*scene)
    before = w.f._native.to_bytes()
    one = derivatives.transition(w.e, w.f, use_analytical=use_analytical, sensors=not use_analytical)
    for threads in (2, 3, 100):
        more = derivatives.transition(
            w.e, w.f, use_analytical=use_analytical, sensors=not use_analytical, threads=threads
        )
        for a, b in zip(one, more):
            assert a is None and b is None or (a == b).all()
    ferrodyn.mjd_transitionFD(w.e, w.f, EPS, 1, *w.outputs())
    assert w.f._native.to_bytes() == before


def test_inverse_differences_equal_the_oracles(scene):
    w = Worlds(*scene)
    # sensors of actuator forces show those of the last forward dynamics
    mujoco.mj_forward(w.m, w.d)
    ferrodyn.mj_forward(w.e, w.f)
    w.f.qacc[:] = w.d.qacc
    nv, ns, inertia = w.m.nv, w.m.nsensordata, w.m.nM
    shapes = [(nv, nv)] * 3 + [(nv, ns)] * 3 + [(nv, inertia)]
    for actuation in (0, 1):
        theirs, ours = ([np.zeros(shape) for shape in shapes] for _ in range(2))
        mujoco.mjd_inverseFD(w.m, w.d, EPS, actuation, *theirs)
        w.restore()
        ferrodyn.mjd_inverseFD(w.e, w.f, EPS, actuation, *ours)
        for i, (a, b) in enumerate(zip(ours, theirs)):
            assert error(a, b) < 1e-6, i
    outputs = [None, None, np.zeros((nv, nv)), None, None, None, None]
    ferrodyn.mjd_inverseFD(w.e, w.f, EPS, 1, *outputs)
    assert (outputs[2] == ours[2]).all()


def test_what_is_refused():
    w = Worlds(CARTPOLE, 1)
    nx, nu, ns = 4, 1, 4
    for module, m, d in ((mujoco, w.m, w.d), (ferrodyn, w.e, w.f)):
        for wrong in range(4):
            outputs = w.outputs()
            outputs[wrong] = np.zeros((nx + 1, nx))
            with pytest.raises(TypeError):
                module.mjd_transitionFD(m, d, EPS, 1, *outputs)
        with pytest.raises(TypeError):
            module.mjd_inverseFD(m, d, EPS, 1, np.zeros((3, 3)), *[None] * 6)
        with pytest.raises(TypeError):
            module.mjd_inverseFD(m, d, EPS, 1, *[None] * 6, np.zeros((2, 9)))
        m.opt.noslip_iterations = 1
        with pytest.raises(module.FatalError, match="noslip"):
            module.mjd_inverseFD(m, d, EPS, 1, np.zeros((2, 2)), *[None] * 6)
        m.opt.noslip_iterations = 0
        m.opt.integrator = RK4
        with pytest.raises(module.FatalError, match="RK4"):
            module.mjd_transitionFD(m, d, EPS, 1, *w.outputs())
        with pytest.raises(module.FatalError, match="RK4"):
            module.mjd_inverseFD(m, d, EPS, 1, np.zeros((2, 2)), *[None] * 6)
    # Runge-Kutta has a derivative all the same
    step = derivatives.transition(w.e, w.f)
    assert step.A.shape == (nx, nx) and step.B.shape == (nx, nu)
    assert derivatives.transition(w.e, w.f, sensors=True).D.shape == (ns, nu)
    for eps in (0, -1, float("nan"), 0.1):
        with pytest.raises(ValueError, match="perturbation"):
            derivatives.transition(w.e, w.f, eps=eps)


def test_delays_are_refused():
    xml = CARTPOLE.replace('gear="10"', 'gear="10" delay="0.01" nsample="5"')
    w = Worlds(xml, 1)
    for module, m, d in ((mujoco, w.m, w.d), (ferrodyn, w.e, w.f)):
        with pytest.raises(module.FatalError, match="delays"):
            module.mjd_transitionFD(m, d, EPS, 1, *w.outputs())
    with pytest.raises(ValueError, match="delays"):
        derivatives.transition(w.e, w.f)


def test_a_diverging_world_has_no_derivative():
    w = Worlds(CARTPOLE, 1)
    w.f.qvel[0] = 1e20
    with pytest.raises(ValueError, match="diverged"):
        derivatives.transition(w.e, w.f)


def test_quaternions():
    rng = np.random.default_rng(0)
    for scale in (0.0, 1e-9, 0.001, 0.031, 0.032, 0.5, 3.0):
        vel = rng.normal(size=3)
        qa, qb = (q / np.linalg.norm(q) for q in rng.normal(size=(2, 4)))
        results = []
        for module in (mujoco, ferrodyn):
            out = np.zeros(9), np.zeros(9), np.zeros(3)
            module.mjd_quatIntegrate(vel, scale, *out)
            pair = np.zeros((3, 3)), np.zeros((3, 3))
            module.mjd_subQuat(qa, qb, *pair)
            module.mjd_subQuat(qa, qb, pair[0], None)
            results.append([*out, *pair])
        for ours, theirs in zip(*results[::-1]):
            assert error(ours, theirs) < 1e-14
    for module in (mujoco, ferrodyn):
        with pytest.raises(TypeError):
            module.mjd_quatIntegrate(np.zeros(2), 1.0, np.zeros(9), np.zeros(9), np.zeros(3))
        with pytest.raises(TypeError):
            module.mjd_quatIntegrate(np.zeros(3), 1.0, np.zeros(8), np.zeros(9), np.zeros(3))
        with pytest.raises(TypeError):
            module.mjd_subQuat(np.zeros(3), np.zeros(4), None, None)
        with pytest.raises(TypeError):
            module.mjd_subQuat(np.zeros(4), np.zeros(4), np.zeros((2, 2)), None)
