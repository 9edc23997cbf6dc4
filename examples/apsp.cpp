// SPDX-License-Identifier: MIT
// All shortest paths of a graph in a file of any format: a summary of the graph, one path, or all distances.
//
//   apsp INPUT [-o OUTPUT] [--from S] [--to T] [--paths] [--type auto|int32|int64|float|double]
//        [--undirected] [--unweighted] [--semiring NAME] [--stats]

#include "program.hpp"
#include "progress_bar.hpp"

#include <CLI/CLI.hpp>
#include <Kokkos_Core.hpp>
#include <blockfw/apsp.hpp>
#include <blockfw/io/distances.hpp>
#include <blockfw/io/graph_file.hpp>
#include <blockfw/measures.hpp>
#include <blockfw/paths.hpp>
#include <blockfw/transitive_closure.hpp>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <system_error>
#include <type_traits>
#include <utility>
#include <vector>

namespace {

using blockfw::Direction, blockfw::io::Graph, program::print_line, program::text;
using Space = Kokkos::DefaultExecutionSpace;

struct Arguments {
  std::string input, output, type = "auto";
  std::optional<std::int64_t> from, to;
  std::string semiring = "min-plus";
  bool paths = false, undirected = false, unweighted = false, stats = false;
};

/// The edges in the opposite direction.
template <class T>
std::vector<blockfw::Edge<T>> reversed(const Graph<T>& graph) {
  auto edges = graph.edges;
  for (auto& edge : edges) std::swap(edge.from, edge.to);
  return edges;
}

/// A view of the transposed distances.
template <class Distances>
auto transposed(const Distances& d) {
  using T = typename Distances::value_type;
  return Kokkos::View<T**, Kokkos::LayoutLeft, typename Distances::memory_space,
                      Kokkos::MemoryTraits<Kokkos::Unmanaged>>(d.data(), d.extent(0), d.extent(1));
}

template <class Distances, class T = typename Distances::value_type>
void replace(const Space& exec, const Distances& d, T old, T with) {
  const std::int64_t n = d.extent_int(0);
  Kokkos::parallel_for(
      "replace", Kokkos::RangePolicy<Space, Kokkos::IndexType<std::int64_t>>(exec, 0, n * n),
      KOKKOS_LAMBDA(std::int64_t e) {
        if (d(e / n, e % n) == old) d(e / n, e % n) = with;
      });
  exec.fence("replace");
}

/// \brief The ⊕ of all paths, in the memory of Space; no path is infinity<T> (0 where weights are probabilities).
/// \param report  filled in
template <class S, class T>
auto solve(const Space& exec, const Graph<T>& graph, blockfw::SolveReport& report) {
  blockfw::SolveOptions options{.direction = graph.direction, .report = &report};
  ProgressBar bar("solving");
  if (bar.wanted()) options.progress = std::ref(bar);
  const auto d = [&] {
    try {
      return blockfw::solve<S>(exec, graph.vertices, graph.edges, options);
    } catch (const blockfw::NegativeCycle& error) {
      throw blockfw::NegativeCycle(error.vertex + graph.first_vertex);
    } catch (const blockfw::DivergentCycle& error) {
      throw blockfw::DivergentCycle(error.vertex + graph.first_vertex);
    }
  }();
  if constexpr (S::zero() < T(0)) replace(exec, d, S::zero(), blockfw::infinity<T>);
  return d;
}

/// 1 where a path leads, infinity where none does.
blockfw::DistanceMatrix<std::int32_t> reachability(const Space& exec, const Graph<std::int32_t>& graph) {
  const auto bits = blockfw::transitive_closure(exec, graph.vertices, graph.edges, graph.direction);
  const auto d = blockfw::allocate_distances<std::int32_t>(exec, graph.vertices);
  const std::int64_t n = graph.vertices;
  Kokkos::parallel_for(
      "unpack", Kokkos::RangePolicy<Space, Kokkos::IndexType<std::int64_t>>(exec, 0, n * n),
      KOKKOS_LAMBDA(std::int64_t e) { d(e / n, e % n) = bits(e / n, e % n) ? 1 : blockfw::infinity<std::int32_t>; });
  exec.fence("unpack");
  return d;
}

template <class T>
std::string digits(T number) {
  std::string text;
  blockfw::io::detail::append_number(text, number);
  return text;
}

void print(const std::string& lines) {
  if (std::fwrite(lines.data(), 1, lines.size(), stdout) != lines.size() || std::fflush(stdout) != 0)
    throw blockfw::FileError(std::string("standard output: cannot write: ") + std::strerror(errno));
}

/// \brief Prints a summary of the graph from its distances.
/// \param lengths  whether they are lengths; if not, only which vertices reach which is printed
/// \param selves   whether the distance of a vertex to itself is finite
template <class T, class Distances>
void print_summary(const Space& exec, const Distances& d, const Graph<T>& graph, bool lengths, bool selves) {
  const auto reach = blockfw::reach(exec, d);
  const auto extent = blockfw::extent_of(reach);
  const auto name = [&](std::int64_t v) { return digits(v + graph.first_vertex); };
  const auto n = static_cast<double>(graph.vertices);
  double pairs = selves ? -n : 0;  // of different vertices
  for (const auto& r : reach) pairs += static_cast<double>(r.vertices);
  std::string lines = pairs == n * (n - 1)
                          ? "connected   yes, each vertex reaches each\n"
                          : text("connected   no, %.0f of %.0f pairs have a path\n", pairs, n * (n - 1));
  if (graph.vertices > 0 && lengths) {
    const bool central = !extent.centre.empty();
    lines += "radius      " + (central ? digits(extent.radius) : "none, no vertex reaches all") + '\n';
    lines += (extent.connected ? "diameter    " : "longest     ") + digits(extent.longest) + ", from " +
             name(extent.from) + " to " + name(extent.to) + '\n';
    if (central) lines += "centre     ";
    constexpr std::size_t most = 10;
    for (std::size_t c = 0; c < std::min(most, extent.centre.size()); ++c) lines += ' ' + name(extent.centre[c]);
    if (extent.centre.size() > most) lines += " and " + digits(extent.centre.size() - most) + " more";
    if (central) lines += '\n';
  }
  print(lines);
}

/// Prints the distances from one vertex, or to one. If both are given, prints one distance, with its route if `routes`.
template <class T, class Distances, class OnHost>
void print_distances(const Space& exec, const Distances& distances, const OnHost& d, const Graph<T>& graph,
                     const Arguments& arguments, bool routes) {
  const std::int64_t first = graph.first_vertex;
  const auto route_line = [&](const std::vector<std::int32_t>& route) {
    std::string line;
    for (const std::int32_t v : route) line += (line.empty() ? "" : " ") + digits(v + first);
    return line;
  };
  if (arguments.from && arguments.to) {
    const auto i = static_cast<std::int32_t>(*arguments.from - first),
               j = static_cast<std::int32_t>(*arguments.to - first);
    const std::string ends = "from " + digits(*arguments.from) + " to " + digits(*arguments.to);
    if (!(d(i, j) < blockfw::infinity<T>)) return print("no path " + ends + '\n');
    if (!routes) return print(digits(d(i, j)) + ' ' + ends + '\n');
    const auto route = blockfw::Paths(exec, distances, graph.edges, graph.direction).path(i, j);
    return print(digits(d(i, j)) + ' ' + ends + ", over " + digits(route.size() - 1) + " edges\n" + route_line(route) +
                 '\n');
  }

  const auto here = static_cast<std::int32_t>((arguments.from ? *arguments.from : *arguments.to) - first);
  std::vector<std::int32_t> tree;  // of all routes; those to a vertex are reversed
  if (arguments.paths)
    tree = arguments.from ? blockfw::Paths(exec, distances, graph.edges, graph.direction).tree(here)
                          : blockfw::Paths(exec, transposed(distances), reversed(graph), graph.direction).tree(here);
  std::string lines;
  for (std::int32_t v = 0; v < graph.vertices; ++v) {
    lines += digits(v + first) + '\t' + digits(arguments.from ? d(here, v) : d(v, here));
    if (arguments.paths) {
      auto route = blockfw::path_in(tree, here, v);
      if (!arguments.from) std::reverse(route.begin(), route.end());
      lines += '\t' + route_line(route);
    }
    lines += '\n';
    if (lines.size() < (1 << 20) && v + 1 < graph.vertices) continue;
    print(lines);
    lines.clear();
  }
}

/// \tparam S  the semiring; void for reachability
template <class S, class T>
void run(const blockfw::io::InputFile& file, const Arguments& arguments, program::Laps& laps, double reading) {
  constexpr bool shortest = std::is_same_v<S, blockfw::MinPlus<T>>;
  auto graph = blockfw::io::read_graph<T>(file);
  if (arguments.undirected) graph.direction = Direction::undirected;
  if (arguments.unweighted)
    for (auto& edge : graph.edges) edge.weight = 1;
  const std::int64_t n = graph.vertices;
  for (const auto& [option, vertex] : {std::pair("--from", arguments.from), std::pair("--to", arguments.to)})
    if (vertex && (*vertex < graph.first_vertex || *vertex >= graph.first_vertex + n))
      throw blockfw::InvalidInput(option + (" is " + digits(*vertex)) + ", expected a vertex from " +
                                  digits(graph.first_vertex) + " to " + digits(graph.first_vertex + n - 1));
  std::optional<blockfw::io::DistanceOutput<T>> output;
  if (!arguments.output.empty()) output.emplace(arguments.output, n);
  reading += laps.lap();

  const Kokkos::ScopeGuard kokkos(Kokkos::InitializationSettings().set_disable_warnings(true));
  const Space exec;
  const double starting = laps.lap();
  blockfw::SolveReport report;
  const auto d = [&] {
    if constexpr (std::is_void_v<S>)
      return reachability(exec, graph);
    else
      return solve<S>(exec, graph, report);
  }();
  const double solving = laps.lap();

  const bool asked = arguments.from || arguments.to;
  if (output || asked) {
    const auto on_host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace{}, d);
    if (output) output->write(on_host);
    if (asked) print_distances(exec, d, on_host, graph, arguments, shortest);
  } else {
    print(text("graph       %lld vertices, %zu edges%s (%s), in %s\n", static_cast<long long>(n), graph.edges.size(),
               graph.direction == Direction::undirected ? " both ways" : "", name_of(format_of(file)),
               blockfw::type_name<T>()));
    constexpr bool selves = [] {
      if constexpr (!std::is_void_v<S>) return S::one() < blockfw::infinity<T>;
      return true;
    }();
    print_summary(exec, d, graph, shortest, selves);
  }
  const double writing = laps.lap();

  if (!arguments.stats) return;
  print_line("reading", reading, program::rate(static_cast<double>(file.bytes().size()), reading));
  print_line("starting", starting, "Kokkos");
  print_line("solving", solving,
             std::is_void_v<S> ? text("%.1f Grelax/s", std::pow(static_cast<double>(n), 3) * 1e-9 / solving)
                               : program::speed_of<std::is_floating_point_v<T>>(exec, n, solving, report));
  print_line("writing", writing, asked || output ? "distances" : "and measuring");
}

/// The same by the semiring's name.
template <class T>
void run_named(const blockfw::io::InputFile& file, const Arguments& arguments, program::Laps& laps, double reading) {
  const std::string& name = arguments.semiring;
  if (name == "min-plus") return run<blockfw::MinPlus<T>, T>(file, arguments, laps, reading);
  if constexpr (std::is_same_v<T, std::int32_t>)
    if (name == "or-and") return run<void, T>(file, arguments, laps, reading);
  if constexpr (std::is_same_v<T, double>)
    if (name == "max-times") return run<blockfw::MaxTimes<T>, T>(file, arguments, laps, reading);
  if constexpr (std::is_same_v<T, std::int32_t> || std::is_same_v<T, double>) {
    if (name == "max-plus") return run<blockfw::MaxPlus<T>, T>(file, arguments, laps, reading);
    if (name == "max-min") return run<blockfw::MaxMin<T>, T>(file, arguments, laps, reading);
    if (name == "min-max") return run<blockfw::MinMax<T>, T>(file, arguments, laps, reading);
  }
  throw blockfw::InvalidInput("--semiring " + name + " in " + blockfw::type_name<T>() + ", expected " +
                              (name == "or-and"      ? "int32"
                               : name == "max-times" ? "double"
                                                     : "int32 or double"));
}

/// The narrowest type that suffices.
std::string type_for(const blockfw::io::Survey& survey) {
  return blockfw::io::suffices<std::int32_t>(survey)   ? "int32"
         : blockfw::io::suffices<std::int64_t>(survey) ? "int64"
                                                       : "double";
}

void run(const Arguments& arguments) {
  program::Laps laps;
  std::error_code missing;
  if (std::filesystem::equivalent(arguments.input, arguments.output, missing))
    throw blockfw::FileError(arguments.output + ": the output is the same file as the input");
  const blockfw::io::InputFile file(arguments.input);
  std::string type = arguments.type;
  if (type == "auto") {
    type = arguments.semiring == "or-and" ? "int32" : type_for(blockfw::io::survey(file));
    if (arguments.semiring == "max-times" || (type == "int64" && arguments.semiring != "min-plus")) type = "double";
  }
  const double reading = laps.lap();
  if (type == "int32") return run_named<std::int32_t>(file, arguments, laps, reading);
  if (type == "int64") return run_named<std::int64_t>(file, arguments, laps, reading);
  if (type == "float") return run_named<float>(file, arguments, laps, reading);
  run_named<double>(file, arguments, laps, reading);
}

}  // namespace

int main(int argc, char** argv) {
  Arguments arguments;
  CLI::App app("All shortest paths of a graph");
  app.add_option("INPUT", arguments.input,
                 "the graph: DIMACS, Matrix Market, NumPy's .npy, the homework's, or lines FROM TO WEIGHT")
      ->required();
  app.add_option("-o,--output", arguments.output,
                 "write all distances: to .npy, .mtx, .bin (the homework's), or any other name as text");
  app.add_option("--from", arguments.from, "distances from this vertex, as the file names it");
  app.add_option("--to", arguments.to, "distances to this vertex; with --from, the route between them");
  app.add_flag("--paths", arguments.paths, "with --from or --to, the routes, too");
  app.add_option("--type", arguments.type, "type to compute with; auto is the narrowest that will do")
      ->check(CLI::IsMember({"auto", "int32", "int64", "float", "double"}))
      ->capture_default_str();
  app.add_flag("--undirected", arguments.undirected, "edges lead both ways");
  app.add_flag("--unweighted", arguments.unweighted, "each edge has length 1");
  app.add_option("--semiring", arguments.semiring,
                 "what is best: min-plus shortest, max-plus longest, max-min widest, min-max with the smallest worst "
                 "edge, max-times most reliable, or-and any")
      ->check(CLI::IsMember({"min-plus", "max-plus", "max-min", "min-max", "max-times", "or-and"}))
      ->capture_default_str();
  app.add_flag("--stats", arguments.stats, "print the time of each step and the share of the machine's limit");
  try {
    app.parse(argc, argv);
    if (arguments.paths && !arguments.from && !arguments.to) throw CLI::RequiresError("--paths", "--from or --to");
    if (arguments.paths && arguments.semiring != "min-plus")
      throw CLI::ValidationError("--paths", "takes shortest paths, --semiring min-plus");
  } catch (const CLI::CallForHelp& help) {
    return app.exit(help);
  } catch (const CLI::ParseError& error) {
    std::fprintf(stderr, "apsp: %s (usage: apsp INPUT [-o OUTPUT] [--from S] [--to T]; more: apsp --help)\n",
                 error.what());
    return 2;
  }

  const auto fail = [](const std::string& what) {
    std::fprintf(stderr, "apsp: %s\n", what.c_str());
    return 1;
  };
  try {
    run(arguments);
    return 0;
  } catch (const blockfw::FileError& error) {
    return fail(error.what());
  } catch (const std::exception& error) {
    return fail(arguments.input + ": " + program::line_of(error));
  }
}
