// SPDX-License-Identifier: MIT
/// \file
/// \brief Numbers in messages.
#pragma once

#include "blockfw/ground/semiring.hpp"

#include <charconv>
#include <string>

namespace blockfw::detail {

/// A distance in digits that read back as the same number, or in words.
template <class T>
std::string digits_of(T number) {
  if (number != number) return "NaN";
  if (number == infinity<T>) return "infinity";
  if (number == -infinity<T>) return "-infinity";
  char digits[32];
  return {digits, std::to_chars(digits, digits + sizeof digits, number).ptr};
}

}  // namespace blockfw::detail
