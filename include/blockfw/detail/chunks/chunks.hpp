// SPDX-License-Identifier: MIT
/// \file
/// \brief Chunks of rows, of which the memory holds a few at a time, and the order of the steps on them.
#pragma once

#include "blockfw/detail/backend/memory.hpp"
#include "blockfw/detail/base/arithmetic.hpp"
#include "blockfw/detail/kernel/part.hpp"
#include "blockfw/ground/error.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace blockfw::detail {

/// \brief Chunks of `height` rows of tiles each; the last chunk may have fewer. The pivots in a chunk's rows form one
/// group of rounds.
struct Chunks {
  /// Chunks in memory at a time: a chunk in work, a chunk that is loaded, a chunk that is stored, and the chunk of the
  /// next pivots, which takes longer.
  static constexpr int most_places = 4;
  /// Left panels of a round: for the chunk in work, for the next chunk, and for the chunk of the next pivots.
  static constexpr int lefts = 3;

  std::int64_t order = 0;
  int block = 1, height = 1;  ///< rows of a tile; rows of tiles in a chunk

  int tiles() const { return static_cast<int>(div_up(order, block)); }
  int count() const { return div_up(tiles(), height); }
  int places() const { return std::min(most_places, count()); }
  /// Rounds whose panels are kept. These are the rounds of two groups, one group in use and one in the making.
  int kept() const { return std::min(2 * height, tiles()); }

  int first_tile(int chunk) const { return chunk * height; }
  std::int64_t first_row(int chunk) const { return std::min(std::int64_t(chunk) * height * block, order); }
  std::int64_t rows(int chunk) const { return first_row(chunk + 1) - first_row(chunk); }
  Group group(int chunk) const { return {first_tile(chunk), std::min(height, tiles() - first_tile(chunk))}; }
};

/// The stride of a chunk's rows in its own memory, in entries. It is a whole number of cache lines, so that a device
/// can load vectors.
inline std::int64_t padded(std::int64_t columns, std::size_t entry_bytes) {
  const auto line = static_cast<std::int64_t>(64 / entry_bytes);
  return round_up(columns, line);
}

/// \brief Bytes of the panels, and of the chunks in memory.
/// \param in_memory  whether the matrix is already in that memory, so that chunks take none
template <class Phase>
double bytes_of(const Chunks& chunks, bool in_memory) {
  constexpr std::size_t entry = sizeof(typename Phase::semiring::value_type);
  const double rows = in_memory ? 0 : double(chunks.places()) * double(chunks.rows(0));
  return Phase::GroupStorage::bytes(chunks.rows(0), chunks.order, chunks.kept(), Chunks::lefts) +
         Phase::PanelStorage::bytes(chunks.rows(0), chunks.rows(0)) +
         rows * double(padded(chunks.order, entry)) * entry;
}

/// \brief Cuts the matrix into the highest chunks that fit. Higher chunks need fewer passes over the matrix. There are
/// at least about eight chunks, since the work on the chunk of the first pivots overlaps with nothing.
///
/// \param memory     bytes
/// \param in_memory  as for bytes_of()
/// \throws OutOfMemory, which names the bytes that are needed
template <class Phase>
Chunks cut_into_chunks(std::int64_t order, double memory, bool in_memory) {
  Chunks chunks{order, Phase::block, 1};
  const auto fits = [&](int height) {
    chunks.height = height;
    return bytes_of<Phase>(chunks, in_memory) <= memory;
  };
  const int tiles = chunks.tiles();
  int high = std::max(1, (tiles + 7) / 8);
  if (tiles > 0 && !fits(1))  // (1.0005: the text rounds the amount, and the rounded amount must suffice)
    throw OutOfMemory(order, " vertices out of core need at least ",
                      amount(1.0005 * bytes_of<Phase>(chunks, in_memory)), " of memory, ", amount(memory),
                      " are allowed");
  while (high > 1 && !fits(high)) --high;
  // The same number of chunks, but of about equal height.
  chunks.height = high;
  if (const int count = chunks.count(); count > 0) chunks.height = div_up(tiles, count);
  return chunks;
}

/// \brief A chunk step. It updates the chunk with the panels of group `through`, unless that is -1. If `closes` is set,
/// the chunk holds the next group's pivots. The step then closes these pivots and makes their panels.
struct ChunkStep {
  int chunk, through;
  bool closes;

  /// The number of groups that the chunk has been through after this step.
  int groups() const { return closes ? chunk + 1 : through + 1; }
};

/// \brief All steps from group `first` on. In each pass the chunk with the next group's pivots comes first. The other
/// chunks come from top to bottom in one pass, and from bottom to top in the next pass. So chunks that are still in
/// memory come first.
inline std::vector<ChunkStep> steps_of(const Chunks& chunks, int first) {
  std::vector<ChunkStep> steps;
  const int count = chunks.count();
  if (first < count) steps.push_back({first, -1, true});
  for (int group = first; group < count; ++group) {
    if (group + 1 < count) steps.push_back({group + 1, group, true});
    for (int c = 0; c < count; ++c) {
      const int chunk = group % 2 == 0 ? c : count - 1 - c;
      if (chunk != group && chunk != group + 1) steps.push_back({chunk, group, false});
    }
  }
  return steps;
}

}  // namespace blockfw::detail
