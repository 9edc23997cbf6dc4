// SPDX-License-Identifier: MIT
/// \file
/// \brief Ranks of MPI for a test: any number of them run it together.
#pragma once

#include "blockfw/distributed.hpp"
#include "graphs.hpp"

#include <doctest/doctest.h>
#include <mpi.h>

#include <cstddef>
#include <exception>
#include <string>
#include <vector>

inline int rank() {
  int number = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &number);
  return number;
}
inline int ranks() {
  int count = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &count);
  return count;
}

/// The default grid and all grids of this number of ranks.
inline std::vector<blockfw::ProcessGrid> grids() {
  std::vector<blockfw::ProcessGrid> all = {{}};
  for (int rows = 1; rows <= ranks(); ++rows)
    if (ranks() % rows == 0) all.push_back({rows, ranks() / rows});
  return all;
}

/// This rank's part of the edges. Ranks have different numbers of edges.
template <class E>
std::vector<E> mine(const std::vector<E>& edges) {
  std::vector<E> some;
  for (std::size_t e = 0; e < edges.size(); ++e)
    if (static_cast<int>((e * e + e / 3) % static_cast<std::size_t>(ranks())) == rank()) some.push_back(edges[e]);
  return some;
}

/// The text of the error that f throws on this rank.
template <class E, class F>
std::string error_of(const F& f) {
  try {
    f();
  } catch (const E& error) {
    return error.what();
  } catch (const std::exception& error) {
    return std::string("another error: ") + error.what();
  }
  return "no error";
}
