// SPDX-License-Identifier: Apache-2.0
#include "server/ui/grid.hpp"
#include "server/ui/pages.hpp"
#include "server/ui/text.hpp"
#include "server/ui/view.hpp"

#include <algorithm>
#include <array>

namespace crosswarp::ui {
namespace {

using table::Verdict;

/// The parameters that ask for the same page as `query`, with `rows` and `columns` in place of its own.
http::Parameters parameters_of(const GridQuery& query, const std::string& rows, const std::string& columns) {
  http::Parameters parameters{{"rows", rows}, {"columns", columns}};
  for (const auto& [axis, patterns] : query.axes) {
    for (const std::string& pattern : patterns) parameters.emplace_back(axis, pattern);
  }
  for (const std::string& status : query.statuses) parameters.emplace_back("status", status);
  return parameters;
}

/// Which rung a cell names: the highest proved, or the one that it ended at.
std::string word_of_cell(const Verdict& verdict) {
  const bool named_by_rung = verdict.status == Status::passed || verdict.status == Status::failed;
  if (named_by_rung && verdict.rung) return std::string(to_text(*verdict.rung));
  return std::string(word_of(verdict.status));
}

std::string class_of(const Verdict& verdict) {
  std::string name(word_of(verdict.status));
  if (verdict.status == Status::passed && verdict.evidence != Evidence::hardware) name += " unrun";
  return name;
}

View ladder_of(const Verdict& verdict) {
  View ladder = list();
  for (const Rung rung : kRungs) {
    View step;
    step.set("on", verdict.rung && rung <= *verdict.rung);
    ladder << step;
  }
  return ladder;
}

std::string title_of(const Verdict& verdict) {
  std::string title(word_of(verdict.status));
  if (verdict.rung) title += " at " + std::string(to_text(*verdict.rung));
  if (verdict.evidence) title += ", " + std::string(to_text(*verdict.evidence));
  if (verdict.status == Status::passed && verdict.evidence != Evidence::hardware)
    title += ", nobody ran it on a device";
  return verdict.reason.empty() ? title : title + ": " + verdict.reason;
}

View single_cell(const Verdict& verdict, TimePoint now) {
  View view;
  view.set("class", class_of(verdict));
  view.set("href", combination_url(verdict.library, verdict.id));
  view.set("mark", std::string(mark_of(verdict.status)));
  view.set("word", word_of_cell(verdict));
  const std::string sign = verdict.evidence ? std::string(sign_of(*verdict.evidence)) + ' ' : std::string();
  view.set("age", sign + age(verdict.checked, now));
  set_text(view, "title", title_of(verdict));
  set_text(view, "label", combination_name(verdict.combination, verdict.library) + ": " + title_of(verdict));
  set_list(view, "ladder",
           verdict.status == Status::passed || verdict.status == Status::failed ? ladder_of(verdict) : list());
  return view;
}

std::string spread_text(const std::map<std::string, std::size_t>& counts) {
  std::string text;
  for (const auto& [word, count] : counts) text += (text.empty() ? "" : ", ") + std::to_string(count) + ' ' + word;
  return text;
}

/// Values of axes that differ inside a cell: the next two to lay it out by.
std::vector<std::string> differing_axes(const GridCell& cell) {
  std::vector<std::string> axes;
  for (const Verdict* verdict : cell.verdicts) {
    for (const auto& [axis, value] : verdict->combination) {
      const bool differs = std::any_of(
          cell.verdicts.begin(), cell.verdicts.end(),
          [&, name = axis, own = value](const Verdict* other) { return value_of(other->combination, name) != own; });
      if (differs && std::find(axes.begin(), axes.end(), axis) == axes.end()) axes.push_back(axis);
    }
  }
  return axes;
}

std::string inside_url(const GridCell& cell, const Grid& grid, const std::string& row, const std::string& column) {
  const std::vector<std::string> axes = differing_axes(cell);
  GridQuery inside = grid.query;
  inside.axes[grid.query.rows] = {row};
  inside.axes[grid.query.columns] = {column};
  const std::string down = axes.empty() ? grid.query.rows : axes[0];
  return library_url(cell.verdicts.front()->library,
                     parameters_of(inside, down, axes.size() > 1 ? axes[1] : grid.query.columns));
}

View grouped_cell(const GridCell& cell, const Grid& grid, const std::string& row, const std::string& column) {
  std::map<std::string, std::size_t> counts;
  for (const Verdict* verdict : cell.verdicts) ++counts[std::string(word_of(verdict->status))];
  const bool alike = counts.size() == 1;
  const std::optional<Status> status = cell.verdicts.front()->status;
  View view;
  view.set("class", alike ? class_of(*cell.verdicts.front()) : std::string("mixed"));
  view.set("href", inside_url(cell, grid, row, column));
  view.set("mark", alike ? std::string(mark_of(status)) : std::string("≈"));
  view.set("word", std::to_string(counts["passed"]) + '/' + std::to_string(cell.verdicts.size()));
  view.set("age", alike ? std::string(word_of(status)) : std::string());
  std::erase_if(counts, [](const auto& entry) { return entry.second == 0; });
  set_text(view, "title", spread_text(counts));
  set_text(view, "label", row + ", " + column + ": " + spread_text(counts));
  set_list(view, "ladder", list());
  return view;
}

View lines_of(const Grid& grid, TimePoint now) {
  View lines = list();
  for (std::size_t row = 0; row < grid.row_values.size(); ++row) {
    View cells = list();
    for (std::size_t column = 0; column < grid.column_values.size(); ++column) {
      const GridCell& cell = grid.cells[row][column];
      View view;
      if (cell.verdicts.size() == 1) view = single_cell(*cell.verdicts.front(), now);
      if (cell.verdicts.size() > 1) view = grouped_cell(cell, grid, grid.row_values[row], grid.column_values[column]);
      view.set("filled", !cell.verdicts.empty());
      cells << view;
    }
    View line;
    set_text(line, "value", grid.row_values[row]);
    line.set("cells", cells);
    lines << line;
  }
  return lines;
}

View facets_of(const Grid& grid) {
  View facets = list();
  for (const Facet& facet : grid.facets) {
    View values = list();
    for (const FacetValue& value : facet.values) {
      View view;
      set_text(view, "value", value.value);
      set_number(view, "count", static_cast<std::int64_t>(value.count));
      view.set("chosen", value.chosen);
      values << view;
    }
    View view;
    set_text(view, "axis", facet.axis);
    view.set("values", values);
    view.set("typed_in", facet.axis != "status");
    set_text(view, "typed", facet.typed);
    facets << view;
  }
  return facets;
}

View choices(const std::vector<table::AxisValues>& axes, const std::string& chosen) {
  View items = list();
  for (const table::AxisValues& axis : axes) {
    View item;
    set_text(item, "axis", axis.axis);
    item.set("chosen", axis.axis == chosen);
    items << item;
  }
  return items;
}

/// "61 passed, 14 failed and 3 untested of 78 combinations."
std::string lede(const std::vector<Verdict>& verdicts) {
  std::map<std::string, std::size_t> counts;
  std::size_t compiled_only = 0;
  for (const Verdict& verdict : verdicts) {
    ++counts[std::string(word_of(verdict.status))];
    if (verdict.status == Status::passed && verdict.evidence != Evidence::hardware) ++compiled_only;
  }
  std::string text = spread_text(counts) + " of " + std::to_string(verdicts.size()) + " combinations.";
  if (compiled_only > 0) text += " Of the passed, nobody ran " + std::to_string(compiled_only) + " on a device.";
  return text;
}

View heads_of(const Grid& grid) {
  View heads = list();
  for (const std::string& value : grid.column_values) {
    View head;
    set_text(head, "value", value);
    heads << head;
  }
  return heads;
}

std::string json_url(const std::string& library, const GridQuery& query) {
  http::Parameters parameters = parameters_of(query, "", "");
  parameters.erase(parameters.begin(), parameters.begin() + 2);  // rows and columns
  parameters.insert(parameters.begin(), {"library", library});
  const std::string with_query = library_url(library, parameters);
  return "/api/v1/verdicts" + with_query.substr(with_query.find('?'));
}

}  // namespace

Result<std::string> library_page(const std::string& library, const std::vector<Verdict>& verdicts,
                                 const std::vector<table::AxisValues>& axes, const http::Parameters& parameters,
                                 TimePoint now) {
  const Result<Grid> grid = make_grid(library, verdicts, axes, parameters);
  if (grid.has_error()) return grid.error();
  const GridQuery& query = grid->query;
  View view;
  set_text(view, "name", library);
  set_text(view, "lede", lede(verdicts));
  view.set("action", library_url(library));
  set_text(view, "rows", query.rows);
  set_text(view, "columns", query.columns);
  view.set("swap", library_url(library, parameters_of(query, query.columns, query.rows)));
  view.set("json", json_url(library, query));
  view.set("row_choices", choices(axes, query.rows));
  view.set("column_choices", choices(axes, query.columns));
  view.set("facets", facets_of(*grid));
  view.set("heads", heads_of(*grid));
  view.set("lines", lines_of(*grid, now));
  view.set("any", grid->shown > 0);
  return render_page(library, "library", view);
}

}  // namespace crosswarp::ui
