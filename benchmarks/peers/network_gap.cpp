// SPDX-License-Identifier: MIT
// The answer of the GAP Benchmark Suite's delta-stepping to one question of network_peers.hpp: one source to all
// vertices.

// (Its source file is a program, and has a type of the name of ours.)
#define main main_of_gap
#define Graph GraphWithoutLengths
#include <sssp.cc>
#undef Graph
#undef main

#include "network_peers.hpp"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

namespace {

static_assert(kDistInf >= unreached, "");

class Gap final : public Program {
 public:
  explicit Gap(const Graph& graph) : gap_(of(graph)), n_(graph.n) {
    const double sum = std::accumulate(graph.weight.begin(), graph.weight.end(), 0.);
    mean_ = std::max(1, std::int32_t(sum / double(graph.weight.size())));
  }

  std::vector<std::string> columns() const override { return {"GAP"}; }

  Ways ways(const Question& q) override {
    if (q.what != Asked::row_by_row) return {};
    const std::int32_t delta = best_delta(q.sources);
    return {{"GAP", "delta " + std::to_string(delta), [&, this, delta](Answer& a) {
               for (const std::int32_t source : q.sources) {
                 const auto found = DeltaStep(gap_, source, delta);
                 std::copy_n(found.begin(), n_, a.distances.begin());
               }
             }}};
  }

 private:
  /// The arcs are sorted by their tails, as GAP wants them.
  static WGraph of(const Graph& graph) {
    const std::size_t n = std::size_t(graph.n), m = graph.from.size();
    auto* const arcs = new WNode[m];
    auto** const first = new WNode*[n + 1];
    std::size_t a = 0;
    for (std::size_t v = 0; v <= n; ++v) {
      while (a < m && std::size_t(graph.from[a]) < v) ++a;
      first[v] = arcs + a;
    }
    for (a = 0; a < m; ++a) arcs[a] = WNode(graph.to[a], graph.weight[a]);
    if (graph.symmetric) return WGraph(graph.n, first, arcs);
    return WGraph(graph.n, first, arcs, nullptr, nullptr);  // (It only searches along the arcs.)
  }

  /// The mean length times a power of two, with which one of a few sources takes the least time. Deltas are no longer
  /// tried once one takes twice as long as the best.
  std::int32_t best_delta(const Ints& sources) const {
    using Clock = std::chrono::steady_clock;
    std::int32_t best = mean_;
    Clock::duration least = Clock::duration::max();
    for (std::int64_t delta = mean_; delta <= std::min<std::int64_t>(mean_ * 1024LL, unreached / 4); delta *= 2) {
      Clock::duration mine = Clock::duration::max();
      for (std::size_t s = 0; s < std::min<std::size_t>(2, sources.size()); ++s) {
        const Clock::time_point begin = Clock::now();
        DeltaStep(gap_, sources[s], WeightT(delta));
        mine = std::min(mine, Clock::now() - begin);
      }
      if (mine < least) {
        least = mine;
        best = std::int32_t(delta);
      } else if (mine / 2 > least) {
        break;
      }
    }
    return best;
  }

  WGraph gap_;
  std::int32_t n_, mean_ = 1;
};

}  // namespace

std::unique_ptr<Program> gap_program(const Graph& graph) { return std::make_unique<Gap>(graph); }
