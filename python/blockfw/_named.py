# SPDX-License-Identifier: MIT
"""Networks whose vertices have the caller's ids: the nodes of a graph of NetworkX's, the ids of a table."""
import functools
import inspect

import numpy as np

from ._input import is_networkx, vertices as as_vertices
from ._network import Network
from ._points import Points
from ._roads import RoadNetwork

_LARGEST = np.iinfo(np.int64).max


def _is_missing(given):
    """Whether it is None, NaN, NaT or pandas.NA: values for a missing one, which are not equal to themselves."""
    try:
        return given is None or bool(given != given)
    except (TypeError, ValueError):  # (pandas.NA is neither true nor false)
        return True


def _listed(given, what):
    """A caller's ids as an array of int64, or as a list. Raises TypeError for what is no list."""
    array = given.to_numpy() if hasattr(given, "to_numpy") else given
    if isinstance(array, np.ndarray) and array.ndim == 1:
        kind = array.dtype.kind
        if not np.ma.is_masked(array) and (kind == "i" or (kind == "u" and array.max(initial=0) <= _LARGEST)):
            return np.asarray(array, np.int64)
        listed = list(array) if kind in "mM" else array.tolist()  # (which would make numbers of times)
    else:
        try:
            if isinstance(array, (str, bytes)):
                raise TypeError
            listed = list(array)
        except TypeError:
            raise TypeError(f"{what} is {given!r}, expected a list of ids") from None
    if listed and all(type(x) is int or isinstance(x, np.integer) for x in listed):
        try:
            return np.array([int(x) for x in listed], np.int64)
        except OverflowError:  # (more than 64 bits)
            pass
    return listed


class _Ids:
    """The ids of the vertices 0, 1, ... Integers of 64 bits are found in sorted order, others by a dict."""

    __slots__ = ("array", "_order", "_sorted", "_index")

    def __init__(self, ids):
        listed = _listed(ids, "ids")
        self._index = self._order = self._sorted = None
        if isinstance(listed, np.ndarray):
            self.array = listed.copy()
            self._order = np.argsort(listed, kind="stable").astype(np.int32)
            self._sorted = listed[self._order]
            twice = np.flatnonzero(self._sorted[1:] == self._sorted[:-1])
            if twice.size > 0:
                raise self._occurs_twice(*self._order[twice[0]:twice[0] + 2].tolist())
        else:
            self.array = np.empty(len(listed), object)
            for v, x in enumerate(listed):  # (a tuple, too, is one id)
                self.array[v] = x
            index = self._by_dict()
            if len(index) < len(listed):
                v = next(v for v, x in enumerate(listed) if index[x] != v)
                raise self._occurs_twice(v, index[listed[v]])
        self.array.flags.writeable = False

    def _occurs_twice(self, u, v):
        return ValueError(f"vertices {u} and {v} have the id {self.array.tolist()[u]!r}, expected different ids")

    def _by_dict(self):
        if self._index is None:
            index = {}
            for v, x in enumerate(self.array.tolist()):
                if _is_missing(x):
                    raise ValueError(f"the id of vertex {v} is {x!r}, expected one that is there")
                try:
                    index[x] = v
                except TypeError:
                    raise TypeError(f"the id of vertex {v} is {x!r}, expected one that can be the key of a dict") from None
            self._index = index
        return self._index

    def _find(self, listed):
        """The vertices of some ids as int32, and the place of the first that is none, or None."""
        if len(listed) == 0:
            return np.zeros(0, np.int32), None
        if isinstance(listed, np.ndarray) and self._order is not None and self._order.size > 0:
            at = np.minimum(np.searchsorted(self._sorted, listed), self._sorted.size - 1)
            unknown = np.flatnonzero(self._sorted[at] != listed)
            return self._order[at], int(unknown[0]) if unknown.size > 0 else None
        index, found = self._by_dict(), np.empty(len(listed), np.int32)
        for k, x in enumerate(listed if isinstance(listed, list) else listed.tolist()):
            try:
                found[k] = index[x]
            except (KeyError, TypeError):  # (without a hash it is no id)
                return found, k
        return found, None

    def vertices(self, given, what):
        """The vertices of a list of ids, as int32. Raises ValueError for an id that is none, TypeError for what is no
        list."""
        listed = _listed(given, what)
        found, unknown = self._find(listed)
        if unknown is not None:
            id = listed[unknown]
            raise ValueError(f"{what}[{unknown}] is {id.item() if isinstance(id, np.generic) else id!r}, expected the id of "
                             "a vertex of the network")
        return found

    def vertex(self, given, what):
        """The vertex of an id. Raises ValueError for an id that is none."""
        found, unknown = self._find(_listed([given], what))
        if unknown is not None:
            raise ValueError(f"{what} is {given!r}, expected the id of a vertex of the network")
        return int(found[0])

    def __contains__(self, given):
        return self._find(_listed([given], "id"))[1] is None

    def of_vertices(self, given, none, what):
        """A value for each vertex: a list is used as it is, a dict or a Series has values by ids, other vertices get
        `none`."""
        if not hasattr(given, "items"):
            return given
        items = list(given.items())
        at, held = self.vertices([id for id, _ in items], what), np.asarray([value for _, value in items])
        order = np.argsort(at, kind="stable")
        twice = np.flatnonzero(at[order][1:] == at[order][:-1])
        if twice.size > 0:
            raise ValueError(f"{what} has the id {items[order[twice[0]]][0]!r} twice, expected one value for each id")
        values = np.full(self.array.size, none, np.result_type(np.asarray(none), held))
        values[at] = held
        return values


def _same(name):
    """A member of Network, of which no argument and no result is a vertex."""
    member = inspect.getattr_static(Network, name)
    if isinstance(member, property):
        return property(lambda self: getattr(self.network, name), doc=member.__doc__)

    @functools.wraps(member)
    def call(self, *args, **kwargs):
        return getattr(self.network, name)(*args, **kwargs)

    return call


class NamedNetwork:
    """A Network whose questions take and give ids in place of vertices: the nodes of a graph, the keys of a table.

    network  a Network, or a RoadNetwork
    ids      an id for each vertex: integers, strings, tuples, or anything that can be the key of a dict
    keys     for each edge a key that tells it from parallel edges, for edge_names; None: edges have no keys

    Network.from_networkx and Network.from_pandas make one; by_roads(named, turns) makes one of roads with turns. It has the
    methods of Network, which documents their arguments, costs and errors. Of roads it has those of RoadNetwork, which keeps
    no labels, but a path is of ids. Arrays with an entry for each vertex (of rows, group_sums and the measures) have the
    order of ids. It never changes, and a pickle of it has everything. A file of network.save() has no ids: keep them
    beside it, and make NamedNetwork(Network.load(path), ids, keys). Of roads the file is that of network.network.save(), for
    by_roads(named, turns, network=Network.load(path)), where `named` has the ids.

    Edges are told by their indices in the caller's order, as in a Network; edge_names has their names. Points may
    replace a list of ids, as in a Network: on_edge makes them, and so does Points(point, net.vertices_of(ids), length).

    Raises ValueError for another number of ids or keys, an id that is missing (None, NaN) or that occurs twice. The methods
    raise ValueError for an id that is no vertex's; they say which, and where. Other errors, of cycles and of edges, name
    vertices: net.ids[v] is the id of vertex v.

    >>> import blockfw
    >>> net = blockfw.NamedNetwork(blockfw.Network(([0, 1, 2], [1, 2, 3], [5, 2, 1])), ["a", "b", "c", "d"])
    >>> net
    NamedNetwork(vertices=4, edges=3, dtype=int64, directed=True)
    >>> net.table(["a", "b"], ["c", "d"])
    array([[7, 8],
           [2, 3]])
    >>> net.path("a", "d").tolist()
    ['a', 'b', 'c', 'd']
    >>> net.table(["a"], ["e"])
    Traceback (most recent call last):
    ValueError: targets[0] is 'e', expected the id of a vertex of the network
    """

    __slots__ = ("network", "_ids", "_keys", "__weakref__")

    def __init__(self, network, ids, keys=None):
        if not isinstance(network, (Network, RoadNetwork)):
            raise TypeError(f"the network is of type {type(network).__name__}, expected a Network or a RoadNetwork")
        self._ids = ids if isinstance(ids, _Ids) else _Ids(ids)
        if self.ids.size != len(network):
            raise ValueError(f"there are {self.ids.size} ids, expected {len(network)}, one for each vertex")
        edges = network._core.edge_count
        keys = None if keys is None else list(keys)
        if keys is not None and len(keys) != edges:
            raise ValueError(f"there are {len(keys)} keys, expected {edges}, one for each edge")
        self.network = network  #: the Network, or the RoadNetwork, of the vertices 0, 1, ...
        self._keys = keys

    def _of(self, network):
        """The same with another network of the same edges."""
        return NamedNetwork(network, self._ids, self._keys)

    def __reduce__(self):
        return NamedNetwork, (self.network, self.ids, self._keys)

    def __copy__(self):
        return self

    def __deepcopy__(self, memo):
        return self

    def __repr__(self):
        return f"Named{self.network!r}"

    def __len__(self):
        return len(self.network)

    def __contains__(self, id):
        """Whether it is the id of a vertex."""
        return id in self._ids

    @property
    def ids(self):
        """The ids of the vertices 0, 1, ...: an array of int64 where all are integers of 64 bits, else of objects."""
        return self._ids.array

    def vertices_of(self, ids):
        """The vertices of ids, as int32: the columns of rows, the places of an array that has the order of ids.

        >>> import blockfw
        >>> net = blockfw.NamedNetwork(blockfw.Network(([0], [1])), [170, 160])
        >>> net.vertices_of([160, 170])
        array([1, 0], dtype=int32)
        """
        return self._ids.vertices(ids, "ids")

    vertices = _same("vertices")
    dtype = _same("dtype")
    directed = _same("directed")

    @property
    def edges(self):
        """The edges in the caller's order, (from, to, weights), the ends as ids."""
        from_, to, weights = self.network.edges
        return self.ids[from_], self.ids[to], weights

    def edge_names(self, edges=None):
        """The names of edges by their indices in the caller's order, of all without: a list of (u, v), or of (u, v, key) where
        edges have keys, as NetworkX has them.

        Raises IndexError for an edge that is not there, ValueError for a negative number.

        >>> import blockfw
        >>> net = blockfw.NamedNetwork(blockfw.Network(([0, 0], [1, 1])), ["a", "b"], keys=["road", "rail"])
        >>> net.edge_names([1])
        [('a', 'b', 'rail')]
        """
        from_, to, _ = self.network.edges
        which = np.arange(from_.size) if edges is None else as_vertices(np.asarray(edges).reshape(-1), "edges")
        if which.size > 0 and which.max() >= from_.size:
            raise IndexError(f"edge {which.max()} is out of range, expected 0 to {from_.size - 1}")
        ends = self.ids[from_[which]].tolist(), self.ids[to[which]].tolist()
        return list(zip(*ends) if self._keys is None else zip(*ends, (self._keys[e] for e in which.tolist())))

    def edges_of(self, names):
        """The indices of edges by their names in edge_names(): a list of (u, v), or of (u, v, key) where edges have keys. With
        keys, (u, v) is the edge from u to v if there is one alone. O(edges) for each call.

        Raises ValueError for a name that no edge has, or that several have.

        >>> import blockfw
        >>> net = blockfw.NamedNetwork(blockfw.Network(([0, 0, 1], [1, 1, 0])), ["a", "b"], keys=["road", "rail", "road"])
        >>> net.edges_of([("b", "a"), ("a", "b", "rail")])
        array([2, 1])
        """
        found = {}
        for e, name in enumerate(self.edge_names()):
            for of_edge in (name, name[:2]) if self._keys is not None else (name,):
                found[of_edge] = e if of_edge not in found else None
        names = list(names)
        edges = np.empty(len(names), np.int64)
        for i, name in enumerate(names):
            try:
                edge = found[tuple(name)]
            except (KeyError, TypeError):
                raise ValueError(f"names[{i}] is {name!r}, expected the name of an edge of the network") from None
            if edge is None:
                raise ValueError(f"names[{i}] is {name!r}, which is the name of several edges")
            edges[i] = edge
        return edges

    def _ends(self, given, what):
        """The vertices of a list of ids, or Points as they are."""
        return given if isinstance(given, Points) else self._ids.vertices(given, what)

    on_edge = _same("on_edge")

    def table(self, sources, targets, out=None):
        """The distances from some ids (or Points) to others: (len(sources), len(targets)), as Network.table.

        >>> import blockfw
        >>> net = blockfw.NamedNetwork(blockfw.Network(([0, 1], [1, 2], [4, 5])), ["a", "b", "c"])
        >>> net.table(["a", "b"], ["c"])
        array([[9],
               [5]])
        """
        return self.network.table(self._ends(sources, "sources"), self._ends(targets, "targets"), out)

    def frame(self, sources, targets):
        """The same as a DataFrame of pandas, whose index and columns are the ids.

        Raises ImportError where there is no pandas.
        """
        try:
            import pandas
        except ImportError:
            raise ImportError("frame() returns a DataFrame of pandas, which is not here; table() returns an array") from None
        sources, targets = _listed(sources, "sources"), _listed(targets, "targets")
        return pandas.DataFrame(self.table(sources, targets), pandas.Index(list(sources), tupleize_cols=False),
                                pandas.Index(list(targets), tupleize_cols=False))

    def distances(self, sources, targets):
        """The distances of pairs: entry i is that from sources[i] to targets[i], as Network.distances.

        >>> import blockfw
        >>> net = blockfw.NamedNetwork(blockfw.Network(([0, 1], [1, 2], [4, 5])), ["a", "b", "c"])
        >>> net.distances(["a", "b"], ["c", "b"])
        array([9, 0])
        """
        return self.network.distances(self._ends(sources, "sources"), self._ends(targets, "targets"))

    def keep_labels(self, memory=None):
        """Keeps labels for many single distances and paths, as Network.keep_labels, and returns the network."""
        self.network.keep_labels(memory)
        return self

    has_labels = _same("has_labels")
    label_bytes = _same("label_bytes")

    def rows(self, sources, out=None):
        """The distances from some ids (or Points) to all: (len(sources), n), as Network.rows. Column v is that of ids[v].

        >>> import blockfw
        >>> net = blockfw.NamedNetwork(blockfw.Network(([0, 1], [1, 2], [4, 5])), ["a", "b", "c"])
        >>> net.rows(["a"])
        array([[0, 4, 9]])
        """
        return self.network.rows(self._ends(sources, "sources"), out)

    def blocks(self, rows=None):
        """All distances, some rows at a time, as Network.blocks: pairs (sources, block), where block[r, v] is the distance
        from sources[r] to ids[v].

        >>> import blockfw
        >>> net = blockfw.NamedNetwork(blockfw.Network(([0, 1], [1, 2], [4, 5])), [30, 20, 10])
        >>> for sources, block in net.blocks(rows=2):
        ...     print(sources, block[:, 2])
        [30 20] [9 5]
        [10] [0]
        """
        blocks = self.network.blocks(rows)
        return ((self.ids[first:first + len(block)], block) for first, block in blocks)

    def path(self, i, j):
        """The ids of a shortest path from i to j, both included, as Network.path; without a path, none.

        >>> import blockfw
        >>> net = blockfw.NamedNetwork(blockfw.Network(([0, 1], [1, 2], [4, 5])), [30, 20, 10])
        >>> net.path(30, 10)
        array([30, 20, 10])
        """
        return self.ids[self.network._vertex_paths([self._ids.vertex(i, "i")], [self._ids.vertex(j, "j")])[1]]

    def path_edges(self, i, j):
        """The edges of path(i, j) in its order, by their indices, as Network.path_edges.

        >>> import blockfw
        >>> net = blockfw.NamedNetwork(blockfw.Network(([0, 0, 1], [1, 1, 2], [7, 4, 5])), ["a", "b", "c"], [0, 1, 0])
        >>> net.path_edges("a", "c")
        array([1, 2])
        >>> net.edge_names(net.path_edges("a", "c"))
        [('a', 'b', 1), ('b', 'c', 0)]
        """
        return self.network.path_edges(self._ids.vertex(i, "i"), self._ids.vertex(j, "j"))

    def paths(self, sources, targets, *, edges=False):
        """Shortest paths of pairs, as (offsets, ids): the path from sources[p] to targets[p] is
        ids[offsets[p]:offsets[p + 1]], as Network.paths.

        edges  True: (offsets, edges), with the edges of the paths by their indices

        >>> import blockfw
        >>> net = blockfw.NamedNetwork(blockfw.Network(([0, 1], [1, 2], [4, 5])), [30, 20, 10])
        >>> net.paths([30, 10], [10, 30])
        (array([0, 3, 3]), array([30, 20, 10]))
        >>> net.paths([30, 10], [10, 30], edges=True)
        (array([0, 2, 2]), array([0, 1]))
        """
        pairs = self._ids.vertices(sources, "sources"), self._ids.vertices(targets, "targets")
        if edges:
            return self.network.paths(*pairs, edges=True)
        offsets, found = self.network._vertex_paths(*pairs)
        return offsets, self.ids[found]

    def edge_loads(self, sources, targets, demand=None, *, progress=False):
        """How many of the pairs use each edge, as Network.edge_loads: (loads, unserved). The loads have the order of edges.

        >>> import blockfw
        >>> net = blockfw.NamedNetwork(blockfw.Network(([0, 1], [1, 2], [4, 5])), ["a", "b", "c"])
        >>> net.edge_loads(["a", "b", "c"], ["c", "c", "a"], [10, 20, 5])
        (array([10., 30.]), 5.0)
        """
        return self.network.edge_loads(self._ids.vertices(sources, "sources"), self._ids.vertices(targets, "targets"), demand,
                                       progress=progress)

    def nearest(self, places, count=1, *, of=None):
        """For each vertex the nearest of some places, as Network.nearest.

        places  ids, or Points
        of      ids whose nearest places are asked for, or Points; without, all, in the order of ids

        Returns (places, distances), two arrays of count columns. The places are their ids (of Points their numbers), in a
        masked array: where a vertex reaches fewer, the id is masked, and the distance is infinity(dtype).

        >>> import blockfw
        >>> net = blockfw.NamedNetwork(blockfw.Network(([0, 1], [1, 2], [4, 5]), directed=False, vertices=4), list("abcd"))
        >>> which, far = net.nearest(["c", "a"], of=["b", "d"])
        >>> which[:, 0].tolist(), far[0]
        (['a', None], array([4]))
        """
        at = self._ends(places, "places")
        names = np.arange(len(at)) if isinstance(at, Points) else self.ids[at]
        which, distances = self.network.nearest(at, count, of=None if of is None else self._ends(of, "of"))
        none = which < 0
        found = names[np.where(none, 0, which)] if names.size > 0 else np.zeros(which.shape, names.dtype)
        return np.ma.masked_array(found, none), distances

    def within(self, sources, limit):
        """The vertices within a limit of each source, as Network.within: (offsets, ids, distances). Source r has the entries
        from offsets[r] to offsets[r + 1], in the order of ids.

        limit  the largest distance, or a list, with a limit for each source

        >>> import blockfw
        >>> net = blockfw.NamedNetwork(blockfw.Network(([0, 1], [1, 2], [4, 5])), [30, 20, 10])
        >>> net.within([30, 20], 4)
        (array([0, 2, 3]), array([30, 20, 20]), array([0, 4, 0]))
        """
        offsets, found, distances = self.network.within(self._ends(sources, "sources"), limit, csr=False)
        return offsets, self.ids[found], distances

    def count_within(self, sources, limit):
        """The number of vertices within a limit of each source, as Network.count_within.

        limit  the largest distance, or a list of limits: then the result has a column for each

        >>> import blockfw
        >>> net = blockfw.NamedNetwork(blockfw.Network(([0, 1], [1, 2], [4, 5])), ["a", "b", "c"])
        >>> net.count_within(["a", "b"], [4, 9])
        array([[2, 3],
               [1, 2]])
        """
        return self.network.count_within(self._ends(sources, "sources"), limit)

    def with_weights(self, weights):
        """The same network with other weights, in the order of edges, as Network.with_weights."""
        return self._of(self.network.with_weights(weights))

    def update(self, from_, to, weights):
        """The same network with other weights of the edges between some ids, as Network.update.

        >>> import blockfw
        >>> net = blockfw.NamedNetwork(blockfw.Network(([0, 1, 0], [1, 2, 2], [5, 2, 9])), ["a", "b", "c"])
        >>> net.update(["a"], ["b"], [float("inf")]).path("a", "c").tolist()  # a road is closed
        ['a', 'c']
        """
        from_, to = self._ids.vertices(from_, "from_"), self._ids.vertices(to, "to")
        try:
            return self._of(self.network.update(from_, to, weights))
        except ValueError:
            u, v, _ = self.network.edges
            there = set(zip(u.tolist(), v.tolist())) | (set() if self.directed else set(zip(v.tolist(), u.tolist())))
            for i, ends in enumerate(zip(from_.tolist(), to.tolist())):
                if ends not in there:
                    names = " to ".join(map(repr, self.ids[list(ends)].tolist()))
                    raise ValueError(f"edge {i}: from {names}, expected one of the network's edges") from None
            raise

    def hourly(self, weights):
        """The network with several sets of weights at once, as Network.hourly. The weights are in the order of edges; the
        lists of vertices of the result are lists of ids.

        >>> import blockfw
        >>> net = blockfw.NamedNetwork(blockfw.Network(([0, 1], [1, 2], [4, 5])), ["a", "b", "c"])
        >>> net.hourly([[4, 5], [6, 5]]).distances(["a"], ["c"])
        array([[ 9],
               [11]])
        """
        sets = self.network.hourly(weights)
        return object.__new__(type(sets))._hold(sets._core, sets.dtype, self._ids.vertices)

    def along(self, second, sources, targets, *, pairs=False):
        """Sums of a second weight along the shortest paths between ids (or Points), as Network.along. The second weights are
        integers or floats, in the order of edges.

        >>> import blockfw
        >>> net = blockfw.NamedNetwork(blockfw.Network(([0, 1], [1, 2], [4, 5])), ["a", "b", "c"])
        >>> net.along([400, 300], ["a"], ["c"])
        array([[700]])
        """
        return self.network.along(second, self._ends(sources, "sources"), self._ends(targets, "targets"), pairs=pairs)

    eccentricity = _same("eccentricity")
    diameter = _same("diameter")
    radius = _same("radius")

    def centre(self, *, progress=False):
        """The ids whose eccentricity is the radius, in the order of ids; none where no vertex reaches all others."""
        return self.ids[self.network.centre(progress=progress)]

    closeness = _same("closeness")
    histogram = _same("histogram")

    def group_sums(self, groups, *, weights=None, limit=None, decay=None, step=None, count=None, of=None, progress=False):
        """For each vertex and each group of vertices, how many of them it reaches, and the sum of the distances to them, as
        Network.group_sums. Row v of the results is that of ids[v].

        groups   numbers in the order of ids, or a dict (or a Series of pandas) from ids to numbers: others are in no group
        weights  likewise; others have weight 0
        of       some ids, or Points: the results have a row for each of them; without, all ids
        limit, decay, step, count, progress
                 as for Network.group_sums

        Raises ValueError also for an id that a Series has twice.

        >>> import blockfw
        >>> net = blockfw.NamedNetwork(blockfw.Network(([0, 1], [1, 2], [4, 5]), directed=False), ["a", "b", "c"])
        >>> net.group_sums({"a": 0, "c": 0}, weights={"c": 20.0}, limit=5)[0]
        array([[ 0.],
               [20.],
               [20.]])
        """
        groups = self._ids.of_vertices(groups, -1, "groups")
        weights = None if weights is None else self._ids.of_vertices(weights, 0, "weights")
        return self.network.group_sums(groups, weights=weights, limit=limit, decay=decay, step=step, count=count,
                                       of=None if of is None else self._ends(of, "of"), progress=progress)


def of_networkx(make, graph, weight, directed, **how):
    """Network.from_networkx. `make` is the class of the network."""
    if not is_networkx(graph):
        raise TypeError(f"the graph is of type {type(graph).__name__}, expected a graph of NetworkX's")
    from ._networkx import named_edges, tell_of_lacking, wrong_weight

    try:
        edges, nodes, keys, directed = named_edges(graph, weight, directed)
    except TypeError:
        named = wrong_weight(graph, weight)
        if named is None:
            raise
        raise named from None
    if not callable(weight):
        tell_of_lacking(graph, weight, edges.weights)
    elif edges.from_.size == 0 and graph.number_of_edges() > 0:
        raise ValueError(f"the function gives no weight to any of {graph.number_of_edges()} edges, expected one for some "
                         "(of a multigraph it gets {key: attributes})")
    return NamedNetwork(make(edges, directed=directed, **how), nodes, keys)


def _column(edges, name):
    """A column of a caller's table."""
    try:
        column = edges[name]
    except (KeyError, IndexError):
        raise ValueError(f"the edges have no column {name!r}") from None
    return column.to_numpy() if hasattr(column, "to_numpy") else column


def of_columns(make, edges, source, target, weight, key, nodes, **how):
    """Network.from_pandas. `make` is the class of the network."""
    columns = {name: _listed(_column(edges, name), f"the column {name!r}") for name in (source, target)}
    for name, column in columns.items():
        wrong = None if isinstance(column, np.ndarray) else next((e for e, x in enumerate(column) if _is_missing(x)), None)
        if wrong is not None:
            raise ValueError(f"the {name} of edge {wrong} is {column[wrong]!r}, expected an id")
    from_, to = columns[source], columns[target]
    if nodes is not None:
        ids = _Ids(nodes)
    elif isinstance(from_, np.ndarray) and isinstance(to, np.ndarray):
        ids = _Ids(np.unique(np.concatenate([from_, to])))
    else:
        ids = _Ids(list(dict.fromkeys(x for column in (from_, to) for x in (
            column.tolist() if isinstance(column, np.ndarray) else column))))
    ends = ids.vertices(from_, source), ids.vertices(to, target)
    weights = () if weight is None else (_column(edges, weight),)
    keys = None if key is None else list(_column(edges, key))
    return NamedNetwork(make((*ends, *weights), vertices=ids.array.size, **how), ids, keys)
