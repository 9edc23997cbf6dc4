// The homework: all-pairs shortest paths from one binary file to another, on the host's cores (hw3-1) or on a device
// (hw3-2).
//
//   hw3-1 INPUT OUTPUT [--type int32|int64] [--stats]

#include "phase_clock.hpp"
#include "progress_bar.hpp"

#include <CLI/CLI.hpp>
#include <Kokkos_Core.hpp>
#include <blockfw/apsp.hpp>
#include <blockfw/io/homework.hpp>
#include <blockfw/limit.hpp>

#include <cstdint>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <functional>
#include <future>
#include <optional>
#include <string>
#include <system_error>

namespace {

using Space = HW3_SPACE;
constexpr bool on_device = !blockfw::is_host_space<Space>;

struct Arguments {
  std::string input, output, type = "int32";
  bool stats = false;
};

void print_line(const char* what, double seconds, const std::string& remark) {
  std::printf("%-14s %8.3f s   %s\n", what, seconds, remark.c_str());
}

template <class... Values>
std::string text(const char* format, Values... values) {
  char buffer[160];
  std::snprintf(buffer, sizeof buffer, format, values...);
  return buffer;
}

std::string rate(double bytes, double seconds) {
  return text("%.1f MB, %.2f GB/s", bytes * 1e-6, bytes * 1e-9 / seconds);
}

template <blockfw::Distance T>
void run(const Arguments& arguments) {
  Kokkos::Timer timer;
  const auto lap = [&] {
    const double seconds = timer.seconds();
    timer.reset();
    return seconds;
  };

  std::error_code missing;
  if (std::filesystem::equivalent(arguments.input, arguments.output, missing))
    throw blockfw::FileError(arguments.output + ": the output is the same file as the input");
  const blockfw::io::HomeworkInput input(arguments.input);

  // While Kokkos starts and the edges are read, the system looks for the output's disk space.
  std::optional<blockfw::io::OutputFile> file;
  auto reserved = std::async(std::launch::async, [&] {
    file.emplace(arguments.output, blockfw::io::homework_output_bytes(input.vertices()));
  });
  if (arguments.stats) PhaseClock::install();
  const Kokkos::ScopeGuard kokkos(Kokkos::InitializationSettings().set_disable_warnings(true));
  const Space exec;
  const double starting = lap();

  auto graph = input.read();
  const double reading = lap();
  const double n = graph.vertices, edge_count = static_cast<double>(graph.edges.extent(0));

  const auto distances = blockfw::allocate_distances<T>(exec, graph.vertices);
  auto edges = blockfw::reachable_edges(exec, graph.edges);
  exec.fence("copy of the edges");
  const double to_device = lap();

  const auto weights = blockfw::fill_from_edges(exec, distances, edges);
  graph.edges = {};
  edges = {};
  const double building = lap();

  reserved.get();
  const double reserving = lap();

  blockfw::SolveOptions options;
  ProgressBar bar("solving");
  // On a device watched rounds do not overlap; the bar is for graphs that take more than some seconds even there.
  if (bar.wanted() && (!on_device || graph.vertices > 50'000)) options.progress = std::ref(bar);
  if (on_device) options.meanwhile = [&] { file->prepare(); };
  blockfw::solve_distances(exec, distances, weights, options);
  bar.clear();
  const double solving = lap();

  const double to_host = blockfw::io::write_homework(*file, distances);
  file->commit();
  const double writing = reserving + lap() - to_host;

  if (!arguments.stats) return;
  const double speed = n * n * n * 1e-9 / solving, limit = blockfw::measure_limit<T>(exec) * 1e-9;
  const double edge_bytes = edge_count * 12;
  const std::string where = on_device ? Space::name() : text("%d threads", exec.concurrency());
  print_line("starting", starting, "Kokkos");
  print_line("reading", reading, rate(edge_bytes + 8, reading));
  if (on_device) print_line("host-to-device", to_device, rate(edge_bytes, to_device));
  print_line("building", building, text("%.0f vertices, %.0f edges", n, edge_count));
  print_line("solving", solving,
             text("%.1f Grelax/s, %.0f%% of this machine's limit of %.1f (%s, %s)", speed, 100 * speed / limit, limit,
                  arguments.type.c_str(), where.c_str()));
  print_line("  phase 1", PhaseClock::phase(1), "in launches of its own");
  print_line("  phase 2", PhaseClock::phase(2), "in launches of its own");
  print_line("  phase 3", solving - PhaseClock::phase(1) - PhaseClock::phase(2),
             "and other phases within its launches");
  if (on_device) print_line("device-to-host", to_host, "not hidden behind writing");
  print_line("writing", writing, rate(n * n * 4, writing));
}

}  // namespace

int main(int argc, char** argv) {
  const std::string name = std::filesystem::path(argv[0]).filename();
  Arguments arguments;
  CLI::App app("All-pairs shortest paths of a homework file");
  app.add_option("INPUT", arguments.input, "V, E, then E edges (source, destination, weight), as int32")->required();
  app.add_option("OUTPUT", arguments.output, "V x V distances as int32, 1073741823 where there is no path")->required();
  app.add_option("--type", arguments.type, "type to compute with; int64 for weights whose sums are large")
      ->check(CLI::IsMember({"int32", "int64"}))
      ->capture_default_str();
  app.add_flag("--stats", arguments.stats, "print the time of each step and the share of the machine's limit");
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp& help) {
    return app.exit(help);
  } catch (const CLI::ParseError& error) {
    std::fprintf(stderr, "%s: %s (usage: %s INPUT OUTPUT [--type int32|int64] [--stats])\n", name.c_str(), error.what(),
                 name.c_str());
    return 2;
  }

  try {
    arguments.type == "int64" ? run<std::int64_t>(arguments) : run<std::int32_t>(arguments);
  } catch (const blockfw::InvalidEdge& error) {
    std::fprintf(stderr, "%s: %s: byte %lld: %s\n", name.c_str(), arguments.input.c_str(),
                 static_cast<long long>(blockfw::io::HomeworkGraph::byte_of_edge(error.edge)), error.what());
    return 1;
  } catch (const blockfw::OverflowRisk& error) {
    std::fprintf(stderr, "%s: %s: %s%s\n", name.c_str(), arguments.input.c_str(), error.what(),
                 arguments.type == "int32" ? " (here: --type int64)" : "");
    return 1;
  } catch (const blockfw::FileError& error) {
    std::fprintf(stderr, "%s: %s\n", name.c_str(), error.what());
    return 1;
  } catch (const std::exception& error) {
    const std::string what = error.what();  // Kokkos's go on, over many lines
    std::fprintf(stderr, "%s: %s: %s\n", name.c_str(), arguments.input.c_str(),
                 what.substr(0, what.find('\n')).c_str());
    return 1;
  }
}
