// SPDX-License-Identifier: MIT
/// \file
/// \brief Reads graphs from files of any format. The format is found from a file's contents, not from its name.
///
/// \code
///   const blockfw::io::InputFile file("towns.gr");
///   if (blockfw::io::suffices<std::int32_t>(blockfw::io::survey(file))) {
///     const auto graph = blockfw::io::read_graph<std::int32_t>(file);
///     auto d = blockfw::solve(graph.vertices, graph.edges, {.direction = graph.direction});
///   }
/// \endcode
#pragma once

#include "blockfw/detail/io/file_weights.hpp"
#include "blockfw/detail/io/text_scanner.hpp"
#include "blockfw/files/input_file.hpp"
#include "blockfw/ground/edge.hpp"
#include "blockfw/ground/error.hpp"
#include "blockfw/ground/semiring.hpp"
#include "blockfw/io/binary_edges.hpp"
#include "blockfw/io/graph.hpp"
#include "blockfw/io/npy.hpp"
#include "blockfw/io/text_formats.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>

namespace blockfw::io {

/// The format of a file that holds a graph.
enum class Format {
  dimacs,
  matrix_market,
  npy,
  binary_edges,  ///< printed as "homework"
  edge_list,
  konect
};

/// The name of a format, for people.
constexpr const char* name_of(Format format) {
  constexpr const char* names[] = {"DIMACS", "Matrix Market", ".npy", "homework", "edge list", "KONECT"};
  return names[static_cast<int>(format)];
}

namespace detail {

/// The kind of a file that has no graph, by its first bytes. It is null for a file that may have a graph.
inline const char* name_of_other_file(std::string_view bytes) {
  constexpr const char *unicode = "a text in UTF-16 or UTF-32, expected UTF-8 or ASCII",
                       *zip = "a .zip or .npz archive, expected the file in it";
  constexpr std::pair<std::string_view, const char*> kinds[] = {
      {gzip_mark,
       "compressed by gzip, expected an unpacked file: by gzip -d, or by a build with zlib (blockfw/io/gzip.hpp)"},
      {"BZh", "compressed by bzip2, expected an unpacked file"},
      {"\xfd"
       "7zXZ",
       "compressed by xz, expected an unpacked file"},
      {"\x28\xb5\x2f\xfd", "compressed by zstd, expected an unpacked file"},
      {"\x04\x22\x4d\x18", "compressed by lz4, expected an unpacked file"},
      {"\x1f\x9d", "compressed by compress, expected an unpacked file"},
      {"PK\x03\x04", zip},
      {"7z\xbc\xaf", "a .7z archive, expected the file in it"},
      {"\xff\xfe", unicode},
      {"\xfe\xff", unicode},
  };
  for (const auto& [start, name] : kinds)
    if (bytes.starts_with(start)) return name;
  return bytes.size() > 262 && bytes.substr(257, 5) == "ustar" ? "a .tar archive, expected the file in it" : nullptr;
}

template <class Sink>
void read_binary_edges(const InputFile& file, Sink& graph) {
  using W = typename Sink::Weight;
  const std::string_view bytes = file.bytes();
  std::int32_t header[2];
  std::memcpy(header, bytes.data(), sizeof header);
  graph.vertices = header[0];
  graph.reserve(static_cast<std::size_t>(header[1]));
  for (std::int64_t e = 0; e < header[1]; ++e) {
    Edge<std::int32_t> edge;
    const std::int64_t place = BinaryEdges::byte_of_edge(e);
    std::memcpy(&edge, bytes.data() + place, sizeof edge);
    const auto refuse = [&](const std::string& found) {
      throw FileError(file.name(), ": homework, byte ", place, ": found ", found);
    };
    for (const std::int32_t vertex : {edge.from, edge.to})
      if (vertex < 0 || vertex >= header[0])
        refuse("vertex " + std::to_string(vertex) + ", expected one from 0 to " + std::to_string(header[0] - 1));
    const auto weight = held<W>(edge.weight);
    if (!weight) refuse("weight " + std::to_string(edge.weight) + cannot_hold<W>(edge.weight));
    graph.add(edge.from, edge.to, *weight);
  }
}

}  // namespace detail

/// \brief Finds the format of a file from its first bytes and its length. A text that is of no other format is an edge
/// list.
/// \throws FileError when the file is empty or of none of the formats
inline Format format_of(const InputFile& file) {
  const std::string_view bytes = file.bytes();
  if (bytes.empty()) throw FileError(file.name() + ": the file is empty, expected a graph");
  if (bytes.starts_with(detail::npy_magic)) return Format::npy;
  if (detail::is_binary_edges(bytes)) return Format::binary_edges;
  if (const char* const name = detail::name_of_other_file(bytes)) throw FileError(file.name() + ": " + name);
  detail::TextScanner in(file, "");
  bool more = in.next_line();
  for (; more && in.at("#%"); more = in.next_line()) {
    if (!in.skip_marks('%')) continue;
    if (in.take("MatrixMarket")) return Format::matrix_market;
    if (detail::at_konect_header(in)) return Format::konect;
  }
  if (!more) return Format::edge_list;
  for (const char* const kind : {"c", "p", "a"})
    if (in.word() == kind) return Format::dimacs;
  const auto control = [](char c) {
    return c >= 0 && c < ' ' && c != '\t' && c != '\n' && c != '\v' && c != '\f' && c != '\r';
  };
  const std::string_view start = bytes.substr(0, 4096);
  if (const auto odd = std::find_if(start.begin(), start.end(), control); odd != start.end())
    throw FileError(file.name(), ": byte ", odd - start.begin(), ": found ", detail::in_quotes({odd, 1}),
                    ", expected a text, a .npy or a homework file (E, in its bytes 4 to 7, and ", bytes.size(),
                    " bytes do not agree)");
  return Format::edge_list;
}

namespace detail {

template <class Sink>
void read_graph(const InputFile& file, Sink& graph) {
  // In the order of Format, as the names are.
  constexpr void (*readers[])(const InputFile&, Sink&) = {read_dimacs,       read_matrix_market, read_npy,
                                                          read_binary_edges, read_edge_list,     read_konect};
  readers[static_cast<int>(format_of(file))](file, graph);
}

}  // namespace detail

/// \brief Reads a graph.
/// \tparam W  the type of the weights, which must hold all of them
/// \throws FileError that names the file, its format, the place, the content found and the content expected
///
/// One pass. Memory: the edges, and for a moment up to twice their memory.
template <Distance W>
Graph<W> read_graph(const InputFile& file) {
  return detail::made_by<Graph<W>>([&](auto& graph) { detail::read_graph(file, graph); });
}

/// \brief Surveys a graph in one pass, without memory for its edges.
/// \throws as read_graph()
inline Survey survey(const InputFile& file) {
  return detail::made_by<Survey>([&](auto& result) { detail::read_graph(file, result); });
}

}  // namespace blockfw::io
