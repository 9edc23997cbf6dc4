// SPDX-License-Identifier: MIT
// The optimisation ladder: the same graph, solved step by step from three loops to what the library does. Every step's
// distances are compared with the library's.

#include "bench.hpp"

// The early steps of the optimisation ladder, as in the course reports, which the library no longer contains. They are
// short kernels for all of Kokkos's spaces; each step builds on the one before.
namespace ladder {

using bench::Exec, bench::Matrix, bench::on_host;
using T = std::int32_t;

/// n x n entries in a matrix of whole tiles; the vertices beyond the graph have no edges.
struct Padded {
  Matrix<T> d;
  std::int64_t n;
};

/// Neighbouring entries of a row, and the relax of all of them.
template <int vector_width>
struct alignas(vector_width * sizeof(T)) Vector {
  T at[vector_width];

  friend KOKKOS_FORCEINLINE_FUNCTION Vector relax(const Vector& c, T a, const Vector& b) {
    Vector result;
    BLOCKFW_UNROLL
    for (int l = 0; l < vector_width; ++l) {
      const T sum = a + b.at[l];
      result.at[l] = sum < c.at[l] ? sum : c.at[l];
    }
    return result;
  }
};

/// The same on a host, in a vector register.
template <int bytes>
struct HostVector {
  using V = bench::simd<T, bytes / static_cast<int>(sizeof(T))>;
  V v;

  friend KOKKOS_FORCEINLINE_FUNCTION HostVector relax(const HostVector& c, T a, const HostVector& b) {
    return {blockfw::MinPlus<T>::relax(c.v, bench::broadcast<V>(a), b.v)};
  }
};

/// The parameters of a step.
struct Step {
  int block;
  int rows, cols;        ///< entries a thread
  bool vectors = false;  ///< whether a thread's columns are contiguous, in vectors, and A is transposed
  int unrolled = 1;      ///< pivots
  int padding = 0;       ///< additional entries in each row of scratch
};

/// Tiles in scratch: phases 1, 2 and 3 of each round, a launch each.
template <Step step>
class Tiles {
  static constexpr int block = step.block, rows = step.rows, cols = step.cols;
  static constexpr int threads_down = block / rows, threads_across = block / cols,
                       threads = threads_down * threads_across;
  static constexpr int vector_width = !step.vectors ? 1 : on_host ? bench::vector_bytes / 4 : 4;
  static constexpr int vectors = cols / vector_width, width = block + step.padding;
  static_assert(cols % vector_width == 0 && width % vector_width == 0);
  using V = std::conditional_t<step.vectors && on_host, HostVector<vector_width * 4>, Vector<vector_width>>;

 public:
  using Policy = Kokkos::TeamPolicy<Exec, Kokkos::LaunchBounds<threads, 1>, Kokkos::IndexType<int>>;
  using Member = typename Policy::member_type;

 private:
  // (On a host, level 0 is too small.)
  static constexpr int scratch_level = on_host ? 1 : 0,
                       scratch_bytes = 2 * block * width * static_cast<int>(sizeof(T)) + 64;

  /// Both operands' tiles, side by side.
  struct Scratch {
    T *a, *b;

    explicit KOKKOS_FORCEINLINE_FUNCTION Scratch(const Member& team) {
      const int level = scratch_level, alignment = 64;
      a = static_cast<T*>(team.team_scratch(level).get_shmem_aligned(scratch_bytes - 64, alignment));
      b = a + block * width;
    }
    KOKKOS_FORCEINLINE_FUNCTION T& left(int i, int k) const {
      return step.vectors ? a[k * width + i] : a[i * width + k];
    }
    KOKKOS_FORCEINLINE_FUNCTION T& right(int k, int j) const { return b[k * width + j]; }
  };

  /// The places of a thread's entries: rows and columns at a stride, or whole vectors. (A host's team is one thread.)
  static KOKKOS_FORCEINLINE_FUNCTION int row(int thread, int r) {
    const int own = thread / threads_across;
    return on_host                         ? own * rows + r
           : step.vectors && rows % 4 == 0 ? (r / 4 * threads_down + own) * 4 + r % 4
                                           : r * threads_down + own;
  }
  static KOKKOS_FORCEINLINE_FUNCTION int column(int thread, int v) {
    const int own = thread % threads_across;
    return on_host ? (own * vectors + v) * vector_width : (v * threads_across + own) * vector_width;
  }

  /// The team passes each entry of the tile at (i, j) to to(row, column).
  template <class To>
  static KOKKOS_FORCEINLINE_FUNCTION void load(const Member& team, const Matrix<T>& d, std::int64_t i, std::int64_t j,
                                               const To& to) {
    constexpr int across = block / vector_width;
    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, block * across), [&](int e) {
      const int r = e / across, c = e % across * vector_width;
      const V vector = *reinterpret_cast<const V*>(&d(i + r, j + c));
      const T* const entries = reinterpret_cast<const T*>(&vector);
      BLOCKFW_UNROLL
      for (int l = 0; l < vector_width; ++l) to(r, c + l) = entries[l];
    });
  }

  /// A thread's entries through `unrolled` pivots.
  static KOKKOS_FORCEINLINE_FUNCTION void relax_pivots(const Scratch& scratch, int thread, int k0,
                                                       V (&c)[rows][vectors]) {
    BLOCKFW_UNROLL
    for (int u = 0; u < step.unrolled; ++u) {
      const int k = k0 + u;
      T a[rows];
      V b[vectors];
      BLOCKFW_UNROLL
      for (int r = 0; r < rows; ++r) a[r] = scratch.left(row(thread, r), k);
      BLOCKFW_UNROLL
      for (int v = 0; v < vectors; ++v) b[v] = reinterpret_cast<const V&>(scratch.right(k, column(thread, v)));
      BLOCKFW_UNROLL
      for (int r = 0; r < rows; ++r) BLOCKFW_UNROLL
      for (int v = 0; v < vectors; ++v) c[r][v] = relax(c[r][v], a[r], b[v]);
    }
  }

 public:
  static auto teams(const Exec& exec, int league) {
    return Policy(exec, league, on_host ? 1 : threads).set_scratch_size(scratch_level, Kokkos::PerTeam(scratch_bytes));
  }

  /// Relaxes tile (i, j) with tiles (i, k) and (k, j). It may be one of these: both are read first.
  static KOKKOS_FORCEINLINE_FUNCTION void relax_tile(const Member& team, const Matrix<T>& d, int i, int j, int k) {
    const Scratch scratch(team);
    const std::int64_t i0 = std::int64_t{i} * block, j0 = std::int64_t{j} * block, k0 = std::int64_t{k} * block;
    load(team, d, i0, k0, [&](int r, int c) -> T& { return scratch.left(r, c); });
    load(team, d, k0, j0, [&](int r, int c) -> T& { return scratch.right(r, c); });
    team.team_barrier();
    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, threads), [&](int thread) {
      V c[rows][vectors];
      const auto there = [&](int r, int v) -> V& {
        return reinterpret_cast<V&>(d(i0 + row(thread, r), j0 + column(thread, v)));
      };
      BLOCKFW_UNROLL
      for (int r = 0; r < rows; ++r) BLOCKFW_UNROLL
      for (int v = 0; v < vectors; ++v) c[r][v] = there(r, v);
      BLOCKFW_NO_UNROLL
      for (int p = 0; p < block; p += step.unrolled) relax_pivots(scratch, thread, p, c);
      BLOCKFW_UNROLL
      for (int r = 0; r < rows; ++r) BLOCKFW_UNROLL
      for (int v = 0; v < vectors; ++v) there(r, v) = c[r][v];
    });
  }

  /// Floyd-Warshall inside the pivot's tile, a barrier a pivot.
  static KOKKOS_FORCEINLINE_FUNCTION void close_tile(const Member& team, const Matrix<T>& d, int k) {
    const Scratch scratch(team);
    const std::int64_t k0 = std::int64_t{k} * block;
    const auto entry = [&](int r, int c) -> T& { return scratch.right(r, c); };
    load(team, d, k0, k0, entry);
    team.team_barrier();
    for (int p = 0; p < block; ++p) {
      Kokkos::parallel_for(Kokkos::TeamThreadRange(team, block * block), [&](int e) {
        const int r = e / block, c = e % block;
        const T sum = entry(r, p) + entry(p, c);
        if (sum < entry(r, c)) entry(r, c) = sum;
      });
      team.team_barrier();
    }
    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, block * block),
                         [&](int e) { d(k0 + e / block, k0 + e % block) = entry(e / block, e % block); });
  }

  static void solve(const Exec& exec, const Padded& padded) {
    const Matrix<T> d = padded.d;
    const int tiles = d.extent_int(0) / block, others = tiles - 1;
    for (int k = 0; k < tiles; ++k) {
      Kokkos::parallel_for("phase1", teams(exec, 1), KOKKOS_LAMBDA(const Member& team) { close_tile(team, d, k); });
      if (others == 0) continue;
      Kokkos::parallel_for(
          "phase2", teams(exec, 2 * others), KOKKOS_LAMBDA(const Member& team) {
            const int rank = team.league_rank(), t = rank % others, other = t + (t >= k);
            if (rank < others)
              relax_tile(team, d, k, other, k);
            else
              relax_tile(team, d, other, k, k);
          });
      Kokkos::parallel_for(
          "phase3", teams(exec, others * others), KOKKOS_LAMBDA(const Member& team) {
            const int i = team.league_rank() / others, j = team.league_rank() % others;
            relax_tile(team, d, i + (i >= k), j + (j >= k), k);
          });
    }
  }
};

}  // namespace ladder

namespace {

using bench::Exec, bench::Plan;
using ladder::Padded, ladder::Step, ladder::Tiles, ladder::T;

/// The graph, padded so that all blocks divide its order.
Padded padded_graph(std::int64_t n) {
  constexpr std::int64_t whole = 64;
  const Exec exec;
  const auto weights = bench::kept_random_graph<T>(n);
  const auto d = blockfw::allocate_distances<T>(exec, (n + whole - 1) / whole * whole);
  Kokkos::deep_copy(exec, d, blockfw::infinity<T>);
  const auto all = std::make_pair(std::int64_t{0}, n);
  Kokkos::deep_copy(exec, Kokkos::subview(d, all, all), weights);
  exec.fence();
  return {d, n};
}

auto graph_of(const Padded& padded) {
  const auto all = std::make_pair(std::int64_t{0}, padded.n);
  return Kokkos::subview(padded.d, all, all);
}

std::uint64_t right_checksum(std::int64_t n) {
  static std::map<std::int64_t, std::uint64_t> known;
  if (!known.contains(n)) {
    const auto d = bench::random_graph<T>(n);
    blockfw::blocked_floyd_warshall(Exec{}, d);
    known[n] = bench::checksum(Exec{}, d);
  }
  return known[n];
}

template <class Solve>
void run(benchmark::State& state, std::int64_t n, const Solve& solve) {
  const Exec exec;
  const Padded weights = padded_graph(n), padded{blockfw::allocate_distances<T>(exec, weights.d.extent_int(0)), n};
  bench::measure(state, exec, [&] { Kokkos::deep_copy(exec, padded.d, weights.d); }, [&] { solve(exec, padded); });
  bench::count_relaxes<T>(state, bench::relaxes(n));
  if (bench::checksum(exec, graph_of(padded)) != right_checksum(n)) state.SkipWithError("wrong distances");
}

template <class Solve>
void add_step(const std::string& step, std::int64_t n, const Solve& solve) {
  bench::add("ladder/step:" + step, {{"n", n}}, [=](benchmark::State& state) { run(state, n, solve); });
}

template <bool of_rows>
void by_textbook(const Exec& exec, const Padded& padded) {
  bench::textbook<of_rows>(exec, padded.d, padded.n);
}

void solve_without_look_ahead(const Exec& exec, const Padded& padded) {
  bench::run_phases<blockfw::default_tile<Exec, T>, T>(exec, blockfw::matrix_ref<Exec>(graph_of(padded)),
                                                       [](std::size_t) {});
}

}  // namespace

void bench::add_ladder(Plan plan) {
  const auto orders =
      on_host ? of<std::int64_t>(plan, {1200}, {1500}, {2000}) : of<std::int64_t>(plan, {3200}, {5000}, {5000, 10000});
  // A host keeps 8 x 2 vectors of C in its registers; a device uses fewer, which leaves registers for more threads.
  constexpr int rows = on_host ? 8 : 4, cols = on_host ? 2 * bench::vector_bytes / 4 : 4;
  for (const std::int64_t n : orders) {
    if (!on_host) add_step("textbook", n, by_textbook<false>);
    add_step(on_host ? "loops" : "coalesced", n, by_textbook<true>);
    add_step("scratch", n, Tiles<Step{32, 1, 1}>::solve);
    add_step("larger", n, Tiles<Step{64, 4, 1}>::solve);
    add_step("registers", n, Tiles<Step{64, rows, cols}>::solve);
    add_step("vectors", n, Tiles<Step{64, rows, cols, true}>::solve);
    add_step("unrolled", n, Tiles<Step{64, rows, cols, true, 8}>::solve);
    add_step("padded", n, Tiles<Step{64, rows, cols, true, 8, cols}>::solve);
    add_step("panels", n, solve_without_look_ahead);
    add_step("look-ahead", n,
             [](const Exec& exec, const Padded& padded) { blockfw::blocked_floyd_warshall(exec, graph_of(padded)); });
    add_step("narrow", n, [](const Exec& exec, const Padded& padded) {
      blockfw::solve_distances(exec, graph_of(padded), blockfw::WeightRange<T>{1, 100});
    });
  }
  // The courses' naive kernel, at the orders of the programs that benchmarks/peers.py runs.
  if constexpr (!on_host)
    for (const std::int64_t n : of<std::int64_t>(plan, {500}, {2000}, {3000}))
      bench::add("naive", {{"n", n}}, [n](benchmark::State& state) { run(state, n, by_textbook<true>); });
}
