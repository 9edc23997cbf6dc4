// SPDX-License-Identifier: MIT
/// \file
/// \brief The transitive closure of a sparse graph: its strong components, and a row of bits for each, from the rows of
/// the components to which its edges lead.
#pragma once

#include "blockfw/detail/backend/memory.hpp"
#include "blockfw/detail/base/arithmetic.hpp"
#include "blockfw/detail/loops/launch.hpp"
#include "blockfw/detail/matrices/copies.hpp"
#include "blockfw/detail/matrices/edge_entries.hpp"
#include "blockfw/ground/edge.hpp"
#include "blockfw/ground/matrix.hpp"
#include "blockfw/ground/options.hpp"
#include "blockfw/ground/semiring.hpp"

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
  std::vector<std::int32_t> representative;  ///< one vertex of each component
  std::vector<std::int64_t> first;           ///< the edges from component c have the numbers [first[c], first[c + 1])
  std::vector<std::int32_t> to;              ///< the component where each edge ends; each occurs once

  std::int32_t count() const { return static_cast<std::int32_t>(representative.size()); }
};

/// \brief Finds the strong components by one depth-first search (Tarjan, "Depth-first search and linear graph
/// algorithms", 1972).
/// \param n      the number of vertices
/// \param edges  view on the host
/// \throws InvalidEdge for a vertex out of range, and for a float weight of NaN or -infinity
/// \throws OutOfMemory if the lists do not fit; thrown before they are allocated
///
/// O(n + edges), on one thread. Memory: 32 bytes for each vertex, 16 for each edge in each direction.
template <class Edges>
Components strong_components(std::int32_t n, const Edges& edges, Direction direction) {
  using S = MinPlus<decltype(Edges::non_const_value_type::weight)>;
  const auto count = extent_along(edges, 0);
  const bool both = direction == Direction::undirected;
  require_host_memory("the strong components of " + std::to_string(n) + " vertices",
                      32. * n + (both ? 32. : 16.) * static_cast<double>(count));
  for (std::int64_t e = 0; e < count; ++e)
    if (!is_valid<S>(edges(e), n)) throw_invalid_edge<S>(edges, e, n);
  const auto for_each_edge = [&](const auto& f) {
    for (std::int64_t e = 0; e < count; ++e) {
      const auto edge = edges(e);
      if (!matters<S>(edge)) continue;
      f(edge.from, edge.to);
      if (both) f(edge.to, edge.from);
    }
  };
  std::vector<std::int64_t> first(at(n) + 1, 0);
  for_each_edge([&](std::int32_t from, std::int32_t) { ++first[at(from) + 1]; });
  std::partial_sum(first.begin(), first.end(), first.begin());
  std::vector<std::int32_t> to(at(first.back()));
  auto next = first;  // for each vertex, the edge that the search looks at next
  for_each_edge([&](std::int32_t from, std::int32_t there) { to[at(next[at(from)]++)] = there; });
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
      std::int64_t& e = next[at(v)];
      const std::int64_t end = first[at(v) + 1];
      for (; e < end && number[at(to[at(e)])] != unseen; ++e)
        if (found.of[at(to[at(e)])] == unseen) least[at(v)] = std::min(least[at(v)], least[at(to[at(e)])]);
      if (e < end) {
        path.push_back(to[at(e)]);
        continue;
      }
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
  for_each_edge([&](std::int32_t from, std::int32_t there) {
    const std::pair ends(found.of[at(from)], found.of[at(there)]);
    if (ends.first != ends.second) between.push_back(ends);
  });
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
