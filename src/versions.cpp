// SPDX-License-Identifier: MIT
// A symbol that files compiled with other headers do not find.
#include "blockfw/detail/backend/compiled.hpp"
#include "blockfw/ground/version.hpp"

#include <Kokkos_Core.hpp>

namespace blockfw::detail::compiled {

template <int Major, int Minor, int Patch, int Kokkos>
void linked() {}

template void linked<BLOCKFW_VERSION_MAJOR, BLOCKFW_VERSION_MINOR, BLOCKFW_VERSION_PATCH, KOKKOS_VERSION>();

}  // namespace blockfw::detail::compiled
