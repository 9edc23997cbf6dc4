// SPDX-License-Identifier: MIT
/// \file
/// \brief Distances of pairs of vertices, on a host's threads.
#pragma once

#include "blockfw/detail/backend/memory.hpp"
#include "blockfw/detail/elimination/factor.hpp"
#include "blockfw/detail/elimination/kept_labels.hpp"
#include "blockfw/detail/elimination/vertex_labels.hpp"
#include "blockfw/detail/graph/supernodes.hpp"
#include "blockfw/detail/loops/host_tasks.hpp"
#include "blockfw/detail/plan/finish.hpp"
#include "blockfw/ground/rounding.hpp"
#include "blockfw/ground/semiring.hpp"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <optional>
#include <span>
#include <vector>

namespace blockfw::detail {

/// \brief Writes the distance of each pair.
/// \param kept       the labels of all vertices, if they are kept
/// \param sources    numbers of the order of elimination
/// \param targets    as many
/// \param own        whether the distance of a vertex to itself is to be set to one(), as sums may round
/// \param distances  of as many entries
///
/// A pair takes two labels and their common part. Pairs with the same source share its label. The labels of all
/// vertices are made first if there are at least n/2 pairs (measured), and if the labels fit a quarter of the free
/// memory.
template <Semiring S, class Host, class T = typename S::value_type>
void pair_distances(const Host& exec, const Elimination& structure, const FactorValues<T>& factor,
                    const KeptLabels<T>* kept, std::span<const std::int32_t> sources,
                    std::span<const std::int32_t> targets, const Finish<S>& finish, bool own, T* distances) {
  require_vectors();
  constexpr std::size_t at_once = 256;  // pairs of a task
  std::vector<std::size_t> pairs(sources.size());
  std::iota(pairs.begin(), pairs.end(), std::size_t{0});
  std::sort(pairs.begin(), pairs.end(), [&](std::size_t a, std::size_t b) {
    return sources[a] != sources[b] ? sources[a] < sources[b] : targets[a] < targets[b];
  });
  std::optional<KeptLabels<T>> made;
  if (!kept && 2 * pairs.size() >= structure.order.size() &&
      bytes_of_kept_labels<T>(structure, factor.symmetric, Whole::all) < available_host_bytes() / 4) {
    made = kept_labels<S>(exec, structure, factor, Whole::all);
    kept = &*made;
  }
  const std::size_t tasks = div_up(pairs.size(), at_once);
  const std::size_t workers = std::min(tasks, static_cast<std::size_t>(exec.concurrency()));
  std::atomic<std::size_t> next = 0;
  for_tasks(exec, static_cast<std::int64_t>(workers), "blockfw::pairs", [&](std::int64_t) {
    VertexLabels<S> labels(structure, factor, kept);
    typename VertexLabels<S>::Label from, to;
    for (std::size_t task; (task = next++) < tasks;) {
      std::int32_t source = -1, target = -1;
      for (std::size_t p = task * at_once; p < std::min(pairs.size(), (task + 1) * at_once); ++p) {
        const std::size_t pair = pairs[p];
        if (sources[pair] != source) labels.template make<Sweep::from>(source = sources[pair], from);
        if (targets[pair] != target) labels.template make<Sweep::towards>(target = targets[pair], to);
        distances[pair] = own && source == target ? S::one() : finish.marked(labels.meet(from, to));
      }
    }
  });
}

}  // namespace blockfw::detail
