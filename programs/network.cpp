// SPDX-License-Identifier: MIT
#include "network.hpp"

#include "orders.hpp"
#include "printing.hpp"
#include "progress.hpp"

#include <Kokkos_Core.hpp>
#include <blockfw/files/output_file.hpp>
#include <blockfw/io/distances.hpp>
#include <blockfw/measures.hpp>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <functional>
#include <limits>
#include <span>
#include <string>
#include <system_error>

namespace apsp {

namespace {

/// The limit that a text says, in T: whole numbers of 64 bits exactly. For integers other numbers are rounded down, for
/// floats to the nearest number of T.
template <class T>
T limit_of(const std::string& text) {
  constexpr T most = std::numeric_limits<T>::max(), least = std::numeric_limits<T>::lowest();
  const char* const end = text.data() + text.size();
  if constexpr (std::is_integral_v<T>) {
    std::int64_t whole = 0;
    if (const auto [last, error] = std::from_chars(text.data(), end, whole); last == end && error == std::errc())
      return static_cast<T>(std::clamp<std::int64_t>(whole, least, most));
  }
  const double number = std::strtod(text.c_str(), nullptr);
  if constexpr (std::is_integral_v<T>) {
    const double floor = std::floor(number);
    return floor >= static_cast<double>(most)    ? most
           : floor <= static_cast<double>(least) ? least
                                                 : static_cast<T>(floor);
  }
  return static_cast<T>(number);
}

/// Rows of the vertices that are kept, for all of the file.
template <class T, class View>
HostMatrix<typename View::non_const_value_type> for_all_names(const Graph<T>& graph, const View& rows) {
  using Value = typename View::non_const_value_type;
  const std::size_t count = rows.extent(0), columns = static_cast<std::size_t>(graph.in_file);
  blockfw::detail::require_host_memory(digits(count) + " rows of " + digits(columns) + " distances",
                                       static_cast<double>(count) * static_cast<double>(columns) * sizeof(Value));
  const HostMatrix<Value> all(Kokkos::view_alloc("rows", Kokkos::WithoutInitializing), count, columns);
  graph.for_each_name([&](std::int64_t name, std::int32_t v) {
    const auto column = static_cast<std::size_t>(name - graph.first_vertex);
    for (std::size_t r = 0; r < count; ++r) all(r, column) = rows(r, static_cast<std::size_t>(v));
  });
  return all;
}

/// Calls f(block) for blocks of the sources, in order, whose rows take 64 MB, but for some of each thread.
template <class F>
void in_blocks(std::span<const std::int32_t> sources, std::int64_t bytes_of_row, const F& f) {
  constexpr std::int64_t bytes = std::int64_t{1} << 26, of_thread = 64;
  const auto most = static_cast<std::size_t>(
      std::max(bytes / std::max<std::int64_t>(bytes_of_row, 1), of_thread * Host().concurrency()));
  for (std::size_t first = 0; first < sources.size(); first += most)
    f(sources.subspan(first, std::min(most, sources.size() - first)));
}

/// Calls f(rows) for blocks of rows of a table, in order.
template <class S, class F>
void blocks_of_table(const blockfw::Network<S>& network, const std::vector<std::int32_t>& sources,
                     const std::vector<std::int32_t>& targets, const F& f) {
  network.for_rows_of_table(sources, targets, [&](std::int64_t, const auto& rows) { f(rows); });
}
template <class F>
void blocks_of_table(const blockfw::SecondWeights<>& second, const std::vector<std::int32_t>& sources,
                     const std::vector<std::int32_t>& targets, const F& f) {
  in_blocks(sources, static_cast<std::int64_t>(targets.size() * sizeof(std::int64_t)),
            [&](const auto& block) { f(second.table(block, targets)); });
}

}  // namespace

template <class S>
NetworkRun<S>::NetworkRun(const Arguments& arguments, const blockfw::io::InputFile& file, const OtherFiles& others)
    : arguments_(arguments),
      graph_(read<T>(file, arguments)),
      from_(list_of("--from", arguments.from, others.from)),
      to_(list_of("--to", arguments.to, others.to)),
      places_(list_of("--nearest", {}, others.nearest)) {
  if (arguments.network.pairs) require_pairs();
  if (others.second) second_weights_ = read_second_weights(*others.second, graph_);
  open_output();
  leave_out_lone();
}

template <class S>
auto NetworkRun<S>::list_of(const char* option, const std::optional<std::int64_t>& vertex,
                            const std::optional<blockfw::io::InputFile>& file) const -> std::optional<List> {
  const VertexNumbers numbers{graph_.first_vertex, graph_.in_file};
  if (file) return List{read_vertices(*file, numbers)};
  if (!vertex) return {};
  require_vertex(option, *vertex, numbers);
  return List{{*vertex}};
}

template <class S>
void NetworkRun<S>::require_pairs() const {
  const std::size_t sources = from_->names.size(), targets = to_->names.size();
  if (sources != targets)
    throw blockfw::InvalidInput("--pairs of " + digits(sources) + " vertices to come from and " + digits(targets) +
                                " to go to, expected as many of each");
}

/// Leaves out vertices without edges, and finds those that were asked for among the others.
template <class S>
void NetworkRun<S>::leave_out_lone() {
  Names asked;
  for (const auto* list : {&from_, &to_, &places_})
    if (*list) asked.insert(asked.end(), (*list)->names.begin(), (*list)->names.end());
  graph_.leave_out_lone(asked);
  for (auto* list : {&from_, &to_, &places_})
    if (*list)
      for (const std::int64_t name : (*list)->names)
        (*list)->vertices.push_back(static_cast<std::int32_t>(graph_.vertex(name)));
}

template <class S>
void NetworkRun<S>::open_output() {
  const NetworkArguments& asked = arguments_.network;
  if (asked.measures || places_ || !asked.within.empty()) {  // lines: see whether there can be such a file
    if (!arguments_.writes()) return;
    require_ending<T>(arguments_.output);
    blockfw::io::DistanceOutput<T>(arguments_.output, 0);
    return;
  }
  const auto size = [&](const std::optional<List>& list) {
    return list ? static_cast<std::int64_t>(list->names.size()) : graph_.in_file;
  };
  const std::int64_t rows = size(from_), columns = asked.pairs ? 1 : size(to_);
  if (second_weights_)
    second_table_.emplace(arguments_.output, rows, columns);
  else
    table_.emplace(arguments_.output, rows, columns);
}

template <class S>
void NetworkRun<S>::prepare() {
  ProgressBar bar("preparing");
  blockfw::NetworkOptions options{.direction = graph_.direction,
                                  .order = order_of(graph_, arguments_.network.order),
                                  .strict_cycles = graph_.strict_cycles};
  if (bar.wanted()) options.progress = std::ref(bar);
  with_names_of(graph_, [&] { network_.emplace(Host(), graph_.vertices, graph_.edges, options); });
  if constexpr (is_shortest<S>)
    if (second_weights_) second_.emplace(*network_, *second_weights_);
}

template <class S>
void NetworkRun<S>::answer() {
  if constexpr (is_shortest<S>) {  // (the arguments were checked)
    if (arguments_.network.measures) return write_measures();
    if (places_) return write_nearest();
    if (!arguments_.network.within.empty()) return write_within();
    if (second_) return write_distances(*second_, *second_table_);
  }
  write_distances(*network_, *table_);
}

template <class S>
template <class Asked>
void NetworkRun<S>::write_distances(const Asked& asked, TableOutput<typename Asked::T>& table) const {
  arguments_.network.pairs ? write_pairs(asked, table) : write_table(asked, table);
  table.finish();
}

/// Calls f(rows) for blocks of rows of the table, in order.
template <class S>
template <class Asked, class F>
void NetworkRun<S>::for_rows(const Asked& asked, const F& f) const {
  Vertices sources;
  if (from_)
    sources = from_->vertices;
  else
    graph_.for_each_name([&](std::int64_t, std::int32_t v) { sources.push_back(v); });
  if (to_) return blocks_of_table(asked, sources, to_->vertices, f);
  in_blocks(sources, graph_.in_file * static_cast<std::int64_t>(sizeof(typename Asked::T)), [&](const auto& block) {
    const auto rows = asked.distances_from(block);
    graph_.kept.empty() ? f(rows) : f(for_all_names(graph_, rows));
  });
}

template <class S>
template <class Asked>
void NetworkRun<S>::write_table(const Asked& asked, TableOutput<typename Asked::T>& table) const {
  for_rows(asked, [&](const auto& rows) {
    mark_no_path<S>(Host(), rows);
    table.append(rows);
  });
}

template <class S>
template <class Asked>
void NetworkRun<S>::write_pairs(const Asked& asked, TableOutput<typename Asked::T>& table) const {
  const auto distances = asked.distances(from_->vertices, to_->vertices);
  const HostMatrix<typename Asked::T> column("pairs", distances.size(), 1);
  std::copy(distances.begin(), distances.end(), column.data());
  mark_no_path<S>(Host(), column);
  table.append(column);
}

/// Prints lines, or writes them. \param make  make(put) calls put(line) for each
template <class S>
template <class Make>
void NetworkRun<S>::write_lines(const Make& make) const {
  if (arguments_.writes())
    blockfw::io::detail::write_text(arguments_.output, make);
  else
    print_lines(make);
}

template <class S>
void NetworkRun<S>::write_nearest() const
  requires is_shortest<S>
{
  const std::int64_t count = std::max<std::int64_t>(arguments_.network.count, 1);
  const auto found = from_ ? network_->nearest(from_->vertices, places_->vertices, count)
                           : network_->nearest(places_->vertices, count);
  write_lines([&](const auto& put) {
    const auto put_nearest = [&](std::int64_t name, std::size_t entry) {
      for (std::size_t i = entry * found.count; i < (entry + 1) * found.count; ++i) {
        const std::int32_t place = found.place[i];
        put(digits(name) + '\t' +
            (place == blockfw::no_vertex ? "-" : digits(places_->names[static_cast<std::size_t>(place)])) + '\t' +
            digits(found.distance[i]) + '\n');
      }
    };
    if (!from_)
      return graph_.for_each_name(
          [&](std::int64_t name, std::int32_t v) { put_nearest(name, static_cast<std::size_t>(v)); });
    for (std::size_t i = 0; i < from_->names.size(); ++i) put_nearest(from_->names[i], i);
  });
}

template <class S>
void NetworkRun<S>::write_within() const
  requires is_shortest<S>
{
  const auto found = network_->within(from_->vertices, limit_of<T>(arguments_.network.within));
  write_lines([&](const auto& put) {
    for (std::size_t s = 0; s < from_->names.size(); ++s) {
      const std::string source = digits(from_->names[s]) + '\t';
      for (auto i = static_cast<std::size_t>(found.first[s]); i < static_cast<std::size_t>(found.first[s + 1]); ++i)
        put(source + digits(graph_.name(found.vertices[i])) + '\t' + digits(found.distances[i]) + '\n');
    }
  });
}

template <class S>
void NetworkRun<S>::write_measures() const
  requires is_shortest<S>
{
  ProgressBar bar("measuring");
  const auto reach =
      network_->reach(blockfw::Towards::others, bar.wanted() ? blockfw::Progress(std::ref(bar)) : blockfw::Progress());
  write_lines([&](const auto& put) {
    graph_.for_each_name([&](std::int64_t name, std::int32_t v) {
      const auto& r = reach[static_cast<std::size_t>(v)];
      put(digits(name) + '\t' + digits(r.vertices) + '\t' + digits(blockfw::eccentricity(r, graph_.in_file)) + '\t' +
          digits(blockfw::closeness(r, graph_.in_file)) + '\n');
    });
  });
}

template <class S>
void NetworkRun<S>::print_stats(double preparing, double answering) const {
  using program::print_line;
  const blockfw::SparseAnalysis& analysis = network_->analysis();
  print_line("preparing", preparing,
             program::text("a network, %.3g Grelax (%s%s, %d threads), the widest separator has %lld vertices",
                           analysis.factor_relaxes() * 1e-9, blockfw::type_name<T>(),
                           network_->is_symmetric() ? ", half the work" : "", Host().concurrency(),
                           static_cast<long long>(analysis.widest())));
  print_line("answering", answering, "and writing");
}

}  // namespace apsp

APSP_SEMIRINGS(APSP_NETWORK, )
