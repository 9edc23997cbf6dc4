// SPDX-License-Identifier: MIT
#include "blockfw/distributed.hpp"

template class blockfw::detail::RankPlace<blockfw::detail::compiled::Exec>;
BLOCKFW_COMPILED_SHORTEST(BLOCKFW_COMPILED_RANKS, )
