# SPDX-License-Identifier: MIT
"""The examples of the gallery print what their last comment says."""
import pathlib
import subprocess
import sys

import pytest

pytestmark = pytest.mark.exhaustive
SHOWN = [path for path in sorted((pathlib.Path(__file__).resolve().parents[2] / "examples").glob("*.py"))
         if "\n# Output:\n" in path.read_text()]


def test_there_are_examples():
    assert SHOWN


@pytest.mark.parametrize("path", SHOWN, ids=lambda path: path.name)
def test_output(path):
    done = subprocess.run([sys.executable, path], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    expected = path.read_text().partition("\n# Output:\n")[2]
    assert [f"# {line}".rstrip() for line in done.stdout.splitlines()] == expected.splitlines()
