/// \file
/// \brief A row of a matrix in chunks of entries that are read together.
#pragma once

#include "blockfw/detail/backend/unroll.hpp"
#include "blockfw/tile.hpp"

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace blockfw::detail {

/// \brief Calls f(j) for the columns of a chunk of a row, of so many that each thread's loads are on their way
/// together: on a host neighbours, whom a vector holds, on a device apart, as other threads have what lies between.
template <class ExecSpace>
class EntryChunks {
 public:
  explicit EntryChunks(std::int64_t n) : n_(n), chunks_((n + length - 1) / length) {}

  KOKKOS_FUNCTION std::int64_t count() const { return chunks_; }

  template <class F>
  KOKKOS_FORCEINLINE_FUNCTION void for_each(std::int64_t chunk, const F& f) const {
    if constexpr (is_host_space<ExecSpace>) {
      const int first = static_cast<int>(length * chunk),
                end = static_cast<int>(Kokkos::min<std::int64_t>(n_, first + length));
      for (int j = first; j < end; ++j) f(j);
    } else {
      BLOCKFW_UNROLL
      for (int c = 0; c < length; ++c)
        if (const std::int64_t j = chunk + c * chunks_; j < n_) f(static_cast<int>(j));
    }
  }

 private:
  static constexpr int length = is_host_space<ExecSpace> ? 64 : 8;
  std::int64_t n_, chunks_;
};

}  // namespace blockfw::detail
