# SPDX-License-Identifier: MIT
"""The tables of README.md, docs/ and benchmarks/results, each made from the committed results of one run:

    <!-- table: NAME -->
    ...
    <!-- end of table -->

and figures within a text, each of which stands before its name: 4.9<!-- = coalesced -->. scripts/report --tables writes
them; a test says when one differs from the results. A figure stands in one table only, but that README.md shows a row of
some. A table that no function here makes stands in a page of results, and is copied from there to the page that shows it.
"""
import functools
import re
from pathlib import Path
from statistics import median

from results import Error, digits, load, percent

REPO = Path(__file__).resolve().parent.parent.parent
RESULTS = REPO / "benchmarks" / "results"
MARKED = re.compile(r"(<!-- table: (.*?) -->\n)(.*?)(<!-- end of table -->)", re.S)
FIGURE = re.compile(r"[^\s|(]+(<!-- = (.*?) -->)")
H200, XEON, ZEN4, TWO, FOUR, EXCHANGE, PATHS = (f"{name}.jsonl" for name in (
    "h200", "xeon", "zen4", "two-h100", "four-h200", "epyc-exchange", "epyc-paths"))
ROADS = "networks.md"
TYPES = ["int32", "int16", "int64", "float", "double"]


def table(head, rows, left=1):
    lines = [head, ["---"] * left + ["---:"] * (len(head) - left), *rows]
    return "".join("|" + "".join(f" {cell} |" if cell != "" else " |" for cell in line) + "\n" for line in lines)


def read(name):
    return (RESULTS / name).read_text(encoding="utf-8")


@functools.cache
def result(name):
    return load(RESULTS / name)


def seconds(name, measurement):
    return result(name).all[measurement].median("seconds")


def share(value):
    return f"{100 * value:.1f}%" if value < 0.995 else f"{100 * value:.0f}%"


@functools.cache
def transcribed():
    """The text of each table that a page of results has, and that is not made of other results."""
    pages = "\n".join(read(path.name) for path in sorted(RESULTS.glob("*.md")))
    return {name: rows for _, name, rows, _ in MARKED.findall(pages) if name not in MADE}


def row(name, first):
    """The cells behind the first of a row of such a table."""
    rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in transcribed()[name].splitlines()]
    return next(cells[1:] for cells in rows if cells[0] == first)


# The tables.

def solves(name):
    rows = [[m.type, m.n, digits(1e3 * m.median("seconds")), f"{m.median('relaxes/s') / 1e9:.0f}", share(m.median("share"))]
            for type in TYPES for m in result(name).of("solve", type)]
    return table(["type", "n", "ms", "Grelax/s", "of the limit"], rows)


def on_two(kind, many, n):
    """Seconds on one or two devices, if they were measured."""
    m = result(TWO).all.get(f"scaling/{kind}/devices:{many}/n:{n}")
    return m and m.median("seconds")


def two():
    def cells(kind, n):
        one, both = (on_two(kind, many, n) for many in (1, 2))
        return [digits(one), digits(both), f"{one / both:.2f}"] if both else [""] * 3

    return table(["n", "int32: one, s", "two", "times", "16 bits: one, s", "two", "times", "16 bits, half the work: one, s",
                  "two", "times"],
                 [[n, *cells("strong", n), *cells("int16/work:whole", n), *cells("int16/work:half", n)]
                  for n in (10000, 20000, 40000, 60000)], 0)


def half_on_two():
    orders = [4000, 6000, 8000, 10000, 12000, 20000, 40000, 60000]
    times = lambda many, n: f"{on_two('int16/work:whole', many, n) / on_two('int16/work:half', many, n):.2f}"
    return table(["n", *orders], [[name, *(times(many, n) for n in orders)]
                                  for name, many in (("two devices", 2), ("one device", 1))])


def four():
    strong = {(m.n, m.keys["devices"]): m for m in result(FOUR).of("scaling", "strong")}
    rows = []
    for m in [*strong.values(), *result(FOUR).of("scaling", "weak")]:
        n, many = m.keys.get("n1", m.n), m.keys["devices"]  # on one, and on how many
        if many > 1:
            times = (m.n / n)**3 * strong[n, 1].median("seconds") / m.median("seconds")
            rows.append([m.n if n == m.n else f"{m.n}, weak, from {n} on one", many, digits(m.median("seconds")),
                         share(m.median("share")), f"{times:.2f}"])
    return table(["n", "devices", "s", "of the limit", "times one"], rows)


def peers(name):
    measured = result(name).of("peers")
    ours = measured[0].median("seconds")
    return table(["program", "s", "times blockfw"],
                 [[m.title, f"{m.median('seconds'):.3f}", f"{m.median('seconds') / ours:.1f}"]
                  for m in sorted(measured, key=lambda m: m.median("seconds"))])


PATH_GRAPHS = {"planar": "planar, of mean degree 6", "er": "random, of mean degree {}", "dense": "random, {}% of all pairs"}


def path_rows():
    """For each graph of the experiment its name, the seconds of its solve, and its measurements by what they are."""
    found = {}
    for m in result(PATHS).all.values():
        if m.experiment == "paths":
            found.setdefault(m.keys["graph"], {})[m.keys["what"]] = m
    for graph, measured in found.items():
        family, *numbers = graph.split("-")
        yield PATH_GRAPHS[family].format(*numbers[1:]), measured["solve"].median("seconds"), measured


def paths():
    rows = []
    for name, solve, measured in path_rows():
        def beside(what):
            taken = measured[what].median("seconds")
            ratio = taken / solve
            part = f"{digits(ratio, 2)} times" if ratio > 2 else f"{100 * ratio:.{'0' if ratio > 0.1 else '1'}f}%"
            return f"{digits(taken)} ({part})"

        m = measured["solve"]
        how = "elimination" if m.median("elimination") else f"{m.median('bits'):.0f} bits"
        rows.append([name, *(f"{m.median(what):.0f}" for what in ("n", "edges", "tight_edges")), f"{digits(solve)}, {how}",
                     beside("lists"), beside("predecessors")])
    return table(["graph", "n", "edges, both directions", "tight edges", "solve, s", "`Paths`, s", "`predecessors()`, s"], rows)


def exchange_on_host():
    names = {"whole": "the whole matrix", "cross": "the pivots' row and column", "row": "the pivots' row",
             "look-ahead": "the row, with look-ahead"}
    of_method = {method: result(EXCHANGE).of("exchange", method=method) for method in names}
    each = lambda of, text: " / ".join(map(text, of))
    rows = []
    for method, of in of_method.items():
        part = each(of, lambda m: f"{100 * (m.median('round_exchange') or 0) / m.median('round_seconds'):.0f}") + "%"
        times = each(zip(of, of_method["row"]), lambda pair: f"{pair[0].median('seconds') / pair[1].median('seconds'):.2f}")
        rows.append([names[method], each(of, lambda m: f"{m.median('round_bytes') / 1e6:.1f}") + " MB",
                     "none of its own" if method == "look-ahead" else part, "1" if method == "row" else times])
    return table(["n = " + each(of_method["row"], lambda m: str(m.n)), "sent in a round", "of a round's time in the exchange",
                  "time of a solve, the row being 1"], rows)


def several_devices():
    """Seconds by order and devices, for benchmarks/simulate: of one and two H100s, of four H200s with the schedule before,
    and of two of these in weak scaling."""
    four_ = {(m.n, 4): m.median("seconds") for m in result(FOUR).of("scaling", devices=4) if m.n != 14000}
    two_ = {(m.n, 2): m.median("seconds") for m in result(FOUR).of("scaling", "two-h200")}
    return four_ | two_ | {(m.n, m.keys["devices"]): m.median("seconds") for m in result(TWO).of("scaling", "strong")}


def visit():
    """README's table: the question, this library, what one would use instead."""
    n, _, scipy, *_ = row("road peers", "California's roads")
    analysis, factor, _, fresh = re.search(r"(?m)^\| California's roads \| \d+ \| \d+ \| ([\d.]+) \| ([\d.]+) \| ([\d.]+) \| ([\d.]+)",
                                           read(ROADS)).groups()
    ours = sum(map(float, (analysis, factor, fresh)))
    device, naive, _ = row("naive", "10000")
    of_python, in_python, _ = row("python", "floyd_warshall, float64, n = 2000")
    peer = {m.keys["program"]: m.median("seconds") for m in result(XEON).of("peers")}
    one, both = (on_two("int16/work:whole", many, 60000) for many in (1, 2))
    duration = lambda value: f"{digits(1e3 * value)} ms" if value < 1 else f"{digits(value)} s"
    rows = [[f"all distances of California's roads, {n} vertices", ours, "SciPy, Dijkstra from each vertex", float(scipy)],
            ["dense graph of 2000 vertices", peer["blockfw"], "SciPy, Floyd-Warshall", peer["scipy"]],
            ["the same from Python, two cores of an EPYC", float(of_python), "SciPy's call", float(in_python)],
            ["10000 vertices, one H200", float(device) / 1e3, "a naive kernel",
             float(naive) / 1e3],
            ["60000 vertices, 16 bits, two H100s", both, "blockfw on one of them", one]]
    rows = [[work, duration(a), other, duration(b), f"{b / a:.0f}" if b / a > 10 else f"{b / a:.2f}"] for work, a, other, b in rows]
    return table(["question", "blockfw", "instead", "", "times"], roads() + rows + slower())


def roads():
    """The rows beside RoutingKit, out of the page that has the figures of both programs as text."""
    text = read(ROADS)
    rows = {cells[0]: cells[1:] for line in re.search(r"(?m)^\| +\| 74,971 vertices .*\n(\|.*\n)+", text)[0].splitlines()
            for cells in [[cell.strip(" *") for cell in line.split("|")[1:-1]]]}
    zen4 = re.search(r"Zen 4 .* CH takes .* one thread and (\S+) and (\S+) on two: (\S+) and (\S+) s, .* one thread, (\S+) and"
                     r" (\S+) times two\.", " ".join(text.split())).groups()

    def cells(question, program, ours, theirs):
        numbers = [float(cell.split()[0]) for cell in (ours, theirs)]
        scale = 1e3 if ours.split()[1] != theirs.split()[1] else 1  # (ms beside s)
        return [question, *map(short, (ours, program, theirs)), f"{scale * numbers[1] / numbers[0]:.2g}"]

    def short(cell):
        value, _, unit = cell.partition(" ")
        return f"{1e3 * float(value):g} ms" if unit == "s" and float(value) < 1 else cell

    def measured(question, program, ours, theirs, column):
        return cells(question, program, *(re.sub(r"^.*; ", "", rows[name][column]) for name in (ours, theirs)))  # (on two threads)

    network, ch = "`Network`: preparation (minimum degree)", "CH: preparation"
    table_, ch_table = "`table()` 2000 x 2000, two threads", "CH: table 2000 x 2000, one thread; two"
    return [measured("table of 2000 x 2000, generated roads, 74,971 vertices", "RoutingKit", table_, ch_table, 0),
            measured("the same, 1,384,436 vertices", "RoutingKit", table_, ch_table, 1),
            cells("the same on two cores of a Zen 4", "RoutingKit", f"{zen4[3]} s", f"{zen4[1]} s"),
            measured("preparation of these roads", "RoutingKit", network, ch, 1),
            measured("one distance there", "RoutingKit", "`distance()`", "CH: one distance", 1)]


def slower():
    """A row that the other program wins."""
    question, ours, theirs, _ = next(
        [cell.strip() for cell in line.split("|")[1:-1]] for line in read(ROADS).splitlines() if line.startswith("| new weights, Andorra "))
    theirs, _, program = theirs.partition(", ")
    times = float(theirs.split()[0]) / float(ours.split()[0])
    return [["new weights of Andorra's roads, 21,028 vertices", ours, f"RoutingKit, {program}", theirs, f"{times:.2g}"]]


MADE = {"visit": visit, "one H200": lambda: solves(H200), "two H100s": two, "half on two": half_on_two,
        "four H200s": four, "two Xeon cores": lambda: solves(XEON), "two Zen 4 cores": lambda: solves(ZEN4),
        "peers": lambda: peers(XEON), "paths": paths, "exchange on a host": exchange_on_host}


def all_tables():
    """The text of each table that a page shows, by its name."""
    return MADE | {name: functools.partial(transcribed().get, name) for name in transcribed()}


# The figures within texts.

def figures():
    """The text of each."""
    of = result(H200).all
    ladder = [step.split(":")[1].split("/")[0] for step in of if step.startswith("ladder/") and "narrow" not in step]
    step = lambda name: seconds(H200, f"ladder/step:{name}/n:5000")
    known = {name: percent(of[f"tiles/int32/block:{block}/rows:{side}/cols:{side}/n:10000"].median("share"))
             for block, side in ((32, 2), (32, 4), (64, 8), (128, 8)) for name in [f"{block}, {side} x {side}"]}
    known |= {name: percent(of["metrics/n:10000"].median(counter)) for name, counter in (
        ("occupancy", "occupancy"), ("scratch's share", "scratch_throughput"), ("integer pipe", "alu"))}
    known |= {after: f"{times:.1f}" if times > 1.3 else f"{times:.2f}"  # as fast as the step before
              for before, after in zip(ladder, ladder[1:]) for times in [step(before) / step(after)]}
    for n in (20000, 5000, 1000):
        parts = [of[f"phases/int32/n:{n}"].median(f"phase{phase}") for phase in (1, 2, 3)]
        known[f"phase 3, {n}"] = percent(parts[2] / sum(parts))
    known |= {f"two, {n}": f"{on_two('strong', 1, n) / on_two('strong', 2, n):.2f}" for n in (20000, 10000)}
    return known | {"int32, 10000": percent(of["solve/int32/n:10000"].median("share")),
                    "naive": f"{step('coalesced') / step('look-ahead'):.0f}",
                    "always writing": f"{float(row('naive', '5000')[2]):.0f}"}


def pages():
    """Those that show tables: README, the documentation, and the results, which hold the transcribed ones."""
    return [REPO / "README.md", *sorted((REPO / "docs").rglob("*.md")), *sorted(RESULTS.glob("*.md"))]


def made(text):
    """The page with its tables and figures as the results have them."""
    def known(kind, among, name):
        if name not in among:
            raise Error(f"there is no {kind} {name!r}")
        return among[name]

    text = MARKED.sub(lambda found: found[1] + known("table", all_tables(), found[2])() + found[4], text)
    return FIGURE.sub(lambda found: known("figure", figures(), found[2]) + found[1], text)


def write():
    """Writes the tables. Returns the pages that have changed."""
    changed = []
    for path in pages():
        text = path.read_text(encoding="utf-8")
        if (now := made(text)) != text:
            path.write_text(now, encoding="utf-8")
            changed.append(path.relative_to(REPO))
    return changed
