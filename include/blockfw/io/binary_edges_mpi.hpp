// SPDX-License-Identifier: MIT
/// \file
/// \brief Binary edge lists and distances (see io/binary_edges.hpp). All ranks of MPI read and write them together.
#pragma once

#include "blockfw/files/output_file.hpp"
#include "blockfw/ground/communicator.hpp"
#include "blockfw/ground/error.hpp"
#include "blockfw/io/binary_edges.hpp"

#include <Kokkos_Core.hpp>

#include <mpi.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace blockfw::io {

namespace detail {

/// \brief A file that all ranks have open to write it; the destructor closes it.
///
/// Only opening and closing are collective. Each rank writes long contiguous parts of its own, and checks the result.
/// (Open MPI 5.0's collective writes report success on a full disk.)
class MpiOutput {
 public:
  /// \param name  the name of the file in errors
  MpiOutput(const blockfw::Communicator& ranks, const std::string& path, std::string name) : name_(std::move(name)) {
    blockfw::detail::together(ranks, [&] {
      require([&] { return MPI_File_open(ranks.get(), path.c_str(), MPI_MODE_RDWR, MPI_INFO_NULL, &file_); });
    });
  }
  MpiOutput(const MpiOutput&) = delete;
  MpiOutput& operator=(const MpiOutput&) = delete;
  ~MpiOutput() {
    if (file_ != MPI_FILE_NULL) MPI_File_close(&file_);
  }

  void write(std::int64_t at, const void* from, std::size_t bytes) const {
    blockfw::detail::in_mpi_ranges(bytes, [&](std::size_t first, int count) {
      int written = 0;
      MPI_Status status;
      require([&] {
        return MPI_File_write_at(file_, at + static_cast<std::int64_t>(first), static_cast<const char*>(from) + first,
                                 count, MPI_BYTE, &status);
      });
      MPI_Get_count(&status, MPI_BYTE, &written);
      if (written != count)
        throw FileError(name_, ": cannot write: only ", written, " of ", count, " bytes were taken");
    });
  }
  void close() {
    require([&] { return MPI_File_close(&file_); });
  }

 private:
  /// Makes an MPI call on the file. \throws FileError when it fails, with the system's reason if errno holds one
  template <class Call>
  void require(const Call& call) const {
    errno = 0;
    const int status = call(), reason = errno;
    if (status == MPI_SUCCESS) return;
    char text[MPI_MAX_ERROR_STRING] = "";
    int length = 0;
    MPI_Error_string(status, text, &length);
    std::replace(text, text + length, '\n', ' ');
    throw FileError(name_ +
                    ": cannot write: " + (reason == 0 ? text : std::strerror(reason) + std::string(" (") + text + ")"));
  }

  std::string name_;
  MPI_File file_ = MPI_FILE_NULL;
};

}  // namespace detail

/// The part of a graph that one rank reads.
struct BinaryEdgesPart {
  BinaryEdges graph;       ///< all vertices, and this rank's part of the edges
  std::int64_t first = 0;  ///< the number of its first edge in the file
};

/// \brief A binary edge list that all ranks read. All ranks must call every function. If one rank throws, all ranks
/// throw the same error.
class BinaryEdgesRanksInput {
 public:
  /// \throws FileError as BinaryEdgesInput, or when ranks see different files
  BinaryEdgesRanksInput(MPI_Comm ranks, const std::filesystem::path& path) : ranks_(ranks) {
    blockfw::detail::together(ranks_, [&] { input_.emplace(path); });
    for (const std::int32_t number : {vertices(), edges()})
      if (ranks_.reduce(number, MPI_MIN) != ranks_.reduce(number, MPI_MAX))
        throw FileError(path.string() + ": cannot read: the ranks see different files of this name");
  }

  /// The number of vertices, V.
  std::int32_t vertices() const { return input_->vertices(); }
  /// The number of edges, E, of the whole file.
  std::int32_t edges() const { return input_->edges(); }

  /// \brief Reads the edges, about the same number on each rank. Needs Kokkos.
  /// \throws FileError; OutOfMemory when a rank's part does not fit, before it is allocated
  BinaryEdgesPart read() const {
    const auto start = [&](int rank) { return std::int64_t(edges()) * rank / ranks_.size(); };
    BinaryEdgesPart part{{}, start(ranks_.rank())};
    blockfw::detail::together(ranks_,
                              [&] { part.graph = input_->read(part.first, start(ranks_.rank() + 1) - part.first); });
    return part;
  }

 private:
  blockfw::Communicator ranks_;
  std::optional<BinaryEdgesInput> input_;
};

/// \brief The output that all ranks write. It appears whole or not at all, and its disk space is reserved before the
/// work (see OutputFile). All ranks must call every function. If one rank throws, all ranks throw the same error.
///
/// If all ranks are on one machine, nothing is left behind even if they are killed. Otherwise a killed run may leave
/// `.blockfw.*` in the target's folder.
class BinaryDistancesRanksOutput {
 public:
  /// \throws FileError
  BinaryDistancesRanksOutput(MPI_Comm ranks, const std::filesystem::path& path, std::int32_t vertices)
      : ranks_(ranks), name_(path.string()), bytes_(binary_distances_bytes(vertices)) {
    open(path, OutputFile::Temporary::nameless);
    if (!seen_by_all()) open(path, OutputFile::Temporary::named);
    if (!seen_by_all()) throw FileError(name_ + ": cannot write: not all ranks see its folder, or it is not a file");
  }

  /// \brief Writes distances of any integer type, which must be ready (fenced). Ranks first gather whole rows, so that
  /// each rank writes long contiguous parts of the file.
  /// \throws OverflowRisk with the first distance, in the order of the file, that does not fit the file's 32 bits;
  ///         FileError. The file then never gets its name.
  /// \tparam Matrix  a DistributedMatrix
  template <class Matrix>
  void write(const Matrix& d) {
    static_assert(std::is_integral_v<typename Matrix::View::value_type>, "blockfw: binary distances are integers");
    detail::MpiOutput file(ranks_, path_, name_);
    std::vector<std::int32_t> converted;
    // A rank gets its rows in their order, so the first misfit of all is the first one of some rank.
    std::optional<OverflowRisk> misfit;
    std::int64_t row_of_misfit = d.vertices();
    d.for_whole_rows([&](std::int64_t first, const auto& rows) {
      if (misfit) return;
      auto at = static_cast<std::int64_t>(sizeof(std::int32_t)) * first * d.vertices();
      const auto write = [&](const void* data, std::size_t bytes) {
        file.write(at, data, bytes);
        at += static_cast<std::int64_t>(bytes);
      };
      try {
        detail::write_rows(write, rows, static_cast<std::size_t>(first), converted);
      } catch (const OverflowRisk& found) {
        misfit.emplace(found);
        row_of_misfit = first;
      }
    });
    const bool is_first = ranks_.reduce(row_of_misfit, MPI_MIN) == row_of_misfit;
    blockfw::detail::together(ranks_, [&] {
      if (misfit && is_first) throw OverflowRisk(*misfit);
    });
    blockfw::detail::together(ranks_, [&] { file.close(); });
    if (file_) file_->written_by_others(bytes_);
  }

  /// \brief Writes distances that may be held in fewer bits. They become 32-bit integers as they are written.
  /// \tparam Solved  SolvedRanks
  /// \throws as for a DistributedMatrix
  template <class Solved>
    requires(!requires { typename Solved::View; })
  void write(const Solved& distances) {
    distances.visit([&](const auto& d) { write(d); });
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
    blockfw::detail::require_mpi(MPI_Bcast(&length, 1, MPI_INT64_T, 0, ranks_.get()), "sending a file's size");
    path_.resize(static_cast<std::size_t>(length));
    blockfw::detail::require_mpi(MPI_Bcast(path_.data(), static_cast<int>(length), MPI_CHAR, 0, ranks_.get()),
                                 "sending a file's size");
  }

  /// Whether all ranks find the same file at the path, and each rank can write anywhere in it.
  bool seen_by_all() const {
    struct stat status{};
    const bool seen = ::stat(path_.c_str(), &status) == 0 && !S_ISFIFO(status.st_mode) && !S_ISSOCK(status.st_mode);
    const std::int64_t file = seen ? static_cast<std::int64_t>(status.st_ino) : -1;
    const std::int64_t least = ranks_.reduce(file, MPI_MIN);
    return least >= 0 && least == ranks_.reduce(file, MPI_MAX);
  }

  blockfw::Communicator ranks_;
  std::string name_, path_;
  std::uint64_t bytes_;
  std::optional<OutputFile> file_;  // on rank 0 only
};

}  // namespace blockfw::io
