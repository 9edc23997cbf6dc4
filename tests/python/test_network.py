# SPDX-License-Identifier: MIT
"""Networks, against SciPy's shortest paths."""
import copy
import itertools
import multiprocessing
import pickle
import signal
import threading
import time
import tracemalloc

import blockfw
import networkx as nx
import numpy as np
import pytest
import scipy.sparse
from conftest import TYPES
from scipy.sparse import csgraph


def some_edges(rng, n, count, dtype, low=0):
    """Edges with loops and repeated ones, and distances of their own in the type."""
    from_, to = rng.integers(0, n, (2, count), dtype=np.int32)
    weights = rng.integers(low, 60, count)
    if np.dtype(dtype).kind == "f":
        weights = weights + rng.integers(0, 8, count) / 8  # (sums are exact)
    return from_, to, weights.astype(dtype)


def with_potentials(rng, n, from_, to, weights):
    """The same edges, of which some have negative weights, and no cycle has."""
    potential = rng.integers(0, 40, n).astype(weights.dtype)
    return from_, to, weights + potential[to] - potential[from_]


def expected(n, from_, to, weights, directed=True):
    """SciPy's distances of all pairs, as float64."""
    least = np.full((n, n), np.inf)
    np.minimum.at(least, (from_, to), weights.astype(float))
    if not directed:
        least = np.minimum(least, least.T)
    np.fill_diagonal(least, 0)
    i, j = np.nonzero(np.isfinite(least))
    graph = scipy.sparse.csr_array((least[i, j], (i, j)), shape=(n, n))
    return csgraph.johnson(graph) if n else least


def in_type(d, dtype):
    """Distances of floats as blockfw has them in a type."""
    held = np.where(np.isinf(d), 0, d).astype(dtype)
    held[np.isinf(d)] = blockfw.infinity(dtype)
    return held


def check_paths(net, d, edges, directed):
    n = len(net)
    rng = np.random.default_rng(n)
    sources, targets = rng.integers(0, n, (2, 50))
    offsets, vertices = net.paths(sources, targets)
    assert offsets.dtype == np.int64 and vertices.dtype == np.int32 and offsets[0] == 0 and offsets[-1] == vertices.size
    edge_offsets, of_edges = net.paths(sources, targets, edges=True)
    assert edge_offsets.dtype == of_edges.dtype == np.int64 and edge_offsets[0] == 0 and edge_offsets[-1] == of_edges.size
    best = {}  # the weight and the index of the first of the lightest edges
    for e, (u, v, w) in enumerate(zip(*(a.tolist() for a in edges))):
        for pair in ((u, v),) if directed else ((u, v), (v, u)):
            best[pair] = min((w, e), best.get(pair, (w, e)))
    for p, (i, j) in enumerate(zip(sources, targets)):
        path = vertices[offsets[p]:offsets[p + 1]].tolist()
        assert path == net.path(i, j).tolist()
        along = of_edges[edge_offsets[p]:edge_offsets[p + 1]]
        assert along.tolist() == net.path_edges(i, j).tolist() == [best[pair][1] for pair in zip(path, path[1:])]
        if np.isinf(d[i, j]):
            assert path == []
        else:
            assert (path[0], path[-1]) == (i, j)
            assert sum(best[pair][0] for pair in zip(path, path[1:])) == d[i, j] == np.asarray(edges[2])[along].sum()


def single_paths(net, sources, targets):
    """For each pair its path's edges, and whether there is a path."""
    return [(net.path_edges(i, j), net.path(i, j).size > 0) for i, j in zip(sources, targets)]


def loads_along(paths, edges, demand):
    """The loads of edges, by one path after the other."""
    loads, unserved = np.zeros(edges), 0.0
    for (path, found), x in zip(paths, demand.tolist()):
        loads[path] += x
        unserved += 0 if found else x
    return loads, unserved


def check_loads(found, wanted, dtype=np.float64):
    np.testing.assert_array_equal(found[0], wanted[0])
    assert found[1] == wanted[1] and found[0].dtype == dtype and type(found[1]) is (int if dtype == np.int64 else float)


def check_all(net, d, rng):
    """Every question about distances."""
    n, dtype = len(net), net.dtype
    held = in_type(d, dtype)

    def same(found, wanted):
        assert found.dtype == dtype
        np.testing.assert_array_equal(found, wanted)

    for count in (0, 7), (7, 0), (0, 0), (1, 1), (30, 40), (2 * n, 3):
        sources, targets = (rng.integers(0, n, c) if n else np.zeros(0, int) for c in count)
        same(net.table(sources, targets), held[np.ix_(sources, targets)])
        same(net.rows(sources), held[sources])
        out = np.empty((sources.size, targets.size), dtype)
        assert net.table(sources.tolist(), targets.astype(np.uint8 if n < 256 else np.uint16), out=out) is out
        same(out, held[np.ix_(sources, targets)])
    pairs = rng.integers(0, max(n, 1), (2, 200 if n else 0))
    same(net.distances(*pairs), held[pairs[0], pairs[1]])
    for rows in None, 1, 17:
        first_rows = list(net.blocks(rows))
        assert [first for first, _ in first_rows] == list(range(0, n, rows or n or 1))
        same(np.concatenate([b for _, b in first_rows]) if n else np.zeros((0, 0), dtype), held)
    for places in np.zeros(0, int), pairs[0, :1], pairs[0, :9]:
        for count in 1, 4:
            for of in None, pairs[1, :20], np.zeros(0, int):
                vertices = np.arange(n) if of is None else of
                which, far = net.nearest(places, count, of=of)
                assert which.dtype == np.int32 and which.shape == far.shape == (vertices.size, count)
                there = np.full((vertices.size, places.size + count), np.inf)
                there[:, :places.size] = d[np.ix_(vertices, places)]
                order = np.argsort(there, axis=1, kind="stable")[:, :count]
                nearest = np.take_along_axis(there, order, axis=1)
                same(far, in_type(nearest, dtype))
                np.testing.assert_array_equal(which, np.where(np.isinf(nearest), -9999, order))
    sources = pairs[0, :20]
    limits = -1, 0, 40, 40.5, np.float64(25), np.inf, blockfw.infinity(dtype), -np.inf
    of_limits = net.count_within(sources, limits)
    assert of_limits.dtype == np.int64 and of_limits.shape == (sources.size, len(limits))
    for l, limit in enumerate((*limits, rng.choice([-1, 0, 12, 40.5, np.inf], sources.size))):  # (the last: one for each source)
        rows = net.within(sources, limit)
        assert rows.format == "csr" and rows.dtype == dtype and rows.shape == (sources.size, n)
        found = (d[sources] <= np.reshape(limit, (-1, 1))) & np.isfinite(d[sources])
        if l < len(limits):
            np.testing.assert_array_equal(of_limits[:, l], found.sum(axis=1))
            np.testing.assert_array_equal(net.count_within(sources, limit), found.sum(axis=1))
        of_rows, vertices = np.nonzero(found)
        offsets, listed, distances = net.within(sources, limit, csr=False)
        for at in offsets, rows.indptr:
            np.testing.assert_array_equal(at, np.searchsorted(of_rows, np.arange(sources.size + 1)))
        for of in listed, rows.indices:
            np.testing.assert_array_equal(of, vertices)
        for of in distances, rows.data:
            same(of, held[sources][found])


def check_measures(net, d):
    """As those of the distances, but without a number for "no path"."""
    n, dtype = len(net), net.dtype
    held = in_type(d, dtype)
    everywhere = np.isfinite(d).all(axis=1)
    e = d.max(axis=1)
    found = net.eccentricity()
    assert found.dtype == (dtype if everywhere.all() or dtype.kind == "f" else np.float64)
    np.testing.assert_array_equal(found, e)
    assert net.diameter() == e.max() == blockfw.diameter(held)
    assert net.radius() == e.min() == blockfw.radius(held)
    np.testing.assert_array_equal(net.centre(), blockfw.centre(held))
    for outward in False, True:
        np.testing.assert_array_equal(net.closeness(outward=outward), blockfw.closeness(held, outward=outward))


def check_summaries(net, d, rng):
    """Histograms and sums by group, as NumPy has them."""
    n = len(net)
    pairs = d[~np.eye(n, dtype=bool)]
    there = pairs[np.isfinite(pairs)]
    for width, bins in (7, 5), (1, 1), (33, 400):
        counts, negative, unreachable = net.histogram(width, bins)
        assert counts.dtype == np.int64
        edges = [*np.arange(bins) * width, np.inf]
        np.testing.assert_array_equal(counts, np.histogram(there[there >= 0], edges)[0])
        assert negative == (there < 0).sum() and unreachable == pairs.size - there.size
    groups, weights = rng.integers(-2, 4, n), rng.integers(-5, 50, n) / 4
    for limit in None, 25, 40.5, -1, np.inf:
        within = np.isfinite(d) & (d <= (np.inf if limit is None else limit))
        for of in None, weights:
            reached, sums = net.group_sums(groups, weights=of, limit=limit, count=4)
            assert reached.dtype == (np.int64 if of is None else np.float64) and sums.dtype == np.float64
            member = (groups[:, None] == np.arange(4)) * (1 if of is None else of[:, None])
            np.testing.assert_array_equal(reached, within @ member)
            np.testing.assert_array_equal(sums, np.where(within, d, 0) @ member)
    for of in None, weights:
        for limits in (25,), (25, -1, np.inf), (40, 25, -1, np.inf, 40.5, 25, 3, 7, -np.inf):
            reached, sums = net.group_sums(groups, weights=of, limit=limits, count=4)
            assert reached.dtype == (np.int64 if of is None else np.float64) and sums.dtype == np.float64
            assert reached.shape == sums.shape == (n, 4, len(limits))
            for l, limit in enumerate(limits):
                for found, wanted in zip((reached, sums), net.group_sums(groups, weights=of, limit=limit, count=4)):
                    np.testing.assert_array_equal(found[:, :, l], wanted)
        for step, decay in (8, [1, 0.5, 0.25, 0, 2]), (16, [1, 0]), (32, [1, 1]), (0.5, [3]):
            reached, sums = net.group_sums(groups, weights=of, decay=decay, step=step, count=4)
            assert reached.dtype == sums.dtype == np.float64 and reached.shape == sums.shape == (n, 4)
            counts = np.isfinite(d) & (d <= step * (len(decay) - 1))
            finite = np.where(counts, d, 0)
            by_distance = np.where(counts, np.interp(finite, np.arange(len(decay)) * step, decay), 0)
            member = (groups[:, None] == np.arange(4)) * (1 if of is None else of[:, None])
            np.testing.assert_array_equal(reached, by_distance @ member)  # (sums of such numbers are exact)
            np.testing.assert_array_equal(sums, (finite * by_distance) @ member)
    some = rng.integers(0, n, 5)
    points, from_points = blockfw.Points([0, 0, 2], some[:3]), np.full((3, n), np.inf)
    from_points[0], from_points[2] = d[some[:2]].min(axis=0), d[some[2]]
    whole = np.arange(n)
    for how in {}, {"limit": 25}, {"limit": [40, 25, -1], "weights": weights}, {"decay": [1, 0], "step": 16}:
        everywhere = net.group_sums(groups, count=4, of=whole, **how)
        for found, of_some, wanted in zip(everywhere, net.group_sums(groups, count=4, of=some, **how),
                                          net.group_sums(groups, count=4, **how)):
            np.testing.assert_array_equal(found, wanted)
            np.testing.assert_array_equal(of_some, wanted[some])
    reached, sums = net.group_sums(groups, count=4, limit=25, of=points)
    within, member = np.isfinite(from_points) & (from_points <= 25), (groups[:, None] == np.arange(4)).astype(int)
    np.testing.assert_array_equal(reached, within @ member)
    np.testing.assert_array_equal(sums, np.where(within, from_points, 0) @ member)
    assert net.group_sums(groups, count=4, of=[])[0].shape == (0, 4)


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("directed", [True, False])
@pytest.mark.parametrize("n, degree", [(1, 2), (2, 1), (60, 1.2), (90, 3), (300, 2.5)])
def test_questions(rng, dtype, directed, n, degree):
    edges = some_edges(rng, n, int(n * degree), dtype)
    net = blockfw.Network(edges, directed=directed, vertices=n)
    d = expected(n, *edges, directed)
    check_all(net, d, rng)
    check_measures(net, d)
    check_summaries(net, d, rng)
    check_paths(net, d, edges, directed)


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("directed", [True, False])
def test_large_answers(rng, dtype, directed):
    """A build for a GPU makes these there."""
    n = 1100
    edges = some_edges(rng, n, 3 * n, dtype)
    net = blockfw.Network(edges, directed=directed, vertices=n)
    d = expected(n, *edges, directed)
    held = in_type(d, dtype)
    some, others = rng.permutation(n), rng.permutation(n)[:1000]
    np.testing.assert_array_equal(net.table(some, others), held[np.ix_(some, others)])
    np.testing.assert_array_equal(net.rows(some), held[some])
    pairs = rng.integers(0, n, (2, 70_000))
    np.testing.assert_array_equal(net.distances(*pairs), held[pairs[0], pairs[1]])
    for of in None, some:
        which, far = net.nearest(others, 5, of=of)
        there = d[np.ix_(np.arange(n) if of is None else of, others)]
        order = np.argsort(there, axis=1, kind="stable")[:, :5]
        nearest = np.take_along_axis(there, order, axis=1)
        np.testing.assert_array_equal(far, in_type(nearest, dtype))
        np.testing.assert_array_equal(which, np.where(np.isinf(nearest), -9999, order))
    check_measures(net, d)
    heavier = net.with_weights(edges[2] + edges[2].dtype.type(1))
    np.testing.assert_array_equal(heavier.rows(some), in_type(expected(n, *edges[:2], edges[2] + 1, directed), dtype)[some])


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("directed", [True, False])
def test_labels_that_are_kept(rng, dtype, directed):
    n = 150
    edges = some_edges(rng, n, 3 * n, dtype)
    net = blockfw.Network(edges, directed=directed, vertices=n)
    pairs = rng.integers(0, n, (2, 120))
    many = rng.integers(0, n, (2, 4 * n))  # (their labels are made for the call)
    without, of_many = net.distances(*pairs), net.distances(*many)
    assert not net.has_labels and net.keep_labels() is net and net.has_labels and net.label_bytes > 0
    np.testing.assert_array_equal(net.distances(*pairs), without)
    np.testing.assert_array_equal(net.distances(*many), of_many)
    d = expected(n, *edges, directed)
    np.testing.assert_array_equal(of_many, in_type(d[many[0], many[1]], dtype))
    check_paths(net, d, edges, directed)
    net.keep_labels(net.label_bytes / 3)  # (of some vertices, unless one supernode has most of the labels)
    np.testing.assert_array_equal(net.distances(*pairs), without)
    check_paths(net, d, edges, directed)
    assert not net.keep_labels(memory=0).has_labels and net.keep_labels().has_labels
    assert not net.with_weights(edges[2]).has_labels
    assert not net.update(edges[0][:1], edges[1][:1], edges[2][:1]).has_labels


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("directed", [True, False])
def test_loads_of_edges(rng, dtype, directed):
    """Sums along single paths, in the same order: also of numbers that round."""
    n = 120
    edges = some_edges(rng, n, 200, dtype)
    net = blockfw.Network(edges, directed=directed, vertices=n)
    sources, targets = rng.integers(0, n, (2, 1100))  # (more than a block)
    paths = single_paths(net, sources, targets)
    check_loads(net.edge_loads(sources, targets), loads_along(paths, 200, np.ones(1100)), np.int64)
    demand = rng.integers(0, 3, 1100) / 7
    wanted = loads_along(paths, 200, demand)
    assert wanted[1] > 0
    for given in demand, demand.tolist(), np.repeat(demand, 2)[::2]:
        check_loads(net.edge_loads(sources, targets, given), wanted)
    whole = rng.integers(0, 9, 1100).astype(np.uint8)
    check_loads(net.edge_loads(sources, targets, whole), loads_along(paths, 200, whole))
    rows, columns = sources[:20], targets[:30]
    table = rng.integers(0, 3, (20, 30)) / 7
    wanted = loads_along(single_paths(net, np.tile(rows, 30), np.repeat(columns, 20)), 200, table.T.ravel())
    for given in table, table.tolist(), np.asfortranarray(table):
        check_loads(net.edge_loads(rows, columns, given), wanted)
    seen = []
    net.edge_loads(sources, targets, progress=lambda done, of: seen.append((done, of)))
    assert seen[-1] == (1100, 1100) and seen == sorted(seen)  # (calls that follow at once are left out)
    before = blockfw.threads()
    try:
        for count in 1, 3:
            blockfw.set_threads(count)
            check_loads(net.edge_loads(rows, columns, table), wanted)
    finally:
        blockfw.set_threads(before)
    check_loads(net.edge_loads([], []), (np.zeros(200), 0), np.int64)
    check_loads(net.edge_loads([3], [], np.zeros((1, 0))), (np.zeros(200), 0))
    check_loads(net.edge_loads([3, 3], [3, 3], [1, 2]), (np.zeros(200), 0))


def test_loads_after_changes():
    """Of parallel edges the lightest, and the first of these; closed edges carry nothing."""
    net = blockfw.Network(([0, 1, 0, 2], [1, 0, 1, 1], np.int32([4, 4, 4, 1])), directed=False)
    assert net.edge_loads([0, 1], [1, 2])[0].tolist() == [1, 0, 0, 1]
    assert net.with_weights([5, 3, 4, 1]).edge_loads([0, 1], [1, 2])[0].tolist() == [0, 1, 0, 1]
    closed = net.with_weights([np.inf, np.inf, 4, np.inf])
    assert closed.path_edges(0, 1).tolist() == [2] and closed.path_edges(1, 2).tolist() == []
    loads, unserved = closed.edge_loads([0, 1], [1, 2], [0.5, 2])
    assert loads.tolist() == [0, 0, 0.5, 0] and unserved == 2
    assert net.update([0], [1], [np.inf]).edge_loads([0], [2])[1] == 1
    assert net.update([0], [1], [np.inf]).edge_loads([0, 1], [2, 2])[0].tolist() == [0, 0, 0, 1]


@pytest.mark.parametrize("dtype", ["int16", "int32", "float64"])
def test_negative_weights(rng, dtype):
    for n in 50, 120:
        edges = with_potentials(rng, n, *some_edges(rng, n, 3 * n, dtype))
        net = blockfw.Network(edges, vertices=n)
        d = expected(n, *edges)
        check_all(net, d, rng)
        check_measures(net, d)
        check_summaries(net, d, rng)
        check_paths(net, d, edges, True)


def test_no_vertices(rng):
    net = blockfw.Network(([], []))
    assert len(net) == net.vertices == 0 and net.dtype == np.int32
    check_all(net, np.zeros((0, 0)), rng)
    assert net.histogram(1, 2)[0].tolist() == [0, 0] and net.group_sums([])[0].shape == (0, 0)
    assert net.eccentricity().size == net.centre().size == net.closeness().size == 0
    for measure in net.diameter, net.radius:
        with pytest.raises(ValueError, match="the network has no vertices, expected 1 or more"):
            measure()


def grid(rng, side, dtype=np.int32):
    """The streets of a town."""
    at = np.arange(side * side, dtype=np.int32).reshape(side, side)
    from_, to = (np.concatenate([a.ravel(), b.ravel()]) for a, b in ((at[:, :-1], at[:-1]), (at[:, 1:], at[1:])))
    return from_, to, rng.integers(1, 100, from_.size).astype(dtype)


def test_a_town(rng):
    """Blocks of the structure, several threads, and many targets."""
    edges = grid(rng, 70)
    net = blockfw.Network(edges, directed=False)
    sources = rng.integers(0, 4900, 30)
    d = csgraph.dijkstra(scipy.sparse.csr_array((edges[2], edges[:2]), shape=(4900, 4900)), False, sources)
    np.testing.assert_array_equal(net.rows(sources), d)
    np.testing.assert_array_equal(net.table(sources, np.arange(4900)), d)
    np.testing.assert_array_equal(net.distances(np.repeat(sources, 4900), np.tile(np.arange(4900), 30)), d.ravel())
    rows = net.within(sources, 500)
    assert rows.nnz == np.count_nonzero(d <= 500)
    np.testing.assert_array_equal(rows.toarray(), np.where(d <= 500, d, 0))
    some = blockfw.Network(edges, directed=False, dtype="int64").eccentricity()
    np.testing.assert_array_equal(some, net.eccentricity())
    np.testing.assert_array_equal(some[sources], d.max(axis=1))


def test_forms_of_edges(rng):
    """All that all_pairs takes."""
    from_, to, weights = some_edges(rng, 40, 90, np.int32, 1)
    kept = np.unique(np.stack([from_, to])[:, from_ != to], axis=1)
    weights = rng.integers(1, 60, kept.shape[1]).astype(np.int32)
    from_, to = kept.astype(np.int32)
    dense = np.full((40, 40), blockfw.infinity(np.int32), np.int32)
    dense[from_, to] = weights
    of_networkx = nx.DiGraph()
    of_networkx.add_nodes_from(range(40))
    of_networkx.add_weighted_edges_from(zip(from_.tolist(), to.tolist(), weights.tolist()))
    matrix = scipy.sparse.csr_array((weights, (from_, to)), shape=(40, 40))
    for directed in True, False:
        d = expected(40, from_, to, weights, directed)
        for form in ((from_, to, weights), matrix, matrix.tocoo(), scipy.sparse.csc_matrix(matrix), dense,
                     np.ma.masked_array(dense, dense == blockfw.infinity(np.int32)), of_networkx,
                     blockfw.Graph(40, from_, to, weights, directed)):
            given = None if isinstance(form, blockfw.Graph) else directed
            net = blockfw.Network(form, directed=given, vertices=40)
            assert net.directed == directed and net.edges[0].size == weights.size
            found = net.rows(range(40))
            assert found.dtype == (np.int64 if form is of_networkx else np.int32)
            np.testing.assert_array_equal(found, in_type(d, found.dtype))
            np.testing.assert_array_equal(blockfw.all_pairs(form, directed=given, n=40), found)
    assert blockfw.Network((from_, to)).dtype == np.int32
    np.testing.assert_array_equal(blockfw.Network((from_, to), vertices=40).rows(range(40)),
                                  blockfw.all_pairs((from_, to), n=40))
    boolean = dense < blockfw.infinity(np.int32)
    np.testing.assert_array_equal(blockfw.Network(boolean).rows(range(40)), blockfw.all_pairs(boolean))


@pytest.mark.parametrize("kind", [nx.Graph, nx.DiGraph, nx.MultiGraph, nx.MultiDiGraph])
def test_networkx(rng, kind):
    graph = kind()
    graph.add_nodes_from("cab")
    graph.add_weighted_edges_from([("a", "b", 5), ("b", "c", 2.5), ("a", "b", 7), ("c", "c", 1)])
    graph.add_edge("a", "c")
    net = blockfw.Network(graph)
    assert net.directed == graph.is_directed() and net.dtype == float
    index = {v: i for i, v in enumerate(graph)}
    listed = [(index[u], index[v], w) for u, v, w in graph.edges(data="weight", default=1)]
    assert list(zip(*(a.tolist() for a in net.edges))) == listed
    np.testing.assert_array_equal(net.rows(range(3)), nx.floyd_warshall_numpy(graph))
    np.testing.assert_array_equal(blockfw.all_pairs(graph), nx.floyd_warshall_numpy(graph))
    with pytest.raises(TypeError, match="a weight is not an int or a float"):
        blockfw.Network(nx.Graph([(0, 1, {"weight": "far"})]))


def test_new_weights(rng):
    for dtype in "int32", "float64":
        for directed in True, False:
            edges = some_edges(rng, 80, 200, dtype)
            net = blockfw.Network(edges, directed=directed, vertices=80)
            before = net.rows(range(80))
            weights = rng.integers(1, 30, 200)
            for given in weights, weights.astype(np.int8), weights.astype(float), weights.tolist():
                other = net.with_weights(given)
                assert other.dtype == dtype and other.directed == directed
                d = expected(80, *edges[:2], weights, directed)
                np.testing.assert_array_equal(other.rows(range(80)), in_type(d, dtype))
            np.testing.assert_array_equal(net.rows(range(80)), before)
            check_paths(other, d, (*edges[:2], weights), directed)


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("directed", [True, False])
@pytest.mark.parametrize("sets", [0, 1, 24, 35])
def test_hourly(rng, dtype, directed, sets):
    """Each set as a network with its weights: also with closed edges, and negative weights."""
    from_, to, weights = some_edges(rng, 60, 180, dtype, 1)
    net = blockfw.Network((from_, to, weights), directed=directed, vertices=60)
    by_set = rng.integers(1, 60, (sets, 180)).astype(dtype)
    closed = rng.random((sets, 180)) < 0.2
    if directed and sets > 0:
        by_set[-1] = with_potentials(rng, 60, from_, to, by_set[-1])[2]
    wanted = np.zeros((sets, 60, 60), dtype)
    for h, (w, none) in enumerate(zip(by_set, closed)):
        wanted[h] = in_type(expected(60, from_[~none], to[~none], w[~none], directed), dtype)
    hours = net.hourly(np.ma.masked_array(by_set, closed))
    assert repr(hours) == f"WeightSets(sets={sets}, vertices=60, dtype={np.dtype(dtype)})"
    assert (len(hours), hours.vertices, hours.dtype) == (sets, 60, dtype)
    sources, targets = rng.integers(0, 60, 70), rng.integers(0, 60, 9)
    for these in (sources, targets), (range(60), range(60)), ([], targets.tolist()), (sources.astype(np.uint8), []):
        found = hours.table(*these)
        assert found.dtype == dtype
        rows, columns = (np.asarray(list(vertices), int) for vertices in these)
        np.testing.assert_array_equal(found, wanted[:, rows[:, None], columns])
    pairs = rng.integers(0, 60, (2, 200))
    for count in 0, 5, 200:
        found = hours.distances(*pairs[:, :count])
        assert found.dtype == dtype
        np.testing.assert_array_equal(found, wanted[:, pairs[0, :count], pairs[1, :count]])
    far = np.where(closed, np.inf, by_set.astype(float))  # the same sets in other forms
    rows = list(np.ma.masked_array(by_set, closed))
    for given in (far, np.asfortranarray(far)) + ((far.tolist(), rows) if sets else ()):
        np.testing.assert_array_equal(net.hourly(given).table(sources, targets), wanted[:, sources[:, None], targets])


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("directed", [True, False])
def test_updates(rng, dtype, directed):
    """The same as a new network: in chains of updates, of repeated edges, of edges that are closed."""
    from_, to, weights = some_edges(rng, 60, 150, dtype, 1)
    from_, to, weights = (a[from_ != to] for a in (from_, to, weights))
    first = net = blockfw.Network((from_, to, weights), directed=directed, vertices=60)
    before = net.rows(range(60))
    for count in 0, 1, 5, 40, 3:
        some = rng.integers(0, weights.size, count)
        new = rng.integers(1, 60, count).astype(dtype)
        ends = (from_[some], to[some]) if directed else (to[some], from_[some])
        closed = rng.random(count) < 0.2
        weights = weights.astype(float)
        for u, v, w, none in zip(from_[some], to[some], new, closed):
            here = (from_ == u) & (to == v) | (not directed) & (from_ == v) & (to == u)
            weights[here] = np.inf if none else w
        net = net.update(*ends, np.ma.masked_array(new, closed))
        open_ = np.isfinite(weights)
        d = expected(60, from_[open_], to[open_], weights[open_], directed)
        np.testing.assert_array_equal(net.rows(range(60)), in_type(d, dtype))
        np.testing.assert_array_equal(net.edges[2], in_type(weights, dtype))
        check_paths(net, d, (from_, to, weights), directed)
    check_all(net, d, rng)
    check_measures(net, d)
    check_summaries(net, d, rng)
    np.testing.assert_array_equal(first.rows(range(60)), before)


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("directed", [True, False])
def test_second_weights(rng, dtype, directed):
    """The smallest sum along a shortest path, by SciPy's distances of both weights in one."""
    from_, to, weights = edges = some_edges(rng, 60, 200, dtype)
    net = blockfw.Network(edges, directed=directed, vertices=60)
    small = rng.integers(0, 100, 200)
    for given, times in ((small, 1), (rng.integers(0, 5, 200, dtype=np.int8), 1), (np.zeros(200), 1),
                         (small.astype(np.float32), 1), (small.tolist(), 1), (small.astype(np.uint64), 1),
                         (small / 3, 1 / 3),        # (no multiples of a power of two that fit)
                         (small * 2**46, 2**46)):   # (the sums of both weights do not fit 62 bits)
        second = np.asarray(given)
        whole = np.rint(second / times)
        both = expected(60, from_, to, weights.astype(float) * 2**20 + whole, directed)
        reached = np.isfinite(both)
        type_ = np.dtype(np.float64 if second.dtype.kind == "f" else np.int64)
        wanted = np.full((60, 60), blockfw.infinity(type_), type_)
        sums = both[reached] % 2**17  # (in weights of a half, a quarter or an eighth)
        wanted[reached] = sums * times if type_.kind == "f" else sums.astype(np.int64) * times
        found = net.along(given, range(60), range(60))
        assert found.dtype == type_
        np.testing.assert_allclose(found, wanted, rtol=1e-12 if type_.kind == "f" else 0)
        sources, targets = rng.integers(0, 60, (2, 90))
        np.testing.assert_allclose(net.along(given, sources, targets, pairs=True), wanted[sources, targets],
                                   rtol=1e-12 if type_.kind == "f" else 0)
        assert net.along(given, [], [1]).shape == (0, 1)


@pytest.mark.parametrize("dtype", ["int32", "float64"])
def test_second_weights_by_three_loops(rng, dtype):
    """Negative first and second weights, and second weights of any floats, in a graph without cycles."""
    from_, to = np.sort(rng.integers(0, 30, (2, 90)), axis=0)
    from_, to = from_[from_ < to], to[from_ < to]
    weights = rng.integers(-2, 3, from_.size)
    net = blockfw.Network((from_, to, weights), dtype=dtype, vertices=30)
    for second in (rng.integers(-40, 40, from_.size), rng.normal(size=from_.size)):
        best = {(v, v): (0, 0) for v in range(30)}
        for u, v, *both in zip(from_.tolist(), to.tolist(), weights.tolist(), second.tolist()):
            best[u, v] = min(best.get((u, v), (np.inf, 0)), tuple(both))
        for k in range(30):
            for i in range(30):
                for j in range(30):
                    if (i, k) in best and (k, j) in best:
                        through = tuple(a + b for a, b in zip(best[i, k], best[k, j]))
                        best[i, j] = min(best.get((i, j), (np.inf, 0)), through)
        none = blockfw.infinity(second.dtype)
        wanted = [[best[i, j][1] if (i, j) in best else none for j in range(30)] for i in range(30)]
        np.testing.assert_allclose(net.along(second, range(30), range(30)), wanted, rtol=0, atol=1e-12)
    assert net.along(second.tolist(), [0], [0]).dtype == np.float64
    assert net.along(np.rint(second).astype(np.int16), [0], [0]).dtype == np.int64


@pytest.mark.parametrize("dtype", ["int32", "int64", "float32", "float64"])
@pytest.mark.parametrize("directed", [True, False])
def test_second_weights_of_points(rng, dtype, directed):
    """Both weights as one number: points on edges, points with legs, and vertices."""
    from_, to = rng.integers(0, 40, (2, 100))
    weights, second = 4 * rng.integers(1, 6, 100), 4 * rng.integers(0, 90, 100)
    net = blockfw.Network((from_, to, weights), directed=directed, dtype=dtype, vertices=40)
    both = blockfw.Network((from_, to, weights * 2**20 + second), directed=directed, dtype="int64", vertices=40)
    edge, quarters = rng.integers(0, 100, 30), rng.integers(0, 5, 30)
    legs, of_legs, at = rng.integers(0, 9, 20), rng.integers(0, 50, 20), rng.integers(0, 40, 20)
    here, eighths = ([net.on_edge(edge, quarters / 4), blockfw.Points(np.arange(20) % 8, at, legs, second=lengths), range(40),
                      blockfw.Points([0, 0, 1], [3, 4, 5])] for lengths in (of_legs, of_legs / 8))
    there = [both.on_edge(edge, quarters / 4), blockfw.Points(np.arange(20) % 8, at, legs * 2**20 + of_legs), range(40),
             blockfw.Points([0, 0, 1], [3, 4, 5])]
    for i, j in itertools.product(range(4), repeat=2):
        wanted = both.table(there[i], there[j])
        reached = wanted < blockfw.infinity("int64")
        found = net.along(second, here[i], here[j])
        assert found.dtype == np.int64
        np.testing.assert_array_equal(found, np.where(reached, wanted % 2**20, blockfw.infinity("int64")))
        np.testing.assert_allclose(net.along(second / 8, eighths[i], eighths[j]),
                                   np.where(reached, wanted % 2**20 / 8, np.inf))
    pairs = net.along(second, here[0], here[0], pairs=True)
    assert not pairs.any() and pairs.shape == (30,)
    others = net.along(second, here[0], np.resize(np.arange(40), 30), pairs=True)
    np.testing.assert_array_equal(others, net.along(second, here[0], range(40))[np.arange(30), np.arange(30)])
    assert net.along(second, blockfw.Points([], []), here[0]).shape == (0, 30)
    large = blockfw.Network(([0], [1], [3]), dtype=dtype)
    assert large.along([300_000], large.on_edge([0], 1 / 3), [1]).tolist() == [[200_000]]
    third = blockfw.Network(([0], [1], [3]), dtype=dtype).on_edge([0], 1 / 3)
    assert blockfw.Network(([0], [1], [3]), dtype=dtype).along([3000], third, [1]).tolist() == [[2000]]


def test_second_weights_are_kept_by_their_type():
    net = blockfw.Network(([0, 1], [1, 2], [4, 5]))
    assert net.along([1, 2], [0], [2]).dtype == np.int64
    assert net.along([1.0, 2.0], [0], [2]).dtype == np.float64
    np.testing.assert_array_equal(net.along([1.0, 2.0], [0, 2], [2, 0]), [[3, 0], [0, np.inf]])
    np.testing.assert_array_equal(net.along([1, 2], [0, 2], [2, 0]), [[3, 0], [0, blockfw.infinity("int64")]])


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("directed", [True, False])
def test_saved_and_pickled(rng, tmp_path, dtype, directed):
    edges = some_edges(rng, 90, 250, dtype)
    net = blockfw.Network(edges, directed=directed, vertices=90)
    name = tmp_path / "a network"
    net.save(name)
    net.save(str(name))  # over the other
    d = expected(90, *edges, directed)
    for other in blockfw.Network.load(name), blockfw.Network.load(str(name)), pickle.loads(pickle.dumps(net)):
        assert repr(other) == repr(net)
        check_all(other, d, rng)
        check_paths(other, d, edges, directed)
        for ours, theirs in zip(other.edges, net.edges):
            np.testing.assert_array_equal(ours, theirs)
        weights = rng.integers(1, 60, 250)
        np.testing.assert_array_equal(other.with_weights(weights).rows(range(90)), net.with_weights(weights).rows(range(90)))
    check_measures(other, d)
    whole = name.read_bytes()
    for damaged in b"", whole[:100], whole[:-8], whole[:2000] + bytes([whole[2000] ^ 1]) + whole[2001:]:
        name.write_bytes(damaged)
        with pytest.raises(OSError):
            blockfw.Network.load(name)


def test_in_another_process(rng):
    """Processes that are forked or spawned have it by a pickle."""
    net = blockfw.Network(grid(rng, 20), directed=False)
    wanted = net.table(range(400), range(400))
    for method in "fork", "spawn":
        with multiprocessing.get_context(method).Pool(1) as pool:
            np.testing.assert_array_equal(pool.apply(_table_of, (net,)), wanted)


def _table_of(net):
    return net.table(range(len(net)), range(len(net)))


@pytest.mark.parametrize("dtype", TYPES)
def test_closed_edges(rng, dtype):
    """An edge of infinite or masked weight leads nowhere, and opens again."""
    from_, to, weights = edges = some_edges(rng, 50, 120, dtype)
    closed = rng.random(120) < 0.3
    open_ = [a[~closed] for a in edges]
    far = blockfw.infinity(dtype)
    d = in_type(expected(50, *open_), dtype)
    for given in (np.where(closed, np.inf, weights), np.where(closed, np.array(far, dtype), weights),
                  np.ma.masked_array(weights, closed),
                  np.ma.masked_array(np.where(closed, np.nan, weights.astype(float)), closed)):
        net = blockfw.Network((from_, to, given), dtype=dtype, vertices=50)
        np.testing.assert_array_equal(net.rows(range(50)), d)
        np.testing.assert_array_equal(net.edges[2], np.where(closed, np.array(far, dtype), weights))
        opened = net.with_weights(weights)
        np.testing.assert_array_equal(opened.rows(range(50)), in_type(expected(50, *edges), dtype))
        np.testing.assert_array_equal(opened.with_weights(given).rows(range(50)), d)


@pytest.mark.parametrize("dtype", TYPES)
def test_infinite_weights_keep_the_type(dtype):
    """inf removes an edge, and changes no type, though a list with it is of floats."""
    from_, to, inf = np.array([0, 1, 0]), np.array([1, 2, 2]), float("inf")
    net = blockfw.Network((from_, to, np.array([5, 2, 6], dtype)))
    closed = [net.update([0], [2], given) for given in
              ([inf], np.array([inf]), np.array([inf], np.float32), np.ma.masked_array([0], [True]))]
    closed += [net.update([0], [2], [3]).update([0, 0], [2, 1], [inf, 5.0]), net.with_weights([5, 2, inf]),
               net.with_weights(np.array([5, 2, inf])), blockfw.Network((from_, to, [5, 2, inf]), dtype=dtype)]
    far = blockfw.infinity(dtype)
    for some in closed:
        assert some.dtype == dtype
        assert [(a.dtype, a.tolist()) for a in (some.edges[2], some.distances([0], [2]), some.table([0], [2])[0],
                                                some.rows([0])[0], some.nearest([2])[1][:, 0],
                                                some.within([0], inf, csr=False)[2])] == [
            (dtype, numbers) for numbers in ([5, 2, far], [7], [7], [0, 5, 7], [7, 2, 0], [0, 5, 7])]
        none = some.update([1], [2], [inf])
        assert none.dtype == dtype and none.distances([0], [2]).tolist() == [far]
        assert none.distances([0], [2]).dtype == dtype
        assert none.update([1], [2], [1]).distances([0], [2]).tolist() == [6]
    d = blockfw.all_pairs((from_, to, [5, 2, inf]), dtype=dtype)
    assert d.dtype == dtype and d[0].tolist() == [0, 5, 7]
    blockfw.insert_edge(d, 0, 2, inf)
    more = blockfw.add_vertex(d, ([2, 0], [3, 3], [1, inf]))
    assert d.dtype == more.dtype == dtype and more[0].tolist() == [0, 5, 7, 8]
    [small] = blockfw.batched([(from_, to, [5, 2, inf])], dtype=dtype)
    assert small.dtype == dtype and small[0].tolist() == [0, 5, 7]


@pytest.mark.parametrize("order", ["auto", "amd", "metis"])
def test_orders(rng, order):
    edges = grid(rng, 20)
    try:
        net = blockfw.Network(edges, directed=False, order=order)
    except ValueError as error:
        assert f"of the component {order}, without which this module was built" in str(error)
        return
    everything = np.arange(400)
    d = blockfw.Network(edges, directed=False, order=rng.permutation(400)).table(everything, everything)
    np.testing.assert_array_equal(net.table(everything, everything), d)


def test_what_it_is():
    net = blockfw.Network(([0, 1], [1, 3], [5, 2]), directed=False)
    assert repr(net) == "Network(vertices=4, edges=2, dtype=int64, directed=False)"
    assert (len(net), net.vertices, net.dtype, net.directed) == (4, 4, np.int64, False)
    assert [a.dtype for a in net.edges] == [np.int32, np.int32, np.int64]
    assert [a.tolist() for a in net.edges] == [[0, 1], [1, 3], [5, 2]]
    assert copy.copy(net) is copy.deepcopy(net) is net
    for name in "vertices", "edges", "dtype", "directed":
        with pytest.raises(AttributeError):
            setattr(net, name, 1)


NET = blockfw.Network(([0, 1, 2], [1, 2, 3], np.int32([5, 2, 1])))


@pytest.mark.parametrize("call, error, says", [
    (lambda: NET.table([4], [0]), ValueError, "vertex 4 is out of range, expected 0 to 3"),
    (lambda: NET.table([], [4]), ValueError, "vertex 4 is out of range, expected 0 to 3"),
    (lambda: NET.table([4], []), ValueError, "vertex 4 is out of range, expected 0 to 3"),
    (lambda: NET.table([-1], [0]), ValueError, "vertices lie between 0 and 2\\*\\*31 - 1, found -1 to -1"),
    (lambda: NET.table([2**40], [0]), ValueError, "vertices lie between 0 and 2\\*\\*31 - 1, found 1099511627776"),
    (lambda: NET.table([0.5], [0]), TypeError, "vertices are integers, found float64"),
    (lambda: NET.table([True], [0]), TypeError, "vertices are integers, found bool"),
    (lambda: NET.table(0, [0]), ValueError, "the sources are an array of 0 dimensions, expected a list of vertices"),
    (lambda: NET.table([0], [[0]]), ValueError, "the targets are an array of 2 dimensions, expected a list of vertices"),
    (lambda: NET.table([0], [0], out=np.empty((1, 1))), ValueError, "out is of type float64, expected dtype, int32"),
    (lambda: NET.table([0], [0], out=np.empty((1, 2), np.int32)), ValueError, r"out has the shape \(1, 2\), expected \(1, 1\)"),
    (lambda: NET.table([0, 1], [0, 1], out=np.empty((2, 2), np.int32, order="F")), ValueError, "out is not a writeable"),
    (lambda: NET.table([0], [0, 1], out=np.empty((1, 4), np.int32)[:, ::2]), ValueError, "out is not a writeable"),
    (lambda: NET.table([0], [0], out=np.broadcast_to(np.int32(1), (1, 1))), ValueError, "out is not a writeable"),
    (lambda: NET.table([0], [0], out=[[1]]), TypeError, "out is of .*list.*, expected a NumPy array"),
    (lambda: NET.rows([0], out=np.empty((1, 3), np.int32)), ValueError, r"out has the shape \(1, 3\), expected \(1, 4\)"),
    (lambda: NET.rows([4]), ValueError, "vertex 4 is out of range"),
    (lambda: NET.distances([0, 1], [0]), ValueError, "there are 2 sources and 1 targets, expected as many of each"),
    (lambda: NET.distances([0], [9]), ValueError, "vertex 9 is out of range"),
    (lambda: NET.paths([0], []), ValueError, "there are 1 sources and 0 targets, expected as many of each"),
    (lambda: NET.path(0, 4), ValueError, "vertex 4 is out of range"),
    (lambda: NET.path(0, 1.5), TypeError, "float"),
    (lambda: NET.path_edges(0, 4), ValueError, "vertex 4 is out of range"),
    (lambda: NET.paths([0], [], edges=True), ValueError, "there are 1 sources and 0 targets, expected as many of each"),
    (lambda: NET.edge_loads([0], []), ValueError, "there are 1 sources and 0 targets, expected as many of each"),
    (lambda: NET.edge_loads([0], [4]), ValueError, "vertex 4 is out of range, expected 0 to 3"),
    (lambda: NET.edge_loads([0, 1], [1, 2], [1]), ValueError, "there are 1 demands and 2 pairs, expected as many of each"),
    (lambda: NET.edge_loads([0, 1], [1, 2], [[1, 2]]), ValueError, r"the demand has the shape \(1, 2\), expected \(2, 2\)"),
    (lambda: NET.edge_loads([0], [1], 5), ValueError, "the demand is an array of 0 dimensions, expected a number for each"),
    (lambda: NET.edge_loads([0, 1], [1, 2], [1, -0.5]), ValueError, "the demand of pair 1 is -0.5.*, expected a finite"),
    (lambda: NET.edge_loads([0], [1, 2], [[1, np.nan]]), ValueError, r"the demand at \(0, 1\) is NaN, expected a finite"),
    (lambda: NET.edge_loads([0], [1], [np.inf]), ValueError, "the demand of pair 0 is inf, expected a finite number"),
    (lambda: NET.edge_loads([0], [1], [2**53 + 1]), ValueError, "the demand 9007199254740993 is not a number of type float64"),
    (lambda: NET.edge_loads([0], [1], ["a"]), TypeError, "the demand is of type <U1, expected real numbers"),
    (lambda: NET.edge_loads([0], [1], [True]), TypeError, "the demand is of type bool, expected real numbers"),
    (lambda: NET.edge_loads([0], [1], np.ma.masked_array([1.0], [True])), ValueError, "a demand is masked"),
    (lambda: NET.edge_loads([0, 0], [1, 1], [1.5e308, 1.5e308]), OverflowError, "the demand of 2 pairs adds up to infinity"),
    (lambda: NET.blocks(0), ValueError, "rows is 0, expected 1 or more"),
    (lambda: NET.blocks(1.5), TypeError, "float"),
    (lambda: NET.nearest([0], 0), ValueError, "the number of nearest places is 0, expected 1 or more"),
    (lambda: NET.nearest([7]), ValueError, "vertex 7 is out of range"),
    (lambda: NET.nearest([0], of=[7]), ValueError, "vertex 7 is out of range"),
    (lambda: NET.nearest([0], 1.5), TypeError, "float"),
    (lambda: NET.within([0], np.nan), ValueError, "the limit is NaN, expected a number"),
    (lambda: NET.within([7], 1), ValueError, "vertex 7 is out of range"),
    (lambda: NET.within([0], "far"), TypeError, "limit 0 is .far., expected a number"),
    (lambda: NET.within([0, 1], [5]), ValueError, "there are 2 sources and 1 limits, expected as many of each"),
    (lambda: NET.within([0, 1], [5, np.nan]), ValueError, "the limit is NaN, expected a number"),
    (lambda: NET.within([0], [[5]]), ValueError, "the limits are an array of 2 dimensions, expected a number or a list"),
    (lambda: NET.count_within([0], np.nan), ValueError, "the limit is NaN, expected a number"),
    (lambda: NET.count_within([0], []), ValueError, "there are no limits, expected 1 or more"),
    (lambda: NET.count_within([0], [5, None]), TypeError, "limit 1 is None, expected a number"),
    (lambda: NET.count_within([0], "5"), TypeError, "limit 0 is '5', expected a number"),
    (lambda: NET.count_within([0], np.ma.masked_array([5, 6], [False, True])), ValueError, "a limit is masked, expected a"),
    (lambda: NET.count_within([7], [1, 2]), ValueError, "vertex 7 is out of range"),
    (lambda: NET.histogram(0, 3), ValueError, "the width of a bin is 0, expected a positive number"),
    (lambda: NET.histogram(-np.inf, 3), ValueError, "the width of a bin is -inf, expected a positive number"),
    (lambda: NET.histogram(np.nan, 3), ValueError, "the width of a bin is nan, expected a positive number"),
    (lambda: NET.histogram(2.5, 3), ValueError, "the width of a bin is 2.5, expected a whole number, as .* int32"),
    (lambda: NET.histogram("a", 3), TypeError, "str"),
    (lambda: NET.histogram(5, 0), ValueError, "the number of bins is 0, expected 1 to 1048576"),
    (lambda: NET.histogram(5, 2**70), ValueError, "the number of bins is .*, expected 1 to 1048576"),
    (lambda: NET.histogram(5, 1.5), TypeError, "float"),
    (lambda: NET.group_sums([0, 1]), ValueError, r"the groups have the shape \(2,\), expected \(4,\)"),
    (lambda: NET.group_sums([0, 1, 2, 3], count=3), ValueError, "the number of groups is 3, expected 4 to"),
    (lambda: NET.group_sums([0.5] * 4), ValueError, "groups are integers, found 0.5"),
    (lambda: NET.group_sums(["a"] * 4), TypeError, "groups are of type"),
    (lambda: NET.group_sums([0] * 4, of=[4]), ValueError, "vertex 4 is out of range, expected 0 to 3"),
    (lambda: NET.group_sums([0] * 4, weights=[1]), ValueError, r"the weights have the shape \(1,\), expected \(4,\)"),
    (lambda: NET.group_sums([0] * 4, weights=[1, 2, 3, np.nan]), ValueError, "the weight of vertex 3 is nan"),
    (lambda: NET.group_sums([0] * 4, limit=np.nan), ValueError, "the limit is NaN, expected a number"),
    (lambda: NET.group_sums([0] * 4, limit=[5, np.nan]), ValueError, "the limit is NaN, expected a number"),
    (lambda: NET.group_sums([0] * 4, limit=[]), ValueError, "there are no limits, expected 1 or more"),
    (lambda: NET.group_sums([0] * 4, limit=[[5]]), ValueError, "the limits are an array of 2 dimensions"),
    (lambda: NET.group_sums([0] * 4, decay=[1, 0]), ValueError, "decay is given without step, expected both"),
    (lambda: NET.group_sums([0] * 4, step=5), ValueError, "step is 5 without decay, expected both or none"),
    (lambda: NET.group_sums([0] * 4, decay=[1], step=5, limit=5), ValueError, "limit and decay are given, expected one"),
    (lambda: NET.group_sums([0] * 4, decay=[[1]], step=5), ValueError, "decay is an array of 2 dimensions"),
    (lambda: NET.group_sums([0] * 4, decay=[], step=5), ValueError, "the decay has no values, expected 1 or more"),
    (lambda: NET.group_sums([0] * 4, decay=[1, np.inf], step=5), ValueError, "value 1 of the decay is inf, expected a finite"),
    (lambda: NET.group_sums([0] * 4, decay=[1], step=0), ValueError, "the step of the decay is 0.0*, expected a positive"),
    (lambda: NET.group_sums([0] * 4, decay=[1], step=np.inf), ValueError, "the step of the decay is inf, expected a positive"),
    (lambda: NET.group_sums([0] * 4, decay=["a"], step=5), TypeError, "the decay is of type <U1, expected real numbers"),
    (lambda: NET.with_weights([1, 2]), ValueError, "there are 2 weights, expected 3, one for each edge"),
    (lambda: NET.with_weights(1), ValueError, "the weights are an array of 0 dimensions, expected a number for each edge"),
    (lambda: NET.with_weights([1, 2, 0.5]), ValueError, "the weight 0.5 from 2 to 3 is not a number of type int32"),
    (lambda: NET.with_weights([1, np.nan, 1]), ValueError, "from 1 to 2 is not a number of type int32"),
    (lambda: NET.with_weights([1, 2, 2**40]), ValueError, "the weight 1099511627776 from 2 to 3 is not a number"),
    (lambda: NET.with_weights([1, 2, 2**31 - 1]), OverflowError, "edge 2: the weight 2147483647 from 2 to 3 reaches infinity"),
    (lambda: NET.with_weights([2**29, 2**29, 2**29]), OverflowError, ""),
    (lambda: NET.with_weights([True] * 3), TypeError, "the weights of edges are of type bool"),
    (lambda: NET.with_weights(["a"] * 3), TypeError, "expected real numbers"),
    (lambda: NET.hourly([1, 2, 3]), ValueError, "the weights are an array of 1 dimensions, expected a row for each set"),
    (lambda: NET.hourly([[1, 2]]), ValueError, "there are 2 weights in each set, expected 3, one for each edge"),
    (lambda: NET.hourly([[1, 2, 3], [1, 0.5, 3]]), ValueError,
     "entry 4: the weight 0.5 of edge 1 from 1 to 2 in set 1 is not a number of type int32"),
    (lambda: NET.hourly([[1, 2, 2**31 - 1]]), OverflowError, "of edge 2 from 2 to 3 in set 0 reaches infinity"),
    (lambda: NET.hourly([[1, 2, 3], [2**29] * 3]), OverflowError, "set 1 of the weights: "),
    (lambda: NET.hourly([[True] * 3]), TypeError, "the weights of edges are of type bool"),
    (lambda: NET.hourly([[1, 2, 3], [True, 2, 3]]), TypeError, "the weights of edges are of type bool"),
    (lambda: NET.hourly([np.array([1, 2, 3]), np.ones(3, bool)]), TypeError, "the weights of edges are of type bool"),
    (lambda: NET.hourly([[1, 2, 3]]).table([4], [0]), ValueError, "vertex 4 is out of range, expected 0 to 3"),
    (lambda: NET.hourly([[1, 2, 3]]).table(0, [0]), ValueError, "the sources are an array of 0 dimensions"),
    (lambda: NET.hourly([[1, 2, 3]]).distances([0, 1], [0]), ValueError, "there are 2 sources and 1 targets"),
    (lambda: blockfw.Network(([0, 1], [1, 0], [1, 2])).hourly([[1, 2], [1, -2]]), csgraph.NegativeCycleError,
     "set 1 of the weights: negative cycle: vertex [01]"),
    (lambda: blockfw.WeightSets(), TypeError, "WeightSets are made by hourly"),
    (lambda: blockfw.Network(([0], [1, 2])), ValueError, "the edges begin at 1 vertices, expected as many ends and weights"),
    (lambda: blockfw.Network(([0], [1], [1, 2])), ValueError, "the edges begin at 1 vertices"),
    (lambda: blockfw.Network(([0], [1], [[1]])), ValueError, "the edges begin at 1 vertices"),
    (lambda: blockfw.Network(([0], [5]), vertices=3), ValueError, "edge 0: vertex 5 is out of range, expected 0 to 2"),
    (lambda: blockfw.Network(([0], [1]), vertices=-1), ValueError, "-1"),
    (lambda: blockfw.Network(([0], [1]), vertices=1.5), TypeError, "the number of vertices is 1.5, expected an integer"),
    (lambda: blockfw.Network(([0],)), ValueError, "found 1 arrays"),
    (lambda: blockfw.Network(([0], [1], [np.nan])), ValueError, "NaN"),
    (lambda: blockfw.Network(([0], [1], [-np.inf])), ValueError, "edge 0: the weight"),
    (lambda: blockfw.Network(([0], [1], [1]), dtype="int8"), TypeError, "distances cannot have the type int8"),
    (lambda: blockfw.Network(([0], [1], [40000]), dtype="int16"), ValueError, "the weight 40000 from 0 to 1 is not a number"),
    (lambda: blockfw.Network(np.array([[0, np.nan], [1, 0]])), ValueError, r"the weight nan at \(0, 1\) is not valid"),
    (lambda: blockfw.Network(np.zeros((2, 3))), ValueError, "expected a square one"),
    (lambda: blockfw.Network(([0], [1]), order="best"), ValueError, "the order is 'best', expected auto, amd, metis"),
    (lambda: blockfw.Network(([0], [1]), order=[0, 0]), ValueError, ""),
    (lambda: blockfw.Network(([0], [1]), order=[0]), ValueError, ""),
    (lambda: blockfw.Network(([0, 1], [1, 0], [1, -2])), csgraph.NegativeCycleError, ""),
    (lambda: blockfw.Network(([0], [1], [-2]), directed=False), csgraph.NegativeCycleError, ""),
    (lambda: blockfw.Network(np.array([[-1.0, 5], [5, 0]])), csgraph.NegativeCycleError, ""),
    (lambda: NET.with_weights([5, 2, 1]).with_weights([1]), ValueError, "there are 1 weights"),
    (lambda: NET.update([0, 3], [1, 0], [1, 1]), ValueError, "edge 1: from 3 to 0, expected one of the network's edges"),
    (lambda: NET.update([0], [4], [1]), ValueError, "edge 0: vertex 4 is out of range, expected 0 to 3"),
    (lambda: NET.update([0], [1, 2], [1]), ValueError, "the edges begin at 1 vertices, expected as many ends and weights"),
    (lambda: NET.update([0], [1], [0.5]), ValueError, "the weight 0.5 from 0 to 1 is not a number of type int32"),
    (lambda: NET.update([0], [1], [2**30]), OverflowError, "edge 0: the weight 1073741824 from 0 to 1 reaches infinity"),
    (lambda: NET.update(0, 1, 1), ValueError, "expected"),
    (lambda: NET.update([0], [1], [-3]).update([2], [3], [True]), TypeError, "the weights of edges are of type bool"),
    (lambda: blockfw.Network(([0, 1], [1, 0], [1, 2])).update([0], [1], [-3]), csgraph.NegativeCycleError, ""),
    (lambda: NET.along([1, 2], [0], [0]), ValueError, "there are 2 second weights, expected 3, one for each edge"),
    (lambda: NET.along([1, 2, np.nan], [0], [0]), ValueError, "the second weight of edge 2 is NaN, expected a finite number"),
    (lambda: NET.along([1, 2, "a"], [0], [0]), TypeError, "the second weights have the type"),
    (lambda: NET.along([1, 2, None], [0], [0]), TypeError, "the second weight None of edge 2 is of type NoneType"),
    (lambda: NET.along([True, True, True], [0], [0]), TypeError, "the second weights are of type bool"),
    (lambda: NET.along(np.ma.masked_equal([1, 2, 3], 2), [0], [0]), ValueError, "a second weight is masked"),
    (lambda: NET.along(1, [0], [0]), ValueError, "the second weights are an array of 0 dimensions"),
    (lambda: NET.along([1, 2, 2**61], [0], [0]), OverflowError, "a sum could reach"),
    (lambda: NET.along(np.uint64([1, 2, 2**63]), [0], [0]), OverflowError,
     "the second weight of edge 2 is 9223372036854775808, expected less than"),
    (lambda: NET.along([1, -2**70, 3], [0], [0]), OverflowError, "the second weight of edge 1 is -1180591620717411303424"),
    (lambda: NET.along([1, 2, 3], [0], [4]), ValueError, "vertex 4 is out of range"),
    (lambda: NET.along([1, 2, 3], blockfw.Points([0], [1], [2]), [0]), ValueError, "point 0 has a leg without a second length"),
    (lambda: NET.along([1, 3, 3], NET.on_edge([1], 0.5), [0]), ValueError, "of edge 1 before its place is 1 / 2 of it"),
    (lambda: NET.along([1, 2, 3], blockfw.Points([0], [1], [2], second=[np.inf]), [0]), ValueError,
     "leg 0: the second length is infinity, expected a finite number"),
    (lambda: blockfw.Points([0], [1], [2], second=[1, 2]), ValueError, r"the second lengths have the shape \(2,\), expected \(1,\)"),
    (lambda: blockfw.Points([0], [1], [2], second=[2**53]), ValueError, "a second length is 2\\*\\*53 or more"),
    (lambda: blockfw.Points([0], [1], [2], second=np.ma.masked_equal([3], 3)), ValueError, "the second length of leg 0 is masked"),
    (lambda: NET.along([1, 2, 3], [0], [1, 2], pairs=True), ValueError, "there are 1 sources and 2 targets"),
    (lambda: blockfw.Network(([0, 1], [1, 0], [0, 0])).along([1, -2], [0], [1]), ValueError, "can return to itself"),
    (lambda: blockfw.Network(([0, 1], [1, 2], [0.1, 1e-30])).along([1, -2], [0], [1]), ValueError,
     "the second weight of edge 1 is -2, expected 0 or more where sums of the first weights round"),
    (lambda: NET.save("/no/such/folder/net"), OSError, "/no/such/folder"),
    (lambda: blockfw.Network.load("/no/such/file"), FileNotFoundError, "/no/such/file"),
    (lambda: blockfw.Network.load(__file__), OSError, "is not a saved network"),
])
def test_errors(call, error, says):
    with pytest.raises(error, match=says):
        call()


def test_the_result_over_the_lists(rng):
    edges = grid(rng, 20)
    net = blockfw.Network(edges, directed=False)
    memory = rng.integers(0, 400, (20, 20)).astype(np.int32)
    sources, targets = memory[0], memory[:, 1]
    wanted = net.table(sources.copy(), targets.copy())
    np.testing.assert_array_equal(net.table(sources, targets, out=memory), wanted)


def test_memory(rng):
    """A table is written where it is to lie, and the measures take no n x n memory."""
    net = blockfw.Network(grid(rng, 60), directed=False)
    everything = np.arange(3600, dtype=np.int32)
    out = np.empty((3600, 3600), np.int32)
    tracemalloc.start()  # (of Python's and NumPy's memory)
    try:
        net.table(everything, everything, out=out)
        net.rows(everything, out=out)
        net.eccentricity()
        net.closeness()
        assert tracemalloc.get_traced_memory()[1] < 2**20
    finally:
        tracemalloc.stop()


def test_threads(rng):
    """Several threads ask one network, and other threads of Python's go on."""
    net = blockfw.Network(grid(rng, 40), directed=False)
    everything = np.arange(1600)
    wanted = net.table(everything, everything)
    found = [None] * 4

    def ask(k):
        found[k] = net.table(everything[k::4], everything)

    threads = [threading.Thread(target=ask, args=(k,)) for k in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for k in range(4):
        np.testing.assert_array_equal(found[k], wanted[k::4])


def test_number_of_threads(rng):
    """A network runs on the threads that there are when it is asked."""
    net = blockfw.Network(grid(rng, 30), directed=False)
    before = blockfw.threads()
    wanted = net.rows(range(900))
    try:
        for count in 1, 3:
            blockfw.set_threads(count)
            np.testing.assert_array_equal(net.rows(range(900)), wanted)
            np.testing.assert_array_equal(net.table(range(900), range(900)), wanted)
    finally:
        blockfw.set_threads(before)


def test_fronts_of_several_threads(rng):
    """A network whose large supernodes all threads eliminate together."""
    edges = grid(rng, 150)
    sources = rng.integers(0, 22500, 5)
    d = csgraph.dijkstra(scipy.sparse.csr_array((edges[2], edges[:2]), shape=(22500, 22500)), False, sources)
    before = blockfw.threads()
    try:
        for count in 1, 2, 3:
            blockfw.set_threads(count)
            net = blockfw.Network(edges, directed=False)
            for of in net, net.with_weights(edges[2]), net.update(edges[0][:3], edges[1][:3], edges[2][:3]):
                np.testing.assert_array_equal(of.rows(sources), d)
    finally:
        blockfw.set_threads(before)


def test_a_signal_ends_a_call(rng):
    net = blockfw.Network(grid(rng, 30), directed=False)
    pairs = rng.integers(0, 900, (2, 3_000_000)).astype(np.int32)
    began = time.process_time()
    net.distances(*pairs)
    whole = time.process_time() - began
    handler = signal.signal(signal.SIGPROF, lambda *_: 1 / 0)
    try:
        began = time.process_time()
        signal.setitimer(signal.ITIMER_PROF, whole / 10)
        with pytest.raises(ZeroDivisionError):
            net.distances(*pairs)
        assert time.process_time() - began < whole * 0.7
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, handler)


@pytest.mark.parametrize("dtype", ["float64", "int32"])
@pytest.mark.parametrize("directed", [True, False])
def test_scipys_calls_from_some_sources(rng, dtype, directed):
    """They take a network for several sources of a large sparse graph, and have the same results."""
    from_, to, weights = grid(rng, 60)
    graph = scipy.sparse.csr_array((weights, (from_, to)), shape=(3600, 3600))
    for count in 1, 7, 8, 60:
        sources = rng.integers(0, 3600, count)
        d, before = csgraph.dijkstra(graph, directed, sources, return_predecessors=True)
        for call in blockfw.dijkstra, blockfw.johnson, blockfw.bellman_ford:
            np.testing.assert_array_equal(call(graph, directed, sources, dtype=dtype), in_type(d, dtype))
        found, tree = blockfw.shortest_path(graph, directed=directed, indices=sources, return_predecessors=True)
        np.testing.assert_array_equal(found, d)
        np.testing.assert_array_equal(tree < 0, before < 0)
        out = np.empty((count, 3600), dtype)
        assert blockfw.dijkstra(graph, directed, sources, out=out) is not None
        np.testing.assert_array_equal(out, in_type(d, dtype))


def test_progress(rng):
    """It is called with what is done, and what it raises ends the call."""
    seen = []
    net = blockfw.Network(grid(rng, 70), directed=False, progress=lambda done, of: seen.append((done, of)))
    assert seen[-1] == (4900, 4900)
    net.eccentricity(progress=lambda done, of: seen.append((done, of)))
    assert seen[-1][0] == seen[-1][1]

    def stop(done, of):
        raise StopAsyncIteration

    other = net.with_weights(net.edges[2])  # (which has no measures yet)
    for call in lambda: blockfw.Network(grid(rng, 70), progress=stop), lambda: other.closeness(progress=stop), \
            lambda: other.histogram(1, 2, progress=stop), lambda: other.group_sums([0] * 4900, progress=stop), \
            lambda: other.edge_loads([0], [1], progress=stop):
        with pytest.raises(StopAsyncIteration):
            call()


def test_without_scipy(monkeypatch):
    import sys

    monkeypatch.setitem(sys.modules, "scipy.sparse", None)
    with pytest.raises(ImportError, match="with csr=False it returns arrays"):
        NET.within([0], 5)
    assert NET.within([0], 5, csr=False)[1].tolist() == [0, 1]


def test_limits_are_rounded_down():
    narrow, wide = blockfw.Network(([0], [1], np.array([.1], np.float32))), blockfw.Network(([0], [1], [2.**53 + 4]))
    for limit in .1, np.float64(.1), [.1], np.array([.1]):  # (0.1 as a float32 is larger)
        assert np.ravel(narrow.count_within([0], limit)).tolist() == [1]
    assert narrow.count_within([0], np.float32(.1)).tolist() == [2]
    assert wide.count_within([0], [2**53 + 3, 2**53 + 4, 10**400, -10**400]).tolist() == [[1, 2, 2, 0]]


def test_decays_that_are_refused():
    net = blockfw.Network(([0], [1], [5.]))
    for decay, error, says in ((np.ma.masked_array([1., 5], [0, 1]), ValueError, "a number of the decay is masked"),
                               (5., ValueError, "decay is an array of 0 dimensions"), ([], ValueError, "the decay has no"),
                               ([1, np.inf], ValueError, "value 1 of the decay is inf"), (["a"], TypeError, "the decay is of type"),
                               ([1e308, -1e308], ValueError, "values 0 and 1 of the decay are further apart")):
        with pytest.raises(error, match=says):
            net.group_sums([0, 0], decay=decay, step=1)
    with pytest.raises(ValueError, match="the decay has no"):
        net.group_sums([-1, -1], decay=[], step=1)
