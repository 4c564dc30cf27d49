"""Callbacks: called where MuJoCo calls them, with the same numbers; exceptions come through."""

import ctypes
import threading

import mujoco
import numpy as np
import pytest

import ferrodyn
from ferrodyn import derivatives
from helpers import FORCES, Pair, assert_close

NAMES = "control passive sensor act_dyn act_gain act_bias contactfilter time".split()

ROBOT = """
<mujoco>
  <option timestep="0.005"/>
  <worldbody>
    <geom name="floor" type="plane" size="3 3 .1"/>
    <body name="arm" pos="0 0 .5">
      <joint name="shoulder" axis="0 1 0" damping=".1"/>
      <geom type="capsule" fromto="0 0 0 .4 0 0" size=".04"/>
      <body name="hand" pos=".4 0 0">
        <joint name="wrist" axis="0 1 0" damping=".05"/>
        <geom type="capsule" fromto="0 0 0 .3 0 0" size=".03"/>
        <site name="tip" pos=".3 0 0"/>
      </body>
    </body>
    <body name="ball" pos="0 1 .09"><freejoint/><geom name="ball" size=".1"/></body>
    <body name="cube" pos="0 1.05 .25">
      <freejoint/>
      <geom name="cube" type="box" size=".1 .1 .1"/>
    </body>
  </worldbody>
  <actuator>
    <general joint="shoulder" dyntype="user" gaintype="user" biastype="user" actdim="1"/>
    <general joint="wrist" dyntype="user" actdim="2" gainprm="2"/>
    <motor joint="wrist" ctrllimited="true" ctrlrange="-1 1"/>
  </actuator>
  <sensor>
    <user dim="2" needstage="pos"/>
    <user dim="1" needstage="vel" cutoff=".2" datatype="real"/>
    <user dim="2" needstage="acc"/>
    <jointpos joint="wrist"/>
  </sensor>
</mujoco>
"""


@pytest.fixture(autouse=True)
def clean():
    """No callbacks before a test and after it."""
    for module in (mujoco, ferrodyn):
        for name in NAMES:
            getattr(module, f"set_mjcb_{name}")(None)
    yield
    for module in (mujoco, ferrodyn):
        for name in NAMES:
            getattr(module, f"set_mjcb_{name}")(None)


def install(**callbacks):
    """Set the same callbacks in both modules; each gets the module as its first argument."""
    for module in (mujoco, ferrodyn):
        for name, function in callbacks.items():
            getattr(module, f"set_mjcb_{name}")(
                lambda *args, module=module, function=function: function(module, *args)
            )


def control(module, m, d):
    jac = np.zeros((3, m.nv))
    module.mj_jacSite(m, d, jac, None, module.mj_name2id(m, module.mjtObj.mjOBJ_SITE, "tip"))
    d.ctrl[:] = np.sin(3 * d.time), 0.3, -0.5 * d.qvel[1]
    d.qfrc_applied[:] = jac.T @ [0.0, 0.0, 0.4]
    d.xfrc_applied[m.body("ball").id, 0] = 0.01 * d.ncon + 0.02 * len(d.contact)


def passive(module, m, d):
    d.qfrc_passive[:2] -= 0.3 * d.qvel[:2] * np.abs(d.qvel[:2])


def sensor(module, m, d, stage):
    if stage == module.mjtStage.mjSTAGE_POS:
        d.sensordata[:2] = d.qpos[:2] * 2
    elif stage == module.mjtStage.mjSTAGE_VEL:
        d.sensordata[2] = d.qvel[0]
    else:
        d.sensordata[3:5] = d.qacc[0], np.abs(d.efc_force).sum()


def act_dyn(module, m, d, i):
    if i == 1:
        d.act_dot[1:3] = d.ctrl[1] - d.act[1], d.act[1] - d.act[2]
        return 99.0
    return 5 * (d.ctrl[i] - d.act[0])


def act_gain(module, m, d, i):
    return 2.0 + np.cos(d.actuator_length[i])


def act_bias(module, m, d, i):
    return -0.2 * d.actuator_velocity[i]


def contactfilter(module, m, d, g1, g2):
    return {m.geom("ball").id, m.geom("cube").id} == {g1, g2}


ALL = {
    "control": control,
    "passive": passive,
    "sensor": sensor,
    "act_dyn": act_dyn,
    "act_gain": act_gain,
    "act_bias": act_bias,
    "contactfilter": contactfilter,
}
RESULTS = "time qpos qvel act act_dot ctrl qacc qfrc_passive actuator_force sensordata ncon".split()


@pytest.mark.parametrize("integrator", ["Euler", "RK4", "implicit", "implicitfast"])
@pytest.mark.parametrize("names", [*([name] for name in ALL), list(ALL)], ids="+".join)
def test_same_numbers_as_mujoco(names, integrator):
    xml = ROBOT.replace('timestep="0.005"', f'timestep="0.005" integrator="{integrator}"')
    pair = Pair(xml)
    install(**{name: ALL[name] for name in names})
    for _ in range(40):
        pair.call("mj_step")
    pair.assert_same(*RESULTS, tolerance=1e-9)


@pytest.mark.parametrize(
    "function",
    "mj_forward mj_step1 mj_step2 mj_inverse mj_fwdPosition mj_fwdVelocity mj_fwdActuation "
    "mj_passive mj_collision mj_sensorPos mj_sensorVel mj_sensorAcc mj_invPosition mj_invVelocity "
    "mj_checkAcc".split(),
)
def test_the_same_calls_in_the_same_order(function):
    pair = Pair(ROBOT, seed=3)
    pair.call("mj_forward")
    calls = {mujoco: [], ferrodyn: []}

    def record(name):
        def callback(module, m, d, *args):
            calls[module].append((name, *map(int, args)))
            return ALL[name](module, m, d, *args)

        return callback

    install(**{name: record(name) for name in ALL})
    pair.call(function)
    assert calls[ferrodyn] == calls[mujoco]
    # a good acceleration is not computed again
    assert calls[mujoco] or function == "mj_checkAcc"


@pytest.mark.parametrize(
    "flags", ["mjDSBL_ACTUATION", "mjDSBL_SPRING mjDSBL_DAMPER", "mjDSBL_SENSOR"]
)
def test_disabled_stages(flags):
    pair = Pair(ROBOT)
    calls = {mujoco: [], ferrodyn: []}

    def record(name):
        def callback(module, m, d, *args):
            calls[module].append(name)
            return ALL[name](module, m, d, *args)

        return callback

    install(**{name: record(name) for name in ALL})
    for model in pair.models:
        for flag in flags.split():
            model.opt.disableflags |= getattr(mujoco.mjtDisableBit, flag).value
    pair.call("mj_step")
    pair.call("mj_step1")
    assert calls[ferrodyn] == calls[mujoco]
    assert calls[mujoco]


def test_user_actuators_without_callbacks():
    pair = Pair(ROBOT)
    for data in pair.datas:
        data.act[:] = 1, 2, 3
        data.ctrl[:] = 0.5
    pair.call("mj_step")
    pair.assert_same(*RESULTS)


def test_callbacks_get_the_objects_of_the_caller():
    pair = Pair(ROBOT)
    seen = []
    ferrodyn.set_mjcb_control(lambda m, d: seen.append((m, d)))
    ferrodyn.mj_forward(pair.models[1], pair.datas[1])
    assert seen[0][0] is pair.models[1]
    assert seen[0][1] is pair.datas[1]


@pytest.mark.parametrize("name", NAMES)
def test_getters_and_setters(name):
    setter, getter = (getattr(ferrodyn, f"{verb}_mjcb_{name}") for verb in ("set", "get"))
    assert getter() is None

    def callback(*args):
        return 0

    setter(callback)
    assert getter() is callback
    setter(None)
    assert getter() is None
    for module in (mujoco, ferrodyn):
        with pytest.raises(TypeError, match="callback is not an Optional"):
            getattr(module, f"set_mjcb_{name}")(3)
    with pytest.raises(TypeError, match="functions of C"):
        setter(ctypes.CFUNCTYPE(None)(lambda: None))
    setter(callback)
    ferrodyn.mj_resetCallbacks()
    assert getter() is None


@pytest.mark.parametrize("name", list(ALL))
def test_exceptions_come_through_and_the_state_stays(name):
    pair = Pair(ROBOT)

    def fail(module, m, d, *args):
        raise KeyError("broken")

    install(**{name: fail})
    for module, model, data in zip((mujoco, ferrodyn), pair.models, pair.datas):
        with pytest.raises(KeyError, match="broken"):
            module.mj_step(model, data)
        assert data.time == 0
        assert (data.qpos == model.qpos0).all()
    ferrodyn.mj_resetCallbacks()
    ferrodyn.mj_step(pair.models[1], pair.datas[1])
    assert pair.datas[1].time > 0


def test_an_exception_within_runge_kutta_leaves_the_state():
    model = ferrodyn.MjModel.from_xml_string(ROBOT.replace("<option", '<option integrator="RK4"'))
    data = ferrodyn.MjData(model)
    count = iter(range(100))

    def third(m, d):
        if next(count) == 2:
            raise ValueError("third")

    ferrodyn.set_mjcb_passive(third)
    with pytest.raises(ValueError, match="third"):
        ferrodyn.mj_step(model, data)
    assert data.time == 0
    assert (data.qpos == model.qpos0).all()
    assert (data.qvel == 0).all()


@pytest.mark.parametrize("name", ["act_dyn", "act_gain", "act_bias", "contactfilter"])
@pytest.mark.parametrize(
    "result", ["text", None, 1.5, 1, True, np.float64(0.5), np.int32(0), np.bool_(True)]
)
def test_results_of_the_wrong_type(name, result):
    pair = Pair(ROBOT)
    install(**{name: lambda *args: result})
    outcomes = []
    for module, model, data in zip((mujoco, ferrodyn), pair.models, pair.datas):
        try:
            module.mj_step(model, data)
            outcomes.append("ok")
        except TypeError as error:
            outcomes.append(str(error))
    assert outcomes[0] == outcomes[1]
    if outcomes[0] == "ok":
        pair.assert_same("qpos", "qvel", "ncon", tolerance=FORCES)


def test_functions_on_the_same_data_work_in_a_callback():
    pair = Pair(ROBOT)
    results = {mujoco: [], ferrodyn: []}

    def callback(module, m, d):
        full, velocity = np.zeros((m.nv, m.nv)), np.zeros(6)
        module.mj_fullM(m, full, d.qM)
        module.mj_objectVelocity(m, d, module.mjtObj.mjOBJ_BODY, 2, velocity, 0)
        module.mj_subtreeVel(m, d)
        arrays = d.subtree_linvel, d.efc_pos, d.contact.dist
        results[module].append([full, velocity, *(np.array(array) for array in arrays)])

    install(control=callback)
    for _ in range(10):
        pair.call("mj_step")
    for theirs, ours in zip(results[mujoco], results[ferrodyn], strict=True):
        for a, b in zip(ours, theirs):
            assert_close(a, b, 1e-9)


def test_what_moves_the_state_is_refused_in_a_callback():
    model = ferrodyn.MjModel.from_xml_string(ROBOT)
    data = ferrodyn.MjData(model)
    ferrodyn.set_mjcb_control(lambda m, d: ferrodyn.mj_step(m, d))
    with pytest.raises(RuntimeError, match="in use"):
        ferrodyn.mj_step(model, data)
    other = ferrodyn.MjModel.from_xml_string("<mujoco/>")
    ferrodyn.set_mjcb_control(lambda m, d: ferrodyn.mj_subtreeVel(other, d))
    with pytest.raises(ValueError, match="another model"):
        ferrodyn.mj_step(model, data)
    assert data.time == 0


def test_another_world_can_be_stepped_in_a_callback():
    model = ferrodyn.MjModel.from_xml_string(ROBOT)
    data, plan = ferrodyn.MjData(model), ferrodyn.MjData(model)

    def look_ahead(m, d):
        if d is plan:
            return
        plan.qpos[:], plan.qvel[:] = d.qpos, d.qvel
        ferrodyn.mj_step(m, plan, 3)
        d.ctrl[2] = -plan.qpos[1]

    ferrodyn.set_mjcb_control(look_ahead)
    ferrodyn.mj_step(model, data, 5)
    assert data.ctrl[2] == -plan.qpos[1] != 0


def test_callbacks_in_threads():
    model = ferrodyn.MjModel.from_xml_string(ROBOT)
    datas = [ferrodyn.MjData(model) for _ in range(4)]
    ferrodyn.set_mjcb_control(lambda m, d: control(ferrodyn, m, d))
    threads = [threading.Thread(target=ferrodyn.mj_step, args=(model, d, 50)) for d in datas]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for data in datas:
        assert data.time == pytest.approx(50 * model.opt.timestep)
        assert (data.qpos == datas[0].qpos).all()


def settled(names=ALL):
    """Both engines with callbacks, in the same state in contact."""
    pair = Pair(ROBOT)
    install(**{name: ALL[name] for name in names})
    for _ in range(30):
        pair.call("mj_step")
    theirs, ours = pair.datas
    for name in ("qpos", "qvel", "act", "qacc_warmstart"):
        getattr(ours, name)[:] = getattr(theirs, name)
    pair.call("mj_forward")
    return pair


@pytest.mark.parametrize("centered", [False, True])
@pytest.mark.parametrize("names", [list(ALL), list(ALL)[1:]], ids=["all", "no control"])
def test_derivatives_of_steps_with_callbacks(names, centered):
    pair = settled(names)
    m = pair.models[1]
    n, ns = 2 * m.nv + m.na, m.nsensordata
    before = [np.array(getattr(pair.datas[1], name)) for name in RESULTS]
    shapes = (n, n), (n, m.nu), (ns, n), (ns, m.nu)
    theirs, ours = [[np.zeros(shape) for shape in shapes] for _ in pair.datas]
    mujoco.mjd_transitionFD(pair.models[0], pair.datas[0], 1e-6, centered, *theirs)
    ferrodyn.mjd_transitionFD(pair.models[1], pair.datas[1], 1e-6, centered, *ours)
    for a, b in zip(ours, theirs):
        assert_close(a, b, 1e-6 * max(np.abs(b).max(), 1))
    # controls that a callback sets have no effect
    assert ours[1].any() == ("control" not in names) and ours[0].any() and ours[2].any()
    # the data is as it was, and the closed forms give way to differences
    for name, value in zip(RESULTS, before):
        assert (np.array(getattr(pair.datas[1], name)) == value).all(), name
    step = derivatives.transition(m, pair.datas[1], centered=centered, sensors=True)
    assert (step.A == ours[0]).all() and (step.B == ours[1]).all() and (step.C == ours[2]).all()


def test_derivatives_of_inverse_dynamics_with_callbacks():
    pair = settled()
    m = pair.models[1]
    shapes = [(m.nv, m.nv)] * 3 + [(m.nv, m.nsensordata)] * 3 + [(m.nv, m.nM)]
    theirs, ours = [[np.zeros(shape) for shape in shapes] for _ in pair.datas]
    mujoco.mjd_inverseFD(pair.models[0], pair.datas[0], 1e-6, True, *theirs)
    ferrodyn.mjd_inverseFD(pair.models[1], pair.datas[1], 1e-6, True, *ours)
    for a, b in zip(ours, theirs):
        assert_close(a, b, 1e-6 * max(np.abs(b).max(), 1))


def test_derivatives_give_up_when_a_callback_fails():
    model = ferrodyn.MjModel.from_xml_string(ROBOT)
    data = ferrodyn.MjData(model)
    n, calls = 2 * model.nv + model.na, []

    def fail(m, d):
        calls.append(d.qvel[0])
        if len(calls) == 5:
            raise ZeroDivisionError

    ferrodyn.set_mjcb_passive(fail)
    with pytest.raises(ZeroDivisionError):
        ferrodyn.mjd_transitionFD(model, data, 1e-6, True, np.zeros((n, n)), None, None, None)
    assert len(calls) == 5 and data.time == 0 and (data.qpos == model.qpos0).all()


def test_a_mocap_body_drags_what_is_welded_to_it():
    pair = Pair(
        """<mujoco><worldbody>
        <body name="hand" mocap="true" pos="0 0 1">
          <geom size=".02" contype="0" conaffinity="0"/>
        </body>
        <body name="cup" pos="0 0 1">
          <freejoint/>
          <geom type="box" size=".05 .04 .03" mass=".5"/>
        </body>
        </worldbody><equality><weld body1="hand" body2="cup"/></equality></mujoco>"""
    )
    for i in range(300):
        for data in pair.datas:
            data.mocap_pos[0] = 0.2 * np.sin(0.01 * i), 0.001 * i, 1
            data.mocap_quat[0] = np.cos(0.002 * i), 0, np.sin(0.002 * i), 0
        pair.call("mj_step")
    pair.assert_same("qpos", "qvel", "efc_force")
    assert pair.datas[1].qpos[1] > 0.2
