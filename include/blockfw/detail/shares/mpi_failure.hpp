// SPDX-License-Identifier: MIT
/// \file
/// \brief Tells all ranks of one rank's error.
#pragma once

#include "blockfw/ground/communicator.hpp"
#include "blockfw/ground/edge.hpp"
#include "blockfw/ground/error.hpp"

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <exception>
#include <new>
#include <string>
#include <type_traits>
#include <vector>

namespace blockfw::detail {

/// Sends bytes from one rank to all; collective.
inline void broadcast(const Communicator& ranks, void* data, std::size_t bytes, int root, const char* what) {
  in_mpi_ranges(bytes, [&](std::size_t first, int size) {
    require_mpi(MPI_Bcast(static_cast<std::byte*>(data) + first, size, MPI_BYTE, root, ranks.get()), what);
  });
}

/// \brief An error as a kind, numbers and a text, which ranks can send.
class Failure {
 public:
  /// Calls f.
  /// \return the failure that f throws, or none
  template <class F>
  static Failure of(const F& f) {
    Failure failure;
    try {
      f();
    } catch (const RankError&) {  // the other ranks cannot learn of it
      throw;
    } catch (const std::bad_alloc&) {  // a lack of memory that no check foresaw
      failure.take(OutOfMemory("a rank needs more memory than is available"));
    } catch (const std::exception& e) {
      failure.take(e);
    } catch (...) {
      failure.take(Error("an unknown error"));
    }
    return failure;
  }

  /// Sends one failure to all ranks: the failure of the lowest rank that has one. Collective.
  void share(const Communicator& ranks) {
    const int first = ranks.reduce(kind_ == none ? ranks.size() : ranks.rank(), MPI_MIN);
    if (first == ranks.size()) return;
    std::int64_t words[] = {kind_, number_, static_cast<std::int64_t>(what_.size()), other_};
    broadcast(ranks, words, sizeof(words), first, "sending an error");
    kind_ = static_cast<int>(words[0]), number_ = words[1], other_ = words[3];
    what_.resize(static_cast<std::size_t>(words[2]));
    broadcast(ranks, what_.data(), what_.size(), first, "sending an error");
  }

  void rethrow() const {
    find_kind([&]<class E>(std::type_identity<E>, int kind) {
      if (kind != kind_) return false;
      if constexpr (std::is_same_v<E, InvalidEdge>)
        throw InvalidEdge(number_, what_);
      else if constexpr (std::is_base_of_v<DivergentCycle, E>)
        throw other_ < 0 ? E(number_) : E(number_, other_);
      else
        throw E(what_);
    });
  }

 private:
  static constexpr int none = -1;

  /// Calls f(type, number) for each kind of errors, until f returns true. (An error is of the first kind that fits, so
  /// a type comes before its base. The last one stands for all other errors.)
  template <class F>
  static void find_kind(const F& f) {
    find_among<InvalidEdge, InvalidInput, OverflowRisk, OutOfMemory, DeviceError, NegativeCycle, DivergentCycle,
               FileError, Error>(f);
  }
  template <class... E, class F>
  static void find_among(const F& f) {
    int kind = 0;
    static_cast<void>((f(std::type_identity<E>(), kind++) || ...));
  }

  void take(const std::exception& e) {
    find_kind([&]<class E>(std::type_identity<E>, int kind) {
      kind_ = kind;
      return dynamic_cast<const E*>(&e) != nullptr;
    });
    what_ = e.what();
    if (const auto* const edge = dynamic_cast<const InvalidEdge*>(&e)) {  // (its text starts with the edge's number)
      number_ = edge->edge;
      what_.erase(0, what_.find(": ") + 2);
    } else if (const auto* const cycle = dynamic_cast<const DivergentCycle*>(&e)) {
      number_ = cycle->vertex, other_ = cycle->other;
    }
    constexpr std::size_t longest = 1 << 20;
    if (what_.size() > longest) what_.resize(longest);
  }

  int kind_ = none;
  std::int64_t number_ = 0;
  std::int64_t other_ = -1;  ///< of an undirected edge that is a cycle, its other end
  std::string what_;
};

/// \brief Calls f on each rank; collective.
/// \throws on all ranks the error of the lowest rank whose call throws
template <class F>
void together(const Communicator& ranks, const F& f) {
  Failure failure = Failure::of(f);
  failure.share(ranks);
  failure.rethrow();
}

/// \brief Checks that all ranks pass the same numbers; collective.
/// \param what  the name of the numbers, for example "sources"
/// \throws InvalidInput
inline void require_same(const Communicator& ranks, const std::vector<std::int64_t>& numbers, const char* what) {
  std::uint64_t hash = 14695981039346656037u;  // (FNV-1a, a word at a time)
  for (const std::int64_t x : numbers) hash = (hash ^ static_cast<std::uint64_t>(x)) * 1099511628211u;
  const auto own = static_cast<std::int64_t>(hash);
  if (ranks.reduce(own, MPI_MIN) != ranks.reduce(own, MPI_MAX))
    throw InvalidInput(std::string("the ranks pass different ") + what + ", expected the same");
}

}  // namespace blockfw::detail
