// SPDX-License-Identifier: MIT
/// \file
/// \brief Shortest distances by Dijkstra and Bellman-Ford on adjacency lists. This oracle shares no code with the
/// library.
#pragma once

#include "blockfw/edges.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <queue>
#include <utility>
#include <vector>

namespace oracle {

using blockfw::Edge;

template <class W>
struct Graph {
  int n = 0;
  std::vector<Edge<W>> edges;
};

/// Every edge in both directions.
template <class W>
Graph<W> mirrored(Graph<W> g) {
  for (std::size_t e = 0, count = g.edges.size(); e < count; ++e)
    g.edges.push_back({g.edges[e].to, g.edges[e].from, g.edges[e].weight});
  return g;
}

template <class W>
inline constexpr W unreachable = std::numeric_limits<W>::max();

/// The outgoing edges of each vertex.
template <class W>
using Adjacency = std::vector<std::vector<Edge<W>>>;

template <class W>
Adjacency<W> adjacency(const Graph<W>& g) {
  Adjacency<W> out(static_cast<std::size_t>(g.n));
  for (const auto& e : g.edges) out[static_cast<std::size_t>(e.from)].push_back(e);
  return out;
}

/// Distances from one vertex, without negative edges.
template <class W>
std::vector<W> dijkstra(const Adjacency<W>& out, int source) {
  std::vector<W> length(out.size(), unreachable<W>);
  using Entry = std::pair<W, int>;
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> open;
  length[static_cast<std::size_t>(source)] = 0;
  for (open.push({0, source}); !open.empty();) {
    const auto [here, vertex] = open.top();
    open.pop();
    if (here > length[static_cast<std::size_t>(vertex)]) continue;
    for (const auto& e : out[static_cast<std::size_t>(vertex)]) {
      W& there = length[static_cast<std::size_t>(e.to)];
      if (here + e.weight < there) open.push({there = here + e.weight, e.to});
    }
  }
  return length;
}

/// Improves the lengths over all edges until nothing changes; false if n rounds do not suffice (a negative cycle).
template <class W>
bool bellman_ford(const Graph<W>& g, std::vector<W>& length) {
  for (int round = 0; round <= g.n; ++round) {
    bool changed = false;
    for (const auto& e : g.edges) {
      const W here = length[static_cast<std::size_t>(e.from)];
      W& there = length[static_cast<std::size_t>(e.to)];
      if (here == unreachable<W> || !(here + e.weight < there)) continue;
      there = here + e.weight;
      changed = true;
    }
    if (!changed) return true;
  }
  return false;
}

/// Whether there is a negative cycle anywhere.
template <class W>
bool has_negative_cycle(const Graph<W>& g) {
  std::vector<W> from_anywhere(static_cast<std::size_t>(g.n), W(0));
  return !bellman_ford(g, from_anywhere);
}

/// For each vertex whether a path leads to it from the source.
template <class W>
std::vector<bool> reach(const Graph<W>& g, int source) {
  const auto out = adjacency(g);
  std::vector<bool> seen(out.size(), false);
  std::vector<int> open{source};
  for (seen[static_cast<std::size_t>(source)] = true; !open.empty();) {
    const auto vertex = static_cast<std::size_t>(open.back());
    open.pop_back();
    for (const auto& e : out[vertex])
      if (!seen[static_cast<std::size_t>(e.to)]) {
        seen[static_cast<std::size_t>(e.to)] = true;
        open.push_back(e.to);
      }
  }
  return seen;
}

/// Whether some walk from v back to v has a negative length. Such a walk exists if a negative cycle lies among the
/// vertices that v reaches and that reach v.
template <class W>
bool on_negative_walk(const Graph<W>& g, int v) {
  Graph<W> reversed = g;
  for (auto& e : reversed.edges) std::swap(e.from, e.to);
  const auto after = reach(g, v), before = reach(reversed, v);
  const auto together = [&](int u) {
    return after[static_cast<std::size_t>(u)] && before[static_cast<std::size_t>(u)];
  };
  Graph<W> component{g.n, {}};
  for (const auto& e : g.edges)
    if (together(e.from) && together(e.to)) component.edges.push_back(e);
  return has_negative_cycle(component);
}

template <class W>
using Distances = std::vector<std::vector<W>>;

/// All distances; unreachable<W> where there is no path. The graph must have no negative cycle.
template <class W>
Distances<W> distances(const Graph<W>& g) {
  const bool negative = std::any_of(g.edges.begin(), g.edges.end(), [](const auto& e) { return e.weight < 0; });
  const auto out = adjacency(g);
  Distances<W> all;
  for (int source = 0; source < g.n; ++source) {
    if (!negative) {
      all.push_back(dijkstra(out, source));
      continue;
    }
    std::vector<W> length(out.size(), unreachable<W>);
    length[static_cast<std::size_t>(source)] = 0;
    bellman_ford(g, length);
    all.push_back(std::move(length));
  }
  return all;
}

}  // namespace oracle
