// SPDX-License-Identifier: MIT
/// \file
/// \brief The structure of an elimination in the memory of a device, and the order of a device's work on it.
#pragma once

#include "blockfw/detail/backend/memory.hpp"
#include "blockfw/detail/base/arithmetic.hpp"
#include "blockfw/detail/graph/supernodes.hpp"
#include "blockfw/detail/matrices/copies.hpp"
#include "blockfw/ground/error.hpp"

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace blockfw::detail {

/// A supernode in the form that a device reads.
struct DeviceNode {
  std::int32_t first, last, subtree_first, parent, depth, boundary;
  std::int32_t child_first, child_end;  ///< its children are children[child_first] to children[child_end - 1]
  std::int32_t label_length;            ///< entries of a row of the labels that are kept
  std::int64_t boundary_first, ways, own, front, labels;  ///< where the supernode's part of each array begins

  KOKKOS_FORCEINLINE_FUNCTION std::int32_t width() const { return last - first; }
  /// Rows and columns of its front.
  KOKKOS_FORCEINLINE_FUNCTION std::int32_t order() const { return last - first + boundary; }
};

/// The work of a team of a device on a front.
enum class FrontStep {
  whole,     ///< assembles, closes and keeps a small front
  assemble,  ///< assembles some rows of a large front
  panels,    ///< closes a block of pivots, and updates a part of its rows or columns
  rest,      ///< updates a tile of the other rows and columns
  keep,      ///< copies some rows of a large front to the factor
};

/// \brief A team's work.
///
/// `assemble` and `keep` have the first row. `panels` has the first row (column is -1), the first column (row is -1),
/// or neither. `rest` has the first row and the first column.
struct FrontTask {
  std::int32_t node, row, column;
};

/// The supernodes from `first` to `root`: a subtree.
struct SubtreeTask {
  std::int32_t first, root;
};

/// Tasks of one launch.
struct FrontLaunch {
  FrontStep step;
  std::int32_t pivot;  ///< the first pivot of the block, for `panels` and `rest`
  std::int64_t first, count;
};

/// \brief The structure of an elimination without weights, for all factors on a device.
///
/// Supernodes of the same height above the leaves are eliminated in the same launch. One team eliminates a small front.
/// A large front is eliminated by blocks of pivots, with a team for each tile. All fronts are kept until the end, since
/// a parent reads the fronts of its children.
template <class ExecSpace>
class DeviceTree {
 public:
  using Index = std::int32_t;
  using Memory = typename ExecSpace::memory_space;
  template <class E>
  using Array = Kokkos::View<E*, Memory>;

  /// Pivots of a block, rows of a task of `assemble` or `keep`, rows and columns of a tile.
  static constexpr Index pivots = 32, rows = 8, tile = 64;
  /// Rows of a task of a sweep, and of a task of labels.
  static constexpr Index sweep_rows = 4, label_rows = 4;
  /// The most vertices of a subtree that a task of a sweep takes whole.
  static constexpr Index most_of_subtree = 128;

  /// \param most_whole  the most relaxes of a front that one team eliminates
  DeviceTree(const ExecSpace& exec, const Elimination& structure, double most_whole = 1e5) {
    std::vector<DeviceNode> list;
    std::vector<Index> borders, rows_above, below;
    for (std::size_t s = 0; s < structure.supernodes.size(); ++s) {
      const Supernode& node = structure.supernodes[s];
      const auto w = std::int64_t{node.width()}, b = static_cast<std::int64_t>(node.boundary.size());
      const Index length = node.leaf ? node.width() : node.path_length();
      const auto first_child = static_cast<Index>(below.size());
      for_each_child(structure, s, [&](std::size_t child) { below.push_back(static_cast<Index>(child)); });
      list.push_back({node.first, node.last, static_cast<Index>(node.subtree_first()), node.parent, node.depth,
                      static_cast<Index>(b), first_child, static_cast<Index>(below.size()), length,
                      static_cast<std::int64_t>(borders.size()), ways, own, fronts, labels});
      if (w * b > std::numeric_limits<std::uint32_t>::max())
        throw InvalidInput("a supernode of " + std::to_string(w) + " vertices has a boundary of " + std::to_string(b) +
                           ", expected a product below 2^32 for a device");
      ways += w * b, own += w * w, fronts += (w + b) * (w + b), labels += w * length;
      borders.insert(borders.end(), node.boundary.begin(), node.boundary.end());
      if (node.parent >= 0)
        for_rows_in_parent(node, structure.supernodes[at(node.parent)], [&](Index row) { rows_above.push_back(row); });
    }
    std::vector<std::int64_t> starts(borders.size());
    std::vector<Index> lengths(borders.size());
    for (std::size_t y = 0; y < borders.size(); ++y) {
      const DeviceNode& above = list[at(structure.owner[at(borders[y])])];
      lengths[y] = above.label_length;
      starts[y] = above.labels + std::int64_t{borders[y] - above.first} * above.label_length;
    }
    label_start = copied(exec, starts);
    label_length = copied(exec, lengths);
    plan_fronts(exec, structure, most_whole);
    plan_levels(exec, structure);
    vertices = static_cast<std::int64_t>(structure.order.size());
    longest_path = structure.longest_path;
    nodes = copied(exec, list);
    for (Index& vertex : borders) vertex = structure.order[at(vertex)];
    boundary = copied(exec, borders);
    parent_row = copied(exec, rows_above);
    children = copied(exec, below);
    order = copied(exec, structure.order);
    owner = copied(exec, structure.owner);
    place = copied(exec, structure.place);
  }

  std::int64_t vertices, longest_path;
  std::int64_t ways = 0, own = 0, fronts = 0, labels = 0;  ///< elements of each array of a factor
  std::int64_t blocks = 0;                                 ///< large fronts
  Array<DeviceNode> nodes;
  Array<Index> boundary, parent_row;  ///< for all boundaries: the vertices, and their rows in the parent's front
  Array<Index> children, order, owner, place;
  Array<Index> block;                 ///< the number of each supernode among the large fronts
  Array<FrontTask> tasks;             ///< the tasks of the elimination
  std::vector<FrontLaunch> launches;  ///< the launches of the elimination, in order
  /// Tasks of a sweep in supernodes with large subtrees, and of labels that are kept. They are sorted by level from the
  /// roots down. The lists of levels have the beginning of each level, and the end.
  Array<RowsTask> sweep_tasks, label_tasks;
  std::vector<std::int64_t> sweep_levels, label_levels;
  Array<SubtreeTask> subtrees;      ///< the small subtrees of a sweep, below the supernodes of sweep_tasks
  Array<std::int64_t> label_start;  ///< where the kept label of each boundary vertex begins
  Array<Index> label_length;        ///< the length of that label; it falls along a boundary

 private:
  template <class E>
  static Array<E> copied(const ExecSpace& exec, const std::vector<E>& list) {
    require_memory(exec, "the structure of a sparse factor", static_cast<double>(list.size()) * sizeof(E));
    const auto there = in_space(exec, list);
    exec.fence("blockfw::sparse_structure");  // before the list is freed
    return there;
  }

  void plan_fronts(const ExecSpace& exec, const Elimination& structure, double most_whole) {
    const auto& nodes_of = structure.supernodes;
    std::vector<std::size_t> height(nodes_of.size(), 0);
    std::vector<std::vector<Index>> by_height;
    for (std::size_t s = 0; s < nodes_of.size(); ++s) {
      if (by_height.size() <= height[s]) by_height.resize(height[s] + 1);
      by_height[height[s]].push_back(static_cast<Index>(s));
      if (const Index parent = nodes_of[s].parent; parent >= 0)
        height[at(parent)] = std::max(height[at(parent)], height[s] + 1);
    }
    std::vector<Index> number(nodes_of.size(), -1);
    std::vector<FrontTask> list;
    const auto launch = [&](FrontStep step, const auto& add) {
      const auto first = static_cast<std::int64_t>(list.size());
      add();
      const auto count = static_cast<std::int64_t>(list.size()) - first;
      if (count > 0) launches.push_back({step, 0, first, count});
    };
    for (const auto& level : by_height) {
      std::vector<Index> large_ones;
      Index widest = 0;
      launch(FrontStep::whole, [&] {
        for (const Index s : level) {
          const double w = nodes_of[at(s)].width(), m = w + static_cast<double>(nodes_of[at(s)].boundary.size());
          if (w * m * m <= most_whole) {
            list.push_back({s, 0, 0});
            continue;
          }
          large_ones.push_back(s);
          widest = std::max(widest, nodes_of[at(s)].width());
          number[at(s)] = static_cast<Index>(blocks++);
        }
      });
      const auto for_rows = [&] {
        for (const Index s : large_ones)
          for (Index row = 0; row < order_of(nodes_of[at(s)]); row += rows) list.push_back({s, row, 0});
      };
      launch(FrontStep::assemble, for_rows);
      // (All blocks of pivots have the same tasks. A team of a front without more pivots does nothing.)
      launch(FrontStep::panels, [&] {
        for (const Index s : large_ones) {
          list.push_back({s, -1, -1});
          for (Index i = 0; i < order_of(nodes_of[at(s)]); i += tile) {
            list.push_back({s, i, -1});
            list.push_back({s, -1, i});
          }
        }
      });
      launch(FrontStep::rest, [&] {
        for (const Index s : large_ones)
          for (Index i = 0; i < order_of(nodes_of[at(s)]); i += tile)
            for (Index j = 0; j < order_of(nodes_of[at(s)]); j += tile) list.push_back({s, i, j});
      });
      for (Index pivot = pivots; pivot < widest; pivot += pivots)
        for (const FrontStep step : {FrontStep::panels, FrontStep::rest}) {
          FrontLaunch same = launches[launches.size() - 2];
          same.step = step;
          same.pivot = pivot;
          launches.push_back(same);
        }
      launch(FrontStep::keep, for_rows);
    }
    tasks = copied(exec, list);
    block = copied(exec, number);
  }

  static Index order_of(const Supernode& node) { return node.width() + static_cast<Index>(node.boundary.size()); }

  /// Lists the rows of supernodes with large subtrees, and the rows of supernodes with whole labels, by level; and the
  /// small subtrees.
  void plan_levels(const ExecSpace& exec, const Elimination& structure) {
    const auto is_small = [](const Supernode& node) { return node.last - node.subtree_first() <= most_of_subtree; };
    std::vector<SubtreeTask> small;
    for (std::size_t s = structure.supernodes.size(); s-- > 0;) {
      const Supernode& node = structure.supernodes[s];
      if (is_small(node) && (node.parent < 0 || !is_small(structure.supernodes[at(node.parent)])))
        small.push_back({structure.owner[at(node.subtree_first())], static_cast<Index>(s)});
    }
    subtrees = copied(exec, small);
    const auto join = [&](const auto& by_level, std::vector<std::int64_t>& start) {
      std::vector<RowsTask> list;
      for (const auto& some : by_level) {
        start.push_back(static_cast<std::int64_t>(list.size()));
        list.insert(list.end(), some.begin(), some.end());
      }
      start.push_back(static_cast<std::int64_t>(list.size()));
      return copied(exec, list);
    };
    sweep_tasks = join(rows_by_level(structure, sweep_rows, [&](const Supernode& node) { return !is_small(node); }),
                       sweep_levels);
    label_tasks =
        join(rows_by_level(structure, label_rows, [](const Supernode& node) { return !node.leaf && node.parent >= 0; }),
             label_levels);
  }
};

}  // namespace blockfw::detail
