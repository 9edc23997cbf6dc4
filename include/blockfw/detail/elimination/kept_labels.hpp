// SPDX-License-Identifier: MIT
/// \file
/// \brief The labels that a device keeps: whole labels of inner supernodes' vertices, and each leaf's own paths.
#pragma once

#include "blockfw/detail/backend/memory.hpp"
#include "blockfw/detail/elimination/factor.hpp"
#include "blockfw/detail/elimination/label_block.hpp"
#include "blockfw/detail/graph/supernodes.hpp"
#include "blockfw/detail/loops/host_tasks.hpp"
#include "blockfw/ground/rounding.hpp"
#include "blockfw/ground/semiring.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace blockfw::detail {

/// Entries of a row of a supernode's labels as a device keeps them.
inline std::size_t kept_label_length(const Supernode& node) {
  return static_cast<std::size_t>(node.leaf ? node.width() : node.path_length());
}

template <class T>
struct KeptLabels {
  std::vector<std::size_t> start;             ///< of each supernode; its vertices' labels follow each other
  typename FactorValues<T>::Array labels[2];  ///< by the sweep; of a symmetric factor the first only
};

/// \brief Makes them on the host's threads.
/// \throws OutOfMemory if they do not fit; thrown before they are allocated
template <Semiring S, class Host, class T = typename S::value_type>
KeptLabels<T> kept_labels(const Host& exec, const Elimination& structure, const FactorValues<T>& factor) {
  constexpr std::size_t columns = LabelBlock<S>::columns;
  const auto at = [](auto i) { return static_cast<std::size_t>(i); };
  KeptLabels<T> kept;
  std::vector<std::int32_t> inner;  // vertices of inner supernodes
  std::size_t count = 0;
  for (const Supernode& node : structure.supernodes) {
    kept.start.push_back(count);
    count += at(node.width()) * kept_label_length(node);
    for (std::int32_t k = node.first; k < node.last && !node.leaf; ++k) inner.push_back(k);
  }
  const int sweeps = factor.symmetric ? 1 : 2;
  require_memory(exec, "the labels of " + std::to_string(structure.order.size()) + " vertices",
                 sweeps * static_cast<double>(count) * sizeof(T));
  for (int sweep = 0; sweep < sweeps; ++sweep) kept.labels[sweep] = factor.allocate("blockfw::labels", count);
  for (std::size_t s = 0; s < structure.supernodes.size(); ++s) {
    const std::size_t w = at(structure.supernodes[s].width());
    if (structure.supernodes[s].leaf)
      for (int sweep = 0; sweep < sweeps; ++sweep)
        std::copy_n(factor.own[sweep].data() + factor.start[s].own, w * w, kept.labels[sweep].data() + kept.start[s]);
  }
  for_tasks(exec, static_cast<std::int64_t>(div_up(inner.size(), columns)), "blockfw::labels", [&](std::int64_t task) {
    const std::size_t first = at(task) * columns;
    const auto some = std::span(inner).subspan(first, std::min(columns, inner.size() - first));
    LabelBlock<S> block(structure, factor);
    std::vector<T> memory(at(structure.longest_path) * columns);
    const auto keep = [&](int sweep) {
      for (std::size_t c = 0; c < some.size(); ++c) {
        const std::size_t s = at(structure.owner[at(some[c])]);
        const Supernode& node = structure.supernodes[s];
        const std::size_t length = kept_label_length(node);
        T* const label = kept.labels[sweep].data() + kept.start[s] + at(some[c] - node.first) * length;
        for (std::size_t x = 0; x < length; ++x) label[x] = memory[x * columns + c];
      }
    };
    block.template make<Sweep::towards>(some, memory.data());
    keep(int(Sweep::towards));
    if (sweeps == 1) return;
    block.template make<Sweep::from>(some, memory.data());
    keep(int(Sweep::from));
  });
  return kept;
}

}  // namespace blockfw::detail
