"""Workers that die or hang, the shadow, and the floor."""

import os
import time

import numpy as np

from ferrodyn_conform import floor, report
from ferrodyn_conform.check import Result
from ferrodyn_conform.compare import compare_array, within_shadow
from ferrodyn_conform.pool import run_all
from ferrodyn_conform.states import State, shadow_states

MODE = {"engine": "x", "oracle": "3.5.0", "level": 4, "strip": True, "disable_constraints": False, "selection": "quick"}


def work(task):
    if task == "die":
        os._exit(3)
    if task == "hang":
        time.sleep(60)
    if task == "raise":
        raise ValueError("bad task")
    return task.upper()


def test_a_dead_or_late_worker_fails_only_its_task():
    outcome = {number: (result, failure) for number, result, failure in run_all(work, ["a", "die", "hang", "raise", "b"], 2, 3.0)}
    assert outcome[0] == ("A", "") and outcome[4] == ("B", "")
    assert outcome[1][1] == "crash (exit code 3)"
    assert outcome[2][1].startswith("timeout")
    assert outcome[3][1] == "ValueError: bad task"


def test_shadow_excuses_ten_times_the_spread_and_no_more():
    oracle = np.array([1.0, 2.0])
    shadows = [oracle + [0.0, 1e-4], oracle - [2e-5, 0.0]]
    assert within_shadow(oracle + [9e-4, 0.0], oracle, shadows)
    assert not within_shadow(oracle + [1.1e-3, 0.0], oracle, shadows)
    assert not within_shadow(oracle + [1e-9, 0.0], oracle, [oracle, oracle])


def test_shadow_excuses_integers_that_the_oracle_shows():
    oracle, shadow = np.array([1, 2, 3]), np.array([1, 5, 3])
    assert within_shadow(np.array([1, 5, 3]), oracle, [shadow])
    assert not within_shadow(np.array([1, 4, 3]), oracle, [shadow])
    assert not within_shadow(np.array([1, 5]), oracle, [shadow])


def test_nudges_are_relative_and_repeatable():
    state = State(0.0, {name: np.array([0.0, 100.0]) for name in ("qpos", "qvel", "act", "qacc_warmstart")})
    first, again = shadow_states(state, 5), shadow_states(state, 5)
    assert len(first) == 4
    change = np.abs(first[0].arrays["qpos"] - state.arrays["qpos"])
    assert 0 < change.max() <= 1.1e-11 and change[0] <= 1e-13
    assert np.array_equal(first[2].arrays["qvel"], again[2].arrays["qvel"])


def test_non_finite_values_are_equal_only_to_themselves():
    oracle = np.array([np.nan, np.inf, -np.inf, 1.0])
    assert compare_array("f", oracle, oracle.copy(), 0.0) == (0.0, None)
    assert compare_array("f", oracle, np.array([np.nan, -np.inf, -np.inf, 1.0]), 1.0)[1].index == (1,)
    assert compare_array("f", oracle, np.array([0.0, np.inf, -np.inf, 1.0]), 1.0)[1].index == (0,)


def test_integers_are_exact_unless_they_count_iterations():
    assert compare_array("f", np.array([2**63 + 1], dtype=np.uint64), np.array([2**63], dtype=np.uint64), 0.0)[1]
    assert compare_array("f", np.array([5, 7]), np.array([5, 8]), 1)[1] is None
    assert compare_array("f", np.array([5, 7]), np.array([5, 9]), 1)[1].index == (1,)


def test_wrong_type_or_shape_is_a_miss():
    assert compare_array("f", np.zeros(3), np.zeros(4), 1.0)[1]
    assert compare_array("f", np.zeros(3), np.zeros(3, dtype=np.float32), 1.0)[1]
    assert compare_array("f", np.zeros(3, dtype=np.int32), np.zeros(3, dtype=np.int64), 1.0)[1]
    assert compare_array("f", np.zeros(3), [0.0, 0.0, 0.0], 1.0)[1]


def a_run(passing):
    results = [Result("small", f"m{i}.xml", levels=dict.fromkeys(("L0", "L1", "L2", "L3", "L4"), "pass")) for i in range(passing)]
    failing = Result("small", "bad.xml", levels={"L0": "pass", "L1": "fail", "L2": "fail", "L3": "fail", "L4": "fail"},
                     reasons={"L1": "geom_size differs"}, errors={"L1": {"geom_size": 0.25}})
    return report.Run(MODE, [*results, failing, Result("small", "odd.xml", note="not strippable: mass 12")], set())


def test_counts_below_the_floor_are_reported(tmp_path):
    file = tmp_path / "floor.json"
    floor.write(file, MODE, report.floor_counts(a_run(3)))
    assert floor.fallen(file, MODE, report.floor_counts(a_run(3))) == []
    assert floor.fallen(file, MODE, report.floor_counts(a_run(4))) == []
    assert len(floor.fallen(file, MODE, report.floor_counts(a_run(2)))) == 6
    assert floor.fallen(file, MODE | {"strip": False}, report.floor_counts(a_run(1))) == []


def test_report_counts_reasons_and_errors(tmp_path):
    data = report.write(a_run(3), tmp_path)
    assert data["counts"]["total"] == {"models": 5, "not comparable": 1, "L0": 4, "L1": 3, "L2": 3, "L3": 3, "L4": 3, "all": 3}
    assert [r["reason"] for r in data["reasons"]] == ["L1 geom_size differs", "not strippable: mass N"]
    assert data["largest_errors"]["L1"]["geom_size"] == [[0.25, "small/bad.xml"]]
    assert "| total | 5 | 1 | 4 | 3 |" in (tmp_path / "REPORT.md").read_text()
