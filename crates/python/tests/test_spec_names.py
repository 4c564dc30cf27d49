"""Every name of MuJoCo's specification classes exists here too."""

import re

import mujoco
import pytest

import ferrodyn
from ferrodyn import _spec_settings
from test_spec import MAKERS

OPAQUE = "a handle of the C library that nothing returns"

# names that are missing on purpose, with the reason
MISSING_CLASSES = {"MjsElement": OPAQUE}
MISSING_MEMBERS = {}
# the classes of settings: those of specifications differ from those of models
SETTINGS = {
    "MjOption": _spec_settings.SpecOption,
    "MjStatistic": _spec_settings.SpecStatistic,
    "MjVisual": _spec_settings.SpecVisual,
}
CLASSES = {n: c for n, c in vars(mujoco._specs).items() if isinstance(c, type)}


def public(cls):
    """The names of a class; Python's own are those that can be called or indexed."""
    special = {"__len__", "__iter__", "__getitem__", "__setitem__"}
    return {n for n in dir(cls) if not n.startswith("_") or n in special}


def ours(name):
    return SETTINGS.get(name) or getattr(ferrodyn, name)


def test_no_class_is_missing():
    missing = {n for n in CLASSES if n not in SETTINGS and not hasattr(ferrodyn, n)}
    assert missing == set(MISSING_CLASSES)


@pytest.mark.parametrize("name", sorted(set(CLASSES) - set(MISSING_CLASSES)))
def test_no_member_is_missing(name):
    has = ours(name)
    there = has.__dict__.keys() | set(dir(has))
    if name == "MjVisual":
        # a keyword of Python: reached with getattr on an object
        assert hasattr(ferrodyn.MjSpec().visual, "global")
        there.add("global")
    missing = public(CLASSES[name]) - there
    assert missing == set(MISSING_MEMBERS.get(name, {}))


def keywords(method):
    """The keyword arguments of one of MuJoCo's functions, from its signature."""
    text = method.__doc__.splitlines()[0]
    return set(re.findall(r"[(,] (\w+): ", text.replace("(self", "(self,").replace(",,", ",")))


@pytest.mark.parametrize("name", sorted(MAKERS))
def test_no_keyword_argument_is_missing(name):
    tree = name in "body frame joint geom site camera light".split()
    method = getattr(mujoco._specs.MjsBody if tree else mujoco.MjSpec, f"add_{name}")
    wanted = keywords(method) - {"self", "default"}
    if not wanted:
        # bodies, frames and what lies in them take any, and look at them one by one
        spec = mujoco.MjSpec()
        element = getattr(spec.worldbody.add_body(), f"add_{name}")()
        wanted = {n for n in dir(element) if not n.startswith("_") and settable(element, n)}
    cls = ferrodyn._ELEMENTS[name]
    accepted = {n for n in wanted if n in cls._fields or n in cls._extra}
    turned = {p + n for p in ("", "i") for n in "axisangle xyaxes zaxis euler".split()}
    assert wanted - accepted - turned <= {"classname", "alt", "ialt", "frame", "parent"}


def settable(element, name):
    try:
        setattr(element, name, getattr(element, name))
    except (AttributeError, TypeError, ValueError):
        return False
    return True


def test_any_element_is_a_struct():
    spec = ferrodyn.MjSpec()
    assert isinstance(spec.worldbody, ferrodyn.MjStruct.__args__)
    assert isinstance(spec.add_key(), ferrodyn.MjStruct.__args__)
    assert not isinstance(spec.default, ferrodyn.MjStruct.__args__)


def test_the_plugin_of_an_element_has_the_names_of_a_plugin():
    spec = ferrodyn.MjSpec()
    plugin = spec.add_plugin(name="p", plugin_name="mujoco.pid", active=True, info="remark")
    body = spec.worldbody.add_body(plugin=plugin)
    for name in public(mujoco._specs.MjsPlugin):
        getattr(body.plugin, name)
    assert (body.plugin.name, body.plugin.plugin_name) == ("p", "mujoco.pid")
    assert (body.plugin.active, body.plugin.info) == (1, "remark")
