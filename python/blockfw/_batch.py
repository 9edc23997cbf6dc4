# SPDX-License-Identifier: MIT
"""Many small graphs at once."""
import math
import operator

import numpy as np

from . import _core
from ._errors import negative_cycle_error
from ._input import Edges, graph_of, infinity, is_networkx, is_sparse, result_type, warn_of_zeros
from ._numbers import TYPES, as_array, integers, misfits, readable, refuse
from ._own import Graph, _edges, _form

_SHORT = tuple(np.dtype(t) for t in (np.int8, np.uint8))  # types of results, which are solved in int32
_NONE = -9999  # where there is no vertex


class _Batch:
    """Matrices of graphs, one after the other in a buffer, or arrays of as many entries."""

    def __init__(self, orders, dtype):
        self.orders = np.ascontiguousarray(orders, np.int32)
        self.dtype = dtype
        self.ends = np.cumsum(self.orders.astype(np.int64)**2)
        self.size = int(self.ends[-1]) if len(self.ends) else 0

    def inside(self, most):
        """Which entries of matrices of `most` rows and columns are the graphs': they have the order of the buffer."""
        inside = np.arange(most) < self.orders[:, None]
        return inside[:, :, None] & inside[:, None, :]

    def shaped(self, buffer, most, outside):
        """A buffer as a list of matrices, or as one array of `most` rows and columns with `outside` around the graphs."""
        more = buffer.shape[1:]
        if most is None:
            step = buffer.itemsize * math.prod(more)

            def matrices(n):
                """The matrices of n rows that begin at each entry: to take one of them is faster than a slice of the buffer."""
                return np.ndarray((len(buffer) - n * n + 1, n, n) + more, buffer.dtype, buffer,
                                  strides=(step, n * step, step) + buffer.strides[1:])

            orders = self.orders.tolist()
            beginning = {n: matrices(n) for n in set(orders)}
            return [beginning[n][first] for n, first in zip(orders, (self.ends - self.orders.astype(np.int64)**2).tolist())]
        shape = (len(self.orders), most, most) + more
        if (self.orders == most).all():
            return buffer.reshape(shape)
        if not more:
            array = np.full(shape, outside, buffer.dtype)
            array[self.inside(most)] = buffer
            return array
        array, first = np.empty(shape, buffer.dtype), 0  # (a mask would be slow here)
        for part, n, end in zip(array, self.orders.tolist(), self.ends.tolist()):
            part[n:], part[:n, n:] = outside, outside
            part[:n, :n] = buffer[first:end].reshape((n, n) + more)
            first = end
        return array

    def place(self, entry):
        """The graph, the row and the column of an entry of the buffer."""
        g = int(np.searchsorted(self.ends, entry, side="right"))
        n = int(self.orders[g])
        return (g, *divmod(entry - int(self.ends[g]) + n * n, n))

    def loops(self):
        """The entries of the diagonals."""
        n = self.orders.astype(np.int64)
        row = np.arange(n.sum()) - np.repeat(np.cumsum(n) - n, n)
        return np.repeat(self.ends - n * n, n) + row * np.repeat(n + 1, n)


def _sizes(given, count, most):
    """The numbers of vertices of `count` graphs (None: of any number), each at most `most`."""
    orders = integers(given, "sizes")
    if orders.ndim != 1 or (count is not None and len(orders) != count):
        raise ValueError(f"the sizes are an array of shape {orders.shape}, expected a number of vertices for each of the "
                         f"graphs{'' if count is None else f', of which there are {count}'}")
    wrong = (orders < 0) | (orders > most)
    if wrong.any():
        g = int(np.argmax(wrong))
        raise ValueError(f"the size of graph {g} is {orders[g]}, expected 0 to {most}")
    return orders.astype(np.int32)


def _no_edge(dtype, semiring):
    """The number for "no path" of a semiring."""
    if semiring == "max_times":
        return dtype.type(0)
    far = infinity(dtype)
    return dtype.type(-far if semiring in ("max_plus", "max_min") else far)


def _no_edges(weights, semiring):
    """Where the weights are no edges."""
    none = _no_edge(weights.dtype, semiring)
    if semiring == "max_times" or weights.dtype.kind == "f":
        return weights == none
    return weights <= none if none < 0 else weights >= none


def _converted(weights, mask, dtype, semiring, place, loops=None):
    """A copy of matrices in another type, in which no edge is none.

    place  the words for the place of an index
    loops  which entries of a buffer lie on a diagonal: a function
    """
    if weights.dtype == dtype and mask is None:  # (the compiled part finds weights that are as far as infinity)
        return np.array(weights, order="C")
    none = _no_edges(weights, semiring)
    if mask is not None:
        none |= mask
    if weights.dtype == dtype:
        result = np.array(weights, order="C")
    else:
        with np.errstate(invalid="ignore", over="ignore"):
            result = np.array(weights, dtype=dtype, order="C")
        refuse(misfits(weights, result) & ~none, weights, ValueError, f"is not a number of type {dtype}", place)
    if dtype.kind == "i" and weights.dtype != dtype:
        wider = {2: "; use int32 or int64", 4: "; use int64"}.get(dtype.itemsize, "")
        limit = infinity(dtype)
        far = ((result > limit) | (result < -limit)) & ~none
        if weights.ndim > 1:
            far &= ~np.eye(weights.shape[-1], dtype=bool)
        elif far.any():
            far[loops()] = False
        refuse(far, weights, OverflowError, f"is beyond infinity, {limit}, in {dtype}{wider}", place)
    result[none] = _no_edge(dtype, semiring)
    return result


def _types(dtype, weights):
    """The type of the result, and the type in which it is solved."""
    if dtype is not None and np.dtype(dtype) in _SHORT:
        return np.dtype(dtype), np.dtype(np.int32)
    solved = result_type(weights if dtype is None else dtype)
    return solved, solved


def _common(types):
    """One of TYPES for weights of some types."""
    types = set(types)
    found = types.pop() if len(types) == 1 else np.result_type(*types) if types else np.dtype(np.int32)
    return found if found in TYPES else np.dtype(np.float64)


def _weights_of(matrices, place, semiring="min_plus", dtype=None):
    """The weights of one or more matrices in one of TYPES, and the mask of what is masked, or None.

    dtype  the result's type, or None
    """
    array, mask = as_array(matrices), np.ma.getmask(matrices)
    mask = None if mask is np.ma.nomask else mask
    if array.dtype == bool:
        _, solved = _types(dtype, np.dtype(np.int32))
        return np.where(array, solved.type(1), _no_edge(solved, semiring)), mask
    return readable(array, mask, place), mask


def _of_cube(graphs, sizes, dtype, semiring, overwrite):
    """Matrices of one array: the batch, its entries, the result's type."""
    given = as_array(graphs)
    if given.ndim == 0:
        raise TypeError(f"the graphs are of type {type(graphs).__name__}, expected a list, an array or a tuple of edges")
    if given.ndim != 3:
        edges = "; edges in one array are tuple(edges)" if given.ndim == 2 and len(given) in (2, 3) else ""
        raise ValueError(f"the graphs have {given.ndim} dimensions, expected 3: count, n, n{edges}")
    if given.shape[1] != given.shape[2]:
        raise ValueError(f"the matrices of the batch have {given.shape[1]} rows and {given.shape[2]} columns, "
                         "expected square ones")
    n = given.shape[1]
    orders = np.full(len(given), n, np.int32) if sizes is None else _sizes(sizes, len(given), n)
    batch, place, wanted = _Batch(orders, None), "at {}".format, graphs
    if (orders < n).any():  # (entries outside of a graph do not matter)
        inside, mask = batch.inside(n), np.ma.getmask(graphs)
        wanted = given[inside] if mask is np.ma.nomask else np.ma.masked_array(given[inside], mask[inside])

        def place(index):
            return f"at {batch.place(index[0])}"

    weights, mask = _weights_of(wanted, place, semiring, dtype)
    warn_of_zeros(given)
    result, batch.dtype = _types(dtype, weights.dtype)
    same = weights.dtype == batch.dtype and mask is None and weights.flags.carray
    if not (same and (overwrite and weights is graphs and batch.dtype == result
                      or not np.may_share_memory(weights, given))):
        weights = _converted(weights, mask, batch.dtype, semiring, place, batch.loops)
    return batch, weights.reshape(-1), result


def _of_matrices(graphs, dtype, semiring):
    """A list of matrices: the batch, its entries, the result's type. It is fast where all have one type."""
    def place(index):
        g, *at = batch.place(index[0])
        return f"of graph {g} at {tuple(at)}"

    joined = entries = None
    if type(graphs[0]) is np.ndarray and graphs[0].dtype.kind in "biuf":
        joined = _core.joined_matrices(graphs, graphs[0].dtype)
    if joined is not None:
        orders, entries = joined
    else:
        given, graphs = graphs, [m if isinstance(m, np.ndarray) else as_array(m) for m in graphs]
        orders = []
        for g, matrix in enumerate(graphs):
            shape = matrix.shape
            if not shape:
                raise TypeError(f"graph {g} of the batch is of type {type(given[g]).__name__}, expected a matrix or a tuple of "
                                "edges")
            if len(shape) != 2 or shape[0] != shape[1]:
                edges = "; edges in one array are tuple(edges)" if len(shape) == 2 and shape[0] in (2, 3) else ""
                raise ValueError(f"graph {g} of the batch is an array of shape {shape}, expected a square matrix{edges}")
            orders.append(shape[0])
        if len({m.dtype for m in graphs}) == 1 and set(map(type, graphs)) == {np.ndarray}:
            entries = np.concatenate([m.ravel() for m in graphs])
    batch = _Batch(orders, None)
    if entries is not None:
        entries, _ = _weights_of(entries, place, semiring, dtype)
    else:
        held = [_weights_of(m, lambda index, g=g: f"of graph {g} at {index}", semiring) for g, m in enumerate(graphs)]
        common = _common(weights.dtype for weights, _ in held)
        entries = np.concatenate([_converted(weights, m, common, semiring, lambda index, g=g: f"of graph {g} at {index}")
                                  .ravel() for g, (weights, m) in enumerate(held)])
    for matrix in graphs[:4]:
        warn_of_zeros(matrix)
    result, batch.dtype = _types(dtype, entries.dtype)
    if entries.dtype != batch.dtype:
        entries = _converted(entries, None, batch.dtype, semiring, place, batch.loops)
    return batch, entries, result


def _of_square(matrix, semiring):
    """A Dense one as Edges, and their numbers i * n + j."""
    there = ~_no_edges(matrix.weights, semiring)
    if matrix.mask is not None:
        there &= ~matrix.mask
    refuse(there & ~np.isfinite(matrix.weights), matrix.weights, ValueError, "is not valid, expected a number or infinity",
           "at {}".format)
    from_, to = np.nonzero(there)
    return Edges(matrix.n, from_.astype(np.int32), to.astype(np.int32), matrix.weights[there]), from_ * matrix.n + to


def _one_list(graph, n, directed, semiring="min_plus"):
    """One graph as Edges, the numbers of the edges where they are not those in the list, and whether it is directed."""
    graph, n, directed = _form(graph, n, None if isinstance(graph, Graph) else directed)
    if isinstance(graph, tuple) and not isinstance(graph, Edges):
        edges, mask = _edges(graph, n)
        parts = [part for part in edges[1:] if part is not None]
        for part in parts:
            if part.ndim != 1:
                raise ValueError(f"the edges are an array of shape {part.shape}, expected lists of numbers")
        counts = set(map(len, parts))
        if len(counts) > 1:
            raise ValueError(f"the edges begin at {len(edges.from_)} vertices, expected as many ends and weights")
        if mask is None:
            return edges, None, directed
        kept = np.flatnonzero(~mask)
        weights = None if edges.weights is None else edges.weights[kept]
        return Edges(edges.n, edges.from_[kept], edges.to[kept], weights), kept, directed
    found = graph_of(graph)
    return (found, None, directed) if isinstance(found, Edges) else (*_of_square(found, semiring), directed)


def _filled(batch, first, lowest, edges, directed, semiring, own, numbered):
    """The matrices of graphs of edges, and the numbers of the edges of their entries, if they are wanted."""
    entries = np.empty(batch.size, batch.dtype)
    numbers = np.empty(batch.size, np.int32) if numbered else None
    getattr(_core, f"fill_graphs_{batch.dtype}")(entries, batch.orders, first, lowest, edges.from_, edges.to,
                                                 edges.weights, directed, semiring, own, numbers)
    return entries, numbers


def _one_by_one(graphs, orders, directed, semiring):
    """Of graphs of any form: each one's Edges and the numbers of these, and whether the graphs are directed."""
    lists, kinds, kept = [], set(), []
    for g, graph in enumerate(graphs):
        try:
            edges, some, kind = _one_list(graph, None if orders is None else int(orders[g]), directed, semiring)
        except (ValueError, TypeError) as error:
            raise type(error)(f"graph {g} of the batch: {error}") from None
        lists.append(edges)
        kinds.add(kind)
        kept.append(some)
    if len(kinds) > 1:
        raise ValueError("some graphs of the batch are directed and some are not, expected all of one kind")
    return lists, kept, kinds.pop()


def _joined(lists):
    """The edges of some graphs one after the other, and the number of each graph's."""
    weights, types = None, [one.weights.dtype for one in lists if one.weights is not None]
    if types:
        common, parts = _common(types), []
        for g, one in enumerate(lists):
            given = np.ones(len(one.from_), common) if one.weights is None else one.weights
            parts.append(given.astype(common))
            refuse(misfits(given, parts[-1]), given, ValueError, f"is not a number of type {common}",
                   lambda index, g=g: f"of edge {index[0]} of graph {g}")
        weights = np.concatenate(parts)
    return (Edges(0, np.concatenate([one.from_ for one in lists]), np.concatenate([one.to for one in lists]), weights),
            np.array([len(one.from_) for one in lists], np.int64))


def _joined_lists(graphs, orders):
    """The same of lists of edges that are all arrays of one form, with the numbers of vertices; None of others."""
    if set(map(type, graphs)) != {tuple} or set(map(len, graphs)) not in ({2}, {3}):
        return None
    parts = list(zip(*graphs))
    if any(set(map(type, part)) != {np.ndarray} for part in parts):
        return None
    shapes = [[array.shape for array in part] for part in parts]
    if any(other != shapes[0] for other in shapes[1:]) or set(map(len, shapes[0])) != {1}:
        return None
    from_, to = (np.concatenate(part) for part in parts[:2])
    if from_.dtype.kind != "i" or to.dtype.kind != "i":
        return None
    ends = np.maximum(from_, to)
    if ends.max(initial=0) >= 2**31 or min(from_.min(initial=0), to.min(initial=0)) < 0:
        return None
    weights = np.concatenate(parts[2]) if len(parts) > 2 else None
    if weights is not None and (weights.dtype not in TYPES or len({array.dtype for array in parts[2]}) > 1):
        return None
    counts = np.array(shapes[0], np.int64).ravel()
    if orders is None:
        orders, some = np.zeros(len(counts), np.int64), counts > 0
        if some.any():
            orders[some] = 1 + np.maximum.reduceat(ends, (np.cumsum(counts) - counts)[some])
    return Edges(0, from_.astype(np.int32, copy=False), to.astype(np.int32, copy=False), weights), counts, orders


def _joined_sparse(graphs, numbered):
    """The same of sparse matrices that are all of the formats CSR or, if no edges are to be numbered, COO."""
    if not all(map(is_sparse, graphs)) or {len(m.shape) for m in graphs} != {2}:
        return None
    formats = {m.format for m in graphs}
    if formats != {"csr"} and (formats != {"coo"} or numbered) or len({m.data.dtype for m in graphs}) > 1:
        return None
    orders, columns = np.array([m.shape for m in graphs], np.int64).T
    counts = np.array([len(m.data) for m in graphs], np.int64)
    weights = np.concatenate([m.data for m in graphs])
    if (orders != columns).any() or (weights.dtype not in TYPES and weights.dtype != bool):
        return None
    if formats == {"coo"}:
        from_, to = (np.concatenate([getattr(m, name) for m in graphs]) for name in ("row", "col"))
        squares = orders**2
        place = np.repeat(np.cumsum(squares) - squares, counts) + from_.astype(np.int64) * np.repeat(orders, counts) + to
        there = np.zeros(squares.sum(), bool)
        there[place] = True
        if np.count_nonzero(there) < len(place):  # (repeated entries add up)
            return None
    else:
        to = np.concatenate([m.indices for m in graphs])
        pointers = np.concatenate([m.indptr for m in graphs])
        last = np.cumsum(orders + 1) - 1
        if len(to) != len(weights) or len(pointers) != last[-1] + 1 or (pointers[last] != counts).any():
            return None
        row = np.arange(orders.sum()) - np.repeat(np.cumsum(orders) - orders, orders)
        from_ = np.repeat(row, np.delete(np.diff(pointers), last[:-1]))
    edges = Edges(0, from_.astype(np.int32, copy=False), to.astype(np.int32, copy=False), weights)
    if weights.dtype == bool:
        counts = np.bincount(np.repeat(np.arange(len(counts)), counts)[weights], minlength=len(counts))
        edges = Edges(0, edges.from_[weights], edges.to[weights], None)
    return edges, counts, orders


def _of_lists(graphs, sizes, directed, dtype, semiring, numbered):
    """A list of graphs of any form: the batch, its entries, the result's type, the numbers of edges."""
    orders, kept = None if sizes is None else _sizes(sizes, len(graphs), 2**31 - 1), ()
    joined = _joined_lists(graphs, orders) or _joined_sparse(graphs, numbered)
    if joined is None:
        lists, kept, directed = _one_by_one(graphs, orders, directed, semiring)
        joined = *_joined(lists), np.array([one.n for one in lists], np.int64)
    edges, counts, found = joined
    if orders is not None and (orders != found).any():
        g = int(np.argmax(orders != found))
        raise ValueError(f"the size of graph {g} is {orders[g]}, expected {found[g]}, its number of vertices")
    result, solved = _types(dtype, np.dtype(np.int32) if edges.weights is None else edges.weights.dtype)
    batch = _Batch(found, solved)
    first = np.concatenate([[0], np.cumsum(counts)])
    entries, numbers = _filled(batch, first, np.zeros(len(counts), np.int64), edges, bool(directed), semiring, True, numbered)
    for g, some in enumerate(kept):
        if numbered and some is not None and len(some):
            part = numbers[int(batch.ends[g]) - int(batch.orders[g])**2:int(batch.ends[g])]
            part[part >= 0] = some[part[part >= 0]]
    return batch, entries, result, numbers


def _of_one_list(graph, sizes, directed, dtype, semiring, numbered):
    """Graphs whose edges are in one list, with vertices of all of them: as _of_lists."""
    if sizes is None:
        raise ValueError("a tuple holds the edges of all graphs, expected sizes: the number of vertices of each graph (some "
                         "graphs are a list)")
    orders = _sizes(sizes, None, 2**31 - 1)
    starts = np.concatenate([[0], np.cumsum(orders, dtype=np.int64)])
    edges, kept, _ = _one_list(graph, int(starts[-1]), directed)
    outside = (edges.from_ < 0) | (edges.from_ >= starts[-1])
    if outside.any():
        e = int(np.argmax(outside))
        raise ValueError(f"edge {e if kept is None else kept[e]}: it begins at vertex {edges.from_[e]}, expected "
                         f"0 to {starts[-1] - 1}")
    of = np.repeat(np.arange(len(orders)), orders)[edges.from_]
    if (of[1:] < of[:-1]).any():
        order = np.argsort(of, kind="stable")
        of = of[order]
        kept = order if kept is None else kept[order]
        edges = Edges(edges.n, edges.from_[order], edges.to[order], None if edges.weights is None else edges.weights[order])
    result, solved = _types(dtype, np.dtype(np.int32) if edges.weights is None else edges.weights.dtype)
    batch = _Batch(orders, solved)
    entries, numbers = _filled(batch, np.searchsorted(of, np.arange(len(orders) + 1)), starts[:-1], edges, directed,
                               semiring, False, numbered)
    if numbered and kept is not None and len(kept):
        numbers[numbers >= 0] = kept[numbers[numbers >= 0]]
    return batch, entries, result, numbers


def _unweighted(graph, n, directed):
    """A graph without its weights, and without its closed edges: a matrix of bool, or (from, to)."""
    if type(graph) is tuple and len(graph) == 2:
        return graph
    if not _is_edges(graph) and not isinstance(graph, Graph) and not is_sparse(graph) and not is_networkx(graph):
        if type(graph) is np.ndarray and graph.dtype == bool:
            return graph
        weights, mask = _weights_of(graph, "at {}".format)
        there = weights < infinity(weights.dtype)
        return there if mask is None else there & ~mask
    edges, _, _ = _one_list(graph, n, directed)
    if edges.weights is None:
        return edges.from_, edges.to
    there = edges.weights < infinity(edges.weights.dtype)
    return edges.from_[there], edges.to[there]


def _is_edges(graph):
    return isinstance(graph, tuple) and not isinstance(graph, (Graph, Edges))


def _is_list(graphs):
    """Whether it is a list of graphs, and not one array in lists of numbers."""
    if not isinstance(graphs, (list, tuple)):
        return False
    return not (graphs and isinstance(graphs[0], list) and graphs[0] and isinstance(graphs[0][0], list)
                and len({len(g) for g in graphs}) == 1)


def _in_result(entries, batch, result, semiring, no_path):
    """The distances in the result's type, and their number for "no path"."""
    none = _no_edge(batch.dtype, semiring)
    short = result != batch.dtype
    wanted = no_path if no_path is not None else np.iinfo(result).max if short else none
    with np.errstate(invalid="ignore", over="ignore"):
        held = np.array(wanted).astype(result)[()]
    if not (held == wanted or (held != held and wanted != wanted)):
        raise ValueError(f"no_path is {wanted}, expected a number of type {result}")
    if not short and held == none:
        return entries, held
    far = entries == none
    if short:
        limits = np.iinfo(result)
        wrong = ~far & ((entries < limits.min) | (entries > limits.max))
        if wrong.any():
            raise OverflowError(f"a distance is {entries[wrong][0]}, expected {limits.min} to {limits.max} in {result}")
        entries = entries.astype(result)
    entries[far] = held
    return entries, held


def _closures(graphs, sizes, directed, semiring, no_path, out, overwrite, **more):
    """batched with dtype=bool: the transitive closures."""
    if semiring != "min_plus" or no_path is not None or out is not None or overwrite:
        raise ValueError("dtype=bool gives the transitive closures, expected no semiring, no_path, out or overwrite with it")
    if _is_edges(graphs):
        orders = None if sizes is None else int(_sizes(sizes, None, 2**31 - 1).sum(dtype=np.int64))
        plain = _unweighted(graphs, orders, directed)
    elif not _is_list(graphs):
        plain = _unweighted(graphs, None, directed)
    else:
        orders = [None] * len(graphs) if sizes is None else _sizes(sizes, len(graphs), 2**31 - 1).tolist()
        plain = [_unweighted(graph, n, directed) for graph, n in zip(graphs, orders)]
        if sizes is None and any(isinstance(one, tuple) and one is not graph for one, graph in zip(plain, graphs)):
            sizes = [len(one) if isinstance(one, np.ndarray) else _one_list(graph, None, directed)[0].n
                     for one, graph in zip(plain, graphs)]
    found = batched(plain, sizes=sizes, directed=directed, dtype=np.int16, **more)
    several = isinstance(found, tuple)
    reached, rest = (found[0], found[1:]) if several else (found, ())
    none = infinity(np.int16)
    reached = [d < none for d in reached] if isinstance(reached, list) else reached < none
    return (reached, *rest) if several else reached


def batched(graphs, *, sizes=None, directed=True, dtype=None, semiring="min_plus", predecessors=False, next_hops=False,
            hops=False, path_edges=None, no_path=None, padded=False, out=None, on_cycle="raise", overwrite=False,
            strict_cycles=False):
    """The shortest distances of many small graphs at once, and what is to be known of the paths.

    graphs     one of
               - an array of shape (count, n, n), which may be masked: a matrix as all_pairs takes it for each graph (0 is
                 an edge; of bool, True is an edge of weight 1, and False is none)
               - a list of square arrays of any sizes, likewise
               - a list of graphs, each edges (from, to) or (from, to, weights) with vertices from 0, a sparse matrix of
                 SciPy's, a Graph, a graph of NetworkX's, or a square array
               - the edges of all graphs in one tuple (from, to) or (from, to, weights), with sizes: the vertices of graph
                 g have the numbers from sizes[:g].sum() on. A batch of PyTorch Geometric's is tuple(edge_index), with
                 sizes=np.diff(ptr)
    sizes      the number of vertices of each graph. Of an array its first sizes[g] rows and columns are the graph. For
               lists of edges, without, one more than the largest vertex that they name
    directed   False: every edge leads in both directions, so a negative one is a negative cycle
    dtype      the result's type, int8, uint8, int16, int32, int64, float32 or float64; without, that of the weights. bool:
               whether there is a path, the transitive closures; weights do not matter then, and paths have the fewest edges
    semiring   as in all_pairs
    predecessors, next_hops, hops
               True: also the vertex before j on a shortest path from i to j; the vertex after i on it; the number of its
               edges. With hops all paths have the fewest edges among the shortest (only min_plus and max_plus)
    path_edges a number: also this number of first edges of each path, and -1 behind its last. An edge's number is its place in
               the list of edges of its graph, of one list for all in that, of a sparse matrix in its CSR form, and in a
               square array i * n + j
    no_path    the number for "no path" in the distances; without, infinity(dtype), and in int8 and uint8 the largest
    padded     True: one array (count, most, most) instead of a list
    out        the array for the distances, of the result's shape and type; for an array of graphs, or padded
    on_cycle   "raise", or "mark": also a mask of the graphs with a negative cycle, whose pairs all have no path
    overwrite  write the result over graphs, if that is a C-ordered array of the result's type, without sizes
    strict_cycles
               see help(blockfw._scipy)

    Returns a list of n x n matrices; for an array of graphs an array of its shape. If more than the distances is wanted, a
    tuple: distances, predecessors, next_hops, hops, path_edges, mask. Vertices and numbers of edges are int32; where there
    is no path, and from a vertex to itself, they are -9999 (hops there 0). Around the graphs of one array are no_path,
    -9999 and -1.

    Raises ValueError for another shape, a vertex out of range, a NaN or -inf, and for a weight that is no number of dtype;
    NegativeCycleError when one of the graphs has a negative cycle; OverflowError where a weight is beyond infinity(dtype),
    sums could exceed an integer type, or a distance is beyond int8 or uint8; MemoryError.

    >>> import numpy as np, blockfw
    >>> blockfw.batched(np.array([[[0, 1, 9], [9, 0, 1], [9, 9, 0]]] * 2))[1, 0]
    array([0, 1, 2])
    >>> chain, pair = ([0, 1], [1, 2]), ([0], [1])
    >>> first, second = blockfw.batched([chain, pair], directed=False, dtype="uint8", no_path=255)
    >>> first
    array([[0, 1, 2],
           [1, 0, 1],
           [2, 1, 0]], dtype=uint8)
    """
    if isinstance(graphs, (Graph, Edges)) or is_sparse(graphs) or is_networkx(graphs):
        raise TypeError(f"the graphs are one {type(graphs).__name__}, expected a list (all_pairs solves one graph)")
    if dtype is not None and np.dtype(dtype) == bool:
        return _closures(graphs, sizes, directed, semiring, no_path, out, overwrite,
                         predecessors=predecessors, next_hops=next_hops, hops=hops, path_edges=path_edges, padded=padded,
                         on_cycle=on_cycle)
    if on_cycle not in ("raise", "mark"):
        raise ValueError(f"on_cycle is {on_cycle!r}, expected 'raise' or 'mark'")
    numbered = path_edges is not None
    length = operator.index(path_edges) if numbered else 0
    if length < 0:
        raise ValueError(f"path_edges is {length}, expected 0 or more")
    if (hops or numbered) and semiring not in ("min_plus", "max_plus"):
        raise ValueError(f"hops and path_edges are of min_plus and max_plus, expected one of these, not {semiring}")
    numbers, most, both_ways = None, None, not directed
    if _is_edges(graphs):
        batch, entries, result, numbers = _of_one_list(graphs, sizes, directed, dtype, semiring, numbered)
    elif not _is_list(graphs):
        batch, entries, result = _of_cube(graphs, sizes, dtype, semiring, overwrite)
        most = np.shape(graphs)[1]
    elif not graphs:
        result, solved = _types(dtype, np.dtype(np.int32))
        batch, entries = _Batch([], solved), np.empty(0, solved)
    elif any(isinstance(g, tuple) or is_sparse(g) or is_networkx(g) for g in dict(zip(map(type, graphs), graphs)).values()):
        batch, entries, result, numbers = _of_lists(graphs, sizes, directed, dtype, semiring, numbered)
    else:
        if sizes is not None:
            raise ValueError("the sizes are for an array or for edges, expected none for a list of matrices")
        batch, entries, result = _of_matrices(graphs, dtype, semiring)
    if padded and most is None:
        most = int(batch.orders.max(initial=0))
    if out is not None:
        shape = (len(batch.orders), most, most)
        if most is None:
            raise ValueError("out is for an array of graphs, or with padded=True, expected none for a list")
        if not isinstance(out, np.ndarray) or out.shape != shape or out.dtype != result or not out.flags.writeable:
            raise ValueError(f"out is {getattr(out, 'dtype', type(out).__name__)} of shape {np.shape(out)}, expected a "
                             f"writeable array of {result} and shape {shape}")
    before, after, edges = (np.empty(batch.size, np.int32) if flag else None
                            for flag in (predecessors or numbered, next_hops, hops or numbered))
    cycles, others = getattr(_core, f"solve_graphs_{batch.dtype}")(entries, batch.orders, not both_ways, semiring, before,
                                                                   after, edges, bool(strict_cycles))
    marked = cycles != _NONE
    if marked.any():
        if on_cycle == "raise":
            g = int(np.argmax(marked))
            if others[g] != _NONE:
                sentence = _core.edge_sentence(str(cycles[g]), str(others[g]), semiring == "min_plus")
                raise negative_cycle_error()(f"graph {g} of the batch has a negative cycle: {sentence}")
            raise negative_cycle_error()(f"graph {g} of the batch has a negative cycle through vertex {cycles[g]}")
        for g in np.flatnonzero(marked).tolist():  # (the entries of these graphs have no meaning)
            entries[int(batch.ends[g]) - int(batch.orders[g])**2:int(batch.ends[g])] = _no_edge(batch.dtype, semiring)
    distances, none = _in_result(entries, batch, result, semiring, no_path)
    found = [graphs if overwrite and np.may_share_memory(distances, graphs) else batch.shaped(distances, most, none)]
    if out is not None:
        out[...] = found[0]
        found = [out]
    found += [batch.shaped(numbers_, most, _NONE)
              for numbers_, flag in ((before, predecessors), (after, next_hops), (edges, hops)) if flag]
    if numbered:
        along = np.empty((batch.size, length), np.int32)
        _core.edges_of_paths(batch.orders, before, edges, numbers, length, along.reshape(-1))
        found.append(batch.shaped(along, most, -1))
    if on_cycle == "mark":
        found.append(marked)
    return found[0] if len(found) == 1 else tuple(found)
