# SPDX-License-Identifier: MIT
"""Metrics of phase 3 by Nsight Compute, where it is installed and allowed."""
import csv
import io
import re
import shutil

import programs
from results import Measurement

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


def jobs(program, plan, tests, on_device):
    sizes = [test.n for test in tests if test.experiment == "solve" and test.type == "int32" and test.n <= LARGEST]
    if on_device and sizes:
        yield f"metrics/n:{max(sizes)}", lambda: [measure(max(sizes), program, plan)]


def measure(n, program, plan):
    if not shutil.which("ncu"):
        raise programs.Failed("ncu (Nsight Compute) is not on the PATH")
    counted = ",".join([*COUNTED.values(), TIME, ACTIVE, ELAPSED])
    command = ["ncu", "--csv", "--clock-control", "none", "--kernel-name-base", "demangled", "-k", f"regex:{KERNEL}",
               "--launch-count", LAUNCHES, "--kill", "yes", "--metrics", counted, program, f"--plan={plan}",
               f"--benchmark_filter=^solve/int32/n:{n}(/|$)"]
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
    units = {"nsecond": 1e-9, "ns": 1e-9, "usecond": 1e-6, "us": 1e-6, "msecond": 1e-3, "ms": 1e-3, "second": 1, "s": 1}
    table = re.search(r'(?m)^"ID",[\s\S]*', printed)
    launches = {}
    for row in csv.DictReader(io.StringIO(table[0])) if table else []:
        try:
            value = float(row["Metric Value"].replace(",", ""))
        except (ValueError, AttributeError, KeyError):
            continue
        if row["Metric Name"] == TIME:
            value *= units.get(row["Metric Unit"], 1)
        launches.setdefault(row["ID"], {})[row["Metric Name"]] = value
    return {launch: values for launch, values in launches.items() if {TIME, ACTIVE, ELAPSED} <= set(values)}
