#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Draws two maps of a road network: the minutes from one place, and the nearest of some places:

    scripts/sandbox examples/andorra/maps.py andorra_time.gr.gz andorra_metres.gr.gz andorra_coordinates.txt.gz andorra.png

TIME and METRES are two graphs of the same roads in the same order. COORDINATES has a line "LATITUDE LONGITUDE" for
each vertex. Without --place the places are the towns of Andorra's seven parishes. Needs Python's blockfw, NumPy, SciPy
and Matplotlib, and seconds.
"""
import argparse
import io
import sys

import blockfw
import matplotlib
import numpy as np
from PIL import Image
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402
from matplotlib.collections import LineCollection  # noqa: E402
from matplotlib.lines import Line2D  # noqa: E402
from matplotlib.patheffects import withStroke  # noqa: E402

TOWNS = ("Andorra la Vella=42.5063,1.5218", "Canillo=42.5676,1.5976", "Encamp=42.5345,1.5801",
         "Escaldes-Engordany=42.5085,1.5385", "La Massana=42.5449,1.5147", "Ordino=42.5562,1.5332",
         "Sant Julià de Lòria=42.4637,1.4913")
COLOURS = "#0072b2", "#e69f00", "#009e73", "#cc79a7", "#000000", "#56b4e9", "#d55e00"  # Okabe and Ito's, without yellow
INK, GREY = "#20252b", "#c4c9cf"
DEGREE = 111.195  # km on a meridian
FAR = 2  # km from a place to its vertex, at most
FAST = 70  # km/h: wide lines


def place_of(text):
    """A name, latitude and longitude out of NAME=LATITUDE,LONGITUDE."""
    name, _, numbers = text.rpartition("=")
    try:
        latitude, longitude = map(float, numbers.split(","))
    except ValueError:
        name = ""
    if not name or not (abs(latitude) <= 90 and abs(longitude) <= 360):
        raise argparse.ArgumentTypeError(f"{text!r} is no place, expected NAME=LATITUDE,LONGITUDE")
    return name, latitude, longitude


def read(time, metres, coordinates):
    """The graph of the times, the metres of its arcs, and the vertices' latitudes and longitudes."""
    graph, lengths = blockfw.read_graph(time), blockfw.read_graph(metres)
    if not (graph.n == lengths.n and np.array_equal(graph.from_, lengths.from_) and np.array_equal(graph.to, lengths.to)):
        raise ValueError(f"{metres} has {lengths.n} vertices and {lengths.from_.size} roads, expected the same "
                         f"{graph.n} and {graph.from_.size} as in {time}, in the same order")
    degrees = np.loadtxt(coordinates, ndmin=2)
    if degrees.shape != (graph.n, 2):
        raise ValueError(f"{coordinates} has {degrees.shape[0]} lines of {degrees.shape[1]} numbers, expected {graph.n} "
                         "of 2: a latitude and a longitude for each vertex")
    return graph, lengths.weights, degrees


def vertices_of(places, graph, at, scale):
    """For each place the nearest of the vertices that all reach each other."""
    arcs = coo_array((np.ones(graph.from_.size), (graph.from_, graph.to)), shape=(graph.n, graph.n))
    part = connected_components(arcs, connection="strong")[1]
    joined = np.flatnonzero(part == np.bincount(part).argmax())
    found = []
    for name, *degrees in places:
        apart = np.linalg.norm(at[joined] - np.array(degrees[::-1]) * scale, axis=1)
        if apart.min() > FAR:
            raise ValueError(f"{name} is {apart.min():.0f} km from the roads, expected {FAR} km at most: "
                             "name places of your own by --place")
        found.append(joined[apart.argmin()])
    return np.array(found)


def panel(axes, title, lines, widths, kind, colours, labels, km):
    """Roads in the colours of their kinds, the first kind on top; in the legend how long they are."""
    for k in range(len(colours))[::-1]:
        axes.add_collection(LineCollection(lines[kind == k], colors=colours[k], linewidths=widths[kind == k], capstyle="round"))
    keys = [Line2D([], [], color=c, linewidth=3, label=f"{label}: {km[kind == k].sum():.0f} km")
            for k, (c, label) in enumerate(zip(colours, labels)) if (kind == k).any()]
    axes.legend(handles=keys, loc="lower right", frameon=False, fontsize=8.5, labelcolor=INK, borderaxespad=0)
    axes.set_title(title, fontsize=12, color=INK, loc="left")
    axes.set_aspect("equal")
    axes.autoscale()
    axes.axis("off")


def mark(axes, name, at, right, colour):
    axes.plot(*at, "o", color=colour, markeredgecolor="white", markeredgewidth=1.5, markersize=9, zorder=3)
    axes.annotate(name, at, xytext=(8 if right else -8, 0), textcoords="offset points", va="center",
                  ha="left" if right else "right", color=INK, fontsize=9.5, weight="bold", zorder=4,
                  path_effects=[withStroke(linewidth=3, foreground="white")])


def main(wanted):
    graph, metres, degrees = read(wanted.time, wanted.metres, wanted.coordinates)
    scale = DEGREE * np.array([np.cos(np.radians(degrees[:, 0].mean())), 1])
    at = degrees[:, ::-1] * scale  # km to the east and to the north
    names = [name for name, *_ in wanted.places]
    start = wanted.start or names[0]
    if start not in names:
        raise ValueError(f"--from names {start}, expected one of the places: {', '.join(names)}")
    if len(names) > len(COLOURS):
        raise ValueError(f"there are {len(names)} places, expected {len(COLOURS)} at most, as there are colours")
    if sorted(set(wanted.minutes)) != wanted.minutes or wanted.minutes[0] <= 0:
        raise ValueError("the minutes are expected to ascend, from more than 0")
    places = vertices_of(wanted.places, graph, at, scale)
    source = places[names.index(start)]

    net = blockfw.Network(graph)
    away = net.rows([source])[0]  # from the place to each vertex
    nearest, _ = net.nearest(places)  # of each vertex the place to which it is nearest
    reached = away < blockfw.infinity(net.dtype)
    farthest = np.where(reached, away, -1).argmax()
    print(f"{graph.n} vertices, {graph.from_.size} arcs; from {start} to the farthest vertex, {farthest + graph.first_vertex}: "
          f"{away[farthest] / wanted.per_minute:.0f} minutes, {net.along(metres, [source], [farthest])[0, 0] / 1000:.1f} km")

    # A road of two directions is drawn once: in the band of its later end, in the colour of one end's place.
    ends = np.stack([graph.from_, graph.to], axis=1)
    roads, arc = np.unique(np.sort(ends, axis=1), axis=0, return_index=True)
    lines, km = at[roads], metres[arc] / 1000
    speed = 60 * wanted.per_minute * km / np.maximum(graph.weights[arc], 1)
    widths = np.where(speed >= FAST, 1.7, 0.7)
    band = np.searchsorted(wanted.minutes, np.where(reached, away / wanted.per_minute, np.inf)[roads].max(axis=1))
    band += ~reached[roads].all(axis=1)
    of = nearest[roads[:, 0], 0]

    plt.rcParams["font.size"] = 9
    middle = np.median(at[places, 0])
    width, height = np.ptp(at, axis=0)
    figure, (left, right) = plt.subplots(1, 2, figsize=(12, 6 * height / width + 0.75))
    figure.subplots_adjust(0.01, 0.05, 0.99, 0.94, 0.02)
    shades = [*plt.get_cmap("plasma")(np.linspace(0, 0.86, len(wanted.minutes) + 1)), GREY]
    labels = [f"{low:g} to {high:g} min" for low, high in zip([0, *wanted.minutes], wanted.minutes)] + ["more", "no way there"]
    panel(left, f"Minutes from {start}", lines, widths, band, shades, labels, km)
    mark(left, start, at[source], at[source, 0] >= middle, INK)
    panel(right, "The nearest place, by time", lines, widths, np.where(of < 0, len(names), of),
          [*COLOURS[:len(names)], GREY], [*names, "no way to any"], km)
    for p, name in zip(places, names):
        mark(right, name, at[p], at[p, 0] >= middle, COLOURS[names.index(name)])

    bar = float(f"{width / 5:.0e}")  # a round number of km
    corner = at.min(axis=0)
    left.plot(corner[0] + [0, bar], [corner[1]] * 2, color=INK, linewidth=2, solid_capstyle="butt")
    left.annotate(f"{bar:g} km", corner + [bar / 2, 0], xytext=(0, 4), textcoords="offset points", ha="center", color=INK)
    figure.text(0.01, 0.015, f"Wide: roads of {FAST} km/h and more. Each road's length is counted once.", color=INK)
    figure.text(0.99, 0.015, wanted.credit, ha="right", color=INK)
    png = io.BytesIO()
    figure.savefig(png, format="png", dpi=wanted.dpi)
    Image.open(png).convert("RGB").quantize(96, dither=Image.Dither.NONE).save(wanted.picture, "png", optimize=True)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("time", metavar="TIME")
    parser.add_argument("metres", metavar="METRES")
    parser.add_argument("coordinates", metavar="COORDINATES")
    parser.add_argument("picture", metavar="PICTURE.png")
    parser.add_argument("--place", dest="places", metavar="NAME=LATITUDE,LONGITUDE", type=place_of, action="append",
                        help="a place, seven times at most")
    parser.add_argument("--from", dest="start", metavar="NAME", help="the place of the minutes; without, the first place")
    parser.add_argument("--minutes", type=float, nargs="+", default=[5, 10, 20, 30], help="where bands end (5 10 20 30)")
    parser.add_argument("--per-minute", type=float, default=600, help="units of TIME in a minute (600, tenths of seconds)")
    parser.add_argument("--credit", default="© OpenStreetMap contributors (ODbL)", help="whose data it is, in the picture")
    parser.add_argument("--dpi", type=float, default=150, help="pixels an inch of 12 inches across (150)")
    given = parser.parse_args()
    given.places = given.places or [place_of(town) for town in TOWNS]
    try:
        main(given)
    except (OSError, ValueError) as error:
        sys.exit(f"maps.py: {error}")
