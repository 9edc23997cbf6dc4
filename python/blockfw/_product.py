# SPDX-License-Identifier: MIT
"""Products of matrices over a semiring."""
import numpy as np

from . import _core
from ._input import infinity
from ._numbers import as_array, misfits, readable, refuse
from ._solve import Options, place, shown

_LARGEST = ("max_plus", "max_min", "max_times")  # the semirings whose best number is the largest


def _no_path(semiring, dtype):
    """The number that stands for no path."""
    if semiring == "max_times":
        return dtype.type(0)
    return dtype.type(-infinity(dtype) if semiring in _LARGEST else infinity(dtype))


def _numbers(given, name, semiring):
    """A matrix, or matrices one after the other, of one of the five types. Masked entries are no path."""
    array = as_array(given)
    if array.ndim not in (2, 3):
        raise ValueError(f"{name} has {array.ndim} dimensions, expected a matrix, or matrices one after the other")
    if array.dtype == bool:
        raise TypeError(f"{name} is of type bool, expected real numbers")
    mask = np.ma.getmask(given)
    what = f"numbers of {name}"
    if mask is np.ma.nomask:
        return readable(array, what=what)
    array = readable(array, mask, what=what)
    return np.where(mask, _no_path(semiring, array.dtype), array)


def _as(array, dtype, name, semiring):
    """The numbers as another type, with its own number for no path."""
    if array.dtype == dtype:
        return array
    none = _no_path(semiring, array.dtype)
    with np.errstate(invalid="ignore", over="ignore"):
        held = array.astype(dtype)
    refuse(misfits(array, held) & (array != none), array, ValueError, f"is not a number of type {dtype}",
           what=f"numbers of {name}")
    return np.where(array == none, _no_path(semiring, dtype), held)


def _batch(array):
    """Matrices one after the other, without gaps."""
    return np.ascontiguousarray(array if array.ndim == 3 else array[None])


def product(a, b, *, semiring="min_plus", dtype=None, out=None, accumulate=False, progress=False):
    """The min-plus product (distance product) of two matrices, or their product over another semiring.

    The entry (i, j) is the least a[i, k] + b[k, j] of all k. infinity(dtype), of floats inf, stands for no path.

    a           m x k array, or count x m x k, of real numbers. Masked entries are no path.
    b           k x n array, or count x k x n. Of a batch and a single matrix, the matrix serves all products.
    semiring    "min_plus", "max_plus", "max_min", "min_max" or "max_times", as for all_pairs. No path is -infinity(dtype)
                for "max_plus" and "max_min", and 0 for "max_times".
    dtype       the result's type, int16, int32, int64, float32 or float64; without, that of both arrays
    out         the array to write to, C-ordered, of the result's type and shape
    accumulate  True: entries of out stay where they are better than the product
    progress    True for a bar, or a function of (done, in all)

    Returns an m x n array, or count x m x n: out, or a new one.

    m n k steps, as fast as those of all_pairs of a dense matrix. Memory: the result, and copies of arguments that are not
    C-ordered, of another type, or share memory with out.

    Raises ValueError for shapes that do not fit, NaN, and numbers that the type or the semiring does not take; TypeError
    for what are no real numbers; OverflowError for integers beyond infinity(dtype), and where sums could reach it: out is
    unchanged then. (Errors name out as the matrix c.)

    >>> import numpy as np, blockfw
    >>> blockfw.product([[1, 5]], [[7, 2], [4, 1]])
    array([[8, 3]])
    >>> blockfw.product([[0.5, 0.9]], [[0.8], [0.5]], semiring="max_times")
    array([[0.45]])
    """
    a, b = _numbers(a, "a", semiring), _numbers(b, "b", semiring)
    if out is None and accumulate:
        raise ValueError("accumulate=True takes the entries of out, expected an array out")
    if accumulate and np.ma.is_masked(out):
        raise ValueError("an entry of out is masked, expected the number for no path")
    shape = (a.shape[-2], b.shape[-1])
    if a.ndim == 3 or b.ndim == 3:
        counts = {x.shape[0] for x in (a, b) if x.ndim == 3}
        if len(counts) > 1:
            raise ValueError(f"there are {a.shape[0]} matrices a and {b.shape[0]} matrices b, expected as many, or one of "
                             "two dimensions")
        shape = (counts.pop(), *shape)
    if a.shape[-1] != b.shape[-2]:
        raise ValueError(f"a is {a.shape[-2]} x {a.shape[-1]} and b {b.shape[-2]} x {b.shape[-1]}, expected m x k and k x n")
    both = np.result_type(a.dtype, b.dtype) if dtype is None and out is None else None
    c = place(shape, both, Options(dtype=dtype, out=out))
    a, b = (_batch(_as(x, c.dtype, name, semiring)) for x, name in ((a, "a"), (b, "b")))
    if np.may_share_memory(a, c):
        a = a.copy()
    if np.may_share_memory(b, c):
        b = b.copy()
    with shown(progress) as progress:
        _core.product(a, b, _batch(np.asarray(c)), semiring, accumulate, progress)  # (c has no gaps: it is not copied)
    return c
