# SPDX-License-Identifier: MIT
import zlib

import blockfw
import numpy as np
import pytest

ON_GPU = hasattr(blockfw._core, "solve_on_device")
TYPES = "int16", "int32", "int64", "float32", "float64"


def pytest_configure(config):
    config.addinivalue_line("markers", "exhaustive: no part of the short suite")


@pytest.fixture
def devices():
    """A number of devices that there are: two groups of threads, or two GPUs."""
    try:
        blockfw.all_pairs(np.zeros((2, 2)), devices=2)
    except ValueError:
        return 1
    return 2


@pytest.fixture
def rng(request):
    return np.random.default_rng(zlib.crc32(request.node.name.encode()))


def random_weights(rng, n, density, dtype, low=1):
    """A dense matrix in which 0 is no edge."""
    weights = rng.integers(low, 50, (n, n))
    if np.dtype(dtype).kind == "f":
        weights = weights + rng.integers(0, 8, (n, n)) / 8  # (sums are exact)
    weights = weights * (rng.random((n, n)) < density)
    np.fill_diagonal(weights, 0)
    return weights.astype(dtype)
