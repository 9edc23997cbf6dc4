// SPDX-License-Identifier: MIT
/// \file
/// \brief Reads graphs from plain lists of edges: a line `FROM TO` or `FROM TO WEIGHT` for each edge.
///
/// Vertices are whole numbers from 0; the graph has all vertices up to the largest one in the file. Words are separated
/// by spaces, tabs or commas. Lines that begin with # or % are comments. Without weights each edge has length 1.
#pragma once

#include "blockfw/io/detail/text_scanner.hpp"
#include "blockfw/io/graph.hpp"
#include "blockfw/io/input_file.hpp"
#include "blockfw/semiring.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>

namespace blockfw::io {

namespace detail {

template <class Sink>
void read_edge_list(const InputFile& file, Sink& graph) {
  using W = typename Sink::Weight;
  TextScanner in(file, "edge list", ",");
  constexpr std::int64_t most = std::numeric_limits<std::int32_t>::max();
  bool weighted = false;
  while (in.next_line("#%")) {
    const std::int32_t from = in.vertex(0, most), to = in.vertex(0, most);
    if (graph.vertices == 0) weighted = !in.line_ended();  // the first line decides for all lines
    const auto weight = weighted ? in.weight<W>() : held<W>(1);
    in.end_line();
    graph.vertices = std::max<std::int64_t>(graph.vertices, std::max(from, to) + std::int64_t(1));
    if (weight) graph.add(from, to, *weight);
  }
  if (graph.vertices == 0) in.expected("an edge, FROM TO WEIGHT");
}

}  // namespace detail

/// \brief Reads a graph; edges of weight inf are left out.
/// \throws FileError that names the file, the line and column, what was found and what was expected
template <Distance W>
Graph<W> read_edge_list(const InputFile& file) {
  return detail::made_by<Graph<W>>([&](auto& graph) { detail::read_edge_list(file, graph); });
}

}  // namespace blockfw::io
