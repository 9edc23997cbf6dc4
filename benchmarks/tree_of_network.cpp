// SPDX-License-Identifier: MIT
// The tree of an elimination: what a network's factor, its questions and its parts on ranks would take.
//
//   bench-tree [--order auto|metis] [--purpose tables|all-pairs] [--parts P,P,...] [--times] [--reach] GRAPH...
//
// A GRAPH is one of those that networks.hpp generates, or a file that blockfw reads. The order `metis` is there if
// METIS was found when blockfw was configured. Each line of the output is a row of CSV; benchmarks/beyond reads them:
//
//   height, mean_path   vertices on a path of the tree: of the longest path, and of all vertices' paths in the mean
//   elements            of a factor, both directions; so the relaxes of a factor, and of the sweeps of all vertices
//   tree_seconds        of the supernodes, after the order; order_seconds, of the order
//   gigabytes           the most memory of the process so far; before_gigabytes, before the order is looked for
//   parts               P: a region is a largest subtree that has at most 1/P of the vertices; separators are all
//                       supernodes above regions. P = 1: the whole tree is a region
//   regions, boundary   the number of regions, and the vertices of the largest boundary of a region
//   boundaries, sent    the sum of all regions' boundaries, and of their squares: the elements of the regions' updates
//   separator_...       vertices, elements and relaxes of the separators, and the path above a region, the mean of all
//                       vertices of regions
//
// With --times a Network is made, and four columns more are not empty: the most memory when it is made, seconds of its
// making, of new weights, of a table 10,000 x 10,000 of random sources and targets. With --reach there are the seconds
// of reach(), all eccentricities, too. New weights and the table are the least of three; the table is in touched
// memory. All seconds are processor time, so that other programs matter less: call it with OMP_NUM_THREADS=1.

#include <Kokkos_Core.hpp>
#include <blockfw/detail/graph/elimination_order.hpp>
#include <blockfw/detail/graph/neighbours.hpp>
#include <blockfw/detail/graph/supernodes.hpp>
#include <blockfw/kokkos_runtime.hpp>
#include <blockfw/network.hpp>
#include "networks.hpp"

#include <sys/resource.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <ctime>
#include <exception>
#include <limits>
#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace {

namespace detail = blockfw::detail;
using Host = Kokkos::DefaultHostExecutionSpace;
using Edge = blockfw::Edge<std::int32_t>;
using Vertices = std::vector<std::int32_t>;

struct Options {
  std::string order = "auto";
  blockfw::Purpose purpose = blockfw::Purpose::tables;
  std::vector<std::int64_t> parts = {1};
  bool times = false, reach = false;
};

double gigabytes_so_far() {
  rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1e6;
}

/// The result of the call, and its processor seconds.
auto timed(const auto& call) {
  const std::clock_t start = std::clock();
  auto result = call();
  return std::pair{std::move(result), static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC};
}

double least_of_three(const auto& call) {
  double least = std::numeric_limits<double>::infinity();
  for (int run = 0; run < 3; ++run) least = std::min(least, timed(call).second);
  return least;
}

/// A graph's neighbours, without the arcs, which take more memory; and the edges, if times are measured.
struct Graph {
  std::int64_t n;
  std::size_t count;  ///< of edges, both directions together
  detail::Neighbours neighbours;
  std::vector<Edge> edges;
};

Graph graph_of(const std::string& name, bool with_edges) {
  const bench::Network network = bench::network_of(name);
  const std::size_t arcs = network.arcs.size();
  Graph graph{network.n, network.symmetric ? arcs / 2 : arcs, detail::neighbours_of(network.n, network.arcs), {}};
  if (with_edges) {
    graph.edges.reserve(arcs);
    for (const bench::Arc& arc : network.arcs)
      graph.edges.push_back({arc.from, arc.to, static_cast<std::int32_t>(arc.weight)});
  }
  return graph;
}

Vertices order_of(const detail::Neighbours& neighbours, const std::string& order) {
  if (order == "auto") return *detail::minimum_degree_order(neighbours);
#ifdef WITH_METIS
  if (order == "metis") return detail::metis_order_of(neighbours);
#endif
  throw std::runtime_error(order + ": no such order in this program");
}

/// Sums over supernodes.
struct Sums {
  double vertices = 0, elements = 0, factor_relaxes = 0, solve_relaxes = 0, widest = 0, path = 0;

  void add(const detail::Supernode& node, double n) {
    const double w = node.width(), b = static_cast<double>(node.boundary.size());
    vertices += w;
    elements += 2 * w * (w + b);
    factor_relaxes += w * (w + b) * (w + b);
    solve_relaxes += n * w * b + w * (w + b + 1) * static_cast<double>(node.below);
    widest = std::max(widest, w);
    path += w * node.path_length();
  }
};

struct Regions {
  std::size_t count = 0;
  double boundary = 0, boundaries = 0, sent = 0, path = 0, vertices = 0;
  Sums separators;
};

Regions regions_of(const detail::Elimination& tree, double n, std::int64_t parts) {
  const double most = n / static_cast<double>(parts);
  Regions regions;
  for (const detail::Supernode& node : tree.supernodes) {
    if (static_cast<double>(node.below) > most) {
      regions.separators.add(node, n);
    } else if (node.parent < 0 ||
               static_cast<double>(tree.supernodes[static_cast<std::size_t>(node.parent)].below) > most) {
      const double b = static_cast<double>(node.boundary.size()), vertices = static_cast<double>(node.below);
      ++regions.count;
      regions.boundary = std::max(regions.boundary, b);
      regions.boundaries += b;
      regions.sent += b * b;
      regions.vertices += vertices;
      regions.path += vertices * node.depth;
    }
  }
  return regions;
}

/// Columns of the times, or empty ones.
std::string times_of(std::int64_t n, const std::vector<Edge>& edges, Vertices&& order, const Options& options) {
  if (!options.times) return ",,,,";
  const Host exec;
  const auto [network, making] = timed(
      [&] { return blockfw::Network<blockfw::MinPlus<std::int32_t>>(exec, n, edges, {.order = std::move(order)}); });
  const double memory = gigabytes_so_far();
  Vertices weights, ends[2];
  for (const Edge& edge : edges) weights.push_back(edge.weight);
  const double renewed = least_of_three([&] { return network.with_weights(weights); });
  bench::Random random;
  for (Vertices& list : ends)
    for (int i = 0; i < 10000; ++i) list.push_back(static_cast<std::int32_t>(random.below(n)));
  const blockfw::DistanceMatrix<std::int32_t, Host> d("table", ends[0].size(), ends[1].size());
  const double table = least_of_three([&] {
    network.table(ends[0], ends[1], d);
    return 0;
  });
  std::string reach;
  if (options.reach) reach = std::to_string(timed([&] { return network.reach(); }).second);
  char text[100];
  std::snprintf(text, sizeof text, "%.3g,%.3g,%.3g,%.3g,%s", memory, making, renewed, table, reach.c_str());
  return text;
}

void measure(const std::string& name, const Options& options) {
  Graph graph = graph_of(name, options.times);
  const double before = gigabytes_so_far(), n = static_cast<double>(graph.n);
  auto [order, order_seconds] = timed([&] { return order_of(graph.neighbours, options.order); });
  std::string tree_columns;
  std::vector<Regions> regions;
  {
    const auto [tree, tree_seconds] = timed([&] {
      return detail::find_supernodes(graph.neighbours, order, options.purpose,
                                     std::numeric_limits<std::int32_t>::max());
    });
    Sums all;
    for (const detail::Supernode& node : tree.supernodes) all.add(node, n);
    char text[400];
    std::snprintf(text, sizeof text, "%s,%s,%s,%lld,%zu,%d,%.1f,%zu,%.0f,%.6g,%.6g,%.6g,%.3g,%.3g,%.3g,%.3g",
                  name.c_str(), options.order.c_str(),
                  options.purpose == blockfw::Purpose::tables ? "tables" : "all-pairs", static_cast<long long>(graph.n),
                  graph.count, tree.longest_path, all.path / n, tree.supernodes.size(), all.widest, all.elements,
                  all.factor_relaxes, all.solve_relaxes, order_seconds, tree_seconds, gigabytes_so_far(), before);
    tree_columns = text;
    for (const std::int64_t parts : options.parts) regions.push_back(regions_of(tree, n, parts));
  }
  graph.neighbours = {};
  const std::string times = times_of(graph.n, graph.edges, std::move(order), options);
  for (std::size_t i = 0; i < regions.size(); ++i) {
    const Regions& its = regions[i];
    const Sums& above = its.separators;
    std::printf("%s,%s,%lld,%zu,%.0f,%.0f,%.6g,%.0f,%.6g,%.6g,%.1f\n", tree_columns.c_str(), times.c_str(),
                static_cast<long long>(options.parts[i]), its.count, its.boundary, its.boundaries, its.sent,
                above.vertices, above.elements, above.factor_relaxes, its.vertices > 0 ? its.path / its.vertices : 0);
  }
}

}  // namespace

int main(int argc, char** argv) {
  try {
    std::setvbuf(stdout, nullptr, _IOLBF, 0);  // (a line at a time, also into a file)
    blockfw::start_kokkos();
    Options options;
    std::puts(
        "graph,order,purpose,vertices,edges,height,mean_path,supernodes,widest,elements,factor_relaxes,solve_relaxes,"
        "order_seconds,tree_seconds,gigabytes,before_gigabytes,network_gigabytes,network_seconds,weights_seconds,"
        "table_seconds,reach_seconds,parts,regions,boundary,boundaries,sent,separator_vertices,separator_elements,"
        "separator_relaxes,separator_path");
    for (int a = 1; a < argc; ++a) {
      const std::string word = argv[a];
      const bool is_option = word == "--order" || word == "--purpose" || word == "--parts";
      if (is_option && a + 1 == argc) throw std::runtime_error(word + ": expected a value");
      if (word == "--order") {
        options.order = argv[++a];
      } else if (word == "--purpose") {
        const std::string value = argv[++a];
        if (value != "tables" && value != "all-pairs") throw std::runtime_error(value + ": no such purpose");
        options.purpose = value == "tables" ? blockfw::Purpose::tables : blockfw::Purpose::all_pairs;
      } else if (word == "--parts") {
        options.parts.clear();
        std::stringstream list(argv[++a]);
        for (std::string one; std::getline(list, one, ',');) options.parts.push_back(std::stoll(one));
      } else if (word == "--times") {
        options.times = true;
      } else if (word == "--reach") {
        options.times = options.reach = true;
      } else {
        measure(word, options);
      }
    }
  } catch (const std::exception& error) {
    std::fprintf(stderr, "bench-tree: %s\n", error.what());
    return 1;
  }
  return 0;
}
