// The homework: all-pairs shortest paths from one binary file to another.
//
//   hw3-1 INPUT OUTPUT [--type int32|int64] [--stats]

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
#include <string>
#include <system_error>

namespace {

struct Arguments {
  std::string input, output, type = "int32";
  bool stats = false;
};

void print_line(const char* what, double seconds, const std::string& remark) {
  std::printf("%-8s %8.3f s   %s\n", what, seconds, remark.c_str());
}

std::string rate(double bytes, double seconds) {
  char text[64];
  std::snprintf(text, sizeof text, "%.1f MB, %.2f GB/s", bytes * 1e-6, bytes * 1e-9 / seconds);
  return text;
}

template <blockfw::Distance T>
void run(const Arguments& arguments) {
  const Kokkos::DefaultExecutionSpace exec;
  Kokkos::Timer timer;
  const auto lap = [&] {
    const double seconds = timer.seconds();
    timer.reset();
    return seconds;
  };

  std::error_code missing;
  if (std::filesystem::equivalent(arguments.input, arguments.output, missing))
    throw blockfw::FileError(arguments.output + ": the output is the same file as the input");
  auto graph = blockfw::io::read_homework(arguments.input);
  const double reading = lap();
  const double n = graph.vertices, edges = static_cast<double>(graph.edges.extent(0));

  const auto distances = blockfw::allocate_distances<T>(exec, graph.vertices);
  blockfw::io::OutputFile file(arguments.output, blockfw::io::homework_output_bytes(graph.vertices));
  const double reserving = lap();  // of the output's disk space; counted as writing

  const auto weights = blockfw::fill_from_edges(exec, distances, graph.edges);
  graph.edges = {};
  const double building = lap();

  blockfw::SolveOptions options;
  ProgressBar bar("solving");
  if (bar.wanted()) options.progress = std::ref(bar);
  blockfw::solve_distances(exec, distances, weights, options);
  bar.clear();
  const double solving = lap();

  blockfw::io::write_homework(file, distances);
  file.commit();
  const double writing = reserving + lap();

  if (!arguments.stats) return;
  const double limit = blockfw::measure_limit<T>(exec), relaxes = n * n * n;
  char share[128];
  std::snprintf(share, sizeof share, "%.1f Grelax/s, %.0f%% of this machine's limit of %.1f (%s, %d threads)",
                relaxes * 1e-9 / solving, 100 * relaxes / solving / limit, limit * 1e-9, arguments.type.c_str(),
                exec.concurrency());
  print_line("reading", reading, rate(edges * 12 + 8, reading));
  print_line(
      "building", building,
      std::to_string(graph.vertices) + " vertices, " + std::to_string(static_cast<std::int64_t>(edges)) + " edges");
  print_line("solving", solving, share);
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

  const Kokkos::ScopeGuard kokkos(Kokkos::InitializationSettings().set_disable_warnings(true));
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
    std::fprintf(stderr, "%s: %s: %s\n", name.c_str(), arguments.input.c_str(), error.what());
    return 1;
  }
}
