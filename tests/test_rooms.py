# SPDX-License-Identifier: MIT
"""The order of the library's folders, and the size of its headers, as docs/authors/architecture.md has them. And no lambda
where nvcc needs a function: it drops the attributes of lambdas (detail/backend/vectors.hpp).

    test_rooms.py
"""
import re
import sys
from pathlib import Path

REPO = Path(__file__).resolve().parent.parent
ROOT = REPO / "include" / "blockfw"
PAGE = REPO / "docs/authors/architecture.md"
MOST_LINES = 500


def floors():
    """Each folder's floor: the page lists the folders from the highest floor to the lowest, one floor a line."""
    block = re.search(r"(?s)<!-- floors -->\n+(.*?)\n\n", PAGE.read_text())[1]
    found = {}
    for number, line in enumerate(reversed(block.splitlines())):
        for folder in re.match(r" {4}([^\s,]+(?:, [^\s,]+)*)", line)[1].split(", "):
            found[folder.rstrip("/")] = number
    return found


def includes(header):
    return re.findall(r'(?m)^#include "blockfw/([^"]+)"', (ROOT / header).read_text())


def folder_of(header):
    return str(Path(header).parent)


def lambdas_with_vectors(header):
    """The parameters of lambdas whose speed needs attributes, but for those that take the level."""
    text = (ROOT / header).read_text()
    found = re.findall(r"\[[^\[\]]*\](<[^;{}]*?>)?\(([^()]*)\)\s*__attribute__\(\(always_inline\)\)", text)
    return [parameters for template, parameters in found if template or re.search(r"\bauto\b(?! level$)", parameters)]


# Includes all headers for callers.
ALL_HEADERS = "apsp.hpp"


def main():
    floor = floors()
    headers = sorted(str(path.relative_to(ROOT)) for path in ROOT.rglob("*.hpp"))
    wrong = [f"{folder} is not among the floors of {PAGE.name}" for folder in sorted(set(map(folder_of, headers)) - set(floor))]
    wrong += [f"{folder} of {PAGE.name} has no header" for folder in sorted(set(floor) - set(map(folder_of, headers)))]
    if not wrong:
        for header in headers:
            for other in [] if header == ALL_HEADERS else includes(header):
                if folder_of(other) != folder_of(header) and floor[folder_of(other)] >= floor[folder_of(header)]:
                    wrong.append(f"{header} includes {other}, which is not on a lower floor")
    for header in headers:
        lines = len((ROOT / header).read_text().splitlines())
        if lines > MOST_LINES:
            wrong.append(f"{header} has {lines} lines, expected {MOST_LINES} or fewer")
        wrong += [f"{header} has a lambda ({found}) that must be inlined, expected a function"
                  for found in lambdas_with_vectors(header)]
    for sentence in wrong:
        print(f"rooms: {sentence}")
    print(f"rooms: {len(headers)} headers in {len(floor)} folders")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
