// SPDX-License-Identifier: MIT
/// \file
/// \brief An order of elimination with little fill: approximate minimum degree.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <queue>
#include <utility>
#include <vector>

namespace blockfw::detail {

/// For each vertex its neighbours, either way.
using Neighbours = std::vector<std::vector<std::int32_t>>;

/// \brief Orders the vertices so that each has few neighbours when it is eliminated.
///
/// The graph of what is left is kept as vertices and elements: an element is the set of neighbours of an eliminated
/// vertex, which are all neighbours of each other. An element that another one contains is absorbed. Degrees are upper
/// bounds: the sizes of a vertex's elements, without what they share with the last one. (Amestoy, Davis and Duff, "An
/// approximate minimum degree ordering algorithm", SIAM J. Matrix Anal. Appl. 17, 1996; here without supervariables.)
///
/// \param neighbours  sorted, without repetitions or the vertex itself, symmetric; used up
/// \return the vertices in the order of elimination
inline std::vector<std::int32_t> minimum_degree_order(Neighbours neighbours) {
  using Index = std::int32_t;
  const std::size_t n = neighbours.size();
  const auto at = [](Index i) { return static_cast<std::size_t>(i); };
  Neighbours elements_of(n), members(n);  // the elements that a vertex is in; the vertices of an element
  std::vector<char> eliminated(n, 0), absorbed(n, 0);
  std::vector<std::int64_t> mark(n, -1), seen_at(n, -1), rest(n, 0);
  std::vector<Index> degree(n);
  using Entry = std::pair<Index, Index>;  // an upper bound of the degree, the vertex
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> least;
  for (std::size_t v = 0; v < n; ++v) {
    degree[v] = static_cast<Index>(neighbours[v].size());
    least.push({degree[v], static_cast<Index>(v)});
  }
  std::vector<Index> order;
  order.reserve(n);
  while (order.size() < n) {
    const auto [bound, pivot] = least.top();
    least.pop();
    if (eliminated[at(pivot)] || bound != degree[at(pivot)]) continue;  // (an old entry)
    eliminated[at(pivot)] = 1;
    const auto step = static_cast<std::int64_t>(order.size());
    order.push_back(pivot);

    // The new element: all that the pivot was a neighbour of.
    std::vector<Index>& now = members[at(pivot)];
    const auto add = [&](Index v) {
      if (eliminated[at(v)] || mark[at(v)] == step) return;
      mark[at(v)] = step;
      now.push_back(v);
    };
    for (const Index v : neighbours[at(pivot)]) add(v);
    for (const Index e : elements_of[at(pivot)]) {
      if (absorbed[at(e)]) continue;
      for (const Index v : members[at(e)]) add(v);
      absorbed[at(e)] = 1;
      members[at(e)] = {};
    }
    neighbours[at(pivot)] = {};
    elements_of[at(pivot)] = {};

    // rest[e]: the vertices of an older element that are not in the new one.
    for (const Index v : now)
      for (const Index e : elements_of[at(v)]) {
        if (absorbed[at(e)]) continue;
        if (seen_at[at(e)] != step) {
          seen_at[at(e)] = step;
          rest[at(e)] = static_cast<std::int64_t>(members[at(e)].size());
        }
        --rest[at(e)];
      }
    const auto left = static_cast<std::int64_t>(n - order.size());
    for (const Index v : now) {
      std::int64_t sum = static_cast<std::int64_t>(now.size()) - 1;
      std::erase_if(elements_of[at(v)], [&](Index e) {
        if (absorbed[at(e)]) return true;
        if (rest[at(e)] == 0) {
          absorbed[at(e)] = 1;
          members[at(e)] = {};
          return true;
        }
        sum += rest[at(e)];
        return false;
      });
      std::erase_if(neighbours[at(v)], [&](Index u) { return eliminated[at(u)] || mark[at(u)] == step; });
      sum += static_cast<std::int64_t>(neighbours[at(v)].size());
      elements_of[at(v)].push_back(pivot);
      degree[at(v)] = static_cast<Index>(std::min(sum, left - 1));
      least.push({degree[at(v)], v});
    }
    if (static_cast<std::int64_t>(now.size()) < left || left == 0) continue;
    for (const Index v : now) order.push_back(v);  // what is left is complete: any order will do
  }
  return order;
}

}  // namespace blockfw::detail
