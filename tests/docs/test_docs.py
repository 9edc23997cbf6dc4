#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Tests of README.md and the pages in docs/: tables are as the results have them, links lead somewhere, README is short.

    python3 tests/docs/test_docs.py
"""
import ast
import importlib.util
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

REPO = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(REPO / "benchmarks" / "report"))

import tables  # noqa: E402
from results import Error  # noqa: E402

PAGES = [REPO / name for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md", "examples/homework/README.md", "packaging/README.md")]
PAGES += [*sorted((REPO / "docs").rglob("*.md")), *sorted((REPO / "benchmarks/results").glob("*.md"))]
MOST_LINES = 150


def without_code(text):
    return re.sub(r"`[^`\n]*`", "", re.sub(r"(?m)^    .*$", "", re.sub(r"(?s)^```.*?^```", "", text, flags=re.M)))


def anchor(heading):
    """The name that GitHub gives a heading."""
    heading = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).lower()
    return re.sub(r"[^\w\- ]", "", heading).strip().replace(" ", "-")


class Figures(unittest.TestCase):
    def test_tables_are_as_the_results_have_them(self):
        for path in tables.pages():
            with self.subTest(path.name):
                text = path.read_text()
                self.assertEqual(text, tables.made(text), f"{path.name} differs: scripts/report --tables writes it")

    def test_each_table_is_in_one_place(self):
        found = [name for path in tables.pages() if path.parent != tables.RESULTS
                 for _, name, *_ in tables.MARKED.findall(path.read_text())]
        results = [name for path in tables.pages() if path.parent == tables.RESULTS
                   for _, name, *_ in tables.MARKED.findall(path.read_text())]
        self.assertEqual(sorted(results), sorted(set(results)))
        self.assertEqual(sorted(found + [name for name in results if name in tables.MADE]), sorted(
            {*tables.MADE, *(name for name in found if name in tables.transcribed())}))
        self.assertEqual(set(tables.all_tables()), {*found, *results})

    def test_each_figure_is_shown(self):
        found = {name for path in tables.pages() for _, name in tables.FIGURE.findall(path.read_text())}
        self.assertEqual(found, set(tables.figures()))

    def test_names_that_are_not_there(self):
        with self.assertRaisesRegex(Error, "there is no table 'x'"):
            tables.made("<!-- table: x -->\n<!-- end of table -->\n")
        with self.assertRaisesRegex(Error, "there is no figure 'x'"):
            tables.made("it takes 4.9<!-- = x --> times as long\n")

    def test_a_figure_is_the_word_before_its_name(self):
        figures = tables.figures()
        self.assertEqual(tables.made("| x 0<!-- = coalesced -->; (0%<!-- = occupancy -->)\n"),
                         f"| x {figures['coalesced']}<!-- = coalesced -->; ({figures['occupancy']}<!-- = occupancy -->)\n")

    def test_a_figure_that_differs_is_seen(self):
        text = (REPO / "README.md").read_text()
        row = next(line for line in text.splitlines() if "California" in line)
        self.assertEqual(tables.made(text.replace(row, row.replace("8", "9"))), text)

    def test_readme_has_measured_figures_in_its_table_only(self):
        text = without_code(tables.MARKED.sub("", (REPO / "README.md").read_text()))
        self.assertEqual(re.findall(r"\d[\d.]*(?: ?%| m?s\b| times\b| [GT]relax/s)", text), [])

    def test_instructions_a_relax_are_as_expected(self):
        """The tables of scripts/portability beside what scripts/inspect-device expects of a target's large and small tile."""
        script = (REPO / "scripts/inspect-device").read_text()
        expected = ast.literal_eval(re.search(r"(?ms)^INSTRUCTIONS = (\{.*?^\})", script)[1])
        head, _, *rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in re.search(
            r"(?m)^\| target .*\n(\|.*\n)+", (REPO / "docs/authors/portability.md").read_text())[0].splitlines()]
        shown = {(target, type): list(map(float, cell.partition(";")[0].split(",")))
                 for target, *cells in rows for type, cell in zip(head[1:], cells)}
        self.assertEqual({(target, type) for target in expected for type in expected[target]}, set(shown))
        for (target, type), found in shown.items():
            for instructions, most in zip(found, expected[target][type]):
                with self.subTest(target=target, type=type):
                    self.assertLess(abs(instructions / most - 1), 0.05)

    def test_the_model_is_compared_with_what_was_measured(self):
        script = (REPO / "benchmarks/model").read_text()
        solves, tiles = (ast.literal_eval(re.search(rf"(?ms)^{name} = (\{{.*?\}})", script)[1]) for name in ("SOLVES", "TILES"))
        text = (REPO / "benchmarks/results/gpu.md").read_text()
        solved = re.search(r"(?m)^\| type +\| +n \| +ms \|.*textbook.*\n(\|.*\n)+", text)[0]
        measured = {int(n): float(ms) for n, ms in re.findall(r"(?m)^\| int32 +\| +(\d+) \| +([\d.]+) \|", solved)}
        self.assertTrue(measured)
        self.assertLessEqual(set(measured), set(solves))
        for n, ms in measured.items():
            self.assertLess(abs(solves[n] / ms - 1), 0.005, n)
        head, _, *rows = [[cell.strip() for cell in line.split("|")[1:-1]]
                          for line in re.search(r"(?m)^\| tile .*\n(\|.*\n)+", text)[0].splitlines()]
        for shape, *cells in rows:
            of_limit = float(cells[head.index("of the limit") - 1].rstrip("%")) / 100
            self.assertAlmostEqual(tiles[tuple(map(int, shape.split(",")))], of_limit, delta=0.0011, msg=shape)

    def test_pages_show_what_the_models_print(self):
        for page, command in (("authors/model.md", ["benchmarks/model"]), ("authors/scaling.md", ["benchmarks/simulate"]),
                              ("authors/beyond.md", ["benchmarks/beyond"]),
                              ("authors/elimination.md", ["benchmarks/pays", "benchmarks/results/choice.csv"])):
            if page in ("authors/scaling.md", "authors/beyond.md") and not importlib.util.find_spec("numpy"):
                print(f"{page} was not compared: {command[0]} needs NumPy", file=sys.stderr)
                continue
            with self.subTest(page):
                lines = (REPO / "docs" / page).read_text().splitlines()
                done = subprocess.run([sys.executable, *command], cwd=REPO, capture_output=True, text=True)
                self.assertEqual(done.returncode, 0, done.stderr)
                rows = [line for line in done.stdout.splitlines() if line.startswith("|")]
                self.assertTrue(rows)
                self.assertEqual([row for row in rows if row not in lines], [])

    def test_the_picture_of_the_largest_networks_is_the_committed_one(self):
        """Its words are compared, as each version of Matplotlib draws other curves."""
        if not all(map(importlib.util.find_spec, ("numpy", "matplotlib"))):
            self.skipTest("benchmarks/beyond --plot needs NumPy and Matplotlib")
        words = lambda path: sorted(re.findall(r">([^<>]+)</t", path.read_text(encoding="utf-8")))
        with tempfile.TemporaryDirectory() as folder:
            drawn = pathlib.Path(folder) / "beyond.svg"
            done = subprocess.run([sys.executable, "benchmarks/beyond", "--plot", str(drawn)], cwd=REPO, capture_output=True,
                                  text=True)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertEqual(words(drawn), words(REPO / "docs/authors/beyond.svg"))
        self.assertEqual(words(REPO / "docs/authors/beyond.svg").count("predicted"), 3)   # in each panel, and in the legend


class Pages(unittest.TestCase):
    def test_readme_is_of_one_visit(self):
        self.assertLessEqual(len((REPO / "README.md").read_text().splitlines()), MOST_LINES)

    def test_links_lead_somewhere(self):
        for path in PAGES:
            for link in re.findall(r"\]\(([^)\s]+)\)", without_code(path.read_text())):
                if link.startswith("http"):
                    continue
                with self.subTest(f"{path.relative_to(REPO)}: {link}"):
                    name, _, place = link.partition("#")
                    target = (path.parent / name).resolve() if name else path
                    self.assertTrue(target.exists())
                    if place:
                        headings = re.findall(r"(?m)^#+ (.*)$", target.read_text())
                        self.assertIn(place, map(anchor, headings))

    def test_the_index_has_every_page(self):
        index = (REPO / "docs/README.md").read_text()
        for path in sorted((REPO / "docs").rglob("*.md")):
            if path.name != "README.md":
                self.assertIn(f"]({path.relative_to(REPO / 'docs')}", index)

    def test_pictures_are_shown_and_small(self):
        shown = " ".join(path.read_text() for path in PAGES)
        for path in (REPO / "docs").rglob("*.svg"):
            self.assertIn(f"{path.name})", shown)
            self.assertLess(path.stat().st_size, 50_000, path.name)
        self.assertEqual([path.name for path in (REPO / "docs").rglob("*") if path.suffix in (".png", ".jpg", ".gif")], [])

    def test_pages_to_use_it_begin_with_code(self):
        for name in ("dense", "sparse", "paths", "semirings", "devices", "devices ## Out of core", "formats"):
            page, _, part = name.partition(" ")
            text = (REPO / "docs" / f"{page}.md").read_text()
            self.assertLess(text[text.index(part):].index("```cpp"), 400, name)

    def test_packages_and_changelog_have_the_version(self):
        found = re.findall(r"define BLOCKFW_VERSION_(?:MAJOR|MINOR|PATCH) (\d+)", (REPO / "include/blockfw/ground/version.hpp").read_text())
        version = ".".join(found)
        for name, line in (("packaging/spack/spack_repo/blockfw/packages/blockfw/package.py", f'    version("{version}")'),
                           ("packaging/debian/changelog", f"blockfw ({version}-1) unstable; urgency=medium"),
                           ("CHANGELOG.md", f"## {version}")):
            self.assertIn(line, (REPO / name).read_text().splitlines(), name)


if __name__ == "__main__":
    unittest.main()
