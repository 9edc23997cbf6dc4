// SPDX-License-Identifier: MIT
/// \file
/// \brief Progress: what long calls tell their caller, and how the caller stops them.
///
/// \code
///   std::atomic<bool> wanted = true;  // for a signal handler, or another thread
///   const blockfw::Progress stop = [&](std::int64_t, std::int64_t) {
///     if (!wanted) throw std::runtime_error("stopped");
///   };
/// \endcode
#pragma once

#include <cstdint>
#include <functional>

namespace blockfw {

/// \brief Called as progress(done, in all) from the calling thread, if set; each call says of what.
///
/// It may throw: the work ends, and the caller of the library gets what was thrown. What was to be written in place is
/// unspecified then, unless the call says more. On ranks of MPI it must not: the rank gets a RankError, and the others
/// wait for it (error.hpp).
using Progress = std::function<void(std::int64_t, std::int64_t)>;

}  // namespace blockfw
