# SPDX-License-Identifier: MIT
"""Random graphs in every type and form against SciPy's own results."""
import blockfw
import numpy as np
import pytest
import scipy.sparse
from conftest import TYPES, random_weights
from scipy.sparse import csgraph

FORMATS = "csr", "csc", "coo", "lil", "dok", "bsr", "dia"


def as_scipy(d):
    """Distances with inf for pairs without a path, as float64."""
    return np.where(d >= blockfw.infinity(d.dtype), np.inf, d.astype(np.float64))


def check_paths(weights, directed, d, before):
    """Every predecessor is the last step of a path as long as the distance."""
    w = np.where(weights == 0, np.inf, weights.astype(np.float64))
    if not directed:
        w = np.minimum(w, w.T)
    n = len(d)
    there = np.isfinite(d) & ~np.eye(n, dtype=bool)
    assert ((before == -9999) == ~there).all()
    i, j = np.nonzero(there)
    k = before[i, j]
    np.testing.assert_allclose(d[i, k] + w[k, j], d[i, j])


@pytest.mark.parametrize("directed", [True, False])
@pytest.mark.parametrize("density", [0.02, 0.1, 1])
@pytest.mark.parametrize("n", [1, 2, 17, 70, 240])
def test_floyd_warshall(rng, n, density, directed):
    weights = random_weights(rng, n, density, float)
    expected = csgraph.floyd_warshall(weights, directed)
    d, before = blockfw.floyd_warshall(weights, directed, return_predecessors=True)
    assert d.dtype == np.float64 and before.dtype == np.int32
    np.testing.assert_array_equal(d, expected)
    np.testing.assert_array_equal(blockfw.floyd_warshall(weights, directed), expected)
    check_paths(weights, directed, d, before)


@pytest.mark.parametrize("given", TYPES + ("bool", "int8", "uint8", "uint16", "uint32", "uint64", "float16", ">f8", ">i4"))
@pytest.mark.parametrize("result", TYPES)
def test_types(rng, given, result):
    weights = random_weights(rng, 90, 0.2, np.int16).astype(given)
    d = blockfw.floyd_warshall(weights, dtype=result)
    assert d.dtype == result
    np.testing.assert_array_equal(as_scipy(d), csgraph.floyd_warshall(weights.astype(float)))
    assert blockfw.floyd_warshall(weights).dtype == np.float64


@pytest.mark.filterwarnings("ignore:Constructing a DIA matrix")
@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize("array", [True, False])
@pytest.mark.parametrize("dtype", ["float64", "int32", "float32"])
def test_sparse_formats(rng, format, array, dtype):
    weights = random_weights(rng, 60, 0.1, dtype)
    sparse = (scipy.sparse.coo_array if array else scipy.sparse.coo_matrix)(weights).asformat(format)
    for directed in True, False:
        expected = csgraph.floyd_warshall(weights, directed)
        for method in "auto", "FW", "D", "BF", "J":
            np.testing.assert_array_equal(blockfw.shortest_path(sparse, method, directed), expected)
        d, before = blockfw.dijkstra(sparse, directed, return_predecessors=True)
        check_paths(weights, directed, d, before)


def test_large_sparse_graph_by_elimination(rng):
    side = 30
    vertex = np.arange(side * side).reshape(side, side)
    from_ = np.concatenate([vertex[:, 1:].ravel(), vertex[1:].ravel()])
    to = np.concatenate([vertex[:, :-1].ravel(), vertex[:-1].ravel()])
    grid = scipy.sparse.csr_array((rng.integers(1, 99, from_.size), (from_, to)), shape=(side**2,) * 2)
    expected = csgraph.dijkstra(grid, directed=False)
    np.testing.assert_array_equal(blockfw.dijkstra(grid, directed=False), expected)
    for method in "automatic", "dense", "sparse":
        np.testing.assert_array_equal(blockfw.all_pairs(grid, directed=False, method=method), expected)
    out = np.empty(expected.shape, np.int32)
    assert blockfw.shortest_path(grid, directed=False, out=out) is out
    np.testing.assert_array_equal(out, expected)


def test_stored_zeros_and_repeated_entries():
    data = np.array([0.0, 2, 1, 5, 3])
    graph = scipy.sparse.csr_array((data, np.array([1, 2, 2, 0, 1]), np.array([0, 1, 3, 5])), shape=(3, 3))
    for directed in True, False:
        expected = csgraph.floyd_warshall(graph, directed)
        for method in "FW", "D", "BF", "J":
            np.testing.assert_array_equal(blockfw.shortest_path(graph, method, directed), expected)


@pytest.mark.parametrize("method", ["auto", "FW", "D", "BF", "J"])
@pytest.mark.parametrize("density", [0.1, 0.9])
def test_masked(rng, method, density):
    weights = random_weights(rng, 40, 1, float)
    weights[3, 4] = weights[5, 6] = 0
    masked = np.ma.array(weights, mask=rng.random(weights.shape) > density)
    masked.mask[3, 4] = False
    for directed in True, False:
        expected = csgraph.shortest_path(masked.copy(), method, directed)
        np.testing.assert_array_equal(blockfw.shortest_path(masked, method, directed), expected)
    nothing_masked = np.ma.array(weights)
    np.testing.assert_array_equal(blockfw.shortest_path(nothing_masked, method),
                                  csgraph.shortest_path(np.ma.array(weights, mask=np.zeros(weights.shape, bool)), method))


def test_no_edges_in_dense_input():
    weights = np.array([[0, np.nan, 4, -np.inf], [0, 0, np.inf, 2], [1, 2, 0, 0], [0, 3, 3, 0]])
    for directed in True, False:
        for method in "auto", "FW", "D", "BF", "J":
            with np.errstate(invalid="ignore"):
                expected = csgraph.shortest_path(weights.copy(), method, directed)
            np.testing.assert_array_equal(blockfw.shortest_path(weights, method, directed), expected)


@pytest.mark.filterwarnings("ignore:the matrix subclass")
@pytest.mark.parametrize("layout", ["C", "F", "strided", "reversed", "read only", "list", "matrix"])
def test_layouts(rng, layout):
    weights = random_weights(rng, 50, 0.3, float)
    given = {
        "C": weights,
        "F": np.asfortranarray(weights),
        "strided": np.repeat(np.repeat(weights, 2, 0), 3, 1)[::2, ::3],
        "reversed": np.ascontiguousarray(weights[::-1, ::-1])[::-1, ::-1],
        "read only": weights.copy(),
        "list": weights.tolist(),
        "matrix": np.asmatrix(weights),
    }[layout]
    if layout == "read only":
        given.flags.writeable = False
    np.testing.assert_array_equal(blockfw.floyd_warshall(given, overwrite=True), csgraph.floyd_warshall(weights))


@pytest.mark.parametrize("unweighted", [True, False])
@pytest.mark.parametrize("sparse", [True, False])
@pytest.mark.parametrize("call", ["dijkstra", "bellman_ford", "johnson"])
def test_some_sources(rng, call, sparse, unweighted):
    weights = random_weights(rng, 130, 0.05, float)
    graph = scipy.sparse.csr_array(weights) if sparse else weights
    ours, theirs = getattr(blockfw, call), getattr(csgraph, call)
    for indices in None, 3, -1, [5], [2, 2, 7], [[1, 2], [3, 4]], [], list(range(60)):
        for directed in True, False:
            expected = theirs(graph, directed, indices, unweighted=unweighted)
            d, before = ours(graph, directed, indices, return_predecessors=True, unweighted=unweighted)
            np.testing.assert_array_equal(d, expected)
            assert before.shape == d.shape and before.dtype == np.int32
            np.testing.assert_array_equal(before == -9999, np.isinf(expected) | (expected == 0))
            np.testing.assert_array_equal(ours(graph, directed, indices, unweighted=unweighted), expected)
    with pytest.raises(ValueError, match="indices out of range"):
        ours(graph, indices=[130])


@pytest.mark.parametrize("limit", [0, 20, 33.5, np.inf])
def test_limit(rng, limit):
    weights = random_weights(rng, 60, 0.1, float)
    for indices in None, [4, 5]:
        expected, before = csgraph.dijkstra(weights, indices=indices, limit=limit, return_predecessors=True)
        d, ours = blockfw.dijkstra(weights, indices=indices, limit=limit, return_predecessors=True)
        np.testing.assert_array_equal(d, expected)
        np.testing.assert_array_equal(ours == -9999, before == -9999)
    with pytest.raises(ValueError, match="limit"):
        blockfw.dijkstra(weights, limit=-1)


@pytest.mark.parametrize("directed", [True, False])
@pytest.mark.parametrize("unweighted", [True, False])
def test_nearest_source(rng, directed, unweighted):
    weights = random_weights(rng, 80, 0.04, float)
    for indices in None, [3], [7, 2, 2, 60]:
        how = dict(directed=directed, indices=indices, min_only=True, unweighted=unweighted)
        np.testing.assert_array_equal(blockfw.dijkstra(weights, **how), csgraph.dijkstra(weights, **how))
        d, before, nearest = blockfw.dijkstra(weights, return_predecessors=True, **how)
        alone = csgraph.dijkstra(weights, directed, unweighted=unweighted)
        for v in range(80):
            assert (nearest[v] == -9999) == np.isinf(d[v])
            if nearest[v] >= 0:
                assert alone[nearest[v], v] == d[v]
            if before[v] >= 0:
                assert nearest[before[v]] == nearest[v]


def test_negative_weights(rng):
    potential = rng.integers(0, 40, 70)
    weights = random_weights(rng, 70, 0.2, int)
    there = weights != 0
    weights = np.where(there, weights + potential[:, None] - potential, 0)  # no cycle is negative
    sparse = scipy.sparse.csr_array((weights[there], np.nonzero(there)), shape=weights.shape)
    expected = csgraph.johnson(sparse)
    assert (expected < 0).any()
    for dtype in TYPES:
        for method in "auto", "FW", "BF", "J", "D":
            d = blockfw.shortest_path(sparse, method, dtype=dtype)
            np.testing.assert_array_equal(as_scipy(d), expected)
    np.testing.assert_array_equal(blockfw.johnson(sparse, indices=[3, 9]), expected[[3, 9]])


@pytest.mark.parametrize("sparse", [True, False])
def test_negative_cycles(sparse):
    weights = np.array([[0, 1, 0, 0.], [0, 0, 0, 0], [0, 0, 0, -3], [0, 0, 2, 0]])
    graph = scipy.sparse.csr_array(weights) if sparse else weights
    for method in "FW", "BF", "J":
        with pytest.raises(csgraph.NegativeCycleError, match="vertex [23]"):
            blockfw.shortest_path(graph, method)
    assert blockfw.NegativeCycleError is csgraph.NegativeCycleError
    # Only Johnson's method minds one that the source does not reach.
    np.testing.assert_array_equal(blockfw.bellman_ford(graph, indices=0), csgraph.bellman_ford(graph, indices=0))
    for call in blockfw.johnson, csgraph.johnson:
        with pytest.raises(csgraph.NegativeCycleError):
            call(graph, indices=0)
    # A negative loop: Floyd-Warshall does not look at it.
    loop = np.array([[-1, 2], [0, 0.]])
    np.testing.assert_array_equal(blockfw.floyd_warshall(loop), csgraph.floyd_warshall(loop))
    for call in blockfw.bellman_ford, csgraph.bellman_ford:
        with pytest.raises(csgraph.NegativeCycleError):
            call(loop)


def test_unweighted(rng):
    weights = random_weights(rng, 60, 0.1, float)
    for graph in weights, scipy.sparse.csr_array(weights), np.ma.masked_equal(weights, 0):
        for method in "FW", "D":
            for directed in True, False:
                np.testing.assert_array_equal(blockfw.shortest_path(graph, method, directed, unweighted=True),
                                              csgraph.shortest_path(graph, method, directed, unweighted=True))


def test_overwrite(rng):
    weights = random_weights(rng, 50, 0.3, float)
    given = weights.copy()
    expected = csgraph.floyd_warshall(weights)
    assert blockfw.floyd_warshall(given, overwrite=True) is given
    np.testing.assert_array_equal(given, expected)
    given = weights.copy()
    d, before = blockfw.floyd_warshall(given, return_predecessors=True, overwrite=True)
    np.testing.assert_array_equal(d, expected)
    check_paths(weights, True, d, before)
    given = weights.copy()
    blockfw.floyd_warshall(given)
    np.testing.assert_array_equal(given, weights)
    given = weights.astype(np.int32)  # of another type than the result
    np.testing.assert_array_equal(blockfw.floyd_warshall(given, overwrite=True),
                                  csgraph.floyd_warshall(weights.astype(np.int32)))
    np.testing.assert_array_equal(given, weights.astype(np.int32))
    out = given.T  # (overlaps the input, entry by entry elsewhere)
    with pytest.raises(ValueError, match="contiguous"):
        blockfw.floyd_warshall(given, out=out)


def test_own_keywords(rng, devices):
    weights = random_weights(rng, 100, 0.2, np.int32)
    expected = csgraph.floyd_warshall(weights)
    for dtype in TYPES:
        out = np.full((100, 100), 7, dtype)
        assert blockfw.floyd_warshall(weights, out=out) is out
        np.testing.assert_array_equal(as_scipy(out), expected)
        for how in dict(devices=devices), dict(devices=1), dict(memory=1e8):
            np.testing.assert_array_equal(as_scipy(blockfw.floyd_warshall(weights, dtype=dtype, **how)), expected)
            sparse = scipy.sparse.csr_array(weights)
            np.testing.assert_array_equal(as_scipy(blockfw.dijkstra(sparse, dtype=dtype, **how)), expected)
    seen = []
    blockfw.floyd_warshall(weights, progress=lambda done, total: seen.append((done, total)))
    assert seen[-1][0] == seen[-1][1] > 0


def close(d, better, combine):
    """The textbook's three loops, two of them NumPy's."""
    d = d.copy()
    for k in range(len(d)):
        d = better(d, combine(d[:, k:k + 1], d[k]))
    return d


@pytest.mark.parametrize("semiring, better, combine, one", [
    ("max_plus", np.maximum, np.add, 0), ("max_min", np.maximum, np.minimum, np.inf),
    ("min_max", np.minimum, np.maximum, -np.inf), ("max_times", np.maximum, np.multiply, 1)])
@pytest.mark.parametrize("dtype", TYPES)
def test_semirings(rng, semiring, better, combine, one, dtype):
    weights = random_weights(rng, 100, 0.1, dtype)
    there = weights != 0
    if semiring == "max_plus":  # (without a cycle)
        there = np.triu(there)
    if semiring == "max_times":
        if np.dtype(dtype).kind != "f":
            with pytest.raises(TypeError, match="not available in " + dtype):
                blockfw.floyd_warshall(weights, semiring=semiring, dtype=dtype)
            return
        weights = (there * 0.5 ** rng.integers(0, 3, there.shape)).astype(dtype)  # (products are exact)
    none = {"min_max": np.inf, "max_times": 0}.get(semiring, -np.inf)
    expected = np.where(there, weights, none).astype(float)
    np.fill_diagonal(expected, one)
    expected = close(expected, better, combine)
    far = blockfw.infinity(dtype)
    expected = np.clip(expected, -far, far)
    from_, to = np.nonzero(there)
    for d in (blockfw.floyd_warshall(np.where(there, weights, 0), semiring=semiring, dtype=dtype),
              blockfw.all_pairs((from_, to, weights[there]), n=100, semiring=semiring)):
        assert d.dtype == dtype
        np.testing.assert_array_equal(d, expected)
