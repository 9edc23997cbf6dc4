// SPDX-License-Identifier: MIT
/// \file
/// \brief Converts a caller's vertices to the vertices of a network. These are the same vertices, or the arrivals of a
/// network of roads.
#pragma once

#include "blockfw/detail/backend/memory.hpp"
#include "blockfw/detail/base/arithmetic.hpp"
#include "blockfw/ground/edge.hpp"
#include "blockfw/ground/error.hpp"
#include "blockfw/ground/semiring.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace blockfw::detail {

/// The vertices of some targets, in their order.
struct TargetLists {
  std::vector<std::int32_t> vertices;
  /// Target j has the vertices [first[j], first[j + 1]); empty if each target is one vertex.
  std::vector<std::size_t> first = {};

  /// Whether each target is one vertex.
  bool are_vertices() const { return first.empty(); }

  /// \brief The best entry of a target that is a list of vertices.
  /// \param entry  entry(c) is the entry of vertices[c]
  template <Semiring S, class Entry>
  auto best(std::size_t target, const Entry& entry) const {
    auto found = entry(first[target]);
    for (std::size_t c = first[target] + 1; c < first[target + 1]; ++c) found = S::relax(found, entry(c), S::one());
    return found;
  }
};

/// \brief Converts a caller's vertices to the vertices of a network. In a network of roads a path starts at the free
/// arrival of a vertex, and ends at any arrival.
class ArrivalLists {
 public:
  /// \brief For a network whose vertices are the caller's vertices.
  /// \param n  the number of vertices
  explicit ArrivalLists(std::int64_t n) : vertices_(n) {}
  /// For a network of roads; `first` is Arrivals::first().
  explicit ArrivalLists(const std::vector<std::int32_t>& first)
      : vertices_(static_cast<std::int64_t>(first.size()) - 1),
        first_(std::make_shared<const std::vector<std::int32_t>>(first)) {}

  /// The number of the caller's vertices.
  std::int64_t vertices() const { return vertices_; }
  /// The caller's vertex of a vertex of the network.
  std::int64_t vertex_of(std::int64_t arrival) const {
    return first_ ? std::ranges::upper_bound(*first_, arrival) - first_->begin() - 1 : arrival;
  }

  /// Calls f(). If f throws for a cycle, the error names the caller's vertex.
  template <class F>
  auto by_vertices(const F& f) const {
    if (!first_) return f();
    try {
      return f();
    } catch (const NegativeCycle& cycle) {
      throw NegativeCycle(vertex_of(cycle.vertex));
    } catch (const DivergentCycle& cycle) {
      throw DivergentCycle(vertex_of(cycle.vertex));
    }
  }

  /// \brief The network's vertices of the caller's sources.
  /// \throws InvalidInput for a vertex out of range
  template <class List>
  std::vector<std::int32_t> sources(const List& list) const {
    std::vector<std::int32_t> all = checked_vertices(list, vertices_);
    if (first_)
      for (std::int32_t& v : all) v = (*first_)[at(v)];
    return all;
  }
  /// \brief The network's vertices of the caller's targets.
  /// \throws InvalidInput for a vertex out of range; OutOfMemory
  template <class List>
  TargetLists targets(const List& list) const {
    TargetLists all{checked_vertices(list, vertices_)};
    if (!first_) return all;
    const std::vector<std::int32_t> of = std::exchange(all.vertices, {});
    all.first.push_back(0);
    for (const std::int32_t v : of) all.first.push_back(all.first.back() + at((*first_)[at(v) + 1] - (*first_)[at(v)]));
    // (Twice, since pairs have a source for each of these vertices.)
    require_host_memory("the arrivals of " + std::to_string(of.size()) + " targets",
                        static_cast<double>(all.first.back()) * 2 * sizeof(std::int32_t));
    all.vertices.reserve(all.first.back());
    for (const std::int32_t v : of)
      for (std::int32_t a = (*first_)[at(v)]; a < (*first_)[at(v) + 1]; ++a) all.vertices.push_back(a);
    return all;
  }
  /// All vertices as targets, for whole rows of the network. `vertices` is left empty.
  TargetLists all_targets() const {
    TargetLists all;
    if (first_) all.first.assign(first_->begin(), first_->end());
    return all;
  }

  /// The sources of pairs, one for each vertex of a pair's target.
  static std::vector<std::int32_t> of_pairs(const std::vector<std::int32_t>& sources, const TargetLists& targets) {
    if (targets.are_vertices()) return sources;
    std::vector<std::int32_t> all;
    all.reserve(targets.vertices.size());
    for (std::size_t p = 0; p < sources.size(); ++p)
      all.resize(all.size() + targets.first[p + 1] - targets.first[p], sources[p]);
    return all;
  }

 private:
  std::int64_t vertices_;
  std::shared_ptr<const std::vector<std::int32_t>>
      first_;  ///< where the arrivals of each vertex begin, in a network of roads
};

}  // namespace blockfw::detail
