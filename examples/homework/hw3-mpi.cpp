// SPDX-License-Identifier: MIT
// The homework on many ranks of MPI, on the hosts' cores or with a device each.
//
//   mpirun -n 4 hw3-mpi INPUT OUTPUT [--type int32|int64] [--stats]

#include "../../programs/mpi.hpp"
#include "../../programs/progress.hpp"
#include "homework.hpp"

#include <mpi.h>
#include <Kokkos_Core.hpp>
#include <blockfw/distributed.hpp>
#include <blockfw/io/binary_edges_mpi.hpp>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <type_traits>

namespace {

using program::print_line, program::rate, program::text;
using Space = Kokkos::DefaultExecutionSpace;
constexpr bool on_device = !blockfw::is_host_space<Space>;

template <blockfw::Distance T>
void run(const program::Mpi& mpi, const homework::Arguments& arguments) {
  program::Laps laps;
  const blockfw::Communicator ranks(MPI_COMM_WORLD);
  blockfw::detail::together(ranks, [&] { homework::open_input(arguments); });
  const blockfw::io::BinaryEdgesRanksInput input(MPI_COMM_WORLD, arguments.input);
  std::optional<Kokkos::ScopeGuard> kokkos;
  blockfw::detail::together(ranks, [&] { kokkos.emplace(program::kokkos_settings()); });
  const double starting = laps.lap();

  auto part = input.read();
  const double reading = laps.lap();

  // The least that it may take.
  using Least = std::conditional_t<blockfw::is_host_space<Space>, std::int8_t, std::int16_t>;
  blockfw::DistributedMatrix<Least, Space>::require_memory(MPI_COMM_WORLD, input.vertices());
  blockfw::io::BinaryDistancesRanksOutput file(MPI_COMM_WORLD, arguments.output, input.vertices());
  const double reserving = laps.lap();

  blockfw::SolveReport report;
  blockfw::SolveOptions options{.report = &report};
  ProgressBar bar("solving");
  // On a device, calls of progress keep rounds from overlapping, so only graphs that take several seconds get a bar.
  if (mpi.first() && ProgressBar::wanted() && (!on_device || input.vertices() > 50'000))
    options.progress = std::ref(bar);
  const auto distances = blockfw::solve<T>(MPI_COMM_WORLD, input.vertices(), part.graph.edges,
                                           blockfw::RankOptions{.solve = options, .first_edge = part.first});
  bar.clear();
  part = {};
  const double solving = ranks.reduce(report.solve_seconds, MPI_MAX), building = laps.lap() - solving;

  file.write(distances);
  file.commit();
  const double writing = reserving + laps.lap();

  if (!arguments.stats) return;
  const double n = input.vertices(), edge_count = input.edges();
  const Space exec;
  const double limit = ranks.reduce(program::limit_of(exec, report), MPI_SUM);
  const auto grid = distances.visit([](const auto& d) { return d.grid(); });
  const std::string how = program::type_of(report) + text(", %d x %d ranks", grid.rows, grid.columns) +
                          (on_device ? text(", %s", Space::name()) : text(" of %d threads", exec.concurrency()));
  if (!mpi.first()) return;
  print_line("starting", starting, "Kokkos");
  print_line("reading", reading, rate(edge_count * 12 + 8, reading));
  print_line("building", building, text("%.0f vertices, %.0f edges", n, edge_count));
  print_line("solving", solving, program::speed_beside(limit, "these ranks'", input.vertices(), solving, report, how));
  print_line("writing", writing, rate(n * n * 4, writing));
}

}  // namespace

int main(int argc, char** argv) {
  const program::Mpi mpi(&argc, &argv);
  return homework::run_program(
      argc, argv, "", [](CLI::App&) {},
      [&](const homework::Arguments& arguments) {
        program::on_all_ranks("hw3-mpi", arguments.input, [&] {
          arguments.type == "int64" ? run<std::int64_t>(mpi, arguments) : run<std::int32_t>(mpi, arguments);
        });
      },
      mpi.first());
}
