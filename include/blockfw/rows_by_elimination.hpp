// SPDX-License-Identifier: MIT
/// \file
/// \brief Rows of distances by elimination, for shares on several devices or ranks.
#pragma once

#include "blockfw/detail/backend/compiled.hpp"
#include "blockfw/detail/backend/workspace.hpp"
#include "blockfw/detail/plan/hub_of_edges.hpp"
#include "blockfw/distances.hpp"
#include "blockfw/ground/edge.hpp"
#include "blockfw/ground/error.hpp"
#include "blockfw/ground/matrix.hpp"
#include "blockfw/ground/options.hpp"
#include "blockfw/ground/semiring.hpp"
#include "blockfw/ground/spaces.hpp"
#include "blockfw/ground/weights.hpp"
#include "blockfw/solve.hpp"
#include "blockfw/sparse.hpp"

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <numeric>
#include <optional>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

namespace blockfw::detail {

/// \brief Makes rows of the distances of a graph. Shares of any numbers take them, so this is compiled once.
template <class T, class ExecSpace>
class RowSource {
 public:
  virtual ~RowSource() = default;

  /// \brief The distances from some vertices, where the share's instance works. Shares may call it at the same time.
  /// \param share  the index of the instance
  virtual DistanceMatrix<T, ExecSpace> rows(std::size_t share, const std::vector<std::int32_t>& sources) const = 0;

  /// A bound of all distances, if there is a bound below a limit; see distance_bound().
  virtual std::optional<T> bound(const std::vector<T>& limits) const = 0;

  /// The number of rows to ask for at once.
  virtual std::int64_t at_once() const = 0;

  SolveReport report;      ///< the parts that are known before the rows are made
  bool symmetric = false;  ///< whether the distances are the same in both directions
  WeightRange<T> range;    ///< of the weights
};

/// \brief Rows by a factor for each device. On hosts all shares have the same factor.
template <Semiring S, class ExecSpace>
class EliminatedRows final : public RowSource<typename S::value_type, ExecSpace> {
 public:
  using T = typename S::value_type;

  template <class W>
  EliminatedRows(const std::vector<ExecSpace>& instances, SparseAnalysis&& analysis, std::span<const Edge<W>> edges,
                 const SolveOptions& options)
      : analysis_(std::move(analysis)), hub_(static_cast<std::int32_t>(find_hub_of_edges(view_of(edges)).first)) {
    const std::int64_t n = analysis_.vertices(),
                       count = is_host_space<ExecSpace> ? 1 : static_cast<std::int64_t>(instances.size());
    std::int64_t made = 0;  // factors
    FactorOptions how{options.direction, {}, options.strict_cycles};
    if (options.progress)
      how.progress = [&](std::int64_t done, std::int64_t) { options.progress((made * n + done) / count, 2 * n); };
    if constexpr (is_host_space<ExecSpace>) {
      const SparseFactor<S, ExecSpace> shared(default_instance<ExecSpace>(), analysis_, edges, how);
      for (const ExecSpace& exec : instances) factors_.push_back(shared.on(exec));
    } else {
      for (const ExecSpace& exec : instances) {
        factors_.emplace_back(exec, analysis_, edges, how);
        ++made;
      }
    }
    this->symmetric = factors_.front().is_symmetric();
    this->range = factors_.front().range();
  }

  DistanceMatrix<T, ExecSpace> rows(std::size_t share, const std::vector<std::int32_t>& sources) const override {
    return factors_[share].distances_from(sources);
  }

  std::int64_t at_once() const override { return static_cast<std::int64_t>(factors_.front().rows_at_once()); }

  std::optional<T> bound(const std::vector<T>& limits) const override {
    if constexpr (std::is_same_v<S, MinPlus<T>> && std::is_integral_v<T>) {
      const SparseFactor<S, ExecSpace>& factor = factors_.front();
      const auto n = static_cast<std::size_t>(analysis_.vertices());
      return distance_bound_of_edges(
          analysis_.vertices(), factor.range(), limits, [&] { return std::int64_t{hub_}; },
          [&](const HostHubDistances<T>& best) {
            std::vector<std::int32_t> all(n);
            std::iota(all.begin(), all.end(), std::int32_t{0});
            const std::vector<std::int32_t> hubs(n, hub_);
            const auto from = factor.distances(hubs, all);
            const auto to = factor.is_symmetric() ? from : factor.distances(all, hubs);
            for (std::size_t v = 0; v < n; ++v) best(v, 0) = from[v], best(v, 1) = to[v];
          });
    } else {
      return {};
    }
  }

 private:
  SparseAnalysis analysis_;
  std::int32_t hub_;  ///< the vertex whose distances bound all others
  std::vector<SparseFactor<S, ExecSpace>> factors_;
};

/// \brief The rows of a graph by elimination, if elimination is requested, or is cheaper.
/// \param instances  of the shares of this process
/// \param edges      all edges, on the host. They are needed for this call only.
/// \return null if the dense method is to be used
/// \throws as SparseAnalysis and SparseFactor
template <Semiring S, class ExecSpace, class W>
std::unique_ptr<RowSource<typename S::value_type, ExecSpace>> eliminated_rows(const std::vector<ExecSpace>& instances,
                                                                              std::int64_t n,
                                                                              const std::span<const Edge<W>>& edges,
                                                                              const SolveOptions& options) {
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
  auto rows = std::make_unique<EliminatedRows<S, ExecSpace>>(instances, std::move(*analysis), edges, options);
  report.factor_seconds = timer.seconds();
  rows->report = report;
  return rows;
}

/// \brief Takes elimination, or nothing if its memory is not there and Method::sparse does not ask for it.
/// \param options    as the caller has passed them
/// \param instances  whose kept memory is freed before another method is taken
/// \param eliminate  eliminate(options) returns the matrix with its report, or nothing. The options have no
///                   `meanwhile`, which is called here.
/// \throws an exception of the caller's progress as it is
template <class Held, class ExecSpace, class Eliminate>
std::optional<Held> eliminated_if_it_fits(const SolveOptions& options, const std::vector<ExecSpace>& instances,
                                          const Eliminate& eliminate) {
  bool stopped = false;  // by options.progress, which may throw any exception
  SolveOptions watched = options;
  watched.meanwhile = {};
  if (options.progress)
    watched.progress = [&](std::int64_t done, std::int64_t all) {
      stopped = true;  // unless progress returns
      options.progress(done, all);
      stopped = false;
    };
  std::optional<std::pair<Held, SolveReport>> found;
  bool lacks_memory = false;
  try {
    found = eliminate(watched);
  } catch (const OutOfMemory&) {
    if (stopped || options.method == Method::sparse) throw;
    lacks_memory = true;
  } catch (const std::bad_alloc&) {  // a lack of memory that no check foresaw
    if (stopped) throw;
    if (options.method == Method::sparse) throw OutOfMemory("the elimination needs more memory than is available");
    lacks_memory = true;
  }
  if (lacks_memory)
    for (const ExecSpace& exec : instances) Workspace<ExecSpace>::forget(exec);
  if (!found) return {};
  report_queued(options, found->second);
  return std::move(found->first);
}

}  // namespace blockfw::detail

/// The rows of a graph in a container.
#define BLOCKFW_COMPILED_ROW_SOURCE(LINKAGE, S)                                                                   \
  LINKAGE template std::unique_ptr<                                                                               \
      blockfw::detail::RowSource<blockfw::detail::compiled::Value<S>, blockfw::detail::compiled::Exec>>           \
  blockfw::detail::eliminated_rows<S>(const std::vector<blockfw::detail::compiled::Exec>&, std::int64_t,          \
                                      const std::span<const blockfw::Edge<blockfw::detail::compiled::Value<S>>>&, \
                                      const blockfw::SolveOptions&);

#if defined(BLOCKFW_COMPILED)
BLOCKFW_COMPILED_SHORTEST(BLOCKFW_COMPILED_ROW_SOURCE, extern)
#endif
