// SPDX-License-Identifier: MIT
// A table of text cells over one buffer, walked row by row; nothing is kept of a row once the next one is
// read, so a list of 10^8 edges costs no more than its text.
//
//   lines end in \n or \r\n; blank lines and lines that begin with # or % are skipped; a UTF-8 mark at the
//   start too; cells are trimmed of blanks; a cell in "quotes" is taken as it is, "" in it is one quote;
//   cells are separated by tabs, semicolons, commas or runs of blanks: the first of these, in this order,
//   that gives every one of the first lines the same number of cells, two or more. Where the first line says sep=; it is
//   that one, and the line is skipped.
#pragma once

#include <cstdint>
#include <deque>
#include <filesystem>
#include <initializer_list>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "heatfront/base/utf8.h"
#include "heatfront_io/files/mapped_text.h"
#include "heatfront_io/tables/problems.h"

namespace heatfront {

enum class Delimiter : char { tab = '\t', semicolon = ';', comma = ',', blanks = ' ' };

class CsvRows;

class CsvTable {
 public:
  // Of a file, packed by gzip or not (- is standard input), or of a text that messages call `name`; the delimiter is
  // found if not given.
  explicit CsvTable(const std::filesystem::path& path, std::optional<Delimiter> delimiter = {});
  CsvTable(std::string text, std::string name, std::optional<Delimiter> delimiter = {});
  // Of a text that need not be held; it must be '\0' at its end.
  CsvTable(std::shared_ptr<const MappedText> text, std::string name, std::optional<Delimiter> delimiter = {});

  const std::string& name() const { return name_; }
  std::string_view text() const { return text_; }
  Delimiter delimiter() const { return delimiter_; }
  CsvRows rows() const;

 private:
  friend class CsvRows;

  CsvTable(std::shared_ptr<const void> holder, std::string_view text, std::string name,
           std::optional<Delimiter> delimiter);
  std::optional<Delimiter> take_separator_line();

  std::shared_ptr<const void> holder_;
  std::string_view text_;
  std::string name_;
  std::size_t begin_ = 0;        // of the first row in text_
  std::int64_t first_line_ = 1;  // which line that is
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

  // As next(), but rows with something wrong are problems, and passed over.
  bool next(Problems& problems);

  // As next(), but what is wrong with the row goes to problem().
  bool try_next();
  const char* problem() const { return problem_; }

  // Where the row at hand begins; go_to() makes it the next one, of any rows of the same table.
  struct Place {
    const char* at = nullptr;
    std::int64_t line = 0;
  };
  Place row_place() const { return {row_, line_}; }
  void go_to(Place place);

 private:
  bool find_line();
  void skip_rest_of_line();
  void split_line();
  void take_plain_cell();
  void take_quoted_cell();
  void skip_blanks();
  bool at_end_of_line() const { return *at_ == '\n' || *at_ == '\0'; }
  bool at_delimiter() const { return *at_ == delimiter_ || (delimiter_ == ' ' && *at_ == '\t'); }

  const CsvTable* table_;
  char delimiter_;
  const char* at_;  // the text ends in '\0', and has no other
  const char* row_ = nullptr;
  std::int64_t line_ = 0;
  std::int64_t next_line_;
  std::vector<std::string_view> cells_;
  std::deque<std::string> unescaped_;  // cells of this row that had "" in them
  const char* problem_ = nullptr;
};

// The names by which a column is known, in small letters without blanks, - and _: "Node ID" is "nodeid".
using ColumnNames = std::span<const std::string_view>;

inline constexpr std::string_view kNodeNames[] = {"node",     "nodeid", "id",    "name",
                                                  "nodename", "index",  "vertex"};
inline constexpr std::string_view kLabelNames[] = {"label", "class",     "category", "target",
                                                   "y",     "community", "classname"};

// Whether two names of columns are the same but for case, blanks, - and _.
bool same_name(std::string_view a, std::string_view b);

// What later rows are held to.
struct FirstRow {
  std::size_t width = 0;
  std::int64_t line = 0;
};

// Throws "edges.csv:17: 3 columns, but line 1 has 4" unless the row at hand is as wide; or makes that a problem, and is false.
void require_width(const CsvRows& rows, const FirstRow& first);
bool has_width(const CsvRows& rows, const FirstRow& first, Problems& problems);

// Whether the first row of a table names its columns, and which column is which. It does when a cell of it is
// one of the usual names, or one that was asked for; or ends in "id" as account_id does; or when two cells name the ends of an edge,
// as from_account and to_account do; or when a column that holds numbers or dates in every later row begins with something else,
// and no cell of the first row is a number (but node,0,1,2,… is a header); or when there are three columns or
// more and the first has no name, as pandas writes an index.
class CsvHeader {
 public:
  CsvHeader(const CsvTable& table, std::initializer_list<ColumnNames> usual,
            std::span<const std::string> asked_for = {});

  bool present() const { return !names_.empty(); }
  const FirstRow& first_row() const { return first_; }           // the header, or the first of the others
  std::span<const std::string> names() const { return names_; }  // as written, one per column
  std::optional<std::size_t> find(ColumnNames names) const;      // by the first name that there is

  // By this name where one is given and there, else by the usual ones.
  std::optional<std::size_t> find(const std::string& chosen, ColumnNames usual) const;

  // The only column with one of these among the words of its name, as from_account and "account id" have.
  std::optional<std::size_t> find_word(ColumnNames words) const;

  // Whether a column of this name is there, but for case, blanks, - and _.
  std::optional<std::size_t> find_named(std::string_view name) const;

  // Whether that is the name of this column, in the same sense.
  bool has_name(std::size_t column, std::string_view name) const;

  // The first row is the header after all.
  void take_first_row();

  // The rows that follow the header, or all of them when there is none.
  CsvRows rows() const;

  // Adds "edges.csv: columns not used: year, colour", unless all are, or those that are not are to be ignored.
  void note_unused(std::initializer_list<std::size_t> used, std::vector<std::string>& notes,
                   std::span<const std::string> ignored = {}) const;

 private:
  const CsvTable* table_;
  FirstRow first_;
  std::vector<std::string> names_;
};

// Whether text can stand in a table: UTF-8 without control characters other than tab and line ends.
bool is_plain_text(std::string_view text);

}  // namespace heatfront
