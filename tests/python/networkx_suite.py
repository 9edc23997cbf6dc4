# SPDX-License-Identifier: MIT
"""NetworkX's own tests with this backend. As a plugin of pytest it counts what they call:

    NETWORKX_TEST_BACKEND=blockfw NETWORKX_FALLBACK_TO_NX=1 pytest -p networkx_suite --pyargs networkx.algorithms...

NetworkX takes its own functions for what the backend does not have. As a program it runs the tests of the version whose
sources lie in a folder:

    networkx_suite.py SOURCES [--plain] [TEST...]

--plain runs them without the backend, for comparison. A TEST is a module of networkx or an option of pytest (default:
all of networkx). The folder receives the entry points that pip would install.
"""
import collections
import functools
import os
import pathlib
import re
import sys

if __name__ != "__main__":
    from blockfw import _networkx

calls, left = collections.Counter(), collections.Counter()


def counted(function):
    @functools.wraps(function)
    def call(*args, **kwargs):
        calls[function.__name__] += 1
        try:
            return function(*args, **kwargs)
        except NotImplementedError as reason:
            left[f"{function.__name__}: {reason}"] += 1
            raise

    return call


def can_run(name, args, kwargs):
    answer = _networkx.can_run(name, args, kwargs)
    if answer is not True and _networkx.VERSION >= (3, 3):  # (NetworkX 3.2 makes the call, which raises)
        left[f"{name}: {answer}"] += 1
    return answer


def pytest_sessionfinish(session):
    if not all(calls[function.__name__] for function in _networkx.FUNCTIONS):
        session.exitstatus = 1


def pytest_terminal_summary(terminalreporter):
    terminalreporter.write_line("calls of the backend: " + ", ".join(f"{name} {calls[name]}" for name in sorted(
        f.__name__ for f in _networkx.FUNCTIONS)))
    for reason, count in left.items():
        terminalreporter.write_line(f"left to NetworkX ({count} times): {reason}")


def run(sources, *arguments):
    """Runs NetworkX's tests in place of this program."""
    import tomllib

    sources = pathlib.Path(sources).resolve()
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
        counted = ["-p", "networkx_suite"]
    if not any(not a.startswith("-") for a in arguments):
        arguments.append("networkx")
    os.execvpe(sys.executable, [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *counted, "--pyargs", *arguments],
               environment)


if __name__ == "__main__":
    run(*sys.argv[1:])
else:
    for function in _networkx.FUNCTIONS:
        setattr(_networkx.backend, function.__name__, staticmethod(counted(function)))
    _networkx.backend.can_run = staticmethod(can_run)
