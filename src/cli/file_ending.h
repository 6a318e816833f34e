// SPDX-License-Identifier: MIT
// What the end of a file's name says of it: nothing is written under the name of another kind of file.
#pragma once

#include <filesystem>
#include <initializer_list>
#include <string_view>

namespace heatfront::cli {

// Error that says what would be right, where the name ends as that of a known kind and none of `right`, the usual one first.
// Unknown endings and none at all are the user's own affair.
void check_ending(const std::filesystem::path& path, std::initializer_list<std::string_view> right);

}  // namespace heatfront::cli
