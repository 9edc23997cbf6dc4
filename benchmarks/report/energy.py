# SPDX-License-Identifier: MIT
"""Joules of a solve: the power while the program solves again and again, times the seconds of one solve."""
import collections
import contextlib
import ctypes
import os
import statistics
import threading
import time
from pathlib import Path

import measure
import programs
from results import Measurement

EVERY = 0.1   # seconds between two readings
SPAN = 5      # readings between the two of a difference: some counters change only ten times a second
WARM_UP = 1   # seconds after the start of work from which on the power counts
SOLVES = {"quick": 2, "normal": 5, "full": 5}  # seconds
REPETITIONS = 3
LIMIT = 300   # seconds


def watch(name, n, program, plan, power):
    with sampled(power) as readings:
        printed = programs.run(
            [program, f"--plan={plan}", f"--benchmark_filter=^solve/int32/n:{n}(/|$)", "--benchmark_format=json",
             f"--benchmark_min_time={SOLVES[plan] / REPETITIONS:.2f}s", f"--benchmark_repetitions={REPETITIONS}"],
            LIMIT, programs.environment())
    solve = next(measure.read([printed], lambda _: None), None)
    if not solve or solve.skipped is not None:
        raise programs.Failed("the solve to be watched did not run")
    watts = while_busy(readings)
    return Measurement(name, solve.seconds, {**solve.counters, "watts": [watts] * len(solve.seconds),
                                             "joules": [watts * seconds for seconds in solve.seconds]})


def while_busy(readings):
    """The median power while the machine is busy, of readings (seconds, watts): those above the middle of the range, without
    the first second."""
    if len(readings) < 3:
        raise programs.Failed("too few readings of the power")
    watts = [value for _, value in readings]
    busy = [(when, value) for when, value in readings if value >= (min(watts) + max(watts)) / 2]
    return statistics.median([value for when, value in busy if when >= busy[0][0] + WARM_UP]
                             or [value for _, value in busy])


@contextlib.contextmanager
def sampled(power):
    """A list to which a thread of its own adds (seconds, watts), inside the with statement."""
    watts, readings, over = [], power(), threading.Event()
    next(readings)  # raises Failed here if there are no counters

    def sample():
        with contextlib.suppress(StopIteration, OSError, ValueError, programs.Failed):
            while not over.wait(EVERY):
                watts.append((time.monotonic(), next(readings)))

    thread = threading.Thread(target=sample, daemon=True)
    thread.start()
    try:
        yield watts
    finally:
        over.set()
        thread.join()
        readings.close()


def differences(read, wraps=None):
    """Yields the watts since a few readings before, from counters of joules; first a 0, which is no reading."""
    kept = collections.deque([(time.monotonic(), read())], SPAN)
    yield 0.0
    while True:
        now, energy = time.monotonic(), read()
        then, before = kept[0]
        used = sum((new - old) % wrap if wrap else new - old
                   for new, old, wrap in zip(energy, before, wraps or [None] * len(energy)))
        kept.append((now, energy))
        yield used / (now - then)


@contextlib.contextmanager
def nvml():
    """A function that asks NVIDIA's management library for a number of a GPU, or of none. Raises Failed without it."""
    def ask(name, kind, index=None):
        value, of = kind(), []
        try:
            if index is not None:
                of = [ctypes.c_void_p()]
                check(library.nvmlDeviceGetHandleByIndex_v2(ctypes.c_uint(index), ctypes.byref(of[0])))
            check(library[f"nvmlDeviceGet{name}"](*of, ctypes.byref(value)))
        except AttributeError:
            raise programs.Failed(f"no power counter: NVML has no {name}")
        return value.value

    def check(status):
        if status != 0:
            raise programs.Failed(f"no power counter: NVML says {status}")

    try:
        library = ctypes.CDLL("libnvidia-ml.so.1")
        check(library.nvmlInit_v2())
    except (OSError, AttributeError):
        raise programs.Failed("no power counter: no NVML")
    try:
        yield ask
    finally:
        library.nvmlShutdown()


def bus_widths():
    """Bits of each GPU's memory bus."""
    try:
        with nvml() as ask:
            return [ask("MemoryBusWidth", ctypes.c_uint, index) for index in range(ask("Count_v2", ctypes.c_uint))]
    except programs.Failed:
        return []


def device_power():
    """Yields the watts of the GPU in use, repeatedly: from its counter of energy if it has one, else as it reports them."""
    first = os.environ.get("CUDA_VISIBLE_DEVICES", "0").split(",")[0]
    if not first.isdigit():
        raise programs.Failed(f"which GPU is used is not known: CUDA_VISIBLE_DEVICES is {first!r}, expected numbers")
    with nvml() as ask:
        joules = lambda: [1e-3 * ask("TotalEnergyConsumption", ctypes.c_ulonglong, int(first))]
        try:
            joules()
        except programs.Failed:  # as of a few cards
            while True:
                yield 1e-3 * ask("PowerUsage", ctypes.c_uint, int(first))
        yield from differences(joules)


def packages(folder=Path("/sys/class/powercap")):
    """The counters of whole processors. (intel-rapl-mmio repeats them; psys covers more than a processor.)"""
    found = {}
    for path in sorted(folder.glob("*/energy_uj")):
        if path.with_name("name").read_text().startswith("package-"):
            found.setdefault(path.parent.name.partition(":")[0], []).append(path)
    return found.get("intel-rapl") or next(iter(found.values()), [])


def host_power():
    """Yields the watts of all processors."""
    counters = packages()
    readable = [path for path in counters if os.access(path, os.R_OK)]
    if not readable:
        raise programs.Failed("the processor's energy counters are " +
                              ("readable by root only" if counters else "not there (RAPL; virtual machines have none)"))
    wraps = [int(path.with_name("max_energy_range_uj").read_text()) * 1e-6 for path in readable]
    yield from differences(lambda: [int(path.read_text()) * 1e-6 for path in readable], wraps)
