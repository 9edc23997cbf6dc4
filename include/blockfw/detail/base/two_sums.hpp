// SPDX-License-Identifier: MIT
/// \file
/// \brief The sums of two weights along a path, as one number: the first sum decides, and the second where the first
/// sums are equal.
///
/// These numbers can be added, and a sum of smaller numbers is smaller. So they are lengths, and the shortest path is
/// the path described: of the paths with the least first sum, that with the least second sum.
#pragma once

#include "blockfw/detail/base/lanes.hpp"

#include <Kokkos_Core.hpp>

#include <type_traits>
#include <utility>

namespace blockfw::detail {

/// \brief Two sums of 64 bits each.
template <class First, class Second>
struct TwoSums {
  static_assert(sizeof(First) == 8 && sizeof(Second) == 8);

  First first;
  Second second;

  TwoSums() = default;
  KOKKOS_FUNCTION constexpr TwoSums(First first_sum, Second second_sum = Second(0))
      : first(first_sum), second(second_sum) {}

  friend KOKKOS_FUNCTION constexpr TwoSums operator+(TwoSums a, TwoSums b) {
    return TwoSums(a.first + b.first, a.second + b.second);
  }
  friend KOKKOS_FUNCTION constexpr bool operator<(TwoSums a, TwoSums b) {
    return a.first < b.first || (a.first == b.first && a.second < b.second);
  }
  friend KOKKOS_FUNCTION constexpr bool operator>(TwoSums a, TwoSums b) { return b < a; }
  friend KOKKOS_FUNCTION constexpr bool operator==(TwoSums a, TwoSums b) {
    return a.first == b.first && a.second == b.second;
  }
};

template <class T>
inline constexpr bool is_two_sums = false;
template <class First, class Second>
inline constexpr bool is_two_sums<TwoSums<First, Second>> = true;

/// The part of a number that rounding keeps in order. For two sums this is the first sum, else it is the number itself.
/// (Rounding may make two first sums equal. The second sums may then be in the other order.)
template <class T>
constexpr T leading(T number) {
  return number;
}
template <class First, class Second>
constexpr First leading(TwoSums<First, Second> sums) {
  return sums.first;
}
template <class T>
using Leading = decltype(leading(std::declval<T>()));

/// \brief `Width` numbers of two sums, with the instructions of a level: one vector of each sum.
template <class Level, class First, class Second, int Width>
struct TwoLanes {
  using Sums = TwoSums<First, Second>;
  using Firsts = Lanes<Level, First, Width>;
  using Seconds = Lanes<Level, Second, Width>;

  Firsts first;
  Seconds second;

  static BLOCKFW_ALWAYS_INLINE TwoLanes broadcast(const Sums& x) {
    return {Firsts::broadcast(x.first), Seconds::broadcast(x.second)};
  }
  // (In memory both sums of a number are neighbours. The order of the numbers within the vectors does not matter.)
  static BLOCKFW_ALWAYS_INLINE TwoLanes load(const Sums* from) {
    const auto* const firsts = reinterpret_cast<const First*>(from);
    const auto* const seconds = reinterpret_cast<const Second*>(from);
    return {Firsts::low(Firsts::load(firsts), Firsts::load(firsts + Width)),
            Seconds::high(Seconds::load(seconds), Seconds::load(seconds + Width))};
  }
  BLOCKFW_ALWAYS_INLINE void store(Sums* to) const {
    auto* const words = reinterpret_cast<First*>(to);
    const Firsts other = second.template bits<First>();
    Firsts::low(first, other).store(words);
    Firsts::high(first, other).store(words + Width);
  }

  friend BLOCKFW_ALWAYS_INLINE TwoLanes operator+(TwoLanes a, TwoLanes b) {
    return {a.first + b.first, a.second + b.second};
  }
  static BLOCKFW_ALWAYS_INLINE TwoLanes smaller(TwoLanes a, TwoLanes b) {
    const Seconds of_same = Seconds::choose(a.first == b.first, Seconds::smaller(a.second, b.second), b.second);
    return {Firsts::smaller(a.first, b.first), Seconds::choose(a.first < b.first, a.second, of_same)};
  }
};

template <class Level, class First, class Second, int Width>
inline constexpr bool is_lanes<TwoLanes<Level, First, Second, Width>> = true;

/// The vectors of a level for numbers of type T, and how many of them a product keeps for a row.
template <class Level, class T>
struct RowLanes {
  static constexpr int width = Level::bytes / int(sizeof(T)), vectors = 2;
  using type = Lanes<Level, T, width>;
};
template <class Level, class First, class Second>
struct RowLanes<Level, TwoSums<First, Second>> {
  static constexpr int width = Level::bytes / int(sizeof(First)), vectors = 1;
  using type = TwoLanes<Level, First, Second, width>;
};

}  // namespace blockfw::detail
