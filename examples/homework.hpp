// Shared by the homework's programs: their arguments, the times that they print, and how they end.
#pragma once

#include <CLI/CLI.hpp>
#include <Kokkos_Core.hpp>
#include <blockfw/apsp.hpp>
#include <blockfw/error.hpp>
#include <blockfw/io/binary_edges.hpp>
#include "../benchmarks/limit.hpp"

#include <cstdint>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <future>
#include <optional>
#include <string>
#include <system_error>

namespace homework {

struct Arguments {
  std::string input, output, type = "int32";
  bool stats = false;
};

inline void print_line(const char* what, double seconds, const std::string& remark) {
  std::printf("%-14s %8.3f s   %s\n", what, seconds, remark.c_str());
}

template <class... Values>
std::string text(const char* format, Values... values) {
  char buffer[160];
  std::snprintf(buffer, sizeof buffer, format, values...);
  return buffer;
}

inline std::string rate(double bytes, double seconds) {
  return text("%.1f MB, %.2f GB/s", bytes * 1e-6, bytes * 1e-9 / seconds);
}

/// \brief How fast a solve was, also in percent of the limit of the type it worked in; half the work counts half.
/// \tparam real  whether that type is float or double
template <bool real = false, class Space>
std::string speed_of(const Space& exec, std::int64_t n, double seconds, const blockfw::SolveReport& report) {
  const double order = static_cast<double>(n), work = report.half ? 0.5 : 1;
  const double speed = work * order * order * order * 1e-9 / seconds;
  const auto measured = [&] {
    if constexpr (blockfw::is_host_space<Space>)
      if (report.bits == 8) return blockfw::measure_limit<std::int8_t>(exec);
    if constexpr (real)
      return report.bits == 32 ? blockfw::measure_limit<float>(exec) : blockfw::measure_limit<double>(exec);
    else
      return report.bits == 16   ? blockfw::measure_limit<std::int16_t>(exec)
             : report.bits == 32 ? blockfw::measure_limit<std::int32_t>(exec)
                                 : blockfw::measure_limit<std::int64_t>(exec);
  };
  const double limit = 1e-9 * measured();
  const std::string type = (real ? report.bits == 32 ? "float" : "double" : text("int%d", report.bits)) +
                           std::string(report.half ? ", half the work" : "");
  const std::string where =
      blockfw::is_host_space<Space> ? text("%d threads", exec.concurrency()) : std::string(Space::name());
  return text("%.1f Grelax/s, %.0f%% of this machine's limit of %.1f (%s, %s)", speed, 100 * speed / limit, limit,
              type.c_str(), where.c_str());
}

/// Seconds since the last lap.
class Laps {
 public:
  double lap() {
    const double seconds = timer_.seconds();
    timer_.reset();
    return seconds;
  }

 private:
  Kokkos::Timer timer_;
};

/// Opens the input. \throws FileError also when the output is the same file
inline blockfw::io::BinaryEdgesInput open_input(const Arguments& arguments) {
  std::error_code missing;
  if (std::filesystem::equivalent(arguments.input, arguments.output, missing))
    throw blockfw::FileError(arguments.output + ": the output is the same file as the input");
  return blockfw::io::BinaryEdgesInput(arguments.input);
}

/// Reserves the output's disk space while Kokkos starts and the edges are read.
/// \return the future to wait for
inline std::future<void> reserve(std::optional<blockfw::io::OutputFile>& file, const Arguments& arguments,
                                 std::int32_t vertices) {
  return std::async(std::launch::async, [&file, path = arguments.output, vertices] {
    file.emplace(path, blockfw::io::binary_distances_bytes(vertices));
  });
}

/// The first line of the error's text.
inline std::string line_of(const std::exception& error) {
  const std::string what = error.what();  // Kokkos's errors have many lines
  return what.substr(0, what.find('\n'));
}

/// Parses the arguments, runs the program and prints an error in one line.
/// \param add  adds the program's own options; \param options  their text in the line of usage
/// \param speaks  whether this process prints errors, of several that run the same program
template <class Add, class Run>
int run_program(int argc, char** argv, const char* options, const Add& add, const Run& run, bool speaks = true) {
  const std::string name = std::filesystem::path(argv[0]).filename();
  Arguments arguments;
  CLI::App app("All-pairs shortest paths of a homework file");
  app.add_option("INPUT", arguments.input, "V, E, then E edges (source, destination, weight), as int32")->required();
  app.add_option("OUTPUT", arguments.output, "V x V distances as int32, 1073741823 where there is no path")->required();
  app.add_option("--type", arguments.type, "type to compute with; int64 for weights whose sums are large")
      ->check(CLI::IsMember({"int32", "int64"}))
      ->capture_default_str();
  app.add_flag("--stats", arguments.stats, "print the time of each step and the share of the machine's limit");
  add(app);
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp& help) {
    return speaks ? app.exit(help) : 0;
  } catch (const CLI::ParseError& error) {
    if (speaks)
      std::fprintf(stderr, "%s: %s (usage: %s INPUT OUTPUT %s[--type int32|int64] [--stats])\n", name.c_str(),
                   error.what(), name.c_str(), options);
    return 2;
  }

  const auto fail = [&](const std::string& what) {
    if (speaks) std::fprintf(stderr, "%s: %s\n", name.c_str(), what.c_str());
    return 1;
  };
  try {
    run(arguments);
    return 0;
  } catch (const blockfw::InvalidEdge& error) {
    return fail(arguments.input + ": byte " + std::to_string(blockfw::io::BinaryEdges::byte_of_edge(error.edge)) +
                ": " + error.what());
  } catch (const blockfw::OverflowRisk& error) {
    return fail(arguments.input + ": " + error.what() + (arguments.type == "int32" ? " (here: --type int64)" : ""));
  } catch (const blockfw::FileError& error) {
    return fail(error.what());
  } catch (const std::exception& error) {
    return fail(arguments.input + ": " + line_of(error));
  }
}

}  // namespace homework
