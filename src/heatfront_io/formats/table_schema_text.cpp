// SPDX-License-Identifier: MIT
#include "heatfront_io/formats/table_schema_text.h"

#include <cstdint>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "heatfront/base/fail.h"

namespace heatfront {
namespace {

using SchemaJson = nlohmann::ordered_json;

SchemaJson json_of_column(const TableColumn& column) {
  SchemaJson json = {{"name", column.name}, {"kind", name_of(column.kind)}};
  if (column.kind == ColumnKind::number) json["decimal_comma"] = column.decimal_comma;
  if (column.kind == ColumnKind::date) {
    json["form"] = static_cast<std::int64_t>(column.form);
    json["first_day"] = column.first_day;
  }
  if (column.kind == ColumnKind::category) {
    json["categories"] = column.categories;
    json["pools"] = column.pools;
  }
  json["fill"] = column.fill;
  json["marks_missing"] = column.marks_missing;
  json["missing"] = column.missing;
  json["example"] = column.example;
  if (column.kind == ColumnKind::unused) json["why"] = column.why;
  return json;
}

// A value of the kind that is asked for; a default where it is not there.
class SchemaFields {
 public:
  SchemaFields(const SchemaJson& json, std::string where) : json_(json), where_(std::move(where)) {
    if (!json.is_object()) wrong("an object");
  }

  std::string text(const char* name) const {
    return found(name) ? (json_[name].is_string() ? json_[name].get<std::string>() : wrong(name)) : "";
  }
  bool flag(const char* name) const {
    return found(name) && (json_[name].is_boolean() ? json_[name].get<bool>() : !wrong(name).empty());
  }
  std::int64_t whole(const char* name) const {
    if (!found(name)) return 0;
    if (!json_[name].is_number_integer() || json_[name].get<double>() > 1e15 ||
        json_[name].get<double>() < -1e15)
      wrong(name);
    return json_[name].get<std::int64_t>();
  }
  double number(const char* name) const {
    if (!found(name)) return 0;
    if (!json_[name].is_number()) wrong(name);
    return json_[name].get<double>();
  }
  std::vector<std::string> texts(const char* name) const {
    std::vector<std::string> result;
    if (!found(name)) return result;
    if (!json_[name].is_array()) wrong(name);
    for (const SchemaJson& entry : json_[name]) {
      if (!entry.is_string()) wrong(name);
      result.push_back(entry.get<std::string>());
    }
    return result;
  }

 private:
  bool found(const char* name) const { return json_.contains(name); }
  [[noreturn]] std::string wrong(const char* name) const {
    fail("{}: '{}' is not as heatfront writes it", where_, name);
  }

  const SchemaJson& json_;
  std::string where_;
};

TableColumn column_of(const SchemaJson& json, const std::string& where) {
  const SchemaFields fields(json, where);
  TableColumn column{.name = fields.text("name")};
  const auto kind = find_column_kind(fields.text("kind"));
  const std::int64_t form = fields.whole("form");
  if (!kind || form < 0 || form >= static_cast<std::int64_t>(kDateForms))
    fail("{}: column '{}' is of a kind that is not known", where, column.name);
  column.kind = *kind;
  column.form = static_cast<DateForm>(form);
  column.decimal_comma = fields.flag("decimal_comma");
  column.first_day = fields.whole("first_day");
  column.categories = fields.texts("categories");
  column.pools = fields.flag("pools");
  column.fill = fields.number("fill");
  column.marks_missing = fields.flag("marks_missing");
  column.missing = fields.whole("missing");
  column.example = fields.text("example");
  column.why = fields.text("why");
  return column;
}

}  // namespace

std::string schema_text(const TableSchema& schema) {
  SchemaJson columns = SchemaJson::array();
  for (const TableColumn& column : schema.columns) columns.push_back(json_of_column(column));
  const SchemaJson json = {
      {"rows", schema.rows}, {"marks_no_row", schema.marks_no_row}, {"columns", columns}};
  return json.dump(-1, ' ', false, SchemaJson::error_handler_t::replace);
}

TableSchema schema_of_text(std::string_view text, const std::string& where) {
  const SchemaJson json = SchemaJson::parse(text, nullptr, false);
  if (json.is_discarded()) fail("{} is no JSON text", where);
  const SchemaFields fields(json, where);
  TableSchema schema{.marks_no_row = fields.flag("marks_no_row"), .rows = fields.whole("rows")};
  if (!json.contains("columns") || !json["columns"].is_array())
    fail("{}: 'columns' is not as heatfront writes it", where);
  for (const SchemaJson& column : json["columns"]) schema.columns.push_back(column_of(column, where));
  return schema;
}

}  // namespace heatfront
