// SPDX-License-Identifier: MIT
/// \file
/// \brief The share solver: takes the share of one device or rank through all rounds, by the operations of its numbers.
///
/// Rounds come in groups. The bulk stream updates most of the share with the panels of one group. At the same time the
/// ahead stream, which has priority on a device, updates the rows and columns of the next group's pivots. Their owners
/// make the next panels from them and send these, so that they arrive before the bulk stream needs them. (This is the
/// look-ahead of ScaLAPACK and HPL. For shortest paths: Sao et al., "Scalable all-pairs shortest paths for huge graphs
/// on multi-GPU clusters", HPDC 2021.)
///
/// Half the work for an undirected graph: in each round only one of a tile and its mirror image is updated (see
/// HalfTiles). So most rows and columns are up to date only in parts. A group's pivots need whole rows and columns. All
/// shares send their entries of the columns to the owner of the pivots. The owner combines them with its rows. Once
/// these rows have been through the group's rounds, the owner sends them back, as columns. After the last round, the
/// same for all pivots makes the whole matrix.
#pragma once

#include "blockfw/detail/backend/streams.hpp"
#include "blockfw/detail/base/arithmetic.hpp"
#include "blockfw/detail/kernel/part.hpp"
#include "blockfw/detail/numbers/operations.hpp"
#include "blockfw/detail/shares/share_layout.hpp"
#include "blockfw/ground/matrix.hpp"

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

namespace blockfw::detail {

/// \brief The entries of one share that travel between the columns and the rows of a group's pivots. Shares hold
/// neighbouring rows, and all columns.
///
/// A piece is the set of entries between one share's vertices and the pivots: a row for each pivot.
template <class ExecSpace>
class PivotMirror {
  using Memory = Array<std::byte, ExecSpace>;

 public:
  /// \param numbers  the share's operations
  /// \param d        the share's entries
  /// \param map      the rows of all shares; each has one block
  /// \param most     pivots of the largest group
  PivotMirror(const ExecSpace& exec, const Operations<ExecSpace>& numbers, const Block& d, const BlockCyclicMap& map,
              int share, int most)
      : numbers_(numbers),
        d_(d),
        map_(map),
        share_(share),
        sent_(allocated(exec, d.columns, most)),
        gathered_(allocated(exec, d.columns, most)),
        scattered_(allocated(exec, d.rows, most)) {}

  /// Bytes of a share's memory, for entries of `entry_bytes` each.
  static double bytes(std::int64_t rows, std::int64_t n, int most, std::size_t entry_bytes) {
    return double(entry_bytes) * most * (2 * double(n) + double(rows));
  }

  /// The pieces that this share sends: its own piece to the pivots' owner; or, if it is the owner, to each share its
  /// piece.
  Message sent(int share, int pivots) const { return message(piece(sent_, share, pivots)); }
  /// The pieces that the owner of the pivots receives, and the piece that another share receives.
  Message gathered(int share, int pivots) const { return message(piece(gathered_, share, pivots)); }
  Message scattered(int pivots) const { return message(received(pivots)); }

  /// Queues a copy of the pivots' columns, transposed, to this share's buffer of sent pieces.
  void pack_columns(const ExecSpace& exec, const IndexRange& columns) const {
    numbers_.transpose(exec, columns_of(columns), own(columns.count));
  }
  /// Combines the pieces that the shares have sent with the pivots' rows, on their owner.
  void combine_rows(const ExecSpace& exec, const IndexRange& rows) const {
    for (int s = 0; s < map_.parts(); ++s)
      numbers_.combine(exec, part_of(rows, s), s == share_ ? own(rows.count) : piece(gathered_, s, rows.count));
  }
  /// Copies the pivots' rows to their owner's buffer of sent pieces.
  void pack_rows(const ExecSpace& exec, const IndexRange& rows) const {
    for (int s = 0; s < map_.parts(); ++s) numbers_.copy(exec, piece(sent_, s, rows.count), part_of(rows, s));
  }
  /// Copies the pivots' rows to their columns. This share has received these rows, or, as their owner, has packed them.
  void unpack_columns(const ExecSpace& exec, const IndexRange& columns, bool owner) const {
    numbers_.transpose(exec, owner ? own(columns.count) : received(columns.count), columns_of(columns));
  }

 private:
  Memory allocated(const ExecSpace& exec, int entries, int most) const {
    return without_values<Memory>(exec, "blockfw::pivot_mirror",
                                  numbers_.entry_bytes() * at(std::int64_t(entries) * most));
  }

  int first(int share) const { return static_cast<int>(std::min<std::int64_t>(map_.block_rows() * share, d_.columns)); }
  std::byte* entry(std::byte* data, std::int64_t number) const {
    return data + number * static_cast<std::int64_t>(numbers_.entry_bytes());
  }
  /// Rows without gaps.
  static Block rows_at(std::byte* data, int rows, int columns) { return {data, rows, columns, columns}; }
  Block piece(const Memory& memory, int share, int pivots) const {
    return rows_at(entry(memory.data(), std::int64_t(first(share)) * pivots), pivots,
                   static_cast<int>(map_.rows(share)));
  }
  Block own(int pivots) const { return piece(sent_, share_, pivots); }
  Block received(int pivots) const { return rows_at(scattered_.data(), pivots, d_.rows); }
  Message message(const Block& piece) const {
    return {piece.data, at(piece.rows) * at(piece.columns) * numbers_.entry_bytes()};
  }
  /// The columns of a share's vertices in the pivots' rows.
  Block part_of(const IndexRange& rows, int share) const {
    return {entry(d_.data, rows.first * d_.stride + first(share)), rows.count, static_cast<int>(map_.rows(share)),
            d_.stride};
  }
  /// The pivots' columns in this share.
  Block columns_of(const IndexRange& columns) const {
    return {entry(d_.data, columns.first), d_.rows, columns.count, d_.stride};
  }

  const Operations<ExecSpace>& numbers_;
  Block d_;
  const BlockCyclicMap& map_;
  int share_;
  Memory sent_, gathered_, scattered_;
};

/// \brief The kinds of messages that a link sends for each group of pivots.
enum class Sent {
  pivot,    ///< the left panel of the pivots' own rows, along a row of shares, to the owners of the group's rows
  right,    ///< the right panel, from the owner of the group's pivots down its column of shares
  left,     ///< the left panel, along a row of shares
  columns,  ///< each share's piece of the pivots' columns, to their owner
  rows      ///< the pieces of the pivots' rows, from their owner to each share
};

/// \brief A link of one share to the others.
///
/// Each share has a link. It calls every operation for every group, in the order of groups, on one thread. A share that
/// has nothing to send receives or returns. A message is bytes in the panel layout of one tile kernel, so all shares
/// have the same kernel and tile.
///
/// - send(kind, group): sends it as soon as the ahead stream has made it.
/// - wait_for(kind, group): work that is queued on the ahead stream from here on finds it in place.
/// - across: whether shares hold only some of the columns. Otherwise neither pivot nor left is sent.
///
/// Shares that update only half of a symmetric matrix also send columns and rows (see PivotMirror).
template <class AnyLink>
concept Link = requires(AnyLink& link, int group) {
  { AnyLink::across } -> std::convertible_to<bool>;
  link.send(Sent::right, group);
  link.wait_for(Sent::right, group);
};

/// \brief Optional, but needed where another share writes into this share's panels. After release(group), other shares
/// may write over the group's panels. Work that is queued on the bulk stream so far is the last work that reads them.
/// Assert this concept where the link is used, as device_place.hpp does: without it nothing fails to compile.
template <class AnyLink>
concept LinkReleases = requires(AnyLink& link, int group) { link.release(group); };

/// \brief Optional: progress() lets pending messages move on. It is called now and then.
template <class AnyLink>
concept LinkProgresses = requires(AnyLink& link) { link.progress(); };

/// \brief All rounds of a solve, in the form that a place takes.
template <class ExecSpace>
struct ShareRounds {
  std::vector<Group> groups;
  bool half;  ///< whether half of a symmetric matrix is updated
  /// numbers(share): its operations, with the panels of two groups
  std::function<std::unique_ptr<Operations<ExecSpace>>(int)> numbers;
  std::function<Block(int)> block;                         ///< block(share): its entries
  std::function<void(const ExecSpace&, int)> groups_done;  ///< groups_done(exec, groups) tells of progress
};

/// \brief One share of a solve, with the operations and the streams of its rounds. All that it refers to outlives it.
template <class ExecSpace>
struct ShareTask {
  /// \param exec   the instance of the share
  /// \param map    the layout of all shares
  /// \param number  the share's number in the layout
  ShareTask(const ExecSpace& exec, const ShareLayout& map, int number, const ShareRounds<ExecSpace>& work)
      : bulk(exec),
        layout(map),
        share(number),
        groups(work.groups),
        d(work.block(number)),
        numbers(work.numbers(number)),
        stream(exec, StreamPriority::high) {
    if (work.half)
      mirror = std::make_unique<PivotMirror<ExecSpace>>(exec, *numbers, d, map.down, row(), map.most_pivots());
  }

  const ExecSpace& bulk;
  const ShareLayout& layout;
  int share;  ///< its number in the layout
  const std::vector<Group>& groups;
  Block d;                                         ///< the share's entries
  std::unique_ptr<Operations<ExecSpace>> numbers;  ///< with the panels of two groups
  std::unique_ptr<PivotMirror<ExecSpace>>
      mirror;  ///< set if half of the matrix is updated; shares then have neighbouring rows
  Stream<ExecSpace> stream;

  /// The stream beside bulk: another instance on its device, or on a host the same instance.
  const ExecSpace& ahead() const { return stream.exec(); }
  /// The part of layout.down, and of layout.across, that the share is.
  int row() const { return layout.row_part(share); }
  int column() const { return layout.column_part(share); }

  const Group& group(int g) const { return groups[at(g)]; }
  /// The parts of layout.down, and of layout.across, that own a group's pivots.
  int owner_of_rows(int g) const { return layout.down.owner(group(g).first); }
  int owner_of_columns(int g) const { return layout.across.owner(group(g).first); }
  /// The number of a group's pivots.
  int pivots(int g) const { return layout.down.rows_of(owner_of_rows(g), group(g).first, group(g).count).count; }
};

/// \brief Solves one share.
///
/// \tparam AnyLink  sends panels from the shares that make them to the shares that need them; see Link
template <class ExecSpace, class AnyLink>
class ShareSolver {
  static_assert(Link<AnyLink>, "blockfw: a link has send() and wait_for(), and says whether it sends across");

 public:
  ShareSolver(const ShareTask<ExecSpace>& task, AnyLink& link)
      : task_(task), link_(link), made_(task.bulk), used_(task.bulk), cut_(task.bulk) {}

  /// \param progress  called as progress(groups done) after each group
  void solve(const std::function<void(int)>& progress) {
    const int count = static_cast<int>(task_.groups.size());
    int most = 0;
    for (int g = 0; g < count; ++g) most = std::max(most, rows_of(g).count);
    if (most > 0) task_.numbers->reserve_square(task_.bulk, most);
    used_.record(task_.bulk);
    for (int g = 0; g <= count; ++g) {
      if (g < count) start(g);
      if (g > 0) use(g - 1, 0, at_once());
      if (g < count) make_right(g);
      if (g > 0) use(g - 1, at_once(), half);
      if (g < count) make_left(g);
      if (g > 0) {
        use(g - 1, half, slices);
        cut_.wait(task_.bulk);  // the ahead stream reads these panels, too
        used_.record(task_.bulk);
        if constexpr (LinkReleases<AnyLink>) link_.release(g - 1);
        progress(g);
      }
      if (g < count) finish(g);
    }
    if (task_.mirror != nullptr) make_whole();
  }

 private:
  /// A host updates its share in slices. Between the slices it does other work and serves its link. A device gets all
  /// slices queued before the host waits for other shares.
  static constexpr int slices = is_host_space<ExecSpace> ? 4 : 1, half = (slices + 1) / 2;
  int at_once() const { return is_host_space<ExecSpace> && task_.mirror == nullptr ? 0 : 1; }
  /// A host waits for the right panels after all its slices. For a device the wait is queued, or the wait starts the
  /// transfer.
  static constexpr bool waits_last = is_host_space<ExecSpace>;

  IndexRange rows_of(int g) const { return of(task_.layout.down, task_.row(), g); }
  IndexRange columns_of(int g) const { return of(task_.layout.across, task_.column(), g); }
  IndexRange of(const BlockCyclicMap& map, int part, int g) const {
    if (g < 0 || g >= static_cast<int>(task_.groups.size())) return {-1, 0};
    return map.rows_of(part, group(g).first, group(g).count);
  }
  const Group& group(int g) const { return task_.group(g); }
  IndexRange all_rows() const { return {0, task_.d.rows}; }
  IndexRange all_columns() const { return {0, task_.d.columns}; }

  /// A group of pivots of the share, which is a part of the matrix. Tile number `round` is the local tile with the
  /// round's pivots. If another share owns them, that number lies outside the part.
  GroupOfPart pivots(int g) const {
    const int round = group(g).first;
    const auto start = [&](const BlockCyclicMap& map, int mine) {
      return round - (map.owner(round) == mine ? map.local(round) : -1);
    };
    return {{task_.d, start(task_.layout.down, task_.row()), start(task_.layout.across, task_.column())}, group(g)};
  }

  /// Updates rows and columns with the panels of a group.
  void update(const ExecSpace& stream, int through, const Selection& rows, const Selection& columns) {
    const BlockCyclicMap& down = task_.layout.down;
    task_.numbers->update(
        stream, pivots(through), rows, columns,
        task_.mirror == nullptr ? HalfOfTiles() : HalfOfTiles{down.tiles(), down.first_tile(task_.row())});
  }

  /// All columns that are to be updated with the panels of a group. The columns of the group's own pivots are among
  /// them, since its left panels are made before. If half of a matrix is updated, these columns are complete, and are
  /// left out.
  Selection columns_through(int g) const {
    return {all_columns(), task_.mirror == nullptr ? columns_of(-1) : columns_of(g), columns_of(g + 1)};
  }

  /// Updates the rows of the group's pivots with the panels of the previous group. If half of a matrix is updated, also
  /// updates the pivots' columns, and sends them.
  void start(int g) {
    used_.wait(task_.ahead());
    if (const IndexRange rows = rows_of(g); g > 0 && rows.count > 0)
      update(task_.ahead(), g - 1, {rows}, {all_columns(), columns_through(g - 1).gap});
    if (task_.mirror == nullptr) return;
    update_columns(g);
    send_columns(g);
  }

  /// Updates the columns of the group's pivots with the panels of the previous group.
  void update_columns(int g) {
    if (const IndexRange columns = columns_of(g); g > 0 && columns.count > 0)
      update(task_.ahead(), g - 1, {all_rows(), rows_of(g - 1), rows_of(g)}, {columns});
  }

  /// Makes the rows of the group's pivots whole, first step: sends this share's entries of the pivots' columns to their
  /// owner.
  void send_columns(int g) {
    task_.mirror->pack_columns(task_.ahead(), columns_of(g));
    link_.send(Sent::columns, g);
  }
  /// Second step: the owner combines these entries with the rows.
  void take_columns(int g) {
    link_.wait_for(Sent::columns, g);
    if (const IndexRange rows = rows_of(g); rows.count > 0) task_.mirror->combine_rows(task_.ahead(), rows);
  }
  /// Makes the columns of the group's pivots whole, out of their rows.
  void exchange_rows(int g) {
    if (const IndexRange rows = rows_of(g); rows.count > 0) task_.mirror->pack_rows(task_.ahead(), rows);
    link_.send(Sent::rows, g);
    link_.wait_for(Sent::rows, g);
    task_.mirror->unpack_columns(task_.ahead(), columns_of(g), rows_of(g).count > 0);
  }
  /// After the last round: makes all rows whole.
  void make_whole() {
    used_.wait(task_.ahead());
    for (int g = 0; g < static_cast<int>(task_.groups.size()); ++g) {
      send_columns(g);
      take_columns(g);
      exchange_rows(g);
    }
    made_.record(task_.ahead());
    made_.wait(task_.bulk);
  }

  /// Makes the right panels, on the owners of their rows, and sends them.
  void make_right(int g) {
    const IndexRange rows = rows_of(g), columns = columns_of(g);
    if (task_.mirror != nullptr) take_columns(g);
    if (rows.count > 0) {
      if (columns.count > 0) {
        task_.numbers->close_square(task_.ahead(), pivots(g), rows, columns, task_.bulk, {});
        if constexpr (AnyLink::across) link_.send(Sent::pivot, g);
      } else if constexpr (AnyLink::across) {
        link_.wait_for(Sent::pivot, g);
      }
      task_.numbers->make_right(task_.ahead(), pivots(g), rows, {all_columns(), columns});
    }
    link_.send(Sent::right, g);
  }

  /// Updates the columns of the group's pivots with the panels of the previous group. Then makes and sends the left
  /// panels, on the owners of these columns. (The right panels are sent before, as other shares may wait for them.)
  void make_left(int g) {
    const IndexRange rows = rows_of(g), columns = columns_of(g);
    if (task_.mirror == nullptr) update_columns(g);
    cut_.record(task_.ahead());
    if (task_.mirror != nullptr) exchange_rows(g);
    if (columns.count > 0) task_.numbers->make_left(task_.ahead(), pivots(g), columns, {all_rows(), rows});
    if constexpr (AnyLink::across) link_.send(Sent::left, g);
    if constexpr (!waits_last) link_.wait_for(Sent::right, g);
  }

  void finish(int g) {
    if constexpr (waits_last) link_.wait_for(Sent::right, g);
    if constexpr (AnyLink::across) link_.wait_for(Sent::left, g);
    made_.record(task_.ahead());
  }

  /// Updates the rest of the share with the panels of group g: slices `first` to `last` - 1.
  void use(int g, int first, int last) {
    made_.wait(task_.bulk);
    for (int slice = first; slice < last; ++slice) {
      const int from = cut(slice), to = cut(slice + 1);
      update(task_.bulk, g, {{from, to - from}, rows_of(g), rows_of(g + 1)}, columns_through(g));
      if constexpr (LinkProgresses<AnyLink>) link_.progress();
    }
  }
  /// The first row of a slice of the share; slices start at tiles.
  int cut(int slice) const {
    const int tile = task_.layout.down.tile(), tiles = div_up(task_.d.rows, tile);
    return std::min(task_.d.rows, static_cast<int>(std::int64_t(tiles) * slice / slices) * tile);
  }

  const ShareTask<ExecSpace>& task_;
  AnyLink& link_;
  Event<ExecSpace> made_, used_, cut_;
};

}  // namespace blockfw::detail
