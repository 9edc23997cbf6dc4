# SPDX-License-Identifier: MIT
"""Compiles the calls of test_refused.cpp, each of which must end in an error that names what was expected.

    test_refused.py COMPILE_COMMANDS SOURCE   # with the command that compiles SOURCE
"""
import json
import re
import shlex
import subprocess
import sys
from pathlib import Path

FILE = Path(__file__).resolve().with_name("test_refused.cpp")
ERROR = re.compile(r"^\S+?:\d+:\d+: (?:fatal )?error: (.*)", re.M)


def errors_of(words):
    """The text of each error of the compiler, and the lines of FILE that led to it, the nearest first."""
    clang = "clang" in subprocess.run([words[0], "--version"], capture_output=True, text=True).stdout
    all_errors = "-ferror-limit=0" if clang else "-fmax-errors=0"
    said = subprocess.run([*words, all_errors, "-fsyntax-only", "-x", "c++", FILE], capture_output=True, text=True).stderr
    found, lines = list(ERROR.finditer(said)), []
    for error, before, behind in zip(found, [None, *found], [*found[1:], None]):
        # (clang says behind an error where it came from, GCC before it.)
        part = said[error.start():behind and behind.start()] if clang else said[before and before.end():error.end()]
        named = [int(line) for line in re.findall(rf"{re.escape(str(FILE))}:(\d+):\d+:", part)]
        lines = named if named or clang else lines  # (GCC names no place for a further error of the same template)
        yield error[1], lines if clang else lines[::-1]


def main():
    commands, source = sys.argv[1:]
    entry = next(entry for entry in json.loads(Path(commands).read_text()) if entry["file"] == source)
    words = shlex.split(entry["command"])
    words = [*words[:words.index("-o")], "-O0", "-w"]
    text = FILE.read_text()
    expected = {}  # of each refused call: its first line, its last line, and what the compiler must say
    for call in re.finditer(r"(?ms)^// refused: (.*?)\nvoid (\w+)\(\) \{(?: .*? \}$|$.*?^\})", text):
        expected[call[2]] = (*(text.count("\n", 0, place) + 1 for place in call.span()), call[1])
    if len(expected) != text.count("// refused: "):
        sys.exit("test_refused: a comment 'refused' without a function")
    said = {name: [] for name in expected}
    for error, lines in errors_of(words):
        calls = [name for line in lines for name, (first, last, _) in expected.items() if first <= line <= last][:1]
        # (clang names no place for templates with a deduced result: such an error may be that of any call. GCC does.)
        calls = calls or ([] if lines else list(expected))
        if not calls:
            sys.exit(f"test_refused: an error outside of the refused calls: {error}")
        for name in calls:
            said[name].append(error)
    wrong = [f"{name}: expected '{text}', found {said[name] or 'no error'}" for name, (_, _, text) in expected.items()
             if not any("static assertion failed" in error and f"blockfw: {text}" in error for error in said[name])]
    if wrong:
        sys.exit("test_refused: " + "\n".join(wrong))
    print(f"test_refused: {len(expected)} calls are refused, each for its reason")


main()
