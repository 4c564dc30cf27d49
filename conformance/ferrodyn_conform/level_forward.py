"""L2: every array of Data after `mj_forward`, at states along a rollout."""

from __future__ import annotations

import mujoco
import numpy as np

from . import fields
from .compare import Miss, Verdict, compare_array
from .conditions import Conditions, field_tolerance, made_iterations, read
from .outcome import Outcome
from .states import VERSIONS, State, States, install, shadow_states

MARGIN_EDGE = 1e-9  # a contact this close to its margin may exist or not
EVERY_STATE_IS_AN_EDGE = "every state is an edge"
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


class ForwardOracle:
    """The oracle's results for the states of a model, kept for the next engine when `keep` is set."""

    def __init__(self, model: mujoco.MjModel, states: States, until: str | None = None, keep: bool = False):
        """With `until`, later fields of the pipeline are left out, and the stages after the position stage if none needs them."""
        self.model, self.states = model, states
        last = PIPELINE_RANK[until] if until else len(PIPELINE_RANK)
        self.fields = [field for field in fields.DATA_FIELDS if PIPELINE_RANK[field[0]] <= last]
        self.function = "mj_fwdPosition" if last <= PIPELINE_RANK[LAST_POSITION_FIELD] else "mj_forward"
        self._data = mujoco.MjData(model)
        self._kept: dict[tuple[int, int], Reference] | None = {} if keep else None

    def reference(self, number: int, version: int) -> Reference:
        """The oracle's results in one version of a state."""
        if self._kept is not None and (number, version) in self._kept:
            return self._kept[number, version]
        seed = [self.states.seed, number, version, 1]
        reference = Reference(self.model, self._data, self.states.get(number, version), seed, self.function)
        if self._kept is not None:
            self._kept[number, version] = reference
        return reference


def compare_forward(engine, engine_model: object, oracle: ForwardOracle, states: States, until_settled: bool = False) -> Outcome:
    """L2 over all states; edges are replaced in `states`. Misses are in pipeline order, then in order of states."""
    outcome = Outcome()
    data = engine.MjData(engine_model)
    for number, first in states.in_use():
        for version in range(first, VERSIONS):
            reference = oracle.reference(number, version)
            install(engine, engine_model, data, reference.state)
            getattr(engine, oracle.function)(engine_model, data)
            if not contacts_differ_at_margin(reference.contacts, contact_arrays(data)):
                _compare_state(oracle, reference, data, f"state {number}", outcome)
                break
            states.versions[number] = version + 1
        if until_settled and outcome.settled:
            break
    if not states.in_use():
        outcome.undecided = EVERY_STATE_IS_AN_EDGE
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


def contact_arrays(data: object) -> tuple[np.ndarray, np.ndarray] | None:
    """Of every contact the geoms and flexes, and how far its distance is from its margin; None where an engine lacks them."""
    contact = getattr(data, "contact", None)
    arrays = [getattr(contact, name, None) for name in ("geom", "flex", "dist", "includemargin")]
    if any(array is None for array in arrays):
        return None
    geom, flex, dist, margin = map(np.array, arrays)
    if not len(geom) == len(flex) == len(dist) == len(margin):
        return None
    return np.concatenate([geom.reshape(-1, 2), flex.reshape(-1, 2)], axis=1), np.abs(dist - margin).ravel()


def contacts_differ_at_margin(oracle: tuple | None, engine: tuple | None) -> bool:
    """Whether the lists of contacts differ, and only by contacts that lie on their margin: then the state is an edge."""
    if oracle is None or engine is None or np.array_equal(oracle[0], engine[0]):
        return False
    return np.array_equal(*(pairs[distance >= MARGIN_EDGE] for pairs, distance in (oracle, engine)))
