// SPDX-License-Identifier: MIT
/// \file
/// \brief An open file descriptor that is closed automatically, and mapped bytes.
#pragma once

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <filesystem>
#include <memory>
#include <utility>

namespace blockfw::io::detail {

/// \brief Owns a file descriptor and closes it.
class Descriptor {
 public:
  Descriptor() = default;
  Descriptor(Descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }
  ~Descriptor() {
    if (number_ >= 0) close();
  }
  /// Opens a file. If that fails, the number is below 0 and errno has the reason.
  static Descriptor open(const std::filesystem::path& path, int flags) {
    Descriptor opened;
    opened.number_ = ::open(path.c_str(), flags | O_CLOEXEC, 0666);
    return opened;
  }
  /// Closes the file. Returns the result of the system's call: 0, or -1 with the reason in errno.
  int close() { return ::close(std::exchange(number_, -1)); }
  int number() const { return number_; }
  explicit operator bool() const { return number_ >= 0; }

 private:
  int number_ = -1;
};

/// The bytes of an open file, mapped until no copy of the result is left; null, with errno, if they cannot be mapped.
/// \param sharing  MAP_SHARED, or MAP_PRIVATE if writes must not reach the file
inline std::shared_ptr<char> mapped(int file, std::size_t bytes, int sharing) {
  void* const pages = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, sharing, file, 0);
  if (pages == MAP_FAILED) return nullptr;
  return {static_cast<char*>(pages), [bytes](char* data) { ::munmap(data, bytes); }};
}

}  // namespace blockfw::io::detail
