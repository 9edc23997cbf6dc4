// SPDX-License-Identifier: MIT
// hw3-mpi as its users meet it: by mpiexec, on a few ranks.
#include "cases.hpp"

#include <doctest/doctest.h>

namespace {

struct Hw3Mpi : Program {
  Hw3Mpi() : Program(HW3_MPI, {MPIEXEC, MPIEXEC_COUNT}) {}
  void generate(int vertices, int edges) const {
    const std::string size = "--vertices " + std::to_string(vertices) + " --edges " + std::to_string(edges);
    REQUIRE(Program(GENERATOR).call(size + ' ' + (folder / "in")).status == 0);
  }
};

}  // namespace

TEST_CASE_FIXTURE(Hw3Mpi, "hw3-mpi writes what hw3-1 writes, byte for byte") {
  const struct {
    int vertices, edges;
    std::vector<int> ranks;
  } rows[] = {{1, 0, {3}}, {2, 1, {6}}, {257, 2000, {4}}, {1100, 9000, {1, 2, 3, 4, 6}}};
  for (const auto& [vertices, edges, all_ranks] : rows) {
    generate(vertices, edges);
    REQUIRE(run(Words{HW3} + words("./in ./expected")).status == 0);
    for (const int ranks : all_ranks) {
      CAPTURE(vertices);
      CAPTURE(ranks);
      const std::string type = ranks % 2 == 0 ? " --type int64" : "";
      CHECK((answer("-n " + std::to_string(ranks) + " ./in ./out" + type) == read("expected")));
      CHECK(folder.files() == Names{"expected", "in"});
    }
  }
}

TEST_CASE_FIXTURE(Hw3Mpi, "hw3-mpi takes the time of its steps, and says how many bits it took") {
  write("small", case_of(3, {{0, 1, 5}, {1, 2, 2}, {0, 2, 9}}));
  generate(3100, 60000);
  const std::string fewer = "(int16, 2 x 1 ranks|(int8, 2 x 1 ranks";
  check({
      {"-n 2 ./small ./out --stats",
       0,
       {"\nstarting ", "\nreading ", "\nbuilding ", "\nsolving ", "(int32, 2 x 1 ranks", "\nwriting "},
       "",
       5},
      {"-n 2 ./in ./out --stats --type int32", 0, {fewer}},
      {"-n 2 ./in ./out --stats --type int64", 0, {fewer}},
  });
}

TEST_CASE_FIXTURE(Hw3Mpi, "hw3-mpi refuses bad inputs, in one line, and an earlier output stays") {
  constexpr std::int32_t half = 1 << 29;
  const std::string halves = case_of(10, {{2, 3, half}, {3, 4, half}});
  write("out", "earlier");
  write("empty", "");
  const std::string solve = "./in ./out", in = "./in";
  check({
      {"./empty ./out", 1, {"./empty", "byte 0", "empty"}},
      {solve, 1, {in, "byte 20", "shorter"}, case_of(3, 5, {{0, 1, 1}})},
      {solve, 1, {in, "byte 0", "V is -4"}, case_of(-4, {})},
      {solve, 1, {in, "byte 32", "edge 2", "77"}, case_of(3, {{0, 1, 1}, {1, 2, 1}, {0, 77, 1}, {99, 0, 1}})},
      {solve, 1, {in, "536870912", "--type int64"}, halves},
      {solve + " --type int64", 1, {in, "from 2 to 4", "1073741824", "32 bits"}, halves},
      {solve, 1, {in, "negative cycle: vertex 29"}, case_of(300, {{0, 1, 5}, {299, 298, 4}, {298, 299, -9}})},
      {solve, 1, {in, "rank 0 of ", "2000000 vertices", "memory", "available"}, case_of(2'000'000, {})},
  });
  CHECK(folder.files() == Names{"empty", "in", "out"});
  CHECK(read("out") == "earlier");
}

TEST_CASE_FIXTURE(Hw3Mpi, "hw3-mpi refuses files that it cannot read or write") {
  write("in", case_of(500, {{0, 1, 5}}));
  check({
      {"-n 2 ./missing ./out", 1, {"./missing", "No such file"}},
      {"-n 2 ./in ./no/out", 1, {"./no/out", "cannot write", "No such file"}},
      {"-n 2 ./in ./in", 1, {"./in", "same file as the input"}},
      {"-n 2 ./in", 2, {"OUTPUT", "usage: hw3-mpi"}},
      {"-n 2 ./in ./out --type int8", 2, {"int8", "usage: hw3-mpi"}},
  });
  // A disk that fails when it is written to, on every rank.
  // (Open MPI 4 gives the program only the number of bytes written, and prints the reason itself.)
  const Result full = call("./in /dev/full");
  check(full, 1, {"/dev/full", "cannot write: "});
  CHECK(contains(full.err, "No space left"));
  CHECK(folder.files() == Names{"in"});
  if (!Disk::possible()) return skip("no right to mount");
  const Disk disk(folder / "disk");
  write("disk/out", "earlier");
  check("./in ./disk/out", 1, {"./disk/out", "cannot write", "No space left", "1000000 bytes"});
  CHECK(read("disk/out") == "earlier");
  CHECK(disk.files() == 1);
  CHECK(folder.files() == Names{"disk", "in"});
}

TEST_CASE_FIXTURE(Hw3Mpi, "a rank that is killed ends all, and no output is left") {
  write("in", case_of(9000, {}));  // some seconds of work, with any edges
  write("out", "earlier");
  const Result result =
      call("./in ./out", {},
           {"sh", "-c",
            "if test \"$OMPI_COMM_WORLD_RANK$PMI_RANK\" = 1; then (sleep 1; kill -KILL $$) & fi; exec \"$0\" \"$@\""});
  INFO(result.err);
  CHECK(result.status != 0);
  CHECK(result.seconds < 60);
  CHECK(read("out") == "earlier");
  CHECK(folder.files() == Names{"in", "out"});
}
