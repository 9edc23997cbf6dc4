// SPDX-License-Identifier: MIT
/// \file
/// \brief MPI ranks solve one matrix: a block-cyclic map spreads its tiles over a process grid, down and across.
///
/// \code
///   int level, rank, ranks;
///   MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level);
///   const Kokkos::ScopeGuard kokkos(argc, argv);
///   const auto d = blockfw::solve(MPI_COMM_WORLD, n, my_edges);  // each rank has some of the edges
///   const int minutes = d.distance(0, n - 1);                    // on every rank, as all answers
///
///   // The same step by step, in the type of the distances:
///   blockfw::DistributedMatrix<int> m(MPI_COMM_WORLD, n);
///   m.solve(m.fill(my_edges));
///   auto local = m.local();  // this rank's share: local(i, j) is the distance from m.row(i) to m.column(j)
/// \endcode
///
/// This header needs the package's component `mpi`: find_package(blockfw COMPONENTS mpi), target blockfw::mpi. The
/// program initialises MPI, with at least MPI_THREAD_FUNNELED, and finalises it. Run one rank per core, one per device,
/// or any number of threads per rank.
#pragma once

#include "blockfw/communicator.hpp"
#include "blockfw/detail/backend/started.hpp"
#include "blockfw/detail/backend/streams.hpp"
#include "blockfw/detail/copies.hpp"
#include "blockfw/detail/devices/block_cyclic_map.hpp"
#include "blockfw/detail/devices/column.hpp"
#include "blockfw/detail/devices/edges_by_owner.hpp"
#include "blockfw/detail/devices/mpi_edges.hpp"
#include "blockfw/detail/devices/mpi_failure.hpp"
#include "blockfw/detail/devices/mpi_link.hpp"
#include "blockfw/detail/devices/share_solver.hpp"
#include "blockfw/detail/devices/solve_shares.hpp"
#include "blockfw/detail/numbers/operations_of.hpp"
#include "blockfw/detail/plan/narrow.hpp"
#include "blockfw/detail/plan/potentials.hpp"
#include "blockfw/detail/rounding.hpp"
#include "blockfw/measures.hpp"
#include "blockfw/solve.hpp"
#include "blockfw/solved.hpp"
#include "blockfw/updates.hpp"

#include <Kokkos_Core.hpp>

#include <mpi.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <exception>
#include <limits>
#include <optional>
#include <ranges>
#include <string>
#include <tuple>
#include <type_traits>
#include <vector>

namespace blockfw {

/// How the block-cyclic map spreads a matrix over ranks. The library chooses each value that is 0.
struct ProcessGrid {
  int rows = 0,         ///< rows of ranks; rank r is in row r / columns
      columns = 0;      ///< columns of ranks; chosen: a grid as square as possible
  int block_tiles = 0;  ///< neighbouring tiles (down, and across) on the same rank
};

/// \brief A matrix of distances that is spread over several ranks. All ranks call every function together, unless it
/// is marked as local.
///
/// Blocks of neighbouring tile rows go cyclically to the rows of the process grid, and blocks of tile columns to its
/// columns. Each rank's share has about n²/ranks elements. During a solve a rank also holds panels: about a twentieth
/// of its share on a device, two tiles' rows and columns on a host; for half the work about as much again, for the
/// pivots' rows that travel.
///
/// If some ranks fail, all ranks throw the error of the lowest of these, and no rank is left waiting. Only a RankError
/// is different: MPI failed, or this rank failed within the rounds, and the other ranks do not learn of it.
///
/// \tparam Over       type of the distances, for shortest paths, or a semiring
/// \tparam TileShape  the tile, as for blocked_floyd_warshall()
template <class Over, class ExecSpace = Kokkos::DefaultExecutionSpace,
          class TileShape = default_tile<ExecSpace, typename semiring_of<Over, void>::value_type>>
class DistributedMatrix {
  using S = semiring_of<Over, void>;
  using T = typename S::value_type;
  using Phase = Phases<TileShape, ExecSpace, S>;

 public:
  /// A rank's share of the distances.
  using View = DistanceMatrix<T, ExecSpace>;
  /// Distances on the host, of the same or of a wider type.
  template <class Wide>
  using OnHost = DistanceMatrix<Wide, Kokkos::DefaultHostExecutionSpace>;
  /// Distances on the host.
  using HostView = OnHost<T>;

  /// \brief Memory for the distances of n vertices, not yet filled.
  /// \param ranks  the communicator of the ranks that take part; it is duplicated
  /// \param n      number of vertices
  /// \param grid   how the matrix is spread over the ranks
  /// \param exec   the instance that this rank works on; with several devices, usually each rank has its own
  /// \throws InvalidInput when ranks differ in n or in the grid, when the grid does not match the number of ranks, or
  ///         when n is negative or too large; OutOfMemory, which names the rank, when a share does not fit
  DistributedMatrix(MPI_Comm ranks, std::int64_t n, ProcessGrid grid = {},
                    const ExecSpace& exec = detail::default_instance<ExecSpace>())
      : DistributedMatrix(ranks, n, grid, exec, Unallocated{}) {
    detail::together(ranks_, [&] {
      local_ = View(Kokkos::view_alloc(exec_, "blockfw::part", Kokkos::WithoutInitializing),
                    static_cast<std::size_t>(down_.rows(along_column_.rank())),
                    static_cast<std::size_t>(across_.rows(along_row_.rank())));
      if constexpr (is_host_space<ExecSpace>) detail::prefer_large_pages(local_.data(), local_.size() * sizeof(T));
    });
  }

  /// \brief Checks that the distances of n vertices would fit, without memory for them; collective.
  /// \throws as the constructor
  static void require_memory(MPI_Comm ranks, std::int64_t n, ProcessGrid grid = {},
                             const ExecSpace& exec = detail::default_instance<ExecSpace>()) {
    DistributedMatrix(ranks, n, grid, exec, Unallocated{});
  }

  /// \brief The grid that gives each rank neighbouring rows, and all columns: half the work for an undirected graph
  /// takes it. (A rank receives the rows of every pivot: for more than a few ranks another grid is better.)
  static ProcessGrid neighbouring_rows(int ranks, std::int64_t n) {
    const auto tiles = static_cast<int>(detail::div_up(std::max<std::int64_t>(n, 1), Phase::block));
    return {ranks, 1, detail::div_up(tiles, ranks)};
  }

  // Local functions.

  /// The number of vertices.
  std::int64_t order() const { return n_; }
  /// How the matrix is spread over the ranks, each value chosen.
  const ProcessGrid& grid() const { return grid_; }
  /// The number of neighbouring rows (and columns) on the same rank: those of a block.
  int block_rows() const { return grid_.block_tiles * Phase::block; }
  /// The ranks that take part.
  const Communicator& ranks() const { return ranks_; }
  /// The instance that this rank works on.
  const ExecSpace& exec() const { return exec_; }
  /// This rank's share of the distances.
  const View& local() const { return local_; }
  /// The vertex of row i of local().
  std::int64_t row(std::int64_t i) const { return down_.whole(along_column_.rank(), i); }
  /// The vertex of column j of local().
  std::int64_t column(std::int64_t j) const { return across_.whole(along_row_.rank(), j); }

  /// Where the distance from one vertex to another lies.
  struct Place {
    int rank;          ///< the rank that holds it
    std::int64_t row,  ///< its row in local() of that rank
        column;        ///< its column there
  };
  /// The place of the distance between two vertices.
  Place place(std::int64_t from, std::int64_t to) const {
    const auto [i_part, i] = down_.part(from);
    const auto [j_part, j] = across_.part(to);
    return {i_part * grid_.columns + j_part, i, j};
  }

  // Collective functions.

  /// \brief Fills the matrix as fill_from_edges() does; each edge is sent only to the rank that owns its entry.
  /// \tparam From  what the weights are read as: that of the matrix, or a wider type, whose lengths are cut off at
  ///               infinity of the matrix's type
  /// \param edges  rank-1 view on the host; each rank passes any part of the edges
  /// \param direction  with undirected each edge counts in both directions
  /// \param first  the number of edges[0] among all edges, for the error of an invalid edge
  /// \return the range of the weights of all edges
  /// \throws as fill_from_edges()
  template <class From = Over, class Edges>
    requires Kokkos::is_view_v<Edges>
  auto fill(const Edges& edges, Direction direction = Direction::directed, std::int64_t first = 0) {
    using E = typename Edges::non_const_value_type;
    using Read = semiring_of<From, void>;
    detail::EdgesByOwner<decltype(E::weight)> by_owner;
    WeightRange<typename Read::value_type> range;
    detail::together(ranks_, [&] {
      const auto owner = [this](std::int32_t i, std::int32_t j) {
        const Place to = place(i, j);
        return detail::OwnedEntry{to.rank, static_cast<std::int32_t>(to.row), static_cast<std::int32_t>(to.column)};
      };
      std::tie(by_owner, range) = detail::sort_by_owner<Read>(edges, n_, ranks_.size(), owner, direction, first);
    });
    const auto own = detail::send_to_owners(ranks_, by_owner);
    by_owner = {};
    detail::together(ranks_, [&] {
      detail::fill_part<S>(exec_, local_, reachable_edges(exec_, own));
      for_each_on_diagonal([&](const auto& square, std::int64_t) { detail::lower_diagonal<S>(exec_, square, 0); });
      exec_.fence("blockfw::fill");
    });
    return detail::range_over(ranks_, range);
  }

  /// \brief The same for edges in a host container.
  template <class From = Over, std::ranges::contiguous_range Edges>
  auto fill(const Edges& edges, Direction direction = Direction::directed, std::int64_t first = 0) {
    return fill<From>(detail::view_of(edges), direction, first);
  }

  /// \brief blocked_floyd_warshall() on all ranks; exec of each is fenced on return.
  ///
  /// A diagonal entry counts as S::one() unless it is better, in shortest paths as 0 unless it is negative.
  ///
  /// \param negative  whether an entry may be negative, on any rank
  /// \param progress  called as progress(rounds done, rounds in all) after each group of rounds, on each rank that has
  ///                  it set; it must not throw
  /// \param direction  undirected for a matrix that is known to be symmetric and a semiring whose ⊗ is commutative:
  /// half
  ///                   the work. The ranks have neighbouring rows then, see neighbouring_rows(), and memory for the
  ///                   pivots' rows that travel.
  /// \throws OutOfMemory when a rank's panels do not fit; InvalidInput for undirected without these; RankError
  void floyd_warshall(bool negative = true, const Progress& progress = {}, Direction direction = Direction::directed) {
    const bool half = direction == Direction::undirected;
    if (!same(half)) throw InvalidInput("the ranks name different directions, expected the same");
    if (half && !detail::is_commutative<S>)
      throw InvalidInput("half the work for an undirected graph takes a semiring that is commutative, and says so");
    if (half && !has_neighbouring_rows())
      throw InvalidInput(
          "half the work for an undirected graph takes a grid of one column whose ranks have neighbouring "
          "rows, as neighbouring_rows() makes it");
    for_each_on_diagonal([&](const auto& square, std::int64_t) { detail::lower_diagonal<S>(exec_, square, 0); });
    if (ranks_.size() == 1) {
      blockfw::blocked_floyd_warshall<TileShape>(exec_, local_, S{}, direction, progress);
      exec_.fence("blockfw::floyd_warshall");
      return;
    }
    using Numbers = detail::OperationsOf<Phase, ExecSpace>;
    using Mirror = detail::PivotMirror<ExecSpace>;
    using Link = detail::MpiLink<ExecSpace>;
    static_assert(detail::LinkAcross<Link, ExecSpace> && detail::LinkProgresses<Link>);
    const auto groups = detail::groups_of(down_, across_, kept_rounds());
    const int row = along_column_.rank(), column = along_row_.rank();
    const detail::Block block = Numbers::block(ref());
    std::optional<Numbers> numbers;
    std::optional<Mirror> mirror;
    detail::together(ranks_, [&] {
      numbers.emplace(exec_, GroupStorageOptions{.order = static_cast<int>(n_),
                                                 .height = local_.extent_int(0),
                                                 .width = local_.extent_int(1),
                                                 .rounds = kept_rounds(),
                                                 .negative = negative});
      if (half) mirror.emplace(exec_, *numbers, block, down_, row, most_pivots());
    });
    try {
      const detail::Stream<ExecSpace> ahead(exec_, detail::StreamPriority::high);
      const Mirror* const pieces = half ? &*mirror : nullptr;
      Link link(along_row_, along_column_, down_, across_, groups, *numbers, pieces);
      detail::ShareSolver<ExecSpace, Link> share(exec_, ahead.exec(), *numbers, block, down_, across_, row, column,
                                                 groups, link, pieces);
      share.solve([&](int done) {
        if (progress) {
          exec_.fence("blockfw::progress");
          progress(groups[static_cast<std::size_t>(done - 1)].last() + 1, down_.tiles());
        }
      });
      exec_.fence("blockfw::floyd_warshall");
    } catch (const std::exception& error) {
      throw RankError(name() + ": " + error.what());
    } catch (...) {
      throw RankError(name() + ": an unknown error");
    }
  }

  /// \brief Solves a filled matrix whose range of weights is known, as solve_distances() does.
  /// \param range    what fill() has returned
  /// \param options  progress, meanwhile and report, each on the ranks that set it; direction: if undirected on all
  ///                 ranks, the matrix is symmetric; strict_cycles if it is set on any rank. narrow is not used.
  /// \throws OverflowRisk, NegativeCycle with a vertex on it, the same on all ranks; for other semirings than shortest
  ///         paths, DivergentCycle; InvalidInput for Method::sparse
  void solve(WeightRange<T> range, const SolveOptions& options = {}) {
    detail::together(ranks_, [&] { detail::require_dense(options, "on ranks"); });
    if (options.report != nullptr) *options.report = {};
    const Kokkos::Timer timer;
    detail::solve_shares<S>(
        n_, range, options, [&] { return guard_of(range, options.strict_cycles); },
        [&] { return ranks_.reduce(std::int32_t(half_pays(options.direction)), MPI_MIN) == 1; },
        [&](bool negative, Direction direction) { floyd_warshall(negative, options.progress, direction); },
        [&] {
          std::int64_t vertex = n_;
          for_each_on_diagonal([&](const auto& square, std::int64_t first) {
            if (const auto found = find_negative_cycle<S>(exec_, square)) vertex = std::min(vertex, first + *found);
          });
          vertex = ranks_.reduce(vertex, MPI_MIN);
          return vertex < n_ ? std::optional(vertex) : std::nullopt;
        },
        [&](T limit) {
          mark_unreachable<S>(exec_, local_, limit);
          exec_.fence("blockfw::solve");
        });
    if (options.report != nullptr) options.report->solve_seconds = timer.seconds();
  }

  /// \brief The distances from some vertices, on every rank.
  /// \tparam Wide    their type, the same or a wider one
  /// \param sources  host container of vertices, the same on all ranks; a vertex may occur twice
  /// \return on the host, a row of n distances for each source, in their order
  /// \throws InvalidInput for a source out of range, or when ranks pass different sources
  ///
  /// Each rank sends its parts of the rows to all others, and needs memory for the part of one rank besides the result.
  template <Element Wide = T, std::ranges::contiguous_range Sources>
  OnHost<Wide> distances_from(const Sources& sources) const {
    return lines<Wide>(sources, true);
  }

  /// \brief The distances to some vertices, on every rank; otherwise as distances_from().
  /// \return on the host, a row of n distances for each target, in their order
  template <Element Wide = T, std::ranges::contiguous_range Targets>
  OnHost<Wide> distances_to(const Targets& targets) const {
    return lines<Wide>(targets, false);
  }

  /// \brief The distance from vertex i to vertex j, on every rank; S::zero() without a path.
  /// \throws InvalidInput for a vertex out of range, or when ranks pass different vertices
  T distance(std::int64_t i, std::int64_t j) const {
    const std::vector<std::int64_t> pair = {i, j};
    HostView one;
    detail::together(ranks_, [&] {
      for (const std::int64_t vertex : pair) detail::require_vertex(vertex, n_);
      one = HostView("blockfw::distance", 1, 1);
      if (const Place at = place(i, j); at.rank == ranks_.rank()) {
        detail::copy_rows(
            exec_, one,
            Kokkos::subview(local_, Kokkos::pair(at.row, at.row + 1), Kokkos::pair(at.column, at.column + 1)));
        exec_.fence("blockfw::distance");
      }
    });
    require_same(pair, "vertices");
    detail::require_mpi(MPI_Bcast(one.data(), 1, detail::mpi_type<T>(), place(i, j).rank, ranks_.get()),
                        "sending a distance");
    return entry_at(one, 0, 0);
  }

  /// \brief For each vertex what it reaches, or what it is reached from, as reach() of measures.hpp. On the host of
  /// every rank.
  ///
  /// Each rank sums up its share, and the sums, a few for each vertex, are sent to all.
  std::vector<Reach<T>> reach(Towards towards = Towards::others) const {
    static_assert(std::is_same_v<S, MinPlus<T>>, "blockfw: reach() sums up shortest distances");
    const bool rows = towards == Towards::others;
    const detail::BlockCyclicMap& lines = rows ? down_ : across_;
    const auto part = [&](int rank) { return rows ? rank / grid_.columns : rank % grid_.columns; };
    const auto count = [&](int rank) { return static_cast<std::size_t>(lines.rows(part(rank))); };
    std::vector<Reach<T>> mine, all;
    detail::together(ranks_, [&] {
      all.resize(static_cast<std::size_t>(n_));
      if (local_.size() > 0) mine = detail::reach_of_lines(exec_, local_, rows);
      mine.resize(count(ranks_.rank()));
      for (Reach<T>& r : mine)
        if (r.farthest_vertex >= 0) r.farthest_vertex = rows ? column(r.farthest_vertex) : row(r.farthest_vertex);
    });
    from_each_rank(mine.data(), count, [&](int rank, const Reach<T>* received) {
      for (std::size_t line = 0; line < count(rank); ++line)
        all[static_cast<std::size_t>(lines.whole(part(rank), static_cast<std::int64_t>(line)))] += received[line];
    });
    return all;
  }

  /// \brief insert_edge() of updates.hpp: updates solved distances for one more edge, or for a smaller weight of it.
  /// \throws as that, the same on all ranks, and InvalidInput when ranks name different edges; the distances are
  ///         unchanged then
  ///
  /// Reads the matrix once. Memory: 2n elements on each device, and on the host.
  template <Element Wide = T>
  void insert_edge(std::int64_t from, std::int64_t to, std::type_identity_t<Wide> wide_weight) {
    static_assert(std::is_same_v<S, MinPlus<T>>, "blockfw: insert_edge() updates shortest distances");
    std::int64_t bits = 0;  // (that a NaN equals itself)
    std::memcpy(&bits, &wide_weight, sizeof(Wide));
    require_same({from, to, bits}, "edges");
    const T weight = detail::required_weight<T>(wide_weight);
    const std::vector<std::int64_t> tail{from}, head{to};
    const auto to_tail = distances_to(tail), from_head = distances_from(head);
    if (weight == infinity<T>) return;
    std::optional<detail::Detours<T, ExecSpace>> detours;
    detail::together(ranks_, [&] {
      const detail::DetoursOnHost<T> all(Kokkos::subview(to_tail, 0, Kokkos::ALL),
                                         Kokkos::subview(from_head, 0, Kokkos::ALL), from, weight);
      all.send(
          exec_, detours.emplace(exec_, local_.extent_int(0), local_.extent_int(1)),
          [this](std::int64_t i) { return row(i); }, [this](std::int64_t j) { return column(j); });
    });
    detail::take_detours<true>(exec_, local_, local_, *detours);
    for_each_on_diagonal([&](const auto& square, std::int64_t) { detail::raise_own(exec_, square); });
  }

  /// \brief Gathers whole rows, some at a time, each on one of the ranks that hold parts of it.
  /// \tparam Wide    the type of the rows, the same or a wider one
  /// \param f        called as f(first, rows) on the rank that has gathered rows, if any: `rows` is a host matrix of
  ///                 neighbouring whole rows, from that of vertex `first` on
  /// \param at_once  about how many bytes of whole rows a rank has at a time
  /// \throws what f throws on any rank
  template <Element Wide = T, class F>
  void for_whole_rows(const F& f, std::size_t at_once = std::size_t(16) << 20) const {
    require_wider<Wide>();
    const int rank = along_row_.rank(), sharers = along_row_.size();
    const auto height = static_cast<std::int64_t>(local_.extent(0));
    constexpr std::int64_t most_entries = std::int64_t(1) << 30;  // (MPI counts them in int)
    const std::int64_t entries = std::min(most_entries / sharers, static_cast<std::int64_t>(at_once / sizeof(Wide)));
    const std::int64_t most =
        ranks_.reduce(std::max<std::int64_t>(sharers, entries * sharers / std::max<std::int64_t>(n_, 1)), MPI_MIN);
    const std::int64_t steps = ranks_.reduce(n_ == 0 ? 0 : detail::div_up(height, most), MPI_MAX);
    for (std::int64_t step = 0; step < steps; ++step) {
      const std::int64_t first = std::min(step * most, height), rows = std::min(most, height - first);
      HostView mine;
      OnHost<Wide> whole;
      std::vector<T> parts;
      const bool is_whole = sharers == 1 && std::is_same_v<Wide, T>;
      const auto start = [&](int sharer) { return first + rows * sharer / sharers; };
      detail::together(ranks_, [&] {
        mine = Kokkos::create_mirror_view_and_copy(
            Kokkos::HostSpace{}, Kokkos::subview(local_, Kokkos::pair(first, first + rows), Kokkos::ALL));
        if constexpr (std::is_same_v<Wide, T>) whole = mine;
        if (is_whole) return;
        const auto whole_rows = static_cast<std::size_t>(start(rank + 1) - start(rank));
        parts.resize(whole_rows * static_cast<std::size_t>(n_));
        whole = OnHost<Wide>(Kokkos::view_alloc("blockfw::whole_rows", Kokkos::WithoutInitializing), whole_rows,
                             static_cast<std::size_t>(n_));
      });
      if (!is_whole) bring_together(start, mine, parts, whole);
      detail::together(ranks_, [&] {
        for (std::int64_t i = start(rank), count = 0; i < start(rank + 1); i += count) {
          count = std::min(start(rank + 1) - i, block_rows() - i % block_rows());
          f(row(i), Kokkos::subview(whole, Kokkos::pair(i - start(rank), i - start(rank) + count), Kokkos::ALL));
        }
      });
    }
  }

  /// \brief Gathers the whole matrix on rank `root`; the other ranks get an empty one. For small matrices.
  /// \tparam Wide  the type of the result, the same or a wider one
  /// \throws OutOfMemory when it does not fit that rank
  template <Element Wide = T>
  OnHost<Wide> gather(int root = 0) const {
    require_wider<Wide>();
    OnHost<Wide> all;
    detail::together(ranks_, [&] {
      if (ranks_.rank() == root) all = allocate_distances<Wide>(Kokkos::DefaultHostExecutionSpace{}, n_);
    });
    const auto mine = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace{}, local_);
    for (int rank = 0; rank < ranks_.size(); ++rank) {
      const int row = rank / grid_.columns, column = rank % grid_.columns;
      const std::int64_t height = down_.rows(row), width = across_.rows(column);
      std::vector<T> received(ranks_.rank() == root && rank != root ? static_cast<std::size_t>(height * width) : 0);
      if (rank != root) transfer(mine.data(), received.data(), static_cast<std::size_t>(height * width), rank, root);
      if (ranks_.rank() != root) continue;
      const T* const part = rank == root ? mine.data() : received.data();
      across_.for_each_block(column, [&](std::int64_t first, std::int64_t local, std::int64_t count) {
        for (std::int64_t i = 0; i < height; ++i)
          detail::copy_widened(part + i * width + local, count, &all(down_.whole(row, i), first));
      });
    }
    return all;
  }

 private:
  struct Unallocated {};
  DistributedMatrix(MPI_Comm ranks, std::int64_t n, ProcessGrid grid, const ExecSpace& exec, Unallocated)
      : ranks_(ranks), exec_(exec), n_(n), grid_(checked(grid)) {
    const int row = ranks_.rank() / grid_.columns, column = ranks_.rank() % grid_.columns;
    along_row_ = {ranks_, row, column};
    along_column_ = {ranks_, column, row};
    down_ = {n, Phase::block, grid_.rows, grid_.block_tiles};
    across_ = {n, Phase::block, grid_.columns, grid_.block_tiles};
    require_memory(down_.rows(row), across_.rows(column));
  }

  template <class Wide>
  static constexpr void require_wider() {
    static_assert(std::is_same_v<Wide, T> || std::is_same_v<S, MinPlus<T>>,
                  "blockfw: only shortest distances are copied to a wider type");
    static_assert(detail::converts<T, Wide>, "blockfw: the distances must convert to the result's type without loss");
  }

  /// Decides on cycles of floats, together; see detail/graph/cycles.hpp.
  detail::GuardOf<S, ExecSpace> guard_of([[maybe_unused]] WeightRange<T> range, [[maybe_unused]] bool strict) const {
    if constexpr (detail::may_cancel<S>)
      if (detail::cancels<S>(range) && ranks_.reduce(std::int32_t(strict), MPI_MAX) == 0) {
        const auto vertices = [](std::size_t count, const auto& vertex) {
          std::vector<std::int32_t> all;
          for (std::size_t i = 0; i < count; ++i)
            all.push_back(static_cast<std::int32_t>(vertex(static_cast<std::int64_t>(i))));
          return all;
        };
        const detail::MatrixPart<T, ExecSpace> part(
            exec_, local_, vertices(local_.extent(0), [&](std::int64_t i) { return row(i); }),
            vertices(local_.extent(1), [&](std::int64_t j) { return column(j); }));
        return {n_, range, {part}, true, [this](std::vector<double>& numbers) { ranks_.reduce_all(numbers, MPI_MIN); }};
      }
    return {};
  }

  bool same(std::int64_t x) const { return ranks_.reduce(x, MPI_MIN) == ranks_.reduce(x, MPI_MAX); }

  /// \throws InvalidInput when ranks pass different numbers
  void require_same(const std::vector<std::int64_t>& numbers, const char* what) const {
    std::uint64_t hash = 14695981039346656037u;  // (FNV-1a, a word at a time)
    for (const std::int64_t x : numbers) hash = (hash ^ static_cast<std::uint64_t>(x)) * 1099511628211u;
    if (!same(static_cast<std::int64_t>(hash)))
      throw InvalidInput(std::string("the ranks name different ") + what + ", expected the same");
  }

  ProcessGrid checked(ProcessGrid grid) const {
    const bool agreed[] = {same(n_), same(grid.rows), same(grid.columns), same(grid.block_tiles)};
    if (!agreed[0]) throw InvalidInput("the ranks name different numbers of vertices, expected the same");
    if (!agreed[1] || !agreed[2] || !agreed[3]) throw InvalidInput("the ranks name different grids, expected the same");
    if (n_ < 0) throw InvalidInput("the number of vertices is " + std::to_string(n_) + ", expected 0 or more");
    constexpr std::int64_t most = std::numeric_limits<std::int32_t>::max() - Phase::block;
    if (n_ > most)
      throw InvalidInput("the number of vertices is " + std::to_string(n_) + ", expected " + std::to_string(most) +
                         " or fewer");
    int sides[] = {grid.rows, grid.columns};
    const auto divides = [&](int side) { return side >= 0 && ranks_.size() % std::max(side, 1) == 0; };
    if (divides(sides[0]) && divides(sides[1]) && sides[0] * sides[1] == 0)
      detail::require_mpi(MPI_Dims_create(ranks_.size(), 2, sides), "choosing a grid");
    if (sides[0] < 1 || std::int64_t(sides[0]) * sides[1] != ranks_.size())
      throw InvalidInput("a grid of " + std::to_string(grid.rows) + " x " + std::to_string(grid.columns) +
                         " processes, expected one of " + std::to_string(ranks_.size()));
    if (grid.block_tiles < 0)
      throw InvalidInput("blocks of " + std::to_string(grid.block_tiles) + " tiles, expected 1 or more");
    return {sides[0], sides[1], grid.block_tiles > 0 ? grid.block_tiles : chosen_block(sides[0], sides[1])};
  }

  /// Tiles of a block. On a host one. On a device 1 to 8, so that the panels of two groups take about a twentieth of a
  /// share or less: the more rounds a group has, the less often a tile is read and written.
  int chosen_block(int rows, int columns) const {
    if (is_host_space<ExecSpace> || n_ == 0) return 1;
    const double height = double(n_) / rows, width = double(n_) / columns;
    const double round = Phase::GroupStorage::bytes(std::int64_t(height), std::int64_t(width), 1) / sizeof(T);
    return static_cast<int>(std::clamp(height * width / 20 / round / 2, 1.0, 8.0));
  }
  /// The rounds of two groups. (Neighbouring rows are one block, too long for one group.)
  int kept_rounds() const {
    return 2 * (has_neighbouring_rows() ? std::min(grid_.block_tiles, chosen_block(grid_.rows, 1)) : grid_.block_tiles);
  }
  int most_pivots() const { return kept_rounds() / 2 * Phase::block; }
  /// Of the panels of a share's groups, and of the square of a group's pivots.
  double panel_bytes(std::int64_t height, std::int64_t width) const {
    return Phase::GroupStorage::bytes(height, width, kept_rounds()) +
           Phase::PanelStorage::bytes(most_pivots(), most_pivots());
  }

  /// Whether each rank has one block of rows, and all columns.
  bool has_neighbouring_rows() const {
    return ranks_.size() == 1 ||
           (grid_.columns == 1 && std::int64_t(grid_.block_tiles) * Phase::block * grid_.rows >= n_);
  }

  /// Whether half the work takes less time, and there is memory for the pivots' rows that travel.
  bool half_pays(Direction direction) const {
    if (direction == Direction::directed || !detail::is_commutative<S> || !has_neighbouring_rows() ||
        n_ < detail::half_from<ExecSpace> * ranks_.size())
      return false;
    const std::int64_t height = local_.extent_int(0);
    const double bytes =
        detail::PivotMirror<ExecSpace>::bytes(height, n_, most_pivots(), sizeof(T)) + panel_bytes(height, n_);
    return (is_host_space<ExecSpace> ? ranks_.size() : 1) * bytes < detail::available_bytes(exec_);
  }

  std::string name() const { return "rank " + std::to_string(ranks_.rank()) + " of " + std::to_string(ranks_.size()); }

  /// Checks that the share and its panels fit. On a host the ranks of a machine use the same memory, so their needs are
  /// added up.
  void require_memory(std::int64_t height, std::int64_t width) const {
    double part = double(height) * double(width) * sizeof(T);
    double panels = panel_bytes(height, width);
    std::string what = std::to_string(height) + " x " + std::to_string(width);
    if constexpr (is_host_space<ExecSpace>) {
      const Communicator here(ranks_, 0, ranks_.rank(), MPI_COMM_TYPE_SHARED);
      part = here.reduce(part, MPI_SUM), panels = here.reduce(panels, MPI_SUM);
      what = "the parts of the " + std::to_string(here.size()) + " ranks on its machine";
    }
    detail::together(ranks_, [&] {
      try {
        detail::require_memory(exec_, what + " of the distances of " + std::to_string(n_) + " vertices", part, panels);
      } catch (const OutOfMemory& error) {
        throw OutOfMemory(name() + ": " + error.what());
      }
    });
  }

  typename Phase::Ref ref() const {
    return typename Phase::Ref(local_.data(),
                               Kokkos::LayoutStride(local_.extent(0), local_.extent(1), local_.extent(1), 1));
  }

  /// Calls f(square, vertex) for each square of local() on the diagonal of the matrix; `vertex` is its first one.
  template <class F>
  void for_each_on_diagonal(const F& f) const {
    for (int tile = 0; tile < down_.tiles(); tile += down_.left_in_block(tile)) {
      const auto rows = down_.rows_of(along_column_.rank(), tile, down_.left_in_block(tile));
      const auto columns = across_.rows_of(along_row_.rank(), tile, across_.left_in_block(tile));
      if (rows.count > 0 && columns.count > 0)
        f(Kokkos::subview(local_, Kokkos::pair(rows.first, rows.first + rows.count),
                          Kokkos::pair(columns.first, columns.first + columns.count)),
          std::int64_t(tile) * Phase::block);
    }
  }

  /// Gathers whole rows among the ranks of one row of the grid: its rank r gets rows start(r) to start(r + 1) - 1.
  /// \param mine   this rank's columns of all these rows
  /// \param parts  memory for the received columns, one rank's behind another's
  /// \param whole  memory for the whole rows
  template <class Start, class Whole>
  void bring_together(const Start& start, const HostView& mine, std::vector<T>& parts, const Whole& whole) const {
    std::vector<int> sent, sent_at, received, received_at;
    const auto rows = static_cast<std::int64_t>(whole.extent(0));
    for (int other = 0, to = 0, from = 0; other < along_row_.size(); ++other) {
      sent_at.push_back(to), received_at.push_back(from);
      to += sent.emplace_back(static_cast<int>((start(other + 1) - start(other)) * local_.extent_int(1)));
      from += received.emplace_back(static_cast<int>(rows * across_.rows(other)));
    }
    detail::require_mpi(MPI_Alltoallv(mine.data(), sent.data(), sent_at.data(), detail::mpi_type<T>(), parts.data(),
                                      received.data(), received_at.data(), detail::mpi_type<T>(), along_row_.get()),
                        "bringing rows together");
    for (int other = 0; other < along_row_.size(); ++other)
      across_.for_each_block(other, [&](std::int64_t first, std::int64_t local, std::int64_t count) {
        const T* const from = parts.data() + received_at[static_cast<std::size_t>(other)] + local;
        for (std::int64_t i = 0; i < rows; ++i)
          detail::copy_widened(from + i * across_.rows(other), count, &whole(i, first));
      });
  }

  /// The rows, or columns, of some vertices on every rank.
  template <Element Wide, std::ranges::contiguous_range Vertices>
  OnHost<Wide> lines(const Vertices& wanted, bool rows) const {
    require_wider<Wide>();
    const detail::BlockCyclicMap &map = rows ? down_ : across_, &along = rows ? across_ : down_;
    const auto part = [&](int rank) { return rows ? rank / grid_.columns : rank % grid_.columns; };
    const auto place = [&](int rank) { return rows ? rank % grid_.columns : rank / grid_.columns; };
    std::vector<std::int64_t> vertices;
    HostView mine;
    OnHost<Wide> lines;
    const auto in_part = [&](int of, const auto& f) {  // f(vertex's number, line of the part, number among the part's)
      std::size_t number = 0;
      for (std::size_t v = 0; v < vertices.size(); ++v)
        if (const auto at = map.part(vertices[v]); at.part == of) f(v, at.row, number++);
      return number;
    };
    const auto count = [&](int of) { return in_part(of, [](std::size_t, std::int64_t, std::size_t) {}); };
    detail::together(ranks_, [&] {
      for (const auto vertex : wanted) detail::require_vertex(vertices.emplace_back(vertex), n_);
      lines = OnHost<Wide>(Kokkos::view_alloc("blockfw::distances", Kokkos::WithoutInitializing), vertices.size(),
                           static_cast<std::size_t>(n_));
      const int own = part(ranks_.rank());
      mine = HostView(Kokkos::view_alloc("blockfw::part", Kokkos::WithoutInitializing), count(own),
                      local_.extent(rows ? 1 : 0));
      in_part(own, [&](std::size_t, std::int64_t line, std::size_t number) {
        if (rows)
          detail::copy_rows(exec_, Kokkos::subview(mine, Kokkos::pair(number, number + 1), Kokkos::ALL),
                            Kokkos::subview(local_, Kokkos::pair(line, line + 1), Kokkos::ALL));
        else
          detail::column_to_host(exec_, local_, line, Kokkos::subview(mine, number, Kokkos::ALL));
      });
      exec_.fence("blockfw::lines");
    });
    require_same(vertices, rows ? "sources" : "targets");
    const auto length = [&](int rank) { return along.rows(place(rank)); };
    from_each_rank(
        mine.data(), [&](int rank) { return count(part(rank)) * static_cast<std::size_t>(length(rank)); },
        [&](int rank, const T* received) {
          in_part(part(rank), [&](std::size_t vertex, std::int64_t, std::size_t number) {
            const T* const from = received + static_cast<std::int64_t>(number) * length(rank);
            along.for_each_block(place(rank), [&](std::int64_t first, std::int64_t local, std::int64_t entries) {
              detail::copy_widened(from + local, entries, &lines(vertex, first));
            });
          });
        });
    return lines;
  }

  /// Each rank in turn sends some numbers to all: calls f(rank, numbers).
  /// \param mine   those of this rank
  /// \param count  count(rank) is how many a rank sends
  template <class X, class Count, class F>
  void from_each_rank(const X* mine, const Count& count, const F& f) const {
    std::vector<X> numbers;
    detail::together(ranks_, [&] {
      for (int rank = 0; rank < ranks_.size(); ++rank) numbers.resize(std::max(numbers.size(), count(rank)));
    });
    for (int rank = 0; rank < ranks_.size(); ++rank) {
      if (rank == ranks_.rank()) std::copy_n(mine, count(rank), numbers.data());
      auto* const bytes = reinterpret_cast<std::byte*>(numbers.data());
      detail::in_mpi_ranges(count(rank) * sizeof(X), [&](std::size_t first, int size) {
        detail::require_mpi(MPI_Bcast(bytes + first, size, MPI_BYTE, rank, ranks_.get()), "sending answers");
      });
      f(rank, static_cast<const X*>(numbers.data()));
    }
  }

  /// Sends from one rank to another; all other ranks do nothing.
  void transfer(const T* from, T* to, std::size_t count, int sender, int receiver) const {
    detail::in_mpi_ranges(count, [&](std::size_t first, int elements) {
      if (ranks_.rank() == sender)
        detail::require_mpi(MPI_Send(from + first, elements, detail::mpi_type<T>(), receiver, 0, ranks_.get()),
                            "gathering");
      if (ranks_.rank() == receiver)
        detail::require_mpi(
            MPI_Recv(to + first, elements, detail::mpi_type<T>(), sender, 0, ranks_.get(), MPI_STATUS_IGNORE),
            "gathering");
    });
  }

  Communicator ranks_, along_row_, along_column_;
  ExecSpace exec_;
  std::int64_t n_;
  ProcessGrid grid_;
  detail::BlockCyclicMap down_{0, Phase::block, 1}, across_{0, Phase::block, 1};
  View local_;
};

/// \brief The distances that several ranks have found, each its share, in the type of the distances or in a narrower
/// one that holds them. All ranks call every function together, but for order(), bits(), ranks() and visit().
/// \tparam Over       type of the distances, for shortest paths, or a semiring
/// \tparam ExecSpace  of each rank
template <class Over, class ExecSpace = Kokkos::DefaultExecutionSpace>
class SolvedRanks : public Solved<DistributedMatrix, Over, ExecSpace> {
  using Base = Solved<DistributedMatrix, Over, ExecSpace>;
  using typename Base::S, typename Base::T;

 public:
  /// \brief Plans and solves; see solve().
  template <class Edges>
    requires Kokkos::is_view_v<Edges>
  SolvedRanks(MPI_Comm ranks, std::int64_t n, const Edges& edges, const SolveOptions& options, std::int64_t first,
              ProcessGrid grid, const ExecSpace& exec);

  /// The ranks that take part.
  const Communicator& ranks() const {
    return *this->visit([](const auto& d) { return &d.ranks(); });
  }

  /// \brief Gathers whole rows, some at a time; see DistributedMatrix.
  template <class F>
  void for_whole_rows(const F& f, std::size_t at_once = std::size_t(16) << 20) const {
    this->visit([&](const auto& d) { d.template for_whole_rows<T>(f, at_once); });
  }

  /// \brief Gathers the whole matrix on rank `root`; the other ranks get an empty one. For small matrices.
  /// \throws OutOfMemory when it does not fit that rank
  DistanceMatrix<T, Kokkos::DefaultHostExecutionSpace> gather(int root = 0) const;

 private:
  /// In a square grid of r ranks a rank receives 2/√r of the pivots' rows, in one column all of them, and as much again
  /// for half the work: more ranks would wait for these longer than half the work saves. (A model, not measured.)
  static constexpr int most_in_a_column = 16;

  template <class Edges>
  static typename Base::Held solved(MPI_Comm comm, std::int64_t n, const Edges& edges, const SolveOptions& options,
                                    std::int64_t first, ProcessGrid grid, const ExecSpace& exec) {
    const Communicator ranks(comm);
    detail::together(ranks, [&] { detail::require_dense(options, "on ranks"); });
    const bool narrower = ranks.reduce(std::int32_t(Base::may_be_narrower(n, options.narrow)), MPI_MIN) == 1;
    // What all ranks must agree on, and the least memory that it may take, before there is anything of n numbers.
    if (narrower) DistributedMatrix<typename Base::Narrowest, ExecSpace>::require_memory(comm, n, grid, exec);
    const auto bound = [&](const auto& limits) -> std::optional<T> {
      WeightRange<T> range;
      detail::together(ranks, [&] { range = detail::check_edges<S>(edges, n, first); });
      range = detail::range_over(ranks, range);
      require_safe_sums<S>(n, range);
      if (range.any_negative()) return {};
      return detail::distance_bound(ranks, exec, n, edges, options.direction, range, limits);
    };
    const bool any_grid = grid.rows == 0 && grid.columns == 0 && grid.block_tiles == 0;
    const bool wanted =
        ranks.reduce(std::int32_t(options.direction == Direction::undirected && any_grid), MPI_MIN) == 1;
    const bool half = wanted && detail::is_commutative<S> && ranks.size() <= most_in_a_column &&
                      n >= detail::half_from<ExecSpace> * ranks.size();
    return Base::planned(narrower, bound, [&]<class Element>(std::type_identity<Element>) {
      using Matrix = DistributedMatrix<Element, ExecSpace>;
      Matrix d(comm, n, half ? Matrix::neighbouring_rows(ranks.size(), n) : grid, exec);
      const auto range = d.template fill<Over>(edges, options.direction, first);
      d.solve(Base::template range_in<Element>(range), options);
      return d;
    });
  }
};

// (Not in the class, or they would be inline, and compiled by each file that calls them: see detail/compiled.)

template <class Over, class ExecSpace>
auto SolvedRanks<Over, ExecSpace>::gather(int root) const -> DistanceMatrix<T, Kokkos::DefaultHostExecutionSpace> {
  return this->visit([&](const auto& d) { return d.template gather<T>(root); });
}

template <class Over, class ExecSpace>
template <class Edges>
  requires Kokkos::is_view_v<Edges>
SolvedRanks<Over, ExecSpace>::SolvedRanks(MPI_Comm ranks, std::int64_t n, const Edges& edges,
                                          const SolveOptions& options, std::int64_t first, ProcessGrid grid,
                                          const ExecSpace& exec)
    : Base(solved(ranks, n, edges, options, first, grid, exec)) {}

/// \brief All shortest distances of the graph of n vertices with these edges, on several ranks; collective.
///
/// Integers are held and solved in 8 (on hosts), 16 or 32 bits if all distances are known to fit, by a bound that is
/// worked out over the edges: then each rank needs half the memory or less. All ranks choose the same type.
///
/// \tparam Over    type of the distances, or a semiring, as in solve() on one instance
/// \param ranks    the communicator of the ranks that take part; it is duplicated
/// \param n        number of vertices
/// \param edges    rank-1 view on the host; each rank passes any part of the edges, or none
/// \param options  as in solve(); the method is dense, and Method::sparse an InvalidInput. An undirected graph takes
/// half the work on up to 16 ranks,
///                 unless a grid is named. That, and narrower numbers, are chosen only if all ranks allow it;
///                 progress, meanwhile and report count on the ranks that set them
/// \param first    the number of edges[0] among all edges, for the error of an invalid edge
/// \param grid     how the matrix is spread over the ranks
/// \param exec     the instance that this rank works on; fenced on return
/// \return the distances, a SolvedRanks
/// \throws as DistributedMatrix and solve(), the same on all ranks
///
/// n³ relaxes. Each rank has about n²/ranks numbers, the panels of DistributedMatrix, its edges twice while the matrix
/// is filled, and on a device 2 n numbers and its edges while the bound is worked out.
template <class Over = void, class ExecSpace = Kokkos::DefaultExecutionSpace, class Edges>
  requires Kokkos::is_view_v<Edges>
auto solve(MPI_Comm ranks, std::int64_t n, const Edges& edges, const SolveOptions& options = {}, std::int64_t first = 0,
           ProcessGrid grid = {}, const ExecSpace& exec = detail::default_instance<ExecSpace>()) {
  using S = semiring_of<Over, decltype(Edges::non_const_value_type::weight)>;
  using T = typename S::value_type;
  return SolvedRanks<std::conditional_t<std::is_same_v<S, MinPlus<T>>, T, S>, ExecSpace>(ranks, n, edges, options,
                                                                                         first, grid, exec);
}

/// \brief The same for edges in a host container.
template <class Over = void, class ExecSpace = Kokkos::DefaultExecutionSpace, std::ranges::contiguous_range Edges>
auto solve(MPI_Comm ranks, std::int64_t n, const Edges& edges, const SolveOptions& options = {}, std::int64_t first = 0,
           ProcessGrid grid = {}, const ExecSpace& exec = detail::default_instance<ExecSpace>()) {
  return solve<Over>(ranks, n, detail::view_of(edges), options, first, grid, exec);
}

}  // namespace blockfw

#if defined(BLOCKFW_COMPILED_MPI)
#include "blockfw/detail/compiled/distributed.hpp"
#endif
