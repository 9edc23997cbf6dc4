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
#include "blockfw/ground/spaces.hpp"
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
#include <type_traits>
#include <vector>

namespace blockfw::io {

/// \brief An output file for the distances of n vertices. It is opened before the distances are known.
template <Distance T>
class DistanceOutput {
 public:
  /// \throws FileError when the file cannot be written, or when its disk has no space (for a text write() finds that).
  ///         Also when it is `.bin`, of integers, and T is not an integer, or when its ending promises compression.
  ///         InvalidInput for n < 0.
  DistanceOutput(const std::filesystem::path& path, std::int64_t n)
      : path_(path), order_(n), ending_(path.extension()) {
    if (n < 0) throw InvalidInput("the number of vertices is " + std::to_string(n) + ", expected 0 or more");
    // (No file has that many bytes. OutputFile says so.)
    constexpr std::int64_t most = std::int64_t{1} << 30;
    const auto order = static_cast<std::uint64_t>(std::min(n, most)), entries = order * order;
    if (ending_ == ".npy") {
      const std::string header = detail::npy_header<T>(n);
      file_.emplace(path, header.size() + entries * sizeof(T));
      file_->write(header.data(), header.size());
    } else if (ending_ == ".bin") {
      if constexpr (!std::is_integral_v<T>)
        throw FileError(path.string() +
                        ": cannot write: a homework output, .bin, holds integers, and the distances are of type " +
                        blockfw::type_name<T>());
      file_.emplace(path, entries * sizeof(std::int32_t));
    } else {
      for (const char* const packed : {".gz", ".bz2", ".xz", ".zst", ".zip"})
        if (ending_ == packed)
          throw FileError(path.string() +
                          ": cannot write: distances are not compressed, expected another ending than " + packed);
      OutputFile(path, 0);  // throws if there cannot be one
    }
  }

  /// \brief Writes the distances, which must be on the host, and gives the file its name.
  /// \throws FileError; OverflowRisk when a distance does not fit the 32 bits of `.bin`; InvalidInput when d is not
  ///         square or not of the order that was announced
  ///
  /// O(n²). A text is made twice, the first time to find its length. Memory: for a text, a row and 1 MiB.
  template <MatrixView View>
  void write(const View& d) {
    static_assert(std::is_same_v<typename View::non_const_value_type, T>, "blockfw: the distances are of another type");
    static_assert(can_reach<Kokkos::HostSpace, View>, "blockfw: the distances to write are not on the host");
    require_square(d);
    const auto n = static_cast<std::int64_t>(d.extent(0));
    if (n != order_)
      throw InvalidInput("the distances to write are of " + std::to_string(n) + " vertices, expected " +
                         std::to_string(order_));
    if (ending_ == ".npy" || ending_ == ".bin") {
      append(d);
    } else if (ending_ == ".mtx") {
      std::int64_t paths = 0;
      for_each_path(d, [&](std::size_t, std::size_t) { ++paths; });
      const std::string order = std::to_string(n);
      write_text(std::string("%%MatrixMarket matrix coordinate ") + (std::is_integral_v<T> ? "integer" : "real") +
                     " general\n" + order + ' ' + order + ' ' + std::to_string(paths) + '\n',
                 [&](std::string& text, std::size_t row) {
                   for_each_path_from(d, row, [&](std::size_t i, std::size_t j) {
                     detail::append_number(text, i + 1);
                     detail::append_number(text += ' ', j + 1);
                     detail::append_number(text += ' ', d(i, j));
                     text += '\n';
                   });
                 });
    } else {
      write_text("", [&](std::string& text, std::size_t row) {
        for (std::size_t j = 0; j < d.extent(1); ++j) {
          detail::append_number(text, d(row, j));
          text += j + 1 < d.extent(1) ? ' ' : '\n';
        }
      });
    }
    file_->commit();
  }

  /// \brief Writes the next rows of the distances, which must be on the host, to `.npy` or `.bin`. This is for
  /// distances whose matrix does not fit (SparseFactor::for_whole_rows). commit() gives the file its name.
  /// \throws FileError, also for another format; OverflowRisk; InvalidInput for rows of another length or too many rows
  template <MatrixView View>
  void append(const View& rows) {
    static_assert(std::is_same_v<typename View::non_const_value_type, T>, "blockfw: the distances are of another type");
    static_assert(can_reach<Kokkos::HostSpace, View>, "blockfw: the distances to write are not on the host");
    const auto count = static_cast<std::int64_t>(rows.extent(0)), length = static_cast<std::int64_t>(rows.extent(1));
    if (!file_ || (ending_ != ".npy" && ending_ != ".bin"))
      throw FileError(path_.string() + ": cannot write rows to a text, expected .npy or .bin");
    if (length != order_ || count > order_ - rows_)
      throw InvalidInput(std::to_string(count) + " rows of " + std::to_string(length) + " distances follow " +
                         std::to_string(rows_) + " rows, expected " + std::to_string(order_) + " rows of " +
                         std::to_string(order_));
    if (ending_ == ".npy") {
      append_npy(rows);
    } else if constexpr (std::is_integral_v<T>) {
      write_binary_distance_rows(*file_, blockfw::detail::default_instance<Kokkos::DefaultHostExecutionSpace>(), rows,
                                 rows_);
    }
    rows_ += count;
  }

  /// \brief Gives the file its name when all rows are there. \throws InvalidInput if some rows are missing; FileError
  void commit() {
    if (!file_) throw FileError(path_.string() + ": cannot write rows to a text, expected .npy or .bin");
    if (rows_ != order_)
      throw InvalidInput(path_.string() + ": " + std::to_string(rows_) + " rows were written, expected " +
                         std::to_string(order_));
    file_->commit();
  }

 private:
  template <class View, class Function>
  static void for_each_path_from(const View& d, std::size_t row, const Function& f) {
    for (std::size_t j = 0; j < d.extent(1); ++j)
      if (d(row, j) < infinity<T>) f(row, j);
  }
  template <class View, class Function>
  static void for_each_path(const View& d, const Function& f) {
    for (std::size_t i = 0; i < d.extent(0); ++i) for_each_path_from(d, i, f);
  }

  template <class View>
  void append_npy(const View& d) {
    if (d.span_is_contiguous() && d.stride(1) == 1) {
      file_->write(d.data(), d.size() * sizeof(T));
      return;
    }
    std::vector<T> row(d.extent(1));
    for (std::size_t i = 0; i < d.extent(0); ++i) {
      for (std::size_t j = 0; j < row.size(); ++j) row[j] = d(i, j);
      file_->write(row.data(), row.size() * sizeof(T));
    }
  }

  /// Writes a text: a header, and for each row the lines that append(text, row) makes.
  template <class Append>
  void write_text(const std::string& header, const Append& append) {
    constexpr std::size_t buffer_bytes = 1 << 20;
    const auto rows = static_cast<std::size_t>(order_);
    std::string text;
    std::uint64_t bytes = header.size();
    for (std::size_t i = 0; i < rows; ++i) {
      text.clear();
      append(text, i);
      bytes += text.size();
    }
    file_.emplace(path_, bytes);
    text = header;
    for (std::size_t i = 0; i < rows; ++i) {
      append(text, i);
      if (text.size() < buffer_bytes) continue;
      file_->write(text.data(), text.size());
      text.clear();
    }
    file_->write(text.data(), text.size());
  }

  std::filesystem::path path_;
  std::int64_t order_, rows_ = 0;
  std::string ending_;
  std::optional<OutputFile> file_;
};

/// \brief Writes distances that are on the host to a file. \throws as DistanceOutput
template <MatrixView View>
void write_distances(const std::filesystem::path& path, const View& d) {
  DistanceOutput<typename View::non_const_value_type>(path, static_cast<std::int64_t>(d.extent(0))).write(d);
}

}  // namespace blockfw::io
