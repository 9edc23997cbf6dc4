# SPDX-License-Identifier: MIT
"""The calls that SciPy does not have, against SciPy's, NetworkX's, or a line of NumPy."""
import gzip

import blockfw
import networkx as nx
import numpy as np
import pytest
import scipy.sparse
from conftest import TYPES, random_weights
from scipy.sparse import csgraph


def no_zeros(weights):
    """The same matrix as all_pairs takes it."""
    return np.where((weights == 0) & ~np.eye(len(weights), dtype=bool), weights.dtype.type(blockfw.infinity(weights.dtype)),
                    weights)


def edges_of(weights):
    from_, to = np.nonzero(weights)
    return from_, to, weights[from_, to]


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("directed", [True, False])
def test_all_pairs(rng, dtype, directed):
    weights = random_weights(rng, 90, 0.1, dtype)
    expected = blockfw.floyd_warshall(weights, directed, dtype=dtype)
    graph = blockfw.Graph(90, *(np.asarray(a) for a in edges_of(weights)), directed)
    for form in no_zeros(weights), scipy.sparse.csr_array(weights), edges_of(weights):
        d = blockfw.all_pairs(form, n=90, directed=directed)
        assert d.dtype == dtype
        np.testing.assert_array_equal(d, expected)
    np.testing.assert_array_equal(blockfw.all_pairs(graph._replace(from_=np.int32(graph.from_))), expected)
    given = no_zeros(weights)
    assert blockfw.all_pairs(given, directed=directed, overwrite=True) is given
    np.testing.assert_array_equal(given, expected)


def test_zero_is_an_edge():
    np.testing.assert_array_equal(blockfw.all_pairs(np.array([[0.0, 0], [np.inf, 0]])), [[0, 0], [np.inf, 0]])
    assert blockfw.all_pairs(np.zeros((0, 0))).shape == (0, 0)
    assert blockfw.all_pairs(([], [])).shape == (0, 0)


@pytest.mark.parametrize("overlap", [
    lambda d: (d.T, d),
    lambda d: (d[::-1, ::-1], d),
    lambda d: (d.view(np.float32)[:, :90], d),
    lambda d: (d[::-1], d),
    lambda d: (np.ma.masked_array(d.copy(), d.view(bool)[:, :90]), d),
])
@pytest.mark.parametrize("solve", [blockfw.all_pairs, blockfw.floyd_warshall])
def test_the_result_over_the_graph(rng, overlap, solve):
    """out may share any part of its memory with the graph."""
    memory = rng.integers(1, 50, (90, 90)).astype(float)
    memory[rng.random((90, 90)) < 0.8] = 0
    if solve is blockfw.all_pairs:
        memory = no_zeros(memory)
    graph, out = overlap(memory)
    if isinstance(graph, np.ma.MaskedArray):
        memory.view(np.uint8)[:] &= 1
    elif graph.dtype == np.float32:
        graph[:] = rng.integers(1, 50, (90, 90))
    expected = solve(graph.copy(), dtype=float)
    assert solve(graph, out=out) is out
    np.testing.assert_array_equal(out, expected)


def test_paths_with_the_result_over_the_weights(rng):
    memory = rng.integers(1, 50, (60, 60)).astype(float)
    step = np.arange(60)
    graph = scipy.sparse.csr_array((memory[0], (step, (step + 7) % 60)), shape=(60, 60))
    graph.data = memory[0]
    expected = blockfw.floyd_warshall(graph.copy(), return_predecessors=True)
    for ours, right in zip(blockfw.floyd_warshall(graph, return_predecessors=True, out=memory), expected):
        np.testing.assert_array_equal(ours, right)


@pytest.mark.parametrize("given", ["int16", "int32", "int64", "float32", "float64"])
@pytest.mark.parametrize("dtype", TYPES)
def test_no_edge(given, dtype):
    """The infinity of a matrix's type, and that of a result of integers; in a list of edges inf only (test_numbers.py)."""
    of_result = np.dtype(dtype).kind == "i" and blockfw.infinity(dtype) <= blockfw.infinity(given)
    for far in [blockfw.infinity(given)] + [blockfw.infinity(dtype)] * of_result:
        graph = np.array([[0, 3, far], [far, 0, 4], [far, far, 0]], given)
        none = blockfw.infinity(dtype)
        expected = np.array([[0, 3, 7], [none, 0, 4], [none, none, 0]], dtype)
        from_, to = np.nonzero(np.ones((3, 3)))
        for form in [graph] + [(from_, to, graph.ravel())] * (far == np.inf):
            np.testing.assert_array_equal(blockfw.all_pairs(form, dtype=dtype), expected)
            np.testing.assert_array_equal(blockfw.all_pairs(form, out=np.empty((3, 3), dtype)), expected)
            np.testing.assert_array_equal(blockfw.Paths(form, dtype=dtype).distances, expected)
        if np.dtype(dtype).kind == "i":
            np.testing.assert_array_equal(blockfw.floyd_warshall(graph, dtype=dtype), expected)


def test_no_edge_below():
    """Where the longest or the widest paths are sought, -infinity is none; elsewhere it is a weight like others."""
    none = blockfw.infinity("int32")
    from_, to = np.nonzero(np.ones((2, 2)))
    for semiring in "max_plus", "max_min":
        for dtype in np.int32, np.int64:
            graph = np.array([[0, -none], [-none, 0]], dtype)
            d = blockfw.all_pairs(graph, semiring=semiring, dtype=np.int32)
            assert d[0, 1] == d[1, 0] == -none
            with pytest.raises(OverflowError, match="edge 1: the weight -1073741823 from 0 to 1 reaches infinity"):
                blockfw.all_pairs((from_, to, graph.ravel()), semiring=semiring, dtype=np.int32)
    np.testing.assert_array_equal(blockfw.all_pairs(np.int16([[0, -20000], [16383, 0]]), dtype=np.int32),
                                  [[0, -20000], [none, 0]])
    with pytest.raises(csgraph.NegativeCycleError):
        blockfw.all_pairs(np.int16([[0, -20000], [1, 0]]), dtype=np.int32)


def test_truth_values():
    """True is an edge of weight 1, False is none."""
    graph = np.zeros((4, 4), bool)
    graph[0, 1] = graph[1, 2] = True
    none = blockfw.infinity("int32")
    expected = [[0, 1, 2, none], [none, 0, 1, none], [none, none, 0, none], [none, none, none, 0]]
    stored = scipy.sparse.csr_array(graph)
    stored = scipy.sparse.csr_array((np.array([True, True, False]), (np.array([0, 1, 3]), np.array([1, 2, 0]))), (4, 4))
    for form in graph, graph.tolist(), stored, np.ma.masked_array(graph, np.zeros((4, 4), bool)):
        np.testing.assert_array_equal(blockfw.all_pairs(form), expected)
        np.testing.assert_array_equal(blockfw.Paths(form).distances, expected)
        np.testing.assert_array_equal(blockfw.transitive_closure(form), np.array(expected) < none)
    for form in graph[None], [graph.tolist()]:
        d = blockfw.batched(form)
        assert d.dtype == np.int32
        np.testing.assert_array_equal(d, [expected])
        np.testing.assert_array_equal(blockfw.batched(form, dtype=float), blockfw.all_pairs(graph, dtype=float)[None])


@pytest.mark.filterwarnings("error")
def test_the_largest_vertex():
    with pytest.raises((MemoryError, ValueError)):  # and no warning of an overflow
        blockfw.all_pairs(([2**31 - 1], [0]))


@pytest.mark.parametrize("dtype", TYPES)
def test_paths(rng, dtype):
    weights = random_weights(rng, 70, 0.08, dtype)
    for form in no_zeros(weights), edges_of(weights):
        for directed in True, False:
            paths = blockfw.Paths(form, n=70, directed=directed)
            d, before, hops = paths.distances, paths.predecessors(), paths.next_hops()
            w = np.where(weights == 0, np.inf, weights)
            w = w if directed else np.minimum(w, w.T)
            for i in range(0, 70, 7):
                np.testing.assert_array_equal(paths.tree(i), before[i])
                for j in range(70):
                    path = paths.path(i, j)
                    if d[i, j] >= blockfw.infinity(dtype):
                        assert path.size == 0 and before[i, j] == hops[i, j] == -9999
                        continue
                    assert path[0] == i and path[-1] == j
                    assert w[path[:-1], path[1:]].sum() == d[i, j]
                    if i != j:
                        assert before[i, j] == path[-2] and hops[i, j] == path[1]
    with pytest.raises(ValueError):
        paths.distances[0, 0] = 1  # what paths are found by must not change


def test_paths_outlive_what_they_were_made_of(rng):
    weights = random_weights(rng, 300, 0.1, float)
    hops = blockfw.Paths(edges_of(weights), n=300).next_hops()
    array = blockfw.Paths(edges_of(weights), n=300).predecessors()
    assert (hops >= -9999).all() and (array >= -9999).all()


@pytest.mark.parametrize("directed", [True, False])
def test_transitive_closure(rng, directed):
    weights = random_weights(rng, 100, 0.015, int)
    expected = np.isfinite(csgraph.floyd_warshall(weights, directed))
    for form in no_zeros(weights), scipy.sparse.csr_array(weights), edges_of(weights):
        reached = blockfw.transitive_closure(form, n=100, directed=directed)
        assert reached.dtype == bool
        np.testing.assert_array_equal(reached, expected)


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("n", [1, 5, 40])
def test_batched(rng, dtype, n):
    graphs = np.stack([no_zeros(random_weights(rng, n, 0.3, dtype)) for _ in range(7)])
    expected = np.stack([blockfw.all_pairs(g) for g in graphs])
    given = graphs.copy()
    np.testing.assert_array_equal(blockfw.batched(graphs), expected)
    np.testing.assert_array_equal(graphs, given)
    assert blockfw.batched(given, overwrite=True) is given
    np.testing.assert_array_equal(given, expected)
    np.testing.assert_array_equal(blockfw.batched(np.asfortranarray(graphs)), expected)


@pytest.mark.parametrize("given", TYPES)
@pytest.mark.parametrize("dtype", TYPES)
def test_a_batch_in_another_type(rng, given, dtype):
    graphs = np.stack([no_zeros(random_weights(rng, 12, 0.2, np.int16)) for _ in range(3)])
    none = graphs == blockfw.infinity(np.int16)
    graphs = graphs.astype(given)
    graphs[none] = blockfw.infinity(given)
    expected = np.stack([blockfw.all_pairs(g, dtype=dtype) for g in graphs])
    d = blockfw.batched(graphs, dtype=dtype)
    assert d.dtype == dtype
    np.testing.assert_array_equal(d, expected)


def test_a_batch_of_what_is_as_far_as_infinity():
    """It is no edge; nor is what a mask hides. A diagonal entry counts as 0."""
    none = blockfw.infinity("int32")
    for far in none, blockfw.infinity("int64"), 2**63 - 1:
        d = blockfw.batched(np.array([[[2**30, far], [3, 2**30 + 5]]]), dtype="int32")
        assert d.dtype == np.int32
        np.testing.assert_array_equal(d, [[[0, none], [3, 0]]])
    assert blockfw.batched(np.array([[[0, np.inf], [3, 0]]]), dtype="float32")[0, 0, 1] == np.inf
    hidden = np.ma.masked_array([[[0, 7, 9], [9, 0, 1], [1, 9, 0]]], [[[0, 1, 0], [0, 0, 0], [0, 0, 0]]])
    for dtype in None, "int16", "float64":
        np.testing.assert_array_equal(blockfw.batched(hidden, dtype=dtype), [[[0, 18, 9], [2, 0, 1], [1, 9, 0]]])


def test_batch_with_a_negative_cycle():
    good, bad = np.array([[0.0, 1], [1, 0]]), np.array([[0.0, 1], [-2, 0]])
    with pytest.raises(csgraph.NegativeCycleError):
        blockfw.batched([good, bad])
    none = blockfw.infinity(np.int32)
    negative = np.array([[[0, -5, none], [none, 0, none], [none, none, 0]]], np.int32)
    np.testing.assert_array_equal(blockfw.batched(negative), negative)


@pytest.mark.parametrize("dtype", TYPES)
def test_measures(rng, dtype):
    G = nx.gnp_random_graph(60, 0.2, seed=3)
    for u, v in G.edges:
        G[u][v]["weight"] = int(rng.integers(1, 30))
    d = blockfw.floyd_warshall(nx.to_scipy_sparse_array(G), dtype=dtype)
    expected = nx.eccentricity(G, weight="weight")
    assert blockfw.eccentricity(d).tolist() == list(expected.values())
    assert blockfw.eccentricity(d).dtype == dtype
    assert blockfw.diameter(d) == nx.diameter(G, weight="weight")
    assert blockfw.radius(d) == nx.radius(G, weight="weight")
    assert blockfw.centre(d).tolist() == nx.center(G, weight="weight")
    np.testing.assert_allclose(blockfw.closeness(d), list(nx.closeness_centrality(G, distance="weight").values()))
    D = nx.gnp_random_graph(40, 0.03, seed=1, directed=True)
    d = blockfw.floyd_warshall(nx.to_scipy_sparse_array(D), dtype=dtype)
    np.testing.assert_allclose(blockfw.closeness(d), list(nx.closeness_centrality(D).values()))
    np.testing.assert_allclose(blockfw.closeness(d, outward=True), list(nx.closeness_centrality(D.reverse()).values()))
    assert blockfw.diameter(d) == np.inf and blockfw.centre(d).size == 0


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("directed", [True, False])
def test_updates(rng, dtype, directed):
    weights = random_weights(rng, 50, 0.1, dtype)
    weights = weights if directed else np.maximum(weights, weights.T)
    d = blockfw.floyd_warshall(weights, directed, dtype=dtype)
    weights[3, 40] = 1
    blockfw.insert_edge(d, 3, 40, 1, directed=directed)
    np.testing.assert_array_equal(d, blockfw.floyd_warshall(weights, directed, dtype=dtype))

    more = np.zeros((51, 51), dtype)
    more[:50, :50] = weights
    more[50, 7], more[9, 50] = 2, 3
    np.testing.assert_array_equal(blockfw.add_vertex(d, ([50, 9], [7, 50], [2, 3]), directed=directed),
                                  blockfw.floyd_warshall(more, directed, dtype=dtype))
    with pytest.raises(csgraph.NegativeCycleError):
        blockfw.insert_edge(d, 3, 40, -40, directed=False)


def test_read_graph(tmp_path):
    (tmp_path / "a.gr").write_text("c three\np sp 3 2\na 1 2 5\na 2 3 4\n")
    (tmp_path / "b.mtx").write_text("%%MatrixMarket matrix coordinate real symmetric\n3 3 2\n2 1 5.5\n3 2 4\n")
    (tmp_path / "c.txt").write_text("0 1 5000000000\n1 2 4\n")
    for name, dtype, directed in ("a.gr", "int32", True), ("b.mtx", "float64", False), ("c.txt", "int64", True):
        graph = blockfw.read_graph(tmp_path / name)
        assert graph.n == 3 and graph.weights.dtype == dtype and graph.directed is directed
        assert graph.from_.dtype == graph.to.dtype == np.int32
        assert blockfw.all_pairs(graph)[0, 2] == graph.weights.sum()
    assert blockfw.read_graph(tmp_path / "a.gr", dtype="float32").weights.dtype == np.float32
    (tmp_path / "out.d").write_text("% sym weighted\n% 2 3 3\n1 2 5\n2 3 4\n")
    graph = blockfw.read_graph(tmp_path / "out.d")
    assert graph.n == 3 and not graph.directed and graph.from_.tolist() == [0, 1]


def test_read_graph_through_gzip(tmp_path):
    packed = tmp_path / "a.gr.gz"
    packed.write_bytes(gzip.compress(b"p sp 3 2\na 1 2 5\na 2 3 4\n"))
    try:
        graph = blockfw.read_graph(packed)
    except OSError as error:
        assert "a.gr.gz: compressed by gzip" in str(error) and "zlib" in str(error)
        pytest.skip("built without zlib")
    assert graph.n == 3 and graph.weights.tolist() == [5, 4]
    packed.write_bytes(packed.read_bytes()[:-1])
    with pytest.raises(OSError, match="a.gr.gz: gzip, byte .* ends too early"):
        blockfw.read_graph(packed)


def test_read_graph_does_not_round(tmp_path):
    file = tmp_path / "wide.txt"
    for weight in 2**53 + 1, 2**62 - 2, -(2**53) - 1:
        file.write_text(f"0 1 {weight}\n")
        assert blockfw.read_graph(file).weights.tolist() == [weight]
        with pytest.raises(OSError, match="double cannot hold exactly; use int64"):
            blockfw.read_graph(file, dtype="float64")
    for weight in 2**62 - 1, 2**63 + 1, -(2**63) - 1:
        file.write_text(f"0 1 {weight}\n")
        with pytest.raises(OSError, match="line 1, column 5: found .*, which double cannot hold exactly"):
            blockfw.read_graph(file)


def test_dlpack(rng):
    d = blockfw.all_pairs(no_zeros(random_weights(rng, 20, 0.3, float)))
    np.testing.assert_array_equal(np.from_dlpack(d), d)
    before = blockfw.Paths(([0], [1])).predecessors()
    assert np.shares_memory(np.from_dlpack(before), before)


def test_an_array_on_a_gpu_that_this_build_does_not_have():
    class OnGpu:
        def __dlpack_device__(self):
            return 2, 0

    if blockfw.backend() not in ("Cuda", "HIP"):
        for call in blockfw.all_pairs, blockfw.DeviceMatrix:
            with pytest.raises(TypeError, match="this build is for hosts"):
                call(OnGpu())
