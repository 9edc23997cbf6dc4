// SPDX-License-Identifier: MIT
// Binary edge lists and distances, and the output that appears whole or not at all.
#include "folder.hpp"
#include "graphs.hpp"

#include "blockfw/files/output_file.hpp"
#include "blockfw/io/binary_edges.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

namespace {

namespace fs = std::filesystem;
using blockfw::FileError;
using blockfw::io::OutputFile;
using blockfw::io::read_binary_edges;
using doctest::Contains;

/// Numbers as the files hold them.
std::string words(const std::vector<std::int32_t>& numbers) {
  return {reinterpret_cast<const char*>(numbers.data()), numbers.size() * sizeof(std::int32_t)};
}

template <class View>
std::string written(const Folder& folder, const View& d) {
  OutputFile file(folder / "out", blockfw::io::binary_distances_bytes(static_cast<std::int32_t>(d.extent(0))));
  blockfw::io::write_binary_distances(file, d);
  file.commit();
  return get(folder / "out");
}

std::string name_of(const fs::path& path, const char* rest) { return path.string() + ": " + rest; }

}  // namespace

TEST_CASE("a graph: read as it was written") {
  const Folder folder;
  const fs::path path = folder / "graph";
  put(path, words({5, 3, 0, 1, 7, 4, 2, -9, 3, 3, 2147483647}));
  const auto g = read_binary_edges(path);
  CHECK(g.vertices == 5);
  REQUIRE(g.edges.extent(0) == 3);
  CHECK(g.edges(0).to == 1);
  CHECK(g.edges(1).from == 4);
  CHECK(g.edges(1).weight == -9);
  CHECK(g.edges(2).weight == 2147483647);
  CHECK(blockfw::io::BinaryEdges::byte_of_edge(2) == 32);

  put(path, words({1, 0}));
  CHECK(read_binary_edges(path).edges.extent(0) == 0);
}

TEST_CASE("a graph of several megabytes") {
  const Folder folder;
  const std::int32_t count = 300'000;
  std::vector<std::int32_t> numbers{7, count};
  for (std::int32_t i = 0; i < 3 * count; ++i) numbers.push_back(i * 1009);
  put(folder / "graph", words(numbers));
  const auto g = read_binary_edges(folder / "graph");
  int wrong = 0;
  for (std::int32_t e = 0; e < count; ++e) {
    const std::int32_t* const expected = &numbers[static_cast<std::size_t>(2 + 3 * e)];
    wrong += g.edges(e).from != expected[0] || g.edges(e).to != expected[1] || g.edges(e).weight != expected[2];
  }
  CHECK(wrong == 0);
}

TEST_CASE("invalid graphs: refused, with name and byte") {
  const Folder folder;
  const fs::path path = folder / "graph";
  const auto refuses = [&](const std::string& bytes, const char* text) {
    put(path, bytes);
    CHECK_THROWS_WITH_AS(read_binary_edges(path), name_of(path, text).c_str(), FileError);
  };
  refuses("", "byte 0: the file is empty, expected V, E and E edges");
  refuses("abc", "byte 3: the file ends inside its header, expected V and E in 8 bytes");
  refuses(words({0, 0}), "byte 0: V is 0, expected 1 or more");
  refuses(words({-4, 0}), "byte 0: V is -4, expected 1 or more");
  refuses(words({4, -1}), "byte 4: E is -1, expected 0 or more");
  refuses(words({4, 2, 0, 1, 2, 3}),
          "byte 24: the file is shorter than its header says, 24 bytes, expected 32 for 2 edges");
  refuses(words({4, 1, 0, 1, 2, 3}),
          "byte 20: the file is longer than its header says, 24 bytes, expected 20 for 1 edges");
  // 25 GB of edges that are not there: refused before memory is asked for.
  refuses(words({4, 2147483647}),
          "byte 8: the file is shorter than its header says, 8 bytes, expected 25769803772 for 2147483647 edges");
}

TEST_CASE("unreadable files: refused") {
  const Folder folder;
  CHECK_THROWS_WITH_AS(read_binary_edges(folder / "none"), Contains("/none: cannot read: No such file or directory"),
                       FileError);
  CHECK_THROWS_WITH_AS(read_binary_edges(folder / "."), Contains("cannot read: not a regular file"), FileError);
  CHECK_THROWS_WITH_AS(read_binary_edges("/dev/null"), "/dev/null: cannot read: not a regular file", FileError);
}

TEST_CASE("distances: written row by row, whatever their layout and type") {
  const Folder folder;
  const std::int32_t none = blockfw::infinity<std::int32_t>;
  const auto check = [&]<class T>(const auto& d, T unreachable) {
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) d(i, j) = static_cast<T>(10 * i - j);
    d(1, 2) = unreachable;
    CHECK(written(folder, d) == words({0, -1, -2, 10, 9, none, 20, 19, 18}));
  };
  check(Kokkos::View<std::int32_t**, Kokkos::LayoutRight, Kokkos::HostSpace>("d", 3, 3), none);
  check(Kokkos::View<std::int32_t**, Kokkos::LayoutLeft, Kokkos::HostSpace>("d", 3, 3), none);
  const Kokkos::View<std::int32_t**, Kokkos::LayoutRight, Kokkos::HostSpace> large("large", 5, 5);
  check(Kokkos::subview(large, Kokkos::pair(1, 4), Kokkos::pair(1, 4)), none);
  check(Kokkos::View<std::int64_t**, Kokkos::LayoutRight, Kokkos::HostSpace>("d", 3, 3),
        blockfw::infinity<std::int64_t>);
  check(Kokkos::View<std::int16_t**, Kokkos::LayoutRight, Kokkos::HostSpace>("d", 3, 3),
        blockfw::infinity<std::int16_t>);
}

TEST_CASE("a distance that 32 bits cannot hold: refused") {
  const Folder folder;
  const std::int64_t none = blockfw::infinity<std::int32_t>;
  const Kokkos::View<std::int64_t**, Kokkos::LayoutRight, Kokkos::HostSpace> d("d", 3, 3);
  for (const std::int64_t fits : {none - 1, -none}) {
    d(2, 1) = fits;
    CHECK(written(folder, d) == words({0, 0, 0, 0, 0, 0, 0, static_cast<std::int32_t>(fits), 0}));
  }
  for (const std::int64_t large : {none, none + 1, -none - 1, std::int64_t(1) << 40}) {
    d(2, 1) = large;
    CHECK_THROWS_WITH_AS(
        written(folder, d),
        ("the distance from 2 to 1 is " + std::to_string(large) + ", which the output's 32 bits cannot hold").c_str(),
        blockfw::OverflowRisk);
  }
  CHECK(folder.files().size() == 1);  // only the file that was committed
}

TEST_CASE("an output file: appears on commit, and not before") {
  const Folder folder;
  const fs::path path = folder / "out";
  {
    OutputFile file(path, 3);
    file.write("abc", 3);
    CHECK_FALSE(fs::exists(path));
  }
  CHECK(folder.files().empty());

  put(path, "old");
  {
    OutputFile file(path, 3);
    file.write("a", 1);
    CHECK(get(path) == "old");
  }
  CHECK(get(path) == "old");
  CHECK(folder.files().size() == 1);
  {
    OutputFile file(path, 3);
    file.write("a", 1);
    file.write("bc", 2);
    CHECK(get(path) == "old");
    file.commit();
  }
  CHECK(get(path) == "abc");
  CHECK(folder.files().size() == 1);

  OutputFile empty(folder / "empty", 0);
  empty.commit();
  CHECK(fs::file_size(folder / "empty") == 0);
}

TEST_CASE("an output file: has the rights of any new file") {
  const Folder folder;
  const mode_t before = umask(027);
  OutputFile file(folder / "out", 0);
  file.commit();
  umask(before);
  CHECK(fs::status(folder / "out").permissions() == fs::perms(0640));
}

TEST_CASE("a symbolic link: stays, and its target is replaced") {
  const Folder folder;
  const auto write = [](const fs::path& path) {
    OutputFile file(path, 3);
    file.write("new", 3);
    file.commit();
  };
  put(folder / "target", "old");
  fs::create_symlink("target", folder / "link");
  write(folder / "link");
  CHECK(fs::is_symlink(folder / "link"));
  CHECK_FALSE(fs::is_symlink(folder / "target"));
  CHECK(get(folder / "target") == "new");

  fs::create_symlink("later", folder / "dangling");
  write(folder / "dangling");
  CHECK(fs::is_symlink(folder / "dangling"));
  CHECK(get(folder / "later") == "new");
}

TEST_CASE("outputs that are not regular files: written directly") {
  const auto write = [](const char* path) {
    OutputFile file(path, 1 << 20);
    const std::string bytes(1 << 20, 'x');
    file.write(bytes.data(), bytes.size());
    file.commit();
  };
  CHECK_NOTHROW(write("/dev/null"));
  CHECK_THROWS_WITH_AS(write("/dev/full"), "/dev/full: cannot write: No space left on device", FileError);
  CHECK(fs::is_character_file("/dev/null"));

  const Folder folder;
  const fs::path pipe = folder / "pipe";
  REQUIRE(mkfifo(pipe.c_str(), 0600) == 0);
  const int reader = ::open(pipe.c_str(), O_RDONLY | O_NONBLOCK);
  {
    OutputFile file(pipe, 5);
    file.write("hello", 5);
    file.commit();
  }
  char text[5];
  CHECK(::read(reader, text, 5) == 5);
  CHECK(std::string(text, 5) == "hello");
  ::close(reader);
  CHECK(folder.files().size() == 1);
}

TEST_CASE("outputs that cannot be written: refused when they are opened") {
  const Folder folder;
  CHECK_THROWS_WITH_AS(OutputFile(folder / ".", 1), Contains("cannot write: is a directory, expected a file"),
                       FileError);
  CHECK_THROWS_WITH_AS(OutputFile(folder / "none/out", 1),
                       name_of(folder / "none/out", "cannot write: No such file or directory").c_str(), FileError);
  // A file that is larger than any disk.
  CHECK_THROWS_WITH_AS(OutputFile(folder / "out", std::uint64_t(1) << 60),
                       Contains("(1152921504606846976 bytes are needed)"), FileError);
  CHECK(folder.files().empty());
}
