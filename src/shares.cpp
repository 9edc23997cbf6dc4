// SPDX-License-Identifier: MIT
#include "blockfw/multi_device.hpp"

template class blockfw::detail::DevicePlace<blockfw::detail::compiled::Exec>;
template class blockfw::detail::Shares<blockfw::detail::compiled::Exec>;
BLOCKFW_COMPILED_INT8(BLOCKFW_COMPILED_SHARES, )
BLOCKFW_COMPILED_INT16(BLOCKFW_COMPILED_SHARES, )
BLOCKFW_COMPILED_INT16(BLOCKFW_COMPILED_DEVICES, )
