// SPDX-License-Identifier: MIT
// apsp as its users meet it: the same graph from files of every format, routes, results in files, one line for each
// mistake. test_apsp_both.cpp has the tests that apsp-mpi shares.
#include "apsp_calls.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <map>
#include <random>

namespace {

const std::string distances = "0 5 inf 7 8\n7 0 inf 2 3\ninf inf 0 inf inf\n5 10 inf 0 1\n4 9 inf 11 0\n";
const std::string far = "0 1 2.5\n1 0 0.25\n3 4 1\n";

/// Checks that calls for each of these files give the same answer in every way.
void check_same(const Program& apsp, const std::vector<std::string>& files, const std::vector<std::string>& calls,
                const std::vector<std::string>& ways) {
  for (const std::string& file : files)
    for (const std::string& call : calls) {
      const std::string expected = apsp.answer(file + ' ' + call);
      for (const std::string& way : ways) {
        CAPTURE(file + ' ' + call + ' ' + way);
        CHECK((apsp.answer(file + ' ' + call + ' ' + way) == expected));
      }
    }
}

/// Whether there are two devices. The devices of a host are groups of its threads.
bool has_two_devices(const Program& apsp) {
  return !contains(apsp.call("@towns.gr --devices 2").err, "2 devices are requested, ");
}

}  // namespace

TEST_CASE_FIXTURE(Apsp, "apsp reads the same graph from files of every format") {
  const std::int32_t no = 1073741823;
  const std::string binary =
      bytes_of(std::vector{0, 5, no, 7, 8, 7, 0, no, 2, 3, no, no, 0, no, no, 5, 10, no, 0, 1, 4, 9, no, 11, 0});
  for (const std::string file : {"towns.gr", "towns.mtx", "towns-array.mtx", "towns.txt", "towns.csv", "towns.bin",
                                 "towns-int.npy", "towns-float.npy", "out.towns", "towns.gr.gz"})
    if (GZIP || file != "towns.gr.gz")
      answers({{"@" + file + " -o ./out", distances}, {"@" + file + " --output ./out.bin --type int32", binary}});
  CHECK(folder.files().empty());
}

TEST_CASE_FIXTURE(Apsp, "apsp reads a graph that gzip has compressed, and one through a pipe") {
  for (const std::string file : {"@towns.gr", "@towns.gr.gz"})
    if (GZIP || file == "@towns.gr")
      CHECK(output(call("/dev/stdin --from 1 --to 5", {}, {"sh", "-c", "cat " + expand(file) + " | \"$0\" \"$@\""})) ==
            "8 from 1 to 5, over 3 edges\n1 2 4 5\n");
  if (!GZIP) return check("@towns.gr.gz", 1, {"@towns.gr.gz", "compressed by gzip, expected an unpacked file", "zlib"});
  write("cut.gz", read_file(expand("@towns.gr.gz")).substr(0, 60));
  check("./cut.gz", 1, {"./cut.gz", "gzip, byte 60: the compressed file ends too early"});
}

TEST_CASE_FIXTURE(Apsp, "apsp's measures of a graph, distances and routes") {
  std::string ring = "0 1 0.5\n";
  for (int v = 1; v < 25; ++v) ring += std::to_string(v) + " " + std::to_string((v + 1) % 25) + " 0.5\n";
  const std::string none = "p sp 0 0\n";
  answers({
      {"@towns.gr",
       "graph       5 vertices, 5 edges (DIMACS), in int32\n"
       "connected   no, 12 of 20 pairs have a path\n"
       "radius      none, no vertex reaches all\n"
       "longest     11, from 5 to 4\n"},
      {"@row.mtx",
       "graph       4 vertices, 3 undirected edges (Matrix Market), in int32\n"
       "connected   yes, each vertex reaches each\n"
       "radius      2\n"
       "diameter    3, from 1 to 4\n"
       "centre      2 3\n"},
      {"./in",
       "graph       25 vertices, 25 edges (edge list), in double\n"
       "connected   yes, each vertex reaches each\n"
       "radius      12\n"
       "diameter    12, from 0 to 24\n"
       "centre      0 1 2 3 4 5 6 7 8 9 and 15 more\n",
       ring},
      {"./in", "graph       0 vertices, 0 edges (DIMACS), in int32\nconnected   yes, each vertex reaches each\n", none},
      {"./in -o ./out", "", none},
      {"@towns.gr --from 1 --to 5", "8 from 1 to 5, over 3 edges\n1 2 4 5\n"},
      {"@towns.txt --from 0 --to 4", "8 from 0 to 4, over 3 edges\n0 1 3 4\n"},
      {"@towns.gr --from 4 --to 4", "0 from 4 to 4, over 0 edges\n4\n"},
      {"@towns.gr --from 4 --to 3", "no path from 4 to 3\n"},
      {"@towns.gr --from 1", "1\t0\n2\t5\n3\tinf\n4\t7\n5\t8\n"},
      {"@towns.gr --to 1", "1\t0\n2\t7\n3\tinf\n4\t5\n5\t4\n"},
      {"@towns.gr --from 1 --paths", "1\t0\t1\n2\t5\t1 2\n3\tinf\t\n4\t7\t1 2 4\n5\t8\t1 2 4 5\n"},
      {"@towns.csv --to 1 --paths", "0\t5\t0 1\n1\t0\t1\n2\tinf\t\n3\t10\t3 4 0 1\n4\t9\t4 0 1\n"},
      {"@row.mtx --from 4 --to 1", "3 from 4 to 1, over 3 edges\n4 3 2 1\n"},
      {"@towns.gr --from 1 --to 5 -o ./out", "8 from 1 to 5, over 3 edges\n1 2 4 5\n" + distances},
      {"@towns.gr --from 4 --to 2", "10 from 4 to 2, over 3 edges\n4 5 1 2\n"},
      {"@towns.gr --from 4 --to 2 --undirected", "2 from 4 to 2, over 1 edges\n4 2\n"},
      {"@towns.gr --from 1 --to 5 --unweighted", "2 from 1 to 5, over 2 edges\n1 4 5\n"},
      {"./in --from 0 --to 2", "0.30000000000000004 from 0 to 2, over 2 edges\n0 1 2\n", "0 1 0.1\n1 2 0.2\n"},
      // Whole numbers that double would round.
      {"./in --from 0 --to 1", "4611686018427387902 from 0 to 1, over 1 edges\n0 1\n", "0 1 4611686018427387902\n"},
  });
  check("@towns.gr --undirected", 0, {"5 undirected edges"});
}

TEST_CASE_FIXTURE(Apsp, "apsp's type, chosen or given") {
  // The bound by n - 1 edges and the sum of all edges do not fit. An elimination finds, in any order, that no path is
  // longer than 1000000002.
  const std::string apart = "500000000\n3 4 500000000\n5 6 500000000";
  const struct {
    std::string weight, options, type;
  } rows[] = {
      {"7", "", "int32"},
      {"-7", "", "int32"},
      {"7.0", "", "int32"},
      {"1000000000", "", "int32"},  // no path is longer than 1000000001
      {"1073741822", "", "int64"},
      {"1073741822", "--method sparse", "int64"},
      {"-1000000000", "--measures-only", "int64"},
      {"1000000000", "--semiring max-plus", "double"},
      {apart, "", "int64"},
      {apart, "--method sparse", "int32"},
      {"1e18", "", "int64"},
      {"5000000000000000000", "", "double"},
      {"0.5", "", "double"},
      {"0.5", "--unweighted", "double"},
      {"7", "--type int64", "int64"},
      {"7", "--type double", "double"},
      {"0.5", "--type float", "float"},
  };
  for (const auto& [weight, options, type] : rows) {
    CAPTURE(weight);
    CAPTURE(options);
    write("in", "0 1 " + weight + "\n1 2 1\n");
    const std::string out = printed("./in " + options), first = out.substr(0, out.find('\n'));
    CHECK(first.substr(first.rfind(' ') + 1) == type);
  }
}

TEST_CASE_FIXTURE(Apsp, "every route is as long as its distance, with cycles of length 0 and sums that round") {
  std::mt19937 random(5);
  const int n = 60;
  for (const double unit : {1.0, 0.1}) {
    std::map<std::pair<int, int>, double> lightest;
    std::ostringstream file;
    for (int e = 0; e < 200; ++e) {
      const int from = static_cast<int>(random() % n), to = static_cast<int>(random() % n);
      const double weight = static_cast<double>(random() % 3) * unit;
      file << from << ' ' << to << ' ' << weight << '\n';
      const auto place = lightest.insert({{from, to}, weight}).first;
      place->second = std::min(place->second, weight);
    }
    file << n - 1 << ' ' << n - 1 << " 0\n";
    write("in", file.str());
    int routes = 0;
    for (int from = 0; from < n; from += 7) {
      std::istringstream lines(printed("./in --paths --from " + std::to_string(from)));
      for (std::string line; std::getline(lines, line);) {
        CAPTURE(line);
        std::istringstream words(line);
        int to = -1, here = -1, there = -1;
        std::string distance;
        words >> to >> distance >> here;
        if (distance == "inf") {
          CHECK(here == -1);
          continue;
        }
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

TEST_CASE_FIXTURE(Apsp, "apsp's results for other programs") {
  const std::string market = answer("@towns.gr -o ./out.mtx");
  CHECK(market.starts_with("%%MatrixMarket matrix coordinate integer general\n5 5 17\n1 1 0\n1 2 5\n1 4 7\n"));
  CHECK(lines(market) == 2 + 17);
  // The graph whose edges are the distances has the same distances.
  for (const std::string file : {"./d.mtx", "./d.npy"})
    answers({{"@towns.gr -o " + file, ""}, {file + " -o ./out", distances}});
  CHECK(read("d.npy").size() == 128 + 100);
  CHECK(answer("@towns.gr --type double -o ./out.npy").size() == 128 + 200);
}

TEST_CASE_FIXTURE(Apsp, "apsp takes the time of each step") {
  write("streets", streets(25));
  check({
      {"@towns.gr --stats",
       0,
       {"\nreading ", "\nstarting ", "\nsolving ", " s   dense, ", "Grelax/s",
        "of this machine's limit|above this machine's limit", "int32", "\n  phase 1 ", "\n  phase 2 ", "\n  phase 3 ",
        "\nwriting "},
       "",
       4 + 7},
      {"./streets --stats" + sparse,
       0,
       {"\nsolving ", " s   sparse, ", " times fewer than dense (int32, ", "\n  order ", "the widest separator has ",
        "\n  factor ", "\n  distances ", "G distances/s", "\nwriting "},
       "",
       5 + 7},
      {"./streets --stats --method dense", 0, {" s   dense, "}},
      {"@towns.gr --stats --method sparse", 0, {" s   sparse, "}},
      {"@towns.gr --stats --semiring or-and", 0, {" s   dense, "}},
      {"./streets --stats --measures-only", 0, {"\n  measures ", "none kept"}, "", 6 + 7},
      {"./streets --from 0 --to 624 --stats" + sparse, 0, {"from one vertex"}, "", 2 + 7},
      {"./streets --to 624 --stats" + sparse, 0, {"to one vertex"}},
  });
}

TEST_CASE_FIXTURE(Apsp, "apsp answers the same by every method") {
  write("streets", streets(18));
  write("far", far);
  const std::vector<std::string> methods = {"--method dense", "--method sparse", "--method auto"},
                                 integers = {"./streets", "@towns.gr", "@row.mtx", "@towns-int.npy"};
  check_same(*this, integers + Words{"./far"},
             {"", "--from 1", "--to 1 --paths", "--from 3 --paths", "--from 1 --to 4", "--from 2 --to 2",
              "--from 3 --undirected --paths", "--to 2 --undirected", "--from 4 --type double --paths",
              "--from 1 --to 3 --semiring max-min", "--to 3 --semiring min-max", "--from 1 -o ./out"},
             methods);
  check_same(*this, integers, {"--to 4 --type int64"}, methods);
}

TEST_CASE_FIXTURE(Apsp, "apsp answers the same in every place") {
  std::vector<std::string> places = {"--devices 1", "--memory 1G", "--memory 100MB"};
  if (has_two_devices(*this)) places = places + Words{"--devices 2 --method dense", "--devices 2"};
  const std::vector<std::pair<std::string, std::string>> graphs = {
      {"streets", streets(18)},
      {"crowd", crowd(330, 40, 1000)},
      {"far", far},
      {"wide", "0 1 1000000000\n1 2 1000000000\n2 4 1000000000\n4 3 7\n"},
      {"odds", "0 1 0.5\n1 2 0.5\n0 2 0.125\n4 3 1\n"},
      {"none", "p sp 0 0\n"},
  };
  for (const auto& [file, text] : graphs) write(file, text);
  check_same(*this, {"./crowd"},
             {"", "--undirected", "--unweighted", "--from 3 --paths", "--to 3 --paths", "--from 3 --to 329",
              "--type int64 -o ./out.npy", "--type double -o ./out.mtx", "--type float --to 7", "-o ./out.bin --from 1",
              "-o ./out --to 1 --paths", "--semiring max-min", "--semiring min-max --to 5",
              "--semiring max-min --type double --undirected -o ./out"},
             places);
  check_same(*this, {"./streets"}, {"", "--from 1 --paths", "-o ./out"}, places);
  check_same(*this, {"./far", "./wide", "@towns.gr", "@row.mtx"}, {"", "--from 1 --to 4", "--to 4 --paths", "-o ./out"},
             places);
  check_same(*this, {"./odds"},
             {"--semiring max-times", "--semiring max-times --from 0", "--semiring max-plus",
              "--semiring min-max --from 0 --to 2"},
             places);
  check_same(*this, {"./none"}, {"", "-o ./out"}, places);
}

TEST_CASE_FIXTURE(Apsp, "apsp on devices, and out of core: what it says and refuses") {
  if (!has_two_devices(*this)) return skip("one device");
  write("crowd", crowd(3100, 200, 100));
  write("streets", streets(25));
  check({
      {"./crowd --devices 2 --stats",
       0,
       {" s   dense, ", "of this machine's limit|above this machine's limit", "(int16, 2 |(int8, 2 ", "\nwriting "},
       "",
       5 + 4},
      {"./crowd --devices 2 --stats --undirected", 0, {HAS_DEVICE ? " s   dense, " : "half the work"}},
      {"./streets --devices 2 --stats" + sparse, 0, {" s   sparse, "}},
      {"./streets --devices 2 --stats --from 1" + sparse, 0, {"from one vertex"}},
      {"./streets --devices 2 --stats --method dense", 0, {" s   dense, "}},
      {"./crowd --memory 1G --stats",
       0,
       {" s   dense, ", "(int16, ", "\n  loading ", " chunks of ", "\n  storing ", "\n  waiting "},
       "",
       5 + 7},
      {"./streets --memory 1G --stats", 0, {" s   dense, "}},
  });

  write("cycle", "p sp 5 3\na 3 2 3\na 2 3 -4\na 1 2 1\n");
  write("gain", "p sp 5 3\na 3 2 4\na 2 3 -3\na 1 2 1\n");
  write("zero", "0 1 0.1\n1 2 -1.8\n2 3 0.2\n3 0 1.5\n");  // the exact sum of these doubles is -2.8e-17
  write("large", "p sp 5000000 1\na 1 2 1\n");             // (written out, no vertex is left out)
  for (const std::string place : {"--devices 2", "--memory 1G"}) {
    const std::string excludes = place.substr(0, place.find(' ')) + " excludes ", usage = "usage: apsp";
    check({
        {"@towns.gr " + place + " --semiring or-and", 2, {excludes + "--semiring or-and ", usage}},
        {"@towns.gr " + place + " --measures-only", 2, {excludes + "--measures-only ", usage}},
        {"./cycle " + place, 1, {"negative cycle: vertex "}},
        {"./gain --semiring max-plus " + place, 1, {"divergent cycle: vertex "}},
        {"@towns.gr --type double -o ./no.bin " + place, 2, {"holds integers"}},
        {"./zero --type double --method dense --strict-cycles " + place, 1, {"negative cycle: vertex "}},
        {"./large -o ./no --method dense " + place, 1, {"5000000 vertices", "are available\n"}},
    });
    CHECK(call("./zero --type double --method dense " + place).status == 0);
  }
  check({
      {"@towns.gr --memory 1G --method sparse", 2, {"--memory excludes --method sparse ", "usage: apsp"}},
      {"@towns.gr --devices 2 --method sparse --stats -o ./towns.bin", 0, {" s   sparse, "}},
      {"@towns.gr --devices 2 --memory 1G", 2, {"--devices excludes --memory ", "usage: apsp"}},
      {"@towns.gr --strict-cycles --semiring max-min", 2, {"--strict-cycles", "min-plus or max-plus"}},
      {"./crowd --memory 1000", 2, {"3100 vertices out of core need at least "}},
      {"./crowd --devices 600", 2, {"600 groups of threads are requested|600 devices are requested"}},
  });
  for (const std::string count : {"0", "-1", "2000", "two"})
    check("@towns.gr --devices " + count, 2, {"--devices", count});
  for (const std::string size : {"much", "0", "-1", "nan", "inf", "0.5", "2Q", "99999999999999999999G", "0G"})
    check("@towns.gr --memory " + size, 2,
          {"--memory: '" + size + "' is not a size of memory, expected a number of bytes above 0, like 500M or 4G"});
}

TEST_CASE_FIXTURE(Apsp, "apsp writes rows without the matrix") {
  write("streets", streets(18));
  write("none", "p sp 0 0\n");
  write("gaps", "p sp 9 2\na 2 7 5\na 7 4 1\n");
  for (const std::string file : {"./streets", "./none", "./gaps", "@towns.gr", "@towns-float.npy"})
    for (const std::string options :
         {"", " --undirected", " --type int64", " --semiring max-min --type double", " --type float"})
      for (const std::string ending : {".npy", ".bin"}) {
        if (ending == ".bin" &&
            (file == "@towns-float.npy" || options.ends_with("double") || options.ends_with("float")))
          continue;  // (integers)
        CAPTURE(file + options + ending);
        check(file + options + " -o ./whole" + ending, 0, {});
        check(file + options + " -o ./rows" + ending + " --by-rows", 0, {});
        CHECK(read("rows" + ending) == read("whole" + ending));
      }
  check("./streets --by-rows -o ./rows.npy --stats", 0, {"sparse", " GB/s"});
  for (const std::string option :
       {"--from 1", "--to 1", "--method dense", "--devices 2", "--memory 1G", "--semiring or-and"})
    check("@towns.gr -o ./out.npy --by-rows " + option, 2,
          {"--by-rows excludes " + option.substr(0, option.find(' '))});
  check("@towns.gr --by-rows", 2, {"--by-rows requires -o"});
  check("@towns.gr --by-rows -o ./out.txt", 2,
        {"--by-rows: cannot write rows to the text ", "out.txt, expected .npy or .bin", "usage: apsp"});
  write("loop", "p sp 3 3\na 3 2 3\na 2 3 -4\na 1 2 1\n");
  check("./loop --by-rows -o ./out.npy", 1, {"./loop", "negative cycle: vertex 2 |negative cycle: vertex 3 "});
  CHECK_FALSE(std::filesystem::exists(folder / "out.npy"));
}

TEST_CASE_FIXTURE(Apsp, "apsp's measures without the matrix") {
  write("streets", streets(18));
  write("way", "0 1 2\n1 2 2\n3 0 7\n");
  write("none", "p sp 0 0\n");
  write("alone", "p sp 1 0\n");
  for (const std::string file :
       {"./streets", "./way", "./none", "./alone", "@towns.gr", "@row.mtx", "@towns-float.npy"})
    for (const std::string direction : {" --undirected", ""}) {
      CAPTURE(file + direction);
      const std::string all = printed(file + direction), only = printed(file + direction + " --measures-only");
      CHECK(only.starts_with(all));
      if (only != all) CHECK(only.substr(all.size()).starts_with("mean        "));
    }
  // Six pairs: 2 and 2, 2 + 2, 7, 7 + 2, 7 + 2 + 2.
  check({{"./way --measures-only", 0, {"\nmean        5.8333333\n"}},
         {"@row.mtx --measures-only --unweighted", 0, {"\nmean        1.6666667\n"}}});

  for (const std::string option : {"-o ./out", "--from 1", "--to 1", "--paths ", "--method dense "})
    check("@towns.gr --measures-only " + option, 2,
          {"--measures-only excludes " + option.substr(0, option.find_first_of("./1")), "usage: apsp"});
  write("loop", "p sp 3 3\na 3 2 3\na 2 3 -4\na 1 2 1\n");
  for (const std::string options : {" --measures-only", " --method sparse", " --to 2 --method sparse"})
    check("./loop" + options, 1, {"./loop", "negative cycle: vertex 2 |negative cycle: vertex 3 "});
}

TEST_CASE_FIXTURE(Apsp, "vertices without edges are left out, and still have their names and distances") {
  // Only two of 240 million vertices have an edge. (A matrix of all vertices would take 461 TB, arrays of all vertices
  // many GB.)
  write("two", "240109189 4713234 12.5\n");
  const std::string graph =
      "graph       240109190 vertices, 1 edges (edge list), in double\n"
      "connected   no, 1 of 57652422882346912 pairs have a path\n";
  const std::string none = "radius      none, no vertex reaches all\n";
  const std::string lengths = none + "longest     12.5, from 240109189 to 4713234\n";
  // A graph in which a third of the vertices have edges.
  write("some", "p sp 15 6\na 3 9 5\na 9 3 4\na 9 14 1\na 14 12 7\na 3 12 15\na 5 5 0\n");
  const std::string some =
      "graph       15 vertices, 6 edges (DIMACS), in int32\nconnected   no, 7 of 210 pairs have a path\n" + none +
      "longest     13, from 3 to 12\n";
  answers({
      {"./two", graph + lengths},
      {"./two --method dense", graph + lengths},
      {"./two --memory 1G", graph + lengths},
      {"./two --devices 1", graph + lengths},
      {"./two --measures-only", graph + lengths + "mean        12.5\n"},
      {"./two --semiring max-min", graph},
      {"./two --from 240109189 --to 4713234", "12.5 from 240109189 to 4713234, over 1 edges\n240109189 4713234\n"},
      {"./two --from 4713234 --to 240109189", "no path from 4713234 to 240109189\n"},
      {"./two --from 0 --to 240109189", "no path from 0 to 240109189\n"},
      {"./two --from 7 --to 7", "0 from 7 to 7, over 0 edges\n7\n"},
      // Headers that claim many vertices.
      {"./in --to 2147483647 --from 5", "3 from 5 to 2147483647, over 1 edges\n5 2147483647\n",
       "p sp 2147483647 1\na 5 2147483647 3\n"},
      {"./in",
       "graph       2000000000 vertices, 1 undirected edges (Matrix Market), in int32\n"
       "connected   no, 2 of 3999999998000000000 pairs have a path\n" +
           none + "longest     4, from 3 to 9\n",
       "%%MatrixMarket matrix coordinate integer symmetric\n2000000000 2000000000 1\n9 3 4\n"},
      {"./some --from 3 --paths",
       "1\tinf\t\n2\tinf\t\n3\t0\t3\n4\tinf\t\n5\tinf\t\n6\tinf\t\n7\tinf\t\n8\tinf\t\n9\t5\t3 9\n10\tinf\t\n"
       "11\tinf\t\n12\t13\t3 9 14 12\n13\tinf\t\n14\t6\t3 9 14\n15\tinf\t\n"},
      {"./some", some},
      {"./some --method dense", some},
      {"./some --method sparse", some},
      {"./in",
       "graph       9 vertices, 1 edges (DIMACS), in int32\nconnected   no, 0 of 72 pairs have a path\n" + none +
           "longest     0, from 1 to 1\n",
       "p sp 9 1\na 4 4 2\n"},
  });
  check({
      {"./two -o ./out", 1, {"./two", "240109190 vertices need", "are available\n"}},
      {"./two -o ./out.npy", 1, {"out.npy: cannot write: "}},
      {"./in --from 7", 1, {"negative cycle: vertex 7 "}, "p sp 2000000000 1\na 7 7 -4\n"},
  });

  // Every answer is the same as that of the matrix. (In other semirings the cycle of 3 and 9 gets better each time
  // around.)
  for (const std::string options : {" --semiring min-plus --type int64", " --semiring max-min --type int32",
                                    " --semiring min-max --type double", " --semiring or-and --type int32"}) {
    CAPTURE(options);
    std::istringstream matrix(answer("./some" + options + " -o ./out"));
    Words distance(15 * 15);
    for (std::string& entry : distance) matrix >> entry;
    for (std::size_t v = 0; v < 15; ++v) {
      std::string from, to;
      for (std::size_t u = 0; u < 15; ++u) {
        from += std::to_string(u + 1) + '\t' + distance[15 * v + u] + '\n';
        to += std::to_string(u + 1) + '\t' + distance[15 * u + v] + '\n';
      }
      const std::string vertex = std::to_string(v + 1);
      answers({{"./some" + options + " --from " + vertex, from}, {"./some" + options + " --to " + vertex, to}});
    }
  }
}

TEST_CASE_FIXTURE(Apsp, "apsp refuses more threads than there is room for, and numbers of threads that are none") {
  for (const std::string variable : {"OMP_NUM_THREADS", "KOKKOS_NUM_THREADS"})
    for (const std::string value : {"513", "100000", "0", "-1", "many"}) {
      const Result result = call("@towns.gr", {}, {"env", variable + '=' + value});
      INFO(result.command, "\n", result.err);
      CHECK(result.status == 1);
      CHECK(result.out == "");
      CHECK(result.err.ends_with(": " + variable + " is '" + value + "', expected 1 to 512 threads\n"));
      if (value == "513" || variable == "KOKKOS_NUM_THREADS") CHECK(lines(result.err) == 1);  // (OpenMP warns, too)
    }
}

TEST_CASE_FIXTURE(Apsp, "apsp refuses what is wrong, in one line") {
  write("copy", read_file(expand("@towns.gr")));
  write("empty", "");
  write("pairs", pairs(1'000'000));
  const auto files = folder.files();
  check({
      {"@towns.gr --fast", 2, {"--fast", "usage: apsp"}},
      {"@towns.gr --type int8", 2, {"--type", "int8"}},
      {"@towns.gr --paths", 2, {"--paths", "--from or --to"}},
      {"@towns.gr -o ''", 2, {"--output: the argument is empty, expected a value"}},
      {"''", 2, {"INPUT: the argument is empty, expected a value"}},
      {"@towns.gr --from 1 --from 2", 2, {"--from"}},
      {"@towns.gr --measures-only --semiring max-min", 2, {"--measures-only", "shortest paths"}},
      {"@towns.gr --semiring or-and --method sparse", 2, {"--method", "sparse", "or-and"}},
      {"@towns.gr --method fast", 2, {"--method", "fast"}},

      {"./missing", 1, {"./missing", "No such file"}},
      {"./missing -o ./out", 1, {"./missing", "No such file"}},
      {"@towns.gr --from 0", 2, {"@towns.gr", "--from is 0, expected a vertex from 1 to 5"}},
      {"@towns.gr --from 1 --to 6", 2, {"@towns.gr", "--to is 6, expected a vertex from 1 to 5"}},
      {"@towns.txt --to 5", 2, {"--to is 5, expected a vertex from 0 to 4"}},
      {"@towns.gr --to 4294967297", 2, {"--to is 4294967297, expected a vertex from 1 to 5"}},
      {"@towns.gr -o ./no/out.npy", 1, {"./no/out.npy", "cannot write", "No such file"}},
      {"@towns.gr -o /dev/full", 1, {"/dev/full", "No space left"}},
      {"@towns.gr --type double -o ./no.bin", 2, {"./no.bin", "holds integers", "double"}},
      {"./copy -o ./copy", 2, {"./copy", "same file as the input"}},
      {"./empty", 1, {"./empty", "empty"}},
      {"./pairs -o ./out", 1, {"./pairs", "2000000 vertices need", "are available\n"}},
      {"./pairs --method dense --to 1", 1, {"./pairs", "; --method sparse needs no matrix\n"}},
      {"./pairs --semiring or-and", 1, {"./pairs", "2000000 vertices", "memory"}},
  });
  CHECK(folder.files() == files);
  CHECK(read("copy") == read_file(expand("@towns.gr")));
  check({
      {"./in", 1, {"./in", "byte 0"}, {"\0\1\2", 3}},
      {"./in --type int32",
       1,
       {"./in", "edge list, line 1, column 5: found '0.1', which int32 cannot hold; use double"},
       "0 1 0.1\n1 2 0.2\n"},
      {"./in --from 0",
       1,
       {"./in", "line 1, column 5: found '4611686018427387903', which double cannot hold exactly"},
       "0 1 4611686018427387903\n"},
  });
  for (const std::string option : {"-o", "--from", "--to", "--type", "--method", "--semiring", "--devices", "--memory"})
    check("@towns.gr " + option + " ''", 2, {"usage: apsp"});
}

TEST_CASE_FIXTURE(Apsp, "apsp in other semirings") {
  // Two ways from 0 to 3, and one on to 4; 5 is alone.
  write("graph", "0 1 5\n1 3 4\n0 2 2\n2 3 9\n3 4 1\n5 5 0\n");
  for (const auto& [semiring, from_0] : std::vector<std::pair<std::string, std::string>>{
           {"min-plus", "0 5 2 9 10 inf"},
           {"max-plus", "0 5 2 11 12 inf"},
           {"max-min", "inf 5 2 4 1 inf"},
           {"min-max", "-1073741823 5 2 5 5 inf"},
           {"min-max --type double", "-inf 5 2 5 5 inf"},
           {"or-and", "1 1 1 1 1 inf"},
       }) {
    const std::string matrix = answer("./graph -o ./out --semiring " + semiring);
    CHECK_MESSAGE(matrix.substr(0, matrix.find('\n')) == from_0, semiring);
  }
  const std::string pairs_only =
      "graph       6 vertices, 6 edges (edge list), in int32\nconnected   no, 9 of 30 pairs have a path\n";
  answers({
      {"./in --semiring max-times --from 0", "0\t1\n1\t0.5\n2\t0.25\n3\t0\n", "0 1 0.5\n1 2 0.5\n0 2 0.125\n3 3 1\n"},
      {"./graph --semiring max-plus --from 0 --to 4", "12 from 0 to 4\n"},
      {"./graph --semiring or-and --from 4 --to 0", "no path from 4 to 0\n"},
      {"./graph --semiring or-and", pairs_only},
      {"./graph --semiring max-min", pairs_only},
  });
  check({
      {"./graph --semiring max-sum", 2, {"--semiring", "max-sum"}},
      {"./graph --semiring max-min --from 0 --paths", 2, {"--paths", "shortest paths"}},
      {"./graph --semiring max-times --type int32", 2, {"max-times in int32, expected double"}},
      {"./graph --semiring or-and --type double", 2, {"or-and in double, expected int32"}},
      {"./in --semiring max-plus", 1, {"divergent cycle: vertex "}, "p sp 2 2\na 1 2 3\na 2 1 -1\n"},
  });
}
