// SPDX-License-Identifier: Apache-2.0
#include "server/table/verdict.hpp"

#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>

namespace crosswarp::table {
namespace {

template <class T>
std::optional<T> word_of(const db::Row& row, const char* column, std::optional<T> (*parse)(std::string_view)) {
  return row.is_null(column) ? std::nullopt : parse(row.text(column));
}

std::string text_of(const std::optional<std::string>& text) { return text.value_or(std::string{}); }

}  // namespace

std::string axes_json(const Combination& axes) {
  boost::json::object object;
  for (const auto& [axis, value] : axes) object.emplace(axis, value);
  return boost::json::serialize(object);
}

Combination axes_of_json(const boost::json::value& json) {
  Combination axes;
  for (const auto& [axis, value] : json.as_object()) axes.emplace(axis, value.as_string());
  return axes;
}

Verdict verdict_of(const db::Row& row) {
  Verdict verdict;
  verdict.row = row.integer("row_id");
  verdict.library = row.string("library");
  verdict.version = row.string("version");
  verdict.combination = axes_of_json(row.json("axes"));
  verdict.id = row.string("id");
  verdict.status = word_of(row, "status", status_from_text);
  verdict.rung = word_of(row, "rung", rung_from_text);
  verdict.proved = word_of(row, "proved", rung_from_text);
  verdict.evidence = word_of(row, "evidence", evidence_from_text);
  verdict.reason = row.string("reason");
  verdict.code = row.string("code");
  verdict.remedy = row.string("remedy");
  verdict.source = row.string("source");
  verdict.since = text_of(row.optional_time("since"));
  verdict.checked = text_of(row.optional_time("checked"));
  verdict.run = row.optional_integer("run_id");
  verdict.job = row.optional_integer("job_id");
  verdict.attempt = row.optional_integer("attempt_id");
  verdict.control = row.boolean("control");
  return verdict;
}

}  // namespace crosswarp::table
