// SPDX-License-Identifier: MIT
/// \file
/// \brief The contract between the library and a vendor's streams, events and copies.
#pragma once

#include "blockfw/ground/matrix.hpp"

#include <Kokkos_Core.hpp>

#include <concepts>
#include <cstddef>
#include <optional>

namespace blockfw::detail {

template <class ExecSpace>
struct Backend;

/// Work on a stream of high priority goes before work on the device's other streams.
enum class StreamPriority { normal, high };

/// \brief Calls for streams, events and copies that Kokkos has no function for.
///
/// - device_of(exec), current_device(), use(device): the device of an instance; the calling thread's device
/// - available_bytes(exec): free memory of the device, if it is known
/// - make_event(), drop(event), record(event, exec): an event marks the end of all work queued on the instance so far.
///   An event that was never recorded counts as done. An event is made on the device of the last use().
/// - wait(event, exec), wait_on_host(event): an instance, or the calling thread, goes on when that work is done
/// - connect(from, to): lets a device reach another device's memory by itself, where it can
/// - is_pinned(data), pin(data, bytes), unpin(data): pinned memory of the host, which a device copies at full speed.
///   pin() returns whether it pinned the memory, and false if the memory was pinned before. It throws DeviceError if it
///   cannot pin the memory.
/// - copy(exec, to, to_stride, from, from_stride, bytes, rows): copies rows, between the host and devices
///
/// A device's backend also counts devices, and makes and drops streams on the device of the last use(). Work on a
/// stream runs in order. An instance is made from the handle of a stream.
template <class ExecSpace, class Api = Backend<ExecSpace>>
constexpr bool require_backend() {
  static_assert(
      requires(const ExecSpace& exec, typename Api::EventHandle event, void* to, const void* from, std::size_t size) {
        typename Api::StreamHandle;
        { Api::device_of(exec) } -> std::same_as<int>;
        { Api::current_device() } -> std::same_as<std::optional<int>>;
        Api::use(0);
        { Api::available_bytes(exec) } -> std::same_as<std::optional<double>>;
        { Api::make_event() } -> std::same_as<typename Api::EventHandle>;
        Api::drop(event);
        Api::record(event, exec);
        Api::wait(event, exec);
        Api::wait_on_host(event);
        Api::connect(0, 1);
        { Api::is_pinned(to) } -> std::same_as<bool>;
        { Api::pin(to, size) } -> std::same_as<bool>;
        Api::unpin(to);
        Api::copy(exec, to, size, from, size, size, size);
      }, "blockfw: a backend has the calls that require_backend() lists (detail/backend/concepts.hpp)");
  if constexpr (!is_host_space<ExecSpace>)
    static_assert(
        std::constructible_from<ExecSpace, typename Api::StreamHandle> &&
            requires(typename Api::StreamHandle stream, StreamPriority priority) {
              { Api::count() } -> std::same_as<int>;
              { Api::make_stream(priority) } -> std::same_as<typename Api::StreamHandle>;
              Api::drop(stream);
            },
        "blockfw: a device's backend also has count(), make_stream() and drop() of a stream");
  return true;
}

}  // namespace blockfw::detail
