// SPDX-License-Identifier: MIT
/// \file
/// \brief The contract between the library and a vendor: the properties of its devices that determine the shape of the
/// device code; its streams, events and copies.
#pragma once

#include "blockfw/ground/matrix.hpp"

#include <Kokkos_Core.hpp>

#include <concepts>
#include <cstddef>
#include <optional>

namespace blockfw {

enum class Vendor { none, nvidia, amd };

/// \brief A device: the resources of its multiprocessors (compute units), the abilities of its instructions, and the
/// strengths of its compiler. Each vendor's header makes Targets; see backend.hpp.
struct Target {
  Vendor vendor = Vendor::none;
  int architecture = 0;  ///< the vendor's number, larger for newer architectures
  int warp_size = 1;     ///< threads that work in step
  // Of one multiprocessor:
  int threads = 1;
  int scratch = 0;    ///< bytes
  int registers = 0;  ///< of 32 bits
  int teams = 1;      ///< the most teams that are promised to the compiler; with more teams it spills
  int warps = 0;      ///< the warps that hide latencies; 0: as many as leave each thread its registers
  int simds = 0;      ///< the parts for which the compiler's bound counts warps; 0: the bound counts teams

  bool starts_in_order = false;  ///< whether teams start in the order of their league ranks
  bool pairs = false;            ///< packed values: instructions for two 16-bit numbers in one register
  bool least_of_floats = false;  ///< an instruction for the least of three floats
  bool least_of_ints = false;    ///< the same for 32-bit integers
  bool floats_as_ints = false;   ///< floats are compared by their bits, so sums must not be negative
  bool adds_two_floats = false;  ///< an instruction for two sums of floats
  bool async_copies = false;     ///< copies from global memory to scratch that use no registers
  bool multiplies_bits = false;  ///< matrix units that multiply matrices of bits

  // Measured, or chosen by the code that the compiler makes:
  int long_step = 4;          ///< the pivots of one step of close() for types of eight bytes
  bool mirrors_large = true;  ///< the large tile leaves registers for mirrored panels
  bool wide_graphs = false;   ///< the compiler keeps 128 entries of a tile and the values of close() in registers
  int bits_bound = 2;         ///< the compiler's bound of the transitive closure with tables
};

}  // namespace blockfw

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
