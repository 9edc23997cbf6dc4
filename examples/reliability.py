#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Reliability: the best path between two nodes is the one whose links all work with the largest probability.

The semiring "max_times" multiplies the probabilities along a path, and takes the largest product of all paths.
"""
import blockfw
import numpy as np

names = ["plant", "north", "south", "relay", "office"]
works = {("plant", "north"): 0.99, ("plant", "south"): 0.90, ("north", "relay"): 0.95, ("south", "relay"): 0.98,
         ("relay", "office"): 0.97, ("south", "office"): 0.93}
p = np.zeros((5, 5))  # 0: no link
for (a, b), probability in works.items():
    i, j = names.index(a), names.index(b)
    p[i, j] = p[j, i] = probability

best = blockfw.all_pairs(p, semiring="max_times")
for name, probability in zip(names, best[0]):
    print(f"{name:7} {probability:.4f}")
weakest = blockfw.all_pairs(p, semiring="max_min")  # the path whose least reliable link is the best
print(f"each link of another path to the office works with at least {weakest[0, 4]:.2f}")

# Output:
# plant   1.0000
# north   0.9900
# south   0.9217
# relay   0.9405
# office  0.9123
# each link of another path to the office works with at least 0.95
