// SPDX-License-Identifier: MIT
/// \file
/// \brief The work of the calling thread on a small matrix of the host, without a launch.
#pragma once

#include "blockfw/detail/backend/compiled.hpp"
#include "blockfw/detail/backend/vectors.hpp"
#include "blockfw/detail/base/lanes.hpp"
#include "blockfw/detail/kernel/host_tile.hpp"
#include "blockfw/ground/matrix.hpp"
#include "blockfw/ground/options.hpp"
#include "blockfw/ground/semiring.hpp"

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <type_traits>

namespace blockfw::detail {

/// The largest order of a matrix that one thread closes.
inline constexpr int largest_on_thread = 512;

/// Calls f(tile) with the smallest tile that holds a matrix of order n whole.
template <class F>
void with_whole_tile(int n, const F& f) {
  if (n <= 16) return f(Tile<16>());
  if (n <= 32) return f(Tile<32>());
  if (n <= 64) return f(Tile<64>());
  if (n <= 128) return f(Tile<128>());
  if (n <= 256) return f(Tile<256>());
  return f(Tile<largest_on_thread>());
}

/// \brief Closes matrices on one thread, one after another. It keeps the memory to work in.
template <Semiring S>
class ThreadCloser {
  using T = typename S::value_type;

 public:
  using Ref = MatrixRef<T, Kokkos::HostSpace>;

  /// \brief Closes a matrix of at most largest_on_thread rows. It stops before the first pivot on a cycle that
  /// diverges, whose diagonal entry shows it.
  /// \param next  a matrix that will be closed soon; it is prefetched meanwhile
  void close([[maybe_unused]] const Ref& d, [[maybe_unused]] const Ref& next = {}) {
    // (A device's compiler knows no vectors.)
    KOKKOS_IF_ON_HOST((with_whole_tile(d.extent_int(0), [&]<class Shape>(Shape) {
                         constexpr std::size_t lines = Shape::block * Shape::block * sizeof(T) / sizeof(Line);
                         if (lines > lines_) {
                           memory_ = std::make_unique_for_overwrite<Line[]>(lines);
                           lines_ = lines;
                         }
                         T* const tile = reinterpret_cast<T*>(memory_.get());
                         with_vectors([&](auto level) __attribute__((always_inline)) {
                           HostTile<Shape, Ref, S, decltype(level)>{d}.close(tile, next);
                         });
                       });))
  }

 private:
  struct alignas(64) Line {
    std::byte bytes[64];
  };
  std::unique_ptr<Line[]> memory_;
  std::size_t lines_ = 0;
};

/// \brief Replaces a sum of zero() and weights, which means no path, by zero(). Floats, and numbers of the caller's
/// semirings, stay as they are.
/// \tparam V  a number or lanes
template <Semiring S, class V, class T = typename S::value_type>
BLOCKFW_ALWAYS_INLINE V without_far(V distances) {
  constexpr T half = infinity<T> / 2;
  if constexpr (std::is_integral_v<T> && std::is_same_v<S, MinPlus<T>>)
    return choose(distances > V(half), V(S::zero()), distances);
  else if constexpr (std::is_integral_v<T> && std::is_same_v<S, MaxPlus<T>>)
    return choose(distances < V(T(-half)), V(S::zero()), distances);
  else
    return distances;
}

// (Objects in place of lambdas: see vectors.hpp.)
/// Applies without_far() to a row's entries.
template <Semiring S>
struct WithoutFar {
  template <class V>
  BLOCKFW_ALWAYS_INLINE V operator()(V distances, std::int64_t) const {
    return without_far<S>(distances);
  }
};
/// The better of the entries of a row and of the paths by an edge.
template <Semiring S, class T = typename S::value_type>
struct BetterByEdge {
  T by_edge;        ///< the distance from the row's vertex to the edge's end, by the edge
  const T* onward;  ///< the row of the edge's end

  template <class V>
  BLOCKFW_ALWAYS_INLINE V operator()(V distances, std::int64_t j) const {
    V further;
    if constexpr (is_lanes<V>)
      further = V::load(onward + j);
    else
      further = onward[j];
    return without_far<S>(S::relax(distances, V(by_edge), further));
  }
};

/// \brief entries[j] ← f(lanes of entries, j) for all j in [0, n), in vectors of a level. It may be called twice for an
/// entry, the second time with its own result.
/// \param f  f(V entries, j) for a number or lanes V that begin at j
template <class Level, class T, class F>
BLOCKFW_ALWAYS_INLINE void for_lanes_of_row(std::int64_t n, T* entries, const F& f) {
  constexpr int width = Level::bytes / static_cast<int>(sizeof(T));
  using V = Lanes<Level, T, width>;
  if (n < width) {
    for (std::int64_t j = 0; j < n; ++j) entries[j] = f(entries[j], j);
    return;
  }
  for (std::int64_t j = 0; j + width < n; j += width) f(V::load(entries + j), j).store(entries + j);
  f(V::load(entries + n - width), n - width).store(entries + n - width);
}

}  // namespace blockfw::detail

/// The work of one thread.
#define BLOCKFW_COMPILED_THREAD(LINKAGE, S) LINKAGE template class blockfw::detail::ThreadCloser<S>;

#if defined(BLOCKFW_COMPILED) && !defined(BLOCKFW_BUILT_FOR_DEVICE)
BLOCKFW_COMPILED_SHORTEST(BLOCKFW_COMPILED_THREAD, extern)
#endif
