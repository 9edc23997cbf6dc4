# SPDX-License-Identifier: MIT
"""What the package's folder holds for an sdist and a wheel."""
import doctest
import pathlib
import tarfile

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]


def test_the_licence_is_the_project_s():
    assert (ROOT / "python/LICENSE").read_bytes() == (ROOT / "LICENSE").read_bytes()


def test_the_long_description_s_examples():
    result = doctest.testfile(str(ROOT / "python/README.md"), module_relative=False)
    assert result.attempted >= 4 and result.failed == 0


def test_the_sdist_holds_the_library(tmp_path, monkeypatch):
    backend = pytest.importorskip("scikit_build_core.build")
    monkeypatch.chdir(ROOT / "python")
    with tarfile.open(tmp_path / backend.build_sdist(str(tmp_path))) as sdist:
        files = {member.name.partition("/")[2] for member in sdist if member.isfile()}
    for folder in "include", "src":
        sources = {f"library/{path.relative_to(ROOT)}" for path in (ROOT / folder).rglob("*.[hc]pp")}
        assert sources <= files
    assert {"library/include/blockfw/apsp.hpp", "library/src/solve.cpp"} <= files
    assert {"LICENSE", "NOTICE", "library/cmake/library.cmake", "library/src/CMakeLists.txt"} <= files
    assert not [name for name in files if name.startswith("build/")]
