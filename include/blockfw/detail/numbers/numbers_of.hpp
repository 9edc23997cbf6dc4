// SPDX-License-Identifier: MIT
/// \file
/// \brief The operations on the entries of shares for one semiring and tile.
#pragma once

#include "blockfw/detail/backend/compiled.hpp"
#include "blockfw/detail/backend/memory.hpp"
#include "blockfw/detail/base/arithmetic.hpp"
#include "blockfw/detail/graph/cycles.hpp"
#include "blockfw/detail/kernel/phases.hpp"
#include "blockfw/detail/kernel/rounds.hpp"
#include "blockfw/detail/kernel/tuned_tiles.hpp"
#include "blockfw/detail/loops/launch.hpp"
#include "blockfw/detail/loops/threads.hpp"
#include "blockfw/detail/matrices/checks.hpp"
#include "blockfw/detail/matrices/copies.hpp"
#include "blockfw/detail/matrices/detours.hpp"
#include "blockfw/detail/matrices/edge_entries.hpp"
#include "blockfw/detail/matrices/packed_rows.hpp"
#include "blockfw/detail/matrices/reach_of_matrix.hpp"
#include "blockfw/detail/numbers/numbers.hpp"
#include "blockfw/detail/numbers/operations_of.hpp"
#include "blockfw/detail/plan/finish.hpp"
#include "blockfw/detail/plan/narrow.hpp"
#include "blockfw/detail/plan/potentials.hpp"
#include "blockfw/detail/plan/recipe.hpp"
#include "blockfw/ground/edge.hpp"
#include "blockfw/ground/error.hpp"
#include "blockfw/ground/matrix.hpp"
#include "blockfw/ground/semiring.hpp"

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <any>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <type_traits>
#include <utility>
#include <vector>

namespace blockfw::detail {

/// Whether numbers of S are copied to type Wide. They are copied to their own type. For shortest paths they are also
/// copied to each type that holds them.
template <class Wide, class S, class T = typename S::value_type>
concept WidenedFrom = std::is_same_v<Wide, T> || (std::is_same_v<S, MinPlus<T>> && converts<T, Wide>);

/// Whether numbers of S are read from type Wide: their own type, or for shortest paths in integers a wider type.
template <class Wide, class S, class T = typename S::value_type>
concept NarrowedTo = std::is_same_v<Wide, T> || (std::is_same_v<S, MinPlus<T>> && std::is_integral_v<T> &&
                                                 std::is_integral_v<Wide> && sizeof(Wide) > sizeof(T));

/// Edges with weights of type W fill a matrix of S.
template <class W, class S>
concept WeightFor = Distance<W> && (NarrowedTo<W, S> || converts<W, typename S::value_type>);

/// Copies a matrix of a wider type, or of the same type, where exec works.
template <Semiring S, class ExecSpace, MatrixView To, MatrixView From>
void copy_narrowed(const ExecSpace& exec, const To& to, const From& from) {
  for_square(
      "blockfw::rows", exec, extent_along(to, 0), extent_along(to, 1),
      KOKKOS_LAMBDA(std::int64_t i, std::int64_t j) { to(i, j) = narrowed<S>(from(i, j)); });
}

/// \brief Adds a new edge to the lengths of the paths to its beginning, on the host, and checks the new paths.
/// \param to         the distances from each vertex to the edge's beginning; on return, of the paths to its end
/// \param from       the distances from the edge's end to each vertex
/// \throws as insert_edge()
template <class Lengths, class T = typename Lengths::value_type>
void lengthen_by_edge(const Lengths& to, const Lengths& from, std::int64_t tail, T weight) {
  WeightsSeen<T> to_seen, from_seen;
  for (std::size_t v = 0; v < to.extent(0); ++v) {
    if (to(v) != infinity<T>) to(v) = lengthened(to(v), weight);
    to_seen.add(to(v), to(v) != infinity<T>);
    from_seen.add(from(v), from(v) != infinity<T>);
  }
  const T back = from(at(tail));
  const bool closes = back < infinity<T> && MinPlus<T>::diverges(static_cast<T>(weight + back));
  if (closes && negative_through(to, from)) throw NegativeCycle(tail);
  require_safe(to_seen, from_seen);
}

/// The memory of a share.
template <class T, class ExecSpace>
using EntriesOf = Kokkos::View<T**, Kokkos::LayoutRight, typename ExecSpace::memory_space>;

/// The steps of solve_filled() for shares.
template <Semiring S, class ExecSpace>
struct StepsOfShares {
  using T = typename S::value_type;
  using Share = ShareEntries<ExecSpace>;
  const ShareSteps<ExecSpace>& steps;
  std::int64_t n;
  const Processes& processes = steps.processes;
  const std::vector<Share>& shares = steps.entries;

  /// The least number f(share) of all shares, or `most`.
  template <class F>
  std::int64_t least(std::int64_t most, const F& f) const {
    processes.together([&] {
      for (const Share& share : shares) most = std::min(most, f(share));
    });
    return processes.reduced(most, Reduction::least);
  }

  bool undirected(Direction direction) const { return processes.on_all(direction == Direction::undirected); }
  std::int64_t first_cycle_of_entry() const {
    return least(n * n, [&](const Share& share) {
      return detail::first_cycle_of_entry<S>(share.exec, typed(share.block), share.rows, share.columns, n);
    });
  }
  GuardOf<S, ExecSpace> guard([[maybe_unused]] const WeightRange<T>& range, [[maybe_unused]] bool strict) const {
    if constexpr (may_cancel<S>)
      if (cancels<S>(range)) {
        std::vector<MatrixPart<T, ExecSpace>> parts;
        for (const Share& share : shares) parts.emplace_back(share.exec, typed(share.block), share.rows, share.columns);
        return {n, range, std::move(parts), processes.on_any(strict), true, [this](std::vector<double>& some) {
                  processes.reduce(some, Reduction::least);
                }};
      }
    return {};
  }
  bool half_pays(Direction direction) const { return steps.half_pays(direction); }
  int rounds(const TaskOptions& options, bool negative, bool) const {
    steps.rounds(options, negative);
    return 8 * int(sizeof(T));
  }
  std::optional<std::int64_t> vertex_on_cycle() const {
    const std::int64_t vertex = least(n, [&](const Share& share) {
      for (const auto& [square, first] : share.squares)
        if (const auto found = find_diverging<S>(share.exec, typed(square))) return first + *found;
      return n;
    });
    return vertex < n ? std::optional(vertex) : std::nullopt;
  }
  void mark_unreachable(T limit) const {
    in_shares([&](const Share& share) { mark_entries<S>(share.exec, typed(share.block), limit); });
  }
  /// Waits for the rounds of a single share.
  void fence() const {
    in_shares([](const Share&) {});
  }

 private:
  static MatrixRef<T, ExecSpace> typed(const Block& d) { return matrix_of<T, ExecSpace>(d); }
  /// Calls f for each share of this process, at the same time, and fences its instance.
  template <class F>
  void in_shares(const F& f) const {
    processes.together([&] {
      in_threads(static_cast<int>(shares.size()), [&](int number) {
        const Share& share = shares[at(number)];
        f(share);
        share.exec.fence("blockfw::solve");
      });
    });
  }
};

/// \brief The operations of a semiring and a tile.
template <Semiring S, class TileShape, class ExecSpace>
class NumbersOf final : public Numbers<ExecSpace> {
  using T = typename S::value_type;
  using Phase = Phases<TileShape, ExecSpace, S>;
  using Ref = MatrixRef<T, ExecSpace>;

 public:
  EntryType type() const override { return entry_type<T>; }
  TileBytes sizes() const override {
    return {Phase::block, sizeof(T),
            [](std::int64_t height, std::int64_t width) { return Phase::GroupStorage::bytes(height, width, 1); }};
  }
  double panel_bytes(std::int64_t rows, std::int64_t columns, int rounds, std::int64_t pivots) const override {
    return Phase::GroupStorage::bytes(rows, columns, rounds) + Phase::PanelStorage::bytes(pivots, pivots);
  }
  double alone_bytes(const ExecSpace& exec, std::int64_t n) const override { return workspace_bytes<T>(exec, n); }
  std::pair<std::any, std::byte*> allocated(const ExecSpace& exec, std::int64_t rows,
                                            std::int64_t columns) const override {
    const auto d = without_values<EntriesOf<T, ExecSpace>>(exec, "blockfw::share", rows, columns);
    if constexpr (is_host_space<ExecSpace>) prefer_large_pages(d.data(), d.size() * sizeof(T));
    return {d, reinterpret_cast<std::byte*>(d.data())};
  }
  bool commutes() const override { return is_commutative<S>; }

  std::unique_ptr<Operations<ExecSpace>> rounds(const ExecSpace& exec,
                                                const GroupStorageOptions& panels) const override {
    return numbers_of<Phase, ExecSpace>(exec, panels);
  }
  void solve_alone(const ExecSpace& exec, const Block& d, const TaskOptions& options) const override {
    using Tile = std::conditional_t<std::is_same_v<TileShape, default_tile<ExecSpace, T>>, TunedTile, TileShape>;
    solve_matrix<Tile, S>(exec, typed(d), options.direction, options.progress);
  }
  void solve(const ShareSteps<ExecSpace>& steps, std::int64_t n, const AnyRange& range,
             const SolveOptions& options) const override {
    solve_filled<S>(StepsOfShares<S, ExecSpace>{steps, n}, n, range.template as<T>(), options);
  }
  void lower_diagonal(const ExecSpace& exec, const Block& square) const override {
    detail::lower_diagonal<S>(exec, typed(square), 0);
  }
  bool is_symmetric(const ExecSpace& exec, const Block& d) const override {
    return equals_its_transpose(exec, typed(d));
  }

  void fill(const ExecSpace& exec, const Block& d, const AnyEdges& edges) const override {
    with_type(edges.weights, [&]<WeightFor<S> W>(W) {
      using Edges = UnmanagedView<const Edge<W>*, ExecSpace>;
      fill_part<S>(exec, typed(d), Edges(reinterpret_cast<const Edge<W>*>(edges.data), at(edges.count)));
    });
  }
  void copy_in(const ExecSpace& exec, const Block& to, const HostEntries& from) const override {
    copy_rows(exec, typed(to), host<T>(from));
  }
  void copy_narrowed(const ExecSpace& exec, const Block& to, EntryType type, const Block& from) const override {
    with_type(type, [&]<NarrowedTo<S> Wide>(Wide) {
      detail::copy_narrowed<S>(exec, typed(to), matrix_of<Wide, ExecSpace>(from));
    });
  }
  void narrow(EntryType type, const std::byte* from, std::int64_t count, std::byte* to) const override {
    with_type(type, [&]<NarrowedTo<S> Wide>(Wide) {
      const auto* const first = reinterpret_cast<const Wide*>(from);
      std::transform(first, first + count, reinterpret_cast<T*>(to), [](Wide x) { return narrowed<S>(x); });
    });
  }

  void copy_out(const ExecSpace& exec, const Block& from, const HostEntries& to) const override {
    with_type(to.type, [&]<WidenedFrom<S> Wide>(Wide) { copy_to_host(exec, typed(from), host<Wide>(to)); });
  }
  void column_out(const ExecSpace& exec, const Block& from, std::int64_t column, std::byte* to) const override {
    column_to_host(exec, typed(from), column, list(reinterpret_cast<T*>(to), from.rows));
  }
  void widen(const std::byte* from, std::int64_t count, EntryType type, std::byte* to) const override {
    with_type(type, [&]<WidenedFrom<S> Wide>(Wide) {
      const auto* const first = reinterpret_cast<const T*>(from);
      std::transform(first, first + count, reinterpret_cast<Wide*>(to), [](T x) { return widened<Wide>(x); });
    });
  }
  bool equal(const std::byte* a, const std::byte* b, std::int64_t count) const override {
    return std::equal(reinterpret_cast<const T*>(a), reinterpret_cast<const T*>(a) + count,
                      reinterpret_cast<const T*>(b));
  }
  std::vector<AnyReach> reach([[maybe_unused]] const ExecSpace& exec, [[maybe_unused]] const Block& d,
                              [[maybe_unused]] bool of_rows) const override {
    std::vector<AnyReach> all;
    if constexpr (std::is_same_v<S, MinPlus<T>>)
      for (const Reach<T>& r : reach_of_matrix(exec, typed(d), of_rows))
        all.push_back({r.vertices, r.sum, r.farthest, r.farthest_vertex});
    return all;
  }

  bool takes_edge(AnyNumber weight, EntryType given) const override {
    bool takes = false;
    if constexpr (std::is_same_v<S, MinPlus<T>>)
      with_type(given, [&]<NarrowedTo<S> Wide>(Wide) {
        if constexpr (Distance<Wide>) takes = required_weight<T>(weight.as<Wide>()) != infinity<T>;
      });
    return takes;
  }
  void lengthen([[maybe_unused]] std::byte* to, [[maybe_unused]] std::byte* from, [[maybe_unused]] std::int64_t n,
                [[maybe_unused]] std::int64_t tail, [[maybe_unused]] AnyNumber weight) const override {
    if constexpr (std::is_same_v<S, MinPlus<T>>)
      lengthen_by_edge(list(reinterpret_cast<T*>(to), n), list(reinterpret_cast<T*>(from), n), tail, weight.as<T>());
  }
  std::function<void()> detours([[maybe_unused]] const ExecSpace& exec, [[maybe_unused]] const Block& d,
                                [[maybe_unused]] const std::byte* to,
                                [[maybe_unused]] const std::byte* from) const override {
    if constexpr (std::is_same_v<S, MinPlus<T>>) {
      const auto found = std::make_shared<Detours<T, ExecSpace>>(exec, d.rows, d.columns);
      copy_array(exec, found->to, list(reinterpret_cast<const T*>(to), d.rows));
      copy_array(exec, found->from, list(reinterpret_cast<const T*>(from), d.columns));
      exec.fence("blockfw::detours");  // before the lists on the host are destroyed
      return [&exec, d = typed(d), found] { detail::take_detours<true>(exec, d, d, *found); };
    } else {
      return {};
    }
  }
  void raise_own(const ExecSpace& exec, const Block& square) const override { detail::raise_own(exec, typed(square)); }

 private:
  static Ref typed(const Block& d) { return matrix_of<T, ExecSpace>(d); }
  template <class Wide>
  static auto host(const HostEntries& d) {
    return MatrixRef<Wide, Kokkos::HostSpace>(
        reinterpret_cast<Wide*>(d.data), Kokkos::LayoutStride(at(d.rows), at(d.down), at(d.columns), at(d.across)));
  }
  template <class Number>
  static auto list(Number* data, std::int64_t count) {
    return UnmanagedView<Number*, Kokkos::HostSpace>(data, at(count));
  }

  /// Calls f(Other()) for the type, which must be one that f takes.
  template <class F>
  static void with_type(EntryType type, const F& f) {
    const auto found = [&]<class Other>(Other other) {
      if constexpr (std::is_invocable_v<const F&, Other>)
        if (type == entry_type<Other>) return f(other), true;
      return false;
    };
    if (!found(std::int8_t()) && !found(std::int16_t()) && !found(std::int32_t()) && !found(std::int64_t()) &&
        !found(float()) && !found(double()))
      throw std::logic_error("blockfw: numbers of a type that does not convert");
  }
};

/// The one object of a semiring's numbers.
template <Semiring S, class ExecSpace, class TileShape = default_tile<ExecSpace, typename S::value_type>>
const Numbers<ExecSpace>& numbers_in_shares() {
  static const NumbersOf<S, TileShape, ExecSpace> numbers{};
  return numbers;
}

}  // namespace blockfw::detail

/// The numbers of shares.
#define BLOCKFW_COMPILED_SHARES(LINKAGE, S)                                         \
  LINKAGE template const blockfw::detail::Numbers<blockfw::detail::compiled::Exec>& \
  blockfw::detail::numbers_in_shares<S, blockfw::detail::compiled::Exec>();

#if defined(BLOCKFW_COMPILED)
BLOCKFW_COMPILED_INT8(BLOCKFW_COMPILED_SHARES, extern)
BLOCKFW_COMPILED_SHORTEST(BLOCKFW_COMPILED_SHARES, extern)
#endif
