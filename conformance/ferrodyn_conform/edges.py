"""Comparing an engine with the oracle over states, of which those at an edge are replaced."""

from __future__ import annotations

from collections.abc import Callable

import mujoco
import numpy as np

from .outcome import Outcome
from .states import VERSIONS, State, States, install

MARGIN_EDGE = 1e-9  # a contact this close to its margin may exist or not
EVERY_STATE_IS_AN_EDGE = "every state is an edge"


class Oracle:
    """What the oracle computes in the states of a model, kept for the next engine when `keep` is set."""

    function: str  # what both engines run in every state

    def __init__(self, model: mujoco.MjModel, states: States, keep: bool = False):
        self.model, self.states = model, states
        self._data = mujoco.MjData(model)
        self._kept: dict[tuple[int, int], object] | None = {} if keep else None

    def _compute(self, state: State, seed: list[int]) -> object:
        """The oracle's results in one state; they have the `state` and its `contacts`."""
        raise NotImplementedError

    def reference(self, number: int, version: int) -> object:
        """The oracle's results in one version of a state."""
        if self._kept is not None and (number, version) in self._kept:
            return self._kept[number, version]
        reference = self._compute(self.states.get(number, version), [self.states.seed, number, version])
        if self._kept is not None:
            self._kept[number, version] = reference
        return reference


def compare_states(engine, engine_model: object, oracle: Oracle, states: States,
                   compare: Callable[[object, object, str, Outcome], None], until_settled: bool = False) -> Outcome:
    """Runs the engine in all states in use and compares; edges are replaced in `states`."""
    outcome = Outcome()
    data = engine.MjData(engine_model)
    function = getattr(engine, oracle.function)
    for number, first in states.in_use():
        for version in range(first, VERSIONS):
            reference = oracle.reference(number, version)
            install(engine, engine_model, data, reference.state)
            function(engine_model, data)
            if not contacts_differ_at_margin(reference.contacts, contact_arrays(data)):
                compare(reference, data, f"state {number}", outcome)
                break
            states.versions[number] = version + 1
        if until_settled and outcome.settled:
            break
    if not states.in_use():
        outcome.undecided = EVERY_STATE_IS_AN_EDGE
    return outcome


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
