# SPDX-License-Identifier: MIT
"""Points beside a network: the ends of questions that are no vertices."""
import operator

import numpy as np

from ._input import vertices
from ._numbers import as_array, readable


def _indices(given, what):
    """A copy of a caller's list of indices, as int32."""
    array = given if isinstance(given, np.ndarray) else np.asarray(given)
    if array.ndim != 1:
        raise ValueError(f"the {what} are an array of {array.ndim} dimensions, expected a list of integers")
    held = vertices(array, what)
    return held.copy() if np.may_share_memory(held, array) else held


def _numbers(given, count, what, of):
    """A copy of a caller's numbers for `count` items, in a type that the compiled part reads, and their mask or None."""
    array = as_array(given)
    if array.dtype == bool:
        raise TypeError(f"the {what} are of type bool, expected real numbers")
    mask = np.ma.getmask(given)
    mask = None if mask is np.ma.nomask else mask
    array = readable(array, mask, lambda index: f"of {of} {index[0] if index else 0}", what)
    if array.ndim > 1 or array.ndim == 1 and array.size != count:
        raise ValueError(f"the {what} have the shape {array.shape}, expected ({count},), one for each {of}")
    if mask is not None:
        mask = np.array(np.broadcast_to(mask, (count,)), order="C")
    return np.array(np.broadcast_to(array, (count,)), order="C"), mask


def _count_of(point, count):
    """The number of points."""
    least = int(point.max(initial=-1)) + 1
    if least == 2**31:
        raise ValueError(f"points lie between 0 and 2**31 - 2, found {least - 1}")
    count = least if count is None else operator.index(count)
    if not least <= count < 2**31:
        raise ValueError(f"the number of points is {count}, expected {least} to {2**31 - 1}")
    return count


class Points:
    """Points beside a network, each with legs: ways between the point and vertices. They stand in place of vertices in
    table, distances, rows, nearest, within, count_within, along and group_sums (of=) of a Network: doors with access walks,
    curb sides, zones with several connectors. Network.on_edge makes points on edges. Networks of roads take points, too.

    point   for each leg its point, counted from 0
    vertex  for each leg its vertex
    length  for each leg its length, or one number for all; without, 0. A leg of length inf, or of a masked one, leads
            nowhere
    count   the number of points; without, one more than the largest
    second  for each leg its length in a second weight, or one number for all: its metres, for along. Of a leg that leads
            nowhere it does not matter

    A leg leads from its point to its vertex if the point is a source, and from the vertex to the point if it is a target.
    The distance of two points is the least sum of a leg of the first, a distance of vertices, and a leg of the second. A
    point may have any number of legs. One without legs reaches nothing.

    Raises ValueError, TypeError for bad arguments. The methods of a network raise ValueError for a vertex that is not
    there, and for a length that its dtype does not hold exactly; OverflowError where a sum of integers does not fit.

    >>> import blockfw
    >>> net = blockfw.Network(([0, 1, 2], [1, 2, 3], [40, 50, 60]), directed=False)
    >>> park = blockfw.Points([0, 0], [0, 3], [5, 15])        # a park with two gates
    >>> park
    Points(1, legs=2)
    >>> net.table([1, 2], park)
    array([[45],
           [75]])
    """

    __slots__ = ("_count", "_point", "_vertex", "_length", "_mask", "_second")

    def __init__(self, point, vertex, length=None, count=None, second=None):
        self._point, self._vertex = _indices(point, "points"), _indices(vertex, "vertices")
        legs = self._point.size
        if self._vertex.size != legs:
            raise ValueError(f"there are {legs} points and {self._vertex.size} vertices of legs, expected as many of each")
        self._length, self._mask = (None, None) if length is None else _numbers(length, legs, "lengths", "leg")
        self._count = _count_of(self._point, count)
        self._second = None
        if second is not None:
            given, mask = _numbers(second, legs, "second lengths", "leg")
            nowhere = np.zeros(legs, bool) if self._length is None else np.isinf(self._length)
            if self._mask is not None:
                nowhere |= self._mask
            given = np.where(nowhere, 0, given)
            mask = None if mask is None else mask & ~nowhere
            if mask is not None and mask.any():
                raise ValueError(f"the second length of leg {int(mask.argmax())} is masked, expected a finite number")
            if given.dtype.kind in "iu" and given.size and np.abs(given.astype(np.float64)).max() >= 2.0**53:
                raise ValueError("a second length is 2**53 or more, expected less")
            self._second = given.astype(np.float64)

    def __len__(self):
        return self._count

    def __repr__(self):
        return f"Points({self._count}, legs={self._point.size})"

    def _made(self, core):
        """The compiled part's points, for its network."""
        legs = self._count, self._point, self._vertex, self._length, self._mask
        return core.points(*legs, self._second)


class PointsOnEdges(Points):
    """The result of Network.on_edge. The positions are on the edges of the network that is asked."""

    __slots__ = ("_edge", "_fraction", "_at", "_edges")

    def __init__(self, edge, fraction, at, point, count, edges):
        """edges is the number of edges of the network that makes them."""
        self._edges = edges
        self._edge = _indices(edge, "edges")
        places = self._edge.size
        if (fraction is None) == (at is None):
            raise TypeError("on_edge() takes fraction or at, one of both")
        self._point = np.arange(places, dtype=np.int32) if point is None else _indices(point, "points")
        if self._point.size != places:
            raise ValueError(f"there are {places} edges and {self._point.size} points of places, expected as many of each")
        self._count = _count_of(self._point, count)
        self._fraction = self._at = None
        given, mask = _numbers(fraction if at is None else at, places, "fractions" if at is None else "positions", "place")
        if mask is not None and mask.any():
            raise ValueError(f"the number of place {int(mask.argmax())} is masked, expected where it is on its edge")
        if at is None:
            self._fraction = given.astype(np.float64)
        else:
            self._at = given

    def __repr__(self):
        return f"Points({self._count}, places={self._edge.size})"

    def _made(self, core):
        if core.edge_count != self._edges:
            raise ValueError(f"the points lie on edges of a network of {self._edges} edges, this one has {core.edge_count}")
        return core.on_edges(self._count, self._point, self._edge, self._fraction, self._at)


def _list(given, what):
    """A caller's list of vertices as int32."""
    if isinstance(given, Points):
        raise TypeError(f"the {what} are Points, expected vertices; table, distances, rows, nearest, within, count_within, "
                        "along and group_sums take Points")
    array = given if isinstance(given, np.ndarray) else np.asarray(given)
    if array.ndim != 1:
        raise ValueError(f"the {what} are an array of {array.ndim} dimensions, expected a list of vertices")
    return vertices(array)
