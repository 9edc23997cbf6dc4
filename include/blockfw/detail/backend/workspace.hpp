// SPDX-License-Identifier: MIT
/// \file
/// \brief Memory and objects of devices that are kept from call to call, since to make them takes longer than to solve
/// a small graph. They are freed before Kokkos ends.
#pragma once

#include "blockfw/detail/backend/backend.hpp"
#include "blockfw/detail/backend/memory.hpp"
#include "blockfw/detail/base/arithmetic.hpp"
#include "blockfw/detail/loops/launch.hpp"
#include "blockfw/ground/matrix.hpp"

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <typeindex>
#include <typeinfo>
#include <utility>
#include <vector>

namespace blockfw::detail {

/// \brief Memory for the work queued on an instance, all zero when newly allocated.
///
/// The destructor keeps the memory for the next call on the instance that names the same purpose. Work on one instance
/// runs in order, so the earlier call's work is done by then. The memory is freed by Kokkos::finalize(), or when too
/// many allocations are kept.
/// \tparam Space  where the memory is; if left out, the memory of ExecSpace
template <class ExecSpace, class Space = typename ExecSpace::memory_space>
class Workspace {
 public:
  Workspace() = default;
  Workspace(const ExecSpace& exec, std::size_t bytes, const char* purpose) : held_{exec, {}} {
    {
      const std::lock_guard lock(mutex_);
      static const bool hooked = (Kokkos::push_finalize_hook([] { kept_.clear(); }), true);
      static_cast<void>(hooked);
      const auto find = [&](std::size_t least) {
        return std::find_if(kept_.begin(), kept_.end(), [&](const Held& held) {
          return held.exec == exec && held.memory.label() == purpose && held.memory.size() >= least;
        });
      };
      if (const auto large = find(bytes); large != kept_.end()) {
        held_.memory = large->memory;
        kept_.erase(large);
      } else if (const auto small = find(0); small != kept_.end()) {
        kept_.erase(small);  // the new, larger one replaces it
      }
    }
    if (held_.memory.is_allocated()) return;
    if constexpr (is_host_space<ExecSpace>) {
      held_.memory = Memory(Kokkos::view_alloc(exec, std::string(purpose), Kokkos::WithoutInitializing), bytes);
      prefer_large_pages(held_.memory.data(), bytes);
      clear(exec, held_.memory.data(), bytes);
    } else {
      held_.memory = Memory(Kokkos::view_alloc(exec, std::string(purpose)), bytes);
    }
  }
  Workspace(Workspace&& other) noexcept { swap(other); }
  Workspace& operator=(Workspace&& other) noexcept {
    swap(other);
    return *this;
  }
  ~Workspace() {
    if (!held_.memory.is_allocated()) return;
    const std::lock_guard lock(mutex_);
    if (kept_.size() == most_kept) kept_.erase(kept_.begin());
    kept_.push_back(std::move(held_));
  }

  /// Frees the memory that is kept for an instance. To be called when the instance ends.
  static void forget(const ExecSpace& exec) {
    const std::lock_guard lock(mutex_);
    std::erase_if(kept_, [&](const Held& held) { return held.exec == exec; });
  }

  const auto& memory() const { return held_.memory; }
  std::byte* data() const { return held_.memory.data(); }

 private:
  using Memory = Kokkos::View<std::byte*, Space>;
  struct Held {
    ExecSpace exec;
    Memory memory;
  };
  void swap(Workspace& other) noexcept { std::swap(held_, other.held_); }

  /// Sets host memory to zero on all threads: a page lies near the core that touches it first. (Kokkos would set it on
  /// one thread.)
  static void clear(const ExecSpace& exec, std::byte* data, std::size_t bytes) {
    constexpr std::size_t page = 4096;
    for_range("blockfw::clear", exec, 0, div_up(bytes, page), [=](std::int64_t number) {
      const std::size_t first = static_cast<std::size_t>(number) * page;
      std::memset(data + first, 0, std::min(page, bytes - first));
    });
  }

  static constexpr std::size_t most_kept = 160;  // ten for each of 16 instances
  static inline std::mutex mutex_;
  static inline std::vector<Held> kept_;
  Held held_;
};

/// Reserves `count` consecutive numbers above 0 that no other call gets, and returns the first.
inline std::int64_t take_tickets(std::int64_t count) {
  static std::atomic<std::int64_t> next = 1;
  return next.fetch_add(count);
}

/// \brief Objects in the memory of devices, one of each type for each device. For any threads.
class KeptOnDevices {
 public:
  KeptOnDevices() = default;
  KeptOnDevices(const KeptOnDevices&) = delete;
  KeptOnDevices& operator=(const KeptOnDevices&) = delete;
  ~KeptOnDevices() {
    decltype(All::of)::node_type mine;  // freed without the lock, as a device may wait for its work then
    const std::lock_guard lock(kept().mutex);
    mine = kept().of.extract(this);
  }

  /// The object for the instance's device: the object of an earlier call, or the result of make().
  template <class Object, class ExecSpace, class Make>
  std::shared_ptr<const Object> get(const ExecSpace& exec, const Make& make) {
    const std::type_index type = typeid(Object);
    const int device = Backend<ExecSpace>::device_of(exec);
    const std::lock_guard making(making_);
    std::unique_lock lock(kept().mutex);
    if (!std::exchange(kept().hooked, true)) Kokkos::push_finalize_hook([] { free_all(); });
    for (const Kept& one : kept().of[this])
      if (one.type == type && one.device == device) return std::static_pointer_cast<const Object>(one.object);
    lock.unlock();
    std::shared_ptr<const Object> made = make();
    lock.lock();
    kept().of[this].push_back({type, device, made});
    return made;
  }

 private:
  struct Kept {
    std::type_index type;
    int device;
    std::shared_ptr<const void> object;
  };
  /// The objects of each owner, which have to be freed before Kokkos ends.
  struct All {
    std::mutex mutex;
    std::map<const KeptOnDevices*, std::vector<Kept>> of;
    bool hooked = false;
  };
  static All& kept() {
    static All& all = *new All;  // (It outlives owners that are static objects.)
    return all;
  }
  static void free_all() {
    const std::lock_guard lock(kept().mutex);
    kept().of.clear();
  }

  std::mutex making_;
};

}  // namespace blockfw::detail
