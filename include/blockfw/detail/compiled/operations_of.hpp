// SPDX-License-Identifier: MIT
/// \file
/// \brief What the library blockfw_compiled holds of blockfw/detail/numbers/operations_of.hpp.
///
/// Shares, ranks and chunks call the numbers through Operations. So a file that solves in any of these places has no
/// kernels of the built-in semirings.
#pragma once

#include "blockfw/detail/compiled/types.hpp"
#include "blockfw/detail/numbers/operations.hpp"
#include "blockfw/detail/numbers/operations_of.hpp"
#include "blockfw/floyd_warshall.hpp"
#include "blockfw/matrix.hpp"
#include "blockfw/part.hpp"
#include "blockfw/phases.hpp"
#include "blockfw/progress.hpp"
#include "blockfw/tile.hpp"

#include <memory>

namespace blockfw::detail::compiled {

/// The phases of large matrices.
template <class S>
using LargePhases = Phases<default_tile<Exec, Value<S>>, Exec, S>;

}  // namespace blockfw::detail::compiled

/// The operations on blocks, and the rounds of that tile, which close squares.
#define BLOCKFW_COMPILED_NUMBERS(LINKAGE, S)                                                                     \
  LINKAGE template class blockfw::detail::OperationsOf<blockfw::detail::compiled::LargePhases<S>,                \
                                                       blockfw::detail::compiled::Exec>;                         \
  LINKAGE template std::unique_ptr<blockfw::detail::Operations<blockfw::detail::compiled::Exec>>                 \
  blockfw::detail::numbers_of<blockfw::detail::compiled::LargePhases<S>>(const blockfw::detail::compiled::Exec&, \
                                                                         const blockfw::GroupStorageOptions&);   \
  LINKAGE template void blockfw::detail::eliminate<blockfw::detail::compiled::LargePhases<S>>(                   \
      const blockfw::detail::compiled::Exec&, const blockfw::detail::compiled::LargePhases<S>::Ref&,             \
      blockfw::Direction, const blockfw::Progress&, const blockfw::detail::compiled::Exec&);

BLOCKFW_COMPILED_INT8(BLOCKFW_COMPILED_NUMBERS, extern)
BLOCKFW_COMPILED_SEMIRINGS(BLOCKFW_COMPILED_NUMBERS, extern)
