// SPDX-License-Identifier: MIT
#include "heatfront_io/tables/csv_table.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstring>
#include <utility>

#include "heatfront/base/fail.h"
#include "heatfront/base/parse_number.h"
#include "heatfront/base/text.h"
#include "heatfront/base/utf8.h"
#include "heatfront/data/table_schema.h"
#include "heatfront_io/files/input_file.h"

namespace heatfront {
namespace {

constexpr std::int64_t kSniffedRows = 64;
constexpr std::array kDelimiters = {Delimiter::tab, Delimiter::semicolon, Delimiter::comma,
                                    Delimiter::blanks};  // the order in which they are tried
constexpr std::string_view kUtf8Mark = "\xEF\xBB\xBF";

bool is_control(char c) {
  return static_cast<unsigned char>(c) < 0x20 && c != '\t' && c != '\n' && c != '\r';
}
bool is_ascii(char c) { return static_cast<unsigned char>(c) < 0x80; }

// UTF-16 has a mark at its start, or a zero byte beside its first letter.
bool looks_like_utf16(std::string_view text) {
  if (text.empty()) return false;
  return text.starts_with("\xFF\xFE") || text.starts_with("\xFE\xFF") ||
         (text.starts_with('\0') || text.substr(1).starts_with('\0'));
}

void require_text(std::string_view text, const std::string& name) {
  if (text.starts_with("PK\x03\x04"))
    fail("{}: this is a spreadsheet or another zip file; save the table as CSV UTF-8", name);
  if (looks_like_utf16(text)) fail("{}: this looks like UTF-16; save it as CSV UTF-8", name);
  if (text.substr(0, text.size() - 1).find('\r') != text.npos && text.find('\n') == text.npos)
    fail("{}: its lines end in CR alone, as on old Macs; save it with Unix or Windows line endings", name);
  const auto bad = std::ranges::find_if(text, is_control);
  if (bad == text.end()) return;
  fail("{}:{}: byte 0x{:02x} does not belong in a text file; a table in UTF-8 is expected", name,
       1 + std::count(text.begin(), bad, '\n'), static_cast<unsigned char>(*bad));
}

std::optional<Delimiter> delimiter_of(char c) {
  const auto found =
      std::ranges::find(kDelimiters, c, [](Delimiter delimiter) { return static_cast<char>(delimiter); });
  return found == kDelimiters.end() ? std::nullopt : std::optional(*found);
}

// How well a delimiter fits the first rows.
struct RowFit {
  bool even = true;         // all of them have the same number of cells, two or more
  std::int64_t parted = 0;  // rows of two cells or more
};

RowFit fit_of(const CsvTable& table, Delimiter delimiter) {
  CsvRows rows(table, delimiter);
  RowFit fit;
  std::size_t width = 0;
  for (std::int64_t i = 0; i < kSniffedRows && rows.try_next(); ++i) {
    if (rows.problem() != nullptr) return {.even = false, .parted = 0};
    if (i == 0) width = rows.cells().size();
    if (rows.cells().size() < 2 || rows.cells().size() != width) fit.even = false;
    if (rows.cells().size() >= 2) ++fit.parted;
  }
  return fit;
}

Delimiter sniffed(const CsvTable& table) {
  Delimiter best = Delimiter::comma;
  std::int64_t parted = 0;
  for (const Delimiter delimiter : kDelimiters) {
    const RowFit fit = fit_of(table, delimiter);
    if (fit.even && fit.parted > 0) return delimiter;
    if (fit.parted > parted) {
      best = delimiter;
      parted = fit.parted;
    }
  }
  return best;
}

std::string folded(std::string_view name) {
  std::string result;
  for (const char c : name) {
    if (c == ' ' || c == '_' || c == '-') continue;
    result += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  return result;
}

// "from_account" → from, account; "accountId" → account, id.
std::vector<std::string> words_of(std::string_view name) {
  std::vector<std::string> words(1);
  char last = ' ';
  for (const char c : name) {
    const auto byte = static_cast<unsigned char>(c);
    const bool ends = c == ' ' || c == '_' || c == '-' || c == '.';
    if (ends || (std::isupper(byte) && std::islower(static_cast<unsigned char>(last)))) words.emplace_back();
    if (!ends) words.back() += static_cast<char>(std::tolower(byte));
    last = c;
  }
  return words;
}

bool contains(ColumnNames names, std::string_view name) {
  return std::ranges::find(names, name) != names.end();
}

// One letter may as well be a node: u,v is a header, w,x is not.
bool has_usual_name(std::span<const std::string> row, std::span<const ColumnNames> usual) {
  const auto known = [&](const std::string& cell) {
    return std::ranges::any_of(usual, [&](ColumnNames names) { return contains(names, folded(cell)); });
  };
  return (row.size() > 1 && std::ranges::all_of(row, known)) ||
         std::ranges::any_of(row,
                             [&](const std::string& cell) { return folded(cell).size() > 1 && known(cell); });
}

// account_id, "Customer ID": no node is called so.
bool names_ids(const std::string& cell) {
  const std::vector<std::string> words = words_of(cell);
  return words.size() > 1 && words.back() == "id";
}

// from_account,to_account: the same but for one word, which says where an edge begins or ends.
bool names_both_ends(std::span<const std::string> row) {
  constexpr std::array<std::string_view, 4> kBegins = {"from", "source", "src", "sender"};
  constexpr std::array<std::string_view, 6> kEnds = {"to",   "target",      "dst",
                                                     "dest", "destination", "receiver"};
  const auto others_of = [&](ColumnNames words) {
    std::vector<std::vector<std::string>> others;
    for (const std::string& cell : row) {
      std::vector<std::string> rest = words_of(cell);
      const auto end = std::ranges::find_if(rest, [&](const std::string& w) { return contains(words, w); });
      if (rest.size() < 2 || end == rest.end()) continue;
      rest.erase(end);
      others.push_back(std::move(rest));
    }
    return others;
  };
  const auto begins = others_of(kBegins), ends = others_of(kEnds);
  return std::ranges::find_first_of(begins, ends) != begins.end();
}

// A number or a date, which names no column.
bool is_value(std::string_view cell, bool decimal_comma) {
  if (parse_cell(cell, false) || (decimal_comma && parse_cell(cell, true))) return true;
  for (std::size_t form = 0; form < kDateForms; ++form) {
    if (parse_date(cell, static_cast<DateForm>(form))) return true;
  }
  return false;
}

// The numbers that pandas puts where columns have no names: 0,1,2,…
bool counts_columns(std::span<const Real> numbers) {
  for (std::size_t k = 1; k < numbers.size(); ++k) {
    if (numbers[k] != numbers[0] + static_cast<Real>(k)) return false;
  }
  return numbers.size() > 1;
}

// Does a column begin with text and go on with numbers or dates alone? Stops where no column can any more.
bool names_a_column_of_values(std::span<const std::string> first, CsvRows later, bool decimal_comma) {
  std::vector<std::size_t> candidates;
  std::vector<Real> numbers;
  for (std::size_t j = 0; j < first.size(); ++j) {
    if (const auto number = parse_real(first[j])) {
      numbers.push_back(*number);
    } else if (!is_missing(first[j])) {
      if (is_value(first[j], decimal_comma)) return false;
      candidates.push_back(j);
    }
  }
  if (!numbers.empty() && !counts_columns(numbers)) return false;
  std::vector<bool> numeric(first.size());
  while (!candidates.empty() && later.try_next()) {
    if (later.problem() != nullptr) continue;
    const auto cells = later.cells();
    std::erase_if(candidates, [&](std::size_t j) {
      if (j >= cells.size() || is_missing(cells[j])) return false;
      numeric[j] = true;
      return !is_value(cells[j], decimal_comma);
    });
  }
  return std::ranges::any_of(candidates, [&](std::size_t j) { return numeric[j]; });
}

}  // namespace

bool same_name(std::string_view a, std::string_view b) { return folded(a) == folded(b); }

bool is_plain_text(std::string_view text) { return std::ranges::none_of(text, is_control) && is_utf8(text); }

CsvTable::CsvTable(const std::filesystem::path& path, std::optional<Delimiter> delimiter)
    : CsvTable(path == kStandardInput ? read_standard_input() : read_data(path),
               path == kStandardInput ? "standard input" : path.string(), delimiter) {}

CsvTable::CsvTable(std::string text, std::string name, std::optional<Delimiter> delimiter) {
  auto held = std::make_shared<const std::string>(std::move(text));
  const std::string_view view = *held;
  *this = CsvTable(std::move(held), view, std::move(name), delimiter);
}

CsvTable::CsvTable(std::shared_ptr<const MappedText> text, std::string name,
                   std::optional<Delimiter> delimiter)
    : CsvTable(text, text->text(), std::move(name), delimiter) {}

CsvTable::CsvTable(std::shared_ptr<const void> holder, std::string_view text, std::string name,
                   std::optional<Delimiter> delimiter)
    : holder_(std::move(holder)), text_(text), name_(std::move(name)) {
  require_text(text_, name_);
  ascii_ = std::ranges::all_of(text_, is_ascii);
  if (text_.starts_with(kUtf8Mark)) begin_ = kUtf8Mark.size();
  const std::optional<Delimiter> said = take_separator_line();
  delimiter_ = delimiter ? *delimiter : said ? *said : sniffed(*this);
}

// sep=; or "sep=;" alone on the first line.
std::optional<Delimiter> CsvTable::take_separator_line() {
  std::string_view line = text_.substr(begin_);
  const std::size_t end = line.find('\n');
  line = line.substr(0, end);
  if (line.ends_with('\r')) line.remove_suffix(1);
  if (line.starts_with('"') && line.ends_with('"') && line.size() > 1) line = line.substr(1, line.size() - 2);
  constexpr std::string_view kSays = "sep=";
  if (line.size() != kSays.size() + 1 || folded(line.substr(0, kSays.size())) != kSays) return std::nullopt;
  const std::optional<Delimiter> delimiter = delimiter_of(line.back());
  if (!delimiter)
    fail("{}:1: cells separated by {} cannot be read; save it with commas, semicolons or tabs", name_,
         in_quotes(line.substr(kSays.size())));
  begin_ = end == text_.npos ? text_.size() : begin_ + end + 1;
  first_line_ = 2;
  return delimiter;
}

CsvRows CsvTable::rows() const { return {*this, delimiter_}; }

CsvRows::CsvRows(const CsvTable& table, Delimiter delimiter)
    : table_(&table),
      delimiter_(static_cast<char>(delimiter)),
      at_(table.text_.data() + table.begin_),
      next_line_(table.first_line_) {}

bool CsvRows::next() {
  const bool found = try_next();
  if (problem_ != nullptr) fail("{}: {}", place(), problem_);
  return found;
}

std::string CsvRows::place() const { return fmt::format("{}:{}", table_->name(), line_); }

bool CsvRows::next(Problems& problems) {
  while (try_next()) {
    if (problem_ == nullptr) return true;
    problems.add(fmt::format("{}: {}", place(), problem_));
  }
  return false;
}

void CsvRows::go_to(Place place) {
  at_ = place.at;
  next_line_ = place.line;
}

bool CsvRows::try_next() {
  cells_.clear();
  unescaped_.clear();
  if (problem_ != nullptr) skip_rest_of_line();
  if (!find_line()) return false;
  row_ = at_;
  split_line();
  if (!table_->ascii_ && !std::ranges::all_of(cells_, is_utf8)) {
    problem_ = "the text is not UTF-8; save the table in that encoding";
  }
  return true;
}

// After a problem within it.
void CsvRows::skip_rest_of_line() {
  problem_ = nullptr;
  if (at_ == table_->text_.data() || at_[-1] == '\n') return;
  const char* const end = std::strchr(at_, '\n');
  at_ = end == nullptr ? table_->text_.data() + table_->text_.size() : end + 1;
  ++next_line_;
}

// Past blank lines and comments, to the first character of a row.
bool CsvRows::find_line() {
  for (;;) {
    const char* const begin = at_;
    while (*at_ == ' ' || *at_ == '\t' || *at_ == '\r') ++at_;
    if (*at_ == '\0') return false;
    if (*at_ != '\n' && *at_ != '#' && *at_ != '%') {
      at_ = begin;  // the first cell may be empty: a tab at the start counts
      line_ = next_line_;
      return true;
    }
    at_ = std::strchr(at_, '\n');
    if (at_ == nullptr) {
      at_ = table_->text_.data() + table_->text_.size();
      return false;
    }
    ++at_;
    ++next_line_;
  }
}

void CsvRows::split_line() {
  if (delimiter_ == ' ') {
    while (at_delimiter()) ++at_;
  }
  for (;;) {
    skip_blanks();
    *at_ == '"' ? take_quoted_cell() : take_plain_cell();
    if (problem_ != nullptr || at_end_of_line()) break;
    ++at_;
    if (delimiter_ != ' ') continue;
    while (at_delimiter() || *at_ == '\r') ++at_;
    if (at_end_of_line()) break;  // blanks at the end begin no cell
  }
  if (*at_ == '\n') {
    ++at_;
    ++next_line_;
  }
}

void CsvRows::skip_blanks() {
  while ((*at_ == ' ' || *at_ == '\t' || *at_ == '\r') && !at_delimiter()) ++at_;
}

void CsvRows::take_plain_cell() {
  const char* const begin = at_;
  const char* end = begin;
  const char one = delimiter_, other = delimiter_ == ' ' ? '\t' : delimiter_;
  while (*end != one && *end != other && *end != '\n' && *end != '\0') ++end;
  at_ = end;
  while (end > begin && (end[-1] == ' ' || end[-1] == '\t' || end[-1] == '\r')) --end;
  cells_.emplace_back(begin, static_cast<std::size_t>(end - begin));
}

// At the opening quote. Such a cell may hold delimiters and line ends.
void CsvRows::take_quoted_cell() {
  const char* begin = ++at_;
  std::string joined;
  for (;; ++at_) {
    if (*at_ == '\0') {
      problem_ = "a quoted cell is not closed; every \" needs a second one";
      return;
    }
    if (*at_ == '\n') ++next_line_;
    if (*at_ != '"') continue;
    if (at_[1] != '"') break;
    joined.append(begin, ++at_);  // with the first quote of the two
    begin = at_ + 1;
  }
  if (joined.empty()) {
    cells_.emplace_back(begin, static_cast<std::size_t>(at_ - begin));
  } else {
    joined.append(begin, at_);
    cells_.emplace_back(unescaped_.emplace_back(std::move(joined)));
  }
  ++at_;
  skip_blanks();
  if (!at_delimiter() && !at_end_of_line()) {
    problem_ = "text follows a closing quote; a quote inside a quoted cell is written twice";
  }
}

CsvHeader::CsvHeader(const CsvTable& table, std::initializer_list<ColumnNames> usual,
                     std::span<const std::string> asked_for)
    : table_(&table) {
  CsvRows rows = table.rows();
  if (!rows.next()) fail("{}: no rows; the table is empty", table.name());
  first_ = {.width = rows.cells().size(), .line = rows.line()};
  std::vector<std::string> first(rows.cells().begin(), rows.cells().end());
  const bool unnamed_index = first.size() > 2 && first[0].empty();
  const bool is_asked_for = std::ranges::any_of(asked_for, [&](const std::string& name) {
    return !name.empty() && std::ranges::find(first, name) != first.end();
  });
  if (unnamed_index || is_asked_for || has_usual_name(first, {usual.begin(), usual.size()}) ||
      std::ranges::any_of(first, names_ids) || names_both_ends(first) ||
      names_a_column_of_values(first, rows, table.delimiter() == Delimiter::semicolon)) {
    names_ = std::move(first);
  }
}

std::optional<std::size_t> CsvHeader::find(ColumnNames names) const {
  for (const std::string_view name : names) {
    const auto column = std::ranges::find(names_, name, folded);
    if (column != names_.end()) return static_cast<std::size_t>(column - names_.begin());
  }
  return std::nullopt;
}

std::optional<std::size_t> CsvHeader::find(const std::string& chosen, ColumnNames usual) const {
  if (const auto column = find_named(chosen)) return column;
  return find(usual);
}

std::optional<std::size_t> CsvHeader::find_named(std::string_view name) const {
  if (name.empty()) return std::nullopt;
  auto column = std::ranges::find(names_, name);
  if (column == names_.end()) column = std::ranges::find(names_, folded(name), folded);
  if (column == names_.end()) return std::nullopt;
  return static_cast<std::size_t>(column - names_.begin());
}

std::optional<std::size_t> CsvHeader::find_word(ColumnNames words) const {
  std::optional<std::size_t> found;
  for (std::size_t j = 0; j < names_.size(); ++j) {
    if (std::ranges::none_of(words_of(names_[j]),
                             [&](const std::string& word) { return contains(words, word); }))
      continue;
    if (found) return std::nullopt;
    found = j;
  }
  return found;
}

bool CsvHeader::has_name(std::size_t column, std::string_view name) const {
  return same_name(names_[column], name);
}

void CsvHeader::take_first_row() {
  CsvRows rows = table_->rows();
  rows.next();
  names_.assign(rows.cells().begin(), rows.cells().end());
}

CsvRows CsvHeader::rows() const {
  CsvRows rows = table_->rows();
  if (present()) rows.next();
  return rows;
}

void CsvHeader::note_unused(std::initializer_list<std::size_t> used, std::vector<std::string>& notes,
                            std::span<const std::string> ignored) const {
  std::vector<std::string> names;
  for (std::size_t j = 0; j < names_.size(); ++j) {
    if (std::ranges::find(used, j) != used.end() ||
        std::ranges::any_of(ignored, [&](const std::string& name) { return find_named(name) == j; }))
      continue;
    names.push_back(names_[j].empty() ? "(unnamed)" : shown(names_[j]));
  }
  if (!names.empty())
    notes.push_back(fmt::format("{}: columns not used: {}", table_->name(), join(names, ", ")));
}

bool has_width(const CsvRows& rows, const FirstRow& first, Problems& problems) {
  if (rows.cells().size() == first.width) return true;
  problems.add(fmt::format("{}: {}, but line {} has {}", rows.place(),
                           counted(std::ssize(rows.cells()), "column"), first.line, first.width));
  return false;
}

void require_width(const CsvRows& rows, const FirstRow& first) {
  Problems problems;
  has_width(rows, first, problems);
  problems.throw_if_any();
}

}  // namespace heatfront
