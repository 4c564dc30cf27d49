"""What every model has reached, by name: no model may fall below it."""

from __future__ import annotations

import json
from pathlib import Path

from .check import Result
from .outcome import PASS

NOTHING = "-"


def key(mode: dict) -> str:
    """The name of a way of running, under which its models are kept."""
    words = [mode["selection"], f"L{mode['level']}"]
    words += ["strip"] if mode["strip"] else []
    words += ["disable-constraints"] if mode["disable_constraints"] else []
    words += [f"until {mode['until']}"] if mode.get("until") else []
    return " ".join(words)


def reached(results: list[Result]) -> dict[str, str]:
    """Model -> the levels it passes, such as `L0 L1 L3 L4`; of a refusal that agrees `L0`."""
    return {
        f"{result.corpus}/{result.name}": " ".join(level for level, outcome in result.levels.items() if outcome == PASS) or NOTHING
        for result in results
    }


def changes(floor: dict[str, str], now: dict[str, str]) -> tuple[list[str], list[str]]:
    """What fell and what rose, a line for each model; models that were not run are no fall, models of no floor no rise."""
    fallen, risen = [], []
    for name in sorted(floor.keys() & now.keys()):
        before, after = (set(text.split()) - {NOTHING} for text in (floor[name], now[name]))
        if before - after:
            fallen.append(f"{name}: no longer passes {' '.join(sorted(before - after))}")
        if after - before:
            risen.append(f"{name}: now passes {' '.join(sorted(after - before))}")
    return fallen, risen


def read(file: Path, mode: dict) -> dict[str, str]:
    """The floor of a way of running; empty when there is none."""
    return json.loads(file.read_text()).get(key(mode), {}) if file.is_file() else {}


def write(file: Path, mode: dict, now: dict[str, str]) -> None:
    """Stores what a run reached as the floor of its way of running."""
    stored = json.loads(file.read_text()) if file.is_file() else {}
    stored[key(mode)] = dict(sorted(now.items()))
    file.write_text(json.dumps(dict(sorted(stored.items())), indent=0) + "\n")
