// SPDX-License-Identifier: MIT
// The programs as their users meet them: right answers, one line for each mistake, nothing left behind. HW3 is hw3-1
// or hw3-3, or, where there is a device, hw3-2.
#include "cases.hpp"

#include <doctest/doctest.h>
#include <sys/stat.h>

#include <cstring>
#include <functional>

namespace {

constexpr std::int32_t no_path = 1073741823;
const bool on_device = ON_DEVICE, several = fs::path(HW3).filename() == "hw3-3";

struct Case {
  std::int32_t vertices = 0;
  Triples triples;
  std::string bytes() const { return case_of(vertices, triples); }
};

Case parse_case(const std::string& bytes) {
  std::int32_t header[2] = {};
  REQUIRE(bytes.size() >= sizeof header);
  std::memcpy(header, bytes.data(), sizeof header);
  Case graph{header[0], Triples(static_cast<std::size_t>(header[1]))};
  REQUIRE(bytes.size() == sizeof header + graph.triples.size() * sizeof(Triple));
  if (!graph.triples.empty())
    std::memcpy(graph.triples.data(), bytes.data() + sizeof header, bytes.size() - sizeof header);
  return graph;
}

/// Distances of all pairs by Bellman's and Ford's algorithm from each vertex, which takes negative weights as well.
std::vector<std::int32_t> bellman_ford(const Case& graph) {
  const auto n = static_cast<std::size_t>(graph.vertices);
  std::vector<std::int32_t> all(n * n, no_path);
  for (std::size_t source = 0; source < n; ++source) {
    std::int32_t* const distance = &all[source * n];
    distance[source] = 0;
    for (bool changed = true; changed;) {
      changed = false;
      for (const auto& [from, to, weight] : graph.triples)
        if (distance[from] != no_path && distance[from] + weight < distance[to]) {
          distance[to] = distance[from] + weight;
          changed = true;
        }
    }
  }
  return all;
}

/// Directed edges, too long for fewer bits and too many for elimination: a solve takes n³ relaxes in 32 bits.
std::string heavy_case(int n) { return case_of(n, random_triples(n, 40 * n, 20'000)); }

const std::string small_case = case_of(3, {{0, 1, 5}, {1, 2, 2}, {0, 2, 9}});
const std::string small_distances = bytes_of(std::vector<std::int32_t>{0, 5, 7, no_path, 0, 2, no_path, no_path, 0});

/// The words that run a command without root's rights; only "env" if there is no need, empty if there is no way.
Words unprivileged() {
  if (geteuid() != 0) return {"env"};
  const Words words = {"setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"};
  const bool possible =
      run({"sh", "-c", "command -v setpriv"}).status == 0 && run(words + Words{"test", "-x", HW3}).status == 0;
  if (!possible) skip("root, and setpriv cannot run programs as somebody else");
  return possible ? words : Words{};
}

struct Hw3 : Program {
  Hw3() : Program(HW3) { write("in", small_case); }

  /// Solves an input and checks the output.
  void solves(const std::string& what, const std::string& input, const std::vector<std::int32_t>& expected,
              const Words& options = {""}) {
    CAPTURE(what);
    write("in", input);
    for (const std::string& option : options) {
      CAPTURE(option);
      CHECK((answer("./in ./out " + option) == bytes_of(expected)));
    }
    CHECK((read("in") == input));
    CHECK(folder.files() == Names{"in"});
  }

  struct BadInput {
    std::string what;
    std::string bytes;
    Words parts;
    std::string options = "";
  };
  /// Checks that inputs are refused, with and without an earlier output, which stays.
  void refuses_inputs(const std::vector<BadInput>& rows) {
    for (const auto& [what, bytes, parts, options] : rows) {
      CAPTURE(what);
      write("in", bytes);
      for (const bool earlier : {false, true}) {
        if (earlier) write("out", "earlier");
        check("./in ./out " + options, 1, Words{"./in"} + parts);
        CHECK(folder.files() == (earlier ? Names{"in", "out"} : Names{"in"}));
        CHECK((read("in") == bytes));
        if (earlier) CHECK(read("out") == "earlier");
      }
      fs::remove(folder / "out");
    }
  }
};

}  // namespace

TEST_CASE_FIXTURE(Hw3, "hw3 agrees with Bellman and Ford") {
  const Words both = {"", "--type int64"};
  const Program generate(GENERATOR);
  const auto generated = [&](const std::string& size) {
    CHECK(generate.printed(size + " ./in") == "");
    return generate.read("in");
  };
  const std::string usual = generated("--vertices 200 --edges 1000"),
                    complete = generated("--vertices 90 --edges 8010");
  CHECK(parse_case(complete).triples.size() == 90 * 89);
  solves("generated", usual, bellman_ford(parse_case(usual)), both);
  solves("complete", complete, bellman_ford(parse_case(complete)));
  const Case repeated{200, random_triples(200, 2000)}, sparse{197, random_triples(197, 150)};
  solves("repeated edges and self loops", repeated.bytes(), bellman_ford(repeated));
  solves("most pairs have no path", sparse.bytes(), bellman_ford(sparse), both);

  // Potentials: w(u, v) + p(u) - p(v) is negative for many edges but for no cycle.
  Case negative{150, random_triples(150, 700)};
  const auto potential = [](std::int32_t v) { return v * 7919 % 3001; };
  for (auto& [from, to, weight] : negative.triples) weight += potential(from) - potential(to);
  const auto expected = bellman_ford(negative);
  REQUIRE(std::count(expected.begin(), expected.end(), no_path) > 0);
  solves("negative edges", negative.bytes(), expected, both);
}

TEST_CASE_FIXTURE(Hw3, "hw3-3 agrees with Bellman and Ford on any number of devices" *
                           doctest::skip(!several || on_device)) {
  const Case sparse{700, random_triples(700, 2000)}, small{5, random_triples(5, 12)};
  const auto of_sparse = bellman_ford(sparse), of_small = bellman_ford(small);
  for (const std::string devices : {"1", "2", "3", "8"}) {
    solves("700 vertices", sparse.bytes(), of_sparse, {"--devices " + devices});
    solves("5 vertices", small.bytes(), of_small, {"--devices " + devices + " --type int64"});
  }
}

TEST_CASE_FIXTURE(Hw3, "hw3-3 refuses devices that there cannot be" * doctest::skip(!several)) {
  for (const std::string devices : {"0", "-1", "two"})
    check("./in ./out --devices " + devices, 2, {"--devices", devices});
  if (on_device) check("./in ./out --devices 99", 1, {"99 devices are requested"});
  CHECK(folder.files() == Names{"in"});
}

TEST_CASE_FIXTURE(Hw3, "hw3 solves the smallest cases, and results that take more than one chunk") {
  solves("one vertex", case_of(1, {}), {0});
  solves("a loop", case_of(1, {{0, 0, 7}}), {0});
  solves("no edge", case_of(2, {}), {0, no_path, no_path, 0});
  solves("weight 0", case_of(2, {{1, 0, 0}}), {0, no_path, 0, 0});
  solves("the largest weight that is a distance", case_of(2, {{0, 1, no_path - 1}}), {0, no_path - 1, no_path, 0});

  const std::int32_t n = 2100;  // 17.6 MB
  Triples path;
  for (std::int32_t v = 0; v + 1 < n; ++v) path.push_back({v, v + 1, 1});
  std::vector<std::int32_t> expected;
  for (std::int32_t i = 0; i < n; ++i)
    for (std::int32_t j = 0; j < n; ++j) expected.push_back(j >= i ? j - i : no_path);
  solves("several chunks", case_of(n, path), expected);
}

TEST_CASE_FIXTURE(Hw3, "hw3 makes its output as other programs do") {
  std::string file = "out";
  Names files = {"in", "out"};
  std::function<void()> afterwards = [] {};
  const std::string out = folder / file;
  SUBCASE("with the permissions of an earlier one") {
    write("out", "x");
    fs::permissions(out, fs::perms(0640));
    afterwards = [&] { CHECK(fs::status(out).permissions() == fs::perms(0640)); };
  }
  SUBCASE("in place of an earlier one") {
    write("out", std::string(1000, 'x'));
    fs::create_hard_link(out, folder / "other");
    files.insert("other");
    afterwards = [&] { CHECK(read("other") == std::string(1000, 'x')); };  // replaced, not overwritten
  }
  SUBCASE("by way of a symbolic link, which stays") {
    fs::create_directory(folder / "elsewhere");
    files.insert("elsewhere");
    SUBCASE("to a file") { write("elsewhere/file", "earlier"); }
    SUBCASE("to nothing") {}
    fs::create_symlink("elsewhere/file", out);
    afterwards = [&] { CHECK((fs::is_symlink(out) && read("elsewhere/file") == small_distances)); };
  }
  SUBCASE("with the longest name that a file can have") {
    file = std::string(255, 'n');
    files = {"in", file};
  }
  CHECK(printed("./in ./" + file) == "");
  CHECK(read(file) == small_distances);
  CHECK(folder.files() == files);
  afterwards();
}

TEST_CASE_FIXTURE(Hw3, "hw3 makes its output with the permissions that umask leaves") {
  for (const auto& [mask, mode] : std::vector<std::pair<mode_t, unsigned>>{{022, 0644}, {077, 0600}, {002, 0664}}) {
    CAPTURE(mode);
    const mode_t before = umask(mask);
    CHECK(printed("./in ./out") == "");
    umask(before);
    CHECK(fs::status(folder / "out").permissions() == fs::perms(mode));
    fs::remove(folder / "out");
  }
}

TEST_CASE_FIXTURE(Hw3, "hw3 writes into a pipe, and without a word, whatever the environment") {
  CHECK(output(call("./in /dev/stdout", {}, {"sh", "-c", "\"$0\" \"$@\" | cat"})) == small_distances);
  for (const Words& environment :
       {Words{"-u", "OMP_PROC_BIND"}, Words{"OMP_NUM_THREADS=1"}, Words{"OMP_NUM_THREADS=3"}})
    CHECK(answer(call("./in ./out", {}, Words{"env"} + environment)) == small_distances);
}

TEST_CASE_FIXTURE(Hw3, "hw3 takes the time of its steps, and says how it is called") {
  Words steps = {"\nstarting ", "\nreading ", "\nbuilding ", "\nsolving "};
  if (on_device && !several) steps.insert(steps.begin() + 2, "\nhost-to-device ");
  if (!several) steps = steps + Words{"\n  phase 1 ", "\n  phase 2 ", "\n  phase 3 "};
  if (on_device) steps.push_back("\ndevice-to-host ");
  steps.push_back("\nwriting ");
  check({{"./in ./out --stats", 0, steps, "", static_cast<std::int64_t>(steps.size())},
         // (The limit of tests is measured without optimisation.)
         {"./in ./out --stats", 0, {"% of this machine's limit|above this machine's limit"}},
         {"./in ./out --stats", 0, {"3 vertices, 3 edges"}},
         {"--help", 0, {"--type"}}});
  CHECK(read("out") == small_distances);
}

TEST_CASE_FIXTURE(Hw3, "hw3 refuses bad contents of its input") {
  Triples many(5000, {0, 1, 1});
  for (const std::size_t e : {1234u, 1235u, 4000u}) many[e] = {0, 10, 1};
  refuses_inputs({
      {"empty", "", {"byte 0", "empty"}},
      {"5 bytes", "12345", {"byte 5", "header"}},
      {"one byte too short", small_case.substr(0, 43), {"byte 43", "shorter", "43 bytes, expected 44", "3 edges"}},
      {"no edge there", case_of(3, 1, {}), {"byte 8", "shorter"}},
      {"a header that promises 24 GB", case_of(3, INT32_MAX, {}), {"byte 8", "shorter"}},
      {"longer", small_case + "x", {"byte 44", "longer", "45 bytes, expected 44"}},
      {"V = 0", case_of(0, {}), {"byte 0", "V is 0"}},
      {"V < 0", case_of(-4, {}), {"byte 0", "V is -4"}},
      {"E < 0", case_of(4, -1, {}), {"byte 4", "E is -1"}},
      {"source = V", case_of(3, {{0, 1, 1}, {3, 0, 1}}), {"byte 20", "3"}},
      {"destination > V", case_of(3, {{0, 1, 1}, {0, 77, 1}, {99, 0, 1}}), {"byte 20", "77"}},
      {"source < 0", case_of(3, {{-1, 0, 1}}), {"byte 8", "-1"}},
      {"destination < 0", case_of(3, {{0, INT32_MIN, 1}}), {"byte 8", "-2147483648"}},
      {"out of range, with int64", case_of(3, {{0, 3, 1}}), {"byte 8"}, "--type int64"},
      {"the first of many", case_of(10, many), {"byte " + std::to_string(8 + 1234 * 12), "10"}},
  });
}

TEST_CASE_FIXTURE(Hw3, "hw3 refuses a matrix larger than the memory, at once") {
  for (const std::int32_t vertices : {2'000'000, INT32_MAX}) {
    write("in", case_of(vertices, {}));
    const Result result = call("./in ./out");
    check(result, 1, {"./in", std::to_string(vertices) + " vertices", "memory", "available"});
    CHECK(result.seconds < (HAS_DEVICE ? 10 : 2));  // (a device's runtime takes two to start on a busy machine)
    CHECK(folder.files() == Names{"in"});
  }
}

TEST_CASE_FIXTURE(Hw3, "hw3 refuses weights whose sums could overflow, and offers a wider type") {
  const std::int32_t half = 1 << 29;
  std::vector<std::int32_t> expected(100, no_path);
  for (std::size_t i = 0; i < 10; ++i) expected[i * 11] = 0;
  expected[23] = half;
  solves("a half", case_of(10, {{2, 3, half}}), expected, {"--type int64"});

  const std::string halves = case_of(10, {{2, 3, half}, {3, 4, half}}), most = case_of(2, {{0, 1, no_path}}),
                    least = case_of(2, {{0, 1, INT32_MIN}});
  refuses_inputs({
      {"two halves", halves, {"536870912", "; use --type int64\n"}},
      {"two halves, int64", halves, {"from 2 to 4", "1073741824", "32 bits"}, "--type int64"},
      {"no path", most, {"1073741823", "; use --type int64\n"}},
      {"no path, int64", most, {"1073741823", "32 bits"}, "--type int64"},
      {"the largest", case_of(2, {{0, 1, INT32_MAX}}), {"2147483647", "; use --type int64\n"}},
      {"the least", least, {"-2147483648", "; use --type int64\n"}},
      {"the least, int64", least, {"-2147483648", "32 bits"}, "--type int64"},
  });
}

TEST_CASE_FIXTURE(Hw3, "hw3 refuses negative cycles") {
  Triples complete;  // where lengths would double with each pivot
  for (std::int32_t i = 0; i < 100; ++i)
    for (std::int32_t j = 0; j < 100; ++j)
      if (i != j) complete.push_back({i, j, -1'000'000});
  refuses_inputs({
      {"a loop", case_of(5, {{2, 2, -1}}), {"negative cycle: vertex 2 "}},
      {"a loop, int64", case_of(5, {{2, 2, -1}}), {"negative cycle: vertex 2 "}, "--type int64"},
      {"the least loop", case_of(1, {{0, 0, INT32_MIN}}), {"negative cycle: vertex 0 "}},
      {"a longer cycle, alone in the last tile of several",
       case_of(300, {{0, 299, 1}, {299, 298, 4}, {298, 297, -9}, {297, 299, 4}, {297, 1, 1}}),
       {"negative cycle: ", "vertex 297 |vertex 298 |vertex 299 "}},
      {"all pairs", case_of(100, complete), {"negative cycle: vertex "}},
  });
}

TEST_CASE_FIXTURE(Hw3, "hw3 refuses an input that is no readable file") {
  fs::create_directory(folder / "folder");
  check({
      {"./missing ./out", 1, {"./missing", "No such file"}},
      {"./no/in ./out", 1, {"./no/in", "No such file"}},
      {"./folder ./out", 1, {"./folder", "cannot read"}},
      {"/dev/null ./out", 1, {"/dev/null", "not a regular file"}},
  });
  REQUIRE(mkfifo((folder / "pipe").c_str(), 0600) == 0);  // that nobody writes to
  check(call("./pipe ./out", {.kill_when = after(2)}), 1, {"./pipe", "not a regular file"});
  CHECK(folder.files() == Names{"folder", "in", "pipe"});
  const Words words = unprivileged();
  if (words.empty()) return;
  fs::permissions(folder / "in", fs::perms::none);
  check(call("./in ./out", {}, words), 1, {"./in", "Permission denied"});
  CHECK_FALSE(fs::exists(folder / "out"));
}

TEST_CASE_FIXTURE(Hw3, "hw3 refuses an output that it cannot write") {
  fs::create_directory(folder / "folder");
  check({
      {"./in ./no/out", 1, {"./no/out", "cannot write", "No such file"}},
      {"./in ./in/out", 1, {"./in/out", "cannot write", "Not a directory"}},
      {"./in ./folder", 1, {"./folder", "cannot write", "directory"}},
      {"./in /dev/full", 1, {"/dev/full", "cannot write", "No space left"}},
  });
  const Words words = unprivileged();
  fs::permissions(folder / "folder", fs::perms(0555));
  if (!words.empty())
    check(call("./in ./folder/out", {}, words), 1, {"./folder/out", "cannot write", "Permission denied"});
  CHECK(fs::is_empty(folder / "folder"));
  CHECK(folder.files() == Names{"folder", "in"});
  CHECK(read("in") == small_case);

  if (!Disk::possible()) return skip("no right to mount");
  Disk disk(folder / "disk");
  write("disk/out", "earlier");
  write("large", case_of(500, {}));
  check("./large ./disk/out", 1, {"./disk/out", "cannot write", "No space left", "1000000 bytes"});
  disk.make_read_only();
  check("./in ./disk/out", 1, {"./disk/out", "cannot write", "Read-only"});
  CHECK(read("disk/out") == "earlier");
  CHECK(disk.files() == 1);
  CHECK(folder.files() == Names{"disk", "folder", "in", "large"});
}

TEST_CASE_FIXTURE(Hw3, "hw3 does not overwrite its input") {
  fs::create_symlink("in", folder / "link");
  fs::create_hard_link(folder / "in", folder / "name");
  for (const std::string output : {"./in", "././in", "./link", "./name"})
    check("./in " + output, 1, {output, "same file as the input"});
  CHECK(folder.files() == Names{"in", "link", "name"});
  CHECK(read("in") == small_case);
}

TEST_CASE_FIXTURE(Hw3, "hw3 refuses wrong arguments") {
  const std::string usage = "usage: " + name;
  check({
      {"", 2, {"INPUT", usage}},
      {"./in", 2, {"OUTPUT", usage}},
      {"--fast", 2, {"The following argument was not expected: --fast (", usage}},
      {"./in ./out 1 --fast", 2, {"The following arguments were not expected: 1 --fast (", usage}},
      {"./in ./out --type int8", 2, {"--type", "int8", usage}},
      {"./in ./out --type", 2, {"--type", usage}},
      {"./in ./out ./third", 2, {"./third", usage}},
      {"./in ''", 2, {"OUTPUT: the argument is empty, expected a value", usage}},
      {"'' ./out", 2, {"INPUT: the argument is empty, expected a value", usage}},
  });
  check(call("./in ./out", {}, {"env", "OMP_NUM_THREADS=513"}), 1,
        {"OMP_NUM_THREADS is '513', expected 1 to 512 threads"});
  CHECK(folder.files() == Names{"in"});
}

TEST_CASE_FIXTURE(Hw3, "hw3 killed in the middle leaves no output") {
  setenv("OMP_NUM_THREADS", "1", 1);
  write("in", heavy_case(on_device ? 30000 : 6000));  // seconds of work
  write("earlier", "earlier");
  for (const int signal : {SIGTERM, SIGINT, SIGHUP, SIGKILL}) {
    CAPTURE(signal);
    for (const std::string output : {"./out", "./earlier"}) {
      const Result result = call("./in " + output, {.kill_when = after(0.25), .signal = signal});
      CHECK(result.signal == signal);
      CHECK(result.err == "");
    }
    CHECK_FALSE(fs::exists(folder / "out"));
    CHECK(read("earlier") == "earlier");
    // No program can remove its files after SIGKILL.
    if (signal != SIGKILL) CHECK(folder.files() == Names{"earlier", "in"});
  }
  unsetenv("OMP_NUM_THREADS");
}

TEST_CASE_FIXTURE(Hw3, "hw3 shows a bar on a terminal when it takes over a second") {
  CHECK(output(call("./in ./out", {.terminal = true})) == "");

  setenv("OMP_NUM_THREADS", "1", 1);
  write("in", heavy_case(5000));
  // A program that is not optimised need not finish.
  const Result slow = call("./in ./out --stats", {.terminal = true, .kill_when = after(15)});
  unsetenv("OMP_NUM_THREADS");
  const std::size_t place = slow.out.find("solving ");
  const double solving = place == std::string::npos ? slow.seconds : std::stod(slow.out.substr(place + 8));
  MESSAGE("solving took " << solving << " s");
  if (solving > 1.3) {
    CHECK(contains(slow.err, "solving ["));
    CHECK(contains(slow.err, "to go"));
    CHECK(lines(slow.err) == 0);
    if (slow.status == 0) CHECK(slow.err.ends_with("\r\x1b[K"));  // the bar is erased
  } else if (solving < 0.4) {
    CHECK(slow.err == "");
  }
}

TEST_CASE("pa3 finds apsp() and the naive solver equal") {
  const Program pa3(PA3);
  pa3.check({{"1 7 130 400", 0, {" equal\n", " equal\n", " equal\n", " equal\n"}, "", 1 + 4}});
  for (const char* const n : {"10001", "0", "-1", "x", "''"}) pa3.check(n, 2, {"N: "});
  pa3.check(pa3.call("7", {}, {"env", "OMP_NUM_THREADS=513"}), 1, {"OMP_NUM_THREADS is '513'"});
}

TEST_CASE("generate makes the graph it is asked for") {
  const Program generate(GENERATOR);
  const auto make = [&](const std::string& options) { return generate.answer(options + " ./out"); };
  const std::string size = "--vertices 50 --edges 600", bytes = make(size);
  CHECK(make(size) == bytes);
  CHECK(make(size + " --seed 1") == bytes);
  CHECK(make(size + " --seed 2") != bytes);
  const struct {
    std::string options;
    std::int32_t vertices;
    std::size_t edges;
    std::int32_t lightest, heaviest;
  } rows[] = {
      {size, 50, 600, 0, 1000},
      {"--vertices 1 --edges 0", 1, 0, 0, 0},
      {"--vertices 40 --edges 1560", 40, 1560, 0, 1000},  // all pairs
      {size + " --weights -5 -3", 50, 600, -5, -3},
      {size + " --weights 7 7", 50, 600, 7, 7},
      {size + " --weights -2147483648 2147483647", 50, 600, INT32_MIN, INT32_MAX},
      {"--case p20k1", 20000, 264275, 0, 1000},
  };
  for (const auto& [options, vertices, edges, lightest, heaviest] : rows) {
    CAPTURE(options);
    const Case graph = parse_case(make(options));
    CHECK(graph.vertices == vertices);
    CHECK(graph.triples.size() == edges);
    std::set<std::pair<std::int32_t, std::int32_t>> pairs;
    bool right = true;
    for (const auto& [from, to, weight] : graph.triples) {
      right = right && from != to && std::min(from, to) >= 0 && std::max(from, to) < vertices;
      right = right && weight >= lightest && weight <= heaviest;
      pairs.emplace(from, to);
    }
    CHECK(right);
    CHECK(pairs.size() == edges);
  }
  CHECK(generate.folder.files().empty());
}

TEST_CASE("generate refuses wrong arguments") {
  const Program generate(GENERATOR);
  for (const char* const line : {"",
                                 "./out",
                                 "--vertices 5 ./out",
                                 "--edges 5 ./out",
                                 "--vertices 5 --edges 4",
                                 "--vertices 0 --edges 0 ./out",
                                 "--vertices 5 --edges 21 ./out",
                                 "--vertices 5 --edges -1 ./out",
                                 "--vertices five --edges 4 ./out",
                                 "--vertices 99999999999 --edges 4 ./out",
                                 "--vertices 1000000 --edges 2147483648 ./out",
                                 "--vertices 5 --edges 4 --weights 3 ./out",
                                 "--vertices 5 --edges 4 --weights 9 3 ./out",
                                 "--vertices 5 --edges 4 --weights 0 3000000000 ./out",
                                 "--vertices 5 --edges 4 --seed x ./out",
                                 "--vertices 5 --edges 4 --seed '' ./out",
                                 "--vertices 5 --edges '' ./out",
                                 "--vertices 5 --edges 4 ''",
                                 "--vertices 5 --edges 4 --case c21.1 ./out",
                                 "--case c99 ./out",
                                 "--fast ./out"})
    generate.check(line, 2, {});
  CHECK(generate.folder.files().empty());
  generate.check({
      {"--vertices 5 --edges 4 ./no/out", 1, {"./no/out", "No such file"}},
      {"--vertices 5 --edges 4 /dev/full", 1, {"/dev/full", "No space left"}},
  });
  CHECK(generate.call("--help").status == 0);
}
