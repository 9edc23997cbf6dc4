// SPDX-License-Identifier: MIT
/// \file
/// \brief The calls of CUDA's and HIP's runtimes, which differ only in their prefix.
///
/// nvidia.hpp or amd.hpp includes this, with BLOCKFW_RUNTIME_SPACE, BLOCKFW_RUNTIME(name) and
/// BLOCKFW_RUNTIME_OF(exec, what) defined.
#pragma once

#include "blockfw/detail/backend/concepts.hpp"
#include "blockfw/detail/backend/portable.hpp"
#include "blockfw/ground/error.hpp"

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <optional>
#include <string>

#if defined(BLOCKFW_RUNTIME_SPACE)

namespace blockfw::detail {

template <>
struct Backend<BLOCKFW_RUNTIME_SPACE> {
  using ExecSpace = BLOCKFW_RUNTIME_SPACE;
  using StreamHandle = BLOCKFW_RUNTIME(Stream_t);
  using EventHandle = BLOCKFW_RUNTIME(Event_t);

  static int count() {
    int devices = 0;
    require(BLOCKFW_RUNTIME(GetDeviceCount)(&devices), "counting devices");
    return devices;
  }
  static int device_of(const ExecSpace& exec) { return BLOCKFW_RUNTIME_OF(exec, device); }
  /// The calling thread's device, if there is one.
  static std::optional<int> current_device() {
    int device = 0;
    if (BLOCKFW_RUNTIME(GetDevice)(&device) != BLOCKFW_RUNTIME(Success)) return {};
    return device;
  }
  static void use(int device) { require(BLOCKFW_RUNTIME(SetDevice)(device), "choosing a device"); }

  /// Bytes of free memory on the device of an instance, if the runtime reports them.
  static std::optional<double> available_bytes(const ExecSpace& exec) {
    std::size_t available = 0, all = 0;
    const int before = current_device().value_or(0);
    static_cast<void>(BLOCKFW_RUNTIME(SetDevice)(device_of(exec)));
    const bool answered = BLOCKFW_RUNTIME(MemGetInfo)(&available, &all) == BLOCKFW_RUNTIME(Success);
    static_cast<void>(BLOCKFW_RUNTIME(SetDevice)(before));
    if (!answered) return {};
    return static_cast<double>(available);
  }

  /// Makes a stream on the current device.
  static StreamHandle make_stream(StreamPriority priority) {
    int lowest = 0, highest = 0;
    require(BLOCKFW_RUNTIME(DeviceGetStreamPriorityRange)(&lowest, &highest), "asking for priorities");
    StreamHandle stream;
    require(BLOCKFW_RUNTIME(StreamCreateWithPriority)(&stream, BLOCKFW_RUNTIME(StreamNonBlocking),
                                                      priority == StreamPriority::high ? highest : lowest),
            "making a stream");
    return stream;
  }
  static void drop(StreamHandle stream) { static_cast<void>(BLOCKFW_RUNTIME(StreamDestroy)(stream)); }

  static EventHandle make_event() {
    EventHandle event;
    require(BLOCKFW_RUNTIME(EventCreateWithFlags)(&event, BLOCKFW_RUNTIME(EventDisableTiming)), "making an event");
    return event;
  }
  static void drop(EventHandle event) { static_cast<void>(BLOCKFW_RUNTIME(EventDestroy)(event)); }
  static void record(EventHandle event, const ExecSpace& exec) {
    require(BLOCKFW_RUNTIME(EventRecord)(event, BLOCKFW_RUNTIME_OF(exec, stream)), "recording an event");
  }
  /// Copies `rows` rows of `bytes` bytes each, on the host or on a device.
  static void copy(const ExecSpace& exec, void* to, std::size_t to_stride, const void* from, std::size_t from_stride,
                   std::size_t bytes, std::size_t rows) {
    const auto stream = BLOCKFW_RUNTIME_OF(exec, stream);
    // (Without gaps one plain copy suffices. A copy of rows limits their length.)
    const bool gaps = to_stride != bytes || from_stride != bytes;
    require(gaps ? BLOCKFW_RUNTIME(Memcpy2DAsync)(to, to_stride, from, from_stride, bytes, rows,
                                                  BLOCKFW_RUNTIME(MemcpyDefault), stream)
                 : BLOCKFW_RUNTIME(MemcpyAsync)(to, from, bytes * rows, BLOCKFW_RUNTIME(MemcpyDefault), stream),
            "copying rows");
  }
  static void wait(EventHandle event, const ExecSpace& exec) {
    require(BLOCKFW_RUNTIME(StreamWaitEvent)(BLOCKFW_RUNTIME_OF(exec, stream), event, 0), "waiting for an event");
  }
  /// The calling thread waits for the event.
  static void wait_on_host(EventHandle event) {
    require(BLOCKFW_RUNTIME(EventSynchronize)(event), "waiting for a device");
  }

  /// Gives one device direct access to another device's memory, if the devices can do that. Otherwise copies go through
  /// the host.
  static void connect(int from, int to) {
    int can = 0;
    if (from == to || BLOCKFW_RUNTIME(DeviceCanAccessPeer)(&can, from, to) != BLOCKFW_RUNTIME(Success) || can == 0)
      return;
    use(from);
    if (BLOCKFW_RUNTIME(DeviceEnablePeerAccess)(to, 0) != BLOCKFW_RUNTIME(Success))  // access may be enabled already
      static_cast<void>(BLOCKFW_RUNTIME(GetLastError)());
  }

  /// Whether host memory was allocated pinned.
  static bool is_pinned(void* data) {
    unsigned flags = 0;
    if (BLOCKFW_RUNTIME(HostGetFlags)(&flags, data) == BLOCKFW_RUNTIME(Success)) return true;
    static_cast<void>(BLOCKFW_RUNTIME(GetLastError)());
    return false;
  }
  /// \brief Pins host memory, so that a device copies it directly, at full speed.
  /// \return whether the call pinned it and unpin() must follow; false for memory that is pinned already
  /// \throws DeviceError when the memory cannot be pinned
  static bool pin(void* data, std::size_t bytes) {
    const auto status = BLOCKFW_RUNTIME(HostRegister)(data, bytes, BLOCKFW_RUNTIME(HostRegisterPortable));
    if (status != BLOCKFW_RUNTIME(Success)) static_cast<void>(BLOCKFW_RUNTIME(GetLastError)());
    if (status == BLOCKFW_RUNTIME(ErrorHostMemoryAlreadyRegistered)) return false;
    require(status, "pinning memory");
    return true;
  }
  static void unpin(void* data) { static_cast<void>(BLOCKFW_RUNTIME(HostUnregister)(data)); }

 private:
  static void require(BLOCKFW_RUNTIME(Error_t) status, const char* what) {
    if (status != BLOCKFW_RUNTIME(Success))
      throw DeviceError(std::string(what) + ": " + BLOCKFW_RUNTIME(GetErrorString)(status));
  }
};

}  // namespace blockfw::detail

#undef BLOCKFW_RUNTIME_SPACE
#undef BLOCKFW_RUNTIME
#undef BLOCKFW_RUNTIME_OF

#endif
