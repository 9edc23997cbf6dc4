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
#include "blockfw/error.hpp"
#include "blockfw/matrix.hpp"
#include "blockfw/semiring.hpp"
#include "blockfw/tile.hpp"

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <string>
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
  static constexpr int usual = block >= 64 && sizeof(T) <= 4 ? 8 : 4;
  static constexpr int rows = TileShape::register_rows > 0 ? TileShape::register_rows : usual;
  static constexpr int cols = TileShape::register_cols > 0 ? TileShape::register_cols : usual;
  static_assert((TileShape::register_rows == 0 || block % rows == 0) &&
                    (TileShape::register_cols == 0 || block % cols == 0),
                "blockfw: the register tile must divide the block");

  static constexpr int lanes = sizeof(T) == 2 && cols % 2 == 0 ? 2 : 1;
  using V = Lanes<T, lanes>;

  /// The tile with its padding: whole register tiles, whole vectors.
  static constexpr int multiple = std::lcm(std::lcm(rows, cols), vector);
  static constexpr int side = (block + multiple - 1) / multiple * multiple;
  static constexpr int thread_rows = side / rows, thread_cols = side / cols;

  // A thread's rows (columns) come in groups of neighbours that make one vector, all threads' first groups before
  // anyone's second: neighbouring threads read neighbouring vectors.
  static constexpr int row_group = std::gcd(rows, std::min(4, vector_bytes / static_cast<int>(sizeof(V))));
  static constexpr int col_group = std::gcd(cols, vector);
  static constexpr int row_groups = rows / row_group, col_groups = cols / col_group;
  static constexpr int vs = cols / lanes;             // V's in a row of the register tile
  static constexpr int group_vs = col_group / lanes;  // and in one of its groups
  using RowGroup = Pack<V, row_group>;
  using ColGroup = Pack<V, group_vs>;

  static constexpr int stages = 2;   // chunks of pivots in scratch: one in use, one on its way
  static constexpr int depth = [] {  // and pivots in a chunk, as many as a team of Kokkos for CUDA may have scratch for
    int pivots = std::gcd(side, 16);
    while (pivots > 1 && 2 * stages * pivots * side * sizeof(T) > 47 * 1024) pivots /= 2;
    return pivots;
  }();
  static constexpr int block_chunks = (block + depth - 1) / depth;
  static constexpr int unrolled = std::gcd(depth, 8);
  static constexpr int step = std::gcd(depth, 4);  // pivots close() takes at a time
  static_assert(step % row_group == 0, "blockfw: so large a block needs a register tile of fewer rows");
  // Scratch: the chunks of both operands, or two steps' columns and open and closed rows.
  static constexpr std::size_t left_bytes = sizeof(V) * side * std::max(stages * depth, 2 * step);
  static constexpr std::size_t right_bytes = sizeof(T) * side * std::max(stages * depth, 4 * step);

 public:
  static constexpr int team_size = thread_rows * thread_cols;
  static_assert(team_size <= 1024, "blockfw: the tile needs more than 1024 threads; name a larger register tile");
  static constexpr int scratch_level = 0;
  static constexpr std::size_t scratch_bytes = left_bytes + right_bytes + vector_bytes;
  static constexpr Ahead ahead = Ahead::panels;

  /// How many rounds of a matrix of so many tiles a side one launch does.
  static constexpr int rounds_at_once(std::int64_t tiles) {
    return static_cast<int>(std::max<std::int64_t>(1, (1 << 30) / std::max<std::int64_t>(1, tiles * (tiles + 2))));
  }

 private:
  static constexpr int left_tile = sizeof(V) * side * side, right_tile = sizeof(T) * side * side;  // bytes
  static constexpr std::size_t flag_bytes = 128;                                                   // a cache line each

  static constexpr int longest_lag = 16;
  /// Rounds whose panels are kept besides those that are in use: the next one, and those that let some teams be in the
  /// round after while others are not done with this one.
  static constexpr int spare = 3;
  static constexpr int most_kept = longest_lag + spare;

  /// How many rounds a tile of so many can be left alone: longer pays by less traffic, as long as each round has enough
  /// tiles to keep all multiprocessors busy to its end.
  static int lag_of(std::int64_t down, std::int64_t across, LookAhead look) {
    return look == LookAhead::no ? 1 : static_cast<int>(std::clamp<std::int64_t>(down * across / 800, 1, longest_lag));
  }

  /// Teams that a multiprocessor shall hold at once: as many as there is scratch for, and 128 registers a thread.
  static constexpr int resident =
      std::clamp(std::min(65536 / (128 * team_size), device_scratch / static_cast<int>(scratch_bytes + 1024)), 1, 8);

 public:
  using Policy = Kokkos::TeamPolicy<ExecSpace, Kokkos::LaunchBounds<team_size, resident>, Kokkos::IndexType<int>>;

  static int longest_run(const ExecSpace&, int, int) { return block; }

  /// Where an operand is in the memory of a round, in bytes.
  struct Left {
    int at;
  };
  struct Right {
    int at;
  };

  /// \brief The panels of the last few rounds and of the next ones, packed tile by tile, and what is known of who is
  /// done with what.
  ///
  /// Entry k of row i of a tile of the left panel is V number k · side + i of its tile; of column j of the right panel,
  /// T number k · side + j. What a tile lacks is a vertex without edges, which
  /// changes nothing whatever becomes of it; if the pivot holds a negative cycle, all is no path.
  class PanelStorage;
  class Panels {
   public:
    KOKKOS_FORCEINLINE_FUNCTION Left left(const Runs::Run& i) const { return {i.first / block * left_tile}; }
    KOKKOS_FORCEINLINE_FUNCTION Right right(const Runs::Run& j) const {
      return {right_at_ + j.first / block * right_tile};
    }
    KOKKOS_FORCEINLINE_FUNCTION Left left_pivot() const { return {right_at_ - left_tile}; }
    KOKKOS_FORCEINLINE_FUNCTION Right right_pivot() const { return {round_bytes_ - right_tile}; }

    /// Which place a round's panels have, and where that is.
    KOKKOS_FORCEINLINE_FUNCTION int slot(int round) const { return round % kept_; }
    KOKKOS_FORCEINLINE_FUNCTION std::byte* at(int slot) const {
      return memory_ + slot * static_cast<std::int64_t>(round_bytes_);
    }
    KOKKOS_FORCEINLINE_FUNCTION int after(int slot) const { return slot + 1 < kept_ ? slot + 1 : 0; }
    KOKKOS_FORCEINLINE_FUNCTION int pivots(int round) const {
      const int left = order_ - round * block;
      return left < block ? +left : +block;
    }
    int lag() const { return kept_ - spare; }
    bool are_of(const TilePieces::Range& down, const TilePieces::Range& across) const {
      return down.first == 0 && across.first == 0 && down.count == down_ && across.count == across_;
    }

    // Who says so is one thread of a team, and who waits are a few: their fence, before or after the team's barrier,
    // holds for what the others have written or will read.

    /// Until the piece has been through all rounds before `since`, the panels of all rounds to `last` are there, and,
    /// for a piece of the next panels, nobody needs the panels that those will take the place of.
    template <class Team>
    KOKKOS_FORCEINLINE_FUNCTION void wait_for_operands(const Team& team, const Piece& piece, int last,
                                                       int teams) const {
      const int i = piece.i.first / block, j = piece.j.first / block;
      const std::int64_t there = piece.since <= last ? ticket_ + last + 1 : 0;
      await(team, {tile_flag(i, j), piece.since > 0 ? ticket_ + piece.since : 0}, {left_flag(i), there},
            {right_flag(j), there}, not_needed(piece.in_next_rows || piece.in_next_cols, last, teams));
    }

    /// Says that the piece has been through all rounds before `next`.
    template <class Team>
    KOKKOS_FORCEINLINE_FUNCTION void finish(const Team& team, const Runs::Run& i, const Runs::Run& j, int next) const {
      tell(team, tile_flag(i.first / block, j.first / block), ticket_ + next);
    }
    /// Says so, and that its part of the panels of the last of these rounds is there.
    template <class Team>
    KOKKOS_FORCEINLINE_FUNCTION void finish_panel(const Team& team, bool of_rows, const Runs::Run& i,
                                                  const Runs::Run& j, int next) const {
      finish(team, i, j, next);
      if (team.member.team_rank() == 0)
        set(of_rows ? right_flag(j.first / block) : left_flag(i.first / block), ticket_ + next);
    }
    /// Says that one of the teams of phase 3 of the round is done.
    template <class Member>
    KOKKOS_FORCEINLINE_FUNCTION void count(const Member& member, int round) const {
      if (member.team_rank() == 0) Kokkos::atomic_inc(finished_ + round);
    }

    /// Says that the round's pivot is closed.
    template <class Team>
    KOKKOS_FORCEINLINE_FUNCTION void announce(const Team& team, int round, bool diverges) const {
      tell(team, closed(round), 2 * (ticket_ + round) + diverges);
    }
    /// Until it is. \return whether it holds a negative cycle
    template <class Team>
    KOKKOS_FORCEINLINE_FUNCTION bool wait(const Team& team, int round) const {
      const std::int64_t state = 2 * (ticket_ + round);
      await(team, {closed(round), state});
      return *static_cast<const volatile std::int64_t*>(closed(round)) != state;
    }

   private:
    friend class PanelStorage;
    static constexpr std::int64_t apart = flag_bytes / sizeof(std::int64_t);

    KOKKOS_FORCEINLINE_FUNCTION std::int64_t* closed(int round) const { return flags_ + slot(round) * apart; }
    KOKKOS_FORCEINLINE_FUNCTION std::int64_t* left_flag(int i) const { return flags_ + (most_kept * apart + i); }
    KOKKOS_FORCEINLINE_FUNCTION std::int64_t* right_flag(int j) const { return left_flag(down_ + j); }
    KOKKOS_FORCEINLINE_FUNCTION std::int64_t* tile_flag(int i, int j) const {
      return left_flag(down_ + across_ + i * across_ + j);
    }

    /// Something to wait for: that a number is at least so large.
    struct Goal {
      const std::int64_t* flag = nullptr;
      std::int64_t least = 0;
    };
    /// That nobody needs the panels that those of the round after `last` will take the place of.
    KOKKOS_FORCEINLINE_FUNCTION Goal not_needed(bool wanted, int last, int teams) const {
      const int reader = last - spare;
      return wanted && reader >= 0 ? Goal{finished_ + reader, teams} : Goal{};
    }
    /// A goal a thread.
    template <class Team>
    static KOKKOS_FORCEINLINE_FUNCTION void await(const Team& team, const Goal& first, const Goal& second = {},
                                                  const Goal& third = {}, const Goal& fourth = {}) {
      for (int g = team.member.team_rank(); g < 4; g += team_size) {
        const Goal goal = g == 0 ? Goal(first) : g == 1 ? Goal(second) : g == 2 ? Goal(third) : Goal(fourth);
        if (goal.least == 0) continue;
        // (Kokkos::atomic_load adds 0, which all that wait would do in turn.)
        while (*static_cast<const volatile std::int64_t*>(goal.flag) < goal.least) {
        }
        Kokkos::memory_fence();
      }
      team.member.team_barrier();
    }
    template <class Team>
    static KOKKOS_FORCEINLINE_FUNCTION void tell(const Team& team, std::int64_t* flag, std::int64_t value) {
      team.member.team_barrier();
      if (team.member.team_rank() != 0) return;
      Kokkos::memory_fence();
      set(flag, value);
    }
    static KOKKOS_FORCEINLINE_FUNCTION void set(std::int64_t* flag, std::int64_t value) {
      *static_cast<volatile std::int64_t*>(flag) = value;
    }

    std::byte* memory_;
    // Each flag holds numbers that only grow, from call to call too: 2 · (ticket + round), and 1 more if it diverges,
    // once the round's pivot is closed; the ticket and how many rounds the others have been through.
    std::int64_t* flags_;
    std::int64_t* finished_;  ///< how many teams of each round's phase 3 are done
    std::int64_t ticket_;
    int order_, down_, across_, kept_, right_at_, round_bytes_;
  };

  /// \brief Where the panels of one solve are: in memory of their own.
  class PanelStorage {
   public:
    /// \param order   rows and columns of the whole matrix
    /// \param height, width  of the part of it at hand
    /// \param look    whether phase 3 will look ahead, in any round
    PanelStorage(const ExecSpace& exec, int order, int height, int width, LookAhead look = LookAhead::yes) {
      if (bytes(height, width) > 8e8 * most_kept)  // numbers below are of 32 bits
        throw InvalidInput("a matrix of " + std::to_string(height) + " x " + std::to_string(width) +
                           " is too large for tiles of " + std::to_string(block) + ", name another tile");
      const int rounds = tiles(order);
      Panels& p = panels_;
      p.order_ = order;
      p.down_ = tiles(height);
      p.across_ = tiles(width);
      p.kept_ = lag_of(p.down_, p.across_, look) + spare;
      p.right_at_ = (p.down_ + 1) * left_tile;
      p.round_bytes_ = p.right_at_ + (p.across_ + 1) * right_tile;
      memory_ = {exec, p.kept_ * static_cast<std::size_t>(p.round_bytes_), "blockfw::panels"};
      p.memory_ = memory_.data();
      flags_ = {exec, flags(p.down_, p.across_) * sizeof(std::int64_t), "blockfw::flags"};
      p.flags_ = reinterpret_cast<std::int64_t*>(flags_.data());
      finished_ = {exec, rounds * sizeof(std::int64_t), "blockfw::finished"};
      Kokkos::deep_copy(exec, finished_.memory(), std::byte{0});
      p.finished_ = reinterpret_cast<std::int64_t*>(finished_.data());
      p.ticket_ = take_tickets(rounds + 1);  // now, so that it is above all that have been written to these flags
    }

    Panels panels(const Ref& d, int, int, int) const {
      if (d.stride(0) * side > INT32_MAX || d.stride(1) * side > INT32_MAX)
        throw InvalidInput("the matrix's strides are " + std::to_string(d.stride(0)) + " and " +
                           std::to_string(d.stride(1)) + ", expected less than " + std::to_string(INT32_MAX / side));
      return panels_;
    }

    /// How much memory that can be for a matrix of so many rows and columns.
    static double bytes(std::int64_t rows, std::int64_t columns) {
      const double down = std::ceil(static_cast<double>(rows) / block),
                   across = std::ceil(static_cast<double>(columns) / block);
      return most_kept * ((down + 1) * left_tile + (across + 1) * right_tile) +
             (flags(0, 0) + 2 * down + across + down * across) * sizeof(std::int64_t);
    }

   private:
    static int tiles(int entries) { return (entries + block - 1) / block; }
    static std::size_t flags(std::int64_t down, std::int64_t across) {
      return static_cast<std::size_t>(most_kept * Panels::apart + down + across + down * across);
    }

    Panels panels_;
    Workspace<ExecSpace> memory_, flags_, finished_;
  };

  static TilePieces pieces(const ExecSpace& exec, const Part<Ref>& part, int, const Panels& panels, Ahead wanted) {
    const int height = part.d.extent_int(0), width = part.d.extent_int(1);
    const TilePieces::Range down{part.row, (height + block - 1) / block, height},
        across{part.col, (width + block - 1) / block, width};
    if (!panels.are_of(down, across)) throw InvalidInput("phase 3: on a device a part is the whole matrix, so far");
    return {down, across, block, panels.lag(), wanted, exec.concurrency() / 2048 * resident};
  }

  /// Takes the team's scratch pad.
  template <class Member>
  class Team {
   public:
    explicit KOKKOS_FORCEINLINE_FUNCTION Team(const Member& team) : member(team) {
      const int level = scratch_level, alignment = vector_bytes;
      scratch = static_cast<std::byte*>(
          known_scratch(team.team_scratch(level).get_shmem_aligned(left_bytes + right_bytes, alignment)));
    }
    const Member& member;
    std::byte* scratch;
  };

  template <class Member>
  explicit KOKKOS_FORCEINLINE_FUNCTION DeviceKernel(const Team<Member>& team)
      : scratch_(team.scratch), rank_(team.member.team_rank()) {}

  /// Takes the tile C, at most block x block, into registers; what it lacks is no path.
  KOKKOS_FORCEINLINE_FUNCTION void read(const Ref& c) {
    const Memory m(c);
    if (m.vectors) {
      for_each_group([&](int i, int j, V* own) {
        const ColGroup group = *reinterpret_cast<const ColGroup*>(m.at + i * m.row_stride + j);
        BLOCKFW_UNROLL
        for (int v = 0; v < group_vs; ++v) own[v] = group.at[v];
      });
    } else {
      for_each_entry([&](int i, int j, V& own, int w) {
        set_lane(own, w, i < m.height && j < m.width ? m.at[i * m.row_stride + j * m.col_stride] : Semiring::zero());
      });
    }
  }

  KOKKOS_FORCEINLINE_FUNCTION void write(const Ref& c) {
    const Memory m(c);
    if (m.vectors) {
      for_each_group([&](int i, int j, const V* own) {
        ColGroup group;
        BLOCKFW_UNROLL
        for (int v = 0; v < group_vs; ++v) group.at[v] = own[v];
        *reinterpret_cast<ColGroup*>(m.at + i * m.row_stride + j) = group;
      });
    } else {
      for_each_entry([&](int i, int j, V own, int w) {
        if (i < m.height && j < m.width) m.at[i * m.row_stride + j * m.col_stride] = get_lane<T>(own, w);
      });
    }
  }

  /// C ← C ⊕ (A ⊗ B) for the operands of rounds `first` to `last`.
  template <class Member>
  KOKKOS_FORCEINLINE_FUNCTION void relax(const Team<Member>& team, const Panels& panels, Left a, Right b, int first,
                                         int last) {
    constexpr int a_chunk = depth * side * sizeof(V), b_chunk = depth * side * sizeof(T);  // bytes
    const int chunks = (last - first) * block_chunks + (panels.pivots(last) + depth - 1) / depth;
    int slot = panels.slot(first), next = 0;  // the chunk to fetch: of which round's panels, and which of these
    const auto fetch = [&](int stage) {
      const std::byte* const from = panels.at(slot) + rank_ * vector_bytes;
      copy<a_chunk>(left() + stage * (depth * side), from + (a.at + next * a_chunk));
      copy<b_chunk>(right() + stage * (depth * side), from + (b.at + next * b_chunk));
      if (++next < block_chunks) return;
      next = 0;
      slot = panels.after(slot);
    };
    fetch(0);
    end_copies();
    for (int chunk = 0; chunk < chunks; ++chunk) {
      const int stage = chunk % stages;
      wait_for_copies();
      team.member.team_barrier();  // the chunk is there, and nobody reads the one before any more
      if (chunk + 1 < chunks) fetch((stage + 1) % stages);
      end_copies();
      const V* a_there = left() + stage * (depth * side);
      const T* b_there = right() + stage * (depth * side);
      BLOCKFW_NO_UNROLL
      for (int k = 0; k < depth; k += unrolled) relax_pivots<unrolled>(a_there + k * side, b_there + k * side);
    }
    team.member.team_barrier();
  }

  /// Floyd-Warshall inside the tile, for its first `height` pivots. Stops before the first one that lies on a negative
  /// cycle.
  ///
  /// A step over a few pivots at a time: first their own rows over all columns, a column a thread; then every other row
  /// takes them together. Its old entries in the pivots' columns are enough, since the pivots' rows already hold all
  /// paths among the pivots.
  ///
  /// \return whether it stopped
  template <class Member>
  KOKKOS_FORCEINLINE_FUNCTION bool close(const Team<Member>& team, int height) {
    bool stopped = false;
    for (int k0 = 0; k0 < height && !stopped; k0 += step) {
      const int turn = k0 / step % 2;  // so that some may go on while others still read
      V* const columns = left() + turn * (step * side);
      T* const open = right() + turn * (2 * step * side);
      T* const closed = open + step * side;
      write_step(k0, columns, open);
      team.member.team_barrier();
      const int taken = close_step(k0, open, closed);
      team.member.team_barrier();
      stopped = taken < step;
      if (!stopped)
        relax_pivots<step>(columns, closed);
      else
        for (int k = 0; k < taken; ++k) relax_pivots<1>(columns + k * side, closed + k * side);
      read_step(k0, closed);
    }
    team.member.team_barrier();
    return stopped;
  }

  // What lies beyond the edges of C is published too: rows and columns of a vertex that no edge reaches.

  /// To where B is read from in this round.
  KOKKOS_FORCEINLINE_FUNCTION void publish(const Panels& panels, int round, Right to) {
    T* const tile = reinterpret_cast<T*>(panels.at(panels.slot(round)) + to.at);
    for_each_group([&](int i, int j, const V* own) {
      ColGroup group;
      BLOCKFW_UNROLL
      for (int v = 0; v < group_vs; ++v) group.at[v] = own[v];
      *reinterpret_cast<ColGroup*>(tile + i * side + j) = group;
    });
  }

  /// To where A is read from in this round.
  KOKKOS_FORCEINLINE_FUNCTION void publish(const Panels& panels, int round, Left to) {
    V* const tile = reinterpret_cast<V*>(panels.at(panels.slot(round)) + to.at);
    const Place own = place();
    BLOCKFW_UNROLL
    for (int c = 0; c < cols; ++c) BLOCKFW_UNROLL
    for (int g = 0; g < row_groups; ++g) {
      RowGroup group;
      BLOCKFW_UNROLL
      for (int e = 0; e < row_group; ++e) group.at[e] = spread<V>(entry(g * row_group + e, c));
      *reinterpret_cast<RowGroup*>(tile + own.col(c) * side + own.row(g * row_group)) = group;
    }
  }

  /// Becomes a tile without paths.
  KOKKOS_FORCEINLINE_FUNCTION void clear() {
    for_each_entry([](int, int, V& own, int w) { set_lane(own, w, Semiring::zero()); });
  }

 private:
  KOKKOS_FORCEINLINE_FUNCTION V* left() const { return reinterpret_cast<V*>(scratch_); }
  KOKKOS_FORCEINLINE_FUNCTION T* right() const { return reinterpret_cast<T*>(scratch_ + left_bytes); }

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
  KOKKOS_FORCEINLINE_FUNCTION T entry(int r, int c) const { return get_lane<T>(acc_[r][c / lanes], c % lanes); }

  /// f(row, column, values) for each group of neighbours that this thread holds.
  template <class F>
  KOKKOS_FORCEINLINE_FUNCTION void for_each_group(const F& f) {
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
      for (int c = 0; c < cols; ++c) f(own.row(r), own.col(c), acc_[r][c / lanes], c % lanes);
    }
  }

  /// Starts the team's copy of so many bytes; `from` is where this thread starts.
  template <int Bytes>
  KOKKOS_FORCEINLINE_FUNCTION void copy(void* to, const std::byte* from) const {
    BLOCKFW_UNROLL
    for (int first = 0; first < Bytes; first += team_size * vector_bytes) {
      if (Bytes % (team_size * vector_bytes) == 0 || first + rank_ * vector_bytes < Bytes)
        copy_to_scratch(static_cast<std::byte*>(to) + first + rank_ * vector_bytes, from + first);
    }
  }

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

  /// The columns and the rows of a step's pivots, for all to read.
  KOKKOS_FORCEINLINE_FUNCTION void write_step(int k0, V* columns, T* open) const {
    const Place own = place();
    BLOCKFW_UNROLL
    for (int g = 0; g < row_groups; ++g) {
      const int k = own.row(g * row_group) - k0;
      if (k < 0 || k >= step) continue;
      BLOCKFW_UNROLL
      for (int e = 0; e < row_group; ++e) BLOCKFW_UNROLL
      for (int c = 0; c < col_groups; ++c) {
        ColGroup group;
        BLOCKFW_UNROLL
        for (int v = 0; v < group_vs; ++v) group.at[v] = acc_[g * row_group + e][c * group_vs + v];
        *reinterpret_cast<ColGroup*>(open + (k + e) * side + own.col(c * col_group)) = group;
      }
    }
    BLOCKFW_UNROLL
    for (int c = 0; c < cols; ++c) {
      const int k = own.col(c) - k0;
      if (k < 0 || k >= step) continue;
      BLOCKFW_UNROLL
      for (int g = 0; g < row_groups; ++g) {
        RowGroup group;
        BLOCKFW_UNROLL
        for (int e = 0; e < row_group; ++e) group.at[e] = spread<V>(entry(g * row_group + e, c));
        *reinterpret_cast<RowGroup*>(columns + k * side + own.row(g * row_group)) = group;
      }
    }
  }

  /// A step's rows through its pivots, one after the other, a column a thread; each thread repeats what happens to the
  /// pivots' own columns.
  /// \return how many pivots were taken, fewer than a step if one lies on a negative cycle
  KOKKOS_FORCEINLINE_FUNCTION int close_step(int k0, const T* open, T* closed) const {
    int taken = 0;
    Pack<T, step> own[step];
    BLOCKFW_UNROLL
    for (int i = 0; i < step; ++i) own[i] = *reinterpret_cast<const Pack<T, step>*>(open + i * side + k0);
    BLOCKFW_UNROLL
    for (int k = 0; k < step; ++k) {
      if (taken < k || Semiring::diverges(own[k].at[k])) continue;
      taken = k + 1;
      BLOCKFW_UNROLL
      for (int i = 0; i < step; ++i) BLOCKFW_UNROLL
      for (int l = k + 1; l < step; ++l)
        if (i != k) own[i].at[l] = Semiring::relax(own[i].at[l], own[i].at[k], own[k].at[l]);
    }
    for (int j = rank_; j < side; j += team_size) {
      T row[step];
      BLOCKFW_UNROLL
      for (int i = 0; i < step; ++i) row[i] = open[i * side + j];
      BLOCKFW_UNROLL
      for (int k = 0; k < step; ++k) {
        if (k >= taken) continue;
        BLOCKFW_UNROLL
        for (int i = 0; i < step; ++i)
          if (i != k) row[i] = Semiring::relax(row[i], own[i].at[k], row[k]);
      }
      BLOCKFW_UNROLL
      for (int i = 0; i < step; ++i) closed[i * side + j] = row[i];
    }
    return taken;
  }

  /// A step's rows back to the threads that hold them.
  KOKKOS_FORCEINLINE_FUNCTION void read_step(int k0, const T* closed) {
    const Place own = place();
    BLOCKFW_UNROLL
    for (int r = 0; r < rows; ++r) {
      const int k = own.row(r) - k0;
      if (k < 0 || k >= step) continue;
      BLOCKFW_UNROLL
      for (int g = 0; g < col_groups; ++g) {
        const ColGroup group = *reinterpret_cast<const ColGroup*>(closed + k * side + own.col(g * col_group));
        BLOCKFW_UNROLL
        for (int v = 0; v < group_vs; ++v) acc_[r][g * group_vs + v] = group.at[v];
      }
    }
  }

  /// Where C is.
  struct Memory {
    explicit KOKKOS_FORCEINLINE_FUNCTION Memory(const Ref& c)
        : at(c.data()),
          row_stride(static_cast<int>(c.stride(0))),
          col_stride(static_cast<int>(c.stride(1))),
          height(static_cast<int>(c.extent(0))),
          width(static_cast<int>(c.extent(1))) {
      constexpr std::size_t group = sizeof(ColGroup);
      vectors = height == side && width == side && col_stride == 1 &&
                reinterpret_cast<std::uintptr_t>(at) % group == 0 && row_stride * sizeof(T) % group == 0;
    }
    T* at;
    int row_stride, col_stride, height, width;
    bool vectors;  ///< whether it is whole and can be read and written as vectors
  };

  V acc_[rows][vs];
  std::byte* scratch_;
  int rank_;
};

}  // namespace blockfw::detail
