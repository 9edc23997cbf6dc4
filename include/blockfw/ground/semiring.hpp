// SPDX-License-Identifier: MIT
/// \file
/// \brief Semirings: the meaning of "no path", "empty path", "relax" and "better" for each kind of path problem.
///
/// A semiring here is a type without state. For example, for widest paths, where a path is as wide as its narrowest
/// edge:
/// \code
///   struct Widest {
///     using value_type = float;
///     // No path: neutral for ⊕; a path joined to it by ⊗ is no path.
///     static KOKKOS_FUNCTION constexpr float zero() { return 0; }
///     // The empty path: neutral for ⊗.
///     static KOKKOS_FUNCTION constexpr float one() { return 1e30F; }
///     // c ⊕ (a ⊗ b), of numbers and of vectors.
///     template <class V>
///     static KOKKOS_FORCEINLINE_FUNCTION constexpr V relax(V c, V a, V b) {
///       return blockfw::larger(blockfw::smaller(a, b), c);
///     }
///     // Whether a cycle gets better each time around.
///     static KOKKOS_FORCEINLINE_FUNCTION constexpr bool diverges(float) { return false; }
///   };
///   auto width = blockfw::solve<Widest>(n, bridges);
/// \endcode
/// A host's vectors are a class. On them relax() has +, -, *, &, |, comparisons, choose(), smaller() and larger(), also
/// with a number, but no other functions. choose(a < b, x, y) stands for a < b ? x : y. relax() should be
/// KOKKOS_FORCEINLINE_FUNCTION: a call takes many times as long. (It is compiled for several processors. Some of them
/// join a product and a sum of floats to one operation, rounded once.)
///
/// The solver relies on three laws. ⊕ is associative, commutative and idempotent: a ⊕ a = a, so a path that is found
/// twice does no harm. ⊗ is associative and distributes over ⊕. Going around a cycle gains nothing: one ⊕ x = one for
/// every cycle x, unless diverges(x). The laws that can be checked are checked at compile time.
///
/// Two members are optional. If ⊗ is commutative, too, `static constexpr bool commutative = true;` lets undirected
/// graphs be solved with half the work. `static KOKKOS_FORCEINLINE_FUNCTION constexpr bool accepts(value_type)` returns
/// false for a weight to be refused. The weight zero() is never refused: it is no edge (docs/weights.md).
#pragma once

#include "blockfw/detail/base/lanes.hpp"
#include "blockfw/detail/base/two_sums.hpp"

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
/// Whether T is a list of numbers, one for each of several sets of weights (detail/elimination/sets.hpp).
template <class T>
inline constexpr bool is_per_set = false;
}  // namespace detail

/// The distance types, and int8_t, in which solve() works on a host if all distances fit. (And two that a caller never
/// sees: the sums of two weights in SecondWeights, and the lists of numbers in WeightSets.)
template <class T>
concept Element = Distance<T> || std::is_same_v<T, std::int8_t> || detail::is_two_sums<T> || detail::is_per_set<T>;

/// \brief The distance of two vertices without a path between them.
///
/// infinity + infinity does not overflow: 2^(bits-2) - 1 for integers (1073741823 for int32), IEEE infinity for floats.
template <Element T>
inline constexpr T infinity =
    std::numeric_limits<T>::has_infinity ? std::numeric_limits<T>::infinity() : std::numeric_limits<T>::max() / 2;
/// The sums of no path.
template <class First, class Second>
inline constexpr detail::TwoSums<First, Second> infinity<detail::TwoSums<First, Second>> = {infinity<First>, Second(0)};

/// The largest distance that is not infinity<T>.
template <Distance T>
inline constexpr T longest_finite =
    std::numeric_limits<T>::has_infinity ? std::numeric_limits<T>::max() : static_cast<T>(infinity<T> - 1);

/// a where the test holds, else b. For two vectors the choice is made for each pair of elements, and the test is a
/// comparison of vectors.
template <class V, class Test>
KOKKOS_FORCEINLINE_FUNCTION constexpr V choose(Test test, V a, V b) {
  if constexpr (detail::is_lanes<V>)
    KOKKOS_IF_ON_HOST((return V::choose(test, a, b);))
  else
    return test ? a : b;
}

/// The smaller of two numbers, or of each pair of elements of two vectors; b if a is NaN.
template <class V>
KOKKOS_FORCEINLINE_FUNCTION constexpr V smaller(V a, V b) {
  // A device has an instruction for the smaller of two floats, which prefers any number to a NaN. For doubles it has
  // none, and a comparison is faster.
  if constexpr (std::is_same_v<V, float>) {
    if (!__builtin_is_constant_evaluated()) KOKKOS_IF_ON_DEVICE((return fminf(a, b);))
  }
  if constexpr (detail::is_lanes<V>)
    KOKKOS_IF_ON_HOST((return V::smaller(a, b);))
  else
    return a < b ? a : b;
}

/// The larger of two numbers, or of each pair of elements of two vectors; b if a is NaN.
template <class V>
KOKKOS_FORCEINLINE_FUNCTION constexpr V larger(V a, V b) {
  if constexpr (std::is_same_v<V, float>) {
    if (!__builtin_is_constant_evaluated()) KOKKOS_IF_ON_DEVICE((return fmaxf(a, b);))
  }
  if constexpr (detail::is_lanes<V>)
    KOKKOS_IF_ON_HOST((return V::larger(a, b);))
  else
    return a > b ? a : b;
}

/// Whether S has the members that this file requires of a semiring.
template <class S>
concept Semiring = Element<typename S::value_type> && requires(typename S::value_type x) {
  { S::zero() } -> std::same_as<typename S::value_type>;
  { S::one() } -> std::same_as<typename S::value_type>;
  { S::relax(x, x, x) } -> std::same_as<typename S::value_type>;
  { S::diverges(x) } -> std::same_as<bool>;
};

/// \brief Shortest paths: ⊕ = min, ⊗ = +.
///
/// \tparam T element type
template <Element T>
struct MinPlus {
  /// The type of weights and distances.
  using value_type = T;
  /// ⊗ is commutative: an undirected graph takes half the work.
  static constexpr bool commutative = true;

  /// No path; tiles are padded with it.
  static KOKKOS_FUNCTION constexpr T zero() { return infinity<T>; }

  /// The empty path.
  static KOKKOS_FUNCTION constexpr T one() { return T(0); }

  /// c ⊕ (a ⊗ b), of numbers or vectors. A NaN sum is not smaller than anything and leaves c as it is.
  template <class V>
  static KOKKOS_FORCEINLINE_FUNCTION constexpr V relax(V c, V a, V b) {
    return smaller(static_cast<V>(a + b), c);
  }

  /// Whether a diagonal entry shows that a cycle gets better each time around (a negative cycle).
  static KOKKOS_FORCEINLINE_FUNCTION constexpr bool diverges(T diagonal) { return diagonal < one(); }

  /// Whether a weight is allowed: of floats any number, and infinity, which is no edge.
  static KOKKOS_FORCEINLINE_FUNCTION constexpr bool accepts(T weight) {
    return std::is_integral_v<T> || weight > -infinity<T>;
  }
};

/// \brief Longest paths: ⊕ = max, ⊗ = +. For graphs without cycles of a positive length: critical paths.
template <Element T>
struct MaxPlus {
  /// The type of weights and distances.
  using value_type = T;
  /// ⊗ is commutative: an undirected graph takes half the work.
  static constexpr bool commutative = true;
  /// No path.
  static KOKKOS_FUNCTION constexpr T zero() { return -infinity<T>; }
  /// The empty path.
  static KOKKOS_FUNCTION constexpr T one() { return T(0); }
  /// c ⊕ (a ⊗ b), of numbers or vectors.
  template <class V>
  static KOKKOS_FORCEINLINE_FUNCTION constexpr V relax(V c, V a, V b) {
    return larger(static_cast<V>(a + b), c);
  }
  /// Whether a diagonal entry shows that a cycle gets better each time around.
  static KOKKOS_FORCEINLINE_FUNCTION constexpr bool diverges(T diagonal) { return diagonal > one(); }
  /// Whether a weight is allowed: of floats any number, and -infinity, which is no edge.
  static KOKKOS_FORCEINLINE_FUNCTION constexpr bool accepts(T weight) {
    return std::is_integral_v<T> || weight < infinity<T>;
  }
};

/// \brief Widest paths: ⊕ = max, ⊗ = min; a path is as wide as its narrowest edge. "No path" is -infinity<T>.
template <Distance T>
struct MaxMin {
  /// The type of weights and distances.
  using value_type = T;
  /// ⊗ is commutative: an undirected graph takes half the work.
  static constexpr bool commutative = true;
  /// No path.
  static KOKKOS_FUNCTION constexpr T zero() { return -infinity<T>; }
  /// The empty path.
  static KOKKOS_FUNCTION constexpr T one() { return infinity<T>; }
  /// c ⊕ (a ⊗ b), of numbers or vectors.
  template <class V>
  static KOKKOS_FORCEINLINE_FUNCTION constexpr V relax(V c, V a, V b) {
    return larger(smaller(a, b), c);
  }
  /// No cycle gets better each time around.
  static KOKKOS_FORCEINLINE_FUNCTION constexpr bool diverges(T) { return false; }
};

/// \brief Bottlenecks: ⊕ = min, ⊗ = max; a path costs as much as its worst edge. "No path" is infinity<T>.
template <Distance T>
struct MinMax {
  /// The type of weights and distances.
  using value_type = T;
  /// ⊗ is commutative: an undirected graph takes half the work.
  static constexpr bool commutative = true;
  /// No path.
  static KOKKOS_FUNCTION constexpr T zero() { return infinity<T>; }
  /// The empty path.
  static KOKKOS_FUNCTION constexpr T one() { return -infinity<T>; }
  /// c ⊕ (a ⊗ b), of numbers or vectors.
  template <class V>
  static KOKKOS_FORCEINLINE_FUNCTION constexpr V relax(V c, V a, V b) {
    return smaller(larger(a, b), c);
  }
  /// No cycle gets better each time around.
  static KOKKOS_FORCEINLINE_FUNCTION constexpr bool diverges(T) { return false; }
};

/// \brief Most reliable paths: ⊕ = max, ⊗ = ·; weights are probabilities. "No path" is 0.
template <Distance T>
  requires std::is_floating_point_v<T>
struct MaxTimes {
  /// The type of weights and distances.
  using value_type = T;
  /// ⊗ is commutative: an undirected graph takes half the work.
  static constexpr bool commutative = true;
  /// No path.
  static KOKKOS_FUNCTION constexpr T zero() { return T(0); }
  /// The empty path.
  static KOKKOS_FUNCTION constexpr T one() { return T(1); }
  /// c ⊕ (a ⊗ b), of numbers or vectors.
  template <class V>
  static KOKKOS_FORCEINLINE_FUNCTION constexpr V relax(V c, V a, V b) {
    return larger(static_cast<V>(a * b), c);
  }
  /// Whether a diagonal entry shows that a cycle gets better each time around.
  static KOKKOS_FORCEINLINE_FUNCTION constexpr bool diverges(T diagonal) { return diagonal > one(); }
  /// Whether a weight is allowed. With a negative weight a better path could give a worse product.
  static KOKKOS_FORCEINLINE_FUNCTION constexpr bool accepts(T weight) { return weight >= T(0) && weight < infinity<T>; }
};

namespace detail {

/// Whether zero and one satisfy the laws of their names; tested with zero, one and the number 1.
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
inline constexpr bool is_commutative = requires { requires bool(S::commutative); };

/// Whether a weight is an edge, or S::zero(), which means no edge. (NaN is neither.)
template <Semiring S>
KOKKOS_FORCEINLINE_FUNCTION constexpr bool is_weight([[maybe_unused]] typename S::value_type weight) {
  bool accepted = true;
  if constexpr (requires { S::accepts(weight); }) accepted = S::accepts(weight) || weight == S::zero();
  return accepted && weight == weight;
}

/// \brief Names at compile time the first member that a type lacks to be a semiring.
/// \return whether it is one
template <class S>
constexpr bool require_semiring() {
  constexpr bool is_one = Semiring<S>;
  if constexpr (!std::is_class_v<S>) {
    static_assert(is_one, "blockfw: distances must be int16_t, int32_t, int64_t, float or double, or of a semiring");
  } else if constexpr (!requires { typename S::value_type; }) {
    static_assert(is_one, "blockfw: a semiring has value_type, the type of weights and distances");
  } else if constexpr (!Element<typename S::value_type>) {
    static_assert(is_one, "blockfw: the value_type of a semiring must be int16_t, int32_t, int64_t, float or double");
  } else {
    using T = typename S::value_type;
    constexpr bool has_zero = requires {
      { S::zero() } -> std::same_as<T>;
    };
    constexpr bool has_one = requires {
      { S::one() } -> std::same_as<T>;
    };
    constexpr bool has_relax = requires(T x) {
      { S::relax(x, x, x) } -> std::same_as<T>;
    };
    constexpr bool has_diverges = requires(T x) {
      { S::diverges(x) } -> std::same_as<bool>;
    };
    static_assert(has_zero, "blockfw: a semiring has `static constexpr value_type zero()`: no path");
    static_assert(has_one, "blockfw: a semiring has `static constexpr value_type one()`: the empty path");
    static_assert(has_relax,
                  "blockfw: a semiring has `template <class V> static constexpr V relax(V c, V a, V b)`: c ⊕ (a ⊗ b)");
    static_assert(has_diverges,
                  "blockfw: a semiring has `static constexpr bool diverges(value_type)`: whether a cycle gets better "
                  "each time around");
  }
  return is_one;
}

/// T, or another type in place of a type that was refused. Then a sentence is the first error, and few errors follow.
template <class T>
using supported = std::conditional_t<Element<T>, T, std::int32_t>;

template <class Over, class Weight>
constexpr auto semiring_for() {
  if constexpr (std::is_void_v<Over>)
    return std::type_identity<MinPlus<supported<Weight>>>();
  else if constexpr (Element<Over>)
    return std::type_identity<MinPlus<Over>>();
  else
    return std::type_identity<std::conditional_t<require_semiring<Over>(), Over, MinPlus<supported<Weight>>>>();
}

/// The semiring of a call whose matrix has elements of type T.
template <class Over, class T>
struct SemiringOfMatrix {
  using type = typename decltype(semiring_for<Over, T>())::type;
  static_assert(std::is_same_v<typename type::value_type, T>,
                "blockfw: the matrix's elements are not of the semiring's type");
};

}  // namespace detail

/// \brief The semiring of solve<Over>() for weights of type Weight. It is Over itself, shortest paths in Over if Over
/// is a distance type, or shortest paths in Weight if Over is void.
template <class Over, class Weight>
using semiring_of = typename decltype(detail::semiring_for<Over, Weight>())::type;

}  // namespace blockfw
