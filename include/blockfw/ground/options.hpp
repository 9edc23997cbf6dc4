// SPDX-License-Identifier: MIT
/// \file
/// \brief The options of solves, and the report of a solve; the shape of the tiles, which is fixed at compile time.
///
/// One struct serves every place. A place refuses an option that is set and that it does not use: InvalidInput names
/// it. (Not `narrow` and `fewer_devices`, which only permit.)
#pragma once

#include "blockfw/ground/error.hpp"
#include "blockfw/ground/matrix.hpp"

#include <Kokkos_Core.hpp>

#include <cstdint>
#include <functional>
#include <string>
#include <type_traits>
#include <vector>

namespace blockfw {

/// \brief Called as progress(done, in all) from the calling thread, if set. Each call's documentation says which items
/// are counted.
///
/// \code
///   std::atomic<bool> wanted = true;  // for a signal handler, or another thread
///   const blockfw::Progress stop = [&](std::int64_t, std::int64_t) {
///     if (!wanted) throw std::runtime_error("stopped");
///   };
/// \endcode
///
/// It may throw. The work then ends, and the caller of the library gets the exception. Data that was to be written in
/// place is then unspecified, unless the call says more. On ranks of MPI it must not throw: the rank gets a RankError,
/// and the others wait for it (error.hpp).
using Progress = std::function<void(std::int64_t, std::int64_t)>;

/// How all distances are found: by rounds over the whole matrix, or by elimination in an order with little fill.
enum class Method { automatic, dense, sparse };

/// How a solve was done.
struct SolveReport {
  int bits = 0;                   ///< bits of the numbers in the solve
  bool half = false;              ///< whether the matrix was symmetric and half the work sufficed
  Method method = Method::dense;  ///< dense or sparse
  double relaxes = 0;             ///< the relaxes of the method that was taken
  double dense_relaxes = 0;       ///< the relaxes of the dense method
  double factor_relaxes = 0;      ///< the relaxes of the elimination, in a sparse solve
  double solve_relaxes = 0;       ///< the relaxes of the sweeps, in a sparse solve
  std::int64_t separator = 0;     ///< vertices of the widest supernode, in a sparse solve
  double analysis_seconds = 0;    ///< the time to find an order and to decide, also if the dense method was taken
  double factor_seconds = 0;      ///< the time to eliminate the supernodes
  double solve_seconds = 0;       ///< the time of the distances; a device may still be at work on a dense solve then
};

/// Options of calls that read edges only: paths along them.
struct EdgeOptions {
  /// With undirected every edge leads in both directions.
  Direction direction = Direction::directed;
};

/// Options of calls that fill a matrix with edges.
struct FillOptions {
  /// With undirected every edge counts in both directions.
  Direction direction = Direction::directed;
  /// The number of the first edge of the list, for the error of an invalid edge.
  std::int64_t first_edge = 0;
};

/// Options of a transitive closure, of a call that adds one vertex, and of rounds in place without checks
/// (blocked_floyd_warshall(), RowBlocks::floyd_warshall()).
struct TaskOptions {
  /// For rounds in place undirected means that the matrix is symmetric, and known to be: entries below its diagonal are
  /// not read.
  /// With undirected every edge leads in both directions.
  Direction direction = Direction::directed;
  /// Called as progress(done, in all) from the calling thread, if set; it may throw.
  Progress progress = {};
};

/// The questions that an analysis of a network is made for. It answers all questions, but others more slowly.
enum class Purpose {
  all_pairs,  ///< distances from all vertices, or many: few, wide supernodes
  tables      ///< tables, pairs, new weights: short paths in the tree of supernodes
};

/// Options of a SparseAnalysis.
struct AnalysisOptions {
  /// The questions that are to be fast.
  Purpose purpose = Purpose::all_pairs;
  /// The order of elimination: order[k] is the vertex to eliminate as number k. Without vertices, the order is found by
  /// approximate minimum degree.
  std::vector<std::int32_t> order = {};
  /// The largest number of vertices of a supernode.
  std::int32_t most_width = 1 << 30;
};

/// Options of a Network.
struct NetworkOptions {
  /// With undirected every edge leads in both directions.
  Direction direction = Direction::directed;
  /// The order of elimination: order[k] is the vertex to eliminate as number k. Without vertices, the order is found by
  /// approximate minimum degree.
  std::vector<std::int32_t> order = {};
  /// Called as progress(vertices eliminated, in all) from the calling thread, if set; it may throw.
  Progress progress = {};
  /// As in SolveOptions.
  bool strict_cycles = false;
};

/// Options of a SparseFactor.
struct FactorOptions {
  /// With undirected every edge leads in both directions.
  Direction direction = Direction::directed;
  /// Called as progress(vertices eliminated, in all) from the calling thread, if set, after each large supernode and
  /// several times within it; on a device once, after all. It may throw.
  Progress progress = {};
  /// As in SolveOptions.
  bool strict_cycles = false;
};

/// Options of solve().
struct SolveOptions {
  /// With undirected every edge leads in both directions. On one instance a symmetric matrix takes half the work with
  /// either direction.
  Direction direction = Direction::directed;
  /// How edges are solved. The automatic choice analyses the structure of a graph with few edges and takes the method
  /// that costs less. (A matrix is always solved by the dense method.)
  Method method = Method::automatic;
  /// Whether integers may be solved in fewer bits if all distances fit these, on one instance, several devices and
  /// ranks: the same result in half the time or less.
  bool narrow = true;
  /// Whether a solve on Devices may leave some of them out where fewer take less time (Devices::list_for()).
  bool fewer_devices = true;
  /// Whether a cycle of floats is negative if the exact sum of its weights is. Without this option, a cycle is negative
  /// if its length is negative by more than rounding explains. docs/dense.md has both rules. The order of the vertices
  /// and the method do not matter. Where weights are negative, the search for cycles comes before the solve.
  bool strict_cycles = false;
  /// Called as progress(rounds done, rounds in all) from the calling thread, if set: after each round, on several
  /// devices and ranks after each group of rounds. By elimination it counts vertices that are eliminated, and that
  /// have their distances: twice n in all. Where rounding has made a cycle negative, the
  /// solve is done again, and so is the count. It may throw, except on a rank (see Progress).
  Progress progress = {};
  /// Called once from the calling thread, if set, when all rounds are queued. A device still works on them then, unless
  /// `progress` is set, which waits for each round. On several devices and ranks, and by elimination, all is done then.
  std::function<void()> meanwhile = {};
  /// Filled in if set.
  SolveReport* report = nullptr;
};

namespace detail {

/// To be called when all rounds are queued.
inline void report_queued(const SolveOptions& options, const SolveReport& report) {
  if (options.report != nullptr) *options.report = report;
  if (options.meanwhile) options.meanwhile();
}

/// \brief Checks that elimination is not asked for where there is none.
/// \param where  for example "for a matrix"
/// \throws InvalidInput
inline void require_dense(const SolveOptions& options, const std::string& where) {
  if (options.method == Method::sparse)
    throw InvalidInput("the option method is Method::sparse, expected automatic or dense " + where);
}

/// \brief Checks that an option which a call does not use is not set.
/// \throws InvalidInput
inline void require_unused(bool set, const char* option, const std::string& call) {
  if (set) throw InvalidInput(std::string("the option ") + option + " is set, which " + call + " does not use");
}

/// \brief The members of SolveOptions that a call uses, for require_used().
///
/// A new member of SolveOptions becomes a member here, too. Then each call that does not name it refuses it. (Not here:
/// method, as a call that is dense accepts two of its three values; narrow and fewer_devices, which only permit.)
struct UsedOptions {
  bool direction = false;
  bool strict_cycles = false;
  bool progress = false;
  bool meanwhile = false;
  bool report = false;
};

/// \brief Checks that only options are set that the call uses.
/// \throws InvalidInput
inline void require_used(const SolveOptions& options, const UsedOptions& used, const std::string& call) {
  require_unused(!used.direction && options.direction == Direction::undirected, "direction",
                 call + ", whose matrix is filled,");
  require_unused(!used.strict_cycles && options.strict_cycles, "strict_cycles", call);
  require_unused(!used.progress && options.progress, "progress", call);
  require_unused(!used.meanwhile && options.meanwhile, "meanwhile", call);
  require_unused(!used.report && options.report != nullptr, "report", call);
}

}  // namespace detail

/// \brief The shape of the blocking, fixed at compile time.
///
/// \tparam Block         rows and columns of a tile, and the number of pivots that one round eliminates
/// \tparam RegisterRows  rows of the register tile, the block of C kept in registers; 0: chosen for the target
/// \tparam RegisterCols  columns of the register tile, in elements; 0: chosen for the target
///
/// The register tile must divide the block.
template <int Block, int RegisterRows = 0, int RegisterCols = 0>
struct Tile {
  static_assert(Block > 0, "blockfw: a tile has at least one row");
  static_assert(RegisterRows >= 0 && RegisterCols >= 0, "blockfw: a register tile has no negative side");

  static constexpr int block = Block;                 ///< rows and columns of a tile
  static constexpr int register_rows = RegisterRows;  ///< rows of the register tile, or 0
  static constexpr int register_cols = RegisterCols;  ///< columns of the register tile, or 0
};

/// \brief A tile for integers and small orders on devices that copy past their registers to scratch (NVIDIA's, from
/// compute capability 8.0 on).
///
/// Its teams pass on pivots through a relay (docs/authors/device-kernel.md). That takes less time from one pivot to the
/// next than flags do, but more registers and traffic.
template <int Block, int RegisterRows = 0, int RegisterCols = 0>
struct RelayTile : Tile<Block, RegisterRows, RegisterCols> {
  static constexpr bool relays = true;  ///< whether slabs of pivots go through a relay
};

/// Stands for "no tile was named": the tuned tile of the space, type and order.
struct TunedTile {};

/// The shape of a tile, or TunedTile.
template <class Shape>
concept AnyTile = std::is_same_v<Shape, TunedTile> || requires { Shape::block; };

}  // namespace blockfw
