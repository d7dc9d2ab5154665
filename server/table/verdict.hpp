// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "matrix/base/combination.hpp"
#include "matrix/base/ladder.hpp"
#include "server/db/query.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace crosswarp::table {

/// What is said of one combination. Texts are empty and optionals nothing where there is nothing to say.
struct Verdict {
  std::int64_t row = 0;     ///< position for cursors
  std::string library;
  std::string version;      ///< value of the axis named after the library
  Combination combination;
  std::string id;           ///< combination_id
  std::optional<Status> status;  ///< nothing: work of the run goes on ("pending")
  std::optional<Rung> rung;      ///< the one that decided it
  std::optional<Rung> proved;    ///< highest proved
  std::optional<Evidence> evidence;
  std::string reason;
  std::string code;
  std::string remedy;
  std::string source;       ///< of a fact
  std::string since;        ///< RFC 3339: when this status was first found; empty while pending
  std::string checked;      ///< RFC 3339: when it was last found
  std::optional<std::int64_t> run;
  std::optional<std::int64_t> job;      ///< that decided it
  std::optional<std::int64_t> attempt;
  bool control = false;     ///< it is the control of a family
};

/// Reads a row that has the columns of a verdict by their names.
Verdict verdict_of(const db::Row& row);

/// Combination as JSON text of axis to value, and back.
std::string axes_json(const Combination& axes);
Combination axes_of_json(const boost::json::value& json);

}  // namespace crosswarp::table
