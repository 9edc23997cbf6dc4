#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Draws a road network from nothing but its roads' lengths:

    scripts/sandbox apsp rome99.gr -o rome.npy
    scripts/sandbox examples/rome/picture.py rome99.gr rome.npy docs/rome.svg

The file has no coordinates, so the vertices are laid out by the distances between all of them:
classical scaling (the two leading eigenvectors of the doubly centred squares of the distances,
Torgerson 1952), then majorisation of the stress with weights 1/d^2 (Gansner, Koren and North
2004). Needs NumPy and Matplotlib, 0.5 GB of memory and a minute.
"""
import io
import pathlib
import sys

import matplotlib
import numpy as np

matplotlib.use("svg")
import matplotlib.pyplot as plt  # noqa: E402

sys.path.insert(0, str(pathlib.Path(__file__).parents[2] / "benchmarks/report"))
from small_svg import small  # noqa: E402


def read_dimacs(path):
    """from, to (from 0) and length of each arc."""
    with open(path) as file:
        arcs = np.array([line.split()[1:] for line in file if line.startswith("a")], dtype=int)
    return arcs[:, 0] - 1, arcs[:, 1] - 1, arcs[:, 2]


def classical_scaling(d, rounds=60):
    """n x 2 places whose distances are nearly d, by power iteration."""
    squares = d**2
    mean = squares.mean(axis=0)
    centred = -0.5 * (squares - mean - mean[:, None] + mean.mean())
    basis = np.linalg.qr(np.random.default_rng(1).normal(size=(len(d), 6)))[0]
    for _ in range(rounds):
        basis = np.linalg.qr(centred @ basis)[0]
    values, vectors = np.linalg.eigh(basis.T @ centred @ basis)
    lead = np.argsort(values)[:-3:-1]
    return basis @ vectors[:, lead] * np.sqrt(values[lead])


def majorised(places, d, rounds=60):
    """The places, moved to lower the sum of (distance - d)^2 / d^2 in each round."""
    n = len(d)
    weights = 1 / np.maximum(d, 1) ** 2
    np.fill_diagonal(weights, 0)
    laplacian = np.diag(weights.sum(axis=1)) - weights
    inverse = np.linalg.inv(laplacian + weights.mean()) - 1 / (weights.mean() * n * n)
    pull = weights * d
    for _ in range(rounds):
        square = (places**2).sum(axis=1)
        apart = np.sqrt(np.maximum(square + square[:, None] - 2 * places @ places.T, 1e-6))
        part = pull / apart
        places = inverse @ (part.sum(axis=1)[:, None] * places - part @ places)
    return places


def route(d, arcs, start, end):
    """The vertices of a shortest path, back from its end over arcs that are tight."""
    tails, heads, lengths = arcs
    path = [end]
    while path[-1] != start:
        into = heads == path[-1]
        tight = d[start, tails[into]] + lengths[into] == d[start, path[-1]]
        path.append(int(tails[into][tight & (lengths[into] > 0)][0]))
    return path[::-1]


def trails(roads):
    """The roads' vertices in lines that follow one road after the other, which take fewer numbers; -1 ends each."""
    left = {}
    for a, b in roads:
        left.setdefault(int(a), set()).add(int(b))
        left.setdefault(int(b), set()).add(int(a))
    line = []
    for start in sorted(left, key=lambda vertex: len(left[vertex]) % 2 == 0):
        while left[start]:
            at = start
            line.append(at)
            while left[at]:
                to = min(left[at])
                left[at].remove(to)
                left[to].remove(at)
                line.append(at := to)
            line.append(-1)
    return np.array(line)


def main(graph, distances, output):
    arcs = read_dimacs(graph)
    tails, heads, lengths = arcs
    d = np.load(distances)
    both = np.minimum(d, d.T).astype(float)
    places = majorised(classical_scaling(both), both)

    farthest = d.max(axis=1)
    start = int(farthest.argmax())
    end = int(d[start].argmax())
    centre = int(farthest.argmin())
    path = route(d, arcs, start, end)

    # The route leads across; the unit is what a kilometre of road takes on average.
    across = places[end] - places[start]
    across /= np.linalg.norm(across)
    places = (places - places[centre]) @ np.array([[across[0], -across[1]], [across[1], across[0]]])
    apart = np.linalg.norm(places[tails] - places[heads], axis=1)
    places *= lengths.sum() / apart.sum() / 1000

    grey, red, blue, ink = "#9aa3ad", "#c8102e", "#1f5fa8", "#30363d"
    plt.rcParams.update({"font.size": 9, "svg.fonttype": "none", "svg.hashsalt": "rome", "path.simplify": False})
    extent = np.ptp(places, axis=0)
    figure, axes = plt.subplots(figsize=(9, 9 * extent[1] / extent[0] + 0.5))
    figure.subplots_adjust(0, 0, 1, 1)
    roads = np.unique(np.sort(np.stack([tails, heads], axis=1), axis=1), axis=0)
    line = trails(roads)
    axes.plot(*np.where(line[:, None] < 0, np.nan, places[line]).T, color=grey, linewidth=0.6)
    axes.plot(*places[path].T, color=red, linewidth=2, solid_capstyle="round", solid_joinstyle="round",
              label=f"the longest shortest path: {d[start, end] / 1000:.1f} km over {len(path) - 1} roads")
    for vertex, place in ((start, "from"), (end, "to")):
        axes.plot(*places[vertex], "o", color="white", markeredgecolor=red, markeredgewidth=2, markersize=8)
        axes.annotate(f"{place} {vertex + 1}", places[vertex], xytext=(0, 10), textcoords="offset points",
                      ha="left" if place == "from" else "right", color=red)
    axes.plot(*places[centre], "o", color=blue, markeredgecolor="white", markersize=10, linestyle="none",
              label=f"the centre, {centre + 1}: no place is farther from it than {farthest[centre] / 1000:.1f} km")
    axes.plot([], [], color=grey, linewidth=1, label=f"{len(roads)} roads between {len(d)} crossings")
    axes.set_aspect("equal")
    axes.margins(0.03)
    axes.axis("off")
    axes.legend(loc="lower right", frameon=False, labelcolor=ink)

    bar, (left, right), bottom = 5, axes.get_xlim(), axes.get_ylim()[0]
    margin = 0.03 * (right - left)
    axes.plot([left + margin, left + margin + bar], [bottom + margin] * 2, color=ink, linewidth=2, solid_capstyle="butt")
    axes.annotate(f"{bar} km", (left + margin + bar / 2, bottom + margin), xytext=(0, 5), textcoords="offset points",
                  ha="center", color=ink)
    svg = io.StringIO()
    figure.savefig(svg, format="svg", metadata={"Date": None})
    pathlib.Path(output).write_text(small(svg.getvalue()))  # a tenth of a point is enough


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit("usage: picture.py GRAPH.gr DISTANCES.npy PICTURE.svg")
    main(*sys.argv[1:])
