/// \file
/// \brief A matrix that fits the host, or a file, but not the device: its rows stream through.
///
/// \code
///   Kokkos::View<int**, Kokkos::LayoutRight, Kokkos::SharedHostPinnedSpace> d("d", n, n);   // on the host
///   blockfw::out_of_core_floyd_warshall(exec, d, {.memory = 4e9});   // by a device, in 4 GB of its memory
/// \endcode
///
/// Rows come in chunks. In each pass all of them go through the pivots of one chunk, a group of rounds, while the chunk
/// with the next pivots is closed beside. So a pass takes n² · (rows of a chunk) relaxes for n² entries each way, and
/// copies are hidden once chunks are high enough: some 1000 rows for PCIe and a device of today.
#pragma once

#include "blockfw/detail/backend/memory.hpp"
#include "blockfw/detail/out_of_core/chunk_pipeline.hpp"
#include "blockfw/detail/out_of_core/chunk_solver.hpp"
#include "blockfw/detail/out_of_core/chunks.hpp"
#include "blockfw/detail/out_of_core/host_rows.hpp"
#include "blockfw/error.hpp"
#include "blockfw/floyd_warshall.hpp"
#include "blockfw/matrix.hpp"
#include "blockfw/phases.hpp"
#include "blockfw/semiring.hpp"
#include "blockfw/tile.hpp"
#include "blockfw/weights.hpp"

#include <Kokkos_Core.hpp>
#include <Kokkos_Profiling_ScopedRegion.hpp>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>
#include <type_traits>
#include <vector>

namespace blockfw {

/// What an out-of-core solve may be told.
struct OutOfCoreOptions {
  /// Bytes of the execution space's memory to use at most; 0: nine tenths of what is left. On a host this is for the
  /// panels, and for what of a file is worked on.
  double memory = 0;
  /// Whether a length may be negative. (If none is, floats are faster on a device.)
  bool negative = true;
  /// Whether to pin the matrix while it is solved, if it is not and the device is to copy it at full speed. That takes
  /// some time, too.
  bool pin = true;
  /// Called as progress(steps done, steps in all) from the calling thread, if set, after each step and while one takes
  /// its time. What it throws ends the solve.
  Progress progress = {};
};

/// What an out-of-core solve did.
struct OutOfCoreStats {
  double memory = 0;            ///< bytes that were used
  std::int64_t chunk_rows = 0;  ///< rows of a chunk
  int chunks = 0;
  double loaded = 0, stored = 0;                      ///< bytes
  double load_seconds = 0, store_seconds = 0;         ///< that this took, beside the work
  double preparing_seconds = 0, waiting_seconds = 0;  ///< getting memory and pinning; for the first and last chunks
};

namespace detail {

template <class TileShape, class ExecSpace, class T>
using TiledPhases =
    Phases<std::conditional_t<std::is_same_v<TileShape, TunedTile>, default_tile<ExecSpace, T>, TileShape>, ExecSpace,
           MinPlus<T>>;

/// \brief Solves the rows, whose first pivots have been eliminated.
///
/// \tparam Courier  InPlace or Copied
/// \param stored    called as stored(pivots) now and then: all rows are through so many where they are kept
template <class Phase, class ChunkTransfer, class ExecSpace, class T, class Stored>
OutOfCoreStats solve_chunks(const ExecSpace& exec, const HostRows<T>& rows, const Chunks& chunks,
                            const OutOfCoreOptions& options, std::int64_t pivots, const Stored& stored) {
  const Kokkos::Profiling::ScopedRegion region("blockfw::out_of_core_floyd_warshall");
  const Kokkos::Timer timer;
  OutOfCoreStats stats;
  const int first = static_cast<int>(std::min<std::int64_t>(pivots / (chunks.block * chunks.height), chunks.count()));
  const auto steps = steps_of(chunks, first);

  const auto order = static_cast<int>(chunks.order);
  const typename Phase::GroupStorage storage(exec, order, static_cast<int>(chunks.rows(0)), order, chunks.kept(),
                                             options.negative, Chunks::lefts);
  ChunkTransfer transfer(exec, rows, chunks, options.pin);
  exec.fence("blockfw::out_of_core");
  stats.preparing_seconds = timer.seconds();

  ChunkSolver<Phase, ExecSpace> work(exec, chunks, storage);
  struct Fence {  // before anything that is worked on goes
    const ChunkSolver<Phase, ExecSpace>& work;
    ~Fence() { work.fence(); }
  };
  ChunkPipeline<ExecSpace, ChunkTransfer> pipeline(exec, chunks, steps, first, transfer);
  const Fence fence{work};
  const auto tick = [&] {
    stored(std::min(std::int64_t(pipeline.groups()) * chunks.height * chunks.block, chunks.order));
    if (options.progress)
      options.progress(static_cast<std::int64_t>(pipeline.done()), static_cast<std::int64_t>(steps.size()));
  };
  const auto waiting = [&](const auto& wait) {
    const Kokkos::Timer waited;
    wait();
    stats.waiting_seconds += waited.seconds();
  };
  for (int v = 0; v < static_cast<int>(steps.size()); ++v) {
    const ChunkStep& step = steps[static_cast<std::size_t>(v)];
    int place = 0;
    waiting([&] { place = pipeline.take(v, tick); });
    work.run(step, transfer.at(place, step.chunk), pipeline.worked(place), tick);
    pipeline.put(place);
    tick();
  }
  waiting([&] { pipeline.drain(tick); });
  tick();

  const double chunk_bytes = double(rows.order()) * sizeof(T) * double(rows.order()) / std::max(1, chunks.count());
  stats.chunk_rows = chunks.rows(0);
  stats.chunks = chunks.count();
  stats.loaded = pipeline.loaded().chunks * chunk_bytes;
  stats.load_seconds = pipeline.loaded().seconds;
  stats.stored = pipeline.stored().chunks * chunk_bytes;
  stats.store_seconds = pipeline.stored().seconds;
  return stats;
}

/// \brief The chunks of a solve.
/// \throws InvalidInput for an order that is too large; OutOfMemory
template <class Phase, class T, class ExecSpace>
Chunks plan(const ExecSpace& exec, std::int64_t n, double memory, bool in_memory) {
  if (n > std::numeric_limits<std::int32_t>::max())
    throw InvalidInput("the order of the matrix is " + std::to_string(n) + ", expected less than 2^31");
  const double available = available_bytes(exec);
  const Chunks chunks = cut_into_chunks<Phase, T>(n, memory > 0 ? memory : 0.9 * available, in_memory);
  require_memory(exec, std::to_string(n) + " vertices out of core", bytes_of<Phase, T>(chunks, in_memory));
  return chunks;
}

/// \brief Solves the rows where they are, or by copies to a device.
template <class Phase, class ExecSpace, class T, class Stored>
OutOfCoreStats solve_rows(const ExecSpace& exec, const HostRows<T>& rows, const OutOfCoreOptions& options,
                          std::int64_t pivots, const Stored& stored) {
  constexpr bool on_host = is_host_space<ExecSpace>;
  if (rows.order() == 0) return {};
  const bool in_memory = on_host && !rows.in_file();
  const Chunks chunks = plan<Phase, T>(exec, rows.order(), options.memory, in_memory);
  using ChunkTransfer = std::conditional_t<on_host, InPlace<ExecSpace, T>, Copied<ExecSpace, T>>;
  OutOfCoreStats stats = solve_chunks<Phase, ChunkTransfer>(exec, rows, chunks, options, pivots, stored);
  stats.memory = bytes_of<Phase, T>(chunks, in_memory);
  return stats;
}

}  // namespace detail

/// \brief Throws what a solve of distances in a file would, for want of memory: before the file is made.
/// \param memory  as OutOfCoreOptions::memory
/// \throws OutOfMemory
template <Distance T, class ExecSpace>
void require_out_of_core(const ExecSpace& exec, std::int64_t n, double memory = 0) {
  detail::plan<detail::TiledPhases<detail::TunedTile, ExecSpace, T>, T>(exec, n, memory, false);
}

/// \brief blocked_floyd_warshall() of a matrix on the host, some rows at a time in the memory of the execution space.
///
/// The diagonal counts as 0 unless it is negative. If this ends by an exception (of options.progress, say), each entry
/// is still the length of some path, or infinity, and may be lower than before: such a matrix can be solved again, with
/// the same distances in the end (but that sums of floats may round otherwise).
///
/// \tparam TileShape  a Tile<...>; left out, the tuned default of the space and type
/// \param exec     the instance whose device is used, by streams of their own; fenced on return
/// \param d        a square rank-2 view that the host can reach whose rows (or columns) are contiguous. A device's
///                 copies are fastest if it is pinned: SharedHostPinnedSpace, or options.pin.
/// \throws InvalidInput when d is not such a view; OutOfMemory, that says how much is needed, when too little memory is
///         allowed, and when it is not there
///
/// n³ relaxes. Memory: about two chunks' rows for panels, and on a device four chunks; a chunk is about an eighth of
/// the matrix at most. n/(rows of a chunk) passes, in each of which all of the matrix goes to the device and back.
template <class TileShape = detail::TunedTile, class ExecSpace, MatrixView View>
  requires Kokkos::is_execution_space_v<ExecSpace>
OutOfCoreStats out_of_core_floyd_warshall(const ExecSpace& exec, const View& d, const OutOfCoreOptions& options = {}) {
  using T = typename View::non_const_value_type;
  const auto ref = matrix_ref<Kokkos::DefaultHostExecutionSpace>(d);
  const auto n = static_cast<std::int64_t>(ref.extent(0));
  if (n > 1 && ref.stride(1) != 1)
    throw InvalidInput("the matrix '" + d.label() +
                       "' has neither contiguous rows nor contiguous columns, as a matrix " +
                       "that is solved out of core has to");
  for (std::int64_t i = 0; i < n; ++i)
    if (!(ref(i, i) <= T(0))) ref(i, i) = T(0);
  const detail::HostRows<T> rows(ref.data(), n, std::max(n, static_cast<std::int64_t>(ref.stride(0))));
  return detail::solve_rows<detail::TiledPhases<TileShape, ExecSpace, T>>(exec, rows, options, 0, [](std::int64_t) {});
}

}  // namespace blockfw
