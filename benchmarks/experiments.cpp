// All experiments of a report, for Google Benchmark:
//
//   experiments [--plan=quick|normal|full] [--benchmark_list_tests] [--benchmark_filter=REGEX] ...
//
// A measurement's name says what and at what; its counters are described where they are set. scripts/report runs them,
// keeps what they print, and draws it.

#include "bench.hpp"

#include <cstdio>
#include <cstring>

namespace {

#define BLOCKFW_TEXT_OF(x) BLOCKFW_TEXT(x)
#define BLOCKFW_TEXT(x) #x

std::string compiler() {
#if defined(__clang__)
  const std::string host = "clang " __clang_version__;
#elif defined(__GNUC__)
  const std::string host = "GCC " __VERSION__;
#else
  const std::string host = "unknown";
#endif
#ifdef __CUDACC_VER_MAJOR__
  return "nvcc " BLOCKFW_TEXT_OF(__CUDACC_VER_MAJOR__) "." BLOCKFW_TEXT_OF(__CUDACC_VER_MINOR__) " with " + host;
#else
  return host;
#endif
}

void describe_device([[maybe_unused]] const bench::Exec& exec) {
#if defined(KOKKOS_ENABLE_CUDA)
  const auto& device = exec.cuda_device_prop();
#elif defined(KOKKOS_ENABLE_HIP)
  const auto& device = exec.hip_device_prop();
#endif
#if defined(KOKKOS_ENABLE_CUDA) || defined(KOKKOS_ENABLE_HIP)
  benchmark::AddCustomContext("device", device.name);
  benchmark::AddCustomContext("multiprocessors", std::to_string(device.multiProcessorCount));
#endif
}

void describe_build(const bench::Exec& exec, const std::string& plan) {
  const int kokkos = KOKKOS_VERSION;
  benchmark::AddCustomContext("plan", plan);
  benchmark::AddCustomContext("backend", bench::Exec::name());
  benchmark::AddCustomContext("threads", std::to_string(exec.concurrency()));
  benchmark::AddCustomContext("host_threads", std::to_string(Kokkos::DefaultHostExecutionSpace().concurrency()));
  benchmark::AddCustomContext("vector_bytes", std::to_string(blockfw::detail::vector_bytes));
  benchmark::AddCustomContext("compiler", compiler());
  benchmark::AddCustomContext("kokkos", std::to_string(kokkos / 10000) + "." + std::to_string(kokkos / 100 % 100) +
                                            "." + std::to_string(kokkos % 100));
  benchmark::AddCustomContext("library", BLOCKFW_VERSION);
  describe_device(exec);
}

/// Takes the plan out of the arguments.
std::string plan_of(int& argc, char** argv) {
  std::string plan = "normal";
  int kept = 1;
  for (int a = 1; a < argc; ++a)
    if (std::strncmp(argv[a], "--plan=", 7) == 0)
      plan = argv[a] + 7;
    else
      argv[kept++] = argv[a];
  argc = kept;
  return plan;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string name = plan_of(argc, argv);
  if (name != "quick" && name != "normal" && name != "full") {
    std::fprintf(stderr, "experiments: --plan=%s, expected quick, normal or full\n", name.c_str());
    return 1;
  }
  const bench::Plan plan = name == "quick"    ? bench::Plan::quick
                           : name == "normal" ? bench::Plan::normal
                                              : bench::Plan::full;
  const Kokkos::ScopeGuard kokkos(Kokkos::InitializationSettings().set_disable_warnings(true));
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  describe_build(bench::Exec(), name);

  bench::add_machine(plan);
  bench::add_solve(plan);
  bench::add_tiles(plan);
  bench::add_ladder(plan);
  bench::add_phases(plan);
  bench::add_scaling(plan);
  bench::add_crossover(plan);
  bench::add_gains(plan);
  bench::add_batch(plan);
  bench::add_updates(plan);
  bench::add_out_of_core(plan);
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
}
