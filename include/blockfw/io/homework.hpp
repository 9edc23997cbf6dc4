// SPDX-License-Identifier: MIT
/// \file
/// \brief The old names of binary_edges.hpp, kept for one release.
#pragma once

#include "blockfw/io/binary_edges.hpp"
#include "blockfw/io/output_file.hpp"
#include "blockfw/matrix.hpp"

#include <cstdint>
#include <filesystem>

namespace blockfw::io {

using HomeworkGraph [[deprecated("it is BinaryEdges now")]] = BinaryEdges;
using HomeworkInput [[deprecated("it is BinaryEdgesInput now")]] = BinaryEdgesInput;

[[deprecated("it is read_binary_edges() now")]] inline BinaryEdges read_homework(const std::filesystem::path& path) {
  return read_binary_edges(path);
}

[[deprecated("it is binary_distances_bytes() now")]] constexpr std::uint64_t homework_output_bytes(
    std::int32_t vertices) {
  return binary_distances_bytes(vertices);
}

template <class ExecSpace, MatrixView View>
[[deprecated("it is write_binary_distance_rows() now")]] double write_homework_rows(OutputFile& file,
                                                                                    const ExecSpace& exec,
                                                                                    const View& d,
                                                                                    std::int64_t first_row) {
  return write_binary_distance_rows(file, exec, d, first_row);
}

template <MatrixView View>
[[deprecated("it is write_binary_distances() now")]] double write_homework(OutputFile& file, const View& d) {
  return write_binary_distances(file, d);
}

}  // namespace blockfw::io
