# SPDX-License-Identifier: MIT
"""Measurements by other programs than `experiments`: the homework's, other solvers, and Nsight Compute.

A job is (its name, a function that returns measurements).
"""
import csv
import io
import json
import re
import shutil
import sys
import tempfile
import time
from pathlib import Path

import programs
from results import Measurement, measurement_of


def jobs(plan, program, folder, tests):
    """All jobs of a plan, of which `tests` are the program's own measurements."""
    on_device = any(test.keys.get("space") == "device" for test in tests)
    homework = folder / ("hw3-2" if on_device else "hw3-1")
    for n in STEPS["device" if on_device else "host"][plan]:
        yield f"steps/n:{n}", lambda n=n: [steps(n, folder / "generate", homework)]
    if (folder / "peer-blockfw").exists():
        yield f"peers/n:{PEERS[plan]}", lambda: peers(PEERS[plan], folder)
    solves = [test.n for test in tests if test.experiment == "solve" and test.type == "int32"]
    if on_device and (n := max((n for n in solves if n <= LARGEST), default=None)):
        yield f"metrics/n:{n}", lambda: [metrics(n, program, plan)]


# Where the time of a homework program goes, on generated cases, from start to written output.

STEPS = {"host": {"quick": [1000, 2000], "normal": [1000, 2000, 5000], "full": [1000, 2000, 5000, 10000]},
         "device": {"quick": [2000, 5000], "normal": [2000, 5000, 10000], "full": [2000, 5000, 10000, 20000]}}
EDGES = 10_000_000  # at most; with more, the input would be larger than the output
RUNS = 3


def steps(n, generate, program):
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
    parts = {name: float(seconds) for name, seconds in re.findall(r"(?m)^([a-z][a-z-]*) +([\d.]+) s\b", printed)}
    if "solving" not in parts:
        raise programs.Failed("--stats printed no line of solving")
    return parts


# Other programs for the same problem, all in one go, so that they are compared with blockfw's result of the same minutes.

PEERS = {"quick": 500, "normal": 2000, "full": 3000}
SCRIPT = Path(__file__).resolve().parent.parent / "peers.py"


def peers(n, folder):
    printed = programs.run([sys.executable, SCRIPT, "--json", "-n", n, "--bin", folder], 3600, programs.environment())
    lines = [json.loads(line) for line in printed.splitlines() if line.startswith("{")]
    if not lines:
        raise programs.Failed("peers.py printed nothing")
    return [measurement_of(line) for line in lines]


# Metrics of phase 3 by Nsight Compute, where it is installed and allowed.

COUNTED = {
    "occupancy": "sm__warps_active.avg.pct_of_peak_sustained_active",
    "scratch_throughput": "l1tex__data_pipe_lsu_wavefronts_mem_shared.avg.pct_of_peak_sustained_elapsed",
    "l2_throughput": "lts__t_sectors.avg.pct_of_peak_sustained_elapsed",
    "memory_throughput": "dram__throughput.avg.pct_of_peak_sustained_elapsed",
    "alu": "sm__inst_executed_pipe_alu.avg.pct_of_peak_sustained_active",
    "sm_throughput": "sm__throughput.avg.pct_of_peak_sustained_elapsed",
}
TIME, ACTIVE, ELAPSED = "gpu__time_duration.sum", "sm__cycles_active.avg", "sm__cycles_elapsed.max"
KERNEL = "update_rest"  # phase 3
LAUNCHES = 4            # the longest of them counts
LARGEST = 10000


def metrics(n, program, plan):
    if not shutil.which("ncu"):
        raise programs.Failed("ncu (Nsight Compute) is not on the PATH")
    counted = ",".join([*COUNTED.values(), TIME, ACTIVE, ELAPSED])
    command = ["ncu", "--csv", "--clock-control", "none", "--kernel-name-base", "demangled", "-k", f"regex:{KERNEL}",
               "--launch-count", LAUNCHES, "--kill", "yes", "--metrics", counted, program,
               f"--plan={plan}", f"--benchmark_filter=^solve/int32/n:{n}(/|$)"]
    failed = None
    try:
        printed = programs.run(command, 300, programs.environment())
    except programs.Failed as failure:  # ncu may fail when it has killed the program
        printed, failed = failure.printed, failure
    if "ERR_NVGPUCTRPERM" in printed:
        raise programs.Failed("the driver keeps its counters from this user")
    launches = read_table(printed)
    if not launches:
        raise failed or programs.Failed(f"ncu saw no kernel whose name has {KERNEL}")
    longest = max(launches.values(), key=lambda launch: launch[TIME])
    counters = {name: [longest[metric] / 100] for name, metric in COUNTED.items() if metric in longest}
    counters["sm_efficiency"] = [longest[ACTIVE] / longest[ELAPSED]]
    return Measurement(f"metrics/n:{n}", [longest[TIME]], counters)


def read_table(printed):
    """The metrics of each launch. Before its table ncu prints lines of its own, and of the program."""
    units = {"nsecond": 1e-9, "ns": 1e-9, "usecond": 1e-6, "us": 1e-6, "msecond": 1e-3, "ms": 1e-3}
    table = re.search(r'(?m)^"ID",[\s\S]*', printed)
    launches = {}
    for row in csv.DictReader(io.StringIO(table[0])) if table else []:
        try:
            value = float(row["Metric Value"].replace(",", ""))
        except (ValueError, AttributeError, KeyError):
            continue
        scale = units.get(row["Metric Unit"], 1) if row["Metric Name"] == TIME else 1
        launches.setdefault(row["ID"], {})[row["Metric Name"]] = value * scale
    return {launch: values for launch, values in launches.items() if {TIME, ACTIVE, ELAPSED} <= set(values)}
