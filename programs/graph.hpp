// SPDX-License-Identifier: MIT
// A graph as apsp solves it: of a file with sparse vertex numbers, the vertices that have edges.
#pragma once

#include <blockfw/edges.hpp>
#include <blockfw/io/graph.hpp>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace apsp {

/// \brief A graph read from a file. Its vertices are those of the file, or only some of them: then the others have no
/// edges, and distances from and to them are those of the vertex `lone`.
template <class T>
struct Graph : blockfw::io::Graph<T> {
  std::int64_t in_file = 0;        ///< the number of vertices in the file
  std::vector<std::int32_t> kept;  ///< the file's vertices that are kept, counted from 0, ascending; empty: all
  bool strict_cycles = false;      ///< whether rounding alone makes a cycle negative
  std::int32_t lone = -1;          ///< a kept vertex without edges that was not asked for, where vertices are left out

  Graph() = default;
  explicit Graph(blockfw::io::Graph<T> all) : blockfw::io::Graph<T>(std::move(all)), in_file(this->vertices) {}

  /// The file's name of vertex v.
  std::int64_t name(std::int64_t v) const {
    return this->first_vertex + (kept.empty() ? v : kept[static_cast<std::size_t>(v)]);
  }
  /// The vertex that the file names so; it must be kept.
  std::int64_t vertex(std::int64_t name) const {
    const std::int64_t v = name - this->first_vertex;
    return kept.empty() ? v : std::lower_bound(kept.begin(), kept.end(), v) - kept.begin();
  }

  /// \brief Calls f(name, v) for each vertex of the file, in order: v is the vertex itself, or `lone` if it is left
  /// out.
  template <class F>
  void for_each_name(const F& f) const {
    std::int32_t next = 0;  // of the vertices that are kept
    for (std::int64_t name_here = this->first_vertex, end = name_here + in_file; name_here < end; ++name_here)
      f(name_here, next < this->vertices && name(next) == name_here ? next++ : lone);
  }

  /// \brief Leaves out vertices without edges, if these are more than half of all. One stays, so that all measures are
  /// those of the whole graph, but for the vertices' distances to themselves.
  /// \param asked  names of vertices to keep, repeated ones allowed
  ///
  /// O(vertices / 64 + edges · log vertices). Memory: a bit for each vertex.
  void leave_out_lone(const std::vector<std::int64_t>& asked) {
    std::vector<std::uint64_t> wanted(static_cast<std::size_t>(in_file / 64 + 1), 0);  // a bit for each vertex
    const auto want = [&](std::int64_t v) { wanted[static_cast<std::size_t>(v / 64)] |= std::uint64_t{1} << v % 64; };
    for (const auto& edge : this->edges) {
      want(edge.from);
      want(edge.to);
    }
    for (const std::int64_t name : asked) want(name - this->first_vertex);
    const auto gap = std::find_if(wanted.begin(), wanted.end(), [](std::uint64_t word) { return ~word != 0; });
    const std::int64_t apart = 64 * (gap - wanted.begin()) + std::countr_one(*gap);  // the first without edges
    if (apart >= in_file) return;
    want(apart);
    std::int64_t count = 0;
    for (const std::uint64_t word : wanted) count += std::popcount(word);
    if (2 * count >= in_file) return;

    kept.reserve(static_cast<std::size_t>(count));
    for (std::size_t w = 0; w < wanted.size(); ++w)
      for (std::uint64_t word = wanted[w]; word != 0; word &= word - 1)
        kept.push_back(static_cast<std::int32_t>(64 * w) + std::countr_zero(word));
    const auto place = [&](std::int64_t v) { return static_cast<std::int32_t>(vertex(v + this->first_vertex)); };
    for (auto& edge : this->edges) {
      edge.from = place(edge.from);
      edge.to = place(edge.to);
    }
    lone = place(apart);
    this->vertices = count;
  }
};

}  // namespace apsp
