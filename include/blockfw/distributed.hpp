// SPDX-License-Identifier: MIT
/// \file
/// \brief MPI ranks solve one matrix: a block-cyclic map spreads its tiles over the rows and columns of a process grid.
/// Or each rank has a factor of the graph, and answers for some of the vertices.
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
/// solve() keeps all distances on the ranks. The answers of factors need no n x n memory. A table of them needs no
/// function: each rank calls SparseFactor::table() with its sources.
///
/// This header needs the package's component `mpi`: find_package(blockfw COMPONENTS mpi), target blockfw::mpi. The
/// program initialises MPI, with at least MPI_THREAD_FUNNELED, and finalises it. Run one rank per core, one rank per
/// device, or any number of threads per rank.
#pragma once

#include "blockfw/detail/backend/compiled.hpp"
#include "blockfw/detail/backend/memory.hpp"
#include "blockfw/detail/base/arithmetic.hpp"
#include "blockfw/detail/kernel/rounds.hpp"
#include "blockfw/detail/kernel/tuned_tiles.hpp"
#include "blockfw/detail/matrices/edge_entries.hpp"
#include "blockfw/detail/plan/narrow.hpp"
#include "blockfw/detail/shares/edges_by_owner.hpp"
#include "blockfw/detail/shares/rank_place.hpp"
#include "blockfw/detail/shares/share_layout.hpp"
#include "blockfw/ground/answers.hpp"
#include "blockfw/ground/communicator.hpp"
#include "blockfw/ground/edge.hpp"
#include "blockfw/ground/matrix.hpp"
#include "blockfw/ground/options.hpp"
#include "blockfw/ground/semiring.hpp"
#include "blockfw/ground/weights.hpp"
#include "blockfw/measures.hpp"
#include "blockfw/shares.hpp"
#include "blockfw/solve.hpp"
#include "blockfw/solved.hpp"
#include "blockfw/sparse.hpp"

#include <Kokkos_Core.hpp>

#include <mpi.h>

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>
#include <numeric>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace blockfw {

/// \brief Options of solve() on ranks: the options of every solve, and further ones for ranks.
struct RankOptions {
  SolveOptions solve = {};  ///< the options of every solve, wherever it runs
  /// How the matrix is spread over the ranks; the same on all ranks.
  ProcessGrid grid = {};
  /// The number of this rank's first edge among all edges, for the error of an invalid edge.
  std::int64_t first_edge = 0;
};

namespace detail {

/// Chooses the grid of ranks. Every function is collective.
template <class ExecSpace>
class RankPlanner final : public OnRanks<Planner<ExecSpace>> {
  using Base = OnRanks<Planner<ExecSpace>>;
  using Base::ranks_;

 public:
  RankPlanner(Communicator&& ranks, const RankOptions& options) : Base(std::move(ranks)), options_(options) {}

  std::vector<ExecSpace> instances() const override { return {default_instance<ExecSpace>()}; }
  std::shared_ptr<const Place<ExecSpace>> place(const Numbers<ExecSpace>& numbers, std::int64_t n,
                                                PlaceFor task) const override {
    const bool any_grid = options_.grid.rows == 0 && options_.grid.columns == 0 && options_.grid.block_tiles == 0;
    const bool half = any_grid && options_.solve.direction == Direction::undirected;
    const bool in_a_column = task == PlaceFor::rounds
                                 ? this->on_all(half) && numbers.commutes() && ranks_.size() <= most_in_a_column &&
                                       n >= half_from<ExecSpace> * ranks_.size()
                                 : any_grid;
    const ProcessGrid grid = in_a_column ? neighbouring_rows(ranks_.size(), n, numbers.sizes().tile) : options_.grid;
    return std::make_shared<const RankPlace<ExecSpace>>(
        RankGrid(ranks_.get(), n, grid, numbers.sizes(), is_host_space<ExecSpace>), default_instance<ExecSpace>());
  }

  template <class Edges>
  bool takes(const Edges&) const {
    return true;
  }
  /// \brief The edges of all ranks, in the order of the ranks.
  /// \param direction  of this rank's edges. On return it is directed unless it was undirected on all ranks: then
  ///                   undirected edges of some ranks are two edges each.
  /// \throws OutOfMemory if they do not fit, before memory is asked for
  template <Semiring S, class Edges>
  auto all_edges(std::int64_t n, const Edges& edges, Direction& direction) const {
    using W = decltype(Edges::non_const_value_type::weight);
    this->together([&] {
      check_edges<S>(edges, n, options_.first_edge, [](auto&&...) {});
    });  // (an error of any rank is thrown on all)
    const bool undirected = direction == Direction::undirected, all_undirected = this->on_all(undirected),
               twice = undirected && !all_undirected;
    direction = all_undirected ? Direction::undirected : Direction::directed;
    const std::int64_t mine = (twice ? 2 : 1) * extent_along(edges, 0);
    std::vector<std::int64_t> counts(static_cast<std::size_t>(ranks_.size()));
    require_mpi(MPI_Allgather(&mine, 1, MPI_INT64_T, counts.data(), 1, MPI_INT64_T, ranks_.get()), "counting edges");
    const auto count = static_cast<std::size_t>(std::accumulate(counts.begin(), counts.end(), std::int64_t{0}));
    std::vector<Edge<W>> all;
    this->together([&] {
      require_host_memory("the edges of all ranks, " + std::to_string(count),
                          static_cast<double>(count) * sizeof(Edge<W>));
      all.resize(count);
    });
    Edge<W>* part = all.data();
    for (int rank = 0; rank < ranks_.size(); ++rank) {
      const auto some = static_cast<std::size_t>(counts[static_cast<std::size_t>(rank)]);
      if (rank == ranks_.rank())
        for (std::size_t e = 0; e < edges.extent(0); ++e) {
          part[e] = edges(e);
          if (twice) part[edges.extent(0) + e] = {edges(e).to, edges(e).from, edges(e).weight};
        }
      broadcast(ranks_, part, some * sizeof(Edge<W>), rank, "sending edges");
      part += some;
    }
    return all;
  }
  /// \brief The edges of all ranks. Any edge may be on any rank.
  ///
  /// A pass for the bound reads every edge on its rank. Between passes the bounds, 2 n numbers, go to all ranks. So all
  /// ranks find the same bound.
  template <Semiring S, class Edges, class T = typename S::value_type>
  DenseSource<T, ExecSpace> dense_source([[maybe_unused]] std::int64_t n, const Edges& edges,
                                         const SolveOptions&) const {
    const Direction direction = options_.solve.direction;
    DenseSource<T, ExecSpace> source;
    if constexpr (Ladder<S, is_host_space<ExecSpace>>::any)
      source.bound = [this, n, &edges, direction](const std::vector<T>& limits) -> std::optional<T> {
        WeightRange<T> range;
        this->together([&] { range = check_edges<S>(edges, n, options_.first_edge, [](auto&&...) {}); });
        range = this->reduced(range);
        require_safe_sums<S>(n, range);
        if (range.any_negative()) return {};
        const auto exec = default_instance<ExecSpace>();
        decltype(reachable_edges(exec, edges)) there;
        HubDistances<T, ExecSpace> distances;
        const auto find_hub = [&] {
          std::pair<std::int64_t, std::int64_t> hub;
          this->together([&] {
            there = reachable_edges(exec, edges);
            distances = without_values<HubDistances<T, ExecSpace>>(exec, "blockfw::hub_distances", n);
            hub = find_hub_of_edges(edges);
          });
          const std::int64_t most = this->reduced(hub.second, Reduction::most);
          return this->reduced(hub.second == most ? hub.first : n, Reduction::least);
        };
        return distance_bound_of_edges(n, range, limits, find_hub, [&](const HostHubDistances<T>& best) {
          this->together([&] { improve_hub_distances_by(exec, there, 0, direction, distances, best, best); });
          in_mpi_ranges(best.size(), [&](std::size_t first, int some) {
            require_mpi(MPI_Allreduce(MPI_IN_PLACE, best.data() + first, some, mpi_type<T>(), MPI_MIN, ranks_.get()),
                        "lowering bounds");
          });
        });
      };
    source.fill = [this, &edges, direction](const Shares<ExecSpace>& d) {
      const auto spread = spread_edges<S>(d.where(), edges, direction, options_.first_edge);
      fill_shares(d, spread);
      return spread.range;
    };
    return source;
  }

  /// The grid that gives each rank neighbouring rows, and all columns.
  static ProcessGrid neighbouring_rows(int ranks, std::int64_t n, int tile) {
    const auto tiles = static_cast<int>(div_up(std::max<std::int64_t>(n, 1), tile));
    return {ranks, 1, div_up(tiles, ranks)};
  }

 private:
  /// In a square grid of r ranks a rank receives 2/√r of the pivots' rows. In a grid of one column it receives all of
  /// them, and as much again for half the work. More ranks than this would wait for the rows longer than half the work
  /// saves. (A model, not measured.)
  static constexpr int most_in_a_column = 16;

  const RankOptions& options_;
};

}  // namespace detail

/// \brief A matrix of distances that is spread over several ranks. All ranks call every function together, unless the
/// function is marked as local.
///
/// Blocks of neighbouring tile rows go cyclically to the rows of the process grid, and blocks of tile columns to its
/// columns. Each rank's share has about n²/ranks elements. During a solve a rank also holds panels. On a device they
/// take about a twentieth of its share; on a host, the rows and columns of two tiles. For half the work a rank needs
/// about as much memory again, for the pivots' rows that travel.
///
/// \tparam Over       type of the distances, for shortest paths, or a semiring
/// \tparam TileShape  the tile, as for blocked_floyd_warshall()
template <class Over, class ExecSpace = Kokkos::DefaultExecutionSpace,
          class TileShape = default_tile<ExecSpace, typename semiring_of<Over, void>::value_type>>
class DistributedMatrix : public MatrixInShares<Over, ExecSpace, TileShape> {
  using Base = MatrixInShares<Over, ExecSpace, TileShape>;
  using Ranks = detail::RankPlace<ExecSpace>;
  template <template <class...> class, class, class>
  friend class Solved;

 public:
  /// \brief Memory for the distances of n vertices, not yet filled.
  /// \param ranks  the communicator of the ranks that take part. It is duplicated.
  /// \param n      number of vertices
  /// \param grid   how the matrix is spread over the ranks
  /// \throws InvalidInput when ranks differ in n or in the grid; when the grid does not match the number of ranks; when
  ///         n is negative or too large. OutOfMemory, which names the rank, when a share does not fit.
  DistributedMatrix(MPI_Comm ranks, std::int64_t n, ProcessGrid grid = {})
      : DistributedMatrix(detail::default_instance<ExecSpace>(), ranks, n, grid) {}

  /// \brief The same on an instance of this rank. With several devices, usually each rank has its own device.
  DistributedMatrix(const ExecSpace& exec, MPI_Comm ranks, std::int64_t n, ProcessGrid grid = {})
      : Base(detail::Shares<ExecSpace>(place_of(exec, ranks, n, grid), Base::numbers())) {}

  /// \brief Checks that the distances of n vertices would fit, without memory for them; collective.
  /// \throws as the constructor
  static void require_memory(MPI_Comm ranks, std::int64_t n, ProcessGrid grid = {}) {
    detail::Shares<ExecSpace>::require_memory(*place_of(detail::default_instance<ExecSpace>(), ranks, n, grid),
                                              Base::numbers());
  }

  /// \brief The grid that gives each rank neighbouring rows, and all columns. Half the work for an undirected graph
  /// needs this grid. (A rank receives the rows of every pivot. So for more than a few ranks another grid is better.)
  static ProcessGrid neighbouring_rows(int ranks, std::int64_t n) {
    return detail::RankPlanner<ExecSpace>::neighbouring_rows(ranks, n, Base::numbers().sizes().tile);
  }

  // Local functions.

  /// The grid that spreads the matrix over the ranks, with every value chosen.
  const ProcessGrid& grid() const { return ranks_place().grid(); }
  /// The number of neighbouring rows (and columns) of a block, which are on the same rank.
  int block_rows() const { return static_cast<int>(layout().down.block_rows()); }
  /// The ranks that take part.
  const Communicator& ranks() const { return ranks_place().ranks(); }
  /// The instance that this rank works on.
  const ExecSpace& exec() const { return this->in_shares().where().exec(rank()); }
  /// This rank's share of the distances; there may be gaps between rows.
  typename Base::View local() const { return this->view_of(rank()); }
  /// The vertex of row i of local().
  std::int64_t row(std::int64_t i) const { return layout().row(rank(), i); }
  /// The vertex of column j of local().
  std::int64_t column(std::int64_t j) const { return layout().column(rank(), j); }

  /// Where the distance from one vertex to another lies.
  struct EntryPlace {
    int rank;          ///< the rank that holds it
    std::int64_t row,  ///< its row in local() of that rank
        column;        ///< its column there
  };
  /// The place of the distance between two vertices.
  EntryPlace place(std::int64_t from, std::int64_t to) const {
    const detail::OwnedEntry at = layout().owner(from, to);
    return {at.part, at.row, at.column};
  }

 private:
  explicit DistributedMatrix(detail::Shares<ExecSpace> held) : Base(std::move(held)) {}

  static std::shared_ptr<const Ranks> place_of(const ExecSpace& exec, MPI_Comm ranks, std::int64_t n,
                                               ProcessGrid grid) {
    return std::make_shared<const Ranks>(
        detail::RankGrid(ranks, n, grid, Base::numbers().sizes(), is_host_space<ExecSpace>), exec);
  }
  const Ranks& ranks_place() const { return static_cast<const Ranks&>(this->in_shares().where()); }
  const detail::ShareLayout& layout() const { return this->in_shares().layout(); }
  int rank() const { return ranks_place().first(); }
};

/// \brief The distances that several ranks have found; each rank holds its share. They are held in the type of the
/// distances, or in a narrower type that holds them. All ranks call every function together, except vertices(), bits(),
/// shares(), ranks() and visit().
/// \tparam Over       type of the distances, for shortest paths, or a semiring
/// \tparam ExecSpace  of each rank
template <class Over, class ExecSpace = Kokkos::DefaultExecutionSpace>
class SolvedRanks : public Solved<DistributedMatrix, Over, ExecSpace> {
  using Base = Solved<DistributedMatrix, Over, ExecSpace>;
  using typename Base::S;

 public:
  /// \brief Plans and solves; see solve().
  template <class Edges>
    requires Kokkos::is_view_v<Edges>
  SolvedRanks(MPI_Comm ranks, std::int64_t n, const Edges& edges, const RankOptions& options)
      : Base(detail::solve_in_shares<S>(Planner(Communicator(ranks), options), n, edges, options.solve)) {}

  /// \brief The same for a matrix of weights on the host.
  template <MatrixView Matrix>
  SolvedRanks(MPI_Comm ranks, const Matrix& weights, const RankOptions& options)
      : Base(solved_matrix(Planner(Communicator(ranks), options), weights, options)) {}

  /// The ranks that take part.
  const Communicator& ranks() const {
    return static_cast<const detail::RankPlace<ExecSpace>&>(this->in_shares().where()).ranks();
  }

 private:
  using Planner = detail::RankPlanner<ExecSpace>;

  template <class Matrix>
  static auto solved_matrix(const Planner& planner, const Matrix& weights, const RankOptions& options) {
    planner.together([&] { detail::require_unused(options.first_edge != 0, "first_edge", "solve() of a matrix"); });
    return detail::solve_matrix_in_shares<S, ExecSpace>(planner, weights, options.solve);
  }
};

/// \brief All shortest distances of the graph of n vertices with these edges, on several ranks; collective.
///
/// Integers are held and solved in 8 (on hosts), 16 or 32 bits if all distances are known to fit. A bound that is
/// computed from the edges decides this. Each rank then needs half the memory or less. All ranks choose the same type.
///
/// \tparam Over       type of the distances, or a semiring, as in solve() on one instance
/// \tparam ExecSpace  the execution space of each rank, which works on its default instance
/// \param ranks    the communicator of the ranks that take part. It is duplicated.
/// \param n        number of vertices
/// \param edges    container or rank-1 view on the host; each rank passes any part of the edges, or none
/// \param options  as in solve(), and in RankOptions the further options of ranks. Elimination is taken if a rank asks
///                 for it; each rank then gets all edges, and makes its rows by a factor of its own. An undirected
///                 graph takes half the work on up to 16 ranks, unless a grid is named. Ranks take half the work and
///                 narrower numbers only if all of them allow it. The options progress, meanwhile and report take
///                 effect on the ranks that set them.
/// \return the distances, a SolvedRanks
/// \throws as DistributedMatrix and solve(), the same on all ranks
///
/// n³ relaxes. Memory of each rank: about n²/ranks numbers, and the panels of DistributedMatrix. While the matrix is
/// filled, a rank also holds its edges twice. While the bound is computed, a device also holds 2 n numbers and the
/// rank's edges.
template <class Over = void, class ExecSpace = Kokkos::DefaultExecutionSpace, EdgeList Edges,
          std::same_as<RankOptions> Options>
auto solve(MPI_Comm ranks, std::int64_t n, const Edges& edges, const Options& options) {
  using S = semiring_of<Over, detail::WeightOf<Edges>>;
  return SolvedRanks<detail::OverOf<S>, ExecSpace>(ranks, n, detail::view_of(edges), options);
}

/// \brief The same with the options of every solve, without those of ranks.
template <class Over = void, class ExecSpace = Kokkos::DefaultExecutionSpace, EdgeList Edges>
auto solve(MPI_Comm ranks, std::int64_t n, const Edges& edges, const SolveOptions& options = {}) {
  return solve<Over, ExecSpace>(ranks, n, edges, RankOptions{.solve = options});
}

/// \brief The same for the graph whose edge i → j has length w(i, j), as solve() of a matrix on one instance.
/// \param ranks    the communicator of the ranks that take part. It is duplicated.
/// \param w        square rank-2 view on the host, of any layout. It must be the same on all ranks; they do not compare
///                 it. It is not changed. A rank reads its share, and some rows for the check. It reads the whole
///                 matrix only if narrower numbers may suffice.
/// \param options  as in solve() of edges
/// \throws as solve() of a matrix, the same on all ranks
template <class Over = void, class ExecSpace = Kokkos::DefaultExecutionSpace, MatrixView Matrix,
          std::same_as<RankOptions> Options>
auto solve(MPI_Comm ranks, const Matrix& w, const Options& options) {
  using S = semiring_of<Over, typename Matrix::non_const_value_type>;
  return SolvedRanks<detail::OverOf<S>, ExecSpace>(ranks, w, options);
}

/// \brief The same with the options of every solve, without those of ranks.
template <class Over = void, class ExecSpace = Kokkos::DefaultExecutionSpace, MatrixView Matrix>
auto solve(MPI_Comm ranks, const Matrix& w, const SolveOptions& options = {}) {
  return solve<Over, ExecSpace>(ranks, w, RankOptions{.solve = options});
}

/// \brief SparseFactor::reach() of all vertices; collective. Each rank sums up the vertices of its part.
/// \param comm     the ranks that take part
/// \param factor   of the same graph on all ranks, made by each
/// \param towards  which distances count, the same on all ranks
/// \return all summaries, on all ranks
/// \throws InvalidInput for factors of different graphs; OutOfMemory; RankError; the same on all ranks
template <Semiring S, class ExecSpace>
std::vector<Reach<typename S::value_type>> reach(MPI_Comm comm, const SparseFactor<S, ExecSpace>& factor,
                                                 Towards towards = Towards::others) {
  using Summary = Reach<typename S::value_type>;
  const Communicator ranks(comm);
  const std::int64_t n = factor.vertices(), count = ranks.size();
  detail::require_same(ranks, {n}, "numbers of vertices");
  detail::require_same(ranks, {int(towards)}, "directions");
  std::vector<Summary> all;
  detail::together(ranks, [&] {
    detail::require_host_memory("the measures of " + std::to_string(n) + " vertices",
                                static_cast<double>(n) * sizeof(Summary));
    all.resize(static_cast<std::size_t>(n));
    const std::int64_t first = n * ranks.rank() / count, end = n * (ranks.rank() + 1) / count;
    std::ranges::copy(factor.reach(first, end, towards), all.begin() + first);
  });
  for (int rank = 0; rank < count; ++rank) {
    Summary* const part = all.data() + n * rank / count;
    const auto some = static_cast<std::size_t>(n * (rank + 1) / count - n * rank / count);
    detail::in_mpi_ranges(some * sizeof(Summary), [&](std::size_t first, int size) {
      detail::require_mpi(MPI_Bcast(reinterpret_cast<std::byte*>(part) + first, size, MPI_BYTE, rank, ranks.get()),
                          "sending measures");
    });
  }
  return all;
}

/// \brief The sum of the histograms of all ranks; collective. Each rank adds the rows of some vertices, as
/// SparseFactor::for_whole_rows(first, end, f) gives them.
/// \param comm       the ranks that take part
/// \param histogram  of this rank; its bins are the same on all ranks
/// \return the sum, on all ranks
/// \throws InvalidInput for bins that differ, RankError; the same on all ranks
template <Distance T>
DistanceHistogram<T> all_reduce(MPI_Comm comm, const DistanceHistogram<T>& histogram) {
  const Communicator ranks(comm);
  std::int64_t width = 0;  // its bits
  const T own_width = histogram.width();
  std::memcpy(&width, &own_width, sizeof(T));
  detail::require_same(ranks, {histogram.bins(), width}, "bins of histograms");
  std::vector<std::int64_t> counts = histogram.counts();
  counts.push_back(histogram.negative());
  counts.push_back(histogram.unreachable());
  detail::require_mpi(
      MPI_Allreduce(MPI_IN_PLACE, counts.data(), static_cast<int>(counts.size()), MPI_INT64_T, MPI_SUM, ranks.get()),
      "adding up histograms");
  const std::int64_t unreachable = counts.back(), negative = counts[counts.size() - 2];
  counts.resize(counts.size() - 2);
  return DistanceHistogram<T>(own_width, counts, negative, unreachable);
}

}  // namespace blockfw

/// A graph in a container, on ranks.
#define BLOCKFW_COMPILED_RANKS(LINKAGE, S)                                                                       \
  LINKAGE template blockfw::detail::Shares<blockfw::detail::compiled::Exec> blockfw::detail::solve_in_shares<S>( \
      const blockfw::detail::RankPlanner<blockfw::detail::compiled::Exec>&, std::int64_t,                        \
      const blockfw::detail::compiled::HostEdges<blockfw::detail::compiled::Value<S>>&, const blockfw::SolveOptions&);

#if defined(BLOCKFW_COMPILED_MPI)
BLOCKFW_COMPILED_SHORTEST(BLOCKFW_COMPILED_RANKS, extern)
#endif
