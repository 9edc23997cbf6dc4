// SPDX-License-Identifier: MIT
// Counts the work of RoutingKit's contraction hierarchy for a table, and times its parts: see network_work.hpp.
//
// A row of a table is a search from the source up the hierarchy, and a sweep. The search settles all vertices above the
// source. The sweep goes through all vertices above any target, from the highest to the lowest, and relaxes the arcs
// from vertices above each.
#include <routingkit/constants.h>
#include <routingkit/contraction_hierarchy.h>

#include "network_work.hpp"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace {

using namespace RoutingKit;
using Numbers = std::vector<unsigned>;
using Query = ContractionHierarchyQuery;
using Side = ContractionHierarchy::Side;

template <class F>
double seconds_of(int runs, const F& f) {
  using Clock = std::chrono::steady_clock;
  double least = std::numeric_limits<double>::max();
  for (int run = 0; run < runs; ++run) {
    const Clock::time_point begin = Clock::now();
    f();
    least = std::min(least, std::chrono::duration<double>(Clock::now() - begin).count());
  }
  return least;
}

/// The vertices above some, themselves included, and the arcs up from them.
class Above {
 public:
  explicit Above(const Side& side) : side_(side), seen_(side.first_out.size(), 0) {}

  void find(const Numbers& from) {
    ++turn_;
    arcs = 0;
    list_.clear();
    for (const unsigned v : from) add(v);
    for (std::size_t i = 0; i < list_.size(); ++i) {
      const unsigned v = list_[i];
      for (unsigned a = side_.first_out[v]; a < side_.first_out[v + 1]; ++a, ++arcs) add(side_.head[a]);
    }
    vertices = std::int64_t(list_.size());
  }

  std::int64_t vertices = 0, arcs = 0;

 private:
  void add(unsigned v) {
    if (seen_[v] == turn_) return;
    seen_[v] = turn_;
    list_.push_back(v);
  }

  const Side& side_;
  Numbers seen_, list_;
  unsigned turn_ = 0;
};

}  // namespace

HierarchyWork work_of_routingkit_program(const Graph& graph, const Ints& sources, const Ints& targets, int runs,
                                         double& prepared) {
  HierarchyWork work;
  ContractionHierarchy ch;
  prepared = seconds_of(1, [&] {
    ch = ContractionHierarchy::build(unsigned(graph.n), Numbers(graph.from.begin(), graph.from.end()),
                                     Numbers(graph.to.begin(), graph.to.end()),
                                     Numbers(graph.weight.begin(), graph.weight.end()));
  });
  work.arcs = std::int64_t(ch.forward.head.size() + ch.backward.head.size());

  Above up(ch.forward);
  for (const std::int32_t source : sources) {
    up.find({ch.rank[std::size_t(source)]});
    work.settled += double(up.vertices) / double(sources.size());
    work.searched += double(up.arcs) / double(sources.size());
  }
  Numbers ranks;
  for (const std::int32_t target : targets) ranks.push_back(ch.rank[std::size_t(target)]);
  Above down(ch.backward);
  down.find(ranks);
  work.vertices = down.vertices;
  work.swept = down.arcs;

  const Numbers pinned(targets.begin(), targets.end());
  Query query(ch);
  work.pin = seconds_of(runs, [&] { query.reset().pin_targets(pinned); });
  const auto run_all = [&] {
    for (const std::int32_t source : sources) query.reset_source().add_source(unsigned(source)).run_to_pinned_targets();
  };
  const double both = seconds_of(runs, run_all) / double(sources.size());
  query.reset().pin_targets({});
  work.search = seconds_of(runs, run_all) / double(sources.size());
  work.sweep = both - work.search;

  Numbers d(sources.size() * targets.size());
  work.table = seconds_of(runs, [&] {
    query.reset().pin_targets(pinned);
    auto row = d.begin();
    for (const std::int32_t source : sources) {
      query.reset_source().add_source(unsigned(source)).run_to_pinned_targets().get_distances_to_targets(&*row);
      row += std::ptrdiff_t(targets.size());
    }
  });
  for (const unsigned length : d)
    if (length < inf_weight) work.sum += length;
  return work;
}
