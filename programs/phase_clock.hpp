// SPDX-License-Identifier: MIT
// The time of the solver's phases, by Kokkos's hooks for profilers.
#pragma once

#include <Kokkos_Core.hpp>

#include <cstdint>
#include <string_view>

/// Times phases 1 and 2 where they are launches of their own. A device has such launches in the first round only (so
/// this costs four fences there); later phases 1 and 2 are part of the launches of phase 3. Phase 3 is the remaining
/// time.
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
