// SPDX-License-Identifier: MIT
// Calls that the fuzzer starts from: seeds_readers.cpp and seeds_sparse.cpp have them.
#pragma once

#include <string_view>
#include <vector>

struct Seed {
  const char* name;
  std::string_view bytes;
};

const std::vector<Seed>& seeds();
