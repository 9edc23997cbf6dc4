// SPDX-License-Identifier: MIT
// The answers of RoutingKit's contraction hierarchies (CH), customizable contraction hierarchies (CCH) and Dijkstra to
// the questions of network_peers.hpp.
#include <routingkit/constants.h>
#include <routingkit/contraction_hierarchy.h>
#include <routingkit/customizable_contraction_hierarchy.h>
#include <routingkit/dijkstra.h>
#include <routingkit/inverse_vector.h>
#include <routingkit/nested_dissection.h>

#include <omp.h>
#include "network_peers.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <numeric>
#include <string>
#include <unordered_map>
#include <vector>

namespace {

using namespace RoutingKit;
using Numbers = std::vector<unsigned>;
using CH = ContractionHierarchy;
using CHQuery = ContractionHierarchyQuery;
using CCH = CustomizableContractionHierarchy;
using CCHQuery = CustomizableContractionHierarchyQuery;
using Metric = CustomizableContractionHierarchyMetric;
static_assert(inf_weight >= unsigned(unreached), "");

std::size_t index(std::int64_t i) { return static_cast<std::size_t>(i); }
Numbers numbers(const Ints& list) { return Numbers(list.begin(), list.end()); }
unsigned* entries(std::int32_t* d) { return reinterpret_cast<unsigned*>(d); }

/// Calls f(query, row) for each row, dealt to the threads. Each thread has a copy of the query, whose targets may be
/// pinned.
template <class Query, class F>
void for_rows(const Query& query, std::size_t rows, const F& f) {
#pragma omp parallel
  {
    thread_local Query mine;  // (its memory is kept from call to call)
    mine = query;
#pragma omp for schedule(dynamic, 4)
    for (std::size_t row = 0; row < rows; ++row) f(mine, row);
  }
}

template <class Query, class Hierarchy>
Query pinned(const Hierarchy& hierarchy, const Numbers& targets) {
  Query query(hierarchy);
  query.pin_targets(targets);
  return query;
}

/// Rows of the distances from each source to all pinned targets.
template <class Query>
void write_rows(const Query& query, const Ints& sources, std::size_t targets, std::int32_t* d) {
  for_rows(query, sources.size(), [&](Query& mine, std::size_t row) {
    mine.reset_source().add_source(unsigned(sources[row])).run_to_pinned_targets();
    mine.get_distances_to_targets(entries(d) + row * targets);
  });
}

/// The distances from the query's sources to all pinned targets. Each thread has one such row.
const Numbers& row_of(CHQuery& query, std::size_t targets) {
  thread_local Numbers row;
  row.resize(targets);
  query.run_to_pinned_targets().get_distances_to_targets(row.data());
  return row;
}

template <class Query>
std::int32_t distance_of_pair(Query& query, const Question& q, std::size_t p) {
  query.reset().add_source(unsigned(q.sources[p])).add_target(unsigned(q.targets[p]));
  return std::int32_t(query.run().get_distance());
}

template <class Query, class Hierarchy>
void write_one_by_one(const Hierarchy& hierarchy, const Question& q, Ints& d) {
  Query query(hierarchy);
  for (std::size_t p = 0; p < q.sources.size(); ++p) d[p] = distance_of_pair(query, q, p);
}

/// A way from a row to a vertex of a hierarchy, or from a vertex to a column.
struct Leg {
  std::size_t place;
  unsigned vertex, length;
};

/// A table of rows and columns with any number of legs each; finish(row, its entries) ends a row.
template <class F>
void write_table_of_legs(const CH& ch, const std::vector<std::vector<Leg>>& rows, std::size_t columns,
                         const std::vector<Leg>& legs, std::int32_t* d, const F& finish) {
  Numbers targets;
  for (const Leg& leg : legs) targets.push_back(leg.vertex);
  for_rows(pinned<CHQuery>(ch, targets), rows.size(), [&](CHQuery& query, std::size_t r) {
    query.reset_source();
    for (const Leg& leg : rows[r]) query.add_source(leg.vertex, leg.length);
    const Numbers& row = row_of(query, legs.size());
    std::int32_t* const mine = d + r * columns;
    std::fill_n(mine, columns, unreached);
    for (std::size_t k = 0; k < legs.size(); ++k)
      if (row[k] < inf_weight) mine[legs[k].place] = std::min(mine[legs[k].place], int(row[k] + legs[k].length));
    finish(r, mine);
  });
}

class RoutingKitPrograms final : public Program {
 public:
  RoutingKitPrograms(const Graph& graph, bool hierarchies)
      : graph_(graph),
        hierarchies_(hierarchies),
        n_(unsigned(graph.n)),
        tail_(numbers(graph.from)),
        head_(numbers(graph.to)),
        weight_(numbers(graph.weight)),
        first_out_(invert_vector(tail_, n_)) {}

  std::vector<std::string> columns() const override {
    if (!hierarchies_) return {"Dijkstra"};
    return {"CH", "CCH", "Dijkstra"};
  }

  Ways ways(const Question& q) override {
    if (!hierarchies_) return without_hierarchies(q);
    if (ch_.rank.empty() && q.what != Asked::preparation) build();
    switch (q.what) {
      case Asked::preparation:
        return {{"CH", "", [this](Answer&) { build(); }}};
      case Asked::order:
        if (graph_.latitude.empty()) return {};
        return {{"CCH", "", [this](Answer&) { find_order(); }}};
      case Asked::new_weights:
        customize();
        new_weight_ = numbers(q.weights);
        return {{"CCH", "", [this](Answer&) { customize_anew(); },
                 [&, this](Answer& a) { write_one_by_one<CCHQuery>(new_metric_, q, a.distances); }}};
      case Asked::one_by_one:
        customize();
        return {{"CH", "", [&, this](Answer& a) { write_one_by_one<CHQuery>(ch_, q, a.distances); }},
                {"CCH", "", [&, this](Answer& a) { write_one_by_one<CCHQuery>(metric_, q, a.distances); }}};
      case Asked::pairs:
        return {{"CH", "", [&, this](Answer& a) {
                   for_rows(CHQuery(ch_), q.sources.size(),
                            [&](CHQuery& query, std::size_t p) { a.distances[p] = distance_of_pair(query, q, p); });
                 }}};
      case Asked::table:
        return table(q);
      case Asked::row_by_row:
        pin_all();
        return {{"CH", "all targets pinned",
                 [&, this](Answer& a) {
                   for (const std::int32_t source : q.sources) {
                     all_pinned_->reset_source().add_source(unsigned(source)).run_to_pinned_targets();
                     all_pinned_->get_distances_to_targets(entries(a.distances.data()));
                   }
                 }},
                row_by_row(q)};
      case Asked::rows:
        pin_all();
        return {{"CH", "all targets pinned",
                 [&, this](Answer& a) { write_rows(*all_pinned_, q.sources, n_, a.distances.data()); }},
                rows(q)};
      case Asked::matrix:
        return {{"CH", "", [this](Answer& a) {
                   build();
                   pin_all();
                   Ints everyone(n_);
                   std::iota(everyone.begin(), everyone.end(), 0);
                   write_rows(*all_pinned_, everyone, n_, a.distances.data());
                 }}};
      case Asked::points:
        return {{"CH", "", [&, this](Answer& a) { write_points(q, a.distances.data()); }}};
      case Asked::turns:
        return {{"CH", "of the graph of arcs", [&, this](Answer&) { build_by_turns(q.turns); }}};
      case Asked::table_by_turns:
        if (ch_by_turns_.rank.empty()) build_by_turns(q.turns);
        return {{"CH", "of the graph of arcs", [&, this](Answer& a) { write_table_by_turns(q, a.distances.data()); }}};
      case Asked::nearest:
        return {{"CH", "by a table", [&, this](Answer& a) { write_nearest(q, a.distances.data()); }}};
      case Asked::sums_within:
        return {sums_within(q)};
    }
    return {};
  }

 private:
  Ways without_hierarchies(const Question& q) {
    if (q.what == Asked::row_by_row) return {row_by_row(q)};
    if (q.what == Asked::rows) return {rows(q)};
    if (q.what == Asked::sums_within) return {sums_within(q)};
    return {};
  }
  Way row_by_row(const Question& q) {
    search_ = std::make_unique<Dijkstra>(first_out_, tail_, head_);
    return {"Dijkstra", "", [&, this](Answer& a) {
              for (const std::int32_t source : q.sources) write_row(*search_, source, a.distances.data());
            }};
  }
  Way rows(const Question& q) {
    return {"Dijkstra", "", [&, this](Answer& a) {
              for_searches(q.sources.size(), [&](Dijkstra& search, std::size_t row) {
                write_row(search, q.sources[row], a.distances.data() + row * n_);
              });
            }};
  }
  Way sums_within(const Question& q) {
    return {"Dijkstra", "", [&, this](Answer& a) { write_sums_within(q, a.sums.data()); }};
  }

  void build() { ch_ = CH::build(n_, tail_, head_, weight_); }
  void pin_all() {
    Numbers targets(n_);
    std::iota(targets.begin(), targets.end(), 0u);
    all_pinned_ = std::make_unique<CHQuery>(pinned<CHQuery>(ch_, targets));
  }

  void find_order() {
    order_ = graph_.latitude.empty() ? numbers(graph_.order)
                                     : compute_nested_node_dissection_order_using_inertial_flow(
                                           n_, tail_, head_, graph_.latitude, graph_.longitude);
  }
  void customize() {
    if (cch_) return;
    if (order_.empty()) find_order();
    cch_ = std::make_unique<CCH>(order_, tail_, head_);
    parallel_ = CustomizableContractionHierarchyParallelization(*cch_);
    metric_ = Metric(*cch_, weight_);
    metric_.customize();
  }
  void customize_anew() {
    new_metric_.reset(*cch_, new_weight_);
    if (const int threads = omp_get_max_threads(); threads > 1)
      parallel_.customize(new_metric_, unsigned(threads));
    else
      new_metric_.customize();
  }

  Ways table(const Question& q) {
    Ways ways{{"CH", "", [&, this](Answer& a) {
                 write_rows(pinned<CHQuery>(ch_, numbers(q.targets)), q.sources, q.targets.size(), a.distances.data());
               }}};
    if (q.targets.size() > 2000) return ways;  // (CCH takes many seconds)
    customize();
    ways.push_back({"CCH", "", [&, this](Answer& a) {
                      write_rows(pinned<CCHQuery>(metric_, numbers(q.targets)), q.sources, q.targets.size(),
                                 a.distances.data());
                    }});
    return ways;
  }

  /// Calls f(search, row) for each row, dealt to the threads.
  template <class F>
  void for_searches(std::size_t rows, const F& f) {
#pragma omp parallel
    {
      Dijkstra search(first_out_, tail_, head_);
#pragma omp for schedule(dynamic, 4)
      for (std::size_t row = 0; row < rows; ++row) f(search, row);
    }
  }
  void write_row(Dijkstra& search, std::int32_t source, std::int32_t* d) {
    std::fill_n(d, n_, unreached);
    search.reset().add_source(unsigned(source));
    while (!search.is_finished()) {
      const auto settled = search.settle(ScalarGetWeight(weight_));
      d[settled.node] = std::int32_t(settled.distance);
    }
  }
  void write_sums_within(const Question& q, double* sums) {
    for_searches(n_, [&](Dijkstra& search, std::size_t v) {
      double* const mine = sums + v * q.limits.size();
      std::fill_n(mine, q.limits.size(), 0.);
      search.reset().add_source(unsigned(v));
      while (!search.is_finished()) {
        const auto settled = search.settle(ScalarGetWeight(weight_));
        if (settled.distance > unsigned(q.limits.back())) break;
        for (std::size_t l = 0; l < q.limits.size(); ++l)
          if (settled.distance <= unsigned(q.limits[l])) mine[l] += q.values[settled.node];
      }
    });
  }

  void write_nearest(const Question& q, std::int32_t* d) {
    const std::size_t count = index(q.count);
    for_rows(pinned<CHQuery>(ch_, numbers(q.targets)), n_, [&](CHQuery& query, std::size_t v) {
      query.reset_source().add_source(unsigned(v));
      Numbers nearest(count, inf_weight);
      const Numbers& row = row_of(query, q.targets.size());
      std::partial_sort_copy(row.begin(), row.end(), nearest.begin(), nearest.end());
      for (std::size_t k = 0; k < count; ++k)
        d[v * count + k] = nearest[k] <= unsigned(q.limits[0]) ? std::int32_t(nearest[k]) : unreached;
    });
  }

  /// A place leads to the head of its arc, and is reached from the tail; or from a place before it on the same arc.
  void write_points(const Question& q, std::int32_t* d) {
    std::vector<std::vector<Leg>> from(index(q.count));
    std::vector<Leg> to;
    std::vector<std::vector<Place>> of_point(index(q.count));
    std::unordered_map<std::int32_t, std::vector<Place>> on_arc;
    for (const Place& place : q.places) {
      const std::size_t arc = index(place.arc), point = index(place.point);
      from[point].push_back({point, head_[arc], weight_[arc] - unsigned(place.position)});
      to.push_back({point, tail_[arc], unsigned(place.position)});
      of_point[point].push_back(place);
      on_arc[place.arc].push_back(place);
    }
    write_table_of_legs(ch_, from, index(q.count), to, d, [&](std::size_t point, std::int32_t* row) {
      for (const Place& place : of_point[point])
        for (const Place& other : on_arc.find(place.arc)->second)
          if (other.position >= place.position)
            row[other.point] = std::min(row[other.point], other.position - place.position);
    });
  }

  /// A hierarchy of the graph whose vertices are the arcs, and whose arcs are the allowed turns.
  void build_by_turns(const std::vector<ForbiddenTurn>& turns) {
    Numbers from, to, length, forbidden(tail_.size(), invalid_id);
    for (const ForbiddenTurn& turn : turns) forbidden[index(turn.from)] = unsigned(turn.to);
    for (unsigned a = 0; a < tail_.size(); ++a) {
      const unsigned first = first_out_[head_[a]], end = first_out_[head_[a] + 1];
      const bool dead_end =
          std::all_of(head_.begin() + first, head_.begin() + end, [&](unsigned next) { return next == tail_[a]; });
      for (unsigned b = first; b < end; ++b)
        if ((head_[b] != tail_[a] || dead_end) && forbidden[a] != b)
          from.push_back(a), to.push_back(b), length.push_back(weight_[b]);
    }
    ch_by_turns_ = CH::build(unsigned(tail_.size()), from, to, length);
    arriving_.assign(n_, {});
    for (unsigned a = 0; a < tail_.size(); ++a) arriving_[head_[a]].push_back(a);
  }
  void write_table_by_turns(const Question& q, std::int32_t* d) {
    std::vector<std::vector<Leg>> from(q.sources.size());
    std::vector<Leg> to;
    for (std::size_t row = 0; row < q.sources.size(); ++row)
      for (unsigned a = first_out_[index(q.sources[row])]; a < first_out_[index(q.sources[row]) + 1]; ++a)
        from[row].push_back({row, a, weight_[a]});
    for (std::size_t column = 0; column < q.targets.size(); ++column)
      for (const unsigned a : arriving_[index(q.targets[column])]) to.push_back({column, a, 0});
    write_table_of_legs(ch_by_turns_, from, q.targets.size(), to, d, [&](std::size_t row, std::int32_t* mine) {
      for (std::size_t column = 0; column < q.targets.size(); ++column)
        if (q.targets[column] == q.sources[row]) mine[column] = 0;
    });
  }

  const Graph& graph_;
  bool hierarchies_;
  unsigned n_;
  Numbers tail_, head_, weight_, first_out_;
  CH ch_, ch_by_turns_;
  std::unique_ptr<CHQuery> all_pinned_;
  Numbers order_, new_weight_;
  std::unique_ptr<CCH> cch_;
  CustomizableContractionHierarchyParallelization parallel_;
  Metric metric_, new_metric_;
  std::unique_ptr<Dijkstra> search_;
  std::vector<Numbers> arriving_;
};

}  // namespace

std::unique_ptr<Program> routingkit_programs(const Graph& graph, bool hierarchies) {
  return std::make_unique<RoutingKitPrograms>(graph, hierarchies);
}
