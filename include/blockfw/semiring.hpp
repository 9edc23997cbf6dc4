/// \file
/// \brief The algebras of paths: what "no path", "no step", "relax" and "better" mean.
///
/// A semiring here is a type without state, such as
/// \code
///   struct Widest {                                        // the widest of all paths, each as wide as its narrowest
///   edge
///     using value_type = float;
///     static constexpr float zero() { return 0; }          // no path: neutral for ⊕, and whatever ⊗ adds to it is
///     none static constexpr float one() { return 1e30f; }       // the empty path: neutral for ⊗ template <class V> //
///     c ⊕ (a ⊗ b), of numbers and of vectors static KOKKOS_FORCEINLINE_FUNCTION constexpr V relax(V c, V a, V b) {
///       return blockfw::larger(blockfw::smaller(a, b), c);
///     }
///     static KOKKOS_FORCEINLINE_FUNCTION constexpr bool diverges(float) { return false; }
///   };
///   auto width = blockfw::solve<Widest>(n, edges);
/// \endcode
/// What the solver takes for granted: ⊕ is associative, commutative and idempotent (a ⊕ a = a: a path that is found
/// twice does no harm), ⊗ is associative and distributes over ⊕, and going around a cycle gains nothing: one ⊕ x = one
/// for every cycle x, unless diverges(x). Where ⊗ is commutative, too, `static constexpr bool commutative = true;` lets
/// undirected graphs be solved with half the work. What can be checked of this is, when a program is compiled.
#pragma once

#include <Kokkos_Core.hpp>

#include <concepts>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace blockfw {

/// The types a distance can have.
template <class T>
concept Distance = std::is_same_v<T, std::int16_t> || std::is_same_v<T, std::int32_t> ||
                   std::is_same_v<T, std::int64_t> || std::is_same_v<T, float> || std::is_same_v<T, double>;

namespace detail {

/// Those, and what solve() on a host works in where no distance needs more.
template <class T>
concept Element = Distance<T> || std::is_same_v<T, std::int8_t>;

}  // namespace detail

/// \brief The distance of two vertices without a path between them.
///
/// It survives infinity + infinity: 2^(bits-2) - 1 for integers (1073741823 for int32), IEEE infinity for floats.
template <detail::Element T>
inline constexpr T infinity =
    std::numeric_limits<T>::has_infinity ? std::numeric_limits<T>::infinity() : std::numeric_limits<T>::max() / 2;

/// The smaller of two numbers, or of two vectors lane by lane; b if a is NaN.
template <class V>
KOKKOS_FORCEINLINE_FUNCTION constexpr V smaller(V a, V b) {
  // A device has an instruction for the smaller of two floats that prefers any number to a NaN; for doubles it has
  // none, and comparing is faster.
  if constexpr (std::is_same_v<V, float>) {
    if (!__builtin_is_constant_evaluated()) KOKKOS_IF_ON_DEVICE((return fminf(a, b);))
  }
  return a < b ? a : b;
}

/// The larger one, likewise.
template <class V>
KOKKOS_FORCEINLINE_FUNCTION constexpr V larger(V a, V b) {
  if constexpr (std::is_same_v<V, float>) {
    if (!__builtin_is_constant_evaluated()) KOKKOS_IF_ON_DEVICE((return fmaxf(a, b);))
  }
  return a > b ? a : b;
}

/// Whether S is what this file says of a semiring, as far as its form goes.
template <class S>
concept Semiring = detail::Element<typename S::value_type> && requires(typename S::value_type x) {
  { S::zero() } -> std::same_as<typename S::value_type>;
  { S::one() } -> std::same_as<typename S::value_type>;
  { S::relax(x, x, x) } -> std::same_as<typename S::value_type>;
  { S::diverges(x) } -> std::same_as<bool>;
};

namespace detail {

/// Whether zero and one are what they are called, as far as they and a 1 can tell.
template <Semiring S>
constexpr bool has_zero_and_one() {
  using T = typename S::value_type;
  const T zero = S::zero(), one = S::one(), samples[] = {zero, one, T(1)};
  for (const T x : samples) {
    if (S::relax(x, zero, one) != x || S::relax(x, one, zero) != x || S::relax(x, zero, zero) != x) return false;
    if (S::relax(zero, one, x) != x || S::relax(zero, x, one) != x || S::relax(x, one, x) != x) return false;
  }
  return !S::diverges(one);
}

template <class S>
inline constexpr bool is_commutative = [] {
  if constexpr (requires { S::commutative; }) return bool(S::commutative);
  return false;
}();

}  // namespace detail

/// \brief Shortest paths: ⊕ = min, ⊗ = +.
///
/// \tparam T element type
template <detail::Element T>
struct MinPlus {
  using value_type = T;
  static constexpr bool commutative = true;

  /// No path; what a tile is padded with.
  static KOKKOS_FUNCTION constexpr T zero() { return infinity<T>; }

  /// The empty path.
  static KOKKOS_FUNCTION constexpr T one() { return T(0); }

  /// c ⊕ (a ⊗ b), of numbers or vectors. A NaN sum is not smaller than anything and leaves c as it is.
  template <class V>
  static KOKKOS_FORCEINLINE_FUNCTION constexpr V relax(V c, V a, V b) {
    return smaller(static_cast<V>(a + b), c);
  }

  /// Whether a diagonal entry betrays a cycle that gets better with every turn (a negative cycle).
  static KOKKOS_FORCEINLINE_FUNCTION constexpr bool diverges(T diagonal) { return diagonal < one(); }
};

/// \brief Longest paths: ⊕ = max, ⊗ = +. For graphs without cycles of a positive length: critical paths.
template <Distance T>
struct MaxPlus {
  using value_type = T;
  static constexpr bool commutative = true;
  static KOKKOS_FUNCTION constexpr T zero() { return -infinity<T>; }
  static KOKKOS_FUNCTION constexpr T one() { return T(0); }
  template <class V>
  static KOKKOS_FORCEINLINE_FUNCTION constexpr V relax(V c, V a, V b) {
    return larger(static_cast<V>(a + b), c);
  }
  static KOKKOS_FORCEINLINE_FUNCTION constexpr bool diverges(T diagonal) { return diagonal > one(); }
};

/// \brief Widest paths: ⊕ = max, ⊗ = min; a path is as wide as its narrowest edge. No path is -infinity<T> wide.
template <Distance T>
struct MaxMin {
  using value_type = T;
  static constexpr bool commutative = true;
  static KOKKOS_FUNCTION constexpr T zero() { return -infinity<T>; }
  static KOKKOS_FUNCTION constexpr T one() { return infinity<T>; }
  template <class V>
  static KOKKOS_FORCEINLINE_FUNCTION constexpr V relax(V c, V a, V b) {
    return larger(smaller(a, b), c);
  }
  static KOKKOS_FORCEINLINE_FUNCTION constexpr bool diverges(T) { return false; }
};

/// \brief Bottlenecks: ⊕ = min, ⊗ = max; a path costs as much as its worst edge. No path costs infinity<T>.
template <Distance T>
struct MinMax {
  using value_type = T;
  static constexpr bool commutative = true;
  static KOKKOS_FUNCTION constexpr T zero() { return infinity<T>; }
  static KOKKOS_FUNCTION constexpr T one() { return -infinity<T>; }
  template <class V>
  static KOKKOS_FORCEINLINE_FUNCTION constexpr V relax(V c, V a, V b) {
    return smaller(larger(a, b), c);
  }
  static KOKKOS_FORCEINLINE_FUNCTION constexpr bool diverges(T) { return false; }
};

/// \brief Most reliable paths: ⊕ = max, ⊗ = ·; weights are probabilities. No path has 0.
template <Distance T>
  requires std::is_floating_point_v<T>
struct MaxTimes {
  using value_type = T;
  static constexpr bool commutative = true;
  static KOKKOS_FUNCTION constexpr T zero() { return T(0); }
  static KOKKOS_FUNCTION constexpr T one() { return T(1); }
  template <class V>
  static KOKKOS_FORCEINLINE_FUNCTION constexpr V relax(V c, V a, V b) {
    return larger(static_cast<V>(a * b), c);
  }
  static KOKKOS_FORCEINLINE_FUNCTION constexpr bool diverges(T diagonal) { return diagonal > one(); }
  /// What a weight can be; of a negative one a better path might make a worse product.
  static KOKKOS_FORCEINLINE_FUNCTION constexpr bool accepts(T weight) { return weight >= T(0); }
};

namespace detail {

template <class Over, class Weight>
struct SemiringOf {
  using type = Over;
};
template <Distance Over, class Weight>
struct SemiringOf<Over, Weight> {
  using type = MinPlus<Over>;
};
template <class Weight>
struct SemiringOf<void, Weight> {
  using type = MinPlus<Weight>;
};

}  // namespace detail

/// \brief What solve<Over>() of weights W works in: a semiring that is named, or shortest paths in a type that is, or
/// in the weights' own.
template <class Over, class Weight>
using semiring_of = typename detail::SemiringOf<Over, Weight>::type;

}  // namespace blockfw
