// SPDX-License-Identifier: MIT
/// \file
/// \brief Sources or targets of a table, sorted by their places in the order of elimination.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

namespace blockfw::detail {

/// Numbers in ascending order, each with its place in the caller's list.
struct SortedNumbers {
  explicit SortedNumbers(std::span<const std::int32_t> list) : place(list.size()) {
    std::iota(place.begin(), place.end(), std::size_t{0});
    std::sort(place.begin(), place.end(),
              [&](std::size_t a, std::size_t b) { return list[a] != list[b] ? list[a] < list[b] : a < b; });
    for (const std::size_t p : place) numbers.push_back(list[p]);
  }
  std::vector<std::int32_t> numbers;
  std::vector<std::size_t> place;
};

}  // namespace blockfw::detail
