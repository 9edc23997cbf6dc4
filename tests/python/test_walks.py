# SPDX-License-Identifier: MIT
"""Every path, tree, predecessor and next hop that a call returns is followed to its end: for weights of mixed magnitudes and
signs, and cycles of length zero and nearly zero."""
from fractions import Fraction

import blockfw
import networkx as nx
import numpy as np
import pytest
from scipy.sparse import coo_array

NONE = -9999


def magnitudes(rng, n, count):
    """Without cycles: weights of any magnitude and sign."""
    from_, to = np.sort(rng.integers(0, n, (2, count)), axis=0)
    return from_, to, rng.choice([-1, 1], count) * 10 ** rng.uniform(-300, 300, count)


def opposites(rng, n, count):
    """Edges and their opposites: cycles of length zero."""
    from_, to = np.sort(rng.integers(0, n, (2, count)), axis=0)
    weights = rng.choice([-1, 1], count) * rng.uniform(0, 20000, count)
    some = rng.random(count) < 0.15
    return np.append(from_, to[some]), np.append(to, from_[some]), np.append(weights, -weights[some])


def decimals(rng, n, count):
    """Cycles of nearly zero, of one-decimal weights."""
    from_, to = rng.integers(0, n, (2, count))
    shift = 0.1 * rng.integers(-20, 20, n)
    return from_, to, 0.1 * rng.integers(0, 3, count) + shift[from_] - shift[to]


def whole(rng, n, count):
    """Cycles of length zero, of integers."""
    from_, to = rng.integers(0, n, (2, count))
    shift = rng.integers(-9, 10, n) << rng.integers(0, 10, n)
    return from_, to, (rng.integers(0, 2, count) + shift[from_] - shift[to]).astype(float)


def vanishing(rng, n, count):
    """Weights that vanish beside others, and zeros."""
    from_, to = rng.integers(0, n, (2, count))
    return from_, to, rng.choice([0, 1, 1e-10, 1e7, 0.1], count)


class Graph:
    def __init__(self, kind, rng, dtype):
        self.n = n = int(rng.integers(2, 12))
        from_, to, weights = kind(rng, n, int(rng.integers(n, 4 * n)))
        with np.errstate(over="ignore"):
            weights = weights.astype(dtype)
        kept = (from_ != to) & np.isfinite(weights)
        self.from_, self.to, self.weights = from_[kept], to[kept], weights[kept]
        self.lightest = {}
        for u, v, w in zip(self.from_.tolist(), self.to.tolist(), self.weights.tolist()):
            self.lightest[u, v] = min(w, self.lightest.get((u, v), np.inf))
        epsilon = 0 if np.dtype(dtype).kind == "i" else float(np.finfo(dtype).eps)
        self.allowed = 4 * n * Fraction(epsilon) * Fraction(np.abs(self.weights.astype(float)).max(initial=0))

    def check(self, path, i, j, distance):
        """That a path leads from i to j, over edges, and is as long as the distance, in exact arithmetic."""
        if i != j and not distance < blockfw.infinity(distance.dtype):
            assert len(path) == 0
            return
        assert path[0] == i and path[-1] == j and len(set(path)) == len(path)
        length = sum((Fraction(self.lightest[step]) for step in zip(path, path[1:])), Fraction(0))
        assert abs(length - Fraction(distance.item())) <= self.allowed

    def check_rows(self, d, before, sources):
        """All predecessors of some sources."""
        for row, tree, i in zip(d, before, sources):
            for j in range(self.n):
                self.check(follow(tree, j, i)[::-1], i, j, row[j])


def follow(steps, first, last):
    """From one vertex to another, by the next one of each."""
    path = [int(first)]
    while path[-1] != last and steps[path[-1]] != NONE and len(path) <= len(steps):
        path.append(int(steps[path[-1]]))
    return path if len(path) > 1 or first == last else []


def walk_all(graph):
    paths = blockfw.Paths((graph.from_, graph.to, graph.weights), n=graph.n)
    d, before, hops = paths.distances, paths.predecessors(), paths.next_hops()
    everyone = range(graph.n)
    graph.check_rows(d, before, everyone)
    for i in everyone:
        np.testing.assert_array_equal(paths.tree(i), before[i])
        for j in everyone:
            assert paths.path(i, j).tolist() == follow(before[i], j, i)[::-1]
            graph.check(follow(hops[:, j], i, j), i, j, d[i, j])

    if graph.weights.dtype.kind == "i":
        return
    sparse = coo_array((graph.n, graph.n))
    distinct = np.array(list(graph.lightest)).reshape(-1, 2).T
    sparse = coo_array((np.array(list(graph.lightest.values()), graph.weights.dtype), distinct), (graph.n, graph.n))
    own = dict(dtype=graph.weights.dtype, return_predecessors=True)
    some = np.arange(0, graph.n, 2)
    graph.check_rows(*blockfw.floyd_warshall(sparse, **own), everyone)
    for call in blockfw.dijkstra, blockfw.bellman_ford, blockfw.johnson, blockfw.shortest_path:
        graph.check_rows(*call(sparse, **own), everyone)
        graph.check_rows(*call(sparse, indices=some, **own), some)
    d, before, nearest = blockfw.dijkstra(sparse, indices=some, min_only=True, **own)
    for j in np.flatnonzero(np.isfinite(d)):
        graph.check(follow(before, j, nearest[j])[::-1], nearest[j], j, d[j])

    if graph.weights.dtype == np.float64:
        G = nx.DiGraph()
        G.add_nodes_from(everyone)
        G.add_weighted_edges_from((u, v, w) for (u, v), w in graph.lightest.items())
        before, lengths = nx.floyd_warshall_predecessor_and_distance(G, backend="blockfw")
        for i in everyone:
            tree = [before.get(i, {}).get(v, NONE) for v in everyone]
            graph.check_rows([[np.float64(lengths[i][j]) for j in everyone]], [tree], [i])
        for i, routes in nx.johnson(G, backend="blockfw").items():
            for j, route in routes.items():
                graph.check(route, i, j, np.float64(lengths[i][j]))


@pytest.mark.parametrize("dtype", ["float64", "float32", "int64", "int32"])
@pytest.mark.parametrize("kind", [magnitudes, opposites, decimals, whole, vanishing])
def test_every_walk_is_a_path(rng, kind, dtype):
    if kind is magnitudes and dtype != "float64":
        pytest.skip("no such magnitudes in the type")
    walked = 0
    for _ in range(40):
        graph = Graph(kind, rng, dtype)
        try:
            walk_all(graph)
        except (blockfw.NegativeCycleError, nx.NetworkXUnbounded):  # (by rounding)
            continue
        walked += 1
    assert walked > 5


def test_next_hops_do_not_go_round_in_circles():
    hops = blockfw.Paths(([0, 1, 0, 2, 1], [1, 0, 2, 3, 3], [-.6, .6, -.8, .2, 0])).next_hops()
    for i in range(3):
        assert follow(hops[:, 3], i, 3)[-1] == 3


def test_the_path_within_a_limit_may_go_beyond_it():
    weights = coo_array(([5., -3, 9], ([0, 1, 0], [1, 2, 3])))
    weights.resize(4, 4)
    d, before = blockfw.dijkstra(weights, indices=0, limit=3, return_predecessors=True)
    assert d.tolist() == [0, np.inf, 2, np.inf]
    assert before.tolist() == [NONE, 0, 1, NONE]
