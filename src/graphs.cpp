// SPDX-License-Identifier: MIT
#include "blockfw/detail/small/close_on_thread.hpp"
#include "blockfw/detail/small/host_batch.hpp"

#if !defined(BLOCKFW_BUILT_FOR_DEVICE)  // (there a batch is a device's work)
BLOCKFW_COMPILED_SHORTEST(BLOCKFW_COMPILED_THREAD, )
BLOCKFW_COMPILED_SHORTEST(BLOCKFW_COMPILED_GRAPHS, )
#endif
