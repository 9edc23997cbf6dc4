// SPDX-License-Identifier: MIT
// All-pairs shortest paths as a course on parallel programming asks for them. Its own apsp.h declares the same
// function: with -DBLOCKFW_PA3=FOLDER, the course's unchanged files there and ours become the program pa3_course.
#pragma once

/// In place: graph[i·n + j] is the length of the edge i → j on entry and of the shortest path on exit, ready when this
/// returns. The sums of a path's lengths must stay below 2^30 - 1, which stands for "no path". Starts Kokkos if need
/// be.
void apsp(int n, /* device */ int* graph);
