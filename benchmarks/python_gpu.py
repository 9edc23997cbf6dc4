#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The Python module's solves of matrices in a GPU's memory, beside the loop that CuPy's and PyTorch's users write:

    benchmarks/python_gpu.py [--repeat TIMES] [N...]

for a build for CUDA, with CuPy and PyTorch. Of TIMES solves (5) the median is taken; the loop of n steps runs once. Both
results are compared. Lengths are random, from 1 to 99, and every pair has an edge. The last columns say how much of the
GPU's memory the first solve of that size takes besides the matrix, as a part of it, and whether the result lies where the
matrix lay.
"""
import argparse
import statistics
import threading
import time

import blockfw
import cupy
import numpy as np
import torch


def seconds(call):
    cupy.cuda.Device().synchronize()
    began = time.perf_counter()
    result = call()
    cupy.cuda.Device().synchronize()
    return time.perf_counter() - began, result


def loop(d, of):
    """The textbook's n steps, by CuPy or PyTorch, in place but for one matrix of sums."""
    sums = of.empty_like(d)
    for k in range(len(d)):
        of.add(d[:, k:k + 1], d[k], out=sums)
        of.minimum(d, sums, out=d)
    return d


def address(d):
    return d.data.ptr if isinstance(d, cupy.ndarray) else d.data_ptr()


class Memory:
    """The most of the GPU's memory that was taken meanwhile, in bytes."""

    def __enter__(self):
        self.before, self.least = [cupy.cuda.runtime.memGetInfo()[0]] * 2
        self.done = threading.Event()
        self.thread = threading.Thread(target=self.look)
        self.thread.start()
        return self

    def look(self):
        while not self.done.wait(0.0005):
            self.least = min(self.least, cupy.cuda.runtime.memGetInfo()[0])

    def __exit__(self, *_):
        self.done.set()
        self.thread.join()
        self.taken = self.before - self.least


def measure(of, dtype, n, repeat):
    host = np.random.default_rng(n).integers(1, 100, (n, n), dtype=np.int16).astype(dtype)
    np.fill_diagonal(host, 0)
    given = of.asarray(host, device="cuda") if of is torch else of.asarray(host)
    copy = of.clone if of is torch else of.copy
    blockfw.all_pairs(copy(given[:n // 2, :n // 2]), overwrite=True)
    first = copy(given)
    with Memory() as memory:
        blockfw.all_pairs(first, overwrite=True)
    times, same = [], True
    for _ in range(repeat):
        d = copy(given)
        where = address(d)
        taken, result = seconds(lambda: blockfw.all_pairs(d, overwrite=True))
        times.append(taken)
        same &= result is d and address(result) == where
    loops, expected = seconds(lambda: loop(copy(given), of))
    equal = bool((result == expected).all())
    own = statistics.median(times)
    print(f"| {of.__name__}, {dtype}, n = {n} | {1e3 * own:.3f} | {1e3 * loops:.1f} | {loops / own:.0f} | "
          f"{n**3 / own / 1e12:.2f} | {memory.taken / host.nbytes:.3f} | {'yes' if same else 'NO'} | "
          f"{'yes' if equal else 'NO'} |", flush=True)
    return same and equal


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("n", nargs="*", type=int, default=[1000, 5000, 10000])
    parser.add_argument("--repeat", type=int, default=5)
    arguments = parser.parse_args()
    name = cupy.cuda.runtime.getDeviceProperties(0)["name"].decode()
    print(f"blockfw {blockfw.__version__} ({blockfw.backend()}), CuPy {cupy.__version__}, PyTorch {torch.__version__}, {name}\n")
    print("| matrix | blockfw, ms | loop, ms | ratio | Trelax/s | memory besides | same place | same result |")
    print("|---|---:|---:|---:|---:|---:|---|---|")
    good = True
    for n in arguments.n:
        for of, types in (cupy, ("float32", "int32", "float64", "int64")), (torch, ("float32", "int32")):
            for dtype in types:
                good &= measure(of, dtype, n, arguments.repeat)
    return 0 if good else 1


if __name__ == "__main__":
    raise SystemExit(main())
