// SPDX-License-Identifier: Apache-2.0
#include "server/ui/grid.hpp"

#include "matrix/version/match.hpp"
#include "server/ui/text.hpp"

#include <algorithm>
#include <array>

namespace crosswarp::ui {
namespace {

using table::AxisValues;
using table::Verdict;

constexpr std::string_view kStatus = "status";
constexpr std::array<std::string_view, 7> kStatusWords{"passed",  "failed", "unsupported", "broken",
                                                       "skipped", "untested", "pending"};

const AxisValues* find_axis(const std::vector<AxisValues>& axes, std::string_view name) {
  const auto found = std::find_if(axes.begin(), axes.end(), [&](const AxisValues& axis) { return axis.axis == name; });
  return found == axes.end() ? nullptr : &*found;
}

Error unknown_axis(const std::string& name, const std::vector<AxisValues>& axes) {
  std::string known;
  for (const AxisValues& axis : axes) known += (known.empty() ? "" : ", ") + axis.axis;
  return {ErrorCode::invalid_argument, "unknown axis \"" + name + "\"; known: " + known};
}

bool contains(const std::vector<std::string>& values, std::string_view value) {
  return std::find(values.begin(), values.end(), value) != values.end();
}

/// The axis across where none is chosen.
std::string default_columns(const std::string& rows, const std::vector<AxisValues>& axes) {
  if (rows != "arch" && find_axis(axes, "arch") != nullptr) return "arch";
  for (const AxisValues& axis : axes) {
    if (axis.axis != rows && axis.values.size() > 1) return axis.axis;
  }
  for (const AxisValues& axis : axes) {
    if (axis.axis != rows) return axis.axis;
  }
  return rows;
}

Result<void> take_parameter(GridQuery& query, const std::string& name, const std::string& value,
                            const std::vector<AxisValues>& axes) {
  if (value.empty()) return {};  // an input of the form that was left blank
  if (name == kStatus) {
    query.statuses.push_back(value);
    return {};
  }
  const bool names_axis = name == "rows" || name == "columns";
  const std::string& axis = names_axis ? value : name;
  if (find_axis(axes, axis) == nullptr) return unknown_axis(axis, axes);
  if (names_axis) {
    (name == "rows" ? query.rows : query.columns) = value;
    return {};
  }
  if (Result<void> checked = check_pattern(value); checked.has_error()) return in_context(name, checked.error());
  query.axes[name].push_back(value);
  return {};
}

Result<GridQuery> read_query(const std::string& library, const std::vector<AxisValues>& axes,
                             const http::Parameters& parameters) {
  GridQuery query;
  for (const auto& [name, value] : parameters) {
    const Result<void> taken = take_parameter(query, name, value, axes);
    if (taken.has_error()) return taken.error();
  }
  if (query.rows.empty())
    query.rows = query.columns == library && axes.size() > 1 ? default_columns(library, axes) : library;
  if (query.columns.empty()) query.columns = default_columns(query.rows, axes);
  return query;
}

bool accepts(const std::vector<std::string>& patterns, std::string_view value) {
  return patterns.empty() || std::any_of(patterns.begin(), patterns.end(), [&](const std::string& pattern) {
           return matches(value, pattern).value();  // checked when it was read
         });
}

/// For each verdict, the filters that it does not pass: a facet counts those that fail at most its own.
struct Failing {
  std::size_t count = 0;
  std::string only;  ///< the filter, where it is one
};

Failing failing_filters(const Verdict& verdict, const GridQuery& query) {
  Failing failing;
  const auto fail = [&](const std::string& name) {
    ++failing.count;
    failing.only = name;
  };
  if (!query.statuses.empty() && !contains(query.statuses, word_of(verdict.status))) fail(std::string(kStatus));
  for (const auto& [axis, patterns] : query.axes) {
    if (!accepts(patterns, value_of(verdict.combination, axis))) fail(axis);
  }
  return failing;
}

/// The values of an axis in their order; `none` last where a combination is without it.
std::vector<std::string> values_in_order(const std::string& axis, const std::vector<AxisValues>& axes,
                                         const std::vector<Verdict>& verdicts) {
  std::vector<std::string> values = find_axis(axes, axis)->values;
  for (const Verdict& verdict : verdicts) {
    const std::string value(value_of(verdict.combination, axis));
    if (!contains(values, value)) values.push_back(value);
  }
  return values;
}

std::string value_in(const Verdict& verdict, const std::string& facet) {
  return std::string(facet == kStatus ? word_of(verdict.status) : value_of(verdict.combination, facet));
}

Facet make_facet(const std::string& name, const std::vector<std::string>& values,
                 const std::vector<std::string>& chosen, const std::vector<Verdict>& verdicts,
                 const std::vector<Failing>& failing) {
  std::map<std::string, std::size_t> counts;
  for (std::size_t i = 0; i < verdicts.size(); ++i) {
    if (failing[i].count == 0 || (failing[i].count == 1 && failing[i].only == name))
      ++counts[value_in(verdicts[i], name)];
  }
  Facet facet;
  facet.axis = name;
  for (const std::string& value : values) facet.values.push_back({value, counts[value], contains(chosen, value)});
  for (const std::string& pattern : chosen) {
    if (!contains(values, pattern)) facet.typed = pattern;
  }
  return facet;
}

std::vector<Facet> make_facets(const GridQuery& query, const std::vector<AxisValues>& axes,
                               const std::vector<Verdict>& verdicts, const std::vector<Failing>& failing) {
  std::vector<std::string> statuses;
  for (const std::string_view word : kStatusWords) {
    const bool there = std::any_of(verdicts.begin(), verdicts.end(),
                                   [&](const Verdict& verdict) { return word_of(verdict.status) == word; });
    if (there) statuses.emplace_back(word);
  }
  std::vector<Facet> facets{make_facet(std::string(kStatus), statuses, query.statuses, verdicts, failing)};
  for (const AxisValues& axis : axes) {
    const std::vector<std::string> values = values_in_order(axis.axis, axes, verdicts);
    const auto chosen = query.axes.find(axis.axis);
    if (values.size() < 2 && chosen == query.axes.end()) continue;
    facets.push_back(make_facet(axis.axis, values,
                                chosen == query.axes.end() ? std::vector<std::string>{} : chosen->second, verdicts,
                                failing));
  }
  return facets;
}

/// Puts what passes all filters in its place, then drops rows and columns that stayed empty.
void fill_cells(Grid& grid, const std::vector<Verdict>& verdicts, const std::vector<Failing>& failing) {
  std::map<std::string, std::map<std::string, GridCell>> placed;
  std::map<std::string, bool> columns;
  for (std::size_t i = 0; i < verdicts.size(); ++i) {
    if (failing[i].count > 0) continue;
    const std::string row(value_of(verdicts[i].combination, grid.query.rows));
    const std::string column(value_of(verdicts[i].combination, grid.query.columns));
    placed[row][column].verdicts.push_back(&verdicts[i]);
    columns[column] = true;
    ++grid.shown;
  }
  std::erase_if(grid.row_values, [&](const std::string& value) { return placed.count(value) == 0; });
  std::erase_if(grid.column_values, [&](const std::string& value) { return columns.count(value) == 0; });
  for (const std::string& row : grid.row_values) {
    std::vector<GridCell>& cells = grid.cells.emplace_back();
    for (const std::string& column : grid.column_values) cells.push_back(placed[row][column]);
  }
}

}  // namespace

Result<Grid> make_grid(const std::string& library, const std::vector<Verdict>& verdicts,
                       const std::vector<AxisValues>& axes, const http::Parameters& parameters) {
  Result<GridQuery> query = read_query(library, axes, parameters);
  if (query.has_error()) return query.error();
  if (find_axis(axes, query->rows) == nullptr) return unknown_axis(query->rows, axes);
  Grid grid;
  grid.query = std::move(*query);
  std::vector<Failing> failing;
  failing.reserve(verdicts.size());
  for (const Verdict& verdict : verdicts) failing.push_back(failing_filters(verdict, grid.query));
  grid.row_values = values_in_order(grid.query.rows, axes, verdicts);
  grid.column_values = values_in_order(grid.query.columns, axes, verdicts);
  grid.facets = make_facets(grid.query, axes, verdicts, failing);
  fill_cells(grid, verdicts, failing);
  return grid;
}

}  // namespace crosswarp::ui
