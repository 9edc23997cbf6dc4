#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Counts of long sentences, of wide lines and of words: those in sentences.json may only go down.

    python3 tests/docs/test_sentences.py            # tests
    python3 tests/docs/test_sentences.py --list     # each place that is counted
"""
import json
import pathlib
import re
import sys
import unittest

REPO = pathlib.Path(__file__).resolve().parent.parent.parent
CEILINGS = pathlib.Path(__file__).with_name("sentences.json")
PAGES = [REPO / name for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md")] + sorted((REPO / "docs").rglob("*.md"))
FOR_USERS = [REPO / "README.md"] + sorted(set((REPO / "docs").glob("*.md")) - {REPO / "docs/calls.md"})
HEADERS = sorted(path for folder in ("include", "src") for path in (REPO / folder).rglob("*.[hc]pp"))
OTHER_SOURCES = sorted(path for folder in ("tests", "python/src", "programs", "examples") for path in (REPO / folder).rglob("*.[hc]pp"))
KINDS = ("pages", "pages for authors", "headers", "tests and programs")
MOST_COLUMNS = 140
MOST_WORDS = 30

ITEM = re.compile(r"\s*(?:[-*+]|\d+\.)\s+")
NUMBERED = re.compile(r"\s*\d+\.\s")
WORD = re.compile(r"[^\W_][\w'’.-]*")
END = re.compile(r"(?<=[.!?])[)\"*_]*\s+(?=[(\"*_`]*[A-Z0-9`]|\(|\w+\()")


def cells(row):
    """The cells of a row of a table: a bar within a code span, or after a backslash, parts no cells."""
    return re.split(r"(?<!\\)\|(?=(?:[^`]*`[^`]*`)*[^`]*$)", row.strip().strip("|"))


class Indented:
    """Tells indented code, which follows an empty line outside of a list, from the lines of a sentence that goes on."""

    def __init__(self, indent):
        self.indent, self.after_empty, self.in_list, self.code = indent, True, False, False

    def is_code(self, line):
        if not line.strip():
            self.after_empty = True
            return self.code
        is_item = ITEM.match(line) is not None
        if not line.startswith(self.indent):
            self.in_list, self.code = is_item or (self.in_list and line.startswith("  ")), False
        elif self.after_empty:
            self.code = not self.in_list and not is_item
        self.after_empty = False
        return self.code


def lines_of_page(text):
    """(number, line) of the prose of Markdown; an empty line ends a paragraph. Each cell of a table is a paragraph. Without
    code and comments of HTML."""
    fenced = False
    indented = Indented("    ")
    for number, line in enumerate(text.splitlines(), 1):
        fence = line.lstrip().startswith("```")
        fenced ^= fence
        if fence or fenced or indented.is_code(line) or line.lstrip().startswith("<!--"):
            line = ""
        line = re.sub(r"<!--.*?-->", "", line)
        if line.lstrip().startswith("|"):
            for cell in cells(line):
                yield number, ""
                yield number, cell.strip()
            line = ""
        yield number, line


def lines_of_header(text):
    """(number, line) of the comments of C++; code ends a paragraph, as a command of Doxygen does. A comment "refused: ..." is the
    text of an error, not a sentence."""
    block = code = was_beside = output = False
    indented = Indented("  ")   # (as the commands at the start of a program)
    for number, line in enumerate(text.splitlines(), 1):
        if block or line.lstrip().startswith("/*"):
            block = "*/" not in line
            line = re.sub(r"^\s*(/\*+<?|\*+(?!/))|\*+/\s*$", "", line)
        elif found := re.search(r"(?:^|\s)///?<?\s(.*)$", line):
            beside = bool(line[:found.start()].strip())   # beside code: a paragraph of its own
            if beside or (was_beside and "///<" not in line):
                yield number, ""
            was_beside = beside or "///<" in line
            line = found[1]
        else:
            line = ""
        code = (code or "\\code" in line) and "\\endcode" not in line
        output = line == "Output:" or (output and line != "")   # an example's, at its end
        if indented.is_code(line) or code or output:
            line = ""
        command = re.match(r"\s*[@\\](t?param(\[\w+\])?\s+\w+(, \w+)*|\w+)", line)
        if command or re.match(r"\s*SPDX-|\s*clang-format|\s*NOLINT|\s*refused: ", line):
            yield number, ""
            line = line[command.end():] if command else ""
        if line.lstrip().startswith("|"):
            for cell in cells(line):
                yield number, ""
                yield number, cell.strip()
            line = ""
        yield number, line


def sentences(lines):
    """(number of its first line, sentence) of each sentence; the text of a code span is one word."""
    paragraph = []

    def ended():
        text = ITEM.sub("", " ".join([paragraph[0][1]] + [line.strip() for _, line in paragraph[1:]]), count=1) if (
            ITEM.match(paragraph[0][1])) else " ".join(line.strip() for _, line in paragraph)
        text = re.sub(r"`+[^`]*`+", "X", text)
        text = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", text)
        for sentence in filter(WORD.search, END.split(text)):
            start = " ".join(sentence.split()[:2])
            number = next((number for number, line in paragraph if start in line), paragraph[0][0])
            yield number, sentence.strip()
        paragraph.clear()

    for number, line in lines:
        item = ITEM.match(line)
        if item and NUMBERED.match(line) and paragraph and not NUMBERED.match(paragraph[0][1]):
            item = None   # a sentence's last number
        if paragraph and (item or not line.strip() or line.startswith("#")):
            yield from ended()
        if line.startswith("#"):
            paragraph.append((number, line.lstrip("#")))
            yield from ended()
        elif line.strip():
            paragraph.append((number, line))
    if paragraph:
        yield from ended()


def words(sentence):
    return [word.rstrip(".-") for word in WORD.findall(sentence)]


def is_long(sentence):
    return len(words(sentence)) > MOST_WORDS


def has_what(sentence):
    """A noun clause with "what"; a question may have it."""
    return not sentence.endswith("?") and re.search(r"\bwhat\b(?![()])", sentence, re.I) is not None


def is_wide(line):
    """Rows of tables and lines of one word (links, pictures) cannot be broken."""
    return len(line) > MOST_COLUMNS and not line.startswith("|") and " " in line.strip()


def kind_of(path):
    """The one of KINDS whose counts a file belongs to."""
    if path.suffix == ".md":
        return "pages for authors" if "authors" in path.relative_to(REPO).parts else "pages"
    return "headers" if path in HEADERS else "tests and programs"


def found():
    """The places of each count."""
    places = {"lines of pages over 140 characters": []}
    places |= {f"{count} {kind}{over}": [] for kind in KINDS for count, over in
               (("sentences of", f" over {MOST_WORDS} words"), ("what in", ""))}
    for path in PAGES + HEADERS + OTHER_SOURCES:
        text = path.read_text(encoding="utf-8")
        name = str(path.relative_to(REPO))
        is_page = path.suffix == ".md"
        kind = kind_of(path)
        if is_page:
            places["lines of pages over 140 characters"] += [
                f"{name}:{number}: {line}" for number, line in enumerate(text.splitlines(), 1) if is_wide(line)]
        for number, sentence in sentences((lines_of_page if is_page else lines_of_header)(text)):
            if is_long(sentence):
                places[f"sentences of {kind} over 30 words"].append(f"{name}:{number}: {sentence}")
            if has_what(sentence):
                places[f"what in {kind}"].append(f"{name}:{number}: {sentence}")
    return places


def counts():
    """The count of each name in sentences.json."""
    user_part = sum(len(path.read_text(encoding="utf-8").split()) for path in FOR_USERS)
    return {name: len(places) for name, places in found().items()} | {"words of README.md and the pages for users": user_part}


class Counts(unittest.TestCase):
    def test_each_count_is_its_ceiling(self):
        ceilings = json.loads(CEILINGS.read_text(encoding="utf-8"))
        now = counts()
        self.assertEqual(set(now), set(ceilings))
        for name, count in now.items():
            with self.subTest(name):
                self.assertLessEqual(count, ceilings[name], f"{name}: too many; test_sentences.py --list shows them")
                self.assertGreaterEqual(count, ceilings[name], f"{name}: lower the ceiling in sentences.json to {count}")


class Splitter(unittest.TestCase):
    def page(self, text):
        return list(sentences(lines_of_page(text)))

    def header(self, text):
        return list(sentences(lines_of_header(text)))

    def test_sentences_of_a_page(self):
        self.assertEqual(self.page("# A title\n\nOne ends. Two goes\non, e.g. here. (Three.)\n"),
                         [(1, "A title"), (3, "One ends."), (3, "Two goes on, e.g. here."), (4, "(Three.)")])

    def test_items_are_apart(self):
        self.assertEqual(self.page("- one\n- two\n  goes on\n\n1. three\n"), [(1, "one"), (2, "two goes on"), (5, "three")])

    def test_code_and_comments_are_left_out(self):
        self.assertEqual(self.page("```cpp\nwhat is it;\n```\n\n    what\n\n<!-- what -->\nText.\n"), [(8, "Text.")])

    def test_each_cell_of_a_table_is_apart(self):
        self.assertEqual(self.page("| one | two. Three |\n| --- | --- |\n| `a | b` | |\n"),
                         [(1, "one"), (1, "two."), (1, "Three"), (3, "X")])

    def test_indented_lines_go_on_unless_an_empty_line_comes_before_them(self):
        self.assertEqual(self.page("- one\n    goes on\n\n    here\n"), [(1, "one goes on"), (4, "here")])
        self.assertEqual(self.page("One\n    goes on.\n\n    code\n\n    code\n"), [(1, "One goes on.")])
        self.assertEqual(self.header("/// \\param x  its\n///           size\n///\n///     code();\n"), [(1, "its size")])

    def test_output_of_an_example_is_left_out(self):
        self.assertEqual(self.header("// Output:\n// what it prints\n\n// Text.\n"), [(4, "Text.")])

    def test_a_code_span_is_one_word_and_a_link_its_text(self):
        (_, sentence), = self.page("Call `solve(n, what, edges)` of [this page](what.md).")
        self.assertEqual(words(sentence), ["Call", "X", "of", "this", "page"])

    def test_comments_of_a_header(self):
        text = "/// \\brief The sum.\nint a;  ///< The first\n// Two\n// lines. End.\nint b = 1;\n/// \\param x  its size\n"
        self.assertEqual(self.header(text), [(1, "The sum."), (2, "The first"), (3, "Two lines."), (4, "End."), (6, "its size")])

    def test_strings_and_code_are_no_comments(self):
        self.assertEqual(self.header('int what;\nauto s = "what";\n/// \\code\n/// what();\n/// \\endcode\n'), [])

    def test_kinds(self):
        self.assertFalse(is_long("word " * MOST_WORDS))
        self.assertTrue(is_long("word " * (MOST_WORDS + 1)))
        self.assertTrue(has_what("It does what it can."))
        self.assertFalse(has_what("What is it?"))
        self.assertFalse(has_what("It is somewhat large."))
        self.assertTrue(is_wide("a " * 71))
        self.assertFalse(is_wide("a " * 70))
        self.assertFalse(is_wide("| " + "a " * 100))
        self.assertFalse(is_wide("a" * 200))


if __name__ == "__main__" and sys.argv[1:] == ["--list"]:
    for count, places in found().items():
        print(f"{count}: {len(places)}", *places, sep="\n")
    sys.exit()
if __name__ == "__main__":
    unittest.main()
