// SPDX-License-Identifier: MIT
/// \file
/// \brief The work file of an unfinished solve: it is made or continued, locked, mapped, and at last gets its final
/// name.
#pragma once

#include "blockfw/detail/base/arithmetic.hpp"
#include "blockfw/detail/chunks/host_rows.hpp"
#include "blockfw/detail/io/distance_record.hpp"
#include "blockfw/detail/loops/threads.hpp"
#include "blockfw/detail/matrices/packed_rows.hpp"
#include "blockfw/files/descriptor.hpp"
#include "blockfw/files/output_file.hpp"
#include "blockfw/ground/error.hpp"

#include <Kokkos_Core.hpp>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <future>
#include <memory>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

namespace blockfw::io::detail {

/// \brief PATH.part with its record, PATH.part.state, while a solve works on them. There are no copies.
class WorkFile {
 public:
  /// \brief Opens the work file of an earlier process, or makes one and reserves its disk space.
  /// \param path   the final name; if it is a symbolic link, the link stays, and the file that it points to is replaced
  /// \param graph  a line that identifies the graph and the type of the entries
  /// \param bytes  the length of the file
  /// \param check  called as check(progress, name of the work file) for the file of an earlier process; it throws if
  ///               this progress cannot be right
  /// \throws FileError
  template <class Check>
  WorkFile(const std::filesystem::path& path, const std::string& graph, std::size_t bytes, const Check& check)
      : target_(behind_links(path)),
        part_(target_.string() + ".part"),
        state_(part_.string() + ".state"),
        graph_(graph),
        bytes_(bytes) {
    std::error_code ignored;
    const auto kind = std::filesystem::status(target_, ignored).type();
    if (kind != std::filesystem::file_type::not_found && kind != std::filesystem::file_type::regular)
      throw FileError(path.string() + ": cannot write: not a regular file, expected one that can be replaced");
    file_ = Descriptor::open(part_, O_RDWR);
    if (file_)
      go_on(check);
    else if (errno == ENOENT)
      make();
    else
      fail("cannot open");
    if (bytes_ == 0) return;
    data_ = mapped(file_.number(), bytes_, MAP_SHARED);
    if (data_ == nullptr) fail("cannot map");
  }
  /// Removes a work file that is not filled, as it is of no use. Keeps a filled file.
  ~WorkFile() {
    if (!progress_.filled()) discard();
  }

  /// The name of the work file.
  const std::filesystem::path& path() const { return part_; }
  /// The number of its file descriptor.
  int number() const { return file_.number(); }
  /// The mapped bytes; null if there are none.
  void* data() const { return data_.get(); }

  /// The progress of the work. checkpoint() makes it permanent, and no thread must change it meanwhile.
  RecordedProgress& progress() { return progress_; }
  const RecordedProgress& progress() const { return progress_; }
  /// Writes the record. It is on the disk when this returns.
  /// \throws FileError
  void record(const RecordedProgress& progress) const { write_record(state_, graph_, progress); }
  /// Brings the file to the disk. (The system reports a failed write only once. After that no record can be trusted.)
  /// \throws FileError
  void sync() {
    if (lost_) throw FileError(part_.string() + ": a part could not be written to the disk");
    if (::fdatasync(file_.number()) == 0) return;
    lost_ = true;
    fail("cannot be written to the disk");
  }

  /// Brings the file to the disk, and then records the progress. Any thread may call this.
  /// \throws FileError
  void checkpoint() {
    sync();
    record(progress_);
  }

  /// Brings the file to the disk and gives it its final name.
  /// \throws FileError
  void commit() {
    struct stat earlier;
    if (::stat(target_.c_str(), &earlier) == 0) ::fchmod(file_.number(), earlier.st_mode & 07777);
    sync();
    if (::rename(part_.c_str(), target_.c_str()) != 0) fail("cannot be renamed");
    ::unlink(state_.c_str());
    sync_folder(target_);
  }
  /// Removes the work file and its record.
  void discard() {
    if (file_) ::unlink(part_.c_str());
    ::unlink(state_.c_str());
    progress_ = {};
    file_ = {};
  }

 private:
  [[noreturn]] void fail(const std::string& what) const {
    throw FileError(part_.string() + ": " + what + ": " + std::strerror(errno));
  }
  /// Locks the file, and checks that it still has its name. Another process may have renamed or removed it.
  void lock() const {
    struct stat own, named;
    if (::flock(file_.number(), LOCK_EX | LOCK_NB) != 0 || ::fstat(file_.number(), &own) != 0 ||
        ::stat(part_.c_str(), &named) != 0 || own.st_ino != named.st_ino)
      throw FileError(part_.string() + ": is in use by another process");
  }

  void make() {
    record({});
    file_ = Descriptor::open(part_, O_RDWR | O_CREAT | O_EXCL);
    if (!file_) {
      const int why = errno;
      ::unlink(state_.c_str());
      errno = why;
      fail("cannot write");
    }
    lock();
    int reserved = 0;
    do reserved = bytes_ > 0 ? ::posix_fallocate(file_.number(), 0, static_cast<off_t>(bytes_)) : 0;
    while (reserved == EINTR);
    if (reserved == 0) return;
    discard();
    throw FileError(part_.string(), ": cannot write: ", std::strerror(reserved), " (", bytes_, " bytes are needed)");
  }

  template <class Check>
  void go_on(const Check& check) {
    lock();
    progress_ = read_record(state_, graph_, part_.string());
    check(progress_, part_.string());
    if (!progress_.filled()) {  // its process was stopped before the file was filled
      ::unlink(part_.c_str());
      file_ = {};
      return make();
    }
    struct stat status;
    if (::fstat(file_.number(), &status) != 0) fail("cannot open");
    if (static_cast<std::size_t>(status.st_size) != bytes_)
      throw FileError(part_.string(), ": has ", status.st_size, " bytes, expected ", bytes_,
                      "; remove it to start anew");
  }

  std::filesystem::path target_, part_, state_;
  std::string graph_;
  RecordedProgress progress_;
  std::size_t bytes_;
  Descriptor file_;
  std::shared_ptr<char> data_;
  std::atomic<bool> lost_ = false;  ///< whether a write did not reach the disk
};

/// \brief Brings a work file to the disk now and then, and records the number of pivots that were eliminated before.
class Checkpoints {
 public:
  /// \param minutes  the least time from one checkpoint to the next
  Checkpoints(WorkFile& file, double minutes)
      : file_(file), minutes_(minutes), done_(std::max<std::int64_t>(file.progress().pivots, 0)) {}

  /// Starts a checkpoint in a thread if it is time, and if no checkpoint is being written.
  /// \param pivots  the number of first pivots that have been eliminated from all rows
  /// \throws FileError of the last checkpoint
  void reached(std::int64_t pivots) {
    done_ = std::max(done_, pivots);
    if (done_ <= file_.progress().pivots || since_.seconds() < 60 * minutes_) return;
    if (running_.valid() && running_.wait_for(std::chrono::seconds(0)) != std::future_status::ready) return;
    if (running_.valid()) running_.get();
    since_.reset();
    file_.progress().pivots = done_;
    running_ = std::async(std::launch::async, [&file = file_] { file.checkpoint(); });
  }

  /// Makes the last checkpoint, of all pivots that were reached, or of at least `pivots`.
  /// \throws FileError
  void finish(std::int64_t pivots = 0) {
    done_ = std::max(done_, pivots);
    if (running_.valid()) running_.get();
    file_.progress().pivots = done_;
    file_.checkpoint();
  }

 private:
  WorkFile& file_;
  double minutes_;
  std::int64_t done_;
  Kokkos::Timer since_;
  std::future<void> running_;  ///< the checkpoint that a thread makes
};

/// Widens entries [first, last) in the file, by several threads.
template <class Small, class T, class Tick>
void widen_entries_of_file(const blockfw::detail::HostRows& narrow, const blockfw::detail::HostRows& wide,
                           std::int64_t first, std::int64_t last, const Tick& tick) {
  constexpr std::int64_t at_once = 1 << 18, between_ticks = 64;
  const int threads = static_cast<int>(std::clamp(std::thread::hardware_concurrency(), 1u, 8u));
  for (std::int64_t pass = first; pass < last; pass += threads * between_ticks * at_once) {
    const std::int64_t end = std::min(last, pass + threads * between_ticks * at_once);
    blockfw::detail::in_threads(threads, [&](int thread) {
      std::vector<Small> from(static_cast<std::size_t>(at_once));
      std::vector<T> to(static_cast<std::size_t>(at_once));
      for (std::int64_t e = pass + thread * at_once; e < end; e += threads * at_once) {
        const std::int64_t count = std::min(at_once, end - e);
        narrow.read(e, count, from.data());
        blockfw::detail::widen_entries(from.data(), count, to.data());
        wide.write(e, count, to.data());
      }
    });
    tick();
  }
}

/// \brief Widens the packed numbers of type Small to T, from the last number to the first.
///
/// Of h packed entries, the entries from number h / (ratio of the sizes) on become wide in one step. The step reads
/// only before byte h * sizeof(Small), and writes only from that byte on. So each step can be done again, until it is
/// recorded. The first entries, which would overlap at the end, are themselves part of the record.
/// \param tick  called now and then
/// \throws FileError, and the errors that tick throws
template <class Small, class T, class Tick>
void widen_file(WorkFile& file, const Tick& tick) {
  constexpr auto ratio = static_cast<std::int64_t>(sizeof(T) / sizeof(Small));
  constexpr auto most_packed = static_cast<std::int64_t>(most_head / sizeof(Small));
  RecordedProgress& progress = file.progress();
  // (The file is seen as rows of one entry.)
  const blockfw::detail::HostRows narrow(static_cast<Small*>(nullptr), 1, file.number(), file.path().string());
  const blockfw::detail::HostRows wide(static_cast<T*>(nullptr), 1, file.number(), file.path().string());
  while (progress.narrow > most_packed) {
    const std::int64_t last = progress.narrow, first = blockfw::detail::div_up(last, ratio);
    widen_entries_of_file<Small, T>(narrow, wide, first, last, tick);
    progress.narrow = first;
    file.checkpoint();
  }
  const std::int64_t count = progress.narrow;
  std::vector<Small> head(static_cast<std::size_t>(count));
  if (progress.head.empty()) {
    narrow.read(0, count, head.data());
    progress.head.assign(reinterpret_cast<const char*>(head.data()), head.size() * sizeof(Small));
    file.record(progress);
    tick();
  }
  std::memcpy(head.data(), progress.head.data(), progress.head.size());
  std::vector<T> numbers(head.size());
  blockfw::detail::widen_entries(head.data(), count, numbers.data());
  wide.write(0, count, numbers.data());
  progress.narrow = 0;
  progress.head.clear();
  file.checkpoint();
}

}  // namespace blockfw::io::detail
