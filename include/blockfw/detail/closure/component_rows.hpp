// SPDX-License-Identifier: MIT
/// \file
/// \brief The transitive closure of a sparse graph: a row of bits for each strong component, from the rows of the
/// components to which its edges lead.
#pragma once

#include "blockfw/detail/base/rounding.hpp"
#include "blockfw/detail/graph/components.hpp"
#include "blockfw/detail/loops/launch.hpp"
#include "blockfw/detail/matrices/copies.hpp"
#include "blockfw/ground/matrix.hpp"
#include "blockfw/ground/options.hpp"

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace blockfw::detail {

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
