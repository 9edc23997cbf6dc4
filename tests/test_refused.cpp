// SPDX-License-Identifier: MIT
// Calls that must not compile, one for each value of REFUSED. The call of value 0 must compile.
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

// Parts of the library without one of the members that their contracts ask for.

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

struct KernelWithHalfTheFlags : Kernel {
  using Kernel::Kernel;
  struct Panels : Kernel::Panels {
    void post_pivot(const auto& team, int round, int slabs) const;
  };
};

struct LinkWithoutWait {
  void send_right(const Host&, int);
};

struct TransferWithoutStore {
  void load(int, int);
  blockfw::detail::Block at(int, int);
};

struct BackendWithoutEvents : blockfw::detail::Backend<Host> {
 private:
  using blockfw::detail::Backend<Host>::record;
};

// Semirings that lack a member, or have one of another type.

struct NoDiverges {
  using value_type = int;
  static constexpr int zero() { return 0; }
  static constexpr int one() { return 1; }
  template <class V>
  static constexpr V relax(V c, V a, V b) {
    return blockfw::larger(blockfw::smaller(a, b), c);
  }
};

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

void call() {
#if REFUSED == 0
  blockfw::blocked_floyd_warshall(Matrix<int>());
#elif REFUSED == 1
  blockfw::blocked_floyd_warshall(Matrix<const int>());
#elif REFUSED == 2
  blockfw::blocked_floyd_warshall(Matrix<unsigned>());
#elif REFUSED == 3
  blockfw::blocked_floyd_warshall(Matrix<int, FarSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged> >());
#elif REFUSED == 4
  blockfw::solve(Matrix<long double>());
#elif REFUSED == 5
  blockfw::solve<std::int32_t>(3, Kokkos::View<blockfw::Edge<std::int64_t>*>());
#elif REFUSED == 6
  blockfw::blocked_floyd_warshall<blockfw::Tile<8, 3> >(Matrix<int>());
#elif REFUSED == 8
  struct NoZero : blockfw::MinPlus<int> {
    static constexpr int zero() { return 0; }
  };
  blockfw::blocked_floyd_warshall<NoZero>(Kokkos::DefaultExecutionSpace(), Matrix<int>());
#elif REFUSED == 7
  blockfw::blocked_floyd_warshall<blockfw::Tile<0> >(Matrix<int>());
#elif REFUSED == 9
  static_assert(is_kernel<KernelWithoutClose>);
#elif REFUSED == 10
  static_assert(is_kernel<KernelWithoutOrder>);
#elif REFUSED == 11
  static_assert(is_kernel<KernelWithoutPivots>);
#elif REFUSED == 12
  static_assert(is_kernel<KernelWithoutBytes>);
#elif REFUSED == 13
  static_assert(sizeof(blockfw::detail::ShareSolver<Host, LinkWithoutWait>) > 0);
#elif REFUSED == 14
  static_assert(blockfw::detail::require_backend<Host, BackendWithoutEvents>());
#elif REFUSED == 16
  static_assert(sizeof(blockfw::detail::ChunkPipeline<Host, TransferWithoutStore>) > 0);
#elif REFUSED == 15
  static_assert(is_kernel<KernelWithHalfTheFlags>);
#elif REFUSED == 18
  const std::vector<Kokkos::DefaultExecutionSpace> devices;
  blockfw::solve(devices, 3, std::vector<blockfw::Edge<int> >()).add_vertex(std::vector<blockfw::Edge<int> >());
#elif REFUSED == 19
  const std::vector<Kokkos::DefaultExecutionSpace> devices;
  const std::vector<blockfw::Edge<int> > edges;
  const auto widest = blockfw::solve<blockfw::MaxMin<int> >(devices, 3, edges);
  blockfw::PathsInShares(widest, edges);
#elif REFUSED == 20
  blockfw::solve(3, std::vector<blockfw::Edge<unsigned> >());
#elif REFUSED == 21
  blockfw::solve(3, std::vector<blockfw::Edge<long double> >());
#elif REFUSED == 22
  blockfw::solve<NoDiverges>(3, some_edges());
#elif REFUSED == 23
  blockfw::solve<NoValueType>(3, some_edges());
#elif REFUSED == 24
  blockfw::solve<OfUnsigned>(3, some_edges());
#elif REFUSED == 25
  blockfw::solve<RelaxOfTwo>(3, some_edges());
#elif REFUSED == 26
  blockfw::solve<ZeroOfDouble>(3, some_edges());
#elif REFUSED == 27
  blockfw::solve<unsigned>(3, some_edges());
#elif REFUSED == 28
  blockfw::solve(3, std::list<Edge>());
#elif REFUSED == 29
  blockfw::solve(3, std::vector<std::tuple<int, int, int> >());
#elif REFUSED == 30
  blockfw::solve(3, std::vector<bool>());
#elif REFUSED == 31
  blockfw::solve(3, Kokkos::View<Edge**>());
#elif REFUSED == 32
  blockfw::solve(3.5, some_edges());
#elif REFUSED == 33
  blockfw::solve(Kokkos::View<int***>());
#elif REFUSED == 34
  blockfw::solve_from(Host(), 3, std::list<Edge>(), std::vector<int>());
#elif REFUSED == 35
  blockfw::transitive_closure(3, std::vector<std::pair<int, int> >());
#elif REFUSED == 36
  blockfw::solve(std::vector<Kokkos::DefaultExecutionSpace>(), 3, std::list<Edge>());
#elif REFUSED == 37
  blockfw::SparseAnalysis(3, std::list<Edge>());
#elif REFUSED == 38
  blockfw::blocked_floyd_warshall<NoDiverges>(Host(), Matrix<int>());
#elif REFUSED == 39
  blockfw::solve_from<blockfw::MaxMin<int> >(Host(), 3, some_edges(), std::vector<int>());
#elif REFUSED == 40
  blockfw::small_floyd_warshall<double>(static_cast<float*>(nullptr), 0, 0);
#elif REFUSED == 17
  const std::vector<blockfw::Edge<int> > edges;
  const blockfw::SparseAnalysis analysis(3, edges);
  blockfw::SparseFactor<blockfw::MinPlus<std::int16_t>, Host> factor(Host(), analysis, edges);
#endif
}
