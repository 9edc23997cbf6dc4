// SPDX-License-Identifier: MIT
/// \file
/// \brief The transitive closure of a sparse graph: its strong components, and a row of bits for each, from the rows of
/// the components to which its edges lead.
#pragma once

#include "blockfw/detail/backend/memory.hpp"
#include "blockfw/detail/base/arithmetic.hpp"
#include "blockfw/detail/loops/launch.hpp"
#include "blockfw/detail/matrices/copies.hpp"
#include "blockfw/ground/matrix.hpp"
#include "blockfw/ground/options.hpp"

#include <Kokkos_Core.hpp>

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

/// Whether rows of components take less time than rounds. (Measured from n = 1000 to 16,000: both take the same time at
/// one edge for 150 to 400 pairs of vertices.)
inline bool pays_by_components(std::int64_t n, std::int64_t edges) { return 256 * edges < n * n; }

/// \brief Writes the closure into zeros. Vertices of a component have the same row.
///
/// The columns are independent of each other: a task takes some words of all rows, component by component in the order
/// of their numbers. (edges between components + vertices) · n/32 word operations. Each row is written once.
/// \param words  a row of bits for each vertex
template <class ExecSpace, class Words>
void close_by_components(const ExecSpace& exec, const Words& words, const Components& components,
                         const Progress& progress) {
  const auto n = static_cast<std::int64_t>(components.of.size());
  const auto of = in_space(exec, components.of);
  const auto representative = in_space(exec, components.representative);
  const auto first = in_space(exec, components.first);
  const auto to = in_space(exec, components.to);
  for_range(
      "blockfw::component_bits", exec, 0, n, KOKKOS_LAMBDA(std::int64_t v) {
        Kokkos::atomic_or(&entry_at(words, representative(of(v)), v / 32), 1u << v % 32);
      });
  const std::int64_t count = components.count(), columns = div_up(n, std::int64_t{32});
  // A host's task takes whole cache lines of each row; a device's threads take words that lie side by side.
  const std::int64_t width = !is_host_space<ExecSpace> ? 1 : columns < 1024 ? 16 : 64, tasks = div_up(columns, width);
  const std::int64_t parts = progress ? std::min<std::int64_t>(tasks, 64) : std::min<std::int64_t>(tasks, 1);
  for (std::int64_t part = 0; part < parts; ++part) {
    for_range(
        "blockfw::component_rows", exec, tasks * part / parts, tasks * (part + 1) / parts,
        KOKKOS_LAMBDA(std::int64_t task) {
          const std::int64_t begin = task * width, length = Kokkos::min(width, columns - begin);
          for (std::int64_t c = 0; c < count; ++c) {
            std::uint32_t* const row = &entry_at(words, representative(c), begin);
            for (std::int64_t e = first(c); e < first(c + 1); ++e) {
              const std::uint32_t* const there = &entry_at(words, representative(to(e)), begin);
              for (std::int64_t w = 0; w < length; ++w) row[w] |= there[w];
            }
          }
          for (std::int64_t v = 0; v < n; ++v) {
            const std::int32_t same = representative(of(v));
            if (same == v) continue;
            const std::uint32_t* const row = &entry_at(words, same, begin);
            std::uint32_t* const copy = &entry_at(words, v, begin);
            for (std::int64_t w = 0; w < length; ++w) copy[w] = row[w];
          }
        });
    if (progress) {
      exec.fence("blockfw::progress");
      progress(part + 1, parts);
    }
  }
  exec.fence("blockfw::component_rows");  // (The lists are freed.)
}

}  // namespace blockfw::detail
