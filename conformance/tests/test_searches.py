"""What collision detection remembers from step to step, and who looks at its marks, changes no result: every mesh model of the quick set."""

import json

import numpy as np
import pytest

import ferrodyn
from ferrodyn_conform import corpus

QUICK = json.loads((corpus.HERE / "quick.json").read_text())
MODELS = [(name, path) for name, paths in QUICK.items() for path in paths]
STEPS = 60


def run(model, forget, watch=False):
    """Fingerprints of all steps; before those that ``forget`` names, everything that was remembered is forgotten."""
    data = ferrodyn.MjData(model)
    if watch:
        assert not data.bvh_active.any()
    if model.nkey:
        ferrodyn.mj_resetDataKeyframe(model, data, 0)
    data.ctrl[:] += 0.1 * np.random.default_rng(0).uniform(-1, 1, model.nu)
    hashes = []
    for step in range(STEPS):
        if forget(step):
            data._native.forget_searches()
        ferrodyn.mj_step(model, data)
        hashes.append((data._native.state_hash(), data.ncon))
    return hashes


@pytest.mark.parametrize(("name", "path"), MODELS, ids=lambda value: value)
def test_steps_do_not_depend_on_what_was_remembered(name, path):
    file = corpus.get(name).root / path
    try:
        model = ferrodyn.MjModel.from_xml_path(str(file))
    except ValueError:
        pytest.skip("a model that is refused on purpose")
    if model.nmesh == 0:
        pytest.skip("has no meshes")
    remembered = run(model, lambda step: False)
    assert run(model, lambda step: True) == remembered
    assert run(model, lambda step: False, watch=True) == remembered
    random = np.random.default_rng(1).integers(0, 3, STEPS)
    assert run(model, lambda step: random[step] == 0) == remembered
