"""The mju_ functions on vectors, matrices, quaternions and poses."""

import re
from pathlib import Path

import mujoco
import numpy as np
import pytest

import ferrodyn
from helpers import KINEMATICS, assert_close

RNG = np.random.default_rng(7)


def v(n, scale=1.0):
    return RNG.normal(size=n) * scale


def unit(n):
    x = RNG.normal(size=n)
    return x / np.linalg.norm(x)


def rotation():
    mat = np.zeros(9)
    mujoco.mju_quat2Mat(mat, unit(4))
    return mat


def spd(n):
    a = RNG.normal(size=(n, n))
    return a @ a.T + n * np.eye(n)


OUT = object()  # stands for an output array, in the place where it is passed


def cases():
    """Function, shapes of its outputs, arguments."""
    for _ in range(5):
        yield "mju_rotVecQuat", [3], (v(3), unit(4))
        yield "mju_negQuat", [4], (v(4),)
        yield "mju_mulQuat", [4], (v(4), v(4))
        yield "mju_mulQuatAxis", [4], (v(4), v(3))
        yield "mju_axisAngle2Quat", [4], (unit(3), RNG.normal())
        yield "mju_quat2Vel", [3], (unit(4), 0.3)
        yield "mju_subQuat", [3], (unit(4), unit(4))
        yield "mju_quat2Mat", [9], (unit(4),)
        yield "mju_mat2Quat", [4], (rotation(),)
        yield "mju_derivQuat", [4], (unit(4), v(3))
        yield "mju_quatZ2Vec", [4], (v(3),)
        yield "mju_mulPose", [3, 4], (v(3), unit(4), v(3), unit(4))
        yield "mju_negPose", [3, 4], (v(3), unit(4))
        yield "mju_trnVecPose", [3], (v(3), unit(4), v(3))
        yield "mju_transformSpatial", [6], (v(6), 0, v(3), v(3), rotation())
        yield "mju_transformSpatial", [6], (v(6), 1, v(3), v(3), rotation())
        yield "mju_cross", [3], (v(3), v(3))
    for seq in ("xyz", "XYZ", "zyx", "zxz", "xYz", "yyX"):
        yield "mju_euler2Quat", [4], (v(3), seq)
    for angle in (0.0, np.pi, -7.0):
        yield "mju_axisAngle2Quat", [4], (unit(3), angle)
    yield "mju_rotVecQuat", [3], (v(3), np.array([1.0, 0, 0, 0]))
    yield "mju_rotVecQuat", [3], (np.zeros(3), unit(4))
    yield "mju_quat2Vel", [3], (np.array([1.0, 0, 0, 0]), 0.1)
    for z in ([0.0, 0, 1], [0.0, 0, -1], [0.0, 0, 0]):
        yield "mju_quatZ2Vec", [4], (np.array(z),)
    for diagonal in ([1.0, 1, 1], [-1.0, -1, 1], [1.0, -1, -1], [-1.0, 1, -1]):
        yield "mju_mat2Quat", [4], (np.diag(diagonal).ravel(),)
    yield "mju_zero3", [3], ()
    yield "mju_zero4", [4], ()
    yield "mju_unit4", [4], ()
    yield "mju_copy3", [3], (v(3),)
    yield "mju_copy4", [4], (v(4),)
    yield "mju_mulMatVec3", [3], (v(9), v(3))
    yield "mju_mulMatTVec3", [3], (v(9), v(3))
    for n in (1, 3, 4, 6, 11, 64):
        yield "mju_zero", [n], ()
        yield "mju_fill", [n], (1.5,)
        yield "mju_copy", [n], (v(n),)
        yield "mju_scl", [n], (v(n), 0.3)
        yield "mju_add", [n], (v(n), v(n))
        yield "mju_sub", [n], (v(n), v(n))
        yield "mju_addTo", [n], (v(n),)
        yield "mju_subFrom", [n], (v(n),)
        yield "mju_addScl", [n], (v(n), v(n), 0.3)
        yield "mju_addToScl", [n], (v(n), 0.3)
        if n == 3:
            yield "mju_scl3", [n], (v(n), 0.3)
            yield "mju_add3", [n], (v(n), v(n))
            yield "mju_sub3", [n], (v(n), v(n))
            yield "mju_addTo3", [n], (v(n),)
            yield "mju_subFrom3", [n], (v(n),)
            yield "mju_addScl3", [n], (v(n), v(n), 0.3)
            yield "mju_addToScl3", [n], (v(n), 0.3)
        yield "mju_eye", [(n, n)], ()
        yield "mju_transpose", [(n, 3)], (v((3, n)),)
        yield "mju_symmetrize", [(n, n)], (v((n, n)),)
        yield "mju_mulMatVec", [5], (v((5, n)), v(n))
        yield "mju_mulMatTVec", [n], (v((5, n)), v(5))
        yield "mju_mulMatMat", [(2, n)], (v((2, 3)), v((3, n)))
        yield "mju_mulMatMatT", [(2, n)], (v((2, 3)), v((n, 3)))
        yield "mju_mulMatTMat", [(2, n)], (v((3, 2)), v((3, n)))
        yield "mju_cholSolve", [n], (np.linalg.cholesky(spd(n)), v(n))


CASES = list(cases())


@pytest.mark.parametrize("name, shapes, args", CASES, ids=[name for name, *_ in CASES])
def test_function(name, shapes, args):
    results = []
    for module in (mujoco, ferrodyn):
        out = [np.full(shape, 0.7) for shape in shapes]
        assert getattr(module, name)(*out, *args) is None
        results.append(out)
    for theirs, ours in zip(*results):
        assert_close(ours, theirs, KINEMATICS)


@pytest.mark.parametrize("name", ["mju_normalize", "mju_normalize3", "mju_normalize4"])
@pytest.mark.parametrize("scale", [1.0, 1e-3, 1e-16, 0.0])
def test_normalize(name, scale):
    x = v(4 if name.endswith("4") else 3, scale)
    theirs, ours = x.copy(), x.copy()
    norms = [getattr(mujoco, name)(theirs), getattr(ferrodyn, name)(ours)]
    assert_close(norms[1], norms[0], KINEMATICS)
    assert_close(ours, theirs, KINEMATICS)


@pytest.mark.parametrize("scale", [0.0, 0.1, 3.0])
def test_integrate(scale):
    quat, vel = unit(4), v(3)
    theirs, ours = quat.copy(), quat.copy()
    mujoco.mju_quatIntegrate(theirs, vel, scale)
    ferrodyn.mju_quatIntegrate(ours, vel, scale)
    assert_close(ours, theirs, KINEMATICS)


def test_rotation_of_a_matrix():
    mat = (rotation().reshape(3, 3) @ spd(3)).ravel()
    theirs, ours = unit(4), np.zeros(4)
    ours[:] = theirs
    iterations = [mujoco.mju_mat2Rot(theirs, mat), ferrodyn.mju_mat2Rot(ours, mat)]
    assert iterations[0] == iterations[1]
    assert_close(ours, theirs, KINEMATICS)


def test_rotation_of_a_singular_matrix_ends():
    quat = np.array([1.0, 0, 0, 0])
    assert ferrodyn.mju_mat2Rot(quat, np.zeros(9)) == mujoco.mju_mat2Rot(quat.copy(), np.zeros(9))


@pytest.mark.parametrize("n", [1, 2, 5, 9])
def test_cholesky(n):
    for mat, mindiag in ((spd(n), 0.0), (np.ones((n, n)), 1e-3)):
        theirs, ours = mat.copy(), mat.copy()
        ranks = [mujoco.mju_cholFactor(theirs, mindiag), ferrodyn.mju_cholFactor(ours, mindiag)]
        assert ranks[0] == ranks[1]
        assert_close(ours, theirs, KINEMATICS)


SCALARS = [
    *(
        ("mju_" + name, (v(n),))
        for name in ("sum", "L1", "norm", "isZero")
        for n in (1, 3, 4, 7, 30)
    ),
    ("mju_isZero", (np.zeros(3),)),
    *(("mju_dot", (v(n), v(n))) for n in (1, 2, 3, 4, 5, 8, 31)),
    ("mju_dot3", (v(3), v(3))),
    ("mju_norm3", (v(3),)),
    ("mju_dist3", (v(3), v(3))),
    ("mju_mulVecMatVec", (v(4), v((4, 4)), v(4))),
    *(("mju_" + name, (a, b)) for name in ("min", "max") for a, b in ((1, 2), (2.5, -1), (0, 0))),
    *(("mju_clip", (x, -1, 2)) for x in (-3, -1, 0.5, 2, 9)),
    *(("mju_sign", (x,)) for x in (-3, -0.0, 0, 4)),
    *(("mju_round", (x,)) for x in (-2.5, -0.4, 0.5, 1.5, 2.4, 7)),
    *(("mju_sigmoid", (x,)) for x in (-1, 0, 0.1, 0.5, 0.9, 1, 2)),
    *(("mju_isBad", (x,)) for x in (0, 1e9, 1e11, -1e11, np.inf, np.nan)),
]


@pytest.mark.parametrize("name, args", SCALARS, ids=[name for name, _ in SCALARS])
def test_number(name, args):
    theirs, ours = getattr(mujoco, name)(*args), getattr(ferrodyn, name)(*args)
    assert type(ours) is type(theirs)
    assert_close(ours, theirs, KINEMATICS)


def test_every_function_is_tested():
    tested = {name for name, *_ in CASES} | {name for name, _ in SCALARS}
    tested |= {"mju_normalize", "mju_normalize3", "mju_normalize4", "mju_quatIntegrate"}
    tested |= {"mju_mat2Rot", "mju_cholFactor", "mju_type2Str", "mju_str2Type"}
    tested |= {"mju_rayGeom", "mju_raySkin"}  # test_rays, test_skins
    folder = Path(__file__).parent
    others = "".join((folder / f"test_{name}.py").read_text() for name in ("utilities", "texts"))
    # those that are called, or named in a call or a table
    tested |= set(re.findall(r"""["'.](mju_\w+)["'(]""", others))
    assert {name for name in ferrodyn.__all__ if name.startswith("mju_")} == tested


def test_result_may_be_an_argument():
    a, b = unit(4), unit(4)
    expected = np.zeros(4)
    ferrodyn.mju_mulQuat(expected, a, b)
    for res, args in ((a.copy(), None), (b.copy(), None)):
        args = (res, b) if np.array_equal(res, a) else (a, res)
        ferrodyn.mju_mulQuat(res, *args)
        np.testing.assert_array_equal(res, expected)
    square = a.copy()
    ferrodyn.mju_mulQuat(square, square, square)
    ferrodyn.mju_mulQuat(expected, a, a)
    np.testing.assert_array_equal(square, expected)
    matrix = RNG.normal(size=(3, 3))
    product = matrix @ matrix
    ferrodyn.mju_mulMatMat(matrix, matrix, matrix)
    assert_close(matrix, product, KINEMATICS)


def test_arguments_of_any_layout():
    strided = np.arange(8.0)[::2]
    column = strided.reshape(4, 1)
    listed = strided.tolist()
    integers = strided.astype(np.int32)
    single = strided.astype(np.float32)
    results = []
    for arg in (strided, column, listed, integers, single, tuple(listed)):
        res = np.zeros(8)
        ferrodyn.mju_negQuat(res[::2], arg)
        assert set(res[1::2]) == {0}
        results.append(res[::2].tolist())
    assert all(result == [0, -2, -4, -6] for result in results)


def test_keywords():
    res = np.zeros(4)
    ferrodyn.mju_axisAngle2Quat(res=res, axis=[0, 0, 1], angle=0.0)
    assert res.tolist() == [1, 0, 0, 0]
    ferrodyn.mju_negQuat(res, quat=[1, 2, 3, 4])
    assert res.tolist() == [1, -2, -3, -4]
