"""Skins: their arrays, their surfaces, rays against them, and specifications that have them."""

from pathlib import Path

import mujoco
import numpy as np
import pytest

import ferrodyn
from ferrodyn import queries
from helpers import assert_close

MODULES = (mujoco, ferrodyn)
both = pytest.mark.parametrize("mj", MODULES)
MODELS = Path(__file__).parents[3] / "conformance/models"
NAMES = ("skins", "cable_skin", "skin_parts")

BODY = "<worldbody><body name='b'><freejoint/><geom size='.1'/></body></worldbody>"
SKIN = (
    "<skin name='k' vertex='0 0 0  1 0 0  0 1 0' face='0 1 2' {}><bone body='b' bindpos='0 0 0'"
    " bindquat='1 0 0 0' vertid='0 1 2' vertweight='1 2 3'/></skin>"
)
TRIANGLE = f"<mujoco><asset>{SKIN}</asset>{BODY}</mujoco>"


def pair(name):
    models = [mj.MjModel.from_xml_path(str(MODELS / f"{name}.xml")) for mj in MODULES]
    datas = [mj.MjData(m) for mj, m in zip(MODULES, models)]
    for mj, m, d in zip(MODULES, models, datas):
        d.qvel[:] = 1 + np.arange(m.nv) % 3
        mj.mj_step(m, d, 20)
        mj.mj_forward(m, d)
    return models, datas


@pytest.mark.parametrize("name", NAMES)
def test_arrays(name):
    theirs, ours = pair(name)[0]
    fields = [n for n in dir(theirs) if "skin" in n and not callable(getattr(theirs, n))]
    assert len(fields) > 25
    for field in [*fields, "signature"]:
        np.testing.assert_array_equal(getattr(ours, field), getattr(theirs, field), field)
    assert ours.names == theirs.names and ours.paths == theirs.paths


@pytest.mark.parametrize("name", NAMES)
def test_surfaces_are_those_of_a_scene(name):
    (theirs, ours), (d, e) = pair(name)
    scene, option = mujoco.MjvScene(theirs, 1), mujoco.MjvOption()
    option.skingroup[:] = 1
    mujoco.mjv_updateScene(theirs, d, option, None, mujoco.MjvCamera(), 0, scene)
    for i in range(theirs.nskin):
        first = theirs.skin_vertadr[i]
        rows = slice(first, first + theirs.skin_vertnum[i])
        vertices, normals = queries.skin(ours, e, i)
        assert vertices.dtype == np.float32
        assert_close(vertices, scene.skinvert.reshape(-1, 3)[rows], 1e-6)
        assert_close(normals, scene.skinnormal.reshape(-1, 3)[rows], 1e-6)
    with pytest.raises(IndexError):
        queries.skin(ours, e, ours.nskin)


def test_rays():
    (_, m), (_, d) = pair("skins")
    vertices, _ = queries.skin(m, d, 0)
    face = m.skin_face[: m.skin_facenum[0]].ravel()
    target = vertices[face[:3]].mean(axis=0)
    start = np.array([3.0, 2.0, 5.0])
    found = np.full(1, -7, np.int32)
    args = (len(face) // 3, len(vertices), face, vertices.ravel(), start)
    distance = ferrodyn.mju_raySkin(*args, target - start, found)
    # it may meet another triangle on the way
    assert 0 < distance < 1 + 1e-6 and 0 <= found[0] < len(vertices)
    found[0] = -7
    assert ferrodyn.mju_raySkin(*args, start - target, found) == -1 and found[0] == -7
    with pytest.raises(TypeError):
        ferrodyn.mju_raySkin(5, *args[1:], start, found)
    with pytest.raises(IndexError):
        ferrodyn.mju_raySkin(1, 1, [0, 0, 1], [0, 0, 0], start, start, found)


def test_one_triangle_as_in_mujoco():
    # MuJoCo's function gets single numbers, so that only its argument of no triangles is safe
    point, vec, found = np.zeros(3), np.ones(3), np.zeros(1, np.int32)
    assert mujoco.mju_raySkin(0, 0, 0, 0.0, point, vec, found) == -1
    assert ferrodyn.mju_raySkin(0, 0, [], [], point, vec, found) == -1


@both
def test_a_skin_is_made_in_a_specification(mj):
    spec = mj.MjSpec.from_string(f"<mujoco>{BODY}</mujoco>")
    skin = spec.add_skin(name="k", inflate=2.0, vertid=[[1, 1], [2, 2]])
    assert skin.inflate == 2.0 and skin.vertid == [[1, 1], [2, 2]]
    skin.vertid = [[0, 1, 2]]
    skin.vertweight = [[1, 2, 3]]
    skin.vert = [0, 0, 0, 1, 0, 0, 0, 1, 0]
    skin.face = [0, 1, 2]
    skin.bodyname = ["b"]
    skin.bindpos = [0, 0, 0]
    skin.bindquat = [2, 0, 0, 0]
    skin.rgba[1] = 0.25
    skin.group = 3
    assert list(skin.bodyname) == ["b"] and list(skin.vert)[3] == 1
    assert skin.vertweight == [[1.0, 2.0, 3.0]] and skin.texcoord is not None
    model = spec.compile()
    assert model.skin("k").rgba.tolist() == [0.5, 0.25, 0.5, 1] and model.skin_group[0] == 3
    np.testing.assert_array_equal(model.skin_bonevertweight, [1, 1, 1])
    assert model.skin(0).vertnum[0] == 3
    assert spec.skins == [skin] and spec.skin("k").name == "k" and spec.skin("no") is None
    again = mj.MjSpec.from_string(spec.to_xml()).compile()
    np.testing.assert_array_equal(again.skin_vert, model.skin_vert)
    assert spec.copy().compile().nskin == 1
    spec.delete(skin)
    assert spec.compile().nskin == 0 and not spec.skins


@both
def test_bones_follow_an_attached_body(mj):
    child = mj.MjSpec.from_string(TRIANGLE.format(""))
    parent = mj.MjSpec()
    parent.worldbody.add_frame().attach_body(child.body("b"), "p/", "")
    model = parent.compile()
    assert model.skin("k").bonenum[0] == 1
    assert model.body(model.skin_bonebodyid[0]).name == "p/b"


REFUSED = [
    SKIN.format("group='6'"),
    SKIN.format("material='m'"),
    SKIN.format("texcoord='0 0'"),
    SKIN.format("file='k.skn'"),
    SKIN.format("class='main'"),
    SKIN.format("").replace("body='b'", "body='c'"),
    SKIN.format("").replace("vertid='0 1 2'", "vertid='0 1 3'"),
    SKIN.format("").replace("vertid='0 1 2'", "vertid='0 1'"),
    SKIN.format("").replace("vertid='0 1 2'", "vertid='0 1 1'"),
    SKIN.format("").replace("bindpos='0 0 0'", ""),
    SKIN.format("").replace("face='0 1 2'", "face='0 1'"),
    SKIN.format("").replace("face='0 1 2'", ""),
    SKIN.format("") + SKIN.format(""),
    "<skin name='k'/>",
    "<skin file='k.obj'/>",
]


@pytest.mark.parametrize("skin", REFUSED)
@pytest.mark.parametrize("section", ["asset", "deformable"])
def test_what_mujoco_refuses_is_refused(skin, section):
    text = f"<mujoco><{section}>{skin}</{section}>{BODY}</mujoco>"
    for mj in MODULES:
        with pytest.raises(ValueError):
            mj.MjModel.from_xml_string(text)


def skn(bones=((b"b", (0, 1, 2)),), tail=b""):
    """A file with one triangle."""
    data = np.array([3, 0, 1, len(bones)], "<i4").tobytes()
    data += np.eye(3, dtype="<f4").tobytes() + np.arange(3, dtype="<i4").tobytes()
    for body, ids in bones:
        data += body.ljust(40, b"\0") + np.array([0, 0, 0, 1, 0, 0, 0], "<f4").tobytes()
        data += np.array([len(ids), *ids], "<i4").tobytes()
        data += np.ones(len(ids), "<f4").tobytes()
    return data + tail


FILES = {
    "whole": skn(),
    "long": skn(tail=b"1234"),
    "no bones": skn(()),
    "other body": skn([(b"c", (0, 1, 2))]),
    "empty bone": skn([(b"b", (0, 1, 2)), (b"b", ())]),
    "outside": skn([(b"b", (0, 1, 3))]),
    "negative": b"\xff" * 4 + skn()[4:],
    **{f"cut at {n}": skn()[:n] for n in (0, 8, 16, 40, 70, 100, 135, 150)},
}


@pytest.mark.parametrize("name", FILES)
def test_files(name):
    text = f"<mujoco><asset><skin file='k.skn'/></asset>{BODY}</mujoco>"
    results = []
    for mj in MODULES:
        try:
            results.append(mj.MjModel.from_xml_string(text, {"k.skn": FILES[name]}))
        except ValueError as error:
            results.append(error)
    theirs, ours = results
    assert isinstance(ours, ValueError) == isinstance(theirs, ValueError) == (name != "whole")
    if name == "whole":
        np.testing.assert_array_equal(ours.skin_vert, theirs.skin_vert)
