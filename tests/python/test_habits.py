# SPDX-License-Identifier: MIT
"""What Python's users expect of a module: each case in a process of its own."""
import os
import signal
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import pytest
from conftest import ON_GPU

START = """
import multiprocessing, os, signal, sys, threading, time
import numpy as np
import blockfw
from blockfw import _core

def graph(n, dtype=np.float64):
    return np.random.default_rng(n).integers(1, 100, (n, n)).astype(dtype)

def right():
    n = 300
    weights = graph(n)
    d = blockfw.floyd_warshall(weights)
    assert (d <= weights).all() and (d <= d[:, :1] + d[0]).all() and (d[np.eye(n) == 0] > 0).all()
    return float(d.sum())
"""


def run(code, timeout=120, **environment):
    """Runs a program; returns what it prints."""
    done = subprocess.run([sys.executable, "-c", START + textwrap.dedent(code)], capture_output=True, text=True,
                          timeout=timeout, env=os.environ | environment)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip(), done.stderr.strip()


def test_import_starts_nothing():
    out, err = run("""
        assert not _core.started()
        assert "scipy" not in sys.modules and "networkx" not in sys.modules
        assert threading.active_count() == 1
        print(len(os.listdir("/proc/self/task")))
    """, OPENBLAS_NUM_THREADS="1")
    assert out == "1" and err == ""


def test_starts_once_ends_cleanly_and_prints_nothing():
    out, err = run("right(); assert _core.started(); right()")
    assert out == err == ""


def test_ends_cleanly_with_results_that_are_kept():
    _, err = run("""
        import builtins
        builtins.kept = blockfw.Paths(graph(300)), blockfw.Paths(graph(300)).predecessors()
        blockfw._kept = builtins.kept
    """)
    assert err == ""


def test_threads():
    out, _ = run("print(blockfw.threads()); right()", OMP_NUM_THREADS="3")
    assert out == "3"
    out, _ = run("blockfw.set_threads(2); print(blockfw.threads(), right())")
    assert out.split()[0] == "2"
    out, _ = run("""
        first = right()
        for count in 1, 2, 4:
            blockfw.set_threads(count)
            assert blockfw.threads() == count
            assert right() == first
        print("same")
    """)
    assert out == "same"


@pytest.mark.parametrize("name", ["OMP_NUM_THREADS", "KOKKOS_NUM_THREADS"])
def test_more_threads_than_there_can_be(name):
    out, _ = run("""
        for _ in range(2):
            try:
                right()
            except ValueError as error:
                print(error)
        blockfw.set_threads(2)
        right()
    """, **{name: "600"})
    assert out.splitlines() == [f"{name} is '600', expected 1 to 512 threads"] * 2
    out, _ = run("""
        for _ in range(2):
            try:
                blockfw.set_threads(600)
            except ValueError as error:
                print(error)
            right()
        blockfw.set_threads(512)
        assert blockfw.threads() == 512
        right()
    """)
    assert out.splitlines() == ["set_threads: 600 threads, expected 1 to 512"] * 2


@pytest.mark.parametrize("wait", [0, 0.01, 0.3])
def test_the_program_ends_during_a_solve(wait):
    """Daemon threads that solve do not hold it up, and do not abort it."""
    out, err = run(f"""
        import atexit
        right()
        big, small = np.ones((8000, 8000), np.float32), np.ones((20, 20))
        started = threading.Barrier(5)
        def solve(weights):
            started.wait()
            while True:
                blockfw.all_pairs(weights)
        for weights in big, small, small, small:
            threading.Thread(target=solve, args=(weights,), daemon=True).start()
        started.wait()
        time.sleep({wait})
        print("ends", flush=True)
    """)
    assert out == "ends" and err == ""


def test_calls_while_the_program_ends():
    out, _ = run("""
        import atexit
        def last():
            blockfw.set_threads(2)
            print(right() > 0, blockfw.threads())
        atexit._clear()
        atexit.register(last)
        atexit.register(_core.at_exit)
    """)
    assert out == "True 2"


def test_other_threads_go_on():
    out, _ = run(f"""
        blockfw.floyd_warshall(graph(10))
        weights = graph({8000 if ON_GPU else 1500})
        ticks, done = 0, threading.Event()
        def solve():
            blockfw.floyd_warshall(weights)
            done.set()
        thread = threading.Thread(target=solve)
        began = time.perf_counter()
        thread.start()
        longest, last = 0, time.perf_counter()
        while not done.is_set():
            time.sleep(0.001)
            now = time.perf_counter()
            longest, last, ticks = max(longest, now - last), now, ticks + 1
        thread.join()
        assert ticks > 3 and longest < 0.9 * (time.perf_counter() - began), (ticks, longest)
        print("went on")
    """)
    assert out == "went on"


def test_solves_of_several_threads():
    out, _ = run("""
        from concurrent.futures import ThreadPoolExecutor
        graphs = [graph(n) for n in (40, 300, 301, 302, 303, 304)]
        expected = [blockfw.floyd_warshall(g) for g in graphs]
        with ThreadPoolExecutor(6) as pool:
            for _ in range(5):
                for d, e in zip(pool.map(blockfw.floyd_warshall, graphs), expected):
                    assert (d == e).all()
        print("same")
    """)
    assert out == "same"


def processor_seconds(process):
    """The processor time that a process has taken."""
    fields = Path(f"/proc/{process.pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def interrupted(code, after="right", wait=0.3):
    """Runs a program that prints "ready", "interrupted" after Ctrl-C, and `after`; returns the seconds from Ctrl-C on, of
    the clock or of the processor, whichever are fewer: a busy machine stretches the clock's."""
    process = subprocess.Popen([sys.executable, "-c", START + textwrap.dedent(code)], stdout=subprocess.PIPE, text=True)
    assert process.stdout.readline() == "ready\n"
    time.sleep(wait)
    began, spent = time.perf_counter(), processor_seconds(process)
    process.send_signal(signal.SIGINT)
    assert process.stdout.readline() == "interrupted\n"
    waited = time.perf_counter() - began
    assert waited < 10  # (a thread that waits takes no processor time)
    waited = min(waited, processor_seconds(process) - spent)
    assert process.stdout.readline() == after + "\n"
    assert process.wait(60) == 0
    return waited


@pytest.mark.skipif(ON_GPU, reason="a GPU's solves without a progress function are not stopped")
@pytest.mark.parametrize("how", ["floyd_warshall(weights)", "floyd_warshall(weights, dtype=np.int32)",
                                 "batched(weights, overwrite=True)", "dijkstra(sparse, indices=np.arange(2000))",
                                 "all_pairs(sparse, method='dense')"])
def test_interrupt(how):
    """Ctrl-C ends a solve early, with KeyboardInterrupt, and the next one is right."""
    code = f"""
        import scipy.sparse
        before = right()
        blockfw.set_threads(1)
        n = 6000 if "weights" in {how!r} or "dense" in {how!r} else 20000
        weights = graph(n) if "weights" in {how!r} else None
        if "batched" in {how!r}:
            weights = weights.reshape(-1, 600, 600).repeat(4, 0)
            last = weights[-1, 0, 1:].copy()
        step = np.arange(n)
        sparse = scipy.sparse.csr_array((np.ones(3 * n), (np.tile(step, 3), np.concatenate(
            [(step + 1) % n, (step + 7) % n, (step + 91) % n]))), shape=(n, n))
        print("ready", flush=True)
        try:
            blockfw.{how}
            print("solved", flush=True)
        except KeyboardInterrupt:
            if "batched" in {how!r}:
                assert (weights[-1, 0, 1:] == last).all()  # (not solved yet)
            print("interrupted", flush=True)
        blockfw.set_threads(2)
        assert right() == before
        print("right", flush=True)
    """
    assert interrupted(code) < 10


@pytest.mark.parametrize("how", [
    pytest.param("transitive_closure((many, (many + np.repeat(np.arange(1, 101), n)) % n), progress={})",
                 marks=pytest.mark.skipif(ON_GPU, reason="a GPU's closure without a progress function is not stopped")),
    "paths.predecessors(progress={})", "paths.next_hops(progress={})",
    "add_vertex(distances, (step % 2 * n, (1 - step % 2) * n, np.ones_like(step)), progress={})"])
def test_interrupt_of_what_follows_a_solve(how):
    """Ctrl-C ends closures and searches for all paths early, and so does a progress function."""
    assert interrupted(f"""
        blockfw.set_threads(1)
        n = 24000 if "closure" in {how!r} else 4000
        step = np.arange(n)
        many = np.tile(step, 100)  # (a closure of few edges would end too soon)
        if "vertex" in {how!r}:
            step, distances = np.arange(800_000), np.ones((n, n), np.int32) - np.eye(n, dtype=np.int32)
        before, paths = right(), None
        if "paths" in {how!r}:
            paths = blockfw.Paths((np.tile(step, 200), (np.tile(step, 200) + np.repeat(np.arange(1, 201), n)) % n))
        print("ready", flush=True)
        try:
            blockfw.{how.format("False")}
            print("solved", flush=True)
        except KeyboardInterrupt:
            print("interrupted", flush=True)
        seen = []
        def stop(done, total):
            seen.append((done, total))
            raise ZeroDivisionError
        try:
            blockfw.{how.format("stop")}
            print("solved", flush=True)
        except ZeroDivisionError:
            assert len(seen) == 1 and 0 < seen[0][0] < seen[0][1]
            assert right() == before
            print("right", flush=True)
    """.replace("blockfw.paths", "paths")) < 2


def test_interrupt_of_an_elimination():
    """It is stopped within its supernodes, too, here one of thousands of vertices."""
    assert interrupted("""
        before = right()
        blockfw.set_threads(1)
        n = 4000
        from_, to = np.random.default_rng(1).integers(0, n, (2, 50 * n))
        seen = []
        def tell(done, total):
            if not seen:
                print("ready", flush=True)
            seen.append(done)
        try:
            blockfw.all_pairs((from_, to, np.ones(50 * n)), method="sparse", progress=tell)
            print("solved", flush=True)
        except KeyboardInterrupt:
            assert seen[-1] < n  # (of 3 n)
            print("interrupted", flush=True)
        assert right() == before
        print("right", flush=True)
    """, wait=0.1) < 5


def test_interrupt_while_another_thread_solves():
    """Ctrl-C ends the wait for that solve, which goes on."""
    assert interrupted("""
        before, weights = right(), graph(400)
        going, stop = threading.Event(), threading.Event()
        def wait(done, total):
            going.set()
            stop.wait()
        other = []
        thread = threading.Thread(target=lambda: other.append(blockfw.floyd_warshall(weights, progress=wait)))
        thread.start()
        going.wait()
        print("ready", flush=True)
        try:
            right()
        except KeyboardInterrupt:
            print("interrupted", flush=True)
        signal.signal(signal.SIGALRM, lambda *_: 1 / 0)
        signal.setitimer(signal.ITIMER_REAL, 0.2)
        try:
            blockfw.set_threads(1)
            print("set", flush=True)
        except ZeroDivisionError:
            pass
        stop.set()
        thread.join()
        assert (other[0] == blockfw.floyd_warshall(weights)).all() and right() == before
        print("right", flush=True)
    """) < 2


def test_a_callback_that_raises():
    out, _ = run("""
        class Stop(Exception): pass
        def stop(done, total): raise Stop(f"{done} of {total}")
        before = right()
        try:
            blockfw.floyd_warshall(graph(500), progress=stop)
        except Stop as error:
            print(str(error).split()[1])
        assert right() == before
        def again(done, total): blockfw.floyd_warshall(graph(300))
        try:
            blockfw.floyd_warshall(graph(500), progress=again)
        except RuntimeError as error:
            print("refused")
        assert right() == before
    """)
    assert out.split() == ["of", "refused"]


def test_bar():
    _, err = run("blockfw.floyd_warshall(graph(600), progress=True)")
    assert "100%" in err and "part" in err
    _, err = run("""
        import scipy.sparse
        blockfw.dijkstra(scipy.sparse.csr_array(np.diag(np.ones(999), 1)), progress=True)
    """)
    assert "100%" in err


FORKS = pytest.mark.skipif(ON_GPU, reason="a forked process cannot use its parent's GPU (test_on_gpu.py)")


@pytest.mark.parametrize("method", [pytest.param("fork", marks=FORKS), "spawn", "forkserver"])
def test_processes(tmp_path, method):
    """Solves in a parent, in its children, and in the parent again; each starts Kokkos once."""
    program = tmp_path / "program.py"
    program.write_text(START + textwrap.dedent(f"""
        def solve(_):
            assert blockfw.threads() == 2
            return right()
        if __name__ == "__main__":
            blockfw.set_threads(2) if {method!r} == "fork" else None
            before = right()
            with multiprocessing.get_context({method!r}).Pool(3) as pool:
                assert set(pool.map(solve, range(9))) == {{before}}
                assert right() == before
                assert set(pool.map(solve, range(9))) == {{before}}
            print("same")
        """))
    done = subprocess.run([sys.executable, str(program)], capture_output=True, text=True, timeout=120,
                          env=os.environ | {"OMP_NUM_THREADS": "2"})
    assert done.returncode == 0 and done.stdout == "same\n", done.stderr


@FORKS
def test_fork_while_another_thread_solves():
    out, _ = run("""
        before = right()
        weights = graph(2000)
        thread = threading.Thread(target=blockfw.floyd_warshall, args=(weights,))
        thread.start()
        time.sleep(0.02)
        child = os.fork()
        if child == 0:
            os._exit(0 if right() == before else 1)
        assert os.waitpid(child, 0)[1] == 0
        thread.join()
        assert right() == before
        print("same")
    """)
    assert out == "same"


def test_under_xdist(tmp_path):
    (tmp_path / "test_some.py").write_text(textwrap.dedent("""
        import blockfw, numpy as np, pytest
        @pytest.mark.parametrize("n", range(290, 310))
        def test(n):
            assert (blockfw.floyd_warshall(np.ones((n, n))) <= 1).all()
        """))
    done = subprocess.run([sys.executable, "-m", "pytest", "-q", "-n", "2", "-p", "no:cacheprovider", str(tmp_path)],
                          capture_output=True, text=True, timeout=120, env=os.environ | {"OMP_NUM_THREADS": "1"})
    assert "20 passed" in done.stdout, done.stdout + done.stderr


MEASURE = f"""
    import resource
    n = {6000 if ON_GPU else 4500}  # (large pages, and what a GPU's driver takes of the host, do not grow with it)
    blockfw.floyd_warshall(graph(600)); blockfw.floyd_warshall(graph(600, np.int32), dtype=np.int32)
    def peak():  # (without the pages of files: code that the call is the first to run is not its memory)
        with open("/proc/self/status") as status:
            kb = dict(line.split()[:2] for line in status if line.startswith(("VmHWM:", "RssFile:")))
        return (int(kb["VmHWM:"]) - int(kb["RssFile:"])) * 1024
    def reset():
        with open("/proc/self/clear_refs", "w") as f: f.write("5")
"""


@pytest.mark.exhaustive
@pytest.mark.parametrize("case", [
    # (What is written over counts.)
    "weights = graph(n); reset(); base = peak() - weights.nbytes; d = blockfw.floyd_warshall(weights, overwrite=True)",
    "weights = graph(n, np.int16); out = np.empty((n, n)); reset(); base = peak(); "
     "d = blockfw.floyd_warshall(weights, out=out)",
    "weights = graph(n, np.int16); out = np.empty((n, n), np.int32); reset(); base = peak(); "
     "d = blockfw.floyd_warshall(weights, out=out)",
    "weights = graph(n); weights[:] = np.maximum(weights, weights.T); reset(); base = peak() - weights.nbytes; "
     "d = blockfw.floyd_warshall(weights, directed=False, overwrite=True)",
    "import scipy.sparse; step = np.arange(n); "
     "sparse = scipy.sparse.csr_array((np.ones(n), (step, (step + 1) % n)), shape=(n, n)); "
     "out = np.empty((n, n)); blockfw.dijkstra(sparse[:300, :300]); reset(); base = peak(); "
     "d = blockfw.dijkstra(sparse, out=out)",
])
def test_memory(case):
    """The peak of a call is at most 1.1 times its result."""
    out, _ = run(MEASURE + f"    {case}\n    print((peak() - base) / d.nbytes)\n", OMP_NUM_THREADS="2")
    assert float(out) <= 1.1, out


def test_memory_of_many_sources():
    """Of a large graph with few edges only the rows that are asked for are made."""
    out, _ = run(MEASURE + """
    import scipy.sparse, scipy.sparse.csgraph as csgraph
    side = 120
    v = np.arange(side * side, dtype=np.int32).reshape(side, side)
    from_, to = np.concatenate([v[:, :-1].ravel(), v[:-1].ravel()]), np.concatenate([v[:, 1:].ravel(), v[1:].ravel()])
    lengths = np.random.default_rng(1).integers(1, 50, from_.size)
    streets = scipy.sparse.csr_array((lengths, (from_, to)), shape=(v.size, v.size))
    sources = np.arange(0, v.size, 8)
    blockfw.dijkstra(streets, False, indices=sources[:2])
    reset()
    base = peak()
    d = blockfw.dijkstra(streets, False, indices=sources, dtype=np.float32)
    print((peak() - base) / d.nbytes)
    assert (d[::100] == csgraph.dijkstra(streets, False, indices=sources[::100])).all()
    """, OMP_NUM_THREADS="2")
    assert float(out) <= 2, out


def test_memory_map(tmp_path):
    """The result may be a file."""
    out, _ = run(f"""
        weights = graph(700, np.int32)
        out = np.memmap({str(tmp_path / 'd')!r}, np.int32, "w+", shape=(700, 700))
        blockfw.floyd_warshall(weights, out=out, memory=50e6)
        assert (out == blockfw.floyd_warshall(weights)).all()
        print("same")
    """)
    assert out == "same"


@pytest.mark.parametrize("how", ["devices={}", "memory=5e7"])
def test_a_stop_in_other_places(how, devices):
    how = how.format(devices)
    out, _ = run(f"""
        weights, before = graph(900, np.int32), right()
        expected = blockfw.floyd_warshall(weights, dtype=np.int32)
        def stop(done, total): raise KeyboardInterrupt
        try:
            blockfw.floyd_warshall(weights, dtype=np.int32, {how}, progress=stop)
        except KeyboardInterrupt:
            print("stopped")
        assert right() == before
        assert (blockfw.floyd_warshall(weights, dtype=np.int32, {how}) == expected).all()
    """)
    assert out == "stopped"
