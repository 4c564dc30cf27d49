"""L1: every array and size of the compiled model."""

from __future__ import annotations

import mujoco
import numpy as np

from . import fields
from .compare import Miss, Verdict, absolute_difference, compare_array, form
from .hull import compare_hulls
from .outcome import Outcome

_NESTED = {
    "opt": (), "stat": (), "vis": ("global_", "quality", "headlight", "map", "scale", "rgba"),
}


def _plain(obj: object) -> list[str]:
    """Names of the numbers, arrays and byte strings of a struct."""
    names = []
    for name in dir(type(obj)):
        if name.startswith("_"):
            continue
        value = getattr(obj, name)
        if isinstance(value, (np.ndarray, int, float, bytes)):
            names.append(name)
    return names


def model_fields(model: mujoco.MjModel) -> list[str]:
    """Dotted names of everything a model holds, in the order in which it is built."""
    names = _plain(model)
    for struct, children in _NESTED.items():
        obj = getattr(model, struct)
        names += [f"{struct}.{name}" for name in _plain(obj)]
        for child in children:
            names += [f"{struct}.{child}.{name}" for name in _plain(getattr(obj, child))]
    return sorted((name for name in names if name not in fields.MODEL_EXCLUDED), key=fields.model_order)


def lookup(obj: object, dotted: str) -> object:
    """Follows a dotted name; None where a part does not exist."""
    for part in dotted.split("."):
        obj = getattr(obj, part, None)
        if obj is None:
            return None
    return obj


def _missing(name: str, value: object) -> bool:
    """Whether a field that the engine lacks counts as a failure."""
    empty = value == 0 if isinstance(value, int) else np.size(value) == 0
    return not (empty and name.startswith(fields.OPTIONAL_WHEN_EMPTY))


def _compare_scalar(name: str, oracle: object, engine: object, relative: float) -> Verdict:
    if isinstance(oracle, float) and isinstance(engine, (float, int)):
        # visual settings are single precision in the oracle
        tolerance = fields.FLOAT32_RELATIVE if name.startswith("vis.") else relative
        offset = 1.0 if name.startswith("vis.") else fields.MODEL_SCALE_OFFSET
        return compare_array(name, np.array(oracle), np.array(float(engine)), tolerance, offset + abs(oracle))
    if type(oracle) is type(engine) and oracle == engine:
        return Verdict()
    return Verdict(np.inf, np.inf, miss=Miss(name, (), repr(oracle)[:80], repr(engine)[:80], np.inf, 0.0))


def by_appearance(slots: np.ndarray) -> np.ndarray:
    """Numbers replaced by the order of their first appearance."""
    order = {slot: i for i, slot in enumerate(dict.fromkeys(slots.tolist()))}
    return np.array([order[slot] for slot in slots.tolist()], dtype=slots.dtype)


def compare_models(oracle: mujoco.MjModel, engine: object) -> Outcome:
    """All misses in build order, and the largest error of every field."""
    outcome = Outcome()
    hull_sizes_agree = True
    for name in model_fields(oracle):
        expected, value = lookup(oracle, name), lookup(engine, name)
        if value is None:
            if _missing(name, expected):
                outcome.add(name, Verdict(np.inf, np.inf, miss=Miss(name, (), "present", "missing", np.inf, 0.0)))
            continue
        if name == "plugin":
            # slots are numbered in the order in which the oracle's libraries happen to be loaded
            expected, value = by_appearance(expected), by_appearance(value)
        if name in fields.HULL_ORDERED and form(expected) == form(value):
            continue  # compared as sets below
        verdict = _compare_field(name, expected, value, fields.MESH_RELATIVE if oracle.nmesh and fields.is_mesh_derived(name)
                                 else fields.MODEL_RELATIVE)
        hull_sizes_agree &= not (verdict.miss and name.startswith(("nmesh", "mesh_")))
        outcome.add(name, verdict)
    if oracle.nmesh and hull_sizes_agree:
        for miss in compare_hulls(oracle, engine):
            outcome.add(miss.field, Verdict(miss.error, np.inf, miss=miss))
    return outcome


def _compare_field(name: str, oracle: object, engine: object, relative: float) -> Verdict:
    """One field; the tolerance depends on its type."""
    if not isinstance(oracle, np.ndarray):
        return _compare_scalar(name, oracle, engine, relative)
    if oracle.dtype == np.float32:
        return compare_array(name, oracle, engine, fields.FLOAT32_RELATIVE, 1.0 + np.abs(np.nan_to_num(oracle)))
    return compare_array(name, oracle, engine, relative, fields.MODEL_SCALE_OFFSET + np.abs(np.nan_to_num(oracle)))
