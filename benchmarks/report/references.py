# SPDX-License-Identifier: MIT
"""The course reports' numbers (references.json), also as shares of their own cards' limits."""
import json
from pathlib import Path

FILE = Path(__file__).with_name("references.json")
SOLVES = ("tiles", "ladder", "peers")  # experiments whose seconds are of a solve, or of a program that is mostly one
# A note contains one of these when its time covers more than the solve.
WHOLE = ("whole program", "reading and writing included", "what the time includes is not said")


class Figure:
    """A series of a report: values by x, of a card, in a unit, and the number of its source in brackets."""

    def __init__(self, data, cards, number):
        self.experiment, self.card, self.source, self.unit, self.x = (
            data[key] for key in ("experiment", "card", "source", "unit", "x"))
        self.n, self.note, self.series = data.get("n"), data.get("note", ""), data.get("series", "")
        self.trelax, self.points, self.cite = data.get("trelax"), data["points"], f"[{number}]"
        self.is_whole = any(words in self.note for words in WHOLE)
        scale = {"s": 1, "ms": 1e-3}.get(self.unit)
        self.seconds = [(x, value * scale) for x, value in self.points] if scale else []
        self.values = {str(x): value for x, value in self.seconds or self.points}
        self.limit = cards.get(self.card, {}).get("limit_trelax")

    @property
    def at(self):
        """The card, with n where it is known."""
        return f"{self.card}, n = {self.n}" if self.n else self.card

    @property
    def shares(self):
        """(x, n, share of its card's limit); none if that is unknown, or if a time is a whole program's."""
        if not self.limit or self.experiment not in SOLVES or self.x == "program" or self.is_whole:
            return []
        by_n = [(x, x if self.x == "n" else self.n, value) for x, value in self.points]
        return [(x, n, rate / (self.limit * 1e12)) for x, n, value in by_n if (rate := self._rate(value, n))]

    def _rate(self, value, n):
        """Relaxes a second. A relax is two operations: GOPS are 2 n^3 / t, if they are not counts of instructions."""
        if self.unit == "GOPS":
            return None if "instructions" in self.note else value * 1e9 / 2
        if self.unit == "Trelax/s":
            return value * 1e12
        return n**3 / (value * (1e-3 if self.unit == "ms" else 1)) if self.seconds and n else None

    @property
    def gpu_steps(self):
        """A ladder's steps on a GPU, in seconds."""
        return [(x, seconds) for x, seconds in self.seconds if not str(x).startswith("CPU")]


class References:
    def __init__(self, file=FILE):
        data = json.loads(file.read_text())
        self.cards, self.sources = data["cards"], data["sources"]
        numbers = {source: number for number, source in enumerate(self.sources, 1)}
        self.figures = [Figure(figure, self.cards, numbers[figure["source"]]) for figure in data["figures"]]

    def of(self, *experiments, x=None, unit=None):
        return [figure for figure in self.figures if figure.experiment in experiments
                and (x is None or figure.x == x) and (unit is None or figure.unit == unit)]

    def curves(self):
        """Yields (figure, [(block, speed relative to the fastest)]) of each report that has times of several blocks."""
        for figure in self.of("tiles", x="block"):
            if len(figure.points) > 1 and "instructions" not in figure.note:
                speeds = [(block, 1 / value if figure.seconds else value) for block, value in figure.points]
                fastest = max(speed for _, speed in speeds)
                yield figure, [(block, speed / fastest) for block, speed in speeds]

    def best_of_cards(self, experiments=SOLVES):
        """Each card's best (share, figure, x, n), the best first."""
        best = {}
        for figure in self.of(*experiments):
            for x, n, share in figure.shares:
                if n and (figure.card not in best or share > best[figure.card][0]):
                    best[figure.card] = share, figure, x, n
        return sorted(best.values(), key=lambda one: -one[0])


REPORTED = References()
