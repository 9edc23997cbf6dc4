// SPDX-License-Identifier: MIT
/// \file
/// \brief A solve in shares, from its plan to distances that stay where they were found: the same on several devices
/// and on ranks.
#pragma once

#include "blockfw/detail/backend/compiled.hpp"
#include "blockfw/detail/base/arithmetic.hpp"
#include "blockfw/detail/matrices/read_weights.hpp"
#include "blockfw/detail/numbers/numbers.hpp"
#include "blockfw/detail/numbers/numbers_of.hpp"
#include "blockfw/detail/numbers/operations_of.hpp"
#include "blockfw/detail/plan/narrow.hpp"
#include "blockfw/detail/plan/potentials.hpp"
#include "blockfw/detail/plan/recipe.hpp"
#include "blockfw/detail/shares/place.hpp"
#include "blockfw/detail/shares/shares.hpp"
#include "blockfw/detail/shares/shares_to_solve.hpp"
#include "blockfw/edges.hpp"
#include "blockfw/ground/edge.hpp"
#include "blockfw/ground/error.hpp"
#include "blockfw/ground/matrix.hpp"
#include "blockfw/ground/options.hpp"
#include "blockfw/ground/semiring.hpp"
#include "blockfw/ground/weights.hpp"
#include "blockfw/shares.hpp"
#include "blockfw/solve.hpp"
#include "blockfw/sparse.hpp"

#include <Kokkos_Core.hpp>

#include <any>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace blockfw {

namespace detail {

/// \brief Rows of the distances of a graph, by elimination. Shares with numbers of any type take these rows, so this
/// class is compiled once.
template <class T, class ExecSpace>
struct RowSource {
  typename Shares<ExecSpace>::MakesRows rows;
  /// bound(limits): a bound of all distances, if there is a bound below a limit; see distance_bound(). It is set only
  /// for integers that have a narrower type.
  std::function<std::optional<T>(const std::vector<T>&)> bound;
  std::int64_t at_once;  ///< the number of rows to ask for at once
  bool symmetric;        ///< whether the distances are the same in both directions
  WeightRange<T> range;  ///< the range of the weights
  SolveReport report;    ///< the parts that are known before the rows are made
};

/// \brief The rows of a graph by elimination, if elimination is requested, or is cheaper. Each device has a factor; on
/// hosts all shares have the same factor.
/// \param instances  of the shares of this process
/// \param edges      all edges, on the host. They are needed for this call only.
/// \return nothing if the dense method is to be used
/// \throws as SparseAnalysis and SparseFactor
template <Semiring S, class ExecSpace, class W>
std::optional<RowSource<typename S::value_type, ExecSpace>> eliminated_rows(const std::vector<ExecSpace>& instances,
                                                                            std::int64_t n,
                                                                            const std::span<const Edge<W>>& edges,
                                                                            const SolveOptions& options) {
  using T = typename S::value_type;
  using Factor = SparseFactor<S, ExecSpace>;
  const auto direction = is_commutative<S> ? options.direction : Direction::directed;
  Kokkos::Timer timer;
  auto analysis = analysis_if_sparse<ExecSpace>(n, edges, direction, options.method);
  SolveReport report{.method = Method::sparse};
  report.analysis_seconds = timer.seconds();
  if (options.report != nullptr) options.report->analysis_seconds = report.analysis_seconds;
  if (!analysis) return {};
  report.factor_relaxes = analysis->factor_relaxes();
  report.solve_relaxes = analysis->solve_relaxes();
  report.relaxes = report.factor_relaxes + report.solve_relaxes;
  report.separator = analysis->widest();
  timer.reset();

  struct Kept {
    SparseAnalysis analysis;
    std::vector<Factor> factors;
  };
  const auto kept = std::make_shared<Kept>(Kept{std::move(*analysis), {}});
  std::vector<Factor>& factors = kept->factors;
  FactorOptions how{options.direction, {}, options.strict_cycles};
  if (options.progress)
    how.progress = [&](std::int64_t done, std::int64_t) {
      options.progress((std::ssize(factors) * n + done) / (is_host_space<ExecSpace> ? 1 : std::ssize(instances)),
                       2 * n);
    };
  if constexpr (is_host_space<ExecSpace>) {
    const Factor shared(default_instance<ExecSpace>(), kept->analysis, edges, how);
    for (const ExecSpace& exec : instances) factors.push_back(shared.on(exec));
  } else {
    for (const ExecSpace& exec : instances) factors.emplace_back(exec, kept->analysis, edges, how);
  }
  const Factor& first = factors.front();
  RowSource<T, ExecSpace> source{[kept](std::size_t share, const std::vector<std::int32_t>& sources) {
                                   const auto d = kept->factors[share].distances_from(sources);
                                   return std::pair<std::any, Block>(d, block_of(d));
                                 },
                                 {},
                                 static_cast<std::int64_t>(first.rows_at_once()),
                                 first.is_symmetric(),
                                 first.range(),
                                 report};
  if constexpr (Ladder<S, is_host_space<ExecSpace>>::any)
    source.bound = [kept, n, hub = find_hub_of_edges(view_of(edges)).first](const std::vector<T>& limits) {
      const Factor& factor = kept->factors.front();
      return distance_bound_of_edges(
          n, factor.range(), limits, [&] { return hub; },
          [&](const HostHubDistances<T>& best) {
            const std::vector<std::int32_t> all = vertices_from(0, n);
            const std::vector<std::int32_t> hubs(all.size(), static_cast<std::int32_t>(hub));
            const auto from = factor.distances(hubs, all);
            const auto to = factor.is_symmetric() ? from : factor.distances(all, hubs);
            for (std::size_t v = 0; v < all.size(); ++v) best(v, 0) = from[v], best(v, 1) = to[v];
          });
    };
  source.report.factor_seconds = timer.seconds();
  return source;
}

/// The type of distances over S, as results name it: a type of distances for shortest paths, else the semiring.
template <Semiring S, class T = typename S::value_type>
using OverOf = std::conditional_t<std::is_same_v<S, MinPlus<T>>, T, S>;

/// The purpose of a place.
enum class PlaceFor { rounds, rows_by_elimination };

/// \brief The edges of a graph for the dense method.
template <class T, class ExecSpace>
struct DenseSource {
  /// bound(limits) is that of distance_bound(). It is set only for integers that have a narrower type.
  std::function<std::optional<T>(const std::vector<T>&)> bound;
  /// fill(shares) fills shares with the edges, and returns the range of their weights.
  std::function<WeightRange<T>(const Shares<ExecSpace>&)> fill;
};

/// \brief Chooses the place of a solve, before there is one.
///
/// A planner also has three templates. takes(edges) tells whether elimination takes a view of edges. all_edges(n,
/// edges, direction) returns the edges of all processes, contiguous. dense_source(n, edges, options) returns a
/// DenseSource.
template <class ExecSpace>
class Planner : public Processes {
 public:
  using Space = ExecSpace;

  /// The instances of this process that rows by elimination are made on.
  virtual std::vector<ExecSpace> instances() const = 0;
  virtual std::shared_ptr<const Place<ExecSpace>> place(const Numbers<ExecSpace>& numbers, std::int64_t n,
                                                        PlaceFor task) const = 0;
};

/// \brief Plans the type of a solve.
/// \param narrower  whether a narrower type may be chosen
/// \param bound     bound(limits) is the bound of all distances, if there is a bound below a limit; see
///                  distance_bound()
/// \return the numbers of the type
template <Semiring S, class ExecSpace, class Bound>
const Numbers<ExecSpace>& planned_numbers([[maybe_unused]] bool narrower, [[maybe_unused]] const Bound& bound) {
  using Types = Ladder<S, is_host_space<ExecSpace>>;
  const Numbers<ExecSpace>* chosen = &numbers_in_shares<S, ExecSpace>();
  if constexpr (Types::any)
    if (narrower)
      Types::take(bound(Types::limits()), [&]<class Small>(Small) {
        chosen = &numbers_in_shares<MinPlus<Small>, ExecSpace>();
        return true;
      });
  return *chosen;
}

/// The numbers of the narrowest type that a solve over S may choose.
template <Semiring S, class ExecSpace>
const Numbers<ExecSpace>& least_numbers(bool narrower) {
  return planned_numbers<S, ExecSpace>(narrower, [](const auto&) { return std::optional<typename S::value_type>(0); });
}

/// The range of the weights for a solve in the type of some numbers. (A narrower type is chosen only if no weight is
/// negative and all distances fit. So there is nothing left to check.)
template <Element T, class ExecSpace>
AnyRange range_in(const Numbers<ExecSpace>& numbers, const WeightRange<T>& range) {
  return numbers.type() == entry_type<T> ? AnyRange(range) : AnyRange(WeightRange<T>{0, 0});
}

/// \brief Whether a narrower type may be chosen, and it is worth looking for a bound. Checks, before any array of n
/// elements is allocated, that there is the least memory that the distances may take.
template <Semiring S, class ExecSpace>
bool may_be_narrower(const Planner<ExecSpace>& planner, std::int64_t n, const SolveOptions& options) {
  const bool narrower =
      planner.on_all(Ladder<S, is_host_space<ExecSpace>>::any && options.narrow && n >= narrow_from<ExecSpace>);
  const Numbers<ExecSpace>& least = least_numbers<S, ExecSpace>(narrower);
  Shares<ExecSpace>::require_memory(*planner.place(least, n, PlaceFor::rounds), least);
  return narrower;
}

/// The distances by elimination, if it is requested, or is cheaper than the dense method, and its memory is there.
template <Semiring S, class AnyPlanner, class Edges, class ExecSpace = typename AnyPlanner::Space>
std::optional<Shares<ExecSpace>> eliminated_in_shares(const AnyPlanner& planner, std::int64_t n, const Edges& edges,
                                                      SolveOptions options, bool narrower) {
  using T = typename S::value_type;
  using W = decltype(Edges::non_const_value_type::weight);
  const bool sparse = planner.on_any(options.method == Method::sparse),
             dense = planner.on_any(options.method == Method::dense);
  planner.together([&] {
    if (sparse && dense)
      throw InvalidInput("a rank passes Method::sparse and another one Method::dense, expected the same method");
  });
  options.method = sparse ? Method::sparse : dense ? Method::dense : Method::automatic;
  const auto count = planner.reduced(extent_along(edges, 0), Reduction::sum);
  if (!may_be_sparse<ExecSpace>(n, at(count), options.method)) return {};
  if (!planner.takes(edges)) {
    if (options.method != Method::sparse) return {};
    throw InvalidInput("the view of edges '" + edges.label() + "' is not contiguous, which Method::sparse expects");
  }
  const auto instances = planner.instances();
  SolveReport report;
  auto found =
      eliminated_if_it_fits(n, instances, options, [&](SolveOptions watched) -> std::optional<Shares<ExecSpace>> {
        const auto& every = planner.template all_edges<S>(n, edges, watched.direction);
        std::optional<RowSource<T, ExecSpace>> source;
        planner.together([&] {
          source = eliminated_rows<S>(instances, n, std::span<const Edge<W>>(every.data(), every.size()), watched);
        });
        if (!source) return {};
        const Kokkos::Timer timer;
        report = source->report;
        const auto bound = [&](const std::vector<T>& limits) {
          std::optional<T> least;
          planner.together([&] { least = source->bound(limits); });
          return least;
        };
        const auto& numbers = planned_numbers<S, ExecSpace>(narrower && !source->range.any_negative(), bound);
        Shares<ExecSpace> d(planner.place(numbers, n, PlaceFor::rows_by_elimination), numbers);
        Progress progress;
        if (watched.progress)
          progress = [&](std::int64_t done, std::int64_t all) { watched.progress(n + n * done / all, 2 * n); };
        d.fill_with_rows(entry_type<T>, source->rows, source->at_once, progress);
        report.bits = 8 * static_cast<int>(numbers.type().bytes);
        report.half = source->symmetric;
        report.dense_relaxes = dense_relaxes(n, report.half);
        report.solve_seconds = timer.seconds();
        return d;
      });
  if (found) report_queued(options, report);
  return found;
}

/// The distances of a graph, by the method that costs less.
template <Semiring S, class AnyPlanner, class Edges, class ExecSpace = typename AnyPlanner::Space>
Shares<ExecSpace> solve_in_shares(const AnyPlanner& planner, std::int64_t n, const Edges& edges,
                                  const SolveOptions& options) {
  if (options.report != nullptr) *options.report = {};
  const bool narrower = may_be_narrower<S>(planner, n, options);
  if (auto held = eliminated_in_shares<S>(planner, n, edges, options, narrower)) return std::move(*held);
  const auto source = planner.template dense_source<S>(n, edges, options);
  const auto& numbers = planned_numbers<S, ExecSpace>(narrower, source.bound);
  Shares<ExecSpace> d(planner.place(numbers, n, PlaceFor::rounds), numbers);
  const auto range = source.fill(d);
  d.solve(range_in(numbers, range), options);
  return d;
}

/// The distances of a matrix of weights on the host, by the dense method.
template <Semiring S, class ExecSpace, MatrixView Matrix>
Shares<ExecSpace> solve_matrix_in_shares(const Planner<ExecSpace>& planner, const Matrix& w,
                                         const SolveOptions& options) {
  using T = typename S::value_type;
  using Host = Kokkos::DefaultHostExecutionSpace;
  static_assert(std::is_same_v<typename Matrix::non_const_value_type, T>,
                "blockfw: the matrix's elements are not of the semiring's type");
  require_reachable<Host, Matrix>();
  planner.together([&] { require_square(w); });
  const auto n = extent_along(w, 0);
  planner.require_same({n}, "numbers of vertices");
  planner.require_same({options.direction == Direction::undirected}, "directions");
  planner.together([&] { require_dense(options, planner.name()); });
  if (options.report != nullptr) *options.report = {};
  const bool narrower = may_be_narrower<S>(planner, n, options);
  const WeightsOf<S, Matrix> weights{w, options.direction};
  WeightRange<T> range;
  planner.together([&] {  // each process reads the same number of rows
    const std::int64_t process = planner.process(), count = planner.processes();
    range = read_weights<S>(Host(), weights, IgnoreWeights{}, {n * process / count, n * (process + 1) / count});
  });
  range = planner.reduced(range);
  require_safe_sums<S>(n, range);
  const auto bound = [&](const auto& limits) -> std::optional<T> {  // the bound of any process holds for all
    std::optional<T> found;
    planner.together([&] { found = distance_bound(Host(), weights, range, limits); });
    constexpr T none = std::numeric_limits<T>::max();
    const T least = planner.reduced(found.value_or(none), Reduction::least);
    return least < none ? std::optional(least) : std::nullopt;
  };
  const auto& numbers = planned_numbers<S, ExecSpace>(narrower && !range.any_negative(), bound);
  Shares<ExecSpace> d(planner.place(numbers, n, PlaceFor::rounds), numbers);
  d.fill_from(entry_type<T>, [&](std::int64_t row, std::int64_t column, std::int64_t count, std::byte* entries) {
    for (std::int64_t j = 0; j < count; ++j) reinterpret_cast<T*>(entries)[j] = weights(row, column + j);
  });
  d.solve(range_in(numbers, range), options);
  return d;
}

}  // namespace detail

/// \brief Solved distances in shares, in their type, or in a narrower type that holds them.
///
/// \tparam Matrix     Matrix<Element, ExecSpace> is a matrix of numbers of one type: RowBlocks, or DistributedMatrix,
///                    whose answers are collective
/// \tparam Over       type of the distances, for shortest paths, or a semiring
/// \tparam ExecSpace  the space in which they were solved
template <template <class...> class Matrix, class Over, class ExecSpace>
class Solved : public ShareAnswers<Over, ExecSpace> {
  using Base = ShareAnswers<Over, ExecSpace>;

 protected:
  using typename Base::S, typename Base::T;

 public:
  /// Whether the semiring is that of shortest paths.
  static constexpr bool holds_shortest = std::is_same_v<S, MinPlus<T>>;

  /// \brief Calls f(d) with the matrix that holds the distances. Its type is the type of the distances, or int8 (on
  /// hosts), int16 or int32. The infinity of this type is no path.
  /// \param f  takes a matrix of any of these types, and returns the same type for each: nothing, or a value that can
  ///           be made without arguments
  template <class F>
  auto visit(const F& f) const {
    using Result = decltype(f(std::declval<const Matrix<Over, ExecSpace>&>()));
    const detail::Shares<ExecSpace>& held = this->in_shares();
    std::conditional_t<std::is_void_v<Result>, int, Result> result{};
    const auto take = [&](const auto& d) {
      if constexpr (std::is_void_v<Result>)
        f(d);
      else
        result = f(d);
    };
    const bool narrower = detail::Ladder<S, is_host_space<ExecSpace>>::find([&]<class Small>(Small) {
      if (held.type() != detail::entry_type<Small>) return false;
      take(Matrix<Small, ExecSpace>(held));
      return true;
    });
    if (!narrower) take(Matrix<Over, ExecSpace>(held));
    if constexpr (!std::is_void_v<Result>) return result;
  }

  /// Refused at compile time, since shares keep their size.
  template <class Edges>
  void add_vertex(const Edges&, const TaskOptions& = {}) {
    static_assert(sizeof(Edges) == 0,
                  "blockfw: distances on several devices or ranks keep their number of vertices; add_vertex() of "
                  "updates.hpp takes a matrix on one instance");
  }

 protected:
  /// Takes solved shares.
  explicit Solved(detail::Shares<ExecSpace> held) : Base(std::move(held)) {}
};

}  // namespace blockfw

/// The rows of a graph in a container.
#define BLOCKFW_COMPILED_ROW_SOURCE(LINKAGE, S)                                                                   \
  LINKAGE template std::optional<                                                                                 \
      blockfw::detail::RowSource<blockfw::detail::compiled::Value<S>, blockfw::detail::compiled::Exec>>           \
  blockfw::detail::eliminated_rows<S>(const std::vector<blockfw::detail::compiled::Exec>&, std::int64_t,          \
                                      const std::span<const blockfw::Edge<blockfw::detail::compiled::Value<S>>>&, \
                                      const blockfw::SolveOptions&);

#if defined(BLOCKFW_COMPILED)
BLOCKFW_COMPILED_SHORTEST(BLOCKFW_COMPILED_ROW_SOURCE, extern)
#endif
