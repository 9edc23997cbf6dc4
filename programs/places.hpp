// SPDX-License-Identifier: MIT
// Other places of one process than one instance. Several devices, or groups of a host's threads, hold some rows each. A
// matrix on the host is solved in little memory of the execution space.
#pragma once

#include "arguments.hpp"
#include "distances.hpp"
#include "progress.hpp"

#include <Kokkos_Core.hpp>
#include <blockfw/edges.hpp>
#include <blockfw/multi_device.hpp>
#include <blockfw/out_of_core.hpp>

#include <cstdint>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

namespace apsp {

/// \tparam S  the semiring
template <class S>
class OnDevices : public Distances<typename S::value_type> {
  using T = typename S::value_type;

 public:
  /// Solves. \param report  filled in
  OnDevices(int count, const Graph<T>& graph, blockfw::Method method, blockfw::SolveReport& report)
      : devices_(with_arguments<blockfw::InvalidInput>([&] { return blockfw::Devices<Space>(count); })),
        solved_(solved(devices_.list(), graph, method, report)),
        report_(report) {}

  std::vector<T> from(std::int64_t vertex) const override {
    const std::int64_t sources[] = {vertex};
    return marked_row<S>(solved_.distances_from(sources));
  }
  Measures<T> measures() const override {
    if constexpr (is_shortest<S>) {
      return measures_of(solved_.reach());
    } else {
      Measures<T> measures;
      solved_.visit([&](const auto& d) {
        for (int s = 0; s < d.shares(); ++s) measures.paths += count_paths<S>(d.exec(s), d.view(s));
      });
      return measures;
    }
  }
  HostMatrix<T> on_host() const override {
    const auto all = blockfw::allocate_distances<T>(Host(), solved_.vertices());
    solved_.copy_to(all);
    mark_no_path<S>(Host(), all);
    return all;
  }
  Work work(double) const override {
    return work_here(std::is_floating_point_v<T>, devices_.list()[0], report_, solved_.shares());
  }

 private:
  using Solved = decltype(blockfw::solve<S>(std::declval<const std::vector<Space>&>(), 0,
                                            std::declval<const std::vector<blockfw::Edge<T>>&>()));

  static Solved solved(const std::vector<Space>& devices, const Graph<T>& graph, blockfw::Method method,
                       blockfw::SolveReport& report) {
    blockfw::SolveOptions options{
        .direction = graph.direction, .method = method, .strict_cycles = graph.strict_cycles, .report = &report};
    ProgressBar bar("solving");
    if (bar_is_worth_it(graph.vertices)) options.progress = std::ref(bar);
    return with_names_of(graph, [&] { return blockfw::solve<S>(devices, graph.vertices, graph.edges, options); });
  }

  blockfw::Devices<Space> devices_;
  Solved solved_;
  blockfw::SolveReport report_;
};

/// \brief The ⊕ of all paths, on `count` devices.
/// \param report  filled in
template <class S>
std::unique_ptr<Distances<typename S::value_type>> solve_on_devices(int count, const GraphOf<S>& graph,
                                                                    blockfw::Method method,
                                                                    blockfw::SolveReport& report) {
  return std::make_unique<OnDevices<S>>(count, graph, method, report);
}

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

#define APSP_DEVICES(LINKAGE, ...)                                                                                \
  LINKAGE template std::unique_ptr<apsp::Distances<__VA_ARGS__::value_type>> apsp::solve_on_devices<__VA_ARGS__>( \
      int, const apsp::GraphOf<__VA_ARGS__>&, blockfw::Method, blockfw::SolveReport&);
#define APSP_OUT_OF_CORE(LINKAGE, ...)                                                                              \
  LINKAGE template std::unique_ptr<apsp::Distances<__VA_ARGS__::value_type>> apsp::solve_in_memory_of<__VA_ARGS__>( \
      const apsp::Space&, double, const apsp::GraphOf<__VA_ARGS__>&, blockfw::SolveReport&);

}  // namespace apsp

APSP_SEMIRINGS(APSP_DEVICES, extern)
APSP_SEMIRINGS(APSP_OUT_OF_CORE, extern)
