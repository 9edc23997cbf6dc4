// SPDX-License-Identifier: MIT
/// \file
/// \brief Reads graphs in the format of the 9th DIMACS implementation challenge on shortest paths, `.gr`.
///
/// A line that begins with `c` is a comment. A line `p sp VERTICES ARCS` occurs once. Then there is a line
/// `a FROM TO LENGTH` for each arc. Vertices count from 1.
#pragma once

#include "blockfw/detail/io/text_scanner.hpp"
#include "blockfw/files/input_file.hpp"
#include "blockfw/ground/semiring.hpp"
#include "blockfw/io/graph.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>

namespace blockfw::io {

namespace detail {

template <class Sink>
void read_dimacs(const InputFile& file, Sink& graph) {
  TextScanner in(file, "DIMACS");
  const std::string problem = "a line 'p sp VERTICES ARCS'";
  std::int64_t arcs = -1, read = 0;
  graph.first_vertex = 1;
  while (in.next_line("c")) {
    if (arcs < 0) {
      if (!in.take("p") || !in.take("sp")) in.expected(problem);
      graph.vertices = in.whole_number(0, std::numeric_limits<std::int32_t>::max(), "a number of vertices");
      arcs = in.whole_number(0, graph.vertices == 0 ? 0 : std::numeric_limits<std::int64_t>::max(), "a number of arcs");
      graph.reserve(std::min(static_cast<std::size_t>(arcs), file.bytes().size() / 8));  // shortest line: "a 1 2 3\n"
    } else {
      if (read == arcs) in.expected("the end of the file after " + std::to_string(arcs) + " arcs");
      if (!in.take("a")) in.expected("a line 'a FROM TO LENGTH'");
      const std::int32_t from = in.vertex(1, graph.vertices), to = in.vertex(1, graph.vertices);
      if (const auto length = in.weight<typename Sink::Weight>()) graph.add(from, to, *length);
      ++read;
    }
    in.end_line();
  }
  if (arcs < 0) in.expected(problem);
  if (read < arcs) in.expected(std::to_string(arcs) + " arcs instead of " + std::to_string(read));
}

}  // namespace detail

/// \brief Reads a graph. Arcs of length inf are left out.
/// \throws FileError that names the file, the line, the column, the text found and the text expected
template <Distance W>
Graph<W> read_dimacs(const InputFile& file) {
  return detail::made_by<Graph<W>>([&](auto& graph) { detail::read_dimacs(file, graph); });
}

}  // namespace blockfw::io
