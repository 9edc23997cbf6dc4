// SPDX-License-Identifier: MIT
/// \file
/// \brief The place of several ranks of MPI, each of which holds one share.
#pragma once

#include "blockfw/detail/backend/compiled.hpp"
#include "blockfw/detail/backend/memory.hpp"
#include "blockfw/detail/backend/streams.hpp"
#include "blockfw/detail/base/rounding.hpp"
#include "blockfw/detail/shares/mpi_edges.hpp"
#include "blockfw/detail/shares/mpi_failure.hpp"
#include "blockfw/detail/shares/mpi_link.hpp"
#include "blockfw/detail/shares/place.hpp"
#include "blockfw/detail/shares/share_solver.hpp"
#include "blockfw/ground/communicator.hpp"
#include "blockfw/ground/error.hpp"
#include "blockfw/ground/matrix.hpp"

#include <mpi.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

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
    if (n < 0) throw InvalidInput("the number of vertices is " + std::to_string(n) + ", expected 0 or more");
    const std::int64_t most = std::numeric_limits<std::int32_t>::max() - tile.tile;
    if (n > most)
      throw InvalidInput("the number of vertices is " + std::to_string(n) + ", expected " + std::to_string(most) +
                         " or fewer");
    int sides[] = {wanted.rows, wanted.columns};
    const auto divides = [&](int side) { return side >= 0 && ranks.size() % std::max(side, 1) == 0; };
    if (divides(sides[0]) && divides(sides[1]) && sides[0] * sides[1] == 0)
      require_mpi(MPI_Dims_create(ranks.size(), 2, sides), "choosing a grid");
    if (sides[0] < 1 || std::int64_t(sides[0]) * sides[1] != ranks.size())
      throw InvalidInput("a grid of " + std::to_string(wanted.rows) + " x " + std::to_string(wanted.columns) +
                         " processes, expected one of " + std::to_string(ranks.size()));
    if (wanted.block_tiles < 0)
      throw InvalidInput("blocks of " + std::to_string(wanted.block_tiles) + " tiles, expected 1 or more");
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

  void send(int share, void* data, std::size_t bytes) const override {
    in_mpi_ranges(bytes, [&](std::size_t first, int size) {
      require_mpi(MPI_Bcast(static_cast<std::byte*>(data) + first, size, MPI_BYTE, share, ranks_.get()),
                  "sending answers");
    });
  }
  void send_to(int process, int share, void* data, std::size_t bytes) const override {
    if (process == share) return;
    in_mpi_ranges(bytes, [&](std::size_t first, int size) {
      std::byte* const part = static_cast<std::byte*>(data) + first;
      if (ranks_.rank() == share) require_mpi(MPI_Send(part, size, MPI_BYTE, process, 0, ranks_.get()), "gathering");
      if (ranks_.rank() == process)
        require_mpi(MPI_Recv(part, size, MPI_BYTE, share, 0, ranks_.get(), MPI_STATUS_IGNORE), "gathering");
    });
  }
  void deliver(const std::byte* elements, const std::vector<std::size_t>& first, std::size_t element_bytes,
               const std::function<std::byte*(std::size_t)>& memory) const override {
    send_to_owners(ranks_, elements, first, element_bytes, memory);
  }
  void exchange_along_row(const std::byte* sent, const std::vector<std::size_t>& bytes, std::byte* received,
                          const std::vector<std::size_t>& expected) const override {
    const auto places = [](const std::vector<std::size_t>& sizes) {
      std::pair<std::vector<int>, std::vector<int>> all;  // sizes, and the beginning of each
      for (std::size_t at = 0; const std::size_t size : sizes) {
        all.first.push_back(static_cast<int>(size)), all.second.push_back(static_cast<int>(at));
        at += size;
      }
      return all;
    };
    const auto out = places(bytes), in = places(expected);
    require_mpi(MPI_Alltoallv(sent, out.first.data(), out.second.data(), MPI_BYTE, received, in.first.data(),
                              in.second.data(), MPI_BYTE, along_row_.get()),
                "bringing rows together");
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
    this->together([&] {
      try {
        detail::require_memory(this->exec(rank),
                               what + " of the distances of " + std::to_string(this->layout().order) + " vertices",
                               need.entries, need.panels);
      } catch (const OutOfMemory& error) {
        throw OutOfMemory(own_name() + ": " + error.what());
      }
    });
  }

  /// \throws RankError for an error that only one rank meets within the rounds
  void rounds(const ShareRounds<ExecSpace>& work) const override {
    using Link = MpiLink<ExecSpace>;
    static_assert(LinkAcross<Link, ExecSpace> && LinkProgresses<Link>);
    const ShareLayout& layout = this->layout();
    const int rank = ranks_.rank();
    const ExecSpace& exec = this->exec(rank);
    std::unique_ptr<Operations<ExecSpace>> numbers;
    std::unique_ptr<PivotMirror<ExecSpace>> mirror;
    this->together([&] {
      numbers = work.numbers(rank);
      mirror = work.mirror(exec, *numbers, layout, rank);
    });
    try {
      const Stream<ExecSpace> ahead(exec, StreamPriority::high);
      Link link(along_row_, along_column_, layout.down, layout.across, work.groups, *numbers, mirror.get());
      ShareSolver<ExecSpace, Link> share(exec, ahead.exec(), *numbers, work.block(rank), layout.down, layout.across,
                                         layout.row_part(rank), layout.column_part(rank), work.groups, link,
                                         mirror.get());
      share.solve([&](int groups) { work.groups_done(exec, groups); });
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
