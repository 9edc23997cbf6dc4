# SPDX-License-Identifier: MIT
"""The examples run, say what the documentation says, and refuse files that do not fit in one line."""
import doctest
import gzip
import pathlib
import re
import runpy
import subprocess
import sys
import textwrap

import blockfw
import numpy as np
import pytest

pytestmark = pytest.mark.exhaustive
ROOT = pathlib.Path(__file__).resolve().parents[2]
SHOWN = [path for path in sorted((ROOT / "examples").glob("*.py")) if "\n# Output:\n" in path.read_text()]
PLACES = "--place", "West=42.5,1.5", "--place", "East=42.5,1.524"


def test_road_network(tmp_path):
    picture = tmp_path / "town.png"
    done = subprocess.run([sys.executable, ROOT / "examples/road_network.py", picture], capture_output=True,
                          text=True)
    assert done.returncode == 0, done.stderr
    assert picture.read_bytes().startswith(b"\x89PNG") and picture.stat().st_size > 20_000
    assert textwrap.indent(done.stdout, "    ") in (ROOT / "docs/python.md").read_text()


def test_deliveries(tmp_path, monkeypatch, capsys):
    """Its matrices are those of a network that has the tenths of seconds and the metres in one weight."""
    picture = tmp_path / "town.svg"
    monkeypatch.setattr(sys, "argv", ["deliveries.py", str(picture)])
    names = runpy.run_path(ROOT / "examples/deliveries.py")
    assert picture.read_text().count("#ff7f0e") >= 20
    page = (ROOT / "docs/networks.md").read_text()
    assert textwrap.indent(capsys.readouterr().out, "    ") in page
    shown = next(block for block in re.findall(r"(?ms)^```python\n(.*?)^```", page) if "stops" in block)
    assert shown in (ROOT / "examples/deliveries.py").read_text() and "net.along(metres.astype(float), stops, stops)" in page

    from_, to, durations, distances, road = (names[name] for name in ("from_", "to", "durations", "distances", "road"))
    both = blockfw.Network((from_, to, names["tenths"] * 2.0**20 + names["metres"]), directed=False)
    stops = both.on_edge(road, names["at_tenths"] / names["tenths"][road])
    np.testing.assert_allclose(both.table(stops, stops), durations * 2.0**20 + distances, rtol=0, atol=0.501)
    assert sorted(names["tour"]) == list(range(21)) and np.unique(road).size < 21  # (two on one road)


@pytest.fixture
def maps(tmp_path):
    """A street of seven crossings in both directions, and two more crossings that lead there and that no road leads to; a
    call of maps.py in their folder."""
    roads = [(v, v + 1) for v in range(1, 7)] + [(v + 1, v) for v in range(1, 7)] + [(8, 1), (8, 9), (9, 8)]
    for name, weight in ("time", 600), ("metres", 333):
        lines = [f"p sp 9 {len(roads)}"] + [f"a {u} {v} {weight}" for u, v in roads]
        with gzip.open(tmp_path / f"andorra_{name}.gr.gz", "wt") as file:
            file.write("\n".join(lines) + "\n")
    at = np.column_stack([np.full(9, 42.5), 1.5 + 0.004 * np.array([0, 1, 2, 3, 4, 5, 6, -1, -2])])
    np.savetxt(tmp_path / "andorra_coordinates.txt.gz", at)

    def call(*options, **files):
        names = [files.get(name, f"andorra_{name}") for name in ("time.gr.gz", "metres.gr.gz", "coordinates.txt.gz")]
        return subprocess.run([sys.executable, ROOT / "examples/andorra/maps.py", *names, "maps.png", *options], cwd=tmp_path,
                              capture_output=True, text=True)

    return call


def refused(done):
    """What it said in its one line."""
    assert done.returncode == 1 and done.stdout == ""
    assert done.stderr.startswith("maps.py: ") and done.stderr.count("\n") == 1, done.stderr
    return done.stderr


def test_maps(maps, tmp_path):
    done = maps(*PLACES, "--from", "East", "--minutes", "1", "2.5")
    assert done.returncode == 0, done.stderr
    assert done.stdout == "9 vertices, 15 arcs; from East to the farthest vertex, 1: 6 minutes, 2.0 km\n"
    assert (tmp_path / "maps.png").read_bytes().startswith(b"\x89PNG") and (tmp_path / "maps.png").stat().st_size > 5000


def test_maps_that_are_refused(maps, tmp_path):
    assert "there.gr" in refused(maps(*PLACES, **{"time.gr.gz": "there.gr"}))
    assert "there.txt" in refused(maps(*PLACES, **{"coordinates.txt.gz": "there.txt"}))
    (tmp_path / "other.gr").write_text("p sp 9 1\na 1 2 5\n")
    assert "other.gr has 9 vertices and 1 roads, expected the same 9 and 15" in refused(maps(*PLACES, **{"metres.gr.gz": "other.gr"}))
    (tmp_path / "short.txt").write_text("42.5 1.5\n42.5 1.504\n")
    assert "short.txt has 2 lines of 2 numbers, expected 9" in refused(maps(*PLACES, **{"coordinates.txt.gz": "short.txt"}))
    (tmp_path / "words.txt").write_text("42.5 east\n" * 9)
    assert "east" in refused(maps(*PLACES, **{"coordinates.txt.gz": "words.txt"}))
    assert "Sea is 28 km from the roads, expected 2 km at most" in refused(maps(*PLACES, "--place", "Sea=42.25,1.51"))
    assert "expected one of the places: West, East" in refused(maps(*PLACES, "--from", "North"))
    assert "expected 7 at most" in refused(maps(*PLACES * 4))
    assert "ascend" in refused(maps(*PLACES, "--minutes", "5", "5"))
    done = maps("--place", "West=42.5")
    assert done.returncode == 2 and "'West=42.5' is no place, expected NAME=LATITUDE,LONGITUDE" in done.stderr
    assert not (tmp_path / "maps.png").exists()


def test_the_page_of_maps_runs(maps, tmp_path, monkeypatch):
    """Its lines, with the files of a small network in place of Andorra's."""
    text = (ROOT / "docs/networks.md").read_text()
    page = text[text.index("## Maps for road users"):text.index("## The same in SciPy")]
    shown = re.findall(r"(?ms)^```python\n(.*?)^```", page)
    lines = [example.source for example in doctest.DocTestParser().get_examples(shown[0])]
    assert len(lines) > 10
    monkeypatch.chdir(tmp_path)
    names = {}
    for line in lines:
        exec(line.replace("200:201", "0:1").replace("201:202", "1:2").replace("1.5976", "1.524"), names)
    assert names["minutes"][:7].tolist() == [5, 4, 3, 2, 1, 0, 1]
    assert names["later"].table(*[names["places"]] * 2)[0, 1] == blockfw.infinity("int32")

    nx = pytest.importorskip("networkx")
    names["G"] = nx.MultiDiGraph([(70, 50, {"travel_time": 2.5}), (50, 90, {"travel_time": 4.0}), (50, 90, {"travel_time": 3.0})])
    exec(shown[1], names)
    assert names["net"].distances([70], [90]).tolist() == [5.5]


def test_there_are_examples_of_the_gallery():
    assert SHOWN


@pytest.mark.parametrize("path", SHOWN, ids=lambda path: path.name)
def test_output_of_the_gallery(path):
    """Each prints what its last comment says."""
    done = subprocess.run([sys.executable, path], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    expected = path.read_text().partition("\n# Output:\n")[2]
    assert [f"# {line}".rstrip() for line in done.stdout.splitlines()] == expected.splitlines()
