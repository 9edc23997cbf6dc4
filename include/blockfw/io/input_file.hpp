/// \file
/// \brief A file's bytes, read whole.
#pragma once

#include "blockfw/detail/backend/memory.hpp"
#include "blockfw/error.hpp"
#include "blockfw/io/detail/descriptor.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <concepts>
#include <cstddef>
#include <cstring>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

namespace blockfw::io {

/// \brief What a reader of graphs reads: a file or a pipe, whose bytes are in memory then, or bytes that are there.
class InputFile {
 public:
  /// \brief Reads all of it.
  /// \throws FileError; OutOfMemory before more is asked for than there is
  template <class Path>
    requires std::convertible_to<const Path&, std::filesystem::path>
  InputFile(const Path& path) : name_(std::filesystem::path(path).string()) {
    const auto file = detail::Descriptor::open(path, O_RDONLY);
    struct stat status;
    if (!file || ::fstat(file.number(), &status) != 0) fail(std::strerror(errno));
    if (S_ISDIR(status.st_mode)) fail("is a directory, expected a file");
    // One byte more than a file has, to see its end; a pipe's length nobody knows.
    std::size_t room = S_ISREG(status.st_mode) ? static_cast<std::size_t>(status.st_size) + 1 : std::size_t(1) << 16;
    make_room(room);
    for (;;) {
      const ssize_t got = ::read(file.number(), storage_.get() + size_, std::min(room - size_, std::size_t(1) << 30));
      if (got < 0 && errno == EINTR) continue;
      if (got < 0) fail(std::strerror(errno));
      if (got == 0) break;
      size_ += static_cast<std::size_t>(got);
      if (size_ == room) make_room(room *= 2);
    }
    data_ = storage_.get();
  }

  /// \param name   what errors call it
  /// \param bytes  to be kept as long as this
  InputFile(std::string name, std::string_view bytes)
      : name_(std::move(name)), data_(bytes.data()), size_(bytes.size()) {}

  const std::string& name() const { return name_; }
  std::string_view bytes() const { return {data_, size_}; }

 private:
  [[noreturn]] void fail(const std::string& why) const { throw FileError(name_ + ": cannot read: " + why); }

  void make_room(std::size_t bytes) {
    const double available = blockfw::detail::available_host_bytes();
    if (static_cast<double>(bytes) > available)
      throw OutOfMemory(name_ + ": needs " + blockfw::detail::gigabytes(static_cast<double>(bytes)) + " of memory, " +
                        blockfw::detail::gigabytes(available) + " are available");
    auto larger = std::make_unique_for_overwrite<char[]>(bytes);
    if (size_ > 0) std::memcpy(larger.get(), storage_.get(), size_);
    storage_ = std::move(larger);
  }

  std::string name_;
  std::unique_ptr<char[]> storage_;
  const char* data_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace blockfw::io
