// SPDX-License-Identifier: MIT
// Sparse elimination beside Dijkstra from every vertex, the dense solve, and a loop that only stores n x n elements:
//
//   bench-sparse [--markdown] [--samples COUNT] GRAPH...
//   bench-sparse --write FILE GRAPH        writes the graph as DIMACS for peers/sparse_peers.py, and measures nothing
//
// A GRAPH is a file that blockfw reads (DIMACS .gr and others), or one of those that networks.hpp generates.
//
// Seconds are the best of three runs, of fewer once a minute is spent, of more if they are short. Dijkstra (a CSR
// graph, a 4-ary heap that lowers keys, lengths of the same type) runs from a sample of vertices, into rows that were
// touched before, and is scaled to n. Each row of the sample is compared with the solve's: the exit status is 1 if any
// differs. What does not fit the memory is left out.

#include <Kokkos_Core.hpp>
#include <blockfw/kokkos_runtime.hpp>
#include <blockfw/solve.hpp>
#include <blockfw/sparse.hpp>
#include "limit.hpp"
#include "networks.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <exception>
#include <fstream>
#include <limits>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace {

using Host = Kokkos::DefaultHostExecutionSpace;
using bench::Arc, bench::Length, bench::Network, bench::edges_of, bench::index, bench::network_of;

void write_dimacs(const Network& network, const char* path) {
  std::ofstream file(path);
  file << "c " << network.name << "\np sp " << network.n << ' ' << network.arcs.size() << '\n';
  for (const Arc& arc : network.arcs) file << "a " << arc.from + 1 << ' ' << arc.to + 1 << ' ' << arc.weight << '\n';
  if (!file.flush()) throw std::runtime_error(std::string(path) + ": could not be written");
}

// ---- Clocks ----

/// Seconds of the fastest of three calls; of fewer once a minute is spent, and of more, up to a hundred, within a fifth
/// of a second (other work on the machine takes a core for some milliseconds at a time). prepare() is not timed.
template <class Prepare, class Call>
double best_of_three(const Prepare& prepare, const Call& call) {
  double best = std::numeric_limits<double>::infinity(), spent = 0;
  for (int run = 0; run == 0 || (run < 3 && spent < 60) || (run < 100 && spent < 0.2); ++run) {
    prepare();
    const Kokkos::Timer timer;
    call();
    const double seconds = timer.seconds();
    best = std::min(best, seconds), spent += seconds;
  }
  return best;
}
template <class Call>
double best_of_three(const Call& call) {
  return best_of_three([] {}, call);
}

// ---- Dijkstra ----

/// The arcs of each vertex, side by side.
template <class T>
struct ArcsByVertex {
  struct Head {
    std::int32_t to;
    T length;
  };
  std::vector<std::size_t> first;
  std::vector<Head> heads;

  explicit ArcsByVertex(const Network& network) : first(index(network.n) + 1) {
    heads.reserve(network.arcs.size());
    for (const Arc& arc : network.arcs) {  // (sorted)
      ++first[index(arc.from) + 1];
      heads.push_back({arc.to, static_cast<T>(arc.weight)});
    }
    for (std::size_t v = 0; v + 1 < first.size(); ++v) first[v + 1] += first[v];
  }
};

/// One core's, with a heap of four children that knows where each vertex is. (On road networks and meshes it takes 5 to
/// 25% less time than the same heap with a new entry for each shorter length, and 25 to 45% less than the standard
/// library's.)
template <class T>
class Dijkstra {
 public:
  void operator()(const ArcsByVertex<T>& graph, std::int64_t source, T* d) {
    const std::size_t n = graph.first.size() - 1;
    std::fill_n(d, n, blockfw::infinity<T>);
    place_.resize(n);
    heap_.clear();
    d[source] = 0;
    heap_.push_back({0, static_cast<std::int32_t>(source)});
    while (!heap_.empty()) {
      const Entry least = take_least();
      const std::size_t v = index(least.vertex);
      for (std::size_t e = graph.first[v], end = graph.first[v + 1]; e < end; ++e) {
        const std::int32_t to = graph.heads[e].to;
        const T sum = static_cast<T>(least.length + graph.heads[e].length), known = d[to];
        if (sum >= known) continue;
        d[to] = sum;
        if (known == blockfw::infinity<T>) {
          heap_.push_back({sum, to});
          rise(heap_.size() - 1, {sum, to});
        } else {
          rise(place_[index(to)], {sum, to});
        }
      }
    }
  }

 private:
  struct Entry {
    T length;
    std::int32_t vertex;
  };
  static constexpr std::size_t children = 4;

  void put(std::size_t at, Entry entry) {
    heap_[at] = entry;
    place_[index(entry.vertex)] = static_cast<std::uint32_t>(at);
  }

  /// Puts the entry at the free place, or above it.
  void rise(std::size_t at, Entry entry) {
    for (; at > 0; at = (at - 1) / children) {
      const Entry parent = heap_[(at - 1) / children];
      if (parent.length <= entry.length) break;
      put(at, parent);
    }
    put(at, entry);
  }

  Entry take_least() {
    const Entry least = heap_.front(), last = heap_.back();
    heap_.pop_back();
    const std::size_t size = heap_.size();
    if (size == 0) return least;
    // (No branches where the outcome is random: with them this takes a quarter longer.)
    const auto less = [&](std::size_t a, std::size_t b) { return heap_[a].length < heap_[b].length; };
    std::size_t at = 0, child = 1;
    for (; child + children <= size; child = at * children + 1) {
      const std::size_t one = child + less(child + 1, child), other = child + 2 + less(child + 3, child + 2);
      const std::size_t smallest = less(other, one) ? other : one;
      if (heap_[smallest].length >= last.length) break;
      put(at, heap_[smallest]);
      at = smallest;
    }
    if (child < size && child + children > size) {
      std::size_t smallest = child;
      for (std::size_t c = child + 1; c < size; ++c)
        if (less(c, smallest)) smallest = c;
      if (heap_[smallest].length < last.length) {
        put(at, heap_[smallest]);
        at = smallest;
      }
    }
    put(at, last);
    return least;
  }

  std::vector<Entry> heap_;
  std::vector<std::uint32_t> place_;  // of those in the heap
};

/// Vertices spread evenly over the graph (sparse_peers.py takes the same).
std::vector<std::int64_t> sample_of(std::int64_t n, std::int64_t count) {
  std::vector<std::int64_t> sources;
  count = std::min(n, count);
  for (std::int64_t k = 0; k < count; ++k) sources.push_back((2 * k + 1) * n / (2 * count));
  return sources;
}

template <class T>
struct Sample {
  std::vector<std::int64_t> sources;
  std::vector<std::vector<T>> rows;
  double one_core, all_cores;  ///< seconds for all vertices

  Sample(const Host& exec, const Network& network, std::int64_t count)
      : sources(sample_of(network.n, count)), rows(sources.size(), std::vector<T>(index(network.n))) {
    const ArcsByVertex<T> graph(network);
    const double share = static_cast<double>(network.n) / static_cast<double>(sources.size());
    Dijkstra<T> dijkstra;
    one_core = share * best_of_three([&] {
                 for (std::size_t k = 0; k < sources.size(); ++k) dijkstra(graph, sources[k], rows[k].data());
               });
    all_cores = share * best_of_three([&] {
                  Kokkos::parallel_for("dijkstra",
                                       Kokkos::RangePolicy<Host, Kokkos::Schedule<Kokkos::Dynamic>>(
                                           exec, 0, static_cast<std::int64_t>(sources.size()))
                                           .set_chunk_size(1),
                                       [&](std::int64_t k) {
                                         thread_local Dijkstra<T> mine;
                                         mine(graph, sources[index(k)], rows[index(k)].data());
                                       });
                  exec.fence();
                });
  }

  /// Rows that differ; row_at(k) points to the row of the k-th source.
  template <class RowAt>
  std::int64_t wrong_rows(const RowAt& row_at) const {
    std::int64_t wrong = 0;
    for (std::size_t k = 0; k < rows.size(); ++k) {
      const auto* const row = row_at(k);
      wrong += !std::equal(rows[k].begin(), rows[k].end(), row, [](auto expected, auto found) {
        // (The dense solve may be of a wider type, and has another number for no path.)
        return expected < blockfw::infinity<T> ? found == expected : found == blockfw::infinity<decltype(found)>;
      });
    }
    return wrong;
  }

  /// The sum of all finite distances, to compare with other programs.
  std::int64_t sum() const {
    std::int64_t sum = 0;
    for (const auto& row : rows)
      for (const T length : row)
        if (length < blockfw::infinity<T>) sum += length;
    return sum;
  }
};

// ---- A loop that only stores ----

/// Stores a vector past the caches, where the processor can.
#if defined(__AVX2__)
constexpr bool can_stream = true;
#define BLOCKFW_STREAM "vmovntdq %1, %0"
#define BLOCKFW_STREAM_FROM "v"
#elif defined(__x86_64__)
constexpr bool can_stream = true;
#define BLOCKFW_STREAM "movntdq %1, %0"
#define BLOCKFW_STREAM_FROM "x"
#else
constexpr bool can_stream = false;
#endif

/// Fills some bytes with a word, by vectors. (The word is no constant, or the compiler would call memset.)
template <bool streaming>
void fill_bytes(char* to, std::size_t bytes, std::int64_t word) {
  using V = bench::simd<std::int64_t, bench::vector_bytes / 8>;
  const V value = bench::broadcast<V>(word);
  for (std::size_t at = 0; at + sizeof(V) <= bytes; at += sizeof(V)) {
#ifdef BLOCKFW_STREAM
    if constexpr (streaming) {
      __asm__ volatile(BLOCKFW_STREAM : "=m"(*reinterpret_cast<V*>(to + at)) : BLOCKFW_STREAM_FROM(value));
      continue;
    }
#endif
    bench::store(to + at, value);
  }
#ifdef BLOCKFW_STREAM
  if constexpr (streaming) __asm__ volatile("sfence" : : : "memory");
#endif
}

/// Fills memory on all threads.
template <bool streaming>
void fill_memory(const Host& exec, void* memory, std::size_t bytes, [[maybe_unused]] std::int64_t word) {
  constexpr std::size_t part = std::size_t(1) << 20;
  [[maybe_unused]] char* const to = static_cast<char*>(memory);  // (a device's compiler sees no vectors)
  Kokkos::parallel_for("store",
                       Kokkos::RangePolicy<Host, Kokkos::Schedule<Kokkos::Dynamic>>(
                           exec, 0, static_cast<std::int64_t>((bytes + part - 1) / part))
                           .set_chunk_size(1),
                       [=](std::int64_t p) {
                         [[maybe_unused]] const std::size_t first = index(p) * part;
                         KOKKOS_IF_ON_HOST((fill_bytes<streaming>(to + first, std::min(part, bytes - first), word);))
                       });
  exec.fence();
}

// ---- The dense solve ----

constexpr std::int64_t dense_up_to = 6000, rated_at = 4000;

/// Relaxes a second (n³ of them) of a dense solve in T, measured once.
template <class T>
double dense_rate(const Host& exec, bool symmetric) {
  static double rates[2] = {};
  double& rate = rates[symmetric];
  if (rate > 0) return rate;
  const std::int64_t n = rated_at;
  const auto d = blockfw::allocate_distances<T>(exec, n);
  const double seconds = best_of_three(
      [&] {
        Kokkos::parallel_for("complete", Kokkos::RangePolicy<Host>(exec, 0, n * n), [=](std::int64_t e) {
          const std::int64_t i = e / n, j = e % n;
          const auto random = bench::random_at(static_cast<std::uint64_t>(i < j ? i * n + j : j * n + i));
          d(i, j) = i == j ? T(0) : static_cast<T>(1 + random % 50);
        });
        exec.fence();
      },
      [&] {
        blockfw::detail::solve_matrix<blockfw::TunedTile, blockfw::MinPlus<T>>(
            exec, blockfw::matrix_ref<Host>(d.data(), n, n),
            symmetric ? blockfw::Direction::undirected : blockfw::Direction::directed, {});
        exec.fence();
      });
  return rate = std::pow(static_cast<double>(n), 3) / seconds;
}

/// \brief The bits in which the dense solve, whose own type is D, would solve the graph, by its own bound of the
/// distances. (Where the matrix does not fit, D's. That of fewer bits is taken to fit beside it.)
template <class D>
int dense_bits(const Host& exec, const Network& network, blockfw::Direction direction) {
  const auto order = static_cast<double>(network.n);
  if (order * order * sizeof(D) * 1.05 > blockfw::detail::available_bytes(exec)) return 8 * int(sizeof(D));
  const auto edges = edges_of<D>(network);
  const auto d = blockfw::allocate_distances<D>(exec, network.n);
  const auto range = blockfw::fill_from_edges<blockfw::MinPlus<D>>(
      exec, d, blockfw::reachable_edges(exec, blockfw::detail::view_of(edges)), {.direction = direction});
  const auto bound =
      blockfw::detail::distance_bound(exec, d, range, blockfw::detail::Ladder<blockfw::MinPlus<D>, true>::limits());
  if (!bound) return 8 * int(sizeof(D));
  return *bound < blockfw::infinity<std::int8_t> ? 8 : *bound < blockfw::infinity<std::int16_t> ? 16 : 32;
}

/// Seconds of a dense solve of n vertices.
double predict_dense(const Host& exec, std::int64_t n, int bits, bool symmetric) {
  const double rate = bits == 8    ? dense_rate<std::int8_t>(exec, symmetric)
                      : bits == 16 ? dense_rate<std::int16_t>(exec, symmetric)
                      : bits == 32 ? dense_rate<std::int32_t>(exec, symmetric)
                                   : dense_rate<std::int64_t>(exec, symmetric);
  return std::pow(static_cast<double>(n), 3) / rate;
}

// ---- The table ----

template <class... Values>
std::string print(const char* format, Values... values) {
  char text[256];
  std::snprintf(text, sizeof text, format, values...);
  return text;
}

std::string seconds_text(double seconds) { return print(seconds < 10 ? "%#.3g" : "%.0f", seconds); }
std::string ratio_text(double ratio) { return print(ratio < 10 ? "%.2f" : "%.0f", ratio); }

/// A graph's line of the table: titles and values, those of the structure first.
struct Line {
  std::vector<std::pair<std::string, std::string>> structure, seconds;
  std::int64_t wrong = 0;
};

template <class Analysis>
std::string order_name([[maybe_unused]] const Analysis& analysis) {
  if constexpr (requires { std::string(analysis.order_name()); })
    return std::string(analysis.order_name());
  else
    return "minimum degree";
}

/// Measures the dense solve in D, compares it with the sample, and returns its seconds.
template <class D, class T>
double measure_dense(const Host& exec, const Network& network, blockfw::Direction direction, const Sample<T>& sample,
                     Line& line, int& bits) {
  const auto edges = edges_of<D>(network);
  blockfw::SolveReport report;
  blockfw::DistanceMatrix<D, Host> d;
  const double seconds = best_of_three([&] { d = {}; },
                                       [&] {
                                         blockfw::SolveOptions options;
                                         options.direction = direction;
                                         options.report = &report;
                                         d = blockfw::solve<D>(exec, network.n, edges, options);
                                       });
  line.wrong += sample.wrong_rows([&](std::size_t k) { return &d(sample.sources[k], 0); });
  bits = report.bits;
  return seconds;
}

/// What is measured where the n x n distances fit.
struct Solved {
  double fresh = 0, touched = 0, stream = 0, store = 0;
};

template <class T>
Solved measure_solve(const Host& exec, const Network& network, const blockfw::SparseFactor<blockfw::MinPlus<T>>& factor,
                     const Sample<T>& sample, Line& line) {
  const std::int64_t n = network.n;
  Solved solved;
  blockfw::DistanceMatrix<T, Host> d;
  const auto row_at = [&](std::size_t k) { return &d(sample.sources[k], 0); };
  solved.fresh = best_of_three([&] { d = {}; }, [&] { d = factor.solve(); });
  line.wrong += sample.wrong_rows(row_at);

  // (From here on the memory was touched, and these loops wipe out what the solve wrote.)
  const std::size_t bytes = index(n * n) * sizeof(T);
  std::int64_t word = -1;
  solved.store = best_of_three([&] { fill_memory<false>(exec, d.data(), bytes, --word); });
  if constexpr (can_stream) solved.stream = best_of_three([&] { fill_memory<true>(exec, d.data(), bytes, --word); });
  if constexpr (requires { factor.solve(d); }) {
    solved.touched = best_of_three([&] { factor.solve(d); });
    line.wrong += sample.wrong_rows(row_at);
  }
  return solved;
}

/// All of a graph's measurements with distances of the type T.
/// \throws blockfw::OverflowRisk when these may be too large for it
template <class T>
Line measure(const Host& exec, const Network& network, std::int64_t samples) {
  using S = blockfw::MinPlus<T>;
  const std::int64_t n = network.n;
  const auto order = static_cast<double>(n);
  const auto direction = network.symmetric ? blockfw::Direction::undirected : blockfw::Direction::directed;
  const auto edges = edges_of<T>(network);

  std::optional<blockfw::SparseAnalysis> analysed;
  const double analysis_seconds = best_of_three([&] { analysed.reset(); }, [&] { analysed.emplace(n, edges); });
  const blockfw::SparseAnalysis& analysis = *analysed;
  const double relaxes = analysis.factor_relaxes() + analysis.solve_relaxes();
  std::fprintf(stderr, "%s: %.3g relaxes of the factor, %.3g of the solve\n", network.name.c_str(),
               analysis.factor_relaxes(), analysis.solve_relaxes());
  std::optional<blockfw::SparseFactor<S>> factored;
  const double factor_seconds =
      best_of_three([&] { factored.reset(); },
                    [&] { factored.emplace(exec, analysis, edges, blockfw::FactorOptions{.direction = direction}); });
  const blockfw::SparseFactor<S>& factor = *factored;
  const Sample<T> sample(exec, network, samples);

  Line line;
  const double needed = order * order * sizeof(T), available = blockfw::detail::available_bytes(exec);
  const bool fits = needed * 1.05 < available;
  Solved solved;
  if (fits) {
    solved = measure_solve<T>(exec, network, factor, sample, line);
  } else {
    const auto rows = factor.distances_from(sample.sources);
    line.wrong += sample.wrong_rows([&](std::size_t k) { return &rows(k, 0); });
  }

  // The dense solve takes the type that its own check of the sums asks for.
  const auto heaviest = static_cast<Length>(factor.range().largest);
  const bool dense_in_32 =
      heaviest < blockfw::infinity<std::int32_t> &&
      blockfw::sums_fit<std::int32_t>(n, {0, static_cast<std::int32_t>(heaviest), factor.range().total});
  const bool dense_measured = n <= dense_up_to;
  double dense = 0;
  int bits = 0;
  const auto look_at_dense = [&]<class D>(D) {
    if (dense_measured) {
      dense = measure_dense<D>(exec, network, direction, sample, line, bits);
    } else {
      bits = dense_bits<D>(exec, network, direction);
      dense = predict_dense(exec, n, bits, network.symmetric);
    }
  };
  if (dense_in_32)
    look_at_dense(std::int32_t());
  else
    look_at_dense(std::int64_t());

  const std::string none = fits ? "-" : "does not fit";
  const std::string threads = std::to_string(exec.concurrency());
  const auto text_of = [&](double seconds) { return seconds > 0 ? seconds_text(seconds) : none; };
  line.structure = {
      {"graph", network.name},
      {"n", std::to_string(n)},
      {"arcs", std::to_string(network.arcs.size()) + (network.symmetric ? ", undirected" : "")},
      {"type", "int" + std::to_string(8 * sizeof(T))},
      {"order", order_name(analysis)},
      {"supernodes", std::to_string(analysis.supernodes())},
      {"widest separator", std::to_string(analysis.widest())},
      {"factor elements", print("%.4g", analysis.factor_elements())},
      {"factor relaxes", print("%.4g", analysis.factor_relaxes())},
      {"solve relaxes", print("%.4g", analysis.solve_relaxes())},
      {"n^3 / relaxes", ratio_text(std::pow(order, 3) / relaxes)},
      {"sum of the sample", print("%lld of %zu rows", static_cast<long long>(sample.sum()), sample.rows.size())},
      {"rows that differ", std::to_string(line.wrong)},
  };
  const double solve = solved.touched > 0 ? solved.touched : solved.fresh;
  const double all = solve > 0 ? analysis_seconds + factor_seconds + solve : 0;
  const auto times = [&](double seconds, double of) { return seconds > 0 && of > 0 ? ratio_text(seconds / of) : none; };
  line.seconds = {
      {"graph", network.name},
      {"analysis s", text_of(analysis_seconds)},
      {"factor s", text_of(factor_seconds)},
      {"solve s, fresh memory", text_of(solved.fresh)},
      {"solve s, touched memory", text_of(solved.touched)},
      {"all three s", text_of(all)},
      {"Dijkstra s, one core", text_of(sample.one_core)},
      {"Dijkstra s, " + threads + " threads", text_of(sample.all_cores)},
      {"dense s", text_of(dense) + (dense_measured ? "" : ", predicted") + " (" + std::to_string(bits) +
                      (network.symmetric ? " bits, half)" : " bits)")},
      {"stores s, past caches", text_of(solved.stream)},
      {"stores s, plain", text_of(solved.store)},
      {"Dijkstra, one core / all", times(sample.one_core, all)},
      {"Dijkstra, " + threads + " threads / all", times(sample.all_cores, all)},
      {"dense / all", times(dense, all)},
      {"solve / faster stores", times(solve, solved.stream > 0 ? std::min(solved.stream, solved.store) : solved.store)},
  };
  return line;
}

Line measure_in_any_type(const Host& exec, const Network& network, std::int64_t samples) {
  const auto heavy = [](const Arc& arc) { return arc.weight >= blockfw::infinity<std::int32_t>; };
  if (std::none_of(network.arcs.begin(), network.arcs.end(), heavy)) try {
      return measure<std::int32_t>(exec, network, samples);
    } catch (const blockfw::OverflowRisk& risk) {
      std::fprintf(stderr, "%s: not in int32: %s\n", network.name.c_str(), risk.what());
    }
  return measure<std::int64_t>(exec, network, samples);
}

void print_lines(const Line& line) {
  for (const auto* part : {&line.structure, &line.seconds})
    for (const auto& [title, value] : *part)
      if (part == &line.structure || title != "graph")
        std::printf("%s%-*s %s\n", title == "graph" ? "" : "  ", title == "graph" ? 28 : 26, title.c_str(),
                    value.c_str());
  std::printf("\n");
  std::fflush(stdout);
}

void print_table(const std::vector<Line>& lines, std::vector<std::pair<std::string, std::string>> Line::* part) {
  if (lines.empty()) return;
  for (const auto& [title, value] : lines[0].*part) std::printf("| %s ", title.c_str());
  std::printf("|\n");
  for (const auto& [title, value] : lines[0].*part) std::printf(title == "graph" ? "|---" : "|--:");
  std::printf("|\n");
  for (const Line& line : lines) {
    for (const auto& [title, value] : line.*part) std::printf("| %s ", value.c_str());
    std::printf("|\n");
  }
  std::printf("\n");
}

struct Arguments {
  bool markdown = false;
  std::int64_t samples = 100;
  const char* write = nullptr;
  std::vector<std::string> graphs;
};

Arguments arguments_of(int argc, char** argv) {
  Arguments arguments;
  for (int a = 1; a < argc; ++a) {
    const std::string_view word = argv[a];
    if (word == "--markdown")
      arguments.markdown = true;
    else if (word == "--samples" && a + 1 < argc)
      arguments.samples = std::max(1, std::stoi(argv[++a]));
    else if (word == "--write" && a + 1 < argc)
      arguments.write = argv[++a];
    else if (word.starts_with("-"))
      throw std::invalid_argument("unknown option " + std::string(word));
    else
      arguments.graphs.emplace_back(word);
  }
  if (arguments.graphs.empty() || (arguments.write && arguments.graphs.size() != 1))
    throw std::invalid_argument("usage: bench-sparse [--markdown] [--samples COUNT] [--write FILE] GRAPH...");
  return arguments;
}

int run(const Arguments& arguments) {
  if (arguments.write) {
    write_dimacs(network_of(arguments.graphs[0]), arguments.write);
    return 0;
  }
  const Host exec;
  std::printf(
      "%d threads, %s; the best of three runs. Dijkstra: %lld vertices, scaled to n. dense: above n = %lld predicted "
      "from\n"
      "n = %lld. all: analysis, factor and solve, into touched memory where that was measured.\n\n",
      exec.concurrency(), Host::name(), static_cast<long long>(arguments.samples), static_cast<long long>(dense_up_to),
      static_cast<long long>(rated_at));
  std::vector<Line> lines;
  bool failed = false;
  for (const std::string& name : arguments.graphs) try {
      lines.push_back(measure_in_any_type(exec, network_of(name), arguments.samples));
      failed |= lines.back().wrong > 0;
      if (!arguments.markdown) print_lines(lines.back());
    } catch (const std::exception& error) {
      const std::string_view what = error.what();
      std::fprintf(stderr, "bench-sparse: %s%s\n", what.starts_with(name) ? "" : (name + ": ").c_str(), error.what());
      failed = true;
    }
  if (arguments.markdown) {
    print_table(lines, &Line::structure);
    print_table(lines, &Line::seconds);
  }
  if (failed) std::fprintf(stderr, "bench-sparse: a graph failed, or rows differ from Dijkstra's\n");
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
    std::fprintf(stderr, "bench-sparse: %s\n", error.what());
    return 1;
  }
}
