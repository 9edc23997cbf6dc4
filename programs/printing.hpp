// SPDX-License-Identifier: MIT
// The output of apsp: the summary, distances, routes, and the lines of --stats.
#pragma once

#include "arguments.hpp"
#include "distances.hpp"
#include "program.hpp"

#include <Kokkos_Core.hpp>
#include <blockfw/detail/io/file_weights.hpp>
#include <blockfw/io/distances.hpp>
#include <blockfw/measures.hpp>
#include <blockfw/paths.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace apsp {

/// To the standard output. \throws FileError
void print(const std::string& lines);

/// Prints lines, some at a time. \param make  make(put) calls put(lines) for each
template <class Make>
void print_lines(const Make& make) {
  blockfw::io::detail::in_large_pieces(make, print);
}

/// \param output  the name of a file of distances
/// \throws ErrorOfArguments when its ending cannot hold the type
template <class T>
void require_ending(const std::string& output) {
  with_arguments<blockfw::FileError>([&] { blockfw::io::detail::require_ending<T>(output); });
}

template <class T>
std::string digits(T number) {
  std::string text;
  blockfw::io::detail::append_number(text, number);
  return text;
}

/// \brief Prints a summary of the graph.
/// \param lengths  whether distances are lengths; if not, only how many pairs have a path is printed
/// \param selves   whether the distance of a vertex to itself is finite
/// \param mean     whether to print the mean distance, too
template <class T>
void print_summary(const Measures<T>& measures, const Graph<T>& graph, bool lengths, bool selves, bool mean) {
  using program::text;
  const auto extent = blockfw::extent_of(measures.reach);
  const auto name = [&](std::int64_t v) { return digits(graph.name(v)); };
  const auto n = static_cast<double>(graph.in_file);
  const double pairs = measures.paths - (selves ? static_cast<double>(graph.vertices) : 0);  // of different vertices
  double sum = 0;
  for (const auto& r : measures.reach) sum += static_cast<double>(r.sum);
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
/// \param graph  where only distances to a vertex are asked for, with its edges reversed
template <class T>
void print_distances(const Space& exec, const std::vector<T>& row, const Graph<T>& graph, const Arguments& arguments,
                     bool routes) {
  const auto here = static_cast<std::int32_t>(graph.vertex(arguments.asked_of()));
  const bool one = arguments.from && arguments.to;
  std::vector<std::int32_t> tree;  // of all routes; routes to a vertex are reversed
  if (one ? routes : arguments.paths) {
    const auto distances = Kokkos::create_mirror_view_and_copy(
        Space(),
        Kokkos::View<const T*, Kokkos::HostSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>>(row.data(), row.size()));
    tree = blockfw::tree_from(exec, distances, here, graph.edges, {.direction = graph.direction});
  }
  const auto route_to = [&](std::int32_t v) {
    auto route = blockfw::path_in(tree, here, v);
    if (arguments.only_to()) std::reverse(route.begin(), route.end());
    return route;
  };
  const auto route_line = [&](const std::vector<std::int32_t>& route) {
    std::string names;
    for (const std::int32_t v : route) names += (names.empty() ? "" : " ") + digits(graph.name(v));
    return names;
  };
  if (one) {
    const auto there = static_cast<std::int32_t>(graph.vertex(*arguments.to));
    const T distance = row[static_cast<std::size_t>(there)];
    const std::string ends = "from " + digits(*arguments.from) + " to " + digits(*arguments.to);
    if (!(distance < blockfw::infinity<T>)) return print("no path " + ends + '\n');
    if (!routes) return print(digits(distance) + ' ' + ends + '\n');
    const auto route = route_to(there);
    return print(digits(distance) + ' ' + ends + ", over " + digits(route.size() - 1) + " edges\n" + route_line(route) +
                 '\n');
  }

  print_lines([&](const auto& put) {
    graph.for_each_name([&](std::int64_t name, std::int32_t v) {
      std::string line = digits(name) + '\t' + digits(row[static_cast<std::size_t>(v)]);
      if (arguments.paths) line += '\t' + route_line(route_to(v));
      put(line += '\n');
    });
  });
}

/// How a graph was solved.
struct Solving {
  std::int64_t vertices;
  double seconds;
  bool real;  ///< whether the type is float or double
  blockfw::SolveReport report;
  Work work;  ///< of a dense solve
};

/// Prints it, below the times of the steps before it.
void print_solving(const Space& exec, const Solving& solving, const Arguments& arguments);

#define APSP_PRINTING(LINKAGE, T)                                                                                  \
  LINKAGE template void apsp::print_summary<T>(const apsp::Measures<T>&, const apsp::Graph<T>&, bool, bool, bool); \
  LINKAGE template void apsp::print_distances<T>(const apsp::Space&, const std::vector<T>&, const apsp::Graph<T>&, \
                                                 const apsp::Arguments&, bool);

}  // namespace apsp

APSP_TYPES(APSP_PRINTING, extern)
