# SPDX-License-Identifier: MIT
"""A backend for NetworkX: nx.floyd_warshall(G, backend="blockfw").

Arguments, results and errors are NetworkX's. What it does not have here (negative weights for Dijkstra's method, weights
that are neither int nor float, of more than 62 bits, NaN, or -inf, and integers that float64 cannot hold where it must) is
NotImplementedError, upon which NetworkX takes its own function where it chose the backend itself. Where NetworkX's
Floyd-Warshall returns numbers in spite of a negative cycle, this one raises NetworkXUnbounded.
"""
import functools

import networkx as nx
import numpy as np

from . import _core
from ._errors import negative_cycle_error
from ._input import Edges
from ._numbers import misfits, readable
from ._solve import Options, Reading, all_pairs, some_rows
from ._own import infinity

INF = float("inf")


class Converted:
    """A graph that NetworkX has handed over."""
    __networkx_backend__ = "blockfw"

    def __init__(self, graph):
        self.graph = graph

    def __getattr__(self, name):
        return getattr(self.graph, name)

    def __len__(self):
        return len(self.graph)

    def __iter__(self):
        return iter(self.graph)

    def __contains__(self, node):
        return node in self.graph

    def __getitem__(self, node):
        return self.graph[node]


def _edges_by_call(graph, index, weight, missing):
    """The edges of a graph that does not consist of dicts (a view), or whose weight is a function."""
    from_, to, weights = [], [], []
    multi = graph.is_multigraph()
    for u, neighbours in graph.adjacency():
        for v, data in neighbours.items():
            if callable(weight):
                found = [weight(u, v, data)]
            elif weight is None:
                found = [1]
            else:
                found = [d.get(weight, missing) for d in (data.values() if multi else (data,))]
            for w in found:
                if w is None and callable(weight):  # hidden
                    continue
                from_.append(index[u])
                to.append(index[v])
                weights.append(w)
    if weight is None:
        return from_, to, None
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
    return from_, to, held


class _Solvable:
    """A graph's vertices and edges as arrays, and its solves."""

    def __init__(self, graph, weight, missing=1):
        self.graph = graph = graph.graph if isinstance(graph, Converted) else graph
        self.nodes = list(graph)
        self.index = index = {v: i for i, v in enumerate(self.nodes)}
        adjacency = graph._adj
        if type(adjacency) is dict and not callable(weight):
            try:
                found = _core.edges_of_dicts(adjacency, index, graph.is_multigraph(), weight, missing)
            except TypeError as error:
                raise NotImplementedError(str(error)) from error
        else:
            found = _edges_by_call(graph, index, weight, missing)
        from_, to, weights = found
        self.edges = Edges(len(self.nodes), np.asarray(from_, np.int32), np.asarray(to, np.int32), weights)
        if weights is not None and weights.dtype.kind == "f" and not (weights > -INF).all():
            raise NotImplementedError("a weight is NaN or -inf")
        self.largest = 0  # of integers
        if weights is not None and weights.dtype.kind == "i":
            self.largest = max(int(weights.max(initial=0)), -int(weights.min(initial=0)))
            if self.largest >= infinity(np.int64):
                raise NotImplementedError("a weight has more than 62 bits")

    def refuse_negative(self):
        """Dijkstra's method of NetworkX's says more of them."""
        if self.edges.weights is not None and (self.edges.weights < 0).any():
            raise NotImplementedError("the method does not take negative weights")

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
        except OverflowError as error:
            raise NotImplementedError(str(error)) from error
        except negative_cycle_error() as error:
            raise nx.NetworkXUnbounded("Negative cycle detected.") from error

    def all(self, with_paths=False):
        return self._solve(lambda: all_pairs(self.edges, Reading(loops=True), Options(), self.type(), with_paths))

    def some(self, nodes):
        sources = np.array([self.index[v] for v in nodes], np.int32)
        return self._solve(lambda: some_rows(self.edges, Reading(loops=True), Options(), self.type(), sources))[0]


def edges_of_graph(graph, directed):
    """A graph's edges, in the order of graph.edges, and whether they are directed, for this package's own calls.

    directed  what the caller says; without, what the graph is
    """
    try:
        edges = _Solvable(graph, "weight").edges
    except NotImplementedError as error:
        raise TypeError(str(error)) from error
    directed = graph.is_directed() if directed is None else bool(directed)
    if not graph.is_directed() and not directed:  # (each edge is in the dicts of both ends)
        once = edges.from_ <= edges.to
        edges = Edges(edges.n, edges.from_[once], edges.to[once], None if edges.weights is None else edges.weights[once])
    return edges, directed


def _finite(d):
    return d < infinity(d.dtype)


def _full_dict(nodes, row):
    """All distances of a row; inf without a path."""
    numbers = row.tolist()
    if row.dtype.kind == "i":
        for j in np.flatnonzero(~_finite(row)).tolist():
            numbers[j] = INF
    return dict(zip(nodes, numbers))


def _reached_dict(nodes, row, cutoff=None):
    """The distances of a row that are there, and no longer than cutoff."""
    there = _finite(row) if cutoff is None else _finite(row) & (row <= cutoff)
    if there.all():
        return dict(zip(nodes, row.tolist()))
    return {nodes[j]: d for j, d in zip(np.flatnonzero(there).tolist(), row[there].tolist())}


def floyd_warshall_numpy(G, nodelist=None, weight="weight"):
    if nodelist is not None and not (len(nodelist) == len(G) == len(set(nodelist))):
        raise nx.NetworkXError("nodelist must contain every node in G with no repeats."
                               "If you wanted a subgraph of G use G.subgraph(nodelist)")
    graph = _Solvable(G, weight)
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
    graph = _Solvable(G, weight)
    return {v: _full_dict(graph.nodes, row) for v, row in zip(graph.nodes, graph.all()[0])}


def floyd_warshall_predecessor_and_distance(G, weight="weight"):
    graph = _Solvable(G, weight)
    nodes = graph.nodes
    d, finder = graph.all(True)
    before = {}
    for v, row in zip(nodes, finder.predecessors(None)):
        there = np.flatnonzero(row >= 0)
        if there.size > 0:
            before[v] = {nodes[j]: nodes[i] for j, i in zip(there.tolist(), row[there].tolist())}
    return before, {v: _full_dict(nodes, row) for v, row in zip(nodes, d)}


def _rows(graph, cutoff=None):
    d = graph.all()[0]
    return ((v, _reached_dict(graph.nodes, row, cutoff)) for v, row in zip(graph.nodes, d))


def all_pairs_dijkstra_path_length(G, cutoff=None, weight="weight"):
    graph = _Solvable(G, weight)
    graph.refuse_negative()
    return _rows(graph, cutoff)


def all_pairs_bellman_ford_path_length(G, weight="weight"):
    return _rows(_Solvable(G, weight))


def all_pairs_shortest_path_length(G, cutoff=None):
    return _rows(_Solvable(G, None), cutoff)


def johnson(G, weight="weight"):
    graph = _Solvable(G, weight)
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
    graph = _Solvable(G, weight)
    graph.refuse_negative()
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
    graph = _Solvable(G, distance)
    graph.refuse_negative()
    n = len(graph.nodes)
    if u is None:
        reached, sums, _, _ = _core.reach(graph.all()[0], True)
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
    reached[from_, to] = False  # those that are there keep what they say
    closure = graph.graph.copy()
    if not graph.graph.is_directed():
        reached = np.triu(reached)
    nodes = graph.nodes
    for i, row in enumerate(reached):
        closure.add_edges_from((nodes[i], nodes[j]) for j in np.flatnonzero(row).tolist())
    return closure


def convert_from_nx(graph, **_):
    return Converted(graph)


def convert_to_nx(result, **_):
    return result.graph if isinstance(result, Converted) else result


FUNCTIONS = (floyd_warshall, floyd_warshall_numpy, floyd_warshall_predecessor_and_distance,
             all_pairs_dijkstra_path_length, all_pairs_bellman_ford_path_length, all_pairs_shortest_path_length, johnson,
             eccentricity, diameter, radius, center, periphery, closeness_centrality, transitive_closure)


class backend:
    """What NetworkX loads: its functions, and the conversions."""
    convert_from_nx = staticmethod(convert_from_nx)
    convert_to_nx = staticmethod(convert_to_nx)


for _function in FUNCTIONS:
    setattr(backend, _function.__name__, staticmethod(_function))
