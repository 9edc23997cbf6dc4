// SPDX-License-Identifier: MIT
/// \file
/// \brief Arrays of numbers in one file or one string of bytes, with a checksum.
#pragma once

#include "blockfw/detail/backend/memory.hpp"
#include "blockfw/detail/base/rounding.hpp"
#include "blockfw/files/descriptor.hpp"
#include "blockfw/ground/error.hpp"

#include <sys/mman.h>
#include <sys/stat.h>

#include <bit>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <type_traits>
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
