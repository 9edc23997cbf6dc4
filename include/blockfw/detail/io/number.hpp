// SPDX-License-Identifier: MIT
/// \file
/// \brief A weight in the form that a file has, before a type is chosen.
#pragma once

#include <cstdint>
#include <optional>

namespace blockfw::io {

/// \brief A weight of any type. Only the value of a whole number within 64 bits is kept. For Survey.
struct Number {
  std::optional<std::int64_t> whole;  ///< none for other numbers
};

}  // namespace blockfw::io
