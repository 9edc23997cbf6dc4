// SPDX-License-Identifier: MIT
/// \file
/// \brief Calls on several host threads.
#pragma once

#include <cstddef>
#include <exception>
#include <functional>
#include <thread>
#include <vector>

namespace blockfw::detail {

/// Calls f(0) on the calling thread and f(1) to f(count - 1) on a thread each.
/// \throws the error of the lowest index that has one
inline void in_threads(int count, const std::function<void(int)>& f) {
  std::vector<std::exception_ptr> errors(static_cast<std::size_t>(count));
  const auto guarded = [&](int i) {
    try {
      f(i);
    } catch (...) {
      errors[static_cast<std::size_t>(i)] = std::current_exception();
    }
  };
  {
    std::vector<std::jthread> threads;
    for (int i = 1; i < count; ++i) threads.emplace_back(guarded, i);
    guarded(0);
  }
  for (const auto& error : errors)
    if (error) std::rethrow_exception(error);
}

}  // namespace blockfw::detail
