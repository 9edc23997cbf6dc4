// SPDX-License-Identifier: MIT
/// \file
/// \brief Writes distances to files of several formats. A file appears whole or not at all.
///
/// The name's ending selects the format. `.npy` is an array for NumPy, of the distances' own type. Its infinity<T> (inf
/// for floats, 1073741823 for int32) is no path. `.mtx` is a Matrix Market file in coordinate format. It has the pairs
/// that have a path, pairs of distance 0 included. `.bin` is 32-bit integers without a header (io/binary_edges.hpp).
/// Any other ending is a text with a line for each row, and `inf` for no path.
#pragma once

#include "blockfw/detail/io/file_weights.hpp"
#include "blockfw/files/output_file.hpp"
#include "blockfw/ground/error.hpp"
#include "blockfw/ground/matrix.hpp"
#include "blockfw/ground/semiring.hpp"
#include "blockfw/ground/weights.hpp"
#include "blockfw/io/binary_edges.hpp"
#include "blockfw/io/npy.hpp"

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace blockfw::io::detail {

/// \brief Puts pieces of a text together, and hands on a MiB or more at a time.
/// \param make   make(put) calls put(piece) for each piece
/// \param write  called as write(text); the last text may be short
template <class Make, class Write>
void in_large_pieces(const Make& make, const Write& write) {
  constexpr std::size_t bytes = 1 << 20;
  std::string text;
  make([&](std::string_view piece) {
    text += piece;
    if (text.size() < bytes) return;
    write(text);
    text.clear();
  });
  if (!text.empty()) write(text);
}

/// \brief Writes a text file.
/// \param make  make(put) calls put(piece) for each piece of the text. It is called twice, the first time to find the
///              text's length.
/// \throws FileError; any exception of make
template <class Make>
void write_text(const std::filesystem::path& path, const Make& make) {
  std::uint64_t bytes = 0;
  make([&](std::string_view piece) { bytes += piece.size(); });
  OutputFile file(path, bytes);
  in_large_pieces(make, [&](const std::string& text) { file.write(text.data(), text.size()); });
  file.commit();
}

/// \brief Checks that a file of this ending can hold distances of the type.
/// \throws FileError for `.bin`, of integers, if T is not an integer, and for an ending that promises compression
template <class T>
void require_ending(const std::filesystem::path& path) {
  const auto ending = path.extension();
  if (!std::is_integral_v<T> && ending == ".bin")
    throw FileError(path.string() +
                    ": cannot write: a homework output, .bin, holds integers, and the distances are of type " +
                    blockfw::type_name<T>());
  for (const char* const packed : {".gz", ".bz2", ".xz", ".zst", ".zip"})
    if (ending == packed)
      throw FileError(path.string() + ": cannot write: distances are not compressed, expected another ending than " +
                      packed);
}

/// Appends the distances of a row, separated by blanks, and the end of the line.
template <class View>
void append_row(std::string& text, const View& d, std::size_t row) {
  for (std::size_t j = 0; j < d.extent(1); ++j) {
    if (j > 0) text += ' ';
    append_number(text, d(row, j));
  }
  text += '\n';
}

}  // namespace blockfw::io::detail

namespace blockfw::io {

/// \brief An output file for the distances of n vertices, or for a table of distances. It is opened before the
/// distances are known.
template <Distance T>
class DistanceOutput {
 public:
  /// \throws FileError when the file cannot be written, or when its disk has no space (for a text write() finds that).
  ///         Also when it is `.bin`, of integers, and T is not an integer, or when its ending promises compression.
  ///         InvalidInput for n < 0.
  DistanceOutput(const std::filesystem::path& path, std::int64_t n) : DistanceOutput(path, n, n) {}

  /// \brief The same for a table of rows and columns. (A `.bin` file does not hold these numbers.)
  /// \throws as the other constructor
  DistanceOutput(const std::filesystem::path& path, std::int64_t rows, std::int64_t columns)
      : path_(path), rows_(rows), columns_(columns), ending_(path.extension()) {
    if (rows < 0 || columns < 0)
      throw InvalidInput(
          (rows == columns ? "the number of vertices is " + std::to_string(rows) : "the table has " + size_of_table()),
          ", expected 0 or more");
    detail::require_ending<T>(path);
    // (No file has that many bytes. OutputFile says so.)
    constexpr std::uint64_t most = std::uint64_t{1} << 60;
    const auto of_row = static_cast<std::uint64_t>(columns);
    const std::uint64_t entries = columns == 0 ? 0 : std::min(static_cast<std::uint64_t>(rows), most / of_row) * of_row;
    if (ending_ == ".npy") {
      const std::string header = detail::npy_header<T>(rows, columns);
      file_.emplace(path, header.size() + entries * sizeof(T));
      file_->write(header.data(), header.size());
    } else if (ending_ == ".bin") {
      file_.emplace(path, entries * sizeof(std::int32_t));
    } else {
      OutputFile(path, 0);  // throws if there cannot be one
    }
  }

  /// \brief Writes the distances, which must be on the host, and gives the file its name.
  /// \throws FileError; OverflowRisk when a distance does not fit the 32 bits of `.bin`; InvalidInput when d has
  ///         another number of rows or columns than was announced, and as append()
  ///
  /// O(n²). A text is made twice, the first time to find its length. Memory: for a text, a row and 1 MiB; for rows that
  /// append() converts or packs, at most a row or 16 MiB.
  template <MatrixView View>
  void write(const View& d) {
    require_size(d);
    if (takes_blocks()) {
      append(d);
      file_->commit();
    } else {
      detail::write_text(path_, [&](const auto& put) { ending_ == ".mtx" ? put_market(d, put) : put_rows(d, put); });
    }
  }

  /// Whether the rows may come in blocks, by append(): in `.npy` and `.bin`.
  bool takes_blocks() const { return file_.has_value(); }

  /// \brief Writes the next rows of the distances, which must be on the host, to `.npy` or `.bin`. This is for
  /// distances whose matrix does not fit (SparseFactor::for_whole_rows). commit() gives the file its name.
  /// \throws FileError, also for another format; OverflowRisk; InvalidInput for rows of another length, for too many
  ///         rows. Also when Kokkos does not run, for `.bin` and for rows that are not contiguous.
  template <MatrixView View>
  void append(const View& rows) {
    static_assert(std::is_same_v<typename View::non_const_value_type, T>, "blockfw: the distances are of another type");
    static_assert(can_reach<Kokkos::HostSpace, View>, "blockfw: the distances to write are not on the host");
    const auto count = static_cast<std::int64_t>(rows.extent(0)), length = static_cast<std::int64_t>(rows.extent(1));
    require_blocks();
    if (length != columns_ || count > rows_ - written_)
      throw InvalidInput(count, " rows of ", length, " distances follow ", written_, " rows, expected ",
                         size_of_table());
    if (ending_ == ".npy") {
      std::vector<T> packed;
      detail::write_rows([&](const void* data, std::size_t bytes) { file_->write(data, bytes); }, rows,
                         static_cast<std::size_t>(written_), packed);
    } else if constexpr (std::is_integral_v<T>) {
      write_binary_distance_rows(*file_, blockfw::detail::default_instance<Kokkos::DefaultHostExecutionSpace>(), rows,
                                 written_);
    }
    written_ += count;
  }

  /// \brief Gives the file its name when all rows are there. \throws InvalidInput if some rows are missing; FileError
  void commit() {
    require_blocks();
    if (written_ != rows_) throw InvalidInput(path_.string(), ": ", written_, " rows were written, expected ", rows_);
    file_->commit();
  }

 private:
  std::string size_of_table() const { return std::to_string(rows_) + " rows of " + std::to_string(columns_); }

  void require_blocks() const {
    if (!takes_blocks()) throw FileError(path_.string() + ": cannot write rows to a text, expected .npy or .bin");
  }
  template <class View>
  void require_size(const View& d) const {
    const auto rows = static_cast<std::int64_t>(d.extent(0)), columns = static_cast<std::int64_t>(d.extent(1));
    if (rows == rows_ && columns == columns_) return;
    if (rows_ == columns_) {
      require_square(d);
      throw InvalidInput("the distances to write are of ", rows, " vertices, expected ", rows_);
    }
    throw InvalidInput("the distances to write are ", rows, " rows of ", columns, ", expected ", size_of_table());
  }

  template <class View, class Function>
  static void for_each_path(const View& d, const Function& f) {
    for (std::size_t i = 0; i < d.extent(0); ++i)
      for (std::size_t j = 0; j < d.extent(1); ++j)
        if (d(i, j) < infinity<T>) f(i, j);
  }

  template <class View, class Put>
  static void put_rows(const View& d, const Put& put) {
    std::string line;
    for (std::size_t i = 0; i < d.extent(0); ++i) {
      line.clear();
      detail::append_row(line, d, i);
      put(line);
    }
  }
  /// The pairs that have a path, and before them their number.
  template <class View, class Put>
  static void put_market(const View& d, const Put& put) {
    std::int64_t paths = 0;
    for_each_path(d, [&](std::size_t, std::size_t) { ++paths; });
    put(std::string("%%MatrixMarket matrix coordinate ") + (std::is_integral_v<T> ? "integer" : "real") + " general\n" +
        std::to_string(d.extent(0)) + ' ' + std::to_string(d.extent(1)) + ' ' + std::to_string(paths) + '\n');
    std::string line;
    for_each_path(d, [&](std::size_t i, std::size_t j) {
      line.clear();
      detail::append_number(line, i + 1);
      detail::append_number(line += ' ', j + 1);
      detail::append_number(line += ' ', d(i, j));
      put(line += '\n');
    });
  }

  std::filesystem::path path_;
  std::int64_t rows_, columns_, written_ = 0;
  std::string ending_;
  std::optional<OutputFile> file_;
};

/// \brief Writes distances that are on the host, a matrix or a table, to a file. \throws as DistanceOutput
template <MatrixView View>
void write_distances(const std::filesystem::path& path, const View& d) {
  DistanceOutput<typename View::non_const_value_type>(path, static_cast<std::int64_t>(d.extent(0)),
                                                      static_cast<std::int64_t>(d.extent(1)))
      .write(d);
}

}  // namespace blockfw::io
