// SPDX-License-Identifier: MIT
// Files of graphs for the programs. If CMake found zlib, they may be compressed by gzip.
#pragma once

#include <blockfw/files/input_file.hpp>
#ifdef BLOCKFW_GZIP
#include <blockfw/io/gzip.hpp>
#endif

#include <utility>

namespace program {

/// The file, unpacked if gzip has compressed it. (Without zlib the readers refuse it.)
inline blockfw::io::InputFile input_of(blockfw::io::InputFile file) {
#ifdef BLOCKFW_GZIP
  return blockfw::io::unpacked(std::move(file));
#else
  return file;
#endif
}

}  // namespace program
