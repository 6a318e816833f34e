// SPDX-License-Identifier: MIT
#include "heatfront/base/options.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <type_traits>
#include <utility>

#include "heatfront/base/fail.h"
#include "heatfront/base/nearest.h"
#include "heatfront/base/text.h"

namespace heatfront {
namespace {

template <class Number>
bool parse(std::string_view text, Number& number) {
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number);
  return error == std::errc() && stop == end;
}

bool parse(std::string_view text, bool& value) {
  value = text == "true" || text == "yes" || text == "1";
  return value || text == "false" || text == "no" || text == "0";
}

bool parse(std::string_view text, std::string& value) {
  value = text;
  return true;
}

// Comma between values; nothing at all is an empty list.
template <class Number>
bool parse(std::string_view text, std::vector<Number>& list) {
  list.clear();
  while (!text.empty()) {
    const std::size_t comma = text.find(',');
    Number number;
    if (!parse(trimmed(text.substr(0, comma)), number)) return false;
    list.push_back(number);
    text = comma == std::string_view::npos ? std::string_view() : text.substr(comma + 1);
  }
  return true;
}

bool within(const OptionRange& range, double value) {
  if (std::isinf(value)) return range.or_infinite && value > 0;
  return (range.above_least ? value > range.least : value >= range.least) &&
         (range.below_most ? value < range.most : value <= range.most);
}

bool within(const OptionRange& range, std::int64_t value) {
  return within(range, static_cast<double>(value));
}

bool within(const OptionRange&, bool) { return true; }

bool within(const OptionRange& range, const std::string& value) {
  return range.choices.empty() || std::ranges::count(range.choices, value, &OptionChoice::name) > 0;
}

template <class Number>
bool within(const OptionRange& range, const std::vector<Number>& values) {
  return std::ranges::all_of(values, [&](Number value) { return within(range, value); });
}

// "above 0", "from 0 to below 1"; empty where every finite number will do.
std::string ends_text(const OptionRange& range) {
  std::string text;
  if (std::isfinite(range.least) && std::isfinite(range.most)) {
    if (range.above_least && range.below_most) {
      text = fmt::format("between {} and {}", range.least, range.most);
    } else if (range.above_least) {
      text = fmt::format("above {} and at most {}", range.least, range.most);
    } else {
      text = fmt::format("from {} to {}{}", range.least, range.below_most ? "below " : "", range.most);
    }
  } else if (std::isfinite(range.least)) {
    text = range.above_least ? fmt::format("above {}", range.least) : fmt::format("{} or more", range.least);
  } else if (std::isfinite(range.most)) {
    text = fmt::format("{} {}", range.below_most ? "below" : "at most", range.most);
  }
  return range.or_infinite ? text + ", or inf" : text;
}

// "a number above 0", "a number, 0 or more", or the noun for any.
std::string numbers_text(std::string_view noun, std::string_view noun_for_any, const OptionRange& range) {
  const std::string ends = ends_text(range);
  if (ends.empty()) return std::string(noun_for_any);
  const bool reads_on = !(ends.front() >= '0' && ends.front() <= '9') && ends.front() != '-';
  return fmt::format("{}{}{}", noun, reads_on ? " " : ", ", ends);
}

// "a", "a or b", "a, b or c", each with what it is in brackets if that is asked for.
std::string choices_text(const std::vector<OptionChoice>& choices, bool explained) {
  std::string text;
  for (std::size_t i = 0; i < choices.size(); ++i) {
    if (i > 0) text += i + 1 == choices.size() ? " or " : ", ";
    text += choices[i].name;
    if (explained && !choices[i].what.empty()) text += fmt::format(" ({})", choices[i].what);
  }
  return text;
}

template <class Value>
std::string allowed(const OptionRange& range, const Value*) {
  if constexpr (std::is_same_v<Value, double>) return numbers_text("a number", "a finite number", range);
  if constexpr (std::is_same_v<Value, std::int64_t>)
    return numbers_text("a whole number", "a whole number", range);
  if constexpr (std::is_same_v<Value, bool>) return "true or false";
  if constexpr (std::is_same_v<Value, std::vector<double>>)
    return numbers_text("numbers", "finite numbers", range);
  if constexpr (std::is_same_v<Value, std::vector<std::int64_t>>)
    return numbers_text("whole numbers", "whole numbers", range);
  return range.choices.empty() ? "text" : choices_text(range.choices, false);
}

template <class Value>
constexpr bool kIsList =
    std::is_same_v<Value, std::vector<double>> || std::is_same_v<Value, std::vector<std::int64_t>>;

std::string text_of(bool value) { return value ? "true" : "false"; }
std::string text_of(const std::string& value) { return value; }
std::string text_of(double value) { return fmt::format("{}", value); }
std::string text_of(std::int64_t value) { return fmt::format("{}", value); }
template <class Number>
std::string text_of(const std::vector<Number>& values) {
  return join(values, ",");
}

}  // namespace

OptionRange at_least(double least) { return {.least = least}; }
OptionRange above(double least) { return {.least = least, .above_least = true}; }
OptionRange from_to(double least, double most) { return {.least = least, .most = most}; }
OptionRange from_to_below(double least, double most) {
  return {.least = least, .most = most, .below_most = true};
}
OptionRange between(double least, double most) {
  return {.least = least, .most = most, .above_least = true, .below_most = true};
}
OptionRange one_of(std::initializer_list<OptionChoice> choices) { return {.choices = choices}; }

bool is_called(const OptionField& field, std::string_view name) {
  return field.name == name ||
         (!name.empty() && std::ranges::count(field.former, name, &FormerSetting::name) > 0);
}

OptionFields joined(OptionFields first, const OptionFields& rest) {
  first.insert(first.end(), rest.begin(), rest.end());
  return first;
}

std::string text_of(const OptionField& field) {
  return std::visit([](const auto* value) { return text_of(*value); }, field.value);
}

std::string allowed(const OptionField& field) {
  return std::visit([&](const auto* value) { return allowed(field.range, value); }, field.value);
}

std::string help_of(const OptionField& field) {
  const std::string ends = ends_text(field.range), choices = choices_text(field.range.choices, true);
  return fmt::format("{}{}{} [{}{}{}]", field.what, choices.empty() ? "" : ": ", choices, text_of(field),
                     ends.empty() ? "" : "; ", ends);
}

void set_option(const OptionFields& fields, std::string_view name, std::string_view value,
                const std::string& where) {
  const auto field =
      std::ranges::find_if(fields, [&](const OptionField& entry) { return is_called(entry, name); });
  if (field == fields.end()) {
    std::vector<std::string_view> names;
    for (const OptionField& entry : fields) names.push_back(entry.name);
    fail("{}: unknown option '{}'{}; choose from: {}", where, name, did_you_mean(name, names),
         join(names, ", "));
  }
  if (field->name != name) {
    const auto former = std::ranges::find_if(field->former, [&](const FormerSetting& setting) {
      return setting.name == name && setting.value == value;
    });
    if (former == field->former.end())
      fail("{}: {} is '{}', but it is called {} now, which must be {}", where, name, value, field->name,
           allowed(*field));
    return set_option(fields, field->name, former->now, where);
  }
  std::visit(
      [&]<class Value>(Value* target) {
        Value parsed;
        if (!parse(value, parsed) || !within(field->range, parsed))
          fail("{}: {} is '{}', but must be {}{}", where, name, value, allowed(*field),
               kIsList<Value> ? ", with commas between them" : "");
        *target = std::move(parsed);
      },
      field->value);
}

void set_option(const OptionFields& fields, std::string_view assignment, const std::string& where) {
  const std::size_t equals = assignment.find('=');
  if (equals == std::string_view::npos) fail("{}: '{}' is not of the form name=value", where, assignment);
  set_option(fields, trimmed(assignment.substr(0, equals)), trimmed(assignment.substr(equals + 1)), where);
}

void set_options(const OptionFields& fields, std::string_view text, const std::string& where) {
  for (int number = 1; !text.empty(); ++number) {
    const std::size_t end = text.find('\n');
    const std::string_view line = trimmed(text.substr(0, end));
    text = end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
    if (!line.empty() && line.front() != '#') set_option(fields, line, fmt::format("{}:{}", where, number));
  }
}

std::vector<std::string> lines_of(const OptionFields& fields) {
  std::vector<std::string> lines;
  for (const OptionField& field : fields) lines.push_back(fmt::format("{} = {}", field.name, text_of(field)));
  return lines;
}

std::vector<std::string> former_lines_of(const OptionFields& fields) {
  std::vector<std::string> lines;
  for (const OptionField& field : fields) {
    const std::string value = text_of(field);
    const auto former = std::ranges::find(field.former, value, &FormerSetting::now);
    if (former == field.former.end()) {
      lines.push_back(fmt::format("{} = {}", field.name, value));
    } else if (!former->name.empty()) {
      lines.push_back(fmt::format("{} = {}", former->name, former->value));
    }
  }
  return lines;
}

OptionField added(OptionField field, std::string_view as_before) {
  field.former.push_back({.name = {}, .value = {}, .now = as_before});
  return field;
}

void check_options(const OptionFields& fields, std::string_view where) {
  for (const OptionField& field : fields) {
    const bool right =
        std::visit([&](const auto* value) { return within(field.range, *value); }, field.value);
    if (!right) fail("{}: {} is '{}', but must be {}", where, field.name, text_of(field), allowed(field));
  }
}

}  // namespace heatfront
