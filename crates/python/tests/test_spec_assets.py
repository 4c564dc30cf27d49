"""Meshes, textures and files that programs give in memory."""

import io
import zipfile

import mujoco
import numpy as np
import pytest

import ferrodyn
from test_spec import both
from test_spec_models import assert_same_model

TETRAHEDRON = [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1]
FACES = [0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3]


def same_model(build):
    """Both modules compile what the program builds to the same model."""
    theirs, ours = build(mujoco).compile(), build(ferrodyn).compile()
    assert_same_model(theirs, ours)
    return theirs, ours


def pixels(count):
    return bytes((37 * i + 11) % 256 for i in range(count))


@pytest.mark.parametrize("channels", [1, 2, 3, 4])
@pytest.mark.parametrize("flips", [(0, 0), (1, 0), (0, 1), (1, 1)])
@pytest.mark.parametrize("kind", ["2D", "CUBE"])
def test_pixels_of_a_texture(kind, flips, channels):
    def build(mj):
        spec = mj.MjSpec()
        texture = spec.add_texture(
            name="t",
            type=getattr(mj.mjtTexture, f"mjTEXTURE_{kind}"),
            width=3,
            height=2,
            nchannel=channels,
            hflip=flips[0],
            vflip=flips[1],
        )
        texture.data = pixels(6 * channels)
        return spec

    theirs, ours = same_model(build)
    assert ours.tex_data.tobytes() == theirs.tex_data.tobytes()


@both
def test_pixels_are_read_back(mj):
    spec = mj.MjSpec()
    texture = spec.add_texture(name="t", width=2, height=1)
    assert texture.data == b""
    texture.data = bytes([1, 2, 3, 4, 5, 6])
    assert texture.data == bytes([1, 2, 3, 4, 5, 6])
    changed = bytearray(texture.data)
    changed[1] = 255
    texture.data = bytes(changed)
    assert spec.compile().tex_data.tolist() == [1, 255, 3, 4, 5, 6]
    with pytest.raises(TypeError):
        texture.data = 3
    # a pattern is there when it was compiled
    pattern = spec.add_texture(name="p", type=0, builtin=2, width=2, height=2)
    assert pattern.data == b""
    model = spec.compile()
    assert pattern.data == model.tex_data[model.tex_adr[1] :].tobytes()
    assert len(pattern.data) == 12


@both
def test_pixels_must_fit(mj):
    spec = mj.MjSpec()
    spec.add_texture(name="t", width=2, height=2).data = bytes(11)
    with pytest.raises(ValueError, match="given 11 expected 12\nElement name 't', id 0"):
        spec.compile()


def test_copies_have_the_pixels():
    spec = ferrodyn.MjSpec()
    texture = spec.add_texture(name="t", width=1, height=1)
    texture.data = b"abc"
    other = spec.copy()
    texture.data = b"xyz"
    assert other.texture("t").data == b"abc"
    assert other.compile().tex_data.tobytes() == b"abc"


def obj(scale):
    vertices = np.reshape(TETRAHEDRON, (-1, 3)) * scale
    faces = np.reshape(FACES, (-1, 3)) + 1
    lines = [f"v {x} {y} {z}" for x, y, z in vertices] + [f"f {a} {b} {c}" for a, b, c in faces]
    return "\n".join(lines).encode()


def mesh_program(from_file=False, **extra):
    def build(mj):
        spec = mj.MjSpec()
        if from_file:
            spec.assets = {"m.obj": obj(1)}
            mesh = spec.add_mesh(name="m", file="m.obj")
        else:
            mesh = spec.add_mesh(name="m", uservert=TETRAHEDRON, userface=FACES)
        for name, value in extra.items():
            setattr(mesh, name, value)
        spec.worldbody.add_geom(type=mj.mjtGeom.mjGEOM_MESH, meshname="m")
        return spec

    return build


NORMALS = np.eye(3).ravel().tolist()


@pytest.mark.parametrize("from_file", [False, True])
def test_normals_of_faces(from_file):
    build = mesh_program(from_file, usernormal=NORMALS, userfacenormal=[0, 1, 2] * 4)
    theirs, ours = same_model(build)
    # MuJoCo looks at them beside a file only
    expected = [[0, 1, 2] if from_file else [0, 0, 0]] * 4
    assert ours.mesh_facenormal.tolist() == theirs.mesh_facenormal.tolist() == expected


def test_texture_coordinates_of_faces():
    coordinates = [0, 0, 1, 0, 1, 1, 0, 1, 0.5, 0.5]
    corners = [0, 1, 2, 2, 3, 4, 4, 0, 1, 1, 2, 3]
    build = mesh_program(usertexcoord=coordinates, userfacetexcoord=corners)
    theirs, ours = same_model(build)
    assert ours.mesh_facetexcoord.tolist() == theirs.mesh_facetexcoord.tolist()
    assert ours.mesh_facetexcoord.ravel().tolist() == corners


@pytest.mark.parametrize(
    "extra",
    [
        {"from_file": True, "usernormal": NORMALS, "userfacenormal": [0, 1, 2]},
        {"from_file": True, "usernormal": NORMALS, "userfacenormal": [0, 1, 3] * 4},
        {"from_file": True, "usernormal": NORMALS, "userfacenormal": [0, 1, -1] * 4},
        {"usertexcoord": [0, 0] * 5, "userfacetexcoord": [0, 1, 5] * 4},
        {"usertexcoord": [0, 0] * 5, "userfacetexcoord": [0, 1, 2]},
        {"usertexcoord": [0, 0] * 5, "userfacetexcoord": [0, 1]},
    ],
)
def test_indices_of_faces_that_lead_nowhere(extra):
    with pytest.raises(ValueError, match="Element name 'm', id 0"):
        mesh_program(**extra)(ferrodyn).compile()


def test_an_octree_on_request():
    without, with_octree = same_model(mesh_program())[1], same_model(mesh_program(needsdf=1))[1]
    assert without.noct == 0 and with_octree.noct > 0


@both
def test_intrinsics_of_a_camera_are_the_program_s_own(mj):
    spec = mj.MjSpec()
    camera = spec.worldbody.add_camera(
        resolution=[10, 20], sensor_size=[0.1, 0.2], focal_length=[0.05, 0.04]
    )
    assert camera.intrinsic.dtype == np.float32 and camera.intrinsic.tolist() == [0, 0, 0, 0]
    camera.intrinsic = [1, 2, 3, 4]
    camera.intrinsic[0] = 5
    model = spec.compile()
    assert camera.intrinsic.tolist() == [5, 2, 3, 4]
    assert model.cam_intrinsic[0].tolist() == np.float32([0.05, 0.04, 0, 0]).tolist()


ZIPPED = """
<mujoco model="zipped">
  <compiler meshdir="parts"/>
  <asset><mesh name="m" file="wedge.obj"/></asset>
  <worldbody><body><freejoint/><geom type="mesh" mesh="m"/></body></worldbody>
</mujoco>
"""


def archive(root):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as file:
        if root:
            file.writestr(root, "")
        file.writestr(f"{root}parts/wedge.obj", obj(0.5))
        file.writestr(f"{root}model.xml", ZIPPED)
    out.seek(0)
    return out


@pytest.mark.parametrize("root", ["", "folder/"])
def test_archives_are_read(root, tmp_path):
    specs = [mj.MjSpec.from_zip(archive(root)) for mj in (mujoco, ferrodyn)]
    assert [list(spec.assets) for spec in specs] == [["parts/wedge.obj"]] * 2
    assert_same_model(*(spec.compile() for spec in specs))
    path = tmp_path / "model.zip"
    path.write_bytes(archive(root).read())
    assert ferrodyn.MjSpec.from_zip(str(path)).compile().nmesh == 1


@both
def test_archives_are_written_and_read_back(mj, tmp_path):
    spec = mj.MjSpec.from_zip(archive(""))
    spec.compile()
    path = tmp_path / "new" / "model.zip"
    spec.to_zip(str(path))
    with zipfile.ZipFile(path) as file:
        assert sorted(file.namelist()) == ["parts/wedge.obj", "zipped.xml"]
    again = mj.MjSpec.from_zip(str(path))
    assert again.compile().nmeshvert == 4
    assert again.to_xml() == mj.MjSpec.from_string(spec.to_xml(), assets=spec.assets).to_xml()


def test_writing_an_archive_leaves_the_files_alone(tmp_path):
    spec = ferrodyn.MjSpec.from_zip(archive(""))
    spec.to_zip(str(tmp_path / "model.zip"))
    assert list(spec.assets) == ["parts/wedge.obj"]


@both
def test_what_is_not_an_archive(mj, tmp_path):
    path = tmp_path / "model.zip"
    path.write_text("no archive")
    with pytest.raises(ValueError, match="is not a zip file"):
        mj.MjSpec.from_zip(str(path))
    with zipfile.ZipFile(path, "w") as file:
        file.writestr("readme.txt", "no model")
    with pytest.raises(ValueError, match="No XML file found"):
        mj.MjSpec.from_zip(str(path))
