// SPDX-License-Identifier: MIT
#include "cli/flags.h"

#include <CLI/CLI.hpp>
#include <charconv>
#include <cstdint>
#include <filesystem>
#include <sstream>
#include <vector>

namespace heatfront::cli {
namespace {

constexpr std::size_t kColumns = 100;     // of a terminal
constexpr std::size_t kFlagColumns = 30;  // of them taken by the names of flags

// The line broken at blanks into such of at most `width` characters, all but the first indented.
std::string wrapped(std::string line, std::size_t width, std::size_t indent = 0) {
  std::string text;
  while (line.size() > width) {
    const std::size_t blank = line.rfind(' ', width);
    if (blank == line.npos || blank <= indent) break;
    text += line.substr(0, blank) + "\n";
    line = std::string(indent, ' ') + line.substr(blank + 1);
  }
  return text + line;
}

std::string beside_flag(const std::string& what) { return wrapped(what, kColumns - kFlagColumns); }

}  // namespace

template <class Value>
void Flags::option(const std::string& names, Value& value, const std::string& what,
                   const std::string& placeholder) {
  CLI::Option* option = app_.add_option(names, value, beside_flag(what))->option_text(placeholder);
  if constexpr (std::is_arithmetic_v<Value>) {
    option->option_text(placeholder + " [" + CLI::detail::to_string(value) + "]");
  } else if constexpr (std::is_same_v<Value, std::string>) {
    if (!value.empty()) option->option_text(placeholder + " [" + value + "]");
  } else if constexpr (std::is_same_v<Value, std::vector<std::string>>) {
    option->allow_extra_args(false);  // one a flag, which may be repeated
  }
}

template <class Value>
void Flags::argument(const std::string& name, Value& value, const std::string& what) {
  app_.add_option(name, value, beside_flag(what))->required();
}

void Flags::optional_argument(const std::string& name, std::string& value, const std::string& what) {
  app_.add_option(name, value, beside_flag(what));
}

void Flags::flag(const std::string& name, bool& value, const std::string& what) {
  app_.add_flag(name, value, beside_flag(what));
}

void Flags::appendix(const std::string& text, std::size_t column) {
  app_.footer(fitted(text, column) + "\n" + app_.get_footer());
}

std::string fitted(const std::string& text, std::size_t column) {
  std::string lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines += wrapped(line, kColumns, column) + "\n";
  return lines;
}

using Text = const std::string&;
template void Flags::option(Text, std::string&, Text, Text);
template void Flags::option(Text, std::filesystem::path&, Text, Text);
template void Flags::option(Text, int&, Text, Text);
template void Flags::option(Text, std::int64_t&, Text, Text);
template void Flags::option(Text, std::uint32_t&, Text, Text);
template void Flags::option(Text, std::uint64_t&, Text, Text);
template void Flags::option(Text, double&, Text, Text);
template void Flags::option(Text, std::optional<double>&, Text, Text);
template void Flags::option(Text, std::optional<std::int64_t>&, Text, Text);
template void Flags::option(Text, std::vector<std::string>&, Text, Text);
template void Flags::argument(Text, std::string&, Text);
template void Flags::argument(Text, std::filesystem::path&, Text);

std::optional<double> parse_number(std::string_view text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size() ? std::optional(value) : std::nullopt;
}

}  // namespace heatfront::cli
