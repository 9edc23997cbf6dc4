// SPDX-License-Identifier: MIT
/// \file
/// \brief Reads graphs of KONECT, the Koblenz network collection. Its files are named `out.NAME`.
///
/// The first line is `% sym WEIGHTS` for an undirected graph, and `% asym WEIGHTS` for a directed graph. A second line,
/// `% EDGES VERTICES VERTICES`, may follow. Then there is a line `FROM TO`, `FROM TO WEIGHT` or `FROM TO WEIGHT TIME`
/// for each edge. Vertices count from 1. Where WEIGHTS is `unweighted` or `positive`, each edge has length 1, and the
/// third column is a multiplicity. Times are not used. Bipartite graphs, `bip`, are refused, since in them two vertices
/// share each number.
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
#include <string_view>

namespace blockfw::io {

namespace detail {

/// Whether the line begins with the first word of a KONECT header, after its mark.
inline bool at_konect_header(const TextScanner& in) {
  const auto word = in.word();
  return word == "sym" || word == "asym" || word == "bip";
}

template <class Sink>
void read_konect(const InputFile& file, Sink& graph) {
  using W = typename Sink::Weight;
  TextScanner in(file, "KONECT");
  if (!in.next_line() || !in.skip_marks('%')) in.expected("a line '% sym WEIGHTS' or '% asym WEIGHTS'");
  if (in.take("sym"))
    graph.direction = Direction::undirected;
  else if (!in.take("asym"))
    in.expected("'sym' or 'asym' (in a bipartite graph each number names two vertices)");
  const auto take_one_of = [&](auto... words) { return (in.take(words) || ...); };
  const bool weighted = !take_one_of("unweighted", "positive");
  if (weighted && !take_one_of("weighted", "posweighted", "signed", "multiweighted", "multiposweighted", "multisigned"))
    in.expected("'unweighted', 'positive', 'weighted', 'posweighted', 'signed' or one of these after 'multi'");
  in.end_line();

  graph.first_vertex = 1;
  std::int64_t most = std::numeric_limits<std::int32_t>::max();
  bool more = in.next_line();
  if (more && in.skip_marks('%')) {
    if (!in.line_ended() && in.word().find_first_not_of("0123456789") == std::string_view::npos) {
      in.whole_number(0, std::numeric_limits<std::int64_t>::max(), "a number of edges");
      for (int side = 0; side < 2; ++side)
        graph.vertices = std::max(graph.vertices, in.whole_number(0, most, "a number of vertices"));
      in.end_line();
      most = graph.vertices;
    }
    more = in.next_line("%");
  }
  for (; more; more = in.next_line("%")) {
    const std::int32_t from = in.vertex(1, most), to = in.vertex(1, most);
    const auto weight = weighted ? in.weight<W>() : held<W>(1);
    for (int unused = weighted ? 1 : 0; unused < 2 && !in.line_ended(); ++unused) in.weight<Number>();
    in.end_line();
    graph.vertices = std::max<std::int64_t>(graph.vertices, std::max(from, to) + std::int64_t(1));
    if (weight) graph.add(from, to, *weight);
  }
  if (graph.vertices == 0) in.expected("an edge, FROM TO");
}

}  // namespace detail

/// \brief Reads a graph. Edges of weight inf are left out.
/// \throws FileError that names the file, the line, the column, the text found and the text expected
template <Distance W>
Graph<W> read_konect(const InputFile& file) {
  return detail::made_by<Graph<W>>([&](auto& graph) { detail::read_konect(file, graph); });
}

}  // namespace blockfw::io
