# SPDX-License-Identifier: MIT
"""Builds the programs of a report, quietly; runs them with their threads bound to cores, and ends them with all their children.

The jobs are measurements by other programs than `experiments`: the homework's, other solvers, and Nsight Compute. A job is
(its name, a function that returns measurements).
"""
import csv
import io
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from results import Error, Measurement, measurement_of, without_folders

PRESET = "release"
TARGETS = ["experiments", "generate", "hw3-1", "peer-blockfw", "peer-loops", "peer-loops-scalar", "peer-loops-openmp"]
WHERE_FOUND = ["peer-boost", "peer-graphblas"]  # targets that there are only where what they need is installed


def environment(bound=True):
    """An environment that binds each thread of a host to a core of its own, or none, unless the caller has set another
    binding."""
    return {"OMP_PROC_BIND": "spread" if bound else "false", "OMP_PLACES": "threads", **os.environ}


def start(command, **options):
    """Starts a program in a process group of its own: Ctrl-C reaches this program only, which then ends the other."""
    command = [str(word) for word in command]
    return subprocess.Popen(command, stdin=subprocess.DEVNULL, start_new_session=True, **options)


def end(process):
    """Ends a program and all that it has started."""
    if process.poll() is None:
        try:
            os.killpg(process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
    process.wait()


def run(command, limit, env=None):
    """Returns the output of a command. Raises Failed when it fails, is missing, or takes longer than `limit` seconds."""
    with tempfile.TemporaryFile() as errors:
        try:
            process = start(command, stdout=subprocess.PIPE, stderr=errors, env=env)
        except OSError as error:
            raise Failed(f"{os.path.basename(command[0])}: {error.strerror}")
        try:
            printed, _ = process.communicate(timeout=limit)
        except subprocess.TimeoutExpired:
            raise Failed(f"took longer than {limit:g} s")
        finally:
            end(process)
        if process.returncode != 0:
            raise Failed(how_it_ended(process.returncode, errors), printed.decode(errors="replace"))
        return printed.decode(errors="replace")


class Failed(Exception):
    """The reason of a failure, and the output until then."""

    def __init__(self, why, printed=""):
        super().__init__(why)
        self.printed = printed


def how_it_ended(status, errors):
    """"the program ended with signal 11 (Segmentation fault)", or with the last line that it printed."""
    if status < 0:
        return f"the program ended with signal {-status} ({signal.strsignal(-status)})"
    said = last_line(errors)
    return f"the program ended with status {status}" + (f": {said}" if said else "")


def last_line(errors):
    """The last line of a program's standard error, which went to a file."""
    errors.seek(0)
    lines = [line.strip() for line in errors.read().decode(errors="replace").splitlines() if line.strip()]
    return without_folders(" ".join(lines[-1].split()))[:200] if lines else ""


def build(repo):
    """Returns the folder of the programs."""
    log = repo / "build" / "report" / "log"
    log.parent.mkdir(parents=True, exist_ok=True)
    print(f"Building the programs (log: {log.relative_to(repo)}) ...", flush=True)
    with open(log, "wb") as file:
        run = lambda *command: subprocess.run(command, cwd=repo, stdout=file, stderr=file, stdin=subprocess.DEVNULL)
        try:
            done = run("cmake", "--preset", PRESET)
            if done.returncode == 0 and not is_there(repo, "experiments"):
                raise Error("CMake does not find Google Benchmark, which a report needs (libbenchmark-dev)")
            if done.returncode == 0:
                done = run("cmake", "--build", "--preset", PRESET, "--target", *TARGETS,
                           *(target for target in WHERE_FOUND if is_there(repo, target)))
        except OSError as error:
            raise Error(f"cmake: {error.strerror}")
    if done.returncode != 0:
        print("\n".join(log.read_text(errors="replace").splitlines()[-30:]))
        raise Error("the build failed")
    return repo / "build" / PRESET / "bin"


def is_there(repo, target):
    """Whether this build folder has the target."""
    ninja = Path(repo, "build", PRESET, "build.ninja")
    return f"build {target}: phony" in (ninja.read_text(errors="replace") if ninja.exists() else "")


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
        run([generate, "--vertices", n, "--edges", min(n * n // 4, EDGES), "--seed", 1, case], 600)
        for _ in range(RUNS):
            start = time.perf_counter()
            printed = run([program, "--stats", case, output], 600, environment())
            seconds.append(time.perf_counter() - start)
            parts.append(read_stats(printed))
    names = [name for name in parts[0] if all(name in part for part in parts)]
    return Measurement(f"steps/n:{n}", seconds, {name: [part[name] for part in parts] for name in names})


def read_stats(printed):
    """The seconds of each step that a program printed. (Indented lines are phases, parts of the solving, and left out.)"""
    parts = {name: float(seconds) for name, seconds in re.findall(r"(?m)^([a-z][a-z-]*) +([\d.]+) s\b", printed)}
    if "solving" not in parts:
        raise Failed("--stats printed no line of solving")
    return parts


# Other programs for the same problem, all in one go, so that they are compared with blockfw's result of the same minutes.

PEERS = {"quick": 500, "normal": 2000, "full": 3000}
SCRIPT = Path(__file__).resolve().parent.parent / "peers.py"


def peers(n, folder):
    printed = run([sys.executable, SCRIPT, "--json", "-n", n, "--bin", folder], 3600, environment())
    lines = [json.loads(line) for line in printed.splitlines() if line.startswith("{")]
    if not lines:
        raise Failed("peers.py printed nothing")
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
        raise Failed("ncu (Nsight Compute) is not on the PATH")
    counted = ",".join([*COUNTED.values(), TIME, ACTIVE, ELAPSED])
    command = ["ncu", "--csv", "--clock-control", "none", "--kernel-name-base", "demangled", "-k", f"regex:{KERNEL}",
               "--launch-count", LAUNCHES, "--kill", "yes", "--metrics", counted, program,
               f"--plan={plan}", f"--benchmark_filter=^solve/int32/n:{n}(/|$)"]
    failed = None
    try:
        printed = run(command, 300, environment())
    except Failed as failure:  # ncu may fail when it has killed the program
        printed, failed = failure.printed, failure
    if "ERR_NVGPUCTRPERM" in printed:
        raise Failed("the driver keeps its counters from this user")
    launches = read_table(printed)
    if not launches:
        raise failed or Failed(f"ncu saw no kernel whose name has {KERNEL}")
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
