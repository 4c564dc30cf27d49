"""Counts, reasons and errors of a run, as JSON and as a page."""

from __future__ import annotations

import json
import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from .check import LEVELS, NATIVE_CONVEX, Result
from .compare import Miss
from .level_run import OUT_OF_TIME
from .outcome import FAIL, PASS, UNDECIDED
from .refusal import NOT_YET

TOP = 10
COMPLETE = "all"
SUPPORTED = "without what is not there yet"


@dataclass
class Run:
    """Everything a report is made from."""

    mode: dict
    results: list[Result]
    mesh_free: set[tuple[str, str]]
    oracle_refuses: dict[str, int] = field(default_factory=dict)  # per corpus, models left out
    skipped: dict[str, str] = field(default_factory=dict)  # corpus -> why it is absent

    @property
    def levels(self) -> tuple[str, ...]:
        """Levels that were run."""
        return LEVELS[: self.mode["level"] + 1]


def is_unsupported(result: Result) -> bool:
    """Whether the engine refuses a model for something that it says it lacks."""
    return NOT_YET in result.reasons.get("L0", "")


def passes_all(result: Result, levels: tuple[str, ...]) -> bool:
    """Whether a model passes every level that was run; a refusal that agrees has only L0."""
    return bool(result.levels) and all(result.levels.get(level, PASS) == PASS for level in levels)


def counts(results: list[Result], levels: tuple[str, ...]) -> dict[str, int]:
    """Models, models that could not be compared, passes per level, passes of all levels, and per level what was judged at all."""
    table = {"models": len(results), "not comparable": sum(1 for r in results if not r.levels)}
    for level in levels:
        table[level] = sum(1 for r in results if r.levels.get(level) == PASS)
    table[COMPLETE] = sum(1 for r in results if passes_all(r, levels))
    table["judged"] = {level: sum(1 for r in results if r.levels.get(level) in (PASS, FAIL)) for level in levels}
    table["undecided"] = {level: sum(1 for r in results if r.levels.get(level) == UNDECIDED) for level in levels}
    return table


def general(reason: str) -> str:
    """A reason without numbers and without names that are no plain word, so that equal causes count together."""
    reason = re.sub(r"\S+\.(xml|urdf)(:\d+)+:\s*", "", reason)
    reason = re.sub(r"'(?![a-z]+')[^']*'|\"(?![a-z]+\")[^\"]*\"", "'...'", reason)
    return re.sub(r"-?\b\d+(\.\d+)?(e[+-]?\d+)?\b", "N", reason)


def reasons(run: Run) -> list[tuple[str, int, str]]:
    """(reason, models blocked, an example), most frequent first. A model counts once, for its first failing level."""
    counted: Counter[str] = Counter()
    example: dict[str, str] = {}
    for result in run.results:
        if not result.levels:
            text = general(result.note)
        else:
            level = next((name for name in run.levels if result.levels.get(name) == FAIL), None)
            if level is None:
                continue
            text = f"{level} {general(result.reasons.get(level, ''))}"
        counted[text] += 1
        example.setdefault(text, f"{result.corpus}/{result.name}")
    ranked = sorted(counted.items(), key=lambda item: (-item[1], item[0]))
    return [(text, number, example[text]) for text, number in ranked]


def largest_errors(run: Run) -> dict[str, dict[str, list[list]]]:
    """Level -> field -> the ten largest finite errors, each with its model."""
    collected: dict[str, dict[str, list]] = defaultdict(lambda: defaultdict(list))
    for result in run.results:
        for level, errors in result.errors.items():
            for name, error in errors.items():
                if math.isfinite(error) and error > 0:
                    collected[level][name].append((error, f"{result.corpus}/{result.name}"))
    return {
        level: {
            name: [[float(f"{error:.3g}"), model] for error, model in sorted(entries, key=lambda e: (-e[0], e[1]))[:TOP]]
            for name, entries in sorted(table.items())
        }
        for level, table in sorted(collected.items())
    }


def integrators(results: list[Result]) -> dict[str, dict]:
    """Integrator -> how many models were compared after a step with it, how many pass, and what the others do, by name."""
    names = list(dict.fromkeys(name for r in results for name in r.integrators))
    outcomes = {name: {f"{r.corpus}/{r.name}": r.integrators[name] for r in results if name in r.integrators} for name in names}
    return {
        name: {
            "models": len(found), "pass": sum(outcome == PASS for outcome in found.values()),
            "others": {model: outcome for model, outcome in found.items() if outcome != PASS},
        }
        for name, found in outcomes.items()
    }


def as_json(run: Run) -> dict:
    """The whole report as plain data."""
    by_corpus: dict[str, list[Result]] = defaultdict(list)
    for result in run.results:
        by_corpus[result.corpus].append(result)
    mesh_free = [r for r in run.results if (r.corpus, r.name) in run.mesh_free]
    unstripped = [r for r in run.results if not r.stripped]
    table = {name: counts(results, run.levels) for name, results in by_corpus.items()}
    table["total"] = counts(run.results, run.levels)
    table[SUPPORTED] = counts([r for r in run.results if not is_unsupported(r)], run.levels)
    table["mesh-free"] = counts(mesh_free, run.levels)
    if run.mode["strip"]:
        table["nothing stripped"] = counts(unstripped, run.levels)
    return {
        "mode": run.mode,
        "corpora_skipped": run.skipped,
        "oracle_refuses": run.oracle_refuses,
        "counts": table,
        "needed_shadow": {
            level: sum(1 for r in run.results if r.shadowed.get(level) and r.levels.get(level) == PASS) for level in run.levels
        },
        "iterations": {
            "same": sum(r.iterations[0] for r in run.results), "solved": sum(r.iterations[1] for r in run.results),
        },
        "replaced": sum(r.replaced for r in run.results),
        "integrators": integrators(run.results),
        "native_convex": sum(1 for r in run.results if r.note == NATIVE_CONVEX),
        "reasons": [{"reason": text, "models": number, "example": example} for text, number, example in reasons(run)],
        "largest_errors": largest_errors(run),
        "models": {
            name: {r.name: _model_entry(r) for r in sorted(results, key=lambda r: r.name)} for name, results in by_corpus.items()
        },
    }


def _model_entry(result: Result) -> dict:
    entry: dict = {"levels": result.levels}
    if is_unsupported(result):
        entry["unsupported"] = True
    first = {level: Miss(**misses[0]).line() for level, misses in result.misses.items() if misses}
    if first:
        entry["first"] = first
    failing = {name: outcome for name, outcome in result.integrators.items() if outcome != "pass"}
    if failing:
        entry["integrators"] = failing
    for key in ("reasons", "shadowed", "replaced", "run", "ended", "note", "stripped"):
        value = getattr(result, key)
        if value:
            entry[key] = value
    return entry


def as_markdown(data: dict) -> str:
    """The page, from the JSON form."""
    parts = (_heading, _counts, _circumstances, _failures, _undecided, _largest)
    return "\n".join(line for part in parts for line in part(data)) + "\n"


def _heading(data: dict) -> list[str]:
    mode = data["mode"]
    settings = [f"engine `{mode['engine']}`", f"oracle MuJoCo {mode['oracle']}", f"selection: {mode['selection']}",
                f"levels up to L{mode['level']}",
                "unsupported elements stripped" if mode["strip"] else "models unmodified",
                "constraints disabled" if mode["disable_constraints"] else "constraints active"]
    return ["# Conformance report", "", f"Generated by `cargo xtask conform` from commit {mode['commit']}; do not edit.", "",
            "; ".join(settings) + ".", ""]


def _counts(data: dict) -> list[str]:
    levels = LEVELS[: data["mode"]["level"] + 1]
    columns = ["models", "not comparable", *levels, COMPLETE]
    lines = ["| corpus | " + " | ".join(columns) + " |", "|---|" + "---:|" * len(columns)]
    for name, table in data["counts"].items():
        lines.append(f"| {name} | " + " | ".join(str(table[c]) for c in columns) + " |")
    lines += ["", "A level counts the models that pass it; `all` those that pass every level. Models that cannot be compared and "
              "undecided ones pass nothing.", ""]
    table = data["counts"][SUPPORTED]
    for level in levels:
        judged, undecided = table["judged"][level], table["undecided"][level]
        share = f"{100 * table[level] / judged:.2f} %" if judged else "none"
        lines.append(f"- {level}, {SUPPORTED}: {table[level]} of {judged} judged ({share}), {undecided} undecided"
                     + (f" ({100 * undecided / (judged + undecided):.2f} %)" if undecided else ""))
    return [*lines, ""]


def _circumstances(data: dict) -> list[str]:
    lines = []
    needed = ", ".join(f"{level}: {number}" for level, number in data["needed_shadow"].items() if level >= "L2")
    if needed:
        lines += [f"Passes that needed the shadow: {needed}. States that were edges and were replaced: {data['replaced']}.", ""]
    if data["iterations"]["solved"]:
        same, solved = data["iterations"]["same"], data["iterations"]["solved"]
        lines += [f"Solver iterations: the same number in every island in {same} of {solved} steps of L3 with constraints "
                  f"({100 * same / solved:.1f} %).", ""]
    if data["integrators"]:
        parts = [f"{name} {c['pass']} of {c['models']}" for name, c in data["integrators"].items()]
        lines += ["L3 with an integrator forced: " + ", ".join(parts) + "."]
        lines += [f"- {name}, {model}: {outcome}" for name, c in data["integrators"].items() for model, outcome in c["others"].items()]
        lines.append("")
    if data["native_convex"]:
        lines += [f"{data['native_convex']} models ask for the older method for convex pairs, which does not exist here; the oracle was "
                  "set to the native one.", ""]
    for name, why in data["corpora_skipped"].items():
        lines.append(f"Corpus {name} was skipped: {why}.")
    refused = ", ".join(f"{name} {number}" for name, number in data["oracle_refuses"].items() if number)
    if refused:
        lines.append(f"Files that the oracle itself refuses, left out: {refused}.")
    return lines


def _failures(data: dict) -> list[str]:
    lines = ["", "## Reasons of failure", ""]
    if not data["reasons"]:
        return [*lines, "None."]
    lines += ["| models | reason | for example |", "|---:|---|---|"]
    lines += [f"| {r['models']} | {_cell(r['reason'])} | {r['example']} |" for r in data["reasons"]]
    lines += ["", "## Models that fail, without those that ask for what is not there yet", "", "| model | level | first difference |", "|---|---|---|"]
    for name, entry in _models(data):
        for level, outcome in entry["levels"].items():
            if outcome == FAIL and not entry.get("unsupported"):
                lines.append(f"| {name} | {level} | {_cell(entry.get('first', {}).get(level) or entry['reasons'][level])} |")
                break
    return lines


def _undecided(data: dict) -> list[str]:
    rows = [f"| {name} | {level} | {entry['reasons'][level]} |" for name, entry in _models(data)
            for level, outcome in entry["levels"].items() if outcome == UNDECIDED]
    lines = ["", "## Undecided", "", "| model | level | why |", "|---|---|---|", *rows] if rows else []
    cut = [f"{name} {entry['run'][1]}" for name, entry in _models(data) if entry.get("ended") == OUT_OF_TIME]
    if cut:
        lines += ["", "Runs of L4 that were cut by time, with their steps: " + ", ".join(cut) + "."]
    return lines


def _models(data: dict) -> Iterator[tuple[str, dict]]:
    for corpus, models in data["models"].items():
        for name, entry in models.items():
            yield f"{corpus}/{name}", entry


def _largest(data: dict) -> list[str]:
    lines = ["", "## Largest errors", "",
             "Per field, relative as the level defines it, after what the shadow excuses; ten models per field are in "
             "`report.json`.", "",
             "| level | field | largest | tenth | model |", "|---|---|---:|---:|---|"]
    for level, table in data["largest_errors"].items():
        ranked = sorted(table.items(), key=lambda item: (-item[1][0][0], item[0]))
        for name, entries in ranked[:40]:
            tenth = f"{entries[-1][0]:.2g}" if len(entries) == TOP else ""
            lines.append(f"| {level} | {name} | {entries[0][0]:.2g} | {tenth} | {entries[0][1]} |")
    return lines


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


def write(run: Run, folder: Path) -> dict:
    """Writes `report.json` and `REPORT.md` and returns the data."""
    data = as_json(run)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "report.json").write_text(json.dumps(data, indent=1) + "\n")
    (folder / "REPORT.md").write_text(as_markdown(data))
    return data
