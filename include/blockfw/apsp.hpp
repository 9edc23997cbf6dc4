// SPDX-License-Identifier: MIT
/// \file
/// \brief This header includes every public header of blockfw, except headers that need a further library.
///
/// It leaves out blockfw/distributed.hpp and blockfw/io/binary_edges_mpi.hpp, which need MPI. It also leaves out
/// blockfw/orders, which needs METIS or SuiteSparse's AMD, and blockfw/io/gzip.hpp, which needs zlib.
///
/// \code
///   std::vector<blockfw::Edge<int>> roads = {{0, 1, 5}, {1, 2, 2}, {0, 2, 9}, {2, 3, 1}};
///   auto distance = blockfw::solve(4, roads);  // distance(0, 2) == 7, in the default space's memory
/// \endcode
#pragma once

#include "blockfw/batch.hpp"
#include "blockfw/edge_loads.hpp"
#include "blockfw/edges.hpp"
#include "blockfw/end_points.hpp"
#include "blockfw/files/input_file.hpp"
#include "blockfw/files/output_file.hpp"
#include "blockfw/floyd_warshall.hpp"
#include "blockfw/ground/answers.hpp"
#include "blockfw/ground/error.hpp"
#include "blockfw/ground/graph_batch.hpp"
#include "blockfw/ground/matrix.hpp"
#include "blockfw/ground/options.hpp"
#include "blockfw/ground/semiring.hpp"
#include "blockfw/ground/turn.hpp"
#include "blockfw/ground/version.hpp"
#include "blockfw/ground/weights.hpp"
#include "blockfw/group_sums.hpp"
#include "blockfw/io/binary_edges.hpp"
#include "blockfw/io/distance_file.hpp"
#include "blockfw/io/distances.hpp"
#include "blockfw/io/graph.hpp"
#include "blockfw/io/graph_file.hpp"
#include "blockfw/io/network_file.hpp"
#include "blockfw/io/npy.hpp"
#include "blockfw/io/text_formats.hpp"
#include "blockfw/kokkos_runtime.hpp"
#include "blockfw/measures.hpp"
#include "blockfw/multi_device.hpp"
#include "blockfw/network.hpp"
#include "blockfw/network_factor.hpp"
#include "blockfw/network_questions.hpp"
#include "blockfw/out_of_core.hpp"
#include "blockfw/paths.hpp"
#include "blockfw/product.hpp"
#include "blockfw/second_weights.hpp"
#include "blockfw/small.hpp"
#include "blockfw/solve.hpp"
#include "blockfw/solve_from.hpp"
#include "blockfw/solved.hpp"
#include "blockfw/sparse.hpp"
#include "blockfw/sparse_analysis.hpp"
#include "blockfw/transitive_closure.hpp"
#include "blockfw/turns.hpp"
#include "blockfw/updates.hpp"
#include "blockfw/weight_sets.hpp"

/// \namespace blockfw
/// \brief All-pairs shortest paths.

/// \namespace blockfw::io
/// \brief Graphs and distances in files.
