// SPDX-License-Identifier: MIT
// Counts the work of RoutingKit's contraction hierarchy for a table, and times its parts: see network_peers.hpp.
//
// A row of a table is a search from the source up the hierarchy, and a sweep. The search settles all vertices above the
// source. The sweep goes through all vertices above any target, from the highest to the lowest, and relaxes the arcs
// from vertices above each.
#include <routingkit/constants.h>
#include <routingkit/contraction_hierarchy.h>

#include "network_peers.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <vector>

namespace {

using namespace RoutingKit;
using Numbers = std::vector<unsigned>;
using Query = ContractionHierarchyQuery;
using Side = ContractionHierarchy::Side;

/// The time of f(s) for a source s, on average. Each few sources count with their least time of some runs.
template <class F>
double seconds_of_source(int runs, std::size_t sources, const F& f) {
  constexpr std::size_t few = 50;
  double sum = 0;
  std::vector<double> least((sources + few - 1) / few, std::numeric_limits<double>::max());
  for (int run = 0; run < runs; ++run)
    for (std::size_t part = 0; part < least.size(); ++part)
      least[part] = std::min(least[part], seconds_of(1, [&] {
                               for (std::size_t s = part * few; s < std::min(sources, (part + 1) * few); ++s) f(s);
                             }));
  for (const double seconds : least) sum += seconds;
  return sum / double(sources);
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

/// The vertices of a sweep in its order, and their arcs one after another.
struct Sweep {
  Numbers vertex, first, head, weight;
};

Sweep sweep_of(const Side& side, const Numbers& vertices) {
  Sweep sweep{vertices, {0}, {}, {}};
  for (const unsigned v : vertices) {
    for (unsigned a = side.first_out[v]; a < side.first_out[v + 1]; ++a) {
      sweep.head.push_back(side.head[a]);
      sweep.weight.push_back(side.weight[a]);
    }
    sweep.first.push_back(unsigned(sweep.head.size()));
  }
  return sweep;
}

/// \brief The loop of RoutingKit's sweep.
/// \param start  the distance of each vertex by the search
/// \param from   distances that are read
/// \param to     distances that are written: the same, or others
/// \param best   the arc to each vertex
/// \tparam Arcs  whether to keep these arcs; without, no branch depends on a distance
template <bool Arcs>
void run_sweep(const Sweep& sweep, const unsigned* start, const unsigned* from, unsigned* to, unsigned* best) {
  for (std::size_t i = 0; i < sweep.vertex.size(); ++i) {
    const unsigned v = sweep.vertex[i];
    unsigned distance = start[v], arc = invalid_id;
    for (unsigned a = sweep.first[i]; a < sweep.first[i + 1]; ++a) {
      const unsigned length = from[sweep.head[a]] + sweep.weight[a];
      if (!Arcs) {
        distance = std::min(distance, length);
      } else if (length < distance) {
        distance = length;
        arc = a;
      }
    }
    to[v] = distance;
    if (Arcs) best[v] = arc;
  }
}

/// Times sweeps in other forms, of some sources in turn.
void time_forms(const ContractionHierarchy& ch, const Numbers& pinned, const Ints& sources, int runs,
                HierarchyWork& work) {
  Query query(ch);
  query.pin_targets(pinned);
  const auto select = query.backward_tentative_distance.begin();  // (where it lists the vertices of the sweep)
  const Numbers vertices(select, select + std::ptrdiff_t(query.shortest_path_meeting_node));
  query.reset().pin_targets({});
  const std::size_t some = std::min<std::size_t>(16, sources.size());
  std::vector<Numbers> starts(some, Numbers(std::size_t(ch.node_count()), inf_weight)), found = starts;
  Numbers best(ch.node_count()), other(ch.node_count());
  const Sweep sweep = sweep_of(ch.backward, vertices);
  const auto time = [&](auto* run, bool apart) {
    return seconds_of_source(runs, sources.size(), [&](std::size_t s) {
      run(sweep, starts[s % some].data(), found[s % some].data(), apart ? other.data() : found[s % some].data(),
          best.data());
    });
  };
  for (std::size_t s = 0; s < some; ++s) {
    query.reset_source().add_source(unsigned(sources[s])).run_to_pinned_targets();
    for (unsigned v = 0; v < ch.node_count(); ++v)
      if (query.was_forward_pushed.is_set(v)) starts[s][v] = query.forward_tentative_distance[v];
    found[s] = starts[s];
  }
  work.compact = time(run_sweep<true>, false);
  work.without_arcs = time(run_sweep<false>, false);
  work.apart = time(run_sweep<false>, true);
  for (std::size_t s = 0; s < some; ++s) {  // (the first two forms give the distances)
    Numbers d(pinned.size());
    if (s == 0) query.reset().pin_targets(pinned);
    query.reset_source().add_source(unsigned(sources[s])).run_to_pinned_targets().get_distances_to_targets(d.data());
    for (std::size_t t = 0; t < pinned.size(); ++t)
      if (std::min(d[t], inf_weight) != std::min(found[s][ch.rank[pinned[t]]], inf_weight))
        throw std::runtime_error("a sweep in another form gave another distance");
  }
}

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
  const auto run = [&](std::size_t s) {
    query.reset_source().add_source(unsigned(sources[s])).run_to_pinned_targets();
  };
  const double both = seconds_of_source(runs, sources.size(), run);
  Numbers d(sources.size() * targets.size());
  work.table = work.pin + double(sources.size()) * seconds_of_source(runs, sources.size(), [&](std::size_t s) {
                            run(s);
                            query.get_distances_to_targets(&d[s * targets.size()]);
                          });
  query.reset().pin_targets({});
  work.search = seconds_of_source(runs, sources.size(), run);
  work.sweep = both - work.search;
  for (const unsigned length : d)
    if (length < inf_weight) work.sum += length;
  time_forms(ch, pinned, sources, runs, work);
  return work;
}
