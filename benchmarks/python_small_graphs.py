#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Many small graphs: blockfw.batched beside a loop of SciPy's calls.

    OMP_NUM_THREADS=2 scripts/sandbox benchmarks/python_small_graphs.py [TURNS]

2000 graphs of 10 to 40 vertices, trees with a few rings as molecules are, and 200 dense ones of 100 vertices, as of
brains. The results are compared. In each of TURNS turns (7) all calls run, ours ten times and SciPy's once. The least of each
is printed, in ms, with the ratio.
"""
import sys
import timeit

import blockfw
import numpy as np
import scipy
from scipy.sparse import coo_array, csr_array
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


def compare(forms, graphs, starts):
    """Distances are SciPy's; predecessors and the edges of paths are of paths that are as long."""
    expected = [floyd_warshall(g) for g in graphs]
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


def main(count):
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
    np.testing.assert_allclose(blockfw.batched(brains), [floyd_warshall(b) for b in brains], rtol=1e-5)

    paths, more = {"predecessors": True}, {"return_predecessors": True}
    tensors = dict(sizes, predecessors=True, path_edges=5, padded=True, dtype="int16", no_path=510)
    batched, dense, loop = blockfw.batched, floyd_warshall, shortest_path
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
    for _ in range(count):
        for row, (_, *calls) in zip(least, rows):
            row[:] = np.minimum(row, [min(timeit.repeat(call, number=1, repeat=r)) for call, r in zip(calls, (10, 1))])
    for (name, *_), (ours, scipys) in zip(rows, 1000 * least):
        print(f"| {name} | {ours:.1f} | {scipys:.0f} | {scipys / ours:.0f} |")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 7)
