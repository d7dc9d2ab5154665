// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "matrix/base/combination.hpp"
#include "matrix/base/error.hpp"

#include <boost/json/value.hpp>

#include <string>

namespace crosswarp::cli {

/// A verdict as the server tells it, as far as people read it. Absent texts are empty, control
/// characters are gone.
struct VerdictRow {
  std::string library;
  Combination combination;
  std::string status;  ///< a status, or "pending"
  std::string rung;
  std::string proved;
  std::string reason;
  std::string remedy;
};

/// Errors: unavailable for what is no verdict: the server is none of ours.
Result<VerdictRow> verdict_row(const boost::json::value& json);

/// The order in which values of an axis are listed: `none` first, archs by number, versions by PEP 440, else by text.
bool value_before(const std::string& left, const std::string& right);

}  // namespace crosswarp::cli
