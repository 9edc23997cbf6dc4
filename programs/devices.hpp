// SPDX-License-Identifier: MIT
// Distances on several devices (or groups of a host's threads), each of which holds some rows.
#pragma once

#include "arguments.hpp"
#include "distances.hpp"
#include "one_instance.hpp"
#include "progress.hpp"

#include <Kokkos_Core.hpp>
#include <blockfw/multi_device.hpp>

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

#define APSP_DEVICES(LINKAGE, ...)                                                                                \
  LINKAGE template std::unique_ptr<apsp::Distances<__VA_ARGS__::value_type>> apsp::solve_on_devices<__VA_ARGS__>( \
      int, const apsp::GraphOf<__VA_ARGS__>&, blockfw::Method, blockfw::SolveReport&);

}  // namespace apsp

APSP_SEMIRINGS(APSP_DEVICES, extern)
