// SPDX-License-Identifier: MIT
/// \file
/// \brief The rows of a matrix on the host, in memory or in a mapped file, and the transfer of chunks of them.
#pragma once

#include "blockfw/detail/backend/streams.hpp"
#include "blockfw/detail/base/arithmetic.hpp"
#include "blockfw/detail/chunks/chunks.hpp"
#include "blockfw/detail/loops/threads.hpp"
#include "blockfw/detail/numbers/operations.hpp"
#include "blockfw/detail/plan/narrow.hpp"
#include "blockfw/ground/error.hpp"
#include "blockfw/ground/matrix.hpp"
#include "blockfw/ground/semiring.hpp"

#include <Kokkos_Core.hpp>

#include <sys/mman.h>
#include <unistd.h>
#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace blockfw::detail {

/// \brief A matrix on the host whose rows are contiguous, of entries of any type.
class HostRows {
 public:
  /// Rows in memory.
  /// \param stride  from a row to the next, in entries
  template <class T>
  HostRows(T* data, std::int64_t order, std::int64_t stride)
      : data_(reinterpret_cast<std::byte*>(data)), order_(order), stride_(stride), entry_(sizeof(T)) {}
  /// Rows of a matrix in memory.
  template <class T>
  explicit HostRows(const MatrixRef<T, Kokkos::HostSpace>& d)
      : HostRows(d.data(), extent_along(d, 0), std::max(extent_along(d, 0), static_cast<std::int64_t>(d.stride(0)))) {}
  /// Rows in a file, from its start and without gaps; the file is mapped at `data`.
  template <class T>
  HostRows(T* data, std::int64_t order, int file, std::string name) : HostRows(data, order, order) {
    file_ = file;
    name_ = std::move(name);
  }

  std::int64_t order() const { return order_; }
  /// The number of entries from a row to the next.
  std::int64_t stride() const { return stride_; }
  /// Bytes of an entry, and bytes of a row without the gap behind it.
  std::size_t entry_bytes() const { return entry_; }
  std::size_t row_bytes() const { return detail::at(order_) * entry_; }
  template <class T = std::byte>
  T* row_at(std::int64_t i) const {
    return reinterpret_cast<T*>(data_ + detail::at(i * stride_) * entry_);
  }
  bool in_file() const { return file_ >= 0; }

  std::size_t bytes() const { return order_ == 0 ? 0 : detail::at((order_ - 1) * stride_ + order_) * entry_; }

  /// Copies rows to memory without gaps, or from there. (Rows of a file are not copied through the mapping. That would
  /// cause page faults, and an error of the disk would look like a bug.)
  /// \throws FileError
  void read(std::int64_t first, std::int64_t count, void* to) const {
    if (in_file()) return transfer(first, count, static_cast<std::byte*>(to), ::pread, "read");
    for (std::int64_t i = 0; i < count; ++i)
      std::copy_n(row_at(first + i), row_bytes(), static_cast<std::byte*>(to) + detail::at(i) * row_bytes());
  }
  void write(std::int64_t first, std::int64_t count, const void* from) const {
    if (in_file()) return transfer(first, count, static_cast<const std::byte*>(from), ::pwrite, "written");
    for (std::int64_t i = 0; i < count; ++i)
      std::copy_n(static_cast<const std::byte*>(from) + detail::at(i) * row_bytes(), row_bytes(), row_at(first + i));
  }

  /// Loads the pages of a file's rows and maps them for writing. \throws FileError
  void fetch(std::int64_t first, std::int64_t count) const {
    if (!in_file() || count == 0) return;
    constexpr std::uintptr_t page = 4096;
    std::byte* const pages = row_at(first) - reinterpret_cast<std::uintptr_t>(row_at(first)) % page;
    const auto bytes = static_cast<std::size_t>(row_at(first + count) - pages);
#ifdef MADV_POPULATE_WRITE
    if (::madvise(pages, bytes, MADV_POPULATE_WRITE) == 0) return;
    if (errno != EINVAL) throw FileError(name_ + ": cannot be read: " + std::strerror(errno));
#endif
    ::madvise(pages, bytes, MADV_WILLNEED);  // on older systems
  }

 private:
  template <class Bytes, class Call>
  void transfer(std::int64_t first, std::int64_t count, Bytes* data, const Call& call, const char* what) const {
    auto* at = const_cast<std::byte*>(data);
    auto place = static_cast<off_t>(first) * static_cast<off_t>(row_bytes());
    for (std::size_t left = detail::at(count) * row_bytes(); left > 0;) {
      errno = 0;
      const ssize_t done = call(file_, at, std::min(left, std::size_t(1) << 30), place);
      if (done < 0 && errno == EINTR) continue;
      if (done <= 0)
        throw FileError(name_, ": byte ", place, " cannot be ", what, ": ",
                        (errno != 0 ? std::strerror(errno) : "the file has become shorter"));
      at += done, place += done, left -= static_cast<std::size_t>(done);
    }
  }

  std::byte* data_;
  std::int64_t order_, stride_;
  std::size_t entry_;
  int file_ = -1;
  std::string name_;
};

/// \brief The transfer of chunks that are solved in place: no copies.
template <class ExecSpace>
class InPlace {
 public:
  InPlace(const ExecSpace&, const HostRows& rows, const Chunks& chunks, bool) : rows_(rows), chunks_(chunks) {}

  Block at(int, int chunk) const {
    return {rows_.row_at(chunks_.first_row(chunk)), static_cast<int>(chunks_.rows(chunk)),
            static_cast<int>(rows_.order()), rows_.stride()};
  }
  void load(int, int chunk) const { rows_.fetch(chunks_.first_row(chunk), chunks_.rows(chunk)); }
  void store(int, int) const {}  // the system writes file pages to the disk

 private:
  const HostRows& rows_;
  const Chunks& chunks_;
};

/// \brief The transfer of chunks that are copied to a few places in a device's memory and back.
///
/// If the matrix is pinned, the device copies it by itself. Otherwise several threads per direction copy it through
/// pinned buffers.
template <class ExecSpace>
class Copied {
  using Api = Backend<ExecSpace>;

 public:
  /// \param pin  whether to pin the matrix if that is possible
  Copied(const ExecSpace& exec, const HostRows& rows, const Chunks& chunks, bool pin)
      : exec_(exec),
        rows_(rows),
        chunks_(chunks),
        stride_(padded(rows.order(), rows.entry_bytes())),
        in_(exec),
        out_(exec) {
    for (int place = 0; place < chunks.places(); ++place)
      places_.push_back(without_values<Memory>(exec, "blockfw::chunk", detail::at(chunks.rows(0)) * place_bytes()));
    Api::use(Api::device_of(exec));
    // (Pages of a file must not be pinned: the system would not notice that the device changes them.)
    if (!rows.in_file() && rows.bytes() > 0) direct_ = Api::is_pinned(rows.row_at(0));
    if (pin && !direct_ && !rows.in_file() && rows.bytes() > 0) try {
        pinned_here_ = Api::pin(rows.row_at(0), rows.bytes());
        direct_ = true;
      } catch (const DeviceError&) {
        // then through pinned buffers
      }
    if (!direct_)
      for (Copying* copying : {&in_, &out_}) copying->make_copiers(exec, rows.row_bytes());
    exec.fence("blockfw::chunks");  // now the places are allocated for other streams, too
  }
  Copied(const Copied&) = delete;
  Copied& operator=(const Copied&) = delete;
  ~Copied() {
    if (pinned_here_) Api::unpin(rows_.row_at(0));
  }

  Block at(int place, int chunk) const {
    return {data(place), static_cast<int>(chunks_.rows(chunk)), static_cast<int>(rows_.order()), stride_};
  }
  void load(int place, int chunk) { copy(in_, place, chunk); }
  void store(int place, int chunk) { copy(out_, place, chunk); }

 private:
  using Memory = Array<std::byte, ExecSpace>;
  using Pinned = Array<std::byte, Kokkos::SharedHostPinnedSpace>;

  static constexpr std::int64_t buffer_bytes = 16 << 20;

  /// A stream and two pinned buffers. The thread copies one buffer while the device copies the other.
  struct Copier {
    Copier(const ExecSpace& exec, std::size_t bytes) : stream(exec), copied{exec, exec} {
      for (Pinned& buffer : buffers) buffer = without_values<Pinned>("blockfw::buffer", bytes);
    }
    Stream<ExecSpace> stream;
    Pinned buffers[2];
    Event<ExecSpace> copied[2];
  };
  /// The means of copying in one direction.
  struct Copying {
    explicit Copying(const ExecSpace& exec) : stream(exec), copied(exec) {}
    void make_copiers(const ExecSpace& exec, std::size_t row_bytes) {
      rows_of_buffer = std::max<std::int64_t>(1, buffer_bytes / (static_cast<std::int64_t>(row_bytes) + 1));
      const unsigned most = std::clamp(std::thread::hardware_concurrency() / 4, 1u, 4u);
      for (unsigned c = 0; c < most; ++c)
        copiers.push_back(std::make_unique<Copier>(exec, detail::at(rows_of_buffer) * row_bytes));
    }
    Stream<ExecSpace> stream;
    Event<ExecSpace> copied;
    std::int64_t rows_of_buffer = 1;
    std::vector<std::unique_ptr<Copier>> copiers;
  };

  std::byte* data(int place) const { return places_[static_cast<std::size_t>(place)].data(); }
  /// The number of bytes from a row at a place to the next row.
  std::size_t place_bytes() const { return detail::at(stride_) * rows_.entry_bytes(); }
  /// Queues a copy between `count` rows on the host, `here` bytes apart, and rows at a place.
  void queue(const ExecSpace& stream, std::byte* host, std::size_t here, std::byte* at_place, std::int64_t count,
             bool in) const {
    const std::size_t there = place_bytes(), bytes = rows_.row_bytes();
    if (in)
      Api::copy(stream, at_place, there, host, here, bytes, detail::at(count));
    else
      Api::copy(stream, host, here, at_place, there, bytes, detail::at(count));
  }

  void copy(Copying& copying, int place, int chunk) {
    const std::int64_t first = chunks_.first_row(chunk), count = chunks_.rows(chunk);
    Api::use(Api::device_of(exec_));
    if (direct_) {
      queue(copying.stream.exec(), rows_.row_at(first), detail::at(rows_.stride()) * rows_.entry_bytes(), data(place),
            count, &copying == &in_);
      copying.copied.record(copying.stream.exec());
      copying.copied.wait_on_host();
      return;
    }
    const auto copiers = static_cast<int>(copying.copiers.size());
    in_threads(copiers, [&](int c) {
      Api::use(Api::device_of(exec_));
      Copier& copier = *copying.copiers[static_cast<std::size_t>(c)];
      const std::int64_t step = copiers * copying.rows_of_buffer;
      const auto rows_from = [&](std::int64_t row) { return std::min(copying.rows_of_buffer, count - row); };
      if (&copying == &in_)
        for (std::int64_t row = c * copying.rows_of_buffer, pass = 0; row < count; row += step, ++pass) {
          copier.copied[pass % 2].wait_on_host();
          std::byte* const buffer = copier.buffers[pass % 2].data();
          rows_.read(first + row, rows_from(row), buffer);
          by_device(copier, pass % 2, place, row, rows_from(row), true);
        }
      else
        for (std::int64_t row = c * copying.rows_of_buffer, pass = 0; row - step < count; row += step, ++pass) {
          if (row < count) by_device(copier, pass % 2, place, row, rows_from(row), false);
          if (pass == 0) continue;
          copier.copied[1 - pass % 2].wait_on_host();
          rows_.write(first + row - step, rows_from(row - step), copier.buffers[1 - pass % 2].data());
        }
      for (const auto& copied : copier.copied) copied.wait_on_host();
    });
  }

  /// Queues the copy of a buffer.
  void by_device(Copier& copier, std::int64_t which, int place, std::int64_t row, std::int64_t count, bool in) {
    queue(copier.stream.exec(), copier.buffers[which].data(), rows_.row_bytes(),
          data(place) + detail::at(row) * place_bytes(), count, in);
    copier.copied[which].record(copier.stream.exec());
  }

  const ExecSpace exec_;
  const HostRows& rows_;
  const Chunks& chunks_;
  std::int64_t stride_;
  std::vector<Memory> places_;
  Copying in_, out_;
  bool direct_ = false, pinned_here_ = false;
};

/// \brief The types in which distances are held out of core. (8 bits are left out: only hosts would gain from them.)
template <Semiring S>
using HeldLadder = Ladder<S, false>;

}  // namespace blockfw::detail
