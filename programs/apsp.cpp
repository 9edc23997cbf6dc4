// SPDX-License-Identifier: MIT
// All shortest paths of a graph in a file of any format: a summary of the graph, one path, all distances, or those of
// many vertices.
//
//   apsp INPUT [-o OUTPUT] [--from S] [--to T] [--paths] [--type auto|int32|int64|float|double]
//        [--undirected] [--unweighted] [--semiring NAME] [--method auto|dense|sparse] [--measures-only|--by-rows]
//        [--devices N] [--memory SIZE] [--stats]
//   apsp INPUT ([--from FILE] [--to FILE] [--pairs] | --nearest FILE [--count K] | --within LIMIT --from FILE |
//   --measures)

#include "arguments.hpp"
#include "distances.hpp"
#include "places.hpp"
#include "run.hpp"

#include <cstdint>
#include <memory>
#include <type_traits>

namespace {

/// The places of one process.
class Process {
 public:
  explicit Process(const apsp::Arguments& arguments) : one_instance_(arguments.devices == 0 && arguments.memory == 0) {}

  bool one_instance() const { return one_instance_; }
  template <class F>
  void alone(const F& f) const {
    f();
  }
  template <class F>
  void all(const F& f) const {
    f();
  }
  template <class X>
  X shared(X x) const {
    return x;
  }

  template <class S, class T>
  std::unique_ptr<apsp::Distances<T>> solve(const apsp::Space& exec, const apsp::Graph<T>& graph,
                                            const apsp::Arguments& arguments, blockfw::SolveReport& report) const {
    if constexpr (std::is_void_v<S>) {
      return apsp::reachability(exec, graph);
    } else {
      if (arguments.memory > 0)
        return apsp::solve_in_memory_of<S>(exec, static_cast<double>(arguments.memory), graph, report);
      if (arguments.devices > 0) return apsp::solve_on_devices<S>(arguments.devices, graph, arguments.chosen(), report);
      return apsp::solve_on_instance<S>(exec, graph, arguments.chosen(), report);
    }
  }

 private:
  bool one_instance_;
};

}  // namespace

int main(int argc, char** argv) {
  return apsp::status_of({.name = "apsp"}, argc, argv,
                         [](const apsp::Arguments& arguments) { apsp::run(arguments, Process(arguments)); });
}
