# SPDX-License-Identifier: MIT
"""The docstrings' examples."""
import doctest
import importlib

import blockfw
import pytest


@pytest.mark.parametrize("name", ["blockfw", "blockfw._scipy", "blockfw._own", "blockfw._paths"])
def test_docstrings(name):
    result = doctest.testmod(importlib.import_module(name))
    assert result.attempted > 0 and result.failed == 0


def test_every_call_has_an_example_or_a_sentence():
    for name in set(blockfw.__all__) - {"NegativeCycleError"}:  # (SciPy's)
        assert len(getattr(blockfw, name).__doc__ or "") > 30, name
