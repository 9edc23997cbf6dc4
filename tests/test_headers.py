# SPDX-License-Identifier: MIT
"""Parses each header of the library as if it were included alone, which finds out one that lacks an include.

    test_headers.py COMPILE_COMMANDS SOURCE   # with the command that compiles SOURCE

To parse Kokkos's headers for each of them would take a minute and a half of processor time. Two things make that a
third of a minute, and hide nothing. Headers of which each includes the one before, directly or not, are parsed in one
file, in that order: before a header comes only what it includes itself. And a precompiled <Kokkos_Core.hpp> comes first
where a header's own includes lead to it; what a header includes is parsed on its own, too.
"""
import json
import os
import re
import shlex
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

REPO = Path(__file__).resolve().parent.parent
INCLUDE = REPO / "include"
sys.path.insert(0, str(REPO / "scripts"))
sys.dont_write_bytecode = True

import passed  # noqa: E402


def reached_from(header, seen):
    """All that the header includes whatever is defined, directly or not."""
    depth = 0
    for line in (INCLUDE / header).read_text().splitlines():
        depth += bool(re.match(r"\s*#\s*if", line)) - bool(re.match(r"\s*#\s*endif", line))
        found = re.match(r'\s*#\s*include\s*["<]([^">]+)', line)
        if found and depth == 0 and found[1] not in seen:
            seen.add(found[1])
            if (INCLUDE / found[1]).exists():
                reached_from(found[1], seen)
    return seen


def chains_of(headers, reached):
    """Lists in which each header is included by the next one, and all include Kokkos or none does."""
    left = sorted(headers, key=lambda header: -len(reached[header]))
    while left:
        chain = [left.pop(0)]
        for header in left[:]:
            if header in reached[chain[0]] and uses_kokkos(reached[header]) == uses_kokkos(reached[chain[0]]):
                chain.insert(0, header)
                left.remove(header)
        yield chain


def uses_kokkos(reached):
    return "Kokkos_Core.hpp" in reached


def is_found(header, words):
    """Whether the compile command finds a header of an optional library."""
    text = f"#if !__has_include(<{header}>)\n#error\n#endif\n"
    return subprocess.run([*words, "-E", "-x", "c++", "-"], input=text.encode(), capture_output=True).returncode == 0


def main():
    commands, source = sys.argv[1:]
    entry = next(entry for entry in json.loads(Path(commands).read_text()) if entry["file"] == source)
    words = shlex.split(entry["command"])
    words = words[:words.index("-o")] + ["-O0"]
    reached = {}
    for path in sorted(INCLUDE.rglob("*.hpp")):
        header = str(path.relative_to(INCLUDE))
        reached[header] = reached_from(header, set())
    libraries = {header for headers in reached.values() for header in headers if header.endswith(".h")}
    missing = {header for header in libraries if not is_found(header, words)}
    headers = [header for header in reached if not missing & reached[header]]

    folder = Path(source).parent / "headers"
    folder.mkdir(exist_ok=True)
    kokkos = folder / "kokkos.hpp"
    kokkos.write_text("#include <Kokkos_Core.hpp>\n")

    def check_of(chain):
        before = ["-include", kokkos] if uses_kokkos(reached[chain[0]]) else []
        return [*words, *before, "-fsyntax-only", "-x", "c++"], "".join(f'#include "{header}"\n' for header in chain)

    checks = [check_of(chain) for chain in chains_of(headers, reached)]
    new = [check for check in checks if not passed.known(*check)]
    precompiled = []
    if new:
        rule = folder / "rule"
        subprocess.run([*words, "-MD", "-MF", rule, "-x", "c++-header", kokkos, "-o", f"{kokkos}.gch"], check=True)
        precompiled = passed.listed(rule.read_text())
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        failed = not all(list(pool.map(lambda check: passed.compiles(*check, also_read=precompiled), new)))
    if failed:
        sys.exit(f"test_headers: not all of {len(headers)} headers can be included alone")
    print(f"test_headers: each of {len(headers)} headers can be included alone")


main()
