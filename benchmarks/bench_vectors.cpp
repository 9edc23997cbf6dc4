// SPDX-License-Identifier: MIT
// The solver of a host with each level of vectors that the processor has.

#include "bench.hpp"

#include <blockfw/detail/backend/vectors.hpp>

namespace {

using bench::Exec, bench::Plan;

template <class T>
void add_type(const bench::Orders& orders) {
  using blockfw::detail::chosen_vectors;
  for (const auto& level : blockfw::detail::vectors_there_are())
    for (const std::int64_t n : orders)
      bench::add("vectors/" + bench::type_name<T> + "/level:" + std::string(level.name), {{"n", n}},
                 [n, vectors = level.level](benchmark::State& state) {
                   const double limit = bench::limit_now<T>();
                   const auto usual = chosen_vectors();
                   chosen_vectors() = vectors;
                   bench::measure_solve(
                       state, bench::kept_random_graph<T>(n),
                       [](const Exec& exec, const bench::Matrix<T>& d) { blockfw::blocked_floyd_warshall(exec, d); });
                   chosen_vectors() = usual;
                   bench::count_relaxes<T>(state, bench::relaxes(n), limit);
                 });
}

template <class AnyExec>
void add_types(Plan plan) {
  if constexpr (blockfw::is_host_space<AnyExec>) {
    add_type<std::int32_t>(bench::of<std::int64_t>(plan, {1024}, {1024, 2048}, {1024, 2048, 4096}));
    if (plan == Plan::quick) return;
    add_type<std::int16_t>({2048});
    add_type<float>({2048});
  }
}

}  // namespace

void bench::add_vectors(Plan plan) { add_types<Exec>(plan); }
