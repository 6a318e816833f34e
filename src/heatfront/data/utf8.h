// SPDX-License-Identifier: MIT
// Between UTF-8, in which all text is kept, and the code points of numpy's text arrays.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace heatfront {

// Not a surrogate, not beyond U+10FFFF.
bool is_code_point(char32_t c);

void append_utf8(std::string& text, char32_t c);

// Nothing unless the text is well-formed UTF-8 (no overlong forms, no surrogates).
std::optional<std::u32string> code_points(std::string_view text);

}  // namespace heatfront
