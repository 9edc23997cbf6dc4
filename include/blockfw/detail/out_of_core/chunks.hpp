/// \file
/// \brief How the rows of a matrix are cut into chunks of which some memory holds a few, and in what order these come.
#pragma once

#include "blockfw/detail/backend/memory.hpp"
#include "blockfw/detail/devices/block_cyclic_map.hpp"
#include "blockfw/error.hpp"
#include "blockfw/tile.hpp"

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

namespace blockfw::detail {

/// \brief Chunks of some rows of tiles each, the last one of fewer. The pivots of a chunk's rows are a group of rounds.
struct Chunks {
  /// Chunks in memory at a time: one is worked on, one is on its way in, one on its way out, and the next pivots' takes
  /// longer.
  static constexpr int most_places = 4;
  /// Left panels a round: of the chunk that is worked on, of the next one, and of the next pivots' own.
  static constexpr int lefts = 3;

  std::int64_t order = 0;
  int block = 1, height = 1;  ///< of a tile, in rows; of a chunk, in tiles

  int tiles() const { return static_cast<int>((order + block - 1) / block); }
  int count() const { return (tiles() + height - 1) / height; }
  int places() const { return std::min(most_places, count()); }
  /// Rounds whose panels are kept: those of two groups, one in use, one on its way.
  int kept() const { return std::min(2 * height, tiles()); }

  int first_tile(int chunk) const { return chunk * height; }
  std::int64_t first_row(int chunk) const { return std::min(std::int64_t(chunk) * height * block, order); }
  std::int64_t rows(int chunk) const { return first_row(chunk + 1) - first_row(chunk); }
  Group group(int chunk) const { return {first_tile(chunk), std::min(height, tiles() - first_tile(chunk))}; }
};

/// A row of a chunk in memory of its own: whole lines of a cache, so that a device can take vectors of it.
template <class T>
constexpr std::int64_t padded(std::int64_t columns) {
  constexpr std::int64_t line = 64 / sizeof(T);
  return (columns + line - 1) / line * line;
}

/// \brief Bytes of panels and of the chunks in memory.
/// \param in_memory  whether the matrix is in the memory in question already
template <class Phase, class T>
double bytes_of(const Chunks& chunks, bool in_memory) {
  const double rows = in_memory ? 0 : double(chunks.places()) * double(chunks.rows(0));
  return Phase::GroupStorage::bytes(chunks.rows(0), chunks.order, chunks.kept(), Chunks::lefts) +
         rows * double(padded<T>(chunks.order)) * sizeof(T);
}

/// \brief The highest chunks that fit: the higher, the fewer times all of the matrix passes. But about eight at
/// least, for the first pivots' is worked on alone.
///
/// \param memory     bytes
/// \param in_memory  whether the matrix is in the memory in question already
/// \throws OutOfMemory that says how much is needed
template <class Phase, class T>
Chunks cut_into_chunks(std::int64_t order, double memory, bool in_memory) {
  Chunks chunks{order, Phase::block, 1};
  const auto fits = [&](int height) {
    chunks.height = height;
    return bytes_of<Phase, T>(chunks, in_memory) <= memory;
  };
  const int tiles = chunks.tiles();
  int high = std::max(1, (tiles + 7) / 8);
  if (tiles > 0 && !fits(1))  // (what is said to suffice does, for all its rounding)
    throw OutOfMemory(std::to_string(order) + " vertices out of core need at least " +
                      amount(1.0005 * bytes_of<Phase, T>(chunks, in_memory)) + " of memory, " + amount(memory) +
                      " are allowed");
  while (high > 1 && !fits(high)) --high;
  // As many chunks, but of one height.
  chunks.height = high;
  if (const int count = chunks.count(); count > 0) chunks.height = (tiles + count - 1) / count;
  return chunks;
}

/// \brief What is done with a chunk when its turn comes: it goes through the panels of group `through`, if that is not
/// -1; if it holds the next group's pivots, these are closed and their panels made.
struct ChunkStep {
  int chunk, through;
  bool closes;

  /// How many groups it has been through then.
  int groups() const { return closes ? chunk + 1 : through + 1; }
};

/// \brief All of them, from the group `first` on. In each pass the chunk with the next group's pivots comes first, the
/// others go down in one pass and up in the next, so that what was last in memory is first.
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
