// SPDX-License-Identifier: MIT
// The arguments of apsp and apsp-mpi.
#pragma once

#include <blockfw/solve.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace apsp {

/// Questions about many vertices, which a network answers. Lists of vertices are names of files; empty: none is given.
struct NetworkArguments {
  std::string from, to, nearest;
  std::string second;          ///< the name of a graph's file
  std::string within;          ///< a number, the limit
  std::string order = "auto";  ///< of elimination
  std::int64_t count = 0;      ///< nearest places of each vertex; 0: not given, one
  bool pairs = false, measures = false;

  /// Whether one is asked.
  bool asked() const { return measures || pairs || !(from + to + nearest + within + second).empty(); }
};

struct Arguments {
  std::string input, output, type = "auto";
  std::optional<std::int64_t> from, to;
  NetworkArguments network;
  std::string semiring = "min-plus", method = "auto";
  bool paths = false, measures_only = false, by_rows = false, undirected = false, unweighted = false,
       strict_cycles = false, stats = false;
  int devices = 0;           ///< 0: the default instance
  std::uint64_t memory = 0;  ///< bytes to solve in, out of core; 0: all in memory

  /// Whether the distances from or to a vertex are wanted.
  bool asked() const { return (from || to) && !network.asked(); }
  /// Whether only the distances to a vertex are asked for.
  bool only_to() const { return to && !from; }
  /// The vertex that they are from, or to, as the file names it.
  std::int64_t asked_of() const { return from ? *from : *to; }
  /// The files to read.
  std::vector<std::string> inputs() const { return {input, network.from, network.to, network.nearest, network.second}; }
  /// Whether a file is to be written: the matrix of all distances, or a network's answers.
  bool writes() const { return !output.empty(); }
  /// (Out of core there is no elimination.)
  blockfw::Method chosen() const {
    return method == "dense" || memory > 0 ? blockfw::Method::dense
           : method == "sparse"            ? blockfw::Method::sparse
                                           : blockfw::Method::automatic;
  }
};

/// The program that was called.
struct Program {
  const char* name;    ///< as it stands in errors
  bool ranks = false;  ///< whether it runs on ranks of MPI, and not on devices or out of core
  bool speaks = true;  ///< whether this process prints for all
};

/// Marks an error of the arguments that is found after they were parsed: the exit status is 2.
struct WrongArgument {
  virtual ~WrongArgument() = default;
};

/// \tparam Error  of the library
template <class Error>
struct ErrorOfArguments : Error, WrongArgument {
  explicit ErrorOfArguments(const std::string& what) : Error(what) {}
};

/// f(), whose errors of this type are errors of the arguments.
template <class Error, class F>
decltype(auto) with_arguments(const F& f) {
  try {
    return f();
  } catch (const Error& error) {
    throw ErrorOfArguments<Error>(error.what());
  }
}

/// Adds the program's options and its help. \param arguments  must outlive the app
void add_options(CLI::App& app, const Program& program, Arguments& arguments);

/// \brief Parses and checks the arguments; prints the error in them, the help or the version.
/// \return the exit status if the program is to end now
std::optional<int> parse(int argc, char** argv, const Program& program, Arguments& arguments);

}  // namespace apsp
