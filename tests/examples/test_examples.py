#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests of the examples of one screen: each prints what the comment at its end says. The code that the headers and
README.md show is in them, that of the pages in docs/ in them or in tests/consumer.

    tests/examples/test_examples.py --programs FOLDER [--mpiexec PROGRAM --mpiexec-count=FLAG] NAME...

NAME.cpp is in examples/, the program example_NAME in FOLDER.
"""
import argparse
import os
import pathlib
import re
import subprocess
import tempfile
import unittest

REPO = pathlib.Path(__file__).resolve().parent.parent.parent
EXAMPLES = REPO / "examples"
PROGRAMS = ["cli11"]  # what else is in the folder
MOST_LINES = 40
OUTPUT = "// Output:"


def lines_of(name):
    return (EXAMPLES / f"{name}.cpp").read_text().split("\n")[:-1]


def promised(name):
    """What the comment at the end of the example says that it prints."""
    lines = lines_of(name)
    return "".join(line[3:] + "\n" for line in lines[lines.index(OUTPUT) + 1:])


def words(line):
    """The line without its indentation, and without what aligns its comment with those of other lines."""
    return " ".join(line.split())


def blocks(path, begin, end, prefix):
    """The blocks of code in a file between two lines, each with the number of its first line."""
    block = None
    for number, line in enumerate(path.read_text().split("\n"), 1):
        line = re.sub(prefix, "", line)
        if block is None and line.strip() == begin:
            first, block = number + 1, []
        elif block is not None and line.strip() == end:
            yield first, block
            block = None
        elif block is not None:
            block.append(line)


def stands_in(block, lines):
    """Whether the lines of the block are among the others, in this order."""
    there = iter([words(line) for line in lines])
    return all(words(line) in there for line in block if line.strip())


class Output(unittest.TestCase):
    def test_each_example_prints_what_it_says(self):
        for name in ARGUMENTS.names:
            with self.subTest(name), tempfile.TemporaryDirectory() as folder:
                command, environment = [ARGUMENTS.programs / f"example_{name}"], dict(os.environ)
                if name == "mpi":
                    command = [ARGUMENTS.mpiexec, ARGUMENTS.mpiexec_count, "3", *command]
                    environment["OMP_NUM_THREADS"] = "1"
                done = subprocess.run(command, cwd=folder, env=environment, text=True, capture_output=True, timeout=120)
                if "devices are requested, " in done.stderr:
                    self.skipTest("this machine has one device")
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertEqual(done.stdout, promised(name))


class Sources(unittest.TestCase):
    names = sorted(path.stem for path in EXAMPLES.glob("*.cpp") if path.stem not in PROGRAMS)

    def test_each_is_built_and_run(self):
        self.assertEqual(sorted({*ARGUMENTS.names, "mpi"}), self.names)

    def test_each_fits_a_screen(self):
        for name in self.names:
            with self.subTest(name):
                lines = lines_of(name)
                self.assertLessEqual(len(lines), MOST_LINES)
                # After the licence, two lines say what it shows.
                self.assertEqual([line.startswith("// ") for line in lines[1:4]], [True, True, False])
                end = lines.index(OUTPUT)
                self.assertTrue(lines[end + 1:] and all(line.startswith("// ") for line in lines[end + 1:]))

    def check(self, path, *how, beside=()):
        found = list(blocks(path, *how))
        self.assertEqual(len(found), path.read_text().count(how[0]), f"{path.name}: a block without its own two lines")
        code = [*map(lines_of, self.names), *(other.read_text().split("\n") for other in beside)]
        for number, block in found:
            with self.subTest(f"{path.relative_to(REPO)}:{number}"):
                self.assertTrue(any(stands_in(block, lines) for lines in code),
                                "no example has these lines, in this order:\n" + "\n".join(block))

    def test_the_headers_show_lines_of_examples(self):
        for path in sorted((REPO / "include").rglob("*.hpp")):
            self.check(path, r"\code", r"\endcode", r"^\s*/// ?")

    def test_the_readme_shows_lines_of_examples(self):
        self.check(REPO / "README.md", "```cpp", "```", "")

    def test_the_documentation_shows_lines_of_examples_and_consumers(self):
        for path in sorted((REPO / "docs").glob("*.md")):
            if path.name == "calls.md":  # test_calls_page.py compiles it
                continue
            self.check(path, "```cpp", "```", "", beside=sorted((REPO / "tests/consumer").glob("*.cpp")))


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--programs", type=lambda folder: pathlib.Path(folder).resolve(), required=True)
    parser.add_argument("--mpiexec")
    parser.add_argument("--mpiexec-count")
    parser.add_argument("names", nargs="+")
    ARGUMENTS = parser.parse_args()
    unittest.main(argv=["test_examples.py"])
