# SPDX-License-Identifier: MIT
"""A number is exact in the result's type, or refused with a sentence: every call with every kind of input."""
import datetime
from decimal import Decimal
from fractions import Fraction

import blockfw
import networkx as nx
import numpy as np
import pytest
import scipy.sparse
from blockfw import _networkx
from conftest import TYPES
from scipy.sparse import csgraph

NUMBERS = [7, 2**14 - 1, 2**24 + 1, 2**30 - 3, 2**53, 2**53 + 1, 2**62 - 3]
REFUSED = OverflowError, TypeError, ValueError


def matrix(weight, kind):
    """Two vertices and the edge 0 -> 1."""
    if kind == "list":
        return [[0, weight], [1, 0]]
    return np.array([[0, weight], [1, 0]], kind)


def line(weight, kind):
    return [weight, 1] if kind == "list" else np.array([weight, 1], kind)


def of_edges(call):
    return lambda weight, kind, **more: call(([0, 1], [1, 0], line(weight, kind)), **more)


def as_sparse(weight, kind):
    return scipy.sparse.csr_array((line(weight, kind), ([0, 1], [1, 0])), shape=(2, 2))


def hidden(weight, kind):
    """A masked matrix: beside the weight, what is masked is no number of any type."""
    data = np.array([[0, weight], [1, 0]], kind)
    data[1, 0] = {"u": 2**64 - 1, "i": -2**63, "f": 2**54, "O": "hidden"}[data.dtype.kind]
    return np.ma.masked_array(data, [[False, False], [True, False]])


def with_vertex(weight, kind, dtype="int64"):
    return blockfw.add_vertex(np.zeros((1, 1), dtype), ([0, 1], [1, 0], line(weight, kind)))


def with_edge(weight, kind, dtype="int64"):
    d = blockfw.all_pairs(([], []), n=2, dtype=dtype)
    blockfw.insert_edge(d, 0, 1, weight if kind == "list" else np.array([weight], kind)[0])
    return d


CALLS = {  # of each what makes a matrix of distances of (weight, kind, dtype=), and the type where there is no dtype=
    "all_pairs": (lambda w, kind, **more: blockfw.all_pairs(matrix(w, kind), **more), "int64"),
    "all_pairs, masked": (lambda w, kind, **more: blockfw.all_pairs(hidden(w, kind), **more), "int64"),
    "all_pairs, sparse": (lambda w, kind, **more: blockfw.all_pairs(as_sparse(w, kind), **more), "int64"),
    "all_pairs, edges": (of_edges(blockfw.all_pairs), "int64"),
    "all_pairs, out=": (lambda w, kind, dtype="int64": blockfw.all_pairs(matrix(w, kind), out=np.empty((2, 2), dtype)),
                        "int64"),
    "Graph": (lambda w, kind, **more: blockfw.all_pairs(
        blockfw.Graph(2, np.int32([0, 1]), np.int32([1, 0]), line(w, kind)), **more), "int64"),
    "Paths": (lambda w, kind, **more: blockfw.Paths(matrix(w, kind), **more).distances, "int64"),
    "Paths, edges": (of_edges(lambda graph, **more: blockfw.Paths(graph, **more).distances), "int64"),
    "batched": (lambda w, kind, **more: blockfw.batched([matrix(w, kind)] if kind == "list" else matrix(w, kind)[None],
                                                        **more)[0], "int64"),
    "add_vertex": (with_vertex, "int64"),
    "insert_edge": (with_edge, "int64"),
    "floyd_warshall": (lambda w, kind, **more: blockfw.floyd_warshall(matrix(w, kind), **more), "float64"),
    "floyd_warshall, masked": (lambda w, kind, **more: blockfw.floyd_warshall(hidden(w, kind), **more), "float64"),
    "floyd_warshall, sparse": (lambda w, kind, **more: blockfw.floyd_warshall(as_sparse(w, kind), **more), "float64"),
    "with predecessors": (lambda w, kind, **more: blockfw.floyd_warshall(matrix(w, kind), return_predecessors=True,
                                                                         **more)[0], "float64"),
    "dijkstra, a source": (lambda w, kind, **more: blockfw.dijkstra(matrix(w, kind), indices=[0], **more), "float64"),
    "dijkstra, the nearest": (lambda w, kind, **more: blockfw.dijkstra(matrix(w, kind), indices=[0], min_only=True,
                                                                       **more)[None], "float64"),
    "johnson": (lambda w, kind, **more: blockfw.johnson(as_sparse(w, kind), **more), "float64"),
    "bellman_ford": (lambda w, kind, **more: blockfw.bellman_ford(matrix(w, kind), indices=[0], **more), "float64"),
}
KINDS = "int64", "uint64", "object", "longdouble", "list"


def holds(dtype, number):
    if np.dtype(dtype).kind == "i":
        return abs(number) < blockfw.infinity(dtype)
    return Fraction(np.dtype(dtype).type(number).item()) == number


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", CALLS)
def test_exact_or_refused(name, kind):
    call, usual = CALLS[name]
    if "masked" in name and kind == "list" or "sparse" in name and kind == "object" or (name, kind) == ("johnson", "object"):
        pytest.skip("there is no input of this kind")
    for number in NUMBERS:
        if kind == "longdouble" and np.longdouble(number) != number:
            continue  # (no long double of more bits on this machine)
        for dtype in (None, *TYPES):
            how = {} if dtype is None else dict(dtype=dtype)
            wanted = usual if dtype is None else dtype
            if number == blockfw.infinity(wanted) and not any(x in name for x in ("edge", "sparse", "Graph", "add")):
                continue  # (in a dense matrix that is no edge)
            if kind == "longdouble" and dtype is None and usual == "int64":
                wanted = "float64" if holds("float64", number) else "int64"
            if kind == "longdouble" and (dtype == "float32" and holds("float64", number) or dtype is None and "out" in name):
                continue  # (floats may be rounded)
            if "nearest" in name and wanted == "int64" and number > 2**53:
                continue  # (its sums over one more vertex might not fit)
            if holds(wanted, number):
                d = call(number, kind, **how)
                assert (d.dtype == wanted or "vertex" in name or "insert" in name) and Fraction(d[0, 1].item()) == number
            else:
                with pytest.raises(REFUSED, match=rf"{number}|{np.float64(number)}".replace("+", r"\+")):
                    call(number, kind, **how)


def test_numbers_of_other_classes():
    big = 2**53 + 1
    for weights, dtype in (([Fraction(big), Fraction(3)], "int64"), ([Decimal(big), Decimal(3)], "int64"),
                           ([Fraction(1, 2), 3], "float64"), ([Decimal("0.1"), Fraction(1, 3)], "float64"),
                           ([np.uint64(2**62), 3.5], "float64"), ([2**63, 2**80], "float64"), ([0.5, np.inf], "float64"),
                           ([np.float16(0.1), 3], "float64")):
        d = blockfw.all_pairs(([0, 1], [1, 2], np.array(weights, object)))
        assert d.dtype == dtype and d[0, 1] == (float(weights[0]) if dtype == "float64" else int(weights[0]))
    for weights in [big, 0.5], [np.int64(big), np.float32(0.5)], [Decimal(big), Decimal("0.5")], [Fraction(big), 0.5], [2**64 - 1, 1], [2**2000, 1], [
            Decimal("1e400"), 1], [Decimal("1e-400"), 1], [2**63, big], [np.longdouble(big), Fraction(1, 2)]:
        if weights[0] == 2**53:  # (a long double is a double)
            continue
        with pytest.raises(ValueError, match=r"^the weight .* of edge \d is not a number of type float64"):
            blockfw.all_pairs(([0, 1], [1, 2], np.array(weights, object)))
    # What NumPy would round while it makes an array of a list.
    for weights in [big, 0.5], [2**63, -1]:
        if weights[1] == -1:
            assert blockfw.all_pairs(([0, 1], [1, 2], weights))[0, 1] == 2.0**63
            continue
        for graph in ([0, 1], [1, 2], weights), [[0, big], [0.5, 0]]:
            with pytest.raises(ValueError, match="9007199254740993"):
                blockfw.all_pairs(graph)
    assert blockfw.all_pairs(([0, 1], [1, 2], [2**60, 0.5]))[0, 1] == 2.0**60


NO_NUMBERS = {
    "texts": (np.array(["2", "1"]), r"dtype|type <U1, expected real numbers; weights\.astype\(float\)"),
    "bytes": (np.array([b"2", b"1"]), r"S1, expected real numbers"),
    "durations": (np.array([5, 1], "m8[m]"), r"timedelta64\[m\], expected .* divide durations by numpy.timedelta64\(1, 'm'\)"),
    "no duration": (np.array(["NaT", 1], "m8[s]"), r"timedelta64\[s\], expected"),
    "times": (np.array(["2026-01-02", "NaT"], "M8[D]"), r"datetime64\[D\], expected .* subtract"),
    "complex": (np.array([5, 1], complex), r"complex128, expected .* weights.real"),
    "records": (np.array([(1, 2), (1, 2)], "i4,i4"), "expected real numbers"),
    "None": (np.array([None, 1]), "the weight None .* NoneType, expected a real number"),
    "texts among objects": (np.array(["2", 1], object), "the weight '2' .* str, expected a real number"),
    "lists among objects": (np.array([None, [2], [3]], object)[1:], r"the weight \[\d\] .* list, expected a real number"),
    "bool among objects": (np.array([True, 1], object), "the weight True .* bool, expected a real number"),
    "durations among objects": (np.array([datetime.timedelta(1), 1], object), "timedelta, expected a real number"),
    "NumPy's among objects": (np.array([np.timedelta64(1, "s"), 1], object), "timedelta64, expected a real number"),
    "complex among objects": (np.array([1j, 1], object), "complex, expected a real number"),
}


@pytest.mark.parametrize("name", NO_NUMBERS)
def test_no_numbers(name):
    weights, says = NO_NUMBERS[name]
    dense = np.broadcast_to(weights, (2, 2))
    graphs = [([0, 1], [1, 0], weights), dense, np.ma.masked_array(dense, np.eye(2))]
    if weights.dtype.kind == "c":
        graphs.append(scipy.sparse.csr_array((weights, ([0, 1], [1, 0]))))
    for graph in graphs:
        calls = [blockfw.all_pairs, blockfw.Paths, blockfw.transitive_closure]
        if isinstance(graph, tuple):
            calls.append(lambda edges: blockfw.add_vertex(np.zeros((1, 1)), edges))
        else:
            calls += [blockfw.floyd_warshall, blockfw.dijkstra, blockfw.johnson, blockfw.bellman_ford,
                      blockfw.shortest_path]
            if not scipy.sparse.issparse(graph):
                calls.append(lambda dense: blockfw.batched(dense[None]))
        for call in calls:
            with pytest.raises(TypeError, match=says):
                call(graph)
    with pytest.raises(TypeError, match=says.replace(" .*", ".*")):
        blockfw.insert_edge(np.zeros((2, 2)), 0, 1, weights[0] if weights.dtype != object else weights[:1].reshape(()))


def test_truths():
    """In a matrix True is an edge of weight 1 and False is none; edges have no weights of bool."""
    none, from_, to = blockfw.infinity("int32"), np.array([0, 1, 2]), np.array([1, 2, 0])
    dense = np.zeros((3, 3), bool)
    dense[0, 1] = dense[1, 2] = True
    stored = scipy.sparse.csr_array((np.array([True, True, False]), (from_, to)), (3, 3))
    expected = np.array([[0, 1, 2], [np.inf, 0, 1], [np.inf, np.inf, 0]])
    for graph in dense, stored, np.ma.masked_array(dense, np.zeros((3, 3), bool)):
        for method in "auto", "FW", "D", "BF", "J":
            np.testing.assert_array_equal(blockfw.shortest_path(graph, method), expected)
            if method != "FW":
                np.testing.assert_array_equal(blockfw.shortest_path(graph, method, indices=[0, 2]), expected[[0, 2]])
        np.testing.assert_array_equal(blockfw.all_pairs(graph), np.where(expected < 9, expected, none))
        np.testing.assert_array_equal(blockfw.Paths(graph).distances, np.where(expected < 9, expected, none))
        np.testing.assert_array_equal(blockfw.transitive_closure(graph), expected < 9)
        for dtype in TYPES:
            d = blockfw.all_pairs(graph, dtype=dtype)
            np.testing.assert_array_equal(np.where(d < blockfw.infinity(dtype), d, np.inf), expected)
    for weights in np.array([True, False, True]), [True, False, True], [True, 2, 3]:
        for call in blockfw.all_pairs, blockfw.Paths, blockfw.transitive_closure:
            with pytest.raises(TypeError, match="bool, expected real numbers: .* leave out entries that are not edges"):
                call((from_, to, weights))
    for weight in True, np.False_:
        with pytest.raises(TypeError, match="bool, expected a real number"):
            blockfw.insert_edge(np.zeros((2, 2)), 0, 1, weight)


@pytest.mark.parametrize("given", ["int16", "int32", "int64", "uint64", "float32", "float64", "object"])
@pytest.mark.parametrize("dtype", ["int16", "int32", "int64"])
def test_edges_as_far_as_infinity(given, dtype):
    """They are edges, and no number for "no edge": refused, with their place."""
    for weight in blockfw.infinity(dtype), blockfw.infinity(dtype) + 1, -blockfw.infinity(dtype):
        if np.dtype(given).kind in "iu" and not np.iinfo(given).min <= weight <= np.iinfo(given).max:
            continue
        weights = np.array([3, weight], given)
        if np.dtype(given).kind == "f" and int(weights[1]) != weight:
            continue
        edges = [0, 1], [1, 2], weights
        graph = blockfw.Graph(3, np.int32(edges[0]), np.int32(edges[1]), weights)
        calls = [lambda: blockfw.all_pairs(edges, dtype=dtype), lambda: blockfw.all_pairs(graph, dtype=dtype),
                 lambda: blockfw.all_pairs(edges, directed=False, semiring="max_min", dtype=dtype),
                 lambda: blockfw.all_pairs(edges, memory=1e8, dtype=dtype), lambda: blockfw.Paths(edges, dtype=dtype),
                 lambda: blockfw.add_vertex(np.zeros((2, 2), dtype), ([0, 2], [2, 1], weights))]
        if given != "object":
            sparse = scipy.sparse.csr_array((weights, (edges[0], edges[1])), shape=(3, 3))
            calls += [lambda: blockfw.all_pairs(sparse, dtype=dtype), lambda: blockfw.floyd_warshall(sparse, dtype=dtype),
                      lambda: blockfw.dijkstra(sparse, dtype=dtype, indices=[0])]
        for call in calls:
            with pytest.raises(OverflowError, match=rf"edge 1: the weight {weight} from \d to \d reaches infinity, "
                                                    rf"{blockfw.infinity(dtype)}, in {dtype}; use .*float64"
                               if np.dtype(given).kind != "f" else "edge 1: the weight .* reaches infinity"):
                call()
        assert blockfw.transitive_closure(edges)[0, 2]
    # In a wider type it is a number like others.
    np.testing.assert_array_equal(blockfw.all_pairs(([0], [1], np.int16([20000])), dtype="int32")[0], [0, 20000])
    np.testing.assert_array_equal(blockfw.all_pairs(([0], [1], np.int32([2 * 10**9])), dtype=float)[0], [0, 2e9])


def test_the_number_for_no_edge_of_a_dense_matrix():
    """It is none from some sources, too."""
    for dtype in "int16", "int32", "int64":
        far = blockfw.infinity(dtype)
        for given in dtype, "int64":
            graph = np.array([[0, 3, far], [far, 0, 4], [far, far, 0]], given)
            expected = [[0, 3, 7], [far, 0, 4], [far, far, 0]]
            for call in blockfw.dijkstra, blockfw.bellman_ford, blockfw.johnson:
                np.testing.assert_array_equal(call(graph, dtype=dtype), expected)
                np.testing.assert_array_equal(call(graph, dtype=dtype, indices=[0, 2]), np.array(expected)[[0, 2]])
            np.testing.assert_array_equal(blockfw.dijkstra(graph, dtype=dtype, indices=1, min_only=True), expected[1])


def test_floats():
    """A float may be rounded to a narrower one, but not to infinity or 0."""
    for weight in 0.1, 1 / 3, 1e-40:
        for graph in np.array([[0, weight], [1, 0]]), ([0], [1], [weight]), np.array([[0, weight], [1, 0]], object):
            assert blockfw.all_pairs(graph, dtype="float32")[0, 1] == np.float32(weight)
        assert blockfw.batched(np.array([[[0, weight], [1, 0]]]), dtype="float32")[0, 0, 1] == np.float32(weight)
    for weight in 1e300, -1e300, 1e-60:
        for graph in np.array([[0, weight], [1, 0]]), ([0], [1], [weight]):
            for call in (blockfw.all_pairs,) + (() if isinstance(graph, tuple) else (blockfw.floyd_warshall,)):
                with pytest.raises(ValueError, match="is not a number of type float32"):
                    call(graph, dtype="float32")
        with pytest.raises(ValueError, match=r"at \(0, 0, 1\) is not a number of type float32"):
            blockfw.batched(np.array([[[0, weight], [1, 0]]]), dtype="float32")
        with pytest.raises(ValueError, match="is not a number of type float32"):
            blockfw.insert_edge(np.ones((2, 2), np.float32), 0, 1, weight)
    half = np.array([[0, 0.1], [np.inf, 0]], np.float16)
    assert blockfw.all_pairs(half).dtype == np.float32 and blockfw.all_pairs(half)[0, 1] == np.float32(half[0, 1])
    long = np.array([[0, 0.1], [np.inf, 0]], np.longdouble)
    assert blockfw.all_pairs(long).dtype == np.float64 and blockfw.all_pairs(long)[0, 1] == 0.1
    if np.finfo(np.longdouble).maxexp > 1024:
        for weight in np.longdouble("1e4000"), np.longdouble("1e-4000"):
            with pytest.raises(ValueError, match=r"at \(0, 1\) is not a number of type float64"):
                blockfw.all_pairs(np.array([[0, weight], [1, 0]]))


@pytest.mark.parametrize("weights, error, says", [
    (np.int64([2**40]), ValueError, "edge 0: the weight 1099511627776 from 0 to 1 is not a number of type int32"),
    (np.float64([0.1]), ValueError, "edge 0: the weight 0.1 from 0 to 1 is not a number of type int32"),
    (np.float64([2.0**40]), ValueError, "edge 0: the weight 1099511627776 from 0 to 1 is not a number of type int32"),
])
def test_sentences(weights, error, says):
    with pytest.raises(error) as caught:
        blockfw.all_pairs(([0], [1], weights), dtype="int32")
    assert str(caught.value) == says


def test_masked_edges():
    """A masked weight is no edge, whatever the number behind the mask."""
    for kind in "uint64", "float64", "object", "int32":
        data = np.array([5, 7, 2], kind)
        data[1] = {"u": 2**64 - 1, "f": np.nan, "O": "hidden", "i": -9}[np.dtype(kind).kind]
        edges = [0, 0, 2], [2, 1, 1], np.ma.masked_array(data, [False, True, False])
        for d in blockfw.all_pairs(edges), blockfw.Paths(edges).distances:
            assert d[0, 1] == 7
        np.testing.assert_array_equal(blockfw.transitive_closure(edges), [[1, 1, 1], [0, 1, 0], [0, 1, 1]])
        more = blockfw.add_vertex(np.zeros((1, 1), "int32"), ([0, 1], [1, 0], np.ma.masked_array(data[1:], [True, False])))
        np.testing.assert_array_equal(more, [[0, blockfw.infinity("int32")], [2, 0]])
    with pytest.raises(ValueError, match="vertex of an edge is masked"):
        blockfw.all_pairs((np.ma.masked_array([0, 1], [True, False]), [1, 0]))


@pytest.mark.parametrize("dtype", ["int8", "uint8", "int16", "int32", "int64", "uint64"])
def test_repeated_entries_whose_sum_does_not_fit(dtype):
    """SciPy's matrix would wrap."""
    large = int(np.iinfo(dtype).max) - 3
    def graph(a, b):
        return scipy.sparse.coo_array((np.array([a, b, 1], dtype), ([0, 0, 1], [1, 1, 0])), shape=(2, 2))

    for call in blockfw.all_pairs, blockfw.floyd_warshall:
        with pytest.raises(OverflowError, match=rf"the weight .* at \(0, 1\) is a sum of repeated .* {dtype} cannot hold"):
            call(graph(large, large))
        assert call(graph(2, 5))[0, 1] == 7


def test_vertices_and_their_number():
    for n in 2.7, "3", np.float64(3):
        with pytest.raises(TypeError, match="number of vertices is"):
            blockfw.all_pairs(([0], [1]), n=n)
    assert blockfw.all_pairs(([0], [1]), n=np.int16(3)).shape == (3, 3)
    for vertex in [0.0], ["0"], [True], np.array([0], "m8[s]"), [[0], [1, 2]]:
        with pytest.raises((TypeError, ValueError)):
            blockfw.all_pairs((np.array(vertex, object) if vertex == [[0], [1, 2]] else vertex, [1]))
    graph = np.ones((3, 3))
    np.testing.assert_array_equal(blockfw.dijkstra(graph, indices=[1.0]), csgraph.dijkstra(graph, indices=[1]))
    for indices in [1.5], [np.nan], np.array([2**64 - 1], np.uint64), [1e300]:
        with pytest.raises(ValueError, match="indices are integers, found"):
            blockfw.dijkstra(graph, indices=indices)
    for indices in ["1"], np.array([1], "m8[s]"), [True], [1j]:
        with pytest.raises(TypeError, match="indices are of type .*, expected integers"):
            blockfw.dijkstra(graph, indices=indices)


def test_files(tmp_path):
    file = tmp_path / "graph.txt"
    file.write_text("0 1 2000000000\n1 2 3\n")
    with pytest.raises(OverflowError, match="edge 0: the weight 2000000000 from 0 to 1 reaches infinity, 1073741823"):
        blockfw.all_pairs(blockfw.read_graph(file, dtype="int32"))
    with pytest.raises(OSError, match="'2000000000', which int16 cannot hold"):
        blockfw.read_graph(file, dtype="int16")
    file.write_text("0 1 9007199254740993\n1 2 9007199254740993.0\n")
    assert blockfw.read_graph(file).weights.tolist() == [2**53 + 1] * 2
    with pytest.raises(OSError, match="line 1, .* '9007199254740993', which double cannot hold.*; use int64"):
        blockfw.read_graph(file, dtype="float64")
    file.write_text("0 1 9007199254740993\n1 2 0.5\n")
    with pytest.raises(OSError, match="line 1, .* '9007199254740993', which double cannot hold.*; use int64"):
        blockfw.read_graph(file)
    file.write_text(f"0 1 {2**62 - 1}\n1 2 5\n")  # no type holds its sums
    with pytest.raises(OSError, match=f"line 1, .* '{2**62 - 1}', which double cannot hold"):
        blockfw.read_graph(file)
    np.save(tmp_path / "dense.npy", np.array([[0, 2**53 + 1], [1, 0]]))
    assert blockfw.read_graph(tmp_path / "dense.npy").weights.tolist() == [2**53 + 1, 1]
    with pytest.raises(OSError, match="row 0, column 1: found 9007199254740993, which double cannot hold.*; use int64"):
        blockfw.read_graph(tmp_path / "dense.npy", dtype="float64")


@pytest.mark.parametrize("by_call", [False, True])
def test_networkx(by_call):
    """A float among integers makes floats of them, if float64 holds all of them."""
    def by_dijkstra(G, **options):   # (NetworkX's Floyd-Warshall takes no function)
        return dict(nx.all_pairs_dijkstra_path_length(G, **options))

    def graph(weights):
        G = nx.DiGraph()
        for v, weight in enumerate(weights):
            G.add_edge(v, v + 1, weight=weight)
        return G

    def solved(weights, function=by_dijkstra if by_call else nx.floyd_warshall):
        return function(graph(weights), weight=(lambda u, v, data: data["weight"]) if by_call else "weight", backend="blockfw")

    big = 2**53 + 1
    d = solved([big, 3])
    assert d[0][1] == big and d[0][2] == big + 3 and type(d[0][1]) is int
    assert solved([2**60, 0.5])[0][1] == 2**60 and solved([0.5, np.uint64(2**60)])[1][2] == 2**60
    refused = [[big, 0.5], [0.5, big], [np.int64(big), np.float32(0.5)], [np.timedelta64(5, "s"), 1],
               [np.datetime64("2026-01-01"), 1], ["2", 1], [1j, 1], [np.complex128(1), 1], [2**64, 1], [Fraction(1, 2), 1]]
    if np.longdouble(big) == big:
        refused.append([np.longdouble(big), 0.5])
    for weights in refused:
        with pytest.raises(NotImplementedError):
            solved(weights)

    def reason(weights, *function):
        """Why blockfw refuses it. (NetworkX 3.4 and later raise an error of their own, without the answer of can_run().)"""
        with pytest.raises(NotImplementedError) as refusal:
            solved(weights, *function)
        answer = "" if by_call else _networkx.can_run("floyd_warshall", (graph(weights),), {"weight": "weight"})
        return f"{refusal.value} {refusal.value.__cause__} {answer}"

    assert "the weight 9007199254740993 of edge 1 is no" in reason([0.5, big])
    assert solved([np.longdouble(0.5), np.float16(2)])[0][2] == 2.5
    if not by_call:
        assert solved([2**53, 2], nx.floyd_warshall_numpy)[0, 2] == 2**53 + 2
        assert "not a number of type float64" in reason([2**53, 1], nx.floyd_warshall_numpy)
