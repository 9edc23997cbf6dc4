// SPDX-License-Identifier: MIT
// Reads any bytes as a graph of every format. The result must be a valid graph or a FileError.
//
// libFuzzer's entry; run_seeds.cpp calls it for its seeds.
#include "../../programs/input.hpp"

#include "blockfw/io/graph_file.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>

namespace {

using blockfw::FileError;
using blockfw::io::Graph;
using blockfw::io::InputFile;
using blockfw::io::Survey;

void require(bool holds) {
  if (!holds) std::abort();
}

/// The result of read(), or none if it refuses the file; any other exception ends the program.
template <class Read>
auto result_of(const Read& read) -> std::optional<decltype(read())> {
  try {
    return read();
  } catch (const FileError& error) {
    const std::string what = error.what();
    require(what.starts_with("file: "));
    for (const char c : what) require(c >= ' ' && c <= '~');
    return std::nullopt;
  }
}

template <class W>
void check_graph(const std::optional<Graph<W>>& graph) {
  if (!graph) return;
  require(graph->vertices >= 0 && graph->vertices <= INT32_MAX);
  for (const auto& edge : graph->edges) {
    require(edge.from >= 0 && edge.from < graph->vertices);
    require(edge.to >= 0 && edge.to < graph->vertices);
    require(edge.weight - edge.weight == 0);  // no NaN, and no infinity
  }
}

/// If the survey says that a type suffices, the graph can be read in this type, and is the same graph.
template <class W>
void check_type(const InputFile& file, const std::optional<Survey>& survey) {
  const auto graph = result_of([&] { return blockfw::io::read_graph<W>(file); });
  check_graph(graph);
  if (!survey || !blockfw::io::suffices<W>(*survey)) return;
  if (std::is_same_v<W, float> && !graph) return;  // float does not hold the largest weights
  require(graph.has_value());
  require(graph->vertices == survey->vertices && graph->direction == survey->direction);
  require(static_cast<std::int64_t>(graph->edges.size()) == survey->edges);
  if constexpr (std::is_integral_v<W>)
    for (const auto& edge : graph->edges)
      require(edge.weight >= survey->range.smallest && edge.weight <= survey->range.largest);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto given = result_of(
      [&] { return program::input_of({"file", std::string_view(reinterpret_cast<const char*>(data), size)}); });
  if (!given) return 0;
  const InputFile& file = *given;
  const auto survey = result_of([&] { return blockfw::io::survey(file); });
  check_type<std::int32_t>(file, survey);
  check_type<std::int64_t>(file, survey);
  check_type<float>(file, survey);
  check_type<double>(file, survey);
  // The readers of other formats must not crash either.
  check_graph(result_of([&] { return blockfw::io::read_dimacs<std::int32_t>(file); }));
  check_graph(result_of([&] { return blockfw::io::read_matrix_market<double>(file); }));
  check_graph(result_of([&] { return blockfw::io::read_edge_list<std::int64_t>(file); }));
  check_graph(result_of([&] { return blockfw::io::read_npy<float>(file); }));
  check_graph(result_of([&] { return blockfw::io::read_konect<std::int16_t>(file); }));
  return 0;
}
