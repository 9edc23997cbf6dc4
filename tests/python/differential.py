# SPDX-License-Identifier: MIT
"""Random graphs, solved by every call of the module, by SciPy, by NetworkX and in exact integers; every path is walked.

    python3 tests/python/differential.py [--calls 1000000] [--seed 1] [--processes 2]

Weights have magnitudes from 1e-300 to 1e300, both signs, cycles of length zero and nearly zero. A finite float is an
integer times a power of two, so the oracle adds without rounding. With u the unit roundoff of the distances' type and n
vertices, it expects:

- NegativeCycleError if a cycle is shorter than -n u (the sum of its weights' magnitudes), no error if none is negative;
- without negative weights distances within 2 n u of the exact ones, relatively; with them within 4 n u of the sum of all
  weights' magnitudes; integers exactly;
- of each path: its ends, its edges, its length within the same bound, no vertex twice.

It prints the calls by name, and each difference with the code that repeats it; it exits with 1 if there are any.
"""
import argparse
import collections
import multiprocessing
import random
import sys
import time
import warnings

import networkx as nx
import numpy as np
import scipy.sparse
import scipy.sparse.csgraph as csgraph

import blockfw

NONE = None
UNIT = {"float64": 2.0**-53, "float32": 2.0**-24}
LARGEST = {"int16": 2**14 - 2, "int32": 2**30 - 2, "int64": 2**62 - 2}


def signed(rng, value):
    return value if rng.random() < 0.7 else -value


def weights_of(rng, kind, count, ends, n):
    """Weights of edges, by name of their kind; `ends` are the edges' vertices."""
    height = {"potentials": 3.0, "tight": 5.0, "heights": 1e4}.get(kind)
    if kind == "whole":
        return [float(rng.randint(0, 20)) for _ in range(count)]
    if kind == "whole signed":
        return [float(rng.randint(-2, 20)) for _ in range(count)]
    if kind == "decimal":
        return [round(rng.uniform(0, 5), 1) for _ in range(count)]
    if kind == "wide":
        return [10.0**rng.uniform(-300, 300) for _ in range(count)]
    if kind == "wide signed":
        return [signed(rng, 10.0**rng.uniform(-300, 300)) for _ in range(count)]
    if kind == "mixed":
        return [signed(rng, rng.choice([1e-3, 0.1, 1.0, 7.993, 1e4, 19992.0]) * rng.randint(1, 3)) for _ in range(count)]
    heights = [round(rng.uniform(-height, height), 1) for _ in range(n)]
    slack = 0.0 if kind == "tight" else 1.0
    return [round(heights[v] - heights[u] + slack * rng.choice([0, 0, 0.1, 1.7]), 1) for u, v in ends]


KINDS = ["whole", "whole signed", "decimal", "wide", "wide signed", "mixed", "potentials", "tight", "heights"]


class Case:
    """A graph, its exact distances, and the bounds of what may be returned."""

    def __init__(self, seed):
        rng = random.Random(seed)
        self.seed = seed
        self.n = n = rng.choice([1, 2, 3, 4, 5, 6, 7, 9])
        self.kind = rng.choice(KINDS)
        self.dtype = rng.choice(["float64", "float64", "float32", "int32", "int64", "int16"])
        count = rng.randint(0, 3 * n)
        pairs = [(u, v) for u in range(n) for v in range(n) if u != v]
        ends = rng.sample(pairs, min(count, len(pairs)))
        if rng.random() < 0.5 and n > 2:  # a cycle
            order = rng.sample(range(n), rng.randint(2, n))
            ends = list(dict.fromkeys([*ends, *zip(order, order[1:] + order[:1])]))
        weights = weights_of(rng, self.kind, len(ends), ends, n)
        if self.dtype.startswith("int"):
            most = LARGEST[self.dtype] // max(1, n)
            if self.kind.startswith("wide"):
                weights = [signed(rng, rng.randint(max(0, most - 5), most)) if "signed" in self.kind
                           else rng.randint(most // 3, most) for _ in weights]
            weights = [max(-most, min(most, int(weight))) for weight in weights]
        elif self.dtype == "float32":
            with np.errstate(all="ignore"):
                weights = [float(np.float32(np.clip(weight, -1e37, 1e37))) for weight in weights]
        elif self.kind.startswith("wide"):
            weights = [max(-1e300, min(1e300, weight)) for weight in weights]
        self.ends, self.weights = ends, weights
        self.edges = {pair: weight for pair, weight in zip(ends, weights)}
        self.u = UNIT.get(self.dtype, 0)
        self._exact()

    def _exact(self):
        parts = [weight.as_integer_ratio() for weight in self.weights]
        self.scale = max([denominator for _, denominator in parts], default=1)  # powers of two
        self.exact = {pair: numerator * (self.scale // denominator)
                      for pair, (numerator, denominator) in zip(self.ends, parts)}
        plain, plain_negative = self._closure(lambda weight: weight * 2**60)
        bound = int(self.n * self.u * 2**60)
        surely, sure_negative = self._closure(lambda weight: weight * 2**60 + bound * abs(weight))
        self.negative = "yes" if sure_negative else "perhaps" if plain_negative else "no"
        self.scale *= 2**60
        self.exact = {pair: weight * 2**60 for pair, weight in self.exact.items()}
        self.d = surely if plain_negative else plain
        self.signed = any(weight < 0 for weight in self.weights)
        total = sum(abs(weight) for weight in self.exact.values())
        self.slack = int(4 * self.n * self.u * 2**60) * total >> 60

    def _closure(self, of):
        n = self.n
        d = [[NONE] * n for _ in range(n)]
        for i in range(n):
            d[i][i] = 0
        for (u, v), weight in self.exact.items():
            d[u][v] = of(weight)
        for k in range(n):
            row = d[k]
            for i in range(n):
                first = d[i][k]
                if first is NONE:
                    continue
                line = d[i]
                for j in range(n):
                    if row[j] is not NONE and (line[j] is NONE or first + row[j] < line[j]):
                        line[j] = first + row[j]
        return d, any(d[i][i] < 0 for i in range(n))

    def units(self, number):
        """A float or an integer on the scale of the exact numbers."""
        numerator, denominator = (int(number), 1) if isinstance(number, (int, np.integer)) else float(number).as_integer_ratio()
        return numerator * self.scale // denominator

    def bound(self, exact):
        if self.u == 0:
            return 0
        return (self.slack if self.signed else int(2 * self.n * self.u * 2**60) * abs(exact) >> 60) + 1

    def code(self):
        return f"n = {self.n}; edges = {self.ends}; weights = {self.weights}; dtype = {self.dtype!r}  # seed {self.seed}"

    # The forms that a graph can have.
    def dense(self):
        d = np.full((self.n, self.n), blockfw.infinity(self.dtype), self.dtype)
        for (u, v), weight in self.edges.items():
            d[u, v] = weight
        return d

    def lists(self):
        from_ = np.array([u for u, _ in self.ends], np.int32)
        to = np.array([v for _, v in self.ends], np.int32)
        return from_, to, np.array(self.weights, self.dtype)

    def sparse(self):
        from_, to, weights = self.lists()
        return scipy.sparse.csr_array((weights, (from_, to)), shape=(self.n, self.n))

    def networkx(self):
        graph = nx.DiGraph()
        graph.add_nodes_from(range(self.n))
        graph.add_weighted_edges_from((u, v, weight) for (u, v), weight in self.edges.items())
        return graph


class Difference(Exception):
    pass


def expect(fine, says):
    if not fine:
        raise Difference(says)


def check_distances(case, d, rows=None):
    rows = range(case.n) if rows is None else rows
    for at, i in enumerate(rows):
        for j in range(case.n):
            exact, found = case.d[i][j], d[at][j]
            if exact is NONE:
                expect(not found < blockfw.infinity(d.dtype), f"d({i}, {j}) is {found!r}, expected none")
            else:
                expect(found < blockfw.infinity(d.dtype), f"d({i}, {j}) is {found!r}, expected {exact / case.scale!r}")
                expect(abs(case.units(found) - exact) <= case.bound(exact),
                       f"d({i}, {j}) is {found!r}, expected {exact / case.scale!r}")


def check_path(case, path, i, j, length):
    """A path as vertices; `length` is the distance that was returned for its ends, or None."""
    expect(path[0] == i and path[-1] == j, f"the path {path} from {i} to {j} has other ends")
    expect(len(set(path)) == len(path), f"the path {path} from {i} to {j} has a vertex twice")
    total = 0
    for edge in zip(path, path[1:]):
        expect(edge in case.exact, f"the path {path} from {i} to {j} has no edge {edge}")
        total += case.exact[edge]
    expect(abs(total - case.d[i][j]) <= 2 * case.bound(case.d[i][j]),
           f"the path {path} has length {total / case.scale!r}, expected {case.d[i][j] / case.scale!r}")
    if length is not None:
        expect(abs(total - case.units(length)) <= 2 * case.bound(total),
               f"the path {path} has length {total / case.scale!r}, the distance is {length!r}")


def walked(case, step, start, end, says):
    """Follows steps from start until end."""
    path = [start]
    while path[-1] != end:
        following = int(step(path[-1]))
        expect(0 <= following < case.n, f"{says}: after {path} comes {following}")
        path.append(following)
        expect(len(path) <= case.n, f"{says}: {path} does not end")
    return path


def check_predecessors(case, before, d=None, rows=None):
    for at, i in enumerate(range(case.n) if rows is None else rows):
        for j in range(case.n):
            if i == j or case.d[i][j] is NONE:
                expect(before[at][j] == -9999, f"the predecessor of {j} from {i} is {before[at][j]}, expected none")
                continue
            path = walked(case, lambda v: before[at][v], j, i, f"predecessors from {i} to {j}")[::-1]
            check_path(case, path, i, j, None if d is None else d[at][j])


def check_paths(case, paths):
    check_distances(case, paths.distances)
    before, hops = paths.predecessors(), paths.next_hops()
    check_predecessors(case, before, paths.distances)
    for i in range(case.n):
        expect(np.array_equal(paths.tree(i), before[i]), f"the tree of {i} is {paths.tree(i)}, the predecessors {before[i]}")
        for j in range(case.n):
            path = [int(v) for v in paths.path(i, j)]
            if i == j:
                expect(path == [i], f"the path from {i} to itself is {path}")
            elif case.d[i][j] is NONE:
                expect(path == [] and hops[i][j] == -9999, f"from {i} to {j} there is no path, found {path}, {hops[i][j]}")
            else:
                expect(path != [], f"there is no path from {i} to {j}")
                check_path(case, path, i, j, paths.distances[i][j])
                expect(before[i][j] == path[-2], f"the path {path} and the predecessor {before[i][j]} differ")
                check_path(case, walked(case, lambda v: hops[v][j], i, j, f"next hops from {i} to {j}"), i, j,
                           paths.distances[i][j])


def check_reached(case, reached, rows=None):
    expected = np.array([[entry is not NONE for entry in row] for row in case.d]).reshape(case.n, case.n)
    expect(np.array_equal(reached, expected), f"reached {reached}, expected {expected}")


def with_predecessors(case, results, rows=None):
    d, before = results
    check_distances(case, d, rows)
    check_predecessors(case, before, d, rows)


def calls_of(case, rng):
    """Names, calls, and checks of their results. Calls raise NegativeCycleError where one is."""
    dtype = case.dtype
    own = lambda call, *args, **options: (lambda: call(*args, **options))
    plain = lambda result: check_distances(case, result)
    pair = lambda result: with_predecessors(case, result)
    dense, lists, sparse = case.dense(), case.lists(), case.sparse()
    some = sorted(rng.sample(range(case.n), rng.randint(1, case.n)))
    one = rng.randrange(case.n)
    for method in ("dense", "sparse", "automatic"):
        yield f"all_pairs edges {method}", own(blockfw.all_pairs, lists, n=case.n, method=method), plain
    yield "all_pairs matrix", own(blockfw.all_pairs, dense), plain
    yield "all_pairs overwrite", own(blockfw.all_pairs, dense.copy(), overwrite=True), plain
    yield "all_pairs csr", own(blockfw.all_pairs, sparse), plain
    yield "all_pairs masked", own(blockfw.all_pairs, np.ma.masked_array(dense, dense == blockfw.infinity(dtype))), plain
    yield "all_pairs memory", own(blockfw.all_pairs, lists, n=case.n, memory=1e8), plain
    yield "all_pairs devices", own(blockfw.all_pairs, lists, n=case.n, devices=1), plain
    yield "Paths edges", own(blockfw.Paths, lists, n=case.n), lambda paths: check_paths(case, paths)
    yield "Paths matrix", own(blockfw.Paths, dense), lambda paths: check_paths(case, paths)
    yield "Paths csr", own(blockfw.Paths, sparse), lambda paths: check_paths(case, paths)
    yield "batched", own(blockfw.batched, np.stack([dense, dense])), lambda d: (plain(d[0]), plain(d[1]))
    yield "transitive_closure edges", own(blockfw.transitive_closure, lists, n=case.n), lambda r: check_reached(case, r)
    yield "transitive_closure matrix", own(blockfw.transitive_closure, dense), lambda r: check_reached(case, r)
    for name in ("floyd_warshall", "johnson", "bellman_ford", "dijkstra"):
        call = getattr(blockfw, name)
        yield f"{name} csr", own(call, sparse, dtype=dtype), plain
        yield f"{name} csr predecessors", own(call, sparse, dtype=dtype, return_predecessors=True), pair
        if name != "floyd_warshall":
            yield (f"{name} some", own(call, sparse, dtype=dtype, indices=some, return_predecessors=True),
                   lambda result: with_predecessors(case, result, some))
    yield "shortest_path one", own(blockfw.shortest_path, sparse, dtype=dtype, indices=one), lambda d: check_distances(case, d[None], [one])
    if rng.random() < 0.1:
        graph = case.networkx()
        yield "nx floyd_warshall_numpy", own(nx.floyd_warshall_numpy, graph, backend="blockfw"), lambda d: check_distances(case, np.asarray(d))
        yield ("nx floyd_warshall_predecessor_and_distance",
               own(nx.floyd_warshall_predecessor_and_distance, graph, backend="blockfw"),
               lambda found: check_networkx_predecessors(case, *found))
        yield ("nx johnson", own(nx.johnson, graph, backend="blockfw"),
               lambda found: [check_path(case, path, i, j, None) for i in found for j, path in found[i].items()])
        yield ("nx all_pairs_bellman_ford_path_length",
               own(lambda: dict(nx.all_pairs_bellman_ford_path_length(graph, backend="blockfw"))),
               lambda found: check_distances(case, matrix_of(case, found)))
        if not case.signed:
            yield ("nx all_pairs_dijkstra_path_length",
                   own(lambda: dict(nx.all_pairs_dijkstra_path_length(graph, backend="blockfw"))),
                   lambda found: check_distances(case, matrix_of(case, found)))


def matrix_of(case, found):
    whole = case.dtype.startswith("int")
    d = np.full((case.n, case.n), blockfw.infinity("int64") if whole else np.inf, np.int64 if whole else np.float64)
    for i in found:
        for j, length in found[i].items():
            if length != np.inf:
                d[i, j] = length
    return d


def check_networkx_predecessors(case, before, d):
    check_distances(case, matrix_of(case, d))
    for i in before:
        for j in before[i]:
            path = walked(case, lambda v: before[i][v], j, i, f"predecessors from {i} to {j}")[::-1]
            check_path(case, path, i, j, d[i][j])


def peers_of(case):
    """SciPy's distances of the same graph, where its methods take it; and how far ours may be from them."""
    if not case.dtype.startswith("float"):
        return
    sparse = case.sparse().astype(np.float64)
    for name in ("floyd_warshall", "johnson") + (() if case.signed else ("dijkstra",)):
        try:
            yield name, getattr(csgraph, name)(sparse)
        except csgraph.NegativeCycleError:
            yield name, None


def check_peers(case):
    """Compares the module with SciPy and NetworkX. (SciPy has no tolerance: it finds cycles that rounding makes.)"""
    compared = 0
    for name, theirs in peers_of(case):
        compared += 1
        if theirs is None:
            expect(case.negative != "no" or case.signed, f"scipy's {name} finds a negative cycle")
            continue
        if case.negative != "no":
            continue
        ours = getattr(blockfw, name)(case.sparse().astype(np.float64))
        for i in range(case.n):
            for j in range(case.n):
                a, b = ours[i, j], theirs[i, j]
                expect((a == np.inf) == (b == np.inf), f"{name}({i}, {j}) is {a!r}, scipy's {b!r}")
                if a != np.inf:
                    expect(abs(case.units(a) - case.units(b)) <= 2 * case.bound(case.units(b)),
                           f"{name}({i}, {j}) is {a!r}, scipy's {b!r}")
    if case.negative == "no" and case.seed % 8 == 0:
        compared += 1
        try:
            theirs = dict(nx.all_pairs_bellman_ford_path_length(case.networkx()))
            ours = blockfw.all_pairs(case.lists(), n=case.n, method="sparse")
        except nx.NetworkXUnbounded:  # (nor has NetworkX a tolerance)
            expect(case.u > 0 and case.signed, "networkx finds a negative cycle")
            return compared
        except OverflowError:
            expect(case.dtype.startswith("int"), "raises OverflowError")
            return compared
        check_distances(case, ours)
        check_distances(case, matrix_of(case, theirs))  # (a difference here is NetworkX's)
    return compared


def run_case(seed, count, differences):
    case = Case(seed)
    rng = random.Random(seed + 1)
    for name, call, check in calls_of(case, rng):
        count[name] += 1
        reaches = "transitive_closure" in name
        # From some sources only cycles that they reach count; a negative cycle may be out of their reach.
        partial = name.endswith(" some") or name.endswith(" one")
        try:
            try:
                result = call()
            except (blockfw.NegativeCycleError, nx.NetworkXUnbounded):
                expect(case.negative != "no", "raises NegativeCycleError")
                continue
            except (OverflowError, NotImplementedError):  # (of sums that an integer type may not hold)
                expect(case.dtype.startswith("int"), "raises OverflowError")
                continue
            if case.negative == "yes" and not reaches:
                expect(partial, "finds no negative cycle")
                continue
            check(result)
        except Difference as difference:
            differences[name, case.kind, case.dtype].append(f"{difference}\n    {case.code()}")
        except Exception as error:
            differences[name, case.kind, case.dtype].append(f"{type(error).__name__}: {error}\n    {case.code()}")
    try:
        count["compared with peers"] += check_peers(case)
    except Exception as error:
        differences["peers", case.kind, case.dtype].append(f"{type(error).__name__}: {error}\n    {case.code()}")


def run(seeds):
    warnings.simplefilter("ignore")
    blockfw.set_threads(1)
    count, differences = collections.Counter(), collections.defaultdict(list)
    for seed in seeds:
        run_case(seed, count, differences)
    return count, dict(differences)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--calls", type=int, default=1_000_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--only", type=int, help="one case, by its seed")
    options = parser.parse_args()
    began = time.monotonic()
    count, differences = collections.Counter(), collections.defaultdict(list)
    if options.only is not None:
        parts = [run([options.only])]
    else:
        parts = None
    seeds = iter(range(options.seed, 1 << 62))
    with multiprocessing.get_context("spawn").Pool(options.processes) as pool:
        batches = ([next(seeds) for _ in range(200)] for _ in iter(int, 1))
        results = iter(parts) if parts else pool.imap_unordered(run, _limited(batches, options.calls))
        for part, found in results:
            count.update(part)
            for place, texts in found.items():
                differences[place] += texts
            if sum(count.values()) >= options.calls:
                break
        pool.terminate()
    for name, calls in sorted(count.items()):
        print(f"{calls:9} {name}")
    for (name, kind, dtype), texts in sorted(differences.items()):
        print(f"\n{name}, weights {kind}, {dtype}: {len(texts)} differences, the first:\n    {texts[0]}")
    wrong = sum(map(len, differences.values()))
    print(f"{sum(count.values())} calls, {wrong} differences, {time.monotonic() - began:.0f} s")
    return wrong > 0


def _limited(batches, calls):
    """No more batches than the calls need: each graph is solved at least 20 times."""
    for _, batch in zip(range(calls // (20 * 200) + 2), batches):
        yield batch


if __name__ == "__main__":
    sys.exit(main())
