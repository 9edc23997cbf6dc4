// SPDX-License-Identifier: MIT
/// \file
/// \brief Several devices for a test: groups of a host's threads, or several instances on each device there is.
#pragma once

#include "graphs.hpp"

#include "blockfw/multi_device.hpp"

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <memory>
#include <vector>

using Exec = Kokkos::DefaultExecutionSpace;

/// `count` instances, several on one device if there are fewer devices.
class Instances {
 public:
  explicit Instances(int count) {
    if constexpr (!on_device) {
      sets_.push_back(std::make_unique<blockfw::Devices<Exec>>(count));
      list_ = sets_.back()->list();
    } else {
      for (; static_cast<int>(list_.size()) < count; sets_.push_back(std::make_unique<blockfw::Devices<Exec>>())) {
        const blockfw::Devices<Exec>& all = *sets_.emplace_back(std::make_unique<blockfw::Devices<Exec>>());
        for (const Exec& exec : all.list())
          if (static_cast<int>(list_.size()) < count) list_.push_back(exec);
      }
    }
  }
  const std::vector<Exec>& list() const { return list_; }

 private:
  std::vector<std::unique_ptr<blockfw::Devices<Exec>>> sets_;
  std::vector<Exec> list_;
};

template <template <class, class> class Rows, class Over>
auto on_host(const Rows<Over, Exec>& d) {
  using T = typename blockfw::semiring_of<Over, void>::value_type;
  const auto n = static_cast<std::size_t>(d.vertices());
  const HostMatrix<T> all("all", n, n);
  d.copy_to(all);
  return all;
}

/// Entries that differ from those of one instance.
template <class Over, class T>
int different(int shares, int n, const std::vector<blockfw::Edge<T>>& edges, blockfw::SolveOptions options,
              blockfw::SolveReport* report = nullptr) {
  const Instances devices(shares);
  options.report = report;
  const auto d = on_host(blockfw::solve<Over>(devices.list(), n, edges, options));
  options.report = nullptr;
  const auto expected = by_one_instance<blockfw::semiring_of<Over, T>>(n, edges, options);
  int count = 0;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) count += d(i, j) != expected(i, j);
  return count;
}
