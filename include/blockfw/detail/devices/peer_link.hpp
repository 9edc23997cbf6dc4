/// \file
/// \brief How the devices of one process pass panels on: one host thread each, copies from device to device.
#pragma once

#include "blockfw/detail/backend/streams.hpp"
#include "blockfw/detail/devices/block_cyclic_map.hpp"
#include "blockfw/detail/kernel/group_panels.hpp"

#include <Kokkos_Core.hpp>

#include <condition_variable>
#include <cstddef>
#include <exception>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

namespace blockfw::detail {

/// f(0) to f(count - 1), each in a thread of its own, the first in the calling one. \throws the first error of any
template <class F>
void in_threads(int count, const F& f) {
  std::vector<std::exception_ptr> errors(static_cast<std::size_t>(count));
  const auto guarded = [&](int i) {
    try {
      f(i);
    } catch (...) {
      errors[static_cast<std::size_t>(i)] = std::current_exception();
    }
  };
  {
    std::vector<std::jthread> threads;
    for (int i = 1; i < count; ++i) threads.emplace_back(guarded, i);
    guarded(0);
  }
  for (const auto& error : errors)
    if (error) std::rethrow_exception(error);
}

/// \brief What the threads of one solve know of each other.
template <class Phase, class ExecSpace>
class PeerLinks {
 public:
  using Storage = typename Phase::GroupStorage;

  /// \param make_storage  of a share
  template <class MakeStorage>
  PeerLinks(const BlockCyclicMap& map, const std::vector<Group>& groups, const std::vector<ExecSpace>& devices,
            const MakeStorage& make_storage)
      : map_(map), groups_(groups) {
    using Api = Backend<ExecSpace>;
    for (int s = 0; s < map.parts(); ++s) {
      const ExecSpace& exec = devices[static_cast<std::size_t>(s)];
      for (const ExecSpace& other : devices) Api::connect(Api::device_of(exec), Api::device_of(other));
      sides_.push_back(std::make_unique<Side>(exec, make_storage(s)));
    }
  }

  const ExecSpace& ahead(int share) const { return side(share).ahead.exec(); }
  const Storage& storage(int share) const { return side(share).storage; }

  /// Does what may wait for others; if it fails, they do not wait any longer.
  template <class F>
  void guard(const F& f) {
    try {
      f();
    } catch (const Abandoned&) {
    } catch (...) {
      const std::lock_guard lock(mutex_);
      if (!error_) error_ = std::current_exception();
      changed_.notify_all();
    }
  }
  void rethrow() const {
    if (error_) std::rethrow_exception(error_);
  }

 private:
  template <class>
  friend class PeerLink;

  struct Abandoned {};
  struct Side {
    Side(const ExecSpace& exec, Storage&& panels)
        : storage(std::move(panels)), ahead(exec, true), sent{exec, exec}, released{exec, exec} {}
    Storage storage;
    Stream<ExecSpace> ahead;
    // Of even groups and of odd ones.
    Event<ExecSpace> sent[2], released[2];
    int last_released = -1;
  };
  Side& side(int share) { return *sides_[static_cast<std::size_t>(share)]; }
  const Side& side(int share) const { return *sides_[static_cast<std::size_t>(share)]; }

  template <class Condition>
  void wait_until(const Condition& condition) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return error_ || condition(); });
    if (error_) throw Abandoned{};
  }
  void post(int& last, int group) {
    const std::lock_guard lock(mutex_);
    last = group;
    changed_.notify_all();
  }

  const BlockCyclicMap& map_;
  const std::vector<Group>& groups_;
  std::vector<std::unique_ptr<Side>> sides_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::exception_ptr error_;
  int last_sent_ = -1;
};

/// \brief The link of one share (see Share): the owner of a group's pivots pushes their right panel to all others.
template <class PeerLinks>
class PeerLink {
 public:
  PeerLink(PeerLinks& links, int share) : links_(links), share_(share) {}

  template <class ExecSpace>
  void send_right(const ExecSpace& ahead, int group) {
    if (owner(group) != share_) return;
    auto& own = links_.side(share_);
    const Group& rounds = links_.groups_[static_cast<std::size_t>(group)];
    for (int s = 0; s < links_.map_.parts(); ++s) {
      if (s == share_) continue;
      auto& other = links_.side(s);
      if (group >= 2) {  // whose panels will be replaced
        links_.wait_until([&] { return other.last_released >= group - 2; });
        other.released[group % 2].wait(ahead);
      }
      for (int round = rounds.first; round <= rounds.last(); ++round)
        copy(ahead, other.storage.right(round), own.storage.right(round));
    }
    own.sent[group % 2].record(ahead);
    links_.post(links_.last_sent_, group);
  }

  template <class ExecSpace>
  void wait_for_right(const ExecSpace& ahead, int group) {
    if (owner(group) == share_) return;
    links_.wait_until([&] { return links_.last_sent_ >= group; });
    links_.side(owner(group)).sent[group % 2].wait(ahead);
  }

  template <class ExecSpace>
  void release(const ExecSpace& bulk, int group) {
    auto& own = links_.side(share_);
    own.released[group % 2].record(bulk);
    links_.post(own.last_released, group);
  }

  // A share has all columns.
  template <class ExecSpace>
  void send_pivot(const ExecSpace&, int) {}
  template <class ExecSpace>
  void wait_for_pivot(const ExecSpace&, int) {}
  template <class ExecSpace>
  void send_left(const ExecSpace&, int) {}
  template <class ExecSpace>
  void wait_for_left(const ExecSpace&, int) {}
  void progress() {}

 private:
  int owner(int group) const { return links_.map_.owner(links_.groups_[static_cast<std::size_t>(group)].first); }

  template <class ExecSpace>
  static void copy(const ExecSpace& stream, const Message& to, const Message& from) {
    using Bytes = Kokkos::View<std::byte*, typename ExecSpace::memory_space, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
    Kokkos::deep_copy(stream, Bytes(to.data, to.bytes), Bytes(from.data, from.bytes));
  }

  PeerLinks& links_;
  int share_;
};

}  // namespace blockfw::detail
