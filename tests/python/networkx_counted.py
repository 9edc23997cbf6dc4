# SPDX-License-Identifier: MIT
"""A plugin of pytest: NetworkX's own tests run with this backend, and it counts what they call.

    NETWORKX_TEST_BACKEND=blockfw NETWORKX_FALLBACK_TO_NX=1 pytest -p networkx_counted --pyargs networkx.algorithms...

NetworkX takes its own functions for what the backend does not have.
"""
import collections
import functools

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


for function in _networkx.FUNCTIONS:
    setattr(_networkx.backend, function.__name__, staticmethod(counted(function)))


def can_run(name, args, kwargs):
    answer = _networkx.can_run(name, args, kwargs)
    if answer is not True and _networkx.VERSION >= (3, 3):  # (NetworkX 3.2 makes the call, which raises)
        left[f"{name}: {answer}"] += 1
    return answer


_networkx.backend.can_run = staticmethod(can_run)


def pytest_sessionfinish(session):
    if not all(calls[function.__name__] for function in _networkx.FUNCTIONS):
        session.exitstatus = 1


def pytest_terminal_summary(terminalreporter):
    terminalreporter.write_line("calls of the backend: " + ", ".join(f"{name} {calls[name]}" for name in sorted(
        f.__name__ for f in _networkx.FUNCTIONS)))
    for reason, count in left.items():
        terminalreporter.write_line(f"left to NetworkX ({count} times): {reason}")
