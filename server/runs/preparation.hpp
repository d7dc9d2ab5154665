// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "matrix/base/combination.hpp"
#include "matrix/base/error.hpp"
#include "matrix/plan/plan.hpp"
#include "matrix/spec/diagnostic.hpp"
#include "server/runs/recipe_source.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace crosswarp::runs {

/// Why a combination is not run.
struct Unsupported {
  std::string code;    ///< id of the fact, or "constraint"
  std::string reason;
  std::string source;  ///< of the fact; "matrix" for a constraint
};

struct PreparedCombination {
  Combination axes;
  std::optional<Unsupported> unsupported;
  std::optional<std::size_t> leaf;    ///< its last job, as a position in PreparedMatrix::jobs; nothing to be run: none
  std::vector<std::size_t> controls;  ///< positions in PreparedMatrix::controls
};

/// The control of a family. Its last job is a row of its own beside the work of the same key.
struct PreparedControl {
  Combination axes;
  std::size_t job = 0;  ///< position in PreparedMatrix::jobs
};

/// One matrix, worked out.
struct PreparedMatrix {
  std::string library;
  RecipeFiles recipe;
  std::vector<PlannedJob> jobs;
  std::vector<bool> needed;  ///< which of `jobs` are work; the others only end the chain of a control
  std::vector<PreparedControl> controls;
  std::vector<PreparedCombination> combinations;  ///< in the order of the matrix
};

struct Preparation {
  std::vector<PreparedMatrix> matrices;
  std::vector<Diagnostic> diagnostics;
  bool ok() const { return !has_errors(diagnostics); }
};

/// Works out what a submitted file asks for: combinations, jobs, controls. Blocks (reads recipes).
/// `verify`: what a fact forbids is run all the same. Errors: too_large when a matrix stands for more than `limit`.
Result<Preparation> prepare(std::string_view yaml, const RecipeSource& recipes, bool verify, std::uint64_t limit);

}  // namespace crosswarp::runs
