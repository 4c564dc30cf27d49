"""The tool must fail an engine that is wrong, at the right level and for the right field."""

import types
from pathlib import Path

import mujoco
import numpy as np
import pytest

from conftest import SCENE
from ferrodyn_conform import edges, fault_table, faults, level_run
from ferrodyn_conform.check import Task, check

MODELS = Path(__file__).resolve().parent.parent / "models"


def engine(**replaced):
    """The oracle with some of its functions replaced."""
    names = ("MjModel", "MjData", "mj_forward", "mj_step", "mj_resetData")
    return types.SimpleNamespace(**{name: getattr(mujoco, name) for name in names} | replaced)


def run(scene, faulty, **options):
    task = Task("test", scene.name, str(scene.parent), **options)
    return check(task, faulty)


def after(function, change):
    """A pipeline function followed by a change of Data."""
    def wrapped(model, data):
        function(model, data)
        change(data)
    return wrapped


def loading(change):
    """An MjModel class whose models are changed after loading."""
    def from_xml_path(path):
        model = mujoco.MjModel.from_xml_path(path)
        change(model)
        return model
    return types.SimpleNamespace(from_xml_path=from_xml_path)


def test_oracle_passes_against_itself(scene):
    result = run(scene, engine())
    assert result.levels == dict.fromkeys(("L0", "L1", "L2", "L3", "L4"), "pass")
    assert not result.shadowed


def test_refusing_a_valid_model_fails_every_level(scene):
    def refuse(path):
        raise ValueError("no wheels, line 3")
    result = run(scene, engine(MjModel=types.SimpleNamespace(from_xml_path=refuse)))
    assert set(result.levels.values()) == {"fail"}
    assert result.reasons["L0"] == "load: no wheels, line 3"


def test_accepting_an_invalid_model_fails(scene, tmp_path):
    bad = tmp_path / "bad.xml"
    bad.write_text("<mujoco><wheel/></mujoco>")
    accept = types.SimpleNamespace(from_xml_path=lambda path: mujoco.MjModel.from_xml_path(str(scene)))
    assert run(bad, engine(MjModel=accept)).levels == {"L0": "fail"}
    assert run(bad, engine()).levels == {"L0": "pass"}


def test_refusing_for_another_reason_fails(tmp_path):
    bad = tmp_path / "bad.xml"
    bad.write_text("<mujoco><wheel/></mujoco>")

    def refuse(path):
        raise ValueError("bad.xml:1:9: <mujoco>: no gravity")
    result = run(bad, engine(MjModel=types.SimpleNamespace(from_xml_path=refuse)))
    assert result.levels == {"L0": "fail"}
    assert result.reasons["L0"] == "refuses for another reason: bad.xml:1:9: <mujoco>: no gravity"


@pytest.mark.parametrize("name, index, change", [
    ("body_mass", 1, 1e-8), ("geom_size", (1, 0), 1e-9), ("geom_rgba", (0, 0), 1e-5), ("jnt_type", 0, 1),
])
def test_wrong_model_field_is_named(scene, name, index, change):
    def spoil(model):
        getattr(model, name)[index] += getattr(model, name).dtype.type(change)
    result = run(scene, engine(MjModel=loading(spoil)), level=1)
    assert result.levels["L1"] == "fail"
    assert [miss["field"] for miss in result.misses["L1"]] == [name]


def test_wrong_option_and_statistic_are_named(scene):
    def spoil(model):
        model.opt.timestep *= 1.0000001
        model.stat.extent *= 1.0000001
        model.vis.map.znear *= 1.1
    result = run(scene, engine(MjModel=loading(spoil)), level=1)
    assert [miss["field"] for miss in result.misses["L1"]] == ["opt.timestep", "stat.extent", "vis.map.znear"]


@pytest.mark.parametrize("name, change", [
    ("xpos", 1e-11), ("qM", 1e-8), ("qfrc_bias", 1e-7), ("actuator_force", 1e-8), ("qacc", 1e-2), ("sensordata", 1e-1),
    ("efc_J", 1e-6), ("energy", 1e-6),
])
def test_wrong_data_field_is_named(scene, name, change):
    def spoil(data):
        array = getattr(data, name)
        if array.size:
            array.flat[-1] += change * (1 + np.abs(array).max())
    result = run(scene, engine(mj_forward=after(mujoco.mj_forward, spoil)), level=2)
    assert result.levels["L2"] == "fail"
    assert {miss["field"] for miss in result.misses["L2"]} == {name}


def test_wrong_contact_is_named(scene):
    def spoil(data):
        for contact in data.contact:
            contact.dist += 1e-6
    result = run(scene, engine(mj_forward=after(mujoco.mj_forward, spoil)), level=2)
    assert {miss["field"] for miss in result.misses["L2"]} == {"contact.dist"}


def test_wrong_integer_is_named(scene):
    def spoil(data):
        data.ne = 7
    result = run(scene, engine(mj_forward=after(mujoco.mj_forward, spoil)), level=2)
    assert {miss["field"] for miss in result.misses["L2"]} == {"ne"}


def test_nan_fails(scene):
    def spoil(data):
        data.xaxis[0, 0] = np.nan
    result = run(scene, engine(mj_forward=after(mujoco.mj_forward, spoil)), level=2)
    assert {miss["field"] for miss in result.misses["L2"]} == {"xaxis"}


def test_missing_field_fails(scene):
    class Lacking:
        """A Data without `cinert`."""

        def __init__(self, model):
            object.__setattr__(self, "inner", mujoco.MjData(model))

        def __getattr__(self, name):
            if name == "cinert":
                raise AttributeError(name)
            return getattr(self.inner, name)

        def __setattr__(self, name, value):
            setattr(self.inner, name, value)

    lacking = engine(
        MjData=Lacking,
        mj_resetData=lambda model, data: mujoco.mj_resetData(model, data.inner),
        mj_forward=lambda model, data: mujoco.mj_forward(model, data.inner),
        mj_step=lambda model, data: mujoco.mj_step(model, data.inner),
    )
    result = run(scene, lacking)
    assert result.reasons["L2"] == "cinert missing"
    assert result.levels["L4"] == "pass"


def test_wrong_step_fails_step_and_run(scene):
    def spoil(data):
        data.qvel[0] += 1e-6
    result = run(scene, engine(mj_step=after(mujoco.mj_step, spoil)))
    assert (result.levels["L2"], result.levels["L3"], result.levels["L4"]) == ("pass", "fail", "fail")
    assert result.misses["L3"][0]["field"] == "qvel"


def test_slow_drift_passes_a_step_and_fails_the_run(scene):
    def spoil(data):
        data.qvel[-1] += 1e-10
    result = run(scene, engine(mj_step=after(mujoco.mj_step, spoil)))
    assert (result.levels["L3"], result.levels["L4"]) == ("pass", "fail")


def test_engine_error_in_a_step_is_a_reason(scene):
    def refuse(model, data):
        raise RuntimeError("not yet")
    result = run(scene, engine(mj_step=refuse))
    assert result.reasons["L3"] == "RuntimeError: not yet"
    assert result.levels["L2"] == "pass"


def test_constraints_can_be_disabled_in_both(scene):
    seen = []

    def forward(model, data):
        mujoco.mj_forward(model, data)
        seen.append((data.nefc, model.opt.disableflags))
    result = run(scene, engine(mj_forward=forward), level=2, disable_constraints=True)
    assert result.levels["L2"] == "pass"
    assert {nefc for nefc, _ in seen} == {0}


RESTING = """<mujoco><worldbody><geom type="plane" size="1 1 .1"/>
  <body pos="0 0 .099"><freejoint/><geom type="sphere" size=".1"/></body></worldbody></mujoco>"""


class DropsLastContact(faults.DroppedContact):
    """Drops a contact in the first calls of every so many."""

    def __init__(self, model, every):
        super().__init__(model)
        self.calls, self.every = 0, every
        self.MjModel = mujoco.MjModel

    def _change(self, data):
        if self.calls % self.every == 0:
            super()._change(data)
        self.calls += 1


def test_a_state_at_the_margin_is_replaced_and_excuses_nothing(tmp_path, monkeypatch):
    path = tmp_path / "resting.xml"
    path.write_text(RESTING)
    model = mujoco.MjModel.from_xml_path(str(path))
    dropping = DropsLastContact(model, every=2)
    assert run(path, dropping, level=2).levels["L2"] == "fail", "a contact far from its margin"
    monkeypatch.setattr(edges, "MARGIN_EDGE", 1.0)  # now every contact is near its margin
    result = run(path, DropsLastContact(model, every=2), level=2)
    assert result.levels["L2"] == "pass" and result.replaced == 20
    result = run(path, DropsLastContact(model, every=1), level=3)
    assert result.levels["L2"] == result.levels["L3"] == "undecided"
    assert result.reasons["L2"] == "every state is an edge"


def test_a_rerun_that_ends_early_excuses_nothing_after_its_end(scene, monkeypatch):
    def ends(state, size, rng):
        state = state.copy()
        state.arrays["qpos"][:] = np.nan
        return state
    monkeypatch.setattr(level_run, "nudged", ends)

    def spoil(data):
        data.qvel[0] += 1e-8
    result = run(scene, engine(mj_step=after(mujoco.mj_step, spoil)))
    assert result.levels["L4"] == "fail" and result.run == (1000, 1000)


def test_the_drift_of_one_joint_is_not_excused_by_the_chaos_of_another(scene, monkeypatch):
    """The shadow moves the last degree of freedom only; an engine that moves the first as much fails."""
    def nudge_last(state, size, rng):
        state = state.copy()
        state.arrays["qvel"][-1] += 1e-6
        return state
    monkeypatch.setattr(level_run, "nudged", nudge_last)
    moved = []

    def spoil_first_step(index):
        def step(model, data):
            mujoco.mj_step(model, data)
            if not moved:
                moved.append(data)
                data.qvel[index] += 1e-6
        return step
    for index, outcome in ((-1, "pass"), (0, "fail")):
        moved.clear()
        model = mujoco.MjModel.from_xml_path(str(scene))
        reference = level_run.Reference(model, 3)
        assert level_run.compare_runs(engine(mj_step=spoil_first_step(index)), model, reference).status == outcome


def test_too_few_steps_that_can_be_judged_decide_nothing(scene, monkeypatch):
    monkeypatch.setattr(level_run, "RUN_NUDGE", 1e-3)
    result = run(scene, engine())
    assert result.levels["L4"] == "undecided" and result.run[0] < 50
    assert "chaos" in result.reasons["L4"]


def test_divergence_in_the_first_step_is_no_pass(tmp_path):
    path = tmp_path / "wild.xml"
    path.write_text('<mujoco><option gravity="0 0 -1e12"/><worldbody><body><freejoint/><geom size="1"/></body></worldbody></mujoco>')
    result = run(path, engine())
    assert result.levels["L4"] == "undecided"
    assert result.reasons["L4"] == "0 steps can be judged: the oracle diverged after 0 steps"


def test_a_run_cut_by_time_is_reported_with_its_length(scene, monkeypatch):
    monkeypatch.setattr(level_run, "ORACLE_SECONDS", -1.0)
    result = run(scene, engine())
    assert (result.levels["L4"], result.ended, result.run) == ("undecided", "out of time", (0, 0))


def test_runs_start_off_the_edge(scene):
    model = mujoco.MjModel.from_xml_path(str(scene))
    moved = level_run.Reference(model, 3).state.arrays["qpos"] - model.qpos0
    assert 1e-9 < np.abs(moved).max() < 1e-5


@pytest.mark.parametrize("name", ["box_stack", "sensors", "touch", "equality", "energy", "integrator_rk4", "integrator_implicit"])
def test_the_steps_of_the_faulty_engines_are_the_oracles_without_the_fault(name):
    model = mujoco.MjModel.from_xml_path(str(MODELS / f"{name}.xml"))
    trial = fault_table.Trial(model, 5)
    for level in ("L2", "L3", "L4"):
        outcome = trial.outcome(faults.Unchanged, level)
        assert (outcome.status, outcome.excess) == ("pass", 0.0), (level, outcome.misses[:1])


def test_every_fault_is_caught_in_a_model_on_which_it_acts():
    """One model with everything that the faults need; `cargo xtask conform --quick --faults` tries them on the whole quick set."""
    model = mujoco.MjModel.from_xml_string(SCENE.replace('name="j"', 'name="j" armature=".01"'))
    trial = fault_table.Trial(model, 5)
    for fault in faults.FAULTS:
        for level in ("L2", "L3"):
            outcome = trial.outcome(fault, level)
            assert outcome.status == ("fail" if outcome.excess > 100 else "pass"), (fault.name, level)
        assert trial.outcome(fault, "L2").misses or trial.outcome(fault, "L3").misses, fault.name
