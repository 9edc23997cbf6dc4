// SPDX-License-Identifier: MIT
#include "network_arguments.hpp"

#include "command_line.hpp"
#include "orders.hpp"

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string>

using program::exclude;

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

void apsp::add_ends(CLI::App& app, Arguments& arguments) {
  add_end(app, "--from", arguments.from, arguments.network.from,
          "distances from this vertex, as the graph's file names it; or from the vertices that a file lists, one in a "
          "line: a table");
  add_end(app, "--to", arguments.to, arguments.network.to,
          "distances to this vertex; with --from, the route between them; or to the vertices that a file lists");
}

void apsp::add_network_options(CLI::App& app, const Program& program, NetworkArguments& arguments) {
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

void apsp::check_network(const Arguments& arguments) {
  const NetworkArguments& network = arguments.network;
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
  if (!has_order(network.order))
    throw CLI::ValidationError("--order", network.order + " needs the component " + network.order +
                                              ", which this build is without; expected auto");
}
