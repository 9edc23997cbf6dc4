// SPDX-License-Identifier: MIT
/// \file
/// \brief The choice of the tile kernel.
#pragma once

#include "blockfw/detail/backend/backend.hpp"
#include "blockfw/detail/kernel/device_kernel.hpp"
#include "blockfw/detail/kernel/host_kernel.hpp"
#include "blockfw/ground/matrix.hpp"
#include "blockfw/ground/semiring.hpp"

#include <type_traits>

namespace blockfw::detail {

/// Whether a space runs the host kernel: a host does, unless a test has it run the kernel of a device.
template <class ExecSpace, class Device>
inline constexpr bool runs_host_kernel = is_host_space<ExecSpace> && std::is_same_v<Device, ThisDevice>;

/// \brief The tile kernel of a shape, space, semiring and device. (By `Device::target`, not `target`: tests run other
/// devices' kernels on a host.)
template <class TileShape, class ExecSpace, class Semiring, class Device = ThisDevice>
using KernelFor = std::conditional_t<runs_host_kernel<ExecSpace, Device>, HostKernel<TileShape, ExecSpace, Semiring>,
                                     DeviceKernel<TileShape, ExecSpace, Semiring, Device>>;

}  // namespace blockfw::detail
