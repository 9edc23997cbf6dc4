# SPDX-License-Identifier: MIT
"""Sphinx's settings for the site, which scripts/site makes.

The source folder, build/site/source, holds copies of the Markdown pages at their paths in the repository; README.md is
index.md. The pages have no syntax of MyST's: their menu is made of docs/README.md, and their links to other files lead
to the repository, if BLOCKFW_REPOSITORY is its address, and otherwise to pages with these files' text.
"""
import html
import os
import pathlib
import re
import sys

from docutils import nodes
from docutils.parsers.rst import Directive
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import TextLexer, get_lexer_for_filename
from pygments.util import ClassNotFound
from sphinx import addnodes
from sphinx.util.osutil import relative_uri

REPO = pathlib.Path(__file__).resolve().parents[2]
SOURCE = REPO / "build/site/source"
ADDRESS = os.environ.get("BLOCKFW_REPOSITORY", "").rstrip("/")

sys.path.insert(0, str(REPO / "python"))
sys.path.insert(0, str(REPO / "docs/site"))
import reference  # noqa: E402

project = "blockfw"
author = copyright = "the blockfw authors"
release = version = ".".join(re.findall(r"define BLOCKFW_VERSION_(?:MAJOR|MINOR|PATCH) (\d+)",
                                        (REPO / "include/blockfw/ground/version.hpp").read_text()))
extensions = ["myst_parser", "breathe", "sphinx.ext.autodoc", "sphinx_copybutton", "sphinx_design"]
source_suffix = {".md": "markdown", ".rst": "restructuredtext"}
show_warning_types = True
nitpicky = False

myst_heading_anchors = 6
myst_enable_extensions = []
# (A page may begin its parts with any heading, and a block may be of a language that Pygments lacks.)
suppress_warnings = ["myst.header", "misc.highlighting_failure"]

breathe_projects = {"blockfw": str(REPO / "build/site/doxygen/xml")}
breathe_default_project = "blockfw"
breathe_default_members = ("members",)
breathe_show_include = False
cpp_index_common_prefix = ["blockfw::"]
cpp_id_attributes = ["KOKKOS_FUNCTION", "KOKKOS_INLINE_FUNCTION", "KOKKOS_FORCEINLINE_FUNCTION"]
cpp_maximum_signature_line_length = 100

autodoc_mock_imports = ["blockfw._core"]
autodoc_preserve_defaults = True
autodoc_member_order = "bysource"
python_maximum_signature_line_length = 100
add_module_names = False
toc_object_entries_show_parents = "hide"

copybutton_prompt_text = r">>> |\.\.\. |\$ "
copybutton_prompt_is_regexp = True

html_theme = "furo"
html_title = f"blockfw {release}"
html_css_files = ["site.css"]
html_copy_source = False
html_show_sphinx = False
html_theme_options = {"navigation_with_keys": True}
pygments_style, pygments_dark_style = "friendly", "monokai"


# The page of measurements, with its list of files.
RESULTS = """\
Runs
====

Each page has the measurements of a kind, with their machines and commands.

.. toctree::
   :maxdepth: 1

{}
"""
# The style sheet of the site, beside the theme's.
STYLE = """\
/* Wide tables scroll by themselves, and pictures with a white ground keep it in the dark. */
.table-wrapper { overflow-x: auto; }
article img { background: #fff; border-radius: 4px; }
div.output pre { border-left: 3px solid var(--color-brand-primary); }
/* The code's lines have 120 columns. */
@media (min-width: 96em) { .content { width: 60em; } }
article pre { font-size: 0.8rem; }
.theme-toggle-header, .theme-toggle-content { margin-right: 0.75rem; }
.toc-tree code { overflow-wrap: normal; word-break: normal; }
"""


def menu(app, docname, source):
    """Appends the menu to the start page: the parts of docs/README.md with the pages that each names first."""
    if docname != "index":
        return
    seen, parts = set(), [("Examples and reference", ["gallery", "python", "cpp/index"])]
    for part in re.split(r"(?m)^## ", (SOURCE / "docs/README.md").read_text()):
        title, _, text = part.partition("\n")
        pages = [] if seen else ["docs/README"]
        for link in re.findall(r"\]\(([^)#\s]+)\.md\)", text):
            page = os.path.normpath("docs/" + link)
            if page not in seen and (SOURCE / f"{page}.md").exists():
                seen.add(page)
                pages.append(page)
        if seen:
            parts.append((title, pages))
    parts[:2] = reversed(parts[:2])
    parts[-1][1].append("results")
    for title, pages in parts:
        lines = "\n".join(f"/{page}" for page in pages)
        source[0] += f"\n```{{toctree}}\n:hidden:\n:caption: {title}\n\n{lines}\n```\n"


def shown_path(path):
    """The page of a file or folder of the repository."""
    return "source/" + (str(path.relative_to(REPO)) if path != REPO else "repository")


def resolve(app, doctree):
    """Links to files that are no pages lead to their text; README.md is the start page."""
    docname = app.env.docname
    if docname.startswith("benchmarks/"):  # (the logs of runs would be the first results of most searches)
        app.env.metadata[docname]["nosearch"] = True
    for node in [*doctree.findall(addnodes.pending_xref), *doctree.findall(addnodes.download_reference)]:
        if node.get("reftype") != "myst":
            continue
        if node.get("refdomain") == "doc":
            continue
        name, _, place = node["reftarget"].partition("#")
        path = pathlib.Path(os.path.normpath(REPO / pathlib.Path(app.env.doc2path(docname)).relative_to(SOURCE).parent / name))
        if not name or not path.is_relative_to(REPO) or not path.exists():
            continue   # (which Sphinx reports)
        if path == REPO / "README.md":
            node.replace_self(addnodes.pending_xref("", *node.children, refdomain="doc", reftype="myst", refdoc=docname,
                                                    reftarget="index", reftargetid=place or None, refexplicit=True))
            continue
        if ADDRESS:
            uri = f"{ADDRESS}/{'tree' if path.is_dir() else 'blob'}/main/{path.relative_to(REPO)}"
        else:
            app.env.blockfw_shown.setdefault(docname, set()).add(path)
            uri = relative_uri(app.builder.get_target_uri(docname), app.builder.get_target_uri(shown_path(path)))
        reference = nodes.reference("", "", internal=not ADDRESS, refuri=uri)
        reference.extend(node.children)
        node.replace_self(reference)


def show(app):
    """A page for each file that a page names, and for each folder its list."""
    waiting = set().union(*app.env.blockfw_shown.values()) if app.env.blockfw_shown else set()
    for path in set(waiting):
        while path.parent != REPO and path.is_relative_to(REPO):
            path = path.parent
            waiting.add(path)
    tracked = reference.files(REPO)
    for path in list(waiting):
        if path.is_dir():
            waiting |= {file for file in tracked if file.parent == path or path in file.parents and path != REPO}
    for path in list(waiting):
        if path.is_file():
            waiting |= {folder for folder in path.parents if folder != REPO and folder.is_relative_to(REPO)}
    for path in sorted(waiting):
        page = shown_path(path)
        title = html.escape(str(path.relative_to(REPO)) if path != REPO else "The repository")
        if path.is_dir():
            names = sorted({path / file.relative_to(path).parts[0] for file in tracked if file.is_relative_to(path)})
            uri = app.builder.get_target_uri
            items = "".join(f'<li><a href="{relative_uri(uri(page), uri(shown_path(name)))}">{html.escape(name.name)}'
                            f'{"/" if name.is_dir() else ""}</a></li>' for name in names if name in waiting)
            body = f"<ul>{items}</ul>"
        else:
            try:
                text = path.read_text()
                lexer = get_lexer_for_filename(path.name, text)
            except ClassNotFound:
                lexer = get_lexer_for_filename("x.py") if text.startswith("#!/usr/bin/env python3") else TextLexer()
            except UnicodeDecodeError:
                text, lexer = "(The file is no text.)", TextLexer()
            if len(text) > 200_000:
                text = text[:200_000] + "\n(The rest is left out.)\n"
            body = highlight(text, lexer, HtmlFormatter(cssclass="highlight"))
        yield page, {"title": title, "body": f"<h1>{title}</h1>{body}", "parents": [], "metatags": "", "toc": "",
                     "display_toc": False}, "page.html"


class Example(Directive):
    """.. example:: FILE: an example's text, and the output that its last comment has."""
    required_arguments = 1

    def run(self):
        path = REPO / self.arguments[0]
        env = self.state.document.settings.env
        env.note_dependency(str(path))
        code, _, output = re.sub(r"(?m)\A(#!.*\n)?(//|#) SPDX.*\n", "", path.read_text()).partition(
            "\n// Output:\n" if path.suffix == ".cpp" else "\n# Output:\n")
        if not output:
            raise self.error(f"{path.name} has no output")
        code, output = code.strip("\n"), re.sub(r"(?m)^(//|#) ?", "", output).rstrip("\n")
        blocks = [nodes.literal_block(code, code, language="cpp" if path.suffix == ".cpp" else "python"),
                  nodes.literal_block(output, output, language="text", classes=["output"])]
        return [nodes.paragraph("", "", link_to(self, path)), blocks[0], nodes.paragraph("", "It prints"), blocks[1]]


class OtherExamples(Directive):
    """A list of the examples of one screen that the page does not show, with the first sentence of each."""
    def run(self):
        page = pathlib.Path(self.state.document.current_source).read_text()
        items = nodes.bullet_list()
        for path in sorted((REPO / "examples").glob("*.*")):
            text = re.search(r'(?m)SPDX.*\n(?:// |""")((?:[^".:]|\.\S|:(?!\n)|\n(?!\n))*[.:])', path.read_text())
            if path.suffix not in (".cpp", ".py") or f"examples/{path.name}\n" in page or not re.search("int main|__main__", path.read_text()):
                continue
            sentence = " ".join(re.sub(r"\n(// )?", " ", text[1]).split()).rstrip(":") if text else ""
            items += nodes.list_item("", nodes.paragraph("", "", link_to(self, path), nodes.Text(": " + sentence)))
        return [items]


def link_to(directive, path):
    env = directive.state.document.settings.env
    return addnodes.pending_xref("", nodes.literal("", str(path.relative_to(REPO))), reftype="myst", refdomain="",
                                 refdoc=env.docname, refexplicit=True,
                                 reftarget=os.path.relpath(path, REPO / pathlib.Path(env.docname).parent))


def file_of(name, rawtext, text, lineno, inliner, options={}, content=[]):
    """:file-of:`FILE`: a link to a file of the repository."""
    class Here:
        state = inliner
    return [link_to(Here, REPO / text)], []


def prepare(app, config):
    SOURCE.joinpath("cpp").mkdir(exist_ok=True)
    results = "\n".join(f"   /benchmarks/results/{path.stem}" for path in sorted((REPO / "benchmarks/results").glob("*.md"))
                        if path.name != "README.md")
    pages = {"results": RESULTS.format(results)} | {f"cpp/{name}": text for name, text in reference.cpp_pages(REPO).items()}
    for name, text in pages.items():
        path = SOURCE / f"{name}.rst"
        if not path.exists() or path.read_text() != text:
            path.write_text(text)


def begin(app, env, docnames):
    if not hasattr(env, "blockfw_shown"):
        env.blockfw_shown = {}


def forget(app, env, docname):
    getattr(env, "blockfw_shown", {}).pop(docname, None)


def style(app, exception):
    """Writes site.css. It gives the dark colours of Furo also to readers whose system is dark: Debian's Furo has them for a
    click only."""
    if not exception and app.builder.name == "html":
        static = pathlib.Path(app.outdir, "_static")
        colours = re.findall(r'body\[data-theme="?dark"?\] ?\{([^{}]*--color-background-primary[^{}]*)\}',
                             (static / "styles/furo.css").read_text())
        (static / "site.css").write_text(
            f'{STYLE}@media (prefers-color-scheme: dark) {{ body[data-theme="auto"] {{ {colours[0]} }} }}\n')


def setup(app):
    app.connect("build-finished", style)
    app.connect("config-inited", prepare)
    app.connect("env-before-read-docs", begin)
    app.connect("env-purge-doc", forget)
    app.connect("source-read", menu)
    app.connect("doctree-read", resolve)
    app.connect("html-collect-pages", show)
    app.connect("autodoc-process-docstring", reference.docstring)
    app.add_directive("example", Example)
    app.add_directive("other-examples", OtherExamples)
    app.add_role("file-of", file_of)
