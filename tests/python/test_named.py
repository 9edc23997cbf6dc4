# SPDX-License-Identifier: MIT
"""Networks with the caller's ids, against NetworkX."""
import copy
import pickle
import re

import blockfw
import networkx as nx
import numpy as np
import pytest

CLASSES = nx.Graph, nx.DiGraph, nx.MultiGraph, nx.MultiDiGraph
IDS = {
    "integers": lambda rng, n: (rng.permutation(n) * 7 + 10**10).tolist(),
    "large integers": lambda rng, n: [2**70 + int(x) for x in rng.permutation(n)],
    "strings": lambda rng, n: [f"v{x}" for x in rng.permutation(n)],
    "tuples": lambda rng, n: [(int(x) // 5, int(x) % 5) for x in rng.permutation(n)],
    "mixed": lambda rng, n: [int(x) if x % 2 else (int(x), "even") for x in rng.permutation(n)],
}


def random_graph(rng, cls, ids, weight="weight"):
    """Some edges have parallel ones, some no weight."""
    n = len(ids)
    graph = cls()
    graph.add_nodes_from(ids)
    for u, v in rng.integers(0, n, (3 * n, 2)).tolist():
        graph.add_edge(ids[u], ids[v], **{weight: int(rng.integers(2, 60))})
        if rng.random() < 0.3:
            graph.add_edge(ids[u], ids[v])
    return graph


def lengths_of(graph, weight="weight"):
    """NetworkX's distances, by the positions of the nodes; inf without a path."""
    nodes = list(graph)
    d = np.full((len(nodes),) * 2, np.inf)
    for u, of_u in nx.all_pairs_dijkstra_path_length(graph, weight=weight):
        for v, length in of_u.items():
            d[nodes.index(u), nodes.index(v)] = length
    return d


def in_type(d, dtype=np.int64):
    """Distances of floats as blockfw has them in a type of integers."""
    held = np.where(np.isinf(d), 0, d).astype(dtype)
    held[np.isinf(d)] = blockfw.infinity(dtype)
    return held


@pytest.mark.parametrize("cls", CLASSES)
@pytest.mark.parametrize("kind", IDS)
def test_questions(rng, cls, kind):
    ids = IDS[kind](rng, 40)
    graph = random_graph(rng, cls, ids)
    net = blockfw.Network.from_networkx(graph)
    assert isinstance(net, blockfw.NamedNetwork) and len(net) == net.vertices == 40
    assert net.directed == graph.is_directed() and net.dtype == np.int64
    assert net.ids.tolist() == ids and net.ids.dtype == (np.int64 if kind == "integers" else object)
    assert all(x in net for x in ids) and "nowhere" not in net and [] not in net
    d = lengths_of(graph)
    held = in_type(d)
    some, others = rng.permutation(40)[:12], rng.integers(0, 40, 15)
    sources, targets = [ids[i] for i in some], [ids[j] for j in others]
    assert net.vertices_of(sources).tolist() == some.tolist()
    np.testing.assert_array_equal(net.table(sources, targets), held[np.ix_(some, others)])
    out = np.empty((12, 15), np.int64)
    assert net.table(sources, targets, out=out) is out
    np.testing.assert_array_equal(out, held[np.ix_(some, others)])
    np.testing.assert_array_equal(net.distances(sources, targets[:12]), held[some, others[:12]])
    np.testing.assert_array_equal(net.rows(sources), held[some])
    blocks = list(net.blocks(rows=17))
    assert [x for of_rows, _ in blocks for x in of_rows.tolist()] == ids
    for of_rows, block in blocks:
        np.testing.assert_array_equal(block, held[[ids.index(x) for x in of_rows.tolist()]])

    least = {}
    for u, v, w in graph.edges(data="weight", default=1):
        for pair in ((u, v),) if graph.is_directed() else ((u, v), (v, u)):
            least[pair] = min(w, least.get(pair, w))
    offsets, found = net.paths(sources, targets[:12])
    for p, (u, v) in enumerate(zip(sources, targets)):
        if p == 12:
            break
        path = found[offsets[p]:offsets[p + 1]].tolist()
        assert path == net.path(u, v).tolist()
        if np.isinf(d[some[p], others[p]]):
            assert path == []
        else:
            assert (path[0], path[-1]) == (u, v)
            assert sum(least[pair] for pair in zip(path, path[1:])) == d[some[p], others[p]]

    offsets, edges = net.paths(sources, targets[:12], edges=True)
    names = net.edge_names()
    lengths = net.edges[2]
    loads = np.zeros(len(names), np.int64)
    for p, (u, v) in enumerate(zip(sources, targets[:12])):
        taken = edges[offsets[p]:offsets[p + 1]]
        assert taken.tolist() == net.path_edges(u, v).tolist()
        loads[taken] += 1
        at = u
        for e in taken:  # (an undirected edge has its name in either direction)
            a, b = names[e][:2]
            assert at == a or (at == b and not net.directed)
            at = b if at == a else a
        if np.isfinite(d[some[p], others[p]]):
            assert at == v and lengths[taken].sum() == d[some[p], others[p]]
        else:
            assert taken.size == 0
    found, unserved = net.edge_loads(sources, targets[:12])
    np.testing.assert_array_equal(found, loads)
    assert unserved == np.isinf(d[some, others[:12]]).sum()

    for of in None, targets:
        which, far = net.nearest(sources, 3, of=of)
        rows = d[:, some] if of is None else d[np.ix_(others, some)]
        order = np.argsort(rows, axis=1, kind="stable")[:, :3]
        nearest = np.take_along_axis(rows, order, axis=1)
        np.testing.assert_array_equal(far, in_type(nearest))
        assert which.tolist() == [[None if x == np.inf else sources[k] for k, x in zip(*row)] for row in zip(order, nearest)]
    limits = rng.integers(0, 90, 12)
    offsets, found, far = net.within(sources, limits)
    for p, u in enumerate(some):
        near = np.flatnonzero(d[u] <= limits[p])
        assert found[offsets[p]:offsets[p + 1]].tolist() == [ids[v] for v in near]
        np.testing.assert_array_equal(far[offsets[p]:offsets[p + 1]], d[u, near])
    np.testing.assert_array_equal(net.count_within(sources, [50, 10]), (d[some, :, None] <= [50, 10]).sum(axis=1))
    np.testing.assert_array_equal(net.eccentricity(), d.max(axis=1))
    e = d.max(axis=1)
    assert net.centre().tolist() == ([ids[v] for v in np.flatnonzero(e == e.min())] if e.min() < np.inf else [])
    assert net.radius() == e.min() and net.diameter() == e.max()
    np.testing.assert_array_equal(net.closeness(), net.network.closeness())
    assert net.histogram(10, 3)[0].tolist() == net.network.histogram(10, 3)[0].tolist()
    assert repr(net).startswith("NamedNetwork(vertices=40, edges=")
    assert net.keep_labels() is net and net.has_labels and net.label_bytes > 0


def test_points():
    net = blockfw.NamedNetwork(blockfw.Network(([0, 1, 2], [1, 2, 3], [40, 60, 50]), directed=False), list("abcd"))
    homes, park = net.on_edge([0, 0, 1], at=[10, 30, 15]), blockfw.Points([0, 0], net.vertices_of(["a", "d"]), [5, 15])
    for points in homes, park:
        np.testing.assert_array_equal(net.table(points, points), net.network.table(points, points))
        np.testing.assert_array_equal(net.table(["a", "c"], points), net.network.table([0, 2], points))
        np.testing.assert_array_equal(net.rows(points), net.network.rows(points))
        np.testing.assert_array_equal(net.distances(points, points), net.network.distances(points, points))
        np.testing.assert_array_equal(net.count_within(points, [20, 60]), net.network.count_within(points, [20, 60]))
    offsets, ids, far = net.within(homes, [10, 10, 30])
    assert (offsets.tolist(), ids.tolist(), far.tolist()) == ([0, 1, 2, 3], ["a", "b", "b"], [10, 10, 15])
    which, far = net.nearest(["a", "d"], of=homes)
    assert which[:, 0].tolist() == ["a", "a", "a"] and far[:, 0].tolist() == [10, 30, 55]
    which, far = net.nearest(homes, of=["c"])
    assert which.tolist() == [[2]] and far.tolist() == [[45]]
    assert net.nearest(blockfw.Points([], []), of=["c"])[0].mask.all()
    for call in lambda: net.path(homes, "a"), lambda: net.paths(homes, homes), lambda: net.edge_loads(homes, homes):
        with pytest.raises((TypeError, ValueError), match="Points\\(3, places=3\\), expected"):
            call()


@pytest.mark.parametrize("cls", CLASSES)
def test_roads(rng, cls):
    """A network of roads with ids, against the same one without."""
    graph = random_graph(rng, cls, [f"v{x}" for x in rng.permutation(20)])
    plain = blockfw.Network.from_networkx(graph)
    from_, to, _ = plain.network.edges
    ends = [*zip(from_.tolist(), to.tolist())]
    ends += [] if plain.directed else [*zip(to.tolist(), from_.tolist())]
    turns = np.array([(r, q) for r, (_, v) in enumerate(ends) for q, (u, _) in enumerate(ends) if u == v])
    turns = tuple(turns[rng.random(len(turns)) < 0.3].T)
    named = blockfw.by_roads(plain, turns, u_turns="dead_ends")
    roads = named.network
    assert isinstance(named, blockfw.NamedNetwork) and isinstance(roads, blockfw.RoadNetwork)
    assert repr(named) == f"Named{roads!r}" and named.edge_names() == plain.edge_names()
    np.testing.assert_array_equal(roads.table(range(20), range(20)),
                                  blockfw.by_roads(plain.network, turns, u_turns="dead_ends").table(range(20), range(20)))
    ids = named.ids
    some, others = rng.integers(0, 20, (2, 9))
    sources, targets = ids[some].tolist(), ids[others].tolist()
    points = named.on_edge([0, 1], 0)
    np.testing.assert_array_equal(named.table(sources, targets), roads.table(some, others))
    np.testing.assert_array_equal(named.distances(sources, targets), roads.distances(some, others))
    for found, wanted in zip(named.edge_loads(sources, targets), roads.edge_loads(some, others), strict=True):
        np.testing.assert_array_equal(found, wanted)
    np.testing.assert_array_equal(named.rows(points), roads.rows(points))
    np.testing.assert_array_equal(named.count_within(sources, [20, 60]), roads.count_within(some, [20, 60]))
    np.testing.assert_array_equal(named.along(named.edges[2], sources, targets), roads.table(some, others))
    np.testing.assert_array_equal(named.hourly([named.edges[2]]).table(sources, targets)[0], roads.table(some, others))
    which, far = named.nearest(sources, of=targets)
    at, wanted = roads.nearest(some, of=others)
    np.testing.assert_array_equal(far, wanted)
    assert which[:, 0].tolist() == [None if k < 0 else sources[k] for k in at[:, 0]]
    found, wanted = named.within(sources, 40), roads.within(some, 40, csr=False)
    assert (found[0].tolist(), found[1].tolist()) == (wanted[0].tolist(), ids[wanted[1]].tolist())
    np.testing.assert_array_equal(found[2], wanted[2])
    with pytest.raises(ValueError, match="vertices is 21, and the network has 20 ids"):
        blockfw.by_roads(plain, turns, vertices=21)
    offsets, found = named.paths(sources, targets)
    roads_of, taken = named.paths(sources, targets, edges=True)
    for p, (u, v) in enumerate(zip(sources, targets)):
        path, edges = found[offsets[p]:offsets[p + 1]].tolist(), taken[roads_of[p]:roads_of[p + 1]]
        assert path == named.path(u, v).tolist() and edges.tolist() == named.path_edges(u, v).tolist()
        if path:
            assert (path[0], path[-1], len(path)) == (u, v, len(edges) + 1)
            for pair, name in zip(zip(path, path[1:]), named.edge_names(edges)):
                assert pair == name[:2] or (not named.directed and pair[::-1] == name[:2])
        else:
            assert u != v and edges.size == 0 and named.distances([u], [v])[0] == blockfw.infinity(np.int64)
    groups = dict(zip(sources, range(3)))
    for found, wanted in zip(named.group_sums(groups, of=targets, limit=50), named.group_sums(groups, limit=50)):
        np.testing.assert_array_equal(found, wanted[others])
    np.testing.assert_array_equal(named.group_sums(groups, of=points)[1], roads.group_sums(
        [groups.get(x, -1) for x in ids.tolist()], of=points)[1])
    assert named.centre().tolist() == ids[roads.centre()].tolist() and named.diameter() == roads.diameter()
    (u, v), = [(name[0], name[1]) for name in named.edge_names([0])]
    again = pickle.loads(pickle.dumps(named.update([u], [v], [1])))
    np.testing.assert_array_equal(again.rows(sources), roads.update([from_[0]], [to[0]], [1]).rows(some))
    assert again.ids.tolist() == ids.tolist() and isinstance(named.with_weights(named.edges[2] + 1).network, blockfw.RoadNetwork)


@pytest.mark.parametrize("cls", CLASSES)
def test_names_of_edges(rng, cls):
    graph = random_graph(rng, cls, [f"v{v}" for v in range(20)])
    u, v = next((u, v) for u, v in graph.edges() if u != v)
    if graph.is_multigraph():
        graph.add_edge(u, v, key="a key", weight=1)
    net = blockfw.Network.from_networkx(graph)
    names = list(graph.edges(keys=True)) if graph.is_multigraph() else list(graph.edges())
    assert net.edges_of(names).tolist() == list(range(len(names))) and net.edges_of([]).tolist() == []
    with pytest.raises(ValueError, match=r"names\[1\] is \('nowhere', 'v1'\), expected the name of an edge"):
        net.edges_of([names[0], ("nowhere", "v1")])
    if graph.is_multigraph():
        alone = next(name for name in names if sum(other[:2] == name[:2] for other in names) == 1)
        assert net.edges_of([alone[:2]]).tolist() == [names.index(alone)]
        with pytest.raises(ValueError, match="which is the name of several edges"):
            net.edges_of([(u, v)])
    assert net.edge_names() == names and net.edge_names([2, 0]) == [names[2], names[0]] and net.edge_names([]) == []
    with pytest.raises(IndexError):
        net.edge_names([len(names)])
    from_, to, weights = net.edges
    assert list(zip(from_.tolist(), to.tolist())) == [name[:2] for name in names]
    assert weights.tolist() == [graph.edges[name].get("weight", 1) for name in names]
    # Both directions of each undirected edge; a directed one in both directions.
    other = blockfw.Network.from_networkx(graph, directed=not graph.is_directed())
    assert other.directed != graph.is_directed() and set(other.edge_names()) >= set(names)
    both = nx.MultiDiGraph()
    both.add_nodes_from(graph)
    for u, v, weight in graph.edges(data="weight", default=1):
        both.add_weighted_edges_from([(u, v, weight), (v, u, weight)])
    np.testing.assert_array_equal(other.rows(list(graph)), in_type(lengths_of(both)))
    view = graph.subgraph(list(graph)[:9])
    assert set(blockfw.Network.from_networkx(view).ids) == set(view)
    assert blockfw.Network.from_networkx(view).edge_names() == list(
        view.edges(keys=True) if graph.is_multigraph() else view.edges())


@pytest.mark.parametrize("cls", CLASSES)
def test_weights(rng, cls):
    graph = random_graph(rng, cls, list(range(100, 125)), "minutes")
    ids = list(graph)
    np.testing.assert_array_equal(blockfw.Network.from_networkx(graph, "minutes").rows(ids), in_type(lengths_of(graph, "minutes")))
    hops = blockfw.Network.from_networkx(graph, None)
    assert hops.dtype == np.int32
    for part in graph, graph.subgraph(ids[3:]):  # (a view)
        for weight in None, "minutes", lambda u, v, d: 2:
            names = part.edges(keys=True) if graph.is_multigraph() and not callable(weight) else part.edges()
            named = blockfw.Network.from_networkx(part, weight)
            if not callable(weight) or not graph.is_multigraph():
                assert named.edge_names() == list(names)
            assert named.edges[0].size == len(named.edge_names())
    np.testing.assert_array_equal(hops.rows(ids), in_type(lengths_of(graph, lambda u, v, d: 1), np.int32))
    with pytest.raises(ValueError, match="no edge has the attribute 'metres', expected one that edges have"):
        blockfw.Network.from_networkx(graph, "metres")
    lacking = [name for name in (graph.edges(keys=True) if graph.is_multigraph() else graph.edges())
               if "minutes" not in graph.edges[name]]
    if lacking:
        with pytest.warns(UserWarning, match=f"{len(lacking)} of {graph.number_of_edges()} edges have no 'minutes' and count 1, "
                                             f"the first is {re.escape(repr(lacking[0]))}"):
            blockfw.Network.from_networkx(graph, "minutes")
    with pytest.raises(ValueError, match="the function gives no weight to any of "):
        blockfw.Network.from_networkx(graph, lambda u, v, d: None)

    def hidden(u, v, data):
        if graph.is_multigraph():
            data = min(data.values(), key=lambda attributes: attributes.get("minutes", 3))
        return None if u == v or (u + v) % 7 == 0 else data.get("minutes", 3) / 2

    net = blockfw.Network.from_networkx(graph, hidden)
    np.testing.assert_array_equal(net.rows(ids), lengths_of(graph, hidden))
    there = [name for name in (graph.edges(keys=True) if graph.is_multigraph() else graph.edges())
             if name[0] != name[1] and (name[0] + name[1]) % 7]
    assert net.edge_names() == there
    assert net.edges[2].tolist() == [graph.edges[name].get("minutes", 3) / 2 for name in there]

    def uphill(u, v, data):
        return 5 if u < v else 1

    if graph.is_directed():
        np.testing.assert_array_equal(blockfw.Network.from_networkx(graph, uphill).rows(ids), in_type(lengths_of(graph, uphill)))
    else:
        with pytest.raises(ValueError, match="the weight of the edge between .* is . in one direction and . in the other"):
            blockfw.Network.from_networkx(graph, uphill)
        both = blockfw.Network.from_networkx(graph, uphill, directed=True)
        np.testing.assert_array_equal(both.rows(ids), in_type(lengths_of(graph.to_directed(), uphill)))


class Column:
    """As much of a Series as is read."""

    def __init__(self, values):
        self.values = values

    def to_numpy(self):
        return self.values


def test_tables_of_edges(rng):
    ids = rng.permutation(50) * 10**11
    from_, to = rng.integers(0, 50, (2, 150))
    weights = rng.integers(1, 9, 150).astype(np.int32)
    plain = blockfw.Network((from_, to, weights), vertices=50)
    frame = {"u": Column(ids[from_]), "v": Column(ids[to]), "minutes": Column(weights), "key": Column(np.arange(150))}
    net = blockfw.Network.from_pandas(frame, "u", "v", "minutes", nodes=ids, key="key")
    assert net.dtype == np.int32 and net.directed and net.ids.tolist() == ids.tolist()
    np.testing.assert_array_equal(net.rows(ids), plain.rows(range(50)))
    assert net.edge_names([7]) == [(ids[from_[7]], ids[to[7]], 7)]
    net = blockfw.Network.from_pandas(frame, "u", "v", None, directed=False, dtype="float64")
    assert not net.directed and net.dtype == np.float64 and net.edge_names([0]) == [(ids[from_[0]], ids[to[0]])]
    assert net.ids.tolist() == sorted({*ids[from_].tolist(), *ids[to].tolist()})
    np.testing.assert_array_equal(net.table(net.ids, net.ids[:5]), blockfw.Network(
        (from_, to), directed=False, vertices=50, dtype="float64").table(
            [ids.tolist().index(x) for x in net.ids], [ids.tolist().index(x) for x in net.ids[:5]]))
    words = {"source": ["b", "a", "b"], "target": ["c", "b", "a"], "weight": [1, 2, 4]}
    net = blockfw.Network.from_pandas(words)
    assert net.ids.tolist() == ["b", "a", "c"] and net.path("a", "c").tolist() == ["a", "b", "c"]
    # Integers of other types, and as objects, are the same ids; those of more than 64 bits are found, too.
    for type_ in np.uint8, np.int16, object, np.uint64:
        net = blockfw.Network.from_pandas({"source": np.array([3, 5], type_), "target": np.array([5, 9], type_)}, weight=None)
        assert net.ids.dtype == np.int64 and net.distances([3], [9]).tolist() == [2]
    large = {"source": np.array([2**64 - 1, 2**64 - 2], np.uint64), "target": np.array([-1, -2]), "weight": [5, 6]}
    net = blockfw.Network.from_pandas(large)
    assert net.table([2**64 - 1, 2**64 - 2], [-1, -2]).diagonal().tolist() == [5, 6]
    assert net.table(large["source"], large["target"]).diagonal().tolist() == [5, 6]


def test_pandas(rng):
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"source": ["a", "b", "a"], "target": ["b", "c", "c"], "weight": [5, 2, 9.5], "key": [0, 0, 1]})
    net = blockfw.Network.from_pandas(frame, key="key", directed=False)
    assert net.edge_names() == [("a", "b", 0), ("b", "c", 0), ("a", "c", 1)]
    found = net.frame(frame["source"], ["c"])
    assert found.index.tolist() == ["a", "b", "a"] and found.columns.tolist() == ["c"] and found["c"].tolist() == [7, 2, 7]
    jobs = pandas.Series({"c": 20.0, "a": 5.0})
    np.testing.assert_array_equal(net.group_sums({x: 0 for x in "abc"}, weights=jobs, limit=5)[0], [[5], [25], [20]])
    missing = frame.assign(source=["a", None, "a"])
    with pytest.raises(ValueError, match="the source of edge 1 is .*, expected an id"):
        blockfw.Network.from_pandas(missing)
    for weights in pandas.array([1, 2, 3], "Int64"), pandas.array([1.5, 2, 3], "Float64"):
        assert blockfw.Network.from_pandas(frame.assign(weight=weights)).distances(["a"], ["c"]).tolist() == [3]
    with pytest.raises((TypeError, ValueError), match="NAType|edge 1: the weight is NaN"):  # (as to_numpy has it)
        blockfw.Network.from_pandas(frame.assign(weight=pandas.array([1, None, 3], "Int64")))
    grid = blockfw.NamedNetwork(blockfw.Network(([0], [1])), [(0, 0), (0, 1)])
    assert grid.frame([(0, 0)], [(0, 1)]).loc[[(0, 0)]].to_numpy().tolist() == [[1]]


def test_without_pandas(monkeypatch):
    import sys

    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(ImportError, match="table\\(\\) returns an array"):
        NET.frame(["a"], ["b"])


def test_changes(rng):
    graph = random_graph(rng, nx.DiGraph, list("abcdefghij"))
    net = blockfw.Network.from_networkx(graph)
    for copied in copy.copy(net), copy.deepcopy(net):
        assert copied is net
    again = pickle.loads(pickle.dumps(net))
    assert again.edge_names() == net.edge_names() and again.ids.tolist() == net.ids.tolist()
    np.testing.assert_array_equal(again.rows(list("abc")), net.rows(list("abc")))
    (u, v), (x, y) = [edge for edge in graph.edges() if edge[0] != edge[1]][:2]
    later = net.update([u, x], [v, y], [1, np.inf])
    graph.edges[u, v]["weight"] = 1
    graph.remove_edge(x, y)
    np.testing.assert_array_equal(later.rows(list(graph)), in_type(lengths_of(graph)))
    twice = net.with_weights(net.edges[2] * 2)
    once = net.rows(["a"])
    np.testing.assert_array_equal(twice.rows(["a"]), np.where(once < blockfw.infinity(np.int64), 2 * once, once))
    assert twice.edge_names() == net.edge_names()
    there = net.table(["a", "b"], ["b", "a"])
    np.testing.assert_array_equal(net.along(3 * net.edges[2], ["a", "b"], ["b", "a"]),
                                  np.where(there < blockfw.infinity(np.int64), 3 * there, there))
    assert net.along(net.edges[2], ["a"], ["a"], pairs=True).tolist() == [0]
    hours = net.hourly([net.edges[2], 2 * net.edges[2]])
    np.testing.assert_array_equal(hours.table(["a", "b"], ["b", "a"])[1], 2 * net.table(["a", "b"], ["b", "a"]))
    assert hours.distances(["b"], ["a"])[0].tolist() == net.distances(["b"], ["a"]).tolist()


def test_sums_by_group(rng):
    graph = random_graph(rng, nx.Graph, list(range(1000, 1030)))
    net = blockfw.Network.from_networkx(graph)
    groups, jobs = rng.integers(-1, 3, 30), rng.integers(0, 50, 30) / 4
    for given in groups, {x: g for x, g in zip(net.ids.tolist(), groups.tolist()) if g >= 0}:
        for of in jobs, {x: w for x, w in zip(net.ids, jobs) if w}:
            for how in {}, {"limit": 20}, {"limit": [30, 9]}, {"decay": [1, 0], "step": 32}:
                for found, wanted in zip(net.group_sums(given, weights=of, count=3, **how),
                                         net.network.group_sums(groups, weights=jobs, count=3, **how)):
                    np.testing.assert_array_equal(found, wanted)
    for found, wanted in zip(net.group_sums(groups, of=[1005, 1000]), net.group_sums(groups)):
        np.testing.assert_array_equal(found, wanted[net.vertices_of([1005, 1000])])
    assert net.group_sums({}, count=2)[0].tolist() == [[0, 0]] * 30


def test_lists_of_ids(rng):
    """Any list names vertices: arrays of any type, generators, masked arrays, repeated ids; equal keys are the same id."""
    net = blockfw.NamedNetwork(blockfw.Network(([0, 1], [1, 2], [5, 2])), [30, 10, 20])
    for given in [30, 20], (30, 20), np.array([30, 20]), np.array([30, 20], np.uint8), np.array([30.0, 20.0]), \
            np.array([30, 20], object), [30.0, np.int16(20)], (x for x in (30, 20)), {30: 1, 20: 2}, \
            np.ma.masked_array([30, 20, 7], [0, 0, 0])[:2]:
        assert net.vertices_of(given).tolist() == [0, 2]
    assert net.vertices_of([10, 10]).tolist() == [1, 1]
    for given in [], (), np.zeros(0), np.zeros(0, object):
        assert net.table(given, [10]).shape == (0, 1) and net.nearest(given)[0].mask.all()
        assert net.vertices_of(given).dtype == np.int32
    which, _ = net.nearest([20], of=[30, 20])
    assert net.vertices_of(which[:, 0]).tolist() == [2, 2]
    which, _ = net.nearest([30], of=[20, 30])
    with pytest.raises(ValueError, match=r"ids\[0\] is None, expected the id of a vertex of the network"):
        net.vertices_of(which[:, 0])
    empty = blockfw.NamedNetwork(blockfw.Network(([], [])), [])
    assert len(empty) == 0 and empty.table([], []).shape == (0, 0) and 1 not in empty
    with pytest.raises(ValueError, match=r"sources\[0\] is 1, expected"):
        empty.rows([1])
    none = np.zeros(0, int)
    empty = blockfw.Network.from_pandas({"source": none, "target": none, "weight": none})
    assert len(empty) == 0 and empty.edge_names() == [] and empty.nearest([])[0].shape == (0, 1) and 1 not in empty
    with pytest.raises(ValueError, match="read-only"):
        net.ids[0] = 1


class Series:
    """As much of a Series as is read, which may have an id twice."""

    def __init__(self, held):
        self.held = held

    def items(self):
        return iter(self.held)


NET = blockfw.NamedNetwork(blockfw.Network(([0, 1, 2], [1, 2, 3], [5, 2, 1])), list("abcd"))
NUMBERS = blockfw.NamedNetwork(NET.network, [7, 5, 2**60, -3])
TABLE = {"source": ["a", "b"], "target": ["b", "c"], "weight": [1, 2]}


@pytest.mark.parametrize("call, error, says", [
    (lambda: NET.table(["a", "x"], ["b"]), ValueError, r"sources\[1\] is 'x', expected the id of a vertex of the network"),
    (lambda: NET.table(["a"], ["b", 3]), ValueError, r"targets\[1\] is 3, expected the id"),
    (lambda: NET.table("abcd", ["b"]), TypeError, "sources is 'abcd', expected a list of ids"),
    (lambda: NET.table(7, ["b"]), TypeError, "sources is 7, expected a list of ids"),
    (lambda: NET.table([["a"]], ["b"]), ValueError, r"sources\[0\] is \['a'\], expected the id"),
    (lambda: NUMBERS.rows([7, 8]), ValueError, r"sources\[1\] is 8, expected the id"),
    (lambda: NUMBERS.rows(np.array([2**60 + 1])), ValueError, rf"sources\[0\] is {2**60 + 1}, expected the id"),
    (lambda: NUMBERS.rows(["7"]), ValueError, r"sources\[0\] is '7', expected the id"),
    (lambda: NUMBERS.rows([np.nan]), ValueError, r"sources\[0\] is nan, expected the id"),
    (lambda: NUMBERS.rows(np.array([2**64 - 3], np.uint64)), ValueError, rf"sources\[0\] is {2**64 - 3}, expected the id"),
    (lambda: NET.path("a", "x"), ValueError, "j is 'x', expected the id of a vertex of the network"),
    (lambda: NUMBERS.path(6, 7), ValueError, "i is 6, expected the id of a vertex of the network"),
    (lambda: NET.paths(["a"], ["x"]), ValueError, r"targets\[0\] is 'x'"),
    (lambda: NET.paths(["a"], []), ValueError, "there are 1 sources and 0 targets, expected as many of each"),
    (lambda: NET.path_edges("a", "x"), ValueError, "j is 'x', expected the id of a vertex of the network"),
    (lambda: NET.paths(["x"], ["a"], edges=True), ValueError, r"sources\[0\] is 'x'"),
    (lambda: NET.edge_loads(["a"], ["x"]), ValueError, r"targets\[0\] is 'x'"),
    (lambda: NET.distances(["x"], ["a"]), ValueError, r"sources\[0\] is 'x'"),
    (lambda: NET.nearest(["x"]), ValueError, r"places\[0\] is 'x'"),
    (lambda: NET.nearest(["a"], of=["x"]), ValueError, r"of\[0\] is 'x'"),
    (lambda: NET.within(["x"], 5), ValueError, r"sources\[0\] is 'x'"),
    (lambda: NET.count_within(["x"], 5), ValueError, r"sources\[0\] is 'x'"),
    (lambda: NET.update(["a"], ["x"], [1]), ValueError, r"to\[0\] is 'x'"),
    (lambda: NET.update(["x"], ["a"], [1]), ValueError, r"from_\[0\] is 'x'"),
    (lambda: NET.along([1, 2, 3], ["a"], ["x"]), ValueError, r"targets\[0\] is 'x'"),
    (lambda: NET.hourly([[1, 2, 3]]).table(["a"], ["x"]), ValueError, r"targets\[0\] is 'x'"),
    (lambda: NET.hourly([[1, 2, 3]]).distances(["x"], ["a"]), ValueError, r"sources\[0\] is 'x'"),
    (lambda: NET.vertices_of(["x"]), ValueError, r"ids\[0\] is 'x'"),
    (lambda: NET.group_sums({"x": 0}), ValueError, r"groups\[0\] is 'x'"),
    (lambda: NET.group_sums([0, 1]), ValueError, r"the groups have the shape \(2,\), expected \(4,\)"),
    (lambda: NET.group_sums({"a": 0}, weights={"x": 1}), ValueError, r"weights\[0\] is 'x'"),
    (lambda: NET.group_sums({"a": "b"}), TypeError, "groups are of type"),
    (lambda: blockfw.NamedNetwork(NET.network, list("abc")), ValueError, "there are 3 ids, expected 4, one for each vertex"),
    (lambda: blockfw.NamedNetwork(NET.network, list("abca")), ValueError, "vertices 0 and 3 have the id 'a', expected different"),
    (lambda: blockfw.NamedNetwork(NET.network, [1, 2, 3, 2]), ValueError, "vertices 1 and 3 have the id 2, expected different"),
    (lambda: blockfw.NamedNetwork(NET.network, [1, 2, None, "a"]), ValueError, "the id of vertex 2 is None, expected one"),
    (lambda: blockfw.NamedNetwork(NET.network, [1.5, np.nan, 2, 3]), ValueError, "the id of vertex 1 is nan, expected one"),
    (lambda: blockfw.NamedNetwork(NET.network, "abcd"), TypeError, "ids is 'abcd', expected a list of ids"),
    (lambda: blockfw.NamedNetwork(NET, list("abcd")), TypeError, "the network is of type NamedNetwork, expected a Network or a"),
    (lambda: NET.group_sums({"a": 0}, of=["x"]), ValueError, r"of\[0\] is 'x'"),
    (lambda: blockfw.NamedNetwork(NET.network, [[0], [1], [2], [3]]), TypeError,
     r"the id of vertex 0 is \[0\], expected one that can be the key of a dict"),
    (lambda: NET.edge_names([3]), IndexError, "edge 3 is out of range, expected 0 to 2"),
    (lambda: NET.edge_names([-1]), ValueError, "edges lie between 0 and"),
    (lambda: NET.edge_names([1.5]), TypeError, "edges are integers, found float64"),
    (lambda: NUMBERS.update([5], [7], [1]), ValueError, "edge 0: from 5 to 7, expected one of the network's edges"),
    (lambda: NET.group_sums(Series([("a", 0), ("a", 1)])), ValueError, "groups has the id 'a' twice, expected one value for each"),
    (lambda: blockfw.NamedNetwork(NET.network, list("abcd"), [1]), ValueError, "there are 1 keys, expected 3, one for each edge"),
    (lambda: blockfw.Network.from_networkx(([0], [1])), TypeError, "the graph is of type tuple, expected a graph of NetworkX's"),
    (lambda: blockfw.Network.from_networkx(nx.Graph([(0, 1, {"weight": "far"})])), TypeError,
     r"the weight of edge \(0, 1\) is 'far', expected an int of at most 62 bits or a float"),
    (lambda: blockfw.Network.from_networkx(nx.MultiDiGraph([(0, 1, {"weight": 1}), (2, 1, {"weight": np.nan})])), ValueError,
     r"the weight of edge \(2, 1, 0\) is nan, expected a number or inf"),
    (lambda: blockfw.Network.from_networkx(nx.Graph([(0, 1)]), lambda u, v, d: "far"), TypeError, r"edge \(0, 1\) is 'far'"),
    (lambda: blockfw.Network.from_networkx(nx.Graph([(0, 1)]), lambda u, v, d: np.nan), ValueError, r"edge \(0, 1\) is nan"),
    (lambda: blockfw.Network.from_pandas(TABLE, "from"), ValueError, "the edges have no column 'from'"),
    (lambda: blockfw.Network.from_pandas(TABLE, weight="length"), ValueError, "the edges have no column 'length'"),
    (lambda: blockfw.Network.from_pandas(TABLE, key="key"), ValueError, "the edges have no column 'key'"),
    (lambda: blockfw.Network.from_pandas(TABLE, nodes=["a", "b"]), ValueError, r"target\[1\] is 'c', expected the id"),
    (lambda: blockfw.Network.from_pandas({**TABLE, "weight": ["x", "y"]}), TypeError, "expected real numbers"),
    (lambda: blockfw.Network.from_pandas({**TABLE, "weight": [1]}), ValueError, "the edges begin at 2 vertices, expected as many"),
    (lambda: blockfw.Network.from_pandas({**TABLE, "target": ["b", np.nan]}), ValueError, "the target of edge 1 is nan, expected"),
])
def test_errors(call, error, says):
    with pytest.raises(error, match=says):
        call()
