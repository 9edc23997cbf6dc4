// SPDX-License-Identifier: MIT
/// \file
/// \brief Reads binary edge lists and writes binary distances: files of little-endian 32-bit integers.
///
/// An edge list holds V, E, and then E triples (source, destination, weight), with vertices from 0. A file of distances
/// holds V x V distances, row by row, without a header; 1073741823 means no path. (The homework of a course reads edge
/// lists and writes distances in these formats.)
#pragma once

#include "blockfw/detail/backend/memory.hpp"
#include "blockfw/detail/base/arithmetic.hpp"
#include "blockfw/detail/loops/launch.hpp"
#include "blockfw/detail/matrices/copies.hpp"
#include "blockfw/files/descriptor.hpp"
#include "blockfw/files/output_file.hpp"
#include "blockfw/ground/edge.hpp"
#include "blockfw/ground/error.hpp"
#include "blockfw/ground/matrix.hpp"
#include "blockfw/ground/semiring.hpp"

#include <Kokkos_Core.hpp>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace blockfw::io {

static_assert(std::endian::native == std::endian::little, "blockfw: binary edge lists are little-endian");
static_assert(sizeof(Edge<std::int32_t>) == 12, "blockfw: an edge is the file's triple");

/// A graph read from a binary edge list.
struct BinaryEdges {
  std::int32_t vertices = 0;                                   ///< the number of vertices
  Kokkos::View<Edge<std::int32_t>*, Kokkos::HostSpace> edges;  ///< in the order of the file

  static constexpr std::int64_t header_bytes = 8;  ///< the bytes before the first edge
  /// The byte of the file where an edge begins.
  static constexpr std::int64_t byte_of_edge(std::int64_t edge) { return header_bytes + edge * 12; }
};

namespace detail {

/// The first bytes of a file that gzip has compressed.
inline constexpr std::string_view gzip_mark = "\x1f\x8b\x08";

/// Whether the bytes are a binary edge list. They must hold exactly as many edges as the header says.
inline bool is_binary_edges(std::string_view bytes) {
  std::int32_t header[2];
  if (bytes.size() < sizeof header) return false;
  std::memcpy(header, bytes.data(), sizeof header);
  return header[0] > 0 && header[1] >= 0 &&
         bytes.size() == static_cast<std::size_t>(BinaryEdges::byte_of_edge(header[1]));
}

}  // namespace detail

/// \brief An open binary edge list, whose header has been read and checked against the file's size.
class BinaryEdgesInput {
 public:
  /// \throws FileError that names the file, the byte and the expected content
  explicit BinaryEdgesInput(const std::filesystem::path& path)
      : name_(path.string()),  // (O_NONBLOCK: opening a pipe without a writer must not hang)
        descriptor_(detail::Descriptor::open(path, O_RDONLY | O_NONBLOCK)) {
    struct stat status;
    if (!descriptor_ || ::fstat(descriptor_.number(), &status) != 0)
      fail(std::string("cannot read: ") + std::strerror(errno));
    if (!S_ISREG(status.st_mode)) fail("cannot read: not a regular file");

    const std::int64_t size = status.st_size;
    if (size == 0) fail("byte 0: the file is empty, expected V, E and E edges");
    if (size < BinaryEdges::header_bytes)
      fail("byte " + std::to_string(size) + ": the file ends inside its header, expected V and E in 8 bytes");
    std::int32_t header[2];
    if (read_some(descriptor_.number(), reinterpret_cast<char*>(header), sizeof header, 0) < BinaryEdges::header_bytes)
      fail(std::string("byte 0: cannot read: ") + (errno != 0 ? std::strerror(errno) : "the file ended"));
    vertices_ = header[0], edges_ = header[1];
    if (vertices_ < 1) fail("byte 0: V is " + std::to_string(vertices_) + ", expected 1 or more");
    if (edges_ < 0) fail("byte 4: E is " + std::to_string(edges_) + ", expected 0 or more");
    const std::int64_t expected = BinaryEdges::byte_of_edge(edges_);
    const std::string_view start(reinterpret_cast<const char*>(header), sizeof header);
    if (size != expected && start.starts_with(detail::gzip_mark)) fail("compressed by gzip, expected an unpacked file");
    if (size != expected)
      fail("byte " + std::to_string(std::min(size, expected)) + ": the file is " +
           (size < expected ? "shorter" : "longer") + " than its header says, " + std::to_string(size) +
           " bytes, expected " + std::to_string(expected) + " for " + std::to_string(edges_) + " edges");
  }

  /// The number of vertices, V.
  std::int32_t vertices() const { return vertices_; }
  /// The number of edges, E.
  std::int32_t edges() const { return edges_; }

  /// \brief Reads the edges in parallel, since the first touch of memory takes most of the time. Needs Kokkos.
  /// \throws FileError
  BinaryEdges read() const { return read(0, edges_); }
  /// \brief Reads `count` edges, from edge `first` on. The file must have them.
  /// \throws as read()
  BinaryEdges read(std::int64_t first, std::int64_t count) const {
    blockfw::detail::require_kokkos();
    BinaryEdges graph;
    graph.vertices = vertices_;
    blockfw::detail::require_host_memory(name_ + ": " + std::to_string(count) + " edges",
                                         12.0 * static_cast<double>(count));
    graph.edges = decltype(graph.edges)(Kokkos::view_alloc("blockfw::edges", Kokkos::WithoutInitializing),
                                        static_cast<std::size_t>(count));

    constexpr std::int64_t part = 1 << 20;
    const std::int64_t start = BinaryEdges::byte_of_edge(first), stop = BinaryEdges::byte_of_edge(first + count);
    char* const to = reinterpret_cast<char*>(graph.edges.data());
    std::int64_t read_to = stop;
    blockfw::detail::reduce_range(
        "blockfw::read_binary_edges", Kokkos::DefaultHostExecutionSpace(), 0,
        blockfw::detail::div_up(stop - start, part),
        [=, file = descriptor_.number()](std::int64_t p, std::int64_t& end) {
          const std::int64_t here = start + p * part, bytes = std::min(part, stop - here);
          const std::int64_t last = read_some(file, to + p * part, bytes, here);
          if (last < here + bytes) end = std::min(end, last);
        },
        Kokkos::Min<std::int64_t>(read_to));
    if (read_to < stop)
      fail("byte " + std::to_string(read_to) + ": cannot read further: the file ended or its disk failed");
    return graph;
  }

 private:
  [[noreturn]] void fail(const std::string& why) const { throw FileError(name_ + ": " + why); }

  /// Returns the position after the last byte read. Leaves the reason of a short read in errno (0 at the end of the
  /// file).
  static std::int64_t read_some(int file, char* to, std::int64_t bytes, std::int64_t position) {
    errno = 0;
    while (bytes > 0) {
      const ssize_t got = ::pread(file, to, static_cast<std::size_t>(bytes), position);
      if (got < 0 && errno == EINTR) continue;
      if (got <= 0) break;
      to += got, position += got, bytes -= got;
    }
    return position;
  }

  std::string name_;
  detail::Descriptor descriptor_;
  std::int32_t vertices_ = 0, edges_ = 0;
};

/// \brief Reads a graph.
/// \throws FileError that names the file, the byte and the expected content. Nothing is allocated before the header has
///         been checked against the file's size.
inline BinaryEdges read_binary_edges(const std::filesystem::path& path) { return BinaryEdgesInput(path).read(); }

/// \brief A line that identifies a graph: its sizes and a hash of its edges. (It is possible, but very unlikely, that
/// two graphs have the same line.)
inline std::string description(const BinaryEdges& graph) {
  std::uint64_t hash = 0;
  for (std::size_t e = 0; e < graph.edges.extent(0); ++e) {
    const auto edge = graph.edges(e);
    const auto ends =
        static_cast<std::uint64_t>(static_cast<std::uint32_t>(edge.from)) << 32 | static_cast<std::uint32_t>(edge.to);
    hash = (hash ^ ends) * 0x9e3779b97f4a7c15;
    hash = (hash ^ (hash >> 32) ^ static_cast<std::uint32_t>(edge.weight)) * 0xbf58476d1ce4e5b9;
  }
  char text[80];
  std::snprintf(text, sizeof text, "%lld vertices, %lld edges, hash %016llx", static_cast<long long>(graph.vertices),
                static_cast<long long>(graph.edges.extent(0)), static_cast<unsigned long long>(hash));
  return text;
}

/// The length of the output in bytes.
constexpr std::uint64_t binary_distances_bytes(std::int32_t vertices) {
  return static_cast<std::uint64_t>(vertices) * static_cast<std::uint64_t>(vertices) * sizeof(std::int32_t);
}

namespace detail {

/// The size of an output buffer: large enough to be copied at full speed.
constexpr std::size_t buffer_bytes = std::size_t(16) << 20;

/// The number of rows of n elements that fill a buffer; 1 to n.
constexpr std::size_t rows_of_buffer(std::size_t n, std::size_t element, std::size_t bytes = buffer_bytes) {
  return std::clamp<std::size_t>(bytes / (n * element), 1, n);
}

/// \brief Writes rows that are on the host, as numbers of their own type, or integers as integers of type Out. The
/// first row is row first_row of the distances.
/// \param write   called as write(data, bytes), in order
/// \param buffer  memory for converted rows, which later calls can reuse
/// \throws OverflowRisk with the first distance that does not fit Out. Rows before it may be written. InvalidInput when
///         rows must be converted or packed and Kokkos does not run
template <class Out, MatrixView View, class Write>
void write_rows(const Write& write, const View& d, std::size_t first_row, std::vector<Out>& buffer) {
  using T = typename View::non_const_value_type;
  if (d.size() == 0) return;
  const std::size_t rows = d.extent(0), n = d.extent(1);
  constexpr bool same = std::is_same_v<T, Out>;
  if constexpr (same)
    if (d.span_is_contiguous() && d.stride(1) == 1) return write(d.data(), rows * n * sizeof(T));
  blockfw::detail::require_kokkos();
  // (A table may have more rows than columns.)
  const std::size_t at_once = std::clamp<std::size_t>(buffer_bytes / (n * sizeof(Out)), 1, rows), all = rows * n;
  buffer.resize(at_once * n);
  for (std::size_t from = 0; from < rows; from += at_once) {
    const std::size_t count = std::min(at_once, rows - from);
    std::size_t misfit = all;
    blockfw::detail::reduce_range(
        "blockfw::narrow", Kokkos::DefaultHostExecutionSpace(), from, from + count,
        [=, to = buffer.data()](std::int64_t row, [[maybe_unused]] std::size_t& first_misfit) {
          const auto i = static_cast<std::size_t>(row);
          for (std::size_t j = 0; j < n; ++j) {
            const T distance = d(i, j);
            if constexpr (sizeof(T) > sizeof(Out))
              if (distance != infinity<T> && (distance >= infinity<Out> || distance < -infinity<Out>))
                first_misfit = std::min(first_misfit, i * n + j);
            to[(i - from) * n + j] = distance == infinity<T> ? infinity<Out> : static_cast<Out>(distance);
          }
        },
        Kokkos::Min<std::size_t>(misfit));
    if (misfit < all)
      throw OverflowRisk("the distance from ", first_row + misfit / n, " to ", misfit % n, " is ",
                         d(misfit / n, misfit % n), ", which the output's ", 8 * sizeof(Out), " bits cannot hold");
    write(buffer.data(), count * n * sizeof(Out));
  }
}

/// \brief Appends rows that are in any memory. It copies rows to a pinned buffer while it writes the previous rows.
/// \return seconds spent on waiting for copies
template <class ExecSpace, MatrixView View>
double append_through_buffers(OutputFile& file, const ExecSpace& exec, const View& d, std::size_t first_row,
                              std::size_t bytes = buffer_bytes) {
  using T = typename View::non_const_value_type;
  using Pinned = Kokkos::View<T**, Kokkos::LayoutRight, Kokkos::SharedHostPinnedSpace>;

  const std::size_t rows = d.extent(0), n = d.extent(1);
  const std::size_t at_once = rows_of_buffer(n, sizeof(T), bytes);
  Pinned buffers[2];
  for (Pinned& buffer : buffers)
    buffer = Pinned(Kokkos::view_alloc("blockfw::output_buffer", Kokkos::WithoutInitializing), at_once, n);
  const auto rows_from = [&](std::size_t row) { return std::min(at_once, rows - row); };

  const auto fetch = [&](std::size_t row, const Pinned& buffer) {
    const std::size_t count = rows_from(row);
    blockfw::detail::copy_rows(exec, Kokkos::subview(buffer, Kokkos::pair(std::size_t(0), count), Kokkos::ALL),
                               Kokkos::subview(d, Kokkos::pair(row, row + count), Kokkos::ALL));
  };
  std::vector<std::int32_t> converted;
  const auto append = [&](const void* data, std::size_t size) { file.write(data, size); };
  double waited = 0;
  fetch(0, buffers[0]);
  for (std::size_t row = 0; row < rows; row += at_once) {
    const Kokkos::Timer timer;
    exec.fence("blockfw::write_binary_distances");
    waited += timer.seconds();
    if (row + at_once < rows) fetch(row + at_once, buffers[1]);
    write_rows(append, Kokkos::subview(buffers[0], Kokkos::pair(std::size_t(0), rows_from(row)), Kokkos::ALL),
               first_row + row, converted);
    std::swap(buffers[0], buffers[1]);
  }
  return waited;
}

}  // namespace detail

/// \brief Appends some rows of the distances to the output file. The rows are on the host or on a device.
/// \param file       the output file
/// \param exec       an instance on the rows' device, to copy with. d must be ready there (computed, or queued before).
/// \param d          rows of all columns. On a device the entries of a row must be contiguous.
/// \param first_row  the vertex of the first row of d
/// \return seconds spent on waiting for copies from a device. They are made while the file is written.
/// \throws OverflowRisk when a distance does not fit the file's 32 bits; InvalidInput for a device's rows whose entries
///         are not contiguous; FileError when the file cannot be written
template <class ExecSpace, MatrixView View>
double write_binary_distance_rows(OutputFile& file, [[maybe_unused]] const ExecSpace& exec, const View& d,
                                  std::int64_t first_row) {
  static_assert(std::is_integral_v<typename View::value_type>, "blockfw: binary distances are integers");
  if (d.size() == 0) return 0;
  const auto first = static_cast<std::size_t>(first_row);
  if constexpr (!can_reach<Kokkos::HostSpace, View>) {
    return detail::append_through_buffers(file, exec, d, first);
  } else {
    std::vector<std::int32_t> converted;
    detail::write_rows([&](const void* data, std::size_t bytes) { file.write(data, bytes); }, d, first, converted);
    return 0;
  }
}

/// \brief Appends the distances d to the output file. d must be ready (fenced), on the host or on a device.
/// \return as write_binary_distance_rows()
/// \throws as write_binary_distance_rows(), and InvalidInput when d is not square or Kokkos does not run
template <MatrixView View>
double write_binary_distances(OutputFile& file, const View& d) {
  if (d.extent(0) != d.extent(1)) throw InvalidInput("the distances to write are not a square matrix");
  return write_binary_distance_rows(file, blockfw::detail::default_instance<typename View::execution_space>(), d, 0);
}

}  // namespace blockfw::io
