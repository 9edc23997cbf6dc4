// SPDX-License-Identifier: MIT
/// \file
/// \brief Packed numbers of a work file become wide within the file, in steps that can be done again.
#pragma once

#include "blockfw/detail/base/rounding.hpp"
#include "blockfw/detail/chunks/host_rows.hpp"
#include "blockfw/detail/io/distance_record.hpp"
#include "blockfw/detail/io/work_file.hpp"
#include "blockfw/detail/loops/in_threads.hpp"
#include "blockfw/detail/matrices/packed_rows.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <thread>
#include <vector>

namespace blockfw::io::detail {

/// Widens entries [first, last) in the file, by several threads.
template <class Small, class T, class Tick>
void widen_entries_of_file(const blockfw::detail::HostRows<Small>& narrow, const blockfw::detail::HostRows<T>& wide,
                           std::int64_t first, std::int64_t last, const Tick& tick) {
  constexpr std::int64_t at_once = 1 << 18, between_ticks = 64;
  const int threads = static_cast<int>(std::clamp(std::thread::hardware_concurrency(), 1u, 8u));
  for (std::int64_t pass = first; pass < last; pass += threads * between_ticks * at_once) {
    const std::int64_t end = std::min(last, pass + threads * between_ticks * at_once);
    blockfw::detail::in_threads(threads, [&](int thread) {
      std::vector<Small> from(static_cast<std::size_t>(at_once));
      std::vector<T> to(static_cast<std::size_t>(at_once));
      for (std::int64_t e = pass + thread * at_once; e < end; e += threads * at_once) {
        const std::int64_t count = std::min(at_once, end - e);
        narrow.read(e, count, from.data());
        blockfw::detail::widen_entries(from.data(), count, to.data());
        wide.write(e, count, to.data());
      }
    });
    tick();
  }
}

/// \brief Widens the packed numbers of type Small to T, from the last number to the first.
///
/// Of h packed entries, the entries from number h / (ratio of the sizes) on become wide in one step. The step reads
/// only before byte h * sizeof(Small), and writes only from that byte on. So each step can be done again, until it is
/// recorded. The first entries, which would overlap at the end, are themselves part of the record.
/// \param tick  called now and then
/// \throws FileError, and the errors that tick throws
template <class Small, class T, class Tick>
void widen_file(WorkFile& file, const Tick& tick) {
  constexpr auto ratio = static_cast<std::int64_t>(sizeof(T) / sizeof(Small));
  constexpr auto most_head = static_cast<std::int64_t>(Record::most_head / sizeof(Small));
  RecordedProgress& progress = file.progress();
  // (The file is seen as rows of one entry.)
  const blockfw::detail::HostRows<Small> narrow(nullptr, 1, file.number(), file.path().string());
  const blockfw::detail::HostRows<T> wide(nullptr, 1, file.number(), file.path().string());
  while (progress.narrow > most_head) {
    const std::int64_t last = progress.narrow, first = blockfw::detail::div_up(last, ratio);
    widen_entries_of_file(narrow, wide, first, last, tick);
    file.sync();
    progress.narrow = first;
    file.record(progress);
  }
  const std::int64_t count = progress.narrow;
  std::vector<Small> head(static_cast<std::size_t>(count));
  if (progress.head.empty()) {
    narrow.read(0, count, head.data());
    progress.head.assign(reinterpret_cast<const char*>(head.data()), head.size() * sizeof(Small));
    file.record(progress);
    tick();
  }
  std::memcpy(head.data(), progress.head.data(), progress.head.size());
  std::vector<T> numbers(head.size());
  blockfw::detail::widen_entries(head.data(), count, numbers.data());
  wide.write(0, count, numbers.data());
  file.sync();
  progress.narrow = 0;
  progress.head.clear();
  file.record(progress);
}

}  // namespace blockfw::io::detail
