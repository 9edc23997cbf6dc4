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

/// A town of side x side crossings: streets both ways, of all lengths from 1 to 9, and some one way.
std::string streets(int side) {
  std::mt19937 random(7);
  std::ostringstream file;
  for (int v = 0; v < side * side; ++v) {
    if (v % side < side - 1) file << v << ' ' << v + 1 << ' ' << 1 + random() % 9 << '\n';
    if (v % side < side - 1) file << v + 1 << ' ' << v << ' ' << 1 + random() % 9 << '\n';
    if (v + side < side * side) file << v << ' ' << v + side << ' ' << 1 + random() % 9 << '\n';
    if (v + side < side * side && v % 3 != 0) file << v + side << ' ' << v << ' ' << 1 + random() % 9 << '\n';
  }
  return file.str();
}

/// A graph of n vertices in which each has `edges` edges: too many for an elimination.
std::string crowd(int n, int edges, int heaviest) {
  std::mt19937 random(3);
  std::ostringstream file;
  for (int v = 0; v < n; ++v)
    for (int e = 0; e < edges; ++e)
      file << v << ' ' << random() % static_cast<unsigned>(n) << ' ' << random() % static_cast<unsigned>(heaviest)
           << '\n';
  return file.str();
}

/// Whether two devices can be had: those of a host are groups of its threads.
bool has_two_devices() {
  return !contains(apsp({data("towns.gr"), "--devices", "2"}).err, "2 devices are wanted, there are ");
}

Words operator+(Words words, const Words& more) {
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

/// Edges between vertices 1 and 2, 3 and 4, and so on: no vertex can be left out.
std::string pairs(int count) {
  std::string file = "p sp " + std::to_string(2 * count) + ' ' + std::to_string(count) + '\n';
  for (int v = 1; v <= 2 * count; v += 2) file += "a " + std::to_string(v) + ' ' + std::to_string(v + 1) + " 1\n";
  return file;
}

const std::string distances = "0 5 inf 7 8\n7 0 inf 2 3\ninf inf 0 inf inf\n5 10 inf 0 1\n4 9 inf 11 0\n";

}  // namespace

TEST_CASE("the same graph from files of every format") {
  for (const std::string name : {"towns.gr", "towns.mtx", "towns-array.mtx", "towns.txt", "towns.csv", "towns.bin",
                                 "towns-int.npy", "towns-float.npy", "out.towns", "towns.gr.gz"}) {
    if (!GZIP && name == "towns.gr.gz") continue;
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

TEST_CASE("a graph that gzip has compressed") {
  const std::string packed = data("towns.gr.gz"), question = " --from 1 --to 5";
  const Folder folder;
  write_file(folder / "cut.gz", read_file(packed).substr(0, 60));
  if (GZIP) {
    CHECK(run({"sh", "-c", "cat " + packed + " | " + APSP + " /dev/stdin" + question}).out ==
          run({"sh", "-c", std::string(APSP) + " " + data("towns.gr") + question}).out);
    check_refusal(apsp({folder / "cut.gz"}), 1,
                  {folder / "cut.gz", "gzip, byte 60: the compressed file ends too early"});
  } else {
    check_refusal(apsp({packed}), 1, {packed, "compressed by gzip, expected it unpacked", "zlib"});
  }
}

TEST_CASE("whole numbers that double would round") {
  const Folder folder;
  write_file(folder / "in", "0 1 4611686018427387903\n");
  check_refusal(apsp({folder / "in", "--from", "0"}), 1,
                {folder / "in", "line 1, column 5: found '4611686018427387903', which double cannot hold exactly"});
  write_file(folder / "in", "0 1 4611686018427387902\n");
  CHECK(printed({folder / "in", "--from", "0", "--to", "1"}) == "4611686018427387902 from 0 to 1, over 1 edges\n0 1\n");
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
  CHECK(type("1000000000") == "int32");  // no path is longer than 1000000001
  CHECK(type("1073741822") == "int64");
  CHECK(type("1073741822", {"--method", "sparse"}) == "int64");
  CHECK(type("-1000000000", {"--measures-only"}) == "int64");
  CHECK(type("1000000000", {"--semiring", "max-plus"}) == "double");
  // Neither n - 1 edges nor all fit. An elimination finds that no path is longer than 1000000000.
  const std::string star = "500000000\n1 3 500000000\n1 4 500000000";
  CHECK(type(star) == "int64");
  CHECK(type(star, {"--method", "sparse"}) == "int32");
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
  const std::string dense = printed({data("towns.gr"), "--stats"});
  for (const char* word : {"\nreading ", "\nstarting ", "\nsolving ", " s   dense, ", "\n  phase 1 ", "\n  phase 2 ",
                           "\n  phase 3 ", "\nwriting ", "Grelax/s", "of this machine's limit", "int32"})
    CHECK_MESSAGE(contains(dense, word), "expected: ", word);
  CHECK(lines(dense) == 4 + 7);

  const Folder folder;
  write_file(folder / "in", streets(25));
  const std::string sparse = printed({folder / "in", "--stats"});
  for (const char* word : {"\nsolving ", " s   sparse, ", " times fewer than dense (int32, ", "\n  order ",
                           "the widest separator has ", "\n  factor ", "\n  distances ", "G distances/s", "\nwriting "})
    CHECK_MESSAGE(contains(sparse, word), "expected: ", word);
  CHECK(lines(sparse) == 5 + 7);
  CHECK(contains(printed({folder / "in", "--stats", "--method", "dense"}), " s   dense, "));
  CHECK(contains(printed({data("towns.gr"), "--stats", "--method", "sparse"}), " s   sparse, "));
  CHECK(contains(printed({data("towns.gr"), "--stats", "--semiring", "or-and"}), " s   dense, "));

  const std::string measures = printed({folder / "in", "--stats", "--measures-only"});
  CHECK(contains(measures, "\n  measures "));
  CHECK(contains(measures, "none kept"));
  CHECK(lines(measures) == 6 + 7);
  const std::string one = printed({folder / "in", "--from", "0", "--to", "624", "--stats"});
  CHECK(contains(one, "from one vertex"));
  CHECK(lines(one) == 2 + 7);
  CHECK(contains(printed({folder / "in", "--to", "624", "--stats"}), "to one vertex"));
}

TEST_CASE("the same of every method") {
  const Folder folder;
  write_file(folder / "streets", streets(18));
  write_file(folder / "far", "0 1 2.5\n1 0 0.25\n3 4 1\n");
  const std::vector<Words> questions = {{},
                                        {"--from", "1"},
                                        {"--to", "1", "--paths"},
                                        {"--from", "3", "--paths"},
                                        {"--from", "1", "--to", "4"},
                                        {"--from", "2", "--to", "2"},
                                        {"--from", "3", "--undirected", "--paths"},
                                        {"--to", "2", "--undirected"},
                                        {"--from", "4", "--type", "double", "--paths"},
                                        {"--to", "4", "--type", "int64"},
                                        {"--from", "1", "--to", "3", "--semiring", "max-min"},
                                        {"--to", "3", "--semiring", "min-max"},
                                        {"--from", "1", "-o", folder / "out"}};
  for (const std::string& file :
       {folder / "streets", folder / "far", data("towns.gr"), data("row.mtx"), data("towns-int.npy")})
    for (const Words& question : questions) {
      CAPTURE(file);
      CAPTURE(question.size());
      if (file == folder / "far" && std::find(question.begin(), question.end(), "int64") != question.end()) continue;
      std::set<std::string> answers;
      for (const char* method : {"auto", "dense", "sparse"}) {
        Words arguments = {file, "--method", method};
        arguments.insert(arguments.end(), question.begin(), question.end());
        const std::string out = printed(arguments);
        answers.insert(out + read_file(folder / "out"));
      }
      CHECK(answers.size() == 1);
    }
}

TEST_CASE("the same in every place") {
  const Folder folder;
  write_file(folder / "streets", streets(18));
  write_file(folder / "crowd", crowd(330, 40, 1000));
  write_file(folder / "far", "0 1 2.5\n1 0 0.25\n3 4 1\n");
  write_file(folder / "wide", "0 1 1000000000\n1 2 1000000000\n2 4 1000000000\n4 3 7\n");
  write_file(folder / "odds", "0 1 0.5\n1 2 0.5\n0 2 0.125\n4 3 1\n");
  write_file(folder / "none", "p sp 0 0\n");
  std::vector<Words> places = {{"--devices", "1"}, {"--memory", "1G"}, {"--memory", "100MB"}};
  if (has_two_devices()) places.insert(places.end(), {{"--devices", "2", "--method", "dense"}, {"--devices", "2"}});
  const auto check = [&](const std::string& file, const std::vector<Words>& questions) {
    for (const Words& question : questions) {
      CAPTURE(file);
      CAPTURE(question.empty() ? "" : question.front() + ' ' + question.back());
      const auto answer = [&](const Words& place) {
        std::string all = printed(Words{file} + place + question);
        for (const char* const name : {"out", "out.npy", "out.mtx", "out.bin"}) {
          all += read_file(folder / name);
          fs::remove(folder / name);
        }
        return all;
      };
      const std::string expected = answer({});
      for (const Words& place : places) CHECK((answer(place) == expected));
    }
  };
  check(folder / "crowd", {{},
                           {"--undirected"},
                           {"--unweighted"},
                           {"--from", "3", "--paths"},
                           {"--to", "3", "--paths"},
                           {"--from", "3", "--to", "329"},
                           {"--type", "int64", "-o", folder / "out.npy"},
                           {"--type", "double", "-o", folder / "out.mtx"},
                           {"--type", "float", "--to", "7"},
                           {"-o", folder / "out.bin", "--from", "1"},
                           {"-o", folder / "out", "--to", "1", "--paths"},
                           {"--semiring", "max-min"},
                           {"--semiring", "min-max", "--to", "5"},
                           {"--semiring", "max-min", "--type", "double", "--undirected", "-o", folder / "out"}});
  check(folder / "streets", {{}, {"--from", "1", "--paths"}, {"-o", folder / "out"}});
  for (const std::string& file : {folder / "far", folder / "wide", data("towns.gr"), data("row.mtx")})
    check(file, {{}, {"--from", "1", "--to", "4"}, {"--to", "4", "--paths"}, {"-o", folder / "out"}});
  check(folder / "odds", {{"--semiring", "max-times"},
                          {"--semiring", "max-times", "--from", "0"},
                          {"--semiring", "max-plus"},
                          {"--semiring", "min-max", "--from", "0", "--to", "2"}});
  check(folder / "none", {{}, {"-o", folder / "out"}});
}

TEST_CASE("devices, and out of core: what they say and refuse") {
  const Folder folder;
  if (!has_two_devices()) return skip("one device");
  write_file(folder / "crowd", crowd(3100, 200, 100));
  write_file(folder / "streets", streets(25));
  const std::string devices = printed({folder / "crowd", "--devices", "2", "--stats"});
  for (const char* word : {" s   dense, ", "of this machine's limit", "\nwriting "})
    CHECK_MESSAGE(contains(devices, word), "expected: ", word);
  CHECK((contains(devices, "(int16, 2 ") || contains(devices, "(int8, 2 ")));
  CHECK(lines(devices) == 5 + 4);
  CHECK(contains(printed({folder / "crowd", "--devices", "2", "--stats", "--undirected"}), "half the work"));
  CHECK(contains(printed({folder / "streets", "--devices", "2", "--stats"}), " s   sparse, "));
  CHECK(contains(printed({folder / "streets", "--devices", "2", "--stats", "--from", "1"}), "from one vertex"));
  CHECK(contains(printed({folder / "streets", "--devices", "2", "--stats", "--method", "dense"}), " s   dense, "));
  const std::string memory = printed({folder / "crowd", "--memory", "1G", "--stats"});
  for (const char* word : {" s   dense, ", "(int16, ", "\n  loading ", " chunks of ", "\n  storing ", "\n  waiting "})
    CHECK_MESSAGE(contains(memory, word), "expected: ", word);
  CHECK(lines(memory) == 5 + 7);
  CHECK(contains(printed({folder / "streets", "--memory", "1G", "--stats"}), " s   dense, "));

  const std::string good = data("towns.gr");
  const auto check = [&](const Words& first, const Words& second, const std::string& named) {
    check_refusal(apsp(Words{good} + first + second), 2, {first.front() + " excludes " + named + ' ', "usage: apsp"});
  };
  check({"--devices", "2"}, {"--memory", "1G"}, "--memory");
  for (const Words& place : {Words{"--devices", "2"}, Words{"--memory", "1G"}}) {
    check(place, {"--method", "sparse"}, "--method sparse");
    check(place, {"--semiring", "or-and"}, "--semiring or-and");
  }
  check({"--memory", "1G"}, {"--measures-only"}, "--measures-only");
  check({"--devices", "2"}, {"--measures-only"}, "--measures-only");
  check_refusal(apsp({good, "--strict-cycles", "--semiring", "max-min"}), 2,
                {"--strict-cycles", "min-plus or max-plus"});
  for (const char* const count : {"0", "-1", "2000", "two"})
    check_refusal(apsp({good, "--devices", count}), 2, {"--devices", count});
  for (const char* const size : {"much", "0", "-1", "nan", "inf", "0.5", "2Q", "99999999999999999999G", "0G"})
    check_refusal(
        apsp({good, "--memory", size}), 2,
        {std::string("--memory: '") + size + "' is no size of memory, expected bytes above 0, as 500M or 4G"});
  check_refusal(apsp({folder / "crowd", "--memory", "1000"}), 1, {"3100 vertices out of core need at least "});
  write_file(folder / "cycle", "p sp 5 3\na 3 2 3\na 2 3 -4\na 1 2 1\n");
  write_file(folder / "gain", "p sp 5 3\na 3 2 4\na 2 3 -3\na 1 2 1\n");
  for (const Words& place : {Words{"--devices", "2"}, Words{"--memory", "1G"}}) {
    CHECK(contains(apsp(Words{folder / "cycle"} + place).err, "negative cycle: vertex "));
    check_refusal(apsp(Words{folder / "gain", "--semiring", "max-plus"} + place), 1, {"divergent cycle: vertex "});
    check_refusal(apsp(Words{good, "--type", "double", "-o", folder / "no.bin"} + place), 1, {"holds integers"});
    // A cycle whose sum rounds to less than its length, which is 0.
    write_file(folder / "zero", "0 1 -0.1\n1 2 1.8\n2 3 -0.2\n3 0 -1.5\n");
    const Words zero = Words{folder / "zero", "--type", "double", "--method", "dense"} + place;
    CHECK(apsp(zero).status == 0);
    check_refusal(apsp(zero + Words{"--strict-cycles"}), 1, {"negative cycle: vertex "});
    write_file(folder / "large", "p sp 5000000 1\na 1 2 1\n");  // (written out, no vertex is left out)
    check_refusal(apsp(Words{folder / "large", "-o", folder / "no", "--method", "dense"} + place), 1,
                  {"5000000 vertices", "are available\n"});
  }
}

TEST_CASE("measures without the matrix") {
  const Folder folder;
  write_file(folder / "streets", streets(18));
  write_file(folder / "one way", "0 1 2\n1 2 2\n3 0 7\n");
  write_file(folder / "none", "p sp 0 0\n");
  write_file(folder / "alone", "p sp 1 0\n");
  for (const std::string& file : {folder / "streets", folder / "one way", folder / "none", folder / "alone",
                                  data("towns.gr"), data("row.mtx"), data("towns-float.npy")})
    for (const std::string direction : {"--undirected", "--stats"}) {
      CAPTURE(file);
      const auto summary = [&](const Words& options) {
        Words arguments = {file};
        if (direction == "--undirected") arguments.push_back(direction);
        arguments.insert(arguments.end(), options.begin(), options.end());
        return printed(arguments);
      };
      const std::string all = summary({}), only = summary({"--measures-only"});
      CHECK(only.starts_with(all));
      if (only != all) CHECK(only.substr(all.size()).starts_with("mean        "));
    }
  // Six pairs: 2 and 2, 2 + 2, 7, 7 + 2, 7 + 2 + 2.
  CHECK(contains(printed({folder / "one way", "--measures-only"}), "\nmean        5.8333333\n"));
  CHECK(contains(printed({data("row.mtx"), "--measures-only", "--unweighted"}), "\nmean        1.6666667\n"));

  const std::string good = data("towns.gr");
  for (const Words& with : {Words{"-o", folder / "out"}, Words{"--from", "1"}, Words{"--to", "1"}, Words{"--paths"},
                            Words{"--method", "dense"}}) {
    Words arguments = {good, "--measures-only"};
    arguments.insert(arguments.end(), with.begin(), with.end());
    const std::string option = with.front() == "--method" ? "--method dense" : with.front();
    check_refusal(apsp(arguments), 2, {"--measures-only excludes " + option + " ", "usage: apsp"});
  }
  check_refusal(apsp({good, "--measures-only", "--semiring", "max-min"}), 2, {"--measures-only", "shortest paths"});
  check_refusal(apsp({good, "--semiring", "or-and", "--method", "sparse"}), 2, {"--method", "sparse", "or-and"});
  check_refusal(apsp({good, "--method", "fast"}), 2, {"--method", "fast"});
  const auto loop = folder / "loop";
  write_file(loop, "p sp 3 3\na 3 2 3\na 2 3 -4\na 1 2 1\n");
  for (const Words& with :
       {Words{"--measures-only"}, Words{"--method", "sparse"}, Words{"--to", "2", "--method", "sparse"}}) {
    Words arguments = {loop};
    arguments.insert(arguments.end(), with.begin(), with.end());
    const Result result = apsp(arguments);
    check_refusal(result, 1, {loop, "negative cycle: vertex "});
    CHECK((contains(result.err, "vertex 2 ") || contains(result.err, "vertex 3 ")));
  }
}

TEST_CASE("vertices without edges are left out, and still have their names and distances") {
  const Folder folder;
  const auto write = [&](const std::string& text) {
    write_file(folder / "in", text);
    return folder / "in";
  };
  // Two vertices of 240 million. (A matrix of all would take 461 TB, arrays of all many GB.)
  const auto two = write("240109189 4713234 12.5\n");
  const std::string graph =
      "graph       240109190 vertices, 1 edges (edge list), in double\n"
      "connected   no, 1 of 57652422882346912 pairs have a path\n";
  const std::string lengths = "radius      none, no vertex reaches all\nlongest     12.5, from 240109189 to 4713234\n";
  CHECK(printed({two}) == graph + lengths);
  CHECK(printed({two, "--method", "dense"}) == graph + lengths);
  CHECK(printed({two, "--memory", "1G"}) == graph + lengths);
  CHECK(printed({two, "--devices", "1"}) == graph + lengths);
  CHECK(printed({two, "--measures-only"}) == graph + lengths + "mean        12.5\n");
  CHECK(printed({two, "--semiring", "max-min"}) == graph);
  CHECK(printed({two, "--from", "240109189", "--to", "4713234"}) ==
        "12.5 from 240109189 to 4713234, over 1 edges\n240109189 4713234\n");
  CHECK(printed({two, "--from", "4713234", "--to", "240109189"}) == "no path from 4713234 to 240109189\n");
  CHECK(printed({two, "--from", "0", "--to", "240109189"}) == "no path from 0 to 240109189\n");
  CHECK(printed({two, "--from", "7", "--to", "7"}) == "0 from 7 to 7, over 0 edges\n7\n");
  check_refusal(apsp({two, "-o", folder / "out"}), 1, {two, "240109190 vertices need", "are available\n"});
  check_refusal(apsp({two, "-o", folder / "out.npy"}), 1, {"out.npy: cannot write: "});

  // Headers that claim many vertices.
  CHECK(printed({write("p sp 2147483647 1\na 5 2147483647 3\n"), "--to", "2147483647", "--from", "5"}) ==
        "3 from 5 to 2147483647, over 1 edges\n5 2147483647\n");
  CHECK(printed({write("%%MatrixMarket matrix coordinate integer symmetric\n2000000000 2000000000 1\n9 3 4\n")}) ==
        "graph       2000000000 vertices, 1 edges both ways (Matrix Market), in int32\n"
        "connected   no, 2 of 3999999998000000000 pairs have a path\n"
        "radius      none, no vertex reaches all\n"
        "longest     4, from 3 to 9\n");
  check_refusal(apsp({write("p sp 2000000000 2\na 1999999998 1999999999 -4\na 1999999999 1999999998 3\n")}), 1,
                {"negative cycle: vertex ", "199999999"});
  check_refusal(apsp({write("p sp 2000000000 1\na 7 7 -4\n"), "--from", "7"}), 1, {"negative cycle: vertex 7 "});

  // A graph of which a third has edges: every answer is that of the matrix.
  const auto some = write("p sp 15 6\na 3 9 5\na 9 3 4\na 9 14 1\na 14 12 7\na 3 12 15\na 5 5 0\n");
  const std::map<std::string, std::string> semirings = {{"min-plus", "int64"},   {"max-plus", "double"},
                                                        {"max-min", "int32"},    {"min-max", "double"},
                                                        {"max-times", "double"}, {"or-and", "int32"}};
  for (const auto& [semiring, type] : semirings) {
    if (semiring == "max-plus" || semiring == "max-times") continue;  // 3 and 9 are a cycle that gains
    CAPTURE(semiring);
    const Words options = {some, "--semiring", semiring, "--type", type};
    CHECK(printed(options + Words{"-o", folder / "out"}) == "");
    std::istringstream matrix(read_file(folder / "out"));
    std::vector<Words> rows(15, Words(15));
    for (auto& row : rows)
      for (auto& entry : row) matrix >> entry;
    for (std::size_t v = 0; v < 15; ++v) {
      std::string from, to;
      for (std::size_t u = 0; u < 15; ++u) {
        from += std::to_string(u + 1) + '\t' + rows[v][u] + '\n';
        to += std::to_string(u + 1) + '\t' + rows[u][v] + '\n';
      }
      CHECK(printed(options + Words{"--from", std::to_string(v + 1)}) == from);
      CHECK(printed(options + Words{"--to", std::to_string(v + 1)}) == to);
    }
  }
  CHECK(printed({some, "--from", "3", "--paths"}) ==
        "1\tinf\t\n2\tinf\t\n3\t0\t3\n4\tinf\t\n5\tinf\t\n6\tinf\t\n7\tinf\t\n8\tinf\t\n9\t5\t3 9\n10\tinf\t\n"
        "11\tinf\t\n12\t13\t3 9 14 12\n13\tinf\t\n14\t6\t3 9 14\n15\tinf\t\n");
  for (const Words& way : {Words{}, Words{"--method", "dense"}, Words{"--method", "sparse"}})
    CHECK(printed(Words{some} + way) ==
          "graph       15 vertices, 6 edges (DIMACS), in int32\n"
          "connected   no, 7 of 210 pairs have a path\n"
          "radius      none, no vertex reaches all\n"
          "longest     13, from 3 to 12\n");
  CHECK(printed({write("p sp 9 1\na 4 4 2\n")}) ==
        "graph       9 vertices, 1 edges (DIMACS), in int32\n"
        "connected   no, 0 of 72 pairs have a path\n"
        "radius      none, no vertex reaches all\n"
        "longest     0, from 1 to 1\n");
}

TEST_CASE("more threads than there is room for, and numbers of threads that are none") {
  const std::string good = data("towns.gr");
  for (const std::string variable : {"OMP_NUM_THREADS", "KOKKOS_NUM_THREADS"})
    for (const std::string value : {"513", "100000", "0", "-1", "many"}) {
      const Result result = run({"env", variable + '=' + value, APSP, good});
      CAPTURE(result.err);
      CHECK(result.status == 1);
      CHECK(result.out == "");
      CHECK(result.err.ends_with(": " + variable + " is '" + value + "', expected 1 to 512 threads\n"));
      if (value == "513" || variable == "KOKKOS_NUM_THREADS") CHECK(lines(result.err) == 1);  // (OpenMP warns, too)
    }
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
  for (const char* const option : {"-o", "--from", "--to", "--type", "--method", "--semiring", "--devices", "--memory"})
    check_refusal(apsp({good, option, ""}), 2, {"usage: apsp"});
  check_refusal(apsp({good, "-o", ""}), 2, {"--output: the argument is empty, expected a value"});
  check_refusal(apsp({""}), 2, {"INPUT: the argument is empty, expected a value"});
  check_refusal(apsp({good, "--from", "1", "--from", "2"}), 2, {"--from"});

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
  write_file(in, pairs(1'000'000));
  check_refusal(apsp({in, "-o", out}), 1, {in, "2000000 vertices need", "are available\n"});
  check_refusal(apsp({in, "--method", "dense"}), 1,
                {in, "2000000 vertices need", "; --measures-only needs no matrix\n"});
  check_refusal(apsp({in, "--method", "dense", "--to", "1"}), 1, {in, "; --method sparse needs no matrix\n"});
  check_refusal(apsp({in, "--semiring", "or-and"}), 1, {in, "2000000 vertices", "memory"});
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
