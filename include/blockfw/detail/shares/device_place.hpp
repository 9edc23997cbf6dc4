// SPDX-License-Identifier: MIT
/// \file
/// \brief The place of several devices of one process, or of several groups of a host's threads.
#pragma once

#include "blockfw/detail/backend/compiled.hpp"
#include "blockfw/detail/backend/memory.hpp"
#include "blockfw/detail/shares/peer_link.hpp"
#include "blockfw/detail/shares/place.hpp"
#include "blockfw/detail/shares/share_solver.hpp"
#include "blockfw/ground/error.hpp"
#include "blockfw/ground/matrix.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <vector>

namespace blockfw::detail {

/// \brief One process with an instance for each share. A share has neighbouring rows, and all columns.
template <class ExecSpace>
class DevicePlace final : public Place<ExecSpace> {
 public:
  /// \throws InvalidInput for no device, n < 0 or n >= 2^31
  DevicePlace(const std::vector<ExecSpace>& devices, std::int64_t n, const TileBytes& tile)
      : Place<ExecSpace>(layout_of(checked(devices, n), static_cast<int>(devices.size()), tile), 0, devices) {}

  static constexpr const char* where = "on several devices";

  const char* name() const override { return where; }
  void require_memory(const std::function<ShareBytes(int)>& bytes_of) const override {
    const int shares = this->count();
    // (On a host all shares lie in one memory, which counts as available until it is touched. So the check covers all
    // shares together.)
    double all = 0;
    for (int s = 0; s < shares; ++s) all += bytes_of(s).entries;
    for (int s = 0; s < shares; ++s) {
      const std::string kind = is_host_space<ExecSpace> ? "group of threads " : "device ";
      const ShareBytes own = bytes_of(s);
      try {
        detail::require_memory(this->exec(s), "the distances of " + std::to_string(this->layout().order) + " vertices",
                               is_host_space<ExecSpace> ? all : own.entries, own.panels);
      } catch (const OutOfMemory& error) {
        throw OutOfMemory((shares > 1 ? kind + std::to_string(s) + ": " : "") + error.what());
      }
    }
  }

  /// Runs one host thread for each share. The instances of all shares are fenced on return.
  void rounds(const ShareRounds<ExecSpace>& work) const override {
    const ShareLayout& layout = this->layout();
    PeerLinks<ExecSpace> links(
        layout.down, work.groups, this->instances(), work.numbers,
        [&](int s, const auto& numbers) { return work.mirror(this->exec(s), numbers, layout, s); });
    in_threads(this->count(), [&](int s) {
      const ExecSpace& exec = this->exec(s);
      links.guard([&] {
        PeerLink link(links, s);
        static_assert(LinkReleases<decltype(link), ExecSpace>);
        ShareSolver<ExecSpace, decltype(link)> share(exec, links.ahead(s), links.numbers(s), work.block(s), layout.down,
                                                     layout.across, s, 0, work.groups, link, links.mirror(s));
        share.solve([&](int groups) {
          if (s == 0) work.groups_done(exec, groups);
        });
      });
      links.ahead(s).fence("blockfw::floyd_warshall");  // (After an error it may still be busy.)
      exec.fence("blockfw::floyd_warshall");
    });
    links.rethrow();
  }

 private:
  static std::int64_t checked(const std::vector<ExecSpace>& devices, std::int64_t n) {
    if (devices.empty()) throw InvalidInput("an empty list of devices, expected one or more");
    if (n < 0) throw InvalidInput("the number of vertices is " + std::to_string(n) + ", expected 0 or more");
    if (n > std::numeric_limits<std::int32_t>::max())
      throw InvalidInput("the number of vertices is " + std::to_string(n) + ", expected less than 2^31");
    return n;
  }

  static ShareLayout layout_of(std::int64_t n, int shares, const TileBytes& tile) {
    const BlockCyclicMap down(n, tile.tile, shares);
    return {n, down, {n, tile.tile, 1}, rounds_kept(n, down.rows(0), shares, tile)};
  }

  /// Two rounds on a host, more rounds on a device. A group has half of these rounds. On a device a tile is read and
  /// written once per group. The panels of a large matrix may take a twentieth of its memory.
  static int rounds_kept(std::int64_t n, std::int64_t rows, int shares, const TileBytes& tile) {
    constexpr int most = 16;
    if (is_host_space<ExecSpace>) return 2;
    if (n < 32768) return most;
    const double spared =
        1.05 * double(n) * double(n) / shares - double(rows) * double(leading_dimension<ExecSpace>(n, tile.entry));
    return static_cast<int>(std::clamp(spared * double(tile.entry) / tile.round(rows, n), 2.0, double(most)));
  }
};

}  // namespace blockfw::detail

#if defined(BLOCKFW_COMPILED)
extern template class blockfw::detail::DevicePlace<blockfw::detail::compiled::Exec>;
#endif
