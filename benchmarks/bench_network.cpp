// SPDX-License-Identifier: MIT
// A network and its questions: preparation, new and changed weights, one distance, pairs, tables, nearest places,
// reach, tables of 24 sets of weights.
//
//   bench-network [--order auto|FILE] [--tables N,N,...] [--runs N] [--turns] [--second] [--write FILE] GRAPH...
//
// A GRAPH is a file that blockfw reads (DIMACS .gr and others), or one of those that networks.hpp generates. The order
// may be a file with the vertices, from 0, in the order of elimination. --write writes the graph as DIMACS for other
// programs, and measures nothing. --turns measures networks of the same roads with turns in place of the other
// questions, and --second tables of second weights.
//
// Sources and targets are random: number i of the sources is splitmix64's number i from state 1 on, modulo n; of the
// targets, from state 2 on. Other programs can make the same ones, and compare the sums that are printed. Seconds are
// the least of three runs, or of --runs.

#include <Kokkos_Core.hpp>
#include <blockfw/kokkos_runtime.hpp>
#include <blockfw/network.hpp>
#include <blockfw/second_weights.hpp>
#include <blockfw/turns.hpp>
#include <blockfw/weight_sets.hpp>
#include "networks.hpp"

#include <sys/resource.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <exception>
#include <fstream>
#include <limits>
#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace {

using Host = Kokkos::DefaultHostExecutionSpace;
using Edge = blockfw::Edge<std::int32_t>;
using Vertices = std::vector<std::int32_t>;
using bench::random_vertices, bench::splitmix;

int runs = 3;

double seconds_of(const auto& call) {
  double best = std::numeric_limits<double>::infinity();
  for (int run = 0; run < runs; ++run) {
    const Kokkos::Timer timer;
    call();
    best = std::min(best, timer.seconds());
  }
  return best;
}

double gigabytes_so_far() {
  rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1e6;
}

void print(const char* what, double value, const char* unit) { std::printf("  %-44s %12.6g %s\n", what, value, unit); }

/// Tables of random sources and targets.
void measure_tables(std::int64_t n, const std::vector<int>& counts, const auto& network) {
  for (const int count : counts) {
    const Vertices rows = random_vertices(1, n, count), columns = random_vertices(2, n, count);
    const blockfw::DistanceMatrix<std::int32_t, Host> d("table", std::size_t(count), std::size_t(count));
    const double seconds = seconds_of([&] { network.table(rows, columns, d); });
    std::uint64_t sum = 0;
    for (std::size_t i = 0; i < d.extent(0); ++i)
      for (std::size_t j = 0; j < d.extent(1); ++j)
        sum += d(i, j) < blockfw::infinity<std::int32_t> ? std::uint64_t(d(i, j)) : 0;
    std::printf("  table %d x %d %s %12.6g s, sum %llu\n", count, count, "                          ", seconds,
                static_cast<unsigned long long>(sum));
  }
}

/// Tables of 24 sets of weights: set by set, and together. (By the hour each edge takes up to twice as long.)
void measure_sets(std::int64_t n, const std::vector<int>& counts, const auto& network) {
  constexpr int sets = 24;
  const auto& edges = network.edges();
  const blockfw::DistanceMatrix<std::int32_t, Host> weights("weights", sets, edges.size());
  std::uint64_t state = 5;
  for (std::size_t e = 0; e < edges.size(); ++e)
    for (int h = 0; h < sets; ++h)
      weights(h, e) = edges[e].weight + static_cast<std::int32_t>(splitmix(state) % std::uint64_t(edges[e].weight + 1));
  const auto of_set = [&](int h) { return std::vector(&weights(h, 0), &weights(h, 0) + edges.size()); };
  const double apart_alone = seconds_of([&] {
    for (int h = 0; h < sets; ++h) (void)network.with_weights(of_set(h));
  });
  print("24 sets of weights, set by set", 1e3 * apart_alone, "ms");
  print("24 sets of weights, together", 1e3 * seconds_of([&] { (void)blockfw::WeightSets(network, weights); }), "ms");
  for (const int count : counts) {
    const Vertices rows = random_vertices(1, n, count), columns = random_vertices(2, n, count);
    const auto size = std::size_t(count);
    const std::string what = "24 tables " + std::to_string(count) + " x " + std::to_string(count);
    const Kokkos::View<std::int32_t***, Kokkos::LayoutRight, Kokkos::HostSpace> apart("tables", sets, size, size),
        together("tables", sets, size, size);
    const double seconds_apart = seconds_of([&] {
      for (int h = 0; h < sets; ++h) {
        const blockfw::DistanceMatrix<std::int32_t, Host> d(apart.data() + std::size_t(h) * size * size, size, size);
        network.with_weights(of_set(h)).table(rows, columns, d);
      }
    });
    print((what + ", set by set").c_str(), 1e3 * seconds_apart, "ms");
    const double seconds_together =
        seconds_of([&] { blockfw::WeightSets(network, weights).table(rows, columns, together); });
    print((what + ", together").c_str(), 1e3 * seconds_together, "ms");
    if (!std::equal(apart.data(), apart.data() + apart.size(), together.data()))
      throw std::runtime_error("tables of sets of weights differ");
  }
}

/// A graph of the benchmarks, without the copies that its own type takes.
std::pair<std::int64_t, std::vector<Edge>> edges_of(const std::string& name) {
  bench::Network network = bench::network_of(name);
  std::vector<Edge> edges;
  edges.reserve(network.arcs.size());
  for (const bench::Arc& arc : network.arcs) edges.push_back({arc.from, arc.to, static_cast<std::int32_t>(arc.weight)});
  return {network.n, std::move(edges)};
}

void write_dimacs(const std::string& name, const std::string& path) {
  const auto [n, edges] = edges_of(name);
  std::ofstream file(path);
  file << "p sp " << n << ' ' << edges.size() << '\n';
  for (const Edge& edge : edges) file << "a " << edge.from + 1 << ' ' << edge.to + 1 << ' ' << edge.weight << '\n';
  if (!file.flush()) throw std::runtime_error(path + ": could not be written");
}

Vertices order_of(const std::string& order) {
  if (order == "auto") return {};
  std::ifstream file(order);
  Vertices list;
  for (std::int32_t v = 0; file >> v;) list.push_back(v);
  if (list.empty()) throw std::runtime_error(order + ": no order of elimination");
  return list;
}

void measure(const std::string& name, const std::string& order, const std::vector<int>& tables) {
  const Host exec;
  const auto [n, edges] = edges_of(name);
  std::printf("%s: %lld vertices, %zu arcs; %d threads\n", name.c_str(), static_cast<long long>(n), edges.size(),
              exec.concurrency());
  Kokkos::Timer timer;
  const blockfw::NetworkOptions options{.order = order_of(order)};
  if (order != "auto") print("order", timer.seconds(), "s");
  const double before = gigabytes_so_far();
  timer.reset();
  blockfw::Network<blockfw::MinPlus<std::int32_t>> network(exec, n, edges, options);
  print("preparation", timer.seconds(), "s");
  print("most memory so far, and before", gigabytes_so_far(), "GB");
  print("", before, "GB");
  print("factor's relaxes", network.analysis().factor_relaxes(), "");
  print("factor's elements", network.analysis().factor_elements(), "");
  Vertices weights;
  for (const Edge& edge : edges) weights.push_back(edge.weight);
  print("new weights", 1e3 * seconds_of([&] { (void)network.with_weights(weights); }), "ms");
  {
    auto changed = network;
    const std::vector<Edge> one = {edges[edges.size() / 2]};
    changed.change(one);
    print("one changed weight, in place", 1e3 * seconds_of([&] { changed.change(one); }), "ms");
  }
  const bool huge = n > 4'000'000;  // (fewer calls, as each takes longer)
  const int pairs = huge ? 1000 : 20000;
  const Vertices from = random_vertices(1, n, pairs), to = random_vertices(2, n, pairs);
  std::uint64_t sum = 0;
  const auto add = [&](std::int32_t d) { sum += d < blockfw::infinity<std::int32_t> ? std::uint64_t(d) : 0; };
  const auto one_by_one = [&](const char* what, const auto& of) {
    print(what, 1e6 / pairs * seconds_of([&] {
                  sum = 0;
                  for (int p = 0; p < pairs; ++p) add(of.distance(from[std::size_t(p)], to[std::size_t(p)]));
                }),
          "us");
    std::printf("  sum of %d distances %llu\n", pairs, static_cast<unsigned long long>(sum));
  };
  one_by_one("one distance", network);
  for (const int many : {10 * pairs, 50 * pairs}) {
    const Vertices sources = random_vertices(1, n, many), targets = random_vertices(2, n, many);
    print((std::to_string(many) + " pairs, a thread").c_str(),
          many / seconds_of([&] { (void)network.distances(sources, targets); }) / exec.concurrency(), "/s");
  }
  const int some = huge ? 4 : 200;
  const auto paths = [&](const char* what, const auto& of) {
    print(what,
          1e6 / some * seconds_of([&] {
            (void)of.paths(std::vector(from.begin(), from.begin() + some), std::vector(to.begin(), to.begin() + some));
          }),
          "us");
  };
  paths("a path", network);
  auto with_labels = network;
  for (const double memory : {5e7, 1e8, 2e8, network.label_bytes()}) {
    const bool all = memory == network.label_bytes();
    if (memory > std::min(4e9, network.label_bytes())) continue;
    with_labels.keep_labels(0);
    timer.reset();
    with_labels.keep_labels(memory);
    print(all ? "labels of all vertices" : "labels of the top of the tree", 1e3 * timer.seconds(), "ms");
    print(all ? "" : "within", memory / 1e6, "MB");
    one_by_one("one distance, labels kept", with_labels);
    paths("a path, labels kept", with_labels);
  }
  const Vertices places = random_vertices(3, n, 50);
  print("nearest of 50 places, for all vertices", 1e3 * seconds_of([&] { (void)network.nearest(places); }), "ms");
  const Vertices centres = random_vertices(4, n, 100);
  std::size_t found = 0;
  const double within = seconds_of([&] { found = network.within(centres, 3000).vertices.size(); });
  std::printf("  %-44s %12.6g us for each of %zu vertices\n", "within 3000 of 100 vertices",
              1e6 * within / double(found), found);
  measure_tables(n, tables, network);
  if (24 * sizeof(std::int32_t) * network.analysis().factor_elements() < 8e9) measure_sets(n, {200, 2000}, network);
  print("most memory", gigabytes_so_far(), "GB");
}

/// The roads without turns, with some turns that are forbidden, and by each rule for U-turns.
void measure_turns(const std::string& name, const std::vector<int>& tables) {
  using blockfw::UTurns;
  const Host exec;
  const auto [n, edges] = edges_of(name);
  std::printf("%s: %lld vertices, %zu arcs; %d threads\n", name.c_str(), static_cast<long long>(n), edges.size(),
              exec.concurrency());
  std::vector<std::int32_t> leaving(std::size_t(n), blockfw::no_vertex);  // of each vertex, a road that begins there
  for (std::size_t e = 0; e < edges.size(); ++e) leaving[std::size_t(edges[e].from)] = static_cast<std::int32_t>(e);
  std::vector<blockfw::Turn<std::int32_t>> none, tenth;
  for (std::size_t e = 0; e < edges.size(); e += 10)
    if (const std::int32_t to = leaving[std::size_t(edges[e].to)]; to != blockfw::no_vertex)
      tenth.push_back({static_cast<std::int32_t>(e), to, blockfw::infinity<std::int32_t>});
  const struct {
    const char* name;
    const std::vector<blockfw::Turn<std::int32_t>>& turns;
    UTurns rule;
  } cases[] = {{"no turns", none, UTurns::allowed},
               {"a turn of each tenth road forbidden", tenth, UTurns::allowed},
               {"U-turns at dead ends only", none, UTurns::dead_ends},
               {"U-turns forbidden", none, UTurns::forbidden},
               {"both", tenth, UTurns::dead_ends}};
  for (const auto& one : cases) {
    std::printf(" %s\n", one.name);
    const Kokkos::Timer timer;
    const auto roads = blockfw::by_roads(exec, n, edges, one.turns, {.u_turns = one.rule});
    print("preparation", timer.seconds(), "s");
    print("vertices of the network", static_cast<double>(roads.network().vertices()), "");
    print("its arcs", static_cast<double>(roads.network().edges().size()), "");
    print("factor's relaxes", roads.network().analysis().factor_relaxes(), "");
    print("factor's elements", roads.network().analysis().factor_elements(), "");
    measure_tables(n, tables, roads);
  }
}

/// Tables of second sums beside those of distances: packed weights, and weights that are not.
void measure_second(const std::string& name, const std::vector<int>& tables) {
  const Host exec;
  const auto [n, edges] = edges_of(name);
  std::printf("%s: %lld vertices, %zu arcs; %d threads\n", name.c_str(), static_cast<long long>(n), edges.size(),
              exec.concurrency());
  std::vector<blockfw::Edge<double>> tenths;  // of which the sums round
  std::vector<std::int64_t> small, large;
  std::vector<double> reals;
  std::uint64_t state = 5;
  for (const Edge& edge : edges) {
    tenths.push_back({edge.from, edge.to, 0.1 * edge.weight});
    small.push_back(static_cast<std::int64_t>(splitmix(state) % 1000));
    large.push_back(small.back() << 22);
    reals.push_back(0.1 * static_cast<double>(small.back()));
  }
  const auto measure_tables_of = [&tables, vertices = n](const char* what, const auto& make) {
    std::printf(" %s\n", what);
    const Kokkos::Timer timer;
    const auto network = make();
    print("preparation", timer.seconds(), "s");
    for (const int count : tables) {
      const Vertices rows = random_vertices(1, vertices, count), columns = random_vertices(2, vertices, count);
      print(("table " + std::to_string(count) + " x " + std::to_string(count)).c_str(),
            seconds_of([&] { (void)network.table(rows, columns); }), "s");
    }
  };
  const blockfw::Network integers(exec, n, edges);
  const blockfw::Network doubles(exec, n, tenths);
  measure_tables_of("distances, int32", [&] { return integers; });
  measure_tables_of("distances, double", [&] { return doubles; });
  measure_tables_of("int32 and integers, packed", [&] { return blockfw::SecondWeights(integers, small); });
  measure_tables_of("int32 and larger integers", [&] { return blockfw::SecondWeights(integers, large); });
  measure_tables_of("int32 and doubles", [&] { return blockfw::SecondWeights(integers, reals); });
  measure_tables_of("doubles and doubles", [&] { return blockfw::SecondWeights(doubles, reals); });
}

}  // namespace

int main(int argc, char** argv) {
  try {
    std::setvbuf(stdout, nullptr, _IOLBF, 0);  // (a line at a time, also into a file)
    blockfw::start_kokkos();
    std::string order = "auto", write;
    std::vector<int> tables = {2000, 10000};
    bool turns = false, second = false;
    for (int a = 1; a < argc; ++a) {
      const std::string word = argv[a];
      const bool is_option = word == "--order" || word == "--tables" || word == "--write" || word == "--runs";
      if (is_option && a + 1 == argc) throw std::runtime_error(word + ": expected a value");
      if (word == "--order") {
        order = argv[++a];
      } else if (word == "--runs") {
        runs = std::stoi(argv[++a]);
      } else if (word == "--write") {
        write = argv[++a];
      } else if (word == "--tables") {
        tables.clear();
        std::stringstream list(argv[++a]);
        for (std::string one; std::getline(list, one, ',');) tables.push_back(std::stoi(one));
      } else if (word == "--turns") {
        turns = true;
      } else if (word == "--second") {
        second = true;
      } else if (!write.empty()) {
        write_dimacs(word, write);
      } else if (turns) {
        measure_turns(word, tables);
      } else if (second) {
        measure_second(word, tables);
      } else {
        measure(word, order, tables);
      }
    }
  } catch (const std::exception& error) {
    std::fprintf(stderr, "bench-network: %s\n", error.what());
    return 1;
  }
  return 0;
}
