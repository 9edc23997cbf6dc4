// SPDX-License-Identifier: MIT
/// \file
/// \brief The old names of binary_edges_mpi.hpp, kept for one release.
#pragma once

#include "blockfw/io/binary_edges_mpi.hpp"
#include "blockfw/io/homework.hpp"

namespace blockfw::io {

using HomeworkPart [[deprecated("it is BinaryEdgesPart now")]] = BinaryEdgesPart;
using HomeworkRanksInput [[deprecated("it is BinaryEdgesRanksInput now")]] = BinaryEdgesRanksInput;
using HomeworkRanksOutput [[deprecated("it is BinaryDistancesRanksOutput now")]] = BinaryDistancesRanksOutput;

}  // namespace blockfw::io
