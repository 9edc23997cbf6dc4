# SPDX-License-Identifier: MIT
"""Products of matrices, compared with NumPy's sums."""
import numpy as np
import pytest

import blockfw
from blockfw import infinity, product

TYPES = ("int16", "int32", "int64", "float32", "float64")
# semiring: ⊕ along an axis, ⊗, and the sign of the number that is no path
ALGEBRAS = {"min_plus": (np.min, np.add, 1), "max_plus": (np.max, np.add, -1), "max_min": (np.max, np.minimum, -1),
            "min_max": (np.min, np.maximum, 1), "max_times": (np.max, np.multiply, 0)}


def none_of(semiring, dtype):
    sign = ALGEBRAS[semiring][2]
    return np.dtype(dtype).type(sign * infinity(dtype) if sign else 0)


def expected(a, b, semiring):
    """The product by sums of all triples, in float64."""
    plus, times, sign = ALGEBRAS[semiring]
    none = sign * np.inf if sign else 0.0

    def real(x):
        return np.where(x == none_of(semiring, x.dtype), none, x.astype(np.float64))

    triples = times(real(a)[..., :, :, None], real(b)[..., None, :, :])
    result = plus(triples, axis=-2)
    lost = result == none
    return np.where(lost, none_of(semiring, a.dtype), np.where(lost, 0, result).astype(a.dtype))


def matrix(random, shape, semiring, dtype):
    numbers = random.integers(-40 if semiring != "max_times" else 0, 90, shape).astype(dtype)
    if semiring == "max_times":
        numbers = (2.0**-(numbers % 5)).astype(dtype)
    return np.where(random.random(shape) < 0.3, none_of(semiring, dtype), numbers).astype(dtype)


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("semiring", ALGEBRAS)
def test_products_of_all_types_and_semirings(semiring, dtype):
    random = np.random.default_rng(3)
    if semiring == "max_times" and dtype.startswith("int"):
        with pytest.raises(TypeError, match="'max_times' is not available in int"):
            product(np.ones((2, 2), dtype), np.ones((2, 2), dtype), semiring=semiring)
        return
    for m, k, n in ((1, 1, 1), (5, 7, 3), (33, 2, 70), (40, 61, 17)):
        a, b = matrix(random, (m, k), semiring, dtype), matrix(random, (k, n), semiring, dtype)
        found = product(a, b, semiring=semiring)
        assert found.dtype == dtype
        np.testing.assert_array_equal(found, expected(a, b, semiring))


def test_batches_and_one_matrix_for_all():
    random = np.random.default_rng(5)
    a, b = (matrix(random, shape, "min_plus", "int32") for shape in ((6, 9, 4), (6, 4, 11)))
    np.testing.assert_array_equal(product(a, b), expected(a, b, "min_plus"))
    np.testing.assert_array_equal(product(a[2], b), expected(a[2], b, "min_plus"))
    np.testing.assert_array_equal(product(a, b[1]), expected(a, b[1], "min_plus"))
    assert product(a[:0], b[0]).shape == (0, 9, 11)
    with pytest.raises(ValueError, match="there are 6 matrices a and 5 matrices b"):
        product(a, b[:5])


def test_views_other_types_lists_and_masks():
    random = np.random.default_rng(8)
    a, b = (matrix(random, (20, 20), "min_plus", "float64") for _ in range(2))
    np.testing.assert_array_equal(product(a.T, b[::-1, ::2]), expected(a.T, b[::-1, ::2], "min_plus"))
    np.testing.assert_array_equal(product([[1, 5]], [[7, 2], [4, 1]]), [[8, 3]])
    none = infinity("int16")
    mixed = product(np.array([[3, none]], np.int16), np.array([[1.5], [0.0]]))
    np.testing.assert_array_equal(mixed, [[4.5]])
    np.testing.assert_array_equal(product(np.array([[none]], np.int16), np.array([[1.5]])), [[np.inf]])
    np.testing.assert_array_equal(product(np.ma.array([[1, 2]], mask=[[True, False]]), [[5], [7]]), [[9]])
    np.testing.assert_array_equal(product([[1]], [[2]], dtype="int16"), np.array([[3]], np.int16))
    with pytest.raises(ValueError, match="2.5 at \\(0, 0\\) is not a number of type int32"):
        product([[2.5]], [[1.0]], dtype="int32")


def test_out_and_accumulate():
    random = np.random.default_rng(13)
    a, b = (matrix(random, (12, 12), "min_plus", "int64") for _ in range(2))
    out = np.full((12, 12), -7, np.int64)
    assert product(a, b, out=out) is out
    np.testing.assert_array_equal(out, expected(a, b, "min_plus"))
    better = np.minimum(out, 3)
    out[...] = 3
    product(a, b, out=out, accumulate=True)
    np.testing.assert_array_equal(out, np.minimum(better, 3))
    square = a.copy()
    product(square, square, out=square, accumulate=True)  # (a shares its memory with out)
    np.testing.assert_array_equal(square, np.minimum(a, expected(a, a, "min_plus")))
    with pytest.raises(ValueError, match="expected an array out"):
        product(a, b, accumulate=True)
    with pytest.raises(ValueError, match="the shape \\(12, 12\\), expected \\(12, 5\\)"):
        product(a, b[:, :5], out=out)


def test_squares_end_with_all_distances():
    random = np.random.default_rng(21)
    edges = (random.integers(0, 50, 200), random.integers(0, 50, 200), random.integers(0, 100, 200).astype(np.int32))
    d = np.full((50, 50), infinity("int32"), np.int32)
    np.minimum.at(d, (edges[0], edges[1]), edges[2])
    np.fill_diagonal(d, 0)
    for _ in range(6):
        d = product(d, d)
    np.testing.assert_array_equal(d, blockfw.all_pairs(edges, n=50))


def test_wrong_arguments_name_themselves():
    with pytest.raises(ValueError, match="a is 1 x 2 and b 3 x 1, expected m x k and k x n"):
        product([[1, 2]], [[1], [2], [3]])
    with pytest.raises(ValueError, match="a has 1 dimensions"):
        product([1, 2], [[1]])
    with pytest.raises(ValueError, match="the matrix b holds NaN at \\(0, 1\\)"):
        product([[1.0]], [[1.0, np.nan]])
    with pytest.raises(TypeError, match="b is of type bool"):
        product([[1]], [[True]])
    with pytest.raises(OverflowError, match="may reach infinity"):
        product(np.array([[16000]], np.int16), np.array([[16000]], np.int16))
    out = np.array([[5]], np.int16)
    with pytest.raises(OverflowError):
        product(np.array([[16384]], np.int16), np.array([[1]], np.int16), out=out)
    assert out[0, 0] == 5
    with pytest.raises(ValueError, match="the semiring is 'plus'"):
        product([[1]], [[1]], semiring="plus")


def test_progress_is_told_and_ends_the_call():
    seen = []
    product(np.zeros((300, 300)), np.zeros((300, 300)), progress=lambda done, all_: seen.append((done, all_)))
    assert seen and seen[-1][0] == seen[-1][1]

    def stop(done, all_):
        raise KeyError("stop")

    with pytest.raises(KeyError):
        product(np.zeros((300, 300)), np.zeros((300, 300)), progress=stop)
