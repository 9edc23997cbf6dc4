// SPDX-License-Identifier: MIT
// Inputs in the homework's format, a small disk, and helpers to check texts, for the tests of the programs.
#pragma once

#include <doctest/doctest.h>
#include <sched.h>
#include <sys/mount.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

using Triple = std::array<std::int32_t, 3>;  // source, destination, weight
using Triples = std::vector<Triple>;

template <class T>
std::string bytes_of(const std::vector<T>& values) {
  return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)};
}

inline std::string case_of(std::int32_t vertices, std::int32_t edges, const Triples& triples) {
  return bytes_of(std::vector{vertices, edges}) + bytes_of(triples);
}

inline std::string case_of(std::int32_t vertices, const Triples& triples) {
  return case_of(vertices, static_cast<std::int32_t>(triples.size()), triples);
}

inline std::int64_t lines(const std::string& text) { return std::count(text.begin(), text.end(), '\n'); }

inline bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

/// A small disk that only this process and its children see.
class Disk {
 public:
  /// Whether this process may mount. If so, nothing mounted from here on is seen by other processes.
  static bool possible() {
    return unshare(CLONE_NEWNS) == 0 && mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0;
  }
  explicit Disk(const std::string& path) : path_(path) {
    std::filesystem::create_directory(path_);
    REQUIRE(mount("none", path_.c_str(), "tmpfs", 0, "size=64k") == 0);
  }
  ~Disk() {
    umount2(path_.c_str(), MNT_DETACH);
    std::filesystem::remove(path_);
  }
  Disk(const Disk&) = delete;
  Disk& operator=(const Disk&) = delete;
  void make_read_only() { REQUIRE(mount("none", path_.c_str(), nullptr, MS_REMOUNT | MS_RDONLY, nullptr) == 0); }

 private:
  std::string path_;
};

inline void skip(const std::string& why) { MESSAGE("skipped: ", why); }
