// SPDX-License-Identifier: MIT
/// \file
/// \brief Solves a matrix that fits the host, or a file, but not the device. The device holds a few chunks of rows at a
/// time.
///
/// \code
///   Kokkos::View<int**, Kokkos::LayoutRight, Kokkos::SharedHostPinnedSpace> d("d", n, n);  // on the host
///   const Kokkos::DefaultHostExecutionSpace host;
///   const auto range = blockfw::fill_from_edges(host, d, edges);
///   blockfw::solve_out_of_core(exec, d, range, {.memory = 4e9});  // by a device, in 4 GB of its memory
/// \endcode
///
/// The matrix is cut into chunks of rows. Each pass takes all chunks through the pivots of one chunk, a group of
/// rounds. Beside this it closes the pivots of the next chunk. So a pass does n² · (rows of a chunk) relaxes, and
/// copies n² entries in each direction. The work hides the copies if chunks have enough rows: about 1000 for PCIe and
/// a device of today.
#pragma once

#include "blockfw/detail/backend/compiled.hpp"
#include "blockfw/detail/backend/memory.hpp"
#include "blockfw/detail/base/arithmetic.hpp"
#include "blockfw/detail/chunks/chunk_solver.hpp"
#include "blockfw/detail/chunks/chunks.hpp"
#include "blockfw/detail/chunks/host_rows.hpp"
#include "blockfw/detail/kernel/phases.hpp"
#include "blockfw/detail/kernel/tuned_tiles.hpp"
#include "blockfw/detail/loops/threads.hpp"
#include "blockfw/detail/matrices/edge_entries.hpp"
#include "blockfw/detail/matrices/packed_rows.hpp"
#include "blockfw/detail/numbers/operations_of.hpp"
#include "blockfw/detail/plan/narrow.hpp"
#include "blockfw/detail/plan/potentials.hpp"
#include "blockfw/detail/plan/recipe.hpp"
#include "blockfw/floyd_warshall.hpp"
#include "blockfw/ground/error.hpp"
#include "blockfw/ground/matrix.hpp"
#include "blockfw/ground/options.hpp"
#include "blockfw/ground/semiring.hpp"
#include "blockfw/ground/weights.hpp"
#include "blockfw/solve.hpp"

#include <Kokkos_Core.hpp>
#include <Kokkos_Profiling_ScopedRegion.hpp>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace blockfw {

/// Options of an out-of-core solve.
struct OutOfCoreOptions {
  /// As in solve(). The direction is an option of the call that fills the matrix, and the method is dense: undirected
  /// and Method::sparse are an InvalidInput. So are strict_cycles, meanwhile and report where nothing is checked:
  /// out_of_core_floyd_warshall(). Progress is called as progress(steps done, steps in all), after each step
  /// and several times in a long step. An exception that it throws ends the solve.
  SolveOptions solve = {};
  /// Bytes of the execution space's memory to use at most. 0 means nine tenths of the available bytes. A negative, NaN
  /// or infinite value is an InvalidInput. On a host this memory is for the panels, and for the chunks of a file in
  /// memory.
  double memory = 0;
  /// Whether a length may be negative. (If no length is, floats are faster on a device.) A solve with checks finds this
  /// itself.
  bool negative = true;
  /// Whether to pin the matrix during the solve, if it is not pinned. The device then copies it at full speed. Pinning
  /// takes some time, too.
  bool pin = true;
};

/// Statistics of an out-of-core solve.
struct OutOfCoreStats {
  double memory = 0;             ///< bytes used
  std::int64_t chunk_rows = 0;   ///< rows of a chunk
  int chunks = 0;                ///< number of chunks
  double loaded = 0,             ///< bytes of all loads
      stored = 0;                ///< bytes of all stores
  double load_seconds = 0,       ///< time of the loads, beside the work
      store_seconds = 0;         ///< time of the stores, beside the work
  double preparing_seconds = 0,  ///< time to allocate and pin
      waiting_seconds = 0;       ///< time that the work waited for loads, and for the last stores
};

namespace detail {

template <class TileShape, class ExecSpace, Semiring S>
using TiledPhases = Phases<std::conditional_t<std::is_same_v<TileShape, TunedTile>,
                                              default_tile<ExecSpace, typename S::value_type>, TileShape>,
                           ExecSpace, S>;

/// \brief Solves the rows, whose first `pivots` pivots have been eliminated.
///
/// \tparam Transfer  a ChunkTransfer: InPlace, Copied
/// \param numbers  makes the operations, with the requested panels
/// \param stored   called as stored(pivots) from time to time, if set. The first `pivots` pivots have been eliminated
///                 from all stored rows.
template <class Transfer, class ExecSpace>
OutOfCoreStats solve_chunks(const ExecSpace& exec, std::type_identity_t<NumbersMaker<ExecSpace>> numbers,
                            const HostRows& rows, const Chunks& chunks, const OutOfCoreOptions& options,
                            std::int64_t pivots, const std::function<void(std::int64_t)>& stored = {}) {
  const Kokkos::Profiling::ScopedRegion region("blockfw::out_of_core_floyd_warshall");
  const Kokkos::Timer timer;
  OutOfCoreStats stats;
  const int first = static_cast<int>(std::min<std::int64_t>(pivots / (chunks.block * chunks.height), chunks.count()));
  const auto steps = steps_of(chunks, first);

  const auto order = static_cast<int>(chunks.order);
  const auto operations = numbers(exec, {.order = order,
                                         .height = static_cast<int>(chunks.rows(0)),
                                         .width = order,
                                         .rounds = chunks.kept(),
                                         .negative = options.negative,
                                         .left_panels = Chunks::lefts});
  Transfer transfer(exec, rows, chunks, options.pin);
  exec.fence("blockfw::out_of_core");
  stats.preparing_seconds = timer.seconds();

  ChunkSolver<ExecSpace> work(exec, chunks, *operations);
  ChunkPipeline<ExecSpace, Transfer> pipeline(exec, chunks, steps, first, transfer);
  const auto tick = [&] {
    const auto done = pipeline.done();
    if (stored) stored(std::min(std::int64_t(done.groups) * chunks.height * chunks.block, chunks.order));
    if (options.solve.progress)
      options.solve.progress(static_cast<std::int64_t>(done.steps), static_cast<std::int64_t>(steps.size()));
  };
  const auto waiting = [&](const auto& wait) {
    const Kokkos::Timer waited;
    wait();
    stats.waiting_seconds += waited.seconds();
  };
  for (int v = 0; v < static_cast<int>(steps.size()); ++v) {
    const ChunkStep& step = steps[at(v)];
    int place = 0;
    waiting([&] { place = pipeline.take(v, tick); });
    work.run(step, transfer.at(place, step.chunk), pipeline.worked(place), tick);
    pipeline.put(place);
    tick();
  }
  waiting([&] { pipeline.drain(tick); });
  tick();

  const double chunk_bytes = static_cast<double>(rows.row_bytes()) * double(rows.order()) / std::max(1, chunks.count());
  const auto done = pipeline.done();
  stats.chunk_rows = chunks.rows(0);
  stats.chunks = chunks.count();
  stats.loaded = done.loaded.chunks * chunk_bytes;
  stats.load_seconds = done.loaded.seconds;
  stats.stored = done.stored.chunks * chunk_bytes;
  stats.store_seconds = done.stored.seconds;
  return stats;
}

/// \brief Cuts the matrix into chunks for a solve.
/// \param memory  as OutOfCoreOptions has it
/// \throws InvalidInput for an order that is too large, or a memory that is no number of bytes; OutOfMemory
template <class Phase, class ExecSpace>
Chunks plan(const ExecSpace& exec, std::int64_t n, double memory, bool in_memory) {
  if (n > std::numeric_limits<std::int32_t>::max())
    throw InvalidInput("the order of the matrix is ", n, ", expected less than 2^31");
  if (!(memory >= 0) || memory == std::numeric_limits<double>::infinity())
    throw InvalidInput("the memory to solve in is ", memory,
                       ", expected bytes, or 0 for nine tenths of the available memory");
  const double available = available_bytes(exec);
  const Chunks chunks = cut_into_chunks<Phase>(n, memory > 0 ? memory : 0.9 * available, in_memory);
  require_memory(exec, std::to_string(n) + " vertices out of core", bytes_of<Phase>(chunks, in_memory));
  return chunks;
}

/// \brief Solves the rows: on a host in place, on a device by copies.
template <class Phase, class ExecSpace>
OutOfCoreStats solve_rows(const ExecSpace& exec, const HostRows& rows, const OutOfCoreOptions& options,
                          std::int64_t pivots = 0, const std::function<void(std::int64_t)>& stored = {}) {
  constexpr bool on_host = is_host_space<ExecSpace>;
  const bool in_memory = on_host && !rows.in_file();
  const Chunks chunks = plan<Phase>(exec, rows.order(), options.memory, in_memory);
  if (rows.order() == 0) return {};
  using Chosen = std::conditional_t<on_host, InPlace<ExecSpace>, Copied<ExecSpace>>;
  OutOfCoreStats stats =
      solve_chunks<Chosen>(exec, numbers_of<Phase, ExecSpace>, rows, chunks, options, pivots, stored);
  stats.memory = bytes_of<Phase>(chunks, in_memory);
  return stats;
}

/// \brief The rows of a matrix on the host, or its columns if the columns are contiguous. The diagonal is as a solve
/// needs it at its start.
/// \throws InvalidInput when the matrix is not square, or neither its rows nor its columns are contiguous. Also when
///         its columns are contiguous and S is not commutative (the reversed paths of a transpose are other products).
template <Semiring S, class ExecSpace, MatrixView View>
auto rows_to_solve(const ExecSpace& exec, const View& d) {
  static_assert(std::is_same_v<typename View::non_const_value_type, typename S::value_type>,
                "blockfw: the matrix's elements are not of the semiring's type");
  const auto host = host_of(exec);
  const auto ref = matrix_ref<std::decay_t<decltype(host)>>(d);
  const auto n = extent_along(ref, 0);
  if (n > 1 && ref.stride(1) != 1)
    throw InvalidInput("the matrix '" + d.label() + "' has neither contiguous rows nor contiguous columns, " +
                       "expected either for a solve out of core");
  if constexpr (!is_commutative<S>)
    if (n > 1 && d.stride(0) < d.stride(1))
      throw InvalidInput("the columns of the matrix '" + d.label() +
                         "' are contiguous, expected contiguous rows, or a semiring whose member commutative is true");
  lower_diagonal<S>(host, ref, 0);
  host.fence("blockfw::out_of_core");
  return ref;
}

/// \brief Solves rows in memory, packed as numbers of type Small. The infinity of Small exceeds every finite distance.
/// \return whether they are solved. If not, everything is as before: options.memory does not suffice for that type.
template <class Small, class ExecSpace, MatrixView Rows>
bool solve_packed(const ExecSpace& exec, const Rows& rows, const OutOfCoreOptions& options, OutOfCoreStats& stats) {
  using Phase = TiledPhases<TunedTile, ExecSpace, MinPlus<Small>>;
  try {
    plan<Phase>(exec, extent_along(rows, 0), options.memory, is_host_space<ExecSpace>);
  } catch (const OutOfMemory&) {
    return false;  // a wider type may have narrower tiles
  }
  const auto host = host_of(exec);
  const HostRows packed(pack_matrix<Small>(host, rows));
  host.fence("blockfw::narrow");
  const auto restore = [&] {
    convert_rows<false, Small>(host, rows);
    host.fence("blockfw::widen");
  };
  try {
    stats = solve_rows<Phase>(exec, packed, options);
  } catch (...) {
    restore();
    throw;
  }
  restore();
  return true;
}

/// \brief Solves rows in memory in fewer bits if a bound shows that all distances fit.
/// \return the bits; 0 if no narrower type is known to hold all distances
template <class ExecSpace, MatrixView Rows, class T>
int solve_in_fewer_bits(const ExecSpace& exec, const Rows& rows, WeightRange<T> range, const OutOfCoreOptions& options,
                        OutOfCoreStats& stats) {
  if (extent_along(rows, 0) < narrow_from<ExecSpace> || range.any_negative()) return 0;
  // (The host is slow compared with a device. Its passes over the matrix must not take longer than they save.)
  using Types = HeldLadder<MinPlus<T>>;
  const auto bound =
      distance_bound(host_of(exec), rows, range, Types::limits(), is_host_space<ExecSpace> ? 1024 : 4096);
  int bits = 0;
  Types::take(bound, [&]<class Small>(Small) {
    if (solve_packed<Small>(exec, rows, options, stats)) bits = 8 * int(sizeof(Small));
    return bits > 0;
  });
  return bits;
}

/// The steps of solve_filled() for a matrix on the host, some rows at a time where exec works.
template <Semiring S, class ExecSpace, class View, class T = typename S::value_type>
struct StepsOutOfCore {
  using Host = std::decay_t<decltype(host_of(std::declval<const ExecSpace&>()))>;
  const ExecSpace& exec;
  const View& d;
  const WeightRange<T>& range;
  const OutOfCoreOptions& options;
  OutOfCoreStats& stats;  ///< the statistics of the rounds
  Host host = host_of(exec);

  bool undirected(Direction) const { return false; }
  std::int64_t first_cycle_of_entry() const { return 0; }  // (never called)
  auto guard(const WeightRange<T>& weights, bool strict) const { return guard_of<S>(host, d, weights, strict, false); }
  bool half_pays(Direction) const { return false; }
  int rounds(const TaskOptions&, bool negative, [[maybe_unused]] bool narrow) const {
    OutOfCoreOptions of_range = options;
    of_range.negative = negative;
    const auto rows = rows_to_solve<S>(exec, d);
    if constexpr (HeldLadder<S>::any)
      if (const int bits = narrow ? solve_in_fewer_bits(exec, rows, range, of_range, stats) : 0; bits > 0) return bits;
    stats = solve_rows<TiledPhases<TunedTile, ExecSpace, S>>(exec, HostRows(rows), of_range);
    return 8 * int(sizeof(T));
  }
  std::optional<std::int64_t> vertex_on_cycle() const { return find_negative_cycle<S>(host, d); }
  void mark_unreachable(T limit) const { blockfw::mark_unreachable<S>(host, d, limit); }
  void fence() const { host.fence("blockfw::solve"); }
};

}  // namespace detail

/// \brief Checks, before the file is made, that there is enough memory to solve distances in a file.
/// \tparam Over   type of the distances, for shortest paths, or a semiring
/// \param exec    the instance that would solve
/// \param n       number of vertices
/// \param memory  as OutOfCoreOptions::memory
/// \throws OutOfMemory as the solve would throw, in any type that it may choose
template <class Over, class ExecSpace>
void require_out_of_core(const ExecSpace& exec, std::int64_t n, double memory = 0) {
  using S = semiring_of<Over, void>;
  const auto require = [&]<Semiring Held>(Held) {
    detail::plan<detail::TiledPhases<TunedTile, ExecSpace, Held>>(exec, n, memory, false);
  };
  require(S());
  detail::HeldLadder<S>::find([&]<class Small>(Small) {
    require(MinPlus<Small>());
    return false;
  });
}

/// \brief blocked_floyd_warshall() of a matrix on the host, some rows at a time in the memory of the execution space.
///
/// A diagonal entry counts as S::one() unless it is better; for shortest paths, as 0 unless it is negative. A cycle
/// that gets better each time around leaves a diagonal entry for which S::diverges() is true.
///
/// If this throws (from options.solve.progress, for example), each entry is still the length of some path, or infinity,
/// and may be lower than before. The matrix can then be solved again. The final distances are the same, except that
/// sums of floats may round differently.
///
/// \tparam TileShape  a Tile<...>. If left out, the tuned default of the space and type.
/// \tparam Over       the semiring, as in solve(); if left out, shortest paths. out_of_core_floyd_warshall<Over>()
///                    takes the tuned tile.
/// \param exec     the instance whose device is used. The solve has its own streams. exec is fenced on return.
/// \param d        a square rank-2 view that the host can reach. Its rows (or columns) must be contiguous. A device's
///                 copies are fastest if d is pinned: SharedHostPinnedSpace, or options.pin.
/// \param options  memory, pinning, progress, and whether a length may be negative
/// \return the bytes that were copied, and the times
/// \throws InvalidInput when d is not as described, and when options.solve sets another option than progress
/// \throws OutOfMemory with the bytes that are needed, when options.memory is too small or the memory is not available
///
/// n³ relaxes. Memory: panels of about two chunks' rows, and on a device four chunks. A chunk is at most about an
/// eighth of the matrix. There are n/(rows of a chunk) passes. Each pass copies the whole matrix to the device and
/// back.
template <AnyTile TileShape = TunedTile, class Over = void, class ExecSpace, MatrixView View>
  requires Kokkos::is_execution_space_v<ExecSpace>
OutOfCoreStats out_of_core_floyd_warshall(const ExecSpace& exec, const View& d, const OutOfCoreOptions& options = {}) {
  using S = semiring_of<Over, typename View::non_const_value_type>;
  static_assert(
      detail::has_zero_and_one<S>(),
      "blockfw: zero() must be neutral for the semiring's ⊕ and absorb in its ⊗, one() must be neutral for ⊗");
  detail::require_dense(options.solve, "out of core");
  detail::require_used(options.solve, {.progress = true}, "out_of_core_floyd_warshall()");
  OutOfCoreOptions of_semiring = options;
  of_semiring.negative = !std::is_same_v<S, MinPlus<typename S::value_type>> || options.negative;
  return detail::solve_rows<detail::TiledPhases<TileShape, ExecSpace, S>>(
      exec, detail::HostRows(detail::rows_to_solve<S>(exec, d)), of_semiring);
}

/// The same with the tuned tile.
template <class Over, class ExecSpace, MatrixView View>
  requires Kokkos::is_execution_space_v<ExecSpace> && (!AnyTile<Over>)
OutOfCoreStats out_of_core_floyd_warshall(const ExecSpace& exec, const View& d, const OutOfCoreOptions& options = {}) {
  return out_of_core_floyd_warshall<TunedTile, Over>(exec, d, options);
}

/// \brief Solves, in place and with all checks, a filled matrix on the host whose range of weights is known.
/// solve_distances() does the same for a matrix in memory that exec reaches.
///
/// Integers without negative weights are held and solved in 16 bits (int64 also in 32) if a bound shows that all
/// distances fit. The bound takes a few passes over d. Each row is then packed within its own memory, so no further
/// memory is needed. A device then copies half the bytes in each pass, and its chunks have twice as many rows.
///
/// If this throws from options.solve.progress, d can be solved again, with the same range. Each entry is the length of
/// some path, or infinity. Edges that are longer than every distance may be gone.
///
/// \tparam Over    the semiring; if left out, shortest paths
/// \param exec     as for out_of_core_floyd_warshall()
/// \param d        as for out_of_core_floyd_warshall(). S::zero() is no edge.
/// \param range    range of the weights
/// \param options  memory, fewer bits, pinning, progress, meanwhile and report. `negative` follows from the range.
/// \return the bytes that were copied, and the times
/// \throws as out_of_core_floyd_warshall(); InvalidInput for weights that the semiring does not accept
/// \throws OverflowRisk  before the solve, when sums could overflow
/// \throws NegativeCycle with a vertex on the cycle; for other semirings than shortest paths, DivergentCycle
///
/// n³ relaxes. Memory as for out_of_core_floyd_warshall().
template <class Over = void, class ExecSpace, MatrixView View>
  requires Kokkos::is_execution_space_v<ExecSpace>
OutOfCoreStats solve_out_of_core(const ExecSpace& exec, const View& d,
                                 WeightRange<typename View::non_const_value_type> range,
                                 const OutOfCoreOptions& options = {}) {
  using T = typename View::non_const_value_type;
  using S = semiring_of<Over, T>;
  detail::require_dense(options.solve, "out of core");
  detail::require_used(options.solve, {.strict_cycles = true, .progress = true, .meanwhile = true, .report = true},
                       "solve_out_of_core()");
  if (options.solve.report != nullptr) *options.solve.report = {};
  OutOfCoreStats stats;
  detail::solve_filled<S>(detail::StepsOutOfCore<S, ExecSpace, View>{exec, d, range, options, stats},
                          detail::extent_along(d, 0), range, options.solve);
  return stats;
}

}  // namespace blockfw

/// Shortest paths in a matrix on the host.
#define BLOCKFW_COMPILED_OUT_OF_CORE(LINKAGE, S)                                                          \
  LINKAGE template blockfw::OutOfCoreStats blockfw::solve_out_of_core(                                    \
      const blockfw::detail::compiled::Exec&,                                                             \
      const Kokkos::View<blockfw::detail::compiled::Value<S>**, Kokkos::LayoutRight, Kokkos::HostSpace>&, \
      blockfw::WeightRange<blockfw::detail::compiled::Value<S>>, const blockfw::OutOfCoreOptions&);

#if defined(BLOCKFW_COMPILED)
BLOCKFW_COMPILED_SHORTEST(BLOCKFW_COMPILED_OUT_OF_CORE, extern)
#endif
