# SPDX-License-Identifier: MIT
"""Matrices in a GPU's memory: CuPy's, PyTorch's, and this module's own. In a build for hosts there is nothing to test."""
import ctypes
import gc
import threading
import time

import blockfw
import numpy as np
import pytest
from conftest import ON_GPU, TYPES, random_weights
from scipy.sparse import csgraph
from test_habits import interrupted, run
from test_own_calls import no_zeros

if not ON_GPU:
    pytest.skip("a build for hosts", allow_module_level=True)

cupy = pytest.importorskip("cupy")
torch = pytest.importorskip("torch")


class Foreign:
    """An array of which only DLPack is known."""

    def __init__(self, array):
        self.array = array

    def __dlpack_device__(self):
        return self.array.__dlpack_device__()

    def __dlpack__(self, **how):
        return self.array.__dlpack__(**how)


def to_device(kind, array):
    array = np.array(array)
    if kind == "torch":
        return torch.from_numpy(array).cuda()
    return cupy.asarray(array) if kind == "cupy" else blockfw.DeviceMatrix(cupy.asarray(array))


def to_host(array):
    if isinstance(array, blockfw.DeviceMatrix):
        array = cupy.from_dlpack(array)
    return array.cpu().numpy() if isinstance(array, torch.Tensor) else cupy.asnumpy(array)


def address(array):
    if isinstance(array, torch.Tensor):
        return array.data_ptr()
    return (array if isinstance(array, cupy.ndarray) else cupy.from_dlpack(array)).data.ptr


def expected_of(weights):
    """SciPy's distances in the type of the weights."""
    d = csgraph.floyd_warshall(np.where(weights >= blockfw.infinity(weights.dtype), np.inf, weights.astype(float)))
    return np.where(np.isinf(d), blockfw.infinity(weights.dtype), d).astype(weights.dtype)


KINDS = "cupy", "torch", "ours"


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("n", [1, 2, 90, 300])
def test_where_it_lies(rng, kind, dtype, n):
    weights = no_zeros(random_weights(rng, n, min(1, 8 / n), dtype))
    expected = blockfw.all_pairs(weights)
    np.testing.assert_array_equal(expected, expected_of(weights) if n > 1 else weights)
    given = to_device(kind, weights)
    result = blockfw.all_pairs(given)
    assert type(result) is type(given) and tuple(result.shape) == (n, n) and str(result.dtype).endswith(dtype)
    assert address(result) != address(given)
    np.testing.assert_array_equal(to_host(result), expected)
    np.testing.assert_array_equal(to_host(given), weights)
    before = address(given)
    assert blockfw.all_pairs(given, overwrite=True) is given and address(given) == before
    np.testing.assert_array_equal(to_host(given), expected)


@pytest.mark.parametrize("kind", KINDS)
def test_negative_lengths(kind):
    none = blockfw.infinity("int32")
    d = blockfw.all_pairs(to_device(kind, np.int32([[0, -5, none], [none, 0, 2], [none + 7, none, 0]])))
    np.testing.assert_array_equal(to_host(d), [[0, -5, -3], [none, 0, 2], [none, none, 0]])
    with pytest.raises(csgraph.NegativeCycleError):
        blockfw.all_pairs(to_device(kind, np.float32([[0, 1], [-2, 0]])))
    with pytest.raises(csgraph.NegativeCycleError):
        blockfw.all_pairs(to_device(kind, np.float64([[-1.0]])))


@pytest.mark.parametrize("kind", ["cupy", "torch"])
@pytest.mark.parametrize("weights, error, says", [
    (np.ones((2, 3)), ValueError, "2 rows and 3 columns"),
    (np.ones(3), ValueError, "1 dimensions"),
    (np.ones((2, 2, 2)), ValueError, "3 dimensions"),
    (np.float32([[0, np.nan], [1, 0]]), ValueError, "NaN"),
    (np.int16([[0, -20000], [16383, 0]]), OverflowError, "use int32"),
    (np.ones((2, 2), bool), TypeError, "expected int16"),
    (np.ones((2, 2), np.uint8), TypeError, "expected int16"),
    (np.ones((2, 2), np.float16), TypeError, "expected int16"),
    (np.ones((2, 2), complex), TypeError, "expected int16"),
])
def test_refused(kind, weights, error, says):
    given = to_device(kind, weights)
    with pytest.raises(error, match=says) as caught:
        blockfw.all_pairs(given, overwrite=True)
    assert caught.type is error
    assert to_host(blockfw.all_pairs(to_device(kind, np.eye(3)))).sum() == 0  # nothing is broken


@pytest.mark.parametrize("keyword", ["dtype='int32'", "out=np.empty((3, 3))", "devices=1", "memory=1e6", "n=3",
                                     "semiring='max_min'", "method='sparse'", "directed=False"])
def test_keywords_that_are_not_there(keyword):
    with pytest.raises(ValueError, match="overwrite= and progress= only"):
        eval(f"blockfw.all_pairs(cupy.ones((3, 3)), {keyword})")


@pytest.mark.parametrize("kind", ["cupy", "torch"])
@pytest.mark.parametrize("layout", ["transposed", "part", "repeated", "reversed"])
@pytest.mark.parametrize("overwrite", [False, True])
def test_other_layouts(rng, kind, layout, overwrite):
    """What is not C-ordered is copied, and the result is a new array."""
    if (kind, layout) == ("torch", "reversed"):
        pytest.skip("PyTorch has no negative strides")
    memory = to_device(kind, rng.integers(1, 50, (80, 80)).astype(np.float32))
    row = memory[:1]
    given = {"transposed": memory.T, "part": memory[3:43, 5:45], "reversed": memory[::-1] if kind == "cupy" else None,
             "repeated": row.expand(80, 80) if kind == "torch" else cupy.broadcast_to(row, (80, 80))}[layout]
    weights = to_host(given)
    result = blockfw.all_pairs(given, overwrite=overwrite)
    assert type(result) is type(given) and result is not given
    np.testing.assert_array_equal(to_host(result), blockfw.all_pairs(weights))
    np.testing.assert_array_equal(to_host(given), weights)


def test_a_tensor_that_derivatives_are_taken_by(rng):
    weights = rng.integers(1, 50, (40, 40)).astype(np.float32)
    given = torch.from_numpy(weights).cuda().requires_grad_()
    d = blockfw.all_pairs(given)
    assert not d.requires_grad
    np.testing.assert_array_equal(to_host(d), blockfw.all_pairs(weights))


@pytest.mark.parametrize("overwrite", [False, True])
def test_streams_of_cupy(rng, overwrite):
    """The call sees what was queued on a stream of the caller's, and any stream sees its result."""
    weights = rng.integers(1, 50, (700, 700)).astype(np.float32)
    expected = blockfw.all_pairs(weights)
    there = cupy.asarray(weights)
    work = cupy.ones((6000, 6000), np.float32)
    cupy.matmul(work, work)  # (the first takes longer)
    for _ in range(3):
        given = cupy.full((700, 700), 9999, np.float32)
        cupy.cuda.Device().synchronize()
        first, second = cupy.cuda.Stream(non_blocking=True), cupy.cuda.Stream(non_blocking=True)
        with first:
            for _ in range(8):
                cupy.matmul(work, work)
            given[...] = there
            assert not first.done
            result = blockfw.all_pairs(given, overwrite=overwrite)
        with second:
            copy = result + 0
        second.synchronize()
        np.testing.assert_array_equal(copy.get(), expected)


@pytest.mark.parametrize("overwrite", [False, True])
def test_streams_of_pytorch(rng, overwrite):
    weights = rng.integers(1, 50, (700, 700)).astype(np.int32)
    expected = blockfw.all_pairs(weights)
    there = torch.from_numpy(weights).cuda()
    for _ in range(3):
        given = torch.full((700, 700), 9999, dtype=torch.int32, device="cuda")
        torch.cuda.synchronize()
        first, second = torch.cuda.Stream(), torch.cuda.Stream()
        with torch.cuda.stream(first):
            torch.cuda._sleep(100_000_000)
            given.copy_(there)
            assert not first.query()
            result = blockfw.all_pairs(given, overwrite=overwrite)
        with torch.cuda.stream(second):
            copy = result + 0
        second.synchronize()
        np.testing.assert_array_equal(to_host(copy), expected)


@pytest.mark.parametrize("dtype", TYPES)
def test_dlpack(rng, dtype):
    """A DeviceMatrix is handed on without a copy, and its memory lasts as long as what shares it."""
    weights = no_zeros(random_weights(rng, 300, 0.05, dtype))
    expected = blockfw.all_pairs(weights)
    result = blockfw.all_pairs(Foreign(cupy.asarray(weights)))
    assert isinstance(result, blockfw.DeviceMatrix) and result.shape == (300, 300) and result.dtype == dtype
    assert result.__dlpack_device__() == (2, cupy.cuda.Device().id)
    ours, theirs, again = cupy.from_dlpack(result), torch.from_dlpack(result), torch.utils.dlpack.from_dlpack(result)
    assert ours.data.ptr == theirs.data_ptr() == again.data_ptr()
    assert ours.dtype == dtype and str(theirs.dtype) == f"torch.{dtype}"
    del result, again
    gc.collect()
    others = [blockfw.DeviceMatrix(cupy.zeros((300, 300), dtype)) for _ in range(20)]  # (would take freed memory)
    np.testing.assert_array_equal(ours.get(), expected)
    np.testing.assert_array_equal(to_host(theirs), expected)
    ours[0, 0] = 3
    assert theirs[0, 0] == 3
    for other in others:
        assert not to_host(other).any()


def test_dlpack_without_a_copy_only():
    d = blockfw.DeviceMatrix(cupy.zeros((3, 3)))
    for how in dict(copy=True), dict(dl_device=(1, 0)):
        with pytest.raises(BufferError):
            d.__dlpack__(**how)
    with pytest.raises((BufferError, RuntimeError, TypeError)):
        np.from_dlpack(d)  # which reads a host's memory only
    with pytest.raises(ValueError, match="contiguous"):
        blockfw.DeviceMatrix(cupy.zeros((3, 6))[:, ::2])
    assert "(3, 3)" in repr(d)


def test_jax():
    pytest.importorskip("jax")
    out, _ = run("""
        import jax
        weights = jax.numpy.asarray(graph(300, np.float32))
        d = blockfw.all_pairs(weights, overwrite=True)  # (JAX's arrays do not change)
        assert isinstance(d, blockfw.DeviceMatrix)
        assert (np.asarray(weights) == graph(300, np.float32)).all()
        print((np.asarray(jax.numpy.from_dlpack(d)) == blockfw.all_pairs(graph(300, np.float32))).all())
    """, XLA_PYTHON_CLIENT_PREALLOCATE="false")
    assert out == "True"


class DLTensor(ctypes.Structure):
    _fields_ = [("data", ctypes.c_void_p), ("device_type", ctypes.c_int32), ("device_id", ctypes.c_int32)]


@pytest.mark.parametrize("place, says", [((2, 7), "on device 7"), ((10, 0), "DLPack's type 10")])
def test_another_device(place, says):
    """(A capsule that says so is all that one GPU can show.)"""
    kept = cupy.ones((3, 3))

    class Elsewhere(Foreign):
        def __dlpack__(self, **how):
            capsule = self.array.__dlpack__()
            pointer = ctypes.pythonapi.PyCapsule_GetPointer
            pointer.restype, pointer.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
            tensor = DLTensor.from_address(pointer(capsule, b"dltensor"))
            tensor.device_type, tensor.device_id = place
            return capsule

    with pytest.raises(ValueError, match=says):
        blockfw.all_pairs(Elsewhere(kept))
    assert (kept == 1).all()


def test_the_current_device_stays():
    count = cupy.cuda.runtime.getDeviceCount()
    for device in range(count):
        with cupy.cuda.Device(device):
            blockfw.floyd_warshall(np.ones((300, 300)))
            assert cupy.cuda.runtime.getDevice() == device


def test_progress_and_a_stop(rng):
    weights = rng.integers(1, 50, (3000, 3000)).astype(np.float32)
    given, seen = cupy.asarray(weights), []
    d = blockfw.all_pairs(given, progress=lambda done, total: seen.append((done, total)))
    assert seen[-1][0] == seen[-1][1] > 0

    def stop(done, total):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        blockfw.all_pairs(given, progress=stop)
    np.testing.assert_array_equal(given.get(), weights)
    assert (blockfw.all_pairs(given) == d).all()


def test_interrupt():
    """Ctrl-C stops a solve that takes seconds, also without a progress function."""
    assert interrupted("""
        import cupy
        before = right()
        given = cupy.full((50000, 50000), 7, np.int32)
        given[0, 1] = 3  # (not symmetric)
        print("ready", flush=True)
        try:
            blockfw.all_pairs(given, overwrite=True)
            print("solved", flush=True)
        except KeyboardInterrupt:
            print("interrupted", flush=True)
        assert right() == before
        print("right", flush=True)
    """) < 2


@pytest.mark.parametrize("dtype", ["int32", "float32", "float64"])
def test_memory(dtype):
    """With overwrite=True a solve takes a small part of the matrix besides it: panels and its kernels' code."""
    n = 12000
    given = cupy.random.randint(1, 1000, (n, n)).astype(dtype)
    cupy.get_default_memory_pool().free_all_blocks()
    blockfw.all_pairs(cupy.ones((600, 600), dtype), overwrite=True)
    cupy.get_default_memory_pool().free_all_blocks()
    free = cupy.cuda.runtime.memGetInfo()[0]
    least, done = [free], threading.Event()

    def look():
        while not done.is_set():
            least.append(cupy.cuda.runtime.memGetInfo()[0])
            time.sleep(0.0005)

    thread = threading.Thread(target=look)
    thread.start()
    blockfw.all_pairs(given, overwrite=True)
    done.set()
    thread.join()
    assert len(least) > 20 and free - min(least) <= 0.2 * given.nbytes, (len(least), free - min(least), given.nbytes)


def test_threads_and_the_interpreters_lock(rng):
    """Other threads go on during a solve, and solves of several threads are right."""
    out, _ = run("""
        import cupy
        from concurrent.futures import ThreadPoolExecutor
        graphs = [graph(n, np.float32) for n in (40, 300, 800, 1500)]
        expected = [blockfw.all_pairs(g) for g in graphs]
        def solve(g):
            with cupy.cuda.Stream(non_blocking=True):
                return blockfw.all_pairs(cupy.asarray(g), overwrite=True).get()
        with ThreadPoolExecutor(4) as pool:
            for _ in range(5):
                for d, e in zip(pool.map(solve, graphs), expected):
                    assert (d == e).all()
        print("same")
    """)
    assert out == "same"


def test_a_forked_process():
    """It cannot use the device that its parent started, and says so."""
    out, _ = run("""
        before = right()
        child = os.fork()
        if child == 0:
            try:
                right()
            except RuntimeError as error:
                os._exit(0 if "spawn" in str(error) else 1)
            os._exit(2)
        assert os.waitpid(child, 0)[1] == 0
        assert right() == before
        print("said")
    """)
    assert out == "said"
    out, _ = run("""
        child = os.fork()  # (before the first call)
        right()
        if child:
            assert os.waitpid(child, 0)[1] == 0
            print("both")
    """)
    assert out == "both"


@pytest.mark.parametrize("end, code", [("sys.exit(7)", 7), ("pass", 0), ("raise ValueError", 1)])
def test_the_end_of_a_forked_process(end, code):
    """It can read what its parent has found, and ends as it says, whatever it has of its parent's."""
    out, _ = run(f"""
        before = right()
        paths = blockfw.Paths(graph(300))
        trees = paths.predecessors()
        kept = trees.copy()
        child = os.fork()
        if child == 0:
            assert (trees == kept).all()
            for call in (right, blockfw.backend, blockfw.threads, lambda: paths.path(0, 1), paths.predecessors,
                         lambda: blockfw.set_threads(1), lambda: blockfw.transitive_closure(kept)):
                try:
                    call()
                    os._exit(99)
                except RuntimeError as error:
                    assert "spawn" in str(error)
            del trees
            print("child")  # (not flushed)
            {end}
        else:
            assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == {code}
            assert right() == before and (trees == kept).all()
            print("parent")
    """)
    assert out == "child\nparent"


def test_a_matrix_on_the_device_in_a_forked_process():
    out, _ = run("""
        import cupy
        d = blockfw.DeviceMatrix(cupy.ones((300, 300)))
        child = os.fork()
        if child == 0:
            try:
                blockfw.all_pairs(d)
            except RuntimeError as error:
                del d
                os._exit(0 if "spawn" in str(error) else 1)
            os._exit(2)
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
        assert cupy.from_dlpack(blockfw.all_pairs(d)).sum() == 300 * 299
        print("said")
    """)
    assert out == "said"
