// SPDX-License-Identifier: MIT
// Options as plain structs whose fields are listed once, with their ranges. From the list come setting by name
// (flags, presets, model files), checks, printing and help; and name, kind, default, range and choices can be read from
// it by whoever makes keywords, forms or JSON of them.
//
//     struct Options { double time = 5; };
//     OptionFields fields(Options& options) {
//       return {{"time", &options.time, "How long heat flows", at_least(0)}};
//     }
#pragma once

#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace heatfront {

struct OptionChoice {
  std::string_view name;
  std::string_view what = "";  // where the name does not say it
};

// What a value may be, beyond its kind; of a list, every entry. Numbers are finite.
struct OptionRange {
  double least = -std::numeric_limits<double>::infinity();
  double most = std::numeric_limits<double>::infinity();
  bool above_least = false, below_most = false;  // without the end itself
  bool or_infinite = false;                      // inf as well, beyond `most`
  std::vector<OptionChoice> choices = {};        // of a text; empty: any text
};

OptionRange at_least(double least);
OptionRange above(double least);
OptionRange from_to(double least, double most);
OptionRange from_to_below(double least, double most);
OptionRange between(double least, double most);  // without its ends
OptionRange one_of(std::initializer_list<OptionChoice> choices);

// The names of a table's entries.
template <class Table>
OptionRange one_of_names(const Table& table) {
  OptionRange range;
  for (const auto& entry : table) range.choices.push_back({entry.name});
  return range;
}

// What older files and scripts say in place of a value: "learn_weights = true" for edge_weights = free. Without a name: nothing, for there
// was no such setting, and all was as it is with this value.
struct FormerSetting {
  std::string_view name, value, now;
};

struct OptionField {
  using Value = std::variant<double*, std::int64_t*, bool*, std::string*, std::vector<double>*,
                             std::vector<std::int64_t>*>;

  std::string_view name;
  Value value;
  std::string_view what;
  OptionRange range = {};
  std::vector<FormerSetting> former = {};
};

using OptionFields = std::vector<OptionField>;

// Is the field set by this name, today or formerly?
bool is_called(const OptionField& field, std::string_view name);

// All of both.
OptionFields joined(OptionFields first, const OptionFields& rest);

// The value as text that set_option() reads back to the same value.
std::string text_of(const OptionField& field);

// What the value may be: "a whole number from 1 to 64", "relu or elu".
std::string allowed(const OptionField& field);

// "Share of each layer that is dropped [0.5; from 0 to below 1]": what it is, its value now, and its range or choices.
std::string help_of(const OptionField& field);

// An unknown name, a value that does not parse or one outside of its range is an Error that begins with `where` and says
// what would be right; nothing is set then.
void set_option(const OptionFields& fields, std::string_view name, std::string_view value,
                const std::string& where);

// "name=value".
void set_option(const OptionFields& fields, std::string_view assignment, const std::string& where);

// Lines of "name = value"; blank ones and those that begin with # say nothing.
void set_options(const OptionFields& fields, std::string_view text, const std::string& where);

// One "name = value" for each field.
std::vector<std::string> lines_of(const OptionFields& fields);

// The same as it was said before settings were renamed or added: what older records were made with still has these lines.
std::vector<std::string> former_lines_of(const OptionFields& fields);

// A field that older versions did not have; they did what it does with the value `as_before`.
OptionField added(OptionField field, std::string_view as_before);

// Error, beginning with `where`, unless every value is in its range: for values that did not come through set_option().
void check_options(const OptionFields& fields, std::string_view where);

template <class Options>
concept OptionStruct = requires(Options& options) {
  { fields(options) } -> std::same_as<OptionFields>;
};

// The same of a struct, which comes back as it is.
template <OptionStruct Options>
const Options& checked(const Options& options, std::string_view where) {
  Options copy = options;
  check_options(fields(copy), where);
  return options;
}

}  // namespace heatfront
