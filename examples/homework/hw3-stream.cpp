// SPDX-License-Identifier: MIT
// The homework with distances that need only fit the disk. They are solved in a file: by a device, in chunks through
// its memory, or, in a build for hosts, in the memory that the file is mapped to. If the solve was stopped for any
// reason, the same command resumes it. Distances that are known to fit 16 (or 32) bits are held in these until the
// rounds are done.
//
//   hw3-stream INPUT OUTPUT [--memory SIZE] [--checkpoint MINUTES] [--type int32|int64] [--stats]

#include "../../programs/progress.hpp"
#include "homework.hpp"

#include <CLI/CLI.hpp>
#include <Kokkos_Core.hpp>
#include <blockfw/io/binary_edges.hpp>
#include <blockfw/io/distance_file.hpp>
#include <blockfw/out_of_core.hpp>

#include <signal.h>  // NOLINT(modernize-deprecated-headers): sigaction() is of POSIX

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string>
#include <type_traits>

namespace {

using program::print_line, program::rate, program::text;
using Space = Kokkos::DefaultExecutionSpace;

volatile sig_atomic_t stopped_by = 0;

struct Stopped {};

/// From here on, the first of these signals asks the solve to stop; a second one ends the process.
void catch_signals() {
  struct sigaction action = {};
  action.sa_handler = [](int signal) { stopped_by = signal; };
  action.sa_flags = static_cast<int>(SA_RESETHAND);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) sigaction(signal, &action, nullptr);
}

struct Options {
  std::uint64_t memory = 0;
  double minutes = 5;
};

/// \return whether it finished; false if it was stopped
template <blockfw::Distance T>
bool run(const homework::Arguments& arguments, const Options& options) {
  program::Laps laps;
  const auto input = homework::open_input(arguments);
  const Kokkos::ScopeGuard kokkos(program::kokkos_settings());
  const Space exec;
  const std::int64_t vertices = input.vertices();
  blockfw::require_out_of_core<T>(exec, vertices, static_cast<double>(options.memory));
  const double starting = laps.lap();

  auto graph = input.read();
  const double n = graph.vertices, edge_count = static_cast<double>(graph.edges.extent(0));
  blockfw::io::DistanceFile<T> file(arguments.output, vertices, blockfw::io::description(graph));
  const double reading = laps.lap();

  catch_signals();
  const double before = static_cast<double>(file.pivots());
  if (file.filled())
    std::fprintf(stderr, "hw3-stream: resuming from %s: %.0f of %.0f vertices are done\n", file.part().c_str(), before,
                 n);
  else
    file.fill(graph.edges);
  graph.edges = {};
  std::optional<blockfw::io::OutputFile> narrow;  // reserves its disk space, too, before the work
  if constexpr (!std::is_same_v<T, std::int32_t>)
    narrow.emplace(arguments.output, blockfw::io::binary_distances_bytes(graph.vertices));
  const double building = laps.lap();

  ProgressBar bar("solving");
  blockfw::OutOfCoreStats stats;
  blockfw::SolveReport report;
  try {
    stats = file.solve(exec,
                       {.solve = {.progress =
                                      [&](std::int64_t done, std::int64_t all) {
                                        if (stopped_by != 0) throw Stopped{};
                                        if (bar.wanted() && done > 0) bar(done, all);
                                      },
                                  .report = &report},
                        .memory = static_cast<double>(options.memory)},
                       options.minutes);
  } catch (const Stopped&) {
    bar.clear();
    std::fprintf(stderr, "hw3-stream: stopped with %lld of %.0f vertices done; the same command resumes from %s\n",
                 static_cast<long long>(file.pivots()), n, file.part().c_str());
    return false;
  }
  bar.clear();
  const double solving = laps.lap();

  if constexpr (std::is_same_v<T, std::int32_t>) {
    file.commit();
  } else {
    try {
      blockfw::io::write_binary_distances(*narrow, file.view());
    } catch (const blockfw::OverflowRisk&) {
      file.discard();  // it is of no further use
      throw;
    }
    narrow->flush();
    narrow->commit();
    file.discard();
  }
  const double writing = laps.lap();

  if (!arguments.stats) return true;
  print_line("starting", starting, "Kokkos");
  print_line("reading", reading, rate(edge_count * 12 + 8, reading));
  print_line("building", building, text("%.0f vertices, %.0f edges", n, edge_count));
  // (As if all vertices had been done now, at the speed of those that were.)
  print_line("solving", solving, program::speed_of(exec, vertices, solving * n / (n - before), report));
  print_line("  loading", stats.load_seconds,
             text("%d chunks of %lld rows in %.2f GB; %.1f GB", stats.chunks, static_cast<long long>(stats.chunk_rows),
                  stats.memory * 1e-9, stats.loaded * 1e-9));
  print_line("  storing", stats.store_seconds, text("%.1f GB", stats.stored * 1e-9));
  print_line("  waiting", stats.waiting_seconds, "for chunks");
  print_line("writing", writing, "to the disk");
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  Options options;
  const int status = homework::run_program(
      argc, argv, "[--memory SIZE] [--checkpoint MINUTES] ",
      [&](CLI::App& app) {
        app.add_option("--memory", options.memory,
                       "memory to use, like 4G; by default nine tenths of the available memory")
            ->transform(program::memory_size());
        app.add_option("--checkpoint", options.minutes, "minutes from one checkpoint to the next")
            ->check(CLI::Range(0.0, 1e6))
            ->check([](const std::string& minutes) -> std::string {  // (a range takes NaN)
              return std::strtod(minutes.c_str(), nullptr) >= 0 ? "" : minutes + " is not 0 or more minutes";
            })
            ->capture_default_str();
      },
      [&](const homework::Arguments& arguments) {
        const bool done =
            arguments.type == "int64" ? run<std::int64_t>(arguments, options) : run<std::int32_t>(arguments, options);
        if (!done) raise(stopped_by);  // its handler is the default again (SA_RESETHAND)
      });
  return status;
}
