// SPDX-License-Identifier: MIT
// All shortest paths of a graph in a file of any format: a summary of the graph, one path, or all distances.
//
//   apsp INPUT [-o OUTPUT] [--from S] [--to T] [--paths] [--type auto|int32|int64|float|double]
//        [--undirected] [--unweighted] [--semiring NAME] [--method auto|dense|sparse] [--measures-only] [--stats]

#include "phase_clock.hpp"
#include "program.hpp"
#include "progress_bar.hpp"

#include <CLI/CLI.hpp>
#include <Kokkos_Core.hpp>
#include <blockfw/apsp.hpp>
#include <blockfw/io/distances.hpp>
#include <blockfw/io/graph_file.hpp>
#include <blockfw/measures.hpp>
#include <blockfw/paths.hpp>
#include <blockfw/sparse.hpp>
#include <blockfw/transitive_closure.hpp>

#include <algorithm>
#include <cerrno>
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

using blockfw::Direction, blockfw::Method, blockfw::io::Graph, program::print_line, program::text;
using Space = Kokkos::DefaultExecutionSpace;

struct Arguments {
  std::string input, output, type = "auto";
  std::optional<std::int64_t> from, to;
  std::string semiring = "min-plus", method = "auto";
  bool paths = false, measures_only = false, undirected = false, unweighted = false, stats = false;

  /// Whether the distances from or to a vertex are wanted.
  bool asked() const { return from || to; }
  /// Whether only those to a vertex are.
  bool only_to() const { return to && !from; }
  Method chosen() const {
    return method == "dense" ? Method::dense : method == "sparse" ? Method::sparse : Method::automatic;
  }
};

/// A run of the program, which may try two types.
struct Session {
  const Arguments& arguments;
  const blockfw::io::InputFile& file;
  program::Laps& laps;
  double reading = 0, starting = 0, solving = 0;  ///< seconds
  std::optional<Kokkos::ScopeGuard> kokkos{};

  void start_kokkos() {
    if (kokkos) return;
    if (arguments.stats) PhaseClock::install();
    kokkos.emplace(Kokkos::InitializationSettings().set_disable_warnings(true));
  }
};

template <class T>
void reverse(std::vector<blockfw::Edge<T>>& edges) {
  for (auto& edge : edges) std::swap(edge.from, edge.to);
}

template <class Distances, class T = typename Distances::value_type>
void replace(const Space& exec, const Distances& d, T old, T with) {
  const auto n = static_cast<std::int64_t>(d.extent(1)), entries = static_cast<std::int64_t>(d.size());
  Kokkos::parallel_for(
      "replace", Kokkos::RangePolicy<Space, Kokkos::IndexType<std::int64_t>>(exec, 0, entries),
      KOKKOS_LAMBDA(std::int64_t e) {
        if (d(e / n, e % n) == old) d(e / n, e % n) = with;
      });
  exec.fence("replace");
}

/// No path is infinity<T> (0 where weights are probabilities).
template <class S, class Distances>
void mark_no_path(const Space& exec, const Distances& d) {
  using T = typename S::value_type;
  if constexpr (S::zero() < T(0)) replace(exec, d, S::zero(), blockfw::infinity<T>);
}

/// What f() returns; its errors name vertices as the file does.
template <class T, class F>
std::invoke_result_t<F> with_names_of(const Graph<T>& graph, const F& f) {
  try {
    return f();
  } catch (const blockfw::NegativeCycle& error) {
    throw blockfw::NegativeCycle(error.vertex + graph.first_vertex);
  } catch (const blockfw::DivergentCycle& error) {
    throw blockfw::DivergentCycle(error.vertex + graph.first_vertex);
  }
}

/// \brief The ⊕ of all paths, in the memory of Space.
/// \param report  filled in
template <class S, class T>
blockfw::DistanceMatrix<T> solve(const Space& exec, const Graph<T>& graph, Method method,
                                 blockfw::SolveReport& report) {
  blockfw::SolveOptions options{.direction = graph.direction, .method = method, .report = &report};
  ProgressBar bar("solving");
  if (bar.wanted()) options.progress = std::ref(bar);
  const auto d = with_names_of(graph, [&] { return blockfw::solve<S>(exec, graph.vertices, graph.edges, options); });
  mark_no_path<S>(exec, d);
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

/// What is to be told of a graph.
template <class T>
struct Answer {
  std::vector<T> line;                   ///< the distances from one vertex, or to one
  std::vector<blockfw::Reach<T>> reach;  ///< of all vertices
  blockfw::SolveReport report;
};

/// The structure of the graph if the answer takes no n x n matrix: by --measures-only, or where elimination is asked
/// for or, as in solve(), costs less.
template <class T>
std::optional<blockfw::SparseAnalysis> analysis_for(const Graph<T>& graph, const Arguments& arguments) {
  const Method method = arguments.measures_only ? Method::sparse : arguments.chosen();
  return blockfw::analysis_if_sparse<Space>(graph.vertices, graph.edges, graph.direction, method);
}

/// Measures of all vertices, or the distances from one (or to one, of which the edges are reversed), by elimination and
/// without the n x n matrix; nothing if the dense method is the one.
template <class S, class T>
std::optional<Answer<T>> answer_without_matrix(const Space& exec, Graph<T>& graph, const Arguments& arguments) {
  const Kokkos::Timer analysing;
  const auto analysis = analysis_for(graph, arguments);
  if (!analysis) return {};
  Answer<T> answer;
  const auto n = static_cast<double>(graph.vertices);
  answer.report = {.bits = 8 * int(sizeof(T)), .method = Method::sparse, .separator = analysis->widest()};
  answer.report.analysis_seconds = analysing.seconds();
  if (arguments.only_to()) reverse(graph.edges);

  const Kokkos::Timer eliminating;
  const auto factor = with_names_of(
      graph, [&] { return blockfw::SparseFactor<S, Space>(exec, *analysis, graph.edges, graph.direction); });
  answer.report.half = factor.symmetric();
  answer.report.factor_seconds = eliminating.seconds();

  const Kokkos::Timer sweeping;
  if (arguments.measures_only) {
    if constexpr (std::is_same_v<S, blockfw::MinPlus<T>>) {  // (the arguments were checked)
      ProgressBar bar("measuring");
      answer.reach = factor.reach(blockfw::Towards::others, bar.wanted() ? blockfw::Progress(std::ref(bar)) : nullptr);
    }
    answer.report.relaxes = analysis->factor_relaxes() + analysis->solve_relaxes();
    answer.report.dense_relaxes = n * n * n * (answer.report.half ? 0.5 : 1);
  } else {
    const std::int64_t sources[] = {(arguments.from ? *arguments.from : *arguments.to) - graph.first_vertex};
    const auto rows = factor.distances_from(sources);
    mark_no_path<S>(exec, rows);
    const auto on_host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace{}, rows);
    answer.line.assign(on_host.data(), on_host.data() + on_host.size());
    answer.report.relaxes = analysis->factor_relaxes() + analysis->solve_relaxes() / n;
  }
  answer.report.solve_seconds = sweeping.seconds();
  return answer;
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

/// \brief Prints a summary of the graph.
/// \param lengths  whether distances are lengths; if not, only which vertices reach which is printed
/// \param selves   whether the distance of a vertex to itself is finite
/// \param mean     whether to print the mean distance, too
template <class T>
void print_summary(const std::vector<blockfw::Reach<T>>& reach, const Graph<T>& graph, bool lengths, bool selves,
                   bool mean) {
  const auto extent = blockfw::extent_of(reach);
  const auto name = [&](std::int64_t v) { return digits(v + graph.first_vertex); };
  const auto n = static_cast<double>(graph.vertices);
  double pairs = selves ? -n : 0, sum = 0;  // of different vertices
  for (const auto& r : reach) {
    pairs += static_cast<double>(r.vertices);
    sum += static_cast<double>(r.sum);
  }
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
    if (mean && pairs > 0) lines += text("mean        %.8g\n", sum / pairs);
  }
  print(lines);
}

/// Prints the distances from one vertex, or to one. If both are given, prints one distance, with its route if `routes`.
template <class T>
void print_distances(const Space& exec, const std::vector<T>& line, const Graph<T>& graph, const Arguments& arguments,
                     bool routes) {
  const std::int64_t first = graph.first_vertex;
  const auto here = static_cast<std::int32_t>((arguments.from ? *arguments.from : *arguments.to) - first);
  const bool one = arguments.from && arguments.to;
  std::vector<std::int32_t> tree;  // of all routes; those to a vertex are reversed
  if (one ? routes : arguments.paths) {
    const auto distances = Kokkos::create_mirror_view_and_copy(
        Space(),
        Kokkos::View<const T*, Kokkos::HostSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>>(line.data(), line.size()));
    tree = blockfw::tree_from(exec, distances, here, graph.edges, graph.direction);
  }
  const auto route_to = [&](std::int32_t v) {
    auto route = blockfw::path_in(tree, here, v);
    if (arguments.only_to()) std::reverse(route.begin(), route.end());
    return route;
  };
  const auto route_line = [&](const std::vector<std::int32_t>& route) {
    std::string names;
    for (const std::int32_t v : route) names += (names.empty() ? "" : " ") + digits(v + first);
    return names;
  };
  if (one) {
    const auto there = static_cast<std::int32_t>(*arguments.to - first);
    const T distance = line[static_cast<std::size_t>(there)];
    const std::string ends = "from " + digits(*arguments.from) + " to " + digits(*arguments.to);
    if (!(distance < blockfw::infinity<T>)) return print("no path " + ends + '\n');
    if (!routes) return print(digits(distance) + ' ' + ends + '\n');
    const auto route = route_to(there);
    return print(digits(distance) + ' ' + ends + ", over " + digits(route.size() - 1) + " edges\n" + route_line(route) +
                 '\n');
  }

  std::string lines;
  for (std::int32_t v = 0; v < graph.vertices; ++v) {
    lines += digits(v + first) + '\t' + digits(line[static_cast<std::size_t>(v)]);
    if (arguments.paths) lines += '\t' + route_line(route_to(v));
    lines += '\n';
    if (lines.size() < (1 << 20) && v + 1 < graph.vertices) continue;
    print(lines);
    lines.clear();
  }
}

/// The row of the distances from a vertex, or the column of those to it.
template <class T, class OnHost>
std::vector<T> line_of(const OnHost& d, std::int64_t vertex, bool column) {
  std::vector<T> line(d.extent(0));
  const auto fixed = static_cast<std::size_t>(vertex);
  for (std::size_t v = 0; v < line.size(); ++v) line[v] = column ? d(v, fixed) : d(fixed, v);
  return line;
}

/// \brief Prints how the graph was solved, below the times of the steps before it.
/// \param real  whether the type is float or double
template <class S, bool real>
void print_solving(const Space& exec, std::int64_t vertices, double seconds, const blockfw::SolveReport& report,
                   const Arguments& arguments) {
  const auto n = static_cast<double>(vertices);
  if constexpr (std::is_void_v<S>) {
    print_line("solving", seconds, text("dense, %.1f Grelax/s", n * n * n * 1e-9 / seconds));
  } else if (report.method == Method::dense) {
    print_line("solving", seconds, "dense, " + program::speed_of<real>(exec, vertices, seconds, report));
    const double first = PhaseClock::phase(1), second = PhaseClock::phase(2);
    print_line("  phase 1", first, "in launches of its own");
    print_line("  phase 2", second, "in launches of its own");
    print_line("  phase 3", seconds - first - second, "and all else");
  } else {
    const std::string fewer =
        report.dense_relaxes > 0 ? text(", %.0f times fewer than dense", report.dense_relaxes / report.relaxes) : "";
    print_line("solving", seconds,
               text("sparse, %.3g Grelax%s (%s)", report.relaxes * 1e-9, fewer.c_str(),
                    program::type_of<real>(exec, report).c_str()));
    print_line("  order", report.analysis_seconds,
               text("and structure, the widest separator has %lld vertices", static_cast<long long>(report.separator)));
    print_line("  factor", report.factor_seconds, "the supernodes, eliminated");
    const double rate = n * n * 1e-9 / report.solve_seconds;
    if (arguments.measures_only)
      print_line("  measures", report.solve_seconds, text("%.2f G distances/s, none kept", rate));
    else if (report.dense_relaxes > 0)
      print_line("  distances", report.solve_seconds,
                 text("%.2f G distances/s, %.2f GB/s", rate, rate * report.bits / 8));
    else
      print_line("  distances", report.solve_seconds, arguments.only_to() ? "to one vertex" : "from one vertex");
  }
}

/// \tparam S  the semiring; void for reachability
template <class S, class T>
void run(Session& session) {
  constexpr bool shortest = std::is_same_v<S, blockfw::MinPlus<T>>;
  const Arguments& arguments = session.arguments;
  auto graph = blockfw::io::read_graph<T>(session.file);
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
  session.reading += session.laps.lap();

  session.start_kokkos();
  const Space exec;
  session.starting += session.laps.lap();

  std::optional<Answer<T>> answer;
  if constexpr (!std::is_void_v<S>)
    if (!output && (arguments.asked() || arguments.measures_only))
      answer = answer_without_matrix<S>(exec, graph, arguments);
  blockfw::DistanceMatrix<T> d;
  if (!answer) {
    answer.emplace();
    if constexpr (std::is_void_v<S>)
      d = reachability(exec, graph);
    else
      d = solve<S>(exec, graph, arguments.chosen(), answer->report);
  }
  session.solving += session.laps.lap();

  if (d.data() != nullptr && (output || arguments.asked())) {
    const auto on_host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace{}, d);
    if (output) output->write(on_host);
    if (arguments.asked())
      answer->line = line_of<T>(on_host, (arguments.from ? *arguments.from : *arguments.to) - graph.first_vertex,
                                arguments.only_to());
    if (arguments.only_to()) reverse(graph.edges);
  }
  if (arguments.asked()) {
    print_distances(exec, answer->line, graph, arguments, shortest);
  } else if (!output) {
    print(text("graph       %lld vertices, %zu edges%s (%s), in %s\n", static_cast<long long>(n), graph.edges.size(),
               graph.direction == Direction::undirected ? " both ways" : "", name_of(format_of(session.file)),
               blockfw::type_name<T>()));
    constexpr bool selves = [] {
      if constexpr (!std::is_void_v<S>) return S::one() < blockfw::infinity<T>;
      return true;
    }();
    if (!arguments.measures_only) answer->reach = blockfw::reach(exec, d);
    print_summary(answer->reach, graph, shortest, selves, arguments.measures_only);
  }
  const double writing = session.laps.lap();

  if (!arguments.stats) return;
  print_line("reading", session.reading,
             program::rate(static_cast<double>(session.file.bytes().size()), session.reading));
  print_line("starting", session.starting, "Kokkos");
  print_solving<S, std::is_floating_point_v<T>>(exec, n, session.solving, answer->report, arguments);
  print_line("writing", writing,
             arguments.asked() || output ? "distances"
             : arguments.measures_only   ? "the summary"
                                         : "and measuring");
}

/// The same by the semiring's name.
template <class T>
void run_named(Session& session) {
  const std::string& name = session.arguments.semiring;
  if (name == "min-plus") return run<blockfw::MinPlus<T>, T>(session);
  if constexpr (std::is_same_v<T, std::int32_t>)
    if (name == "or-and") return run<void, T>(session);
  if constexpr (std::is_same_v<T, double>)
    if (name == "max-times") return run<blockfw::MaxTimes<T>, T>(session);
  if constexpr (std::is_same_v<T, std::int32_t> || std::is_same_v<T, double>) {
    if (name == "max-plus") return run<blockfw::MaxPlus<T>, T>(session);
    if (name == "max-min") return run<blockfw::MaxMin<T>, T>(session);
    if (name == "min-max") return run<blockfw::MinMax<T>, T>(session);
  }
  throw blockfw::InvalidInput("--semiring " + name + " in " + blockfw::type_name<T>() + ", expected " +
                              (name == "or-and"      ? "int32"
                               : name == "max-times" ? "double"
                                                     : "int32 or double"));
}

/// The narrowest type that suffices by the weights alone.
std::string type_for(const blockfw::io::Survey& survey, bool longest_paths) {
  using Longest = blockfw::MaxPlus<std::int32_t>;
  return (longest_paths ? blockfw::io::suffices<std::int32_t, Longest>(survey)
                        : blockfw::io::suffices<std::int32_t>(survey))
             ? "int32"
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
  bool may_be_int32 = false;  // by the bound of an elimination, which finds out whether sums fit
  if (type == "auto") {
    const bool any = arguments.semiring == "or-and";
    const auto survey = any ? blockfw::io::Survey{} : blockfw::io::survey(file);
    type = any ? "int32" : type_for(survey, arguments.semiring == "max-plus");
    if (arguments.semiring == "max-times" || (type == "int64" && arguments.semiring != "min-plus")) type = "double";
    const bool one_line = arguments.asked() && arguments.output.empty();  // all work is in the elimination, in 64 bits
    may_be_int32 = type == "int64" && arguments.chosen() != Method::dense && !one_line && survey.range.smallest >= 0 &&
                   survey.range.largest < blockfw::infinity<std::int32_t>;
  }
  Session session{arguments, file, laps, laps.lap()};
  if (may_be_int32) try {
      return run_named<std::int32_t>(session);
    } catch (const blockfw::OverflowRisk&) {
      session.solving += laps.lap();
    }
  if (type == "int32") return run_named<std::int32_t>(session);
  if (type == "int64") return run_named<std::int64_t>(session);
  if (type == "float") return run_named<float>(session);
  run_named<double>(session);
}

/// What to add to the error if the n x n matrix does not fit.
std::string way_out(const Arguments& arguments) {
  if (!arguments.output.empty() || arguments.measures_only) return "";
  if (arguments.asked())
    return arguments.semiring != "or-and" && arguments.method != "sparse" ? "; --method sparse needs no matrix" : "";
  return arguments.semiring == "min-plus" ? "; --measures-only needs no matrix" : "";
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
  app.add_option(
         "--method", arguments.method,
         "how to solve: dense, by rounds over the whole matrix; sparse, by elimination; auto is what costs less")
      ->check(CLI::IsMember({"auto", "dense", "sparse"}))
      ->capture_default_str();
  app.add_flag(
      "--measures-only", arguments.measures_only,
      "the summary and the mean distance without the matrix of all distances, for graphs whose matrix does not fit");
  app.add_flag("--stats", arguments.stats, "print the time of each step, and the share of the machine's limit");
  try {
    app.parse(argc, argv);
    if (arguments.measures_only)
      for (const auto& [given, option] :
           {std::pair(!arguments.output.empty(), "-o"), std::pair(arguments.from.has_value(), "--from"),
            std::pair(arguments.to.has_value(), "--to"), std::pair(arguments.paths, "--paths"),
            std::pair(arguments.chosen() == Method::dense, "--method dense")})
        if (given) throw CLI::ExcludesError("--measures-only", option);
    if (arguments.measures_only && arguments.semiring != "min-plus")
      throw CLI::ValidationError("--measures-only", "takes shortest paths, --semiring min-plus");
    if (arguments.chosen() == Method::sparse && arguments.semiring == "or-and")
      throw CLI::ValidationError("--method", "sparse has no --semiring or-and, expected auto or dense");
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
  } catch (const blockfw::OutOfMemory& error) {
    return fail(arguments.input + ": " + program::line_of(error) + way_out(arguments));
  } catch (const std::exception& error) {
    return fail(arguments.input + ": " + program::line_of(error));
  }
}
