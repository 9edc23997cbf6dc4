// SPDX-License-Identifier: MIT
/// \file
/// \brief The seam between numbers and shares: everything that is done to the entries of a share besides the rounds,
/// from filling it to copying its distances to the host.
///
/// Processes stands for the processes that together hold the shares. Shares (detail/shares/shares.hpp) knows where
/// entries lie, and NumbersOf (numbers_of.hpp) knows their type and semiring. So Shares is compiled once for an
/// execution space.
#pragma once

#include "blockfw/detail/kernel/part.hpp"
#include "blockfw/detail/numbers/operations.hpp"
#include "blockfw/ground/answers.hpp"
#include "blockfw/ground/options.hpp"
#include "blockfw/ground/semiring.hpp"
#include "blockfw/ground/weights.hpp"

#include <any>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace blockfw::detail {

/// How numbers of several processes are combined to one number.
enum class Reduction { least, most, sum };

/// \brief The processes that hold shares together. Their functions are collective: all processes call them. They are
/// here for one process; several override them.
class Processes {
 public:
  virtual ~Processes() = default;

  /// The name of the place in the text of an error: "on ...".
  virtual const char* name() const = 0;
  /// The number of this process, and of all processes. Local.
  virtual int process() const { return 0; }
  virtual int processes() const { return 1; }
  /// Stands for all processes.
  static constexpr int everyone = -1;
  /// Whether this process is process `one`; true if `one` is everyone. Local.
  bool is(int one) const { return one == everyone || one == process(); }

  /// Calls f on each process.
  /// \throws on all processes the first error of any process
  virtual void together(const std::function<void()>& f) const { f(); }
  /// \throws InvalidInput, which names the numbers, if processes pass different numbers
  virtual void require_same(const std::vector<std::int64_t>&, const char* /*names*/) const {}
  /// Replaces each number by the combined number of all processes.
  virtual void reduce(std::vector<std::int64_t>& /*numbers*/, Reduction) const {}
  virtual void reduce(std::vector<double>& /*numbers*/, Reduction) const {}
  template <class T>
  T reduced(T number, Reduction how) const {
    std::vector<std::conditional_t<std::is_integral_v<T>, std::int64_t, double>> one{number};
    reduce(one, how);
    return static_cast<T>(one[0]);
  }
  /// The range of the weights of all processes, out of the range of each.
  template <class T>
  WeightRange<T> reduced(const WeightRange<T>& range) const {
    return {reduced(range.smallest, Reduction::least), reduced(range.largest, Reduction::most),
            reduced(range.total, Reduction::sum)};
  }
  bool on_all(bool is) const { return reduced(int(is), Reduction::least) == 1; }
  bool on_any(bool is) const { return reduced(int(is), Reduction::most) == 1; }
};

/// The type of the entries of a matrix, which its size and its kind tell.
struct EntryType {
  std::size_t bytes;
  bool whole;  ///< whether its numbers are integers
  bool operator==(const EntryType&) const = default;
};
template <Element T>
inline constexpr EntryType entry_type{sizeof(T), std::is_integral_v<T>};

/// A number of any of these types, without loss. (A whole number may be read as a real one.)
class AnyNumber {
 public:
  AnyNumber() = default;
  template <Element T>
  AnyNumber(T number)
      : whole_(std::is_integral_v<T> ? static_cast<std::int64_t>(number) : 0),
        real_(std::is_integral_v<T> ? 0 : static_cast<double>(number)) {}
  template <Element T>
  T as() const {
    return std::is_integral_v<T> || whole_ != 0 ? static_cast<T>(whole_) : static_cast<T>(real_);
  }
  /// Equal for two numbers if they are the same, or the same NaN.
  std::array<std::int64_t, 2> bits() const { return {whole_, std::bit_cast<std::int64_t>(real_)}; }

 private:
  std::int64_t whole_ = 0;
  double real_ = 0;
};

/// The range of weights of any type.
struct AnyRange {
  template <Element T>
  explicit AnyRange(const WeightRange<T>& range)
      : smallest(range.smallest), largest(range.largest), total(range.total) {}
  template <Element T>
  WeightRange<T> as() const {
    return {smallest.as<T>(), largest.as<T>(), total};
  }

  AnyNumber smallest, largest;
  double total;
};

/// Reach<T> of any type.
struct AnyReach {
  template <Element T>
  Reach<T> as() const {
    if (vertices == 0) return {};
    return {vertices, sum.as<typename Reach<T>::Sum>(), farthest.as<T>(), farthest_vertex};
  }

  std::int64_t vertices = 0;
  AnyNumber sum, farthest;
  std::int64_t farthest_vertex = no_vertex;
};

/// A matrix on the host of any type and layout. Steps are in entries.
struct HostEntries {
  std::byte* data;
  EntryType type;
  std::int64_t rows, columns;
  std::int64_t down, across;  ///< the entries from a row to the next, and from a column to the next
  std::string name = {};      ///< the matrix's name in errors
};

/// Edges in memory of an instance: Edge<W> of any type W. `from` and `to` are a row and a column of a share.
struct AnyEdges {
  const std::byte* data;
  EntryType weights;
  std::int64_t count;
};

/// A share of a matrix, in memory that exec reaches.
template <class ExecSpace>
struct ShareEntries {
  const ExecSpace& exec;
  Block block;
  std::vector<std::int32_t> rows, columns;  ///< the vertices of the rows and columns
  std::vector<std::pair<Block, std::int64_t>>
      squares;  ///< the blocks on the matrix's diagonal, with their first vertices
};

/// \brief The steps of a solve of shares that depend on where these lie; see solve_filled() of recipe.hpp. Processes
/// take each step together.
template <class ExecSpace>
struct ShareSteps {
  const Processes& processes;
  std::vector<ShareEntries<ExecSpace>> entries;  ///< the shares of this process
  /// Whether half the work is possible, and takes less time.
  std::function<bool(Direction)> half_pays;
  /// rounds(options, negative) does all rounds. The rounds of a single share are only queued.
  std::function<void(const TaskOptions&, bool)> rounds;
};

/// \brief The operations of one kind of numbers on the entries of shares. One object for a kind, which has no state.
///
/// Work is queued on the instance, unless a comment says that it is fenced. Numbers of shortest paths are copied to any
/// type that holds them, and from a wider integer: then lengths are cut off at infinity.
template <class ExecSpace>
class Numbers {
 public:
  virtual ~Numbers() = default;

  virtual EntryType type() const = 0;
  /// The sizes of entries, tiles and panels.
  virtual TileBytes sizes() const = 0;
  /// Bytes of the panels of some rounds, and of the square of a group's pivots.
  virtual double panel_bytes(std::int64_t rows, std::int64_t columns, int rounds, std::int64_t pivots) const = 0;
  /// Bytes of all panels of solve_alone().
  virtual double alone_bytes(const ExecSpace& exec, std::int64_t n) const = 0;
  /// Memory for entries, not initialised, a View<T**, LayoutRight> where the instance works; and its first entry.
  virtual std::pair<std::any, std::byte*> allocated(const ExecSpace& exec, std::int64_t rows,
                                                    std::int64_t columns) const = 0;
  /// Whether half the work suffices for a symmetric matrix.
  virtual bool commutes() const = 0;

  // The solve.

  /// The operations of rounds, with the panels that the options name.
  virtual std::unique_ptr<Operations<ExecSpace>> rounds(const ExecSpace& exec,
                                                        const GroupStorageOptions& panels) const = 0;
  /// All rounds of a whole matrix.
  virtual void solve_alone(const ExecSpace& exec, const Block& d, const TaskOptions& options) const = 0;
  /// \brief Solves filled shares with all checks; see MatrixInShares::solve(). Fenced.
  virtual void solve(const ShareSteps<ExecSpace>& steps, std::int64_t n, const AnyRange& range,
                     const SolveOptions& options) const = 0;
  virtual void lower_diagonal(const ExecSpace& exec, const Block& square) const = 0;
  /// Fenced.
  virtual bool is_symmetric(const ExecSpace& exec, const Block& d) const = 0;

  // To shares.

  /// Fills a share with edges. A repeated entry keeps the best weight.
  virtual void fill(const ExecSpace& exec, const Block& d, const AnyEdges& edges) const = 0;
  /// Copies entries of the same type from the host.
  virtual void copy_in(const ExecSpace& exec, const Block& to, const HostEntries& from) const = 0;
  /// Copies entries of the same or a wider type, where the instance works.
  virtual void copy_narrowed(const ExecSpace& exec, const Block& to, EntryType type, const Block& from) const = 0;
  /// The same for numbers on the host.
  virtual void narrow(EntryType type, const std::byte* from, std::int64_t count, std::byte* to) const = 0;

  // From shares.

  /// Copies entries to the host, to the same or a wider type. Fenced.
  /// \throws OutOfMemory on a device, for a buffer of rows in the wider type
  virtual void copy_out(const ExecSpace& exec, const Block& from, const HostEntries& to) const = 0;
  /// Copies a column to the host, without gaps. Fenced.
  virtual void column_out(const ExecSpace& exec, const Block& from, std::int64_t column, std::byte* to) const = 0;
  /// Copies numbers on the host to the same or a wider type.
  virtual void widen(const std::byte* from, std::int64_t count, EntryType type, std::byte* to) const = 0;
  /// Whether numbers on the host are the same.
  virtual bool equal(const std::byte* a, const std::byte* b, std::int64_t count) const = 0;
  /// The reach of each row or column; `farthest_vertex` is a column or row. Fenced.
  virtual std::vector<AnyReach> reach(const ExecSpace& exec, const Block& d, bool of_rows) const = 0;

  // A new edge.

  /// \brief Checks the weight of a new edge.
  /// \param given  its type, the same or a wider one
  /// \return whether the edge matters
  /// \throws as insert_edge()
  virtual bool takes_edge(AnyNumber weight, EntryType given) const = 0;
  /// \brief Adds the edge to the lengths of the paths to its beginning, and checks the new paths.
  /// \param to, from  on the host: the distances from each of n vertices to the edge's beginning; from its end to each
  /// \throws as insert_edge()
  virtual void lengthen(std::byte* to, std::byte* from, std::int64_t n, std::int64_t tail, AnyNumber weight) const = 0;
  /// \brief The paths by the edge, in memory of the instance. Fenced.
  /// \param to, from  on the host: the lengths of paths to it for each row, and from it for each column
  /// \return a function that takes these paths where they are shorter; fenced
  virtual std::function<void()> detours(const ExecSpace& exec, const Block& d, const std::byte* to,
                                        const std::byte* from) const = 0;
  /// Raises negative diagonal entries, which rounding has caused, to 0. Fenced.
  virtual void raise_own(const ExecSpace& exec, const Block& square) const = 0;
};

}  // namespace blockfw::detail
