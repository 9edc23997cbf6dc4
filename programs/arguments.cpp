// SPDX-License-Identifier: MIT
#include "arguments.hpp"

#include "command_line.hpp"
#include "network_arguments.hpp"

#include <CLI/CLI.hpp>

#include <cstdio>
#include <string>

using program::exclude;

static void add_options(CLI::App& app, const apsp::Program& program, apsp::Arguments& arguments) {
  app.add_option(
         "INPUT", arguments.input,
         "the graph: DIMACS, Matrix Market, KONECT, NumPy's .npy, the homework's, or lines FROM TO WEIGHT; also "
         "compressed by gzip, in a build with zlib")
      ->required();
  app.add_option("-o,--output", arguments.output,
                 std::string("write all distances: to .npy, .mtx, .bin (the homework's), or any other name as text") +
                     (program.ranks ? "; rank 0 holds all of them" : ""));
  apsp::add_ends(app, arguments);
  app.add_flag("--paths", arguments.paths, "with --from or --to, the routes, too");
  app.add_option("--type", arguments.type, "type to compute with; auto is the narrowest type that holds all distances")
      ->check(CLI::IsMember({"auto", "int32", "int64", "float", "double"}))
      ->capture_default_str();
  app.add_flag("--undirected", arguments.undirected, "edges lead in both directions");
  app.add_flag("--unweighted", arguments.unweighted, "each edge has length 1");
  app.add_option("--semiring", arguments.semiring,
                 std::string("the best paths: min-plus shortest, max-plus longest, max-min widest, min-max with the "
                             "smallest worst edge, max-times most reliable, or-and any") +
                     (program.ranks ? ", by rank 0 alone" : ""))
      ->check(CLI::IsMember({"min-plus", "max-plus", "max-min", "min-max", "max-times", "or-and"}))
      ->capture_default_str();
  app.add_option("--method", arguments.method,
                 "method: dense, by rounds over the whole matrix; sparse, by elimination; auto is the cheaper method")
      ->check(CLI::IsMember({"auto", "dense", "sparse"}))
      ->capture_default_str();
  app.add_flag("--measures-only", arguments.measures_only,
               "the summary and the mean distance without the matrix of all distances, by elimination, for graphs "
               "whose matrix does not fit");
  app.add_flag("--by-rows", arguments.by_rows,
               "write the rows to OUTPUT.npy or .bin as they are made by elimination, for graphs whose matrix does not "
               "fit the memory");
  app.add_flag("--strict-cycles", arguments.strict_cycles,
               "floats: a cycle is negative if the exact sum of its weights is, even by rounding alone");
  if (!program.ranks) {
    app.add_option("--devices", arguments.devices,
                   "solve on this number of devices, each with some rows; on a host, groups of its threads")
        ->check(CLI::Range(1, 1024));
    app.add_option("--memory", arguments.memory,
                   "dense and out of core: the matrix on the host, and this much memory of the device, like 4G "
                   "(on a host, for panels)")
        ->transform(program::memory_size());
  }
  apsp::add_network_options(app, program, arguments.network);
  app.add_flag("--stats", arguments.stats, "print the time of each step, and the share of the machine's limit");
}

/// \throws CLI::ParseError for options that do not go together
static void check(const apsp::Arguments& arguments) {
  apsp::check_network(arguments);
  const bool sparse = arguments.method == "sparse", or_and = arguments.semiring == "or-and";
  if (arguments.devices > 0)
    exclude("--devices", {{arguments.memory > 0, "--memory"},
                          {arguments.measures_only, "--measures-only"},
                          {or_and, "--semiring or-and"}});
  if (arguments.memory > 0)
    exclude("--memory",
            {{sparse, "--method sparse"}, {arguments.measures_only, "--measures-only"}, {or_and, "--semiring or-and"}});
  if (arguments.measures_only) {
    exclude("--measures-only", {{arguments.writes(), "-o"},
                                {arguments.from.has_value(), "--from"},
                                {arguments.to.has_value(), "--to"},
                                {arguments.paths, "--paths"},
                                {arguments.method == "dense", "--method dense"}});
    if (arguments.semiring != "min-plus")
      throw CLI::ValidationError("--measures-only", "takes shortest paths, --semiring min-plus");
  }
  if (arguments.by_rows) {
    exclude("--by-rows", {{arguments.from.has_value(), "--from"},
                          {arguments.to.has_value(), "--to"},
                          {arguments.paths, "--paths"},
                          {arguments.method == "dense", "--method dense"},
                          {arguments.devices > 0, "--devices"},
                          {arguments.memory > 0, "--memory"},
                          {or_and, "--semiring or-and"}});
    if (!arguments.writes()) throw CLI::RequiresError("--by-rows", "-o");
  }
  if (arguments.strict_cycles && arguments.semiring != "min-plus" && arguments.semiring != "max-plus")
    throw CLI::ValidationError("--strict-cycles", "is for lengths, --semiring min-plus or max-plus");
  if (sparse && or_and)
    throw CLI::ValidationError("--method", "sparse has no --semiring or-and, expected auto or dense");
  if (arguments.paths && !arguments.asked()) throw CLI::RequiresError("--paths", "--from or --to");
  if (arguments.paths && arguments.semiring != "min-plus")
    throw CLI::ValidationError("--paths", "takes shortest paths, --semiring min-plus");
}

std::optional<int> apsp::parse(int argc, char** argv, const Program& program, Arguments& arguments) {
  CLI::App app("All shortest paths of a graph");
  add_options(app, program, arguments);
  program::refuse_empty(app);
  try {
    app.parse(argc, argv);
    check(arguments);
  } catch (const CLI::CallForHelp& help) {
    return program.speaks ? app.exit(help) : 0;
  } catch (const CLI::ParseError& error) {
    if (program.speaks)
      std::fprintf(stderr, "%s: %s (usage: %s INPUT [-o OUTPUT] [--from S] [--to T]; more: %s --help)\n", program.name,
                   error.what(), program.name, program.name);
    return 2;
  }
  return {};
}
