// SPDX-License-Identifier: MIT
#include "heatfront_experiment/search/search_range.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <optional>

#include "heatfront/base/fail.h"
#include "heatfront/base/text.h"

namespace heatfront {
namespace {

constexpr double kNearby = 0.125;         // of a range, to either side
constexpr double kStay = 0.75;            // how often a choice stays
constexpr double kLargestWhole = 0x1p53;  // up to here every whole number is a double

struct KindEntry {
  std::string_view word;
  RangeKind kind;
};
constexpr std::array<KindEntry, 4> kRangeKinds = {{{"log", RangeKind::log},
                                                   {"uniform", RangeKind::uniform},
                                                   {"integer", RangeKind::integer},
                                                   {"choice", RangeKind::choice}}};

std::optional<double> number_in(std::string_view text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool whole = error == std::errc() && end == text.data() + text.size() && std::isfinite(value);
  return whole ? std::optional(value) : std::nullopt;
}

// "LOW HIGH", with what its kind asks of them.
void parse_ends(std::string_view text, const std::string& where, SearchRange& range) {
  const std::vector<std::string> words = split_at(text, ' ');
  const auto low = words.size() == 2 ? number_in(words[0]) : std::nullopt;
  const auto high = words.size() == 2 ? number_in(words[1]) : std::nullopt;
  if (!low || !high || *low > *high)
    fail("{}: {} has the range '{}'; write LOW HIGH, two numbers with LOW first", where, range.name, text);
  if (range.kind == RangeKind::log && *low <= 0)
    fail("{}: {} begins at {}; a log range must begin above 0", where, range.name, *low);
  if (range.kind == RangeKind::integer && (*low != std::floor(*low) || *high != std::floor(*high)))
    fail("{}: {} has the range '{}'; an integer range has whole numbers", where, range.name, text);
  if (range.kind == RangeKind::integer && std::max(-*low, *high) > kLargestWhole)
    fail("{}: {} has the range '{}'; integers are drawn from -2^53 to 2^53", where, range.name, text);
  range.low = *low;
  range.high = *high;
}

std::string four_digits(double value) { return fmt::format("{:.4g}", value); }

// The value at share u of low … high.
std::string number_at(RangeKind kind, double low, double high, double u) {
  if (kind == RangeKind::integer)
    return fmt::format("{}", static_cast<std::int64_t>(low + std::floor((high - low + 1) * u)));
  if (kind == RangeKind::log) return four_digits(low * std::pow(high / low, u));
  return four_digits(low + (high - low) * u);
}

const std::string& choice_at(const std::vector<std::string>& values, double u) {
  const auto i = static_cast<std::size_t>(u * static_cast<double>(values.size()));
  return values[std::min(i, values.size() - 1)];
}

}  // namespace

SearchRange parse_range(std::string_view line, const std::string& where) {
  const std::size_t equals = line.find('=');
  SearchRange range{.name = std::string(trimmed(line.substr(0, equals)))};
  if (equals == std::string_view::npos || range.name.empty())
    fail("{}: '{}' is not of the form name = value or name = log|uniform|integer|choice …", where, line);
  const std::string_view value = trimmed(line.substr(equals + 1));
  const std::string_view word = value.substr(0, value.find_first_of(" \t"));
  const auto entry = std::ranges::find(kRangeKinds, word, &KindEntry::word);
  if (entry == kRangeKinds.end()) {
    range.values = {std::string(value)};
    return range;
  }
  range.kind = entry->kind;
  const std::string_view rest = trimmed(value.substr(word.size()));
  if (range.kind != RangeKind::choice) {
    parse_ends(rest, where, range);
  } else if (range.values = split_at(rest, '|'); range.values.empty()) {
    fail("{}: {} has nothing to choose from; write choice A | B", where, range.name);
  }
  return range;
}

std::string text_of(const SearchRange& range) {
  if (range.kind == RangeKind::fixed) return fmt::format("{} = {}", range.name, range.values[0]);
  const std::string_view word = std::ranges::find(kRangeKinds, range.kind, &KindEntry::kind)->word;
  if (range.kind == RangeKind::choice)
    return fmt::format("{} = {} {}", range.name, word, join(range.values, " | "));
  return fmt::format("{} = {} {} {}", range.name, word, range.low, range.high);
}

std::string draw(const SearchRange& range, double u) {
  if (!range.values.empty()) return choice_at(range.values, u);
  return number_at(range.kind, range.low, range.high, u);
}

std::string draw_near(const SearchRange& range, const std::string& centre, double u) {
  if (!range.values.empty()) return u < kStay ? centre : choice_at(range.values, (u - kStay) / (1 - kStay));
  const double middle = *number_in(centre);
  double low = 0, high = 0;
  if (range.kind == RangeKind::log) {
    const double factor = std::pow(range.high / range.low, kNearby);
    low = middle / factor;
    high = middle * factor;
  } else {
    double reach = (range.high - range.low) * kNearby;
    if (range.kind == RangeKind::integer) reach = std::max(1.0, std::round(reach));
    low = middle - reach;
    high = middle + reach;
  }
  return number_at(range.kind, std::max(low, range.low), std::min(high, range.high), u);
}

}  // namespace heatfront
