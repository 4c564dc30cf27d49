"""Flexes from files of GMSH, whole and damaged, in both engines."""

import mujoco
import numpy as np
import pytest

import ferrodyn

MODULES = (mujoco, ferrodyn)
TEXT = (
    "<mujoco><worldbody><body name='p'><flexcomp name='f' type='gmsh' file='f.msh' dim='3'>"
    "<elasticity young='10'/></flexcomp></body></worldbody></mujoco>"
)
POINTS = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 1, 1]], "<f8")
# binary files of format 2.2 need as many elements as points
ELEMENTS = np.array([[1, 2, 3, 4], [2, 3, 4, 5], [1, 3, 4, 5], [1, 2, 4, 5], [1, 2, 4, 5]], "<i4")
TAGS = np.arange(1, 6, dtype="<i4")


def rows(table):
    return "".join(" ".join(f"{x:g}" for x in row) + "\n" for row in table).encode()


def text_41():
    nodes = b"1 5 1 5\n3 1 0 5\n" + rows(TAGS[:, None]) + rows(POINTS)
    return nodes, b"1 5 1 5\n3 1 4 5\n" + rows(np.column_stack([TAGS, ELEMENTS]))


def binary_41():
    def header(kind):
        words = np.array([1, 5, 1, 5], "<u8").tobytes() + np.array([3, 1, kind], "<i4").tobytes()
        return words + np.array([5], "<u8").tobytes()

    nodes = header(0) + TAGS.astype("<u8").tobytes() + POINTS.tobytes()
    return nodes, header(4) + np.column_stack([TAGS, ELEMENTS]).astype("<u8").tobytes()


def text_22():
    head = [[tag, 4, 2, 0, 1] for tag in TAGS]
    return b"5\n" + rows(np.column_stack([TAGS, POINTS])), b"5\n" + rows(np.hstack([head, ELEMENTS]))


def binary_22():
    nodes = b"".join(tag.tobytes() + point.tobytes() for tag, point in zip(TAGS, POINTS))
    # type, following, tags, number, two tags, nodes; four bytes stand before the data
    head = np.array([[4, 1, 2, tag, 0, 1] for tag in TAGS], "<i4")
    return b"005\n" + nodes, b"005\n" + np.hstack([head, ELEMENTS]).tobytes()


def gmsh(make, binary):
    version = "4.1" if make in (text_41, binary_41) else "2.2"
    nodes, elements = make()
    head = f"$MeshFormat\n{version} {binary} 8\n".encode() + (b"\1\0\0\0\n" if binary else b"")
    sections = b"$Nodes\n" + nodes + b"$EndNodes\n$Elements\n" + elements + b"$EndElements\n"
    return head + b"$EndMeshFormat\n" + sections


FILES = {
    "text 4.1": gmsh(text_41, 0),
    "binary 4.1": gmsh(binary_41, 1),
    "text 2.2": gmsh(text_22, 0),
    "binary 2.2": gmsh(binary_22, 1),
}


def load(mj, folder, data):
    # MuJoCo does not read files of flexes from memory
    (folder / "f.msh").write_bytes(data)
    (folder / "m.xml").write_text(TEXT)
    try:
        return mj.MjModel.from_xml_path(str(folder / "m.xml"))
    except ValueError:
        return None


@pytest.mark.parametrize("name", FILES)
def test_a_whole_file(name, tmp_path):
    theirs, ours = (load(mj, tmp_path, FILES[name]) for mj in MODULES)
    assert ours.nflexelem == 5
    for field in "flex_vert0 flex_elem flex_shell flex_stiffness flexedge_length0".split():
        np.testing.assert_allclose(getattr(ours, field), getattr(theirs, field), 1e-12, 1e-12)


CHANGES = [
    (b"$EndNodes", b""),
    (b"$EndElements", b""),
    (b"$Nodes", b"$Nods"),
    (b"$MeshFormat\n", b"$Meshformat\n"),
    (b"$MeshFormat\n4.1", b"$MeshFormat\n4.2"),
    (b"$MeshFormat\n2.2", b"$MeshFormat\n2.1"),
    (b"1 5 1 5\n", b"2 5 1 5\n"),
    (b"3 1 0 5\n", b"3 1 0 6\n"),
    (b"3 1 0 5\n", b"4 1 0 5\n"),
    (b"3 1 4 5\n", b"3 1 2 5\n"),
    (b"$Nodes\n5\n", b"$Nodes\n6\n"),
    (b"$Nodes\n5\n", b"$Nodes\n-5\n"),
    (b"$Elements\n5\n", b"$Elements\n6\n"),
    (b"$Nodes\n005\n", b"$Nodes\n009\n"),
    (b"$Nodes\n005\n", b"$Nodes\n5\n"),
    (b"$Elements\n005\n", b"$Elements\n009\n"),
]


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("old, new", CHANGES)
def test_what_mujoco_refuses_is_refused(name, old, new, tmp_path):
    if old in FILES[name]:
        damaged = FILES[name].replace(old, new, 1)
        assert [load(mj, tmp_path, damaged) for mj in MODULES] == [None, None]
