// SPDX-License-Identifier: MIT
// Boost's Floyd-Warshall at its fastest: vertices that are numbers, and distances that are rows of one array.
#include "measure.hpp"

#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/floyd_warshall_shortest.hpp>

namespace {

constexpr int no_path = std::numeric_limits<int>::max() / 2;

using Graph = boost::adjacency_list<boost::vecS, boost::vecS, boost::directedS, boost::no_property,
                                    boost::property<boost::edge_weight_t, int>>;

Graph graph_of(const Matrix& matrix) {
  Graph graph(matrix.n);
  for (std::size_t i = 0; i < matrix.n; ++i)
    for (std::size_t j = 0; j < matrix.n; ++j)
      if (const int weight = matrix.entries[i * matrix.n + j]; i != j && weight != no_path)
        boost::add_edge(i, j, weight, graph);
  return graph;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 5) return 2;
  const Matrix matrix = read_matrix(argv[1]);
  const Graph graph = graph_of(matrix);
  std::vector<int> entries(matrix.entries.size());
  std::vector<int*> d;
  for (std::size_t i = 0; i < matrix.n; ++i) d.push_back(entries.data() + i * matrix.n);
  measure(
      argv, [] {},
      [&] { boost::floyd_warshall_all_pairs_shortest_paths(graph, d, boost::distance_inf(no_path).distance_zero(0)); });
  write_matrix(argv[2], entries.data(), entries.size());
}
