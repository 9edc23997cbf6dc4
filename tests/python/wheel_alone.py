# SPDX-License-Identifier: MIT
"""Installs a wheel where there is only Python, NumPy and pip, tries it there, and runs the tests.

    wheel_alone.py FOLDER    # which holds the wheel, and tests/python with the pages and examples that these run

scripts/wheel calls it in a Debian that it makes for this: it installs packages of the system.
"""
import importlib.util
import os
import pathlib
import statistics
import subprocess
import sys

FOLDER = pathlib.Path(sys.argv[1])
TESTS = FOLDER / "tests/python"
PYTEST = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"]
ENVIRONMENT = {**os.environ, "PYTHONDONTWRITEBYTECODE": "1", "DEBIAN_FRONTEND": "noninteractive"}
# What a wheel of manylinux may take from the system.
OF_SYSTEM = "linux-vdso", "ld-linux", "libc.", "libm.", "libstdc++.", "libgcc_s.", "libz.", "libpthread.", "libdl."

SOLVE = """
import blockfw, numpy as np
roads = np.array([[0, 5, 9, 0], [0, 0, 2, 0], [0, 0, 0, 1], [0, 0, 0, 0]])
assert blockfw.floyd_warshall(roads)[0].tolist() == [0, 5, 7, 8]
n = 700
weights = np.random.default_rng(1).integers(1, 1000, (n, n)).astype(np.int32)
expected = weights.copy()
np.fill_diagonal(expected, 0)
for k in range(n): np.minimum(expected, expected[:, k, None] + expected[k], out=expected)
assert (blockfw.all_pairs(weights) == expected).all()
"""


def run(command, stdout=None, **environment):
    done = subprocess.run(command, cwd="/", env={**ENVIRONMENT, **environment}, stdout=stdout, check=False)
    if done.returncode:
        sys.exit(f"wheel_alone: failed: {' '.join(map(str, command))}")


def python(code, **environment):
    return subprocess.run([sys.executable, "-c", code], cwd="/", env={**ENVIRONMENT, **environment}, text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)


def milliseconds_of(modules):
    """The median of the time that `import modules` takes, of 21 runs."""
    code = f"import time; start = time.perf_counter(); import {modules}; print(time.perf_counter() - start)"
    return 1000 * statistics.median(float(python(code).stdout) for _ in range(21))


def try_alone():
    for module in "blockfw", "scipy", "networkx":
        assert importlib.util.find_spec(module) is None, f"{module} is here already"
    assert not list(pathlib.Path("/usr").rglob("libkokkos*")), "a Kokkos is here"
    (wheel,) = FOLDER.glob("*.whl")
    run([sys.executable, "-m", "pip", "install", "--no-index", "--break-system-packages", wheel],
        PIP_ROOT_USER_ACTION="ignore")

    # (The built-in levels of vectors are in the message on an unknown one.)
    levels = python(SOLVE, BLOCKFW_VECTORS="?").stderr.strip().rpartition("have: ")[2].split(", ")
    assert levels[0] == "baseline", f"the wheel is not for any processor, its levels are {levels}"
    for level in levels:
        run([sys.executable, "-c", SOLVE], BLOCKFW_VECTORS=level)

    core = python("import blockfw; print(blockfw._core.__file__)").stdout.strip()
    libraries = [line.split()[0] for line in subprocess.check_output(["ldd", core], text=True).splitlines()
                 if "not found" in line or "/blockfw.libs/" not in line]
    others = [name for name in libraries if not pathlib.Path(name).name.startswith(OF_SYSTEM)]
    assert not others, f"the wheel takes {others} from the system"

    version = python("import blockfw, importlib.metadata as m, numpy; "
                     "assert m.version('blockfw') == blockfw.__version__; print(blockfw.__version__, 'numpy', numpy.__version__)")
    numpy, both = milliseconds_of("numpy"), milliseconds_of("numpy, blockfw")
    print(f"wheel_alone: Python {sys.version.split()[0]}, blockfw {version.stdout.strip()}, vectors {', '.join(levels)}; "
          f"import numpy {numpy:.0f} ms, with blockfw {both - numpy:.0f} ms more; of the system: {', '.join(sorted(libraries))}",
          flush=True)
    assert version.returncode == 0 and both - numpy < 100


def run_tests():
    run(["apt-get", "install", "-qq", "--yes", "--no-install-recommends", "python3-pytest", "python3-pytest-xdist",
         "python3-scipy", "python3-networkx", "python3-tqdm", "python3-matplotlib"],
        stdout=subprocess.DEVNULL)
    run([*PYTEST, TESTS])
    run([*PYTEST, "--noconftest", "-p", "scipy_replaced", "--pyargs", "scipy.sparse.csgraph.tests.test_shortest_path"],
        PYTHONPATH=str(TESTS))
    run([*PYTEST, "-p", "networkx_suite", "--pyargs", "networkx.algorithms.shortest_paths",
         "networkx.algorithms.tests.test_distance_measures", "networkx.algorithms.centrality.tests.test_closeness_centrality",
         "networkx.algorithms.tests.test_dag"],
        PYTHONPATH=str(TESTS), NETWORKX_TEST_BACKEND="blockfw", NETWORKX_FALLBACK_TO_NX="1")


try_alone()
run_tests()
