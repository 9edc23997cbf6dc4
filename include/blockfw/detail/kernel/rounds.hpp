// SPDX-License-Identifier: MIT
/// \file
/// \brief All rounds of a matrix: blocked Floyd-Warshall.
#pragma once

#include "blockfw/detail/backend/compiled.hpp"
#include "blockfw/detail/base/arithmetic.hpp"
#include "blockfw/detail/kernel/phases.hpp"
#include "blockfw/detail/kernel/tuned_tiles.hpp"
#include "blockfw/detail/matrices/copies.hpp"
#include "blockfw/ground/error.hpp"
#include "blockfw/ground/matrix.hpp"
#include "blockfw/ground/options.hpp"
#include "blockfw/ground/semiring.hpp"

#include <Kokkos_Core.hpp>
#include <Kokkos_Profiling_ScopedRegion.hpp>

#include <algorithm>
#include <cstdint>
#include <type_traits>

namespace blockfw::detail {

/// Does all rounds. (Venkataraman, Sahni and Mukhopadhyaya, "A blocked all-pairs shortest-paths algorithm", JEA 8,
/// 2003.)
/// \param direction  undirected if d is symmetric, and only its tiles on the diagonal and above are needed
/// \param keeper     the instance for which memory of panels is kept; it may differ from exec only if nothing else uses
///                   it meanwhile, and the memory is there
template <class Phase, class ExecSpace>
void eliminate(const ExecSpace& exec, const typename Phase::Ref& d, Direction direction, const Progress& progress,
               const ExecSpace& keeper) {
  const Kokkos::Profiling::ScopedRegion region("blockfw::blocked_floyd_warshall");

  const int n = d.extent_int(0), rounds = div_up(n, Phase::block);
  const typename Phase::Part all{.d = d, .direction = direction};
  const typename Phase::PanelStorage storage(exec, {.order = n, .height = n, .width = n}, keeper);
  const auto panels = storage.panels(d);

  const int at_once = progress ? 1 : Phase::rounds_at_once(rounds);

  LookAheadProgress done = LookAheadProgress::nothing;
  for (int k = 0, next; k < rounds; k = next) {
    if constexpr (!Phase::can_open) {  // (else phase 3 does their work, from the first round on)
      if (done < LookAheadProgress::pivot) Phase::close_pivot(exec, all, k, panels);
      Phase::update_panels(exec, all, k, panels);
    }
    next = std::min(k + at_once, rounds);
    done = Phase::update_rest(exec, all, k, panels, next - k, Phase::can_open && k == 0);

    if (progress) {
      exec.fence("blockfw::progress");
      progress(next, rounds);
    }
  }
}

template <class Phase, class ExecSpace>
void eliminate(const ExecSpace& exec, const typename Phase::Ref& d, Direction direction, const Progress& progress) {
  eliminate<Phase>(exec, d, direction, progress, exec);
}

/// Bytes of memory that a solve of an n x n matrix with the tuned tile takes besides the matrix.
template <class T, class ExecSpace>
double workspace_bytes(const ExecSpace&, std::int64_t n) {
  return Phases<default_tile<ExecSpace, T>, ExecSpace, MinPlus<T>>::PanelStorage::bytes(n, n);
}

/// The order from which on half the work is faster. Where tiles do not fill a device, half the work gains nothing.
template <class ExecSpace>
inline constexpr std::int64_t half_from = is_host_space<ExecSpace> ? 1024 : 3000;

/// Does all rounds with the named tile, or with the tuned tile of the space, type, order and direction.
template <class TileShape, class S, class ExecSpace>
void solve_in_place(const ExecSpace& exec, const MatrixRef<typename S::value_type, ExecSpace>& d, Direction direction,
                    const Progress& progress) {
  using Tuned = DefaultTile<ExecSpace, typename S::value_type>;
  if constexpr (!std::is_same_v<TileShape, TunedTile>) {
    eliminate<Phases<TileShape, ExecSpace, S>>(exec, d, direction, progress);
  } else {
    if constexpr (requires { typename Tuned::small_type; }) {
      const int n = d.extent_int(0);
      if constexpr (Tuned::relay_below > 0)
        if (n < Tuned::relay_below)
          return eliminate<Phases<typename Tuned::relay_type, ExecSpace, S>>(exec, d, direction, progress);
      if constexpr (Tuned::small_below > Tuned::relay_below)
        if (n < Tuned::small_below ||
            (direction == Direction::undirected && !Phases<typename Tuned::type, ExecSpace, S>::can_halve))
          return eliminate<Phases<typename Tuned::small_type, ExecSpace, S>>(exec, d, direction, progress);
    }
    eliminate<Phases<typename Tuned::type, ExecSpace, S>>(exec, d, direction, progress);
  }
}

/// \brief Solves a matrix that is symmetric if the direction is undirected: updates the tiles on the diagonal and
/// above, then mirrors them.
template <class TileShape, class S, class ExecSpace>
void solve_matrix(const ExecSpace& exec, const MatrixRef<typename S::value_type, ExecSpace>& d, Direction direction,
                  const Progress& progress) {
  static_assert(
      has_zero_and_one<S>(),
      "blockfw: zero() must be neutral for the semiring's ⊕ and absorb in its ⊗, one() must be neutral for ⊗");
  if (direction == Direction::undirected && !is_commutative<S>)
    throw InvalidInput("half the work for an undirected graph needs a semiring whose member commutative is true");
  if (std::is_same_v<TileShape, TunedTile> && d.extent_int(0) < half_from<ExecSpace>) direction = Direction::directed;
  solve_in_place<TileShape, S>(exec, d, direction, progress);
  if constexpr (is_commutative<S>)
    if (direction == Direction::undirected) mirror(exec, d);
}

}  // namespace blockfw::detail

/// The rounds with the tuned tiles.
#define BLOCKFW_COMPILED_ROUNDS(LINKAGE, S)                                                            \
  LINKAGE template void blockfw::detail::solve_matrix<blockfw::TunedTile, S>(                          \
      const blockfw::detail::compiled::Exec&,                                                          \
      const blockfw::MatrixRef<blockfw::detail::compiled::Value<S>, blockfw::detail::compiled::Exec>&, \
      blockfw::Direction, const blockfw::Progress&);

#if defined(BLOCKFW_COMPILED)
BLOCKFW_COMPILED_INT8(BLOCKFW_COMPILED_ROUNDS, extern)
BLOCKFW_COMPILED_SEMIRINGS(BLOCKFW_COMPILED_ROUNDS, extern)
#endif
