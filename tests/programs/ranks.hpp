// SPDX-License-Identifier: MIT
// Programs on ranks of MPI, for their tests.
#pragma once

#include "cases.hpp"
#include "child.hpp"

#include <doctest/doctest.h>

#include <set>
#include <sstream>
#include <string>
#include <vector>

using Words = std::vector<std::string>;

inline Words operator+(Words words, const Words& more) {
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

inline Result run_ranks(int ranks, const Words& command) {
  return run(Words{MPIEXEC, MPIEXEC_COUNT, std::to_string(ranks)} + command);
}

/// Checks a bad call: the status, and a single line of the program on stderr that contains all parts. (mpiexec may add
/// lines of its own when a program ends with an error.)
inline void check_refusal_by(const std::string& program, const Result& result, int status, const Words& parts) {
  CAPTURE(result.err);
  CHECK(result.status == status);
  CHECK(result.out == "");
  int own = 0;
  std::istringstream text(result.err);
  for (std::string line; std::getline(text, line);) {
    if (!line.starts_with(program + ": ")) continue;
    ++own;
    for (const std::string& part : parts) CHECK_MESSAGE(contains(line, part), "expected: ", part);
  }
  CHECK(own == 1);
}
