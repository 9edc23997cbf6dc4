# SPDX-License-Identifier: MIT
"""The backend against NetworkX itself, on random graphs of every class."""
import copy
import itertools
import pickle

import blockfw
import networkx as nx
import numpy as np
import pytest
from blockfw import _networkx
from blockfw._networkx import CALLS, FUNCTIONS, VERSION, backend

pytestmark = pytest.mark.filterwarnings("ignore:.*cache")
INF = float("inf")
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
    (before, ours), (theirs_before, theirs) = both(nx.floyd_warshall_predecessor_and_distance, G)
    assert ours == theirs
    assert {u: set(x) for u, x in before.items()} == {u: set(x) for u, x in theirs_before.items()}
    for u in before:
        for v in before[u].keys() - {u}:
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
    with pytest.raises(RuntimeError):  # (NotImplementedError is one)
        nx.all_pairs_dijkstra_path_length(G, backend="blockfw")
    G.add_edge(2, 0, weight=-3)
    for function in nx.johnson, nx.all_pairs_bellman_ford_path_length, nx.floyd_warshall:
        with pytest.raises(nx.NetworkXUnbounded):
            dict(function(G, backend="blockfw"))


@pytest.mark.parametrize("weight", [2**70, 2**62, 2**62 - 1, -2**62, -2**63, "a", float("nan"), -float("inf"), None, 1j])
def test_weights_that_are_left_to_networkx(weight):
    G = nx.Graph([(0, 1, {"weight": weight})])
    with pytest.raises(RuntimeError):
        nx.floyd_warshall(G, backend="blockfw")
    assert isinstance(backend.can_run("floyd_warshall", (G,), {}), str)


def test_numbers_of_numpy():
    G = nx.Graph([(0, 1, {"weight": np.int16(3)}), (1, 2, {"weight": np.float32(0.5)}), (2, 3, {"weight": True})])
    assert nx.floyd_warshall(G, backend="blockfw") == nx.floyd_warshall(G)


def test_info():
    info = nx.utils.backends.backend_info["blockfw"]
    assert set(info["functions"]) == {f.__name__ for f in FUNCTIONS}
    assert blockfw.__version__


def outcome(call):
    """What a call returns, without the order of vertices, or the class of its error."""
    try:
        result = call()
        return dict(result) if hasattr(result, "__next__") else result
    except Exception as error:
        return type(error)


def same(name, G, ours, theirs, weight):
    """Whether two outcomes are the same answer. (Of several shortest paths either may be given.)"""
    if isinstance(ours, type) or isinstance(theirs, type):
        return ours is theirs
    if name == "floyd_warshall_numpy":
        return np.allclose(ours, theirs)
    if name == "transitive_closure":
        return nx.utils.graphs_equal(ours, theirs)
    if name == "floyd_warshall_predecessor_and_distance":
        return ours[1] == theirs[1] and {u: set(x) for u, x in ours[0].items()} == {u: set(x) for u, x in theirs[0].items()}
    if name == "johnson":
        return {u: set(x) for u, x in ours.items()} == {u: set(x) for u, x in theirs.items()}
    return ours == theirs if name != "closeness_centrality" else ours == pytest.approx(theirs)


def by_ends(u, v, data):
    """A function that depends on the direction."""
    return 2 * u + v + 1


def hides(u, v, data):
    return None if (u + v) % 3 == 0 else 1 + u


ODD_WEIGHTS = [[3], [1, 2.5], [INF, 2], [-INF], [float("nan")], [-1, 5], [2**61, 2**61], [2**70], ["a"], [None, 1], [True, 2],
               [np.int16(3), np.float32(0.5)], [0], [2**53 + 1, 0.5]]


def odd_graphs():
    for cls, weights in itertools.product(CLASSES, ODD_WEIGHTS):
        for edges in [(0, 1), (1, 2), (2, 0), (2, 3), (3, 3), (0, 1)], [(0, 1), (2, 3), (1, 0)], []:
            G = cls()
            G.add_nodes_from(range(4))
            for (u, v), weight in zip(edges, itertools.cycle(weights)):
                G.add_edge(u, v, weight=weight)
            yield G
    for cls in CLASSES:
        yield cls()
        yield cls([("only", "only")])


@pytest.mark.parametrize("name", CALLS)
def test_can_run_is_exact(name):
    """A call that is not refused has NetworkX's outcome, one that is raises."""
    counts = {True: 0, False: 0}
    keyword = CALLS[name].weight
    for G in odd_graphs():
        for weight in ("weight", "absent", None, by_ends, hides) if keyword else (None,):
            if callable(weight) and "only" in G:
                continue
            arguments = {keyword: weight} if keyword else {}
            answer = backend.can_run(name, (G,), arguments)
            assert answer is True or isinstance(answer, str)
            call = getattr(nx, name)
            ours = outcome(lambda: call(G, backend="blockfw", **arguments))
            if answer is not True:
                assert ours in (NotImplementedError, RuntimeError), (G, G.edges(data=True), weight, answer, ours)
            elif ours is NotImplementedError:  # (what a function returns, and the range of sums, show in the call)
                assert callable(weight) or any(abs(d) > 2**50 for _, _, d in G.edges(data="weight"))
            elif ours is nx.NetworkXUnbounded and name.startswith("floyd") and VERSION < (3, 7):
                continue
            else:
                theirs = outcome(lambda: call(G, **arguments))
                assert same(name, G, ours, theirs, weight), (G, G.edges(data=True), weight, ours, theirs)
            counts[answer is True] += 1
    assert counts[True] > 20 and (not keyword or counts[False] > 20)


@pytest.mark.parametrize("name,arguments,reason", [
    ("floyd_warshall", {"weight": by_ends}, "function"),
    ("all_pairs_dijkstra_path_length", {}, "negative"),
    ("eccentricity", {"weight": "weight"}, "negative"),
    ("johnson", {"weight": "far"}, "infinite"),
    ("johnson", {"weight": "words"}, "not an int or a float"),
    ("all_pairs_shortest_path", {}, "no function"),
])
def test_reasons(name, arguments, reason):
    G = nx.DiGraph([(0, 1, {"weight": -1, "far": INF, "words": "one"})])
    assert reason in backend.can_run(name, (G,), arguments)


@pytest.mark.parametrize("cls", CLASSES)
@pytest.mark.parametrize("cutoff", [-1, 0, 1, 2.5, 3, INF, float("nan")])
def test_cutoffs(rng, cls, cutoff):
    G = random_graph(rng, cls, n=20, p=0.08)
    for function in nx.all_pairs_dijkstra_path_length, nx.all_pairs_shortest_path_length:
        ours, theirs = (dict(x) for x in both(function, G, cutoff=cutoff))
        assert ours == theirs


def test_functions_see_edges_as_in_networkx():
    G = nx.MultiDiGraph([(0, 1, "a", {"x": 4}), (0, 1, "b", {"x": 2}), (1, 2, "a", {"x": 1}), (2, 0, "a", {"x": 9})])

    def least(u, v, keys):
        return min(data["x"] for data in keys.values()) + 10 * u + 100 * v

    for function, keyword in (nx.closeness_centrality, "distance"), (nx.eccentricity, "weight"):
        ours, theirs = both(function, G, **{keyword: least})
        assert ours == theirs
    ours, theirs = (dict(x) for x in both(nx.all_pairs_bellman_ford_path_length, G, weight=least))
    assert ours == theirs
    closure, theirs = both(nx.transitive_closure, G)
    assert sorted(closure.edges(keys=True, data="x"), key=str) == sorted(theirs.edges(keys=True, data="x"), key=str)


def test_no_memory_for_all_pairs(monkeypatch):
    def none(*_):
        raise MemoryError("no memory")

    monkeypatch.setattr(_networkx, "all_pairs", none)
    with pytest.raises(NotImplementedError):
        backend.closeness_centrality(nx.path_graph(5))


def test_should_run(rng):
    def says(name, G, **arguments):
        return backend.should_run(name, (G,), arguments)

    full = random_graph(rng, nx.Graph, n=200, p=0.2)
    assert all(says(name, full) is True for name in CALLS)
    assert all("nodes" in says(name, nx.path_graph(3)) for name in CALLS)
    assert "one source" in says("eccentricity", full, v="v1")
    assert says("eccentricity", full, v=["v1", "v2"]) is True
    assert "one source" in says("closeness_centrality", full, u="v1")
    assert "there already" in says("diameter", full, e={})
    assert "connected" in says("radius", nx.empty_graph(200))
    assert "edges" in says("closeness_centrality", nx.empty_graph(200))
    assert says("diameter", full, usebounds=True) is True
    assert "usebounds" in says("diameter", nx.path_graph(4000), usebounds=True)
    assert says("floyd_warshall", nx.empty_graph(200)) is True
    assert (says("center", nx.path_graph(200)) is True) == (VERSION < (3, 5))


def cached(G):
    return list(G.__networkx_cache__["backends"]["blockfw"].values())


@pytest.mark.skipif(VERSION < (3, 4), reason="NetworkX keeps converted graphs from 3.4 on")
@pytest.mark.parametrize("cls", CLASSES)
def test_converted_graphs_are_cached(rng, cls, monkeypatch):
    read = []
    edges_of_dicts = _networkx._core.edges_of_dicts

    def counted(*arguments):
        read.append(arguments)
        return edges_of_dicts(*arguments)

    monkeypatch.setattr(_networkx._core, "edges_of_dicts", counted)
    G = random_graph(rng, cls, p=0.3)
    first = nx.floyd_warshall(G, backend="blockfw")
    [kept] = cached(G)
    count = len(read)
    assert nx.floyd_warshall(G, backend="blockfw") == first
    nx.closeness_centrality(G, backend="blockfw")  # (of a graph with weights, without)
    assert cached(G) == [kept] and len(read) == count
    G.add_edge("v1", "v2", weight=0)
    assert not G.__networkx_cache__
    ours, theirs = both(nx.floyd_warshall, G)
    assert ours == theirs and len(read) > count
    for u, v in list(G.edges())[:3]:
        G.remove_edge(u, v)
    G.remove_node("v3")
    ours, theirs = both(nx.floyd_warshall, G)
    assert ours == theirs
    for again in pickle.loads(pickle.dumps(G)), copy.deepcopy(G):
        assert nx.floyd_warshall(again, backend="blockfw") == ours
    nx.set_edge_attributes(G, 7, "other")
    ours, theirs = both(nx.johnson, G, weight="other")
    assert {u: set(x) for u, x in ours.items()} == {u: set(x) for u, x in theirs.items()}


def test_views_are_read_anew():
    G = nx.path_graph(6)
    view = G.subgraph(range(5))
    assert nx.diameter(view, backend="blockfw") == 4
    G.add_edge(0, 4)
    assert nx.diameter(view, backend="blockfw") == 2


def test_converted_graphs_can_be_pickled():
    converted = backend.convert_from_nx(nx.path_graph(3), edge_attrs={"weight": 1})
    for again in pickle.loads(pickle.dumps(converted)), copy.deepcopy(converted):
        assert nx.diameter(again) == 2
