# SPDX-License-Identifier: MIT
"""Converts a caller's graph to arrays that the compiled part reads."""
import sys
import warnings
from typing import NamedTuple, Optional

import numpy as np

from ._numbers import TYPES, as_array, readable, refuse


class Dense(NamedTuple):
    """A matrix of weights, of one of TYPES."""
    n: int
    weights: np.ndarray
    mask: Optional[np.ndarray]  # True: no edge


class Edges(NamedTuple):
    """The edges from_[e] -> to[e] of weights[e], or of weight 1."""
    n: int
    from_: np.ndarray
    to: np.ndarray
    weights: Optional[np.ndarray]


def result_type(dtype):
    """One of TYPES. Raises TypeError for others."""
    dtype = np.dtype(dtype)
    if dtype not in TYPES:
        raise TypeError(f"distances cannot have the type {dtype}, expected int16, int32, int64, float32 or float64")
    return TYPES[TYPES.index(dtype)]  # (C's long long is NumPy's int64, but by another name)


def infinity(dtype):
    """The distance of a pair without a path: inf, and for integers 2**(bits - 2) - 1.

    >>> import blockfw
    >>> blockfw.infinity("int32"), blockfw.infinity("float32")
    (1073741823, inf)
    """
    dtype = result_type(dtype)
    return np.inf if dtype.kind == "f" else int(np.iinfo(dtype).max // 2)


_warned = False


def warn_of_zeros(weights):
    """Warns once of floats that are all 0 or 1, which look like a matrix of which vertices are neighbours: here 0 is an
    edge of length 0, and in SciPy's csgraph it is none."""
    global _warned
    if _warned or weights.dtype.kind != "f" or weights.ndim < 2 or weights.shape[-1] < 2 or not weights.size:
        return
    row = weights[(0,) * (weights.ndim - 1)]
    if not ((row == 0) | (row == 1)).all() or not ((weights == 0) | (weights == 1)).all():
        return
    off_diagonal = weights[..., ~np.eye(weights.shape[-1], dtype=bool)]
    if off_diagonal.all() or not off_diagonal.any():
        return
    _warned = True
    warnings.warn("all weights are 0 or 1, and a 0 is an edge of length 0 here, not in scipy.sparse.csgraph; if it is to be "
                  "no edge, pass matrix.astype(bool), a sparse matrix, or inf in its place", stacklevel=4)


def is_sparse(graph):
    """Whether it is one of SciPy's sparse arrays or matrices. (SciPy is imported already, then.)"""
    sparse = sys.modules.get("scipy.sparse")
    return sparse is not None and sparse.issparse(graph)


def is_networkx(graph):
    """Whether it is one of NetworkX's graphs. (NetworkX is imported already, then.)"""
    networkx = sys.modules.get("networkx")
    return networkx is not None and isinstance(graph, networkx.Graph)


def _require_square(shape):
    if len(shape) != 2:
        raise ValueError(f"the graph has {len(shape)} dimensions, expected a matrix")
    if shape[0] != shape[1]:
        raise ValueError(f"the graph's matrix has {shape[0]} rows and {shape[1]} columns, expected a square one")


def vertices(array, what="vertices"):
    """Numbers of vertices, or of other things, as int32."""
    if np.ma.is_masked(array):
        raise ValueError("a vertex of an edge is masked, expected its number (a masked weight is no edge)"
                         if what == "vertices" else f"one of the {what} is masked, expected its number")
    array = np.asarray(array)
    if array.dtype == np.int32:
        return np.ascontiguousarray(array)
    if array.size == 0:
        return np.zeros(array.shape, np.int32)
    if array.dtype.kind not in "iu":
        raise TypeError(f"{what} are integers, found {array.dtype}")
    if array.min() < 0 or array.max() >= 2**31:
        raise ValueError(f"{what} lie between 0 and 2**31 - 1, found {array.min()} to {array.max()}")
    return np.ascontiguousarray(array, dtype=np.int32)


def _of_sparse(graph):
    _require_square(graph.shape)
    rows = graph.tocsr()  # (of repeated entries a COO matrix adds up, as everywhere in SciPy; the others keep the least)
    n = rows.shape[0]
    from_ = np.repeat(np.arange(n, dtype=np.int32), np.diff(rows.indptr))
    to, weights = vertices(rows.indices[:from_.size]), np.asarray(rows.data[:from_.size])
    if weights.dtype == bool:  # (as in a dense matrix, False is no edge)
        return Edges(n, from_[weights], to[weights], np.ones(np.count_nonzero(weights), np.int32))

    def place(index):
        return f"at ({from_[index[0]]}, {to[index[0]]})"

    if graph.format == "coo" and weights.dtype.kind in "iu" and rows.nnz < graph.nnz:
        sums = graph.astype(np.float64).tocsr().data
        wrapped = np.abs(sums - weights.astype(np.float64)) > 2.0**(8 * weights.dtype.itemsize - 1)
        refuse(wrapped, sums, OverflowError, f"is a sum of repeated entries, which {weights.dtype} cannot hold", place)
    return Edges(n, from_, to, readable(weights, None, place))


def graph_of(graph):
    """A matrix (dense, masked, or sparse of any format) as Dense or Edges. Raises ValueError unless it is square."""
    if isinstance(graph, (Dense, Edges)):
        return graph
    if not is_sparse(graph) and hasattr(graph, "to_scipy_sparse"):  # of the package sparse
        graph = graph.to_scipy_sparse()
    if is_sparse(graph):
        return _of_sparse(graph)
    mask = None
    if isinstance(graph, np.ma.MaskedArray):
        mask = np.broadcast_to(graph.mask, graph.shape)
        graph = graph.data
    weights = as_array(graph)
    _require_square(weights.shape)
    if weights.dtype == bool:
        return Dense(weights.shape[0], weights.astype(np.int32), ~weights if mask is None else ~weights | mask)
    return Dense(weights.shape[0], readable(weights, mask), mask)


def without_weights(edges):
    """The edges with weight 1, without edges of infinite weight.

    Raises ValueError for a weight of NaN or -infinity.
    """
    weights = edges.weights
    if weights is None or weights.dtype.kind != "f":
        return edges._replace(weights=None)
    wrong = np.flatnonzero(~(weights > -np.inf))
    if wrong.size > 0:
        raise ValueError(f"edge {wrong[0]}: the weight is {weights[wrong[0]]}, expected a number or infinity")
    there = weights < np.inf
    return Edges(edges.n, edges.from_[there], edges.to[there], None)


def edges_of(graph, zeros, dtype):
    """A graph's edges. In a Dense graph these are the edges that SciPy reads.

    zeros  whether 0 in a Dense one is no edge
    dtype  the result's type: where that is one of integers, a Dense one's integers as far as infinity are no edges
    """
    if isinstance(graph, Edges):
        return graph
    there = np.isfinite(graph.weights)
    if dtype.kind == "i":
        if graph.weights.dtype.kind == "i":
            there &= graph.weights < infinity(graph.weights.dtype)
        there &= graph.weights != infinity(dtype)
    if zeros:
        there &= graph.weights != 0
    if graph.mask is not None:
        there &= ~graph.mask
    from_, to = np.nonzero(there)
    return Edges(graph.n, from_.astype(np.int32), to.astype(np.int32), graph.weights[there])
