// SPDX-License-Identifier: MIT
// Solved distances, wherever they are, and the answers that apsp wants of them. Those on one instance are here, those
// in other places have headers of their own. solves.cpp compiles them once for each place; all else sees this
// interface.
#pragma once

#include "graph.hpp"
#include "program.hpp"
#include "progress.hpp"

#include <Kokkos_Core.hpp>
#include <blockfw/edges.hpp>
#include <blockfw/ground/error.hpp>
#include <blockfw/ground/semiring.hpp>
#include <blockfw/measures.hpp>
#include <blockfw/solve.hpp>

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

/// Calls DO(LINKAGE, S) for every semiring of the programs, but or-and, which has its own class. LINKAGE is extern for
/// a declaration, and empty for the definition.
#define APSP_SEMIRINGS(DO, LINKAGE)           \
  DO(LINKAGE, blockfw::MinPlus<std::int32_t>) \
  DO(LINKAGE, blockfw::MinPlus<std::int64_t>) \
  DO(LINKAGE, blockfw::MinPlus<float>)        \
  DO(LINKAGE, blockfw::MinPlus<double>)       \
  DO(LINKAGE, blockfw::MaxPlus<std::int32_t>) \
  DO(LINKAGE, blockfw::MaxMin<std::int32_t>)  \
  DO(LINKAGE, blockfw::MinMax<std::int32_t>)  \
  DO(LINKAGE, blockfw::MaxPlus<double>)       \
  DO(LINKAGE, blockfw::MaxMin<double>)        \
  DO(LINKAGE, blockfw::MinMax<double>)        \
  DO(LINKAGE, blockfw::MaxTimes<double>)

/// The same of every type.
#define APSP_TYPES(DO, LINKAGE) \
  DO(LINKAGE, std::int32_t)     \
  DO(LINKAGE, std::int64_t)     \
  DO(LINKAGE, float)            \
  DO(LINKAGE, double)

namespace apsp {

using Space = Kokkos::DefaultExecutionSpace;
using Host = Kokkos::DefaultHostExecutionSpace;
template <class T>
using HostMatrix = blockfw::DistanceMatrix<T, Host>;
/// The graph that a semiring's distances are of.
template <class S>
using GraphOf = Graph<typename S::value_type>;

template <class S>
inline constexpr bool is_shortest = std::is_same_v<S, blockfw::MinPlus<typename S::value_type>>;

/// The numbers of the summary.
template <class T>
struct Measures {
  double paths = 0;                      ///< the number of pairs that have a path
  std::vector<blockfw::Reach<T>> reach;  ///< of all vertices; only of shortest paths
};

/// A line of --stats.
struct Step {
  const char* name;
  double seconds;
  std::string remark;
};

/// How a dense solve was done.
struct Work {
  double limit = 0;                      ///< of all that took part, in relaxes a second
  const char* whose = "this machine's";  ///< limit that is
  std::string how;                       ///< the type, and where
  std::vector<Step> steps;
};

/// \brief Solved distances in some place. No path is infinity<T>, but 0 where weights are probabilities. On ranks, all
/// call each function together, and rank 0 has the answer.
template <class T>
class Distances {
 public:
  Distances() = default;
  Distances(const Distances&) = delete;
  Distances& operator=(const Distances&) = delete;
  virtual ~Distances() = default;

  /// The distances from a vertex, without memory for distances from other vertices.
  virtual std::vector<T> from(std::int64_t vertex) const = 0;
  /// The same without memory for distances on the host.
  virtual Measures<T> measures() const = 0;
  /// The whole matrix.
  virtual HostMatrix<T> on_host() const = 0;
  /// \param seconds  that the solve took
  virtual Work work(double seconds) const = 0;
};

template <class ExecSpace, class View, class T = typename View::value_type>
void replace(const ExecSpace& exec, const View& d, T old, T with) {
  const auto n = static_cast<std::int64_t>(d.extent(1)), entries = static_cast<std::int64_t>(d.size());
  Kokkos::parallel_for(
      "replace", Kokkos::RangePolicy<ExecSpace, Kokkos::IndexType<std::int64_t>>(exec, 0, entries),
      KOKKOS_LAMBDA(std::int64_t e) {
        if (d(e / n, e % n) == old) d(e / n, e % n) = with;
      });
  exec.fence("replace");
}

/// No path is infinity<T> (0 where weights are probabilities).
template <class S, class ExecSpace, class View>
void mark_no_path(const ExecSpace& exec, const View& d) {
  using T = typename S::value_type;
  if constexpr (S::zero() < T(0)) replace(exec, d, S::zero(), blockfw::infinity<T>);
}

/// The only row of a matrix, marked so.
template <class S, class View>
std::vector<typename S::value_type> marked_row(const View& rows) {
  mark_no_path<S>(typename View::execution_space(), rows);
  const auto on_host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace{}, rows);
  return {on_host.data(), on_host.data() + on_host.size()};
}

/// The number of pairs that have a path, in some rows.
template <class S, class ExecSpace, class View>
double count_paths(const ExecSpace& exec, const View& d) {
  using T = typename S::value_type;
  const auto n = static_cast<std::int64_t>(d.extent(1)), rows = static_cast<std::int64_t>(d.extent(0));
  std::int64_t paths = 0;
  Kokkos::parallel_reduce(
      "count", Kokkos::RangePolicy<ExecSpace, Kokkos::IndexType<std::int64_t>>(exec, 0, rows * n),
      KOKKOS_LAMBDA(std::int64_t e, std::int64_t& count) {
        const T there = d(e / n, e % n);
        if (there != S::zero() && there < blockfw::infinity<T>) ++count;
      },
      paths);
  return static_cast<double>(paths);
}

/// The measures of shortest paths.
template <class T>
Measures<T> measures_of(std::vector<blockfw::Reach<T>> reach) {
  double paths = 0;
  for (const auto& r : reach) paths += static_cast<double>(r.vertices);
  return {paths, std::move(reach)};
}

/// \brief Distances in a matrix that `exec` reaches.
/// \tparam S  the semiring
template <class S, class ExecSpace = Space>
class InMatrix : public Distances<typename S::value_type> {
 public:
  using T = typename S::value_type;
  using Matrix = blockfw::DistanceMatrix<T, ExecSpace>;

  /// \param report  of the solve
  InMatrix(const ExecSpace& exec, const Matrix& d, const blockfw::SolveReport& report)
      : exec_(exec), d_(d), report_(report) {
    mark_no_path<S>(exec, d);
  }

  std::vector<T> from(std::int64_t vertex) const override {
    return marked_row<S>(Kokkos::create_mirror_view_and_copy(
        Kokkos::HostSpace{}, Kokkos::subview(d_, Kokkos::pair(vertex, vertex + 1), Kokkos::ALL)));
  }
  Measures<T> measures() const override {
    if constexpr (is_shortest<S>)
      return measures_of(blockfw::reach(exec_, d_));
    else
      return {count_paths<S>(exec_, d_), {}};
  }
  HostMatrix<T> on_host() const override { return Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace{}, d_); }

 protected:
  const blockfw::SolveReport& report() const { return report_; }

 private:
  ExecSpace exec_;
  Matrix d_;
  blockfw::SolveReport report_;
};

/// Whether a bar is worth it: on a device, calls of progress keep rounds from overlapping, so only graphs that take
/// several seconds get one.
inline bool bar_is_worth_it(std::int64_t vertices) {
  return ProgressBar::wanted() && (blockfw::is_host_space<Space> || vertices > 50'000);
}

/// Calls f() and returns its result; its errors name vertices as the file does.
template <class T, class F>
std::invoke_result_t<F> with_names_of(const Graph<T>& graph, const F& f) {
  try {
    return f();
  } catch (const blockfw::NegativeCycle& error) {
    if (error.other >= 0) throw blockfw::NegativeCycle(graph.name(error.vertex), graph.name(error.other));
    throw blockfw::NegativeCycle(graph.name(error.vertex));
  } catch (const blockfw::DivergentCycle& error) {
    if (error.other >= 0) throw blockfw::DivergentCycle(graph.name(error.vertex), graph.name(error.other));
    throw blockfw::DivergentCycle(graph.name(error.vertex));
  }
}

/// \brief The limit of the type that a solve worked in, on several devices or groups of threads, with its description.
/// \param real  whether that type is float or double
Work work_here(bool real, const Space& exec, const blockfw::SolveReport& report, int shares = 1);
/// That limit of one instance, in relaxes a second.
double limit_here(bool real, const Space& exec, const blockfw::SolveReport& report);

/// Distances on one instance, in a matrix of its memory.
template <class S>
class OnInstance : public InMatrix<S> {
 public:
  OnInstance(const Space& exec, const typename InMatrix<S>::Matrix& d, const blockfw::SolveReport& report)
      : InMatrix<S>(exec, d, report), exec_(exec) {}

  Work work(double seconds) const override {
    Work work = work_here(std::is_floating_point_v<typename S::value_type>, exec_, this->report());
    const double first = PhaseClock::phase(1), second = PhaseClock::phase(2);
    work.steps = {{"  phase 1", first, "in launches of its own"},
                  {"  phase 2", second, "in launches of its own"},
                  {"  phase 3", seconds - first - second, "and all else"}};
    return work;
  }

 private:
  Space exec_;
};

/// \brief The ⊕ of all paths.
/// \param report  filled in
template <class S>
std::unique_ptr<Distances<typename S::value_type>> solve_on_instance(const Space& exec, const GraphOf<S>& graph,
                                                                     blockfw::Method method,
                                                                     blockfw::SolveReport& report) {
  blockfw::SolveOptions options{
      .direction = graph.direction, .method = method, .strict_cycles = graph.strict_cycles, .report = &report};
  ProgressBar bar("solving");
  if (bar.wanted()) options.progress = std::ref(bar);
  const auto d = with_names_of(graph, [&] { return blockfw::solve<S>(exec, graph.vertices, graph.edges, options); });
  return std::make_unique<OnInstance<S>>(exec, d, report);
}

/// 1 where a path leads, infinity where none does.
std::unique_ptr<Distances<std::int32_t>> reachability(const Space& exec, const Graph<std::int32_t>& graph);

#define APSP_ONE_INSTANCE(LINKAGE, ...)                                                                            \
  LINKAGE template std::unique_ptr<apsp::Distances<__VA_ARGS__::value_type>> apsp::solve_on_instance<__VA_ARGS__>( \
      const apsp::Space&, const apsp::GraphOf<__VA_ARGS__>&, blockfw::Method, blockfw::SolveReport&);

}  // namespace apsp

APSP_SEMIRINGS(APSP_ONE_INSTANCE, extern)
