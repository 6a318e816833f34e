// SPDX-License-Identifier: MIT
// What a misspelt word may have been meant to be.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace heatfront {

// Letters put in, left out, changed or swapped with the next, at least, to make one of the other.
std::size_t edit_distance(std::string_view a, std::string_view b);

// The name with the fewest edits, the first of those: one in words of up to four letters, two up to eight, else three; or
// what only upper and lower case, - and _ tell apart. Empty: none is near.
std::string_view nearest(std::string_view word, std::span<const std::string_view> names);

// " (did you mean 'chebyshev'?)"; nothing where no name is near.
std::string did_you_mean(std::string_view word, std::span<const std::string_view> names);
std::string did_you_mean(std::string_view word, std::span<const std::string> names);

}  // namespace heatfront
