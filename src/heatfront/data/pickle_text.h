// SPDX-License-Identifier: MIT
// The strings of Python pickles: what the text protocol escapes, and text turned into bytes. Nothing where
// the spelling is wrong.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace heatfront {

// 'a\x00b\n', in either kind of quotes, as Python 2 writes bytes → the bytes.
std::optional<std::string> bytes_of_quoted(std::string_view quoted);

// Latin-1 with \uXXXX and \UXXXXXXXX for what is not in it → UTF-8.
std::optional<std::string> utf8_of_escaped(std::string_view escaped);

// UTF-8 → one byte a character, as _codecs.encode(text, 'latin1') does: how Python 3 writes bytes.
std::optional<std::string> latin1_of_utf8(std::string_view utf8);

}  // namespace heatfront
