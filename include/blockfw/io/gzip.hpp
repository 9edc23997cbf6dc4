// SPDX-License-Identifier: MIT
/// \file
/// \brief Unpacks files that gzip has compressed, with zlib. This header is a component of its own, blockfw::zlib.
#pragma once

#include "blockfw/detail/io/file_weights.hpp"
#include "blockfw/files/input_file.hpp"
#include "blockfw/ground/error.hpp"
#include "blockfw/io/binary_edges.hpp"

#include <zlib.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string>
#include <string_view>
#include <utility>

namespace blockfw::io {

namespace detail {

/// \brief Inflates a file that gzip has compressed, member after member.
class Inflation {
 public:
  explicit Inflation(const InputFile& file) : file_(file), packed_(file.bytes()), bytes_(file.name()) {
    if (::inflateInit2(&stream_, 16 + MAX_WBITS) != Z_OK) throw OutOfMemory(file.name() + ": zlib is out of memory");
  }
  Inflation(const Inflation&) = delete;
  Inflation& operator=(const Inflation&) = delete;
  ~Inflation() { ::inflateEnd(&stream_); }

  /// \throws FileError, OutOfMemory
  InputFile unpacked() {
    // The last four bytes are the unpacked size of the last member, modulo 2^32. A damaged file may state too large a
    // size.
    std::uint32_t size = 0;
    if (packed_.size() >= sizeof size) std::memcpy(&size, packed_.data() + packed_.size() - sizeof size, sizeof size);
    constexpr std::size_t usual_ratio = 16;
    bytes_.make_room(std::min<std::size_t>(size, usual_ratio * packed_.size()) + 1, 0);
    while (read_ < packed_.size()) {
      inflate_member();
      // (Zeros may fill the last block of a tape.)
      if (packed_.find_first_not_of('\0', read_) == packed_.npos) break;
      if (!packed_.substr(read_).starts_with(gzip_mark.substr(0, 2)))
        fail("found " + in_quotes(packed_.substr(read_, 1)) + ", expected the end of the file or another gzip member");
      ::inflateReset(&stream_);
    }
    return {file_.name(), bytes_.release(), written_};
  }

 private:
  void inflate_member() {
    for (int status = Z_OK; status != Z_STREAM_END;) {
      if (written_ == bytes_.room()) bytes_.make_room(2 * written_, written_);
      const auto at_once = [](std::size_t bytes) {
        return static_cast<uInt>(std::min<std::size_t>(bytes, std::numeric_limits<uInt>::max()));
      };
      const uInt in = at_once(packed_.size() - read_), out = at_once(bytes_.room() - written_);
      // (zlib does not write to its input, whose type may lack the const.)
      stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed_.data() + read_));
      stream_.avail_in = in;
      stream_.next_out = reinterpret_cast<Bytef*>(bytes_.data() + written_);
      stream_.avail_out = out;
      status = ::inflate(&stream_, Z_NO_FLUSH);
      read_ += in - stream_.avail_in;
      written_ += out - stream_.avail_out;
      if (status == Z_MEM_ERROR) throw OutOfMemory(file_.name() + ": zlib is out of memory");
      if (status == Z_BUF_ERROR) fail("the compressed file ends too early");
      if (status != Z_OK && status != Z_STREAM_END)
        fail(std::string("cannot be unpacked: ") + (stream_.msg == nullptr ? "the data are wrong" : stream_.msg));
    }
  }

  [[noreturn]] void fail(const std::string& what) const {
    throw FileError(file_.name() + ": gzip, byte " + std::to_string(read_) + ": " + what);
  }

  const InputFile& file_;
  std::string_view packed_;
  GrowingBytes bytes_;
  z_stream stream_{};
  std::size_t read_ = 0, written_ = 0;
};

}  // namespace detail

/// \brief Unpacks a file if gzip has compressed it, and returns any other file as it is.
/// \param file  a path, or an InputFile
/// \return the unpacked file, of the same name. Errors of readers name places in it.
/// \throws FileError when the file ends too early, its checksums are wrong, or other bytes follow; OutOfMemory when the
///         unpacked file does not fit, before the memory is allocated
///
/// One pass. Memory: both files. If the size of the unpacked file is not known, for a moment up to half of it more.
inline InputFile unpacked(InputFile file) {
  if (!file.bytes().starts_with(detail::gzip_mark) || detail::is_binary_edges(file.bytes())) return file;
  return detail::Inflation(file).unpacked();
}

}  // namespace blockfw::io
