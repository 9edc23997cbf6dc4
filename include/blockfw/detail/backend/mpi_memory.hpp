// SPDX-License-Identifier: MIT
/// \file
/// \brief Asks MPI whether it can read and write the memory of a device.
#pragma once

#include "blockfw/ground/matrix.hpp"

#include <Kokkos_Core.hpp>

#include <mpi.h>
#if __has_include(<mpi-ext.h>)
#include <mpi-ext.h>
#endif

namespace blockfw::detail {

/// Whether MPI can read and write the memory of this space.
template <class ExecSpace>
bool mpi_reaches_memory() {
#if defined(KOKKOS_ENABLE_CUDA) && defined(MPIX_CUDA_AWARE_SUPPORT)
  return is_host_space<ExecSpace> || MPIX_Query_cuda_support() != 0;
#elif defined(KOKKOS_ENABLE_HIP) && (defined(OMPI_HAVE_MPI_EXT_ROCM) || defined(MPIX_ROCM_AWARE_SUPPORT))
  return is_host_space<ExecSpace> || MPIX_Query_rocm_support() != 0;
#else
  return is_host_space<ExecSpace>;
#endif
}

}  // namespace blockfw::detail
