// SPDX-License-Identifier: MIT
// Solved distances: paths out of them, measures of the vertices that each vertex reaches, an edge or a vertex more.
#include "arrays.hpp"
#include "edges.hpp"
#include "rooms.hpp"
#include "runtime.hpp"
#include "solver.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/unique_ptr.h>
#include <blockfw/measures.hpp>
#include <blockfw/paths.hpp>
#include <blockfw/updates.hpp>

#include <memory>
#include <tuple>
#include <utility>

namespace bindings {

namespace {

/// blockfw::Paths of any type.
struct Finder {
  Finder() = default;
  Finder(const Finder&) = delete;
  Finder& operator=(const Finder&) = delete;
  virtual ~Finder() = default;
  virtual std::vector<std::int32_t> path(std::int64_t from, std::int64_t to) const = 0;
  virtual std::vector<std::int32_t> tree(std::int64_t source) const = 0;
  virtual blockfw::VertexMatrix<Host> predecessors(const blockfw::Progress& progress) const = 0;
  virtual blockfw::VertexMatrix<Host> next_hops(const blockfw::Progress& progress) const = 0;
};

template <class T>
class FinderOf : public Finder {
  using View = Kokkos::View<const T**, Kokkos::LayoutRight, Kokkos::HostSpace>;

 public:
  template <class Graph>
  FinderOf(const ConstMatrix<T>& d, const Graph& graph, blockfw::Direction direction)
      : d_(d), paths_(new Paths(host(), view_of(d), graph, {.direction = direction})) {}

  std::vector<std::int32_t> path(std::int64_t from, std::int64_t to) const override { return paths_->path(from, to); }
  std::vector<std::int32_t> tree(std::int64_t source) const override { return paths_->tree(source); }
  blockfw::VertexMatrix<Host> predecessors(const blockfw::Progress& progress) const override {
    return paths_->predecessors(progress);
  }
  blockfw::VertexMatrix<Host> next_hops(const blockfw::Progress& progress) const override {
    return paths_->next_hops(progress);
  }

 private:
  using Paths = blockfw::Paths<Host, View>;
  ConstMatrix<T> d_;  // (keeps the memory of the distances)
  std::unique_ptr<Paths, DeleteUnlessForked> paths_;
};

template <class T>
std::unique_ptr<Finder> of_matrix(const ConstMatrix<T>& d, const ConstMatrix<T>& weights) {
  const Turn turn(static_cast<std::int64_t>(d.shape(0)));
  return std::make_unique<FinderOf<T>>(d, view_of(weights), blockfw::Direction::directed);
}

template <class T>
std::unique_ptr<Finder> of_edges(const ConstMatrix<T>& d, const ConstArray<std::int32_t>& from,
                                 const ConstArray<std::int32_t>& to, const std::optional<AnyArray>& weights,
                                 bool directed) {
  const Turn turn(static_cast<std::int64_t>(d.shape(0)));
  return std::make_unique<FinderOf<T>>(d, read_edges<T>(from, to, weights, false), direction_of(directed));
}

/// Calls f during a turn, and makes an array of its result.
template <class F>
nb::object in_turn(const F& f) {
  auto found = [&] {
    const Turn turn(0);  // (the paths have an instance of their own)
    return f();
  }();
  return as_array(std::move(found));
}

/// For each vertex: the number of vertices that it reaches, the sum of their distances, the longest distance, and the
/// vertex at that distance.
template <class T>
std::tuple<nb::object, nb::object, nb::object, nb::object> reach(const ConstMatrix<T>& d, bool from_others) {
  std::vector<std::int64_t> vertices, farthest_vertex;
  std::vector<typename blockfw::Reach<T>::Sum> sum;
  std::vector<T> farthest;
  {
    const Turn turn(static_cast<std::int64_t>(d.shape(0)));
    for (const auto& r :
         blockfw::reach(host(), view_of(d), from_others ? blockfw::Towards::itself : blockfw::Towards::others)) {
      vertices.push_back(r.vertices);
      sum.push_back(r.sum);
      farthest.push_back(r.farthest);
      farthest_vertex.push_back(r.farthest_vertex);
    }
  }
  return {as_array(std::move(vertices)), as_array(std::move(sum)), as_array(std::move(farthest)),
          as_array(std::move(farthest_vertex))};
}

template <class T>
void insert_edge(const Matrix<T>& d, std::int64_t from, std::int64_t to, T weight, bool directed) {
  const Turn turn(static_cast<std::int64_t>(d.shape(0)));
  if (!directed && weight < T(0)) throw from == to ? blockfw::NegativeCycle(from) : blockfw::NegativeCycle(from, to);
  blockfw::insert_edge(host(), view_of(d), from, to, weight);
  if (!directed) blockfw::insert_edge(host(), view_of(d), to, from, weight);
}

template <class T>
void add_vertex(const Matrix<T>& more, const ConstMatrix<T>& d, const ConstArray<std::int32_t>& from,
                const ConstArray<std::int32_t>& to, const std::optional<AnyArray>& weights, bool directed,
                const nb::object& progress) {
  const Turn turn(static_cast<std::int64_t>(d.shape(0)));
  blockfw::add_vertex(host(), view_of(more), view_of(d), read_edges<T>(from, to, weights, true),
                      {direction_of(directed), watch(progress)});
}

}  // namespace

void bind_solved(nb::module_& m) {
  nb::class_<Finder>(m, "Finder")
      .def("path",
           [](const Finder& f, std::int64_t i, std::int64_t j) { return in_turn([&] { return f.path(i, j); }); })
      .def("tree", [](const Finder& f, std::int64_t i) { return in_turn([&] { return f.tree(i); }); })
      .def(
          "predecessors",
          [](const Finder& f, const nb::object& progress) {
            return in_turn([&] { return f.predecessors(watch(progress)); });
          },
          nb::arg("progress").none())
      .def(
          "next_hops",
          [](const Finder& f, const nb::object& progress) {
            return in_turn([&] { return f.next_hops(watch(progress)); });
          },
          nb::arg("progress").none());
  for_each_type([&]<class T>() {
    m.def("paths_of_matrix", &of_matrix<T>, nb::arg("d").noconvert(), nb::arg("weights").noconvert());
    m.def("paths_of_edges", &of_edges<T>, nb::arg("d").noconvert(), nb::arg("from_"), nb::arg("to"),
          nb::arg("weights").none(), nb::arg("directed"));
    m.def("reach", &reach<T>, nb::arg("d").noconvert(), nb::arg("from_others"));
    m.def("insert_edge", &insert_edge<T>, nb::arg("d").noconvert(), nb::arg("from_"), nb::arg("to"), nb::arg("weight"),
          nb::arg("directed"));
    m.def("add_vertex", &add_vertex<T>, nb::arg("more").noconvert(), nb::arg("d").noconvert(), nb::arg("from_"),
          nb::arg("to"), nb::arg("weights").none(), nb::arg("directed"), nb::arg("progress").none());
  });
}

}  // namespace bindings
