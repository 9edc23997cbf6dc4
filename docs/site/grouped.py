# SPDX-License-Identifier: MIT
"""Doxygen's filter of a header, for Breathe: a group of its name has all that it declares in the namespaces. Declarations
that another header defines, and definitions of members outside of their class, are left out. Lists of errors are lists: Breathe knows only names of single errors. Default
values that Sphinx cannot parse are left out."""
import pathlib
import re
import sys


def lists_of_errors(text):
    within = False
    for line in text.split("\n"):
        start = re.fullmatch(r"( *///) [\\]throws (.*)", line)
        if start:
            if not within:
                yield start[1] + " \\par Throws"
            yield f"{start[1]} - {start[2]}"
            within = True
        else:
            row = re.fullmatch(r"( *///) +([^ \\].*)", line)
            within = within and bool(row)
            yield f"{row[1]}   {row[2]}" if within else re.sub(r"(/// .*\S) +[\\]throws ", r"\1 Throws ", line)


path = pathlib.Path(sys.argv[1])
text = path.read_text()
if path.suffix == ".hpp":
    name = str(path.resolve().with_suffix("")).rpartition("include/blockfw/")[2]
    begin, end = f"/// \\addtogroup {name.replace('/', '_')} {name}.hpp\n/// \\{{\n", "/// \\}\n"
    text = re.sub(r"(?m)^(template <.*>\n)?(class|struct) \w+;\n", "", "\n".join(lists_of_errors(text)))
    text = re.sub(r"(?m)^(template <.*>\n)+[^/\n{};=]*\w>::\w+\((?:.*\n)*?\}\n", "", text)
    text = re.sub(r"\{\.\w+ = \w+\};", ";", text)
    space = r"namespace blockfw(?:::io)?"
    if re.search(rf"(?m)^{space} {{$", text):
        text = re.sub(rf"(?m)^({space} {{\n)((?:.*\n)*?)(}}  // {space}\n)",
                      lambda found: found[1] + begin + found[2] + end + found[3], text)
    else:
        text = text.replace("#pragma once\n", "#pragma once\n" + begin, 1) + end
sys.stdout.write(text)
