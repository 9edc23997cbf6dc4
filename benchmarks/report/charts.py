# SPDX-License-Identifier: MIT
"""The parts of pictures: a figure with its title, axes, whiskers, bars, and its SVG."""
import io
import logging
import math
import re
import textwrap

import matplotlib

matplotlib.use("svg")
logging.getLogger("matplotlib").setLevel(logging.ERROR)  # the first picture makes a list of fonts, and says so
import matplotlib.pyplot as plt  # noqa: E402
from matplotlib.ticker import (FixedLocator, FuncFormatter, LogLocator, NullFormatter, NullLocator,  # noqa: E402
                               PercentFormatter)

from results import digits, duration, scaled, spread  # noqa: E402
from small_svg import small  # noqa: E402

WIDTH = 9.0  # inches, shown 900 pixels wide
TITLE, LINE = 0.32, 0.24  # inches of a line of the title and of the one below it
INK, FAINT, GRID, GHOST, PALE = "#1f2328", "#59636e", "#e4e7eb", "#8a929b", "#cfd5db"
# Okabe and Ito's colours, which the colour-blind tell apart.
BLUE, SKY, GREEN, ORANGE, RED, PINK = "#0072b2", "#56b4e9", "#009e73", "#e69f00", "#d55e00", "#cc79a7"
COLOURS = [BLUE, RED, GREEN, ORANGE, PINK, SKY, INK, "#999933", "#882255", "#44aa99"]
MARKERS = ["o", "s", "^", "D", "v", "P", "X", "<", ">", "p"]
GHOSTS = ["D", "s", "^", "v", "o", "P", "X", "<", ">", "p"]
OF_TYPE = {"int8": (ORANGE, "v"), "int16": (SKY, "s"), "int32": (BLUE, "o"), "int64": (GREEN, "^"), "float": (RED, "D"),
           "double": (PINK, "P")}

plt.rcParams.update({
    "font.size": 12, "font.family": "sans-serif", "axes.labelsize": 12, "xtick.labelsize": 11, "ytick.labelsize": 11,
    "font.sans-serif": ["DejaVu Sans", "Verdana", "Helvetica", "Arial"], "legend.fontsize": 11, "svg.fonttype": "none",
    "svg.hashsalt": "blockfw", "axes.spines.top": False, "axes.spines.right": False, "axes.edgecolor": FAINT,
    "axes.labelcolor": INK, "text.color": INK, "xtick.color": FAINT, "ytick.color": FAINT, "xtick.labelcolor": INK,
    "ytick.labelcolor": INK, "axes.grid": True, "axes.axisbelow": True, "grid.color": GRID, "grid.linewidth": 0.8,
    "lines.linewidth": 2, "lines.markersize": 7, "legend.frameon": False, "axes.titlesize": 12,
    "axes.titlelocation": "left", "figure.facecolor": "white"})


def picture(title, subtitle, height=4.6, columns=1, rows=1, **grid):
    """A figure with room for its title, and its panels, row by row."""
    lines, below = textwrap.wrap(title, 74), textwrap.wrap(subtitle, 104)
    top = TITLE * len(lines) + LINE * len(below) + 0.12
    figure, axes = plt.subplots(rows, columns, figsize=(WIDTH, height + top), squeeze=False, **grid)
    figure.set_layout_engine("constrained", rect=(0, 0, 1, 1 - top / (height + top)))
    y = height + top - 0.05
    for text, step, style in ([(line, TITLE, {"fontsize": 15, "fontweight": "bold"}) for line in lines]
                              + [(line, LINE, {"fontsize": 11, "color": FAINT}) for line in below]):
        figure.text(0.008, y / (height + top), text, va="top", **style)
        y -= step
    figure.description = title
    return figure, list(axes.flat)


def svg(figure):
    """Returns the figure as SVG, as small as it looks the same."""
    text = io.StringIO()
    figure.savefig(text, format="svg", metadata={"Date": None, "Creator": None})
    plt.close(figure)
    label = figure.description.replace("&", "&amp;").replace("<", "&lt;").replace('"', "&quot;")
    return re.sub(r'<svg ([^>]*?)width="[^"]*" height="[^"]*"|<svg height="[^"]*"( [^>]*?)width="[^"]*"',
                  lambda found: f'<svg role="img" aria-label="{label}" {found[1] or found[2] or ""}', small(text.getvalue()),
                  count=1)


def legend(figure, *axes, columns=None):
    """Puts the legend below the picture, where it covers nothing."""
    entries = {}
    for one in axes:
        entries.update({label: handle for handle, label in zip(*one.get_legend_handles_labels())})
    # Lines with whiskers are our measurements, and come first.
    labels = sorted(entries, key=lambda label: isinstance(entries[label], plt.Line2D))
    if not labels:
        return
    columns = columns or next(many for many in range(min(len(labels), 6), 0, -1)
                              if many == 1 or wide(labels, many) < 96)
    figure.legend([entries[label] for label in labels], labels, loc="outside lower center", ncols=columns)


def wide(labels, columns):
    """About how many letters wide a legend is."""
    rows, longer = divmod(len(labels), columns)  # `longer` columns have one row more
    ends = [rows * column + min(column, longer) for column in range(columns + 1)]
    return sum(7 + max(map(len, labels[first:end])) for first, end in zip(ends, ends[1:]))


def swatch(axes, colour, label):
    """An entry in the legend for bars that are drawn in several colours at once."""
    axes.plot([], [], color=colour, linewidth=9, solid_capstyle="butt", label=label)


def samples(axes, xs, lists, **style):
    """Draws a line through medians, with whiskers. Returns all values that the axis must have room for."""
    spreads = [spread(values) for values in lists]
    middle = [m for _, m, _ in spreads]
    style = {"capsize": 4, "elinewidth": 1.5, **style}
    axes.errorbar(xs, middle, [[m - low for low, m, _ in spreads], [high - m for _, m, high in spreads]], **style)
    return [value for values in spreads for value in values]


def log_axis(axis, values, write=str, least=0.055):
    """Makes an axis logarithmic, with ticks at the given values, as far as there is room for them."""
    values = sorted(set(values))
    axes = axis.axes
    is_x = axis is axes.xaxis
    (axes.set_xscale if is_x else axes.set_yscale)("log", base=2)
    ends = math.log2(values[0]), math.log2(values[-1])
    margin = max(0.06 * (ends[1] - ends[0]), 0.15)
    (axes.set_xlim if is_x else axes.set_ylim)(2 ** (ends[0] - margin), 2 ** (ends[1] + margin))
    width = ends[1] - ends[0] + 2 * margin
    named = []
    for value in reversed(values):
        if not named or (math.log2(named[-1]) - math.log2(value)) / width > least:
            named.append(value)
    axis.set_major_locator(FixedLocator(named))
    axis.set_minor_locator(NullLocator())
    axis.set_major_formatter(FuncFormatter(lambda value, _: write(round(value))))


def share_axis(axes, top=1.0, label="share of the machine's limit"):
    axes.yaxis.set_major_formatter(PercentFormatter(1))
    axes.set_ylim(0, max(1.06, 1.06 * top))
    axes.axhline(1, color=INK, linewidth=1.2, linestyle=(0, (6, 3)))
    axes.set_ylabel(label)


def scaled_axis(axis, unit):
    """Ticks like 10 ms or 2 TB/s, on an axis of seconds, bytes a second and so on."""
    write = {"s": duration, "": digits}.get(unit, lambda value: scaled(value, unit))
    axis.set_major_formatter(FuncFormatter(lambda value, _: write(value) if value > 0 else "0"))
    axis.set_minor_formatter(NullFormatter())
    low, high = axis.get_view_interval()
    if axis.get_scale() == "log":
        of_a_decade = (1, 2, 5) if high / low < 150 else (1, 3) if high / low < 1500 else (1,)
        axis.set_major_locator(LogLocator(subs=of_a_decade))


def room_on_log_axis(axes, low, high):
    """Gives a logarithmic axis at least half a decade, so that it has numbers."""
    while high / low < 4:
        low, high = low / 1.2, high * 1.2
    axes.set_ylim(low / 1.4, high * 1.4)


def place_labels(figure, axes, points, gap=15):
    """Writes (x, y, text) beside points, one below the other where they would collide."""
    figure.canvas.draw()
    placed = []
    for x, y, text in sorted(points, key=lambda point: -point[1]):
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


def ghost_lines(axes, lines):
    """Draws the reports' lines, each (label, xs, ys)."""
    for number, (label, xs, ys) in enumerate(lines):
        axes.plot(xs, ys, color=GHOST, marker=GHOSTS[number % 10], markerfacecolor="white", markeredgewidth=1.5,
                  linewidth=1.2, linestyle=(0, (4, 2)), label=label, zorder=2)


def bars(axes, names, lists, colours, unit, factors=True):
    """Draws horizontal bars on a logarithmic axis, the first on top, with each value and its factor to the one before."""
    spreads = [spread(values) for values in lists]
    places = range(len(names))
    axes.barh(places, [m for _, m, _ in spreads], color=colours, height=0.66, zorder=3)
    known = [(place, *spread) for place, spread in zip(places, spreads) if spread[2] > spread[0]]
    axes.errorbar([m for _, _, m, _ in known], [place for place, *_ in known],
                  xerr=[[m - low for _, low, m, _ in known], [high - m for _, _, m, high in known]],
                  linestyle="none", capsize=3, elinewidth=1.5, ecolor=INK, zorder=4)
    axes.set_xscale("log")
    low, high = min(m for _, m, _ in spreads), max(m for _, m, _ in spreads)
    decades = max(1, len(str(round(high / low))))
    axes.set_xlim(low / 3, high * 10 ** (0.42 * decades ** 0.5 + 0.25))
    before = None
    for place, (_, middle, top) in zip(places, spreads):
        value = duration(middle) if unit == "s" else scaled(middle, unit)
        factor = f"\u2003× {digits(middle / before, 2)}" if factors and before else ""
        axes.annotate(value + factor, (max(top, middle), place), xytext=(7, 0), textcoords="offset points", va="center",
                      fontsize=11, zorder=5,
                      bbox={"facecolor": "white", "edgecolor": "none", "pad": 1.5, "alpha": 0.85})
        before = middle
    axes.set_yticks(places, names)
    axes.invert_yaxis()
    axes.grid(axis="y", visible=False)
    axes.tick_params(axis="y", length=0)
    scaled_axis(axes.xaxis, unit)
