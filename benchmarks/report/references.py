# SPDX-License-Identifier: MIT
"""The course reports' numbers (references.json), also as shares of their own cards' limits."""
import json
from pathlib import Path

FILE = Path(__file__).with_name("references.json")
SOLVES = ("tiles", "ladder", "peers")  # experiments whose seconds are of a solve, or of a program that is mostly one


# A note contains one of these when its time covers more than the solve.
WHOLE = ("whole program", "reading and writing included", "what the time includes is not said")


def is_whole(figure):
    return any(words in figure.get("note", "") for words in WHOLE)


class Point:
    """A reported number, as a share of the limit of its card."""

    def __init__(self, figure, x, n, share):
        self.card, self.source, self.note = figure["card"], figure["source"], figure.get("note", "")
        self.x, self.n, self.share = x, n, share


class References:
    def __init__(self, file=FILE):
        data = json.loads(file.read_text()) if file.exists() else {}
        self.cards, self.sources = data.get("cards", {}), data.get("sources", {})
        self.figures = [{**figure, "points": [{"x": x, "value": value} for x, value in figure["points"]]}
                        for figure in data.get("figures", [])]
        self.numbers = {source: number for number, source in enumerate(self.sources, 1)}

    def of(self, *experiments, x=None, unit=None):
        return [figure for figure in self.figures if figure["experiment"] in experiments
                and (x is None or figure.get("x") == x) and (unit is None or figure.get("unit") == unit)]

    def number(self, source):
        """The source's number in the list at the page's end."""
        return f"[{self.numbers[source]}]" if source in self.numbers else ""

    def points(self, figure):
        """The points of a figure, as shares of its card's limit; none if that is unknown, or if a time is a whole program's."""
        limit = self.cards.get(figure["card"], {}).get("limit_trelax")
        if not limit or figure["experiment"] not in SOLVES or figure.get("x") == "program" or is_whole(figure):
            return []
        found = []
        for point in figure["points"]:
            n = point["x"] if figure["x"] == "n" else figure.get("n")
            rate = relaxes_a_second(point["value"], figure, n)
            if rate:
                found.append(Point(figure, point["x"], n, rate / (limit * 1e12)))
        return found

    def curves(self):
        """Yields (figure, blocks, speeds relative to the fastest block) of each report that has times of several blocks."""
        for figure in self.of("tiles", x="block"):
            values = [point["value"] for point in figure["points"]]
            if len(values) < 2 or "instructions" in figure.get("note", ""):
                continue
            speeds = [1 / value if figure["unit"] in ("s", "ms") else value for value in values]
            yield figure, [point["x"] for point in figure["points"]], [speed / max(speeds) for speed in speeds]

    def best_of_cards(self, experiments=SOLVES):
        """Each card's best point, the best first."""
        best = {}
        for figure in self.of(*experiments):
            for point in self.points(figure):
                if point.n and (point.card not in best or point.share > best[point.card].share):
                    best[point.card] = point
        return sorted(best.values(), key=lambda point: -point.share)


def relaxes_a_second(value, figure, n):
    """A relax is two operations: the reports' GOPS are 2 n^3 / t, if they are not counts of instructions."""
    unit = figure["unit"]
    if unit == "GOPS":
        return None if "instructions" in figure.get("note", "") else value * 1e9 / 2
    if unit == "Trelax/s":
        return value * 1e12
    if unit in ("s", "ms") and n:
        return n**3 / (value * (1e-3 if unit == "ms" else 1))
    return None
