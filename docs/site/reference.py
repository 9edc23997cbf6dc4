# SPDX-License-Identifier: MIT
"""The pages of the C++ API, and the docstrings of the Python API in reStructuredText. Called with a header, it is Doxygen's
filter of it."""
import os
import pathlib
import re
import sys

TOPICS = {
    "start": ("All pairs", "One call solves a graph or a matrix. :doc:`/docs/dense` shows each of them.",
              "apsp solve floyd_warshall solved edges small kokkos_runtime"),
    "networks": ("Road networks and sparse graphs", "Elimination in an order with little fill, and questions about the graph.",
                 "network network_questions end_points turns edge_loads io/network_file second_weights "
                 "weight_sets network_factor sparse sparse_analysis orders/amd orders/metis"),
    "paths": ("Paths and some sources", "Routes, predecessors and next hops; rows of distances from some sources.",
              "paths solve_from transitive_closure product"),
    "measures": ("Measures, sums and updates", "Questions about solved distances, and changes of the graph.",
                 "measures group_sums updates"),
    "batches": ("Many small graphs", "Thousands of graphs in one call.", "batch"),
    "places": ("Several devices, ranks, out of core", "The same solves on several GPUs, on ranks of MPI, and in a file.",
               "multi_device shares distributed ground/communicator out_of_core io/distance_file"),
    "files": ("Graphs and distances in files", "Formats are found from the contents.",
              "io/graph_file io/graph io/text_formats io/npy io/binary_edges "
              "io/binary_edges_mpi io/gzip io/distances files/input_file files/output_file files/descriptor"),
    "types": ("Types, options and errors", "The types that all calls share.",
              "ground/edge ground/weights ground/semiring ground/options ground/error ground/matrix ground/graph_batch "
              "ground/answers ground/turn ground/version"),
}


def files(repo):
    """The files of the repository, without what is built or kept outside of it."""
    found = []
    for folder, folders, names in os.walk(repo):
        folders[:] = sorted(name for name in folders if name not in ("build", ".git", "__pycache__", "shared"))
        found += [repo.__class__(folder) / name for name in names if not name.endswith(".pyc") and name != ".git"]
    return found


def brief(repo, header):
    """The first sentence of a header."""
    text = (repo / "include/blockfw" / f"{header}.hpp").read_text()
    return " ".join(line.strip("/ ") for line in re.search(r"\\brief (.*\n(?:/// [^\\\s].*\n)*)", text)[1].splitlines())


def cpp_pages(repo):
    """The pages of the C++ API by their names, a page for each topic; a public header without a topic is an error."""
    listed = {header for _, _, headers in TOPICS.values() for header in headers.split()}
    there = {str(path.relative_to(repo / "include/blockfw").with_suffix(""))
             for folder in ("", "ground", "files", "io", "orders") for path in (repo / "include/blockfw" / folder).glob("*.hpp")}
    if listed != there:
        raise SystemExit(f"docs/site/reference.py: headers without a topic, or topics without a header: "
                         f"{' '.join(sorted(listed ^ there))}")
    index = ["C++ API", "=======", "", "``blockfw/apsp.hpp`` includes all headers but those that need another library. "
             ":doc:`/docs/api` says where calls run, which memory they take and how they report errors.", "",
             ".. toctree::", "   :hidden:", ""] + [f"   {name}" for name in TOPICS] + [""]
    pages = {}
    for name, (title, text, headers) in TOPICS.items():
        index += [f":doc:`{title} <{name}>`", "-" * (len(title) + len(name) + 10), "", text, "", ".. list-table::",
                  "   :widths: 30 70", ""]
        page = [title, "=" * len(title), "", ".. highlight:: cpp", "", text, ""]
        for header in headers.split():
            label = "header-" + header.replace("/", "-").replace("_", "-")
            index += [f"   * - :ref:`{header}.hpp <{label}>`", f"     - {escaped(brief(repo, header))}"]
            page += [f".. _{label}:", "", f"{header}.hpp", "-" * (len(header) + 4), "",
                     f".. code-block:: cpp", "", f"   #include <blockfw/{header}.hpp>", "",
                     f".. doxygenfile:: blockfw/{header}.hpp", "   :sections: briefdescription detaileddescription", "",
                     f".. doxygengroup:: {header.replace('/', '_')}", "   :content-only:", "   :members:", ""]
        index.append("")
        pages[name] = "\n".join(page)
    pages["index"] = "\n".join(index)
    return pages


def escaped(text):
    return re.sub(r"([\\*`|_])", r"\\\1", text)


def docstring(app, what, name, object, options, lines):
    """A docstring of the Python package as reStructuredText: its columns of arguments are definitions."""
    made = []
    for block in "\n".join(lines).strip("\n").split("\n\n"):
        rows = block.split("\n")
        if rows[0].startswith(">>>"):
            made += ["", *rows]
            continue
        names = r"[a-z]\w*(?:, \w+)*"
        first = re.match(rf"{names} {{2,}}(?=\S)", rows[0])
        indents = [len(row) - len(row.lstrip()) for row in rows if row.startswith("  ")]
        if not first and not (len(rows) > 1 and rows[1].startswith("      ")):
            made += ["", *map(escaped, rows)]
            continue
        width = min(indents) if indents else first.end()
        made.append("")
        for row in rows:
            if not row.startswith("  "):
                term, text = row, ""
                if row[width - 1:width] == " " and re.fullmatch(names, row[:width].strip()):
                    term, text = row[:width].strip(), row[width:]
                elif ": " in row:
                    term, text = row.split(": ", 1)
                made.append("**" + "**, **".join(escaped(term).split(", ")) + "**")
                row, item = text, False
            text = row.strip()
            if text.startswith("- ") and not item:
                item = True
                made.append("")
            if text:
                made.append("    " + ("" if text.startswith("- ") or not item else "  ") + escaped(text))
    lines[:] = [line.replace("help(blockfw.\\_scipy)", ":ref:`the keywords <keywords>`") for line in made[1:]] + [""]


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


def grouped(path):
    """Doxygen's filter of a header, for Breathe: a group of its name has all that it declares in the namespaces. Declarations
    that another header defines, and definitions of members outside of their class, are left out. Lists of errors are lists:
    Breathe knows only names of single errors. Default values that Sphinx cannot parse are left out, and the type of a
    function's result is written as a member of the function."""
    text = path.read_text()
    if path.suffix == ".hpp":
        name = str(path.resolve().with_suffix("")).rpartition("include/blockfw/")[2]
        begin, end = f"/// \\addtogroup {name.replace('/', '_')} {name}.hpp\n/// \\{{\n", "/// \\}\n"
        text = re.sub(r"(?m)^(template <.*>\n)?(class|struct) \w+;\n", "", "\n".join(lists_of_errors(text)))
        text = re.sub(r"(?m)^(template <.*>\n)+[^/\n{};=]*\w>::\w+\((?:.*\n)*?\}\n", "", text)
        text = re.sub(r"\{\.\w+ = \w+\};", ";", text)
        text = re.sub(r"= typename decltype\((.*)\(\)\)::type;", r"= \1::type;", text)
        space = r"namespace blockfw(?:::io)?"
        if re.search(rf"(?m)^{space} {{$", text):
            text = re.sub(rf"(?m)^({space} {{\n)((?:.*\n)*?)(}}  // {space}\n)",
                          lambda found: found[1] + begin + found[2] + end + found[3], text)
        else:
            text = text.replace("#pragma once\n", "#pragma once\n" + begin, 1) + end
    return text


if __name__ == "__main__":
    sys.stdout.write(grouped(pathlib.Path(sys.argv[1])))
