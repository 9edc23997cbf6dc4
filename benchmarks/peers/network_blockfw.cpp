// SPDX-License-Identifier: MIT
// blockfw's answers to the questions of network_peers.hpp.
#include <Kokkos_Core.hpp>
#include <blockfw/end_points.hpp>
#include <blockfw/group_sums.hpp>
#include <blockfw/network.hpp>
#include <blockfw/sparse.hpp>
#include <blockfw/turns.hpp>
#include "network_peers.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

namespace {

using Host = Kokkos::DefaultHostExecutionSpace;
using Shortest = blockfw::MinPlus<std::int32_t>;
using Edges = std::vector<blockfw::Edge<std::int32_t>>;
using Matrix = blockfw::DistanceMatrix<std::int32_t, Host>;
static_assert(blockfw::infinity<std::int32_t> >= unreached);

std::size_t index(std::int64_t i) { return static_cast<std::size_t>(i); }

Edges edges_of(const Graph& graph) {
  Edges edges;
  for (std::size_t a = 0; a < graph.from.size(); ++a) edges.push_back({graph.from[a], graph.to[a], graph.weight[a]});
  return edges;
}

class Blockfw final : public Program {
 public:
  explicit Blockfw(const Graph& graph) : n_(graph.n), edges_(edges_of(graph)) {}

  std::vector<std::string> columns() const override { return {"blockfw"}; }

  Ways ways(const Question& q) override {
    if (!network_ && q.what != Asked::preparation) prepare();
    const auto way = [](std::function<void(Answer&)> run) { return Ways{{"blockfw", "", std::move(run)}}; };
    switch (q.what) {
      case Asked::preparation:
        return way([this](Answer&) { prepare(); });
      case Asked::order:
        return {};
      case Asked::new_weights:
        return {{"blockfw", "",
                 [&, this](Answer&) { reweighted_ = std::make_unique<Network>(network_->with_weights(q.weights)); },
                 [&, this](Answer& a) { put(a, reweighted_->distances(q.sources, q.targets)); }}};
      case Asked::one_by_one:
        return one_by_one(q);
      case Asked::pairs:
        return way([&, this](Answer& a) { put(a, network_->distances(q.sources, q.targets)); });
      case Asked::table:
        return way([&, this](Answer& a) {
          network_->table(q.sources, q.targets, Matrix(a.distances.data(), q.sources.size(), q.targets.size()));
        });
      case Asked::row_by_row:
        return way([&, this](Answer& a) {
          for (const std::int32_t source : q.sources)
            network_->distances_from(Ints{source}, Matrix(a.distances.data(), 1, index(n_)));
        });
      case Asked::rows:
        return way([&, this](Answer& a) {
          network_->distances_from(q.sources, Matrix(a.distances.data(), q.sources.size(), index(n_)));
        });
      case Asked::matrix:
        return way([this](Answer& a) {
          const blockfw::SparseAnalysis analysis(n_, edges_);
          const blockfw::SparseFactor factor(Host(), analysis, edges_);
          factor.solve(Matrix(a.distances.data(), index(n_), index(n_)));
        });
      case Asked::points:
        return way([&, this](Answer& a) {
          std::vector<blockfw::PlaceOnEdge<std::int32_t>> list;
          for (const Place& place : q.places) list.push_back({place.point, place.arc, place.position});
          const auto on = blockfw::on_edges(*network_, q.count, list);
          blockfw::table(*network_, on.from, on.to, Matrix(a.distances.data(), index(q.count), index(q.count)));
        });
      case Asked::turns:
        return way([&, this](Answer&) { prepare_turns(q.turns); });
      case Asked::table_by_turns:
        if (!roads_) prepare_turns(q.turns);
        return way([&, this](Answer& a) {
          roads_->table(q.sources, q.targets, Matrix(a.distances.data(), q.sources.size(), q.targets.size()));
        });
      case Asked::nearest:
        return way([&, this](Answer& a) {
          put(a, network_->nearest(q.targets, q.count).distance);
          for (std::int32_t& d : a.distances)
            if (d > q.limits[0]) d = unreached;
        });
      case Asked::sums_within:
        Ways both{{"blockfw", "within", [&, this](Answer& a) { sum_by_within(q, a.sums); }}};
        if (n_ <= 25000) both.push_back({"blockfw", "group_sums", [&, this](Answer& a) { sum_by_groups(q, a.sums); }});
        return both;
    }
    return {};
  }

 private:
  using Network = blockfw::Network<Shortest>;

  /// Copies a result: to move it would free the memory of larger answers, which takes longer than a small question.
  static void put(Answer& a, const std::vector<std::int32_t>& distances) {
    a.distances.assign(distances.begin(), distances.end());
  }

  void prepare() { network_ = std::make_unique<Network>(Host(), n_, edges_); }

  void prepare_turns(const std::vector<ForbiddenTurn>& turns) {
    std::vector<blockfw::Turn<std::int32_t>> list;
    for (const ForbiddenTurn& turn : turns) list.push_back({turn.from, turn.to, blockfw::infinity<std::int32_t>});
    roads_ = std::make_unique<blockfw::RoadNetwork<Shortest>>(
        blockfw::by_roads(Host(), n_, edges_, list, {.u_turns = blockfw::UTurns::dead_ends}));
  }

  Ways one_by_one(const Question& q) {
    const auto by = [&q](const Network* network) {
      return [&q, network](Answer& a) {
        for (std::size_t p = 0; p < q.sources.size(); ++p)
          a.distances[p] = network->distance(q.sources[p], q.targets[p]);
      };
    };
    Ways ways{{"blockfw", "", by(network_.get())}};
    if (network_->label_bytes() < 4e9) {
      labelled_ = std::make_unique<Network>(*network_);
      labelled_->keep_labels();
      ways.push_back({"blockfw", "labels kept", by(labelled_.get())});
    }
    return ways;
  }

  /// The lists of some thousand vertices at a time, and then their sums.
  void sum_by_within(const Question& q, std::vector<double>& sums) {
    constexpr std::int32_t at_once = 4096;
    const std::size_t count = q.limits.size();
    for (std::int32_t first = 0; first < n_; first += at_once) {
      Ints sources(index(std::min(at_once, n_ - first)));
      std::iota(sources.begin(), sources.end(), first);
      const auto found = network_->within(sources, q.limits.back());
      const auto sum_of_row = [&](std::int64_t row) {
        double* const mine = &sums[index(first + row) * count];
        std::fill_n(mine, count, 0.);
        for (auto k = index(found.first[index(row)]); k < index(found.first[index(row + 1)]); ++k)
          for (std::size_t l = 0; l < count; ++l)
            if (found.distances[k] <= q.limits[l]) mine[l] += q.values[index(found.vertices[k])];
      };
      using Rows = Kokkos::RangePolicy<Host, Kokkos::Schedule<Kokkos::Dynamic>, Kokkos::IndexType<std::int64_t>>;
      Kokkos::parallel_for("sums_within", Rows(0, static_cast<std::int64_t>(sources.size())), sum_of_row);
      Kokkos::fence();
    }
  }

  void sum_by_groups(const Question& q, std::vector<double>& sums) {
    const Host exec;
    const blockfw::VertexGroups groups(exec, Ints(q.values.size(), 0), {.weights = q.values});
    const std::size_t count = q.limits.size();
    network_->for_whole_rows([&](std::int64_t first, const auto& rows) {
      double* const mine = &sums[index(first) * count];
      if (count == 1) {
        const auto some = blockfw::group_sums(exec, rows, groups, q.limits[0]);
        for (std::size_t r = 0; r < some.reached.extent(0); ++r) mine[r] = some.reached(r, 0);
      } else {
        const auto some = blockfw::group_sums(exec, rows, groups, q.limits);
        for (std::size_t r = 0; r < some.reached.extent(0); ++r)
          for (std::size_t l = 0; l < count; ++l) mine[r * count + l] = some.reached(r, 0, l);
      }
    });
  }

  std::int32_t n_;
  Edges edges_;
  std::unique_ptr<Network> network_, labelled_, reweighted_;
  std::unique_ptr<blockfw::RoadNetwork<Shortest>> roads_;
};

}  // namespace

std::unique_ptr<Program> blockfw_program(const Graph& graph) { return std::make_unique<Blockfw>(graph); }

Ints order_by_blockfw(const Graph& graph) { return blockfw::SparseAnalysis(graph.n, edges_of(graph)).order(); }

int threads_of_blockfw() { return Host().concurrency(); }
