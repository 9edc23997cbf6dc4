# SPDX-License-Identifier: MIT
"""The tables of README.md and docs/, each made from the committed results of one run:

    <!-- table: NAME -->
    ...
    <!-- end of table -->

and figures within a text, each of which stands before its name: 4.9<!-- = coalesced -->. scripts/report --tables writes them; a
test says when one differs from the results. A figure stands in one table only, but that README.md shows a row of some.
"""
import functools
import re
from pathlib import Path
from statistics import median

from results import Error, digits, load, percent

REPO = Path(__file__).resolve().parent.parent.parent
RESULTS = REPO / "benchmarks" / "results"
MARKED = re.compile(r"(<!-- table: (.*?) -->\n).*?(<!-- end of table -->)", re.S)
FIGURE = re.compile(r"[^\s|(]+(<!-- = (.*?) -->)")
H200, XEON, ZEN4, TWO, FOUR, EXCHANGE, PATHS = (f"{folder}/report.jsonl" for folder in (
    "2026-11-22-h200", "2026-11-22-two-cores", "2026-11-21-two-zen4-cores", "2026-11-24-two-h100", "2026-11-22-four-h200",
    "2026-11-25-exchange", "2026-11-25-paths"))
H200_TABLES, SPARSE, GAINS, EVERY_PLACE, TWO_TABLES, SCALING, PYTHON, CLOSURE = (
    "2026-11-21-h200.md", "2026-11-23-sparse.md", "2026-11-22-gains.md", "2026-11-23-every-place.md", "2026-11-24-two-h100.md",
    "2026-11-22-scaling.md", "2026-11-24-python.md", "2026-11-24-closure.txt")
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


def copied(name, *first):
    """The rows of a table in a page of results, as dicts: the first table whose first columns have these heads."""
    for block in read(name).split("\n\n"):
        head, _, *rows = [[cell.strip() for cell in line.strip()[1:-1].split("|")] for line in block.splitlines()
                          if line.startswith("|")] or [[], []]
        if head[:len(first)] == [*first]:
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
    rows = [[m.type, m.n, digits(1e3 * m.median("seconds")), f"{m.median('relaxes/s') / 1e9:.0f}", share(m.median("share"))]
            for type in TYPES for m in result(name).of("solve", type)]
    return table(["type", "n", "ms", "Grelax/s", "of the limit"], rows)


def beside_naive():
    """n, seconds of this library's solve, and of a naive kernel's that always writes."""
    return [(int(n), float(ours), float(theirs))
            for n, ours, theirs in printed(H200_TABLES, r"^ +(\d+) +([\d.]+) +([\d.]+) +[\d.]+ +equal$")]


def naive():
    rows = [[n, f"{1e3 * ours:.3g}", f"{1e3 * theirs:.4g}", f"{theirs / ours:.1f}"] for n, ours, theirs in beside_naive()]
    return table(["n", "blockfw, ms", "the naive kernel, ms", "times"], rows, 0)


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


GRAPHS = {"rome99.gr": "Rome's roads, directed", "OL.gr": "Oldenburg's roads", "pegase13659.gr": "power grid pegase13659",
          "cal.gr": "California's roads", "sydney.gr": "Sydney's roads, directed", "delaunay_n15.gr": "delaunay_n15",
          "grid3d:27": "grid of 27 x 27 x 27"}


def sparse():
    counted, measured = ({row["graph"]: row for row in copied(SPARSE, "graph", second)} for second in ("n", "analysis s"))
    columns = ["analysis s", "factor s", "solve s, touched memory", "solve s, fresh memory", "all three s",
               "Dijkstra s, one core", "Dijkstra, 2 threads / all", "solve / faster stores"]
    return table(["graph", "n", "n³ / relaxes", "analysis s", "factor s", "distances s", "in fresh memory s", "all three s",
                  "Dijkstra, one core, s", "Dijkstra, two threads / all three", "distances / stores"],
                 [[name, counted[graph]["n"], counted[graph]["n^3 / relaxes"], *(measured[graph][column] for column in columns)]
                  for graph, name in GRAPHS.items()])


def sparse_peers():
    """Other libraries' Dijkstra from every vertex, one core, scaled from 40 vertices: n, our seconds, SciPy's and igraph's."""
    found = re.search(r"SciPy [\d.]+'s dijkstra ([\d.]+) s and igraph [\d.]+ ([\d.]+) s for California \(two cores here: ([\d.]+) s\), "
                      r"([\d.]+) and ([\d.]+) s for Sydney \(([\d.]+)\)", " ".join(read(SPARSE).split()))
    scipy, igraph, ours, *sydney = map(float, found.groups())
    return [("California's roads", 21048, ours, scipy, igraph), ("Sydney's roads, directed", 33113, sydney[2], *sydney[:2])]


def road_peers():
    return table(["graph", "n", "blockfw, s", "SciPy, s", "times", "igraph, s", "times"],
                 [[name, n, ours, digits(scipy), f"{scipy / ours:.0f}", digits(igraph), f"{igraph / ours:.0f}"]
                  for name, n, ours, scipy, igraph in sparse_peers()])


def of_gains(which):
    """What the lines of the H200 (0) or of two cores (1) say: for n and a line's name, what follows its time."""
    text = read(GAINS).split("## Two cores of a CPU")[which]
    return {(int(n), name): rest for n, name, rest in re.findall(r"^ +(\d+) (.+?) +[\d.]+ ms, +(.*)$", text, re.M)}


def gains():
    """Times the speed of 32 bits, directed."""
    columns = {f"H200, n = {n}": (0, n) for n in (3000, 8192, 10000, 20000)} | {"two cores, n = 8192": (1, 8192)}
    cell = lambda which, n, what: f"{float(of_gains(which)[n, what].split()[0]):.2f}" if (n, what) in of_gains(which) else ""
    return table(["", *columns], [[name, *(cell(which, n, what) for which, n in columns.values())] for name, what in (
        ("16 bits", "as few bits as do: 16, directed"), ("8 bits", "as few bits as do: 8, directed"),
        ("half the work", "32 bits, undirected"), ("16 bits and half the work", "as few bits as do: 16, undirected"),
        ("8 bits and half the work", "as few bits as do: 8, undirected"))])


def tight_edges():
    columns = [(f"H200, n = {n}", 0, n) for n in (8192, 10000, 20000)] + [("two cores, n = 8192", 1, 8192)]
    part = lambda which, n: next(rest.split("%")[0] for (order, name), rest in of_gains(which).items()
                                 if order == n and name.startswith("paths:"))
    return table([name for name, *_ in columns], [[f"{float(part(*of)):.1f}%" for _, *of in columns]], 0)


def semirings():
    cell = lambda n, what: re.search(r"([\d.]+%) of its limit", of_gains(0)[n, what])[1]
    return table(["", "n = 10000", "n = 20000"],
                 [[name, cell(10000, what), cell(20000, what)] for name, what in (
                     ("shortest paths, int32", "32 bits, directed"), *((what, what) for what in (
                         "shortest paths, float", "longest paths, int32", "widest paths, int32", "widest paths, float",
                         "bottlenecks, int32", "most reliable paths, float")))])


PATH_GRAPHS = {"planar": "planar, of mean degree 6", "er": "random, of mean degree {}", "dense": "random, {}% of all pairs"}


def path_rows():
    """For each graph of the experiment its name, n, edges and seconds of the solve; and its measurements by what they are."""
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
    return table(["graph", "n", "edges, both ways", "tight edges", "solve, s", "`Paths`, s", "`predecessors()`, s"], rows)


def some_sources():
    rows = []
    for name, solve, measured in path_rows():
        m = measured["100-sources"]
        n, edges, taken = map(m.median, ("n", "edges", "seconds"))
        rows.append([name, f"{n:.0f}", f"{edges:.0f}", digits(solve), digits(taken), digits(1e7 * taken / edges, 2),
                     f"{float(f'{100 * solve / taken:.2g}'):.0f}"])
    return table(["graph", "n", "edges, both ways", "solve, s", "100 sources, s", "ns a source and edge",
                  "as many as the solve is worth"], rows)


def batch():
    orders, rows = (64, 96, 100, 128, 200, 256), []
    for name, text in zip(("H200", "two cores of an Intel Xeon"), read(GAINS).split("## Two cores of a CPU")):
        shares = dict(re.findall(r"^ +\| int32 +\| +(\d+) .*\| +([\d.]+%) \|$", text, re.M))  # the last of each n
        rows.append([name, *(shares[str(n)] for n in orders)])
    return table(["int32, n =", *orders], rows)


def closure():
    ms = {}
    for n, what, value in printed(CLOSURE, r"^n +(\d+) time (.+?) +([\d.]+) ms"):
        ms.setdefault((int(n), what), float(value))  # the second of each is of a path
    rows = []
    for n in (1000, 5000, 10000, 20000, 32768, 65536):
        taken = ms[n, "4 blocks" if n <= 10000 else "2 blocks"]
        rows.append([n, *(f"{ms[n, what]:.4g}" for what in ("old", "tables", "2 blocks", "4 blocks", "8 blocks")),
                     f"{ms[n, 'old'] / taken:.1f}",
                     f"{ms[n, 'int32 solve'] / taken:.0f}" if (n, "int32 solve") in ms else ""])
    return table(["n", "as it was", "tables", "products, 2", "4", "8", "taken, times as it was", "times int32"], rows, 0)


def ways(orders, rows):
    """Rows of (way, MB sent in a round, share of its time in the exchange if that has a time of its own, time of a solve)."""
    return table([f"n = {' / '.join(map(str, orders))}", "sent in a round", "of a round's time in the exchange",
                  "time of a solve, the row being 1"],
                 [[way, " / ".join(sent) + " MB",
                   "none of its own" if None in parts else " / ".join(f"{100 * part:.0f}" for part in parts) + "%",
                   " / ".join(times)] for way, sent, parts, times in rows])


def exchange():
    of_way = {}
    for row in copied(TWO_TABLES, "n", "way"):
        of_way.setdefault(row["way"], []).append(row)
    part = lambda row: float(row["exchange"]) / float(row["round"]) if row["exchange"][0].isdigit() else None
    return ways((5000, 10000, 20000), [
        (way, [row["sent in a round"].removesuffix(" MB") for row in rows], [*map(part, rows)],
         [row["solve, the row being 1"] for row in rows]) for way, rows in of_way.items()])


def exchange_on_host():
    of_way = {way: result(EXCHANGE).of("exchange", way=way) for way in ("whole", "cross", "row", "look-ahead")}
    names = "the whole matrix", "the pivots' row and column", "the pivots' row", "the row, with look-ahead"
    part = lambda m: m.median("round_exchange") / m.median("round_seconds") if m.keys["way"] != "look-ahead" else None
    return ways([m.n for m in of_way["row"]], [
        (name, [f"{m.median('round_bytes') / 1e6:.1f}" for m in measured], [*map(part, measured)],
         ["1"] if way == "row" else [f"{m.median('seconds') / row.median('seconds'):.2f}"
                                     for m, row in zip(measured, of_way["row"])])
        for name, (way, measured) in zip(names, of_way.items())])


def picked(name, first, columns, left=1):
    """Columns of a table in a page of results: their heads here, and there."""
    return table(list(columns), [[row[column] for column in columns.values()] for row in copied(name, *first)], left)


def four_shares():
    """What four devices do, done by two: milliseconds of the lines that `scaling` printed."""
    lines = printed(SCALING, r"^ +(\d+) +(\d) +(\d) +([\d.]+) ")
    ms = {(int(n), devices, shares): float(value) for n, devices, shares, value in lines}
    with_four = {m.n: m.median("seconds") for m in result(FOUR).of("scaling", devices=4)}
    rows = []
    for n in (20000, 40000, 31748, 63496):
        alone, shares = ms[n, "1", "0"] / 1e3, ms[n, "2", "4"] / 1e3
        rows.append([n, digits(alone), digits(shares), share(alone / shares / 2), digits(with_four[n]),
                     share(alone / with_four[n] / 4)])
    return table(["n", "on one device", "four shares on two devices", "efficiency", "four devices", "efficiency"], rows, 0)


def several_devices():
    """Seconds by order and devices, for benchmarks/simulate: of one and two H100s, of four H200s with the schedule before,
    and of two of these in weak scaling."""
    four_ = {(m.n, 4): m.median("seconds") for m in result(FOUR).of("scaling", devices=4) if m.n != 14000}
    two_ = {(int(n), 2): float(ms) / 1e3 for n, ms in printed(SCALING, r"^ +(25198|50397) +2 +2 +([\d.]+) ")}
    return four_ | two_ | {(m.n, m.keys["devices"]): m.median("seconds") for m in result(TWO).of("scaling", "strong")}


def round_on_two():
    """What benchmarks/timeline printed of the two devices, n = 40000."""
    numbers = printed(SCALING, r"device \d: a group ([\d.]+) ms; ahead ([\d.]+) ms of it if its own pivots are next, else ([\d.]+); "
                      r"(\d+) copies of (\d+) us, ([\d.]+) ms, ([\d.]+)% of it beside phase 3 in bulk of device 0, ([\d.]+)% of "
                      r"it beside phase 3 in bulk of device 1; bulk pauses between launches ([\d.]+) ms of (\d+) .*?, ([\d.]+) ms "
                      r"without")[:2]
    own, other = 6, 7  # of device 0; of device 1 the other way round
    places = {"a group": (0, " ms"), "work in the ahead stream a group, of which the device owns the next pivots": (1, " ms"),
              "the same, of which it does not": (2, " ms"), "copies it sends": (3, ""), "a copy": (4, " µs"),
              "all of them": (5, " ms"), "of these beside phase 3 in its own bulk": (own, "%"),
              "of these beside phase 3 in the other's bulk": (other, "%"), "the solve": (9, " ms"),
              "pauses of bulk between launches": (8, " ms"), "of these with nothing in the ahead stream": (10, " ms")}
    swapped = {own: other, other: own}
    return table(["", "device 0", "device 1"], [
        [name, numbers[0][place] + unit, numbers[1][swapped.get(place, place)] + unit] for name, (place, unit) in places.items()])


def visit():
    """README's table: the work, this library, what one would use instead."""
    road, n, ours, scipy, _ = sparse_peers()[0]
    peer = {m.keys["program"]: m.median("seconds") for m in result(XEON).of("peers")}
    order, device, naive_ = beside_naive()[-1]
    one, both = (on_two("int16/work:whole", many, 60000) for many in (1, 2))
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


TABLES = {
    "visit": visit, "one H200": lambda: solves(H200), "naive": naive, "two H100s": two, "half on two": half_on_two,
    "four H200s": four, "two Xeon cores": lambda: solves(XEON), "two Zen 4 cores": lambda: solves(ZEN4),
    "peers": lambda: peers(XEON), "sparse": sparse, "road peers": road_peers, "gains": gains, "tight edges": tight_edges,
    "paths": paths, "some sources": some_sources, "semirings": semirings, "batch": batch, "closure": closure,
    "exchange": exchange, "exchange on a host": exchange_on_host, "four shares": four_shares, "round on two": round_on_two,
    "out of core": lambda: picked(EVERY_PLACE, ["n"], {
        "n": "n", "bits": "bits", "s": "seconds", "times as fast": "times as fast",
        "in the device's memory, 16 bits, s": "in the device's memory, 16 bits"}, 0),
    "python": lambda: picked(PYTHON, ["call", "blockfw, s"], {
        "call": "call", "blockfw, s": "blockfw, s", "SciPy or NetworkX, s": "peer, s", "times as fast": "ratio"}),
}


# The figures within texts.

def figures():
    """The text of each."""
    of = result(H200).all
    ladder = [step.split(":")[1].split("/")[0] for step in of if step.startswith("ladder/") and "narrow" not in step]
    step = lambda name: seconds(H200, f"ladder/step:{name}/n:5000")
    known = {name: percent(of[f"tiles/int32/block:{block}/rows:{side}/cols:{side}/n:10000"].median("share"))
             for name, block, side in (("32, 2 x 2", 32, 2), ("32, 4 x 4", 32, 4), ("64, 8 x 8", 64, 8), ("128, 8 x 8", 128, 8))}
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
                    "always writing": next(f"{theirs / ours:.0f}" for n, ours, theirs in beside_naive() if n == 5000)}


def pages():
    return [REPO / "README.md", *sorted((REPO / "docs").glob("*.md"))]


def made(text):
    """The page with its tables and figures as the results have them."""
    def known(kind, among, name):
        if name not in among:
            raise Error(f"there is no {kind} {name!r}")
        return among[name]

    text = MARKED.sub(lambda found: found[1] + known("table", TABLES, found[2])() + found[3], text)
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
