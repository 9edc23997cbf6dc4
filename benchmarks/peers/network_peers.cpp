// SPDX-License-Identifier: MIT
// Asks the programs about a network, and times their answers. network_peers.py calls it:
//
//   peer-networks GRAPH ARCS [no-hierarchies]
//
// It writes the arcs to the file ARCS, as numbers of 32 bits: how many vertices and arcs there are, all tails, all
// heads, all lengths. It prints what the graph is, the programs, and the questions. Then it reads commands:
//
//   ask QUESTION   (a number from 0 on) prints the ways in which programs answer it; of a table or of rows, also
//                  the sources and targets (none: all vertices)
//   run WAY        (a number from 0 on) answers the question asked last; prints the nanoseconds of an answer and, in
//                  a way's first run, the sum and the number of its distances
//
// What it prints are lines of words between tabs, up to a line "end". An error is a line with a message.

#include "network_peers.hpp"
#include <blockfw/kokkos_runtime.hpp>
#include "../networks.hpp"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <fstream>
#include <iostream>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace {

using bench::index, bench::random_vertices;

// The graph.

/// Coordinates as DIMACS has them: lines "v VERTEX LONGITUDE LATITUDE", in millionths of a degree.
void read_coordinates(const std::string& path, Graph& graph) {
  std::ifstream file(path);
  if (!file) return;
  graph.latitude.resize(index(graph.n)), graph.longitude.resize(index(graph.n));
  std::int32_t found = 0;
  for (std::string line; std::getline(file, line);) {
    long long vertex = 0, longitude = 0, latitude = 0;
    if (std::sscanf(line.c_str(), "v %lld %lld %lld", &vertex, &longitude, &latitude) != 3) continue;
    if (vertex < 1 || vertex > graph.n)
      throw std::runtime_error(path + ": found vertex " + std::to_string(vertex) + ", expected 1 to " +
                               std::to_string(graph.n));
    graph.longitude[index(vertex - 1)] = 1e-6f * static_cast<float>(longitude);
    graph.latitude[index(vertex - 1)] = 1e-6f * static_cast<float>(latitude);
    ++found;
  }
  if (found != graph.n)
    throw std::runtime_error(path + ": found " + std::to_string(found) + " coordinates, expected " +
                             std::to_string(graph.n));
}

Graph graph_of(const std::string& name) {
  const bench::Network network = bench::network_of(name);
  Graph graph;
  graph.name = network.name;
  graph.n = static_cast<std::int32_t>(network.n);
  graph.symmetric = network.symmetric;
  for (const bench::Arc& arc : network.arcs) {
    if (arc.weight >= unreached)
      throw std::runtime_error(name + ": found the length " + std::to_string(arc.weight) + ", expected less than " +
                               std::to_string(unreached));
    graph.from.push_back(arc.from), graph.to.push_back(arc.to);
    graph.weight.push_back(static_cast<std::int32_t>(arc.weight));
  }
  if (network.arcs.empty()) throw std::runtime_error(name + ": expected arcs");
  for (const std::int32_t crossing : network.crossings) {
    graph.latitude.push_back(1e-3f * static_cast<float>(crossing / network.side));
    graph.longitude.push_back(1e-3f * static_cast<float>(crossing % network.side));
  }
  if (const auto ending = name.rfind(".gr"); ending != name.npos)
    read_coordinates(name.substr(0, ending) + ".co", graph);
  graph.order = order_by_blockfw(graph);
  return graph;
}

void write_arcs(const std::string& path, const Graph& graph) {
  std::ofstream file(path, std::ios::binary);
  const auto write = [&](const Ints& list) {
    file.write(reinterpret_cast<const char*>(list.data()), static_cast<std::streamsize>(list.size() * sizeof(list[0])));
  };
  write({graph.n, static_cast<std::int32_t>(graph.from.size())});
  write(graph.from), write(graph.to), write(graph.weight);
  if (!file.flush()) throw std::runtime_error(path + ": could not be written");
}

// The questions.

/// The length of each arc, and up to as much again: the same in both directions.
Ints longer_weights(const Graph& graph) {
  Ints weights;
  for (std::size_t a = 0; a < graph.from.size(); ++a) {
    const auto [low, high] = std::minmax(graph.from[a], graph.to[a]);
    const std::uint64_t place = std::uint64_t(low) * std::uint64_t(graph.n) + std::uint64_t(high);
    weights.push_back(graph.weight[a] + std::int32_t(bench::random_at(place) % std::uint64_t(graph.weight[a] + 1)));
  }
  return weights;
}

/// Points at random on arcs. On a road with the same length in both directions a point has a place on either arc.
std::vector<Place> random_places(const Graph& graph, std::int32_t points) {
  std::map<std::pair<std::int32_t, std::int32_t>, std::int32_t> arc_of;
  for (std::size_t a = 0; a < graph.from.size(); ++a) arc_of[{graph.from[a], graph.to[a]}] = std::int32_t(a);
  std::vector<Place> places;
  bench::Random random;
  for (std::int32_t point = 0; point < points; ++point) {
    const auto arc = std::int32_t(random.below(std::int64_t(graph.from.size())));
    const std::int32_t length = graph.weight[index(arc)];
    const auto position = std::int32_t(random.below(length + 1));
    places.push_back({point, arc, position});
    const auto back = arc_of.find({graph.to[index(arc)], graph.from[index(arc)]});
    if (back != arc_of.end() && graph.weight[index(back->second)] == length)
      places.push_back({point, back->second, length - position});
  }
  return places;
}

/// After each tenth arc one turn.
std::vector<ForbiddenTurn> some_turns(const Graph& graph) {
  Ints leaving(index(graph.n), -1);
  for (std::size_t a = 0; a < graph.from.size(); ++a) leaving[index(graph.from[a])] = std::int32_t(a);
  std::vector<ForbiddenTurn> turns;
  for (std::size_t a = 0; a < graph.from.size(); a += 10)
    if (const std::int32_t next = leaving[index(graph.to[a])]; next >= 0) turns.push_back({std::int32_t(a), next});
  return turns;
}

std::vector<Question> questions_about(const Graph& graph) {
  const std::int64_t n = graph.n;
  const std::size_t all = index(n);
  std::vector<Question> list{{Asked::preparation, "preparation"}, {Asked::order, "CCH's order"}};
  const auto ask = [&](Asked what, const std::string& name, std::size_t distances, int sources,
                       int targets) -> Question& {
    list.push_back({what, name, distances, 0, random_vertices(1, n, sources), random_vertices(2, n, targets)});
    return list.back();
  };
  ask(Asked::new_weights, "new weights", 1000, 1000, 1000).weights = longer_weights(graph);
  ask(Asked::one_by_one, "one distance, one thread", 100000, 100000, 100000).answers = 100000;
  ask(Asked::pairs, "100,000 pairs", 100000, 100000, 100000);
  // (RoutingKit has room for as many targets as vertices.)
  if (n >= 2000) ask(Asked::table, "table 2000 x 2000", 4000000, 2000, 2000);
  if (n >= 10000) ask(Asked::table, "table 10,000 x 10,000", 100000000, 10000, 10000);
  ask(Asked::row_by_row, "one source to all vertices", all, 16, 0).answers = 16;
  if (n <= 100000) ask(Asked::rows, "1000 sources to all vertices", 1000 * all, 1000, 0);
  if (n <= 25000) ask(Asked::matrix, "all distances into a matrix", all * all, 0, 0);
  if (n >= 2000) {
    Question& question = ask(Asked::points, "1000 x 1000 points on edges", 1000000, 0, 0);
    question.count = 1000;
    question.places = random_places(graph, question.count);
  }
  ask(Asked::turns, "by turns: preparation", 0, 0, 0).turns = some_turns(graph);
  if (n >= 2000)
    ask(Asked::table_by_turns, "by turns: table 2000 x 2000", 4000000, 2000, 2000).turns = some_turns(graph);
  {
    Question& question = ask(Asked::nearest, "nearest 3 of 200 places within 3000", 3 * all, 0, 0);
    for (const std::int32_t v : random_vertices(3, n, 400))  // (each place once)
      if (question.targets.size() < 200 && std::count(question.targets.begin(), question.targets.end(), v) == 0)
        question.targets.push_back(v);
    question.count = 3;
    question.limits = {3000};
  }
  std::vector<double> values;
  for (std::int64_t v = 0; v < n; ++v) values.push_back(double(bench::random_at(std::uint64_t(v)) % 100));
  for (const Ints& limits : std::vector<Ints>{{400}, {800}, {1200}, {3000}, {10000}, {400, 800, 1200}}) {
    std::string name = "sums within";
    for (const std::int32_t limit : limits) name += ' ' + std::to_string(limit);
    Question& question = ask(Asked::sums_within, name, 0, 0, 0);
    question.sums = limits.size() * all;
    question.values = values;
    question.limits = limits;
  }
  return list;
}

// What is printed.

std::FILE* out = nullptr;

void print(const auto&... words) {
  std::string line;
  ((line += words, line += '\t'), ...);
  line.back() = '\n';
  std::fputs(line.c_str(), out);
}

void print_vertices(const char* what, const Ints& list) {
  std::fputs(what, out);
  for (const std::int32_t v : list) std::fprintf(out, "\t%d", v);
  std::fputs("\n", out);
}

void print_sum(const Answer& answer) {
  std::uint64_t sum = 0, count = 0;
  for (const std::int32_t d : answer.distances)
    if (d < unreached) sum += std::uint64_t(d), ++count;
  for (const double value : answer.sums)
    sum += (1 + count++ % 7) * std::uint64_t(std::llround(value));  // (by their places)
  print("sum", std::to_string(sum), std::to_string(count));
}

double now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

void answer_commands(std::vector<std::unique_ptr<Program>>& programs, const std::vector<Question>& questions) {
  const Question* question = nullptr;
  Ways ways;
  std::vector<bool> ran;
  Answer answer;
  std::string command;
  for (std::size_t number = 0; std::cin >> command >> number;) {
    if (command == "ask") {
      question = &questions.at(number);
      ways.clear();
      for (const auto& program : programs)
        for (Way& way : program->ways(*question)) ways.push_back(std::move(way));
      ran.assign(ways.size(), false);
      if (question->what == Asked::table || question->what == Asked::row_by_row || question->what == Asked::rows) {
        print_vertices("sources", question->sources);
        print_vertices("targets", question->targets);
      }
      for (const Way& way : ways) print("way", way.program, way.how);
    } else {
      const Way& way = ways.at(number);
      if (!ran[number]) {  // (no program finds its answer there already)
        answer.distances.assign(question->distances, -1);
        answer.sums.assign(question->sums, -1);
      }
      const double begin = now();
      way.run(answer);
      print("nanoseconds", std::to_string(1e9 * (now() - begin) / question->answers));
      if (!ran[number] && question->distances + question->sums > 0) {
        if (way.check) way.check(answer);
        print_sum(answer);
      }
      ran[number] = true;
    }
    print("end");
    std::fflush(out);
  }
}

void serve(const std::string& name, const std::string& arcs, [[maybe_unused]] bool hierarchies) {
  blockfw::start_kokkos();
  const Graph graph = graph_of(name);
  write_arcs(arcs, graph);
  std::vector<std::unique_ptr<Program>> programs;
  programs.push_back(blockfw_program(graph));
#ifdef WITH_ROUTINGKIT
  programs.push_back(routingkit_programs(graph, hierarchies));
#endif
#ifdef WITH_PANDANA
  if (hierarchies) programs.push_back(pandana_program(graph));
#endif
#ifdef WITH_GAP
  programs.push_back(gap_program(graph));
#endif
  const std::vector<Question> questions = questions_about(graph);
  print("graph", graph.name, std::to_string(graph.n), std::to_string(graph.from.size()),
        graph.symmetric ? "arcs in both directions" : "directed arcs",
        graph.latitude.empty() ? "blockfw's order for CCH" : "coordinates", std::to_string(threads_of_blockfw()));
  for (const auto& program : programs)
    for (const std::string& column : program->columns()) print("program", column);
  for (const Question& question : questions) print("question", question.name, std::to_string(question.answers));
  print("end");
  std::fflush(out);
  answer_commands(programs, questions);
}

}  // namespace

int main(int argc, char** argv) {
  // (pandana prints to the standard output.)
  out = fdopen(dup(STDOUT_FILENO), "w");
  if (out == nullptr || std::freopen("/dev/null", "w", stdout) == nullptr) return 2;
  try {
    const bool hierarchies = argc == 3;
    if (!hierarchies && (argc != 4 || std::string(argv[3]) != "no-hierarchies"))
      throw std::runtime_error("expected GRAPH ARCS; network_peers.py says how to call it");
    serve(argv[1], argv[2], hierarchies);
  } catch (const std::exception& error) {
    print("error", error.what());
    std::fclose(out);
    return 1;
  }
  return 0;
}
