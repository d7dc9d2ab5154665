// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "matrix/base/error.hpp"
#include "server/http/message.hpp"
#include "server/table/table.hpp"

#include <map>
#include <string>
#include <vector>

namespace crosswarp::ui {

/// What the URL of a library's page asks for.
struct GridQuery {
  std::string rows;     ///< axis
  std::string columns;  ///< axis
  std::map<std::string, std::vector<std::string>> axes;  ///< axis -> patterns, any of which must match
  std::vector<std::string> statuses;                     ///< any of them; empty: all
};

/// The verdicts that share one place of the grid.
struct GridCell {
  std::vector<const table::Verdict*> verdicts;
};

/// A value to filter by, and how many verdicts it would leave, all other filters in force.
struct FacetValue {
  std::string value;
  std::size_t count = 0;
  bool chosen = false;
};

struct Facet {
  std::string axis;  ///< "status" for the statuses
  std::vector<FacetValue> values;
  std::string typed;  ///< a pattern of the query that is none of the values
};

/// The verdicts of a library as a table of two axes.
struct Grid {
  GridQuery query;
  std::vector<std::string> row_values;
  std::vector<std::string> column_values;
  std::vector<std::vector<GridCell>> cells;  ///< [row][column]
  std::vector<Facet> facets;                 ///< the statuses, then each axis with more than one value
  std::size_t shown = 0;                     ///< verdicts in the cells
};

/// Lays `verdicts`, which the grid borrows, out as `parameters` ask. Without a choice the library's version is down
/// and the axis `arch` across, or else the first other axis; values come in the order of `axes`.
/// Errors: invalid_argument for an axis that is not there, and for a malformed pattern.
Result<Grid> make_grid(const std::string& library, const std::vector<table::Verdict>& verdicts,
                       const std::vector<table::AxisValues>& axes, const http::Parameters& parameters);

}  // namespace crosswarp::ui
