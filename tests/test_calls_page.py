# SPDX-License-Identifier: MIT
"""Compiles each row of docs/calls.md, compares the type of its result, and finds public functions and members that it lacks.

    test_calls_page.py COMPILE_COMMANDS SOURCE   # with the command that compiles SOURCE
"""
import json
import re
import shlex
import subprocess
import sys
from pathlib import Path

REPO = Path(__file__).resolve().parent.parent
INCLUDE = REPO / "include/blockfw"
PAGE = REPO / "docs/calls.md"


def sections():
    """The title of each section, the headers that it needs besides apsp.hpp, and its rows: a call and a type."""
    for part in re.split(r"(?m)^(?=## |With `)", PAGE.read_text())[1:]:
        title = part.splitlines()[0]
        rows = re.findall(r"(?m)^\| `(.+?)` \| `(.+?)` \| .+ \|$", part)
        assert len(rows) == len(re.findall(r"(?m)^\| `", part)) > 0, title
        yield title, re.findall(r"`(blockfw/[\w/]+\.hpp)`", part), rows


FUNCTION = (r"(?!BLOCKFW|static_assert|requires|namespace|using|template|return|struct|class|friend|explicit)"
            r"[\w:<][\w:<>,&*\s\[\]]*[\s&*>](\w+)\(")
# Members that callers do not call: of loops, of other classes of ours and of the Python module; the last one is refused.
NOT_FOR_CALLERS = {("Reach", "see"), ("DivergentCycle", "edge_sentence"), ("Solved", "add_vertex")}


def public_headers():
    """Each public header, as a path below INCLUDE, with its text but for what is in a namespace detail."""
    for header in [*INCLUDE.glob("*.hpp"), *(path for folder in ("ground", "io", "files", "orders")
                                             for path in (INCLUDE / folder).glob("*.hpp"))]:
        yield header.relative_to(INCLUDE), re.sub(r"(?ms)^namespace ([\w:]*\bdetail\b[\w:]*) \{.*?^\}  // namespace \1$",
                                                  "", header.read_text())


def functions():
    """All functions in the public headers, but members of classes."""
    for header, text in public_headers():
        for line in text.splitlines():
            found = re.match(FUNCTION, line)
            if found and found[1] != "KOKKOS_LAMBDA":
                yield header, found[1]


def members():
    """The class and name of all public member functions there, but of semirings (docs/semirings.md) and operators."""
    for header, text in public_headers():
        for kind, name, body in re.findall(r"(?ms)^(class|struct) (\w+)\b(?!::)[^;]*?\{\n(.*?)^\};", text):
            public = kind == "struct"
            for line in body.splitlines():
                access = re.match(r" (public|protected|private):", line)
                public = access[1] == "public" if access else public
                found = re.match("  " + FUNCTION, line)
                if (public and found and found[1] != "operator" and not re.search(r"\bdetail::.*\(|= delete;$", line)
                        and header.name != "semiring.hpp" and (name, found[1]) not in NOT_FOR_CALLERS):
                    yield header, name, found[1]


def compiles(words, source, text):
    source.write_text(text)
    done = subprocess.run([*words, "-fsyntax-only", "-x", "c++", str(source)], capture_output=True, text=True)
    return done.returncode == 0, done.stderr


def main():
    commands, source = sys.argv[1:]
    entry = next(entry for entry in json.loads(Path(commands).read_text()) if entry["file"] == source)
    words = shlex.split(entry["command"])
    words = [*words[:words.index("-o")], "-O0", "-w"]
    page = PAGE.read_text()
    calls = " ".join(call for _, _, rows in sections() for call, _ in rows)
    missing = sorted({f"{name}() of {header}" for header, name in functions() if not re.search(rf"\b{name}\b", calls)}
                     | {f"{type}::{name}() of {header}" for header, type, name in members()
                        if not re.search(rf"(\.|::){name}\(", calls)})
    if missing:
        sys.exit(f"test_calls_page: docs/calls.md lacks {', '.join(missing)}")

    given = re.search(r"(?s)```cpp\n(.*?)```", page)[1]
    lines, count, left_out = [], 0, []
    headers = ["blockfw/apsp.hpp", "blockfw/batch.hpp"]
    for title, needed, rows in sections():
        if not all(has(words, header) for header in needed):
            left_out.append(title)
            continue
        headers += needed
        for call, type in rows:
            lines.append(f"#line {page[:page.index('| `' + call)].count(chr(10)) + 1} \"{PAGE}\"\n" +
                         (f"static_assert(std::is_same_v<std::decay_t<decltype({call})>, {type}>); " if type != "auto" else "") +
                         f"static_cast<void>([&] {{ static_cast<void>({call}); }});")
            count += 1
    using, objects = (re.findall(rf"(?m)^{begin}.*$", given) for begin in (r"(?=using )", r"(?!using )(?=\S)"))
    text = "\n".join([*(f"#include <{header}>" for header in headers), "namespace blockfw {", *using, "void rows(",
                      ",\n".join(parameter for line in objects for parameter in parameters(line)), ") {", *lines, "}", "}"])
    checked, errors = compiles(words, Path(source).with_name("calls_page.cpp"), text)
    if not checked:
        sys.exit(f"test_calls_page: a row of docs/calls.md does not compile, or returns another type:\n{errors[:6000]}")
    print(f"test_calls_page: {count} rows compile and return the types that they name"
          + "".join(f"; left out for lack of a library: {title}" for title in left_out))


def has(words, header):
    """Whether the library that a header needs is there."""
    text = "".join(re.findall(r"(?m)^#include <\w+\.h>\n", (INCLUDE.parent / header).read_text()))
    return subprocess.run([*words, "-fsyntax-only", "-x", "c++", "-"], input=text.encode(),
                          capture_output=True).returncode == 0


def parameters(line):
    """Parameters of a function for the objects that a line declares, so that they need no values."""
    declared = re.sub(r"\s*//.*", "", line).rstrip(";")
    type, list = re.match(r"(.+?)\s((?:\w+, )*\w+)$", declared).groups()
    return [f"{type}& {name}" for name in list.split(", ")]


main()
