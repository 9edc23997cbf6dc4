# SPDX-License-Identifier: MIT
"""Makes Matplotlib's SVG small: what is not seen goes, and numbers have as many digits as are seen."""
import re
import zlib
from collections import Counter

PATHS = {"M": 2, "L": 2, "Q": 4, "C": 6, "z": 0}  # the commands that Matplotlib writes, and their numbers
LONG, FINE = 5000, 5  # a line whose path is longer is written in fifths of a point, without points in its numbers


def small(text, places=1):
    """The picture with `places` digits behind the point, without comments, metadata and names."""
    text = re.sub(r"<metadata>.*?</metadata>|<!--.*?-->", "", text[text.index("<svg"):], flags=re.S)
    tags, ends = [], []  # of the groups that are open, whether their end tag is kept
    for part in re.split(r"(<[^>]*>)", text):
        if not part.startswith("<"):
            tags.append(part if part.strip() else "")
        elif part == "</g>":
            tags.append("</g>" if ends.pop() else "")
        elif part.startswith("<g"):
            part = re.sub(r' id="[^"]*"', "", part)
            empty = part.endswith("/>")
            if not empty:
                ends.append(part != "<g>")
            tags.append("" if empty or part == "<g>" else part)
        else:
            tags.append(shortened(part, places))
    return with_classes(joined("".join(tags)).replace("xlink:href=", "href=")) + "\n"


def joined(text):
    """Neighbouring paths that differ in their lines only become one, but for those that are filled, named or seen through."""
    lines = re.compile(r'<path d="[^"]*"( (?![^>]*opacity)[^>]*fill: none[^>]*)/>(?:<path d="[^"]*"\1/>)+')
    steps = lambda paths: "".join(re.findall(r'<path d="([^"]*)', paths))
    return lines.sub(lambda found: f'<path d="{steps(found[0])}"{found[1]}/>', text)


def shortened(tag, places):
    width = re.search(r"fill: none;.*stroke-width: ([\d.]+)", tag)
    if len(tag) > LONG and width and "transform=" not in tag:
        tag = tag.replace(width[0], width[0][:-len(width[1])] + number(FINE * float(width[1])))
        tag = re.sub(r'(?<= d=")[^"]*', lambda found: path(found[0], 0, FINE), tag)
        tag = tag.replace("<path ", f'<path transform="scale({number(1 / FINE)})" ', 1)
        if clip := re.search(r' clip-path="[^"]*"', tag):  # its numbers are not scaled
            return f"<g{clip[0]}>{shortened(tag.replace(clip[0], ''), places)}</g>"
    tag = re.sub(r'(?<= d=")[^"]*', lambda found: path(found[0], places), tag)
    if not tag.startswith("<svg"):
        tag = re.sub(r' transform="rotate\(-0 [^)]*\)"', "", tag)
        tag = re.sub(r'((?<= x=")|(?<= y=")|(?<= width=")|(?<= height=")|(?<= transform="))[^"]*',
                     lambda found: re.sub(r"-?\d+\.\d+", lambda one: number(round(float(one[0]), places)), found[0]), tag)
    return re.sub(r"\s+(?=/?>$)", "", re.sub(r"\s*\n\s*", " ", tag))


def number(value):
    """The shortest text of a rounded number."""
    text = f"{value:.10f}".rstrip("0").rstrip(".")
    text = re.sub(r"^(-?)0(?=\.)", r"\1", text)
    return "0" if text in ("", "-", "-0") else text


def path(text, places, scale=1):
    """The path in relative coordinates, times a scale. Points are rounded where they lie, so that errors do not add up."""
    words, at, start, steps = text.split(), (0, 0), (0, 0), []
    unit = 10 ** places
    while words:
        command = words.pop(0)
        if command not in PATHS:
            return text
        values = [round(float(word) * scale * unit) for word in words[:PATHS[command]]]
        del words[:PATHS[command]]
        if command == "z":
            steps.append(("z", []))
            at = start
            continue
        points = list(zip(values[::2], values[1::2]))
        moved = [(x - at[0], y - at[1]) for x, y in points]
        if command == "M":
            start = points[-1]
            if moved[0] == (0, 0) and steps and steps[-1][0] == "l":
                continue  # the line goes on
            if not steps:
                moved = points
        elif command == "L" and moved[0] == (0, 0) and steps and (steps[-1][0] == "l" or words[:1] == ["L"]):
            continue  # too short to be seen
        at = points[-1]
        steps.append((command.lower() if steps else command, [value / unit for point in moved for value in point]))
    written, before = "", ""
    for command, values in steps:
        if command == "l" and 0 in values:
            command, values = ("v", values[1:]) if values[0] == 0 else ("h", values[:1])
        if command != before:
            written += command
        for place, value in enumerate(values):
            one = number(value)
            last = re.search(r"[\d.]+$", written)
            if (place or command == before) and last and not (one[0] == "-" or one[0] == "." and "." in last[0]):
                written += " "
            written += one
        before = {"m": "l", "M": ""}.get(command, command)  # after m come lines
    return written


def with_classes(text):
    """Styles that occur often become classes. A class is named after what it says, so pictures in one page agree."""
    styles = Counter(re.findall(r' style="([^"]*)"', text))
    names = {style: f"s{zlib.crc32(style.encode()) & 0xffffff:06x}" for style, many in styles.items() if many > 2}
    rules = "".join(f".{name}{{{style.replace('; ', ';').replace(': ', ':')}}}" for style, name in names.items())
    text = re.sub(r' style="([^"]*)"', lambda found: f' class="{names[found[1]]}"' if found[1] in names else found[0], text)
    return text.replace("</style>", rules + "</style>", 1)
