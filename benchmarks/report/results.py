# SPDX-License-Identifier: MIT
"""A result file and what is read out of it: medians, spread, shares of the machine's limit.

Its first line is the header (machine, compiler, commit, plan), each further line a measurement with all samples:

    {"name": "solve/int32/n:2048", "seconds": [0.08, 0.09], "counters": {"relaxes": 8589934592, "limit": [..]}}
    {"name": "scaling/strong/devices:2/n:2048", "skipped": "one device only"}

Numbers have six digits. A counter that is the same in all samples is written once.
"""
import csv
import json
import math
import os
import re
import statistics
from pathlib import Path


class Error(Exception):
    """An error whose message the user gets as one line."""


class UsageError(Error):
    """An error in the command line."""


def without_folders(text):
    """The text with each absolute path cut to its last part, since folders may name users."""
    return re.sub(r"(?<![\w./])~?(?:/[^\s/:;,'\"()]+)+/([^\s/:;,'\"()]+)/?", r"\1", text)


class Measurement:
    def __init__(self, name, seconds=(), counters=None, skipped=None, title=None):
        self.name, self.seconds, self.counters, self.title = name, list(seconds), counters or {}, title
        self.skipped = None if skipped is None else without_folders(skipped)
        self.experiment, *parts = name.split("/")
        self.words = [part for part in parts if ":" not in part]
        self.keys = {key: int(value) if value.isdigit() else value
                     for key, _, value in (part.partition(":") for part in parts if ":" in part)}

    @property
    def type(self):
        return next((word for word in self.words if word in TYPES), None)

    @property
    def n(self):
        return self.keys.get("n")

    def samples(self, what):
        """The samples of "seconds", of a counter, of a counter a second ("relaxes/s"), or of the "share" of the limit that
        was measured beside each, in relaxes or calls a second; without missing ones."""
        if what == "seconds":
            return self.seconds
        if what == "share":
            rates = self.samples("relaxes/s") if "relaxes" in self.counters else [1 / one for one in self.seconds]
            return [rate / limit for rate, limit in zip(rates, self.counters.get("limit", [])) if limit]
        counter, _, a_second = what.partition("/")
        if a_second:
            return [amount / seconds for amount, seconds in zip(self.counters.get(counter, []), self.seconds)
                    if amount is not None and seconds > 0]
        return [value for value in self.counters.get(counter, []) if value is not None]

    def median(self, what):
        """The median of these samples, or None."""
        samples = self.samples(what)
        return statistics.median(samples) if samples else None

    def line(self):
        line = {"name": self.name, **({"title": self.title} if self.title else {})}
        if self.skipped is not None:
            return json.dumps({**line, "skipped": self.skipped})
        return json.dumps({**line, "seconds": [rounded(value) for value in self.seconds], "counters": {
            name: once(values, len(self.seconds)) for name, values in self.counters.items()}})


def rounded(value):
    """The number with six digits, a whole one without a point."""
    if not isinstance(value, float) or not math.isfinite(value):
        return value
    value = value if value.is_integer() else float(f"{value:.6g}")
    return int(value) if value.is_integer() else value


def once(values, samples):
    """The values; a single number if there are several and all are the same."""
    values = [rounded(value) for value in values]
    return values[0] if samples > 1 and values == [values[0]] * samples and values[0] is not None else values


def measurement_of(line):
    """The measurement of a decoded line."""
    seconds = line.get("seconds", ())
    counters = {name: values if isinstance(values, list) else [values] * len(seconds)
                for name, values in (line.get("counters") or {}).items()}
    return Measurement(line["name"], seconds, counters, line.get("skipped"), line.get("title"))


TYPES = ["int8", "int16", "int32", "int64", "float", "double"]


class Result:
    def __init__(self, header, measurements):
        self.header, self.all = header, measurements

    def of(self, experiment, *words, has="seconds", **keys):
        """The measurements of an experiment that have these words, keys and samples, by n, without what was skipped."""
        return sorted((m for m in self.done() if m.experiment == experiment and set(words) <= set(m.words)
                       and all(m.keys.get(key) == value for key, value in keys.items()) and m.median(has)),
                      key=lambda m: m.n or 0)

    def best(self, experiment, *words, **keys):
        """The measurement of the greatest share of the limit, or None."""
        return max(self.of(experiment, *words, has="share", **keys), key=lambda m: m.median("share"), default=None)

    def done(self):
        return [m for m in self.all.values() if m.skipped is None]

    @property
    def context(self):
        return self.header.get("context", {})

    @property
    def on_device(self):
        return self.context.get("backend") in ("Cuda", "HIP", "SYCL")

    @property
    def machine(self):
        """The machine, in a few words."""
        context = self.context
        if self.on_device:
            return context.get("device", "a GPU")
        cpu = self.header.get("machine", {}).get("cpu") or context.get("device") or "a CPU"
        threads = context.get("threads")
        return f"{cpu}, {count(threads, 'thread')}" if threads else cpu

    @property
    def machines(self):
        """The machine and its number of devices, of which most experiments use one."""
        devices = max((m.keys.get("devices", 1) for m in self.of("scaling")), default=1)
        return (f"{devices} × " if devices > 1 else "") + self.machine

    def limits(self, type):
        """All measured limits of the type, in relaxes a second of the whole host or of one device."""
        return [limit for m in self.done() if m.type == type and "relaxes" in m.counters
                and not m.keys.keys() & {"threads", "devices", "space"} for limit in m.samples("limit") if limit]

    def limit(self, type):
        """The best of the limits, since other work on the machine only slows."""
        return max(self.limits(type), default=None)

    def bandwidth(self, which):
        """The measured bytes a second of "memory" or "scratch"."""
        samples = [rate for m in self.of("machine", which) for rate in m.samples("bytes/s")]
        return statistics.median(samples) if samples else None


def whole_lines(path):
    """The complete lines: a killed run may have left one half written."""
    data = Path(path).read_bytes()
    return data[:data.rfind(b"\n") + 1]


def load(path):
    lines = whole_lines(path).splitlines()
    try:
        header, *rest = [json.loads(line) for line in lines]
        if header["blockfw"] != "report" or header["format"] != 1:
            raise ValueError
        measurements = [measurement_of(line) for line in rest]
    except (ValueError, KeyError, TypeError, AttributeError):
        raise Error(f"{path} is not a result of scripts/report")
    return Result(header, {m.name: m for m in measurements})


class ResultFile:
    """A result file to append to. Each measurement is kept, even if the program is killed later."""

    def __init__(self, path):
        self.path = path
        self.header, self.measured = None, {}
        self.file = open(path, "ab")
        if whole := whole_lines(path):
            result = load(path)
            self.header, self.measured = result.header, result.all
        self.file.truncate(len(whole))

    def begin(self, header):
        self.header = header
        self._write(json.dumps(header))

    def append(self, measurement):
        known = self.measured.get(measurement.name)
        self.measured[measurement.name] = measurement
        if known is None or known.line() != measurement.line():  # what is skipped once more is no news
            self._write(measurement.line())

    def _write(self, line):
        self.file.write(line.encode() + b"\n")
        self.file.flush()
        os.fsync(self.file.fileno())


def quartiles(values):
    if len(values) < 2:
        return values[0], values[0]
    low, _, high = statistics.quantiles(values, n=4, method="inclusive")
    return low, high


def spread(values):
    """Low, median and high: the quartiles, or of fewer than five samples the least and the greatest."""
    low, high = quartiles(values) if len(values) >= 5 else (min(values), max(values))
    return low, statistics.median(values), high


def save_table(path, result):
    """Writes a table (CSV) with a row for each measurement."""
    counters = sorted({name for m in result.all.values() for name in m.counters})
    with open(path, "w", newline="") as file:
        table = csv.writer(file)
        table.writerow(["name", "samples", "seconds median", "seconds lower quartile", "seconds upper quartile",
                        "share of limit median", "share of limit low", "share of limit high", *counters, "skipped"])
        for m in result.all.values():
            seconds = [statistics.median(m.seconds), *quartiles(m.seconds)] if m.seconds else [""] * 3
            low, middle, high = spread(m.samples("share")) if m.samples("share") else [""] * 3
            medians = ["" if (value := m.median(name)) is None else value for name in counters]
            table.writerow([m.name, len(m.seconds), *seconds, middle, low, high, *medians, m.skipped or ""])


# How numbers are written.

def count(number, what):
    return f"{number} {what}" if str(number) == "1" else f"{number} {what}s"


def scaled(value, unit, steps=(("T", 1e12), ("G", 1e9), ("M", 1e6), ("k", 1e3))):
    """15.5 Trelax/s"""
    for prefix, size in steps:
        if abs(value) >= size:
            return f"{digits(value / size)} {prefix}{unit}"
    return f"{digits(value)} {unit}"


def digits(value, many=3):
    """Three significant digits without an exponent, more of what is over a thousand."""
    if value == 0:
        return "0"
    if abs(value) >= 10**many:
        return f"{value:.0f}"
    text = f"{value:.{many}g}"
    return text if "e" not in text else f"{value:.2g}"


def duration(seconds):
    for unit, size in (("s", 1), ("ms", 1e-3), ("µs", 1e-6)):
        if seconds >= size:
            return f"{digits(seconds / size)} {unit}"
    return f"{digits(seconds * 1e9)} ns"


def percent(share):
    return f"{100 * share:.0f}%" if share >= 0.0995 else f"{100 * share:.1f}%"


def written(value, unit):
    if unit in ("s", ""):
        return duration(value) if unit else digits(value)
    if unit == "×":
        return digits(value) + unit
    return scaled(value, unit)


def listed(words):
    words = list(words)
    return words[0] if len(words) == 1 else ", ".join(words[:-1]) + " and " + words[-1]
