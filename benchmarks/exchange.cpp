// SPDX-License-Identifier: MIT
// Three methods of exchange between two shares of rows, as the courses' programs do it for two GPUs, and the library's
// look-ahead beside them. The three go round by round and wait for each copy: nothing hides it.

#include "bench.hpp"

#include <blockfw/detail/kernel/phases.hpp>
#include <blockfw/multi_device.hpp>

#include <barrier>
#include <memory>
#include <numeric>
#include <optional>

namespace {

using bench::Exec, bench::Plan;
using T = std::int32_t;

/// What travels in each round. A share that gets `whole` or `cross` holds all rows, though it updates its own alone,
/// and makes all panels of a round; with `row` it holds its own rows.
enum class Method {
  whole,  ///< each sends all of its rows
  cross,  ///< the owner of the pivots sends their rows, each its part of their columns
  row     ///< the owner of the pivots sends their rows, updated
};

/// Two devices, two groups of a host's threads, or two instances on the only device.
template <class AnyExec>
class Two {
 public:
  Two() {
    if (std::string(name()) == "instances") {
      for (int s = 0; s < 2; ++s) {
        streams_.push_back(std::make_unique<blockfw::detail::Stream<AnyExec>>(AnyExec()));
        list_.push_back(streams_.back()->exec());
      }
    } else {
      devices_.emplace(2);
      list_ = devices_->list();
    }
  }
  const std::vector<AnyExec>& list() const { return list_; }

  static const char* name() {
    if constexpr (blockfw::is_host_space<AnyExec>)
      return "groups";
    else
      return blockfw::detail::Backend<AnyExec>::count() > 1 ? "devices" : "instances";
  }
  /// The limit of both.
  static double limit() { return bench::limit_now<T, AnyExec>() * (std::string(name()) == "devices" ? 2 : 1); }

 private:
  std::vector<std::unique_ptr<blockfw::detail::Stream<AnyExec>>> streams_;
  std::optional<blockfw::Devices<AnyExec>> devices_;
  std::vector<AnyExec> list_;
};

/// The seconds of a solve, and what both shares send in it.
struct Cost {
  double seconds = 0, exchange = 0, bytes = 0;
};

/// The tuned tile as a type of this file, so that it shares no kernel with other files. (nvcc's lambdas have pointers
/// of their file; in a program with scaling.cpp some of Kokkos's functions for them were that file's, and called null.)
template <class AnyExec>
struct OwnTile : blockfw::default_tile<AnyExec, T> {};

/// Two shares of one matrix, and its rounds without look-ahead.
template <class AnyExec>
class Shares {
  using Phase = blockfw::Phases<OwnTile<AnyExec>, AnyExec, blockfw::MinPlus<T>>;
  using Storage = typename Phase::GroupStorage;
  using View = Kokkos::View<T**, Kokkos::LayoutRight, typename AnyExec::memory_space>;

 public:
  static constexpr int block = Phase::block;

  Shares(Method method, const std::vector<AnyExec>& two, std::int64_t n) : method_(method), n_(static_cast<int>(n)) {
    using Api = blockfw::detail::Backend<AnyExec>;
    const int half = static_cast<int>(blockfw::RowBlocks<T, AnyExec>::rows_of_share(two, n));
    for (int s = 0; s < 2; ++s) {
      const AnyExec& exec = two[std::size_t(s)];
      Api::connect(Api::device_of(exec), Api::device_of(two[std::size_t(1 - s)]));
      const int own = s == 0 ? half : n_ - half, held = method == Method::row ? own : n_;
      shares_.push_back(
          {exec, s * half, own, method == Method::row ? s * half : 0,
           View(Kokkos::view_alloc(exec, "rows", Kokkos::WithoutInitializing), std::size_t(held), std::size_t(n)),
           Storage(exec, {.order = n_, .height = held, .width = n_, .rounds = 1, .negative = false})});
    }
  }

  int rounds() const { return blockfw::detail::div_up(n_, block); }

  /// Each share gets what it holds of the matrix.
  template <class Matrix>
  void fill(const Matrix& weights) const {
    for (const Share& own : shares_) {
      const auto rows = Kokkos::make_pair(own.top, own.top + own.d.extent_int(0));
      blockfw::detail::copy_rows(own.exec, own.d, Kokkos::subview(weights, rows, Kokkos::ALL));
    }
    for (const Share& own : shares_) own.exec.fence();
  }

  Cost solve() {
    Cost cost;
    std::vector<double> bytes(2);
    std::barrier<> both(2);
    const Kokkos::Timer timer;
    blockfw::detail::in_threads(2, [&](int s) {
      try {
        for (int k = 0; k < rounds(); ++k) {
          const auto exchange = [&] {
            shares_[std::size_t(s)].exec.fence();
            both.arrive_and_wait();
            const Kokkos::Timer exchange_timer;
            bytes[std::size_t(s)] += send(s, k);
            shares_[std::size_t(s)].exec.fence();
            both.arrive_and_wait();
            if (s == 0) cost.exchange += exchange_timer.seconds();
          };
          if (method_ != Method::row) exchange();
          if (method_ != Method::row || owns(s, k)) make_right(s, k);
          if (method_ == Method::row) exchange();
          make_left(s, k);
          update(s, k);
        }
        shares_[std::size_t(s)].exec.fence();
      } catch (...) {
        both.arrive_and_drop();  // the other one must not wait for ever
        throw;
      }
    });
    cost.seconds = timer.seconds();
    cost.bytes = bytes[0] + bytes[1];
    return cost;
  }

  /// Of all rows, each on its share.
  std::uint64_t checksum() const {
    std::uint64_t sum = 0;
    for (const Share& own : shares_)
      sum += bench::checksum(own.exec, part(own.d, own, {own.first, own.rows}), own.first);
    return sum;
  }
  /// Of the last pivots' columns as a share has them, with `whole` and `cross`: of all rows, and distances, too.
  std::uint64_t checksum_of_columns(int s) const {
    const Share& own = shares_[std::size_t(s)];
    return bench::checksum(own.exec, part(own.d, own, {0, n_}, pivots(rounds() - 1)));
  }

 private:
  struct Share {
    AnyExec exec;
    int first, rows;  ///< the rows that it updates, in the matrix
    int top;          ///< the first row that it holds
    View d;
    Storage panels;
  };

  blockfw::IndexRange pivots(int k) const { return {k * block, std::min(+block, n_ - k * block)}; }
  bool owns(int s, int k) const {
    const Share& own = shares_[std::size_t(s)];
    return k * block >= own.first && k * block < own.first + own.rows;
  }

  /// Rows and columns of the matrix in what a share holds.
  static auto part(const View& d, const Share& own, blockfw::IndexRange i, blockfw::IndexRange j) {
    return Kokkos::subview(d, Kokkos::make_pair(i.first - own.top, i.first - own.top + i.count),
                           Kokkos::make_pair(j.first, j.first + j.count));
  }
  static auto part(const View& d, const Share& own, blockfw::IndexRange i) {
    return part(d, own, i, {0, d.extent_int(1)});
  }

  // The phases of a round.

  typename Phase::Part whole_part(const Share& own) const { return {typename Phase::Ref(own.d), own.top / block, 0}; }
  /// Some rows of the matrix but the pivots', as the share numbers its rows; those that it does not hold are none.
  blockfw::Selection without_pivots(const Share& own, int k, blockfw::IndexRange rows) const {
    return {{rows.first - own.top, rows.count}, {k * block - own.top, pivots(k).count}};
  }
  blockfw::Selection columns_without_pivots(int k) const { return {{0, n_}, pivots(k)}; }

  /// Closes the pivot and makes the right panel, the pivots' rows.
  void make_right(int s, int k) const {
    const Share& own = shares_[std::size_t(s)];
    Phase::close_pivot(own.exec, whole_part(own), k, own.panels.panels());
    Phase::update_panels(own.exec, whole_part(own), k, own.panels.panels(), {{0, 0}}, columns_without_pivots(k));
  }
  /// Makes the left panel, the pivots' columns in all rows that the share holds.
  void make_left(int s, int k) const {
    const Share& own = shares_[std::size_t(s)];
    Phase::update_panels(own.exec, whole_part(own), k, own.panels.panels(),
                         without_pivots(own, k, {own.top, own.d.extent_int(0)}), {{0, 0}});
  }
  /// Updates the share's own rows.
  void update(int s, int k) const {
    const Share& own = shares_[std::size_t(s)];
    Phase::update_through(own.exec, whole_part(own), k, k, own.panels.panels(),
                          without_pivots(own, k, {own.first, own.rows}), columns_without_pivots(k));
  }

  // The exchange of a round.

  /// Sends to the other share what it needs of this one. Returns the bytes.
  double send(int s, int k) const {
    const Share &own = shares_[std::size_t(s)], &other = shares_[std::size_t(1 - s)];
    const auto rows = [&](blockfw::IndexRange i, blockfw::IndexRange j) {
      if (i.count == 0) return 0.0;
      blockfw::detail::copy_rows(own.exec, part(other.d, other, i, j), part(own.d, own, i, j));
      return double(i.count) * double(j.count) * double(sizeof(T));
    };
    const blockfw::IndexRange pivot = pivots(k), all_columns{0, n_};
    const int end = own.first + own.rows;
    switch (method_) {
      case Method::whole:
        return rows({own.first, own.rows}, all_columns);
      case Method::cross:
        if (!owns(s, k)) return rows({own.first, own.rows}, pivot);
        return rows(pivot, all_columns) + rows({own.first, pivot.first - own.first}, pivot) +
               rows({pivot.first + pivot.count, end - pivot.first - pivot.count}, pivot);
      case Method::row:
        break;
    }
    if (!owns(s, k)) return 0;
    const auto bytes_of = [](const blockfw::Message& m) {
      return Kokkos::View<std::byte*, typename AnyExec::memory_space, Kokkos::MemoryTraits<Kokkos::Unmanaged>>(m.data,
                                                                                                               m.bytes);
    };
    Kokkos::deep_copy(own.exec, bytes_of(other.panels.right(k)), bytes_of(own.panels.right(k)));
    return double(own.panels.right(k).bytes);
  }

  Method method_;
  int n_;
  std::vector<Share> shares_;
};

/// The graph, where instances of AnyExec can copy it from.
template <class AnyExec>
auto graph(std::int64_t n) {
  return Kokkos::create_mirror_view_and_copy(typename AnyExec::memory_space(), bench::kept_random_graph<T>(n));
}

/// Checksums of the distances that one instance finds.
struct Right {
  std::uint64_t all, last_columns;
};
template <int block>
const Right& right(std::int64_t n) {
  static std::map<std::int64_t, Right> known;
  if (const auto found = known.find(n); found != known.end()) return found->second;
  const auto d = bench::random_graph<T>(n);
  blockfw::blocked_floyd_warshall(Exec{}, d);
  const auto last = Kokkos::make_pair((n - 1) / block * block, n);
  return known[n] = {bench::checksum(Exec{}, d), bench::checksum(Exec{}, Kokkos::subview(d, Kokkos::ALL, last))};
}

void count(benchmark::State& state, std::int64_t n, double limit, double rounds, const Cost& cost) {
  bench::count_relaxes<T>(state, bench::relaxes(n), limit);
  state.counters["rounds"] = rounds;
  state.counters["round_seconds"] = cost.seconds / rounds;
  state.counters["round_bytes"] = cost.bytes / rounds;
}

/// The mean of the calls that are measured; the first may warm up.
Cost mean(const benchmark::State& state, const std::vector<Cost>& costs) {
  const auto calls = static_cast<std::ptrdiff_t>(state.iterations());
  const auto of = [&](double Cost::* what) {
    return std::accumulate(costs.end() - calls, costs.end(), 0.0,
                           [&](double sum, const Cost& cost) { return sum + cost.*what; }) /
           static_cast<double>(calls);
  };
  return {of(&Cost::seconds), of(&Cost::exchange), of(&Cost::bytes)};
}

template <class AnyExec>
void run(benchmark::State& state, Method method, std::int64_t n) {
  const Two<AnyExec> two;
  const auto weights = graph<AnyExec>(n);
  Shares<AnyExec> shares(method, two.list(), n);
  std::vector<Cost> costs;
  bench::measure(state, Exec(), [&] { shares.fill(weights); }, [&] { costs.push_back(shares.solve()); });
  const Cost cost = mean(state, costs);
  count(state, n, Two<AnyExec>::limit(), shares.rounds(), cost);
  state.counters["round_exchange"] = cost.exchange / shares.rounds();

  const Right& expected = right<Shares<AnyExec>::block>(n);
  bool same = shares.checksum() == expected.all;
  for (int s = 0; s < 2 && method != Method::row; ++s)
    same = same && shares.checksum_of_columns(s) == expected.last_columns;
  if (!same) state.SkipWithError("wrong distances");
}

/// The library's solver: the row travels beside the work of the round before, so no time is the exchange's own.
template <class AnyExec>
void run_look_ahead(benchmark::State& state, std::int64_t n) {
  const Two<AnyExec> two;
  const auto weights = graph<AnyExec>(n);
  blockfw::RowBlocks<T, AnyExec> d(two.list(), n);
  std::vector<Cost> costs;
  bench::measure(
      state, Exec(), [&] { d.copy_from(weights); },
      [&] {
        const Kokkos::Timer timer;
        d.floyd_warshall({}, false);
        costs.push_back({.seconds = timer.seconds()});
      });
  Cost cost = mean(state, costs);
  using Phase = blockfw::Phases<blockfw::default_tile<AnyExec, T>, AnyExec, blockfw::MinPlus<T>>;
  const int order = static_cast<int>(n), rounds = blockfw::detail::div_up(order, Phase::block);
  const typename Phase::GroupStorage panels(
      two.list().front(), {.order = order, .height = Phase::block, .width = order, .rounds = 1, .negative = false});
  cost.bytes = double(panels.right(0).bytes) * rounds;  // (to one other share)
  count(state, n, Two<AnyExec>::limit(), rounds, cost);

  std::uint64_t sum = 0;
  for (int s = 0; s < d.shares(); ++s) sum += bench::checksum(d.exec(s), d.view(s), d.first_row(s));
  if (sum != right<Phase::block>(n).all) state.SkipWithError("wrong distances");
}

template <class AnyExec>
void add_all(const bench::Orders& orders) {
  const char* const two = Two<AnyExec>::name();
  for (const std::int64_t n : orders) {
    bench::add("exchange/method:whole", {{two, 2}, {"n", n}},
               [n](benchmark::State& state) { run<AnyExec>(state, Method::whole, n); });
    bench::add("exchange/method:cross", {{two, 2}, {"n", n}},
               [n](benchmark::State& state) { run<AnyExec>(state, Method::cross, n); });
    bench::add("exchange/method:row", {{two, 2}, {"n", n}},
               [n](benchmark::State& state) { run<AnyExec>(state, Method::row, n); });
    bench::add("exchange/method:look-ahead", {{two, 2}, {"n", n}},
               [n](benchmark::State& state) { run_look_ahead<AnyExec>(state, n); });
  }
}

}  // namespace

void bench::add_exchange(Plan plan) {
  using Host = Kokkos::DefaultHostExecutionSpace;
  if constexpr (!on_host)
    add_all<Exec>(of<std::int64_t>(plan, {5000}, {5000, 10000, 20000}, {2500, 5000, 10000, 20000, 40000}));
  if constexpr (std::is_constructible_v<Host, int>)
    add_all<Host>(of<std::int64_t>(plan, {512, 1024, 2048}, {512, 1024, 2048, 4096}, {512, 1024, 2048, 4096, 6000}));
}
