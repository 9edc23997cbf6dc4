# SPDX-License-Identifier: MIT
"""Lists the measurements that got slower between two results by more than the noise."""
import statistics

from results import Error, duration, percent, quartiles, scaled

LEAST = 0.03      # the least noise that is assumed
QUARTILES = 1.5   # times the distance of a measurement's quartiles is noise, too,
SCATTER = 3       # and times the scatter of the controls, since two processes differ more than the samples of one
MOST = 0.06       # the most noise that scatter or limits may add: with more, real losses would be hidden
CONTROLS = 4      # the fewest that have a scatter
# Experiments that do not measure the library, or no speed. (Results of before have energy.)
NOT_COMPARED = {"machine", "naive", "metrics", "energy"}
MAY_FAIL = {"metrics", "energy"}  # where something else is not installed, or not allowed
# Steps of the ladder that are none of the library's.
BELOW = {"textbook", "loops", "coalesced", "scratch", "larger", "registers", "vectors", "unrolled", "padded"}


class Change:
    def __init__(self, old, new):
        self.name = old.name
        self.is_share = bool(old.samples("share") and new.samples("share"))
        a, b = (speeds(m, self.is_share) for m in (old, new))
        self.a, self.b = statistics.median(a), statistics.median(b)
        self.ratio = self.b / self.a
        self.noise = max(LEAST, *(QUARTILES * (high - low) / statistics.median(samples)
                                  for samples in (a, b) for low, high in [quartiles(samples)]))

    def row(self):
        write = percent if self.is_share else lambda speed: duration(1 / speed)
        return [self.name, f"{write(self.a)} -> {write(self.b)}", f"{self.ratio:.3f}", f"{100 * self.noise:.0f}%"]


def speeds(m, is_share):
    return m.samples("share") if is_share else [1 / seconds for seconds in m.seconds if seconds > 0]


def limits_apart(result, measurement):
    """The relative spread of a result's limits of the measurement's kind, which is how uncertain its share is."""
    kind = lambda m: (m.type, *(m.keys.get(key) for key in ("threads", "devices", "space")), "relaxes" in m.counters)
    limits = [limit for m in result.done() if m.experiment != "machine" and kind(m) == kind(measurement)
              for limit in m.samples("limit") if limit]
    return 1 - min(limits) / max(limits) if limits else 0


def is_foreign(m):
    """A peer, other than blockfw."""
    return m.experiment == "peers" and m.keys.get("program") != "blockfw"


def measured(result, controls=False):
    """What is compared, by name; or the controls, in which the library has no part: they change with the machine alone."""
    is_control = lambda m: (m.experiment in ("machine", "naive") or is_foreign(m)
                            or m.experiment == "ladder" and m.keys.get("step") in BELOW)
    return {m.name: m for m in result.done() if any(m.seconds) and is_control(m) == controls
            and (controls or m.experiment not in NOT_COMPARED)}


def scatter_of_controls(a, b):
    """The scatter of the controls' ratios around their median, by the median deviation, which ignores a few outliers; and
    how many controls there are."""
    def speed(m):
        limit = m.median("limit") if m.experiment == "machine" else None
        return limit or m.median("bytes/s") or m.median("relaxes/s") or statistics.median(speeds(m, False))

    before, after = measured(a, True), measured(b, True)
    ratios = [speed(after[name]) / speed(m) for name, m in before.items() if name in after]
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
    before, after = measured(a), measured(b)
    changes = [Change(m, after[name]) for name, m in before.items() if name in after]
    scatter, controls = scatter_of_controls(a, b)
    for change in changes:
        apart = max(limits_apart(a, before[change.name]), limits_apart(b, after[change.name])) if change.is_share else 0
        change.noise = max(change.noise, min(MOST, max(SCATTER * scatter, apart)))
    slower = sorted((one for one in changes if one.ratio < 1 - one.noise), key=lambda one: one.ratio)
    faster = sorted((one for one in changes if one.ratio * (1 - one.noise) > 1), key=lambda one: -one.ratio)
    for title, changed in (("slower", slower), ("faster", faster)):
        print_table([title, "share of the limit, or time", "speed", "noise"], [change.row() for change in changed])
    failed = [[m.name, b.all[m.name].skipped] for m in a.done() if any(m.seconds) and m.name in b.all
              and b.all[m.name].skipped is not None and m.experiment not in MAY_FAIL and not is_foreign(m)]
    print_table(["fails now", "why"], failed)
    said = "none is taken from" if controls < CONTROLS else f"{100 * scatter:.1f}%, by"
    print(f"scatter: {said} {controls} controls (what the library has no part in)")
    if changes:
        print(f"median ratio of all: {statistics.median(change.ratio for change in changes):.3f}")
    print(f"{len(slower)} slower, {len(faster)} faster, {len(changes) - len(slower) - len(faster)} within the noise"
          + (f", {len(failed)} failed" if failed else ""))
    for which, here, there in (("first", before, b), ("second", after, a)):
        alone = [name for name in here if name not in there.all]
        if alone:
            print(f"only in the {which}: {len(alone)} ({', '.join(alone[:3])}{', ...' if len(alone) > 3 else ''})")
    return bool(slower or failed)


def warnings(a, b):
    """Yields a sentence for each difference between the two machines."""
    one, other = ({**result.header.get("machine", {}), **result.context} for result in (a, b))
    for key in sorted({*one, *other} - {"library", "repetitions", "min_time", "plan"}):
        if one.get(key) != other.get(key):
            yield f"{key} differs: {one.get(key)}, then {other.get(key)}"
    for type in sorted({m.type for m in a.of("machine", "limit")}):
        before, after = a.limit(type), b.limit(type)
        if before and after and abs(after / before - 1) > LEAST:
            yield (f"the machine's limit differs: {scaled(before, 'relax/s')}, then {scaled(after, 'relax/s')} "
                   f"({type}); shares are of each one's own")


def print_table(head, rows):
    if rows:
        widths = [max(map(len, column)) for column in zip(head, *rows)]
        for row in [head, *rows]:
            print("  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip())
        print()
