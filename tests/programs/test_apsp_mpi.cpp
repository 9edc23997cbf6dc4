// SPDX-License-Identifier: MIT
// apsp-mpi as its users meet it: by mpiexec, on a few ranks. It prints and writes what apsp does.
#include "cases.hpp"
#include "child.hpp"
#include "ranks.hpp"

#include <doctest/doctest.h>

#include <random>
#include <set>
#include <sstream>
#include <string>
#include <vector>

namespace {

std::string data(const std::string& name) { return std::string(DATA) + "/" + name; }

std::string printed(const Result& result) {
  CAPTURE(result.out);
  CHECK(result.status == 0);
  CHECK(result.err == "");
  return result.out;
}

void check_refusal(const Words& arguments, int status, const Words& parts, int ranks = 2) {
  check_refusal_by("apsp-mpi", run_ranks(ranks, Words{APSP_MPI} + arguments), status, parts);
}

/// A graph with too many edges for an elimination.
std::string crowd(unsigned n) {
  std::mt19937 random(3);
  std::ostringstream file;
  for (unsigned v = 0; v < n; ++v)
    for (unsigned e = 0; e < n / 8; ++e) file << v << ' ' << random() % n << ' ' << random() % 100 << '\n';
  return file.str();
}

/// A path of n vertices, which an elimination takes.
std::string path(int n) {
  std::ostringstream file;
  for (int v = 0; v + 1 < n; ++v) file << v << ' ' << v + 1 << " 3\n";
  return file.str();
}

}  // namespace

TEST_CASE("apsp-mpi answers as apsp does") {
  const Folder folder;
  write_file(folder / "crowd", crowd(330));
  write_file(folder / "path", path(300));
  write_file(folder / "odds", "0 1 0.5\n1 2 0.5\n0 2 0.125\n4 3 1\n");
  write_file(folder / "none", "p sp 0 0\n");
  const std::string crowded = folder / "crowd", towns = data("towns.gr"), out = folder / "out",
                    array = folder / "out.npy";
  const struct {
    int ranks;
    Words arguments;
  } cases[] = {{1, {crowded, "--type", "float", "--from", "1"}},
               {2, {crowded}},
               {3, {crowded, "--undirected", "--unweighted"}},
               {3, {crowded, "--to", "3", "--paths"}},
               {2, {crowded, "--from", "3", "--to", "329", "--type", "double"}},
               {3, {crowded, "--type", "int64", "-o", array}},
               {2, {crowded, "-o", out, "--to", "1", "--paths"}},
               {3, {crowded, "--semiring", "max-min"}},
               {2, {crowded, "--semiring", "min-max", "--type", "double", "-o", out, "--from", "2"}},
               {2, {crowded, "--semiring", "or-and"}},
               {3, {folder / "odds", "--semiring", "max-times"}},
               {3, {folder / "path", "--measures-only"}},
               {2, {folder / "path", "--method", "sparse", "--to", "299"}},
               {2, {folder / "path", "-o", array}},
               {2, {data("towns.bin"), "-o", out}},
               {2, {data("row.mtx"), "--from", "4", "--to", "1"}},
               {3, {folder / "none", "-o", out}}};
  for (const auto& [ranks, arguments] : cases) {
    CAPTURE(ranks);
    CAPTURE(arguments.front() + ' ' + arguments.back());
    const auto answer = [&](const Result& result) {
      std::string all = printed(result);
      for (const std::string& file : {out, array}) {
        all += read_file(file);
        fs::remove(file);
      }
      return all;
    };
    const std::string expected = answer(run(Words{APSP} + arguments));
    CHECK((answer(run_ranks(ranks, Words{APSP_MPI} + arguments)) == expected));
  }
}

TEST_CASE("apsp-mpi takes the time of its steps, and says how many bits it took") {
  const Folder folder;
  write_file(folder / "crowd", crowd(3100));
  const std::string dense = printed(run_ranks(2, {APSP_MPI, folder / "crowd", "--from", "1", "--to", "1", "--stats"}));
  for (const char* word :
       {"\nreading ", "\nstarting ", "\nsolving ", " s   dense, ", "of these ranks' limit", "\nwriting "})
    CHECK_MESSAGE(contains(dense, word), "expected: ", word);
  CHECK((contains(dense, "(int16, 2 x 1 ranks") || contains(dense, "(int8, 2 x 1 ranks")));
  CHECK(lines(dense) == 2 + 4);
  write_file(folder / "path", path(300));
  CHECK(contains(printed(run_ranks(2, {APSP_MPI, folder / "path", "--stats"})), " s   sparse, "));
}

TEST_CASE("apsp-mpi refuses what is wrong, in one line, on all ranks") {
  const Folder folder;
  const std::string good = data("towns.gr"), in = folder / "in", out = folder / "out";
  check_refusal({}, 2, {"INPUT", "usage: apsp-mpi"});
  check_refusal({good, "--devices", "2"}, 2, {"--devices", "not expected"});
  check_refusal({good, "--memory", "1G"}, 2, {"--memory", "not expected"});
  check_refusal({good, "--to", "6"}, 1, {good, "--to is 6, expected a vertex from 1 to 5"}, 3);
  check_refusal({good, "--semiring", "max-min", "--type", "int64"}, 1, {"expected int32 or double"});
  check_refusal({good, "-o", folder / "no/out"}, 1, {folder / "no/out", "cannot write", "No such file"});
  write_file(in, "p sp 3 1\na 1 2\n");
  check_refusal({in, "-o", out}, 1, {in, "DIMACS, line 2, column 6"}, 3);
  write_file(in, "p sp 3 2\na 3 3 -1\na 1 2 1\n");
  check_refusal({in, "--method", "dense"}, 1, {in, "negative cycle: vertex 3 "}, 3);
  write_file(in, "0 1 1000000000\n1 2 1000000000\n");
  check_refusal({in, "--type", "int32"}, 1, {in, "could reach infinity", "use int64"});
  std::string pairs = "p sp 2000000 1000000\n";
  for (int v = 1; v < 2'000'000; v += 2) pairs += "a " + std::to_string(v) + ' ' + std::to_string(v + 1) + " 1\n";
  write_file(in, pairs);
  check_refusal({in, "--method", "dense"}, 1, {in, "2000000 vertices", "; --measures-only needs no matrix"}, 3);
  // Vertices without edges are left out on all ranks.
  write_file(in, "p sp 2000000000 2\na 1999999998 1999999999 -4\na 1999999999 1999999998 3\n");
  check_refusal({in, "--method", "dense"}, 1, {in, "negative cycle: vertex ", "199999999"}, 3);
  const Result full =
      run({"sh", "-c",
           std::string(MPIEXEC) + " " + MPIEXEC_COUNT + " 2 sh -c '" + APSP_MPI + " " + good + " > /dev/full'"});
  check_refusal_by("apsp-mpi", full, 1, {"standard output: cannot write: No space left"});
  CHECK(folder.files() == std::set<std::string>{"in"});
  CHECK(printed(run_ranks(2, {APSP_MPI, "--help"})).find("--devices") == std::string::npos);
}
