"""Inverse dynamics and single integrators, beside MuJoCo's."""

import mujoco
import numpy as np
import pytest

import ferrodyn
from derivative_models import CARTPOLE, HUMANOID, MIXED, MUSCLE_ARM, Worlds, error, quadruped
from helpers import assert_close

INVERSE_DISCRETE = 1 << 3
FORWARD_INVERSE = 1 << 2
ENERGY = 1 << 1
RK4 = 1
SCENES = {
    "cartpole": (CARTPOLE, 50),
    "humanoid": (HUMANOID, 300),
    "muscle arm": (MUSCLE_ARM, 60),
    "quadruped": (quadruped(), 200),
    "quadruped, elliptic": (quadruped("elliptic"), 200),
    "mixed": (MIXED, 40),
}
RESULTS = "qfrc_inverse qfrc_constraint sensordata energy xpos qM qfrc_bias qacc efc_force".split()


def both(w, name, *args):
    getattr(mujoco, name)(w.m, w.d, *args)
    getattr(ferrodyn, name)(w.e, w.f, *args)


def assert_same(w, *names, tolerance=1e-9):
    for name in names:
        theirs = np.asarray(getattr(w.d, name))
        assert_close(np.reshape(getattr(w.f, name), theirs.shape), theirs, tolerance, name)


@pytest.fixture(params=SCENES)
def w(request):
    w = Worlds(*SCENES[request.param])
    acceleration = np.random.default_rng(1).normal(size=w.m.nv)
    w.d.qacc[:] = w.f.qacc[:] = acceleration
    # sensors of actuator forces show those of the last forward dynamics
    w.d.actuator_force[:] = w.f.actuator_force[:] = 0
    w.d.qfrc_actuator[:] = w.f.qfrc_actuator[:] = 0
    for model in (w.m, w.e):
        model.opt.enableflags = ENERGY
    return w


def test_inverse(w):
    both(w, "mj_inverse")
    assert_same(w, *RESULTS)


@pytest.mark.parametrize("stage", [0, 1, 2, 3])
@pytest.mark.parametrize("skipsensor", [0, 1])
def test_stages_can_be_skipped(w, stage, skipsensor):
    both(w, "mj_inverse")
    for data in (w.d, w.f):
        data.qacc[:] += 0.5
        if stage < 2:
            data.qvel[:] += 0.25
        if stage < 1:
            data.qpos[-1] += 0.01
    both(w, "mj_inverseSkip", stage, skipsensor)
    assert_same(w, *RESULTS)
    for data in (w.d, w.f):
        data.ctrl[:] *= 0.5
    both(w, "mj_forwardSkip", min(stage, 2), skipsensor)
    assert_same(w, *RESULTS, "qacc", "qfrc_actuator", tolerance=1e-7)


def test_stages_one_by_one(w):
    for name in ("mj_invPosition", "mj_invVelocity", "mj_invConstraint"):
        both(w, name)
    assert_same(w, "qfrc_constraint", "qM", "qfrc_bias", "efc_aref", "efc_force", "actuator_length")
    assert w.f.nisland == w.f.nidof == 0
    ferrodyn.mj_fwdAcceleration(w.e, w.f)
    ferrodyn.mj_fwdConstraint(w.e, w.f)


def test_forward_and_inverse_agree(w):
    both(w, "mj_forward")
    both(w, "mj_inverse")
    assert_same(w, *RESULTS, tolerance=1e-7)
    force = w.f.qfrc_applied + w.f.qfrc_actuator
    assert np.abs(w.f.qfrc_inverse - force).max() < 1e-4 * (1 + np.abs(w.f.qfrc_constraint).max())


@pytest.mark.parametrize("integrator", [0, 2, 3])
@pytest.mark.parametrize("flags", [0, 1 << 15, 1 << 6], ids=["", "no eulerdamp", "no damper"])
def test_discrete_accelerations(w, integrator, flags):
    for model in (w.m, w.e):
        model.opt.integrator = integrator
        model.opt.disableflags |= flags
        model.opt.enableflags = INVERSE_DISCRETE
    before = w.f.qacc.copy()
    both(w, "mj_inverse")
    assert_same(w, *RESULTS[:3], tolerance=1e-8)
    assert (w.f.qacc == before).all()


def test_discrete_accelerations_undo_a_step():
    for integrator in (0, 2, 3):
        w = Worlds(MIXED, 40, integrator=integrator, enableflags=INVERSE_DISCRETE)
        before = w.f.qvel.copy()
        ferrodyn.mj_forward(w.e, w.f)
        force = w.f.qfrc_actuator.copy()
        state = {name: getattr(w.f, name).copy() for name in ("qpos", "qvel", "act")}
        ferrodyn.mj_step(w.e, w.f)
        acceleration = (w.f.qvel - before) / w.e.opt.timestep
        for name, value in state.items():
            getattr(w.f, name)[:] = value
        w.f.qacc[:] = acceleration
        ferrodyn.mj_inverse(w.e, w.f)
        assert error(w.f.qfrc_inverse, force) < 1e-9


def test_discrete_accelerations_do_not_exist_with_runge_kutta():
    w = Worlds(CARTPOLE, 1, integrator=RK4, enableflags=INVERSE_DISCRETE)
    for module, m, d in ((mujoco, w.m, w.d), (ferrodyn, w.e, w.f)):
        with pytest.raises(module.FatalError, match="discrete inverse dynamics"):
            module.mj_inverse(m, d)


@pytest.mark.parametrize("scene", SCENES)
@pytest.mark.parametrize("flags", [FORWARD_INVERSE, FORWARD_INVERSE | INVERSE_DISCRETE])
def test_forward_inverse_comparison(scene, flags):
    # a solver that stops early, so that there is something to compare
    w = Worlds(*SCENES[scene], enableflags=flags)
    for model in (w.m, w.e):
        model.opt.iterations = 1
    for data in (w.d, w.f):
        data.xfrc_applied[1, :3] = 0.3
    for halves in (False, True):
        if halves:
            both(w, "mj_step1")
            both(w, "mj_step2")
        else:
            both(w, "mj_step")
        theirs, ours = w.d.solver_fwdinv, w.f.solver_fwdinv
        assert np.abs(ours - theirs).max() <= 1e-7 * (1 + np.abs(theirs).max())
        assert_same(w, "qpos", "qvel", tolerance=1e-8)
        if "quadruped" in scene:
            assert (ours > 0).all()
    both(w, "mj_forward")
    both(w, "mj_compareFwdInv")
    assert np.abs(w.f.solver_fwdinv - w.d.solver_fwdinv).max() < 1e-6 * (1 + w.d.solver_fwdinv.max())


def test_constraint_update(w):
    both(w, "mj_forward")
    jar = np.random.default_rng(2).normal(size=w.d.nefc)
    theirs, ours = np.zeros(1), np.zeros(1)
    for hessian in (0, 1):
        mujoco.mj_constraintUpdate(w.m, w.d, jar, theirs, hessian)
        ferrodyn.mj_constraintUpdate(w.e, w.f, jar, ours, hessian)
        assert error(ours, theirs) < 1e-8
        assert_same(w, "efc_force", "qfrc_constraint", tolerance=1e-8)
        assert (w.f.efc_state == w.d.efc_state).all()
    ferrodyn.mj_constraintUpdate(w.e, w.f, jar, None, 0)
    for module, m, d in ((mujoco, w.m, w.d), (ferrodyn, w.e, w.f)):
        with pytest.raises(TypeError):
            module.mj_constraintUpdate(m, d, np.zeros(w.d.nefc + 1), None, 0)


@pytest.mark.parametrize("name, integrator", [("mj_Euler", 0), ("mj_implicit", 2), ("mj_implicit", 3)])
def test_single_integrators(w, name, integrator):
    for model in (w.m, w.e):
        model.opt.integrator = integrator
    both(w, "mj_forward")
    both(w, name)
    assert_same(w, "qpos", "qvel", "act", tolerance=1e-8)
    assert w.f.time == w.d.time


def test_runge_kutta(w):
    both(w, "mj_forward")
    both(w, "mj_RungeKutta", 4)
    assert_same(w, "qpos", "qvel", "act", tolerance=1e-7)
    for module, m, d in ((mujoco, w.m, w.d), (ferrodyn, w.e, w.f)):
        with pytest.raises(module.FatalError):
            module.mj_RungeKutta(m, d, 3)
        with pytest.raises(module.FatalError):
            module.mj_implicit(m, d)


@pytest.mark.parametrize("name, field", [("Pos", "qpos"), ("Vel", "qvel"), ("Acc", "qacc")])
@pytest.mark.parametrize("autoreset", [True, False])
def test_checks(name, field, autoreset):
    w = Worlds(CARTPOLE, 5)
    both(w, "mj_forward")
    for model, data in ((w.m, w.d), (w.e, w.f)):
        if not autoreset:
            model.opt.disableflags |= 1 << 16
        getattr(data, field)[1] = 1e20
    getattr(mujoco, f"mj_check{name}")(w.m, w.d)
    with pytest.warns(RuntimeWarning, match="diverged"):
        getattr(ferrodyn, f"mj_check{name}")(w.e, w.f)
    assert_same(w, "qpos", "qvel", "qacc")
    assert [s.number for s in w.f.warning] == [s.number for s in w.d.warning]
