// SPDX-License-Identifier: MIT
/// \file
/// \brief Solved distances that stay where they were found, in their type or in a narrower type that holds them.
#pragma once

#include "blockfw/detail/matrices/read_weights.hpp"
#include "blockfw/detail/matrices/widened.hpp"
#include "blockfw/detail/plan/ladder.hpp"
#include "blockfw/detail/plan/narrow.hpp"
#include "blockfw/detail/plan/sparse_cost.hpp"
#include "blockfw/distances.hpp"
#include "blockfw/ground/error.hpp"
#include "blockfw/ground/matrix.hpp"
#include "blockfw/ground/options.hpp"
#include "blockfw/ground/reach.hpp"
#include "blockfw/ground/semiring.hpp"
#include "blockfw/ground/spaces.hpp"
#include "blockfw/ground/weights.hpp"
#include "blockfw/measures.hpp"
#include "blockfw/rows_by_elimination.hpp"
#include "blockfw/symmetry.hpp"

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <ranges>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace blockfw {

/// \brief Distances in a matrix of their type, or of a narrower type that holds them, and the answers that both
/// matrices give.
///
/// \tparam Matrix     Matrix<Element, ExecSpace> holds distances of a type, or over a semiring. It is RowBlocks, or
///                    DistributedMatrix, whose answers are collective.
/// \tparam Over       type of the distances, for shortest paths, or a semiring
/// \tparam ExecSpace  the space in which they were solved
template <template <class...> class Matrix, class Over, class ExecSpace>
class Solved {
 protected:
  /// The semiring.
  using S = semiring_of<Over, void>;
  /// The type of the distances.
  using T = typename S::value_type;

 private:
  using Types = detail::Ladder<S, is_host_space<ExecSpace>>;
  // (void means that it is not a type of the ladder.)
  using Byte = std::conditional_t<Types::any && is_host_space<ExecSpace>, std::int8_t, void>;
  using Short = std::conditional_t<Types::any, std::int16_t, void>;
  using Int = std::conditional_t<Types::any && (sizeof(T) > 4), std::int32_t, void>;
  template <class Element>
  using Alternative = std::conditional_t<std::is_void_v<Element>, std::monostate,
                                         Matrix<std::conditional_t<std::is_void_v<Element>, Over, Element>, ExecSpace>>;

 public:
  /// Whether the semiring is that of shortest paths.
  static constexpr bool holds_shortest = std::is_same_v<S, MinPlus<T>>;

  /// The number of vertices.
  std::int64_t vertices() const {
    return visit([](const auto& d) { return d.vertices(); });
  }
  /// Bits of the numbers that are held.
  int bits() const {
    return visit([](const auto& d) { return 8 * int(sizeof(typename std::decay_t<decltype(d)>::View::value_type)); });
  }

  /// \brief Calls f(d) with the matrix that holds the distances. Its type is the type of the distances, or int8 (on
  /// hosts), int16 or int32. The infinity of this type is no path.
  /// \param f  takes a matrix of any of these types, and returns the same type for each: nothing, or a value that can
  ///           be made without arguments
  template <class F>
  auto visit(const F& f) const {
    return std::visit(
        [&]<class D>(const D& d) {
          if constexpr (std::is_same_v<D, std::monostate>)
            return decltype(f(std::declval<const Matrix<Over, ExecSpace>&>()))();  // (never held)
          else
            return f(d);
        },
        held_);
  }

  /// \brief The distances from some vertices, as the matrix gives them.
  /// \throws InvalidInput for a source out of range
  template <std::ranges::contiguous_range Sources>
  DistanceMatrix<T, Kokkos::DefaultHostExecutionSpace> distances_from(const Sources& sources) const {
    return rows_from({std::ranges::begin(sources), std::ranges::end(sources)});
  }

  /// \brief The distances to some vertices, as the matrix gives them.
  /// \throws InvalidInput for a target out of range
  template <std::ranges::contiguous_range Targets>
  DistanceMatrix<T, Kokkos::DefaultHostExecutionSpace> distances_to(const Targets& targets) const {
    return rows_to({std::ranges::begin(targets), std::ranges::end(targets)});
  }

  /// \brief The distance from vertex i to vertex j. It is S::zero() without a path.
  /// \throws InvalidInput for a vertex out of range
  T distance(std::int64_t i, std::int64_t j) const;

  /// \brief For each vertex a summary of the vertices that it reaches, or that reach it, as reach() of measures.hpp.
  /// Eccentricities, diameter, centre and closeness follow from it. The result is on the host.
  std::vector<Reach<T>> reach(Towards towards = Towards::others) const;

  /// \brief Copies the distances to an n x n matrix on the host; see ShareAnswers::copy_to().
  /// \throws InvalidInput when the matrix is of another shape
  template <MatrixView View>
  void copy_to(const View& distances) const;

  /// \brief Gathers whole rows, some at a time; see ShareAnswers::for_whole_rows().
  template <class F>
  void for_whole_rows(const F& f, std::size_t at_once = std::size_t(16) << 20) const {
    take_rows([&](std::int64_t row, const Rows& rows) { f(row, rows); }, at_once);
  }

  /// \brief Gathers the whole matrix on rank `root`. With devices `root` is 0. Other ranks get an empty matrix.
  /// \throws OutOfMemory when it does not fit; InvalidInput for a root that is no rank
  DistanceMatrix<T, Kokkos::DefaultHostExecutionSpace> gather(int root = 0) const;

  /// \brief Whether for all pairs the distance from i to j is the distance from j to i. Collective where the matrix's
  /// answers are collective. See ShareAnswers::is_symmetric().
  bool is_symmetric() const;

  /// \brief insert_edge() of updates.hpp. Updates the distances for one more edge, or for a smaller weight of an edge.
  /// \throws as insert_edge() of updates.hpp. OverflowRisk also when the current bits() may not hold the new distances;
  ///         then solve again. The distances are then unchanged.
  void insert_edge(std::int64_t from, std::int64_t to, T weight);

  /// Refused at compile time, since shares keep their size.
  template <class Edges>
  void add_vertex(const Edges&, const TaskOptions& = {}) {
    static_assert(sizeof(Edges) == 0,
                  "blockfw: distances on several devices or ranks keep their number of vertices; add_vertex() of "
                  "updates.hpp takes a matrix on one instance");
  }

 protected:
  /// The matrix in one of the types.
  using Held = std::variant<Matrix<Over, ExecSpace>, Alternative<Byte>, Alternative<Short>, Alternative<Int>>;

  /// Takes the solved matrix.
  explicit Solved(Held held) : held_(std::move(held)) {}

  /// The narrowest type that may be chosen.
  using Narrowest =
      std::conditional_t<std::is_void_v<Short>, Over, std::conditional_t<std::is_void_v<Byte>, Short, Byte>>;

  /// Whether a narrower type may be chosen, and it is worth looking for a bound.
  static bool may_be_narrower(std::int64_t n, bool wanted) {
    return Types::any && wanted && n >= detail::narrow_from<ExecSpace>;
  }

  /// \brief Plans the type, and solves in it.
  /// \param narrower  whether a narrower type may be chosen
  /// \param bound     bound(limits) is the bound of all distances, if there is a bound below a limit; see
  ///                  distance_bound()
  /// \param solved    solved(std::type_identity<Element>()) returns the solved matrix
  template <class Bound, class Solve>
  static Held planned(bool narrower, const Bound& bound, const Solve& solved) {
    if constexpr (Types::any)
      if (narrower) {
        std::optional<Held> held;
        Types::take(bound(Types::limits()), [&]<class Small>(Small) {
          held.emplace(solved(std::type_identity<Small>()));
          return true;
        });
        if (held) return std::move(*held);
      }
    return solved(std::type_identity<Over>());
  }

  /// \brief Plans the type, and fills the matrix with rows by elimination.
  /// \param source    the rows
  /// \param options   its progress function is called
  /// \param narrower  whether a narrower type may be chosen
  /// \param bound     as of planned()
  /// \param made      made(std::type_identity<Element>()) returns an empty matrix
  /// \return the matrix, and the report of the solve
  template <class Bound, class Make>
  static std::pair<Held, SolveReport> filled(const detail::RowSource<T, ExecSpace>& source, const SolveOptions& options,
                                             bool narrower, const Bound& bound, const Make& made) {
    const Kokkos::Timer timer;
    SolveReport report = source.report;
    auto held = planned(narrower, bound, [&]<class Element>(std::type_identity<Element> element) {
      auto d = made(element);
      const std::int64_t n = d.vertices();
      Progress progress;
      if (options.progress)
        progress = [&](std::int64_t done, std::int64_t all) { options.progress(n + n * done / all, 2 * n); };
      d.fill_with_rows(source, progress);
      report.bits = 8 * int(sizeof(typename semiring_of<Element, void>::value_type));
      report.half = source.symmetric;
      report.dense_relaxes = detail::dense_relaxes(n, report.half);
      return d;
    });
    report.solve_seconds = timer.seconds();
    return {std::move(held), report};
  }

  /// \brief Plans the type of a solve of weights that are on the host, and solves in it.
  /// \param w         the weights
  /// \param options   as in solve()
  /// \param narrower  whether a narrower type may be chosen
  /// \param read      read(weights) checks all weights and returns their range
  /// \param agreed    agreed(find) is the bound that all processes take. find() is the bound of this process, if there
  ///                  is one.
  /// \param made      made(std::type_identity<Element>()) returns an empty matrix
  template <class Weights, class Read, class Agreed, class Make>
  static Held planned_matrix(const Weights& w, const SolveOptions& options, bool narrower, const Read& read,
                             const Agreed& agreed, const Make& made) {
    require_reachable<Kokkos::DefaultHostExecutionSpace, Weights>();
    const detail::WeightsOf<S, Weights> weights{w, options.direction};
    const WeightRange<T> range = read(weights);
    require_safe_sums<S>(static_cast<std::int64_t>(w.extent(0)), range);
    const auto bound = [&](const auto& limits) {
      return agreed(
          [&] { return detail::distance_bound(Kokkos::DefaultHostExecutionSpace(), weights, range, limits); });
    };
    return planned(narrower && !range.any_negative(), bound, [&]<class Element>(std::type_identity<Element> element) {
      auto d = made(element);
      d.fill_from_weights(weights);
      d.solve(range_in<Element>(range), options);
      return d;
    });
  }

  /// The range of the weights for a solve in the type of Element. (A narrower type is chosen only if no weight is
  /// negative and all distances fit. So there is nothing left to check.)
  template <class Element, class Value = typename semiring_of<Element, void>::value_type>
  static WeightRange<Value> range_in([[maybe_unused]] WeightRange<T> range) {
    if constexpr (std::is_same_v<Value, T>)
      return range;
    else
      return {0, 0};
  }

 private:
  using Rows = DistanceMatrix<T, Kokkos::DefaultHostExecutionSpace>;
  /// for_whole_rows(): the same code for any f.
  void take_rows(const std::function<void(std::int64_t, const Rows&)>& f, std::size_t at_once) const;
  DistanceMatrix<T, Kokkos::DefaultHostExecutionSpace> rows_from(const std::vector<std::int64_t>& sources) const;
  DistanceMatrix<T, Kokkos::DefaultHostExecutionSpace> rows_to(const std::vector<std::int64_t>& targets) const;

  Held held_;
};

// (Definitions in the class would be inline, and each file that calls them would compile them. See the macros at the
// end of the headers of the matrices, and detail/backend/compiled.hpp.)

template <template <class...> class Matrix, class Over, class ExecSpace>
void Solved<Matrix, Over, ExecSpace>::take_rows(const std::function<void(std::int64_t, const Rows&)>& f,
                                                std::size_t at_once) const {
  visit([&](const auto& d) { d.template for_whole_rows<T>(f, at_once); });
}

template <template <class...> class Matrix, class Over, class ExecSpace>
auto Solved<Matrix, Over, ExecSpace>::rows_from(const std::vector<std::int64_t>& sources) const
    -> DistanceMatrix<T, Kokkos::DefaultHostExecutionSpace> {
  return visit([&](const auto& d) { return d.template distances_from<T>(sources); });
}

template <template <class...> class Matrix, class Over, class ExecSpace>
auto Solved<Matrix, Over, ExecSpace>::rows_to(const std::vector<std::int64_t>& targets) const
    -> DistanceMatrix<T, Kokkos::DefaultHostExecutionSpace> {
  return visit([&](const auto& d) { return d.template distances_to<T>(targets); });
}

template <template <class...> class Matrix, class Over, class ExecSpace>
auto Solved<Matrix, Over, ExecSpace>::distance(std::int64_t i, std::int64_t j) const -> T {
  return visit([&](const auto& d) { return detail::widened<T>(d.distance(i, j)); });
}

template <template <class...> class Matrix, class Over, class ExecSpace>
auto Solved<Matrix, Over, ExecSpace>::reach(Towards towards) const -> std::vector<Reach<T>> {
  return visit([&](const auto& d) {
    const auto found = d.reach(towards);
    std::vector<Reach<T>> all;
    all.reserve(found.size());
    for (const auto& r : found)
      all.push_back(
          {r.vertices, static_cast<typename Reach<T>::Sum>(r.sum), static_cast<T>(r.farthest), r.farthest_vertex});
    return all;
  });
}

template <template <class...> class Matrix, class Over, class ExecSpace>
template <MatrixView View>
void Solved<Matrix, Over, ExecSpace>::copy_to(const View& distances) const {
  visit([&](const auto& d) { d.copy_to(distances); });
}

template <template <class...> class Matrix, class Over, class ExecSpace>
auto Solved<Matrix, Over, ExecSpace>::gather(int root) const -> DistanceMatrix<T, Kokkos::DefaultHostExecutionSpace> {
  return visit([&](const auto& d) { return d.template gather<T>(root); });
}

template <template <class...> class Matrix, class Over, class ExecSpace>
bool Solved<Matrix, Over, ExecSpace>::is_symmetric() const {
  return visit([](const auto& d) { return d.is_symmetric(); });
}

template <template <class...> class Matrix, class Over, class ExecSpace>
void Solved<Matrix, Over, ExecSpace>::insert_edge(std::int64_t from, std::int64_t to, T weight) {
  std::visit(
      [&]<class D>(D& d) {
        if constexpr (!std::is_same_v<D, std::monostate>) d.template insert_edge<T>(from, to, weight);
      },
      held_);
}

}  // namespace blockfw
