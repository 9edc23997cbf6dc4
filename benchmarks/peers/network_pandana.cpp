// SPDX-License-Identifier: MIT
// The answers of pandana's C++ classes to the questions of network_peers.hpp.
#include "accessibility.h"
#include "network_peers.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

namespace {

class Pandana final : public Program {
 public:
  explicit Pandana(const Graph& graph) : graph_(graph) {
    // It keeps thousandths of lengths in 32 bits: lengths of long arcs are told in thousands.
    if (*std::max_element(graph.weight.begin(), graph.weight.end()) > 10000) unit_ = 1000;
  }

  std::vector<std::string> columns() const override { return {"pandana"}; }

  Ways ways(const Question& q) override {
    using Numbers = std::vector<long>;
    if (!network_ && q.what != Asked::preparation) prepare();
    switch (q.what) {
      case Asked::preparation:
        return {{"pandana", "", [this](Answer&) { prepare(); }}};
      case Asked::one_by_one:
        return {{"pandana", "", [&, this](Answer& a) {
                   for (std::size_t p = 0; p < q.sources.size(); ++p)
                     a.distances[p] = whole(network_->Distance(q.sources[p], q.targets[p]));
                 }}};
      case Asked::pairs:
        return {{"pandana", "", [&, this](Answer& a) {
                   const auto found = network_->Distances(Numbers(q.sources.begin(), q.sources.end()),
                                                          Numbers(q.targets.begin(), q.targets.end()));
                   for (std::size_t p = 0; p < found.size(); ++p) a.distances[p] = whole(found[p]);
                 }}};
      case Asked::nearest:
        return {{"pandana", "", [&, this](Answer& a) {
                   const auto limit = static_cast<float>(length(q.limits[0]));
                   network_->initializeCategory(limit, q.count, "places", Numbers(q.targets.begin(), q.targets.end()));
                   const auto found = network_->findAllNearestPOIs(limit, unsigned(q.count), "places").first;
                   auto out = a.distances.begin();
                   for (std::size_t v = 0; v < std::size_t(graph_.n); ++v)
                     for (std::size_t k = 0; k < std::size_t(q.count); ++k)
                       *out++ = found[v][k] < 0 ? unreached : whole(found[v][k]);
                 }}};
      case Asked::sums_within: {
        Numbers vertices(q.values.size());
        std::iota(vertices.begin(), vertices.end(), 0L);
        network_->initializeAccVar("values", vertices, q.values);
        return {{"pandana", "", [&, this](Answer& a) {
                   for (std::size_t l = 0; l < q.limits.size(); ++l) {
                     const auto limit = static_cast<float>(length(q.limits[l]));
                     const auto sums = network_->getAllAggregateAccessibilityVariables(limit, "values", "sum", "flat");
                     for (std::size_t v = 0; v < sums.size(); ++v) a.sums[v * q.limits.size() + l] = sums[v];
                   }
                 }}};
      }
      default:
        return {};
    }
  }

 private:
  void prepare() {
    std::vector<std::vector<long>> ends;
    std::vector<std::vector<double>> lengths(1);
    for (std::size_t a = 0; a < graph_.from.size(); ++a)
      if (!graph_.symmetric || graph_.from[a] < graph_.to[a]) {
        ends.push_back({graph_.from[a], graph_.to[a]});
        lengths[0].push_back(length(graph_.weight[a]));
      }
    network_ = std::make_unique<MTC::accessibility::Accessibility>(graph_.n, ends, lengths, graph_.symmetric);
  }

  /// A quarter more keeps a length in thousands from being rounded down to the next smaller one.
  double length(std::int32_t ours) const { return unit_ == 1 ? ours : (ours + 0.25) / unit_; }
  std::int32_t whole(double d) const { return d > 2.1e6 ? unreached : std::int32_t(std::llround(d * unit_)); }

  const Graph& graph_;
  double unit_ = 1;  ///< one of its lengths is so many of ours
  std::unique_ptr<MTC::accessibility::Accessibility> network_;
};

}  // namespace

std::unique_ptr<Program> pandana_program(const Graph& graph) { return std::make_unique<Pandana>(graph); }
