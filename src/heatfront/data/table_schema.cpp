// SPDX-License-Identifier: MIT
#include "heatfront/data/table_schema.h"

#include <algorithm>
#include <cctype>
#include <chrono>
#include <cmath>
#include <limits>
#include <utility>

#include "heatfront/base/checks.h"
#include "heatfront/base/parse_number.h"
#include "heatfront/base/text.h"
#include "heatfront/base/utf8.h"

namespace heatfront {
namespace {

constexpr std::array<std::string_view, 4> kKindNames = {"number", "date", "category", "unused"};
constexpr std::array<std::string_view, kDateForms> kFormNames = {"year-month-day", "day.month.year",
                                                                 "day/month/year", "month/day/year"};

constexpr double kMostly = 0.9;  // of the cells of a number or date column are such; the others are mistakes
constexpr std::size_t kMostCounted = 100'000;  // different texts; a column of more is no category
constexpr std::size_t kLongestMissingWord = 8;

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// Takes so many digits, at least `least`, off the front.
std::optional<int> take_digits(std::string_view& text, std::size_t least, std::size_t most) {
  std::size_t count = 0;
  int number = 0;
  while (count < most && count < text.size() && is_digit(text[count]))
    number = 10 * number + (text[count++] - '0');
  if (count < least) return std::nullopt;
  text.remove_prefix(count);
  return number;
}

bool take(std::string_view& text, char mark) {
  if (!text.starts_with(mark)) return false;
  text.remove_prefix(1);
  return true;
}

// Behind a date: nothing, or T12:30, 12:30:15, 12:30:15.25, with Z or +02:00 behind it. As a share of a day.
std::optional<double> time_of_day(std::string_view text) {
  if (text.empty()) return 0;
  if (!take(text, 'T') && !take(text, ' ')) return std::nullopt;
  const auto hours = take_digits(text, 2, 2);
  if (!hours || *hours > 24 || !take(text, ':')) return std::nullopt;
  const auto minutes = take_digits(text, 2, 2);
  if (!minutes || *minutes > 59) return std::nullopt;
  double seconds = 3600.0 * *hours + 60.0 * *minutes;
  if (take(text, ':')) {
    const auto whole = take_digits(text, 2, 2);
    if (!whole || *whole > 60) return std::nullopt;
    seconds += *whole;
    if (take(text, '.')) {
      const std::size_t digits = std::min(text.find_first_not_of("0123456789"), text.size());
      if (digits == 0) return std::nullopt;
      text.remove_prefix(digits);  // parts of a second
    }
  }
  if (text.starts_with('+') || text.starts_with('-')) {
    const double sign = text[0] == '+' ? -1 : 1;  // two hours east of Greenwich is two hours earlier there
    text.remove_prefix(1);
    const auto zone = take_digits(text, 2, 2);
    take(text, ':');
    const auto rest = take_digits(text, 2, 2);
    if (!zone || !rest) return std::nullopt;
    seconds += sign * (3600.0 * *zone + 60.0 * *rest);
  } else {
    take(text, 'Z');
  }
  if (!text.empty()) return std::nullopt;
  return seconds / 86400;
}

std::optional<double> days_of(int year, int month, int day) {
  using namespace std::chrono;
  const year_month_day date{std::chrono::year(year), std::chrono::month(static_cast<unsigned>(month)),
                            std::chrono::day(static_cast<unsigned>(day))};
  if (!date.ok()) return std::nullopt;
  return static_cast<double>(sys_days(date).time_since_epoch().count());
}

// Points group digits by three: 1.234.567, also with a comma and decimals behind.
bool has_grouped_digits(std::string_view digits, char mark) {
  std::size_t group = std::min(digits.find(mark), digits.size());
  if (group == digits.size() || group == 0 || group > 3) return false;
  if (!std::ranges::all_of(digits.substr(0, group), is_digit)) return false;
  for (digits.remove_prefix(group); !digits.empty(); digits.remove_prefix(4)) {
    if (digits.size() < 4 || digits[0] != mark || !std::ranges::all_of(digits.substr(1, 3), is_digit))
      return false;
  }
  return true;
}

std::string unnamed(std::string_view name) { return name.empty() ? "(unnamed)" : std::string(name); }

}  // namespace

std::string_view name_of(ColumnKind kind) { return kKindNames[static_cast<std::size_t>(kind)]; }

std::optional<ColumnKind> find_column_kind(std::string_view name) {
  const auto found = std::ranges::find(kKindNames, name);
  if (found == kKindNames.end()) return std::nullopt;
  return static_cast<ColumnKind>(found - kKindNames.begin());
}

std::string_view name_of(DateForm form) { return kFormNames[static_cast<std::size_t>(form)]; }

std::int64_t TableColumn::width() const {
  const std::int64_t missing_mark = marks_missing ? 1 : 0;
  switch (kind) {
    case ColumnKind::unused: return 0;
    case ColumnKind::category: return std::ssize(categories) + (pools ? 1 : 0) + missing_mark;
    default: return 1 + missing_mark;
  }
}

bool TableSchema::is_plain() const {
  return !marks_no_row && std::ranges::all_of(columns, [](const TableColumn& column) {
    return column.kind == ColumnKind::number && !column.marks_missing;
  });
}

std::int64_t TableSchema::width() const {
  std::int64_t width = marks_no_row ? 1 : 0;
  for (const TableColumn& column : columns) width += column.width();
  return width;
}

std::vector<std::string> TableSchema::feature_names() const {
  std::vector<std::string> names;
  for (const TableColumn& column : columns) {
    if (column.kind == ColumnKind::unused) continue;
    if (column.kind == ColumnKind::number) names.push_back(column.name);
    if (column.kind == ColumnKind::date)
      names.push_back(fmt::format("{} (days since {})", column.name, date_text(column.first_day)));
    for (const std::string& category : column.categories) names.push_back(column.name + "=" + category);
    if (column.pools) names.push_back(column.name + "=(other)");
    if (column.marks_missing) names.push_back(column.name + " (missing)");
  }
  if (marks_no_row) names.emplace_back("(no row)");
  return names;
}

CellKind encode(const TableColumn& column, std::string_view cell, std::span<Real> numbers) {
  if (column.kind == ColumnKind::unused) return CellKind::value;
  const bool missing = is_missing(cell);
  double value = column.fill;
  CellKind kind = missing ? CellKind::missing : CellKind::value;
  if (column.kind == ColumnKind::category) {
    std::ranges::fill(numbers, Real(0));
    auto place = static_cast<std::size_t>(column.fill);
    if (!missing) {
      const auto known = std::ranges::lower_bound(column.categories, cell);
      const bool has_column = known != column.categories.end() && *known == cell;
      if (!has_column && !column.pools) return CellKind::unseen;
      place =
          has_column ? static_cast<std::size_t>(known - column.categories.begin()) : column.categories.size();
    }
    numbers[place] = 1;
  } else {
    if (!missing && column.kind == ColumnKind::number) {
      const auto number = parse_cell(cell, column.decimal_comma);
      if (!number || !std::isfinite(*number)) return CellKind::wrong;
      numbers[0] = *number;
    } else {
      if (!missing) {
        const auto days = parse_date(cell, column.form);
        if (!days) return CellKind::wrong;
        value = *days - static_cast<double>(column.first_day);
      }
      numbers[0] = static_cast<Real>(value);
    }
  }
  if (column.marks_missing) numbers.back() = missing ? Real(1) : Real(0);
  return kind;
}

void encode_no_row(const TableSchema& schema, std::span<Real> numbers) {
  std::size_t begin = 0;
  for (const TableColumn& column : schema.columns) {
    encode(column, "", numbers.subspan(begin, at(column.width())));
    begin += at(column.width());
  }
  if (schema.marks_no_row) numbers.back() = 1;
}

bool is_missing(std::string_view cell) {
  constexpr std::array<std::string_view, 14> kWords = {
      "", "?", "-", "na", "n/a", "#n/a", "<na>", "nan", "null", "none", "nil", "unknown", "missing", "#na"};
  if (cell.size() > kLongestMissingWord) return false;
  std::string lower(cell);
  for (char& c : lower) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return std::ranges::find(kWords, lower) != kWords.end();
}

// 1,234.5 or 12 %, and with a decimal comma 1.234,5: before the decimal mark, marks that group digits go; it becomes a point.
std::optional<Real> parse_cell(std::string_view cell, bool decimal_comma) {
  if (cell.ends_with('%')) cell = trimmed(cell.substr(0, cell.size() - 1));
  const char decimal = decimal_comma ? ',' : '.', mark = decimal_comma ? '.' : ',';
  const auto point = std::ranges::find(cell, decimal);
  std::string whole(cell.begin(), point);
  const bool has_sign = whole.starts_with('-') || whole.starts_with('+');
  if (has_grouped_digits(std::string_view(whole).substr(has_sign ? 1 : 0), mark)) std::erase(whole, mark);
  if (point == cell.end()) return parse_real(whole);
  if (std::ranges::count(whole, mark) > 0) return std::nullopt;
  return parse_real(whole.append(1, '.').append(point + 1, cell.end()));
}

std::optional<double> parse_date(std::string_view cell, DateForm form) {
  std::optional<int> year, month, day;
  if (form == DateForm::year_first) {
    year = take_digits(cell, 4, 4);
    const char mark = cell.starts_with('/') ? '/' : '-';
    if (!year || !take(cell, mark)) return std::nullopt;
    month = take_digits(cell, 1, 2);
    if (!month || !take(cell, mark)) return std::nullopt;
    day = take_digits(cell, 1, 2);
  } else {
    const char mark = form == DateForm::day_dots ? '.' : '/';
    day = take_digits(cell, 1, 2);
    if (!day || !take(cell, mark)) return std::nullopt;
    month = take_digits(cell, 1, 2);
    if (!month || !take(cell, mark)) return std::nullopt;
    year = take_digits(cell, 4, 4);
    if (form == DateForm::month_slashes) std::swap(day, month);
  }
  if (!year || !month || !day) return std::nullopt;
  const auto days = days_of(*year, *month, *day);
  const auto time = time_of_day(cell);
  if (!days || !time) return std::nullopt;
  return *days + *time;
}

std::string date_text(std::int64_t day) {
  const std::chrono::year_month_day date{std::chrono::sys_days(std::chrono::days(day))};
  return fmt::format("{:04}-{:02}-{:02}", static_cast<int>(date.year()), static_cast<unsigned>(date.month()),
                     static_cast<unsigned>(date.day()));
}

ColumnLearner::ColumnLearner(std::string name, bool may_have_decimal_commas)
    : may_have_decimal_commas_(may_have_decimal_commas) {
  column_.name = std::move(name);
}

void ColumnLearner::add(std::string_view cell) {
  const auto plain =
      may_have_decimal_commas_ && cell.find(',') != cell.npos ? parse_real(cell) : parse_cell(cell, false);
  const bool is_plain = plain && !std::isnan(*plain);
  if (!is_plain && is_missing(cell)) {
    ++column_.missing;
    return;
  }
  ++cells_;
  if (column_.example.empty()) column_.example = shown(cell);
  const auto comma = may_have_decimal_commas_ ? parse_cell(cell, true) : std::nullopt;
  if (comma && !is_plain) column_.decimal_comma = true;
  if (is_plain || comma) {
    ++numbers_;
    if (is_plain && std::isfinite(*plain)) sum_ += static_cast<double>(*plain);
    const auto with_comma = static_cast<double>(comma.value_or(std::numeric_limits<Real>::infinity()));
    if (std::isfinite(with_comma)) comma_sum_ += with_comma;
    return;
  }
  if (!may_have_decimal_commas_ && parse_cell(cell, true)) ++unread_numbers_;
  if (cell.empty() || !is_digit(cell[0])) return;
  for (std::size_t form = 0; form < kDateForms; ++form) {
    const auto day = parse_date(cell, static_cast<DateForm>(form));
    if (!day) continue;
    Days& days = days_[form];
    days.least = days.count == 0 ? *day : std::min(days.least, *day);
    days.sum += *day;
    ++days.count;
  }
}

bool ColumnLearner::mostly(std::int64_t count) const {
  return count > 0 && static_cast<double>(count) >= kMostly * static_cast<double>(cells_);
}

bool ColumnLearner::is_ambiguous_date() const {
  const std::int64_t count = days_[static_cast<std::size_t>(DateForm::day_slashes)].count;
  return mostly(count) && count == days_[static_cast<std::size_t>(DateForm::month_slashes)].count;
}

std::optional<DateForm> ColumnLearner::form() const {
  const auto best = std::ranges::max_element(days_, {}, &Days::count);
  if (!mostly(best->count) || is_ambiguous_date()) return std::nullopt;
  return static_cast<DateForm>(best - days_.begin());
}

bool ColumnLearner::is_text() const {
  return cells_ > 0 && !mostly(numbers_) && !form() && !is_ambiguous_date();
}

void ColumnLearner::count(std::string_view cell) {
  if (is_missing(cell)) return;
  const auto known = counts_.find(cell);
  if (known != counts_.end()) {
    ++known->second;
  } else if (counts_.size() < kMostCounted) {
    counts_.emplace(cell, 1);
  } else {
    too_many_ = true;
  }
}

void ColumnLearner::finish_categories(TableColumn& column) const {
  const auto different = std::ssize(counts_);
  const std::string numbers =
      mostly(unread_numbers_) ? "; for numbers with decimal commas, separate cells by semicolons" : "";
  if (too_many_ || (different > kMostCategories && 2 * different > cells_)) {
    column.kind = ColumnKind::unused;
    column.why = "a different value in nearly every row" + numbers;
    return;
  }
  std::vector<std::pair<std::int64_t, std::string>> frequent;
  for (const auto& [value, count] : counts_) {
    if (count >= kFewestOfCategory) frequent.emplace_back(-count, value);
  }
  std::ranges::sort(frequent);
  if (std::ssize(frequent) > kMostCategories) frequent.resize(at(kMostCategories));
  column.pools = std::ssize(frequent) < different;
  if (frequent.empty() || (different == 1 && column.missing == 0)) {
    column.kind = ColumnKind::unused;
    column.pools = false;
    column.why = frequent.empty() ? "a different value in every row" + numbers : "the same in every row";
    return;
  }
  for (auto& [count, value] : frequent) column.categories.push_back(value);
  const std::string mode = column.categories.front();
  std::ranges::sort(column.categories);
  column.fill =
      static_cast<double>(std::ranges::lower_bound(column.categories, mode) - column.categories.begin());
}

TableColumn ColumnLearner::column() const {
  TableColumn column = column_;
  if (mostly(numbers_)) {
    column.kind = ColumnKind::number;
    constexpr auto kLargest =
        static_cast<double>(kLargestNumber);  // which the mean of such exceeds by rounding
    const double sum = column.decimal_comma ? comma_sum_ : sum_;
    column.fill = std::clamp(sum / static_cast<double>(numbers_), -kLargest, kLargest);
  } else if (const auto date = form()) {
    const Days& days = days_[static_cast<std::size_t>(*date)];
    column.kind = ColumnKind::date;
    column.form = *date;
    column.first_day = static_cast<std::int64_t>(std::floor(days.least));
    column.fill = days.sum / static_cast<double>(days.count) - static_cast<double>(column.first_day);
  } else if (cells_ == 0 || is_ambiguous_date()) {
    column.kind = ColumnKind::unused;
    column.why = cells_ == 0 ? "empty in every row"
                             : "dates that could be day/month or month/day; write them as 2024-03-31";
  } else {
    column.kind = ColumnKind::category;
    finish_categories(column);
  }
  if (column.kind != ColumnKind::number) column.decimal_comma = false;
  column.marks_missing = column.kind != ColumnKind::unused && column.missing > 0;
  return column;
}

void check(const TableSchema& schema, std::int64_t width, const std::string& where) {
  constexpr double kMostDays = 4e6;  // of the years 0 to 9999
  for (const TableColumn& column : schema.columns) {
    const std::string name = unnamed(column.name);
    if (!std::isfinite(column.fill) || std::abs(column.fill) > static_cast<double>(kLargestNumber))
      fail("{}: column '{}' of the table is filled with {}; it must be a finite number", where, shown(name),
           column.fill);
    if (column.kind == ColumnKind::date && std::abs(static_cast<double>(column.first_day)) > kMostDays)
      fail("{}: column '{}' of the table counts from day {}, which is no date", where, shown(name),
           column.first_day);
    const bool places = column.fill >= 0 && column.fill < static_cast<double>(column.categories.size());
    if (column.kind == ColumnKind::category ? !places || !std::ranges::is_sorted(column.categories)
                                            : !column.categories.empty() || column.pools)
      fail(
          "{}: column '{}' of the table has categories that cannot be: sorted ones are needed, and one that "
          "is "
          "the most frequent",
          where, shown(name));
  }
  if (schema.present() && schema.width() != width)
    fail("{}: the table makes {}, but there are {}", where, counted(schema.width(), "feature"), width);
}

}  // namespace heatfront
