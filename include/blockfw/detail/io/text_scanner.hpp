// SPDX-License-Identifier: MIT
/// \file
/// \brief Reads words and numbers of a text, line by line, with errors that name the place.
#pragma once

#include "blockfw/detail/io/file_weights.hpp"
#include "blockfw/files/input_file.hpp"
#include "blockfw/ground/error.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <type_traits>
#include <utility>

namespace blockfw::io::detail {

/// \brief A place in a text. It moves from word to word within a line; next_line() moves it to another line.
class TextScanner {
 public:
  /// \param format      the name of the file's format, for errors
  /// \param separators  characters that separate words besides spaces, tabs and carriage returns
  /// \param comma       a character that may stand once between two words, not before the first or after the last word
  TextScanner(const InputFile& file, std::string format, std::string_view separators = "", char comma = '\n')
      : at_(file.bytes().data()),
        end_(at_ + file.bytes().size()),
        comma_(comma),
        what_(file.name() + ": " + std::move(format)) {
    // (Some programs begin a text in UTF-8 with these bytes.)
    if (constexpr std::string_view mark = "\xef\xbb\xbf"; file.bytes().starts_with(mark)) at_ += mark.size();
    line_start_ = at_;
    for (const char c : {'\n', comma}) kind_[static_cast<unsigned char>(c)] = Kind::end;
    for (const char c : {' ', '\t', '\r'}) kind_[static_cast<unsigned char>(c)] = Kind::blank;
    for (const char c : separators) kind_[static_cast<unsigned char>(c)] = Kind::blank;
  }

  /// The names of the file and its format, for errors.
  const std::string& what() const { return what_; }

  /// \brief Goes to the first word of the next line that has a word; false at the end of the file.
  /// \param comments  characters that begin a line to be skipped
  bool next_line(std::string_view comments = "") {
    do {
      if (line_ > 0) {  // skip the rest of this line
        const auto* const rest = at_ == end_ ? nullptr : std::memchr(at_, '\n', static_cast<std::size_t>(end_ - at_));
        at_ = rest == nullptr ? end_ : static_cast<const char*>(rest) + 1;
        if (rest == nullptr) return false;
      }
      ++line_;
      line_start_ = at_;
      skip_blanks();
      if (at_ == end_) return false;
    } while (line_ended() || at(comments));
    return true;
  }

  /// Whether one of the characters is here.
  bool at(std::string_view characters) const { return at_ != end_ && characters.find(*at_) != characters.npos; }

  /// Skips the characters `mark` here, and the blanks after them.
  /// \return whether there was a `mark`
  bool skip_marks(char mark) {
    const char* end = at_;
    while (end != end_ && *end == mark) ++end;
    const bool any = end != at_;
    at_ = end;
    skip_blanks();
    return any;
  }

  bool line_ended() const { return at_ == end_ || *at_ == '\n'; }

  /// The word here; empty at the end of a line.
  std::string_view word() const {
    const char* end = at_;
    while (!ends_word(end)) ++end;
    return {at_, static_cast<std::size_t>(end - at_)};
  }

  void skip_word() { go_to(at_ + word().size()); }

  /// Skips the word here if it is `expected`, in letters of any case.
  /// \return whether it was
  bool take(std::string_view expected) {
    const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; };
    const std::string_view here = word();
    if (!std::equal(here.begin(), here.end(), expected.begin(), expected.end(),
                    [&](char a, char b) { return lower(a) == lower(b); }))
      return false;
    skip_word();
    return true;
  }

  /// \brief Reads the whole number here.
  /// \param name  the name of the number, for the error if there is no number within [least, most]
  std::int64_t whole_number(std::int64_t least, std::int64_t most, const char* name) {
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(at_, end_, value);
    if (error != std::errc() || !ends_word(end) || value < least || value > most)
      expected(name + (least == most ? ", " + std::to_string(least)
                       : most == std::numeric_limits<std::int64_t>::max()
                           ? ", " + std::to_string(least) + " or more"
                           : " from " + std::to_string(least) + " to " + std::to_string(most)));
    go_to(end);
    return value;
  }

  /// Reads the vertex here, which the file counts from `first`.
  /// \return the vertex counted from 0
  std::int32_t vertex(std::int64_t first, std::int64_t vertices, const char* name = "a vertex") {
    return static_cast<std::int32_t>(whole_number(first, first + vertices - 1, name) - first);
  }

  /// Reads the weight here; none when it is infinite.
  template <class W>
  std::optional<W> weight() {
    const bool sign = end_ - at_ > 1 && at_[0] == '+' && at_[1] != '-';
    const char* const digits = at_ + sign;
    if constexpr (!std::is_floating_point_v<W>) {
      std::int64_t whole = 0;
      const auto [end, error] = std::from_chars(digits, end_, whole);
      if (error == std::errc() && ends_word(end)) return taken<W>(whole, end);
    }
    using Real = std::conditional_t<std::is_same_v<W, float>, float, double>;
    Real real = 0;
    const auto [end, error] = std::from_chars(digits, end_, real);
    if (error == std::errc::result_out_of_range && ends_word(end))
      fail(cannot_hold<W>(std::numeric_limits<Real>::infinity()));
    if (error != std::errc() || !ends_word(end) || std::isnan(real) || (std::isinf(real) && real < 0))
      expected("a number");
    if (std::isinf(real)) {
      go_to(end);
      return std::nullopt;
    }
    // From here on a float may be a rounded whole number. A whole-valued float may come from a number that is not
    // whole.
    if ((!std::is_floating_point_v<W> && real != Real(0)) ||
        std::abs(real) >= std::ldexp(Real(1), std::numeric_limits<Real>::digits))
      return wide_weight<W>({digits, static_cast<std::size_t>(end - digits)}, real);
    return taken<W>(real, end);
  }

  void end_line() const {
    if (!line_ended()) expected("the end of the line");
  }

  /// \throws FileError that names the place, the text found there and the expected text
  [[noreturn]] void expected(const std::string& expected) const { fail(", expected " + expected); }

 private:
  enum class Kind : unsigned char { of_word, blank, end };

  Kind kind(const char* at) const { return kind_[static_cast<unsigned char>(*at)]; }
  bool ends_word(const char* at) const { return at == end_ || kind(at) != Kind::of_word; }
  void skip_blanks() {
    while (at_ != end_ && kind(at_) == Kind::blank) ++at_;
  }
  void go_to(const char* at) {
    at_ = at;
    skip_blanks();
    if (at_ == end_ || *at_ != comma_ || comma_ == '\n') return;
    ++at_;
    skip_blanks();
    if (line_ended() || *at_ == comma_) expected(std::string("a value after '") + comma_ + "'");
  }

  /// \brief The weight of the number here, which is so large that floats may round it. A whole number must not be
  /// rounded. A point or an exponent makes it a real number, which may be rounded.
  template <class W>
  W wide_weight(std::string_view number, double real) {
    const char* const end = number.data() + number.size();
    const bool any_mark = number.find_first_of(".eE") != number.npos;
    if (!std::is_floating_point_v<W> || !any_mark)
      if (const auto whole = whole_of(number)) return taken<W>(*whole, end);
    if (!std::is_integral_v<W> && !any_mark && !says_exactly(number, real))
      fail(std::string(", which ") + (std::is_same_v<W, float> ? "float" : "double") + " cannot hold exactly");
    return taken<W>(std::is_floating_point_v<W> ? real : std::numeric_limits<double>::infinity(), end);
  }

  template <class W, class Value>
  W taken(Value value, const char* end) {
    const auto weight = held<W>(value);
    if (!weight) fail(cannot_hold<W>(value));
    go_to(end);
    return *weight;
  }

  [[noreturn]] void fail(const std::string& why) const {
    throw FileError(what_, ", line ", line_, ", column ", at_ - line_start_ + 1, ": found ",
                    (at_ == end_    ? "the end of the file"
                     : line_ended() ? "the end of the line"
                                    : in_quotes(word().empty() ? std::string_view(at_, 1) : word())),
                    why);
  }

  std::array<Kind, 256> kind_{};
  const char *at_, *end_, *line_start_ = nullptr;
  char comma_;
  std::int64_t line_ = 0;
  std::string what_;
};

}  // namespace blockfw::io::detail
