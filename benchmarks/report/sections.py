# SPDX-License-Identifier: MIT
"""What the page shows of each experiment: a function each, of all results, that returns pictures (SVG) and tables (HTML)."""
import functools
import html
import re

import charts
from results import count, digits, duration, percent, scaled, spread

TYPES = ["int8", "int16", "int32", "int64", "float", "double"]


def each(draw):
    """Makes of a function for one result one for all results."""
    return functools.wraps(draw)(lambda results: [one for result in results for one in draw(result)])


def where(result, *more):
    return ", ".join([*map(str, more), result.machine])


def short(result):
    """The name of the machine in a few words: `H200`, `Intel Xeon`."""
    return re.sub(r"NVIDIA |\(R\)|\(TM\)| Processor", "", result.machine).split(",")[0]


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


def line(label, measurements, what, by="n"):
    """The line of what was measured, over a key of the measurements."""
    return label, [(m.keys[by], found) for m in measurements if by in m.keys and (found := m.samples(what))]


def groups(result, experiment, has):
    """The types and n of an experiment, int32 first."""
    return sorted({(m.type, m.n) for m in result.of(experiment, has=has)}, key=lambda one: (one[0] != "int32", str(one[0]), one[1]))


def lines_of(found, label, what, by):
    """A line for each label."""
    of_label = {}
    for m in found:
        of_label.setdefault(label(m), []).append(m)
    return [line(name, sorted(of, key=lambda m: m.keys[by]), what, by) for name, of in of_label.items()]


def solves(results):
    found = [m for result in results for m in result.of("solve", has="share")]
    largest = [f"{percent(m.median('share'))} of the limit on {short(result)}"
               for result in results for m in result.of("solve", "int32", has="share")[-1:]]
    yield charts.lines(
        "int32 runs at " + ", ".join(largest) if largest else "Solves beside the machine's limit",
        f"{'; '.join(map(where, results))}; {whiskers(found)}",
        [line(type if len(results) == 1 else f"{type}, {short(result)}", result.of("solve", type), "share")
         for result in results for type in TYPES],
        "share", "vertices n", "share of the machine's limit", [(1, "the limit: add and min on registers alone")])


@each
def levels(result):
    """The solver by level of vectors, beside the one that was compiled for this machine."""
    for type, n in groups(result, "vectors", "relaxes/s"):
        found = result.of("vectors", type, n=n, has="relaxes/s")
        native = next(iter(result.of("solve", type, n=n, has="relaxes/s")), None)
        base, name = (native, "this build's") if native else (found[-1], found[-1].keys["level"])
        rows = [(m.keys["level"], m.samples("relaxes/s"), f"{percent(m.median('relaxes/s') / base.median('relaxes/s'))} of {name}")
                for m in found] + ([("this build, as compiled", native.samples("relaxes/s"), "")] if native else [])
        yield charts.bars("Levels of vectors", f"{where(result, type, f'n = {n}')}; {whiskers(found)}", rows, "relax/s",
                          "relaxes a second")


@each
def tiles(result):
    for type, n in groups(result, "tiles", "share"):
        best, found = result.best("tiles", type, n=n), result.of("tiles", type, n=n, has="share")
        yield charts.lines(
            f"Block {best.keys['block']}, register tile {best.keys['rows']} × {best.keys['cols']}, reaches "
            f"{percent(best.median('share'))} of the limit", f"{where(result, type, f'n = {n}')}; {whiskers(found)}",
            lines_of(found, lambda m: f"{m.keys['rows']} × {m.keys['cols']}", "share", "block"), "share",
            "blocking factor (vertices along a block's side)", "share of the machine's limit", [(1, "")])


@each
def ladder(result):
    for n in sorted({m.n for m in result.of("ladder", has="relaxes/s")}):
        steps = result.of("ladder", n=n, has="relaxes/s")
        rates = [m.median("relaxes/s") for m in steps]
        beside = ["", *(f"× {digits(rate / before, 2)}" for before, rate in zip(rates, rates[1:]))]
        yield charts.bars(f"{count(len(steps), 'step')}, {digits(max(rates) / rates[0])} times as fast",
                          f"{where(result, 'int32', f'n = {n}')}; {whiskers(steps)}; × is the factor to the step before",
                          [(m.keys["step"], m.samples("relaxes/s"), text) for m, text in zip(steps, beside)], "relax/s",
                          "relaxes a second")


PHASES = {"phase 1, the pivot": "phase1", "phase 2, its row and column": "phase2", "phase 3, the rest": "phase3"}


@each
def phases(result):
    for type in TYPES:
        found = [m for m in result.of("phases", type) if all(map(m.median, PHASES.values()))]
        parts = [{name: m.median(phase) for name, phase in PHASES.items()} for m in found]
        rows = [(f"n = {m.n}", {name: part / sum(of.values()) for name, part in of.items()}, duration(sum(of.values())))
                for m, of in zip(found, parts)]
        yield charts.stacked("The three phases", f"{where(result, type)}; in launches of their own, fenced; the solver overlaps "
                             "them", rows, "share of the three phases' time")


STEPS = ["starting", "reading", "host-to-device", "building", "solving", "device-to-host", "writing"]


@each
def steps(result):
    rows = []
    for m in result.of("steps", has="solving"):
        parts = {step: m.median(step) or 0 for step in STEPS}
        whole = max(m.median("seconds"), sum(parts.values()))
        parts["rest"] = whole - sum(parts.values())
        rows.append((f"n = {m.n}", {name: part / whole for name, part in parts.items()}, duration(m.median("seconds"))))
    yield charts.stacked("A program from its start to the written file", f"{'hw3-2' if result.on_device else 'hw3-1'}, "
                         f"{result.machine}; rest: outside of the program's own clock", rows, "share of the time")


@each
def scaling(result):
    """Speed-ups over the median of one device, or one thread, of the same kind and n; in weak scaling, efficiency by rates."""
    for what in ("devices", "threads"):
        kinds = {}
        for m in result.of("scaling"):
            if what in m.keys and "weak" not in m.words:
                kind = ", ".join([*m.words, *([f"work {m.keys['work']}"] if "work" in m.keys else [])])
                kinds.setdefault(kind, {}).setdefault(m.n, {})[m.keys[what]] = m
        found = [(kind, n, of) for kind, by_n in kinds.items() for n, of in by_n.items() if 1 in of and len(of) > 1]
        times = lambda of, many: [of[1].median("seconds") / seconds for seconds in of[many].seconds]
        if found:
            most = max(max(of) for *_, of in found)
            kind, n, of = max(found, key=lambda one: (max(one[2]), one[1]))
            by_n = {kind: [(n, times(of, 2)) for one, n, of in found if one == kind] for kind in kinds}
            drawn = (by_n.items(), "vertices n") if most == 2 else ([(f"{kind}, n = {n}", [(many, times(of, many)) for many in
                                                                    sorted(of)]) for kind, n, of in found], what)
            yield charts.lines(
                f"{count(max(of), what[:-1])} solve n = {n} {digits(of[1].median('seconds') / of[max(of)].median('seconds'))} "
                f"times as fast as one ({kind})", where(result), drawn[0], "×", drawn[1], f"speed-up of {most} {what}" if most == 2
                else "speed-up", [(1, "")])
        one = {m.n: m.median("relaxes/s") for m in result.of("scaling", "strong", has="relaxes/s", **{what: 1})}
        weak = {}
        for m in result.of("scaling", "weak", has="relaxes/s"):
            if what in m.keys and one.get(m.keys.get("n1")):
                weak.setdefault(f"from n = {m.keys['n1']} on one", []).append(
                    (m.keys[what], [rate / one[m.keys["n1"]] / m.keys[what] for rate in m.samples("relaxes/s")]))
        yield charts.lines("Weak scaling", where(result), weak.items(), "share", what, "efficiency", [(1, "")])


METHODS = {"whole": "the whole matrix", "cross": "the pivots' row and column", "row": "the pivots' row",
           "look-ahead": "the row, with look-ahead"}
# What two shares are, by the key of a measurement.
SHARES = {"devices": "devices", "instances": "instances on one device", "groups": "groups of the host's threads"}


@each
def exchange(result):
    """What travels between two shares in a round, and how long that takes."""
    for what, name in SHARES.items():
        found = {method: of for method in METHODS if (of := result.of("exchange", method=method, **{what: 2}))}
        yield charts.lines(f"Two {name}", where(result, "int32"), [line(METHODS[method], of, "round_seconds")
                           for method, of in found.items()], "s", "vertices n", "time of a round")
        row, rows = {m.n: m.median("seconds") for m in found.get("row", [])}, []
        for method, of in found.items():
            for m in of:
                taken, whole = m.median("round_exchange"), m.median("round_seconds")
                rows.append([METHODS[method], m.n, scaled(m.median("round_bytes"), "B") if m.median("round_bytes") else "",
                             percent(taken / whole) if taken and whole else "none of its own",
                             digits(m.median("seconds") / row[m.n]) if row.get(m.n) else ""])
        if rows:
            yield table([f"two {name}", "n", "sent in a round", "of a round's time", "time of a solve, the row being 1"], rows)


@each
def metrics(result):
    for m in result.of("metrics"):
        yield table([f"phase 3's longest kernel, n = {m.n}, by ncu, {result.machine}", "of the peak"],
                    [[name.replace("_", " "), f"{100 * m.median(name):.1f}%"] for name in m.counters])


@each
def peers(result):
    found = result.of("peers")
    ours = next((m for m in found if m.keys.get("program") == "blockfw"), None)
    if ours and len(found) > 1:
        naive, time = result.of("naive", n=ours.n), lambda m: m.median("seconds")
        name = lambda m: "naive kernel on the GPU, a launch a pivot" if m in naive else m.title or str(m.keys["program"])
        rows = [(name(m), m.seconds, f"× {digits(time(m) / time(ours))}") for m in sorted([*found, *naive], key=time)]
        yield charts.bars("Other programs", f"{where(result, f'n = {ours.n}')}; the solve alone, {whiskers(found)}; × is the time "
                          "in blockfw's" + ("; the naive kernel's graph is complete, of the same n" if naive else ""), rows, "s",
                          "time of a solve")


def crossover(results):
    """A host, with or without the copies' counterpart, and a device with its copies."""
    hosts = [(result, result.of("crossover", space="host") or ([] if result.on_device else result.of("solve", "int32")))
             for result in sorted(results, key=lambda one: one.on_device)]
    of_host, host = next((one for one in hosts if one[1]), (None, []))
    of_device, device = next(((one, found) for one in results if (found := one.of("crossover", space="device"))), (None, []))
    if host and device:
        hosts_time = {m.n: m.median("seconds") for m in host}
        faster = [(m.n, m.median("seconds") <= hosts_time[m.n]) for m in device if m.n in hosts_time]
        first = next((n for n, is_faster in faster if is_faster), None)
        title = ("The host is faster" if first is None else "The device is faster" if all(is_faster for _, is_faster in faster)
                 else f"From n = {first} on the device is faster")
        yield charts.lines(title + (" at all of these sizes" if "From" not in title else ""),
                           f"int32, copies included; {of_host.machine}, beside {of_device.machine}",
                           [line("host", host, "seconds"), line("device with its copies", device, "seconds")], "s", "vertices n",
                           "time")


@each
def gains(result):
    """Other problems on the same graph, beside its distances in 32 bits."""
    for n in sorted({m.n for m in result.of("gains", has="relaxes/s")}):
        found = {m.keys["what"]: m for m in result.of("gains", n=n, has="relaxes/s")}
        if (base := found.get("32-bits-directed")) and len(found) > 1:
            rows = [(what, m.samples("relaxes/s"), f"× {digits(m.median('relaxes/s') / base.median('relaxes/s'))}")
                    for what, m in found.items()]
            yield charts.bars("Other problems on the same graph", f"{where(result, f'n = {n}')}; n³ relaxes each; × is the speed of "
                              f"32-bits-directed; {whiskers(list(found.values()))}", rows, "relax/s", "relaxes a second")
    yield table_of(result, "gains")


@each
def updates(result):
    """What reads or writes the matrix once, of the speed of reading or copying it."""
    against = lambda m: "copying" if m.keys["what"].startswith("add_vertex") else "reading"
    for n in sorted({m.n for m in result.of("updates")}):
        found = [m for m in result.of("updates", n=n, has="share") if m.median("bytes/s")]
        yield charts.bars("Updates and measures", f"{where(result, 'int32', f'n = {n}')}; the matrix's bytes over the time",
                          [(m.keys["what"], m.samples("bytes/s"), f"{percent(m.median('share'))} of {against(m)}") for m in found],
                          "B/s", "bytes of the matrix a second")


def others(results, experiments):
    """A table for each experiment that has no picture."""
    return [table_of(result, experiment) for result in results for experiment in experiments if experiment != "machine"]


def table_of(result, experiment):
    rows = []
    for m in result.of(experiment):
        low, median, high = map(duration, spread(m.seconds))
        rate, share = m.median("relaxes/s"), m.median("share")
        rows.append([m.name.partition("/")[2], median, f"{low} to {high}", scaled(rate, "relax/s") if rate else "",
                     percent(share) if share else ""])
    return table([f"{experiment}, {result.machine}", "median", "spread", "rate", "of the limit"], rows) if rows else None


# Of each section: its title, the experiments that it shows, what these are, what draws it.
SECTIONS = [
    ("Solves", ["solve"],
     "The solver as it is called, for each type and size, beside the rate of add and min on registers alone, the best "
     "that the same process measured in the half minute before.", solves),
    ("Vectors chosen at run time", ["vectors"],
     "The solver compiled for any processor, with each level of vectors that this one has, beside the solver as the "
     "other experiments have it, compiled for this machine as a rule.", levels),
    ("Blocking factor and register tile", ["tiles"],
     "The same graph with blocks of 8 to 256 and with different register tiles.", tiles),
    ("The optimisation ladder", ["ladder"],
     "One graph, solved step by step from the textbook's loops to what the library does; each step goes on from the "
     "one before, and its distances are compared with the library's.", ladder),
    ("The three phases", ["phases"],
     "Phase 1 closes the pivot's block, phase 2 its row and column, phase 3 the rest. Each is fenced here; the solver "
     "runs the next pivot's phases beside phase 3.", phases),
    ("Reading, copying, solving, writing", ["steps"],
     "The homework's program on generated graphs, from its start to the written file, by its own clock. The files lie "
     "in the temporary folder, in the page cache as a rule.", steps),
    ("Weak and strong scaling", ["scaling"],
     "Strong: the same graph on more devices or threads. Weak: a graph whose n³ grows with them. One device has the "
     "solver for one device. Devices are also measured in 16 bits, and with half the work of a symmetric matrix.", scaling),
    ("Three methods of exchange", ["exchange"],
     "Two shares, each of which updates its own rows, round by round: before a round each sends all of its rows; or "
     "the pivots' rows and columns; or one sends the pivots' rows, updated. They wait for each copy. Last the library, "
     "which sends the row while the round before is at work.", exchange),
    ("Kernel metrics", ["metrics"], "What phase 3 reaches of the machine's peaks, by Nsight Compute where it may be used.", metrics),
    ("Other programs", ["peers", "naive"],
     "Other programs for all pairs' shortest paths, on the same graph in the same run; all results are equal. The "
     "graph has 10% of all edges, of weights 1 to 1000. Start-up, reading, generating and, on a GPU, copies do not "
     "count. (SciPy, igraph and NetworkX work with doubles.)", peers),
    ("CPU against GPU", ["crossover"],
     "From a matrix on the host to its distances on the host: the host's cores, and the device with its copies.", crossover),
    ("Other problems on the same graph", ["gains"],
     "Distances in fewer bits, half the work of an undirected graph, other semirings, and who reaches whom, 32 "
     "vertices a word. (Paths come after a solve, and count no relaxes.)", gains),
    ("Updates and measures", ["updates"],
     "What takes O(n²): an edge or a vertex more, and sums over rows or columns of distances.", updates),
]
