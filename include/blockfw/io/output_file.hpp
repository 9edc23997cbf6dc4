/// \file
/// \brief A file that appears whole or not at all.
#pragma once

#include "blockfw/error.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string>
#include <system_error>
#include <utility>

namespace blockfw::io {

/// \brief Writes into a temporary file beside the target, which takes the target's name on commit().
///
/// Its space is reserved when it is opened, so that a full disk is found before any work is done. Without a commit
/// nothing is left behind and an earlier file of that name stays as it was. A target that is no regular file (a pipe,
/// /dev/null) is written to directly.
class OutputFile {
 public:
  /// \param path   where the file shall be; its folder must exist. A symbolic link keeps, its target is replaced.
  /// \param bytes  how long it will be
  /// \throws FileError
  OutputFile(const std::filesystem::path& path, std::uint64_t bytes) : name_(path.string()) {
    namespace fs = std::filesystem;
    std::error_code ignored;
    const auto kind = fs::status(path, ignored).type();
    if (kind == fs::file_type::directory) fail("is a directory, expected a file");
    if (kind != fs::file_type::not_found && kind != fs::file_type::regular) {
      descriptor_ = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
      if (descriptor_ < 0) fail(reason());
      return;
    }
    target_ = fs::is_symlink(path, ignored) ? fs::weakly_canonical(path, ignored) : path;
    temporary_ = target_.string() + ".XXXXXX";
    descriptor_ = ::mkostemp(temporary_.data(), O_CLOEXEC);
    if (descriptor_ < 0) {
      temporary_.clear();
      fail(reason());
    }
    const mode_t mask = ::umask(0);
    ::umask(mask);
    ::fchmod(descriptor_, 0666 & ~mask);
    if (bytes > 0 && ::fallocate(descriptor_, 0, 0, static_cast<off_t>(bytes)) != 0 && errno != EOPNOTSUPP) {
      const std::string why = reason();
      discard();
      fail(why + " (" + std::to_string(bytes) + " bytes are needed)");
    }
  }

  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;
  ~OutputFile() { discard(); }

  /// Appends so many bytes. \throws FileError
  void write(const void* data, std::size_t bytes) {
    constexpr std::size_t at_once = std::size_t(1) << 30;
    for (const char* from = static_cast<const char*>(data); bytes > 0;) {
      const ssize_t written = ::write(descriptor_, from, std::min(bytes, at_once));
      if (written < 0) {
        if (errno == EINTR) continue;
        fail(reason());
      }
      from += written;
      bytes -= static_cast<std::size_t>(written);
    }
  }

  /// Gives the file its name. \throws FileError
  void commit() {
    const int closed = ::close(std::exchange(descriptor_, -1));
    if (closed != 0) fail(reason());
    if (temporary_.empty()) return;
    if (::rename(temporary_.c_str(), target_.c_str()) != 0) fail(reason());
    temporary_.clear();
  }

 private:
  [[noreturn]] void fail(const std::string& why) const { throw FileError(name_ + ": cannot write: " + why); }
  static std::string reason() { return std::strerror(errno); }

  void discard() {
    if (descriptor_ >= 0) ::close(std::exchange(descriptor_, -1));
    if (!temporary_.empty()) ::unlink(temporary_.c_str());
    temporary_.clear();
  }

  std::string name_;
  std::filesystem::path target_;
  std::string temporary_;
  int descriptor_ = -1;
};

}  // namespace blockfw::io
