# SPDX-License-Identifier: MIT
"""Matrices in a GPU's memory."""
import sys

import numpy as np

from . import _core
from ._solve import shown


class DeviceMatrix:
    """An n x n matrix of distances in a GPU's memory, which this module took. all_pairs returns it for an array there
    that is neither CuPy's nor PyTorch's.

    It has DLPack, so cupy.from_dlpack(), torch.from_dlpack(), jax.numpy.from_dlpack() and all_pairs() take it, without a
    copy. The distances are complete, so they may be used on any stream.
    """

    def __init__(self, array):
        """A copy of an n x n array in the memory of the GPU that solves."""
        _require_device()
        self._memory = _core.copy_on_device(array)

    @property
    def shape(self):
        """(n, n)"""
        return self._memory.n, self._memory.n

    @property
    def dtype(self):
        """The distances' type."""
        return np.dtype(self._memory.dtype)

    def __dlpack_device__(self):
        return self._memory.device

    def __dlpack__(self, *, stream=None, max_version=None, dl_device=None, copy=None):
        if copy or dl_device not in (None, self._memory.device):
            raise BufferError("a DeviceMatrix is not copied or moved by DLPack, expected its own device and no copy")
        return self._memory.capsule()

    def __repr__(self):
        return f"<DeviceMatrix {self.shape} of {self.dtype}>"


def _require_device():
    if not hasattr(_core, "solve_on_device"):
        raise TypeError(f"the array lies in a GPU's memory, and this build is for hosts ({_core.backend()})")


def on_device(graph):
    """Whether it is an array in a GPU's memory (CuPy's, PyTorch's, ...)."""
    if isinstance(graph, np.ndarray) or not hasattr(graph, "__dlpack_device__"):
        return False
    cpu, cuda_host, rocm_host = 1, 3, 11
    return graph.__dlpack_device__()[0] not in (cpu, cuda_host, rocm_host)


def _is(graph, module, name):
    """Whether it is of that class of a module. (That is imported already, then.)"""
    module = sys.modules.get(module)
    return module is not None and isinstance(graph, getattr(module, name))


def solve_on_device(graph, options, overwrite, n, directed):
    others = options.out, options.devices, options.memory, options.dtype, n
    if (any(option is not None for option in others) or options.semiring != "min_plus"
            or options.method not in ("automatic", "dense") or not (directed is None or directed)
            or options.strict_cycles):
        raise ValueError("an array in a GPU's memory takes overwrite= and progress= only")
    _require_device()
    if _is(graph, "torch", "Tensor"):
        plain = graph.detach()  # (without PyTorch's data for gradients)
        if not (overwrite and plain.is_contiguous()):
            graph = plain = plain.clone(memory_format=sys.modules["torch"].contiguous_format)
    elif _is(graph, "cupy", "ndarray"):
        if not (overwrite and graph.flags.c_contiguous):
            graph = graph.copy(order="C")
        plain = graph
    else:
        if not (overwrite and isinstance(graph, DeviceMatrix)):
            graph = DeviceMatrix(graph)
        plain = graph
    with shown(options.progress) as progress:
        _core.solve_on_device(plain, progress)
    return graph
