// SPDX-License-Identifier: MIT
/// \file
/// \brief Decides on the cycles of a filled matrix before its solve, and keeps rounding out of the solve (see
/// cycles.hpp).
#pragma once

#include "blockfw/detail/backend/compiled.hpp"
#include "blockfw/detail/backend/memory.hpp"
#include "blockfw/detail/base/arithmetic.hpp"
#include "blockfw/detail/graph/cycles.hpp"
#include "blockfw/detail/graph/neighbours.hpp"
#include "blockfw/detail/loops/launch.hpp"
#include "blockfw/detail/matrices/copies.hpp"
#include "blockfw/detail/plan/finish.hpp"
#include "blockfw/ground/matrix.hpp"
#include "blockfw/ground/semiring.hpp"
#include "blockfw/ground/weights.hpp"

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

namespace blockfw::detail {

/// Whether sums of a semiring round and may cancel.
template <Semiring S, class T = typename S::value_type>
inline constexpr bool may_cancel =
    std::is_floating_point_v<T> && (std::is_same_v<S, MinPlus<T>> || std::is_same_v<S, MaxPlus<T>>);

/// Whether weights of this range may cancel. If they cannot, no cycle diverges.
template <Semiring S, class T = typename S::value_type>
bool cancels(const WeightRange<T>& range) {
  return may_cancel<S> && may_improve<S>(range);
}

/// The sign that turns weights into weights of shortest paths.
template <Semiring S>
constexpr double sign_of() {
  return std::is_same_v<S, MaxPlus<typename S::value_type>> ? -1 : 1;
}

/// A part of a matrix, in memory of exec.
template <class T, class ExecSpace>
struct MatrixPart {
  ExecSpace exec;
  MatrixRef<T, ExecSpace> d;
  std::vector<std::int32_t> rows, columns;  ///< the vertices of the rows and columns

  template <class View>
  MatrixPart(const ExecSpace& exec_, const View& view, std::vector<std::int32_t> rows_,
             std::vector<std::int32_t> columns_)
      : exec(exec_),
        d(view.data(), Kokkos::LayoutStride(view.extent(0), view.stride(0), view.extent(1), view.stride(1))),
        rows(std::move(rows_)),
        columns(std::move(columns_)) {}
};

/// A row of a part whose vertex has a shorter path than before.
struct ShorterRow {
  LongSum length;
  std::int64_t row;
  std::int32_t vertex;
};

/// \brief The rounds of a CycleSearch over a part of a matrix.
template <class T, class ExecSpace>
class PartSearch {
  template <class Value>
  using Mirror = decltype(Kokkos::create_mirror_view(std::declval<Array<Value, ExecSpace>>()));
  // A task takes some columns and some of the rows. On a host it takes all rows, so that it reads parts of rows.
  static constexpr bool host = is_host_space<ExecSpace>;
  static constexpr int width = host ? 64 : 1;
  static constexpr std::int64_t height = host ? std::int64_t(1) << 40 : 256;

 public:
  PartSearch(const MatrixPart<T, ExecSpace>& part, double sign)
      : part_(part),
        sign_(sign),
        rows_(Kokkos::view_alloc(part.exec, "blockfw::cycles"), part.rows.size()),
        lengths_(Kokkos::view_alloc(part.exec, "blockfw::cycles"), part.columns.size()),
        found_(Kokkos::view_alloc(part.exec, "blockfw::cycles"), part.columns.size() * at(slices(part.rows.size()))),
        rows_here_(Kokkos::create_mirror_view(rows_)),
        lengths_here_(Kokkos::create_mirror_view(lengths_)),
        found_here_("blockfw::cycles", part.columns.size()) {}

  /// Queues a round.
  void start(const Tilted& tilted, const std::vector<Reached>& now, const std::vector<std::int32_t>& fell) {
    std::size_t count = 0;
    auto next = fell.begin();
    for (std::size_t i = 0; i < part_.rows.size(); ++i) {
      while (next != fell.end() && *next < part_.rows[i]) ++next;
      if (next == fell.end()) break;
      if (*next == part_.rows[i]) rows_here_(count++) = {now[at(*next)].length, static_cast<std::int64_t>(i), *next};
    }
    for (std::size_t j = 0; j < part_.columns.size(); ++j) lengths_here_(j) = now[at(part_.columns[j])].length;
    copy_array(part_.exec, rows_, rows_here_);
    copy_array(part_.exec, lengths_, lengths_here_);
    relax(tilted, static_cast<std::int64_t>(count));
    const auto best = Kokkos::subview(found_, Kokkos::pair(std::size_t(0), part_.columns.size()));
    copy_array(part_.exec, found_here_, best);
  }

  /// Waits for the round, and offers its paths.
  void end(const std::vector<Reached>& now, ShorterPaths& found) const {
    part_.exec.fence("blockfw::cycles");
    for (std::size_t j = 0; j < part_.columns.size(); ++j)
      if (found_here_(j).before >= 0)
        found.offer(at(part_.columns[j]), now[at(part_.columns[j])].length, found_here_(j));
  }

  // (Public, since nvcc requires public functions for lambdas of a device.)

  /// The best edges from the first `count` rows of rows_ to each column.
  void relax(const Tilted& tilted, std::int64_t count) const {
    const auto columns = static_cast<std::int64_t>(part_.columns.size()), all_slices = slices(part_.rows.size());
    const std::int64_t blocks = div_up(columns, width);
    const T* const data = part_.d.data();
    const auto down = static_cast<std::int64_t>(part_.d.stride(0)),
               across = static_cast<std::int64_t>(part_.d.stride(1));
    const double sign = sign_;
    const auto rows = rows_;
    const auto lengths = lengths_;
    const auto found = found_;
    for_range(
        "blockfw::cycles", part_.exec, 0, blocks * all_slices, KOKKOS_LAMBDA(std::int64_t task) {
          const std::int64_t slice = task / blocks, first = task % blocks * width;
          const int some = static_cast<int>(Kokkos::min<std::int64_t>(width, columns - first));
          Reached best[width];
          for (int j = 0; j < some; ++j) best[j].length = lengths(first + j);
          const std::int64_t last = Kokkos::min(count, (slice + 1) * height);
          for (std::int64_t r = slice * height; r < last; ++r) {
            const ShorterRow from = rows(r);
            const T* const entries = data + from.row * down + first * across;
            // (Most paths are longer by more than a double's rounding.)
            const double high = from.length.high, near = 1e-15 * Kokkos::abs(high);
            for (int j = 0; j < some; ++j) {
              const double weight = sign * static_cast<double>(entries[j * across]), size = Kokkos::abs(weight);
              if (!tilted.has(weight)) continue;
              if (high + (weight + tilted.tilt * size) > best[j].length.high + (near + 1e-15 * size)) continue;
              best[j].improve(by_edge(from.length, from.vertex, weight, tilted.tilt));
            }
          }
          for (int j = 0; j < some; ++j) found(slice * columns + first + j) = best[j];
        });
    if (all_slices <= 1) return;
    for_range(
        "blockfw::cycles_of_slices", part_.exec, 0, columns, KOKKOS_LAMBDA(std::int64_t j) {
          Reached best = found(j);
          for (std::int64_t slice = 1; slice < all_slices; ++slice)
            if (found(slice * columns + j).before >= 0) best.improve(found(slice * columns + j));
          found(j) = best;
        });
  }

 private:
  static std::int64_t slices(std::size_t rows) {  // (a part may have no rows)
    return std::max<std::int64_t>(1, div_up(static_cast<std::int64_t>(rows), height));
  }

  const MatrixPart<T, ExecSpace>& part_;
  double sign_;
  Array<ShorterRow, ExecSpace> rows_;
  Array<LongSum, ExecSpace> lengths_;
  Array<Reached, ExecSpace> found_;  ///< the paths found, for each slice of the rows
  Mirror<ShorterRow> rows_here_;
  Mirror<LongSum> lengths_here_;
  Kokkos::View<Reached*, Kokkos::HostSpace> found_here_;
};

/// Queues f(i, j, entry) for all entries of a part.
template <class T, class ExecSpace, class F>
void for_each_entry(const MatrixPart<T, ExecSpace>& part, const F& f) {
  const auto d = part.d;
  for_square(
      "blockfw::entries", part.exec, extent_along(d, 0), extent_along(d, 1),
      KOKKOS_LAMBDA(std::int64_t i, std::int64_t j) { f(i, j, d(i, j)); });
}

/// The result of f(weight, result) for all entries of a part, by a reducer of Kokkos.
template <class T, class ExecSpace, class Reducer, class F>
void reduce_entries(const MatrixPart<T, ExecSpace>& part, const Reducer& reducer, const F& f) {
  const auto d = part.d;
  const auto rows = extent_along(d, 0), columns = extent_along(d, 1);
  reduce_range(
      "blockfw::entries", part.exec, 0, rows * div_up(columns, 64),
      KOKKOS_LAMBDA(std::int64_t task, typename Reducer::value_type& result) {
        const std::int64_t row = task % rows, first = task / rows * 64;
        const std::int64_t last = Kokkos::min(columns, first + 64);
        for (std::int64_t j = first; j < last; ++j) f(static_cast<double>(d(row, j)), result);
      },
      reducer);
}

/// Takes potentials out of the weights of a part, or puts them back into its distances. Fences its instance.
template <class T, class ExecSpace>
void apply_potentials(const MatrixPart<T, ExecSpace>& part, const std::vector<double>& potentials, double sign,
                      bool restore) {
  const auto of = [&](const std::vector<std::int32_t>& vertices) {
    std::vector<double> numbers;
    for (const std::int32_t v : vertices) numbers.push_back(potentials[at(v)]);
    return numbers;
  };
  const std::vector<double> rows = of(part.rows), columns = of(part.columns);
  const auto of_rows = in_space(part.exec, rows), of_columns = in_space(part.exec, columns);
  for_each_entry(
      part, KOKKOS_LAMBDA(std::int64_t i, std::int64_t j, T& entry) {
        entry = restore ? restored_length(entry, of_rows(i), of_columns(j), sign)
                        : reduced_weight(entry, of_rows(i), of_columns(j), sign);
      });
  part.exec.fence("blockfw::potentials");
}

/// Whether all weights of a part are multiples of the unit; see is_multiple().
template <class T, class ExecSpace>
bool are_multiples(const MatrixPart<T, ExecSpace>& part, double unit) {
  std::int64_t others = 0;
  reduce_entries(
      part, Kokkos::Sum<std::int64_t>(others),
      KOKKOS_LAMBDA(double weight, std::int64_t& count) { count += !is_multiple(weight, unit); });
  return others == 0;
}

/// The largest magnitude of a weight of a part that is `most` or less; 0 if there is none.
template <class T, class ExecSpace>
double heaviest_up_to(const MatrixPart<T, ExecSpace>& part, double most) {
  double heaviest = 0;
  reduce_entries(
      part, Kokkos::Max<double>(heaviest), KOKKOS_LAMBDA(double weight, double& so_far) {
        const double magnitude = Kokkos::abs(weight);
        if (magnitude <= most && magnitude > so_far) so_far = magnitude;
      });
  return Kokkos::max(heaviest, 0.0);  // (Kokkos reduces an empty range to the lowest number)
}

/// \brief Sets negative distances of vertices to themselves, which rounding has caused, to 0.
///
/// Fences exec. Integers stay as they are.
template <class ExecSpace, class View>
void raise_own(const ExecSpace& exec, const View& d) {
  using T = typename View::non_const_value_type;
  if constexpr (std::is_floating_point_v<T>)
    for_range(
        "blockfw::raise_own", exec, 0, extent_along(d, 0), KOKKOS_LAMBDA(std::int64_t i) {
          if (d(i, i) < 0) d(i, i) = 0;
        });
  exec.fence("blockfw::raise_own");
}

/// Copies a part of a matrix to contiguous memory, or back.
template <class T, class ExecSpace>
void copy_part(const MatrixPart<T, ExecSpace>& part, T* copy, bool back) {
  const auto columns = static_cast<std::int64_t>(part.columns.size());
  for_each_entry(
      part, KOKKOS_LAMBDA(std::int64_t i, std::int64_t j, T& entry) {
        T& other = copy[i * columns + j];
        if (back)
          entry = other;
        else
          other = entry;
      });
}

/// \brief Keeps rounding out of a solve of a filled matrix over a semiring whose sums may cancel.
///
/// The guard keeps a copy of the weights if that takes a small part of the available memory. Then it decides on the
/// cycles only if a solve makes one negative. Without a copy, and by the strict rule, it decides before the solve: the
/// search takes as long as some dozens of copies.
template <Semiring S, class ExecSpace>
class CycleGuard {
  using T = typename S::value_type;

 public:
  using Parts = std::vector<MatrixPart<T, ExecSpace>>;
  /// least(numbers) replaces each number by the least of all ranks.
  using Least = std::function<void(std::vector<double>&)>;

  /// Without effect.
  CycleGuard() = default;

  /// \param n       number of vertices
  /// \param range   of the weights, which may cancel
  /// \param parts   the matrix, or this rank's part of it
  /// \param strict  whether the strict rule holds
  /// \param copy    whether there may be a copy
  /// \param least   if there are several ranks
  /// \throws NegativeCycle  with a vertex on it; for longest paths DivergentCycle
  CycleGuard(std::int64_t n, const WeightRange<T>& range, Parts parts, bool strict, bool copy, Least least = {})
      : n_(n), range_(range), parts_(std::move(parts)), strict_(strict), least_(std::move(least)) {
    if (strict || !copy || !keep()) decide(false);
  }

  /// \brief After a solve: decides whether the solve is to be done again, with the weights that the matrix has then.
  /// \param find  find() returns a vertex whose distance to itself diverges, if there is one; it is the same on all
  ///              ranks
  /// \throws as the constructor
  template <class Find>
  bool again(const Find& find) {
    if (copies_.empty()) return false;
    const std::optional<std::int64_t> vertex = find();
    if (!vertex) return false;
    for (std::size_t p = 0; p < parts_.size(); ++p) copy_part(parts_[p], copies_[p].data(), true);
    decide(true);
    copies_.clear();
    if (potentials_.empty()) throw_cycle<S>(*vertex);
    return true;
  }

  /// Corrects the distances at the end.
  void restore() const { apply(true); }

  /// The potentials that were taken out of the weights, one for each vertex; or none.
  const std::vector<double>& potentials() const { return potentials_; }

 private:
  using Copy = Array<T, ExecSpace>;

  /// Copies the weights, if there is memory.
  /// \return whether it did, the same on all ranks
  bool keep();
  /// Decides on the cycles, and takes the potentials out of the weights if they are needed. Takes a few rounds, each
  /// O(n²) at memory speed; see judge_cycles().
  void decide(bool short_one);
  void apply(bool restore) const;

  /// The least of a number of each rank.
  double least(double number) const {
    std::vector<double> one = {number};
    if (least_) least_(one);
    return one[0];
  }

  /// Calls f, which takes memory. \return whether f has returned true, and has not thrown, on all ranks
  template <class F>
  bool succeeds(const F& f) const {
    bool fine = false;
    try {
      fine = f();
    } catch (const std::exception&) {  // (Kokkos throws another type in each of its versions)
    }
    return least(fine) > 0;
  }

  /// Calls f, which takes memory. If that fails on one rank, all ranks throw.
  template <class F>
  void with_memory(const F& f) const {
    const bool fine = succeeds([&] {
      f();
      return true;
    });
    if (!fine) throw OutOfMemory("the search for negative cycles needs more memory than is available");
  }

  std::int64_t n_ = 0;
  WeightRange<T> range_;
  Parts parts_;
  bool strict_ = false;
  Least least_;
  std::vector<Copy> copies_;
  std::vector<double> potentials_;
};

template <Semiring S, class ExecSpace>
bool CycleGuard<S, ExecSpace>::keep() {
  double bytes = 0;
  for (const auto& part : parts_) bytes += static_cast<double>(part.d.size()) * sizeof(T);
  const bool kept = succeeds([&] {
    for (const auto& part : parts_)
      if (bytes > 1e6 && 4 * bytes > available_bytes(part.exec)) return false;
    for (const auto& part : parts_)
      copies_.push_back(without_values<Copy>(part.exec, "blockfw::weights", part.d.size()));
    return true;
  });
  if (!kept) copies_.clear();
  for (std::size_t p = 0; p < copies_.size(); ++p) copy_part(parts_[p], copies_[p].data(), false);
  for (const auto& part : parts_) part.exec.fence("blockfw::copy_part");
  return kept;
}

template <Semiring S, class ExecSpace>
void CycleGuard<S, ExecSpace>::decide(bool short_one) {
  std::optional<std::vector<PartSearch<T, ExecSpace>>> searches;  // once they are needed
  CycleEdges edges;
  edges.round = [&](const Tilted& tilted, const std::vector<Reached>& now, const std::vector<std::int32_t>& fell,
                    ShorterPaths& found) {
    if (!searches)
      with_memory([&] {
        searches.emplace();
        for (const auto& part : parts_) searches->emplace_back(part, sign_of<S>());
      });
    for (auto& search : *searches) search.start(tilted, now, fell);
    for (const auto& search : *searches) search.end(now, found);
    if (least_) found.reduce(least_);
  };
  edges.heaviest = [&](double most) {
    double heaviest = 0;
    for (const auto& part : parts_) heaviest = std::max(heaviest, heaviest_up_to(part, most));
    return -least(-heaviest);
  };
  edges.are_multiples = [&](double unit) {
    return least(std::ranges::all_of(parts_, [&](const auto& part) { return are_multiples(part, unit); })) > 0;
  };
  const double heaviest = std::max(-static_cast<double>(range_.smallest), static_cast<double>(range_.largest));
  CycleVerdict verdict = judge_cycles(n_, std::numeric_limits<T>::digits, heaviest, edges, strict_, short_one);
  if (verdict.negative >= 0) throw_cycle<S>(verdict.negative);
  potentials_ = std::move(verdict.potentials);
  apply(false);
}

template <Semiring S, class ExecSpace>
void CycleGuard<S, ExecSpace>::apply(bool restore) const {
  if (potentials_.empty()) return;
  with_memory([&] {
    for (const auto& part : parts_) apply_potentials(part, potentials_, sign_of<S>(), restore);
  });
}

/// The guard of a solve whose sums cannot cancel.
struct NoGuard {
  template <class Find>
  bool again(const Find&) const {
    return false;
  }
  void restore() const {}
};

template <Semiring S, class ExecSpace>
using GuardOf = std::conditional_t<may_cancel<S>, CycleGuard<S, ExecSpace>, NoGuard>;

/// The guard of a solve of a whole matrix in memory of exec.
template <Semiring S, class ExecSpace, class View, class T = typename S::value_type>
GuardOf<S, ExecSpace> guard_of([[maybe_unused]] const ExecSpace& exec, [[maybe_unused]] const View& d,
                               [[maybe_unused]] const WeightRange<T>& range, [[maybe_unused]] bool strict,
                               [[maybe_unused]] bool copy) {
  if constexpr (may_cancel<S>)
    if (cancels<S>(range)) {
      const auto n = extent_along(d, 0);
      return {n, range, {MatrixPart<T, ExecSpace>(exec, d, vertices_from(0, n), vertices_from(0, n))}, strict, copy};
    }
  return {};
}

}  // namespace blockfw::detail

/// The search for cycles whose length is zero except for rounding.
#define BLOCKFW_COMPILED_GUARD(LINKAGE, S) \
  LINKAGE template class blockfw::detail::CycleGuard<S, blockfw::detail::compiled::Exec>;

#if defined(BLOCKFW_COMPILED)
BLOCKFW_COMPILED_CANCELLING(BLOCKFW_COMPILED_GUARD, extern)
#endif
