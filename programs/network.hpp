// SPDX-License-Identifier: MIT
// Questions about many vertices, which a network answers without the matrix of all distances: tables, pairs, the
// nearest places, vertices within a limit, measures of each vertex.
#pragma once

#include "arguments.hpp"
#include "distances.hpp"
#include "graph.hpp"
#include "printing.hpp"
#include "reading.hpp"

#include <Kokkos_Core.hpp>
#include <blockfw/detail/backend/memory.hpp>
#include <blockfw/io/distances.hpp>
#include <blockfw/network.hpp>
#include <blockfw/second_weights.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace apsp {

/// \brief A table of distances is written, some rows at a time: to the standard output as a text, or to a file. Nothing
/// of the file is seen before finish().
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

/// \brief A run of the program that asks a network.
/// \tparam S  the semiring
template <class S>
class NetworkRun {
 public:
  using T = typename S::value_type;

  /// \brief Reads the graph and the lists, and sees whether the output can be written. It needs no Kokkos.
  /// \param arguments  must outlive this object
  NetworkRun(const Arguments& arguments, const blockfw::io::InputFile& file, const OtherFiles& others);

  /// Eliminates the vertices.
  void prepare();
  /// Asks, and prints or writes the answer.
  void answer();
  /// Prints the times, in seconds, of both.
  void print_stats(double preparing, double answering) const;

 private:
  using Vertices = std::vector<std::int32_t>;
  using Names = std::vector<std::int64_t>;

  /// Vertices that were asked for, as the file names them and as the graph has them.
  struct List {
    Names names;
    Vertices vertices{};
  };

  std::optional<List> list_of(const char* option, const std::optional<std::int64_t>& vertex,
                              const std::optional<blockfw::io::InputFile>& file) const;
  void require_pairs() const;
  void leave_out_lone();
  void open_output();

  /// Answers of `asked`, the network or its second weights.
  template <class Asked, class F>
  void for_rows(const Asked& asked, const F& f) const;
  template <class Asked>
  void write_table(const Asked& asked, TableOutput<typename Asked::T>& table) const;
  template <class Asked>
  void write_pairs(const Asked& asked, TableOutput<typename Asked::T>& table) const;
  template <class Asked>
  void write_distances(const Asked& asked, TableOutput<typename Asked::T>& table) const;

  template <class Make>
  void write_lines(const Make& make) const;
  void write_nearest() const
    requires is_shortest<S>;
  void write_within() const
    requires is_shortest<S>;
  void write_measures() const
    requires is_shortest<S>;

  const Arguments& arguments_;
  Graph<T> graph_;
  std::optional<List> from_, to_, places_;  ///< none: all vertices
  std::optional<TableOutput<T>> table_;
  std::optional<std::vector<std::int64_t>> second_weights_;
  std::optional<TableOutput<std::int64_t>> second_table_;
  std::optional<blockfw::Network<S>> network_;
  std::optional<blockfw::SecondWeights<>> second_;
};

#define APSP_NETWORK(LINKAGE, ...) LINKAGE template class apsp::NetworkRun<__VA_ARGS__>;

}  // namespace apsp

APSP_SEMIRINGS(APSP_NETWORK, extern)
