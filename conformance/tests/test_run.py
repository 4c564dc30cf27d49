"""Workers that die or hang, the shadow, and the floor."""

import os
import time

import numpy as np
import pytest

from ferrodyn_conform import floor, report
from ferrodyn_conform.check import Result
from ferrodyn_conform.compare import compare_array, shown_by_oracle
from ferrodyn_conform.pool import run_all
from ferrodyn_conform.states import State, shadow_states

MODE = {"engine": "x", "commit": "123abc", "oracle": "3.5.0", "level": 4, "strip": True, "disable_constraints": False, "selection": "quick"}


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


def test_shadow_excuses_ten_times_the_spread_of_each_element_and_no_more():
    oracle = np.array([1.0, 2.0])
    shadows = [oracle + [0.0, 1e-4], oracle - [2e-5, 0.0]]
    assert shown_by_oracle(oracle + [1.9e-4, 9e-4], oracle, shadows).tolist() == [True, True]
    assert shown_by_oracle(oracle + [2.1e-4, 1.1e-3], oracle, shadows).tolist() == [False, False]
    assert shown_by_oracle(oracle + [9e-4, 0.0], oracle, shadows).tolist() == [False, True], "another element's spread excuses nothing"
    assert not shown_by_oracle(oracle + [1e-9, 0.0], oracle, [oracle, oracle])[0]


def test_shadow_excuses_integers_that_the_oracle_shows():
    oracle, shadow = np.array([1, 2, 3]), np.array([1, 5, 3])
    assert shown_by_oracle(np.array([1, 5, 3]), oracle, [shadow])[1]
    assert not shown_by_oracle(np.array([1, 4, 3]), oracle, [shadow])[1]
    assert not shown_by_oracle(np.array([5, 2, 3]), oracle, [shadow])[0]


def test_a_rerun_of_another_form_excuses_nothing():
    oracle = np.array([1, 2])
    assert not shown_by_oracle(np.array([1, 7]), oracle, [np.array([1, 7, 7])])[1]


def test_counts_of_iterations_may_be_one_off_where_the_oracle_has_another_count_itself():
    oracle, shadow = np.array([4, 4]), np.array([4, 5])
    assert shown_by_oracle(np.array([4, 3]), oracle, [shadow], counts=True)[1]
    assert not shown_by_oracle(np.array([3, 4]), oracle, [shadow], counts=True)[0]
    assert not shown_by_oracle(np.array([4, 2]), oracle, [shadow], counts=True)[1]
    assert not shown_by_oracle(np.array([4, 3]), oracle, [shadow])[1]


def test_an_excused_element_hides_no_other():
    oracle = np.array([1.0, 1.0])
    verdict = compare_array("f", oracle, oracle + [1e-3, 1e-5], 1e-9, shadows=lambda: [oracle + [1e-3, 0.0]])
    assert verdict.excused and verdict.miss.index == (1,)
    assert verdict.excess == pytest.approx(5e5)
    assert verdict.error == pytest.approx(5e-6), "the excused element is not among the errors"


def test_nudges_are_relative_and_repeatable():
    state = State(0.0, {name: np.array([0.0, 100.0]) for name in ("qpos", "qvel", "act", "qacc_warmstart")})
    first, again = shadow_states(state, 5), shadow_states(state, 5)
    assert len(first) == 4
    change = np.abs(first[0].arrays["qpos"] - state.arrays["qpos"])
    assert 0 < change.max() <= 1.1e-11 and change[0] <= 1e-13
    assert np.array_equal(first[2].arrays["qvel"], again[2].arrays["qvel"])


def test_non_finite_values_are_equal_only_to_themselves():
    oracle = np.array([np.nan, np.inf, -np.inf, 1.0])
    assert compare_array("f", oracle, oracle.copy(), 0.0).miss is None
    assert compare_array("f", oracle, np.array([np.nan, -np.inf, -np.inf, 1.0]), 1.0).miss.index == (1,)
    assert compare_array("f", oracle, np.array([0.0, np.inf, -np.inf, 1.0]), 1.0).miss.index == (0,)


def test_integers_are_exact():
    assert compare_array("f", np.array([2**63 + 1], dtype=np.uint64), np.array([2**63], dtype=np.uint64), 0.0).miss
    assert compare_array("f", np.array([5, 7]), np.array([5, 9]), 0.0).miss.index == (1,)
    assert compare_array("f", np.array([5, 7]), np.array([5, 8]), 0.0).excess > 1e100


def test_wrong_type_or_shape_is_a_miss():
    assert compare_array("f", np.zeros(3), np.zeros(4), 1.0).miss
    assert compare_array("f", np.zeros(3), np.zeros(3, dtype=np.float32), 1.0).miss
    assert compare_array("f", np.zeros(3, dtype=np.int32), np.zeros(3, dtype=np.int64), 1.0).miss
    assert compare_array("f", np.zeros(3), [0.0, 0.0, 0.0], 1.0).miss


def a_run(passing):
    results = [Result("small", f"m{i}.xml", levels=dict.fromkeys(("L0", "L1", "L2", "L3", "L4"), "pass")) for i in range(passing)]
    failing = Result("small", "bad.xml", levels={"L0": "pass", "L1": "fail", "L2": "fail", "L3": "fail", "L4": "undecided"},
                     reasons={"L1": "geom_size differs", "L4": "7 steps can be judged: chaos"}, errors={"L1": {"geom_size": 0.25}})
    lacking = Result("small", "flex.xml", levels=dict.fromkeys(("L0", "L1", "L2", "L3", "L4"), "fail"),
                     reasons={"L0": "load: <flex> is not supported yet"})
    return report.Run(MODE, [*results, failing, lacking, Result("small", "odd.xml", note="not strippable: mass 12")], set())


def test_what_fell_and_what_rose_is_named(tmp_path):
    file = tmp_path / "floor.json"
    run = a_run(2)
    floor.write(file, MODE, floor.reached(run.results))
    stored = floor.read(file, MODE)
    assert stored["small/m0.xml"] == "L0 L1 L2 L3 L4" and stored["small/bad.xml"] == "L0" and stored["small/odd.xml"] == "-"
    assert floor.changes(stored, floor.reached(run.results)) == ([], [])
    assert floor.read(file, MODE | {"strip": False}) == {}
    run.results[1].levels["L4"] = "undecided"
    run.results[2].levels["L1"] = "pass"
    fallen, risen = floor.changes(stored, floor.reached(run.results))
    assert fallen == ["small/m1.xml: no longer passes L4"]
    assert risen == ["small/bad.xml: now passes L1"]


def test_report_counts_reasons_and_errors(tmp_path):
    data = report.write(a_run(3), tmp_path)
    total = data["counts"]["total"]
    assert [total[key] for key in ("models", "not comparable", "L0", "L1", "L2", "L3", "L4", "all")] == [6, 1, 4, 3, 3, 3, 3, 3]
    assert total["judged"]["L4"] == 4 and total["undecided"]["L4"] == 1
    assert data["counts"][report.SUPPORTED]["models"] == 5
    assert sorted(r["reason"] for r in data["reasons"]) == [
        "L0 load: <flex> is not supported yet", "L1 geom_size differs", "not strippable: mass N"]
    assert data["largest_errors"]["L1"]["geom_size"] == [[0.25, "small/bad.xml"]]
    page = (tmp_path / "REPORT.md").read_text()
    assert "| total | 6 | 1 | 4 | 3 |" in page and "from commit 123abc;" in page
    assert "| small/bad.xml | L4 | 7 steps can be judged: chaos |" in page
    assert "L4, without what is not there yet: 3 of 3 judged (100.00 %), 1 undecided (25.00 %)" in page
