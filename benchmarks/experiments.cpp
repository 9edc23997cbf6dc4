// SPDX-License-Identifier: MIT
// All experiments of a report, for Google Benchmark:
//
//   experiments [--plan=quick|normal|full] [--benchmark_list_tests] [--benchmark_filter=REGEX] ...
//
// A measurement's name contains its parameters; its counters are described where they are set. scripts/report runs the
// experiments, keeps their output, and draws it. The experiment `machine` is here: the limits of the machine, to which
// all others are compared.

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

// The roofs of the roofline: relaxes on registers alone, copies in memory, reads of scratch.

using bench::Exec;

template <class T, class AnyExec = Exec>
void add_limit() {
  const auto run = [](benchmark::State& state) {
    for ([[maybe_unused]] const auto iteration : state) {
      const double limit = blockfw::measure_limit<T>(AnyExec{});
      state.SetIterationTime(1e9 / limit);
      state.counters["relaxes"] = 1e9;
      state.counters["limit"] = limit;
    }
  };
  bench::add("machine/limit/" + bench::type_name<T>, {}, run)->Iterations(1);
}

/// Counts bytes both read and written.
void copy_memory(benchmark::State& state) {
  const std::size_t count = (std::size_t{1} << 30) / sizeof(std::int64_t);  // (no cache holds two of these)
  const Exec exec;
  using View = Kokkos::View<std::int64_t*, typename Exec::memory_space>;
  static View from, to;
  if (from.extent(0) != count) {
    bench::forget_kept();
    from = View("from", count);
    to = View("to", count);
    bench::forget_kept = [] { from = to = {}; };
  }
  bench::measure(state, exec, [] {}, [&] { Kokkos::deep_copy(exec, to, from); });
  state.counters["bytes"] = 2.0 * static_cast<double>(count) * sizeof(std::int64_t);
}

/// A host's scratch is its level-1 cache: each thread reads the same 16 KiB repeatedly, by vectors.
template <class AnyExec>
double read_first_cache(const AnyExec& exec) {
  using bench::vector_bytes;
  using V = bench::simd<std::int32_t, vector_bytes / 4>;
  constexpr int vectors = 16384 / vector_bytes, iterations = 20'000, sums = 8;
  int unused = 0;
  Kokkos::parallel_reduce(
      "first_cache", Kokkos::RangePolicy<AnyExec>(exec, 0, exec.concurrency()),
      [=](int, int& result) {
        alignas(vector_bytes) V values[vectors] = {};
        V sum[sums] = {};
        for (int iteration = 0; iteration < iterations; ++iteration) {
          __asm__ volatile("" : : "r"(values) : "memory");  // (hides from the compiler that they stay the same)
          for (int v = 0; v < vectors; v += sums) BLOCKFW_UNROLL
          for (int s = 0; s < sums; ++s) sum[s] ^= values[v + s];
        }
        for (const V& s : sum) result += s[0];
      },
      unused);
  return 16384.0 * iterations * exec.concurrency();
}

struct alignas(16) Four {
  unsigned at[4];
};

/// As many threads as the device can hold. Each reads 16 bytes at a time, and its neighbour the next 16 bytes.
template <class AnyExec>
double read_scratch(const AnyExec& exec) {
  constexpr int threads = 256, fours = 1024, iterations = 2000;
  using Policy = Kokkos::TeamPolicy<AnyExec, Kokkos::LaunchBounds<threads, 4>>;
  using Scratch = Kokkos::View<Four*, typename AnyExec::scratch_memory_space, Kokkos::MemoryUnmanaged>;
  const int league = exec.concurrency() / threads;
  const Kokkos::View<unsigned*, typename AnyExec::memory_space> results("results", static_cast<std::size_t>(league));
  Kokkos::parallel_for(
      "scratch", Policy(exec, league, threads).set_scratch_size(0, Kokkos::PerTeam(Scratch::shmem_size(fours))),
      KOKKOS_LAMBDA(const typename Policy::member_type& team) {
        const Scratch scratch(team.team_scratch(0), fours);
        for (int i = team.team_rank(); i < fours; i += threads) scratch(i) = {{1u, 2u, 3u, static_cast<unsigned>(i)}};
        team.team_barrier();
        unsigned sum = 0;
        int at = team.team_rank();
        for (int iteration = 0; iteration < iterations; ++iteration) {
          BLOCKFW_UNROLL
          for (int read = 0; read < 4; ++read) {
            const Four four = scratch((at + read * threads) % fours);
            sum ^= (four.at[0] ^ four.at[1]) ^ (four.at[2] ^ four.at[3]);
          }
          at += static_cast<int>(sum & 8u);  // the next address depends on these values
        }
        if (sum == 77) results(team.league_rank()) = sum;
      });
  return 16.0 * 4 * iterations * threads * league;
}

template <class AnyExec>
void read_fast_memory(benchmark::State& state) {
  const AnyExec exec;
  double bytes = 0;
  bench::measure(
      state, exec, [] {},
      [&] {
        if constexpr (blockfw::is_host_space<AnyExec>)
          bytes = read_first_cache(exec);
        else
          bytes = read_scratch(exec);
      });
  state.counters["bytes"] = bytes;
}

/// Only hosts solve in 8 bits.
template <class AnyExec>
void add_limit_of_bytes() {
  if constexpr (blockfw::is_host_space<AnyExec>) add_limit<std::int8_t, AnyExec>();
}

}  // namespace

void bench::add_machine(Plan) {
  add_limit_of_bytes<Exec>();
  add_limit<std::int16_t>();
  add_limit<std::int32_t>();
  add_limit<std::int64_t>();
  add_limit<float>();
  add_limit<double>();
  add("machine/memory", {}, copy_memory);
  add("machine/scratch", {}, read_fast_memory<Exec>);
}

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
