/// \file
/// \brief What one of several devices (or ranks) does: its share of the matrix through all rounds, by the three phases.
///
/// Rounds come in groups. While most of a share goes through the panels of one group, the rows and columns of the next
/// group's pivots go first, by a lane of their own that takes precedence on a device: who owns them makes the next
/// panels of them and sends these, so that they are there when their turn comes. (The look-ahead of ScaLAPACK and HPL;
/// for shortest paths, Sao et al., "Scalable all-pairs shortest paths for huge graphs on multi-GPU clusters", HPDC
/// 2021.)
#pragma once

#include "blockfw/detail/backend/streams.hpp"
#include "blockfw/detail/devices/block_cyclic_map.hpp"
#include "blockfw/detail/kernel/index_ranges.hpp"
#include "blockfw/matrix.hpp"
#include "blockfw/tile.hpp"

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace blockfw::detail {

/// \brief A share, and how it gets on.
///
/// \tparam Phase  the Phases of one instance
/// \tparam Link   how panels come from those who make them to those who need them:
///                - send_pivot(ahead, group), await_pivot(ahead, group): the left panel of the pivots' own rows, along
///                  a row of shares; called by the owners of the group's rows only
///                - send_right(ahead, group), await_right(ahead, group): down a column of shares
///                - send_left(ahead, group), await_left(ahead, group): along a row of shares
///                - release(bulk, group): its panels are not needed any more
///                - progress(): called now and then
///                All are called in the order of groups.
template <class Phase, class ExecSpace, class Link>
class ShareSolver {
 public:
  using Ref = typename Phase::Ref;
  using Storage = typename Phase::GroupStorage;

  /// \param bulk, ahead  the lanes: instances on one device, or the same one of a host
  /// \param d            the share's entries
  /// \param row, column  which part of the rows and of the columns it is
  ShareSolver(const ExecSpace& bulk, const ExecSpace& ahead, const Ref& d, const BlockCyclicMap& down,
              const BlockCyclicMap& across, int row, int column, const std::vector<Group>& groups,
              const Storage& storage, Link& link)
      : bulk_(bulk),
        ahead_(ahead),
        d_(d),
        down_(down),
        across_(across),
        row_(row),
        column_(column),
        groups_(groups),
        panels_(storage.panels()),
        link_(link),
        made_(bulk),
        used_(bulk),
        cut_(bulk) {}

  /// \param progress  called as progress(groups done) after each
  template <class Progress>
  void solve(const Progress& progress) {
    const int count = static_cast<int>(groups_.size());
    used_.record(bulk_);
    for (int g = 0; g <= count; ++g) {
      if (g < count) start(g);
      if (g > 0) use(g - 1, 0, at_once);
      if (g < count) make_right(g);
      if (g > 0) use(g - 1, at_once, half);
      if (g < count) make_left(g);
      if (g > 0) {
        use(g - 1, half, slices);
        cut_.wait(bulk_);  // the lane ahead reads these panels, too
        used_.record(bulk_);
        link_.release(bulk_, g - 1);
        progress(g);
      }
      if (g < count) finish(g);
    }
  }

 private:
  /// A host can see to its links between the pieces of what it does; a device has to have all of it to do before the
  /// host waits for others.
  static constexpr int slices = is_host_space<ExecSpace> ? 4 : 1, half = (slices + 1) / 2,
                       at_once = is_host_space<ExecSpace> ? 0 : slices;

  IndexRange rows_of(int g) const { return of(down_, row_, g); }
  IndexRange columns_of(int g) const { return of(across_, column_, g); }
  IndexRange of(const BlockCyclicMap& map, int part, int g) const {
    if (g < 0 || g >= static_cast<int>(groups_.size())) return {-1, 0};
    const Group& group = groups_[static_cast<std::size_t>(g)];
    return map.rows_of(part, group.first, group.count);
  }
  const Group& group(int g) const { return groups_[static_cast<std::size_t>(g)]; }
  IndexRange all_rows() const { return {0, d_.extent_int(0)}; }
  IndexRange all_columns() const { return {0, d_.extent_int(1)}; }

  /// The share as the round sees it: so that the pivots' rows and columns lie where they do.
  typename Phase::Part part(int round) const {
    const auto start = [&](const BlockCyclicMap& map, int mine) {
      return round - (map.owner(round) == mine ? map.local(round) : -1);
    };
    return {d_, start(down_, row_), start(across_, column_)};
  }

  void update(const ExecSpace& stream, const Group& through, const Selection& rows, const Selection& columns) {
    Phase::update_through(stream, part(through.first), through.first, through.last(), panels_, rows, columns);
  }

  /// The rows of the group's pivots through the group before it.
  void start(int g) {
    used_.wait(ahead_);
    if (const IndexRange rows = rows_of(g); g > 0 && rows.count > 0)
      update(ahead_, group(g - 1), {rows}, {all_columns(), columns_of(g - 1)});
  }

  /// By the owners of these rows: the right panels.
  void make_right(int g) {
    const IndexRange rows = rows_of(g), columns = columns_of(g);
    if (rows.count > 0) {
      if (columns.count == 0) link_.wait_for_pivot(ahead_, g);
      for (int k = group(g).first; k <= group(g).last(); ++k) {
        const IndexRange row = down_.rows_of(row_, k, 1), column = across_.rows_of(column_, k, 1);
        if (columns.count > 0) Phase::close_pivot(ahead_, part(k), k, panels_);
        Phase::update_panels(ahead_, part(k), k, panels_, {rows, row}, {all_columns(), column});
        Phase::update_through(ahead_, part(k), k, k, panels_, {rows, row}, {all_columns(), column});
      }
      if (columns.count > 0) link_.send_pivot(ahead_, g);
    }
    link_.send_right(ahead_, g);
  }

  /// The columns of the group's pivots through the group before it (not earlier: others may wait for what these rows
  /// have been needed for), then, by their owners, the left panels.
  void make_left(int g) {
    const IndexRange rows = rows_of(g), columns = columns_of(g);
    if (g > 0 && columns.count > 0) update(ahead_, group(g - 1), {all_rows(), rows_of(g - 1), rows}, {columns});
    cut_.record(ahead_);
    link_.wait_for_right(ahead_, g);
    if (columns.count > 0)
      for (int k = group(g).first; k <= group(g).last(); ++k) {
        const IndexRange column = across_.rows_of(column_, k, 1);
        Phase::update_panels(ahead_, part(k), k, panels_, {all_rows(), rows}, {{0, 0}});
        Phase::update_through(ahead_, part(k), k, k, panels_, {all_rows(), rows}, {columns, column});
      }
    link_.send_left(ahead_, g);
  }

  void finish(int g) {
    link_.wait_for_left(ahead_, g);
    made_.record(ahead_);
  }

  /// The rest of the share through the panels, some pieces of it.
  void use(int g, int first, int last) {
    made_.wait(bulk_);
    for (int slice = first; slice < last; ++slice) {
      const int from = cut(d_.extent_int(0), slice), to = cut(d_.extent_int(0), slice + 1);
      update(bulk_, group(g), {{from, to - from}, rows_of(g), rows_of(g + 1)},
             {all_columns(), columns_of(g), columns_of(g + 1)});
      link_.progress();
    }
  }
  /// Where a piece of so many rows starts: at a tile.
  static int cut(int rows, int slice) {
    const int tiles = (rows + Phase::block - 1) / Phase::block;
    return std::min(rows, static_cast<int>(std::int64_t(tiles) * slice / slices) * Phase::block);
  }

  const ExecSpace &bulk_, &ahead_;
  Ref d_;
  const BlockCyclicMap &down_, &across_;
  int row_, column_;
  const std::vector<Group>& groups_;
  const decltype(std::declval<const Storage&>().panels())& panels_;
  Link& link_;
  Event<ExecSpace> made_, used_, cut_;
};

}  // namespace blockfw::detail
