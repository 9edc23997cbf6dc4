// SPDX-License-Identifier: MIT
/// \file
/// \brief What the library blockfw_compiled holds of blockfw/shares.hpp.
#pragma once

#include "blockfw/detail/compiled/types.hpp"
#include "blockfw/shares.hpp"

/// The shares of a matrix, on devices and on ranks.
#define BLOCKFW_COMPILED_SHARES(LINKAGE, S) \
  LINKAGE template class blockfw::MatrixInShares<blockfw::detail::compiled::Value<S>, blockfw::detail::compiled::Exec>;

BLOCKFW_COMPILED_INT8(BLOCKFW_COMPILED_SHARES, extern)
BLOCKFW_COMPILED_SHORTEST(BLOCKFW_COMPILED_SHARES, extern)
