"""How far an engine in single precision is from the oracle, which stays in double precision. Nothing is judged."""

from __future__ import annotations

from dataclasses import dataclass, field

import mujoco
import numpy as np

from . import fields
from .check import Task, load_engine
from .conditions import Conditions, read
from .edges import contact_arrays
from .level_model import lookup, model_fields
from .states import STATES, State, States, install, seed_of, step_result

SMOOTH_FIELDS = ("xpos", "xmat", "qM", "qfrc_bias", "actuator_force", "qacc_smooth")
# compared where both engines have the same contacts and the same rows
CONTACT_FIELDS = ("contact.dist", "contact.pos", "efc_J", "efc_aref", "qacc", "efc_force")
MODEL, FORWARD, CONSTRAINED, STEP = (
    "compiled model", "after forward", "after forward, rows alike", "after one step, rows alike")
STAGES = {MODEL: ("reals",), FORWARD: SMOOTH_FIELDS, CONSTRAINED: CONTACT_FIELDS, STEP: ("time", *fields.STEP_FIELDS)}


@dataclass
class Measured:
    """One model: the largest error of each array over the states, and in how many states lists agree."""

    name: str
    errors: dict[tuple[str, str], float] = field(default_factory=dict)
    integers_differ: list[str] = field(default_factory=list)
    states: int = 0
    with_contacts: int = 0
    same_contacts: int = 0
    same_rows: int = 0
    iterations: list[tuple[int, int]] = field(default_factory=list)  # of the oracle and of the engine, in alike states
    failure: str = ""

    def note(self, stage: str, name: str, oracle: object, engine: object) -> None:
        """Keeps the error of an array if it is the largest so far; one without elements, or not finite in the oracle, says nothing."""
        if not np.size(oracle) and not np.size(engine) or not np.all(np.isfinite(oracle)):
            return
        key = (stage, name)
        self.errors[key] = max(self.errors.get(key, 0.0), relative_error(oracle, engine))


def is_single(engine) -> bool:
    """Whether an engine computes with four bytes."""
    model = engine.MjModel.from_xml_string("<mujoco><worldbody/></mujoco>")
    return np.asarray(model.body_mass).dtype == np.float32


def relative_error(oracle: object, engine: object) -> float:
    """Largest difference, relative to one plus the largest element; infinite where shapes or numbers are bad."""
    a, b = np.asarray(oracle, dtype=float), np.asarray(engine, dtype=float)
    if a.shape != b.shape:
        return np.inf
    error = np.max(np.abs(a - b)) / (1.0 + np.max(np.abs(a)))
    return float(error) if np.isfinite(error) else np.inf


def rounded(state: State) -> State:
    """The state in numbers that single precision can hold, so that both engines begin with the same ones."""
    return State(float(np.float32(state.time)), {
        name: array.astype(np.float32).astype(np.float64) if array.dtype == np.float64 else array
        for name, array in state.arrays.items()
    })


def measure(task: Task) -> Measured:
    """All errors of one model; what a worker process runs."""
    engine = load_engine(task.engine)
    result = Measured(task.name)
    oracle_model = mujoco.MjModel.from_xml_path(str(task.path))
    engine_model = engine.MjModel.from_xml_path(str(task.path))
    _compare_models(oracle_model, engine_model, result)
    oracle_model.opt.disableflags &= ~int(mujoco.mjtDisableBit.mjDSBL_NATIVECCD)  # the only method of the engine
    states = States(oracle_model, seed_of(task.name))
    oracle, data = mujoco.MjData(oracle_model), engine.MjData(engine_model)
    for number in range(STATES):
        state = rounded(states.get(number, 0))
        for function in ("mj_forward", "mj_step"):
            install(mujoco, oracle_model, oracle, state)
            install(engine, engine_model, data, state)
            getattr(mujoco, function)(oracle_model, oracle)
            getattr(engine, function)(engine_model, data)
            if function == "mj_forward":
                alike = _compare_forward(oracle_model, oracle, data, result)
            elif alike:
                found = step_result(data)
                for name, expected in step_result(oracle).items():
                    result.note(STEP, name, expected, found[name])
    return result


def _compare_models(oracle: mujoco.MjModel, engine: object, result: Measured) -> None:
    for name in model_fields(oracle):
        expected, value = lookup(oracle, name), lookup(engine, name)
        if value is None or name in fields.HULL_ORDERED or name == "plugin" or isinstance(expected, bytes):
            continue
        if isinstance(expected, float) or np.asarray(expected).dtype.kind == "f":
            result.note(MODEL, "reals", expected, value)
        elif not np.array_equal(expected, value):
            result.integers_differ.append(name)


def _compare_forward(model: mujoco.MjModel, oracle: mujoco.MjData, data: object, result: Measured) -> bool:
    """The arrays after forward; whether contacts and rows are the same ones."""
    for name in SMOOTH_FIELDS:
        result.note(FORWARD, name, lookup(oracle, name), lookup(data, name))
    contacts, found = contact_arrays(oracle), contact_arrays(data)
    same_contacts = np.array_equal(contacts[0], found[0])
    same_rows = same_contacts and np.array_equal(oracle.efc_type, data.efc_type)
    result.states += 1
    result.with_contacts += len(contacts[0]) > 0
    result.same_contacts += same_contacts
    result.same_rows += same_rows
    if same_rows:
        sparse = Conditions(model, oracle).sparse
        for name in CONTACT_FIELDS:
            result.note(CONSTRAINED, name, read(oracle, name, sparse), read(data, name, sparse))
        if oracle.nefc:
            result.iterations.append((int(np.sum(oracle.solver_niter)), int(np.sum(data.solver_niter))))
    return same_rows


def as_markdown(results: list[Measured]) -> list[str]:
    """The distribution of errors over the models, and how often lists agree."""
    measured = [r for r in results if not r.failure]
    lines = [
        "The oracle stays in double precision and begins with states rounded to single precision. An error is the largest difference of an "
        "array, relative to one plus its largest element; of a model it is the largest over its twenty states. The columns are over the models that have such an array.",
        "", "| stage | array | models | median | 90 % | largest | of |", "|---|---|---:|---:|---:|---:|---|",
    ]
    for stage, names in STAGES.items():
        for name in names:
            errors = sorted((r.errors[stage, name], r.name) for r in measured if (stage, name) in r.errors)
            if errors:
                values = [error for error, _ in errors]
                middle, high = (np.quantile(values, q, method="lower") for q in (0.5, 0.9))
                lines.append(f"| {stage} | `{name}` | {len(values)} | {middle:.1e} | {high:.1e} | {values[-1]:.1e} | {errors[-1][1]} |")
    lines += ["", *_counts(measured)]
    failed = [r for r in results if r.failure]
    lines += ["", f"{len(failed)} models could not be compared" + (":" if failed else "."), *([""] if failed else [])]
    lines += [f"- {r.name}: {' '.join(r.failure.split())[:160]}" for r in sorted(failed, key=lambda r: r.name)]
    return lines


def _counts(measured: list[Measured]) -> list[str]:
    total = sum(r.states for r in measured)
    pairs = np.array([pair for r in measured for pair in r.iterations] or [(0, 0)])
    integers = [r for r in measured if r.integers_differ]
    differing = [r for r in measured if r.same_rows < r.states]
    return [
        "| what agrees | models, in every state | states |", "|---|---:|---:|",
        f"| the list of contacts | {sum(r.same_contacts == r.states for r in measured)} of {len(measured)} "
        f"| {sum(r.same_contacts for r in measured)} of {total} ({sum(r.with_contacts for r in measured)} with contacts) |",
        f"| contacts, number and kind of rows | {sum(r.same_rows == r.states for r in measured)} of {len(measured)} "
        f"| {sum(r.same_rows for r in measured)} of {total} |",
        f"| all integers of the compiled model | {len(measured) - len(integers)} of {len(measured)} | |",
        "", f"Solver iterations in states that are alike: {pairs[:, 1].mean():.2f} on average, at most {pairs[:, 1].max()}; "
        f"the oracle {pairs[:, 0].mean():.2f}, at most {pairs[:, 0].max()}.",
        *(["", "Contacts or rows differ: " + "; ".join(f"{r.name} in {r.states - r.same_rows} of {r.states} states" for r in differing) + "."]
          if differing else []),
        *(["", "Integers that differ: " + "; ".join(f"{r.name} {', '.join(f'`{n}`' for n in r.integers_differ)}" for r in integers) + "."]
          if integers else []),
    ]
