// SPDX-License-Identifier: MIT
/// \file
/// \brief Weights in files: conversion to types that can hold them, and their text in files and errors.
#pragma once

#include "blockfw/ground/error.hpp"
#include "blockfw/ground/semiring.hpp"
#include "blockfw/ground/weights.hpp"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <type_traits>
#include <utility>

namespace blockfw::io {

/// \brief A weight of any type. Only the value of a whole number within 64 bits is kept. For Survey.
struct Number {
  std::optional<std::int64_t> whole;  ///< none for other numbers
  /// Whether both are the same whole number, or both are none.
  bool operator==(const Number&) const = default;
};

}  // namespace blockfw::io

namespace blockfw::io::detail {

/// The magnitude of a whole number.
template <class Value>
std::uint64_t magnitude_of(Value value) {
  if constexpr (std::is_unsigned_v<Value>)
    return value;
  else
    return blockfw::detail::magnitude(value);
}

/// The number of bits from the highest set bit to the lowest set bit of a whole number's magnitude.
template <class Value>
int significant_bits(Value value) {
  const std::uint64_t bits = magnitude_of(value);
  return bits == 0 ? 0 : static_cast<int>(std::bit_width(bits)) - std::countr_zero(bits);
}

/// \brief Converts a finite value to W; none if W cannot hold it. (A real number may round. A whole number must not
/// round.)
template <class W, class Value>
std::optional<W> held(Value value) {
  if constexpr (std::is_same_v<W, Number>) {
    return Number{held<std::int64_t>(value)};
  } else if constexpr (std::is_integral_v<W> && std::is_integral_v<Value>) {
    if (!std::in_range<W>(value)) return std::nullopt;
  } else if constexpr (std::is_integral_v<Value>) {
    if (significant_bits(value) > std::numeric_limits<W>::digits) return std::nullopt;
  } else if constexpr (std::is_integral_v<W>) {
    const double end = std::ldexp(1.0, std::numeric_limits<W>::digits), x = value;
    if (!(x >= -end && x < end) || std::trunc(x) != x) return std::nullopt;
  } else if constexpr (std::is_floating_point_v<Value>) {
    if (std::abs(static_cast<double>(value)) > static_cast<double>(std::numeric_limits<W>::max())) return std::nullopt;
    if (static_cast<W>(value) == W(0) && value != Value(0)) return std::nullopt;  // a small weight must not become 0
  }
  if constexpr (!std::is_same_v<W, Number>) return static_cast<W>(value);
}

/// The negative of a weight; none if W cannot hold it.
template <class W>
std::optional<W> negative(W x) {
  if constexpr (std::is_same_v<W, Number>) {
    return Number{x.whole ? negative(*x.whole) : std::nullopt};
  } else {
    if constexpr (std::is_integral_v<W>)
      if (x == std::numeric_limits<W>::min()) return std::nullopt;
    return static_cast<W>(-x);
  }
}

/// \brief Converts a decimal number, which may have a point and an exponent, to an integer without rounding.
/// \param decimal  a number other than 0, as std::from_chars() accepts it for a double
/// \return none if the number is not whole, or does not fit 64 bits
inline std::optional<std::int64_t> whole_of(std::string_view decimal) {
  const std::size_t mark = std::min(decimal.find_first_of("eE"), decimal.size());
  std::string digits(decimal.substr(0, mark));
  int exponent = 0;
  if (mark < decimal.size()) {
    const std::size_t sign = decimal.substr(mark + 1).starts_with('+') ? 1 : 0;
    const auto [end, error] =
        std::from_chars(decimal.data() + mark + 1 + sign, decimal.data() + decimal.size(), exponent);
    if (error != std::errc()) return std::nullopt;
  }
  if (const std::size_t point = digits.find('.'); point != digits.npos) {
    exponent -= static_cast<int>(digits.size() - point - 1);
    digits.erase(point, 1);
  }
  for (; exponent < 0 && digits.ends_with('0'); ++exponent) digits.pop_back();
  if (exponent < 0 || exponent > std::numeric_limits<std::int64_t>::digits10) return std::nullopt;
  digits.append(static_cast<std::size_t>(exponent), '0');
  std::int64_t value = 0;
  if (std::from_chars(digits.data(), digits.data() + digits.size(), value).ec != std::errc()) return std::nullopt;
  return value;
}

/// \brief Whether a whole number, which has the sign of x, is exactly x.
/// \param digits  the number's digits, perhaps after a minus
inline bool says_exactly(std::string_view digits, double x) {
  char text[400];
  const auto end = std::to_chars(text, text + sizeof text, std::abs(x), std::chars_format::fixed, 0).ptr;
  digits.remove_prefix(std::min(digits.find_first_not_of("-0"), digits.size()));
  return digits == std::string_view(text, end);
}

/// The end of an error message about a value that W cannot hold.
template <class W, class Value>
std::string cannot_hold(Value value) {
  if constexpr (std::is_floating_point_v<W> && std::is_integral_v<Value>) {
    const bool real = !std::is_same_v<W, double> && held<double>(value);
    const bool whole = magnitude_of(value) < blockfw::detail::magnitude(infinity<std::int64_t>);
    return std::string(", which ") + blockfw::type_name<W>() + " cannot hold exactly" +
           (real && whole ? "; use int64 or double"
            : whole       ? "; use int64"
            : real        ? "; use double"
                          : "");
  } else if constexpr (std::is_same_v<W, Number> || std::is_same_v<W, double>) {
    return ", which double cannot hold";
  } else {
    return std::string(", which ") + blockfw::type_name<W>() + " cannot hold; use " +
           (std::is_integral_v<W> && held<std::int64_t>(value) ? "int64 or double" : "double");
  }
}

/// Appends the shortest digits that read back as the same number; "inf" for infinity<T>.
template <class T>
void append_number(std::string& text, T x) {
  if constexpr (Distance<T>) {
    if (x == infinity<T>) {
      text += "inf";
      return;
    }
  }
  char digits[32];
  text.append(digits, std::to_chars(digits, digits + sizeof digits, x).ptr);
}

/// At most 24 bytes of a word in quotes; bytes that are not printable are in hexadecimal.
inline std::string in_quotes(std::string_view word) {
  constexpr std::size_t most = 24;
  constexpr char digits[] = "0123456789abcdef";
  std::string text = "'";
  for (const char c : word.substr(0, most)) {
    if (c >= ' ' && c <= '~') {
      text += c;
      continue;
    }
    const auto byte = static_cast<unsigned char>(c);
    text += {'\\', 'x', digits[byte / 16], digits[byte % 16]};
  }
  return text + (word.size() > most ? "...'" : "'");
}

/// \brief The edges among the entries of a full matrix.
///
/// An infinite entry is no edge. Integers have no infinity; there, a 0 is no edge, as in SciPy and NetworkX. A 0 among
/// real numbers is an edge of length 0. But if the 0 is off the diagonal and no entry is infinite, the matrix is
/// refused. That 0 most likely means that there is no edge, as in SciPy and NetworkX.
template <class Sink>
class FullMatrix {
 public:
  /// \param what  the file and how it is read, for errors
  FullMatrix(std::string what, bool real, Sink& sink) : what_(std::move(what)), real_(real), sink_(sink) {}

  /// Adds the next entry; one without a weight is infinite.
  void add(std::int32_t row, std::int32_t column, const std::optional<typename Sink::Weight>& weight) {
    if (!weight) {
      any_infinite_ = true;
      return;
    }
    if (weight == held<typename Sink::Weight>(0)) {
      if (row == column || !real_) return;
      if (zero_row_ < 0) zero_row_ = row, zero_column_ = column;
    }
    sink_.add(row, column, *weight);
  }

  /// To be called after the last entry. \throws FileError for a 0 that is refused
  void finish() const {
    if (zero_row_ < 0 || any_infinite_) return;
    throw FileError(what_, ", row ", zero_row_ + sink_.first_vertex, ", column ", zero_column_ + sink_.first_vertex,
                    ": found 0 among real numbers without any inf, expected inf where there is no edge (if 0 is a "
                    "length, make the diagonal inf)");
  }

 private:
  std::string what_;
  bool real_, any_infinite_ = false;
  std::int64_t zero_row_ = -1, zero_column_ = -1;
  Sink& sink_;
};

}  // namespace blockfw::io::detail
