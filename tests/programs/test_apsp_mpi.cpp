// SPDX-License-Identifier: MIT
// apsp-mpi as users run it: by mpiexec, on a few ranks. Its output and its files are those of apsp.
#include "apsp_calls.hpp"

#include <doctest/doctest.h>

TEST_CASE_FIXTURE(Apsp, "apsp-mpi answers as apsp does") {
  write("crowd", crowd(330, 41, 100));
  write("streets", streets(25) + "626 625 1\n625 0 4\n");  // no way leads to 625 and 626
  write("odds", "0 1 0.5\n1 2 0.5\n0 2 0.125\n4 3 1\n");
  write("none", "p sp 0 0\n");
  write("list", "3\n299\n620\n");
  for (const std::string line : {
           "-n 1 ./crowd --type float --from 1",
           "-n 2 ./crowd",
           "-n 3 ./crowd --undirected --unweighted",
           "-n 3 ./crowd --to 3 --paths",
           "-n 2 ./crowd --from 3 --to 329 --type double",
           "-n 3 ./crowd --type int64 -o ./out.npy",
           "-n 2 ./crowd -o ./out --to 1 --paths",
           "-n 3 ./crowd --semiring max-min",
           "-n 2 ./crowd --semiring min-max --type double -o ./out --from 2",
           "-n 2 ./crowd --semiring or-and",
           "-n 3 ./odds --semiring max-times",
           "-n 3 ./streets --measures-only",
           "-n 2 ./streets --method sparse --to 299",
           "-n 2 ./streets -o ./out.npy",
           "-n 2 @towns.bin -o ./out",
           "-n 2 @row.mtx --from 4 --to 1",
           "-n 3 ./none -o ./out",
           "-n 3 ./streets --from ./list --to ./list",
           "-n 2 ./streets --from ./list -o ./out.npy",
           "-n 2 ./streets --nearest ./list --undirected",
       }) {
    CAPTURE(line);
    const std::string expected = answer(run(Words{APSP} + words(line.substr(5))));
    CHECK((answer(line) == expected));
  }
}

TEST_CASE_FIXTURE(Apsp, "apsp-mpi takes the time of its steps, and says how many bits it took") {
  write("crowd", crowd(3100, 387, 100));
  write("streets", streets(25));
  check({
      {"-n 2 ./crowd --from 1 --to 1 --stats",
       0,
       {"\nreading ", "\nstarting ", "\nsolving ", " s   dense, ", "of these ranks' limit|above these ranks' limit",
        "(int16, 2 x 1 ranks|(int8, 2 x 1 ranks", "\nwriting "},
       "",
       2 + 4},
      {"-n 2 ./streets --stats" + sparse, 0, {" s   sparse, "}},
  });
}

TEST_CASE_FIXTURE(Apsp, "apsp-mpi refuses what only apsp takes") {
  check({
      {"-n 2 @towns.gr --devices 2", 2, {"not expected", "--devices"}},
      {"-n 2 @towns.gr --memory 1G", 2, {"not expected", "--memory"}},
      {"-n 2 @towns.gr --from one", 2, {"--from is 'one', which is neither a vertex nor a file"}},
      {"-n 2 @towns.gr --measures --paths", 2, {"--measures excludes --paths"}},
      {"-n 2 @towns.gr --semiring max-min --type int64", 2, {"expected int32 or double"}},
  });
  CHECK_FALSE(contains(printed("--help"), "--devices"));
}
