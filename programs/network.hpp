// SPDX-License-Identifier: MIT
// Questions about many vertices, which a network answers without the matrix of all distances: tables, pairs, the
// nearest places, vertices within a limit, measures of each vertex.
#pragma once

#include "arguments.hpp"
#include "distances.hpp"
#include "graph.hpp"
#include "reading.hpp"
#include "table_output.hpp"

#include <blockfw/network.hpp>
#include <blockfw/second_weights.hpp>

#include <cstdint>
#include <optional>
#include <vector>

namespace apsp {

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
