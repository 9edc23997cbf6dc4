// SPDX-License-Identifier: MIT
// The table of docs/weights.md: which weight is no edge, and which is refused, in each call.
#include "blockfw/multi_device.hpp"
#include "blockfw/paths.hpp"
#include "blockfw/solve.hpp"
#include "blockfw/solve_from.hpp"
#include "blockfw/transitive_closure.hpp"
#include "blockfw/updates.hpp"
#include "spaces.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <utility>
#include <vector>

namespace {

using Exec = Kokkos::DefaultExecutionSpace;
using doctest::Contains;

template <class T>
using Edges = std::vector<blockfw::Edge<T>>;

template <class T>
constexpr T inf = blockfw::infinity<T>;
constexpr double no_number = std::numeric_limits<double>::quiet_NaN();

/// An edge from 0 to 1 of weight 3, and an edge from 1 to the last vertex, 2, of the weight under test.
template <class T>
Edges<T> two_edges(T weight) {
  return {{0, 1, T(3)}, {1, 2, weight}};
}

/// Whether there is a path from 0 to 2, by each call that takes a list.
template <class T>
std::vector<std::pair<std::string, std::function<bool(const Edges<T>&)>>> calls_of_lists() {
  const auto there = [](const auto& d, int row) { return readable(d)(row, 2) < inf<T>; };
  const auto by = [=](blockfw::Method method) {
    return [=](const Edges<T>& edges) { return there(blockfw::solve(3, edges, {.method = method}), 0); };
  };
  const Edges<T> structure = two_edges(T(1));
  return {
      {"dense", by(blockfw::Method::dense)},
      {"sparse", by(blockfw::Method::sparse)},
      {"undirected",
       [=](const Edges<T>& edges) {
         return there(blockfw::solve(3, edges, {.direction = blockfw::Direction::undirected}), 0);
       }},
      {"solve_into",
       [=](const Edges<T>& edges) {
         const auto d = blockfw::allocate_distances<T>(Exec(), 3);
         blockfw::solve_into(Exec(), d, edges);
         return there(d, 0);
       }},
      {"solve_from",
       [=](const Edges<T>& edges) {
         return there(blockfw::solve_from(Exec(), 3, edges, std::vector<std::int32_t>{2, 0}), 1);
       }},
      {"factor",
       [=](const Edges<T>& edges) {
         const blockfw::SparseAnalysis analysis(3, structure);
         const blockfw::SparseFactor factor(Exec(), analysis, edges);
         CHECK(factor.path(0, 2).empty() == !(factor.distance(0, 2) < inf<T>));
         return factor.distance(0, 2) < inf<T>;
       }},
      {"paths",
       [=](const Edges<T>& edges) {
         const auto d = blockfw::solve(3, edges);
         return !blockfw::Paths(Exec(), d, edges).path(0, 2).empty();
       }},
      {"devices",
       [=](const Edges<T>& edges) {
         const blockfw::Devices<Exec> devices(on_device ? 1 : 2);
         return blockfw::solve(devices.list(), 3, edges).distances_from(std::vector{0})(0, 2) < inf<T>;
       }},
      {"add_vertex",
       [=](const Edges<T>& edges) {
         const auto d = blockfw::solve(2, Edges<T>{edges[0]});
         auto of_new = Edges<T>(edges.begin() + 1, edges.end());
         of_new.insert(of_new.begin(), {2, 0, T(9)});  // (so that the edge in question has the same number)
         return there(blockfw::add_vertex(Exec(), d, of_new), 0);
       }},
      {"insert_edge",
       [=](const Edges<T>& edges) {
         const auto d = blockfw::solve(3, Edges<T>{edges[0]});
         blockfw::insert_edge(Exec(), d, 1, 2, edges[1].weight);
         return there(d, 0);
       }},
      {"transitive_closure",
       [](const Edges<T>& edges) { return blockfw::transitive_closure(3, edges).on_host()(0, 2); }},
  };
}

/// The distance from 0 to 2 in a solve of a matrix.
template <class S, class T = typename S::value_type>
T from_0_to_2(T weight) {
  const SharedMatrix<T> w("w", 3, 3);
  Kokkos::deep_copy(w, S::zero());
  w(0, 1) = T(3), w(1, 2) = weight;
  return readable(blockfw::solve<S>(w))(0, 2);
}

/// The same for a list of edges, by rounds and by elimination.
template <class S, class T = typename S::value_type>
T of_list(T weight) {
  const T found = readable(blockfw::solve<S>(3, two_edges(weight), {.method = blockfw::Method::dense}))(0, 2);
  CHECK(readable(blockfw::solve<S>(3, two_edges(weight), {.method = blockfw::Method::sparse}))(0, 2) == found);
  return found;
}

}  // namespace

TEST_CASE_TEMPLATE("floats of a list: infinity is no edge, -infinity and NaN are refused", T, float, double) {
  for (const auto& [name, reaches] : calls_of_lists<T>()) {
    CAPTURE(name);
    const std::string edge = name == "insert_edge" ? "the weight is " : "edge 1: the weight is ";
    CHECK(reaches(two_edges(T(4))));
    CHECK_FALSE(reaches(two_edges(inf<T>)));
    CHECK_THROWS_WITH_AS(reaches(two_edges(-inf<T>)),
                         Contains((edge + "-infinity, expected a number or infinity").c_str()), blockfw::InvalidInput);
    CHECK_THROWS_WITH_AS(reaches(two_edges(static_cast<T>(no_number))),
                         Contains((edge + "NaN, expected a number or infinity").c_str()), blockfw::InvalidInput);
    if (name == "insert_edge" || name == "add_vertex") continue;
    CHECK_FALSE(reaches({{0, 1, T(3)}, {1, 1, inf<T>}}));  // a loop
    CHECK(reaches({{0, 1, T(3)}, {1, 2, inf<T>}, {1, 2, T(1)}}));
  }
}

TEST_CASE("integers of a list: numbers, also at infinity") {
  for (const auto& [name, reaches] : calls_of_lists<std::int32_t>()) {
    CAPTURE(name);
    CHECK(reaches(two_edges(4)));
    if (name == "transitive_closure")  // adds nothing
      CHECK(reaches(two_edges(inf<std::int32_t>)));
    else
      CHECK_THROWS_AS(reaches(two_edges(inf<std::int32_t>)), blockfw::OverflowRisk);
  }
}

TEST_CASE("an edge of infinite length: need not be an edge of the analysed network") {
  const blockfw::SparseAnalysis analysis(3, Edges<double>{{0, 1, 1}});
  const blockfw::SparseFactor factor(Exec(), analysis, Edges<double>{{0, 1, 1}, {1, 2, inf<double>}});
  CHECK(factor.distance(0, 2) == inf<double>);
}

TEST_CASE_TEMPLATE("infinity in a matrix: no edge", T, std::int32_t, double) {
  CHECK(from_0_to_2<blockfw::MinPlus<T>>(T(4)) == 7);
  CHECK(from_0_to_2<blockfw::MinPlus<T>>(inf<T>) == inf<T>);
  const bool reached = from_0_to_2<blockfw::MinPlus<T>>(std::numeric_limits<T>::max()) < inf<T>;
  CHECK(reached == std::is_floating_point_v<T>);  // an integer beyond infinity is no edge, too
}

TEST_CASE("-infinity in a matrix: refused") {
  const SharedMatrix<double> w("w", 3, 3);
  for (const int column : {1, 2}) {  // off and on the diagonal
    w(2, column) = -inf<double>;
    const std::string says =
        "the matrix 'w' holds -infinity at (2, " + std::to_string(column) + "), expected a number or infinity";
    CHECK_THROWS_WITH_AS(blockfw::solve(w), says.c_str(), blockfw::InvalidInput);
    CHECK_THROWS_WITH_AS(blockfw::solve(w, {.direction = blockfw::Direction::undirected}), says.c_str(),
                         blockfw::InvalidInput);
    const SharedMatrix<double> d("d", 3, 3);
    CHECK_THROWS_WITH_AS(blockfw::Paths(Exec(), d, w), says.c_str(), blockfw::InvalidInput);
    w(2, column) = 0;
  }
}

TEST_CASE("zero() of another semiring: no edge; its other infinity: a number, or refused") {
  const double far = inf<double>;
  const auto refused = [](auto call, double weight, const char* says) {
    CAPTURE(weight);
    CHECK_THROWS_WITH_AS(call(weight), Contains(says), blockfw::InvalidInput);
  };
  for (const auto call : {from_0_to_2<blockfw::MaxPlus<double>>, of_list<blockfw::MaxPlus<double>>}) {
    CHECK(call(4) == 7);
    CHECK(call(-far) == -far);
    refused(call, far, "infinity");
    refused(call, no_number, "NaN");
  }
  for (const auto call : {from_0_to_2<blockfw::MaxMin<double>>, of_list<blockfw::MaxMin<double>>}) {
    CHECK(call(2) == 2);
    CHECK(call(-far) == -far);
    CHECK(call(far) == 3);  // infinitely wide
    refused(call, no_number, "NaN");
  }
  for (const auto call : {from_0_to_2<blockfw::MinMax<double>>, of_list<blockfw::MinMax<double>>}) {
    CHECK(call(4) == 4);
    CHECK(call(far) == far);
    CHECK(call(-far) == 3);
    refused(call, no_number, "NaN");
  }
  for (const auto call : {from_0_to_2<blockfw::MaxTimes<double>>, of_list<blockfw::MaxTimes<double>>}) {
    CHECK(call(0.25) == 0.75);
    CHECK(call(0) == 0);
    refused(call, -0.5, "-0.500000");
    refused(call, far, "infinity");
    refused(call, no_number, "NaN");
  }
}
