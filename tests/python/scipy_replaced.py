# SPDX-License-Identifier: MIT
"""A plugin of pytest: SciPy's own tests find this module's functions in place of SciPy's.

    pytest --noconftest -p scipy_replaced --pyargs scipy.sparse.csgraph.tests.test_shortest_path

(SciPy's conftest.py is for its developers: it needs the package hypothesis.)
"""
import blockfw
import scipy.sparse.csgraph

REPLACED = "shortest_path", "floyd_warshall", "dijkstra", "johnson", "bellman_ford"
# Tests of what this module does not have, by the beginnings of their names.
LEFT_OUT = {"test_yen": "yen finds the k shortest paths of one pair, which is another question"}

for name in REPLACED:
    setattr(scipy.sparse.csgraph, name, getattr(blockfw, name))


def pytest_collection_modifyitems(config, items):
    out = [item for item in items if item.name.startswith(tuple(LEFT_OUT))]
    config.hook.pytest_deselected(items=out)
    items[:] = [item for item in items if item not in out]
    for item in items:
        for name in REPLACED:
            assert getattr(item.module, name, None) in (None, getattr(blockfw, name))


def pytest_terminal_summary(terminalreporter):
    for name, reason in LEFT_OUT.items():
        terminalreporter.write_line(f"left out: {name}*: {reason}")
