// SPDX-License-Identifier: MIT
/// \file
/// \brief The neighbours of each vertex, out of a list of edges; regions; and the order of a library that takes them.
#pragma once

#include "blockfw/detail/backend/memory.hpp"
#include "blockfw/detail/base/arithmetic.hpp"
#include "blockfw/detail/loops/threads.hpp"
#include "blockfw/detail/matrices/edge_entries.hpp"
#include "blockfw/ground/edge.hpp"
#include "blockfw/ground/error.hpp"
#include "blockfw/ground/semiring.hpp"

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <ranges>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace blockfw::detail {

/// The neighbours of each vertex, by edges in either direction. The neighbours of vertex v are the entries [first[v],
/// first[v + 1]) of `all`.
struct Neighbours {
  std::vector<std::size_t> first = {0};  ///< an entry for each vertex, and one more
  std::vector<std::int32_t> all;         ///< the neighbours of vertex 0, of vertex 1, ...

  std::size_t vertices() const { return first.size() - 1; }
  std::span<const std::int32_t> of(std::int32_t v) const {
    const std::size_t start = first[static_cast<std::size_t>(v)];
    return {all.data() + start, first[static_cast<std::size_t>(v) + 1] - start};
  }
};

/// \brief For each vertex its neighbours, by edges in either direction: ascending, without repetitions or the vertex
/// itself.
/// \param n      number of vertices
/// \param edges  host container of edges; their weights and directions do not matter
/// \throws InvalidInput, InvalidEdge  for n out of range, a vertex out of range
/// \throws OutOfMemory                if an order of elimination would not fit; thrown before anything is allocated
template <std::ranges::contiguous_range Edges>
Neighbours neighbours_of(std::int64_t n, const Edges& edges) {
  if (n < 0 || n > std::numeric_limits<std::int32_t>::max())
    throw InvalidInput("the number of vertices is " + std::to_string(n) + ", expected 0 to 2^31 - 1");
  // The least bytes that these lists and the search for an order take (minimum_degree.hpp).
  constexpr double bytes_of_vertex = 80, bytes_of_edge = 16;
  const std::size_t count = std::ranges::size(edges);
  require_host_memory(
      "the lists of " + std::to_string(n) + " vertices and " + std::to_string(count) + " edges for an elimination",
      static_cast<double>(n) * bytes_of_vertex + static_cast<double>(count) * bytes_of_edge);

  // A counting sort, each edge in both directions: first[v + 2] counts, then first[v + 1] is where v's next neighbour
  // goes. Each thread reads all edges, and sorts the lists of its own vertices.
  const auto parts = at(std::clamp<std::int64_t>(n / 4096, 1, std::min(16, host_threads())));
  const auto part_of = [&](std::size_t all_of, std::size_t part) { return all_of * part / parts; };
  const auto for_parts = [&](const auto& f) {
    for_host_tasks(static_cast<std::int64_t>(parts), "blockfw::neighbours", [&](std::int64_t task) {
      f(at(task), static_cast<std::int64_t>(part_of(at(n), at(task))),
        static_cast<std::int64_t>(part_of(at(n), at(task) + 1)));
    });
  };
  const auto for_ends = [&](std::int64_t begin, std::int64_t end, const auto& f) {
    for (const auto& edge : edges) {
      if (edge.from == edge.to) continue;
      if (edge.from >= begin && edge.from < end) f(at(edge.from), edge.to);
      if (edge.to >= begin && edge.to < end) f(at(edge.to), edge.from);
    }
  };
  std::vector<std::size_t> first(at(n) + 2, 0), invalid(parts, count), kept(parts, 0);
  for_parts([&](std::size_t part, std::int64_t begin, std::int64_t end) {
    const std::size_t start = part_of(count, part);
    const auto mine = std::span(std::ranges::data(edges), count).subspan(start, part_of(count, part + 1) - start);
    const auto wrong = std::ranges::find_if_not(mine, [&](const auto& edge) { return has_vertices(edge, n); });
    if (wrong != mine.end()) invalid[part] = start + at(wrong - mine.begin());
    for_ends(begin, end, [&](std::size_t v, std::int32_t) { ++first[v + 2]; });
  });
  if (const std::size_t index = std::ranges::min(invalid); index < count)
    throw_invalid_edge<MinPlus<decltype(std::ranges::range_value_t<Edges>::weight)>>(
        view_of(edges), static_cast<std::int64_t>(index), n);
  std::partial_sum(first.begin(), first.end(), first.begin());
  std::vector<std::int32_t> all(first.back());
  std::vector<std::size_t> starts(parts);
  for (std::size_t part = 0; part < parts; ++part) starts[part] = first[part_of(at(n), part) + 1];
  for_parts([&](std::size_t part, std::int64_t begin, std::int64_t end) {
    for_ends(begin, end, [&](std::size_t v, std::int32_t u) { all[first[v + 1]++] = u; });
    std::size_t last = starts[part];
    for (std::size_t v = at(begin), start = last; v < at(end); ++v) {
      const auto mine = std::span(all).subspan(start, first[v + 1] - start);
      start = first[v + 1];
      std::sort(mine.begin(), mine.end());
      last = at(std::unique_copy(mine.begin(), mine.end(), all.data() + last) - all.data());
      first[v + 1] = last;
    }
    kept[part] = last - starts[part];
  });
  first.pop_back();
  // (Repetitions leave gaps between the parts.)
  std::size_t end = kept[0];
  for (std::size_t part = 1; part < parts; ++part) {
    const auto mine = std::span(all).subspan(starts[part], kept[part]);
    if (const std::size_t gap = starts[part] - end; gap > 0) {
      std::ranges::copy(mine, all.data() + end);
      for (std::size_t v = part_of(at(n), part); v < part_of(at(n), part + 1); ++v) first[v + 1] -= gap;
    }
    end += kept[part];
  }
  all.resize(end);
  return {std::move(first), std::move(all)};
}

/// place[order[k]] = k.
inline std::vector<std::int32_t> places_of(const std::vector<std::int32_t>& order) {
  std::vector<std::int32_t> place(order.size());
  for (std::size_t k = 0; k < order.size(); ++k) place[at(order[k])] = static_cast<std::int32_t>(k);
  return place;
}

/// The neighbours where vertex order[k] has the number k.
inline Neighbours renumbered(const Neighbours& neighbours, const std::vector<std::int32_t>& order) {
  const std::vector<std::int32_t> place = places_of(order);
  Neighbours result;
  result.first.reserve(order.size() + 1);
  for (const std::int32_t v : order) result.first.push_back(result.first.back() + neighbours.of(v).size());
  result.all.resize(neighbours.all.size());
  for_host_pieces(order.size(), "blockfw::renumber", [&](std::size_t first, std::size_t end) {
    for (std::size_t k = first; k < end; ++k)
      std::ranges::transform(neighbours.of(order[k]), result.all.data() + result.first[k],
                             [&](std::int32_t v) { return place[at(v)]; });
  });
  return result;
}

/// \brief Parts of a graph: compact, connected where possible, with about the same number of vertices.
struct Regions {
  std::vector<std::int32_t> order;        ///< the vertices, region by region
  std::vector<std::int32_t> first = {0};  ///< region r has order[first[r]] to before order[first[r + 1]]
  std::vector<std::int64_t> entries;      ///< the sizes of the lists of neighbours of a region's vertices, in all
};

/// \brief Grows regions breadth first, all at the same time, from vertices all over the graph. O(n + neighbours).
/// \param size         the mean number of vertices of a region. A graph that is too small for two is one region, and
///                     its vertices keep their order.
/// \param most_degree  vertices with more neighbours are in no region
///
/// Vertices that are near in the graph are near in the order. So a search finds them in the cache.
inline Regions regions_of(const Neighbours& neighbours, std::int32_t size, double most_degree) {
  using Index = std::int32_t;
  constexpr Index unseen = -1, left_out = -2;
  const auto n = static_cast<Index>(neighbours.vertices()), seeds = n / size;
  std::vector<Index> region_of(at(n), unseen), found, count(at(std::max(seeds, 1)), 0);
  Regions result{{}, {0}, std::vector<std::int64_t>(count.size(), 0)};
  found.reserve(at(n));
  const auto take = [&](Index v, std::size_t region) {
    region_of[at(v)] = static_cast<Index>(region);
    ++count[region];
    result.entries[region] += std::ssize(neighbours.of(v));
    found.push_back(v);
  };
  for (Index v = 0; v < n; ++v)
    if (static_cast<double>(neighbours.of(v).size()) > most_degree)
      region_of[at(v)] = left_out;
    else if (seeds < 2)
      take(v, 0);
  for (Index seed = 0; seeds > 1 && seed < seeds; ++seed)
    if (const auto v = static_cast<Index>(std::int64_t{seed} * n / seeds); region_of[at(v)] == unseen)
      take(v, at(seed));
  Index next = 0;
  for (std::size_t k = 0;; ++k) {
    if (k == found.size()) {  // the first vertex of another component
      while (next < n && region_of[at(next)] != unseen) ++next;
      if (next == n) break;
      if (count.size() == at(seeds) || count.back() >= size) {
        count.push_back(0);
        result.entries.push_back(0);
      }
      take(next, count.size() - 1);
    }
    if (k + 12 < found.size()) {  // (Each vertex would wait for the memory three times.)
      __builtin_prefetch(&neighbours.first[at(found[k + 12])]);
      __builtin_prefetch(neighbours.of(found[k + 8]).data());
      for (const Index u : neighbours.of(found[k + 4])) __builtin_prefetch(&region_of[at(u)]);
    }
    const auto mine = at(region_of[at(found[k])]);
    for (const Index u : neighbours.of(found[k]))
      if (region_of[at(u)] == unseen) take(u, mine);
  }
  for (const Index vertices : count) result.first.push_back(result.first.back() + vertices);
  result.order.resize(found.size());
  std::vector<Index> end = result.first;
  for (const Index v : found) result.order[at(end[at(region_of[at(v)])]++)] = v;
  return result;
}

/// The vertices first, first + 1, ...
inline std::vector<std::int32_t> vertices_from(std::int64_t first, std::int64_t count) {
  std::vector<std::int32_t> vertices(at(count));
  std::iota(vertices.begin(), vertices.end(), static_cast<std::int32_t>(first));
  return vertices;
}

/// \brief A caller's order of elimination.
/// \throws InvalidInput for an order that is no permutation of n vertices
inline const std::vector<std::int32_t>& checked_order(std::int64_t n, const std::vector<std::int32_t>& order) {
  if (static_cast<std::int64_t>(order.size()) != n)
    throw InvalidInput("the order of elimination has " + std::to_string(order.size()) + " vertices, expected all " +
                       std::to_string(n));
  std::vector<char> seen(order.size(), 0);
  for (std::size_t k = 0; k < order.size(); ++k) {
    const std::int32_t v = order[k];
    if (v < 0 || v >= n || seen[at(v)]++)
      throw InvalidInput("the order of elimination has vertex " + std::to_string(v) + " at place " + std::to_string(k) +
                         ", expected each from 0 to " + std::to_string(n - 1) + " once");
  }
  return order;
}

/// \brief The order that a library finds.
/// \tparam Index  the integers of the library
/// \param library        name of the library, for messages
/// \param ok, no_memory  its status after success, and when it had too little memory
/// \param find           find(n, first, neighbours, order) calls the library, and returns its status. It may change the
///                       arrays. The neighbours of vertex v are the entries [first[v], first[v + 1]).
/// \throws InvalidInput if Index is too short to count the vertices or their neighbours
/// \throws OutOfMemory, Error  by the status
template <std::signed_integral Index, class Find>
std::vector<std::int32_t> order_by_library(const Neighbours& neighbours, const std::string& library, int ok,
                                           int no_memory, const Find& find) {
  const std::size_t n = neighbours.vertices(), count = neighbours.all.size();
  const std::string graph = std::to_string(n) + " vertices with " + std::to_string(count) + " neighbours in all";
  constexpr auto most = static_cast<std::size_t>(std::numeric_limits<Index>::max());
  if (n + 1 > most || count > most)
    throw InvalidInput("a graph of " + graph + " is too large for " + library + ", whose integers have " +
                       std::to_string(8 * sizeof(Index)) + " bits here");
  // Libraries may refuse a graph without edges. All orders of that graph are equally good.
  if (count == 0) return vertices_from(0, static_cast<std::int64_t>(n));
  std::vector<Index> first(neighbours.first.begin(), neighbours.first.end()),
      all(neighbours.all.begin(), neighbours.all.end()), order(n);
  const int status = find(static_cast<Index>(n), first.data(), all.data(), order.data());
  if (status == no_memory)
    throw OutOfMemory("the order of " + graph + " needs more memory than " + library + " could allocate");
  if (status != ok)
    throw Error(library + " failed to find the order of " + graph + ", its status is " + std::to_string(status));
  return {order.begin(), order.end()};
}

}  // namespace blockfw::detail
