// SPDX-License-Identifier: MIT
// The work of a table of distances on one thread, by blockfw and by RoutingKit's contraction hierarchy (CH): how many
// relaxes and arcs, how long each takes, and the limits of the machine beside them.
//
//   OMP_NUM_THREADS=1 peer-network-work [--table N] [--runs N] GRAPH...
//
// A table has N random sources and as many targets (2000), and no more than the graph has vertices. A GRAPH is a file
// that blockfw reads, or one that networks.hpp generates. Times are the least of some runs (5), in seconds of the
// processor: other programs disturb them less. Without RoutingKit's sources its lines are left out. With
// BLOCKFW_VECTORS=avx2 blockfw takes shorter vectors.
//
// Every product of rows counts its relaxes here, so this program has blockfw in headers alone. Other runs also read a
// clock for each product: these give the part of a table's time that products take.

#include <Kokkos_Core.hpp>
#include <blockfw/detail/elimination/row_products.hpp>
#include <blockfw/ground/semiring.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>

namespace {

using Host = Kokkos::DefaultHostExecutionSpace;
using Shortest = blockfw::MinPlus<std::int32_t>;

/// Ticks of the fastest clock.
inline std::uint64_t ticks() {
#if defined(__x86_64__)
  return __builtin_ia32_rdtsc();
#else
  return std::uint64_t(std::chrono::steady_clock::now().time_since_epoch().count());
#endif
}

/// Relaxes of one kind, and their time if it is taken.
struct Products {
  std::uint64_t relaxes = 0, ticks = 0;
};
Products of_tiles, of_labels;
bool with_times = false;

/// A product that counts itself.
class Counted {
 public:
  Counted(Products& kind, std::size_t relaxes) : kind_(kind), begin_(with_times ? ticks() : 0) {
    kind.relaxes += relaxes;
  }
  ~Counted() {
    if (with_times) kind_.ticks += ticks() - begin_;
  }
  Counted(const Counted&) = delete;
  Counted& operator=(const Counted&) = delete;

 private:
  Products& kind_;
  std::uint64_t begin_;
};

/// The same semiring by another name, whose products do not count themselves.
struct Uncounted : Shortest {};

}  // namespace

template <>
class blockfw::detail::RowProducts<Shortest> : public RowProducts<Uncounted> {
  using Base = RowProducts<Uncounted>;
  using T = std::int32_t;

 public:
  template <Side A>
  static void relax(std::size_t rows, std::size_t depth, const T* a, std::size_t lda, std::size_t step,
                    const T* const* x, T* y, std::size_t stride, std::size_t length, bool fresh) {
    const Counted counted(of_labels, rows * depth * length);
    Base::relax<A>(rows, depth, a, lda, step, x, y, stride, length, fresh);
  }
  static void relax_tile(std::size_t depth, const std::uint32_t* start, const T* a, const T* x, T* y,
                         std::size_t stride) {
    const Counted counted(of_tiles, depth * tile_rows * tile_columns);
    Base::relax_tile(depth, start, a, x, y, stride);
  }
  template <Side A>
  static void combine_rows(std::size_t rows, const T* a, const T* x, std::size_t stride, T* y, std::size_t length) {
    const Counted counted(of_labels, rows * length);
    Base::combine_rows<A>(rows, a, x, stride, y, length);
  }
};

#include <blockfw/kokkos_runtime.hpp>
#include <blockfw/network.hpp>
#include "../limit.hpp"
#include "../networks.hpp"
#include "network_peers.hpp"

#include <sys/resource.h>

#include <algorithm>
#include <cstdio>
#include <exception>
#include <fstream>
#include <limits>
#include <numeric>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace {

using Table = blockfw::DistanceMatrix<std::int32_t, Host>;
using bench::index, bench::random_vertices;

int runs = 5;

/// A table with a column for each network. Its rows are found by their order.
class Report {
 public:
  void begin_column(const std::string& name) {
    names_.push_back(name);
    next_ = 0;
  }
  void add(const std::string& what, double value) {
    if (next_ == rows_.size()) rows_.push_back({what, {}});
    rows_[next_++].values.push_back(value);
  }
  void print() const {
    std::printf("|  |");
    for (const std::string& name : names_) std::printf(" %s |", name.c_str());
    std::printf("\n| --- |");
    for (std::size_t c = 0; c < names_.size(); ++c) std::printf(" ---: |");
    std::printf("\n");
    for (const Row& row : rows_) {
      std::printf("| %s |", row.what.c_str());
      for (const double value : row.values) std::printf(value < 1000 ? " %.3g |" : " %.0f |", value);
      std::printf("\n");
    }
  }

 private:
  struct Row {
    std::string what;
    std::vector<double> values;
  };
  std::vector<std::string> names_;
  std::vector<Row> rows_;
  std::size_t next_ = 0;
};

void hide(auto& value) { __asm__ volatile("" : "+r"(value)); }

// The machine.

/// Additions that wait for each other, one each cycle.
double cycles_a_second() {
  constexpr int steps = 5'000'000;
  const auto add = [] {
    std::uint64_t x = 0;
    for (int k = 0; k < steps; ++k) {
      ++x;
      hide(x);
    }
  };
  return steps / seconds_of(8 * runs, add);
}

/// Seconds of a read at random: each waits for the one before it, or none does.
struct Reads {
  double dependent, independent;
};
Reads random_reads(std::size_t bytes) {
  constexpr int steps = 2'000'000;
  const std::size_t count = bytes / sizeof(std::uint32_t);
  std::vector<std::uint32_t> ring(count), places(1 << 16);  // ring: one cycle through all (Sattolo)
  std::iota(ring.begin(), ring.end(), 0u);
  std::uint64_t state = 1;
  for (std::size_t k = count - 1; k > 0; --k) std::swap(ring[k], ring[bench::splitmix(state) % k]);
  for (std::uint32_t& place : places) place = std::uint32_t(bench::splitmix(state) % count);
  const double dependent = seconds_of(runs, [&] {
    std::uint32_t at = 0;
    for (int k = 0; k < steps; ++k) at = ring[at];
    hide(at);
  });
  const double independent = seconds_of(runs, [&] {
    std::uint32_t sum = 0;
    for (int k = 0; k < steps; ++k) sum += ring[places[std::size_t(k) % places.size()]];
    hide(sum);
  });
  return {dependent / steps, independent / steps};
}

/// Seconds of a branch that the processor cannot predict, over one that it can.
double unpredicted_branch() {
  constexpr std::size_t count = 1 << 20;
  std::vector<std::uint8_t> random(count), same(count, 1);
  std::uint64_t state = 1;
  for (std::uint8_t& bit : random) bit = bench::splitmix(state) & 1;
  const auto seconds = [&](const std::vector<std::uint8_t>& bits) {
    return seconds_of(runs, [&] {
      std::uint32_t taken = 0, other = 0;
      for (const std::uint8_t bit : bits) {
        if (bit) {
          ++taken;
          hide(taken);
        } else {
          ++other;
          hide(other);
        }
      }
    });
  };
  return 2 * (seconds(random) - seconds(same)) / count;  // (every other one is predicted, by chance)
}

std::string first_line(const std::string& path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  return line.empty() ? "unknown" : line;
}

struct Machine {
  double limit, cycles;
};

Machine measure_machine(const Host& exec) {
  const Machine machine{blockfw::measure_limit<std::int32_t>(exec), cycles_a_second()};
  std::printf(
      "%.3g G cycles/s (of additions that wait for each other); limit of add and min: %.3g G relaxes/s, %.3g a cycle\n",
      1e-9 * machine.cycles, 1e-9 * machine.limit, machine.limit / machine.cycles);
  std::printf("a branch that is not predicted: %.3g ns; random reads, ns, each after another; many at once:",
              1e9 * unpredicted_branch());
  for (const std::size_t kib : {16, 256, 1024, 4096, 16384, 65536}) {
    const Reads reads = random_reads(kib * 1024);
    std::printf("%s %zu KiB %.3g; %.2g", kib == 16 ? "" : ",", kib, 1e9 * reads.dependent, 1e9 * reads.independent);
  }
  std::printf("\ncaches:");
  for (const char* const which : {"0", "2", "3"}) {  // (1: of instructions)
    const std::string cache = std::string("/sys/devices/system/cpu/cpu0/cache/index") + which + "/";
    std::printf(" level %s %s,", first_line(cache + "level").c_str(), first_line(cache + "size").c_str());
  }
  std::printf(" large pages: %s\n", first_line("/sys/kernel/mm/transparent_hugepage/enabled").c_str());
  return machine;
}

// A network.

Graph graph_of(const std::string& name) {
  const bench::Network network = bench::network_of(name);
  Graph graph;
  graph.name = network.name;
  graph.n = std::int32_t(network.n);
  for (const bench::Arc& arc : network.arcs) {
    graph.from.push_back(arc.from), graph.to.push_back(arc.to);
    graph.weight.push_back(std::int32_t(arc.weight));
  }
  return graph;
}

std::uint64_t sum_of(const Table& d) {
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < d.extent(0); ++i)
    for (std::size_t j = 0; j < d.extent(1); ++j)
      if (d(i, j) < unreached) sum += std::uint64_t(d(i, j));
  return sum;
}

long page_faults() {
  rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_minflt;
}

/// Writes rows as a table does: numbers of a row in a cache, in any order, to memory past the caches.
double seconds_of_writing(const Table& d) {
  const std::size_t count = d.extent(1);
  Ints numbers(count, 1), places = random_vertices(7, std::int64_t(count), int(count)), row(count);
  const Table written("written", d.extent(0), count);
  return seconds_of(runs, [&] {
    for (std::size_t r = 0; r < d.extent(0); ++r) {
      for (std::size_t c = 0; c < count; ++c) row[c] = numbers[index(places[c])];
      blockfw::detail::copy_past_cache(row.data(), &written(r, 0), count);
    }
  });
}

struct TableWork {
  double seconds, relaxes;
  std::uint64_t sum;
};

TableWork measure_blockfw(const Host& exec, const Machine& machine, const Graph& graph, const Ints& sources,
                          const Ints& targets, Report& report) {
  std::vector<blockfw::Edge<std::int32_t>> edges;
  for (std::size_t a = 0; a < graph.from.size(); ++a) edges.push_back({graph.from[a], graph.to[a], graph.weight[a]});
  const double begin = processor_seconds();
  const blockfw::Network<Shortest> network(exec, graph.n, edges);
  const double prepared = processor_seconds() - begin;
  const Table d("table", sources.size(), targets.size()), row("row", 1, targets.size()),
      column("column", sources.size(), 1);
  const auto make = [&] { network.table(sources, targets, d); };
  make();  // (touches the table)
  of_tiles = of_labels = {};
  make();
  const Products tiles = of_tiles, labels = of_labels;
  const double seconds = seconds_of(4 * runs, make);
  const long faults_before = page_faults();
  make();
  const long faults = page_faults() - faults_before;
  const double seconds_of_labels = seconds_of(runs, [&] { network.table(Ints{sources[0]}, targets, row); }) +
                                   seconds_of(runs, [&] { network.table(sources, Ints{targets[0]}, column); });
  of_tiles = of_labels = {};
  with_times = true;
  const std::uint64_t begun = ticks();
  for (int run = 0; run < 4 * runs; ++run) make();
  const double all_ticks = double(ticks() - begun);  // (other programs take their share of the parts, too)
  with_times = false;
  const double in_tiles = seconds * double(of_tiles.ticks) / all_ticks,
               in_labels = seconds * double(of_labels.ticks) / all_ticks;
  const double pairs = double(sources.size()) * double(targets.size());
  report.add("vertices", double(graph.n));
  report.add("blockfw: preparation, ms", 1e3 * prepared);
  report.add("blockfw: table, ms", 1e3 * seconds);
  report.add("relaxes of products of labels, for a pair", double(tiles.relaxes) / pairs);
  report.add("time in these, ms", 1e3 * in_tiles);
  report.add("rate there, G relaxes/s", 1e-9 * double(tiles.relaxes) / in_tiles);
  report.add("of the limit, %", 100 * double(tiles.relaxes) / in_tiles / machine.limit);
  report.add("relaxes that make labels, for a pair", double(labels.relaxes) / pairs);
  report.add("time in these, ms", 1e3 * in_labels);
  report.add("labels in all (tables of a row, of a column), ms", 1e3 * seconds_of_labels);
  report.add("the rest (bounds, writing), ms", 1e3 * (seconds - seconds_of_labels - in_tiles));
  report.add("such a table written alone, ms", 1e3 * seconds_of_writing(d));
  report.add("page faults of a table", double(faults));
  report.add("all relaxes in all the time, G/s", 1e-9 * double(tiles.relaxes + labels.relaxes) / seconds);
  report.add("of the limit, %", 100 * double(tiles.relaxes + labels.relaxes) / seconds / machine.limit);
  return {seconds, double(tiles.relaxes + labels.relaxes), sum_of(d)};
}

void measure(const Host& exec, const Machine& machine, const std::string& name, int size, Report& report) {
  const Graph graph = graph_of(name);
  const int count = std::min(size, graph.n);
  const Ints sources = random_vertices(1, graph.n, count), targets = random_vertices(2, graph.n, count);
  report.begin_column(name);
  const TableWork ours = measure_blockfw(exec, machine, graph, sources, targets, report);
#ifdef WITH_ROUTINGKIT
  double prepared = 0;
  const HierarchyWork work = work_of_routingkit_program(graph, sources, targets, runs, prepared);
  if (work.sum != ours.sum)
    throw std::runtime_error(name + ": the distances add up to " + std::to_string(ours.sum) + " by blockfw and " +
                             std::to_string(work.sum) + " by CH");
  const double pairs = double(count) * double(count), of_all = (work.searched + double(work.swept)) * double(count);
  const double arcs = double(work.swept);
  report.add("CH: preparation, ms", 1e3 * prepared);
  report.add("CH: table, ms", 1e3 * work.table);
  report.add("a search: vertices settled", work.settled);
  report.add("arcs", work.searched);
  report.add("us", 1e6 * work.search);
  report.add("ns for a settled vertex", 1e9 * work.search / work.settled);
  report.add("cycles for a settled vertex", machine.cycles * work.search / work.settled);
  report.add("a sweep: vertices", double(work.vertices));
  report.add("arcs", arcs);
  report.add("KiB of arcs and distances", (8 * arcs + 8 * double(work.vertices)) / 1024);
  report.add("KiB of the hierarchy, one direction", (4 * double(work.arcs) + 16 * double(graph.n)) / 1024);
  report.add("us", 1e6 * work.sweep);
  report.add("ns for an arc", 1e9 * work.sweep / arcs);
  report.add("cycles for an arc", machine.cycles * work.sweep / arcs);
  report.add("ns, arcs in the order of the sweep", 1e9 * work.compact / arcs);
  report.add("ns, also without branches by distances", 1e9 * work.without_arcs / arcs);
  report.add("ns, also no arc waits for one before it", 1e9 * work.apart / arcs);
  report.add("pinning, once for all targets, ms", 1e3 * work.pin);
  report.add("arcs for a pair", of_all / pairs);
  report.add("CH's time over blockfw's", work.table / ours.seconds);
  report.add("that is: CH's arcs over blockfw's relaxes", of_all / ours.relaxes);
  report.add("times: an arc's time over a relax's", work.table / of_all * ours.relaxes / ours.seconds);
#else
  (void)ours;
#endif
}

}  // namespace

int main(int argc, char** argv) {
  try {
    int size = 2000;
    std::vector<std::string> graphs;
    for (int a = 1; a < argc; ++a) {
      const std::string word = argv[a];
      if ((word == "--table" || word == "--runs") && a + 1 < argc)
        (word == "--table" ? size : runs) = std::max(1, std::stoi(argv[++a]));
      else
        graphs.push_back(word);
    }
    blockfw::start_kokkos();
    const Host exec;
    if (exec.concurrency() != 1) throw std::runtime_error("expected OMP_NUM_THREADS=1");
    if (graphs.empty()) throw std::runtime_error("expected [--table N] [--runs N] GRAPH...");
    const Machine machine = measure_machine(exec);
    std::printf("tables of %d x %d, or of all vertices if there are fewer; one thread:\n\n", size, size);
    Report report;
    for (const std::string& graph : graphs) measure(exec, machine, graph, size, report);
    report.print();
  } catch (const std::exception& error) {
    std::fprintf(stderr, "peer-network-work: %s\n", error.what());
    return 1;
  }
  return 0;
}
