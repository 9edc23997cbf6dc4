#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compares blockfw with other programs for all-pairs shortest paths, on one random graph.

    scripts/sandbox cmake --preset release
    scripts/sandbox cmake --build --preset release
    scripts/sandbox python3 benchmarks/peers.py

Prints a Markdown table, or JSON lines for the report (--json). Programs that are not installed
or that fail are listed as such, and the others go on. Each program runs up to five times (--runs), no more
once five seconds are spent (--seconds). Times hold the solve alone: no start-up, no reading, no
generating, no copies to and from a GPU; the table has their median. All results are compared with
blockfw's. (With --json the exit status is 0 whenever all lines could be printed.)
"""

import argparse
import array
import importlib.util
import json
import os
import pathlib
import random
import signal
import statistics
import subprocess
import sys
import tempfile
import time

NO_PATH = 2**30 - 1
NOT_INSTALLED = "not installed"
LONGEST = 600  # seconds that a program may take in all


def random_matrix(n, density, seed):
    """The matrix of a random graph with weights 1 to 1000, as n * n integers of 32 bits."""
    rng = random.Random(seed)
    matrix = array.array("i", [NO_PATH]) * (n * n)
    for place in rng.sample(range(n * n), round(density * n * n)):
        matrix[place] = rng.randint(1, 1000)
    matrix[:: n + 1] = array.array("i", [0]) * n
    return matrix


def solver_of_scipy(weights):
    from scipy.sparse.csgraph import floyd_warshall

    return lambda: floyd_warshall(weights)


def solver_of_networkx(weights):
    import networkx
    import numpy

    graph = networkx.from_numpy_array(numpy.where(numpy.isinf(weights), 0, weights), create_using=networkx.DiGraph)
    return lambda: networkx.floyd_warshall_numpy(graph)


def solver_of_igraph(weights):
    import igraph
    import numpy

    edges = numpy.isfinite(weights) & ~numpy.eye(len(weights), dtype=bool)
    graph = igraph.Graph(len(weights), numpy.argwhere(edges).tolist(), directed=True)
    lengths = weights[edges].tolist()
    # Where no weight is negative, "johnson" and "auto" are Dijkstra's too.
    return lambda: graph.distances(weights=lengths, algorithm="dijkstra")


# The module, or the program peer-..., and its title; blockfw comes first, for the others are compared with it.
TITLES = {
    "blockfw": "blockfw",
    "loops-openmp": "three loops, OpenMP over i",
    "loops": "three loops, one core, -O3 -march=native",
    "loops-scalar": "three loops, one core, -O2 without vectors",
    "graphblas": "SuiteSparse:GraphBLAS, Floyd-Warshall by GrB_mxm, 32 pivots at a time",
    "igraph": "python-igraph Graph.distances, Dijkstra from each vertex",
    "boost": "Boost floyd_warshall_all_pairs_shortest_paths",
    "scipy": "SciPy csgraph.floyd_warshall",
    "networkx": "NetworkX floyd_warshall_numpy",
}
SOLVERS = {"scipy": solver_of_scipy, "networkx": solver_of_networkx, "igraph": solver_of_igraph}


def measure_module(module, matrix, arguments):
    """Every run's seconds and the result's bytes, or nothing when the module is not installed."""
    if not (importlib.util.find_spec(module) and importlib.util.find_spec("numpy")):
        return None
    import numpy

    weights = numpy.array(matrix, dtype=float).reshape(arguments.n, arguments.n)
    weights[weights == NO_PATH] = numpy.inf
    solve = SOLVERS[module](weights)
    seconds = []
    while not seconds or (len(seconds) < arguments.runs and sum(seconds) < arguments.seconds):
        start = time.perf_counter()
        result = solve()
        seconds.append(time.perf_counter() - start)
    distances = numpy.array(result, dtype=float)
    distances[numpy.isinf(distances)] = NO_PATH
    return [seconds], distances.astype(numpy.int32).tobytes()


def measure_program(program, matrix_file, arguments):
    """The lines of numbers it prints and the result's bytes, or nothing when it was not built."""
    if not program.exists():
        return None
    result = matrix_file.with_name("result")
    command = [program, matrix_file, result, str(arguments.runs), str(arguments.seconds)]
    printed = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True, timeout=LONGEST).stdout
    return [[float(number) for number in line.split()] for line in printed.splitlines()], result.read_bytes()


class Measurement:
    """Every run's seconds, or why there are none."""

    def __init__(self, name, limit=None, seconds=(), why=None):
        self.name, self.limit, self.seconds, self.why = name, limit, seconds, why


def measure_all(arguments):
    """Yields a Measurement of each program, whatever some of them do."""
    matrix = random_matrix(arguments.n, arguments.density, arguments.seed)
    with tempfile.TemporaryDirectory() as folder:
        matrix_file = pathlib.Path(folder, "matrix")
        matrix_file.write_bytes(matrix.tobytes())
        limit, expected = None, None
        for name in TITLES:
            if name != "blockfw" and expected is None:
                yield Measurement(name, why="not run: there is no result of blockfw to compare with")
                continue
            try:
                if name in SOLVERS:
                    measured = measure_module(name, matrix, arguments)
                else:
                    measured = measure_program(arguments.bin / f"peer-{name}", matrix_file, arguments)
                if measured is None:
                    yield Measurement(name, why=NOT_INSTALLED)
                    continue
                (seconds, *more), result = measured
                if name == "blockfw":
                    (limit,), expected = more[0], result
            except Exception as failure:  # of a program, or of a module
                yield Measurement(name, why=how_it_failed(failure))
                continue
            if result == expected:
                yield Measurement(name, limit, seconds)
            else:
                yield Measurement(name, why="its result differs from blockfw's")


def how_it_failed(failure):
    if isinstance(failure, subprocess.CalledProcessError):
        if failure.returncode < 0:
            return f"ended with signal {-failure.returncode} ({signal.strsignal(-failure.returncode)})"
        return f"ended with status {failure.returncode}"
    if isinstance(failure, subprocess.TimeoutExpired):
        return f"took longer than {failure.timeout:.0f} s"
    return f"{type(failure).__name__}: {failure}"


def print_json(one, n):
    line = {"name": f"peers/program:{one.name}/n:{n}", "title": TITLES[one.name]}
    if one.why:
        line["skipped"] = one.why
    else:
        many = len(one.seconds)
        line |= {"seconds": one.seconds, "counters": {"relaxes": [n**3] * many, "limit": [one.limit] * many}}
    print(json.dumps(line), flush=True)


def print_table(measurements, n):
    medians = {one.name: statistics.median(one.seconds) for one in measurements if not one.why}
    limit = measurements[0].limit
    print(f"{n} vertices, {os.cpu_count()} processors, limit {limit * 1e-9:.1f} Grelax/s\n")
    print("| program | seconds (median) | times slower than blockfw | Grelax/s | share of the machine's limit |")
    print("|---|--:|--:|--:|--:|")
    for name, seconds in sorted(medians.items(), key=lambda item: item[1]):
        slower, rate = seconds / medians["blockfw"], n**3 / seconds
        print(f"| {TITLES[name]} | {seconds:.3f} | {slower:.1f} | {rate * 1e-9:.2f} | {100 * rate / limit:.1f}% |")
    for one in measurements:
        if one.why:
            print(f"| {TITLES[one.name]} | {one.why} | | | |")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--bin", type=pathlib.Path, default="build/release/bin", help="folder of the peer-* programs")
    parser.add_argument("-n", type=int, default=2000, help="vertices")
    parser.add_argument("--density", type=float, default=0.1, help="share of all possible edges")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--runs", type=int, default=5, help="runs of a program, at most; there is always one")
    parser.add_argument("--seconds", type=float, default=5, help="a program does not run again once they are spent")
    parser.add_argument("--json", action="store_true", help="a line of JSON for each program, as soon as it has run")
    arguments = parser.parse_args()
    if not (arguments.bin / "peer-blockfw").exists():
        sys.exit(f"peers.py: {arguments.bin}/peer-blockfw is not there: build it first, or name its folder with --bin")

    measurements = []
    for measurement in measure_all(arguments):
        measurements.append(measurement)
        if arguments.json:
            print_json(measurement, arguments.n)
    if arguments.json:
        return
    if measurements[0].why:
        sys.exit(f"peers.py: blockfw {measurements[0].why}")
    print_table(measurements, arguments.n)
    failed = [f"{TITLES[one.name]}: {one.why}" for one in measurements if one.why not in (None, NOT_INSTALLED)]
    if failed:
        sys.exit("peers.py: " + "; ".join(failed))
    print("\nAll results are equal.")


if __name__ == "__main__":
    main()
