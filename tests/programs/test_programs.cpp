// SPDX-License-Identifier: MIT
// The programs as their users meet them: right answers, one line for each mistake, nothing left behind. HW3 is hw3-1
// or hw3-3, or, where there is a device, hw3-2.
#include "cases.hpp"
#include "child.hpp"

#include <doctest/doctest.h>
#include <sys/stat.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <functional>
#include <queue>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace {

constexpr std::int32_t no_path = 1073741823;
const std::string hw3 = fs::path(HW3).filename();
const bool on_device = ON_DEVICE, several = hw3 == "hw3-3";

struct Case {
  std::int32_t vertices = 0;
  Triples triples;
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

/// Distances of all pairs by Dijkstra's algorithm from each vertex.
std::vector<std::int32_t> dijkstra(const Case& graph) {
  const auto n = static_cast<std::size_t>(graph.vertices);
  std::vector<std::vector<std::pair<std::size_t, std::int32_t>>> out(n);
  for (const auto& [from, to, weight] : graph.triples)
    out[static_cast<std::size_t>(from)].emplace_back(static_cast<std::size_t>(to), weight);
  std::vector<std::int32_t> all;
  for (std::size_t source = 0; source < n; ++source) {
    std::vector<std::int32_t> distance(n, no_path);
    using Entry = std::pair<std::int32_t, std::size_t>;
    std::priority_queue<Entry, std::vector<Entry>, std::greater<>> queue;
    distance[source] = 0;
    for (queue.emplace(0, source); !queue.empty();) {
      const auto [length, vertex] = queue.top();
      queue.pop();
      if (length > distance[vertex]) continue;
      for (const auto& [to, weight] : out[vertex])
        if (length + weight < distance[to]) queue.emplace(distance[to] = length + weight, to);
    }
    all.insert(all.end(), distance.begin(), distance.end());
  }
  return all;
}

Triples random_triples(std::int32_t vertices, int edges, unsigned seed) {
  std::mt19937 random(seed);
  const auto draw = [&](std::int32_t below) {
    return static_cast<std::int32_t>(random() % static_cast<unsigned>(below));
  };
  Triples triples;
  for (int e = 0; e < edges; ++e) triples.push_back({draw(vertices), draw(vertices), draw(1001)});
  return triples;
}

/// Checks a bad call: the status, and a single line on stderr that contains all parts.
void check_refusal(const Result& result, int status, const std::vector<std::string>& parts,
                   const std::string& program = hw3) {
  CAPTURE(result.err);
  CHECK(result.status == status);
  CHECK(result.signal == 0);
  CHECK(result.out == "");
  CHECK(lines(result.err) == 1);
  CHECK(result.err.starts_with(program + ": "));
  CHECK(result.err.ends_with("\n"));
  for (const std::string& part : parts) CHECK_MESSAGE(contains(result.err, part), "expected: ", part);
}

/// Checks that a call succeeds and prints nothing.
void check_silence(const Result& result) {
  CHECK(result.status == 0);
  CHECK(result.signal == 0);
  CHECK(result.out == "");
  CHECK(result.err == "");
}

/// Solves a file of these bytes.
std::string solve(const std::string& input, const std::vector<std::string>& options = {}) {
  const Folder folder;
  write_file(folder / "in", input);
  std::vector<std::string> command = {HW3, folder / "in", folder / "out"};
  command.insert(command.end(), options.begin(), options.end());
  check_silence(run(command));
  CHECK(folder.files() == std::set<std::string>{"in", "out"});
  CHECK(read_file(folder / "in") == input);
  return read_file(folder / "out");
}

/// Checks that an input is refused, with and without an earlier output, which stays.
void check_bad_input(const std::string& input, const std::vector<std::string>& parts,
                     const std::vector<std::string>& options = {}) {
  for (const bool earlier : {false, true}) {
    const Folder folder;
    write_file(folder / "in", input);
    if (earlier) write_file(folder / "out", "earlier");
    std::vector<std::string> command = {HW3, folder / "in", folder / "out"};
    command.insert(command.end(), options.begin(), options.end());
    const Result result = run(command);
    check_refusal(result, 1, parts);
    CHECK_MESSAGE(contains(result.err, folder / "in"), result.err);
    CHECK(folder.files() == (earlier ? std::set<std::string>{"in", "out"} : std::set<std::string>{"in"}));
    CHECK(read_file(folder / "in") == input);
    if (earlier) CHECK(read_file(folder / "out") == "earlier");
  }
}

/// One directed edge that is too long for fewer bits, so that solve() can save neither half the work nor bits.
const Triples heavy = {{0, 1, 20'000}};

const std::string small_case = case_of(3, {{0, 1, 5}, {1, 2, 2}, {0, 2, 9}});
const std::string small_distances = bytes_of(std::vector<std::int32_t>{0, 5, 7, no_path, 0, 2, no_path, no_path, 0});

/// The words that run a command without root's rights; only "env" if there is no need, empty if there is no way.
std::vector<std::string> unprivileged() {
  if (geteuid() != 0) return {"env"};
  const std::vector<std::string> words = {"setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"};
  std::vector<std::string> trial = words;
  trial.insert(trial.end(), {"test", "-x", HW3});
  if (run({"sh", "-c", "command -v setpriv"}).status == 0 && run(trial).status == 0) return words;
  return {};
}

std::vector<std::string> operator+(std::vector<std::string> words, const std::vector<std::string>& more) {
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

}  // namespace

TEST_CASE("hw3 agrees with Dijkstra") {
  SUBCASE("on a generated case") {
    const Folder folder;
    check_silence(run({GENERATOR, "--vertices", "200", "--edges", "1000", folder / "in"}));
    const std::string input = read_file(folder / "in");
    const Case graph = parse_case(input);
    const std::string expected = bytes_of(dijkstra(graph));
    CHECK(solve(input) == expected);
    CHECK(solve(input, {"--type", "int64"}) == expected);
  }
  SUBCASE("with repeated edges and self loops") {
    const Case graph{200, random_triples(200, 2000, 1)};
    CHECK(solve(case_of(200, graph.triples)) == bytes_of(dijkstra(graph)));
  }
  SUBCASE("where most pairs have no path") {
    const Case graph{197, random_triples(197, 150, 2)};
    const std::string expected = bytes_of(dijkstra(graph));
    CHECK(solve(case_of(197, graph.triples)) == expected);
    CHECK(solve(case_of(197, graph.triples), {"--type", "int64"}) == expected);
  }
  SUBCASE("on a complete graph") {
    const Folder folder;
    check_silence(run({GENERATOR, "--vertices", "90", "--edges", std::to_string(90 * 89), folder / "in"}));
    const std::string input = read_file(folder / "in");
    const Case graph = parse_case(input);
    CHECK(graph.triples.size() == 90 * 89);
    CHECK(solve(input) == bytes_of(dijkstra(graph)));
  }
  SUBCASE("with negative edges") {
    // Potentials: w(u, v) + p(u) - p(v) is negative for many edges but for no cycle; distances change in the same way.
    Case graph{150, random_triples(150, 700, 3)};
    std::vector<std::int32_t> expected = dijkstra(graph);
    const auto potential = [](std::int64_t v) { return static_cast<std::int32_t>(v * 7919 % 3001); };
    for (auto& [from, to, weight] : graph.triples) weight += potential(from) - potential(to);
    for (std::size_t i = 0; i < expected.size(); ++i)
      if (expected[i] != no_path)
        expected[i] += potential(static_cast<std::int64_t>(i / 150)) - potential(static_cast<std::int64_t>(i % 150));
    REQUIRE(std::count(expected.begin(), expected.end(), no_path) > 0);
    CHECK(solve(case_of(150, graph.triples)) == bytes_of(expected));
    CHECK(solve(case_of(150, graph.triples), {"--type", "int64"}) == bytes_of(expected));
  }
}

TEST_CASE("hw3-3 agrees with Dijkstra on any number of devices" * doctest::skip(!several || on_device)) {
  const Case sparse{700, random_triples(700, 2000, 4)}, small{5, random_triples(5, 12, 5)};
  for (const char* devices : {"1", "2", "3", "8"}) {
    CHECK((solve(case_of(700, sparse.triples), {"--devices", devices}) == bytes_of(dijkstra(sparse))));
    CHECK(solve(case_of(5, small.triples), {"--devices", devices, "--type", "int64"}) == bytes_of(dijkstra(small)));
  }
}

TEST_CASE("hw3-3 refuses devices that there cannot be" * doctest::skip(!several)) {
  const Folder folder;
  write_file(folder / "in", small_case);
  for (const char* devices : {"0", "-1", "two"})
    check_refusal(run({HW3, folder / "in", folder / "out", "--devices", devices}), 2, {"--devices", devices});
  if (on_device)
    check_refusal(run({HW3, folder / "in", folder / "out", "--devices", "99"}), 1, {"99 devices are wanted"});
  CHECK(folder.files() == std::set<std::string>{"in"});
}

TEST_CASE("hw3 solves the smallest cases") {
  CHECK(solve(case_of(1, {})) == bytes_of(std::vector<std::int32_t>{0}));
  CHECK(solve(case_of(1, {{0, 0, 7}})) == bytes_of(std::vector<std::int32_t>{0}));
  CHECK(solve(case_of(2, {})) == bytes_of(std::vector<std::int32_t>{0, no_path, no_path, 0}));
  CHECK(solve(case_of(2, {{1, 0, 0}})) == bytes_of(std::vector<std::int32_t>{0, no_path, 0, 0}));
  CHECK(solve(small_case) == small_distances);
  // The largest weight that is not yet "no path".
  CHECK(solve(case_of(2, {{0, 1, no_path - 1}})) == bytes_of(std::vector<std::int32_t>{0, no_path - 1, no_path, 0}));
}

TEST_CASE("hw3 makes its output as other programs do") {
  const Folder folder;
  const std::string in = folder / "in", out = folder / "out";
  write_file(in, small_case);

  SUBCASE("with the permissions that umask leaves") {
    for (const auto& [mask, mode] : std::vector<std::pair<mode_t, mode_t>>{{022, 0644}, {077, 0600}, {002, 0664}}) {
      const mode_t before = umask(mask);
      check_silence(run({HW3, in, out}));
      umask(before);
      struct stat status{};
      REQUIRE(stat(out.c_str(), &status) == 0);
      CHECK((status.st_mode & 0777u) == mode);
      fs::remove(out);
    }
  }
  SUBCASE("with the permissions of an earlier one") {
    write_file(out, "x");
    fs::permissions(out, fs::perms(0640));
    check_silence(run({HW3, in, out}));
    CHECK(fs::status(out).permissions() == fs::perms(0640));
  }
  SUBCASE("in place of an earlier one") {
    write_file(out, std::string(1000, 'x'));
    fs::create_hard_link(out, folder / "another name");
    check_silence(run({HW3, in, out}));
    CHECK(read_file(out) == small_distances);
    CHECK(read_file(folder / "another name") == std::string(1000, 'x'));  // replaced, not overwritten
    CHECK(folder.files() == std::set<std::string>{"another name", "in", "out"});
  }
  SUBCASE("by way of a symbolic link, which stays") {
    fs::create_directory(folder / "elsewhere");
    write_file(folder / "elsewhere/file", "earlier");
    fs::create_symlink("elsewhere/file", out);
    check_silence(run({HW3, in, out}));
    CHECK(fs::is_symlink(out));
    CHECK(read_file(folder / "elsewhere/file") == small_distances);
  }
  SUBCASE("by way of a symbolic link to nothing, which stays") {
    fs::create_directory(folder / "elsewhere");
    fs::create_symlink("elsewhere/file", out);
    check_silence(run({HW3, in, out}));
    CHECK(fs::is_symlink(out));
    CHECK(read_file(folder / "elsewhere/file") == small_distances);
  }
  SUBCASE("with the longest name that a file can have") {
    const std::string name(255, 'n');
    const Result result = run({HW3, in, folder / name});
    CAPTURE(result.err);
    CHECK(result.status == 0);
    CHECK(folder.files() == std::set<std::string>{"in", name});
  }
  SUBCASE("into a pipe") {
    const Result result = run({"sh", "-c", "\"$0\" \"$1\" /dev/stdout | cat", HW3, in});
    CHECK(result.status == 0);
    CHECK(result.out == small_distances);
    CHECK(result.err == "");
  }
  SUBCASE("without a word, whatever the environment") {
    check_silence(run({"env", "-u", "OMP_PROC_BIND", HW3, in, out}));
    check_silence(run({"env", "OMP_NUM_THREADS=1", HW3, in, out}));
    check_silence(run({"env", "OMP_NUM_THREADS=3", HW3, in, out}));
    CHECK(read_file(out) == small_distances);
  }
  SUBCASE("with --stats") {
    const Result result = run({HW3, in, out, "--stats"});
    CHECK(result.status == 0);
    CHECK(result.err == "");
    std::vector<std::string> steps = {"starting", "reading", "building", "solving"};
    if (on_device && !several) steps.insert(steps.begin() + 2, "host-to-device");
    if (!several) steps.insert(steps.end(), {"  phase 1", "  phase 2", "  phase 3"});
    if (on_device) steps.push_back("device-to-host");
    steps.push_back("writing");
    CHECK(lines(result.out) == static_cast<std::int64_t>(steps.size()));
    std::size_t place = 0;
    for (const std::string& step : steps) {
      const std::size_t found = ("\n" + result.out).find("\n" + step + " ", place);
      CHECK_MESSAGE(found != std::string::npos, step);
      place = found == std::string::npos ? place : found;
    }
    CHECK(contains(result.out, "% of this machine's limit"));
    CHECK(contains(result.out, "3 vertices, 3 edges"));
    CHECK(read_file(out) == small_distances);
  }
  SUBCASE("and says how it is called") {
    const Result result = run({HW3, "--help"});
    CHECK(result.status == 0);
    CHECK(result.err == "");
    CHECK(contains(result.out, "--type"));
  }
}

TEST_CASE("hw3 refuses bad contents of its input") {
  SUBCASE("empty") { check_bad_input("", {"byte 0", "empty"}); }
  SUBCASE("5 bytes") { check_bad_input("12345", {"byte 5", "header"}); }
  SUBCASE("one byte too short") {
    check_bad_input(small_case.substr(0, 43), {"byte 43", "shorter", "43 bytes, expected 44", "3 edges"});
  }
  SUBCASE("no edge there") { check_bad_input(case_of(3, 1, {}), {"byte 8", "shorter"}); }
  SUBCASE("a header that promises 24 GB") { check_bad_input(case_of(3, INT32_MAX, {}), {"byte 8", "shorter"}); }
  SUBCASE("longer") { check_bad_input(small_case + "x", {"byte 44", "longer", "45 bytes, expected 44"}); }
  SUBCASE("V = 0") { check_bad_input(case_of(0, {}), {"byte 0", "V is 0"}); }
  SUBCASE("V < 0") { check_bad_input(case_of(-4, {}), {"byte 0", "V is -4"}); }
  SUBCASE("E < 0") { check_bad_input(case_of(4, -1, {}), {"byte 4", "E is -1"}); }
  SUBCASE("source = V") { check_bad_input(case_of(3, {{0, 1, 1}, {3, 0, 1}}), {"byte 20", "3"}); }
  SUBCASE("destination > V") { check_bad_input(case_of(3, {{0, 1, 1}, {0, 77, 1}, {99, 0, 1}}), {"byte 20", "77"}); }
  SUBCASE("source < 0") { check_bad_input(case_of(3, {{-1, 0, 1}}), {"byte 8", "-1"}); }
  SUBCASE("destination < 0") { check_bad_input(case_of(3, {{0, INT32_MIN, 1}}), {"byte 8", "-2147483648"}); }
  SUBCASE("out of range, with int64") { check_bad_input(case_of(3, {{0, 3, 1}}), {"byte 8"}, {"--type", "int64"}); }
  SUBCASE("the first of many") {
    Triples triples(5000, {0, 1, 1});
    for (const std::size_t e : {1234u, 1235u, 4000u}) triples[e] = {0, 10, 1};
    check_bad_input(case_of(10, triples), {"byte " + std::to_string(8 + 1234 * 12), "10"});
  }
}

TEST_CASE("hw3 refuses a matrix larger than the memory, at once") {
  for (const std::int32_t vertices : {2'000'000, INT32_MAX}) {
    const Folder folder;
    write_file(folder / "in", case_of(vertices, {}));
    const Result result = run({HW3, folder / "in", folder / "out"});
    check_refusal(result, 1, {folder / "in", std::to_string(vertices) + " vertices", "memory", "available"});
    CHECK(result.seconds < 2);
    CHECK(folder.files() == std::set<std::string>{"in"});
  }
}

TEST_CASE("hw3 refuses weights whose sums could overflow, and offers a wider type") {
  const std::int32_t half = 1 << 29;

  const std::string one_edge = case_of(10, {{2, 3, half}});
  std::vector<std::int32_t> expected(100, no_path);
  for (std::size_t i = 0; i < 10; ++i) expected[i * 11] = 0;
  expected[23] = half;
  CHECK(solve(one_edge, {"--type", "int64"}) == bytes_of(expected));

  const std::string two_edges = case_of(10, {{2, 3, half}, {3, 4, half}});
  check_bad_input(two_edges, {"536870912", "int64"});
  check_bad_input(two_edges, {"from 2 to 4", "1073741824", "32 bits"}, {"--type", "int64"});

  check_bad_input(case_of(2, {{0, 1, no_path}}), {"1073741823", "int64"});
  check_bad_input(case_of(2, {{0, 1, no_path}}), {"1073741823", "32 bits"}, {"--type", "int64"});
  check_bad_input(case_of(2, {{0, 1, INT32_MAX}}), {"2147483647", "int64"});
  check_bad_input(case_of(2, {{0, 1, INT32_MIN}}), {"-2147483648", "int64"});
  check_bad_input(case_of(2, {{0, 1, INT32_MIN}}), {"-2147483648", "32 bits"}, {"--type", "int64"});
}

TEST_CASE("hw3 refuses negative cycles") {
  check_bad_input(case_of(5, {{2, 2, -1}}), {"negative cycle: vertex 2 "});
  check_bad_input(case_of(5, {{2, 2, -1}}), {"negative cycle: vertex 2 "}, {"--type", "int64"});
  check_bad_input(case_of(1, {{0, 0, INT32_MIN}}), {"negative cycle: vertex 0 "});

  // A vertex of a longer cycle, here alone in the last tile of several.
  const Folder folder;
  write_file(folder / "in", case_of(300, {{0, 299, 1}, {299, 298, 4}, {298, 297, -9}, {297, 299, 4}, {297, 1, 1}}));
  const Result result = run({HW3, folder / "in", folder / "out"});
  check_refusal(result, 1, {folder / "in", "negative cycle: "});
  CHECK((contains(result.err, "vertex 297 ") || contains(result.err, "vertex 298 ") ||
         contains(result.err, "vertex 299 ")));

  Triples complete;  // where lengths would double with each pivot
  for (std::int32_t i = 0; i < 100; ++i)
    for (std::int32_t j = 0; j < 100; ++j)
      if (i != j) complete.push_back({i, j, -1'000'000});
  check_bad_input(case_of(100, complete), {"negative cycle: vertex "});
}

TEST_CASE("hw3 refuses an input that is no readable file") {
  const Folder folder;
  const std::string in = folder / "in", out = folder / "out";

  SUBCASE("missing") { check_refusal(run({HW3, in, out}), 1, {in, "No such file"}); }
  SUBCASE("in a missing folder") {
    check_refusal(run({HW3, folder / "no/in", out}), 1, {folder / "no/in", "No such file"});
  }
  SUBCASE("a directory") {
    fs::create_directory(in);
    check_refusal(run({HW3, in, out}), 1, {in, "cannot read"});
  }
  SUBCASE("a device") { check_refusal(run({HW3, "/dev/null", out}), 1, {"/dev/null", "not a regular file"}); }
  SUBCASE("a named pipe that nobody writes to") {
    REQUIRE(mkfifo(in.c_str(), 0600) == 0);
    check_refusal(run({HW3, in, out}, {.kill_when = after(2)}), 1, {in, "not a regular file"});
  }
  SUBCASE("without permission") {
    const auto words = unprivileged();
    if (words.empty()) return skip("root, and setpriv cannot run programs as somebody else");
    write_file(in, small_case);
    fs::permissions(in, fs::perms::none);
    check_refusal(run(words + std::vector<std::string>{HW3, in, out}), 1, {in, "Permission denied"});
  }
  CHECK_FALSE(fs::exists(out));
}

TEST_CASE("hw3 refuses an output that it cannot write") {
  const Folder folder;
  const std::string in = folder / "in", out = folder / "out";
  write_file(in, small_case);

  SUBCASE("its folder is missing") {
    check_refusal(run({HW3, in, folder / "no/out"}), 1, {folder / "no/out", "cannot write", "No such file"});
  }
  SUBCASE("its folder is a file") {
    check_refusal(run({HW3, in, in + "/out"}), 1, {in + "/out", "cannot write", "Not a directory"});
  }
  SUBCASE("a directory") {
    fs::create_directory(folder / "folder");
    check_refusal(run({HW3, in, folder / "folder"}), 1, {folder / "folder", "cannot write", "directory"});
    CHECK(fs::is_empty(folder / "folder"));
    fs::remove(folder / "folder");
  }
  SUBCASE("no permission") {
    const auto words = unprivileged();
    if (words.empty()) return skip("root, and setpriv cannot run programs as somebody else");
    fs::create_directory(folder / "folder");
    fs::permissions(folder / "folder", fs::perms(0555));
    check_refusal(run(words + std::vector<std::string>{HW3, in, folder / "folder/out"}), 1,
                  {folder / "folder/out", "cannot write", "Permission denied"});
    CHECK(fs::is_empty(folder / "folder"));
    fs::remove(folder / "folder");
  }
  SUBCASE("a full device") {
    check_refusal(run({HW3, in, "/dev/full"}), 1, {"/dev/full", "cannot write", "No space left"});
  }
  SUBCASE("a full or a read-only disk") {
    if (!Disk::possible()) return skip("no right to mount");
    Disk disk(folder / "disk");
    const std::string on_disk = folder / "disk/out", large = folder / "large";
    write_file(on_disk, "earlier");
    write_file(large, case_of(500, {}));
    check_refusal(run({HW3, large, on_disk}), 1, {on_disk, "cannot write", "No space left", "1000000 bytes"});
    disk.make_read_only();
    check_refusal(run({HW3, in, on_disk}), 1, {on_disk, "cannot write", "Read-only"});
    CHECK(read_file(on_disk) == "earlier");
    CHECK(std::distance(fs::directory_iterator(folder / "disk"), {}) == 1);
    fs::remove(large);
  }
  CHECK(folder.files() == std::set<std::string>{"in"});
  CHECK(read_file(in) == small_case);
}

TEST_CASE("hw3 does not overwrite its input") {
  const Folder folder;
  const std::string in = folder / "in", out = folder / "out";
  write_file(in, small_case);
  std::string output = out;
  SUBCASE("under the same name") { output = in; }
  SUBCASE("under another spelling") { output = folder / "./in"; }
  SUBCASE("by a symbolic link") { fs::create_symlink("in", out); }
  SUBCASE("by a hard link") { fs::create_hard_link(in, out); }
  const auto before = folder.files();
  check_refusal(run({HW3, in, output}), 1, {output, "same file as the input"});
  CHECK(folder.files() == before);
  CHECK(read_file(in) == small_case);
}

TEST_CASE("hw3 writes results that take more than one chunk") {
  const std::int32_t n = 2100;  // 17.6 MB
  Triples path;
  for (std::int32_t v = 0; v + 1 < n; ++v) path.push_back({v, v + 1, 1});
  std::vector<std::int32_t> expected;
  for (std::int32_t i = 0; i < n; ++i)
    for (std::int32_t j = 0; j < n; ++j) expected.push_back(j >= i ? j - i : no_path);
  CHECK((solve(case_of(n, path)) == bytes_of(expected)));
}

TEST_CASE("hw3 refuses wrong arguments") {
  const Folder folder;
  const std::string in = folder / "in", out = folder / "out";
  write_file(in, small_case);
  check_refusal(run({HW3}), 2, {"INPUT", "usage: " + hw3});
  check_refusal(run({HW3, in}), 2, {"OUTPUT", "usage: " + hw3});
  check_refusal(run({HW3, in, out, "--fast"}), 2, {"--fast", "usage: " + hw3});
  check_refusal(run({HW3, in, out, "--type", "int8"}), 2, {"--type", "int8", "usage: " + hw3});
  check_refusal(run({HW3, in, out, "--type"}), 2, {"--type", "usage: " + hw3});
  check_refusal(run({HW3, in, out, folder / "third"}), 2, {folder / "third", "usage: " + hw3});
  check_refusal(run({HW3, in, ""}), 2, {"OUTPUT: the argument is empty, expected a value", "usage: " + hw3});
  check_refusal(run({HW3, "", out}), 2, {"INPUT: the argument is empty, expected a value", "usage: " + hw3});
  check_refusal(run({"env", "OMP_NUM_THREADS=513", HW3, in, out}), 1,
                {"OMP_NUM_THREADS is '513', expected 1 to 512 threads"});
  CHECK(folder.files() == std::set<std::string>{"in"});
}

TEST_CASE("hw3 killed in the middle leaves no output") {
  setenv("OMP_NUM_THREADS", "1", 1);
  for (const int signal : {SIGTERM, SIGINT, SIGHUP, SIGKILL}) {
    CAPTURE(signal);
    const Folder folder;
    write_file(folder / "in", case_of(on_device ? 30000 : 6000, heavy));  // seconds of work
    write_file(folder / "earlier", "earlier");
    for (const auto* output : {"out", "earlier"}) {
      const Result result = run({HW3, folder / "in", folder / output}, {.kill_when = after(0.25), .signal = signal});
      CHECK(result.signal == signal);
      CHECK(result.err == "");
    }
    CHECK_FALSE(fs::exists(folder / "out"));
    CHECK(read_file(folder / "earlier") == "earlier");
    // No program can remove its files after SIGKILL.
    if (signal != SIGKILL) CHECK(folder.files() == std::set<std::string>{"earlier", "in"});
  }
  unsetenv("OMP_NUM_THREADS");
}

TEST_CASE("hw3 shows a bar on a terminal when it takes over a second") {
  const Folder folder;
  write_file(folder / "small", small_case);
  const Result quick = run({HW3, folder / "small", folder / "out"}, {.terminal = true});
  CHECK(quick.status == 0);
  CHECK(quick.err == "");

  setenv("OMP_NUM_THREADS", "1", 1);
  write_file(folder / "large", case_of(4000, heavy));
  // A program that is not optimised need not finish.
  const Result slow =
      run({HW3, folder / "large", folder / "out", "--stats"}, {.terminal = true, .kill_when = after(15)});
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
  const Result result = run({PA3, "1", "7", "130", "400"});
  CHECK(result.status == 0);
  CHECK(result.err == "");
  CHECK(lines(result.out) == 5);
  std::size_t equal = 0;
  for (std::size_t at = 0; (at = result.out.find("equal", at)) != std::string::npos; ++at) ++equal;
  CHECK(equal == 4);
  for (const char* const n : {"10001", "0", "-1", "x", ""}) check_refusal(run({PA3, n}), 2, {"N: "}, "pa3");
  check_refusal(run({"env", "OMP_NUM_THREADS=513", PA3, "7"}), 1, {"OMP_NUM_THREADS is '513'"}, "pa3");
}

TEST_CASE("generate makes the graph it is asked for") {
  const Folder folder;
  const auto make = [&](std::vector<std::string> options) {
    options.insert(options.begin(), GENERATOR);
    options.push_back(folder / "out");
    check_silence(run(options));
    CHECK(folder.files() == std::set<std::string>{"out"});
    return read_file(folder / "out");
  };
  const std::vector<std::string> size = {"--vertices", "50", "--edges", "600"};

  const std::string bytes = make(size);
  CHECK(make(size) == bytes);
  CHECK(make(size + std::vector<std::string>{"--seed", "1"}) == bytes);
  CHECK(make(size + std::vector<std::string>{"--seed", "2"}) != bytes);

  const auto check_graph = [](const Case& graph, std::int32_t vertices, std::size_t edges, std::int32_t lightest,
                              std::int32_t heaviest) {
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
  };
  check_graph(parse_case(bytes), 50, 600, 0, 1000);
  check_graph(parse_case(make({"--vertices", "1", "--edges", "0"})), 1, 0, 0, 0);
  check_graph(parse_case(make({"--vertices", "40", "--edges", "1560"})), 40, 1560, 0, 1000);  // all pairs
  check_graph(parse_case(make(size + std::vector<std::string>{"--weights", "-5", "-3"})), 50, 600, -5, -3);
  check_graph(parse_case(make(size + std::vector<std::string>{"--weights", "7", "7"})), 50, 600, 7, 7);
  check_graph(parse_case(make(size + std::vector<std::string>{"--weights", "-2147483648", "2147483647"})), 50, 600,
              INT32_MIN, INT32_MAX);
  check_graph(parse_case(make({"--case", "p20k1"})), 20000, 264275, 0, 1000);
}

TEST_CASE("generate refuses wrong arguments") {
  const Folder folder;
  const std::string out = folder / "out";
  const std::vector<std::vector<std::string>> calls = {
      {},
      {out},
      {"--vertices", "5", out},
      {"--edges", "5", out},
      {"--vertices", "5", "--edges", "4"},
      {"--vertices", "0", "--edges", "0", out},
      {"--vertices", "5", "--edges", "21", out},
      {"--vertices", "5", "--edges", "-1", out},
      {"--vertices", "five", "--edges", "4", out},
      {"--vertices", "99999999999", "--edges", "4", out},
      {"--vertices", "1000000", "--edges", "2147483648", out},
      {"--vertices", "5", "--edges", "4", "--weights", "3", out},
      {"--vertices", "5", "--edges", "4", "--weights", "9", "3", out},
      {"--vertices", "5", "--edges", "4", "--weights", "0", "3000000000", out},
      {"--vertices", "5", "--edges", "4", "--seed", "x", out},
      {"--vertices", "5", "--edges", "4", "--seed", "", out},
      {"--vertices", "5", "--edges", "", out},
      {"--vertices", "5", "--edges", "4", ""},
      {"--vertices", "5", "--edges", "4", "--case", "c21.1", out},
      {"--case", "c99", out},
      {"--fast", out},
  };
  for (const auto& call : calls) {
    std::string text;
    for (const std::string& word : call) text += word + " ";
    CAPTURE(text);
    check_refusal(run(std::vector<std::string>{GENERATOR} + call), 2, {}, "generate");
  }
  CHECK(folder.files().empty());
  const std::vector<std::string> good = {GENERATOR, "--vertices", "5", "--edges", "4"};
  check_refusal(run(good + std::vector<std::string>{folder / "no/out"}), 1, {folder / "no/out", "No such file"},
                "generate");
  check_refusal(run(good + std::vector<std::string>{"/dev/full"}), 1, {"/dev/full", "No space left"}, "generate");
  CHECK(run({GENERATOR, "--help"}).status == 0);
}
