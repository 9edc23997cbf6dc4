// SPDX-License-Identifier: MIT
/// \file
/// \brief MPI ranks solve one matrix: a block-cyclic map spreads its tiles over a process grid, down and across.
///
/// \code
///   int level, rank, ranks;
///   MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level);
///   const Kokkos::ScopeGuard kokkos(argc, argv);
///   blockfw::DistributedMatrix<int> d(MPI_COMM_WORLD, n);
///   d.solve(d.fill(my_edges));  // each rank has some of the edges
///   auto local = d.local();     // this rank's share: local(i, j) is the distance from d.row(i) to d.column(j)
/// \endcode
///
/// This header needs the package's component `mpi`: find_package(blockfw COMPONENTS mpi), target blockfw::mpi. The
/// program initialises MPI, with at least MPI_THREAD_FUNNELED, and finalises it. Run one rank per core, one per device,
/// or any number of threads per rank.
#pragma once

#include "blockfw/communicator.hpp"
#include "blockfw/detail/backend/streams.hpp"
#include "blockfw/detail/devices/block_cyclic_map.hpp"
#include "blockfw/detail/devices/edges_by_owner.hpp"
#include "blockfw/detail/devices/mpi_failure.hpp"
#include "blockfw/detail/devices/mpi_link.hpp"
#include "blockfw/detail/devices/share_solver.hpp"
#include "blockfw/detail/plan/finish.hpp"
#include "blockfw/detail/rounding.hpp"
#include "blockfw/solve.hpp"

#include <Kokkos_Core.hpp>

#include <mpi.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <limits>
#include <optional>
#include <ranges>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
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
/// of its share on a device, two tiles' rows and columns on a host.
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
  /// Distances on the host.
  using HostView = DistanceMatrix<T, Kokkos::DefaultHostExecutionSpace>;

  /// \brief Memory for the distances of n vertices, not yet filled.
  /// \param ranks  the communicator of the ranks that take part; it is duplicated
  /// \param n      number of vertices
  /// \param grid   how the matrix is spread over the ranks
  /// \param exec   the instance that this rank works on; with several devices, usually each rank has its own
  /// \throws InvalidInput when ranks differ in n or in the grid, when the grid does not match the number of ranks, or
  ///         when n is negative or too large; OutOfMemory, which names the rank, when a share does not fit
  DistributedMatrix(MPI_Comm ranks, std::int64_t n, ProcessGrid grid = {}, const ExecSpace& exec = {})
      : ranks_(ranks), exec_(exec), n_(n), grid_(checked(grid)) {
    const int row = ranks_.rank() / grid_.columns, column = ranks_.rank() % grid_.columns;
    along_row_ = {ranks_, row, column};
    along_column_ = {ranks_, column, row};
    down_ = {n, Phase::block, grid_.rows, grid_.block_tiles};
    across_ = {n, Phase::block, grid_.columns, grid_.block_tiles};
    const std::int64_t height = down_.rows(row), width = across_.rows(column);
    require_memory(height, width);
    detail::together(ranks_, [&] {
      local_ = View(Kokkos::view_alloc(exec_, "blockfw::part", Kokkos::WithoutInitializing),
                    static_cast<std::size_t>(height), static_cast<std::size_t>(width));
      if constexpr (is_host_space<ExecSpace>) detail::prefer_large_pages(local_.data(), local_.size() * sizeof(T));
    });
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
  /// \param edges  rank-1 view on the host; each rank passes any part of the edges
  /// \param direction  with undirected each edge counts in both directions
  /// \param first  the number of edges[0] among all edges, for the error of an invalid edge
  /// \return the range of the weights of all edges
  /// \throws as fill_from_edges()
  template <class Edges>
    requires Kokkos::is_view_v<Edges>
  WeightRange<T> fill(const Edges& edges, Direction direction = Direction::directed, std::int64_t first = 0) {
    using E = typename Edges::non_const_value_type;
    detail::EdgesByOwner<decltype(E::weight)> by_owner;
    WeightRange<T> range;
    detail::together(ranks_, [&] {
      const auto owner = [this](std::int32_t i, std::int32_t j) {
        const Place to = place(i, j);
        return detail::OwnedEntry{to.rank, static_cast<std::int32_t>(to.row), static_cast<std::int32_t>(to.column)};
      };
      std::tie(by_owner, range) = detail::sort_by_owner<S>(edges, n_, ranks_.size(), owner, direction, first);
    });
    const auto own = send_to_owners<E>(by_owner);
    by_owner = {};
    detail::together(ranks_, [&] {
      detail::fill_part<S>(exec_, local_, reachable_edges(exec_, own));
      for_each_on_diagonal([&](const auto& square, std::int64_t) { detail::lower_diagonal<S>(exec_, square, 0); });
      exec_.fence("blockfw::fill");
    });
    return {ranks_.reduce(range.smallest, MPI_MIN), ranks_.reduce(range.largest, MPI_MAX),
            ranks_.reduce(range.total, MPI_SUM)};
  }

  /// \brief The same for edges in a host container.
  template <std::ranges::contiguous_range Edges>
  WeightRange<T> fill(const Edges& edges, Direction direction = Direction::directed, std::int64_t first = 0) {
    return fill(detail::view_of(edges), direction, first);
  }

  /// \brief blocked_floyd_warshall() on all ranks; exec of each is fenced on return.
  ///
  /// A diagonal entry counts as S::one() unless it is better, in shortest paths as 0 unless it is negative.
  ///
  /// \param negative  whether an entry may be negative, on any rank
  /// \param progress  called as progress(rounds done, rounds in all) after each group of rounds, on each rank that has
  ///                  it set
  /// \throws OutOfMemory when a rank's panels do not fit; RankError
  void floyd_warshall(bool negative = true, const Progress& progress = {}) {
    for_each_on_diagonal([&](const auto& square, std::int64_t) { detail::lower_diagonal<S>(exec_, square, 0); });
    if (ranks_.size() == 1) {
      blocked_floyd_warshall<TileShape>(exec_, local_, S{}, Direction::directed, progress);
      exec_.fence("blockfw::floyd_warshall");
      return;
    }
    using Storage = typename Phase::GroupStorage;
    using Link = detail::MpiLink<Storage, ExecSpace>;
    static_assert(detail::LinkAcross<Link, ExecSpace> && detail::LinkProgresses<Link>);
    const auto groups = detail::groups_of(down_, across_, kept_rounds());
    const int row = along_column_.rank(), column = along_row_.rank();
    std::optional<Storage> storage;
    detail::together(ranks_, [&] {
      storage.emplace(exec_, GroupStorageOptions{.order = static_cast<int>(n_),
                                                 .height = local_.extent_int(0),
                                                 .width = local_.extent_int(1),
                                                 .rounds = kept_rounds(),
                                                 .negative = negative});
    });
    try {
      const detail::Stream<ExecSpace> ahead(exec_, detail::StreamPriority::high);
      Link link(along_row_, along_column_, down_, across_, groups, *storage);
      detail::ShareSolver<Phase, ExecSpace, Link> share(exec_, ahead.exec(), ref(), down_, across_, row, column, groups,
                                                        *storage, link);
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
  /// \param options  progress, meanwhile and report, each on the ranks that set it; direction and narrow are not used
  /// \throws OverflowRisk, NegativeCycle with the smallest vertex whose distance to itself is negative; for other
  ///         semirings than shortest paths, DivergentCycle
  void solve(WeightRange<T> range, const SolveOptions& options = {}) {
    require_safe_sums<S>(n_, range);
    detail::require_accepted<S>(range);
    floyd_warshall(!std::is_same_v<S, MinPlus<T>> || range.any_negative(), options.progress);
    detail::report_queued(options, {8 * int(sizeof(T)), false});
    detail::finish_rounds<S>(
        detail::finish_of<S>(n_, range),
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
  }

  /// \brief Gathers whole rows, some at a time, each on one of the ranks that hold parts of it.
  /// \param f        called as f(first, rows) on the rank that has gathered rows, if any: `rows` is a host matrix of
  ///                 neighbouring whole rows, from that of vertex `first` on
  /// \param at_once  about how many bytes of whole rows a rank has at a time
  /// \throws what f throws on any rank
  template <class F>
  void for_whole_rows(const F& f, std::size_t at_once = std::size_t(16) << 20) const {
    const int rank = along_row_.rank(), sharers = along_row_.size();
    const auto height = static_cast<std::int64_t>(local_.extent(0));
    const std::int64_t most = std::max<std::int64_t>(
        sharers, static_cast<std::int64_t>(at_once / sizeof(T)) * sharers / std::max<std::int64_t>(n_, 1));
    const std::int64_t steps = ranks_.reduce(n_ == 0 ? 0 : detail::div_up(height, most), MPI_MAX);
    for (std::int64_t step = 0; step < steps; ++step) {
      const std::int64_t first = std::min(step * most, height), rows = std::min(most, height - first);
      HostView mine, whole;
      std::vector<T> parts;
      const auto start = [&](int sharer) { return first + rows * sharer / sharers; };
      detail::together(ranks_, [&] {
        mine = Kokkos::create_mirror_view_and_copy(
            Kokkos::HostSpace{}, Kokkos::subview(local_, Kokkos::pair(first, first + rows), Kokkos::ALL));
        whole = mine;
        if (sharers == 1) return;
        const auto whole_rows = static_cast<std::size_t>(start(rank + 1) - start(rank));
        parts.resize(whole_rows * static_cast<std::size_t>(n_));
        whole = HostView(Kokkos::view_alloc("blockfw::whole_rows", Kokkos::WithoutInitializing), whole_rows,
                         static_cast<std::size_t>(n_));
      });
      if (sharers > 1) bring_together(start, mine, parts, whole);
      detail::together(ranks_, [&] {
        for (std::int64_t i = start(rank), count = 0; i < start(rank + 1); i += count) {
          count = std::min(start(rank + 1) - i, block_rows() - i % block_rows());
          f(row(i), Kokkos::subview(whole, Kokkos::pair(i - start(rank), i - start(rank) + count), Kokkos::ALL));
        }
      });
    }
  }

  /// \brief Gathers the whole matrix on rank `root`; the other ranks get an empty one. For small matrices.
  /// \throws OutOfMemory when it does not fit that rank
  HostView gather(int root = 0) const {
    HostView all;
    detail::together(ranks_, [&] {
      if (ranks_.rank() == root) all = allocate_distances<T>(Kokkos::DefaultHostExecutionSpace{}, n_);
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
          std::copy_n(part + i * width + local, count, &all(down_.whole(row, i), first));
      });
    }
    return all;
  }

 private:
  ProcessGrid checked(ProcessGrid grid) const {
    const auto same = [&](std::int64_t x) { return ranks_.reduce(x, MPI_MIN) == ranks_.reduce(x, MPI_MAX); };
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
  int kept_rounds() const { return 2 * grid_.block_tiles; }

  std::string name() const { return "rank " + std::to_string(ranks_.rank()) + " of " + std::to_string(ranks_.size()); }

  /// Checks that the share and its panels fit. On a host the ranks of a machine use the same memory, so their needs are
  /// added up.
  void require_memory(std::int64_t height, std::int64_t width) const {
    double part = double(height) * double(width) * sizeof(T);
    double panels = Phase::GroupStorage::bytes(height, width, kept_rounds());
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
  template <class Start>
  void bring_together(const Start& start, const HostView& mine, std::vector<T>& parts, const HostView& whole) const {
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
        for (std::int64_t i = 0; i < rows; ++i) std::copy_n(from + i * across_.rows(other), count, &whole(i, first));
      });
  }

  /// Sends each edge to the rank of its entry. \return the edges of this rank's entries, from all ranks
  template <class E, class EdgesByOwner>
  auto send_to_owners(const EdgesByOwner& by_owner) const {
    const auto ranks = static_cast<std::size_t>(ranks_.size());
    std::vector<std::int64_t> sent(ranks), received(ranks);
    for (std::size_t r = 0; r < ranks; ++r)
      sent[r] = static_cast<std::int64_t>(by_owner.first[r + 1] - by_owner.first[r]);
    detail::require_mpi(MPI_Alltoall(sent.data(), 1, MPI_INT64_T, received.data(), 1, MPI_INT64_T, ranks_.get()),
                        "counting edges");
    std::int64_t all = 0;
    for (const std::int64_t count : received) all += count;
    Kokkos::View<E*, Kokkos::HostSpace> edges;
    detail::together(ranks_, [&] {
      edges = decltype(edges)(Kokkos::view_alloc("blockfw::own_edges", Kokkos::WithoutInitializing),
                              static_cast<std::size_t>(all));
    });

    // (Not MPI_Alltoallv, as its displacements are int.)
    std::vector<MPI_Request> requests;
    const auto start = [&](auto call, auto* bytes, std::int64_t count, std::size_t rank) {
      detail::in_mpi_ranges(static_cast<std::size_t>(count) * sizeof(E), [&](std::size_t first, int size) {
        requests.emplace_back();
        detail::require_mpi(
            call(bytes + first, size, MPI_BYTE, static_cast<int>(rank), 0, ranks_.get(), &requests.back()),
            "sending edges");
      });
    };
    auto* to = reinterpret_cast<std::byte*>(edges.data());
    const auto* from = reinterpret_cast<const std::byte*>(by_owner.edges.data());
    for (std::size_t r = 0; r < ranks; ++r) {
      start(MPI_Irecv, to, received[r], r);
      to += static_cast<std::size_t>(received[r]) * sizeof(E);
    }
    for (std::size_t r = 0; r < ranks; ++r) start(MPI_Isend, from + by_owner.first[r] * sizeof(E), sent[r], r);
    detail::require_mpi(MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE),
                        "sending edges");
    return edges;
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

}  // namespace blockfw
