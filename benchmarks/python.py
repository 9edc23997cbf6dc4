#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The Python module beside SciPy and NetworkX, conversions included. Each word names a measurement:

    OMP_NUM_THREADS=2 scripts/sandbox benchmarks/python.py calls [--repeat TIMES] [--only TEXT]
    OMP_NUM_THREADS=2 scripts/sandbox benchmarks/python.py sizes [--searches] [NODES...]
    OMP_NUM_THREADS=2 scripts/sandbox benchmarks/python.py small-graphs [TURNS]
    OMP_NUM_THREADS=2 scripts/sandbox benchmarks/python.py roads GRAPH.gr

`python.py WORD --help` says how it measures. (python_gpu.py has the matrices in a GPU's memory.)
"""
import argparse
import random
import subprocess
import sys
import time
import timeit

import blockfw
import networkx as nx
import numpy as np
import scipy
from scipy.sparse import coo_array, csgraph, csr_array
from scipy.sparse.csgraph import dijkstra


# calls: the module's calls beside SciPy's and NetworkX's.

def seconds(call):
    began = time.perf_counter()
    result = call()
    return time.perf_counter() - began, result


def dense(n, dtype, shortest=1, longest=100):
    weights = np.random.default_rng(n).uniform(shortest, longest, (n, n))
    return weights.astype(dtype)


def network(n, degree, floats=False):
    rng = np.random.default_rng(n)
    G = nx.DiGraph()
    G.add_nodes_from(range(n))
    ends = rng.integers(0, n, (n * degree, 2))
    lengths = rng.uniform(1, 100, n * degree) if floats else rng.integers(1, 100, n * degree)
    G.add_weighted_edges_from((u, v, w) for (u, v), w in zip(ends.tolist(), lengths.tolist()))
    return G


def same(ours, theirs):
    if isinstance(ours, tuple):  # (predecessors may differ where paths are equally long)
        ours, theirs = ours[0], theirs[0]
    if isinstance(ours, dict):
        return ours == theirs
    ours = np.where(ours >= blockfw.infinity(ours.dtype), np.inf, ours)
    return np.allclose(ours, theirs)


def call_cases():
    """name, wanted ratio, our call, the peer's"""
    a, i = dense(2000, float), dense(2000, np.int32)
    yield "floyd_warshall, float64, n = 2000", 25, lambda: blockfw.floyd_warshall(a), lambda: csgraph.floyd_warshall(a)
    yield ("floyd_warshall, int32 (dtype=), n = 2000", 50, lambda: blockfw.floyd_warshall(i, dtype=np.int32),
           lambda: csgraph.floyd_warshall(i))
    long = dense(2000, np.int32, 250_000, 500_000)
    yield ("floyd_warshall, int32, lengths from 250,000 to 500,000, n = 2000", 50,
           lambda: blockfw.floyd_warshall(long, dtype=np.int32), lambda: csgraph.floyd_warshall(long))
    yield ("floyd_warshall, float64, return_predecessors, n = 2000", 15,
           lambda: blockfw.floyd_warshall(a, return_predecessors=True),
           lambda: csgraph.floyd_warshall(a, return_predecessors=True))
    yield ("floyd_warshall, int32, return_predecessors, n = 2000", None,
           lambda: blockfw.floyd_warshall(i, return_predecessors=True, dtype=np.int32),
           lambda: csgraph.floyd_warshall(i, return_predecessors=True))
    G, H = network(2000, 20), network(500, 20)
    F = network(2000, 20, floats=True)
    yield ("nx.floyd_warshall_numpy, n = 2000, 40,000 edges of ints", 50,
           lambda: nx.floyd_warshall_numpy(G, backend="blockfw"), lambda: nx.floyd_warshall_numpy(G))
    yield ("nx.floyd_warshall_numpy, n = 2000, 40,000 edges of floats", 50,
           lambda: nx.floyd_warshall_numpy(F, backend="blockfw"), lambda: nx.floyd_warshall_numpy(F))
    yield ("nx.floyd_warshall, n = 500, 10,000 edges", 10, lambda: nx.floyd_warshall(H, backend="blockfw"),
           lambda: nx.floyd_warshall(H))
    yield ("nx.all_pairs_dijkstra_path_length, n = 500, 10,000 edges", None,
           lambda: dict(nx.all_pairs_dijkstra_path_length(H, backend="blockfw")),
           lambda: dict(nx.all_pairs_dijkstra_path_length(H)))


def import_seconds(module):
    code = f"import time; t = time.perf_counter(); import {module}; print(time.perf_counter() - t)"
    return min(float(subprocess.check_output([sys.executable, "-c", code])) for _ in range(5))


def calls(wanted):
    """Each call beside its peer

    Each call runs TIMES times (3) in turns with the peer's, which runs once if it takes more than 20 seconds; the best of
    each is taken. Both results are compared. The numbers are random: lengths from 1 to 100, every pair has an edge.
    (Distances of int32 are solved in 8 bits then, as they fit; those of the longer edges in 32.)
    """
    print(f"blockfw {blockfw.__version__} ({blockfw.backend()}, {blockfw.threads()} threads), "
          f"NumPy {np.__version__}, SciPy {scipy.__version__}, NetworkX {nx.__version__}\n")
    print("| call | blockfw, s | peer, s | ratio | wanted |\n|---|---:|---:|---:|---:|")
    for name, ratio, ours, theirs in call_cases():
        if wanted.only not in name:
            continue
        seconds(ours)
        peers, own = [], []
        for turn in range(wanted.repeat):
            if turn == 0 or min(peers) < 20:
                taken, expected = seconds(theirs)
                peers.append(taken)
            for _ in range(3):
                taken, found = seconds(ours)
                own.append(taken)
        assert same(found, expected), name
        print(f"| {name} | {min(own):.4f} | {min(peers):.3f} | {min(peers) / min(own):.0f} | {ratio or ''} |", flush=True)
    if wanted.only in "dicts":
        H = network(500, 20)
        d = nx.floyd_warshall_numpy(H, backend="blockfw")
        taken = min(seconds(lambda: {v: dict(zip(H, row.tolist())) for v, row in zip(H, d)})[0] for _ in range(9))
        print(f"\nThe 500 dicts of nx.floyd_warshall alone take {taken:.4f} s.")
    if wanted.only in "import":
        numpy, own = import_seconds("numpy"), import_seconds("blockfw")
        print(f"\nimport numpy: {numpy:.3f} s; import blockfw: {own:.3f} s, {own - numpy:.3f} s more (wanted: less than 0.15).")


# sizes: from how many nodes on the backend for NetworkX takes less time than NetworkX.

CALLS = [("floyd_warshall", {}), ("floyd_warshall_numpy", {}), ("floyd_warshall_predecessor_and_distance", {}),
         ("all_pairs_dijkstra_path_length", {}), ("all_pairs_bellman_ford_path_length", {}),
         ("all_pairs_shortest_path_length", {}), ("johnson", {}),
         ("eccentricity", {}), ("eccentricity", {"weight": "weight"}), ("center", {"weight": "weight"}),
         ("diameter", {}), ("closeness_centrality", {}), ("closeness_centrality", {"distance": "weight"}),
         ("transitive_closure", {})]
SEARCHES = [("diameter", {"usebounds": True}), ("eccentricity", {"v": 0}), ("eccentricity", {"v": 0, "weight": "weight"}),
            ("closeness_centrality", {"u": 0}), ("closeness_centrality", {"u": 0, "distance": "weight"})]


def graph(kind, n):
    rng = random.Random(n)
    if kind == "tree":
        G = nx.Graph([(v, rng.randrange(v)) for v in range(1, n)])
    elif kind == "sparse":
        G = nx.Graph([(v, rng.randrange(v)) for v in range(1, n)])
        G.add_edges_from((rng.randrange(n), rng.randrange(n)) for _ in range(2 * n))
    elif kind == "grid":
        side = round(n**0.5)
        G = nx.convert_node_labels_to_integers(nx.grid_2d_graph(side, side))
    else:
        G = nx.complete_graph(n)
    for _, _, data in G.edges(data=True):
        data["weight"] = rng.randint(1, 100)
    return G


def least(call):
    times, start = [], time.perf_counter()
    while not times or (time.perf_counter() - start < 0.1 and len(times) < 200):
        before = time.perf_counter()
        call()
        times.append(time.perf_counter() - before)
    return min(times)


def whole(result):
    return dict(result) if hasattr(result, "__next__") else result


def sizes(wanted):
    """From how many nodes on the backend for NetworkX takes less time than NetworkX

    Prints, for each call and graph, NetworkX's microseconds / the backend's for each number of nodes, conversion included.
    Graphs: a tree of random edges, "sparse" (3 edges a node), a square grid, and a complete graph. Weights are integers from
    1 to 100.
    """
    print(f"NetworkX {nx.__version__}, {blockfw.threads()} threads")
    for name, arguments in SEARCHES if wanted.searches else CALLS + SEARCHES:
        function = getattr(nx, name)
        for kind in "tree", "sparse", "grid", "full":
            row = []
            for n in wanted.nodes:
                G = graph(kind, n)
                if name == "transitive_closure":
                    G = nx.DiGraph(G)
                def ours():
                    getattr(G, "__networkx_cache__", {}).clear()
                    return whole(function(G, **arguments, backend="blockfw"))
                theirs = least(lambda: whole(function(G, **arguments)))
                row.append(f"{n}: {1e6 * theirs:.0f}/{1e6 * least(ours):.0f}")
            print(f"{name} {arguments} {kind}:  " + "  ".join(row), flush=True)


# small-graphs: blockfw.batched beside a loop of SciPy's calls.

def molecule(rng):
    n = int(rng.integers(10, 41))
    bonds = np.zeros((n, n), np.int32)
    for v in range(1, n):
        u = int(rng.integers(max(0, v - 3), v))
        bonds[u, v] = bonds[v, u] = 1
    for u, v in rng.integers(0, n, (n // 8, 2)):
        bonds[u, v] = bonds[v, u] = int(u != v)
    return bonds


def compare(forms, graphs, starts):
    """Distances are SciPy's; predecessors and the edges of paths are of paths that are as long."""
    expected = [csgraph.floyd_warshall(g) for g in graphs]
    for form, more in forms:
        for d, of in zip(blockfw.batched(form, **more), expected):
            assert (np.where(d == blockfw.infinity(d.dtype), np.inf, d) == of).all()
    form, more = forms[-1]
    d, before, along = blockfw.batched(form, **more, predecessors=True, path_edges=5, padded=True, dtype="int16", no_path=510)
    for g, of in enumerate(expected):
        n, first = len(of), starts[g]
        assert (d[g, :n, :n] == np.where(of < np.inf, of, 510)).all() and (d[g, n:] == 510).all()
        i, j = np.nonzero((of > 0) & (of < np.inf))
        assert (of[i, before[g, i, j]] == of[i, j] - 1).all() and (graphs[g][before[g, i, j], j] == 1).all()
        at = i
        for k in range(5):  # (each edge begins where the last one ended, and the last one leads to j)
            e, on = along[g, i, j, k], of[i, j] > k
            assert ((e >= 0) == on).all() and (form[0][e[on]] - first == at[on]).all()
            at = np.where(on, form[1][e] - first, at)
            assert (at[of[i, j] == k + 1] == j[of[i, j] == k + 1]).all()


def small_graphs(wanted):
    """Many small graphs: blockfw.batched beside a loop of SciPy's calls

    2000 graphs of 10 to 40 vertices, trees with a few rings as molecules are, and 200 dense ones of 100 vertices, as of
    brains. The results are compared. In each of TURNS turns (7) all calls run, ours ten times and SciPy's once. The least of
    each is printed, in ms, with the ratio.
    """
    rng = np.random.default_rng(1)
    graphs = [molecule(rng) for _ in range(2000)]
    none = np.int32(blockfw.infinity("int32"))
    matrices = [np.where((g == 0) & ~np.eye(len(g), dtype=bool), none, g) for g in graphs]
    bools = [g.astype(bool) for g in graphs]
    edges = [tuple(np.array(np.nonzero(g), np.int32)) for g in graphs]
    csr, coo = [csr_array(g) for g in graphs], [coo_array(g) for g in graphs]
    sizes = {"sizes": np.array([len(g) for g in graphs])}
    starts = np.concatenate([[0], sizes["sizes"].cumsum()])
    one = tuple(np.concatenate([e[k] + first for e, first in zip(edges, starts)]) for k in (0, 1))
    brains = rng.random((200, 100, 100)).astype(np.float32) + np.float32(0.1)
    np.einsum("gii->gi", brains)[...] = 0

    compare([(matrices, {}), (bools, {}), (csr, {}), (coo, {}), (edges, sizes), (one, sizes)], graphs, starts)
    np.testing.assert_allclose(blockfw.batched(brains), [csgraph.floyd_warshall(b) for b in brains], rtol=1e-5)

    paths, more = {"predecessors": True}, {"return_predecessors": True}
    tensors = dict(sizes, predecessors=True, path_edges=5, padded=True, dtype="int16", no_path=510)
    batched, dense, loop = blockfw.batched, csgraph.floyd_warshall, csgraph.shortest_path
    rows = [
        ("distances, a list of matrices", lambda: batched(matrices), lambda: [dense(g) for g in graphs]),
        ("a list of matrices of bool", lambda: batched(bools), lambda: [dense(g) for g in graphs]),
        ("a list of edges", lambda: batched(edges, **sizes), lambda: [loop(g) for g in csr]),
        ("edges of all in one list", lambda: batched(one, **sizes), lambda: [loop(g) for g in csr]),
        ("a list of CSR matrices", lambda: batched(csr), lambda: [loop(g) for g in csr]),
        ("a list of COO matrices", lambda: batched(coo), lambda: [loop(g) for g in coo]),
        ("predecessors, a list of matrices", lambda: batched(matrices, **paths), lambda: [dense(g, True, True) for g in graphs]),
        ("predecessors, edges in one list", lambda: batched(one, **sizes, **paths), lambda: [loop(g, **more) for g in csr]),
        ("int16, padded, 5 edges of each path", lambda: batched(one, **tensors), lambda: [loop(g, **more) for g in csr]),
        ("200 graphs of 100 vertices, float32", lambda: batched(brains), lambda: [dense(b) for b in brains]),
    ]
    print(f"blockfw {blockfw.__version__} ({blockfw.threads()} threads), SciPy {scipy.__version__}\n\n"
          "| | blockfw | SciPy | times as fast |\n| --- | ---: | ---: | ---: |")
    least = np.full((len(rows), 2), np.inf)
    for _ in range(wanted.turns):
        for row, (_, *calls) in zip(least, rows):
            row[:] = np.minimum(row, [min(timeit.repeat(call, number=1, repeat=r)) for call, r in zip(calls, (10, 1))])
    for (name, *_), (ours, scipys) in zip(rows, 1000 * least):
        print(f"| {name} | {ours:.1f} | {scipys:.0f} | {scipys / ours:.0f} |")


# roads: questions of road users to a blockfw.Network, beside SciPy's calls and those that OSMnx's users make.

LIMIT, WEIGHT = 6000, {"weight": "travel_time"}


def walked(before, s, t):
    path = [t]
    while path[-1] != s:
        path.append(before[path[-1]])
    return path[::-1]


def road_cases(graph):
    """name, our call, SciPy's, NetworkX's, a function that makes the same of each result"""
    n, w, ends = graph.n, graph.weights, np.stack([graph.from_, graph.to])
    net, A, G = blockfw.Network(graph), csr_array((w.astype(float), ends), (n, n)), nx.MultiDiGraph()
    G.add_weighted_edges_from(zip(*ends.tolist(), w.tolist()), **WEIGHT)
    part = csgraph.connected_components(A, connection="strong")[1]
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


def roads(wanted):
    """Questions of road users to a blockfw.Network, beside SciPy's calls and those of NetworkX that OSMnx's users make

    The answers are compared. Then the calls of a row run in five turns: ours 50 times, SciPy's 10 times, NetworkX's once.
    The least of each is taken, in ms. Vertices are random ones of the largest part in which each reaches each. NetworkX's
    graph is a MultiDiGraph, as OSMnx makes it. (Of parallel edges SciPy adds the weights: GRAPH has none.)
    """
    print(f"blockfw {blockfw.__version__} ({blockfw.threads()} threads), SciPy {scipy.__version__}, NetworkX {nx.__version__}\n\n"
          "| | blockfw | SciPy | NetworkX | times as fast |\n| --- | ---: | ---: | ---: | ---: |")
    for name, *calls, answer in road_cases(blockfw.read_graph(wanted.graph)):
        own, *others = (answer(call()) for call in calls)
        assert all(np.array_equal(own, other) for other in others), name
        turns = [[min(timeit.repeat(call, number=1, repeat=r)) for call, r in zip(calls, (50, 10, 1))] for _ in range(5)]
        a, b, c = (1000 * min(taken) for taken in zip(*turns))
        print(f"| {name} | {a:.2f} | {b:.1f} | {c:.0f} | {b / a:.1f}; {c / a:.0f} |", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    words = parser.add_subparsers(metavar="WORD", required=True)

    def add(measurement):
        title, text = measurement.__doc__.split("\n", 1)
        word = words.add_parser(measurement.__name__.replace("_", "-"), help=title, description=f"{title}.\n{text}",
                                formatter_class=argparse.RawDescriptionHelpFormatter)
        word.set_defaults(measurement=measurement)
        return word

    word = add(calls)
    word.add_argument("--repeat", type=int, default=3, metavar="TIMES")
    word.add_argument("--only", default="", metavar="TEXT", help="calls whose name has it; or dicts, or import")
    word = add(sizes)
    word.add_argument("nodes", nargs="*", type=int, default=[5, 8, 12, 16, 24, 32, 48, 64, 100])
    word.add_argument("--searches", action="store_true", help="only the calls of which NetworkX makes few searches")
    add(small_graphs).add_argument("turns", nargs="?", type=int, default=7)
    add(roads).add_argument("graph")
    wanted = parser.parse_args()
    wanted.measurement(wanted)


if __name__ == "__main__":
    main()
