// SPDX-License-Identifier: MIT
/// \file
/// \brief Progress: reports of long calls to their caller, which the caller can stop.
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

/// \brief Called as progress(done, in all) from the calling thread, if set. Each call's documentation says which items
/// are counted.
///
/// It may throw. The work then ends, and the caller of the library gets the exception. Data that was to be written in
/// place is then unspecified, unless the call says more. On ranks of MPI it must not throw: the rank gets a RankError,
/// and the others wait for it (error.hpp).
using Progress = std::function<void(std::int64_t, std::int64_t)>;

}  // namespace blockfw
