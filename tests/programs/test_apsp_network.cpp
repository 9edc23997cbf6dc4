// SPDX-License-Identifier: MIT
// apsp's questions about many vertices: every answer against the matrix that the program itself writes, files of every
// ending, vertices without edges, and one line for each mistake.
#include "apsp_calls.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <random>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace {

/// The words of a text between blanks.
Words split(const std::string& text) {
  Words words;
  std::istringstream in(text);
  for (std::string word; in >> word;) words.push_back(word);
  return words;
}

/// A graph in ./graph, its matrix as the program writes it, and lists of its vertices in files.
class Asked {
 public:
  /// \param options  the options of every call
  Asked(const Apsp& apsp, std::string options, std::int64_t first = 0)
      : apsp_(apsp), options_(std::move(options)), first_(first) {
    const Words entries = split(apsp.answer("./graph -o ./out " + options_));
    n_ = std::lround(std::sqrt(static_cast<double>(entries.size())));
    REQUIRE(static_cast<std::size_t>(n_ * n_) == entries.size());
    matrix_ = entries;
  }

  std::int64_t vertices() const { return n_; }
  std::string name(std::int64_t v) const { return std::to_string(first_ + v); }
  const std::string& entry(std::int64_t i, std::int64_t j) const {
    return matrix_[static_cast<std::size_t>(i * n_ + j)];
  }
  double distance(std::int64_t i, std::int64_t j) const { return std::stod(entry(i, j)); }

  using List = std::vector<std::int64_t>;
  List all() const {
    List list;
    for (std::int64_t v = 0; v < n_; ++v) list.push_back(v);
    return list;
  }
  /// Writes random vertices, repeated ones among them, to a file.
  List list(const std::string& file, int count) {
    List list;
    std::string text = "# a list\n\n";
    for (int i = 0; i < count; ++i) {
      list.push_back(static_cast<std::int64_t>(random_() % static_cast<unsigned long>(n_)));
      text += name(list.back()) + (i % 3 == 0 ? "  # a remark\n" : i % 3 == 1 ? "\r\n" : "\n");
    }
    apsp_.write(file, text);
    return list;
  }

  std::string table(const List& from, const List& to) const {
    std::string text;
    for (const auto i : from) {
      std::string line;
      for (const auto j : to) line += (line.empty() ? "" : " ") + entry(i, j);
      text += line + '\n';
    }
    return text;
  }
  std::string pairs(const List& from, const List& to) const {
    std::string text;
    for (std::size_t p = 0; p < from.size(); ++p) text += entry(from[p], to[p]) + '\n';
    return text;
  }
  std::string nearest(const List& from, const List& places, std::size_t count) const {
    std::string text;
    for (const auto v : from) {
      List near;
      for (const auto place : places)
        if (entry(v, place) != "inf") near.push_back(place);
      std::stable_sort(near.begin(), near.end(), [&](auto a, auto b) { return distance(v, a) < distance(v, b); });
      for (std::size_t i = 0; i < count; ++i)
        text += name(v) + '\t' + (i < near.size() ? name(near[i]) + '\t' + entry(v, near[i]) : "-\tinf") + '\n';
    }
    return text;
  }
  std::string within(const List& from, double limit) const {
    std::string text;
    for (const auto s : from)
      for (const auto v : all())
        if (entry(s, v) != "inf" && distance(s, v) <= limit)
          text += name(s) + '\t' + name(v) + '\t' + entry(s, v) + '\n';
    return text;
  }

  /// Checks a call's answer, also in a file.
  void check(const std::string& question, const std::string& expected) const {
    CAPTURE(options_ + ' ' + question);
    CHECK((apsp_.answer("./graph " + options_ + ' ' + question) == expected));
    CHECK((apsp_.answer("./graph -o ./out " + options_ + ' ' + question) == expected));
  }

 private:
  const Apsp& apsp_;
  std::string options_;
  std::int64_t first_, n_ = 0;
  Words matrix_;
  std::mt19937 random_{11};
};

void check_tables(Asked& asked) {
  const auto from = asked.list("from", 40), to = asked.list("to", 40), places = asked.list("places", 7);
  asked.check("--from ./from --to ./to", asked.table(from, to));
  asked.check("--from ./from --to ./places", asked.table(from, places));
  asked.check("--from ./places", asked.table(places, asked.all()));
  asked.check("--to ./places", asked.table(asked.all(), places));
  asked.check("--to ./to --from " + asked.name(1), asked.table({1}, to));
  asked.check("--from ./from --to " + asked.name(2), asked.table(from, {2}));
  asked.check("--from ./from --to ./to --pairs", asked.pairs(from, to));
  asked.check("--from " + asked.name(3) + " --pairs --to " + asked.name(2), asked.entry(3, 2) + '\n');
}

/// Questions about shortest paths.
void check_lines(Asked& asked, double limit) {
  const auto from = asked.list("from", 20), places = asked.list("places", 7);
  asked.check("--nearest ./places", asked.nearest(asked.all(), places, 1));
  asked.check("--nearest ./places --count 3", asked.nearest(asked.all(), places, 3));
  asked.check("--nearest ./places --count 9 --from ./from", asked.nearest(from, places, 9));
  asked.check("--nearest ./places --from " + asked.name(1), asked.nearest({1}, places, 1));
  std::ostringstream text;
  text << limit;
  asked.check("--from ./from --within " + text.str(), asked.within(from, limit));
  asked.check("--from " + asked.name(2) + " --within " + text.str(), asked.within({2}, limit));
  asked.check("--from ./from --within inf", asked.within(from, 1e300));
  asked.check("--from ./from --within -1", asked.within(from, -1));
}

/// The measures of each vertex, of which the closeness is compared as a number.
void check_measures(const Apsp& apsp, const Asked& asked, const std::string& options) {
  const Words words = split(apsp.answer("./graph --measures " + options));
  const std::int64_t n = asked.vertices();
  REQUIRE(words.size() == static_cast<std::size_t>(4 * n));
  for (std::int64_t v = 0; v < n; ++v) {
    double farthest = 0, sum = 0, reached = 0;
    for (std::int64_t u = 0; u < n; ++u) {
      if (asked.entry(v, u) == "inf") continue;
      ++reached;
      sum += asked.distance(v, u);
      farthest = std::max(farthest, asked.distance(v, u));
    }
    const auto* const line = &words[static_cast<std::size_t>(4 * v)];
    const double others = reached - 1, closeness = sum > 0 ? others / sum * others / static_cast<double>(n - 1) : 0;
    CHECK(line[0] == asked.name(v));
    CHECK(std::stod(line[1]) == reached);
    CHECK((reached < static_cast<double>(n) ? line[2] == "inf" : std::stod(line[2]) == farthest));
    CHECK(std::stod(line[3]) == doctest::Approx(closeness));
  }
}

}  // namespace

TEST_CASE_FIXTURE(Apsp, "apsp's tables, pairs, nearest places, vertices within a limit and measures of each vertex") {
  write("few", "# depots\n4\n\n1  # the first\r\n  4\n");
  write("two", "2\n5");
  write("three", "2\n5\n3\n");
  write("empty", "");
  write("zero", "0\n4\n");
  answers({
      {"@towns.gr --from ./few --to ./two", "10 1\n5 8\n10 1\n"},
      {"@towns.gr --from ./few --to ./two -o ./out", "10 1\n5 8\n10 1\n"},
      {"@towns.gr --from ./few", "5 10 inf 0 1\n0 5 inf 7 8\n5 10 inf 0 1\n"},
      {"@towns.gr --to ./two", "5 8\n0 3\ninf inf\n10 1\n9 0\n"},
      {"@towns.gr --from 1 --to ./two", "5 8\n"},
      {"@towns.gr --from ./few --to 2", "10\n5\n10\n"},
      {"@towns.gr --from ./few --to ./three --pairs", "10\n8\ninf\n"},
      {"@towns.gr --nearest ./two", "1\t2\t5\n2\t2\t0\n3\t-\tinf\n4\t5\t1\n5\t5\t0\n"},
      {"@towns.gr --nearest ./three --count 2 --from ./few",
       "4\t5\t1\n4\t2\t10\n1\t2\t5\n1\t5\t8\n4\t5\t1\n4\t2\t10\n"},
      {"@towns.gr --from ./two --within 3", "2\t2\t0\n2\t4\t2\n2\t5\t3\n5\t5\t0\n"},
      {"@towns.gr --from 2 --within 2.9", "2\t2\t0\n2\t4\t2\n"},
      {"@row.mtx --measures", "1\t4\t3\t0.5\n2\t4\t2\t0.75\n3\t4\t2\t0.75\n4\t4\t3\t0.5\n"},
      {"@towns.txt --from ./zero --to ./zero", "0 8\n4 0\n"},
      {"@towns.gr --from ./empty --to ./two", ""},
      {"@towns.gr --from ./empty --to ./two -o ./out", ""},
      {"@towns.gr --from ./two --to ./empty", "\n\n"},
      {"@towns.gr --from ./empty --to ./empty --pairs", ""},
      {"@towns.gr --from ./two --to ./two --unweighted", "0 2\n2 0\n"},
      {"@towns.gr --from ./two --to ./two --undirected", "0 3\n3 0\n"},
  });
  CHECK(output(call("@towns.gr --to 2 --from /dev/stdin", {}, {"sh", "-c", "echo 4 | \"$0\" \"$@\""})) == "10\n");
}

TEST_CASE_FIXTURE(Apsp, "every answer is that of the matrix") {
  write("graph", streets(14));
  for (const std::string options :
       {"", "--undirected", "--type int64", "--type double", "--type float", "--method sparse", "--unweighted"}) {
    Asked asked(*this, options);
    check_tables(asked);
    check_lines(asked, 17);
  }
  for (const std::string options : {"--semiring max-min", "--semiring min-max --type double", "--semiring min-max"}) {
    Asked asked(*this, options);
    check_tables(asked);
  }
  const Asked asked(*this, "");
  check_measures(*this, asked, "");

  // Graphs that are not connected, with fractional lengths, and with negative lengths. A crowd is no sparse graph.
  for (const std::string graph :
       {"0 1 2.5\n1 0 0.25\n3 4 1\n5 3 0.5\n", "0 1 -4\n1 2 3\n2 0 2\n3 4 -7\n3 0 1\n4 5 0\n"}) {
    write("graph", graph);
    Asked parts(*this, "");
    check_tables(parts);
    check_lines(parts, 0.7);
    check_measures(*this, parts, "");
  }
  write("graph", crowd(120, 30, 1000));
  Asked crowded(*this, "");
  check_tables(crowded);
  check_lines(crowded, 60);

  // Longest paths, and most reliable paths: their value is 0 without a path.
  write("graph", "0 1 0.5\n1 2 0.5\n0 2 0.125\n4 3 1\n");
  for (const std::string semiring : {"max-times", "max-plus"}) {
    Asked other(*this, "--semiring " + semiring);
    check_tables(other);
  }
}

TEST_CASE_FIXTURE(Apsp, "int32 if it suffices, or int64, in a question about many vertices") {
  const std::string star = "0 1 500000000\n1 2 1\n1 3 500000000\n1 4 500000000\n";
  write("graph", star);
  Asked fits(*this, "");
  check_tables(fits);
  write("graph", "0 1 1000000000\n1 2 1000000000\n2 4 1000000000\n4 3 7\n");
  Asked wide(*this, "");
  check_tables(wide);
  CHECK(wide.entry(0, 3) == "3000000007");
  write("ends", "0\n");
  check("./graph --from ./ends --type int32", 1, {"./graph", "a path could be as long as ", "in int32; use int64"});
  write("graph", "0 1 4611686018427387902\n");
  answers({{"./graph --from 0 --within 4611686018427387901", "0\t0\t0\n"},
           {"./graph --from 0 --within 4611686018427387902", "0\t0\t0\n0\t1\t4611686018427387902\n"}});
}

TEST_CASE_FIXTURE(Apsp, "tables for other programs") {
  write("from", "4\n1\n");
  write("to", "2\n3\n5\n");
  const std::string entries = bytes_of(std::vector<std::int32_t>{10, 1073741823, 1, 5, 1073741823, 8});
  CHECK(answer("@towns.gr --from ./from --to ./to -o ./out.bin") == entries);
  CHECK(answer("@towns.gr --from ./from --to ./to -o ./out.mtx") ==
        "%%MatrixMarket matrix coordinate integer general\n2 3 4\n1 1 10\n1 3 1\n2 1 5\n2 3 8\n");
  const std::string array = answer("@towns.gr --from ./from --to ./to -o ./out.npy");
  CHECK(array.size() == 128 + entries.size());
  CHECK(contains(array, "'shape': (2, 3)"));
  CHECK(array.ends_with(entries));
  const std::string column = answer("@towns.gr --from ./from --to ./from --pairs -o ./out.npy");
  CHECK(contains(column, "'shape': (2, 1)"));
  CHECK(column.ends_with(bytes_of(std::vector<std::int32_t>{0, 0})));
  const std::string rows = answer("@towns.gr --from ./from -o ./out.npy --type double");
  CHECK(contains(rows, "'shape': (2, 5)"));
  CHECK(rows.size() == 128 + 80);
}

TEST_CASE_FIXTURE(Apsp, "questions about vertices without edges, and about few of very many") {
  // A graph in which a third of the vertices have edges, and every question about all vertices.
  write("graph", "p sp 15 6\na 3 9 5\na 9 3 4\na 9 14 1\na 14 12 7\na 3 12 15\na 5 5 0\n");
  Asked asked(*this, "", 1);
  check_tables(asked);
  check_lines(asked, 6);
  check_measures(*this, asked, "");
  Asked widest(*this, "--semiring max-min --type int32", 1);
  check_tables(widest);

  write("graph", "240109189 4713234 12.5\n");
  write("ends", "240109189\n4713234\n7\n");
  answers({
      {"./graph --from ./ends --to ./ends", "0 12.5 inf\ninf 0 inf\ninf inf 0\n"},
      {"./graph --from ./ends --within 20",
       "240109189\t4713234\t12.5\n240109189\t240109189\t0\n"
       "4713234\t4713234\t0\n7\t7\t0\n"},
      {"./graph --from 240109189 --nearest ./ends --count 3",
       "240109189\t240109189\t0\n240109189\t4713234\t12.5\n240109189\t-\tinf\n"},
  });
  write("graph", "p sp 0 0\n");
  write("none", "# nobody\n");
  answers({{"./graph --from ./none", ""},
           {"./graph --to ./none -o ./out", ""},
           {"./graph --nearest ./none", ""},
           {"./graph --measures", ""}});
}

TEST_CASE_FIXTURE(Apsp, "sums of second weights along the shortest paths") {
  // Two paths of length 5 lead from 0 to 3, and a longer path. Of the two, the path over 2 has the smaller sum.
  write("graph", "0 1 2\n1 3 3\n0 2 4\n2 3 1\n0 3 6\n4 4 0\n");
  write("second", "0 1 10\n1 3 10\n0 2 7\n2 3 8\n0 3 1\n4 4 0\n");
  write("from", "3\n0\n");
  write("to", "3\n0\n1\n");
  write("all", "0\n1\n2\n3\n4\n");
  const std::string rows = "0 10 7 15 inf\ninf 0 inf 10 inf\ninf inf 0 8 inf\ninf inf inf 0 inf\ninf inf inf inf 0\n";
  for (const std::string type : {"", " --type int64", " --type double", " --type float"})
    answers({
        {"./graph --second ./second --from ./from --to ./to" + type, "0 inf inf\n15 0 10\n"},
        {"./graph --second ./second --from ./from --to ./to -o ./out" + type, "0 inf inf\n15 0 10\n"},
        {"./graph --second ./second --from ./from --to ./from --pairs" + type, "0\n0\n"},
        {"./graph --second ./second --from ./all" + type, rows},
        {"./graph --second ./second --to 3" + type, "15\n10\n8\n0\ninf\n"},
        {"./graph --second ./second --from 0 --to 3" + type, "15\n"},
        {"./graph --second ./second --from 0 --to 3 --unweighted" + type, "1\n"},
        {"./graph --second ./second --from 3 --to 0 --undirected" + type, "15\n"},
    });
  const std::int64_t no = (std::int64_t{1} << 62) - 1;
  CHECK(answer("./graph --second ./second --from ./from --to ./to -o ./out.npy")
            .ends_with(bytes_of(std::vector<std::int64_t>{0, no, no, 15, 0, 10})));

  // The graph's own weights, summed along its shortest paths, are its distances.
  write("graph", streets(14));
  Asked asked(*this, "");
  const auto from = asked.list("from", 30), to = asked.list("to", 30);
  asked.check("--second ./graph --from ./from --to ./to", asked.table(from, to));
  asked.check("--second ./graph --from ./from", asked.table(from, asked.all()));
  asked.check("--second ./graph --from ./from --to ./to --pairs", asked.pairs(from, to));

  // Vertices without edges are left out.
  write("graph", "p sp 15 2\na 3 9 5\na 9 14 1\n");
  write("second", "p sp 15 2\na 3 9 50\na 9 14 10\n");
  write("negative", "p sp 15 2\na 3 9 50\na 9 14 -10\n");
  answers({{"./graph --second ./second --from 3", "inf inf 0 inf inf inf inf inf 50 inf inf inf inf 60 inf\n"},
           {"./graph --second ./negative --from 3", "inf inf 0 inf inf inf inf inf 50 inf inf inf inf 40 inf\n"}});

  write("fewer", "p sp 15 1\na 3 9 50\n");
  write("other", "p sp 15 2\na 3 9 50\na 9 13 10\n");
  write("large", "p sp 15 2\na 3 9 50\na 9 14 1152921504606846976\n");
  write("real", "3 9 0.5\n9 14 0.5\n");
  check({
      {"./graph --from 3 --second ./missing", 1, {"--second is '", "missing', which is no file"}},
      {"./graph --from 3 --second ./fewer", 1, {"./fewer: second weights of 1 edges, expected 2, those of the graph"}},
      {"./graph --from 3 --second ./other",
       1,
       {"./other: edge number 2 leads from 9 to 13, expected from 9 to 14, as in the graph"}},
      {"./graph --from 3 --second ./large", 1, {"./graph", "a sum could reach 2^60, expected smaller second weights"}},
      {"./graph --from 3 --second ./real", 1, {"./real", "line 1, column 5: found '0.5', which int64 cannot hold"}},
      {"./graph --second ./second", 2, {"--second requires --from or --to", "usage: apsp"}},
      {"./graph --second ./second --from 3 --semiring max-min", 2, {"--second: takes shortest paths"}},
      {"./graph --second ./second --from 3 --paths", 2, {"--second excludes --paths"}},
      {"./graph --second ./second --measures", 2, {"--measures excludes --second"}},
      {"./graph --second ./second --nearest ./from", 2, {"--nearest excludes --second"}},
      {"./graph --second ./second --within 3 --from 3", 2, {"--within excludes --second"}},
      {"./graph --second ./second --from 3 -o ./second", 2, {"./second", "same file as the input"}},
  });
}

TEST_CASE_FIXTURE(Apsp, "orders of elimination by other libraries, or one line") {
  write("graph", streets(14));
  const std::pair<std::string, bool> orders[] = {{"amd", AMD}, {"metis", METIS}, {"auto", true}};
  for (const auto& [order, there] : orders) {
    if (!there) {
      check("./graph --measures --order " + order, 2, {"--order: " + order + " needs the component " + order});
      continue;
    }
    Asked asked(*this, "");
    const auto from = asked.list("from", 30), to = asked.list("to", 50);
    asked.check("--from ./from --to ./to --order " + order, asked.table(from, to));
  }
}

TEST_CASE_FIXTURE(Apsp, "apsp takes the time of a network") {
  write("graph", streets(25));
  write("ends", "1\n600\n");
  check({{"./graph --from ./ends --to ./ends --stats",
          0,
          {"0 ", "\nreading ", "\nstarting ", "\npreparing ", "a network, ", "Grelax (int32, ",
           "the widest separator has ", "\nanswering ", "and writing"},
          "",
          2 + 4},
         {"./graph --undirected --nearest ./ends -o ./out --stats", 0, {"half the work"}, "", 4}});
}

TEST_CASE_FIXTURE(Apsp, "what apsp refuses of questions about many vertices, in one line") {
  write("copy", "1\n");
  write("list", "1\n2\n");
  write("one", "# one\n3\n");
  write("out_of_range", "1\n\n  7\n");
  write("words", "1\n2 3\n");
  write("name", "1\nParis\n");
  write("packed", "\x1f\x8b");
  write("cycle", "p sp 3 2\na 3 3 -1\na 1 2 1\n");
  const auto files = folder.files();
  const std::string usage = "usage: apsp";
  check({
      {"@towns.gr --from one", 2, {"--from is 'one', which is neither a vertex nor a file"}},
      {"@towns.gr --to ./missing", 2, {"--to is '", "missing', which is neither a vertex nor a file"}},
      {"@towns.gr --nearest ./missing", 1, {"--nearest is '", "missing', which is no file"}},
      {"@towns.gr --from ./out_of_range",
       1,
       {"./out_of_range: list of vertices, line 3, column 3: found '7', expected a vertex from 1 to 5"}},
      {"@towns.gr --from ./words", 1, {"./words", "line 2, column 3: found '3', expected the end of the line"}},
      {"@towns.gr --nearest ./name", 1, {"./name", "line 2, column 1: found 'Paris', expected a vertex from 1 to 5"}},
      {"@towns.txt --from ./list --to 5", 2, {"--to is 5, expected a vertex from 0 to 4"}},
      {"@towns.gr --from ./list --to ./one --pairs",
       1,
       {"--pairs of 2 vertices to come from and 1 to go to, expected as many of each"}},
      {"./cycle --from ./list", 1, {"./cycle", "negative cycle: vertex 3 "}},
      {"@towns.gr --from ./list -o ./no/out.npy", 1, {"./no/out.npy", "cannot write", "No such file"}},
      {"@towns.gr --from ./list -o /dev/full", 1, {"/dev/full", "No space left"}},
      {"@towns.gr --measures -o ./no/out", 1, {"./no/out", "cannot write", "No such file"}},
      {"@towns.gr --measures -o /dev/full", 1, {"/dev/full", "No space left"}},
      {"@towns.gr --measures -o ./out.gz", 2, {"./out.gz", "not compressed"}},
      {"@towns.gr --from ./list --type double -o ./no.bin", 2, {"./no.bin", "holds integers", "double"}},
      {"@towns.gr --from ./copy -o ./copy", 2, {"./copy", "same file as the input"}},
      {"@towns.gr --nearest ./copy -o ./copy", 2, {"./copy", "same file as the input"}},

      {"@towns.gr --pairs", 2, {"--pairs requires --from", usage}},
      {"@towns.gr --pairs --from ./list", 2, {"--pairs requires --to", usage}},
      {"@towns.gr --within 3", 2, {"--within requires --from", usage}},
      {"@towns.gr --count 3", 2, {"--count requires --nearest", usage}},
      {"@towns.gr --count 3 --from ./list", 2, {"--count requires --nearest", usage}},
      {"@towns.gr --nearest ./list --count 0", 2, {"--count", "0", usage}},
      {"@towns.gr --from 1 --within near", 2, {"--within: 'near' is not a number", usage}},
      {"@towns.gr --from 1 --within nan", 2, {"--within: 'nan' is not a number", usage}},
      {"@towns.gr --order amd", 2, {"--order requires a question about many vertices", usage}},
      {"@towns.gr --measures --order best", 2, {"--order", "best", usage}},
      {"@towns.gr --from ./list --from ./list", 2, {"--from", usage}},
      {"@towns.gr --nearest ./list -o ./out.npy",
       2,
       {"-o: the output of --nearest is a text, expected another ending than .npy", usage}},
      {"@towns.gr --from 1 --within 3 -o ./out.bin", 2, {"-o: the output of --within is a text", usage}},
      {"@towns.gr --measures --semiring max-min", 2, {"--measures: takes shortest paths", usage}},
      {"@towns.gr --nearest ./list --semiring max-min", 2, {"--nearest: takes shortest paths", usage}},
  });
  for (const auto& [question, said] : std::vector<std::pair<std::string, std::string>>{
           {"--from ./list", "--from FILE"},
           {"--to ./list", "--to FILE"},
           {"--from ./list --to ./list --pairs", "--pairs"},
           {"--nearest ./list", "--nearest"},
           {"--from 1 --within 3", "--within"},
           {"--measures", "--measures"},
       })
    for (const auto& [option, value] : std::vector<std::pair<std::string, std::string>>{
             {"--paths", ""},
             {"--measures-only", ""},
             {"--method dense", ""},
             {"--devices", " 2"},
             {"--memory", " 1G"},
             {"--semiring or-and", ""},
         })
      check("@towns.gr " + question + ' ' + option + value, 2, {said + " excludes " + option, usage});
  for (const auto& [question, others] : std::vector<std::pair<std::string, Words>>{
           {"--measures", {"--nearest ./list", "--within 3", "--pairs", "--from ./list", "--to 1"}},
           {"--nearest ./list", {"--within 3", "--pairs", "--to ./list"}},
           {"--within 3 --from 1", {"--pairs", "--to ./list"}},
       })
    for (const std::string& other : others)
      check("@towns.gr " + question + ' ' + other, 2, {split(question)[0] + " excludes " + split(other)[0], usage});
  for (const std::string option : {"--nearest", "--count", "--within", "--order", "--second"})
    check("@towns.gr " + option + " ''", 2, {usage});
  CHECK(folder.files() == files);
  CHECK(read("copy") == "1\n");
}
