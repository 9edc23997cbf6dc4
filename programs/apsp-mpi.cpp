// SPDX-License-Identifier: MIT
// apsp on many ranks of MPI, on the hosts' cores or with a device each. Rank 0 reads, prints and writes.
//
//   mpirun -n 4 apsp-mpi INPUT [as apsp, but for --devices and --memory]

#include "arguments.hpp"
#include "distances.hpp"
#include "mpi.hpp"
#include "ranks.hpp"
#include "run.hpp"

#include <memory>
#include <type_traits>

namespace {

/// The ranks, and their solves.
class Place : public apsp::Ranks {
 public:
  template <class S, class T>
  std::unique_ptr<apsp::Distances<T>> solve(const apsp::Space& exec, const apsp::Graph<T>& graph,
                                            const apsp::Arguments& arguments, blockfw::SolveReport& report) const {
    if constexpr (std::is_void_v<S>) {
      std::unique_ptr<apsp::Distances<T>> distances = std::make_unique<apsp::OnRank0<T>>();
      alone([&] { distances = apsp::reachability(exec, graph); });
      return distances;
    } else {
      return apsp::solve_on_ranks<S>(*this, graph, arguments.chosen(), report);
    }
  }
};

}  // namespace

int main(int argc, char** argv) {
  const program::Mpi mpi(&argc, &argv);
  const apsp::Program self{.name = "apsp-mpi", .ranks = true, .speaks = mpi.first()};
  return program::Mpi::status_of_all(apsp::status_of(self, argc, argv, [&](const apsp::Arguments& arguments) {
    program::on_all_ranks(self.name, arguments.input, [&] { apsp::run(arguments, Place()); });
  }));
}
