// SPDX-License-Identifier: MIT
// Shared by the homework's programs: their arguments, the files they open, and how they end.
#pragma once

#include "../../programs/command_line.hpp"
#include "../../programs/program.hpp"

#include <CLI/CLI.hpp>
#include <blockfw/files/output_file.hpp>
#include <blockfw/ground/error.hpp>
#include <blockfw/io/binary_edges.hpp>

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
    program::parse(app, argc, argv);
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
    std::string what = error.what();
    const std::string types = "int64 or double";  // which the library offers
    if (const auto at = what.find(types); at != std::string::npos) what.replace(at, types.size(), "--type int64");
    return fail(arguments.input + ": " + what);
  } catch (const blockfw::FileError& error) {
    return fail(error.what());
  } catch (const std::exception& error) {
    return fail(arguments.input + ": " + program::line_of(error));
  }
}

}  // namespace homework
