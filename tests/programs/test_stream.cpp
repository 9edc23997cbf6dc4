// SPDX-License-Identifier: MIT
// hw3-stream as its users meet it: stopped in any way, on a full disk, beside another graph's work.
#include "cases.hpp"

#include <doctest/doctest.h>

namespace {

std::string random_case(std::int32_t vertices, int edges, std::int32_t lightest = 0) {
  return case_of(vertices, random_triples(vertices, edges, lightest));
}

struct Stream : Program {
  Stream() : Program(STREAM) {}
  /// The output of hw3-1 for this input; nothing if it refuses it.
  std::string expected() const {
    const Program hw3(HW3_1);
    const Result result = hw3.call(folder / "in" + " ./out");
    return result.status == 0 ? hw3.read("out") : "";
  }
};

const Names in_and_out = {"in", "out"}, stopped = {"in", "out.part", "out.part.state"};

/// A graph that one thread of this machine solves in about a second with this build, and the output of hw3-1 for it.
struct Work {
  Work() {
    if (ON_DEVICE) {
      input = random_case(30000, 20000);
      return;
    }
    const Program hw3(HW3_1);
    for (std::int32_t vertices = 500; seconds < 0.7; vertices += vertices / 2) {
      hw3.write("in", input = random_case(vertices, 20000));
      seconds = hw3.call("./in ./out").seconds;
      expected = hw3.read("out");
    }
  }
  double seconds = 0;
  std::string input, expected;
};

/// That work for one thread, in a folder of its own.
struct Long : Stream {
  Long() {
    setenv("OMP_NUM_THREADS", "1", 1);
    static const Work the_work;
    work = &the_work;
    write("in", input());
  }
  ~Long() { unsetenv("OMP_NUM_THREADS"); }

  const std::string& input() const { return work->input; }

  /// A run that is stopped this many seconds after the distances were filled and the solve began.
  Result stop(double seconds, int signal, const std::string& options = "") const {
    double filled = 0;
    const auto when = [&](double elapsed) {
      if (filled == 0 && !contains(read("out.part.state"), "pivots -1") && fs::exists(folder / "out.part"))
        filled = elapsed;
      return filled != 0 && elapsed > filled + seconds;
    };
    return call("./in ./out " + options, {.kill_when = when, .signal = signal});
  }
  void to_the_end() const {
    const Result result = call("./in ./out");
    CHECK(result.status == 0);
    check_line(result, {"resuming from ./out.part: ", " vertices are done"});
    CHECK(folder.files() == in_and_out);
    if (!ON_DEVICE) CHECK((read("out") == work->expected));
    CHECK((read("in") == input()));
  }

  const Work* work;
};

}  // namespace

TEST_CASE_FIXTURE(Stream, "hw3-stream writes what hw3-1 does, byte for byte") {
  for (const std::int32_t vertices : {1, 2, 100, 255, 257, 1000})
    for (const std::int32_t lightest : {0, -2}) {
      CAPTURE(vertices);
      CAPTURE(lightest);
      write("in", random_case(vertices, 3 * vertices, lightest));
      const std::string bytes = expected();
      for (const std::string line : {"./in ./out --type int32", "./in ./out --type int64"}) {
        CAPTURE(line);
        if (bytes.empty())
          check(line, 1, {"./in", "negative cycle: vertex "});
        else
          CHECK((answer(line) == bytes));
        CHECK(folder.files() == Names{"in"});
      }
    }
}

TEST_CASE_FIXTURE(Stream, "hw3-stream in little memory") {
  write("in", random_case(2000, 9000));
  CHECK((answer("./in ./out --memory 100M") == expected()));
  check("./in ./out --memory 1K", 1, {"./in", "2000 vertices out of core need at least ", "1.024 kB are allowed"});
  CHECK(folder.files() == Names{"in"});
}

TEST_CASE_FIXTURE(Stream, "hw3-stream takes the time of its steps") {
  write("in", random_case(300, 900));
  check({{"./in ./out --stats",
          0,
          {"\nstarting ", "\nreading ", "\nbuilding ", "\nsolving ", "(int32, ", "\n  loading ", "\n  storing ",
           "\n  waiting ", "\nwriting "},
          "",
          8}});
}

TEST_CASE_FIXTURE(Stream, "hw3-stream holds fewer bits where all distances fit") {
  const struct {
    std::int32_t lightest;
    std::string type, bits;
  } rows[] = {{0, "int32", "int16"}, {0, "int64", "int16"}, {5000, "int32", "int32"}, {-1, "int32", "int32"}};
  for (const auto& [lightest, type, bits] : rows) {
    CAPTURE(lightest);
    CAPTURE(type);
    write("in", random_case(1500, 20000, lightest));
    const std::string out = printed("./in ./out --stats --type " + type);
    CHECK((read("out") == expected()));
    CHECK(out.substr(out.find("(int", out.find("\nsolving ")) + 1, 5) == bits);
  }
}

TEST_CASE("hw3-stream stopped by a signal says so, and goes on") {
  for (const int signal : {SIGTERM, SIGINT, SIGHUP}) {
    CAPTURE(signal);
    const Long work;
    const Result result = work.stop(0.1, signal);
    CHECK(result.signal == signal);
    work.check_line(result, {"stopped with ", " vertices done; the same command resumes from ./out.part\n"});
    CHECK(work.folder.files() == stopped);
    if (signal == SIGTERM) work.to_the_end();
  }
}

TEST_CASE_FIXTURE(Long, "hw3-stream killed again and again goes on, from the last checkpoint") {
  write("out", "earlier");
  int kills = 0;
  for (double seconds = 0.1; kills < 4; seconds += 0.1, ++kills) {
    const Result result = stop(seconds, SIGKILL, "--checkpoint 0");
    if (result.signal == 0) break;
    CHECK(result.signal == SIGKILL);
    CHECK(read("out") == "earlier");
    CHECK((read("in") == input()));
  }
  CHECK(kills > 0);
  to_the_end();
}

TEST_CASE_FIXTURE(Long, "hw3-stream refuses to go on with another graph's work") {
  stop(0.1, SIGTERM);
  REQUIRE(folder.files() == stopped);
  const std::string record = read("out.part.state");
  const std::string remedy = "; remove ./out.part to start anew, or name another output\n";

  std::string other = input();
  other[20] = static_cast<char>(other[20] ^ 1);  // a weight
  write("in", other);
  check("./in ./out", 1,
        {"./out.part.state: belongs to another graph or type (", "vertices, 20000 edges, hash ", remedy});
  write("in", input());
  check("./in ./out --type int64", 1, {"belongs to another graph or type (", "int32), expected (", "int64)", remedy});

  write("out.part.state", "notes of mine\n");
  check("./in ./out", 1, {"./out.part.state: not the record of a solve", remedy});
  CHECK(read("out.part.state") == "notes of mine\n");
  fs::remove(folder / "out.part.state");
  check("./in ./out", 1, {"./out.part: found without its record, ", remedy});

  write("out.part.state", record);
  to_the_end();
}

TEST_CASE_FIXTURE(Stream, "hw3-stream finds a full disk before it works") {
  if (!Disk::possible()) return skip("no right to mount");
  const Disk disk(folder / "disk");
  write("in", random_case(500, 100));
  check(
      {{"./in ./disk/out", 1, {"./disk/out.part: cannot write: No space left on device (1000000 bytes are needed)"}}});
  CHECK(disk.files() == 0);
}

TEST_CASE_FIXTURE(Stream, "hw3-stream refuses what the others do") {
  write("in", random_case(10, 5));
  for (const std::string size : {"much", "0", "-1G", "nan", "''"})
    check("./in ./out --memory " + size, 2, {"--memory", "usage: hw3-stream INPUT OUTPUT [--memory SIZE]"});
  for (const std::string minutes : {"-1", "nan", "''"})
    check("./in ./out --checkpoint " + minutes, 2, {"--checkpoint"});
  const std::int32_t half = 1 << 29, billion = 1'000'000'000;
  check({
      {"./in ./out", 1, {"./in: byte 8: edge 0: vertex 2 is out of range"}, case_of(2, {{0, 2, 5}})},
      {"./in ./out", 1, {"./in: weights from ", "; use --type int64\n"}, case_of(9, {{0, 2, half}, {2, 3, half}})},
      // A distance that the output cannot hold is found at the end; the work file is then removed.
      {"./in ./out --type int64",
       1,
       {"the distance from 0 to 2 is 2000000000, which the output's 32 bits cannot hold"},
       case_of(3, {{0, 1, billion}, {1, 2, billion}})},
      {"./in ./in", 1, {"the output is the same file as the input"}},
      {"./in /dev/null", 1, {"/dev/null: cannot write: not a regular file"}},
  });
  CHECK(folder.files() == Names{"in"});
}
