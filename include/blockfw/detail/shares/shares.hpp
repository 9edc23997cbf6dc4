// SPDX-License-Identifier: MIT
/// \file
/// \brief A matrix in shares, as bytes, and its answers. The class knows where entries lie, and does not know their
/// type.
///
/// shares_to_solve.hpp has the functions that fill and solve it. A place (place.hpp) has the map of the matrix and lets
/// processes agree. Numbers (detail/numbers/numbers.hpp) have the type and the semiring. MatrixInShares
/// (blockfw/shares.hpp) is the face of this class for callers.
#pragma once

#include "blockfw/detail/backend/compiled.hpp"
#include "blockfw/detail/backend/memory.hpp"
#include "blockfw/detail/base/arithmetic.hpp"
#include "blockfw/detail/kernel/part.hpp"
#include "blockfw/detail/numbers/numbers.hpp"
#include "blockfw/detail/numbers/operations.hpp"
#include "blockfw/detail/shares/place.hpp"
#include "blockfw/detail/shares/share_layout.hpp"
#include "blockfw/ground/edge.hpp"
#include "blockfw/ground/error.hpp"
#include "blockfw/ground/matrix.hpp"
#include "blockfw/ground/options.hpp"

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <any>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

namespace blockfw::detail {

/// Memory on the host, not initialised.
class HostMemory {
 public:
  explicit HostMemory(std::size_t size = 0) { resize(size); }
  /// Drops the content. \return the new memory
  std::byte* resize(std::size_t size) {
    memory_ = std::make_unique_for_overwrite<std::byte[]>(size), size_ = size;
    return data();
  }
  std::byte* data() const { return memory_.get(); }
  std::size_t size() const { return size_; }

 private:
  std::unique_ptr<std::byte[]> memory_;
  std::size_t size_ = 0;
};

/// Whole rows on the host: their first vertex, their number, and their entries, of the type that is asked for.
using TakesRows = std::function<void(std::int64_t first, std::int64_t rows, const std::byte* entries)>;

/// \brief A matrix of distances in shares. Copies are the same matrix. Functions that are not local are collective.
template <class ExecSpace>
class Shares final {
 public:
  /// \brief Memory for the entries, which are not filled yet.
  /// \throws OutOfMemory, which names the share, when one does not fit
  Shares(std::shared_ptr<const Place<ExecSpace>> where, const Numbers<ExecSpace>& numbers);

  /// Checks that the shares of a place would fit.
  static void require_memory(const Place<ExecSpace>& where, const Numbers<ExecSpace>& numbers);

  // Local functions.

  const Place<ExecSpace>& where() const { return *where_; }
  const ShareLayout& layout() const { return where_->layout(); }
  std::int64_t vertices() const { return layout().order; }
  EntryType type() const { return numbers_->type(); }
  std::size_t entry_bytes() const { return type().bytes; }
  /// The memory of a share of this process; see Numbers::allocated().
  const std::any& memory(int share) const { return memory_[where_->index(share)]; }
  /// The entries of a share of this process.
  const Block& block(int share) const { return blocks_[where_->index(share)]; }

  /// Calls f(share, its instance) for each share of this process, at the same time, and fences the instance.
  template <class F>
  void each(const char* name, const F& f) const {
    where_->each([&](int s) {
      f(s, where_->exec(s));
      where_->exec(s).fence(name);
    });
  }
  /// A part of a share.
  Block part(int share, std::int64_t row, std::int64_t rows, std::int64_t column, std::int64_t columns) const {
    const Block& all = block(share);
    return {all.data + (row * all.stride + column) * static_cast<std::int64_t>(entry_bytes()), static_cast<int>(rows),
            static_cast<int>(columns), all.stride};
  }
  /// A part of a matrix on the host.
  static HostEntries part(const HostEntries& d, std::int64_t row, std::int64_t rows, std::int64_t column,
                          std::int64_t columns) {
    const std::int64_t first = row * d.down + column * d.across;
    return {d.data + first * static_cast<std::int64_t>(d.type.bytes), d.type, rows, columns, d.down, d.across};
  }
  /// Checks an n x n matrix of the caller.
  void require_whole(const HostEntries& d) const {
    const std::string what = "the matrix '" + d.name + "' ";
    if (d.rows != vertices() || d.columns != vertices())
      throw InvalidInput(what, "is ", d.rows, " x ", d.columns, ", expected ", vertices(), " rows and columns");
    if (!is_host_space<ExecSpace> && d.across != 1 && d.columns > 1)
      throw InvalidInput(what, "has columns ", d.across,
                         " entries apart, expected 1 for a copy between a device and the host");
  }
  /// Rows without gaps on the host.
  HostEntries rows_at(std::byte* data, std::int64_t rows, std::int64_t columns) const {
    return {data, type(), rows, columns, std::max<std::int64_t>(columns, 1), 1};
  }
  /// Calls f(block of a share, its place in an n x n matrix on the host).
  template <class F>
  void for_each_block(int share, const HostEntries& matrix, const F& f) const {
    layout().down.for_each_block(layout().row_part(share), [&](std::int64_t row, std::int64_t i, std::int64_t height) {
      layout().across.for_each_block(layout().column_part(share),
                                     [&](std::int64_t column, std::int64_t j, std::int64_t width) {
                                       f(part(share, i, height, j, width), part(matrix, row, height, column, width));
                                     });
    });
  }
  /// Calls f(square, vertex) for each square of a share on the diagonal of the matrix. `vertex` is its first vertex.
  template <class F>
  void for_each_on_diagonal(int share, const F& f) const {
    const BlockCyclicMap &down = layout().down, &across = layout().across;
    for (int tile = 0, count = 0; tile < down.tiles(); tile += count) {
      count = down.left_in_block(tile);
      const IndexRange rows = down.rows_of(layout().row_part(share), tile, count),
                       columns = across.rows_of(layout().column_part(share), tile, count);
      if (rows.count > 0 && columns.count > 0)
        f(part(share, rows.first, rows.count, columns.first, columns.count), std::int64_t(tile) * down.tile());
    }
  }

  // Answers, on the host. `type` is the type of the result, the same or a wider one.

  /// \throws InvalidInput when the matrix is not n x n; for a device also when its rows are not contiguous
  void copy_to(const HostEntries& distances) const;
  /// The rows, or columns, of some vertices: a row of n entries for each.
  /// \param memory  memory() returns memory for them; called on each process that gets them
  /// \param to      the process that gets them; by default all do
  void some_of(const std::vector<std::int64_t>& vertices, bool rows, EntryType type,
               const std::function<std::byte*()>& memory, int to = Place<ExecSpace>::everyone) const;
  void distance(std::int64_t i, std::int64_t j, EntryType type, std::byte* result) const;
  /// \param add  add(vertex, reach) takes the reach of a vertex's row, or column, in a share
  void reach(bool of_rows, const std::function<void(std::int64_t, const AnyReach&)>& add) const;
  void insert_edge(std::int64_t from, std::int64_t to, AnyNumber weight, EntryType given) const;
  void for_whole_rows(const TakesRows& f, EntryType type, std::size_t at_once) const;
  bool is_symmetric() const;
  void gather(int root, EntryType type, const std::function<std::byte*()>& memory) const;

  // Filling and solving the matrix (shares_to_solve.hpp). `type` is the type of the given numbers: that of the entries,
  // or a wider type.

  /// \param edges  edges of each share of this process, where its instance works
  void fill(const std::vector<AnyEdges>& edges) const;
  /// Copies an n x n matrix of the same type.
  void copy_from(const HostEntries& weights) const;
  /// Stores entries of a row. Host threads call it at the same time.
  using ReadsRow = std::function<void(std::int64_t row, std::int64_t column, std::int64_t count, std::byte* entries)>;
  /// Fills the matrix with numbers that come in parts of rows.
  void fill_from(EntryType type, const ReadsRow& read) const;
  /// Makes the distances from some vertices, where the share's instance works: a block, and its memory. Shares call it
  /// at the same time. `share` is the index of a share of this process.
  using MakesRows =
      std::function<std::pair<std::any, Block>(std::size_t share, const std::vector<std::int32_t>& vertices)>;
  /// \brief Fills the matrix with solved rows.
  /// \param at_once   the number of rows to ask for
  /// \param progress  called as progress(rows of this process's first share done, its rows), from the calling thread
  void fill_with_rows(EntryType type, const MakesRows& rows, std::int64_t at_once, const Progress& progress) const;
  /// See MatrixInShares::floyd_warshall() and solve().
  void floyd_warshall(const TaskOptions& options, bool negative) const;
  void solve(const AnyRange& range, const SolveOptions& options) const;

 private:
  void bring(const std::vector<std::int64_t>& vertices, std::size_t first, std::size_t end, bool rows, EntryType type,
             std::byte* all, int to) const;
  void whole_rows_of(int share, const TakesRows& f, EntryType type, std::size_t bytes) const;
  std::vector<ShareEntries<ExecSpace>> entries() const;
  bool half_pays(Direction direction) const;
  void rounds(const TaskOptions& options, bool negative) const;
  void lower_diagonal(int share) const {
    for_each_on_diagonal(
        share, [&](const Block& square, std::int64_t) { numbers_->lower_diagonal(where_->exec(share), square); });
  }

  std::shared_ptr<const Place<ExecSpace>> where_;
  const Numbers<ExecSpace>* numbers_;
  std::vector<std::any> memory_;
  std::vector<Block> blocks_;
};

template <class ExecSpace>
Shares<ExecSpace>::Shares(std::shared_ptr<const Place<ExecSpace>> where, const Numbers<ExecSpace>& numbers)
    : where_(std::move(where)),
      numbers_(&numbers),
      memory_(static_cast<std::size_t>(where_->count())),
      blocks_(static_cast<std::size_t>(where_->count())) {
  require_memory(*where_, numbers);
  each("blockfw::share", [&](int s, const ExecSpace& exec) {
    const std::int64_t rows = layout().rows(s), columns = layout().columns(s),
                       stride = leading_dimension<ExecSpace>(columns, entry_bytes());
    auto [memory, data] = numbers_->allocated(exec, rows, stride);
    memory_[where_->index(s)] = std::move(memory);
    blocks_[where_->index(s)] = {data, static_cast<int>(rows), static_cast<int>(columns), stride};
  });
}

template <class ExecSpace>
void Shares<ExecSpace>::require_memory(const Place<ExecSpace>& where, const Numbers<ExecSpace>& numbers) {
  const ShareLayout& map = where.layout();
  const std::size_t entry = numbers.sizes().entry;
  where.require_memory([&](int s) {
    const auto rows = static_cast<double>(map.rows(s)),
               stride = static_cast<double>(leading_dimension<ExecSpace>(map.columns(s), entry));
    return ShareBytes{rows * stride * static_cast<double>(entry),
                      map.shares() > 1
                          ? numbers.panel_bytes(map.rows(s), map.columns(s), map.kept_rounds, map.most_pivots())
                          : numbers.alone_bytes(where.exec(s), map.order)};
  });
}

template <class ExecSpace>
void Shares<ExecSpace>::copy_to(const HostEntries& distances) const {
  where_->each([&](int s) {
    require_whole(distances);
    for_each_block(s, distances, [&](const Block& own, const HostEntries& there) {
      numbers_->copy_out(where_->exec(s), own, there);
    });
  });
}

template <class ExecSpace>
void Shares<ExecSpace>::some_of(const std::vector<std::int64_t>& some, bool rows, EntryType type,
                                const std::function<std::byte*()>& memory, int to) const {
  std::byte* all = nullptr;
  where_->together([&] {
    for (const std::int64_t vertex : some) require_vertex(vertex, vertices());
    if (where_->is(to)) all = memory();
  });
  where_->require_same(some, rows ? "sources" : "targets");
  constexpr std::int64_t most_bytes = std::int64_t(64) << 20;
  const auto at_once = static_cast<std::size_t>(std::max<std::int64_t>(
      1, most_bytes / std::max<std::int64_t>(1, vertices() * static_cast<std::int64_t>(entry_bytes()))));
  for (std::size_t first = 0; first < some.size(); first += at_once)
    bring(some, first, std::min(first + at_once, some.size()), rows, type, all, to);
}

/// some_of() for some[first] to some[end - 1].
template <class ExecSpace>
void Shares<ExecSpace>::bring(const std::vector<std::int64_t>& some, std::size_t first, std::size_t end, bool rows,
                              EntryType type, std::byte* all, int to) const {
  const BlockCyclicMap &map = rows ? layout().down : layout().across, &along = rows ? layout().across : layout().down;
  const auto part_of = [&](int s) { return rows ? layout().row_part(s) : layout().column_part(s); };
  const auto place_of = [&](int s) { return rows ? layout().column_part(s) : layout().row_part(s); };
  // Calls f(number of a vertex, its row or column in the share, its number among the share's vertices).
  const auto in_share = [&](int s, const auto& f) {
    std::size_t number = 0;
    for (std::size_t v = first; v < end; ++v)
      if (const auto at = map.part(some[v]); at.part == part_of(s)) f(v, at.row, number++);
    return number;
  };
  const auto row_bytes = [&](int s) { return static_cast<std::size_t>(along.rows(place_of(s))) * entry_bytes(); };
  std::vector<HostMemory> parts(static_cast<std::size_t>(layout().shares()));
  where_->together([&] {
    for (int s = 0; s < layout().shares(); ++s)
      if (where_->is(to) || where_->holds(s))
        parts[static_cast<std::size_t>(s)].resize(in_share(s, [](std::size_t, std::int64_t, std::size_t) {}) *
                                                  row_bytes(s));
  });
  where_->each([&](int s) {
    const ExecSpace& exec = where_->exec(s);
    const std::size_t bytes = row_bytes(s);
    std::byte* own = parts[static_cast<std::size_t>(s)].data();
    std::int64_t start = 0, count = 0;  // neighbouring rows, which are copied together
    const auto copy = [&] {
      if (count > 0)
        numbers_->copy_out(exec, part(s, start, count, 0, block(s).columns), rows_at(own, count, block(s).columns));
      own += static_cast<std::size_t>(count) * bytes;
    };
    in_share(s, [&](std::size_t, std::int64_t local, std::size_t) {
      if (!rows) {
        numbers_->column_out(exec, block(s), local, own);
        own += bytes;
      } else if (count > 0 && local == start + count) {
        ++count;
      } else {
        copy();
        start = local, count = 1;
      }
    });
    copy();
  });
  for (int s = 0; s < layout().shares(); ++s) {
    HostMemory& received = parts[static_cast<std::size_t>(s)];
    where_->send(s, received.data(), received.size(), to);
    if (!where_->is(to)) continue;
    const std::size_t bytes = row_bytes(s);  // (found once: a grid's shares have many blocks)
    in_share(s, [&](std::size_t vertex, std::int64_t, std::size_t number) {
      along.for_each_block(place_of(s), [&](std::int64_t entry, std::int64_t local, std::int64_t entries) {
        numbers_->widen(
            received.data() + number * bytes + static_cast<std::size_t>(local) * entry_bytes(), entries, type,
            all + (vertex * static_cast<std::size_t>(vertices()) + static_cast<std::size_t>(entry)) * type.bytes);
      });
    });
  }
}

template <class ExecSpace>
void Shares<ExecSpace>::distance(std::int64_t i, std::int64_t j, EntryType type, std::byte* result) const {
  alignas(8) std::byte own[8] = {};
  OwnedEntry at{};
  where_->together([&] {
    require_vertex(i, vertices());
    require_vertex(j, vertices());
    at = layout().owner(i, j);
    if (where_->holds(at.part))
      numbers_->copy_out(where_->exec(at.part), part(at.part, at.row, 1, at.column, 1), rows_at(own, 1, 1));
  });
  where_->require_same({i, j}, "vertices");
  where_->send(at.part, own, entry_bytes(), where_->everyone);
  numbers_->widen(own, 1, type, result);
}

/// Each share is summed up where it lies. The sums, a few for each vertex, are sent to all ranks.
template <class ExecSpace>
void Shares<ExecSpace>::reach(bool of_rows, const std::function<void(std::int64_t, const AnyReach&)>& add) const {
  where_->require_same({of_rows}, "sides");
  std::vector<std::vector<AnyReach>> parts(static_cast<std::size_t>(layout().shares()));
  where_->each([&](int s) {
    auto& some = parts[static_cast<std::size_t>(s)];
    if (block(s).rows > 0 && block(s).columns > 0) some = numbers_->reach(where_->exec(s), block(s), of_rows);
    for (AnyReach& r : some)
      if (r.farthest_vertex >= 0)
        r.farthest_vertex = of_rows ? layout().column(s, r.farthest_vertex) : layout().row(s, r.farthest_vertex);
  });
  where_->together([&] {
    for (int s = 0; s < layout().shares(); ++s)
      parts[static_cast<std::size_t>(s)].resize(
          static_cast<std::size_t>(of_rows ? layout().rows(s) : layout().columns(s)));
  });
  for (int s = 0; s < layout().shares(); ++s) {
    auto& some = parts[static_cast<std::size_t>(s)];
    where_->send(s, some.data(), some.size() * sizeof(AnyReach), where_->everyone);
    for (std::int64_t i = 0; i < std::ssize(some); ++i)
      add(of_rows ? layout().row(s, i) : layout().column(s, i), some[static_cast<std::size_t>(i)]);
  }
}

template <class ExecSpace>
void Shares<ExecSpace>::insert_edge(std::int64_t from, std::int64_t to, AnyNumber weight, EntryType given) const {
  where_->require_same({from, to, weight.bits()[0], weight.bits()[1]}, "edges");
  require_vertex(from, vertices());
  require_vertex(to, vertices());
  if (!numbers_->takes_edge(weight, given)) return;
  const std::size_t bytes = static_cast<std::size_t>(vertices()) * entry_bytes();
  HostMemory to_tail, from_head;
  some_of({from}, false, numbers_->type(), [&] { return to_tail.resize(bytes); });
  some_of({to}, true, numbers_->type(), [&] { return from_head.resize(bytes); });
  where_->together([&] { numbers_->lengthen(to_tail.data(), from_head.data(), vertices(), from, weight); });
  std::vector<std::function<void()>> detours(static_cast<std::size_t>(where_->count()));
  where_->each([&](int s) {  // (All memory is there before a distance changes.)
    const auto some = [&](const HostMemory& all, const std::vector<std::int32_t>& vertices) {
      HostMemory here(vertices.size() * entry_bytes());
      for (std::byte* at = here.data(); const std::int32_t v : vertices)
        at = std::copy_n(all.data() + static_cast<std::size_t>(v) * entry_bytes(), entry_bytes(), at);
      return here;
    };
    const HostMemory rows = some(to_tail, layout().down.whole(layout().row_part(s), 0, block(s).rows)),
                     columns = some(from_head, layout().across.whole(layout().column_part(s), 0, block(s).columns));
    detours[where_->index(s)] = numbers_->detours(where_->exec(s), block(s), rows.data(), columns.data());
  });
  where_->each([&](int s) {
    detours[where_->index(s)]();
    for_each_on_diagonal(s, [&](const Block& square, std::int64_t) { numbers_->raise_own(where_->exec(s), square); });
  });
}

template <class ExecSpace>
void Shares<ExecSpace>::for_whole_rows(const TakesRows& f, EntryType type, std::size_t at_once) const {
  for (const int s : where_->own()) whole_rows_of(s, f, type, at_once);
}

/// for_whole_rows() for the rows of a share, and of the shares beside it.
template <class ExecSpace>
void Shares<ExecSpace>::whole_rows_of(int s, const TakesRows& f, EntryType type, std::size_t bytes) const {
  const BlockCyclicMap& across = layout().across;
  const int sharers = across.parts(), own = layout().column_part(s);
  const std::int64_t height = layout().rows(s), n = vertices(), width = layout().columns(s);
  const auto entry = static_cast<std::int64_t>(entry_bytes()), wide = static_cast<std::int64_t>(type.bytes);
  const std::int64_t most_entries = (std::int64_t(1) << 30) / entry;  // (not more than 1 GB at a time)
  const std::int64_t entries =
      std::min(most_entries / sharers, static_cast<std::int64_t>(std::min(bytes, std::size_t(1) << 62)) / wide);
  const std::int64_t most = where_->reduced(
      std::max<std::int64_t>(sharers, entries * sharers / std::max<std::int64_t>(n, 1)), Reduction::least);
  const std::int64_t steps = where_->reduced(n == 0 ? 0 : div_up(height, most), Reduction::most);
  for (std::int64_t step = 0; step < steps; ++step) {
    const std::int64_t first = std::min(step * most, height), rows = std::min(most, height - first);
    const auto start = [&](int sharer) { return first + rows * sharer / sharers; };
    const std::int64_t whole_rows = start(own + 1) - start(own);
    HostMemory mine, parts, whole;
    where_->together([&] {
      mine.resize(static_cast<std::size_t>(rows * width) * entry_bytes());
      numbers_->copy_out(where_->exec(s), part(s, first, rows, 0, width), rows_at(mine.data(), rows, width));
      if (sharers > 1) parts.resize(static_cast<std::size_t>(whole_rows * n) * entry_bytes());
      if (sharers > 1 || type != numbers_->type()) whole.resize(static_cast<std::size_t>(whole_rows * n * wide));
    });
    if (sharers > 1) {
      std::vector<std::size_t> sent;
      for (int sharer = 0; sharer <= sharers; ++sharer)
        sent.push_back(static_cast<std::size_t>((start(sharer) - first) * width) * entry_bytes());
      where_->deliver(true, mine.data(), sent, 1, [&](std::size_t) { return parts.data(); });
    }
    if (whole.size() > 0) {
      const std::byte* from = sharers > 1 ? parts.data() : mine.data();
      for (int other = 0; other < sharers; from += whole_rows * across.rows(other) * entry, ++other)
        across.for_each_block(other, [&](std::int64_t column, std::int64_t local, std::int64_t count) {
          for (std::int64_t i = 0; i < whole_rows; ++i)
            numbers_->widen(from + (i * across.rows(other) + local) * entry, count, type,
                            whole.data() + (i * n + column) * wide);
        });
    }
    where_->together([&] {
      const std::byte* const found = whole.size() > 0 ? whole.data() : mine.data();
      const std::int64_t block_rows = layout().down.block_rows();
      for (std::int64_t i = start(own), count = 0; i < start(own + 1); i += count) {
        count = std::min(start(own + 1) - i, block_rows - i % block_rows);
        f(layout().row(s, i), count, found + (i - start(own)) * n * wide);
      }
    });
  }
}

/// Compares some rows with the columns of the same vertices at a time, until two entries differ.
template <class ExecSpace>
bool Shares<ExecSpace>::is_symmetric() const {
  constexpr std::int64_t at_once = 64;
  for (std::int64_t first = 0; first < vertices(); first += at_once) {
    std::vector<std::int64_t> some(static_cast<std::size_t>(std::min(at_once, vertices() - first)));
    std::iota(some.begin(), some.end(), first);
    const std::size_t bytes = some.size() * static_cast<std::size_t>(vertices()) * entry_bytes();
    HostMemory rows, columns;
    some_of(some, true, numbers_->type(), [&] { return rows.resize(bytes); });
    some_of(some, false, numbers_->type(), [&] { return columns.resize(bytes); });
    if (!numbers_->equal(rows.data(), columns.data(), static_cast<std::int64_t>(some.size()) * vertices()))
      return false;
  }
  return true;
}

template <class ExecSpace>
void Shares<ExecSpace>::gather(int root, EntryType type, const std::function<std::byte*()>& memory) const {
  where_->require_same({root}, "roots");
  if (root < 0 || root >= where_->processes())
    throw InvalidInput("the root is ", root, ", expected 0 to ", where_->processes() - 1);
  std::vector<std::int64_t> all(static_cast<std::size_t>(vertices()));
  std::iota(all.begin(), all.end(), std::int64_t{0});
  some_of(all, true, type, memory, root);
}

}  // namespace blockfw::detail
