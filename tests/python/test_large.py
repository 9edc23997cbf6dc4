# SPDX-License-Identifier: MIT
"""Matrices of more than 2³¹ entries, whose offsets 32 bits cannot count. (A solve of all rounds takes minutes: the dense
one ends after the first, which has all pivots that paths lead through.)"""
import blockfw
import numpy as np
import pytest
from conftest import ON_GPU
from scipy.sparse import csr_array
from scipy.sparse.csgraph import dijkstra

pytestmark = pytest.mark.exhaustive
N, HUBS = 47_003, 100
ROWS = [0, HUBS - 1, N // 2, N - 2, N - 1]


class Enough(Exception):
    pass


@pytest.fixture
def edges(rng):
    needed = 4 * N * N
    with open("/proc/meminfo") as file:
        available = 1024 * next(int(line.split()[1]) for line in file if line.startswith("MemAvailable"))
    if available < needed:
        pytest.skip(f"it needs {needed / 1e9:.1f} GB of memory, {available / 1e9:.1f} GB are available")
    others, hubs = np.arange(HUBS, N), np.arange(HUBS)
    count = len(others)
    from_ = np.concatenate([others, rng.integers(0, HUBS, count), hubs])
    to = np.concatenate([rng.integers(0, HUBS, count), others, (hubs + 1) % HUBS])
    # (The sum of all weights is less than infinity, 16383. Ways between hubs are free: none is shorter by others.)
    counts = np.maximum(from_, to) >= N - 50
    return from_, to, (rng.integers(1, 100, len(from_)) * counts).astype(np.int16)


def check(distances, edges):
    from_, to, weights = edges
    expected = dijkstra(csr_array((weights.astype(float), (from_, to)), shape=(N, N)), indices=ROWS)
    assert (distances[ROWS] == expected).all()


@pytest.mark.skipif(ON_GPU, reason="a GPU's distances lie in its own memory until they are solved")
def test_distances(edges):
    distances = np.empty((N, N), np.int16)

    def stop(done, rounds):
        if done * N // rounds >= HUBS:
            raise Enough

    with pytest.raises(Enough):
        blockfw.all_pairs(edges, n=N, method="dense", out=distances, progress=stop)
    check(distances, edges)
    blockfw.all_pairs(edges, n=N, method="sparse", out=distances)
    check(distances, edges)


def test_paths(edges):
    paths = blockfw.Paths(edges, n=N, dtype=np.int16)
    check(paths.distances, edges)
    length = dict(zip(zip(*edges[:2]), edges[2].astype(int)))
    for from_, to in [(N - 1, N // 2), (N // 2, N - 1), (N - 2, N - 1)]:
        path = paths.path(from_, to).tolist()
        assert path[0] == from_ and path[-1] == to
        assert sum(length[step] for step in zip(path, path[1:])) == paths.distances[from_, to]
        assert paths.tree(from_)[to] == path[-2]
