#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Objects whose functions of the same name are not the same, as nvcc makes them, by cmake/keep_lambdas_apart.sh: after it
each object calls its own. The functions here are of g++, by nvcc's names."""
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

SCRIPT = Path(__file__).resolve().parent.parent / "cmake/keep_lambdas_apart.sh"
COMPILER = sys.argv.pop(1)

CODE = """
template <class T> __attribute__((noinline)) T copy__nv_hdl_create(T x) {{ return {number} * x; }}
inline int& kept() {{ static int value = 0; return value; }}
int {name}() {{ kept() += 1; return copy__nv_hdl_create(1); }}
int {name}_kept() {{ return kept(); }}
"""
MAIN = """
#include <cstdio>
int a(); int b(); int b_kept();
int main() { const int one = a(), two = b(); std::printf("%d %d %d\\n", one, two, b_kept()); }
"""


def apart(*objects, **environment):
    return subprocess.run([SCRIPT, *objects], capture_output=True, text=True, env=os.environ | environment)


class LambdasApart(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.objects = []
        for name, code in ("a", CODE.format(name="a", number=1)), ("b", CODE.format(name="b", number=2)), ("main", MAIN):
            (self.folder / f"{name}.cpp").write_text(code)
            self.objects.append(self.folder / f"{name}.o")
            subprocess.run([COMPILER, "-O1", "-c", self.folder / f"{name}.cpp", "-o", self.objects[-1]], check=True)

    def says(self):
        program = self.folder / "program"
        subprocess.run([COMPILER, *self.objects, "-o", program], check=True)
        return subprocess.run([program], capture_output=True, text=True, check=True).stdout.split()

    def files(self):
        return sorted(file.name for file in self.folder.iterdir())

    def test_each_object_has_its_own(self):
        self.assertEqual(self.says()[:2], ["1", "1"])
        times = [object.stat().st_mtime_ns for object in self.objects]
        files = self.files()
        for _ in range(2):  # (again, when a program is linked again)
            done = apart(*self.objects[:2])
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            self.assertEqual(self.says(), ["1", "2", "2"])  # and what is one for all stays one
            self.assertEqual([object.stat().st_mtime_ns for object in self.objects], times)
            self.assertEqual(self.files(), files)

    def test_errors_leave_nothing_behind(self):
        before, files = self.objects[0].read_bytes(), self.files()
        done = apart(self.objects[0], LD="no-such-ld")
        self.assertEqual((done.returncode, done.stderr.splitlines()), (
            1, ["keep_lambdas_apart: needs the program no-such-ld, of GNU's binutils or awk: please install it"]))
        done = apart(self.objects[0], LD="true")
        self.assertEqual(done.returncode, 1)
        self.assertIn("true has no option --force-group-allocation: expected GNU ld", done.stderr)
        done = apart(self.objects[0], OBJCOPY="false")
        self.assertEqual(done.returncode, 1)
        self.assertIn(f"{self.objects[0]} stays as it was", done.stderr)
        done = apart(self.folder / "nothing.o")
        self.assertEqual(done.returncode, 1)
        self.assertIn("nothing.o stays as it was", done.stderr)
        self.assertEqual(self.objects[0].read_bytes(), before)
        self.assertEqual(self.files(), files)


unittest.main()
