# SPDX-License-Identifier: MIT
"""The page: one file with all pictures and all data, which loads nothing and runs nothing."""
import base64
import html
import json

import sections
from results import count, duration, listed, percent, scaled
from sections import SECTIONS, TYPES, table

OTHERS = "Further experiments", "The library's other parts."

STYLE = """\
:root { color-scheme: light; }
body { margin: 0 auto; padding: 1.5rem 1.2rem 4rem; max-width: 960px; background: #fff; color: #1f2328;
  font: 16px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "DejaVu Sans", Arial, sans-serif; }
h1 { font-size: 1.9rem; line-height: 1.2; margin: .5rem 0 .3rem; } h2 { margin: 3rem 0 .4rem; font-size: 1.4rem;
  border-top: 1px solid #d1d9e0; padding-top: 1.4rem; }
p { margin: .5rem 0; } .lead { font-size: 1.15rem; }
.warning { border-left: 4px solid #d55e00; padding-left: .8rem; font-weight: 600; }
.none { color: #59636e; } figure { margin: 1.2rem 0; } svg { width: 100%; height: auto; display: block; }
table { border-collapse: collapse; font-size: .88rem; margin: .8rem 0; font-variant-numeric: tabular-nums; }
th, td { padding: .22rem .9rem .22rem 0; text-align: right; vertical-align: top; border-bottom: 1px solid #e4e7eb; }
th:first-child, td:first-child { text-align: left; } thead th { border-bottom: 2px solid #59636e; }
.facts th { font-weight: 600; white-space: nowrap; } .facts td { text-align: left; }
.raw td { font-size: .8rem; white-space: nowrap; } .wide { overflow-x: auto; }
.text td, .text th { text-align: left; }
details { margin: .6rem 0; } summary { cursor: pointer; color: #0550ae; } a { color: #0550ae; }
nav { columns: 3; font-size: .95rem; margin: 1rem 0; } nav a { display: block; text-decoration: none; }
@media (max-width: 600px) { nav { columns: 1; } }
@media print { body { max-width: none; padding: 0; } h2 { break-after: avoid; } figure, tr { break-inside: avoid; }
  details:not([open]) { display: none; } nav { display: none; } }
"""


def write(results, folder):
    (folder / "report.html").write_text(page(results), encoding="utf-8")
    if headline := next(sections.solves(results), None):
        (folder / "headline.svg").write_text(headline, encoding="utf-8")


def page(results):
    title = "blockfw on " + listed(result.machines for result in results)
    rest = sorted({m.experiment for result in results for m in result.all.values()}
                  - {name for _, experiments, *_ in SECTIONS for name in experiments})
    shown_here = [*SECTIONS, (OTHERS[0], rest, OTHERS[1], lambda results: sections.others(results, rest))]
    names, drawn, left_out = [], [], []
    for name, experiments, what, draw in shown_here:
        shown = [one for one in draw(results) if one]
        if shown:
            names.append(name)
            drawn += section(len(names), name, experiments, what, shown, results)
        else:
            left_out.append(f"<li>{name}: {html.escape(why_missing(experiments, results))}.</li>")
    return "\n".join([
        f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>{html.escape(title)}</title>',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f"<style>\n{STYLE}</style></head>\n<body>", f"<h1>{html.escape(title)}</h1>", *introduction(results),
        *map(warning, results), *map(unsteady, results), *map(facts, results), how_to_read(results),
        "<nav>" + "".join(f'<a href="#s{number}">{number}. {name}</a>' for number, name in enumerate(names, 1)) + "</nav>",
        *drawn, *(["<h2>Left out</h2><ul>" + "".join(left_out) + "</ul>"] if left_out else []),
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
    least, most, type = max(((min(limits), max(limits), type) for type in TYPES if (limits := result.limits(type))),
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
        "its limits": joined([*(f"{type} {scaled(limit, 'relax/s')}" for type in TYPES if (limit := result.limit(type))),
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
            "raw data as <i>calls</i>.</p>")


def section(number, name, experiments, what, shown, results):
    yield f'<h2 id="s{number}">{number}. {name}</h2>'
    yield f"<p>{what}</p>"
    for one in shown:
        yield f"<figure>{one}</figure>" if one.startswith("<svg") else one
    for result in results:
        yield from raw(experiments, result, f" of {result.machine}" if len(results) > 1 else "")


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


def why_missing(experiments, results):
    """The reason, in one line, why a section is missing."""
    if experiments == ["scaling"] and any(result.of("scaling") for result in results):
        return f"one {'device' if all(result.on_device for result in results) else 'thread'} only"
    if experiments == ["crossover"] and not any(result.on_device for result in results):
        return "no device here; scripts/report --draw CPU.jsonl GPU.jsonl draws two results on one page"
    skipped = [m.skipped for result in results for m in result.all.values() if m.experiment in experiments and m.skipped]
    if skipped:
        return skipped[0]
    return "not measured"
