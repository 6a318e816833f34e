// SPDX-License-Identifier: MIT
// A table of text cells over one buffer, walked row by row; nothing is kept of a row once the next one is
// read, so a list of 10^8 edges costs no more than its text.
//
//   lines end in \n or \r\n; blank lines and lines that begin with # or % are skipped; a UTF-8 mark at the
//   start too; cells are trimmed of blanks; a cell in "quotes" is taken as it is, "" in it is one quote;
//   cells are separated by tabs, semicolons, commas or runs of blanks: the first of these, in this order,
//   that gives every one of the first lines the same number of cells, two or more.
#pragma once

#include <cstdint>
#include <deque>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "heatfront/base/utf8.h"

namespace heatfront {

enum class Delimiter : char { tab = '\t', semicolon = ';', comma = ',', blanks = ' ' };

class CsvRows;

class CsvTable {
 public:
  // Of a file, packed by gzip or not, or of a text that messages call `name`; the delimiter is found if not
  // given.
  explicit CsvTable(const std::filesystem::path& path, std::optional<Delimiter> delimiter = {});
  CsvTable(std::string text, std::string name, std::optional<Delimiter> delimiter = {});

  const std::string& name() const { return name_; }
  std::string_view text() const { return text_; }
  Delimiter delimiter() const { return delimiter_; }
  CsvRows rows() const;

 private:
  friend class CsvRows;

  std::string text_;
  std::string name_;
  bool ascii_ = true;
  Delimiter delimiter_ = Delimiter::comma;
};

// for (CsvRows rows = table.rows(); rows.next();) … rows.cells() …; the cells last until the next row is
// read.
class CsvRows {
 public:
  CsvRows(const CsvTable& table, Delimiter delimiter);

  bool next();                                 // false after the last row
  std::int64_t line() const { return line_; }  // where the row begins, counted from 1
  std::span<const std::string_view> cells() const { return cells_; }
  std::string place() const;  // "edges.csv:17", for messages

  // As next(), but what is wrong with the row goes to problem().
  bool try_next();
  const char* problem() const { return problem_; }

 private:
  bool find_line();
  void split_line();
  void take_plain_cell();
  void take_quoted_cell();
  void skip_blanks();
  bool at_end_of_line() const { return *at_ == '\n' || *at_ == '\0'; }
  bool at_delimiter() const { return *at_ == delimiter_ || (delimiter_ == ' ' && *at_ == '\t'); }

  const CsvTable* table_;
  char delimiter_;
  const char* at_;  // the text ends in '\0', and has no other
  std::int64_t line_ = 0;
  std::int64_t next_line_ = 1;
  std::vector<std::string_view> cells_;
  std::deque<std::string> unescaped_;  // cells of this row that had "" in them
  const char* problem_ = nullptr;
};

// Whether text can stand in a table: UTF-8 without control characters other than tab and line ends.
bool is_plain_text(std::string_view text);

}  // namespace heatfront
