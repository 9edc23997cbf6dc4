// SPDX-License-Identifier: MIT
// Calls that must not compile, one for each value of REFUSED. The call of value 0 must compile.
#include "blockfw/apsp.hpp"

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
    void post_pivot(const auto& team, int round, int chunks) const;
  };
};

struct LinkWithoutWait {
  void send_right(const Host&, int);
};

struct TransferWithoutStore {
  using Ref = int;
  void load(int, int);
  Ref at(int, int);
};

struct BackendWithoutEvents : blockfw::detail::Backend<Host> {
 private:
  using blockfw::detail::Backend<Host>::record;
};

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
  blockfw::blocked_floyd_warshall(Kokkos::DefaultExecutionSpace(), Matrix<int>(), NoZero());
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
  using Phases = blockfw::Phases<blockfw::Tile<8>, Host, blockfw::MinPlus<int> >;
  static_assert(sizeof(blockfw::detail::ShareSolver<Phases, Host, LinkWithoutWait>) > 0);
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
  blockfw::solve<blockfw::MaxMin<int> >(devices, 3, edges).path(0, 1, edges);
#elif REFUSED == 17
  const std::vector<blockfw::Edge<int> > edges;
  const blockfw::SparseAnalysis analysis(3, edges);
  blockfw::SparseFactor<blockfw::MinPlus<std::int16_t>, Host> factor(Host(), analysis, edges);
#endif
}
