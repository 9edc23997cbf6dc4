#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The Python module beside SciPy and NetworkX, conversions included:

    OMP_NUM_THREADS=2 scripts/sandbox benchmarks/python.py [--repeat TIMES] [--only WORD]

Each call runs TIMES times (3) in turns with the peer's, which runs once if it takes more than 20 seconds; the best of each
is taken. Both results are compared. The numbers are random: lengths from 1 to 100, every pair has an edge. (Distances of
int32 are solved in 8 bits then, as they fit; those of the longer edges in 32.)
"""
import argparse
import subprocess
import sys
import time

import blockfw
import networkx as nx
import numpy as np
import scipy
from scipy.sparse import csgraph


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


def cases():
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


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--only", default="")
    wanted = parser.parse_args()
    print(f"blockfw {blockfw.__version__} ({blockfw.backend()}, {blockfw.threads()} threads), "
          f"NumPy {np.__version__}, SciPy {scipy.__version__}, NetworkX {nx.__version__}\n")
    print("| call | blockfw, s | peer, s | ratio | wanted |\n|---|---:|---:|---:|---:|")
    for name, ratio, ours, theirs in cases():
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


if __name__ == "__main__":
    main()
