# SPDX-License-Identifier: MIT
"""Pictures by Matplotlib as small SVG: medians with whiskers as lines or bars, and stacked shares."""
import io
import logging
import math
import re
import textwrap

import matplotlib

matplotlib.use("svg")
logging.getLogger("matplotlib").setLevel(logging.ERROR)  # the first picture makes a list of fonts, and says so
import matplotlib.pyplot as plt  # noqa: E402
from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter, NullLocator, PercentFormatter  # noqa: E402

from results import spread, written  # noqa: E402
from small_svg import small  # noqa: E402

WIDTH = 9.0  # inches, shown 900 pixels wide
INK, FAINT, GRID = "#1f2328", "#59636e", "#e4e7eb"
# Okabe and Ito's colours, which the colour-blind tell apart.
BLUE, SKY, GREEN, ORANGE, RED, PINK = "#0072b2", "#56b4e9", "#009e73", "#e69f00", "#d55e00", "#cc79a7"
COLOURS = [BLUE, RED, GREEN, ORANGE, PINK, SKY, INK, "#999933", "#882255", "#44aa99"]
MARKERS = ["o", "s", "^", "D", "v", "P", "X", "<", ">", "p"]
DASHED = {"color": INK, "linewidth": 1.2, "linestyle": (0, (6, 3))}

plt.rcParams.update({
    "font.size": 12, "font.family": "sans-serif", "axes.labelsize": 12, "xtick.labelsize": 11, "ytick.labelsize": 11,
    "font.sans-serif": ["DejaVu Sans", "Verdana", "Helvetica", "Arial"], "legend.fontsize": 11, "svg.fonttype": "none",
    "svg.hashsalt": "blockfw", "axes.spines.top": False, "axes.spines.right": False, "axes.edgecolor": FAINT,
    "axes.labelcolor": INK, "text.color": INK, "xtick.color": FAINT, "ytick.color": FAINT, "xtick.labelcolor": INK,
    "ytick.labelcolor": INK, "axes.grid": True, "axes.axisbelow": True, "grid.color": GRID, "grid.linewidth": 0.8,
    "lines.linewidth": 2, "lines.markersize": 7, "legend.frameon": False, "axes.titlesize": 12,
    "axes.titlelocation": "left", "figure.facecolor": "white"})


def frame(title, subtitle, height):
    """A figure with a title and a line below it, and its axes of this height in inches."""
    lines, below = textwrap.wrap(title, 74), textwrap.wrap(subtitle, 104)
    top = 0.32 * len(lines) + 0.24 * len(below) + 0.12
    figure, axes = plt.subplots(figsize=(WIDTH, height + top))
    figure.set_layout_engine("constrained", rect=(0, 0, 1, 1 - top / (height + top)))
    y = height + top - 0.05
    for text, step, style in ([(line, 0.32, {"fontsize": 15, "fontweight": "bold"}) for line in lines]
                              + [(line, 0.24, {"fontsize": 11, "color": FAINT}) for line in below]):
        figure.text(0.008, y / (height + top), text, va="top", **style)
        y -= step
    return figure, axes


def svg(figure, description):
    """Returns the figure as SVG, as small as it looks the same."""
    text = io.StringIO()
    figure.savefig(text, format="svg", metadata={"Date": None, "Creator": None})
    plt.close(figure)
    label = description.replace("&", "&amp;").replace("<", "&lt;").replace('"', "&quot;")
    return re.sub(r'<svg ([^>]*?)width="[^"]*" height="[^"]*"|<svg height="[^"]*"( [^>]*?)width="[^"]*"',
                  lambda found: f'<svg role="img" aria-label="{label}" {found[1] or found[2] or ""}', small(text.getvalue()),
                  count=1)


def scaled_axis(axis, unit):
    """Ticks like 10 ms or 2 TB/s, on a logarithmic axis of seconds, bytes a second and so on."""
    low, high = axis.get_view_interval()
    axis.set_major_locator(LogLocator(subs=(1, 2, 5) if high / low < 150 else (1,)))
    axis.set_major_formatter(FuncFormatter(lambda value, _: written(value, unit)))
    axis.set_minor_formatter(NullFormatter())


def lines(title, subtitle, found, unit, x, y, levels=()):
    """A picture of lines (label, [(x, samples)]) with medians and whiskers; None without points. The unit is "share" (from 0
    to 1), or what is measured, on a logarithmic axis."""
    found = [(label, points) for label, points in found if points]
    if not found:
        return None
    figure, axes = frame(title, subtitle, 4.6)
    for number, (label, points) in enumerate(found):
        xs, (lows, middles, highs) = [at for at, _ in points], zip(*(spread(samples) for _, samples in points))
        axes.errorbar(xs, middles, [[m - low for m, low in zip(middles, lows)], [high - m for m, high in zip(middles, highs)]],
                      capsize=4, elinewidth=1.5, color=COLOURS[number % 10], marker=MARKERS[number % 10],
                      linestyle=["-", "--", ":", "-."][number // 10 % 4], label=label)
    for level, text in levels:
        axes.axhline(level, **DASHED)
        axes.annotate(text, (0.008, level), xycoords=("axes fraction", "data"), xytext=(0, 4), textcoords="offset points",
                      fontsize=11)
    axes.set(xlabel=x, ylabel=y)
    ticks = sorted({at for _, points in found for at, _ in points})
    if ticks[-1] >= 8:
        axes.set_xscale("log", base=2)
        ticks = [at for at, after in zip(ticks, [*ticks[1:], math.inf]) if after > 1.15 * at]
    axes.set_xticks(ticks, list(map(str, ticks)), rotation=30 if len(ticks) > 9 else 0)
    axes.xaxis.set_minor_locator(NullLocator())
    if unit == "share":
        axes.yaxis.set_major_formatter(PercentFormatter(1))
        axes.set_ylim(0, 1.06 * max([1, *(max(samples) for _, points in found for _, samples in points)]))
    else:
        axes.set_yscale("log")
        scaled_axis(axes.yaxis, unit)
    figure.legend(loc="outside lower center", ncols=3)
    return svg(figure, title)


def bars(title, subtitle, rows, unit, x):
    """A picture of horizontal bars (name, samples, text beside the value) on a logarithmic axis, the first on top."""
    if not rows:
        return None
    figure, axes = frame(title, subtitle, 0.5 * len(rows) + 1.0)
    spreads = [spread(samples) for _, samples, _ in rows]
    axes.barh(range(len(rows)), [middle for _, middle, _ in spreads], color=BLUE, height=0.66, zorder=3,
              xerr=[[middle - low for low, middle, _ in spreads], [high - middle for _, middle, high in spreads]], capsize=3)
    axes.set_xscale("log")
    least, most = min(middle for _, middle, _ in spreads), max(high for *_, high in spreads)
    axes.set_xlim(least / 3, 2 * most * (3 * most / least) ** 0.3)
    for place, ((_, middle, high), (*_, text)) in enumerate(zip(spreads, rows)):
        axes.annotate(written(middle, unit) + (f"\u2003{text}" if text else ""), (high, place), xytext=(7, 0),
                      textcoords="offset points", va="center", fontsize=11)
    names(axes, [name for name, *_ in rows])
    axes.set_xlabel(x)
    scaled_axis(axes.xaxis, unit)
    return svg(figure, title)


def stacked(title, subtitle, rows, x):
    """A picture of horizontal bars of shares (name, {part: share}, text behind it), the first on top."""
    if not rows:
        return None
    figure, axes = frame(title, subtitle, 0.5 * len(rows) + 1.5)
    for number, part in enumerate(rows[0][1]):
        shares = [parts[part] for _, parts, _ in rows]
        before = [sum(list(parts.values())[:number]) for _, parts, _ in rows]
        axes.barh(range(len(rows)), shares, 0.66, before, color=COLOURS[number % 10], label=part)
    for place, (*_, text) in enumerate(rows):
        axes.annotate(text, (1, place), xytext=(6, 0), textcoords="offset points", va="center", fontsize=11)
    names(axes, [name for name, *_ in rows])
    axes.set(xlabel=x, xlim=(0, 1))
    axes.xaxis.set_major_formatter(PercentFormatter(1))
    figure.legend(loc="outside lower center", ncols=4)
    return svg(figure, title)


def names(axes, texts):
    """The names of horizontal bars."""
    axes.set_yticks(range(len(texts)), [textwrap.fill(text, 36, break_long_words=False) for text in texts])
    axes.set_ylim(len(texts) - 0.5, -0.5)
    axes.grid(axis="y", visible=False)
    axes.tick_params(axis="y", length=0)
