# SPDX-License-Identifier: MIT
"""Numbers of callers in types that the compiled part reads: exactly, or refused with a sentence.

An integer is held exactly, and so is a whole long double. Another float may be rounded to a narrower one, but not to
infinity or to 0. (Where the result has another type than these numbers, the compiled part checks the same; for batches
`misfits` does.)
"""
import numbers
import operator
import reprlib

import numpy as np

TYPES = tuple(np.dtype(t) for t in ("int16", "int32", "int64", "float32", "float64"))

_NARROW = {("b", 1): np.int16, ("i", 1): np.int16, ("u", 1): np.int16, ("u", 2): np.int32, ("u", 4): np.int64,
           ("f", 2): np.float32}  # (kind, bytes): one of TYPES that holds all of them


def place_of(index):
    """The place of a weight in an array, for an error: of one dimension it is a list of edges."""
    return f"of edge {index[0]}" if len(index) == 1 else f"at {index}"


def refuse(wrong, weights, error, says, place=place_of, what="weights"):
    """Raises an error that names the first wrong weight (or another of `what`)."""
    if wrong.any():
        index = tuple(np.argwhere(wrong)[0].tolist())
        raise error(" ".join(f"the {_one_of(what)} {weights[index]!s} {place(index)} {says}".split()))


def _one_of(what):
    """One thing of several: "lengths" are "length", "second weights" a "second weight", and "costs of U-turns" a "cost of
    U-turns"."""
    words = what.split(" ")
    several = next(k for k, word in enumerate(words) if word.endswith("s"))
    return " ".join([*words[:several], words[several][:-1], *words[several + 1:]])


def as_array(given):
    """The array of what a caller passes. A list whose integers NumPy would round is an array of objects."""
    array = np.asarray(given)
    if array.dtype.kind == "f" and isinstance(given, (list, tuple)):
        with np.errstate(invalid="ignore"):
            if (np.isfinite(array) & (np.abs(array) >= 2**53)).any():
                return np.array(given, dtype=object)
    return array


def readable(array, mask=None, place=place_of, what="weights"):
    """The array in one of TYPES, native and aligned: itself if it is so already.

    mask   where it is True, the number does not matter
    place  the words for the place of an index
    what   the numbers, for an error

    Unsigned integers of 64 bits, long doubles and objects become the first of int64 and float64 (of long doubles
    float64 and int64) that holds all of them.

    Raises TypeError if the array has no real numbers, ValueError for a number that neither of both types holds.
    """
    dtype = array.dtype
    if dtype in TYPES and dtype.isnative:
        misplaced = not array.flags.aligned or any(step % dtype.itemsize for step in array.strides)
        return array.copy() if misplaced else array
    kind = dtype.kind
    wanted = _NARROW.get((kind, dtype.itemsize), dtype.newbyteorder("=") if kind in "iuf" else dtype)
    if wanted in TYPES:
        return array.astype(wanted)
    if kind not in "ufO":
        raise TypeError(_no_numbers(dtype, what))
    if mask is not None:
        array = np.where(mask, 0 if kind == "O" else dtype.type(0), array)
    if kind == "u":
        if array.max(initial=0) < 2**63:
            return array.astype(np.int64)
        held, wrong = array.astype(np.float64), None
    elif kind == "f":
        held, wrong = _of_long_doubles(array)
    else:
        held, wrong = _of_objects(array, place, what)
    refuse(misfits(array, held) if wrong is None else wrong, array, ValueError,
           f"is not a number of type float64, and not all {what} are numbers of type int64", place, what)
    return held


def _no_numbers(dtype, what):
    """The sentence about a type that is none of real numbers."""
    said = f"the {what} have the type {dtype}, expected real numbers; "
    if dtype.kind in "SUT":
        return said + f"{what}.astype(float) converts texts, and {what}.astype(int) those of integers"
    if dtype.kind in "mM":
        unit = np.datetime_data(dtype)[0]
        divided = f"by numpy.timedelta64(1, '{'s' if unit == 'generic' else unit}')"
        return said + (f"divide durations {divided}" if dtype.kind == "m" else
                       f"subtract a time from each, and divide the durations {divided}")
    if dtype.kind == "c":
        return said + f"{what}.real are the real parts"
    return said[:-2]


def misfits(weights, held):
    """Where `held`, the weights converted to another type, is not the same number."""
    from_, to = weights.dtype, held.dtype
    with np.errstate(invalid="ignore", over="ignore"):
        if to.kind == "i":
            wrong = held != weights
            return wrong if from_.kind == "i" else wrong | (weights >= 2.0**(8 * to.itemsize - 1))
        if from_.kind == "f":
            return (np.isinf(held) & np.isfinite(weights)) | ((held == 0) & (weights != 0))
        bits = 8 * from_.itemsize - (from_.kind == "i")
        if bits <= np.finfo(to).nmant + 1:
            return np.zeros(weights.shape, bool)
        return (held >= 2.0**bits) | (held.astype(from_) != weights)


def _of_long_doubles(array):
    """The array as float64 or int64, and where that is wrong."""
    with np.errstate(invalid="ignore", over="ignore"):
        held = array.astype(np.float64)
        whole = np.isfinite(array) & (np.trunc(array) == array)
        wrong = (whole & (held != array)) | ((held == 0) & (array != 0))
        if wrong.any() and whole.all() and (np.abs(array) < np.longdouble(2)**63).all():
            return array.astype(np.int64), np.zeros(array.shape, bool)
    return held, wrong


def _is_number(type_):
    from decimal import Decimal

    return (issubclass(type_, (numbers.Real, np.floating, Decimal))
            and not issubclass(type_, (bool, np.timedelta64)))  # (which are integers, by their classes)


def _of_objects(array, place, what):
    """The same of Python's numbers: int, float, Fraction, Decimal, and NumPy's."""
    flat = array.ravel().tolist()
    types = set(map(type, flat))
    others = {t for t in types if not _is_number(t)}
    if others:
        index, found = next((k, x) for k, x in enumerate(flat) if type(x) in others)
        where = place(tuple(int(i) for i in np.unravel_index(index, array.shape)))
        raise TypeError(f"the {_one_of(what)} {reprlib.repr(found)} {where} is of type {type(found).__name__}, expected a real "
                        "number")
    wrong = np.zeros(len(flat), bool)
    flat = [int(x) if isinstance(x, np.integer) else x for x in flat]  # (which NumPy compares with floats as a float)
    if all(issubclass(t, numbers.Integral) for t in types):
        try:
            return np.array(flat, np.int64).reshape(array.shape), wrong.reshape(array.shape)
        except OverflowError:
            pass
    held = np.array([_as_float(x) for x in flat], np.float64)
    for k, (x, near) in enumerate(zip(flat, held.tolist())):
        if x != near and x == x:
            wrong[k] = near == 0 or _is_whole(x)
    if wrong.any() and all(map(_is_whole, flat)):
        try:
            return np.array([int(x) for x in flat], np.int64).reshape(array.shape), np.zeros(array.shape, bool)
        except OverflowError:
            pass
    return held.reshape(array.shape), wrong.reshape(array.shape)


def _as_float(x):
    try:
        return float(x)
    except OverflowError:
        return np.inf if x > 0 else -np.inf


def _is_whole(x):
    if isinstance(x, numbers.Integral):
        return True
    return bool(x == x and abs(x) != np.inf) and x.as_integer_ratio()[1] == 1


def scalar(weight, dtype):
    """One weight as a number of a result's type: a Python int or float. Raises TypeError, ValueError, OverflowError."""
    array = as_array(weight)
    if array.ndim != 0:
        raise TypeError(f"the weight is an array of {array.ndim} dimensions, expected a number")
    if array.dtype.kind == "b":
        raise TypeError(f"the weight {weight} is of type bool, expected a real number")

    def nowhere(_):
        return ""

    given = readable(array.reshape(1), place=nowhere)
    with np.errstate(invalid="ignore", over="ignore"):
        held = given.astype(dtype)
    if dtype.kind == "i":
        limits = np.iinfo(dtype)
        far = np.isfinite(given) & ((given < limits.min) | (given > limits.max))
        refuse(far, given, OverflowError, f"is not a number of type {dtype}", nowhere)
    refuse(misfits(given, held), given, ValueError, f"is not a number of type {dtype}", nowhere)
    return held[0].item()


def integers(given, what):
    """Whole numbers as int64. Raises TypeError for other types, ValueError for a number that is none."""
    array = np.asarray(given)
    if array.size == 0:
        return np.zeros(array.shape, np.int64)
    if array.dtype.kind not in "iuf":
        raise TypeError(f"{what} are of type {array.dtype}, expected integers")
    with np.errstate(invalid="ignore"):
        held = array.astype(np.int64)
    wrong = misfits(array, held)
    if array.dtype.kind == "u":
        wrong = array > np.iinfo(np.int64).max
    if wrong.any():
        raise ValueError(f"{what} are integers, found {array[wrong].flat[0]}")
    return held


def order(n):
    """A number of vertices as an int. Raises TypeError for what is no integer."""
    try:
        return operator.index(n)
    except TypeError:
        raise TypeError(f"the number of vertices is {n!r}, expected an integer") from None
