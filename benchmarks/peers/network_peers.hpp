// SPDX-License-Identifier: MIT
// The questions that network_peers.cpp asks programs about a network, and the ways in which they answer. Also the work
// of a table by a contraction hierarchy, for which network_work.cpp asks. (RoutingKit and pandana are compiled as
// C++17, and so is this.)
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <ctime>
#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <vector>

using Ints = std::vector<std::int32_t>;

/// In all programs a distance from this number on is none.
constexpr std::int32_t unreached = 1000000000;

/// No loops, no arc twice, sorted by their ends.
struct Graph {
  std::string name;
  std::int32_t n = 0;
  Ints from, to, weight;
  bool symmetric = false;                  ///< whether every arc leads back, too, with the same length
  std::vector<float> latitude, longitude;  ///< empty if they are not known
  Ints order;                              ///< blockfw's order of elimination
};

/// A place of a point on an arc; position is the part of its length that lies before the place.
struct Place {
  std::int32_t point, arc, position;
};

/// No path may go from the one arc to the other. There is one such turn from an arc at most.
struct ForbiddenTurn {
  std::int32_t from, to;
};

enum class Asked {
  preparation,
  order,        ///< of CCH
  new_weights,  ///< the answer: distances of pairs by them
  one_by_one,   ///< pairs in calls of their own, by one thread
  pairs,
  table,
  row_by_row,  ///< rows in calls of their own; the answer is the last row
  rows,
  matrix,  ///< of all distances, out of the arcs
  points,  ///< the table of all points
  turns,   ///< preparation where some turns are forbidden, and U-turns but at dead ends
  table_by_turns,
  nearest,     ///< for each vertex the distances to the `count` nearest targets within the limit
  sums_within  ///< for each vertex, and each of the ascending limits, the sum of the values of all vertices within it
};

struct Question {
  Asked what;
  std::string name;
  std::size_t distances = 0, sums = 0;  ///< how many numbers the answer has
  Ints sources = {}, targets = {};
  int answers = 1;  ///< how many answers a way gives in a run
  int count = 0;    ///< of points, or of the nearest places of a vertex
  Ints limits = {};
  Ints weights = {};
  std::vector<double> values = {};
  std::vector<Place> places = {};
  std::vector<ForbiddenTurn> turns = {};
};

struct Answer {
  Ints distances;
  std::vector<double> sums;
};

/// A way in which a program answers a question.
struct Way {
  std::string program;  ///< the column of the table
  std::string how;      ///< may be empty
  std::function<void(Answer&)> run;
  /// Fills the answer where run() does not; it is not timed.
  std::function<void(Answer&)> check = {};
};
using Ways = std::vector<Way>;

/// A program, or several of one library.
class Program {
 public:
  virtual ~Program() = default;
  virtual std::vector<std::string> columns() const = 0;
  /// The ways to answer the question, which outlives them; none if the program cannot. What the question presumes is
  /// prepared here, where it is not timed.
  virtual Ways ways(const Question& question) = 0;
};

/// The graph outlives the program.
std::unique_ptr<Program> blockfw_program(const Graph& graph);
/// \param hierarchies  whether to have CH and CCH, or Dijkstra alone. (A million vertices take minutes to prepare.)
std::unique_ptr<Program> routingkit_programs(const Graph& graph, bool hierarchies);
std::unique_ptr<Program> pandana_program(const Graph& graph);
std::unique_ptr<Program> gap_program(const Graph& graph);

Ints order_by_blockfw(const Graph& graph);
int threads_of_blockfw();

/// Time that the processor spent on this program.
inline double processor_seconds() { return double(std::clock()) / CLOCKS_PER_SEC; }

/// The least time of some runs of f.
template <class F>
double seconds_of(int runs, const F& f) {
  double least = std::numeric_limits<double>::infinity();
  for (int run = 0; run < runs; ++run) {
    const double begin = processor_seconds();
    f();
    least = std::min(least, processor_seconds() - begin);
  }
  return least;
}

/// Times are the least of some runs, in seconds of the processor. Numbers of a source are means.
struct HierarchyWork {
  double table = 0;
  double pin = 0;             ///< marks all targets, once for the table
  double search = 0;          ///< from a source up the hierarchy
  double sweep = 0;           ///< of a source, down to all targets
  double settled = 0;         ///< vertices of a search
  double searched = 0;        ///< arcs of a search
  std::int64_t vertices = 0;  ///< of a sweep
  std::int64_t swept = 0;     ///< arcs of a sweep
  std::int64_t arcs = 0;      ///< of the hierarchy: those that lead up, in both directions
  std::uint64_t sum = 0;      ///< of all distances that are finite
  double compact = 0;         ///< a sweep whose vertices and arcs lie in its order
  double without_arcs = 0;    ///< the same, but it does not keep the arcs: no branch depends on a distance
  double apart = 0;           ///< the same, and no distance that it writes is read
};

/// \brief Makes a table on one thread, several times.
/// \param prepared  filled with the seconds of the preparation
HierarchyWork work_of_routingkit_program(const Graph& graph, const Ints& sources, const Ints& targets, int runs,
                                         double& prepared);
