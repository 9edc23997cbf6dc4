// SPDX-License-Identifier: MIT
/// \file
/// \brief A matrix in shares: the common part of several devices and several ranks. See multi_device.hpp and
/// distributed.hpp.
#pragma once

#include "blockfw/checks.hpp"
#include "blockfw/detail/backend/compiled.hpp"
#include "blockfw/detail/backend/memory.hpp"
#include "blockfw/detail/kernel/phases.hpp"
#include "blockfw/detail/kernel/rounds.hpp"
#include "blockfw/detail/kernel/tuned_tiles.hpp"
#include "blockfw/detail/loops/launch.hpp"
#include "blockfw/detail/matrices/copies.hpp"
#include "blockfw/detail/matrices/fill_part.hpp"
#include "blockfw/detail/numbers/operations_of.hpp"
#include "blockfw/detail/plan/cycle_of_edge.hpp"
#include "blockfw/detail/plan/finish.hpp"
#include "blockfw/detail/plan/narrow.hpp"
#include "blockfw/detail/plan/potentials.hpp"
#include "blockfw/detail/shares/edges_by_owner.hpp"
#include "blockfw/detail/shares/pivot_mirror.hpp"
#include "blockfw/detail/shares/place.hpp"
#include "blockfw/detail/shares/share_layout.hpp"
#include "blockfw/floyd_warshall.hpp"
#include "blockfw/ground/edge.hpp"
#include "blockfw/ground/error.hpp"
#include "blockfw/ground/matrix.hpp"
#include "blockfw/ground/options.hpp"
#include "blockfw/ground/progress.hpp"
#include "blockfw/ground/semiring.hpp"
#include "blockfw/ground/spaces.hpp"
#include "blockfw/ground/tile.hpp"
#include "blockfw/ground/weights.hpp"
#include "blockfw/share_answers.hpp"
#include "blockfw/symmetry.hpp"

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <ranges>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace blockfw {

/// \brief A matrix of distances in shares: RowBlocks, or DistributedMatrix. Each share is on one device or rank.
///
/// With ranks every function is collective; see ShareAnswers. During a solve a share also has panels. Half the work
/// takes twice the memory of the panels.
///
/// \tparam Over       type of the distances, for shortest paths, or a semiring
/// \tparam ExecSpace  of the shares
/// \tparam TileShape  the tile, as for blocked_floyd_warshall()
template <class Over, class ExecSpace,
          class TileShape = default_tile<ExecSpace, typename semiring_of<Over, void>::value_type>>
class MatrixInShares : public ShareAnswers<Over, ExecSpace> {
  using Base = ShareAnswers<Over, ExecSpace>;
  using Phase = Phases<TileShape, ExecSpace, typename Base::S>;

 protected:
  using Base::each, Base::exec_of, Base::for_each_block, Base::for_each_on_diagonal, Base::layout, Base::view_of,
      Base::where;
  using typename Base::Place, typename Base::S, typename Base::T;

 public:
  using Base::vertices, Base::shares;

  // Collective functions.

  /// \brief Fills the matrix as fill_from_edges() does. Each edge is sent only to the share that owns its entry.
  /// \tparam From      the type in which the weights are read: the type of the matrix, or a wider type. Lengths of a
  ///                   wider type are cut off at infinity of the matrix's type.
  /// \param edges      container or rank-1 view on the host. Each rank passes any part of the edges.
  /// \param options    the direction, and the number of this list's first edge among all edges
  /// \return the range of the weights of all edges
  /// \throws as fill_from_edges()
  template <class From = Over, EdgeList Edges>
  auto fill(const Edges& edges, const FillOptions& options = {}) {
    const auto spread = detail::spread_edges<semiring_of<From, void>>(where(), detail::view_of(edges),
                                                                      options.direction, options.first_edge);
    fill(spread);
    return spread.range;
  }

  /// \brief Fills the matrix with edges that are already at their shares. The weights may be of a wider type.
  /// \throws InvalidInput when the edges are spread for other shares
  template <class W, class Entries>
  void fill(const detail::SpreadEdges<W, Entries>& edges) {
    each([&](int s) {
      if (!detail::are_spread_for(edges, where()))
        throw InvalidInput("the edges are spread for other shares, with blocks of " + std::to_string(edges.rows) +
                           " rows, expected those of this matrix, with " + std::to_string(layout().down.block_rows()));
      detail::fill_part<S>(exec_of(s), view_of(s), edges.entries[where().index(s)]);
      lower_diagonal(s);
      exec_of(s).fence("blockfw::fill");
    });
  }

  /// \brief Copies from an n x n matrix of the same type on the host. d(i, j) is the length of the edge i → j, and
  /// S::zero() is no edge. With ranks each rank passes the matrix, and its share of it is read.
  /// \throws InvalidInput when the matrix is of another shape
  template <MatrixView Matrix>
  void copy_from(const Matrix& weights) {
    each([&](int s) {
      for_each_block(s, weights,
                     [&](const auto& own, const auto& there) { detail::copy_rows(exec_of(s), own, there); });
      exec_of(s).fence("blockfw::copy_from");
    });
  }

  /// \brief Fills the matrix with weights on the host, in the form of WeightsOf, some rows at a time. Lengths are cut
  /// off at infinity of the matrix's type. With ranks each rank passes the weights, and its share of them is read.
  template <class Weights>
  void fill_from_weights(const Weights& weights) {
    using Host = Kokkos::DefaultHostExecutionSpace;
    constexpr std::int64_t buffer_entries = std::int64_t(1) << 24;
    where().together([&] {
      for (const int s : where().own()) {
        const std::int64_t height = layout().rows(s), width = layout().columns(s),
                           at_once = std::max<std::int64_t>(1, buffer_entries / std::max<std::int64_t>(width, 1));
        const Kokkos::View<T**, Kokkos::LayoutRight, Kokkos::SharedHostPinnedSpace> buffer(
            Kokkos::view_alloc("blockfw::buffer", Kokkos::WithoutInitializing),
            static_cast<std::size_t>(std::min(at_once, height)), static_cast<std::size_t>(width));
        for (std::int64_t first = 0; first < height; first += at_once) {
          const std::int64_t count = std::min(at_once, height - first);
          detail::for_range("blockfw::weights", Host(), 0, count, [&](std::int64_t i) {
            const std::int64_t row = layout().row(s, first + i);
            layout().across.for_each_block(layout().column_part(s),
                                           [&](std::int64_t column, std::int64_t local, std::int64_t columns) {
                                             for (std::int64_t j = 0; j < columns; ++j)
                                               buffer(i, local + j) = detail::narrowed<S>(weights(row, column + j));
                                           });
          });
          detail::copy_rows(exec_of(s), Kokkos::subview(view_of(s), Kokkos::pair(first, first + count), Kokkos::ALL),
                            Kokkos::subview(buffer, Kokkos::pair(std::int64_t(0), count), Kokkos::ALL));
          exec_of(s).fence("blockfw::weights");  // before the next rows
        }
      }
    });
  }

  /// \brief Fills the matrix with solved distances, some rows at a time, on all shares at once.
  /// \param source    source.rows(share of this process, vertices) are the distances from these vertices, where the
  ///                  share's instance works. Their type is the matrix's, or a wider type.
  /// \param progress  called as progress(rows of this process's first share done, its rows), from the calling thread
  /// \throws OutOfMemory; the exceptions of source.rows()
  template <class Source>
  void fill_with_rows(const Source& source, const Progress& progress = {}) {
    each([&](int s) {
      const std::int64_t height = layout().rows(s);
      if (progress && height == 0 && s == where().first()) progress(1, 1);
      for (std::int64_t first = 0, count = 0; first < height; first += count) {
        count = std::min(source.at_once(), height - first);
        std::vector<std::int32_t> sources;
        sources.reserve(static_cast<std::size_t>(count));
        for (std::int64_t i = 0; i < count; ++i)
          sources.push_back(static_cast<std::int32_t>(layout().row(s, first + i)));
        const auto rows = source.rows(where().index(s), sources);
        layout().across.for_each_block(layout().column_part(s),
                                       [&](std::int64_t column, std::int64_t local, std::int64_t columns) {
                                         copy_narrowed(exec_of(s), rows, column, view_of(s), first, local, columns);
                                       });
        exec_of(s).fence("blockfw::rows");
        if (progress && s == where().first()) progress(first + count, height);
      }
    });
  }

  // (Public, as nvcc requires that of functions with a kernel in them.)

  /// Copies rows(i, column + j) to view(first + i, local + j), in the matrix's type, for each j < columns.
  template <class Rows, class View>
  static void copy_narrowed(const ExecSpace& exec, const Rows& rows, std::int64_t column, const View& view,
                            std::int64_t first, std::int64_t local, std::int64_t columns) {
    detail::for_square(
        "blockfw::rows", exec, rows.extent_int(0), columns, KOKKOS_LAMBDA(std::int64_t i, std::int64_t j) {
          view(first + i, local + j) = detail::narrowed<S>(rows(i, column + j));
        });
  }

  /// \brief blocked_floyd_warshall() on all shares at once. Their instances are fenced on return.
  ///
  /// A diagonal entry counts as S::one() unless it is better. In shortest paths it counts as 0 unless it is negative.
  ///
  /// \param options   direction: undirected for half the work. The matrix must be known to be symmetric, and the ⊗ of
  ///                  the semiring must be commutative. Ranks must then have neighbouring rows; see
  ///                  DistributedMatrix::neighbouring_rows(). A share has memory for the pivots' rows that travel.
  ///                  progress: called as progress(rounds done, rounds in all) after each group of rounds, from the
  ///                  calling thread, on each rank that sets it. With ranks it must not throw.
  /// \param negative  whether an entry may be negative, in any share
  /// \throws OutOfMemory when panels do not fit; InvalidInput for undirected without these conditions; RankError; with
  ///         devices, the first error of any device
  void floyd_warshall(const TaskOptions& options = {}, bool negative = true) {
    const bool half = options.direction == Direction::undirected;
    where().require_same({half}, "directions");
    if (half && !detail::is_commutative<S>)
      throw InvalidInput("half the work for an undirected graph needs a semiring whose member commutative is true");
    if (half && !layout().has_neighbouring_rows())
      throw InvalidInput(
          "half the work for an undirected graph needs a grid of one column whose ranks have neighbouring rows, as "
          "neighbouring_rows() makes it");
    queue_rounds(options, negative);
    if (shares() == 1) exec_of(0).fence("blockfw::floyd_warshall");
  }

  /// \brief Solves a filled matrix whose range of weights is known, as solve_distances() does.
  /// \param range    the result of fill()
  /// \param options  progress, meanwhile and report, each on the ranks that set it. direction: if it is undirected, on
  ///                 all ranks, the matrix is symmetric. strict_cycles, if it is set on any rank. narrow is not used.
  /// \throws OverflowRisk, NegativeCycle with a vertex on the cycle, the same on all ranks; for other semirings than
  ///         shortest paths, DivergentCycle; InvalidInput for Method::sparse
  void solve(WeightRange<T> range, const SolveOptions& options = {}) {
    where().together([&] { detail::require_dense(options, where().name()); });
    if (options.report != nullptr) *options.report = {};
    const Kokkos::Timer timer;
    require_safe_sums<S>(vertices(), range);
    detail::require_accepted<S>(range);
    require_no_cycle_of_edge(range, options.direction);
    auto cycles = guard_of(range, options.strict_cycles);
    const bool half = where().reduced(int(half_pays(options.direction)), detail::Reduction::least) == 1;
    const auto direction = half ? Direction::undirected : Direction::directed;
    const bool negative = !std::is_same_v<S, MinPlus<T>> || range.any_negative();
    queue_rounds({direction, options.progress}, negative);
    const auto n = static_cast<double>(vertices());
    const double relaxes = n * n * n * (half ? 0.5 : 1);
    detail::report_queued(options,
                          {.bits = 8 * int(sizeof(T)), .half = half, .relaxes = relaxes, .dense_relaxes = relaxes});
    if (shares() == 1) exec_of(0).fence("blockfw::solve");
    const auto find = [&] { return vertex_on_cycle(); };
    if (cycles.again(find)) floyd_warshall({direction, options.progress}, negative);
    detail::finish_rounds<S>(detail::finish_of<S>(vertices(), range), find, [&](T limit) {
      each([&](int s) {
        mark_unreachable<S>(exec_of(s), view_of(s), limit);
        exec_of(s).fence("blockfw::solve");
      });
    });
    cycles.restore();
    if (options.report != nullptr) options.report->solve_seconds = timer.seconds();
  }

 protected:
  /// \brief Memory for the distances, not yet filled.
  /// \throws OutOfMemory, which names the share, when one does not fit
  explicit MatrixInShares(std::shared_ptr<const Place> there) : Base(std::move(there)) {
    require_memory(where());
    each([&](int s) {
      const auto columns = layout().columns(s);
      const Kokkos::View<T**, Kokkos::LayoutRight, typename ExecSpace::memory_space> padded(
          Kokkos::view_alloc(exec_of(s), "blockfw::share", Kokkos::WithoutInitializing),
          static_cast<std::size_t>(layout().rows(s)),
          static_cast<std::size_t>(detail::leading_dimension<ExecSpace>(columns, sizeof(T))));
      if constexpr (is_host_space<ExecSpace>) detail::prefer_large_pages(padded.data(), padded.size() * sizeof(T));
      this->set_view(s, Kokkos::subview(padded, Kokkos::ALL, Kokkos::pair(std::int64_t(0), columns)));
    });
  }

  /// Checks that the shares of a place would fit.
  static void require_memory(const Place& there) {
    const detail::ShareLayout& map = there.layout();
    there.require_memory([&](int s) {
      const auto rows = static_cast<double>(map.rows(s)),
                 columns = static_cast<double>(detail::leading_dimension<ExecSpace>(map.columns(s), sizeof(T)));
      return detail::ShareBytes{rows * columns * sizeof(T), map.shares() > 1
                                                                ? panel_bytes(map, s)
                                                                : detail::workspace_bytes<T>(there.exec(s), map.order)};
    });
  }

  /// Sizes of the numbers, for a layout.
  static detail::TileBytes tile_bytes() {
    return {Phase::block, sizeof(T),
            [](std::int64_t height, std::int64_t width) { return Phase::GroupStorage::bytes(height, width, 1); }};
  }

 private:
  /// Does all rounds, for floyd_warshall(). The rounds of a single share are only queued.
  void queue_rounds(const TaskOptions& options, bool negative) {
    each([&](int s) { lower_diagonal(s); });
    if (shares() == 1) {
      using Tile = std::conditional_t<std::is_same_v<TileShape, default_tile<ExecSpace, T>>, TunedTile, TileShape>;
      blocked_floyd_warshall<Tile, S>(exec_of(0), view_of(0), options);
      return;
    }
    using Numbers = detail::OperationsOf<Phase, ExecSpace>;
    detail::ShareRounds<ExecSpace> work;
    work.groups = layout().groups();
    work.half = options.direction == Direction::undirected;
    work.numbers = [&](int s) {
      return std::make_unique<Numbers>(exec_of(s), GroupStorageOptions{.order = static_cast<int>(vertices()),
                                                                       .height = view_of(s).extent_int(0),
                                                                       .width = view_of(s).extent_int(1),
                                                                       .rounds = layout().kept_rounds,
                                                                       .negative = negative});
    };
    work.block = [&](int s) { return Numbers::block(typename Phase::Ref(view_of(s))); };
    work.groups_done = [&](const ExecSpace& exec, int groups) {
      if (!options.progress) return;
      exec.fence("blockfw::progress");
      options.progress(work.groups[static_cast<std::size_t>(groups - 1)].last() + 1, layout().down.tiles());
    };
    where().rounds(work);
  }

  void lower_diagonal(int s) const {
    for_each_on_diagonal(s,
                         [&](const auto& square, std::int64_t) { detail::lower_diagonal<S>(exec_of(s), square, 0); });
  }

  /// The first vertex whose distance to itself diverges, if any does. The result is the same on all ranks.
  std::optional<std::int64_t> vertex_on_cycle() const {
    std::int64_t vertex = vertices();
    for (const int s : where().own())
      for_each_on_diagonal(s, [&](const auto& square, std::int64_t first) {
        if (const auto found = find_negative_cycle<S>(exec_of(s), square)) vertex = std::min(vertex, first + *found);
      });
    vertex = where().reduced(vertex, detail::Reduction::least);
    return vertex < vertices() ? std::optional(vertex) : std::nullopt;
  }

  /// The vertices of the rows of a share, and of its columns.
  std::vector<std::int32_t> vertices_of_rows(int s) const {
    return listed(layout().rows(s), [&](std::int64_t i) { return layout().row(s, i); });
  }
  std::vector<std::int32_t> vertices_of_columns(int s) const {
    return listed(layout().columns(s), [&](std::int64_t j) { return layout().column(s, j); });
  }
  template <class Vertex>
  static std::vector<std::int32_t> listed(std::int64_t count, const Vertex& vertex) {
    std::vector<std::int32_t> all;
    all.reserve(static_cast<std::size_t>(count));
    for (std::int64_t i = 0; i < count; ++i) all.push_back(static_cast<std::int32_t>(vertex(i)));
    return all;
  }

  /// Throws if an edge of a graph that is undirected on all ranks is a cycle by itself.
  void require_no_cycle_of_edge(WeightRange<T> range, Direction direction) const {
    if (!detail::may_be_cycles<S>(range, Direction::undirected) ||
        where().reduced(int(direction == Direction::undirected), detail::Reduction::least) == 0)
      return;
    const std::int64_t n = vertices();
    std::int64_t first = n * n;
    for (const int s : where().own())
      first = std::min(first, detail::first_cycle_of_entry<S>(exec_of(s), view_of(s), vertices_of_rows(s),
                                                              vertices_of_columns(s), n));
    detail::require_no_cycle_of_entry<S>(where().reduced(first, detail::Reduction::least), n);
  }

  /// Decides on cycles of floats; see detail/graph/cycles.hpp.
  detail::GuardOf<S, ExecSpace> guard_of([[maybe_unused]] WeightRange<T> range, [[maybe_unused]] bool strict) const {
    if constexpr (detail::may_cancel<S>)
      if (detail::cancels<S>(range)) {
        std::vector<detail::MatrixPart<T, ExecSpace>> parts;
        for (const int s : where().own())
          parts.emplace_back(exec_of(s), view_of(s), vertices_of_rows(s), vertices_of_columns(s));
        const bool on_any = where().reduced(int(strict), detail::Reduction::most) != 0;
        return {vertices(),
                range,
                std::move(parts),
                on_any,
                true,
                [this](std::vector<double>& numbers) { where().reduce(numbers, detail::Reduction::least); }};
      }
    return {};
  }

  /// Bytes of the panels of a share's groups, and of the square of a group's pivots.
  static double panel_bytes(const detail::ShareLayout& map, int s) {
    return Phase::GroupStorage::bytes(map.rows(s), map.columns(s), map.kept_rounds) +
           Phase::PanelStorage::bytes(map.most_pivots(), map.most_pivots());
  }

  /// Whether half the work takes less time for this process's shares, and there is memory for the pivots' rows that
  /// travel.
  bool half_pays(Direction direction) const {
    if (!detail::is_commutative<S> || !layout().has_neighbouring_rows() ||
        vertices() < detail::half_from<ExecSpace> * shares())
      return false;
    if (shares() == 1)  // (no rows travel)
      return direction == Direction::undirected || is_symmetric(exec_of(0), view_of(0));
    if (direction == Direction::directed) return false;
    for (const int s : where().own()) {
      const double bytes =
          detail::PivotMirror<ExecSpace>::bytes(layout().rows(s), vertices(), layout().most_pivots(), sizeof(T)) +
          panel_bytes(layout(), s);
      if ((is_host_space<ExecSpace> ? shares() : 1) * bytes > detail::available_bytes(exec_of(s))) return false;
    }
    return true;
  }
};

}  // namespace blockfw

/// The shares of a matrix, on devices and on ranks.
#define BLOCKFW_COMPILED_SHARES(LINKAGE, S) \
  LINKAGE template class blockfw::MatrixInShares<blockfw::detail::compiled::Value<S>, blockfw::detail::compiled::Exec>;

#if defined(BLOCKFW_COMPILED)
BLOCKFW_COMPILED_INT8(BLOCKFW_COMPILED_SHARES, extern)
BLOCKFW_COMPILED_SHORTEST(BLOCKFW_COMPILED_SHARES, extern)
#endif
