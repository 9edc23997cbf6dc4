// SPDX-License-Identifier: MIT
/// \file
/// \brief Families of sparse graphs, and random orders.
#pragma once

#include "graphs.hpp"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

inline Graph path(Random& random, int n) {
  Graph g{n, {}};
  for (int v = 0; v + 1 < n; ++v) g.edges.push_back({v, v + 1, uniform(random, 0, heaviest(n))});
  return g;
}
inline Graph tree(Random& random, int n) {
  Graph g{n, {}};
  for (int v = 1; v < n; ++v) {
    const int parent = uniform(random, 0, v - 1);
    g.edges.push_back({v, parent, uniform(random, 0, heaviest(n))});
    g.edges.push_back({parent, v, uniform(random, 0, heaviest(n))});
  }
  return g;
}
inline Graph grid(Random& random, int n) {
  Graph g{n, {}};
  int side = 1;
  while ((side + 1) * (side + 1) <= n) ++side;
  for (int v = 0; v < n; ++v)
    for (const int other : {v + 1, v + side})
      if (other < n && (other != v + 1 || other % side != 0)) {
        g.edges.push_back({v, other, uniform(random, 0, heaviest(n))});
        if (uniform(random, 0, 3) > 0) g.edges.push_back({other, v, uniform(random, 0, heaviest(n))});
      }
  return g;
}
inline Graph star(Random& random, int n) {
  Graph g{n, {}};
  const int hub = n > 0 ? uniform(random, 0, n - 1) : 0;
  for (int v = 0; v < n; ++v) {
    g.edges.push_back({v, hub, uniform(random, 0, heaviest(n))});
    g.edges.push_back({hub, v, uniform(random, 0, heaviest(n))});
  }
  return g;
}
inline Graph cycle(Random& random, int n) {
  Graph g = path(random, n);
  if (n > 0) g.edges.push_back({n - 1, 0, uniform(random, 0, heaviest(n))});
  return g;
}
/// Joins each new vertex to some earlier vertices, mostly to vertices that have many edges.
inline Graph attached(Random& random, int n) {
  Graph g{n, {}};
  std::vector<int> ends = {0};
  for (int v = 1; v < n; ++v)
    for (int e = 0; e < 3; ++e) {
      const int other = ends[static_cast<std::size_t>(uniform(random, 0, static_cast<int>(ends.size()) - 1))];
      g.edges.push_back({v, other, uniform(random, 0, heaviest(n))});
      g.edges.push_back({other, v, uniform(random, 0, heaviest(n))});
      ends.push_back(v), ends.push_back(other);
    }
  return g;
}

inline const Family sparse_families[] = {
    {"path", path}, {"tree", tree}, {"grid", grid}, {"star", star}, {"cycle", cycle}, {"attached", attached},
};

inline std::vector<std::int32_t> shuffled(Random& random, int n) {
  std::vector<std::int32_t> order(static_cast<std::size_t>(n));
  std::iota(order.begin(), order.end(), 0);
  std::shuffle(order.begin(), order.end(), random);
  return order;
}
