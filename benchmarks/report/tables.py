# SPDX-License-Identifier: MIT
"""The tables of README.md and docs/, each made from the committed results of one run:

    <!-- table: NAME -->
    ...
    <!-- end of table -->

and figures within a text, each of which stands before its name: 4.9<!-- = coalesced -->. scripts/report --tables writes them; a test says when one differs from the results. A figure stands in one table only, but
that README.md shows a row of some.
"""
import re
from pathlib import Path
from statistics import median

from results import Error, digits, load

REPO = Path(__file__).resolve().parent.parent.parent
RESULTS = REPO / "benchmarks" / "results"
MARKED = re.compile(r"(<!-- table: (.*?) -->\n).*?(<!-- end of table -->)", re.S)
FIGURE = re.compile(r"[^\s|(]+(<!-- = (.*?) -->)")
H200, XEON, ZEN4, TWO, FOUR = (f"{folder}/report.jsonl" for folder in (
    "2026-11-22-h200", "2026-11-22-two-cores", "2026-11-21-two-zen4-cores", "2026-11-24-two-h100", "2026-11-22-four-h200"))
H200_TABLES, SPARSE, GAINS = "2026-11-21-h200.md", "2026-11-23-sparse.md", "2026-11-22-gains.md"
EVERY_PLACE, TWO_TABLES, SCALING = "2026-11-23-every-place.md", "2026-11-24-two-h100.md", "2026-11-22-scaling.md"
PYTHON, EXCHANGE, PATHS = "2026-11-24-python.md", "2026-11-25-exchange/report.jsonl", "2026-11-25-paths/report.jsonl"
TYPES = ["int32", "int16", "int64", "float", "double"]


def table(head, rows, left=1):
    lines = [head, ["---"] * left + ["---:"] * (len(head) - left), *rows]
    return "".join("|" + "".join(f" {cell} |" if cell != "" else " |" for cell in line) + "\n" for line in lines)


def read(name):
    return (RESULTS / name).read_text(encoding="utf-8")


def result(name, cache={}):
    return cache.setdefault(name, load(RESULTS / name))


def seconds(name, measurement):
    return median(result(name).all[measurement].seconds)


def share(value):
    return f"{100 * value:.1f}%" if value < 0.995 else f"{100 * value:.0f}%"


def copied(name, *first):
    """The rows of a table in a page of results, as dicts: the table whose first columns have these heads."""
    lines = read(name).splitlines()
    cells = lambda line: [cell.strip() for cell in line.strip().strip("|").split("|")]
    for number, line in enumerate(lines):
        if line.startswith("|") and cells(line)[:len(first)] == [*first] and lines[number + 1].startswith("|"):
            head, rows = cells(line), []
            for row in lines[number + 2:]:
                if not row.startswith("|"):
                    return [dict(zip(head, row)) for row in rows]
                rows.append(cells(row))
            return [dict(zip(head, row)) for row in rows]
    raise Error(f"{name} has no table of {', '.join(first)}")


def printed(name, pattern):
    """Of each line of a page of results that has the pattern, its groups."""
    found = [match.groups() for line in read(name).splitlines() if (match := re.search(pattern, line))]
    if not found:
        raise Error(f"{name} has no line like {pattern}")
    return found


# The tables.

def solves(name):
    measured = result(name)
    rows = [[m.type, m.n, digits(1e3 * median(m.seconds)), f"{median(m.rates()) / 1e9:.0f}", share(median(m.shares()))]
            for type in TYPES for m in measured.of("solve", type)]
    return table(["type", "n", "ms", "Grelax/s", "of the limit"], rows)


def beside_naive():
    """n, seconds of this library's solve, and of a naive kernel's that always writes."""
    return [(int(n), float(ours), float(theirs))
            for n, ours, theirs in printed(H200_TABLES, r"^ +(\d+) +([\d.]+) +([\d.]+) +[\d.]+ +equal$")]


def naive():
    rows = [[n, f"{1e3 * ours:.3g}", f"{1e3 * theirs:.4g}", f"{theirs / ours:.1f}"] for n, ours, theirs in beside_naive()]
    return table(["n", "blockfw, ms", "the naive kernel, ms", "times"], rows, 0)


def two():
    of = lambda kind, many, n: seconds(TWO, f"scaling/{kind}/devices:{many}/n:{n}")
    names = result(TWO).all
    rows = []
    for n in (10000, 20000, 40000, 60000):
        row = [n]
        for kind in ("strong", "int16/work:whole", "int16/work:half"):
            known = f"scaling/{kind}/devices:2/n:{n}" in names
            pair = [of(kind, many, n) for many in (1, 2)] if known else []
            row += [*(digits(value) for value in pair), f"{pair[0] / pair[1]:.2f}"] if known else [""] * 3
        rows.append(row)
    return table(["n", "int32: one, s", "two", "times", "16 bits: one, s", "two", "times", "16 bits, half the work: one, s",
                  "two", "times"], rows, 0)


def half_on_two():
    orders = [4000, 6000, 8000, 10000, 12000, 20000, 40000, 60000]
    of = lambda kind, many, n: seconds(TWO, f"scaling/int16/work:{kind}/devices:{many}/n:{n}")
    return table(["n", *orders], [[f"{word} device{'s' * (many > 1)}", *(
        f"{of('whole', many, n) / of('half', many, n):.2f}" for n in orders)] for word, many in (("two", 2), ("one", 1))])


def four():
    rows = []
    for m in sorted(result(FOUR).of("scaling", "strong"), key=lambda m: m.n):
        if m.keys["devices"] > 1:
            alone = seconds(FOUR, f"scaling/strong/devices:1/n:{m.n}")
            rows.append([m.n, m.keys["devices"], digits(m.seconds[0]), share(m.shares()[0]), f"{alone / m.seconds[0]:.2f}"])
    for m in result(FOUR).of("scaling", "weak"):
        alone = seconds(FOUR, f"scaling/strong/devices:1/n:{m.keys['n1']}")
        rows.append([f"{m.n}, weak, from {m.keys['n1']} on one", m.keys["devices"], digits(m.seconds[0]),
                     share(m.shares()[0]), f"{(m.n / m.keys['n1'])**3 * alone / m.seconds[0]:.2f}"])
    return table(["n", "devices", "s", "of the limit", "times one"], rows)


def peers(name):
    measured = result(name).of("peers")
    ours = median(measured[0].seconds)
    return table(["program", "s", "times blockfw"],
                 [[m.title, f"{median(m.seconds):.3f}", f"{median(m.seconds) / ours:.1f}"] for m in sorted(measured, key=lambda m: median(m.seconds))])


GRAPHS = {"rome99.gr": "Rome's roads, directed", "OL.gr": "Oldenburg's roads", "pegase13659.gr": "power grid pegase13659",
          "cal.gr": "California's roads", "sydney.gr": "Sydney's roads, directed", "delaunay_n15.gr": "delaunay_n15",
          "grid3d:27": "grid of 27 x 27 x 27"}


def sparse_rows():
    """For each graph what was counted and what was measured."""
    found = {}
    for part in read(SPARSE).split("\n\n"):
        if not part.startswith("| graph |"):
            continue
        head, _, *lines = [[cell.strip() for cell in line.strip("|").split("|")] for line in part.splitlines()]
        for line in lines:
            found.setdefault(line[0], {}).update(zip(head, line))
    return found


def sparse():
    columns = ["analysis s", "factor s", "solve s, touched memory", "solve s, fresh memory", "all three s", "Dijkstra s, one core",
               "Dijkstra, 2 threads / all", "solve / faster stores"]
    rows = [[name, row["n"], row["n^3 / relaxes"], *(row[column] for column in columns)]
            for graph, name in GRAPHS.items() for row in [sparse_rows()[graph]]]
    return table(["graph", "n", "n³ / relaxes", "analysis s", "factor s", "distances s", "in fresh memory s", "all three s",
                  "Dijkstra, one core, s", "Dijkstra, two threads / all three", "distances / stores"], rows)


def sparse_peers():
    """Other libraries' Dijkstra from every vertex, one core, scaled from 40 vertices."""
    text = " ".join(read(SPARSE).split())
    scipy, igraph, ours, scipy2, igraph2, ours2 = re.search(
        r"SciPy [\d.]+'s dijkstra ([\d.]+) s and igraph [\d.]+ ([\d.]+) s for California \(two cores here: ([\d.]+) s\), "
        r"([\d.]+) and ([\d.]+) s for Sydney \(([\d.]+)\)", text).groups()
    return [("California's roads", 21048, float(ours), float(scipy), float(igraph)),
            ("Sydney's roads, directed", 33113, float(ours2), float(scipy2), float(igraph2))]


def road_peers():
    return table(["graph", "n", "blockfw, s", "SciPy, s", "times", "igraph, s", "times"],
                 [[name, n, ours, digits(scipy), f"{scipy / ours:.0f}", digits(igraph), f"{igraph / ours:.0f}"]
                  for name, n, ours, scipy, igraph in sparse_peers()])


def gains():
    """Times the speed of 32 bits, directed; of an H200 and of two cores of a Xeon."""
    device, host = read(GAINS).split("## Two cores of a CPU")
    of = lambda text, n, what: next((match[1] for match in re.finditer(
        rf"^ +{n} {what} +[\d.]+ ms, +([\d.]+) of int32's speed", text, re.M)), "")
    short = lambda value: f"{float(value):.2f}" if value else ""
    return table(["", *(f"H200, n = {n}" for n in (3000, 8192, 10000, 20000)), "two cores, n = 8192"], [
        [name, *(short(of(device, n, what)) for n in (3000, 8192, 10000, 20000)), short(of(host, 8192, what))]
        for name, what in (("16 bits", "as few bits as do: 16, directed"), ("8 bits", "as few bits as do: 8, directed"),
                           ("half the work", "32 bits, undirected"),
                           ("16 bits and half the work", "as few bits as do: 16, undirected"),
                           ("8 bits and half the work", "as few bits as do: 8, undirected"))])


def of_the_solve(which):
    """What the gains' lines say of a host's or a device's run: for a line's name and n, the text that follows its time."""
    text = read(GAINS).split("## Two cores of a CPU")[which]
    return {(name, int(n)): rest for n, name, rest in re.findall(r"^ +(\d+) (.+?) +[\d.]+ ms, +(.*)$", text, re.M)}


def tight_edges():
    columns = [("H200", 0, n) for n in (8192, 10000, 20000)] + [("two cores", 1, 8192)]
    cell = lambda which, n: next(rest.split("%")[0] for (name, order), rest in of_the_solve(which).items()
                                 if order == n and name.startswith("paths:"))
    return table([f"{name}, n = {n}" for name, _, n in columns], [[f"{float(cell(which, n)):.1f}%" for _, which, n in columns]], 0)


PATH_GRAPHS = {"planar": "planar, of mean degree 6", "er": "random, of mean degree {}", "dense": "random, {}% of all pairs"}


def path_rows():
    """For each graph of the experiment its name, and its measurements by what they are."""
    found = {}
    for m in result(PATHS).of("paths"):
        found.setdefault(m.keys["graph"], {})[m.keys["what"]] = m
    for graph, measured in found.items():
        family, *numbers = graph.split("-")
        yield PATH_GRAPHS[family].format(*numbers[1:]), measured


def paths():
    rows = []
    for name, measured in path_rows():
        m = measured["solve"]
        known = {what: median(one.seconds) for what, one in measured.items()}
        part = lambda ratio: f"{digits(ratio, 2)} times" if ratio > 2 else f"{100 * ratio:.{'0' if ratio > 0.1 else '1'}f}%"
        beside = lambda what: f"{digits(known[what])} ({part(known[what] / known['solve'])})"
        how = "elimination" if m.counter("elimination") else f"{m.counter('bits'):.0f} bits"
        rows.append([name, *(f"{m.counter(what):.0f}" for what in ("n", "edges", "tight_edges")),
                     f"{digits(known['solve'])}, {how}", beside("lists"), beside("predecessors")])
    return table(["graph", "n", "edges, both directions", "tight edges", "solve, s", "`Paths`, s", "`predecessors()`, s"], rows)


def some_sources():
    rows = []
    for name, measured in path_rows():
        m = measured["100-sources"]
        n, edges, taken, solve = m.counter("n"), m.counter("edges"), median(m.seconds), median(measured["solve"].seconds)
        worth = 100 * solve / taken
        rows.append([name, f"{n:.0f}", f"{edges:.0f}", digits(solve), digits(taken), digits(1e7 * taken / edges, 2),
                     f"{float(f'{worth:.2g}'):.0f}"])
    return table(["graph", "n", "edges, both directions", "solve, s", "100 sources, s", "ns a source and edge",
                  "as many as the solve is worth"], rows)


def semirings():
    lines = of_the_solve(0)
    return table(["", "n = 10000", "n = 20000"], [[name, *(
        re.search(r"([\d.]+)% of its limit", lines[what, n])[1] + "%" for n in (10000, 20000))] for name, what in (
            ("shortest paths, int32", "32 bits, directed"), ("shortest paths, float", "shortest paths, float"),
            ("longest paths, int32", "longest paths, int32"), ("widest paths, int32", "widest paths, int32"),
            ("widest paths, float", "widest paths, float"), ("bottlenecks, int32", "bottlenecks, int32"),
            ("most reliable paths, float", "most reliable paths, float"))])


def batch():
    orders, rows = (64, 96, 100, 128, 200, 256), []
    for which, name in enumerate(("H200", "two cores of an Intel Xeon")):
        text = read(GAINS).split("## Two cores of a CPU")[which]
        shares = dict(re.findall(r"^ +\| int32 +\| +(\d+) .*\| +([\d.]+%) \|$", text, re.M))  # the last of each n
        rows.append([name, *(shares[str(n)] for n in orders)])
    return table(["int32, n =", *orders], rows)


def closure():
    ms = {}
    for n, what, value in printed("2026-11-24-closure.txt", r"^n +(\d+) time (.+?) +([\d.]+) ms"):
        ms.setdefault((int(n), what), float(value))  # the second of each is of a path
    rows = []
    for n in (1000, 5000, 10000, 20000, 32768, 65536):
        taken = ms[n, "4 blocks" if n <= 10000 else "2 blocks"]
        dense = f"{ms[n, 'int32 solve'] / taken:.0f}" if (n, "int32 solve") in ms else ""
        rows.append([n, *(f"{ms[n, what]:.4g}" for what in ("old", "tables", "2 blocks", "4 blocks", "8 blocks")),
                     f"{ms[n, 'old'] / taken:.1f}", dense])
    return table(["n", "as it was", "tables", "products, 2", "4", "8", "taken, times as it was", "times int32"], rows, 0)


def exchange():
    ways = {}
    for row in copied(TWO_TABLES, "n", "way"):
        ways.setdefault(row["way"], []).append(row)
    joined = lambda cells, unit="": " / ".join(cell.removesuffix(unit) for cell in cells) + unit
    rows = []
    for way, of_n in ways.items():
        shares = [f"{100 * float(row['exchange']) / float(row['round']):.0f}" for row in of_n if row["exchange"][0].isdigit()]
        rows.append([way, joined([row["sent in a round"] for row in of_n], " MB"), joined(shares) + "%" if shares else "none of its own",
                     joined([row["solve, the row being 1"] for row in of_n])])
    return table(["n = 5000 / 10000 / 20000", "sent in a round", "of a round's time in the exchange",
                  "time of a solve, the row being 1"], rows)


def exchange_on_host():
    found = {}
    for m in result(EXCHANGE).of("exchange"):
        found.setdefault(m.keys["way"], {})[m.n] = m
    orders = sorted(found["row"])
    each = lambda way, text: " / ".join(text(found[way][n]) for n in orders)
    of_row = lambda m: f"{median(m.seconds) / median(found['row'][m.n].seconds):.2f}"
    rows = [[name, each(way, lambda m: f"{m.counter('round_bytes') / 1e6:.1f}") + " MB",
             "none of its own" if way == "look-ahead" else
             each(way, lambda m: f"{100 * m.counter('round_exchange') / m.counter('round_seconds'):.0f}") + "%",
             "1" if way == "row" else each(way, of_row)]
            for way, name in (("whole", "the whole matrix"), ("cross", "the pivots' row and column"), ("row", "the pivots' row"),
                              ("look-ahead", "the row, with look-ahead"))]
    return table(["n = " + " / ".join(map(str, orders)), "sent in a round", "of a round's time in the exchange",
                  "time of a solve, the row being 1"], rows)


def out_of_core():
    rows = [[row["n"], row["bits"], row["seconds"], row["times as fast"], row["in the device's memory, 16 bits"]]
            for row in copied(EVERY_PLACE, "n")]
    return table(["n", "bits", "s", "times as fast", "in the device's memory, 16 bits, s"], rows, 0)


def four_shares():
    """What four devices do, done by two: milliseconds of the lines that `scaling` printed."""
    lines = printed(SCALING, r"^ +(\d+) +(\d) +(\d) +([\d.]+) ")
    ms = {(int(n), devices, shares): float(value) for n, devices, shares, value in lines}
    with_four = {m.n: m.seconds[0] for m in result(FOUR).of("scaling") if m.keys["devices"] == 4}
    rows = []
    for n in (20000, 40000, 31748, 63496):
        alone, shares, four_ = ms[n, "1", "0"] / 1e3, ms[n, "2", "4"] / 1e3, with_four[n]
        rows.append([n, digits(alone), digits(shares), share(alone / shares / 2), digits(four_), share(alone / four_ / 4)])
    return table(["n", "on one device", "four shares on two devices", "efficiency", "four devices", "efficiency"], rows, 0)


def several_devices():
    """Seconds by order and devices, for benchmarks/simulate: of one and two H100s, of four H200s with the schedule before,
    and of two of these in weak scaling."""
    four_ = {(m.n, 4): m.seconds[0] for m in result(FOUR).of("scaling", devices=4) if m.n != 14000}
    two_ = {(int(n), 2): float(ms) / 1e3 for n, ms in printed(SCALING, r"^ +(25198|50397) +2 +2 +([\d.]+) ")}
    return four_ | two_ | {(m.n, m.keys["devices"]): median(m.seconds) for m in result(TWO).of("scaling", "strong")}


def round_on_two():
    """What benchmarks/timeline printed of the two devices, n = 40000."""
    numbers = printed(SCALING, r"device \d: a group ([\d.]+) ms; ahead ([\d.]+) ms of it if its own pivots are next, else ([\d.]+); "
                      r"(\d+) copies of (\d+) us, ([\d.]+) ms, ([\d.]+)% of it beside phase 3 in bulk of device 0, ([\d.]+)% of it "
                      r"beside phase 3 in bulk of device 1; bulk pauses between launches ([\d.]+) ms of (\d+) .*?, ([\d.]+) ms without")[:2]
    own, other = [[row[6 + device] for device, row in zip(order, numbers)] for order in ((0, 1), (1, 0))]
    column = lambda place: [row[place] for row in numbers]
    with_unit = lambda unit, cells: [f"{cell} {unit}" for cell in cells]
    rows = [["a group", *with_unit("ms", column(0))],
            ["work in the ahead stream a group, of which the device owns the next pivots", *with_unit("ms", column(1))],
            ["the same, of which it does not", *with_unit("ms", column(2))],
            ["copies it sends", *column(3)], ["a copy", *with_unit("µs", column(4))], ["all of them", *with_unit("ms", column(5))],
            ["of these beside phase 3 in its own bulk", *(f"{cell}%" for cell in own)],
            ["of these beside phase 3 in the other's bulk", *(f"{cell}%" for cell in other)],
            ["the solve", *with_unit("ms", column(9))],
            ["pauses of bulk between launches", *with_unit("ms", column(8))],
            ["of these with nothing in the ahead stream", *with_unit("ms", column(10))]]
    return table(["", "device 0", "device 1"], rows)


def python():
    return table(["call", "blockfw, s", "SciPy or NetworkX, s", "times as fast"],
                 [[row["call"], row["blockfw, s"], row["peer, s"], row["ratio"]] for row in copied(PYTHON, "call", "blockfw, s")])


def visit():
    """README's table: the work, this library, what one would use instead."""
    road, n, ours, scipy, _ = sparse_peers()[0]
    peer = {m.keys["program"]: median(m.seconds) for m in result(XEON).of("peers")}
    order, device, naive_ = beside_naive()[-1]
    one, both = (seconds(TWO, f"scaling/int16/work:whole/devices:{many}/n:60000") for many in (1, 2))
    duration = lambda value: f"{digits(1e3 * value)} ms" if value < 1 else f"{digits(value)} s"
    in_python = printed(PYTHON, r"^\| floyd_warshall, float64, n = 2000 \| ([\d.]+) \| ([\d.]+) \|")[0]
    rows = [[f"{road}, {n} vertices, two CPU cores", ours, "SciPy, Dijkstra from each vertex, one core", scipy],
            ["dense, 2000 vertices, two CPU cores", peer["blockfw"], "SciPy, Floyd-Warshall, one core", peer["scipy"]],
            ["dense, 2000 vertices, from Python, float64", float(in_python[0]), "SciPy's call", float(in_python[1])],
            [f"dense, {order} vertices, one H200", device, "a naive kernel on it, a launch for each vertex", naive_],
            ["dense, 60000 vertices, two H100s", both, "blockfw on one of them", one]]
    return table(["all shortest paths", "blockfw", "instead", "", "times"],
                 [[work, duration(a), other, duration(b), f"{b / a:.0f}" if b / a > 10 else f"{b / a:.2f}"]
                  for work, a, other, b in rows])


TABLES = {"visit": visit, "one H200": lambda: solves(H200), "naive": naive, "two H100s": two, "half on two": half_on_two,
          "four H200s": four, "two Xeon cores": lambda: solves(XEON), "two Zen 4 cores": lambda: solves(ZEN4),
          "peers": lambda: peers(XEON), "sparse": sparse, "road peers": road_peers, "gains": gains, "out of core": out_of_core,
          "tight edges": tight_edges, "paths": paths, "some sources": some_sources, "semirings": semirings, "batch": batch, "closure": closure, "exchange": exchange,
          "exchange on a host": exchange_on_host, "four shares": four_shares, "round on two": round_on_two,
          "python": python}


# The figures within texts.

def percent(value):
    return f"{100 * value:.0f}%"


def tile(block, rows, cols):
    return lambda: percent(median(result(H200).all[f"tiles/int32/block:{block}/rows:{rows}/cols:{cols}/n:10000"].shares()))


def counted(counter):
    return lambda: percent(result(H200).all["metrics/n:10000"].counter(counter))


def step(before, after):
    """How many times as fast a step of the ladder is as the one before it."""
    def times():
        ratio = seconds(H200, f"ladder/step:{before}/n:5000") / seconds(H200, f"ladder/step:{after}/n:5000")
        return f"{ratio:.1f}" if ratio > 1.3 else f"{ratio:.2f}"
    return times


def phase_3(n):
    def share_of_phases():
        measured = result(H200).all[f"phases/int32/n:{n}"]
        of = [measured.counter(f"phase{phase}") for phase in (1, 2, 3)]
        return percent(of[2] / sum(of))
    return share_of_phases


def two_times(n):
    return lambda: f"{seconds(TWO, f'scaling/strong/devices:1/n:{n}') / seconds(TWO, f'scaling/strong/devices:2/n:{n}'):.2f}"


STEPS = ["textbook", "coalesced", "scratch", "larger", "registers", "vectors", "unrolled", "padded", "panels", "look-ahead"]
FIGURES = {"32, 2 x 2": tile(32, 2, 2), "32, 4 x 4": tile(32, 4, 4), "64, 8 x 8": tile(64, 8, 8), "128, 8 x 8": tile(128, 8, 8),
           "occupancy": counted("occupancy"), "scratch's share": counted("scratch_throughput"), "integer pipe": counted("alu"),
           "int32, 10000": lambda: percent(median(result(H200).all["solve/int32/n:10000"].shares())),
           "naive": lambda: f"{seconds(H200, 'ladder/step:coalesced/n:5000') / seconds(H200, 'ladder/step:look-ahead/n:5000'):.0f}",
           "always writing": lambda: next(f"{theirs / ours:.0f}" for n, ours, theirs in beside_naive() if n == 5000),
           **{after: step(before, after) for before, after in zip(STEPS, STEPS[1:])},
           **{f"phase 3, {n}": phase_3(n) for n in (20000, 5000, 1000)},
           **{f"two, {n}": two_times(n) for n in (20000, 10000)}}


def pages():
    return [REPO / "README.md", *sorted((REPO / "docs").glob("*.md"))]


def made(text):
    """The page with its tables and figures as the results have them."""
    def known(kind, among, name):
        if name not in among:
            raise Error(f"there is no {kind} {name!r}")
        return among[name]()

    text = MARKED.sub(lambda found: found[1] + known("table", TABLES, found[2]) + found[3], text)
    return FIGURE.sub(lambda found: known("figure", FIGURES, found[2]) + found[1], text)


def write():
    """Writes the tables. Returns the pages that have changed."""
    changed = []
    for path in pages():
        text = path.read_text(encoding="utf-8")
        if (now := made(text)) != text:
            path.write_text(now, encoding="utf-8")
            changed.append(path.relative_to(REPO))
    return changed
