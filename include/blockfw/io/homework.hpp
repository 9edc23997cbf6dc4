/// \file
/// \brief The homework's files: edges in, distances out, little-endian 32-bit integers.
///
/// Input: V, E, then E triples (source, destination, weight), vertices from 0. Output: V x V distances, row by row,
/// 1073741823 where there is no path.
#pragma once

#include "blockfw/edges.hpp"
#include "blockfw/error.hpp"
#include "blockfw/io/output_file.hpp"
#include "blockfw/matrix.hpp"
#include "blockfw/semiring.hpp"

#include <Kokkos_Core.hpp>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <string>
#include <vector>

namespace blockfw::io {

static_assert(std::endian::native == std::endian::little, "blockfw: the homework's files are little-endian");
static_assert(sizeof(Edge<std::int32_t>) == 12, "blockfw: an edge is the file's triple");

/// A graph as the homework gives it.
struct HomeworkGraph {
  std::int32_t vertices = 0;
  Kokkos::View<Edge<std::int32_t>*, Kokkos::HostSpace> edges;

  static constexpr std::int64_t header_bytes = 8;
  /// Where an edge stands in the file.
  static constexpr std::int64_t byte_of_edge(std::int64_t edge) { return header_bytes + edge * 12; }
};

/// \brief Reads a graph.
/// \throws FileError that names the file, the byte and what was expected; nothing is allocated before the header has
///         been held against the file's size
inline HomeworkGraph read_homework(const std::filesystem::path& path) {
  const auto fail = [&](const std::string& why) { throw FileError(path.string() + ": " + why); };

  struct Descriptor {
    int number;
    ~Descriptor() {
      if (number >= 0) ::close(number);
    }
  } const file{::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)};  // (a pipe without a writer must not hang)
  if (file.number < 0) fail(std::string("cannot read: ") + std::strerror(errno));
  struct stat status;
  if (::fstat(file.number, &status) != 0) fail(std::string("cannot read: ") + std::strerror(errno));
  if (!S_ISREG(status.st_mode)) fail("cannot read: not a regular file");

  // Returns the byte after the last one read, and leaves the reason of a short read in errno (0 at the end of the
  // file).
  const auto read_some = [&file](char* to, std::int64_t bytes, std::int64_t position) {
    errno = 0;
    while (bytes > 0) {
      const ssize_t got = ::pread(file.number, to, static_cast<std::size_t>(bytes), position);
      if (got < 0 && errno == EINTR) continue;
      if (got <= 0) break;
      to += got, position += got, bytes -= got;
    }
    return position;
  };

  const std::int64_t size = status.st_size;
  if (size == 0) fail("byte 0: the file is empty, expected V, E and E edges");
  if (size < HomeworkGraph::header_bytes)
    fail("byte " + std::to_string(size) + ": the file ends inside its header, expected V and E in 8 bytes");
  std::int32_t header[2];
  if (read_some(reinterpret_cast<char*>(header), sizeof header, 0) < HomeworkGraph::header_bytes)
    fail(std::string("byte 0: cannot read: ") + (errno != 0 ? std::strerror(errno) : "the file ended"));
  const auto [vertices, edges] = header;
  if (vertices < 1) fail("byte 0: V is " + std::to_string(vertices) + ", expected 1 or more");
  if (edges < 0) fail("byte 4: E is " + std::to_string(edges) + ", expected 0 or more");
  const std::int64_t expected = HomeworkGraph::byte_of_edge(edges);
  if (size != expected)
    fail("byte " + std::to_string(std::min(size, expected)) + ": the file is " +
         (size < expected ? "shorter" : "longer") + " than its header says, " + std::to_string(size) +
         " bytes, expected " + std::to_string(expected) + " for " + std::to_string(edges) + " edges");

  HomeworkGraph graph;
  graph.vertices = vertices;
  graph.edges = decltype(graph.edges)(Kokkos::view_alloc("blockfw::edges", Kokkos::WithoutInitializing),
                                      static_cast<std::size_t>(edges));

  // In parallel, since most of the time goes into the memory's first touch.
  constexpr std::int64_t piece = 1 << 20;
  const std::int64_t start = HomeworkGraph::header_bytes, pieces = (size - start + piece - 1) / piece;
  char* const to = reinterpret_cast<char*>(graph.edges.data());
  std::int64_t read_to = size;
  Kokkos::parallel_reduce(
      "blockfw::read_homework", Kokkos::RangePolicy<Kokkos::DefaultHostExecutionSpace>(0, pieces),
      [=](std::int64_t p, std::int64_t& end) {
        const std::int64_t first = start + p * piece, bytes = std::min(piece, size - first);
        const std::int64_t last = read_some(to + p * piece, bytes, first);
        if (last < first + bytes) end = std::min(end, last);
      },
      Kokkos::Min<std::int64_t>(read_to));
  if (read_to < size) fail("byte " + std::to_string(read_to) + ": cannot read on: the file ended or its disk failed");
  return graph;
}

/// The length of the output for so many vertices, in bytes.
constexpr std::uint64_t homework_output_bytes(std::int32_t vertices) {
  return static_cast<std::uint64_t>(vertices) * static_cast<std::uint64_t>(vertices) * sizeof(std::int32_t);
}

/// \brief Appends the distances d, on the host, to the output file.
/// \throws OverflowRisk when a distance does not fit the file's 32 bits; FileError when the file cannot be written
template <MatrixView View>
void write_homework(OutputFile& file, const View& d) {
  using T = typename View::non_const_value_type;
  static_assert(std::is_integral_v<T>, "blockfw: the homework's distances are integers");
  const std::size_t n = d.extent(0);
  if (d.extent(1) != n) throw InvalidInput("the distances to write are not a square matrix");
  if constexpr (std::is_same_v<T, std::int32_t>) {
    if (n > 0 && d.span_is_contiguous() && d.stride(1) == 1) {
      file.write(d.data(), n * n * sizeof(T));
      return;
    }
  }
  std::vector<std::int32_t> row(n);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      const auto distance = static_cast<std::int64_t>(d(i, j));
      if (distance != infinity<T> && (distance >= infinity<std::int32_t> || distance < -infinity<std::int32_t>))
        throw OverflowRisk("the distance from " + std::to_string(i) + " to " + std::to_string(j) + " is " +
                           std::to_string(distance) + ", which the output's 32 bits cannot hold");
      row[j] = distance == infinity<T> ? infinity<std::int32_t> : static_cast<std::int32_t>(distance);
    }
    file.write(row.data(), n * sizeof(std::int32_t));
  }
}

}  // namespace blockfw::io
