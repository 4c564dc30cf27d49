"""An MJCF model as the set of XML files it consists of, walked as if includes were expanded."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections.abc import Iterator
from pathlib import Path

Element = ET.Element
Ancestors = tuple[Element, ...]


class Unreadable(Exception):
    """The model cannot be taken apart; the text says why."""


class Document:
    """The files of a model. Elements are shared with the file trees, so a change shows when a file is written."""

    def __init__(self, path: Path):
        self.path = path
        self.files: dict[Path, ET.ElementTree] = {}
        self._targets: dict[int, Path] = {}
        self.root = self._parse(path)

    def _parse(self, path: Path) -> Element:
        path = path.resolve()
        if path in self.files:
            raise Unreadable(f"{path.name} is included twice")
        try:
            tree = ET.parse(path)
        except (ET.ParseError, OSError, LookupError, ValueError) as error:
            raise Unreadable(f"XML: {error}") from None
        self.files[path] = tree
        for include in tree.getroot().iter("include"):
            target = self._find(include.get("file", ""), path.parent)
            self._targets[id(include)] = target
            self._parse(target)
        return tree.getroot()

    def _find(self, name: str, including: Path) -> Path:
        """An include is looked for beside the model first, then beside the including file."""
        for folder in (self.path.parent, including):
            candidate = folder / name
            if name and candidate.is_file():
                return candidate.resolve()
        raise Unreadable(f"included file {name} not found")

    def children(self, element: Element) -> Iterator[tuple[Element, Element]]:
        """(child, its parent in its own file) of an element, includes expanded."""
        for child in list(element):
            target = self._targets.get(id(child))
            if target is not None:
                yield from self.children(self.files[target].getroot())
            elif isinstance(child.tag, str):
                yield child, element

    def walk(self, element: Element | None = None, path: Ancestors = ()) -> Iterator[tuple[Element, Element, Ancestors]]:
        """Every element below the root as (element, parent in its file, ancestors from the root), parents first."""
        element = self.root if element is None else element
        path += (element,)
        for child, parent in self.children(element):
            yield child, parent, path
            yield from self.walk(child, path)

    def target(self, include: Element) -> Element:
        """Root of the file that an include names."""
        return self.files[self._targets[id(include)]].getroot()


class Defaults:
    """Default classes: the value that an attribute of an element has after inheritance."""

    def __init__(self, document: Document):
        self._parent: dict[str, str] = {}
        self._settings: dict[tuple[str, str], dict[str, str]] = {}
        self._document = document
        for section, _ in document.children(document.root):
            if section.tag == "default":
                self._read(section, None)

    def _read(self, default: Element, parent: str | None) -> None:
        name = default.get("class") or "main"
        if parent is None:
            name = "main"
        else:
            self._parent[name] = parent
        for child, _ in self._document.children(default):
            if child.tag == "default":
                self._read(child, name)
            else:
                self._settings.setdefault((name, child.tag), {}).update(child.attrib)

    def effective(self, element: Element, ancestors: Ancestors, attribute: str) -> str | None:
        """The attribute of an element, from itself or from its class and the classes above it."""
        if attribute in element.attrib:
            return element.attrib[attribute]
        name = element.get("class")
        if name is None:
            name = next((a.get("childclass") for a in reversed(ancestors) if a.get("childclass")), "main")
        seen = set()
        while name not in seen:
            seen.add(name)
            value = self._settings.get((name, element.tag), {}).get(attribute)
            if value is not None:
                return value
            name = self._parent.get(name, "main")
        return None


_MESH_ASSETS = {"mesh", "hfield", "skin", "flex", "flexcomp"}
_MESH_TYPES = {"mesh", "hfield", "sdf"}


def uses_meshes(document: Document) -> bool:
    """Whether a model has any mesh, height field, SDF, flex or skin, used or not."""
    for element, _, path in document.walk():
        in_default = any(a.tag == "default" for a in path)
        if element.tag in _MESH_ASSETS and not in_default:
            return True
        if element.tag == "geom" and (element.get("type") in _MESH_TYPES or {"mesh", "hfield"} & element.attrib.keys()):
            return True
    return False
