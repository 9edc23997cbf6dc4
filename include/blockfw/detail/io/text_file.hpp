// SPDX-License-Identifier: MIT
/// \file
/// \brief Writes a text to a file that appears whole or not at all.
#pragma once

#include "blockfw/files/output_file.hpp"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace blockfw::io::detail {

/// \brief Puts pieces of a text together, and hands on a MiB or more at a time.
/// \param make   make(put) calls put(piece) for each piece
/// \param write  called as write(text); the last text may be short
template <class Make, class Write>
void in_large_pieces(const Make& make, const Write& write) {
  constexpr std::size_t bytes = 1 << 20;
  std::string text;
  make([&](std::string_view piece) {
    text += piece;
    if (text.size() < bytes) return;
    write(text);
    text.clear();
  });
  if (!text.empty()) write(text);
}

/// \brief Writes a text file.
/// \param make  make(put) calls put(piece) for each piece of the text. It is called twice, the first time to find the
///              text's length.
/// \throws FileError; any exception of make
template <class Make>
void write_text(const std::filesystem::path& path, const Make& make) {
  std::uint64_t bytes = 0;
  make([&](std::string_view piece) { bytes += piece.size(); });
  OutputFile file(path, bytes);
  in_large_pieces(make, [&](const std::string& text) { file.write(text.data(), text.size()); });
  file.commit();
}

}  // namespace blockfw::io::detail
