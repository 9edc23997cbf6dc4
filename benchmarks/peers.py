#!/usr/bin/env python3
"""Compares blockfw with other programs for all-pairs shortest paths, on one random graph.

    P="python3-scipy python3-networkx libboost-dev"
    scripts/sandbox --with "$P" cmake --preset release
    scripts/sandbox --with "$P" cmake --build --preset release
    scripts/sandbox --with "$P" python3 benchmarks/peers.py

Prints a Markdown table. What is not installed is listed as such. Times are the best of up to
five runs (no more once five seconds are spent) and hold the solve alone: no start-up, no
reading, no generating. All results are compared with each other.
"""

import argparse
import array
import importlib.util
import os
import pathlib
import random
import subprocess
import sys
import tempfile
import time

NO_PATH = 2**30 - 1
PROGRAMS = {
    "blockfw": "peer-blockfw",
    "three loops, OpenMP over i": "peer-loops-openmp",
    "three loops, one core, -O3 -march=native": "peer-loops",
    "three loops, one core, -O2 without vectors": "peer-loops-scalar",
    "Boost floyd_warshall_all_pairs_shortest_paths": "peer-boost",
}


def random_matrix(n, density, seed):
    """The matrix of a random graph with weights 1 to 1000, as n * n integers of 32 bits."""
    rng = random.Random(seed)
    matrix = array.array("i", [NO_PATH]) * (n * n)
    for place in rng.sample(range(n * n), round(density * n * n)):
        matrix[place] = rng.randint(1, 1000)
    matrix[:: n + 1] = array.array("i", [0]) * n
    return matrix


def best_seconds(solve):
    best, spent = float("inf"), 0
    for _ in range(5):
        start = time.perf_counter()
        result = solve()
        seconds = time.perf_counter() - start
        best, spent = min(best, seconds), spent + seconds
        if spent > 5:
            break
    return best, result


def solver_of_scipy(weights):
    from scipy.sparse.csgraph import floyd_warshall

    return lambda: floyd_warshall(weights)


def solver_of_networkx(weights):
    import networkx
    import numpy

    graph = networkx.from_numpy_array(numpy.where(numpy.isinf(weights), 0, weights), create_using=networkx.DiGraph)
    return lambda: networkx.floyd_warshall_numpy(graph)


def measure_python(module, make_solver, matrix, n):
    """Seconds and the result's bytes, or nothing when the module is not installed."""
    if not (importlib.util.find_spec(module) and importlib.util.find_spec("numpy")):
        return None
    import numpy

    weights = numpy.array(matrix, dtype=float).reshape(n, n)
    weights[weights == NO_PATH] = numpy.inf
    seconds, distances = best_seconds(make_solver(weights))
    distances[numpy.isinf(distances)] = NO_PATH
    return [seconds], distances.astype(numpy.int32).tobytes()


def measure_program(program, matrix_file):
    """The numbers it prints and the result's bytes, or nothing when it was not built."""
    if not program.exists():
        return None
    result = matrix_file.with_name("result")
    printed = subprocess.run([program, matrix_file, result], check=True, capture_output=True, text=True).stdout
    return [float(number) for number in printed.split()], result.read_bytes()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--bin", type=pathlib.Path, default="build/release/bin", help="folder of the peer-* programs")
    parser.add_argument("-n", type=int, default=2000, help="vertices")
    parser.add_argument("--density", type=float, default=0.1, help="share of all possible edges")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    n = arguments.n
    if not (arguments.bin / "peer-blockfw").exists():
        sys.exit(f"peers.py: {arguments.bin}/peer-blockfw is not there: build it first, or name its folder with --bin")

    matrix = random_matrix(n, arguments.density, arguments.seed)
    measured = {}
    with tempfile.TemporaryDirectory() as folder:
        matrix_file = pathlib.Path(folder, "matrix")
        matrix_file.write_bytes(matrix.tobytes())
        for name, program in PROGRAMS.items():
            measured[name] = measure_program(arguments.bin / program, matrix_file)
    measured["SciPy csgraph.floyd_warshall"] = measure_python("scipy", solver_of_scipy, matrix, n)
    measured["NetworkX floyd_warshall_numpy"] = measure_python("networkx", solver_of_networkx, matrix, n)

    (ours, limit), expected = measured["blockfw"]
    print(f"{n} vertices, {os.cpu_count()} processors, limit {limit * 1e-9:.1f} Grelax/s\n")
    print("| program | seconds | times slower than blockfw | Grelax/s | share of the machine's limit |")
    print("|---|--:|--:|--:|--:|")
    for name, measurement in sorted(measured.items(), key=lambda item: item[1][0][0] if item[1] else float("inf")):
        if measurement is None:
            print(f"| {name} | not installed | | | |")
            continue
        seconds, rate = measurement[0][0], n**3 / measurement[0][0]
        print(f"| {name} | {seconds:.3f} | {seconds / ours:.1f} | {rate * 1e-9:.2f} | {100 * rate / limit:.1f}% |")
    differing = [name for name, measurement in measured.items() if measurement and measurement[1] != expected]
    if differing:
        sys.exit("\npeers.py: results that differ from blockfw's: " + ", ".join(differing))
    print("\nAll results are equal.")


if __name__ == "__main__":
    main()
