// SPDX-License-Identifier: MIT
// A solve while it runs: a bar on a terminal, and the time of the solver's phases.
#pragma once

#include <unistd.h>

#include <Kokkos_Core.hpp>

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>
#include <utility>

/// A progress bar on a terminal, for work that takes over a second. (Debian ships no C++ library for it.)
class ProgressBar {
 public:
  explicit ProgressBar(std::string what) : what_(std::move(what)) {}

  ~ProgressBar() { clear(); }
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;

  /// Whether a terminal would show it.
  static bool wanted() { return isatty(STDERR_FILENO) != 0; }

  void operator()(std::int64_t done, std::int64_t all) {
    const double elapsed = std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
    const double total = elapsed * static_cast<double>(all) / static_cast<double>(done);
    const std::int64_t percent = done * 100 / all;
    if (total < 1 || percent == shown_) return;
    shown_ = percent;
    const std::size_t filled = width * static_cast<std::size_t>(percent) / 100;
    std::fprintf(stderr, "\r%s [%s%s] %3d%%, %.0f s to go ", what_.c_str(), std::string(filled, '#').c_str(),
                 std::string(width - filled, ' ').c_str(), static_cast<int>(percent), total - elapsed);
  }

  void clear() {
    if (shown_ >= 0) std::fputs("\r\x1b[K", stderr);
    shown_ = -1;
  }

 private:
  static constexpr std::size_t width = 40;
  std::string what_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  std::int64_t shown_ = -1;
};

/// Times phases 1 and 2 where they are launches of their own. A device has such launches in the first round only (so
/// this costs four fences there); later phases 1 and 2 are part of the launches of phase 3. Phase 3 is the remaining
/// time. (By Kokkos's hooks for profilers.)
class PhaseClock {
 public:
  /// Call this before Kokkos starts.
  static void install() {
    namespace hooks = Kokkos::Tools::Experimental;
    hooks::set_request_tool_settings_callback(  // else each launch on a device would be fenced
        [](std::uint32_t, Kokkos_Tools_ToolSettings* settings) { settings->requires_global_fencing = false; });
    hooks::set_begin_parallel_for_callback([](const char* name, std::uint32_t, std::uint64_t* launch) {
      *launch = std::string_view(name) == "blockfw::phase1" ? 1 : std::string_view(name) == "blockfw::phase2" ? 2 : 0;
      if (*launch == 0) return;
      Kokkos::fence("PhaseClock");
      timer.reset();
    });
    hooks::set_end_parallel_for_callback([](std::uint64_t launch) {
      if (launch == 0) return;
      Kokkos::fence("PhaseClock");
      seconds[launch] += timer.seconds();
    });
  }

  /// Seconds of phase 1 or 2, so far.
  static double phase(int number) { return seconds[number]; }

 private:
  static inline Kokkos::Timer timer;
  static inline double seconds[3] = {};
};
