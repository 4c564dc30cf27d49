"""Sleep of trees: runs beside MuJoCo, with what sleeps and all results compared after every step."""

import pathlib

import mujoco
import numpy as np
import pytest

import ferrodyn

FOLDER = pathlib.Path(__file__).resolve().parents[3] / "conformance/models"
STATE = "tree_asleep tree_awake body_awake".split()
COUNTS = "ntree_awake nbody_awake nparent_awake nv_awake ncon nefc nisland".split()
LISTS = {"body_awake_ind": "nbody_awake", "parent_awake_ind": "nparent_awake", "dof_awake_ind": "nv_awake"}
RESULTS = """qpos qvel qacc act sensordata energy xpos xquat xipos geom_xpos site_xpos cam_xmat light_xdir subtree_com cvel cinert crb
    cdof M qM qLD qLDiagInv qH qfrc_bias qfrc_passive qfrc_smooth qacc_smooth qacc_warmstart qfrc_constraint ten_length ten_velocity
    actuator_force actuator_length qfrc_actuator act_dot subtree_linvel""".split()


def push(data, step):
    """What a user does: forces, velocities, poses, controls and constraints, at times when trees are asleep."""
    rng = np.random.default_rng(step)
    if step == 0:
        data.ctrl[:] = rng.uniform(-0.2, 0.2, len(data.ctrl))
    if step == 250:
        data.qfrc_applied[0] = 0.5
    if step == 260:
        data.qfrc_applied[:] = 0
    if step == 300:
        data.qvel[-1] += 0.1
    if step == 350:
        data.qpos[7 % len(data.qpos)] += 0.02
    if step == 400:
        data.xfrc_applied[2, :3] = 0.3
    if step == 420:
        data.xfrc_applied[:] = 0
    if step == 450 and len(data.mocap_pos):
        data.mocap_pos[0] += 0.01
    if step == 470 and len(data.eq_active) > 3:
        data.eq_active[3] = 1


def compare(theirs, ours, step):
    """States and lists are equal; results are close, relative to their largest number."""
    for name in STATE:
        assert np.array_equal(getattr(theirs, name), getattr(ours, name)), (step, name)
    for name in COUNTS:
        assert getattr(theirs, name) == getattr(ours, name), (step, name)
    for name, count in LISTS.items():
        n = getattr(theirs, count)
        assert np.array_equal(getattr(theirs, name)[:n], getattr(ours, name)[:n]), (step, name)
    for name in RESULTS:
        a, b = np.asarray(getattr(theirs, name)), np.asarray(getattr(ours, name))
        if a.size:
            # the solver stops at a residual of 1e-8
            assert np.abs(a - b).max() <= 1e-7 * (1 + np.abs(a).max()), (step, name)


@pytest.mark.parametrize("integrator", range(4))
@pytest.mark.parametrize("jacobian", [0, 1])
@pytest.mark.parametrize("name", ["stacks", "init", "policies", "welds", "mocap", "tendons", "actuators"])
def test_every_step_equals_that_of_the_oracle(name, jacobian, integrator):
    worlds = []
    for engine in (mujoco, ferrodyn):
        model = engine.MjModel.from_xml_path(str(FOLDER / f"sleep_{name}.xml"))
        model.opt.integrator, model.opt.jacobian = integrator, jacobian
        worlds.append((engine, model, engine.MjData(model)))
    theirs, ours = (data for _, _, data in worlds)
    compare(theirs, ours, "reset")
    slept = 0
    for step in range(550):
        for engine, model, data in worlds:
            push(data, step)
            engine.mj_step(model, data)
        compare(theirs, ours, step)
        slept = max(slept, np.sum(theirs.tree_asleep >= 0))
    assert slept > 0


@pytest.mark.parametrize("engine", [mujoco, ferrodyn])
def test_a_tree_that_cannot_begin_asleep_is_refused(engine):
    path = FOLDER / "bad_sleep_init.xml"
    with pytest.raises(ValueError, match="sleeper"):
        engine.MjModel.from_xml_path(str(path))
    model = engine.MjModel.from_xml_string(path.read_text().replace("enable", "disable"))
    data = engine.MjData(model)
    model.opt.enableflags |= int(engine.mjtEnableBit.mjENBL_SLEEP)
    with pytest.raises(engine.FatalError):
        engine.MjData(model)
    del data


def test_switching_the_flag_at_run_time():
    worlds = []
    for engine in (mujoco, ferrodyn):
        model = engine.MjModel.from_xml_path(str(FOLDER / "sleep_init.xml"))
        worlds.append((engine, model, engine.MjData(model)))
    (_, _, theirs), (_, _, ours) = worlds
    for step in range(300):
        for engine, model, data in worlds:
            if step in (50, 150):
                model.opt.enableflags ^= int(engine.mjtEnableBit.mjENBL_SLEEP)
            engine.mj_step(model, data)
        compare(theirs, ours, step)
