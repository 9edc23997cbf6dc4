// SPDX-License-Identifier: MIT
/// \file
/// \brief Objects that are made once for each device and kept until their owner or Kokkos ends.
#pragma once

#include "blockfw/detail/backend/backend.hpp"

#include <Kokkos_Core.hpp>

#include <map>
#include <memory>
#include <mutex>
#include <typeindex>
#include <typeinfo>
#include <utility>
#include <vector>

namespace blockfw::detail {

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
