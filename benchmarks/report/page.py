# SPDX-License-Identifier: MIT
"""The page: one file with all pictures and all data, which loads nothing and runs nothing."""
import base64
import html
import json
from pathlib import Path

import pictures
from pictures import OF_TYPE, table
from references import REPORTED
from results import count, digits, duration, listed, percent, scaled

# Of each section: its title, the experiments that it shows, what these are, what draws it.
SECTIONS = [
    ("Solves", ["solve"],
     "The solver as it is called, for each type and size, beside the rate of add and min on registers alone, the best "
     "that the same process measured in the half minute before.", pictures.solves),
    ("Vectors chosen at run time", ["vectors"],
     "The solver compiled for any processor, with each level of vectors that this one has, beside the solver as the "
     "other experiments have it, compiled for this machine as a rule.", pictures.levels),
    ("Blocking factor and register tile", ["tiles"],
     "The same graph with blocks of 8 to 256 and with different register tiles. Operations count an add and a minimum: "
     "2n³/t, as the course reports do.", pictures.tiles),
    ("The optimisation ladder", ["ladder"],
     "One graph, solved step by step from the textbook's loops to what the library does; each step goes on from the "
     "one before, and its distances are compared with the library's.", pictures.ladder),
    ("The three phases", ["phases"],
     "Phase 1 closes the pivot's block, phase 2 its row and column, phase 3 the rest. Each is fenced here; the solver "
     "runs the next pivot's phases beside phase 3.", pictures.phases),
    ("Reading, copying, solving, writing", ["steps"],
     "The homework's program on generated graphs, from its start to the written file, by its own clock. The files lie "
     "in the temporary folder, in the page cache as a rule.", pictures.steps),
    ("Weak and strong scaling", ["scaling"],
     "Strong: the same graph on more devices or threads. Weak: a graph whose n³ grows with them. One device has the "
     "solver for one device. Devices are also measured in 16 bits, and with half the work of a symmetric matrix.",
     pictures.scaling),
    ("Three methods of exchange", ["exchange"],
     "Two shares, each of which updates its own rows, round by round: before a round each sends all of its rows; or "
     "the pivots' rows and columns; or one sends the pivots' rows, updated, since the columns lie with each one's own "
     "rows. With the first two each holds the whole matrix and makes all panels, as the courses' programs do, and so "
     "has more work, too. They wait for each copy. Last the library, which sends the row while the round before is at "
     "work. All distances are compared with those of one instance.", pictures.exchange),
    ("Kernel metrics", ["metrics", "phases"],
     "What phase 3 reaches of the machine's peaks: by Nsight Compute where it may be used, else bytes and relaxes "
     "counted from the algorithm, over the time that was measured. Those of memory are of tiles and panels, which "
     "caches serve in part.", pictures.kernel_metrics),
    ("Roofline", ["roofline", "phases", "tiles"],
     "Each phase and tile under the roofs that were measured here: bandwidth of memory and of scratch (on a host the "
     "first cache), and add and min on registers alone. Above memory's roof a point is served by caches.",
     pictures.roofline),
    ("Other programs", ["peers", "naive"],
     "Other programs for all pairs' shortest paths, on the same graph in the same run; all results are equal. The "
     "graph has 10% of all edges, of weights 1 to 1000. Start-up, reading, generating and, on a GPU, copies do not "
     "count. (SciPy, igraph and NetworkX work with doubles.)", pictures.peers),
    ("CPU against GPU", ["crossover"],
     "From a matrix on the host to its distances on the host: the host's cores, and the device with its copies.",
     pictures.crossover),
    ("Energy", ["energy"],
     "The median power while the program solves for seconds, without the first, times the seconds of a solve.",
     pictures.energy),
    ("Other problems on the same graph", ["gains"],
     "Distances in fewer bits, half the work of an undirected graph, other semirings, and who reaches whom, 32 "
     "vertices a word. (Paths come after a solve, and count no relaxes.)", pictures.gains),
    ("Updates and measures", ["updates"],
     "What takes O(n²): an edge or a vertex more, and sums over rows or columns of distances.", pictures.updates),
]
OTHERS = "Further experiments", "The library's other parts."

STYLE = Path(__file__).with_name("page.css")


def write(results, folder):
    (folder / "report.html").write_text(page(results), encoding="utf-8")
    if headline := next(pictures.solves(results), None):
        (folder / "headline.svg").write_text(headline, encoding="utf-8")


def page(results):
    title = "blockfw on " + listed(result.machines for result in results)
    rest = sorted({m.experiment for result in results for m in result.all.values()}
                  - {name for _, experiments, *_ in SECTIONS for name in experiments})
    sections = [*SECTIONS, (OTHERS[0], rest, OTHERS[1], lambda results: pictures.others(results, rest))]
    names, drawn, left_out = [], [], []
    for name, experiments, what, draw in sections:
        shown = [one for one in draw(results) if one]
        # (Sentences and the reports' tables alone are no section.)
        if any(one.startswith("<") for one in shown) and any(result.of(one) for result in results for one in experiments):
            names.append(name)
            drawn += section(len(names), name, experiments, what, shown, results)
        else:
            left_out.append(f"<li>{name}: {html.escape(why_missing(experiments, results))}.</li>")
    return "\n".join([
        f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>{html.escape(title)}</title>',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f"<style>\n{STYLE.read_text()}</style></head>\n<body>", f"<h1>{html.escape(title)}</h1>", *introduction(results),
        *map(warning, results), *map(unsteady, results), *map(facts, results), how_to_read(results),
        "<nav>" + "".join(f'<a href="#s{number}">{number}. {name}</a>' for number, name in enumerate(names, 1)) + "</nav>",
        *drawn, *(["<h2>Left out</h2><ul>" + "".join(left_out) + "</ul>"] if left_out else []), *sources(),
        "</body></html>\n"])


def introduction(results):
    said = []
    for result in results:
        for m in result.of("solve", "int32", has="share")[-1:]:
            time, rate = (text.replace(" ", "\u00a0")  # no line breaks there
                          for text in (duration(m.median("seconds")), scaled(m.median("relaxes/s"), "relax/s")))
            said.append(f"All shortest paths among {m.n} vertices in {time} on {html.escape(result.machine)}: {rate}, "
                        f"<b>{percent(m.median('share'))} of what the machine's registers can do</b>.")
    return [f'<p class="lead">{"<br>".join(said)}</p>'] if said else []


def warning(result):
    """A warning if the program was built without optimisation."""
    build = result.context.get("build", "")
    if not build.lower().startswith(("not ", "debug")):
        return ""
    return (f'<p class="warning">The program was built without optimisation ({html.escape(build)}): what '
            f"{html.escape(result.machine)} can do is not to be seen here.</p>")


APART = 1.2  # if a type's greatest limit over its least is above this, the result is unreliable


def unsteady(result):
    """A warning if the machine's speed changed during the measurements."""
    least, most, type = max(((min(limits), max(limits), type) for type in OF_TYPE if (limits := result.limits(type))),
                            key=lambda one: one[1] / one[0], default=(1, 1, None))
    if most < APART * least:
        return ""
    return (f'<p class="warning">While {html.escape(result.machine)} was measured, its limit of {type} went from '
            f"{scaled(least, 'relax/s')} to {scaled(most, 'relax/s')}: something else was running, or its clock "
            "changed. Shares are of the limit beside each sample; times and all that is drawn of them are uncertain."
            "</p>")


def facts(result):
    header, context, machine = result.header, result.context, result.header.get("machine", {})
    joined = lambda parts: ", ".join(part for part in parts if part)
    text_of = lambda among, key, text="{}": text.format(among[key]) if among.get(key) else ""
    measured = result.done()
    rows = {
        "machine": joined([text_of(machine, "cpu"), machine.get("cores") and count(machine["cores"], "hardware thread"),
                           text_of(machine, "caches"), text_of(machine, "memory_gib", "{} GiB"),
                           machine.get("virtual") and "a virtual machine", text_of(machine, "kernel")]),
        "GPU": joined(gpu.get("name", "") + text_of(gpu, "driver", " (driver {})") for gpu in machine.get("gpus", []))
        or context.get("device", ""),
        "built with": joined([context.get("compiler"), f"Kokkos {context.get('kokkos')}", context.get("backend"),
                              not result.on_device and text_of(context, "vector_bytes", "{}-byte vectors"),
                              context.get("build"), text_of(context, "omp_proc_bind", "OMP_PROC_BIND={}"),
                              text_of(context, "omp_places", "OMP_PLACES={}")]),
        "blockfw": f"{context.get('library', '')}, commit {header.get('commit')}",
        "measured": f"{header.get('begun', '').replace('T', ' ').replace('Z', ' UTC')}, plan {header.get('plan')}: "
                    f"{count(len(measured), 'measurement')}, {count(sum(len(m.seconds) for m in measured), 'sample')}"
                    + (f", {len(result.all) - len(measured)} could not be made" if len(result.all) > len(measured) else ""),
        "its limits": joined([*(f"{type} {scaled(limit, 'relax/s')}" for type in OF_TYPE if (limit := result.limit(type))),
                              *(f"{which} {scaled(rate, 'B/s')}" for which in ("memory", "scratch")
                                if (rate := result.bandwidth(which)))]),
        "load": f"{header['load']} processes wanted to run when it began" if header.get("load", 0) >= 0.5 else "",
    }
    lines = "\n".join([json.dumps(header), *(m.line() for m in result.all.values())]) + "\n"
    data = base64.b64encode(lines.encode()).decode()
    rows = "".join(f"<tr><th>{name}</th><td>{html.escape(text)}</td></tr>" for name, text in rows.items() if text)
    return (f'<table class="facts"><tbody>{rows}<tr><th>raw data</th><td><a download="report.jsonl" '
            f'href="data:application/json;base64,{data}">report.jsonl</a>, every sample; each section has its own '
            "below the pictures</td></tr></tbody></table>")


def how_to_read(results):
    few = min((len(m.seconds) for result in results for m in result.of("solve")), default=0)
    return ("<p><b>How to read it.</b> A <i>relax</i> is one step <code>c = min(c, a + b)</code>; a solve takes n³ of "
            "them. The <i>limit</i> is how many a second the machine does on registers alone, the best that "
            "the same process measured in the half minute before. Points are medians; whiskers are quartiles, or "
            f"the least and the greatest of fewer than five samples{f' (here {few} and more a solve)' if few else ''}. "
            "A sample is the mean of as many calls as fill the least time of Google Benchmark; how many is among the "
            "raw data as <i>calls</i>. "
            "What is grey or hollow with a number in brackets is from course reports, on their own cards and, where it "
            "is a share, of those cards' own limits. Bytes are counted from the algorithm, not sampled, unless it says "
            "otherwise.</p>")


def section(number, name, experiments, what, shown, results):
    yield f'<h2 id="s{number}">{number}. {name}</h2>'
    yield f"<p>{what}</p>"
    for one in shown:
        if one.startswith("<"):
            yield f"<figure>{one}</figure>" if one.startswith("<svg") else one
    yield from (f'<p class="against">{html.escape(one)}</p>' for one in shown if not one.startswith("<"))
    for result in results:
        yield from raw(experiments, result, f" of {result.machine}" if len(results) > 1 else "")
    yield from reported(experiments)


def raw(experiments, result, whose):
    """Every sample of the experiments, and what was skipped."""
    found = [m for m in result.all.values() if m.experiment in experiments]
    if not found:
        return
    counters = list(dict.fromkeys(name for m in found for name in m.counters))
    columns = ["seconds", "share", *counters]
    rows = [[m.name, *(alike(m.counters.get(what, []) if what in counters else m.samples(what)) for what in columns)]
            if m.skipped is None else [m.name, m.skipped] + [""] * (len(columns) - 1) for m in found]
    yield (f"<details><summary>Raw data{html.escape(whose)}: {count(len(found), 'measurement')}, every sample</summary>"
           + table(["name", "seconds", "share of the limit", *counters], rows, "raw")
           + "</details>")


def alike(values):
    """All values as a text; a single one if they are equal."""
    texts = ["" if value is None else f"{value:.4g}" for value in values]
    return texts[0] if len(set(texts)) == 1 else "  ".join(texts)


def reported(experiments):
    figures = REPORTED.of(*(["strong", "weak"] if experiments == ["scaling"] else experiments[:1]))
    rows = [[of.card or "", of.n or "", f"{of.x}, {of.unit}", ", ".join(f"{x}: {digits(value)}" for x, value in of.points),
             "; ".join(part for part in (of.series, of.note) if part), of.cite] for of in figures]
    if rows:
        yield (f"<details><summary>The course reports' numbers: {len(figures)} series</summary>"
               + table(["card", "n", "by, in", "values", "note", "source"], rows, "text") + "</details>")


def sources():
    yield '<h2 id="sources">Sources of the course reports\' numbers</h2><ol>'
    for source in REPORTED.sources.values():
        yield f"<li>{html.escape(source['what'])}. {html.escape(source['where'])}</li>"
    yield "</ol>"
    yield table(["card", "limit, Trelax/s", "how it is known"],
                [[card, one["limit_trelax"], one["how"]] for card, one in REPORTED.cards.items()], "text")


def why_missing(experiments, results):
    """The reason, in one line, why a section is missing."""
    if experiments == ["scaling"] and any(result.of("scaling") for result in results):
        return f"one {'device' if all(result.on_device for result in results) else 'thread'} only"
    if experiments == ["crossover"] and not any(result.on_device for result in results):
        return "no device here; scripts/report --draw CPU.jsonl GPU.jsonl draws two results on one page"
    skipped = [m.skipped for result in results for m in result.all.values() if m.experiment in experiments and m.skipped]
    if skipped:
        return skipped[0]
    if "metrics" in experiments and not any(result.on_device for result in results):
        return "no device, and the phases were not measured"
    return "not measured"
