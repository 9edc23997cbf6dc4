// SPDX-License-Identifier: MIT
/// \file
/// \brief Work in parts. After each part the caller is told how far the work is.
#pragma once

#include "blockfw/ground/matrix.hpp"
#include "blockfw/ground/options.hpp"

#include <algorithm>
#include <cstdint>

namespace blockfw::detail {

/// \brief Calls f(first, end) for parts of the items [0, count), and progress(items done, count) after each part.
/// Without progress it calls f once, for all items.
/// \param steps  the steps that an item may take, such as the edges that are looked at
/// \param least  the items of a host's thread that make a part worth it
template <class ExecSpace, class F>
void in_parts(const ExecSpace& exec, std::int64_t count, std::int64_t steps, std::int64_t least,
              const Progress& progress, const F& f) {
  if (!progress) return f(std::int64_t{0}, count);
  // (Some tenths of a second on a core.)
  constexpr std::int64_t steps_at_once = is_host_space<ExecSpace> ? 1 << 24 : 1 << 30;
  const std::int64_t threads_worth = is_host_space<ExecSpace> ? least * std::int64_t(exec.concurrency()) : 1024;
  const std::int64_t at_once = std::max(threads_worth, steps_at_once / std::max<std::int64_t>(1, steps));
  for (std::int64_t first = 0; first < count; first += at_once) {
    const std::int64_t end = std::min(count, first + at_once);
    f(first, end);
    progress(end, count);
  }
}

}  // namespace blockfw::detail
