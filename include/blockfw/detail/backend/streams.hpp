// SPDX-License-Identifier: MIT
/// \file
/// \brief Streams and events: several instances on each device, and events between them.
#pragma once

#include "blockfw/detail/backend/backend.hpp"
#include "blockfw/detail/backend/concepts.hpp"
#include "blockfw/detail/backend/workspace.hpp"
#include "blockfw/ground/matrix.hpp"

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <optional>

namespace blockfw::detail {

static_assert(require_backend<Kokkos::DefaultExecutionSpace>() && require_backend<Kokkos::DefaultHostExecutionSpace>());

/// A mark in the work of one stream that another stream waits for.
template <class ExecSpace>
class Event {
  using Api = Backend<ExecSpace>;

 public:
  Event(const ExecSpace& exec) {
    Api::use(Api::device_of(exec));
    event_ = Api::make_event();
  }
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;
  ~Event() { Api::drop(event_); }

  /// Marks all work that has been queued on the stream so far.
  void record(const ExecSpace& stream) { Api::record(event_, stream); }
  /// The stream continues when the marked work is done. If nothing has been recorded, it continues at once.
  void wait(const ExecSpace& stream) const { Api::wait(event_, stream); }
  /// The calling thread waits for the marked work.
  void wait_on_host() const { Api::wait_on_host(event_); }

 private:
  typename Api::EventHandle event_;
};

/// \brief An instance with a stream of its own, on a given device or on the device of a given instance. On a host it is
/// the given instance.
template <class ExecSpace>
class Stream {
  using Api = Backend<ExecSpace>;

 public:
  explicit Stream(int device) : Stream(device, StreamPriority::normal, {}) {}
  explicit Stream(const ExecSpace& exec, StreamPriority priority = StreamPriority::normal)
      : Stream(Api::device_of(exec), priority, exec) {}
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;
  ~Stream() {
    if constexpr (!is_host_space<ExecSpace>) {
      Workspace<ExecSpace>::forget(*exec_);
      Workspace<ExecSpace, Kokkos::SharedHostPinnedSpace>::forget(*exec_);
      exec_.reset();
      Api::drop(stream_);
    }
  }
  const ExecSpace& exec() const { return *exec_; }

 private:
  Stream([[maybe_unused]] int device, [[maybe_unused]] StreamPriority priority,
         [[maybe_unused]] const ExecSpace& exec) {
    if constexpr (is_host_space<ExecSpace>) {
      exec_.emplace(exec);
    } else {
      Api::use(device);
      stream_ = Api::make_stream(priority);
      exec_.emplace(stream_);
    }
  }
  [[maybe_unused]] typename Api::StreamHandle stream_{};
  std::optional<ExecSpace> exec_;
};

}  // namespace blockfw::detail
