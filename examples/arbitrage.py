#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Currency arbitrage: a loop of exchanges that ends with more money than it began with is a negative cycle.

An edge's length is minus the logarithm of its rate, so lengths add up as rates multiply.
"""
import re

import blockfw
import numpy as np

names = ["EUR", "USD", "GBP", "CHF", "JPY"]
rate = np.array([[1.0, 1.10, 0.85, 0.96, 160.0],  # rate[i, j]: so much of j for one of i
                 [0.9080, 1.0, 0.7720, 0.8760, 145.3],
                 [1.1750, 1.2940, 1.0, 1.1280, 188.0],
                 [1.0405, 1.1450, 0.8850, 1.0, 166.4],
                 [0.006240, 0.006875, 0.005310, 0.006000, 1.0]])
try:
    blockfw.all_pairs(-np.log(rate))
    print("no loop of exchanges gains")
except blockfw.NegativeCycleError as error:
    print(error)
    a = int(re.search(r"vertex (\d+)", str(error))[1])
    gains = rate[a, :, None] * rate * rate[:, a]  # of the loops a, b, c, a
    b, c = np.unravel_index(gains.argmax(), gains.shape)
    print(" -> ".join(names[v] for v in (a, b, c, a)), f"gains {gains.max() - 1:.2%}")

rate *= 0.99  # with a fee of one percent for each exchange
np.fill_diagonal(rate, 1)
best = np.exp(-blockfw.all_pairs(-np.log(rate)))
print("with a fee, one JPY buys", best[4].round(5))

# Output:
# negative cycle: vertex 1 can return to itself at a negative length, so shortest paths do not exist
# USD -> CHF -> GBP -> USD gains 0.32%
# with a fee, one JPY buys [0.00618 0.00681 0.00526 0.00594 1.     ]
