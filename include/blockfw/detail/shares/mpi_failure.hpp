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
#include <utility>
#include <vector>

namespace blockfw::detail {

/// \brief An error as a kind, a number and a text, which ranks can send.
class Failure {
  enum Kind : std::int64_t { none, other, input, edge, overflow, memory, device, cycle, divergence, file };

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
    } catch (const InvalidEdge& e) {  // (its text starts with the edge's number)
      const std::string text = e.what();
      failure.set(edge, text.substr(text.find(": ") + 2), e.edge);
    } catch (const InvalidInput& e) {
      failure.set(input, e.what());
    } catch (const OverflowRisk& e) {
      failure.set(overflow, e.what());
    } catch (const OutOfMemory& e) {
      failure.set(memory, e.what());
    } catch (const DeviceError& e) {
      failure.set(device, e.what());
    } catch (const NegativeCycle& e) {
      failure.set(cycle, e.what(), e.vertex, e.other);
    } catch (const DivergentCycle& e) {
      failure.set(divergence, e.what(), e.vertex, e.other);
    } catch (const FileError& e) {
      failure.set(file, e.what());
    } catch (const std::bad_alloc&) {  // a lack of memory that no check foresaw
      failure.set(memory, "a rank needs more memory than is available");
    } catch (const std::exception& e) {
      failure.set(other, e.what());
    } catch (...) {
      failure.set(other, "an unknown error");
    }
    return failure;
  }

  /// Sends one failure to all ranks: the failure of the lowest rank that has one. Collective.
  void share(const Communicator& ranks) {
    const int first = ranks.reduce(kind_ == none ? ranks.size() : ranks.rank(), MPI_MIN);
    if (first == ranks.size()) return;
    std::int64_t words[] = {kind_, number_, static_cast<std::int64_t>(what_.size()), other_};
    require_mpi(MPI_Bcast(words, 4, MPI_INT64_T, first, ranks.get()), "sending an error");
    kind_ = static_cast<Kind>(words[0]), number_ = words[1], other_ = words[3];
    what_.resize(static_cast<std::size_t>(words[2]));
    require_mpi(MPI_Bcast(what_.data(), static_cast<int>(words[2]), MPI_CHAR, first, ranks.get()), "sending an error");
  }

  void rethrow() const {
    switch (kind_) {
      case none:
        return;
      case input:
        throw InvalidInput(what_);
      case edge:
        throw InvalidEdge(number_, what_);
      case overflow:
        throw OverflowRisk(what_);
      case memory:
        throw OutOfMemory(what_);
      case device:
        throw DeviceError(what_);
      case cycle:
        throw other_ < 0 ? NegativeCycle(number_) : NegativeCycle(number_, other_);
      case divergence:
        throw other_ < 0 ? DivergentCycle(number_) : DivergentCycle(number_, other_);
      case file:
        throw FileError(what_);
      case other:
        throw Error(what_);
    }
  }

 private:
  void set(Kind kind, std::string what, std::int64_t number = 0, std::int64_t end = -1) {
    kind_ = kind, what_ = std::move(what), number_ = number, other_ = end;
    constexpr std::size_t longest = 1 << 20;
    if (what_.size() > longest) what_.resize(longest);
  }

  Kind kind_ = none;
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
