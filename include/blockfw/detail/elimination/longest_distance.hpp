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

/// \brief A length that no distance exceeds, out of the labels of all vertices.
///
/// A shortest path goes up to a vertex that lies above both its ends, and then down: each of the two parts is an entry
/// of a label.
template <class Host, class T>
T longest_distance(const Host& exec, const Elimination& structure, const FactorValues<T>& factor) {
  constexpr std::size_t columns = LabelBlock<MinPlus<T>>::columns;
  const auto at = [](auto i) { return static_cast<std::size_t>(i); };
  std::vector<std::int32_t> numbers(structure.order.size());
  std::iota(numbers.begin(), numbers.end(), 0);
  const std::size_t tasks = div_up(numbers.size(), columns);
  T there_and_back = 0;
  for (const Sweep sweep : {Sweep::from, Sweep::towards}) {
    std::vector<T> longest(tasks, 0);
    for_tasks(exec, static_cast<std::int64_t>(tasks), "blockfw::longest_distance", [&](std::int64_t task) {
      const std::size_t first = at(task) * columns;
      LabelBlock<MinPlus<T>> block(structure, factor);
      std::vector<T> labels(at(structure.longest_path) * columns);
      const auto some = std::span(numbers).subspan(first, std::min(columns, numbers.size() - first));
      if (sweep == Sweep::from)
        block.template make<Sweep::from>(some, labels.data());
      else
        block.template make<Sweep::towards>(some, labels.data());
      for (std::size_t c = 0; c < some.size(); ++c)
        for (std::size_t x = 0; x < block.length_of(some[c]); ++x)
          if (const T length = labels[x * columns + c]; length < infinity<T>)
            longest[at(task)] = std::max(longest[at(task)], length);
    });
    if (tasks > 0) there_and_back += *std::max_element(longest.begin(), longest.end());
  }
  return there_and_back;
}

}  // namespace blockfw::detail
