#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Asks blockfw, RoutingKit, pandana, GAP and SciPy in turn about the same networks, and compares their answers' sums.

    scripts/sandbox cmake --preset release -DBLOCKFW_ROUTINGKIT=FOLDER -DBLOCKFW_PANDANA=FOLDER -DBLOCKFW_GAP=FOLDER
    scripts/sandbox cmake --build --preset release --target peer-networks
    scripts/sandbox python3 benchmarks/peers/network_peers.py --threads 1,2 roads:280 andorra.gr

The folders hold the sources of RoutingKit, pandana and the GAP Benchmark Suite. Programs without a folder are left
out, and SciPy where it is not installed. A graph is a file that blockfw reads, or one that benchmarks/networks.hpp
generates. RoutingKit finds CCH's order by coordinates: those of generated roads, or of a file andorra.co (as DIMACS has
them) beside andorra.gr. Without coordinates CCH takes blockfw's order. GAP's delta-stepping takes the delta that is
fastest for a few sources; the row names it.

Prints a Markdown table for each graph, row by row: medians in milliseconds unless a unit stands there, one for each
number of threads. Bold: faster than blockfw. The first run is left out if there are more than two. A process for each
number of threads waits while others run. The exit status is 1 if sums differ, and 2 after an error.
"""

import argparse
import collections.abc
import contextlib
import dataclasses
import importlib.util
import os
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile
import time


class Failure(Exception):
    """An error, in one line."""


class Networks:
    """peer-networks, which has read a graph, with a number of threads. Its first lines say what network_peers.cpp says."""

    def __init__(self, program, graph, threads, arcs, *words):
        environment = {**os.environ, "OMP_NUM_THREADS": str(threads), "KOKKOS_DISABLE_WARNINGS": "1"}
        self.where = f"{program.name}, {graph}, threads: {threads}"
        self.threads = threads
        self.process = subprocess.Popen([program, graph, arcs, *words], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        text=True, env=environment)
        try:
            (self.graph,), self.columns, self.questions = self.answer("graph", "program", "question")
        except Failure:
            self.close()
            raise

    def answer(self, *kinds):
        """For each kind the lists of words of its lines."""
        lines = {kind: [] for kind in kinds}
        for line in self.process.stdout:
            kind, *words = line.rstrip("\n").split("\t")
            if kind == "end":
                return lines.values()
            if kind == "error":
                raise Failure(words[0])
            if kind not in lines:
                raise Failure(f"{self.where}: found a line '{kind}', expected {' or '.join(kinds)}")
            lines[kind].append(words)
        raise Failure(f"{self.where}: ended with status {self.process.wait()}")

    def say(self, command, number, *kinds):
        with contextlib.suppress(BrokenPipeError):  # (the answer says how it ended)
            print(command, number, file=self.process.stdin, flush=True)
        return self.answer(*kinds)

    def ways(self, number):
        """What SciPy has to know of a question, and the ways to answer it."""
        sources, targets, ways = self.say("ask", number, "sources", "targets", "way")
        matrix = [[int(v) for v in line[0]] for line in (sources, targets) if line]
        return matrix, [Way(program, how, self.threads, lambda k=k: self.run(k)) for k, (program, how) in enumerate(ways)]

    def run(self, way):
        (nanoseconds,), sums = self.say("run", way, "nanoseconds", "sum")
        return float(nanoseconds[0]) * 1e-9, tuple(map(int, sums[0])) if sums else None

    def close(self):
        self.process.kill()
        self.process.wait()
        with contextlib.suppress(BrokenPipeError):
            self.process.stdin.close()
        self.process.stdout.close()


@dataclasses.dataclass
class Way:
    """A way in which a program answers a question."""

    program: str
    how: str
    threads: int
    run: collections.abc.Callable  # gives seconds and, in its first run, a sum
    seconds: list = dataclasses.field(default_factory=list)
    sum: tuple | None = None

    @property
    def median(self):
        return statistics.median(self.seconds[1:] if len(self.seconds) > 2 else self.seconds)


class SciPy:
    """Its Dijkstra, on one thread."""

    MOST = 50_000_000  # distances of an answer: more take it many seconds

    def __init__(self, arcs):
        import numpy
        from scipy.sparse import csr_matrix

        n, m, *_ = numbers = numpy.fromfile(arcs, numpy.int32)
        tails, heads, lengths = numbers[2:].reshape(3, m)
        self.graph = csr_matrix((lengths.astype(float), (tails, heads)), (n, n))

    def ways(self, matrix, answers, threads):
        if not matrix or len(matrix[0]) * self.graph.shape[0] > self.MOST:
            return []
        sources, targets = matrix
        asked = [[source] for source in sources] if answers > 1 else [sources]
        return [Way("SciPy", "", threads, lambda: self.run(asked, targets))]

    def run(self, asked, targets):
        """As peer-networks: answers each in turn, and adds up the last answer."""
        import numpy
        from scipy.sparse.csgraph import dijkstra

        begin = time.perf_counter()
        for sources in asked:
            d = dijkstra(self.graph, indices=sources)
            if targets:
                d = d[:, targets]
        seconds = (time.perf_counter() - begin) / len(asked)
        finite = numpy.isfinite(d)
        return seconds, (int(d[finite].sum()), int(finite.sum()))


def measure(ways, rounds, enough):
    """Runs the ways in turn, each up to `rounds` times and another, until its seconds are enough; at least once."""
    for turn in range(max(rounds, 0) + 1):
        for k in range(len(ways)):
            way = ways[(k + turn) % len(ways)]
            if way.seconds and sum(way.seconds) + way.seconds[-1] > enough:
                continue
            time.sleep(0.005)  # in which the threads of the others fall asleep
            seconds, found = way.run()
            way.seconds.append(seconds)
            way.sum = found or way.sum


def number(value):
    return f"{value:,.0f}" if value >= 10_000 else f"{value:.0f}" if value >= 10 else f"{value:.2g}"


def row(question, columns, ways):
    """A row of the table: in a cell the ways of a program, of a way the medians of all numbers of threads."""
    fastest = {threads: min((way.median for way in ways if (way.program, way.threads) == ("blockfw", threads)), default=0)
               for threads in {way.threads for way in ways}}
    unit, scale = (", us", 1e6) if min(way.median for way in ways) < 1e-4 else ("", 1e3)
    cells = []
    for column in columns:
        found = {}
        for way in ways:
            if way.program == column:
                bold = "**" if way.median < fastest[way.threads] else ""
                found.setdefault(way.how, []).append(f"{bold}{number(scale * way.median)}{bold}")
        cells.append(" or ".join("; ".join(times) + (f", {how}" if how else "") for how, times in found.items()))
    return "| " + " | ".join([question + unit, *cells]) + " |"


def difference(ways):
    """Says which sums differ, or nothing."""
    found = {}
    for way in ways:
        if way.sum is not None:
            found.setdefault(way.sum, []).append(f"{way.program}{way.how and f' ({way.how})'}")
    return "" if len(found) < 2 else "; ".join(f"{total} ({count} numbers) by {', '.join(sorted(set(who)))}"
                                               for (total, count), who in found.items())


def chosen_questions(questions, pattern):
    chosen = [k for k, (name, _) in enumerate(questions) if re.search(pattern, name)]
    if not chosen:
        raise Failure(f"no question has '{pattern}' in its name; there are {', '.join(name for name, _ in questions)}")
    return chosen


def compare(graph, arguments, folder):
    """Prints the table of a graph, and says which sums differ: a list of sentences."""
    arcs = folder / "arcs"
    words = [] if arguments.hierarchies else ["no-hierarchies"]
    with contextlib.ExitStack() as stack:
        processes = [stack.enter_context(contextlib.closing(Networks(arguments.program, graph, threads, arcs, *words)))
                     for threads in arguments.threads]
        name, n, m, arcs_are, order, _ = processes[0].graph
        for process in processes:
            if int(process.graph[-1]) != process.threads:
                raise Failure(f"{process.where}: blockfw has {process.graph[-1]} threads")
        columns = [column for column, in processes[0].columns]
        scipy = SciPy(arcs) if importlib.util.find_spec("scipy") else None
        columns += ["SciPy"] if scipy else []
        chosen = chosen_questions(processes[0].questions, arguments.questions)
        threads = "; ".join(map(str, arguments.threads))
        print(f"{name}, {int(n):,} vertices, {int(m):,} {arcs_are}, {order}; threads: {threads}\n")
        print("| " + " | ".join(["", *columns]) + " |\n| --- |" + " ---: |" * len(columns), flush=True)
        differences = []
        for k in chosen:
            question, answers = processes[0].questions[k]
            ways = []
            for process in processes:
                matrix, more = process.ways(k)
                ways += more
            ways += scipy.ways(matrix, int(answers), arguments.threads[0]) if scipy else []
            if not ways:
                continue
            measure(ways, arguments.rounds, arguments.seconds)
            print(row(question, columns, ways), flush=True)
            if which := difference(ways):
                differences.append(f"{name}, {question}: {which}")
        print(flush=True)
        return differences


def numbers_of_threads(text):
    found = [int(word) for word in text.split(",")]
    if min(found) < 1:
        raise ValueError
    return found


def arguments_of(words):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", type=pathlib.Path, default="build/release/bin/peer-networks")
    parser.add_argument("--threads", type=numbers_of_threads, default=[1], help="numbers of threads, as 1,2 (1)")
    parser.add_argument("--questions", default="", metavar="PATTERN", help="only those whose names match, as 'sum within'")
    parser.add_argument("--no-hierarchies", dest="hierarchies", action="store_false",
                        help="without CH, CCH and pandana, which take minutes to prepare for a million vertices")
    parser.add_argument("--rounds", type=int, default=9, help="runs of a way, at most (9)")
    parser.add_argument("--seconds", type=float, default=0.4, help="a way does not run again once they are spent (0.4)")
    parser.add_argument("graphs", metavar="GRAPH", nargs="+")

    def fail(message):
        raise Failure(message)

    parser.error = fail
    arguments = parser.parse_args(words)
    try:
        re.compile(arguments.questions)
    except re.error as error:
        raise Failure(f"--questions {arguments.questions}: {error}") from None
    if not arguments.program.exists():
        raise Failure(f"{arguments.program} is not there: build it first, or name it with --program")
    arguments.program = arguments.program.resolve()
    return arguments


def main(words):
    try:
        arguments = arguments_of(words)
        with tempfile.TemporaryDirectory() as folder:
            differences = [which for graph in arguments.graphs for which in compare(graph, arguments, pathlib.Path(folder))]
    except Failure as failure:
        print(f"network_peers.py: {failure}", file=sys.stderr)
        return 2
    for which in differences:
        print(f"network_peers.py: {which}", file=sys.stderr)
    if not differences:
        print("All sums are equal.")
    return 1 if differences else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
