"""Fixtures: models and worlds of both engines."""

import warnings

import pytest

import ferrodyn
from helpers import MODELS, TREE, Pair


@pytest.fixture(autouse=True)
def quiet():
    """Divergence is a warning, and here a test of its own: elsewhere it is an error."""
    with warnings.catch_warnings():
        warnings.simplefilter("error", RuntimeWarning)
        yield


@pytest.fixture
def model():
    """The tree, in Ferrodyn."""
    return ferrodyn.MjModel.from_xml_string(TREE)


@pytest.fixture
def data(model):
    """A world of it, after mj_forward."""
    data = ferrodyn.MjData(model)
    ferrodyn.mj_forward(model, data)
    return data


@pytest.fixture
def tree():
    """The tree in both engines, in a random state, after mj_forward."""
    pair = Pair(TREE, seed=1)
    pair.call("mj_forward")
    return pair


@pytest.fixture(params=MODELS)
def pair(request):
    """Each model in both engines, in a random state."""
    return Pair(MODELS[request.param], seed=2)
