// SPDX-License-Identifier: MIT
/// \file
/// \brief Chooses the target, the instructions and the runtime of this build, for any vendor.
///
/// Each vendor has a header like nvidia.hpp. The header has a function that makes Targets; a class of the instructions
/// for which PortableInstructions is slow; and a specialisation of Backend for the execution space. Only four other
/// places name a vendor: this file; the enum Vendor; the table of tiles (detail/kernel/tuned_tiles.hpp);
/// rank_place.hpp, which asks MPI whether it reaches the device's memory.
#pragma once

#include "blockfw/detail/backend/amd.hpp"
#include "blockfw/detail/backend/concepts.hpp"
#include "blockfw/detail/backend/nvidia.hpp"
#include "blockfw/detail/backend/portable.hpp"

#include <Kokkos_Core.hpp>

namespace blockfw {

// For the preprocessor: whether Kokkos was built for a device.
#if defined(KOKKOS_ENABLE_CUDA) || defined(KOKKOS_ENABLE_HIP)
#define BLOCKFW_BUILT_FOR_DEVICE 1
#endif

/// The device that Kokkos was built for.
inline constexpr Target target =
#if defined(KOKKOS_ENABLE_CUDA)
    nvidia_target(detail::nvidia_architecture);
#elif defined(KOKKOS_ENABLE_HIP)
    amd_target(detail::amd_architecture);
#else
    {};
#endif

/// The device of this build; a template argument of the device kernel.
struct ThisDevice {
  static constexpr Target target = blockfw::target;
};

namespace detail {

// The instructions of the code that is being compiled: compilers go over each file once for a device and once for the
// host.
#if defined(__CUDA_ARCH__)
using Instructions = NvidiaInstructions;
#elif defined(__HIP_DEVICE_COMPILE__)
using Instructions = AmdInstructions;
#else
using Instructions = PortableInstructions;
#endif

}  // namespace detail
}  // namespace blockfw
