// SPDX-License-Identifier: MIT
// JSON on one line, as records keep it. For source files only: the header is large.
#pragma once

#include <cstdint>
#include <exception>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <utility>

namespace heatfront {

using Json = nlohmann::ordered_json;

// What is no UTF-8 is replaced.
inline std::string line_of(const Json& object) {
  return object.dump(-1, ' ', false, Json::error_handler_t::replace);
}

struct NotWhole : std::exception {};

// A whole number that fits; anything else is NotWhole. (The library would cut fractions off, and has no answer to 1e300.)
template <class Whole>
Whole whole_in(const Json& value) {
  const bool large = value.is_number_unsigned() && !std::in_range<Whole>(value.get<std::uint64_t>());
  if (!value.is_number_integer() || large || !std::in_range<Whole>(value.get<std::int64_t>()))
    throw NotWhole();
  return value.get<Whole>();
}

// take(object) of what the line holds; false where it is no JSON, or not such as take asks for.
template <class Take>
bool take_line(std::string_view line, const Take& take) {
  try {
    take(Json::parse(line));
    return true;
  } catch (const Json::exception&) {
    return false;
  } catch (const NotWhole&) {
    return false;
  }
}

}  // namespace heatfront
