// SPDX-License-Identifier: MIT
#include "reading.hpp"

#include "input.hpp"

#include <blockfw/detail/io/text_scanner.hpp>

#include <filesystem>
#include <string>
#include <system_error>

namespace {

constexpr const char *list_or_vertex = "neither a vertex nor a file with a line for each",
                     *list = "no file, expected one with a line for each place",
                     *graph_file = "no file, expected one with the same edges";

using WrongVertex = apsp::ErrorOfArguments<blockfw::FileError>;

/// The file that an option names; none if it names none. \tparam Missing  the error if there is no such file
template <class Missing>
std::optional<blockfw::io::InputFile> file_of(const std::string& option, const std::string& name,
                                              const std::string& expected) {
  if (name.empty()) return {};
  if (std::error_code unknown; !std::filesystem::exists(name, unknown) && !unknown)
    throw Missing(option + " is '" + name + "', which is " + expected);
  return program::input_of(name);
}

}  // namespace

void apsp::require_vertex(const char* option, std::int64_t vertex, const VertexNumbers& numbers) {
  if (vertex < numbers.first || vertex >= numbers.first + numbers.count)
    throw ErrorOfArguments<blockfw::InvalidInput>(option + (" is " + digits(vertex)) + ", expected a vertex from " +
                                                  digits(numbers.first) + " to " +
                                                  digits(numbers.first + numbers.count - 1));
}

std::vector<std::int64_t> apsp::read_vertices(const blockfw::io::InputFile& file, const VertexNumbers& numbers) {
  blockfw::io::detail::TextScanner in(file, "list of vertices");
  std::vector<std::int64_t> vertices;
  while (in.next_line("#")) {
    vertices.push_back(in.whole_number(numbers.first, numbers.first + numbers.count - 1, "a vertex"));
    if (!in.at("#")) in.end_line();
  }
  return vertices;
}

apsp::OtherFiles::OtherFiles(const NetworkArguments& arguments)
    : from(file_of<WrongVertex>("--from", arguments.from, list_or_vertex)),
      to(file_of<WrongVertex>("--to", arguments.to, list_or_vertex)),
      nearest(file_of<blockfw::FileError>("--nearest", arguments.nearest, list)),
      second(file_of<blockfw::FileError>("--second", arguments.second, graph_file)) {}

APSP_TYPES(APSP_READING, )
