// SPDX-License-Identifier: MIT
/// \file
/// \brief The MPI link: ranks send panels by broadcasts along the rows and columns of the process grid.
#pragma once

#include "blockfw/communicator.hpp"
#include "blockfw/detail/backend/mpi_memory.hpp"
#include "blockfw/detail/devices/block_cyclic_map.hpp"
#include "blockfw/detail/kernel/group_panels.hpp"
#include "blockfw/tile.hpp"

#include <Kokkos_Core.hpp>

#include <mpi.h>

#include <algorithm>
#include <cstddef>
#include <vector>

namespace blockfw::detail {

/// \brief The MPI link of one share (see ShareSolver).
///
/// On a host, work is done when a call returns. A broadcast starts as soon as its panel is made, and progress() gives
/// MPI time during the rounds. On a device, work is only queued. The host waits for a panel while the device updates
/// the share with the panels before it, and then sends it: from device memory if MPI can read that, else by a pinned
/// buffer on the host.
template <class Storage, class ExecSpace>
class MpiLink {
  using Pinned = Kokkos::View<std::byte*, Kokkos::SharedHostPinnedSpace>;
  static constexpr bool on_host = is_host_space<ExecSpace>;

 public:
  /// \param along_row, along_column  the ranks of this rank's row of the grid, and of its column
  MpiLink(const Communicator& along_row, const Communicator& along_column, const BlockCyclicMap& down,
          const BlockCyclicMap& across, const std::vector<Group>& groups, const Storage& storage)
      : row_(along_row),
        column_(along_column),
        down_(down),
        across_(across),
        groups_(groups),
        storage_(storage),
        reachable_(mpi_reaches_memory<ExecSpace>()) {}

  void send_pivot(const ExecSpace& ahead, int group) {
    post(ahead, pivot_, pivot_messages(group), row_, across_.owner(first(group)));
    if constexpr (!on_host) finish(ahead, pivot_);
  }
  void wait_for_pivot(const ExecSpace& ahead, int group) {
    post(ahead, pivot_, pivot_messages(group), row_, across_.owner(first(group)));
    finish(ahead, pivot_);
  }

  void send_right(const ExecSpace& ahead, int group) {
    if constexpr (on_host) post_right(ahead, group);
  }
  void wait_for_right(const ExecSpace& ahead, int group) {
    if constexpr (!on_host) post_right(ahead, group);
    finish(ahead, right_);
  }

  void send_left(const ExecSpace& ahead, int group) {
    if constexpr (on_host) post_left(ahead, group);
  }
  void wait_for_left(const ExecSpace& ahead, int group) {
    if constexpr (!on_host) post_left(ahead, group);
    finish(ahead, left_);
    if constexpr (on_host) finish(ahead, pivot_);
  }

  void progress() {
    for (Transfer* t : {&pivot_, &right_, &left_})
      if (!t->requests.empty()) {
        int done = 0;
        require_mpi(MPI_Testall(size(t->requests), t->requests.data(), &done, MPI_STATUSES_IGNORE), "sending a panel");
        if (done) t->requests.clear();
      }
  }

 private:
  /// The pending broadcasts of one kind of panel.
  struct Transfer {
    std::vector<MPI_Request> requests;
    std::vector<Message> messages;
    bool receives = false;
    Pinned by_host;
  };

  int first(int group) const { return groups_[static_cast<std::size_t>(group)].first; }
  static int size(const std::vector<MPI_Request>& requests) { return static_cast<int>(requests.size()); }

  template <class F>
  std::vector<Message> messages(int group, const F& add) const {
    std::vector<Message> list;
    const Group& rounds = groups_[static_cast<std::size_t>(group)];
    for (int round = rounds.first; round <= rounds.last(); ++round) add(list, round);
    return list;
  }
  std::vector<Message> pivot_messages(int group) const {
    const Group& rounds = groups_[static_cast<std::size_t>(group)];
    return messages(group, [&](auto& list, int round) {
      if (rounds.count > 1) list.push_back(storage_.left(round, down_.local(rounds.first), rounds.count));
      list.push_back(storage_.left_pivot(round));
    });
  }
  void post_right(const ExecSpace& ahead, int group) {
    post(ahead, right_, messages(group, [&](auto& list, int round) { list.push_back(storage_.right(round)); }), column_,
         down_.owner(first(group)));
  }
  void post_left(const ExecSpace& ahead, int group) {
    post(ahead, left_, messages(group, [&](auto& list, int round) { list.push_back(storage_.left(round)); }), row_,
         across_.owner(first(group)));
  }

  /// Starts the broadcasts. On a device it first fences the stream, so that the data are complete.
  void post(const ExecSpace& ahead, Transfer& t, std::vector<Message> messages, const Communicator& ranks, int root) {
    if (ranks.size() == 1) return;
    t.receives = ranks.rank() != root;
    t.messages = std::move(messages);
    std::byte* by_host = nullptr;
    if (!reachable_) {
      std::size_t bytes = 0;
      for (const Message& m : t.messages) bytes += m.bytes;
      if (t.by_host.extent(0) < bytes)
        t.by_host = Pinned(Kokkos::view_alloc("blockfw::panels_by_host", Kokkos::WithoutInitializing), bytes);
      if (!t.receives) copy(ahead, t, true);
      by_host = t.by_host.data();
    }
    if constexpr (!on_host) ahead.fence("blockfw::send");
    for (const Message& m : t.messages) {
      std::byte* const data = reachable_ ? m.data : by_host;
      in_mpi_ranges(m.bytes, [&](std::size_t from, int count) {
        t.requests.emplace_back();
        require_mpi(MPI_Ibcast(data + from, count, MPI_BYTE, root, ranks.get(), &t.requests.back()), "sending a panel");
      });
      if (!reachable_) by_host += m.bytes;
    }
  }

  void finish(const ExecSpace& ahead, Transfer& t) {
    if (!t.requests.empty())
      require_mpi(MPI_Waitall(size(t.requests), t.requests.data(), MPI_STATUSES_IGNORE), "sending a panel");
    t.requests.clear();
    if (!reachable_ && t.receives) copy(ahead, t, false);
    t.receives = false;
  }

  void copy(const ExecSpace& ahead, const Transfer& t, bool to_host) const {
    using There = Kokkos::View<std::byte*, typename ExecSpace::memory_space, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
    std::size_t at = 0;
    for (const Message& m : t.messages) {
      const auto here = Kokkos::subview(t.by_host, Kokkos::pair(at, at + m.bytes));
      to_host ? Kokkos::deep_copy(ahead, here, There(m.data, m.bytes))
              : Kokkos::deep_copy(ahead, There(m.data, m.bytes), here);
      at += m.bytes;
    }
  }

  const Communicator &row_, &column_;
  const BlockCyclicMap &down_, &across_;
  const std::vector<Group>& groups_;
  const Storage& storage_;
  bool reachable_;
  Transfer pivot_, right_, left_;
};

}  // namespace blockfw::detail
