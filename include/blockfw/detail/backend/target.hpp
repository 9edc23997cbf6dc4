/// \file
/// \brief The device that Kokkos was built for, and the resources of its multiprocessors (compute units).
#pragma once

#include <Kokkos_Core.hpp>

namespace blockfw {

enum class Vendor { none, nvidia, amd };

/// \brief The properties of a device that determine the shape of the device code.
struct Target {
  Vendor vendor;
  int architecture;  ///< NVIDIA: the compute capability, 10 · major + minor; AMD: the number after gfx, hexadecimal
  int warp_size;     ///< threads that work in step
  // Of one multiprocessor:
  int threads;
  int scratch;    ///< bytes
  int registers;  ///< of 32 bits

  int teams;  ///< the most teams that are promised to the compiler; with more it spills
};

// clang-format off
inline constexpr Target target =
#if defined(KOKKOS_ENABLE_CUDA)
  #if defined(KOKKOS_ARCH_BLACKWELL100) || defined(KOKKOS_ARCH_BLACKWELL103)
    {Vendor::nvidia, 100, 32, 2048, 228 * 1024, 65536, 6};
  #elif defined(KOKKOS_ARCH_BLACKWELL)
    {Vendor::nvidia, 120, 32, 1536, 100 * 1024, 65536, 6};
  #elif defined(KOKKOS_ARCH_HOPPER)
    {Vendor::nvidia, 90, 32, 2048, 228 * 1024, 65536, 6};
  #elif defined(KOKKOS_ARCH_AMPERE80)
    {Vendor::nvidia, 80, 32, 2048, 164 * 1024, 65536, 6};
  #elif defined(KOKKOS_ARCH_AMPERE) || defined(KOKKOS_ARCH_ADA89)
    {Vendor::nvidia, 86, 32, 1536, 100 * 1024, 65536, 6};
  #elif defined(KOKKOS_ARCH_TURING75)
    {Vendor::nvidia, 75, 32, 1024, 64 * 1024, 65536, 4};
  #elif defined(KOKKOS_ARCH_VOLTA)
    {Vendor::nvidia, 70, 32, 2048, 96 * 1024, 65536, 4};
  #elif defined(KOKKOS_ARCH_PASCAL61)
    {Vendor::nvidia, 61, 32, 2048, 96 * 1024, 65536, 4};
  #else  // Pascal's first, and whatever else
    {Vendor::nvidia, 60, 32, 2048, 64 * 1024, 65536, 4};
  #endif
#elif defined(KOKKOS_ENABLE_HIP)
  #if defined(KOKKOS_ARCH_AMD_GFX90A)
    {Vendor::amd, 0x90a, 64, 2048, 64 * 1024, 131072, 8};
  #elif defined(KOKKOS_ARCH_AMD_GFX940) || defined(KOKKOS_ARCH_AMD_GFX942) || defined(KOKKOS_ARCH_AMD_GFX942_APU)
    {Vendor::amd, 0x942, 64, 2048, 64 * 1024, 131072, 8};
  #elif defined(KOKKOS_ARCH_AMD_GFX950)
    {Vendor::amd, 0x950, 64, 2048, 160 * 1024, 131072, 8};
  #elif defined(KOKKOS_ARCH_AMD_GFX908)
    {Vendor::amd, 0x908, 64, 2560, 64 * 1024, 65536, 8};
  #elif defined(KOKKOS_ARCH_AMD_GFX906)
    {Vendor::amd, 0x906, 64, 2560, 64 * 1024, 65536, 8};
  #else  // RDNA
    {Vendor::amd, 0x1030, 32, 1024, 64 * 1024, 65536, 8};
  #endif
#else
    {Vendor::none, 0, 1, 1, 0, 0, 1};
#endif
// clang-format on

/// The device of this build; a template argument of the device kernel.
struct ThisDevice {
  static constexpr Target target = blockfw::target;
};

}  // namespace blockfw
