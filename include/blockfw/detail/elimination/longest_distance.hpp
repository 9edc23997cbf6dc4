// SPDX-License-Identifier: MIT
/// \file
/// \brief A length that no distance of a factor exceeds.
#pragma once

#include "blockfw/detail/elimination/factor.hpp"
#include "blockfw/detail/elimination/label_block.hpp"
#include "blockfw/detail/graph/supernodes.hpp"
#include "blockfw/detail/loops/host_tasks.hpp"
#include "blockfw/ground/rounding.hpp"
#include "blockfw/ground/semiring.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

namespace blockfw::detail {

/// \brief A length that no distance exceeds, out of the largest numbers of each supernode.
///
/// A shortest path between vertices of one supernode, inside its subtree, is a number of `own`. Any other shortest path
/// goes up from its start and down to its end. Each of the two parts is empty, or an entry of a label above the
/// vertex's own supernode. The entry is at most the sum of the longest way to the boundary and the longest entry of a
/// label of the boundary's vertices.
template <class T>
T bound_of_distances(const Elimination& structure, const FactorValues<T>& factor) {
  const auto at = [](auto i) { return static_cast<std::size_t>(i); };
  const auto longest = [](const T* lengths, std::size_t count) {
    T most = 0;
    for (std::size_t i = 0; i < count; ++i)
      if (lengths[i] < infinity<T>) most = std::max(most, lengths[i]);
    return most;
  };
  T own = 0, there_and_back = 0;
  std::vector<T> entry(structure.supernodes.size());  // a bound of all entries of the labels of a supernode's vertices
  for (const Sweep sweep : {Sweep::from, Sweep::towards}) {
    const SweepValues<T> values = factor.of(sweep);
    T all_above = 0;
    for (std::size_t s = structure.supernodes.size(); s-- > 0;) {
      const Supernode& node = structure.supernodes[s];
      const std::size_t w = at(node.width()), b = node.boundary.size();
      T above = 0;
      for (std::size_t y = 0; y < b; ++y) above = std::max(above, entry[at(structure.owner[at(node.boundary[y])])]);
      if (b > 0) above += longest(values.opposite_ways + factor.start[s].ways, w * b);
      const T mine = longest(values.own + factor.start[s].own, w * w);
      own = std::max(own, mine);
      all_above = std::max(all_above, above);
      entry[s] = std::max(mine, above);
    }
    there_and_back += all_above;
  }
  return std::max(own, there_and_back);
}

/// The same out of the labels of all vertices: less, and slower to find.
template <class Host, class T>
T longest_distance(const Host& exec, const Elimination& structure, const FactorValues<T>& factor) {
  constexpr std::size_t columns = LabelBlock<MinPlus<T>>::columns;
  const auto at = [](auto i) { return static_cast<std::size_t>(i); };
  std::vector<std::int32_t> numbers(structure.order.size());
  std::iota(numbers.begin(), numbers.end(), 0);
  const std::size_t tasks = div_up(numbers.size(), columns);
  struct Longest {
    T own = 0, above = 0;
  };
  T own = 0, there_and_back = 0;
  for (const Sweep sweep : {Sweep::from, Sweep::towards}) {
    std::vector<Longest> longest(tasks);
    for_tasks(exec, static_cast<std::int64_t>(tasks), "blockfw::longest_distance", [&](std::int64_t task) {
      const std::size_t first = at(task) * columns;
      LabelBlock<MinPlus<T>> block(structure, factor);
      std::vector<T> labels(at(structure.longest_path) * columns);
      const auto some = std::span(numbers).subspan(first, std::min(columns, numbers.size() - first));
      if (sweep == Sweep::from)
        block.template make<Sweep::from>(some, labels.data());
      else
        block.template make<Sweep::towards>(some, labels.data());
      for (std::size_t c = 0; c < some.size(); ++c) {
        const Supernode& node = structure.supernodes[at(structure.owner[at(some[c])])];
        for (std::size_t x = 0; x < at(node.path_length()); ++x) {
          T& most = x < at(node.depth) ? longest[at(task)].above : longest[at(task)].own;
          if (const T length = labels[x * columns + c]; length < infinity<T>) most = std::max(most, length);
        }
      }
    });
    T above = 0;
    for (const Longest& some : longest) {
      own = std::max(own, some.own);
      above = std::max(above, some.above);
    }
    there_and_back += above;
  }
  return std::max(own, there_and_back);
}

}  // namespace blockfw::detail
