#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""From points on a map to the two matrices of a VRP solver, durations and metres, and to a tour:

    examples/deliveries.py [PICTURE]

The town is made here. To take roads of your own, which lead in both directions, replace the first block.
"""
import itertools
import sys

import blockfw
import numpy as np

# Crossings about 200 m apart, in metres to the east and north. Each fifth road is a main road of 60 km/h. Of the others, of
# 30 km/h, a sixth is missing.
columns, rows, rng = 24, 17, np.random.default_rng(15)
crossing = np.arange(columns * rows).reshape(rows, columns)
at = 200.0 * np.stack([crossing % columns, crossing // columns], 2).reshape(-1, 2) + rng.uniform(-50, 50, (crossing.size, 2))
from_ = np.concatenate([crossing[:, :-1].ravel(), crossing[:-1].ravel()])
to = np.concatenate([crossing[:, 1:].ravel(), crossing[1:].ravel()])
main = np.where(to - from_ == 1, from_ // columns, from_ % columns) % 5 == 2
there = main | (rng.random(from_.size) > 1 / 6)
from_, to, main = from_[there], to[there], main[there]
metres = np.rint(np.linalg.norm(at[from_] - at[to], axis=1)).astype(int)
tenths = np.rint(metres * 36 / np.where(main, 60, 30)).astype(int)  # of seconds: solvers take integers
net = blockfw.Network((from_, to, tenths), directed=False)

# A depot and 20 customers. Each is moved to the nearest place on a road. (A large map needs an index of its segments.)
points = np.concatenate([[[2300, 1650]], rng.uniform((100, 100), (4500, 3100), (20, 2))])
count = len(points)
start, way = at[from_], at[to] - at[from_]
part = np.clip(((points[:, None] - start) * way).sum(2) / (way**2).sum(1), 0, 1)  # of each road, for each point
apart = np.linalg.norm(points[:, None] - start - part[:, :, None] * way, axis=2)
road = apart.argmin(1)
part = part[np.arange(count), road]

# The durations between all places, and the metres of these ways.
at_tenths = np.rint(part * tenths[road]).astype(int)
stops = net.on_edge(road, at=at_tenths)
durations = net.table(stops, stops)
if durations.max() >= blockfw.infinity(net.dtype):
    sys.exit("deliveries.py: no way leads from one of the points to another")
distances = np.rint(net.along(metres.astype(float), stops, stops)).astype(int)


# A solver takes it from here. This simple one drives to the nearest customer each time, and then turns parts of the tour
# around while that makes it faster.
def length(matrix, tour):
    return matrix[tour, np.roll(tour, -1)].sum()


tour = [0]
while len(tour) < count:
    tour.append(min(set(range(count)) - set(tour), key=lambda stop: (durations[tour[-1], stop], stop)))
first, before = tour, None
while tour != before:
    before = tour
    for i, j in itertools.combinations(range(1, count), 2):
        turned = tour[:i] + tour[i:j + 1][::-1] + tour[j + 1:]
        tour = min(tour, turned, key=lambda one: length(durations, one))

print(f"{net.vertices} crossings, {from_.size} roads; {count} points, {apart.min(1).max():.0f} m from a road at most")
print(f"durations: {durations.shape}, up to {durations.max() / 600:.1f} minutes")
print(f"distances: {distances.shape}, up to {distances.max()} m")
for name, one in ("nearest first", first), ("parts turned", tour):
    print(f"{name}: {length(durations, one) / 600:.1f} minutes, {length(distances, one) / 1000:.1f} km")

if len(sys.argv) > 1:
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    plt.rcParams["svg.fonttype"] = "none"
    figure, axes = plt.subplots(figsize=(8, 5.6), layout="constrained")
    for kind, width in (~main, 1), (main, 2.5):
        lines = np.insert(at[np.stack([from_, to], 1)[kind]], 2, np.nan, axis=1)
        axes.plot(*lines.reshape(-1, 2).T, color="0.75", linewidth=width)
    moved = start[road] + part[:, None] * way[road]
    ends, legs = np.stack([from_[road], to[road]], 1), np.stack([at_tenths, tenths[road] - at_tenths], 1)
    between = net.table(ends.ravel(), ends.ravel()).reshape(count, 2, count, 2)
    for p, q in zip(tour, np.roll(tour, -1)):
        ways = legs[p][:, None] + between[p, :, q] + legs[q]  # by both ends of both roads
        i, j = divmod(ways.argmin(), 2)
        path = net.path(ends[p, i], ends[q, j]) if ways[i, j] == durations[p, q] else []  # (else both are on one road)
        axes.plot(*np.concatenate([moved[[p]], at[path].reshape(-1, 2), moved[[q]]]).T, color="tab:blue", linewidth=2)
    axes.plot(*np.stack([points, moved], 2).transpose(1, 2, 0), color="0.2", linewidth=1)
    for number, stop in enumerate(tour):
        axes.plot(*points[stop], "o" if number else "s", color="tab:orange" if number else "tab:red", markersize=14)
        axes.annotate(str(number or "D"), points[stop], ha="center", va="center_baseline", fontsize=8)
    axes.set_aspect("equal")
    axes.set_axis_off()
    figure.savefig(sys.argv[1])

# Output:
# 408 crossings, 675 roads; 21 points, 92 m from a road at most
# durations: (21, 21), up to 6.3 minutes
# distances: (21, 21), up to 5218 m
# nearest first: 30.1 minutes, 20.6 km
# parts turned: 27.9 minutes, 18.3 km
