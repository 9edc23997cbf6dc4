/// \file
/// \brief Several lanes of work: instances on each device, signals between them, copies between devices and the host.
#pragma once

#include "blockfw/error.hpp"
#include "blockfw/matrix.hpp"
#include "blockfw/tile.hpp"

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstring>
#include <optional>
#include <string>

namespace blockfw::detail {

/// \brief What of CUDA and HIP Kokkos has no word for. On a host work is done when a call returns, and nothing is
/// needed.
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

// The two vendors' calls differ in their first letters only, and a Kokkos has one of them.
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

  /// On the device in use. \param first  whether its work takes precedence
  static StreamHandle make_stream(bool first) {
    int lowest = 0, highest = 0;
    require(BLOCKFW_API(DeviceGetStreamPriorityRange)(&lowest, &highest), "asking for priorities");
    StreamHandle stream;
    require(BLOCKFW_API(StreamCreateWithPriority)(&stream, BLOCKFW_API(StreamNonBlocking), first ? highest : lowest),
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
  /// Copies `rows` rows of so many bytes, on the host or on a device.
  static void copy(const ExecSpace& exec, void* to, std::size_t to_stride, const void* from, std::size_t from_stride,
                   std::size_t bytes, std::size_t rows) {
    const auto stream = BLOCKFW_API_OF(exec, stream);
    const bool gaps =
        to_stride != bytes || from_stride != bytes;  // (rows that have none may be too long for the first)
    require(gaps ? BLOCKFW_API(Memcpy2DAsync)(to, to_stride, from, from_stride, bytes, rows, BLOCKFW_API(MemcpyDefault),
                                              stream)
                 : BLOCKFW_API(MemcpyAsync)(to, from, bytes * rows, BLOCKFW_API(MemcpyDefault), stream),
            "copying rows");
  }
  static void wait(EventHandle event, const ExecSpace& exec) {
    require(BLOCKFW_API(StreamWaitEvent)(BLOCKFW_API_OF(exec, stream), event, 0), "waiting for an event");
  }
  /// The calling thread waits.
  static void wait_on_host(EventHandle event) { require(BLOCKFW_API(EventSynchronize)(event), "waiting for a device"); }

  /// Lets one device reach another one's memory by itself, where it can; elsewhere copies go by way of the host.
  static void connect(int from, int to) {
    int can = 0;
    if (from == to || BLOCKFW_API(DeviceCanAccessPeer)(&can, from, to) != BLOCKFW_API(Success) || can == 0) return;
    use(from);
    if (BLOCKFW_API(DeviceEnablePeerAccess)(to, 0) != BLOCKFW_API(Success))  // it may be so already
      static_cast<void>(BLOCKFW_API(GetLastError)());
  }

  /// Whether memory of the host was allocated pinned.
  static bool is_pinned(void* data) {
    unsigned flags = 0;
    if (BLOCKFW_API(HostGetFlags)(&flags, data) == BLOCKFW_API(Success)) return true;
    static_cast<void>(BLOCKFW_API(GetLastError)());
    return false;
  }
  /// \brief Pins memory of the host, so that a device copies it by itself, at full speed.
  /// \return whether that was done, and is to be undone; not so of memory that is pinned already
  /// \throws DeviceError when it cannot be
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

/// A point in the work of one lane that another one waits for.
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

  /// What has been queued on the lane so far.
  void record(const ExecSpace& stream) { Api::record(event_, stream); }
  /// The lane goes on when that is done (nothing has been recorded: at once).
  void wait(const ExecSpace& stream) const { Api::wait(event_, stream); }
  /// The calling thread does.
  void wait_on_host() const { Api::wait_on_host(event_); }

 private:
  typename Api::EventHandle event_;
};

/// \brief Copies a matrix between any two memories, queued on exec; rows may lie apart, their entries must not.
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

/// \brief An instance on a device, or on that of another one, on a stream of its own; on a host the same one.
template <class ExecSpace>
class Stream {
  using Api = Backend<ExecSpace>;

 public:
  explicit Stream(int device) : Stream(device, false, {}) {}
  /// \param first  whether its work takes precedence
  Stream(const ExecSpace& exec, bool first) : Stream(Api::device_of(exec), first, exec) {}
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
  Stream([[maybe_unused]] int device, [[maybe_unused]] bool first, [[maybe_unused]] const ExecSpace& exec) {
    if constexpr (is_host_space<ExecSpace>) {
      exec_.emplace(exec);
    } else {
      Api::use(device);
      stream_ = Api::make_stream(first);
      exec_.emplace(stream_);
    }
  }
  [[maybe_unused]] typename Api::StreamHandle stream_{};
  std::optional<ExecSpace> exec_;
};

}  // namespace blockfw::detail
