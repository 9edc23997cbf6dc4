/// \file
/// \brief Streams and events: several instances on each device, events between them, and copies between devices and
/// the host.
#pragma once

#include "blockfw/detail/backend/concepts.hpp"
#include "blockfw/error.hpp"
#include "blockfw/matrix.hpp"
#include "blockfw/tile.hpp"

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstring>
#include <optional>
#include <string>

namespace blockfw::detail {

/// Work on a stream of high priority goes before work on others of the device.
enum class StreamPriority { normal, high };

/// \brief Calls of CUDA and HIP for which Kokkos has no function. On a host work is done when a call returns, so most
/// of them do nothing.
template <class ExecSpace>
struct Backend {
  using StreamHandle = int;
  using EventHandle = int;
  static int device_of(const ExecSpace&) { return 0; }
  static void use(int) {}
  static EventHandle make_event() { return 0; }
  static void drop(EventHandle) {}
  static void record(EventHandle, const ExecSpace&) {}
  static void wait(EventHandle, const ExecSpace&) {}
  static void wait_on_host(EventHandle) {}
  static void connect(int, int) {}
  static bool is_pinned(void*) { return false; }
  static bool pin(void*, std::size_t) { return false; }
  static void unpin(void*) {}
  static void copy(const ExecSpace&, void* to, std::size_t to_stride, const void* from, std::size_t from_stride,
                   std::size_t bytes, std::size_t rows) {
    for (std::size_t row = 0; row < rows; ++row)
      std::memcpy(static_cast<std::byte*>(to) + row * to_stride,
                  static_cast<const std::byte*>(from) + row * from_stride, bytes);
  }
};

// The two vendors' calls differ in their prefix only, and a build of Kokkos has one of them.
#if defined(KOKKOS_ENABLE_CUDA)
#define BLOCKFW_API(name) cuda##name
#define BLOCKFW_API_OF(exec, what) (exec).cuda_##what()
#elif defined(KOKKOS_ENABLE_HIP)
#define BLOCKFW_API(name) hip##name
#define BLOCKFW_API_OF(exec, what) (exec).hip_##what()
#endif

#if defined(BLOCKFW_API)
template <>
struct Backend<Kokkos::DefaultExecutionSpace> {
  using ExecSpace = Kokkos::DefaultExecutionSpace;
  using StreamHandle = BLOCKFW_API(Stream_t);
  using EventHandle = BLOCKFW_API(Event_t);

  static int count() {
    int devices = 0;
    require(BLOCKFW_API(GetDeviceCount)(&devices), "counting devices");
    return devices;
  }
  static int device_of(const ExecSpace& exec) { return BLOCKFW_API_OF(exec, device); }
  static void use(int device) { require(BLOCKFW_API(SetDevice)(device), "choosing a device"); }

  /// Makes a stream on the current device.
  static StreamHandle make_stream(StreamPriority priority) {
    int lowest = 0, highest = 0;
    require(BLOCKFW_API(DeviceGetStreamPriorityRange)(&lowest, &highest), "asking for priorities");
    StreamHandle stream;
    require(BLOCKFW_API(StreamCreateWithPriority)(&stream, BLOCKFW_API(StreamNonBlocking),
                                                  priority == StreamPriority::high ? highest : lowest),
            "making a stream");
    return stream;
  }
  static void drop(StreamHandle stream) { static_cast<void>(BLOCKFW_API(StreamDestroy)(stream)); }

  static EventHandle make_event() {
    EventHandle event;
    require(BLOCKFW_API(EventCreateWithFlags)(&event, BLOCKFW_API(EventDisableTiming)), "making an event");
    return event;
  }
  static void drop(EventHandle event) { static_cast<void>(BLOCKFW_API(EventDestroy)(event)); }
  static void record(EventHandle event, const ExecSpace& exec) {
    require(BLOCKFW_API(EventRecord)(event, BLOCKFW_API_OF(exec, stream)), "recording an event");
  }
  /// Copies `rows` rows of `bytes` bytes each, on the host or on a device.
  static void copy(const ExecSpace& exec, void* to, std::size_t to_stride, const void* from, std::size_t from_stride,
                   std::size_t bytes, std::size_t rows) {
    const auto stream = BLOCKFW_API_OF(exec, stream);
    const bool gaps =
        to_stride != bytes || from_stride != bytes;  // (rows without gaps may be too long for the first call)
    require(gaps ? BLOCKFW_API(Memcpy2DAsync)(to, to_stride, from, from_stride, bytes, rows, BLOCKFW_API(MemcpyDefault),
                                              stream)
                 : BLOCKFW_API(MemcpyAsync)(to, from, bytes * rows, BLOCKFW_API(MemcpyDefault), stream),
            "copying rows");
  }
  static void wait(EventHandle event, const ExecSpace& exec) {
    require(BLOCKFW_API(StreamWaitEvent)(BLOCKFW_API_OF(exec, stream), event, 0), "waiting for an event");
  }
  /// The calling thread waits for the event.
  static void wait_on_host(EventHandle event) { require(BLOCKFW_API(EventSynchronize)(event), "waiting for a device"); }

  /// Gives one device direct access to another one's memory, if the devices can do that; otherwise copies go through
  /// the host.
  static void connect(int from, int to) {
    int can = 0;
    if (from == to || BLOCKFW_API(DeviceCanAccessPeer)(&can, from, to) != BLOCKFW_API(Success) || can == 0) return;
    use(from);
    if (BLOCKFW_API(DeviceEnablePeerAccess)(to, 0) != BLOCKFW_API(Success))  // access may be enabled already
      static_cast<void>(BLOCKFW_API(GetLastError)());
  }

  /// Whether host memory was allocated pinned.
  static bool is_pinned(void* data) {
    unsigned flags = 0;
    if (BLOCKFW_API(HostGetFlags)(&flags, data) == BLOCKFW_API(Success)) return true;
    static_cast<void>(BLOCKFW_API(GetLastError)());
    return false;
  }
  /// \brief Pins host memory, so that a device copies it directly, at full speed.
  /// \return whether the call pinned it and unpin() must follow; false for memory that is pinned already
  /// \throws DeviceError when the memory cannot be pinned
  static bool pin(void* data, std::size_t bytes) {
    const auto status = BLOCKFW_API(HostRegister)(data, bytes, BLOCKFW_API(HostRegisterPortable));
    if (status != BLOCKFW_API(Success)) static_cast<void>(BLOCKFW_API(GetLastError)());
    if (status == BLOCKFW_API(ErrorHostMemoryAlreadyRegistered)) return false;
    require(status, "pinning memory");
    return true;
  }
  static void unpin(void* data) { static_cast<void>(BLOCKFW_API(HostUnregister)(data)); }

 private:
  static void require(BLOCKFW_API(Error_t) status, const char* what) {
    if (status != BLOCKFW_API(Success))
      throw DeviceError(std::string(what) + ": " + BLOCKFW_API(GetErrorString)(status));
  }
};
#endif
#undef BLOCKFW_API
#undef BLOCKFW_API_OF

/// The calls of an execution space, checked.
template <class ExecSpace, class Api = Backend<ExecSpace>>
constexpr bool require_backend() {
  static_assert(StreamBackend<Api, ExecSpace>,
                "blockfw: a backend has the calls of the concept StreamBackend (detail/backend/concepts.hpp)");
  if constexpr (!is_host_space<ExecSpace>)
    static_assert(DeviceBackend<Api, ExecSpace, StreamPriority>,
                  "blockfw: a device's backend also has count(), make_stream() and drop() of a stream");
  return true;
}
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
  /// The stream continues when the marked work is done; at once if nothing has been recorded.
  void wait(const ExecSpace& stream) const { Api::wait(event_, stream); }
  /// The calling thread waits for the marked work.
  void wait_on_host() const { Api::wait_on_host(event_); }

 private:
  typename Api::EventHandle event_;
};

/// \brief Copies a matrix between any two memories, queued on exec. Rows may lie apart. The entries of a row must be
/// contiguous, except on a host.
template <class ExecSpace, MatrixView To, MatrixView From>
void copy_rows(const ExecSpace& exec, const To& to, const From& from) {
  if constexpr (is_host_space<ExecSpace>) {
    Kokkos::deep_copy(exec, to, from);
  } else {
    if ((to.stride(1) != 1 || from.stride(1) != 1) && to.extent(1) > 1)
      throw InvalidInput("the matrices '" + from.label() + "' and '" + to.label() + "' have columns " +
                         std::to_string(from.stride(1)) + " and " + std::to_string(to.stride(1)) +
                         " entries apart, expected 1 for a copy between a device and the host");
    using T = typename To::value_type;
    if (to.size() > 0)
      Backend<ExecSpace>::copy(exec, to.data(), to.stride(0) * sizeof(T), from.data(), from.stride(0) * sizeof(T),
                               to.extent(1) * sizeof(T), to.extent(0));
  }
}

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
