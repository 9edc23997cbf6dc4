// SPDX-License-Identifier: MIT
/// \file
/// \brief Reads graphs in text formats: DIMACS, lists of edges, KONECT, Matrix Market.
///
/// Each reader throws a FileError that names the file, the line, the column, the text found and the text expected.
#pragma once

#include "blockfw/detail/io/file_weights.hpp"
#include "blockfw/detail/io/text_scanner.hpp"
#include "blockfw/files/input_file.hpp"
#include "blockfw/ground/edge.hpp"
#include "blockfw/ground/matrix.hpp"
#include "blockfw/ground/semiring.hpp"
#include "blockfw/io/graph.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

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

/// \brief Reads a graph in the format of the 9th DIMACS implementation challenge on shortest paths, `.gr`.
/// \throws FileError
///
/// A line that begins with `c` is a comment. A line `p sp VERTICES ARCS` occurs once. Then there is a line
/// `a FROM TO LENGTH` for each arc. Vertices count from 1. Arcs of length inf are left out.
template <Distance W>
Graph<W> read_dimacs(const InputFile& file) {
  return detail::made_by<Graph<W>>([&](auto& graph) { detail::read_dimacs(file, graph); });
}

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
    if (!weighted && !in.line_ended())
      in.expected("the end of the line, as the first edge has no weight (a line of sizes is not part of an edge list)");
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

/// \brief Reads a graph from a plain list of edges: a line `FROM TO` or `FROM TO WEIGHT` for each edge.
/// \throws FileError
///
/// Vertices are whole numbers from 0. The graph has all vertices up to the largest vertex in the file. Words are
/// separated by spaces, tabs or commas, with at most one comma between two words. Lines that begin with # or % are
/// comments. A line `# Undirected graph` before the first edge, as SNAP writes it, makes the graph undirected. Without
/// weights each edge has length 1. Edges of weight inf are left out.
template <Distance W>
Graph<W> read_edge_list(const InputFile& file) {
  return detail::made_by<Graph<W>>([&](auto& graph) { detail::read_edge_list(file, graph); });
}

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

/// \brief Reads a graph of KONECT, the Koblenz network collection. Its files are named `out.NAME`.
/// \throws FileError
///
/// The first line is `% sym WEIGHTS` for an undirected graph, and `% asym WEIGHTS` for a directed graph. A second line,
/// `% EDGES VERTICES VERTICES`, may follow. Then there is a line `FROM TO`, `FROM TO WEIGHT` or `FROM TO WEIGHT TIME`
/// for each edge. Vertices count from 1. Where WEIGHTS is `unweighted` or `positive`, each edge has length 1, and the
/// third column is a multiplicity. Times are not used. Edges of weight inf are left out. Bipartite graphs, `bip`, are
/// refused, since in them two vertices share each number.
template <Distance W>
Graph<W> read_konect(const InputFile& file) {
  return detail::made_by<Graph<W>>([&](auto& graph) { detail::read_konect(file, graph); });
}

namespace detail {

template <class Sink>
void read_matrix_market(const InputFile& file, Sink& graph) {
  using W = typename Sink::Weight;
  TextScanner in(file, "Matrix Market");
  in.next_line();
  if (!in.skip_marks('%') || !in.take("MatrixMarket")) in.expected("'%%MatrixMarket'");
  if (!in.take("matrix")) in.expected("'matrix'");
  const bool full = in.take("array");
  if (!full && !in.take("coordinate")) in.expected("'coordinate' or 'array'");
  const bool pattern = !full && in.take("pattern"), real = !pattern && in.take("real");
  const bool natural = !pattern && !real && in.take("unsigned-integer");
  if (!pattern && !real && !natural && !in.take("integer"))
    in.expected(std::string("'real', 'integer'") +
                (full ? " or 'unsigned-integer'" : ", 'unsigned-integer' or 'pattern'"));
  const bool signs = !pattern && !natural, symmetric = in.take("symmetric"), skew = signs && in.take("skew-symmetric");
  if (!symmetric && !skew && !in.take("general"))
    in.expected(signs ? "'general', 'symmetric' or 'skew-symmetric'" : "'general' or 'symmetric'");
  in.end_line();

  graph.first_vertex = 1;
  if (symmetric) graph.direction = Direction::undirected;
  if (!in.next_line("%")) in.expected("a line with the size of the matrix");
  const std::int64_t n = in.whole_number(0, std::numeric_limits<std::int32_t>::max(), "a number of rows");
  in.whole_number(n, n, "as many columns as rows");
  graph.vertices = n;

  const auto next_line = [&](std::int64_t entries, std::int64_t read) {
    if (!in.next_line("%")) in.expected(std::to_string(entries) + " entries instead of " + std::to_string(read));
  };
  // Reads the weight of an entry, and adds the entry and its mirror image.
  const auto add = [&](std::int32_t row, std::int32_t column, const auto& to) {
    if (natural && in.word().starts_with('-')) in.expected("a whole number, 0 or more");
    const auto place = skew ? std::optional(in) : std::nullopt;
    const auto weight = pattern ? held<W>(1) : in.weight<W>();
    in.end_line();
    to(row, column, weight);
    if (!skew) return;
    const auto mirrored = weight ? negative(*weight) : std::nullopt;
    if (!mirrored) place->expected("a finite number whose negative is of the same type (the matrix is skew-symmetric)");
    if (row != column)
      to(column, row, mirrored);
    else if (weight != held<W>(0))
      place->expected("0 on the diagonal of a skew-symmetric matrix");
  };
  std::int64_t entries = 0;
  if (full) {
    in.end_line();
    FullMatrix<Sink> matrix(in.what(), real, graph);
    const auto to_matrix = [&](auto row, auto column, const auto& weight) { matrix.add(row, column, weight); };
    entries = symmetric ? n * (n + 1) / 2 : skew ? n * (n - 1) / 2 : n * n;
    std::int64_t read = 0;
    for (std::int64_t column = 0; column < n; ++column)
      for (std::int64_t row = symmetric ? column : skew ? column + 1 : 0; row < n; ++row) {
        next_line(entries, read++);
        add(static_cast<std::int32_t>(row), static_cast<std::int32_t>(column), to_matrix);
      }
    matrix.finish();
  } else {
    const auto to_graph = [&](std::int32_t row, std::int32_t column, const auto& weight) {
      if (weight) graph.add(row, column, *weight);
    };
    entries = in.whole_number(0, n == 0 ? 0 : std::numeric_limits<std::int64_t>::max(), "a number of entries");
    in.end_line();
    graph.reserve(std::min(static_cast<std::size_t>(entries), file.bytes().size() / 4));  // shortest line: "1 2\n"
    for (std::int64_t read = 0; read < entries; ++read) {
      next_line(entries, read);
      const std::int32_t row = in.vertex(1, n, "a row"), column = in.vertex(1, n, "a column");
      add(row, column, to_graph);
    }
  }
  if (in.next_line("%")) in.expected("the end of the file after " + std::to_string(entries) + " entries");
}

}  // namespace detail

/// \brief Reads a graph from a matrix in NIST's file format Matrix Market.
/// \throws FileError
///
/// Entry (i, j) is the weight of an edge i → j. In coordinate format entries that are not listed are no edges, and a
/// listed 0 is an edge of length 0. In array format, as in NumPy's arrays (io/npy.hpp), inf is no edge, and among
/// integers 0 is no edge either. Fields may be real, integer, unsigned-integer or pattern. With pattern each edge has
/// length 1. A symmetric matrix is an undirected graph. In a skew-symmetric matrix, entry (i, j) is also the edge j → i
/// of the negated weight. Complex and Hermitian matrices are refused. The banner may begin with one % instead of two.
template <Distance W>
Graph<W> read_matrix_market(const InputFile& file) {
  return detail::made_by<Graph<W>>([&](auto& graph) { detail::read_matrix_market(file, graph); });
}

}  // namespace blockfw::io
