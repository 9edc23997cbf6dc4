// SPDX-License-Identifier: MIT
// Shared by the experiments: the plan, the clock, the machine's limit, and the phases one after the other, each fenced.
#pragma once

#include "graphs.hpp"

#include <benchmark/benchmark.h>
#include <Kokkos_Core.hpp>
#include <blockfw/solve.hpp>
#include "limit.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <initializer_list>
#include <map>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace bench {

/// How long a report may take: under a minute on two cores, minutes, or as long as it takes.
enum class Plan { quick, normal, full };

/// The values that a plan measures.
template <class Value>
std::vector<Value> of(Plan plan, const std::vector<Value>& quick, const std::vector<Value>& normal,
                      const std::vector<Value>& full) {
  return plan == Plan::quick ? quick : plan == Plan::normal ? normal : full;
}

using Orders = std::vector<std::int64_t>;

template <class T>
inline const std::string type_name =
    std::is_floating_point_v<T> ? (sizeof(T) == 4 ? "float" : "double") : "int" + std::to_string(8 * sizeof(T));

/// Adds a measurement to those that Google Benchmark runs. If it throws, it is skipped with the error as the reason.
/// \param where  the start of its name, like "tiles/int32"
/// \param at     the parameters, which follow in the name
template <class Function>
auto* add(std::string where, std::initializer_list<std::pair<const char*, std::int64_t>> at, const Function& run) {
  for (const auto& [name, value] : at) where.append("/").append(name).append(":").append(std::to_string(value));
  const auto guarded = [run](benchmark::State& state) {
    try {
      run(state);
    } catch (const std::exception& error) {
      state.SkipWithError(error.what());
    }
  };
  return benchmark::RegisterBenchmark(where.c_str(), guarded)->UseManualTime()->Unit(benchmark::kSecond);
}

/// Times call(), each time after prepare(), as often as Google Benchmark says, and once before to warm up.
template <class AnyExec, class Prepare, class Call>
void measure(benchmark::State& state, const AnyExec& exec, const Prepare& prepare, const Call& call) {
  static std::string warm;
  if (warm != state.name()) {
    prepare();
    call();
    exec.fence();
    warm = state.name();
  }
  for ([[maybe_unused]] const auto iteration : state) {
    prepare();
    exec.fence();
    const Kokkos::Timer timer;
    call();
    exec.fence();
    state.SetIterationTime(timer.seconds());
  }
}

/// Times solve(exec, d) of a matrix that is overwritten.
template <class T, class Solve>
void measure_solve(benchmark::State& state, const Matrix<T>& weights, const Solve& solve) {
  const Exec exec;
  const Matrix<T> d = blockfw::allocate_distances<T>(exec, weights.extent_int(0));
  measure(state, exec, [&] { Kokkos::deep_copy(exec, d, weights); }, [&] { solve(exec, d); });
}

/// The limit of T on a space: the best of those measured in the last half minute, a new one every few seconds. (Other
/// work on the machine comes and goes, and only slows it.)
template <class T, class AnyExec = Exec>
double limit_now(const AnyExec& exec = {}) {
  struct Measured {
    double when, limit;
  };
  static const Kokkos::Timer clock;
  static std::map<int, std::vector<Measured>> by_threads;
  auto& measured = by_threads[exec.concurrency()];
  if (measured.empty() || measured.back().when < clock.seconds() - 3) {
    const double limit = blockfw::measure_limit<T>(exec);
    measured.push_back({clock.seconds(), limit});
  }
  double best = 0;
  for (const auto& [when, limit] : measured)
    if (when > clock.seconds() - 30 || when == measured.back().when) best = std::max(best, limit);
  return best;
}

/// How many relaxes a solve takes.
inline double relaxes(std::int64_t n) {
  const auto order = static_cast<double>(n);
  return order * order * order;
}

/// Sets the counters: the relaxes of a call, and the machine's limit of relaxes a second.
template <class T>
void count_relaxes(benchmark::State& state, double done, double limit = limit_now<T>()) {
  state.counters["relaxes"] = done;
  state.counters["limit"] = limit;
}

/// Frees the memory that is kept for the repetitions of a benchmark.
inline std::function<void()> forget_kept = [] {};

/// A random graph that is kept until something else is kept.
template <class T>
Matrix<T> kept_random_graph(std::int64_t n) {
  static Matrix<T> kept;
  if (kept.extent_int(0) != n) {
    forget_kept();
    kept = random_graph<T>(n);
    forget_kept = [] { kept = {}; };
  }
  return kept;
}

/// A number for each phase.
using ThreeOf = std::array<double, 3>;

template <class TileShape, class T>
using PhasesOf = blockfw::Phases<TileShape, Exec, blockfw::MinPlus<T>>;
template <class TileShape, class T>
using KernelOf = blockfw::detail::KernelFor<TileShape, Exec, blockfw::MinPlus<T>>;

/// A solve without look-ahead, with a launch for each phase of each round; done(phase) is called after each.
template <class TileShape, class T, class Done>
void run_phases(const Exec& exec, const blockfw::MatrixRef<T, Exec>& d, const Done& done) {
  using Phases = PhasesOf<TileShape, T>;
  const int n = d.extent_int(0), block = Phases::block;
  const typename Phases::Part all{d};
  const typename Phases::PanelStorage storage(exec, {.order = n, .height = n, .width = n}, exec);
  const auto panels = storage.panels(d);
  for (int k = 0; k * block < n; ++k) {
    Phases::close_pivot(exec, all, k, panels);
    done(0);
    Phases::update_panels(exec, all, k, panels);
    done(1);
    const blockfw::Selection rest{{0, n}, {k * block, panels.pivots(k)}};
    Phases::update_through(exec, all, k, k, panels, rest, rest);
    done(2);
  }
}

/// Seconds of each phase, fenced.
template <class TileShape, class T>
ThreeOf time_phases(const Exec& exec, const Matrix<T>& matrix) {
  ThreeOf seconds{};
  exec.fence();
  Kokkos::Timer timer;
  run_phases<TileShape, T>(exec, blockfw::matrix_ref<Exec>(matrix), [&](std::size_t phase) {
    exec.fence();
    seconds[phase] += timer.seconds();
    timer.reset();
  });
  return seconds;
}

// Each experiment is in the file of its name. The exceptions: machine is in experiments.cpp; vectors, phases, crossover
// and out_of_core are in bench_solve.cpp; paths and updates are in bench_solved.cpp.
void add_machine(Plan plan);
void add_solve(Plan plan);
void add_vectors(Plan plan);
void add_tiles(Plan plan);
void add_ladder(Plan plan);
void add_phases(Plan plan);
void add_scaling(Plan plan);
void add_exchange(Plan plan);
void add_crossover(Plan plan);
void add_gains(Plan plan);
void add_batch(Plan plan);
void add_paths(Plan plan);
void add_updates(Plan plan);
void add_out_of_core(Plan plan);

}  // namespace bench
