"""All levels for one model; what a worker process runs."""

from __future__ import annotations

import importlib
import re
import tempfile
from dataclasses import asdict, dataclass, field
from pathlib import Path

import mujoco

from . import level_forward, level_model, level_run, level_step
from .document import Document, Unreadable, uses_meshes
from .outcome import FAIL, PASS, Outcome
from .refusal import same_reason
from .states import State, States, install, seed_of
from .strip import Rules, strip_model

LEVELS = ("L0", "L1", "L2", "L3", "L4")
INTEGRATORS = {
    "Euler": mujoco.mjtIntegrator.mjINT_EULER, "RK4": mujoco.mjtIntegrator.mjINT_RK4,
    "implicit": mujoco.mjtIntegrator.mjINT_IMPLICIT, "implicitfast": mujoco.mjtIntegrator.mjINT_IMPLICITFAST,
}
_DIMENSIONS = ("nq", "nv", "nu", "na", "nbody", "nmocap", "nuserdata", "neq")
KEPT_MISSES = 200
BOTH_REFUSE = "both refuse"
NATIVE_CONVEX = "asks for the older method for convex pairs, compared with the native one"
REFUSAL_LOST = "refused by the oracle only because of what was stripped"


@dataclass
class Task:
    """One model to check, and how."""

    corpus: str
    name: str
    root: str
    engine: str = "ferrodyn"
    level: int = 4
    rules: dict | None = None  # what to strip; None: load the model as it is
    disable_constraints: bool = False
    until: str | None = None  # last field of the pipeline that is compared
    integrators: bool = False  # compare a step with each integrator, too
    oracle_loads: bool | None = None  # whether the oracle loads the unmodified model; None: not known

    @property
    def path(self) -> Path:
        """The file to load."""
        return Path(self.root) / self.name


@dataclass
class Result:
    """What came out, per level: "pass", "fail" or "undecided"."""

    corpus: str
    name: str
    levels: dict[str, str] = field(default_factory=dict)
    reasons: dict[str, str] = field(default_factory=dict)
    shadowed: dict[str, int] = field(default_factory=dict)  # states in which the shadow was needed
    excused: dict[str, list[str]] = field(default_factory=dict)  # fields that passed only because of it
    errors: dict[str, dict[str, float]] = field(default_factory=dict)
    misses: dict[str, list[dict]] = field(default_factory=dict)
    integrators: dict[str, str] = field(default_factory=dict)  # integrator -> "pass", or what differs after a step with it
    iterations: tuple[int, int] = (0, 0)  # steps of L3 with the oracle's iteration counts, and steps that solved constraints
    replaced: int = 0  # states that were edges and were replaced
    run: tuple[int, int] | None = None  # of L4: steps that were judged, and steps of the oracle's run
    ended: str = ""  # why the oracle's run ended early
    stripped: bool = False
    note: str = ""  # why a model could not be compared at all

    def record(self, level: str, outcome: Outcome) -> None:
        """Stores the outcome of a level."""
        self.levels[level] = outcome.status
        if outcome.misses:
            first = outcome.misses[0]
            self.reasons[level] = f"{first.field} missing" if first.engine == "missing" else f"{first.field} differs"
        elif outcome.undecided:
            self.reasons[level] = outcome.undecided
        self.errors[level] = outcome.errors
        self.misses[level] = [asdict(miss) for miss in outcome.misses[:KEPT_MISSES]]
        if outcome.shadowed:
            self.shadowed[level] = outcome.shadowed
            self.excused[level] = sorted(outcome.excused)
        if outcome.solved:
            self.iterations = (outcome.same_iterations, outcome.solved)
        if outcome.run:
            self.run, self.ended = outcome.run, outcome.ended

    def fail(self, level: str, reason: str) -> None:
        """Marks a level as failed for a reason that is not a number."""
        self.levels[level] = FAIL
        self.reasons[level] = reason


def load_engine(name: str):
    """The module under test; `mujoco` compares the oracle with itself."""
    return importlib.import_module(name)


def one_line(error: BaseException | str) -> str:
    """The first line of the message of an error, without folders."""
    lines = str(error).strip().splitlines() or [type(error).__name__]
    return re.sub(r"(/[\w.+-]+)+/", "", " ".join(lines[0].split()))[:300]


def inspect_model(path: Path) -> dict:
    """Whether the oracle loads a model, and whether it is free of meshes."""
    model, error = load_oracle(path)
    if model is None:
        return {"loads": False, "error": one_line(error)}
    sdf = (model.geom_type == mujoco.mjtGeom.mjGEOM_SDF).any()
    meshes = bool(model.nmesh or model.nhfield or model.nflex or model.nskin or sdf)
    if not meshes:
        try:
            meshes = uses_meshes(Document(path))
        except Unreadable:
            meshes = False  # only the oracle can read it: its word counts
    return {"loads": True, "mesh_free": not meshes}


def always_refused(path: Path) -> bool:
    """Listed exceptions of L0: non-finite numbers, DTDs and declared entities are refused whatever the oracle does."""
    try:
        document = Document(path)
    except Unreadable:
        return _declares_types(path)
    if any(map(_declares_types, document.files)):
        return True
    for element, _, _ in document.walk():
        for value in element.attrib.values():
            if any(re.fullmatch(r"[+-]?(nan|inf|infinity)", token, re.IGNORECASE) for token in value.split()):
                return True
    return False


def _declares_types(file: Path) -> bool:
    """Whether an XML file has a document type or declares entities."""
    return re.search(rb"<!(DOCTYPE|ENTITY)", file.read_bytes(), re.IGNORECASE) is not None


def check(task: Task, engine=None) -> Result:
    """Runs all requested levels of a model."""
    result = Result(task.corpus, task.name)
    engine = engine or load_engine(task.engine)
    with tempfile.TemporaryDirectory(prefix="conform-") as folder:
        if task.rules is None:
            path = task.path
            oracle_model, error = load_oracle(path)
        else:
            path, oracle_model, error = _stripped(task, Path(folder), result)
        if result.note:
            return result
        if oracle_model is None:
            _check_refused(path, error, engine, result)
        else:
            _check_loaded(task, path, engine, oracle_model, result)
    return result


def _stripped(task: Task, folder: Path, result: Result) -> tuple[Path, mujoco.MjModel | None, str]:
    """The stripped copy of a model and the oracle's model of it or its error; a note in the result when they cannot be compared."""
    loads = task.oracle_loads if task.oracle_loads is not None else load_oracle(task.path)[0] is not None
    error = ""
    for bound_mass in (False, True):
        try:
            path = strip_model(task.path, Path(task.root), Rules(task.rules), folder / str(bound_mass), bound_mass)
        except Unreadable as reason:
            if loads:
                result.note = f"not strippable: {reason}"
            return task.path, None, str(reason)
        result.stripped = path != task.path
        oracle_model, error = load_oracle(path)
        if oracle_model is not None and not loads:
            result.note = REFUSAL_LOST
        if oracle_model is not None or not loads:
            return path, oracle_model, error
    result.note = f"not strippable: {one_line(error)}"
    return path, None, error


# The oracle keeps processed meshes in a cache of its own, keyed by file and some of the settings: what it gives would
# depend on what it loaded before.
mujoco.mj_setCacheCapacity(mujoco.mj_getCache(), 0)


def load_oracle(path: Path) -> tuple[mujoco.MjModel | None, str]:
    """The oracle's model, or None and its message when it refuses the file."""
    try:
        return mujoco.MjModel.from_xml_path(str(path)), ""
    except (ValueError, mujoco.FatalError, mujoco.UnexpectedError) as error:
        return None, str(error)


def _check_refused(path: Path, oracle_error: str, engine, result: Result) -> None:
    try:
        engine.MjModel.from_xml_path(str(path))
    except Exception as error:  # any error is a refusal; a crash ends the worker
        if same_reason(oracle_error, str(error)):
            result.levels["L0"] = PASS
        else:
            result.fail("L0", f"refuses for another reason: {one_line(error)}")
        return
    result.fail("L0", "accepts what the oracle refuses")


def _check_loaded(task: Task, path: Path, engine, oracle_model: mujoco.MjModel, result: Result) -> None:
    try:
        engine_model = engine.MjModel.from_xml_path(str(path))
    except Exception as error:  # whatever the engine raises is the reason
        if always_refused(path):
            result.levels["L0"] = PASS
            result.note = "refused by rule"
            return
        for level in LEVELS[:task.level + 1]:
            result.levels[level] = FAIL
        result.reasons["L0"] = "load: " + one_line(error)
        return
    result.levels["L0"] = PASS
    if task.level >= 1:
        result.record("L1", level_model.compare_models(oracle_model, engine_model))
    if task.level < 2:
        return
    differing = [n for n in _DIMENSIONS if getattr(oracle_model, n) != getattr(engine_model, n, None)]
    if differing:
        for level in LEVELS[2:task.level + 1]:
            result.fail(level, f"{differing[0]} differs")
        return
    if oracle_model.opt.disableflags & int(mujoco.mjtDisableBit.mjDSBL_NATIVECCD):
        # the older method for convex pairs does not exist here: compare with the native one
        oracle_model.opt.disableflags &= ~int(mujoco.mjtDisableBit.mjDSBL_NATIVECCD)
        result.note = NATIVE_CONVEX
    if task.disable_constraints:
        for model in (oracle_model, engine_model):
            model.opt.disableflags |= int(mujoco.mjtDisableBit.mjDSBL_CONSTRAINT)
    _check_dynamics(task, engine, oracle_model, engine_model, result)


def _check_dynamics(task: Task, engine, oracle_model: mujoco.MjModel, engine_model: object, result: Result) -> None:
    seed = seed_of(task.name)
    states = States(oracle_model, seed)
    runs = {
        "L2": lambda: level_forward.compare_forward(
            engine, engine_model, level_forward.ForwardOracle(oracle_model, states, task.until), states),
        "L3": lambda: level_step.compare_steps(engine, engine_model, level_step.StepOracle(oracle_model, states), states),
        "L4": lambda: level_run.compare_runs(engine, engine_model, level_run.Reference(oracle_model, seed)),
    }
    for level in LEVELS[2:task.level + 1]:
        try:
            outcome = runs[level]()
        except Exception as error:  # the engine lacks something or refuses; that is the result
            result.fail(level, f"{type(error).__name__}: {one_line(error)}")
            continue
        result.record(level, outcome)
    result.replaced = states.replaced
    if task.integrators and task.level >= LEVELS.index("L3"):
        result.integrators = {name: _check_integrator(name, engine, oracle_model, engine_model, states) for name in INTEGRATORS}


def _check_integrator(name: str, engine, oracle_model: mujoco.MjModel, engine_model: object, states: States) -> str:
    """L3 with another integrator than the model's own."""
    for model in (oracle_model, engine_model):
        model.opt.integrator = int(INTEGRATORS[name])
    try:
        outcome = level_step.compare_steps(engine, engine_model, level_step.StepOracle(oracle_model, states), states)
    except Exception as error:  # an engine lacks something or refuses; that is the result
        reason = f"{type(error).__name__}: {one_line(error)}"
        return f"{BOTH_REFUSE}: {reason}" if _both_refuse(engine, engine_model, oracle_model, states) else reason
    return f"{outcome.misses[0].field} differs" if outcome.misses else outcome.status


def _both_refuse(engine, engine_model: object, oracle_model: mujoco.MjModel, states: States) -> bool:
    """Whether neither engine makes a step from any state."""
    return all(
        _refuses(module, model, states.get(number, version))
        for number, version in states.in_use() for module, model in ((mujoco, oracle_model), (engine, engine_model))
    )


def _refuses(engine, model: object, state: State) -> bool:
    data = engine.MjData(model)
    install(engine, model, data, state)
    try:
        engine.mj_step(model, data)
    except Exception:  # whatever it says: no step was made
        return True
    return False
