# SPDX-License-Identifier: MIT
"""What the package's folder holds for an sdist and a wheel."""
import doctest
import pathlib

ROOT = pathlib.Path(__file__).resolve().parents[2]


def test_the_licence_is_the_project_s():
    assert (ROOT / "python/LICENSE").read_bytes() == (ROOT / "LICENSE").read_bytes()


def test_the_long_description_s_examples():
    result = doctest.testfile(str(ROOT / "python/README.md"), module_relative=False)
    assert result.attempted >= 4 and result.failed == 0
