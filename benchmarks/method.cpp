// SPDX-License-Identifier: MIT
// When elimination pays: both methods of solve() on the same graphs, and whether its own choice is the faster one.
//
//   bench-method [--type int32|int64|float] [--directed] [--dense-up-to N] [--n N]... [GRAPH]...
//
// A GRAPH is one that networks.hpp reads or generates; without any, all families of N vertices each (500, 1000, 2000
// and 4000), of several mean degrees. With --directed the lengths of an edge's two directions differ. Integers in which
// the sums of a graph's lengths may overflow are replaced by int64.
//
// Prints lines of JSON: the machine, each graph, and a summary; `pays` draws them. Seconds are of whole solves, the
// best of three and of more if they are short, the methods in turn; a method that takes much longer than another runs
// once. On one thread (OMP_NUM_THREADS=1) they are the processor's seconds, for a machine with other work. The sparse
// method is left out (null) if its relaxes are more than four times the dense one's. Of graphs of more vertices than
// --dense-up-to (25000) the dense seconds are those of a graph of 4000 vertices in the same type, scaled by the
// relaxes, and the automatic ones null. "loss" is the seconds of the method that the automatic choice takes by those of
// the faster one, "automatic_loss" those of the automatic solve itself, which also has to look at the structure.

#include <Kokkos_Core.hpp>
#include <blockfw/kokkos_runtime.hpp>
#include <blockfw/solve.hpp>
#include <blockfw/sparse.hpp>
#include "networks.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <ctime>
#include <exception>
#include <limits>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace {

using Host = Kokkos::DefaultHostExecutionSpace;
using bench::Network;
using blockfw::Method;

constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

struct Arguments {
  std::string type = "int32";
  bool directed = false;
  std::int64_t dense_up_to = 25000;
  std::vector<std::int64_t> orders;
  std::vector<std::string> graphs;
};

// ---- JSON ----

/// A line of JSON, written member by member.
class Line {
 public:
  void add(const char* name, double value) {
    char text[32];
    std::snprintf(text, sizeof text, "%.5g", value);
    add_plain(name, std::isnan(value) ? "null" : text);
  }
  void add(const char* name, std::int64_t value) { add_plain(name, std::to_string(value)); }
  void add(const char* name, bool value) { add_plain(name, value ? "true" : "false"); }
  void add(const char* name, std::string_view value) { add_plain(name, '"' + std::string(value) + '"'); }
  void add(const char* name, const char* value) { add(name, std::string_view(value)); }

  void print() const {
    std::printf("{%s}\n", text_.c_str());
    std::fflush(stdout);
  }

 private:
  void add_plain(const char* name, const std::string& value) {
    text_ += std::string(text_.empty() ? "" : ", ") + '"' + name + "\": " + value;
  }
  std::string text_;
};

const char* name_of(Method method) { return method == Method::sparse ? "sparse" : "dense"; }

// ---- Measurements ----

/// On one thread it counts the processor's seconds, which other work on the machine does not lengthen.
class Clock {
 public:
  explicit Clock(const Host& exec) : one_thread_(exec.concurrency() == 1) {}
  double seconds() const {
    return one_thread_ ? static_cast<double>(std::clock() - start_) / CLOCKS_PER_SEC : timer_.seconds();
  }

 private:
  bool one_thread_;
  std::clock_t start_ = std::clock();
  Kokkos::Timer timer_;
};

/// A method's best run.
struct Run {
  double seconds = unknown;
  blockfw::SolveReport report;
};

/// Each method's best run, in turn; those that are not asked for stay unknown.
template <class T>
std::array<Run, 3> best_runs(const Host& exec, const Network& network, std::vector<Method> methods) {
  const auto edges = bench::edges_of<T>(network);
  blockfw::DistanceMatrix<T, Host> d;
  std::array<Run, 3> runs;
  double spent = 0, least = std::numeric_limits<double>::infinity();
  for (int turn = 0; turn == 0 || (turn < 3 && spent < 20) || (turn < 200 && spent < 1.5); ++turn) {
    for (const Method method : methods) {
      Run& run = runs[static_cast<std::size_t>(method)];
      if (turn > 0 && run.seconds > 4 * least + 0.2) continue;
      blockfw::SolveReport report;
      blockfw::SolveOptions options;
      options.direction = network.symmetric ? blockfw::Direction::undirected : blockfw::Direction::directed;
      options.method = method;
      options.report = &report;
      d = {};
      const Clock clock(exec);
      d = blockfw::solve<T>(exec, network.n, edges, options);
      const double seconds = clock.seconds();
      if (!(run.seconds <= seconds)) run = {seconds, report};
      spent += seconds;
      least = std::min(least, seconds);
    }
    std::reverse(methods.begin(), methods.end());  // each comes after itself, too, whose memory it finds
  }
  return runs;
}

/// Seconds of a dense solve, by those of a graph of 4000 vertices.
template <class T>
double scaled_dense_seconds(const Host& exec, double relaxes) {
  static const Run run =
      best_runs<T>(exec, bench::network_of("er:4000:8"), {Method::dense})[std::size_t(Method::dense)];
  return run.seconds * relaxes / run.report.dense_relaxes;
}

/// What the summary counts.
struct Counts {
  std::int64_t cases = 0, right = 0, within = 0;
  double worst = 1, sum_of_logarithms = 0, automatic_worst = 1, automatic_sum = 0;
  std::string worst_graph, automatic_graph;

  void add(const std::string& graph, double loss, double automatic_loss) {
    ++cases;
    right += loss <= 1;
    within += loss <= 1.2;
    sum_of_logarithms += std::log(loss);
    automatic_sum += std::log(automatic_loss);
    if (loss > worst) worst = loss, worst_graph = graph;
    if (automatic_loss > automatic_worst) automatic_worst = automatic_loss, automatic_graph = graph;
  }

  void print() const {
    const auto all = static_cast<double>(cases);
    Line line;
    line.add("summary", "method");
    line.add("cases", cases);
    line.add("right", right);
    line.add("within_20_percent", within);
    line.add("worst_loss", worst);
    line.add("worst_graph", worst_graph);
    line.add("mean_loss", std::exp(sum_of_logarithms / all));
    line.add("worst_automatic_loss", automatic_worst);
    line.add("worst_automatic_graph", automatic_graph);
    line.add("mean_automatic_loss", std::exp(automatic_sum / all));
    line.print();
  }
};

template <class T>
void measure(const Host& exec, const Network& network, const Arguments& arguments, const char* type, Counts& counts) {
  const auto n = static_cast<double>(network.n);
  const Clock clock(exec);
  const blockfw::SparseAnalysis analysis(network.n, bench::edges_of<T>(network));
  const double analysis_seconds = clock.seconds();
  const double dense_relaxes = n * n * n * (network.symmetric ? 0.5 : 1);
  const double sparse_relaxes = analysis.factor_relaxes() + analysis.solve_relaxes();
  const bool measures_dense = network.n <= arguments.dense_up_to;

  std::vector<Method> methods;
  if (measures_dense) methods = {Method::dense, Method::automatic};
  if (sparse_relaxes <= 4 * dense_relaxes) methods.push_back(Method::sparse);
  const auto runs = best_runs<T>(exec, network, methods);
  const Run &sparse = runs[std::size_t(Method::sparse)], &automatic = runs[std::size_t(Method::automatic)];
  Run dense = runs[std::size_t(Method::dense)];
  if (!measures_dense) dense.seconds = scaled_dense_seconds<T>(exec, dense_relaxes);

  Line line;
  line.add("graph", network.name);
  line.add("family", network.name.substr(0, network.name.find(':')));
  line.add("type", type);
  line.add("directed", !network.symmetric);
  line.add("n", network.n);
  line.add("edges", static_cast<std::int64_t>(network.arcs.size()) / (network.symmetric ? 2 : 1));
  line.add("mean_degree", static_cast<double>(network.arcs.size()) / n);
  line.add("dense_relaxes", dense_relaxes);
  line.add("factor_relaxes", analysis.factor_relaxes());
  line.add("solve_relaxes", analysis.solve_relaxes());
  line.add("widest", analysis.widest());
  line.add("predicted_cost", blockfw::detail::sparse_cost<Host>(analysis.vertices(), analysis.factor_relaxes(),
                                                                analysis.solve_relaxes()) /
                                 dense_relaxes);
  line.add("dense_seconds", dense.seconds);
  line.add("dense_measured", measures_dense);
  line.add("dense_bits", measures_dense ? static_cast<std::int64_t>(dense.report.bits) : 0);
  line.add("sparse_seconds", sparse.seconds);
  line.add("automatic_seconds", automatic.seconds);
  line.add("analysis_seconds", sparse.seconds > 0 ? sparse.report.analysis_seconds : analysis_seconds);
  line.add("factor_seconds", sparse.seconds > 0 ? sparse.report.factor_seconds : unknown);
  line.add("solve_seconds", sparse.seconds > 0 ? sparse.report.solve_seconds : unknown);
  if (measures_dense) {
    const double best = sparse.seconds < dense.seconds ? sparse.seconds : dense.seconds;
    const bool takes_sparse = automatic.report.method == Method::sparse;
    // (A sparse solve that was left out is not the one that the choice takes.)
    const double taken = takes_sparse ? (sparse.seconds > 0 ? sparse : automatic).seconds : dense.seconds;
    const double loss = taken / best, automatic_loss = std::max(1.0, automatic.seconds / best);
    line.add("choice", name_of(automatic.report.method));
    line.add("loss", loss);
    line.add("automatic_loss", automatic_loss);
    counts.add(network.name, loss, automatic_loss);
  }
  line.print();
}

void measure_in(const Host& exec, const Network& network, const Arguments& arguments, Counts& counts) {
  if (arguments.type == "float") return measure<float>(exec, network, arguments, "float", counts);
  if (arguments.type == "int32") try {
      return measure<std::int32_t>(exec, network, arguments, "int32", counts);
    } catch (const blockfw::OverflowRisk& risk) {
      std::fprintf(stderr, "%s: not in int32: %s\n", network.name.c_str(), risk.what());
    }
  measure<std::int64_t>(exec, network, arguments, "int64", counts);
}

// ---- The graphs ----

/// All families of about n vertices.
std::vector<std::string> families(std::int64_t n) {
  const std::string order = std::to_string(n);
  std::vector<std::string> names{"planar:" + order, "grid3d:" + std::to_string(std::llround(std::cbrt(n)))};
  for (const int percent : {2, 10, 30, 100}) names.push_back("tree:" + order + ':' + std::to_string(percent));
  for (const int degree : {2, 4, 8, 16, 32, 64}) {
    names.push_back("geometric:" + order + ':' + std::to_string(degree));
    names.push_back("er:" + order + ':' + std::to_string(degree));
    names.push_back("ba:" + order + ':' + std::to_string(degree / 2));
  }
  for (const int percent : {20, 90}) names.push_back("dense:" + order + ':' + std::to_string(percent));
  return names;
}

/// Makes the two directions of each edge differ.
void make_directed(Network& network) {
  for (bench::Arc& arc : network.arcs) arc.weight += 2 * (arc.from < arc.to);
  network.symmetric = false;
}

Arguments arguments_of(int argc, char** argv) {
  Arguments arguments;
  for (int a = 1; a < argc; ++a) {
    const std::string_view word = argv[a];
    const bool more = a + 1 < argc;
    if (word == "--type" && more)
      arguments.type = argv[++a];
    else if (word == "--directed")
      arguments.directed = true;
    else if (word == "--dense-up-to" && more)
      arguments.dense_up_to = std::stoll(argv[++a]);
    else if (word == "--n" && more)
      arguments.orders.push_back(std::stoll(argv[++a]));
    else if (word.starts_with("-"))
      throw std::invalid_argument("unknown option " + std::string(word));
    else
      arguments.graphs.emplace_back(word);
  }
  if (arguments.type != "int32" && arguments.type != "int64" && arguments.type != "float")
    throw std::invalid_argument("--type: expected int32, int64 or float");
  if (arguments.orders.empty()) arguments.orders = {500, 1000, 2000, 4000};
  if (arguments.graphs.empty())
    for (const std::int64_t n : arguments.orders)
      for (std::string& name : families(n)) arguments.graphs.push_back(std::move(name));
  return arguments;
}

int run(const Arguments& arguments) {
  const Host exec;
  Line header;
  header.add("blockfw", "method");
  header.add("format", std::int64_t(1));
  header.add("space", Host::name());
  header.add("threads", static_cast<std::int64_t>(exec.concurrency()));
  header.add("vector_bytes", static_cast<std::int64_t>(
                                 blockfw::detail::with_vectors([](auto level) { return decltype(level)::bytes; })));
  header.print();
  Counts counts;
  bool failed = false;
  for (const std::string& name : arguments.graphs) try {
      Network network = bench::network_of(name);
      if (arguments.directed) make_directed(network);
      measure_in(exec, network, arguments, counts);
    } catch (const std::exception& error) {
      std::fprintf(stderr, "bench-method: %s: %s\n", name.c_str(), error.what());
      failed = true;
    }
  if (counts.cases > 0) counts.print();
  return failed;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    const Arguments arguments = arguments_of(argc, argv);
    const Kokkos::ScopeGuard kokkos(
        blockfw::checked_settings(Kokkos::InitializationSettings().set_disable_warnings(true)));
    return run(arguments);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "bench-method: %s\n", error.what());
    return 1;
  }
}
