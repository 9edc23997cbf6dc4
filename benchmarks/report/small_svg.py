# SPDX-License-Identifier: MIT
"""Makes Matplotlib's SVG small: what is not seen goes, and numbers have as many digits as are seen."""
import re
import zlib
from collections import Counter


def small(text):
    """The picture without comments, metadata and names of groups, its numbers with one digit behind the point."""
    text = re.sub(r"<metadata>.*?</metadata>|<!--.*?-->", "", text[text.index("<svg"):], flags=re.S)
    text = re.sub(r"(?<=<g) id=\"[^\"]*\"| transform=\"rotate\(-0 [^)]*\)\"", "", text)
    text = re.sub(r'(?<= d=")[^"]*', lambda found: relative(found[0]), text)
    text = re.sub(r'(?<!<svg)(?<= )(?:x|y|transform)="[^"]*"',
                  lambda found: re.sub(r"-?\d+\.\d+", lambda one: number(float(one[0])), found[0]), text)
    text = re.sub(r">\s+<", "><", re.sub(r"\s*\n\s*", " ", text)).replace(" />", "/>").replace("xlink:href=", "href=")
    return with_classes(joined(unwrapped(text))).strip() + "\n"


def unwrapped(text):
    """The picture without groups that have no attributes, and so no effect."""
    kept = []

    def one(found):
        if found[0] != "</g>":
            kept.append(found[0] != "<g>")
            return found[0] * kept[-1]
        return found[0] * kept.pop()

    return re.sub(r"<g(?: [^>]*)?>|</g>", one, text)


def number(value):
    text = f"{value:.1f}".removesuffix(".0")
    return "0" if text == "-0" else text


def relative(path):
    """The path in relative coordinates. Points are rounded where they lie, so that errors do not add up."""
    written, at, start = "", (0, 0), (0, 0)
    for command, words in re.findall("([MLQCz])([^MLQCz]*)", path):
        points = [round(10 * float(word)) for word in words.split()]
        moved = [number((value - at[place % 2]) / 10) for place, value in enumerate(points)]
        written += (command.lower() if written else command) + " ".join(moved)
        at = tuple(points[-2:]) or start
        start = at if command == "M" else start
    return written


def joined(text):
    """Neighbouring paths of the same lines become one, but for those that are filled, named or seen through."""
    lines = re.compile(r'<path d="[^"]*"( (?![^>]*opacity)[^>]*fill: none[^>]*)/>(?:<path d="[^"]*"\1/>)+')
    steps = lambda paths: "".join(re.findall(r'<path d="([^"]*)', paths))
    return lines.sub(lambda found: f'<path d="{steps(found[0])}"{found[1]}/>', text)


def with_classes(text):
    """Styles that occur often become classes. A class is named after what it says, so pictures in one page agree."""
    styles = Counter(re.findall(r' style="([^"]*)"', text))
    names = {style: f"s{zlib.crc32(style.encode()) & 0xffffff:06x}" for style, many in styles.items() if many > 2}
    rules = "".join(f".{name}{{{style.replace('; ', ';').replace(': ', ':')}}}" for style, name in names.items())
    text = re.sub(r' style="([^"]*)"', lambda found: f' class="{names[found[1]]}"' if found[1] in names else found[0], text)
    return text.replace("</style>", rules + "</style>", 1)
