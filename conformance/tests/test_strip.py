"""Stripping removes what is listed, follows classes and includes, and leaves the rest alone."""

import xml.etree.ElementTree as ET
from pathlib import Path

import mujoco
import pytest

from ferrodyn_conform.document import Document, Unreadable, uses_meshes
from ferrodyn_conform.strip import Rules, strip_model

RULES = Rules.load(Path(__file__).resolve().parent.parent / "unsupported.json")
EVERYTHING = Rules({
    "sections": ["asset", "actuator", "sensor"],
    "attributes": {"*": ["material"], "key": ["ctrl"]},
    "values": {"geom": {"type": ["mesh"]}},
    "present": {"geom": ["mesh"]},
})


def strip(tmp_path, text, rules=EVERYTHING, **files):
    source = tmp_path / "source"
    source.mkdir()
    path = source / "model.xml"
    path.write_text(text)
    for name, content in files.items():
        (source / f"{name}.xml").write_text(content)
    out = strip_model(path, source, rules, tmp_path / "out")
    return path, out


def test_nothing_to_remove_keeps_the_original(tmp_path):
    path, out = strip(tmp_path, "<mujoco><worldbody><geom size='1'/></worldbody></mujoco>")
    assert out == path


def test_sections_go_and_their_defaults_stay(tmp_path):
    _, out = strip(tmp_path, """<mujoco>
      <default><motor gear="2"/></default>
      <worldbody><body><joint name="j"/><geom size="1"/></body></worldbody>
      <actuator><motor joint="j"/></actuator>
      <keyframe><key ctrl="1" qpos="0.5"/></keyframe></mujoco>""")
    root = ET.parse(out).getroot()
    assert root.find("actuator") is None
    assert root.find("default/motor") is not None
    assert root.find("keyframe/key").attrib == {"qpos": "0.5"}
    mujoco.MjModel.from_xml_path(str(out))


def test_geoms_that_are_meshes_by_class_go(tmp_path):
    _, out = strip(tmp_path, """<mujoco>
      <default><default class="visual"><geom type="mesh" material="red"/><default class="sub"/></default></default>
      <asset><mesh name="m" vertex="0 0 0 1 0 0 0 1 0 0 0 1"/><material name="red"/></asset>
      <worldbody>
        <geom name="a" class="sub" mesh="m"/>
        <geom name="b" class="visual" type="box" size="1 1 1"/>
        <body childclass="visual"><geom name="c" mesh="m"/><geom name="d" type="sphere" size="1"/></body>
        <geom name="e" size="1"/>
      </worldbody></mujoco>""")
    root = ET.parse(out).getroot()
    assert [geom.get("name") for geom in root.find("worldbody").iter("geom")] == ["b", "d", "e"]
    assert root.find(".//default[@class='visual']/geom").attrib == {}
    mujoco.MjModel.from_xml_path(str(out))


def test_included_files_are_stripped_and_emptied_includes_dropped(tmp_path):
    _, out = strip(tmp_path, """<mujoco><include file="assets.xml"/><worldbody><include file="body.xml"/></worldbody></mujoco>""",
                   assets="<mujocoinclude><asset><material name='red'/></asset></mujocoinclude>",
                   body="<mujocoinclude><geom name='g' size='1' material='red'/></mujocoinclude>")
    root = ET.parse(out).getroot()
    assert [include.get("file") for include in root.iter("include")] == ["body.xml"]
    assert "material" not in (out.parent / "body.xml").read_text()
    assert mujoco.MjModel.from_xml_path(str(out)).ngeom == 1


def test_references_to_removed_objects_go(tmp_path):
    rules = Rules({"values": {"geom": {"type": ["mesh"]}}})
    _, out = strip(tmp_path, """<mujoco>
      <asset><mesh name="m" vertex="0 0 0 1 0 0 0 1 0 0 0 1"/></asset>
      <worldbody><body name="b"><freejoint/><geom name="gone" type="mesh" mesh="m"/><geom name="kept" size="1"/></body></worldbody>
      <contact><pair geom1="gone" geom2="kept"/><exclude body1="world" body2="b"/></contact>
      <custom><tuple name="t"><element objtype="geom" objname="gone"/><element objtype="geom" objname="kept"/></tuple></custom>
      </mujoco>""", rules)
    root = ET.parse(out).getroot()
    assert root.find("contact/pair") is None
    assert root.find("contact/exclude") is not None
    assert [e.get("objname") for e in root.iter("element")] == ["kept"]


def test_a_file_that_is_no_xml_is_unreadable(tmp_path):
    with pytest.raises(Unreadable):
        strip(tmp_path, "<mujoco><worldbody></mujoco>")


def test_assets_that_stay_are_found(tmp_path):
    (tmp_path / "source").mkdir()
    (tmp_path / "source" / "model.xml").write_text("""<mujoco><compiler meshdir="parts"/>
      <asset><mesh name="m" file="m.obj"/></asset>
      <worldbody><body><freejoint/><geom type="mesh" mesh="m" material="x"/></body></worldbody></mujoco>""")
    (tmp_path / "source" / "parts").mkdir()
    (tmp_path / "source" / "parts" / "m.obj").write_text(
        "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n")
    rules = Rules({"attributes": {"*": ["material"]}})
    out = strip_model(tmp_path / "source" / "model.xml", tmp_path / "source", rules, tmp_path / "out")
    assert mujoco.MjModel.from_xml_path(str(out)).nmesh == 1


def test_the_rules_of_the_project_leave_a_scene_loadable(scene, tmp_path):
    out = strip_model(scene, scene.parent, RULES, tmp_path / "stripped")
    model = mujoco.MjModel.from_xml_path(str(out))
    assert (model.nu, model.nsensor) == (1, 2)


def test_meshes_are_noticed_through_includes(tmp_path):
    (tmp_path / "inner.xml").write_text("<mujocoinclude><mesh name='m' vertex='0 0 0'/></mujocoinclude>")
    (tmp_path / "model.xml").write_text("<mujoco><asset><include file='inner.xml'/></asset></mujoco>")
    assert uses_meshes(Document(tmp_path / "model.xml"))
    (tmp_path / "plain.xml").write_text("<mujoco><default><mesh scale='1 1 1'/></default></mujoco>")
    assert not uses_meshes(Document(tmp_path / "plain.xml"))
