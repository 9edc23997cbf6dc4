// SPDX-License-Identifier: MIT
/// \file
/// \brief Floyd-Warshall of one small matrix with predecessors, on the calling thread of a host.
#pragma once

#include "blockfw/detail/backend/vectors.hpp"
#include "blockfw/ground/lanes.hpp"
#include "blockfw/ground/matrix.hpp"
#include "blockfw/ground/rounding.hpp"
#include "blockfw/ground/semiring.hpp"
#include "blockfw/ground/vertex.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
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
  using Ref = MatrixRef<T, Kokkos::HostSpace>;

  /// \brief Closes a copy of a matrix of weights.
  /// \return a vertex on a diverging cycle, or the number of vertices
  int close(const Ref& weights) {
    read(weights);
    return with_vectors([&](auto level) __attribute__((always_inline)) { return close_on<decltype(level)>(); });
  }

  /// A row of distances, and of predecessors, after close().
  const T* distances(int i) const { return distances_.data() + static_cast<std::ptrdiff_t>(i) * row_; }
  const Index* before(int i) const { return before_.data() + static_cast<std::ptrdiff_t>(i) * row_; }

 private:
  static constexpr int line = 64 / static_cast<int>(sizeof(T));  // the widest vector
  static constexpr Index no_path = largest;

  void read(const Ref& weights) {
    n_ = weights.extent_int(0);
    row_ = round_up(n_, line);
    const auto count = static_cast<std::size_t>(n_) * static_cast<std::size_t>(row_);
    distances_.assign(count, S::zero());
    before_.assign(count, Index(no_vertex));
    if constexpr (Edges) edges_.assign(count, no_path);
    for (int i = 0; i < n_; ++i)
      for (int j = 0; j < n_; ++j) {
        const auto e = static_cast<std::size_t>(i) * static_cast<std::size_t>(row_) + static_cast<std::size_t>(j);
        const T weight = weights(i, j);
        if (i == j) {
          distances_[e] = S::relax(S::one(), weight, S::one());
          if constexpr (Edges) edges_[e] = 0;
        } else if (S::relax(S::zero(), weight, S::one()) != S::zero()) {  // (a weight beyond zero() is no edge, too)
          distances_[e] = weight;
          before_[e] = static_cast<Index>(i);
          if constexpr (Edges) edges_[e] = 1;
        }
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
            const Vertices shorter = (path == old).numbers() & (more < fewest).numbers();
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
