# SPDX-License-Identifier: MIT
"""How far is it between all places of a road network, or of any graph, and by which path? The answers, on all cores or a GPU.

A graph is a matrix, three arrays, a file or a graph of NetworkX; distances have the type of your numbers.

- SciPy's calls, with SciPy's meaning: floyd_warshall, shortest_path, dijkstra, johnson, bellman_ford.
- Distances and paths: all_pairs, Paths, and Network for many questions about a sparse graph, also from and to Points.
  NamedNetwork: the same with ids. by_roads: roads with turns that are forbidden or cost time. WeightSets: a network with
  several sets of weights.
- Measures: eccentricity, diameter, radius, centre, closeness. Reachability: transitive_closure. Matrices: product.
- Many small graphs: batched. Changes: insert_edge, add_vertex. Files: read_graph.
- NetworkX calls the module with backend="blockfw".

>>> import numpy as np, blockfw
>>> roads = np.array([[0, 5, 9, 0],
...                   [0, 0, 2, 0],
...                   [0, 0, 0, 1],
...                   [0, 0, 0, 0]])
>>> blockfw.floyd_warshall(roads)
array([[ 0.,  5.,  7.,  8.],
       [inf,  0.,  2.,  3.],
       [inf, inf,  0.,  1.],
       [inf, inf, inf,  0.]])
"""
import atexit as _atexit
import os as _os

from . import _core
from ._batch import batched
from ._device import DeviceMatrix
from ._errors import __getattr__  # NegativeCycleError, which is SciPy's: imported when it is asked for
from ._named import NamedNetwork
from ._network import Network
from ._own import (Graph, Paths, add_vertex, all_pairs, centre, closeness, diameter, eccentricity, infinity,
                   insert_edge, radius, read_graph, transitive_closure)
from ._points import Points
from ._product import product
from ._roads import RoadNetwork, by_roads
from ._scipy import bellman_ford, dijkstra, floyd_warshall, johnson, shortest_path
from ._weight_sets import WeightSets

__version__ = _core.version

__all__ = ["DeviceMatrix", "Graph", "NamedNetwork", "NegativeCycleError", "Network", "Paths", "Points", "RoadNetwork",
           "WeightSets", "add_vertex", "all_pairs", "backend", "batched", "bellman_ford", "by_roads", "centre", "closeness",
           "diameter", "dijkstra", "eccentricity", "floyd_warshall", "infinity", "insert_edge", "johnson", "product", "radius",
           "read_graph", "set_threads", "shortest_path", "threads", "transitive_closure"]


def set_threads(count):
    """Let solves take that many threads of the host, from the next call on.

    Without it they take the number of OMP_NUM_THREADS or KOKKOS_NUM_THREADS, or all cores.

    Raises ValueError for less than 1 and more than 512; so does the first call where one of those variables is
    another number, or none.
    """
    _core.set_threads(count)


def threads():
    """The number of threads that solves take."""
    return _core.threads()


def backend():
    """The name of Kokkos's execution space that solves: "OpenMP", "Serial", "Threads", "Cuda" or "HIP"."""
    return _core.backend()


if hasattr(_os, "register_at_fork"):
    _os.register_at_fork(before=_core.before_fork, after_in_parent=_core.after_fork,
                         after_in_child=_core.after_fork_in_child)
_atexit.register(_core.at_exit)
