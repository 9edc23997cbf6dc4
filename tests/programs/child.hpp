// SPDX-License-Identifier: MIT
// Child processes and temporary folders, for the tests of the programs.
#pragma once

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <set>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace fs = std::filesystem;

using Words = std::vector<std::string>;

inline Words operator+(Words words, const Words& more) {
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

/// A folder of its own, gone when the test is over.
class Folder {
 public:
  Folder() {
    std::string name = (fs::temp_directory_path() / "blockfw-test-XXXXXX").string();
    if (!mkdtemp(name.data())) throw std::runtime_error("mkdtemp failed");
    path_ = name;
    fs::permissions(path_, fs::perms(0755));
  }
  ~Folder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  std::string operator/(const std::string& name) const { return (path_ / name).string(); }

  std::set<std::string> files() const {
    std::set<std::string> names;
    for (const auto& entry : fs::directory_iterator(path_)) names.insert(entry.path().filename().string());
    return names;
  }

 private:
  fs::path path_;
};

inline std::string read_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

inline void write_file(const std::string& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
}

struct Result {
  int status = -1;  ///< exit status, -1 when killed
  int signal = 0;   ///< the signal that killed it, or 0
  double seconds = 0;
  std::string out, err;
  std::string command;  ///< its words, for messages
};

struct RunOptions {
  bool terminal = false;                            ///< stderr is a terminal
  std::function<bool(double seconds)> kill_when{};  ///< called repeatedly while the program runs
  int signal = SIGKILL;                             ///< sent when kill_when() is true
  double patience = 300;                            ///< seconds until the program is killed
};

inline auto after(double seconds) {
  return [seconds](double elapsed) { return elapsed > seconds; };
}

/// Runs a program to its end.
inline Result run(const Words& command, const RunOptions& options = {}) {
  using Clock = std::chrono::steady_clock;
  const Folder folder;
  const std::string out = folder / "out", err = folder / "err";
  const int flags = O_WRONLY | O_CREAT;
  int terminal = -1;
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, out.c_str(), flags, 0600);
  if (options.terminal) {
    terminal = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC | O_NONBLOCK);
    if (terminal < 0 || grantpt(terminal) != 0 || unlockpt(terminal) != 0) throw std::runtime_error("no terminal");
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, ptsname(terminal), O_RDWR | O_NOCTTY, 0);
  } else {
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, err.c_str(), flags, 0600);
  }

  std::vector<char*> arguments;
  for (const std::string& argument : command) arguments.push_back(const_cast<char*>(argument.c_str()));
  arguments.push_back(nullptr);
  pid_t child = 0;
  const auto start = Clock::now();
  const auto elapsed = [&] { return std::chrono::duration<double>(Clock::now() - start).count(); };
  if (posix_spawnp(&child, arguments[0], &actions, nullptr, arguments.data(), environ) != 0)
    throw std::runtime_error("cannot start " + command[0]);
  posix_spawn_file_actions_destroy(&actions);

  Result result;
  for (const std::string& word : command) result.command += word + ' ';
  const auto drain = [&] {
    char text[4096];
    for (ssize_t got; terminal >= 0 && (got = ::read(terminal, text, sizeof text)) > 0;)
      result.err.append(text, static_cast<std::size_t>(got));
  };
  int wait_status = 0;
  for (bool killed = false; waitpid(child, &wait_status, WNOHANG) == 0;) {
    drain();
    if (!killed && options.kill_when && options.kill_when(elapsed())) {
      ::kill(child, options.signal);
      killed = true;
    }
    if (elapsed() > options.patience) ::kill(child, SIGKILL);
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  result.seconds = elapsed();
  drain();
  if (terminal >= 0) ::close(terminal);
  if (WIFEXITED(wait_status)) result.status = WEXITSTATUS(wait_status);
  if (WIFSIGNALED(wait_status)) result.signal = WTERMSIG(wait_status);
  result.out = read_file(out);
  if (!options.terminal) result.err = read_file(err);
  return result;
}
