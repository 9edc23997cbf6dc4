// SPDX-License-Identifier: MIT
// A progress bar on a terminal, for work that takes over a second. (Debian ships no C++ library for it.)
#pragma once

#include <unistd.h>

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <string>
#include <utility>

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
