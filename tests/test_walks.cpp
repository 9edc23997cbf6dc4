// SPDX-License-Identifier: MIT
// Follows the paths, trees, predecessors and next hops of all calls from vertex to vertex to their end. Weights have
// mixed magnitudes and signs, and cycles have length zero or nearly zero.
#include "graphs.hpp"

#include "blockfw/paths.hpp"
#include "blockfw/solve_from.hpp"
#include "blockfw/sparse.hpp"

#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <set>
#include <type_traits>

namespace {

using Exec = Kokkos::DefaultExecutionSpace;
using Host = Kokkos::DefaultHostExecutionSpace;
using blockfw::Direction;
using blockfw::no_vertex;
using Route = std::vector<std::int32_t>;
template <class T>
using Edges = std::vector<blockfw::Edge<T>>;

enum class Sums { exact, rounded, cancelling };  // in floats

template <class T>
struct Kind {
  const char* name;
  Sums sums;
  Edges<T> (*make)(Random&, int n);
};

double real(Random& random, double low, double high) {
  return std::uniform_real_distribution<double>(low, high)(random);
}

/// A number of any magnitude that T has.
template <class T>
T of_any_magnitude(Random& random) {
  if (std::is_integral_v<T>) return static_cast<T>(1 << uniform(random, 0, 20));
  const double most = sizeof(T) == 4 ? 30 : 300;
  return static_cast<T>(std::pow(10, real(random, -most, most)));
}

/// Random edges. The ends of an edge determine its weight.
template <class T, class Weight>
Edges<T> scatter(Random& random, int n, const Weight& weight) {
  Edges<T> edges;
  for (int e = uniform(random, n, 4 * n); e > 0; --e) {
    const int from = uniform(random, 0, n - 1), to = uniform(random, 0, n - 1);
    if (from != to) edges.push_back({from, to, static_cast<T>(weight(from, to))});
  }
  return edges;
}

/// Edges from lower to higher vertices only. The graph has no cycles, so weights may be any numbers.
template <class T, class Weight>
Edges<T> upward(Random& random, int n, const Weight& weight) {
  auto edges = scatter<T>(random, n, [](int, int) { return 0; });
  for (auto& e : edges) {
    if (e.from > e.to) std::swap(e.from, e.to);
    e.weight = uniform(random, 0, 1) ? weight() : static_cast<T>(-weight());
  }
  return edges;
}

/// Each weight has the difference of two numbers, one for each vertex. On a cycle these differences cancel.
template <class T>
Edges<T> shifted(Random& random, int n, const std::vector<T>& shift, double step) {
  return scatter<T>(random, n, [&](int from, int to) {
    return static_cast<T>(step * uniform(random, 0, 2)) + shift[std::size_t(from)] - shift[std::size_t(to)];
  });
}

template <class T>
const Kind<T> kinds[] = {
    {"without cycles, of any magnitude", Sums::rounded,
     [](Random& random, int n) { return upward<T>(random, n, [&] { return of_any_magnitude<T>(random); }); }},
    {"without cycles, of some magnitudes", Sums::rounded,
     [](Random& random, int n) {
       return upward<T>(random, n, [&] {
         const int digits = uniform(random, 0, 4) * (std::is_integral_v<T> ? 1 : 4);
         return static_cast<T>(uniform(random, 1, 9) * std::pow(10, digits));
       });
     }},
    {"edges and their opposites", Sums::cancelling,
     [](Random& random, int n) {
       auto edges = upward<T>(random, n, [&] { return static_cast<T>(real(random, 0, 20000)); });
       for (std::size_t e = 0, end = edges.size(); e < end; ++e)
         if (uniform(random, 0, 5) == 0)
           edges.push_back({edges[e].to, edges[e].from, static_cast<T>(-edges[e].weight)});
       return edges;
     }},
    {"cycles of length zero", Sums::exact,
     [](Random& random, int n) {
       std::vector<T> shift;
       for (int v = 0; v < n; ++v) shift.push_back(static_cast<T>(uniform(random, -9, 9) << uniform(random, 0, 10)));
       return shifted<T>(random, n, shift, uniform(random, 0, 1));
     }},
    {"cycles of nearly zero, one decimal", Sums::cancelling,
     [](Random& random, int n) {
       std::vector<T> shift;
       for (int v = 0; v < n; ++v) shift.push_back(static_cast<T>(0.1 * uniform(random, -20, 20)));
       return shifted<T>(random, n, shift, 0.1);
     }},
    {"cycles of nearly zero, of mixed magnitudes", Sums::cancelling,
     [](Random& random, int n) {
       std::vector<T> shift;
       for (int v = 0; v < n; ++v)
         shift.push_back(static_cast<T>(of_any_magnitude<std::int32_t>(random) * real(random, -1, 1)));
       return shifted<T>(random, n, shift, 1e-3);
     }},
    {"zero and vanishing", Sums::rounded,
     [](Random& random, int n) {
       return scatter<T>(random, n, [&](int, int) {
         const double weights[] = {0, 1, 1e-10, 1e7, 0.1};
         return weights[uniform(random, 0, 4)];
       });
     }},
    {"zero and vanishing, undirected", Sums::rounded,
     [](Random& random, int n) {
       auto edges = scatter<T>(random, n, [&](int, int) {
         const double weights[] = {0, 1, 1e-10, 1e7, 0.1};
         return weights[uniform(random, 0, 4)];
       });
       for (std::size_t e = 0, end = edges.size(); e < end; ++e)
         edges.push_back({edges[e].to, edges[e].from, edges[e].weight});
       return edges;
     }},
};

/// Checks the walks of one graph.
template <class T>
class Walks {
 public:
  Walks(int n, const Edges<T>& edges, Sums sums) : n_(n), sums_(sums) {
    for (const auto& e : edges) add(e);
  }
  void add(const blockfw::Edge<T>& e) {
    const auto [place, first] = lightest_.insert({{e.from, e.to}, e.weight});
    if (!first) place->second = std::min(place->second, e.weight);
    heaviest_ = std::max(heaviest_, std::abs(static_cast<long double>(e.weight)));
  }

  void check(const char* call, const Route& route, std::int64_t i, std::int64_t j, T distance) {
    const std::string wrong = flaw(route, i, j, distance);
    if (first_.empty() && !wrong.empty())
      first_ = std::string(call) + " from " + as_text(i) + " to " + as_text(j) + ": " + wrong;
  }
  /// Follows predecessors, or next hops, to the end.
  template <class Step>
  Route follow(std::int64_t i, std::int64_t j, const Step& step) const {
    Route route;
    for (auto v = static_cast<std::int32_t>(i); v != no_vertex && std::ssize(route) <= n_; v = step(v)) {
      route.push_back(v);
      if (v == j) break;
    }
    return route.size() == 1 && i != j ? Route{} : route;
  }

  const std::string& first() const { return first_; }

 private:
  std::string flaw(const Route& route, std::int64_t i, std::int64_t j, T distance) {
    if (i != j && distance == blockfw::infinity<T>) return route.empty() ? "" : "a path to what is out of reach";
    if (route.empty()) return "there is none";
    if (route.front() != i || route.back() != j) return "wrong ends, or no end";
    if (std::set<std::int32_t>(route.begin(), route.end()).size() != route.size()) return "a vertex comes twice";
    long double length = 0, size = 0;
    for (std::size_t v = 1; v < route.size(); ++v) {
      const auto edge = lightest_.find({route[v - 1], route[v]});
      if (edge == lightest_.end()) return "a step that is not an edge";
      length += static_cast<long double>(edge->second);
      size += std::abs(static_cast<long double>(edge->second));
    }
    const long double off = std::abs(length - static_cast<long double>(i == j ? T(0) : distance));
    // Where cycles cancel, a distance may have the rounding error of a detour that the path does not take.
    const long double unit = n_ * static_cast<long double>(std::numeric_limits<T>::epsilon());
    const long double allowed = sums_ == Sums::exact ? 0 : unit * (sums_ == Sums::rounded ? size : 4 * heaviest_);
    return off <= allowed ? "" : "its length is " + as_text(length) + ", expected " + as_text(distance);
  }

  int n_;
  Sums sums_;
  std::map<std::pair<std::int32_t, std::int32_t>, T> lightest_;
  long double heaviest_ = 0;
  std::string first_;
};

/// \return whether the graph has no negative cycle, for this type
template <class T>
bool check_all(int n, const Edges<T>& edges, Sums sums) {
  const Host host;
  blockfw::DistanceMatrix<T, Exec> solved;
  const blockfw::SparseAnalysis analysis(n, edges);
  std::optional<blockfw::SparseFactor<blockfw::MinPlus<T>, Host>> factor;
  try {
    solved = blockfw::solve(Exec{}, n, edges);
    factor.emplace(host, analysis, edges);
  } catch (const blockfw::NegativeCycle&) {
    return false;
  }
  const auto d = readable(solved);
  const blockfw::Paths paths(Exec{}, solved, edges);
  const auto before = readable(paths.predecessors()), next = readable(paths.next_hops());
  Walks<T> walks(n, edges, sums);
  int unlike = 0;
  for (std::int64_t i = 0; i < n; ++i) {
    const auto tree = paths.tree(i);
    const auto own = blockfw::tree_from(Exec{}, Kokkos::subview(solved, i, Kokkos::ALL), i, edges);
    for (std::int64_t j = 0; j < n; ++j) {
      Route back = walks.follow(j, i, [&](std::int64_t v) { return before(i, v); });
      std::reverse(back.begin(), back.end());
      walks.check("the predecessors", back, i, j, d(i, j));
      unlike += blockfw::path_in(tree, i, j) != back;
      if ((i + j) % 3 == 0) unlike += paths.path(i, j) != back;
      const Route hops = walks.follow(i, j, [&](std::int64_t v) { return next(v, j); });
      walks.check("the next hops", hops, i, j, d(i, j));
      if (sums == Sums::exact) unlike += hops != back;
      walks.check("the tree of a row", blockfw::path_in(own, i, j), i, j, d(i, j));
      walks.check("a factor's path", factor->path(i, j), i, j, factor->distance(i, j));
    }
  }
  CHECK(unlike == 0);
  CHECK(walks.first() == "");
  return true;
}

}  // namespace

TEST_CASE_TEMPLATE("walks: each is a path", T, float, double, std::int32_t, std::int64_t) {
  Random random(1);
  for (const Kind<T>& kind : kinds<T>) {
    const std::string name = kind.name;
    CAPTURE(name);
    int solved = 0;
    for (int graph = 0; graph < 40; ++graph) {
      CAPTURE(graph);
      const int n = uniform(random, 2, 12);
      solved += check_all<T>(n, kind.make(random, n), std::is_integral_v<T> ? Sums::exact : kind.sums);
    }
    CHECK(solved > 10);
  }
}

TEST_CASE("cycles of length zero with more digits than a distance") {
  CHECK(check_all<double>(3, {{0, 1, 19992}, {1, 0, -19992}, {1, 2, 7.993}}, Sums::cancelling));
  CHECK(check_all<float>(3, {{0, 1, 19992}, {1, 0, -19992}, {1, 2, 7.993f}}, Sums::cancelling));
}

TEST_CASE("next hops: do not lead round in circles") {
  CHECK(check_all<double>(4, {{0, 1, -.6}, {1, 0, .6}, {0, 2, -.8}, {2, 3, .2}, {1, 3, 0}}, Sums::cancelling));
}

// Distances have lost 3 beside 1e20, and the path must not go by the edge that is too long.
TEST_CASE("numbers that vanish in a sum and come back") {
  const Edges<double> edges = {{0, 1, 1e20}, {1, 2, -1e20}, {2, 3, 3}, {0, 3, 1e15}};
  CHECK(check_all<double>(4, edges, Sums::rounded));
  const blockfw::Paths paths(Exec{}, blockfw::solve(Exec{}, 4, edges), edges);
  CHECK(paths.path(0, 3) == Route{0, 1, 2, 3});
}

TEST_CASE("a grid of ties: its path goes straight") {
  const int side = 40;
  Edges<double> edges;
  Random random(5);
  for (int v = 0; v < side * side; ++v) {
    if (v % side + 1 < side) edges.push_back({v, v + 1, 0.1 * uniform(random, 1, 2)});
    if (v + side < side * side) edges.push_back({v, v + side, 0.1 * uniform(random, 1, 2)});
  }
  const blockfw::SparseAnalysis analysis(side * side, edges);
  const blockfw::SparseFactor factor(Host(), analysis, edges, {.direction = Direction::undirected});
  Walks<double> walks(side * side, edges, Sums::rounded);
  for (const auto& e : edges) walks.add({e.to, e.from, e.weight});
  walks.check("a factor's path", factor.path(0, side * side - 1), 0, side * side - 1,
              factor.distance(0, side * side - 1));
  CHECK(walks.first() == "");
}
