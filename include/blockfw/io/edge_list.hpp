// SPDX-License-Identifier: MIT
/// \file
/// \brief Reads graphs from plain lists of edges: a line `FROM TO` or `FROM TO WEIGHT` for each edge.
///
/// Vertices are whole numbers from 0. The graph has all vertices up to the largest vertex in the file. Words are
/// separated by spaces, tabs or commas, with at most one comma between two words. Lines that begin with # or % are
/// comments. A line `# Undirected graph` before the first edge, as SNAP writes it, makes the graph undirected. Without
/// weights each edge has length 1.
#pragma once

#include "blockfw/detail/io/file_weights.hpp"
#include "blockfw/detail/io/text_scanner.hpp"
#include "blockfw/files/input_file.hpp"
#include "blockfw/ground/edge.hpp"
#include "blockfw/ground/matrix.hpp"
#include "blockfw/ground/semiring.hpp"
#include "blockfw/io/graph.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>

namespace blockfw::io {

namespace detail {

template <class Sink>
void read_edge_list(const InputFile& file, Sink& graph) {
  using W = typename Sink::Weight;
  TextScanner in(file, "edge list", "", ',');
  constexpr std::int64_t most = std::numeric_limits<std::int32_t>::max();
  bool more = in.next_line();
  for (; more && in.at("#%"); more = in.next_line())
    if (in.skip_marks('#') && in.take("Undirected") && in.word().starts_with("graph"))
      graph.direction = Direction::undirected;
  if (!more) in.expected("an edge, FROM TO WEIGHT");
  bool weighted = false;
  // A Matrix Market file that has lost its banner looks like a list without a vertex 0. Its size looks like a loop at
  // the largest vertex, whose weight is the number of other lines.
  std::optional<W> size;
  std::int64_t order = -1, others = 0;
  const TextScanner first = in;
  bool any_zero = false;
  for (; more; more = in.next_line("#%")) {
    const std::int32_t from = in.vertex(0, most), to = in.vertex(0, most);
    if (graph.vertices == 0) weighted = !in.line_ended();  // the first line decides for all lines
    const auto weight = weighted ? in.weight<W>() : held<W>(1);
    in.end_line();
    any_zero = any_zero || from == 0 || to == 0;
    if (graph.vertices > 0)
      ++others;
    else if (weighted && weight && from == to)
      size = weight, order = from;
    graph.vertices = std::max<std::int64_t>(graph.vertices, std::max(from, to) + std::int64_t(1));
    if (weight) graph.add(from, to, *weight);
  }
  if (size && !any_zero && others > 0 && order + 1 == graph.vertices && size == held<W>(others))
    first.expected("an edge (a matrix of this size with " + std::to_string(others) +
                   " entries begins with '%%MatrixMarket')");
}

}  // namespace detail

/// \brief Reads a graph. Edges of weight inf are left out.
/// \throws FileError that names the file, the line, the column, the text found and the text expected
template <Distance W>
Graph<W> read_edge_list(const InputFile& file) {
  return detail::made_by<Graph<W>>([&](auto& graph) { detail::read_edge_list(file, graph); });
}

}  // namespace blockfw::io
