# SPDX-License-Identifier: MIT
"""Summaries of the distances of a network: measures, histograms, sums by group; all of them, some rows at a time."""
import math
import numbers
import operator

import numpy as np

from . import _core
from ._input import infinity
from ._numbers import integers
from ._own import closeness_of
from ._points import Points, _list
from ._solve import shown

_BLOCK = 2**26  # bytes of a block of rows


def limits_in(dtype, limits):
    """One limit, or a list of them, as an array of dtype of as many dimensions: the largest numbers that are no larger."""
    if np.ma.is_masked(limits):
        raise ValueError("a limit is masked, expected a number")
    array = limits if isinstance(limits, np.ndarray) else np.asarray(limits, object)  # (floats would round integers beside)
    if array.ndim > 1:
        raise ValueError(f"the limits are an array of {array.ndim} dimensions, expected a number or a list")
    if array.dtype.kind not in "iuf":
        for k, limit in enumerate(array.reshape(-1).tolist()):
            if isinstance(limit, bool) or not isinstance(limit, (numbers.Real, np.integer, np.floating)):
                raise TypeError(f"limit {k} is {limit!r}, expected a number")
    far = infinity(dtype)

    def held(limit):
        limit = limit.item() if isinstance(limit, np.generic) else limit  # (NumPy would compare in the narrower type)
        if limit != limit:
            raise ValueError("the limit is NaN, expected a number")
        if dtype.kind == "i":
            return far if limit >= far else -far if limit <= -far else math.floor(limit)
        if abs(limit) > float(np.finfo(dtype).max):
            return math.inf if limit > 0 else -math.inf
        number = dtype.type(limit)
        return float(np.nextafter(number, dtype.type(-np.inf)) if float(number) > limit else number)

    values, places = np.unique(array, return_inverse=True)
    return np.reshape(np.array([held(limit) for limit in values.tolist()], dtype)[places], array.shape)


def _decay(decay, step, limit):
    """A caller's decay as float64 or None, and its step. Raises ValueError where they do not fit together."""
    if decay is None:
        if step is not None:
            raise ValueError(f"step is {step} without decay, expected both or none")
        return None, 1.0
    if step is None:
        raise ValueError("decay is given without step, expected both: the distance from one number of decay to the next")
    if limit is not None:
        raise ValueError("limit and decay are given, expected one of them (decay ends with its last number)")
    if np.ma.is_masked(decay):
        raise ValueError("a number of the decay is masked, expected a finite number")
    decay = np.asarray(decay)
    if decay.ndim != 1:
        raise ValueError(f"decay is an array of {decay.ndim} dimensions, expected a list of numbers")
    if decay.size > 0 and decay.dtype.kind not in "iuf":
        raise TypeError(f"the decay is of type {decay.dtype}, expected real numbers")
    decay = np.ascontiguousarray(decay, np.float64)
    if decay.size == 0:
        raise ValueError("the decay has no values, expected 1 or more")
    wrong = np.flatnonzero(~np.isfinite(decay))
    if wrong.size > 0:
        raise ValueError(f"value {wrong[0]} of the decay is {decay[wrong[0]]}, expected a finite number")
    return decay, float(step)


class Summaries:
    """The calls that a Network and a RoadNetwork have in common. These have _core, _dtype, _reached, _is_symmetric(), vertices
    and rows()."""

    __slots__ = ()

    def _ends(self, *named):
        """The lists of vertices of some (list, name) as int32. If one of them is of Points, the compiled part's points
        of all."""
        if not any(isinstance(given, Points) for given, _ in named):
            return [_list(given, name) for given, name in named]
        return [self._made(given, name) for given, name in named]

    def _made(self, given, name):
        """Vertices or Points as the compiled part's points."""
        return given._made(self._core) if isinstance(given, Points) else self._core.points_at(_list(given, name))

    def blocks(self, rows=None):
        """All distances, some rows at a time: pairs (first, block), where block[r, v] is the distance from vertex
        first + r to v.

        rows  the number of rows of a block; without, as many as 64 MB hold, but 64 or more for each thread

        Each block is an array of its own. Raises ValueError for rows below 1.

        >>> import blockfw
        >>> net = blockfw.Network(([0, 1], [1, 2], [4, 5]), directed=False)
        >>> for first, block in net.blocks(rows=2):
        ...     print(first, block.sum(axis=1))
        0 [13  9]
        2 [14]
        """
        n = self.vertices
        if rows is None:
            rows = max(_BLOCK // (self._dtype.itemsize * max(n, 1)), 64 * _core.threads())
        rows = operator.index(rows)
        if rows < 1:
            raise ValueError(f"rows is {rows}, expected 1 or more")

        def blocks():
            for first in range(0, n, rows):
                yield first, self.rows(np.arange(first, min(n, first + rows), dtype=np.int32))

        return blocks()

    def _reach(self, from_others, progress):
        """How many vertices each reaches or is reached from, the sums of their distances, the longest: found once."""
        from_others = from_others and not self._is_symmetric()
        if from_others not in self._reached:
            with shown(progress) as progress:
                reached, sums, farthest = self._core.reach(from_others, progress)
            self._reached[from_others] = reached, sums, farthest.view(self._dtype)
        return self._reached[from_others]

    def eccentricity(self, *, progress=False):
        """For each vertex the longest distance to any: n numbers of dtype; inf for one that does not reach all others. Then
        they are float64 where dtype is one of integers.

        progress  as for Network, but of parts of the vertices (so for all measures)

        This and the other measures look at all distances, some at a time: memory for n numbers. The first takes the time;
        eccentricity, diameter, radius, centre and closeness(outward=True) have it in common.

        >>> import blockfw
        >>> net = blockfw.Network(([0, 1, 2], [1, 2, 3], [1, 1, 5]), directed=False)
        >>> net.eccentricity()
        array([7, 6, 5, 7])
        >>> net.radius(), net.diameter(), net.centre()
        (np.int64(5), np.int64(7), array([2]))
        """
        everywhere, farthest = self._farthest(progress)
        if everywhere.all():
            return farthest.copy()
        result = farthest.astype(np.float64 if self._dtype.kind == "i" else self._dtype)
        result[~everywhere] = np.inf
        return result

    def _farthest(self, progress):
        """Whether each vertex reaches all, and its longest distance."""
        reached, _, farthest = self._reach(False, progress)
        return reached == len(self), farthest

    def _require_vertices(self):
        if len(self) == 0:
            raise ValueError("the network has no vertices, expected 1 or more")

    def diameter(self, *, progress=False):
        """The largest eccentricity; inf, also of integers, unless every vertex reaches all others.

        Raises ValueError for a network without vertices.
        """
        self._require_vertices()
        everywhere, farthest = self._farthest(progress)
        return farthest.max() if everywhere.all() else np.inf

    def radius(self, *, progress=False):
        """The smallest eccentricity; inf, also of integers, where no vertex reaches all others.

        Raises ValueError for a network without vertices.

        >>> import blockfw
        >>> blockfw.Network(([0], [1]), vertices=3).radius()  # in two parts
        inf
        """
        self._require_vertices()
        everywhere, farthest = self._farthest(progress)
        return farthest[everywhere].min() if everywhere.any() else np.inf

    def centre(self, *, progress=False):
        """The vertices whose eccentricity is the radius, in order; none where no vertex reaches all others."""
        everywhere, farthest = self._farthest(progress)
        return np.flatnonzero(everywhere & (farthest == farthest[everywhere].min())) if everywhere.any() else \
            np.zeros(0, np.intp)

    def closeness(self, *, outward=False, progress=False):
        """Closeness centrality of all vertices, as blockfw.closeness has it: n float64.

        outward  whether the vertices count that the vertex reaches. If not, the vertices count that reach it (as in
                 NetworkX)

        >>> import blockfw
        >>> blockfw.Network(([0, 1], [1, 2]), directed=False).closeness()
        array([0.66666667, 1.        , 0.66666667])
        """
        reached, sums, _ = self._reach(not outward, progress)
        return closeness_of(reached, sums)

    def histogram(self, width, bins, *, progress=False):
        """The numbers of pairs by their distance, as (counts, negative, unreachable): bins int64, and two ints.

        width     of a bin: counts[b] are the pairs at a distance of b * width or more, and less than (b + 1) * width. The
                  last bin has all longer distances, too. A whole number where dtype is one of integers
        bins      their number, up to 1048576
        progress  as for Network, but of vertices

        The pairs (i, j) and (j, i) count as two, and (i, i) does not count. Pairs at a negative distance, and those
        without a path, are in no bin. All distances pass by, some rows at a time: memory for 64 MB of them.

        Raises ValueError for a width that is not positive and finite, or not whole; for bins out of range.

        >>> import blockfw
        >>> net = blockfw.Network(([0, 1, 2], [1, 2, 3], [1, 1, 5]))
        >>> net.histogram(2, 3)
        (array([2, 1, 3]), 0, 6)
        """
        if not 0 < width < math.inf:
            raise ValueError(f"the width of a bin is {width}, expected a positive number")
        if self._dtype.kind == "i":
            if width != math.floor(width):
                raise ValueError(f"the width of a bin is {width}, expected a whole number, as the distances are of "
                                 f"{self._dtype}")
            width = int(min(width, infinity(self._dtype)))
        bins = operator.index(bins)
        with shown(progress) as progress:
            counts, negative, unreachable = self._core.histogram(width, min(max(bins, -2**63), 2**63 - 1), progress)
        return counts.view(np.int64), negative, unreachable

    def group_sums(self, groups, *, weights=None, limit=None, decay=None, step=None, count=None, of=None, progress=False):
        """For each vertex and each group of vertices, how many of them it reaches, and the sum of the distances to them:
        two arrays of n rows and a column for each group. How many schools within 10 minutes, for example.

        groups    for each vertex the number of its group, from 0 on; a negative number: none (as in the codes of Pandas)
        weights   for each vertex a number that counts in place of 1: its jobs, for example. The sums are then of weight
                  times distance
        limit     the largest distance that counts; without, all. Or a list of limits in any order: then both arrays have one
                  more axis, for the limits
        decay     numbers by which vertices count less where they are farther: decay[k] at the distance k * step, linear
                  between two of these, and 0 behind the last one. At a negative distance it is decay[0]
        step      of decay, in the unit of the weights of edges
        count     the number of groups; without, one more than the largest
        of        some vertices, or Points: the arrays have a row for each of them; without, all vertices
        progress  as for Network, but of rows

        Both arrays are of float64; without weights and decay the first is of int64. With decay the first adds up decay, times
        weight if there are weights, and the second that times distance. A vertex reaches itself. All distances pass by
        once, some rows at a time: memory for 64 MB of them, and the result.

        Raises ValueError for lists that are not of n numbers, a group out of range, a weight of NaN or inf, a limit of NaN,
        no limits, a decay that is empty or has NaN or inf, a step that is not positive; limit and decay together; decay or
        step alone.

        >>> import blockfw
        >>> net = blockfw.Network(([0, 1, 2], [1, 2, 3], [1, 1, 5]), directed=False)
        >>> reached, far = net.group_sums([0, -1, 1, 1], limit=5)
        >>> reached
        array([[1, 1],
               [1, 1],
               [1, 2],
               [0, 2]])
        >>> far
        array([[0., 2.],
               [1., 1.],
               [2., 5.],
               [0., 5.]])
        >>> net.group_sums([0, 0, 0, 0], limit=[1, 5, 7])[0][:, 0]
        array([[2, 3, 4],
               [3, 3, 4],
               [2, 4, 4],
               [1, 2, 4]])
        >>> net.group_sums([0, 0, 0, 0], decay=[1, 0], step=4)[0]
        array([[2.25],
               [2.5 ],
               [2.25],
               [1.  ]])
        >>> net.group_sums([0, -1, 1, 1], limit=5, of=[3])[0]
        array([[0, 2]])
        """
        group_of, n = integers(groups, "groups"), self.vertices
        if group_of.shape != (n,):
            raise ValueError(f"the groups have the shape {group_of.shape}, expected ({n},), a group for each vertex")
        largest = int(group_of.max(initial=-1))
        count = largest + 1 if count is None else operator.index(count)
        if not largest < count < 2**31:
            raise ValueError(f"the number of groups is {count}, expected {largest + 1} to {2**31 - 1}")
        group_of = np.where(group_of < 0, -9999, group_of).astype(np.int32)
        if weights is not None:
            weights = np.ascontiguousarray(weights, np.float64)
            if weights.shape != (n,):
                raise ValueError(f"the weights have the shape {weights.shape}, expected ({n},), a number for each vertex")
        decay, step = _decay(decay, step, limit)
        limits = limits_in(self._dtype, math.inf if limit is None else limit)
        if limits.size == 0:
            raise ValueError("there are no limits, expected 1 or more")
        points = None if of is None else self._made(of, "vertices")
        rows = n if of is None else len(points)
        reached, sums = (np.zeros((rows, count * limits.size)) for _ in range(2))
        if count > 0:
            with shown(progress) as progress:
                self._core.group_sums(reached, sums, group_of, weights, limits.reshape(-1), decay, step, count, points,
                                      progress)
        shape = (rows, count, *limits.shape)
        reached = reached if weights is not None or decay is not None else reached.astype(np.int64)
        return reached.reshape(shape), sums.reshape(shape)
