// SPDX-License-Identifier: MIT
// Files that gzip has compressed: read as if they were not, and the errors for damaged ones.
#include "folder.hpp"

#include "blockfw/io/graph_file.hpp"
#include "blockfw/io/gzip.hpp"

#include <doctest/doctest.h>
#include <unistd.h>
#include <zlib.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace {

using blockfw::FileError;
using blockfw::io::InputFile;
using blockfw::io::unpacked;

/// The bytes as gzip compresses them.
std::string gzip(const std::string& bytes) {
  z_stream stream{};
  REQUIRE(deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, 16 + MAX_WBITS, 8, Z_DEFAULT_STRATEGY) == Z_OK);
  std::string packed(deflateBound(&stream, bytes.size()), '\0');
  std::string in = bytes;
  stream.next_in = reinterpret_cast<Bytef*>(in.data());
  stream.avail_in = static_cast<uInt>(in.size());
  stream.next_out = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_out = static_cast<uInt>(packed.size());
  REQUIRE(deflate(&stream, Z_FINISH) == Z_STREAM_END);
  packed.resize(stream.total_out);
  deflateEnd(&stream);
  return packed;
}

std::string bytes_of(const InputFile& file) { return std::string(file.bytes()); }
std::string unpack(const std::string& packed) { return bytes_of(unpacked(InputFile("file", packed))); }

void refuses(const std::string& packed, const std::string& message) {
  CHECK_THROWS_WITH_AS(unpack(packed), ("file: gzip, byte " + message).c_str(), FileError);
}

const std::string lines = "0 1 5\n1 2 2\n0 2 9\n2 3 1\n";

}  // namespace

TEST_CASE("graphs of every format: read through gzip") {
  const std::int32_t edge[] = {2, 1, 0, 1, 7};
  const std::string binary(reinterpret_cast<const char*>(edge), sizeof edge);
  for (const std::string& bytes : {lines, std::string("p sp 2 1\na 1 2 3\n"),
                                   "%MatrixMarket matrix coordinate pattern general\n2 2 1\n1 2\n" + lines,
                                   std::string("\xef\xbb\xbf") + lines, binary, std::string()})
    CHECK((unpack(gzip(bytes)) == bytes));
  for (const std::string& bytes : {lines, binary}) {
    const auto graph = blockfw::io::read_graph<int>(unpacked(InputFile("file", gzip(bytes))));
    CHECK(graph.edges.size() == (bytes == lines ? 4 : 1));
    CHECK(graph.edges[0].weight == (bytes == lines ? 5 : 7));
  }
  CHECK_THROWS_WITH_AS(blockfw::io::read_graph<int>(unpacked(InputFile("file", gzip("0 1 5\n1 x 2\n")))),
                       "file: edge list, line 2, column 3: found 'x', expected a vertex from 0 to 2147483646",
                       FileError);
  CHECK_THROWS_WITH_AS(blockfw::io::read_graph<int>(unpacked(InputFile("file", gzip("")))),
                       "file: the file is empty, expected a graph", FileError);
  CHECK_THROWS_WITH_AS(
      blockfw::io::read_graph<int>(unpacked(InputFile("file", gzip(gzip(lines))))),
      "file: compressed by gzip, expected an unpacked file: by gzip -d, or by a build with zlib (blockfw/io/gzip.hpp)",
      FileError);
}

TEST_CASE("other files: returned unchanged") {
  for (const std::string& bytes :
       {lines, std::string(), std::string("\x1f"), std::string("\x1f\x8b"), std::string("BZh9")}) {
    CHECK(unpacked(InputFile("file", bytes)).bytes().data() == bytes.data());
  }
  // A binary edge list of 559,903 vertices begins as gzip's files do.
  const std::int32_t edges[] = {0x088b1f, 1, 0, 1, 7};
  const std::string bytes(reinterpret_cast<const char*>(edges), sizeof edges);
  CHECK((unpack(bytes) == bytes));
  CHECK(blockfw::io::read_graph<int>(unpacked(InputFile("file", bytes))).vertices == 559'903);
}

TEST_CASE("gzip members: several, large ones, and files that do not tell their size") {
  CHECK((unpack(gzip(lines) + gzip("") + gzip("3 4 1\n")) == lines + "3 4 1\n"));
  CHECK((unpack(gzip(lines) + std::string(1000, '\0')) == lines));
  std::string large;
  for (int v = 0; v < 100'000; ++v) large += std::to_string(v * 7919 % 100'003) + " " + std::to_string(v) + " 1\n";
  CHECK((unpack(gzip(large)) == large));
  CHECK((unpack(gzip(large) + gzip("x")) == large + "x"));  // the end of the file says that it has one byte
  const std::string zeros(10'000'000, '0');                 // gzip packs them to a thousandth
  CHECK((unpack(gzip(zeros)) == zeros));
}

TEST_CASE("memory for the bytes: checked before it is allocated") {
  blockfw::io::detail::GrowingBytes bytes("file");
  bytes.make_room(4, 0);
  std::memcpy(bytes.data(), "abc", 4);
  CHECK_THROWS_WITH_AS(bytes.make_room(std::size_t(1) << 60, 4),
                       doctest::Contains("file: needs 1152921504.6 GB of memory"), blockfw::OutOfMemory);
  bytes.make_room(8, 4);
  CHECK(bytes.data() == std::string_view("abc"));
  CHECK(bytes.room() == 8);
}

TEST_CASE("damaged files") {
  const std::string good = gzip(lines), end = std::to_string(good.size());
  for (std::size_t size = 3; size < good.size(); ++size)
    if (size != 8)  // a binary edge list without edges
      refuses(good.substr(0, size), std::to_string(size) + ": the compressed file ends too early");
  refuses(good + gzip(lines).substr(0, 2), std::to_string(good.size() + 2) + ": the compressed file ends too early");
  refuses(good + "more", end + ": found 'm', expected the end of the file or another gzip member");
  refuses(good + std::string("\0\0m", 3), end + ": found '\\x00', expected the end of the file or another gzip member");
  const auto changed = [&](std::size_t byte) {
    std::string bytes = good;
    bytes[byte] = static_cast<char>(bytes[byte] ^ 1);
    return bytes;
  };
  CHECK_THROWS_WITH_AS(unpack(changed(good.size() - 8)), doctest::Contains("cannot be unpacked: incorrect data check"),
                       FileError);
  CHECK_THROWS_WITH_AS(unpack(changed(good.size() - 4)),
                       doctest::Contains("cannot be unpacked: incorrect length check"), FileError);
  for (std::size_t byte = 10; byte < good.size(); ++byte) CHECK_THROWS_AS(unpack(changed(byte)), FileError);
}

TEST_CASE("compressed files: on the disk and in a pipe") {
  const Folder folder;
  put(folder / "graph.gz", gzip(lines));
  const InputFile file = unpacked(folder / "graph.gz");
  CHECK((bytes_of(file) == lines));
  CHECK(file.name() == (folder / "graph.gz").string());
  CHECK(blockfw::io::read_graph<int>(file).vertices == 4);
  CHECK_THROWS_WITH_AS(blockfw::io::read_binary_edges(folder / "graph.gz"),
                       doctest::Contains("graph.gz: compressed by gzip, expected an unpacked file"), FileError);

  const std::string packed = gzip(lines);
  int ends[2];
  REQUIRE(pipe(ends) == 0);
  std::thread writer([&] {
    CHECK(::write(ends[1], packed.data(), packed.size()) == static_cast<ssize_t>(packed.size()));
    ::close(ends[1]);
  });
  const InputFile from_pipe = unpacked("/dev/fd/" + std::to_string(ends[0]));
  writer.join();
  ::close(ends[0]);
  CHECK((bytes_of(from_pipe) == lines));
}
