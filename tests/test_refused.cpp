// SPDX-License-Identifier: MIT
// Calls that must not compile. test_refused.py compiles this file once. It finds for each function that begins with a
// comment "refused" an error with that text, and none elsewhere. (The compiler reports an error of a template once for
// the same arguments, so two calls with the same error have arguments of different types.)
#include "blockfw/apsp.hpp"

#include <list>
#include <tuple>
#include <utility>
#include <vector>

// A memory space that the host cannot access.
struct FarSpace {
  using memory_space = FarSpace;
  using execution_space = Kokkos::DefaultHostExecutionSpace;
  using device_type = Kokkos::Device<execution_space, memory_space>;
  using size_type = std::size_t;
  static constexpr const char* name() { return "Far"; }
};

template <class T, class... P>
using Matrix = Kokkos::View<T**, Kokkos::LayoutRight, P...>;

// Parts of the library that lack a member of their contract.

using Host = Kokkos::DefaultHostExecutionSpace;
using HostRef = blockfw::MatrixRef<int, Host>;
using Kernel = blockfw::detail::HostKernel<blockfw::Tile<8>, Host, blockfw::MinPlus<int> >;

template <class AnyKernel>
constexpr bool is_kernel = blockfw::detail::require_tile_kernel<AnyKernel, Host, blockfw::Part<HostRef>, HostRef>();
static_assert(is_kernel<Kernel>);

struct KernelWithoutClose : Kernel {
  using Kernel::Kernel;

 private:
  using Kernel::close;
};

struct KernelWithoutOrder : Kernel {
  using Kernel::Kernel;
  static int task_order(const Host&, const blockfw::Part<HostRef>&, int, const Panels&, blockfw::LookAheadProgress, int,
                        bool);
};

struct KernelWithoutPivots : Kernel {
  using Kernel::Kernel;
  struct Panels : Kernel::Panels {
   private:
    using Kernel::Panels::pivots;
  };
};

struct KernelWithoutBytes : Kernel {
  using Kernel::Kernel;
  struct PanelStorage : Kernel::PanelStorage {
    using Kernel::PanelStorage::PanelStorage;

   private:
    using Kernel::PanelStorage::bytes;
  };
};

struct KernelWithoutAFlag : Kernel {
  using Kernel::Kernel;
  struct Panels : Kernel::Panels {
   private:
    using Kernel::Panels::post_tile;
  };
};

struct LinkWithoutWait {
  static constexpr bool across = false;
  void send(blockfw::detail::Sent, int);
};

struct TransferWithoutStore {
  void load(int, int);
  blockfw::detail::Block at(int, int);
};

struct BackendWithoutEvents : blockfw::detail::Backend<Host> {
 private:
  using blockfw::detail::Backend<Host>::record;
};

// Semirings that lack a member, or that have a member of a wrong type.

struct NoDiverges {
  using value_type = int;
  static constexpr int zero() { return 0; }
  static constexpr int one() { return 1; }
  template <class V>
  static constexpr V relax(V c, V a, V b) {
    return blockfw::larger(blockfw::smaller(a, b), c);
  }
};

struct NoDivergesEither : NoDiverges {};

struct NoValueType {
  static constexpr int zero() { return 0; }
};

struct OfUnsigned : NoDiverges {
  using value_type = unsigned;
};

struct RelaxOfTwo : blockfw::MinPlus<int> {
  static constexpr int relax(int a, int b) { return a + b; }
};

struct ZeroOfDouble : blockfw::MinPlus<int> {
  static constexpr double zero() { return 1e9; }
};

using Edge = blockfw::Edge<int>;
std::vector<Edge> some_edges();
const blockfw::Network<blockfw::MinPlus<int> >& some_network();

void accepted() { blockfw::blocked_floyd_warshall(Matrix<int>()); }

// refused: the matrix is solved in place, its elements must not be const
void const_elements() { blockfw::blocked_floyd_warshall(Matrix<const int>()); }

// refused: elements must be int16_t, int32_t, int64_t, float or double
void other_elements() { blockfw::blocked_floyd_warshall(Matrix<unsigned>()); }

// refused: the view lies in a memory space that the execution space cannot reach
void far_memory() {
  blockfw::blocked_floyd_warshall(Matrix<int, FarSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged> >());
}

// refused: elements must be int16_t, int32_t, int64_t, float or double
void solve_other_elements() { blockfw::solve(Matrix<long double>()); }

// refused: the weights must convert to the distances' type without loss
void narrower_result() { blockfw::solve<std::int32_t>(3, Kokkos::View<blockfw::Edge<std::int64_t>*>()); }

// refused: the weights must convert to the distances' type without loss
void narrower_factor() {
  const std::vector<blockfw::Edge<int> > edges;
  const blockfw::SparseAnalysis analysis(3, edges);
  blockfw::SparseFactor<blockfw::MinPlus<std::int16_t>, Host> factor(Host(), analysis, edges);
}

// refused: the lengths of legs must convert to the distances' type without loss
void fractional_legs() {
  const blockfw::Network<blockfw::MinPlus<int>, Host> network(Host(), 3, some_edges());
  blockfw::EndPoints(network, 1, std::vector<blockfw::Leg<double> >());
}

// refused: the positions of places must convert to the distances' type without loss
void fractional_positions() {
  const blockfw::Network<blockfw::MinPlus<int>, Host> network(Host(), 3, some_edges());
  blockfw::on_edges(network, 1, std::vector<blockfw::PlaceOnEdge<double> >());
}

// refused: the elements of a container of turns must be of type blockfw::Turn<W>
void turns_of_edges() { blockfw::by_roads(Host(), 3, some_edges(), some_edges()); }

// refused: the costs of turns must convert to the distances' type without loss
void fractional_costs() { blockfw::by_roads(Host(), 3, some_edges(), std::vector<blockfw::Turn<double> >()); }

// refused: distances on several devices or ranks keep
void vertex_on_shares() {
  const std::vector<Kokkos::DefaultExecutionSpace> devices;
  blockfw::solve(devices, 3, std::vector<blockfw::Edge<int> >()).add_vertex(std::vector<blockfw::Edge<int> >());
}

// refused: paths are those of shortest distances
void paths_of_a_semiring() {
  const std::vector<Kokkos::DefaultExecutionSpace> devices;
  const std::vector<blockfw::Edge<int> > edges;
  const auto widest = blockfw::solve<blockfw::MaxMin<int> >(devices, 3, edges);
  blockfw::PathsInShares(widest, edges);
}

// refused: the register tile must divide the block
void register_tile() { blockfw::blocked_floyd_warshall<blockfw::Tile<8, 3> >(Matrix<int>()); }

// refused: a tile has at least one row
void empty_tile() { blockfw::blocked_floyd_warshall<blockfw::Tile<0> >(Matrix<int>()); }

// refused: the weight of an edge must be int16_t, int32_t, int64_t, float or double
void unsigned_edges() { blockfw::solve(3, std::vector<blockfw::Edge<unsigned> >()); }

// refused: the weight of an edge must be int16_t, int32_t, int64_t, float or double
void long_double_edges() { blockfw::solve(3, std::vector<blockfw::Edge<long double> >()); }

// refused: the weight of an edge must be int16_t, int32_t, int64_t, float or double (write std::int64_t for long long)
void long_long_edges() { blockfw::solve(3, std::vector<blockfw::Edge<long long> >()); }

// refused: a semiring has `static constexpr bool diverges
void no_diverges() { blockfw::solve<NoDiverges>(3, some_edges()); }

// refused: a semiring has value_type
void no_value_type() { blockfw::solve<NoValueType>(3, some_edges()); }

// refused: the value_type of a semiring must be int16_t
void unsigned_semiring() { blockfw::solve<OfUnsigned>(3, some_edges()); }

// refused: a semiring has `template <class V> static constexpr V relax
void relax_of_two() { blockfw::solve<RelaxOfTwo>(3, some_edges()); }

// refused: a semiring has `static constexpr value_type zero
void zero_of_double() { blockfw::solve<ZeroOfDouble>(3, some_edges()); }

// refused: distances must be int16_t, int32_t, int64_t, float or double, or of a semiring
void unsigned_distances() { blockfw::solve<unsigned>(3, some_edges()); }

// refused: edges must be in a contiguous container
void list_of_edges() { blockfw::solve(3, std::list<Edge>()); }

// refused: the elements of a container of edges must be of type blockfw::Edge
void tuples() { blockfw::solve(3, std::vector<std::tuple<int, int, int> >()); }

// refused: edges must be in a contiguous container
void vector_of_bool() { blockfw::solve(3, std::vector<bool>()); }

// refused: a view of edges must be of rank 1
void matrix_of_edges() { blockfw::solve(3, Kokkos::View<Edge**>()); }

// refused: the number of vertices must be an integer
void vertices_and_a_half() { blockfw::solve(3.5, some_edges()); }

// refused: a matrix of weights must be a view of rank 2
void cube() { blockfw::solve(Kokkos::View<int***>()); }

// refused: edges must be in a contiguous container
void solve_from_list() { blockfw::solve_from(Host(), 3, std::list<blockfw::Edge<float> >(), std::vector<int>()); }

// refused: the elements of a container of edges must be of type blockfw::Edge
void closure_of_pairs() { blockfw::transitive_closure(3, std::vector<std::pair<int, int> >()); }

// refused: edges must be in a contiguous container
void list_on_devices() {
  blockfw::solve(std::vector<Kokkos::DefaultExecutionSpace>(), 3, std::list<blockfw::Edge<double> >());
}

// refused: edges must be in a contiguous container
void list_analysed() { blockfw::SparseAnalysis(3, std::list<blockfw::Edge<std::int64_t> >()); }

// refused: a semiring has `static constexpr bool diverges
void matrix_of_no_diverges() { blockfw::blocked_floyd_warshall<NoDivergesEither>(Host(), Matrix<int>()); }

// refused: the demand must convert to double without loss
void demand_of_long_integers() {
  blockfw::edge_loads(some_network(), std::vector<int>(), std::vector<int>(), std::vector<std::int64_t>());
}

// refused: the limits must convert to the distances' type without loss
void limits_of_other_numbers() { some_network().within(std::vector<int>(), std::vector<double>()); }

// refused: solve_from() finds shortest paths
void solve_from_semiring() { blockfw::solve_from<blockfw::MaxMin<int> >(Host(), 3, some_edges(), std::vector<int>()); }

// refused: the matrix's elements are not of the semiring's type
void small_of_other_elements() { blockfw::small_floyd_warshall<double>(static_cast<float*>(nullptr), 0, 0); }

// refused: zero() must be neutral
void no_zero() {
  struct NoZero : blockfw::MinPlus<int> {
    static constexpr int zero() { return 0; }
  };
  blockfw::blocked_floyd_warshall<NoZero>(Kokkos::DefaultExecutionSpace(), Matrix<int>());
}

// refused: a tile kernel closes a tile
void kernel_without_close() { static_assert(is_kernel<KernelWithoutClose>); }

// refused: a tile kernel cuts phase 3 into tasks
void kernel_without_order() { static_assert(is_kernel<KernelWithoutOrder>); }

// refused: panels have left
void panels_without_pivots() { static_assert(is_kernel<KernelWithoutPivots>); }

// refused: panel storage is made from PanelStorageOptions
void storage_without_bytes() { static_assert(is_kernel<KernelWithoutBytes>); }

// refused: a link has send()
void link_without_wait() { static_assert(sizeof(blockfw::detail::ShareSolver<Host, LinkWithoutWait>) > 0); }

// refused: a backend has the calls
void backend_without_events() { static_assert(blockfw::detail::require_backend<Host, BackendWithoutEvents>()); }

// refused: panels have wait_for_pivot
void panels_without_a_flag() { static_assert(is_kernel<KernelWithoutAFlag>); }

// refused: a chunk transfer has load
void transfer_without_store() { static_assert(sizeof(blockfw::detail::ChunkPipeline<Host, TransferWithoutStore>) > 0); }
