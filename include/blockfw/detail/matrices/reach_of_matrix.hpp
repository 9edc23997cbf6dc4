// SPDX-License-Identifier: MIT
/// \file
/// \brief Reach of each row, or column, of a matrix.
#pragma once

#include "blockfw/detail/backend/backend.hpp"
#include "blockfw/detail/backend/compiled.hpp"
#include "blockfw/detail/backend/memory.hpp"
#include "blockfw/detail/backend/vectors.hpp"
#include "blockfw/detail/backend/workspace.hpp"
#include "blockfw/detail/base/arithmetic.hpp"
#include "blockfw/detail/base/lanes.hpp"
#include "blockfw/detail/loops/launch.hpp"
#include "blockfw/detail/matrices/copies.hpp"
#include "blockfw/ground/answers.hpp"
#include "blockfw/ground/matrix.hpp"
#include "blockfw/ground/options.hpp"
#include "blockfw/ground/semiring.hpp"

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

namespace blockfw::detail {

/// \brief The vectors of a level that sum up distances.
/// \tparam Reach  as in measures.hpp
template <class Reach, class Level>
struct ReachVectors {
  using T = decltype(Reach::farthest);
  using Sum = typename Reach::Sum;
  /// The type of the sum of some distances. For integers of up to 16 bits, 32 bits hold a sum of 2^16 distances.
  using PartialSum = std::conditional_t<sizeof(T) <= 2, std::int32_t, Sum>;

  static constexpr int width = Level::bytes / static_cast<int>(sizeof(T));
  using V = Lanes<Level, T, width>;
  using Counts = Lanes<Level, MaskElement<T>, width>;
  using PartialSums = Lanes<Level, PartialSum, width>;

  V farthest = V::broadcast(-infinity<T>);
  Counts vertices = Counts::broadcast(0);

  /// Takes distances in, except for their sum.
  /// \return the distances that exist; 0 for others
  BLOCKFW_ALWAYS_INLINE V see(V distances) {
    const auto reached = distances < V::broadcast(infinity<T>);
    vertices = vertices - reached.numbers();
    farthest = larger(choose(reached, distances, V::broadcast(-infinity<T>)), farthest);
    return choose(reached, distances, V::broadcast(T(0)));
  }
};

/// \brief Reach of many columns side by side, some in a vector. For a sweep, a vertex of its batch is a column.
///
/// No distance is kept, and each column's sum is always added up in the same order.
template <class Reach>
class ReachOfColumns {
  using T = decltype(Reach::farthest);
  using Sum = typename Reach::Sum;
  static constexpr int unit = 64 / static_cast<int>(sizeof(T));  // for every level
  static constexpr int at_once = 16;                             // rows

  struct Group {
    Sum sum[unit] = {};
    T farthest[unit];
    std::int32_t vertex[unit], vertices[unit] = {};
  };

 public:
  /// \param count  the number of columns
  void start(std::size_t count) {
    groups_.assign(div_up(count, std::size_t{unit}), Group{});
    for (Group& group : groups_) {
      std::fill_n(group.farthest, unit, -infinity<T>);
      std::fill_n(group.vertex, unit, no_vertex);
    }
  }

  /// \brief Adds the distances of one vertex. Vertices may come in any order.
  /// \param distances  one of each column, padded to whole groups
  void add([[maybe_unused]] std::int32_t vertex, [[maybe_unused]] const T* distances) {
    KOKKOS_IF_ON_HOST((with_vectors([&](auto level) __attribute__((always_inline)) {
                         for (std::size_t g = 0; g < groups_.size(); ++g)
                           add_group<decltype(level), 1, false>(groups_[g], vertex, distances + g * unit, 0);
                       });))
  }

  /// \brief Adds the distances of all vertices, the first one's first.
  /// \param rows    the rows, each with the distances of one vertex
  /// \param stride  from one row to the next
  void add_matrix([[maybe_unused]] const T* rows, [[maybe_unused]] std::ptrdiff_t stride, [[maybe_unused]] int vertices,
                  [[maybe_unused]] int columns) {
    KOKKOS_IF_ON_HOST((with_vectors([&](auto level) __attribute__((always_inline)) {
                         for (int v = 0; v < vertices; v += at_once)
                           for (int c = 0; c < columns; c += unit) {
                             const T* from = rows + v * stride + c;
                             std::ptrdiff_t step = stride;
                             T padded[at_once * unit];
                             if (v + at_once > vertices || c + unit > columns) {
                               pad(from, stride, std::min(at_once, vertices - v), std::min(unit, columns - c), padded);
                               from = padded;
                               step = unit;
                             }
                             add_group<decltype(level), at_once, true>(groups_[static_cast<std::size_t>(c / unit)], v,
                                                                       from, step);
                           }
                       });))
  }

  Reach operator[](std::size_t column) const {
    const Group& group = groups_[column / unit];
    const std::size_t i = column % unit;
    return {group.vertices[i], group.sum[i], group.farthest[i], group.vertex[i]};
  }

 private:
  /// Copies some rows, and pads them with rows and columns without paths.
  static void pad(const T* rows, std::ptrdiff_t stride, int height, int width, T* padded) {
    std::fill_n(padded, at_once * unit, infinity<T>);
    for (int r = 0; r < height; ++r) std::copy_n(rows + r * stride, width, padded + r * unit);
  }

  template <class Level, int Rows, bool Ascending>
  static BLOCKFW_ALWAYS_INLINE void add_group(Group& to, std::int32_t vertex, const T* rows, std::ptrdiff_t stride) {
    using In = ReachVectors<Reach, Level>;
    using V = typename In::V;
    using Sums = Lanes<Level, Sum, In::width>;
    using Numbers = Lanes<Level, std::int32_t, In::width>;
    constexpr bool partial = !std::is_same_v<Sum, typename In::PartialSum>;
    for (int i = 0; i < unit; i += In::width) {
      In seen;
      typename In::PartialSums sum;
      if constexpr (partial)
        sum = 0;
      else
        sum = Sums::load(to.sum + i);
      BLOCKFW_UNROLL
      for (int r = 0; r < Rows; ++r)
        sum = sum + seen.see(V::load(rows + r * stride + i)).template as<typename In::PartialSum>();
      if constexpr (partial)
        (Sums::load(to.sum + i) + sum.template as<Sum>()).store(to.sum + i);
      else
        sum.store(to.sum + i);
      (Numbers::load(to.vertices + i) + seen.vertices.template as<std::int32_t>()).store(to.vertices + i);
      const V before = V::load(to.farthest + i);
      if (!(Ascending ? seen.farthest > before : seen.farthest >= before).any()) continue;
      T farthest[In::width];
      seen.farthest.store(farthest);
      take_farther<Rows, In::width>(to, i, farthest, vertex, rows + i, stride);
    }
  }

  /// Updates the farthest vertices. Of vertices at the same distance the smallest is kept.
  template <int Rows, int Width>
  static void take_farther(Group& to, int first, const T* farthest, std::int32_t vertex, const T* rows,
                           std::ptrdiff_t stride) {
    for (int i = 0; i < Width; ++i) {
      T& most = to.farthest[first + i];
      std::int32_t& at = to.vertex[first + i];
      if (farthest[i] < most || farthest[i] == -infinity<T>) continue;
      int r = 0;
      while (r + 1 < Rows && rows[r * stride + i] != farthest[i]) ++r;
      if (farthest[i] == most && at <= vertex + r) continue;
      most = rows[r * stride + i];
      at = vertex + r;
    }
  }

  std::vector<Group> groups_;
};

/// \brief Reach of one row or column whose numbers lie next to each other, with a level of vectors.
///
/// A sum of floats goes from number to number, as its order makes a difference.
template <class Reach, class Level, class T>
BLOCKFW_ALWAYS_INLINE Reach reach_of_contiguous(const T* distances, std::int64_t n) {
  using In = ReachVectors<Reach, Level>;
  using Sum = typename Reach::Sum;
  constexpr int width = In::width, most = 64;  // vectors in a block: a count of them fits a lane of 8 bits
  constexpr bool any_order = std::is_integral_v<Sum>;
  Reach all;
  std::int64_t first = 0;
  while (first + width <= n) {
    const int count = static_cast<int>(std::min<std::int64_t>(most, (n - first) / width));
    const T* const block = distances + first;
    In seen;
    auto sum = In::PartialSums::broadcast(0);
    for (int v = 0; v < count; ++v) {
      const auto there = seen.see(In::V::load(block + v * width));
      if constexpr (any_order) sum = sum + there.template as<typename In::PartialSum>();
    }
    if constexpr (!any_order)
      for (int e = 0; e < count * width; ++e) all.sum += block[e] < infinity<T> ? static_cast<Sum>(block[e]) : Sum(0);
    T farthest[width];
    MaskElement<T> vertices[width];
    typename In::PartialSum sums[width];
    seen.farthest.store(farthest);
    seen.vertices.store(vertices);
    sum.store(sums);
    Sum total = 0;
    std::int64_t reached = 0;
    T here = -infinity<T>;
    for (int i = 0; i < width; ++i) {
      reached += vertices[i];
      here = std::max(here, farthest[i]);
      if constexpr (any_order) total += sums[i];
    }
    all.vertices += reached;
    all.sum += total;
    if (here > all.farthest) {
      const T* const at = std::find(block, block + count * width, here);
      all.farthest = *at;
      all.farthest_vertex = at - distances;
    }
    first += count * width;
  }
  for (; first < n; ++first) all.see(first, distances[first]);
  return all;
}

/// \brief A summary of the entries of a row or column that a device's thread has seen: as Reach, in few registers.
template <class T>
struct PartialReach {
  typename Reach<T>::Sum sum = 0;
  std::int32_t vertices = 0, farthest_vertex = no_vertex;
  T farthest = -infinity<T>;

  operator Reach<T>() const { return {vertices, sum, farthest, farthest_vertex}; }

  /// Adds the distances of the vertices from `vertex` on, `between` from one to the next. These vertices are larger
  /// than those added before. The function has no branches, since neighbouring threads would take different ones.
  template <int Count>
  KOKKOS_FORCEINLINE_FUNCTION void add(const T (&distances)[Count], std::int32_t vertex, std::int32_t between) {
    // (A sum of a few integers of 16 bits fits 32, which take one instruction.)
    using Sum = std::conditional_t<sizeof(T) == 2, std::int32_t, decltype(sum)>;
    Sum sum_here = sizeof(T) == 2 ? Sum(0) : static_cast<Sum>(sum);
    BLOCKFW_UNROLL
    for (int i = 0; i < Count; ++i) {
      const bool reached = distances[i] < infinity<T>, farther = reached && distances[i] > farthest;
      vertices += reached;
      sum_here += reached ? static_cast<Sum>(distances[i]) : Sum(0);
      farthest = farther ? distances[i] : farthest;
      farthest_vertex = farther ? vertex + i * between : farthest_vertex;
    }
    sum = sizeof(T) == 2 ? sum + sum_here : static_cast<decltype(sum)>(sum_here);
  }

  /// Adds a summary of other entries. Of two vertices at the same distance the smaller one is kept.
  KOKKOS_FUNCTION PartialReach& operator+=(const PartialReach& other) {
    vertices += other.vertices;
    sum += other.sum;
    const bool takes =
        other.farthest_vertex >= 0 && (farthest_vertex < 0 || other.farthest > farthest ||
                                       (other.farthest == farthest && other.farthest_vertex < farthest_vertex));
    farthest = takes ? other.farthest : farthest;
    farthest_vertex = takes ? other.farthest_vertex : farthest_vertex;
    return *this;
  }
};

/// \brief Reach of rows or columns on a device, always summed up in the same order. Fences exec.
///
/// A team takes some rows (columns), and segments of them if there are too few teams otherwise. Neighbouring threads
/// read neighbouring entries. These are entries of one row (column) if rows (columns) are contiguous, else the same
/// entry of many rows (columns). A thread reads many entries before it uses any, to hide memory latency.
template <bool Contiguous, class T, class ExecSpace>
std::vector<Reach<T>> reach_by_teams(const ExecSpace& exec, const RowsOrColumns<T>& matrix) {
  using Part = PartialReach<T>;
  using Teams = Kokkos::TeamPolicy<ExecSpace, Kokkos::IndexType<std::int64_t>>;
  using Scratch = UnmanagedView<Part*, typename ExecSpace::scratch_memory_space>;
  constexpr int threads = 256, beside = Contiguous ? 8 : 64,
                groups = threads / beside;  // rows (columns), threads of each
  constexpr int at_once = 8;
  constexpr std::int64_t wanted_teams = 2048, least = groups * at_once;
  if (matrix.count == 0) return {};
  const std::int64_t blocks = div_up(matrix.count, beside);
  const std::int64_t segment =
      round_up(Kokkos::max<std::int64_t>(div_up(matrix.length, div_up(wanted_teams, blocks)), 1), least);
  const std::int64_t segments = Kokkos::max<std::int64_t>(div_up(matrix.length, segment), 1);

  const auto count = static_cast<std::size_t>(matrix.count);
  const std::size_t bytes = count * sizeof(Part);
  const Workspace<ExecSpace> memory(exec, bytes * static_cast<std::size_t>(segments), "blockfw::reach");
  const Kokkos::View<Part**, Kokkos::LayoutRight, typename ExecSpace::memory_space,
                     Kokkos::MemoryTraits<Kokkos::Unmanaged>>
      parts(reinterpret_cast<Part*>(memory.data()), static_cast<std::size_t>(segments), count);
  const int league = static_cast<int>(blocks * segments);
  for_teams(
      "blockfw::reach",
      (is_host_space<ExecSpace> ? Teams(exec, league, Kokkos::AUTO) : Teams(exec, league, threads))
          .set_scratch_size(0, Kokkos::PerTeam(Scratch::shmem_size(threads))),
      KOKKOS_LAMBDA(const typename Teams::member_type& team) {
        const std::int64_t rank = team.league_rank();
        const std::int64_t first = (Contiguous ? rank / segments : rank % blocks) * beside,
                           of_segment = Contiguous ? rank % segments : rank / blocks;
        const auto end = static_cast<int>(Kokkos::min<std::int64_t>(matrix.length, (of_segment + 1) * segment));
        const Scratch seen(team.team_scratch(0), threads);
        Kokkos::parallel_for(Kokkos::TeamThreadRange(team, threads), [&](int thread) {
          // Thread group · beside + vertex keeps its summary in `seen`, also if threads are numbered in the other
          // order.
          const int vertex = Contiguous ? thread / groups : thread % beside,
                    group = Contiguous ? thread % groups : thread / beside;
          Part part;
          if (first + vertex < matrix.count) {
            auto entry = static_cast<int>(of_segment * segment) + group;
            const std::ptrdiff_t step = groups * matrix.entry_step;
            const T* from = matrix.data + (first + vertex) * matrix.step + entry * matrix.entry_step;
            T there[at_once];
            for (; entry + (at_once - 1) * groups < end; entry += at_once * groups, from += at_once * step) {
              BLOCKFW_UNROLL
              for (int i = 0; i < at_once; ++i) there[i] = from[i * step];
              part.add(there, entry, groups);
            }
            if (entry < end) {
              BLOCKFW_UNROLL
              for (int i = 0; i < at_once; ++i) there[i] = entry + i * groups < end ? from[i * step] : infinity<T>;
              part.add(there, entry, groups);
            }
          }
          seen(group * beside + vertex) = part;
        });
        add_up_parts(team, seen, beside, groups);
        Kokkos::parallel_for(Kokkos::TeamThreadRange(team, beside), [&](int vertex) {
          if (first + vertex < matrix.count) parts(of_segment, first + vertex) = seen(vertex);
        });
      });
  if (segments > 1)
    detail::for_range(
        "blockfw::reach_of_segments", exec, 0, matrix.count, KOKKOS_LAMBDA(std::int64_t vertex) {
          constexpr int some = 8;
          Part all = parts(0, vertex);
          for (std::int64_t s = 1; s < segments; s += some) {
            Part there[some];
            BLOCKFW_UNROLL
            for (int i = 0; i < some; ++i)
              if (s + i < segments) there[i] = parts(s + i, vertex);
            BLOCKFW_UNROLL
            for (int i = 0; i < some; ++i) all += there[i];
          }
          parts(0, vertex) = all;
        });

  // (Copies to memory that is not pinned take several times as long.)
  using Pinned = Kokkos::SharedHostPinnedSpace;
  const Workspace<ExecSpace, Pinned> copies(exec, bytes, "blockfw::reach");
  const UnmanagedView<Part*, Pinned> copy(reinterpret_cast<Part*>(copies.data()), count);
  copy_array(exec, copy, Kokkos::subview(parts, 0, Kokkos::ALL));
  exec.fence("blockfw::reach");
  return {copy.data(), copy.data() + count};
}

/// \brief Reach of rows or columns on a host, with vectors: a thread reads a contiguous one, or some others side by
/// side. Fences exec.
template <class T, class ExecSpace>
std::vector<Reach<T>> reach_by_threads(const ExecSpace& exec, const RowsOrColumns<T>& matrix) {
  require_vectors();
  std::vector<Reach<T>> result(static_cast<std::size_t>(matrix.count));
  Reach<T>* const seen = result.data();
  if (matrix.entry_step == 1) {
    for_range("blockfw::reach", exec, 0, matrix.count, [=]([[maybe_unused]] std::int64_t vertex) {
      KOKKOS_IF_ON_HOST((seen[vertex] = with_vectors([&](auto level) __attribute__((always_inline)) {
                           return reach_of_contiguous<Reach<T>, decltype(level)>(matrix.data + vertex * matrix.step,
                                                                                 matrix.length);
                         });))
    });
  } else if (matrix.step == 1) {
    constexpr std::int64_t beside = 1024 / sizeof(T);
    for_range("blockfw::reach", exec, 0, div_up(matrix.count, beside), [=]([[maybe_unused]] std::int64_t part) {
      KOKKOS_IF_ON_HOST((const std::int64_t first = part * beside;
                         const auto count = static_cast<int>(std::min(beside, matrix.count - first));
                         ReachOfColumns<Reach<T>> some; some.start(static_cast<std::size_t>(count)); some.add_matrix(
                             matrix.data + first, matrix.entry_step, static_cast<int>(matrix.length), count);
                         for (int c = 0; c < count; ++c) seen[first + c] = some[static_cast<std::size_t>(c)];))
    });
  } else {
    for_range("blockfw::reach", exec, 0, matrix.count, [=](std::int64_t vertex) {
      Reach<T> all;
      for (std::int64_t v = 0; v < matrix.length; ++v)
        all.see(v, matrix.data[vertex * matrix.step + v * matrix.entry_step]);
      seen[vertex] = all;
    });
  }
  exec.fence("blockfw::reach");
  return result;
}

/// \brief Reach of the rows of a matrix, or of its columns.
/// \return on the host, an entry for each row (column); exec is fenced
template <class ExecSpace, MatrixView View>
std::vector<Reach<typename View::non_const_value_type>> reach_of_matrix(const ExecSpace& exec, const View& d,
                                                                        bool rows) {
  const RowsOrColumns<typename View::non_const_value_type> matrix(d, rows);
  if constexpr (is_host_space<ExecSpace>)
    return reach_by_threads(exec, matrix);
  else
    return matrix.contiguous() ? reach_by_teams<true>(exec, matrix) : reach_by_teams<false>(exec, matrix);
}

/// \brief Reach of the rows of a network, or of its columns, which come in blocks of rows.
/// \param network  calls f(first, rows) for blocks of rows of all distances, in order
/// \param exec     the instance of a host on which the rows are made
/// \param at_once  the number of rows of a block; 0: as many as are made efficiently
/// \return an entry for each row (column), with the distances added up in the order of the columns (rows)
template <class Network, class ExecSpace, class T = typename Network::T>
std::vector<Reach<T>> reach_of_rows(const Network& network, const ExecSpace& exec, bool of_rows,
                                    const Progress& progress, std::int64_t at_once = 0) {
  constexpr std::int64_t beside = 1024 / sizeof(T);  // columns that a thread takes
  const std::int64_t n = network.vertices();
  require_host_memory("the measures of " + std::to_string(n) + " vertices", static_cast<double>(n) * sizeof(Reach<T>));
  std::vector<Reach<T>> all(static_cast<std::size_t>(n));
  Reach<T>* const seen = all.data();
  const auto see = [&](std::int64_t first, const auto& rows) {
    const std::int64_t count = extent_along(rows, 0);
    if (of_rows) {
      std::ranges::copy(reach_of_matrix(exec, rows, true), seen + first);
    } else {
      for_range("blockfw::reach", exec, 0, div_up(n, beside), [=](std::int64_t part) {
        const std::int64_t end = std::min(n, (part + 1) * beside);
        for (std::int64_t r = 0; r < count; ++r)
          for (std::int64_t c = part * beside; c < end; ++c) seen[c].see(first + r, rows(r, c));
      });
      exec.fence("blockfw::reach");
    }
    if (progress) progress(first + count, n);
  };
  network.for_whole_rows(see, at_once);
  return all;
}

}  // namespace blockfw::detail

/// The measures of rows or columns of a matrix in memory, on hosts.
#if defined(BLOCKFW_BUILT_FOR_DEVICE)
#define BLOCKFW_COMPILED_REACH(LINKAGE, S)
#else
#define BLOCKFW_COMPILED_REACH(LINKAGE, S)                                                                             \
  LINKAGE template std::vector<blockfw::Reach<blockfw::detail::compiled::Value<S>>> blockfw::detail::reach_by_threads( \
      const blockfw::detail::compiled::Exec&,                                                                          \
      const blockfw::detail::RowsOrColumns<blockfw::detail::compiled::Value<S>>&);
#endif

#if defined(BLOCKFW_COMPILED)
BLOCKFW_COMPILED_INT8(BLOCKFW_COMPILED_REACH, extern)
BLOCKFW_COMPILED_SHORTEST(BLOCKFW_COMPILED_REACH, extern)
#endif
