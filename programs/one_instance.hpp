// SPDX-License-Identifier: MIT
// Distances on one instance, in a matrix of its memory.
#pragma once

#include "distances.hpp"
#include "progress.hpp"

#include <Kokkos_Core.hpp>
#include <blockfw/solve.hpp>

#include <cstdint>
#include <functional>
#include <memory>

namespace apsp {

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
