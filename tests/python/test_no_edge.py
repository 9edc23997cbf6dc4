# SPDX-License-Identifier: MIT
"""The table of docs/weights.md: which weight is no edge, and which is refused, in each call."""
import blockfw
import networkx as nx
import numpy as np
import pytest
import scipy.sparse
import scipy.sparse.csgraph as csgraph

INF, NAN = np.inf, np.nan
N = 20  # (so that distances from one vertex are not those of all pairs)
FROM, TO = np.array([0, 1]), np.array([1, 2])  # the second edge is the one in question


def dense(weight, none=INF):
    matrix = np.full((N, N), float(none))
    matrix[FROM, TO] = 3, weight
    return matrix


def masked(weight):
    matrix = dense(weight, 0)
    return np.ma.masked_array(matrix, matrix == 0 if weight != 0 else np.arange(N * N).reshape(N, N) % (N + 1) != 1)


def listed(weight):
    return FROM, TO, np.array([3, weight], float)


def stored(weight):
    return scipy.sparse.csr_array((np.array([3, weight], float), (FROM, TO)), shape=(N, N))


def reached(d):
    return bool(d[..., 0, 2] < blockfw.infinity(d.dtype))


def added(form, **keywords):
    """The edge in question begins at the new vertex, 2."""
    d = blockfw.all_pairs(([0], [1], [3.0]), n=2, **keywords)
    return reached(blockfw.add_vertex(d, ([0, 1], [2, 2], [INF, form[2][1]])))


def inserted(form, dtype=float):
    d = blockfw.all_pairs(([0], [1], [3.0]), n=3, dtype=dtype)
    blockfw.insert_edge(d, 1, 2, form[2][1])
    return reached(d)


OWN = {
    "all_pairs": lambda form: reached(blockfw.all_pairs(form, n=N)),
    "undirected": lambda form: reached(blockfw.all_pairs(form, n=N, directed=False)),
    "float32": lambda form: reached(blockfw.all_pairs(form, n=N, dtype="float32")),
    "int32": lambda form: reached(blockfw.all_pairs(form, n=N, dtype="int32")),
    "devices": lambda form: reached(blockfw.all_pairs(form, n=N, devices=1)),
    "memory": lambda form: reached(blockfw.all_pairs(form, n=N, memory=1e8)),
    "paths": lambda form: blockfw.Paths(form, n=N).path(0, 2).size == 3,
    "transitive_closure": lambda form: bool(blockfw.transitive_closure(form, n=N)[0, 2]),
}
OF_LISTS = {
    "sparse": lambda form: reached(blockfw.all_pairs(form, n=N, method="sparse")),
    "add_vertex": added,
    "add_vertex int": lambda form: added(form, dtype=int),
    "insert_edge": inserted,
    "insert_edge int": lambda form: inserted(form, int),
}
OF_DENSE = {
    "batched": lambda form: reached(blockfw.batched(form[None])),
    "batched float32": lambda form: reached(blockfw.batched(form[None], dtype="float32")),
    "batched int": lambda form: reached(blockfw.batched(form[None], dtype=int)),
}
CALLS = [pytest.param(form, call, id=f"{name}-{form.__name__}")
         for form in (dense, masked, listed, stored)
         for name, call in {**OWN, **(OF_LISTS if form is listed else {}), **(OF_DENSE if form in (dense, masked) else {}),
                            }.items()]


@pytest.mark.parametrize("form, call", CALLS)
def test_own_calls(form, call):
    assert call(form(4.0))
    assert call(form(0.0))
    assert not call(form(INF))
    for refused in -INF, NAN:
        with pytest.raises(ValueError):
            call(form(refused))


@pytest.mark.parametrize("form, place", [(dense, r"\(1, 2\)"), (masked, r"\(1, 2\)"), (listed, "edge 1"),
                                         (stored, "edge 1")])
@pytest.mark.parametrize("call", ["all_pairs", "Paths", "transitive_closure"])
def test_the_place_of_a_refused_weight(form, place, call):
    for refused in -INF, NAN:
        with pytest.raises(ValueError, match=place):
            getattr(blockfw, call)(form(refused))
        if form is dense:
            with pytest.raises(ValueError, match=place):
                blockfw.batched(form(refused)[None])


SCIPYS = {
    "floyd_warshall": lambda module, form, **how: module.floyd_warshall(form, **how),
    "dijkstra": lambda module, form, **how: module.dijkstra(form, **how),
    "one": lambda module, form, **how: module.dijkstra(form, indices=[0], **how),
    "many": lambda module, form, **how: module.dijkstra(form, indices=np.arange(N), **how),
    "nearest": lambda module, form, **how: module.dijkstra(form, indices=0, min_only=True, **how)[None],
    "bellman_ford": lambda module, form, **how: module.bellman_ford(form, indices=[0], **how),
    "johnson": lambda module, form, **how: module.johnson(form, indices=[0], **how),
    "shortest_path": lambda module, form, **how: module.shortest_path(form, **how),
}


@pytest.mark.parametrize("call", SCIPYS)
@pytest.mark.parametrize("weight", [4.0, INF, -INF, NAN, 0.0])
@pytest.mark.parametrize("unweighted", [False, True])
def test_scipys_calls(call, weight, unweighted):
    """As SciPy documents a dense array."""
    call = SCIPYS[call]
    with np.errstate(invalid="ignore"):
        theirs = call(csgraph, dense(weight, 0), unweighted=unweighted)
    assert (theirs[0, 2] < INF) == (weight == 4)
    np.testing.assert_array_equal(call(blockfw, dense(weight, 0), unweighted=unweighted), theirs)
    assert reached(call(blockfw, masked(4.0), unweighted=unweighted))
    if weight not in (0, 4):
        assert not reached(call(blockfw, masked(weight), unweighted=unweighted))
    assert reached(call(blockfw, stored(0.0), unweighted=unweighted))
    assert not reached(call(blockfw, stored(INF), unweighted=unweighted))
    if weight < 0 or weight != weight:
        with pytest.raises(ValueError, match="edge 1"):
            call(blockfw, stored(weight), unweighted=unweighted)


@pytest.mark.parametrize("semiring, none, other", [("max_plus", -INF, None), ("max_min", -INF, INF),
                                                   ("min_max", INF, -INF), ("max_times", 0, None)])
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_semirings(semiring, none, other, dtype):
    def from_0_to_2(form, **how):
        return blockfw.all_pairs(form, n=N, semiring=semiring, dtype=dtype, **how)[0, 2]

    for form in lambda weight: dense(weight, none), listed, stored:
        assert from_0_to_2(form(0.5)) == {"max_plus": 3.5, "max_min": 0.5, "min_max": 3, "max_times": 1.5}[semiring]
        assert from_0_to_2(form(none)) == none
        for infinite in {INF, -INF} - {none}:
            if infinite == other:
                assert from_0_to_2(form(infinite)) == 3
            else:
                with pytest.raises(ValueError):
                    from_0_to_2(form(infinite))
        with pytest.raises(ValueError):
            from_0_to_2(form(NAN))
    for weight in INF, -INF, NAN:  # SciPy's calls read a dense matrix as ever
        assert blockfw.floyd_warshall(dense(weight, 0), semiring=semiring, dtype=dtype)[0, 2] == none


@pytest.mark.parametrize("dtype", ["int16", "int32", "int64"])
def test_integers_of_a_matrix(dtype):
    """As far as infinity is no edge; of the longest and the widest paths -infinity is."""
    far = blockfw.infinity(dtype)
    for none in far, np.iinfo(dtype).max:
        graph = np.array([[0, 3, none], [none, 0, none], [none, none, 0]], dtype)
        for d in (blockfw.all_pairs(graph), blockfw.batched(graph[None])[0], blockfw.Paths(graph).distances):
            assert d[0, 1] == 3 and d[0, 2] == far
        assert blockfw.all_pairs(graph, dtype=float)[0, 2] == INF
        assert not blockfw.transitive_closure(graph)[0, 2]
        assert blockfw.dijkstra(graph, indices=0, dtype=dtype)[2] == far
        assert blockfw.dijkstra(graph, indices=0, min_only=True, dtype=dtype)[2] == far
    wide = np.array([[0, 3, -far], [-far, 0, far], [-far, -far, 0]], dtype)
    for result in dtype, float:
        if result is float and dtype == "int64":  # which float64 does not hold
            with pytest.raises(ValueError, match=r"4611686018427387903 at \(1, 2\) is not a number of type float64"):
                blockfw.all_pairs(wide, semiring="max_min", dtype=result)
            wide[1, 2] = 2**53
        d = blockfw.all_pairs(wide, semiring="max_min", dtype=result)
        assert d[0, 2] == 3 and d[2, 0] == -blockfw.infinity(result if result == dtype else "float64")


def test_networkx():
    G = nx.DiGraph()
    G.add_weighted_edges_from([(0, 1, 3), (1, 2, INF)])
    assert nx.floyd_warshall(G, backend="blockfw")[0][2] == INF
    assert dict(nx.all_pairs_dijkstra_path_length(G))[0][2] == INF   # NetworkX's own: a path of infinite length
    for call in lambda: dict(nx.all_pairs_dijkstra_path_length(G, backend="blockfw")), lambda: nx.radius(
            G, weight="weight", backend="blockfw"):
        with pytest.raises(RuntimeError):
            call()
    for weight in -INF, NAN:
        G.add_edge(1, 2, weight=weight)
        with pytest.raises(RuntimeError):
            nx.floyd_warshall(G, backend="blockfw")


@pytest.mark.parametrize("dtype", ["int16", "int32", "int64", "float32", "float64"])
def test_measures_of_a_graph_in_parts(dtype):
    d = blockfw.all_pairs(([0, 1], [1, 0], [2, 2]), n=3, dtype=dtype)
    assert blockfw.radius(d) == INF and blockfw.diameter(d) == INF
    assert blockfw.eccentricity(d).tolist() == [blockfw.infinity(dtype)] * 3 and blockfw.centre(d).size == 0
    star = blockfw.all_pairs(([0, 0], [1, 2], [2, 5]), dtype=dtype)  # vertex 0 reaches all
    assert blockfw.radius(star) == 5 and blockfw.radius(star).dtype == dtype and blockfw.diameter(star) == INF
    assert blockfw.centre(star).tolist() == [0]


@pytest.mark.parametrize("call, says", [
    (lambda: blockfw.dijkstra(dense(4.0), limit=NAN), "limit is nan"),
    (lambda: blockfw.dijkstra(dense(4.0), limit=-1), "limit is -1"),
    (lambda: blockfw.dijkstra(dense(4.0), limit=1, semiring="max_min"), "limit= is for shortest distances"),
    (lambda: blockfw.all_pairs(dense(4.0), devices=10**6), "1000000 (groups of threads|devices) are requested"),
    (lambda: blockfw.all_pairs(dense(4.0), devices=2**40), "devices is"),
    (lambda: blockfw.all_pairs(dense(4.0), memory=-1), "memory is -1, expected a number of bytes above 0"),
    (lambda: blockfw.all_pairs(dense(4.0), memory=0), "memory is 0"),
    (lambda: blockfw.all_pairs(dense(4.0), memory=NAN), "memory is nan"),
    (lambda: blockfw.insert_edge(blockfw.all_pairs(([0], [1], [3])), 0, 7, INF), "vertex 7 is out of range"),
    (lambda: blockfw.insert_edge(blockfw.all_pairs(([0], [1], [3])), 0, 1, NAN), "the weight is nan"),
    (lambda: blockfw.add_vertex(blockfw.all_pairs(([0], [1], [3])), ([0], [1], [INF])), "expected one that begins or ends"),
])
def test_refused_arguments(call, says):
    with pytest.raises(ValueError, match=says):
        call()
