// SPDX-License-Identifier: MIT
/// \file
/// \brief What the library blockfw_compiled holds of blockfw/share_answers.hpp.
#pragma once

#include "blockfw/detail/compiled/types.hpp"
#include "blockfw/share_answers.hpp"

/// The answers of shares, on devices and on ranks.
#define BLOCKFW_COMPILED_ANSWERS(LINKAGE, S) \
  LINKAGE template class blockfw::ShareAnswers<blockfw::detail::compiled::Value<S>, blockfw::detail::compiled::Exec>;

BLOCKFW_COMPILED_INT8(BLOCKFW_COMPILED_ANSWERS, extern)
BLOCKFW_COMPILED_SHORTEST(BLOCKFW_COMPILED_ANSWERS, extern)
