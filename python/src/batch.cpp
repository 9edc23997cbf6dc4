// SPDX-License-Identifier: MIT
// Many small graphs at once, and lists of NumPy's matrices, which become a batch.
#include "arrays.hpp"
#include "conversion.hpp"
#include "rooms.hpp"
#include "runtime.hpp"
#include "solver.hpp"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <blockfw/batch.hpp>
#include <blockfw/ground/error.hpp>
#include <blockfw/ground/weights.hpp>
#include <blockfw/solve.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace bindings {

namespace {

template <class T>
using Array = nb::ndarray<T, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Numbers = std::optional<Array<std::int32_t>>;
template <class T>
using Batch = blockfw::GraphBatch<T, Host>;

std::vector<std::int32_t> copied(const ConstArray<std::int32_t>& array) {
  return {array.data(), array.data() + array.shape(0)};
}

template <class T>
Batch<T> batch_of(const Array<T>& entries, const ConstArray<std::int32_t>& orders) {
  return Batch<T>(copied(orders), typename Batch<T>::Entries(entries.data(), entries.shape(0)));
}

/// A turn for a batch. It is that of one graph with the same work.
template <class T>
std::int64_t as_one(const Batch<T>& batch) {
  double relaxes = 0;
  for (const double n : batch.orders()) relaxes += n * n * n;
  return static_cast<std::int64_t>(std::cbrt(relaxes));
}

/// \brief Says which weight of a graph S does not take.
/// \throws InvalidInput
template <class S, class T = typename S::value_type>
[[noreturn]] void refuse_one(const Batch<T>& batch, std::int64_t g) {
  const auto d = batch.matrix(g);
  for (int i = 0; i < batch.order(g); ++i)
    for (int j = 0; j < batch.order(g); ++j)
      if (!blockfw::detail::is_weight<S>(d(i, j)))
        throw blockfw::InvalidInput(
            blockfw::detail::refused_weight<S>("graph " + std::to_string(g) + " of the batch holds ", d(i, j),
                                               " at (" + std::to_string(i) + ", " + std::to_string(j) + ")"));
  throw blockfw::InvalidInput("graph " + std::to_string(g) + " of the batch holds a weight that cannot be read");
}

/// \brief Reads a matrix in place. A weight beyond S::zero() is no edge. A diagonal entry counts only if its cycle
/// diverges. A matrix with a weight that S refuses stays unchanged.
/// \param own  memory
template <class S, class T = typename S::value_type>
void read_matrix(T* d, std::int64_t n, std::vector<T>& own, blockfw::detail::WeightsSeen<T>& seen) {
  const std::int64_t count = n * n;
  int refused = 0;
  for (std::int64_t e = 0; e < count; ++e) refused += !blockfw::detail::is_weight<S>(d[e]);
  seen.refused += refused;
  if (refused > 0) return;
  own.resize(static_cast<std::size_t>(n));
  for (std::int64_t v = 0; v < n; ++v) own[static_cast<std::size_t>(v)] = std::exchange(d[v * n + v], S::zero());
  blockfw::detail::add_edges<S>(count, d, seen);
  for (std::int64_t v = 0; v < n; ++v) {
    const T loop = own[static_cast<std::size_t>(v)];
    d[v * n + v] = S::diverges(loop) ? loop : S::one();
    seen.add(loop, S::diverges(loop), false);
  }
}

/// \brief Reads the matrices in place.
/// \param directed  false: an edge leads in both directions
/// \throws InvalidInput for a weight that S does not take
template <class S, class T = typename S::value_type>
blockfw::WeightRange<T> read_batch(const Batch<T>& batch, bool directed) {
  using Seen = blockfw::detail::WeightsSeen<T>;
  blockfw::detail::require_vectors();
  Seen all;
  std::vector<char> refused(static_cast<std::size_t>(batch.graphs()), 0);
  Kokkos::parallel_reduce(
      "blockfw::read_batch", Kokkos::RangePolicy<Host>(host(), 0, batch.graphs()),
      [&](std::int64_t g, Seen& seen) {
        const auto d = batch.matrix(g);
        const int n = batch.order(g), before = seen.refused;
        std::vector<T> own;
        Seen of_graph;
        read_matrix<S>(d.data(), n, own, of_graph);
        seen += of_graph;
        refused[static_cast<std::size_t>(g)] = seen.refused > before;
        for (int i = 0; !directed && seen.refused == before && i < n; ++i)
          for (int j = 0; j < i; ++j) d(i, j) = d(j, i) = S::relax(d(i, j), d(j, i), S::one());
      },
      all);
  if (all.refused > 0) refuse_one<S>(batch, std::find(refused.begin(), refused.end(), 1) - refused.begin());
  return {.smallest = all.smallest, .largest = all.largest};
}

/// The views of paths that the caller wants, in the caller's memory.
struct Wanted {
  Numbers predecessors, next_hops, hops;
  bool any() const { return predecessors || next_hops || hops; }
};

/// Calls f(first, last) for some graphs at a time, so that Ctrl-C is seen between them.
template <class T, class F>
void in_parts(const Batch<T>& batch, const F& f) {
  constexpr double at_once = on_host ? 2e9 : 1e12;  // (relaxes: a tenth of a second, about)
  double relaxes = 0;
  for (std::int64_t g = 0, first = 0; g < batch.graphs(); ++g) {
    const double n = batch.order(g);
    relaxes += n * n * n;
    if (relaxes < at_once && g + 1 < batch.graphs()) continue;
    f(first, g + 1);
    check_signals();
    first = g + 1;
    relaxes = 0;
  }
}

/// A part of an array of the batch: of the graphs from `first` to `last` - 1.
template <class T, class N>
N* part_of(const Batch<T>& batch, std::int64_t first, std::int64_t last, N* all, std::size_t& count) {
  const auto end = last < batch.graphs() ? batch.start(last) : static_cast<std::int64_t>(batch.entries().extent(0));
  count = static_cast<std::size_t>(end - batch.start(first));
  return all + batch.start(first);
}

/// \brief Solves some graphs of a batch where they lie, or in a device's memory.
/// \return for each graph a vertex on a diverging cycle, or no_vertex
template <class S, class T = typename S::value_type>
std::vector<std::int64_t> solve_part(const Batch<T>& batch, std::int64_t first, std::int64_t last, const Wanted& wanted,
                                     const blockfw::WeightRange<T>& range) {
  const std::vector<std::int32_t> orders(batch.orders().begin() + first, batch.orders().begin() + last);
  std::size_t count = 0;
  T* const entries = part_of(batch, first, last, batch.entries().data(), count);
  const auto exec = solver();
  using Memory = Exec::memory_space;
  const auto mirror = [&]<class N>(N* host_part, bool read) {
    const Kokkos::View<N*, Kokkos::HostSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>> here(host_part, count);
    if constexpr (on_host) {
      return here;
    } else {
      const Kokkos::View<N*, Memory> there(Kokkos::view_alloc(exec, "blockfw::batch", Kokkos::WithoutInitializing),
                                           count);
      if (read) Kokkos::deep_copy(exec, there, here);
      return there;
    }
  };
  const auto d = mirror(entries, true);
  const blockfw::GraphBatch<T, Exec> some(orders, d);
  std::vector<std::int64_t> cycles;
  const auto back = [&]([[maybe_unused]] const auto& there, [[maybe_unused]] auto* host_part) {
    if constexpr (!on_host)
      Kokkos::deep_copy(exec,
                        Kokkos::View<std::remove_pointer_t<decltype(host_part)>*, Kokkos::HostSpace,
                                     Kokkos::MemoryTraits<Kokkos::Unmanaged>>(host_part, count),
                        there);
  };
  if (wanted.any() || !std::is_same_v<S, blockfw::MinPlus<T>>) {
    using List = decltype(mirror(std::declval<std::int32_t*>(), false));
    const Numbers* const arrays[] = {&wanted.predecessors, &wanted.next_hops, &wanted.hops};
    List lists[3];
    for (int a = 0; a < 3; ++a)
      if (*arrays[a]) {
        std::size_t same = 0;
        lists[a] = mirror(part_of(batch, first, last, (*arrays[a])->data(), same), false);
      }
    cycles = blockfw::batched_floyd_warshall<S>(exec, some, {lists[0], lists[1], lists[2]});
    for (int a = 0; a < 3; ++a) {
      std::size_t same = 0;
      if (*arrays[a]) back(lists[a], part_of(batch, first, last, (*arrays[a])->data(), same));
    }
  } else if constexpr (std::is_same_v<S, blockfw::MinPlus<T>>) {
    blockfw::batched_floyd_warshall(exec, some);
    if (range.any_negative()) {
      cycles = blockfw::find_negative_cycles(exec, some);
      if constexpr (std::is_integral_v<T>)
        blockfw::mark_unreachable(exec, some, blockfw::longest_path(batch.largest(), range));
    } else {
      cycles.assign(orders.size(), blockfw::no_vertex);
    }
  }
  back(d, entries);
  exec.fence("blockfw::batch");
  return cycles;
}

/// \brief Decides on the cycles of a graph of floats, and solves it once more where rounding matters.
/// \param d        its distances as they were computed; they are right at the end, if no cycle is negative
/// \param weights  as the graph was
/// \param vertex   a vertex on a cycle whose computed length is negative, or no_vertex; becomes a vertex on a negative
///                 cycle
/// \return whether d is written
template <class T>
bool decide(const auto& d, const auto& weights, bool strict_cycles, std::int64_t& vertex) {
  if (!strict_cycles && vertex == blockfw::no_vertex) return false;
  const auto n = static_cast<std::int64_t>(d.extent(0));
  using S = blockfw::MinPlus<T>;
  const auto range = blockfw::detail::read_weights<S>(
      host(), blockfw::detail::WeightsOf<S, std::decay_t<decltype(weights)>>{weights, blockfw::Direction::directed},
      blockfw::detail::IgnoreWeights{}, {0, n});
  const auto one = blockfw::allocate_distances<T>(host(), n);
  Kokkos::deep_copy(one, weights);
  try {
    if (vertex == blockfw::no_vertex) {  // (the computed distances are right, if rounding does not matter)
      const auto guard = blockfw::detail::guard_of<S>(host(), one, range, strict_cycles, false);
      if (guard.potentials().empty()) return false;
      Kokkos::deep_copy(one, weights);
    }
    blockfw::solve_distances(host(), one, range, {.strict_cycles = strict_cycles});
  } catch (const blockfw::NegativeCycle& error) {
    vertex = error.vertex;
    return false;
  }
  vertex = blockfw::no_vertex;
  Kokkos::deep_copy(d, one);
  return true;
}

/// The paths of a graph from its distances.
template <class T>
void write_paths(const Batch<T>& batch, std::int64_t g, const T* weights, const Wanted& wanted) {
  const int n = batch.order(g);
  std::vector<std::int32_t> memory(3 * static_cast<std::size_t>(n));
  const auto d = batch.matrix(g);
  for (int i = 0; i < n; ++i) {
    const std::int64_t first = batch.start(g) + i * batch.row(g);
    const auto place = [&](const Numbers& array, int number) {
      return array ? array->data() + first : memory.data() + number * n;
    };
    std::int32_t *const before = place(wanted.predecessors, 0), *const next = place(wanted.next_hops, 1),
                        *const edges = place(wanted.hops, 2);
    blockfw::detail::grow_row<blockfw::MinPlus<T>>(n, i, &d(i, 0), {weights, batch.row(g)}, before, next, edges);
    blockfw::detail::trace_row(n, i, before, next, edges);
  }
}

/// A vertex on a diverging cycle of each graph, or no_vertex. If an undirected edge is the cycle, its other end, too.
struct Cycles {
  std::vector<std::int64_t> vertex, other;
};

/// Names the first undirected edge of each graph that is a cycle by itself.
template <class S, class T = typename S::value_type>
void name_cycles_of_edges(const Batch<T>& batch, Cycles& cycles) {
  for (std::int64_t g = batch.graphs() - 1; g >= 0; --g) {
    const auto d = batch.matrix(g);
    for (int i = batch.order(g) - 1; i >= 0; --i)
      for (int j = batch.order(g) - 1; j > i; --j)
        if (S::diverges(d(i, j))) {
          cycles.vertex[static_cast<std::size_t>(g)] = i;
          cycles.other[static_cast<std::size_t>(g)] = j;
        }
  }
}

template <class S, class T = typename S::value_type>
Cycles solve_graphs(const Batch<T>& batch, bool directed, const Wanted& wanted, bool strict_cycles) {
  const auto range = read_batch<S>(batch, directed);
  blockfw::require_safe_sums<S>(batch.largest(), range);
  constexpr bool may_cancel = std::is_floating_point_v<T> && std::is_same_v<S, blockfw::MinPlus<T>>;
  const bool cancels = may_cancel && range.any_negative();
  if (cancels)
    blockfw::detail::require_host_memory("a copy of the batch",
                                         static_cast<double>(batch.entries().extent(0)) * sizeof(T));
  const std::vector<T> kept(batch.entries().data(), batch.entries().data() + (cancels ? batch.entries().extent(0) : 0));
  const std::vector<std::int64_t> none(static_cast<std::size_t>(batch.graphs()), blockfw::no_vertex);
  Cycles edges{none, none};
  if (blockfw::detail::may_be_cycles<S>(range, direction_of(directed))) name_cycles_of_edges<S>(batch, edges);
  std::vector<std::int64_t> cycles;
  in_parts(batch, [&](std::int64_t first, std::int64_t last) {
    const auto some = solve_part<S>(batch, first, last, wanted, range);
    cycles.insert(cycles.end(), some.begin(), some.end());
  });
  if constexpr (may_cancel) {
    for (std::int64_t g = 0; cancels && g < batch.graphs(); ++g) {
      const auto n = static_cast<std::size_t>(batch.order(g));
      const Kokkos::View<const T**, Kokkos::LayoutStride, Kokkos::HostSpace> weights(
          kept.data() + batch.start(g), Kokkos::LayoutStride(n, static_cast<std::size_t>(batch.row(g)), n, 1));
      const Kokkos::View<T**, Kokkos::LayoutStride, Kokkos::HostSpace> d(
          batch.matrix(g).data(), Kokkos::LayoutStride(n, static_cast<std::size_t>(batch.row(g)), n, 1));
      if (!decide<T>(d, weights, strict_cycles, cycles[static_cast<std::size_t>(g)])) continue;
      if (wanted.any()) write_paths(batch, g, weights.data(), wanted);
      check_signals();
    }
  }
  for (std::size_t g = 0; g < cycles.size(); ++g)
    if (edges.other[g] != blockfw::no_vertex) cycles[g] = edges.vertex[g];
  return {std::move(cycles), std::move(edges.other)};
}

/// \brief Writes the matrices of graphs given by edges.
/// \param entries  becomes the matrices: S::zero() where there is no edge, S::one() on the diagonal
/// \param first    the first edge of each graph, and the end of the last
/// \param lowest   the number of each graph's first vertex in the edges
/// \param numbers  becomes the number of each entry's best edge, or -1. Edges are numbered in each graph if each graph
///                 numbers its own vertices, otherwise over all graphs.
template <class S, class T = typename S::value_type>
void fill_graphs(const Batch<T>& batch, const ConstArray<std::int64_t>& first, const ConstArray<std::int64_t>& lowest,
                 const ConstArray<std::int32_t>& from, const ConstArray<std::int32_t>& to,
                 const std::optional<AnyArray>& weights, bool directed, bool own_numbers, const Numbers& numbers) {
  if (numbers && !own_numbers && from.shape(0) > std::numeric_limits<std::int32_t>::max())
    throw blockfw::InvalidInput("there are " + std::to_string(from.shape(0)) +
                                " edges, expected at most 2^31 - 1 where their numbers are wanted");
  struct Read {
    T weight;
    std::string sentence;  ///< the fault of the weight
  };
  using WeightOf = std::function<Read(std::int64_t)>;  // (one type for weights of all types: the rest is compiled once)
  std::vector<std::string> wrong(static_cast<std::size_t>(batch.graphs()));
  const auto fill = [&](std::int64_t g, const WeightOf& weight_of) {
    const auto d = batch.matrix(g);
    const int n = d.extent_int(0);
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j) d(i, j) = i == j ? S::one() : S::zero();
    std::int32_t* const number = numbers ? numbers->data() + batch.start(g) : nullptr;
    const std::int64_t row = batch.row(g);
    for (int i = 0; number && i < n; ++i) std::fill_n(number + i * row, n, -1);
    const std::int64_t begin = first.data()[g], end = first.data()[g + 1];
    for (std::int64_t e = begin; e < end; ++e) {
      const std::int64_t tail = from.data()[e] - lowest.data()[g], head = to.data()[e] - lowest.data()[g];
      const auto says = [&](const std::string& sentence) {
        auto& text = wrong[static_cast<std::size_t>(g)];
        if (text.empty())
          text = "edge " + std::to_string(own_numbers ? e - begin : e) +
                 (own_numbers ? " of graph " + std::to_string(g) : "") + ": " + sentence;
      };
      if (tail < 0 || tail >= n || head < 0 || head >= n) {
        says("it leads from vertex " + std::to_string(from.data()[e]) + " to " + std::to_string(to.data()[e]) +
             ", expected vertices from " + std::to_string(lowest.data()[g]) + " to " +
             std::to_string(lowest.data()[g] + n - 1) + ", those of graph " + std::to_string(g));
        continue;
      }
      const auto [weight, sentence] = weight_of(e);
      if (!sentence.empty()) {
        says(sentence);
        continue;
      }
      const auto add = [&](std::int64_t i, std::int64_t j) {
        T& entry = d(i, j);
        const T best = S::relax(entry, weight, S::one());
        if (number && i != j && best != entry)
          number[i * row + j] = static_cast<std::int32_t>(own_numbers ? e - begin : e);
        entry = best;
      };
      add(tail, head);
      if (!directed) add(head, tail);
    }
  };
  const auto all = [&](const WeightOf& weight_of) {
    Kokkos::parallel_for("blockfw::fill_graphs", Kokkos::RangePolicy<Host>(host(), 0, batch.graphs()),
                         [&](std::int64_t g) { fill(g, weight_of); });
  };
  if (weights) {
    with_type_of(*weights, [&](auto w) {
      const auto* const given = static_cast<const decltype(w)*>(weights->data());
      const std::int64_t step = weights->stride(0);
      all([&](std::int64_t e) -> Read {
        const auto weight = given[e * step];
        if (is_no_edge<double>(weight, NoEdge::of<S>())) return {S::zero(), {}};
        const std::string place;
        if (!fits<T>(weight)) return {S::zero(), misfit<T>(weight, place)};
        if (is_far<T>(weight)) return {S::zero(), too_far<T>(weight, place)};
        const T held = static_cast<T>(weight);
        if (!blockfw::detail::is_weight<S>(held))
          return {S::zero(), blockfw::detail::refused_weight<S>("the weight is ", held, "")};
        return {held, {}};
      });
    });
  } else {
    all([](std::int64_t) -> Read { return {T(1), {}}; });
  }
  for (const std::string& text : wrong)
    if (!text.empty()) throw blockfw::InvalidInput(text);
}

template <class T>
void bind(nb::module_& m) {
  m.def((std::string("solve_graphs_") + numpy_name<T>()).c_str(),
        [](const Array<T>& entries, const ConstArray<std::int32_t>& orders, bool directed, const std::string& semiring,
           const Numbers& predecessors, const Numbers& next_hops, const Numbers& hops, bool strict_cycles) {
          const auto batch = batch_of(entries, orders);
          Cycles cycles;
          {
            const Turn turn(as_one(batch));
            with_semiring<T>(semiring, [&](auto s) {
              cycles = solve_graphs<decltype(s)>(batch, directed, {predecessors, next_hops, hops}, strict_cycles);
            });
          }
          return nb::make_tuple(as_array(std::move(cycles.vertex)), as_array(std::move(cycles.other)));
        },
        nb::arg("entries").noconvert(), nb::arg("orders"), nb::arg("directed"), nb::arg("semiring"),
        nb::arg("predecessors").noconvert().none(), nb::arg("next_hops").noconvert().none(),
        nb::arg("hops").noconvert().none(), nb::arg("strict_cycles"));
  m.def((std::string("fill_graphs_") + numpy_name<T>()).c_str(),
        [](const Array<T>& entries, const ConstArray<std::int32_t>& orders, const ConstArray<std::int64_t>& first,
           const ConstArray<std::int64_t>& lowest, const ConstArray<std::int32_t>& from,
           const ConstArray<std::int32_t>& to, const std::optional<AnyArray>& weights, bool directed,
           const std::string& semiring, bool own_numbers, const Numbers& numbers) {
          const auto batch = batch_of(entries, orders);
          const Turn turn(0);
          with_semiring<T>(semiring, [&](auto s) {
            fill_graphs<decltype(s)>(batch, first, lowest, from, to, weights, directed, own_numbers, numbers);
          });
        },
        nb::arg("entries").noconvert(), nb::arg("orders"), nb::arg("first"), nb::arg("lowest"), nb::arg("from_"),
        nb::arg("to"), nb::arg("weights").none(), nb::arg("directed"), nb::arg("semiring"), nb::arg("own_numbers"),
        nb::arg("numbers").noconvert().none());
}

/// The memory of arrays of NumPy's, which stays valid until the end of the object.
class Buffers {
 public:
  /// For at most `count` arrays.
  explicit Buffers(std::size_t count) { all_.reserve(count); }
  Buffers(const Buffers&) = delete;
  Buffers& operator=(const Buffers&) = delete;
  ~Buffers() {
    for (Py_buffer& buffer : all_) PyBuffer_Release(&buffer);
  }

  /// \brief Adds a contiguous array.
  /// \return false if it is none
  bool add(const nb::handle array, int flags) {
    Py_buffer buffer;
    if (PyObject_GetBuffer(array.ptr(), &buffer, flags | PyBUF_C_CONTIGUOUS) != 0) {
      PyErr_Clear();
      return false;
    }
    all_.push_back(buffer);
    return true;
  }

  const std::vector<Py_buffer>& all() const { return all_; }

 private:
  std::vector<Py_buffer> all_;
};

/// \brief Copies the matrices of a list, one after the other.
/// \param dtype  the type of the first one, of numbers or bool
/// \return the number of rows of each matrix, and an array of all entries. None, unless all are square, contiguous
/// arrays of one type.
nb::object joined_matrices(const nb::list& matrices, const nb::object& dtype) {
  Buffers buffers(matrices.size());
  std::vector<std::int32_t> orders;
  std::vector<std::ptrdiff_t> starts;
  std::ptrdiff_t bytes = 0;
  const nb::handle type = nb::object(matrices[0]).type();
  for (const nb::handle matrix : matrices) {
    if (!matrix.type().is(type) || !buffers.add(matrix, PyBUF_FORMAT)) return nb::none();
    const Py_buffer &buffer = buffers.all().back(), &first = buffers.all().front();
    if (buffer.ndim != 2 || buffer.shape[0] != buffer.shape[1] || std::strcmp(buffer.format, first.format) != 0)
      return nb::none();
    orders.push_back(static_cast<std::int32_t>(buffer.shape[0]));
    starts.push_back(bytes);
    bytes += buffer.len;
  }
  const auto count = bytes / nb::cast<std::ptrdiff_t>(dtype.attr("itemsize"));
  const nb::object entries = nb::module_::import_("numpy").attr("empty")(count, dtype);
  Buffers joined(1);
  if (!joined.add(entries, PyBUF_WRITABLE)) return nb::none();
  {
    char* const to = static_cast<char*>(joined.all()[0].buf);
    const Turn turn(static_cast<std::int64_t>(std::sqrt(count)));
    Kokkos::parallel_for(
        "blockfw::joined_matrices", Kokkos::RangePolicy<Host>(host(), 0, static_cast<std::int64_t>(starts.size())),
        [&](std::int64_t g) {
          const Py_buffer& buffer = buffers.all()[static_cast<std::size_t>(g)];
          std::memcpy(to + starts[static_cast<std::size_t>(g)], buffer.buf, static_cast<std::size_t>(buffer.len));
        });
    host().fence("blockfw::joined_matrices");
  }
  return nb::make_tuple(as_array(std::move(orders)), entries);
}

}  // namespace

void bind_batch(nb::module_& m) {
  for_each_type([&]<class T>() { bind<T>(m); });
  m.def(
      "edges_of_paths",
      [](const ConstArray<std::int32_t>& orders, const Array<std::int32_t>& predecessors,
         const Array<std::int32_t>& hops, const Numbers& numbers, std::int64_t length, const Array<std::int32_t>& to) {
        using Lists = blockfw::BatchPaths<Host>;
        const auto of = [](const Array<std::int32_t>& array) { return Lists::Numbers(array.data(), array.shape(0)); };
        const auto batch = batch_of(predecessors, orders);
        const Turn turn(as_one(batch));
        blockfw::edges_of_paths(host(), batch, {of(predecessors), {}, of(hops)},
                                numbers ? of(*numbers) : Lists::Numbers(), length, of(to));
      },
      nb::arg("orders"), nb::arg("predecessors").noconvert(), nb::arg("hops").noconvert(),
      nb::arg("numbers").noconvert().none(), nb::arg("length"), nb::arg("to").noconvert());
  m.def("joined_matrices", &joined_matrices, nb::arg("matrices"), nb::arg("dtype"));
}

}  // namespace bindings
