// SPDX-License-Identifier: MIT
// The options of questions about many vertices, which a network answers.
#pragma once

#include "arguments.hpp"

#include <CLI/CLI.hpp>

namespace apsp {

/// Adds --from and --to: a vertex, or a file that lists vertices.
void add_ends(CLI::App& app, Arguments& arguments);

/// Adds the other options of a network.
void add_network_options(CLI::App& app, const Program& program, NetworkArguments& arguments);

/// \throws CLI::ParseError for options that do not go together, or with options of solves
void check_network(const Arguments& arguments);

}  // namespace apsp
