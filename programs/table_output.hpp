// SPDX-License-Identifier: MIT
// Where a network's table of distances goes, some rows at a time: to a file, or to the standard output as a text.
#pragma once

#include "distances.hpp"
#include "printing.hpp"

#include <Kokkos_Core.hpp>
#include <blockfw/detail/backend/memory.hpp>
#include <blockfw/io/distances.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

namespace apsp {

/// \brief A table that is written. Nothing of a file is seen before finish().
template <class T>
class TableOutput {
 public:
  /// \param name  of the file; empty: the standard output
  /// \throws as DistanceOutput
  TableOutput(const std::string& name, std::int64_t rows, std::int64_t columns) : rows_(rows), columns_(columns) {
    if (name.empty()) return;
    require_ending<T>(name);
    file_.emplace(name, rows, columns);
  }

  /// Takes the next rows.
  template <class View>
  void append(const View& rows) {
    if (!file_) return print_rows(rows);
    if (file_->takes_blocks()) return file_->append(rows);
    if (!all_.data()) allocate();
    const std::size_t next = std::exchange(taken_, taken_ + rows.extent(0));
    Kokkos::deep_copy(Host(), Kokkos::subview(all_, Kokkos::pair(next, taken_), Kokkos::ALL), rows);
    Host().fence("a block of a table");
  }

  /// Gives the file its name, when all rows are there.
  void finish() {
    if (!file_) return;
    if (file_->takes_blocks()) return file_->commit();
    if (!all_.data()) allocate();  // (there are no rows)
    file_->write(all_);
  }

 private:
  template <class View>
  static void print_rows(const View& rows) {
    std::string line;
    print_lines([&](const auto& put) {
      for (std::size_t row = 0; row < rows.extent(0); ++row) {
        line.clear();
        blockfw::io::detail::append_row(line, rows, row);
        put(line);
      }
    });
  }
  void allocate() {
    blockfw::detail::require_host_memory(
        "a table of " + digits(rows_) + " x " + digits(columns_) + " distances, which is written as a text,",
        static_cast<double>(rows_) * static_cast<double>(columns_) * sizeof(T));
    all_ = HostMatrix<T>(Kokkos::view_alloc("table", Kokkos::WithoutInitializing), static_cast<std::size_t>(rows_),
                         static_cast<std::size_t>(columns_));
  }

  std::int64_t rows_, columns_;
  std::optional<blockfw::io::DistanceOutput<T>> file_;
  HostMatrix<T> all_;
  std::size_t taken_ = 0;
};

}  // namespace apsp
