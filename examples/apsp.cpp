// All shortest paths of a graph in a file of any format: what they say of it, one of them, or all distances.
//
//   apsp INPUT [-o OUTPUT] [--from S] [--to T] [--paths] [--type auto|int32|int64|float|double]
//        [--undirected] [--unweighted] [--stats]

#include "homework.hpp"
#include "progress_bar.hpp"

#include <CLI/CLI.hpp>
#include <Kokkos_Core.hpp>
#include <blockfw/apsp.hpp>
#include <blockfw/io/distances.hpp>
#include <blockfw/io/graph_file.hpp>
#include <blockfw/limit.hpp>
#include <blockfw/measures.hpp>

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
#include <vector>

namespace {

using blockfw::Direction, blockfw::io::Graph, homework::print_line, homework::text;
using Space = Kokkos::DefaultExecutionSpace;

struct Arguments {
  std::string input, output, type = "auto";
  std::optional<std::int64_t> from, to;
  bool paths = false, undirected = false, unweighted = false, stats = false;
};

/// Routes, found again from the distances: each of their edges leads as far as the distance to its end.
template <class Distances, class T>
class Routes {
 public:
  Routes(const Distances& d, const Graph<T>& graph) : d_(d), into_(static_cast<std::size_t>(graph.vertices)) {
    for (const auto& e : graph.edges) {
      into_[static_cast<std::size_t>(e.to)].push_back({e.from, e.weight});
      if (graph.direction == Direction::undirected) into_[static_cast<std::size_t>(e.from)].push_back({e.to, e.weight});
    }
  }

  /// \brief The vertices of a shortest path from i to j, both included; none without a path.
  ///
  /// From the end on, the nearest first, so that cycles of length 0 do not keep it.
  std::vector<std::int32_t> path(std::int32_t i, std::int32_t j) const {
    if (!(d_(i, j) < blockfw::infinity<T>)) return {};
    constexpr std::int32_t unseen = -1;
    std::vector<std::int32_t> next(into_.size(), unseen), open{j};
    next[static_cast<std::size_t>(j)] = j;
    for (std::size_t at = 0; at < open.size() && open[at] != i; ++at) {
      const std::int32_t v = open[at];
      for (const auto& [u, weight] : into_[static_cast<std::size_t>(v)])
        if (next[static_cast<std::size_t>(u)] == unseen && is_tight(d_(i, u), weight, d_(i, v))) {
          next[static_cast<std::size_t>(u)] = v;
          open.push_back(u);
        }
    }
    std::vector<std::int32_t> route{i};
    while (route.back() != j) route.push_back(next[static_cast<std::size_t>(route.back())]);
    return route;
  }

 private:
  struct Step {
    std::int32_t vertex;
    T weight;
  };

  /// Whether before + weight is after; but for rounding, as sums of floats are.
  bool is_tight(T before, T weight, T after) const {
    if (before == blockfw::infinity<T>) return false;
    if constexpr (std::is_integral_v<T>) {
      return before + weight == after;
    } else {
      const T scale = std::abs(before) + std::abs(weight) + std::abs(after);
      return std::abs(before + weight - after) <=
             scale * std::numeric_limits<T>::epsilon() * static_cast<T>(into_.size());
    }
  }

  Distances d_;
  std::vector<std::vector<Step>> into_;
};

/// The distances, in the memory of Space.
template <class T>
auto solve(const Space& exec, const Graph<T>& graph) {
  blockfw::SolveOptions options{.direction = graph.direction};
  ProgressBar bar("solving");
  if (bar.wanted()) options.progress = std::ref(bar);
  try {
    return blockfw::solve(exec, graph.vertices, graph.edges, options);
  } catch (const blockfw::NegativeCycle& error) {
    throw blockfw::NegativeCycle(error.vertex + graph.first_vertex);
  }
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

/// What the distances say of the graph.
template <class T, class Distances>
void print_summary(const Space& exec, const Distances& d, const Graph<T>& graph) {
  const auto reach = blockfw::reach(exec, d);
  const auto extent = blockfw::extent_of(reach);
  const auto name = [&](std::int64_t v) { return digits(v + graph.first_vertex); };
  const auto n = static_cast<double>(graph.vertices);
  double pairs = -n;  // of different vertices
  for (const auto& r : reach) pairs += static_cast<double>(r.vertices);
  std::string lines = extent.connected ? "connected   yes, each vertex reaches each\n"
                                       : text("connected   no, %.0f of %.0f pairs have a path\n", pairs, n * (n - 1));
  if (graph.vertices > 0) {
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

/// Distances from one vertex, or to one, or both: then with the route.
template <class T, class Distances>
void print_distances(const Distances& d, const Graph<T>& graph, const Arguments& arguments) {
  const std::int64_t first = graph.first_vertex;
  const Routes<Distances, T> routes(d, graph);
  const auto append_route = [&](std::string& lines, std::int32_t i, std::int32_t j) {
    const auto route = routes.path(i, j);
    for (std::size_t v = 0; v < route.size(); ++v) lines += (v > 0 ? " " : "") + digits(route[v] + first);
    return route.size();
  };
  if (arguments.from && arguments.to) {
    const auto i = static_cast<std::int32_t>(*arguments.from - first),
               j = static_cast<std::int32_t>(*arguments.to - first);
    const std::string ends = "from " + digits(*arguments.from) + " to " + digits(*arguments.to);
    std::string route;
    const std::size_t vertices = append_route(route, i, j);
    if (vertices == 0) return print("no path " + ends + '\n');
    return print(digits(d(i, j)) + ' ' + ends + ", over " + digits(vertices - 1) + " edges\n" + route + '\n');
  }
  std::string lines;
  const auto here = static_cast<std::int32_t>((arguments.from ? *arguments.from : *arguments.to) - first);
  for (std::int32_t v = 0; v < graph.vertices; ++v) {
    const std::int32_t i = arguments.from ? here : v, j = arguments.from ? v : here;
    lines += digits(v + first) + '\t' + digits(d(i, j));
    if (arguments.paths) append_route(lines += '\t', i, j);
    lines += '\n';
    if (lines.size() < (1 << 20) && v + 1 < graph.vertices) continue;
    print(lines);
    lines.clear();
  }
}

template <class T>
void run(const blockfw::io::InputFile& file, const Arguments& arguments, homework::Laps& laps, double reading) {
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
  const auto d = solve(exec, graph);
  const double solving = laps.lap();

  const bool asked = arguments.from || arguments.to;
  if (output || asked) {
    const auto on_host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace{}, d);
    if (output) output->write(on_host);
    if (asked) print_distances(on_host, graph, arguments);
  } else {
    print(text("graph       %lld vertices, %zu edges%s (%s), in %s\n", static_cast<long long>(n), graph.edges.size(),
               graph.direction == Direction::undirected ? " both ways" : "", name_of(format_of(file)),
               blockfw::detail::type_name<T>()));
    print_summary(exec, d, graph);
  }
  const double writing = laps.lap();

  if (!arguments.stats) return;
  const double order = static_cast<double>(n), speed = order * order * order * 1e-9 / solving;
  const double limit = blockfw::measure_limit<T>(exec) * 1e-9;
  print_line("reading", reading, homework::rate(static_cast<double>(file.bytes().size()), reading));
  print_line("starting", starting, "Kokkos");
  print_line("solving", solving,
             text("%.1f Grelax/s, %.0f%% of this machine's limit of %.1f (%s, %s)", speed, 100 * speed / limit, limit,
                  blockfw::detail::type_name<T>(), Space::name()));
  print_line("writing", writing, asked || output ? "distances" : "and measuring");
}

/// The narrowest type that will do.
std::string type_for(const blockfw::io::Survey& survey) {
  return blockfw::io::suffices<std::int32_t>(survey)   ? "int32"
         : blockfw::io::suffices<std::int64_t>(survey) ? "int64"
                                                       : "double";
}

void run(const Arguments& arguments) {
  homework::Laps laps;
  std::error_code missing;
  if (std::filesystem::equivalent(arguments.input, arguments.output, missing))
    throw blockfw::FileError(arguments.output + ": the output is the same file as the input");
  const blockfw::io::InputFile file(arguments.input);
  const std::string type = arguments.type == "auto" ? type_for(blockfw::io::survey(file)) : arguments.type;
  const double reading = laps.lap();
  if (type == "int32") return run<std::int32_t>(file, arguments, laps, reading);
  if (type == "int64") return run<std::int64_t>(file, arguments, laps, reading);
  if (type == "float") return run<float>(file, arguments, laps, reading);
  run<double>(file, arguments, laps, reading);
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
  app.add_flag("--stats", arguments.stats, "print the time of each step and the share of the machine's limit");
  try {
    app.parse(argc, argv);
    if (arguments.paths && !arguments.from && !arguments.to) throw CLI::RequiresError("--paths", "--from or --to");
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
    return fail(arguments.input + ": " + homework::line_of(error));
  }
}
