// SPDX-License-Identifier: MIT
/// \file
/// \brief C ← C ⊕ (A ⊗ B) by phase 3: columns of A become left panels, and rows of B right panels.
#pragma once

#include "blockfw/detail/backend/workspace.hpp"
#include "blockfw/detail/base/arithmetic.hpp"
#include "blockfw/detail/kernel/part.hpp"
#include "blockfw/detail/kernel/phases.hpp"
#include "blockfw/detail/kernel/tuned_tiles.hpp"
#include "blockfw/detail/loops/launch.hpp"
#include "blockfw/ground/matrix.hpp"
#include "blockfw/ground/options.hpp"
#include "blockfw/ground/semiring.hpp"

#include <Kokkos_Core.hpp>
#include <Kokkos_Profiling_ScopedRegion.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace blockfw::detail {

/// Matrices of the same shape and strides.
template <class T, class ExecSpace>
struct MatrixBatch {
  MatrixRef<T, ExecSpace> first;
  std::int64_t step = 0;  ///< from a matrix to the next, in entries

  KOKKOS_FORCEINLINE_FUNCTION MatrixRef<T, ExecSpace> at(std::int64_t number) const {
    return MatrixRef<T, ExecSpace>(first.data() + number * step, first.layout());
  }
};

/// The most memory of panels, unless one team's, or one round's, take more.
inline constexpr std::size_t most_panel_bytes = std::size_t{1} << 28;

/// \brief The product of matrices of any size, whose tiles are spread over all teams.
/// \param negative  whether an entry may be negative
/// \param progress  called, if set, with the number of steps that are done, and of all steps
template <class Phase, class ExecSpace>
void multiply_by_tiles(const ExecSpace& exec, const typename Phase::Ref& a, const typename Phase::Ref& b,
                       const typename Phase::Ref& c, bool negative, const Progress& progress) {
  constexpr int block = Phase::block, most_rows = 1 << 15;  // rows, and columns, of C that have panels at once
  constexpr double most_bytes = is_host_space<ExecSpace> ? 1 << 23 : most_panel_bytes;
  const int height = c.extent_int(0), width = c.extent_int(1), depth = a.extent_int(1), rounds = div_up(depth, block);
  GroupStorageOptions options{.order = depth,
                              .height = std::min(height, most_rows),
                              .width = std::min(width, most_rows),
                              .rounds = 1,
                              .negative = negative};
  options.rounds = static_cast<int>(std::clamp<double>(
      most_bytes / Phase::GroupStorage::bytes(options.height, options.width, 1), 1, std::max(1, rounds)));
  typename Phase::GroupStorage::Panels panels(options);
  const Workspace<ExecSpace> memory(exec, panels.bytes(), "blockfw::product");
  panels.use(memory.data());

  const int steps = div_up(height, most_rows) * div_up(width, most_rows) * div_up(rounds, options.rounds);
  int done = 0;
  for (int top = 0; top < height; top += most_rows)
    for (int left = 0; left < width; left += most_rows)
      for (int first = 0; first < rounds; first += options.rounds) {
        const int last = std::min(first + options.rounds, rounds) - 1;
        const IndexRange rows{0, std::min(height - top, most_rows)}, columns{0, std::min(width - left, most_rows)},
            pivots{first * block, std::min(depth, (last + 1) * block) - first * block};
        const typename Phase::Part of_a{submatrix(a, top, rows.count, 0, depth)},
            of_b{submatrix(b, 0, depth, left, columns.count)}, of_c{submatrix(c, top, rows.count, left, columns.count)};
        Phase::publish(exec, of_a, first, last, panels, false, pivots, {rows}, false);
        Phase::publish(exec, of_b, first, last, panels, true, pivots, {columns}, false);
        Phase::update_through(exec, of_c, first, last, panels, {rows}, {columns});
        if (progress) {
          exec.fence("blockfw::progress");
          progress(++done, steps);
        }
      }
}

/// \brief Some products, each by one team.
/// \param progress  called, if set, with the number of products that are done, and of all products
template <class Phase, class ExecSpace, class T>
void multiply_by_teams(const ExecSpace& exec, std::int64_t count, const MatrixBatch<T, ExecSpace>& a,
                       const MatrixBatch<T, ExecSpace>& b, const MatrixBatch<T, ExecSpace>& c, bool negative,
                       const Progress& progress) {
  typename Phase::GroupStorage::Panels panels({.order = a.first.extent_int(1),
                                               .height = c.first.extent_int(0),
                                               .width = c.first.extent_int(1),
                                               .rounds = 1,
                                               .negative = negative});
  const auto fitting = static_cast<std::int64_t>(most_panel_bytes / panels.bytes());
  const int teams =
      static_cast<int>(std::clamp<std::int64_t>(fitting, 1, std::min<std::int64_t>(count, Phase::teams_at_once(exec))));
  const Workspace<ExecSpace> memory(exec, static_cast<std::size_t>(teams) * panels.bytes(), "blockfw::products");
  panels.use(memory.data());
  const std::int64_t at_once = progress ? std::int64_t{64} * teams : count;
  for (std::int64_t first = 0; first < count; first += at_once) {
    const std::int64_t end = std::min(count, first + at_once);
    for_teams(
        "blockfw::products", Phase::teams(exec, teams), KOKKOS_LAMBDA(const typename Phase::Member& member) {
          const typename Phase::Team team(member);
          const int rank = static_cast<int>(member.league_rank());
          const auto own = panels.of(rank);
          for (std::int64_t g = first + rank; g < end; g += teams)
            Phase::multiply(team, a.at(g), b.at(g), c.at(g), own);
        });
    if (progress) {
      exec.fence("blockfw::progress");
      progress(end, count);
    }
  }
}

/// The phases of a product.
template <Semiring S, class ExecSpace>
using PhasesOfProduct = Phases<default_tile<ExecSpace, typename S::value_type>, ExecSpace, S>;

/// \brief Checks that kernels can address the entries of a tile of each matrix.
/// \throws InvalidInput
template <Semiring S, class ExecSpace, class T>
void require_product([[maybe_unused]] const MatrixBatch<T, ExecSpace>& a,
                     [[maybe_unused]] const MatrixBatch<T, ExecSpace>& b,
                     [[maybe_unused]] const MatrixBatch<T, ExecSpace>& c) {
  static_assert(
      has_zero_and_one<S>(),
      "blockfw: zero() must be neutral for the semiring's ⊕ and absorb in its ⊗, one() must be neutral for ⊗");
  if constexpr (!is_host_space<ExecSpace>) {
    require_near_entries(a.first, PhasesOfProduct<S, ExecSpace>::block);
    require_near_entries(b.first, PhasesOfProduct<S, ExecSpace>::block);
    require_near_entries(c.first, PhasesOfProduct<S, ExecSpace>::block);
  }
}

/// \brief `count` products of matrices that are not empty. Queued on exec.
/// \param negative  whether an entry of a, b or c may be negative
template <Semiring S, class ExecSpace, class T = typename S::value_type>
void multiply(const ExecSpace& exec, std::int64_t count, const MatrixBatch<T, ExecSpace>& a,
              const MatrixBatch<T, ExecSpace>& b, const MatrixBatch<T, ExecSpace>& c, bool negative,
              const Progress& progress) {
  using Phase = PhasesOfProduct<S, ExecSpace>;
  const Kokkos::Profiling::ScopedRegion region("blockfw::min_plus_product");
  const bool any = negative || !std::is_same_v<S, MinPlus<T>>;
  const int height = c.first.extent_int(0), width = c.first.extent_int(1), depth = a.first.extent_int(1);
  const std::int64_t tiles = std::int64_t{div_up(height, Phase::block)} * div_up(width, Phase::block);
  constexpr double few_relaxes = 3e5;  // of one product, whose launches would take longer
  const bool by_teams = count == 1 ? static_cast<double>(height) * width * depth < few_relaxes
                                   : tiles < std::min<std::int64_t>(count, 4 * Phase::teams_at_once(exec));
  if (by_teams) return multiply_by_teams<Phase>(exec, count, a, b, c, any, progress);
  for (std::int64_t g = 0; g < count; ++g) {
    const auto of_one = [&](std::int64_t done, std::int64_t steps) { progress(g * steps + done, count * steps); };
    multiply_by_tiles<Phase>(exec, a.at(g), b.at(g), c.at(g), any, progress ? Progress(of_one) : Progress());
  }
}

}  // namespace blockfw::detail
