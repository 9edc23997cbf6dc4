// SPDX-License-Identifier: MIT
/// \file
/// \brief An open file descriptor that is closed automatically.
#pragma once

#include <fcntl.h>
#include <unistd.h>

#include <filesystem>
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
    if (number_ >= 0) ::close(number_);
  }
  /// Opens a file. If that fails, the number is below 0 and errno has the reason.
  static Descriptor open(const std::filesystem::path& path, int flags) {
    Descriptor opened;
    opened.number_ = ::open(path.c_str(), flags | O_CLOEXEC, 0666);
    return opened;
  }
  int number() const { return number_; }
  explicit operator bool() const { return number_ >= 0; }

 private:
  int number_ = -1;
};

}  // namespace blockfw::io::detail
