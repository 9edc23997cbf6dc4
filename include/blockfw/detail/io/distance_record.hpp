// SPDX-License-Identifier: MIT
/// \file
/// \brief The record of an unfinished solve in a file: the graph, and the progress of the solve.
#pragma once

#include "blockfw/files/descriptor.hpp"
#include "blockfw/ground/error.hpp"
#include "blockfw/ground/semiring.hpp"
#include "blockfw/ground/weights.hpp"

#include <cxxabi.h>
#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <ios>
#include <memory>
#include <sstream>
#include <string>
#include <type_traits>
#include <typeinfo>
#include <utility>

namespace blockfw::io::detail {

/// \brief The state of a work file: the progress of its solve.
struct RecordedProgress {
  std::int64_t pivots = -1;  ///< number eliminated from all rows; -1: the file is not filled
  bool negative = false;     ///< whether an edge may be negative, or a cycle diverge
  bool limited = false;      ///< whether entries beyond `limit` stand for "no path"
  std::int64_t limit = 0;
  int bits = 0;             ///< bits of the numbers that the rounds work on
  std::int64_t narrow = 0;  ///< the entries from the first on that are packed in `bits` bits; the others are wide
  /// A copy of the packed entries, once they are few enough for a record. For floats, the potentials that were taken
  /// out of the weights.
  std::string head = {};

  bool filled() const { return pivots >= 0; }
};

/// The name of the semiring in a record; for shortest paths, the type of the distances.
template <Semiring S>
std::string name_of_semiring() {
  if constexpr (std::is_same_v<S, MinPlus<typename S::value_type>>) {
    return blockfw::type_name<typename S::value_type>();
  } else {
    int status = 0;
    const std::unique_ptr<char, void (*)(void*)> name(abi::__cxa_demangle(typeid(S).name(), nullptr, nullptr, &status),
                                                      std::free);
    return status == 0 ? name.get() : typeid(S).name();
  }
}

/// The first line of a record.
inline constexpr const char* title_of_record = "blockfw: unfinished distances, 2";

/// The most bytes of a head, and of potentials.
inline constexpr std::size_t most_head = std::size_t(1) << 20, most_potentials = std::size_t(1) << 30;

/// \brief Reads a record: a small file that holds the graph and the RecordedProgress of a work file.
/// \param graph  the line that identifies the graph
/// \param of     the work file that the record belongs to, for errors
/// \throws FileError if the record is missing, damaged or of another graph
inline RecordedProgress read_record(const std::filesystem::path& path, const std::string& graph,
                                    const std::string& of) {
  const std::string remedy = "; remove " + of + " to start anew, or name another output";
  std::ifstream file(path);
  if (!file) throw FileError(of + ": found without its record, " + path.string() + remedy);
  std::string title, recorded, name;
  RecordedProgress progress;
  std::getline(file, title);
  std::getline(file, recorded);
  if (title != title_of_record || recorded.empty())
    throw FileError(path.string() + ": not the record of a solve" + remedy);
  if (recorded != graph)
    throw FileError(path.string() + ": belongs to another graph or type (" + recorded + "), expected (" + graph + ")" +
                    remedy);
  std::size_t head = 0;
  file >> name >> progress.pivots >> name >> progress.negative >> name >> progress.limited >> name >> progress.limit >>
      name >> progress.bits >> name >> progress.narrow >> name >> head;
  if (file && head <= most_potentials) {
    file.get();
    progress.head.resize(head);
    file.read(progress.head.data(), static_cast<std::streamsize>(head));
  }
  if (!file || head > most_potentials) throw FileError(path.string() + ": is damaged" + remedy);
  return progress;
}

/// Brings the folder of a file to the disk, and with it the names of the files in the folder.
inline void sync_folder(const std::filesystem::path& file) {
  const auto folder = file.has_parent_path() ? file.parent_path() : std::filesystem::path(".");
  if (const Descriptor opened = Descriptor::open(folder, O_RDONLY)) ::fsync(opened.number());
}

/// Replaces a record. It is on the disk when this returns.
/// \throws FileError
inline void write_record(const std::filesystem::path& path, const std::string& graph,
                         const RecordedProgress& progress) {
  std::ostringstream text;
  text << title_of_record << '\n'
       << graph << "\npivots " << progress.pivots << "\nnegative " << progress.negative << "\nlimited "
       << progress.limited << "\nlimit " << progress.limit << "\nbits " << progress.bits << "\nnarrow "
       << progress.narrow << "\nhead " << progress.head.size() << '\n'
       << progress.head;
  const std::string bytes = text.str();
  const std::filesystem::path next = path.string() + ".next";
  const Descriptor file = Descriptor::open(next, O_WRONLY | O_CREAT | O_TRUNC);
  if (!file || ::write(file.number(), bytes.data(), bytes.size()) != static_cast<ssize_t>(bytes.size()) ||
      ::fsync(file.number()) != 0 || ::rename(next.c_str(), path.c_str()) != 0) {
    const std::string why = std::strerror(errno);
    ::unlink(next.c_str());
    throw FileError(path.string() + ": cannot write: " + why);
  }
  sync_folder(path);
}

}  // namespace blockfw::io::detail
