#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Questions of road users to a blockfw.Network, beside SciPy's calls and those of NetworkX that OSMnx's users make:

    OMP_NUM_THREADS=2 scripts/sandbox benchmarks/python_roads.py GRAPH.gr

The answers are compared. Then the calls of a row run in five turns: ours 50 times, SciPy's 10 times, NetworkX's once. The
least of each is taken, in ms. Vertices are random ones of the largest part in which each reaches each. NetworkX's graph is
a MultiDiGraph, as OSMnx makes it. (Of parallel edges SciPy adds the weights: GRAPH has none.)
"""
import sys
import timeit

import blockfw
import networkx as nx
import numpy as np
import scipy
from scipy.sparse import csr_array
from scipy.sparse.csgraph import connected_components, dijkstra

LIMIT, WEIGHT = 6000, {"weight": "travel_time"}


def walked(before, s, t):
    path = [t]
    while path[-1] != s:
        path.append(before[path[-1]])
    return path[::-1]


def cases(graph):
    """name, our call, SciPy's, NetworkX's, a function that makes the same of each result"""
    n, w, ends = graph.n, graph.weights, np.stack([graph.from_, graph.to])
    net, A, G = blockfw.Network(graph), csr_array((w.astype(float), ends), (n, n)), nx.MultiDiGraph()
    G.add_weighted_edges_from(zip(*ends.tolist(), w.tolist()), **WEIGHT)
    part = connected_components(A, connection="strong")[1]
    S, T = np.random.default_rng(1).choice(np.flatnonzero(part == np.bincount(part).argmax()), (2, 100), replace=False)
    s, t, P, row = int(S[0]), int(T[0]), S[:7].tolist(), nx.single_source_dijkstra_path_length
    path, other = net.path(s, t).tolist(), net.path(*S[1:3]).tolist()
    closed, first = ([*zip(p, p[1:])][len(p) // 2] for p in (path, other))
    changed = net.update(*zip(first), [np.inf])  # (the first change takes longer)
    B, H = A.copy(), G.copy()
    for u, v in first, closed:
        B[u, v] = np.inf
        H.remove_edges_from([(u, v)] * H.number_of_edges(u, v))

    def row_of(d):
        return [d.get(v, np.inf) for v in range(n)] if isinstance(d, dict) else np.where(d >= blockfw.infinity(net.dtype), np.inf, d)

    yield ("table 100 x 100", lambda: net.table(S, T), lambda: dijkstra(A, indices=S)[:, T],
           lambda: [[d[t] for t in T] for d in (row(G, s, **WEIGHT) for s in S)], np.asarray)
    yield ("100 rows", lambda: net.rows(S), lambda: dijkstra(A, indices=S), lambda: [row(G, s, **WEIGHT) for s in S],
           lambda found: [row_of(d) for d in found])
    yield ("isochrone", lambda: net.within([s], LIMIT), lambda: dijkstra(A, indices=s, limit=LIMIT),
           lambda: nx.ego_graph(G, s, radius=LIMIT, distance="travel_time"),
           lambda found: np.isfinite(found).sum() if isinstance(found, np.ndarray) else getattr(found, "nnz", 0) or len(found))
    yield ("nearest of 7", lambda: net.nearest(P)[::-1], lambda: dijkstra(A.T, indices=P, min_only=True, return_predecessors=True),
           lambda: nx.multi_source_dijkstra(G.reverse(copy=False), P, **WEIGHT), lambda found: np.ravel(row_of(found[0])))
    yield ("path", lambda: net.path(s, t), lambda: walked(dijkstra(A, indices=s, return_predecessors=True)[1], s, t),
           lambda: nx.shortest_path(G, s, t, **WEIGHT), lambda found: sum(A[u, v] for u, v in zip(found, found[1:])))
    yield ("a road closed, a row", lambda: changed.update(*zip(closed), [np.inf]).rows([s])[0], lambda: dijkstra(B, indices=s),
           lambda: row(H, s, **WEIGHT), row_of)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    print(f"blockfw {blockfw.__version__} ({blockfw.threads()} threads), SciPy {scipy.__version__}, NetworkX {nx.__version__}\n\n"
          "| | blockfw | SciPy | NetworkX | times as fast |\n| --- | ---: | ---: | ---: | ---: |")
    for name, *calls, answer in cases(blockfw.read_graph(sys.argv[1])):
        own, *others = (answer(call()) for call in calls)
        assert all(np.array_equal(own, other) for other in others), name
        turns = [[min(timeit.repeat(call, number=1, repeat=r)) for call, r in zip(calls, (50, 10, 1))] for _ in range(5)]
        a, b, c = (1000 * min(taken) for taken in zip(*turns))
        print(f"| {name} | {a:.2f} | {b:.1f} | {c:.0f} | {b / a:.1f}; {c / a:.0f} |", flush=True)
