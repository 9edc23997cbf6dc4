# SPDX-License-Identifier: MIT
"""What a caller passes as a graph, as arrays that the compiled part reads."""
import sys
from typing import NamedTuple, Optional

import numpy as np

TYPES = tuple(np.dtype(t) for t in ("int16", "int32", "int64", "float32", "float64"))


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
    return dtype.newbyteorder("=")


def readable(array):
    """The array in one of TYPES, native and aligned: itself if it is so already."""
    dtype = array.dtype
    if dtype not in TYPES or not dtype.isnative:
        kind, size = dtype.kind, dtype.itemsize
        if kind == "b" or (kind in "iu" and size == 1):
            wanted = np.int16
        elif kind == "u":
            wanted = {2: np.int32, 4: np.int64}.get(size, np.float64)
        elif kind == "f" and size == 2:
            wanted = np.float32
        else:
            wanted = dtype.newbyteorder("=") if dtype.newbyteorder("=") in TYPES else np.float64
        return array.astype(wanted)
    if not array.flags.aligned or any(step % dtype.itemsize for step in array.strides):
        return array.copy()
    return array


def is_sparse(graph):
    """Whether it is one of SciPy's sparse arrays or matrices. (SciPy is imported already, then.)"""
    sparse = sys.modules.get("scipy.sparse")
    return sparse is not None and sparse.issparse(graph)


def _require_square(shape):
    if len(shape) != 2:
        raise ValueError(f"the graph has {len(shape)} dimensions, expected a matrix")
    if shape[0] != shape[1]:
        raise ValueError(f"the graph's matrix has {shape[0]} rows and {shape[1]} columns, expected a square one")


def vertices(array):
    """Numbers of vertices as int32."""
    array = np.asarray(array)
    if array.dtype == np.int32:
        return np.ascontiguousarray(array)
    if array.size == 0:
        return np.zeros(array.shape, np.int32)
    if array.dtype.kind not in "iu":
        raise TypeError(f"vertices are integers, found {array.dtype}")
    if array.min() < 0 or array.max() >= 2**31:
        raise ValueError(f"vertices lie between 0 and 2**31 - 1, found {array.min()} to {array.max()}")
    return np.ascontiguousarray(array, dtype=np.int32)


def _of_sparse(graph):
    _require_square(graph.shape)
    rows = graph.tocsr()  # (of repeated entries a COO matrix adds up, as everywhere in SciPy; the others keep the least)
    n = rows.shape[0]
    from_ = np.repeat(np.arange(n, dtype=np.int32), np.diff(rows.indptr))
    return Edges(n, from_, vertices(rows.indices[:from_.size]), readable(np.asarray(rows.data[:from_.size])))


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
    weights = np.asarray(graph)
    _require_square(weights.shape)
    return Dense(weights.shape[0], readable(weights), mask)


def without_weights(edges):
    """The edges with weight 1 for each that there is: those of infinite weight are none.

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


def edges_of(graph, zeros, dtype=None):
    """A graph's edges, of a Dense one those that it has as SciPy reads it.

    zeros  whether 0 in a Dense one is no edge
    dtype  the result's type: where that is one of integers, a Dense one's integers as far as infinity are no edges
    """
    if isinstance(graph, Edges):
        return graph
    there = np.isfinite(graph.weights)
    if dtype is not None and np.dtype(dtype).kind == "i":
        if graph.weights.dtype.kind == "i":
            there &= graph.weights < np.iinfo(graph.weights.dtype).max // 2
        there &= graph.weights != np.iinfo(dtype).max // 2
    if zeros:
        there &= graph.weights != 0
    if graph.mask is not None:
        there &= ~graph.mask
    from_, to = np.nonzero(there)
    return Edges(graph.n, from_.astype(np.int32), to.astype(np.int32), graph.weights[there])
