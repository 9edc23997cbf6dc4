# SPDX-License-Identifier: MIT
"""Runs NetworkX's own tests, of the version whose sources lie in a folder, with the backend:

    networkx_suite.py SOURCES [--plain] [TEST...]

--plain runs them without the backend, for comparison. A TEST is a module of networkx or an option of pytest (default:
all of networkx). The folder receives the entry points that pip would install.
"""
import os
import pathlib
import re
import sys
import tomllib

sources = pathlib.Path(sys.argv[1]).resolve()
arguments = sys.argv[2:]
plain = "--plain" in arguments
arguments = [a for a in arguments if a != "--plain"]

version = re.search(r'^__version__ = "(.*)"', (sources / "networkx/__init__.py").read_text(), re.M)[1]
groups = tomllib.loads((sources / "pyproject.toml").read_text())["project"]["entry-points"]
installed = sources / f"networkx-{version}.dist-info"
installed.mkdir(exist_ok=True)
(installed / "METADATA").write_text(f"Metadata-Version: 2.1\nName: networkx\nVersion: {version}\n")
(installed / "entry_points.txt").write_text("".join(
    f"[{group}]\n" + "".join(f"{name} = {place}\n" for name, place in entries.items()) for group, entries in groups.items()))

environment = dict(os.environ, PYTHONDONTWRITEBYTECODE="1", PYTHONPATH=os.pathsep.join(
    [str(sources), str(pathlib.Path(__file__).parent), os.environ.get("PYTHONPATH", "")]))
counted = []
if not plain:
    environment |= {"NETWORKX_TEST_BACKEND": "blockfw", "NETWORKX_FALLBACK_TO_NX": "1"}
    counted = ["-p", "networkx_counted"]
if not any(not a.startswith("-") for a in arguments):
    arguments.append("networkx")
os.execvpe(sys.executable, [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *counted, "--pyargs", *arguments],
           environment)
