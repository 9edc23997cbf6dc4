/// \file
/// \brief The one name for all vendors: the target, the instructions and the runtime of this build.
///
/// A vendor is a header like nvidia.hpp: a function that makes its Targets, a class of instructions for what
/// PortableInstructions does slowly on it, and a specialisation of Backend for its execution space. It is named here,
/// in the enum Vendor and in the table of tiles (tile.hpp), and nowhere else.
#pragma once

#include "blockfw/detail/backend/amd.hpp"
#include "blockfw/detail/backend/nvidia.hpp"
#include "blockfw/detail/backend/portable.hpp"
#include "blockfw/detail/backend/target.hpp"

#include <Kokkos_Core.hpp>

namespace blockfw {

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

// Of the code that the compiler makes now: it compiles each file once for a device and once for the host.
#if defined(__CUDA_ARCH__)
using Instructions = NvidiaInstructions;
#elif defined(__HIP_DEVICE_COMPILE__)
using Instructions = AmdInstructions;
#else
using Instructions = PortableInstructions;
#endif

}  // namespace detail
}  // namespace blockfw
