// SPDX-License-Identifier: MIT
// Reads any bytes as a graph of every format. The result must be a valid graph or a FileError.
//
// libFuzzer's entry, and the seeds; seeds.hpp calls it for them.
#include "../../programs/input.hpp"

#include "blockfw/io/graph_file.hpp"
#include "seeds.hpp"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

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

// Good and bad files of each format, by name.
const std::vector<Seed>& seeds() {
  using namespace std::string_view_literals;
  static const std::vector<Seed> all{
      {"array-symmetric.mtx", "%%MatrixMarket matrix array integer symmetric\n2 2\n0\n-3\n0\n"sv},
      {"array.mtx",
       "%%MatrixMarket matrix array real general\n2 2\n0\ninf\n1.5\n"
       "0\n"sv},
      {"bipartite.konect", "% bip unweighted\n1 2\n"sv},
      {"bool.npy",
       "\223NUMPY\001\000<\000{'descr': '|b1', 'fortran_order': False, 'shape': (2, 2), }\n"
       "\000\001\001\000"sv},
      {"byte-order-mark.csv", "\357\273\2770,1,5\n1,2,9007199254740993\n"sv},
      {"coordinate.mtx",
       "%%MatrixMarket matrix coordinate real general\n% four towns\n"
       "4 4 4\n1 2 5.0\n2 3 2e0\n1 3 9\n3 4 inf\n"sv},
      {"dimacs-crlf.gr", "p sp 2 1\r\na 2 1 -7.5\r\n"sv},
      {"dimacs.gr", "c four towns\np sp 4 4\na 1 2 5\na 2 3 2\na 1 3 9\na 3 4 1\n"sv},
      {"edges-plain.txt", "0 1\n1 2"sv},
      {"edges-real.csv", "0,1,0.5\n1,2,1e3\n"sv},
      {"edges.txt", "# from to weight\n0 1 5\n1\t2\t2\n0,2,9\n"sv},
      {"edges.txt.gz",
       "\037\213\010\000\000\000\000\000\002\3773P0T0\3452T0R0\3422\000\222\226\\\000\037\25385\022\000\000\000"sv},
      {"empty", ""sv},
      {"empty-field.csv", "0,1,5\n1,,2\n"sv},
      {"f4.npy",
       "\223NUMPY\003\000<\000\000\000{'descr': '<f4', 'fortran_order': False, 'shape': (2, 2), }\n"
       "\000\000\000\000\000\000\300?\000\000\200\177\000\000\000\000"sv},
      {"f8.npy",
       "\223NUMPY\001\000;\000{'descr': '<f8', 'fortran_order': True, 'shape': (2, 2), }\n"
       "\000\000\000\000\000\000\000\000\000\000\000\000\000\000\370?\000\000\000\000\000\000\000\000\000\000"
       "\000\000\000\000\360\177"sv},
      {"homework.bin",
       "\004\000\000\000\002\000\000\000\000\000\000\000\001\000\000\000\005\000\000\000\001\000\000\000\002"
       "\000\000\000\376\377\377\377"sv},
      {"i1.npy",
       "\223NUMPY\001\000<\000{'descr': '|i1', 'fortran_order': False, 'shape': (2, 2), }\n"
       "\000\001\377\000"sv},
      {"i4.npy",
       "\223NUMPY\001\000<\000{'descr': '<i4', 'fortran_order': False, 'shape': (2, 2), }\n"
       "\000\000\000\000\007\000\000\000\377\377\377?\000\000\000\000"sv},
      {"i8.npy",
       "\223NUMPY\002\000<\000\000\000{'descr': '<i8', 'fortran_order': False, 'shape': (2, 2), }\n"
       "\000\000\000\000\000\000\000\000\007\000\000\000\000\000\000\000\370\377\377\377\377\377\377\377\000"
       "\000\000\000\000\000\000\000"sv},
      {"illegible-type.npy",
       "\223NUMPY\001\000<\000{'descr': '|b1'\360 'fortran_order': False, 'shape': (2, 2), }\n"
       "\000\001\001\000"sv},
      {"junk",
       "\000\001\002\003\004\005\006\007\010\t\n\013\014\r\016\017\020\021\022\023\024\025\026\027\030\031\032"
       "\033\034\035\036\037 !\"#$%&'()*+,-./0123456789:;<=>?@ABCDEFGHIJKLMNOPQRSTUVWXYZ[\\]^_`abcdefghijklm"
       "nopqrstuvwxyz{|}~\177\200\201\202\203\204\205\206\207\210\211\212\213\214\215\216\217\220\221\222\223"
       "\224\225\226\227\230\231\232\233\234\235\236\237\240\241\242\243\244\245\246\247\250\251\252\253\254"
       "\255\256\257\260\261\262\263\264\265\266\267\270\271\272\273\274\275\276\277\300\301\302\303\304\305"
       "\306\307\310\311\312\313\314\315\316\317\320\321\322\323\324\325\326\327\330\331\332\333\334\335\336"
       "\337\340\341\342\343\344\345\346\347\350\351\352\353\354\355\356\357\360\361\362\363\364\365\366\367"
       "\370\371\372\373\374\375\376\377"sv},
      {"large.gr", "p sp 2147483647 9223372036854775807\na 2147483647 1 9223372036854775807\n"sv},
      {"large.mtx",
       "%%MatrixMarket matrix array real symmetric\n2147483647 2147483647\n"
       "1\n"sv},
      {"members.csv.gz",
       "\037\213\010\000\000\000\000\000\002\3773\3201\3241\345\002\000\343o\255\212\006\000\000\000\037\213"
       "\010\000\000\000\000\000\002\3773\324\3211\342\002\000Ftu\214\005\000\000\000"sv},
      {"no-banner.mtx", "3 3 2\n2 1 5\n3 2 4\n"sv},
      {"not-a-number.npy",
       "\223NUMPY\001\000<\000{'descr': '<f8', 'fortran_order': False, 'shape': (2, 2), }\n"
       "\000\000\000\000\000\000\000\000\000\000\000\000\000\000\370?\000\000\000\000\000\000\370\177\000\000"
       "\000\000\000\000\000\000"sv},
      {"one-percent.mtx",
       "%MatrixMarket matrix coordinate unsigned-integer general\n3 3 2\n"
       "2 1 7\n3 1 18446744073709551615\n"sv},
      {"out.konect", "% sym weighted\n% 2 3 3\n1 2 5\n2 3 4.5 1082008561\n"sv},
      {"pattern.mtx",
       "%%MatrixMarket matrix coordinate pattern general\n3 3 2\n1 2\n"
       "2 3\n"sv},
      {"skew.mtx",
       "%%MatrixMarket matrix coordinate integer skew-symmetric\n3 3 2\n"
       "2 1 7\n3 1 -2147483648\n"sv},
      {"snap.txt", "# Undirected graph: x.txt\n# Nodes: 3 Edges: 2\n0\t1\n1\t2\n"sv},
      {"symmetric.mtx",
       "%%MatrixMarket matrix coordinate integer symmetric\n3 3 2\n2 1 5\n"
       "3 2 2\n"sv},
      {"tiny-double.npy",
       "\223NUMPY\001\000;\000{'descr': '<f8', 'fortran_order': True, 'shape': (2, 2), }\n"
       "\000\377\000\000\000\000\000\000\000\000\000\000\000\000\370?\000\000\000\000\000\000\000\000\000\000"
       "\000\000\000\000\360\177"sv},
      {"truncated.gr.gz", "\037\213\010\000\000\000\000\000\002\377+P(.P0R0\344JT0\004\322\306\\\000S\320"sv},
      {"truncated.npy",
       "\223NUMPY\001\000<\000{'descr': '<i4', 'fortran_order': False, 'shape': (2, 2), }\n"
       "1234567"sv},
      {"u2.npy",
       "\223NUMPY\001\000;\000{'descr': '<u2', 'fortran_order': True, 'shape': (2, 2), }\n"
       "\000\000\001\000\377\377\000\000"sv},
      {"utf-16.txt", "\377\3760\000 \0001\000 \0005\000\n\000"sv},
      {"zeros.npy",
       "\223NUMPY\001\000<\000{'descr': '<f8', 'fortran_order': False, 'shape': (2, 2), }\n"
       "\000\000\000\000\000\000\000\000\000\000\000\000\000\000\370?\000\000\000\000\000\000\000\000\000\000"
       "\000\000\000\000\000\000"sv},
  };
  return all;
}
