// SPDX-License-Identifier: MIT
// Checks of nearest() and within(), of a network or of a factor, against the oracle's distances.
#pragma once

#include "graphs.hpp"

#include <doctest/doctest.h>
#include <blockfw/ground/answers.hpp>
#include <blockfw/ground/semiring.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

using Vertices = std::vector<std::int32_t>;

/// Some vertices, with repeated ones.
inline Vertices some(Random& random, int n, int count) {
  Vertices list;
  for (int i = 0; i < count && n > 0; ++i) list.push_back(uniform(random, 0, n - 1));
  return list;
}

/// The nearest places of all vertices and of some, by sorting the oracle's distances.
template <class Asked, class T>
void check_nearest(Random& random, const Asked& asked, const HostMatrix<T>& all, int n) {
  for (const int places : {0, 1, 9, 150}) {
    const Vertices where = some(random, n, places);
    for (const std::int64_t count : {1, 3, 12}) {
      const auto of_all = asked.nearest(where, count);
      const Vertices several = some(random, n, 40);
      const auto of_some = asked.nearest(several, where, count);
      int wrong =
          of_all.place.size() != static_cast<std::size_t>(n * count) || of_all.distance.size() != of_all.place.size();
      std::vector<std::pair<T, std::int32_t>> expected;
      const auto check = [&](const auto& nearest, std::size_t entry, std::int32_t v) {
        expected.clear();
        for (std::size_t p = 0; p < where.size(); ++p)
          if (all(v, where[p]) < blockfw::infinity<T>) expected.push_back({all(v, where[p]), std::int32_t(p)});
        std::sort(expected.begin(), expected.end());
        expected.resize(static_cast<std::size_t>(count), {blockfw::infinity<T>, blockfw::no_vertex});
        for (std::size_t i = 0; i < expected.size(); ++i) {
          wrong += nearest.distance[entry * expected.size() + i] != expected[i].first;
          wrong += nearest.place[entry * expected.size() + i] != expected[i].second;
        }
      };
      for (std::int32_t v = 0; v < n; ++v) check(of_all, static_cast<std::size_t>(v), v);
      for (std::size_t s = 0; s < several.size(); ++s) check(of_some, s, several[s]);
      CHECK(wrong == 0);
    }
  }
}

/// The vertices within several limits of some sources, one limit after the other and several at once.
template <class Asked, class T>
void check_within(Random& random, const Asked& asked, const HostMatrix<T>& all, int n) {
  const Vertices sources = some(random, n, 20);
  std::vector<T> limits = {T(-1), T(3), std::numeric_limits<T>::max(), T(0)};
  if (n > 0) limits.push_back(all(0, n - 1));  // (a path of exactly this length is within the limit)
  const auto check_lists = [&](const blockfw::VerticesInReach<T>& found, const std::vector<T>& limit_of) {
    REQUIRE(found.first.size() == sources.size() + 1);
    int wrong = found.first.front() != 0 || found.first.back() != static_cast<std::int64_t>(found.vertices.size()) ||
                found.vertices.size() != found.distances.size();
    for (std::size_t r = 0; r < sources.size(); ++r) {
      auto entry = static_cast<std::size_t>(found.first[r]);
      for (std::int32_t v = 0; v < n; ++v) {
        const T there = all(sources[r], v);
        if (!(there < blockfw::infinity<T>) || there > limit_of[r]) continue;
        if (entry == static_cast<std::size_t>(found.first[r + 1])) {
          ++wrong;
          break;
        }
        wrong += found.vertices[entry] != v || found.distances[entry] != there;
        ++entry;
      }
      wrong += entry != static_cast<std::size_t>(found.first[r + 1]);
    }
    CHECK(wrong == 0);
  };
  const auto of_all = asked.count_within(sources, limits);
  REQUIRE(of_all.size() == sources.size() * limits.size());
  for (std::size_t l = 0; l < limits.size(); ++l) {
    const auto found = asked.within(sources, limits[l]);
    check_lists(found, std::vector<T>(sources.size(), limits[l]));
    const auto counts = asked.count_within(sources, limits[l]);
    REQUIRE(counts.size() == sources.size());
    int wrong = 0;
    for (std::size_t r = 0; r < sources.size(); ++r)
      wrong += counts[r] != found.first[r + 1] - found.first[r] || of_all[r * limits.size() + l] != counts[r];
    CHECK(wrong == 0);
  }
  std::vector<T> mine;  // a limit for each source
  for (std::size_t r = 0; r < sources.size(); ++r)
    mine.push_back(limits[static_cast<std::size_t>(uniform(random, 0, static_cast<int>(limits.size()) - 1))]);
  check_lists(asked.within(sources, mine), mine);
}
