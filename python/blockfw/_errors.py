# SPDX-License-Identifier: MIT
"""Errors whose class is SciPy's, which is imported when it is needed only."""


def negative_cycle_error():
    """SciPy's class, or one of the same name where there is no SciPy."""
    global NegativeCycleError
    try:
        return NegativeCycleError
    except NameError:
        pass
    try:
        from scipy.sparse.csgraph import NegativeCycleError
    except ImportError:

        class NegativeCycleError(Exception):
            """The graph has a cycle of negative length."""

    return NegativeCycleError


def __getattr__(name):
    if name == "NegativeCycleError":
        return negative_cycle_error()
    raise AttributeError(f"module 'blockfw' has no attribute {name!r}")
