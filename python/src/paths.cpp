// SPDX-License-Identifier: MIT
// Shortest paths out of solved distances.
#include "edges.hpp"
#include "rooms.hpp"
#include "solver.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/unique_ptr.h>
#include <blockfw/paths.hpp>

#include <memory>
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

}  // namespace

void bind_paths(nb::module_& m) {
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
  });
}

}  // namespace bindings
