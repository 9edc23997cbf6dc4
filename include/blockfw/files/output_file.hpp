// SPDX-License-Identifier: MIT
/// \file
/// \brief An output file that appears whole or not at all.
#pragma once

#include "blockfw/detail/backend/memory.hpp"
#include "blockfw/detail/base/arithmetic.hpp"
#include "blockfw/detail/loops/launch.hpp"
#include "blockfw/files/descriptor.hpp"
#include "blockfw/ground/error.hpp"
#include "blockfw/ground/matrix.hpp"

#include <Kokkos_Core.hpp>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <limits>
#include <memory>
#include <string>
#include <system_error>

namespace blockfw::io {

namespace detail {

/// The path that a symbolic link leads to, whether a file exists there or not; any other path unchanged.
inline std::filesystem::path behind_links(std::filesystem::path path) {
  std::error_code ignored;
  for (int hops = 0; hops < 40 && std::filesystem::is_symlink(path, ignored); ++hops)
    path = path.parent_path() / std::filesystem::read_symlink(path, ignored);
  return path;
}

}  // namespace detail

/// \brief Writes to a temporary file in the target's folder; commit() gives it the target's name.
///
/// The disk space is reserved when the file is opened, so that a full disk is found before any work is done. Without a
/// commit an earlier file of that name stays as it was, and nothing is left behind. That holds even for a killed
/// process, if the file system supports files without a name. (Linux's own file systems do. On others, such as NFS, a
/// killed process leaves `.blockfw.*`.) A target that is no regular file (a pipe, /dev/null) is written to directly.
class OutputFile {
 public:
  /// Whether the temporary file has a name, so that other machines can open it, too.
  enum class Temporary { nameless, named };

  /// \param path   the target; its folder must exist. A symbolic link stays, and the file that it points to is
  ///               replaced.
  /// \param bytes  the length of the file, all writes together
  /// \param temporary  named if other machines are to open the file, too
  /// \throws FileError
  OutputFile(const std::filesystem::path& path, std::uint64_t bytes, Temporary temporary = Temporary::nameless)
      : name_(path.string()), bytes_(bytes) {
    namespace fs = std::filesystem;
    if (path.empty()) throw FileError("the name of the output is empty, expected a file's name");
    if (bytes > static_cast<std::uint64_t>(std::numeric_limits<off_t>::max())) fail(std::strerror(EFBIG));
    std::error_code ignored;
    const auto kind = fs::status(path, ignored).type();
    if (kind == fs::file_type::directory) fail("is a directory, expected a file");
    if (kind != fs::file_type::not_found && kind != fs::file_type::regular) {
      descriptor_ = detail::Descriptor::open(path, O_WRONLY);
      if (!descriptor_) fail(reason());
      return;
    }
    target_ = detail::behind_links(path);
    folder_ = target_.has_parent_path() ? target_.parent_path() : fs::path(".");

    if (temporary == Temporary::nameless) descriptor_ = detail::Descriptor::open(folder_, O_TMPFILE | O_RDWR);
    if (temporary == Temporary::named || (!descriptor_ && (errno == EOPNOTSUPP || errno == EISDIR)))
      take_temporary_name([this](const char* name) {
        return (descriptor_ = detail::Descriptor::open(name, O_CREAT | O_EXCL | O_RDWR)).number();
      });
    if (!descriptor_) fail(reason());
    struct stat earlier;
    if (::stat(target_.c_str(), &earlier) == 0) ::fchmod(descriptor_.number(), earlier.st_mode & 07777);
    int reserved = 0;
    do reserved = bytes > 0 ? ::fallocate(descriptor_.number(), 0, 0, static_cast<off_t>(bytes)) : 0;
    while (reserved != 0 && errno == EINTR);
    if (reserved != 0 && errno != EOPNOTSUPP) {
      const std::string why = reason();
      discard();
      fail(why + " (" + std::to_string(bytes) + " bytes are needed)");
    }
    reserved_ = reserved == 0 && bytes > 0;
  }

  ~OutputFile() { discard(); }

  /// \brief Maps the file and touches its pages in parallel, so that later writes only copy, in parallel, too. Call it
  /// while the host has nothing else to do. Needs Kokkos.
  ///
  /// Touches at most a sixteenth of the available memory, so that the system does not begin to write empty pages to the
  /// disk. Without this call, or if the space is not reserved or the file cannot be mapped, write() calls the system's
  /// write().
  void prepare() {
    if (!reserved_ || mapped_ != nullptr) return;
    mapped_ = detail::mapped(descriptor_.number(), bytes_, MAP_SHARED);
    if (mapped_ == nullptr) return;
    const auto most = static_cast<std::uint64_t>(std::max(0.0, blockfw::detail::available_host_bytes() / 16));
    in_parts(std::min(bytes_ - written_, most), [to = mapped_.get() + written_](std::size_t first, std::size_t bytes) {
      constexpr std::size_t page = 4096;
      for (std::size_t b = first; b < first + bytes; b += page) static_cast<volatile char*>(to)[b] = 0;
    });
  }

  /// Appends bytes. \throws FileError, also if there are more of them than announced
  void write(const void* data, std::size_t bytes) {
    const char* from = static_cast<const char*>(data);
    if (bytes > bytes_ - written_) fail("more than the " + std::to_string(bytes_) + " bytes that were announced");
    if (mapped_ != nullptr) {
      in_parts(bytes, [to = mapped_.get() + written_, from](std::size_t first, std::size_t count) {
        std::memcpy(to + first, from + first, count);
      });
      written_ += bytes;
      return;
    }
    constexpr std::size_t at_once = std::size_t(1) << 30;
    while (bytes > 0) {
      const ssize_t written = ::write(descriptor_.number(), from, std::min(bytes, at_once));
      if (written < 0) {
        if (errno == EINTR) continue;
        fail(reason());
      }
      from += written;
      bytes -= static_cast<std::size_t>(written);
      written_ += static_cast<std::uint64_t>(written);
    }
  }

  /// The path by which other processes can open the file to write their parts.
  std::string path_for_others() const {
    if (target_.empty()) return name_;
    return temporary_.empty() ? "/proc/" + std::to_string(::getpid()) + "/fd/" + std::to_string(descriptor_.number())
                              : temporary_;
  }
  /// Counts bytes that other processes have written.
  void written_by_others(std::uint64_t bytes) { written_ += bytes; }

  /// Waits until all written bytes are on the disk. \throws FileError
  void flush() {
    if (::fdatasync(descriptor_.number()) != 0) fail(reason());
  }

  /// Gives the file its name. \throws FileError, also if fewer bytes were written than announced
  void commit() {
    if (written_ != bytes_)
      fail("only " + std::to_string(written_) + " of the " + std::to_string(bytes_) + " bytes that were announced");
    if (mapped_ != nullptr)  // frees pages in parallel, as munmap alone does not
      in_parts(bytes_, [from = mapped_.get()](std::size_t first, std::size_t bytes) {
        ::madvise(from + first, bytes, MADV_DONTNEED);
      });
    mapped_.reset();
    if (!target_.empty() && temporary_.empty()) {
      const std::string self = "/proc/self/fd/" + std::to_string(descriptor_.number());
      if (take_temporary_name([&](const char* name) {
            return ::linkat(AT_FDCWD, self.c_str(), AT_FDCWD, name, AT_SYMLINK_FOLLOW);
          }) < 0)
        fail(reason());
    }
    if (descriptor_.close() != 0) fail(reason());
    if (!temporary_.empty() && ::rename(temporary_.c_str(), target_.c_str()) != 0) fail(reason());
    temporary_.clear();
  }

 private:
  [[noreturn]] void fail(const std::string& why) const { throw FileError(name_ + ": cannot write: " + why); }
  static std::string reason() { return std::strerror(errno); }

  /// Calls make(name) with new names until one is not in use yet. Returns its result; below 0, with errno, if it fails.
  template <class Make>
  int take_temporary_name(const Make& make) {
    for (int attempt = 0;; ++attempt) {
      temporary_ = (folder_ / (".blockfw." + std::to_string(::getpid()) + "." + std::to_string(attempt))).string();
      const int made = make(temporary_.c_str());
      if (made >= 0) return made;
      temporary_.clear();
      if (errno != EEXIST) return made;
    }
  }

  /// Calls f(first, count) in parallel for consecutive parts of `bytes` bytes, each of up to 1 MiB.
  template <class Function>
  static void in_parts(std::uint64_t bytes, const Function& f) {
    blockfw::detail::require_kokkos();
    constexpr std::uint64_t part_bytes = 1 << 20;
    blockfw::detail::for_range("blockfw::output_file", Kokkos::DefaultHostExecutionSpace(), 0,
                               blockfw::detail::div_up(bytes, part_bytes), [=](std::int64_t part) {
                                 const std::uint64_t first = static_cast<std::uint64_t>(part) * part_bytes;
                                 f(first, std::min(part_bytes, bytes - first));
                               });
    Kokkos::DefaultHostExecutionSpace().fence("blockfw::output_file");
  }

  void discard() {
    descriptor_ = {};
    if (!temporary_.empty()) ::unlink(temporary_.c_str());
    temporary_.clear();
  }

  std::string name_;
  std::filesystem::path target_, folder_;
  std::string temporary_;  // the name of the temporary file, if it has one
  std::uint64_t bytes_ = 0, written_ = 0;
  bool reserved_ = false;         // whether disk space is reserved for all of it
  std::shared_ptr<char> mapped_;  // the mapped file, after prepare()
  detail::Descriptor descriptor_;
};

}  // namespace blockfw::io
