// SPDX-License-Identifier: MIT
// Programs called by lines as a user types them, checks of what they say and write, inputs in the homework's format,
// and a small disk.
#pragma once

#include "child.hpp"

#include <doctest/doctest.h>
#include <sched.h>
#include <sys/mount.h>

#include <algorithm>
#include <array>
#include <cstdint>
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

inline std::int64_t lines(const std::string& text) { return std::count(text.begin(), text.end(), '\n'); }

inline bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

/// Where a text contains the first of some parts, which stand between bars: "a|b".
inline std::size_t find_one(const std::string& text, const std::string& parts, std::size_t from = 0) {
  std::size_t found = std::string::npos;
  std::istringstream all(parts);
  for (std::string part; std::getline(all, part, '|');) found = std::min(found, text.find(part, from));
  return found;
}

/// A good call, all that it prints and then writes to files whose names begin with "out", and what ./in holds before.
struct Answer {
  std::string line, out, in = "";
};

/// A bad call, its exit status, parts of its line on stderr ("a|b" is either), and what ./in holds before.
struct Mistake {
  std::string line;
  int status;
  Words parts;
  std::string in = "";
};

/// A good call, parts of what it prints, in their order ("a|b" is either), and the number of its lines.
struct Saying {
  std::string line;
  Words parts;
  std::int64_t count = -1;  ///< not checked if negative
};

/// A program, and a folder for its files. Calls are words between spaces: ./NAME is a file in that folder, @NAME one of
/// tests/data, '' an empty word. Programs on ranks take three, or as many as a call says that begins with "-n RANKS".
class Program {
 public:
  explicit Program(const std::string& path, Words mpiexec = {})
      : name(fs::path(path).filename()), path_(path), mpiexec_(std::move(mpiexec)) {}

  /// The text with ./ and @ written out.
  std::string expand(std::string text) const {
    for (std::size_t at = 0; at < text.size(); ++at) {
      if (at > 0 && text[at - 1] != ' ') continue;
      if (text.compare(at, 2, "./") == 0) text.replace(at, 2, folder / "");
      if (text[at] == '@') text.replace(at, 1, DATA "/");
    }
    return text;
  }

  /// The words of a line.
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

  /// What a call prints that succeeds without a complaint.
  static std::string output(const Result& result) {
    INFO(result.command);
    CHECK(result.status == 0);
    CHECK(result.signal == 0);
    CHECK(result.err == "");
    return result.out;
  }
  std::string printed(const std::string& line) const { return output(call(line)); }

  /// The same, and what it writes to files whose names begin with "out", which are then removed.
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
      INFO(line, "\n./in: ", in.substr(0, 60));
      if (!in.empty()) write("in", in);
      CHECK(answer(line) == out);
    }
  }

  void says(const std::vector<Saying>& rows) const {
    for (const auto& [line, parts, count] : rows) {
      const std::string out = '\n' + printed(line);
      INFO(line, out);
      std::size_t place = 0;
      for (const std::string& part : parts) {
        const std::size_t found = find_one(out, part, place);
        CHECK_MESSAGE(found != std::string::npos, "expected here or later: ", part);
        if (found != std::string::npos) place = found;
      }
      if (count >= 0) CHECK(lines(out) == 1 + count);
    }
  }

  /// Checks a line on stderr, the program's only one, that contains all parts. (mpiexec may add lines of its own.)
  void check_line(const Result& result, const Words& parts) const {
    INFO(result.command, "\n", result.err);
    CHECK(result.out == "");
    std::string own = result.err;
    if (!mpiexec_.empty()) {
      own.clear();
      std::istringstream text(result.err);
      for (std::string line; std::getline(text, line);)
        if (line.starts_with(name + ": ")) own += line + '\n';
    }
    CHECK(lines(own) == 1);
    CHECK(own.starts_with(name + ": "));
    CHECK(own.ends_with('\n'));
    for (const std::string& part : parts)
      CHECK_MESSAGE(find_one(own, expand(part)) != std::string::npos, "expected: ", part);
  }

  /// Checks a call that was refused: its status, and that line.
  void check_refusal(const Result& result, int status, const Words& parts) const {
    INFO(result.command);
    CHECK(result.status == status);
    CHECK(result.signal == 0);
    check_line(result, parts);
  }

  void refuses(const std::vector<Mistake>& rows) const {
    for (const auto& [line, status, parts, in] : rows) {
      INFO(line, "\n./in: ", in.substr(0, 60));
      if (!in.empty()) write("in", in);
      check_refusal(call(line), status, parts);
    }
  }

  std::string read(const std::string& file) const { return read_file(folder / file); }
  void write(const std::string& file, const std::string& bytes) const { write_file(folder / file, bytes); }

  const Folder folder;
  const std::string name;

 private:
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
  std::size_t files() const { return static_cast<std::size_t>(std::distance(fs::directory_iterator(path_), {})); }

 private:
  std::string path_;
};

inline void skip(const std::string& why) { MESSAGE("skipped: ", why); }
