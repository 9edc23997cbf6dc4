// SPDX-License-Identifier: MIT
/// \file
/// \brief min_plus_product: the product of two matrices over a semiring.
///
/// \code
///   // trip(i, j) becomes the least of trip(i, j) and all to_stop(i, k) + onwards(k, j).
///   blockfw::min_plus_product(to_stop, onwards, trip);
/// \endcode
#pragma once

#include "blockfw/detail/backend/compiled.hpp"
#include "blockfw/detail/base/arithmetic.hpp"
#include "blockfw/detail/kernel/product.hpp"
#include "blockfw/detail/loops/launch.hpp"
#include "blockfw/ground/error.hpp"
#include "blockfw/ground/matrix.hpp"
#include "blockfw/ground/options.hpp"
#include "blockfw/ground/semiring.hpp"
#include "blockfw/ground/weights.hpp"

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>

namespace blockfw {

/// Options of min_plus_product().
struct ProductOptions {
  bool accumulate = true;  ///< whether entries of c stay where they are better. If not, c is not read.
  Progress progress = {};  ///< called, if set, as progress(steps done, steps in all) after each step, which fences exec
};

namespace detail {

/// Whether a number may stand in a matrix of a product. Sums of two such integers do not overflow.
template <Semiring S, class T = typename S::value_type>
KOKKOS_FORCEINLINE_FUNCTION constexpr bool is_factor(T number) {
  if constexpr (std::is_integral_v<T>)
    return is_weight<S>(number) && number <= infinity<T> && number >= -infinity<T>;
  else
    return is_weight<S>(number);
}

/// \brief Matrices of a product, for messages and checks.
template <class T, class ExecSpace>
struct Operand {
  const char* name;  ///< of the parameter
  std::int64_t count;
  MatrixBatch<T, ExecSpace> matrices;

  int rows() const { return matrices.first.extent_int(0); }
  int columns() const { return matrices.first.extent_int(1); }
  std::string shape() const { return std::to_string(rows()) + " x " + std::to_string(columns()); }

  Operand transposed() const {
    const auto& m = matrices.first;
    return {
        name,
        count,
        {MatrixRef<T, ExecSpace>(m.data(), Kokkos::LayoutStride(m.extent(1), m.stride(1), m.extent(0), m.stride(0))),
         matrices.step}};
  }
  /// Whether neighbours of a column are nearer in memory than neighbours of a row.
  bool by_columns() const { return matrices.first.stride(0) < matrices.first.stride(1); }
};

/// The operand of a view: a matrix, or a batch of matrices, whose numbers are read or written.
template <class T, class ExecSpace, class View>
Operand<T, ExecSpace> operand_of(const char* name, const View& view) {
  static_assert(Kokkos::is_view_v<View> && (View::rank() == 2 || View::rank() == 3),
                "blockfw: a product takes views of rank 2, or of rank 3: matrices one after the other");
  static_assert(std::is_same_v<typename View::non_const_value_type, T>,
                "blockfw: the matrices of a product have elements of the same type, that of the semiring");
  require_reachable<ExecSpace, View>();
  constexpr std::size_t first = View::rank() - 2;
  const std::size_t rows = view.extent(first), columns = view.extent(first + 1);
  constexpr std::size_t most = INT32_MAX - (1 << 15);  // so that the end of a tile is an int, too
  if (std::max(rows, columns) > most)
    throw InvalidInput("the matrix ", name, " is ", rows, " x ", columns, ", expected at most ", most,
                       " rows and columns");
  if (view.data() == nullptr && rows > 0 && columns > 0 && view.extent(0) > 0)
    throw InvalidInput("the matrix ", name, " of ", rows, " x ", columns, " has no memory (null pointer)");
  // (Matrices that are only read are not written to by a kernel that takes matrices which may be written.)
  auto* const data = const_cast<T*>(view.data());
  const Kokkos::LayoutStride layout(rows, view.stride(first), columns, view.stride(first + 1));
  std::int64_t count = 1, step = 0;
  if constexpr (View::rank() == 3) {
    count = extent_along(view, 0);
    if (count > 1) step = static_cast<std::int64_t>(view.stride(0));
  }
  return {name, count, {MatrixRef<T, ExecSpace>(data, layout), step}};
}

/// The first entry of row `row` of all rows that may not stand in a matrix of a product, or the number of columns.
template <Semiring S, class ExecSpace, class T>
std::int64_t find_refused_entry(const ExecSpace& exec, const Operand<T, ExecSpace>& of, std::int64_t row) {
  const auto m = of.matrices;
  const std::int64_t rows = of.rows(), columns = of.columns();
  std::int64_t found = columns;
  reduce_range(
      "blockfw::find_refused", exec, 0, columns,
      KOKKOS_LAMBDA(std::int64_t j, std::int64_t& first) {
        if (!is_factor<S>(m.at(row / rows)(row % rows, j))) first = Kokkos::min(first, j);
      },
      Kokkos::Min<std::int64_t>(found));
  return found;
}

/// Throws the error for the refused entry in a row of all rows.
template <Semiring S, class ExecSpace, class T>
[[noreturn]] void throw_refused_entry(const ExecSpace& exec, const Operand<T, ExecSpace>& of, std::int64_t row,
                                      bool transposed) {
  const std::int64_t i = row % of.rows(), j = find_refused_entry<S>(exec, of, row);
  const auto there =
      Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), Kokkos::subview(of.matrices.at(row / of.rows()), i, j));
  const std::string before = std::string("the matrix ") + of.name + " holds ",
                    after = " at (" + (of.count > 1 ? std::to_string(row / of.rows()) + ", " : "") +
                            std::to_string(transposed ? j : i) + ", " + std::to_string(transposed ? i : j) + ")";
  if (is_weight<S>(there()))
    throw OverflowRisk(before, there(), after, ", beyond infinity, ", infinity<T>, ", in ", type_name<T>(), "; use ",
                       wider_types<T>());
  throw InvalidInput(refused_weight<S>(before, there(), after));
}

/// \brief The range of all numbers but zero(). Fences exec.
/// \throws InvalidInput with the place of a number that the semiring does not take; OverflowRisk for an integer beyond
///         infinity
template <Semiring S, class ExecSpace, class T>
WeightRange<T> range_of(const ExecSpace& exec, const Operand<T, ExecSpace>& operand) {
  using Rows = Kokkos::TeamPolicy<ExecSpace, Kokkos::IndexType<std::int64_t>>;
  using Member = typename Rows::member_type;
  const bool transposed = operand.by_columns();  // rows are read as they lie in memory
  const Operand<T, ExecSpace> of = transposed ? operand.transposed() : operand;
  const auto m = of.matrices;
  const std::int64_t rows = of.rows(), columns = of.columns(), all = of.count * rows;
  const int teams = static_cast<int>(std::min<std::int64_t>(all, 1 << 16));
  std::int64_t refused_row = all;
  WeightRange<T> range;
  reduce_teams(
      "blockfw::range_of_matrix", Rows(exec, teams, Kokkos::AUTO),
      KOKKOS_LAMBDA(const Member& team, std::int64_t& first_refused, T& smallest, T& largest) {
        for (std::int64_t r = team.league_rank(); r < all; r += teams) {
          const T* const row = &m.at(r / rows)(r % rows, 0);
          const auto step = m.first.stride(1);
          WeightsSeen<T> seen_in_row;
          Kokkos::parallel_reduce(
              Kokkos::TeamVectorRange(team, columns),
              [&](std::int64_t j, WeightsSeen<T>& seen) {
                const T number = row[static_cast<std::size_t>(j) * step];
                seen.add(number, number != S::zero(), !is_factor<S>(number));
              },
              Kokkos::Sum<WeightsSeen<T>>(seen_in_row));
          Kokkos::single(Kokkos::PerTeam(team), [&] {
            if (seen_in_row.refused > 0) first_refused = Kokkos::min(first_refused, r);
            smallest = Kokkos::min(smallest, seen_in_row.smallest);
            largest = Kokkos::max(largest, seen_in_row.largest);
          });
        }
      },
      Kokkos::Min<std::int64_t>(refused_row), Kokkos::Min<T>(range.smallest), Kokkos::Max<T>(range.largest));
  if (refused_row < all) throw_refused_entry<S>(exec, of, refused_row, transposed);
  return range;
}

/// \brief Sums of integers: the length that no path of a product exceeds.
///
/// (For longest paths all signs are changed.)
/// \throws OverflowRisk if a sum could reach infinity, or a path could be mistaken for no path
template <Semiring S, class T = typename S::value_type>
T longest_of_product(const WeightRange<T>& a, const WeightRange<T>& b, const WeightRange<T>& c) {
  constexpr bool longest_paths = S::zero() < T(0);
  const auto least = [](const WeightRange<T>& r) { return std::int64_t{longest_paths ? -r.largest : r.smallest}; };
  const auto most = [](const WeightRange<T>& r) { return std::int64_t{longest_paths ? -r.smallest : r.largest}; };
  const std::int64_t far = infinity<T>, longest = c.empty() ? most(a) + most(b) : std::max(most(a) + most(b), most(c)),
                     shortest = least(a) + least(b), none = far + std::min({least(a), least(b), std::int64_t{0}});
  if (longest >= none || shortest <= -far)
    throw OverflowRisk(
        "a product of ", type_name<T>(), " with entries of a from ", a.smallest, " to ", a.largest, ", of b from ",
        b.smallest, " to ", b.largest,
        c.empty() ? std::string() : ", and of c up to " + std::to_string(longest_paths ? c.smallest : c.largest),
        " may reach infinity, ", infinity<T>, "; use ", wider_types<T>());
  return static_cast<T>(longest_paths ? -longest : longest);
}

/// Whether two matrices of one batch have an entry in common, as far as their strides tell.
template <class T, class ExecSpace>
bool overlap(const Operand<T, ExecSpace>& x, const Operand<T, ExecSpace>& y) {
  const auto &a = x.matrices.first, &b = y.matrices.first;
  if (a.data() == b.data()) return true;
  const std::int64_t down = static_cast<std::int64_t>(a.stride(0)), across = static_cast<std::int64_t>(a.stride(1));
  if (a.stride(0) != b.stride(0) || a.stride(1) != b.stride(1) || down == across) return false;
  // Both are parts of one matrix if the distance of their first entries is a whole number of rows and of columns.
  const std::int64_t row = std::max(down, across), column = std::min(down, across);
  if (column == 0) return false;
  const std::int64_t distance = reinterpret_cast<const char*>(b.data()) - reinterpret_cast<const char*>(a.data()),
                     entries = distance / std::int64_t{sizeof(T)};
  const std::size_t row_side = down > across ? 0 : 1, column_side = 1 - row_side;
  const auto meets = [&](std::int64_t rows, std::int64_t columns) {
    return rows < a.extent_int(row_side) && -rows < b.extent_int(row_side) && columns < a.extent_int(column_side) &&
           -columns < b.extent_int(column_side);
  };
  for (std::int64_t rows = entries / row - 1; rows <= entries / row + 1; ++rows) {
    const std::int64_t rest = entries - rows * row;
    if (rest % column == 0 && meets(rows, rest / column)) return true;
  }
  return false;
}

/// Makes a number that of no path.
template <Semiring S>
struct NoPath {
  KOKKOS_FUNCTION void operator()(typename S::value_type& number) const { number = S::zero(); }
};
/// The same for lengths beyond the longest path.
template <Semiring S>
struct NoPathBeyond {
  typename S::value_type longest;
  KOKKOS_FUNCTION void operator()(typename S::value_type& number) const {
    constexpr auto none = S::zero();
    if (none > 0 ? number > longest : number < longest) number = none;
  }
};

/// Calls f for a reference to each number.
template <class ExecSpace, class T, class F>
void for_entries(const ExecSpace& exec, const Operand<T, ExecSpace>& operand, const F& f) {
  const Operand<T, ExecSpace> of = operand.by_columns() ? operand.transposed() : operand;
  const auto m = of.matrices;
  const std::int64_t rows = of.rows();
  for_square(
      "blockfw::entries_of_matrix", exec, of.count * rows, of.columns(),
      KOKKOS_LAMBDA(std::int64_t r, std::int64_t j) { f(m.at(r / rows)(r % rows, j)); });
}

/// min_plus_product() of operands.
template <Semiring S, class ExecSpace, class T>
void checked_product(const ExecSpace& exec, const Operand<T, ExecSpace>& a, const Operand<T, ExecSpace>& b,
                     const Operand<T, ExecSpace>& c, const ProductOptions& options) {
  if (a.columns() != b.rows() || a.rows() != c.rows() || b.columns() != c.columns())
    throw InvalidInput("the matrices a, b and c are ", a.shape(), ", ", b.shape(), " and ", c.shape(),
                       ", expected m x k, k x n and m x n");
  const Operand<T, ExecSpace> factors[] = {a, b};
  for (const auto& of : factors)
    if (of.count != c.count && of.count != 1)
      throw InvalidInput("there are ", of.count, " matrices ", of.name, " and ", c.count,
                         " matrices c, expected as many, or one");
  if (c.count == 0 || c.rows() == 0 || c.columns() == 0) return;
  WeightRange<T> of_a, of_b, of_c;
  if (a.columns() > 0) {
    for (const auto& of : factors)
      if (overlap(of, c))
        throw InvalidInput("the matrices ", of.name, " and c share memory, expected a matrix c of its own");
    of_a = range_of<S>(exec, a), of_b = range_of<S>(exec, b);
    if (options.accumulate) of_c = range_of<S>(exec, c);
  }
  const bool empty = of_a.empty() || of_b.empty();
  require_product<S>(a.matrices, b.matrices, c.matrices);
  T longest{};
  if constexpr (sums_integers<S>)
    if (!empty) longest = longest_of_product<S>(of_a, of_b, of_c);
  if (!options.accumulate) for_entries(exec, c, NoPath<S>{});
  if (empty) return;

  const bool negative = of_a.any_negative() || of_b.any_negative() || of_c.any_negative();
  if (is_commutative<S> && c.by_columns()) {  // the transposed product writes contiguous rows
    const auto left = b.transposed(), right = a.transposed(), to = c.transposed();
    multiply<S>(exec, c.count, left.matrices, right.matrices, to.matrices, negative, options.progress);
  } else {
    multiply<S>(exec, c.count, a.matrices, b.matrices, c.matrices, negative, options.progress);
  }
  if constexpr (sums_integers<S>)  // no path plus a length of another sign
    if (negative) for_entries(exec, c, NoPathBeyond<S>{longest});
}

}  // namespace detail

/// \brief C ← C ⊕ A ⊗ B: the min-plus product (distance product), or the product over another semiring.
///
/// c(i, j) becomes the best of c(i, j) and all a(i, k) ⊗ b(k, j). With shortest paths that is the least of c(i, j) and
/// a(i, k) + b(k, j). S::zero(), infinity<T> for shortest paths, stands for no path. In a batch (rank 3: matrix, row,
/// column) all products have the same shape. A matrix a or b of rank 2 serves all of them.
///
/// \tparam Over  the semiring, as in solve(); if left out, shortest paths
/// \param exec     the instance to run on. It is fenced for the checks. The product is queued and not fenced.
/// \param a        m x k view of rank 2, or count x m x k of rank 3, of any layout, that exec can reach
/// \param b        k x n, or count x k x n, of the same type; it may be a
/// \param c        m x n, or count x m x n; it must share no memory with a or b. Parts of one matrix are allowed.
/// \param options  whether entries of c count, and a function for progress
/// \throws InvalidInput  when the shapes do not fit, when c is seen to overlap a or b, or when an entry is NaN or not
///                       accepted by the semiring. The text names the entry's place.
/// \throws OverflowRisk  when an integer entry lies beyond infinity<T>, or a sum of integers could reach it. c is
///                       unchanged after these errors.
///
/// m·n·k relaxes, at the rate of phase 3. For the checks the matrices are read once more. Integers are the same to the
/// last bit in every place. Memory: panels of some columns of a and rows of b, up to 256 MiB; on a host up to 8 MiB, or
/// of 256 columns and rows. It is kept for the next call. Small products of a batch are done by one team each.
template <class Over = void, class ExecSpace, class A, class B, class C>
  requires Kokkos::is_execution_space_v<ExecSpace>
void min_plus_product(const ExecSpace& exec, const A& a, const B& b, const C& c, const ProductOptions& options = {}) {
  using T = typename C::value_type;
  static_assert(!std::is_const_v<T>, "blockfw: the product is written to c, whose elements must not be const");
  using S = typename detail::SemiringOfMatrix<Over, T>::type;
  detail::require_kokkos();
  detail::checked_product<S>(exec, detail::operand_of<T, ExecSpace>("a", a), detail::operand_of<T, ExecSpace>("b", b),
                             detail::operand_of<T, ExecSpace>("c", c), options);
}

/// The same on the default instance of the space; fenced, so that c is ready on return.
template <class Over = void, class ExecSpace = Kokkos::DefaultExecutionSpace, class A, class B, class C>
  requires Kokkos::is_view_v<A>
void min_plus_product(const A& a, const B& b, const C& c, const ProductOptions& options = {}) {
  const auto exec = detail::default_instance<ExecSpace>();
  min_plus_product<Over>(exec, a, b, c, options);
  exec.fence("blockfw::min_plus_product");
}

}  // namespace blockfw

/// Products of matrices.
#define BLOCKFW_COMPILED_PRODUCT(LINKAGE, S)                                                                 \
  LINKAGE template void blockfw::detail::checked_product<S>(                                                 \
      const blockfw::detail::compiled::Exec&,                                                                \
      const blockfw::detail::Operand<blockfw::detail::compiled::Value<S>, blockfw::detail::compiled::Exec>&, \
      const blockfw::detail::Operand<blockfw::detail::compiled::Value<S>, blockfw::detail::compiled::Exec>&, \
      const blockfw::detail::Operand<blockfw::detail::compiled::Value<S>, blockfw::detail::compiled::Exec>&, \
      const blockfw::ProductOptions&);

#if defined(BLOCKFW_COMPILED)
BLOCKFW_COMPILED_SEMIRINGS(BLOCKFW_COMPILED_PRODUCT, extern)
#endif
