// SPDX-License-Identifier: MIT
/// \file
/// \brief Square NumPy arrays, `.npy`: matrices of weights to read, and the header of distances to write.
///
/// Entry (i, j) is the weight of an edge i → j. False is no edge, and True is an edge of length 1. In an integer array
/// 0 is no edge. In a signed type of 16 bits or more, infinity<T> is no edge either. It means "no path" in distances
/// that this library wrote. A larger number is refused. In an array of floats inf is no edge, and 0 is an edge of
/// length 0. But an array of floats without any inf is refused when it has a 0 off the diagonal. That 0 most likely
/// means no edge (detail::FullMatrix).
#pragma once

#include "blockfw/detail/io/file_weights.hpp"
#include "blockfw/detail/io/text_scanner.hpp"
#include "blockfw/files/input_file.hpp"
#include "blockfw/ground/error.hpp"
#include "blockfw/ground/semiring.hpp"
#include "blockfw/ground/weights.hpp"
#include "blockfw/io/graph.hpp"

#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>

namespace blockfw::io {

static_assert(std::endian::native == std::endian::little, "blockfw: NumPy's arrays are read as little-endian");

namespace detail {

inline constexpr std::string_view npy_magic = "\x93NUMPY";

/// NumPy's name of T: the order of the bytes, the kind, and the number of bytes.
template <class T>
std::string npy_type() {
  const char kind = std::is_same_v<T, bool> ? 'b' : std::is_floating_point_v<T> ? 'f' : std::is_signed_v<T> ? 'i' : 'u';
  return {sizeof(T) == 1 ? '|' : '<', kind, static_cast<char>('0' + sizeof(T))};
}

/// The array as the header of the file describes it.
struct NpyHeader {
  std::string type;
  bool columns_first = false;  ///< entries lie column by column, Fortran's order
  std::int64_t order = -1;
  std::size_t data = 0;  ///< the byte where the entries begin
};

/// Reads the header, a Python dictionary. Brackets, colons and commas count as blanks, since the order of the words
/// suffices.
inline NpyHeader read_npy_header(const InputFile& file) {
  const std::string_view bytes = file.bytes();
  const auto fail = [&](const std::string& what) { throw FileError(file.name() + ": .npy, " + what); };
  const std::size_t after_version = npy_magic.size() + 2;
  const int version = bytes.size() < after_version ? 0 : static_cast<unsigned char>(bytes[npy_magic.size()]);
  if (version < 1 || version > 3)
    fail("byte 6: found " + (version == 0 ? "no version" : "version " + std::to_string(version)) +
         ", expected version 1, 2 or 3");
  const std::size_t word = version == 1 ? 2 : 4, start = after_version + word;
  std::size_t length = 0;
  if (bytes.size() >= start) std::memcpy(&length, bytes.data() + after_version, word);
  if (bytes.size() < start || length > bytes.size() - start)
    fail("byte " + std::to_string(bytes.size()) + ": the file ends inside its header");

  NpyHeader header;
  header.data = start + length;
  TextScanner in(InputFile(file.name(), bytes.substr(start, length)), ".npy header", "{}(),:");
  bool any_order = false;
  if (in.next_line())
    while (!in.line_ended()) {
      if (in.take("'descr'")) {
        header.type = in.word();
        std::erase(header.type, '\'');
        in.skip_word();
      } else if (in.take("'fortran_order'")) {
        header.columns_first = in.take("True");
        if (!header.columns_first && !in.take("False")) in.expected("True or False");
        any_order = true;
      } else if (in.take("'shape'")) {
        header.order = in.whole_number(0, std::numeric_limits<std::int32_t>::max(), "a number of rows");
        in.whole_number(header.order, header.order, "as many columns as rows");
      } else {
        in.expected("'descr', 'fortran_order' or 'shape'");
      }
    }
  if (header.type.empty() || !any_order || header.order < 0) in.expected("'descr', 'fortran_order' and 'shape'");
  return header;
}

template <class Entry, class Sink>
void read_npy_entries(const InputFile& file, const NpyHeader& header, Sink& graph) {
  using W = typename Sink::Weight;
  using Value = std::conditional_t<std::is_same_v<Entry, bool>, std::uint8_t, Entry>;
  const std::string_view data = file.bytes().substr(header.data);
  const auto n = static_cast<std::uint64_t>(header.order);
  if (data.size() / sizeof(Entry) != n * n || data.size() % sizeof(Entry) != 0)
    throw FileError(file.name(), ": .npy, byte ", header.data, ": found ", data.size(), " bytes of entries, expected ",
                    header.order, " x ", header.order, " of ", sizeof(Entry), " bytes");
  FullMatrix<Sink> matrix(file.name() + ": .npy", std::is_floating_point_v<Entry>, graph);
  const char* from = data.data();
  for (std::int32_t outer = 0; outer < header.order; ++outer)
    for (std::int32_t inner = 0; inner < header.order; ++inner, from += sizeof(Entry)) {
      const std::int32_t row = header.columns_first ? inner : outer, column = header.columns_first ? outer : inner;
      Value entry;
      std::memcpy(&entry, from, sizeof entry);
      if constexpr (std::is_same_v<Entry, bool>) entry = entry != 0;
      bool is_edge = true;
      if constexpr (Distance<Value>) is_edge = entry != infinity<Value>;
      const auto refuse = [&](const std::string& why) {
        std::string text =
            file.name() + ": .npy, row " + std::to_string(row) + ", column " + std::to_string(column) + ": found ";
        append_number(text, entry);
        throw FileError(text.append(why));
      };
      if constexpr (std::is_floating_point_v<Value>)
        if (is_edge && !std::isfinite(entry)) refuse(", expected a number");
      if constexpr (Distance<Value> && std::is_integral_v<Value>)
        if (entry > infinity<Value>)
          refuse(", expected at most " + std::to_string(infinity<Value>) + ", which is no edge, in " +
                 blockfw::type_name<Value>() + (sizeof(Value) < 8 ? "; a wider type holds it" : ""));
      const auto weight = is_edge ? held<W>(entry) : std::nullopt;
      if (is_edge && !weight) refuse(cannot_hold<W>(entry));
      matrix.add(row, column, weight);
    }
  matrix.finish();
}

/// Reads entries of the type among Entries that the header names. \throws FileError when the header names another type
template <class... Entries, class Sink>
void read_npy_as(const InputFile& file, const NpyHeader& header, Sink& graph) {
  const auto matches = [&]<class Entry>(Entry) {
    if (header.type != npy_type<Entry>()) return false;
    read_npy_entries<Entry>(file, header, graph);
    return true;
  };
  if ((matches(Entries()) || ...)) return;
  std::string types;
  ((types += (types.empty() ? "'" : ", '") + npy_type<Entries>() + "'"), ...);
  throw FileError(file.name() + ": .npy, its entries are of type " + in_quotes(header.type) + ", expected one of " +
                  types);
}

template <class Sink>
void read_npy(const InputFile& file, Sink& graph) {
  const NpyHeader header = read_npy_header(file);
  graph.vertices = header.order;
  read_npy_as<bool, std::int8_t, std::uint8_t, std::int16_t, std::uint16_t, std::int32_t, std::uint32_t, std::int64_t,
              float, double>(file, header, graph);
}

/// The bytes before the entries of an array of T that is stored row by row.
template <Distance T>
std::string npy_header(std::int64_t rows, std::int64_t columns) {
  std::string text = "{'descr': '" + npy_type<T>() + "', 'fortran_order': False, 'shape': (" + std::to_string(rows) +
                     ", " + std::to_string(columns) + "), }";
  const std::size_t before = npy_magic.size() + 4, unit = 64;  // NumPy aligns the entries to this
  text.append((unit - (before + text.size() + 1) % unit) % unit, ' ');
  text += '\n';
  const auto length = static_cast<std::uint16_t>(text.size());
  std::string header(npy_magic);
  header += {1, 0, static_cast<char>(length & 0xff), static_cast<char>(length >> 8)};
  return header + text;
}

}  // namespace detail

/// \brief Reads a graph.
/// \throws FileError that names the file and the place, the content found and the content expected
template <Distance W>
Graph<W> read_npy(const InputFile& file) {
  return detail::made_by<Graph<W>>([&](auto& graph) { detail::read_npy(file, graph); });
}

}  // namespace blockfw::io
