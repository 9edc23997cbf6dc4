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

/// \brief A checksum of the bytes in their order: FNV-1a of words of 64 bits. (Fowler, Noll, Vo.)
class Checksum {
 public:
  /// \param bytes  a multiple of 8, except for the last call
  void add(const void* data, std::size_t bytes) {
    const char* from = static_cast<const char*>(data);
    for (; bytes >= sizeof(std::uint64_t); bytes -= sizeof(std::uint64_t), from += sizeof(std::uint64_t)) {
      std::uint64_t word = 0;
      std::memcpy(&word, from, sizeof(word));
      step(word);
    }
    if (bytes > 0) {
      std::uint64_t word = 0;
      std::memcpy(&word, from, bytes);
      step(word);
    }
  }
  std::uint64_t value() const { return value_; }

 private:
  void step(std::uint64_t word) {
    value_ = (value_ ^ word) * 0x100000001b3u;
    value_ ^= value_ >> 29;  // (so that high bits reach low ones, too)
  }
  std::uint64_t value_ = 0xcbf29ce484222325u;
};

/// \brief The header of a file of sections. Sections follow, each at a multiple of 64 bytes; then the checksum.
struct SectionHeader {
  static constexpr std::size_t most_sections = 16;
  char magic[16] = {};  ///< names the kind of file
  char type[48] = {};   ///< names the numbers in it
  std::uint64_t version = 0;
  std::uint64_t bytes = 0;                    ///< of the whole file
  std::uint64_t order = 0x0102030405060708u;  ///< of the bytes of an integer
  std::uint64_t sections = 0;
  std::uint64_t size[most_sections] = {};  ///< bytes of each section
  std::int64_t properties[8] = {};         ///< whatever the kind of file needs
  char padding[32] = {};                   ///< up to a multiple of 64 bytes
};

/// Sections that are to be written. They are referred to, not copied.
class SectionWriter {
 public:
  SectionWriter(const std::string& magic, const std::string& type, std::uint64_t version) {
    copy_text(magic, header_.magic);
    copy_text(type, header_.type);
    header_.version = version;
  }

  void property(std::size_t which, std::int64_t value) { header_.properties[which] = value; }
  template <class T>
  void add(std::span<const T> numbers) {
    static_assert(std::is_arithmetic_v<T>);
    header_.size[header_.sections++] = numbers.size_bytes();
    sections_.push_back(std::as_bytes(numbers));
  }
  /// Bytes of all.
  std::uint64_t bytes() const {
    std::uint64_t all = sizeof(SectionHeader);
    for (const auto& section : sections_) all += blockfw::detail::round_up(section.size(), alignment);
    return all + sizeof(std::uint64_t);
  }
  /// Calls write(data, bytes) for all parts, in order.
  template <class Write>
  void write(const Write& write) const {
    SectionHeader header = header_;
    header.bytes = bytes();
    Checksum checksum;
    const auto put = [&](const void* data, std::size_t bytes) {
      checksum.add(data, bytes);
      write(data, bytes);
    };
    put(&header, sizeof(header));
    const char padding[alignment] = {};
    for (const auto& section : sections_) {
      constexpr std::size_t at_once = std::size_t{1} << 26;  // (a piece is still in a cache when it is written)
      const std::size_t whole = section.size() / sizeof(std::uint64_t) * sizeof(std::uint64_t);
      for (std::size_t first = 0; first < whole; first += at_once)
        put(section.data() + first, std::min(at_once, whole - first));
      char last[alignment] = {};
      const std::size_t rest = blockfw::detail::round_up(section.size(), alignment) - whole;
      if (section.size() > whole) std::memcpy(last, section.data() + whole, section.size() - whole);
      put(rest <= sizeof(last) ? last : padding, rest);
    }
    const std::uint64_t sum = checksum.value();
    write(&sum, sizeof(sum));
  }

  static constexpr std::size_t alignment = 64;

 private:
  template <std::size_t Size>
  static void copy_text(const std::string& text, char (&to)[Size]) {
    std::memcpy(to, text.data(), std::min(text.size(), Size - 1));
  }
  SectionHeader header_;
  std::vector<std::span<const std::byte>> sections_;
};

/// \brief Sections that are read. Their memory lives as long as this object or any copy of memory().
class SectionReader {
 public:
  /// \brief Maps a file. Writes to the memory do not reach the file.
  /// \throws FileError when it cannot be read
  explicit SectionReader(const std::filesystem::path& path) : name_(path.string()) {
    const Descriptor file = Descriptor::open(path, O_RDONLY);
    if (!file) fail(std::strerror(errno));
    struct stat status;
    if (::fstat(file.number(), &status) != 0) fail(std::strerror(errno));
    if (!S_ISREG(status.st_mode)) fail("is no regular file, which a saved network is");
    size_ = static_cast<std::size_t>(status.st_size);
    if (size_ == 0) fail("is empty");
    void* const pages = ::mmap(nullptr, size_, PROT_READ | PROT_WRITE, MAP_PRIVATE, file.number(), 0);
    if (pages == MAP_FAILED) fail(std::strerror(errno));
    memory_ = std::shared_ptr<char>(static_cast<char*>(pages), [size = size_](char* data) { ::munmap(data, size); });
  }
  /// The same from a copy of bytes. `name` is for errors.
  SectionReader(std::span<const char> bytes, std::string name) : name_(std::move(name)), size_(bytes.size()) {
    blockfw::detail::require_host_memory("the copy of " + name_, static_cast<double>(size_));
    memory_ = std::shared_ptr<char>(static_cast<char*>(::operator new(size_ + 1, std::align_val_t{64})),
                                    [](char* data) { ::operator delete(data, std::align_val_t{64}); });
    if (size_ > 0) std::memcpy(memory_.get(), bytes.data(), size_);
  }

  /// \brief The name of the numbers in it.
  /// \throws FileError when the file is of another kind
  std::string type(const std::string& magic, const std::string& kind) {
    if (size_ < sizeof(SectionHeader) + sizeof(std::uint64_t)) fail("is too short for " + kind);
    std::memcpy(&header_, memory_.get(), sizeof(header_));
    header_.magic[sizeof(header_.magic) - 1] = header_.type[sizeof(header_.type) - 1] = 0;
    if (header_.magic != magic) fail("is not " + kind);
    return header_.type;
  }
  /// \brief Checks the header, the length and the checksum.
  /// \param kind  of the file, for errors
  /// \throws FileError that names the difference
  void check(const std::string& magic, const std::string& type, std::uint64_t version, const std::string& kind) {
    const std::string found = this->type(magic, kind);
    if (header_.order != SectionHeader().order) fail("was written on a machine with another order of bytes");
    if (header_.version != version)
      fail("has version " + std::to_string(header_.version) + ", expected " + std::to_string(version));
    if (found != type) fail("has distances of " + found + ", expected " + type);
    if (header_.bytes != size_)
      fail("has " + std::to_string(size_) + " bytes, expected " + std::to_string(header_.bytes) + ": it is not whole");
    Checksum checksum;
    checksum.add(memory_.get(), size_ - sizeof(std::uint64_t));
    std::uint64_t sum = 0;
    std::memcpy(&sum, memory_.get() + size_ - sizeof(sum), sizeof(sum));
    if (sum != checksum.value()) fail("is damaged: its checksum differs");
    std::size_t start = sizeof(SectionHeader);
    if (header_.sections > SectionHeader::most_sections) damaged();
    for (std::size_t s = 0; s < header_.sections; ++s) {
      start_.push_back(start);
      if (start > size_ - sizeof(std::uint64_t)) damaged();
      if (header_.size[s] > size_ - sizeof(std::uint64_t) - start) damaged();
      start += blockfw::detail::round_up(static_cast<std::size_t>(header_.size[s]), SectionWriter::alignment);
    }
    if (start + sizeof(std::uint64_t) != size_) damaged();
  }

  std::int64_t property(std::size_t which) const { return header_.properties[which]; }
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
  [[noreturn]] void fail(const std::string& why) const { throw FileError(name_ + ": " + why); }

 private:
  std::string name_;
  std::size_t size_ = 0;
  std::shared_ptr<char> memory_;
  SectionHeader header_;
  std::vector<std::size_t> start_;
};

}  // namespace blockfw::io::detail

namespace blockfw {

namespace detail {

/// \brief The parts of a network that a file has.
template <Semiring S, class Host>
class NetworkParts {
  using T = typename S::value_type;
  static constexpr const char *magic = "blockfw network", *kind = "a saved network";
  static constexpr std::uint64_t version = 1;
  enum Property { direction, strict_cycles, symmetric };
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
    io::detail::SectionWriter writer(magic, io::detail::name_of_semiring<S>(), version);
    writer.property(Property::direction, static_cast<std::int64_t>(network.direction()));
    writer.property(Property::strict_cycles, network.how_.strict_cycles);
    writer.property(Property::symmetric, values.symmetric);
    for (const auto* list : {&std::as_const(from), &std::as_const(to)})
      writer.add(std::span<const std::int32_t>(*list));
    writer.add(std::span<const T>(weight));
    for (const std::vector<std::int32_t>* list :
         std::initializer_list<const std::vector<std::int32_t>*>{&structure.order, &last, &parent, &sizes, &boundary})
      writer.add(std::span<const std::int32_t>(*list));
    // (Whole vectors read some numbers behind the end of these arrays.)
    for (int sweep = 0; sweep < (values.symmetric ? 1 : 2); ++sweep)
      for (const auto& array : {values.ways[sweep], values.own[sweep]})
        writer.add(std::span<const T>(array.data(), array.size() + FactorValues<T>::beyond));
    start(writer.bytes());
    writer.write(write);
  }

  static std::string type(io::detail::SectionReader reader) { return reader.type(magic, kind); }

  static Network<S, Host> read(const Host& exec, io::detail::SectionReader reader) {
    reader.check(magic, io::detail::name_of_semiring<S>(), version, kind);
    const auto froms = reader.template section<std::int32_t>(from), tos = reader.template section<std::int32_t>(to);
    const auto weights = reader.template section<T>(weight);
    if (tos.size() != froms.size() || weights.size() != froms.size()) reader.damaged();
    std::vector<Edge<T>> edges;
    edges.reserve(froms.size());
    for (std::size_t e = 0; e < froms.size(); ++e) edges.push_back({froms[e], tos[e], weights[e]});
    Elimination structure = structure_of(reader);
    auto values = std::make_shared<FactorValues<T>>();
    values->symmetric = reader.property(Property::symmetric) != 0;
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
    const FactorOptions how{reader.property(Property::direction) != 0 ? Direction::undirected : Direction::directed,
                            {},
                            reader.property(Property::strict_cycles) != 0};
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
  return detail::NetworkParts<MinPlus<double>, Kokkos::DefaultHostExecutionSpace>::type(
      io::detail::SectionReader(path));
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
