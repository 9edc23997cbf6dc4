// SPDX-License-Identifier: MIT
/// \file
/// \brief The contract of a place: where the shares of a matrix lie, and how the processes that hold them agree.
#pragma once

#include "blockfw/detail/backend/memory.hpp"
#include "blockfw/detail/base/arithmetic.hpp"
#include "blockfw/detail/kernel/part.hpp"
#include "blockfw/detail/loops/threads.hpp"
#include "blockfw/detail/matrices/edge_entries.hpp"
#include "blockfw/detail/numbers/numbers.hpp"
#include "blockfw/detail/shares/edges_by_owner.hpp"
#include "blockfw/detail/shares/share_layout.hpp"
#include "blockfw/detail/shares/share_solver.hpp"
#include "blockfw/ground/edge.hpp"
#include "blockfw/ground/error.hpp"
#include "blockfw/ground/matrix.hpp"
#include "blockfw/ground/options.hpp"
#include "blockfw/ground/semiring.hpp"
#include "blockfw/ground/weights.hpp"

#include <Kokkos_Core.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <ranges>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace blockfw::detail {

/// Bytes that a share needs.
struct ShareBytes {
  double entries, panels;
};

/// \brief Where the shares of a matrix lie. A process holds all shares, or one.
///
/// Functions that are not marked as local are collective. The functions that join processes are implemented here for a
/// place of one process. A place of several processes overrides these functions.
template <class ExecSpace>
class Place : public Processes {
 public:
  // (By default a compiler for AMD's devices would make it for devices, too.)
  ~Place() override {}

  // Local functions.

  const ShareLayout& layout() const { return layout_; }
  /// The shares of this process: `count()` shares, the first of which is `first()`.
  int first() const { return first_; }
  int count() const { return static_cast<int>(instances_.size()); }
  auto own() const { return std::views::iota(first(), first() + count()); }
  bool holds(int share) const { return share >= first() && share < first() + count(); }
  bool holds_all() const { return count() == layout_.shares(); }
  /// The index of a share among the shares of this process.
  std::size_t index(int share) const { return at(share - first_); }
  /// The instance that works on a share of this process.
  const ExecSpace& exec(int share) const { return instances_[index(share)]; }
  const std::vector<ExecSpace>& instances() const { return instances_; }

  // Collective functions.

  /// Calls f(share) for each share of this process, at the same time.
  /// \throws as together()
  void each(const std::function<void(int)>& f) const {
    this->together([&] { in_threads(count(), [&](int number) { f(first() + number); }); });
  }

  /// Sends bytes from the process of a share to one process, or to all. The other processes do nothing.
  virtual void send(int /*share*/, void* /*data*/, std::size_t /*bytes*/, int /*to*/) const {}
  /// Sends each element to the share that it is for. For share s these are elements first[s] to first[s + 1] - 1.
  /// \param along_row  whether each share sends along its row of shares. Then s is a place in the row; otherwise s is a
  ///                   share.
  /// \param memory     memory(count) returns memory for the elements that this process receives. Called if the process
  ///                   has one share.
  virtual void deliver(bool /*along_row*/, const std::byte* /*elements*/, const std::vector<std::size_t>& /*first*/,
                       std::size_t /*element_bytes*/, const std::function<std::byte*(std::size_t)>& /*memory*/) const {}

  /// Checks that all shares fit, before memory is asked for.
  /// \throws OutOfMemory, which names the share
  virtual void require_memory(const std::function<ShareBytes(int)>& bytes_of) const = 0;
  /// Does all rounds.
  /// \throws on all processes, or RankError
  virtual void rounds(const ShareRounds<ExecSpace>& work) const = 0;

 protected:
  /// \param instances  the instances of this process's shares
  Place(ShareLayout layout, int first, std::vector<ExecSpace> instances)
      : layout_(layout), first_(first), instances_(std::move(instances)) {}

  /// Checks that a share of this process fits.
  /// \param name  its name at the start of the text of an error
  /// \param what  the content of the memory, in the plural
  void require_share(int share, const std::string& name, const std::string& what, const ShareBytes& need) const {
    try {
      detail::require_memory(exec(share), what, need.entries, need.panels);
    } catch (const OutOfMemory& error) {
      throw OutOfMemory(name + error.what());
    }
  }

 private:
  ShareLayout layout_;
  int first_;
  std::vector<ExecSpace> instances_;
};

/// \brief Edges at the shares that own their entries, in memory of the shares' instances. `from` and `to` are places in
/// the share.
/// \tparam W  the type of the weights
template <class T, class W, class ExecSpace>
struct SpreadEdges {
  using Entries = Array<Edge<W>, ExecSpace>;

  std::vector<Entries> entries;          ///< the edges of each share of this process
  WeightRange<T> range;                  ///< the range of the weights of all processes
  std::array<std::int64_t, 5> layout{};  ///< the layout of the shares; see ShareLayout::numbers()

  /// Rows of a block of the layout.
  std::int64_t block_rows() const { return layout[1]; }
  /// Whether the edges lie where the shares of a place need them.
  bool are_for(const Place<ExecSpace>& place) const { return layout == place.layout().numbers(); }
};

/// \brief Sends each edge to the share that owns its entry.
/// \tparam S     the semiring as whose numbers the weights are read
/// \param edges  rank-1 view on the host; each process passes any part of the edges
/// \param first  the number of edges[0] among all edges, for the error of an invalid edge
/// \throws as fill_from_edges()
template <Semiring S, class ExecSpace, class Edges>
auto spread_edges(const Place<ExecSpace>& place, const Edges& edges, Direction direction, std::int64_t first = 0) {
  using T = typename S::value_type;
  using W = decltype(Edges::non_const_value_type::weight);
  const ShareLayout& layout = place.layout();
  EdgesByOwner<W> sorted;
  WeightRange<T> range;
  place.together([&] {
    const auto owner = [&layout](std::int32_t i, std::int32_t j) { return layout.owner(i, j); };
    std::tie(sorted, range) = sort_by_owner<S>(edges, layout.order, layout.shares(), owner, direction, first);
  });
  if (!place.holds_all()) {
    EdgesByOwner<W> own;
    place.deliver(false, reinterpret_cast<const std::byte*>(sorted.edges.data()), sorted.first, sizeof(Edge<W>),
                  [&](std::size_t count) {
                    own.edges = without_values<decltype(own.edges)>("blockfw::own_edges", count);
                    own.first = {0, count};
                    return reinterpret_cast<std::byte*>(own.edges.data());
                  });
    sorted = std::move(own);
  }
  SpreadEdges<T, W, ExecSpace> spread;
  spread.entries.resize(at(place.count()));
  spread.range = place.reduced(range), spread.layout = layout.numbers();
  place.each([&](int s) {
    spread.entries[place.index(s)] = reachable_edges(place.exec(s), sorted.of(place.index(s)));
    place.exec(s).fence("blockfw::spread_edges");
  });
  return spread;
}

}  // namespace blockfw::detail
