// SPDX-License-Identifier: Apache-2.0
#include "cli/table.hpp"

#include "cli/status_mark.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

namespace crosswarp::cli {
namespace {

constexpr std::size_t kGap = 2;  ///< columns between two cells

using RowRefs = std::vector<const VerdictRow*>;
using Values = std::vector<std::string>;

/// The rows of one library, and which of its axes are rows and columns.
struct Matrix {
  std::string library;
  RowRefs rows;
  std::map<std::string, Values> values;  ///< of each axis, sorted
  std::string column;                    ///< axis of the columns; empty: there is none
  Values row_axes;
};

std::string value_on(const VerdictRow& row, const std::string& axis) {
  return std::string(value_of(row.combination, axis));
}

/// Where two axes have as many values, the alphabet decides.
std::string column_axis(const Matrix& matrix) {
  std::string best;
  std::size_t most = 1;
  for (const auto& [axis, values] : matrix.values) {
    if (axis == "arch" && values.size() > 1) return axis;
    if (axis != matrix.library && values.size() > most) {
      best = axis;
      most = values.size();
    }
  }
  return best;
}

void find_axes(Matrix& matrix) {
  std::set<std::string> axes;
  for (const VerdictRow* row : matrix.rows) {
    for (const auto& [axis, value] : row->combination) axes.insert(axis);
  }
  for (const std::string& axis : axes) {
    std::set<std::string> distinct;
    for (const VerdictRow* row : matrix.rows) distinct.insert(value_on(*row, axis));
    Values sorted(distinct.begin(), distinct.end());
    std::sort(sorted.begin(), sorted.end(), value_before);
    matrix.values[axis] = std::move(sorted);
  }
  matrix.column = column_axis(matrix);
  if (axes.contains(matrix.library)) matrix.row_axes.push_back(matrix.library);
  for (const auto& [axis, values] : matrix.values) {
    if (axis != matrix.library && axis != matrix.column && values.size() > 1) matrix.row_axes.push_back(axis);
  }
}

/// In the order in which libraries first appear.
std::vector<Matrix> matrices_of(const std::vector<VerdictRow>& rows) {
  std::vector<Matrix> matrices;
  for (const VerdictRow& row : rows) {
    auto found = std::find_if(matrices.begin(), matrices.end(),
                              [&](const Matrix& matrix) { return matrix.library == row.library; });
    if (found == matrices.end()) found = matrices.insert(matrices.end(), Matrix{row.library, {}, {}, {}, {}});
    found->rows.push_back(&row);
  }
  for (Matrix& matrix : matrices) find_axes(matrix);
  return matrices;
}

struct Cell {
  std::string text;
  Color color = Color::none;
};

Cell cell_of(const VerdictRow& row, const Terminal& terminal) {
  const StatusMark* mark = find_status_mark(row.status);
  if (!mark) return {row.status, Color::none};
  std::string text = sign_of(*mark, terminal);
  const std::string& rung = row.status == "pending" ? row.proved : row.rung;
  if (!rung.empty() && row.status != "unsupported") text += ' ' + rung;
  return {std::move(text), mark->color};
}

/// A matrix as texts: a heading and cells, the first `fixed` columns being those that every block repeats.
struct Grid {
  std::size_t fixed = 0;
  std::vector<std::string> heading;
  std::vector<std::vector<Cell>> lines;
};

bool values_before(const Values& left, const Values& right) {
  return std::lexicographical_compare(left.begin(), left.end(), right.begin(), right.end(), value_before);
}

Grid grid_of(const Matrix& matrix, const Terminal& terminal) {
  Grid grid{matrix.row_axes.size(), matrix.row_axes, {}};
  const Values columns = matrix.column.empty() ? Values{"status"} : matrix.values.at(matrix.column);
  grid.heading.insert(grid.heading.end(), columns.begin(), columns.end());
  std::map<Values, std::vector<Cell>, decltype(&values_before)> lines(&values_before);
  for (const VerdictRow* row : matrix.rows) {
    Values key;
    for (const std::string& axis : matrix.row_axes) key.push_back(value_on(*row, axis));
    auto& line = lines.try_emplace(key, columns.size()).first->second;
    const auto at = matrix.column.empty()
                        ? columns.begin()
                        : std::find(columns.begin(), columns.end(), value_on(*row, matrix.column));
    line[static_cast<std::size_t>(at - columns.begin())] = cell_of(*row, terminal);
  }
  for (auto& [key, cells] : lines) {
    std::vector<Cell> line;
    for (const std::string& value : key) line.push_back({value, Color::none});
    line.insert(line.end(), cells.begin(), cells.end());
    grid.lines.push_back(std::move(line));
  }
  return grid;
}

std::vector<std::size_t> widths_of(const Grid& grid) {
  std::vector<std::size_t> widths;
  for (std::size_t column = 0; column < grid.heading.size(); ++column) {
    std::size_t width = columns_of(grid.heading[column]);
    for (const auto& line : grid.lines) width = std::max(width, columns_of(line[column].text));
    widths.push_back(width);
  }
  return widths;
}

std::string without_trailing_spaces(std::string text) {
  text.erase(text.find_last_not_of(' ') + 1);
  return text;
}

/// The columns of one block: those that every block repeats, and as many from `begin` on as fit the width.
std::vector<std::size_t> block_columns(const Grid& grid, const std::vector<std::size_t>& widths, std::size_t begin,
                                       std::size_t room) {
  std::vector<std::size_t> columns;
  std::size_t taken = kGap;  // the indentation
  for (std::size_t column = 0; column < grid.fixed; ++column) {
    columns.push_back(column);
    taken += widths[column] + kGap;
  }
  for (std::size_t column = begin; column < widths.size(); ++column) {
    if (column > begin && taken + widths[column] > room) break;
    columns.push_back(column);
    taken += widths[column] + kGap;
  }
  return columns;
}

std::string render_block(const Grid& grid, const std::vector<std::size_t>& widths,
                         const std::vector<std::size_t>& columns, const Terminal& terminal) {
  const std::string gap(kGap, ' ');
  std::string heading;
  for (const std::size_t column : columns) heading += gap + padded(grid.heading[column], widths[column]);
  std::string out = painted(terminal, Color::dim, without_trailing_spaces(heading)) + '\n';
  for (const auto& line : grid.lines) {
    std::string text;
    for (const std::size_t column : columns) {
      const Cell& cell = line[column];
      const bool last = column == columns.back();
      const std::size_t width = columns_of(cell.text);
      text += gap + painted(terminal, cell.text.empty() ? Color::none : cell.color, cell.text);
      if (!last) text += std::string(widths[column] - width, ' ');
    }
    out += without_trailing_spaces(std::move(text)) + '\n';
  }
  return out;
}

/// "triton by arch (python=3.11)": what the cells do not say.
std::string title_of(const Matrix& matrix) {
  std::string title = matrix.library;
  if (!matrix.column.empty()) title += " by " + matrix.column;
  std::string constant;
  for (const auto& [axis, values] : matrix.values) {
    const bool shown = axis == matrix.library || values.size() > 1 || values.front() == kNone;
    if (!shown) constant += (constant.empty() ? "" : ", ") + axis + '=' + values.front();
  }
  return constant.empty() ? title : title + " (" + constant + ')';
}

std::string render_matrix(const Matrix& matrix, const Terminal& terminal) {
  const Grid grid = grid_of(matrix, terminal);
  const auto widths = widths_of(grid);
  std::string out = title_of(matrix) + '\n';
  for (std::size_t begin = grid.fixed; begin < grid.heading.size();) {
    const auto columns = block_columns(grid, widths, begin, terminal.width);
    if (begin > grid.fixed) out += '\n';
    out += render_block(grid, widths, columns, terminal);
    begin = columns.back() + 1;
  }
  return out;
}

std::string render_counts(const std::vector<VerdictRow>& rows, const Terminal& terminal) {
  std::string text = std::to_string(rows.size()) + (rows.size() == 1 ? " combination:" : " combinations:");
  for (const StatusMark& mark : kStatusMarks) {
    const auto count = std::count_if(rows.begin(), rows.end(),
                                     [&](const VerdictRow& row) { return row.status == mark.status; });
    if (count > 0) {
      text += "  " + painted(terminal, mark.color, sign_of(mark, terminal)) + ' ' + std::string(mark.status) + ' ' +
              std::to_string(count);
    }
  }
  return text + '\n';
}

/// What combinations of one reason have in common; `order` is the place of the status among all.
struct ReasonKey {
  std::ptrdiff_t order = 0;
  std::string rung;
  std::string reason;
  std::string remedy;

  friend auto operator<=>(const ReasonKey&, const ReasonKey&) = default;
};

/// "triton=3.0.0 setuptools=none arch=sm_70,sm_75": combinations that differ in the column only, a line each.
std::vector<std::string> combination_lines(const Matrix& matrix, const RowRefs& rows) {
  std::map<Values, Values, decltype(&values_before)> lines(&values_before);
  for (const VerdictRow* row : rows) {
    Values key;
    for (const std::string& axis : matrix.row_axes) key.push_back(value_on(*row, axis));
    auto& columns = lines[key];
    if (!matrix.column.empty()) columns.push_back(value_on(*row, matrix.column));
  }
  std::vector<std::string> texts;
  for (auto& [key, columns] : lines) {
    std::string text;
    for (std::size_t at = 0; at < key.size(); ++at) text += (at ? " " : "") + matrix.row_axes[at] + '=' + key[at];
    std::sort(columns.begin(), columns.end(), value_before);
    for (std::size_t at = 0; at < columns.size(); ++at) {
      text += (at ? ", " : (text.empty() ? "" : " ") + matrix.column + '=') + columns[at];
    }
    texts.push_back(std::move(text));
  }
  return texts;
}

void add_wrapped(std::string& out, const std::string& text, std::size_t first, std::size_t rest, std::size_t width) {
  for (const std::string& line : wrapped(text, width, first, rest)) out += line + '\n';
}

std::string render_reason(const Matrix& matrix, const ReasonKey& key, const RowRefs& rows, const Terminal& terminal) {
  const StatusMark& mark = kStatusMarks[static_cast<std::size_t>(key.order)];
  std::string head = std::string(mark.status);
  if (!key.rung.empty() && mark.status != "unsupported") head += " at " + key.rung;
  head += " (" + std::to_string(rows.size()) + "): " + (key.reason.empty() ? "no reason given" : key.reason);
  // Wrapped plain and painted afterwards: colours take no columns.
  std::string body;
  add_wrapped(body, head, 0, 4, terminal.width - 2);
  std::string out = painted(terminal, mark.color, sign_of(mark, terminal)) + ' ' + body;
  if (!key.remedy.empty()) add_wrapped(out, "remedy: " + key.remedy, 4, 6, terminal.width);
  for (const std::string& line : combination_lines(matrix, rows)) add_wrapped(out, line, 4, 6, terminal.width);
  return out;
}

}  // namespace

std::string render_table(const std::vector<VerdictRow>& rows, const Terminal& terminal) {
  std::string out;
  for (const Matrix& matrix : matrices_of(rows)) out += render_matrix(matrix, terminal) + '\n';
  return out + render_counts(rows, terminal);
}

std::string render_reasons(const std::vector<VerdictRow>& rows, const Terminal& terminal) {
  std::string out;
  for (const Matrix& matrix : matrices_of(rows)) {
    std::map<ReasonKey, RowRefs> groups;
    for (const VerdictRow* row : matrix.rows) {
      const StatusMark* mark = find_status_mark(row->status);
      if (!mark || row->status == "passed" || row->status == "pending") continue;
      groups[{mark - kStatusMarks.data(), row->rung, row->reason, row->remedy}].push_back(row);
    }
    if (groups.empty()) continue;
    out += (out.empty() ? "" : "\n") + matrix.library + ": not passed, and why\n";
    for (const auto& [key, members] : groups) out += render_reason(matrix, key, members, terminal);
  }
  return out;
}

}  // namespace crosswarp::cli
