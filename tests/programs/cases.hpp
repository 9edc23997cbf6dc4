// SPDX-License-Identifier: MIT
// Runs programs by lines as a user types them, and checks their output and their files. Also inputs in the homework's
// format, and a small disk. The graph of ../data/towns.gr is here in files of every other format, as other programs
// write it (NumPy, SciPy and gzip among them). There is a graph without weights, too.
#pragma once

#include "child.hpp"

#include <doctest/doctest.h>
#include <sched.h>
#include <sys/mount.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <random>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

using Names = std::set<std::string>;
using Triple = std::array<std::int32_t, 3>;  // source, destination, weight
using Triples = std::vector<Triple>;

template <class T>
std::string bytes_of(const std::vector<T>& values) {
  return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)};
}

inline std::string case_of(std::int32_t vertices, std::int32_t edges, const Triples& triples) {
  return bytes_of(std::vector{vertices, edges}) + bytes_of(triples);
}

inline std::string case_of(std::int32_t vertices, const Triples& triples) {
  return case_of(vertices, static_cast<std::int32_t>(triples.size()), triples);
}

/// Edges of weights from `lightest` to `lightest` + 999.
inline Triples random_triples(std::int32_t vertices, int edges, std::int32_t lightest = 0) {
  std::mt19937 random(static_cast<unsigned>(edges));
  const auto draw = [&](std::int32_t below) {
    return static_cast<std::int32_t>(random() % static_cast<unsigned>(below));
  };
  Triples triples(static_cast<std::size_t>(edges));
  for (auto& [from, to, weight] : triples) from = draw(vertices), to = draw(vertices), weight = lightest + draw(1000);
  return triples;
}

inline std::int64_t lines(const std::string& text) { return std::count(text.begin(), text.end(), '\n'); }

inline bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

inline void skip(const std::string& why) { MESSAGE("skipped: ", why); }

/// The 5 x 5 weights as NumPy writes them, of that type.
template <class T>
std::string npy_of_towns(const std::string& type, T none) {
  std::string header = "{'descr': '" + type + "', 'fortran_order': False, 'shape': (5, 5), }";
  header.resize(117, ' ');
  const std::vector<T> weights = {0,    5,    none, 9,    none, none, 0, none, 2,    none, none, none, 0,
                                  none, none, none, none, none, 0,    1, 4,    none, none, none, 0};
  return std::string("\223NUMPY\001\0v\0", 10) + header + '\n' +
         std::string(reinterpret_cast<const char*>(weights.data()), weights.size() * sizeof(T));
}

/// The path of a file that all tests read: towns.gr, or one that is written here at the first call.
inline std::string file_of_towns(const std::string& name) {
  if (name == "towns.gr") return DATA "/towns.gr";
  static const Folder folder;
  if (folder.files().empty()) {
    const auto put = [](const char* file, const std::string& bytes) { write_file(folder / file, bytes); };
    put("towns.txt",
        "# five towns, one of them on an island\n"
        "0 1 5\n"
        "1 3 2\n"
        "0 3 9\n"
        "3 4 1\n"
        "4 0 4\n");
    put("towns.csv",
        "0,1,5\015\n"
        "1,3,2\015\n"
        "0,3,9\015\n"
        "3,4,1\015\n"
        "4,0,4\015\n");
    put("out.towns",
        "% asym weighted\n"
        "% 5 5 5\n"
        "1 2 5\n"
        "2 4 2\n"
        "1 4 9\n"
        "4 5 1\n"
        "5 1 4\n");
    put("towns.mtx",
        "%%MatrixMarket matrix coordinate integer general\n"
        "% five towns, one of them on an island\n"
        "5 5 5\n"
        "1 2 5\n"
        "2 4 2\n"
        "1 4 9\n"
        "4 5 1\n"
        "5 1 4\n");
    put("towns-array.mtx",
        "%%MatrixMarket matrix array real general\n5 5\n"
        "0\ninf\ninf\ninf\n4\n"
        "5\n0\ninf\ninf\ninf\n"
        "inf\ninf\n0\ninf\ninf\n"
        "9\n2\ninf\n0\ninf\n"
        "inf\ninf\ninf\n1\n0\n");
    put("row.mtx",
        "%%MatrixMarket matrix coordinate pattern symmetric\n"
        "4 4 3\n"
        "2 1\n"
        "3 2\n"
        "4 3\n");
    const std::vector<std::int32_t> edges = {5, 5, 0, 1, 5, 1, 3, 2, 0, 3, 9, 3, 4, 1, 4, 0, 4};
    put("towns.bin", std::string(reinterpret_cast<const char*>(edges.data()), edges.size() * sizeof(edges[0])));
    put("towns-int.npy", npy_of_towns<std::int32_t>("<i4", 0));
    put("towns-float.npy", npy_of_towns<double>("<f8", std::numeric_limits<double>::infinity()));
    constexpr std::size_t packed = 91;
    put("towns.gr.gz",
        std::string("\037\213\010\000\000\000\000\000\002\377\035\311\313\015\200 \020E\321=U\334\002\334@`a9D!\222"
                    "\340@\002\321\366\035Y\235\3679\310\345I\314\366\312\330h\222h\231y\245[3Q(\243F9Mgt\002\301D,n"
                    "\351\360\270\325=\273\352\365\267j\370\027\363\001\036Ch\205X\000\000\000",
                    packed));
  }
  return folder / name;
}

/// A call, its exit status, parts of its output in their order ("a|b" is either), and the contents of ./in before the
/// call.
struct Row {
  std::string line;
  int status;
  Words parts;
  std::string in = "";
  std::int64_t count = -1;  ///< the number of printed lines; not checked if negative
};

/// A call that succeeds, its output and the files whose names begin with "out", and the contents of ./in before the
/// call.
struct Answer {
  std::string line, out, in = "";
};

/// A program, and a folder for its files. Calls are words between spaces: ./NAME is a file in that folder, @NAME one of
/// file_of_towns(), '' an empty word. Programs on ranks run on three ranks, or on RANKS ranks if the call begins with
/// "-n RANKS".
class Program {
 public:
  explicit Program(const std::string& path, Words mpiexec = {})
      : name(fs::path(path).filename()), path_(path), mpiexec_(std::move(mpiexec)) {}

  /// The text with ./ and @ written out.
  std::string expand(std::string text) const {
    for (std::size_t at = 0; at < text.size(); ++at) {
      if (at > 0 && text[at - 1] != ' ' && text[at - 1] != '|') continue;
      if (text.compare(at, 2, "./") == 0) text.replace(at, 2, folder / "");
      if (text[at] != '@') continue;
      const std::size_t length = std::min(text.find_first_of(" |", at), text.size()) - at;
      text.replace(at, length, file_of_towns(text.substr(at + 1, length - 1)));
    }
    return text;
  }

  Words words(const std::string& line) const {
    Words all;
    std::istringstream text(line);
    for (std::string word; text >> word;) all.push_back(word == "''" ? "" : expand(word));
    return all;
  }

  /// Runs the program, by the command `under` where one is given.
  Result call(const std::string& line, const RunOptions& options = {}, const Words& under = {}) const {
    Words start, rest = words(line);
    if (!mpiexec_.empty()) {
      const bool given = rest.size() > 1 && rest[0] == "-n";
      start = mpiexec_ + Words{given ? rest[1] : "3"};
      if (given) rest.erase(rest.begin(), rest.begin() + 2);
    }
    return run(start + under + Words{path_} + rest, options);
  }

  /// The output of a call, which must succeed and print nothing on stderr.
  static std::string output(const Result& result) {
    INFO(result.command);
    CHECK(result.status == 0);
    CHECK(result.signal == 0);
    CHECK(result.err == "");
    return result.out;
  }
  std::string printed(const std::string& line) const { return output(call(line)); }

  /// The same output, and the contents of files whose names begin with "out". These files are then removed.
  std::string answer(const Result& result) const {
    std::string all = output(result);
    for (const std::string& file : folder.files())
      if (file.starts_with("out")) {
        all += read(file);
        fs::remove(folder / file);
      }
    return all;
  }
  std::string answer(const std::string& line) const { return answer(call(line)); }

  void answers(const std::vector<Answer>& rows) const {
    for (const auto& [line, out, in] : rows) {
      INFO(name, " ", line, in.empty() ? "" : "  where ./in is " + in.substr(0, 60));
      if (!in.empty()) write("in", in);
      CHECK(answer(line) == out);
    }
  }

  /// Checks the output of a call if its status is 0, or else its line on stderr.
  void check(const Result& result, int status, const Words& parts) const {
    if (status == 0) return check_parts(output(result), parts);
    CHECK_MESSAGE(result.status == status, result.command);
    CHECK_MESSAGE(result.signal == 0, result.command);
    check_line(result, parts);
  }
  void check(const std::string& line, int status, const Words& parts) const { check(call(line), status, parts); }
  void check(const std::vector<Row>& rows) const {
    for (const auto& [line, status, parts, in, count] : rows) {
      INFO(name, " ", line, in.empty() ? "" : "  where ./in is " + in.substr(0, 60));
      if (!in.empty()) write("in", in);
      const Result result = call(line);
      check(result, status, parts);
      if (count >= 0) CHECK(lines(result.out) == count);
    }
  }

  /// Checks that a program prints a single line on stderr, and nothing else. (mpiexec may add lines of its own.)
  void check_line(const Result& result, const Words& parts) const {
    INFO(result.command);
    std::string own = mpiexec_.empty() ? result.err : "";
    std::istringstream text(mpiexec_.empty() ? "" : result.err);
    for (std::string line; std::getline(text, line);)
      if (line.starts_with(name + ": ")) own += line + '\n';
    CHECK(result.out == "");
    CHECK(lines(own) == 1);
    CHECK(own.starts_with(name + ": "));
    CHECK(own.ends_with('\n'));
    check_parts(own, parts);
  }

  std::string read(const std::string& file) const { return read_file(folder / file); }
  void write(const std::string& file, const std::string& bytes) const { write_file(folder / file, bytes); }

  const Folder folder;
  const std::string name;

 private:
  void check_parts(const std::string& text, const Words& parts) const {
    const std::string all = '\n' + text;
    std::size_t place = 0;
    for (const std::string& part : parts) {
      std::size_t found = std::string::npos;
      std::istringstream either(expand(part));
      for (std::string one; std::getline(either, one, '|');) found = std::min(found, all.find(one, place));
      const bool said = found != std::string::npos;
      CHECK_MESSAGE(said, "expected '", part, "' after ", place, " bytes of", all.substr(0, 1000));
      if (said) place = found + 1;
    }
  }

  std::string path_;
  Words mpiexec_;
};

/// A small disk that only this process and its children see.
class Disk {
 public:
  /// Whether this process may mount. If so, nothing mounted from here on is seen by other processes.
  static bool possible() {
    return unshare(CLONE_NEWNS) == 0 && mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0;
  }
  explicit Disk(const std::string& path) : path_(path) {
    fs::create_directory(path_);
    REQUIRE(mount("none", path_.c_str(), "tmpfs", 0, "size=64k") == 0);
  }
  ~Disk() {
    umount2(path_.c_str(), MNT_DETACH);
    fs::remove(path_);
  }
  Disk(const Disk&) = delete;
  Disk& operator=(const Disk&) = delete;
  void make_read_only() { REQUIRE(mount("none", path_.c_str(), nullptr, MS_REMOUNT | MS_RDONLY, nullptr) == 0); }
  std::int64_t files() const { return std::distance(fs::directory_iterator(path_), {}); }

 private:
  std::string path_;
};
