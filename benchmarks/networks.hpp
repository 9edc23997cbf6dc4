// SPDX-License-Identifier: MIT
// Networks to measure: files, and random ones of several families. A name says which: a file that blockfw reads (DIMACS
// .gr and others), or one of these, undirected, with lengths 1 to 1000:
//
//   grid3d:27          27 x 27 x 27 vertices with six neighbours each
//   er:20000:8         Erdos-Renyi: edges between random vertices, mean degree 8
//   ba:20000:4         Barabasi-Albert: each vertex joins 4 earlier ones, most likely those with many edges
//   planar:20000       about as many vertices in a square, each little square with one diagonal or the other
//   geometric:20000:8  random points in a square, an edge where they are near; mean degree 8, lengths as in the plane
//   tree:2000:10       a random tree with chords between random vertices, 10 for a hundred vertices
//   roads:1200         1200 x 1200 crossings, streets of 20 to 400 kept with probability 0.62: the largest component,
//                      about 96% of the crossings, numbered at random
//   highways:1200      the same, but a street across the grid line with number x is kept with probability
//                      0.68 * 0.7^max(0, z - 3), where z is the number of zeros at the end of x in binary: few streets
//                      cross the lines between large districts
//   dense:2000:50      each pair of vertices with a chance of 50 in a hundred
//   complete:5000      all edges
#pragma once

#include <blockfw/edges.hpp>
#include <blockfw/io/graph_file.hpp>
#include "../programs/input.hpp"
#include "graphs.hpp"
#ifdef WITH_METIS
#include <blockfw/orders/metis.hpp>
#endif

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace bench {

using Length = std::int64_t;
using Arc = blockfw::Edge<Length>;

inline std::size_t index(std::int64_t i) { return static_cast<std::size_t>(i); }

/// A graph: no loops, no arc twice, sorted by their ends.
struct Network {
  std::string name;
  std::int64_t n = 0;
  std::vector<Arc> arcs;
  bool symmetric = false;  ///< whether every arc leads back, too, with the same length
  /// Of roads and highways: where each vertex lies in the square, row by row, and the square's side.
  std::vector<std::int32_t> crossings = {};
  std::int64_t side = 0;
};

/// Removes loops, and of arcs between the same vertices all but the shortest.
inline void tidy(Network& network) {
  std::vector<Arc>& arcs = network.arcs;
  std::erase_if(arcs, [](const Arc& arc) { return arc.from == arc.to; });
  const auto key = [](const Arc& arc) { return std::array<Length, 3>{arc.from, arc.to, arc.weight}; };
  std::sort(arcs.begin(), arcs.end(), [&](const Arc& a, const Arc& b) { return key(a) < key(b); });
  arcs.erase(std::unique(arcs.begin(), arcs.end(),
                         [](const Arc& a, const Arc& b) { return a.from == b.from && a.to == b.to; }),
             arcs.end());
  network.symmetric = std::all_of(arcs.begin(), arcs.end(), [&](const Arc& arc) {
    const Arc back{arc.to, arc.from, arc.weight};
    const auto found =
        std::lower_bound(arcs.begin(), arcs.end(), back, [&](const Arc& a, const Arc& b) { return key(a) < key(b); });
    return found != arcs.end() && key(*found) == key(back);
  });
}

/// The edges to solve: each once, if they lead in both directions.
template <class T>
std::vector<blockfw::Edge<T>> edges_of(const Network& network) {
  std::vector<blockfw::Edge<T>> edges;
  for (const Arc& arc : network.arcs)
    if (!network.symmetric || arc.from < arc.to) edges.push_back({arc.from, arc.to, static_cast<T>(arc.weight)});
  return edges;
}

/// The next number of splitmix64.
inline std::uint64_t splitmix(std::uint64_t& state) {
  std::uint64_t z = (state += 0x9e3779b97f4a7c15u);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

/// Vertices that other programs can draw, too: splitmix64's numbers from a state on, modulo n.
inline std::vector<std::int32_t> random_vertices(std::uint64_t state, std::int64_t n, int count) {
  std::vector<std::int32_t> list;
  for (int i = 0; i < count; ++i)
    list.push_back(static_cast<std::int32_t>(splitmix(state) % static_cast<std::uint64_t>(n)));
  return list;
}

/// A sequence of random numbers, the same on all machines.
class Random {
 public:
  std::uint64_t operator()() { return random_at(place_++); }
  std::int64_t below(std::int64_t end) {
    return static_cast<std::int64_t>((*this)() % static_cast<std::uint64_t>(end));
  }
  double unit() { return static_cast<double>((*this)() >> 11) * 0x1p-53; }

 private:
  std::uint64_t place_ = 0;
};

inline void join(Network& network, std::int64_t i, std::int64_t j, Length length) {
  const auto from = static_cast<std::int32_t>(i), to = static_cast<std::int32_t>(j);
  network.arcs.push_back({from, to, length});
  network.arcs.push_back({to, from, length});
}

inline void grid_of_cubes(Network& network, Random& random, std::int64_t side) {
  network.n = side * side * side;
  for (std::int64_t v = 0; v < network.n; ++v)
    for (const std::int64_t step : {std::int64_t(1), side, side * side})
      if (v / step % side < side - 1) join(network, v, v + step, 1 + random.below(1000));
}

inline void erdos_renyi(Network& network, Random& random, std::int64_t n, std::int64_t degree) {
  network.n = n;
  for (std::int64_t e = 0; e < n * degree / 2; ++e) {
    const std::int64_t i = random.below(n), j = random.below(n);
    join(network, i, j, 1 + random.below(1000));
  }
}

inline void barabasi_albert(Network& network, Random& random, std::int64_t n, std::int64_t joins) {
  network.n = n;
  std::vector<std::int64_t> ends;  // each vertex as often as it has edges
  for (std::int64_t v = 1; v < n; ++v) {
    std::vector<std::int64_t> others;
    if (v <= joins)
      for (std::int64_t other = 0; other < v; ++other) others.push_back(other);
    while (v > joins && static_cast<std::int64_t>(others.size()) < joins) {
      const std::int64_t other = ends[index(random.below(static_cast<std::int64_t>(ends.size())))];
      if (std::find(others.begin(), others.end(), other) == others.end()) others.push_back(other);
    }
    for (const std::int64_t other : others) {
      join(network, v, other, 1 + random.below(1000));
      ends.insert(ends.end(), {v, other});
    }
  }
}

inline void planar(Network& network, Random& random, std::int64_t about) {
  const std::int64_t side = std::llround(std::sqrt(static_cast<double>(about)));
  network.n = side * side;
  for (std::int64_t y = 0; y < side; ++y)
    for (std::int64_t x = 0; x < side; ++x) {
      const std::int64_t v = y * side + x;
      if (x + 1 < side) join(network, v, v + 1, 1 + random.below(1000));
      if (y + 1 < side) join(network, v, v + side, 1 + random.below(1000));
      if (x + 1 < side && y + 1 < side) {
        const bool falls = random.below(2) == 0;
        join(network, falls ? v : v + 1, falls ? v + side + 1 : v + side, 1 + random.below(1000));
      }
    }
}

inline void geometric(Network& network, Random& random, std::int64_t n, std::int64_t degree) {
  network.n = n;
  const double radius = std::sqrt(static_cast<double>(degree) / (3.14159265358979 * static_cast<double>(n)));
  const std::int64_t cells = std::max<std::int64_t>(1, static_cast<std::int64_t>(1 / radius));
  std::vector<std::array<double, 2>> points(index(n));
  std::vector<std::vector<std::int64_t>> inside(index(cells * cells));
  const auto cell = [&](double x) {
    return std::min(cells - 1, static_cast<std::int64_t>(x * static_cast<double>(cells)));
  };
  for (std::int64_t v = 0; v < n; ++v) {
    auto& [x, y] = points[index(v)] = {random.unit(), random.unit()};
    const std::int64_t column = cell(x), row = cell(y);
    for (std::int64_t r = std::max<std::int64_t>(0, row - 1); r < std::min(cells, row + 2); ++r)
      for (std::int64_t c = std::max<std::int64_t>(0, column - 1); c < std::min(cells, column + 2); ++c)
        for (const std::int64_t other : inside[index(r * cells + c)]) {
          const double length = std::hypot(x - points[index(other)][0], y - points[index(other)][1]);
          if (length < radius)
            join(network, v, other, std::max<Length>(1, static_cast<Length>(std::ceil(1000 * length / radius))));
        }
    inside[index(row * cells + column)].push_back(v);
  }
}

inline void complete(Network& network, Random& random, std::int64_t n) {
  network.n = n;
  for (std::int64_t i = 0; i < n; ++i)
    for (std::int64_t j = i + 1; j < n; ++j) join(network, i, j, 1 + random.below(1000));
}

inline void tree_with_chords(Network& network, Random& random, std::int64_t n, std::int64_t percent) {
  network.n = n;
  for (std::int64_t v = 1; v < n; ++v) {
    const std::int64_t other = random.below(v);
    join(network, other, v, 1 + random.below(1000));
  }
  for (std::int64_t chord = 0; chord < n * percent / 100; ++chord) {
    const std::int64_t i = random.below(n), j = random.below(n);
    join(network, i, j, 1 + random.below(1000));
  }
}

inline void dense(Network& network, Random& random, std::int64_t n, std::int64_t percent) {
  network.n = n;
  for (std::int64_t i = 0; i < n; ++i)
    for (std::int64_t j = i + 1; j < n; ++j)
      if (random.below(100) < percent) join(network, i, j, 1 + random.below(1000));
}

/// Crossings in a square. `keep(line)` is the probability of a street that crosses a grid line.
template <class Keep>
void roads(Network& network, Random& random, std::int64_t side, const Keep& keep) {
  const std::int64_t all = side * side;
  struct Street {
    std::int32_t from, to, length;
  };
  std::vector<Street> streets;
  std::vector<std::int32_t> root(index(all));
  for (std::int64_t v = 0; v < all; ++v) root[index(v)] = static_cast<std::int32_t>(v);
  const auto root_of = [&](std::int32_t v) {
    while (root[index(v)] != v) v = root[index(v)] = root[index(root[index(v)])];
    return v;
  };
  for (std::int64_t v = 0; v < all; ++v)
    for (const bool across : {true, false}) {
      const std::int64_t place = across ? v % side : v / side, other = across ? v + 1 : v + side;
      if (place + 1 == side || !(random.unit() < keep(place + 1))) continue;
      streets.push_back({static_cast<std::int32_t>(v), static_cast<std::int32_t>(other),
                         static_cast<std::int32_t>(20 + random.below(381))});
      root[index(root_of(static_cast<std::int32_t>(v)))] = root_of(static_cast<std::int32_t>(other));
    }
  std::vector<std::int32_t> size(index(all), 0), number(index(all), -1), shuffled;
  for (std::int64_t v = 0; v < all; ++v) ++size[index(root_of(static_cast<std::int32_t>(v)))];
  const auto largest = static_cast<std::int32_t>(std::max_element(size.begin(), size.end()) - size.begin());
  for (std::int64_t v = 0; v < all; ++v)
    if (root_of(static_cast<std::int32_t>(v)) == largest) shuffled.push_back(static_cast<std::int32_t>(v));
  network.n = static_cast<std::int64_t>(shuffled.size());
  for (std::int64_t k = network.n; k > 1; --k) std::swap(shuffled[index(k - 1)], shuffled[index(random.below(k))]);
  for (std::int64_t k = 0; k < network.n; ++k) number[index(shuffled[index(k)])] = static_cast<std::int32_t>(k);
  network.arcs.reserve(2 * streets.size());
  for (const Street& street : streets)
    if (const std::int32_t from = number[index(street.from)], to = number[index(street.to)]; from >= 0 && to >= 0)
      join(network, from, to, street.length);
  network.crossings = std::move(shuffled);
  network.side = side;
}

inline double keep_across(std::int64_t line) {
  int zeros = 0;
  for (; line % 2 == 0 && line > 0; line /= 2) ++zeros;
  return 0.68 * std::pow(0.7, std::max(0, zeros - 3));
}

/// The words between colons.
inline std::vector<std::string> words_of(const std::string& text) {
  std::vector<std::string> words(1);
  for (const char c : text)
    if (c == ':')
      words.emplace_back();
    else
      words.back() += c;
  return words;
}

inline Network network_of(const std::string& name) {
  struct Family {
    std::size_t numbers;
    void (*make)(Network&, Random&, const std::vector<std::int64_t>&);
  };
  using Numbers = const std::vector<std::int64_t>&;
  static const std::map<std::string, Family> families{
      {"grid3d", {1, [](Network& g, Random& r, Numbers p) { grid_of_cubes(g, r, p[0]); }}},
      {"er", {2, [](Network& g, Random& r, Numbers p) { erdos_renyi(g, r, p[0], p[1]); }}},
      {"ba", {2, [](Network& g, Random& r, Numbers p) { barabasi_albert(g, r, p[0], p[1]); }}},
      {"roads", {1, [](Network& g, Random& r, Numbers p) { roads(g, r, p[0], [](std::int64_t) { return 0.62; }); }}},
      {"highways", {1, [](Network& g, Random& r, Numbers p) { roads(g, r, p[0], keep_across); }}},
      {"planar", {1, [](Network& g, Random& r, Numbers p) { planar(g, r, p[0]); }}},
      {"geometric", {2, [](Network& g, Random& r, Numbers p) { geometric(g, r, p[0], p[1]); }}},
      {"tree", {2, [](Network& g, Random& r, Numbers p) { tree_with_chords(g, r, p[0], p[1]); }}},
      {"dense", {2, [](Network& g, Random& r, Numbers p) { dense(g, r, p[0], p[1]); }}},
      {"complete", {1, [](Network& g, Random& r, Numbers p) { complete(g, r, p[0]); }}}};
  Network network;
  network.name = name;
  const std::vector<std::string> words = words_of(name);
  if (const auto family = families.find(words[0]); family != families.end() && words.size() > 1) {
    std::vector<std::int64_t> numbers;
    for (std::size_t w = 1; w < words.size(); ++w) numbers.push_back(std::stoll(words[w]));
    if (numbers.size() != family->second.numbers || *std::min_element(numbers.begin(), numbers.end()) < 1)
      throw std::invalid_argument(name + ": expected " + std::to_string(family->second.numbers) +
                                  " positive numbers after " + words[0]);
    Random random;
    family->second.make(network, random, numbers);
  } else {
    const auto file = program::input_of(name);
    auto graph = blockfw::io::read_graph<Length>(file);
    network.name = name.substr(name.find_last_of('/') + 1);
    network.n = graph.vertices;
    network.arcs = std::move(graph.edges);
    if (graph.direction == blockfw::Direction::undirected)
      for (std::size_t e = 0, count = network.arcs.size(); e < count; ++e) {
        const Arc arc = network.arcs[e];
        network.arcs.push_back({arc.to, arc.from, arc.weight});
      }
  }
  tidy(network);
  if (network.n < 1) throw std::invalid_argument(name + ": expected at least one vertex");
  for (const Arc& arc : network.arcs)
    if (arc.weight < 0) throw std::invalid_argument(name + ": found a negative length, which Dijkstra does not take");
  return network;
}

}  // namespace bench
