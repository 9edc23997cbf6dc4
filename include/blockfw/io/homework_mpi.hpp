/// \file
/// \brief The homework's files (see homework.hpp), read and written by all ranks of MPI together.
#pragma once

#include "blockfw/detail/mpi_calls.hpp"
#include "blockfw/distributed.hpp"
#include "blockfw/error.hpp"
#include "blockfw/io/homework.hpp"
#include "blockfw/io/output_file.hpp"

#include <Kokkos_Core.hpp>

#include <mpi.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace blockfw::io {

namespace detail {

/// How much a rank reads or writes at a time; what MPI does between is limited by it, too.
constexpr std::size_t mpi_piece_bytes = std::size_t(64) << 20;

/// A file that all ranks have open; closed at the end.
class MpiFile {
 public:
  /// \param name  of the file, for errors
  MpiFile(const blockfw::detail::Communicator& ranks, const std::string& path, int mode, std::string name)
      : name_(std::move(name)), writes_((mode & MPI_MODE_RDONLY) == 0) {
    blockfw::detail::together(ranks,
                              [&] { require(MPI_File_open(ranks.get(), path.c_str(), mode, MPI_INFO_NULL, &file_)); });
  }
  MpiFile(const MpiFile&) = delete;
  MpiFile& operator=(const MpiFile&) = delete;
  ~MpiFile() {
    if (file_ != MPI_FILE_NULL) MPI_File_close(&file_);
  }

  MPI_File get() const { return file_; }
  void close() { require(MPI_File_close(&file_)); }

  /// \throws FileError unless MPI says that all is well
  void require(int status) const {
    if (status == MPI_SUCCESS) return;
    char text[MPI_MAX_ERROR_STRING] = "";
    int length = 0;
    MPI_Error_string(status, text, &length);
    throw FileError(name_ + ": cannot " + (writes_ ? "write: " : "read: ") + text);
  }

 private:
  std::string name_;
  bool writes_;
  MPI_File file_ = MPI_FILE_NULL;
};

}  // namespace detail

/// What one rank has of a graph.
struct HomeworkPart {
  HomeworkGraph graph;
  std::int64_t first = 0;  ///< the number of its first edge
};

/// \brief A homework file that all ranks read. Every function is called by all of them, and what one throws all throw.
class HomeworkRanksInput {
 public:
  /// \throws FileError as HomeworkInput, or when ranks see different files
  HomeworkRanksInput(MPI_Comm ranks, const std::filesystem::path& path) : ranks_(ranks), path_(path) {
    blockfw::detail::together(ranks_, [&] {
      const HomeworkInput input(path);
      vertices_ = input.vertices(), edges_ = input.edges();
    });
    for (const std::int32_t number : {vertices_, edges_})
      if (ranks_.reduce(number, MPI_MIN) != ranks_.reduce(number, MPI_MAX))
        throw FileError(path.string() + ": cannot read: the ranks see different files of this name");
  }

  std::int32_t vertices() const { return vertices_; }
  std::int32_t edges() const { return edges_; }

  /// \brief Reads the edges, about as many on each rank. Needs Kokkos.
  /// \throws FileError
  HomeworkPart read() const {
    const auto start = [&](int rank) { return std::int64_t(edges_) * rank / ranks_.size(); };
    const std::int64_t first = start(ranks_.rank()), count = start(ranks_.rank() + 1) - first;
    HomeworkPart part{{vertices_, {}}, first};
    blockfw::detail::together(ranks_, [&] {
      part.graph.edges = decltype(part.graph.edges)(Kokkos::view_alloc("blockfw::edges", Kokkos::WithoutInitializing),
                                                    static_cast<std::size_t>(count));
    });
    const detail::MpiFile file(ranks_, path_.string(), MPI_MODE_RDONLY, path_.string());
    char* const to = reinterpret_cast<char*>(part.graph.edges.data());
    const std::int64_t at = HomeworkGraph::byte_of_edge(first), bytes = HomeworkGraph::byte_of_edge(first + count) - at;
    const std::int64_t most = ranks_.reduce(bytes, MPI_MAX), piece = detail::mpi_piece_bytes;
    for (std::int64_t from = 0; from < most; from += piece)
      blockfw::detail::together(ranks_, [&] {
        const std::int64_t begin = std::min(from, bytes), size = std::min(piece, bytes - begin);
        MPI_Status status;
        file.require(
            MPI_File_read_at_all(file.get(), at + begin, to + begin, static_cast<int>(size), MPI_BYTE, &status));
        int got = 0;
        MPI_Get_count(&status, MPI_BYTE, &got);
        if (got < size)
          throw FileError(path_.string() + ": byte " + std::to_string(at + begin + std::max(got, 0)) +
                          ": cannot read on: the file ended or its disk failed");
      });
    return part;
  }

 private:
  blockfw::detail::Communicator ranks_;
  std::filesystem::path path_;
  std::int32_t vertices_ = 0, edges_ = 0;
};

/// \brief The output that all ranks write: it appears whole or not at all, and its disk space is reserved before the
///        work (see OutputFile). Every function is called by all ranks, and what one throws all throw.
///
/// Where all ranks are on one machine, nothing is left behind even if they are killed; else a killed run may leave
/// `.blockfw.*` in the target's folder.
class HomeworkRanksOutput {
 public:
  /// \throws FileError
  HomeworkRanksOutput(MPI_Comm ranks, const std::filesystem::path& path, std::int32_t vertices)
      : ranks_(ranks), name_(path.string()), bytes_(homework_output_bytes(vertices)) {
    open(path, OutputFile::Temporary::nameless);
    if (!seen_by_all()) open(path, OutputFile::Temporary::named);
    if (!seen_by_all()) throw FileError(name_ + ": cannot write: not all ranks see its folder, or it is no file");
  }

  /// \brief Writes the distances, which are ready (fenced).
  /// \throws OverflowRisk when one does not fit the file's 32 bits; FileError
  template <class T, class ExecSpace, class TileShape>
  void write(const DistributedMatrix<T, ExecSpace, TileShape>& d) {
    static_assert(std::is_integral_v<T>, "blockfw: the homework's distances are integers");
    if constexpr (sizeof(T) > sizeof(std::int32_t)) require_narrow(d);
    detail::MpiFile file(ranks_, path_, MPI_MODE_RDWR, name_);
    set_view(file, d);

    const auto& local = d.local();
    const std::size_t height = local.extent(0), width = local.extent(1);
    const std::size_t at_once =
        std::max<std::size_t>(1, detail::mpi_piece_bytes / std::max<std::size_t>(width * sizeof(std::int32_t), 1));
    const std::size_t most = width == 0 ? 0 : (height + at_once - 1) / at_once;
    const auto pieces = ranks_.reduce(static_cast<std::int64_t>(most), MPI_MAX);
    std::vector<std::int32_t> converted;
    for (std::int64_t p = 0; p < pieces; ++p) {
      const std::size_t first = std::min(height, static_cast<std::size_t>(p) * at_once);
      const std::size_t rows = width == 0 ? 0 : std::min(at_once, height - first);
      const std::int32_t* from = nullptr;
      blockfw::detail::together(ranks_, [&] { from = rows > 0 ? rows_of(local, first, rows, converted) : nullptr; });
      blockfw::detail::together(ranks_, [&] {
        file.require(
            MPI_File_write_all(file.get(), from, static_cast<int>(rows * width), MPI_INT32_T, MPI_STATUS_IGNORE));
      });
    }
    blockfw::detail::together(ranks_, [&] { file.close(); });
    if (file_) file_->written_by_others(bytes_);
  }

  /// Gives the file its name. \throws FileError
  void commit() {
    blockfw::detail::together(ranks_, [&] {
      if (file_) file_->commit();
    });
  }

 private:
  void open(const std::filesystem::path& path, OutputFile::Temporary temporary) {
    file_.reset();
    blockfw::detail::together(ranks_, [&] {
      if (ranks_.rank() != 0) return;
      file_.emplace(path, bytes_, temporary);
      path_ = file_->path_for_others();
    });
    auto length = static_cast<std::int64_t>(path_.size());
    blockfw::detail::require_mpi(MPI_Bcast(&length, 1, MPI_INT64_T, 0, ranks_.get()), "telling of a file");
    path_.resize(static_cast<std::size_t>(length));
    blockfw::detail::require_mpi(MPI_Bcast(path_.data(), static_cast<int>(length), MPI_CHAR, 0, ranks_.get()),
                                 "telling of a file");
  }

  /// Whether the path leads all ranks to the same file, in which each can write anywhere.
  bool seen_by_all() const {
    struct stat status{};
    const bool seen = ::stat(path_.c_str(), &status) == 0 && !S_ISFIFO(status.st_mode) && !S_ISSOCK(status.st_mode);
    const std::int64_t file = seen ? static_cast<std::int64_t>(status.st_ino) : -1;
    const std::int64_t least = ranks_.reduce(file, MPI_MIN);
    return least >= 0 && least == ranks_.reduce(file, MPI_MAX);
  }

  /// What of the file is this rank's: the same rectangles as of the matrix.
  template <class Matrix>
  void set_view(const detail::MpiFile& file, const Matrix& d) const {
    const auto n = static_cast<int>(d.order());
    const int orders[] = {n, n}, sides[] = {d.grid().rows, d.grid().columns};
    const int cyclic[] = {MPI_DISTRIBUTE_CYCLIC, MPI_DISTRIBUTE_CYCLIC}, runs[] = {d.run_rows(), d.run_rows()};
    blockfw::detail::together(ranks_, [&] {
      MPI_Datatype part = MPI_INT32_T;
      const bool any = d.local().size() > 0;
      if (any) {
        blockfw::detail::require_mpi(MPI_Type_create_darray(ranks_.size(), ranks_.rank(), 2, orders, cyclic, runs,
                                                            sides, MPI_ORDER_C, MPI_INT32_T, &part),
                                     "describing a part of a file");
        blockfw::detail::require_mpi(MPI_Type_commit(&part), "describing a part of a file");
      }
      const int status = MPI_File_set_view(file.get(), 0, MPI_INT32_T, part, "native", MPI_INFO_NULL);
      if (any) MPI_Type_free(&part);
      file.require(status);
    });
  }

  /// \throws OverflowRisk with the first distance, by its place in the file, that does not fit
  template <class Matrix>
  void require_narrow(const Matrix& d) const {
    using T = typename Matrix::View::value_type;
    using ExecSpace = std::decay_t<decltype(d.exec())>;
    const auto local = d.local();
    const auto width = static_cast<std::int64_t>(local.extent(1)), all = static_cast<std::int64_t>(local.size());
    std::int64_t misfit = all;
    Kokkos::parallel_reduce(
        "blockfw::require_narrow", Kokkos::RangePolicy<ExecSpace, Kokkos::IndexType<std::int64_t>>(d.exec(), 0, all),
        KOKKOS_LAMBDA(std::int64_t e, std::int64_t& first) {
          const T distance = local(e / width, e % width);
          if (distance != infinity<T> && (distance >= infinity<std::int32_t> || distance < -infinity<std::int32_t>))
            first = Kokkos::min(first, e);
        },
        Kokkos::Min<std::int64_t>(misfit));
    const bool fits = misfit >= all;
    const std::int64_t row = fits ? d.order() : d.row(misfit / width), column = fits ? 0 : d.column(misfit % width);
    const std::int64_t first = ranks_.reduce(row * d.order() + column, MPI_MIN);
    blockfw::detail::together(ranks_, [&] {
      if (fits || first != row * d.order() + column) return;
      const auto entry = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace{},
                                                             Kokkos::subview(local, misfit / width, misfit % width));
      throw OverflowRisk("the distance from " + std::to_string(row) + " to " + std::to_string(column) + " is " +
                         std::to_string(entry()) + ", which the output's 32 bits cannot hold");
    });
  }

  /// Some rows of a part on the host, as the file's integers.
  template <class View>
  static const std::int32_t* rows_of(const View& local, std::size_t first, std::size_t rows,
                                     std::vector<std::int32_t>& converted) {
    using T = typename View::value_type;
    const auto some = Kokkos::create_mirror_view_and_copy(
        Kokkos::HostSpace{}, Kokkos::subview(local, Kokkos::pair(first, first + rows), Kokkos::ALL));
    constexpr bool there = Kokkos::SpaceAccessibility<Kokkos::HostSpace, typename View::memory_space>::accessible;
    if constexpr (there && std::is_same_v<T, std::int32_t>) return some.data();
    const std::size_t width = local.extent(1);
    converted.resize(rows * width);
    Kokkos::parallel_for("blockfw::narrow", Kokkos::RangePolicy<Kokkos::DefaultHostExecutionSpace>(0, rows),
                         [=, to = converted.data()](std::size_t i) {
                           for (std::size_t j = 0; j < width; ++j)
                             to[i * width + j] = some(i, j) == infinity<T> ? infinity<std::int32_t>
                                                                           : static_cast<std::int32_t>(some(i, j));
                         });
    Kokkos::DefaultHostExecutionSpace().fence("blockfw::narrow");
    return converted.data();
  }

  blockfw::detail::Communicator ranks_;
  std::string name_, path_;
  std::uint64_t bytes_;
  std::optional<OutputFile> file_;  // of rank 0
};

}  // namespace blockfw::io
