// SPDX-License-Identifier: MIT
// JSON on one line, as records keep it. For source files only: the header is large.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace heatfront {

using Json = nlohmann::ordered_json;

// What is no UTF-8 is replaced.
inline std::string line_of(const Json& object) {
  return object.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace heatfront
