// SPDX-License-Identifier: MIT
/// \file
/// \brief Sources or targets of a table, sorted by their places in the order of elimination.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace blockfw::detail {

/// Numbers in ascending order, each with its place in the caller's list.
struct SortedNumbers {
  explicit SortedNumbers(std::span<const std::int32_t> list) {
    std::vector<std::pair<std::int32_t, std::size_t>> pairs;
    pairs.reserve(list.size());
    for (const std::int32_t number : list) pairs.emplace_back(number, pairs.size());
    std::sort(pairs.begin(), pairs.end());
    numbers.reserve(list.size());
    place.reserve(list.size());
    for (const auto& [number, at] : pairs) numbers.push_back(number), place.push_back(at);
  }
  std::vector<std::int32_t> numbers;
  std::vector<std::size_t> place;
};

}  // namespace blockfw::detail
