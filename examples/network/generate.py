#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Makes the roads of a region of 42 km by 26 km that is on no map:

    scripts/sandbox examples/network/generate.py network

writes network.gr (DIMACS; each road once, the tenths of a second that it takes) and network.co (where
each crossing is, in metres). The streets, at 30 km/h, are a jittered grid of 100 m of which a tenth is
missing; every 16th street is a main road, 60 km/h; motorways, 120 km/h, have an exit each
kilometre. A river has nine bridges; there is a lake, and the sea. The same each time. Needs NumPy and SciPy, and a second.
"""
import sys

import numpy as np
from scipy.sparse import coo_matrix
from scipy.sparse.csgraph import connected_components
from scipy.spatial import cKDTree

columns, rows, step = 424, 264, 100
street, main_road, motorway = (10 * 3.6 / speed for speed in (30, 60, 120))  # tenths of a second a metre


def noise(x, seed):
    """0 to 1 for each number of the array x, by a hash."""
    x = (x.astype(np.uint64) + np.uint64(seed * 1000003)) * np.uint64(0x9E3779B97F4A7C15)
    x = (x ^ (x >> np.uint64(29))) * np.uint64(0xBF58476D1CE4E5B9)
    return ((x ^ (x >> np.uint64(32))) >> np.uint64(11)) / 2.0**53


def river(x):
    """Where its middle is, y for each x, in metres."""
    return 11000 + 2600 * np.sin(x / 6100) + 900 * np.sin(x / 2300 + 1)


def coast(x):
    """Where the sea ends, y for each x, in metres."""
    return 2200 + 1900 * np.sin(x / 7000 - 2) + 700 * np.sin(x / 2900) + 250 * np.sin(x / 900)


def motorways():
    """Places along each motorway, in metres: a ring around the city, and five roads out of it."""
    middle = np.array([17500.0, 14500.0])
    turn = np.linspace(0, 2 * np.pi, 49)
    ring = middle + np.stack([6500 * np.cos(turn), 4700 * np.sin(turn)], axis=1)
    yield ring
    for at, end in ((3, (42200, 17300)), (10, (27000, 25200)), (22, (200, 17500)), (31, (1500, 3500)), (43, (42200, 4500))):
        yield np.linspace(ring[at], end, 200)


def along(road):
    """Places each kilometre along a road."""
    length = np.concatenate([[0], np.linalg.norm(np.diff(road, axis=0), axis=1).cumsum()])
    stops = np.linspace(0, length[-1], max(2, round(length[-1] / 1000)))
    return np.stack([np.interp(stops, length, road[:, axis]) for axis in (0, 1)], axis=1)


def main(output):
    cell = np.arange(columns * rows)
    column, row = cell % columns, cell // columns
    places = np.stack([column, row], axis=1) + 0.6 * (np.stack([noise(cell, 1), noise(cell, 2)], axis=1) - 0.5)
    places = np.round(places * step)
    lake = np.linalg.norm((places - (33000, 20300)) / (3400, 1500), axis=1) < 1 + 0.2 * np.sin(places @ (0.0007, 0.0015))
    dry = (np.abs(places[:, 1] - river(places[:, 0])) > 260) & (places[:, 1] > coast(places[:, 0])) & ~lake

    roads = []  # from, to, tenths of a second a metre
    for ahead, across, ends in ((1, row, column + 1 < columns), (columns, column, row + 1 < rows)):
        start = cell[ends]
        start = start[dry[start] & dry[start + ahead]]
        large = across[start] % 16 == 8
        there = large | (noise(start, 2 + ahead) > 0.1)
        roads.append((start[there], start[there] + ahead, np.where(large, main_road, street)[there]))
    land = cell[dry]
    nearest = cKDTree(places[land])
    for x in range(2400, columns * step, 4700):  # bridges, from bank to bank
        banks = [nearest.query((x, river(np.float64(x)) + side * 330))[1] for side in (-1, 1)]
        roads.append((land[banks[:1]], land[banks[1:]], np.array([main_road])))
    for road in motorways():
        exits = land[nearest.query(along(road))[1]]
        roads.append((exits[:-1], exits[1:], np.full(len(exits) - 1, motorway)))

    tails, heads, pace = (np.concatenate(parts) for parts in zip(*roads))
    graph = coo_matrix((np.ones(len(tails)), (tails, heads)), shape=(len(cell), len(cell)))
    part = connected_components(graph, directed=False)[1]
    kept = part == np.bincount(part).argmax()
    name = np.cumsum(kept)  # from 1
    tails, heads, pace = (x[kept[tails] & (tails != heads)] for x in (tails, heads, pace))
    times = np.maximum(1, np.round(np.linalg.norm(places[tails] - places[heads], axis=1) * pace)).astype(int)

    with open(output + ".gr", "w") as file:
        file.write(f"p sp {name[-1]} {len(times)}\n")
        np.savetxt(file, np.stack([name[tails], name[heads], times], axis=1), fmt="a %d %d %d")
    with open(output + ".co", "w") as file:
        file.write(f"p aux sp co {name[-1]}\n")
        np.savetxt(file, np.column_stack([name[kept], places[kept]]), fmt="v %d %d %d")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: generate.py NAME")
    main(sys.argv[1])
