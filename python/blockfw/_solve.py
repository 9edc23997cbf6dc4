# SPDX-License-Identifier: MIT
"""A solve of all pairs, or from some sources, with what SciPy's calls and this module's own have in common."""
from contextlib import contextmanager
from typing import NamedTuple

import numpy as np

from . import _core
from ._input import Dense, edges_of, result_type, without_weights


@contextmanager
def shown(progress):
    """Progress of a solve. The compiled part calls it as f(done, in all): None, the caller's function, or a tqdm bar's."""
    if not progress:
        yield None
    elif callable(progress):
        yield progress
    else:
        from tqdm.auto import tqdm

        with tqdm(unit="part") as bar:

            def advance(done, total):
                bar.total = total
                bar.update(done - bar.n)

            yield advance


class Reading(NamedTuple):
    """How a graph's weights are read."""
    directed: bool = True
    zeros: bool = False  # whether 0 in a dense matrix is no edge
    ones: bool = False   # whether every edge has weight 1
    loops: bool = False  # whether a negative loop is a negative cycle
    as_scipy: bool = False  # whether NaN and both infinities in a dense matrix are no edges


class Options(NamedTuple):
    """This library's own keyword arguments."""
    dtype: object = None
    semiring: str = "min_plus"
    method: str = "automatic"
    out: object = None
    devices: object = None
    memory: object = None
    progress: object = False
    strict_cycles: bool = False


def place(shape, default, options):
    """The result's memory: out, or a new array of the wanted type."""
    dtype = options.dtype
    out = options.out
    if out is None:
        return np.empty(shape, result_type(default if dtype is None else dtype))
    if not isinstance(out, np.ndarray):
        raise TypeError(f"out is of {type(out)}, expected a NumPy array")
    result_type(out.dtype)
    if dtype is not None and np.dtype(dtype) != out.dtype:
        raise ValueError(f"out is of type {out.dtype}, expected dtype, {np.dtype(dtype)}")
    if out.shape != shape:
        raise ValueError(f"out has the shape {out.shape}, expected {shape}")
    if not (out.flags.c_contiguous and out.flags.writeable and out.flags.aligned and out.dtype.isnative):
        raise ValueError("out is not a writeable array with contiguous rows")
    return out


def _solve_filled(d, range_, options, progress):
    """Solves a matrix of which all is known."""
    if options.devices is None and options.memory is None:
        _core.solve_matrix(d, range_, options.semiring, options.strict_cycles, progress)
        return
    if options.semiring != "min_plus":
        raise ValueError("devices= and memory= are for shortest paths only")
    if options.devices is not None and options.memory is not None:
        raise ValueError("devices= and memory= exclude each other")
    if options.devices is not None:
        _core.solve_on_devices(d, options.devices, options.strict_cycles, progress)
    else:
        _core.solve_out_of_core(d, range_, options.memory, options.strict_cycles, progress)


def _same(a, b):
    """Whether both arrays have each element in the same place."""
    def layout(array):
        return array.ctypes.data, array.shape, array.strides, array.dtype
    return layout(a) == layout(b)


def _dense(graph, reading, d, options, with_paths):
    if options.method not in ("automatic", "dense", "sparse"):
        raise ValueError(f"the method is '{options.method}', expected automatic, dense or sparse")
    if np.may_share_memory(d, graph.weights) and not _same(d, graph.weights):
        graph = graph._replace(weights=graph.weights.copy())
    if graph.mask is not None and np.may_share_memory(d, graph.mask):
        graph = graph._replace(mask=graph.mask.copy())
    weights = np.empty_like(d) if with_paths else d
    range_ = _core.read_matrix(weights, graph.weights, graph.mask, options.semiring, reading.directed, reading.zeros,
                               reading.ones, reading.loops, reading.as_scipy)
    if with_paths:
        np.copyto(d, weights)
    with shown(options.progress) as progress:
        _solve_filled(d, range_, options, progress)
    return _core.paths_of_matrix(d, weights) if with_paths else None


def _sparse(graph, reading, d, options, with_paths):
    if reading.ones:
        graph = without_weights(graph)
    arrays = (graph.from_, graph.to, graph.weights)
    if with_paths:  # they are read again after d is written
        arrays = tuple(a.copy() if a is not None and np.may_share_memory(d, a) else a for a in arrays)
    with shown(options.progress) as progress:
        if options.devices is None and options.memory is None:
            _core.solve_edges(d, *arrays, reading.loops, options.semiring, reading.directed, options.method,
                              options.strict_cycles, progress)
        else:
            range_ = _core.fill_edges(d, *arrays, reading.loops, options.semiring, reading.directed)
            _solve_filled(d, range_, options, progress)
    return _core.paths_of_edges(d, *arrays, reading.directed) if with_paths else None


def _require_options(options):
    """Raises ValueError for a number of devices, or of bytes, that is none."""
    devices, memory = options.devices, options.memory
    if devices is not None and (not isinstance(devices, (int, np.integer)) or not 0 <= devices < 2**31):
        raise ValueError(f"devices is {devices!r}, expected a number of devices")
    if memory is not None and not memory > 0:
        raise ValueError(f"memory is {memory!r}, expected a number of bytes above 0")


def all_pairs(graph, reading, options, default, with_paths=False):
    """Solves a Dense graph or Edges.

    default: the result's type, unless the options name one.
    Returns the distances, and the finder of paths (or None).
    """
    if with_paths and options.semiring != "min_plus":
        raise ValueError("paths are those of shortest distances, of the semiring min_plus")
    _require_options(options)
    d = place((graph.n, graph.n), default, options)
    solve = _dense if isinstance(graph, Dense) else _sparse
    return d, solve(graph, reading, d, options, with_paths)


def predecessors(finder, progress):
    """The predecessors of all pairs."""
    with shown(progress) as progress:
        return finder.predecessors(progress)


_SMALL = 8192  # vertices of which the n x n distances are no more than half a gigabyte


def _is_full(graph):
    """Whether a graph has many edges: its distances take at most a few times their memory."""
    return isinstance(graph, Dense) or 16 * graph.to.size >= graph.n * graph.n


def some_rows(graph, reading, options, default, sources, with_paths=False):
    """Distances from some sources (int32): an array of a row for each, and the predecessors (or None)."""
    if options.semiring != "min_plus" or options.devices is not None or options.memory is not None:
        raise ValueError("semiring=, devices= and memory= are for all pairs, not for some sources")
    n, count = graph.n, sources.size
    d = place((count, n), default, options)
    before = np.empty((count, n), np.int32) if with_paths else None
    if n == 0 or count == 0:
        return d, before
    negative = graph.weights is not None and bool(np.any(graph.weights < 0))
    if 8 * count >= n and not negative and (n <= _SMALL or _is_full(graph)):  # a full solve takes less time
        all_, finder = all_pairs(graph, reading, options._replace(dtype=d.dtype, out=None), d.dtype, with_paths)
        np.take(all_, sources, axis=0, out=d)
        if with_paths:
            np.take(predecessors(finder, options.progress), sources, axis=0, out=before)
        return d, before
    edges = edges_of(graph, reading.zeros, d.dtype)
    if reading.ones:
        edges = without_weights(edges)
    with shown(options.progress) as progress:
        _core.solve_from(d, before, edges.from_, edges.to, edges.weights, reading.loops, sources, reading.directed,
                         negative, options.strict_cycles, progress)
    return d, before
