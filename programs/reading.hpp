// SPDX-License-Identifier: MIT
// Reads the graph, and lists of its vertices.
#pragma once

#include "arguments.hpp"
#include "distances.hpp"
#include "graph.hpp"
#include "printing.hpp"

#include <blockfw/io/graph_file.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace apsp {

/// The numbers that a file gives its vertices.
struct VertexNumbers {
  std::int64_t first, count;
};

/// \throws ErrorOfArguments for a vertex, of an option, that is none of these
void require_vertex(const char* option, std::int64_t vertex, const VertexNumbers& numbers);

/// \brief Reads a list of vertices: a line for each, as the graph's file names them. `#` begins a comment.
/// \throws FileError that names the place, for anything else
std::vector<std::int64_t> read_vertices(const blockfw::io::InputFile& file, const VertexNumbers& numbers);

/// \brief The files besides the graph's: lists, and the graph of the second weights. They are read once, as one may be
/// a pipe.
struct OtherFiles {
  /// \throws FileError
  explicit OtherFiles(const NetworkArguments& arguments);

  std::optional<blockfw::io::InputFile> from, to, nearest, second;
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

/// \brief Reads the second weights of a graph's edges, in their order.
/// \param file   of a graph with the same edges in the same order
/// \param graph  with all vertices of its file
/// \throws FileError, also for other edges
template <class T>
std::vector<std::int64_t> read_second_weights(const blockfw::io::InputFile& file, const Graph<T>& graph) {
  const auto second = blockfw::io::read_graph<std::int64_t>(file);
  const auto ends = [](const auto& of, std::size_t e) {
    return std::pair(of.first_vertex + of.edges[e].from, of.first_vertex + of.edges[e].to);
  };
  const auto text = [](const auto& pair) { return digits(pair.first) + " to " + digits(pair.second); };
  if (second.edges.size() != graph.edges.size())
    throw blockfw::FileError(file.name() + ": second weights of " + digits(second.edges.size()) + " edges, expected " +
                             digits(graph.edges.size()) + ", those of the graph");
  std::vector<std::int64_t> weights;
  for (std::size_t e = 0; e < graph.edges.size(); ++e) {
    if (ends(second, e) != ends(graph, e))
      throw blockfw::FileError(file.name() + ": edge number " + digits(e + 1) + " leads from " + text(ends(second, e)) +
                               ", expected from " + text(ends(graph, e)) + ", as in the graph");
    weights.push_back(second.edges[e].weight);
  }
  return weights;
}

#define APSP_READING(LINKAGE, T)                                                                         \
  LINKAGE template apsp::Graph<T> apsp::read<T>(const blockfw::io::InputFile&, const apsp::Arguments&);  \
  LINKAGE template std::vector<std::int64_t> apsp::read_second_weights<T>(const blockfw::io::InputFile&, \
                                                                          const apsp::Graph<T>&);

}  // namespace apsp

APSP_TYPES(APSP_READING, extern)
