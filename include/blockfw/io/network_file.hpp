// SPDX-License-Identifier: MIT
/// \file
/// \brief A network in a file: saved once, mapped by any number of programs, asked at once.
///
/// The file has the structure, the edges and the numbers of the elimination. It is for machines with the same order of
/// bytes, and for this version of the library; another file, a shorter or a damaged one is refused. Its arrays lie in
/// sections, with a checksum.
#pragma once

#include "blockfw/detail/backend/memory.hpp"
#include "blockfw/detail/base/arithmetic.hpp"
#include "blockfw/detail/graph/supernodes.hpp"
#include "blockfw/detail/io/distance_record.hpp"
#include "blockfw/files/descriptor.hpp"
#include "blockfw/files/output_file.hpp"
#include "blockfw/ground/edge.hpp"
#include "blockfw/ground/error.hpp"
#include "blockfw/ground/semiring.hpp"
#include "blockfw/network.hpp"

#include <sys/mman.h>
#include <sys/stat.h>

#include <bit>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <initializer_list>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace blockfw::io::detail {

/// \brief A checksum of words of 64 bits in their order: FNV-1a. (Fowler, Noll, Vo.)
/// \param bytes  a multiple of 8; a rest is left out
/// \param sum    the checksum of the words before
inline std::uint64_t checksum(const void* data, std::size_t bytes, std::uint64_t sum = 0xcbf29ce484222325u) {
  for (const char* from = static_cast<const char*>(data); bytes >= sizeof(sum); bytes -= sizeof(sum)) {
    std::uint64_t word = 0;
    std::memcpy(&word, from, sizeof(word));
    from += sizeof(word);
    sum = (sum ^ word) * 0x100000001b3u;
    sum ^= sum >> 29;  // (so that high bits reach low ones, too)
  }
  return sum;
}

/// \brief The header of a saved network. Sections follow, each at a multiple of 64 bytes; then the checksum.
struct NetworkHeader {
  static constexpr std::size_t most_sections = 16, alignment = 64;
  char magic[16] = "blockfw network";  ///< names the kind of file
  char type[48] = {};                  ///< names the numbers in it
  std::uint64_t version = 1;
  std::uint64_t bytes = 0;                    ///< the bytes of the whole file
  std::uint64_t order = 0x0102030405060708u;  ///< shows the order of the bytes of an integer
  std::uint64_t sections = 0;
  std::uint64_t size[most_sections] = {};                        ///< bytes of each section
  std::int64_t direction = 0, strict_cycles = 0, symmetric = 0;  ///< properties of the network, 0 or 1
  char padding[72] = {};                                         ///< up to a multiple of 64 bytes
};

static_assert(sizeof(NetworkHeader) % NetworkHeader::alignment == 0);

/// \brief Writes a header, whose sizes are set here, the sections and the checksum.
/// \param start  called first, as start(bytes of all)
/// \param write  called as write(data, bytes) for all parts, in order
template <class Start, class Write>
void write_sections(NetworkHeader header, const std::vector<std::span<const std::byte>>& sections, const Start& start,
                    const Write& write) {
  constexpr std::size_t unit = NetworkHeader::alignment;
  std::uint64_t sum = checksum(nullptr, 0);
  header.bytes = sizeof(header) + sizeof(sum);
  for (const auto& section : sections) {
    header.size[header.sections++] = section.size();
    header.bytes += blockfw::detail::round_up(section.size(), unit);
  }
  start(header.bytes);
  const auto put = [&](const void* data, std::size_t bytes) {
    sum = checksum(data, bytes, sum);
    write(data, bytes);
  };
  put(&header, sizeof(header));
  for (const auto& section : sections) {
    constexpr std::size_t at_once = std::size_t{1} << 26;  // (a piece is still in a cache when it is written)
    const std::size_t whole = section.size() / unit * unit, rest = section.size() - whole;
    for (std::size_t first = 0; first < whole; first += at_once)
      put(section.data() + first, std::min(at_once, whole - first));
    if (rest == 0) continue;
    char last[unit] = {};
    std::memcpy(last, section.data() + whole, rest);
    put(last, unit);
  }
  write(&sum, sizeof(sum));
}

/// \brief The sections of a saved network. Their memory lives as long as this object or any copy of memory().
class SectionReader {
 public:
  /// \brief Maps a file. Writes to the memory do not reach the file.
  /// \throws FileError when it cannot be read, or is no saved network
  explicit SectionReader(const std::filesystem::path& path) : name_(path.string()) {
    const Descriptor file = Descriptor::open(path, O_RDONLY);
    struct stat status;
    if (!file || ::fstat(file.number(), &status) != 0) fail(std::strerror(errno));
    if (!S_ISREG(status.st_mode)) fail("is no regular file, which a saved network is");
    size_ = static_cast<std::size_t>(status.st_size);
    if (size_ == 0) fail("is empty");
    memory_ = mapped(file.number(), size_, MAP_PRIVATE);
    if (memory_ == nullptr) fail(std::strerror(errno));
    read_header();
  }
  /// The same from a copy of bytes. `name` is for errors.
  SectionReader(std::span<const char> bytes, std::string name) : name_(std::move(name)), size_(bytes.size()) {
    blockfw::detail::require_host_memory("the copy of " + name_, static_cast<double>(size_));
    memory_ = std::shared_ptr<char>(static_cast<char*>(::operator new(size_ + 1, std::align_val_t{64})),
                                    [](char* data) { ::operator delete(data, std::align_val_t{64}); });
    if (size_ > 0) std::memcpy(memory_.get(), bytes.data(), size_);
    read_header();
  }

  const NetworkHeader& header() const { return header_; }
  /// \brief Checks the type of the numbers, the header, the length and the checksum.
  /// \throws FileError that names the difference
  void check(const std::string& type) {
    const NetworkHeader expected;
    if (header_.order != expected.order) fail("was written on a machine with another order of bytes");
    if (header_.version != expected.version)
      fail("has version " + std::to_string(header_.version) + ", expected " + std::to_string(expected.version));
    if (header_.type != type) fail("has distances of " + std::string(header_.type) + ", expected " + type);
    if (header_.bytes != size_)
      fail("has " + std::to_string(size_) + " bytes, expected " + std::to_string(header_.bytes) + ": it is not whole");
    const std::size_t end = size_ - sizeof(std::uint64_t);
    std::uint64_t sum = 0;
    std::memcpy(&sum, memory_.get() + end, sizeof(sum));
    if (sum != checksum(memory_.get(), end)) fail("is damaged: its checksum differs");
    std::size_t start = sizeof(NetworkHeader);
    if (header_.sections > NetworkHeader::most_sections) damaged();
    for (std::size_t s = 0; s < header_.sections; ++s) {
      start_.push_back(start);
      if (start > end || header_.size[s] > end - start) damaged();
      start += blockfw::detail::round_up(static_cast<std::size_t>(header_.size[s]), NetworkHeader::alignment);
    }
    if (start != end) damaged();
  }

  /// \brief The numbers of a section.
  /// \throws FileError when the section does not exist, or when its length is not a multiple of the number's size
  template <class T>
  std::span<T> section(std::size_t which) const {
    if (which >= start_.size() || header_.size[which] % sizeof(T) != 0) damaged();
    return {reinterpret_cast<T*>(memory_.get() + start_[which]),
            static_cast<std::size_t>(header_.size[which]) / sizeof(T)};
  }
  /// The owner of all sections' memory.
  std::shared_ptr<const void> memory() const { return memory_; }
  [[noreturn]] void damaged() const { fail("is damaged: its parts do not fit each other"); }

 private:
  [[noreturn]] void fail(const std::string& why) const { throw FileError(name_ + ": " + why); }
  void read_header() {
    if (size_ < sizeof(header_) + sizeof(std::uint64_t)) fail("is too short for a saved network");
    std::memcpy(&header_, memory_.get(), sizeof(header_));
    header_.magic[sizeof(header_.magic) - 1] = header_.type[sizeof(header_.type) - 1] = 0;
    if (header_.magic != std::string(NetworkHeader().magic)) fail("is not a saved network");
  }

  std::string name_;
  std::size_t size_ = 0;
  std::shared_ptr<char> memory_;
  NetworkHeader header_;
  std::vector<std::size_t> start_;
};

}  // namespace blockfw::io::detail

namespace blockfw {

namespace detail {

/// \brief The parts of a network that a file has.
template <Semiring S, class Host>
class NetworkParts {
  using T = typename S::value_type;
  enum Section { from, to, weight, order, last, parent, sizes, boundary, ways, own, other_ways, other_own };

 public:
  /// Calls write(data, bytes) for all parts; first start(bytes in all).
  template <class Start, class Write>
  static void write(const Network<S, Host>& network, const Start& start, const Write& write) {
    const Elimination& structure = network.structure();
    const auto& values = *network.place_.values();
    std::vector<std::int32_t> from, to, last, parent, sizes, boundary;
    std::vector<T> weight;
    for (const Edge<T>& edge : network.edges()) {
      from.push_back(edge.from);
      to.push_back(edge.to);
      weight.push_back(edge.weight);
    }
    for (const Supernode& node : structure.supernodes) {
      last.push_back(node.last);
      parent.push_back(node.parent);
      sizes.push_back(static_cast<std::int32_t>(node.boundary.size()));
      boundary.insert(boundary.end(), node.boundary.begin(), node.boundary.end());
    }
    io::detail::NetworkHeader header;
    io::detail::name_of_semiring<S>().copy(header.type, sizeof(header.type) - 1);
    header.direction = static_cast<std::int64_t>(network.direction());
    header.strict_cycles = network.how_.strict_cycles;
    header.symmetric = values.symmetric;
    const auto bytes = [](const auto& numbers) { return std::as_bytes(std::span(numbers)); };
    std::vector<std::span<const std::byte>> sections = {
        bytes(from), bytes(to),     bytes(weight), bytes(structure.order),
        bytes(last), bytes(parent), bytes(sizes),  bytes(boundary)};
    // (Whole vectors read some numbers behind the end of these arrays.)
    for (int sweep = 0; sweep < (values.symmetric ? 1 : 2); ++sweep)
      for (const auto& array : {values.ways[sweep], values.own[sweep]})
        sections.push_back(bytes(std::span<const T>(array.data(), array.size() + FactorValues<T>::beyond)));
    io::detail::write_sections(header, sections, start, write);
  }

  static Network<S, Host> read(const Host& exec, io::detail::SectionReader reader) {
    reader.check(io::detail::name_of_semiring<S>());
    const auto froms = reader.template section<std::int32_t>(from), tos = reader.template section<std::int32_t>(to);
    const auto weights = reader.template section<T>(weight);
    if (tos.size() != froms.size() || weights.size() != froms.size()) reader.damaged();
    std::vector<Edge<T>> edges;
    edges.reserve(froms.size());
    for (std::size_t e = 0; e < froms.size(); ++e) edges.push_back({froms[e], tos[e], weights[e]});
    Elimination structure = structure_of(reader);
    auto values = std::make_shared<FactorValues<T>>();
    values->symmetric = reader.header().symmetric != 0;
    values->memory = reader.memory();
    values->start = starts_of(structure);
    const FactorStart end = values->start.back();
    for (int sweep = 0; sweep < (values->symmetric ? 1 : 2); ++sweep) {
      const auto array = [&](std::size_t section, std::size_t count) {
        const auto numbers = reader.template section<T>(section);
        if (numbers.size() != count + FactorValues<T>::beyond) reader.damaged();
        return typename FactorValues<T>::Array(numbers.data(), count);
      };
      values->ways[sweep] = array(sweep == 0 ? ways : other_ways, end.ways);
      values->own[sweep] = array(sweep == 0 ? own : other_own, end.own);
    }
    const FactorOptions how{reader.header().direction != 0 ? Direction::undirected : Direction::directed,
                            {},
                            reader.header().strict_cycles != 0};
    return Network<S, Host>(exec, std::make_shared<const SparseAnalysis>(SparseAnalysis(std::move(structure))), nullptr,
                            std::move(edges), how, std::move(values));
  }

 private:
  static Elimination structure_of(const io::detail::SectionReader& reader) {
    const auto list = [&](Section which) { return reader.template section<std::int32_t>(which); };
    const auto orders = list(order), lasts = list(last), parents = list(parent), counts = list(sizes),
               boundaries = list(boundary);
    const std::size_t n = orders.size(), count = lasts.size();
    if (parents.size() != count || counts.size() != count || (count > 0 ? lasts.back() : 0) != std::int64_t(n))
      reader.damaged();
    Elimination structure;
    structure.order.assign(orders.begin(), orders.end());
    std::vector<char> seen(n, 0);
    for (const std::int32_t v : structure.order)
      if (v < 0 || static_cast<std::size_t>(v) >= n || seen[static_cast<std::size_t>(v)]++) reader.damaged();
    std::size_t entries = 0;
    std::int32_t next = 0;
    for (std::size_t s = 0; s < count; ++s) {
      const bool fits =
          lasts[s] > next && (parents[s] == -1 || (parents[s] > std::int64_t(s) && parents[s] < std::int64_t(count)));
      if (!fits || counts[s] < 0) reader.damaged();
      structure.supernodes.push_back({next, lasts[s], parents[s], {}, 0, true, 0, {}});
      next = lasts[s];
      entries += static_cast<std::size_t>(counts[s]);
    }
    if (entries != boundaries.size()) reader.damaged();
    complete_structure(structure);
    if (!set_boundaries(structure, counts, boundaries)) reader.damaged();
    return structure;
  }
};

}  // namespace detail

/// \brief Saves a network. The file appears whole or not at all.
/// \throws FileError when it cannot be written
template <Semiring S, class Host>
void save_network(const std::filesystem::path& path, const Network<S, Host>& network) {
  std::unique_ptr<io::OutputFile> file;
  detail::NetworkParts<S, Host>::write(
      network, [&](std::uint64_t bytes) { file = std::make_unique<io::OutputFile>(path, bytes); },
      [&](const void* data, std::size_t bytes) { file->write(data, bytes); });
  file->commit();
}

/// \brief Loads a saved network. Its numbers are mapped, not copied.
/// \tparam S    the semiring of the saved network
/// \param exec  the instance to run on
/// \param path  the file
/// \throws FileError when the file cannot be read, is no network of S, is shorter than it was or damaged
template <Semiring S, class Host>
Network<S, Host> load_network(const Host& exec, const std::filesystem::path& path) {
  return detail::NetworkParts<S, Host>::read(exec, io::detail::SectionReader(path));
}

/// \brief The numbers of a saved network: "int16", "int32", "int64", "float" or "double" for shortest paths, the name
/// of the semiring for others.
/// \throws FileError when the file cannot be read, or is no network
inline std::string type_of_saved_network(const std::filesystem::path& path) {
  return io::detail::SectionReader(path).header().type;
}

/// The bytes of a saved network, to be sent elsewhere.
template <Semiring S, class Host>
std::string bytes_of_network(const Network<S, Host>& network) {
  std::string all;
  detail::NetworkParts<S, Host>::write(
      network, [&](std::uint64_t bytes) { all.reserve(bytes); },
      [&](const void* data, std::size_t bytes) { all.append(static_cast<const char*>(data), bytes); });
  return all;
}

/// \brief The network from the bytes of a file.
/// \throws FileError when they are no network of S, or not all
template <Semiring S, class Host>
Network<S, Host> network_of_bytes(const Host& exec, std::span<const char> bytes) {
  return detail::NetworkParts<S, Host>::read(exec, io::detail::SectionReader(bytes, "the bytes of a network"));
}

}  // namespace blockfw
