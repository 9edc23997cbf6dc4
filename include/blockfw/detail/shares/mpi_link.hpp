// SPDX-License-Identifier: MIT
/// \file
/// \brief The MPI link: ranks send panels by broadcasts along the rows and columns of the process grid, and pieces of a
/// half-updated matrix from rank to rank.
#pragma once

#include "blockfw/detail/matrices/copies.hpp"
#include "blockfw/detail/numbers/operations.hpp"
#include "blockfw/detail/shares/pivot_mirror.hpp"
#include "blockfw/detail/shares/share_layout.hpp"
#include "blockfw/ground/communicator.hpp"
#include "blockfw/ground/matrix.hpp"

#include <Kokkos_Core.hpp>

#include <mpi.h>
#include <algorithm>
#include <cstddef>
#include <vector>

#if __has_include(<mpi-ext.h>)
#include <mpi-ext.h>
#endif

namespace blockfw::detail {

/// Whether MPI can read and write the memory of this space.
template <class ExecSpace>
bool mpi_reaches_memory() {
#if defined(KOKKOS_ENABLE_CUDA) && defined(MPIX_CUDA_AWARE_SUPPORT)
  return is_host_space<ExecSpace> || MPIX_Query_cuda_support() != 0;
#elif defined(KOKKOS_ENABLE_HIP) && (defined(OMPI_HAVE_MPI_EXT_ROCM) || defined(MPIX_ROCM_AWARE_SUPPORT))
  return is_host_space<ExecSpace> || MPIX_Query_rocm_support() != 0;
#else
  return is_host_space<ExecSpace>;
#endif
}

/// \brief The MPI link of one share (see ShareSolver).
///
/// On a host, work is done when a call returns. A broadcast starts as soon as its panel is made, and progress() gives
/// MPI time during the rounds. On a device, work is only queued. The host waits for a panel while the device updates
/// the share with the panels before it. Then the host sends the panel: from device memory if MPI can read that,
/// otherwise through a pinned buffer on the host.
template <class ExecSpace>
class MpiLink {
  using Pinned = Kokkos::View<std::byte*, Kokkos::SharedHostPinnedSpace>;
  static constexpr bool on_host = is_host_space<ExecSpace>;

 public:
  /// \param along_row, along_column  the ranks of this rank's row of the grid, and of its column
  /// \param numbers                  the operations of this share, whose panels travel
  /// \param mirror                   the mirror of this share, if half of the matrix is updated; then the grid has one
  ///                                 column
  MpiLink(const Communicator& along_row, const Communicator& along_column, const BlockCyclicMap& down,
          const BlockCyclicMap& across, const std::vector<Group>& groups, const Operations<ExecSpace>& numbers,
          const PivotMirror<ExecSpace>* mirror = nullptr)
      : row_(along_row),
        column_(along_column),
        down_(down),
        across_(across),
        groups_(groups),
        numbers_(numbers),
        mirror_(mirror),
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

  void send_columns(const ExecSpace& ahead, int group) {
    if constexpr (on_host) post_columns(ahead, group);
  }
  void wait_for_columns(const ExecSpace& ahead, int group) {
    if constexpr (!on_host) post_columns(ahead, group);
    finish(ahead, columns_);
  }

  void send_rows(const ExecSpace& ahead, int group) { post_rows(ahead, group); }
  void wait_for_rows(const ExecSpace& ahead, int) { finish(ahead, rows_); }

  void progress() {
    for (Transfer* t : {&pivot_, &right_, &left_, &columns_, &rows_})
      if (!t->requests.empty()) {
        int done = 0;
        require_mpi(MPI_Testall(size(t->requests), t->requests.data(), &done, MPI_STATUSES_IGNORE), "sending a panel");
        if (done) t->requests.clear();
      }
  }

 private:
  /// The pending messages of one kind.
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
      list.push_back(numbers_.left(round, down_.local(rounds.first), rounds.count));
      list.push_back(numbers_.left_pivot(round));
    });
  }
  void post_right(const ExecSpace& ahead, int group) {
    post(ahead, right_, messages(group, [&](auto& list, int round) { list.push_back(numbers_.right(round)); }), column_,
         down_.owner(first(group)));
  }
  void post_left(const ExecSpace& ahead, int group) {
    post(ahead, left_, messages(group, [&](auto& list, int round) { list.push_back(numbers_.left(round)); }), row_,
         across_.owner(first(group)));
  }

  int pivots_of(int group) const {
    const Group& rounds = groups_[static_cast<std::size_t>(group)];
    return across_.rows_of(across_.owner(rounds.first), rounds.first, rounds.count).count;
  }
  void post_columns(const ExecSpace& ahead, int group) {
    const int pivots = pivots_of(group), owner = down_.owner(first(group));
    post_pieces(
        ahead, columns_, owner, owner == column_.rank(), [&] { return mirror_->sent(column_.rank(), pivots); },
        [&](int other) { return mirror_->gathered(other, pivots); });
  }
  void post_rows(const ExecSpace& ahead, int group) {
    const int pivots = pivots_of(group), owner = down_.owner(first(group));
    post_pieces(
        ahead, rows_, owner, owner != column_.rank(), [&] { return mirror_->scattered(pivots); },
        [&](int other) { return mirror_->sent(other, pivots); });
  }

  /// Starts the messages between the owner of a group's pivots and each other rank.
  /// \param receives  whether this rank is the receiver, or one of the receivers
  /// \param own       own() is the piece of a rank that is not the owner
  /// \param of        of(rank) is the owner's piece for a rank
  template <class Own, class Of>
  void post_pieces(const ExecSpace& ahead, Transfer& t, int owner, bool receives, const Own& own, const Of& of) {
    const int tag = &t == &columns_ ? 1 : 2;
    std::vector<Message> pieces;
    std::vector<int> others;
    for (int rank = 0; rank < column_.size(); ++rank) {
      if (rank == column_.rank() || (rank != owner && column_.rank() != owner)) continue;
      others.push_back(rank);
      pieces.push_back(column_.rank() == owner ? of(rank) : own());
    }
    post(ahead, t, std::move(pieces), receives,
         [&](std::size_t piece, std::byte* data, int count, MPI_Request* request) {
           return receives ? MPI_Irecv(data, count, MPI_BYTE, others[piece], tag, column_.get(), request)
                           : MPI_Isend(data, count, MPI_BYTE, others[piece], tag, column_.get(), request);
         });
  }

  /// Starts a broadcast of each panel.
  void post(const ExecSpace& ahead, Transfer& t, std::vector<Message> panels, const Communicator& ranks, int root) {
    if (ranks.size() == 1) return;
    post(ahead, t, std::move(panels), ranks.rank() != root,
         [&](std::size_t, std::byte* data, int count, MPI_Request* request) {
           return MPI_Ibcast(data, count, MPI_BYTE, root, ranks.get(), request);
         });
  }

  /// Starts messages. On a device this first fences the stream, so that the data are complete.
  /// \param start  start(number of the message, data, bytes, request) starts a message, or a part of it
  template <class Start>
  void post(const ExecSpace& ahead, Transfer& t, std::vector<Message> messages, bool receives, const Start& start) {
    t.receives = receives;
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
    for (std::size_t number = 0; number < t.messages.size(); ++number) {
      const Message& m = t.messages[number];
      std::byte* const data = reachable_ ? m.data : by_host;
      in_mpi_ranges(m.bytes, [&](std::size_t from, int count) {
        t.requests.emplace_back();
        require_mpi(start(number, data + from, count, &t.requests.back()), "sending a panel");
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
    using There = typename ExecSpace::memory_space;
    using Here = typename Pinned::memory_space;
    std::size_t at = 0;
    for (const Message& m : t.messages) {
      std::byte* const here = t.by_host.data() + at;
      to_host ? copy_bytes<Here, There>(ahead, here, m.data, m.bytes)
              : copy_bytes<There, Here>(ahead, m.data, here, m.bytes);
      at += m.bytes;
    }
  }

  const Communicator &row_, &column_;
  const BlockCyclicMap &down_, &across_;
  const std::vector<Group>& groups_;
  const Operations<ExecSpace>& numbers_;
  const PivotMirror<ExecSpace>* mirror_;
  bool reachable_;
  Transfer pivot_, right_, left_, columns_, rows_;
};

}  // namespace blockfw::detail
