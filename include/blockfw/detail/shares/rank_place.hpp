// SPDX-License-Identifier: MIT
/// \file
/// \brief The place of several ranks of MPI, each of which holds one share.
///
/// Their link sends panels by broadcasts along the rows and columns of the process grid, and pieces of a half-updated
/// matrix from rank to rank.
#pragma once

#include "blockfw/detail/backend/compiled.hpp"
#include "blockfw/detail/matrices/copies.hpp"
#include "blockfw/detail/numbers/operations.hpp"
#include "blockfw/detail/shares/place.hpp"
#include "blockfw/detail/shares/share_layout.hpp"
#include "blockfw/detail/shares/share_solver.hpp"
#include "blockfw/ground/communicator.hpp"
#include "blockfw/ground/error.hpp"
#include "blockfw/ground/matrix.hpp"

#include <mpi.h>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <limits>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#if __has_include(<mpi-ext.h>)
#include <mpi-ext.h>
#endif

namespace blockfw::detail {

/// Whether MPI can read and write the memory of this space.
template <class ExecSpace>
bool mpi_reaches_memory() {
#if defined(KOKKOS_ENABLE_CUDA) && defined(MPIX_CUDA_AWARE_SUPPORT)
  return is_host_space<ExecSpace> || MPIX_Query_cuda_support() != 0;
#elif defined(KOKKOS_ENABLE_HIP) && (defined(OMPI_HAVE_MPI_EXT_ROCM) || defined(MPIX_ROCM_AWARE_SUPPORT))
  return is_host_space<ExecSpace> || MPIX_Query_rocm_support() != 0;
#else
  return is_host_space<ExecSpace>;
#endif
}

/// \brief The MPI link of one share (see ShareSolver).
///
/// On a host, work is done when a call returns. A broadcast starts as soon as its panel is made, and progress() gives
/// MPI time during the rounds. On a device, work is only queued. The host waits for a panel while the device updates
/// the share with the panels before it. Then the host sends the panel: from device memory if MPI can read that,
/// otherwise through a pinned buffer on the host.
template <class ExecSpace>
class MpiLink {
  using Pinned = Array<std::byte, Kokkos::SharedHostPinnedSpace>;
  static constexpr bool on_host = is_host_space<ExecSpace>;

 public:
  /// \param along_row, along_column  the ranks of this rank's row of the grid, and of its column. If half of the matrix
  ///                                 is updated, the grid has one column.
  MpiLink(const Communicator& along_row, const Communicator& along_column, const ShareTask<ExecSpace>& task)
      : row_(along_row), column_(along_column), task_(task), reachable_(mpi_reaches_memory<ExecSpace>()) {}

  static constexpr bool across = true;

  void send(Sent kind, int group) {
    if (on_host || kind == Sent::pivot || kind == Sent::rows) post(kind, group);
    if (!on_host && kind == Sent::pivot) finish(kind);
  }
  void wait_for(Sent kind, int group) {
    if (kind == Sent::pivot || (!on_host && kind != Sent::rows)) post(kind, group);
    finish(kind);
    if (on_host && kind == Sent::left) finish(Sent::pivot);
  }

  void progress() {
    for (Transfer& t : transfers_)
      if (!t.requests.empty()) {
        int done = 0;
        require_mpi(MPI_Testall(size(t.requests), t.requests.data(), &done, MPI_STATUSES_IGNORE), "sending a panel");
        if (done) t.requests.clear();
      }
  }

 private:
  /// The pending messages of one kind.
  struct Transfer {
    std::vector<MPI_Request> requests;
    std::vector<Message> messages;
    bool receives = false;
    Pinned by_host;
  };

  static int size(const std::vector<MPI_Request>& requests) { return static_cast<int>(requests.size()); }

  Transfer& transfer(Sent kind) { return transfers_[static_cast<int>(kind)]; }

  void post(Sent kind, int group) {
    if (kind == Sent::columns || kind == Sent::rows) return post_pieces(kind, group);
    const Group& rounds = task_.group(group);
    const auto& numbers = *task_.numbers;
    if (kind == Sent::right)
      return post_panels(kind, group, column_, task_.owner_of_rows(group),
                         [&](auto& list, int round) { list.push_back(numbers.right(round)); });
    post_panels(kind, group, row_, task_.owner_of_columns(group), [&](auto& list, int round) {
      if (kind == Sent::left) return list.push_back(numbers.left(round));
      list.push_back(numbers.left(round, task_.layout.down.local(rounds.first), rounds.count));
      list.push_back(numbers.left_pivot(round));
    });
  }

  /// Starts a broadcast of each panel of a group.
  /// \param root  the rank that sends
  /// \param add   add(list, round) adds the panels of a round to a list
  template <class Add>
  void post_panels(Sent kind, int group, const Communicator& ranks, int root, const Add& add) {
    if (ranks.size() == 1) return;
    std::vector<Message> panels;
    const Group& rounds = task_.group(group);
    for (int round = rounds.first; round <= rounds.last(); ++round) add(panels, round);
    post(kind, std::move(panels), ranks.rank() != root,
         [&](std::size_t, std::byte* data, int count, MPI_Request* request) {
           return MPI_Ibcast(data, count, MPI_BYTE, root, ranks.get(), request);
         });
  }

  /// Starts the messages between the owner of a group's pivots and each other rank.
  void post_pieces(Sent kind, int group) {
    const bool owns = task_.owner_of_rows(group) == column_.rank(), receives = owns == (kind == Sent::columns);
    const int tag = kind == Sent::columns ? 1 : 2, pivots = task_.pivots(group);
    std::vector<Message> pieces;
    std::vector<int> others;
    for (int rank = 0; rank < column_.size(); ++rank) {
      if (rank == column_.rank() || !(owns || rank == task_.owner_of_rows(group))) continue;
      others.push_back(rank);
      if (receives)
        pieces.push_back(owns ? task_.mirror->gathered(rank, pivots) : task_.mirror->scattered(pivots));
      else
        pieces.push_back(task_.mirror->sent(owns ? rank : column_.rank(), pivots));
    }
    post(kind, std::move(pieces), receives, [&](std::size_t number, std::byte* data, int count, MPI_Request* request) {
      return receives ? MPI_Irecv(data, count, MPI_BYTE, others[number], tag, column_.get(), request)
                      : MPI_Isend(data, count, MPI_BYTE, others[number], tag, column_.get(), request);
    });
  }

  /// Starts messages. On a device this first fences the stream, so that the data are complete.
  /// \param start  start(number of the message, data, bytes, request) starts a message, or a part of it
  template <class Start>
  void post(Sent kind, std::vector<Message> messages, bool receives, const Start& start) {
    Transfer& t = transfer(kind);
    t.receives = receives;
    t.messages = std::move(messages);
    std::byte* by_host = nullptr;
    if (!reachable_) {
      std::size_t bytes = 0;
      for (const Message& m : t.messages) bytes += m.bytes;
      if (t.by_host.extent(0) < bytes) t.by_host = without_values<Pinned>("blockfw::panels_by_host", bytes);
      if (!t.receives) copy(t, true);
      by_host = t.by_host.data();
    }
    if constexpr (!on_host) task_.ahead().fence("blockfw::send");
    for (std::size_t number = 0; number < t.messages.size(); ++number) {
      const Message& m = t.messages[number];
      std::byte* const data = reachable_ ? m.data : by_host;
      in_mpi_ranges(m.bytes, [&](std::size_t from, int count) {
        t.requests.emplace_back();
        require_mpi(start(number, data + from, count, &t.requests.back()), "sending a panel");
      });
      if (!reachable_) by_host += m.bytes;
    }
  }

  void finish(Sent kind) {
    Transfer& t = transfer(kind);
    if (!t.requests.empty())
      require_mpi(MPI_Waitall(size(t.requests), t.requests.data(), MPI_STATUSES_IGNORE), "sending a panel");
    t.requests.clear();
    if (!reachable_ && t.receives) copy(t, false);
    t.receives = false;
  }

  void copy(const Transfer& t, bool to_host) const {
    using There = typename ExecSpace::memory_space;
    using Here = typename Pinned::memory_space;
    std::size_t at = 0;
    for (const Message& m : t.messages) {
      std::byte* const here = t.by_host.data() + at;
      to_host ? copy_bytes<Here, There>(task_.ahead(), here, m.data, m.bytes)
              : copy_bytes<There, Here>(task_.ahead(), m.data, here, m.bytes);
      at += m.bytes;
    }
  }

  const Communicator &row_, &column_;
  const ShareTask<ExecSpace>& task_;
  bool reachable_;
  Transfer transfers_[5];
};

}  // namespace blockfw::detail

namespace blockfw {

/// How the block-cyclic map spreads a matrix over ranks. The library chooses each value that is 0.
struct ProcessGrid {
  int rows = 0,         ///< rows of ranks; rank r is in row r / columns
      columns = 0;      ///< columns of ranks; if chosen, the grid is as square as possible
  int block_tiles = 0;  ///< neighbouring tiles (down, and across) on the same rank
};

}  // namespace blockfw

namespace blockfw::detail {

/// A communicator, and the checked layout of a matrix over its ranks.
struct RankGrid {
  Communicator ranks;
  ProcessGrid grid;
  ShareLayout layout;

  /// \throws InvalidInput as DistributedMatrix; collective
  RankGrid(MPI_Comm comm, std::int64_t n, const ProcessGrid& wanted, const TileBytes& tile, bool on_host)
      : ranks(comm),
        grid(checked(n, wanted, tile, on_host)),
        layout{n, {n, tile.tile, grid.rows, grid.block_tiles}, {n, tile.tile, grid.columns, grid.block_tiles}, 0} {
    // (Neighbouring rows are one block, which is too long for one group.)
    layout.kept_rounds =
        2 * (layout.has_neighbouring_rows() ? std::min(grid.block_tiles, chosen_block(n, grid.rows, 1, tile, on_host))
                                            : grid.block_tiles);
  }

 private:
  ProcessGrid checked(std::int64_t n, const ProcessGrid& wanted, const TileBytes& tile, bool on_host) const {
    require_same(ranks, {n}, "numbers of vertices");
    require_same(ranks, {wanted.rows, wanted.columns, wanted.block_tiles}, "grids");
    require_order(n);
    const std::int64_t most = std::numeric_limits<std::int32_t>::max() - tile.tile;
    if (n > most) throw InvalidInput("the number of vertices is ", n, ", expected ", most, " or fewer");
    int sides[] = {wanted.rows, wanted.columns};
    const auto divides = [&](int side) { return side >= 0 && ranks.size() % std::max(side, 1) == 0; };
    if (divides(sides[0]) && divides(sides[1]) && sides[0] * sides[1] == 0)
      require_mpi(MPI_Dims_create(ranks.size(), 2, sides), "choosing a grid");
    if (sides[0] < 1 || std::int64_t(sides[0]) * sides[1] != ranks.size())
      throw InvalidInput("a grid of ", wanted.rows, " x ", wanted.columns, " processes, expected one of ",
                         ranks.size());
    if (wanted.block_tiles < 0) throw InvalidInput("blocks of ", wanted.block_tiles, " tiles, expected 1 or more");
    return {sides[0], sides[1],
            wanted.block_tiles > 0 ? wanted.block_tiles : chosen_block(n, sides[0], sides[1], tile, on_host)};
  }

  /// Tiles of a block. On a host a block is 1 tile. On a device a block is 1 to 8 tiles: the panels of two groups are
  /// to take about a twentieth of a share or less. The more rounds a group has, the less often a tile is read and
  /// written.
  static int chosen_block(std::int64_t n, int rows, int columns, const TileBytes& tile, bool on_host) {
    if (on_host || n == 0) return 1;
    const double height = double(n) / rows, width = double(n) / columns;
    const double round = tile.round(std::int64_t(height), std::int64_t(width)) / double(tile.entry);
    return static_cast<int>(std::clamp(height * width / 20 / round / 2, 1.0, 8.0));
  }
};

inline MPI_Op operation_of(Reduction how) {
  return how == Reduction::least ? MPI_MIN : how == Reduction::most ? MPI_MAX : MPI_SUM;
}

/// \brief The processes of a place, or of its planner, are ranks.
template <class Base>
class OnRanks : public Base {
 public:
  const Communicator& ranks() const { return ranks_; }

  const char* name() const override { return "on ranks"; }
  int process() const override { return ranks_.rank(); }
  int processes() const override { return ranks_.size(); }
  void together(const std::function<void()>& f) const override { detail::together(ranks_, f); }
  void require_same(const std::vector<std::int64_t>& numbers, const char* names) const override {
    detail::require_same(ranks_, numbers, names);
  }
  void reduce(std::vector<std::int64_t>& numbers, Reduction how) const override {
    ranks_.reduce_all(numbers, operation_of(how));
  }
  void reduce(std::vector<double>& numbers, Reduction how) const override {
    ranks_.reduce_all(numbers, operation_of(how));
  }

 protected:
  template <class... Arguments>
  explicit OnRanks(Communicator&& ranks, Arguments&&... arguments)
      : Base(std::forward<Arguments>(arguments)...), ranks_(std::move(ranks)) {}

  Communicator ranks_;
};

/// \brief One share on each rank.
template <class ExecSpace>
class RankPlace final : public OnRanks<Place<ExecSpace>> {
  using Base = OnRanks<Place<ExecSpace>>;
  using Base::ranks_;

 public:
  RankPlace(RankGrid ranks, const ExecSpace& exec)
      : Base(std::move(ranks.ranks), ranks.layout, ranks.ranks.rank(), std::vector<ExecSpace>{exec}),
        grid_(ranks.grid),
        along_row_(ranks_, this->layout().row_part(ranks_.rank()), this->layout().column_part(ranks_.rank())),
        along_column_(ranks_, this->layout().column_part(ranks_.rank()), this->layout().row_part(ranks_.rank())) {}

  const ProcessGrid& grid() const { return grid_; }

  void send(int share, void* data, std::size_t bytes, int to) const override {
    if (to == this->everyone) return broadcast(ranks_, data, bytes, share, "sending answers");
    if (to == share) return;
    in_mpi_ranges(bytes, [&](std::size_t first, int size) {
      std::byte* const part = static_cast<std::byte*>(data) + first;
      if (ranks_.rank() == share) require_mpi(MPI_Send(part, size, MPI_BYTE, to, 0, ranks_.get()), "gathering");
      if (ranks_.rank() == to)
        require_mpi(MPI_Recv(part, size, MPI_BYTE, share, 0, ranks_.get(), MPI_STATUS_IGNORE), "gathering");
    });
  }
  void deliver(bool along_row, const std::byte* elements, const std::vector<std::size_t>& first,
               std::size_t element_bytes, const std::function<std::byte*(std::size_t)>& memory) const override {
    const Communicator& ranks = along_row ? along_row_ : ranks_;
    const char* const what = along_row ? "bringing rows together" : "sending edges";
    const auto count = static_cast<std::size_t>(ranks.size());
    std::vector<std::int64_t> sent(count), received(count);
    for (std::size_t r = 0; r < count; ++r) sent[r] = static_cast<std::int64_t>(first[r + 1] - first[r]);
    require_mpi(MPI_Alltoall(sent.data(), 1, MPI_INT64_T, received.data(), 1, MPI_INT64_T, ranks.get()), what);
    const auto all = static_cast<std::size_t>(std::accumulate(received.begin(), received.end(), std::int64_t{0}));
    std::byte* to = nullptr;
    detail::together(ranks, [&] { to = memory(all); });

    // (Not MPI_Alltoallv, as its displacements are int.)
    std::vector<MPI_Request> requests;
    const auto start = [&](auto call, auto* bytes, std::int64_t some, std::size_t rank) {
      in_mpi_ranges(static_cast<std::size_t>(some) * element_bytes, [&](std::size_t from, int size) {
        requests.emplace_back();
        require_mpi(call(bytes + from, size, MPI_BYTE, static_cast<int>(rank), 0, ranks.get(), &requests.back()), what);
      });
    };
    for (std::size_t r = 0; r < count; ++r) {
      start(MPI_Irecv, to, received[r], r);
      to += static_cast<std::size_t>(received[r]) * element_bytes;
    }
    for (std::size_t r = 0; r < count; ++r) start(MPI_Isend, elements + first[r] * element_bytes, sent[r], r);
    require_mpi(MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE), what);
  }

  /// (On a host the ranks of a machine use the same memory. So their needs are added up.)
  void require_memory(const std::function<ShareBytes(int)>& bytes_of) const override {
    const int rank = ranks_.rank();
    ShareBytes need = bytes_of(rank);
    std::string what = std::to_string(this->layout().rows(rank)) + " x " + std::to_string(this->layout().columns(rank));
    if constexpr (is_host_space<ExecSpace>) {
      const Communicator here(ranks_, 0, rank, MPI_COMM_TYPE_SHARED);
      need = {here.reduce(need.entries, MPI_SUM), here.reduce(need.panels, MPI_SUM)};
      what = "the parts of the " + std::to_string(here.size()) + " ranks on its machine";
    }
    what += " of the distances of " + std::to_string(this->layout().order) + " vertices";
    this->together([&] { this->require_share(rank, own_name() + ": ", what, need); });
  }

  /// \throws RankError for an error that only one rank meets within the rounds
  void rounds(const ShareRounds<ExecSpace>& work) const override {
    using Link = MpiLink<ExecSpace>;
    static_assert(LinkProgresses<Link>);
    const int rank = ranks_.rank();
    const ExecSpace& exec = this->exec(rank);
    std::optional<ShareTask<ExecSpace>> task;
    this->together([&] { task.emplace(exec, this->layout(), rank, work); });
    try {
      Link link(along_row_, along_column_, *task);
      ShareSolver(*task, link).solve([&](int groups) { work.groups_done(exec, groups); });
      exec.fence("blockfw::floyd_warshall");
    } catch (const std::exception& error) {
      throw RankError(own_name() + ": " + error.what());
    } catch (...) {
      throw RankError(own_name() + ": an unknown error");
    }
  }

 private:
  std::string own_name() const {
    return "rank " + std::to_string(ranks_.rank()) + " of " + std::to_string(ranks_.size());
  }

  ProcessGrid grid_;
  Communicator along_row_, along_column_;
};

}  // namespace blockfw::detail

#if defined(BLOCKFW_COMPILED_MPI)
extern template class blockfw::detail::RankPlace<blockfw::detail::compiled::Exec>;
#endif
