// SPDX-License-Identifier: MIT
/// \file
/// \brief The answers of a matrix in shares, on devices and on ranks: rows, columns, sums of rows, and updates.
#pragma once

#include "blockfw/detail/backend/compiled.hpp"
#include "blockfw/detail/matrices/copies.hpp"
#include "blockfw/detail/matrices/detours.hpp"
#include "blockfw/detail/matrices/reach_of_matrix.hpp"
#include "blockfw/detail/matrices/widened.hpp"
#include "blockfw/detail/plan/narrow.hpp"
#include "blockfw/detail/plan/potentials.hpp"
#include "blockfw/detail/shares/block_cyclic_map.hpp"
#include "blockfw/detail/shares/detours_on_host.hpp"
#include "blockfw/detail/shares/place.hpp"
#include "blockfw/detail/shares/share_layout.hpp"
#include "blockfw/detail/shares/to_host.hpp"
#include "blockfw/distances.hpp"
#include "blockfw/ground/edge.hpp"
#include "blockfw/ground/error.hpp"
#include "blockfw/ground/matrix.hpp"
#include "blockfw/ground/part.hpp"
#include "blockfw/ground/reach.hpp"
#include "blockfw/ground/rounding.hpp"
#include "blockfw/ground/semiring.hpp"

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>
#include <numeric>
#include <optional>
#include <ranges>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace blockfw {

/// \brief A matrix of distances in shares, and its answers. Each share is on one device or rank.
///
/// With ranks every function is collective, unless it is marked as local: all ranks call it together, with the same
/// arguments. If some ranks fail, all ranks throw the error of the lowest failed rank, and no rank is left waiting.
/// Only a RankError is different. MPI failed, or this rank failed within the rounds, and the other ranks do not learn
/// of it.
///
/// \tparam Over       type of the distances, for shortest paths, or a semiring
/// \tparam ExecSpace  of the shares
template <class Over, class ExecSpace>
class ShareAnswers {
 protected:
  using S = semiring_of<Over, void>;       ///< the semiring
  using T = typename S::value_type;        ///< type of the distances
  using Place = detail::Place<ExecSpace>;  ///< where the shares lie

 public:
  /// The entries of a share, in memory of its instance. There may be gaps between rows.
  using View = Kokkos::View<T**, Kokkos::LayoutStride, typename ExecSpace::memory_space>;
  /// Distances on the host, of the same or of a wider type.
  template <class Wide>
  using OnHost = DistanceMatrix<Wide, Kokkos::DefaultHostExecutionSpace>;
  /// The function that for_whole_rows() calls. (With a type of its own for each, the code would be compiled for each.)
  template <class Wide>
  using TakesRows = std::function<void(std::int64_t, const OnHost<Wide>&)>;
  /// Distances on the host.
  using HostView = OnHost<T>;

  // Local functions.

  /// The number of vertices.
  std::int64_t vertices() const { return layout().order; }
  /// The number of shares of all ranks.
  int shares() const { return layout().shares(); }

  // Collective functions.

  /// \brief Copies the distances to an n x n matrix on the host, of the same or of a wider type. With ranks each rank
  /// copies its share, and leaves the other entries unchanged.
  /// \throws InvalidInput when the matrix is of another shape; OutOfMemory on a device
  template <MatrixView Matrix>
  void copy_to(const Matrix& distances) const {
    require_wider<typename Matrix::value_type>();
    each([&](int s) {
      for_each_block(s, distances,
                     [&](const auto& own, const auto& there) { detail::copy_to_host(exec_of(s), own, there); });
    });
  }

  /// \brief The distances from some vertices, on every rank.
  /// \tparam Wide    their type, the same or a wider one
  /// \param sources  host container of vertices, the same on all ranks. A vertex may occur twice.
  /// \return on the host, a row of n distances for each source, in their order
  /// \throws InvalidInput for a source out of range, or when ranks pass different sources
  ///
  /// Memory besides the result: 64 MB, or the parts of one row.
  template <Element Wide = T, std::ranges::contiguous_range Sources>
  OnHost<Wide> distances_from(const Sources& sources) const {
    return some_of<Wide>({std::ranges::begin(sources), std::ranges::end(sources)}, true);
  }

  /// \brief The distances to some vertices, on every rank. Otherwise as distances_from().
  /// \return on the host, a row of n distances for each target, in their order
  template <Element Wide = T, std::ranges::contiguous_range Targets>
  OnHost<Wide> distances_to(const Targets& targets) const {
    return some_of<Wide>({std::ranges::begin(targets), std::ranges::end(targets)}, false);
  }

  /// \brief The distance from vertex i to vertex j, on every rank. It is S::zero() without a path.
  /// \throws InvalidInput for a vertex out of range, or when ranks pass different vertices
  T distance(std::int64_t i, std::int64_t j) const {
    HostView one;
    detail::OwnedEntry at{};
    where_->together([&] {
      detail::require_vertex(i, vertices());
      detail::require_vertex(j, vertices());
      one = HostView("blockfw::distance", 1, 1);
      at = layout().owner(i, j);
      if (!where_->holds(at.part)) return;
      detail::copy_rows(
          exec_of(at.part), one,
          Kokkos::subview(view_of(at.part), Kokkos::pair(at.row, at.row + 1), Kokkos::pair(at.column, at.column + 1)));
      exec_of(at.part).fence("blockfw::distance");
    });
    where_->require_same({i, j}, "vertices");
    where_->send(at.part, one.data(), sizeof(T));
    return entry_at(one, 0, 0);
  }

  /// \brief For each vertex a summary of the vertices that it reaches, or that reach it, as reach() of measures.hpp.
  /// The result is on the host, on every rank.
  ///
  /// Each share is summed up where it lies. The sums, a few for each vertex, are sent to all ranks.
  std::vector<Reach<T>> reach(Towards towards = Towards::others) const {
    static_assert(std::is_same_v<S, MinPlus<T>>, "blockfw: reach() sums up shortest distances");
    const bool of_rows = towards == Towards::others;
    where_->require_same({of_rows}, "sides");
    std::vector<std::vector<Reach<T>>> parts(static_cast<std::size_t>(shares()));
    std::vector<Reach<T>> all;
    each([&](int s) {
      auto& part = parts[static_cast<std::size_t>(s)];
      if (view_of(s).size() > 0) part = detail::reach_of_matrix(exec_of(s), view_of(s), of_rows);
      for (Reach<T>& r : part)
        if (r.farthest_vertex >= 0)
          r.farthest_vertex = of_rows ? layout().column(s, r.farthest_vertex) : layout().row(s, r.farthest_vertex);
    });
    where_->together([&] {
      all.resize(static_cast<std::size_t>(vertices()));
      for (int s = 0; s < shares(); ++s)
        parts[static_cast<std::size_t>(s)].resize(
            static_cast<std::size_t>(of_rows ? layout().rows(s) : layout().columns(s)));
    });
    for (int s = 0; s < shares(); ++s) {
      auto& part = parts[static_cast<std::size_t>(s)];
      where_->send(s, part.data(), part.size() * sizeof(Reach<T>));
      for (std::size_t i = 0; i < part.size(); ++i) {
        const auto local = static_cast<std::int64_t>(i);
        all[static_cast<std::size_t>(of_rows ? layout().row(s, local) : layout().column(s, local))] += part[i];
      }
    }
    return all;
  }

  /// \brief insert_edge() of updates.hpp. Updates solved distances for one more edge, or for a smaller weight of an
  /// edge.
  /// \throws as insert_edge() of updates.hpp, and InvalidInput when ranks name different edges. The distances are then
  ///         unchanged.
  ///
  /// Reads the matrix once. Memory: 2n elements on each device, and on the host.
  template <Element Wide = T>
  void insert_edge(std::int64_t from, std::int64_t to, std::type_identity_t<Wide> wide_weight) {
    static_assert(std::is_same_v<S, MinPlus<T>>, "blockfw: insert_edge() updates shortest distances");
    std::int64_t bits = 0;  // (so that a NaN equals itself)
    std::memcpy(&bits, &wide_weight, sizeof(Wide));
    where_->require_same({from, to, bits}, "edges");
    detail::require_vertex(from, vertices());
    detail::require_vertex(to, vertices());
    const T weight = detail::required_weight<T>(wide_weight);
    if (weight == infinity<T>) return;
    const auto to_tail = some_of<T>({from}, false), from_head = some_of<T>({to}, true);
    std::vector<std::optional<detail::Detours<T, ExecSpace>>> detours(static_cast<std::size_t>(where_->count()));
    std::optional<detail::DetoursOnHost<T>> all;
    where_->together([&] {
      all.emplace(Kokkos::subview(to_tail, 0, Kokkos::ALL), Kokkos::subview(from_head, 0, Kokkos::ALL), from, weight);
    });
    each([&](int s) {
      all->send(
          exec_of(s), detours[where_->index(s)].emplace(exec_of(s), layout().rows(s), layout().columns(s)),
          [&](std::int64_t i) { return layout().row(s, i); }, [&](std::int64_t j) { return layout().column(s, j); });
    });
    each([&](int s) {
      detail::take_detours<true>(exec_of(s), view_of(s), view_of(s), *detours[where_->index(s)]);
      for_each_on_diagonal(s, [&](const auto& square, std::int64_t) { detail::raise_own(exec_of(s), square); });
    });
  }

  /// \brief Gathers whole rows, some at a time. Each row is gathered on one of the ranks that hold parts of it.
  /// \tparam Wide    the type of the rows, the same or a wider one
  /// \param f        called as f(first, rows) on each rank that has gathered rows. `rows` is a host matrix of
  ///                 neighbouring whole rows. Its first row is the row of vertex `first`.
  /// \param at_once  the number of bytes, approximately, of the whole rows that a rank has at a time
  /// \throws any exception of f on any rank
  template <Element Wide = T, class F>
  void for_whole_rows(const F& f, std::size_t at_once = std::size_t(16) << 20) const {
    require_wider<Wide>();
    const TakesRows<Wide> take = [&](std::int64_t row, const OnHost<Wide>& rows) { f(row, rows); };
    for (const int s : where_->own()) whole_rows_of<Wide>(s, take, at_once);
  }

  /// \brief Whether for all pairs the distance from i to j is the distance from j to i.
  ///
  /// Compares some rows with the columns of the same vertices at a time, on the host, until two entries differ. Memory
  /// on the host: 128n elements.
  bool is_symmetric() const {
    constexpr std::int64_t at_once = 64;
    for (std::int64_t first = 0; first < vertices(); first += at_once) {
      std::vector<std::int64_t> some(static_cast<std::size_t>(std::min(at_once, vertices() - first)));
      std::iota(some.begin(), some.end(), first);
      const auto rows = distances_from(some), columns = distances_to(some);
      if (!std::equal(rows.data(), rows.data() + rows.size(), columns.data())) return false;
    }
    return true;
  }

  /// \brief Gathers the whole matrix on rank `root`. The other ranks get an empty matrix. For small matrices.
  /// \tparam Wide  the type of the result, the same or a wider one
  /// \throws OutOfMemory when the matrix does not fit rank `root`; InvalidInput for a root that is no rank, or is not
  ///         the same on all ranks
  template <Element Wide = T>
  OnHost<Wide> gather(int root = 0) const {
    require_wider<Wide>();
    where_->require_same({root}, "roots");
    const int processes = shares() / where_->count();
    if (root < 0 || root >= processes)
      throw InvalidInput("the root is " + std::to_string(root) + ", expected 0 to " + std::to_string(processes - 1));
    const bool here = where_->process() == root;
    OnHost<Wide> all;
    where_->together([&] {
      if (here) all = allocate_distances<Wide>(Kokkos::DefaultHostExecutionSpace{}, vertices());
    });
    for (int s = 0; s < shares(); ++s) {
      const auto height = static_cast<std::size_t>(layout().rows(s)),
                 width = static_cast<std::size_t>(layout().columns(s));
      HostView part;
      where_->together([&] {
        if (here || where_->holds(s))
          part = HostView(Kokkos::view_alloc("blockfw::part", Kokkos::WithoutInitializing), height, width);
        if (where_->holds(s)) detail::copy_to_host(exec_of(s), view_of(s), part);
      });
      where_->send_to(root, s, part.data(), height * width * sizeof(T));
      if (here)
        layout().for_each_block(s, [&](std::int64_t row, std::int64_t column, std::int64_t i, std::int64_t j,
                                       std::int64_t rows, std::int64_t columns) {
          for (std::int64_t r = 0; r < rows; ++r)
            detail::copy_widened(&entry_at(part, i + r, j), columns, &entry_at(all, row + r, column));
        });
    }
    return all;
  }

 protected:
  /// \param where  the place where the shares lie. Memory for them is not yet allocated.
  explicit ShareAnswers(std::shared_ptr<const Place> where)
      : where_(std::move(where)), views_(static_cast<std::size_t>(where_->count())) {}

  /// Where the shares lie.
  const Place& where() const { return *where_; }
  /// The map of the matrix to shares.
  const detail::ShareLayout& layout() const { return where_->layout(); }
  /// The instance that works on a share of this process.
  const ExecSpace& exec_of(int share) const { return where_->exec(share); }
  /// The entries of a share of this process.
  const View& view_of(int share) const { return views_[where_->index(share)]; }
  /// Takes the memory of a share of this process.
  void set_view(int share, const View& view) { views_[where_->index(share)] = view; }
  /// Calls f(share) for each share of this process, at the same time.
  template <class F>
  void each(const F& f) const {
    where_->each(f);
  }

  /// Calls f(square, vertex) for each square of a share on the diagonal of the matrix. `vertex` is its first vertex.
  template <class F>
  void for_each_on_diagonal(int s, const F& f) const {
    layout().for_each_on_diagonal(s, [&](const IndexRange& rows, const IndexRange& columns, std::int64_t vertex) {
      f(Kokkos::subview(view_of(s), Kokkos::pair(rows.first, rows.first + rows.count),
                        Kokkos::pair(columns.first, columns.first + columns.count)),
        vertex);
    });
  }
  /// Calls f(own, there) for each block `own` of a share and its place `there` in an n x n matrix.
  template <class Matrix, class F>
  void for_each_block(int s, const Matrix& matrix, const F& f) const {
    const auto n = static_cast<std::size_t>(vertices());
    if (matrix.extent(0) != n || matrix.extent(1) != n)
      throw InvalidInput("the matrix '" + matrix.label() + "' is " + std::to_string(matrix.extent(0)) + " x " +
                         std::to_string(matrix.extent(1)) + ", expected " + std::to_string(n) + " rows and columns");
    layout().for_each_block(s, [&](std::int64_t row, std::int64_t column, std::int64_t i, std::int64_t j,
                                   std::int64_t height, std::int64_t width) {
      f(Kokkos::subview(view_of(s), Kokkos::pair(i, i + height), Kokkos::pair(j, j + width)),
        Kokkos::subview(matrix, Kokkos::pair(row, row + height), Kokkos::pair(column, column + width)));
    });
  }

 private:
  template <class Wide>
  static constexpr void require_wider() {
    static_assert(std::is_same_v<Wide, T> || std::is_same_v<S, MinPlus<T>>,
                  "blockfw: only shortest distances are copied to a wider type");
    static_assert(detail::converts<T, Wide>, "blockfw: the distances must convert to the result's type without loss");
  }

  /// The rows, or columns, of some vertices on every rank, some at a time.
  template <Element Wide>
  OnHost<Wide> some_of(const std::vector<std::int64_t>& vertices, bool rows) const {
    require_wider<Wide>();
    OnHost<Wide> all;
    where_->together([&] {
      for (const std::int64_t vertex : vertices) detail::require_vertex(vertex, layout().order);
      all = OnHost<Wide>(Kokkos::view_alloc("blockfw::distances", Kokkos::WithoutInitializing), vertices.size(),
                         static_cast<std::size_t>(layout().order));
    });
    where_->require_same(vertices, rows ? "sources" : "targets");
    constexpr std::int64_t most_bytes = std::int64_t(64) << 20;
    const auto at_once = static_cast<std::size_t>(
        std::max<std::int64_t>(1, most_bytes / std::max<std::int64_t>(1, layout().order * std::int64_t(sizeof(T)))));
    for (std::size_t first = 0; first < vertices.size(); first += at_once)
      bring<Wide>(vertices, first, std::min(first + at_once, vertices.size()), rows, all);
    return all;
  }

  /// The same for vertices[first] to vertices[end - 1].
  template <class Wide>
  void bring(const std::vector<std::int64_t>& vertices, std::size_t first, std::size_t end, bool rows,
             const OnHost<Wide>& all) const {
    const detail::BlockCyclicMap &map = rows ? layout().down : layout().across,
                                 &along = rows ? layout().across : layout().down;
    const auto part = [&](int s) { return rows ? layout().row_part(s) : layout().column_part(s); };
    const auto place = [&](int s) { return rows ? layout().column_part(s) : layout().row_part(s); };
    // Calls f(number of a vertex, its row or column in the share, its number among the share's vertices).
    const auto in_share = [&](int s, const auto& f) {
      std::size_t number = 0;
      for (std::size_t v = first; v < end; ++v)
        if (const auto at = map.part(vertices[v]); at.part == part(s)) f(v, at.row, number++);
      return number;
    };
    std::vector<HostView> parts(static_cast<std::size_t>(shares()));
    where_->together([&] {
      for (int s = 0; s < shares(); ++s)
        parts[static_cast<std::size_t>(s)] = HostView(Kokkos::view_alloc("blockfw::part", Kokkos::WithoutInitializing),
                                                      in_share(s, [](std::size_t, std::int64_t, std::size_t) {}),
                                                      static_cast<std::size_t>(along.rows(place(s))));
    });
    each([&](int s) {
      const HostView& own = parts[static_cast<std::size_t>(s)];
      in_share(s, [&](std::size_t, std::int64_t local, std::size_t number) {
        if (rows)
          detail::copy_rows(exec_of(s), Kokkos::subview(own, Kokkos::pair(number, number + 1), Kokkos::ALL),
                            Kokkos::subview(view_of(s), Kokkos::pair(local, local + 1), Kokkos::ALL));
        else
          detail::column_to_host(exec_of(s), view_of(s), local, Kokkos::subview(own, number, Kokkos::ALL));
      });
      exec_of(s).fence("blockfw::rows");
    });
    for (int s = 0; s < shares(); ++s) {
      const HostView& received = parts[static_cast<std::size_t>(s)];
      where_->send(s, received.data(), received.size() * sizeof(T));
      in_share(s, [&](std::size_t vertex, std::int64_t, std::size_t number) {
        along.for_each_block(place(s), [&](std::int64_t entry, std::int64_t local, std::int64_t entries) {
          detail::copy_widened(&entry_at(received, static_cast<std::int64_t>(number), local), entries,
                               &entry_at(all, static_cast<std::int64_t>(vertex), entry));
        });
      });
    }
  }

  /// for_whole_rows() for the rows of a share, and of the shares beside it.
  template <class Wide>
  void whole_rows_of(int s, const TakesRows<Wide>& f, std::size_t bytes) const {
    const detail::BlockCyclicMap& across = layout().across;
    const int sharers = across.parts(), own = layout().column_part(s);
    const std::int64_t height = layout().rows(s), n = vertices();
    constexpr std::int64_t most_entries = (std::int64_t(1) << 30) / std::int64_t(sizeof(T));  // (MPI counts in int)
    const std::int64_t entries = std::min(most_entries / sharers, static_cast<std::int64_t>(bytes / sizeof(Wide)));
    const std::int64_t most = where_->reduced(
        std::max<std::int64_t>(sharers, entries * sharers / std::max<std::int64_t>(n, 1)), detail::Reduction::least);
    const std::int64_t steps = where_->reduced(n == 0 ? 0 : detail::div_up(height, most), detail::Reduction::most);
    for (std::int64_t step = 0; step < steps; ++step) {
      const std::int64_t first = std::min(step * most, height), rows = std::min(most, height - first);
      HostView mine;
      OnHost<Wide> whole;
      std::vector<T> parts;
      const bool is_whole = sharers == 1 && std::is_same_v<Wide, T>;
      const auto start = [&](int sharer) { return first + rows * sharer / sharers; };
      const std::int64_t whole_rows = start(own + 1) - start(own);
      where_->together([&] {
        mine = HostView(Kokkos::view_alloc("blockfw::part", Kokkos::WithoutInitializing),
                        static_cast<std::size_t>(rows), view_of(s).extent(1));
        detail::copy_to_host(exec_of(s), Kokkos::subview(view_of(s), Kokkos::pair(first, first + rows), Kokkos::ALL),
                             mine);
        if constexpr (std::is_same_v<Wide, T>) whole = mine;
        if (is_whole) return;
        parts.resize(static_cast<std::size_t>(sharers > 1 ? whole_rows * n : 0));
        whole = OnHost<Wide>(Kokkos::view_alloc("blockfw::whole_rows", Kokkos::WithoutInitializing),
                             static_cast<std::size_t>(whole_rows), static_cast<std::size_t>(n));
      });
      if (!is_whole) {
        std::vector<std::size_t> sent, expected;
        for (int other = 0; other < sharers; ++other) {
          sent.push_back(static_cast<std::size_t>((start(other + 1) - start(other)) * layout().columns(s)) * sizeof(T));
          expected.push_back(static_cast<std::size_t>(whole_rows * across.rows(other)) * sizeof(T));
        }
        if (sharers > 1)
          where_->exchange_along_row(reinterpret_cast<const std::byte*>(mine.data()), sent,
                                     reinterpret_cast<std::byte*>(parts.data()), expected);
        const T* from = sharers > 1 ? parts.data() : mine.data();
        for (int other = 0; other < sharers; from += whole_rows * across.rows(other), ++other)
          across.for_each_block(other, [&](std::int64_t column, std::int64_t local, std::int64_t count) {
            for (std::int64_t i = 0; i < whole_rows; ++i)
              detail::copy_widened(from + i * across.rows(other) + local, count, &entry_at(whole, i, column));
          });
      }
      where_->together([&] {
        const std::int64_t block = layout().down.block_rows();
        for (std::int64_t i = start(own), count = 0; i < start(own + 1); i += count) {
          count = std::min(start(own + 1) - i, block - i % block);
          f(layout().row(s, i),
            Kokkos::subview(whole, Kokkos::pair(i - start(own), i - start(own) + count), Kokkos::ALL));
        }
      });
    }
  }

  std::shared_ptr<const Place> where_;
  std::vector<View> views_;
};

}  // namespace blockfw

/// The answers of shares, on devices and on ranks.
#define BLOCKFW_COMPILED_ANSWERS(LINKAGE, S) \
  LINKAGE template class blockfw::ShareAnswers<blockfw::detail::compiled::Value<S>, blockfw::detail::compiled::Exec>;

#if defined(BLOCKFW_COMPILED)
BLOCKFW_COMPILED_INT8(BLOCKFW_COMPILED_ANSWERS, extern)
BLOCKFW_COMPILED_SHORTEST(BLOCKFW_COMPILED_ANSWERS, extern)
#endif
