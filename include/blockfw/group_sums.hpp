// SPDX-License-Identifier: MIT
/// \file
/// \brief Sums by groups of vertices: the number of jobs, schools or shops within reach, and their distances.
///
/// \code
///   const blockfw::VertexGroups kinds(exec, kind, {.weights = jobs});
///   network.for_whole_rows([&](std::int64_t first, const auto& rows) {
///     const auto near = blockfw::group_sums(exec, rows, kinds, 10);  // within 10 minutes
///   });
/// \endcode
/// Several limits are asked in one call. Or the weights decay with the distance, by a table.
#pragma once

#include "blockfw/detail/backend/memory.hpp"
#include "blockfw/detail/base/arithmetic.hpp"
#include "blockfw/detail/matrices/checks.hpp"
#include "blockfw/detail/matrices/copies.hpp"
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

namespace blockfw::detail {

struct ListsOfGroups;

}  // namespace blockfw::detail

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
  /// \throws InvalidInput for a group out of range, or another number of weights than of vertices, or a weight that is
  ///         infinite or NaN
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
  friend struct detail::ListsOfGroups;

  /// \return the number of groups
  static std::int64_t require_groups(const std::vector<std::int32_t>& group_of, std::int64_t groups) {
    detail::require_kokkos();
    if (groups < 0 || groups > std::numeric_limits<std::int32_t>::max())
      throw InvalidInput("the number of groups is ", groups, ", expected 0 to ",
                         std::numeric_limits<std::int32_t>::max());
    std::int64_t largest = -1;
    for (std::size_t v = 0; v < group_of.size(); ++v) {
      const std::int64_t group = group_of[v];
      if (group == no_vertex) continue;
      if (group < 0 || (groups > 0 && group >= groups))
        throw InvalidInput("vertex ", v, " is in group ", group, ", expected ",
                           (groups > 0 ? "0 to " + std::to_string(groups - 1) : "0 or more"), ", or no_vertex");
      largest = std::max(largest, group);
    }
    return groups > 0 ? groups : largest + 1;
  }
  /// \return whether there are weights
  static bool require_weights(const std::vector<double>& weights, std::size_t vertices) {
    if (weights.empty()) return false;
    if (weights.size() != vertices)
      throw InvalidInput("there are ", weights.size(), " weights and groups of ", vertices,
                         " vertices, expected as many of each");
    for (std::size_t v = 0; v < vertices; ++v)
      if (!std::isfinite(weights[v]))
        throw InvalidInput("the weight of vertex ", v, " is ", weights[v], ", expected a finite number");
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
  DistanceMatrix<double, ExecSpace>
      sum;  ///< the sum of the distances to these vertices; with weights, of weight times distance
};

/// \brief The same within several limits: arrays of rows x groups x limits where ExecSpace works.
///
/// With indices of type `std::int64_t` an array may have more than 2^31 entries.
template <class ExecSpace = Kokkos::DefaultExecutionSpace>
struct GroupSumsOfLimits {
  /// An array of rows x groups x limits.
  using Array = Kokkos::View<double***, Kokkos::LayoutRight, typename ExecSpace::memory_space>;
  Array reached;  ///< the number of vertices within each limit; with weights, the sum of the weights
  Array sum;      ///< the sum of the distances to these vertices; with weights, of weight times distance
};

/// \brief A weight for each distance, by a table: a place counts by its distance.
///
/// At the distance k · step the weight is values[k]. Between two of these distances it is linear. At a negative
/// distance it is values[0], and behind the last of these distances it is 0. For example, `{.step = 600, .values = {1,
/// 0}}` falls from 1 at the distance 0 to 0 at the distance 600. A limit of 600 is `{.step = 600, .values = {1, 1}}`. A
/// step of 1 takes any function of whole distances.
struct DistanceDecay {
  double step = 1;                  ///< the distance between neighbouring values, in the unit of the weights
  std::vector<double> values = {};  ///< the weights at 0, step, 2 · step, ...; one or more
};

}  // namespace blockfw

namespace blockfw::detail {

/// The lists of groups, for the calls below.
struct ListsOfGroups {
  template <class ExecSpace>
  static const GroupLists<ExecSpace>& of(const VertexGroups<ExecSpace>& groups) {
    return groups.lists_;
  }
};

/// \brief Memory for sums, not initialised.
/// \tparam Sums   GroupSums or GroupSumsOfLimits
/// \param limits  their number, if the sums have limits
/// \throws OutOfMemory
template <class Sums, class ExecSpace, class View, class... Limits>
Sums allocate_group_sums(const ExecSpace& exec, const View& rows, const VertexGroups<ExecSpace>& groups,
                         Limits... limits) {
  const std::size_t count = rows.extent(0), columns = at(groups.groups());
  std::string what = "the sums of " + std::to_string(count) + " rows and " + std::to_string(columns) + " groups";
  ((what += " within " + std::to_string(limits) + " limits"), ...);
  const double entries =
      static_cast<double>(count) * static_cast<double>(columns) * (1. * ... * static_cast<double>(limits));
  require_memory(exec, what, 2. * entries * sizeof(double));
  const auto array = [&](const char* label) {
    return without_values<decltype(Sums::reached)>(exec, label, count, columns, limits...);
  };
  return {array("blockfw::group_reached"), array("blockfw::group_sum")};
}

/// \brief Checks the caller's memory for sums.
/// \param expected  rows, groups and perhaps limits
/// \throws InvalidInput for another shape
template <class Array>
void require_sums(const Array& sums, const std::vector<std::size_t>& expected) {
  const char* const names[] = {" rows", " columns", " limits"};
  const auto text = [&](const auto& extent, bool named) {
    std::string said;
    for (std::size_t i = 0; i < expected.size(); ++i) {
      if (i > 0) said += i + 1 < expected.size() ? ", " : " and ";
      said += std::to_string(extent(i)) + (named ? names[i] : "");
    }
    return said;
  };
  bool fits = true;
  for (std::size_t i = 0; i < expected.size(); ++i) fits = fits && sums.extent(i) == expected[i];
  if (!fits)
    throw InvalidInput("the matrix '" + sums.label() + "' has " +
                       text([&](std::size_t i) { return sums.extent(i); }, true) + ", expected " +
                       text([&](std::size_t i) { return expected[i]; }, false));
}

/// \brief Checks rows, groups and sums, and calls write(lists, weighted), where `weighted` is a std::bool_constant.
/// Fences exec.
/// \param limits  their number, if the sums have limits
/// \throws InvalidInput when the numbers of columns and vertices differ, or the sums have another shape
template <class ExecSpace, class View, class Sums, class F, class... Limits>
void sum_by_groups(const ExecSpace& exec, const View& rows, const VertexGroups<ExecSpace>& groups, const Sums& sums,
                   const F& write, Limits... limits) {
  static_assert(Distance<typename View::non_const_value_type>,
                "blockfw: distances must be int16_t, int32_t, int64_t, float or double");
  require_reachable<ExecSpace, View>();
  if (extent_along(rows, 1) != groups.vertices())
    throw InvalidInput("the rows '", rows.label(), "' have ", rows.extent(1), " columns, expected ", groups.vertices(),
                       ", one for each vertex of the groups");
  const Kokkos::Profiling::ScopedRegion region("blockfw::group_sums");
  const std::vector<std::size_t> shape{rows.extent(0), at(groups.groups()), limits...};
  require_sums(sums.reached, shape);
  require_sums(sums.sum, shape);
  const auto& lists = ListsOfGroups::of(groups);
  groups.weighted() ? write(lists, std::true_type()) : write(lists, std::false_type());
  exec.fence("blockfw::group_sums");
}

/// \brief The values of a decay where exec works, with one more at the end. Fences exec.
/// \throws InvalidInput for a step that is not positive and finite, no values, or a value that is not finite
template <class ExecSpace>
auto table_of(const ExecSpace& exec, const DistanceDecay& decay) {
  if (!(decay.step > 0) || !std::isfinite(decay.step))
    throw InvalidInput("the step of the decay is ", decay.step, ", expected a positive number");
  if (decay.values.empty()) throw InvalidInput("the decay has no values, expected 1 or more");
  for (std::size_t i = 0; i < decay.values.size(); ++i)
    if (!std::isfinite(decay.values[i]))
      throw InvalidInput("value ", i, " of the decay is ", decay.values[i], ", expected a finite number");
  for (std::size_t i = 1; i < decay.values.size(); ++i)
    if (!std::isfinite(decay.values[i] - decay.values[i - 1]))
      throw InvalidInput("values ", i - 1, " and ", i,
                         " of the decay are further apart than a double holds, expected smaller values");
  std::vector<double> values = decay.values;
  values.push_back(values.back());
  const auto table = in_space(exec, values);
  exec.fence("blockfw::decay");  // (the values on the host end here)
  return table;
}

}  // namespace blockfw::detail

namespace blockfw {

/// \brief For each row and each group, how many vertices are reached, and the sum of the distances to them.
/// \param exec    the instance to run on
/// \param rows    distances where exec works, with a column for each vertex of the groups: some rows, or a whole
///                matrix. Or a table, if the groups are those of its targets. infinity<T> means no path.
/// \param groups  of the columns
/// \param limit   the largest distance that counts
/// \throws InvalidInput when the numbers of columns and vertices differ, or the limit is NaN; OutOfMemory
///
/// A vertex reaches itself, as in reach(). It reads the rows once, in the order of the groups, and fences exec. Sums
/// are exact up to 2^53, for integers and weights that are whole. Other sums round, always in the same order on the
/// same kind of place.
template <class ExecSpace, MatrixView View>
GroupSums<ExecSpace> group_sums(
    const ExecSpace& exec, const View& rows, const VertexGroups<ExecSpace>& groups,
    typename View::non_const_value_type limit = infinity<typename View::non_const_value_type>) {
  const auto sums = detail::allocate_group_sums<GroupSums<ExecSpace>>(exec, rows, groups);
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
  if (limit != limit) throw InvalidInput("the limit is NaN, expected a number");
  const detail::RowsOfGroups<T, ExecSpace> of_groups{{{rows, true}, reached, sum}, limit};
  detail::sum_by_groups(exec, rows, groups, GroupSums<ExecSpace>{reached, sum},
                        [&]<bool Weighted>(const auto& lists, std::bool_constant<Weighted>) {
                          detail::group_sums_of_rows<Weighted>(exec, of_groups, lists);
                        });
}

/// \brief The same within several limits: for each row, group and limit, how many vertices are within the limit, and
/// the sum of the distances to them.
/// \param exec    the instance to run on
/// \param rows    distances, a column for each vertex of the groups
/// \param groups  of the columns
/// \param limits  one or more, in any order. The results have their order.
/// \throws InvalidInput when the numbers of columns and vertices differ, there are no limits, or one is NaN;
///         OutOfMemory
///
/// A host reads the rows once, and searches among the limits for each entry. A device reads the rows once for each four
/// limits. Sums are exact as above. Sums that round may differ in the last bits from those of a call for one limit.
/// Memory: besides the result, on a host 64 bytes for each limit and thread.
template <class ExecSpace, MatrixView View>
GroupSumsOfLimits<ExecSpace> group_sums(const ExecSpace& exec, const View& rows, const VertexGroups<ExecSpace>& groups,
                                        const std::vector<typename View::non_const_value_type>& limits) {
  const auto sums = detail::allocate_group_sums<GroupSumsOfLimits<ExecSpace>>(exec, rows, groups, limits.size());
  group_sums(exec, rows, groups, limits, sums.reached, sums.sum);
  return sums;
}

/// \brief The same into the caller's memory.
/// \param exec     the instance to run on
/// \param rows     distances, a column for each vertex of the groups
/// \param groups   of the columns
/// \param limits   one or more, in any order
/// \param reached  rows x groups x limits
/// \param sum      likewise
/// \throws InvalidInput also when an array has another shape
template <class ExecSpace, MatrixView View>
void group_sums(const ExecSpace& exec, const View& rows, const VertexGroups<ExecSpace>& groups,
                const std::vector<typename View::non_const_value_type>& limits,
                const typename GroupSumsOfLimits<ExecSpace>::Array& reached,
                const typename GroupSumsOfLimits<ExecSpace>::Array& sum) {
  using T = typename View::non_const_value_type;
  const std::vector<T> checked = detail::checked_limits<T>(limits);
  detail::require_limits(checked.size());
  detail::sum_by_groups(
      exec, rows, groups, GroupSumsOfLimits<ExecSpace>{reached, sum},
      [&]<bool Weighted>(const auto& lists, std::bool_constant<Weighted>) {
        detail::group_sums_of_limits<Weighted, T, ExecSpace>(exec, {rows, true}, lists, checked, reached, sum);
      },
      checked.size());
}

/// \brief The same with weights that decay with the distance: each reached vertex counts as much as `decay` says, times
/// its own weight if it has one.
/// \param exec    the instance to run on
/// \param rows    distances, a column for each vertex of the groups
/// \param groups  of the columns
/// \param decay   the weight of each distance
/// \return the sums of these weights, and of weight times distance
/// \throws InvalidInput when the numbers of columns and vertices differ, for a step that is not positive and finite, no
///         values, or a value that is not finite; OutOfMemory
///
/// It reads the rows once, with a division for each entry. Sums round, always in the same order on the same kind of
/// place.
template <class ExecSpace, MatrixView View>
GroupSums<ExecSpace> group_sums(const ExecSpace& exec, const View& rows, const VertexGroups<ExecSpace>& groups,
                                const DistanceDecay& decay) {
  const auto sums = detail::allocate_group_sums<GroupSums<ExecSpace>>(exec, rows, groups);
  group_sums(exec, rows, groups, decay, sums.reached, sums.sum);
  return sums;
}

/// \brief The same into the caller's memory.
/// \param exec     the instance to run on
/// \param rows     distances, a column for each vertex of the groups
/// \param groups   of the columns
/// \param decay    the weight of each distance
/// \param reached  rows x groups
/// \param sum      likewise
/// \throws InvalidInput also when a matrix has another number of rows or columns
template <class ExecSpace, MatrixView View>
void group_sums(const ExecSpace& exec, const View& rows, const VertexGroups<ExecSpace>& groups,
                const DistanceDecay& decay, const DistanceMatrix<double, ExecSpace>& reached,
                const DistanceMatrix<double, ExecSpace>& sum) {
  using T = typename View::non_const_value_type;
  const auto table = detail::table_of(exec, decay);
  const detail::RowsWithDecay<T, ExecSpace> with_decay{
      {{rows, true}, reached, sum}, decay.step, static_cast<double>(decay.values.size() - 1), table.data()};
  detail::sum_by_groups(exec, rows, groups, GroupSums<ExecSpace>{reached, sum},
                        [&]<bool Weighted>(const auto& lists, std::bool_constant<Weighted>) {
                          detail::group_sums_of_rows<Weighted>(exec, with_decay, lists);
                        });
}

}  // namespace blockfw
