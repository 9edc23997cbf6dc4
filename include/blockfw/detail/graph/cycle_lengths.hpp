// SPDX-License-Identifier: MIT
/// \file
/// \brief Exact lengths of paths, for a search of cycles among weights of any magnitudes (see cycles.hpp).
#pragma once

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>

namespace blockfw::detail {

/// A length in units of a level: an integer of 128 bits, so that sums are exact.
struct LevelLength {
  std::int64_t high = 0;
  std::uint64_t low = 0;

  /// \param scaled  the length in 2⁶⁴ units, which become whole units towards 0; below 2⁶³ in magnitude
  KOKKOS_FORCEINLINE_FUNCTION static LevelLength of(double scaled) {
    const double magnitude = Kokkos::abs(scaled), whole = Kokkos::floor(magnitude);
    const LevelLength length{static_cast<std::int64_t>(whole),
                             static_cast<std::uint64_t>((magnitude - whole) * 0x1p64)};
    return scaled < 0 ? length.negative() : length;
  }
  /// In 2⁶⁴ units, within two roundings.
  KOKKOS_FORCEINLINE_FUNCTION double scaled() const {
    const LevelLength size = high < 0 ? negative() : *this;
    const double magnitude = static_cast<double>(size.high) + static_cast<double>(size.low) * 0x1p-64;
    return high < 0 ? -magnitude : magnitude;
  }

  KOKKOS_FORCEINLINE_FUNCTION LevelLength negative() const { return {-high - (low > 0 ? 1 : 0), 0 - low}; }
  KOKKOS_FORCEINLINE_FUNCTION LevelLength plus(const LevelLength& other) const {
    const std::uint64_t sum = low + other.low;
    return {high + other.high + (sum < low ? 1 : 0), sum};
  }
  KOKKOS_FORCEINLINE_FUNCTION bool operator<(const LevelLength& other) const {
    return high < other.high || (high == other.high && low < other.low);
  }
  KOKKOS_FORCEINLINE_FUNCTION bool operator==(const LevelLength& other) const {
    return high == other.high && low == other.low;
  }

  /// Four whole numbers in doubles, which are ordered as lengths are.
  std::array<double, 4> words() const {
    const auto upper = [](auto x) { return static_cast<double>(x >> 32); };
    const auto lower = [](auto x) { return static_cast<double>(static_cast<std::uint32_t>(x)); };
    return {upper(high), lower(high), upper(low), lower(low)};
  }
  static LevelLength of_words(const double* words) {
    return {static_cast<std::int64_t>(words[0]) * (std::int64_t(1) << 32) + static_cast<std::int64_t>(words[1]),
            (static_cast<std::uint64_t>(words[2]) << 32) + static_cast<std::uint64_t>(words[3])};
  }
};

/// \brief The edges of a search up to some magnitude, and the unit of lengths.
///
/// A weight w counts as w + tilt·|w|. Lengths of 3·N edges fit, where N is the least power of two that is n or more.
/// Weights become whole units, so a cycle of n edges is known within 2·n units.
class CycleLevel {
 public:
  /// \param n     number of vertices
  /// \param most  the largest magnitude of an edge's weight
  /// \param tilt  at most `tolerance` in magnitude
  CycleLevel(std::int64_t n, double most, double tilt, double tolerance) : most_(most), tilt_(tilt) {
    const int log_n = std::bit_width(std::bit_ceil(static_cast<std::uint64_t>(std::max<std::int64_t>(1, n)))) - 1;
    const int log_weight = std::ilogb(most) + std::ilogb(1 + tolerance) + 2;  // of any w + tilt·|w|, rounded up
    const int log_root = (61 - log_n - log_weight) >> 1;
    root_ = std::ldexp(1.0, log_root);
    decided_above_ = std::ldexp(1 / tolerance, log_n + 5 - 64 - 2 * log_root);
  }

  /// Whether there is an edge of this level.
  KOKKOS_FORCEINLINE_FUNCTION bool has(double weight) const { return Kokkos::abs(weight) <= most_; }
  /// The weight of an edge in 2⁶⁴ units, rounded.
  KOKKOS_FORCEINLINE_FUNCTION double scaled(double weight) const {
    const double plain = in_units(weight);
    return plain + tilt_ * Kokkos::abs(plain);
  }
  /// The weight of an edge.
  KOKKOS_FORCEINLINE_FUNCTION LevelLength length(double weight) const {
    const double plain = in_units(weight);
    return LevelLength::of(plain).plus(LevelLength::of(tilt_ * Kokkos::abs(plain)));
  }

  /// \brief Cycles with a weight above this, and none above most, are decided by this level: rounding to units changes
  /// their length by less than a sixteenth of the tolerance times that weight.
  double decided_above() const { return decided_above_; }

 private:
  KOKKOS_FORCEINLINE_FUNCTION double in_units(double weight) const { return weight * root_ * root_; }

  double most_, tilt_, decided_above_;
  double root_;  ///< of 2⁶⁴ units, which may be no double
};

/// The length of a path to a vertex, and its last edge.
struct Reached {
  LevelLength length;
  double weight = 0;         ///< of the last edge
  std::int32_t before = -1;  ///< where that begins; -1: there is no edge

  /// Takes another path, if it is shorter. Of paths that are equally long the one by the smaller vertex stays, so that
  /// their order does not matter; but not if this one has no edge.
  KOKKOS_FORCEINLINE_FUNCTION void improve(const Reached& other) {
    const bool ties = other.length == length && other.before >= 0 && other.before < before;
    if (other.length < length || ties) *this = other;
  }
};

}  // namespace blockfw::detail
