# SPDX-License-Identifier: MIT
"""Points beside a network, against networks whose edges are split by vertices, solved by Floyd-Warshall in NumPy."""
import pickle

import blockfw
import numpy as np
import pytest
from conftest import TYPES
from test_network import grid, in_type, some_edges, with_potentials


def closed(d):
    """All shortest distances, by three loops."""
    d = d.copy()
    for k in range(len(d)):
        d = np.minimum(d, d[:, k, None] + d[k])
    return d


def split(n, edges, directed, point, edge, at):
    """The distances in the network with a vertex for each place, and the vertices of each point."""
    arcs, vertices, of_point = [], n, {}
    for e, (u, v, w) in enumerate(zip(*(a.tolist() for a in edges))):
        if w == np.inf:
            continue
        before, reached, fresh = u, 0, True
        for p in sorted(np.flatnonzero(edge == e), key=lambda p: abs(at[p])):
            if fresh or at[p] != reached:
                arcs.append((before, vertices, at[p] - reached))
                before, reached, fresh, vertices = vertices, at[p], False, vertices + 1
            of_point.setdefault(point[p], []).append(before)
        arcs.append((before, v, w - reached))
    d = np.full((vertices, vertices), np.inf)
    np.fill_diagonal(d, 0)
    for u, v, w in arcs:
        d[u, v] = min(d[u, v], w)
        if not directed:
            d[v, u] = min(d[v, u], w)
    return closed(d), of_point


def between(d, from_, to):
    """The distances from some groups of vertices to others."""
    return np.array([[d[np.ix_(i, j)].min(initial=np.inf) for j in to] for i in from_]).reshape(len(from_), len(to))


def check(net, sources, targets, d, rows):
    """Every question about points. d are their distances, rows those to all vertices, as float64."""
    n, dtype = len(net), net.dtype

    def same(found, wanted):
        assert found.dtype == dtype
        np.testing.assert_array_equal(found, in_type(wanted, dtype))

    same(net.table(sources, targets), d)
    out = np.empty(d.shape, dtype)
    assert net.table(sources, targets, out=out) is out
    same(out, d)
    same(net.rows(sources), rows)
    some = np.arange(n)[::2]
    same(net.table(sources, some), rows[:, some])
    if len(sources) == len(targets):
        same(net.distances(sources, targets), d.diagonal())
    for count in 1, 3:
        which, far = net.nearest(targets, count, of=sources)
        assert which.dtype == np.int32 and which.shape == far.shape == (len(sources), count)
        there = np.pad(d, ((0, 0), (0, count)), constant_values=np.inf)
        order = np.argsort(there, axis=1, kind="stable")[:, :count]
        nearest = np.take_along_axis(there, order, axis=1)
        same(far, nearest)
        np.testing.assert_array_equal(which, np.where(np.isinf(nearest), -9999, order))
    limits = -1, 0, 20, 20.5, np.inf
    of_limits = net.count_within(sources, limits)
    assert of_limits.dtype == np.int64 and of_limits.shape == (len(sources), len(limits))
    for l, limit in enumerate((*limits, np.resize(limits, len(sources)))):  # (the last: one for each source)
        found = (rows <= np.reshape(limit, (-1, 1))) & np.isfinite(rows)
        offsets, listed, distances = net.within(sources, limit, csr=False)
        of_rows, vertices = np.nonzero(found)
        np.testing.assert_array_equal(offsets, np.searchsorted(of_rows, np.arange(len(sources) + 1)))
        np.testing.assert_array_equal(listed, vertices)
        same(distances, rows[found])
        matrix = net.within(sources, limit)
        assert matrix.shape == (len(sources), n) and matrix.nnz == found.sum()
        if l < len(limits):
            counts = net.count_within(sources, limit)
            assert counts.dtype == np.int64
            np.testing.assert_array_equal(counts, found.sum(axis=1))
            np.testing.assert_array_equal(of_limits[:, l], counts)


def some_places(rng, weights, points):
    """Places of points on edges: their points, edges, and positions."""
    point = rng.integers(0, points, 2 * points)
    edge = rng.integers(0, weights.size, point.size)
    once = np.unique(np.stack([point, edge]), axis=1)  # (an edge has one place of a point)
    point, edge = once[:, rng.permutation(once.shape[1])]
    weight = np.where(np.isinf(weights[edge]), 0, weights[edge])
    at = np.sign(weight) * np.floor(np.abs(weight) * rng.choice([0, 0.25, 0.5, 1], weight.size))
    return point, edge, at


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("directed", [True, False])
@pytest.mark.parametrize("n, count", [(1, 2), (6, 9), (25, 60)])
def test_places_on_edges(rng, dtype, directed, n, count):
    edges = some_edges(rng, n, count, dtype)
    if directed:
        edges = with_potentials(rng, n, *edges)
    weights = edges[2].astype(float)
    weights[rng.random(count) < 0.1] = np.inf  # closed
    net = blockfw.Network((*edges[:2], weights), directed=directed, dtype=dtype, vertices=n)
    mine, theirs = some_places(rng, weights, 8), some_places(rng, weights, 8)
    both = [np.concatenate([a, b]) for a, b in zip((mine[0], *mine[1:]), (theirs[0] + 8, *theirs[1:]))]
    all_, of_point = split(n, (*edges[:2], weights), directed, *both)
    groups = [of_point.get(p, []) for p in range(16)]
    sources, targets = (net.on_edge(edge, at=at, point=point, count=8) for point, edge, at in (mine, theirs))
    vertices = [[v] for v in range(n)]
    rows = between(all_, groups[:8], vertices)
    check(net, sources, targets, between(all_, groups[:8], groups[8:]), rows)
    check(net, sources, sources, between(all_, groups[:8], groups[:8]), rows)
    # From vertices, and of all vertices the nearest point.
    towards = between(all_, vertices, groups[8:])
    np.testing.assert_array_equal(net.table(np.arange(n), targets), in_type(towards, net.dtype))
    which, far = net.nearest(targets)
    np.testing.assert_array_equal(far[:, 0], in_type(towards.min(axis=1), net.dtype))
    nearest = np.where(np.isinf(towards.min(axis=1)), -9999, towards.argmin(axis=1))
    np.testing.assert_array_equal(which[:, 0], nearest)


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("directed", [True, False])
def test_legs(rng, dtype, directed):
    n = 20
    edges = some_edges(rng, n, 50, dtype)
    net = blockfw.Network(edges, directed=directed, vertices=n)
    d = np.full((n, n), np.inf)
    np.fill_diagonal(d, 0)
    np.minimum.at(d, edges[:2], edges[2].astype(float))
    d = closed(d if directed else np.minimum(d, d.T))

    def some_legs(points):
        legs = 2 * points
        point, vertex, length = rng.integers(0, points, legs), rng.integers(0, n, legs), rng.integers(-9, 30, legs).astype(float)
        length[rng.random(legs) < 0.1] = np.inf
        to_vertices = np.full((points, n), np.inf)
        np.minimum.at(to_vertices, (point, vertex), length)
        return blockfw.Points(point, vertex, length, points), to_vertices

    for count, others in (7, 7), (3, 12), (1, 1):
        (sources, leaving), (targets, arriving) = some_legs(count), some_legs(others)
        assert len(sources) == count and len(targets) == others
        rows = (leaving[:, :, None] + d).min(axis=1)
        check(net, sources, targets, (rows[:, None] + arriving).min(axis=2), rows)
        again = pickle.loads(pickle.dumps(sources))
        np.testing.assert_array_equal(net.rows(again), in_type(rows, net.dtype))


def test_forms_of_legs():
    net = blockfw.Network(([0, 1, 2], [1, 2, 3], [4, 5, 6]), directed=False)
    plain = blockfw.Points([0, 1], [1, 3])
    assert len(plain) == 2 and repr(plain) == "Points(2, legs=2)"
    np.testing.assert_array_equal(net.table(plain, plain), net.table([1, 3], [1, 3]))
    np.testing.assert_array_equal(net.rows(blockfw.Points([1, 0], [3, 1], 2)), net.rows([1, 3]) + 2)
    masked = blockfw.Points([0, 0], [0, 3], np.ma.masked_array([1, 1], [False, True]), count=3)
    assert net.distances(masked, [1, 1, 1]).tolist() == [5, blockfw.infinity("int64"), blockfw.infinity("int64")]
    assert net.distances(blockfw.Points([0], [0], [2]), [0]).tolist() == [2]
    none = blockfw.Points([], [])
    assert len(none) == 0 and net.table(none, [0, 1]).shape == (0, 2) and net.table([0, 1], none).shape == (2, 0)
    assert net.nearest(none)[0].tolist() == [[-9999]] * 4
    assert blockfw.Points(np.array([2]), [0]).__len__() == 3


def test_fractions(rng):
    edges = ([0, 1, 2], [1, 2, 0], [100, 30, 7])
    net = blockfw.Network(edges)
    points = net.on_edge([0, 1, 2, 2, 0], [0.55, 0.1, 0, 1, 1 / 4])
    assert repr(points) == "Points(5, places=5)"
    at = net.on_edge([0, 1, 2, 2, 0], at=[55, 3, 0, 7, 25])
    np.testing.assert_array_equal(net.table(points, points), net.table(at, at))
    np.testing.assert_array_equal(net.rows(net.on_edge([0, 1], 0.5)), net.rows(net.on_edge([0, 1], at=[50, 15])))
    # In floats any fraction; of other weights the same fraction, and the same position.
    real = blockfw.Network(edges, dtype="float64")
    fractions = rng.random(3)
    places = real.on_edge([0, 1, 2], fractions)
    found = real.rows(places)
    np.testing.assert_allclose(found[0, 1], 100 * (1 - fractions[0]))
    np.testing.assert_allclose(found[1, 2], 30 * (1 - fractions[1]))
    np.testing.assert_allclose(found[2, 0], 7 * (1 - fractions[2]))
    slower = real.with_weights([200, 60, 14])
    np.testing.assert_allclose(slower.rows(places), 2 * found)
    np.testing.assert_allclose(slower.rows(real.on_edge([0], at=[25]))[0, 1], 175)
    # A street in both directions.
    street = blockfw.Network(([0, 1], [1, 0], [10, 10]))
    houses = street.on_edge([0, 1, 0, 1], [0.2, 0.8, 0.7, 0.3], point=[0, 0, 1, 1])
    np.testing.assert_array_equal(street.table(houses, houses), [[0, 5], [5, 0]])
    np.testing.assert_array_equal(street.rows(street.on_edge([0, 1], [0.7, 1 - 0.7], point=[0, 0])), [[7, 3]])
    np.testing.assert_array_equal(street.rows(street.on_edge([0], [3 * 0.1])), [[17, 7]])


def test_points_stay_as_they_are():
    net = blockfw.Network(([0, 1, 2], [1, 2, 3], np.array([10, 20, 30], np.int32)), directed=False)
    edge, point, at = np.array([0, 1], np.int32), np.array([0, 1], np.int32), np.array([5, 5], np.int32)
    places, legs = net.on_edge(edge, at=at, point=point), blockfw.Points(point, edge, at)
    before = net.rows(places), net.rows(legs)
    edge[:], point[:], at[:] = 2, 0, 1
    np.testing.assert_array_equal(net.rows(places), before[0])
    np.testing.assert_array_equal(net.rows(legs), before[1])


def test_a_town(rng):
    """Many points, in several threads."""
    from_, to, weights = grid(rng, 40)
    net = blockfw.Network((from_, to, weights), directed=False)
    edge = rng.integers(0, weights.size, 700)
    at = (rng.random(700) * (weights[edge] + 1)).astype(int)
    houses = net.on_edge(edge, at=at)
    ends = np.stack([from_[edge], to[edge]])
    legs = np.stack([at, weights[edge] - at])
    d = net.rows(range(1600)).astype(int)
    wanted = np.min([legs[i][:, None] + d[np.ix_(ends[i], ends[j])] + legs[j] for i in (0, 1) for j in (0, 1)], axis=0)
    on_one = edge[:, None] == edge
    wanted[on_one] = np.minimum(wanted, np.abs(at[:, None] - at))[on_one]
    np.testing.assert_array_equal(net.table(houses, houses), wanted)
    np.testing.assert_array_equal(net.distances(houses, houses), 0)
    legs_alone = blockfw.Points(np.tile(np.arange(700), 2), ends.ravel(), legs.ravel())
    np.testing.assert_array_equal(net.rows(legs_alone), net.rows(houses))


NET = blockfw.Network((np.arange(3), np.arange(1, 4), np.array([5, 6, -2], np.int32)))
POINTS = blockfw.Points([0], [1])


@pytest.mark.parametrize("call, error, says", [
    (lambda: blockfw.Points(0, 1), ValueError, "the points are an array of 0 dimensions, expected a list of integers"),
    (lambda: blockfw.Points([0], [[1]]), ValueError, "the vertices are an array of 2 dimensions"),
    (lambda: blockfw.Points([0.5], [1]), TypeError, "points are integers, found float64"),
    (lambda: blockfw.Points([-1], [1]), ValueError, "points lie between 0 and"),
    (lambda: blockfw.Points([0, 1], [1]), ValueError, "there are 2 points and 1 vertices of legs, expected as many of each"),
    (lambda: blockfw.Points([0], [1], [1, 2]), ValueError, r"the lengths have the shape \(2,\), expected \(1,\)"),
    (lambda: blockfw.Points([0], [1], [True]), TypeError, "the lengths are of type bool, expected real numbers"),
    (lambda: blockfw.Points([0], [1], ["a"]), TypeError, "the lengths have the type <U1, expected real numbers"),
    (lambda: blockfw.Points([0], [1], [10**30]), ValueError, "the length 1(0*) of leg 0 is not a number of type float64"),
    (lambda: blockfw.Points(np.ma.masked_array([0], [True]), [1]), ValueError, "one of the points is masked"),
    (lambda: blockfw.Points([2**31 - 1], [1]), ValueError, "points lie between 0 and 2.*31 - 2, found 2147483647"),
    (lambda: blockfw.Points([3], [1], count=3), ValueError, "the number of points is 3, expected 4 to 2147483647"),
    (lambda: blockfw.Points([3], [1], count=4.5), TypeError, "float"),
    (lambda: NET.table(blockfw.Points([0], [4]), [0]), ValueError, "leg 0: vertex 4 is out of range, expected 0 to 3"),
    (lambda: NET.table(blockfw.Points([0], [1], [0.5]), [0]), ValueError,
     "leg 0: the length 0.5 of point 0 is not a number of type int32"),
    (lambda: NET.table(blockfw.Points([0], [1], [np.nan]), [0]), ValueError, "leg 0: the length nan of point 0 is not a"),
    (lambda: NET.table(blockfw.Points([0], [1], [-np.inf]), [0]), ValueError, "leg 0: the length -inf of point 0"),
    (lambda: NET.table(blockfw.Points([0], [1], [2**30]), [0]), OverflowError,
     "leg 0: the length 1073741824 of point 0 reaches infinity, 1073741823, in int32"),
    (lambda: NET.table(blockfw.Points([0], [0], [2**30 - 2]), [1]), OverflowError,
     "point 0: the sum of a leg and a distance leaves the distances of int32"),
    (lambda: NET.table(POINTS, [4]), ValueError, "vertex 4 is out of range, expected 0 to 3"),
    (lambda: NET.table(POINTS, [0], out=np.empty((2, 1), np.int32)), ValueError, r"out has the shape \(2, 1\)"),
    (lambda: NET.distances(POINTS, [0, 1]), ValueError, "there are 1 sources and 2 targets, expected as many of each"),
    (lambda: NET.nearest(POINTS, 0), ValueError, "the number of nearest places is 0, expected 1 or more"),
    (lambda: NET.within(POINTS, np.nan), ValueError, "the limit is NaN, expected a number"),
    (lambda: NET.within(POINTS, [1, 2]), ValueError, "there are 1 sources and 2 limits, expected as many of each"),
    (lambda: NET.count_within(POINTS, []), ValueError, "there are no limits, expected 1 or more"),
    (lambda: NET.path(POINTS, 0), TypeError, "Points"),
    (lambda: NET.paths(POINTS, [0]), TypeError, "the sources are Points, expected vertices; table, distances"),
    (lambda: NET.hourly([[1, 1, 1]]).table(POINTS, [0]), TypeError, "the sources are Points, expected vertices"),
    (lambda: NET.edge_loads([0], POINTS), TypeError, "the targets are Points, expected vertices"),
    (lambda: blockfw.Network(([0], [1], [2**61])).on_edge([0], 0.5), ValueError, "the weight 2305843009213693952 of edge 0 is 2.53"),
    (lambda: blockfw.Network(([0], [1])).table(NET.on_edge([0], 1), [0]), ValueError,
     "the points lie on edges of a network of 3 edges, this one has 1"),
    (lambda: NET.on_edge([0]), TypeError, "takes fraction or at, one of both"),
    (lambda: NET.on_edge([0], 0.5, at=[1]), TypeError, "takes fraction or at, one of both"),
    (lambda: NET.on_edge(0, 0.5), ValueError, "the edges are an array of 0 dimensions"),
    (lambda: NET.on_edge([3], 1), ValueError, "place 0: edge 3 is out of range, expected 0 to 2"),
    (lambda: NET.on_edge(np.array([-1], np.int32), 1), ValueError, "place 0: edge -1 is out of range, expected 0 to 2"),
    (lambda: NET.on_edge([0], 1.5), ValueError, "place 0: the fraction is 1.5, expected 0 to 1"),
    (lambda: NET.on_edge([0], np.nan), ValueError, "place 0: the fraction is nan, expected 0 to 1"),
    (lambda: NET.on_edge([1, 0], [0.5, 0.3]), ValueError,
     "place 1: 0.3 of the weight 5 of edge 0 is no whole number, as distances of int32 are; pass at= a whole number"),
    (lambda: NET.on_edge([0], at=[6]), ValueError, "place 0: the position 6 is not on edge 0 from 0 to 1, expected 0 to 5"),
    (lambda: NET.on_edge([2], at=[1]), ValueError, "place 0: the position 1 is not on edge 2 from 2 to 3, expected -2 to 0"),
    (lambda: NET.on_edge([0], at=[0.5]), ValueError, "place 0: the position 0.5 of point 0 is not a number of type int32"),
    (lambda: NET.on_edge([0, 1], at=[1]), ValueError, r"the positions have the shape \(1,\), expected \(2,\)"),
    (lambda: NET.on_edge([1, 0], np.ma.masked_array([0.5, 1], [False, True])), ValueError,
     "the number of place 1 is masked, expected where it is on its edge"),
    (lambda: NET.on_edge([0, 0], [0, 1], point=[1, 1]), ValueError, "point 1 has two places on edge 0, expected one"),
    (lambda: NET.on_edge([0, 1], 0, point=[1]), ValueError, "there are 2 edges and 1 points of places"),
    (lambda: NET.on_edge([0], 0, count=0), ValueError, "the number of points is 0, expected 1 to"),
])
def test_errors(call, error, says):
    with pytest.raises(error, match=says):
        call()
