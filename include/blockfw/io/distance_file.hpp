// SPDX-License-Identifier: MIT
/// \file
/// \brief Distances in a file, which may be larger than the memory: filled, solved in place, and resumed if stopped.
#pragma once

#include "blockfw/detail/devices/edges_by_owner.hpp"
#include "blockfw/detail/devices/hub_of_edges.hpp"
#include "blockfw/detail/in_threads.hpp"
#include "blockfw/detail/out_of_core/host_rows.hpp"
#include "blockfw/detail/out_of_core/narrow_rows.hpp"
#include "blockfw/detail/plan/finish.hpp"
#include "blockfw/detail/plan/narrow.hpp"
#include "blockfw/detail/plan/potentials.hpp"
#include "blockfw/detail/rounding.hpp"
#include "blockfw/edges.hpp"
#include "blockfw/error.hpp"
#include "blockfw/io/detail/descriptor.hpp"
#include "blockfw/io/output_file.hpp"
#include "blockfw/out_of_core.hpp"
#include "blockfw/semiring.hpp"
#include "blockfw/weights.hpp"

#include <Kokkos_Core.hpp>

#include <cxxabi.h>
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
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <future>
#include <limits>
#include <memory>
#include <optional>
#include <ranges>
#include <sstream>
#include <string>
#include <system_error>
#include <thread>
#include <type_traits>
#include <typeinfo>
#include <utility>
#include <vector>

namespace blockfw::io {

namespace detail {

/// \brief The state of a work file: how far its solve has got.
struct Progress {
  std::int64_t pivots = -1;  ///< eliminated from all rows; -1: the file is not filled
  bool negative = false;     ///< whether an edge may be negative, or a cycle diverge
  bool limited = false;      ///< whether entries beyond `limit` stand for "no path"
  std::int64_t limit = 0;
  int bits = 0;             ///< of the numbers that the rounds work on
  std::int64_t narrow = 0;  ///< of the first entries, that many are held in these bits, packed; the others are wide
  /// A copy of the packed entries, once they are so few that a record holds them; or, of floats, the potentials that
  /// were taken out of the weights.
  std::string head = {};
};

/// The name of the semiring in a record: of shortest paths the type of the distances.
template <Semiring S>
std::string name_of_semiring() {
  if constexpr (std::is_same_v<S, MinPlus<typename S::value_type>>) {
    return blockfw::type_name<typename S::value_type>();
  } else {
    int status = 0;
    const std::unique_ptr<char, void (*)(void*)> name(abi::__cxa_demangle(typeid(S).name(), nullptr, nullptr, &status),
                                                      std::free);
    return status == 0 ? name.get() : typeid(S).name();
  }
}

/// \brief A small file that holds the graph and Progress of a work file; each write replaces it as a whole.
class Record {
 public:
  Record(std::filesystem::path path, std::string graph) : path_(std::move(path)), graph_(std::move(graph)) {}

  /// The most bytes of a head.
  static constexpr std::size_t most_head = std::size_t(1) << 20;
  /// The most bytes of potentials.
  static constexpr std::size_t most_potentials = std::size_t(1) << 30;

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
    std::size_t head = 0;
    file >> name >> progress.pivots >> name >> progress.negative >> name >> progress.limited >> name >>
        progress.limit >> name >> progress.bits >> name >> progress.narrow >> name >> head;
    if (file && head <= most_potentials) {
      file.get();
      progress.head.resize(head);
      file.read(progress.head.data(), static_cast<std::streamsize>(head));
    }
    if (!file || head > most_potentials) throw FileError(path_.string() + ": is damaged" + remedy);
    return progress;
  }

  /// Writes the record, which is on the disk when this returns. \throws FileError
  void write(const Progress& progress) const {
    std::ostringstream text;
    text << title() << '\n'
         << graph_ << "\npivots " << progress.pivots << "\nnegative " << progress.negative << "\nlimited "
         << progress.limited << "\nlimit " << progress.limit << "\nbits " << progress.bits << "\nnarrow "
         << progress.narrow << "\nhead " << progress.head.size() << '\n'
         << progress.head;
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
  static std::string title() { return "blockfw: distances to be gone on with, 2"; }

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
/// Integers that are known to fit 16 bits (int64 also 32) are held in these until the rounds are done, packed at the
/// file's start: every pass over the file moves half the bytes or less. In the end they are widened in the file, from
/// the last one on, in steps that read and write different bytes of it, with a checkpoint after each. So this part can
/// be stopped at any time, too.
///
/// \code
///   blockfw::io::DistanceFile<int> file("distances", n, "a ring of 600");  // only the same graph is resumed
///   if (!file.filled()) file.fill(edges);
///   file.solve(exec, {.memory = 4e9});
///   file.commit();
/// \endcode
///
/// \tparam Over  type of the distances, for shortest paths, or a semiring
template <class Over>
class DistanceFile {
  using S = semiring_of<Over, void>;
  using T = typename S::value_type;
  using Host = Kokkos::DefaultHostExecutionSpace;
  using Types = blockfw::detail::HeldLadder<S>;
  static constexpr int wide_bits = 8 * int(sizeof(T));

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
        record_(part_.string() + ".state", graph + ", " + detail::name_of_semiring<S>()),
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
  /// \brief The entries: the mapped file, of which the system keeps in memory as much as it has room for.
  /// \throws InvalidInput while they are held in fewer bits: after fill(), and until solve() returns
  View view() const {
    require_wide();
    return View(data_, static_cast<std::size_t>(order_), static_cast<std::size_t>(order_));
  }
  /// Bits of the numbers that the rounds work on, which fill() decides.
  int bits() const { return progress_.bits; }
  /// Whether the matrix is filled, by this process or an earlier one.
  bool filled() const { return progress_.pivots >= 0; }
  /// The number of pivots that have been eliminated, according to the last record.
  std::int64_t pivots() const { return std::max<std::int64_t>(progress_.pivots, 0); }

  /// \brief Fills the matrix as fill_from_edges() does, some rows at a time.
  /// \param edges      rank-1 view on the host, or a host container
  /// \param direction  with undirected each edge counts in both directions
  /// \param narrow     whether integers may be held in fewer bits during the solve, if a bound that is worked out over
  ///                   the edges shows that all distances fit
  /// \param strict_cycles  as in SolveOptions
  /// \throws as fill_from_edges(); OverflowRisk; InvalidInput for weights that the semiring does not accept; of floats,
  ///         unless strict_cycles is set, NegativeCycle (for longest paths DivergentCycle), and removes the work file
  ///
  /// O(n² + edges). Memory: a copy of the edges.
  template <std::ranges::contiguous_range Edges>
  void fill(const Edges& edges, Direction direction = Direction::directed, bool narrow = true,
            bool strict_cycles = false) {
    fill(blockfw::detail::view_of(edges), direction, narrow, strict_cycles);
  }
  /// \brief The same for edges in a view.
  template <class Edges>
    requires Kokkos::is_view_v<Edges>
  void fill(const Edges& edges, Direction direction = Direction::directed, bool narrow = true,
            bool strict_cycles = false) {
    constexpr std::int64_t some = std::int64_t(256) << 20;  // bytes
    const std::int64_t rows = std::max<std::int64_t>(1, some / (order_ * std::int64_t(sizeof(T)) + 1));
    const auto owner = [rows](std::int32_t i, std::int32_t j) {
      const auto part = static_cast<std::int32_t>(i / rows);
      return blockfw::detail::OwnedEntry{part, static_cast<std::int32_t>(i - part * rows), j};
    };
    const auto parts = static_cast<int>(blockfw::detail::div_up(order_, rows));
    const auto sorted = blockfw::detail::sort_by_owner<S>(edges, order_, parts, owner, direction);
    const WeightRange<T> range = sorted.second;
    require_safe_sums<S>(order_, range);
    blockfw::detail::require_accepted<S>(range);

    detail::Progress filled;
    filled.bits = wide_bits;
    if constexpr (Types::any)
      if (narrow && order_ >= blockfw::detail::narrow_from<Host> && !range.any_negative())
        filled.bits = sufficient_bits(edges, direction, range);
    if (filled.bits < wide_bits) filled.narrow = entries();
    held_in(filled.bits, [&]<Semiring Held>(Held) { fill_rows<Held>(sorted.first, rows); });
    filled.head = taken_potentials(range, strict_cycles);
    const auto finish = blockfw::detail::finish_of<S>(order_, range);
    filled.pivots = 0;
    filled.negative = finish.cycles;
    if constexpr (std::is_integral_v<T>)
      if (finish.limit) filled.limited = true, filled.limit = *finish.limit;
    progress_ = filled;
    sync();
    record_.write(progress_);
  }

  /// \brief Solves the filled matrix, starting at the pivots of the last record.
  ///
  /// \param exec     where to solve: a device, to which chunks of rows are copied and back, or a host, in place
  /// \param options  as for solve_out_of_core(), but that fill() has decided on `narrow` and `strict_cycles`. While
  /// entries are widened,
  ///                 progress is called with all steps done.
  /// \param minutes  between checkpoints, which are made while the solve goes on
  /// \throws NegativeCycle (for other semirings than shortest paths DivergentCycle), and removes the work file;
  ///         InvalidInput for options out of range; OutOfMemory; FileError; what options.progress throws, after a last
  ///         checkpoint
  template <class TileShape = blockfw::TunedTile, class ExecSpace>
  OutOfCoreStats solve(const ExecSpace& exec, OutOfCoreOptions options = {}, double minutes = 5) {
    if (!(minutes >= 0))
      throw InvalidInput("the time between checkpoints is " + std::to_string(minutes) + " minutes, expected 0 or more");
    blockfw::detail::require_unused(options.strict_cycles, "strict_cycles", "DistanceFile::solve() after fill()");
    options.negative = progress_.negative;
    const Kokkos::Timer timer;
    const auto n = static_cast<double>(order_);
    SolveReport report{.bits = progress_.bits, .relaxes = n * n * (n - static_cast<double>(pivots()))};
    report.dense_relaxes = n * n * n;
    std::int64_t steps = 1;
    if (const Progress given = options.progress)
      options.progress = [given, &steps](std::int64_t done, std::int64_t all) { given(done, steps = all); };
    OutOfCoreStats stats;
    held_in(progress_.narrow > 0 ? progress_.bits : wide_bits, [&]<Semiring Held>(Held) {
      stats = rounds<Held, TileShape>(exec, options, minutes);
      if constexpr (sizeof(typename Held::value_type) < sizeof(T))
        widen<typename Held::value_type>([&] {
          if (options.progress) options.progress(steps, steps);
        });
    });
    report.solve_seconds = timer.seconds();
    if (options.report != nullptr) *options.report = report;
    if (options.meanwhile) options.meanwhile();
    finish();
    return stats;
  }

  /// \brief Brings the file to the disk and gives it its final name. \throws FileError
  /// \throws InvalidInput before a solve of numbers of fewer bits
  void commit() {
    require_wide();
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
  std::int64_t entries() const { return order_ * order_; }
  void require_wide() const {
    if (progress_.narrow > 0)
      throw InvalidInput(part_.string() + ": holds numbers of " + std::to_string(progress_.bits) +
                         " bits until it is solved");
  }

  /// Calls f with the semiring in the type that is held: S, or shortest paths in fewer bits.
  template <class F>
  static void held_in([[maybe_unused]] int bits, const F& f) {
    const bool narrower = Types::find([&]<class Small>(Small) {
      if (bits != 8 * int(sizeof(Small))) return false;
      f(MinPlus<Small>());
      return true;
    });
    if (!narrower) f(S());
  }

  /// The fewest bits that are known to hold all distances.
  template <class Edges>
  int sufficient_bits(const Edges& edges, Direction direction, WeightRange<T> range) const {
    const blockfw::detail::HostHubLines<T> lines("blockfw::hub_lines", static_cast<std::size_t>(order_));
    const auto bound = blockfw::detail::distance_bound_of_edges(
        order_, range, Types::limits(), [&] { return blockfw::detail::find_hub_of_edges(edges).first; },
        [&](const auto& best) {
          blockfw::detail::improve_hub_lines_by(Host(), edges, 0, direction, lines, best, best);
        });
    int bits = wide_bits;
    Types::take(bound, [&]<class Small>(Small) {
      bits = 8 * int(sizeof(Small));
      return true;
    });
    return bits;
  }

  /// Fills the rows, packed in the type of Held.
  template <Semiring Held, class Parts>
  void fill_rows(const Parts& parts, std::int64_t rows) const {
    using Entry = typename Held::value_type;
    using Rows = Kokkos::View<Entry**, Kokkos::LayoutRight, Kokkos::HostSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
    const auto n = static_cast<std::size_t>(order_);
    const Rows all(reinterpret_cast<Entry*>(data_), n, n);
    const Host exec;
    for (std::size_t part = 0; part + 1 < parts.first.size(); ++part) {
      const std::int64_t first = static_cast<std::int64_t>(part) * rows, last = std::min(first + rows, order_);
      const auto d = Kokkos::subview(all, Kokkos::pair(first, last), Kokkos::ALL);
      blockfw::detail::fill_part<Held>(exec, d, parts.of(part));
      blockfw::detail::lower_diagonal<Held>(exec, d, first);
    }
    exec.fence("blockfw::fill");
  }

  /// The rounds that are left, in the type of Held.
  template <Semiring Held, class TileShape, class ExecSpace>
  OutOfCoreStats rounds(const ExecSpace& exec, const OutOfCoreOptions& options, double minutes) {
    using Entry = typename Held::value_type;
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
    const blockfw::detail::HostRows<Entry> rows(reinterpret_cast<Entry*>(data_), order_, file_.number(),
                                                part_.string());
    OutOfCoreStats stats;
    const auto record = [&] {
      if (under_way.valid()) under_way.get();
      progress_.pivots = done;
      sync();
      record_.write(progress_);
    };
    try {
      if (start < order_)
        stats = blockfw::detail::solve_rows<blockfw::detail::TiledPhases<TileShape, ExecSpace, Held>>(
            exec, rows, options, start, checkpoint);
    } catch (...) {
      record();
      throw;
    }
    done = order_;
    record();
    return stats;
  }

  /// \brief Widens the packed numbers of type Small, from the last one on.
  ///
  /// Of h packed entries, those from h / (ratio of the sizes) on become wide at once: what is read ends before byte
  /// h * sizeof(Small), and what is written starts there. So each such step can be done again, until it is recorded.
  /// The first entries, which would overlap in the end, are recorded themselves.
  /// \param tick  called now and then
  template <class Small, class Tick>
  void widen(const Tick& tick) {
    constexpr auto ratio = static_cast<std::int64_t>(sizeof(T) / sizeof(Small));
    constexpr auto most_head = static_cast<std::int64_t>(detail::Record::most_head / sizeof(Small));
    // (Of rows of one entry.)
    const blockfw::detail::HostRows<Small> narrow(nullptr, 1, file_.number(), part_.string());
    const blockfw::detail::HostRows<T> wide(nullptr, 1, file_.number(), part_.string());
    while (progress_.narrow > most_head) {
      const std::int64_t last = progress_.narrow, first = blockfw::detail::div_up(last, ratio);
      widen_entries(narrow, wide, first, last, tick);
      sync();
      progress_.narrow = first;
      record_.write(progress_);
    }
    const std::int64_t count = progress_.narrow;
    std::vector<Small> head(static_cast<std::size_t>(count));
    if (progress_.head.empty()) {
      narrow.read(0, count, head.data());
      progress_.head.assign(reinterpret_cast<const char*>(head.data()), head.size() * sizeof(Small));
      record_.write(progress_);
      tick();
    }
    std::memcpy(head.data(), progress_.head.data(), progress_.head.size());
    std::vector<T> numbers(head.size());
    blockfw::detail::widen_entries(head.data(), count, numbers.data());
    wide.write(0, count, numbers.data());
    sync();
    progress_.narrow = 0;
    progress_.head.clear();
    record_.write(progress_);
  }

  /// Widens entries [first, last) in the file, by several threads.
  template <class Small, class Tick>
  static void widen_entries(const blockfw::detail::HostRows<Small>& narrow, const blockfw::detail::HostRows<T>& wide,
                            std::int64_t first, std::int64_t last, const Tick& tick) {
    constexpr std::int64_t at_once = 1 << 18, between_ticks = 64;
    const int threads = static_cast<int>(std::clamp(std::thread::hardware_concurrency(), 1u, 8u));
    for (std::int64_t slice = first; slice < last; slice += threads * between_ticks * at_once) {
      const std::int64_t end = std::min(last, slice + threads * between_ticks * at_once);
      blockfw::detail::in_threads(threads, [&](int thread) {
        std::vector<Small> from(static_cast<std::size_t>(at_once));
        std::vector<T> to(static_cast<std::size_t>(at_once));
        for (std::int64_t e = slice + thread * at_once; e < end; e += threads * at_once) {
          const std::int64_t count = std::min(at_once, end - e);
          narrow.read(e, count, from.data());
          blockfw::detail::widen_entries(from.data(), count, to.data());
          wide.write(e, count, to.data());
        }
      });
      tick();
    }
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
    // All entries are packed, or none, until the rounds are done.
    const std::int64_t bits = progress_.bits, narrow = progress_.narrow;
    const bool is_type = bits == wide_bits || Types::has(bits);
    if (filled() &&
        (!is_type || narrow < 0 || narrow > entries() || (narrow > 0 && bits >= wide_bits) ||
         (narrow > 0 && narrow < entries() && progress_.pivots < order_) ||
         (!progress_.head.empty() && std::int64_t(progress_.head.size()) * 8 != narrow * bits && !has_potentials())))
      throw FileError(part_.string() + ".state: is damaged; remove " + part_.string() + " to start anew");
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

  /// Whether the head is potentials, of one vertex at least.
  bool has_potentials() const {
    return blockfw::detail::may_cancel<S> && order_ > 0 &&
           progress_.head.size() == static_cast<std::size_t>(order_) * sizeof(double);
  }
  /// Decides on cycles of floats (see detail/graph/cycles.hpp). \return the potentials' bytes, or none
  std::string taken_potentials([[maybe_unused]] WeightRange<T> range, [[maybe_unused]] bool strict) {
    if constexpr (blockfw::detail::may_cancel<S>) try {
        const View all(data_, static_cast<std::size_t>(order_), static_cast<std::size_t>(order_));
        const auto guard = blockfw::detail::guard_of<S>(Host(), all, range, strict, false);
        const std::vector<double>& numbers = guard.potentials();
        return std::string(reinterpret_cast<const char*>(numbers.data()), numbers.size() * sizeof(double));
      } catch (const DivergentCycle&) {
        discard();
        throw;
      }
    return {};
  }
  /// Puts the potentials back. A process that is stopped meanwhile leaves a record of a file that is not filled.
  void restore_potentials() {
    if constexpr (blockfw::detail::may_cancel<S>) {
      if (!has_potentials()) return;
      record_.write({});
      std::vector<double> potentials(static_cast<std::size_t>(order_));
      std::memcpy(potentials.data(), progress_.head.data(), progress_.head.size());
      const auto vertices = blockfw::detail::vertices_from(0, order_);
      blockfw::detail::apply_potentials(blockfw::detail::MatrixPart<T, Host>(Host(), view(), vertices, vertices),
                                        potentials, blockfw::detail::sign_of<S>(), true);
      sync();
      progress_.head.clear();
      record_.write(progress_);
    }
  }

  void finish() {
    blockfw::detail::Finish<S> finish{progress_.negative, {}};
    if (progress_.limited) finish.limit = static_cast<T>(progress_.limit);
    blockfw::detail::finish_rounds<S>(
        finish,
        [&] {
          const auto vertex = find_negative_cycle<S>(Host(), view());
          if (vertex) discard();
          return vertex;
        },
        [&](T limit) {
          mark_unreachable<S>(Host(), view(), limit);
          Host().fence("blockfw::solve");
        });
    restore_potentials();
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
