// SPDX-License-Identifier: MIT
// Shared by the programs: the times that they print, and errors in one line.
#pragma once

#include <Kokkos_Core.hpp>
#include <blockfw/kokkos_runtime.hpp>
#include <blockfw/solve.hpp>
#include "../benchmarks/limit.hpp"

#include <cstdint>
#include <cstdio>
#include <exception>
#include <string>

namespace program {

/// By which the programs start Kokkos. \throws blockfw::InvalidInput for more threads than Kokkos has room for
inline Kokkos::InitializationSettings kokkos_settings() {
  return blockfw::checked_settings(Kokkos::InitializationSettings().set_disable_warnings(true));
}

inline void print_line(const char* what, double seconds, const std::string& remark) {
  std::printf("%-14s %8.3f s   %s\n", what, seconds, remark.c_str());
}

template <class... Values>
std::string text(const char* format, Values... values) {
  char buffer[160];
  std::snprintf(buffer, sizeof buffer, format, values...);
  return buffer;
}

inline std::string rate(double bytes, double seconds) {
  return text("%.1f MB, %.2f GB/s", bytes * 1e-6, bytes * 1e-9 / seconds);
}

/// The type that a solve worked in. \tparam real  whether it is float or double
template <bool real = false>
std::string type_of(const blockfw::SolveReport& report) {
  return (real ? report.bits == 32 ? "float" : "double" : text("int%d", report.bits)) +
         std::string(report.half ? ", half the work" : "");
}

/// The same, and where it worked. \param shares  devices, or groups of a host's threads
template <bool real, class Space>
std::string type_of(const Space& exec, const blockfw::SolveReport& report, int shares = 1) {
  const std::string type = type_of<real>(report) + ", ";
  const bool host = blockfw::is_host_space<Space>;
  if (shares > 1) return type + text("%d %s", shares, host ? "groups of threads" : Space::name());
  return type + (host ? text("%d threads", exec.concurrency()) : std::string(Space::name()));
}

/// The limit of the type that a solve worked in, in relaxes a second. \tparam real  whether it is float or double
template <bool real = false, class Space>
double limit_of(const Space& exec, const blockfw::SolveReport& report) {
  if constexpr (blockfw::is_host_space<Space>)
    if (report.bits == 8) return blockfw::measure_limit<std::int8_t>(exec);
  if constexpr (real)
    return report.bits == 32 ? blockfw::measure_limit<float>(exec) : blockfw::measure_limit<double>(exec);
  else
    return report.bits == 16   ? blockfw::measure_limit<std::int16_t>(exec)
           : report.bits == 32 ? blockfw::measure_limit<std::int32_t>(exec)
                               : blockfw::measure_limit<std::int64_t>(exec);
}

/// \brief How fast a solve was, also in percent of a limit; half the work counts half. A limit that was measured too
/// low, beside other work, gives no percentage.
/// \param limit  the limit of all devices or threads of the solve, in relaxes a second
/// \param the owner of that limit
/// \param how    the type it worked in, and where
inline std::string speed_beside(double limit, const char* whose, std::int64_t n, double seconds,
                                const blockfw::SolveReport& report, const std::string& how) {
  const double order = static_cast<double>(n), speed = (report.half ? 0.5 : 1) * order * order * order / seconds;
  if (speed > limit)
    return text("%.1f Grelax/s, above %s limit as measured, %.1f: other work has probably slowed that measurement (%s)",
                speed * 1e-9, whose, limit * 1e-9, how.c_str());
  return text("%.1f Grelax/s, %.0f%% of %s limit of %.1f (%s)", speed * 1e-9, 100 * speed / limit, whose, limit * 1e-9,
              how.c_str());
}

/// \brief The same beside the limit of the type it worked in.
/// \tparam real   whether that type is float or double
/// \param shares  devices, or groups of a host's threads, each as fast as `exec`
template <bool real = false, class Space>
std::string speed_of(const Space& exec, std::int64_t n, double seconds, const blockfw::SolveReport& report,
                     int shares = 1) {
  return speed_beside(shares * limit_of<real>(exec, report), "this machine's", n, seconds, report,
                      type_of<real>(exec, report, shares));
}

/// Seconds since the last lap.
class Laps {
 public:
  double lap() {
    const double seconds = timer_.seconds();
    timer_.reset();
    return seconds;
  }

 private:
  Kokkos::Timer timer_;
};

/// The first line of the error's text.
inline std::string line_of(const std::exception& error) {
  const std::string what = error.what();  // Kokkos's errors have many lines
  return what.substr(0, what.find('\n'));
}

}  // namespace program
