// Calls that must not compile, one for each value of REFUSED; 0 is one that must.
#include "blockfw/apsp.hpp"

// A memory of which the host knows nothing.
struct FarSpace {
  using memory_space = FarSpace;
  using execution_space = Kokkos::DefaultHostExecutionSpace;
  using device_type = Kokkos::Device<execution_space, memory_space>;
  using size_type = std::size_t;
  static constexpr const char* name() { return "Far"; }
};

template <class T, class... P>
using Matrix = Kokkos::View<T**, Kokkos::LayoutRight, P...>;

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
#endif
}
