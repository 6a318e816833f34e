// SPDX-License-Identifier: MIT
// A result as Python gets it: JSON under the names of `heatfront … --json`, and the text that the command line prints.
#pragma once

#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>

#include <nlohmann/json.hpp>
#include <string>
#include <utility>

namespace heatfront::python {

using Told = std::pair<std::string, std::string>;

inline Told told(const nlohmann::ordered_json& object, std::string text) {
  return {object.dump(), std::move(text)};
}

}  // namespace heatfront::python
