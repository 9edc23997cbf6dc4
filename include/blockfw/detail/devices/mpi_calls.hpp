/// \file
/// \brief MPI calls that throw on errors, and a way for all ranks to learn of one rank's error.
#pragma once

#include "blockfw/edges.hpp"
#include "blockfw/error.hpp"

#include <mpi.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>

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

/// \brief A communicator that this object owns and frees. MPI returns its errors instead of aborting.
class Communicator {
 public:
  Communicator() = default;
  /// A duplicate: the same ranks in the same order.
  explicit Communicator(MPI_Comm other) {
    require_mpi(MPI_Comm_dup(other, &comm_), "duplicating a communicator");
    set_up();
  }
  /// The ranks of one colour, in the order of `key`.
  /// \param kind  if MPI_COMM_TYPE_SHARED: the ranks that share memory; the colour is ignored
  Communicator(const Communicator& all, int color, int key, int kind = MPI_UNDEFINED) {
    require_mpi(kind == MPI_UNDEFINED ? MPI_Comm_split(all.comm_, color, key, &comm_)
                                      : MPI_Comm_split_type(all.comm_, kind, key, MPI_INFO_NULL, &comm_),
                "splitting a communicator");
    set_up();
  }
  Communicator(Communicator&& other) noexcept { *this = std::move(other); }
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

  MPI_Comm get() const { return comm_; }
  int rank() const { return rank_; }
  int size() const { return size_; }

  /// The minimum, maximum or sum of all ranks' values, by `how`; collective.
  template <class T>
  T reduce(T value, MPI_Op how) const {
    T result = value;
    require_mpi(MPI_Allreduce(&value, &result, 1, mpi_type<T>(), how, comm_), "comparing numbers");
    return result;
  }

 private:
  void set_up() {
    require_mpi(MPI_Comm_set_errhandler(comm_, MPI_ERRORS_RETURN), "choosing how errors are told");
    require_mpi(MPI_Comm_rank(comm_, &rank_), "asking for the rank");
    require_mpi(MPI_Comm_size(comm_, &size_), "counting ranks");
  }

  MPI_Comm comm_ = MPI_COMM_NULL;
  int rank_ = 0, size_ = 1;
};

/// \brief An error as kind, number and text, which ranks can send.
class Failure {
  enum Kind : std::int64_t { none, other, input, edge, overflow, memory, device, cycle, file };

 public:
  /// Calls f. \return the failure that it throws, or none
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
      failure.set(cycle, e.what(), e.vertex);
    } catch (const FileError& e) {
      failure.set(file, e.what());
    } catch (const std::exception& e) {
      failure.set(other, e.what());
    } catch (...) {
      failure.set(other, "an unknown error");
    }
    return failure;
  }

  /// Sends the failure of the lowest rank that has one to all ranks; collective.
  void share(const Communicator& ranks) {
    const int first = ranks.reduce(kind_ == none ? ranks.size() : ranks.rank(), MPI_MIN);
    if (first == ranks.size()) return;
    std::int64_t words[] = {kind_, number_, static_cast<std::int64_t>(what_.size())};
    require_mpi(MPI_Bcast(words, 3, MPI_INT64_T, first, ranks.get()), "sending an error");
    kind_ = static_cast<Kind>(words[0]), number_ = words[1];
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
        throw NegativeCycle(number_);
      case file:
        throw FileError(what_);
      case other:
        throw Error(what_);
    }
  }

 private:
  void set(Kind kind, std::string what, std::int64_t number = 0) {
    kind_ = kind, what_ = std::move(what), number_ = number;
    constexpr std::size_t longest = 1 << 20;
    if (what_.size() > longest) what_.resize(longest);
  }

  Kind kind_ = none;
  std::int64_t number_ = 0;
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

}  // namespace detail
}  // namespace blockfw
