// SPDX-License-Identifier: MIT
// Shared by the programs: checks of their arguments.
#pragma once

#include <CLI/CLI.hpp>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace program {

/// Refuses an option that is given together with another option. \param others for each of these, whether it is given,
/// and its name
inline void exclude(const std::string& option, const std::vector<std::pair<bool, const char*>>& others) {
  for (const auto& [given, other] : others)
    if (given) throw CLI::ExcludesError(option, other);
}

/// An empty text is refused, which CLI11 takes as 0 or as no value.
inline void refuse_empty(CLI::App& app) {
  const CLI::Validator not_empty(
      [](const std::string& text) {
        return std::string(text.empty() ? "the argument is empty, expected a value" : "");
      },
      "");
  for (CLI::Option* const option : app.get_options())
    if (option->get_items_expected_max() > 0) option->check(not_empty);
}

/// Parses a program's arguments when the app has all options. Unknown ones are named, in their order, before CLI11
/// misses a required one. \throws CLI::ParseError
inline void parse(CLI::App& app, int argc, char** argv) {
  refuse_empty(app);
  const auto refuse_unknown = [&] {
    if (app.remaining_size() == 0) return;  // (which does not count "--", as remaining() does)
    std::vector<std::string> unknown = app.remaining();
    std::erase(unknown, "--");
    std::string text =
        unknown.size() == 1 ? "The following argument was not expected:" : "The following arguments were not expected:";
    for (const std::string& argument : unknown) text += ' ' + argument;
    throw CLI::ExtrasError(text, CLI::ExitCodes::ExtrasError);
  };
  try {
    app.parse(argc, argv);
  } catch (const CLI::RequiredError&) {
    refuse_unknown();
    throw;
  } catch (const CLI::ExtrasError&) {
    refuse_unknown();
    throw;
  }
}

/// Turns a size into bytes.
inline CLI::Validator memory_size() {
  return CLI::Validator(
      [](std::string& text) -> std::string {
        constexpr std::uint64_t most = std::uint64_t(1) << 60;
        std::string bytes = text;
        std::uint64_t value = 0;
        try {
          if (CLI::AsSizeValue(false)(bytes).empty() && CLI::detail::lexical_cast(bytes, value) && value > 0 &&
              value <= most) {
            text = bytes;
            return "";
          }
        } catch (const CLI::Error&) {  // an unknown unit
        }
        return "'" + text + "' is not a size of memory, expected a number of bytes above 0, like 500M or 4G";
      },
      "SIZE");
}

}  // namespace program
