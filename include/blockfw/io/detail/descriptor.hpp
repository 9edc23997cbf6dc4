/// \file
/// \brief An open file of the system's.
#pragma once

#include <fcntl.h>
#include <unistd.h>

#include <filesystem>
#include <utility>

namespace blockfw::io::detail {

/// \brief A descriptor that is closed in the end.
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
  /// Below 0 and errno when it cannot be opened.
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
