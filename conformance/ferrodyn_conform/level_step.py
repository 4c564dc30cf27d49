"""L3: the state after one step."""

from __future__ import annotations

import mujoco
import numpy as np

from . import fields
from .compare import compare_array
from .conditions import iterative_contacts
from .edges import Oracle, compare_states, contact_arrays
from .outcome import Outcome
from .states import State, States, install, shadow_states, step_result


class Reference:
    """The oracle's step from one state, and from nudged copies of it when that is asked for."""

    def __init__(self, model: mujoco.MjModel, data: mujoco.MjData, state: State, seed: list[int]):
        self.state = state
        self._model, self._data, self._seed = model, data, seed
        self._shadows: list[dict[str, np.ndarray]] | None = None
        self.result = self._step(state)
        self.contacts = contact_arrays(data)
        self.solved = data.nefc > 0
        self.iterations = np.array(data.solver_niter)
        self.tolerance = fields.STEP_ITERATIVE if iterative_contacts(model, data).any() else fields.STEP_CLOSED_FORM

    def _step(self, state: State) -> dict[str, np.ndarray]:
        install(mujoco, self._model, self._data, state)
        mujoco.mj_step(self._model, self._data)
        return step_result(self._data)

    def shadows(self, name: str) -> list[np.ndarray]:
        """An array of the state after the nudged steps."""
        if self._shadows is None:
            self._shadows = [self._step(state) for state in shadow_states(self.state, self._seed)]
        return [run[name] for run in self._shadows]


class StepOracle(Oracle):
    """The oracle's steps from the states of a model."""

    function = "mj_step"

    def _compute(self, state: State, seed: list[int]) -> Reference:
        return Reference(self.model, self._data, state, [*seed, 2])


def compare_steps(engine, engine_model: object, oracle: StepOracle, states: States, until_settled: bool = False) -> Outcome:
    """L3 over all states in use."""
    return compare_states(engine, engine_model, oracle, states, _compare_state, until_settled)


def _compare_state(reference: Reference, data: object, where: str, outcome: Outcome) -> None:
    """What a step produced beside the oracle's, relative to one plus each element."""
    if reference.solved:
        outcome.solved += 1
        outcome.same_iterations += np.array_equal(reference.iterations, getattr(data, "solver_niter", None))
    found = step_result(data)
    needed = False
    for name, expected in reference.result.items():
        verdict = compare_array(name, expected, found[name], reference.tolerance, 1.0 + np.abs(np.nan_to_num(expected)),
                                lambda name=name: reference.shadows(name))
        outcome.add(name, verdict, where)
        needed |= verdict.excused
    outcome.shadowed += needed
