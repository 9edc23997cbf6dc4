// SPDX-License-Identifier: MIT
/// \file
/// \brief Checkpoints of a solve in a work file, which are made while the solve goes on.
#pragma once

#include "blockfw/detail/io/distance_record.hpp"
#include "blockfw/detail/io/work_file.hpp"

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <future>

namespace blockfw::io::detail {

/// \brief Brings a work file to the disk now and then, and records the number of pivots that were eliminated before.
class Checkpoints {
 public:
  /// \param minutes  the least time from one checkpoint to the next
  Checkpoints(WorkFile& file, double minutes)
      : file_(file), minutes_(minutes), done_(std::max<std::int64_t>(file.progress().pivots, 0)) {}

  /// Starts a checkpoint in a thread if it is time, and if no checkpoint is being written.
  /// \param pivots  the number of first pivots that have been eliminated from all rows
  /// \throws FileError of the last checkpoint
  void reached(std::int64_t pivots) {
    done_ = std::max(done_, pivots);
    if (done_ <= file_.progress().pivots || since_.seconds() < 60 * minutes_) return;
    if (running_.valid() && running_.wait_for(std::chrono::seconds(0)) != std::future_status::ready) return;
    if (running_.valid()) running_.get();
    since_.reset();
    file_.progress().pivots = done_;
    running_ = std::async(std::launch::async, [&file = file_, progress = file_.progress()] {
      file.sync();
      file.record(progress);
    });
  }

  /// Makes the last checkpoint, of all pivots that were reached, or of at least `pivots`.
  /// \throws FileError
  void finish(std::int64_t pivots = 0) {
    done_ = std::max(done_, pivots);
    if (running_.valid()) running_.get();
    file_.progress().pivots = done_;
    file_.sync();
    file_.record(file_.progress());
  }

 private:
  WorkFile& file_;
  double minutes_;
  std::int64_t done_;
  Kokkos::Timer since_;
  std::future<void> running_;  ///< the checkpoint that a thread makes
};

}  // namespace blockfw::io::detail
