"""Joules of a solve: the power while the program solves again and again, times the seconds of one solve."""
import os
import statistics
import tempfile
import threading
import time
from pathlib import Path

import measure
import nvml
import programs
from results import Measurement

EVERY = 0.1  # seconds between two readings
SOLVES = {"quick": 1, "normal": 3, "full": 3}  # seconds


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
             f"--benchmark_min_time={SOLVES[plan]}s", "--benchmark_repetitions=1"],
            stdout=-1, stderr=errors, env=programs.environment())
        try:
            printed, _ = process.communicate(timeout=300)
        finally:
            programs.end(process)
    stream, collector = measure.Stream(), measure.Collector()
    solves = [done for run in stream.feed(printed.decode()) for done in collector.add(run)]
    if not solves or solves[0].skipped is not None:
        raise programs.Failed("the solve to be watched did not run")
    solve, watts = solves[0], while_busy(sampler.watts)
    return Measurement(name, solve.seconds, {**solve.counters, "watts": [watts] * len(solve.seconds),
                                             "joules": [watts * seconds for seconds in solve.seconds]})


def while_busy(watts):
    """The median of the upper half between idle and busy."""
    if len(watts) < 3:
        raise programs.Failed("too few readings of the power")
    middle = (min(watts) + max(watts)) / 2
    return statistics.median(value for value in watts if value >= middle)


class Sampler:
    """Reads the power in a thread of its own, while it is entered."""

    def __init__(self, power):
        self.power, self.watts, self.over = power, [], threading.Event()

    def __enter__(self):
        self.readings = self.power()
        next(self.readings)  # where there are no counters, this is where it is said
        self.thread = threading.Thread(target=self._sample, daemon=True)
        self.thread.start()
        return self

    def _sample(self):
        while not self.over.wait(EVERY):
            try:
                self.watts.append(next(self.readings))
            except (StopIteration, OSError, ValueError, nvml.Unavailable):
                return

    def __exit__(self, *_):
        self.over.set()
        self.thread.join()
        self.readings.close()


def device_power():
    """The watts of the GPU that is used, again and again."""
    first = os.environ.get("CUDA_VISIBLE_DEVICES", "0").split(",")[0]
    try:
        with nvml.library() as library:
            device = nvml.handle(library, int(first) if first.isdigit() else 0)
            while True:
                yield nvml.power(library, device)
    except nvml.Unavailable as unavailable:
        raise programs.Failed(f"no power counter: {unavailable}")


def host_power():
    """The watts of all processors, between one reading of their energy counters and the next."""
    counters = [path for path in Path("/sys/class/powercap").glob("*/energy_uj") if path.parent.name.count(":") == 1]
    readable = [path for path in counters if os.access(path, os.R_OK)]
    if not readable:
        raise programs.Failed("the processor's energy counters are " +
                              ("readable by root only" if counters else "not there (RAPL; virtual machines have none)"))
    wraps = [int(path.with_name("max_energy_range_uj").read_text()) for path in readable]
    before, then = None, None
    while True:
        now, energy = time.monotonic(), [int(path.read_text()) for path in readable]
        if before is None:
            before, then = energy, now
            yield 0.0
        else:
            used = sum((new - old) % wrap for new, old, wrap in zip(energy, before, wraps))
            watts, before, then = used * 1e-6 / (now - then), energy, now
            yield watts
