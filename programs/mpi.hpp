// SPDX-License-Identifier: MIT
// Shared by the programs that run on ranks of MPI: how these start and end.
#pragma once

#include "program.hpp"

#include <blockfw/ground/error.hpp>

#include <mpi.h>

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string>

namespace program {

/// Starts MPI, and ends it when destroyed.
class Mpi {
 public:
  Mpi(int* argc, char*** argv) {
    int level = 0;
    MPI_Init_thread(argc, argv, MPI_THREAD_FUNNELED, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
  }
  Mpi(const Mpi&) = delete;
  Mpi& operator=(const Mpi&) = delete;
  ~Mpi() { MPI_Finalize(); }

  /// The exit status of all ranks: that of the first, which knows the error. Collective.
  static int status_of_all(int status) {
    MPI_Bcast(&status, 1, MPI_INT, 0, MPI_COMM_WORLD);
    return status;
  }

  /// Whether this is the rank that prints for all.
  bool first() const { return rank_ == 0; }

 private:
  int rank_ = 0;
};

/// Calls f(). Errors of the library are the same on all ranks. Any other error is known only to this rank, and ends all
/// ranks.
/// \param name  of the program, and \param input  its file, for that error
template <class F>
void on_all_ranks(const char* name, const std::string& input, const F& f) {
  const auto abort_all = [&](const std::exception& error) {
    std::fprintf(stderr, "%s: %s: %s\n", name, input.c_str(), line_of(error).c_str());
    MPI_Abort(MPI_COMM_WORLD, 1);
    std::abort();
  };
  try {
    f();
  } catch (const blockfw::RankError& error) {
    abort_all(error);
  } catch (const blockfw::Error&) {
    throw;
  } catch (const std::exception& error) {
    abort_all(error);
  }
}

}  // namespace program
