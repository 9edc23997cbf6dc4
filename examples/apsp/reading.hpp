// SPDX-License-Identifier: MIT
// Reads the graph, and lists of its vertices.
#pragma once

#include "arguments.hpp"
#include "distances.hpp"
#include "graph.hpp"

#include <blockfw/io/graph_file.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace apsp {

/// The numbers that a file gives its vertices.
struct VertexNumbers {
  std::int64_t first, count;
};

/// \throws InvalidInput for a vertex, of an option, that is none of these
void require_vertex(const char* option, std::int64_t vertex, const VertexNumbers& numbers);

/// \brief Reads a list of vertices: a line for each, as the graph's file names them. `#` begins a comment.
/// \throws FileError that names the place, for anything else
std::vector<std::int64_t> read_vertices(const blockfw::io::InputFile& file, const VertexNumbers& numbers);

/// \brief The files of lists. They are read once, as one may be a pipe.
class ListFiles {
 public:
  /// \throws FileError
  explicit ListFiles(const NetworkArguments& arguments);

  std::optional<blockfw::io::InputFile> from, to, nearest;
};

/// Reads the graph, as the arguments want it.
template <class T>
Graph<T> read(const blockfw::io::InputFile& file, const Arguments& arguments) {
  Graph<T> graph(blockfw::io::read_graph<T>(file));
  graph.strict_cycles = arguments.strict_cycles;
  if (arguments.undirected) graph.direction = blockfw::Direction::undirected;
  if (arguments.unweighted)
    for (auto& edge : graph.edges) edge.weight = 1;
  return graph;
}

#define APSP_READING(LINKAGE, T) \
  LINKAGE template apsp::Graph<T> apsp::read<T>(const blockfw::io::InputFile&, const apsp::Arguments&);

}  // namespace apsp

APSP_TYPES(APSP_READING, extern)
