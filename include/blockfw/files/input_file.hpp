// SPDX-License-Identifier: MIT
/// \file
/// \brief The bytes of an input file, read as a whole.
#pragma once

#include "blockfw/detail/backend/memory.hpp"
#include "blockfw/files/descriptor.hpp"
#include "blockfw/ground/error.hpp"

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

namespace detail {

/// \brief Memory for the bytes of a file, as much as is asked for.
class GrowingBytes {
 public:
  /// \param name  the file, for errors
  explicit GrowingBytes(std::string name) : name_(std::move(name)) {}

  char* data() { return bytes_.get(); }
  std::size_t room() const { return room_; }

  /// \brief Makes room for that many bytes, of which the first `used` are kept.
  /// \throws OutOfMemory before the memory is allocated
  void make_room(std::size_t bytes, std::size_t used) {
    const double available = blockfw::detail::available_host_bytes();
    if (static_cast<double>(bytes) > available)
      throw OutOfMemory(name_ + ": needs " + blockfw::detail::gigabytes(static_cast<double>(bytes)) + " of memory, " +
                        blockfw::detail::gigabytes(available) + " are available");
    auto larger = std::make_unique_for_overwrite<char[]>(bytes);
    if (used > 0) std::memcpy(larger.get(), bytes_.get(), used);
    bytes_ = std::move(larger);
    room_ = bytes;
  }

  std::unique_ptr<char[]> release() { return std::move(bytes_); }

 private:
  std::string name_;
  std::unique_ptr<char[]> bytes_;
  std::size_t room_ = 0;
};

}  // namespace detail

/// \brief The input of a graph reader: a file or a pipe, which is read into memory, or bytes that are in memory
/// already. It is not unpacked: gzip.hpp does that.
class InputFile {
 public:
  /// \brief Reads the whole file.
  /// \throws FileError; OutOfMemory when it does not fit, before the memory is allocated
  template <class Path>
    requires std::convertible_to<const Path&, std::filesystem::path>
  InputFile(const Path& path) : name_(std::filesystem::path(path).string()) {
    const auto file = detail::Descriptor::open(path, O_RDONLY);
    struct stat status;
    if (!file || ::fstat(file.number(), &status) != 0) fail(std::strerror(errno));
    if (S_ISDIR(status.st_mode)) fail("is a directory, expected a file");
    // One byte more than the file has, to detect its end. The length of a pipe is unknown.
    detail::GrowingBytes bytes(name_);
    bytes.make_room(S_ISREG(status.st_mode) ? static_cast<std::size_t>(status.st_size) + 1 : std::size_t(1) << 16, 0);
    for (;;) {
      const std::size_t most = std::min(bytes.room() - size_, std::size_t(1) << 30);
      const ssize_t got = ::read(file.number(), bytes.data() + size_, most);
      if (got < 0 && errno == EINTR) continue;
      if (got < 0) fail(std::strerror(errno));
      if (got == 0) break;
      size_ += static_cast<std::size_t>(got);
      if (size_ == bytes.room()) bytes.make_room(2 * size_, size_);
    }
    storage_ = bytes.release();
    data_ = storage_.get();
  }

  /// \brief Takes bytes in memory, and owns them.
  /// \param name   the name in errors
  /// \param bytes  the memory
  /// \param size   the number of bytes
  InputFile(std::string name, std::unique_ptr<const char[]> bytes, std::size_t size)
      : name_(std::move(name)), storage_(std::move(bytes)), data_(storage_.get()), size_(size) {}

  /// \param name   the name in errors
  /// \param bytes  must outlive this object
  InputFile(std::string name, std::string_view bytes)
      : name_(std::move(name)), data_(bytes.data()), size_(bytes.size()) {}

  /// The name in errors.
  const std::string& name() const { return name_; }
  /// All bytes.
  std::string_view bytes() const { return {data_, size_}; }

 private:
  [[noreturn]] void fail(const std::string& why) const { throw FileError(name_ + ": cannot read: " + why); }

  std::string name_;
  std::unique_ptr<const char[]> storage_;
  const char* data_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace blockfw::io
