// SPDX-License-Identifier: MIT
// Distances in a matrix on the host, solved in little memory of the execution space.
#pragma once

#include "arguments.hpp"
#include "distances.hpp"
#include "progress.hpp"

#include <Kokkos_Core.hpp>
#include <blockfw/edges.hpp>
#include <blockfw/out_of_core.hpp>

#include <cstdint>
#include <functional>
#include <memory>

namespace apsp {

template <class S>
class OutOfCore : public InMatrix<S, Host> {
 public:
  OutOfCore(const Space& exec, const HostMatrix<typename S::value_type>& d, const blockfw::SolveReport& report,
            const blockfw::OutOfCoreStats& stats)
      : InMatrix<S, Host>(Host(), d, report), exec_(exec), stats_(stats) {}

  Work work(double) const override {
    using program::text;
    Work work = work_here(std::is_floating_point_v<typename S::value_type>, exec_, this->report());
    work.steps = {{"  loading", stats_.load_seconds,
                   text("%d chunks of %lld rows in %.2f GB; %.1f GB", stats_.chunks,
                        static_cast<long long>(stats_.chunk_rows), stats_.memory * 1e-9, stats_.loaded * 1e-9)},
                  {"  storing", stats_.store_seconds, text("%.1f GB", stats_.stored * 1e-9)},
                  {"  waiting", stats_.waiting_seconds, "for chunks"}};
    return work;
  }

 private:
  Space exec_;
  blockfw::OutOfCoreStats stats_;
};

/// \brief The ⊕ of all paths.
/// \param memory  bytes of the execution space's
/// \param report  filled in
template <class S>
std::unique_ptr<Distances<typename S::value_type>> solve_in_memory_of(const Space& exec, double memory,
                                                                      const GraphOf<S>& graph,
                                                                      blockfw::SolveReport& report) {
  using T = typename S::value_type;
  const auto d = blockfw::allocate_distances<T>(Host(), graph.vertices);
  const Kokkos::View<const blockfw::Edge<T>*, Kokkos::HostSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>> edges(
      graph.edges.data(), graph.edges.size());
  const auto range = blockfw::fill_from_edges<S>(Host(), d, edges, {.direction = graph.direction});
  blockfw::OutOfCoreOptions options{.solve = {.strict_cycles = graph.strict_cycles, .report = &report},
                                    .memory = memory};
  ProgressBar bar("solving");
  if (bar.wanted())
    options.solve.progress = [&](std::int64_t done, std::int64_t all) {
      if (done > 0) bar(done, all);
    };
  const auto stats = with_names_of(graph, [&] {
    blockfw::detail::require_no_cycle_of_edge<S>(edges, range, graph.direction);
    // (It is the memory that the arguments name, too little or more than there is.)
    return with_arguments<blockfw::OutOfMemory>([&] { return blockfw::solve_out_of_core<S>(exec, d, range, options); });
  });
  return std::make_unique<OutOfCore<S>>(exec, d, report, stats);
}

#define APSP_OUT_OF_CORE(LINKAGE, ...)                                                                              \
  LINKAGE template std::unique_ptr<apsp::Distances<__VA_ARGS__::value_type>> apsp::solve_in_memory_of<__VA_ARGS__>( \
      const apsp::Space&, double, const apsp::GraphOf<__VA_ARGS__>&, blockfw::SolveReport&);

}  // namespace apsp

APSP_SEMIRINGS(APSP_OUT_OF_CORE, extern)
