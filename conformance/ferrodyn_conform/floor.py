"""Counts that have been reached and may not fall."""

from __future__ import annotations

import json
from pathlib import Path


def key(mode: dict) -> str:
    """The name of a way of running, under which its counts are kept."""
    words = [mode["selection"], f"L{mode['level']}"]
    words += ["strip"] if mode["strip"] else []
    words += ["disable-constraints"] if mode["disable_constraints"] else []
    words += [f"until {mode['until']}"] if mode.get("until") else []
    return " ".join(words)


def fallen(file: Path, mode: dict, reached: dict[str, int]) -> list[str]:
    """One line for every count below its floor."""
    if not file.is_file():
        return []
    floor = json.loads(file.read_text()).get(key(mode), {})
    return [f"{level}: {reached.get(level, 0)} models pass, the floor is {number}"
            for level, number in floor.items() if reached.get(level, 0) < number]


def write(file: Path, mode: dict, reached: dict[str, int]) -> None:
    """Stores the counts of a run as the floor of its way of running."""
    stored = json.loads(file.read_text()) if file.is_file() else {}
    stored[key(mode)] = reached
    file.write_text(json.dumps(dict(sorted(stored.items())), indent=1) + "\n")
