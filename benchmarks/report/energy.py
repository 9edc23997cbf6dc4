# SPDX-License-Identifier: MIT
"""Joules of a solve: the power while the program solves again and again, times the seconds of one solve."""
import collections
import os
import statistics
import subprocess
import tempfile
import threading
import time
from pathlib import Path

import measure
import nvml
import programs
from results import Measurement

EVERY = 0.1   # seconds between two readings
SPAN = 5      # readings between the two of a difference: some counters change only ten times a second
WARM_UP = 1   # seconds after the start of work from which on the power counts
SOLVES = {"quick": 2, "normal": 5, "full": 5}  # seconds
REPETITIONS = 3
LIMIT = 300   # seconds


def jobs(program, plan, tests, on_device):
    sizes = [test.n for test in tests if test.experiment == "solve" and test.type == "int32"]
    what = "device" if on_device else "host"
    if sizes:
        name = f"energy/what:{what}/n:{max(sizes)}"
        yield name, lambda: [watch(name, max(sizes), program, plan, device_power if on_device else host_power)]


def watch(name, n, program, plan, power):
    with Sampler(power) as sampler, tempfile.TemporaryFile() as errors:
        process = programs.start(
            [program, f"--plan={plan}", f"--benchmark_filter=^solve/int32/n:{n}(/|$)", "--benchmark_format=json",
             f"--benchmark_min_time={SOLVES[plan] / REPETITIONS:.2f}s", f"--benchmark_repetitions={REPETITIONS}"],
            stdout=-1, stderr=errors, env=programs.environment())
        try:
            printed, _ = process.communicate(timeout=LIMIT)
        except subprocess.TimeoutExpired:
            raise programs.Failed(f"took longer than {LIMIT} s")
        finally:
            programs.end(process)
            process.stdout.close()
    reader, collector = measure.JsonReader(), measure.Collector()
    solves = [done for run in reader.feed(printed.decode(errors="replace")) for done in collector.add(run)]
    if not solves or solves[0].skipped is not None:
        raise programs.Failed("the solve to be watched did not run")
    solve, watts = solves[0], while_busy(sampler.watts)
    return Measurement(name, solve.seconds, {**solve.counters, "watts": [watts] * len(solve.seconds),
                                             "joules": [watts * seconds for seconds in solve.seconds]})


def while_busy(readings):
    """The median power while the machine is busy, of readings (seconds, watts): those above the middle of the range, without
    the first second."""
    if len(readings) < 3:
        raise programs.Failed("too few readings of the power")
    watts = [value for _, value in readings]
    middle = (min(watts) + max(watts)) / 2
    busy = [(when, value) for when, value in readings if value >= middle]
    warm = [value for when, value in busy if when >= busy[0][0] + WARM_UP]
    return statistics.median(warm or [value for _, value in busy])


class Sampler:
    """Reads the power in a thread of its own, inside a with statement."""

    def __init__(self, power):
        self.power, self.watts, self.over = power, [], threading.Event()

    def __enter__(self):
        self.readings = self.power()
        next(self.readings)  # raises Failed here if there are no counters
        self.thread = threading.Thread(target=self._sample, daemon=True)
        self.thread.start()
        return self

    def _sample(self):
        while not self.over.wait(EVERY):
            try:
                self.watts.append((time.monotonic(), next(self.readings)))
            except (StopIteration, OSError, ValueError, nvml.Unavailable, programs.Failed):
                return

    def __exit__(self, *_):
        self.over.set()
        self.thread.join()
        self.readings.close()


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


def device_power():
    """Yields the watts of the GPU in use, repeatedly: from its counter of energy if it has one, else as it reports them."""
    first = os.environ.get("CUDA_VISIBLE_DEVICES", "0").split(",")[0]
    if not first.isdigit():
        raise programs.Failed(f"which GPU is used is not known: CUDA_VISIBLE_DEVICES is {first!r}, expected numbers")
    try:
        with nvml.library() as library:
            device = nvml.handle(library, int(first))
            try:
                nvml.energy(library, device)
            except (nvml.Unavailable, AttributeError):
                while True:
                    yield nvml.power(library, device)
            yield from differences(lambda: [nvml.energy(library, device)])
    except nvml.Unavailable as unavailable:
        raise programs.Failed(f"no power counter: {unavailable}")


def packages(folder=Path("/sys/class/powercap")):
    """The counters of whole processors. (intel-rapl-mmio repeats them; psys covers more than a processor.)"""
    found = {}
    for path in sorted(folder.glob("*/energy_uj")):
        controller = path.parent.name.partition(":")[0]
        if path.with_name("name").read_text().startswith("package-"):
            found.setdefault(controller, []).append(path)
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
