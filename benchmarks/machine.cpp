// SPDX-License-Identifier: MIT
// The limits of the machine, the roofs of the roofline: relaxes on registers alone, copies in memory, reads of scratch.

#include "bench.hpp"

namespace {

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
