# SPDX-License-Identifier: MIT
"""Cycles of length zero in floats, in all calls: none is negative. In strict calls the exact sums decide."""
from fractions import Fraction
from itertools import permutations

import numpy as np
import pytest

import blockfw

RING = (np.array([0, 1, 2, 3]), np.array([1, 2, 3, 0]), np.array([-.1, 1.8, -.2, -1.5]))
BELOW = (RING[0], RING[1], -RING[2])  # the exact sum of these doubles is -2.8e-17
CYCLE = (RING[0], RING[1], np.array([-.1, 1.8, -.2, -1.6]))


def dense(edges, n=4):
    d = np.full((n, n), np.inf)
    d[edges[0], edges[1]] = edges[2]
    return d


def times(n, seed):
    """A network whose edges are differences of times, and the times."""
    random = np.random.default_rng(seed)
    at = random.integers(-1000, 1000, n) / 10
    from_ = np.concatenate([np.arange(n), random.integers(0, n, 3 * n)])
    to = np.concatenate([(np.arange(n) + 1) % n, random.integers(0, n, 3 * n)])
    return (from_, to, np.round(at[to] - at[from_], 1)), at


CALLS = [
    lambda edges, **strict: blockfw.all_pairs(edges, **strict),
    lambda edges, **strict: blockfw.all_pairs(dense(edges, 1 + max(edges[0])), **strict),
    lambda edges, **strict: blockfw.all_pairs(edges, devices=2, **strict),
    lambda edges, **strict: blockfw.all_pairs(edges, memory=10**8, **strict),
    lambda edges, **strict: blockfw.batched(dense(edges, 1 + max(edges[0]))[np.newaxis], **strict)[0],
    lambda edges, **strict: blockfw.floyd_warshall(dense(edges, 1 + max(edges[0])), **strict),
    lambda edges, **strict: blockfw.bellman_ford(dense(edges, 1 + max(edges[0])), indices=range(1 + max(edges[0])),
                                                 **strict),
    lambda edges, **strict: blockfw.johnson(dense(edges, 1 + max(edges[0])), indices=range(1 + max(edges[0])), **strict),
    lambda edges, **strict: blockfw.shortest_path(dense(edges, 1 + max(edges[0])), **strict),
    lambda edges, **strict: blockfw.dijkstra(dense(edges, 1 + max(edges[0])), **strict),
]
ELIMINATIONS = [
    lambda edges, **strict: blockfw.all_pairs(edges, method="sparse", **strict),
    lambda edges, **strict: blockfw.Network(edges, **strict).rows(range(1 + max(edges[0]))),
    lambda edges, **strict: blockfw.Network((*edges[:2], np.abs(edges[2])), **strict).with_weights(
        edges[2]).rows(range(1 + max(edges[0]))),
    lambda edges, **strict: blockfw.Network((*edges[:2], np.abs(edges[2])), **strict).update(*edges).rows(
        range(1 + max(edges[0]))),
]


@pytest.mark.parametrize("call", CALLS + ELIMINATIONS)
def test_a_ring_of_length_zero(call):
    d = call(RING)
    assert abs(d[0, 3] - 1.5) < 1e-15
    assert not d.diagonal().any()
    with pytest.raises(blockfw.NegativeCycleError):
        call(CYCLE)
    assert abs(call(RING, strict_cycles=True)[0, 3] - 1.5) < 1e-15
    assert abs(call(BELOW)[0, 3] + 1.5) < 1e-15
    with pytest.raises(blockfw.NegativeCycleError):
        call(BELOW, strict_cycles=True)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("call", CALLS + ELIMINATIONS)
def test_strict_in_every_order(call, dtype):
    there = dtype(.87)
    for v in permutations(range(4)):
        from_, to = np.array([v[0], v[1], v[1], v[2], v[2], v[3]]), np.array([v[1], v[0], v[2], v[1], v[3], v[2]])
        zero = np.array([1, -1, there, -there, 5, -5], dtype)
        d = call((from_, to, zero), strict_cycles=True)
        assert abs(d[v[0], v[3]] - 6.87) < 1e-5 and abs(d[v[3], v[0]] + 6.87) < 1e-5 and not d.diagonal().any()
        below = zero.copy()
        below[3] = -np.nextafter(there, dtype(1))
        with pytest.raises(blockfw.NegativeCycleError):
            call((from_, to, below), strict_cycles=True)


def test_strict_batches_have_paths():
    edges = (np.array([0, 1, 1, 2, 2, 3]), np.array([1, 0, 2, 1, 3, 2]), np.array([1, -1, .87, -.87, 5, -5]))
    for v in permutations(range(4)):
        v = np.array(v)
        d, before = blockfw.batched([(v[edges[0]], v[edges[1]], edges[2])], predecessors=True, strict_cycles=True)
        at = v[3]
        for _ in range(3):
            assert abs(d[0][v[0], at] - d[0][v[0], before[0][v[0], at]]) > .5
            at = before[0][v[0], at]
        assert at == v[0]


@pytest.mark.parametrize("n", [10, 100, 250])
def test_networks_of_times(n):
    edges, at = times(n, n)
    off = edges[0] != edges[1]
    edges = tuple(a[off] for a in edges)
    shorter = (np.append(edges[0], 3), np.append(edges[1], 5), np.append(edges[2], round(at[5] - at[3] - .1, 1)))
    for number, call in enumerate(CALLS):
        if number >= 5 and not np.all(edges[2]):
            continue  # 0 is no edge for these
        assert np.max(np.abs(call(edges) - (at - at[:, np.newaxis]))) < n * 1e-13, number
        with pytest.raises(blockfw.NegativeCycleError):
            call(shorter)


def test_methods_and_float32():
    edges, at = times(60, 1)
    for method in "dense", "sparse":
        d = blockfw.all_pairs((*edges[:2], edges[2].astype(np.float32)), method=method)
        assert np.max(np.abs(d - (at - at[:, np.newaxis]))) < 1e-2


def tolerance(n, edges):
    """The rule of docs/dense.md: N u, or 0 where sums do not round."""
    weights = edges[2].astype(float)
    digits = np.finfo(edges[2].dtype).nmant + 1
    unit = 2.0 ** (np.frexp(n * np.max(np.abs(weights)))[1] - digits)
    if np.all(weights / unit == np.floor(weights / unit)):
        return 0
    return Fraction(1 << (n - 1).bit_length(), 2 ** digits)


def has_negative_cycle(n, edges, t):
    """Bellman and Ford in fractions."""
    weights = [Fraction(w) + t * abs(Fraction(w)) for w in edges[2].tolist()]
    length = [Fraction(0)] * n
    for _ in range(n + 1):
        changed = False
        for i, j, weight in zip(edges[0].tolist(), edges[1].tolist(), weights):
            if length[i] + weight < length[j]:
                length[j] = length[i] + weight
                changed = True
        if not changed:
            return False
    return True


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_decisions_are_those_of_fractions(dtype):
    random = np.random.default_rng(1)
    slacks = [0, .1, 1e-9, -1e-14, -1e-15, -3e-16, -1e-7, -2e-6, -1e-5]
    decisions = set()
    for _ in range(100):
        n = int(random.integers(3, 14))
        at = random.integers(-100, 100, n) / 10 * 10.0 ** random.integers(-3, 4)
        from_, to = random.integers(0, n, (2, 3 * n))
        slack = random.choice(slacks, 3 * n, p=[.6, .2, .06] + [.14 / 6] * 6) * random.choice([1, 100])
        weights = np.round(at[to] - at[from_], int(random.integers(0, 6))) + slack
        off = (from_ != to) & (weights != 0)
        edges = from_[off], to[off], weights[off].astype(dtype)
        for strict in False, True:
            expected = has_negative_cycle(n, edges, 0 if strict else tolerance(n, edges))
            decisions.add((strict, expected))
            for method in "dense", "sparse":
                if expected:
                    with pytest.raises(blockfw.NegativeCycleError):
                        blockfw.all_pairs(edges, n=n, method=method, strict_cycles=strict)
                else:
                    blockfw.all_pairs(edges, n=n, method=method, strict_cycles=strict)
    assert len(decisions) == 4


NEGATIVE = (np.array([0, 2, 2]), np.array([1, 1, 3]), np.array([5, -2, 7]))
OPEN = (NEGATIVE[0], NEGATIVE[1], np.array([5, 2, 7]))


def scipy_dense():
    graph = np.zeros((4, 4))
    graph[NEGATIVE[:2]] = NEGATIVE[2]
    return graph


def listed(dtype):
    return *NEGATIVE[:2], NEGATIVE[2].astype(dtype)


@pytest.mark.parametrize("dtype", [np.int16, np.int32, np.int64, np.float32, np.float64])
@pytest.mark.parametrize("call", [
    lambda dtype: blockfw.all_pairs(listed(dtype), directed=False),
    lambda dtype: blockfw.all_pairs(listed(dtype), directed=False, method="sparse"),
    lambda dtype: blockfw.all_pairs(listed(dtype), directed=False, devices=2),
    lambda dtype: blockfw.all_pairs(listed(dtype), directed=False, memory=10**8),
    lambda dtype: blockfw.all_pairs(dense(NEGATIVE).astype(np.float64), directed=False),
    lambda dtype: blockfw.all_pairs(dense(NEGATIVE).astype(np.float64), directed=False, memory=10**8),
    lambda dtype: blockfw.Paths(listed(dtype), directed=False),
    lambda dtype: blockfw.floyd_warshall(scipy_dense(), directed=False, dtype=dtype),
    lambda dtype: blockfw.johnson(scipy_dense(), directed=False, indices=[0], dtype=dtype),
    lambda dtype: blockfw.dijkstra(scipy_dense(), directed=False, indices=[0, 3], min_only=True, dtype=dtype),
    lambda dtype: blockfw.bellman_ford(scipy_dense(), directed=False, dtype=dtype),
    lambda dtype: blockfw.Network(listed(dtype), directed=False),
    lambda dtype: blockfw.Network(OPEN, directed=False, dtype=dtype).with_weights(NEGATIVE[2]),
    lambda dtype: blockfw.Network(OPEN, directed=False, dtype=dtype).update([1], [2], [-2]),
    lambda dtype: blockfw.batched([OPEN, listed(dtype)], directed=False),
    lambda dtype: blockfw.batched([dense(NEGATIVE)], directed=False),
    lambda dtype: blockfw.insert_edge(blockfw.all_pairs(OPEN, directed=False, dtype=dtype), 1, 2, -1, directed=False),
    lambda dtype: blockfw.add_vertex(np.zeros((2, 2), dtype), ([0, 1], [2, 2], [3, -1]), directed=False),
])
def test_an_undirected_negative_edge(call, dtype):
    with pytest.raises(blockfw.NegativeCycleError, match="the edge between 1 and 2 is negative and leads in both "
                                                         "directions, so it is a cycle by itself"):
        call(dtype)


def test_an_undirected_negative_edge_in_a_batch_is_marked():
    d, marked = blockfw.batched([OPEN, NEGATIVE], directed=False, on_cycle="mark")
    assert marked.tolist() == [False, True] and d[0][0, 3] == 14


def test_an_undirected_negative_edge_of_networkx():
    nx = pytest.importorskip("networkx")
    graph = nx.Graph()
    graph.add_weighted_edges_from([("a", "b", 5), ("c", "b", -2), ("c", "d", 7)])
    with pytest.raises(nx.NetworkXUnbounded, match="Negative cycle detected: the edge between '[bc]' and '[bc]' is negative"):
        nx.floyd_warshall(graph, backend="blockfw")
    with pytest.raises(blockfw.NegativeCycleError, match="the edge between 1 and 2 is negative"):
        blockfw.all_pairs(graph)
    arcs = nx.DiGraph()
    arcs.add_weighted_edges_from([("a", "b", 5), ("b", "a", -6)])
    with pytest.raises(nx.NetworkXUnbounded, match="^Negative cycle detected.$"):
        nx.floyd_warshall(arcs, backend="blockfw")
