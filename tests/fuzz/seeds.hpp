// SPDX-License-Identifier: MIT
// Calls that the fuzzer starts from, and the fuzzer's entry over them, for compilers without libFuzzer. With a folder's
// name, the program writes them there as files. Each program has one file, which includes this.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string_view>
#include <vector>

struct Seed {
  const char* name;
  std::string_view bytes;
};

const std::vector<Seed>& seeds();

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

#ifndef BLOCKFW_FUZZ  // (libFuzzer has a main program of its own)
int main(int argc, char** argv) {
  if (argc > 1) std::filesystem::create_directories(argv[1]);
  for (const auto& [name, bytes] : seeds())
    if (argc > 1) {
      std::ofstream file(std::filesystem::path(argv[1]) / name, std::ios::binary);
      if (!file.write(bytes.data(), static_cast<std::streamsize>(bytes.size())).flush()) return 1;
    } else {
      const std::vector<char> copy(bytes.begin(), bytes.end());  // so that sanitizers see a read behind its end
      LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(copy.data()), copy.size());
    }
  std::printf("%zu seeds\n", seeds().size());
  return seeds().empty() ? 1 : 0;
}
#endif
