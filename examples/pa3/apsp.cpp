#include "apsp.hpp"

#include <blockfw/floyd_warshall.hpp>

void apsp(int n, /* device */ int* graph) { blockfw::blocked_floyd_warshall(graph, n, n); }
