"""Copies of models without the elements and attributes that are listed as unsupported.

What is removed is data (`unsupported.json`):
  sections    children of the root that go entirely (default classes of their kind stay)
  elements    elements that go with all they contain, by name or by parent/name
  attributes  element (or *) -> attributes that are dropped, in default classes too
  values      element -> attribute -> values for which the element goes; the attribute may come from its class
  present     element -> attributes whose presence (own or from its class) makes the element go
Elements that refer to something removed go as well.
"""

from __future__ import annotations

import json
import os
import xml.etree.ElementTree as ET
from pathlib import Path

from .document import Ancestors, Defaults, Document, Element, Unreadable

# attribute -> kind of object it names
_REFERENCES = {
    "geom": "geom", "geom1": "geom", "geom2": "geom",
    "site": "site", "site1": "site", "site2": "site", "sidesite": "site", "refsite": "site", "cranksite": "site",
    "slidersite": "site",
    "body": "body", "body1": "body", "body2": "body", "subtree1": "body", "subtree2": "body",
    "joint": "joint", "joint1": "joint", "joint2": "joint", "jointinparent": "joint",
    "tendon": "tendon", "tendon1": "tendon", "tendon2": "tendon",
    "actuator": "actuator", "camera": "camera", "flex": "flex", "mesh": "mesh", "material": "material",
    "texture": "texture", "hfield": "hfield", "instance": "plugin",
}
_TYPED_REFERENCES = (("objtype", "objname"), ("reftype", "refname"))
_KIND_BY_SECTION = {"tendon": "tendon", "actuator": "actuator", "sensor": "sensor", "equality": "equality"}
_FILE_ATTRIBUTES = ("file", "fileright", "fileleft", "fileup", "filedown", "filefront", "fileback")


class Rules:
    """The content of `unsupported.json`."""

    def __init__(self, data: dict):
        self.sections = set(data.get("sections", ()))
        self.elements = set(data.get("elements", ()))
        self.attributes = {tag: set(names) for tag, names in data.get("attributes", {}).items()}
        self.values = data.get("values", {})
        self.present = data.get("present", {})

    @staticmethod
    def load(path: Path) -> Rules:
        """Reads the rules."""
        return Rules(json.loads(path.read_text()))


class Stripper:
    """Removes what the rules name from one document."""

    def __init__(self, document: Document, rules: Rules):
        self.document, self.rules = document, rules
        self.defaults = Defaults(document)
        self.changed = False
        self._gone: set[int] = set()
        self._gone_names: set[tuple[str, str]] = set()

    def run(self) -> bool:
        """Strips; returns whether anything was removed."""
        for element, parent, path in list(self.document.walk()):
            if id(element) in self._gone:
                continue
            if self._is_unsupported(element, path):
                self._remove(element, parent, path)
        while self._remove_dangling():
            pass
        self._drop_attributes()
        return self.changed

    def _is_unsupported(self, element: Element, path: Ancestors) -> bool:
        if any(a.tag == "default" for a in path) or element.tag == "default":
            # values of an attribute that make an element go are meaningless in a class nobody is left in
            return False
        if len(path) == 1 and element.tag in self.rules.sections:
            return True
        if element.tag in self.rules.elements or f"{path[-1].tag}/{element.tag}" in self.rules.elements:
            return True
        for attribute, values in self.rules.values.get(element.tag, {}).items():
            if self.defaults.effective(element, path, attribute) in values:
                return True
        return any(self.defaults.effective(element, path, name) is not None for name in self.rules.present.get(element.tag, ()))

    def _remove(self, element: Element, parent: Element, path: Ancestors) -> None:
        for node, ancestors in [(element, path)] + [(n, path + p) for n, _, p in self.document.walk(element)]:
            self._gone.add(id(node))
            name = node.get("name")
            if name:
                sections = [_KIND_BY_SECTION[a.tag] for a in ancestors if a.tag in _KIND_BY_SECTION]
                kind = sections[0] if sections else {"freejoint": "joint"}.get(node.tag, node.tag)
                self._gone_names.add((kind, name))
        parent.remove(element)
        self.changed = True

    def _remove_dangling(self) -> bool:
        """Removes elements that refer to removed objects; returns whether there were any."""
        removed = False
        for element, parent, path in list(self.document.walk()):
            tags = [a.tag for a in path]
            if id(element) in self._gone or {"default", "worldbody"} & set(tags) or not self._dangles(element):
                continue
            if "tendon" in tags and len(path) == 3:
                # a path without one of its points is another tendon
                element, parent, path = path[-1], self._parent_of(path[-1], path[-2]), path[:-1]
            self._remove(element, parent, path)
            removed = True
        return removed

    def _parent_of(self, element: Element, ancestor: Element) -> Element:
        return next(parent for child, parent in self.document.children(ancestor) if child is element)

    def _dangles(self, element: Element) -> bool:
        for attribute, kind in _REFERENCES.items():
            if (kind, element.get(attribute)) in self._gone_names:
                return True
        return any((element.get(kind), element.get(name)) in self._gone_names for kind, name in _TYPED_REFERENCES)

    def _drop_attributes(self) -> None:
        everywhere = self.rules.attributes.get("*", set())
        for element, _, path in list(self.document.walk()):
            drop = everywhere | self.rules.attributes.get(element.tag, set())
            if any(a.tag == "default" for a in path):
                drop |= set(self.rules.present.get(element.tag, ()))
                drop |= {
                    name for name, values in self.rules.values.get(element.tag, {}).items() if element.get(name) in values
                }
            for name in drop & element.attrib.keys():
                del element.attrib[name]
                self.changed = True


# mass and inertia of bodies that have lost the geoms they got them from
_BOUNDS = {"boundmass": "0.1", "boundinertia": "0.001"}


def strip_model(path: Path, root: Path, rules: Rules, out: Path, bound_mass: bool = False) -> Path:
    """Writes a stripped copy of a model and of the files it includes under `out`, mirrored relative to `root`.

    With `bound_mass` the copy also gets lower bounds on mass and inertia, for bodies that are left without any.
    Returns the path to load: the original when nothing had to be removed.
    """
    document = Document(path)
    if document.root.tag == "robot":
        changed = _strip_urdf(document.root, rules)
    else:
        changed = Stripper(document, rules).run()
    if not changed:
        return path
    if bound_mass:
        ET.SubElement(document.root, "compiler", _BOUNDS)
    root = root.resolve()
    _drop_emptied_includes(document)
    for file, tree in document.files.items():
        if not file.is_relative_to(root):
            raise Unreadable("includes a file outside its corpus")
        target = out / file.relative_to(root)
        target.parent.mkdir(parents=True, exist_ok=True)
        tree.write(target, encoding="utf-8")
    _link_assets(document, root, out)
    return out / path.resolve().relative_to(root)


def _strip_urdf(robot: Element, rules: Rules) -> bool:
    """URDF: visual and collision elements with an unsupported geometry go."""
    unsupported = set(rules.values.get("geom", {}).get("type", ()))
    changed = False
    for link in robot.iter("link"):
        for part in [c for c in link if c.tag in ("visual", "collision")]:
            if any(shape.tag in unsupported for shape in part.iter()):
                link.remove(part)
                changed = True
    return changed


def _drop_emptied_includes(document: Document) -> None:
    """An include of an empty file is an error: the include goes when all its content went."""
    pending = True
    while pending:
        pending = False
        for tree in document.files.values():
            for parent in list(tree.getroot().iter()):
                for include in [c for c in parent if c.tag == "include"]:
                    if len(document.target(include)) == 0:
                        parent.remove(include)
                        pending = True


def _link_assets(document: Document, root: Path, out: Path) -> None:
    """Makes the files that the copy still refers to visible at the same relative places."""
    folders = [""]
    names = set()
    for element, _, _ in document.walk():
        if element.tag == "compiler":
            folders += [element.get(key) for key in ("assetdir", "meshdir", "texturedir") if element.get(key)]
        names |= {element.get(key) for key in _FILE_ATTRIBUTES if element.get(key)}
    places = {file.parent for file in document.files}
    for name in sorted(names):
        for place in places:
            for folder in folders:
                source = Path(os.path.normpath(place / folder / name))
                if source.is_file() and source.is_relative_to(root):
                    target = out / source.relative_to(root)
                    target.parent.mkdir(parents=True, exist_ok=True)
                    if not target.exists():
                        target.symlink_to(source)
