# SPDX-License-Identifier: MIT
"""Where the time of a homework program goes: hw3-1 or hw3-2 on generated cases, from start to written output."""
import re
import tempfile
import time

import programs
from results import Measurement

SIZES = {"host": {"quick": [1000, 2000], "normal": [1000, 2000, 5000], "full": [1000, 2000, 5000, 10000]},
         "device": {"quick": [2000, 5000], "normal": [2000, 5000, 10000], "full": [2000, 5000, 10000, 20000]}}
EDGES = 10_000_000  # at most; with more, the input would be larger than the output
RUNS = 3


def jobs(plan, folder, on_device):
    program = folder / ("hw3-2" if on_device else "hw3-1")
    for n in SIZES["device" if on_device else "host"][plan]:
        yield f"steps/n:{n}", lambda n=n: [measure(n, folder / "generate", program)]


def measure(n, generate, program):
    seconds, parts = [], []
    with tempfile.TemporaryDirectory(prefix="blockfw-") as work:
        case, output = f"{work}/case", f"{work}/distances"
        programs.run([generate, "--vertices", n, "--edges", min(n * n // 4, EDGES), "--seed", 1, case], 600)
        for _ in range(RUNS):
            start = time.perf_counter()
            printed = programs.run([program, "--stats", case, output], 600, programs.environment())
            seconds.append(time.perf_counter() - start)
            parts.append(read_stats(printed))
    names = [name for name in parts[0] if all(name in part for part in parts)]
    return Measurement(f"steps/n:{n}", seconds, {name: [part[name] for part in parts] for name in names})


def read_stats(printed):
    """The seconds of each step that a program printed. (Indented lines are phases, parts of the solving, and left out.)"""
    steps = {name: float(seconds) for name, seconds in re.findall(r"(?m)^([a-z][a-z-]*) +([\d.]+) s\b", printed)}
    if "solving" not in steps:
        raise programs.Failed("--stats printed no line of solving")
    return steps


def parts_of(measurement):
    """The median seconds of each step, in their order, and of the rest."""
    steps = {name: measurement.median(name) for name in measurement.counters}
    rest = measurement.median("seconds") - sum(steps.values())
    return {**steps, "rest": max(0, rest)}
