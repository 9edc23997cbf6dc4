#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Times other programs' Dijkstra, from a sample of vertices and scaled to all, on graphs in DIMACS files.

    scripts/sandbox python3 benchmarks/peers/sparse_peers.py GRAPH.gr...

Prints a line for each graph and program: seconds for all vertices, on one core. A program that is not installed is
listed as such. graph-tool is in a root of its own, with the other two:

    scripts/sandbox --only "libkokkos-dev binutils python3-graph-tool python3-scipy python3-igraph" \\
      python3 benchmarks/peers/sparse_peers.py GRAPH.gr...

`bench-sparse --write FILE GRAPH` writes the graphs that it generates. The sample is the one of bench-sparse with the
same --samples, and so is the sum of its distances, if both are right. The exit status is 1 if programs differ.
"""

import argparse
import importlib
import pathlib
import sys
import time


def read_dimacs(path):
    """The number of vertices, and the arcs' ends and lengths: of arcs between the same vertices the shortest."""
    import numpy

    n, arcs = 0, []
    with open(path) as file:
        for line in file:
            if line.startswith("a"):
                arcs.append(line[1:])
            elif line.startswith("p"):
                n = int(line.split()[2])
    # (All words at once: a call for each line would take longer than what is measured.)
    words = numpy.array(" ".join(arcs).split(), dtype=numpy.int64).reshape(-1, 3)
    tails, heads, lengths = words[:, 0] - 1, words[:, 1] - 1, words[:, 2]
    order = numpy.lexsort((lengths, heads, tails))
    tails, heads, lengths = tails[order], heads[order], lengths[order]
    keep = tails != heads
    keep[1:] &= (tails[1:] != tails[:-1]) | (heads[1:] != heads[:-1])
    return n, tails[keep], heads[keep], lengths[keep]


# Each returns a function that takes some sources and returns their rows of distances, inf or so without a path.


def dijkstra_of_scipy(n, tails, heads, lengths):
    import scipy.sparse

    graph = scipy.sparse.csr_matrix((lengths.astype(float), (tails, heads)), shape=(n, n))
    return lambda sources: scipy.sparse.csgraph.dijkstra(graph, indices=sources)


def dijkstra_of_igraph(n, tails, heads, lengths):
    import igraph
    import numpy

    graph = igraph.Graph(n, numpy.column_stack((tails, heads)).tolist(), directed=True)
    graph.es["length"] = lengths.tolist()
    return lambda sources: graph.distances(source=sources.tolist(), weights="length", algorithm="dijkstra")


def dijkstra_of_graph_tool(n, tails, heads, lengths):
    import graph_tool
    import graph_tool.topology
    import numpy

    graph = graph_tool.Graph(directed=True)
    graph.add_vertex(n)
    graph.add_edge_list(numpy.column_stack((tails, heads)))
    weights = graph.new_edge_property("double", vals=lengths)
    far = numpy.finfo(float).max

    def rows(sources):
        found = [graph_tool.topology.shortest_distance(graph, source=graph.vertex(s), weights=weights).a.copy()
                 for s in sources]
        return [numpy.where(row >= far, numpy.inf, row) for row in found]

    return rows


def version_of_igraph(module):
    # (The C library does the work; some versions of the package do not tell its version.)
    return f"{module.__version__}, C core {getattr(module, '__igraph_version__', 'of its own')}"


PROGRAMS = {
    "SciPy": ("scipy.sparse.csgraph", dijkstra_of_scipy, lambda _: importlib.import_module("scipy").__version__),
    "igraph": ("igraph", dijkstra_of_igraph, version_of_igraph),
    "graph-tool": ("graph_tool", dijkstra_of_graph_tool, lambda module: module.__version__.split(" ")[0]),
}


def measure(rows, sources, runs):
    """The seconds of the fastest run, and the distances."""
    import numpy

    best, result = float("inf"), None
    for _ in range(runs):
        start = time.perf_counter()
        result = rows(sources)
        best = min(best, time.perf_counter() - start)
    return best, numpy.array(result, dtype=float)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--samples", type=int, default=100, help="vertices to start from")
    parser.add_argument("--runs", type=int, default=3, help="runs of a sample, of which the fastest counts")
    parser.add_argument("graphs", metavar="GRAPH", nargs="+", type=pathlib.Path, help="a DIMACS file")
    arguments = parser.parse_args()
    import numpy

    differs = False
    for path in arguments.graphs:
        n, *arcs = read_dimacs(path)
        count = min(n, arguments.samples)
        sources = (2 * numpy.arange(count) + 1) * n // (2 * count)
        expected = None
        for title, (name, make, version) in PROGRAMS.items():
            try:
                module = importlib.import_module(name)
            except ImportError:
                print(f"{path.name}: {title}: not installed", flush=True)
                continue
            seconds, distances = measure(make(n, *arcs), sources, arguments.runs)
            finite = numpy.isfinite(distances)
            if expected is None:
                expected = distances
            same = numpy.array_equal(expected, distances)
            differs |= not same
            print(f"{path.name}: {title} {version(module)}: {seconds / count * n:.4g} s for all {n} vertices "
                  f"({seconds:.4g} s for {count}), {len(arcs[0])} arcs, sum of the sample "
                  f"{int(distances[finite].astype(numpy.int64).sum())}{'' if same else ', DIFFERS from the first'}",
                  flush=True)
    sys.exit(1 if differs else 0)


if __name__ == "__main__":
    main()
