# SPDX-License-Identifier: MIT
"""SciPy's calls of scipy.sparse.csgraph, with its arguments and its meaning, and this library's own by keyword.

Every call takes these keywords, too:

dtype     the result's type: int16, int32, int64, float32 or float64 (without, float64, as in SciPy). A number that it does
          not hold exactly is refused, except floats, which are rounded. In an integer type a pair without a path is
          infinity(dtype), and in a dense matrix a weight of that is no edge, nor is an integer that is as far as the
          infinity of the matrix's own type
semiring  "min_plus" (shortest paths), "max_plus" (longest), "max_min" (widest), "min_max" (bottlenecks), "max_times"
          (most reliable), this in float32 and float64
out       the result's array: of the right shape and type, with contiguous rows (a numpy.memmap may be)
devices   solve on that many GPUs, or by that many groups of the host's threads, at most 512
memory    bytes to take besides the result, on the host or on the GPU: more than 0
progress  True for a bar of tqdm's, or a function of (done, in all): the rounds of a solve, then the vertices whose
          predecessors are found. If the function raises, the call ends with that
strict_cycles
          True: a cycle of floats is negative if the exact sum of its weights is. Without, a cycle is negative if its
          length is, by more than rounding explains (docs/dense.md has both rules)
"""
import numpy as np

from . import _core
from ._errors import negative_cycle_error
from ._input import Dense, Edges, edges_of, graph_of, without_weights
from ._numbers import integers
from ._solve import Options, Reading, all_pairs, place, predecessors, some_rows


def _options(dtype, semiring, out, devices, memory, progress, strict_cycles):
    return Options(dtype=dtype, semiring=semiring, out=out, devices=devices, memory=memory, progress=progress,
                   strict_cycles=bool(strict_cycles))


def _all(graph, reading, options, return_predecessors):
    d, finder = all_pairs(graph, reading, options, np.float64, return_predecessors)
    return (d, predecessors(finder, options.progress)) if return_predecessors else d


def _in_place(csgraph, options):
    """The options to write the result over csgraph, where overwrite=True allows it."""
    dtype = np.dtype(np.float64 if options.dtype is None else options.dtype)
    if (options.out is None and type(csgraph) is np.ndarray and csgraph.dtype == dtype and csgraph.dtype.isnative
            and csgraph.flags.c_contiguous and csgraph.flags.writeable and csgraph.flags.aligned):
        return options._replace(out=csgraph)
    return options


def floyd_warshall(csgraph, directed=True, return_predecessors=False, unweighted=False, overwrite=False, *,
                   dtype=None, semiring="min_plus", out=None, devices=None, memory=None, progress=False,
                   strict_cycles=False):
    """All shortest distances; see scipy.sparse.csgraph.floyd_warshall.

    csgraph              an n x n matrix of weights: an array, in which 0, NaN, infinity and -infinity are no edges; a
                         masked array; a sparse matrix of any format, in which a stored 0 is an edge, infinity is none,
                         and NaN and -infinity are errors
    directed             False: every edge leads in both directions, so a negative one is a negative cycle; of both directions
                         the lighter counts
    return_predecessors  also return, for each pair, the vertex before the last on a shortest path (-9999: none)
    unweighted           every edge has weight 1
    overwrite            write the result over csgraph, if that is a C-ordered array of the result's type
    dtype, semiring, out, devices, memory, progress, strict_cycles
                         see help(blockfw._scipy)

    Returns an n x n array, and with return_predecessors a second one of int32.

    Raises NegativeCycleError (SciPy's); ValueError if the graph is no square matrix, or for a weight that is no number
    of dtype; OverflowError where sums could exceed an integer dtype; MemoryError, before memory is taken, if it does
    not suffice.

    >>> import numpy as np, blockfw
    >>> d, before = blockfw.floyd_warshall([[0, 1, 4], [0, 0, 2], [0, 0, 0]], return_predecessors=True)
    >>> d
    array([[ 0.,  1.,  3.],
           [inf,  0.,  2.],
           [inf, inf,  0.]])
    >>> before
    array([[-9999,     0,     1],
           [-9999, -9999,     1],
           [-9999, -9999, -9999]], dtype=int32)
    >>> blockfw.floyd_warshall([[0, 1, 4], [1, 0, 2], [4, 2, 0]], dtype=np.int32)
    array([[0, 1, 3],
           [1, 0, 2],
           [3, 2, 0]], dtype=int32)
    """
    options = _options(dtype, semiring, out, devices, memory, progress, strict_cycles)
    if overwrite and not return_predecessors:
        options = _in_place(csgraph, options)
    reading = Reading(directed=directed, zeros=True, ones=unweighted, as_scipy=True)
    return _all(graph_of(csgraph), reading, options, return_predecessors)


def _sources(indices, n):
    """SciPy's indices as int32, and the shape that they have."""
    indices = integers(indices, "indices")
    flat = np.atleast_1d(indices).reshape(-1)
    flat = np.where(flat < 0, flat + n, flat)
    if np.any((flat < 0) | (flat >= n)):
        raise ValueError(f"indices out of range 0...{n}")
    return flat.astype(np.int32), indices.shape


def _from(graph, reading, options, indices, return_predecessors):
    """All pairs, or some rows of them."""
    if indices is None:
        return _all(graph, reading, options, return_predecessors)
    sources, shape = _sources(indices, graph.n)
    if options.out is not None:
        place((*shape, graph.n), np.float64, options)
        options = options._replace(out=options.out.reshape(sources.size, graph.n))
    d, before = some_rows(graph, reading, options, np.float64, sources, return_predecessors)
    shape += (graph.n,)
    return (d.reshape(shape), before.reshape(shape)) if return_predecessors else d.reshape(shape)


def _with_start(graph, reading, starts, dtype):
    """The graph with one more vertex, from which edges of length 0 lead to some; for a result of type dtype."""
    edges = edges_of(graph, reading.zeros, np.dtype(np.float64 if dtype is None else dtype))
    if reading.ones:
        edges = without_weights(edges)
    weights = np.ones(edges.to.size) if edges.weights is None else edges.weights
    from_, to = (edges.from_, edges.to) if reading.directed else (np.concatenate([edges.from_, edges.to]),
                                                                  np.concatenate([edges.to, edges.from_]))
    weights = weights if reading.directed else np.concatenate([weights, weights])
    first = np.full(starts.size, graph.n, np.int32)
    zeros = np.zeros(starts.size, weights.dtype)
    return (Edges(graph.n + 1, np.concatenate([from_, first]), np.concatenate([to, starts]),
                  np.concatenate([weights, zeros])), Reading(loops=reading.loops))


def _rows_from_start(more, reading, options, directed, with_paths=False):
    """The row of the vertex that _with_start has added. Of an undirected graph the error names a negative edge."""
    try:
        return some_rows(more, reading, options, np.float64, np.array([more.n - 1], np.int32), with_paths)
    except negative_cycle_error() as error:
        found = np.flatnonzero((more.weights < 0) & (more.from_ != more.to))
        if directed or found.size == 0:
            raise
        ends = sorted(int(v[found[0]]) for v in (more.from_, more.to))
        raise negative_cycle_error()(f"negative cycle: {_core.edge_sentence(*map(str, ends), True)}") from error


def _nearest(graph, reading, options, indices, return_predecessors):
    """dijkstra(min_only=True): from the nearest of the sources to each vertex."""
    n = graph.n
    if options.out is not None:
        place((n,), np.float64, options)
    sources, _ = (np.arange(n, dtype=np.int32), None) if indices is None else _sources(indices, n)
    dtype = options.dtype if options.out is None else options.out.dtype
    more, of_more = _with_start(graph, reading, np.unique(sources), dtype)
    d, before = _rows_from_start(more, of_more, options._replace(out=None, dtype=dtype), reading.directed, True)
    d, before = d[0, :n].copy(), before[0, :n].copy()
    if options.out is not None:
        np.copyto(options.out, d, casting="no")
        d = options.out
    if not return_predecessors:
        return d
    nearest = np.where(before == n, np.arange(n, dtype=np.int32), before)
    while True:  # twice as far back each time; -9999 stays
        further = np.where(nearest >= 0, nearest[np.maximum(nearest, 0)], nearest)
        if np.array_equal(further, nearest):
            break
        nearest = further
    before[before == n] = -9999
    return d, before, nearest


def dijkstra(csgraph, directed=True, indices=None, return_predecessors=False, unweighted=False, limit=np.inf,
             min_only=False, *, dtype=None, semiring="min_plus", out=None, devices=None, memory=None, progress=False,
             strict_cycles=False):
    """Shortest distances from all vertices, or from some; see scipy.sparse.csgraph.dijkstra.

    csgraph, directed, return_predecessors, unweighted, and the keywords: as floyd_warshall; unlike there, 0 in a masked
             array is an edge
    indices  the vertices to start from, an array of any shape, or one number; without, all
    limit    pairs that are further apart count as without a path (for shortest distances only); a predecessor through
             which a path leads stays
    min_only only the distance from the nearest of the indices; with return_predecessors a third array says from which

    Returns distances of the shape of the indices and n, and as many predecessors. With min_only, n of each.

    Negative weights are no error, and give right distances: see bellman_ford, and its errors.

    >>> import blockfw
    >>> blockfw.dijkstra([[0, 1, 4], [0, 0, 2], [0, 0, 0]], indices=0)
    array([0., 1., 3.])
    """
    limit = float(limit)
    if not limit >= 0:
        raise ValueError(f"limit is {limit}, expected 0 or more")
    if limit < np.inf and semiring != "min_plus":
        raise ValueError("limit= is for shortest distances, of the semiring min_plus")
    graph = graph_of(csgraph)
    options = _options(dtype, semiring, out, devices, memory, progress, strict_cycles)
    reading = Reading(directed=directed, zeros=_zeros(graph), ones=unweighted, as_scipy=True)
    results = (_nearest if min_only else _from)(graph, reading, options, indices, return_predecessors)
    if limit < np.inf:
        _cut(limit, *(results if return_predecessors else (results,)))
    return results


def _cut(limit, d, *trees):
    """Pairs that are further apart than limit lose their distance, and their place in the trees unless a path leads on
    from there: with negative weights, and by rounding, a path may go further than its end."""
    from ._own import infinity

    if d.size == 0:
        return
    far = d > limit
    d[far] = infinity(d.dtype)
    for of_row, before in zip(far.reshape(-1, d.shape[-1]), trees[0].reshape(-1, d.shape[-1])) if trees else ():
        passed = before[~of_row]
        while (passed := passed[passed >= 0]).size and (passed := passed[of_row[passed]]).size:
            of_row[passed] = False
            passed = before[passed]
    for tree in trees:
        tree[far] = -9999


def bellman_ford(csgraph, directed=True, indices=None, return_predecessors=False, unweighted=False, *, dtype=None,
                 semiring="min_plus", out=None, devices=None, memory=None, progress=False, strict_cycles=False):
    """Shortest distances where weights may be negative; see scipy.sparse.csgraph.bellman_ford.

    The arguments and results are those of dijkstra.

    Raises NegativeCycleError when one of the indices reaches a negative cycle (without indices, when there is one), and
    the errors of floyd_warshall.

    >>> import blockfw
    >>> blockfw.bellman_ford([[0, 5, 2], [0, 0, 0], [0, -4, 0]], indices=[0, 1])
    array([[ 0., -2.,  2.],
           [inf,  0., inf]])
    """
    graph = graph_of(csgraph)
    reading = Reading(directed=directed, zeros=_zeros(graph), ones=unweighted, loops=True, as_scipy=True)
    return _from(graph, reading, _options(dtype, semiring, out, devices, memory, progress, strict_cycles), indices,
                 return_predecessors)


def johnson(csgraph, directed=True, indices=None, return_predecessors=False, unweighted=False, *, dtype=None,
            semiring="min_plus", out=None, devices=None, memory=None, progress=False, strict_cycles=False):
    """Shortest distances where weights may be negative; see scipy.sparse.csgraph.johnson.

    As bellman_ford, but a negative cycle is an error wherever it is.

    >>> import blockfw
    >>> blockfw.johnson([[0, 5, 2], [0, 0, 0], [0, -4, 0]], indices=1)
    array([inf,  0., inf])
    """
    graph = graph_of(csgraph)
    reading = Reading(directed=directed, zeros=_zeros(graph), ones=unweighted, loops=True, as_scipy=True)
    if indices is not None and not unweighted and np.any(graph.weights < 0):
        more, of_more = _with_start(graph, reading, np.arange(graph.n, dtype=np.int32), dtype)
        _rows_from_start(more, of_more, Options(dtype=dtype, strict_cycles=bool(strict_cycles)), directed)
    return _from(graph, reading, _options(dtype, semiring, out, devices, memory, progress, strict_cycles), indices,
                 return_predecessors)


def _zeros(graph):
    """Whether 0 is no edge for SciPy's methods of lists: in a dense array, but not in a masked one."""
    return isinstance(graph, Dense) and graph.mask is None


def _method(csgraph, graph, indices):
    """The method that SciPy would take. Methods differ for 0 in masked arrays, and for negative loops, only."""
    if isinstance(csgraph, np.ma.MaskedArray):
        edges = csgraph.compressed()
    elif indices is not None:
        return "J"
    elif isinstance(graph, Dense):
        if not np.any(np.diagonal(graph.weights) < 0):
            return "FW"
        edges = graph.weights[np.isfinite(graph.weights) & (graph.weights != 0)]
    else:
        if not np.any((graph.from_ == graph.to) & (graph.weights < 0)):
            return "FW"
        edges = graph.weights
    if indices is not None or edges.size < graph.n * graph.n / 4:
        return "J" if np.any(edges < 0) else "D"
    return "FW"


def shortest_path(csgraph, method="auto", directed=True, return_predecessors=False, unweighted=False, overwrite=False,
                  indices=None, *, dtype=None, semiring="min_plus", out=None, devices=None, memory=None,
                  progress=False, strict_cycles=False):
    """Shortest distances; see scipy.sparse.csgraph.shortest_path.

    method  "auto", "FW", "D", "BF" or "J": as floyd_warshall, dijkstra, bellman_ford or johnson. They name the meaning
            of the input (0 in a masked array, negative loops, indices) and not the algorithm, which is chosen by its
            cost.

    The other arguments, the results and the errors are those of floyd_warshall and dijkstra.

    Raises ValueError for another method, and for "FW" with indices.

    >>> import blockfw
    >>> blockfw.shortest_path([[0, 1, 4], [0, 0, 2], [0, 0, 0]], directed=False, indices=2)
    array([3., 2., 0.])
    """
    if method not in ("auto", "FW", "D", "BF", "J"):
        raise ValueError(f"unrecognized method '{method}'")
    graph = graph_of(csgraph)
    in_place = overwrite and method in ("auto", "FW")
    if method == "auto":
        method = _method(csgraph, graph, indices)
    own = dict(dtype=dtype, semiring=semiring, out=out, devices=devices, memory=memory, progress=progress,
               strict_cycles=strict_cycles)
    if method == "FW":
        if indices is not None:
            raise ValueError("Cannot specify indices with method == 'FW'.")
        return floyd_warshall(csgraph if in_place else graph, directed, return_predecessors, unweighted, in_place, **own)
    call = {"D": dijkstra, "BF": bellman_ford, "J": johnson}[method]
    return call(graph, directed, indices, return_predecessors, unweighted, **own)
