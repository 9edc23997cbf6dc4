// SPDX-License-Identifier: MIT
/// \file
/// \brief What the library blockfw_compiled holds of blockfw/detail/plan/potentials.hpp.
#pragma once

#include "blockfw/detail/compiled/types.hpp"
#include "blockfw/detail/plan/potentials.hpp"

/// The search for cycles of length zero but for rounding.
#define BLOCKFW_COMPILED_GUARD(LINKAGE, S) \
  LINKAGE template class blockfw::detail::CycleGuard<S, blockfw::detail::compiled::Exec>;

BLOCKFW_COMPILED_CANCELLING(BLOCKFW_COMPILED_GUARD, extern)
