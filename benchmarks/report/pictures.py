# SPDX-License-Identifier: MIT
"""The pictures, a function for each. A title says what was found, the line below it on which machine and at which n."""
import math
import textwrap

from matplotlib.ticker import FuncFormatter, MaxNLocator, PercentFormatter

from charts import (BLUE, COLOURS, GHOST, GREEN, INK, MARKERS, OF_TYPE, ORANGE, PALE, PINK, RED, SKY, bars,
                    ghost_lines, legend, log_axis, picture, place_labels, room_on_log_axis, samples, scaled_axis,
                    share_axis, svg, swatch)
from compare import BELOW
from references import is_whole
from results import count, digits, duration, percent, scaled, spread
from steps import parts_of


def where(result, *more):
    return ", ".join([*map(str, more), result.machine])


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


def headline(results, references):
    solves = [m for result in results for m in result.of("solve") if m.shares()]
    if not solves:
        return None
    best = []
    for result in results:
        largest = max((m for m in result.of("solve", "int32") if m.shares()), key=lambda m: m.n, default=None)
        if largest:
            best.append((largest.n, percent(spread(largest.shares())[1]), result.context.get("backend")))
    title = (f"At n = {best[0][0]} int32 runs at {best[0][1]} of the machine's limit" if len(best) == 1 else
             "int32 runs at " + ", ".join(f"{share} of the limit with {backend}" for _, share, backend in best))
    figure, (axes,) = picture(title if best else "Solves beside the machine's limit",
                              "; ".join(where(result) for result in results) + f"; {whiskers(solves)}", 4.9)
    xs, top = [], 1.0
    for number, result in enumerate(results):
        for type, (colour, marker) in OF_TYPE.items():
            found = sorted((m for m in result.of("solve", type) if m.shares()), key=lambda m: m.n)
            if found:
                label = type if len(results) == 1 else f"{type}, {result.context.get('backend')}"
                middle = samples(axes, [m.n for m in found], [m.shares() for m in found], color=colour, marker=marker,
                                 label=label, linestyle=["-", "--", ":", "-."][number % 4], zorder=4)
                xs += [m.n for m in found]
                top = max(top, *middle)
    reported = references.best_of_cards()
    for point in reported:
        axes.plot(point.n, point.share, "D", color="white", markeredgecolor=GHOST, markeredgewidth=2, zorder=3,
                  label="course reports: a card's best, of its own limit")
    axes.set_xlabel("vertices n")
    log_axis(axes.xaxis, xs + [point.n for point in reported])
    share_axis(axes, top)
    axes.annotate("the limit: add and min on registers alone", (0.008, 1), xycoords=("axes fraction", "data"),
                  xytext=(0, 4), textcoords="offset points", fontsize=11)
    legend(figure, axes, columns=3)
    place_labels(figure, axes, [(p.n, p.share, f"{p.card} {percent(p.share)} {references.number(p.source)}")
                                for p in reported])
    return svg(figure)


def register_tiles(found):
    return sorted({(m.keys.get("rows"), m.keys.get("cols")) for m in found}, key=lambda tile: (tile[0] * tile[1], tile))


def by_block(found, tile):
    return sorted((m for m in found if (m.keys.get("rows"), m.keys.get("cols")) == tile), key=lambda m: m.keys["block"])


def draw_tiles(axes, found, values):
    """A line for each register tile. Returns all values that have to have room."""
    drawn = []
    for number, tile in enumerate(register_tiles(found)):
        line = [m for m in by_block(found, tile) if values(m)]
        if line:
            drawn += samples(axes, [m.keys["block"] for m in line], [values(m) for m in line],
                             color=COLOURS[number % 10], marker=MARKERS[number % 10], zorder=4,
                             label=f"{tile[0]} × {tile[1]}")
    return drawn


def name_of_tile(m):
    return f"block {m.keys['block']}, register tile {m.keys['rows']} × {m.keys['cols']}"


def tile_shares(result, references, type, n):
    found = [m for m in result.of("tiles", type, n=n) if m.shares()]
    best = max(found, key=lambda m: spread(m.shares())[1])
    share = spread(best.shares())[1]
    figure, (axes,) = picture(
        f"{name_of_tile(best)[0].upper()}{name_of_tile(best)[1:]}, reaches {percent(share)} of the limit",
        f"{where(result, type, f'n = {n}')}; {whiskers(found)}; grey: course reports, of their own cards' limits", 4.9)
    middle = draw_tiles(axes, found, lambda m: m.shares())
    lines = []
    for figure_of in references.of("tiles", x="block"):
        points = references.points(figure_of)
        if points:
            series = f" ({figure_of['series']})" if figure_of.get("series") else ""
            lines.append((f"{figure_of['card']}{series}, n = {figure_of['n']} {references.number(figure_of['source'])}",
                          [p.x for p in points], [p.share for p in points]))
    ghost_lines(axes, lines)
    axes.set_xlabel("blocking factor (vertices along a block's side)")
    log_axis(axes.xaxis, [m.keys["block"] for m in found] + [x for _, xs, _ in lines for x in xs])
    share_axis(axes, max(middle))
    limit = spread(best.counters["limit"])[1]
    gops = axes.secondary_yaxis("right", functions=(lambda s: s * limit * 2, lambda g: g / limit / 2))
    gops.set_ylabel("operations a second, 2n³/t")
    scaled_axis(gops.yaxis, "OPS")
    legend(figure, axes)
    return svg(figure)


def tile_curves(result, references, type, n):
    """How much the block matters, here and in the reports, whose times are of whole programs as a rule."""
    best = {}
    for m in result.of("tiles", type, n=n):
        block = m.keys["block"]
        if m.rates() and (block not in best or spread(m.rates())[1] > spread(best[block].rates())[1]):
            best[block] = m
    theirs = list(references.curves())
    if len(best) < 2 or not theirs:
        return None
    blocks = sorted(best)
    slowest, *_, fastest = sorted(blocks, key=lambda block: spread(best[block].rates())[1])
    top = spread(best[fastest].rates())[1]
    figure, (axes,) = picture(
        f"Block {fastest} is {digits(top / spread(best[slowest].rates())[1], 2)} times as fast as block {slowest}",
        f"{where(result, type, f'n = {n}')}; speed relative to the fastest block of the same program, here with the "
        "best register tile of each; grey: course reports, whose times are of whole programs or not said of what", 4.2)
    drawn = samples(axes, blocks, [[rate / top for rate in best[block].rates()] for block in blocks], color=BLUE,
                    marker="o", label="here", zorder=4)
    ghost_lines(axes, [(of["card"] + (f", n = {of['n']}" if of.get("n") else "") + f" {references.number(of['source'])}",
                        xs, ys) for of, xs, ys in theirs])
    axes.set_xlabel("blocking factor")
    log_axis(axes.xaxis, blocks + [x for _, xs, _ in theirs for x in xs])
    axes.set_ylabel("of the fastest block's speed")
    axes.yaxis.set_major_formatter(PercentFormatter(1))
    axes.set_ylim(0, 1.06 * max(drawn))
    legend(figure, axes)
    return svg(figure)


def tile_bandwidth(result, references, type, n):
    found = result.of("tiles", type, n=n)
    panels = [("memory", "bytes", "tiles and memory or its caches", "global"),
              ("scratch", "scratch_bytes", "scratch and registers", "shared")]
    panels = [panel for panel in panels if any(m.rates(panel[1]) for m in found)]
    if not panels:
        return None
    said = []
    best = max(found, key=lambda m: spread(m.rates())[1])
    for which, counter, _, _ in panels:
        roof = result.bandwidth(which)
        if roof and best.rates(counter):
            share = spread(best.rates(counter))[1] / roof
            said += [f"{percent(share)} of {which}'s"] if share <= 1 else []  # caches deliver more than memory
    figure, row = picture(f"The fastest tile's threads ask for {' and '.join(said)} bandwidth" if said else
                          "Bandwidth by block",
                          f"{where(result, type, f'n = {n}')}; bytes counted as the kernels ask for them, what caches "
                          "and broadcasts serve included; grey: load and store of course reports", 4.6, len(panels))
    for axes, (which, counter, title, theirs) in zip(row, panels):
        values = draw_tiles(axes, found, lambda m: m.rates(counter))
        lines = reported_bandwidth(references, theirs)
        ghost_lines(axes, lines)
        axes.set_yscale("log")
        values += [y for _, _, ys in lines for y in ys]
        if roof := result.bandwidth(which):
            axes.axhline(roof, color=INK, linewidth=1.2, linestyle=(0, (6, 3)))
            axes.annotate(f"measured {scaled(roof, 'B/s')}", (0.99, roof), xycoords=("axes fraction", "data"),
                          ha="right", xytext=(0, 5), textcoords="offset points", fontsize=11)
            values.append(roof)
        axes.set_title(title)
        axes.set_xlabel("blocking factor")
        log_axis(axes.xaxis, [m.keys["block"] for m in found] + [x for _, xs, _ in lines for x in xs], least=0.11)
        room_on_log_axis(axes, min(values), max(values))
        scaled_axis(axes.yaxis, "B/s")
    row[0].set_ylabel("bytes a second")
    legend(figure, *row)
    return svg(figure)


def reported_bandwidth(references, memory):
    """Load and store together, where a report has both by block."""
    sums = {}
    for figure in references.of("metrics", x="block", unit="GB/s"):
        if figure.get("series", "").startswith(memory):
            line = sums.setdefault((figure["card"], figure["source"]), {})
            for point in figure["points"]:
                line[point["x"]] = line.get(point["x"], 0) + point["value"] * 1e9
    return [(f"{card} {references.number(source)}", list(line), list(line.values()))
            for (card, source), line in sums.items()]


# The share of a multiprocessor's threads that the tile's launch bounds and scratch allow at once. (The second is the old
# name. This is not the achieved occupancy of a profiler.)
RESIDENT = ("resident", "occupancy")


def tile_times(result, type, n):
    found = [m for m in result.of("tiles", type, n=n) if m.counter("phase3")]
    if not found:
        return None
    panels = [("phase3", "phase 3 alone,\na launch for each round", "s"), ("teams", "teams in a launch", "")]
    panels = [*(panel for panel in panels if any(m.counter(panel[0]) for m in found)),
              *((counter, "threads held at once,\nby bounds and scratch", "%") for counter in RESIDENT
                if any(m.counter(counter) for m in found))]
    fastest = min(found, key=lambda m: m.counter("phase3"))
    figure, row = picture(f"Phase 3 alone is shortest, {duration(fastest.counter('phase3'))}, with "
                          f"{name_of_tile(fastest)}",
                          f"{where(result, type, f'n = {n}')}; fenced after each phase of each round, which "
                          "small blocks with their many rounds pay for", 4.4, len(panels))
    for axes, (counter, title, unit) in zip(row, panels):
        values = draw_tiles(axes, found, lambda m: m.known(counter))
        axes.set_title(title)
        axes.set_xlabel("blocking factor")
        log_axis(axes.xaxis, [m.keys["block"] for m in found], least=0.14)
        if unit == "%":
            axes.yaxis.set_major_formatter(PercentFormatter(1))
            axes.set_ylim(0, 1.05)
        else:
            axes.set_yscale("log")
            room_on_log_axis(axes, min(values), max(values))
            scaled_axis(axes.yaxis, unit)
    legend(figure, *row)
    return svg(figure)


def ladder(result, n):
    steps = [m for m in result.of("ladder", n=n) if m.rates()]
    if not steps:
        return None
    gops = [[2 * rate for rate in m.rates()] for m in steps]
    middle = [spread(values)[1] for values in gops]
    figure, (axes,) = picture(
        f"{count(len(steps), 'step')} from {scaled(middle[0], 'OPS')} to {scaled(max(middle), 'OPS')}, "
        f"{digits(max(middle) / middle[0])} times as fast",
        f"{where(result, 'int32', f'n = {n}')}; {whiskers(steps)}; × is the factor to the step before",
        0.46 * len(steps) + 1.2)
    colours = [SKY if m.keys["step"] in BELOW else BLUE for m in steps]
    bars(axes, [m.keys["step"] for m in steps], gops, colours, "OPS")
    limit = result.limit("int32")
    if limit:
        axes.axvline(2 * limit, color=INK, linewidth=1.2, linestyle=(0, (6, 3)))
        axes.annotate("limit of int32", (2 * limit, 1), xycoords=("data", "axes fraction"), xytext=(0, 3),
                      textcoords="offset points", fontsize=11, ha="center")
    axes.set_xlabel("operations a second, 2n³/t")
    for colour, label in ((SKY, "kernels of the ladder's own"), (BLUE, "the library")):
        if colour in colours:
            swatch(axes, colour, label)
    legend(figure, axes)
    return svg(figure)


def reported_ladders(references):
    """Each on its own card: how many times faster than its first step on a GPU each step is."""
    ladders = [figure for figure in references.of("ladder", x="step") if figure["unit"] in ("s", "ms")]
    ladders = [(figure, [p for p in figure["points"] if not str(p["x"]).startswith("CPU")]) for figure in ladders]
    ladders = [(figure, points) for figure, points in ladders if len(points) > 2]
    if not ladders:
        return None
    ladders = ladders[:4]
    columns, most = min(2, len(ladders)), max(len(points) for _, points in ladders)
    rows = -(-len(ladders) // columns)
    figure, grid = picture("The course reports' ladders, on their own cards",
                           "times as fast as each one's first step on a GPU", (0.4 * most + 0.8) * rows, columns, rows)
    for axes, (of, points) in zip(grid, ladders):
        faster = [points[0]["value"] / point["value"] for point in points]
        bars(axes, [textwrap.fill(str(p["x"]), 20) for p in points], [[value] for value in faster],
             [GHOST] * len(points), "×", False)
        axes.set_ylim(most - 0.5, -0.5)
        at = f", n = {of['n']}" if of.get("n") else ""
        axes.set_title(f"{of['card']}{at} {references.number(of['source'])}")
        axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{digits(value)}×"))
    for axes in grid[len(ladders):]:
        axes.axis("off")
    return svg(figure)


PHASES = [("phase 1, the pivot", "phase1", RED), ("phase 2, its row and column", "phase2", ORANGE),
          ("phase 3, the rest", "phase3", BLUE)]


def phases_by_n(result, type):
    return sorted((m for m in result.of("phases", type) if all(m.counter(counter) for _, counter, _ in PHASES)),
                  key=lambda m: m.n)


def phases(result, type, references):
    found = phases_by_n(result, type)
    if not found:
        return None
    parts = [[m.counter(counter) for _, counter, _ in PHASES] for m in found]
    figure, (left, right) = picture(
        f"At n = {found[-1].n} phase 3 takes {percent(parts[-1][2] / sum(parts[-1]))} of the phases' time",
        f"{where(result, type)}; phases in launches of their own, fenced; the solver overlaps them; grey: phase 3 in "
        "course reports", 4.4, 2)
    names = [str(m.n) for m in found]
    below = [0.0] * len(found)
    for place, (label, _, colour) in enumerate(PHASES):
        shares = [part[place] / sum(part) for part in parts]
        left.bar(names, shares, 0.7, below, color=colour, label=label, zorder=3)
        below = [one + share for one, share in zip(below, shares)]
        samples(right, [m.n for m in found], [m.known(PHASES[place][1]) for m in found], color=colour,
                marker=MARKERS[place])
    for reported in references.of("phases", x="step", unit="share"):
        for point in [] if is_whole(reported) else reported["points"]:  # from the top, as ours
            name = f"{references.number(reported['source'])}"
            left.bar([name], [point["value"]], 0.7, [1 - point["value"]], color=GHOST, zorder=3)
            names.append(name)
    left.yaxis.set_major_formatter(PercentFormatter(1))
    left.set_ylim(0, 1)
    left.set_title("share of the three phases' time")
    left.tick_params(axis="x", labelrotation=45 if sum(map(len, names)) > 24 else 0)
    left.grid(axis="x", visible=False)
    overlapped = [m for m in found if m.counter("solver")]
    if overlapped:
        samples(right, [m.n for m in overlapped], [m.known("solver") for m in overlapped], color=INK, linestyle="--",
                marker="D", label="the solver, overlapped")
    right.set_title("time of a solve")
    log_axis(right.xaxis, [m.n for m in found], least=0.13)
    right.set_yscale("log")
    scaled_axis(right.yaxis, "s")
    for axes in (left, right):
        axes.set_xlabel("vertices n")
    legend(figure, left, right, columns=2)
    return svg(figure)


OF_STEP = {"starting": "#b8c0c8", "reading": SKY, "host-to-device": GREEN, "building": ORANGE, "solving": BLUE,
           "device-to-host": PINK, "writing": RED, "rest": "#dde1e6"}


# The reports' names of these steps.
REPORTED_STEP = {"input": "reading", "host to device": "host-to-device", "memory copy": "host-to-device",
                 "communication": "host-to-device", "computing": "solving", "device to host": "device-to-host",
                 "output": "writing", "I/O": "writing", "total": None}


def reported_steps(references, n):
    """A program of each report on one GPU, at its n that is nearest: (name, seconds of each step, in all)."""
    nearest = {}
    for figure in references.of("steps"):
        values = {str(point["x"]): point["value"] for point in figure["points"]}
        if figure["unit"] in ("s", "ms") and figure.get("n") and not figure["card"].startswith("2x") and (
                "computing" in values and values.keys() <= REPORTED_STEP.keys()):
            of_report = figure["source"], figure["card"]
            if of_report not in nearest or abs(figure["n"] - n) < abs(nearest[of_report][0]["n"] - n):
                nearest[of_report] = figure, values
    for (source, card), (figure, values) in nearest.items():
        unit = 1e-3 if figure["unit"] == "ms" else 1
        steps = {}
        for name, value in values.items():
            if step := REPORTED_STEP[name]:
                steps[step] = steps.get(step, 0) + value * unit
        total = max(values.get("total", 0) * unit, sum(steps.values()))
        steps["rest"] = total - sum(steps.values())
        yield f"{card}, n = {figure['n']} {references.number(source)}", steps, total


def steps(result, references):
    found = sorted((m for m in result.of("steps") if m.counter("solving")), key=lambda m: m.n)
    if not found:
        return None
    rows = [(f"n = {m.n}", parts_of(m), spread(m.seconds)[1]) for m in found]
    ours = rows[-1]
    rows += reported_steps(references, found[-1].n)
    to = {f"n = {m.n}": f" ({duration(min(m.seconds))} to {duration(max(m.seconds))})" for m in found}
    figure, (axes,) = picture(
        f"At n = {found[-1].n} the solve takes {percent(ours[1]['solving'] / ours[2])} of a program's "
        f"{duration(ours[2])}",
        f"{'hw3-2' if result.on_device else 'hw3-1'} from start to written file, {result.machine}; medians of "
        f"{count(len(found[0].seconds), 'run')}; rest: outside of the program's own clock; paler: course reports, "
        "whose I/O is writing here, and all copies host-to-device", 0.5 * len(rows) + 1.5)
    for place, (name, parts, total) in enumerate(rows):
        left, whole = 0.0, max(sum(parts.values()), total)
        for step, colour in OF_STEP.items():
            share = parts.get(step, 0) / whole
            axes.barh(place, share, 0.66, left, color=colour, alpha=1 if place < len(found) else 0.5, zorder=3)
            left += share
        axes.annotate(duration(total) + to.get(name, ""), (1, place), xytext=(6, 0), textcoords="offset points",
                      va="center", fontsize=11)
    for step, colour in OF_STEP.items():
        if any(parts.get(step) for _, parts, _ in rows):
            swatch(axes, colour, step)
    axes.set_yticks(range(len(rows)), [name for name, _, _ in rows])
    axes.xaxis.set_major_formatter(PercentFormatter(1))
    axes.set_xlim(0, 1)
    axes.set_xlabel("share of the time, from start to end")
    axes.invert_yaxis()
    axes.grid(axis="y", visible=False)
    axes.tick_params(axis="y", length=0)
    legend(figure, axes, columns=4)
    return svg(figure)


def scaling(result, what, references):
    """Over devices, or over threads of the host."""
    strong = {n: line for n, line in lines_of(result.of("scaling", "strong"), what, "n").items()
              if 1 in line and len(line) > 1}
    weak = {}
    for n, line in lines_of(result.of("scaling", "weak"), what, "n1").items():
        alone = next(iter(result.of("scaling", "strong", n=n, **{what: 1})), None)
        if alone:
            weak[n] = (alone, line)
    if not strong:
        return None
    most = max(count for line in strong.values() for count in line)
    largest = strong[max(strong)]
    speed = spread(speed_ups(largest, max(largest)))[1]
    figure, row = picture(f"{count(max(largest), what[:-1])} solve n = {max(strong)} {digits(speed)} times as fast as "
                          "one",
                          f"int32, {host_of(result) if what == 'threads' else result.machine}; "
                          + whiskers(list(largest.values()))
                          + "; grey: course reports", 4.4, 2 if weak else 1)
    ideal = range(1, most + 1)
    row[0].plot(ideal, ideal, color=INK, linewidth=1.2, linestyle=(0, (6, 3)), label="ideal")
    orders = sorted({*strong, *weak})
    style = {n: {"color": COLOURS[number], "marker": MARKERS[number], "label": f"n = {n}", "zorder": 4}
             for number, n in enumerate(orders)}
    for n, line in sorted(strong.items()):
        samples(row[0], list(line), [speed_ups(line, many) for many in line], **style[n])
    row[0].set_title("strong: the same graph")
    row[0].set_ylabel("speed-up")
    row[0].yaxis.set_major_locator(MaxNLocator(5, steps=[1, 2, 5, 10]))
    if weak:
        for n, (alone, line) in sorted(weak.items()):
            base = spread(alone.rates())[1]
            samples(row[1], [1, *line], [[rate / base for rate in alone.rates()],
                                         *([rate / base / many for rate in m.rates()] for many, m in line.items())],
                    **style[n])
        row[1].axhline(1, color=INK, linewidth=1.2, linestyle=(0, (6, 3)))
        row[1].set_title("weak: n³ grows, from n for one")
        row[1].set_ylabel("efficiency")
        row[1].yaxis.set_major_formatter(PercentFormatter(1))
        row[1].set_ylim(0, 1.12)
    for card, n, x, y, source in reported_speed_ups(references, what):
        if x <= most:
            row[0].plot(x, y, "D", color="white", markeredgecolor=GHOST, markeredgewidth=1.5, zorder=2,
                        label="course reports, strong")
    row[0].set_ylim(0)
    for figure_of in references.of("weak", x=what, unit="share") if weak else []:
        for point in figure_of["points"]:
            if point["x"] <= most:
                row[1].plot(point["x"], point["value"], "s", color="white", markeredgecolor=GHOST,
                            markeredgewidth=1.5, zorder=2, label="course reports, weak")
    for axes in row:
        axes.set_xlabel(what)
        counts = sorted({1, *(many for line in strong.values() for many in line)})
        if most >= 8:
            log_axis(axes.xaxis, counts)
            if axes is row[0]:  # for the ideal to be straight
                log_axis(axes.yaxis, counts)
        else:
            axes.set_xticks(counts)
    legend(figure, *row)
    return svg(figure)


# What several devices are measured with, and how it is drawn.
KINDS = {"int32": ("int32", BLUE, "o"), "int32-half": ("int32, half the work", GREEN, "s"),
         "int16": ("int16", ORANGE, "^"), "int16-half": ("int16, half the work", RED, "D")}


def kinds_of_devices(result):
    """For each kind {n: {devices: measurement}}, where one device was measured, too."""
    found = {"int32": result.of("scaling", "strong"), "int32-half": result.of("scaling", "int32", work="half"),
             "int16": result.of("scaling", "int16", work="whole"),
             "int16-half": result.of("scaling", "int16", work="half")}
    lines = {kind: {n: line for n, line in lines_of(of, "devices", "n").items() if 1 in line and len(line) > 1}
             for kind, of in found.items()}
    return {kind: line for kind, line in lines.items() if line}


def devices_by_n(result, references):
    """From which n on two devices pay, for each width of numbers and kind of work."""
    lines = {kind: {n: line for n, line in of.items() if 2 in line} for kind, of in kinds_of_devices(result).items()}
    lines = {kind: of for kind, of in lines.items() if of}
    if lines.keys() <= {"int32"}:
        return None
    largest = max(n for of in lines.values() for n in of)
    said = [f"{digits(spread(speed_ups(of[largest], 2))[1])} times ({KINDS[kind][0]})"
            for kind, of in lines.items() if largest in of]
    measured = [m for of in lines.values() for line in of.values() for m in line.values()]
    figure, row = picture(f"Two devices solve n = {largest} {', '.join(said)} as fast as one",
                          f"{result.machine}; {whiskers(measured)}", 4.0)
    for kind, of in lines.items():
        label, colour, marker = KINDS[kind]
        samples(row[0], list(of), [speed_ups(line, 2) for line in of.values()], color=colour, marker=marker,
                label=label, zorder=4)
    row[0].axhline(2, color=INK, linewidth=1.2, linestyle=(0, (6, 3)), label="ideal")
    row[0].axhline(1, color=INK, linewidth=0.8)
    row[0].set_xlabel("vertices n")
    row[0].set_ylabel("speed-up")
    row[0].set_ylim(0, 2.12)
    log_axis(row[0].xaxis, sorted({n for of in lines.values() for n in of}), least=0.14)
    legend(figure, *row)
    return svg(figure)


def lines_of(found, what, key):
    lines = {}
    for m in sorted((m for m in found if what in m.keys), key=lambda m: m.keys[what]):
        lines.setdefault(m.keys.get(key), {})[m.keys[what]] = m
    return lines


def speed_ups(line, many):
    """Of each sample, against the median of one."""
    alone = spread(line[1].seconds)[1]
    return [alone / seconds for seconds in line[many].seconds]


def reported_speed_ups(references, what):
    """(card, n, devices or threads, speed-up, source), as far as a report has the time of one, too."""
    for figure in references.of("strong", x=what):
        times = {point["x"]: point["value"] for point in figure["points"]}
        if figure["unit"] in ("s", "ms") and 1 in times:
            yield from ((figure["card"], figure.get("n"), x, times[1] / value, figure["source"])
                        for x, value in times.items() if x > 1)


WAYS = {"whole": ("the whole matrix", RED, "s"), "cross": ("the pivots' row and column", ORANGE, "^"),
        "row": ("the pivots' row", GREEN, "D"), "look-ahead": ("the row, with look-ahead", BLUE, "o")}


def ways(result, what):
    """The measurements of each way to exchange between two of these, by n."""
    lines = {way: sorted(result.of("exchange", way=way, **{what: 2}), key=lambda m: m.n) for way in WAYS}
    return {way: line for way, line in lines.items() if line}


def exchange(result, what, references):
    """What travels between two shares in a round, and how long that takes."""
    lines = ways(result, what)
    panels = [("sent in a round", lambda m: m.known("round_bytes"), "B"),
              ("time of the exchange in a round", lambda m: m.known("round_exchange"), "s"),
              ("time of a round", lambda m: m.known("round_seconds"), "s"),
              ("share of the limit of both", lambda m: m.shares(), "%")]
    panels = [panel for panel in panels if any(panel[1](m) for line in lines.values() for m in line)]
    if not panels:
        return None
    said = [f"{percent(share)} ({WAYS[way][0]})" for way, line in lines.items()
            if (share := share_of_exchange(line[-1])) is not None]
    reported = list(reported_pairs(references))
    columns = min(2, len(panels))
    largest = max(line[-1].n for line in lines.values())
    figure, row = picture(
        f"Of a round at n = {largest} the exchange takes {', '.join(said)}" if said else
        "What two shares send each other in a round",
        f"int32, two {WHAT[what]}, {host_of(result) if what == 'groups' and result.on_device else result.machine}; "
        f"{whiskers([m for line in lines.values() for m in line])}; with look-ahead the same row is sent beside the "
        "other work, in no time of its own; grey: course reports, two GPUs, computing with all copies",
        3.5 * -(-len(panels) // columns), columns, -(-len(panels) // columns))
    for axes, (title, values, unit) in zip(row, panels):
        drawn, ns = [], [m.n for line in lines.values() for m in line]
        for way, line in lines.items():
            label, colour, marker = WAYS[way]
            if line := [m for m in line if values(m)]:
                drawn += samples(axes, [m.n for m in line], [values(m) for m in line], color=colour, marker=marker,
                                 label=label, zorder=4)
        axes.set_title(title)
        axes.set_xlabel("vertices n")
        if unit == "%":
            for card in dict.fromkeys(card for card, *_ in reported):
                points = [(n, share, source) for of, n, share, source in reported if of == card]
                ghost_lines(axes, [(f"{card} {references.number(points[0][2])}", [n for n, *_ in points],
                                    [share for _, share, _ in points])])
                ns += [n for n, *_ in points]
            axes.yaxis.set_major_formatter(PercentFormatter(1))
            axes.set_ylim(0, 1.06 * max([1.0, *drawn]))
        else:
            axes.set_yscale("log")
            room_on_log_axis(axes, min(drawn), max(drawn))
            scaled_axis(axes.yaxis, unit)
        log_axis(axes.xaxis, ns, least=0.14)
    for axes in row[len(panels):]:
        axes.axis("off")
    legend(figure, *row)
    return svg(figure)


# What two shares are, by the key of a measurement.
WHAT = {"devices": "devices", "instances": "instances on one device", "groups": "groups of the host's threads"}


def share_of_exchange(m):
    """The share of a round's time that goes by in the exchange, or None."""
    exchange, whole = m.counter("round_exchange"), m.counter("round_seconds")
    return exchange / whole if exchange is not None and whole else None


def reported_pairs(references):
    """(card, n, share of two cards' limit, source) of two GPUs' computing with its copies, by n."""
    found = []
    for figure in references.of("steps"):
        pair, _, card = figure["card"].partition(" ")
        limit = references.cards.get(card, {}).get("limit_trelax")
        seconds = next((point["value"] for point in figure["points"] if point["x"] == "computing"), None)
        if pair == "2x" and limit and seconds and figure.get("n") and figure["unit"] == "s":
            found.append((figure["card"], figure["n"], figure["n"]**3 / seconds / (2e12 * limit), figure["source"]))
    return sorted(found, key=lambda one: one[:2])


def roofline(result, references):
    limit, memory, scratch = result.limit("int32"), result.bandwidth("memory"), result.bandwidth("scratch")
    points = []
    for m in sorted(result.of("phases", "int32"), key=lambda m: m.n)[-1:]:
        for phase in "123":
            seconds, relaxes = m.counter("phase" + phase), m.counter("relaxes" + phase)
            if seconds and relaxes:
                points.append((f"phase {phase}, n = {m.n}", relaxes / seconds,
                               *((relaxes / amount if (amount := m.counter(counter + phase)) else None)
                                 for counter in ("bytes", "scratch_bytes"))))
    largest = max((m.n for m in result.of("tiles", "int32")), default=None)
    of_tiles = [m for m in result.of("tiles", "int32", n=largest) if m.rates()]
    for m in sorted(of_tiles, key=lambda m: [m.keys[key] for key in ("block", "rows", "cols")]):
        points.append((f"tile {m.keys['block']}, {m.keys['rows']} × {m.keys['cols']}", spread(m.rates())[1],
                       *((m.counter("relaxes") / amount if (amount := m.counter(counter)) else None)
                         for counter in ("bytes", "scratch_bytes"))))
    points = [point for point in points if point[2] or point[3]]
    if not (limit and points):
        return None
    main = next((point for point in points if point[0].startswith("phase 3")), max(points, key=lambda point: point[1]))
    figure, (axes,) = picture(
        f"{main[0][0].upper()}{main[0][1:]}, is at {percent(main[1] / limit)} of the roof of arithmetic",
        f"{where(result, 'int32')}; relaxes a byte that is moved, counted; filled: of memory, hollow: of scratch", 5.8)
    reported = references.of("roofline") if result.on_device else []  # a CPU has other roofs
    intensities = [value for point in points for value in point[2:] if value]
    intensities += [point["value"] for of in reported for point in of["points"]]
    left, right = min(intensities) / 2, max(intensities) * 2
    bottom, top = min([point[1] for point in points] + [of["trelax"] * 1e12 for of in reported]) / 2, limit * 1.9
    for name, bandwidth, colour in (("memory", memory, BLUE), ("scratch", scratch, RED)):
        if bandwidth:
            ridge = limit / bandwidth
            left, bottom = min(left, ridge / 2), min(bottom, limit / 4)
            start = max(left, bottom / bandwidth)
            axes.plot([start, ridge], [bandwidth * start, limit], color=colour, linewidth=2.5, zorder=2,
                      label=f"roof of {name}, {scaled(bandwidth, 'B/s')}")
    ridges = [limit / bandwidth for bandwidth in (memory, scratch) if bandwidth]
    axes.plot([min(ridges, default=left), right], [limit, limit], color=INK, linewidth=2.5, zorder=2,
              label=f"roof of arithmetic, {scaled(limit, 'relax/s')}")
    for number, (name, rate, of_memory, of_scratch) in enumerate(points):
        style = {"color": COLOURS[number % 10], "marker": MARKERS[(number + number // 10) % 10], "zorder": 4,
                 "markersize": 8}
        if of_memory and of_scratch:
            axes.plot([of_memory, of_scratch], [rate, rate], color=style["color"], linewidth=0.8, alpha=0.6, zorder=3)
        if of_memory:
            axes.plot(of_memory, rate, linestyle="none", label=name, **style)
        if of_scratch:
            axes.plot(of_scratch, rate, linestyle="none", markerfacecolor="white", markeredgewidth=1.8,
                      label=None if of_memory else name, **style)
    for of in reported:
        for point in of["points"]:
            axes.plot(point["value"], of["trelax"] * 1e12, "D", linestyle="none", zorder=3, markeredgecolor=GHOST,
                      markeredgewidth=1.8, color=GHOST if point["x"] == "memory" else "white",
                      label=f"{of['card']}, n = {of['n']} {references.number(of['source'])}"
                      if point["x"] == "memory" else None)
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.set_xlim(left, right)
    axes.set_ylim(bottom, top)
    axes.set_xlabel("relaxes a byte")
    axes.set_ylabel("relaxes a second")
    scaled_axis(axes.yaxis, "relax/s")
    axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: digits(value)))
    legend(figure, axes)
    return svg(figure)


def name_of_peer(measurement):
    if measurement.experiment == "naive":
        return "naive kernel on the GPU, a launch a pivot"
    return measurement.title or str(measurement.keys["program"])


def peers(result, references):
    found = sorted((m for m in result.of("peers") if m.seconds), key=lambda m: spread(m.seconds)[1])
    ours = next((m for m in found if m.keys.get("program") == "blockfw"), None)
    if not ours or len(found) < 2:
        return None
    naive = [m for m in result.of("naive", n=ours.n) if m.seconds]
    found = sorted(found + naive, key=lambda m: spread(m.seconds)[1])
    base = spread(ours.seconds)[1]
    nearest = next(m for m in found if m is not ours)
    ratio = spread(nearest.seconds)[1] / base
    title = f"The next ({name_of_peer(nearest)}) takes {digits(ratio)} times as long as blockfw"
    if ratio < 1:
        name = name_of_peer(nearest)
        title = f"{name[0].upper()}{name[1:]}: {digits(ratio)} of blockfw's time"
    figure, (axes,) = picture(
        title, f"{where(result, f'n = {ours.n}')}; the solve alone, {whiskers(found)}; × is the time in blockfw's"
        + ("; the naive kernel's graph is complete, of the same n, solved by experiments" if naive else "")
        + ("; paler: reported of other machines" if (reported := list(reported_peers(references, ours.n))) else ""),
        0.52 * (len(found) + len(reported)) + 1.0)
    rows = sorted([(name_of_peer(m), m.seconds, BLUE if m is ours else GHOST) for m in found]
                  + [(name, [seconds], PALE) for name, seconds in reported], key=lambda row: spread(row[1])[1])
    names = ["\n".join(textwrap.wrap(name, 36, break_long_words=False)) for name, _, _ in rows]
    bars(axes, names, [seconds for _, seconds, _ in rows], [colour for _, _, colour in rows], "s", False)
    for place, (_, seconds, _) in enumerate(rows):
        text = axes.texts[place]
        text.set_text(f"{text.get_text()}\u2003× {digits(spread(seconds)[1] / base)}")
    axes.set_xlabel("time of a solve")
    return svg(figure)


def reported_peers(references, n):
    """(name, seconds) of other programs at this order, none of them whole programs' times."""
    for figure in references.of("peers"):
        unit = {"s": 1, "ms": 1e-3}.get(figure["unit"])
        if not unit or is_whole(figure):
            continue
        for point in figure["points"]:
            if n == (point["x"] if figure["x"] == "n" else figure.get("n")):
                what = figure.get("series", "") if figure["x"] == "n" else point["x"]
                yield f"{what}, {figure['card']} {references.number(figure['source'])}", point["value"] * unit


def peers_by_n(result, references):
    """Solves beside those that are reported of several orders."""
    ours = sorted((m for m in result.of("solve", "int32") if m.seconds), key=lambda m: m.n)
    naive = sorted((m for m in result.of("naive") if m.seconds), key=lambda m: m.n)
    lines = {}
    for figure in references.of("peers", x="n"):
        unit, what = {"s": 1, "ms": 1e-3}.get(figure["unit"]), (figure["card"], figure.get("series"))
        if unit and not is_whole(figure) and len(figure["points"]) > 2 and what not in lines:
            lines[what] = (f"{figure['card']}: {figure['series']} {references.number(figure['source'])}",
                           [point["x"] for point in figure["points"]],
                           [point["value"] * unit for point in figure["points"]])
    if len(ours) < 2 or not lines:
        return None
    figure, (axes,) = picture("The time of a solve by n, beside other people's on their machines",
                              f"{where(result, 'int32')}; {whiskers(ours)}; grey: reported, of the machine named",
                              6.4)
    for found, label, colour, marker in ((ours, "blockfw here", BLUE, "o"), (naive, "naive kernel here", RED, "s")):
        if found:
            samples(axes, [m.n for m in found], [m.seconds for m in found], color=colour, marker=marker, label=label,
                    zorder=4)
    ghost_lines(axes, lines.values())
    axes.set_yscale("log")
    axes.set_xlabel("vertices n")
    axes.set_ylabel("time of a solve")
    log_axis(axes.xaxis, [m.n for m in ours] + [x for _, xs, _ in lines.values() for x in xs])
    scaled_axis(axes.yaxis, "s")
    legend(figure, axes, columns=2)
    return svg(figure)


def annotated_bars(axes, rows, unit):
    """Bars of (name, samples, colour, text), the text beside the value."""
    bars(axes, [name for name, *_ in rows], [values for _, values, *_ in rows], [colour for _, _, colour, _ in rows], unit,
         False)
    for text, (*_, beside) in zip(axes.texts, rows):
        text.set_text(f"{text.get_text()}\u2003{beside}")


def levels(result, type, n):
    """The solver by level of vectors, beside the one that was compiled for this machine."""
    found = [m for m in result.of("vectors", type, n=n) if m.rates()]
    native = next((m for m in result.of("solve", type, n=n) if m.rates()), None)
    base = native or found[-1]
    middle = spread(base.rates())[1]
    share = lambda m: percent(spread(m.rates())[1] / middle)
    name = "this build's" if native else found[-1].keys["level"]
    figure, (axes,) = picture(
        f"A build for any processor solves at {share(found[-1])} of this build's speed" if native else
        f"{found[0].keys['level']} solves at {share(found[0])} of {name}'s speed",
        f"{where(result, type, f'n = {n}')}; the levels of vectors that the processor has, one chosen at run time; "
        f"{whiskers(found)}", 0.52 * (len(found) + bool(native)) + 1.0)
    rows = [(m.keys["level"], m.rates(), SKY, f"{share(m)} of {name}") for m in found]
    annotated_bars(axes, rows + ([("this build, as compiled", native.rates(), BLUE, "")] if native else []), "relax/s")
    axes.set_xlabel("relaxes a second")
    return svg(figure)


def gains(result, n):
    """Other problems on the same graph, beside its distances in 32 bits."""
    found = [m for m in result.of("gains", n=n) if m.rates()]
    base = next((m for m in found if m.keys["what"] == "32-bits-directed"), None)
    if not base or len(found) < 2:
        return None
    times = lambda m: digits(spread(m.rates())[1] / spread(base.rates())[1])
    closure = next((m for m in found if m.keys["what"] == "transitive-closure"), None)
    figure, (axes,) = picture(
        f"The transitive closure is {times(closure)} times as fast as distances in 32 bits" if closure else
        "Other problems on the same graph", f"{where(result, f'n = {n}')}; n³ relaxes each, whatever the method; × is the "
        f"speed of 32-bits-directed, of the same run; {whiskers(found)}", 0.42 * len(found) + 1.0)
    annotated_bars(axes, [(m.keys["what"], m.rates(), BLUE if m is base else GREEN if m is closure else SKY,
                           f"× {times(m)}") for m in found], "relax/s")
    axes.set_xlabel("relaxes a second")
    return svg(figure)


def updates(result, n):
    """What reads or writes the matrix once, of the speed of reading or copying it."""
    found = [m for m in result.of("updates", n=n) if m.shares() and m.rates("bytes")]
    if not found:
        return None
    against = lambda m: "copying" if m.keys["what"].startswith("add_vertex") else "reading"
    share = lambda m: spread(m.shares())[1]
    least = min(found, key=share)
    figure, (axes,) = picture(
        f"{least.keys['what']} runs at {percent(share(least))} of {against(least)}'s speed{', the others at more' if len(found) > 1 else ''}",
        f"{where(result, 'int32', f'n = {n}')}; the matrix's bytes over the time, and of the speed of reading or copying it "
        f"in the same run; {whiskers(found)}", 0.52 * len(found) + 1.0)
    annotated_bars(axes, [(m.keys["what"], m.rates("bytes"), BLUE, f"{percent(share(m))} of {against(m)}") for m in found],
                   "B/s")
    axes.set_xlabel("bytes of the matrix a second")
    return svg(figure)


def host_times(results):
    """Measurements of int32 on a host: with the copies' counterpart if there are such, else of the solver."""
    for result in sorted(results, key=lambda result: result.on_device):
        found = result.of("crossover", space="host")
        if found:
            return result, sorted(found, key=lambda m: m.n)
    for result in results:
        if not result.on_device and (found := result.of("solve", "int32")):
            return result, sorted(found, key=lambda m: m.n)
    return None, []


def crossing(host, device):
    """The n from which on the device is faster, between two sizes by a straight line of the logarithms."""
    ratios = [(m.n, math.log(spread(m.seconds)[1] / spread(d.seconds)[1])) for m in host for d in device if m.n == d.n]
    for (n, slower), (m, faster) in zip(ratios, ratios[1:]):
        if slower < 0 <= faster:
            return round(math.exp(math.log(n) + math.log(m / n) * -slower / (faster - slower)))
    return None


def faster_of(host, device):
    """Where they do not cross."""
    faster = {spread(d.seconds)[1] < spread(m.seconds)[1] for m in host for d in device if m.n == d.n}
    if len(faster) == 1:
        return f"The {'device' if True in faster else 'host'} is faster at all of these sizes, copies included"
    return "None is faster at all of these sizes" if faster else "The host's and the device's times"


def crossover(results, references):
    of_host, host = host_times(results)
    of_device = next((result for result in results if result.of("crossover", space="device")), None)
    device = sorted(of_device.of("crossover", space="device"), key=lambda m: m.n) if of_device else []
    if not (host and device):
        return None
    n = crossing(host, device)
    host_name = of_host.machine if not of_host.on_device else host_of(of_host)
    figure, (axes, beside) = picture(
        f"From n = {n} on the device is faster, copies included" if n else faster_of(host, device),
        f"int32, from a matrix on the host to distances there; {host_name}, beside {of_device.machine}; grey: course "
        "reports, a CPU program's time over a GPU program's", 4.6, 2)
    for found, label, colour, marker in ((host, f"host: {host_name}", RED, "s"),
                                         (device, f"device with its copies: {of_device.machine}", BLUE, "o")):
        samples(axes, [m.n for m in found], [m.seconds for m in found], color=colour, marker=marker, label=label,
                zorder=4)
    axes.set_xlabel("vertices n")
    log_axis(axes.xaxis, [m.n for m in host + device], least=0.12)
    axes.set_yscale("log")
    scaled_axis(axes.yaxis, "s")
    if n:
        axes.axvline(n, color=INK, linewidth=1.2, linestyle=(0, (6, 3)))
        axes.annotate(f"n = {n}", (n, 0.97), xycoords=("data", "axes fraction"), xytext=(6, 0),
                      textcoords="offset points", va="top", fontweight="bold")
    axes.set_title("time")
    both = [(m, d) for m in host for d in device if m.n == d.n]
    samples(beside, [m.n for m, _ in both], [[spread(m.seconds)[1] / seconds for seconds in d.seconds]
                                             for m, d in both], color=BLUE, marker="o", zorder=4)
    reported = list(reported_crossovers(references))
    for card, of_n, factor, source in reported:
        beside.plot(of_n, factor, "D", color="white", markeredgecolor=GHOST, markeredgewidth=1.5, zorder=2)
    beside.axhline(1, color=INK, linewidth=1.2, linestyle=(0, (6, 3)))
    beside.set_title("the device, times as fast as the host")
    beside.set_xlabel("vertices n")
    log_axis(beside.xaxis, [m.n for m, _ in both] + [of_n for _, of_n, _, _ in reported], least=0.12)
    beside.set_yscale("log")
    beside.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{digits(value)}×"))
    legend(figure, axes, columns=1)
    place_labels(figure, beside, [(of_n, factor, f"{card} {references.number(source)}")
                                  for card, of_n, factor, source in reported])
    return svg(figure)


def reported_crossovers(references):
    """(card, n, times as fast as a CPU, source) where a report has both, and n."""
    for figure in references.of("ladder", x="step"):
        cpu = [point["value"] for point in figure["points"] if str(point["x"]).startswith("CPU")]
        if cpu and figure.get("n"):
            yield figure["card"], figure["n"], cpu[0] / figure["points"][-1]["value"], figure["source"]
    for figure in references.of("peers", x="program", unit="speedup"):
        against = [point["value"] for point in figure["points"] if "sequential" in str(point["x"])]
        if against and figure.get("n"):
            yield figure["card"], figure["n"], max(against), figure["source"]


def host_of(result):
    """The host beside a device."""
    cpu, threads = result.header.get("machine", {}).get("cpu", "its host"), result.context.get("host_threads")
    return cpu + (f", {count(threads, 'thread')}" if threads else "")


def energy(results):
    found = [(result, m) for result in results for m in result.of("energy") if m.counter("joules") and m.rates()]
    if not found:
        return None
    per_relax = [[joules / relaxes for joules, relaxes in zip(m.counters["joules"], m.counters["relaxes"])]
                 for _, m in found]
    figure, (axes,) = picture(
        " and ".join(f"{digits(m.counter('joules'))} J for a solve of n = {m.n}" for _, m in found),
        "power while solving, from the machine's own counters, times the seconds of a solve", 0.6 * len(found) + 1.0)
    bars(axes, [f"{m.keys.get('what')}, n = {m.n}" for _, m in found], per_relax, [BLUE] * len(found), "J", False)
    for place, (_, m) in enumerate(found):
        text = axes.texts[place]
        text.set_text(f"{digits(per_relax[place][0] * 1e12)} pJ\u2003at {digits(m.counter('watts'))} W")
    axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{digits(value * 1e12)} pJ"))
    axes.set_xlabel("energy of a relax")
    return svg(figure)
