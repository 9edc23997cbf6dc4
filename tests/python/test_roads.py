# SPDX-License-Identifier: MIT
"""Networks of roads with turns, against Bellman-Ford from road to road."""
import copy
import functools
import pickle

import blockfw
import numpy as np
import pytest
from conftest import TYPES
from test_network import check_measures, check_summaries, in_type

RULES = "allowed", "forbidden", "dead_ends"
STREETS = [0, 1, 1, 3], [1, 2, 3, 1], [10, 10, 5, 5]  # a, b, c, d


class Walks:
    """The oracle: lengths of walks from road to road, as float64."""

    def __init__(self, n, from_, to, weights, directed, turns, only, u_turns, u_turn_cost):
        roads = [*zip(from_.tolist(), to.tolist(), weights.tolist())]
        self.m, self.directed = len(roads), directed
        self.roads = roads if directed else roads + [(v, u, w) for u, v, w in roads]
        self.n, self.only, self.rule, self.u_turn_cost = n, only, u_turns, u_turn_cost
        self.listed = turns
        self.turns = [(r, q, self.cost(r, q)) for r, (_, v, _) in enumerate(self.roads)
                      for q, (u, _, _) in enumerate(self.roads) if u == v]

    def is_u_turn(self, r, q):
        (u, v, _), (_, w, _) = self.roads[r], self.roads[q]
        if u == v:
            return False
        return w == u if self.directed else abs(r - q) == self.m

    def cost(self, r, q):
        if any(a == r for a, _ in self.only) and (r, q) not in self.only:
            return np.inf
        if (r, q) in self.listed:
            return self.listed[r, q]
        if (r, q) in self.only or not self.is_u_turn(r, q):
            return 0
        leaving = [s for s, road in enumerate(self.roads) if road[0] == self.roads[r][1]]
        if self.rule == "allowed" or self.rule == "dead_ends" and all(self.is_u_turn(r, s) for s in leaving):
            return self.u_turn_cost
        return np.inf

    def extended(self, length):
        """Lengths at the ends of roads, with all that follows."""
        for _ in range(len(self.roads) + 1):
            before = length.copy()
            for r, q, cost in self.turns:
                length[q] = min(length[q], length[r] + cost + self.roads[q][2])
            if np.array_equal(before, length):
                return length
        raise AssertionError("a negative cycle")

    def from_vertex(self, v):
        return self.extended(np.array([w if u == v else np.inf for u, _, w in self.roads]))

    def to_vertex(self, length, v):
        return min((length[r] for r, road in enumerate(self.roads) if road[1] == v), default=np.inf)

    def to_place(self, length, q, position):
        return min((length[r] + cost + position for r, s, cost in self.turns if s == q), default=np.inf)

    @functools.cached_property
    def all(self):
        lengths = [self.from_vertex(v) for v in range(self.n)]
        d = np.array([[self.to_vertex(length, v) for v in range(self.n)] for length in lengths]).reshape(self.n, self.n)
        np.fill_diagonal(d, np.minimum(np.diag(d), 0))
        return d


def case(rng, dtype, n, directed):
    """Roads with parallel ones and loops, of which most lead back; turns, pairs of only."""
    from_, to = rng.integers(0, n, (2, n + 3), dtype=np.int32)
    back = rng.random(n + 3) < 0.6
    from_, to = np.concatenate([from_, to[back]]), np.concatenate([to, from_[back]])
    weights = rng.integers(0, 20, from_.size).astype(float)
    if np.dtype(dtype).kind == "f":
        weights += rng.integers(0, 8, from_.size) / 8
    ends = [(u, v) for u, v in zip(from_.tolist(), to.tolist())]
    if not directed:
        ends += [(v, u) for u, v in ends]
    turns, only = {}, set()
    for r, (_, v) in enumerate(ends):
        for q, (u, _) in enumerate(ends):
            if u == v and rng.random() < 0.25:
                kind = rng.random()
                if kind < 0.1:
                    only.add((r, q))
                else:
                    turns[r, q] = np.inf if kind < 0.6 else float(rng.integers(0, 9))
    return (from_, to, weights), turns, only


def arguments(dtype, edges, turns, only):
    """The same as by_roads takes it."""
    pairs = np.array(list(turns), dtype=np.int32).reshape(-1, 2)
    costs = in_type(np.array(list(turns.values())), np.dtype(dtype))
    others = np.array(sorted(only), dtype=np.int64).reshape(-1, 2)
    return (*edges[:2], in_type(edges[2], np.dtype(dtype))), (pairs[:, 0], pairs[:, 1], costs), (others[:, 0], others[:, 1])


def check(roads, walks, rng):
    n, dtype, d = len(roads), roads.dtype, walks.all
    held = in_type(d, dtype)

    def same(found, wanted):
        assert found.dtype == dtype
        np.testing.assert_array_equal(found, wanted)

    whole = np.arange(n)
    some, others = rng.integers(0, n, (2, 7))
    same(roads.table(whole, whole), held)
    out = np.empty((7, 7), dtype)
    assert roads.table(some, others.tolist(), out=out) is out
    same(out, held[np.ix_(some, others)])
    same(roads.distances(some, others), held[some, others])
    same(roads.rows(some), held[some])
    blocks = list(roads.blocks(rows=4))
    assert [first for first, _ in blocks] == list(range(0, n, 4))
    for first, block in blocks:
        same(block, held[first:first + 4])
    for of in None, some:
        of_vertices = whole if of is None else of
        which, far = roads.nearest(others, 3, of=of)
        there = d[np.ix_(of_vertices, others)]
        order = np.argsort(there, axis=1, kind="stable")[:, :3]
        nearest = np.take_along_axis(there, order, axis=1)
        same(far, in_type(nearest, dtype))
        np.testing.assert_array_equal(which, np.where(np.isinf(nearest), -9999, order))
    limits = -1, 0, 17.5, np.inf
    of_limits = roads.count_within(some, limits)
    assert of_limits.dtype == np.int64 and of_limits.shape == (7, 4)
    for l, limit in enumerate((*limits, np.resize(limits, 7))):  # (the last: one for each source)
        rows = roads.within(some, limit)
        offsets, vertices, distances = roads.within(some, limit, csr=False)
        inside = np.isfinite(d[some]) & (d[some] <= np.reshape(limit, (-1, 1)))
        assert rows.shape == (7, n)
        np.testing.assert_array_equal(np.diff(offsets), inside.sum(axis=1))
        np.testing.assert_array_equal(vertices, np.nonzero(inside)[1])
        np.testing.assert_array_equal(rows.indices, vertices)
        same(distances, held[some][inside])
        if l < 4:
            np.testing.assert_array_equal(roads.count_within(some, limit), inside.sum(axis=1))
            np.testing.assert_array_equal(of_limits[:, l], inside.sum(axis=1))
    offsets, found = roads.paths(some, others)
    assert offsets.dtype == np.int64 and found.dtype == np.int32
    for p, (i, j) in enumerate(zip(some, others)):
        path = found[offsets[p]:offsets[p + 1]].tolist()
        assert path == roads.path(i, j).tolist()
        assert roads.path_edges(i, j).tolist() == [r % walks.m for r in path]
        if not path:
            assert d[i, j] == (0 if i == j else np.inf)
            continue
        assert (walks.roads[path[0]][0], walks.roads[path[-1]][1]) == (i, j)
        length = walks.roads[path[0]][2]
        for r, q in zip(path, path[1:]):
            assert walks.roads[r][1] == walks.roads[q][0]
            length += walks.cost(r, q) + walks.roads[q][2]
        assert length == d[i, j]


def check_near(roads, sources, places, to_places, to_vertices):
    """The nearest of some places, and the vertices within limits, of vertices or points with these distances."""
    count, dtype = len(to_places), roads.dtype
    which, far = roads.nearest(places, 3, of=sources)
    order = np.argsort(to_places, axis=1, kind="stable")[:, :3]
    nearest = np.take_along_axis(to_places, order, axis=1)
    assert far.dtype == dtype
    np.testing.assert_array_equal(far, in_type(nearest, dtype))
    np.testing.assert_array_equal(which, np.where(np.isinf(nearest), -9999, order))
    limits = -1, 0, 17.5, np.inf
    of_limits = roads.count_within(sources, limits)
    for l, limit in enumerate((*limits, np.resize(limits, count))):  # (the last: one for each source)
        offsets, vertices, distances = roads.within(sources, limit, csr=False)
        inside = np.isfinite(to_vertices) & (to_vertices <= np.reshape(limit, (-1, 1)))
        np.testing.assert_array_equal(np.diff(offsets), inside.sum(axis=1))
        np.testing.assert_array_equal(vertices, np.nonzero(inside)[1])
        np.testing.assert_array_equal(distances, in_type(to_vertices, dtype)[inside])
        if l < 4:
            np.testing.assert_array_equal(of_limits[:, l], inside.sum(axis=1))


def check_points(roads, walks, rng):
    """Points on edges, and points with legs."""
    dtype, d, n = roads.dtype, walks.all, len(roads)
    weights = [w for _, _, w in walks.roads[:walks.m]]
    edge = rng.integers(0, walks.m, 6)
    at = np.array([float(rng.integers(0, int(weights[e]) + 1)) if np.isfinite(weights[e]) else 0. for e in edge])
    on = []
    for e, a in zip(edge, at):
        places = [(e, a)] if walks.directed else [(e, a), (e + walks.m, weights[e] - a)]
        on.append(places if np.isfinite(weights[e]) else [])
    points = roads.on_edge(edge, at=at.astype(dtype))
    expected = np.full((6, 6), np.inf)
    from_points, to_points = np.full((6, n), np.inf), np.full((n, 6), np.inf)
    from_vertices = [walks.from_vertex(v) for v in range(n)]
    for i in range(6):
        for r, a in on[i]:
            length = np.full(len(walks.roads), np.inf)
            length[r] = walks.roads[r][2] - a
            length = walks.extended(length)
            for v in range(n):
                from_points[i, v] = min(from_points[i, v], walks.to_vertex(length, v))
            for j in range(6):
                for q, b in on[j]:
                    piece = b - a if q == r and a <= b else np.inf
                    expected[i, j] = min(expected[i, j], piece, walks.to_place(length, q, b))
        for q, b in on[i]:
            for v in range(n):
                first = b if walks.roads[q][0] == v else np.inf
                to_points[v, i] = min(to_points[v, i], first, walks.to_place(from_vertices[v], q, b))
    np.testing.assert_array_equal(roads.table(points, points), in_type(expected, dtype))
    np.testing.assert_array_equal(roads.rows(points), in_type(from_points, dtype))
    np.testing.assert_array_equal(roads.table(np.arange(n), points), in_type(to_points, dtype))
    check_near(roads, points, points, expected, from_points)

    point, vertex, length = rng.integers(0, 4, 8), rng.integers(0, n, 8), rng.integers(0, 9, 8)
    groups = blockfw.Points(point, vertex, length.astype(dtype), count=5)
    expected, from_points = np.full((5, 5), np.inf), np.full((5, n), np.inf)
    for i, u, a in zip(point, vertex, length):
        from_points[i] = np.minimum(from_points[i], a + d[u])
        for j, v, b in zip(point, vertex, length):
            expected[i, j] = min(expected[i, j], a + d[u, v] + b)
    np.testing.assert_array_equal(roads.table(groups, groups), in_type(expected, dtype))
    check_near(roads, groups, groups, expected, from_points)


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("directed", [True, False])
@pytest.mark.parametrize("u_turns", RULES)
def test_questions(rng, dtype, directed, u_turns):
    for n in 1, 4, 9:
        edges, turns, only = case(rng, dtype, n, directed)
        u_turn_cost = None if u_turns == "forbidden" else 3
        given = dict(u_turns=u_turns, u_turn_cost=u_turn_cost, directed=directed, vertices=n)
        listed, turn_arrays, only_arrays = arguments(dtype, edges, turns, only)
        roads = blockfw.by_roads(listed, turn_arrays, only=only_arrays, **given)
        assert repr(roads) == f"RoadNetwork(vertices={n}, edges={edges[0].size}, dtype={dtype}, directed={directed})"
        walks = Walks(n, *edges, directed, turns, only, u_turns, u_turn_cost)
        check(roads, walks, rng)
        check_points(roads, walks, rng)
        check_measures(roads, walks.all)
        check_summaries(roads, walks.all, rng)
        again = pickle.loads(pickle.dumps(roads))
        check(again, walks, rng)

        heavier = edges[2] + 1
        heavier[0] = np.inf
        walks = Walks(n, *edges[:2], heavier, directed, turns, only, u_turns, u_turn_cost)
        new = roads.with_weights(in_type(heavier, np.dtype(dtype)))
        check(new, walks, rng)
        check_points(new, walks, rng)

        u, v = int(edges[0][1]), int(edges[1][1])
        for weight in 2, np.inf, 7:
            same = (edges[0] == u) & (edges[1] == v)
            if not directed:
                same |= (edges[0] == v) & (edges[1] == u)
            heavier[same] = weight
            new = new.update([u], [v], [weight])
            walks = Walks(n, *edges[:2], heavier, directed, turns, only, u_turns, u_turn_cost)
            check(new, walks, rng)
            check(pickle.loads(pickle.dumps(new)), walks, rng)


def test_known_answer():
    roads = blockfw.by_roads(STREETS, ([0], [1]))
    assert roads.distances([0, 1, 0], [2, 2, 0]).tolist() == [30, 10, 0]
    assert roads.path(0, 2).tolist() == [0, 2, 3, 1]
    both_ways = blockfw.by_roads(([0, 1, 1], [1, 2, 3], [10, 10, 5]), ([0], [1]), directed=False)
    offsets, edges = both_ways.paths([0, 2, 1], [2, 0, 1], edges=True)
    assert (offsets.tolist(), edges.tolist(), edges.dtype) == ([0, 4, 6, 6], [0, 2, 2, 1, 1, 0], np.int64)
    loads, unserved = both_ways.edge_loads([0, 2, 1], [2, 0, 1])
    assert (loads.tolist(), loads.dtype, unserved) == ([2, 2, 2], np.int64, 0)
    loads, unserved = roads.edge_loads([0, 2], [2, 0], [[1.5, 8], [8, 2]])
    assert (loads.tolist(), unserved) == ([1.5] * 4, 2)
    assert (roads.network.vertices, len(roads), roads.vertices) == (5, 4, 4)
    assert blockfw.by_roads(STREETS, ([0], [1]), u_turns="forbidden").distances([0], [2])[0] == blockfw.infinity("int64")
    assert blockfw.by_roads(STREETS, ([0], [1], [100])).distances([0], [2])[0] == 30
    assert blockfw.by_roads(STREETS, ([0], [1], [4])).distances([0], [2])[0] == 24
    assert blockfw.by_roads(STREETS, only=([0], [2])).distances([0], [2])[0] == 30
    assert blockfw.by_roads(STREETS, ([0], [1], np.ma.masked_array([4], mask=[True]))).distances([0], [2])[0] == 30
    assert blockfw.by_roads(STREETS, ([0], [1], [0.5]), dtype="float64").distances([0], [2])[0] == 20.5
    assert blockfw.by_roads(STREETS).network.edges[0].tolist() == STREETS[0]
    assert [a.tolist() for a in roads.edges] == [list(a) for a in STREETS]
    assert roads.directed and roads.dtype == np.int64 and copy.deepcopy(roads) is roads


def sums_of(walks, second):
    """For each pair of vertices the least (length, sum), by Bellman-Ford from road to road over both numbers."""
    inf = (np.inf, 0)
    weight = [(w, second[r % walks.m]) for r, (_, _, w) in enumerate(walks.roads)]
    plus = lambda a, b: (a[0] + b[0], a[1] + b[1])
    result = []
    for v in range(walks.n):
        best = [weight[r] if u == v and np.isfinite(w) else inf for r, (u, _, w) in enumerate(walks.roads)]
        changed = True
        while changed:
            changed = False
            for r, q, cost in walks.turns:
                more = plus(plus(best[r], (cost, 0)), weight[q])
                if np.isfinite(more[0]) and more < best[q]:
                    best[q], changed = more, True
        result.append([min([b for b, (_, end, _) in zip(best, walks.roads) if end == w] + [(0, 0) if v == w else inf])
                       for w in range(walks.n)])
    return result


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("directed", [True, False])
def test_along_and_hourly(rng, dtype, directed):
    n = 7
    (from_, to, weights), turns, only = case(rng, dtype, n, directed)
    given = dict(u_turns="dead_ends", u_turn_cost=3, directed=directed, vertices=n)
    edges, turn_arrays, only_arrays = arguments(dtype, (from_, to, weights), turns, only)
    roads = blockfw.by_roads(edges, turn_arrays, only=only_arrays, **given)

    def walks_of(weights):
        return Walks(n, from_, to, weights, directed, turns, only, "dead_ends", 3)

    second = rng.integers(0, 4, weights.size)
    sums = sums_of(walks_of(weights), second.tolist())
    whole = np.arange(n)
    for numbers, none in (second, blockfw.infinity("int64")), (second / 2, np.inf):
        wanted = np.array([[numbers.dtype.type(s) if np.isfinite(d) else none for d, s in row] for row in sums])
        wanted = np.where(wanted == none, wanted, wanted / 2).astype(float) if numbers.dtype.kind == "f" else wanted
        found = roads.along(numbers, whole, whole)
        assert found.dtype == numbers.dtype
        np.testing.assert_array_equal(found, wanted)
        some, others = rng.integers(0, n, (2, 9))
        np.testing.assert_array_equal(roads.along(numbers, some, others, pairs=True), wanted[some, others])
        np.testing.assert_array_equal(roads.along(numbers, blockfw.Points(whole, whole), others), wanted[:, others])
        np.testing.assert_array_equal(
            pickle.loads(pickle.dumps(roads)).along(numbers, some, blockfw.Points(whole, others[:7], 0, 7)),
            wanted[np.ix_(some, others[:7])])

    sets = np.stack([weights, weights + 1, rng.integers(0, 30, weights.size)])
    sets[2, 0] = np.inf
    hours = roads.hourly([in_type(row, np.dtype(dtype)) for row in sets])
    assert (len(hours), hours.vertices, hours.dtype) == (3, n, dtype)
    d = in_type(np.stack([walks_of(row).all for row in sets]), np.dtype(dtype))
    np.testing.assert_array_equal(hours.table(whole, some), d[:, :, some])
    np.testing.assert_array_equal(hours.distances(some, others), d[:, some, others])


def test_along_between_points():
    roads = blockfw.by_roads(STREETS, ([0], [1]))
    metres = [4, 8, 12, 16]
    assert roads.along(metres, [0], [2]).tolist() == [[40]]
    house = roads.on_edge([0, 3], [0.5, 0.2])
    assert roads.along(np.array(metres, float), house, [1, 2]).tolist() == [[2, 38], [12.8, 20.8]]
    assert roads.along(np.array(metres, float), [0], house).tolist() == [[2, 19.2]]
    assert roads.along(metres, roads.on_edge([0], [0.5]), [2], pairs=True).tolist() == [38]
    # A gate at vertex 0, 7 m away; a leg that leads nowhere may have any second length.
    gate = blockfw.Points([0, 0], [0, 1], [1, np.inf], second=np.ma.masked_array([7, 0], [False, True]))
    assert roads.along(metres, gate, [2]).tolist() == [[47]]
    assert roads.along(metres, blockfw.Points([0, 0], [0, 1], [1, np.inf], second=[7, np.nan]), [2]).tolist() == [[47]]
    slower = roads.with_weights([20, 10, 5, 5])  # (where the house is at half of 20)
    assert slower.along(metres, roads.on_edge([0], [0.5]), [2]).tolist() == [[38]]
    for call, error, message in (
            (lambda: roads.along([1], [0], [1]), ValueError, "there are 1 second weights, expected 4, one for each edge"),
            (lambda: roads.along(metres, [0], [4]), ValueError, "vertex 4 is out of range, expected 0 to 3"),
            (lambda: roads.along(metres, blockfw.Points([0], [1], 5), [2]), ValueError,
             "point 0 has a leg without a second length"),
            (lambda: roads.along([1, 2, 3, 3], house, [2]), ValueError, "expected a whole number"),
            (lambda: roads.along(metres, [0, 1], [2], pairs=True), ValueError, "2 sources and 1 targets"),
            (lambda: roads.hourly([[1, 2]]), ValueError, "there are 2 weights in each set, expected 4"),
            (lambda: roads.hourly([[1, 2, 3, 4]]).table(house, [0]), TypeError, "the sources are Points, expected vertices"),
            (lambda: roads.hourly([[1, 2, 3, 4], [1, 2, -9, 4]]), blockfw.NegativeCycleError,
             "set 1 of the weights: negative cycle: vertex [13] ")):
        with pytest.raises(error, match=message):
            call()


@pytest.mark.parametrize("directed", [True, False])
def test_roads_of_networks_and_files(rng, directed, tmp_path):
    given = case(rng, "int32", 9, directed)
    edges, turns, only = arguments("int32", *given)
    edges[2][0] = blockfw.infinity("int32")  # (a closed one)
    how = dict(only=only, u_turns="dead_ends")
    roads = blockfw.by_roads(edges, turns, directed=directed, vertices=9, **how)
    whole = np.arange(9)
    net = blockfw.Network(edges, directed=directed, vertices=9)
    roads.network.save(tmp_path / "roads")
    plain = blockfw.Network.load(tmp_path / "roads")
    for other in (blockfw.by_roads(net, turns, **how), blockfw.by_roads(blockfw.by_roads(net), turns, **how),
                  blockfw.by_roads(net, turns, network=plain, **how)):
        assert repr(other) == repr(roads)
        np.testing.assert_array_equal(other.table(whole, whole), roads.table(whole, whole))
        np.testing.assert_array_equal(other.paths(whole, whole[::-1])[1], roads.paths(whole, whole[::-1])[1])
    there = roads.table(whole, whole)
    for dtype in "int64", "float64":  # (the closed edge stays closed)
        expected = np.where(there == blockfw.infinity("int32"), blockfw.infinity(dtype), there.astype(dtype))
        of_type = arguments(dtype, *given)[1]  # (a forbidden turn has the type's infinity)
        np.testing.assert_array_equal(blockfw.by_roads(net, of_type, dtype=dtype, **how).table(whole, whole), expected)
    for keywords, error, message in (
            (dict(network=roads), TypeError, "the network is of type RoadNetwork, expected a Network"),
            (dict(network=plain, dtype="int64"), ValueError, "the network has distances of int32, expected int64"),
            (dict(network=plain, order=whole), ValueError, "network is given with order"),
            (dict(network=plain, progress=True), ValueError, "network is given with order, progress"),
            (dict(network=net), ValueError, "has other roads or turns, expected that of these edges, turns and options")):
        with pytest.raises(error, match=message):
            blockfw.by_roads(net, turns, **how, **keywords)


def test_orders_and_progress():
    calls = []
    roads = blockfw.by_roads(STREETS, ([0], [1]), order=[3, 2, 1, 0], progress=lambda done, n: calls.append((done, n)))
    assert calls[-1] == (5, 5)
    for call in roads.closeness, roads.diameter, lambda progress: roads.histogram(1, 2, progress=progress), \
            lambda progress: roads.group_sums([0] * 4, progress=progress):
        calls.clear()
        call(progress=lambda done, n: calls.append((done, n)))
        assert calls[-1] == (4, 4)
    assert roads.distances([0], [2])[0] == 30


def test_errors():
    def refused(message, *args, error=ValueError, **kwargs):
        with pytest.raises(error, match=message):
            blockfw.by_roads(STREETS, *args, **kwargs)

    refused("turn 0: road 4 is out of range, expected 0 to 3", ([4], [0]))
    refused("turn 1: road 1 ends at vertex 2, and road 2 begins at vertex 1", ([0, 1], [1, 2]))
    refused("turn 1: from road 0 to road 1 at the cost 2, in turn 0 at the cost 1, expected one cost",
            ([0, 0], [1, 1], [1, 2]))
    refused("pair 0 of `only`: road 1 ends", only=([1], [2]))
    refused("turn 0: the cost 0.5 from road 0 to road 1 is not a number of type int64", ([0], [1], [0.5]))
    refused("u_turn_cost is given, and u_turns='forbidden' allows no U-turn", u_turns="forbidden", u_turn_cost=3)
    refused("u_turn_cost is masked, expected one number", u_turn_cost=np.ma.masked_array(5, mask=True))
    refused("u_turn_cost is masked, expected one number", u_turn_cost=np.ma.masked)
    refused("u_turn_cost is .1, 2., expected one number", u_turn_cost=[1, 2])
    refused("the cost 0.5 of U-turns is not a number", u_turn_cost=0.5)
    refused("expected 'allowed', 'forbidden' or 'dead_ends'", u_turns=np.array(["allowed", "allowed"]))
    refused("one of the roads is masked, expected its number", (np.ma.masked_array([0], [True]), [1]))
    refused("u_turns is 'never', expected 'allowed', 'forbidden' or 'dead_ends'", u_turns="never")
    refused("the turns lead from 1 roads to 2", ([0], [1, 2]))
    refused("the costs have the shape", ([0], [1], [1, 2]))
    refused("turns are a tuple", [[0, 1]])
    refused("only is a tuple", only=([0],))
    refused("roads are integers", ([0.5], [1]), error=TypeError)
    refused("is NaN|not valid|expected a number", ([0], [1], [np.nan]), dtype="float64")
    refused("reaches infinity", ([0], [1], [2**62]), error=OverflowError)
    refused("the order of elimination has 2 vertices, expected all 4", order=[0, 1])
    with pytest.raises(blockfw.NegativeCycleError, match="vertex [01] "):
        blockfw.by_roads(([0, 1], [1, 0], [-3, 2]))
    assert blockfw.by_roads(([0, 1], [1, 0], [-3, 2]), u_turns="forbidden").table([0], [1])[0, 0] == -3
    with pytest.raises(TypeError, match="by_roads"):
        blockfw.RoadNetwork()
    roads = blockfw.by_roads(STREETS, ([0], [1]), u_turns="forbidden")
    with pytest.raises(ValueError, match="the points lie on edges of a network of 4 edges, this one has 6"):
        roads.network.table(roads.on_edge([0], at=[1]), [0])
    for call in (lambda: roads.table([4], [0]), lambda: roads.path(0, -1), lambda: roads.nearest([0], 0),
                 lambda: roads.distances([0, 1], [2]), lambda: roads.with_weights([1]),
                 lambda: roads.update([0], [2], [1]), lambda: roads.within([0], np.nan),
                 lambda: roads.edge_loads([0], [1, 2]), lambda: roads.edge_loads([0], [4]),
                 lambda: roads.edge_loads([0], [1], [-1]), lambda: roads.edge_loads([0], [1], [[1, 2]]),
                 lambda: roads.within([0], [1, 2]), lambda: roads.count_within([0], []), lambda: roads.group_sums([0]),
                 lambda: roads.group_sums([0] * 4, of=[4]), lambda: roads.histogram(0, 3), lambda: roads.path_edges(0, 4),
                 lambda: roads.on_edge([9], at=[0]), lambda: roads.on_edge([0], at=[11])):
        with pytest.raises(ValueError):
            call()


def test_an_empty_path_is_not_always_best():
    roads = blockfw.by_roads(([0, 1, 2], [1, 2, 0], [-3, 1, 1]), ([2], [0]))
    assert roads.distances([0], [0]).tolist() == [-1] and roads.path(0, 0).tolist() == [0, 1, 2]
    assert blockfw.by_roads(STREETS).path(0, 0).tolist() == []


def test_places_on_one_edge():
    for dtype in "float32", "float64":
        edge = ([0], [1], [1e8 if dtype == "float32" else 10.])
        roads = blockfw.by_roads(edge, directed=False, dtype=dtype)
        plain = blockfw.Network(edge, directed=False, dtype=dtype)
        at = [1, 2, 3] if dtype == "float32" else [.1, .2, .3, .7]
        places = roads.on_edge([0] * len(at), at=at)
        np.testing.assert_array_equal(roads.table(places, places), plain.table(places, places))
