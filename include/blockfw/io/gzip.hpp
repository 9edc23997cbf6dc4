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
#include <memory>
#include <string>
#include <string_view>

namespace blockfw::io {

namespace detail {

/// \brief Inflates a file that gzip has compressed, member after member.
/// \throws FileError, OutOfMemory
inline InputFile inflated(const InputFile& file) {
  const std::string_view packed = file.bytes();
  std::size_t read = 0, written = 0;
  const auto fail = [&](const std::string& what) { throw FileError(file.name(), ": gzip, byte ", read, ": ", what); };
  const auto require_memory = [&](bool enough) {
    if (!enough) throw OutOfMemory(file.name() + ": zlib is out of memory");
  };
  z_stream stream{};
  require_memory(::inflateInit2(&stream, 16 + MAX_WBITS) == Z_OK);
  const std::unique_ptr<z_stream, int (*)(z_streamp)> ends(&stream, ::inflateEnd);
  // The last four bytes are the unpacked size of the last member, modulo 2^32. A damaged file may state too large a
  // size.
  std::uint32_t size = 0;
  if (packed.size() >= sizeof size) std::memcpy(&size, packed.data() + packed.size() - sizeof size, sizeof size);
  constexpr std::size_t usual_ratio = 16;
  GrowingBytes bytes(file.name());
  bytes.make_room(std::min<std::size_t>(size, usual_ratio * packed.size()) + 1, 0);
  for (; read < packed.size(); ::inflateReset(&stream)) {
    for (int status = Z_OK; status != Z_STREAM_END;) {
      if (written == bytes.room()) bytes.make_room(2 * written, written);
      constexpr std::size_t most = std::numeric_limits<uInt>::max();
      const auto in = static_cast<uInt>(std::min(packed.size() - read, most));
      const auto out = static_cast<uInt>(std::min(bytes.room() - written, most));
      // (zlib does not write to its input, whose type may lack the const.)
      stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data() + read));
      stream.avail_in = in;
      stream.next_out = reinterpret_cast<Bytef*>(bytes.data() + written);
      stream.avail_out = out;
      status = ::inflate(&stream, Z_NO_FLUSH);
      read += in - stream.avail_in;
      written += out - stream.avail_out;
      require_memory(status != Z_MEM_ERROR);
      if (status == Z_BUF_ERROR) fail("the compressed file ends too early");
      if (status != Z_OK && status != Z_STREAM_END)
        fail(std::string("cannot be unpacked: ") + (stream.msg == nullptr ? "the data are wrong" : stream.msg));
    }
    // (Zeros may fill the last block of a tape.)
    if (packed.find_first_not_of('\0', read) == packed.npos) break;
    if (!packed.substr(read).starts_with(gzip_mark.substr(0, 2)))
      fail("found " + in_quotes(packed.substr(read, 1)) + ", expected the end of the file or another gzip member");
  }
  return {file.name(), bytes.release(), written};
}

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
  return detail::inflated(file);
}

}  // namespace blockfw::io
