// SPDX-License-Identifier: MIT
// Makes a case in the homework's format: a random graph without self loops and repeated edges.
//
//   generate --vertices V --edges E [--seed S] [--weights LOW HIGH] OUTPUT
//   generate --case c21.1 OUTPUT

#include "../../programs/command_line.hpp"

#include <CLI/CLI.hpp>
#include <blockfw/edges.hpp>
#include <blockfw/files/output_file.hpp>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <map>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace {

using Edge = blockfw::Edge<std::int32_t>;

struct Size {
  std::int64_t vertices = 0, edges = 0;
};

/// The sizes of the homework's public cases (where its text gives both numbers).
const std::map<std::string, Size> cases = {
    {"c21.1", {5000, 10723117}}, {"p11k1", {11000, 505586}},  {"p15k1", {15000, 5591272}},
    {"p20k1", {20000, 264275}},  {"p25k1", {25000, 5780158}},
};

/// E different ordered pairs: the V(V-1) possible ones are cut into E parts, and one is drawn from each. They are
/// then shuffled, since the edges of a file are in no order.
std::vector<Edge> random_edges(Size size, std::int32_t lightest, std::int32_t heaviest, std::uint64_t seed) {
  std::mt19937_64 random(seed);  // and no std::..._distribution, whose numbers differ between libraries
  const auto draw = [&](std::int64_t below) {
    return static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(below));
  };
  const std::int64_t others = size.vertices - 1, pairs = size.vertices * others;
  std::vector<Edge> edges;
  edges.reserve(static_cast<std::size_t>(size.edges));
  for (std::int64_t e = 0, first = 0; e < size.edges; ++e) {
    const std::int64_t part = (pairs - first) / (size.edges - e);
    const std::int64_t pair = first + draw(part), from = pair / others, to = pair % others;
    first += part;
    edges.push_back({static_cast<std::int32_t>(from), static_cast<std::int32_t>(to < from ? to : to + 1),
                     static_cast<std::int32_t>(lightest + draw(std::int64_t{heaviest} - lightest + 1))});
  }
  for (std::size_t e = edges.size(); e > 1; --e)
    std::swap(edges[e - 1], edges[static_cast<std::size_t>(draw(static_cast<std::int64_t>(e)))]);
  return edges;
}

}  // namespace

int main(int argc, char** argv) {
  Size size;
  std::uint64_t seed = 1;
  std::vector<std::int32_t> weights = {0, 1000};
  std::string name, output;
  CLI::App app("A random graph in the homework's format");
  auto* by_case = app.add_option("--case", name, "the size of a public case of the homework");
  auto* vertices = app.add_option("--vertices", size.vertices, "V")->check(CLI::Range(1, 1 << 20));
  auto* edges = app.add_option("--edges", size.edges, "E, at most V(V-1)");
  vertices->needs(edges)->excludes(by_case);
  edges->needs(vertices);
  by_case->check(CLI::IsMember(cases));
  app.add_option("--seed", seed, "seed of the random numbers")->capture_default_str();
  app.add_option("--weights", weights, "lightest and heaviest weight")->expected(2)->capture_default_str();
  app.add_option("OUTPUT", output, "the file to make")->required();
  try {
    program::parse(app, argc, argv);
    if (!name.empty()) size = cases.at(name);
    if (name.empty() && vertices->empty()) throw CLI::RequiredError("--case, or --vertices and --edges");
    if (size.edges < 0 || size.edges > size.vertices * (size.vertices - 1) || size.edges > INT32_MAX)
      throw CLI::ValidationError("--edges", "expected 0 to V(V-1), and less than 2^31");
    if (weights[0] > weights[1]) throw CLI::ValidationError("--weights", "expected the lightest first");
  } catch (const CLI::CallForHelp& help) {
    return app.exit(help);
  } catch (const CLI::ParseError& error) {
    std::fprintf(stderr, "generate: %s\n", error.what());
    return 2;
  }

  try {
    const std::int32_t header[2] = {static_cast<std::int32_t>(size.vertices), static_cast<std::int32_t>(size.edges)};
    const auto edge_bytes = static_cast<std::uint64_t>(size.edges) * sizeof(Edge);
    blockfw::detail::require_host_memory(std::to_string(size.edges) + " edges", static_cast<double>(edge_bytes));
    blockfw::io::OutputFile file(output, sizeof header + edge_bytes);
    const std::vector<Edge> graph = random_edges(size, weights[0], weights[1], seed);
    file.write(header, sizeof header);
    file.write(graph.data(), edge_bytes);
    file.commit();
  } catch (const std::exception& error) {
    std::fprintf(stderr, "generate: %s\n", error.what());
    return 1;
  }
}
