// SPDX-License-Identifier: MIT
/// \file
/// \brief Reads graphs from matrices in NIST's file format Matrix Market.
///
/// Entry (i, j) is the weight of an edge i → j. In coordinate format entries that are not listed are no edges, and a
/// listed 0 is an edge of length 0. In array format, as in NumPy's arrays (io/npy.hpp), inf is no edge, and among
/// integers 0 is no edge either. Fields may be real, integer, unsigned-integer or pattern. With pattern each edge has
/// length 1. A symmetric matrix is an undirected graph. In a skew-symmetric matrix, entry (i, j) is also the edge j → i
/// of the negated weight. Complex and Hermitian matrices are refused. The banner may begin with one % instead of two.
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

namespace blockfw::io {

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

/// \brief Reads a graph. An entry of inf is no edge.
/// \throws FileError that names the file, the line, the column, the text found and the text expected
template <Distance W>
Graph<W> read_matrix_market(const InputFile& file) {
  return detail::made_by<Graph<W>>([&](auto& graph) { detail::read_matrix_market(file, graph); });
}

}  // namespace blockfw::io
