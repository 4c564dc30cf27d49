"""The type stubs are up to date, and say what is there."""

import ast
import inspect
import sys
from pathlib import Path

import mujoco
import pytest

import ferrodyn
from helpers import TREE

PACKAGE = Path(__file__).parents[1]
sys.path.insert(0, str(PACKAGE))

import make_stubs  # noqa: E402

TREE_OF_STUBS = ast.parse(make_stubs.stubs())
CLASSES = {node.name: node for node in TREE_OF_STUBS.body if isinstance(node, ast.ClassDef)}
FUNCTIONS = {node.name: node for node in TREE_OF_STUBS.body if isinstance(node, ast.FunctionDef)}


def members(name):
    """Names that a class of the stubs declares."""
    for node in CLASSES[name].body:
        if isinstance(node, ast.AnnAssign):
            yield node.target.id
        elif isinstance(node, ast.Assign):
            yield from (target.id for target in node.targets)
        elif isinstance(node, ast.FunctionDef):
            yield node.name


def test_the_committed_stubs_are_up_to_date():
    assert make_stubs.STUBS.read_text(encoding="utf-8") == make_stubs.stubs()


def test_every_public_name_is_declared():
    constants = {node.target.id for node in TREE_OF_STUBS.body if isinstance(node, ast.AnnAssign)}
    declared = {n for n in {*CLASSES, *FUNCTIONS, *constants} if not n.startswith("_")}
    assert declared | {"__version__"} == set(ferrodyn.__all__)


@pytest.mark.parametrize("name", [name for name in CLASSES if name.startswith("mjt")])
def test_members_of_enumerations(name):
    assert list(members(name)) == list(getattr(ferrodyn, name).__members__)


def objects():
    """An object of each class of the stubs."""
    model = ferrodyn.MjModel.from_xml_string(TREE)
    data = ferrodyn.MjData(model)
    yield from (model, data, model.opt, model.stat, model.vis, data.contact, data.warning)
    yield data.warning[0]
    yield data.solver
    yield data.solver[0]
    for group in model.vis.GROUPS:
        yield make_stubs.visual_name(group), getattr(model.vis, group)
    for owner in (model, data):
        for method in "body joint geom site camera light numeric tuple key".split():
            if hasattr(owner, method):
                yield getattr(owner, method)(0)


@pytest.mark.parametrize("thing", list(objects()), ids=lambda x: type(x).__name__)
def test_members_exist(thing):
    name, thing = thing if isinstance(thing, tuple) else (type(thing).__name__, thing)
    declared = list(members(name))
    assert declared
    for member in declared:
        if not member.startswith("__iter"):
            getattr(thing, member)


@pytest.mark.parametrize("name", list(CLASSES))
def test_classes_exist(name):
    private = name.startswith("_")
    assert private or inspect.isclass(getattr(ferrodyn, name))


@pytest.mark.parametrize("name", list(FUNCTIONS))
def test_functions(name):
    parameters = FUNCTIONS[name].args.args
    assert [p.arg for p in parameters] == list(
        inspect.signature(getattr(ferrodyn, name)).parameters
    )
    if name.startswith(("set_", "get_")) or name in ("from_zip", "to_zip"):
        # MuJoCo's own signatures only say that these are objects, or say nothing
        return
    # what is written to is an array in MuJoCo's own signature, what is a number is one there
    text = getattr(mujoco, name).__doc__.splitlines()[0]
    for parameter in parameters:
        kind = ast.unparse(parameter.annotation)
        theirs = text.partition(f"{parameter.arg}: ")[2].partition(": ")[0]
        if any(array in kind for array in ("Float64", "Float32", "UInt8", "Int32")):
            assert "flags.writeable" in theirs
        elif kind in ("ArrayLike", "ArrayLike | None"):
            # of the triangles and vertices of a skin, MuJoCo's own takes a number each
            single = name == "mju_raySkin" and parameter.arg in ("face", "vert")
            assert "numpy" in theirs or single
        elif kind in ("int", "float"):
            assert f"Supports{kind.title()}" in theirs
        elif kind == "Any":
            assert "Capsule" in theirs
        else:
            assert kind.split()[0].strip("_") in theirs or kind == "_Path | None"
    returns = text.rpartition("-> ")[2]
    ours = ast.unparse(FUNCTIONS[name].returns).partition(" |")[0]
    expected = {"_Float64": "numpy", "Any": "Capsule"}.get(ours, ours)
    assert expected in returns if ours in ("_Float64", "Any") else ours == returns


def test_editors_find_the_stubs():
    package = Path(ferrodyn.__file__).parent
    assert (package / "py.typed").exists()
    assert (package / "__init__.pyi").exists()
