"""XML as people write it: MuJoCo and Ferrodyn accept the same texts, and read the same from them.

The cases are those of ``crates/mjcf/tests/xml_as_written.json``, where every character stands for
one byte.
"""

import json
import random
import warnings
from pathlib import Path

import mujoco
import pytest

import ferrodyn

TABLE = Path(__file__).parents[2] / "mjcf/tests/xml_as_written.json"
CASES = json.loads(TABLE.read_text())


def names(engine, method, argument):
    """The names of a model, or None if the engine refuses it; and what the engine warns of."""
    with warnings.catch_warnings(record=True) as heard:
        warnings.simplefilter("always")
        try:
            found = getattr(engine.MjModel, method)(argument).names
        except (ValueError, UnicodeDecodeError):
            found = None
    return found, [str(w.message) for w in heard]


def of_file(path):
    return [names(engine, "from_xml_path", str(path)) for engine in (mujoco, ferrodyn)]


def of_text(text):
    return [names(engine, "from_xml_string", text) for engine in (mujoco, ferrodyn)]


@pytest.mark.parametrize("case", CASES, ids=[case["what"] for case in CASES])
def test_both_engines_read_the_same(case, tmp_path):
    path = tmp_path / "m.xml"
    path.write_bytes(case["text"].encode("latin-1"))
    (expected, _), (found, heard) = of_file(path)
    if "names" in case:
        assert found == "".join(name + "\0" for name in case["names"]).encode()
        assert heard == [f"{path}:{warning}" for warning in case["warnings"]]
    else:
        assert found is None
    # a difference that is known must still be one
    assert (found == expected) == ("differs" not in case)


def test_a_text_is_read_like_a_file(tmp_path):
    for case in CASES:
        try:
            text = case["text"].encode("latin-1").decode()
        except UnicodeDecodeError:
            continue
        path = tmp_path / "m.xml"
        path.write_text(text, newline="")
        assert [n for n, _ in of_text(text)] == [n for n, _ in of_file(path)], case["what"]


@pytest.mark.parametrize("depth", [495, 496, 497])
@pytest.mark.parametrize("inner", ["", "<site/>", "<site></site>", "text", "<!-- -->"])
def test_elements_nest_equally_deep(depth, inner):
    bodies = "<body>" * depth + inner + "</body>" * depth
    (expected, _), (found, _) = of_text(f"<mujoco><worldbody>{bodies}</worldbody></mujoco>")
    assert (found is None) == (expected is None)


BASE = """<?xml version="1.0"?>
<!-- a model -->
<mujoco model="m &amp; n">
  <worldbody>
    <body name="a"><site name='b &#65;'/></body> text
    <!-- c --><![CDATA[ d ]]><frame><site name="e"></site></frame>
  </worldbody>
</mujoco>
"""
# everything that means something to a reader of XML, and some things that do not
PIECES = [
    *"<>/!?-=\"'&#;:x[] \n\r\t\v\f\0\x01a1",
    *["<!--", "-->", "--", "<![CDATA[", "]]>", "<?", "?>", "<!", "/>", "</"],
    *["&lt;", "&#65;", "&#x41;", "&#", "&#x", "\ufeff", "\u00e9"],
    *["</site>", "<site/>", "</frame>", "<frame>", " name='f'", "name='g'", "</mujoco>"],
]


def changed(text, chance):
    """A text with some pieces put in, put over others, moved or taken out."""
    for _ in range(chance.randint(1, 3)):
        at = chance.randrange(len(text) + 1)
        end = min(len(text), at + chance.choice([0, 0, 0, 0, 1, 20]))
        moved = text[end : end + chance.randint(0, 30)]
        piece = chance.choice(PIECES) if chance.random() < 0.8 else moved
        text = text[:at] + piece + text[end:]
    return text


@pytest.mark.parametrize("seed", range(10))
def test_both_engines_read_the_same_from_random_changes(seed):
    chance = random.Random(seed)
    accepted = 0
    for _ in range(300):
        text = changed(BASE, chance)
        (expected, _), (found, _) = of_text(text)
        assert found == expected, repr(text)
        accepted += found is not None
    # the comparison is of both sorts
    assert 30 < accepted < 270
