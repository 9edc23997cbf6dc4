// SPDX-License-Identifier: MIT
/// \file
/// \brief Every exception that blockfw throws.
#pragma once

#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>

namespace blockfw {

namespace detail {

/// A part of a message: words, or a number as std::to_string() writes it. The words must outlive it.
class PartOfMessage {
 public:
  PartOfMessage(const char* words) : words_(words) {}
  PartOfMessage(const std::string& words) : words_(words) {}
  template <std::signed_integral Number>
  PartOfMessage(Number number) : kind_(Kind::integer), integer_(number) {}
  template <std::unsigned_integral Number>
  PartOfMessage(Number number) : kind_(Kind::natural), natural_(number) {}
  template <std::floating_point Number>
  PartOfMessage(Number number) : kind_(Kind::real), real_(number) {}

  std::string text() const {
    switch (kind_) {
      case Kind::integer:
        return std::to_string(integer_);
      case Kind::natural:
        return std::to_string(natural_);
      case Kind::real:
        return std::to_string(real_);
      default:
        return std::string(words_);
    }
  }

 private:
  enum class Kind { words, integer, natural, real };
  Kind kind_ = Kind::words;
  std::string_view words_;
  long long integer_ = 0;
  unsigned long long natural_ = 0;
  double real_ = 0;
};

/// The parts one after another. (Not inlined: a header has many messages.)
[[gnu::noinline]] inline std::string message_of(std::initializer_list<PartOfMessage> parts) {
  std::string message;
  for (const PartOfMessage& part : parts) message += part.text();
  return message;
}

}  // namespace detail

/// Base of all errors of the library; what() is one line that names the problem, the place and the expected input.
struct Error : std::runtime_error {
  using std::runtime_error::runtime_error;
  /// \param parts  of what(): words and numbers, two or more
  template <class... Parts>
    requires(sizeof...(Parts) > 1 && (std::is_convertible_v<const Parts&, detail::PartOfMessage> && ...))
  explicit Error(const Parts&... parts) : runtime_error(detail::message_of({detail::PartOfMessage(parts)...})) {}
};

/// An input that cannot be solved: a matrix that is not square, a vertex out of range, a NaN weight, a null pointer.
/// Also a call while Kokkos does not run.
struct InvalidInput : Error {
  using Error::Error;
};

/// Sums along a path might not fit the chosen type; what() names a wider one. Thrown before the solve.
struct OverflowRisk : Error {
  using Error::Error;
};

/// The matrix does not fit the available memory. Thrown before the allocation that does not fit.
struct OutOfMemory : Error {
  using Error::Error;
};

/// A device, or a call of its runtime, failed.
struct DeviceError : Error {
  using Error::Error;
};

/// A cycle gets better each time around, so best paths do not exist.
struct DivergentCycle : Error {
  /// \param on_cycle  a vertex on the cycle, 0-based
  explicit DivergentCycle(std::int64_t on_cycle)
      : DivergentCycle(on_cycle, "divergent cycle: vertex " + std::to_string(on_cycle) +
                                     " can return to itself and gain each time, so best paths do not exist") {}
  /// \brief For an edge of an undirected graph: it leads there and back, so it is a cycle by itself.
  /// \param from, to  its ends, 0-based
  DivergentCycle(std::int64_t from, std::int64_t to)
      : DivergentCycle(from,
                       "divergent cycle: " + edge_sentence(std::to_string(from), std::to_string(to), false) +
                           ", and best paths do not exist",
                       to) {}
  /// \brief For one of several graphs.
  /// \param where  the begin of the sentence
  /// \param cycle  of the graph
  DivergentCycle(const std::string& where, const DivergentCycle& cycle)
      : DivergentCycle(cycle.vertex, where + cycle.what(), cycle.other) {}

  std::int64_t vertex;  ///< a vertex on the cycle, 0-based
  std::int64_t other;   ///< if one undirected edge is the cycle, its other end, 0-based; else -1

  /// The sentence about an undirected edge that is a cycle by itself, as it is negative or, on longest paths, positive.
  static std::string edge_sentence(const std::string& from, const std::string& to, bool negative) {
    return "the edge between " + from + " and " + to + " is " + (negative ? "negative" : "positive") +
           " and leads in both directions, so it is a cycle by itself";
  }

 protected:
  /// For errors that say more about the cycle.
  DivergentCycle(std::int64_t on_cycle, const std::string& what, std::int64_t other_end = -1)
      : Error(what), vertex(on_cycle), other(other_end) {}
};

/// The graph has a cycle of negative length, so shortest paths do not exist.
struct NegativeCycle : DivergentCycle {
  /// \param on_cycle  a vertex on the cycle, 0-based
  explicit NegativeCycle(std::int64_t on_cycle)
      : DivergentCycle(on_cycle, "negative cycle: vertex " + std::to_string(on_cycle) +
                                     " can return to itself at a negative length, so shortest paths do not exist") {}
  /// \brief For a negative edge of an undirected graph: it leads there and back, so it is a cycle by itself.
  /// \param from, to  its ends, 0-based
  NegativeCycle(std::int64_t from, std::int64_t to)
      : DivergentCycle(from,
                       "negative cycle: " + edge_sentence(std::to_string(from), std::to_string(to), true) +
                           ", and shortest paths do not exist",
                       to) {}
  /// \brief For one of several graphs.
  /// \param where  the begin of the sentence
  /// \param cycle  of the graph
  NegativeCycle(const std::string& where, const NegativeCycle& cycle) : DivergentCycle(where, cycle) {}
};

/// A file that cannot be read or written; what() starts with its name.
struct FileError : Error {
  using Error::Error;
};

/// \brief An error of MPI itself or within the rounds, on one rank. The other ranks do not know of it. They may wait
/// for ever, and only MPI_Abort ends them.
struct RankError : Error {
  using Error::Error;
};

}  // namespace blockfw
