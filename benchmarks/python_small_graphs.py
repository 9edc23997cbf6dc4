#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Many small graphs: blockfw.batched beside a loop of SciPy's calls.

    OMP_NUM_THREADS=2 scripts/sandbox benchmarks/python_small_graphs.py

2000 graphs of 10 to 40 vertices, trees with a few rings as molecules are, and 200 dense ones of 100 vertices, as of
brains. The results are compared. Then each call runs seven times; the least is printed, in ms, with the ratio.
"""
import timeit

import blockfw
import numpy as np
from scipy.sparse import csr_array
from scipy.sparse.csgraph import floyd_warshall, shortest_path


def molecule(rng):
    n = int(rng.integers(10, 41))
    bonds = np.zeros((n, n), np.int32)
    for v in range(1, n):
        u = int(rng.integers(max(0, v - 3), v))
        bonds[u, v] = bonds[v, u] = 1
    for u, v in rng.integers(0, n, (n // 8, 2)):
        bonds[u, v] = bonds[v, u] = int(u != v)
    return bonds


def milliseconds(call):
    return 1e3 * min(timeit.repeat(call, number=1, repeat=7))


def main():
    rng = np.random.default_rng(1)
    graphs = [molecule(rng) for _ in range(2000)]
    none = np.int32(blockfw.infinity("int32"))
    matrices = [np.where((g == 0) & ~np.eye(len(g), dtype=bool), none, g) for g in graphs]
    edges = [tuple(np.array(np.nonzero(g), np.int32)) for g in graphs]
    sparse, sizes = [csr_array(g) for g in graphs], np.array([len(g) for g in graphs])
    starts = np.concatenate([[0], sizes.cumsum()])
    one = tuple(np.concatenate([e[k] + first for e, first in zip(edges, starts)]) for k in (0, 1))
    brains = rng.random((200, 100, 100)).astype(np.float32) + np.float32(0.1)
    np.einsum("gii->gi", brains)[...] = 0

    for form, more in (matrices, {}), (edges, {"sizes": sizes}), (sparse, {}), (one, {"sizes": sizes}):
        for g, d in zip(graphs, blockfw.batched(form, **more)):
            expected = floyd_warshall(g)
            assert (np.where(d == blockfw.infinity(d.dtype), np.inf, d) == expected).all()
    np.testing.assert_allclose(blockfw.batched(brains)[:3], [floyd_warshall(b) for b in brains[:3]], rtol=1e-5)

    scipy_dense = milliseconds(lambda: [floyd_warshall(g) for g in graphs])
    scipy_paths = milliseconds(lambda: [shortest_path(g, return_predecessors=True) for g in sparse])
    scipy_brains = milliseconds(lambda: [floyd_warshall(b) for b in brains])
    lines = [
        ("distances, a list of matrices", lambda: blockfw.batched(matrices), scipy_dense),
        ("distances, a list of edges", lambda: blockfw.batched(edges, sizes=sizes), scipy_dense),
        ("distances, edges of all in one list", lambda: blockfw.batched(one, sizes=sizes), scipy_dense),
        ("distances, a list of sparse matrices", lambda: blockfw.batched(sparse), scipy_dense),
        ("with predecessors, a list of matrices", lambda: blockfw.batched(matrices, predecessors=True), scipy_paths),
        ("with predecessors, edges in one list", lambda: blockfw.batched(one, sizes=sizes, predecessors=True), scipy_paths),
        ("the same, int16, padded, 5 edges of each path", lambda: blockfw.batched(
            one, sizes=sizes, predecessors=True, path_edges=5, padded=True, dtype="int16", no_path=510), scipy_paths),
        ("200 graphs of 100 vertices, float32", lambda: blockfw.batched(brains), scipy_brains),
    ]
    print(f"{'':46} {'blockfw':>8} {'SciPy':>8} times as fast")
    for name, call, scipys in lines:
        ours = milliseconds(call)
        print(f"{name:46} {ours:8.2f} {scipys:8.1f} {scipys / ours:8.0f}")


if __name__ == "__main__":
    main()
