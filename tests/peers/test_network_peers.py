#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests of benchmarks/peers/network_peers.py, with a program that stands in for peer-networks; and with peer-networks itself
on a small graph, if it is given.

    python3 tests/peers/test_network_peers.py [--program build/release/bin/peer-networks]
"""
import contextlib
import importlib.util
import io
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest
from unittest import mock

REPO = pathlib.Path(__file__).resolve().parent.parent.parent
SCRIPT = REPO / "benchmarks" / "peers" / "network_peers.py"
sys.path.insert(0, str(SCRIPT.parent))

import network_peers  # noqa: E402
from network_peers import Way  # noqa: E402

PROGRAM = None

# Answers two questions in 2 ms by blockfw and 1 ms by CH on one thread, in half of that on two. Its variable BEHAVIOUR has
# "error": a message, "crash": a command, "wrong": a program whose sum is wrong, "threads": how many it has. It has no CH
# where it is called without hierarchies.
STAND_IN = """#!/usr/bin/env python3
import json, os, sys
behaviour = json.loads(os.environ["BEHAVIOUR"])
threads = int(os.environ["OMP_NUM_THREADS"])
say = lambda *words: print(*words, sep="\\t", flush=True)
if "error" in behaviour:
    say("error", behaviour["error"])
    sys.exit(1)
open(sys.argv[2], "w").write("arcs")
say("graph", sys.argv[1], 21028, 40713, "directed arcs", "coordinates", behaviour.get("threads", threads))
say("program", "blockfw"), say("program", "CH"), say("program", "pandana")
say("question", "preparation", 1), say("question", "table 2 x 2", 1), say("question", "CCH's order", 1)
say("end")
ways = [("blockfw", ""), ("blockfw", "labels kept"), ("CH", "pinned")]
if sys.argv[3:] == ["no-hierarchies"]:
    ways.pop()
runs = {}
for line in sys.stdin:
    command, number = line.split()
    if behaviour.get("crash") == command:
        os.abort()
    if command == "ask":
        question, runs = number, {}
        if question == "1":
            say("sources", 0, 1), say("targets", 1, 1)
        for way in ways if question != "2" else []:
            say("way", *way)
    else:
        runs[number] = runs.get(number, 0) + 1
        program, how = ways[int(number)]
        slow = 1000 if runs[number] == 1 else 1
        say("nanoseconds", slow * (2e6 if program == "blockfw" else 1e6) / threads)
        if question == "1" and runs[number] == 1:
            say("sum", 8 if behaviour.get("wrong") == program else 7, 4)
    say("end")
"""


class WithStandIn(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.program = pathlib.Path(folder.name, "peer-networks")
        self.program.write_text(STAND_IN)
        self.program.chmod(0o755)

    def call(self, *words, program=None, **behaviour):
        """The status, and the lines of both outputs. SciPy is not there."""
        out, errors = io.StringIO(), io.StringIO()
        with mock.patch.dict(os.environ, BEHAVIOUR=json.dumps(behaviour)), \
             mock.patch("importlib.util.find_spec", return_value=None), \
             contextlib.redirect_stdout(out), contextlib.redirect_stderr(errors):
            status = network_peers.main(["--program", str(program or self.program), *words])
        return status, out.getvalue().splitlines(), errors.getvalue().splitlines()

    def test_a_table_has_a_row_for_each_question_and_a_time_for_each_number_of_threads(self):
        status, lines, errors = self.call("--threads", "1,2", "--seconds", "9", "a.gr")
        self.assertEqual((status, errors), (0, []))
        self.assertEqual(lines, [
            "a.gr, 21,028 vertices, 40,713 directed arcs, coordinates; threads: 1; 2", "",
            "|  | blockfw | CH | pandana |",
            "| --- | ---: | ---: | ---: |",
            "| preparation | 2; 1 or 2; 1, labels kept | **1**; **0.5**, pinned |  |",
            "| table 2 x 2 | 2; 1 or 2; 1, labels kept | **1**; **0.5**, pinned |  |", "",
            "All sums are equal."])

    def test_questions_are_chosen_by_name(self):
        _, lines, _ = self.call("--questions", "^table", "a.gr")
        self.assertEqual([line for line in lines if "labels" in line][0][:13], "| table 2 x 2")
        self.assertNotIn("preparation", "".join(lines))

    def test_hierarchies_can_be_left_out(self):
        _, lines, _ = self.call("--no-hierarchies", "--questions", "^table", "--seconds", "9", "a.gr")
        self.assertIn("| table 2 x 2 | 2 or 2, labels kept |  |  |", lines)

    def test_sums_that_differ_are_named(self):
        status, lines, errors = self.call("a.gr", wrong="CH")
        self.assertEqual(status, 1)
        self.assertNotIn("All sums are equal.", lines)
        self.assertEqual(errors, ["network_peers.py: a.gr, table 2 x 2: 7 (4 numbers) by blockfw, blockfw (labels kept); "
                                  "8 (4 numbers) by CH (pinned)"])

    def test_each_error_is_one_line(self):
        for words, behaviour, expected in [
                (["a.gr"], {"error": "a.gr: cannot be read"}, "a.gr: cannot be read"),
                (["a.gr"], {"crash": "run"}, "peer-networks, a.gr, threads: 1: ended with status -6"),
                (["a.gr"], {"crash": "ask"}, "peer-networks, a.gr, threads: 1: ended with status -6"),
                (["a.gr"], {"threads": 3}, "peer-networks, a.gr, threads: 1: blockfw has 3 threads"),
                (["--questions", "rows", "a.gr"], {},
                 "no question has 'rows' in its name; there are preparation, table 2 x 2, CCH's order"),
                (["--questions", "(", "a.gr"], {}, "--questions (: missing ), unterminated subpattern at position 0"),
                (["--threads", "0", "a.gr"], {}, "argument --threads: invalid numbers_of_threads value: '0'"),
                (["--threads", "1,x", "a.gr"], {}, "argument --threads: invalid numbers_of_threads value: '1,x'"),
                ([], {}, "the following arguments are required: GRAPH")]:
            with self.subTest(words=words, behaviour=behaviour):
                self.assertEqual(self.call(*words, **behaviour), (2, mock.ANY, [f"network_peers.py: {expected}"]))

    def test_a_program_that_is_not_built_is_named(self):
        status, _, errors = self.call("a.gr", program="nowhere/peer-networks")
        self.assertEqual((status, errors), (2, ["network_peers.py: nowhere/peer-networks is not there: build it first, "
                                                "or name it with --program"]))


class Rows(unittest.TestCase):
    def way(self, program, *seconds, how="", threads=1):
        return Way(program, how, threads, None, list(seconds))

    def test_the_first_of_more_than_two_runs_is_left_out(self):
        self.assertEqual(self.way("CH", 9, 1, 2).median, 1.5)
        self.assertEqual(self.way("CH", 9, 1).median, 5)
        self.assertEqual(self.way("CH", 9).median, 9)

    def test_numbers_have_two_digits_or_all_before_the_point(self):
        self.assertEqual([network_peers.number(value) for value in (0.123, 1.26, 9.9, 14.6, 1779.2, 18890)],
                         ["0.12", "1.3", "9.9", "15", "1779", "18,890"])

    def test_short_times_are_in_microseconds(self):
        self.assertEqual(network_peers.row("one", ["blockfw", "CH"], [self.way("blockfw", 1.3e-6), self.way("CH", 2.8e-6)]),
                         "| one, us | 1.3 | 2.8 |")

    def test_bold_is_faster_than_the_fastest_way_of_blockfw_with_as_many_threads(self):
        ways = [self.way("blockfw", 0.003), self.way("blockfw", 0.001, how="b"), self.way("blockfw", 0.0005, threads=2),
                self.way("CH", 0.002), self.way("CH", 0.0004, threads=2)]
        self.assertEqual(network_peers.row("one", ["blockfw", "CH"], ways), "| one | 3; 0.5 or 1, b | 2; **0.4** |")

    def test_a_question_that_blockfw_does_not_answer_has_no_bold(self):
        self.assertEqual(network_peers.row("one", ["blockfw", "CH"], [self.way("CH", 0.02)]), "| one |  | 20 |")

    def test_a_way_runs_until_its_rounds_or_seconds_are_spent(self):
        for seconds, rounds, enough, expected in [(0.1, 9, 0.35, 3), (0.1, 2, 9, 3), (5, 9, 0.4, 1)]:
            way = Way("CH", "", 1, lambda seconds=seconds: (seconds, None))
            network_peers.measure([way], rounds, enough)
            self.assertEqual(len(way.seconds), expected)


@unittest.skipUnless(importlib.util.find_spec("scipy"), "there is no SciPy")
class WithSciPy(unittest.TestCase):
    def setUp(self):
        import numpy

        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        arcs = pathlib.Path(folder.name, "arcs")
        numpy.array([4, 3, 0, 1, 2, 1, 2, 0, 5, 6, 1], numpy.int32).tofile(arcs)  # a ring of three, and a vertex alone
        self.scipy = network_peers.SciPy(arcs)

    def sum_of(self, matrix, answers=1):
        (way,) = self.scipy.ways(matrix, answers, 2)
        seconds, found = way.run()
        self.assertGreater(seconds, 0)
        self.assertEqual((way.program, way.threads), ("SciPy", 2))
        return found

    def test_rows_have_the_distances_that_are_finite(self):
        self.assertEqual(self.sum_of([[0, 3], []]), (16, 4))

    def test_a_table_has_those_of_its_columns(self):
        self.assertEqual(self.sum_of([[0, 1], [2, 3]]), (17, 2))

    def test_of_rows_one_by_one_the_last_counts(self):
        self.assertEqual(self.sum_of([[0, 1], []], answers=2), (13, 3))

    def test_other_questions_and_large_ones_are_left_out(self):
        self.assertEqual(self.scipy.ways([], 1, 1), [])
        self.assertEqual(self.scipy.ways([[0] * 12_500_001, []], 1, 1), [])


class WithProgram(unittest.TestCase):
    def call(self, *words):
        return subprocess.run([sys.executable, SCRIPT, "--program", PROGRAM, "--seconds", "0", *words], text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE)

    def setUp(self):
        if PROGRAM is None:
            self.skipTest("no --program")

    def test_all_ways_agree(self):
        done = self.call("--threads", "1,2", "roads:50")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertIn("All sums are equal.", done.stdout)
        self.assertEqual(done.stdout.count("table 2000 x 2000"), 2)
        self.assertGreater(done.stdout.count("\n| "), 18)

    def test_without_hierarchies_the_other_ways_agree(self):
        done = self.call("--no-hierarchies", "--questions", "source", "roads:50")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertNotIn("CH", done.stdout)
        self.assertEqual(done.stdout.count("one source to all vertices"), 1)

    def test_a_graph_that_cannot_be_read_is_one_line(self):
        done = self.call("nowhere.gr")
        self.assertEqual((done.returncode, done.stderr.count("\n")), (2, 1))
        self.assertIn("nowhere.gr", done.stderr)

    def test_coordinates_must_be_those_of_the_graph(self):
        with tempfile.TemporaryDirectory() as folder:
            graph = pathlib.Path(folder, "a.gr")
            graph.write_text("p sp 3 3\na 1 2 5\na 2 3 5\na 3 1 1\n")
            for text, expected in [("v 1 5 6\n", "found 1 coordinates, expected 3"), ("v 4 5 6\n", "found vertex 4, expected 1 to 3")]:
                graph.with_suffix(".co").write_text(text)
                self.assertEqual(self.call(str(graph)).stderr, f"network_peers.py: {graph.with_suffix('.co')}: {expected}\n")
            graph.with_suffix(".co").write_text("c Rome\np aux sp co 3\nv 1 5 6\nv 2 7 8\nv 3 9 1\n")
            self.assertIn("3 directed arcs, coordinates", self.call("--questions", "pairs", str(graph)).stdout)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--program"]:
        PROGRAM = pathlib.Path(sys.argv[2]).resolve()
        del sys.argv[1:3]
    unittest.main()
