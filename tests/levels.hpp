// SPDX-License-Identifier: MIT
/// \file
/// \brief Every level of vectors that this processor has.
#pragma once

#include "blockfw/detail/backend/vectors.hpp"

#include <doctest/doctest.h>

#include <string>

/// Calls f() with each level, and then sets the best one again.
template <class F>
void on_each_level(const F& f) {
  for (const auto& level : blockfw::detail::vectors_there_are()) {
    CAPTURE(std::string(level.name));
    blockfw::detail::chosen_vectors() = level.level;
    f();
  }
  blockfw::detail::chosen_vectors() = blockfw::detail::vectors_named(nullptr);
}
