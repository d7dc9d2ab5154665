// SPDX-License-Identifier: Apache-2.0
#include "server/table/table.hpp"

#include "matrix/version/match.hpp"
#include "server/db/transaction.hpp"

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>

#include <algorithm>

namespace crosswarp::table {
namespace {

// $1 library or null, $2 cursor, $3 rows, $4 axis -> values accepted, $5 statuses or null, $6 rungs or null,
// $7 evidences or null.
constexpr db::Query kVerdicts{"table.verdicts", R"sql(
  select row_id, library, version, axes, id, status, rung, proved, evidence, reason, code, remedy, source, since,
         checked, run_id, job_id, attempt_id, control
  from verdict v
  where ($1::text is null or library = $1) and row_id > $2
    and ($5::text[] is null or status = any($5::text[]::verdict_status[]))
    and ($6::text[] is null or rung = any($6::text[]::rung[]))
    and ($7::text[] is null or evidence = any($7::text[]::evidence[]))
    and not exists (select from jsonb_each($4::jsonb) wanted
                    where not wanted.value ? coalesce(v.axes ->> wanted.key, 'none'))
  order by row_id limit $3)sql"};

constexpr db::Query kVerdict{"table.verdict", R"sql(
  select row_id, library, version, axes, id, status, rung, proved, evidence, reason, code, remedy, source, since,
         checked, run_id, job_id, attempt_id, control
  from verdict where library = $1 and id = $2)sql"};

constexpr db::Query kValues{"table.values", R"sql(
  select axis, array_agg(value order by id) as values from axis_value
  where $1::text is null or library = $1
  group by axis order by min(id))sql"};

constexpr db::Query kLibraries{"table.libraries", R"sql(
  select library, status, count(*) as n from verdict group by library, status order by library, status)sql"};

template <class T>
std::optional<std::vector<std::string>> words(const std::vector<T>& values) {
  if (values.empty()) return std::nullopt;
  std::vector<std::string> texts;
  for (const auto value : values) texts.emplace_back(to_text(value));
  return texts;
}

std::optional<std::string> text_or_null(const std::string& text) {
  return text.empty() ? std::nullopt : std::optional(text);
}

/// Those of `values` that any of `patterns` accepts.
Result<boost::json::array> accepted(const std::vector<std::string>& values, const std::vector<std::string>& patterns) {
  boost::json::array out;
  for (const auto& value : values) {
    bool any = false;
    for (const auto& pattern : patterns) {
      const auto match = matches(value, pattern);
      if (match.has_error()) return match.error();
      any = any || *match;
    }
    if (any) out.emplace_back(value);
  }
  return out;
}

Error unknown_axis(const std::string& axis, const std::vector<AxisValues>& known) {
  std::string names;
  for (const auto& one : known) names += (names.empty() ? "" : ", ") + one.axis;
  return {ErrorCode::invalid_argument, "unknown axis \"" + axis + "\"; known: " + names};
}

/// The filter's axes as axis -> values that are accepted: specifiers are judged here, on the few values that there are.
Result<boost::json::object> accepted_values(const VerdictFilter& filter, const std::vector<AxisValues>& known) {
  boost::json::object out;
  for (const auto& [axis, patterns] : filter.axes) {
    const auto found = std::find_if(known.begin(), known.end(), [&](const auto& one) { return one.axis == axis; });
    if (found == known.end()) return unknown_axis(axis, known);
    auto values = found->values;
    values.emplace_back(kNone);
    auto taken = accepted(values, patterns);
    if (taken.has_error()) return in_context("axis \"" + axis + '"', taken.error());
    out.emplace(axis, std::move(*taken));
  }
  return out;
}

}  // namespace

asio::awaitable<Result<std::vector<AxisValues>>> Table::known_values(std::string library) {
  const auto rows = co_await db::query(pool_, kValues, text_or_null(library));
  if (rows.has_error()) co_return rows.error();
  std::vector<AxisValues> known;
  for (const auto row : *rows) known.push_back({row.string("axis"), row.strings("values")});
  co_return known;
}

asio::awaitable<Result<VerdictPage>> Table::query(VerdictFilter filter) {
  const auto known = co_await known_values(filter.library);
  if (known.has_error()) co_return known.error();
  if (known->empty()) co_return VerdictPage{};  // nothing has any axis yet
  const auto wanted = accepted_values(filter, *known);
  if (wanted.has_error()) co_return wanted.error();
  const auto rows = co_await db::query(pool_, kVerdicts, text_or_null(filter.library), filter.cursor, filter.limit,
                                       *wanted, words(filter.statuses), words(filter.rungs), words(filter.evidences));
  if (rows.has_error()) co_return rows.error();
  VerdictPage page;
  for (const auto row : *rows) page.verdicts.push_back(verdict_of(row));
  if (page.verdicts.size() == filter.limit && filter.limit > 0) page.next = page.verdicts.back().row;
  co_return page;
}

asio::awaitable<Result<Verdict>> Table::get(std::string library, std::string id) {
  const auto rows = co_await db::query(pool_, kVerdict, library, id);
  if (rows.has_error()) co_return rows.error();
  if (rows->empty()) co_return Error{ErrorCode::not_found, "no verdict on the combination " + id};
  co_return verdict_of(rows->front());
}

asio::awaitable<Result<std::vector<LibrarySummary>>> Table::libraries() {
  const auto rows = co_await db::query(pool_, kLibraries);
  if (rows.has_error()) co_return rows.error();
  std::vector<LibrarySummary> libraries;
  for (const auto row : *rows) {
    if (libraries.empty() || libraries.back().library != row.text("library"))
      libraries.push_back({row.string("library"), 0, {}});
    libraries.back().total += row.integer("n");
    libraries.back().by_status[*status_from_text(row.text("status"))] = row.integer("n");
  }
  co_return libraries;
}

asio::awaitable<Result<std::vector<AxisValues>>> Table::axes_of(std::string library) {
  auto known = co_await known_values(library);
  if (known.has_error()) co_return known.error();
  if (known->empty()) co_return Error{ErrorCode::not_found, "no verdicts of the library \"" + library + '"'};
  co_return known;
}

}  // namespace crosswarp::table
