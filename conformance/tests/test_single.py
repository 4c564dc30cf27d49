"""The report of single precision: what it measures, and that a wrong value shows."""

from __future__ import annotations

from pathlib import Path

import mujoco
import numpy as np
from ferrodyn_conform import single
from ferrodyn_conform.check import Task
from ferrodyn_conform.states import State

MODELS = Path(__file__).resolve().parent.parent / "models"


def test_an_error_is_relative_to_one_plus_the_largest_element():
    assert single.relative_error([1.0, 3.0], [1.0, 3.4]) == np.abs(3.0 - 3.4) / 4.0
    assert single.relative_error([1.0], [np.nan]) == np.inf
    assert single.relative_error([1.0], [1.0, 2.0]) == np.inf


def test_states_are_rounded_and_flags_are_kept():
    state = single.rounded(State(0.1, {"qpos": np.array([0.1]), "eq_active": np.array([1], np.uint8)}))
    assert state.time == np.float32(0.1) and state.arrays["qpos"][0] == np.float32(0.1)
    assert state.arrays["qpos"].dtype == np.float64 and state.arrays["eq_active"].dtype == np.uint8


def test_the_oracle_is_double_and_agrees_with_itself():
    assert not single.is_single(mujoco)
    result = single.measure(Task("small", "box_stack.xml", str(MODELS), engine="mujoco"))
    assert set(result.errors.values()) == {0.0}
    assert result.same_rows == result.states == 20
    assert ("after forward, rows alike", "contact.dist") in result.errors


def test_the_table_names_the_worst_model_and_what_failed():
    good, bad = single.Measured("good.xml", states=1, same_contacts=1, same_rows=1), single.Measured("bad.xml", states=1)
    good.note(single.FORWARD, "xpos", np.zeros(3), np.zeros(3))
    bad.note(single.FORWARD, "xpos", np.zeros(3), np.array([0.0, 0.5, 0.0]))
    text = "\n".join(single.as_markdown([good, bad, single.Measured("crash.xml", failure="crash")]))
    assert "| after forward | `xpos` | 2 | 0.0e+00 | 0.0e+00 | 5.0e-01 | bad.xml |" in text
    assert "Contacts or rows differ: bad.xml in 1 of 1 states." in text
    assert "- crash.xml: crash" in text
