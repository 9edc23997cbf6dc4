// SPDX-License-Identifier: MIT
/// \file
/// \brief The rows of a matrix on the host, in memory or in a mapped file, and the transfer of chunks of them.
#pragma once

#include "blockfw/detail/backend/streams.hpp"
#include "blockfw/detail/in_threads.hpp"
#include "blockfw/detail/out_of_core/chunks.hpp"
#include "blockfw/error.hpp"
#include "blockfw/matrix.hpp"
#include "blockfw/tile.hpp"

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
#include <vector>

namespace blockfw::detail {

/// \brief A matrix on the host whose rows are contiguous.
template <class T>
class HostRows {
 public:
  /// Rows in memory.
  HostRows(T* data, std::int64_t order, std::int64_t stride) : data_(data), order_(order), stride_(stride) {}
  /// Rows in a file, from its start and without gaps; the file is mapped at `data`.
  HostRows(T* data, std::int64_t order, int file, const std::string& name)
      : data_(data), order_(order), stride_(order), file_(file), name_(name) {}

  std::int64_t order() const { return order_; }
  /// From a row to the next, in elements.
  std::int64_t stride() const { return stride_; }
  T* row(std::int64_t i) const { return data_ + i * stride_; }
  bool in_file() const { return file_ >= 0; }

  std::size_t bytes() const { return order_ == 0 ? 0 : index((order_ - 1) * stride_ + order_) * sizeof(T); }

  /// Copies rows to memory without gaps, or from there. (Rows of a file are not copied through the mapping: that would
  /// cause page faults, and an error of the disk would look like a bug.)
  /// \throws FileError
  void read(std::int64_t first, std::int64_t count, T* to) const {
    if (!in_file())
      for (std::int64_t i = 0; i < count; ++i) std::copy_n(row(first + i), order_, to + i * order_);
    else
      transfer(first, count, to, ::pread, "read");
  }
  void write(std::int64_t first, std::int64_t count, const T* from) const {
    if (!in_file())
      for (std::int64_t i = 0; i < count; ++i) std::copy_n(from + i * order_, order_, row(first + i));
    else
      transfer(first, count, from, ::pwrite, "written");
  }

  /// Loads the pages of a file's rows and maps them for writing. \throws FileError
  void fetch(std::int64_t first, std::int64_t count) const {
    if (!in_file() || count == 0) return;
    constexpr std::uintptr_t page = 4096;
    const auto begin = reinterpret_cast<std::uintptr_t>(row(first)) / page * page;
    const auto end = reinterpret_cast<std::uintptr_t>(row(first + count));
    void* const pages = reinterpret_cast<void*>(begin);
#ifdef MADV_POPULATE_WRITE
    if (::madvise(pages, end - begin, MADV_POPULATE_WRITE) == 0) return;
    if (errno != EINVAL) throw FileError(name_ + ": cannot be read: " + std::strerror(errno));
#endif
    ::madvise(pages, end - begin, MADV_WILLNEED);  // on older systems
  }

 private:
  static std::size_t index(std::int64_t i) { return static_cast<std::size_t>(i); }

  template <class Data, class Call>
  void transfer(std::int64_t first, std::int64_t count, Data* data, const Call& call, const char* what) const {
    auto* at = const_cast<std::byte*>(reinterpret_cast<const std::byte*>(data));
    auto place = static_cast<off_t>(first * order_) * static_cast<off_t>(sizeof(T));
    for (std::size_t left = index(count * order_) * sizeof(T); left > 0;) {
      errno = 0;
      const ssize_t done = call(file_, at, std::min(left, std::size_t(1) << 30), place);
      if (done < 0 && errno == EINTR) continue;
      if (done <= 0)
        throw FileError(name_ + ": byte " + std::to_string(place) + " cannot be " + what + ": " +
                        (errno != 0 ? std::strerror(errno) : "the file has become shorter"));
      at += done, place += done, left -= static_cast<std::size_t>(done);
    }
  }

  T* data_;
  std::int64_t order_, stride_;
  int file_ = -1;
  std::string name_;
};

/// The Ref (of Phases) to rows in memory.
template <class Ref, class T>
Ref rows_ref(T* data, std::int64_t rows, std::int64_t columns, std::int64_t stride) {
  return Ref(data, Kokkos::LayoutStride(static_cast<std::size_t>(rows), static_cast<std::size_t>(stride),
                                        static_cast<std::size_t>(columns), 1));
}

/// \brief The transfer of chunks that are solved where they lie: no copies.
template <class ExecSpace, class T>
class InPlace {
 public:
  using Ref = MatrixRef<T, ExecSpace>;

  InPlace(const ExecSpace&, const HostRows<T>& rows, const Chunks& chunks, bool) : rows_(rows), chunks_(chunks) {}

  Ref at(int, int chunk) const {
    return rows_ref<Ref>(rows_.row(chunks_.first_row(chunk)), chunks_.rows(chunk), rows_.order(), rows_.stride());
  }
  void load(int, int chunk) const { rows_.fetch(chunks_.first_row(chunk), chunks_.rows(chunk)); }
  void store(int, int) const {}  // the system writes file pages to the disk

 private:
  const HostRows<T>& rows_;
  const Chunks& chunks_;
};

/// \brief The transfer of chunks that are copied to a few places in a device's memory and back.
///
/// If the matrix is pinned, the device copies it by itself. Otherwise several threads per direction copy it through
/// pinned buffers.
template <class ExecSpace, class T>
class Copied {
  using Api = Backend<ExecSpace>;

 public:
  using Ref = MatrixRef<T, ExecSpace>;

  /// \param pin  whether to pin the matrix if that is possible
  Copied(const ExecSpace& exec, const HostRows<T>& rows, const Chunks& chunks, bool pin)
      : exec_(exec), rows_(rows), chunks_(chunks), stride_(padded<T>(rows.order())), in_(exec), out_(exec) {
    for (int place = 0; place < chunks.places(); ++place)
      places_.emplace_back(Kokkos::view_alloc(exec, "blockfw::chunk", Kokkos::WithoutInitializing),
                           index(chunks.rows(0) * stride_));
    Api::use(Api::device_of(exec));
    // (Pages of a file must not be pinned: the system would not notice that the device changes them.)
    if (!rows.in_file() && rows.bytes() > 0) direct_ = Api::is_pinned(rows.row(0));
    if (pin && !direct_ && !rows.in_file() && rows.bytes() > 0) try {
        pinned_here_ = Api::pin(rows.row(0), rows.bytes());
        direct_ = true;
      } catch (const DeviceError&) {
        // then through pinned buffers
      }
    if (!direct_)
      for (Way* way : {&in_, &out_}) way->make_copiers(exec, rows.order());
    exec.fence("blockfw::chunks");  // the places are allocated, for other streams, too
  }
  Copied(const Copied&) = delete;
  Copied& operator=(const Copied&) = delete;
  ~Copied() {
    if (pinned_here_) Api::unpin(rows_.row(0));
  }

  Ref at(int place, int chunk) const { return rows_ref<Ref>(data(place), chunks_.rows(chunk), rows_.order(), stride_); }
  void load(int place, int chunk) { copy(in_, place, chunk); }
  void store(int place, int chunk) { copy(out_, place, chunk); }

 private:
  using Memory = Kokkos::View<T*, typename ExecSpace::memory_space>;
  using Pinned = Kokkos::View<T*, Kokkos::SharedHostPinnedSpace>;
  static std::size_t index(std::int64_t i) { return static_cast<std::size_t>(i); }

  static constexpr std::int64_t buffer_bytes = 16 << 20;

  /// A stream and two pinned buffers: the thread copies one while the device copies the other.
  struct Copier {
    Copier(const ExecSpace& exec, std::int64_t elements) : stream(exec), copied{exec, exec} {
      for (Pinned& buffer : buffers)
        buffer = Pinned(Kokkos::view_alloc("blockfw::buffer", Kokkos::WithoutInitializing), index(elements));
    }
    Stream<ExecSpace> stream;
    Pinned buffers[2];
    Event<ExecSpace> copied[2];
  };
  /// The means of copying in one direction.
  struct Way {
    explicit Way(const ExecSpace& exec) : stream(exec), copied(exec) {}
    void make_copiers(const ExecSpace& exec, std::int64_t columns) {
      rows_of_buffer = std::max<std::int64_t>(1, buffer_bytes / (columns * std::int64_t(sizeof(T)) + 1));
      const unsigned most = std::clamp(std::thread::hardware_concurrency() / 4, 1u, 4u);
      for (unsigned c = 0; c < most; ++c) copiers.push_back(std::make_unique<Copier>(exec, rows_of_buffer * columns));
    }
    Stream<ExecSpace> stream;
    Event<ExecSpace> copied;
    std::int64_t rows_of_buffer = 1;
    std::vector<std::unique_ptr<Copier>> copiers;
  };

  T* data(int place) const { return places_[static_cast<std::size_t>(place)].data(); }
  /// Queues a copy between `count` rows on the host, host_stride elements apart, and rows at a place.
  void queue(const ExecSpace& stream, T* host, std::int64_t host_stride, T* at_place, std::int64_t count,
             bool in) const {
    const std::size_t there = index(stride_) * sizeof(T), here = index(host_stride) * sizeof(T);
    const std::size_t bytes = index(rows_.order()) * sizeof(T);
    if (in)
      Api::copy(stream, at_place, there, host, here, bytes, index(count));
    else
      Api::copy(stream, host, here, at_place, there, bytes, index(count));
  }

  void copy(Way& way, int place, int chunk) {
    const std::int64_t first = chunks_.first_row(chunk), count = chunks_.rows(chunk);
    Api::use(Api::device_of(exec_));
    if (direct_) {
      queue(way.stream.exec(), rows_.row(first), rows_.stride(), data(place), count, &way == &in_);
      way.copied.record(way.stream.exec());
      way.copied.wait_on_host();
      return;
    }
    const auto copiers = static_cast<int>(way.copiers.size());
    in_threads(copiers, [&](int c) {
      Api::use(Api::device_of(exec_));
      Copier& copier = *way.copiers[static_cast<std::size_t>(c)];
      const std::int64_t step = copiers * way.rows_of_buffer;
      const auto rows_from = [&](std::int64_t row) { return std::min(way.rows_of_buffer, count - row); };
      if (&way == &in_)
        for (std::int64_t row = c * way.rows_of_buffer, pass = 0; row < count; row += step, ++pass) {
          copier.copied[pass % 2].wait_on_host();
          T* const buffer = copier.buffers[pass % 2].data();
          rows_.read(first + row, rows_from(row), buffer);
          by_device(copier, pass % 2, place, row, rows_from(row), true);
        }
      else
        for (std::int64_t row = c * way.rows_of_buffer, pass = 0; row - step < count; row += step, ++pass) {
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
    queue(copier.stream.exec(), copier.buffers[which].data(), rows_.order(), data(place) + row * stride_, count, in);
    copier.copied[which].record(copier.stream.exec());
  }

  const ExecSpace exec_;
  const HostRows<T>& rows_;
  const Chunks& chunks_;
  std::int64_t stride_;
  std::vector<Memory> places_;
  Way in_, out_;
  bool direct_ = false, pinned_here_ = false;
};

}  // namespace blockfw::detail
