"""The benchmarks: their models, their workers, what they write. Nothing here asks how long something takes."""

from __future__ import annotations

import sys
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import mujoco
import numpy as np
import pytest

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "benches"))

import document  # noqa: E402
import engines  # noqa: E402
import growth  # noqa: E402
import instructions  # noqa: E402
import plot  # noqa: E402
import worker  # noqa: E402

SVG = "{http://www.w3.org/2000/svg}"


def test_the_table_of_models_has_all_that_are_promised():
    names = (
        "pendulum, cartpole, hopper, half-cheetah, ant, humanoid, 22 humanoids, 100 humanoids, go1, go2, g1, panda, shadow hand, aloha, cassie,"
        " spot, muscle arm, fruit fly, cards, balloons, kitchen"
    )
    table = engines.models()
    assert set(names.split(", ")) <= set(table)
    for source, path in table.values():
        assert source != "benches" or engines.find(source, path).exists()
    assert engines.find("benches", "nothing.xml") is None


def test_the_muscle_arm_has_its_size_and_stays_finite():
    model = mujoco.MjModel.from_xml_path(str(ROOT / "benches/models/muscle_arm.xml"))
    data = mujoco.MjData(model)
    assert (model.nv, model.nu, model.ntendon) == (33, 62, 62)
    wraps = set(model.wrap_type)
    assert {int(mujoco.mjtWrap.mjWRAP_SPHERE), int(mujoco.mjtWrap.mjWRAP_CYLINDER)} <= wraps
    data.ctrl[:] = 0.05 * np.random.default_rng(0).uniform(-1, 1, model.nu)
    mujoco.mj_step(model, data, 300)
    assert 60 <= data.nefc <= 75
    mujoco.mj_step(model, data, 4700)
    assert np.isfinite(data.qpos).all() and abs(data.qvel).max() < 1
    assert not data.warning.number.any()


@pytest.mark.parametrize("curve", growth.CURVES, ids=lambda curve: curve[0])
def test_a_curve_has_models_of_the_size_that_it_names(curve):
    name, _, _, make, sizes, _ = curve
    assert sizes == sorted(sizes) and len(sizes) >= 4
    size = 30 if name != "mesh_faces" else 1000
    model = mujoco.MjModel.from_xml_string(make(size))
    data = mujoco.MjData(model)
    mujoco.mj_step(model, data, 50)
    assert np.isfinite(data.qpos).all() and not data.warning.number.any()
    if name == "dofs":
        assert model.nv == size
    elif name == "contacts":
        # every box rests on something
        assert model.nv == 6 * size and data.ncon >= 3 * size
    elif name == "asleep":
        assert model.nv == 6 * size and data.ntree_awake == 0
    elif name == "mesh_faces":
        assert model.mesh_facenum[0] == pytest.approx(size, rel=0.1) and data.ncon > 0
    else:
        assert model.ntendon == size


def test_a_line_shows_where_engines_differ_and_how_much_slower_they_are():
    figures = [[60, 10, 40], [60, 10, 40], [60, 9, 36]], [2.0, 3.0, 1.0]
    assert growth.row_of(10, figures) == ["10", "60", "10 / 10 / 9", "40 / 40 / 36", "2.0", "3.0", "1.0", "1.50", "0.50"]
    refused = [[1000, 0, 0], None], [2.0, None]
    assert growth.row_of(1000, refused) == ["1,000", "1,000", "0", "0", "2.0", "-", "-"]


def test_the_stages_of_a_step_are_all_its_functions():
    listed = [name for names in worker.STAGES.values() for name in names]
    assert sorted(listed) == sorted([*worker.ORDER, "integrator"])


@pytest.mark.parametrize("module", ["ferrodyn", "mujoco"])
def test_a_worker_loads_settles_saves_and_advances(module, scene, tmp_path):
    engine = engines.Engine(sys.executable, module)
    model = mujoco.MjModel.from_xml_path(str(scene))
    degrees, contacts, rows = engine.load(scene)
    assert degrees == model.nv and rows >= contacts >= 1
    assert engine.time(10) > 0
    assert list(engine.stages(5)) == list(worker.STAGES)
    assert engine.ask(f"save {tmp_path / 'saved'}") == ["saved"]
    assert engine.ask(f"restore {tmp_path / 'saved'}") == ["restored"]
    assert engine.ask("count 3") == ["counted"]
    scene.write_text("<mujoco><nonsense/></mujoco>")
    assert engine.load(scene) is None
    engine.close()


def test_stages_called_one_by_one_are_a_step(scene):
    import ferrodyn

    model = ferrodyn.MjModel.from_xml_path(str(scene))
    stepped, called = ferrodyn.MjData(model), ferrodyn.MjData(model)
    ferrodyn.mj_step(model, stepped, 50)
    worker.function_times(ferrodyn, model, called, 50)
    assert np.array_equal(stepped.qpos, called.qpos) and np.array_equal(stepped.sensordata, called.sensordata)


def test_totals_of_callgrind_are_read():
    assert instructions.total("events: Ir\nfn=(1) f\n1 5\ntotals: 12345\n") == 12345
    assert instructions.total("summary: 77\n") == 77


def test_a_table_is_replaced_in_its_place_only():
    page = "a\n<!-- begin x -->\nold\n<!-- end x -->\nb\n<!-- begin y -->\n<!-- end y -->\n"
    text = document.table(["model", "n"], [["one", 1]])
    new = document.replace(page, "x", text)
    assert new == page.replace("old", "| model | n |\n|---|---:|\n| one | 1 |")
    assert document.replace(new, "x", text) == new
    with pytest.raises(SystemExit):
        document.replace(page, "z", text)


def test_the_page_has_a_place_for_every_table():
    page = document.PAGE.read_text()
    for name in ("speed", "instructions", "stages", "growth", "load"):
        document.replace(page, name, "")


def test_points_lie_where_the_axes_say():
    picture = ElementTree.fromstring(plot.log_log("a < b", "x & y", "us", {"first": [(1, 1), (10, 100)], "second": [(100, 10)]}))
    dots = [(float(dot.get("cx")), float(dot.get("cy"))) for dot in picture.iter(f"{SVG}circle")]
    bottom, right = plot.HEIGHT - plot.BOTTOM, plot.WIDTH - plot.RIGHT
    middle = ((plot.LEFT + right) / 2, (plot.TOP + bottom) / 2)
    assert np.allclose(dots, [(plot.LEFT, bottom), (middle[0], plot.TOP), (right, middle[1])], atol=0.06)
    words = [text.text for text in picture.iter(f"{SVG}text")]
    assert {"a < b", "x & y", "us", "first", "second", "1", "10", "100"} <= set(words)
    assert len(list(picture.iter(f"{SVG}polyline"))) == 2


def test_an_axis_has_whole_decades_and_short_numbers():
    assert plot.decades([3, 400]) == (0, 3)
    assert plot.decades([10, 10]) == (1, 2)
    assert [plot.number(value) for value in (0.1, 10, 1000, 1e5, 1e6)] == ["0.1", "10", "1k", "100k", "1M"]
