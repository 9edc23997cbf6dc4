// SPDX-License-Identifier: MIT
// Takes any bytes as a call of the sparse solver: a number of vertices, edges, an order, sources. The distances must be
// those of a plain Floyd-Warshall in wide numbers. Otherwise the error must be an error of the library with a valid
// reason.
//
// libFuzzer's entry, and the seeds; seeds.hpp calls it for them.
#include "blockfw/solve.hpp"
#include "blockfw/sparse.hpp"
#include "seeds.hpp"

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <numeric>
#include <optional>
#include <string_view>
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

// Graphs, and bytes that are no graph, by name.
const std::vector<Seed>& seeds() {
  using namespace std::string_view_literals;
  static const std::vector<Seed> all{
      {"bad-edge",
       "\r\244]\247\216\370\032Q\332\226B\002\277<\201\005\002\005\237\005\003\022\001\tr\005\t^\010\013\022"
       "\001\001\033\006\n\303\005\001G\002\001X\002\006g\010\005Z\004\004\236\013\t\210\t\tz\t\010\t\005\001"
       "\254\010\007'\010\006j\005\002p\010\007{\004\001D\337"sv},
      {"bad-input", "\021Sg\250K\344\222\237\3407"sv},
      {"few-edges", "\0247O\200&\r\313eXg\363\207Rv\273i\307"sv},
      {"graph-1",
       "\014\223\215\006\001\002\035\006\006\032\t\002\025\001\n\t\010\013\n"
       "\004\005\032\t\006\024\n\t\010\003\006 \003\003\023\006\003\016\t\002\036\007\t\034\002\003\020\006\013"
       "!\005\n\n\007\013\037\001\005\n\013\005\031\001\004\036\004\007\020\n"
       "\006\021\n\010\023\004\013\025\007\005\024\n\001#\n\t\022\003\005\030\004\002\027\001\006\021\t\003\014"
       "\010\003\t\t\n#\010\005\022\002\010\031\005\t\037\013\001\014\t\001!\013\005\033\007\003\t\t\n"
       "\035\007\010\021\013\010\033\001\001\n"sv},
      {"graph-2",
       "\0040$\002\001$\002\003\"\001\003\"\003\001\033\002\002#\001\001\027\001\003\020\003\002\r\003\001\017"
       "\002\001\r\001\001\033\003\001\020\003\001\034\003\001 \002\003\035\001\002\017\001\001\t\001\002\r\003"
       "\003\031\001\002\030\003\002\022\002\002\037\003\003\024\003\001\033\003\003\026\003\002\030\003\001"
       "\n\002\002!\001\003\017\001\003\025\003\003\n\003\002\"\003\002\025\003\001\027\001\003\023\001\003$"
       "\003\001\033\001\003\"\003\001\"\002\003\014\002\001\021\003\002\013\002\003!\003\002\017\003\001 \001"
       "\002\033\002\003\022\002\003 \003\001\024\001\003 \002\001\017\001\003 \002\002\025\003\002\n"
       "\003\002$\001\003\025\003\002\021"sv},
      {"graph-3",
       "\n\263\351\005\002\001\222\003\001\214\001\005/\007\007'\005\007\273\t\003`\004\006P\t\004L\003\004\227"
       "\003\006\221\t\007,\010\006F\t\002,\006\003\255\001\007f\005\010\016\001\003\271\010\007\260\010\002"
       " \t\007T\007\001H\006\0066\t\001\177\005\003^\006\010c\002\002[\003\005\\\007\001T\005\002\216\004\002"
       "\231\010\007\234\004\003~\t\002\222\007\004h\001\010\023\003\010\260\005\007\026\t\004z\004\004~\006"
       "\010C\006\003|\003\t\210\004\006a\006\007\260\003\005W\007\003\253\003\010v\001\tD\003\002L\007\002w"sv},
      {"negative-cycle",
       "\0227+}\300\345\346\022\237\366U\222\354\2470\036\025\304 D\001\020 \013\007\033\005\002\036\002\n"
       "!\016\017\027\007\r\032\001\010\031\017\t\"\006\005\033\006\004\014\017\r\010\t\006\r\017\003\033\t\010"
       "\014\r\r$\003\004\025\003\014%\003\006\027\n\013\t\021\001\034\006\001\017\010\005\030\007\014\016\001"
       "\004\022\013\006\022\014\001\025\020\021\010\021\t\035\002\014\027\005\005\016\020\t\021\010\005\n"
       "\004\003\022\004\020\025\004\016%\r\001\"\016\001\013\007\004\033\002\006\t\003\016\017\003\002\014\r"
       "\003\021\004\007$\003\007\033\253>"sv},
      {"overflow",
       "\0048<\002\002,\001\003\337,\240\004\250\002\0026\002\001\013\003\003L\002\001\375\260\365\232r\002\001"
       "\022\001\001\376\364\241\025\305\003\001\231\003\003;\001\003\264\003\001~\003\003R\002\0014\001\001"
       "\215\002\001\030\001\002!\003\003\235\002\003\372\2661\235\315\002\002\250\003\003\3406\241]\372\002"
       "\003\370\007\250\213\340\002\001\215\001\002\376\200c\010\020\002\003\230\002\001u\003\001(\003\002>"
       "\003\002\277\003\002\262\002\001\034\003\0032\003\001\340\017\253\310\023\002\003r\003\003\202\001\002"
       "\205\003\001\352\203t\333\263\003\003\236\001\003\004\001\003\352G\214!\253\002\003C\001\001\000\003"
       "\003F\003\001\300\003\001`\003\002\270\002\003,\003\002+\002\002\234\002\001\204"sv},
  };
  return all;
}
