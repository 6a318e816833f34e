// SPDX-License-Identifier: MIT
// How the cells of a table of features become numbers, learned once and kept, so that later rows are read alike:
//
//     number     its value
//     date       days since the earliest date of the column
//     category   a column of 0 and 1 for each value, and one for all rarer values together
//     unused     nothing: the same in every row, another in nearly every row, or empty
//
// A missing cell gets the mean of its column (of categories the most frequent one), and a column that is 1 there says so.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "heatfront/base/types.h"

namespace heatfront {

enum class ColumnKind { number, date, category, unused };
std::string_view name_of(ColumnKind kind);
std::optional<ColumnKind> find_column_kind(std::string_view name);

// 2024-03-31 (also 2024/03/31, and with a time of day behind it), 31.3.2024, 31/3/2024, 3/31/2024.
enum class DateForm { year_first, day_dots, day_slashes, month_slashes };
inline constexpr std::size_t kDateForms = 4;
std::string_view name_of(DateForm form);  // "year-month-day", "day.month.year", …

// Values of a column that have a column of their own: the most frequent ones, so many at most, in at least so many rows.
inline constexpr std::int64_t kMostCategories = 40;
inline constexpr std::int64_t kFewestOfCategory = 2;

struct TableColumn {
  std::string name;
  ColumnKind kind = ColumnKind::number;
  bool decimal_comma = false;  // numbers are written 1.234,5
  DateForm form = DateForm::year_first;
  std::int64_t first_day = 0;           // from which days are counted, itself counted from 1970-01-01
  std::vector<std::string> categories;  // sorted; those that have a column
  bool pools = false;                   // all others have one together
  double fill = 0;             // where nothing is said: the mean, of categories the place of the mode
  bool marks_missing = false;  // the last column says where it is
  std::int64_t missing = 0;    // cells, while learning
  std::string example;         // the first cell that says something
  std::string why;             // it is unused

  std::int64_t width() const;
};

struct TableSchema {
  std::vector<TableColumn>
      columns;                // as they stand in the table, without that of the nodes; none: nothing is known
  bool marks_no_row = false;  // the last column says which nodes have no row
  std::int64_t rows = 0;      // from which it was learned

  bool present() const { return !columns.empty(); }
  bool is_plain() const;  // a number per column, and none missing
  std::int64_t width() const;
  std::vector<std::string> feature_names()
      const;  // "income", "country=DE", "country=(other)", "income (missing)"
};

enum class CellKind { value, missing, unseen, wrong };

// The numbers of a cell, column.width() of them; the one place where that is done. `unseen`: a value that has no
// column, all 0. `wrong`: no number or date where there must be one; nothing is written.
CellKind encode(const TableColumn& column, std::string_view cell, std::span<Real> numbers);

// A whole row of a node that has none.
void encode_no_row(const TableSchema& schema, std::span<Real> numbers);

// Nothing, ?, -, NA, N/A, NaN, null, none, nil, unknown, missing, in upper or lower case.
bool is_missing(std::string_view cell);

// A number as tables have it; with a decimal comma, points group digits by three.
std::optional<Real> parse_cell(std::string_view cell, bool decimal_comma);

// Days since 1970-01-01, with the time of day behind the point.
std::optional<double> parse_date(std::string_view cell, DateForm form);
std::string date_text(std::int64_t day);  // 2024-03-31

// Learns a column from its cells: add() all of them; where is_text(), count() all of them as well; then column().
class ColumnLearner {
 public:
  ColumnLearner(std::string name, bool may_have_decimal_commas);

  void add(std::string_view cell);
  bool is_text() const;
  void count(std::string_view cell);
  TableColumn column() const;

 private:
  struct Days {
    std::int64_t count = 0;
    double sum = 0;
    double least = 0;
  };

  bool mostly(std::int64_t count) const;
  std::optional<DateForm> form() const;
  bool is_ambiguous_date() const;
  void finish_categories(TableColumn& column) const;

  TableColumn column_;
  bool may_have_decimal_commas_;
  std::int64_t cells_ = 0, numbers_ = 0;
  std::int64_t unread_numbers_ = 0;  // with decimal commas, where there may be none
  double sum_ = 0, comma_sum_ = 0;
  std::array<Days, kDateForms> days_;
  std::map<std::string, std::int64_t, std::less<>> counts_;
  bool too_many_ = false;
};

// Error (beginning with `where`) unless it makes sense; `width` is that of the features, which it must make.
void check(const TableSchema& schema, std::int64_t width, const std::string& where);

}  // namespace heatfront
