// SPDX-License-Identifier: MIT
// Calls that apsp and apsp-mpi refuse in the same line, on any number of ranks.
#include "apsp_calls.hpp"

#include <doctest/doctest.h>

TEST_CASE_FIXTURE(Apsp, "apsp and apsp-mpi refuse what is wrong, in one line") {
  write("overflow", overflowing);
  write("pairs", pairs(1'000'000));
  write("cycle", "p sp 3 2\na 3 3 -1\na 1 2 1\n");
  write("last", "p sp 2000000000 2\na 1999999998 1999999999 -4\na 1999999999 1999999998 3\n");
  write("in", "p sp 3 1\na 1 2\n");
  const auto files = folder.files();
  check({
      {"", 2, {"INPUT", "usage: " + name}},
      {"@towns.gr --to 6", 1, {"@towns.gr", "--to is 6, expected a vertex from 1 to 5"}},
      {"@towns.gr -o ./no/out", 1, {"./no/out", "cannot write", "No such file"}},
      {"./in -o ./out", 1, {"./in", "DIMACS, line 2, column 6: found the end of the line, expected a number"}},
      {"./overflow --type int32", 1, {"./overflow", "could reach infinity", "use int64"}},
      {"./pairs --method dense", 1, {"./pairs", "2000000 vertices need", "; --measures-only needs no matrix\n"}},
      // Vertices are named as in the file, and vertices without edges are left out.
      {"./cycle -o ./out", 1, {"./cycle", "negative cycle: vertex 3 "}},
      {"./cycle --method dense", 1, {"./cycle", "negative cycle: vertex 3 "}},
      {"./last", 1, {"./last", "negative cycle: vertex ", "199999999"}},
      {"./last --method dense", 1, {"./last", "negative cycle: vertex ", "199999999"}},
  });
  check(call("@towns.gr", {}, {"sh", "-c", "exec \"$0\" \"$@\" > /dev/full"}), 1,
        {"standard output: cannot write: No space left"});
  CHECK(folder.files() == files);
}

TEST_CASE_FIXTURE(Apsp, "apsp and apsp-mpi say how they are called") { check("--help", 0, {"--semiring"}); }
