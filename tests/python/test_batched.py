# SPDX-License-Identifier: MIT
"""Batches of graphs of any orders and forms, against SciPy's call for each graph."""
import warnings

import blockfw
import networkx as nx
import numpy as np
import pytest
import scipy.sparse
from scipy.sparse import csgraph

from conftest import TYPES, random_weights

SHORT = "int8", "uint8"
ORDERS = 7, 0, 1, 16, 2, 33, 25, 65, 3
NONE = -9999


def some_graphs(rng, dtype, orders=ORDERS, low=1):
    """Dense matrices in which 0 is no edge."""
    return [random_weights(rng, n, min(1.0, 3 / max(n, 1)), dtype, low) for n in orders]


def dense(weights):
    """A matrix as batched takes it."""
    return np.where((weights == 0) & ~np.eye(len(weights), dtype=bool), weights.dtype.type(blockfw.infinity(weights.dtype)),
                    weights)


def edges(weights):
    from_, to = np.nonzero(weights)
    return from_, to, weights[from_, to]


def solved(weights, directed=True):
    """SciPy's distances, inf without a path."""
    if not len(weights):
        return np.zeros((0, 0))
    return csgraph.floyd_warshall(weights.astype(float), directed=directed)


def in_type(d, dtype, none=None):
    held = np.full(d.shape, blockfw.infinity(dtype) if none is None else none, dtype)
    held[np.isfinite(d)] = d[np.isfinite(d)]
    return held


def check_paths(weights, d, before, after, hops, directed=True):
    """Predecessors lead along edges whose sum is the distance; the others are of the same paths."""
    both = weights if directed else np.where((weights == 0) | (weights.T == 0), weights + weights.T,
                                             np.minimum(weights, weights.T))
    n = len(weights)
    ones = csgraph.shortest_path(both.astype(float) * 2**20 + (both != 0), method="BF") if n else np.zeros((0, 0))
    for i in range(n):
        for j in range(n):
            if i == j or np.isinf(d[i, j]):
                assert before[i, j] == after[i, j] == NONE and hops[i, j] == (0 if i == j else NONE)
                continue
            path = [j]
            while path[-1] != i:
                path.append(before[i, path[-1]])
                assert 0 <= path[-1] < n and len(path) <= n and both[path[-1], path[-2]] != 0
            assert after[i, j] == path[-2] and hops[i, j] == len(path) - 1
            assert sum(both[u, v] for v, u in zip(path, path[1:])) == d[i, j]
            assert hops[i, j] == ones[i, j] - d[i, j] * 2**20


FORMS = {
    "matrices": lambda graphs, dtype: [dense(w) for w in graphs],
    "Fortran's": lambda graphs, dtype: [np.asfortranarray(dense(w)) for w in graphs],
    "edges": lambda graphs, dtype: [edges(w) for w in graphs],
    "sparse": lambda graphs, dtype: [scipy.sparse.csr_array(w) for w in graphs],
    "mixed": lambda graphs, dtype: [edges(w) if g % 2 else scipy.sparse.coo_array(w) if g % 3 else dense(w)
                                    for g, w in enumerate(graphs)],
    "Graph": lambda graphs, dtype: [blockfw.Graph(len(w), np.nonzero(w)[0].astype(np.int32),
                                                  np.nonzero(w)[1].astype(np.int32), w[np.nonzero(w)]) for w in graphs],
    "masked": lambda graphs, dtype: [np.ma.masked_array(w, (w == 0) & ~np.eye(len(w), dtype=bool)) for w in graphs],
}


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("form", FORMS)
def test_forms(rng, dtype, form):
    graphs = some_graphs(rng, dtype)
    given = FORMS[form](graphs, dtype)
    sizes = ORDERS if form in ("edges", "mixed") else None
    found = blockfw.batched(given, sizes=sizes)
    assert isinstance(found, list) and len(found) == len(graphs)
    for weights, d in zip(graphs, found):
        assert d.dtype == dtype and d.shape == weights.shape
        np.testing.assert_array_equal(d, in_type(solved(weights), dtype))


@pytest.mark.parametrize("directed", [True, False])
def test_networkx(rng, directed):
    make = nx.DiGraph if directed else nx.Graph
    graphs = [nx.gnp_random_graph(n, 0.4, seed=n, directed=directed) for n in (3, 8, 20)]
    for g in graphs:
        assert isinstance(g, make)
        for u, v in g.edges:
            g[u][v]["weight"] = int(rng.integers(1, 9))
    for g, d in zip(graphs, blockfw.batched(graphs, directed=directed)):
        expected = nx.floyd_warshall_numpy(g)
        np.testing.assert_array_equal(np.where(d == blockfw.infinity(d.dtype), np.inf, d), expected)


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("directed", [True, False])
@pytest.mark.parametrize("kind", ["list", "padded", "array", "in one"])
def test_paths(rng, dtype, directed, kind):
    graphs = some_graphs(rng, dtype)
    orders = np.array([len(w) for w in graphs])
    most, starts = orders.max(), np.concatenate([[0], orders.cumsum()])
    more = dict(directed=directed, predecessors=True, next_hops=True, hops=True)
    if kind == "array":
        cube = np.full((len(graphs), most + 2, most + 2), 7, dtype)  # (what lies around a graph does not matter)
        for w, to in zip(graphs, cube):
            to[:len(w), :len(w)] = dense(w)
        results = blockfw.batched(cube, sizes=orders, **more)
    elif kind == "in one":
        all_ = [np.concatenate(part) for part in zip(*(np.array(edges(w), object) for w in graphs))]
        from_ = np.concatenate([edges(w)[0] + first for w, first in zip(graphs, starts)])
        to = np.concatenate([edges(w)[1] + first for w, first in zip(graphs, starts)])
        shuffled = rng.permutation(len(from_))
        weights = all_[2].astype(dtype)
        results = blockfw.batched((from_[shuffled], to[shuffled], weights[shuffled]), sizes=orders, **more)
    else:
        results = blockfw.batched([dense(w) for w in graphs], padded=kind == "padded", **more)
    none = blockfw.infinity(dtype)
    for result, dtype_, outside in zip(results, (np.dtype(dtype), np.int32, np.int32, np.int32), (none, NONE, NONE, NONE)):
        if kind in ("list", "in one"):
            assert isinstance(result, list) and all(part.dtype == dtype_ for part in result)
            continue
        assert result.dtype == dtype_ and result.shape == (len(graphs),) + (most + 2 * (kind == "array"),) * 2
        for part, n in zip(result, orders):
            assert (part[n:] == outside).all() and (part[:, n:] == outside).all()
    for g, w in enumerate(graphs):
        d, before, after, hops = (result[g][:len(w), :len(w)] for result in results)
        expected = solved(w, directed)
        np.testing.assert_array_equal(d, in_type(expected, dtype))
        check_paths(w, expected, before, after, hops, directed)


@pytest.mark.parametrize("dtype", ["int32", "float64"])
@pytest.mark.parametrize("kind", ["edges", "in one", "matrices"])
@pytest.mark.parametrize("length", [0, 1, 5])
def test_edges_of_paths(rng, dtype, kind, length):
    graphs = some_graphs(rng, dtype)
    orders = [len(w) for w in graphs]
    if kind == "matrices":
        given, sizes, ends = [dense(w) for w in graphs], None, [np.indices(w.shape).reshape(2, -1) for w in graphs]
    else:
        given, sizes, ends = [edges(w) for w in graphs], orders, [edges(w)[:2] for w in graphs]
        hidden = rng.integers(0, 2, len(given[0][2])).astype(bool)
        given[0] = (*given[0][:2], np.ma.masked_array(given[0][2], hidden))
        graphs[0] = graphs[0].copy()
        graphs[0][given[0][0][hidden], given[0][1][hidden]] = 0
        if kind == "in one":
            starts = np.concatenate([[0], np.cumsum(orders)])
            from_, to = (np.concatenate([part[k] + first for part, first in zip(given, starts)]) for k in (0, 1))
            order = rng.permutation(len(from_))
            given = (from_[order], to[order], np.ma.concatenate([part[2] for part in given])[order])
            ends = [(from_[order] - first, to[order] - first) for first in starts]
    d, before, along = blockfw.batched(given, sizes=sizes, predecessors=True, path_edges=length)
    for g, w in enumerate(graphs):
        assert along[g].shape == w.shape + (length,) and along[g].dtype == np.int32
        for i in range(len(w)):
            for j in range(len(w)):
                path = [j]
                while path[-1] != i and before[g][i, path[-1]] >= 0:
                    path.append(before[g][i, path[-1]])
                expected = list(zip(path[1:], path))[::-1][:length]
                found = along[g][i, j]
                assert [(ends[g][0][e], ends[g][1][e]) for e in found if e >= 0] == expected
                assert (found[len(expected):] == -1).all()


FAST = {
    "lists of int64": lambda graphs: [tuple(part.astype(np.int64) for part in edges(w)[:2]) for w in graphs],
    "lists and weights": lambda graphs: [edges(w) for w in graphs],
    "CSR": lambda graphs: [scipy.sparse.csr_array(w) for w in graphs],
    "CSR of int64": lambda graphs: [with_indices(scipy.sparse.csr_matrix(w), np.int64) for w in graphs],
    "CSR of bool": lambda graphs: [scipy.sparse.csr_array(w != 0) for w in graphs],
    "CSR with a False": lambda graphs: [with_a_zero(scipy.sparse.csr_array(w != 0)) for w in graphs],
    "CSR with room": lambda graphs: [with_room(scipy.sparse.csr_array(w)) for w in graphs],
    "COO": lambda graphs: [scipy.sparse.coo_array(w) for w in graphs],
    "COO with repeated entries": lambda graphs: [scipy.sparse.coo_array(
        (np.repeat(edges(w)[2], 2), (np.repeat(edges(w)[0], 2), np.repeat(edges(w)[1], 2))), w.shape) for w in graphs],
    "COO of bool": lambda graphs: [scipy.sparse.coo_matrix(w != 0) for w in graphs],
}


def with_indices(matrix, dtype):
    matrix.indices, matrix.indptr = matrix.indices.astype(dtype), matrix.indptr.astype(dtype)
    return matrix


def with_a_zero(matrix):
    matrix.data[::3] = 0
    return matrix


def with_room(matrix):
    """Arrays that are longer than the number of entries."""
    more = scipy.sparse.csr_array(matrix.shape, dtype=matrix.dtype)
    more.indices, more.indptr = np.append(matrix.indices, np.int32(0)), matrix.indptr
    more.data = np.append(matrix.data, matrix.dtype.type(1))
    return more


@pytest.mark.parametrize("form", FAST)
@pytest.mark.parametrize("directed", [True, False])
@pytest.mark.parametrize("dtype", [None, "int16"])
def test_graphs_of_one_form_are_as_one_by_one(rng, form, directed, dtype):
    for orders in ORDERS, (1, 0, 0), (0,), (0, 0, 9), (9,):
        graphs = FAST[form](some_graphs(rng, "int32", orders))
        sizes = None if scipy.sparse.issparse(graphs[0]) else orders
        more = dict(sizes=sizes, directed=directed, dtype=dtype, predecessors=True, path_edges=3)
        d, before, along = blockfw.batched(graphs, **more)
        plain = blockfw.batched(graphs, sizes=sizes, directed=directed, dtype=dtype)
        for g, graph in enumerate(graphs):
            expected = blockfw.batched([graph, ([], [])], **dict(more, sizes=sizes and [orders[g], 0]))
            for found, of in zip((d, before, along), expected):
                np.testing.assert_array_equal(found[g], of[0])
            np.testing.assert_array_equal(plain[g], d[g])
            np.testing.assert_array_equal(d[g], blockfw.all_pairs(graph, n=orders[g] if sizes else None, directed=directed,
                                                                  dtype=dtype))


def test_sizes_of_lists_are_found():
    none = np.zeros(0, np.int64)
    given = [(none, none), (np.array([0, 3]), np.array([1, 0])), (none, none), (np.array([1]), np.array([0]))]
    assert [d.shape for d in blockfw.batched(given)] == [(0, 0), (4, 4), (0, 0), (2, 2)]
    assert [d.shape for d in blockfw.batched(given, dtype=bool)] == [(0, 0), (4, 4), (0, 0), (2, 2)]
    assert [d.shape for d in blockfw.batched([(none, none)])] == [(0, 0)]


@pytest.mark.parametrize("other", [([0], [1]), scipy.sparse.csr_array(np.eye(2)), np.ma.masked_array(np.zeros((2, 2)))])
def test_a_square_array_is_the_same_beside_other_forms(other):
    matrix = np.array([[0, 0.0, np.inf], [5, 0, 0], [np.inf, 7, 0]])
    d, along = (found[0] for found in blockfw.batched([matrix, other], path_edges=2))
    np.testing.assert_array_equal(d, blockfw.all_pairs(matrix))
    np.testing.assert_array_equal(along[[0, 0, 2], [1, 2, 0]], [[1, -1], [1, 5], [7, 3]])  # i * n + j
    for wrong, says in (np.nan, "nan|NaN"), (-np.inf, "-inf"):
        with pytest.raises(ValueError, match=f"graph 0 of the batch.*({says}).*0, 1"):
            blockfw.batched([np.array([[0, wrong], [1, 0]]), other])


@pytest.mark.parametrize("dtype", TYPES + ("uint8", "float16"))
def test_matrices_lie_in_memory_in_any_way(rng, dtype):
    graphs = [dense(w).astype(dtype) if dtype in TYPES else rng.integers(0, 9, w.shape).astype(dtype)
              for w in some_graphs(rng, "int16" if dtype in TYPES else dtype)]
    expected = [blockfw.all_pairs(w) for w in graphs]
    wide = [np.repeat(np.repeat(w, 2, 0), 2, 1) for w in graphs]
    fixed = [w.copy() for w in graphs]
    for w in fixed:
        w.flags.writeable = False
    for given in (graphs, fixed, [w.copy(order="F") for w in graphs], [w[::2, ::2] for w in wide],
                  [w.astype(w.dtype.newbyteorder()) for w in graphs], [*graphs[:4], *(w.T.copy().T for w in graphs[4:])]):
        before = [w.copy() for w in given]
        found = blockfw.batched(given)
        for d, w, kept, of in zip(found, given, before, expected):
            assert d.dtype == of.dtype and d.flags.c_contiguous and d.flags.writeable
            np.testing.assert_array_equal(d, of)
            np.testing.assert_array_equal(w, kept)
        found[3][...] = 0  # (no two share memory)
        np.testing.assert_array_equal(found[5], expected[5])


@pytest.mark.parametrize("semiring", ["min_plus", "max_plus", "max_min", "min_max"])
@pytest.mark.parametrize("dtype", [None, "int16", "float32"])
def test_false_is_no_edge_of_any_semiring(semiring, dtype):
    matrix = np.triu(np.ones((5, 5), bool), 1) & ~np.eye(5, k=2, dtype=bool)
    expected = blockfw.all_pairs(matrix, semiring=semiring, dtype=dtype)
    masked = np.ma.masked_array(matrix, np.zeros((5, 5), bool))
    for given in [matrix], matrix[None], [masked], [matrix, masked], [matrix, ([], [])]:
        found = blockfw.batched(given, semiring=semiring, dtype=dtype)[0]
        assert found.dtype == expected.dtype
        np.testing.assert_array_equal(found, expected)


@pytest.mark.parametrize("dtype", TYPES + SHORT)
def test_types_and_the_number_without_a_path(rng, dtype):
    graphs = [w != 0 for w in some_graphs(rng, "int32")]
    for no_path in None, 99, -1 if dtype != "uint8" else 250:
        for padded in False, True:
            found = blockfw.batched([edges(w)[:2] for w in graphs], sizes=ORDERS, dtype=dtype, no_path=no_path,
                                    padded=padded)
            for w, d in zip(graphs, found):
                none = no_path if no_path is not None else np.iinfo(dtype).max if dtype in SHORT else blockfw.infinity(dtype)
                assert d.dtype == dtype
                np.testing.assert_array_equal(d[:len(w), :len(w)], in_type(solved(w), dtype, none))
                assert (d[len(w):] == none).all()


@pytest.mark.parametrize("semiring", ["max_plus", "max_min", "min_max", "max_times"])
@pytest.mark.parametrize("dtype", ["int32", "float64"])
def test_semirings(rng, semiring, dtype):
    if semiring == "max_times" and dtype == "int32":
        with pytest.raises(TypeError, match="max_times"):
            blockfw.batched([([0], [1])], semiring=semiring, dtype=dtype)
        return
    graphs = []
    for w in some_graphs(rng, dtype):
        w = np.triu(w, 1)  # without cycles
        graphs.append(w / 64 if semiring == "max_times" else w)
    expected = [blockfw.all_pairs(edges(w), n=len(w), semiring=semiring, dtype=dtype) for w in graphs]
    for given, sizes in ([edges(w) for w in graphs], ORDERS), ([scipy.sparse.csr_array(w) for w in graphs], None):
        d, before = blockfw.batched(given, sizes=sizes, semiring=semiring, predecessors=True)
        for g, w in enumerate(graphs):
            np.testing.assert_array_equal(d[g], expected[g])
            none = expected[g][~np.isin(before[g], NONE)]
            assert none.size == (before[g] >= 0).sum()


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("directed", [True, False])
def test_transitive_closures(rng, form, directed):
    graphs = [w * rng.choice([-1, 1, 1000], w.shape).astype(w.dtype) for w in some_graphs(rng, "float64")]
    given = FORMS[form](graphs, "float64")
    if form == "Graph":
        given = [g._replace(directed=directed) for g in given]
    expected = [np.isfinite(solved((w != 0).astype(float), directed)) for w in graphs]
    sizes = ORDERS if form in ("edges", "mixed") else None
    for padded in False, True:
        found, hops = blockfw.batched(given, sizes=sizes, directed=directed, dtype=bool, padded=padded, hops=True)
        for w, reached, steps, d in zip(graphs, found, hops, expected):
            n = len(w)
            assert reached.dtype == bool and not reached[n:].any() and not reached[:, n:].any()
            np.testing.assert_array_equal(reached[:n, :n], d)
            np.testing.assert_array_equal(steps[:n, :n] >= 0, d)
    cube = np.stack([dense(graphs[3])] * 2)
    np.testing.assert_array_equal(blockfw.batched(cube, directed=directed, dtype=bool), np.stack([expected[3]] * 2))


def test_closures_take_no_closed_edges_and_no_other_options():
    edges_ = ([0, 1], [1, 2], [1.0, np.inf])
    np.testing.assert_array_equal(blockfw.batched([edges_], dtype=bool)[0], [[1, 1, 0], [0, 1, 0], [0, 0, 1]])
    np.testing.assert_array_equal(blockfw.batched(edges_, sizes=[3], dtype=bool)[0], [[1, 1, 0], [0, 1, 0], [0, 0, 1]])
    for more in dict(semiring="max_min"), dict(no_path=0), dict(overwrite=True):
        with pytest.raises(ValueError, match="dtype=bool gives the transitive closures"):
            blockfw.batched([edges_], dtype=bool, **more)


def test_a_negative_cycle_marks_its_graph_only(rng):
    good, bad = some_graphs(rng, "int32", (9, 4, 6)), np.array([[0, 1, 0], [-2, 0, 3], [0, 0, 0]])
    given = [dense(good[0]), dense(bad), dense(good[1]), dense(good[2])]
    with pytest.raises(csgraph.NegativeCycleError, match="graph 1 of the batch has a negative cycle through vertex [01]"):
        blockfw.batched(given)
    for padded in False, True:
        d, before, hops, marked = blockfw.batched(given, predecessors=True, hops=True, on_cycle="mark", padded=padded)
        np.testing.assert_array_equal(marked, [False, True, False, False])
        assert (d[1] == blockfw.infinity(d[1].dtype)).all() and (before[1] == NONE).all() and (hops[1] == NONE).all()
        for g, w in (0, good[0]), (2, good[1]), (3, good[2]):
            np.testing.assert_array_equal(d[g][:len(w), :len(w)], in_type(solved(w), d[g].dtype))
    d, marked = blockfw.batched([given[0], given[2]], on_cycle="mark")
    assert not marked.any()


@pytest.mark.parametrize("dtype", ["int16", "int64", "float32"])
def test_negative_weights(rng, dtype):
    graphs = []
    for w in some_graphs(rng, dtype, (5, 12, 30)):
        h = rng.integers(0, 20, len(w)).astype(dtype)
        graphs.append(np.where(w == 0, blockfw.infinity(dtype), w + h[:, None] - h).astype(dtype))
        np.fill_diagonal(graphs[-1], 0)
    d, before = blockfw.batched(graphs, predecessors=True)
    for g, w in enumerate(graphs):
        np.testing.assert_array_equal(d[g], blockfw.all_pairs(w))
        np.testing.assert_array_equal(blockfw.batched([w])[0], d[g])
        assert ((before[g] >= 0) == ((d[g] < blockfw.infinity(dtype)) & ~np.eye(len(w), dtype=bool))).all()


def test_a_cycle_of_length_zero_but_for_rounding():
    cycle = np.array([[0, 0.1, np.inf], [np.inf, 0, 0.2], [-0.3, np.inf, 0]], np.float32)
    d, before, hops = blockfw.batched([cycle, cycle.T], predecessors=True, hops=True)
    for g, w in enumerate((cycle, cycle.T)):
        np.testing.assert_array_equal(d[g], blockfw.all_pairs(w))
        assert sorted(hops[g][0]) == [0, 1, 2]
        assert (before[g][~np.eye(3, dtype=bool)] >= 0).all()


def test_out(rng):
    graphs = some_graphs(rng, "int32", (5, 3))
    out = np.empty((2, 5, 5), np.int32)
    assert blockfw.batched([dense(w) for w in graphs], padded=True, out=out) is out
    for w, d in zip(graphs, out):
        np.testing.assert_array_equal(d[:len(w), :len(w)], in_type(solved(w), "int32"))
    cube = np.stack([dense(graphs[0])] * 3)
    out = np.empty((3, 5, 5))
    d, hops = blockfw.batched(cube, dtype=float, out=out, hops=True)
    assert d is out and hops.shape == (3, 5, 5)
    np.testing.assert_array_equal(d[2], solved(graphs[0]))


def test_nothing():
    assert blockfw.batched([]) == []
    assert blockfw.batched([], padded=True).shape == (0, 0, 0)
    d, before = blockfw.batched(np.zeros((4, 0, 0)), predecessors=True)
    assert d.shape == before.shape == (4, 0, 0)
    assert [d.shape for d in blockfw.batched([np.zeros((0, 0)), np.zeros((1, 1))])] == [(0, 0), (1, 1)]
    assert [d.shape for d in blockfw.batched([([], []), ([], [])], sizes=[0, 2])] == [(0, 0), (2, 2)]
    assert blockfw.batched(([], []), sizes=[]) == []


def test_a_matrix_of_zeros_and_ones_warns_once(monkeypatch):
    monkeypatch.setattr(blockfw._input, "_warned", False)
    neighbours = np.array([[0.0, 1, 0], [1, 0, 1], [0, 1, 0]])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        blockfw.batched([neighbours.astype(bool)])
        blockfw.batched([scipy.sparse.csr_array(neighbours)])
        blockfw.batched([neighbours * 2, np.where(neighbours == 0, np.inf, neighbours)])
        blockfw.all_pairs(scipy.sparse.csr_array(neighbours))
    for call in (lambda: blockfw.batched([neighbours]), lambda: blockfw.batched(neighbours[None]),
                 lambda: blockfw.all_pairs(neighbours)):
        monkeypatch.setattr(blockfw._input, "_warned", False)
        with pytest.warns(UserWarning, match="a 0 is an edge of length 0 here.*astype.bool") as seen:
            call()
        assert seen[0].filename == __file__
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            call()


SQUARE = np.zeros((2, 2))


@pytest.mark.parametrize("call, error, says", [
    (lambda: blockfw.batched([SQUARE, np.zeros((2, 3))]), ValueError, r"graph 1 of the batch is an array of shape \(2, 3\)"),
    (lambda: blockfw.batched([SQUARE, np.zeros(4)]), ValueError, r"graph 1 of the batch is an array of shape \(4,\)"),
    (lambda: blockfw.batched([SQUARE, np.full((2, 2), np.nan)]), ValueError, "graph 1 of the batch holds NaN at .0, 0."),
    (lambda: blockfw.batched([SQUARE, -np.inf * np.ones((2, 2))]), ValueError, "graph 1 of the batch holds -infinity at"),
    (lambda: blockfw.batched([SQUARE, [[0, 0.5], [1, 0]]], dtype=int), ValueError,
     r"the weight 0.5 of graph 1 at \(0, 1\) is not a number of type int64"),
    (lambda: blockfw.batched(np.array([[0, 1], [1, 0]]), sizes=[2]), ValueError, r"expected 3: count, n, n; edges in one array "
     r"are tuple\(edges\)"),
    (lambda: blockfw.batched([np.array([[0, 1, 2], [1, 2, 0]])]), ValueError, r"expected a square matrix; edges in one array "
     r"are tuple\(edges\)"),
    (lambda: blockfw.batched(g for g in [SQUARE]), TypeError, "the graphs are of type generator, expected a list"),
    (lambda: blockfw.batched([SQUARE, {0: [1]}]), TypeError, "graph 1 of the batch is of type dict, expected a matrix or"),
    (lambda: blockfw.batched(scipy.sparse.csr_array(SQUARE)), TypeError, "the graphs are one csr_array, expected a list"),
    (lambda: blockfw.batched(blockfw.Graph(2, [0], [1], [1])), TypeError, "the graphs are one Graph, expected a list"),
    (lambda: blockfw.batched(nx.path_graph(3)), TypeError, "the graphs are one Graph, expected a list"),
    (lambda: blockfw.batched((SQUARE.astype(int), SQUARE.astype(int)), sizes=[2]), ValueError,
     r"the edges are an array of shape \(2, 2\), expected lists"),
    (lambda: blockfw.batched((SQUARE, SQUARE)), ValueError, "some graphs are a list"),
    (lambda: blockfw.batched([scipy.sparse.csr_array(SQUARE)] * 2, sizes=[2, 3]), ValueError,
     "the size of graph 1 is 3, expected 2, its number of vertices"),
    (lambda: blockfw.batched([([0], [1], [2**53 + 1]), ([0], [1], [0.5])]), ValueError,
     "the weight 9007199254740993 of edge 0 of graph 0 is not a number of type float64"),
    (lambda: blockfw.batched([(np.array([0, -1]), np.array([1, 0]))]), ValueError, "graph 0 of the batch: vertices lie between"),
    (lambda: blockfw.batched([(np.array([0.5]), np.array([1]))]), TypeError, "graph 0 of the batch: vertices are integers"),
    (lambda: blockfw.batched([(np.array([0]), np.array([1]), np.array([True]))]), TypeError, "of type bool"),
    (lambda: blockfw.batched([scipy.sparse.coo_array(np.ones((2, 3)))]), ValueError, "graph 0 of the batch.*2 rows and 3"),
    (lambda: blockfw.batched([SQUARE], sizes=[2]), ValueError, "expected none for a list of matrices"),
    (lambda: blockfw.batched(SQUARE[None], sizes=[3]), ValueError, "the size of graph 0 is 3, expected 0 to 2"),
    (lambda: blockfw.batched(SQUARE[None], sizes=[1, 1]), ValueError, "of which there are 1"),
    (lambda: blockfw.batched([([0], [1])], sizes=[-1]), ValueError, "the size of graph 0 is -1"),
    (lambda: blockfw.batched([([0], [1])], sizes=[1]), ValueError, "edge 0 of graph 0: it leads from vertex 0 to 1, "
     "expected vertices from 0 to 0"),
    (lambda: blockfw.batched(([0], [1])), ValueError, "expected sizes"),
    (lambda: blockfw.batched(([0, 0], [1, 2]), sizes=[2, 1]), ValueError, "edge 1: it leads from vertex 0 to 2, expected "
     "vertices from 0 to 1, those of graph 0"),
    (lambda: blockfw.batched(([0, 7], [1, 2]), sizes=[2, 1]), ValueError, "edge 1: it begins at vertex 7, expected 0 to 2"),
    (lambda: blockfw.batched([([0], [1], [0.5])], dtype=int), ValueError, "edge 0 of graph 0: the weight 0.5"),
    (lambda: blockfw.batched([([0], [1], [np.nan])]), ValueError, "edge 0 of graph 0: the weight is NaN"),
    (lambda: blockfw.batched([([0], [1, 2])]), ValueError, "graph 0 of the batch"),
    (lambda: blockfw.batched([SQUARE], dtype="int8", no_path=300), ValueError, "no_path is 300, expected a number of type int8"),
    (lambda: blockfw.batched([SQUARE], dtype="int16", no_path=0.5), ValueError, "no_path is 0.5"),
    (lambda: blockfw.batched([([0], [1], [200])], dtype="int8"), OverflowError, "a distance is 200, expected -128 to 127"),
    (lambda: blockfw.batched([([0], [1], [-1])], dtype="uint8"), OverflowError, "a distance is -1, expected 0 to 255"),
    (lambda: blockfw.batched([SQUARE], dtype="float16"), TypeError, "float16"),
    (lambda: blockfw.batched([SQUARE], on_cycle="stop"), ValueError, "on_cycle is 'stop'"),
    (lambda: blockfw.batched([SQUARE], path_edges=-1), ValueError, "path_edges is -1"),
    (lambda: blockfw.batched([SQUARE], semiring="max_min", hops=True), ValueError, "min_plus and max_plus"),
    (lambda: blockfw.batched([SQUARE], semiring="sum"), ValueError, "the semiring is 'sum'"),
    (lambda: blockfw.batched([SQUARE], out=np.zeros((1, 2, 2))), ValueError, "out is for an array of graphs"),
    (lambda: blockfw.batched(SQUARE[None], out=np.zeros((1, 2, 2), int)), ValueError, "expected a writeable array of float64"),
    (lambda: blockfw.batched([np.full((3, 3), 2**29)], dtype="int32"), OverflowError, "int32"),
    (lambda: blockfw.batched([blockfw.Graph(2, [0], [1], [1], directed=False), ([0], [1])]), ValueError,
     "some graphs of the batch are directed and some are not"),
])
def test_errors(call, error, says):
    with pytest.raises(error, match=says):
        call()


@pytest.mark.parametrize("dtype", ["int16", "int32", "int64", "float32", "float64"])
def test_numbers_of_edges_where_weights_are_large_and_paths_lack(dtype):
    large = 5000 if dtype == "int16" else 100_000
    none = blockfw.infinity(dtype)
    graphs = [np.array([[0, large, none, none], [none, 0, 1, none]] + 2 * [4 * [none]], dtype) for _ in range(40)]
    d, before, hops = blockfw.batched(graphs, predecessors=True, hops=True, padded=True)
    expected = [[0, 1, 2, NONE], [NONE, 0, 1, NONE], [NONE, NONE, 0, NONE], [NONE, NONE, NONE, 0]]
    np.testing.assert_array_equal(hops, [expected] * 40)
    np.testing.assert_array_equal(before[7], [[NONE, 0, 1, NONE], [NONE, NONE, 1, NONE]] + [[NONE] * 4] * 2)
    assert (d[:, 0, 2] == large + 1).all() and (d[:, 0, 3] == blockfw.infinity(d.dtype)).all()
