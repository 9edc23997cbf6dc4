# SPDX-License-Identifier: MIT
"""The backend against NetworkX itself, on random graphs of every class."""
import blockfw
import networkx as nx
import numpy as np
import pytest
from blockfw._networkx import backend

CLASSES = nx.Graph, nx.DiGraph, nx.MultiGraph, nx.MultiDiGraph


def random_graph(rng, cls, n=40, p=0.1, low=1, floats=False):
    G = cls()
    G.add_nodes_from(f"v{v}" for v in rng.permutation(n))
    for u, v in np.argwhere(rng.random((n, n)) < p):
        weight = int(rng.integers(low, 40))
        G.add_edge(f"v{u}", f"v{v}", weight=weight / 8 if floats else weight)
        if rng.random() < 0.2:
            G.add_edge(f"v{u}", f"v{v}")
    return G


def both(function, G, *args, **kwargs):
    ours, theirs = (function(G, *args, backend=b, **kwargs) for b in ("blockfw", None))
    return ours, theirs


def types_of(result):
    return {type(x) for x in result.values()}


@pytest.mark.parametrize("cls", CLASSES)
@pytest.mark.parametrize("floats", [True, False])
@pytest.mark.parametrize("p", [0.02, 0.2])
def test_all_pairs(rng, cls, floats, p):
    G = random_graph(rng, cls, p=p, floats=floats)
    ours, theirs = both(nx.floyd_warshall, G)
    assert ours == theirs
    if not floats:
        assert types_of(ours["v0"]) <= {int, float} and all(type(x) is int for x in ours["v0"].values() if x != np.inf)
    ours, theirs = both(nx.floyd_warshall_numpy, G)
    assert ours.dtype == theirs.dtype
    np.testing.assert_array_equal(ours, theirs)
    order = sorted(G)
    np.testing.assert_array_equal(*both(nx.floyd_warshall_numpy, G, nodelist=order))
    (before, ours), (_, theirs) = both(nx.floyd_warshall_predecessor_and_distance, G)
    assert ours == theirs
    for u in before:
        for v in before[u]:
            path = nx.reconstruct_path(u, v, before)
            assert path[0] == u and nx.path_weight(G if not G.is_multigraph() else simple(G), path, "weight") == ours[u][v]
    for function in nx.all_pairs_dijkstra_path_length, nx.all_pairs_bellman_ford_path_length:
        ours, theirs = (dict(x) for x in both(function, G))
        assert ours == theirs
    for function in nx.all_pairs_dijkstra_path_length, nx.all_pairs_shortest_path_length:
        ours, theirs = (dict(x) for x in both(function, G, cutoff=3))
        assert ours == theirs
    ours, theirs = (dict(x) for x in both(nx.all_pairs_shortest_path_length, G))
    assert ours == theirs
    ours, theirs = both(nx.johnson, G)
    assert {u: set(x) for u, x in ours.items()} == {u: set(x) for u, x in theirs.items()}
    for u in ours:
        for v in ours[u]:
            H = simple(G) if G.is_multigraph() else G
            assert nx.path_weight(H, ours[u][v], "weight") == nx.path_weight(H, theirs[u][v], "weight")


def simple(G):
    """The graph with the lightest of parallel edges."""
    H = nx.DiGraph() if G.is_directed() else nx.Graph()
    H.add_nodes_from(G)
    for u, v, data in G.edges(data=True):
        weight = data.get("weight", 1)
        if not H.has_edge(u, v) or weight < H[u][v]["weight"]:
            H.add_edge(u, v, weight=weight)
    for u, v, data in G.edges(data=True):
        data.setdefault("weight", 1)
    return H


@pytest.mark.parametrize("cls", CLASSES)
def test_measures(rng, cls):
    G = random_graph(rng, cls, p=0.2)
    for weight in None, "weight", lambda u, v, data: 3:
        for function in nx.eccentricity, nx.diameter, nx.radius, nx.center, nx.periphery:
            ours, theirs = both(function, G, weight=weight)
            assert ours == theirs
        ours, theirs = both(nx.closeness_centrality, G, distance=weight)
        assert ours == pytest.approx(theirs)
        for improved in True, False:
            ours, theirs = both(nx.closeness_centrality, G, u="v3", distance=weight, wf_improved=improved)
            assert ours == pytest.approx(theirs)
    assert nx.eccentricity(G, v=["v1", "v2"], backend="blockfw") == nx.eccentricity(G, v=["v1", "v2"])
    assert nx.eccentricity(G, v="v1", backend="blockfw") == nx.eccentricity(G, v="v1")
    sp = dict(nx.all_pairs_shortest_path_length(G))
    assert nx.eccentricity(G, sp=sp, backend="blockfw") == nx.eccentricity(G, sp=sp)
    alone = cls([(0, 1)])
    alone.add_node(2)
    for function in nx.eccentricity, nx.diameter, nx.radius, nx.center, nx.periphery:
        with pytest.raises(nx.NetworkXError, match="infinite path length"):
            function(alone, backend="blockfw")


@pytest.mark.parametrize("cls", CLASSES)
def test_closeness_by_distances(rng, cls):
    """The keyword sp of NetworkX 3.7, which earlier ones do not hand over."""
    G = random_graph(rng, cls, p=0.04)
    sp = dict(nx.all_pairs_shortest_path_length(G))
    for improved in True, False:
        expected = nx.closeness_centrality(G, wf_improved=improved)
        assert backend.closeness_centrality(G, wf_improved=improved, sp=sp) == expected
        assert backend.closeness_centrality(G, u="v3", wf_improved=improved, sp=sp) == expected["v3"]


@pytest.mark.parametrize("function", ["eccentricity", "diameter", "radius", "center", "periphery", "closeness_centrality"])
def test_graphs_without_nodes(function):
    """From NetworkX 3.7 on some of this is a NetworkXPointlessConcept."""
    def outcome(**how):
        try:
            return getattr(nx, function)(nx.Graph(), **how)
        except Exception as error:
            return type(error), str(error)

    assert outcome(backend="blockfw") == outcome()


@pytest.mark.parametrize("cls", CLASSES)
@pytest.mark.parametrize("reflexive", [None, True, False])
def test_transitive_closure(rng, cls, reflexive):
    G = random_graph(rng, cls, p=0.02)
    ours, theirs = both(nx.transitive_closure, G, reflexive)
    assert type(ours) is type(theirs)
    assert nx.utils.graphs_equal(ours, theirs)


@pytest.mark.parametrize("cls", CLASSES)
def test_views_and_functions(rng, cls):
    G = random_graph(rng, cls)
    view = G.subgraph([f"v{i}" for i in range(0, 40, 2)])
    ours, theirs = both(nx.floyd_warshall, view)
    assert ours == theirs

    def weight(u, v, data):
        return None if u < v else len(u) + len(v)

    ours, theirs = (dict(x) for x in both(nx.all_pairs_dijkstra_path_length, G, weight=weight))
    assert ours == theirs
    assert nx.floyd_warshall(cls(), backend="blockfw") == {}


def test_negative_weights_and_cycles():
    G = nx.DiGraph()
    G.add_weighted_edges_from([(0, 1, 5), (1, 2, -3), (0, 2, 4)])
    ours, theirs = both(nx.floyd_warshall, G)
    assert ours == theirs
    assert nx.johnson(G, backend="blockfw") == nx.johnson(G)
    with pytest.raises(NotImplementedError):
        nx.all_pairs_dijkstra_path_length(G, backend="blockfw")
    G.add_edge(2, 0, weight=-3)
    for function in nx.johnson, nx.all_pairs_bellman_ford_path_length, nx.floyd_warshall:
        with pytest.raises(nx.NetworkXUnbounded):
            dict(function(G, backend="blockfw"))


@pytest.mark.parametrize("weight", [2**70, 2**62, 2**62 - 1, -2**62, -2**63, "a", float("nan"), -float("inf"), None, 1j])
def test_weights_that_are_left_to_networkx(weight):
    G = nx.Graph([(0, 1, {"weight": weight})])
    with pytest.raises(NotImplementedError):
        nx.floyd_warshall(G, backend="blockfw")


def test_numbers_of_numpy():
    G = nx.Graph([(0, 1, {"weight": np.int16(3)}), (1, 2, {"weight": np.float32(0.5)}), (2, 3, {"weight": True})])
    assert nx.floyd_warshall(G, backend="blockfw") == nx.floyd_warshall(G)


def test_info():
    info = nx.utils.backends.backend_info["blockfw"]
    from blockfw._networkx import FUNCTIONS

    assert set(info["functions"]) == {f.__name__ for f in FUNCTIONS}
    assert blockfw.__version__
