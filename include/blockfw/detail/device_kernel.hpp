/// \file
/// \brief The two tile operations on a device: a team of threads holds a tile of C in its registers.
///
/// Each thread owns a register tile; the pivots of a round stream past through the team's scratch pad, a few at a time,
/// copied from packed panels while the team works on the ones before. (The scheme of CUTLASS and of Volkov and Demmel,
/// "Benchmarking GPUs to tune dense linear algebra", SC 2008; here over a semiring.)
#pragma once

#include "blockfw/detail/device.hpp"
#include "blockfw/detail/pieces.hpp"
#include "blockfw/detail/runs.hpp"
#include "blockfw/detail/unroll.hpp"
#include "blockfw/detail/workspace.hpp"
#include "blockfw/matrix.hpp"
#include "blockfw/semiring.hpp"
#include "blockfw/tile.hpp"

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <utility>

namespace blockfw::detail {

template <class TileShape, class ExecSpace, class Semiring>
class DeviceKernel {
  using T = typename Semiring::value_type;
  using Ref = MatrixRef<T, ExecSpace>;

 public:
  static constexpr int block = TileShape::block;

 private:
  static constexpr int vector_bytes = 16;  // the longest access of one thread
  static constexpr int vector = vector_bytes / static_cast<int>(sizeof(T));

  // 64 registers of C on a large tile, 16 on a small one, whose round must be over soon.
  static constexpr int wanted = block > 64 && sizeof(T) <= 4 ? 8 : 4;
  static constexpr int rows = TileShape::register_rows > 0 ? TileShape::register_rows : wanted;
  static constexpr int cols = TileShape::register_cols > 0 ? TileShape::register_cols : wanted;
  static_assert((TileShape::register_rows == 0 || block % rows == 0) &&
                    (TileShape::register_cols == 0 || block % cols == 0),
                "blockfw: the register tile must divide the block");

  static constexpr int width = sizeof(T) == 2 && cols % 2 == 0 ? 2 : 1;
  using V = Lanes<T, width>;

  /// The tile with its padding: whole register tiles, whole vectors.
  static constexpr int multiple = std::lcm(std::lcm(rows, cols), vector);
  static constexpr int side = (block + multiple - 1) / multiple * multiple;
  static constexpr int thread_rows = side / rows, thread_cols = side / cols;

  // A thread's rows (columns) come in groups of neighbours that make one vector, all threads' first groups before
  // anyone's second: neighbouring threads read neighbouring vectors.
  static constexpr int row_group = std::gcd(rows, vector_bytes / static_cast<int>(sizeof(V)));
  static constexpr int col_group = std::gcd(cols, vector);
  static constexpr int row_groups = rows / row_group, col_groups = cols / col_group;
  static constexpr int vs = cols / width;             // V's in a row of the register tile
  static constexpr int group_vs = col_group / width;  // and in one of its groups
  using RowGroup = Pack<V, row_group>;
  using ColGroup = Pack<V, group_vs>;

  static constexpr int depth = std::gcd(side, 16);  // pivots in scratch at a time
  static constexpr int stages = 2;                  // such chunks: one in use, one on its way
  static constexpr int unrolled = std::gcd(depth, 8);
  static constexpr int step = std::gcd(depth, 4);  // pivots close() takes at a time
  static constexpr std::size_t left_bytes = sizeof(V) * stages * depth * side;
  static constexpr std::size_t right_bytes = sizeof(T) * stages * depth * side;

 public:
  static constexpr int team_size = thread_rows * thread_cols;
  static_assert(team_size <= 1024, "blockfw: the tile needs more than 1024 threads; name a larger register tile");
  static constexpr int scratch_level = 0;
  static constexpr std::size_t scratch_bytes = left_bytes + right_bytes + 2 * vector_bytes;
  static constexpr Ahead ahead = Ahead::panels;

 private:
  /// Teams that a multiprocessor shall hold at once; bounds the registers of a thread.
  static constexpr int resident =
      std::clamp(65536 / (team_size * (rows * cols * int(sizeof(T)) > 128 ? 128 : 64)), 1, 8);

 public:
  using Policy = Kokkos::TeamPolicy<ExecSpace, Kokkos::LaunchBounds<team_size, resident>, Kokkos::IndexType<int>>;

  static int teams_at_once(const ExecSpace& exec) { return exec.concurrency() / 2048 * resident; }
  static int longest_run(const ExecSpace&, int, int) { return block; }

  /// Entry k of row i at at[k · stride + i].
  struct Left {
    V* at;
    int stride;
  };
  /// Entry k of column j at at[k · stride + j].
  struct Right {
    T* at;
    int stride;
  };

  /// \brief The panels of one round, packed: a tile's rows (columns) next to each other, each tile padded to `side`
  /// with no path.
  struct Panels {
    V* left_at;
    T* right_at;
    V* left_pivot_at;
    T* right_pivot_at;
    std::int64_t* closed;  ///< 2 · ticket once the pivot is closed, one more if it holds a negative cycle
    std::int64_t ticket;   ///< differs from round to round
    int left_stride, right_stride;
    int pivots;

    KOKKOS_FORCEINLINE_FUNCTION Left left(const Runs::Run& i) const { return {left_at + i.slot * side, left_stride}; }
    KOKKOS_FORCEINLINE_FUNCTION Right right(const Runs::Run& j) const {
      return {right_at + j.slot * side, right_stride};
    }
    KOKKOS_FORCEINLINE_FUNCTION Left left_pivot() const { return {left_pivot_at, side}; }
    KOKKOS_FORCEINLINE_FUNCTION Right right_pivot() const { return {right_pivot_at, side}; }

    // (Kokkos::atomic_load adds 0, one thread after the other.)
    KOKKOS_FORCEINLINE_FUNCTION std::int64_t state() const {
      return *static_cast<const volatile std::int64_t*>(closed);
    }
    KOKKOS_FORCEINLINE_FUNCTION bool diverges() const { return state() == 2 * ticket + 1; }

    /// All the team has written before is seen by those that wait.
    template <class Team>
    KOKKOS_FORCEINLINE_FUNCTION void announce(const Team& team, bool diverging) const {
      Kokkos::memory_fence();
      team.member.team_barrier();
      if (team.member.team_rank() == 0) Kokkos::atomic_store(closed, 2 * ticket + diverging);
    }
    template <class Team>
    KOKKOS_FORCEINLINE_FUNCTION void wait(const Team& team) const {
      if (team.member.team_rank() == 0)
        while (state() / 2 != ticket) {
        }
      team.member.team_barrier();
      Kokkos::memory_fence();
    }
  };

  /// \brief Where the panels of a driver's rounds are: in memory of their own, enough for two rounds, since those of
  /// the next are made while this one's are in use.
  class PanelStorage {
   public:
    /// \param rounds  how often panels() will be called at most
    PanelStorage(const ExecSpace& exec, std::int64_t height, std::int64_t width, std::int64_t rounds)
        : down_(tiles(height)), across_(tiles(width)), ticket_(take_tickets(rounds)) {
      memory_ = workspace(exec, static_cast<std::size_t>(2 * (flag_bytes + round_bytes())));
    }

    Panels panels(const Ref&, int, int, int pivots) {
      const std::int64_t ticket = ticket_++, parity = ticket % 2;
      std::byte* at = memory_.data() + 2 * flag_bytes + parity * round_bytes();
      const auto take = [&at](std::int64_t bytes) { return std::exchange(at, at + bytes); };
      Panels p;
      p.left_at = reinterpret_cast<V*>(take(down_ * left_tile));
      p.left_pivot_at = reinterpret_cast<V*>(take(left_tile));
      p.right_at = reinterpret_cast<T*>(take(across_ * right_tile));
      p.right_pivot_at = reinterpret_cast<T*>(take(right_tile));
      p.left_stride = static_cast<int>(down_ * side);
      p.right_stride = static_cast<int>(across_ * side);
      p.pivots = pivots;
      p.ticket = ticket;
      p.closed = reinterpret_cast<std::int64_t*>(memory_.data() + parity * flag_bytes);
      return p;
    }

   private:
    static constexpr std::int64_t left_tile = sizeof(V) * side * side, right_tile = sizeof(T) * side * side;
    static constexpr std::int64_t flag_bytes = 128;  // a cache line each

    /// Runs on both sides of a pivot anywhere, and the pivot.
    static std::int64_t tiles(std::int64_t extent) { return (extent + block - 1) / block + 2; }
    std::int64_t round_bytes() const { return (down_ + 1) * left_tile + (across_ + 1) * right_tile; }

    std::int64_t down_, across_, ticket_;
    Kokkos::View<std::byte*, typename ExecSpace::memory_space> memory_;
  };

  /// Takes the team's scratch pad.
  template <class Member>
  class Team {
   public:
    explicit KOKKOS_FORCEINLINE_FUNCTION Team(const Member& team)
        : member(team),
          left(static_cast<V*>(scratch(team, left_bytes))),
          right(static_cast<T*>(scratch(team, right_bytes))) {}
    const Member& member;
    V* const left;
    T* const right;

   private:
    static KOKKOS_FORCEINLINE_FUNCTION void* scratch(const Member& team, std::size_t bytes) {
      const int level = scratch_level, alignment = vector_bytes;
      return team.team_scratch(level).get_shmem_aligned(bytes, alignment);
    }
  };

  /// Takes the tile C, at most block x block, into registers; what it lacks is no path.
  template <class Member>
  KOKKOS_FORCEINLINE_FUNCTION DeviceKernel(const Team<Member>& team, const Ref& c)
      : rank_(team.member.team_rank()),
        left_(team.left),
        right_(team.right),
        c_(c.data()),
        row_stride_(static_cast<int>(c.stride(0))),
        col_stride_(static_cast<int>(c.stride(1))),
        height_(static_cast<int>(c.extent(0))),
        width_(static_cast<int>(c.extent(1))) {
    constexpr std::size_t whole = sizeof(ColGroup);
    vectors_ = height_ == side && width_ == side && col_stride_ == 1 &&
               reinterpret_cast<std::uintptr_t>(c_) % whole == 0 && row_stride_ * sizeof(T) % whole == 0;
    load();
  }

  KOKKOS_FORCEINLINE_FUNCTION void load() {
    if (vectors_) {
      for_each_group([&](int i, int j, V* own) {
        const ColGroup group = *reinterpret_cast<const ColGroup*>(c_ + i * row_stride_ + j);
        BLOCKFW_UNROLL
        for (int v = 0; v < group_vs; ++v) own[v] = group.at[v];
      });
    } else {
      for_each_entry([&](int i, int j, V& own, int w) {
        set_lane(own, w, i < height_ && j < width_ ? c_[i * row_stride_ + j * col_stride_] : Semiring::zero());
      });
    }
  }

  KOKKOS_FORCEINLINE_FUNCTION void write_back() {
    if (vectors_) {
      for_each_group([&](int i, int j, const V* own) {
        ColGroup group;
        BLOCKFW_UNROLL
        for (int v = 0; v < group_vs; ++v) group.at[v] = own[v];
        *reinterpret_cast<ColGroup*>(c_ + i * row_stride_ + j) = group;
      });
    } else {
      for_each_entry([&](int i, int j, V own, int w) {
        if (i < height_ && j < width_) c_[i * row_stride_ + j * col_stride_] = get_lane<T>(own, w);
      });
    }
  }

  /// C ← C ⊕ (A ⊗ B), unless the pivot holds a negative cycle.
  template <class Member>
  KOKKOS_FORCEINLINE_FUNCTION void relax(const Team<Member>& team, const Panels& panels, Left a, Right b) {
    int chunks = (panels.pivots + depth - 1) / depth;
    Source<V> left(a.at, a.stride, rank_);
    Source<T> right(b.at, b.stride, rank_);
    const auto fetch = [&](int chunk) {
      left.fetch(left_ + chunk % stages * (depth * side), rank_);
      right.fetch(right_ + chunk % stages * (depth * side), rank_);
    };
    BLOCKFW_UNROLL
    for (int chunk = 0; chunk < stages - 1; ++chunk) {
      if (chunk < chunks) fetch(chunk);
      end_copies();
    }
    if (panels.diverges()) chunks = 0;
    for (int chunk = 0; chunk < chunks; ++chunk) {
      wait_for_copies<stages - 2>();
      team.member.team_barrier();  // the chunk is there, and nobody reads the one before any more
      if (chunk + stages - 1 < chunks) fetch(chunk + stages - 1);
      end_copies();
      const V* const left_stage = left_ + chunk % stages * (depth * side);
      const T* const right_stage = right_ + chunk % stages * (depth * side);
      BLOCKFW_NO_UNROLL
      for (int k = 0; k < depth; k += unrolled) relax_pivots<unrolled>(left_stage + k * side, right_stage + k * side);
    }
    wait_for_copies<0>();
    team.member.team_barrier();
  }

  /// Floyd-Warshall inside the tile. Stops before the first pivot that lies on a negative cycle.
  ///
  /// A step over a few pivots at a time: first their own rows over all columns, a column a thread; then every other row
  /// takes them together. Its old entries in the pivots' columns are enough, since the pivots' rows already hold all
  /// paths among the pivots.
  ///
  /// \return whether it stopped
  template <class Member>
  KOKKOS_FORCEINLINE_FUNCTION bool close(const Team<Member>& team) {
    bool stopped = false;
    for (int k0 = 0; k0 < height_ && !stopped; k0 += step) {
      write_step(k0);
      team.member.team_barrier();
      const int taken = close_step(k0);
      team.member.team_barrier();
      stopped = taken < step;
      if (!stopped)
        relax_pivots<step>(left_, closed_step());
      else
        for (int k = 0; k < taken; ++k) relax_pivots<1>(left_ + k * side, closed_step() + k * side);
      read_step(k0);
      team.member.team_barrier();
    }
    return stopped;
  }

  // What lies beyond the edges of C is published too: rows and columns of a vertex that no edge reaches.

  /// To where B is read from.
  KOKKOS_FORCEINLINE_FUNCTION void publish(Right to) const {
    for_each_group([&](int i, int j, const V* own) {
      ColGroup group;
      BLOCKFW_UNROLL
      for (int v = 0; v < group_vs; ++v) group.at[v] = own[v];
      *reinterpret_cast<ColGroup*>(to.at + i * to.stride + j) = group;
    });
  }

  /// To where A is read from.
  KOKKOS_FORCEINLINE_FUNCTION void publish(Left to) const {
    const Place own = place();
    BLOCKFW_UNROLL
    for (int c = 0; c < cols; ++c) BLOCKFW_UNROLL
    for (int g = 0; g < row_groups; ++g) {
      RowGroup group;
      BLOCKFW_UNROLL
      for (int e = 0; e < row_group; ++e) group.at[e] = spread<V>(entry(g * row_group + e, c));
      *reinterpret_cast<RowGroup*>(to.at + own.col(c) * to.stride + own.row(g * row_group)) = group;
    }
  }

 private:
  /// Which of the tile's entries are this thread's.
  struct Place {
    int thread_row, thread_col;

    // Threads that work in step form a rectangle, so that they share what they read.
    explicit KOKKOS_FORCEINLINE_FUNCTION Place(int rank) {
      if constexpr (thread_rows % 4 == 0 && thread_cols % 8 == 0) {
        const int rectangle = rank / 32, in = rank % 32;
        thread_row = rectangle / (thread_cols / 8) * 4 + in / 8;
        thread_col = rectangle % (thread_cols / 8) * 8 + in % 8;
      } else {
        thread_row = rank / thread_cols;
        thread_col = rank % thread_cols;
      }
    }
    KOKKOS_FORCEINLINE_FUNCTION int row(int r) const {
      return (r / row_group * thread_rows + thread_row) * row_group + r % row_group;
    }
    KOKKOS_FORCEINLINE_FUNCTION int col(int c) const {
      return (c / col_group * thread_cols + thread_col) * col_group + c % col_group;
    }
  };
  KOKKOS_FORCEINLINE_FUNCTION Place place() const { return Place(forgotten(rank_)); }
  KOKKOS_FORCEINLINE_FUNCTION T entry(int r, int c) const { return get_lane<T>(acc_[r][c / width], c % width); }

  /// f(row, column, values) for each group of neighbours that this thread holds.
  template <class F>
  KOKKOS_FORCEINLINE_FUNCTION void for_each_group(const F& f) {
    const Place own = place();
    BLOCKFW_UNROLL
    for (int r = 0; r < rows; ++r) BLOCKFW_UNROLL
    for (int g = 0; g < col_groups; ++g) f(own.row(r), own.col(g * col_group), &acc_[r][g * group_vs]);
  }
  template <class F>
  KOKKOS_FORCEINLINE_FUNCTION void for_each_group(const F& f) const {
    const Place own = place();
    BLOCKFW_UNROLL
    for (int r = 0; r < rows; ++r) BLOCKFW_UNROLL
    for (int g = 0; g < col_groups; ++g) f(own.row(r), own.col(g * col_group), &acc_[r][g * group_vs]);
  }

  /// f(row, column, value, its lane) for each entry that this thread holds.
  template <class F>
  KOKKOS_FORCEINLINE_FUNCTION void for_each_entry(const F& f) {
    BLOCKFW_UNROLL
    for (int r = 0; r < rows; ++r) {
      const Place own = place();
      BLOCKFW_UNROLL
      for (int c = 0; c < cols; ++c) f(own.row(r), own.col(c), acc_[r][c / width], c % width);
    }
  }

  /// What one thread copies of an operand, chunk after chunk.
  template <class E>
  struct Source {
    static constexpr int in_vector = vector_bytes / sizeof(E), in_row = side / in_vector, all = depth * in_row;

    KOKKOS_FORCEINLINE_FUNCTION Source(const E* from, int operand_stride, int rank)
        : at(from + rank / in_row * operand_stride + rank % in_row * in_vector), stride(operand_stride) {}

    /// The next chunk.
    KOKKOS_FORCEINLINE_FUNCTION void fetch(E* to, int rank) {
      if constexpr (team_size % in_row == 0) {
        constexpr int at_once = team_size / in_row;  // rows
        BLOCKFW_UNROLL
        for (int k = 0; k < depth; k += at_once)
          if (at_once <= depth || rank < all) copy_to_scratch(to + rank * in_vector + k * side, at + k * stride);
      } else {
        for (int p = rank; p < all; p += team_size)
          copy_to_scratch(to + p * in_vector,
                          at + (p / in_row - rank / in_row) * stride + (p % in_row - rank % in_row) * in_vector);
      }
      at += depth * stride;
    }

    const E* at;
    int stride;
  };

  /// The micro-kernel: the register tile against so many pivots in scratch.
  template <int Pivots>
  KOKKOS_FORCEINLINE_FUNCTION void relax_pivots(const V* left, const T* right) {
    const Place own(rank_);
    BLOCKFW_UNROLL
    for (int k = 0; k < Pivots; ++k) {
      RowGroup a[row_groups];
      ColGroup b[col_groups];
      BLOCKFW_UNROLL
      for (int g = 0; g < row_groups; ++g)
        a[g] = *reinterpret_cast<const RowGroup*>(left + k * side + own.row(g * row_group));
      BLOCKFW_UNROLL
      for (int g = 0; g < col_groups; ++g)
        b[g] = *reinterpret_cast<const ColGroup*>(right + k * side + own.col(g * col_group));
      BLOCKFW_UNROLL
      for (int r = 0; r < rows; ++r) BLOCKFW_UNROLL
      for (int v = 0; v < vs; ++v)
        acc_[r][v] =
            relax_lanes<Semiring>(acc_[r][v], a[r / row_group].at[r % row_group], b[v / group_vs].at[v % group_vs]);
    }
  }

  /// Where close() keeps the closed rows of a step: behind the open ones.
  KOKKOS_FORCEINLINE_FUNCTION T* closed_step() const { return right_ + depth * side; }

  /// The rows and the columns of a step's pivots, for all to read.
  KOKKOS_FORCEINLINE_FUNCTION void write_step(int k0) const {
    const Place own = place();
    BLOCKFW_UNROLL
    for (int r = 0; r < rows; ++r) {
      const int k = own.row(r) - k0;
      if (k < 0 || k >= step) continue;
      BLOCKFW_UNROLL
      for (int g = 0; g < col_groups; ++g) {
        ColGroup group;
        BLOCKFW_UNROLL
        for (int v = 0; v < group_vs; ++v) group.at[v] = acc_[r][g * group_vs + v];
        *reinterpret_cast<ColGroup*>(right_ + k * side + own.col(g * col_group)) = group;
      }
    }
    BLOCKFW_UNROLL
    for (int c = 0; c < cols; ++c) {
      const int k = own.col(c) - k0;
      if (k < 0 || k >= step) continue;
      BLOCKFW_UNROLL
      for (int r = 0; r < rows; ++r) left_[k * side + own.row(r)] = spread<V>(entry(r, c));
    }
  }

  /// A step's rows through its pivots, one after the other, a column a thread; each thread repeats what happens to the
  /// pivots' own columns.
  /// \return how many pivots were taken, fewer than a step if one lies on a negative cycle
  KOKKOS_FORCEINLINE_FUNCTION int close_step(int k0) const {
    int taken = 0;
    T own[step][step];
    BLOCKFW_UNROLL
    for (int i = 0; i < step; ++i) BLOCKFW_UNROLL
    for (int k = 0; k < step; ++k) own[i][k] = right_[i * side + k0 + k];
    BLOCKFW_UNROLL
    for (int k = 0; k < step; ++k) {
      if (taken < k || Semiring::diverges(own[k][k])) continue;
      taken = k + 1;
      BLOCKFW_UNROLL
      for (int i = 0; i < step; ++i) BLOCKFW_UNROLL
      for (int l = k + 1; l < step; ++l)
        if (i != k) own[i][l] = Semiring::relax(own[i][l], own[i][k], own[k][l]);
    }
    for (int j = rank_; j < side; j += team_size) {
      T row[step];
      BLOCKFW_UNROLL
      for (int i = 0; i < step; ++i) row[i] = right_[i * side + j];
      BLOCKFW_UNROLL
      for (int k = 0; k < step; ++k) {
        if (k >= taken) continue;
        BLOCKFW_UNROLL
        for (int i = 0; i < step; ++i)
          if (i != k) row[i] = Semiring::relax(row[i], own[i][k], row[k]);
      }
      BLOCKFW_UNROLL
      for (int i = 0; i < step; ++i) closed_step()[i * side + j] = row[i];
    }
    return taken;
  }

  /// A step's rows back to the threads that hold them.
  KOKKOS_FORCEINLINE_FUNCTION void read_step(int k0) {
    const Place own = place();
    BLOCKFW_UNROLL
    for (int r = 0; r < rows; ++r) {
      const int k = own.row(r) - k0;
      if (k < 0 || k >= step) continue;
      BLOCKFW_UNROLL
      for (int g = 0; g < col_groups; ++g) {
        const ColGroup group = *reinterpret_cast<const ColGroup*>(closed_step() + k * side + own.col(g * col_group));
        BLOCKFW_UNROLL
        for (int v = 0; v < group_vs; ++v) acc_[r][g * group_vs + v] = group.at[v];
      }
    }
  }

  V acc_[rows][vs];
  int rank_;
  V* left_;
  T* right_;
  T* c_;
  int row_stride_, col_stride_;
  int height_, width_;
  bool vectors_;  ///< whether C is whole and can be read and written as vectors
};

}  // namespace blockfw::detail
