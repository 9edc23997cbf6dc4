# SPDX-License-Identifier: MIT
"""The page: one file with all pictures and all data, which loads nothing and runs nothing."""
import base64
import html
import json

import pictures
from charts import OF_TYPE
from references import References
from results import count, digits, duration, percent, scaled, spread
from sections import SECTIONS, listed, table, why_missing

STYLE = """
:root { color-scheme: light; }
body { margin: 0 auto; padding: 1.5rem 1.2rem 4rem; max-width: 960px; background: #fff; color: #1f2328;
  font: 16px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "DejaVu Sans", Arial, sans-serif; }
h1 { font-size: 1.9rem; line-height: 1.2; margin: .5rem 0 .3rem; } h2 { margin: 3rem 0 .4rem; font-size: 1.4rem;
  border-top: 1px solid #d1d9e0; padding-top: 1.4rem; }
p { margin: .5rem 0; } .lead { font-size: 1.15rem; } .against { border-left: 4px solid #8a929b; padding-left: .8rem; }
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
    references = References()
    (folder / "report.html").write_text(page(results, references), encoding="utf-8")
    if headline := pictures.headline(results, references):
        (folder / "headline.svg").write_text(headline, encoding="utf-8")


def page(results, references):
    title = "blockfw on " + listed(result.machines for result in results)
    parts = [f"<h1>{html.escape(title)}</h1>", *introduction(results), *map(warning, results), *map(unsteady, results),
             *(facts(result) for result in results), how_to_read(results)]
    drawn = [(section, figures) for section in SECTIONS
             if (figures := [figure for figure in section.draw(results, references) if figure]) and is_own(section, results)]
    parts.append(contents([section for section, _ in drawn]))
    for number, (section, figures) in enumerate(drawn, 1):
        parts += draw_section(number, section, figures, results, references)
    left_out = [section for section in SECTIONS if section not in [section for section, _ in drawn]]
    if left_out:
        parts.append("<h2>Left out</h2><ul>" + "".join(
            f"<li>{section.title}: {html.escape(why_missing(section, results))}.</li>" for section in left_out) + "</ul>")
    parts += sources(references)
    return (f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>{html.escape(title)}</title>\n'
            '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
            f"<style>{STYLE}</style></head>\n<body>\n" + "\n".join(parts) + "\n</body></html>\n")


def introduction(results):
    said = []
    for result in results:
        best = max((m for m in result.of("solve", "int32") if m.shares()), key=lambda m: m.n, default=None)
        if best:
            time, rate = duration(spread(best.seconds)[1]), scaled(spread(best.rates())[1], "relax/s")
            said.append(f"All shortest paths among {best.n} vertices in {together(time)} on "
                        f"{html.escape(result.machine)}: {together(rate)}, "
                        f"<b>{percent(spread(best.shares())[1])} of what the machine's registers can do</b>.")
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


def together(text):
    """The text with spaces at which no line breaks."""
    return text.replace(" ", "\u00a0")


def facts(result):
    header, context, machine = result.header, result.context, result.header.get("machine", {})
    gpus = [gpu.get("name", "") + (f" (driver {gpu['driver']})" if gpu.get("driver") else "")
            for gpu in machine.get("gpus", [])]
    measured = [m for m in result.all.values() if m.skipped is None]
    left_out = len(result.all) - len(measured)
    limits = [f"{type} {scaled(limit, 'relax/s')}" for type in OF_TYPE if (limit := result.limit(type))]
    bandwidths = [f"{which} {scaled(rate, 'B/s')}" for which in ("memory", "scratch")
                  if (rate := result.bandwidth(which))]
    cpu = [machine.get("cpu"), count(machine["cores"], "hardware thread") if machine.get("cores") else "",
           machine.get("caches"), f"{machine['memory_gib']} GiB" if machine.get("memory_gib") else "", "a virtual machine" if machine.get("virtual") else "",
           machine.get("kernel")]
    rows = {
        "machine": ", ".join(part for part in cpu if part),
        "GPU": ", ".join(gpus) or context.get("device", ""),
        "built with": ", ".join(part for part in (context.get("compiler"), f"Kokkos {context.get('kokkos')}",
                                context.get("backend"), f"{context.get('vector_bytes')}-byte vectors"
                                if context.get("vector_bytes") and not result.on_device else "",
                                context.get("build"), *(f"{key.upper()}={context[key]}" for key in
                                                        ("omp_proc_bind", "omp_places") if context.get(key)))
                                if part),
        "blockfw": f"{context.get('library', '')}, commit {header.get('commit')}",
        "measured": f"{header.get('begun', '').replace('T', ' ').replace('Z', ' UTC')}, plan {header.get('plan')}: "
                    f"{count(len(measured), 'measurement')}, {count(sum(len(m.seconds) for m in measured), 'sample')}"
                    + (f", {left_out} could not be made" if left_out else ""),
        "its limits": ", ".join(limits + bandwidths),
        "load": f"{header['load']} processes wanted to run when it began" if header.get("load", 0) >= 0.5 else "",
    }
    data = base64.b64encode(as_lines(result).encode()).decode()
    rows = "".join(f"<tr><th>{name}</th><td>{html.escape(text)}</td></tr>" for name, text in rows.items() if text)
    return (f'<table class="facts"><tbody>{rows}<tr><th>raw data</th><td><a download="report.jsonl" '
            f'href="data:application/json;base64,{data}">report.jsonl</a>, every sample; each section has its own '
            "below the pictures</td></tr></tbody></table>")


def as_lines(result):
    return "\n".join([json.dumps(result.header), *(m.line() for m in result.all.values())]) + "\n"


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


def contents(sections):
    return "<nav>" + "".join(f'<a href="#s{number}">{number}. {section.title}</a>'
                             for number, section in enumerate(sections, 1)) + "</nav>"


# Experiments that are drawn from the measurements of others.
MADE_OF = {"roofline": ["phases", "tiles"], "metrics": ["metrics", "phases"]}


def data_of(section):
    """The experiments that a section takes its measurements from."""
    return [name for experiment in section.experiments for name in MADE_OF.get(experiment, [experiment])]


def is_own(section, results):
    """Whether the section shows measurements of ours, and not only reported ones."""
    return not section.experiments or any(result.of(name) for result in results for name in data_of(section))


def draw_section(number, section, figures, results, references):
    yield f'<h2 id="s{number}">{number}. {section.title}</h2>'
    yield f"<p>{section.what}</p>"
    for figure in figures:
        yield f"<figure>{figure}</figure>" if figure.startswith("<svg") else figure
    for sentence in section.compare(results, references) if section.compare else []:
        yield f'<p class="against">{html.escape(sentence)}</p>'
    for result in results:
        yield from raw(section, result, f" of {result.machine}" if len(results) > 1 else "")
    yield from reported(section, references)


def raw(section, result, whose):
    """Every sample of a section's experiments, and what was skipped."""
    names = data_of(section) or sorted({m.experiment for m in result.all.values()} - {
        name for other in SECTIONS for name in other.experiments})
    found = [m for m in result.all.values() if m.experiment in names]
    if not found:
        return
    counters = list(dict.fromkeys(name for m in found for name in m.counters))
    rows = []
    for m in found:
        if m.skipped is not None:
            rows.append([m.name, m.skipped] + [""] * (len(counters) + 1))
        else:
            rows.append([m.name, samples(m.seconds), samples(m.shares()), *(samples(m.counters.get(name, []))
                                                                           for name in counters)])
    yield (f"<details><summary>Raw data{html.escape(whose)}: {count(len(found), 'measurement')}, every sample</summary>"
           + table(["name", "seconds", "share of the limit", *counters], rows, "raw")
           + "</details>")


def samples(values):
    """All values as a text; a single one if they are equal."""
    texts = ["" if value is None else f"{value:.4g}" for value in values]
    return texts[0] if len(set(texts)) == 1 else "  ".join(texts)


def reported(section, references):
    wanted = ["strong", "weak"] if section.experiments == ["scaling"] else section.experiments
    figures = references.of(*wanted)
    if not figures:
        return
    rows = []
    for figure in figures:
        values = ", ".join(f"{point['x']}: {digits(point['value'])}" for point in figure["points"])
        what = "; ".join(str(part) for part in (figure.get("series"), figure.get("note")) if part)
        rows.append([figure["card"] or "", figure.get("n") or "", f"{figure['x']}, {figure['unit']}", values, what,
                     references.number(figure["source"])])
    yield (f"<details><summary>The course reports' numbers: {len(figures)} series</summary>"
           + table(["card", "n", "by, in", "values", "note", "source"], rows, "text")
           + "</details>")


def sources(references):
    if not references.sources:
        return
    yield '<h2 id="sources">Sources of the course reports\' numbers</h2><ol>'
    for source in references.sources.values():
        yield f"<li>{html.escape(source.get('what', ''))}. {html.escape(source.get('where', ''))}</li>"
    yield "</ol>"
    if references.cards:
        rows = [[card, one.get("limit_trelax", ""), one.get("how", "")] for card, one in references.cards.items()]
        yield table(["card", "limit, Trelax/s", "how it is known"], rows, "text")
