// SPDX-License-Identifier: MIT
// Prints the manual page of apsp or apsp-mpi, made of their help.
//
//   apsp_man_page apsp|apsp-mpi

#include "arguments.hpp"

#include <CLI/CLI.hpp>
#include <blockfw/ground/version.hpp>

#include <cctype>
#include <cstdio>
#include <cstring>
#include <sstream>
#include <string>

namespace {

/// A text as roff takes it: hyphens as they are typed, and no command.
std::string plain(const std::string& text) {
  std::string roff = text.starts_with('.') || text.starts_with('\'') ? "\\&" : "";
  for (const char c : text) roff += c == '\\' ? "\\e" : c == '-' ? "\\-" : std::string(1, c);
  return roff;
}

std::string capitals(std::string text) {
  for (char& c : text) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return text;
}

void put_section(std::ostream& page, const std::string& title) { page << ".SH \"" << capitals(title) << "\"\n"; }

void put_option(std::ostream& page, const CLI::Option* option, bool positional) {
  const CLI::Formatter help;
  page << ".TP\n\\fB" << plain(help.make_option_name(option, positional)) << "\\fR"
       << plain(help.make_option_opts(option)) << '\n'
       << plain(help.make_option_desc(option)) << '\n';
}

std::string page_of(const CLI::App& app, const std::string& name) {
  std::ostringstream page;
  page << ".TH \"" << capitals(name) << "\" 1 \"\" \"blockfw " << BLOCKFW_VERSION_MAJOR << '.' << BLOCKFW_VERSION_MINOR
       << '.' << BLOCKFW_VERSION_PATCH << "\"\n";
  put_section(page, "Name");
  page << plain(name) << " \\- " << plain(app.get_description()) << '\n';
  put_section(page, "Synopsis");
  const auto arguments = app.get_options([](const CLI::Option* option) { return option->get_positional(); });
  page << "\\fB" << plain(name) << "\\fR";
  for (const CLI::Option* const argument : arguments) page << ' ' << plain(argument->get_name(true));
  page << " [OPTION]...\n";
  put_section(page, "Arguments");
  for (const CLI::Option* const argument : arguments) put_option(page, argument, true);
  for (const std::string& group : app.get_groups()) {
    put_section(page, group);
    for (const CLI::Option* const option :
         app.get_options([&](const CLI::Option* of) { return of->get_group() == group && of->nonpositional(); }))
      put_option(page, option, false);
  }
  const std::string status = app.get_footer();  // "Exit status: ..."
  const std::size_t colon = status.find(": ");
  put_section(page, status.substr(0, colon));
  page << plain(status.substr(colon + 2)) << '\n';
  return page.str();
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2 || (std::strcmp(argv[1], "apsp") != 0 && std::strcmp(argv[1], "apsp-mpi") != 0)) {
    std::fprintf(stderr, "usage: apsp_man_page apsp|apsp-mpi\n");
    return 2;
  }
  CLI::App app;
  apsp::Arguments arguments;
  apsp::add_options(app, {.name = argv[1], .ranks = std::strcmp(argv[1], "apsp-mpi") == 0}, arguments);
  std::fputs(page_of(app, argv[1]).c_str(), stdout);
  return std::fflush(stdout) == 0 ? 0 : 1;
}
