#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Draws how far each place of a road network is from its centre, and the longest shortest path:

    scripts/sandbox examples/network/generate.py network
    scripts/sandbox apsp network.gr --undirected --measures-only
    scripts/sandbox apsp network.gr --undirected --from 63752 > from-centre
    scripts/sandbox apsp network.gr --undirected --from 97079 --to 97926 > longest
    scripts/sandbox examples/network/picture.py network from-centre longest docs/network.svg

(The vertices are those that the second command names.) Needs NumPy, SciPy and Matplotlib, and seconds.
"""
import base64
import io
import pathlib
import re
import sys

import matplotlib
import numpy as np
from PIL import Image
from scipy.ndimage import gaussian_filter
from scipy.spatial import cKDTree

matplotlib.use("svg")
import matplotlib.pyplot as plt  # noqa: E402
from matplotlib.patheffects import withStroke  # noqa: E402

sys.path.insert(0, str(pathlib.Path(__file__).parents[2] / "benchmarks/report"))
from small_svg import small  # noqa: E402

motorway = 0.5  # tenths of a second a metre, at most
band = 2  # minutes


def read_graph(name):
    """Places in km, and from, to (from 0) and minutes of each road."""
    with open(name + ".gr") as file:
        roads = np.array([line.split()[1:] for line in file if line.startswith("a")], dtype=int)
    with open(name + ".co") as file:
        places = np.array([line.split()[2:] for line in file if line.startswith("v")], dtype=int)
    return places / 1000, roads[:, 0] - 1, roads[:, 1] - 1, roads[:, 2] / 600


def raster(places, minutes, across):
    """The band of each pixel's nearest crossing, -1 on water; and the region's edges."""
    low, high = places.min(axis=0), places.max(axis=0)
    size = (high - low) / (high - low)[0] * across
    x, y = (np.arange(int(s)) + 0.5 for s in size)
    pixels = low + np.stack(np.meshgrid(x, y), axis=2) * (high - low)[0] / across
    apart, nearest = cKDTree(places).query(pixels)
    land = gaussian_filter((apart < 0.15).astype(float), 1.5) > 0.5
    smooth = gaussian_filter(minutes[nearest] * land, 1.2) / np.maximum(gaussian_filter(land.astype(float), 1.2), 1e-9)
    return np.where(land, smooth // band, -1), (low[0], high[0], low[1], high[1])


def small_svg(figure):
    """The figure, its raster in a palette and its numbers with a tenth of a point."""
    svg = io.StringIO()
    figure.savefig(svg, format="svg", metadata={"Date": None})

    def with_palette(match):
        image = Image.open(io.BytesIO(base64.b64decode(re.sub(r"\s", "", match[1])))).convert("RGB")
        colours = min(256, len(set(image.getdata())))
        png = io.BytesIO()
        image.quantize(colours, method=Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE).save(png, "png", optimize=True)
        return "base64," + base64.b64encode(png.getvalue()).decode() + '"'

    return small(re.sub(r'base64,([^"]*)"', with_palette, svg.getvalue()))


def main(name, from_centre, longest, output):
    places, tails, heads, minutes = read_graph(name)
    distances = np.loadtxt(from_centre)[:, 1] / 600
    with open(longest) as file:
        length = int(file.readline().split()[0]) / 600
        path = np.array(file.readline().split(), dtype=int) - 1
    centre = int(distances.argmin())

    water, blue, ink = "#d9e6f2", "#0b3d91", "#20252b"
    plt.rcParams.update({"font.size": 9, "svg.fonttype": "none", "svg.hashsalt": "network", "image.composite_image": False})
    bands, (left, right, bottom, top) = raster(places, distances, 680)
    count = int(bands.max()) + 1
    shades = plt.get_cmap("magma_r")(np.linspace(0.02, 0.78, count))[:, :3]
    figure, axes = plt.subplots(figsize=(9, 9 * (top - bottom + 3.5) / (right - left + 1.6)))
    figure.subplots_adjust(0, 0, 1, 1)
    colours = np.concatenate([shades, [matplotlib.colors.to_rgb(water)]])
    axes.imshow((255 * colours[bands.astype(int)]).round().astype(np.uint8), origin="lower",
                extent=(left, right, bottom, top), interpolation="none")

    apart = np.linalg.norm(places[tails] - places[heads], axis=1)
    fast = (minutes * 600 < motorway * 1000 * apart) & (apart > 0.3)
    gap = np.full((fast.sum(), 1, 2), np.nan)
    lines = np.concatenate([np.stack([places[tails[fast]], places[heads[fast]]], axis=1), gap], axis=1).reshape(-1, 2)
    axes.plot(*lines.T, color="white", linewidth=1.1, alpha=0.85, solid_capstyle="round")

    halo = [withStroke(linewidth=2.5, foreground="white")]
    axes.plot(*places[path].T, color="white", linewidth=3.4, solid_capstyle="round", solid_joinstyle="round")
    axes.plot(*places[path].T, color=blue, linewidth=1.8, solid_capstyle="round", solid_joinstyle="round",
              label=f"the longest shortest path: {length:.0f} minutes over {len(path) - 1} roads")
    for vertex, word in ((path[0], "from"), (path[-1], "to")):
        axes.plot(*places[vertex], "o", color="white", markeredgecolor=blue, markeredgewidth=2, markersize=8, clip_on=False)
        west = places[vertex, 0] < (left + right) / 2
        axes.annotate(f"{word} {vertex + 1}", places[vertex], xytext=(8 if west else -8, 4), textcoords="offset points",
                      ha="left" if west else "right", va="bottom", color=blue, path_effects=halo)
    axes.plot(*places[centre], "o", color=blue, markeredgecolor="white", markersize=10, linestyle="none",
              label=f"the centre, {centre + 1}: no place is farther from it than {distances.max():.0f} minutes")
    axes.set_xlim(left - 0.8, right + 0.8)
    axes.set_ylim(bottom - 2.2, top + 1.3)
    axes.axis("off")

    bar, deep = 0.3 * (right - left) / count, bottom - 1.15
    for b in range(count):
        axes.fill_between([left + b * bar, left + (b + 1) * bar], deep, deep + 0.5, color=shades[b], linewidth=0)
    axes.annotate("0", (left, deep - 0.2), ha="left", va="top", color=ink, fontsize=8)
    for b in range(5, count + 1, 5):
        axes.annotate(f"{b * band}", (left + b * bar, deep - 0.2), ha="center", va="top", color=ink, fontsize=8)
    axes.annotate("minutes from the centre", (left + (count + 0.4) * bar, deep), va="bottom", color=ink, fontsize=8)
    axes.legend(loc="lower right", frameon=False, labelcolor=ink, fontsize=8, borderaxespad=0)
    pathlib.Path(output).write_text(small_svg(figure))


if __name__ == "__main__":
    if len(sys.argv) != 5:
        sys.exit("usage: picture.py NETWORK FROM_CENTRE LONGEST PICTURE.svg")
    main(*sys.argv[1:])
