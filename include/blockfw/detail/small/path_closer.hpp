// SPDX-License-Identifier: MIT
/// \file
/// \brief Floyd-Warshall of one small matrix with predecessors, on the calling thread of a host.
#pragma once

#include "blockfw/detail/backend/vectors.hpp"
#include "blockfw/detail/base/lanes.hpp"
#include "blockfw/detail/base/rounding.hpp"
#include "blockfw/ground/answers.hpp"
#include "blockfw/ground/matrix.hpp"
#include "blockfw/ground/semiring.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <vector>

namespace blockfw::detail {

/// \brief Closes matrices with predecessors on one thread, one after another. It keeps the memory to work in.
///
/// A pivot's row improves other rows vector by vector. Where it does, its predecessors replace theirs. A path replaces
/// another path only if it is better. With Edges a path of fewer edges also replaces a path of the same length.
///
/// \tparam Edges  whether to count the edges of paths
template <Semiring S, bool Edges>
class PathCloser {
  using T = typename S::value_type;
  /// A vertex, in as many bits as a distance, so that one comparison of vectors chooses both.
  using Index = MaskElement<T>;

 public:
  /// The largest order: sums of two numbers of edges fit an Index.
  static constexpr std::int64_t largest = std::numeric_limits<Index>::max() / 2;

  /// \brief Closes a copy of a matrix of weights.
  /// \param weights  with contiguous rows. Their type may be a wider one, if all sums fit T.
  /// \return a vertex on a diverging cycle, or the number of vertices
  template <class W>
  int close(const MatrixRef<W, Kokkos::HostSpace>& weights) {
    read(weights);
    // (A device's compiler knows no vectors.)
    KOKKOS_IF_ON_HOST(
        (return with_vectors([&](auto level) __attribute__((always_inline)) { return close_on<decltype(level)>(); });))
    KOKKOS_IF_ON_DEVICE((return n_;))
  }

  /// The bytes that a graph of n vertices takes.
  static double bytes(double n) { return n * (n + line) * sizeof(T) * (Edges ? 3 : 2); }

  /// A row of distances, and of predecessors, after close().
  const T* distances(int i) const { return distances_.data() + static_cast<std::ptrdiff_t>(i) * row_; }
  const Index* before(int i) const { return before_.data() + static_cast<std::ptrdiff_t>(i) * row_; }
  /// The numbers of edges of a row's paths; `largest` without a path.
  const Index* edges(int i) const { return edges_.data() + static_cast<std::ptrdiff_t>(i) * row_; }

 private:
  static constexpr int line = 64 / static_cast<int>(sizeof(T));  // the widest vector
  static constexpr Index no_path = largest;

  template <class W>
  static T read_weight(W weight) {
    if constexpr (std::is_same_v<T, W>)
      return S::relax(S::zero(), weight, S::one());  // (beyond zero() is no edge, too)
    else
      return weight < infinity<W> ? static_cast<T>(weight) : S::zero();
  }

  template <class W>
  void read(const MatrixRef<W, Kokkos::HostSpace>& weights) {
    static_assert(std::is_same_v<T, W> || std::is_same_v<S, MinPlus<T>>);
    n_ = weights.extent_int(0);
    row_ = round_up(n_, line);
    const auto count = static_cast<std::size_t>(n_) * static_cast<std::size_t>(row_);
    distances_.resize(count);
    before_.resize(count);
    if constexpr (Edges) edges_.resize(count);
    for (int i = 0; i < n_; ++i) {
      const W* const from = &weights(i, 0);
      const std::ptrdiff_t first = static_cast<std::ptrdiff_t>(i) * row_;
      T* const to = distances_.data() + first;
      Index* const before = before_.data() + first;
      for (int j = 0; j < n_; ++j) to[j] = read_weight(from[j]);
      std::fill(to + n_, to + row_, S::zero());
      to[i] = S::zero();
      for (int j = 0; j < row_; ++j) before[j] = to[j] == S::zero() ? Index(no_vertex) : static_cast<Index>(i);
      if constexpr (Edges) {
        Index* const edges = edges_.data() + first;
        for (int j = 0; j < row_; ++j) edges[j] = to[j] == S::zero() ? no_path : Index(1);
        edges[i] = 0;
      }
      if constexpr (std::is_same_v<T, W>)
        to[i] = S::relax(S::one(), from[i], S::one());
      else
        to[i] = from[i] < W(0) ? static_cast<T>(from[i]) : S::one();
    }
  }

  template <class Level>
  BLOCKFW_ALWAYS_INLINE int close_on() {
    constexpr int width = Level::bytes / static_cast<int>(sizeof(T));
    using V = Lanes<Level, T, width>;
    using Vertices = Lanes<Level, Index, width>;
    const V zero = V::broadcast(S::zero()), one = V::broadcast(S::one());
    const auto row = [this](auto& of, int i)
                         __attribute__((always_inline)) { return of.data() + static_cast<std::ptrdiff_t>(i) * row_; };
    for (int k = 0; k < n_; ++k) {
      const T* const through = row(distances_, k);
      const Index* const before_through = row(before_, k);
      if (S::diverges(through[k])) return k;
      for (int i = 0; i < n_; ++i) {
        T* const mine = row(distances_, i);
        Index* const before_mine = row(before_, i);
        if (i == k || mine[k] == S::zero()) continue;
        const V to_pivot = V::broadcast(mine[k]);
        for (int j = 0; j < row_; j += width) {
          const V onward = V::load(through + j), old = V::load(mine + j);
          const V path = V::choose(onward == zero, zero, S::relax(zero, to_pivot, onward));
          const V best = S::relax(old, path, one);
          if constexpr (Edges) {
            Index* const edges_mine = row(edges_, i) + j;
            const Vertices more = Vertices::broadcast(row(edges_, i)[k]) + Vertices::load(row(edges_, k) + j);
            const Vertices fewest = Vertices::load(edges_mine);
            const Vertices shorter = (path == old).numbers() & (path != zero).numbers() & (more < fewest).numbers();
            const auto takes = ((best != old).numbers() | shorter) != Vertices::broadcast(Index(0));
            best.store(mine + j);
            Vertices::choose(takes, more, fewest).store(edges_mine);
            Vertices::choose(takes, Vertices::load(before_through + j), Vertices::load(before_mine + j))
                .store(before_mine + j);
          } else {
            const auto takes = (best != old).numbers() != Vertices::broadcast(Index(0));
            best.store(mine + j);
            Vertices::choose(takes, Vertices::load(before_through + j), Vertices::load(before_mine + j))
                .store(before_mine + j);
          }
        }
      }
    }
    return n_;
  }

  int n_ = 0, row_ = 0;
  std::vector<T> distances_;
  std::vector<Index> before_, edges_;
};

}  // namespace blockfw::detail
