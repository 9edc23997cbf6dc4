// SPDX-License-Identifier: MIT
// Graphs read from files of every format, distances written to them, and the errors for bad files.
#include "folder.hpp"
#include "graphs.hpp"

#include "blockfw/io/distances.hpp"
#include "blockfw/io/graph_file.hpp"

#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>
#include <thread>

namespace {

namespace fs = std::filesystem;
using blockfw::Direction;
using blockfw::FileError;
using blockfw::io::Format;
using blockfw::io::InputFile;
using blockfw::io::read_graph;
using blockfw::io::suffices;

constexpr double inf = std::numeric_limits<double>::infinity();

template <class T>
std::string bytes_of(const std::vector<T>& values) {
  return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)};
}

/// A graph as text: "n directed: from>to=weight ...".
template <class W>
std::string text_of(const blockfw::io::Graph<W>& graph) {
  std::ostringstream text;
  text << graph.vertices << (graph.direction == Direction::directed ? " directed:" : " undirected:");
  for (const auto& e : graph.edges) text << ' ' << e.from << '>' << e.to << '=' << e.weight;
  return text.str();
}

template <class W = std::int32_t>
std::string read(const std::string& bytes) {
  return text_of(read_graph<W>(InputFile("file", bytes)));
}

template <class W = std::int32_t>
void refuses(const std::string& bytes, const std::string& message) {
  CAPTURE(message);
  CHECK_THROWS_WITH_AS(read_graph<W>(InputFile("file", bytes)), ("file: " + message).c_str(), FileError);
}

/// Checks that the survey of a file agrees with the graph of read_graph(), and that it finds the narrowest type.
void surveys(const std::string& bytes, const char* narrowest) {
  const auto survey = blockfw::io::survey(InputFile("file", bytes));
  const auto graph = read_graph<double>(InputFile("file", bytes));
  CHECK(survey.vertices == graph.vertices);
  CHECK(survey.edges == static_cast<std::int64_t>(graph.edges.size()));
  CHECK(survey.direction == graph.direction);
  CHECK(survey.first_vertex == graph.first_vertex);
  CHECK(std::string(suffices<std::int32_t>(survey)   ? "int32"
                    : suffices<std::int64_t>(survey) ? "int64"
                                                     : "double") == narrowest);
}

/// A .npy as NumPy writes it, with this dictionary.
std::string npy(const std::string& dictionary, const std::string& data, int version = 1) {
  std::string bytes = "\x93NUMPY";
  bytes += {static_cast<char>(version), 0};
  const std::size_t before = bytes.size() + (version == 1 ? 2 : 4);
  std::string header = dictionary;
  header.append(63 - (before + header.size()) % 64, ' ');
  header += '\n';
  const auto length = static_cast<std::uint32_t>(header.size());
  bytes.append(reinterpret_cast<const char*>(&length), version == 1 ? 2 : 4);
  return bytes + header + data;
}

std::string dictionary(const std::string& type, int n, bool columns_first = false) {
  return "{'descr': '" + type + "', 'fortran_order': " + (columns_first ? "True" : "False") + ", 'shape': (" +
         std::to_string(n) + ", " + std::to_string(n) + "), }";
}

template <class T>
std::string npy(const std::string& type, const std::vector<T>& entries, int n, bool columns_first = false) {
  return npy(dictionary(type, n, columns_first), bytes_of(entries));
}

const std::string banner = "%%MatrixMarket matrix ";

}  // namespace

TEST_CASE("DIMACS") {
  CHECK(read("c a comment\nc\n\np sp 3 4\na 1 2 5\nc another\na 2 3 -7\na 3 3 0\na 1 2 4\n") ==
        "3 directed: 0>1=5 1>2=-7 2>2=0 0>1=4");
  CHECK(read("p sp 3 1\r\na 3 1 2147483647\r\n") == "3 directed: 2>0=2147483647");
  CHECK(read("  p\tsp  3 1 \n\ta  3 1 5 ") == "3 directed: 2>0=5");  // (the text has no newline at the end)
  CHECK(read("p sp 7 0") == "7 directed:");
  CHECK(read("p sp 0 0\n") == "0 directed:");
  CHECK(read("p sp 2 2\na 1 2 inf\na 2 1 3\n") == "2 directed: 1>0=3");
  CHECK(read<double>("p sp 2 1\na 1 2 0.25\n") == "2 directed: 0>1=0.25");
  CHECK(read_graph<int>(InputFile("file", "p sp 2 1\na 1 2 3\n")).first_vertex == 1);
  CHECK(text_of(blockfw::io::read_dimacs<int>(InputFile("file", "p sp 2 1\na 1 2 3"))) == "2 directed: 0>1=3");

  const std::string place = "DIMACS, line ";
  refuses("c nothing\n", place + "2, column 1: found the end of the file, expected a line 'p sp VERTICES ARCS'");
  refuses("a 1 2 3\n", place + "1, column 1: found 'a', expected a line 'p sp VERTICES ARCS'");
  refuses("p max 3 4\n", place + "1, column 3: found 'max', expected a line 'p sp VERTICES ARCS'");
  refuses("p sp 3\n", place + "1, column 7: found the end of the line, expected a number of arcs, 0 or more");
  refuses("p sp 3000000000 4\n",
          place + "1, column 6: found '3000000000', expected a number of vertices from 0 to 2147483647");
  refuses("p sp -1 4\n", place + "1, column 6: found '-1', expected a number of vertices from 0 to 2147483647");
  refuses("p sp 3 -4\n", place + "1, column 8: found '-4', expected a number of arcs, 0 or more");
  refuses("p sp 3 99999999999999999999\n",
          place + "1, column 8: found '99999999999999999999', expected a number of arcs, 0 or more");
  refuses("p sp 0 1\n", place + "1, column 8: found '1', expected a number of arcs, 0");
  refuses("p sp 3 1 9\n", place + "1, column 10: found '9', expected the end of the line");
  refuses("p sp 3 1\np sp 3 1\n", place + "2, column 1: found 'p', expected a line 'a FROM TO LENGTH'");
  refuses("p sp 3 1\ne 1 2\n", place + "2, column 1: found 'e', expected a line 'a FROM TO LENGTH'");
  refuses("p sp 3 1\na 0 2 1\n", place + "2, column 3: found '0', expected a vertex from 1 to 3");
  refuses("p sp 3 1\na 1 4 1\n", place + "2, column 5: found '4', expected a vertex from 1 to 3");
  refuses("p sp 3 1\na 1.5 3 1\n", place + "2, column 3: found '1.5', expected a vertex from 1 to 3");
  refuses("p sp 3 1\na one 3 1\n", place + "2, column 3: found 'one', expected a vertex from 1 to 3");
  refuses("p sp 3 1\na 1 2\n", place + "2, column 6: found the end of the line, expected a number");
  refuses("p sp 3 1\na 1 2", place + "2, column 6: found the end of the file, expected a number");
  refuses("p sp 3 1\na 1 2 3 4\n", place + "2, column 9: found '4', expected the end of the line");
  refuses("p sp 3 2\na 1 2 3\n", place + "3, column 1: found the end of the file, expected 2 arcs instead of 1");
  refuses("p sp 3 9223372036854775807\n",
          place + "2, column 1: found the end of the file, expected 9223372036854775807 arcs instead of 0");
  refuses("p sp 3 1\na 1 2 3\na 1 3 3\n", place + "3, column 1: found 'a', expected the end of the file after 1 arcs");
}

TEST_CASE("weights that a type cannot hold") {
  const auto arc = [](const std::string& weight) { return "p sp 2 1\na 1 2 " + weight + "\n"; };
  const std::string place = "DIMACS, line 2, column 7: found '";
  refuses(arc("0.5"), place + "0.5', which int32 cannot hold; use double");
  refuses(arc("2147483648"), place + "2147483648', which int32 cannot hold; use int64 or double");
  refuses(arc("1e300"), place + "1e300', which int32 cannot hold; use double");
  refuses(arc("9223372036854775808"), place + "9223372036854775808', which int32 cannot hold; use double");
  refuses<std::int64_t>(arc("9223372036854775808"),
                        place + "9223372036854775808', which int64 cannot hold; use double");
  refuses<std::int64_t>(arc("-1e19"), place + "-1e19', which int64 cannot hold; use double");
  refuses<float>(arc("1e39"), place + "1e39', which float cannot hold; use double");
  refuses<float>(arc("1e-60"), place + "1e-60', which float cannot hold; use double");
  refuses<double>(arc("1e999"), place + "1e999', which double cannot hold");
  refuses<std::int32_t>(arc("1e999"), place + "1e999', which int32 cannot hold; use double");
  for (const std::string word :
       {"nan", "-inf", "-nan", "NaN", "5x", "0x5", "--5", "+-5", "+", "-", "1e", "1,5", "1_0"}) {
    refuses(arc(word), place + word + "', expected a number");
    refuses<float>(arc(word), place + word + "', expected a number");
    refuses<double>(arc(word), place + word + "', expected a number");
    CHECK_THROWS_AS(blockfw::io::survey(InputFile("file", arc(word))), FileError);
  }
  CHECK(read(arc("+7")) == "2 directed: 0>1=7");
  CHECK(read(arc("7.0")) == "2 directed: 0>1=7");
  CHECK(read(arc("1e3")) == "2 directed: 0>1=1000");
  CHECK(read(arc("-2147483648")) == "2 directed: 0>1=-2147483648");
  CHECK(read(arc("Infinity")) == "2 directed:");
  CHECK(read<std::int64_t>(arc("-9223372036854775808")) == "2 directed: 0>1=-9223372036854775808");
  CHECK(read<std::int64_t>(arc("9223372036854775807")) == "2 directed: 0>1=9223372036854775807");
  CHECK(read<float>(arc("+1e3")) == "2 directed: 0>1=1000");
}

TEST_CASE("whole numbers: exact, or refused") {
  const auto arc = [](const std::string& weight) { return "p sp 2 1\na 1 2 " + weight + "\n"; };
  const auto exact = [&]<class W>(W weight, const std::string& word) {
    CAPTURE(word);
    const auto graph = read_graph<W>(InputFile("file", arc(word)));
    REQUIRE(graph.edges.size() == 1);
    CHECK(graph.edges[0].weight == weight);
  };
  constexpr std::int64_t two_62 = std::int64_t(1) << 62, two_53 = std::int64_t(1) << 53;
  for (std::int64_t near = -1; near <= 1; ++near) {
    exact(two_62 + near, std::to_string(two_62 + near));
    exact(-two_62 + near, std::to_string(-two_62 + near));
    exact(two_53 + near, std::to_string(two_53 + near) + ".0");
    exact(two_53 + near, std::to_string(two_53 + near) + "00e-2");
  }
  exact(std::numeric_limits<std::int64_t>::max(), "9223372036854775.807e3");
  exact(std::numeric_limits<std::int64_t>::max(), "+9223372036854775807");
  exact(std::numeric_limits<std::int64_t>::min(), "-9.223372036854775808E+18");
  exact(std::int64_t(1'000'000'000'000'000'000), "0.1e19");
  exact(std::int64_t(0), "0e50");
  exact(0x1p53, "9007199254740992");
  exact(0x1p53 + 2, "9007199254740994");
  exact(0x1p53, "9007199254740993.0");  // a real number
  exact(0x1p62, "4611686018427387904");
  exact(0x1p63, "9223372036854775808");
  exact(-0x1p63, "-9223372036854775808");
  exact(1e20, "00100000000000000000000");
  exact(0x1p24f, "16777216");
  exact(0x1p62f, "4611686018427387904");

  const std::string place = "DIMACS, line 2, column 7: found '";
  refuses<std::int64_t>(arc("-9223372036854775809"),
                        place + "-9223372036854775809', which int64 cannot hold; use double");
  refuses<std::int64_t>(arc("9007199254740993.5"), place + "9007199254740993.5', which int64 cannot hold; use double");
  for (const std::string word : {"4503599627370497.25", "1.00000000000000000001", "-2.0000000000000000001e0"}) {
    refuses<std::int64_t>(
        arc(word), place + blockfw::io::detail::in_quotes(word).substr(1) + ", which int64 cannot hold; use double");
    CHECK_FALSE(blockfw::io::survey(InputFile("file", arc(word))).whole);
  }
  refuses<double>(arc("9007199254740993"), place + "9007199254740993', which double cannot hold exactly; use int64");
  refuses<double>(arc("4611686018427387903"), place + "4611686018427387903', which double cannot hold exactly");
  refuses<double>(arc("9223372036854775809"), place + "9223372036854775809', which double cannot hold exactly");
  refuses<double>(arc("-9223372036854775809"), place + "-9223372036854775809', which double cannot hold exactly");
  refuses<double>(arc("99999999999999999999"), place + "99999999999999999999', which double cannot hold exactly");
  refuses<float>(arc("16777217"), place + "16777217', which float cannot hold exactly; use int64 or double");
  refuses<double>(npy<std::int64_t>("<i8", {0, two_53 + 1, 1, 0}, 2),
                  ".npy, row 0, column 1: found 9007199254740993, which double cannot hold exactly; use int64");
  refuses<float>(npy<std::int32_t>("<i4", {0, 16777217, 1, 0}, 2),
                 ".npy, row 0, column 1: found 16777217, which float cannot hold exactly; use int64 or double");
  refuses<float>(bytes_of(std::vector<std::int32_t>{2, 1, 0, 1, 16777217}),
                 "homework, byte 8: found weight 16777217, which float cannot hold exactly; use int64 or double");

  // Graphs that are written are read again.
  std::mt19937_64 random(11);
  const auto again = [&]<class W>(W weight) {
    std::string word;
    blockfw::io::detail::append_number(word, weight);
    exact(weight, word);
  };
  for (int round = 0; round < 2000; ++round) {
    const double x = std::ldexp(static_cast<double>(random()), static_cast<int>(random() % 30) - 10);
    again(x);
    again(-x);
    again(static_cast<float>(x));
    again(static_cast<std::int64_t>(random() >> 2) - 2);
  }

  // The survey tells whole numbers from others.
  const auto whole = [&](const std::string& word) { return blockfw::io::survey(InputFile("file", arc(word))).whole; };
  CHECK(whole("4611686018427387903"));
  CHECK(whole("4.611686018427387903e18"));
  CHECK_FALSE(whole("9007199254740993.5"));
  CHECK_FALSE(whole("9223372036854775808"));
  CHECK_FALSE(whole("100000000000000000000"));
  CHECK_THROWS_WITH_AS(whole("-9223372036854775809"),
                       ("file: " + place + "-9223372036854775809', which double cannot hold exactly").c_str(),
                       FileError);
  const auto fits = [&]<class W>(W, const std::string& word) {
    return suffices<W>(blockfw::io::survey(InputFile("file", arc(word))));
  };
  CHECK(fits(float(), "16777216"));
  CHECK_FALSE(fits(float(), "16777217"));
  CHECK(fits(double(), "9007199254740994"));
  CHECK_FALSE(fits(double(), "9007199254740993"));
  CHECK_FALSE(fits(double(), "4611686018427387903"));
}

TEST_CASE("errors: long and illegible words in them") {
  refuses("p sp 3 1\na 1 2 123456789012345678901234567890x\n",
          "DIMACS, line 2, column 7: found '123456789012345678901234...', expected a number");
  refuses("1 2 \xc3\xa9\x7f\n", "edge list, line 1, column 5: found '\\xc3\\xa9\\x7f', expected a number");
}

TEST_CASE("survey(): the narrowest type that holds the distances") {
  const auto arcs = [](const std::string& weight, const std::string& other = "1", const std::string& n = "3") {
    return "p sp " + n + " 2\na 1 2 " + weight + "\na 2 3 " + other + "\n";
  };
  surveys(arcs("7"), "int32");
  surveys(arcs("-7"), "int32");
  surveys(arcs("7.0"), "int32");
  surveys(arcs("inf"), "int32");
  surveys(arcs("0.5"), "double");
  surveys(arcs("7", "0.5"), "double");
  surveys(arcs("1e100"), "double");
  surveys(arcs("100000000000000000000"), "double");
  // The sum of both weights decides: int32 suffices for a sum below 1073741823.
  surveys(arcs("536870911", "536870911"), "int32");
  surveys(arcs("536870912", "536870910"), "int32");
  surveys(arcs("536870912", "536870911"), "int64");
  surveys(arcs("1073741821"), "int32");
  surveys(arcs("1073741822"), "int64");
  surveys(arcs("-536870912"), "int64");
  surveys(arcs("3000000000"), "int64");
  surveys(arcs("4611686018427387904"), "double");
  surveys("p sp 2 1\na 1 1 4611686018427387904\n", "double");
  surveys("p sp 9 0\n", "int32");
}

TEST_CASE("Matrix Market, coordinates") {
  CHECK(read(banner + "coordinate integer general\n% a comment\n\n3 3 3\n1 2 5\n% another\n3 1 -2\n\n2 2 0\n") ==
        "3 directed: 0>1=5 2>0=-2 1>1=0");
  CHECK(read<double>(banner + "coordinate real symmetric\n3 3 2\n2 1 0.5\n3 2 1e2") == "3 undirected: 1>0=0.5 2>1=100");
  CHECK(read(banner + "coordinate pattern general\r\n2 2 1\r\n1 2\r\n") == "2 directed: 0>1=1");
  CHECK(read("%%matrixmarket MATRIX Coordinate Real General\n2 2 1\n1 2 3.0\n") == "2 directed: 0>1=3");
  CHECK(read(banner + "coordinate integer general\n0 0 0\n") == "0 directed:");
  CHECK(read<float>(banner + "coordinate real general\n2 2 2\n1 2 inf\n2 1 1.5\n") == "2 directed: 1>0=1.5");
  surveys(banner + "coordinate real symmetric\n3 3 2\n2 1 0.5\n3 2 1e2", "double");
  CHECK(text_of(blockfw::io::read_matrix_market<int>(
            InputFile("file", banner + "coordinate pattern general\n2 2 1\n1 2"))) == "2 directed: 0>1=1");
  CHECK_THROWS_WITH_AS(blockfw::io::read_matrix_market<int>(InputFile("file", "1 2\n")),
                       "file: Matrix Market, line 1, column 1: found '1', expected '%%MatrixMarket'", FileError);
  CHECK_THROWS_WITH_AS(blockfw::io::read_matrix_market<int>(InputFile("file", "")),
                       "file: Matrix Market, line 1, column 1: found the end of the file, expected '%%MatrixMarket'",
                       FileError);

  const std::string place = "Matrix Market, line ";
  refuses("%%MatrixMarket vector array real general\n", place + "1, column 16: found 'vector', expected 'matrix'");
  refuses(banner + "list real general\n", place + "1, column 23: found 'list', expected 'coordinate' or 'array'");
  refuses(banner + "coordinate complex general\n",
          place + "1, column 34: found 'complex', expected 'real', 'integer', 'unsigned-integer' or 'pattern'");
  refuses(banner + "array pattern general\n",
          place + "1, column 29: found 'pattern', expected 'real', 'integer' or 'unsigned-integer'");
  refuses(banner + "coordinate real hermitian\n",
          place + "1, column 39: found 'hermitian', expected 'general', 'symmetric' or 'skew-symmetric'");
  for (const std::string field : {"pattern", "unsigned-integer"})
    refuses(banner + "coordinate " + field + " skew-symmetric\n",
            place + "1, column " + std::to_string(35 + field.size()) +
                ": found 'skew-symmetric', expected 'general' or 'symmetric'");
  refuses(banner + "coordinate real general now\n", place + "1, column 47: found 'now', expected the end of the line");
  const std::string head = banner + "coordinate integer general\n";
  refuses(head, place + "2, column 1: found the end of the file, expected a line with the size of the matrix");
  refuses(head + "% 3 3 1\n",
          place + "3, column 1: found the end of the file, expected a line with the size of the matrix");
  refuses(head + "3 4 1\n", place + "2, column 3: found '4', expected as many columns as rows, 3");
  refuses(head + "3 3\n", place + "2, column 4: found the end of the line, expected a number of entries, 0 or more");
  refuses(head + "2147483648 3 1\n",
          place + "2, column 1: found '2147483648', expected a number of rows from 0 to 2147483647");
  refuses(head + "3 3 1 1\n", place + "2, column 7: found '1', expected the end of the line");
  refuses(head + "0 0 1\n", place + "2, column 5: found '1', expected a number of entries, 0");
  refuses(head + "3 3 1\n4 1 1\n", place + "3, column 1: found '4', expected a row from 1 to 3");
  refuses(head + "3 3 1\n1 0 1\n", place + "3, column 3: found '0', expected a column from 1 to 3");
  refuses(head + "3 3 1\n1 2\n", place + "3, column 4: found the end of the line, expected a number");
  refuses(head + "3 3 1\n1 2 3 4\n", place + "3, column 7: found '4', expected the end of the line");
  refuses(head + "3 3 2\n1 2 3\n", place + "4, column 1: found the end of the file, expected 2 entries instead of 1");
  refuses(head + "3 3 1\n1 2 3\n2 1 3\n",
          place + "4, column 1: found '2', expected the end of the file after 1 entries");
  refuses(banner + "coordinate pattern general\n3 3 1\n1 2 3\n",
          place + "3, column 5: found '3', expected the end of the line");
}

TEST_CASE("Matrix Market, with one %, other fields and symmetries") {
  const char* const pair = "3 undirected: 1>0=1 2>1=1";
  for (const std::string mark : {"%", "%%", "% ", "%% "})
    CHECK(read(mark + "MatrixMarket matrix coordinate pattern symmetric\n3 3 2\n2 1\n3 2\n") == pair);
  CHECK(read(banner + "coordinate unsigned-integer general\n2 2 1\n1 2 7\n") == "2 directed: 0>1=7");
  CHECK(read(banner + "array unsigned-integer symmetric\n2 2\n0\n7\n0\n") == "2 undirected: 1>0=7");
  surveys(banner + "coordinate unsigned-integer general\n2 2 1\n1 2 4294967295\n", "int64");
  const std::string skew = banner + "coordinate integer skew-symmetric\n3 3 ", place = "Matrix Market, line ";
  CHECK(read(skew + "2\n2 1 7\n3 1 -2\n") == "3 directed: 1>0=7 0>1=-7 2>0=-2 0>2=2");
  CHECK(read(skew + "2\n2 1 7\n1 1 0\n") == "3 directed: 1>0=7 0>1=-7 0>0=0");
  CHECK(read<double>(banner + "coordinate real skew-symmetric\n2 2 1\n2 1 0.5\n") == "2 directed: 1>0=0.5 0>1=-0.5");
  CHECK(read(banner + "array integer skew-symmetric\n3 3\n1\n0\n-3\n") == "3 directed: 1>0=1 0>1=-1 2>1=-3 1>2=3");
  surveys(skew + "1\n2 1 -7\n", "int32");
  surveys(skew + "1\n2 1 -9223372036854775808\n", "double");

  refuses("% a comment\n" + banner + "coordinate pattern general\n2 2 1\n1 2\n",
          place + "1, column 3: found 'a', expected '%%MatrixMarket'");
  refuses(banner + "coordinate unsigned-integer general\n2 2 1\n1 2 -7\n",
          place + "3, column 5: found '-7', expected a whole number, 0 or more");
  refuses(skew + "1\n2 2 7\n", place + "3, column 5: found '7', expected 0 on the diagonal of a skew-symmetric matrix");
  const std::string negative =
      "expected a finite number whose negative is of the same type (the matrix is skew-symmetric)";
  refuses(skew + "1\n2 1 inf\n", place + "3, column 5: found 'inf', " + negative);
  refuses(skew + "1\n2 1 -2147483648\n", place + "3, column 5: found '-2147483648', " + negative);
  refuses(banner + "array integer skew-symmetric\n2 2\n1\n2\n",
          place + "4, column 1: found '2', expected the end of the file after 1 entries");
}

TEST_CASE("Matrix Market, arrays") {
  // Entries come column by column; an integer 0 is no edge.
  CHECK(read(banner + "array integer general\n2 2\n0\n7\n0\n0\n") == "2 directed: 1>0=7");
  CHECK(read(banner + "array integer symmetric\n3 3\n0\n1\n2\n-1\n3\n0\n") == "3 undirected: 1>0=1 2>0=2 1>1=-1 2>1=3");
  CHECK(read<double>(banner + "array real general\n2 2\n0\ninf\n0\n0\n") == "2 directed: 0>1=0");
  CHECK(read<double>(banner + "array real general\n2 2\n0\n1.5\n2.5\n0\n") == "2 directed: 1>0=1.5 0>1=2.5");
  CHECK(read(banner + "array integer general\n0 0\n") == "0 directed:");
  surveys(banner + "array real general\n2 2\n0\n1.5\n2.5\n0\n", "double");

  const std::string head = banner + "array real general\n", place = "Matrix Market, line ";
  refuses<double>(
      head + "2 2\n0\n0\n1\n0\n",
      "Matrix Market, row 2, column 1: found 0 among real numbers without any inf, expected inf where there "
      "is no edge (if 0 is a length, make the diagonal inf)");
  refuses(head + "2 3\n", place + "2, column 3: found '3', expected as many columns as rows, 2");
  refuses(head + "2 2 4\n", place + "2, column 5: found '4', expected the end of the line");
  refuses(head + "2 2\n0\n1\n", place + "5, column 1: found the end of the file, expected 4 entries instead of 2");
  refuses(head + "2 2\n0\n1\n1\n0\n0\n",
          place + "7, column 1: found '0', expected the end of the file after 4 entries");
  refuses(head + "2 2\n0 1\n1 0\n", place + "3, column 3: found '1', expected the end of the line");
  refuses(banner + "array real symmetric\n2147483647 2147483647\n0\n",
          place + "4, column 1: found the end of the file, expected 2305843008139952128 entries instead of 1");
}

TEST_CASE("KONECT") {
  CHECK(read("% sym weighted\n% 2 3 3\n1 2 5\n2 3 4 1082008561\n") == "3 undirected: 0>1=5 1>2=4");
  CHECK(read("% asym positive\n% from to times\n1 2 5 99\n2 3\n") == "3 directed: 0>1=1 1>2=1");
  CHECK(read("%% sym unweighted\n1\t2\n") == "2 undirected: 0>1=1");
  CHECK(read("% asym signed\n% 1 9 9\n1 2 -1\n") == "9 directed: 0>1=-1");
  CHECK(read_graph<int>(InputFile("file", "% sym unweighted\n1 2\n")).first_vertex == 1);
  CHECK(text_of(blockfw::io::read_konect<int>(InputFile("file", "% sym unweighted\n1 2"))) == "2 undirected: 0>1=1");
  surveys("% sym multiweighted\n1 2 2.5\n1 2 3\n", "double");

  const std::string place = "KONECT, line ";
  refuses(
      "% bip weighted\n1 2 3\n",
      place +
          "1, column 3: found 'bip', expected 'sym' or 'asym' (in a bipartite graph each number names two vertices)");
  for (const std::string kind : {"'dynamic'", "the end of the line"}) {
    const std::string word = kind == "'dynamic'" ? " dynamic" : "";
    refuses(
        "% sym" + word + "\n1 2 1\n",
        place + "1, column " + (word.empty() ? "6" : "7") + ": found " + kind +
            ", expected 'unweighted', 'positive', 'weighted', 'posweighted', 'signed' or one of these after 'multi'");
  }
  refuses("% sym unweighted\n0 1\n", place + "2, column 1: found '0', expected a vertex from 1 to 2147483647");
  refuses("% sym unweighted\n% 1 2 2\n1 3\n", place + "3, column 3: found '3', expected a vertex from 1 to 2");
  refuses("% sym unweighted\n% 1 2\n1 2\n", place +
                                                "2, column 6: found the end of the line, expected a number of "
                                                "vertices from 0 to 2147483647");
  refuses("% sym unweighted\n1 2 3 4 5\n", place + "2, column 9: found '5', expected the end of the line");
  refuses("% sym unweighted\n1 2 x\n", place + "2, column 5: found 'x', expected a number");
  refuses("% sym weighted\n1 2\n", place + "2, column 4: found the end of the line, expected a number");
  refuses("% sym unweighted\n", place + "2, column 1: found the end of the file, expected an edge, FROM TO");
}

TEST_CASE("texts in UTF-8: with a byte order mark") {
  const std::string mark = "\xef\xbb\xbf";
  CHECK(read(mark + "0,1,5\n") == "2 directed: 0>1=5");
  CHECK(read(mark + "c\np sp 2 1\na 1 2 3\n") == "2 directed: 0>1=3");
  CHECK(read(mark + banner + "coordinate pattern general\n2 2 1\n1 2\n") == "2 directed: 0>1=1");
  CHECK(read(mark + "% sym unweighted\n1 2\n") == "2 undirected: 0>1=1");
  refuses(mark + "0,x\n", "edge list, line 1, column 3: found 'x', expected a vertex from 0 to 2147483646");
  refuses(mark, "edge list, line 1, column 1: found the end of the file, expected an edge, FROM TO WEIGHT");
  for (const std::string& other : {std::string("\xff\xfe\x30\0\x20\0", 6), std::string("\xfe\xff\0\x30", 4)})
    refuses(other, "a text in UTF-16 or UTF-32, expected UTF-8 or ASCII");
}

TEST_CASE("edge lists") {
  CHECK(read("0 1 5\n1 2 2\n") == "3 directed: 0>1=5 1>2=2");
  CHECK(read("# from to\n% and so on\n0\t7\n 3  4\r\n") == "8 directed: 0>7=1 3>4=1");
  CHECK(read<double>("0,1,0.5\n1, 2, .25") == "3 directed: 0>1=0.5 1>2=0.25");
  CHECK(read("5 5 inf\n") == "6 directed:");
  CHECK(read("2147483646 0\n") == "2147483647 directed: 2147483646>0=1");
  surveys("0 1 5\n1 2 2.5\n", "double");
  surveys("0 1\n1 2\n", "int32");
  CHECK(text_of(blockfw::io::read_edge_list<int>(InputFile("file", "0 1"))) == "2 directed: 0>1=1");

  const std::string place = "edge list, line ";
  refuses("# nothing\n", place + "2, column 1: found the end of the file, expected an edge, FROM TO WEIGHT");
  refuses("\n\n \n", place + "4, column 1: found the end of the file, expected an edge, FROM TO WEIGHT");
  refuses("source,target\n0,1\n", place + "1, column 1: found 'source', expected a vertex from 0 to 2147483646");
  refuses("0\n", place + "1, column 2: found the end of the line, expected a vertex from 0 to 2147483646");
  refuses("0 -1\n", place + "1, column 3: found '-1', expected a vertex from 0 to 2147483646");
  refuses("0 2147483647\n", place + "1, column 3: found '2147483647', expected a vertex from 0 to 2147483646");
  refuses("0 1 5\n1 2\n", place + "2, column 4: found the end of the line, expected a number");
  refuses("0 1\n1 2 5\n", place +
                              "2, column 5: found '5', expected the end of the line, as the first edge has no weight "
                              "(a line of sizes is not part of an edge list)");
  refuses("0 1 5 1999\n", place + "1, column 7: found '1999', expected the end of the line");
  refuses("0 1 5\n1 2 2.5\n", place + "2, column 5: found '2.5', which int32 cannot hold; use double");
}

TEST_CASE("edge lists with commas and headers") {
  CHECK(read("0 , 1 ,\t5\n") == "2 directed: 0>1=5");
  CHECK(read("# Undirected graph: ../snap.txt\n# Nodes: 3 Edges: 2\n# From To\n0\t1\n1\t2\n") ==
        "3 undirected: 0>1=1 1>2=1");
  CHECK(read("# Directed graph (each unordered pair of nodes is saved once): roads.txt\n0\t1\n") ==
        "2 directed: 0>1=1");
  CHECK(read("0 1\n# Undirected graph\n") == "2 directed: 0>1=1");
  // Loops at the largest vertex, whose weights are not the number of the other lines.
  CHECK(read("3 3 3\n1 2 5\n2 3 4\n") == "4 directed: 3>3=3 1>2=5 2>3=4");
  CHECK(read("3 3 2\n0 2 5\n2 3 4\n") == "4 directed: 3>3=2 0>2=5 2>3=4");
  CHECK(read("3 3 2\n1 4 5\n2 3 4\n") == "5 directed: 3>3=2 1>4=5 2>3=4");

  const std::string place = "edge list, line ";
  refuses("0,1,5\n1,,2\n", place + "2, column 3: found ',', expected a value after ','");
  refuses("0, ,1\n", place + "1, column 4: found ',', expected a value after ','");
  refuses("0,1,5,\n", place + "1, column 7: found the end of the line, expected a value after ','");
  refuses("0,1,", place + "1, column 5: found the end of the file, expected a value after ','");
  refuses(",0,1,5\n", place + "1, column 1: found ',', expected a vertex from 0 to 2147483646");
  refuses("0,1,5\n,,\n", place + "2, column 1: found ',', expected a vertex from 0 to 2147483646");
  refuses("0;1;5\n", place + "1, column 1: found '0;1;5', expected a vertex from 0 to 2147483646");
  refuses("\"0\",\"1\"\n", place + "1, column 1: found '\"0\"', expected a vertex from 0 to 2147483646");
  refuses("0 1 2,5\n", place + "1, column 7: found '5', expected the end of the line");
  refuses("+0 1\n", place + "1, column 1: found '+0', expected a vertex from 0 to 2147483646");
  refuses("1e5 2\n", place + "1, column 1: found '1e5', expected a vertex from 0 to 2147483646");
  refuses("0 1 5\r1 2 3\r", place + "1, column 7: found '1', expected the end of the line");
  refuses("0 1 5 # five\n", place + "1, column 7: found '#', expected the end of the line");
  refuses("# a matrix\n3 3 2\n1 2 5\n2 3 4\n",
          place +
              "2, column 1: found '3', expected an edge (a matrix of this size with 2 entries begins with "
              "'%%MatrixMarket')");
  CHECK_THROWS_AS(blockfw::io::survey(InputFile("file", "3 3 2\n1 2 5\n2 3 4\n")), FileError);
}

TEST_CASE("NumPy's arrays of every type, in both orders") {
  const auto check = [&]<class T>(T, const std::string& type) {
    CAPTURE(type);
    const std::vector<T> entries = {0, 1, 2, 3, 0, 4, 5, 6, 0};
    const char* const rows = "3 directed: 0>1=1 0>2=2 1>0=3 1>2=4 2>0=5 2>1=6";
    CHECK(read(npy(type, entries, 3)) == rows);
    CHECK(read<std::int64_t>(npy(type, entries, 3)) == rows);
    CHECK(read<float>(npy(type, entries, 3)) == rows);
    CHECK(read<double>(npy(type, entries, 3)) == rows);
    CHECK(read(npy(type, entries, 3, true)) == "3 directed: 1>0=1 2>0=2 0>1=3 2>1=4 0>2=5 1>2=6");
    surveys(npy(type, entries, 3), "int32");
    for (const int version : {2, 3}) CHECK(read(npy(dictionary(type, 3), bytes_of(entries), version)) == rows);
    CHECK(read(npy(dictionary(type, 0), "")) == "0 directed:");
  };
  check(std::int8_t(), "|i1");
  check(std::uint8_t(), "|u1");
  check(std::int16_t(), "<i2");
  check(std::uint16_t(), "<u2");
  check(std::int32_t(), "<i4");
  check(std::uint32_t(), "<u4");
  check(std::int64_t(), "<i8");
  check(float(), "<f4");
  check(double(), "<f8");
  CHECK(read(npy(dictionary("|b1", 2), std::string("\0\1\2\1", 4))) == "2 directed: 0>1=1 1>0=1 1>1=1");
  CHECK(text_of(blockfw::io::read_npy<int>(InputFile("file", npy<std::int32_t>("<i4", {0, 1, 0, 0}, 2)))) ==
        "2 directed: 0>1=1");
}

TEST_CASE("entries of NumPy's arrays that are no edges") {
  CHECK(read(npy<std::int32_t>("<i4", {0, 0, 7, 0}, 2)) == "2 directed: 1>0=7");
  CHECK(read(npy<std::int32_t>("<i4", {-1, 1073741823, 1073741822, 1073741823}, 2)) ==
        "2 directed: 0>0=-1 1>0=1073741822");
  CHECK(read<std::int64_t>(npy<std::int64_t>("<i8", {0, blockfw::infinity<std::int64_t>, 5, 0}, 2)) ==
        "2 directed: 1>0=5");
  CHECK(read(npy<std::int8_t>("|i1", {0, 127, -128, 0}, 2)) == "2 directed: 0>1=127 1>0=-128");
  CHECK(read<double>(npy<double>("<f8", {0, inf, 0, 0}, 2)) == "2 directed: 1>0=0");
  CHECK(read<double>(npy<double>("<f8", {inf, 0, 0, inf}, 2)) == "2 directed: 0>1=0 1>0=0");
  CHECK(read<double>(npy<float>("<f4", {0, 1.5f, static_cast<float>(inf), 0}, 2)) == "2 directed: 0>1=1.5");
  surveys(npy<double>("<f8", {0, inf, 0.5, 0}, 2), "double");
  surveys(npy<std::uint32_t>("<u4", {0, 4294967295, 7, 0}, 2), "int64");

  refuses(
      npy<std::int32_t>("<i4", {0, 2000000000, 1, 0}, 2),
      ".npy, row 0, column 1: found 2000000000, expected at most 1073741823, which is no edge, in int32; a wider type "
      "holds it");
  refuses<double>(npy<std::int64_t>("<i8", {0, 9223372036854775807, 1, 0}, 2),
                  ".npy, row 0, column 1: found 9223372036854775807, expected at most 4611686018427387903, which is no "
                  "edge, in int64");
  refuses<double>(npy<double>("<f8", {0, 1, 0, 0}, 2),
                  ".npy, row 1, column 0: found 0 among real numbers without any inf, expected inf where there is no "
                  "edge (if 0 is a length, make the diagonal inf)");
  refuses<double>(npy<double>("<f8", {0, 1, std::nan(""), 0}, 2),
                  ".npy, row 1, column 0: found nan, expected a number");
  refuses<double>(npy<double>("<f8", {0, 1, 1, std::nan("")}, 2),
                  ".npy, row 1, column 1: found nan, expected a number");
  refuses<double>(npy<double>("<f8", {0, -inf, 1, 0}, 2), ".npy, row 0, column 1: found -inf, expected a number");
  refuses<double>(npy<double>("<f8", {0, -inf, 1, 0}, 2, true), ".npy, row 1, column 0: found -inf, expected a number");
  refuses(npy<double>("<f8", {0, 0.5, 1, 0}, 2),
          ".npy, row 0, column 1: found 0.5, which int32 cannot hold; use double");
  refuses(npy<std::uint32_t>("<u4", {0, 4294967295, 1, 0}, 2),
          ".npy, row 0, column 1: found 4294967295, which int32 cannot hold; use int64 or double");
  refuses<float>(npy<double>("<f8", {0, 1e39, 1, 0}, 2),
                 ".npy, row 0, column 1: found 1e+39, which float cannot hold; use double");
  refuses<float>(npy<double>("<f8", {0, 1e-60, 1, 0}, 2),
                 ".npy, row 0, column 1: found 1e-60, which float cannot hold; use double");
}

TEST_CASE("NumPy's arrays: damaged ones, and ones not of weights, are refused") {
  const std::string good = npy<std::int32_t>("<i4", {0, 1, 2, 0}, 2);
  REQUIRE(good.size() == 144);
  refuses(good.substr(0, 6), ".npy, byte 6: found no version, expected version 1, 2 or 3");
  refuses(good.substr(0, 7), ".npy, byte 6: found no version, expected version 1, 2 or 3");
  refuses(npy(dictionary("<i4", 2), "", 4), ".npy, byte 6: found version 4, expected version 1, 2 or 3");
  for (const std::size_t length : {8u, 9u, 10u, 127u})
    refuses(good.substr(0, length), ".npy, byte " + std::to_string(length) + ": the file ends inside its header");
  refuses(good.substr(0, 143), ".npy, byte 128: found 15 bytes of entries, expected 2 x 2 of 4 bytes");
  refuses(good + 'x', ".npy, byte 128: found 17 bytes of entries, expected 2 x 2 of 4 bytes");
  refuses(npy(dictionary("<f8", 2147483647), "x"),
          ".npy, byte 128: found 1 bytes of entries, expected 2147483647 x 2147483647 of 8 bytes");

  const std::string types = "', expected one of '|b1', '|i1', '|u1', '<i2', '<u2', '<i4', '<u4', '<i8', '<f4', '<f8'";
  for (const std::string type : {">i4", "<u8", "<f2", "<c16", "<U5", "|O", "|V8", "<M8[s]"})
    refuses(npy(dictionary(type, 2), ""), ".npy, its entries are of type '" + type + types);
  refuses(npy(dictionary("<i4\xf0", 2), ""), ".npy, its entries are of type '<i4\\xf0" + types);
  const std::string place = ".npy header, line 1, column ";
  refuses(npy("{'descr': '<i4', 'fortran_order': False, 'shape': (2, 3), }", ""),
          place + "55: found '3', expected as many columns as rows, 2");
  refuses(npy("{'descr': '<i4', 'fortran_order': False, 'shape': (4,), }", ""),
          place + "118: found the end of the line, expected as many columns as rows, 4");
  refuses(npy("{'descr': '<i4', 'fortran_order': False, 'shape': (), }", ""),
          place + "118: found the end of the line, expected a number of rows from 0 to 2147483647");
  refuses(npy("{'descr': '<i4', 'fortran_order': False, 'shape': (2, 2, 2), }", ""),
          place + "58: found '2', expected 'descr', 'fortran_order' or 'shape'");
  refuses(npy("{'descr': '<i4', 'fortran_order': False, 'shape': (-2, -2), }", ""),
          place + "52: found '-2', expected a number of rows from 0 to 2147483647");
  refuses(npy("{'descr': [('a', '<i4')], 'fortran_order': False, 'shape': (2, 2), }", ""),
          place + "13: found ''a'', expected 'descr', 'fortran_order' or 'shape'");
  refuses(npy("{'descr': '<i4', 'fortran_order': maybe, 'shape': (2, 2), }", ""),
          place + "35: found 'maybe', expected True or False");
  refuses(npy("{'descr': '<i4', 'fortran_order': False, }", ""),
          place + "54: found the end of the line, expected 'descr', 'fortran_order' and 'shape'");
  refuses(npy("", ""),
          ".npy header, line 2, column 1: found the end of the file, expected 'descr', 'fortran_order' and 'shape'");
  refuses(std::string("\x93NUMPY\1\0\0\0", 10),
          ".npy header, line 1, column 1: found the end of the file, expected 'descr', 'fortran_order' and 'shape'");
}

TEST_CASE("binary edge lists among others") {
  const auto file = [](const std::vector<std::int32_t>& numbers) { return bytes_of(numbers); };
  CHECK(read(file({3, 2, 0, 1, 5, 2, 2, -7})) == "3 directed: 0>1=5 2>2=-7");
  CHECK(read<double>(file({7, 0})) == "7 directed:");
  surveys(file({3, 2, 0, 1, 5, 2, 2, -7}), "int32");
  refuses(file({3, 2, 0, 1, 5, 2, 3, 7}), "homework, byte 20: found vertex 3, expected one from 0 to 2");
  refuses(file({3, 1, -1, 1, 5}), "homework, byte 8: found vertex -1, expected one from 0 to 2");
  refuses<std::int16_t>(file({3, 1, 0, 1, 40000}),
                        "homework, byte 8: found weight 40000, which int16 cannot hold; use int64 or double");
  refuses(file({3, 2, 0, 1, 5}),
          "byte 0: found '\\x03', expected a text, a .npy or a homework file (E, in its bytes 4 to 7, and 20 "
          "bytes do not agree)");
  refuses(file({-3, 0}),
          "byte 4: found '\\x00', expected a text, a .npy or a homework file (E, in its bytes 4 to 7, and 8 bytes "
          "do not agree)");
  refuses("\x1f\x8b\x08\x08",
          "compressed by gzip, expected an unpacked file: by gzip -d, or by a build with zlib (blockfw/io/gzip.hpp)");
  for (const auto& [start, program] :
       {std::pair("BZh91AY", "bzip2"), std::pair("\xfd\x37zXZ", "xz"), std::pair("\x28\xb5\x2f\xfd", "zstd"),
        std::pair("\x04\x22\x4d\x18", "lz4"), std::pair("\x1f\x9d\x90", "compress")})
    refuses(start, std::string("compressed by ") + program + ", expected an unpacked file");
  refuses("PK\x03\x04\x14", "a .zip or .npz archive, expected the file in it");
  refuses("7z\xbc\xaf\x27\x1c", "a .7z archive, expected the file in it");
  refuses("towns.gr" + std::string(249, '\0') + "ustar  ", "a .tar archive, expected the file in it");
}

TEST_CASE("formats: recognised by their content") {
  const auto format = [](const std::string& bytes) { return blockfw::io::format_of(InputFile("file", bytes)); };
  CHECK(format("c\np sp 1 0\n") == Format::dimacs);
  CHECK(format("\n  p sp 1 0\n") == Format::dimacs);
  CHECK(format("a 1 2 3\n") == Format::dimacs);
  CHECK(format("%%MatrixMarket matrix") == Format::matrix_market);
  CHECK(format("%MatrixMarket matrix") == Format::matrix_market);
  CHECK(format("# by hand\n%%MatrixMarket matrix") == Format::matrix_market);
  CHECK(format("%% sym unweighted\n1 2\n") == Format::konect);
  CHECK(format("% a comment\n% asym weighted\n1 2\n") == Format::konect);
  CHECK(format("% symmetric\n1 2\n") == Format::edge_list);
  CHECK(format("1 2 3\n") == Format::edge_list);
  CHECK(format("comment\n") == Format::edge_list);
  CHECK(format("\x93NUMPY") == Format::npy);
  CHECK(format(bytes_of(std::vector<std::int32_t>{9, 0})) == Format::binary_edges);
  CHECK(blockfw::io::name_of(Format::binary_edges) == std::string("homework"));
  CHECK_THROWS_WITH_AS(format(""), "file: the file is empty, expected a graph", FileError);
  CHECK(blockfw::io::name_of(Format::dimacs) == std::string("DIMACS"));
  CHECK(blockfw::io::name_of(Format::konect) == std::string("KONECT"));

  std::mt19937 random(7);
  for (int round = 0; round < 2000; ++round) {  // random bytes are refused, without a crash
    std::string junk(random() % 200, ' ');
    for (char& c : junk) c = static_cast<char>(random());
    CHECK_THROWS_AS(read_graph<double>(InputFile("file", junk)), FileError);
  }
}

TEST_CASE("files on the disk") {
  const Folder folder;
  put(folder / "graph", "0 1 5\n");
  CHECK(text_of(read_graph<int>(folder / "graph")) == "2 directed: 0>1=5");
  CHECK(text_of(read_graph<int>((folder / "graph").c_str())) == "2 directed: 0>1=5");
  CHECK(text_of(read_graph<int>((folder / "graph").string())) == "2 directed: 0>1=5");
  CHECK_THROWS_WITH_AS(read_graph<int>(folder / "none"), doctest::Contains("/none: cannot read: No such file"),
                       FileError);
  CHECK_THROWS_WITH_AS(read_graph<int>(folder / "."), doctest::Contains("cannot read: is a directory, expected a file"),
                       FileError);
  CHECK_THROWS_WITH_AS(read_graph<int>("/dev/null"), "/dev/null: the file is empty, expected a graph", FileError);

  // A pipe, and more bytes than one read returns.
  std::string lines;
  for (int v = 0; v < 50'000; ++v) lines += std::to_string(v) + " " + std::to_string(v + 1) + "\n";
  int ends[2];
  REQUIRE(pipe(ends) == 0);
  std::thread writer([&] {
    for (std::size_t at = 0; at < lines.size();)
      at +=
          static_cast<std::size_t>(::write(ends[1], lines.data() + at, std::min<std::size_t>(lines.size() - at, 5000)));
    ::close(ends[1]);
  });
  const InputFile file("/dev/fd/" + std::to_string(ends[0]));
  writer.join();
  ::close(ends[0]);
  CHECK((file.bytes() == lines));
}

TEST_CASE_TEMPLATE("distances: written and read", T, std::int32_t, std::int64_t, float, double) {
  const Folder folder;
  Random random(3);
  const int n = 70;
  const Graph g = scattered(random, n, 2 * n, 1, 100);
  const auto d = readable(blockfw::solve(n, edges_of<T>(g)));
  const Kokkos::View<T**, Kokkos::LayoutLeft, Kokkos::HostSpace> left("left", n, n);
  Kokkos::deep_copy(left, d);

  // The graph whose edges are the distances has the same distances.
  for (const char* name : {"d.npy", "d.mtx"}) {
    CAPTURE(name);
    blockfw::io::write_distances(folder / name, d);
    const auto read = read_graph<T>(folder / name);
    CHECK(read.vertices == n);
    const auto again = readable(blockfw::solve(n, read.edges));
    int wrong = 0, none = 0;
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j) wrong += again(i, j) != d(i, j), none += d(i, j) == blockfw::infinity<T>;
    CHECK(wrong == 0);
    CHECK(none > 0);
    const std::string bytes = get(folder / name);
    blockfw::io::write_distances(folder / name, left);
    CHECK((get(folder / name) == bytes));
  }
  CHECK(folder.files().size() == 2);
}

TEST_CASE("distances: their bytes in files") {
  const Folder folder;
  HostMatrix<std::int32_t> d("d", 2, 2);
  d(0, 1) = -3;
  d(1, 0) = blockfw::infinity<std::int32_t>;
  const auto written = [&](const char* name, const auto& distances) {
    blockfw::io::write_distances(folder / name, distances);
    return get(folder / name);
  };
  CHECK(written("d.npy", d) == npy<std::int32_t>("<i4", {0, -3, 1073741823, 0}, 2));
  CHECK(written("d.mtx", d) == "%%MatrixMarket matrix coordinate integer general\n2 2 3\n1 1 0\n1 2 -3\n2 2 0\n");
  CHECK(written("d.bin", d) == bytes_of(std::vector<std::int32_t>{0, -3, 1073741823, 0}));
  CHECK(written("d.txt", d) == "0 -3\ninf 0\n");
  CHECK(written("distances", d) == "0 -3\ninf 0\n");

  HostMatrix<double> real("d", 2, 2);
  real(0, 1) = 0.1;
  real(1, 0) = inf;
  CHECK(written("d.npy", real) == npy<double>("<f8", {0, 0.1, inf, 0}, 2));
  CHECK(written("d.mtx", real) == "%%MatrixMarket matrix coordinate real general\n2 2 3\n1 1 0\n1 2 0.1\n2 2 0\n");
  CHECK(written("d.txt", real) == "0 0.1\ninf 0\n");
  CHECK_THROWS_WITH_AS(blockfw::io::write_distances(folder / "d.bin", real),
                       ((folder / "d.bin").string() +
                        ": cannot write: a homework output, .bin, holds integers, and the distances are of type double")
                           .c_str(),
                       FileError);

  const HostMatrix<float> none("d", 0, 0);
  CHECK(written("d.npy", none) == npy<float>("<f4", {}, 0));
  CHECK(written("d.mtx", none) == "%%MatrixMarket matrix coordinate real general\n0 0 0\n");
  CHECK(written("d.txt", none) == "");

  // The text is longer than a buffer.
  const int n = 1100;
  const HostMatrix<std::int32_t> large("d", n, n);
  Kokkos::deep_copy(large, 7);
  std::string line(2 * n, ' '), all;
  for (std::size_t j = 0; j < line.size(); j += 2) line[j] = '7';
  line.back() = '\n';
  for (int i = 0; i < n; ++i) all += line;
  CHECK((written("d.txt", large) == all));
}

TEST_CASE("tables of distances in files") {
  const Folder folder;
  HostMatrix<std::int32_t> d("d", 2, 3);
  d(0, 1) = -3;
  d(1, 2) = blockfw::infinity<std::int32_t>;
  d(1, 0) = 12;
  const auto written = [&](const char* name) {
    blockfw::io::write_distances(folder / name, d);
    return get(folder / name);
  };
  const std::string entries = bytes_of(std::vector<std::int32_t>{0, -3, 0, 12, 0, 1073741823});
  const std::string array = written("d.npy");
  CHECK(array.size() == 128 + entries.size());
  CHECK(array.find("'descr': '<i4', 'fortran_order': False, 'shape': (2, 3), }") != array.npos);
  CHECK(array.ends_with(entries));
  CHECK(written("d.mtx") ==
        "%%MatrixMarket matrix coordinate integer general\n2 3 5\n1 1 0\n1 2 -3\n1 3 0\n2 1 12\n2 2 0\n");
  CHECK(written("d.bin") == entries);
  CHECK(written("d.txt") == "0 -3 0\n12 0 inf\n");

  using Output = blockfw::io::DistanceOutput<std::int32_t>;
  for (const char* name : {"d.npy", "d.bin"}) {
    const std::string whole = written(name);
    Output output(folder / name, 4, 3);
    CHECK(output.takes_blocks());
    output.append(d);
    CHECK_THROWS_AS(output.commit(), blockfw::InvalidInput);
    output.append(d);
    CHECK_THROWS_WITH_AS(output.append(d), "2 rows of 3 distances follow 4 rows, expected 4 rows of 3",
                         blockfw::InvalidInput);
    output.commit();
    CHECK(get(folder / name).ends_with(entries + entries));
  }
  for (const char* name : {"d.mtx", "d.txt"}) CHECK(!Output(folder / name, 4, 3).takes_blocks());
  CHECK_THROWS_WITH_AS(Output(folder / "d.txt", 4, 3).write(d),
                       "the distances to write are 2 rows of 3, expected 4 rows of 3", blockfw::InvalidInput);
  CHECK_THROWS_WITH_AS(Output(folder / "d.txt", 4, -3), "the table has 4 rows of -3, expected 0 or more",
                       blockfw::InvalidInput);
  CHECK_THROWS_WITH_AS(Output(folder / "d.npy", std::int64_t{1} << 62, 8), doctest::Contains("File too large"),
                       FileError);
  CHECK(written("d.txt") == "0 -3 0\n12 0 inf\n");
}

TEST_CASE("memory for edges: checked before it is allocated") {
  blockfw::io::Graph<double> graph;
  CHECK_THROWS_WITH_AS(graph.reserve(std::size_t{1} << 50), doctest::Contains("1125899906842624 edges need "),
                       blockfw::OutOfMemory);
  graph.reserve(2);
  for (int e = 0; e < 1000; ++e) graph.add(e, e + 1, 0.5);
  CHECK(graph.edges.size() == 1000);
  CHECK(graph.edges[999].to == 1000);
}

TEST_CASE("distances: refused outputs") {
  const Folder folder;
  const HostMatrix<std::int64_t> d("d", 2, 2), other("d", 3, 3), oblong("oblong", 2, 3);
  for (const char* name : {"no/d.npy", "no/d.mtx", "no/d.bin", "no/d"})
    CHECK_THROWS_WITH_AS(blockfw::io::DistanceOutput<std::int64_t>(folder / name, 2),
                         doctest::Contains("cannot write: No such file or directory"), FileError);
  CHECK_THROWS_WITH_AS(blockfw::io::write_distances(folder / "d.npy.gz", d),
                       ((folder / "d.npy.gz").string() +
                        ": cannot write: distances are not compressed, expected another ending than .gz")
                           .c_str(),
                       FileError);
  blockfw::io::DistanceOutput<std::int64_t> output(folder / "d.npy", 2);
  CHECK_THROWS_WITH_AS(output.write(other), "the distances to write are of 3 vertices, expected 2",
                       blockfw::InvalidInput);
  CHECK_THROWS_AS(output.write(oblong), blockfw::InvalidInput);
  d(1, 0) = std::int64_t(1) << 40;
  CHECK_THROWS_AS(blockfw::io::write_distances(folder / "d.bin", d), blockfw::OverflowRisk);
  CHECK_THROWS_AS(blockfw::io::write_distances("/dev/full", d), FileError);
  CHECK_THROWS_WITH_AS(blockfw::io::write_distances("", d), "the name of the output is empty, expected a file's name",
                       FileError);
  CHECK_THROWS_WITH_AS(blockfw::io::DistanceOutput<std::int64_t>(folder / "d.npy", -1),
                       "the number of vertices is -1, expected 0 or more", blockfw::InvalidInput);
  // (4 billion squared, times 8, is 0 in 64 bits.)
  for (const std::int64_t n : {std::int64_t{1} << 31, std::int64_t{1} << 32})
    CHECK_THROWS_WITH_AS(blockfw::io::DistanceOutput<std::int64_t>(folder / "d.npy", n),
                         doctest::Contains("cannot write: File too large"), FileError);
  CHECK(folder.files().empty());
}
