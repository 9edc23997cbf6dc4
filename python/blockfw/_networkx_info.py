# SPDX-License-Identifier: MIT
"""The data of a backend that NetworkX reads when it is imported, without an import of the backend."""


def info():
    names = ("floyd_warshall", "floyd_warshall_numpy", "floyd_warshall_predecessor_and_distance",
             "all_pairs_dijkstra_path_length", "all_pairs_bellman_ford_path_length", "all_pairs_shortest_path_length",
             "johnson", "eccentricity", "diameter", "radius", "center", "periphery", "closeness_centrality",
             "transitive_closure")
    return {
        "backend_name": "blockfw",
        "project": "blockfw",
        "package": "blockfw",
        "short_summary": "All-pairs shortest paths by blocked Floyd-Warshall, on all cores or a GPU.",
        "functions": {name: {} for name in names},
    }
