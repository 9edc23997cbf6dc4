# SPDX-License-Identifier: MIT
"""The calls that have no model in SciPy or NetworkX."""
import os
from typing import NamedTuple

import numpy as np

from . import _core
from ._device import on_device, solve_on_device
from ._input import Dense, Edges, graph_of, infinity, is_networkx, result_type, vertices, warn_of_zeros, without_weights
from ._numbers import TYPES, as_array, order, readable, refuse, scalar
from ._solve import Options, Reading, predecessors, shown
from ._solve import all_pairs as _all_pairs


class Graph(NamedTuple):
    """A graph as read_graph returns it, and as all_pairs and the others take it. Vertices count from 0."""
    n: int               #: the number of vertices
    from_: np.ndarray    #: int32, where each edge begins
    to: np.ndarray       #: int32, where it ends
    weights: np.ndarray  #: its length
    directed: bool = True
    first_vertex: int = 0  #: the number of the first vertex in the file


def _form(graph, n, directed):
    """A Graph's or a NetworkX graph's edges, or what else it is; the number of vertices; whether it is directed."""
    if isinstance(graph, Graph):
        directed = graph.directed if directed is None else directed
        n, graph = graph.n, graph[1:4]
    elif is_networkx(graph):
        from ._networkx import edges_of_graph

        graph, directed = edges_of_graph(graph, directed)
    return graph, n, True if directed is None else bool(directed)


def _edges(graph, n):
    """A tuple (from, to) or (from, to, weights) as Edges, and the mask of the weights, or None."""
    if len(graph) not in (2, 3):
        raise ValueError(f"edges are (from, to) or (from, to, weights), found {len(graph)} arrays")
    from_, to = vertices(graph[0]), vertices(graph[1])
    weights = None if len(graph) < 3 or graph[2] is None else _listed(graph[2])
    if n is None:
        n = 1 + max(int(from_.max(initial=-1)), int(to.max(initial=-1)))
    mask = np.ma.getmask(graph[2]) if len(graph) == 3 else np.ma.nomask
    mask = mask if mask is not np.ma.nomask and mask.shape == from_.shape == to.shape else None
    return Edges(order(n), from_, to, weights), mask


def _graph(graph, n, directed):
    """Any form of a graph as Dense or Edges, and whether it is directed."""
    graph, n, directed = _form(graph, n, directed)
    if not isinstance(graph, tuple) or isinstance(graph, (Dense, Edges)):
        return graph_of(graph), directed
    edges, mask = _edges(graph, n)
    if mask is not None:
        n, from_, to, weights = edges
        end = np.maximum(from_, to)  # (a loop of weight 0 changes nothing; a new vertex is the largest)
        edges = Edges(n, np.where(mask, end, from_), np.where(mask, end, to),
                      np.where(mask, weights.dtype.type(0), weights))
    return edges, directed


def _listed(weights):
    """The weights of listed edges."""
    array = as_array(weights)
    if array.dtype == bool or (isinstance(weights, (list, tuple)) and bool in set(map(type, weights))):
        raise TypeError("the weights of edges are of type bool, expected real numbers: for edges of weight 1 leave the "
                        "weights out, and leave out entries that are not edges")
    mask = np.ma.getmask(weights)
    return readable(array, None if mask is np.ma.nomask else mask)


def without_far(graph, options):
    """Leaves out a dense matrix's integers as far as their infinity (-infinity, where the longest or the widest paths are
    sought), where the result is of floats, which does not say so itself."""
    dtype = getattr(options.out, "dtype", options.dtype)
    weights = graph.weights
    if isinstance(graph, Edges) or weights.dtype.kind != "i" or dtype is None or np.dtype(dtype).kind != "f":
        return graph
    limit = infinity(weights.dtype)
    far = weights <= -limit if options.semiring in ("max_plus", "max_min") else weights >= limit
    return graph._replace(mask=far if graph.mask is None else far | graph.mask) if far.any() else graph


def _number_type(graph):
    """The type of a graph's weights."""
    return np.dtype(np.int32) if graph.weights is None else graph.weights.dtype


def all_pairs(graph, *, n=None, directed=None, dtype=None, semiring="min_plus", method="automatic", out=None,
              overwrite=False, devices=None, memory=None, progress=False, strict_cycles=False):
    """The shortest distances of all pairs, in the type of the weights.

    graph     one of
              - an n x n array: the edge i -> j has the weight graph[i, j]; inf, in integers infinity(graph.dtype)
                or more, and in a result of integers infinity(dtype) is no edge (0 is an edge); of bool, True is an edge
                of weight 1, and False is none. For "max_plus" and "max_min" it is -inf, for "max_times" 0
              - the same as a masked array, or a sparse matrix of SciPy's in any format
              - edges, a tuple (from, to) or (from, to, weights) of arrays; repeated edges keep the least weight,
                and each integer is one
              - a Graph, as read_graph returns it
              - a graph of NetworkX's: vertex i is the i-th node, the weights are the attributes "weight" (1 without)
              - an n x n array in a GPU's memory that has DLPack, in a build for that GPU: the result lies there, too. Of
                CuPy's and PyTorch's arrays it is one of the same kind, of others a DeviceMatrix (a NaN in it is a
                ValueError; of the keywords there are overwrite and progress)
    n         the number of vertices, for edges; without, one more than the largest that they name
    directed  False: every edge leads in both directions, so a negative one is a negative cycle; without, the direction
              of the Graph, or True
    dtype     the result's type, int16, int32, int64, float32 or float64; without, that of the weights
    method    "dense", "sparse" (elimination in an order with little fill), or, for edges and sparse matrices,
              "automatic": what costs less
    overwrite write the result over the array, if that is C-ordered, of the result's type, and may be written
    semiring, out, devices, memory, progress, strict_cycles
              see help(blockfw._scipy)

    Returns an n x n array.

    Raises NegativeCycleError (SciPy's); ValueError, TypeError for bad arguments, and for a weight that the result's type
    does not hold exactly (of floats: is rounded to infinity or 0); OverflowError where sums could exceed an integer
    dtype, and for a listed edge as far as its infinity; MemoryError before memory that is not there is taken.

    >>> import numpy as np, blockfw
    >>> blockfw.all_pairs(([0, 1, 2], [1, 2, 0], [4, 5, 6]))
    array([[ 0,  4,  9],
           [11,  0,  5],
           [ 6, 10,  0]])
    >>> blockfw.all_pairs(np.float32([[0, 1.5], [np.inf, 0]]))
    array([[0. , 1.5],
           [inf, 0. ]], dtype=float32)
    >>> blockfw.all_pairs(([0, 1, 0], [1, 2, 2], [7.0, 3.0, 2.0]), semiring="max_min")[0, 2]  # the widest path
    np.float64(3.0)
    """
    options = Options(dtype, semiring, method, out, devices, memory, progress, strict_cycles)
    if on_device(graph):
        return solve_on_device(graph, options, overwrite, n, directed)
    given = graph
    graph, directed = _graph(graph, n, directed)
    default = _number_type(graph)
    if isinstance(graph, Dense) and graph.mask is None and semiring == "min_plus":
        warn_of_zeros(graph.weights)
    graph = without_far(graph, options)
    if overwrite and isinstance(graph, Dense) and out is None:
        if graph.weights is given and given.flags.c_contiguous and given.flags.writeable and dtype in (None, given.dtype):
            options = options._replace(out=given)
    return _all_pairs(graph, Reading(directed=directed, loops=True), options, default)[0]


def transitive_closure(graph, *, n=None, directed=None, progress=False):
    """Which vertices each vertex reaches: an n x n array of bool. Every vertex reaches itself.

    The arguments are those of all_pairs. Weights do not matter, except weights that mean no edge (inf, and False in a
    matrix of bool). If the progress function raises, the call ends with that.

    Raises ValueError for a weight of NaN or -inf, and otherwise as all_pairs.

    >>> import blockfw
    >>> blockfw.transitive_closure(([0, 1], [1, 2]))
    array([[ True,  True,  True],
           [False,  True,  True],
           [False, False,  True]])
    """
    graph, directed = _graph(graph, n, directed)
    if isinstance(graph, Dense):
        shown_ = True if graph.mask is None else ~graph.mask
        refuse(~(graph.weights > -np.inf) & shown_, graph.weights, ValueError, "is not valid, expected a number or infinity")
        from_, to = np.nonzero((graph.weights < infinity(graph.weights.dtype)) & shown_)
        graph = Edges(graph.n, from_.astype(np.int32), to.astype(np.int32), None)
    edges = without_weights(graph)
    reached = np.empty((graph.n, graph.n), bool)
    with shown(progress) as progress:
        _core.transitive_closure(reached, edges.from_, edges.to, directed, progress)
    return reached


def _solved(distances):
    d = np.ascontiguousarray(distances)
    if d.dtype not in TYPES or d.ndim != 2 or d.shape[0] != d.shape[1]:
        raise ValueError(f"the distances are an array of {d.dtype} and shape {d.shape}, expected a square matrix of numbers")
    return d


def eccentricity(distances):
    """For each vertex the longest distance to any; where it does not reach all, infinity(dtype), as in the distances.

    distances  n x n, as all_pairs or floyd_warshall return them (so for all measures)

    Returns n numbers of the distances' type.

    >>> import blockfw
    >>> d = blockfw.all_pairs(([0, 1, 2], [1, 2, 3], [1, 1, 5]), directed=False)
    >>> blockfw.eccentricity(d)
    array([7, 6, 5, 7])
    >>> blockfw.radius(d), blockfw.diameter(d), blockfw.centre(d)
    (np.int64(5), np.int64(7), array([2]))
    """
    d = _solved(distances)
    reached, _, farthest, _ = _core.reach(d, False)
    return np.where(reached < len(d), d.dtype.type(infinity(d.dtype)), farthest.view(d.dtype))


def _or_inf(distance):
    """A distance; inf, a float, where it is that of a pair without a path."""
    return distance if distance < infinity(distance.dtype) else np.inf


def diameter(distances):
    """The largest eccentricity; inf, also of integers, unless every vertex reaches all others.

    Raises ValueError for a graph without vertices.
    """
    return _or_inf(eccentricity(distances).max())


def radius(distances):
    """The smallest eccentricity; inf, also of integers, where no vertex reaches all others.

    Raises ValueError for a graph without vertices.

    >>> import blockfw
    >>> blockfw.radius(blockfw.all_pairs(([0], [1]), n=3))  # in two parts
    inf
    """
    return _or_inf(eccentricity(distances).min())


def centre(distances):
    """The vertices whose eccentricity is the radius, in order; none where no vertex reaches all others."""
    e = eccentricity(distances)
    return np.flatnonzero((e == e.min(initial=infinity(e.dtype))) & (e < infinity(e.dtype)))


def closeness_of(reached, sums):
    """Closeness of vertices, by the number of vertices that reach each and the sum of their distances."""
    others = np.maximum(reached - 1.0, 0)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where((others > 0) & (sums > 0), others / sums * (others / (len(reached) - 1)), 0.0)


def closeness(distances, *, outward=False):
    """Closeness centrality, as Wasserman and Faust define it: of n float64, (r - 1) / sum * (r - 1) / (n - 1), where r
    vertices reach the vertex, by distances that add up to sum; 0 for one that no other reaches.

    outward  whether the vertices count that the vertex reaches. If not, the vertices count that reach it (as in
             NetworkX)

    >>> import blockfw
    >>> blockfw.closeness(blockfw.all_pairs(([0, 1], [1, 2]), directed=False))
    array([0.66666667, 1.        , 0.66666667])
    """
    d = _solved(distances)
    reached, sums, _, _ = _core.reach(d, not outward)
    return closeness_of(reached, sums)


def insert_edge(distances, from_, to, weight, *, directed=True):
    """Update solved distances, in place, for one more edge or a smaller weight of one, in O(n**2).

    distances  n x n, C-ordered and writeable
    weight     its length; inf is no edge, and changes nothing
    directed   False: the edge leads in both directions

    Raises ValueError for a vertex that is not there, a NaN or -inf, NegativeCycleError when the edge would close a negative cycle,
    OverflowError when an integer type could not hold a sum. With directed=False the distances may then hold one direction
    of the edge.

    >>> import blockfw
    >>> d = blockfw.all_pairs(([0, 1], [1, 2], [5, 5]))
    >>> blockfw.insert_edge(d, 0, 2, 3)
    >>> d[0]
    array([0, 5, 3])
    """
    _writeable(distances)
    if distances.dtype.kind == "i" and isinstance(weight, (float, np.floating)):
        if not weight > -np.inf:
            raise ValueError(f"the weight is {weight}, expected a number or infinity")
        if weight == np.inf:  # no edge: one from each vertex to itself, which changes nothing
            for vertex in from_, to:
                _core.insert_edge(distances, vertex, vertex, 0, True)
            return
    _core.insert_edge(distances, from_, to, scalar(weight, distances.dtype), directed)


def _writeable(distances):
    if not isinstance(distances, np.ndarray) or not distances.flags.carray:
        raise ValueError("the distances are not a writeable array with contiguous rows")
    _solved(distances)
    return distances


def add_vertex(distances, edges, *, directed=True, progress=False):
    """The distances of a graph with one more vertex, n, in O(n**2 + n * edges).

    edges     its edges, (from, to) or (from, to, weights): each begins or ends at n; one of weight inf is none
    directed  False: they lead in both directions
    progress  as for all_pairs

    Returns an (n + 1) x (n + 1) array.

    Raises ValueError for another edge; otherwise as insert_edge.

    >>> import blockfw
    >>> d = blockfw.all_pairs(([0], [1], [5]))
    >>> blockfw.add_vertex(d, ([2, 1], [0, 2], [1, 1]))
    array([[0, 5, 6],
           [2, 0, 1],
           [1, 6, 0]])
    """
    d = _solved(distances)
    graph, _ = _graph(tuple(edges), len(d) + 1, None)
    more = np.empty((len(d) + 1,) * 2, d.dtype)
    with shown(progress) as progress:
        _core.add_vertex(more, d, graph.from_, graph.to, graph.weights, directed, progress)
    return more


def read_graph(path, dtype=None):
    """Read a graph from a file: DIMACS (.gr), Matrix Market, KONECT, .npy, an edge list, or binary edges, found by the
    contents, which gzip may have compressed (if zlib was there when this module was built).

    dtype  the type of the weights; without, the first of int32, int64 and float64 that holds all weights and the sums of
           all paths

    Returns a Graph.

    Raises OSError (FileNotFoundError, ...) for a file that cannot be read, with the place and the expected text.
    A whole number that the type would round is such an error.

    >>> import blockfw, pathlib, tempfile
    >>> file = pathlib.Path(tempfile.mkdtemp()) / "three.gr"
    >>> _ = file.write_text("p sp 3 2\\na 1 2 5\\na 2 3 4\\n")
    >>> graph = blockfw.read_graph(file)
    >>> graph.n, graph.weights
    (3, array([5, 4], dtype=int32))
    >>> blockfw.all_pairs(graph)[0]
    array([0, 5, 9], dtype=int32)
    """
    name = os.fspath(path)
    os.stat(name)
    return Graph(*_core.read_graph(os.fsdecode(name), "" if dtype is None else str(result_type(dtype))))


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
        self.distances, self._finder = _all_pairs(without_far(graph, options), Reading(directed=directed, loops=True),
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
