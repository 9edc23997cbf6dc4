// SPDX-License-Identifier: MIT
/// \file
/// \brief The number that stands for no vertex in predecessors and next hops.
#pragma once

#include <cstdint>

namespace blockfw {

/// Means "no vertex", where there is no path and at the source itself. SciPy uses the same value.
inline constexpr std::int32_t no_vertex = -9999;

}  // namespace blockfw
