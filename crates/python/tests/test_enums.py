"""Enumerations and constants have MuJoCo's names and values."""

import copy
import pickle
from enum import IntEnum

import mujoco
import numpy as np
import pytest

import ferrodyn

ENUMS = [name for name in ferrodyn.__all__ if name.startswith("mjt")]
CONSTANTS = [
    name
    for name in ferrodyn.__all__
    if name.startswith("mj") and isinstance(getattr(ferrodyn, name), (int, float, tuple))
]


@pytest.mark.parametrize("name", ENUMS)
def test_members(name):
    theirs, ours = getattr(mujoco, name).__members__, getattr(ferrodyn, name).__members__
    assert {k: int(v) for k, v in ours.items()} == {k: int(v) for k, v in theirs.items()}
    for member, value in ours.items():
        assert isinstance(value, IntEnum)
        assert value == theirs[member].value
        assert getattr(ferrodyn, name)(value.value) is value


def test_all_are_there():
    assert set(ENUMS) == {name for name in dir(mujoco) if name.startswith("mjt")}
    kinds = (int, float, tuple)
    theirs = {n for n, value in vars(mujoco).items() if isinstance(value, kinds)}
    assert set(CONSTANTS) == {name for name in theirs if name.startswith("mj")}


def test_there_are_the_usual_ones():
    usual = "Obj Joint Geom Integrator DisableBit EnableBit State Warning Solver Cone Sensor Trn"
    assert {f"mjt{name}" for name in usual.split()} <= set(ENUMS)


@pytest.mark.parametrize("name", CONSTANTS)
def test_constant(name):
    assert getattr(ferrodyn, name) == getattr(mujoco, name)
    assert type(getattr(ferrodyn, name)) is type(getattr(mujoco, name))


def test_a_member_is_an_integer_and_prints_its_name():
    theirs, ours = mujoco.mjtObj.mjOBJ_GEOM, ferrodyn.mjtObj.mjOBJ_GEOM
    assert (str(ours), f"{ours}", repr(ours)) == (str(theirs), f"{theirs}", repr(theirs))
    assert (ours.name, ours.value, int(ours), hash(ours)) == ("mjOBJ_GEOM", 5, 5, hash(5))
    assert ours == 5 and ours + 1 == 6 and ours | 2 == 7
    assert f"{ours:03d}" == "005"
    assert np.arange(10)[ours] == 5
    assert {5: "five"}[ours] == "five"


def test_copies_are_identical():
    member = ferrodyn.mjtState.mjSTATE_QPOS
    assert copy.deepcopy(member) is member
    assert pickle.loads(pickle.dumps(member)) is member


def test_what_is_no_member():
    with pytest.raises(ValueError):
        ferrodyn.mjtObj(1000)
    with pytest.raises(AttributeError):
        ferrodyn.mjtObj.mjOBJ_NOTHING
