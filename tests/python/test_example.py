# SPDX-License-Identifier: MIT
"""The example of one screen runs, and says what the documentation says."""
import pathlib
import subprocess
import sys
import textwrap

ROOT = pathlib.Path(__file__).resolve().parents[2]


def test_road_network(tmp_path):
    picture = tmp_path / "town.png"
    done = subprocess.run([sys.executable, ROOT / "examples/python/road_network.py", picture], capture_output=True,
                          text=True)
    assert done.returncode == 0, done.stderr
    assert picture.read_bytes().startswith(b"\x89PNG") and picture.stat().st_size > 20_000
    assert textwrap.indent(done.stdout, "    ") in (ROOT / "docs/python.md").read_text()
