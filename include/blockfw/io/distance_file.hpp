// SPDX-License-Identifier: MIT
/// \file
/// \brief Distances in a file, which may be larger than the memory: filled, solved in place, and resumed if stopped.
#pragma once

#include "blockfw/detail/devices/edges_by_owner.hpp"
#include "blockfw/detail/out_of_core/host_rows.hpp"
#include "blockfw/detail/plan/finish.hpp"
#include "blockfw/detail/rounding.hpp"
#include "blockfw/edges.hpp"
#include "blockfw/error.hpp"
#include "blockfw/io/detail/descriptor.hpp"
#include "blockfw/io/output_file.hpp"
#include "blockfw/out_of_core.hpp"
#include "blockfw/semiring.hpp"
#include "blockfw/weights.hpp"

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
#include <cstring>
#include <filesystem>
#include <fstream>
#include <future>
#include <limits>
#include <optional>
#include <ranges>
#include <sstream>
#include <string>
#include <system_error>
#include <type_traits>
#include <utility>

namespace blockfw::io {

namespace detail {

/// \brief The state of a work file: how far its solve has got.
struct Progress {
  std::int64_t pivots = -1;  ///< eliminated from all rows; -1: the file is not filled
  bool negative = false;     ///< whether any edge is negative
  std::int64_t longest = 0;  ///< bound of path lengths, if an edge is negative and lengths are integers
};

/// \brief A small file that holds the graph and Progress of a work file; each write replaces it as a whole.
class Record {
 public:
  Record(std::filesystem::path path, std::string graph) : path_(std::move(path)), graph_(std::move(graph)) {}

  const std::filesystem::path& path() const { return path_; }

  /// \param of  the work file that the record belongs to, for errors
  /// \throws FileError when the record is missing, damaged or of another graph
  Progress read(const std::string& of) const {
    const std::string remedy = "; remove " + of + " to start anew, or name another output";
    std::ifstream file(path_);
    if (!file) throw FileError(of + ": is there without its record, " + path_.string() + remedy);
    std::string title, graph, name;
    Progress progress;
    std::getline(file, title);
    std::getline(file, graph);
    if (title != this->title() || graph.empty()) throw FileError(path_.string() + ": is no record of a solve" + remedy);
    if (graph != graph_)
      throw FileError(path_.string() + ": is of another graph, or type (" + graph + "), expected this one (" + graph_ +
                      ")" + remedy);
    if (!(file >> name >> progress.pivots >> name >> progress.negative >> name >> progress.longest))
      throw FileError(path_.string() + ": is damaged" + remedy);
    return progress;
  }

  /// Writes the record, which is on the disk when this returns. \throws FileError
  void write(const Progress& progress) const {
    std::ostringstream text;
    text << title() << '\n'
         << graph_ << "\npivots " << progress.pivots << "\nnegative " << progress.negative << "\nlongest "
         << progress.longest << '\n';
    const std::string bytes = text.str();
    const std::filesystem::path next = path_.string() + ".next";
    const Descriptor file = Descriptor::open(next, O_WRONLY | O_CREAT | O_TRUNC);
    if (!file || ::write(file.number(), bytes.data(), bytes.size()) != static_cast<ssize_t>(bytes.size()) ||
        ::fsync(file.number()) != 0 || ::rename(next.c_str(), path_.c_str()) != 0) {
      const std::string why = std::strerror(errno);
      ::unlink(next.c_str());
      throw FileError(path_.string() + ": cannot write: " + why);
    }
    sync_folder(path_);
  }
  void remove() const { ::unlink(path_.c_str()); }

  /// Brings the folder of a file to the disk, and so the names of the files in it.
  static void sync_folder(const std::filesystem::path& file) {
    const auto folder = file.has_parent_path() ? file.parent_path() : std::filesystem::path(".");
    if (const Descriptor opened = Descriptor::open(folder, O_RDONLY)) ::fsync(opened.number());
  }

 private:
  static std::string title() { return "blockfw: distances to be gone on with, 1"; }

  std::filesystem::path path_;
  std::string graph_;
};

}  // namespace detail

/// \brief An n x n matrix of distances in a file: PATH.part while it is worked on, PATH once it is done.
///
/// A record beside it, PATH.part.state, says how far the work has got. The process may be stopped at any time, by any
/// means: another process with the same path and graph resumes from the last checkpoint. This needs no copy of the work
/// file, as each of its entries is at any time the length of some path, or infinity, and entries only fall. So pivots
/// that were eliminated from some rows, or from parts of them, may be eliminated again; the final distances are the
/// same (sums of floats may round otherwise). Therefore a checkpoint brings the file to the disk, and then records the
/// pivots that had been eliminated from all rows before.
///
/// \code
///   blockfw::io::DistanceFile<int> file("distances", n, "a ring of 600");  // only the same graph is resumed
///   if (!file.filled()) file.fill(edges);
///   file.solve(exec, {.memory = 4e9});
///   file.commit();
/// \endcode
template <Distance T>
class DistanceFile {
 public:
  /// All distances, row by row.
  using View = Kokkos::View<T**, Kokkos::LayoutRight, Kokkos::HostSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;

  /// \brief Opens the work file of an earlier process, or makes one and reserves its disk space.
  /// \param path   the final name; a symbolic link stays, and the file that it points to is replaced
  /// \param n      number of vertices
  /// \param graph  a line that identifies the graph; it must differ from those of other graphs
  /// \throws FileError that names the file and says what to do: no space, another graph's work file, one in use;
  ///         InvalidInput for an n that is negative or above 2^31 - 1
  DistanceFile(const std::filesystem::path& path, std::int64_t n, const std::string& graph)
      : target_(detail::behind_links(path)),
        part_(target_.string() + ".part"),
        record_(part_.string() + ".state", graph + ", " + blockfw::type_name<T>()),
        order_(checked(n)),
        bytes_(static_cast<std::size_t>(n) * static_cast<std::size_t>(n) * sizeof(T)) {
    std::error_code ignored;
    const auto kind = std::filesystem::status(target_, ignored).type();
    if (kind != std::filesystem::file_type::not_found && kind != std::filesystem::file_type::regular)
      throw FileError(path.string() + ": cannot write: is no regular file, which a work file could take the place of");
    file_ = detail::Descriptor::open(part_, O_RDWR);
    if (file_)
      go_on();
    else if (errno == ENOENT)
      make();
    else
      fail("cannot open");
    if (bytes_ == 0) return;
    void* const pages = ::mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_SHARED, file_.number(), 0);
    if (pages == MAP_FAILED) fail("cannot map");
    data_ = static_cast<T*>(pages);
  }
  DistanceFile(const DistanceFile&) = delete;
  DistanceFile& operator=(const DistanceFile&) = delete;
  /// Removes a work file that is not filled, as it is of no use; keeps it otherwise.
  ~DistanceFile() {
    if (data_ != nullptr) ::munmap(data_, bytes_);
    if (!filled()) discard();
  }

  /// The number of vertices.
  std::int64_t order() const { return order_; }
  /// The name of the work file.
  const std::filesystem::path& part() const { return part_; }
  /// The entries: the mapped file, of which the system keeps in memory as much as it has room for.
  View view() const { return View(data_, static_cast<std::size_t>(order_), static_cast<std::size_t>(order_)); }
  /// Whether the matrix is filled, by this process or an earlier one.
  bool filled() const { return progress_.pivots >= 0; }
  /// The number of pivots that have been eliminated, according to the last record.
  std::int64_t pivots() const { return std::max<std::int64_t>(progress_.pivots, 0); }

  /// \brief Fills the matrix as fill_from_edges() does, some rows at a time.
  /// \param edges      rank-1 view on the host, or a host container
  /// \param direction  with undirected each edge counts in both directions
  /// \throws as fill_from_edges(); OverflowRisk
  ///
  /// O(n² + edges). Memory: a copy of the edges.
  template <std::ranges::contiguous_range Edges>
  void fill(const Edges& edges, Direction direction = Direction::directed) {
    fill(blockfw::detail::view_of(edges), direction);
  }
  /// \brief The same for edges in a view.
  template <class Edges>
    requires Kokkos::is_view_v<Edges>
  void fill(const Edges& edges, Direction direction = Direction::directed) {
    using Host = Kokkos::DefaultHostExecutionSpace;
    constexpr std::int64_t some = std::int64_t(256) << 20;  // bytes
    const std::int64_t rows = std::max<std::int64_t>(1, some / (order_ * std::int64_t(sizeof(T)) + 1));
    const auto owner = [rows](std::int32_t i, std::int32_t j) {
      const auto part = static_cast<std::int32_t>(i / rows);
      return blockfw::detail::OwnedEntry{part, static_cast<std::int32_t>(i - part * rows), j};
    };
    const auto parts = static_cast<int>(blockfw::detail::div_up(order_, rows));
    const auto [by_owner, range] = blockfw::detail::sort_by_owner<MinPlus<T>>(edges, order_, parts, owner, direction);
    require_safe_sums(order_, range);
    const Host exec;
    for (int part = 0; part < parts; ++part) {
      const std::int64_t first = part * rows, last = std::min(first + rows, order_);
      const auto d = Kokkos::subview(view(), Kokkos::pair(first, last), Kokkos::ALL);
      blockfw::detail::fill_part<MinPlus<T>>(exec, d, by_owner.of(static_cast<std::size_t>(part)));
      blockfw::detail::lower_diagonal<MinPlus<T>>(exec, d, first);
    }
    exec.fence("blockfw::fill");
    progress_ = {0, range.any_negative(), 0};
    if constexpr (std::is_integral_v<T>)
      if (range.any_negative()) progress_.longest = longest_path(order_, range);
    sync();
    record_.write(progress_);
  }

  /// \brief Solves the filled matrix, starting at the pivots of the last record.
  ///
  /// \param exec     where to solve: a device, to which chunks of rows are copied and back, or a host, in place
  /// \param options  as for out_of_core_floyd_warshall(), but that `negative` is known from fill()
  /// \param minutes  between checkpoints, which are made while the solve goes on
  /// \throws NegativeCycle, and removes the work file; OutOfMemory; FileError; what options.progress throws, after a
  ///         last checkpoint
  template <class TileShape = blockfw::TunedTile, class ExecSpace>
  OutOfCoreStats solve(const ExecSpace& exec, OutOfCoreOptions options = {}, double minutes = 5) {
    options.negative = progress_.negative;
    const std::int64_t start = pivots();
    std::int64_t done = start;
    std::future<void> under_way;
    Kokkos::Timer since;
    const auto checkpoint = [&](std::int64_t now) {
      done = std::max(done, now);
      if (done <= progress_.pivots || since.seconds() < 60 * minutes) return;
      if (under_way.valid() && under_way.wait_for(std::chrono::seconds(0)) != std::future_status::ready) return;
      if (under_way.valid()) under_way.get();
      since.reset();
      progress_.pivots = done;
      under_way = std::async(std::launch::async, [this, progress = progress_] {
        sync();
        record_.write(progress);
      });
    };
    const blockfw::detail::HostRows<T> rows(data_, order_, file_.number(), part_.string());
    OutOfCoreStats stats;
    const auto record = [&] {
      if (under_way.valid()) under_way.get();
      progress_.pivots = done;
      sync();
      record_.write(progress_);
    };
    try {
      if (start < order_)
        stats = blockfw::detail::solve_rows<blockfw::detail::TiledPhases<TileShape, ExecSpace, MinPlus<T>>>(
            exec, rows, options, start, checkpoint);
    } catch (...) {
      record();
      throw;
    }
    done = order_;
    record();
    if (progress_.negative) finish_negative();
    return stats;
  }

  /// \brief Brings the file to the disk and gives it its final name. \throws FileError
  void commit() {
    struct stat earlier;
    if (::stat(target_.c_str(), &earlier) == 0) ::fchmod(file_.number(), earlier.st_mode & 07777);
    sync();
    if (::rename(part_.c_str(), target_.c_str()) != 0) fail("cannot be renamed");
    record_.remove();
    detail::Record::sync_folder(target_);
  }

  /// Removes the work file.
  void discard() {
    if (file_) ::unlink(part_.c_str());
    record_.remove();
    progress_ = {};
    file_ = {};
  }

 private:
  static std::int64_t checked(std::int64_t n) {
    if (n < 0 || n > std::numeric_limits<std::int32_t>::max())
      throw InvalidInput("the number of vertices is " + std::to_string(n) + ", expected 0 to 2^31 - 1");
    return n;
  }
  [[noreturn]] void fail(const std::string& what) const {
    throw FileError(part_.string() + ": " + what + ": " + std::strerror(errno));
  }
  /// Brings the file to the disk. (The system reports a failed write only once; after that no record can be trusted.)
  void sync() {
    if (lost_) throw FileError(part_.string() + ": a part of it could not be brought to the disk");
    if (::fdatasync(file_.number()) == 0) return;
    lost_ = true;
    fail("cannot be brought to the disk");
  }
  /// Locks the file, and checks that it still has the name: another process may have renamed or removed it.
  void lock() const {
    struct stat own, named;
    if (::flock(file_.number(), LOCK_EX | LOCK_NB) != 0 || ::fstat(file_.number(), &own) != 0 ||
        ::stat(part_.c_str(), &named) != 0 || own.st_ino != named.st_ino)
      throw FileError(part_.string() + ": is in use by another process");
  }

  void make() {
    record_.write({});
    file_ = detail::Descriptor::open(part_, O_RDWR | O_CREAT | O_EXCL);
    if (!file_) {
      const int why = errno;
      record_.remove();
      errno = why;
      fail("cannot write");
    }
    lock();
    int reserved = 0;
    do reserved = bytes_ > 0 ? ::posix_fallocate(file_.number(), 0, static_cast<off_t>(bytes_)) : 0;
    while (reserved == EINTR);
    if (reserved == 0) return;
    discard();
    throw FileError(part_.string() + ": cannot write: " + std::strerror(reserved) + " (" + std::to_string(bytes_) +
                    " bytes are needed)");
  }

  void go_on() {
    lock();
    progress_ = record_.read(part_.string());
    if (progress_.pivots > order_)
      throw FileError(part_.string() + ".state: is of " + std::to_string(progress_.pivots) +
                      " vertices done, expected " + std::to_string(order_) + " or fewer; remove " + part_.string() +
                      " to start anew");
    struct stat status;
    if (::fstat(file_.number(), &status) != 0) fail("cannot open");
    if (filled() && static_cast<std::size_t>(status.st_size) != bytes_)
      throw FileError(part_.string() + ": has " + std::to_string(status.st_size) + " bytes, expected " +
                      std::to_string(bytes_) + "; remove it to start anew");
    if (filled()) return;
    ::unlink(part_.c_str());  // its process was stopped before the file was filled
    file_ = {};
    make();
  }

  void finish_negative() {
    using Host = Kokkos::DefaultHostExecutionSpace;
    const std::optional<T> longest =
        std::is_integral_v<T> ? std::optional(static_cast<T>(progress_.longest)) : std::nullopt;
    blockfw::detail::finish_rounds<MinPlus<T>>(
        blockfw::detail::Finish<MinPlus<T>>{true, longest},
        [&] {
          const auto vertex = find_negative_cycle(Host(), view());
          if (vertex) discard();
          return vertex;
        },
        [&](T limit) {
          mark_unreachable(Host(), view(), limit);
          Host().fence("blockfw::solve");
        });
  }

  std::filesystem::path target_, part_;
  detail::Record record_;
  detail::Progress progress_;
  std::int64_t order_;
  std::size_t bytes_;
  detail::Descriptor file_;
  T* data_ = nullptr;
  std::atomic<bool> lost_ = false;  ///< whether a write did not reach the disk
};

}  // namespace blockfw::io
