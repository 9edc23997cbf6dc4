# SPDX-License-Identifier: MIT
"""Pictures as data: a title, a line below it, and panels of lines, bars or stacked shares, drawn by Matplotlib as SVG."""
import io
import logging
import math
import re
import textwrap
from dataclasses import dataclass, field

import matplotlib

matplotlib.use("svg")
logging.getLogger("matplotlib").setLevel(logging.ERROR)  # the first picture makes a list of fonts, and says so
import matplotlib.pyplot as plt  # noqa: E402
from matplotlib.ticker import (FixedLocator, FuncFormatter, LogLocator, MaxNLocator, NullFormatter,  # noqa: E402
                               NullLocator, PercentFormatter)

from results import spread, written  # noqa: E402
from small_svg import small  # noqa: E402

WIDTH = 9.0  # inches, shown 900 pixels wide
TITLE, LINE = 0.32, 0.24  # inches of a line of the title and of the one below it
INK, FAINT, GRID, GHOST, PALE = "#1f2328", "#59636e", "#e4e7eb", "#8a929b", "#cfd5db"
# Okabe and Ito's colours, which the colour-blind tell apart.
BLUE, SKY, GREEN, ORANGE, RED, PINK = "#0072b2", "#56b4e9", "#009e73", "#e69f00", "#d55e00", "#cc79a7"
COLOURS = [BLUE, RED, GREEN, ORANGE, PINK, SKY, INK, "#999933", "#882255", "#44aa99"]
MARKERS = ["o", "s", "^", "D", "v", "P", "X", "<", ">", "p"]
GHOSTS = ["D", "s", "^", "v", "o", "P", "X", "<", ">", "p"]
DASHED = {"color": INK, "linewidth": 1.2, "linestyle": (0, (6, 3))}

plt.rcParams.update({
    "font.size": 12, "font.family": "sans-serif", "axes.labelsize": 12, "xtick.labelsize": 11, "ytick.labelsize": 11,
    "font.sans-serif": ["DejaVu Sans", "Verdana", "Helvetica", "Arial"], "legend.fontsize": 11, "svg.fonttype": "none",
    "svg.hashsalt": "blockfw", "axes.spines.top": False, "axes.spines.right": False, "axes.edgecolor": FAINT,
    "axes.labelcolor": INK, "text.color": INK, "xtick.color": FAINT, "ytick.color": FAINT, "xtick.labelcolor": INK,
    "ytick.labelcolor": INK, "axes.grid": True, "axes.axisbelow": True, "grid.color": GRID, "grid.linewidth": 0.8,
    "lines.linewidth": 2, "lines.markersize": 7, "legend.frameon": False, "axes.titlesize": 12,
    "axes.titlelocation": "left", "figure.facecolor": "white"})


def picture(title, subtitle, panels, height=None, columns=None, legend_columns=None):
    """Returns the SVG of the panels that show something, in rows of this height and so many columns; None without any."""
    panels = [panel for panel in panels if panel.is_filled()]
    if not panels:
        return None
    columns = columns or len(panels)
    rows = -(-len(panels) // columns)
    height = rows * (height or max(panel.height for panel in panels))
    lines, below = textwrap.wrap(title, 74), textwrap.wrap(subtitle, 104)
    top = TITLE * len(lines) + LINE * len(below) + 0.12
    figure, grid = plt.subplots(rows, columns, figsize=(WIDTH, height + top), squeeze=False)
    figure.set_layout_engine("constrained", rect=(0, 0, 1, 1 - top / (height + top)))
    y = height + top - 0.05
    for text, step, style in ([(line, TITLE, {"fontsize": 15, "fontweight": "bold"}) for line in lines]
                              + [(line, LINE, {"fontsize": 11, "color": FAINT}) for line in below]):
        figure.text(0.008, y / (height + top), text, va="top", **style)
        y -= step
    for axes, panel in zip(grid.flat, panels):
        axes.set_title(panel.title)
        axes.set_xlabel(panel.x)
        panel.draw(axes, columns)
    for axes in list(grid.flat)[len(panels):]:
        axes.axis("off")
    legend(figure, grid.flat, legend_columns)
    for axes, panel in zip(grid.flat, panels):
        place_labels(figure, axes, getattr(panel, "points", ()))
    return svg(figure, title)


def svg(figure, description):
    """Returns the figure as SVG, as small as it looks the same."""
    text = io.StringIO()
    figure.savefig(text, format="svg", metadata={"Date": None, "Creator": None})
    plt.close(figure)
    label = description.replace("&", "&amp;").replace("<", "&lt;").replace('"', "&quot;")
    return re.sub(r'<svg ([^>]*?)width="[^"]*" height="[^"]*"|<svg height="[^"]*"( [^>]*?)width="[^"]*"',
                  lambda found: f'<svg role="img" aria-label="{label}" {found[1] or found[2] or ""}', small(text.getvalue()),
                  count=1)


def legend(figure, panels, columns):
    """Puts the legend below the picture, where it covers nothing."""
    entries = {}
    for axes in panels:
        entries.update({label: handle for handle, label in zip(*axes.get_legend_handles_labels())})
    # Lines with whiskers are our measurements, and come first.
    labels = sorted(entries, key=lambda label: isinstance(entries[label], plt.Line2D))
    if labels:
        columns = columns or next(many for many in range(min(len(labels), 6), 0, -1)
                                  if many == 1 or letters(labels, many) < 96)
        figure.legend([entries[label] for label in labels], labels, loc="outside lower center", ncols=columns)


def letters(labels, columns):
    """About how many letters wide a legend is."""
    rows, longer = divmod(len(labels), columns)  # `longer` columns have one row more
    ends = [rows * column + min(column, longer) for column in range(columns + 1)]
    return sum(7 + max(map(len, labels[first:end])) for first, end in zip(ends, ends[1:]))


def place_labels(figure, axes, points, gap=15):
    """Writes (x, y, text) beside points, one below the other where they would collide."""
    if any(text for *_, text in points):
        figure.canvas.draw()
    placed = []
    for x, y, text in sorted((point for point in points if point[2]), key=lambda point: -point[1]):
        at_x, at_y = axes.transData.transform((x, y)) * 72 / figure.dpi
        wide = 6.4 * len(text)
        right = at_x + wide + 12 < figure.get_figwidth() * 72
        left_end = at_x + 9 if right else at_x - 9 - wide
        label = at_y
        for other_left, other_right, other_y in sorted(placed, key=lambda one: -one[2]):
            if left_end < other_right and other_left < left_end + wide and abs(label - other_y) < gap:
                label = other_y - gap
        placed.append((left_end, left_end + wide, label))
        axes.annotate(text, (x, y), xytext=(9 if right else -9, label - at_y), textcoords="offset points", va="center",
                      ha="left" if right else "right", fontsize=11, color=FAINT)


def log_axis(axis, values, least):
    """Makes an axis logarithmic, with ticks at the given values, as far as there is room for them."""
    values = sorted(set(values))
    ends = math.log2(values[0]), math.log2(values[-1])
    margin = max(0.06 * (ends[1] - ends[0]), 0.15)
    width = ends[1] - ends[0] + 2 * margin
    which = axis.axis_name
    axis.axes.set(**{f"{which}scale": "log", f"{which}lim": (2 ** (ends[0] - margin), 2 ** (ends[1] + margin))})
    named = []
    for value in reversed(values):
        if not named or (math.log2(named[-1]) - math.log2(value)) / width > least:
            named.append(value)
    axis.set_major_locator(FixedLocator(named))
    axis.set_minor_locator(NullLocator())
    axis.set_major_formatter(FuncFormatter(lambda value, _: str(round(value))))


def scaled_axis(axis, unit):
    """Ticks like 10 ms or 2 TB/s, on an axis of seconds, bytes a second and so on."""
    axis.set_major_formatter(FuncFormatter(lambda value, _: written(value, unit) if value > 0 else "0"))
    axis.set_minor_formatter(NullFormatter())
    low, high = axis.get_view_interval()
    if axis.get_scale() == "log":
        of_a_decade = (1, 2, 5) if high / low < 150 else (1, 3) if high / low < 1500 else (1,)
        axis.set_major_locator(LogLocator(subs=of_a_decade))


class Panel:
    height = 4.6  # inches

    def is_filled(self):
        return bool(self.rows)


@dataclass
class Line:
    """Samples by x, drawn as medians with whiskers."""
    label: str | None
    points: list  # (x, samples)
    colour: str
    marker: str = "o"
    style: str = "-"


def line(label, measurements, what, colour, marker="o", style="-", by="n"):
    """The line of what was measured, over a key of the measurements."""
    return Line(label, [(m.keys[by], found) for m in measurements if (found := m.samples(what))], colour, marker, style)


@dataclass
class Lines(Panel):
    """Our lines, and the reports' in grey. The unit is "share" (of the limit), "%" (of something else), "times" (as fast as
    one), "log times", or what is measured, on a logarithmic axis."""
    lines: list
    unit: str
    title: str = ""
    x: str = "vertices n"
    y: str = ""
    reported: list = field(default_factory=list)  # lines (label, [(x, y)])
    points: list = field(default_factory=list)    # of the reports: (x, y, text beside it)
    points_label: str | None = None
    levels: list = field(default_factory=list)    # horizontal lines: (y, what it is)
    ideal: int = 0                                # a diagonal line up to this x
    upright: float | None = None                  # a vertical line at this n
    second: tuple = ()                            # an axis on the right: factor, unit, label

    def is_filled(self):
        return any(line.points for line in self.lines)

    def draw(self, axes, columns):
        axes.set_ylabel(self.y)
        xs = [x for line in self.lines for x, _ in line.points] + [x for _, line in self.reported for x, _ in line]
        ys = [y for _, line in self.reported for _, y in line] + [y for _, y, _ in self.points] + [y for y, _ in self.levels]
        for line in self.lines:
            points = [(x, spread(samples)) for x, samples in line.points]
            if points:
                ys += [value for _, values in points for value in values]
                axes.errorbar([x for x, _ in points], [middle for _, (_, middle, _) in points],
                              [[middle - low for _, (low, middle, _) in points],
                               [high - middle for _, (_, middle, high) in points]], capsize=4, elinewidth=1.5, zorder=4,
                              color=line.colour, marker=line.marker, linestyle=line.style, label=line.label)
        for number, (label, line) in enumerate(self.reported):
            axes.plot(*zip(*line), color=GHOST, marker=GHOSTS[number % 10], markerfacecolor="white", markeredgewidth=1.5,
                      linewidth=1.2, linestyle=(0, (4, 2)), label=label, zorder=2)
        for x, y, _ in self.points:
            axes.plot(x, y, "D", color="white", markeredgecolor=GHOST, markeredgewidth=1.5, zorder=2,
                      label=self.points_label)
        if self.ideal:
            axes.plot(range(1, self.ideal + 1), range(1, self.ideal + 1), label="ideal", **DASHED)
        for y, text in self.levels:
            axes.axhline(y, **DASHED)
            x, align = (0.008, "left") if self.unit == "share" else (0.99, "right")
            axes.annotate(text, (x, y), xycoords=("axes fraction", "data"), ha=align, xytext=(0, 4),
                          textcoords="offset points", fontsize=11)
        if self.upright:
            axes.axvline(self.upright, **DASHED)
            axes.annotate(f"n = {self.upright}", (self.upright, 0.97), xycoords=("data", "axes fraction"), xytext=(6, 0),
                          textcoords="offset points", va="top", fontweight="bold")
        self._scale(axes, ys)
        xs += [x for x, _, _ in self.points]
        if max(xs) >= 8:
            log_axis(axes.xaxis, xs, 0.055 if columns == 1 else 0.14)
            if self.ideal:  # which is to be straight
                log_axis(axes.yaxis, xs, 0.055)
        else:
            axes.set_xticks(sorted(set(xs)))
        if self.second:
            factor, unit, label = self.second
            other = axes.secondary_yaxis("right", functions=(lambda y: y * factor, lambda y: y / factor))
            other.set_ylabel(label)
            scaled_axis(other.yaxis, unit)

    def _scale(self, axes, ys):
        if self.unit in ("share", "%"):
            axes.yaxis.set_major_formatter(PercentFormatter(1))
            axes.set_ylim(0, 1.06 * max(1, *ys))
        elif self.unit == "times":
            axes.yaxis.set_major_locator(MaxNLocator(5, steps=[1, 2, 5, 10]))
            axes.set_ylim(0, 1.06 * max(ys))
        else:
            low, high = min(ys), max(ys)
            while high / low < 4:  # at least half a decade, so that the axis has numbers
                low, high = low / 1.2, high * 1.2
            axes.set(yscale="log", ylim=(low / 1.4, high * 1.4))
            scaled_axis(axes.yaxis, "×" if self.unit == "log times" else self.unit)


@dataclass
class Bars(Panel):
    """Horizontal bars on a logarithmic axis, the first on top: (name, samples, colour, text beside the value)."""
    rows: list
    unit: str
    x: str = ""
    title: str = ""
    key: tuple = ()     # entries of the legend: (colour, label)
    limit: tuple = ()   # a vertical line at x, and what it is
    places: int = 0     # room for so many bars, if there are fewer

    @property
    def height(self):
        return 0.5 * max(self.places, len(self.rows)) + 1.0

    def draw(self, axes, columns):
        spreads = [spread(samples) for _, samples, *_ in self.rows]
        places = range(len(self.rows))
        axes.barh(places, [m for _, m, _ in spreads], color=[colour for _, _, colour, _ in self.rows], height=0.66, zorder=3)
        known = [(place, *spread) for place, spread in zip(places, spreads) if spread[2] > spread[0]]
        axes.errorbar([m for _, _, m, _ in known], [place for place, *_ in known],
                      xerr=[[m - low for _, low, m, _ in known], [high - m for _, _, m, high in known]],
                      linestyle="none", capsize=3, elinewidth=1.5, ecolor=INK, zorder=4)
        axes.set_xscale("log")
        low, high = min(m for _, m, _ in spreads), max(m for _, m, _ in spreads)
        decades = max(1, len(str(round(high / low))))
        axes.set_xlim(low / 3, high * 10 ** (0.42 * decades ** 0.5 + 0.25))
        for place, (_, middle, top), (*_, text) in zip(places, spreads, self.rows):
            axes.annotate(written(middle, self.unit) + (f"\u2003{text}" if text else ""), (max(top, middle), place),
                          xytext=(7, 0), textcoords="offset points", va="center", fontsize=11, zorder=5,
                          bbox={"facecolor": "white", "edgecolor": "none", "pad": 1.5, "alpha": 0.85})
        names(axes, [name for name, *_ in self.rows], columns, self.places)
        scaled_axis(axes.xaxis, self.unit)
        if self.limit:
            axes.axvline(self.limit[0], **DASHED)
            axes.annotate(self.limit[1], (self.limit[0], 1), xycoords=("data", "axes fraction"), xytext=(0, 3),
                          textcoords="offset points", fontsize=11, ha="center")
        swatches(axes, self.key)


@dataclass
class Stacked(Panel):
    """Horizontal bars of shares, the first on top: (name, {part: share}, text behind it); the reports' bars are paler."""
    rows: list
    colours: dict       # of each part
    ours: int           # so many of the rows
    x: str
    title: str = ""

    @property
    def height(self):
        return 0.5 * len(self.rows) + 1.5

    def draw(self, axes, columns):
        for place, (_, parts, text) in enumerate(self.rows):
            left = 0.0
            for part, share in parts.items():
                if part in self.colours:
                    axes.barh(place, share, 0.66, left, color=self.colours[part], alpha=1 if place < self.ours else 0.5,
                              zorder=3)
                left += share
            axes.annotate(text, (1, place), xytext=(6, 0), textcoords="offset points", va="center", fontsize=11)
        swatches(axes, [(colour, part) for part, colour in self.colours.items()
                        if any(parts.get(part) for _, parts, _ in self.rows)])
        names(axes, [name for name, *_ in self.rows], columns)
        axes.xaxis.set_major_formatter(PercentFormatter(1))
        axes.set_xlim(0, 1)


def names(axes, texts, columns, least=0):
    """The names of horizontal bars."""
    width = 36 if columns == 1 else 20
    axes.set_yticks(range(len(texts)), [textwrap.fill(text, width, break_long_words=False) for text in texts])
    axes.set_ylim(max(least, len(texts)) - 0.5, -0.5)
    axes.grid(axis="y", visible=False)
    axes.tick_params(axis="y", length=0)


def swatches(axes, key):
    """Entries in the legend for bars that are drawn in several colours at once."""
    for colour, label in key:
        axes.plot([], [], color=colour, linewidth=9, solid_capstyle="butt", label=label)


@dataclass
class Roofs(Panel):
    """A roofline: (name, relaxes a second, relaxes a byte of memory, and of scratch) below the roofs."""
    limit: float
    roofs: list         # (name, bytes a second, colour)
    rows: list
    reported: list
    title: str = ""
    x: str = "relaxes a byte"
    height = 5.8

    def draw(self, axes, _):
        every = [*self.rows, *self.reported]
        xs = [x for _, _, *of in every for x in of if x]
        left, right = min(xs) / 2, max(xs) * 2
        bottom = min(rate for _, rate, *_ in every) / 2
        ridges = [self.limit / bandwidth for _, bandwidth, _ in self.roofs]
        for (name, bandwidth, colour), ridge in zip(self.roofs, ridges):
            left, bottom = min(left, ridge / 2), min(bottom, self.limit / 4)
            start = max(left, bottom / bandwidth)
            axes.plot([start, ridge], [bandwidth * start, self.limit], color=colour, linewidth=2.5, zorder=2,
                      label=f"roof of {name}, {written(bandwidth, 'B/s')}")
        axes.plot([min(ridges, default=left), right], [self.limit] * 2, color=INK, linewidth=2.5, zorder=2,
                  label=f"roof of arithmetic, {written(self.limit, 'relax/s')}")
        for number, (name, rate, *of) in enumerate(self.rows):
            colour, marker = COLOURS[number % 10], MARKERS[(number + number // 10) % 10]
            if all(of):
                axes.plot(of, [rate, rate], color=colour, linewidth=0.8, alpha=0.6, zorder=3)
            self._pair(axes, name, rate, of, colour, marker, 4)
        for name, rate, *of in self.reported:
            self._pair(axes, name, rate, of, GHOST, "D", 3)
        axes.set(xscale="log", yscale="log", xlim=(left, right), ylim=(bottom, self.limit * 1.9), ylabel="relaxes a second")
        scaled_axis(axes.yaxis, "relax/s")
        axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: written(value, "")))

    @staticmethod
    def _pair(axes, name, rate, of, colour, marker, zorder):
        """A filled marker for memory, a hollow one for scratch."""
        for x, fill in zip(of, (colour, "white")):
            if x:
                axes.plot(x, rate, marker, linestyle="none", markeredgecolor=colour, markerfacecolor=fill, markersize=8,
                          markeredgewidth=1.8 if fill == "white" else 1, zorder=zorder, label=name)
                name = None
