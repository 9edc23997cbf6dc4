# SPDX-License-Identifier: MIT
"""What the page shows of each experiment: a generator each, which yields pictures (SVG), tables (HTML), and sentences on the
course reports. A picture's title says what was found, the line below it on which machine and at which n."""
import functools
import html
import math
import re
import statistics

from charts import (BLUE, COLOURS, GHOST, GREEN, INK, MARKERS, ORANGE, PALE, PINK, RED, SKY, Bars, Line, Lines, Roofs,
                    Stacked, line, picture)
from compare import BELOW
from references import REPORTED
from results import count, digits, duration, listed, percent, scaled, spread

OF_TYPE = {"int8": (ORANGE, "v"), "int16": (SKY, "s"), "int32": (BLUE, "o"), "int64": (GREEN, "^"), "float": (RED, "D"),
           "double": (PINK, "P")}


def each(draw):
    """Makes of a generator for one result one for all results."""
    return functools.wraps(draw)(lambda results: [one for result in results for one in draw(result)])


def where(result, *more):
    return ", ".join([*map(str, more), result.machine])


def short(result):
    """The name of the machine in a few words: `H200`, `Intel Xeon`."""
    return re.sub(r"NVIDIA |\(R\)|\(TM\)| Processor", "", result.machine).split(",")[0]


def host_of(result):
    """The host, also that of a device."""
    if not result.on_device:
        return result.machine
    cpu, threads = result.header.get("machine", {}).get("cpu", "its host"), result.context.get("host_threads")
    return cpu + (f", {count(threads, 'thread')}" if threads else "")


def whiskers(measurements):
    """A sentence on the points and whiskers of these measurements."""
    single = [m for m in measurements if len(m.seconds) == 1]
    if len(single) == len(measurements):
        return "a sample each"
    many = len([m for m in measurements if len(m.seconds) >= 5])
    kind = "quartiles" if 2 * many >= len(measurements) - len(single) else "from least to greatest"
    names = [str(m.keys.get("step") or m.keys.get("program") or m.name.partition("/")[2]) for m in single]
    alone = f"; a single sample of {', '.join(names) if len(names) < 4 else len(names)}" if single else ""
    return f"medians, whiskers {'are ' if kind == 'quartiles' else ''}{kind}{alone}"


def table(head, rows, kind=""):
    """A table as HTML. The first column is text; the others are numbers, except in a table of the kind "text"."""
    cells = lambda row, tag: "".join(f"<{tag}>{html.escape(str(cell))}</{tag}>" for cell in row)
    return (f'<div class="wide"><table class="{kind}"><thead><tr>{cells(head, "th")}</tr></thead><tbody>'
            + "".join(f"<tr>{cells(row, 'td')}</tr>" for row in rows) + "</tbody></table></div>")


def capital(text):
    return text[:1].upper() + text[1:]


# Solves

def solves(results):
    found = [m for result in results for m in result.of("solve", has="share")]
    largest = [(m.n, percent(m.median("share")), short(result))
               for result in results for m in result.of("solve", "int32", has="share")[-1:]]
    title = "int32 runs at " + ", ".join(f"{share} of the limit on {machine}" for _, share, machine in largest)
    if len(largest) < 2:
        title = "".join(f"At n = {n} int32 runs at {share} of the machine's limit" for n, share, _ in largest)
    reported = REPORTED.best_of_cards()
    lines = [line(type if len(results) == 1 else f"{type}, {short(result)}",
                  result.of("solve", type), "share", *OF_TYPE[type], ["-", "--", ":", "-."][number % 4])
             for number, result in enumerate(results) for type in OF_TYPE]
    yield picture(title or "Solves beside the machine's limit", f"{'; '.join(map(where, results))}; {whiskers(found)}", [Lines(
        lines, "share", y="share of the machine's limit", levels=[(1, "the limit: add and min on registers alone")],
        points=[(n, share, f"{of.card} {percent(share)} {of.cite}") for share, of, _, n in reported],
        points_label="course reports: a card's best, of its own limit")], legend_columns=3)
    best = [m for result in results if (m := result.best("solve", "int32"))]
    if best:
        theirs = listed(f"{of.card} {percent(share)} (n = {n}) {of.cite}" for share, of, _, n in reported)
        here = listed(f"{percent(m.median('share'))} at n = {m.n}" for m in best)
        yield f"The best of the course reports on each card, of that card's limit: {theirs}; here {here}."


@each
def levels(result):
    """The solver by level of vectors, beside the one that was compiled for this machine."""
    for type, n in groups(result, "vectors", "relaxes/s"):
        found = result.of("vectors", type, n=n, has="relaxes/s")
        native = next(iter(result.of("solve", type, n=n, has="relaxes/s")), None)
        base, name = (native, "this build's") if native else (found[-1], found[-1].keys["level"])
        share = lambda m: percent(m.median("relaxes/s") / base.median("relaxes/s"))
        rows = [(m.keys["level"], m.samples("relaxes/s"), SKY, f"{share(m)} of {name}") for m in found]
        rows += [("this build, as compiled", native.samples("relaxes/s"), BLUE, "")] if native else []
        yield picture(f"A build for any processor solves at {share(found[-1])} of this build's speed" if native else
                      f"{found[0].keys['level']} solves at {share(found[0])} of {name}'s speed",
                      f"{where(result, type, f'n = {n}')}; the levels of vectors that the processor has, one chosen at run "
                      f"time; {whiskers(found)}", [Bars(rows, "relax/s", "relaxes a second")])


def groups(result, experiment, has):
    """The types and n of an experiment, int32 first."""
    return sorted({(m.type, m.n) for m in result.of(experiment, has=has)}, key=lambda one: (one[0] != "int32", one))


# Tiles

# The share of a multiprocessor's threads that the tile's launch bounds and scratch allow at once. (The second is the old
# name. This is not the achieved occupancy of a profiler.)
RESIDENT = ("resident", "occupancy")


def name_of_tile(m):
    return f"block {m.keys['block']}, register tile {m.keys['rows']} × {m.keys['cols']}"


def lines_of_tiles(found, what):
    """A line for each register tile, over blocks."""
    of_tile = {}
    for m in sorted(found, key=lambda m: (m.keys["rows"] * m.keys["cols"], m.keys["rows"], m.keys["block"])):
        of_tile.setdefault(f"{m.keys['rows']} × {m.keys['cols']}", []).append(m)
    return [line(name, of, what, COLOURS[number % 10], MARKERS[number % 10], by="block")
            for number, (name, of) in enumerate(of_tile.items())]


@each
def tiles(result):
    of_type = groups(result, "tiles", "share")
    for type, n in of_type:
        best, found = result.best("tiles", type, n=n), result.of("tiles", type, n=n, has="share")
        yield picture(
            f"{capital(name_of_tile(best))}, reaches {percent(best.median('share'))} of the limit",
            f"{where(result, type, f'n = {n}')}; {whiskers(found)}; grey: course reports, of their own cards' limits",
            [Lines(lines_of_tiles(found, "share"), "share", x="blocking factor (vertices along a block's side)",
                   y="share of the machine's limit", levels=[(1, "")],
                   second=(best.median("limit") * 2, "OPS", "operations a second, 2n³/t"),
                   reported=[(f"{of.card}{f' ({of.series})' if of.series else ''}, n = {of.n} {of.cite}",
                              [(x, share) for x, _, share in of.shares])
                             for of in REPORTED.of("tiles", x="block") if of.shares])])
        if type == "int32" and n == max(n for type, n in of_type if type == "int32"):
            yield from more_of_tiles(result, type, n)
    if best := result.best("tiles", "int32"):
        theirs = listed(f"{x} on a {of.card}, {percent(share)} {of.cite}"
                        for share, of, x, _ in REPORTED.best_of_cards(["tiles"]))
        yield (f"Of the tiles here, a block of {best.keys['block']} is the fastest, {percent(best.median('share'))} of the "
               f"limit; the course reports' best: {theirs}.")


def more_of_tiles(result, type, n):
    found = result.of("tiles", type, n=n, has="relaxes/s")
    at, speed = where(result, type, f"n = {n}"), lambda m: m.median("relaxes/s")
    by_speed = sorted(found, key=speed)  # the best of a block comes last
    of_block = {m.keys["block"]: m for m in by_speed}
    slowest, fastest = min(of_block.values(), key=speed), by_speed[-1]
    if len(of_block) > 1:
        top = speed(fastest)
        yield picture(
            f"Block {fastest.keys['block']} is {digits(top / speed(slowest), 2)} times as fast as block "
            f"{slowest.keys['block']}", f"{at}; speed relative to the fastest block of the same program, here with the "
            "best register tile of each; grey: course reports, whose times are of whole programs or not said of what",
            [Lines([Line("here", [(block, [rate / top for rate in m.samples("relaxes/s")])
                                  for block, m in sorted(of_block.items())], BLUE)],
                   "%", x="blocking factor", y="of the fastest block's speed",
                   reported=[(f"{of.at} {of.cite}", points) for of, points in REPORTED.curves()])])

    panels, said = [], []
    for which, counter, title, theirs in (("memory", "bytes/s", "tiles and memory or its caches", "global"),
                                          ("scratch", "scratch_bytes/s", "scratch and registers", "shared")):
        roof, asked = result.bandwidth(which), fastest.median(counter)
        if roof and asked and asked <= roof:  # caches deliver more than memory
            said.append(f"{percent(asked / roof)} of {which}'s")
        panels.append(Lines(lines_of_tiles(found, counter), "B/s", title, "blocking factor",
                            "" if panels else "bytes a second", reported=reported_bandwidth(theirs),
                            levels=[(roof, f"measured {scaled(roof, 'B/s')}")] if roof else []))
    yield picture(f"The fastest tile's threads ask for {' and '.join(said)} bandwidth" if said else "Bandwidth by block",
                  f"{at}; bytes counted as the kernels ask for them, what caches and broadcasts serve included; grey: load "
                  "and store of course reports", panels)

    if alone := [m for m in found if m.median("phase3")]:
        shortest = min(alone, key=lambda m: m.median("phase3"))
        panels = [("phase3", "phase 3 alone,\na launch for each round", "s"), ("teams", "teams in a launch", ""),
                  *((counter, "threads held at once,\nby bounds and scratch", "%") for counter in RESIDENT)]
        yield picture(f"Phase 3 alone is shortest, {duration(shortest.median('phase3'))}, with {name_of_tile(shortest)}",
                      f"{at}; fenced after each phase of each round, which small blocks with their many rounds pay for",
                      [Lines(lines_of_tiles(alone, counter), unit, title, "blocking factor")
                       for counter, title, unit in panels])


def reported_bandwidth(memory):
    """Load and store together, where a report has both by block."""
    sums = {}
    for of in REPORTED.of("metrics", x="block", unit="GB/s"):
        if of.series.startswith(memory):
            points = sums.setdefault(f"{of.card} {of.cite}", {})
            for block, value in of.points:
                points[block] = points.get(block, 0) + value * 1e9
    return [(label, list(points.items())) for label, points in sums.items()]


# Ladder

STEPS = {
    "textbook": "a kernel for each pivot, neighbouring threads in a column",
    "loops": "three loops: for each pivot all rows, in parallel",
    "coalesced": "a kernel for each pivot, neighbouring threads in a row",
    "scratch": "blocks of 32, operands in scratch, entry by entry",
    "larger": "blocks of 64, four entries at a time",
    "registers": "a register tile",
    "vectors": "operands of a row read several at a time",
    "unrolled": "eight pivots in a row without a loop",
    "padded": "scratch rows padded (on a device against bank conflicts)",
    "panels": "the library's kernels: panels packed once a round",
    "look-ahead": "the library: the next pivot's phases beside phase 3",
    "narrow": "the library where distances fit fewer bits",
}


def ladder(results):
    reported, said = [of for of in REPORTED.of("ladder", x="step") if len(of.gpu_steps) > 2], []
    factor = lambda of: digits(of.gpu_steps[0][1] / of.gpu_steps[-1][1])
    for result in results:
        steps, n = [], None
        for n in sorted({m.n for m in result.of("ladder", has="relaxes/s")}):
            steps = result.of("ladder", n=n, has="relaxes/s")
            rates = [m.median("relaxes/s") for m in steps]
            beside = ["", *(f"× {digits(rate / before, 2)}" for before, rate in zip(rates, rates[1:]))]
            rows = [(m.keys["step"], [2 * rate for rate in m.samples("relaxes/s")], SKY if m.keys["step"] in BELOW else BLUE,
                     text) for m, text in zip(steps, beside)]
            limit = result.limit("int32")
            yield picture(
                f"{count(len(steps), 'step')} from {scaled(2 * rates[0], 'OPS')} to {scaled(2 * max(rates), 'OPS')}, "
                f"{digits(max(rates) / rates[0])} times as fast",
                f"{where(result, 'int32', f'n = {n}')}; {whiskers(steps)}; × is the factor to the step before",
                [Bars(rows, "OPS", "operations a second, 2n³/t", limit=(2 * limit, "limit of int32") if limit else (),
                      key=[(colour, label) for colour, label in ((SKY, "kernels of the ladder's own"), (BLUE, "the library"))
                           if any(row[2] == colour for row in rows)])])
        if steps:
            yield table(["step", "what it is or adds"],
                        [[m.keys["step"], STEPS.get(m.keys["step"], "")] for m in result.of("ladder", n=n)], "text")
        if len(steps) > 1:
            theirs = listed(f"{factor(of)} on a {of.card} {of.cite}" for of in reported)
            said.append(f"From the first step to the fastest it is a factor of {digits(max(rates) / rates[0])} here; in the "
                        f"course reports {theirs}.")
    most = max(len(of.gpu_steps) for of in reported)
    yield picture("The course reports' ladders, on their own cards", "times as fast as each one's first step on a GPU", [
        Bars([(str(step), [of.gpu_steps[0][1] / seconds], GHOST, "") for step, seconds in of.gpu_steps], "×",
             title=f"{of.at} {of.cite}", places=most) for of in reported], columns=2)
    yield from said


# Phases

PHASES = {"phase 1, the pivot": ("phase1", RED), "phase 2, its row and column": ("phase2", ORANGE),
          "phase 3, the rest": ("phase3", BLUE)}


@each
def phases(result):
    reported, said = REPORTED.of("phases", x="step", unit="share"), []
    for type in OF_TYPE:
        found = [m for m in result.of("phases", type) if all(m.median(phase) for phase, _ in PHASES.values())]
        if not found:
            continue
        rows = [(f"n = {m.n}", shares_of({name: m.median(phase) for name, (phase, _) in PHASES.items()}), "") for m in found]
        third = percent(rows[-1][1]["phase 3, the rest"])
        theirs = [(of.cite, {"other": 1 - share, "phase 3, the rest": share}, "")
                  for of in reported if not of.is_whole for _, share in of.points]
        lines = [line(None, found, phase, colour, marker) for (phase, colour), marker in zip(PHASES.values(), MARKERS)]
        yield picture(
            f"At n = {found[-1].n} phase 3 takes {third} of the phases' time",
            f"{where(result, type)}; phases in launches of their own, fenced; the solver overlaps them; paler: phase 3 in "
            "course reports",
            [Stacked(rows + theirs, {name: colour for name, (_, colour) in PHASES.items()}, len(rows),
                     "share of the time, from start to end", "share of the three phases' time"),
             Lines([*lines, line("the solver, overlapped", found, "solver", INK, "D", "--")], "s", "time of a solve")],
            4.4, legend_columns=2)
        if type == "int32":
            theirs = listed(f"{percent(share)} {'of a whole program ' if of.is_whole else ''}{of.cite}"
                            for of in reported for _, share in of.points)
            said.append(f"Phase 3 takes {third} of the phases' time at n = {found[-1].n}; in the course reports, at sizes "
                        f"of their own, {theirs}.")
    yield from said


def shares_of(parts, whole=0):
    """Each part's share of the whole, or of their sum if that is more."""
    whole = max(whole, sum(parts.values()))
    return {name: part / whole for name, part in parts.items()}


# Steps of a program

OF_STEP = {"starting": "#b8c0c8", "reading": SKY, "host-to-device": GREEN, "building": ORANGE, "solving": BLUE,
           "device-to-host": PINK, "writing": RED, "rest": "#dde1e6"}
# The reports' names of these steps.
REPORTED_STEP = {"input": "reading", "host to device": "host-to-device", "memory copy": "host-to-device",
                 "communication": "host-to-device", "computing": "solving", "device to host": "device-to-host",
                 "output": "writing", "I/O": "writing", "total": None}


def parts_of(m):
    """The median seconds of each step, in their order, and of the rest."""
    parts = {step: m.median(step) for step in OF_STEP if step in m.counters}
    return {**parts, "rest": max(0, m.median("seconds") - sum(parts.values()))}


def reported_programs():
    """The reports' programs on one GPU whose computing is known."""
    return [of for of in REPORTED.of("steps") if of.seconds and "computing" in of.values and not of.card.startswith("2x")]


def reported_steps(n):
    """A program of each report, at its n that is nearest, as a row of shares."""
    nearest = {}
    for of in sorted(reported_programs(), key=lambda of: abs((of.n or 0) - n)):
        if of.n and of.values.keys() <= REPORTED_STEP.keys():
            nearest.setdefault((of.source, of.card), of)
    for of in [of for of in REPORTED.figures if of in nearest.values()]:
        parts = dict.fromkeys(OF_STEP, 0)
        for name, step in REPORTED_STEP.items():
            if step:
                parts[step] += of.values.get(name, 0)
        total = max(of.values.get("total", 0), sum(parts.values()))
        yield f"{of.at} {of.cite}", shares_of({**parts, "rest": total - sum(parts.values())}), duration(total)


@each
def steps(result):
    if not (found := result.of("steps", has="solving")):
        return
    largest = found[-1]
    solving, taken = percent(parts_of(largest)["solving"] / largest.median("seconds")), duration(largest.median("seconds"))
    rows = [(f"n = {m.n}", shares_of(parts_of(m), m.median("seconds")), f"{duration(m.median('seconds'))} "
             f"({duration(min(m.seconds))} to {duration(max(m.seconds))})") for m in found]
    rows += reported_steps(largest.n)
    yield picture(
        f"At n = {largest.n} the solve takes {solving} of a program's {taken}",
        f"{'hw3-2' if result.on_device else 'hw3-1'} from start to written file, {result.machine}; medians of "
        f"{count(len(found[0].seconds), 'run')}; rest: outside of the program's own clock; paler: course reports, "
        "whose I/O is writing here, and all copies host-to-device",
        [Stacked(rows, OF_STEP, len(found), "share of the time, from start to end")], legend_columns=4)
    of_share = {of.values["computing"] / (of.values.get("total") or sum(of.values.values())): of
                for of in reported_programs()}
    low, high = (f"{percent(share)} {f'(n = {of.n}) ' if of.n else ''}{of.cite}"
                 for share, of in (min(of_share.items()), max(of_share.items())))
    yield (f"Solving takes {solving} of the program's time at n = {largest.n}; computing in the course reports' programs "
           f"{low} to {high}.")


# Scaling

# What several devices are measured with (words and work of a measurement's name), and how it is drawn.
KINDS = [(("strong",), None, "int32", BLUE, "o"), (("int32",), "half", "int32, half the work", GREEN, "s"),
         (("int16",), "whole", "int16", ORANGE, "^"), (("int16",), "half", "int16, half the work", RED, "D")]


def by_count(found, what, key="n"):
    """For each n (on one) {devices or threads: measurement}."""
    lines = {}
    for m in sorted((m for m in found if what in m.keys), key=lambda m: (m.keys[key], m.keys[what])):
        lines.setdefault(m.keys[key], {})[m.keys[what]] = m
    return lines


def speed_ups(line, many):
    """Of each sample, against the median of one."""
    return [line[1].median("seconds") / seconds for seconds in line[many].seconds]


def speed_up(line, many):
    return digits(statistics.median(speed_ups(line, many)))


def reported_speed_ups(what, most):
    """(devices or threads, speed-up, figure) up to so many, as far as a report has the time of one, too."""
    times = [(of, dict(of.seconds)) for of in REPORTED.of("strong", x=what) if of.seconds]
    return [(x, by_x[1] / value, of) for of, by_x in times if 1 in by_x for x, value in by_x.items() if 1 < x <= most]


@each
def scaling(result):
    said = []
    for what in ("devices", "threads"):
        every = by_count(result.of("scaling", "strong"), what)
        strong = {n: line for n, line in every.items() if 1 in line and len(line) > 1}
        if strong:
            yield strong_and_weak(result, what, strong, every)
        if n := max((n for n, line in strong.items() if 2 in line), default=None):
            reported = sorted(((y, of) for x, y, of in reported_speed_ups(what, 2)), key=lambda one: one[0])
            (least, _), (most, of) = reported[0], reported[-1]
            said.append(f"Two {what} are {speed_up(strong[n], 2)} times as fast as one at n = {n}; in the course reports "
                        + (f"{digits(least)} to " if len(reported) > 1 else "")
                        + f"{digits(most)} times ({of.at} {of.cite}).")
    yield devices_by_n(result)
    yield from said


def strong_and_weak(result, what, strong, every):
    """Over devices, or over threads of the host."""
    n, most = max(strong), max(many for line in strong.values() for many in line)
    weak = {n: {1: every[n][1], **line}
            for n, line in by_count(result.of("scaling", "weak", has="relaxes/s"), what, "n1").items()
            if every.get(n, {}).get(1) and every[n][1].median("relaxes/s")}
    orders = sorted({*strong, *weak})

    def lines(of, samples):
        return [Line(f"n = {n}", [(many, samples(line, many)) for many in line],
                     COLOURS[orders.index(n) % 10], MARKERS[orders.index(n) % 10]) for n, line in of.items()]

    def efficiency(line, many):
        return [rate / line[1].median("relaxes/s") / many for rate in line[many].samples("relaxes/s")]

    return picture(
        f"{count(max(strong[n]), what[:-1])} solve n = {n} {speed_up(strong[n], max(strong[n]))} times as fast as one",
        f"int32, {host_of(result) if what == 'threads' else result.machine}; {whiskers(list(strong[n].values()))}; "
        "grey: course reports",
        [Lines(lines(strong, speed_ups), "times", "strong: the same graph", what, "speed-up", ideal=most,
               points=[(x, y, "") for x, y, _ in reported_speed_ups(what, most)], points_label="course reports"),
         Lines(lines(weak, efficiency), "%", "weak: n³ grows, from n for one", what, "efficiency", levels=[(1, "")],
               points=[(x, y, "") for of in REPORTED.of("weak", x=what, unit="share") for x, y in of.points if x <= most],
               points_label="course reports")])


def devices_by_n(result):
    """From which n on two devices pay, for each width of numbers and kind of work."""
    lines, said, measured = [], {}, []
    for words, work, label, *style in KINDS:
        of_n = by_count(result.of("scaling", *words, **({"work": work} if work else {})), "devices")
        pairs = {n: line for n, line in of_n.items() if {1, 2} <= line.keys()}
        if pairs:
            lines.append(Line(label, [(n, speed_ups(line, 2)) for n, line in pairs.items()], *style))
            measured += [m for line in pairs.values() for m in line.values()]
            for n, line in pairs.items():
                said.setdefault(n, []).append(f"{speed_up(line, 2)} times ({label})")
    if {line.label for line in lines} <= {"int32"}:
        return None
    return picture(f"Two devices solve n = {max(said)} {', '.join(said[max(said)])} as fast as one",
                   f"{result.machine}; {whiskers(measured)}",
                   [Lines(lines, "times", y="speed-up", levels=[(2, "ideal"), (1, "one device")])])


# Exchange

METHODS = {"whole": ("the whole matrix", RED, "s"), "cross": ("the pivots' row and column", ORANGE, "^"),
           "row": ("the pivots' row", GREEN, "D"), "look-ahead": ("the row, with look-ahead", BLUE, "o")}
# What two shares are, by the key of a measurement.
SHARES = {"devices": "devices", "instances": "instances on one device", "groups": "groups of the host's threads"}


def reported_pairs():
    """(figure, share of two cards' limit) of two GPUs' computing with its copies, by card and n."""
    found = []
    for of in REPORTED.of("steps"):
        pair, _, card = of.card.partition(" ")
        limit = REPORTED.cards.get(card, {}).get("limit_trelax")
        if pair == "2x" and limit and of.values.get("computing") and of.n and of.seconds:
            found.append((of, of.n**3 / of.values["computing"] / (2e12 * limit)))
    return sorted(found, key=lambda one: (one[0].card, one[0].n))


def exchange(results):
    """What travels between two shares in a round, and how long that takes."""
    said = []
    reported, of_card = reported_pairs(), {}
    for of, share in reported:
        of_card.setdefault(f"{of.card} {of.cite}", []).append((of.n, share))
    for result in results:
        for what, name in SHARES.items():
            lines = {method: found for method in METHODS if (found := result.of("exchange", method=method, **{what: 2}))}
            if not lines:
                continue
            takes = [f"{percent(exchange / whole)} ({METHODS[method][0]})" for method, found in lines.items()
                     if (exchange := found[-1].median("round_exchange")) is not None
                     and (whole := found[-1].median("round_seconds"))]
            of_method = lambda what: [line(METHODS[method][0], found, what, *METHODS[method][1:])
                                      for method, found in lines.items()]
            yield picture(
                f"Of a round at n = {max(found[-1].n for found in lines.values())} the exchange takes {', '.join(takes)}"
                if takes else "What two shares send each other in a round",
                f"int32, two {name}, {host_of(result) if what == 'groups' else result.machine}; "
                f"{whiskers([m for found in lines.values() for m in found])}; with look-ahead the same row is sent beside "
                "the other work, in no time of its own; grey: course reports, two GPUs, computing with all copies",
                [Lines(of_method("round_bytes"), "B", "sent in a round"),
                 Lines(of_method("round_exchange"), "s", "time of the exchange in a round"),
                 Lines(of_method("round_seconds"), "s", "time of a round"),
                 Lines(of_method("share"), "%", "share of the limit of both", reported=list(of_card.items()))], 3.5, 2)
            rates = {method: found[-1].median("relaxes/s") for method, found in lines.items()}
            if all(rates.get(method) for method in ("whole", "row", "look-ahead")):
                said.append(f"On two {name}, n = {lines['whole'][-1].n}, the row alone is "
                            f"{digits(rates['row'] / rates['whole'])} times as fast as the whole matrix, and look-ahead "
                            f"{digits(rates['look-ahead'] / rates['row'])} times as fast as the row without it.")
    (of, share), (last, last_share) = reported[0], reported[-1]
    yield ("The figures that were collected from the course reports have no bytes and no times of an exchange by itself. "
           f"Nearest is the computing of two GPUs, all copies included ({of.card} {of.cite}): {percent(share)} of both "
           f"cards' limit at n = {of.n}, {percent(last_share)} at n = {last.n}.")
    yield from said


# Kernel metrics

NAMES = {"occupancy": "achieved occupancy", "sm_efficiency": "SM efficiency", "alu": "integer pipe",
         "scratch_throughput": "scratch throughput", "l2_throughput": "level-2 throughput",
         "memory_throughput": "memory throughput", "sm_throughput": "SM throughput"}
# Of int32, a clock and multiprocessor, as docs/authors/model.md counts them; other cards have other pipes.
RELAXES_A_CLOCK = {"H100": 64, "H200": 64, "GTX 1080": 64, "P100": 32}


def theoretical(result):
    """Theoretical peaks of arithmetic, scratch and memory, by the driver's clocks. (CUDA's scratch delivers 128 bytes a
    clock; memory transfers at both edges of its clock.)"""
    context = result.context
    gpu = next((gpu for gpu in result.header.get("machine", {}).get("gpus", []) if "core_mhz" in gpu), None)
    if not (gpu and context.get("backend") == "Cuda" and str(context.get("multiprocessors", "")).isdigit()):
        return {}
    clocks = int(context["multiprocessors"]) * gpu["core_mhz"] * 1e6
    relaxes = next((many for card, many in RELAXES_A_CLOCK.items() if card in context.get("device", "")), 0)
    memory = 2 * (gpu.get("memory_mhz") or 0) * 1e6 * (gpu.get("bus_bits") or 0) / 8
    peaks = {"scratch": 128 * clocks, "arithmetic": relaxes * clocks, "memory": memory}
    return {name: peak for name, peak in peaks.items() if peak}


def kernel_metrics(results):
    heads, reported = {}, {}  # of the reports' tables on phase 3, a column each, beside our own samples of the same

    def column(key, head, values):
        for name, value in values.items():
            reported.setdefault(name, {})[heads.setdefault(key, head)] = value

    for result in results:
        peaks = theoretical(result)
        for m in result.of("metrics"):
            yield table([f"phase 3's longest kernel, n = {m.n}, by ncu", "of the peak"],
                        [[NAMES.get(name, name), f"{100 * m.median(name):.1f}%"] for name in m.counters])
            column((result.machine, m.n), f"here, {result.machine}, n = {m.n} ", {
                **{NAMES[name]: percent(m.median(name)) for name in ("occupancy", "sm_efficiency") if m.median(name)},
                **{f"{name} load and store": f"{digits(m.median(counter) * peaks[which] / 1e9)} GB/s"
                   for name, counter, which in (("shared", "scratch_throughput", "scratch"),
                                                ("global", "memory_throughput", "memory"))
                   if m.median(counter) and which in peaks}})
        for m in result.of("phases", "int32", has="phase3")[-1:]:
            rows = []
            for which, name, counter, unit in (("arithmetic", "arithmetic", "relaxes3", "relax/s"),
                                               ("scratch", "scratch, asked for", "scratch_bytes3", "B/s"),
                                               ("memory", "memory and its caches, asked for", "bytes3", "B/s")):
                if m.median(counter):
                    rate = m.median(counter) / m.median("phase3")
                    roofs = (result.limit("int32") if which == "arithmetic" else result.bandwidth(which)), peaks.get(which)
                    rows.append([name, *(scaled(value, unit) if value else "" for value in (rate, *roofs)),
                                 *(percent(rate / roof) if roof else "" for roof in roofs)])
            held = [m for m in result.of("tiles", "int32", has="share") if any(map(m.median, RESIDENT))]
            if held:
                best = max(held, key=lambda m: m.median("share"))
                rows.append([f"threads held at once, by launch bounds and scratch, {name_of_tile(best)}",
                             percent(next(filter(None, map(best.median, RESIDENT)))), "", "", "", ""])
            if rows:
                yield table([f"phase 3, n = {m.n}, counted", "reached", "measured peak", "theoretical peak",
                             "of the measured", "of the theoretical"], rows)

    for of in REPORTED.of("metrics", x="metric"):
        values = dict(of.values)
        for name in ("shared", "global"):
            if f"{name} load" in values:
                values[f"{name} load and store"] = values.pop(f"{name} load") + values.pop(f"{name} store", 0)
        column((of.card, of.n, of.source), f"{of.at} {of.cite}", {
            name: percent(value) if of.unit == "share" else f"{digits(value)} {of.unit}" for name, value in values.items()})
    yield table(["phase 3, by profilers", *heads.values()],
                [[name, *(row.get(head, "") for head in heads.values())] for name, row in reported.items()])


# Roofline

@each
def roofline(result):
    limit, points = result.limit("int32"), []
    for m in result.of("phases", "int32")[-1:]:
        points += [(f"phase {phase}, n = {m.n}", m.median("relaxes" + phase) / m.median("phase" + phase),
                    *per_byte(m, phase)) for phase in "123" if m.median("phase" + phase) and m.median("relaxes" + phase)]
    of_tiles = result.of("tiles", "int32", n=max((m.n for m in result.of("tiles", "int32")), default=None), has="relaxes/s")
    for m in sorted(of_tiles, key=lambda m: [m.keys[key] for key in ("block", "rows", "cols")]):
        points.append((f"tile {m.keys['block']}, {m.keys['rows']} × {m.keys['cols']}", m.median("relaxes/s"), *per_byte(m)))
    points = [point for point in points if point[2] or point[3]]
    if not (limit and points):
        return
    main = next((point for point in points if point[0].startswith("phase 3")), max(points, key=lambda point: point[1]))
    reported = [(f"{of.at} {of.cite}", of.trelax * 1e12, of.values.get("memory"), of.values.get("scratch"))
                for of in (REPORTED.of("roofline") if result.on_device else [])]  # a CPU has other roofs
    roofs = [(name, bandwidth, colour) for name, colour in (("memory", BLUE), ("scratch", RED))
             if (bandwidth := result.bandwidth(name))]
    yield picture(
        f"{capital(main[0])}, is at {percent(main[1] / limit)} of the roof of arithmetic",
        f"{where(result, 'int32')}; relaxes a byte that is moved, counted; filled: of memory, hollow: of scratch",
        [Roofs(limit, roofs, points, reported)])


def per_byte(m, phase=""):
    """Relaxes for each byte of memory, and of scratch."""
    return [m.median("relaxes" + phase) / bytes if (bytes := m.median(counter + phase)) else None
            for counter in ("bytes", "scratch_bytes")]


# Peers

@each
def peers(result):
    found = result.of("peers")
    ours = next((m for m in found if m.keys.get("program") == "blockfw"), None)
    if ours and len(found) > 1:
        naive, time = result.of("naive", n=ours.n), lambda m: m.median("seconds")
        name = lambda m: "naive kernel on the GPU, a launch a pivot" if m in naive else m.title or str(m.keys["program"])
        found = sorted([*found, *naive], key=time)
        nearest = next(m for m in found if m is not ours)
        ratio = digits(time(nearest) / time(ours))
        theirs = list(reported_peers(ours.n))
        rows = [(name(m), m.seconds, BLUE if m is ours else GHOST, f"× {digits(time(m) / time(ours))}") for m in found]
        rows += [(of, [seconds], PALE, f"× {digits(seconds / time(ours))}") for of, seconds in theirs]
        yield picture(
            f"{capital(name(nearest))}: {ratio} of blockfw's time" if time(nearest) < time(ours) else
            f"The next ({name(nearest)}) takes {ratio} times as long as blockfw",
            f"{where(result, f'n = {ours.n}')}; the solve alone, {whiskers(found)}; × is the time in blockfw's"
            + ("; the naive kernel's graph is complete, of the same n, solved by experiments" if naive else "")
            + ("; paler: reported of other machines" if theirs else ""),
            [Bars(sorted(rows, key=lambda row: statistics.median(row[1])), "s", "time of a solve")])
    yield peers_by_n(result)
    largest = result.of("ladder", has="relaxes/s")[-1:]
    rates = {m.keys["step"]: m.median("relaxes/s") for m in result.of("ladder", has="relaxes/s") if m.n == largest[0].n}
    if {"textbook", "coalesced", "look-ahead"} <= set(rates):
        theirs = listed(f"{digits(factor)} times ({program}, {of.card}) {of.cite}"
                        for of in REPORTED.of("peers", x="program", unit="speedup") if "naive" in of.note
                        for program, factor in of.points)
        factor = digits(rates["look-ahead"] / max(rates["textbook"], rates["coalesced"]))
        yield (f"Beside the faster of two textbook solvers on the same machine (ladder, n = {largest[0].n}) the library is "
               f"{factor} times as fast; the courses' best beside their naive reference: {theirs}.")


def reported_peers(n):
    """(name, seconds) of other programs at this order, none of them whole programs' times."""
    for of in REPORTED.of("peers"):
        for x, seconds in [] if of.is_whole else of.seconds:
            if n == (x if of.x == "n" else of.n):
                yield f"{of.series if of.x == 'n' else x}, {of.card} {of.cite}", seconds


def peers_by_n(result):
    """Solves beside those that are reported of several orders."""
    ours, lines = result.of("solve", "int32"), {}
    for of in REPORTED.of("peers", x="n"):
        if len(of.seconds) > 2 and not of.is_whole:
            lines.setdefault((of.card, of.series), (f"{of.card}: {of.series} {of.cite}", of.seconds))
    naive = line("naive kernel here", result.of("naive"), "seconds", RED, "s")
    panel = Lines([line("blockfw here", ours, "seconds", BLUE), naive], "s", y="time of a solve",
                  reported=list(lines.values()))
    return picture("The time of a solve by n, beside other people's on their machines",
                   f"{where(result, 'int32')}; {whiskers(ours)}; grey: reported, of the machine named",
                   [panel] if len(ours) > 1 else [], 6.4, legend_columns=2)


# CPU against GPU

def crossover(results):
    """int32 on a host, with the copies' counterpart if there are such, else of the solver; and on a device with copies."""
    hosts = [(result, result.of("crossover", space="host")) for result in sorted(results, key=lambda one: one.on_device)]
    hosts += [(result, result.of("solve", "int32")) for result in results if not result.on_device]
    of_host, host = next((one for one in hosts if one[1]), (None, []))
    of_device, device = next(((result, found) for result in results if (found := result.of("crossover", space="device"))),
                             (None, []))
    if not (host and device):
        return
    both = [(m, d, m.median("seconds") / d.median("seconds")) for m in host for d in device if m.n == d.n]
    n = crossing([(m.n, math.log(ratio)) for m, _, ratio in both])
    faster = {ratio > 1 for *_, ratio in both}
    title = "None is faster at all of these sizes" if faster else "The host's and the device's times"
    if len(faster) == 1:
        title = f"The {'device' if True in faster else 'host'} is faster at all of these sizes, copies included"
    if n:
        title = f"From n = {n} on the device is faster, copies included"
    reported = list(reported_crossovers())
    yield picture(
        title, f"int32, from a matrix on the host to distances there; {host_of(of_host)}, beside {of_device.machine}; grey: "
        "course reports, a CPU program's time over a GPU program's",
        [Lines([line(f"host: {host_of(of_host)}", host, "seconds", RED, "s"),
                line(f"device with its copies: {of_device.machine}", device, "seconds", BLUE)], "s", "time", upright=n),
         Lines([Line(None, [(m.n, [m.median("seconds") / seconds for seconds in d.seconds]) for m, d, _ in both], BLUE)],
               "×", "the device, times as fast as the host", levels=[(1, "")],
               points=[(of.n, factor, f"{of.card} {of.cite}") for of, factor in reported])], legend_columns=1)


def crossing(ratios):
    """The n from which on the device is faster, between two sizes by a straight line of the logarithms."""
    for (n, slower), (m, faster) in zip(ratios, ratios[1:]):
        if slower < 0 <= faster:
            return round(math.exp(math.log(n) + math.log(m / n) * -slower / (faster - slower)))
    return None


def reported_crossovers():
    """(figure, times as fast as a CPU) where a report has both, and n."""
    for of in REPORTED.of("ladder", x="step"):
        if of.n and len(of.gpu_steps) < len(of.seconds):
            yield of, of.seconds[0][1] / of.seconds[-1][1]
    for of in REPORTED.of("peers", x="program", unit="speedup"):
        against = [factor for program, factor in of.points if "sequential" in program]
        if of.n and against:
            yield of, max(against)


# Others

def energy(results):
    found = [m for result in results for m in result.of("energy", has="joules") if m.median("relaxes/s")]
    rows = [(f"{m.keys.get('what')}, n = {m.n}",
             [1e12 * joules / relaxes for joules, relaxes in zip(m.counters["joules"], m.counters["relaxes"])],
             BLUE, f"at {digits(m.median('watts'))} W") for m in found]
    yield picture(" and ".join(f"{digits(m.median('joules'))} J for a solve of n = {m.n}" for m in found),
                  "power while solving, from the machine's own counters, times the seconds of a solve",
                  [Bars(rows, "pJ", "energy of a relax")])


@each
def gains(result):
    """Other problems on the same graph, beside its distances in 32 bits."""
    for n in sorted({m.n for m in result.of("gains", has="relaxes/s")}):
        found = {m.keys["what"]: m for m in result.of("gains", n=n, has="relaxes/s")}
        base, closure = (found.get(what) for what in ("32-bits-directed", "transitive-closure"))
        if base and len(found) > 1:
            times = lambda m: digits(m.median("relaxes/s") / base.median("relaxes/s"))
            rows = [(what, m.samples("relaxes/s"), BLUE if m is base else GREEN if m is closure else SKY, f"× {times(m)}")
                    for what, m in found.items()]
            yield picture(
                f"The transitive closure is {times(closure)} times as fast as distances in 32 bits" if closure else
                "Other problems on the same graph", f"{where(result, f'n = {n}')}; n³ relaxes each, whatever the method; × "
                f"is the speed of 32-bits-directed, of the same run; {whiskers(list(found.values()))}",
                [Bars(rows, "relax/s", "relaxes a second")])
    yield table_of(result, "gains")


@each
def updates(result):
    """What reads or writes the matrix once, of the speed of reading or copying it."""
    against = lambda m: "copying" if m.keys["what"].startswith("add_vertex") else "reading"
    share = lambda m: percent(m.median("share"))
    for n in sorted({m.n for m in result.of("updates")}):
        if found := [m for m in result.of("updates", n=n, has="share") if m.median("bytes/s")]:
            least = min(found, key=lambda m: m.median("share"))
            rows = [(m.keys["what"], m.samples("bytes/s"), BLUE, f"{share(m)} of {against(m)}") for m in found]
            yield picture(
                f"{least.keys['what']} runs at {share(least)} of {against(least)}'s speed"
                + (", the others at more" if len(found) > 1 else ""),
                f"{where(result, 'int32', f'n = {n}')}; the matrix's bytes over the time, and of the speed of reading or "
                f"copying it in the same run; {whiskers(found)}",
                [Bars(rows, "B/s", "bytes of the matrix a second")])


def others(results, experiments):
    """A table for each experiment that has no picture."""
    return [table_of(result, experiment) for result in results for experiment in experiments if experiment != "machine"]


def table_of(result, experiment):
    rows, of, written = [], "of the limit", percent
    if experiment == "gains":  # which may exceed the limit of int32
        of, written = "of int32's limit", lambda share: f"{share:.2f} ×"
    for m in result.of(experiment):
        low, median, high = map(duration, spread(m.seconds))
        rate, share = m.median("relaxes/s"), m.median("share")
        rows.append([m.name.partition("/")[2], median, f"{low} to {high}", scaled(rate, "relax/s") if rate else "",
                     written(share) if share else ""])
    return table([f"{experiment}, {result.machine}", "median", "spread", "rate", of], rows) if rows else None
