"""The table of Data fields is complete, and nothing in it is undefined memory."""

import mujoco
import numpy as np
import pytest

from ferrodyn_conform import dirty_oracle, fields
from ferrodyn_conform.check import Task, check
from ferrodyn_conform.level_model import model_fields


def test_every_field_of_data_is_compared_or_excluded(scene):
    model = mujoco.MjModel.from_xml_path(str(scene))
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    known = {name for name, _, _ in fields.DATA_FIELDS}
    for name in dir(mujoco.MjData):
        if name.startswith("_") or name in fields.DATA_EXCLUDED or callable(getattr(data, name)):
            continue
        value = getattr(data, name)
        if isinstance(value, (np.ndarray, int, float)):
            assert name in known, name
        else:
            for part in dir(type(value)):
                if not part.startswith("_") and isinstance(getattr(value, part), np.ndarray):
                    assert f"{name}.{part}" in known, f"{name}.{part}"


def test_no_field_is_listed_twice():
    names = [name for name, _, _ in fields.DATA_FIELDS]
    assert len(names) == len(set(names))


def test_model_fields_cover_nested_structs(scene):
    names = model_fields(mujoco.MjModel.from_xml_path(str(scene)))
    assert {"nq", "body_mass", "opt.timestep", "stat.extent", "vis.map.znear", "names", "signature"} <= set(names)
    assert not {"narena", "nbuffer"} & set(names)


@pytest.mark.parametrize("solver", ["PGS", "CG", "Newton"])
@pytest.mark.parametrize("jacobian", ["dense", "sparse"])
def test_left_over_memory_is_not_compared(scene, solver, jacobian):
    scene.write_text(scene.read_text().replace("<mujoco>", f'<mujoco><option solver="{solver}" jacobian="{jacobian}"/>', 1))
    result = check(Task("test", scene.name, str(scene.parent)), dirty_oracle)
    assert set(result.levels.values()) == {"pass"}, result.misses
