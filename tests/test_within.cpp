// SPDX-License-Identifier: MIT
// Vertices within short limits, against Dijkstra's search: limits just below, at and just above a distance.
#include "graphs.hpp"
#include "nearest_and_within.hpp"
#include "sparse_graphs.hpp"

#include "blockfw/network.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <queue>
#include <type_traits>
#include <utility>
#include <vector>

namespace {

using Host = Kokkos::DefaultHostExecutionSpace;
template <class T>
using Net = blockfw::Network<blockfw::MinPlus<T>>;

/// The distances from a vertex, by Dijkstra's search. Weights are not negative.
std::vector<std::int64_t> search(const Graph& g, std::int32_t source) {
  std::vector<std::vector<std::pair<std::int32_t, std::int64_t>>> leaving(static_cast<std::size_t>(g.n));
  for (const auto& e : g.edges)
    leaving[static_cast<std::size_t>(e.from)].push_back({static_cast<std::int32_t>(e.to), e.weight});
  std::vector<std::int64_t> distance(leaving.size(), std::numeric_limits<std::int64_t>::max());
  using Reached = std::pair<std::int64_t, std::int32_t>;
  std::priority_queue<Reached, std::vector<Reached>, std::greater<>> queue;
  queue.push({0, source});
  while (!queue.empty()) {
    const auto [length, v] = queue.top();
    queue.pop();
    auto& best = distance[static_cast<std::size_t>(v)];
    if (best <= length) continue;
    best = length;
    for (const auto& [to, weight] : leaving[static_cast<std::size_t>(v)]) queue.push({length + weight, to});
  }
  return distance;
}

template <class T>
T beside(T distance, int step) {
  if constexpr (std::is_integral_v<T>)
    return static_cast<T>(distance + step);
  else
    return step == 0 ? distance : std::nextafter(distance, static_cast<T>(step) * std::numeric_limits<T>::max());
}

/// Asks about some sources at once, each with a limit near one of its distances, so that searches follow each other.
/// \param h  distances are those of g, plus h of the source, less h of the other vertex
template <class T>
void check_short(Random& random, const Net<T>& network, const Graph& g, const std::vector<int>& h) {
  struct Asked {
    std::int32_t source;
    std::vector<T> distances;
  };
  std::vector<Asked> asked;
  Vertices sources;
  for (int s = 0; s < 16; ++s) {  // (so few are searched in any case)
    sources.push_back(uniform(random, 0, g.n - 1));
    asked.push_back({sources.back(), {}});
    const auto found = search(g, sources.back());
    for (std::size_t v = 0; v < found.size(); ++v)
      asked.back().distances.push_back(found[v] == std::numeric_limits<std::int64_t>::max()
                                           ? blockfw::infinity<T>
                                           : static_cast<T>(found[v] + h[std::size_t(sources.back())] - h[v]));
  }
  const auto is_within = [](T distance, T limit) { return distance < blockfw::infinity<T> && distance <= limit; };
  for (int round = 0; round < 5; ++round) {
    std::vector<T> limits;
    for (const Asked& of : asked) {
      std::vector<T> sorted = of.distances;
      std::erase(sorted, blockfw::infinity<T>);
      std::sort(sorted.begin(), sorted.end());
      const auto near = static_cast<std::size_t>(  // (mostly short limits)
          uniform(random, 0, std::max(0, static_cast<int>(sorted.size()) / (1 + round) - 1)));
      limits.push_back(beside(sorted[near], uniform(random, -1, 1)));
    }
    const auto found = network.within(sources, limits);
    const auto counts = network.count_within(sources, limits);  // (each limit for each source)
    REQUIRE(found.first.size() == sources.size() + 1);
    int wrong = 0;
    for (std::size_t r = 0; r < sources.size(); ++r) {
      Vertices vertices;
      std::vector<T> distances;
      for (std::size_t v = 0; v < asked[r].distances.size(); ++v)
        if (is_within(asked[r].distances[v], limits[r])) {
          vertices.push_back(static_cast<std::int32_t>(v));
          distances.push_back(asked[r].distances[v]);
        }
      const auto begin = found.first[r], end = found.first[r + 1];
      wrong += Vertices(found.vertices.begin() + begin, found.vertices.begin() + end) != vertices;
      wrong += std::vector<T>(found.distances.begin() + begin, found.distances.begin() + end) != distances;
      for (std::size_t l = 0; l < limits.size(); ++l)
        wrong += counts[r * limits.size() + l] !=
                 std::ranges::count_if(asked[r].distances, [&](T d) { return is_within(d, limits[l]); });
    }
    CHECK(wrong == 0);
  }
}

template <class T>
void check(Random& random, const Graph& g) {
  const std::vector<int> none(static_cast<std::size_t>(g.n), 0), h = potentials(random, g.n);
  Net<T> network(Host(), g.n, edges_of<T>(g));
  check_short<T>(random, network, g, none);
  network.keep_labels();
  check_short<T>(random, network, g, none);
  // Some weights become negative: a path may go beyond the limit, and return.
  const Graph negative = shifted(g, h);
  std::vector<T> weights;
  for (const auto& e : negative.edges) weights.push_back(static_cast<T>(e.weight));
  check_short<T>(random, network.with_weights(weights), g, h);
}

/// The same graph with weights from 0 to a heaviest one. Many are 0.
Graph with_zeros(Random& random, Graph g, int most) {
  for (auto& e : g.edges) e.weight = std::max(0, uniform(random, -most, most));
  return g;
}

}  // namespace

TEST_CASE_TEMPLATE("vertices within short limits of sparse graphs", T, std::int32_t, std::int64_t, float, double) {
  Random random(57);
  for (const auto& family : sparse_families)
    for (const int n : {1, 2, 17, 200, 900})
      for (const int most : {1, 9}) {
        CAPTURE(family.name);
        CAPTURE(n);
        check<T>(random, with_zeros(random, family.make(random, n), most));
      }
  for (const int n : {40, 400}) {  // (some parts of these are not joined, or joined in one direction)
    check<T>(random, with_zeros(random, scattered(random, n, n, 0, 1), 9));
    check<T>(random, with_zeros(random, scattered(random, n, 3 * n, 0, 1), 9));
  }
}

TEST_CASE("all vertices of a grid, and the vertices within short limits of them") {
  Random random(58);
  const Graph g = with_zeros(random, grid(random, 1600), 20);
  const Net<std::int32_t> network(Host(), g.n, edges_of<std::int32_t>(g));
  Vertices sources = shuffled(random, g.n);
  for (const std::int32_t limit : {0, 1, 12, 40}) {
    const auto found = network.within(sources, limit);
    const auto counts = network.count_within(sources, limit);
    int wrong = 0;
    for (std::size_t r = 0; r < sources.size(); ++r) {
      const auto distances = search(g, sources[r]);
      auto entry = static_cast<std::size_t>(found.first[r]);
      for (std::int32_t v = 0; v < g.n; ++v) {
        const std::int64_t distance = distances[static_cast<std::size_t>(v)];
        if (distance > limit) continue;
        wrong += entry >= found.vertices.size() || found.vertices[entry] != v || found.distances[entry] != distance;
        ++entry;
      }
      wrong += entry != static_cast<std::size_t>(found.first[r + 1]);
      wrong += counts[r] != found.first[r + 1] - found.first[r];
    }
    CHECK(wrong == 0);
  }
}

TEST_CASE_TEMPLATE("no vertices, and no sources", T, std::int32_t, double) {
  Net<T> empty(Host(), 0, std::vector<blockfw::Edge<T>>());
  const Net<T> one(Host(), 1, std::vector<blockfw::Edge<T>>());
  for (const T limit : {T(-1), T(0), T(3), std::numeric_limits<T>::max(), blockfw::infinity<T>}) {
    CAPTURE(limit);
    for (const Net<T>* const network : {&std::as_const(empty), &one}) {
      const auto found = network->within(Vertices(), limit);
      CHECK(found.first == std::vector<std::int64_t>{0});
      CHECK(found.vertices.empty());
      CHECK(found.distances.empty());
      CHECK(network->within(Vertices(), std::vector<T>()).first == std::vector<std::int64_t>{0});
      CHECK(network->count_within(Vertices(), limit).empty());
      CHECK(network->count_within(Vertices(), std::vector<T>{limit, limit}).empty());
    }
    CHECK_THROWS_AS(empty.within(Vertices{0}, limit), blockfw::InvalidInput);
    CHECK_THROWS_AS(empty.count_within(Vertices{0}, limit), blockfw::InvalidInput);
    CHECK(one.count_within(Vertices{0}, limit).front() == (limit >= 0));
  }
  empty.keep_labels();
  CHECK(empty.within(Vertices(), T(3)).first == std::vector<std::int64_t>{0});
}

TEST_CASE_TEMPLATE("an infinite limit: all vertices that are reached", T, std::int32_t, std::int64_t, float, double) {
  Random random(59);
  std::vector<T> infinite = {blockfw::infinity<T>, std::numeric_limits<T>::max()};
  if (std::numeric_limits<T>::has_infinity) infinite.push_back(std::numeric_limits<T>::infinity());
  for (const int n : {1, 40, 900}) {
    CAPTURE(n);
    const Graph g = with_zeros(random, scattered(random, n, n, 0, 1), 9);  // (most parts are not joined)
    Net<T> network(Host(), n, edges_of<T>(g));
    for (const int sources : {1, 5, 700}) {  // (so many are not searched)
      Vertices from;
      std::vector<T> mixed, expected;
      std::vector<std::int64_t> expected_first = {0}, counts;
      Vertices expected_vertices;
      for (int s = 0; s < sources; ++s) {
        from.push_back(uniform(random, 0, n - 1));
        mixed.push_back(s % 3 == 1 ? T(2) : infinite[std::size_t(s) % infinite.size()]);
        const auto distances = search(g, from.back());
        counts.push_back(0);
        for (std::int32_t v = 0; v < n; ++v) {
          const std::int64_t distance = distances[std::size_t(v)];
          if (distance == std::numeric_limits<std::int64_t>::max()) continue;
          ++counts.back();
          if (s % 3 == 1 && distance > 2) continue;
          expected_vertices.push_back(v);
          expected.push_back(static_cast<T>(distance));
        }
        expected_first.push_back(static_cast<std::int64_t>(expected_vertices.size()));
      }
      const auto found = network.within(from, mixed);
      CHECK(found.first == expected_first);
      CHECK(found.vertices == expected_vertices);
      CHECK(found.distances == expected);
      for (const T limit : infinite) {
        CHECK(network.count_within(from, limit) == counts);
        const auto all = network.within(from, limit);
        REQUIRE(all.first.size() == from.size() + 1);
        int wrong = 0;
        for (std::size_t s = 0; s < from.size(); ++s) wrong += all.first[s + 1] - all.first[s] != counts[s];
        CHECK(wrong == 0);
      }
    }
    network.keep_labels();
    CHECK(network.count_within(Vertices{0}, infinite.back()).front() ==
          std::ranges::count_if(search(g, 0), [](auto d) { return d < std::numeric_limits<std::int64_t>::max(); }));
  }
}
