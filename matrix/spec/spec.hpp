// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "matrix/base/combination.hpp"
#include "matrix/base/error.hpp"
#include "matrix/base/ladder.hpp"
#include "matrix/spec/diagnostic.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace crosswarp {

/// A setting of one axis that a condition accepts, as written: an exact value, or PEP 440 specifiers (">=13.0,<14").
/// A list in YAML is any of its items.
struct AxisPattern {
  std::string axis;
  std::vector<std::string> any_of;
  Place place;
};

/// A conjunction: holds where every axis named has a value that its pattern accepts.
using Condition = std::vector<AxisPattern>;

/// Where `when` holds, `require` must hold. `forbid: C` is read as when C require nothing (`forbids` is set).
struct Constraint {
  Condition when;
  Condition require;
  bool forbids = false;
  std::string reason;
  Place place;
};

/// One dimension of a matrix: its values in the order written, no value twice.
struct Axis {
  std::string name;
  std::vector<std::string> values;
  Place place;
};

/// A row of `include`, with GitHub's meaning.
struct IncludeRow {
  Combination values;
  Place place;
};

/// A row of `exclude`: removes the combinations for which the condition holds.
struct ExcludeRow {
  Condition condition;
  Place place;
};

/// One matrix of one library, as read from one YAML document of format version 1.
struct Spec {
  std::string library;
  std::string recipe;            ///< name of the recipe; the library's where not given
  std::vector<Rung> rungs;       ///< asked for, in ladder order, `feasible` always first; empty: all of the recipe's
  std::vector<Axis> axes;        ///< in the order written; the last one varies fastest
  std::vector<IncludeRow> include;
  std::vector<ExcludeRow> exclude;
  std::vector<Constraint> constraints;
};

/// What a file held: a matrix for each YAML document, or every error found, each with line and column.
struct ParsedSpecs {
  std::vector<Spec> specs;
  std::vector<Diagnostic> diagnostics;  ///< errors and warnings in the order of their places
  bool ok() const { return !has_errors(diagnostics); }
};

/// Reads a matrix file (format version 1); several YAML documents are several matrices of one run.
/// Bounds: 1 MiB of text, 64 levels, 10^5 nodes after aliases; past them an error, before anything is built.
/// Values are strings only: a plain scalar that YAML reads as number, boolean or null is an error that says how to
/// quote it. Unknown keys name the nearest known one; duplicate keys, recursive aliases and reserved axis names
/// (library, version, status, rung, evidence, cursor, limit, sort) are errors.
ParsedSpecs parse_specs(std::string_view yaml);

}  // namespace crosswarp
