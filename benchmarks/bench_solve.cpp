// SPDX-License-Identifier: MIT
// The solver with its defaults, by type and order.

#include "bench.hpp"

namespace {

using bench::Exec, bench::Orders;

template <class T>
void add_type(const Orders& orders) {
  for (const std::int64_t n : orders)
    bench::add("solve/" + bench::type_name<T>, {{"n", n}}, [n](benchmark::State& state) {
      bench::measure_solve(state, bench::kept_random_graph<T>(n), [](const Exec& exec, const bench::Matrix<T>& d) {
        blockfw::blocked_floyd_warshall(exec, d);
      });
      bench::count_relaxes<T>(state, bench::relaxes(n));
    });
}

}  // namespace

void bench::add_solve(Plan plan) {
  const Orders orders = on_host
                            ? of<std::int64_t>(plan, {256, 512, 1024, 2048}, {256, 512, 1000, 1024, 2000, 2048, 4096},
                                               {256, 512, 1000, 1024, 2000, 2048, 4096, 5000, 6000, 8192})
                            : of<std::int64_t>(plan, {1000, 2500, 5000}, {500, 1000, 2500, 5000, 7500, 10000, 20000},
                                               {500, 1000, 2500, 5000, 7500, 10000, 20000, 30000, 40000});
  const Orders others =
      on_host ? of<std::int64_t>(plan, {1024}, {512, 1024, 2048}, {512, 1024, 2048, 4096})
              : of<std::int64_t>(plan, {2500}, {1000, 2500, 5000, 10000}, {1000, 2500, 5000, 10000, 20000});
  add_type<std::int32_t>(orders);
  add_type<std::int16_t>(others);
  add_type<float>(others);
  add_type<std::int64_t>(others);
  add_type<double>(others);
}
