#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A road network, its distances, and its centre, as a picture:

    examples/road_network.py PICTURE [GRAPH.gr COORDINATES.co]

Without files it makes a network of its own.
"""
import sys

import blockfw
import numpy as np


def made(side=40, seed=1):
    """Crossings on a grid, a little out of place; a tenth of the roads are missing."""
    rng = np.random.default_rng(seed)
    crossing = np.arange(side * side).reshape(side, side)
    places = np.stack(np.meshgrid(np.arange(side), np.arange(side)), -1).reshape(-1, 2) * 100.0
    places += rng.uniform(-30, 30, places.shape)
    from_ = np.concatenate([crossing[:, 1:].ravel(), crossing[1:].ravel()])
    to = np.concatenate([crossing[:, :-1].ravel(), crossing[:-1].ravel()])
    there = rng.random(from_.size) > 0.1
    from_, to = from_[there], to[there]
    metres = np.rint(np.linalg.norm(places[from_] - places[to], axis=1)).astype(np.int32)
    return blockfw.Graph(side * side, from_.astype(np.int32), to.astype(np.int32), metres, directed=False), places


def main(picture, graph=None, coordinates=None):
    if graph:
        places = np.loadtxt(coordinates, comments=["c", "p"], usecols=(2, 3))
        graph = blockfw.read_graph(graph)
    else:
        graph, places = made()
    distances = blockfw.all_pairs(graph)
    print(f"{graph.n} crossings, {graph.weights.size} roads, distances of type {distances.dtype}")

    joined = np.flatnonzero((distances < blockfw.infinity(distances.dtype)).sum(axis=1) > graph.n // 2)
    of_town = np.ascontiguousarray(distances[np.ix_(joined, joined)])
    eccentricity, centre = blockfw.eccentricity(of_town), joined[blockfw.centre(of_town)]
    print(f"radius {blockfw.radius(of_town)} m, diameter {blockfw.diameter(of_town)} m, centre: crossing {centre[0]}")
    paths = blockfw.Paths(graph)
    farthest = joined[of_town[np.searchsorted(joined, centre[0])].argmax()]
    path = paths.path(centre[0], farthest)
    print(f"the path from there to crossing {farthest}: {distances[centre[0], farthest]} m, {path.size - 1} roads")

    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt
    from matplotlib.collections import LineCollection

    figure, axes = plt.subplots(figsize=(7, 6), layout="constrained")
    axes.add_collection(LineCollection(places[np.stack([graph.from_, graph.to], 1)], colors="0.6", linewidths=1))
    dots = axes.scatter(*places[joined].T, c=eccentricity / 1000, s=9, cmap="viridis_r", zorder=2)
    axes.plot(*places[path].T, color="tab:red", linewidth=2)
    axes.plot(*places[centre].T, "*", color="tab:red", markersize=15)
    axes.set_aspect("equal")
    axes.set_axis_off()
    figure.colorbar(dots, label="to the farthest crossing, km")
    figure.savefig(picture)


if __name__ == "__main__":
    if len(sys.argv) not in (2, 4):
        sys.exit(__doc__)
    main(*sys.argv[1:])
