# SPDX-License-Identifier: MIT
"""A backend for NetworkX: nx.floyd_warshall(G, backend="blockfw").

Arguments, results and errors are NetworkX's. can_run() refuses the calls that the backend does not answer as NetworkX does,
and says why. NetworkX then takes its own function where it chose the backend itself. A refusal that shows only in the
solve (a sum beyond 64 bits, no memory for n x n distances) is a NotImplementedError. Where Floyd-Warshall of NetworkX up to
3.6 returns numbers in spite of a negative cycle, this one raises NetworkXUnbounded, as NetworkX 3.7 does.
"""
import functools
import inspect
import math
import re
import warnings
from typing import NamedTuple, Optional

import networkx as nx
import numpy as np

from . import _core
from ._errors import negative_cycle_error
from ._input import Edges
from ._numbers import misfits, readable
from ._solve import Options, Reading, all_pairs, some_rows
from ._own import infinity

INF = float("inf")
VERSION = tuple(int(part) for part in re.findall(r"\d+", nx.__version__)[:2])


class Method(NamedTuple):
    """The weights that NetworkX's method takes, beyond numbers by name."""
    functions: bool = False  # of (u, v, data)
    hidden: bool = False     # a function may return None: no edge
    negative: bool = True
    infinite: bool = False   # as "no edge"


DENSE = Method(infinite=True)
TREES = Method()
BELLMAN_FORD = Method(functions=True)
DIJKSTRA = Method(functions=True, hidden=True, negative=False)


class Converted:
    """A graph that NetworkX has handed over, and its vertices and edges as arrays.

    NetworkX keeps it in the graph's __networkx_cache__, and drops it when a method changes the graph.
    """
    __networkx_backend__ = "blockfw"

    def __init__(self, graph):
        self.graph = graph
        self._vertices = None
        self._edges = {}  # by the weight's name

    def __reduce__(self):  # (pickle and deepcopy of the graph meet it in the cache)
        return Converted, (self.graph,)

    def __getattr__(self, name):
        if name.startswith("__") or name == "graph":
            raise AttributeError(name)
        return getattr(self.graph, name)

    def __len__(self):
        return len(self.graph)

    def __iter__(self):
        return iter(self.graph)

    def __contains__(self, node):
        return node in self.graph

    def __getitem__(self, node):
        return self.graph[node]

    def _is_view(self):
        """A view changes with its graph, and NetworkX does not notice: nothing of it is kept."""
        return type(self.graph._adj) is not dict

    def vertices(self):
        """The nodes, and the number of each."""
        if self._vertices is not None:
            return self._vertices
        nodes = list(self.graph)
        vertices = nodes, {v: i for i, v in enumerate(nodes)}
        if not self._is_view():
            self._vertices = vertices
        return vertices

    def edges(self, weight, method=TREES, backwards=False):
        """The edges (of an undirected graph in both directions), with the weights of a name, of a function, or none.

        backwards  the function expects the ends of an edge of a directed graph in the other order
        Raises NotImplementedError for a weight that is no number.
        """
        if callable(weight):
            return self._edges_by_call(weight, method, backwards)
        if weight in self._edges:
            return self._edges[weight]
        if weight is None and self._edges:
            return next(iter(self._edges.values()))._replace(weights=None)
        if self._is_view():
            return self._edges_by_call(weight, method, False)
        nodes, index = self.vertices()
        try:
            from_, to, weights = _core.edges_of_dicts(self.graph._adj, index, self.graph.is_multigraph(), weight, 1)
        except TypeError as error:
            raise NotImplementedError(str(error)) from error
        edges = self._edges[weight] = Edges(len(nodes), np.asarray(from_, np.int32), np.asarray(to, np.int32), weights)
        return edges

    def _edges_by_call(self, weight, method, backwards):
        nodes, index = self.vertices()
        from_, to, weights = [], [], []
        multi = self.graph.is_multigraph()
        for u, neighbours in self.graph.adjacency():
            for v, data in neighbours.items():
                if callable(weight):
                    found = [weight(v, u, data) if backwards else weight(u, v, data)]
                    if found[0] is None and method.hidden:
                        continue
                elif weight is None:
                    found = [1] * (len(data) if multi else 1)
                else:
                    found = [d.get(weight, 1) for d in (data.values() if multi else (data,))]
                from_.extend([index[u]] * len(found))
                to.extend([index[v]] * len(found))
                weights.extend(found)
        return Edges(len(nodes), np.asarray(from_, np.int32), np.asarray(to, np.int32),
                     None if weight is None else _numbers(weights))


def _numbers(weights):
    """A list of weights as an array. Raises NotImplementedError for one that is no int64 or float64."""
    if not all(isinstance(w, (int, float, np.integer, np.floating)) for w in weights):
        raise NotImplementedError("a weight is not an int or a float")
    whole = all(isinstance(w, (int, np.integer)) for w in weights)
    held = np.empty(len(weights), object)
    held[:] = [int(w) if isinstance(w, bool) else w for w in weights]
    try:
        held = readable(held)
    except (TypeError, ValueError) as error:
        raise NotImplementedError(str(error)) from error
    if whole and held.dtype != np.int64:
        raise NotImplementedError("a weight has more than 64 bits")
    return held


def _converted(graph):
    """A graph of NetworkX's converted, or as NetworkX has cached it."""
    if isinstance(graph, Converted):
        return graph
    cache = getattr(graph, "__networkx_cache__", None) or {}
    for found in cache.get("backends", {}).get("blockfw", {}).values():
        if isinstance(found, Converted):
            return found
    return Converted(graph)


def _largest(weights, method):
    """The largest magnitude of weights that are integers; of others 0. Raises NotImplementedError for weights that the
    method does not take."""
    largest = 0
    if weights is None:
        return largest
    if weights.dtype.kind == "f":
        if not (weights > -INF).all():
            raise NotImplementedError("a weight is NaN or -inf")
        if not method.infinite and not (weights < INF).all():
            raise NotImplementedError("a weight is infinite")
    else:
        largest = max(int(weights.max(initial=0)), -int(weights.min(initial=0)))
        if largest >= infinity(np.int64):
            raise NotImplementedError("a weight has more than 62 bits")
    if not method.negative and (weights < 0).any():
        raise NotImplementedError("a weight is negative, which Dijkstra's method does not take")
    return largest


class _Solvable:
    """A graph's vertices and edges as arrays, and its solves."""

    def __init__(self, graph, weight, method=TREES, backwards=False):
        if callable(weight) and not method.functions:
            raise NotImplementedError("versions of NetworkX differ in a weight that is a function")
        converted = graph if isinstance(graph, Converted) else Converted(graph)
        self.graph = converted.graph
        self.nodes, self.index = converted.vertices()
        self.edges = converted.edges(weight, method, backwards and self.graph.is_directed())
        self.largest = _largest(self.edges.weights, method)

    def type(self):
        """That of the distances: a narrow one if all fit. (Floats stay floats.)"""
        weights = self.edges.weights
        if weights is None:
            return np.int32
        if weights.dtype.kind == "f":
            return np.float64
        fits = len(self.nodes) * self.largest < 2**29
        return np.int32 if fits else np.int64

    def _solve(self, solve):
        try:
            return solve()
        except (OverflowError, MemoryError) as error:
            raise NotImplementedError(str(error)) from error
        except negative_cycle_error() as error:
            raise nx.NetworkXUnbounded(self._of_cycle()) from error

    def _of_cycle(self):
        """The sentence about a negative cycle. It names an edge of an undirected graph that is one by itself."""
        edges = self.edges
        if not self.graph.is_directed() and edges.weights is not None:
            found = np.flatnonzero((edges.weights < 0) & (edges.from_ != edges.to))
            if found.size > 0:
                ends = (repr(self.nodes[int(v[found[0]])]) for v in (edges.from_, edges.to))
                return f"Negative cycle detected: {_core.edge_sentence(*ends, True)}."
        return "Negative cycle detected."

    def all(self, with_paths=False):
        return self._solve(lambda: all_pairs(self.edges, Reading(loops=True), Options(), self.type(), with_paths))

    def some(self, nodes):
        sources = np.array([self.index[v] for v in nodes], np.int32)
        return self._solve(lambda: some_rows(self.edges, Reading(loops=True), Options(), self.type(), sources))[0]


def edges_of_graph(graph, directed):
    """A graph's edges, in the order of graph.edges, and whether they are directed, for this package's own calls.

    directed  the caller's direction; without, the direction of the graph
    """
    edges, _, _, directed = named_edges(graph, "weight", directed, False)
    return edges, directed


def named_edges(graph, weight, directed, with_keys=True):
    """The same with the weights of a name, of a function, or none: the edges, the nodes, of a multigraph the key of each
    edge (else None), and whether the edges are directed.

    A function is called for each edge by itself, as Network.from_networkx says.
    """
    directed = graph.is_directed() if directed is None else bool(directed)
    once = not graph.is_directed() and not directed  # (each edge is in the dicts of both ends)
    try:
        if callable(weight):
            return *_edges_by_function(graph, weight, once), directed
        solvable = _Solvable(graph, weight, DENSE)
    except NotImplementedError as error:
        raise TypeError(str(error)) from error
    edges, keys = solvable.edges, None
    if with_keys and graph.is_multigraph():
        keys = [key for _, neighbours in graph.adjacency() for parallel in neighbours.values() for key in parallel]
    if once:
        there = edges.from_ <= edges.to
        keys = None if keys is None else [key for key, it_is in zip(keys, there.tolist()) if it_is]
        edges = Edges(edges.n, edges.from_[there], edges.to[there],
                      None if edges.weights is None else edges.weights[there])
    return edges, solvable.nodes, keys, directed


def _each_edge(graph):
    """The edges in the order of the graph's dicts, as (u, v, key, attributes), an undirected one in both directions.
    The attributes have the form in which NetworkX passes them to a function: in a multigraph {key: attributes}."""
    multi = graph.is_multigraph()
    for u, neighbours in graph.adjacency():
        for v, data in neighbours.items():
            if not multi:
                yield u, v, None, data
                continue
            for key, attributes in data.items():
                yield u, v, key, {key: attributes}


def wrong_weight(graph, weight):
    """An error that names the first edge whose weight is no number, NaN or -inf; None if each weight is one by itself."""
    multi = graph.is_multigraph()
    for u, v, key, attributes in _each_edge(graph):
        if callable(weight):
            found = weight(u, v, attributes)
            if found is None:
                continue
        else:
            found = (attributes[key] if multi else attributes).get(weight, 1)
        try:
            _largest(_numbers([found]), DENSE)
        except NotImplementedError as error:
            kind, expected = ((ValueError, "a number or inf") if "NaN" in str(error) else
                              (TypeError, "an int of at most 62 bits or a float"))
            return kind(f"the weight of edge {(u, v, key) if multi else (u, v)!r} is {found!r}, expected {expected}")
    return None


def tell_of_lacking(graph, weight, weights):
    """Warns of edges that lack the attribute `weight`, which count 1. Raises ValueError where all edges lack it.

    weights  those that were read: without a 1, no edge lacks the attribute
    """
    if weights is None or not (weights == 1).any():
        return
    lacks, multi = object(), graph.is_multigraph()
    edges = graph.edges(keys=True, data=weight, default=lacks) if multi else graph.edges(data=weight, default=lacks)
    lacking = [edge[:-1] for edge in edges if edge[-1] is lacks]
    if len(lacking) == graph.number_of_edges():
        there = ", ".join(map(repr, graph.edges[lacking[0]]))
        raise ValueError(f"no edge has the attribute {weight!r}, expected one that edges have"
                         f"{f' (edge {lacking[0]!r} has {there})' if there else ''}, or None for weights of 1")
    if lacking:
        warnings.warn(f"{len(lacking)} of {graph.number_of_edges()} edges have no {weight!r} and count 1, the first is "
                      f"{lacking[0]!r}", stacklevel=4)


def _edges_by_function(graph, weight, once):
    """The edges, the nodes and the keys, or None, of a graph whose weights a function says.

    once  whether an edge that is in the dicts of both ends is one. Both must have the same weight, then
    """
    nodes, index = Converted(graph).vertices()
    from_, to, weights, keys = [], [], [], []
    for u, v, key, attributes in _each_edge(graph):
        if once and index[u] > index[v]:
            continue
        found = weight(u, v, attributes)
        if once:
            back = weight(v, u, attributes)
            if not (found is back or found == back or found != found):
                raise ValueError(f"the weight of the edge between {u!r} and {v!r} is {found!r} in one direction and {back!r} "
                                 "in the other, expected the same, or directed=True")
        if found is None:
            continue
        from_.append(index[u])
        to.append(index[v])
        weights.append(found)
        keys.append(key)
    weights = _numbers(weights)
    _largest(weights, DENSE)
    edges = Edges(len(nodes), np.asarray(from_, np.int32), np.asarray(to, np.int32), weights)
    return edges, nodes, keys if graph.is_multigraph() else None


def _finite(d):
    return d < infinity(d.dtype)


def _full_dict(nodes, row):
    """All distances of a row; inf without a path."""
    numbers = row.tolist()
    if row.dtype.kind == "i":
        for j in np.flatnonzero(~_finite(row)).tolist():
            numbers[j] = INF
    return dict(zip(nodes, numbers))


def _reached_dict(nodes, row, source, cutoff=None):
    """The distances of a row that are there, and no longer than cutoff (that of the source always)."""
    there = _finite(row)
    if cutoff is not None:
        there &= ~(row > cutoff)
        there[source] = True
    if there.all():
        return dict(zip(nodes, row.tolist()))
    return {nodes[j]: d for j, d in zip(np.flatnonzero(there).tolist(), row[there].tolist())}


def floyd_warshall_numpy(G, nodelist=None, weight="weight"):
    if nodelist is not None and not (len(nodelist) == len(G) == len(set(nodelist))):
        raise nx.NetworkXError("nodelist must contain every node in G with no repeats."
                               "If you wanted a subgraph of G use G.subgraph(nodelist)")
    graph = _Solvable(G, weight, DENSE)
    d = graph.all()[0]
    result = d.astype(np.float64, copy=False)
    if d.dtype.kind == "i":
        none = d >= infinity(d.dtype)
        if (misfits(d, result) & ~none).any():
            raise NotImplementedError("a distance of integers is not a number of type float64")
        result[none] = np.inf
    if nodelist is not None and list(nodelist) != graph.nodes:
        order = [graph.index[v] for v in nodelist]
        result = result[np.ix_(order, order)]
    return result


def floyd_warshall(G, weight="weight"):
    graph = _Solvable(G, weight, DENSE)
    return {v: _full_dict(graph.nodes, row) for v, row in zip(graph.nodes, graph.all()[0])}


def floyd_warshall_predecessor_and_distance(G, weight="weight"):
    graph = _Solvable(G, weight, TREES)
    nodes = graph.nodes
    d, finder = graph.all(True)
    before = {}
    loops = graph.edges.from_[graph.edges.from_ == graph.edges.to]
    rows = finder.predecessors(None)
    rows[loops, loops] = loops  # (NetworkX says so of a node with a loop)
    for v, row in zip(nodes, rows):
        there = np.flatnonzero(row >= 0)
        if there.size > 0:
            before[v] = {nodes[j]: nodes[i] for j, i in zip(there.tolist(), row[there].tolist())}
    return before, {v: _full_dict(nodes, row) for v, row in zip(nodes, d)}


def _rows(graph, cutoff=None):
    d = graph.all()[0]
    return ((v, _reached_dict(graph.nodes, row, i, cutoff)) for i, (v, row) in enumerate(zip(graph.nodes, d)))


def all_pairs_dijkstra_path_length(G, cutoff=None, weight="weight"):
    return _rows(_Solvable(G, weight, DIJKSTRA), cutoff)


def all_pairs_bellman_ford_path_length(G, weight="weight"):
    return _rows(_Solvable(G, weight, BELLMAN_FORD))


def all_pairs_shortest_path_length(G, cutoff=None):
    if cutoff is not None and cutoff != INF:  # (NetworkX goes one edge further while it is below cutoff)
        cutoff = math.ceil(cutoff) if cutoff > 0 else 0
    return _rows(_Solvable(G, None), cutoff)


def johnson(G, weight="weight"):
    graph = _Solvable(G, weight, BELLMAN_FORD)
    d, finder = graph.all(True)
    nodes = graph.nodes
    paths = {}
    for i, before in enumerate(finder.predecessors(None).tolist()):
        found = {i: [nodes[i]]}
        for v in np.flatnonzero(_finite(d[i])).tolist():
            path = []
            while v not in found:
                path.append(v)
                v = before[v]
            for v in reversed(path):
                found[v] = found[before[v]] + [nodes[v]]
        paths[nodes[i]] = {nodes[v]: path for v, path in found.items()}
    return paths


def _not_connected(G):
    return nx.NetworkXError("Found infinite path length because the digraph is not strongly connected"
                            if G.is_directed() else "Found infinite path length because the graph is not connected")


def _eccentricity_by(G, v, lengths):
    """The eccentricities by distances that are there."""
    e = {}
    for node in G.nbunch_iter(v):
        try:
            of_node = lengths[node]
            reached = len(of_node)
        except TypeError as error:
            raise nx.NetworkXError('Format of "sp" is invalid.') from error
        if reached != G.order():
            raise _not_connected(G)
        e[node] = max(of_node.values())
    return e[v] if v in G else e


def _not_of_null_graphs(function):
    """A function that leaves graphs without nodes to NetworkX: its versions differ in the error."""
    @functools.wraps(function)
    def call(G, *args, **kwargs):
        if len(G) == 0:
            return getattr(nx, function.__name__).orig_func(convert_to_nx(G), *args, **kwargs)
        return function(G, *args, **kwargs)

    return call


@_not_of_null_graphs
def eccentricity(G, v=None, sp=None, weight=None):
    if sp is not None:
        return _eccentricity_by(G, v, sp)
    graph = _Solvable(G, weight, DIJKSTRA)
    wanted = list(graph.graph.nbunch_iter(v))
    if not wanted:
        return {}
    if v is None:
        reached, _, farthest, _ = _core.reach(graph.all()[0], False)
    else:
        d = graph.some(wanted)
        reached, farthest = _finite(d).sum(axis=1), np.where(_finite(d), d, d.dtype.type(0)).max(axis=1)
    if (reached < len(graph.nodes)).any():
        raise _not_connected(graph.graph)
    e = dict(zip(wanted, farthest.tolist()))
    return e[v] if v in graph.graph else e


def _eccentricities(G, e, weight):
    return eccentricity(G, weight=weight) if e is None else e


@_not_of_null_graphs
def diameter(G, e=None, usebounds=False, weight=None):
    return max(_eccentricities(G, e, weight).values())


@_not_of_null_graphs
def radius(G, e=None, usebounds=False, weight=None):
    return min(_eccentricities(G, e, weight).values())


@_not_of_null_graphs
def center(G, e=None, usebounds=False, weight=None):
    e = _eccentricities(G, e, weight)
    least = min(e.values())
    return [v for v in e if e[v] == least]


@_not_of_null_graphs
def periphery(G, e=None, usebounds=False, weight=None):
    e = _eccentricities(G, e, weight)
    most = max(e.values())
    return [v for v in e if e[v] == most]


def _closeness_by(G, u, wf_improved, lengths):
    """The closeness by distances that are there: of a directed graph to each vertex, else from it."""
    if G.is_directed():
        to = {v: {} for v in G}
        for v, of_v in lengths.items():
            for w, length in of_v.items():
                to[w][v] = length
        lengths = to
    found = {}
    for v in G if u is None else [u]:
        others, total = len(lengths[v]) - 1.0, sum(lengths[v].values())
        there = total > 0 and len(G) > 1
        found[v] = others / total * (others / (len(G) - 1) if wf_improved else 1.0) if there else 0.0
    return found if u is None else found[u]


def closeness_centrality(G, u=None, distance=None, wf_improved=True, *, sp=None):
    if sp is not None:
        return _closeness_by(G, u, wf_improved, sp)
    graph = _Solvable(G, distance, DIJKSTRA, backwards=True)
    n = len(graph.nodes)
    if u is None:
        reached, sums, _, _ = _core.reach(graph.all()[0], graph.graph.is_directed())
        nodes = graph.nodes
    else:
        if graph.graph.is_directed():
            graph.edges = graph.edges._replace(from_=graph.edges.to, to=graph.edges.from_)
        if u not in graph.index:
            raise nx.NodeNotFound(f"Node {u} is not in the graph")
        d = graph.some([u])
        reached, sums = _finite(d).sum(axis=1), np.where(_finite(d), d, d.dtype.type(0)).sum(axis=1)
        nodes = [u]
    others = reached - 1.0
    with np.errstate(divide="ignore", invalid="ignore"):
        found = others / sums
        if wf_improved:
            found = found * (others / (n - 1))
    values = np.where((sums > 0) & (n > 1), found, 0.0).tolist()
    return values[0] if u is not None else dict(zip(nodes, values))


def transitive_closure(G, reflexive=False):
    if reflexive not in (None, True, False):
        raise nx.NetworkXError("Incorrect value for the parameter `reflexive`")
    graph = _Solvable(G, None)
    from_, to = graph.edges.from_, graph.edges.to
    reached = np.empty((len(graph.nodes),) * 2, bool)
    _core.transitive_closure(reached, from_, to, True, None)
    if reflexive is not True:
        on_cycle = np.zeros(len(graph.nodes), bool)
        if reflexive is False and graph.graph.is_directed():
            on_cycle[from_[reached[to, from_]]] = True
        np.fill_diagonal(reached, on_cycle)
    reached[from_, to] = False  # existing edges keep their attributes
    closure = graph.graph.copy()
    if not graph.graph.is_directed():
        reached = np.triu(reached)
    nodes = graph.nodes
    for i, row in enumerate(reached):
        closure.add_edges_from((nodes[i], nodes[j]) for j in np.flatnonzero(row).tolist())
    return closure


def convert_from_nx(graph, edge_attrs=None, **_):
    converted = Converted(graph)
    for name in edge_attrs or (None,):
        converted.edges(name)
    return converted


def convert_to_nx(result, **_):
    return result.graph if isinstance(result, Converted) else result


class Call(NamedTuple):
    """A function that the backend has."""
    function: object
    method: Method = TREES
    weight: Optional[str] = None  # the argument of that name


CALLS = {call.function.__name__: call for call in (
    Call(floyd_warshall, DENSE, "weight"), Call(floyd_warshall_numpy, DENSE, "weight"),
    Call(floyd_warshall_predecessor_and_distance, TREES, "weight"),
    Call(all_pairs_dijkstra_path_length, DIJKSTRA, "weight"),
    Call(all_pairs_bellman_ford_path_length, BELLMAN_FORD, "weight"), Call(all_pairs_shortest_path_length),
    Call(johnson, BELLMAN_FORD, "weight"), Call(eccentricity, DIJKSTRA, "weight"), Call(diameter, DIJKSTRA, "weight"),
    Call(radius, DIJKSTRA, "weight"), Call(center, DIJKSTRA, "weight"), Call(periphery, DIJKSTRA, "weight"),
    Call(closeness_centrality, DIJKSTRA, "distance"), Call(transitive_closure))}
FUNCTIONS = tuple(call.function for call in CALLS.values())


@functools.cache
def _signature(name):
    return inspect.signature(CALLS[name].function)


def _arguments(name, args, kwargs):
    """The arguments of a call by their names, or None if the function has other arguments."""
    try:
        bound = _signature(name).bind(*args, **kwargs)
    except TypeError:
        return None
    bound.apply_defaults()
    return bound.arguments


def _is_solved(arguments):
    """Whether the caller hands over the distances, or the eccentricities."""
    return arguments.get("sp") is not None or arguments.get("e") is not None


def can_run(name, args, kwargs):
    """True, or the reason why the call is NetworkX's, as a string.

    The call itself reads a function's weights. NetworkX 3.2 takes any string for True: the call itself refuses, then.
    """
    if name not in CALLS:
        return f"blockfw has no function {name}"
    call, arguments = CALLS[name], _arguments(name, args, kwargs)
    if arguments is None or _is_solved(arguments):
        return True  # (it is an error to name; or needs no weights)
    weight = arguments.get(call.weight)
    if callable(weight) and call.method.functions:
        return True
    try:
        _Solvable(_converted(arguments["G"]), weight, call.method)
    except NotImplementedError as reason:
        return str(reason)
    return True


# From how many nodes on a call takes no longer than NetworkX's, conversion included, on trees, grids, sparse and complete
# graphs (benchmarks/python.py sizes; benchmarks/results/python.md).
_LEAST = {"floyd_warshall": 12, "floyd_warshall_numpy": 16, "floyd_warshall_predecessor_and_distance": 16,
          "all_pairs_dijkstra_path_length": 12, "all_pairs_bellman_ford_path_length": 8,
          "all_pairs_shortest_path_length": 24, "johnson": 24, "eccentricity": 12, "diameter": 12, "radius": 12, "center": 12,
          "periphery": 12, "closeness_centrality": 24, "transitive_closure": 8}
_LEAST_OF_ONE = 500  # one source, with weights: without, NetworkX's search ends first at any size
_MOST_BY_BOUNDS = 4000  # nodes of a graph whose extremes NetworkX finds by bounds, with few searches


def should_run(name, args, kwargs):
    """True, or the reason why NetworkX's own function is likely to take less time, as a string."""
    arguments = _arguments(name, args, kwargs)
    if arguments is None:
        return True
    if _is_solved(arguments):
        return "the distances are there already"
    graph, weight = arguments["G"], arguments.get(CALLS[name].weight)
    n = len(graph)
    one = arguments.get("u") is not None or arguments.get("v") in graph
    if one and (weight is None or n < _LEAST_OF_ONE):
        return f"one source in a graph of {n} nodes: a search takes less time than the conversion"
    if n < _LEAST[name]:
        return f"{n} nodes, below {_LEAST[name]}: NetworkX takes less time"
    if one or name.startswith("floyd_warshall"):
        return True
    edges = graph.number_of_edges()
    if name in ("eccentricity", "diameter", "radius", "center", "periphery"):
        if not graph.is_directed():
            if arguments.get("usebounds") is True and n >= _MOST_BY_BOUNDS:
                return "usebounds=True: a few searches suffice"
            if name == "center" and weight is None and edges == n - 1 and VERSION >= (3, 5):
                return "NetworkX finds the center of a tree in linear time"
        if edges < n - 1:
            return "the graph is not connected, as NetworkX's first search tells"
    if 2 * edges < n:
        return f"{edges} edges of {n} nodes: most searches end at once"
    return True


class backend:
    """The class that NetworkX loads, with its functions and the conversions."""
    convert_from_nx = staticmethod(convert_from_nx)
    convert_to_nx = staticmethod(convert_to_nx)
    can_run = staticmethod(can_run)
    should_run = staticmethod(should_run)


for _function in FUNCTIONS:
    setattr(backend, _function.__name__, staticmethod(_function))
