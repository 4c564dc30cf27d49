"""L2: every array of Data after `mj_forward`, at states along a rollout."""

from __future__ import annotations

import mujoco
import numpy as np

from . import fields
from .compare import Miss, Verdict, compare_array
from .conditions import Conditions, field_tolerance, made_iterations, read
from .edges import Oracle, compare_states, contact_arrays
from .outcome import Outcome
from .states import State, States, install, shadow_states

PIPELINE_RANK = {name: rank for rank, (name, _, _) in enumerate(fields.DATA_FIELDS)}
LAST_POSITION_FIELD = "efc_AR"  # what follows depends on velocity


class Reference:
    """What the oracle computes in one state, and in nudged copies of it when that is asked for."""

    def __init__(self, model: mujoco.MjModel, data: mujoco.MjData, state: State, seed: list[int], function: str):
        self.state = state
        self._model, self._data, self._seed = model, data, seed
        self._function = getattr(mujoco, function)
        self._shadows: list[dict[str, np.ndarray]] | None = None
        self.conditions, self.arrays = self._compute(state)
        self.contacts = contact_arrays(data)

    def _compute(self, state: State) -> tuple[Conditions, dict[str, np.ndarray]]:
        install(mujoco, self._model, self._data, state)
        self._function(self._model, self._data)
        conditions = Conditions(self._model, self._data)
        return conditions, {
            name: np.array(read(self._data, name, conditions.sparse))
            for name, _, condition in fields.DATA_FIELDS if conditions.exists[condition]
        }

    def shadows(self, name: str) -> list[np.ndarray]:
        """A field in the nudged reruns in which it exists."""
        if self._shadows is None:
            self._shadows = [self._compute(state)[1] for state in shadow_states(self.state, self._seed)]
        return [run[name] for run in self._shadows if name in run]


class ForwardOracle(Oracle):
    """The oracle's forward dynamics in the states of a model."""

    def __init__(self, model: mujoco.MjModel, states: States, until: str | None = None, keep: bool = False):
        """With `until`, later fields of the pipeline are left out, and the stages after the position stage if none needs them."""
        super().__init__(model, states, keep)
        last = PIPELINE_RANK[until] if until else len(PIPELINE_RANK)
        self.fields = [field for field in fields.DATA_FIELDS if PIPELINE_RANK[field[0]] <= last]
        self.function = "mj_fwdPosition" if last <= PIPELINE_RANK[LAST_POSITION_FIELD] else "mj_forward"

    def _compute(self, state: State, seed: list[int]) -> Reference:
        return Reference(self.model, self._data, state, [*seed, 1], self.function)


def compare_forward(engine, engine_model: object, oracle: ForwardOracle, states: States, until_settled: bool = False) -> Outcome:
    """L2 over all states. Misses are in pipeline order, then in order of states."""
    def compare(reference: Reference, data: object, where: str, outcome: Outcome) -> None:
        _compare_state(oracle, reference, data, where, outcome)

    outcome = compare_states(engine, engine_model, oracle, states, compare, until_settled)
    outcome.misses.sort(key=lambda miss: PIPELINE_RANK[miss.field])
    return outcome


def _compare_state(oracle: ForwardOracle, reference: Reference, data: object, where: str, outcome: Outcome) -> None:
    """Every field of the engine's Data beside the oracle's."""
    conditions = reference.conditions
    found: set[str] = set()
    for name, kind, condition in oracle.fields:
        if not conditions.exists[condition]:
            continue
        expected, value = reference.arrays[name], read(data, name, conditions.sparse)
        if value is None:
            if expected.size or not name.startswith(fields.OPTIONAL_WHEN_EMPTY):
                outcome.add(name, Verdict(np.inf, np.inf, miss=Miss(name, (), "present", "missing", np.inf, 0.0)), where)
            continue
        if name.startswith("solver."):
            # iterations that both engines made: the last one of an engine can be at the level of rounding
            expected, value = made_iterations(expected, data.solver_niter), made_iterations(value, reference.arrays["solver_niter"])
        tolerance = field_tolerance(name, kind, oracle.model, conditions, expected.ndim)
        verdict = compare_array(name, expected, value, tolerance, shadows=lambda name=name: reference.shadows(name),
                                counts=kind == fields.COUNT)
        outcome.add(name, verdict, where)
        if verdict.excused:
            found.add(name)
    outcome.shadowed += bool(found)
