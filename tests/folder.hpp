// SPDX-License-Identifier: MIT
/// \file
/// \brief Files that tests write and read, in folders that are removed after them.
#pragma once

#include <doctest/doctest.h>

#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <string>

/// A folder that is removed after its test.
class Folder {
 public:
  /// \param in  the folder that it is made in
  explicit Folder(const std::filesystem::path& in = std::filesystem::temp_directory_path())
      : path_((in / "blockfw.XXXXXX").string()) {
    REQUIRE(mkdtemp(path_.data()) != nullptr);
  }
  ~Folder() { std::filesystem::remove_all(path_); }
  std::filesystem::path operator/(const char* name) const { return std::filesystem::path(path_) / name; }
  std::set<std::string> files() const {
    std::set<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(path_)) names.insert(entry.path().filename().string());
    return names;
  }

 private:
  std::string path_;
};

/// A folder in memory if there is one: a disk is slow at each checkpoint.
inline std::filesystem::path in_memory() {
  return std::filesystem::exists("/dev/shm") ? "/dev/shm" : std::filesystem::temp_directory_path();
}

inline void put(const std::filesystem::path& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
}

inline std::string get(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}
