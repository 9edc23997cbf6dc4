// SPDX-License-Identifier: MIT
/// \file
/// \brief A communicator of MPI as an object, whose errors are exceptions.
#pragma once

#include "blockfw/ground/error.hpp"

#include <mpi.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
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
