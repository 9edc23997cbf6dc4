// SPDX-License-Identifier: MIT
/// \file
/// \brief Distances in a file, which may be larger than the memory: filled, solved in place, and resumed if stopped.
#pragma once

#include "blockfw/detail/base/arithmetic.hpp"
#include "blockfw/detail/chunks/host_rows.hpp"
#include "blockfw/detail/io/distance_record.hpp"
#include "blockfw/detail/io/work_file.hpp"
#include "blockfw/detail/matrices/edge_entries.hpp"
#include "blockfw/detail/plan/finish.hpp"
#include "blockfw/detail/plan/narrow.hpp"
#include "blockfw/detail/plan/potentials.hpp"
#include "blockfw/detail/shares/edges_by_owner.hpp"
#include "blockfw/detail/shares/share_layout.hpp"
#include "blockfw/floyd_warshall.hpp"
#include "blockfw/ground/edge.hpp"
#include "blockfw/ground/error.hpp"
#include "blockfw/ground/matrix.hpp"
#include "blockfw/ground/options.hpp"
#include "blockfw/ground/semiring.hpp"
#include "blockfw/ground/weights.hpp"
#include "blockfw/out_of_core.hpp"

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <limits>
#include <ranges>
#include <string>
#include <type_traits>
#include <vector>

namespace blockfw::io {

/// Options of DistanceFile::fill().
struct FileOptions {
  /// With undirected every edge counts in both directions.
  Direction direction = Direction::directed;
  /// Whether integers may be held in fewer bits during the solve. A bound that is computed from the edges must show
  /// that all distances fit.
  bool narrow = true;
  /// As in SolveOptions.
  bool strict_cycles = false;
};

/// \brief An n x n matrix of distances in a file: PATH.part while it is worked on, PATH once it is done.
///
/// The destructor removes a work file that is not filled, as it is of no use, and keeps it otherwise. There are no
/// copies.
///
/// A record beside it, PATH.part.state, says how far the work has got. The process may be stopped at any time, by any
/// means. Another process with the same path and graph resumes from the last checkpoint. This needs no copy of the work
/// file: each of its entries is at any time the length of some path, or infinity, and entries only fall. So pivots that
/// were eliminated from some rows, or from parts of them, may be eliminated again. The final distances are the same
/// (sums of floats may round differently). Therefore a checkpoint brings the file to the disk, and then records the
/// pivots that had been eliminated from all rows before.
///
/// Integers that are known to fit 16 bits (int64 also 32) are held in only as many bits until the rounds are done. They
/// are packed at the file's start. Every pass over the file then moves half the bytes or less. In the end they are
/// widened in the file, from the last number to the first. This is done in steps that read and write different bytes of
/// the file, with a checkpoint after each step. So this part can be stopped at any time, too.
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

  template <class Entry>
  using RowsOf = Kokkos::View<Entry**, Kokkos::LayoutRight, Kokkos::HostSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;

 public:
  /// All distances, row by row.
  using View = RowsOf<T>;

  /// \brief Opens the work file of an earlier process, or makes a new file and reserves its disk space.
  /// \param path   the final name. A symbolic link stays, and the file that it points to is replaced.
  /// \param n      number of vertices
  /// \param graph  a line that identifies the graph. It must differ from the lines of other graphs.
  /// \throws FileError, which names the file and the remedy: no space, another graph's work file, a file in use;
  ///         InvalidInput for an n that is negative or above 2^31 - 1
  DistanceFile(const std::filesystem::path& path, std::int64_t n, const std::string& graph)
      : order_(checked(n)),
        file_(path, graph + ", " + detail::name_of_semiring<S>(),
              static_cast<std::size_t>(n) * static_cast<std::size_t>(n) * sizeof(T),
              [n](const detail::RecordedProgress& progress, const std::string& part) {
                require_possible(progress, n, part);
              }) {}

  /// The number of vertices.
  std::int64_t vertices() const { return order_; }
  /// The name of the work file.
  const std::filesystem::path& part() const { return file_.path(); }
  /// \brief The entries, in the mapped file. The system keeps as much of it in memory as it has room for.
  /// \throws InvalidInput while the entries are held in fewer bits: after fill(), and until solve() returns
  View view() const {
    require_wide();
    return entries();
  }
  /// Bits of the numbers that the rounds work on; fill() decides them.
  int bits() const { return progress().bits; }
  /// Whether the matrix is filled, by this process or an earlier one.
  bool filled() const { return progress().filled(); }
  /// The number of pivots that have been eliminated, according to the last record.
  std::int64_t pivots() const { return std::max<std::int64_t>(progress().pivots, 0); }

  /// \brief Fills the matrix as fill_from_edges() does, some rows at a time.
  /// \param list     container or rank-1 view of edges on the host
  /// \param options  the direction, fewer bits, strict cycles
  /// \throws as fill_from_edges(); OverflowRisk; InvalidInput for weights that the semiring does not accept. Floats,
  ///         and undirected edges that are negative: NegativeCycle (for longest paths DivergentCycle); the work file
  ///         is then removed.
  ///
  /// O(n² + edges). Memory: a copy of the edges.
  template <EdgeList List>
  void fill(const List& list, const FileOptions& options = {}) {
    const auto edges = blockfw::detail::view_of(list);
    constexpr std::int64_t some = std::int64_t(256) << 20;  // bytes
    const std::int64_t rows = std::max<std::int64_t>(1, some / (order_ * std::int64_t(sizeof(T)) + 1));
    const auto owner = [rows](std::int32_t i, std::int32_t j) {
      const auto part = static_cast<std::int32_t>(i / rows);
      return blockfw::detail::OwnedEntry{part, static_cast<std::int32_t>(i - part * rows), j};
    };
    const auto parts = static_cast<int>(blockfw::detail::div_up(order_, rows));
    const auto sorted = blockfw::detail::sort_by_owner<S>(edges, order_, parts, owner, options.direction);
    const WeightRange<T> range = sorted.second;
    require_safe_sums<S>(order_, range);
    blockfw::detail::require_accepted<S>(range);
    blockfw::detail::require_no_cycle_of_edge<S>(edges, range, options.direction);

    detail::RecordedProgress filled;
    filled.bits = wide_bits;
    if constexpr (Types::any)
      if (options.narrow && order_ >= blockfw::detail::narrow_from<Host> && !range.any_negative())
        filled.bits = sufficient_bits(edges, options.direction, range);
    if (filled.bits < wide_bits) filled.narrow = order_ * order_;
    held_in(filled.bits, [&]<Semiring Held>(Held) { fill_rows<Held>(sorted.first, rows); });
    filled.head = taken_potentials(range, options.strict_cycles);
    const auto finish = blockfw::detail::finish_of<S>(order_, range);
    filled.pivots = 0;
    filled.negative = finish.cycles;
    if constexpr (std::is_integral_v<T>)
      if (finish.limit) filled.limited = true, filled.limit = *finish.limit;
    file_.progress() = filled;
    file_.checkpoint();
  }

  /// \brief Solves the filled matrix, starting at the pivots of the last record.
  ///
  /// \param exec     where to solve. Chunks of rows are copied to a device and back; a host solves in place.
  /// \param options  as for solve_out_of_core(), except that fill() has decided on `narrow` and `strict_cycles`. While
  ///                 entries are widened, progress is called with all steps done.
  /// \param minutes  time between checkpoints. They are made while the solve goes on.
  /// \throws NegativeCycle (for other semirings than shortest paths DivergentCycle); the work file is then removed.
  ///         InvalidInput for options out of range; OutOfMemory; FileError; any exception of options.solve.progress,
  ///         after a last checkpoint.
  template <class TileShape = blockfw::TunedTile, class ExecSpace>
  OutOfCoreStats solve(const ExecSpace& exec, OutOfCoreOptions options = {}, double minutes = 5) {
    if (!(minutes >= 0))
      throw InvalidInput("the time between checkpoints is ", minutes, " minutes, expected 0 or more");
    blockfw::detail::require_dense(options.solve, "out of core");
    blockfw::detail::require_used(options.solve, {.progress = true, .meanwhile = true, .report = true},
                                  "DistanceFile::solve()");
    if (!options.solve.narrow && bits() < wide_bits)
      throw InvalidInput("the option narrow is false, expected it as an option of fill(), which has chosen ", bits(),
                         " bits");
    options.negative = progress().negative;
    const Kokkos::Timer timer;
    const auto n = static_cast<double>(order_);
    SolveReport report{.bits = progress().bits, .relaxes = n * n * (n - static_cast<double>(pivots()))};
    report.dense_relaxes = n * n * n;
    std::int64_t steps = 1;
    if (const Progress given = options.solve.progress)
      options.solve.progress = [given, &steps](std::int64_t done, std::int64_t all) { given(done, steps = all); };
    OutOfCoreStats stats;
    held_in(progress().narrow > 0 ? progress().bits : wide_bits, [&]<Semiring Held>(Held) {
      stats = rounds<Held, TileShape>(exec, options, minutes);
      if constexpr (sizeof(typename Held::value_type) < sizeof(T))
        detail::widen_file<typename Held::value_type, T>(file_, [&] {
          if (options.solve.progress) options.solve.progress(steps, steps);
        });
    });
    report.solve_seconds = timer.seconds();
    if (options.solve.report != nullptr) *options.solve.report = report;
    if (options.solve.meanwhile) options.solve.meanwhile();
    finish();
    return stats;
  }

  /// \brief Brings the file to the disk and gives it its final name. \throws FileError
  /// \throws InvalidInput before a solve of numbers of fewer bits
  void commit() {
    require_wide();
    file_.commit();
  }

  /// Removes the work file.
  void discard() { file_.discard(); }

 private:
  static std::int64_t checked(std::int64_t n) {
    if (n < 0 || n > std::numeric_limits<std::int32_t>::max())
      throw InvalidInput("the number of vertices is ", n, ", expected 0 to 2^31 - 1");
    return n;
  }
  /// Throws unless an earlier process may have recorded this progress with n vertices.
  static void require_possible(const detail::RecordedProgress& progress, std::int64_t n, const std::string& part) {
    if (progress.pivots > n)
      throw FileError(part, ".state: says that ", progress.pivots, " vertices are done, expected ", n,
                      " or fewer; remove ", part, " to start anew");
    // Until the rounds are done, either all entries are packed or none is.
    const std::int64_t bits = progress.bits, narrow = progress.narrow, entries = n * n;
    const bool is_type = bits == wide_bits || Types::has(progress.bits);
    if (progress.filled() && (!is_type || narrow < 0 || narrow > entries || (narrow > 0 && bits >= wide_bits) ||
                              (narrow > 0 && narrow < entries && progress.pivots < n) ||
                              (!progress.head.empty() && std::int64_t(progress.head.size()) * 8 != narrow * bits &&
                               !has_potentials(progress, n))))
      throw FileError(part + ".state: is damaged; remove " + part + " to start anew");
  }

  const detail::RecordedProgress& progress() const { return file_.progress(); }
  /// The mapped entries. While they are packed in fewer bits, they are not numbers of type T.
  template <class Entry = T>
  RowsOf<Entry> entries() const {
    return RowsOf<Entry>(static_cast<Entry*>(file_.data()), blockfw::detail::at(order_), blockfw::detail::at(order_));
  }
  void require_wide() const {
    if (progress().narrow > 0)
      throw InvalidInput(part().string(), ": holds numbers of ", progress().bits, " bits until it is solved");
  }

  /// Calls f with the semiring of the type that is held: S, or shortest paths in fewer bits.
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
    const blockfw::detail::HostHubDistances<T> distances("blockfw::hub_distances", static_cast<std::size_t>(order_));
    const auto bound = blockfw::detail::distance_bound_of_edges(
        order_, range, Types::limits(), [&] { return blockfw::detail::find_hub_of_edges(edges).first; },
        [&](const auto& best) {
          blockfw::detail::improve_hub_distances_by(Host(), edges, 0, direction, distances, best, best);
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
    const Host exec;
    for (std::size_t part = 0; part + 1 < parts.first.size(); ++part) {
      const std::int64_t first = static_cast<std::int64_t>(part) * rows, last = std::min(first + rows, order_);
      const auto d = Kokkos::subview(entries<Entry>(), Kokkos::pair(first, last), Kokkos::ALL);
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
    detail::Checkpoints checkpoints(file_, minutes);
    const blockfw::detail::HostRows rows(static_cast<Entry*>(file_.data()), order_, file_.number(), part().string());
    OutOfCoreStats stats;
    try {
      if (start < order_)
        stats = blockfw::detail::solve_rows<blockfw::detail::TiledPhases<TileShape, ExecSpace, Held>>(
            exec, rows, options, start, [&](std::int64_t done) { checkpoints.reached(done); });
    } catch (...) {
      checkpoints.finish();
      throw;
    }
    checkpoints.finish(order_);
    return stats;
  }

  /// Whether the head of the file holds potentials, of at least one vertex.
  static bool has_potentials(const detail::RecordedProgress& progress, std::int64_t n) {
    return blockfw::detail::may_cancel<S> && n > 0 &&
           progress.head.size() == static_cast<std::size_t>(n) * sizeof(double);
  }
  /// Decides on cycles of floats (see detail/graph/cycles.hpp). \return the potentials' bytes, or none
  std::string taken_potentials([[maybe_unused]] WeightRange<T> range, [[maybe_unused]] bool strict) {
    if constexpr (blockfw::detail::may_cancel<S>) try {
        const auto guard = blockfw::detail::guard_of<S>(Host(), entries(), range, strict, false);
        const std::vector<double>& numbers = guard.potentials();
        return std::string(reinterpret_cast<const char*>(numbers.data()), numbers.size() * sizeof(double));
      } catch (const DivergentCycle&) {
        discard();
        throw;
      }
    return {};
  }
  /// Puts the potentials back. A process that is stopped meanwhile leaves a record that says that the file is not
  /// filled.
  void restore_potentials() {
    if constexpr (blockfw::detail::may_cancel<S>) {
      if (!has_potentials(progress(), order_)) return;
      file_.record({});
      std::vector<double> potentials(static_cast<std::size_t>(order_));
      std::memcpy(potentials.data(), progress().head.data(), progress().head.size());
      const auto vertices = blockfw::detail::vertices_from(0, order_);
      blockfw::detail::apply_potentials(blockfw::detail::MatrixPart<T, Host>(Host(), view(), vertices, vertices),
                                        potentials, blockfw::detail::sign_of<S>(), true);
      file_.progress().head.clear();
      file_.checkpoint();
    }
  }

  void finish() {
    blockfw::detail::Finish<S> finish{progress().negative, {}};
    if (progress().limited) finish.limit = static_cast<T>(progress().limit);
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

  std::int64_t order_;
  detail::WorkFile file_;
};

}  // namespace blockfw::io
