// SPDX-License-Identifier: MIT
/// \file
/// \brief Kokkos's loops and reductions, whose machinery is compiled once for all loops of a host.
///
/// Each loop that is given to Kokkos is an instance of Kokkos's policies, its tools and its threads' code. That is more
/// code than most loops have. On a host a loop has ended when Kokkos returns. There the library gives Kokkos one type
/// of body, which calls the loop's body by an address. It calls once a team, or once a thread's part of a range. A
/// device gets the loop's body itself.
#pragma once

#include "blockfw/detail/base/arithmetic.hpp"
#include "blockfw/detail/base/lanes.hpp"
#include "blockfw/ground/matrix.hpp"

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <type_traits>
#include <utility>

namespace blockfw::detail {

/// Whether the space is a host's, and Kokkos returns from a loop when all of it is done: all host spaces but HPX.
template <class ExecSpace>
inline constexpr bool returns_when_done = is_host_space<ExecSpace>;
#if defined(KOKKOS_ENABLE_HPX)
template <>
inline constexpr bool returns_when_done<Kokkos::Experimental::HPX> = false;
#endif

/// \brief A body of any type behind one function. The body outlives the loop.
///
/// (Kokkos switches the counting of references off while it copies a body, also for the views in the body. It does not
/// copy this body. So a body must not copy a view that owns its memory, except once a team.)
/// \tparam Arguments  of the body
template <class... Arguments>
struct AnyBody {
  const void* body;
  void (*call)(const void*, Arguments...);
  void operator()(Arguments... arguments) const { call(body, arguments...); }
};

/// The body of a loop over teams, as a body of any type.
template <class... Arguments, class F>
AnyBody<Arguments...> any_body(const F& f) {
  return {&f, [](const void* body, Arguments... arguments) { (*static_cast<const F*>(body))(arguments...); }};
}

/// The body of a loop over indices, as a body of any type for a part of the range. The body gets the part's first
/// index, and the index behind the part.
template <class... Values, class F>
AnyBody<std::int64_t, std::int64_t, Values&...> any_range(const F& f) {
  return {&f, [](const void* body, std::int64_t first, std::int64_t end, Values&... values) {
            for (std::int64_t i = first; i < end; ++i) (*static_cast<const F*>(body))(i, values...);
          }};
}

/// \brief A range as one part for each thread.
struct Parts {
  std::int64_t begin, end, count;
  template <class ExecSpace>
  Parts(const ExecSpace& exec, std::int64_t from, std::int64_t to)
      : begin(from), end(to), count(std::clamp<std::int64_t>(to - from, 0, exec.concurrency())) {}
  /// The first index of a part.
  std::int64_t first(std::int64_t part) const {
    const std::int64_t each = (end - begin) / count, more = (end - begin) % count;
    return begin + part * each + std::min(part, more);
  }
};

template <class ExecSpace>
using IndexPolicy = Kokkos::RangePolicy<ExecSpace, Kokkos::IndexType<std::int64_t>>;

/// The type that a reduction to a reducer, or to a number, hands to its body.
template <class Result>
constexpr auto value_type_of() {
  if constexpr (requires { typename Result::value_type; })
    return std::type_identity<typename Result::value_type>();
  else
    return std::type_identity<Result>();
}
template <class Result>
using value_of = typename decltype(value_type_of<std::remove_cvref_t<Result>>())::type;

/// Kokkos::parallel_for over teams.
template <class Policy, class F>
void for_teams(const char* label, const Policy& policy, const F& f) {
  if constexpr (returns_when_done<typename Policy::execution_space>)
    Kokkos::parallel_for(label, policy, any_body<const typename Policy::member_type&>(f));
  else
    Kokkos::parallel_for(label, policy, f);
}

/// Kokkos::parallel_reduce over teams.
template <class Policy, class F, class... Results>
void reduce_teams(const char* label, const Policy& policy, const F& f, Results&&... results) {
  if constexpr (returns_when_done<typename Policy::execution_space>)
    Kokkos::parallel_reduce(label, policy, any_body<const typename Policy::member_type&, value_of<Results>&...>(f),
                            std::forward<Results>(results)...);
  else
    Kokkos::parallel_reduce(label, policy, f, std::forward<Results>(results)...);
}

/// The part of for_range() that is compiled once.
template <class ExecSpace>
void for_parts(const char* label, const ExecSpace& exec, const Parts& parts,
               const AnyBody<std::int64_t, std::int64_t>& body) {
  Kokkos::parallel_for(label, IndexPolicy<ExecSpace>(exec, 0, parts.count),
                       [=](std::int64_t part) { body(parts.first(part), parts.first(part + 1)); });
}

/// Kokkos::parallel_for over the indices from `begin` to `end` - 1, as f(std::int64_t).
template <class ExecSpace, class F>
void for_range(const char* label, const ExecSpace& exec, std::integral auto begin, std::integral auto end, const F& f) {
  const auto first = static_cast<std::int64_t>(begin), last = static_cast<std::int64_t>(end);
  if constexpr (returns_when_done<ExecSpace>)
    for_parts(label, exec, Parts(exec, first, last), any_range<>(f));
  else
    Kokkos::parallel_for(label, IndexPolicy<ExecSpace>(exec, first, last), f);
}

/// Kokkos::parallel_for over the pairs (i, j) with i < rows and j < columns.
template <class ExecSpace, class F>
void for_square(const char* label, const ExecSpace& exec, std::int64_t rows, std::int64_t columns, const F& f) {
  if (rows <= 0 || columns <= 0) return;
  if constexpr (returns_when_done<ExecSpace>) {
    constexpr std::int64_t width = 1024;  // neighbouring rows go through the same columns, in any layout
    for_range(label, exec, 0, rows * ((columns + width - 1) / width), [=, &f](std::int64_t task) {
      const std::int64_t row = task % rows, first = task / rows * width;
      for (std::int64_t j = first; j < std::min(columns, first + width); ++j) f(row, j);
    });
  } else {
    using Square = Kokkos::MDRangePolicy<ExecSpace, Kokkos::Rank<2>, Kokkos::IndexType<std::int64_t>>;
    Kokkos::parallel_for(label, Square(exec, {0, 0}, {rows, columns}), f);
  }
}

/// The part of reduce_range() that is compiled once for results of the same types.
template <class ExecSpace, class... Values, class... Results>
void reduce_parts(const char* label, const ExecSpace& exec, const Parts& parts,
                  const AnyBody<std::int64_t, std::int64_t, Values&...>& body, Results&&... results) {
  Kokkos::parallel_reduce(
      label, IndexPolicy<ExecSpace>(exec, 0, parts.count),
      [=](std::int64_t part, Values&... values) { body(parts.first(part), parts.first(part + 1), values...); },
      std::forward<Results>(results)...);
}

/// Kokkos::parallel_reduce over the indices from `begin` to `end` - 1.
template <class ExecSpace, class F, class... Results>
void reduce_range(const char* label, const ExecSpace& exec, std::integral auto begin, std::integral auto end,
                  const F& f, Results&&... results) {
  const auto first = static_cast<std::int64_t>(begin), last = static_cast<std::int64_t>(end);
  if constexpr (returns_when_done<ExecSpace>)
    reduce_parts(label, exec, Parts(exec, first, last), any_range<value_of<Results>...>(f),
                 std::forward<Results>(results)...);
  else
    Kokkos::parallel_reduce(label, IndexPolicy<ExecSpace>(exec, first, last), f, std::forward<Results>(results)...);
}

/// \brief Adds up sums whose parts a team has in its scratch, always in the same order. Sum i is left in seen(i).
/// \param seen   part p of sum i is seen(p · count + i). The function waits until the team has written it.
/// \param parts  of each sum, a power of two
template <class Team, class Seen>
KOKKOS_FORCEINLINE_FUNCTION void add_up_parts(const Team& team, const Seen& seen, int count, int parts) {
  for (int half = parts / 2; half > 0; half /= 2) {
    team.team_barrier();
    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, half * count),
                         [&](int i) { seen(i) += seen(i + half * count); });
  }
  team.team_barrier();
}

/// \brief Calls f(j) for the columns of a segment of a row. One thread takes a segment, and its loads overlap.
///
/// On a host the columns are neighbours, so that vectors hold them. On a device they lie apart, since other threads
/// take the columns between them.
template <class ExecSpace>
class RowSegments {
 public:
  explicit RowSegments(std::int64_t n) : n_(n), segments_(div_up(n, length)) {}

  KOKKOS_FUNCTION std::int64_t count() const { return segments_; }

  template <class F>
  KOKKOS_FORCEINLINE_FUNCTION void for_each(std::int64_t segment, const F& f) const {
    if constexpr (is_host_space<ExecSpace>) {
      const int first = static_cast<int>(length * segment),
                end = static_cast<int>(Kokkos::min<std::int64_t>(n_, first + length));
      for (int j = first; j < end; ++j) f(j);
    } else {
      BLOCKFW_UNROLL
      for (int c = 0; c < length; ++c)
        if (const std::int64_t j = segment + c * segments_; j < n_) f(static_cast<int>(j));
    }
  }

 private:
  static constexpr int length = is_host_space<ExecSpace> ? 64 : 8;
  std::int64_t n_, segments_;
};

}  // namespace blockfw::detail
