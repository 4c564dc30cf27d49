"""Refusals agree only where the same element or attribute is at fault."""

import pytest

from ferrodyn_conform.refusal import same_reason

ATTRIBUTE = "XML Error: Schema violation: unrecognized attribute: 'colour'\nElement 'geom', line 3\n"
ELEMENT = "XML Error: Schema violation: unrecognized element\nElement 'wheel', line 5\n"
NAME = "Error: geom 'zz' not found in collision 0\nElement name '', id 0, line 1"
THING = "Error: free joint can only be used on top level\nElement name '', id 2, line 5"
NO_PLACE = "Error: repeated name 'cube' in mesh"


@pytest.mark.parametrize("oracle, engine", [
    (ATTRIBUTE, 'a.xml:3:18: <geom> colour="1 0": unknown attribute'),
    (ELEMENT, "a.xml:5:3: <wheel>: unknown element"),
    (NAME, 'a.xml:1:122: <pair> geom2="zz": no geom has this name'),
    (THING, "a.xml:5:3: <body>: a free joint is only allowed in a child of the world"),
    (NO_PLACE, "a.xml:4:5: <mesh>: 'cube': another mesh has this name\na.xml:7:5: <geom>: more"),
])
def test_the_same_fault_agrees(oracle, engine):
    assert same_reason(oracle, engine)


@pytest.mark.parametrize("oracle, engine", [
    (ATTRIBUTE, 'a.xml:3:18: <geom> color="1 0": unknown attribute'),
    (ATTRIBUTE, 'a.xml:4:18: <geom> colour="1 0": unknown attribute'),
    (ATTRIBUTE, 'a.xml:3:18: <site> colour="1 0": unknown attribute'),
    (ELEMENT, "a.xml:5:3: <wheel>: <wheel> is not supported yet"),
    (ELEMENT, "a.xml:5:3: <joint>: unknown element"),
    (NAME, 'a.xml:1:122: <pair> geom2="z": no geom has this name'),
    (THING, "a.xml:5:3: <body>: bad mass"),
    (NO_PLACE, "a.xml:4:5: <mesh>: 'tube': another mesh has this name\na.xml:7:5: <geom> mesh='cube'"),
    (NO_PLACE, ""),
])
def test_another_fault_does_not(oracle, engine):
    assert not same_reason(oracle, engine)
