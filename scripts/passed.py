# SPDX-License-Identifier: MIT
"""Remembers checks that passed: compilations that write no object file, which a compiler cache does not hold.

A check is known by its command and by the bytes of each file that it read, as the compiler listed them. Paths below the
checkout count as relative ones, so that any clone finds the checks of another. A failed check is never remembered. The
list is a folder, BLOCKFW_PASSED (scripts/sandbox names it); without that variable every check runs.
"""
import functools
import hashlib
import json
import os
import shutil
import subprocess
import tempfile
import time
from pathlib import Path

REPO = Path(__file__).resolve().parent.parent
KEPT = 8  # states of the files that are remembered for a command


def relative(text):
    return text.replace(str(REPO).encode(), b".")


def digest(*parts):
    return hashlib.sha256(b"\0".join(relative(part) for part in parts)).hexdigest()


@functools.lru_cache(maxsize=None)
def version(tool):
    return subprocess.run([tool, "--version"], capture_output=True, check=True).stdout if shutil.which(tool) else b""


@functools.lru_cache(maxsize=None)
def surroundings(native):
    """All else on which a compiler's answer depends: the host's compilers, tools, variables, and the processor."""
    tools = [version(tool) for tool in ("c++", "g++-13", "cuobjdump", "nvdisasm", "llvm-mca-21")]
    variables = [os.environ.get(name, "").encode() for name in
                 ("CPATH", "CPLUS_INCLUDE_PATH", "NVCC_PREPEND_FLAGS", "NVCC_APPEND_FLAGS", "HIPCC_COMPILE_FLAGS_APPEND")]
    processor = sorted({line for line in open("/proc/cpuinfo", "rb") if line.startswith((b"flags", b"model name"))})
    return digest(*tools, *variables, *(processor if native else [])).encode()


@functools.lru_cache(maxsize=None)
def file_digest(path):
    """Of a path that may be relative to the checkout; empty if there is no such file."""
    try:
        return digest((REPO / path).read_bytes())
    except OSError:
        return ""


def listed(rule):
    """The files in a rule of a makefile, as compilers write it."""
    words = rule.replace("\\\n", " ").replace("\\ ", "\0").split()
    return [word.replace("\0", " ") for word in words if not word.endswith(":") and word != "-"]


def remembered(words, also=""):
    """The text kept for a command that passed before with all files as they are now, or None. `also`: further input."""
    folder = os.environ.get("BLOCKFW_PASSED")
    if not folder:
        return None
    try:
        states = json.loads((Path(folder) / key(words, also)).read_text())
    except (OSError, ValueError):
        return None
    for state in states:
        if all(file_digest(path) == wanted for path, wanted in state["files"].items()):
            return state["text"]
    return None


def key(words, also):
    return digest(version(str(words[0])), surroundings("-march=native" in words), *(str(word).encode() for word in words),
                  also.encode())


def remember(words, files, began, text="", also=""):
    """Keeps that the command passed, and a text. `files` are all that it read, `began` the time.time() before: what was
    changed since is not what passed."""
    folder = os.environ.get("BLOCKFW_PASSED")
    if not folder or any(os.path.exists(path) and os.stat(path).st_mtime > began for path in files):
        return
    place = Path(folder) / key(words, also)
    place.parent.mkdir(parents=True, exist_ok=True)
    try:
        states = json.loads(place.read_text())
    except (OSError, ValueError):
        states = []
    paths = {os.path.relpath(path, REPO) if Path(path).is_relative_to(REPO) else str(path) for path in files}
    states.insert(0, {"text": text, "files": {path: file_digest(path) for path in sorted(paths)}})
    with tempfile.NamedTemporaryFile("w", dir=folder, delete=False) as file:
        json.dump(states[:KEPT], file)
    os.replace(file.name, place)


def listing(compiler, rule):
    """The words by which a compiler lists the files that it reads, as a rule of a makefile."""
    if Path(str(compiler)).name == "hipcc":  # which lists none for device code, unless its front end is asked
        words = ("-dependency-file", rule, "-sys-header-deps", "-MT", "out")
        return [word for each in words for word in ("-Xclang", each)]
    return ["-MD", "-MF", rule]


def known(words, text=None):
    """Whether compiles() has taken these words and this text before, and no file has changed since."""
    return remembered(command(words, text), text or "") is not None


def command(words, text):
    return [*map(str, words), *([] if text is None else ["-"])]


def compiles(words, text=None, also_read=()):
    """Whether the compiler takes its input, which is asked only if that is not known. Its messages go to stderr.

    `words` end with the source file, or the source is the text. `also_read`: the files that a precompiled header holds,
    which the compiler does not list.
    """
    if known(words, text):
        return True
    words = command(words, text)
    began = time.time()
    with tempfile.TemporaryDirectory() as folder:
        rule = Path(folder) / "rule"
        if subprocess.run([*words, *listing(words[0], rule)], input=text, text=True).returncode != 0:
            return False
        files = [*listed(rule.read_text()), *also_read]
    remember(words, [os.path.abspath(path) for path in files if not path.endswith(".gch")], began, also=text or "")
    return True
