# SPDX-License-Identifier: MIT
"""Lists the measurements that got slower between two results by more than the noise."""
import statistics

from results import Error, duration, percent, quartiles, scaled

LEAST = 0.03      # the least noise that is assumed
QUARTILES = 1.5   # times the distance of a measurement's quartiles is noise, too,
SCATTER = 3       # and times the scatter of the controls, since two processes differ more than the samples of one
MOST = 0.06       # the most noise that scatter or limits may add: with more, real losses would be hidden
CONTROLS = 4      # the fewest that have a scatter
# Experiments that do not measure the library, or no speed.
NOT_COMPARED = {"machine", "naive", "metrics", "energy"}
MAY_FAIL = {"metrics", "energy"}  # where something else is not installed, or not allowed
# Steps of the ladder that are none of the library's.
BELOW = {"textbook", "loops", "coalesced", "scratch", "larger", "registers", "vectors", "unrolled", "padded"}


class Change:
    def __init__(self, old, new):
        self.name = old.name
        self.is_share = bool(old.samples("share") and new.samples("share"))
        a, b = (values(m, self.is_share) for m in (old, new))
        self.a, self.b = statistics.median(a), statistics.median(b)
        self.ratio = self.b / self.a
        self.noise = max(LEAST, *(QUARTILES * relative_spread(samples) for samples in (a, b)))

    @property
    def slower(self):
        return self.ratio < 1 - self.noise

    @property
    def faster(self):
        return self.ratio * (1 - self.noise) > 1

    def row(self):
        write = percent if self.is_share else lambda speed: duration(1 / speed)
        return [self.name, f"{write(self.a)} -> {write(self.b)}", f"{self.ratio:.3f}", f"{100 * self.noise:.0f}%"]


def values(measurement, is_share):
    return measurement.samples("share") if is_share else [1 / seconds for seconds in measurement.seconds if seconds > 0]


def relative_spread(samples):
    low, high = quartiles(samples)
    return (high - low) / statistics.median(samples)


def limits_apart(result, measurement):
    """The relative spread of a result's limits of the measurement's kind, which is how uncertain its share is."""
    def alike(m):
        return m.type, *(m.keys.get(key) for key in ("threads", "devices", "space")), "relaxes" in m.counters

    limits = [limit for m in result.done() if m.experiment != "machine" and alike(m) == alike(measurement)
              for limit in m.counters.get("limit", []) if limit]
    return 1 - min(limits) / max(limits) if limits else 0


def is_foreign(measurement):
    """A peer, other than blockfw."""
    return measurement.experiment == "peers" and measurement.keys.get("program") != "blockfw"


def is_control(measurement):
    """Whether the library has no part in the measurement, so that it changes with the machine alone."""
    return measurement.experiment in ("machine", "naive") or is_foreign(measurement) or is_below(measurement)


def is_below(measurement):
    return measurement.experiment == "ladder" and measurement.keys.get("step") in BELOW


def is_measured(measurement):
    return measurement.skipped is None and any(measurement.seconds)


def is_compared(measurement):
    return is_measured(measurement) and not (measurement.experiment in NOT_COMPARED or is_control(measurement))


def speed(measurement):
    """The speed of a control: its limit, or bytes, relaxes or calls a second."""
    limit = measurement.median("limit") if measurement.experiment == "machine" else None
    return limit or measurement.median("bytes/s") or measurement.median("relaxes/s") or statistics.median(
        values(measurement, False))


def scatter_of_controls(a, b):
    """The scatter of the controls' ratios around their median, by the median deviation, which ignores a few outliers."""
    ratios = [speed(b.all[name]) / speed(old) for name, old in a.all.items()
              if is_control(old) and is_measured(old) and name in b.all and is_measured(b.all[name])]
    if len(ratios) < CONTROLS:
        return 0, len(ratios)
    middle = statistics.median(ratios)
    return 1.48 * statistics.median(abs(ratio - middle) for ratio in ratios) / middle, len(ratios)


def compare(a, b):
    """Prints what changed from one result to the other. Returns whether something got slower, or fails now."""
    backends = [result.context.get("backend") for result in (a, b)]
    if backends[0] != backends[1]:
        raise Error(f"these cannot be compared: the first is of {backends[0]}, the second of {backends[1]}")
    for warning in warnings(a, b):
        print(f"warning: {warning}")
    changes = [Change(old, b.all[name]) for name, old in a.all.items()
               if name in b.all and is_compared(old) and is_compared(b.all[name])]
    scatter, controls = scatter_of_controls(a, b)
    for change in changes:
        apart = max(limits_apart(a, a.all[change.name]), limits_apart(b, b.all[change.name])) if change.is_share else 0
        change.noise = max(change.noise, min(MOST, max(SCATTER * scatter, apart)))
    slower = sorted((change for change in changes if change.slower), key=lambda change: change.ratio)
    faster = sorted((change for change in changes if change.faster), key=lambda change: -change.ratio)
    for title, changed in (("slower", slower), ("faster", faster)):
        if changed:
            print_table([title, "share of the limit, or time", "speed", "noise"], [change.row() for change in changed])
    failed = [[name, b.all[name].skipped] for name, old in a.all.items() if is_measured(old) and name in b.all
              and b.all[name].skipped is not None and old.experiment not in MAY_FAIL and not is_foreign(old)]
    if failed:
        print_table(["fails now", "why"], failed)
    said = "none is taken from" if controls < CONTROLS else f"{100 * scatter:.1f}%, by"
    print(f"scatter: {said} {controls} controls (what the library has no part in)")
    if changes:
        print(f"median ratio of all: {statistics.median(change.ratio for change in changes):.3f}")
    print(f"{len(slower)} slower, {len(faster)} faster, {len(changes) - len(slower) - len(faster)} within the noise"
          + (f", {len(failed)} failed" if failed else ""))
    for which, here, there in (("first", a, b), ("second", b, a)):
        alone = [name for name, m in here.all.items() if is_compared(m) and name not in there.all]
        if alone:
            print(f"only in the {which}: {len(alone)} ({', '.join(alone[:3])}{', ...' if len(alone) > 3 else ''})")
    return bool(slower or failed)


def warnings(a, b):
    """Yields a sentence for each difference between the two machines."""
    one, other = ({**result.header.get("machine", {}), **result.context} for result in (a, b))
    for key in sorted({*one, *other}):
        if key not in ("library", "repetitions", "min_time", "plan") and one.get(key) != other.get(key):
            yield f"{key} differs: {one.get(key)}, then {other.get(key)}"
    for type in sorted({word for m in a.of("machine", "limit") for word in m.words} - {"limit"}):
        before, after = a.limit(type), b.limit(type)
        if before and after and abs(after / before - 1) > LEAST:
            yield (f"the machine's limit differs: {scaled(before, 'relax/s')}, then {scaled(after, 'relax/s')} "
                   f"({type}); shares are of each one's own")


def print_table(head, rows):
    widths = [max(len(row[column]) for row in [head, *rows]) for column in range(len(head))]
    for row in [head, *rows]:
        print("  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip())
    print()
