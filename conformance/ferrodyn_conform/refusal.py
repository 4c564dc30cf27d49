"""Whether two engines refuse a model for the same reason: the same element or attribute is at fault."""

from __future__ import annotations

import re

NOT_YET = "not supported yet"  # how the engine refuses what it lacks: never the oracle's reason
_QUOTED = re.compile(r"'([^']+)'|\"([^\"]+)\"")
_ORACLE_ELEMENT = re.compile(r"Element '(\w+)'")  # of the oracle's schema errors
_ORACLE_LINE = re.compile(r"\bline (\d+)")
_ENGINE_PLACE = re.compile(r":(\d+):\d+: (?:<([\w:]+)>)?")  # file:line:column: <element>
# words that say nothing about the place
_COMMON = {"error", "element", "attribute", "name", "line", "must", "only", "with", "this", "that", "cannot", "found", "invalid",
           "allowed", "larger", "than", "number", "numbers", "file", "model", "engine", "column", "have", "been", "more", "least"}
_STEM = 4  # letters by which words are compared: limit, limits, limited


def same_reason(oracle: str, engine: str) -> bool:
    """Whether the first problem that the engine names lies where the oracle's does.

    What the oracle's message gives must agree: the line, the element, and one of the names or attributes in quotes; where it
    gives neither an element nor a name, the messages must speak of the same thing.
    """
    if engine == oracle:
        return True
    first = (engine.strip().splitlines() or [""])[0]
    if NOT_YET in first:
        return False
    place = _ENGINE_PLACE.search(first)
    line, element = (place.group(1), place.group(2)) if place else (None, None)
    their_line, their_element = _ORACLE_LINE.search(oracle), _ORACLE_ELEMENT.search(oracle)
    if their_line and their_line.group(1) != line:
        return False
    if their_element and their_element.group(1) != element:
        return False
    said = _ORACLE_ELEMENT.sub("", oracle).replace("''", "")
    names = [a or b for a, b in _QUOTED.findall(said)]
    if names:
        return any(re.search(rf"(?<![\w.]){re.escape(name)}(?![\w.])", first) for name in names)
    return bool(their_element) or bool(_stems(said) & _stems(first[place.end():] if place else first))


def _stems(text: str) -> set[str]:
    return {word[:_STEM] for word in re.findall(r"[a-z]{4,}", text.lower()) if word not in _COMMON}
