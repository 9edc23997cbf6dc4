// SPDX-License-Identifier: MIT
// hw3-stream as its users meet it: stopped in any way, on a full disk, beside another graph's work.
#include "child.hpp"

#include <doctest/doctest.h>
#include <sched.h>
#include <sys/mount.h>

#include <algorithm>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace {

using Files = std::set<std::string>;

std::string bytes_of(const std::vector<std::int32_t>& values) {
  return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(std::int32_t)};
}

std::string random_case(std::int32_t vertices, int edges, std::int32_t lightest = 0) {
  std::mt19937 random(static_cast<unsigned>(edges));
  std::vector<std::int32_t> words = {vertices, edges};
  for (int e = 0; e < edges; ++e) {
    for (int end = 0; end < 2; ++end)
      words.push_back(static_cast<std::int32_t>(random() % static_cast<unsigned>(vertices)));
    words.push_back(lightest + static_cast<std::int32_t>(random() % 1000));
  }
  return bytes_of(words);
}

/// The output of hw3-1 for this input, or its error.
std::string expected_of(const std::string& input, std::string* error = nullptr) {
  const Folder folder;
  write_file(folder / "in", input);
  const Result result = run({HW3_1, folder / "in", folder / "out"});
  if (error != nullptr) *error = result.err;
  return result.status == 0 ? read_file(folder / "out") : "";
}

Result stream(const Folder& folder, const std::vector<std::string>& options = {}, const RunOptions& how = {}) {
  std::vector<std::string> command = {STREAM, folder / "in", folder / "out"};
  command.insert(command.end(), options.begin(), options.end());
  return run(command, how);
}

std::int64_t lines(const std::string& text) { return std::count(text.begin(), text.end(), '\n'); }

void check_line(const Result& result, const std::vector<std::string>& parts) {
  CHECK(result.out == "");
  CHECK(lines(result.err) == 1);
  CHECK(result.err.starts_with("hw3-stream: "));
  for (const std::string& part : parts)
    CHECK_MESSAGE(result.err.find(part) != std::string::npos, "expected: ", part, " in ", result.err);
}
void check_silence(const Result& result) {
  CHECK(result.status == 0);
  CHECK(result.out == "");
  CHECK(result.err == "");
}

const Files in_and_out = {"in", "out"}, stopped = {"in", "out.part", "out.part.state"};

/// A graph that one thread of this machine solves in about a second with this build, and the output of hw3-1 for it.
struct Work {
  Work() {
    if (ON_DEVICE) {
      input = random_case(30000, 20000);
      return;
    }
    for (std::int32_t vertices = 500; seconds < 0.7; vertices += vertices / 2) {
      const Folder folder;
      write_file(folder / "in", input = random_case(vertices, 20000));
      seconds = run({HW3_1, folder / "in", folder / "out"}).seconds;
      expected = read_file(folder / "out");
    }
  }
  double seconds = 0;
  std::string input, expected;
};

/// That work for one thread, in a folder of its own.
struct Long {
  Long() {
    setenv("OMP_NUM_THREADS", "1", 1);
    static const Work the_work;
    work = &the_work;
    write_file(folder / "in", input());
  }
  ~Long() { unsetenv("OMP_NUM_THREADS"); }

  const std::string& input() const { return work->input; }

  /// A run that is stopped this many seconds after the distances were filled and the solve began.
  Result stopped(double seconds, int signal, const std::vector<std::string>& options = {}) const {
    double filled = 0;
    const auto when = [&](double elapsed) {
      if (filled == 0 && read_file(folder / "out.part.state").find("pivots -1") == std::string::npos &&
          fs::exists(folder / "out.part"))
        filled = elapsed;
      return filled != 0 && elapsed > filled + seconds;
    };
    return stream(folder, options, {.kill_when = when, .signal = signal});
  }
  void to_the_end() const {
    const Result result = stream(folder);
    CHECK(result.status == 0);
    check_line(result, {"going on with " + (folder / "out.part: "), " vertices are done"});
    CHECK(folder.files() == in_and_out);
    if (!ON_DEVICE) CHECK((read_file(folder / "out") == work->expected));
    CHECK((read_file(folder / "in") == input()));
  }

  const Work* work;
  Folder folder;
};

}  // namespace

TEST_CASE("hw3-stream writes what hw3-1 does, byte for byte") {
  for (const std::int32_t vertices : {1, 2, 100, 255, 257, 1000})
    for (const std::int32_t lightest : {0, -2}) {
      CAPTURE(vertices);
      const std::string input = random_case(vertices, 3 * vertices, lightest);
      std::string error;
      const std::string expected = expected_of(input, &error);
      for (const char* type : {"int32", "int64"}) {
        const Folder folder;
        write_file(folder / "in", input);
        const Result result = stream(folder, {"--type", type});
        if (expected.empty()) {
          CHECK(result.status == 1);
          check_line(result, {folder / "in", "negative cycle: vertex "});
          CHECK(folder.files() == Files{"in"});
        } else {
          check_silence(result);
          CHECK(folder.files() == in_and_out);
          CHECK((read_file(folder / "out") == expected));
        }
      }
    }
}

TEST_CASE("hw3-stream in little memory") {
  const std::string input = random_case(2000, 9000);
  const Folder folder;
  write_file(folder / "in", input);
  check_silence(stream(folder, {"--memory", "100M"}));
  CHECK((read_file(folder / "out") == expected_of(input)));

  const Result result = stream(folder, {"--memory", "1K"});
  CHECK(result.status == 1);
  check_line(result, {folder / "in", "2000 vertices out of core need at least ", "1.024 kB are allowed"});
  CHECK(folder.files() == in_and_out);
}

TEST_CASE("hw3-stream says what it did") {
  const Folder folder;
  write_file(folder / "in", random_case(300, 900));
  const Result result = stream(folder, {"--stats"});
  CHECK(result.status == 0);
  CHECK(result.err == "");
  std::size_t place = 0;
  for (const char* step :
       {"starting", "reading", "building", "solving", "  loading", "  storing", "  waiting", "writing"}) {
    const std::size_t found = ("\n" + result.out).find(std::string("\n") + step + " ", place);
    CHECK_MESSAGE(found != std::string::npos, step);
    if (found != std::string::npos) place = found;
  }
  CHECK(lines(result.out) == 8);
  CHECK(result.out.find("(int32, ") != std::string::npos);
}

TEST_CASE("hw3-stream holds fewer bits where all distances fit") {
  const auto bits = [](const std::string& input, const std::string& type) {
    const Folder folder;
    write_file(folder / "in", input);
    const Result result = stream(folder, {"--stats", "--type", type});
    CHECK((read_file(folder / "out") == expected_of(input)));
    const std::size_t at = result.out.find("(int", result.out.find("\nsolving "));
    return result.out.substr(at + 1, 5);
  };
  CHECK(bits(random_case(1500, 20000), "int32") == "int16");
  CHECK(bits(random_case(1500, 20000), "int64") == "int16");
  CHECK(bits(random_case(1500, 20000, 5000), "int32") == "int32");
  CHECK(bits(random_case(1500, 20000, -1), "int32") == "int32");
}

TEST_CASE("hw3-stream stopped by a signal says so, and goes on") {
  for (const int signal : {SIGTERM, SIGINT, SIGHUP}) {
    CAPTURE(signal);
    const Long work;
    const Result result = work.stopped(0.1, signal);
    CHECK(result.signal == signal);
    check_line(result,
               {"stopped with ", " vertices done; the same command goes on, with " + (work.folder / "out.part\n")});
    CHECK(work.folder.files() == stopped);
    if (signal == SIGTERM) work.to_the_end();
  }
}

TEST_CASE("hw3-stream killed again and again goes on, from the last checkpoint") {
  const Long work;
  write_file(work.folder / "out", "earlier");
  int kills = 0;
  for (double seconds = 0.1; kills < 4; seconds += 0.1, ++kills) {
    const Result result = work.stopped(seconds, SIGKILL, {"--checkpoint", "0"});
    if (result.signal == 0) break;
    CHECK(result.signal == SIGKILL);
    CHECK(read_file(work.folder / "out") == "earlier");
    CHECK((read_file(work.folder / "in") == work.input()));
  }
  CHECK(kills > 0);
  work.to_the_end();
}

TEST_CASE("hw3-stream refuses to go on with another graph's work") {
  const Long work;
  const Folder& folder = work.folder;
  work.stopped(0.1, SIGTERM);
  REQUIRE(folder.files() == stopped);
  const std::string record = read_file(folder / "out.part.state");
  const std::string remedy = "; remove " + (folder / "out.part") + " to start anew, or name another output\n";

  std::string other = work.input();
  other[20] = static_cast<char>(other[20] ^ 1);  // a weight
  write_file(folder / "in", other);
  Result result = stream(folder);
  CHECK(result.status == 1);
  check_line(result,
             {folder / "out.part.state: is of another graph, or type (", "vertices, 20000 edges, hash ", remedy});
  write_file(folder / "in", work.input());
  result = stream(folder, {"--type", "int64"});
  CHECK(result.status == 1);
  check_line(result, {"is of another graph, or type (", "int32), expected this one (", "int64)", remedy});

  write_file(folder / "out.part.state", "notes of mine\n");
  result = stream(folder);
  CHECK(result.status == 1);
  check_line(result, {folder / "out.part.state: is no record of a solve", remedy});
  CHECK(read_file(folder / "out.part.state") == "notes of mine\n");
  fs::remove(folder / "out.part.state");
  result = stream(folder);
  CHECK(result.status == 1);
  check_line(result, {folder / "out.part: is there without its record, ", remedy});

  write_file(folder / "out.part.state", record);
  work.to_the_end();
}

TEST_CASE("hw3-stream finds a full disk before it works") {
  if (unshare(CLONE_NEWNS) != 0 || mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0) {
    MESSAGE("skipped: no right to mount");
    return;
  }
  const Folder folder;
  fs::create_directory(folder / "disk");
  REQUIRE(mount("none", (folder / "disk").c_str(), "tmpfs", 0, "size=64k") == 0);
  write_file(folder / "in", random_case(500, 100));
  const Result result = run({STREAM, folder / "in", folder / "disk/out"});
  CHECK(result.status == 1);
  check_line(result, {folder / "disk/out.part: cannot write: No space left on device (1000000 bytes are needed)"});
  CHECK(fs::is_empty(folder / "disk"));
  umount2((folder / "disk").c_str(), MNT_DETACH);
}

TEST_CASE("hw3-stream refuses what the others do") {
  const Folder folder;
  write_file(folder / "in", random_case(10, 5));
  const auto refused = [&](const std::vector<std::string>& options, int status, const std::vector<std::string>& parts) {
    const Result result = stream(folder, options);
    CHECK(result.status == status);
    check_line(result, parts);
  };
  for (const auto& options : std::vector<std::vector<std::string>>{
           {"--memory", "much"}, {"--memory", "0"}, {"--memory", "-1G"}, {"--memory", "nan"}, {"--memory", ""}})
    refused(options, 2, {"--memory", "usage: hw3-stream INPUT OUTPUT [--memory SIZE]"});
  for (const char* const minutes : {"-1", "nan", ""}) refused({"--checkpoint", minutes}, 2, {"--checkpoint"});
  write_file(folder / "in", bytes_of({2, 1, 0, 2, 5}));
  refused({}, 1, {folder / "in: byte 8: edge 0: vertex 2 is out of range"});
  write_file(folder / "in", bytes_of({9, 2, 0, 2, 1 << 29, 2, 3, 1 << 29}));
  refused({}, 1, {folder / "in: weights from ", "(here: --type int64)"});
  // A distance that the output cannot hold is found at the end; the work file is then removed.
  write_file(folder / "in", bytes_of({3, 2, 0, 1, 1'000'000'000, 1, 2, 1'000'000'000}));
  refused({"--type", "int64"}, 1, {"the distance from 0 to 2 is 2000000000, which the output's 32 bits cannot hold"});
  CHECK(folder.files() == Files{"in"});
  const Result same = run({STREAM, folder / "in", folder / "in"});
  CHECK(same.status == 1);
  check_line(same, {"the output is the same file as the input"});
  const Result pipe = run({STREAM, folder / "in", "/dev/null"});
  CHECK(pipe.status == 1);
  check_line(pipe, {"/dev/null: cannot write: is no regular file"});
}
