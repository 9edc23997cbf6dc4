// SPDX-License-Identifier: MIT
/// \file
/// \brief Floyd-Warshall of one small matrix on the calling thread of a host, without a launch.
#pragma once

#include "blockfw/detail/backend/vectors.hpp"
#include "blockfw/detail/kernel/host_tile.hpp"
#include "blockfw/ground/matrix.hpp"
#include "blockfw/ground/semiring.hpp"
#include "blockfw/ground/tile.hpp"

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <memory>

namespace blockfw::detail {

/// The largest order of a matrix that one thread closes.
inline constexpr int largest_on_thread = 512;

/// Calls f(tile) with the smallest tile that holds a matrix of order n whole.
template <class F>
decltype(auto) with_whole_tile(int n, const F& f) {
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

  /// \brief Closes a matrix of at most largest_on_thread rows. It stops before the first pivot on a diverging cycle,
  /// whose diagonal entry shows it.
  /// \param next  a matrix that will be closed soon; it is prefetched meanwhile
  void close(const Ref& d, const Ref& next = {}) {
    with_whole_tile(d.extent_int(0), [&]<class Shape>(Shape) {
      T* const tile = memory(std::size_t{Shape::block} * Shape::block);
      with_vectors([&](auto level) __attribute__((always_inline)) {
        HostTile<Shape, Ref, S, decltype(level)>{d}.close(tile, next);
      });
    });
  }

 private:
  static constexpr std::size_t alignment = 64;
  struct Free {
    void operator()(T* memory) const { ::operator delete[](memory, std::align_val_t{alignment}); }
  };

  T* memory(std::size_t count) {
    if (count > count_) {
      memory_.reset(static_cast<T*>(::operator new[](count * sizeof(T), std::align_val_t{alignment})));
      count_ = count;
    }
    return memory_.get();
  }

  std::unique_ptr<T[], Free> memory_;
  std::size_t count_ = 0;
};

}  // namespace blockfw::detail
