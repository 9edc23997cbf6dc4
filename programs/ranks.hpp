// SPDX-License-Identifier: MIT
// Distances on ranks of MPI, each of which holds a share. Rank 0 has the graph, and gets the answers.
#pragma once

#include "arguments.hpp"
#include "distances.hpp"
#include "progress.hpp"

#include <Kokkos_Core.hpp>
#include <blockfw/distributed.hpp>

#include <mpi.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

namespace apsp {

/// The ranks of a program, as run() takes them.
class Ranks {
 public:
  Ranks() : ranks_(MPI_COMM_WORLD) {}

  bool one_instance() const { return false; }
  const blockfw::Communicator& all_ranks() const { return ranks_; }
  bool first() const { return ranks_.rank() == 0; }

  template <class F>
  void all(const F& f) const {
    blockfw::detail::together(ranks_, f);
  }
  template <class F>
  void alone(const F& f) const {
    std::exception_ptr of_arguments;  // (the others get it without that mark)
    try {
      all([&] {
        if (first()) try {
            f();
          } catch (const WrongArgument&) {
            of_arguments = std::current_exception();
            throw;
          }
      });
    } catch (const blockfw::Error&) {
      if (of_arguments) std::rethrow_exception(of_arguments);
      throw;
    }
  }
  template <class X>
  X shared(X x) const {
    blockfw::detail::require_mpi(MPI_Bcast(&x, sizeof x, MPI_BYTE, 0, ranks_.get()), "sending a choice");
    return x;
  }

  /// A segment of the edges: each rank gets about as many.
  template <class T>
  struct Segment {
    std::vector<blockfw::Edge<T>> edges;
    std::int64_t first;  ///< the number of the first
  };
  /// Sends each rank its segment of the edges that rank 0 has.
  template <class T>
  Segment<T> segment(const std::vector<blockfw::Edge<T>>& edges) const {
    using Edge = blockfw::Edge<T>;
    const auto count = shared(static_cast<std::int64_t>(edges.size()));
    const auto start = [&](int rank) { return count * rank / ranks_.size(); };
    const auto of = [&](int rank) { return static_cast<std::size_t>(start(rank + 1) - start(rank)) * sizeof(Edge); };
    Segment<T> mine{{}, start(ranks_.rank())};
    all([&] { mine.edges.resize(of(ranks_.rank()) / sizeof(Edge)); });
    if (first()) std::copy_n(edges.begin(), mine.edges.size(), mine.edges.begin());
    for (int rank = 1; rank < ranks_.size(); ++rank)
      blockfw::detail::in_mpi_ranges(of(rank), [&](std::size_t byte, int bytes) {
        if (first())
          blockfw::detail::require_mpi(MPI_Send(reinterpret_cast<const char*>(edges.data() + start(rank)) + byte, bytes,
                                                MPI_BYTE, rank, 0, ranks_.get()),
                                       "sending edges");
        if (ranks_.rank() == rank)
          blockfw::detail::require_mpi(MPI_Recv(reinterpret_cast<char*>(mine.edges.data()) + byte, bytes, MPI_BYTE, 0,
                                                0, ranks_.get(), MPI_STATUS_IGNORE),
                                       "sending edges");
      });
    return mine;
  }

 private:
  blockfw::Communicator ranks_;
};

/// Distances that rank 0 has, as the other ranks know them.
template <class T>
class OnRank0 : public Distances<T> {
 public:
  std::vector<T> from(std::int64_t) const override { return {}; }
  Measures<T> measures() const override { return {}; }
  HostMatrix<T> on_host() const override { return {}; }
  Work work(double) const override { return {}; }
};

template <class S>
class OnRanks : public Distances<typename S::value_type> {
  using T = typename S::value_type;

 public:
  /// Solves. \param graph  on rank 0; \param report  filled in
  OnRanks(const Ranks& ranks, const Graph<T>& graph, blockfw::Method method, blockfw::SolveReport& report)
      : ranks_(ranks), solved_(solved(ranks, graph, method, report)), report_(report) {}

  std::vector<T> from(std::int64_t vertex) const override {
    const std::int64_t sources[] = {vertex};
    return marked_row<S>(solved_.distances_from(sources));
  }
  Measures<T> measures() const override {
    if constexpr (is_shortest<S>) {
      return measures_of(solved_.reach());
    } else {
      const double here = solved_.visit([](const auto& d) { return count_paths<S>(d.exec(), d.local()); });
      return {ranks_.all_ranks().reduce(here, MPI_SUM), {}};
    }
  }
  HostMatrix<T> on_host() const override {
    const auto all = solved_.gather();
    mark_no_path<S>(Host(), all);
    return all;
  }
  Work work(double) const override {
    constexpr bool real = std::is_floating_point_v<T>;
    const Space exec;
    const auto grid = solved_.visit([](const auto& d) { return d.grid(); });
    const double limit = ranks_.all_ranks().reduce(limit_here(real, exec, report_), MPI_SUM);
    return {limit,
            "these ranks'",
            program::type_of<real>(report_) + program::text(", %d x %d ranks", grid.rows, grid.columns) +
                (blockfw::is_host_space<Space> ? program::text(" of %d threads", exec.concurrency())
                                               : program::text(", %s", Space::name())),
            {}};
  }

 private:
  using Solved = decltype(blockfw::solve<S>(MPI_Comm(), 0, std::declval<const std::vector<blockfw::Edge<T>>&>()));

  static Solved solved(const Ranks& ranks, const Graph<T>& graph, blockfw::Method method,
                       blockfw::SolveReport& report) {
    Graph<T> facts;  // all but the edges
    facts.vertices = ranks.shared(graph.vertices);
    facts.first_vertex = ranks.shared(graph.first_vertex);
    facts.kept = graph.kept;  // of rank 0, which prints errors
    facts.direction = ranks.shared(graph.direction);
    facts.strict_cycles = graph.strict_cycles;  // (it is enough that rank 0 says so)
    const auto mine = ranks.segment(graph.edges);
    blockfw::SolveOptions options{.direction = facts.direction,
                                  .method = ranks.shared(method),
                                  .strict_cycles = facts.strict_cycles,
                                  .report = &report};
    ProgressBar bar("solving");
    if (ranks.first() && bar_is_worth_it(facts.vertices)) options.progress = std::ref(bar);
    return with_names_of(facts, [&] {
      return blockfw::solve<S>(ranks.all_ranks().get(), facts.vertices, mine.edges,
                               blockfw::RankOptions{.solve = options, .first_edge = mine.first});
    });
  }

  const Ranks& ranks_;
  Solved solved_;
  blockfw::SolveReport report_;
};

/// \brief The ⊕ of all paths.
/// \param ranks   must outlive the result
/// \param graph   on rank 0
/// \param report  filled in
template <class S>
std::unique_ptr<Distances<typename S::value_type>> solve_on_ranks(const Ranks& ranks, const GraphOf<S>& graph,
                                                                  blockfw::Method method,
                                                                  blockfw::SolveReport& report) {
  return std::make_unique<OnRanks<S>>(ranks, graph, method, report);
}

#define APSP_RANKS(LINKAGE, ...)                                                                                \
  LINKAGE template std::unique_ptr<apsp::Distances<__VA_ARGS__::value_type>> apsp::solve_on_ranks<__VA_ARGS__>( \
      const apsp::Ranks&, const apsp::GraphOf<__VA_ARGS__>&, blockfw::Method, blockfw::SolveReport&);

}  // namespace apsp

APSP_SEMIRINGS(APSP_RANKS, extern)
