// SPDX-License-Identifier: MIT
// Orders of elimination by SuiteSparse's AMD.
#include "orders.hpp"

#include "blockfw/orders/amd.hpp"

TEST_CASE("the order by AMD") {
  check_order([](std::int64_t n, const auto& edges) { return blockfw::amd_order(n, edges); });
}

TEST_CASE("AMD with 32 and with 64 bits") {
  Random random(9);
  for (const auto& g :
       {shuffled_grid(random, 25), doubled_star(random, 100), Graph{0, {}}, Graph{1, {}}, Graph{9, {}}}) {
    const auto neighbours = blockfw::detail::neighbours_of(g.n, g.edges);
    CHECK(blockfw::detail::amd_order_of<std::int64_t>(neighbours) ==
          blockfw::detail::amd_order_of<std::int32_t>(neighbours));
  }
  CHECK(blockfw::detail::fits_short_amd(100'000'000, 1'000'000'000));
  CHECK(!blockfw::detail::fits_short_amd(100'000'000, 1'300'000'000));
  CHECK(!blockfw::detail::fits_short_amd(2'000'000'000, 10));
}
