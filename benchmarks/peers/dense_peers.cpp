// SPDX-License-Identifier: MIT
// Programs that solve a matrix by other libraries and by textbook loops (measure.hpp). A macro names the library,
// PEER_BOOST or PEER_GRAPHBLAS. Without one it is the loops.
#include "measure.hpp"

#if defined(PEER_BOOST)
#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/floyd_warshall_shortest.hpp>
#elif defined(PEER_GRAPHBLAS)
extern "C" {  // GraphBLAS.h leaves this to its includer
#include <GraphBLAS.h>
}
#endif

#if defined(PEER_BOOST)
// Boost's Floyd-Warshall at its fastest: vertices that are numbers, and distances that are rows of one array.

namespace {

constexpr int no_path = std::numeric_limits<int>::max() / 2;

using Graph = boost::adjacency_list<boost::vecS, boost::vecS, boost::directedS, boost::no_property,
                                    boost::property<boost::edge_weight_t, int>>;

Graph graph_of(const Matrix& matrix) {
  Graph graph(matrix.n);
  for (std::size_t i = 0; i < matrix.n; ++i)
    for (std::size_t j = 0; j < matrix.n; ++j)
      if (const int weight = matrix.entries[i * matrix.n + j]; i != j && weight != no_path)
        boost::add_edge(i, j, weight, graph);
  return graph;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 5) return 2;
  const Matrix matrix = read_matrix(argv[1]);
  const Graph graph = graph_of(matrix);
  std::vector<int> entries(matrix.entries.size());
  std::vector<int*> d;
  for (std::size_t i = 0; i < matrix.n; ++i) d.push_back(entries.data() + i * matrix.n);
  measure(
      argv, [] {},
      [&] { boost::floyd_warshall_all_pairs_shortest_paths(graph, d, boost::distance_inf(no_path).distance_zero(0)); });
  write_matrix(argv[2], entries.data(), entries.size());
}

#elif defined(PEER_GRAPHBLAS)
// All-pairs shortest paths with SuiteSparse:GraphBLAS, on all cores.
//
// The fastest method that we found for dense results, 32 pivots at a time: with P the paths among the pivots, C their
// columns of D and R their rows, D = min(D, C P R), each product by GrB_mxm in (min, +). On two cores, n = 1000, that
// took 0.25 s; one pivot at a time, as LAGraph's Floyd-Warshall, 1.0; squaring D until it stays as it is, 1.5 to 1.9.
// D is full, with a large weight for no edge. Products use the dot method: with its own choice GraphBLAS takes twice as
// long or more.

namespace {

void check(GrB_Info info) {
  if (info == GrB_SUCCESS) return;
  std::fprintf(stderr, "GraphBLAS: error %d\n", static_cast<int>(info));
  std::exit(1);
}

constexpr GrB_Index pivots_at_a_time = 32;

GrB_Descriptor product_of_dots() {
  GrB_Descriptor descriptor;
  check(GrB_Descriptor_new(&descriptor));
  check(GrB_Descriptor_set(descriptor, GxB_AxB_METHOD, GxB_AxB_DOT));
  return descriptor;
}

void floyd_warshall(GrB_Matrix d, GrB_Index n, GrB_Descriptor small, GrB_Descriptor large) {
  const auto product = [](GrB_Matrix c, GrB_BinaryOp with_c, GrB_Matrix a, GrB_Matrix b, GrB_Descriptor descriptor) {
    check(GrB_mxm(c, nullptr, with_c, GrB_MIN_PLUS_SEMIRING_INT32, a, b, descriptor));
  };
  for (GrB_Index k = 0; k < n; k += pivots_at_a_time) {
    const GrB_Index size = std::min(pivots_at_a_time, n - k);
    const GrB_Index pivots[] = {k, k + size - 1};
    GrB_Matrix p, r, c;
    check(GrB_Matrix_new(&p, GrB_INT32, size, size));
    check(GrB_Matrix_new(&r, GrB_INT32, size, n));
    check(GrB_Matrix_new(&c, GrB_INT32, n, size));
    check(GrB_Matrix_extract(p, nullptr, nullptr, d, pivots, GxB_RANGE, pivots, GxB_RANGE, nullptr));
    check(GrB_Matrix_extract(r, nullptr, nullptr, d, pivots, GxB_RANGE, GrB_ALL, n, nullptr));
    check(GrB_Matrix_extract(c, nullptr, nullptr, d, GrB_ALL, n, pivots, GxB_RANGE, nullptr));
    // The diagonal is 0: a product also has the paths of its factors.
    for (GrB_Index edges = 1; edges < size; edges *= 2) product(p, nullptr, p, p, small);
    product(r, nullptr, p, r, small);
    product(d, GrB_MIN_INT32, c, r, large);
    for (GrB_Matrix* matrix : {&p, &r, &c}) check(GrB_Matrix_free(matrix));
  }
  check(GrB_Matrix_wait(d, GrB_MATERIALIZE));
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 5) return 2;
  const Matrix matrix = read_matrix(argv[1]);
  const std::size_t bytes = matrix.entries.size() * sizeof(int);
  check(GrB_init(GrB_NONBLOCKING));
  const GrB_Descriptor small = product_of_dots(), large = product_of_dots();
  // GraphBLAS divides work by the entries of C and R, not by their cost; they are too few for two threads.
  check(GxB_Desc_set(large, GxB_DESCRIPTOR_CHUNK, 4096.0));
  GrB_Matrix weights, d = nullptr;
  check(GrB_Matrix_new(&weights, GrB_INT32, matrix.n, matrix.n));
  void* entries = std::malloc(bytes);
  std::copy(matrix.entries.begin(), matrix.entries.end(), static_cast<int*>(entries));
  check(GxB_Matrix_pack_FullR(weights, &entries, bytes, false, nullptr));
  measure(
      argv,
      [&] {
        check(GrB_Matrix_free(&d));
        check(GrB_Matrix_dup(&d, weights));
      },
      [&] { floyd_warshall(d, matrix.n, small, large); });
  GrB_Index size = 0;
  check(GxB_Matrix_unpack_FullR(d, &entries, &size, nullptr, nullptr));
  write_matrix(argv[2], static_cast<const int*>(entries), matrix.entries.size());
}

#else
// Floyd-Warshall as textbooks have it: three loops. With OpenMP, threads divide the rows for each k.

namespace {

void floyd_warshall(int* d, int n) {
  const auto row = [=](int i) { return d + static_cast<std::ptrdiff_t>(i) * n; };
  for (int k = 0; k < n; ++k) {
    const int* row_k = row(k);
#ifdef _OPENMP
#pragma omp parallel for schedule(static)
#endif
    for (int i = 0; i < n; ++i) {
      int* row_i = row(i);
      const int to_k = row_i[k];
      for (int j = 0; j < n; ++j) row_i[j] = std::min(row_i[j], to_k + row_k[j]);
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 5) return 2;
  const Matrix matrix = read_matrix(argv[1]);
  std::vector<int> d;
  measure(argv, [&] { d = matrix.entries; }, [&] { floyd_warshall(d.data(), static_cast<int>(matrix.n)); });
  write_matrix(argv[2], d.data(), d.size());
}

#endif
