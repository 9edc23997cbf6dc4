# SPDX-License-Identifier: MIT
"""From how many nodes on the backend for NetworkX takes less time than NetworkX, conversion included:

    python3 python_networkx.py [--searches] [NODES...]

--searches: only the calls of which NetworkX makes few searches.

It prints, for each call and graph, NetworkX's microseconds / the backend's for each number of nodes. Graphs: a tree of
random edges, "sparse" (3 edges a node), a square grid, and a complete graph. Weights are integers from 1 to 100.
"""
import random
import sys
import time

import blockfw
import networkx as nx

SIZES = [int(n) for n in sys.argv[1:] if n != "--searches"] or [5, 8, 12, 16, 24, 32, 48, 64, 100]
CALLS = [("floyd_warshall", {}), ("floyd_warshall_numpy", {}), ("floyd_warshall_predecessor_and_distance", {}),
         ("all_pairs_dijkstra_path_length", {}), ("all_pairs_bellman_ford_path_length", {}),
         ("all_pairs_shortest_path_length", {}), ("johnson", {}),
         ("eccentricity", {}), ("eccentricity", {"weight": "weight"}), ("center", {"weight": "weight"}),
         ("diameter", {}), ("closeness_centrality", {}), ("closeness_centrality", {"distance": "weight"}),
         ("transitive_closure", {})]
SEARCHES = [("diameter", {"usebounds": True}), ("eccentricity", {"v": 0}), ("eccentricity", {"v": 0, "weight": "weight"}),
            ("closeness_centrality", {"u": 0}), ("closeness_centrality", {"u": 0, "distance": "weight"})]


def graph(kind, n):
    rng = random.Random(n)
    if kind == "tree":
        G = nx.Graph([(v, rng.randrange(v)) for v in range(1, n)])
    elif kind == "sparse":
        G = nx.Graph([(v, rng.randrange(v)) for v in range(1, n)])
        G.add_edges_from((rng.randrange(n), rng.randrange(n)) for _ in range(2 * n))
    elif kind == "grid":
        side = round(n**0.5)
        G = nx.convert_node_labels_to_integers(nx.grid_2d_graph(side, side))
    else:
        G = nx.complete_graph(n)
    for _, _, data in G.edges(data=True):
        data["weight"] = rng.randint(1, 100)
    return G


def least(call):
    times, start = [], time.perf_counter()
    while not times or (time.perf_counter() - start < 0.1 and len(times) < 200):
        before = time.perf_counter()
        call()
        times.append(time.perf_counter() - before)
    return min(times)


def whole(result):
    return dict(result) if hasattr(result, "__next__") else result


print(f"NetworkX {nx.__version__}, {blockfw.threads()} threads")
for name, arguments in SEARCHES if "--searches" in sys.argv else CALLS + SEARCHES:
    function = getattr(nx, name)
    for kind in "tree", "sparse", "grid", "full":
        row = []
        for n in SIZES:
            G = graph(kind, n)
            if name == "transitive_closure":
                G = nx.DiGraph(G)
            def ours():
                getattr(G, "__networkx_cache__", {}).clear()
                return whole(function(G, **arguments, backend="blockfw"))
            theirs = least(lambda: whole(function(G, **arguments)))
            row.append(f"{n}: {1e6 * theirs:.0f}/{1e6 * least(ours):.0f}")
        print(f"{name} {arguments} {kind}:  " + "  ".join(row), flush=True)
