// SPDX-License-Identifier: MIT
// A run of apsp or apsp-mpi: reads the graph, solves it in some place, and prints and
// writes the answers.
//
// A place has `solve<S>(exec, graph, arguments, report)`, which returns a Distances. If it is several ranks, all of
// them do the run. Only rank 0 has the file, the graph and the answers. A place has three functions for that:
//   alone(f)   calls f() on rank 0. Its error is thrown on all.
//   all(f)     calls f() on every rank. An error is thrown on all.
//   shared(x)  is rank 0's x.
#pragma once

#include "arguments.hpp"
#include "distances.hpp"
#include "elimination.hpp"
#include "input.hpp"
#include "network.hpp"
#include "printing.hpp"
#include "program.hpp"
#include "progress.hpp"
#include "reading.hpp"

#include <Kokkos_Core.hpp>
#include <blockfw/io/distances.hpp>
#include <blockfw/io/graph_file.hpp>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <system_error>
#include <type_traits>
#include <utility>
#include <vector>

namespace apsp {

/// A run of the program, which may try two types.
template <class Place>
struct Session {
  const Arguments& arguments;
  const Place& place;
  program::Laps laps{};
  std::optional<blockfw::io::InputFile> file{};
  std::optional<OtherFiles> others{};
  double reading = 0, starting = 0, solving = 0;  ///< seconds
  std::optional<Kokkos::ScopeGuard> kokkos{};

  void start_kokkos() {
    if (kokkos) return;
    // (Other places have threads or phases that the clock knows nothing of.)
    if (arguments.stats && place.one_instance()) PhaseClock::install();
    kokkos.emplace(program::kokkos_settings());
  }
};

template <class T>
void reverse(std::vector<blockfw::Edge<T>>& edges) {
  for (auto& edge : edges) std::swap(edge.from, edge.to);
}

/// Prints the times until a solve, for --stats.
template <class Place>
void print_start(const Session<Place>& session) {
  program::print_line("reading", session.reading,
                      program::rate(static_cast<double>(session.file->bytes().size()), session.reading));
  program::print_line("starting", session.starting, "Kokkos");
}

/// The row of the distances from a vertex, or the column of the distances to it.
template <class T>
std::vector<T> row_or_column(const HostMatrix<T>& d, std::int64_t vertex, bool column) {
  std::vector<T> distances(d.extent(0));
  const auto fixed = static_cast<std::size_t>(vertex);
  for (std::size_t v = 0; v < distances.size(); ++v) distances[v] = column ? d(v, fixed) : d(fixed, v);
  return distances;
}

/// Leaves out vertices, but those that were asked for. \throws ErrorOfArguments if one of these is not in the file
template <class T>
void keep_asked(Graph<T>& graph, const Arguments& arguments) {
  std::vector<std::int64_t> asked;
  for (const auto& [option, vertex] : {std::pair("--from", arguments.from), std::pair("--to", arguments.to)}) {
    if (!vertex) continue;
    require_vertex(option, *vertex, {graph.first_vertex, graph.in_file});
    asked.push_back(*vertex);
  }
  if (!arguments.writes()) graph.leave_out_lone(asked);
}

/// Has a network answer, on ranks that of rank 0.
template <class S, class Place>
void run_network(Session<Place>& session) {
  session.place.alone([&] {
    NetworkRun<S> network(session.arguments, *session.file, *session.others);
    session.reading += session.laps.lap();
    session.start_kokkos();
    session.starting += session.laps.lap();
    network.prepare();
    session.solving += session.laps.lap();
    network.answer();
    const double answering = session.laps.lap();
    if (!session.arguments.stats) return;
    print_start(session);
    network.print_stats(session.solving, answering);
  });
}

/// \tparam S  the semiring; void for reachability
template <class S, class T, class Place>
void run(Session<Place>& session) {
  if constexpr (!std::is_void_v<S>)
    if (session.arguments.network.asked()) return run_network<S>(session);
  const Arguments& arguments = session.arguments;
  const Place& place = session.place;
  Graph<T> graph;
  std::optional<blockfw::io::DistanceOutput<T>> output;
  place.alone([&] {
    graph = read<T>(*session.file, arguments);
    keep_asked(graph, arguments);
    if (arguments.writes()) {
      require_ending<T>(arguments.output);
      output.emplace(arguments.output, graph.vertices);
    }
    // Distances to a vertex are distances from it over reversed edges. With a file, a column of it is read instead.
    if (arguments.only_to() && !output) reverse(graph.edges);
  });
  session.reading += session.laps.lap();

  place.all([&] { session.start_kokkos(); });
  const Space exec;
  session.starting += session.laps.lap();

  Answer<T> answer;
  bool without_matrix = false;
  place.alone([&] {
    if constexpr (!std::is_void_v<S>)
      if (arguments.by_rows || (!arguments.writes() && (arguments.asked() || arguments.measures_only)))
        if (auto found = answer_without_matrix<S>(exec, graph, arguments, output ? &*output : nullptr)) {
          answer = std::move(*found);
          without_matrix = true;
        }
  });
  std::unique_ptr<Distances<T>> distances;
  if (!place.shared(without_matrix)) distances = place.template solve<S>(exec, graph, arguments, answer.report);
  session.solving += session.laps.lap();

  const std::int64_t vertex = place.shared(arguments.asked() ? graph.vertex(arguments.asked_of()) : 0);
  if (distances && arguments.writes()) {
    const auto matrix = distances->on_host();
    place.alone([&] {
      output->write(matrix);
      if (arguments.asked()) answer.row = row_or_column<T>(matrix, vertex, arguments.only_to());
      if (arguments.only_to()) reverse(graph.edges);
    });
  } else if (distances && arguments.asked()) {
    answer.row = distances->from(vertex);
  } else if (distances) {
    answer.measures = distances->measures();
  }
  place.alone([&] {
    constexpr bool shortest = std::is_same_v<S, blockfw::MinPlus<T>>;
    if (arguments.asked()) return print_distances(exec, answer.row, graph, arguments, shortest);
    if (arguments.writes()) return;
    print(program::text("graph       %lld vertices, %zu %sedges (%s), in %s\n", static_cast<long long>(graph.in_file),
                        graph.edges.size(), graph.direction == blockfw::Direction::undirected ? "undirected " : "",
                        name_of(format_of(*session.file)), blockfw::type_name<T>()));
    constexpr bool selves = [] {
      if constexpr (!std::is_void_v<S>) return S::one() < blockfw::infinity<T>;
      return true;
    }();
    print_summary(answer.measures, graph, shortest, selves, arguments.measures_only);
  });
  const double writing = session.laps.lap();

  if (!arguments.stats) return;
  Solving solving{graph.vertices, session.solving, std::is_floating_point_v<T>, answer.report, {}};
  if constexpr (!std::is_void_v<S>)
    if (distances && place.shared(answer.report.method == blockfw::Method::dense))
      solving.work = distances->work(session.solving);
  place.alone([&] {
    print_start(session);
    print_solving(exec, solving, arguments);
    program::print_line("writing", writing,
                        arguments.asked() || arguments.writes() ? "distances"
                        : arguments.measures_only               ? "the summary"
                                                                : "and measuring");
  });
}

/// The same by the semiring's name.
template <class T, class Place>
void run_named(Session<Place>& session) {
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
  throw std::logic_error("--semiring " + name + " in " + blockfw::type_name<T>());  // (the arguments were checked)
}

enum class Type { int32, int32_if_it_suffices, int64, real32, real64 };

/// The narrowest type that suffices by the weights alone.
inline Type type_for(const blockfw::io::Survey& survey, bool longest_paths) {
  using Longest = blockfw::MaxPlus<std::int32_t>;
  return (longest_paths ? blockfw::io::suffices<std::int32_t, Longest>(survey)
                        : blockfw::io::suffices<std::int32_t>(survey))
             ? Type::int32
         : blockfw::io::suffices<std::int64_t>(survey) ? Type::int64
                                                       : Type::real64;
}

/// The type to compute with.
inline Type type_of(const blockfw::io::InputFile& file, const Arguments& arguments) {
  if (arguments.type != "auto")
    return arguments.type == "int32"   ? Type::int32
           : arguments.type == "int64" ? Type::int64
           : arguments.type == "float" ? Type::real32
                                       : Type::real64;
  if (arguments.semiring == "or-and") return Type::int32;
  const auto survey = blockfw::io::survey(file);
  const Type type = type_for(survey, arguments.semiring == "max-plus");
  if (arguments.semiring == "max-times" || (type == Type::int64 && arguments.semiring != "min-plus"))
    return Type::real64;
  // The bound of an elimination may find out that sums fit, whose work, for one row, is all in 64 bits.
  const bool one_row = arguments.asked() && !arguments.writes();
  const bool may_be_int32 = type == Type::int64 && arguments.chosen() != blockfw::Method::dense && !one_row &&
                            survey.range.smallest >= 0 && survey.range.largest < blockfw::infinity<std::int32_t>;
  return may_be_int32 ? Type::int32_if_it_suffices : type;
}

template <class Place>
void run(const Arguments& arguments, const Place& place) {
  Session<Place> session{arguments, place};
  Type type{};
  place.alone([&] {
    for (const std::string& input : arguments.inputs())
      if (std::error_code missing; std::filesystem::equivalent(input, arguments.output, missing))
        throw ErrorOfArguments<blockfw::FileError>(arguments.output + ": the output is the same file as the input");
    session.file.emplace(program::input_of(arguments.input));
    session.others.emplace(arguments.network);
    type = type_of(*session.file, arguments);
  });
  type = place.shared(type);
  session.reading = session.laps.lap();
  if (type == Type::int32_if_it_suffices) try {
      return run_named<std::int32_t>(session);
    } catch (const blockfw::OverflowRisk&) {
      session.solving += session.laps.lap();
      type = Type::int64;
    }
  switch (type) {
    case Type::int32:
    case Type::int32_if_it_suffices:
      return run_named<std::int32_t>(session);
    case Type::int64:
      return run_named<std::int64_t>(session);
    case Type::real32:
      return run_named<float>(session);
    case Type::real64:
      return run_named<double>(session);
  }
}

/// Advice for the error that the n x n matrix does not fit.
inline std::string advice(const Arguments& arguments) {
  if (arguments.network.asked() || arguments.measures_only || arguments.by_rows || arguments.memory > 0) return "";
  if (arguments.writes()) {
    const bool takes_rows = arguments.output.ends_with(".npy") || arguments.output.ends_with(".bin");
    return takes_rows && arguments.semiring != "or-and" && !arguments.asked() ? "; --by-rows needs no matrix" : "";
  }
  if (arguments.asked())
    return arguments.semiring != "or-and" && arguments.method != "sparse" ? "; --method sparse needs no matrix" : "";
  return arguments.semiring == "min-plus" ? "; --measures-only needs no matrix" : "";
}

/// Calls run(arguments), and prints its error in one line. \return the exit status
template <class Run>
int status_of(const Program& program, int argc, char** argv, const Run& run) {
  Arguments arguments;
  if (const auto status = parse(argc, argv, program, arguments)) return *status;
  const auto fail = [&](const std::exception& error, const std::string& what) {
    if (program.speaks) std::fprintf(stderr, "%s: %s\n", program.name, what.c_str());
    return dynamic_cast<const WrongArgument*>(&error) ? 2 : 1;
  };
  try {
    run(arguments);
    return 0;
  } catch (const blockfw::FileError& error) {
    return fail(error, error.what());
  } catch (const blockfw::OutOfMemory& error) {
    return fail(error, arguments.input + ": " + program::line_of(error) + advice(arguments));
  } catch (const std::exception& error) {
    return fail(error, arguments.input + ": " + program::line_of(error));
  }
}

}  // namespace apsp
