// SPDX-License-Identifier: MIT
/// \file
/// \brief The labels of some vertices, made on demand from the ways of a factor, and distances of pairs by labels.
#pragma once

#include "blockfw/detail/backend/memory.hpp"
#include "blockfw/detail/base/arithmetic.hpp"
#include "blockfw/detail/elimination/factor.hpp"
#include "blockfw/detail/elimination/kept_labels.hpp"
#include "blockfw/detail/elimination/row_products.hpp"
#include "blockfw/detail/graph/supernodes.hpp"
#include "blockfw/detail/loops/threads.hpp"
#include "blockfw/detail/plan/finish.hpp"
#include "blockfw/ground/semiring.hpp"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <numeric>
#include <optional>
#include <span>
#include <vector>

namespace blockfw::detail {

/// \brief Makes the labels of a block of vertices, or of one vertex.
///
/// A vertex's label starts with the vertex itself, at length one(), and climbs the tree. At each supernode it is closed
/// by the paths among the supernode's vertices. Then the ways carry it to the supernode's boundary. The vertices of a
/// block climb together where their paths in the tree meet: one vector has the entries of many vertices.
///
/// A vertex takes w·(w + b) relaxes for each supernode on its path, with w vertices and a boundary of b vertices.
template <Semiring S>
class LabelMaker {
  using T = typename S::value_type;
  using Index = std::int32_t;
  using Products = RowProducts<S>;

 public:
  using Over = S;
  using Factor = HostFactor<S>;
  /// The most vertices of a block. (With a list for each entry, 16 fill a level-2 cache.)
  static constexpr std::size_t columns = Products::sets > 1 ? 16 : 2 * std::size_t{Products::unit};

  /// A vertex with its label.
  struct Label {
    std::size_t node = 0;
    const T* entries = nullptr;
    std::vector<T> memory;
    std::vector<T> ways;  ///< over a boundary, to the labels that are kept
  };
  /// As many entries as any label has.
  static constexpr std::size_t whole_label = std::numeric_limits<Index>::max();

  /// The structure, the numbers and the kept labels must outlive this object.
  explicit LabelMaker(const HostFactor<S>& factor) : factor_(factor) {}

  /// \brief Writes the labels of a block.
  ///
  /// \param numbers  of at most `columns` vertices in the order of elimination, ascending; a number may occur twice
  /// \param labels   the entry of vertex c for position p of its path is labels[p · columns + c]. The memory has room
  ///                 for the longest path of the block.
  /// \return the length of the longest path
  /// \tparam Heading  from: the paths from the vertices; towards: the paths to them
  ///
  /// (The last argument is for makers of several sets of weights: from the labels of a set to those of the next.)
  template <Sweep Heading>
  std::size_t make(std::span<const Index> numbers, T* labels, std::size_t = 0) {
    std::size_t path = 0;
    for (const Index k : numbers) path = std::max(path, at(factor_.node_of(k).path_length()));
    std::fill_n(labels, path * columns, S::zero());
    open_.clear();
    for (std::size_t c = 0; c < numbers.size(); ++c) {
      const Index s = factor_.structure.owner[at(numbers[c])];
      while (!open_.empty() && open_.back().node < s) climb<Heading>(c, labels);
      if (open_.empty() || open_.back().node != s) open_.push_back({s, c});
      const Supernode& node = factor_.structure.supernodes[at(s)];
      labels[at(node.depth + numbers[c] - node.first) * columns + c] = S::one();
    }
    while (!open_.empty()) climb<Heading>(numbers.size(), labels);
    return path;
  }

  /// \brief The label of one vertex: made, or read where it is kept.
  /// \param label   its memory is used again
  /// \param needed  the first entries that are needed
  template <Sweep Heading>
  void make(Index k, Label& label, std::size_t needed = whole_label) {
    make<Heading>(k, label, [](const Supernode&, const T*) { return false; }, needed);
  }
  /// \brief The same, as far up the tree as needed.
  /// \param ends  ends(node, entries): whether the label may end with this supernode. The entries of its boundary are
  ///              the best paths out of its subtree, or better ones.
  /// \return the supernode that it ends with
  ///
  /// Where the labels of the top of the tree are kept, the label climbs up to them. Then the paths to the boundary, and
  /// the labels of the boundary's vertices, give the first entries at once.
  template <Sweep Heading, class Ends>
  Index make(Index k, Label& label, const Ends& ends, std::size_t needed = whole_label) {
    auto s = factor_.structure.owner[at(k)];
    label.node = at(s);
    bool kept = is_kept(s);
    if (kept) {
      label.entries = kept_row<Heading>(factor_, *factor_.kept, k);
    } else {
      const Supernode& own = factor_.node_of(k);
      label.memory.assign(at(own.path_length()), S::zero());
      label.memory[at(own.depth + k - own.first)] = S::one();
      label.entries = label.memory.data();
    }
    for (;; s = factor_.structure.supernodes[at(s)].parent) {
      if (!kept) climb_one<Heading>(s, label.memory.data(), 1);
      const Supernode& node = factor_.structure.supernodes[at(s)];
      if (node.parent < 0 || ends(node, label.entries)) return s;
      if (!kept && (kept = is_kept(node.parent))) complete<Heading>(node, label, needed);
    }
  }

  /// The best path through a vertex that both labels have.
  T meet(const Label& from, const Label& to) const {
    return Products::meet(common(from.node, to.node), from.entries, to.entries);
  }
  /// The number of entries that the labels of two supernodes' vertices have in common.
  std::size_t common(std::size_t a, std::size_t b) const {
    const auto& nodes = factor_.structure.supernodes;
    while (a != b) (a < b ? a : b) = at(nodes[std::min(a, b)].parent);
    return a < nodes.size() ? at(nodes[a].path_length()) : 0;
  }

 private:
  /// A supernode that the vertices [first, ...) of the block have reached.
  struct Reached {
    Index node;
    std::size_t first;
  };
  static constexpr std::size_t few = 4;  // vertices that climb one by one (measured)

  bool is_kept(Index s) const { return factor_.kept && factor_.kept->whole.has(factor_.structure.supernodes[at(s)]); }

  /// Completes a label that has climbed to a supernode whose boundary has kept labels.
  template <Sweep Heading>
  void complete(const Supernode& node, Label& label, std::size_t needed) {
    label.ways.clear();
    for (const Index position : node.positions) label.ways.push_back(label.memory[at(position)]);
    complete_labels<Heading>(factor_, *factor_.kept, node, label.ways.data(), 1, label.memory.data(), 0, needed);
  }

  /// Takes the vertices [first, end) of the block through the supernode that they reached last, to its parent.
  template <Sweep Heading>
  void climb(std::size_t end, T* labels) {
    const Reached reached = open_.back();
    open_.pop_back();
    if (end - reached.first < few)
      for (std::size_t c = reached.first; c < end; ++c) climb_one<Heading>(reached.node, labels + c, columns);
    else
      climb_some<Heading>(reached.node, reached.first, end, labels);
    const Index parent = factor_.structure.supernodes[at(reached.node)].parent;
    if (parent >= 0 && (open_.empty() || open_.back().node != parent)) open_.push_back({parent, reached.first});
  }

  /// \param stride  from an entry of the label to the next
  template <Sweep Heading>
  void climb_one(Index s, T* label, std::size_t stride) {
    constexpr Side side = compiled_side<S>(Heading == Sweep::from ? Side::left : Side::right);
    const Supernode& node = factor_.structure.supernodes[at(s)];
    const std::size_t w = at(node.width()), b = node.boundary.size();
    const T *own = factor_.values.own_of(Heading, at(s)), *ways = factor_.values.ways_of(opposite(Heading), at(s));
    const std::size_t room = round_up(w, std::size_t{Products::unit});
    T* const entries = workspace(2 * room + round_up(b, std::size_t{Products::unit}));
    T *const closed = entries + room, *const above = closed + room;
    T* const mine = label + at(node.depth) * stride;
    for (std::size_t i = 0; i < w; ++i) entries[i] = mine[i * stride];
    if (w > 1) {
      Products::template combine_rows<side>(w, entries, own, w, closed, w);
      for (std::size_t i = 0; i < w; ++i) mine[i * stride] = closed[i];
    }
    Products::template combine_rows<side>(w, w > 1 ? closed : entries, ways, b, above, b);
    Products::improve(label, node.positions.data(), stride, above, b);
  }

  template <Sweep Heading>
  void climb_some(Index s, std::size_t first, std::size_t end, T* labels) {
    constexpr Side side = compiled_side<S>(Heading == Sweep::from ? Side::right : Side::left);
    constexpr std::size_t unit = Products::unit;
    const Supernode& node = factor_.structure.supernodes[at(s)];
    const std::size_t w = at(node.width()), b = node.boundary.size();
    const std::size_t start = first / unit * unit, length = round_up(end, unit) - start;
    // (A product takes whole vectors. Columns of other vertices are computed, too, and dropped.)
    T* const closed = workspace((w + b) * length);
    T* const above = closed + w * length;
    T* const mine = labels + at(node.depth) * columns;
    rows_.clear();
    for (std::size_t i = 0; i < w; ++i) rows_.push_back(mine + i * columns + start);
    if (w > 1) {
      const T* const own = factor_.values.own_of(opposite(Heading), at(s));
      Products::template relax<side>(w, w, own, w, 1, rows_.data(), closed, length, length, true);
      for (std::size_t i = 0; i < w; ++i)
        std::copy(closed + i * length + (first - start), closed + i * length + (end - start),
                  mine + i * columns + first);
    }
    const T* const ways = factor_.values.ways_of(opposite(Heading), at(s));
    Products::template relax<side>(b, w, ways, 1, b, rows_.data(), above, length, length, true);
    for (std::size_t y = 0; y < b; ++y) {
      T* const row = labels + at(node.positions[y]) * columns;
      for (std::size_t c = first; c < end; ++c) row[c] = S::relax(row[c], above[y * length + c - start], S::one());
    }
  }

  /// Memory for some numbers, aligned for vectors.
  T* workspace(std::size_t count) {
    if (count > room_) {
      room_ = count + count / 2;
      memory_ = std::make_unique_for_overwrite<T[]>(room_ + vector_padding<T>);
    }
    return aligned(memory_.get());
  }

  HostFactor<S> factor_;
  std::vector<Reached> open_;  ///< supernodes that wait for more vertices of the block; the last is the least
  std::vector<const T*> rows_;
  std::unique_ptr<T[]> memory_;
  std::size_t room_ = 0;
};

/// \brief The distance of a pair.
/// \param source, target  numbers of the order of elimination
template <Semiring S>
typename S::value_type pair_distance(const HostFactor<S>& factor, std::int32_t source, std::int32_t target) {
  if (source == target && factor.sets_own()) return S::one();
  LabelMaker<S> labels(factor);
  typename LabelMaker<S>::Label from, to;
  const auto& owner = factor.structure.owner;
  const std::size_t common = labels.common(at(owner[at(source)]), at(owner[at(target)]));
  labels.template make<Sweep::from>(source, from, common);
  labels.template make<Sweep::towards>(target, to, common);
  return factor.finish().marked(labels.meet(from, to));
}

/// \brief Calls f(pair, best) for each pair, on the host's threads: `best` is its best path, or a number without one
/// that Finish marks.
/// \param given    the factor
/// \param sources  numbers of the order of elimination
/// \param targets  as many
///
/// A pair takes two labels and their common part. Pairs with the same source share its label. The labels of all
/// vertices are made first if there are at least n/2 pairs (measured), and if the labels fit a quarter of the free
/// memory.
template <Semiring S, class Host, class F>
void for_pairs(const Host& exec, const HostFactor<S>& given, std::span<const std::int32_t> sources,
               std::span<const std::int32_t> targets, const F& f) {
  using T = typename S::value_type;
  constexpr std::size_t at_once = 256;  // pairs of a task
  HostFactor<S> factor = given;
  std::vector<std::size_t> pairs(sources.size());
  std::iota(pairs.begin(), pairs.end(), std::size_t{0});
  std::sort(pairs.begin(), pairs.end(), [&](std::size_t a, std::size_t b) {
    return sources[a] != sources[b] ? sources[a] < sources[b] : targets[a] < targets[b];
  });
  std::optional<KeptLabels<T>> made;
  if (!keeps_all_labels(factor) && 2 * pairs.size() >= factor.structure.order.size() &&
      bytes_of_kept_labels<T>(factor.structure, factor.values.symmetric) < available_host_bytes() / 4) {
    made = kept_labels(exec, factor, Whole::all());
    factor.kept = &*made;
  }
  const std::size_t tasks = div_up(pairs.size(), at_once);
  const std::size_t workers = std::min(tasks, static_cast<std::size_t>(exec.concurrency()));
  std::atomic<std::size_t> next = 0;
  for_tasks(exec, static_cast<std::int64_t>(workers), "blockfw::pairs", [&](std::int64_t) {
    LabelMaker<S> labels(factor);
    typename LabelMaker<S>::Label from, to;
    for (std::size_t task; (task = next++) < tasks;) {
      std::int32_t source = -1, target = -1;
      for (std::size_t p = task * at_once; p < std::min(pairs.size(), (task + 1) * at_once); ++p) {
        const std::size_t pair = pairs[p];
        if (sources[pair] != source) labels.template make<Sweep::from>(source = sources[pair], from);
        if (targets[pair] != target) labels.template make<Sweep::towards>(target = targets[pair], to);
        f(pair, labels.meet(from, to));
      }
    }
  });
}

/// \brief Writes the distance of each pair.
/// \param sources    numbers of the order of elimination
/// \param targets    as many
/// \param distances  entry p of a set is distances[set · pairs + p]
/// \tparam Factor    a HostFactor, or a SetsFactor
template <class Host, class Factor>
void pair_distances(const Host& exec, const Factor& factor, std::span<const std::int32_t> sources,
                    std::span<const std::int32_t> targets, typename Factor::T* distances) {
  using S = typename Factor::Over;
  std::vector<Finish<S>> finish;
  for (std::size_t set = 0; set < factor.sets(); ++set) finish.push_back(factor.finish(set));
  for_pairs(exec, factor.numbers(), sources, targets, [&](std::size_t pair, const auto& best) {
    for (std::size_t set = 0; set < finish.size(); ++set)
      distances[set * sources.size() + pair] =
          factor.sets_own(set) && sources[pair] == targets[pair] ? S::one() : finish[set].marked(entry_of(best, set));
  });
}

}  // namespace blockfw::detail
