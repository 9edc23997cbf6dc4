# SPDX-License-Identifier: MIT
"""Several sets of weights of one network, or of one of roads."""
import numpy as np

from ._network import _list


class WeightSets:
    """The result of hourly() of a network, or of roads: several sets of its weights, such as travel times by the hour.

    It never changes, and any number of threads may ask it. Distances have the network's dtype, and are those of
    with_weights, set by set (sums of floats may round otherwise). A pair without a path has infinity(dtype). The lists of
    vertices may name a vertex twice, and be empty. A NamedNetwork takes lists of its ids.
    """

    __slots__ = ("_core", "_dtype", "_vertices", "__weakref__")

    def __init__(self):
        raise TypeError("WeightSets are made by hourly() of a Network")

    def _hold(self, core, dtype, vertices=_list):
        """vertices(given, name) is an array of the vertices that a caller has given."""
        self._core = core
        self._dtype = dtype
        self._vertices = vertices
        return self

    @property
    def vertices(self):
        """The number of vertices."""
        return self._core.vertices

    @property
    def dtype(self):
        """The type of the distances."""
        return self._dtype

    def __len__(self):
        return self._core.sets

    def __repr__(self):
        return f"WeightSets(sets={len(self)}, vertices={self.vertices}, dtype={self._dtype})"

    def table(self, sources, targets):
        """The distances from some vertices to others in each set: (sets, len(sources), len(targets)), of dtype.

        Memory: the result, and some hundred numbers for each target, of as many sets as are worked on at once.

        Raises ValueError for a vertex that is not there.

        >>> import blockfw
        >>> net = blockfw.Network(([0, 1, 0], [1, 2, 2], [5, 2, 9]))
        >>> net.hourly([[5, 2, 9], [8, 2, 9]]).table([0, 1], [1, 2]).tolist()
        [[[5, 7], [0, 2]], [[8, 9], [0, 2]]]
        """
        sources, targets = self._vertices(sources, "sources"), self._vertices(targets, "targets")
        d = np.empty((len(self), sources.size, targets.size), self._dtype)
        self._core.table(d.reshape(len(self) * sources.size, targets.size), sources, targets)
        return d

    def distances(self, sources, targets):
        """The distances of pairs in each set: entry (h, i), of dtype, is that from sources[i] to targets[i] in set h.

        Raises ValueError for lists of different lengths, or a vertex that is not there.

        >>> import blockfw
        >>> net = blockfw.Network(([0, 1, 0], [1, 2, 2], [5, 2, 9]))
        >>> net.hourly([[5, 2, 9], [8, 2, 9], [8, 2, float("inf")]]).distances([0, 1], [2, 2])
        array([[ 7,  2],
               [ 9,  2],
               [10,  2]])
        """
        ends = self._vertices(sources, "sources"), self._vertices(targets, "targets")
        return self._core.distances(*ends).view(self._dtype)
