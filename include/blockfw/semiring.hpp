/// \file
/// \brief The algebra of shortest paths: what "no path", "no step" and "relax" mean.
#pragma once

#include <Kokkos_Core.hpp>

#include <cstdint>
#include <limits>
#include <type_traits>

namespace blockfw {

/// The types a distance can have.
template <class T>
concept Distance = std::is_same_v<T, std::int16_t> || std::is_same_v<T, std::int32_t> ||
                   std::is_same_v<T, std::int64_t> || std::is_same_v<T, float> || std::is_same_v<T, double>;

/// \brief The distance of two vertices without a path between them.
///
/// It survives infinity + infinity: 2^(bits-2) - 1 for integers (1073741823 for int32), IEEE infinity for floats.
template <Distance T>
inline constexpr T infinity =
    std::numeric_limits<T>::has_infinity ? std::numeric_limits<T>::infinity() : std::numeric_limits<T>::max() / 2;

/// \brief Shortest paths: ⊕ = min, ⊗ = +.
///
/// \tparam T element type
template <Distance T>
struct MinPlus {
  using value_type = T;

  /// No path; what a tile is padded with.
  static KOKKOS_FUNCTION constexpr T zero() { return infinity<T>; }

  /// The empty path.
  static KOKKOS_FUNCTION constexpr T one() { return T(0); }

  /// c ⊕ (a ⊗ b). A NaN sum is not smaller than anything and leaves c as it is.
  static KOKKOS_FORCEINLINE_FUNCTION constexpr T relax(T c, T a, T b) {
    const T sum = static_cast<T>(a + b);
    // A device has an instruction for the smaller of two floats that prefers any number to a NaN; for doubles it has
    // none, and comparing is faster.
    if constexpr (std::is_same_v<T, float>) {
      KOKKOS_IF_ON_DEVICE((return fminf(sum, c);))
    }
    return sum < c ? sum : c;
  }

  /// The same for vectors of T, on a host.
  template <class Vector>
    requires(!std::is_arithmetic_v<Vector>)
  static Vector relax(Vector c, Vector a, Vector b) {
    const Vector sum = a + b;
    return sum < c ? sum : c;
  }

  /// Whether a diagonal entry betrays a cycle that gets better with every turn (a negative cycle).
  static KOKKOS_FORCEINLINE_FUNCTION constexpr bool diverges(T diagonal) { return diagonal < one(); }
};

}  // namespace blockfw
