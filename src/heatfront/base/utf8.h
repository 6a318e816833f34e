// SPDX-License-Identifier: MIT
// UTF-8, in which all text is kept: its characters, and the code points that numpy's text arrays have in their place.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace heatfront {

// Not a surrogate, not beyond U+10FFFF.
bool is_code_point(char32_t c);

void append_utf8(std::string& text, char32_t c);

// Nothing unless the text is well-formed UTF-8 (no overlong forms, no surrogates).
std::optional<std::u32string> code_points(std::string_view text);

// How many bytes the character at the start of `text` takes; 0 when it is none, or not well-formed.
std::size_t character_length(std::string_view text);
bool is_utf8(std::string_view text);

// The start of `text`, at most so many characters long; a byte that is not UTF-8 counts as one.
std::string_view first_characters(std::string_view text, std::size_t count);

// The text as one line that a terminal can show and that shows all there is: a blank for tabs and ends of lines; for every other
// control character, every character that is not to be seen or turns the direction of the text, and every byte that is not
// UTF-8 its number, as \x1b or \u202e. Done twice it is the same.
std::string printable(std::string_view text);

// The same of many lines, whose ends stay.
std::string printable_lines(std::string_view text);

// JSON that means the same, with \uXXXX for all that printable() does not leave as it is.
std::string printable_json(std::string_view json);

// A piece of a file as error lines show it: printable, and cut off where it is long.
std::string shown(std::string_view piece);
std::string in_quotes(std::string_view piece);

}  // namespace heatfront
