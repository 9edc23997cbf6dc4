# SPDX-License-Identifier: MIT
"""A network that is asked many questions."""
import operator
import os

import numpy as np

from . import _core
from ._input import Dense, Edges, edges_of, graph_of, result_type
from ._numbers import TYPES, as_array, misfits, readable, refuse
from ._own import _edges, _form, _listed, _number_type, without_far
from ._points import Points, PointsOnEdges, _list
from ._solve import Options, place, shown
from ._summaries import Summaries, limits_in

_TYPES = {{"float32": "float", "float64": "double"}.get(t.name, t.name): t for t in TYPES}  # by their names in a file


def _read(graph, n, directed, dtype):
    """Any form of a graph as Edges, the mask of their weights or None, whether they are directed, the distances' type."""
    graph, n, directed = _form(graph, n, directed)
    mask = None
    if isinstance(graph, tuple) and not isinstance(graph, (Dense, Edges)):
        graph, mask = _edges(graph, n)
    else:
        graph = graph_of(graph)
    dtype = result_type(_number_type(graph) if dtype is None else dtype)
    if isinstance(graph, Dense):
        seen = ~np.eye(graph.n, dtype=bool) | (graph.weights < 0)  # (a loop counts if it is a negative cycle)
        seen = seen if graph.mask is None else seen & ~graph.mask
        refuse(~(graph.weights > -np.inf) & seen, graph.weights, ValueError, "is not valid, expected a number or infinity")
        graph = edges_of(without_far(graph._replace(mask=~seen), Options(dtype=dtype)), False, dtype)
    return graph, None if mask is None else np.ascontiguousarray(mask), directed, dtype


def _weights(given, dimensions=1, expected="a number for each edge"):
    """A caller's weights of edges, in a type that the compiled part reads."""
    held = _listed(given)
    if held.ndim != dimensions:
        raise ValueError(f"the weights are an array of {held.ndim} dimensions, expected {expected}")
    return held


def _sets_of(given):
    """A caller's sets of weights. Of a list of rows, some of which are masked, it is one masked array."""
    if not isinstance(given, (list, tuple)):
        return given
    for row in given:
        if getattr(row, "dtype", None) == bool or (isinstance(row, (list, tuple)) and bool in set(map(type, row))):
            raise TypeError("the weights of edges are of type bool, expected real numbers")
    if not any(isinstance(row, np.ma.MaskedArray) for row in given):
        return given
    return np.ma.masked_array(as_array(given), [np.ma.getmaskarray(row) for row in given])


def _second(given):
    """A caller's second weights, as int64 or float64."""
    if np.ma.is_masked(given):
        raise ValueError("a second weight is masked, expected a number")
    array = as_array(given)
    if array.ndim != 1:
        raise ValueError(f"the second weights are an array of {array.ndim} dimensions, expected a number for each edge")
    if array.dtype == bool:
        raise TypeError("the second weights are of type bool, expected real numbers")
    # (These would become floats, whose sums round.)
    is_large = array.dtype.kind == "u" and array.max(initial=0) >= 2**63
    if is_large or (array.dtype.kind == "O" and all(isinstance(x, (int, np.integer)) for x in array.tolist())):
        for e, weight in enumerate(array.tolist()):
            if not -2**63 <= weight < 2**63:
                raise OverflowError(f"the second weight of edge {e} is {weight}, expected less than 2^60")
    held = readable(array, what="second weights")
    return np.ascontiguousarray(held, np.float64 if held.dtype.kind == "f" else np.int64)


def _demand(given):
    """A caller's demand, of pairs or a table, as float64."""
    if np.ma.is_masked(given):
        raise ValueError("a demand is masked, expected a number of 0 or more")
    array = np.asarray(given)
    if array.ndim not in (1, 2):
        raise ValueError(f"the demand is an array of {array.ndim} dimensions, expected a number for each pair, or a row for "
                         "each source")
    if array.size > 0 and array.dtype.kind not in "iuf":
        raise TypeError(f"the demand is of type {array.dtype}, expected real numbers")
    with np.errstate(over="ignore"):
        held = np.ascontiguousarray(array, np.float64)
    wrong = misfits(array, held) if array.size > 0 else np.zeros(0, bool)
    if wrong.any():
        raise ValueError(f"the demand {array[wrong].flat[0]} is not a number of type float64")
    return held


def edge_loads(core, sources, targets, demand, progress):
    """The loads of a network's edges, and the demand without a path."""
    sources, targets = _list(sources, "sources"), _list(targets, "targets")
    pairs = table = None
    if demand is not None:
        held = _demand(demand)
        pairs, table = (held, None) if held.ndim == 1 else (None, held)
        if table is not None and table.shape != (sources.size, targets.size):
            raise ValueError(f"the demand has the shape {table.shape}, expected {(sources.size, targets.size)}, a row for "
                             "each source")
    with shown(progress) as progress:
        loads, unserved = core.edge_loads(sources, targets, pairs, table, progress)
    return (loads.astype(np.int64), int(unserved)) if demand is None else (loads, unserved)


def within(core, dtype, sources, limit, csr):
    """The vertices within a limit of each source, as within() of a network returns them.

    core     the compiled network, of roads or not
    sources  as the compiled network takes them
    """
    if csr:
        try:
            from scipy.sparse import csr_array
        except ImportError:
            raise ImportError("within() returns a sparse array of SciPy's, which is not here; "
                              "with csr=False it returns arrays of NumPy's") from None
    limits = limits_in(dtype, limit)
    offsets, vertices, distances = core.within(sources, limits if limits.ndim else np.full(len(sources), limits))
    offsets, distances = offsets.view(np.int64), distances.view(dtype)
    if not csr:
        return offsets, vertices, distances
    rows = csr_array((distances, vertices, offsets), shape=(len(sources), core.vertices))
    rows.has_canonical_format = True  # (sorted, without a vertex twice)
    return rows


def count_within(core, dtype, sources, limit):
    """The numbers of these vertices, as count_within() of a network returns them."""
    limits = limits_in(dtype, limit)
    counts = core.count_within(sources, limits.reshape(-1)).view(np.int64)
    return counts.reshape(len(sources), limits.size) if limits.ndim else counts


def along(network, second, sources, targets, pairs):
    """Second sums, as along() of a network or of roads returns them.

    sources, targets  both as arrays of vertices, or both as the compiled part's points
    """
    second = _second(second)
    kept = network._second
    if kept is None or kept[0].dtype != second.dtype or not np.array_equal(kept[0], second):
        network._second = kept = second.copy(), network._core.with_second(second)
    if not isinstance(sources, np.ndarray):
        return network._core.along(kept[1], sources, targets, pairs).view(second.dtype)
    return (kept[1].distances if pairs else kept[1].table)(sources, targets).view(second.dtype)


def hourly(network, weights):
    """Several sets of weights, as hourly() of a network or of roads returns them."""
    from ._weight_sets import WeightSets

    weights = _sets_of(weights)
    held = _weights(weights, 2, "a row for each set")
    edges = network._core.edge_count
    if held.shape[1] != edges:
        raise ValueError(f"there are {held.shape[1]} weights in each set, expected {edges}, one for each edge")
    mask = _mask_of(weights, held.shape)
    core = network._core.with_sets(held.shape[0], held.reshape(-1), None if mask is None else mask.reshape(-1))
    return object.__new__(WeightSets)._hold(core, network._dtype)


def _of_bytes(dtype, bytes_):
    """The network of a pickle."""
    dtype = np.dtype(dtype)
    return object.__new__(Network)._hold(getattr(_core, f"Network_{dtype}").of_bytes(bytes_), dtype)


def _mask_of(weights, shape):
    """The mask of a masked array, or None."""
    mask = np.ma.getmask(weights)
    return None if mask is np.ma.nomask else np.ascontiguousarray(np.broadcast_to(mask, shape))


# (The compiled part's arrays of int64 are of C's long long, which NumPy prints with its type. Views are of int64.)


class Network(Summaries):
    """A sparse graph, prepared for many questions about its shortest paths: a road network, a grid, a mesh.

    edges     the edges in any form that all_pairs takes: a tuple (from, to) or (from, to, weights) of arrays, a sparse
              matrix of SciPy's, a Graph, a graph of NetworkX's (vertex i is the i-th node), a matrix. An edge of weight
              inf, in integers infinity(dtype), or of a masked weight is closed: it leads nowhere, until with_weights or
              update opens it
    directed  False: every edge leads in both directions, so a negative one is a negative cycle; without, the direction
              of the Graph, or True
    dtype     the type of the distances, int16, int32, int64, float32 or float64; without, that of the weights (a list
              with inf is of float64, a list of ints is of int64)
    order     the order in which vertices are eliminated: "auto" (the built-in one), "amd" or "metis" (where the module was
              built with that component), or an array of all vertices
    vertices  the number of vertices, for edges; without, one more than the largest that they name
    progress  True for a bar of tqdm's, or a function of (vertices eliminated, in all)
    strict_cycles
              see help(blockfw._scipy)

    It never changes, any number of threads may ask it, and a pickle of it has all numbers. Distances have its dtype. A
    pair without a path has infinity(dtype): inf, and in int32 1073741823. The lists of vertices that its methods take may name a vertex twice,
    and be empty. Points stand in place of such a list in table, distances, rows, nearest, within, count_within, along and group_sums
    (of=). Ctrl-C ends table, rows, distances and the measures between two parts.

    Making it takes time and memory for about n * w * w sums and n * w numbers, where w is the size of the separators of
    the graph: about the square root of n in a plane network. A million crossings take seconds, and some hundred MB.

    Raises NegativeCycleError (SciPy's); ValueError, TypeError for bad arguments, and for a weight that dtype does not hold
    exactly (of floats: is rounded to infinity or 0); OverflowError where sums could exceed an integer dtype; MemoryError
    before memory that is not there is taken. Its methods raise ValueError for a vertex that is not there.

    >>> import blockfw
    >>> net = blockfw.Network(([0, 1, 2, 0], [1, 2, 3, 2], [5, 2, 1, 9]))
    >>> net
    Network(vertices=4, edges=4, dtype=int64, directed=True)
    >>> net.table([0, 1], [2, 3])
    array([[7, 8],
           [2, 3]])
    >>> net.path(0, 3)
    array([0, 1, 2, 3], dtype=int32)
    """

    __slots__ = ("_core", "_dtype", "_reached", "_second", "__weakref__")

    def __init__(self, edges, *, directed=None, dtype=None, order="auto", vertices=None, progress=False,
                 strict_cycles=False):
        graph, mask, directed, dtype = _read(edges, vertices, directed, dtype)
        places = None
        if not isinstance(order, str):
            order, places = "auto", _list(order, "vertices of the order")
        make = getattr(_core, f"Network_{dtype}")
        with shown(progress) as progress:
            self._hold(make(graph.n, graph.from_, graph.to, graph.weights, mask, directed, order, places,
                            bool(strict_cycles), progress), dtype)

    def _hold(self, core, dtype):
        self._core = core
        self._dtype = dtype
        self._reached = {}
        self._second = None
        return self

    def _of(self, core):
        """Another network of the same type."""
        return object.__new__(Network)._hold(core, self._dtype)

    @property
    def vertices(self):
        """The number of vertices."""
        return self._core.vertices

    @property
    def edges(self):
        """The edges in the caller's order, (from, to, weights): new arrays of int32, int32 and dtype. Of a sparse matrix
        they are in the order of CSR, of a graph of NetworkX's in that of graph.edges, of a matrix by rows. A closed edge
        has the weight infinity(dtype)."""
        from_, to, weights = self._core.edges()
        return from_, to, weights.view(self._dtype)

    @property
    def dtype(self):
        """The type of the distances."""
        return self._dtype

    @property
    def directed(self):
        """Whether the edges lead in one direction."""
        return self._core.directed

    def __len__(self):
        return self._core.vertices

    def __repr__(self):
        return (f"Network(vertices={self.vertices}, edges={self._core.edge_count}, dtype={self._dtype}, "
                f"directed={self.directed})")

    def _is_symmetric(self):
        """Whether the distances are known to be the same in both directions."""
        return not self.directed

    def __copy__(self):
        return self

    def __deepcopy__(self, memo):
        return self

    def _result(self, out, shape, *lists):
        """The result's memory, and the lists, none of which lies in it."""
        d = place(shape, self._dtype, Options(dtype=self._dtype, out=out))
        return (d, *(a.copy() if out is not None and isinstance(a, np.ndarray) and np.may_share_memory(d, a) else a
                     for a in lists))

    def on_edge(self, edge, fraction=None, *, at=None, point=None, count=None):
        """Points that lie on edges: houses along streets, for example.

        edge      for each place the index of its edge, in the order of edges
        fraction  for each place the part of the edge that lies before it, from 0 to 1; or one number for all
        at        the same in units of the weight, in place of fraction: from 0 to the weight
        point     for each place its point; without, each place is a point of its own
        count     the number of points; without, one more than the largest

        Returns Points, as sources and as targets. Between two places on the same edge the piece of the edge counts, too.
        Nothing leads against a directed edge. Where a street with two directions is two edges e and f, its points have a
        place on both: on_edge([e, f], [0.3, 0.7], point=[0, 0]). A place on a closed edge reaches nothing.

        Another network, as of with_weights, takes the points at these places of its own edges.

        Raises ValueError for an edge that is not there, a place that is not on its edge, two places of a point on an
        edge; and where dtype is one of integers, for a fraction of a weight that is no whole number.

        >>> import blockfw
        >>> net = blockfw.Network(([0, 1], [1, 2], [40, 60]), directed=False)
        >>> homes = net.on_edge([0, 0, 1], at=[10, 30, 15])
        >>> net.table(homes, homes)
        array([[ 0, 20, 45],
               [20,  0, 25],
               [45, 25,  0]])
        >>> net.nearest([0, 2], of=homes)[0][:, 0]
        array([0, 0, 1], dtype=int32)
        """
        points = PointsOnEdges(edge, fraction, at, point, count, self._core.edge_count)
        points._made(self._core)  # (raises the errors of the points)
        return points

    def table(self, sources, targets, out=None):
        """The distances from some vertices (or Points) to others: (len(sources), len(targets)), of dtype.

        out  the result's array: of this shape and dtype, with contiguous rows (a numpy.memmap may be)

        It takes some nanoseconds an entry, and some microseconds for each source and target. Memory: the result, and
        some hundred numbers for each target.

        Raises ValueError, TypeError for an out that does not fit (nothing is copied instead).

        >>> import numpy as np, blockfw
        >>> net = blockfw.Network(([0, 1, 2], [1, 2, 0], [4.0, 5.0, 6.0]))
        >>> net.table([0, 2], [0, 1, 2], out=np.empty((2, 3)))
        array([[ 0.,  4.,  9.],
               [ 6., 10.,  0.]])
        """
        sources, targets = self._ends((sources, "sources"), (targets, "targets"))
        d, sources, targets = self._result(out, (len(sources), len(targets)), sources, targets)
        self._core.table(d, sources, targets)
        return d

    def distances(self, sources, targets):
        """The distances of pairs: entry i, of dtype, is that from sources[i] to targets[i]. A pair takes some
        ten microseconds of a thread; with keep_labels, or in long lists (from half as many pairs as vertices on), a fraction of that.

        Raises ValueError for lists of different lengths.

        >>> import blockfw
        >>> blockfw.Network(([0, 1], [1, 2], [4, 5])).distances([0, 2], [2, 0]).tolist()
        [9, 4611686018427387903]
        """
        return self._core.distances(*self._ends((sources, "sources"), (targets, "targets"))).view(self._dtype)

    def keep_labels(self, memory=None):
        """Keeps a label for each vertex, its shortest paths to the vertices above it, and returns the network. Then a
        distance of a pair and a path take a fraction of their time. The labels take label_bytes, and as long as rows
        from some hundred sources. Networks of with_weights and update have none of their own, and a file or pickle has
        none.

        memory  the most bytes that they may take; None: no limit. If label_bytes is more, only the vertices at the top
                of the tree of elimination have labels: 50 MB for a million vertices of a road network make a distance
                four times faster. 0 frees all labels.

        >>> import blockfw
        >>> net = blockfw.Network(([0, 1], [1, 2], [4, 5])).keep_labels()
        >>> net.has_labels
        True
        """
        self._core.keep_labels(float("inf") if memory is None else memory)
        return self

    @property
    def has_labels(self):
        """Whether labels are kept, of all vertices or of some."""
        return self._core.has_labels

    @property
    def label_bytes(self):
        """The memory of the labels of all vertices, in bytes."""
        return int(self._core.label_bytes)

    def rows(self, sources, out=None):
        """The distances from some vertices to all: (len(sources), n), of dtype.

        out  as for table

        A row takes a few nanoseconds for each number that the network holds. Memory: the result.

        >>> import blockfw
        >>> blockfw.Network(([0, 1], [1, 2], [4, 5]), directed=False).rows([2])
        array([[9, 5, 0]])
        """
        sources, = self._ends((sources, "sources"))
        d, sources = self._result(out, (len(sources), self.vertices), sources)
        self._core.rows(d, sources)
        return d

    def path(self, i, j):
        """The vertices of a shortest path from i to j, both included, as int32; without a path, none. It takes some
        ten microseconds for each edge that leaves a vertex of the path, with keep_labels less than one.

        >>> import blockfw
        >>> blockfw.Network(([0, 1, 0], [1, 2, 2], [5, 2, 9])).path(0, 2)
        array([0, 1, 2], dtype=int32)
        """
        return self.paths([operator.index(i)], [operator.index(j)])[1]

    def path_edges(self, i, j):
        """The edges of path(i, j) in its order: int64, their indices in `edges`. Without a path, and where i is j, none. It
        takes the time of path.

        Of parallel edges the lightest is taken, of equally light ones the first. Where directed is False, edges in either
        direction are parallel.

        >>> import blockfw
        >>> net = blockfw.Network(([0, 1, 0, 0], [1, 2, 2, 1], [5, 2, 9, 4]))
        >>> net.path_edges(0, 2)
        array([3, 1])
        >>> net.edges[2][net.path_edges(0, 2)]
        array([4, 2])
        """
        return self.paths([operator.index(i)], [operator.index(j)], edges=True)[1]

    def paths(self, sources, targets, *, edges=False):
        """Shortest paths of pairs, as (offsets, vertices): the path from sources[p] to targets[p] is
        vertices[offsets[p]:offsets[p + 1]], both ends included; without a path, none. Of int64 and int32.

        edges  True: (offsets, edges), with the edges of the paths as path_edges has them. Both are of int64. A path without
               edges has equal ends, or is none

        Raises ValueError for lists of different lengths.

        >>> import blockfw
        >>> net = blockfw.Network(([0, 1, 0], [1, 2, 2], [5, 2, 9]))
        >>> net.paths([0, 2, 1], [2, 0, 1])
        (array([0, 3, 3, 4]), array([0, 1, 2, 1], dtype=int32))
        >>> net.paths([0, 2, 1], [2, 0, 1], edges=True)
        (array([0, 2, 2, 2]), array([0, 1]))
        """
        sources, targets = _list(sources, "sources"), _list(targets, "targets")
        if edges:
            offsets, found = self._core.path_edges(sources, targets)
            return offsets.view(np.int64), found.view(np.int64)
        offsets, found = self._core.paths(sources, targets)
        return offsets.view(np.int64), found

    _vertex_paths = paths

    def edge_loads(self, sources, targets, demand=None, *, progress=False):
        """How many of the pairs use each edge, as (loads, unserved). loads has a number for each of `edges`: the demand of
        the pairs whose shortest path takes the edge. unserved is the demand of the pairs without a path.

        demand    a number of 0 or more for each pair (sources[p], targets[p]); or a row for each source and a column for
                  each target, which then all are pairs; without, each pair counts 1
        progress  as for Network, but of pairs

        Both are of float64; without a demand they are int64 and int. The paths are those of path_edges. They are found one
        by one, faster if many of them have the same target. Memory: the loads, and a thousand paths. Sums are exact for
        whole numbers up to 2**53. Other sums round in the order of the pairs, in a table target by target.

        Raises ValueError for lists of different lengths, a demand of another shape, or one that is negative, NaN or inf;
        TypeError for one that is no number; OverflowError if all demand adds up to inf.

        >>> import blockfw
        >>> net = blockfw.Network(([0, 1, 0], [1, 2, 2], [5, 2, 9]))
        >>> net.edge_loads([0, 1, 2], [2, 2, 0])
        (array([1, 2, 0]), 1)
        >>> net.edge_loads([0, 1], [1, 2], [[10, 20], [0, 2.5]])
        (array([30. , 22.5,  0. ]), 0.0)
        """
        return edge_loads(self._core, sources, targets, demand, progress)

    def nearest(self, places, count=1, *, of=None):
        """For each vertex the nearest of some places: those to which its shortest paths lead.

        places  vertices, or Points. Of places at the same distance the first in the list is nearer
        count   places of each vertex
        of      some vertices, or Points; without, all vertices

        Returns (indices, distances), two arrays of len(of), or n, rows and count columns: of int32, where in places; and of
        dtype. Where a vertex reaches fewer places, -9999 and infinity(dtype).

        Memory: the result, and of all vertices as much for each thread.

        Raises ValueError for a count below 1.

        >>> import blockfw
        >>> net = blockfw.Network(([0, 1, 2], [1, 2, 3], [4.0, 5.0, 6.0]), directed=False, vertices=5)
        >>> which, far = net.nearest([0, 3])
        >>> which[:, 0]
        array([    0,     0,     1,     1, -9999], dtype=int32)
        >>> far[:, 0]
        array([ 0.,  4.,  6.,  0., inf])
        """
        count = operator.index(count)
        if of is None and not isinstance(places, Points):
            places = _list(places, "places")
        else:
            of = np.arange(self.vertices, dtype=np.int32) if of is None else of
            places, of = self._ends((places, "places"), (of, "vertices"))
        which, distances = self._core.nearest(places, count, of)
        shape = (self.vertices if of is None else len(of), count)
        return which.reshape(shape), distances.view(self._dtype).reshape(shape)

    def within(self, sources, limit, *, csr=True):
        """The vertices within a limit of each source, with their distances.

        limit  the largest distance; a path of this length is within it. Or a list, with a limit for each source. For bands
               ask with the largest limit: numpy.searchsorted(limits, distances) has the band of each distance
        csr    False: return arrays

        Returns SciPy's sparse array of len(sources) rows and n columns, of dtype, in the format CSR. Each distance is an
        entry, also that of a source to itself, which is 0. With csr=False, (offsets, vertices, distances): row r has the
        entries from offsets[r] to offsets[r + 1], by ascending vertices; of int64, int32 and dtype.

        Without negative weights it takes time for the vertices that are found, and not for others.

        Raises ValueError for a limit of NaN, or a list of another length; ImportError with csr=True where there is no
        SciPy.

        >>> import blockfw
        >>> net = blockfw.Network(([0, 1, 2], [1, 2, 3], [4, 5, 6]), directed=False)
        >>> net.within([0, 3], 9, csr=False)
        (array([0, 3, 5]), array([0, 1, 2, 2, 3], dtype=int32), array([0, 4, 9, 6, 0]))
        >>> net.within([0, 3], 9).nnz
        5
        >>> net.within([0, 0], [3, 4], csr=False)
        (array([0, 1, 3]), array([0, 0, 1], dtype=int32), array([0, 0, 4]))
        """
        sources, = self._ends((sources, "sources"))
        return within(self._core, self._dtype, sources, limit, csr)

    def count_within(self, sources, limit):
        """The number of vertices within a limit of each source, as within has it, without the lists: int64. A source
        counts, too.

        limit  the largest distance; a path of this length is within it. Or a list of limits: then the result has a row for
               each source and a column for each limit. (In within a list has a limit for each source.)

        It takes the time of within, with the largest limit. Memory: the result.

        Raises ValueError for a limit of NaN, or an empty list of limits.

        >>> import blockfw
        >>> net = blockfw.Network(([0, 1, 2], [1, 2, 3], [4, 5, 6]), directed=False)
        >>> net.count_within([0, 3], 9)
        array([3, 2])
        >>> net.count_within([0, 3], [0, 6, 9])
        array([[1, 2, 3],
               [1, 2, 2]])
        """
        sources, = self._ends((sources, "sources"))
        return count_within(self._core, self._dtype, sources, limit)

    def with_weights(self, weights):
        """The same network with other weights, which takes a fraction of the time of a new one.

        weights  a number for each edge, in the order of edges. An edge of weight inf, in integers infinity(dtype), or of
                 a masked weight is closed, and one that was closed is opened

        Returns a Network of the same dtype, also for floats like inf; this one stays as it is.

        Raises ValueError for another number of weights, and the errors of Network().

        >>> import numpy as np, blockfw
        >>> net = blockfw.Network(([0, 1, 0], [1, 2, 2], [5, 2, 9]))
        >>> net.with_weights([5, np.inf, 9]).distances([0], [2])
        array([9])
        """
        held = _weights(weights)
        return self._of(self._core.with_weights(held, _mask_of(weights, held.shape)))

    def hourly(self, weights):
        """The network with several sets of weights at once: travel times by the hour, for example. It takes less time than
        with_weights for each set: a third to six tenths of it on roads. Of large tables with_weights may be faster.

        weights  an array with a row for each set, of a number for each edge, in the order of edges. An edge of weight inf,
                 in integers infinity(dtype), or of a masked weight is closed in the set

        Returns WeightSets, of which table and distances have one more axis, for the sets. The type is one of its own since
        it has no paths, nearest places and limits: with_weights has them for each set.

        Memory: the numbers of a network for each set. The number of sets is rounded up to a multiple of 4 for int64 and
        float64, of 8 for int32 and float32, of 16 for int16.

        Raises ValueError for another number of weights, and the errors of Network(); errors name the set.

        >>> import blockfw
        >>> net = blockfw.Network(([0, 1, 0], [1, 2, 2], [5, 2, 9]))
        >>> hours = net.hourly([[5, 2, 9], [8, 2, 9]])
        >>> hours
        WeightSets(sets=2, vertices=3, dtype=int64)
        >>> hours.table([0], [1, 2]).shape
        (2, 1, 2)
        """
        return hourly(self, weights)

    def update(self, from_, to, weights):
        """The same network with other weights of some edges. This takes a fraction of the time of with_weights, if the
        edges are few, and this network is itself the result of an update (the first one takes as long as with_weights,
        and memory for as much as the network, or some times as much).

        from_, to  the ends of the edges: all edges from from_[i] to to[i] get the weight, and if directed is False, those
                   from to[i] to from_[i], too. Of an edge that is named twice the last weight counts
        weights    a number for each, as for with_weights: inf or a masked one closes the edge

        Returns a Network of the same dtype, also for floats like inf; this one stays as it is.

        Raises ValueError for an edge that the network does not have, or that leads from a vertex to itself, and the
        errors of Network().

        >>> import blockfw
        >>> net = blockfw.Network(([0, 1, 0], [1, 2, 2], [5, 2, 9]))
        >>> net.update([0], [2], [6]).distances([0], [2])
        array([6])
        >>> net.update([0], [2], [float("inf")]).distances([0], [2])  # without the edge; still integers
        array([7])
        """
        held = _weights(weights)
        return self._of(self._core.with_changes(_list(from_, "vertices"), _list(to, "vertices"), held,
                                                _mask_of(weights, held.shape)))

    def along(self, second, sources, targets, *, pairs=False):
        """Sums of a second weight along the shortest paths: the metres of the fastest ways. Of several shortest paths the
        one with the smallest sum counts.

        second   a number for each edge, in the order of edges: integers, whose sums are exact, or floats
        sources, targets
                 vertices, or Points: on edges, or with second lengths. A place at a third of an edge's weight has a third of
                 its second weight before it. An edge of weight 0 must have the second weight 0, where a place is on it
        pairs    True: of pairs, as distances; without, of all sources to all targets, as table

        Returns int64 for integers, and infinity("int64") without a path; float64 for floats, and inf. The shape is
        (len(sources),) or (len(sources), len(targets)).

        The first call with some second weights takes the time and memory of with_weights in int64, or some times as much
        where a length and a sum do not fit 62 bits together, or a second weight is negative. The result is kept for the next
        calls with the same.

        Where dtype is one of floats and sums of the weights round, such as 0.1 and 0.2, equally long paths may differ by
        their rounding, and any of them may count. Tenths as whole numbers do not round.

        Second weights may be negative, but not where sums of the weights round.

        Raises ValueError for a second weight that is not finite; for a negative one where weights round, or on a cycle of
        length 0 whose sum is negative; for a leg without a second length, unless its length is 0; where second weights are
        integers, for a part of one that is no whole number (floats take any part). OverflowError where a sum could reach
        2**60.

        >>> import blockfw
        >>> minutes = blockfw.Network(([0, 1, 0], [1, 2, 2], [5, 2, 9]))
        >>> minutes.along([800, 300, 2500], [0], [1, 2])
        array([[ 800, 1100]])
        >>> minutes.along([800, 300, 2500], minutes.on_edge([0], at=[2]), [2])
        array([[780]])
        """
        return along(self, second, *self._ends((sources, "sources"), (targets, "targets")), pairs)

    def save(self, path):
        """Write the network to a file, from which load() has it in a moment: the edges, the order of elimination and all
        numbers, in this machine's order of bytes. The file appears whole or not at all.

        Raises OSError for a file that cannot be written.
        """
        self._core.save(os.fsdecode(path))

    @classmethod
    def from_networkx(cls, graph, weight="weight", *, directed=None, dtype=None, order="auto", progress=False,
                      strict_cycles=False):
        """A graph of NetworkX's or OSMnx's as a NamedNetwork, whose questions take and give the graph's nodes.

        graph     a Graph, DiGraph, MultiGraph or MultiDiGraph. Parallel edges are all kept, with their keys
        weight    the name of an edge attribute; an edge without it has weight 1, as in NetworkX, with a warning. Or a
                  function of (u, v, attributes), as NetworkX takes it. Of a multigraph it gets {key: attributes} of one edge
                  at a time; where it returns None there is no edge. None: all weights are 1
        directed  without, the direction of the graph. True: an undirected graph's edges are two each
        dtype, order, progress, strict_cycles
                  as for Network

        The edges are in the order of graph.edges (with directed=True, of an undirected graph, in that of
        graph.adjacency()). The network does not change with the graph.

        Raises TypeError for another graph, and for a weight that is no int or float. ValueError for NaN or -inf, where no
        edge has the attribute, where a function gives no weight at all, or weighs an undirected edge differently in its two
        directions; and the errors of Network().

        >>> import blockfw, networkx as nx
        >>> graph = nx.MultiDiGraph()
        >>> _ = graph.add_edge("home", "work", travel_time=9), graph.add_edge("home", "work", travel_time=7)
        >>> net = blockfw.Network.from_networkx(graph, "travel_time")
        >>> net.table(["home"], ["work", "home"])
        array([[7, 0]])
        >>> net.path("home", "work").tolist()
        ['home', 'work']
        >>> net.edge_names([1])
        [('home', 'work', 1)]
        """
        from ._named import of_networkx

        return of_networkx(cls, graph, weight, directed=directed, dtype=dtype, order=order, progress=progress,
                           strict_cycles=strict_cycles)

    @classmethod
    def from_pandas(cls, edges, source="source", target="target", weight="weight", *, key=None, nodes=None, directed=None,
                    dtype=None, order="auto", progress=False, strict_cycles=False):
        """A table of edges as a NamedNetwork, whose questions take and give the ids of its columns.

        edges     a DataFrame, or another mapping of columns
        source, target
                  the names of the columns of ids: integers, strings, tuples, ... An edge leads from its source to its target
        weight    that of the column of weights; None: all weights are 1
        key       that of a column that tells parallel edges apart, for edge_names
        nodes     all ids, also those without edges. They are the vertices in this order. Without, the ids of the edges: in
                  ascending order where all are integers, else in the order in which they occur, sources before targets
        directed, dtype, order, progress, strict_cycles
                  as for Network

        Raises ValueError for a column that is not there, a missing id, one that is not among nodes; TypeError for
        weights that are no numbers, and the errors of Network(). (A missing weight is NaN, and no closed edge.)

        >>> import blockfw
        >>> edges = {"source": [70, 80, 70], "target": [80, 90, 90], "weight": [5, 2, 9]}
        >>> net = blockfw.Network.from_pandas(edges)
        >>> net.ids
        array([70, 80, 90])
        >>> net.path(70, 90)
        array([70, 80, 90])
        """
        from ._named import of_columns

        return of_columns(cls, edges, source, target, weight, key, nodes, directed=directed, dtype=dtype, order=order,
                          progress=progress, strict_cycles=strict_cycles)

    @classmethod
    def load(cls, path):
        """The network of a file that save() has written. The numbers are mapped, not read: programs that load the same file
        share their memory, and the file must not be changed meanwhile.

        Raises OSError (FileNotFoundError, ...) for a file that cannot be read, is no network, or is damaged.

        >>> import blockfw, pathlib, tempfile
        >>> file = pathlib.Path(tempfile.mkdtemp()) / "three.network"
        >>> blockfw.Network(([0, 1], [1, 2], [5, 4])).save(file)
        >>> blockfw.Network.load(file).distances([0], [2])
        array([9])
        """
        os.stat(path)
        name = os.fsdecode(path)
        type_ = _core.type_of_network(name)
        dtype = _TYPES.get(type_)
        if dtype is None:
            raise OSError(f"{name}: has distances of {type_}, expected shortest paths")
        return object.__new__(cls)._hold(getattr(_core, f"Network_{dtype}").load(name), dtype)

    def __reduce__(self):
        return _of_bytes, (str(self._dtype), self._core.bytes())
