# SPDX-License-Identifier: MIT
"""Shortest paths out of solved distances."""
from . import _core
from ._own import _graph, _number_type, without_far
from ._progress import shown
from ._solve import Options, Reading, all_pairs, predecessors


class Paths:
    """Shortest paths of a graph.

    graph      as for all_pairs
    n          the number of vertices, where the graph is a list of edges
    directed   False: every edge leads in both directions, so a negative one is a negative cycle
    dtype      the type of the distances; without, that of the weights
    progress   as for all_pairs

    Of all shortest paths between two vertices it takes one with the fewest edges, on which each vertex is the smallest
    that can come before the next: the same on every machine. For floats the lengths of paths differ from the distances
    by rounding only. Following predecessors to a source, or next hops to a target, always ends.

    Raises the errors of all_pairs.

    >>> import blockfw
    >>> paths = blockfw.Paths(([0, 1, 0], [1, 2, 2], [5, 2, 9]), n=3)
    >>> paths.path(0, 2)
    array([0, 1, 2], dtype=int32)
    >>> paths.distances[0]
    array([0, 5, 7])
    """

    def __init__(self, graph, *, n=None, directed=None, dtype=None, progress=False):
        graph, directed = _graph(graph, n, directed)
        options = Options(dtype=dtype, progress=progress)
        self.distances, self._finder = all_pairs(without_far(graph, options), Reading(directed=directed, loops=True),
                                                 options, _number_type(graph), True)
        self.distances.flags.writeable = False

    def path(self, from_, to):
        """The vertices of a shortest path, both ends included, as int32; without a path, none.

        Raises ValueError for a vertex that is not there.
        """
        return self._finder.path(from_, to)

    def tree(self, source):
        """n vertices as int32: the one before each on a shortest path from the source; -9999 without a path, and for
        the source.

        Raises ValueError for a source that is not there.
        """
        return self._finder.tree(source)

    def predecessors(self, *, progress=False):
        """The trees of all vertices: an n x n array of int32. (progress counts the vertices.)"""
        return predecessors(self._finder, progress)

    def next_hops(self, *, progress=False):
        """An n x n array of int32: the vertex after i on the path to j, -9999 without a path and on the diagonal.

        They lead by the same paths as the predecessors. For floats they may lead by other paths, whose lengths differ
        by rounding only.
        """
        with shown(progress) as progress:
            return self._finder.next_hops(progress)
