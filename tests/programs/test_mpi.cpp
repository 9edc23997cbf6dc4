// SPDX-License-Identifier: MIT
// hw3-mpi as its users meet it: by mpiexec, on a few ranks.
#include "cases.hpp"
#include "child.hpp"
#include "ranks.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <set>
#include <string>
#include <vector>

namespace {

void check_refusal(const Result& result, int status, const Words& parts) {
  check_refusal_by("hw3-mpi", result, status, parts);
}

/// Checks that an input is refused and that an earlier output stays.
void check_bad_input(const std::string& input, const Words& parts, const Words& options = {}) {
  const Folder folder;
  write_file(folder / "in", input);
  write_file(folder / "out", "earlier");
  check_refusal(run_ranks(3, Words{HW3_MPI, folder / "in", folder / "out"} + options), 1, parts + Words{folder / "in"});
  CHECK(folder.files() == std::set<std::string>{"in", "out"});
  CHECK(read_file(folder / "out") == "earlier");
}

constexpr std::int32_t half = 1 << 29;

}  // namespace

TEST_CASE("hw3-mpi writes what hw3-1 writes, byte for byte") {
  struct {
    int vertices, edges;
    std::vector<int> ranks;
  } const cases[] = {{1, 0, {3}}, {2, 1, {6}}, {257, 2000, {4}}, {1100, 9000, {1, 2, 3, 4, 6}}};
  for (const auto& [vertices, edges, all_ranks] : cases) {
    const Folder folder;
    const std::string in = folder / "in";
    REQUIRE(run({GENERATOR, "--vertices", std::to_string(vertices), "--edges", std::to_string(edges), in}).status == 0);
    REQUIRE(run({HW3, in, folder / "expected"}).status == 0);
    for (const int ranks : all_ranks) {
      CAPTURE(vertices);
      CAPTURE(ranks);
      const Words type = ranks % 2 == 0 ? Words{"--type", "int64"} : Words{};
      const Result result = run_ranks(ranks, Words{HW3_MPI, in, folder / "out"} + type);
      CHECK(result.status == 0);
      CHECK(result.out == "");
      CHECK(result.err == "");
      CHECK((read_file(folder / "out") == read_file(folder / "expected")));
      CHECK(folder.files() == std::set<std::string>{"expected", "in", "out"});
    }
  }
}

TEST_CASE("hw3-mpi takes the time of its steps") {
  const Folder folder;
  write_file(folder / "in", case_of(3, {{0, 1, 5}, {1, 2, 2}, {0, 2, 9}}));
  const Result result = run_ranks(2, {HW3_MPI, folder / "in", folder / "out", "--stats"});
  CHECK(result.status == 0);
  CHECK(result.err == "");
  CHECK(lines(result.out) == 5);
  for (const auto* step : {"starting ", "reading ", "building ", "solving ", "writing ", "(int32, 2 x 1 ranks"})
    CHECK_MESSAGE(contains(result.out, step), step);
}

TEST_CASE("hw3-mpi says how many bits it took") {
  const Folder folder;
  REQUIRE(run({GENERATOR, "--vertices", "3100", "--edges", "60000", folder / "in"}).status == 0);
  for (const auto* type : {"int32", "int64"}) {
    const Result result = run_ranks(2, {HW3_MPI, folder / "in", folder / "out", "--type", type, "--stats"});
    CHECK(result.status == 0);
    const bool fewer = contains(result.out, "(int16, 2 x 1 ranks") || contains(result.out, "(int8, 2 x 1 ranks");
    CHECK_MESSAGE(fewer, result.out);
  }
}

TEST_CASE("hw3-mpi refuses bad inputs, in one line and without an output") {
  check_bad_input("", {"byte 0", "empty"});
  check_bad_input(case_of(3, 5, {{0, 1, 1}}), {"byte 20", "shorter"});
  check_bad_input(case_of(-4, {}), {"byte 0", "V is -4"});
  check_bad_input(case_of(3, {{0, 1, 1}, {1, 2, 1}, {0, 77, 1}, {99, 0, 1}}), {"byte 32", "edge 2", "77"});
  check_bad_input(case_of(10, {{2, 3, half}, {3, 4, half}}), {"536870912", "--type int64"});
  check_bad_input(case_of(10, {{2, 3, half}, {3, 4, half}}), {"from 2 to 4", "1073741824", "32 bits"},
                  {"--type", "int64"});
  check_bad_input(case_of(300, {{0, 1, 5}, {299, 298, 4}, {298, 299, -9}}), {"negative cycle: vertex 29"});
  check_bad_input(case_of(2'000'000, {}), {"rank 0 of ", "2000000 vertices", "memory", "available"});
}

TEST_CASE("hw3-mpi refuses files that it cannot read or write") {
  const Folder folder;
  const std::string in = folder / "in", out = folder / "out";
  write_file(in, case_of(500, {{0, 1, 5}}));
  check_refusal(run_ranks(2, {HW3_MPI, folder / "missing", out}), 1, {folder / "missing", "No such file"});
  check_refusal(run_ranks(2, {HW3_MPI, in, folder / "no/out"}), 1, {folder / "no/out", "cannot write", "No such file"});
  check_refusal(run_ranks(2, {HW3_MPI, in, in}), 1, {in, "same file as the input"});
  check_refusal(run_ranks(2, {HW3_MPI, in}), 2, {"OUTPUT", "usage: hw3-mpi"});
  check_refusal(run_ranks(2, {HW3_MPI, in, out, "--type", "int8"}), 2, {"int8", "usage: hw3-mpi"});
  // A disk that fails when it is written to, on every rank.
  // (Open MPI 4 gives the program only the number of bytes written, and prints the reason itself.)
  const Result full = run_ranks(3, {HW3_MPI, in, "/dev/full"});
  check_refusal(full, 1, {"/dev/full", "cannot write: "});
  CHECK(contains(full.err, "No space left"));
  if (!Disk::possible()) return skip("no right to mount");
  {
    const Disk disk(folder / "disk");
    const std::string on_disk = folder / "disk/out";
    write_file(on_disk, "earlier");
    check_refusal(run_ranks(3, {HW3_MPI, in, on_disk}), 1, {on_disk, "cannot write", "No space left", "1000000 bytes"});
    CHECK(read_file(on_disk) == "earlier");
    CHECK(std::distance(fs::directory_iterator(folder / "disk"), {}) == 1);
  }
  CHECK(folder.files() == std::set<std::string>{"in"});
}

TEST_CASE("a rank that is killed ends all, and no output is left") {
  const Folder folder;
  write_file(folder / "in", case_of(9000, {}));  // seconds of work, whatever its edges
  write_file(folder / "out", "earlier");
  const auto* const killed =
      "if test \"$OMPI_COMM_WORLD_RANK$PMI_RANK\" = 1; then (sleep 1; kill -KILL $$) & fi; "
      "exec \"$@\"";
  const Result result = run_ranks(3, {"sh", "-c", killed, "sh", HW3_MPI, folder / "in", folder / "out"});
  CAPTURE(result.err);
  CHECK(result.status != 0);
  CHECK(result.seconds < 60);
  CHECK(read_file(folder / "out") == "earlier");
  CHECK(folder.files() == std::set<std::string>{"in", "out"});
}
