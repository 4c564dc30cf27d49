"""How many of the models on which a fault acts fail the faulty engine, per fault and level."""

from __future__ import annotations

import copy
from dataclasses import dataclass, field

import mujoco

from . import faults, level_forward, level_model, level_run, level_step
from .check import LEVELS, Task
from .outcome import ACTS, Outcome
from .states import States, seed_of

COMPARED = LEVELS[1:]


@dataclass
class FaultResult:
    """Fault -> level -> whether it acts on a model and whether it is caught."""

    corpus: str
    name: str
    found: dict[str, dict[str, tuple[bool, bool]]] = field(default_factory=dict)


class Trial:
    """One model with what the oracle computes, against which all faulty engines are held."""

    def __init__(self, model: mujoco.MjModel, seed: int):
        self.model, self.seed = model, seed
        self.states = States(self.model, seed)
        self._forward = level_forward.ForwardOracle(self.model, self.states, keep=True)
        self._step = level_step.StepOracle(self.model, self.states, keep=True)
        self._run: level_run.Reference | None = None

    def outcome(self, fault: type[faults.Engine], level: str) -> Outcome:
        """What the comparison says of a faulty engine at one level."""
        engine, model = fault(self.model, self.seed), copy.copy(self.model)
        if level == "L1":
            engine.spoil_model(model)
            return level_model.compare_models(self.model, model)
        if level == "L2":
            return level_forward.compare_forward(engine, model, self._forward, self.states.fork(), until_settled=True)
        if level == "L3":
            return level_step.compare_steps(engine, model, self._step, self.states.fork(), until_settled=True)
        if self._run is None:
            self._run = level_run.Reference(self.model, self.seed)
        return level_run.compare_runs(engine, model, self._run, until_settled=True)


def try_faults(task: Task) -> FaultResult:
    """All faults on one model; what a worker process runs."""
    result = FaultResult(task.corpus, task.name)
    levels = tuple(level for level in COMPARED if LEVELS.index(level) <= task.level)
    trial = Trial(mujoco.MjModel.from_xml_path(str(task.path)), seed_of(task.name))
    for fault in faults.FAULTS:
        outcomes = {level: trial.outcome(fault, level) for level in levels}
        result.found[fault.name] = {level: (outcome.excess > ACTS, bool(outcome.misses)) for level, outcome in outcomes.items()}
    return result


def table(results: list[FaultResult]) -> dict[str, dict[str, dict]]:
    """Fault -> level -> models on which it acts, those of them that are caught, and the names of the others."""
    counted: dict[str, dict[str, dict]] = {}
    for result in results:
        for fault, levels in result.found.items():
            for level, (acts, caught) in levels.items():
                entry = counted.setdefault(fault, {}).setdefault(level, {"acts": 0, "caught": 0, "missed": []})
                entry["acts"] += acts
                entry["caught"] += acts and caught
                if acts and not caught:
                    entry["missed"].append(f"{result.corpus}/{result.name}")
    return counted


def as_markdown(counted: dict[str, dict[str, dict]]) -> list[str]:
    """The table, and what was not caught by name."""
    levels = sorted({level for row in counted.values() for level in row})
    lines = ["| fault | " + " | ".join(f"{level} caught / acting" for level in levels) + " |", "|---|" + "---:|" * len(levels)]
    for fault, row in counted.items():
        lines.append(f"| {fault} | " + " | ".join(f"{row[level]['caught']} / {row[level]['acts']}" for level in levels) + " |")
    for level in levels:
        acts, caught = (sum(row[level][key] for row in counted.values()) for key in ("acts", "caught"))
        lines += ["", f"{level}: {caught} of {acts} caught ({100 * caught / max(acts, 1):.2f} %)."]
        lines += [f"- {fault}: not caught on {name}" for fault, row in counted.items() for name in row[level]["missed"]]
    return lines
