"""The mju_* functions on band matrices, factors, quadratic programs, muscles and the rest."""

import copy

import mujoco
import numpy as np
import pytest

import ferrodyn
from helpers import assert_close

MODULES = (mujoco, ferrodyn)
TOLERANCE = 1e-12


def compare(name, *args):
    """Call both functions on copies of the arguments: results and all arrays agree."""
    ours, theirs = copy.deepcopy(args), copy.deepcopy(args)
    result, expected = getattr(ferrodyn, name)(*ours), getattr(mujoco, name)(*theirs)
    if expected is None or isinstance(expected, int):
        assert result == expected, name
    else:
        assert_close(result, expected, TOLERANCE, name)
    for a, b, given in zip(ours, theirs, args):
        if isinstance(given, np.ndarray):
            assert a.dtype == b.dtype
            assert_close(a, b, TOLERANCE, name)
    return (result, *ours)


def positive(rng, n):
    a = rng.normal(size=(n, n))
    return a @ a.T + 0.1 * np.eye(n)


SHAPES = [(1, 1, 0), (5, 1, 0), (6, 3, 0), (7, 2, 2), (9, 4, 3), (4, 2, 4), (3, 8, 1), (12, 5, 1)]


@pytest.mark.parametrize("shape", SHAPES)
def test_band_matrices(shape):
    ntotal, nband, ndense = shape
    rng = np.random.default_rng(sum(shape))
    size = (ntotal - ndense) * nband + ndense * ntotal
    dense = positive(rng, ntotal) + ntotal * np.eye(ntotal)
    _, band, *_ = compare("mju_dense2Band", np.full(size, 7.0), dense, *shape)
    for symmetric in (0, 1, True):
        compare("mju_band2Dense", np.ones((ntotal, ntotal)), band, *shape, symmetric)
        vec = rng.normal(size=(ntotal, 1))
        mat = band.reshape(-1, 1)
        compare("mju_bandMulMatVec", np.ones(ntotal), mat, vec, *shape, 1, symmetric)
    for add, mul in ((0, 0), (0.5, 0.1)):
        pivot, factor, *_ = compare("mju_cholFactorBand", band, *shape, add, mul)
        assert pivot > 0
        compare("mju_cholSolveBand", np.zeros(ntotal), factor, rng.normal(size=ntotal), *shape)
    assert compare("mju_cholFactorBand", -band, *shape, 0, 0)[0] == 0
    for i in range(ntotal + 2):
        compare("mju_bandDiag", i, *shape)


@pytest.mark.parametrize("n", [1, 2, 5, 11])
def test_factors(n):
    rng = np.random.default_rng(n)
    factor = np.linalg.cholesky(positive(rng, n))
    x = rng.normal(size=n)
    assert compare("mju_cholUpdate", factor, x, 1)[0] == n
    compare("mju_cholUpdate", factor, 0.05 * x, 0)
    assert compare("mju_cholUpdate", np.eye(n), 2 * np.eye(n)[n - 1], 0)[0] == n - 1
    mat = rng.normal(size=(n + 3, n))
    mat[1] = 0
    diag = rng.normal(size=n + 3)
    diag[0] = 0
    for weights in (None, diag):
        compare("mju_sqrMatTD", np.ones((n, n)), mat, weights)


def test_eigenvalues():
    rng = np.random.default_rng(5)
    matrices = [positive(rng, 3) for _ in range(20)]
    matrices += [np.eye(3), np.diag([1.0, 2, 3]), np.diag([3.0, -1, 2]), np.zeros((3, 3))]
    for mat in matrices:
        compare("mju_eig3", np.zeros(3), np.zeros(9), np.zeros(4), mat.ravel())


@pytest.mark.parametrize("n", [1, 2, 4, 9])
def test_quadratic_programs(n):
    rng = np.random.default_rng(n)
    for _ in range(10):
        hessian, g = positive(rng, n), 3 * rng.normal(size=n)
        low, high = -rng.random(n), rng.random(n)
        for lower, upper in ((low, high), (low, None), (None, high), (None, None)):
            for index in (None, np.full(n, -5, np.int32)):
                # the last rows are memory for the solution, and hold other numbers
                ours, theirs = [
                    (np.full(n, 0.3), np.zeros((n, n + 7)), copy.copy(index)) for _ in MODULES
                ]
                free = ferrodyn.mju_boxQP(*ours, hessian, g, lower, upper)
                assert free == mujoco.mju_boxQP(*theirs, hessian, g, lower, upper)
                assert_close(ours[0], theirs[0], TOLERANCE)
                factors = [out[1].ravel()[: free**2].reshape(free, free) for out in (ours, theirs)]
                assert_close(*(np.tril(factor) for factor in factors), TOLERANCE)
                if index is not None:
                    assert (ours[2][:free] == theirs[2][:free]).all()


def test_programs_without_a_solution():
    for mj in MODULES:
        out = np.zeros(1), np.zeros((1, 8)), None
        assert mj.mju_boxQP(*out, -np.ones((1, 1)), np.ones(1), None, None) == -1
        assert mj.mju_boxQP(*out, -np.ones((1, 1)), np.ones(1), -np.ones(1), None) == -1
        with pytest.raises(mj.FatalError, match="upper bounds must be"):
            mj.mju_boxQP(*out, np.ones((1, 1)), np.ones(1), np.ones(1), np.ones(1))
        with pytest.raises(mj.FatalError, match="must be positive"):
            empty = np.zeros((0, 0))
            mj.mju_boxQP(np.zeros(0), empty, None, empty, np.zeros(0), None, None)


def test_sparse_matrices():
    rng = np.random.default_rng(3)
    mat = rng.normal(size=(4, 5)) * (rng.random((4, 5)) < 0.5)
    size = np.count_nonzero(mat)

    def ints(n):
        return np.full(n, 9, np.int32)

    for room in (size, size + 2, size - 1, 0):
        full, *sparse = compare(
            "mju_dense2sparse", np.zeros(room), mat, ints(4), ints(4), ints(room)
        )
        assert full == (room < size)
        if room == size:
            values, _, rownnz, rowadr, colind = sparse
            arrays = values, rownnz, rowadr, colind
            assert (compare("mju_sparse2dense", np.ones((4, 5)), *arrays)[1] == mat).all()
            compare("mju_sparse2dense", np.ones((4, 5)), *(array.tolist() for array in arrays))


def test_muscles():
    rng = np.random.default_rng(8)
    prm = np.array([0.75, 1.05, -1, 200, 0.5, 1.6, 1.5, 1.3, 1.2])
    for length, vel in zip(rng.uniform(0.1, 2.5, 50), rng.normal(size=50)):
        for force in (-1, 30):
            prm[2] = force
            compare("mju_muscleGain", length, vel, np.array([0.4, 1.8]), 3.0, prm)
            compare("mju_muscleBias", length, [0.4, 1.8], 3.0, prm)
        for width in (0, 0.3):
            compare("mju_muscleDynamics", vel, length - 0.5, [0.01, 0.04, width])


@pytest.mark.parametrize("n", [1, 2, 3, 5])
def test_friction_pyramids(n):
    rng = np.random.default_rng(n)
    mu, force = rng.random(n), rng.random(n + 1)
    compare("mju_encodePyramid", np.zeros(2 * n), force, mu)
    compare("mju_decodePyramid", np.zeros(n + 1), rng.random(2 * n), mu)


def test_springs_and_sequences():
    for stiffness, damping in ((4, 0.5), (4, 4), (1, 5), (0, 1), (0, 0)):
        for t in (0, 0.1, 3):
            compare("mju_springDamper", 0.3, -1.2, stiffness, damping, t)
    for index in (-1, 0, 1, 7, 1000, 2**31 - 1):
        for base in (2, 3, 10, -3):
            assert ferrodyn.mju_Halton(index, base) == mujoco.mju_Halton(index, base)
    with pytest.raises(ValueError, match="base"):
        ferrodyn.mju_Halton(3, 1)


def test_sorting_and_conversion():
    rng = np.random.default_rng(4)
    for n in (0, 1, 2, 30):
        reals = rng.normal(size=n).round(1)
        assert (compare("mju_insertionSort", reals)[1] == np.sort(reals)).all()
        compare("mju_insertionSortInt", rng.integers(-9, 9, n).astype(np.int32))
        compare("mju_d2n", np.zeros(n), reals)
        compare("mju_n2d", np.zeros(n), reals)
        compare("mju_f2n", np.zeros(n), rng.normal(size=n).astype(np.float32))
        compare("mju_f2n", np.zeros(n), reals)
        compare("mju_n2f", np.zeros(n, np.float32), rng.normal(size=n))


def test_standard_normal_numbers():
    draws = np.array([ferrodyn.mju_standardNormal(None) for _ in range(20000)])
    assert abs(draws.mean()) < 0.03 and abs(draws.std() - 1) < 0.03
    assert abs((np.abs(draws) < 1).mean() - 0.6827) < 0.02
    assert isinstance(ferrodyn.mju_standardNormal(3), float)


V, S = np.zeros, np.float32
I = np.int32
WRONG = [
    ("mju_bandDiag", 1, 2, 3),
    ("mju_band2Dense", V((3, 3)), V(5), 3, 2, 0, 0),
    ("mju_band2Dense", V((3, 2)), V(6), 3, 2, 0, 0),
    ("mju_band2Dense", V((2, 3)), V(6), 3, 2, 0, 0),
    ("mju_band2Dense", V((3, 3)), V(6), 3, 2, 0, -1),
    ("mju_band2Dense", V((3, 3)), V(6), 3, 2, 0, 256),
    ("mju_band2Dense", [[0.0]], V(1), 1, 1, 0, 0),
    ("mju_dense2Band", V(5), V((3, 3)), 3, 2, 0),
    ("mju_dense2Band", V(6), V((3, 2)), 3, 2, 0),
    ("mju_dense2Band", V(6), V((2, 3)), 3, 2, 0),
    ("mju_bandMulMatVec", V(3), V((3, 2)), V((3, 2)), 3, 2, 0, 2, 0),
    ("mju_bandMulMatVec", V(3), V((3, 2)), V((3, 2)), 3, 2, 0, 1, 0),
    ("mju_bandMulMatVec", V(2), V((3, 2)), V((3, 1)), 3, 2, 0, 1, 0),
    ("mju_bandMulMatVec", V(3), V((3, 3)), V((3, 1)), 3, 2, 0, 1, 0),
    ("mju_cholFactorBand", V(5), 3, 2, 0, 0, 0),
    ("mju_cholSolveBand", V(2), V(6), V(3), 3, 2, 0),
    ("mju_cholSolveBand", V(3), V(5), V(3), 3, 2, 0),
    ("mju_cholSolveBand", V(3), V(6), V(4), 3, 2, 0),
    ("mju_cholUpdate", V((3, 2)), V(3), 1),
    ("mju_cholUpdate", V((3, 3)), V(2), 1),
    ("mju_sqrMatTD", V((3, 2)), V((4, 2)), None),
    ("mju_sqrMatTD", V((2, 2)), V((4, 2)), V(3)),
    ("mju_sqrMatTD", V((2, 2)), V((4, 2)), [1, 2, 3, 4]),
    ("mju_eig3", V(2), V(9), V(4), V(9)),
    ("mju_eig3", V(3), V((3, 3)), V(4), V(9)),
    ("mju_eig3", V(3), V(9), V(4), V((3, 3))),
    ("mju_boxQP", V(2), V((2, 8)), None, V((2, 2)), V(2), None, None),
    ("mju_boxQP", V(2), V((2, 9)), V(2), V((2, 2)), V(2), None, None),
    ("mju_boxQP", V(2), V((2, 9)), V(1, I), V((2, 2)), V(2), None, None),
    ("mju_boxQP", V(2), V((2, 9)), None, V((2, 3)), V(2), None, None),
    ("mju_boxQP", V(2), V((2, 9)), None, V((2, 2)), V(1), None, None),
    ("mju_boxQP", V(2), V((2, 9)), None, V((2, 2)), V(2), V(3), None),
    ("mju_boxQP", V(2), V((2, 9)), None, V((2, 2)), V(2), None, V(3)),
    ("mju_dense2sparse", V(3), V((2, 2)), V(1, I), V(2, I), V(3, I)),
    ("mju_dense2sparse", V(3), V((2, 2)), V(2, I), V(1, I), V(3, I)),
    ("mju_dense2sparse", V(3), V((2, 2)), V(2, I), V(2, I), V(2, I)),
    ("mju_dense2sparse", V(3), V((2, 2)), V(2), V(2, I), V(3, I)),
    ("mju_sparse2dense", V((2, 2)), V(2), V(1, I), V(2, I), V(2, I)),
    ("mju_sparse2dense", V((2, 2)), V(2), V(2, I), V(3, I), V(2, I)),
    ("mju_d2n", V(2), V(3)),
    ("mju_n2d", V(2), V(3)),
    ("mju_f2n", V(2), V(3, S)),
    ("mju_f2n", V(2, S), V(2, S)),
    ("mju_n2f", V(2, S), V(3)),
    ("mju_n2f", V(2), V(2)),
    ("mju_insertionSort", [1.0, 2.0]),
    ("mju_insertionSort", V((2, 2))),
    ("mju_insertionSortInt", V(2)),
    ("mju_muscleGain", 1, 1, V(3), 1, V(9)),
    ("mju_muscleGain", 1, 1, V(2), 1, V(10)),
    ("mju_muscleBias", 1, V(2), 1, V(8)),
    ("mju_muscleDynamics", 1, 1, V(2)),
    ("mju_muscleDynamics", 1, "a", V(3)),
    ("mju_encodePyramid", V(3), V(3), V(2)),
    ("mju_encodePyramid", V(4), V(2), V(2)),
    ("mju_decodePyramid", V(2), V(4), V(2)),
    ("mju_decodePyramid", V(3), V(3), V(2)),
    ("mju_springDamper", 1, 2, 3, 4),
    ("mju_Halton", 1.5, 2),
    ("mju_standardNormal",),
    ("mju_standardNormal", "a"),
    ("mju_printMat", V((2, 2, 2))),
    ("mju_printMatSparse", V(1), [1, 1], [0, 1], [0, 1]),
    ("mju_printMatSparse", V(2), [1], [0, 1], [0, 1]),
    ("mju_printMatSparse", V(2), [1, 1], [0, 1], [0]),
    ("mju_warningText", 3, -1),
    ("mju_warningText", "a", 1),
    ("mju_writeNumBytes", -1),
    ("mju_writeLog", "a", 3),
    ("mju_getXMLDependencies", 3),
    ("mj_printSchema", False),
    ("mj_printSchema", "a", False),
    ("mj_loadPluginLibrary", 3),
    ("mj_loadAllPluginLibraries", 3),
    ("set_mju_user_warning", 3),
]


@pytest.mark.parametrize("call", WRONG, ids=lambda call: call[0])
def test_wrong_arguments(call):
    name, *args = call
    for mj in MODULES:
        with pytest.raises(TypeError):
            getattr(mj, name)(*copy.deepcopy(args))


def test_sizes_that_make_no_matrix():
    # MuJoCo reads memory that is not its own
    for shape in ((3, 2, -1), (2, -3, 1), (3, 0, 0), (-1, 1, 0)):
        with pytest.raises(TypeError):
            ferrodyn.mju_cholFactorBand(np.zeros(9), *shape, 0, 0)
    good = [1, 1], [0, 1], [0, 1]
    for i, wrong in ((0, [3, 1]), (1, [-1, 1]), (1, [0, 2]), (2, [0, 2]), (2, [0, -1]), (2, [0])):
        arrays = [*good[:i], wrong, *good[i + 1 :]]
        with pytest.raises(TypeError):
            ferrodyn.mju_sparse2dense(np.zeros((2, 2)), np.ones(2), *arrays)
    with pytest.raises(TypeError):
        ferrodyn.mju_printMatSparse(np.ones(2), [5, 1], [0, 1], [0, 1])
