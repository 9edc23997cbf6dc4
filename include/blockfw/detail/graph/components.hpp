// SPDX-License-Identifier: MIT
/// \file
/// \brief Strong components of a graph, and the edges between them.
#pragma once

#include "blockfw/detail/backend/memory.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

namespace blockfw::detail {

/// \brief The strong components of a graph. From a component edges lead only to components of smaller numbers.
struct Components {
  std::vector<std::int32_t> of;              ///< the component of each vertex
  std::vector<std::int32_t> representative;  ///< of each component one of its vertices
  std::vector<std::int64_t> first;           ///< the edges from component c have the numbers [first[c], first[c + 1])
  std::vector<std::int32_t> to;              ///< the component where each edge ends; each occurs once

  std::int32_t count() const { return static_cast<std::int32_t>(representative.size()); }
};

/// \brief Finds them by one search in depth (Tarjan, "Depth-first search and linear graph algorithms", 1972).
/// \param n      the number of vertices
/// \param edges  (from, to), in any order
/// \throws OutOfMemory if the lists do not fit; thrown before they are allocated
///
/// O(n + edges), on one thread. Memory: 32 bytes for each vertex, 16 for each edge.
inline Components strong_components(std::int32_t n, const std::vector<std::pair<std::int32_t, std::int32_t>>& edges) {
  const auto at = [](auto i) { return static_cast<std::size_t>(i); };
  require_host_memory("the strong components of " + std::to_string(n) + " vertices",
                      32. * n + 16. * static_cast<double>(edges.size()));
  std::vector<std::int64_t> first(at(n) + 1, 0);
  std::vector<std::int32_t> to(edges.size());
  for (const auto& edge : edges) ++first[at(edge.first) + 1];
  std::partial_sum(first.begin(), first.end(), first.begin());
  auto next = first;  // of each vertex the edge that the search looks at next
  for (const auto& edge : edges) to[at(next[at(edge.first)]++)] = edge.second;
  std::copy(first.begin(), first.end(), next.begin());

  constexpr std::int32_t unseen = -1;
  Components found;
  found.of.assign(at(n), unseen);
  std::vector<std::int32_t> number(at(n), unseen), least(at(n)), path, open;
  std::int32_t seen = 0;
  for (std::int32_t root = 0; root < n; ++root) {
    if (number[at(root)] != unseen) continue;
    path.push_back(root);
    while (!path.empty()) {
      const std::int32_t v = path.back();
      if (number[at(v)] == unseen) {
        number[at(v)] = least[at(v)] = seen++;
        open.push_back(v);
      }
      bool descends = false;
      while (next[at(v)] < first[at(v) + 1]) {
        const std::int32_t u = to[at(next[at(v)])];
        if (number[at(u)] == unseen) {
          path.push_back(u);
          descends = true;
          break;
        }
        ++next[at(v)];
        if (found.of[at(u)] == unseen) least[at(v)] = std::min(least[at(v)], least[at(u)]);
      }
      if (descends) continue;
      path.pop_back();
      if (least[at(v)] != number[at(v)]) continue;
      const std::int32_t component = found.count();
      for (std::int32_t u = unseen; u != v;) {
        u = open.back();
        open.pop_back();
        found.of[at(u)] = component;
      }
      found.representative.push_back(v);
    }
  }

  // The edges between components, each once: sorted by both ends, by counting.
  std::vector<std::pair<std::int32_t, std::int32_t>> between;
  for (const auto& edge : edges) {
    const std::int32_t from = found.of[at(edge.first)], there = found.of[at(edge.second)];
    if (from != there) between.emplace_back(from, there);
  }
  std::sort(between.begin(), between.end());
  between.erase(std::unique(between.begin(), between.end()), between.end());
  found.first.assign(at(found.count()) + 1, 0);
  for (const auto& [from, there] : between) {
    ++found.first[at(from) + 1];
    found.to.push_back(there);
  }
  std::partial_sum(found.first.begin(), found.first.end(), found.first.begin());
  return found;
}

}  // namespace blockfw::detail
