// SPDX-License-Identifier: MIT
// All experiments of a report, for Google Benchmark:
//
//   experiments [--plan=quick|normal|full] [--benchmark_list_tests] [--benchmark_filter=REGEX] ...
//
// A measurement's name contains its parameters; its counters are described where they are set. scripts/report runs the
// experiments, keeps their output, and draws it.

#include "bench.hpp"

#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>
#include <utility>
#include <vector>

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
#if defined(BLOCKFW_BUILT_FOR_DEVICE)
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
  benchmark::AddCustomContext(
      "vector_bytes", std::to_string(blockfw::detail::with_vectors([](auto level) { return decltype(level)::bytes; })));
  benchmark::AddCustomContext("compiler", compiler());
  benchmark::AddCustomContext("kokkos", std::to_string(kokkos / 10000) + "." + std::to_string(kokkos / 100 % 100) +
                                            "." + std::to_string(kokkos % 100));
  benchmark::AddCustomContext("library", BLOCKFW_VERSION);
#ifdef __OPTIMIZE__
  benchmark::AddCustomContext("build", "optimised");
#else
  benchmark::AddCustomContext("build", "not optimised");
#endif
  for (const auto& [name, variable] :
       {std::pair{"omp_proc_bind", "OMP_PROC_BIND"}, std::pair{"omp_places", "OMP_PLACES"}})
    if (const char* const value = std::getenv(variable)) benchmark::AddCustomContext(name, value);
  describe_device(exec);
}

/// Removes the plan from the arguments and inserts its repetitions and time, which later arguments override.
std::string take_plan(std::vector<std::string>& arguments) {
  std::string plan = "normal";
  const std::string option = "--plan=";
  std::erase_if(arguments, [&](const std::string& argument) {
    if (!argument.starts_with(option)) return false;
    plan = argument.substr(option.size());
    return true;
  });
  const std::map<std::string, std::pair<const char*, const char*>> often{
      {"quick", {"3", "0.01s"}}, {"normal", {"5", "0.1s"}}, {"full", {"9", "0.1s"}}};
  if (const auto found = often.find(plan); found != often.end()) {
    const auto& [repetitions, seconds] = found->second;
    arguments.insert(arguments.begin() + 1, {std::string("--benchmark_repetitions=") + repetitions,
                                             std::string("--benchmark_min_time=") + seconds});
  }
  return plan;
}

}  // namespace

int main(int argc, char** argv) {
  std::vector<std::string> arguments(argv, argv + argc);
  const std::string name = take_plan(arguments);
  if (name != "quick" && name != "normal" && name != "full") {
    std::fprintf(stderr, "experiments: --plan=%s, expected quick, normal or full\n", name.c_str());
    return 1;
  }
  const bench::Plan plan = name == "quick"    ? bench::Plan::quick
                           : name == "normal" ? bench::Plan::normal
                                              : bench::Plan::full;
  const Kokkos::ScopeGuard kokkos(Kokkos::InitializationSettings().set_disable_warnings(true));
  std::vector<char*> words;
  for (std::string& argument : arguments) words.push_back(argument.data());
  int count = static_cast<int>(words.size());
  words.push_back(nullptr);
  benchmark::Initialize(&count, words.data());
  if (benchmark::ReportUnrecognizedArguments(count, words.data())) return 1;
  describe_build(bench::Exec(), name);

  bench::add_machine(plan);
  bench::add_solve(plan);
  bench::add_vectors(plan);
  bench::add_tiles(plan);
  bench::add_ladder(plan);
  bench::add_phases(plan);
  bench::add_scaling(plan);
  bench::add_exchange(plan);
  bench::add_crossover(plan);
  bench::add_gains(plan);
  bench::add_batch(plan);
  bench::add_paths(plan);
  bench::add_updates(plan);
  bench::add_out_of_core(plan);
  benchmark::RunSpecifiedBenchmarks();
  bench::forget_kept();
  benchmark::Shutdown();
}
