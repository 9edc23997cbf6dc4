// SPDX-License-Identifier: MIT
/// \file
/// \brief Sums by groups of vertices: how many jobs, schools or shops are within reach, and how far they are.
///
/// \code
///   const blockfw::VertexGroups kinds(exec, kind, {.weights = jobs});
///   network.for_whole_rows([&](std::int64_t first, const auto& rows) {
///     const auto near = blockfw::group_sums(exec, rows, kinds, 10);  // within 10 minutes
///   });
/// \endcode
#pragma once

#include "blockfw/detail/backend/memory.hpp"
#include "blockfw/detail/matrices/group_sums_of_rows.hpp"
#include "blockfw/edges.hpp"
#include "blockfw/ground/answers.hpp"
#include "blockfw/ground/error.hpp"
#include "blockfw/ground/matrix.hpp"
#include "blockfw/ground/semiring.hpp"

#include <Kokkos_Core.hpp>
#include <Kokkos_Profiling_ScopedRegion.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <type_traits>
#include <vector>

namespace blockfw {

/// Options of VertexGroups.
struct GroupOptions {
  /// The number of groups; 0: one more than the largest that a vertex has.
  std::int64_t groups = 0;
  /// The weight of each vertex: the jobs at the vertex, for example. Without weights each vertex counts 1.
  std::vector<double> weights = {};
};

/// \brief Groups of vertices, in the memory where ExecSpace works.
///
/// A group is a kind of place, or a district. Several calls, and several threads, may use the same groups.
template <class ExecSpace = Kokkos::DefaultExecutionSpace>
class VertexGroups {
 public:
  /// \brief Sorts the vertices by their groups.
  /// \param exec      the instance to run on. It is fenced.
  /// \param group_of  for each vertex its group, from 0 on; no_vertex if it is in no group
  /// \param options   the number of groups, weights
  /// \throws InvalidInput for a group out of range, or weights that are not as many as the vertices, infinite or NaN
  ///
  /// Memory: 4 bytes for each vertex, with weights 12, and 8 for each group.
  VertexGroups(const ExecSpace& exec, const std::vector<std::int32_t>& group_of, const GroupOptions& options = {})
      : vertices_(static_cast<std::int64_t>(group_of.size())),
        weighted_(require_weights(options.weights, group_of.size())),
        lists_(exec, group_of, require_groups(group_of, options.groups), options.weights,
               is_host_space<ExecSpace> ? std::numeric_limits<std::int32_t>::max() : 2048) {}

  /// The number of vertices.
  std::int64_t vertices() const { return vertices_; }
  /// The number of groups.
  std::int64_t groups() const { return lists_.groups; }
  /// Whether vertices have weights.
  bool weighted() const { return weighted_; }

 private:
  template <class Space, MatrixView View>
  friend void group_sums(const Space&, const View&, const VertexGroups<Space>&, typename View::non_const_value_type,
                         const DistanceMatrix<double, Space>&, const DistanceMatrix<double, Space>&);

  /// \return the number of groups
  static std::int64_t require_groups(const std::vector<std::int32_t>& group_of, std::int64_t groups) {
    detail::require_kokkos();
    if (groups < 0 || groups > std::numeric_limits<std::int32_t>::max())
      throw InvalidInput("the number of groups is " + std::to_string(groups) + ", expected 0 to " +
                         std::to_string(std::numeric_limits<std::int32_t>::max()));
    std::int64_t largest = -1;
    for (std::size_t v = 0; v < group_of.size(); ++v) {
      const std::int64_t group = group_of[v];
      if (group == no_vertex) continue;
      if (group < 0 || (groups > 0 && group >= groups))
        throw InvalidInput("vertex " + std::to_string(v) + " is in group " + std::to_string(group) + ", expected " +
                           (groups > 0 ? "0 to " + std::to_string(groups - 1) : "0 or more") + ", or no_vertex");
      largest = std::max(largest, group);
    }
    return groups > 0 ? groups : largest + 1;
  }
  /// \return whether there are weights
  static bool require_weights(const std::vector<double>& weights, std::size_t vertices) {
    if (weights.empty()) return false;
    if (weights.size() != vertices)
      throw InvalidInput("there are " + std::to_string(weights.size()) + " weights and groups of " +
                         std::to_string(vertices) + " vertices, expected as many of each");
    for (std::size_t v = 0; v < vertices; ++v)
      if (!std::isfinite(weights[v]))
        throw InvalidInput("the weight of vertex " + std::to_string(v) + " is " + std::to_string(weights[v]) +
                           ", expected a finite number");
    return true;
  }

  std::int64_t vertices_;
  bool weighted_;
  detail::GroupLists<ExecSpace> lists_;
};

/// \brief The sums of each row over each group: matrices of rows x groups where ExecSpace works.
template <class ExecSpace = Kokkos::DefaultExecutionSpace>
struct GroupSums {
  DistanceMatrix<double, ExecSpace> reached;  ///< the number of reached vertices; with weights, the sum of the weights
  DistanceMatrix<double, ExecSpace> sum;      ///< of the distances to them; with weights, of weight times distance
};

/// \brief For each row and each group, how many vertices are reached, and the sum of the distances to them.
/// \param exec    the instance to run on
/// \param rows    distances where exec works, a column for each vertex of the groups: some rows, a whole matrix, or a
///                table, if the groups are those of its targets. infinity<T> without a path.
/// \param groups  of the columns
/// \param limit   the largest distance that counts
/// \throws InvalidInput when the numbers of columns and vertices differ, or the limit is NaN; OutOfMemory
///
/// A vertex reaches itself, as in reach(). One read of the rows, in the order of the groups. exec is fenced. Sums are
/// exact up to 2^53, for integers and weights that are whole. Other sums round, always in the same order on the same
/// kind of place.
template <class ExecSpace, MatrixView View>
GroupSums<ExecSpace> group_sums(
    const ExecSpace& exec, const View& rows, const VertexGroups<ExecSpace>& groups,
    typename View::non_const_value_type limit = infinity<typename View::non_const_value_type>) {
  const auto count = rows.extent(0), columns = static_cast<std::size_t>(groups.groups());
  detail::require_memory(exec,
                         "the sums of " + std::to_string(count) + " rows and " + std::to_string(columns) + " groups",
                         2. * static_cast<double>(count) * static_cast<double>(columns) * sizeof(double));
  const auto matrix = [&](const char* label) {
    return DistanceMatrix<double, ExecSpace>(Kokkos::view_alloc(exec, std::string(label), Kokkos::WithoutInitializing),
                                             count, columns);
  };
  const GroupSums<ExecSpace> sums{matrix("blockfw::group_reached"), matrix("blockfw::group_sum")};
  group_sums(exec, rows, groups, limit, sums.reached, sums.sum);
  return sums;
}

/// \brief The same into the caller's memory.
/// \param exec     the instance to run on
/// \param rows     distances, a column for each vertex of the groups
/// \param groups   of the columns
/// \param limit    the largest distance that counts
/// \param reached  rows x groups
/// \param sum      likewise
/// \throws InvalidInput also when a matrix has another number of rows or columns
template <class ExecSpace, MatrixView View>
void group_sums(const ExecSpace& exec, const View& rows, const VertexGroups<ExecSpace>& groups,
                typename View::non_const_value_type limit, const DistanceMatrix<double, ExecSpace>& reached,
                const DistanceMatrix<double, ExecSpace>& sum) {
  using T = typename View::non_const_value_type;
  static_assert(Distance<T>, "blockfw: distances must be int16_t, int32_t, int64_t, float or double");
  require_reachable<ExecSpace, View>();
  if (limit != limit) throw InvalidInput("the limit is NaN, expected a number");
  if (static_cast<std::int64_t>(rows.extent(1)) != groups.vertices())
    throw InvalidInput("the rows '" + rows.label() + "' have " + std::to_string(rows.extent(1)) +
                       " columns, expected " + std::to_string(groups.vertices()) +
                       ", one for each vertex of the groups");
  for (const auto& d : {reached, sum})
    if (d.extent(0) != rows.extent(0) || static_cast<std::int64_t>(d.extent(1)) != groups.groups())
      throw InvalidInput("the matrix '" + d.label() + "' has " + std::to_string(d.extent(0)) + " rows and " +
                         std::to_string(d.extent(1)) + " columns, expected " + std::to_string(rows.extent(0)) +
                         " and " + std::to_string(groups.groups()));
  const Kokkos::Profiling::ScopedRegion region("blockfw::group_sums");
  const detail::RowsOfGroups<T, ExecSpace> of_groups{{rows, true}, reached, sum, limit};
  const auto write = [&]<bool Weighted>(std::bool_constant<Weighted>) {
    if constexpr (is_host_space<ExecSpace>)
      detail::group_sums_by_threads<Weighted>(exec, of_groups, groups.lists_);
    else
      detail::group_sums_by_teams<Weighted>(exec, of_groups, groups.lists_);
  };
  groups.weighted() ? write(std::true_type()) : write(std::false_type());
  exec.fence("blockfw::group_sums");
}

}  // namespace blockfw
