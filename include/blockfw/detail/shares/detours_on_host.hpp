// SPDX-License-Identifier: MIT
/// \file
/// \brief The detours by a new edge, made on the host and sent to each share of a matrix.
#pragma once

#include "blockfw/detail/graph/cycles.hpp"
#include "blockfw/detail/matrices/copies.hpp"
#include "blockfw/detail/matrices/detours.hpp"
#include "blockfw/ground/error.hpp"
#include "blockfw/ground/semiring.hpp"
#include "blockfw/ground/weights.hpp"

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace blockfw::detail {

/// \brief The lengths of paths by a new edge, on the host: from each vertex to the edge's end, and from the end to each
/// vertex.
template <class T>
class DetoursOnHost {
  using Numbers = Kokkos::View<T*, Kokkos::HostSpace>;

 public:
  /// \param to_tail    the distances from each vertex to the edge's beginning
  /// \param from_head  the distances from the edge's end to each vertex
  /// \throws as insert_edge()
  template <class Distances>
  DetoursOnHost(const Distances& to_tail, const Distances& from_head, std::int64_t tail, T weight)
      : to("blockfw::detours", to_tail.extent(0)), from("blockfw::detours", to_tail.extent(0)) {
    WeightRange<T> to_range, from_range;
    const auto include = [](WeightRange<T>& range, T length) {
      if (length == infinity<T>) return;
      range.smallest = std::min(range.smallest, length);
      range.largest = std::max(range.largest, length);
    };
    for (std::size_t v = 0; v < to.extent(0); ++v) {
      to(v) = to_tail(v) == infinity<T> ? infinity<T> : lengthened(to_tail(v), weight);
      from(v) = from_head(v);
      include(to_range, to(v));
      include(from_range, from(v));
    }
    const T back = from(static_cast<std::size_t>(tail));
    const bool closes = back < infinity<T> && MinPlus<T>::diverges(static_cast<T>(weight + back));
    if (closes && negative_through(to, from)) throw NegativeCycle(tail);
    require_safe(to_range, from_range);
  }

  /// Copies the lengths for the vertices of a part of a matrix to memory of exec. Fences exec.
  /// \param row, column  row(i) and column(j) are the vertices of the part's rows and columns
  template <class ExecSpace, class Row, class Column>
  void send(const ExecSpace& exec, const Detours<T, ExecSpace>& part, const Row& row, const Column& column) const {
    send(exec, part.to, to, row);
    send(exec, part.from, from, column);
  }

 private:
  template <class ExecSpace, class There, class Vertex>
  static void send(const ExecSpace& exec, const There& there, const Numbers& numbers, const Vertex& vertex) {
    const Numbers some(Kokkos::view_alloc("blockfw::detours", Kokkos::WithoutInitializing), there.extent(0));
    for (std::size_t i = 0; i < some.extent(0); ++i)
      some(i) = numbers(static_cast<std::size_t>(vertex(static_cast<std::int64_t>(i))));
    copy_array(exec, there, some);
    exec.fence("blockfw::detours");  // before `some` is destroyed
  }

  Numbers to, from;
};

}  // namespace blockfw::detail
