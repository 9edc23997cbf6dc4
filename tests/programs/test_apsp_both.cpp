// SPDX-License-Identifier: MIT
// Calls that apsp and apsp-mpi refuse in the same line, on any number of ranks.
#include "apsp_calls.hpp"

#include <doctest/doctest.h>
#include <blockfw/ground/version.hpp>

TEST_CASE_FIXTURE(Apsp, "apsp and apsp-mpi refuse what is wrong, in one line") {
  write("overflow", overflowing);
  write("pairs", pairs(1'000'000));
  write("cycle", "p sp 3 2\na 3 3 -1\na 1 2 1\n");
  write("last", "p sp 2000000000 2\na 1999999998 1999999999 -4\na 1999999999 1999999998 3\n");
  write("in", "p sp 3 1\na 1 2\n");
  const auto files = folder.files();
  check({
      {"", 2, {"INPUT", "usage: " + name}},
      {"@towns.gr --to 6", 2, {"@towns.gr", "--to is 6, expected a vertex from 1 to 5"}},
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

TEST_CASE_FIXTURE(Apsp, "the exit status of apsp and apsp-mpi: 2 for wrong arguments, 1 for any other error") {
  write("copy", read_file(expand("@towns.gr")));
  write("empty", "");
  write("real", "0 1 0.5\n");
  write("cycle", "p sp 3 2\na 3 3 -1\na 1 2 1\n");
  write("list", "1\n7\n");
  const auto files = folder.files();
  check({
      {"", 2, {"INPUT"}},
      {"--fast", 2, {"The following argument was not expected: --fast (usage: "}},
      {"--", 2, {"INPUT is required"}},
      {"@towns.gr 1 --fast 2", 2, {"The following arguments were not expected: 1 --fast 2 (usage: "}},
      {"@towns.gr ./more", 2, {"./more"}},
      {"@towns.gr --type", 2, {"--type"}},
      {"@towns.gr --type int8", 2, {"--type", "int8"}},
      {"@towns.gr --stats=maybe", 2, {"maybe"}},
      {"@towns.gr --from 1 --from 2", 2, {"--from"}},
      {"@towns.gr --paths", 2, {"--paths requires --from or --to"}},
      {"@towns.gr --measures --paths", 2, {"--measures excludes --paths"}},
      // Before the file is read.
      {"./missing --semiring or-and --type double", 2, {"--semiring: or-and in double, expected int32"}},
      {"./missing --by-rows -o ./out.mtx", 2, {"--by-rows: cannot write rows to the text ", "expected .npy or .bin"}},
      // When it was read.
      {"@towns.gr --from 6", 2, {"@towns.gr", "--from is 6, expected a vertex from 1 to 5"}},
      {"@towns.gr --from 6 --nearest ./copy", 2, {"@towns.gr", "--from is 6, expected a vertex from 1 to 5"}},
      {"@towns.gr --from one", 2, {"--from is 'one', which is neither a vertex nor a file"}},
      {"@towns.gr -o ./out.bin --type double", 2, {"out.bin: cannot write: ", "holds integers"}},
      {"./real -o ./out.bin", 2, {"out.bin: cannot write: ", "holds integers"}},
      {"./real --from ./list -o ./out.bin", 1, {"./list"}},
      {"@towns.gr -o ./out.gz", 2, {"out.gz: cannot write: ", "not compressed"}},
      {"@towns.gr --measures -o ./out.gz", 2, {"out.gz: cannot write: ", "not compressed"}},
      {"./copy -o ./copy", 2, {"copy: the output is the same file as the input"}},

      {"./missing", 1, {"./missing", "No such file"}},
      {"./empty", 1, {"./empty", "empty"}},
      {"@towns.gr --nearest ./missing", 1, {"--nearest is '", "missing', which is no file"}},
      {"@towns.gr --from ./list", 1, {"./list", "found '7', expected a vertex from 1 to 5"}},
      {"./real --type int32", 1, {"./real", "found '0.5', which int32 cannot hold; use double"}},
      {"./cycle", 1, {"./cycle", "negative cycle: vertex 3 "}},
      {"@towns.gr -o ./no/out", 1, {"./no/out", "cannot write", "No such file"}},
  });
  CHECK(folder.files() == files);
}

TEST_CASE_FIXTURE(Apsp, "apsp and apsp-mpi say how they are called, and which version they are") {
  check("--help", 0, {"--semiring", "Exit status: 0 for success, 2 for a wrong option or argument, 1 for any other"});
  const std::string version = printed("--version"), numbers = std::to_string(BLOCKFW_VERSION_MAJOR) + '.' +
                                                              std::to_string(BLOCKFW_VERSION_MINOR) + '.' +
                                                              std::to_string(BLOCKFW_VERSION_PATCH);
  CHECK(version.starts_with(name + ' ' + numbers + " (Kokkos "));
  CHECK(version.ends_with(")\n"));
  CHECK(lines(version) == 1);
  CHECK(contains(version, ", MPI") == (name == "apsp-mpi"));
}

#ifdef MAN_PAGE
TEST_CASE_FIXTURE(Apsp, "the manual page says what the help says") {
  std::string page = read_file(MAN_PAGE);
  CHECK(page.starts_with(".TH \"" + std::string(name == "apsp" ? "APSP" : "APSP-MPI") + "\" 1 "));
  for (std::size_t at; (at = page.find("\\-")) != std::string::npos;) page.erase(at, 1);
  for (const char* const section : {"NAME", "SYNOPSIS", "ARGUMENTS", "OPTIONS", "EXIT STATUS"})
    CHECK(contains(page, ".SH \"" + std::string(section) + "\"\n"));
  int options = 0;
  std::istringstream help(printed("--help"));
  for (std::string line; std::getline(help, line);)
    if (const std::size_t at = line.find("--"); at != std::string::npos && at < line.find_first_not_of(" -ho,")) {
      const std::string option = line.substr(at, line.find_first_of(" =:{", at) - at);
      CHECK_MESSAGE(contains(page, option + "\\fR"), option);
      ++options;
    }
  CHECK(options >= 20);
}
#endif
