// SPDX-License-Identifier: MIT
/// \file
/// \brief MPI ranks solve one matrix: a block-cyclic map spreads its tiles over the rows and columns of a process grid.
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
/// program initialises MPI, with at least MPI_THREAD_FUNNELED, and finalises it. Run one rank per core, one rank per
/// device, or any number of threads per rank.
#pragma once

#include "blockfw/detail/backend/compiled.hpp"
#include "blockfw/detail/kernel/rounds.hpp"
#include "blockfw/detail/kernel/tuned_tiles.hpp"
#include "blockfw/detail/matrices/read_weights.hpp"
#include "blockfw/detail/plan/narrow.hpp"
#include "blockfw/detail/shares/edges_by_owner.hpp"
#include "blockfw/detail/shares/mpi_edges.hpp"
#include "blockfw/detail/shares/mpi_failure.hpp"
#include "blockfw/detail/shares/rank_place.hpp"
#include "blockfw/detail/shares/share_layout.hpp"
#include "blockfw/ground/communicator.hpp"
#include "blockfw/ground/edge.hpp"
#include "blockfw/ground/matrix.hpp"
#include "blockfw/ground/options.hpp"
#include "blockfw/ground/rounding.hpp"
#include "blockfw/ground/semiring.hpp"
#include "blockfw/ground/spaces.hpp"
#include "blockfw/ground/weights.hpp"
#include "blockfw/shares.hpp"
#include "blockfw/solve.hpp"
#include "blockfw/solved.hpp"

#include <Kokkos_Core.hpp>

#include <mpi.h>

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <ranges>
#include <span>
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
      : Base(std::make_shared<const Ranks>(place_of(exec, ranks, n, grid))) {}

  /// \brief Checks that the distances of n vertices would fit, without memory for them; collective.
  /// \throws as the constructor
  static void require_memory(MPI_Comm ranks, std::int64_t n, ProcessGrid grid = {}) {
    Base::require_memory(place_of(detail::default_instance<ExecSpace>(), ranks, n, grid));
  }

  /// \brief The grid that gives each rank neighbouring rows, and all columns. Half the work for an undirected graph
  /// needs this grid. (A rank receives the rows of every pivot. So for more than a few ranks another grid is better.)
  static ProcessGrid neighbouring_rows(int ranks, std::int64_t n) {
    const auto tiles = static_cast<int>(detail::div_up(std::max<std::int64_t>(n, 1), Base::tile_bytes().tile));
    return {ranks, 1, detail::div_up(tiles, ranks)};
  }

  // Local functions.

  /// The grid that spreads the matrix over the ranks, with every value chosen.
  const ProcessGrid& grid() const { return ranks_place().grid(); }
  /// The number of neighbouring rows (and columns) of a block, which are on the same rank.
  int block_rows() const { return static_cast<int>(this->layout().down.block_rows()); }
  /// The ranks that take part.
  const Communicator& ranks() const { return ranks_place().ranks(); }
  /// The instance that this rank works on.
  const ExecSpace& exec() const { return this->exec_of(rank()); }
  /// This rank's share of the distances; there may be gaps between rows.
  const typename Base::View& local() const { return this->view_of(rank()); }
  /// The vertex of row i of local().
  std::int64_t row(std::int64_t i) const { return this->layout().row(rank(), i); }
  /// The vertex of column j of local().
  std::int64_t column(std::int64_t j) const { return this->layout().column(rank(), j); }

  /// Where the distance from one vertex to another lies.
  struct EntryPlace {
    int rank;          ///< the rank that holds it
    std::int64_t row,  ///< its row in local() of that rank
        column;        ///< its column there
  };
  /// The place of the distance between two vertices.
  EntryPlace place(std::int64_t from, std::int64_t to) const {
    const detail::OwnedEntry at = this->layout().owner(from, to);
    return {at.part, at.row, at.column};
  }

 private:
  static Ranks place_of(const ExecSpace& exec, MPI_Comm ranks, std::int64_t n, ProcessGrid grid) {
    return {detail::RankGrid(ranks, n, grid, Base::tile_bytes(), is_host_space<ExecSpace>), exec};
  }
  const Ranks& ranks_place() const { return static_cast<const Ranks&>(this->where()); }
  int rank() const { return ranks_place().first(); }
};

/// \brief The distances that several ranks have found; each rank holds its share. They are held in the type of the
/// distances, or in a narrower type that holds them. All ranks call every function together, except vertices(), bits(),
/// ranks() and visit().
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
  SolvedRanks(MPI_Comm ranks, std::int64_t n, const Edges& edges, const RankOptions& options);

  /// \brief The same for a matrix of weights on the host.
  template <MatrixView Matrix>
  SolvedRanks(MPI_Comm ranks, const Matrix& weights, const RankOptions& options)
      : Base(solved_matrix(Communicator(ranks), weights, options)) {}

  /// The ranks that take part.
  const Communicator& ranks() const {
    return *this->visit([](const auto& d) { return &d.ranks(); });
  }

 private:
  using typename Base::Held;

  /// In a square grid of r ranks a rank receives 2/√r of the pivots' rows. In a grid of one column it receives all of
  /// them, and as much again for half the work. More ranks than this would wait for the rows longer than half the work
  /// saves. (A model, not measured.)
  static constexpr int most_in_a_column = 16;

  /// Whether ranks take the grid for half the work if no other grid is named. The answer is the same on all ranks.
  static bool takes_neighbours(const Communicator& ranks, std::int64_t n, const SolveOptions& options,
                               const ProcessGrid& grid) {
    const bool any_grid = grid.rows == 0 && grid.columns == 0 && grid.block_tiles == 0;
    const bool wanted =
        ranks.reduce(std::int32_t(options.direction == Direction::undirected && any_grid), MPI_MIN) == 1;
    return wanted && detail::is_commutative<S> && ranks.size() <= most_in_a_column &&
           n >= detail::half_from<ExecSpace> * ranks.size();
  }
  /// An empty matrix.
  /// \param neighbours  whether each rank has neighbouring rows, regardless of the grid
  template <class Element>
  static DistributedMatrix<Element, ExecSpace> made(const Communicator& ranks, std::int64_t n, bool neighbours,
                                                    const ProcessGrid& grid) {
    using Matrix = DistributedMatrix<Element, ExecSpace>;
    return Matrix(ranks.get(), n, neighbours ? Matrix::neighbouring_rows(ranks.size(), n) : grid);
  }

  /// Checks that all ranks agree, and that there is the least memory that the distances may take. This check comes
  /// before any array of n elements is allocated. \return whether a narrower type may be chosen
  static bool checked(const Communicator& ranks, std::int64_t n, const SolveOptions& options, const ProcessGrid& grid) {
    const bool narrower = ranks.reduce(std::int32_t(Base::may_be_narrower(n, options.narrow)), MPI_MIN) == 1;
    if (narrower)
      DistributedMatrix<typename Base::Narrowest, ExecSpace>::require_memory(ranks.get(), n, grid);
    else
      DistributedMatrix<Over, ExecSpace>::require_memory(ranks.get(), n, grid);
    return narrower;
  }

  template <class Edges>
  static Held solved(const Communicator& ranks, std::int64_t n, const Edges& edges, const RankOptions& all) {
    const SolveOptions& options = all.solve;
    const bool narrower = checked(ranks, n, options, all.grid);
    if (auto held = by_elimination(ranks, n, edges, all, narrower)) return std::move(*held);
    const double analysis_seconds = options.report != nullptr ? options.report->analysis_seconds : 0;
    const auto bound = [&](const auto& limits) -> std::optional<T> {
      WeightRange<T> range;
      detail::together(ranks, [&] { range = detail::check_edges<S>(edges, n, all.first_edge); });
      range = detail::range_of_ranks(ranks, range);
      require_safe_sums<S>(n, range);
      if (range.any_negative()) return {};
      return detail::distance_bound(ranks, detail::default_instance<ExecSpace>(), n, edges, options.direction, range,
                                    limits);
    };
    const bool neighbours = takes_neighbours(ranks, n, options, all.grid);
    return Base::planned(narrower, bound, [&]<class Element>(std::type_identity<Element>) {
      auto d = made<Element>(ranks, n, neighbours, all.grid);
      const auto range = d.template fill<Over>(edges, {options.direction, all.first_edge});
      d.solve(Base::template range_in<Element>(range), options);
      if (options.report != nullptr) options.report->analysis_seconds = analysis_seconds;
      return d;
    });
  }

  /// The distances by elimination, if a rank requests it, or if it is cheaper than the dense method, and its memory is
  /// there. Each rank gets all edges, and eliminates.
  template <class Edges>
  static std::optional<Held> by_elimination(const Communicator& ranks, std::int64_t n, const Edges& edges,
                                            const RankOptions& all, bool narrower) {
    using W = decltype(Edges::non_const_value_type::weight);
    const auto any = [&](bool is) { return ranks.reduce(std::int32_t(is), MPI_MAX) == 1; };
    const bool sparse = any(all.solve.method == Method::sparse), dense = any(all.solve.method == Method::dense);
    detail::together(ranks, [&] {
      if (sparse && dense)
        throw InvalidInput("a rank passes Method::sparse and another one Method::dense, expected the same method");
    });
    SolveOptions options = all.solve;
    if (options.report != nullptr) *options.report = {};
    options.method = sparse ? Method::sparse : dense ? Method::dense : Method::automatic;
    const std::int64_t count = ranks.reduce(static_cast<std::int64_t>(edges.extent(0)), MPI_SUM);
    if (!detail::may_be_sparse<ExecSpace>(n, static_cast<std::size_t>(count), options.method)) return {};
    const std::vector instances{detail::default_instance<ExecSpace>()};
    using Found = std::optional<std::pair<Held, SolveReport>>;
    return detail::eliminated_if_it_fits<Held>(options, instances, [&](SolveOptions watched) -> Found {
      // (An error of any rank is thrown on all ranks.)
      detail::together(ranks, [&] { detail::check_edges<S>(edges, n, all.first_edge); });
      const auto every = detail::edges_of_ranks<W>(ranks, edges, watched.direction);
      std::unique_ptr<detail::RowSource<T, ExecSpace>> source;
      detail::together(
          ranks, [&] { source = detail::eliminated_rows<S>(instances, n, std::span<const Edge<W>>(every), watched); });
      if (!source) return {};
      const bool neighbours = all.grid.rows == 0 && all.grid.columns == 0 && all.grid.block_tiles == 0;
      const auto bound = [&](const auto& limits) {
        std::optional<T> least;
        detail::together(ranks, [&] { least = source->bound(limits); });
        return least;
      };
      return Base::filled(
          *source, watched, narrower && !source->range.any_negative(), bound,
          [&]<class Element>(std::type_identity<Element>) { return made<Element>(ranks, n, neighbours, all.grid); });
    });
  }

  template <class Matrix>
  static Held solved_matrix(const Communicator& ranks, const Matrix& w, const RankOptions& all) {
    const SolveOptions& options = all.solve;
    const ProcessGrid& grid = all.grid;
    detail::together(ranks, [&] {
      require_square(w);
      detail::require_unused(all.first_edge != 0, "first_edge", "solve() of a matrix");
    });
    const auto n = static_cast<std::int64_t>(w.extent(0));
    detail::require_same(ranks, {n}, "numbers of vertices");
    detail::require_same(ranks, {options.direction == Direction::undirected}, "directions");
    detail::together(ranks, [&] { detail::require_dense(options, "on ranks"); });
    const bool narrower = checked(ranks, n, options, grid);
    const bool neighbours = takes_neighbours(ranks, n, options, grid);
    return Base::planned_matrix(
        w, options, narrower,
        [&](const auto& weights) {  // each rank reads the same number of rows
          WeightRange<T> range;
          const std::int64_t r = ranks.rank(), count = ranks.size();
          detail::together(ranks, [&] {
            range = detail::read_weights<S>(Kokkos::DefaultHostExecutionSpace(), weights, detail::IgnoreWeights{},
                                            {n * r / count, n * (r + 1) / count});
          });
          return detail::range_of_ranks(ranks, range);
        },
        [&](const auto& find) -> std::optional<T> {  // the bound of any rank holds for all ranks
          std::optional<T> bound;
          detail::together(ranks, [&] { bound = find(); });
          constexpr T none = std::numeric_limits<T>::max();
          const T least = ranks.reduce(bound.value_or(none), MPI_MIN);
          return least < none ? std::optional(least) : std::nullopt;
        },
        [&]<class Element>(std::type_identity<Element>) { return made<Element>(ranks, n, neighbours, grid); });
  }
};

// (A definition in the class would be inline, and each file that calls it would compile it. See the macros at the end
// of this header, and detail/backend/compiled.hpp.)

template <class Over, class ExecSpace>
template <class Edges>
  requires Kokkos::is_view_v<Edges>
SolvedRanks<Over, ExecSpace>::SolvedRanks(MPI_Comm ranks, std::int64_t n, const Edges& edges,
                                          const RankOptions& options)
    : Base(solved(Communicator(ranks), n, edges, options)) {}

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
  const auto list = detail::view_of(edges);
  using S = semiring_of<Over, detail::WeightOf<Edges>>;
  using T = typename S::value_type;
  return SolvedRanks<std::conditional_t<std::is_same_v<S, MinPlus<T>>, T, S>, ExecSpace>(ranks, n, list, options);
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
  using T = typename S::value_type;
  static_assert(std::is_same_v<typename Matrix::non_const_value_type, T>,
                "blockfw: the matrix's elements are not of the semiring's type");
  return SolvedRanks<std::conditional_t<std::is_same_v<S, MinPlus<T>>, T, S>, ExecSpace>(ranks, w, options);
}

/// \brief The same with the options of every solve, without those of ranks.
template <class Over = void, class ExecSpace = Kokkos::DefaultExecutionSpace, MatrixView Matrix>
auto solve(MPI_Comm ranks, const Matrix& w, const SolveOptions& options = {}) {
  return solve<Over, ExecSpace>(ranks, w, RankOptions{.solve = options});
}

}  // namespace blockfw

/// A rank's part of a matrix.
#define BLOCKFW_COMPILED_PARTS(LINKAGE, S)                                               \
  LINKAGE template class blockfw::DistributedMatrix<blockfw::detail::compiled::Value<S>, \
                                                    blockfw::detail::compiled::Exec>;
/// A graph in a container, and its distances.
#define BLOCKFW_COMPILED_RANKS(LINKAGE, S)                                                                           \
  LINKAGE template class blockfw::Solved<blockfw::DistributedMatrix, blockfw::detail::compiled::Value<S>,            \
                                         blockfw::detail::compiled::Exec>;                                           \
  LINKAGE template class blockfw::SolvedRanks<blockfw::detail::compiled::Value<S>, blockfw::detail::compiled::Exec>; \
  LINKAGE template blockfw::SolvedRanks<blockfw::detail::compiled::Value<S>, blockfw::detail::compiled::Exec>::      \
      SolvedRanks(MPI_Comm, std::int64_t,                                                                            \
                  const blockfw::detail::compiled::HostEdges<blockfw::detail::compiled::Value<S>>&,                  \
                  const blockfw::RankOptions&);

#if defined(BLOCKFW_COMPILED_MPI)
BLOCKFW_COMPILED_INT8(BLOCKFW_COMPILED_PARTS, extern)
BLOCKFW_COMPILED_SHORTEST(BLOCKFW_COMPILED_PARTS, extern)
BLOCKFW_COMPILED_SHORTEST(BLOCKFW_COMPILED_RANKS, extern)
#endif
