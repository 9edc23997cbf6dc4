// SPDX-License-Identifier: MIT
#include "arguments.hpp"

#include "command_line.hpp"
#include "orders.hpp"

#include <CLI/CLI.hpp>
#include <Kokkos_Core.hpp>
#include <blockfw/ground/version.hpp>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>

using program::exclude;

/// The line of --version.
static std::string version_of(const apsp::Program& program) {
  const auto dots = [](int major, int minor, int patch) {
    return std::to_string(major) + '.' + std::to_string(minor) + '.' + std::to_string(patch);
  };
  const std::string device = Kokkos::DefaultExecutionSpace::name(), host = Kokkos::DefaultHostExecutionSpace::name();
  std::string with = "Kokkos " + dots(KOKKOS_VERSION / 10000, KOKKOS_VERSION / 100 % 100, KOKKOS_VERSION % 100) + ", " +
                     (device == host ? "" : device + ", ") + host;
  if (program.ranks) with += ", MPI";
#ifdef BLOCKFW_GZIP
  with += ", zlib";
#endif
  for (const auto& [order, library] : {std::pair("amd", ", AMD"), std::pair("metis", ", METIS")})
    if (apsp::has_order(order)) with += library;
  return program.name + (' ' + dots(BLOCKFW_VERSION_MAJOR, BLOCKFW_VERSION_MINOR, BLOCKFW_VERSION_PATCH)) + " (" +
         with + ')';
}

/// Adds an option that takes a whole number as a vertex, and all else as the name of a file.
static void add_end(CLI::App& app, const char* name, std::optional<std::int64_t>& vertex, std::string& file,
                    const char* help) {
  app.add_option_function<std::string>(
         name,
         [&vertex, &file](const std::string& text) {
           if (std::int64_t number = 0; CLI::detail::lexical_cast(text, number))
             vertex = number;
           else
             file = text;
         },
         help)
      ->type_name("VERTEX|FILE");
}

/// Adds --from and --to: a vertex, or a file that lists vertices.
static void add_ends(CLI::App& app, apsp::Arguments& arguments) {
  add_end(app, "--from", arguments.from, arguments.network.from,
          "distances from this vertex, as the graph's file names it; or from the vertices that a file lists, one in a "
          "line: a table");
  add_end(app, "--to", arguments.to, arguments.network.to,
          "distances to this vertex; with --from, the route between them; or to the vertices that a file lists");
}

/// Adds the other options of a network.
static void add_network_options(CLI::App& app, const apsp::Program& program, apsp::NetworkArguments& arguments) {
  const std::string group =
      std::string("Questions about many vertices, by elimination") + (program.ranks ? " by rank 0 alone" : "");
  app.add_flag("--pairs", arguments.pairs, "from each vertex of --from to the one in the same line of --to")
      ->group(group);
  app.add_option("--nearest", arguments.nearest,
                 "lines VERTEX PLACE DISTANCE: to the nearest of the places that this file lists, from each vertex, or "
                 "from those of --from")
      ->type_name("FILE")
      ->group(group);
  app.add_option("--count", arguments.count, "the nearest places of each vertex, the nearest first; else one")
      ->check(CLI::Range(std::int64_t{1}, std::int64_t{1} << 30))
      ->group(group);
  app.add_option("--within", arguments.within,
                 "lines SOURCE VERTEX DISTANCE: the vertices within this distance of those of --from")
      ->type_name("LIMIT")
      ->group(group);
  app.add_flag(
         "--measures", arguments.measures,
         "lines VERTEX REACHED ECCENTRICITY CLOSENESS: how many vertices each vertex reaches, and how far they are")
      ->group(group);
  app.add_option("--second", arguments.second,
                 "a graph with the same edges in the same order, whose weights, whole numbers, are summed along the "
                 "shortest paths: a table or pairs of these sums")
      ->type_name("FILE")
      ->group(group);
  app.add_option("--order", arguments.order,
                 "the order of elimination: the built-in one, or another library's, in a build with it")
      ->check(CLI::IsMember({"auto", "amd", "metis"}))
      ->capture_default_str()
      ->group(group);
}

/// The question, by its option.
static std::string question_of(const apsp::NetworkArguments& network) {
  return network.measures           ? "--measures"
         : !network.nearest.empty() ? "--nearest"
         : !network.within.empty()  ? "--within"
         : network.pairs            ? "--pairs"
         : !network.second.empty()  ? "--second"
         : !network.from.empty()    ? "--from FILE"
                                    : "--to FILE";
}

/// Options that take another question.
static void check_alone(const apsp::NetworkArguments& network) {
  if (network.count > 0 && network.nearest.empty()) throw CLI::RequiresError("--count", "--nearest");
  if (network.order != "auto" && !network.asked())
    throw CLI::RequiresError("--order", "a question about many vertices");
}

/// Questions that do not go together, or lack one of their vertices.
static void check_questions(const apsp::Arguments& arguments, const std::string& question) {
  const apsp::NetworkArguments& network = arguments.network;
  const bool from = arguments.from || !network.from.empty(), to = arguments.to || !network.to.empty();
  const bool nearest = !network.nearest.empty(), within = !network.within.empty();
  if (network.measures || nearest || within) exclude(question, {{!network.second.empty(), "--second"}});
  if (network.measures)
    exclude(question,
            {{nearest, "--nearest"}, {within, "--within"}, {network.pairs, "--pairs"}, {from, "--from"}, {to, "--to"}});
  if (nearest) exclude(question, {{within, "--within"}, {network.pairs, "--pairs"}, {to, "--to"}});
  if (within) exclude(question, {{network.pairs, "--pairs"}, {to, "--to"}});
  if ((within || network.pairs) && !from) throw CLI::RequiresError(question, "--from");
  if (network.pairs && !to) throw CLI::RequiresError(question, "--to");
  if (!network.second.empty() && !from && !to) throw CLI::RequiresError(question, "--from or --to");
}

static void check_shortest(const apsp::Arguments& arguments, const std::string& question) {
  if (arguments.semiring != "min-plus")
    throw CLI::ValidationError(question, "takes shortest paths, --semiring min-plus");
}

/// Answers of lines: shortest paths, in a text.
static void check_lines(const apsp::Arguments& arguments, const std::string& question) {
  check_shortest(arguments, question);
  const auto ending = std::filesystem::path(arguments.output).extension();
  for (const char* const array : {".npy", ".mtx", ".bin"})
    if (ending == array)
      throw CLI::ValidationError("-o",
                                 "the output of " + question + " is a text, expected another ending than " + array);
}

static void check_number(const std::string& option, const std::string& text) {
  char* end = nullptr;
  if (const double number = std::strtod(text.c_str(), &end); *end != '\0' || number != number)
    throw CLI::ValidationError(option, "'" + text + "' is not a number");
}

/// \throws CLI::ParseError for options that do not go together, or with options of solves
static void check_network(const apsp::Arguments& arguments) {
  const apsp::NetworkArguments& network = arguments.network;
  check_alone(network);
  if (!network.asked()) return;
  const std::string question = question_of(network);
  check_questions(arguments, question);
  exclude(question, {{arguments.paths, "--paths"},
                     {arguments.measures_only, "--measures-only"},
                     {arguments.by_rows, "--by-rows"},
                     {arguments.method == "dense", "--method dense"},
                     {arguments.devices > 0, "--devices"},
                     {arguments.memory > 0, "--memory"},
                     {arguments.semiring == "or-and", "--semiring or-and"}});
  if (network.measures || !network.nearest.empty() || !network.within.empty()) check_lines(arguments, question);
  if (!network.second.empty()) check_shortest(arguments, "--second");
  if (!network.within.empty()) check_number("--within", network.within);
  if (!apsp::has_order(network.order))
    throw CLI::ValidationError("--order", network.order + " needs the component " + network.order +
                                              ", which this build is without; expected auto");
}

void apsp::add_options(CLI::App& app, const Program& program, Arguments& arguments) {
  app.description(std::string("All shortest paths of a graph") + (program.ranks ? ", on ranks of MPI" : ""));
  app.footer(
      "Exit status: 0 for success, 2 for a wrong option or argument, 1 for any other error, such as a file that cannot "
      "be read, or a negative cycle.");
  app.set_help_flag("-h,--help", "print this help");
  app.set_version_flag("--version", version_of(program), "print the version, and the libraries that it was built with");
  app.add_option(
         "INPUT", arguments.input,
         "the graph: DIMACS, Matrix Market, KONECT, NumPy's .npy, the homework's, or lines FROM TO WEIGHT; also "
         "compressed by gzip, in a build with zlib")
      ->required();
  app.add_option("-o,--output", arguments.output,
                 std::string("write all distances: to .npy, .mtx, .bin (the homework's), or any other name as text") +
                     (program.ranks ? "; rank 0 holds all of them" : ""));
  add_ends(app, arguments);
  app.add_flag("--paths", arguments.paths, "with --from or --to, the routes, too");
  app.add_option("--type", arguments.type,
                 "type to compute with; auto is int32 where all sums fit, else int64; double for real weights")
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
  add_network_options(app, program, arguments.network);
  app.add_flag("--stats", arguments.stats, "print the time of each step, and the share of the machine's limit");
}

/// The types that a semiring is compiled for. \throws CLI::ValidationError for another
static void check_type(const apsp::Arguments& arguments) {
  if (arguments.type == "auto" || arguments.semiring == "min-plus") return;
  const std::string types = arguments.semiring == "or-and"      ? "int32"
                            : arguments.semiring == "max-times" ? "double"
                                                                : "int32 or double";
  if (types.find(arguments.type) == std::string::npos)
    throw CLI::ValidationError("--semiring", arguments.semiring + " in " + arguments.type + ", expected " + types);
}

/// \throws CLI::ParseError for options that do not go together
static void check(const apsp::Arguments& arguments) {
  check_network(arguments);
  check_type(arguments);
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
    if (const auto ending = std::filesystem::path(arguments.output).extension(); ending != ".npy" && ending != ".bin")
      throw CLI::ValidationError("--by-rows",
                                 "cannot write rows to the text " + arguments.output + ", expected .npy or .bin");
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
  CLI::App app;
  add_options(app, program, arguments);
  try {
    program::parse(app, argc, argv);
    check(arguments);
  } catch (const CLI::Success& help_or_version) {
    return program.speaks ? app.exit(help_or_version) : 0;
  } catch (const CLI::ParseError& error) {
    if (program.speaks)
      std::fprintf(stderr, "%s: %s (usage: %s INPUT [-o OUTPUT] [--from S] [--to T]; more: %s --help)\n", program.name,
                   error.what(), program.name, program.name);
    return 2;
  }
  return {};
}
