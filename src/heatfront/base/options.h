// SPDX-License-Identifier: MIT
// Options as plain structs whose fields are listed once. From the list come setting by name (flags, presets,
// model files), printing and help.
//
//     struct Options { double time = 5; };
//     std::vector<OptionField> fields(Options& options) { return {{"time", &options.time, "How long heat flows"}}; }
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace heatfront {

struct OptionField {
  using Value = std::variant<double*, std::int64_t*, bool*, std::string*, std::vector<double>*,
                             std::vector<std::int64_t>*>;

  std::string_view name;
  Value value;
  std::string_view what;
};

using OptionFields = std::vector<OptionField>;

// All of both.
OptionFields joined(OptionFields first, const OptionFields& rest);

// The value as text that set_option() reads back to the same value.
std::string text_of(const OptionField& field);

// An unknown name or a value that does not parse is an Error that begins with `where` and says what would be
// right.
void set_option(const OptionFields& fields, std::string_view name, std::string_view value,
                const std::string& where);

// "name=value".
void set_option(const OptionFields& fields, std::string_view assignment, const std::string& where);

// Lines of "name = value"; blank ones and those that begin with # say nothing.
void set_options(const OptionFields& fields, std::string_view text, const std::string& where);

// One "name = value" for each field.
std::vector<std::string> lines_of(const OptionFields& fields);

}  // namespace heatfront
