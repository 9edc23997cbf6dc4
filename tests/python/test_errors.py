# SPDX-License-Identifier: MIT
"""Bad arguments: Python's own classes, with the library's sentence."""
import blockfw
import numpy as np
import pytest
import scipy.sparse

SQUARE = np.ones((3, 3))


class OnGpu:
    def __dlpack_device__(self):
        return 2, 0


@pytest.mark.parametrize("call, error, says", [
    (lambda: blockfw.floyd_warshall(np.ones((2, 3))), ValueError, "2 rows and 3 columns"),
    (lambda: blockfw.floyd_warshall(np.ones(3)), ValueError, "1 dimensions"),
    (lambda: blockfw.floyd_warshall(scipy.sparse.csr_array(np.ones((2, 3)))), ValueError, "2 rows and 3 columns"),
    (lambda: blockfw.shortest_path(SQUARE, "X"), ValueError, "unrecognized method 'X'"),
    (lambda: blockfw.shortest_path(SQUARE, "FW", indices=[0]), ValueError, "Cannot specify indices"),
    (lambda: blockfw.floyd_warshall(SQUARE, dtype=np.uint8), TypeError, "uint8, expected int16"),
    (lambda: blockfw.floyd_warshall(SQUARE / 2, dtype=np.int32), ValueError, r"0.5 at \(0, 0\) is not a number of type int32"),
    (lambda: blockfw.floyd_warshall([[0, 1e300], [1, 0]], dtype=np.float32), ValueError, "not a number of type float"),
    (lambda: blockfw.floyd_warshall([[0, 40000], [1, 0]], dtype=np.int16), ValueError, "40000 at"),
    (lambda: blockfw.floyd_warshall(np.full((9, 9), 9000), dtype=np.int16), OverflowError, "use int32"),
    (lambda: blockfw.floyd_warshall(SQUARE, semiring="min"), ValueError, "semiring is 'min', expected"),
    (lambda: blockfw.floyd_warshall(SQUARE, semiring="max_times", dtype=np.int16), TypeError, "float32 or float64"),
    (lambda: blockfw.floyd_warshall(SQUARE, True, True, semiring="max_min"), ValueError, "shortest"),
    (lambda: blockfw.floyd_warshall(SQUARE, out=np.empty((2, 2))), ValueError, "shape"),
    (lambda: blockfw.floyd_warshall(SQUARE, out=np.empty((3, 3), np.uint8)), TypeError, "uint8"),
    (lambda: blockfw.floyd_warshall(SQUARE, out=np.empty((3, 3)), dtype="int32"), ValueError, "expected dtype, int32"),
    (lambda: blockfw.floyd_warshall(SQUARE, out=np.empty((3, 6))[:, ::2]), ValueError, "contiguous"),
    (lambda: blockfw.floyd_warshall(SQUARE, out=[[0]]), TypeError, "NumPy array"),
    (lambda: blockfw.floyd_warshall(SQUARE, devices=-1), ValueError, "devices is -1"),
    (lambda: blockfw.floyd_warshall(SQUARE, devices=1, memory=1e6), ValueError, "exclude"),
    (lambda: blockfw.floyd_warshall(np.ones((999, 999)), memory=10), MemoryError, "bytes"),
    (lambda: blockfw.floyd_warshall(SQUARE, semiring="max_plus"), ValueError, "return to itself"),
    (lambda: blockfw.all_pairs(([0], [9]), n=3), ValueError, "edge 0: vertex 9 is out of range"),
    (lambda: blockfw.all_pairs(([0], [-1]), n=3), ValueError, "vertices lie between"),
    (lambda: blockfw.all_pairs(([0], [1, 2]), n=3), ValueError, "begin at 1 vertices"),
    (lambda: blockfw.all_pairs(([0.5], [1]), n=3), TypeError, "integers"),
    (lambda: blockfw.all_pairs(([0], [1], [2**40]), dtype="int32"), ValueError, "edge 0: the weight"),
    (lambda: blockfw.all_pairs(([0], [1]), method="quick"), ValueError, "method is 'quick', expected"),
    (lambda: blockfw.Paths(([0], [1])).path(0, 5), ValueError, "vertex 5 is out of range"),
    (lambda: blockfw.batched(SQUARE), ValueError, "dimensions"),
    (lambda: blockfw.batched(np.ones((2, 2, 3))), ValueError, "square"),
    (lambda: blockfw.batched(np.full((2, 2, 2), np.nan)), ValueError, "NaN"),
    (lambda: blockfw.batched(np.full((2, 2, 2), np.nan), dtype=int), ValueError, "not a number of type int64"),
    (lambda: blockfw.batched(np.full((2, 2, 2), 2**20), dtype="int16"), ValueError,
     r"1048576 at \(0, 0, 0\) is not a number of type int16"),
    (lambda: blockfw.batched(np.ones((2, 2, 3)), dtype="int32"), ValueError, "square"),
    (lambda: blockfw.batched([[[0, 1], [1, 0]], [[0, 2**30], [1, 0]]], dtype="int32"), OverflowError,
     r"1073741824 at \(1, 0, 1\) is beyond infinity, 1073741823, in int32; use int64"),
    (lambda: blockfw.batched(np.full((1, 2, 2), 16384.0), dtype="int16"), OverflowError, "16383, in int16; use int32 or"),
    (lambda: blockfw.batched(np.full((1, 2, 2), -2**30), dtype="int32"), OverflowError, "use int64"),
    (lambda: blockfw.batched(np.full((1, 2, 2), 1e300), dtype="float32"), ValueError,
     r"1e\+300 at \(0, 0, 0\) is not a number of type float32"),
    (lambda: blockfw.batched(np.full((1, 2, 2), -1e300), dtype="float32"), ValueError, "not a number of type float32"),
    (lambda: blockfw.insert_edge(SQUARE, 0, 7, 1.0), ValueError, "vertex 7"),
    (lambda: blockfw.insert_edge([[0]], 0, 0, 1), ValueError, "writeable"),
    (lambda: blockfw.add_vertex(SQUARE, ([0], [1], [1])), ValueError, "new vertex, 3"),
    (lambda: blockfw.read_graph("/nowhere.gr"), FileNotFoundError, "nowhere"),
    (lambda: blockfw.set_threads(0), ValueError, "0 threads"),
    (lambda: blockfw.set_threads(513), ValueError, "513 threads, expected 1 to 512"),
    (lambda: blockfw.set_threads(2**40), ValueError, "expected 1 to 512"),
    (lambda: blockfw.all_pairs(SQUARE, method="bogus"), ValueError, "method is 'bogus', expected"),
    (lambda: blockfw.all_pairs(np.int16([[0, -20000], [16383, 0]])), OverflowError, "use int32"),
    (lambda: blockfw.all_pairs(([0], [1], np.int16([-20000]))), OverflowError, "use int32"),
    (lambda: blockfw.all_pairs(np.array([[0, 2**30], [1, 0]]), dtype=np.int32), OverflowError, "use int64"),
    (lambda: blockfw.dijkstra(SQUARE, indices=[0], out=np.empty(3)), ValueError, "shape"),
    (lambda: blockfw.dijkstra(SQUARE, indices=0, out=np.empty((1, 3))), ValueError, "shape"),
    (lambda: blockfw.dijkstra(SQUARE, indices=[0, 1], out=np.empty((2, 6))[:, ::2]), ValueError, "contiguous"),
    (lambda: blockfw.dijkstra(SQUARE, indices=[0], out=[[0, 0, 0]]), TypeError, "NumPy array"),
    (lambda: blockfw.dijkstra(SQUARE, indices=[0], min_only=True, out=np.empty(9)), ValueError, "shape"),
    (lambda: blockfw.dijkstra(SQUARE, indices=[0], min_only=True, out=[0, 0, 0]), TypeError, "NumPy array"),
    (lambda: blockfw.all_pairs(OnGpu(), directed=False), ValueError, "overwrite= and progress= only"),
    (lambda: blockfw.all_pairs(OnGpu(), n=3), ValueError, "overwrite= and progress= only"),
    (lambda: blockfw.all_pairs(OnGpu(), method="sparse"), ValueError, "overwrite= and progress= only"),
    (lambda: blockfw.eccentricity(np.ones((2, 3))), ValueError, "expected a square matrix"),
])
def test_refused(call, error, says):
    with pytest.raises(error, match=says) as caught:
        call()
    assert caught.type is error
    assert blockfw.floyd_warshall([[0, 1], [0, 0]])[0, 1] == 1  # nothing is broken


def test_bad_file(tmp_path):
    file = tmp_path / "bad.gr"
    file.write_text("p sp 2 1\na 1 5 3\n")
    with pytest.raises(OSError, match="bad.gr: DIMACS, line 2"):
        blockfw.read_graph(file)
