# SPDX-License-Identifier: MIT
"""The package: the examples of docstrings and pages, the stubs, and what its folder holds for an sdist and a wheel."""
import ast
import doctest
import importlib
import inspect
import pathlib
import re
import tarfile

import blockfw
import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]


@pytest.mark.parametrize("name", ["blockfw", "blockfw._scipy", "blockfw._batch", "blockfw._network", "blockfw._named",
                                  "blockfw._own", "blockfw._points", "blockfw._roads",
                                  "blockfw._summaries", "blockfw._weight_sets"])
def test_docstrings(name):
    result = doctest.testmod(importlib.import_module(name))
    assert result.attempted > 0 and result.failed == 0


def test_every_call_has_an_example_or_a_sentence():
    for name in set(blockfw.__all__) - {"NegativeCycleError"}:  # (SciPy's)
        assert len(getattr(blockfw, name).__doc__ or "") > 30, name


def test_stubs():
    """The stubs name every call, with its arguments in order."""
    stubs = ast.parse((pathlib.Path(blockfw.__file__).parent / "__init__.pyi").read_text())
    named, bodies = {}, {}
    for node in stubs.body:
        if isinstance(node, ast.FunctionDef):
            named[node.name] = [a.arg for a in node.args.args + node.args.kwonlyargs]
        elif isinstance(node, ast.ClassDef):
            bodies[node.name] = [method for base in node.bases for method in bodies.get(base.id, [])] + node.body
            for method in bodies[node.name] if not node.name.startswith("_") else []:
                if isinstance(method, ast.FunctionDef):
                    named[f"{node.name}.{method.name}"] = [a.arg for a in method.args.args + method.args.kwonlyargs]
    calls = {name: getattr(blockfw, name) for name in blockfw.__all__ if inspect.isfunction(getattr(blockfw, name))}
    for of in (blockfw.DeviceMatrix, blockfw.NamedNetwork, blockfw.Network, blockfw.Paths, blockfw.Points,
               blockfw.RoadNetwork, blockfw.WeightSets):
        for name, member in [named for base in of.__mro__[-2::-1] for named in vars(base).items()]:
            call = member.fget if isinstance(member, property) else getattr(member, "__func__", member)
            hidden = name.startswith("_") and not name.startswith("__")
            if inspect.isfunction(call) and not hidden:
                calls[f"{of.__name__}.{name}"] = call
    assert {name: list(inspect.signature(call).parameters) for name, call in calls.items()} == named


@pytest.mark.exhaustive
@pytest.mark.parametrize("name, least", [("README.md", 4), ("docs/python.md", 12), ("docs/small-graphs.md", 20)])
def test_pages(name, least):
    text = (ROOT / name).read_text()
    code = "\n".join(re.findall(r"(?ms)^```python\n(.*?)^```", text))
    runner = doctest.DocTestRunner()
    runner.run(doctest.DocTestParser().get_doctest(code, {}, name, name, 0))
    assert runner.tries >= least and runner.failures == 0


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
    assert {"library/include/blockfw/apsp.hpp", "library/src/matrices.cpp"} <= files
    assert {"LICENSE", "NOTICE", "library/cmake/library.cmake", "library/src/CMakeLists.txt"} <= files
    assert not [name for name in files if name.startswith("build/")]
