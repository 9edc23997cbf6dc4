"""What got slower between two results, beyond what their samples spread."""
import statistics

from results import duration, percent, quartiles, scaled

LEAST = 0.03      # what is called noise at least
QUARTILES = 1.5   # times the distance of a measurement's quartiles is noise, too,
SCATTER = 3       # and times the scatter of all ratios, for samples of one process are alike, and two processes are not
# What is not ours to get slower, or no speed.
NOT_COMPARED = {"machine", "metrics", "energy"}


class Change:
    def __init__(self, old, new):
        self.name = old.name
        self.is_share = bool(old.shares() and new.shares())
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
    return measurement.shares() if is_share else [1 / seconds for seconds in measurement.seconds if seconds > 0]


def relative_spread(samples):
    low, high = quartiles(samples)
    return (high - low) / statistics.median(samples)


def scatter_of(ratios):
    """Of most of them, whatever a few do; what all have in common is none."""
    if len(ratios) < 8:
        return 0
    middle = statistics.median(ratios)
    return 1.48 * statistics.median(abs(ratio - middle) for ratio in ratios) / middle


def is_compared(measurement):
    peer = measurement.experiment == "peers" and measurement.keys.get("program") != "blockfw"
    return measurement.skipped is None and any(measurement.seconds) and not (
        measurement.experiment in NOT_COMPARED or peer)


def compare(a, b):
    """Prints what changed from one result to the other. Returns whether something got slower."""
    for warning in warnings(a, b):
        print(f"warning: {warning}")
    changes = [Change(old, b.all[name]) for name, old in a.all.items()
               if name in b.all and is_compared(old) and is_compared(b.all[name])]
    scatter = scatter_of([change.ratio for change in changes])
    for change in changes:
        change.noise = max(change.noise, SCATTER * scatter)
    slower = sorted((change for change in changes if change.slower), key=lambda change: change.ratio)
    faster = sorted((change for change in changes if change.faster), key=lambda change: -change.ratio)
    for title, changed in (("slower", slower), ("faster", faster)):
        if changed:
            print_table([title, "share of the limit, or time", "ratio", "noise"], [change.row() for change in changed])
    print(f"{len(slower)} slower, {len(faster)} faster, {len(changes) - len(slower) - len(faster)} within the noise")
    for which, here, there in (("first", a, b), ("second", b, a)):
        alone = [name for name, m in here.all.items() if is_compared(m)
                 and (name not in there.all or not is_compared(there.all[name]))]
        if alone:
            print(f"only in the {which}: {len(alone)} ({', '.join(alone[:3])}{', ...' if len(alone) > 3 else ''})")
    return bool(slower)


def warnings(a, b):
    """Where the two are not of one machine."""
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
