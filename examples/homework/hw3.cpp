// SPDX-License-Identifier: MIT
// The homework: all-pairs shortest paths from one binary file to another, on the host's cores (hw3-1) or on a device
// (hw3-2).
//
//   hw3-1 INPUT OUTPUT [--type int32|int64] [--stats]

#include "../../programs/progress.hpp"
#include "homework.hpp"

#include <Kokkos_Core.hpp>
#include <blockfw/apsp.hpp>
#include <blockfw/io/binary_edges.hpp>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

namespace {

using program::print_line, program::rate, program::text;
using Space = HW3_SPACE;
constexpr bool on_device = !blockfw::is_host_space<Space>;

template <blockfw::Distance T>
void run(const homework::Arguments& arguments) {
  program::Laps laps;
  const auto input = homework::open_input(arguments);

  std::optional<blockfw::io::OutputFile> file;
  auto reserved = homework::reserve(file, arguments, input.vertices());
  if (arguments.stats) PhaseClock::install();
  const Kokkos::ScopeGuard kokkos(program::kokkos_settings());
  const Space exec;
  const double starting = laps.lap();

  auto graph = input.read();
  const double reading = laps.lap();
  const double n = graph.vertices, edge_count = static_cast<double>(graph.edges.extent(0));

  const auto distances = blockfw::allocate_distances<T>(exec, graph.vertices);
  auto edges = blockfw::reachable_edges(exec, graph.edges);
  exec.fence("copy of the edges");
  const double to_device = laps.lap();

  const auto weights = blockfw::fill_from_edges(exec, distances, edges);
  graph.edges = {};
  edges = {};
  const double building = laps.lap();

  reserved.get();
  const double reserving = laps.lap();

  blockfw::SolveReport report;
  blockfw::SolveOptions options{.report = &report};
  ProgressBar bar("solving");
  // On a device, calls of progress keep rounds from overlapping, so only graphs that take several seconds get a bar.
  if (bar.wanted() && (!on_device || graph.vertices > 50'000)) options.progress = std::ref(bar);
  if (on_device) options.meanwhile = [&] { file->prepare(); };
  blockfw::solve_distances(exec, distances, weights, options);
  bar.clear();
  const double solving = laps.lap();

  const double to_host = blockfw::io::write_binary_distances(*file, distances);
  file->commit();
  const double writing = reserving + laps.lap() - to_host;

  if (!arguments.stats) return;
  const double edge_bytes = edge_count * 12;
  print_line("starting", starting, "Kokkos");
  print_line("reading", reading, rate(edge_bytes + 8, reading));
  if (on_device) print_line("host-to-device", to_device, rate(edge_bytes, to_device));
  print_line("building", building, text("%.0f vertices, %.0f edges", n, edge_count));
  print_line("solving", solving, program::speed_of(exec, graph.vertices, solving, report));
  print_line("  phase 1", PhaseClock::phase(1), "in launches of its own");
  print_line("  phase 2", PhaseClock::phase(2), "in launches of its own");
  print_line("  phase 3", solving - PhaseClock::phase(1) - PhaseClock::phase(2),
             "and other phases within its launches");
  if (on_device) print_line("device-to-host", to_host, "not hidden behind writing");
  print_line("writing", writing, rate(n * n * 4, writing));
}

}  // namespace

int main(int argc, char** argv) {
  return homework::run_program(
      argc, argv, "", [](CLI::App&) {},
      [](const homework::Arguments& arguments) {
        arguments.type == "int64" ? run<std::int64_t>(arguments) : run<std::int32_t>(arguments);
      });
}
