// SPDX-License-Identifier: MIT
// apsp as its users meet it: the same graph from files of every format, routes, results in files, one line for each
// mistake.
#include "cases.hpp"
#include "child.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <random>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace {

using Words = std::vector<std::string>;

Result apsp(const Words& arguments) {
  Words command = {APSP};
  command.insert(command.end(), arguments.begin(), arguments.end());
  return run(command);
}

std::string data(const std::string& name) { return std::string(DATA) + "/" + name; }

/// The output of a successful call.
std::string printed(const Words& arguments) {
  const Result result = apsp(arguments);
  CHECK(result.status == 0);
  CHECK(result.err == "");
  return result.out;
}

void check_refusal(const Result& result, int status, const Words& parts) {
  CAPTURE(result.err);
  CHECK(result.status == status);
  CHECK(result.out == "");
  CHECK(lines(result.err) == 1);
  CHECK(result.err.starts_with("apsp: "));
  for (const std::string& part : parts) CHECK_MESSAGE(contains(result.err, part), "expected: ", part);
}

const std::string distances = "0 5 inf 7 8\n7 0 inf 2 3\ninf inf 0 inf inf\n5 10 inf 0 1\n4 9 inf 11 0\n";

}  // namespace

TEST_CASE("the same graph from files of every format") {
  for (const std::string name : {"towns.gr", "towns.mtx", "towns-array.mtx", "towns.txt", "towns.csv", "towns.bin",
                                 "towns-int.npy", "towns-float.npy"}) {
    CAPTURE(name);
    const Folder folder;
    CHECK(printed({data(name), "-o", folder / "out"}) == "");
    CHECK(read_file(folder / "out") == distances);
    CHECK(printed({data(name), "--output", folder / "out.bin", "--type", "int32"}) == "");
    const std::int32_t no = 1073741823;
    CHECK(read_file(folder / "out.bin") ==
          bytes_of(std::vector<std::int32_t>{0,  5,  no, 7,  8,  7, 0, no, 2, 3,  no, no, 0,
                                             no, no, 5,  10, no, 0, 1, 4,  9, no, 11, 0}));
    CHECK(folder.files() == std::set<std::string>{"out", "out.bin"});
  }
}

TEST_CASE("what apsp says of a graph") {
  CHECK(printed({data("towns.gr")}) ==
        "graph       5 vertices, 5 edges (DIMACS), in int32\n"
        "connected   no, 12 of 20 pairs have a path\n"
        "radius      none, no vertex reaches all\n"
        "longest     11, from 5 to 4\n");
  CHECK(printed({data("row.mtx")}) ==
        "graph       4 vertices, 3 edges both ways (Matrix Market), in int32\n"
        "connected   yes, each vertex reaches each\n"
        "radius      2\n"
        "diameter    3, from 1 to 4\n"
        "centre      2 3\n");
  const Folder folder;
  std::string star = "0 1 0.5\n";
  for (int v = 1; v < 25; ++v) star += std::to_string(v) + " " + std::to_string((v + 1) % 25) + " 0.5\n";
  write_file(folder / "ring", star);
  CHECK(printed({folder / "ring"}) ==
        "graph       25 vertices, 25 edges (edge list), in double\n"
        "connected   yes, each vertex reaches each\n"
        "radius      12\n"
        "diameter    12, from 0 to 24\n"
        "centre      0 1 2 3 4 5 6 7 8 9 and 15 more\n");
  write_file(folder / "none", "p sp 0 0\n");
  CHECK(printed({folder / "none"}) ==
        "graph       0 vertices, 0 edges (DIMACS), in int32\nconnected   yes, each vertex reaches each\n");
  CHECK(printed({folder / "none", "-o", folder / "out"}) == "");
  CHECK(read_file(folder / "out") == "");
}

TEST_CASE("distances and routes, between vertices as the file names them") {
  CHECK(printed({data("towns.gr"), "--from", "1", "--to", "5"}) == "8 from 1 to 5, over 3 edges\n1 2 4 5\n");
  CHECK(printed({data("towns.txt"), "--from", "0", "--to", "4"}) == "8 from 0 to 4, over 3 edges\n0 1 3 4\n");
  CHECK(printed({data("towns.gr"), "--from", "4", "--to", "4"}) == "0 from 4 to 4, over 0 edges\n4\n");
  CHECK(printed({data("towns.gr"), "--from", "4", "--to", "3"}) == "no path from 4 to 3\n");
  CHECK(printed({data("towns.gr"), "--from", "1"}) == "1\t0\n2\t5\n3\tinf\n4\t7\n5\t8\n");
  CHECK(printed({data("towns.gr"), "--to", "1"}) == "1\t0\n2\t7\n3\tinf\n4\t5\n5\t4\n");
  CHECK(printed({data("towns.gr"), "--from", "1", "--paths"}) ==
        "1\t0\t1\n2\t5\t1 2\n3\tinf\t\n4\t7\t1 2 4\n5\t8\t1 2 4 5\n");
  CHECK(printed({data("towns.csv"), "--to", "1", "--paths"}) ==
        "0\t5\t0 1\n1\t0\t1\n2\tinf\t\n3\t10\t3 4 0 1\n4\t9\t4 0 1\n");
  CHECK(printed({data("row.mtx"), "--from", "4", "--to", "1"}) == "3 from 4 to 1, over 3 edges\n4 3 2 1\n");
  const Folder folder;
  CHECK(printed({data("towns.gr"), "--from", "1", "--to", "5", "-o", folder / "out"}) ==
        "8 from 1 to 5, over 3 edges\n1 2 4 5\n");
  CHECK(read_file(folder / "out") == distances);
}

TEST_CASE("edges both ways, and edges of length 1") {
  CHECK(printed({data("towns.gr"), "--from", "4", "--to", "2"}) == "10 from 4 to 2, over 3 edges\n4 5 1 2\n");
  CHECK(printed({data("towns.gr"), "--from", "4", "--to", "2", "--undirected"}) ==
        "2 from 4 to 2, over 1 edges\n4 2\n");
  CHECK(printed({data("towns.gr"), "--from", "1", "--to", "5", "--unweighted"}) ==
        "2 from 1 to 5, over 2 edges\n1 4 5\n");
  CHECK(contains(printed({data("towns.gr"), "--undirected"}), "5 edges both ways"));
}

TEST_CASE("the type, chosen or given") {
  const Folder folder;
  const auto type = [&](const std::string& weight, const Words& options = {}) {
    write_file(folder / "in", "0 1 " + weight + "\n1 2 1\n");
    Words arguments = {folder / "in"};
    arguments.insert(arguments.end(), options.begin(), options.end());
    const std::string out = printed(arguments), first = out.substr(0, out.find('\n'));
    return first.substr(first.rfind(' ') + 1);
  };
  CHECK(type("7") == "int32");
  CHECK(type("-7") == "int32");
  CHECK(type("7.0") == "int32");
  CHECK(type("1000000000") == "int64");
  CHECK(type("1e18") == "int64");
  CHECK(type("5000000000000000000") == "double");
  CHECK(type("0.5") == "double");
  CHECK(type("0.5", {"--unweighted"}) == "double");
  CHECK(type("7", {"--type", "int64"}) == "int64");
  CHECK(type("7", {"--type", "double"}) == "double");
  CHECK(type("0.5", {"--type", "float"}) == "float");

  write_file(folder / "in", "0 1 0.1\n1 2 0.2\n");
  CHECK(printed({folder / "in", "--from", "0", "--to", "2"}) ==
        "0.30000000000000004 from 0 to 2, over 2 edges\n0 1 2\n");
  check_refusal(apsp({folder / "in", "--type", "int32"}), 1,
                {folder / "in", "edge list, line 1, column 5: found '0.1', which int32 cannot hold; use double"});
  write_file(folder / "in", "0 1 1000000000\n1 2 1000000000\n");
  check_refusal(apsp({folder / "in", "--type", "int32"}), 1, {folder / "in", "could reach infinity", "use int64"});
}

TEST_CASE("every route is as long as its distance, with cycles of length 0 and sums that round") {
  std::mt19937 random(5);
  const int n = 60;
  for (const double unit : {1.0, 0.1}) {
    const Folder folder;
    std::map<std::pair<int, int>, double> lightest;
    std::ostringstream file;
    for (int e = 0; e < 200; ++e) {
      const int from = static_cast<int>(random() % n), to = static_cast<int>(random() % n);
      const double weight = static_cast<double>(random() % 3) * unit;
      file << from << ' ' << to << ' ' << weight << '\n';
      const auto [place, is_new] = lightest.insert({{from, to}, weight});
      if (!is_new) place->second = std::min(place->second, weight);
    }
    file << n - 1 << ' ' << n - 1 << " 0\n";
    write_file(folder / "in", file.str());
    int routes = 0;
    for (int from = 0; from < n; from += 7) {
      std::istringstream lines(printed({folder / "in", "--from", std::to_string(from), "--paths"}));
      for (std::string line; std::getline(lines, line);) {
        CAPTURE(line);
        std::istringstream words(line);
        int to = -1, here = -1, there = -1;
        std::string distance;
        words >> to >> distance >> std::ws;
        if (distance == "inf") {
          CHECK(words.eof());
          continue;
        }
        words >> here;
        CHECK(here == from);
        double length = 0;
        std::set<int> seen{here};
        for (; words >> there; here = there) {
          const auto edge = lightest.find({here, there});
          REQUIRE(edge != lightest.end());
          CHECK(seen.insert(there).second);
          length += edge->second;
        }
        CHECK(here == to);
        CHECK(std::abs(length - std::stod(distance)) <= 1e-12);
        ++routes;
      }
    }
    CHECK(routes > 100);
  }
}

TEST_CASE("results for other programs") {
  const Folder folder;
  CHECK(printed({data("towns.gr"), "-o", folder / "d.mtx"}) == "");
  const std::string market = read_file(folder / "d.mtx");
  CHECK(market.starts_with("%%MatrixMarket matrix coordinate integer general\n5 5 17\n1 1 0\n1 2 5\n1 4 7\n"));
  CHECK(lines(market) == 2 + 17);
  // The graph whose edges are the distances has the same distances.
  for (const std::string name : {"d.mtx", "d.npy"}) {
    CHECK(printed({data("towns.gr"), "-o", folder / name}) == "");
    CHECK(printed({folder / name, "-o", folder / "again"}) == "");
    CHECK(read_file(folder / "again") == distances);
  }
  CHECK(read_file(folder / "d.npy").size() == 128 + 100);
  CHECK(printed({data("towns.gr"), "--type", "double", "-o", folder / "d.npy"}) == "");
  CHECK(read_file(folder / "d.npy").size() == 128 + 200);
  check_refusal(apsp({data("towns.gr"), "--type", "double", "-o", folder / "no.bin"}), 1,
                {folder / "no.bin", "holds integers", "double"});
}

TEST_CASE("a graph through a pipe") {
  CHECK(run({"sh", "-c", "cat " + data("towns.gr") + " | " + APSP + " /dev/stdin --from 1 --to 5"}).out ==
        "8 from 1 to 5, over 3 edges\n1 2 4 5\n");
}

TEST_CASE("the time of each step") {
  const std::string out = printed({data("towns.gr"), "--stats"});
  for (const char* word : {"reading ", "starting ", "solving ", "writing ", "Grelax/s", "int32"})
    CHECK(contains(out, word));
  CHECK(lines(out) == 8);
}

TEST_CASE("apsp refuses what is wrong, in one line") {
  const Folder folder;
  const std::string in = folder / "in", out = folder / "out", good = data("towns.gr");
  check_refusal(apsp({}), 2, {"INPUT", "usage: apsp"});
  check_refusal(apsp({good, "--fast"}), 2, {"--fast", "usage: apsp"});
  check_refusal(apsp({good, "--type", "int8"}), 2, {"--type", "int8"});
  check_refusal(apsp({good, "--from", "one"}), 2, {"--from", "one"});
  check_refusal(apsp({good, "--paths"}), 2, {"--paths", "--from or --to"});
  CHECK(apsp({"--help"}).status == 0);

  check_refusal(apsp({in}), 1, {in, "No such file"});
  check_refusal(apsp({in, "-o", out}), 1, {in, "No such file"});
  check_refusal(apsp({good, "--from", "0"}), 1, {good, "--from is 0, expected a vertex from 1 to 5"});
  check_refusal(apsp({good, "--from", "1", "--to", "6"}), 1, {good, "--to is 6, expected a vertex from 1 to 5"});
  check_refusal(apsp({data("towns.txt"), "--to", "5"}), 1, {"--to is 5, expected a vertex from 0 to 4"});
  check_refusal(apsp({good, "--to", "4294967297"}), 1, {"--to is 4294967297, expected a vertex from 1 to 5"});
  check_refusal(apsp({good, "-o", folder / "no/out"}), 1, {folder / "no/out", "cannot write", "No such file"});
  check_refusal(apsp({good, "-o", folder / "no/out.npy"}), 1, {folder / "no/out.npy", "cannot write", "No such file"});
  check_refusal(apsp({good, "-o", "/dev/full"}), 1, {"/dev/full", "No space left"});
  const Result full = run({"sh", "-c", std::string(APSP) + " " + good + " > /dev/full"});
  check_refusal(full, 1, {"standard output: cannot write: No space left"});

  write_file(in, "p sp 3 1\na 1 2\n");
  check_refusal(apsp({in, "-o", out}), 1,
                {in, "DIMACS, line 2, column 6: found the end of the line, expected a number"});
  write_file(in, "");
  check_refusal(apsp({in}), 1, {in, "empty"});
  write_file(in, std::string("\0\1\2", 3));
  check_refusal(apsp({in}), 1, {in, "byte 0"});
  // The vertex is named as in the file.
  write_file(in, "p sp 3 2\na 3 3 -1\na 1 2 1\n");
  check_refusal(apsp({in, "-o", out}), 1, {in, "negative cycle: vertex 3 "});
  write_file(in, "p sp 5000000 1\na 1 2 1\n");
  check_refusal(apsp({in}), 1, {in, "5000000 vertices need", "memory"});
  CHECK_FALSE(fs::exists(out));

  write_file(in, read_file(good));
  check_refusal(apsp({in, "-o", in}), 1, {in, "same file as the input"});
  CHECK(read_file(in) == read_file(good));
  CHECK(folder.files() == std::set<std::string>{"in"});
}

TEST_CASE("other semirings") {
  const Folder folder;
  const auto with = [&](const std::string& name, const std::string& text) {
    write_file(folder / name, text);
    return folder / name;
  };
  // Two ways from 0 to 3, and one on to 4; 5 is alone.
  const auto file = with("graph.txt", "0 1 5\n1 3 4\n0 2 2\n2 3 9\n3 4 1\n5 5 0\n");
  const auto matrix = [&](const std::string& semiring, const Words& more = {}) {
    Words arguments = {file, "--semiring", semiring, "-o", folder / "out"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    CHECK(printed(arguments) == "");
    std::string text = read_file(folder / "out");
    return text.substr(0, text.find('\n'));  // from 0
  };
  CHECK(matrix("min-plus") == "0 5 2 9 10 inf");
  CHECK(matrix("max-plus") == "0 5 2 11 12 inf");
  CHECK(matrix("max-min") == "inf 5 2 4 1 inf");
  CHECK(matrix("min-max") == "-1073741823 5 2 5 5 inf");
  CHECK(matrix("min-max", {"--type", "double"}) == "-inf 5 2 5 5 inf");
  CHECK(matrix("or-and") == "1 1 1 1 1 inf");

  const auto odds = with("odds.txt", "0 1 0.5\n1 2 0.5\n0 2 0.125\n3 3 1\n");
  CHECK(printed({odds, "--semiring", "max-times", "--from", "0"}) == "0\t1\n1\t0.5\n2\t0.25\n3\t0\n");
  CHECK(printed({file, "--semiring", "max-plus", "--from", "0", "--to", "4"}) == "12 from 0 to 4\n");
  CHECK(printed({file, "--semiring", "or-and", "--from", "4", "--to", "0"}) == "no path from 4 to 0\n");
  CHECK(printed({file, "--semiring", "or-and"}) ==
        "graph       6 vertices, 6 edges (edge list), in int32\nconnected   no, 9 of 30 pairs have a path\n");
  CHECK(printed({file, "--semiring", "max-min"}) ==
        "graph       6 vertices, 6 edges (edge list), in int32\nconnected   no, 9 of 30 pairs have a path\n");

  check_refusal(apsp({file, "--semiring", "max-sum"}), 2, {"--semiring", "max-sum"});
  check_refusal(apsp({file, "--semiring", "max-min", "--from", "0", "--paths"}), 2, {"--paths", "shortest paths"});
  check_refusal(apsp({file, "--semiring", "max-times", "--type", "int32"}), 1, {"max-times in int32, expected double"});
  check_refusal(apsp({file, "--semiring", "or-and", "--type", "double"}), 1, {"or-and in double, expected int32"});
  const auto loop = with("loop.gr", "p sp 2 2\na 1 2 3\na 2 1 -1\n");
  check_refusal(apsp({loop, "--semiring", "max-plus"}), 1, {"divergent cycle: vertex "});
}
