// SPDX-License-Identifier: MIT
/// \file
/// \brief Objects that are made once for each device and kept until their owner or Kokkos ends.
#pragma once

#include "blockfw/detail/backend/backend.hpp"

#include <Kokkos_Core.hpp>

#include <algorithm>
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
  KeptOnDevices() {
    const std::lock_guard lock(all().mutex);
    all().list.push_back(this);
  }
  ~KeptOnDevices() {
    const std::lock_guard lock(all().mutex);
    std::erase(all().list, this);
  }
  KeptOnDevices(const KeptOnDevices&) = delete;
  KeptOnDevices& operator=(const KeptOnDevices&) = delete;

  /// The object for the instance's device: the object of an earlier call, or the result of make().
  template <class Object, class ExecSpace, class Make>
  std::shared_ptr<const Object> get(const ExecSpace& exec, const Make& make) {
    const std::type_index type = typeid(Object);
    const int device = Backend<ExecSpace>::device_of(exec);
    all().hook();
    const std::lock_guard lock(mutex_);
    for (const Entry& entry : entries_)
      if (entry.type == type && entry.device == device) return std::static_pointer_cast<const Object>(entry.object);
    std::shared_ptr<const Object> made = make();
    entries_.push_back({type, device, made});
    return made;
  }

 private:
  struct Entry {
    std::type_index type;
    int device;
    std::shared_ptr<const void> object;
  };
  /// All owners, whose objects have to be freed before Kokkos ends.
  struct Owners {
    std::mutex mutex;
    std::vector<KeptOnDevices*> list;
    bool hooked = false;
    /// Has Kokkos's end free all objects.
    void hook() {
      const std::lock_guard lock(mutex);
      if (!std::exchange(hooked, true)) Kokkos::push_finalize_hook([] { all().clear(); });
    }
    void clear() {
      const std::lock_guard lock(mutex);
      for (KeptOnDevices* owner : list) {
        const std::lock_guard its(owner->mutex_);
        owner->entries_.clear();
      }
    }
  };
  static Owners& all() {
    static Owners& owners = *new Owners;  // (It outlives owners that are static objects.)
    return owners;
  }

  std::mutex mutex_;
  std::vector<Entry> entries_;
};

}  // namespace blockfw::detail
