"""An ordinary MuJoCo program gives the same output with either module."""

import mujoco
import numpy as np
import pytest

import ferrodyn
from helpers import TREE, assert_close


def control_loop(mj, steps=300):
    """Hold a pose with a torque computed from Jacobians and inertia, and log what happens."""
    model = mj.MjModel.from_xml_string(TREE)
    data = mj.MjData(model)
    model.opt.gravity[2] = -3.7
    model.joint("hip").damping = 0.4
    model.body("forearm").mass *= 1.5
    mj.mj_setConst(model, data)
    mj.mj_resetDataKeyframe(model, data, model.key("home").id)
    mj.mj_forward(model, data)

    hand = mj.mj_name2id(model, mj.mjtObj.mjOBJ_SITE, "hand")
    goal = data.site_xpos[hand] + [0.1, -0.1, 0.05]
    target = np.array([0.9, 0.1, 0.3, 0.2])
    mj.mju_normalize4(target)
    jacp, jacr = np.zeros((3, model.nv)), np.zeros((3, model.nv))
    inertia = np.zeros((model.nv, model.nv))
    turn, log = np.zeros(3), []
    for _ in range(steps):
        mj.mj_jacSite(model, data, jacp, jacr, hand)
        mj.mj_fullM(model, inertia, data.qM)
        mj.mju_subQuat(turn, target, data.joint("shoulder").qpos)
        force = jacp.T @ (40 * (goal - data.site("hand").xpos)) - inertia @ (4 * data.qvel)
        data.qfrc_applied = force + data.qfrc_bias
        data.joint("shoulder").qfrc_applied += 5 * turn
        mj.mj_step(model, data)
        log.append([data.time, *data.qpos, *data.body("arm").xpos, *data.energy])
    return model, data, np.array(log)


def test_control_loop():
    (_, _, theirs), (model, data, ours) = control_loop(mujoco), control_loop(ferrodyn)
    # differences of rounding grow along the way
    assert_close(ours, theirs, 1e-7)
    assert np.isfinite(ours).all()
    assert data.time == pytest.approx(1.5 + 300 * model.opt.timestep)


def rollouts(mj):
    """Branch several runs from one saved state, as a planner does."""
    model = mj.MjModel.from_xml_string(TREE)
    data = mj.MjData(model)
    sig = mj.mjtState.mjSTATE_FULLPHYSICS
    start = np.empty(mj.mj_stateSize(model, sig))
    mj.mj_step(model, data, 20)
    mj.mj_getState(model, data, start, sig)
    ends = []
    for torque in np.linspace(-1, 1, 5):
        mj.mj_setState(model, data, start, sig)
        data.qfrc_applied[:] = torque
        mj.mj_step(model, data, nstep=25)
        ends.append(np.concatenate([[data.time], data.qpos, data.qvel]))
    return np.array(ends)


def test_rollouts():
    assert_close(rollouts(ferrodyn), rollouts(mujoco), 1e-8)


def tracking(mj):
    """Move a mocap body, read frames of cameras and lights that follow."""
    model = mj.MjModel.from_xml_string(TREE)
    data = mj.MjData(model)
    log = []
    for i in range(50):
        data.mocap_pos[model.body("target").mocapid] = [np.sin(i), np.cos(i), 1]
        data.xfrc_applied[model.body("base").id, :3] = [0, 0, 40]
        mj.mj_step1(model, data)
        data.qfrc_applied[-1] = -data.qvel[-1]
        mj.mj_step2(model, data)
        log.append(
            np.concatenate(
                [
                    data.body("target").xpos,
                    data.camera("tracking").xpos,
                    data.cam("eye").xmat,
                    data.light("spot").xdir,
                ]
            )
        )
    return np.array(log)


def test_tracking():
    assert_close(tracking(ferrodyn), tracking(mujoco), 1e-9)
