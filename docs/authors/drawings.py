#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Draws the schemes of these pages: rounds.svg, panels.svg, shares.svg, seam.svg, tree.svg and table.svg.

    docs/authors/drawings.py            # writes them
    docs/authors/drawings.py --check    # fails if a file differs

Needs nothing but Python. A picture is 760 units wide; its text can be read where it is shown 700 pixels wide. It has a
white ground of its own, so it is readable in dark pages, too.
"""
import html
import pathlib
import sys

WIDTH = 760
INK, FAINT, PALE = "#1f2328", "#59636e", "#e9ecef"
BLUE, ORANGE, GREEN, RED = "#0072b2", "#e69f00", "#009e73", "#d55e00"   # Okabe and Ito
LIGHT = {BLUE: "#b8d9ee", ORANGE: "#fae3b0", GREEN: "#b5e3d5", RED: "#f6cfb4"}
STYLE = ("text{font:15px 'DejaVu Sans',Verdana,Helvetica,Arial,sans-serif;fill:#1f2328}.m{text-anchor:middle}"
         ".e{text-anchor:end}.b{font-weight:bold}.s{font-size:13.5px}.f{fill:#59636e}.w{fill:#fff}"
         ".a{fill:none;stroke:#1f2328;stroke-width:1.6;marker-end:url(#t)}.d{stroke-dasharray:5 3}")
HEAD = ('<defs><marker id="t" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="7" markerHeight="7" orient="auto">'
        '<path d="M0 0L10 5L0 10z" fill="#1f2328"/></marker></defs>')


def number(value):
    return f"{value:.1f}".removesuffix(".0")


class Drawing:
    def __init__(self, height, label):
        self.parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" role="img" '
                      f'aria-label="{html.escape(label)}"><style>{STYLE}</style>{HEAD}'
                      f'<rect width="{WIDTH}" height="{height}" fill="#fff"/>']

    def add(self, kind, content=None, **attributes):
        words = "".join(f' {name.replace("_", "-")}="{number(value) if isinstance(value, (int, float)) else value}"'
                        for name, value in attributes.items() if value is not None)
        self.parts.append(f"<{kind}{words}/>" if content is None else f"<{kind}{words}>{html.escape(content)}</{kind}>")

    def text(self, x, y, words, kind=None):
        """One line; `kind` is letters: m(iddle), e(nd), b(old), s(mall), f(aint), w(hite)."""
        self.add("text", words, x=x, y=y, **{"class": " ".join(kind)} if kind else {})

    def box(self, x, y, width, height, fill="none", line=INK, stroke=1, dashed=False, round=0):
        self.add("rect", x=x, y=y, width=width, height=height, fill=fill, stroke=line, stroke_width=stroke, rx=round or None,
                 **{"class": "d"} if dashed else {})

    def arrow(self, *points, dashed=False):
        self.add("path", d="M" + "L".join(f"{number(x)} {number(y)}" for x, y in points), **{"class": "a d" if dashed else "a"})

    def line(self, *points, colour=INK, width=1.2):
        self.add("path", d="M" + "L".join(f"{number(x)} {number(y)}" for x, y in points), fill="none", stroke=colour,
                 stroke_width=width)

    def svg(self):
        return "\n".join(self.parts + ["</svg>"]) + "\n"


def rounds():
    """The three phases of a round, on a matrix of 6 x 6 tiles."""
    picture = Drawing(358, "A round of blocked Floyd-Warshall: phase 1 closes the pivot tile, phase 2 updates the tiles of "
                           "its row and column, phase 3 updates all other tiles")
    tile, tiles, k, top = 36, 6, 2, 74
    for phase, left in enumerate((26, 270, 514), 1):
        at = lambda i: left + i * tile, lambda i: top + i * tile
        middle = lambda i, j: (at[0](j) + tile / 2, at[1](i) + tile / 2)
        picture.text(left, 28, ("phase 1: the pivot tile", "phase 2: the panels", "phase 3: all other tiles")[phase - 1], "b")
        picture.text(*(middle(0, k)[0], top - 8), "k", "m")
        picture.text(left - 8, middle(k, 0)[1] + 5, "k", "e")
        for i in range(tiles):
            for j in range(tiles):
                pivot, panel = i == j == k, i == k or j == k
                if phase == 1:
                    fill = BLUE if pivot else PALE
                elif phase == 2:
                    fill = LIGHT[BLUE] if pivot else ORANGE if panel else PALE
                else:
                    fill = LIGHT[BLUE] if pivot else LIGHT[ORANGE] if panel else GREEN
                picture.box(at[0](j), at[1](i), tile, tile, fill, "#fff", 2)
        letters = {1: {(k, k): "P"}, 2: {(k, k): "P", (k, 4): "C", (4, k): "C"}, 3: {(4, 4): "C", (4, k): "A", (k, 4): "B"}}
        for (i, j), letter in letters[phase].items():
            x, y = middle(i, j)
            picture.text(x, y + 5, letter, "mbw" if phase == 1 or phase == 3 and letter == "C" else "mb")
        if phase == 2:
            picture.arrow((middle(k, k)[0] + 9, middle(k, k)[1]), (middle(k, 4)[0] - 9, middle(k, 4)[1]))
            picture.arrow((middle(k, k)[0], middle(k, k)[1] + 9), (middle(4, k)[0], middle(4, k)[1] - 11))
        if phase == 3:
            picture.arrow((middle(4, k)[0] + 10, middle(4, k)[1]), (middle(4, 4)[0] - 9, middle(4, 4)[1]))
            picture.arrow((middle(k, 4)[0], middle(k, 4)[1] + 9), (middle(4, 4)[0], middle(4, 4)[1] - 11))
            picture.box(at[0](k + 1) + 3, at[1](k + 1) + 3, tile - 6, tile - 6, line="#fff", stroke=2, dashed=True)
        below = {1: ("P ← close(P)",), 2: ("row k: C ← C ⊕ (P ⊗ C)", "column k: C ← C ⊕ (C ⊗ P)"),
                 3: ("C ← C ⊕ (A ⊗ B)", "first the next pivot (dashed)")}[phase]
        for row, words in enumerate(below):
            picture.text(left, top + tiles * tile + 28 + 24 * row, words)
    return picture.svg()


def panels():
    """The packed panels of a round, and how a host packs a tile of each."""
    picture = Drawing(512, "The left panel holds the tiles of the pivot's column, the right panel the tiles of its row, each "
                           "packed tile by tile, and each with a copy of the closed pivot tile at its end")
    tile, tiles, k, left, top = 36, 5, 2, 40, 62
    picture.text(20, 26, "the matrix", "b")
    picture.text(left + k * tile + tile / 2, top - 8, "k", "m")
    picture.text(left - 8, top + k * tile + tile / 2 + 5, "k", "e")
    part = lambda i: tile if i < tiles - 1 else 0.6 * tile
    for i in range(tiles):
        for j in range(tiles):
            pivot = i == j == k
            fill = BLUE if pivot else ORANGE if j == k else GREEN if i == k else PALE
            picture.box(left + j * tile, top + i * tile, part(j), part(i), fill, "#fff", 2)
            if pivot or i == k or j == k:
                picture.text(left + j * tile + part(j) / 2, top + i * tile + part(i) / 2 + 5, "P" if pivot else str(i if j == k else j),
                             "mbw" if pivot else "mb")
    start, high = 296, 84
    picture.text(start, 26, "the slot of a round in memory", "b")
    for panel, colour in enumerate((ORANGE, GREEN)):
        at = start + panel * (tiles + 1) * tile
        for i in range(tiles + 1):
            pivot = i == tiles
            picture.box(at + i * tile, high, tile, tile, BLUE if pivot else "#fff" if i == k else colour, "#fff", 2)
            if i == k:
                picture.box(at + i * tile + 3, high + 3, tile - 6, tile - 6, line=FAINT, dashed=True)
            else:
                picture.text(at + i * tile + tile / 2, high + tile / 2 + 5, "P" if pivot else str(i), "mbw" if pivot else "mb")
        picture.text(at + 2, high - 12, ("left panel: column k", "right panel: row k")[panel])
    for row, words in enumerate(("All tiles have the same size here: entries that the", "last tile lacks are infinity. P is the closed pivot tile.",
                                 "Tile k's own place (dashed) is for groups of rounds.")):
        picture.text(start, high + tile + 28 + 20 * row, words, "s")

    # A tile of each panel on a host: eight rows together, a cache line of each in turn; slivers of 64 bytes.
    y, side = 324, 144
    picture.text(20, 284, "a tile of the left panel (host)", "b")
    picture.text(400, 284, "a tile of the right panel (host)", "b")
    x = 40
    picture.text(x, y - 10, "pivots →", "f")
    for band in range(3):
        picture.box(x, y + band * 48, side, 48, LIGHT[ORANGE] if band else ORANGE, "#fff", 2)
    for slab in range(1, 3):
        picture.line((x + slab * 48, y), (x + slab * 48, y + side), colour="#fff", width=2)
    for row in range(8):
        picture.line((x + 6, y + 6 + row * 5), (x + 42, y + 6 + row * 5))
        if row < 7:
            picture.line((x + 42, y + 6 + row * 5), (x + 6, y + 11 + row * 5), colour=FAINT, width=0.6)
    picture.arrow((x + 42, y + 41), (x + 58, y + 8))
    for row, words in enumerate(("eight rows together:", "a cache line of each", "row in turn, then the", "next cache line of each")):
        picture.text(x + side + 14, y + 20 + 20 * row, words, "s")
    x = 420
    picture.text(x, y - 10, "columns →", "f")
    for strip in range(4):
        picture.box(x + strip * 36, y, 36, side, LIGHT[GREEN] if strip else GREEN, "#fff", 2)
    for row in range(12):
        picture.line((x + 5, y + 7 + row * 12), (x + 31, y + 7 + row * 12))
        if row < 11:
            picture.line((x + 31, y + 7 + row * 12), (x + 5, y + 19 + row * 12), colour=FAINT, width=0.8)
    picture.arrow((x + 31, y + 139), (x + 43, y + 8))
    for row, words in enumerate(("slivers of 64 bytes:", "pivot after pivot,", "then the next", "sliver of columns")):
        picture.text(x + side + 14, y + 20 + 20 * row, words, "s")
    picture.text(20, y + side + 30, "A device packs slab by slab, as teams copy slabs to scratch; the left tile is transposed.", "s")
    return picture.svg()


def shares():
    """A group of rounds on three shares of neighbouring rows."""
    picture = Drawing(470, "Three shares of neighbouring rows. The share with a group's pivots closes their square P and makes "
                           "the right panels P ⊗ R, which a link sends to the other shares. Each share copies its own part of "
                           "the columns L as left panels")
    left, width, high, gap, top = 34, 300, 96, 16, 66
    column, breadth = 170, 40        # the group's columns
    picture.text(left, 28, "the matrix, in three shares", "b")
    picture.text(440, 28, "the panels of a group", "b")
    rows = top + high + gap + 30     # the group's rows, in share 1
    middle = lambda share: top + share * (high + gap) + high / 2
    for share in range(3):
        y = top + share * (high + gap)
        picture.box(left, y, width, high, PALE, "#fff", 0)
        picture.box(left + column - left, y, breadth, high, ORANGE, "#fff", 0)
        picture.text(left + 8, y + 20, f"share {share}", "s")
        picture.text(column + breadth / 2, y + (18 if share == 1 else high / 2 + 5), f"L{'₀₁₂'[share]}", "mb")
    picture.text(column + breadth / 2, top - 9, "the group's pivots", "ms")
    picture.box(left, rows, width, breadth, GREEN, "#fff", 0)
    picture.box(column, rows, breadth, breadth, BLUE, "#fff", 0)
    picture.text(column + breadth / 2, rows + 25, "P", "mbw")
    picture.text(left + 70, rows + 25, "R", "mb")
    for share in range(3):
        y = top + share * (high + gap)
        picture.box(440, y, 30, high, ORANGE, "#fff", 0)
        picture.text(455, y + high / 2 + 5, f"L{'₀₁₂'[share]}", "mb")
        picture.box(520, y + 30, 150, 34, GREEN if share == 1 else LIGHT[GREEN], "#fff", 0)
        picture.text(595, y + 53, "P ⊗ R", "mb")
        picture.text(495, y + high / 2 + 5, "⊗", "m")
        picture.arrow((left + width + 12, middle(share)), (428, middle(share)))
    picture.text(384, middle(0) - 10, "copied", "ms")
    for share in (0, 2):
        to = top + share * (high + gap) + 47
        picture.arrow((670, middle(1) - 1), (700, middle(1) - 1), (700, to), (672, to))
    picture.text(708, middle(1) + 4, "sent", "s")
    y = top + 3 * (high + gap) + 14
    for row, words in enumerate(("share 1: closes P, as a solve of its own; makes P ⊗ R; the link sends it",
                                 "each share: copies its own L as it was before the group, and waits for nothing",
                                 "each share: D ← D ⊕ L ⊗ (P ⊗ R), all rounds of the group in one update")):
        picture.text(left, y + 24 * row, words)
    return picture.svg()


def seam():
    """The rooms of numbers and places, and the operations between them."""
    picture = Drawing(492, "Public templates turn semiring and type into operations. Drivers, which know places, call these "
                           "operations; OperationsOf, which knows numbers, implements them by the phases")

    def room(x, y, width, height, colour, title, lines):
        picture.box(x, y, width, height, LIGHT[colour], colour, 1.5, round=6)
        picture.text(x + 14, y + 25, title, "b")
        for row, words in enumerate(lines):
            picture.text(x + 14, y + 47 + 20 * row, words, "s")

    room(20, 16, 720, 78, RED, "public", ("solve(devices, …), DistributedMatrix, solve_out_of_core(…), …:",
                                          "thin templates over the semiring, the type and the space"))
    room(20, 122, 340, 98, ORANGE, "plan", ("dense or elimination; the narrowest", "type that holds all distances; steps",
                                            "after the rounds (detail/plan/)"))
    room(400, 122, 340, 98, ORANGE, "questions", ("rows, columns, pairs, reach, updates:", "the same answers for devices and",
                                                  "ranks (detail/shares/)"))
    room(20, 300, 236, 176, BLUE, "places", ("devices or ranks, with links;", "chunks. Their drivers know", "where each block lies and how", "panels travel, and not the",
                                             "numbers. Compiled once for", "an execution space."))
    room(504, 300, 236, 176, GREEN, "numbers", ("OperationsOf has them, by the", "phases and tile kernels. It", "knows semiring, type, tile and",
                                                "vectors, and not where other", "blocks lie. Compiled once for", "each kind of numbers."))
    picture.box(322, 316, 116, 128, "#fff", INK, 2, round=6)
    picture.text(380, 342, "Operations", "mb")
    for row, words in enumerate(("15 functions", "on blocks: an", "address, rows,", "columns, stride")):
        picture.text(380, 366 + 20 * row, words, "ms")
    picture.arrow((258, 380), (320, 380))
    picture.text(289, 370, "calls", "ms")
    picture.arrow((502, 380), (440, 380))
    picture.text(380, 468, "the seam", "mf")
    picture.arrow((190, 96), (190, 120))
    picture.arrow((570, 96), (570, 120))
    picture.arrow((380, 96), (380, 258), (138, 258), (138, 298))
    picture.arrow((380, 258), (622, 258), (622, 298))
    picture.text(148, 284, "starts the rounds", "s")
    picture.text(612, 284, "chooses the numbers", "es")
    return picture.svg()


WIDE, TALL = 7, 3                      # a graph: a grid of streets
COLUMNS = (0, 2, 1, 4, 6, 5, 3)        # nested dissection: the middle column last, then the middles of both halves
NODES = len(COLUMNS)


def eliminated():
    """Supernodes (a column each), their boundaries and parents, by the elimination of the grid's vertices in order."""
    place = {(column, row): 3 * rank + row for rank, column in enumerate(COLUMNS) for row in range(TALL)}
    neighbours = {number: set() for number in place.values()}
    for (column, row), number in place.items():
        for other in ((column + 1, row), (column, row + 1)):
            if other in place:
                neighbours[number].add(place[other])
                neighbours[place[other]].add(number)
    later = {}
    for k in sorted(neighbours):
        later[k] = {i for i in neighbours[k] if i > k}
        for i in later[k]:
            neighbours[i] |= later[k] - {i}
    boundaries = [sorted(set().union(*(later[3 * s + row] for row in range(3))) - set(range(3 * s, 3 * s + 3)))
                  for s in range(NODES)]
    return place, boundaries, [boundary[0] // 3 if boundary else None for boundary in boundaries]


def spans(numbers):
    """0, 1, 2, 7 as 0–2, 7."""
    found = []
    for k in numbers:
        if found and found[-1][1] == k - 1:
            found[-1][1] = k
        else:
            found.append([k, k])
    return ", ".join(f"{a}–{b}" if b > a else str(a) for a, b in found)


def colour_of(node, parents):
    depth = 0
    while parents[node] is not None:
        node, depth = parents[node], depth + 1
    return (RED, ORANGE, BLUE)[depth]


def tree():
    """A graph, its tree of supernodes, and the front of one."""
    place, boundaries, parents = eliminated()
    picture = Drawing(548, "A grid of 7 x 3 vertices, numbered in the order of elimination; the tree of its seven supernodes with "
                           "their boundaries; and the front of the supernode 3–5")
    colour = [colour_of(s, parents) for s in range(NODES)]
    picture.text(20, 28, "a graph, in the order of elimination", "b")
    spot = {number: (44 + 44 * column, 100 + 56 * row) for (column, row), number in place.items()}
    for (column, row), number in place.items():
        for other in ((column + 1, row), (column, row + 1)):
            if other in place:
                picture.line(spot[number], spot[place[other]], colour=FAINT)
    for number, (x, y) in spot.items():
        picture.add("circle", cx=x, cy=y, r=15, fill=LIGHT[colour[number // 3]], stroke=colour[number // 3], stroke_width=1.5)
        picture.text(x, y + 5, str(number), "ms")
    picture.text(20, 256, "The middle column is eliminated last.", "s")
    picture.text(20, 275, "Its removal separates the halves.", "s")

    picture.text(376, 28, "the tree of its supernodes", "b")
    picture.text(376, 52, "B: the boundary", "s")
    centre = {6: (565, 62), 2: (462, 142), 5: (668, 142), 0: (410, 226), 1: (513, 226), 3: (616, 226), 4: (712, 226)}
    for s, parent in enumerate(parents):
        if parent is not None:
            picture.line((centre[s][0], centre[s][1] - 16), (centre[parent][0], centre[parent][1] + 16))
    for s, (x, y) in centre.items():
        picture.box(x - 34, y - 16, 68, 32, LIGHT[colour[s]], colour[s], 1.5, round=6)
        picture.text(x, y + 5, f"{3 * s}–{3 * s + 2}", "mb")
        if boundaries[s]:
            away = {2: (x - 42, y + 5, "es"), 5: (x - 42, y + 5, "es")}.get(s, (x, y + 36, "ms"))
            picture.text(away[0], away[1], "B " + spans(boundaries[s]), away[2])

    s, cell, x, y = 1, 21, 96, 342
    picture.text(20, 316, "the front of the supernode 3–5", "b")
    w, b = 3, len(boundaries[s])
    for i, j, height, width, letter, fill in ((0, 0, w, w, "C", BLUE), (0, w, w, b, "U", LIGHT[BLUE]), (w, 0, b, w, "L", LIGHT[BLUE]),
                                              (w, w, b, b, "to the parent", PALE)):
        picture.box(x + j * cell, y + i * cell, width * cell, height * cell, fill, "#fff", 2)
        picture.text(x + (j + width / 2) * cell, y + (i + height / 2) * cell + 5, letter, "mbw" if letter == "C" else "mb" if len(letter) == 1 else "ms")
    picture.text(x - 8, y + w * cell / 2 + 5, "3–5", "es")
    picture.text(x - 8, y + (w + b / 2) * cell - 4, "B 6–8,", "es")
    picture.text(x - 8, y + (w + b / 2) * cell + 14, "18–20", "es")
    for row, words in enumerate(("C: best paths between 3, 4 and 5", "U: from these to the boundary B", "L: from B to these",
                                 "C, U and L are kept: the factor.", "The rest joins the front of the parent, 6–8,",
                                 "which owns the least vertex of B.")):
        picture.text(330, y + 22 + 30 * row, words)
    assert spans(boundaries[s]) == "6–8, 18–20" and parents[s] == 2
    return picture.svg()


def table():
    """The product of labels that is a table."""
    _, _, parents = eliminated()
    sources, targets = (2, 1, 2, 1, 2, 1, 1), (1, 2, 1, 2, 1, 1, 2)   # below each supernode, by itself
    picture = Drawing(520, "A table of distances: rows are sources, columns are targets, both sorted by their numbers. The sources and "
                           "targets below a supernode are a block of neighbouring rows and columns, which gets the product of their labels")
    cell, wide = 23, 23
    rows, columns = sum(sources), sum(targets)
    left, top = 292, 246
    x_left, y_top = left - 30 - NODES * cell, top - 28 - NODES * 20
    colour = [colour_of(s, parents) for s in range(NODES)]
    row = lambda s: sum(sources[:s])
    column = lambda s: sum(targets[:s])
    above = lambda s: [s] + (above(parents[s]) if parents[s] is not None else [])
    below = {k: [s for s in range(NODES) if k in above(s)] for k in range(NODES)}
    # The table: each supernode's block, the largest first.
    for k in sorted(below, key=lambda k: -len(below[k])):
        s = below[k][0]
        picture.box(left + column(s) * wide, top + row(s) * cell, sum(targets[t] for t in below[k]) * wide,
                    sum(sources[t] for t in below[k]) * cell, LIGHT[colour[k]], "#fff", 1.5)
    for s in range(NODES):
        for k in above(s):
            mine = k == 2
            picture.box(x_left + k * cell, top + row(s) * cell, cell, sources[s] * cell, colour[k] if mine else LIGHT[colour[k]], "#fff", 1.5)
            picture.box(left + column(s) * wide, y_top + k * 20, targets[s] * wide, 20, colour[k] if mine else LIGHT[colour[k]], "#fff", 1.5)
    some_rows, some_columns = sum(sources[s] for s in below[2]), sum(targets[s] for s in below[2])
    assert below[2] == [0, 1, 2] and below[6] == list(range(NODES))
    picture.box(left, top, some_columns * wide, some_rows * cell, line=INK, stroke=2.5)
    picture.box(x_left + 2 * cell, top, cell, some_rows * cell, line=INK, stroke=2.5)
    picture.box(left, y_top + 2 * 20, some_columns * wide, 20, line=INK, stroke=2.5)
    picture.text(left + some_columns * wide / 2, top + (some_rows - 1) * cell + 4, "D(S, T)", "mb")
    for k in range(NODES):
        picture.text(x_left + k * cell + cell / 2, top - 8, "abcdefg"[k], "m")
        picture.text(left - 12, y_top + k * 20 + 15, "abcdefg"[k], "e")
    picture.text(x_left, top - 44, "X: labels of", "b")
    picture.text(x_left, top - 26, "the sources", "b")
    picture.text(left, y_top - 12, "Y: labels of the targets", "b")
    picture.text(left, top + rows * cell + 24, "D: the table. Targets, sorted →", "s")
    picture.add("text", "← sources, sorted", transform=f"translate({x_left - 12} {top + 160}) rotate(-90)", **{"class": "s"})

    # The tree, in the corner.
    spot = {6: (124, 32), 2: (72, 82), 5: (176, 82), 0: (44, 134), 1: (100, 134), 3: (148, 134), 4: (204, 134)}
    for s, parent in enumerate(parents):
        if parent is not None:
            picture.line((spot[s][0], spot[s][1] - 13), (spot[parent][0], spot[parent][1] + 13))
    for s, (x, y) in spot.items():
        picture.add("circle", cx=x, cy=y, r=14, fill=colour[s] if s == 2 else LIGHT[colour[s]], stroke=INK if s == 2 else colour[s],
                    stroke_width=2.5 if s == 2 else 1.5)
        picture.text(x, y + 5, "abcdefg"[s], "m")
    for line, words in enumerate(("a to g: supernodes", "", "S, T: sources and", "targets below c, which", "are those of a, b and c", "",
                                  "Each supernode k adds", "X(S, k) ⊗ Y(k, T) to", "D(S, T), by ⊕.")):
        picture.text(left + columns * wide + 24, top + 18 + 22 * line, words, "s")
    return picture.svg()


DRAWINGS = {"rounds": rounds, "panels": panels, "shares": shares, "seam": seam, "tree": tree, "table": table}


def main(arguments):
    if arguments not in ([], ["--check"]):
        sys.exit(f"usage: {sys.argv[0]} [--check]")
    differ = []
    for name, draw in DRAWINGS.items():
        path = pathlib.Path(__file__).with_name(f"{name}.svg")
        if not arguments:
            path.write_text(draw(), encoding="utf-8")
        elif not path.exists() or path.read_text(encoding="utf-8") != draw():
            differ.append(path.name)
    if differ:
        sys.exit(f"{', '.join(differ)}: docs/authors/drawings.py draws it otherwise")


if __name__ == "__main__":
    main(sys.argv[1:])
