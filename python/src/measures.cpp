// SPDX-License-Identifier: MIT
// Measures of the vertices that each vertex reaches, or that reach it, from solved distances.
#include "arrays.hpp"
#include "rooms.hpp"
#include "runtime.hpp"

#include <nanobind/stl/tuple.h>
#include <blockfw/measures.hpp>

#include <tuple>

namespace bindings {

namespace {

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

}  // namespace

void bind_measures(nb::module_& m) {
  for_each_type([&]<class T>() { m.def("reach", &reach<T>, nb::arg("d").noconvert(), nb::arg("from_others")); });
}

}  // namespace bindings
