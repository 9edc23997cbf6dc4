// SPDX-License-Identifier: MIT
// Takes any bytes as a call of the sparse solver: a number of vertices, edges, an order, sources. The distances must be
// those of a plain Floyd-Warshall in wide numbers. Otherwise the error must be an error of the library with a valid
// reason.
//
// libFuzzer's entry; run_seeds.cpp calls it for its seeds.
#include "blockfw/solve.hpp"
#include "blockfw/sparse.hpp"

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <numeric>
#include <optional>
#include <vector>

namespace {

using Host = Kokkos::DefaultHostExecutionSpace;
using blockfw::Direction;
__extension__ typedef __int128 Wide;

void require(bool holds) {
  if (!holds) std::abort();
}

/// Numbers out of bytes; zeros after the last.
struct Bytes {
  const std::uint8_t* data;
  std::size_t size;

  int next() { return size == 0 ? 0 : (--size, *data++); }
  /// A number, mostly small, at times any number of the type.
  template <class T>
  T weight() {
    const int kind = next();
    if (kind < 200) return static_cast<T>(kind - 8);
    std::uint64_t bits = 0;
    for (std::size_t byte = 0; byte < sizeof(T); ++byte) bits = bits << 8 | static_cast<std::uint64_t>(next());
    return static_cast<T>(bits);
  }
};

template <class T>
struct Call {
  int n = 0, width = 0;
  std::vector<blockfw::Edge<T>> edges;
  std::optional<std::vector<std::int32_t>> order;
  std::vector<int> sources;
  Direction direction = Direction::directed;
};

template <class T>
Call<T> call_of(Bytes bytes) {
  Call<T> call;
  call.n = bytes.next() % 24 - 1;
  const int flags = bytes.next();
  if (flags & 1) call.direction = Direction::undirected;
  call.width = flags & 2 ? 1 + flags / 16 : 1 << 20;
  if (flags & 4) {
    call.order.emplace(static_cast<std::size_t>(std::max(call.n, 0)));
    std::iota(call.order->begin(), call.order->end(), 0);
    for (auto& vertex : *call.order)
      if (flags & 8)
        vertex = bytes.next() - 1;  // hardly ever a permutation
      else
        std::swap(vertex, (*call.order)[static_cast<std::size_t>(bytes.next()) % call.order->size()]);
  }
  for (int sources = bytes.next() % 4; sources > 0; --sources) call.sources.push_back(bytes.next() % 25 - 1);
  while (bytes.size > 0) {
    const int from = bytes.next() % 26 - 1, to = bytes.next() % 26 - 1;
    call.edges.push_back({from, to, bytes.weight<T>()});
  }
  return call;
}

/// All distances; `none` without a path; nothing if a cycle is negative.
constexpr Wide none = Wide{1} << 100;
template <class T>
std::optional<std::vector<Wide>> reference(const Call<T>& call) {
  const auto n = static_cast<std::size_t>(call.n);
  std::vector<Wide> d(n * n, none);
  for (std::size_t i = 0; i < n; ++i) d[i * n + i] = 0;
  for (const auto& edge : call.edges) {
    if (edge.weight >= blockfw::infinity<T>) continue;  // no edge
    const auto i = static_cast<std::size_t>(edge.from), j = static_cast<std::size_t>(edge.to);
    d[i * n + j] = std::min<Wide>(d[i * n + j], edge.weight);
    if (call.direction == Direction::undirected) d[j * n + i] = std::min<Wide>(d[j * n + i], edge.weight);
  }
  for (std::size_t k = 0; k < n; ++k)
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j)
        if (d[i * n + k] != none && d[k * n + j] != none)
          d[i * n + j] = std::max(-none / 4, std::min(d[i * n + j], d[i * n + k] + d[k * n + j]));
  for (std::size_t i = 0; i < n; ++i)
    if (d[i * n + i] < 0) return std::nullopt;
  return d;
}

template <class T>
void check(const Call<T>& call, blockfw::Method method) {
  const auto in_range = [&](std::int64_t v) { return v >= 0 && v < call.n; };
  const bool good_edges = std::all_of(call.edges.begin(), call.edges.end(),
                                      [&](const auto& edge) { return in_range(edge.from) && in_range(edge.to); });
  bool good_order = true;
  if (call.order) {
    auto sorted = *call.order;
    std::sort(sorted.begin(), sorted.end());
    for (std::size_t k = 0; k < sorted.size(); ++k) good_order = good_order && sorted[k] == static_cast<int>(k);
  }
  const bool good_sources = std::all_of(call.sources.begin(), call.sources.end(), in_range);
  const bool right = call.n >= 0 && good_edges && good_order && good_sources;
  try {
    const auto analysis =
        call.order ? blockfw::SparseAnalysis(call.n, call.edges, {.order = *call.order, .most_width = call.width})
                   : blockfw::SparseAnalysis(call.n, call.edges);
    const blockfw::SparseFactor<blockfw::MinPlus<T>, Host> factor(Host(), analysis, call.edges,
                                                                  {.direction = call.direction});
    const auto rows = factor.distances_from(call.sources);
    require(right);
    const auto d = factor.solve();
    const auto expected = reference(call);
    require(expected.has_value());
    const auto n = static_cast<std::size_t>(call.n);
    const auto equal = [&](T found, std::size_t i, std::size_t j) {
      const Wide wide = (*expected)[i * n + j];
      return wide == none ? found == blockfw::infinity<T> : found == wide;
    };
    blockfw::SolveOptions options;
    options.direction = call.direction;
    options.method = method;
    const auto solved = blockfw::solve(Host(), call.n, call.edges, options);
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j) require(equal(d(i, j), i, j) && equal(solved(i, j), i, j));
    for (std::size_t s = 0; s < call.sources.size(); ++s) {
      const auto i = static_cast<std::size_t>(call.sources[s]);
      for (std::size_t j = 0; j < n; ++j) {
        require(equal(rows(s, j), i, j));
        const auto from = static_cast<std::int64_t>(i), to = static_cast<std::int64_t>(j);
        require(factor.distance(from, to) == d(i, j));
        const auto path = factor.path(from, to);
        require(path.empty() == (d(i, j) == blockfw::infinity<T>));
        require(path.empty() || (path.front() == from && path.back() == to));
      }
    }
    const auto reach = factor.reach();
    for (std::size_t i = 0; i < n; ++i) {
      double sum = 0, magnitudes = 0;
      for (std::size_t j = 0; j < n; ++j)
        if (d(i, j) < blockfw::infinity<T>) {
          sum += static_cast<double>(d(i, j));
          magnitudes += std::abs(static_cast<double>(d(i, j)));
        }
      require(std::abs(static_cast<double>(reach[i].sum) - sum) <= 1e-14 * magnitudes);
    }
  } catch (const blockfw::OverflowRisk&) {
    // An OverflowRisk is right only if sums could be large. Sums are safe if no weight is negative and the total fits.
    Wide total = 0;
    bool negative = false;
    for (const auto& edge : call.edges)
      total += edge.weight < 0 ? -Wide{edge.weight} : Wide{edge.weight}, negative = negative || edge.weight < 0;
    require(negative || total >= blockfw::infinity<T> || total >= Wide{1} << 53);
  } catch (const blockfw::NegativeCycle& cycle) {
    require(!reference(call) && in_range(cycle.vertex));
  } catch (const blockfw::InvalidEdge&) {
    require(!good_edges);
  } catch (const blockfw::InvalidInput&) {
    require(!right);
  }
}

template <class T>
void check_type(const Bytes& bytes) {
  const auto call = call_of<T>(bytes);
  check(call, blockfw::Method::sparse);
  check(call, blockfw::Method::dense);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const Kokkos::ScopeGuard kokkos;
  check_type<std::int16_t>({data, size});
  check_type<std::int32_t>({data, size});
  check_type<std::int64_t>({data, size});
  return 0;
}
