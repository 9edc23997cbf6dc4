# SPDX-License-Identifier: MIT
"""Networks of roads with turns."""
import operator

import numpy as np

from . import _core
from ._input import infinity
from ._network import Network, _mask_of, _read, _weights, along, count_within, edge_loads, hourly, within
from ._points import Points, PointsOnEdges, _indices, _list, _numbers
from ._solve import shown
from ._summaries import Summaries

_U_TURNS = "allowed", "forbidden", "dead_ends"


class _Made(Points):
    """Points that the compiled part has made for one network."""

    __slots__ = ("_ends",)

    def __init__(self, ends):
        self._ends = ends

    def __len__(self):
        return len(self._ends)

    def _made(self, core):
        return self._ends


class _Turns:
    """A caller's turns and rules, as the compiled part takes them."""

    __slots__ = ("from_", "to", "costs", "mask", "only_from", "only_to", "u_turns", "u_turn_cost")

    def __init__(self, turns, only, u_turns, u_turn_cost):
        nothing = np.zeros(0, np.int32)
        turns = (nothing, nothing) if turns is None else turns
        only = (nothing, nothing) if only is None else only
        if not isinstance(turns, tuple) or len(turns) not in (2, 3):
            raise ValueError("turns are a tuple (from, to) or (from, to, costs)")
        if not isinstance(only, tuple) or len(only) != 2:
            raise ValueError("only is a tuple (from, to)")
        self.from_, self.to = _indices(turns[0], "roads"), _indices(turns[1], "roads")
        self.only_from, self.only_to = _indices(only[0], "roads"), _indices(only[1], "roads")
        for what, a, b in ("turns", self.from_, self.to), ("pairs of only", self.only_from, self.only_to):
            if a.size != b.size:
                raise ValueError(f"the {what} lead from {a.size} roads to {b.size}, expected as many of each")
        self.costs, self.mask = (None, None) if len(turns) < 3 or turns[2] is None else \
            _numbers(turns[2], self.from_.size, "costs", "turn")
        if not isinstance(u_turns, str) or u_turns not in _U_TURNS:
            raise ValueError(f"u_turns is {u_turns!r}, expected 'allowed', 'forbidden' or 'dead_ends'")
        self.u_turns = u_turns
        self.u_turn_cost = None
        if u_turn_cost is not None:
            if u_turns == "forbidden":
                raise ValueError("u_turn_cost is given, and u_turns='forbidden' allows no U-turn")
            masked = bool(np.ma.is_masked(u_turn_cost))
            if masked or np.ndim(u_turn_cost) != 0:
                raise ValueError(f"u_turn_cost is {'masked' if masked else repr(u_turn_cost)}, expected one number; "
                                 "u_turns='forbidden' forbids U-turns")
            self.u_turn_cost, _ = _numbers(u_turn_cost, 1, "costs", "rule of U-turns")

    def arguments(self):
        return tuple(getattr(self, name) for name in self.__slots__)


def by_roads(edges, turns=None, *, only=None, u_turns="allowed", u_turn_cost=None, directed=None, dtype=None, order="auto",
             vertices=None, network=None, progress=False, strict_cycles=False):
    """A network whose paths obey turns: some are forbidden, some cost time, and a rule tells where one may turn back.

    edges        the roads, in any form that Network takes, or a network of them: a Network, a NamedNetwork, a
                 RoadNetwork. Of a RoadNetwork the edges count, not its turns. Road e is edge e. If the edges are not directed, road m + e leads along edge e in the other
                 direction, where m is their number
    turns        a tuple (from, to) or (from, to, costs) of arrays: turns from the end of a road to the start of a road. A
                 cost is added to the length of a path. A turn of cost inf, in integers infinity(dtype), or of a masked
                 cost is forbidden; without costs, all are. A turn that is not listed costs nothing
    only         a tuple (from, to) of arrays: all other turns from the road are forbidden, as by a sign "only straight on"
    u_turns      where a turn from a road u -> v into a road v -> u is allowed that is not listed: "allowed" (everywhere),
                 "forbidden", or "dead_ends", where each road that begins at v is a U-turn. A closed road counts as any
                 other. An edge that is not directed has one U-turn at each end: back along itself
    u_turn_cost  the cost of U-turns that the rule allows
    directed, dtype, order, vertices, progress, strict_cycles
                 as for Network; an order is one of the vertices
    network      the plain network of the same edges, turns and rules, out of a file of roads.network.save(path). Then nothing
                 is eliminated

    Returns a RoadNetwork, which answers questions about the same vertices. Of a NamedNetwork it is a NamedNetwork of roads.

    A vertex is parted only where turns need it: into the classes of arriving roads that continue alike. So a network with
    few turns costs little more than the plain one. A rule for U-turns parts nearly all vertices, into about three each.

    A restriction of OpenStreetMap names a way, a vertex, and a way. Its turn leads from the road of the first that ends at
    the vertex to the road of the second that begins there. An "only_..." restriction is a pair of only.

    Raises NegativeCycleError (SciPy's); ValueError, TypeError for bad arguments, roads that do not meet, two costs of a
    turn, a number that dtype does not hold exactly; OverflowError where sums could exceed an integer dtype; MemoryError
    before memory that is not there is taken.

    >>> import blockfw
    >>> streets = [0, 1, 1, 3], [1, 2, 3, 1], [10, 10, 5, 5]
    >>> blockfw.Network(streets).table([0], [2])
    array([[20]])
    >>> roads = blockfw.by_roads(streets, ([0], [1]))           # not from the first street into the second
    >>> roads
    RoadNetwork(vertices=4, edges=4, dtype=int64, directed=True)
    >>> roads.table([0], [2])
    array([[30]])
    >>> roads.path(0, 2)                                        # the streets of the way
    array([0, 2, 3, 1], dtype=int32)
    >>> blockfw.by_roads(streets, ([0], [1]), u_turns="dead_ends", u_turn_cost=60).table([0], [2])
    array([[90]])
    >>> named = blockfw.NamedNetwork(blockfw.Network(streets), ["a", "b", "c", "d"])
    >>> blockfw.by_roads(named, ([0], [1])).path("a", "c").tolist()
    ['a', 'b', 'd', 'b', 'c']
    """
    from ._named import NamedNetwork  # (which has networks of roads)

    names = edges if isinstance(edges, NamedNetwork) else None
    edges = edges if names is None else names.network
    if isinstance(edges, (Network, RoadNetwork)):
        directed = edges.directed if directed is None else directed
        dtype = edges.dtype if dtype is None else dtype
        vertices = len(edges) if vertices is None else vertices
        if names is not None and operator.index(vertices) != len(names):
            raise ValueError(f"vertices is {vertices}, and the network has {len(names)} ids, expected as many")
        from_, to, weights = edges.edges
        if weights.dtype.kind == "i":  # (a closed edge is closed in any dtype)
            weights = np.ma.masked_equal(weights, infinity(weights.dtype))
        edges = from_, to, weights
    graph, mask, directed, dtype = _read(edges, vertices, directed, dtype)
    turns = _Turns(turns, only, u_turns, u_turn_cost)
    places = None
    if not isinstance(order, str):
        order, places = "auto", _list(order, "vertices of the order")
    make = getattr(_core, f"RoadNetwork_{dtype}")
    given = graph.n, graph.from_, graph.to, graph.weights, mask, *turns.arguments(), directed
    if network is not None:
        if not isinstance(network, Network):
            raise TypeError(f"the network is of type {type(network).__name__}, expected a Network")
        if network.dtype != dtype:
            raise ValueError(f"the network has distances of {network.dtype}, expected {dtype}")
        if places is not None or order != "auto" or progress or strict_cycles:
            raise ValueError("network is given with order, progress or strict_cycles, which are for an elimination")
        core = make.of_network(network._core, *given)
    else:
        with shown(progress) as progress:
            core = make(*given, order, places, bool(strict_cycles), progress)
    roads = object.__new__(RoadNetwork)._hold(core, dtype, turns)
    return roads if names is None else names._of(roads)


def _of_parts(dtype, n, edges, turns, directed, network):
    """The network of a pickle."""
    dtype = np.dtype(dtype)
    held = object.__new__(_Turns)
    for name, value in zip(_Turns.__slots__, turns):
        setattr(held, name, value)
    core = getattr(_core, f"RoadNetwork_{dtype}").of_network(network._core, n, *edges, None, *turns, directed)
    return object.__new__(RoadNetwork)._hold(core, dtype, held)


class RoadNetwork(Summaries):
    """The result of by_roads: roads with turns, prepared for many questions about vertices and Points.

    It never changes, any number of threads may ask it, and a pickle of it has all numbers. A file of network.save() has no
    turns: by_roads takes it with the same edges and turns, network=blockfw.Network.load(path). Distances have its dtype. A
    path starts and ends without a turn. From a vertex to itself the empty path counts, too: the distance is 0, or less
    where a way back is negative. Its methods raise ValueError for a vertex that is not there.

    Points have legs to vertices of the roads (Points), or places on edges (on_edge). A path to a place comes by a turn
    into its road, whose cost counts.
    """

    __slots__ = ("_core", "_dtype", "_heads", "_net", "_reached", "_second", "_turns", "__weakref__")

    def __init__(self):
        raise TypeError("a RoadNetwork is made by by_roads()")

    def _hold(self, core, dtype, turns):
        self._core = core
        self._dtype = dtype
        self._turns = turns
        self._reached = {}
        self._second = None
        self._heads = None
        self._net = object.__new__(Network)._hold(core.network(), dtype)
        return self

    @property
    def vertices(self):
        """The number of vertices."""
        return self._core.vertices

    @property
    def edges(self):
        """The edges in the caller's order, (from, to, weights), as in a Network."""
        from_, to, weights = self._core.edges()
        return from_, to, weights.view(self._dtype)

    @property
    def dtype(self):
        """The type of the distances."""
        return self._dtype

    @property
    def directed(self):
        """Whether the edges lead in one direction."""
        return self._core.directed

    @property
    def network(self):
        """The plain Network that answers. Its vertices are classes of arriving roads; its size tells how much larger turns make it.
        It answers about its own vertices and edges, not about points of the roads.

        >>> import blockfw
        >>> blockfw.by_roads(([0, 1, 1, 3], [1, 2, 3, 1], [10, 10, 5, 5]), ([0], [1])).network
        Network(vertices=5, edges=5, dtype=int64, directed=True)
        """
        return self._net

    def __len__(self):
        return self._core.vertices

    def __repr__(self):
        return (f"RoadNetwork(vertices={self.vertices}, edges={self._core.edge_count}, dtype={self._dtype}, "
                f"directed={self.directed})")

    def _is_symmetric(self):
        return False  # (turns make distances differ, also where no edge is directed)

    def __copy__(self):
        return self

    def __deepcopy__(self, memo):
        return self

    def __reduce__(self):
        return _of_parts, (str(self._dtype), self.vertices, self._core.edges(), self._turns.arguments(), self.directed,
                           self._net)

    def _points(self, given, name):
        """A list of vertices, or Points, for the plain network."""
        return _Made(self._made(given, name))

    def _all(self):
        return _Made(self._core.points_at(np.arange(self.vertices, dtype=np.int32)))

    def on_edge(self, edge, fraction=None, *, at=None, point=None, count=None):
        """Points that lie on edges, as on_edge of a Network. On an edge that is not directed a path may leave and arrive in
        either direction.

        >>> import blockfw
        >>> roads = blockfw.by_roads(([0, 1, 1, 3], [1, 2, 3, 1], [10, 10, 5, 5]), ([0], [1]))
        >>> house = roads.on_edge([0], at=[4])
        >>> roads.table(house, [1, 2])
        array([[ 6, 26]])
        """
        points = PointsOnEdges(edge, fraction, at, point, count, self._core.edge_count)
        points._made(self._core)  # (raises the errors of the points)
        return points

    def table(self, sources, targets, out=None):
        """The distances from some vertices (or Points) to others: (len(sources), len(targets)), of dtype.

        out  as for Network.table

        It takes the time of the plain network's table, with a target for each class of roads that arrive.

        >>> import blockfw
        >>> roads = blockfw.by_roads(([0, 1, 2], [1, 2, 0], [4, 5, 6]), ([0, 1], [1, 2], [1, 2]))
        >>> roads.table([0, 1], [0, 1, 2])
        array([[ 0,  4, 10],
               [13,  0,  5]])
        """
        return self._net.table(self._points(sources, "sources"), self._points(targets, "targets"), out)

    def distances(self, sources, targets):
        """The distances of pairs: entry i, of dtype, is that from sources[i] to targets[i].

        A pair takes as long as pairs of the plain network, one for each class of roads that arrive at its target.

        Raises ValueError for lists of different lengths.
        """
        return self._net.distances(self._points(sources, "sources"), self._points(targets, "targets"))

    def rows(self, sources, out=None):
        """The distances from some vertices (or Points) to all vertices: (len(sources), n), of dtype.

        out  as for Network.table

        It takes the time of rows of the plain network and of their n smallest numbers, and memory for the result and some
        rows of the plain network.
        """
        return self._net.table(self._points(sources, "sources"), self._all(), out)

    def nearest(self, places, count=1, *, of=None):
        """For each vertex the nearest of some places, as nearest of a Network has it.

        places  vertices, or Points
        count   places of each vertex
        of      some vertices, or Points; without, all vertices
        """
        return self._net.nearest(self._points(places, "places"), count,
                                 of=self._all() if of is None else self._points(of, "vertices"))

    def within(self, sources, limit, *, csr=True):
        """The vertices within a limit of each source, with their distances, as within of a Network has them.

        limit  the largest distance; a path of this length is within it. Or a list, with a limit for each source
        csr    False: return arrays

        >>> import blockfw
        >>> roads = blockfw.by_roads(([0, 1, 1, 3], [1, 2, 3, 1], [10, 10, 5, 5]), ([0], [1]))
        >>> roads.within([0], 25, csr=False)
        (array([0, 3]), array([0, 1, 3], dtype=int32), array([ 0, 10, 15]))
        """
        return within(self._core, self._dtype, self._points(sources, "sources")._ends, limit, csr)

    def count_within(self, sources, limit):
        """The number of vertices within a limit of each source, in the time of within: int64.

        limit  the largest distance, or a list of limits: then the result has a column for each

        >>> import blockfw
        >>> roads = blockfw.by_roads(([0, 1, 1, 3], [1, 2, 3, 1], [10, 10, 5, 5]), ([0], [1]))
        >>> roads.count_within([0, 1], [10, 25])
        array([[2, 3],
               [3, 3]])
        """
        return count_within(self._core, self._dtype, self._points(sources, "sources")._ends, limit)

    def path(self, i, j):
        """The roads of a shortest path from vertex i to vertex j, as int32: road e is edge e, and road m + e is edge e in
        the other direction. Without a path, none; none, too, where the empty path is best.

        Of parallel roads the one that is taken; of equally long ones the first.
        """
        return self.paths([operator.index(i)], [operator.index(j)])[1]

    def path_edges(self, i, j):
        """The edges of path(i, j) in its order, in either direction: int64, their indices in `edges`."""
        return self.paths([operator.index(i)], [operator.index(j)], edges=True)[1]

    def paths(self, sources, targets, *, edges=False):
        """The roads of shortest paths of pairs of vertices, as (offsets, roads): the path from sources[p] to targets[p] is
        roads[offsets[p]:offsets[p + 1]]. Of int64 and int32.

        edges  True: their edges in place of the roads, as int64

        Raises ValueError for lists of different lengths.

        >>> import blockfw
        >>> roads = blockfw.by_roads(([0, 1], [1, 2], [5, 2]), directed=False)
        >>> roads.paths([0, 2, 1], [2, 0, 1])
        (array([0, 2, 4, 4]), array([0, 1, 3, 2], dtype=int32))
        >>> roads.paths([0, 2, 1], [2, 0, 1], edges=True)
        (array([0, 2, 4, 4]), array([0, 1, 1, 0]))
        """
        sources, targets = _list(sources, "sources"), _list(targets, "targets")
        if edges:
            offsets, found = (array.view(np.int64) for array in self._core.path_edges(sources, targets))
            return offsets, found
        offsets, roads = self._core.paths(sources, targets)
        return offsets.view(np.int64), roads

    def _vertex_paths(self, sources, targets):
        """The vertices of these paths, as paths() of a Network has them."""
        offsets, roads = self.paths(sources, targets)
        if self._heads is None:  # (of each road the vertex at its end)
            from_, to, _ = self.edges
            self._heads = to if self.directed else np.concatenate([to, from_])
        sources = _list(sources, "sources")
        there = (np.diff(offsets) > 0) | (sources == _list(targets, "targets"))
        vertices = np.insert(self._heads[roads], offsets[:-1][there], sources[there])
        return offsets + np.concatenate([[0], np.cumsum(there)]), vertices

    def edge_loads(self, sources, targets, demand=None, *, progress=False):
        """How much demand uses each edge, in either direction, as (loads, unserved): edge_loads of a Network, along paths
        that obey the turns. OverflowError also where a sum of integers does not fit.

        >>> import blockfw
        >>> roads = blockfw.by_roads(([0, 1, 1, 3], [1, 2, 3, 1], [10, 10, 5, 5]), ([0], [1]))
        >>> roads.edge_loads([0, 3], [2, 2], [100, 30])
        (array([100., 130., 100., 130.]), 0.0)
        """
        return edge_loads(self._core, sources, targets, demand, progress)

    def along(self, second, sources, targets, *, pairs=False):
        """Sums of a second weight along the shortest paths, as along of a Network has them: the metres of the fastest ways.

        second   a number for each edge, in the order of edges. A turn has no second weight, also where it costs something
        sources, targets
                 vertices, or Points: on edges, or with second lengths
        pairs    True: of pairs, as distances; without, of all sources to all targets, as table

        >>> import blockfw
        >>> roads = blockfw.by_roads(([0, 1, 1, 3], [1, 2, 3, 1], [10, 10, 5, 5]), ([0], [1]))
        >>> roads.along([1, 2, 3, 4], [0], [1, 2])
        array([[ 1, 10]])
        """
        return along(self, second, *self._ends((sources, "sources"), (targets, "targets")), pairs)

    def hourly(self, weights):
        """The same roads and turns with several sets of weights at once, as hourly of a Network has them.

        weights  an array with a row for each set, of a number for each edge

        Returns WeightSets. All sets have the turns of these roads, at the same costs.

        >>> import blockfw
        >>> roads = blockfw.by_roads(([0, 1, 1, 3], [1, 2, 3, 1], [10, 10, 5, 5]), ([0], [1]))
        >>> roads.hourly([[10, 10, 5, 5], [10, 10, 5, 9]]).table([0], [2]).tolist()
        [[[30]], [[34]]]
        """
        return hourly(self, weights)

    def with_weights(self, weights):
        """The same roads and turns with other weights, which takes a fraction of the time of a new network.

        weights  a number for each edge, as for Network.with_weights

        Returns a RoadNetwork of the same dtype; this one stays as it is.

        Raises ValueError for another number of weights, and the errors of by_roads.
        """
        held = _weights(weights)
        return self._of(self._core.with_weights(held, _mask_of(weights, held.shape)))

    def update(self, from_, to, weights):
        """The same with other weights of some edges, as update of a Network has it: all edges from from_[i] to to[i] get
        the weight.

        Returns a RoadNetwork of the same dtype; this one stays as it is.

        Raises ValueError for an edge that the network does not have, and the errors of by_roads.

        >>> import blockfw
        >>> roads = blockfw.by_roads(([0, 1, 1, 3], [1, 2, 3, 1], [10, 10, 5, 5]), ([0], [1]))
        >>> roads.update([3], [1], [1]).distances([0], [2])
        array([26])
        """
        held = _weights(weights)
        return self._of(self._core.with_changes(_list(from_, "vertices"), _list(to, "vertices"), held,
                                                _mask_of(weights, held.shape)))

    def _of(self, core):
        """The same turns with other weights."""
        return object.__new__(RoadNetwork)._hold(core, self._dtype, self._turns)
