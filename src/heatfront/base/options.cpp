// SPDX-License-Identifier: MIT
#include "heatfront/base/options.h"

#include <charconv>
#include <cmath>
#include <type_traits>

#include "heatfront/base/fail.h"
#include "heatfront/base/text.h"

namespace heatfront {
namespace {

template <class Number>
bool parse(std::string_view text, Number& number) {
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc() || stop != end) return false;
  if constexpr (std::is_floating_point_v<Number>) return std::isfinite(number);
  return true;
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

template <class Value>
std::string_view kind_of(const Value*) {
  if constexpr (std::is_same_v<Value, double>) return "a number";
  if constexpr (std::is_same_v<Value, std::int64_t>) return "a whole number";
  if constexpr (std::is_same_v<Value, bool>) return "true or false";
  if constexpr (std::is_same_v<Value, std::vector<double>>) return "numbers with commas between them";
  if constexpr (std::is_same_v<Value, std::vector<std::int64_t>>)
    return "whole numbers with commas between them";
  return "text";
}

std::string text_of(bool value) { return value ? "true" : "false"; }
std::string text_of(const std::string& value) { return value; }
std::string text_of(double value) { return fmt::format("{}", value); }
std::string text_of(std::int64_t value) { return fmt::format("{}", value); }
template <class Number>
std::string text_of(const std::vector<Number>& values) {
  return join(values, ",");
}

}  // namespace

OptionFields joined(OptionFields first, const OptionFields& rest) {
  first.insert(first.end(), rest.begin(), rest.end());
  return first;
}

std::string text_of(const OptionField& field) {
  return std::visit([](const auto* value) { return text_of(*value); }, field.value);
}

void set_option(const OptionFields& fields, std::string_view name, std::string_view value,
                const std::string& where) {
  std::string names;
  for (const OptionField& field : fields) {
    names += (names.empty() ? "" : ", ") + std::string(field.name);
    if (field.name != name) continue;
    std::visit(
        [&](auto* target) {
          auto parsed = *target;
          if (!parse(value, parsed))
            fail("{}: {} is '{}', but must be {}", where, name, value, kind_of(target));
          *target = std::move(parsed);
        },
        field.value);
    return;
  }
  fail("{}: unknown option '{}'; there are: {}", where, name, names);
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

}  // namespace heatfront
