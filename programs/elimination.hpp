// SPDX-License-Identifier: MIT
// Answers by elimination that take no matrix of all distances.
#pragma once

#include "arguments.hpp"
#include "distances.hpp"
#include "progress.hpp"

#include <Kokkos_Core.hpp>
#include <blockfw/io/distances.hpp>
#include <blockfw/sparse.hpp>

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

namespace apsp {

/// The distances of a graph that are printed.
template <class T>
struct Answer {
  std::vector<T> row;    ///< the distances from one vertex, or to one
  Measures<T> measures;  ///< if no row was asked for
  blockfw::SolveReport report;
};

/// \brief Measures of all vertices, or the distances from the vertex that was asked for, by elimination. Or all rows,
/// which are written as they are made.
/// \param output  for --by-rows
/// \return nothing if elimination is not asked for and, as in solve(), costs more than the dense method
template <class S>
std::optional<Answer<typename S::value_type>> answer_without_matrix(
    const Space& exec, const GraphOf<S>& graph, const Arguments& arguments,
    blockfw::io::DistanceOutput<typename S::value_type>* output) {
  using blockfw::Method;
  const Kokkos::Timer analysing;
  const auto method = arguments.measures_only || arguments.by_rows ? Method::sparse : arguments.chosen();
  std::optional<blockfw::SparseAnalysis> analysis;
  try {
    analysis = blockfw::analysis_if_sparse<Space>(graph.vertices, graph.edges, graph.direction, method);
  } catch (const blockfw::OutOfMemory&) {
    if (method == Method::sparse) throw;  // the error of the other method names its memory
  }
  if (!analysis) return {};
  Answer<typename S::value_type> answer;
  const auto n = static_cast<double>(graph.vertices);
  answer.report.bits = 8 * int(sizeof(typename S::value_type));
  answer.report.method = Method::sparse;
  answer.report.separator = analysis->widest();
  answer.report.analysis_seconds = analysing.seconds();

  const Kokkos::Timer eliminating;
  const auto factor = with_names_of(graph, [&] {
    return blockfw::SparseFactor<S, Space>(
        exec, *analysis, graph.edges,
        blockfw::FactorOptions{.direction = graph.direction, .strict_cycles = graph.strict_cycles});
  });
  answer.report.half = factor.is_symmetric();
  answer.report.factor_seconds = eliminating.seconds();

  const Kokkos::Timer sweeping;
  const bool all_rows = arguments.measures_only || arguments.by_rows;
  if (arguments.by_rows) {
    ProgressBar bar("writing");
    factor.for_whole_rows([&](std::int64_t first, const auto& rows) {
      mark_no_path<S>(exec, rows);
      output->append(Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace{}, rows));
      if (bar.wanted()) bar(first + rows.extent_int(0), graph.vertices);
    });
    output->commit();
  } else if (arguments.measures_only) {
    if constexpr (is_shortest<S>) {  // (the arguments were checked)
      ProgressBar bar("measuring");
      answer.measures = measures_of(
          factor.reach(blockfw::Towards::others, bar.wanted() ? blockfw::Progress(std::ref(bar)) : nullptr));
    }
  } else {
    const std::int64_t sources[] = {graph.vertex(arguments.asked_of())};
    answer.row = marked_row<S>(factor.distances_from(sources));
  }
  answer.report.relaxes = analysis->factor_relaxes() + analysis->solve_relaxes() / (all_rows ? 1 : n);
  if (all_rows) answer.report.dense_relaxes = n * n * n * (answer.report.half ? 0.5 : 1);
  answer.report.solve_seconds = sweeping.seconds();
  return answer;
}

#define APSP_ELIMINATION(LINKAGE, ...)                                                                            \
  LINKAGE template std::optional<apsp::Answer<__VA_ARGS__::value_type>> apsp::answer_without_matrix<__VA_ARGS__>( \
      const apsp::Space&, const apsp::GraphOf<__VA_ARGS__>&, const apsp::Arguments&,                              \
      blockfw::io::DistanceOutput<__VA_ARGS__::value_type>*);

}  // namespace apsp

APSP_SEMIRINGS(APSP_ELIMINATION, extern)
