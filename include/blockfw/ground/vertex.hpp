// SPDX-License-Identifier: MIT
/// \file
/// \brief The number that stands for no vertex.
#pragma once

#include <cstdint>

namespace blockfw {

/// Stands for no vertex in every array and structure of vertices: predecessors and next hops where there is no path and
/// at the source itself, cycles of graphs without one. SciPy uses the same value. (A function that returns a single
/// vertex returns a std::optional.)
inline constexpr std::int32_t no_vertex = -9999;

}  // namespace blockfw
