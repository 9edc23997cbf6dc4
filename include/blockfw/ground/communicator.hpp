// SPDX-License-Identifier: MIT
/// \file
/// \brief A communicator of MPI as an object, whose errors are exceptions; all ranks learn of one rank's error.
#pragma once

#include "blockfw/detail/base/arithmetic.hpp"
#include "blockfw/ground/edge.hpp"
#include "blockfw/ground/error.hpp"

#include <mpi.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <new>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace blockfw {

namespace detail {

/// \throws RankError unless status is MPI_SUCCESS
inline void require_mpi(int status, const char* what) {
  if (status == MPI_SUCCESS) return;
  char text[MPI_MAX_ERROR_STRING] = "";
  int length = 0;
  MPI_Error_string(status, text, &length);
  throw RankError(std::string("MPI, ") + what + ": " + text);
}

/// The MPI datatype of T.
template <class T>
MPI_Datatype mpi_type() {
  if constexpr (std::is_same_v<T, std::int8_t>) return MPI_INT8_T;
  if constexpr (std::is_same_v<T, std::int16_t>) return MPI_INT16_T;
  if constexpr (std::is_same_v<T, std::int32_t>) return MPI_INT32_T;
  if constexpr (std::is_same_v<T, std::int64_t>) return MPI_INT64_T;
  if constexpr (std::is_same_v<T, float>) return MPI_FLOAT;
  if constexpr (std::is_same_v<T, double>) return MPI_DOUBLE;
}

/// MPI counts are int: calls f(first, count) for consecutive ranges of at most `most` elements.
template <class F>
void in_mpi_ranges(std::size_t count, const F& f, std::size_t most = std::size_t(1) << 30) {
  for (std::size_t first = 0; first < count; first += most) f(first, static_cast<int>(std::min(most, count - first)));
}

}  // namespace detail

/// \brief A communicator that this object owns and frees. MPI returns its errors instead of aborting.
class Communicator {
 public:
  Communicator() = default;
  /// A duplicate: the same ranks in the same order.
  explicit Communicator(MPI_Comm other) {
    detail::require_mpi(MPI_Comm_dup(other, &comm_), "duplicating a communicator");
    set_up();
  }
  /// The ranks of one colour, in the order of `key`.
  /// \param all    the communicator to split
  /// \param color  which of the new communicators this rank goes to
  /// \param key    ranks are numbered in the order of this number
  /// \param kind   MPI_COMM_TYPE_SHARED for the ranks that share memory; the colour is then ignored
  Communicator(const Communicator& all, int color, int key, int kind = MPI_UNDEFINED) {
    detail::require_mpi(kind == MPI_UNDEFINED ? MPI_Comm_split(all.comm_, color, key, &comm_)
                                              : MPI_Comm_split_type(all.comm_, kind, key, MPI_INFO_NULL, &comm_),
                        "splitting a communicator");
    set_up();
  }
  /// Takes the communicator over.
  Communicator(Communicator&& other) noexcept { *this = std::move(other); }
  /// Swaps the two.
  Communicator& operator=(Communicator&& other) noexcept {
    std::swap(comm_, other.comm_);
    std::swap(rank_, other.rank_);
    std::swap(size_, other.size_);
    return *this;
  }
  ~Communicator() {
    int over = 0;
    MPI_Finalized(&over);
    if (comm_ != MPI_COMM_NULL && !over) MPI_Comm_free(&comm_);
  }

  /// The communicator of MPI.
  MPI_Comm get() const { return comm_; }
  /// The rank of this process.
  int rank() const { return rank_; }
  /// The number of ranks.
  int size() const { return size_; }

  /// The minimum, maximum or sum of all ranks' values, by `how`; collective.
  template <class T>
  T reduce(T value, MPI_Op how) const {
    T result = value;
    detail::require_mpi(MPI_Allreduce(&value, &result, 1, detail::mpi_type<T>(), how, comm_), "comparing numbers");
    return result;
  }

  /// \brief The same for each of some numbers, in place. All ranks have the same number of them.
  template <class T>
  void reduce_all(std::vector<T>& values, MPI_Op how) const {
    detail::in_mpi_ranges(values.size(), [&](std::size_t first, int count) {
      detail::require_mpi(MPI_Allreduce(MPI_IN_PLACE, values.data() + first, count, detail::mpi_type<T>(), how, comm_),
                          "comparing numbers");
    });
  }

 private:
  void set_up() {
    detail::require_mpi(MPI_Comm_set_errhandler(comm_, MPI_ERRORS_RETURN), "choosing how errors are told");
    detail::require_mpi(MPI_Comm_rank(comm_, &rank_), "asking for the rank");
    detail::require_mpi(MPI_Comm_size(comm_, &size_), "counting ranks");
  }

  MPI_Comm comm_ = MPI_COMM_NULL;
  int rank_ = 0, size_ = 1;
};

}  // namespace blockfw

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
    what_.resize(at(words[2]));
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
  std::int64_t other_ = -1;  ///< the other end of an undirected edge that is a cycle
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
