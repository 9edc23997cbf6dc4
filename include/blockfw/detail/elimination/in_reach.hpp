// SPDX-License-Identifier: MIT
/// \file
/// \brief The vertices within a limit of a vertex.
#pragma once

#include "blockfw/detail/elimination/factor.hpp"
#include "blockfw/detail/elimination/place.hpp"
#include "blockfw/detail/elimination/row_products.hpp"
#include "blockfw/detail/elimination/vertex_labels.hpp"
#include "blockfw/detail/graph/supernodes.hpp"
#include "blockfw/detail/loops/threads.hpp"
#include "blockfw/detail/matrices/selected_of_rows.hpp"
#include "blockfw/detail/plan/finish.hpp"
#include "blockfw/ground/answers.hpp"
#include "blockfw/ground/error.hpp"
#include "blockfw/ground/semiring.hpp"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <new>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace blockfw::detail {

/// \brief Finds the vertices within a limit of one vertex after another.
///
/// The search goes down the tree from the root. A subtree is left out if its whole boundary is beyond the limit, as all
/// paths into the subtree pass its boundary. With negative weights nothing is left out.
template <Semiring S>
class InReach {
  using T = typename S::value_type;

 public:
  /// The structure and the numbers must outlive this object.
  explicit InReach(const HostFactor<S>& factor)
      : structure_(factor.structure),
        values_(factor.values.of(Sweep::from)),
        start_(factor.values.start),
        labels_(factor),
        finish_(factor.finish()),
        own_(factor.sets_own()),
        prune_(!factor.range.any_negative()),
        distances_(at(structure_.longest_path)) {}

  /// Calls f(vertex, distance) for each vertex at a distance of at most the limit from number k.
  template <class F>
  void find(std::int32_t k, T limit, const F& f) {
    labels_.template make<Sweep::from>(k, label_);
    auto root = structure_.owner[at(k)];
    while (structure_.supernodes[at(root)].parent >= 0) root = structure_.supernodes[at(root)].parent;
    const std::int64_t first = structure_.supernodes[at(root)].subtree_first();
    for (std::int32_t s = root; s >= 0 && structure_.supernodes[at(s)].first >= first;) {
      const Supernode& node = structure_.supernodes[at(s)];
      const std::int64_t below = node.subtree_first();
      const bool above = below <= k && k < node.last;  // above number k, or its own
      boundary_.clear();
      T nearest = S::zero();
      for (const std::int32_t position : node.positions) {
        boundary_.push_back(distances_[at(position)]);
        nearest = std::min(nearest, boundary_.back());
      }
      if (!above && prune_ && !(nearest <= limit)) {
        s = below > 0 ? structure_.owner[at(below - 1)] : -1;
        continue;
      }
      const std::size_t b = boundary_.size();
      const T* const ways = values_.ways + start_[at(s)].ways;
      for (std::int32_t i = 0; i < node.width(); ++i) {
        T distance = RowProducts<S>::meet(b, boundary_.data(), ways + at(i) * b);
        if (above) distance = S::relax(distance, label_.entries[at(node.depth + i)], S::one());
        distances_[at(node.depth + i)] = distance;
        if (!(distance <= limit)) continue;
        const std::int32_t number = node.first + i;
        distance = number == k && own_ ? S::one() : finish_.marked(distance);
        if (distance <= limit) f(structure_.order[at(number)], distance);
      }
      --s;
    }
  }

 private:
  template <class I>
  static std::size_t at(I i) {
    return static_cast<std::size_t>(i);
  }

  const Elimination& structure_;
  SweepValues<T> values_;
  const std::vector<FactorStart>& start_;
  VertexLabels<S> labels_;
  Finish<S> finish_;
  bool own_, prune_;
  typename VertexLabels<S>::Label label_;
  std::vector<T> distances_, boundary_;  ///< by the position on a path; of a boundary
};

/// \brief Calls f(search, r) for the sources [begin, end), on a host's threads.
/// \throws OutOfMemory if f throws std::bad_alloc
template <Semiring S, class Host, class F>
void for_searches(const Host& exec, const HostFactor<S>& factor, std::size_t begin, std::size_t end, const F& f) {
  require_vectors();
  const std::size_t workers = std::min(end - begin, static_cast<std::size_t>(exec.concurrency()));
  std::atomic<std::size_t> next = begin;
  std::atomic<bool> full = false;
  for_tasks(exec, static_cast<std::int64_t>(workers), "blockfw::within", [&](std::int64_t) {
    try {
      InReach<S> search(factor);
      for (std::size_t r; (r = next++) < end;) f(search, r);
    } catch (const std::bad_alloc&) {  // (a task must not throw)
      full = true;
      next = end;
    }
  });
  if (full) throw OutOfMemory("the vertices within the limit of " + std::to_string(end) + " vertices do not fit");
}

/// \brief Searches from the first sources, or from all. The rows of the other sources take less time.
/// \param sources  numbers of the order of elimination
/// \param f        f(search, r) searches from sources[r], and returns the number of vertices found
/// \return the number of sources that are done; 0 on a device
/// \throws OutOfMemory
///
/// A search that finds all vertices takes 3 times as long as a row (measured: 62,500 vertices, two cores). So a few
/// sources are searched first. If they find a third of all vertices, or a negative weight makes searches see all, the
/// rows of the others are made.
template <class Place, class F>
std::size_t search_sources([[maybe_unused]] const Place& place, const std::vector<std::int32_t>& sources,
                           [[maybe_unused]] const F& f) {
  if constexpr (!Place::searches) {
    return 0;
  } else {
    constexpr std::size_t few = 8;
    const auto factor = place.on_host();
    const bool many = sources.size() > 2 * few;
    if (many && factor.range.any_negative()) return 0;
    std::atomic<std::int64_t> found = 0;
    const std::size_t first = many ? few : sources.size();
    for_searches(place.exec(), factor, 0, first, [&](auto& search, std::size_t r) { found += f(search, r); });
    if (3 * found > static_cast<std::int64_t>(first) * factor.vertices()) return first;
    for_searches(place.exec(), factor, first, sources.size(), f);
    return sources.size();
  }
}

/// \brief A limit of distances, less than infinity<T>.
/// \throws InvalidInput for a NaN
template <class T>
T checked_limit(T limit) {
  if (limit != limit) throw InvalidInput("the limit is NaN, expected a number");
  return std::min(limit, longest_finite<T>);
}

/// \brief The vertices within a limit of each source.
/// \param sources  numbers of the order of elimination
/// \param limit    less than infinity<T>
/// \throws OutOfMemory
template <class Place, class T = typename Place::T>
VerticesInReach<T> vertices_in_reach(const Place& place, const std::vector<std::int32_t>& sources, T limit) {
  std::vector<std::vector<std::pair<std::int32_t, T>>> lists(sources.size());
  const std::size_t searched = search_sources(place, sources, [&](auto& search, std::size_t r) {
    auto& list = lists[r];
    search.find(sources[r], limit, [&](std::int32_t vertex, T distance) { list.push_back({vertex, distance}); });
    std::sort(list.begin(), list.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    return static_cast<std::int64_t>(list.size());
  });
  VerticesInReach<T> found;
  for (std::size_t r = 0; r < searched; ++r) {
    for (const auto& [vertex, distance] : lists[r]) {
      found.vertices.push_back(vertex);
      found.distances.push_back(distance);
    }
    found.first.push_back(static_cast<std::int64_t>(found.vertices.size()));
    lists[r] = {};
  }
  for_rows_from(place, {sources.begin() + static_cast<std::ptrdiff_t>(searched), sources.end()},
                place.rows_of_table(place.structure().order.size()),
                [&](std::size_t, const auto& rows) { append_within(place.exec(), rows, limit, found); });
  return found;
}

}  // namespace blockfw::detail
