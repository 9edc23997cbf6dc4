// SPDX-License-Identifier: MIT
// The homework on several devices: each holds some rows of the distances and gets the edges that start there. In a
// build for hosts, a device is a group of the host's threads.
//
//   hw3-3 INPUT OUTPUT [--devices N] [--type int32|int64] [--stats]

#include "../../programs/progress.hpp"
#include "homework.hpp"

#include <Kokkos_Core.hpp>
#include <blockfw/io/binary_edges.hpp>
#include <blockfw/multi_device.hpp>

#include <cstdint>
#include <functional>
#include <future>
#include <optional>
#include <string>
#include <type_traits>

namespace {

using program::print_line, program::rate, program::text;
using Space = Kokkos::DefaultExecutionSpace;
constexpr bool on_device = !blockfw::is_host_space<Space>;

template <blockfw::Distance T>
void run(const homework::Arguments& arguments, int count) {
  program::Laps laps;
  const auto input = homework::open_input(arguments);

  std::optional<blockfw::io::OutputFile> file;
  auto reserved = homework::reserve(file, arguments, input.vertices());
  const Kokkos::ScopeGuard kokkos(program::kokkos_settings());
  const blockfw::Devices<Space> devices(count);
  const double starting = laps.lap();

  const auto graph = input.read();
  const double reading = laps.lap();
  const double n = graph.vertices, edge_count = static_cast<double>(graph.edges.extent(0));

  using Least = std::conditional_t<blockfw::is_host_space<Space>, std::int8_t, std::int16_t>;
  blockfw::RowBlocks<Least, Space>::require_memory(devices.list(), graph.vertices);  // the least that it may take
  reserved.get();
  const double reserving = laps.lap();

  blockfw::SolveReport report;
  blockfw::SolveOptions options{.report = &report};
  ProgressBar bar("solving");
  if (bar.wanted() && (!on_device || graph.vertices > 50'000)) options.progress = std::ref(bar);
  std::future<void> prepared;  // while devices solve, the host is free
  if (on_device) prepared = std::async(std::launch::async, [&] { file->prepare(); });
  const auto distances = count > 0 ? blockfw::solve<T>(devices.list(), graph.vertices, graph.edges, options)
                                   : blockfw::solve<T>(devices, graph.vertices, graph.edges, options);
  bar.clear();
  const double solving = report.solve_seconds, building = laps.lap() - solving;

  if (prepared.valid()) prepared.get();
  double to_host = 0;
  distances.visit([&](const auto& d) {
    for (int share = 0; share < d.shares(); ++share)
      to_host += blockfw::io::write_binary_distance_rows(*file, d.exec(share), d.view(share), d.first_row(share));
  });
  file->commit();
  const double writing = reserving + laps.lap() - to_host;

  if (!arguments.stats) return;
  print_line("starting", starting, "Kokkos");
  print_line("reading", reading, rate(edge_count * 12 + 8, reading));
  print_line("building", building, text("%.0f vertices, %.0f edges", n, edge_count));
  print_line("solving", solving,
             program::speed_of(devices.list()[0], graph.vertices, solving, report, distances.shares()));
  if (on_device) print_line("device-to-host", to_host, "not hidden behind writing");
  print_line("writing", writing, rate(n * n * 4, writing));
}

}  // namespace

int main(int argc, char** argv) {
  int devices = 0;
  return homework::run_program(
      argc, argv, "[--devices N] ",
      [&](CLI::App& app) {
        app.add_option("--devices", devices,
                       "number of devices; by default as many as are available and useful (on a host, one group of all "
                       "threads)")
            ->check(CLI::Range(1, 1024));
      },
      [&](const homework::Arguments& arguments) {
        arguments.type == "int64" ? run<std::int64_t>(arguments, devices) : run<std::int32_t>(arguments, devices);
      });
}
