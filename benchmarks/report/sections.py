# SPDX-License-Identifier: MIT
"""The sections of the page: the pictures and tables of each experiment, and how it compares with the course reports."""
import html

import pictures
from charts import OF_TYPE
from references import is_whole
from results import digits, duration, percent, scaled, spread
from steps import parts_of


class Section:
    def __init__(self, title, experiments, what, draw, compare=None):
        self.title, self.experiments, self.what, self.draw, self.compare = title, experiments, what, draw, compare


def middle(values):
    return spread(values)[1]


def listed(words):
    words = list(words)
    return words[0] if len(words) == 1 else ", ".join(words[:-1]) + " and " + words[-1]


def each(draw):
    """Makes of a function that draws one result one that draws all results."""
    return lambda results, references: [one for result in results for one in draw(result, references) if one]


def sizes(result, experiment, *words):
    return sorted({m.n for m in result.of(experiment, *words) if m.rates()})


def table(head, rows, kind=""):
    """A table as HTML. The first column is text; the others are numbers, except in a table of the kind "text"."""
    cells = lambda row, tag: "".join(f"<{tag}>{html.escape(str(cell))}</{tag}>" for cell in row)
    return (f'<div class="wide"><table class="{kind}"><thead><tr>{cells(head, "th")}</tr></thead><tbody>'
            + "".join(f"<tr>{cells(row, 'td')}</tr>" for row in rows) + "</tbody></table></div>")


def by_reports(points, references):
    return listed(f"{p.card} {percent(p.share)} (n = {p.n}) {references.number(p.source)}" for p in points)


# Solves

def compare_solves(results, references):
    ours = [max((m for m in result.of("solve", "int32") if m.shares()), key=lambda m: middle(m.shares()), default=None)
            for result in results]
    ours = [m for m in ours if m]
    reported = references.best_of_cards()
    if ours and reported:
        here = listed(f"{percent(middle(m.shares()))} at n = {m.n}" for m in ours)
        yield ("The best of the course reports on each card, of that card's limit: "
               f"{by_reports(reported, references)}; here {here}.")


# Tiles

def draw_tiles(result, references):
    groups = sorted({(m.type, m.n) for m in result.of("tiles") if m.shares()}, key=lambda one: (one[0] != "int32", one))
    for type, n in groups:
        yield pictures.tile_shares(result, references, type, n)
        if type == "int32" and n == max(n for type, n in groups if type == "int32"):
            yield pictures.tile_curves(result, references, type, n)
            yield pictures.tile_bandwidth(result, references, type, n)
            yield pictures.tile_times(result, type, n)


def compare_tiles(results, references):
    reported = references.best_of_cards(["tiles"])
    for result in results:
        found = [m for m in result.of("tiles", "int32") if m.shares()]
        if found and reported:
            best = max(found, key=lambda m: middle(m.shares()))
            theirs = listed(f"{p.x} on a {p.card}, {percent(p.share)} {references.number(p.source)}" for p in reported)
            yield (f"Of the tiles here, a block of {best.keys['block']} is the fastest, "
                   f"{percent(middle(best.shares()))} of the limit; the course reports' best: {theirs}.")


# Vectors

def draw_levels(result, references):
    for type, n in sorted({(m.type, m.n) for m in result.of("vectors") if m.rates()},
                          key=lambda one: (one[0] != "int32", one)):
        yield pictures.levels(result, type, n)


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


def draw_ladder(result, references):
    for n in sizes(result, "ladder"):
        yield pictures.ladder(result, n)
    known = [m.keys["step"] for m in result.of("ladder", n=max(sizes(result, "ladder"), default=None))]
    if known:
        yield table(["step", "what it is or adds"], [[step, STEPS.get(step, "")] for step in known], "text")


def compare_ladder(results, references):
    reported = []
    for figure in references.of("ladder", x="step"):
        points = [p for p in figure["points"] if not str(p["x"]).startswith("CPU")]
        if figure["unit"] in ("s", "ms") and len(points) > 2:
            factor = points[0]["value"] / points[-1]["value"]
            reported.append(f"{digits(factor)} on a {figure['card']} {references.number(figure['source'])}")
    for result in results:
        for n in sizes(result, "ladder")[-1:]:
            rates = [middle(m.rates()) for m in result.of("ladder", n=n)]
            if reported and len(rates) > 1:
                yield (f"From the first step to the fastest it is a factor of {digits(max(rates) / rates[0])} here; in "
                       f"the course reports {listed(reported)}.")


# Phases

def compare_phases(results, references):
    reported = [f"{percent(point['value'])} {'of a whole program ' if is_whole(figure) else ''}"
                f"{references.number(figure['source'])}"
                for figure in references.of("phases", unit="share") for point in figure["points"]
                if "3" in str(point["x"])]
    for result in results:
        for m in pictures.phases_by_n(result, "int32")[-1:]:
            share = m.counter("phase3") / sum(m.counter(f"phase{phase}") for phase in "123")
            if reported:
                yield (f"Phase 3 takes {percent(share)} of the phases' time at n = {m.n}; in the course reports, at "
                       f"sizes of their own, {listed(reported)}.")


# Steps of a program

def compare_steps(results, references):
    shares = []
    for figure in references.of("steps"):
        values = {str(point["x"]): point["value"] for point in figure["points"]}
        if figure["unit"] in ("s", "ms") and "computing" in values and not figure["card"].startswith("2x"):
            total = values.get("total") or sum(values.values())
            shares.append((values["computing"] / total, figure.get("n"), references.number(figure["source"])))
    for result in results:
        for m in sorted((m for m in result.of("steps") if m.counter("solving")), key=lambda m: m.n)[-1:]:
            if shares:
                low, high = min(shares, key=lambda one: one[0]), max(shares, key=lambda one: one[0])
                ours = parts_of(m)["solving"] / middle(m.seconds)
                yield (f"Solving takes {percent(ours)} of the program's time at n = {m.n}; computing in the course "
                       f"reports' programs {percent(low[0])} {at(low)} to {percent(high[0])} {at(high)}.")


def at(share):
    return (f"(n = {share[1]}) " if share[1] else "") + share[2]


# Scaling

def compare_scaling(results, references):
    for result in results:
        for what in ("devices", "threads"):
            lines = pictures.lines_of(result.of("scaling", "strong"), what, "n")
            of_two = {n: middle(pictures.speed_ups(line, 2)) for n, line in lines.items() if {1, 2} <= line.keys()}
            reported = [(y, card, n, source) for card, n, x, y, source in pictures.reported_speed_ups(references, what)
                        if x == 2]
            if of_two and reported:
                best, card, n, source = max(reported, key=lambda one: one[0])
                least = f"{digits(min(one[0] for one in reported))} to " if len(reported) > 1 else ""
                yield (f"Two {what} are {digits(of_two[max(of_two)])} times as fast as one at n = {max(of_two)}; in "
                       f"the course reports {least}{digits(best)} times ({card}{f', n = {n}' if n else ''} "
                       f"{references.number(source)}).")


# Exchange

def compare_exchange(results, references):
    reported = pictures.reported_pairs(references)
    if reported and any(result.of("exchange") for result in results):
        (card, n, share, source), *_, (_, last_n, last, _) = [*reported, reported[-1]]
        yield ("The figures that were collected from the course reports have no bytes and no times of an exchange by "
               f"itself. Nearest is the computing of two GPUs, all copies included ({card} "
               f"{references.number(source)}): {percent(share)} of both cards' limit at n = {n}, {percent(last)} at "
               f"n = {last_n}.")
    for result in results:
        for what in pictures.WHAT:
            of_way = {way: line[-1] for way, line in pictures.ways(result, what).items() if line[-1].rates()}
            if {"whole", "row", "look-ahead"} <= of_way.keys():
                rates = {way: middle(m.rates()) for way, m in of_way.items()}
                yield (f"On two {pictures.WHAT[what]}, n = {of_way['whole'].n}, the row alone is "
                       f"{digits(rates['row'] / rates['whole'])} times as fast as the whole matrix, and look-ahead "
                       f"{digits(rates['look-ahead'] / rates['row'])} times as fast as the row without it.")


# Kernel metrics

NAMES = {"occupancy": "achieved occupancy", "sm_efficiency": "SM efficiency", "alu": "integer pipe",
         "scratch_throughput": "scratch throughput", "l2_throughput": "level-2 throughput",
         "memory_throughput": "memory throughput", "sm_throughput": "SM throughput"}


# Of int32, a clock and multiprocessor, as docs/model.md counts them; other cards have other pipes.
RELAXES_A_CLOCK = {"H100": 64, "H200": 64, "GTX 1080": 64, "P100": 32}


def theoretical(result):
    """Theoretical peaks of arithmetic, scratch and memory, by the driver's clocks. (CUDA's scratch delivers 128 bytes a clock;
    memory transfers at both edges of its clock.)"""
    context = result.context
    gpu = next((gpu for gpu in result.header.get("machine", {}).get("gpus", []) if "core_mhz" in gpu), None)
    if not (gpu and context.get("backend") == "Cuda" and str(context.get("multiprocessors", "")).isdigit()):
        return {}
    clocks = int(context["multiprocessors"]) * gpu["core_mhz"] * 1e6
    relaxes = next((many for card, many in RELAXES_A_CLOCK.items() if card in context.get("device", "")), None)
    peaks = {"scratch": 128 * clocks, "arithmetic": relaxes * clocks if relaxes else None,
             "memory": 2 * gpu["memory_mhz"] * 1e6 * gpu["bus_bits"] / 8
             if gpu.get("bus_bits") and gpu.get("memory_mhz") else None}
    return {name: peak for name, peak in peaks.items() if peak}


def draw_metrics(result, references):
    for m in result.of("metrics"):
        yield table([f"phase 3's longest kernel, n = {m.n}, by ncu", "of the peak"],
                    [[NAMES.get(name, name), f"{100 * m.counter(name):.1f}%"] for name in m.counters])
    peaks = theoretical(result)
    for m in sorted(result.of("phases", "int32"), key=lambda m: m.n)[-1:]:
        rows = []
        for which, name, counter, unit in (("arithmetic", "arithmetic", "relaxes3", "relax/s"),
                                           ("scratch", "scratch, asked for", "scratch_bytes3", "B/s"),
                                           ("memory", "memory and its caches, asked for", "bytes3", "B/s")):
            if m.counter(counter) and m.counter("phase3"):
                rate = m.counter(counter) / m.counter("phase3")
                ours = result.limit("int32") if which == "arithmetic" else result.bandwidth(which)
                roofs = ours, peaks.get(which)
                rows.append([name, *(scaled(value, unit) if value else "" for value in (rate, *roofs)),
                             *(percent(rate / roof) if roof else "" for roof in roofs)])
        held = [t for t in result.of("tiles", "int32") if held_at_once(t) and t.shares()]
        if held:
            best = max(held, key=lambda t: middle(t.shares()))
            rows.append([f"threads held at once, by launch bounds and scratch, {pictures.name_of_tile(best)}",
                         percent(held_at_once(best)), "", "", "", ""])
        if rows:
            yield table([f"phase 3, n = {m.n}, counted", "reached", "measured peak", "theoretical peak",
                         "of the measured", "of the theoretical"], rows)


def held_at_once(measurement):
    return next((share for name in pictures.RESIDENT if (share := measurement.counter(name))), None)


def compare_metrics(results, references):
    reported = {}
    for figure in references.of("metrics", x="metric", unit="share"):
        for point in figure["points"]:
            reported.setdefault(str(point["x"]), []).append((point["value"], references.number(figure["source"])))
    said = []
    for name, values in reported.items():
        low, high = min(values), max(values)
        to = f" to {percent(high[0])} {high[1]}" if high[0] > low[0] else ""
        said.append(f"{name} of {percent(low[0])} {low[1]}{to}")
    if said:
        yield f"The course reports tabulate {listed(said)}."


def draw_reported_metrics(results, references):
    """The reports' tables on phase 3, a column each, beside our own samples of the same."""
    columns, values = [], {}
    for result in results:
        peaks = theoretical(result)
        for m in result.of("metrics"):
            columns.append((f"here, {result.machine}", m.n, None))
            for name, counter in (("achieved occupancy", "occupancy"), ("SM efficiency", "sm_efficiency")):
                if m.counter(counter):
                    values.setdefault(name, {})[columns[-1]] = percent(m.counter(counter))
            for name, counter, which in (("shared", "scratch_throughput", "scratch"),
                                         ("global", "memory_throughput", "memory")):
                if m.counter(counter) and which in peaks:
                    values.setdefault(f"{name} load and store", {})[columns[-1]] = (
                        f"{digits(m.counter(counter) * peaks[which] / 1e9)} GB/s")
    for figure in references.of("metrics", x="metric"):
        column = (figure["card"], figure.get("n"), figure["source"])
        if column not in columns:
            columns.append(column)
        points = {str(point["x"]): point["value"] for point in figure["points"]}
        for name in ("shared", "global"):
            if f"{name} load" in points:
                points[f"{name} load and store"] = points.pop(f"{name} load") + points.pop(f"{name} store", 0)
        for name, value in points.items():
            values.setdefault(name, {})[column] = (percent(value) if figure["unit"] == "share" else
                                                   f"{digits(value)} {figure['unit']}")
    if columns:
        head = [f"{card}{f', n = {n}' if n else ''} {references.number(source)}" for card, n, source in columns]
        yield table(["phase 3, by profilers", *head],
                    [[name, *(row.get(column, "") for column in columns)] for name, row in values.items()])


# Peers

def compare_peers(results, references):
    reported = [f"{digits(point['value'])} times ({point['x']}, {figure['card']}) {references.number(figure['source'])}"
                for figure in references.of("peers", x="program", unit="speedup") if "naive" in figure.get("note", "")
                for point in figure["points"]]
    for result in results:
        for n in sizes(result, "ladder")[-1:]:
            rates = {m.keys["step"]: middle(m.rates()) for m in result.of("ladder", n=n)}
            if reported and {"textbook", "coalesced", "look-ahead"} <= set(rates):
                ours = rates["look-ahead"] / max(rates["textbook"], rates["coalesced"])
                yield (f"Beside the faster of two textbook solvers on the same machine (ladder, n = {n}) the library "
                       f"is {digits(ours)} times as fast; the courses' best beside their naive reference: "
                       f"{listed(reported)}.")


# All

# For each experiment, the base of its shares and the format in which they are written.
OF_OTHERS = {"gains": ("of int32's limit", lambda share: f"{share:.2f} ×")}


def draw_others(results, references):
    """A table for each experiment that has no picture."""
    known = {experiment for section in SECTIONS for experiment in section.experiments} | {"machine"}
    tables = []
    for result in results:
        tables += [table_of(result, experiment)
                   for experiment in sorted({m.experiment for m in result.all.values() if m.skipped is None} - known)]
    return tables


def table_of(result, experiment):
    rows = []
    of, written = OF_OTHERS.get(experiment, ("of the limit", percent))
    for m in result.of(experiment):
        low, median, high = spread(m.seconds)
        shares = m.shares()
        rows.append([m.name.partition("/")[2], duration(median), f"{duration(low)} to {duration(high)}",
                     scaled(middle(m.rates()), "relax/s") if m.rates() else "",
                     written(middle(shares)) if shares else ""])
    return table([f"{experiment}, {result.machine}", "median", "spread", "rate", of], rows) if rows else None


SECTIONS = [
    Section("Solves", ["solve"],
            "The solver as it is called, for each type and size, beside the rate of add and min on registers alone, "
            "the best that the same process measured in the half minute before.",
            lambda results, references: [pictures.headline(results, references)], compare_solves),
    Section("Vectors chosen at run time", ["vectors"],
            "The solver compiled for any processor, with each level of vectors that this one has, beside the solver as the "
            "other experiments have it, compiled for this machine as a rule.",
            each(draw_levels)),
    Section("Blocking factor and register tile", ["tiles"],
            "The same graph with blocks of 8 to 256 and with different register tiles. Operations count an add and a "
            "minimum: 2n³/t, as the course reports do.",
            each(draw_tiles), compare_tiles),
    Section("The optimisation ladder", ["ladder"],
            "One graph, solved step by step from the textbook's loops to what the library does; each step goes on "
            "from the one before, and its distances are compared with the library's.",
            lambda results, references: [*each(draw_ladder)(results, references),
                                         pictures.reported_ladders(references)], compare_ladder),
    Section("The three phases", ["phases"],
            "Phase 1 closes the pivot's block, phase 2 its row and column, phase 3 the rest. Each is fenced here; the "
            "solver runs the next pivot's phases beside phase 3.",
            each(lambda result, references: [pictures.phases(result, type, references)
                                              for type in OF_TYPE]), compare_phases),
    Section("Reading, copying, solving, writing", ["steps"],
            "The homework's program on generated graphs, from its start to the written file, by its own clock. "
            "The files lie in the temporary folder, in the page cache as a rule.",
            each(lambda result, references: [pictures.steps(result, references)]), compare_steps),
    Section("Weak and strong scaling", ["scaling"],
            "Strong: the same graph on more devices or threads. Weak: a graph whose n³ grows with them. One device "
            "has the solver for one device. Devices are also measured in 16 bits, and with half the work of a "
            "symmetric matrix.",
            each(lambda result, references: [*(pictures.scaling(result, what, references)
                                               for what in ("devices", "threads")),
                                             pictures.devices_by_n(result, references)]), compare_scaling),
    Section("Three ways to exchange", ["exchange"],
            "Two shares, each of which updates its own rows, round by round: before a round each sends all of its "
            "rows; or the pivots' rows and columns; or one sends the pivots' rows, updated, since the columns lie with "
            "each one's own rows. With the first two each holds the whole matrix and makes all panels, as the courses' "
            "programs do, and so has more work, too. They wait for each copy. Last the library, which sends the row "
            "while the round before is at work. All distances are compared with those of one instance.",
            each(lambda result, references: [pictures.exchange(result, what, references)
                                             for what in pictures.WHAT]), compare_exchange),
    Section("Kernel metrics", ["metrics"],
            "What phase 3 reaches of the machine's peaks: by Nsight Compute where it may be used, else bytes and "
            "relaxes counted from the algorithm, over the time that was measured. Those of memory are of tiles and "
            "panels, which caches serve in part.",
            lambda results, references: [*each(draw_metrics)(results, references),
                                         *draw_reported_metrics(results, references)],
            compare_metrics),
    Section("Roofline", ["roofline"],
            "Each phase and tile under the roofs that were measured here: bandwidth of memory and of scratch (on a "
            "host the first cache), and add and min on registers alone. Above memory's roof a point is served by "
            "caches.",
            each(lambda result, references: [pictures.roofline(result, references)])),
    Section("Other programs", ["peers", "naive"],
            "Other programs for all pairs' shortest paths, on the same graph in the same run; all results are equal. "
            "The graph has 10% of all edges, of weights 1 to 1000. Start-up, reading, generating and, on a GPU, "
            "copies do not count. (SciPy, igraph and NetworkX work with doubles.)",
            each(lambda result, references: [pictures.peers(result, references),
                                             pictures.peers_by_n(result, references)]), compare_peers),
    Section("CPU against GPU", ["crossover"],
            "From a matrix on the host to its distances on the host: the host's cores, and the device with its "
            "copies.",
            lambda results, references: [pictures.crossover(results, references)]),
    Section("Energy", ["energy"],
            "The median power while the program solves for seconds, without the first, times the seconds of a "
            "solve.",
            lambda results, references: [pictures.energy(results)]),
    Section("Other problems on the same graph", ["gains"],
            "Distances in fewer bits, half the work of an undirected graph, other semirings, and who reaches whom, 32 "
            "vertices a word. (Paths come after a solve, and count no relaxes.)",
            each(lambda result, references: [*(pictures.gains(result, n) for n in sizes(result, "gains")),
                                             table_of(result, "gains")])),
    Section("Updates and measures", ["updates"],
            "What takes O(n²): an edge or a vertex more, and sums over rows or columns of distances.",
            each(lambda result, references: [pictures.updates(result, n) for n in
                                             sorted({m.n for m in result.of("updates")})])),
    Section("Further experiments", [],
            "The library's other parts.",
            draw_others),
]


def why_missing(section, results):
    """The reason, in one line, why a section is missing."""
    if section.experiments == ["scaling"] and any(result.of("scaling") for result in results):
        return f"one {'device' if all(result.on_device for result in results) else 'thread'} only"
    if section.experiments == ["crossover"] and not any(result.on_device for result in results):
        return "no device here; scripts/report --draw CPU.jsonl GPU.jsonl draws two results on one page"
    skipped = [m.skipped for result in results for name in section.experiments for m in result.skipped(name)]
    if skipped:
        return skipped[0]
    if section.experiments == ["metrics"] and not any(result.on_device for result in results):
        return "no device, and the phases were not measured"
    return "not measured"
